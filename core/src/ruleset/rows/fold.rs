//! What of a condition is known once the border is known: terrain, features, roads. The rest stays to be asked.

use super::{Expr, Names, Reads, Relation, Stated, Term, inline::decided};
use crate::{
    map::{Map, SpaceId},
    ruleset::{Attribute, Holder, Part, Schema},
};

/// What is known while the step costs of a border are worked out.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// What stands in the slots, where that is known: spaces.
    pub slots: &'a [Option<i32>],
    /// The map.
    pub map: &'a Map,
    /// What is printed.
    pub attributes: &'a [Attribute],
    /// Whether what is left is for these very spaces; otherwise for all that look like them, of which nothing else than
    /// that they are there may be used.
    pub exact: bool,
}

/// Folds everything that depends only on what is printed of the map and of the spaces in the slots given. The slots
/// themselves stay, so that what remains can be shared by all borders that look alike, unless it need not be.
pub fn fold(expr: &Expr, place: Place<'_>) -> Expr {
    let Place { slots, map, attributes, exact } = place;
    let again = |e: &Expr| fold(e, place);
    let known = |e: &Expr| match e {
        Expr::Const(value) => Some(*value),
        Expr::Slot(slot) => slots.get(*slot as usize).copied().flatten(),
        _ => None,
    };
    let flag = |b: bool| Expr::Const(i32::from(b));
    match expr {
        Expr::Not(a) => match again(a) {
            Expr::Const(value) => flag(value == 0),
            rest => Expr::Not(Box::new(rest)),
        },
        Expr::Both(list) | Expr::Either(list) => {
            let decides = i32::from(matches!(expr, Expr::Either(_)));
            let mut rest = Vec::new();
            for part in list {
                match again(part) {
                    Expr::Const(value) if i32::from(value != 0) == decides => return flag(decides != 0),
                    Expr::Const(_) => (),
                    other => rest.push(other),
                }
            }
            match rest.len() {
                0 => flag(decides == 0),
                1 => rest.remove(0),
                _ if decides == 0 => Expr::Both(rest),
                _ => Expr::Either(rest),
            }
        }
        Expr::Fixed { attribute, of, .. } => match known(of).filter(|_| matches!(of.as_ref(), Expr::Slot(_))) {
            Some(space) if space >= 0 => Expr::Const(attributes[usize::from(*attribute)].values[space as usize]),
            _ => expr.clone(),
        },
        Expr::Compare(relation, a, b) => match (again(a), again(b)) {
            (Expr::Const(a), Expr::Const(b)) => flag(relation.holds(a, b)),
            (a, b) if exact && known(&a).is_some() && known(&b).is_some() => {
                flag(known(&a).zip(known(&b)).is_some_and(|(a, b)| relation.holds(a, b)))
            }
            // No space is nothing.
            (Expr::Const(-1), Expr::Slot(slot)) | (Expr::Slot(slot), Expr::Const(-1))
                if slots.get(usize::from(slot)).copied().flatten().is_some_and(|space| space >= 0)
                    && matches!(relation, Relation::Equal | Relation::NotEqual) =>
            {
                flag(matches!(relation, Relation::NotEqual))
            }
            (a, b) => Expr::Compare(*relation, Box::new(a), Box::new(b)),
        },
        Expr::Add(a, b) => match (again(a), again(b)) {
            (Expr::Const(a), Expr::Const(b)) => Expr::Const(a.saturating_add(b)),
            (a, b) => Expr::Add(Box::new(a), Box::new(b)),
        },
        Expr::Less(a, b) => match (again(a), again(b)) {
            (Expr::Const(a), Expr::Const(b)) => Expr::Const(a.saturating_sub(b)),
            (a, b) => Expr::Less(Box::new(a), Box::new(b)),
        },
        Expr::Times(a, b) => match (again(a), again(b)) {
            (Expr::Const(a), Expr::Const(b)) => Expr::Const(a.saturating_mul(b)),
            (a, b) => Expr::Times(Box::new(a), Box::new(b)),
        },
        Expr::Share(a, by) => match again(a) {
            Expr::Const(a) => Expr::Const(a.div_euclid(*by)),
            a => Expr::Share(Box::new(a), *by),
        },
        Expr::Terrain(space, terrain) => match (known(space), known(terrain)) {
            (Some(space), Some(bits)) if space >= 0 => {
                flag(map.space(SpaceId(space as u32)).terrain & bits as u32 != 0)
            }
            _ => expr.clone(),
        },
        Expr::Feature(bits, a, b) | Expr::Road(bits, a, b) => match (known(a), known(b)) {
            (Some(a), Some(b)) if a >= 0 && b >= 0 => {
                let border = map.between(SpaceId(a as u32), SpaceId(b as u32)).map(|at| map.border(at));
                let has = border.is_some_and(|border| {
                    let here = if matches!(expr, Expr::Road(..)) { border.roads } else { border.features };
                    here & bits != 0
                });
                flag(has)
            }
            _ => expr.clone(),
        },
        _ => expr.clone(),
    }
}

/// Longer terms are not looked into while a ruleset is loaded.
const MOST_STEPS_OF_A_TERM: u32 = 100;

/// A question about units, spaces or cards, with what is printed on them already taken into account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    /// Those it may still hold for.
    pub members: Vec<i32>,
    /// What is left to ask of them.
    pub when: Expr,
    /// Where the question wants units to stand, which is soon looked up.
    pub there: Option<There>,
    /// What it asks of each of them alone, where that is told apart.
    pub alone: Option<Alone>,
}

/// As much of a question as it asks of each candidate alone, whoever the others are and whatever else it is given: it need be
/// asked again only of those of whom something has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alone {
    /// What is asked of each alone.
    pub when: Expr,
    /// What else is asked.
    pub rest: Expr,
    /// What the former looks at besides the candidates.
    pub parts: Vec<Part>,
}

impl Alone {
    /// What takes fewer steps is as soon asked again.
    const LEAST_STEPS: u32 = 9;

    /// What a question asks of the unit in a slot alone, if that is worth telling apart.
    pub fn of(when: &Expr, slot: u8, names: &Names<'_>) -> Option<Alone> {
        let mut reads = Reads::default();
        let is_alone = |part: &Expr| {
            let its = Reads::of(part, names);
            let is_alone = its.slots & !(1 << slot) == 0 && !its.looks_at_others(Some(slot));
            if is_alone {
                reads.columns.extend(its.columns);
            }
            is_alone
        };
        let (alone, rest): (Vec<Expr>, Vec<Expr>) = when.musts(true).into_iter().partition(is_alone);
        let when = Expr::all_of(alone);
        if when.steps(names.terms) < Alone::LEAST_STEPS {
            return None;
        }
        reads.columns.insert(Schema::PHASING);
        reads.columns.retain(|column| names.schema.columns[usize::from(*column)].holder != Holder::Unit);
        Some(Alone { when, rest: Expr::all_of(rest), parts: reads.parts(names.schema) })
    }
}

/// Units are wanted that stand in a certain space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct There {
    /// At times when this holds.
    pub when: Expr,
    /// In this space.
    pub space: Expr,
}

impl There {
    /// Where a question about the unit in a slot wants it to stand: one of the conditions that must not hold, if need be
    /// among others that do not hang on the unit, is that it stands elsewhere.
    fn wanted(when: &Expr, slot: u8) -> Option<There> {
        let Expr::Not(refused) = when else { return None };
        refused.parts_of_either().into_iter().find_map(|refusal| {
            let parts = if let Expr::Both(parts) = refusal { parts.as_slice() } else { std::slice::from_ref(refusal) };
            let (its, others): (Vec<&Expr>, Vec<&Expr>) = parts.iter().partition(|part| reads_slot(part, slot));
            let [Expr::Compare(Relation::NotEqual, its, space)] = its[..] else { return None };
            let is_its =
                matches!(its.as_ref(), Expr::SpaceOf(of) if matches!(of.as_ref(), Expr::Slot(s) if *s == slot));
            let when = Expr::Both(others.into_iter().cloned().collect());
            (is_its && !reads_slot(space, slot)).then(|| There { when, space: space.as_ref().clone() })
        })
    }
}

/// What is known of the slots and of the side to move before a game begins.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Slots and what stands in them.
    pub slots: &'a [(u8, i32)],
    /// The side to move.
    pub phasing: Option<i32>,
    /// What is printed.
    pub attributes: &'a [Attribute],
    /// Terms that may be used.
    pub terms: &'a [Term],
    /// The map.
    pub map: &'a Map,
}

impl Candidates {
    /// Those for whom a condition is not decided to be false; each stands in `slot` while it is asked.
    pub fn new(when: &Expr, slot: u8, all: impl Iterator<Item = i32>, known: Known<'_>) -> Candidates {
        let decide =
            |e: &Expr, member: i32| printed(e, Some((slot, member)), &known).map(|value| i32::from(value != 0));
        // Most conditions ask of nothing that is printed.
        let asks_print = |e: &Expr| match e {
            Expr::Fixed { .. }
            | Expr::Stated(Stated::Edge | Stated::Entry, _)
            | Expr::Terrain(..)
            | Expr::Next(..)
            | Expr::Direction(..)
            | Expr::Game(_) => true,
            Expr::Term(term, _) => known.terms[usize::from(*term)].steps <= MOST_STEPS_OF_A_TERM,
            _ => false,
        };
        if !when.any(&mut { asks_print }) {
            let there = There::wanted(when, slot);
            return Candidates { members: all.collect(), when: when.clone(), there, alone: None };
        }
        let members: Vec<i32> = all.filter(|member| decide(when, *member) != Some(0)).collect();
        let when = undecided(when, &members, &decide);
        let there = There::wanted(&when, slot);
        Candidates { members, when, there, alone: None }
    }
}

impl Expr {
    /// What must hold, or must not, for it to come out so: conditions that are asked one by one.
    fn musts(&self, holds: bool) -> Vec<Expr> {
        match self {
            Expr::Not(inner) => inner.musts(!holds),
            Expr::Both(parts) | Expr::Either(parts) if matches!(self, Expr::Both(_)) == holds => {
                parts.iter().flat_map(|part| part.musts(holds)).collect()
            }
            one if holds => vec![one.clone()],
            one => vec![Expr::Not(Box::new(one.clone()))],
        }
    }

    /// What it is enough that one of holds, for it to hold.
    fn parts_of_either(&self) -> Vec<&Expr> {
        match self {
            Expr::Either(parts) => parts.iter().flat_map(Expr::parts_of_either).collect(),
            one => vec![one],
        }
    }
}

/// Leaves out of a condition what is decided alike for all of these; the lightest question comes first.
fn undecided(expr: &Expr, members: &[i32], decide: &impl Fn(&Expr, i32) -> Option<i32>) -> Expr {
    let first = members.first().and_then(|member| decide(expr, *member));
    if let Some(value) = first.filter(|_| members.iter().all(|member| decide(expr, *member) == first)) {
        return Expr::Const(value);
    }
    let again = |e: &Expr| undecided(e, members, decide);
    match expr {
        Expr::Not(inner) => Expr::Not(Box::new(again(inner))),
        Expr::Both(parts) | Expr::Either(parts) => {
            let mut parts: Vec<Expr> = parts.iter().map(again).filter(|e| !matches!(e, Expr::Const(_))).collect();
            parts.sort_by_key(Expr::weight);
            match expr {
                _ if parts.len() == 1 => parts.remove(0),
                Expr::Both(_) => Expr::Both(parts),
                _ => Expr::Either(parts),
            }
        }
        other => other.clone(),
    }
}

/// What a condition comes to by what is printed alone, if that decides it; `also` is one more slot, unless that is known.
fn printed(expr: &Expr, also: Option<(u8, i32)>, known: &Known<'_>) -> Option<i32> {
    let again = |e: &Expr| printed(e, also, known);
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Slot(s) => known.slots.iter().chain(&also).find(|(slot, _)| slot == s).map(|(_, value)| *value),
        Expr::Game(column) => known.phasing.filter(|_| *column == Schema::PHASING),
        Expr::Fixed { of_nothing, attribute, of } => {
            let of = again(of)?;
            let value = known.attributes[*attribute as usize].values.get(of as usize).copied();
            Some(value.unwrap_or(i32::from(*of_nothing)))
        }
        Expr::Stated(Stated::Edge, of) => {
            let space = u32::try_from(again(of)?).ok()?;
            Some(i32::from(known.map.is_edge(SpaceId(space))))
        }
        Expr::Stated(Stated::Entry, of) => {
            let space = u32::try_from(again(of)?).ok()?;
            Some(i32::from(known.map.is_entry(SpaceId(space))))
        }
        Expr::Terrain(space, terrain) => {
            let (space, bits) = (u32::try_from(again(space)?).ok()?, again(terrain)? as u32);
            Some(i32::from(known.map.space(SpaceId(space)).terrain & bits != 0))
        }
        Expr::Next(space, way) => {
            let (space, way) = (u32::try_from(again(space)?).ok()?, again(way)?);
            Some(known.map.next(SpaceId(space), way).map_or(-1, |next| next.0 as i32))
        }
        Expr::Direction(from, to) => {
            let [from, to] = [u32::try_from(again(from)?).ok()?, u32::try_from(again(to)?).ok()?].map(SpaceId);
            Some(known.map.direction(from, to).unwrap_or(-1))
        }
        Expr::Turned(way, by) => Some(known.map.turned(again(way)?, again(by)?)),
        Expr::Not(a) => Some(i32::from(again(a)? == 0)),
        Expr::Both(list) | Expr::Either(list) => {
            let decides = i32::from(matches!(expr, Expr::Either(_)));
            let mut are_all_known = true;
            for part in list {
                match again(part) {
                    Some(value) if i32::from(value != 0) == decides => return Some(decides),
                    value => are_all_known &= value.is_some(),
                }
            }
            are_all_known.then_some(1 - decides)
        }
        Expr::Compare(relation, a, b) => Some(i32::from(relation.holds(again(a)?, again(b)?))),
        Expr::Term(term, args) => {
            let term = &known.terms[usize::from(*term)];
            if term.steps > MOST_STEPS_OF_A_TERM {
                return None;
            }
            let given = (0..).zip(args).filter_map(|(slot, arg)| Some((slot, again(arg)?)));
            let slots: Vec<(u8, i32)> = given.collect();
            printed(&term.body, None, &Known { slots: &slots, ..*known })
        }
        _ => None,
    }
}

/// What must be so for a condition to come out so, whatever stands in a slot: as much of it as does not hang on that.
pub fn apart_from(slot: u8, expr: &Expr, holds: bool) -> Expr {
    const CAN_BE: Expr = Expr::Const(1);
    let of = |parts: &[Expr]| parts.iter().map(|part| apart_from(slot, part, holds)).collect();
    match expr {
        expr if !reads_slot(expr, slot) => {
            if holds {
                expr.clone()
            } else {
                Expr::Not(Box::new(expr.clone()))
            }
        }
        Expr::Not(inner) => apart_from(slot, inner, !holds),
        Expr::Both(parts) | Expr::Either(parts) if matches!(expr, Expr::Both(_)) == holds => {
            decided(Expr::Both(of(parts)))
        }
        Expr::Both(parts) | Expr::Either(parts) => decided(Expr::Either(of(parts))),
        Expr::If(parts) if !reads_slot(&parts[0], slot) => {
            let [then, other] = [1, 2].map(|at| apart_from(slot, &parts[at], holds));
            match (&then, &other) {
                (Expr::Const(1), Expr::Const(1)) => CAN_BE,
                _ => Expr::If(Box::new([parts[0].clone(), then, other])),
            }
        }
        _ => CAN_BE,
    }
}

/// Whether a condition reads a slot.
pub fn reads_slot(expr: &Expr, slot: u8) -> bool {
    expr.any(&mut |e| matches!(e, Expr::Slot(s) if *s == slot))
}

impl Relation {
    /// The one that holds between two numbers where this does not.
    #[inline]
    pub fn negated(self) -> Relation {
        match self {
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::Less => Relation::GreaterOrEqual,
            Relation::LessOrEqual => Relation::Greater,
            Relation::Greater => Relation::LessOrEqual,
            Relation::GreaterOrEqual => Relation::Less,
        }
    }

    /// Whether it holds between two numbers.
    #[inline]
    pub fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
            Relation::Less => a < b,
            Relation::LessOrEqual => a <= b,
            Relation::Greater => a > b,
            Relation::GreaterOrEqual => a >= b,
        }
    }
}

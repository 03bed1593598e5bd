//! What of a condition is known once the border is known: terrain, features, roads. The rest stays to be asked.

use super::{Domain, Expr, Names, Relation, Stated};
use crate::{
    map::{Map, SpaceId},
    ruleset::{Attribute, Holder, Part, Schema},
};

/// Folds everything that depends only on the map and on the slots given; slots themselves stay, so that what
/// remains can be shared by all borders that look alike.
pub fn fold(expr: &Expr, slots: &[Option<i32>], map: &Map) -> Expr {
    let again = |e: &Expr| fold(e, slots, map);
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
        Expr::Compare(relation, a, b) => match (again(a), again(b)) {
            (Expr::Const(a), Expr::Const(b)) => flag(relation.holds(a, b)),
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

/// A question about units, spaces or cards, with what is printed on them already taken into account.
#[derive(Debug, Clone)]
pub struct Candidates {
    /// Those it may still hold for.
    pub members: Vec<i32>,
    /// What is left to ask of them.
    pub when: Expr,
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
    /// The map.
    pub map: &'a Map,
}

impl Candidates {
    /// Those for whom a condition is not decided to be false; each stands in `slot` while it is asked.
    pub fn new(when: &Expr, slot: u8, all: impl Iterator<Item = i32>, known: Known<'_>) -> Candidates {
        let decide = |e: &Expr, member: i32| {
            let slots: Vec<(u8, i32)> = known.slots.iter().copied().chain([(slot, member)]).collect();
            printed(e, &Known { slots: &slots, ..known }).map(|value| i32::from(value != 0))
        };
        // Most conditions ask of nothing that is printed.
        let mut asks_print = false;
        when.walk(&mut |e| {
            asks_print |= matches!(
                e,
                Expr::Fixed { .. } | Expr::Stated(Stated::Edge | Stated::Entry, _) | Expr::Terrain(..) | Expr::Game(_)
            );
        });
        if !asks_print {
            return Candidates { members: all.collect(), when: when.clone() };
        }
        let members: Vec<i32> = all.filter(|member| decide(when, *member) != Some(0)).collect();
        let when = undecided(when, &members, &decide);
        Candidates { members, when }
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

/// What a condition comes to by what is printed alone, if that decides it.
fn printed(expr: &Expr, known: &Known<'_>) -> Option<i32> {
    let again = |e: &Expr| printed(e, known);
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Slot(s) => known.slots.iter().find(|(slot, _)| slot == s).map(|(_, value)| *value),
        Expr::Game(column) => known.phasing.filter(|_| *column == Schema::PHASING),
        Expr::Fixed { attribute, of } => {
            let of = usize::try_from(again(of)?).ok()?;
            known.attributes[*attribute as usize].values.get(of).copied()
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
        Expr::Not(a) => Some(i32::from(again(a)? == 0)),
        Expr::Both(list) | Expr::Either(list) => {
            let decides = i32::from(matches!(expr, Expr::Either(_)));
            let parts: Vec<Option<i32>> = list.iter().map(again).collect();
            if parts.iter().flatten().any(|p| i32::from(*p != 0) == decides) {
                return Some(decides);
            }
            parts.iter().all(Option::is_some).then_some(1 - decides)
        }
        Expr::Compare(relation, a, b) => Some(i32::from(relation.holds(again(a)?, again(b)?))),
        _ => None,
    }
}

/// Whether a condition asks about a space in a way that two spaces of the same terrain may answer differently.
pub fn is_particular(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |e| {
        found |=
            matches!(e, Expr::Distance(..) | Expr::Onward(..) | Expr::Stated(..) | Expr::Line(_) | Expr::Sees { .. });
    });
    found
}

/// Whether a condition asks of nothing that changes in a game: only of what is printed, and of what it is given.
pub fn is_lasting(expr: &Expr) -> bool {
    let mut lasts = true;
    expr.walk(&mut |e| {
        lasts &= matches!(
            e,
            Expr::Const(_)
                | Expr::Slot(_)
                | Expr::Fixed { .. }
                | Expr::Not(_)
                | Expr::Both(_)
                | Expr::Either(_)
                | Expr::If(_)
                | Expr::Compare(..)
                | Expr::Add(..)
                | Expr::Less(..)
                | Expr::Times(..)
                | Expr::Share(..)
                | Expr::Terrain(..)
                | Expr::Feature(..)
                | Expr::Road(..)
                | Expr::Distance(..)
                | Expr::Stated(..)
                | Expr::Line(_)
        );
    });
    lasts
}

/// The columns of the state that a condition looks at, through words and zones too. Where things are is always
/// one of them.
pub fn columns_read(expr: &Expr, names: &Names<'_>) -> Vec<u16> {
    let mut reads = vec![Schema::PLACE];
    expr.walk(&mut |e| match e {
        Expr::State { column, .. } | Expr::Game(column) => reads.push(*column),
        Expr::Word(word, _) => reads.extend(columns_read(&names.words[*word as usize].body, names)),
        Expr::Zone { zone, .. } => reads.extend(&names.zones[*zone as usize].columns),
        Expr::Sees { sight, .. } => reads.extend(&names.sights[*sight as usize].columns),
        Expr::Over { domain, .. } | Expr::Packed { domain, .. } => {
            if let Domain::Records(kind) = domain.as_ref() {
                reads.push(names.schema.records[*kind as usize].exists);
            }
        }
        _ => (),
    });
    reads.sort_unstable();
    reads.dedup();
    reads
}

/// What of the state a question put to certain units looks at: where it is only about themselves, nothing of
/// the counters of sides that have none among them.
pub fn parts_read(candidates: &Candidates, slot: u8, names: &Names<'_>) -> Vec<Part> {
    let schema = names.schema;
    let is_it = |e: &Expr| matches!(e, Expr::Slot(s) if *s == slot);
    let mut own = true;
    candidates.when.walk(&mut |e| match e {
        Expr::State { column, of, .. } => {
            own &= schema.columns[*column as usize].holder != Holder::Unit || is_it(of);
        }
        Expr::SpaceOf(of) | Expr::InBox(of, _) => own &= is_it(of),
        Expr::Over { .. } | Expr::Packed { .. } | Expr::Word(..) | Expr::Zone { .. } | Expr::Sees { .. } => own = false,
        _ => (),
    });
    let mut parts: Vec<Part> =
        columns_read(&candidates.when, names).into_iter().flat_map(|c| schema.parts_of(c)).collect();
    if let Some(side) = names.attributes.iter().find(|a| own && a.holder == Holder::Unit && a.name == "side") {
        let has = |of: i32| candidates.members.iter().any(|unit| side.values[*unit as usize] == of);
        let without: Vec<i32> = (0..schema.sides as i32).filter(|of| !has(*of)).collect();
        let units = |column: u16| schema.columns[column as usize].holder == Holder::Unit;
        let columns = (0..schema.columns.len() as u16).filter(|c| units(*c));
        let others: Vec<Part> = columns.flat_map(|c| without.iter().map(move |of| schema.part(c, *of))).collect();
        parts.retain(|part| !others.contains(part));
    }
    parts
}

/// Whether a condition reads a slot.
pub fn reads_slot(expr: &Expr, slot: u8) -> bool {
    expr.any(&mut |e| matches!(e, Expr::Slot(s) if *s == slot))
}

impl Relation {
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

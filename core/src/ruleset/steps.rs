//! Step costs worked out once for every border: what terrain and roads decide is decided, and what depends on
//! the game is left to be asked.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Attribute,
    movers::{Mover, PlusRow, StepRow},
    rows::{
        Expr,
        fold::{Place, fold},
    },
};
use crate::map::{BorderId, Costs, Ends, Exit, Exits, Map, SpaceId};

/// What decides which list of steps a border has: its features and roads both ways and the terrain at its ends; and which
/// spaces those are, where a cost asks more of them.
type Likeness = ([[u32; 2]; 3], Option<[u32; 2]>);

/// The step costs of one mover, border by border.
#[derive(Debug)]
pub struct Baked {
    /// Which list of steps each border has.
    pub of: Vec<u16>,
    /// Lists of steps; many borders share one.
    pub lists: Vec<Vec<BakedStep>>,
    /// By symbol of the mode: the same for each border, where it is as simple as most are.
    pub exits: Vec<Exits>,
    /// The cheapest of them: what a step costs in whichever way it is taken.
    pub cheapest: Exits,
    /// By number of the space: the least that a step out of it can cost.
    pub least: Vec<u16>,
    /// The zones that steps look at; the first is the one that costs of an [`Exit`] hang on.
    pub zones: Vec<u16>,
}

/// What the steps of a symbol cost by how their ends lie to a zone, where a list says no more than that.
fn costs(list: &[BakedStep], symbol: u8, zone: Option<u16>) -> Costs {
    let holds = |when: &When, ends: usize| match when {
        When::Always => Some(true),
        When::AtEnds { zone: of, ends: these } if Some(*of) == zone => Some(these >> ends & 1 == 1),
        _ => None,
    };
    let cost = |ends: usize| {
        for step in list.iter().filter(|step| step.symbol == symbol) {
            if holds(&step.when, ends)? {
                let more = |(when, more): &(When, u16)| holds(when, ends).map(|holds| if holds { *more } else { 0 });
                let more = step.plus.iter().map(more).try_fold(0u16, |sum, more| Some(sum.saturating_add(more?)));
                return more.map(|more| step.cost.saturating_add(more).min(Exit::CLOSED - 1));
            }
        }
        Some(Exit::CLOSED)
    };
    std::array::from_fn(|ends| cost(ends).unwrap_or(Exit::ASK))
}

/// The least that any of some steps costs before anything is added.
fn least_in<'a>(steps: impl Iterator<Item = &'a BakedStep>) -> u16 {
    steps.map(|step| step.cost).min().unwrap_or(u16::MAX)
}

/// One row of step costs as it applies to a border.
#[derive(Debug, Clone)]
pub struct BakedStep {
    /// Which row of the mover it is.
    pub row: usize,
    /// The symbol it is for.
    pub symbol: u8,
    /// When it holds.
    pub when: When,
    /// What it costs.
    pub cost: u16,
    /// What is added, and when.
    pub plus: Vec<(When, u16)>,
}

/// When a step holds.
#[derive(Debug, Clone)]
pub enum When {
    /// Always.
    Always,
    /// While its ends lie so to this zone against the mover's side: a bit set of the numbers of [`Ends`].
    AtEnds {
        /// The zone.
        zone: u16,
        /// The set.
        ends: u8,
    },
    /// While this holds; given unit, from, to, and the symbol of the mode.
    Holds(Expr),
}

impl Baked {
    /// `known` says of a row whether it holds, where that is known beforehand.
    pub(super) fn new(
        mover: &Mover,
        known: &dyn Fn(usize) -> Option<bool>,
        map: &Map,
        attributes: &[Attribute],
    ) -> Baked {
        let side = attributes.iter().position(|a| a.name == "side");
        let mut lists: Vec<Vec<BakedStep>> = Vec::new();
        // By what is on the border and in its spaces, and which spaces they are, where a cost asks what is printed there.
        let mut alike: BTreeMap<Likeness, u16> = BTreeMap::new();
        let asked = asked_of_spaces(mover);
        let is_special = |space: SpaceId| {
            let mut printed = asked.iter().map(|at| &attributes[usize::from(*at)]);
            printed.any(|a| a.values[space.0 as usize] != i32::from(a.kind.of_nothing()))
        };
        let mut of = Vec::with_capacity(map.border_count());
        for at in 0..map.border_count() as u32 {
            let id = BorderId(at);
            let (from, to, border) = (map.source(id), map.target(id), map.border(id));
            // A condition may ask what is crossed the other way round, and it may not lead back at all.
            let back = map.between(to, from).map(|back| map.border(back));
            let [there, back] = [Some(border), back].map(|b| b.map_or([0; 2], |b| [b.features, b.roads]));
            let key = [there, back, [map.space(from).terrain, map.space(to).terrain]];
            let exact = is_special(from) || is_special(to);
            let list = *alike.entry((key, exact.then_some([from.0, to.0]))).or_insert_with(|| {
                let slots = [None, Some(from.0 as i32), Some(to.0 as i32)];
                lists.push(list(mover, known, Place { slots: &slots, map, attributes, exact }, side));
                (lists.len() - 1) as u16
            });
            of.push(list);
        }
        let mut zones = Vec::new();
        for step in lists.iter().flatten() {
            for when in std::iter::once(&step.when).chain(step.plus.iter().map(|(when, _)| when)) {
                if let When::AtEnds { zone, .. } = when
                    && !zones.contains(zone)
                {
                    zones.push(*zone);
                }
            }
        }
        let first = zones.first().copied();
        let exits = |costs: Vec<Costs>, least: &[u16]| {
            let costs: Vec<Costs> = of.iter().map(|list| costs[usize::from(*list)]).collect();
            Exits::new(map, &costs, |at| least[usize::from(of[at])])
        };
        let in_symbol = |symbol: usize| {
            let least = |list: &Vec<BakedStep>| least_in(list.iter().filter(|step| usize::from(step.symbol) == symbol));
            let costs = lists.iter().map(|list| costs(list, symbol as u8, first)).collect();
            exits(costs, &lists.iter().map(least).collect::<Vec<u16>>())
        };
        let in_any = |list: &Vec<BakedStep>| {
            let all = (0..mover.symbols.len()).map(|symbol| costs(list, symbol as u8, first));
            let cheaper = |a: u16, b: u16| if a.max(b) == Exit::ASK { Exit::ASK } else { a.min(b) };
            all.fold([Exit::CLOSED; Ends::ALL], |a, b| std::array::from_fn(|ends| cheaper(a[ends], b[ends])))
        };
        // A list may still add to its costs, never take away; one without an end that always holds may be closed.
        let least_in_list: Vec<u16> = lists.iter().map(|list| least_in(list.iter())).collect();
        let cheapest = exits(lists.iter().map(in_any).collect(), &least_in_list);
        let exits = (0..mover.symbols.len()).map(in_symbol).collect();
        let least_over = |at: usize| least_in_list[usize::from(of[at])];
        let least_of = |space| map.borders_out(space).map(least_over).min().unwrap_or(u16::MAX);
        let least = map.spaces().map(least_of).collect();
        Baked { of, lists, exits, cheapest, least, zones }
    }
}

/// The printed attributes of spaces that the step costs of a mover ask for.
fn asked_of_spaces(mover: &Mover) -> BTreeSet<u16> {
    let conditions =
        mover.step.iter().flat_map(|row| std::iter::once(&row.when).chain(row.plus.iter().map(|p| &p.when)));
    let mut asked = BTreeSet::new();
    for condition in conditions {
        condition.walk(&mut |e| {
            if let Expr::Fixed { attribute, of, .. } = e
                && matches!(of.as_ref(), Expr::Slot(1 | 2))
            {
                asked.insert(*attribute);
            }
        });
    }
    asked
}

fn list(mover: &Mover, known: &dyn Fn(usize) -> Option<bool>, place: Place<'_>, side: Option<usize>) -> Vec<BakedStep> {
    let mut steps = Vec::new();
    for symbol in 0..mover.symbols.len() {
        let of_symbol = |row: &StepRow| row.symbol.is_none_or(|only| usize::from(only) == symbol);
        for (at, row) in mover.step.iter().enumerate().filter(|(_, row)| of_symbol(row)) {
            let folded = |when: &Expr| When::of(fold(&in_mode(when, symbol as i32), place), side);
            let when = match known(at) {
                Some(holds) => holds.then_some(When::Always),
                None => folded(&row.when),
            };
            let Some(when) = when else { continue };
            let mut cost = row.cost;
            let mut plus = Vec::new();
            for PlusRow { when: condition, cost: more, .. } in &row.plus {
                match folded(condition) {
                    None => (),
                    Some(When::Always) => cost = cost.saturating_add(*more),
                    Some(rest) => plus.push((rest, *more)),
                }
            }
            let decides = matches!(when, When::Always);
            steps.push(BakedStep { row: at, symbol: symbol as u8, when, cost, plus });
            if decides {
                break;
            }
        }
    }
    steps
}

/// What is left of a condition in one mode: comparisons of its symbol are decided.
fn in_mode(when: &Expr, symbol: i32) -> Expr {
    let again = |e: &Expr| in_mode(e, symbol);
    match when {
        Expr::Not(inner) => Expr::Not(Box::new(again(inner))),
        Expr::Both(parts) => Expr::Both(parts.iter().map(again).collect()),
        Expr::Either(parts) => Expr::Either(parts.iter().map(again).collect()),
        Expr::Compare(relation, a, b) => match (a.as_ref(), b.as_ref()) {
            (Expr::Slot(StepRow::SYMBOL), Expr::Const(b)) => Expr::Const(i32::from(relation.holds(symbol, *b))),
            (Expr::Const(a), Expr::Slot(StepRow::SYMBOL)) => Expr::Const(i32::from(relation.holds(*a, symbol))),
            _ => when.clone(),
        },
        _ => when.clone(),
    }
}

impl When {
    /// When this holds of a border; nothing where it never does.
    fn of(condition: Expr, side: Option<usize>) -> Option<When> {
        if let Expr::Const(holds) = condition {
            return (holds != 0).then_some(When::Always);
        }
        let mut zone = None;
        condition.walk(&mut |e| {
            if let Expr::Zone { zone: this, .. } = e {
                zone.get_or_insert(*this);
            }
        });
        let ends = zone.and_then(|zone| {
            let all = [(false, false), (true, false), (false, true), (true, true)].map(|(from, to)| Ends { from, to });
            let add =
                |set: u8, ends: Ends| Some(set | u8::from(at_ends(&condition, zone, side, ends)?) << ends.number());
            all.into_iter().try_fold(0, add).map(|ends| When::AtEnds { zone, ends })
        });
        Some(ends.unwrap_or(When::Holds(condition)))
    }
}

/// Whether a condition holds of a border whose ends lie so to a zone against the mover's side; nothing where it hangs on
/// more than that.
fn at_ends(condition: &Expr, of: u16, side: Option<usize>, ends: Ends) -> Option<bool> {
    let again = |e: &Expr| at_ends(e, of, side, ends);
    match condition {
        Expr::Const(holds) => Some(*holds != 0),
        Expr::Not(inner) => again(inner).map(|holds| !holds),
        Expr::Both(parts) => parts.iter().try_fold(true, |all, part| Some(again(part)? && all)),
        Expr::Either(parts) => parts.iter().try_fold(false, |any, part| Some(again(part)? || any)),
        Expr::Zone { zone, space, side: against } if *zone == of => {
            let Expr::Fixed { attribute, of, .. } = against.as_ref() else { return None };
            let is_own = Some(usize::from(*attribute)) == side && matches!(of.as_ref(), Expr::Slot(0));
            match space.as_ref() {
                Expr::Slot(1) if is_own => Some(ends.from),
                Expr::Slot(2) if is_own => Some(ends.to),
                _ => None,
            }
        }
        _ => None,
    }
}

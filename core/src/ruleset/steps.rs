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
use crate::map::{BorderId, Exit, Exits, Map, SpaceId};

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
    /// By number of the border: the least that a step over it can cost, in whichever way.
    pub least_over: Vec<u16>,
    /// By number of the space: the least that a step out of it can cost.
    pub least: Vec<u16>,
    /// The zones that steps look at; the first is the one of [`Exit`].
    pub zones: Vec<u16>,
}

/// The costs outside and inside the zone, where a list of steps says no more than that.
fn costs(list: &[BakedStep], symbol: u8, zone: Option<u16>) -> (u16, u16) {
    let list: Vec<&BakedStep> = list.iter().filter(|s| s.symbol == symbol).collect();
    let plain = |s: &BakedStep| s.plus.is_empty() && matches!(s.when, When::Always);
    let outside = |s: &BakedStep| s.plus.is_empty() && matches!(s.when, When::Outside(z) if Some(z) == zone);
    match list.as_slice() {
        [] => (Exit::CLOSED, Exit::CLOSED),
        [only] if plain(only) => (only.cost, only.cost),
        [first, rest] if outside(first) && plain(rest) => (first.cost, rest.cost),
        _ => (Exit::ASK, Exit::ASK),
    }
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
    /// What may still be added.
    pub plus: Vec<(Expr, u16)>,
}

/// When a step holds.
#[derive(Debug, Clone)]
pub enum When {
    /// Always.
    Always,
    /// While the space entered lies outside this zone against the mover's side.
    Outside(u16),
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
            if let When::Outside(zone) = step.when
                && !zones.contains(&zone)
            {
                zones.push(zone);
            }
        }
        let first = zones.first().copied();
        let exits_on = |symbol: usize| {
            let simple: Vec<(u16, u16)> = lists.iter().map(|l| costs(l, symbol as u8, first)).collect();
            let exit = |(at, list): (usize, &u16)| {
                let (outside, inside) = simple[*list as usize];
                Exit { to: map.target(BorderId(at as u32)), outside, inside }
            };
            let least = |l: &Vec<BakedStep>| least_in(l.iter().filter(|step| usize::from(step.symbol) == symbol));
            let least: Vec<u16> = lists.iter().map(least).collect();
            Exits::new(map, of.iter().enumerate().map(exit).collect(), |at| least[usize::from(of[at])])
        };
        let exits: Vec<Exits> = (0..mover.symbols.len()).map(exits_on).collect();
        // A list may still add to its costs, never take away; one without an end that always holds may be closed.
        let least_in_list: Vec<u16> = lists.iter().map(|list| least_in(list.iter())).collect();
        let least_over: Vec<u16> = of.iter().map(|list| least_in_list[usize::from(*list)]).collect();
        let in_any_way = Exits::new(
            map,
            of.iter()
                .enumerate()
                .map(|(at, list)| {
                    let is_open = |symbol: &usize| {
                        lists[usize::from(*list)].iter().any(|step| usize::from(step.symbol) == *symbol)
                    };
                    let open = (0..exits.len()).filter(is_open).map(|symbol| exits[symbol].list[at]);
                    let to = map.target(BorderId(at as u32));
                    let asked = Exit { to, outside: Exit::ASK, inside: Exit::ASK };
                    open.reduce(|a, b| {
                        let is_asked = a.outside == Exit::ASK || b.outside == Exit::ASK;
                        if is_asked {
                            asked
                        } else {
                            Exit { to, outside: a.outside.min(b.outside), inside: a.inside.min(b.inside) }
                        }
                    })
                    .unwrap_or(Exit { to, outside: Exit::CLOSED, inside: Exit::CLOSED })
                })
                .collect(),
            |at| least_over[at],
        );
        let least_of = |space| least_over[map.borders_out(space)].iter().copied().min().unwrap_or(u16::MAX);
        let least = map.spaces().map(least_of).collect();
        Baked { of, lists, exits, cheapest: in_any_way, least_over, least, zones }
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
            let folded = |when: &Expr| fold(&in_mode(when, symbol as i32), place);
            let when = match known(at).map_or_else(|| folded(&row.when), |holds| Expr::Const(i32::from(holds))) {
                Expr::Const(0) => continue,
                Expr::Const(_) => When::Always,
                rest => outside(&rest, side).map_or(When::Holds(rest), When::Outside),
            };
            let mut cost = row.cost;
            let mut plus = Vec::new();
            for PlusRow { when: condition, cost: more, .. } in &row.plus {
                match folded(condition) {
                    Expr::Const(0) => (),
                    Expr::Const(_) => cost = cost.saturating_add(*more),
                    rest => plus.push((rest, *more)),
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

/// `not zone(to, unit.side)`, the commonest condition by far.
fn outside(expr: &Expr, side_attribute: Option<usize>) -> Option<u16> {
    let Expr::Not(inner) = expr else { return None };
    let Expr::Zone { zone, space, side } = inner.as_ref() else { return None };
    let (Expr::Slot(2), Expr::Fixed { attribute, of, .. }) = (space.as_ref(), side.as_ref()) else { return None };
    let own = Some(*attribute as usize) == side_attribute && matches!(of.as_ref(), Expr::Slot(0));
    own.then_some(*zone)
}

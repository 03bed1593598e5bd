//! Step costs worked out once for every border: what terrain and roads decide is decided, and what depends on
//! the game is left to be asked.

use std::collections::BTreeMap;

use super::{
    Attribute,
    rows::{
        Expr,
        fold::{fold, is_particular},
    },
    tables::Mover,
};
use crate::map::{BorderId, Map};

/// The step costs of one mover, border by border.
#[derive(Debug)]
pub struct Baked {
    /// Which list of steps each border has.
    pub of: Vec<u16>,
    /// Lists of steps; many borders share one.
    pub lists: Vec<Vec<BakedStep>>,
    /// The same for each border, where it is as simple as most are.
    pub quick: Vec<Quick>,
}

/// A list of steps that needs no looking up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quick {
    /// Always this cost.
    Cost(u16),
    /// The first cost outside the zone, the second inside it.
    Outside(u16, u16, u16),
    /// Nothing simple: the list must be read.
    Read,
}

impl Quick {
    fn of(list: &[BakedStep], ways: usize) -> Quick {
        let plain = |s: &BakedStep| s.plus.is_empty() && matches!(s.when, When::Always);
        match list {
            _ if ways > 1 => Quick::Read,
            [only] if plain(only) => Quick::Cost(only.cost),
            [first, rest] if plain(rest) && first.plus.is_empty() => match first.when {
                When::Outside(zone) => Quick::Outside(zone, first.cost, rest.cost),
                When::Always | When::Holds(_) => Quick::Read,
            },
            _ => Quick::Read,
        }
    }
}

/// One row of step costs as it applies to a border.
#[derive(Debug, Clone)]
pub struct BakedStep {
    /// Which row of the mover it is.
    pub row: usize,
    /// Which way it is on.
    pub way: u8,
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
    /// While this holds; given unit, from, to.
    Holds(Expr),
}

impl Baked {
    pub(super) fn new(mover: &Mover, map: &Map, attributes: &[Attribute]) -> Baked {
        let side = attributes.iter().position(|a| a.name == "side");
        let conditions = || mover.step.iter().flat_map(|r| std::iter::once(&r.when).chain(r.plus.iter().map(|p| &p.0)));
        let particular = conditions().any(is_particular);
        let mut lists: Vec<Vec<BakedStep>> = Vec::new();
        let mut alike: BTreeMap<[u32; 5], u16> = BTreeMap::new();
        let mut of = Vec::with_capacity(map.border_count());
        for at in 0..map.border_count() as u32 {
            let id = BorderId(at);
            let (from, to, border) = (map.source(id), map.target(id), map.border(id));
            let unique = if particular { at + 1 } else { 0 };
            let key = [border.features, border.roads, map.space(from).terrain, map.space(to).terrain, unique];
            let list = *alike.entry(key).or_insert_with(|| {
                let slots = [None, Some(from.0 as i32), Some(to.0 as i32)];
                lists.push(list(mover, map, &slots, side));
                (lists.len() - 1) as u16
            });
            of.push(list);
        }
        let simple: Vec<Quick> = lists.iter().map(|l| Quick::of(l, mover.ways.len())).collect();
        let quick = of.iter().map(|list| simple[*list as usize]).collect();
        Baked { of, lists, quick }
    }
}

fn list(mover: &Mover, map: &Map, slots: &[Option<i32>], side: Option<usize>) -> Vec<BakedStep> {
    let mut steps = Vec::new();
    let mut decided = 0u8;
    for (at, row) in mover.step.iter().enumerate() {
        if decided & 1 << row.way != 0 {
            continue;
        }
        let when = match fold(&row.when, slots, map) {
            Expr::Const(0) => continue,
            Expr::Const(_) => When::Always,
            rest => outside(&rest, side).map_or(When::Holds(rest), When::Outside),
        };
        if matches!(when, When::Always) {
            decided |= 1 << row.way;
        }
        let mut cost = row.cost;
        let mut plus = Vec::new();
        for (condition, more) in &row.plus {
            match fold(condition, slots, map) {
                Expr::Const(0) => (),
                Expr::Const(_) => cost += more,
                rest => plus.push((rest, *more)),
            }
        }
        steps.push(BakedStep { row: at, way: row.way, when, cost, plus });
    }
    steps
}

/// `not zone(to, unit.side)`, the commonest condition by far.
fn outside(expr: &Expr, side_attribute: Option<usize>) -> Option<u16> {
    let Expr::Not(inner) = expr else { return None };
    let Expr::Zone { zone, space, side } = inner.as_ref() else { return None };
    let (Expr::Slot(2), Expr::Fixed { attribute, of }) = (space.as_ref(), side.as_ref()) else { return None };
    let own = Some(*attribute as usize) == side_attribute && matches!(of.as_ref(), Expr::Slot(0));
    own.then_some(*zone)
}

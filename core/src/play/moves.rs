//! Where a mover can get to, and where a retreat may end.

use std::cell::RefCell;

use super::{game::Game, offer::Refusal};
use crate::{
    map::{Flood, Map, Price, Reached, Seed, SpaceId},
    ruleset::{
        Baked, BakedStep, When,
        rows::{Expr, Rows, fold::reads_slot},
    },
};

/// A move about to be made: everything but where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Index of the mover.
    pub mover: u16,
    /// Who moves.
    pub unit: i32,
    /// What may be spent, in the ruleset's smallest unit.
    pub allowance: u16,
    /// What may be spent beyond it, at a price the rules name.
    pub extra: u16,
    /// Whether one space may always be entered, whatever it costs.
    pub minimum: bool,
    /// Where the move begins; empty means where the unit is.
    pub seeds: Vec<Seed>,
    /// Guards of the space where the move ends, given unit, from, to.
    pub only: Option<u16>,
}

/// A retreat about to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retreat {
    /// Index of the way of retreating.
    pub kind: u16,
    /// Who retreats.
    pub unit: i32,
    /// The least number of spaces.
    pub shortest: u16,
    /// The greatest.
    pub longest: u16,
}

/// Where a retreat may end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetreatEnd {
    /// The space.
    pub space: SpaceId,
    /// Which priority it falls under: index of the row.
    pub row: usize,
    /// Whether the path is touched.
    pub touched: bool,
    /// The path, without the space it begins in.
    pub path: Vec<SpaceId>,
}

thread_local!(static FLOOD: RefCell<Flood> = RefCell::default());

/// Guards of a move, sorted by what they read: the mover alone, the space entered, or the border crossed.
struct Guards<'a> {
    by_space: Vec<&'a Expr>,
    by_border: Vec<&'a Expr>,
    closed: bool,
}

impl<'a> Guards<'a> {
    fn new(rows: Option<&'a Rows>, game: &Game, unit: i32) -> Guards<'a> {
        let mut guards = Guards { by_space: Vec::new(), by_border: Vec::new(), closed: false };
        for row in rows.map(|r| r.rows.as_slice()).unwrap_or_default() {
            if reads_slot(&row.when, 1) {
                guards.by_border.push(&row.when);
            } else if reads_slot(&row.when, 2) {
                guards.by_space.push(&row.when);
            } else {
                guards.closed |= game.holds(&row.when, &[unit, -1, -1]);
            }
        }
        guards
    }
}

impl Game {
    fn space_list(&self, unit: i32) -> Option<SpaceId> {
        u32::try_from(self.space_of(unit)).ok().map(SpaceId)
    }

    /// Floods a move and hands over what was reached.
    pub fn reach<T>(&self, m: &Move, then: impl FnOnce(&Flood) -> T) -> T {
        self.flood(m, false, then)
    }

    /// `ignoring` leaves the guards and the allowance out: the cheapest path there would be without them.
    fn flood<T>(&self, m: &Move, ignoring: bool, then: impl FnOnce(&Flood) -> T) -> T {
        let ruleset = &*self.ruleset;
        let (map, mover) = (&ruleset.map, &ruleset.movers[m.mover as usize]);
        let baked = mover.baked(map, &ruleset.attributes);
        let side = ruleset.units[m.unit as usize].side;
        let forbid = Guards::new(mover.forbid.map(|at| &ruleset.rows[at]), self, m.unit);
        let ends = Guards::new(mover.ends.map(|at| &ruleset.rows[at]), self, m.unit);
        let zones = Zones::new(self, baked, side);
        let here = self.space_list(m.unit);
        let mut seeds = m.seeds.clone();
        if seeds.is_empty() {
            seeds.extend(here.map(|space| Seed { space, way: 0, cost: 0, entered: false }));
        }
        let budget = if ignoring { 400 } else { m.allowance + m.extra };
        // Whether a space is closed: 0 not asked, 1 open, 2 closed.
        let mut asked = vec![0u8; map.len()];
        let mut closed_space = |game: &Game, to: SpaceId| -> bool {
            let mark = &mut asked[to.0 as usize];
            if *mark == 0 {
                let closed = forbid.by_space.iter().any(|when| game.holds(when, &[m.unit, -1, to.0 as i32]));
                *mark = 1 + u8::from(closed);
            }
            *mark == 2
        };
        if !ignoring {
            seeds.retain(|s| !s.entered || (!forbid.closed && !closed_space(self, s.space)));
            if m.minimum {
                seeds.iter_mut().for_each(|s| s.cost = s.cost.min(budget));
            }
        }
        FLOOD.with_borrow_mut(|flood| {
            flood.run(
                map,
                &mover.changes,
                &seeds,
                budget,
                |_, way, border, to| {
                    let from = map.source(border);
                    if !ignoring {
                        if forbid.closed || closed_space(self, to) {
                            return Price::Closed;
                        }
                        let given = [m.unit, from.0 as i32, to.0 as i32];
                        if forbid.by_border.iter().any(|when| self.holds(when, &given)) {
                            return Price::Closed;
                        }
                    }
                    let list = &baked.lists[baked.of[border.0 as usize] as usize];
                    match self.step_cost(list, way, m.unit, from, to, &zones) {
                        // One space may always be entered: what it costs too much is let go.
                        Some(cost) if m.minimum && Some(from) == here => Price::Cost(cost.min(budget)),
                        Some(cost) => Price::Cost(cost),
                        None => Price::Closed,
                    }
                },
                |at| {
                    if ignoring {
                        return false;
                    }
                    let given = [m.unit, -1, at.0 as i32];
                    ends.closed
                        || ends.by_space.iter().any(|when| self.holds(when, &given))
                        || ends.by_border.iter().any(|when| self.holds(when, &given))
                },
            );
            if let Some(only) = m.only.filter(|_| !ignoring) {
                let rows = &ruleset.rows[only as usize];
                let start = here.map_or(-1, |s| s.0 as i32);
                flood.reached.retain(|r| {
                    !rows.rows.iter().any(|row| self.holds(&row.when, &[m.unit, start, r.space.0 as i32]))
                });
            }
            then(flood)
        })
    }

    fn step_cost(
        &self,
        list: &[BakedStep],
        way: u8,
        unit: i32,
        from: SpaceId,
        to: SpaceId,
        zones: &Zones,
    ) -> Option<u16> {
        let step = list.iter().filter(|s| s.way == way).find(|s| match &s.when {
            When::Always => true,
            When::Outside(zone) => !zones.has(*zone, to),
            When::Holds(expr) => self.holds(expr, &[unit, from.0 as i32, to.0 as i32]),
        })?;
        let given = [unit, from.0 as i32, to.0 as i32];
        let more: u16 = step.plus.iter().filter(|(when, _)| self.holds(when, &given)).map(|(_, cost)| *cost).sum();
        Some(step.cost + more)
    }

    /// What it costs this unit to step from one space into the next, as a mover of that kind.
    pub fn cost_of_step(&self, mover: u16, unit: i32, from: SpaceId, to: SpaceId) -> Option<u16> {
        let ruleset = &*self.ruleset;
        let border = ruleset.map.between(from, to)?;
        let baked = ruleset.movers[mover as usize].baked(&ruleset.map, &ruleset.attributes);
        let zones = Zones::new(self, baked, ruleset.units[unit as usize].side);
        let list = &baked.lists[baked.of[border.0 as usize] as usize];
        self.step_cost(list, 0, unit, from, to, &zones)
    }

    /// The spaces a move can end in, nearest first.
    pub fn reached(&self, m: &Move) -> Vec<Reached> {
        self.reach(m, |flood| flood.reached.clone())
    }

    /// Why a move cannot end in a space; empty when it can.
    pub fn why_not_reached(&self, m: &Move, to: SpaceId) -> Vec<Refusal> {
        let ruleset = &*self.ruleset;
        if self.reach(m, |flood| flood.cost_of(to).is_some()) {
            return Vec::new();
        }
        let mover = &ruleset.movers[m.mover as usize];
        let start = self.space_list(m.unit);
        if let Some(only) = m.only {
            let given = [m.unit, start.map_or(-1, |s| s.0 as i32), to.0 as i32];
            let refusals = self.refusals(only, &given);
            if !refusals.is_empty() {
                return refusals;
            }
        }
        let (path, needs) = self.flood(m, true, |flood| (flood.path_to(to), flood.cost_of(to)));
        let mut before = start;
        let entered = path.iter().filter(|s| Some(**s) != start);
        for space in entered.copied().collect::<Vec<_>>() {
            let given = [m.unit, before.map_or(-1, |s| s.0 as i32), space.0 as i32];
            if let Some(forbid) = mover.forbid {
                let refusals = self.refusals(forbid as u16, &given);
                if !refusals.is_empty() {
                    return refusals.into_iter().map(|r| r.at(ruleset, space, to)).collect();
                }
            }
            if let Some(ends) = mover.ends.filter(|_| space != to) {
                let refusals = self.refusals(ends as u16, &given);
                if !refusals.is_empty() {
                    return refusals.into_iter().map(|r| r.at(ruleset, space, to)).collect();
                }
            }
            before = Some(space);
        }
        let name = &ruleset.map.space(to).name;
        let text = match needs {
            Some(needs) => format!("{name} is too far: it needs {needs} and there are {}", m.allowance + m.extra),
            None => format!("no path leads to {name}"),
        };
        let cite = mover.step.first().map_or(crate::ruleset::Cite::NONE, |s| s.cite);
        vec![Refusal { row: "too-far".into(), text, cite }]
    }

    /// Where a retreat may end, each space once, by the first priority that any path satisfies.
    pub fn retreat_ends(&self, retreat: &Retreat) -> Vec<RetreatEnd> {
        let ruleset = &*self.ruleset;
        let (map, kind) = (&ruleset.map, &ruleset.retreats[retreat.kind as usize]);
        let Some(from) = self.space_list(retreat.unit) else { return Vec::new() };
        let (through, by) = (&ruleset.rows[kind.through], &ruleset.rows[kind.by]);
        let mut ends: Vec<RetreatEnd> = Vec::new();
        let mut may = |to: SpaceId| {
            !through.rows.iter().any(|row| self.holds(&row.when, &[retreat.unit, -1, to.0 as i32]))
        };
        let touched = |space: &SpaceId| self.holds(&kind.touched, &[retreat.unit, space.0 as i32]);
        let mut visit = |path: &[SpaceId]| {
            if path.len() < retreat.shortest as usize {
                return;
            }
            let Some(end) = path.last() else { return };
            let is_touched = path.iter().any(touched);
            let given = [retreat.unit, from.0 as i32, end.0 as i32, i32::from(is_touched)];
            let Some(row) = by.rows.iter().position(|row| self.holds(&row.when, &given)) else { return };
            match ends.iter_mut().find(|e| e.space == *end) {
                Some(known) if known.row <= row => (),
                Some(known) => *known = RetreatEnd { space: *end, row, touched: is_touched, path: path.to_vec() },
                None => ends.push(RetreatEnd { space: *end, row, touched: is_touched, path: path.to_vec() }),
            }
        };
        map.paths_away(from, retreat.longest as usize, &mut may, &mut visit);
        if let Some(best) = ends.iter().map(|e| e.row).min() {
            ends.retain(|e| e.row == best);
        }
        ends.sort_by_key(|e| e.space);
        ends
    }

    /// Why a retreat cannot end in a space; empty when it can.
    pub fn why_no_retreat(&self, retreat: &Retreat, to: SpaceId) -> Vec<Refusal> {
        let ruleset = &*self.ruleset;
        let ends = self.retreat_ends(retreat);
        if ends.iter().any(|e| e.space == to) {
            return Vec::new();
        }
        let kind = &ruleset.retreats[retreat.kind as usize];
        let refusals = self.refusals(kind.through as u16, &[retreat.unit, -1, to.0 as i32]);
        if !refusals.is_empty() {
            return refusals;
        }
        let name = &ruleset.map.space(to).name;
        let by = &ruleset.rows[kind.by];
        let from = self.space_list(retreat.unit);
        let far = from.map_or(Map::NEVER, |from| ruleset.map.distance(from, to));
        if !(retreat.shortest..=retreat.longest).contains(&far) {
            let (least, most) = (retreat.shortest, retreat.longest);
            let how = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let text = format!("{name} is {far} away, and the retreat is {how}, each step farther");
            let cite = by.rows.first().map_or(crate::ruleset::Cite::NONE, |r| r.cite);
            return vec![Refusal { row: "distance".into(), text, cite }];
        }
        match ends.first().map(|e| &by.rows[e.row]) {
            Some(row) => {
                let text = format!("a better retreat than to {name} is open: {}", row.say);
                vec![Refusal { row: row.id.as_str().into(), text, cite: row.cite }]
            }
            None => {
                let cite = by.rows.first().map_or(crate::ruleset::Cite::NONE, |r| r.cite);
                vec![Refusal { row: "blocked".into(), text: "no retreat is open".into(), cite }]
            }
        }
    }
}

/// Zone bits against the mover's side, copied once for a flood.
struct Zones {
    bits: Vec<(u16, Vec<u64>)>,
}

impl Zones {
    fn new(game: &Game, baked: &Baked, side: i32) -> Zones {
        let mut zones = Zones { bits: Vec::new() };
        for step in baked.lists.iter().flatten() {
            if let When::Outside(zone) = step.when
                && !zones.bits.iter().any(|(z, _)| *z == zone)
            {
                let mut bits = Vec::new();
                game.zone_bits(zone, side, &mut bits);
                zones.bits.push((zone, bits));
            }
        }
        zones
    }

    #[inline]
    fn has(&self, zone: u16, space: SpaceId) -> bool {
        self.bits.iter().any(|(z, bits)| *z == zone && bits[space.0 as usize / 64] >> (space.0 % 64) & 1 == 1)
    }
}

//! Where a mover can get to, and where a retreat may end.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use super::{game::Game, offer::Set, said::Particular, space_set::holds, spread::Zones};
use crate::{
    map::{Ends, Flood, Mode, Reached, Seed, SpaceId},
    ruleset::{Baked, BakedStep, Mover, Points, Relaxed, When},
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
    /// Where the move begins; where that is empty and nothing is told of starts, where the unit is.
    pub seeds: Vec<Seed>,
    /// Where a unit that comes on may begin, as far as rules told it in sets, which know why a space is not in them.
    pub starts: Vec<Start>,
}

/// Spaces in which a move may begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The spaces.
    pub among: Set,
    /// The entry that the unit is meant to come in by, if that was told.
    pub entry: Option<SpaceId>,
}

impl Move {
    /// No allowance is greater, and nothing beyond it; what is, is cut.
    pub const MOST: u16 = 16_000;
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

/// The last retreat of this thread, with the game's version it was found in.
type LastRetreat = Option<(u64, Retreat, Rc<[RetreatEnd]>)>;

thread_local!(static LAST_RETREAT: RefCell<LastRetreat> = const { RefCell::new(None) });

impl Move {
    /// Whether another begins in the same places with as much to spend, whoever moves and in which way.
    pub(super) fn begins_as(&self, other: &Move) -> bool {
        let Move { mover: _, unit: _, allowance, extra, minimum, seeds, starts } = self;
        let spent = (*allowance, *extra, *minimum) == (other.allowance, other.extra, other.minimum);
        spent && *seeds == other.seeds && *starts == other.starts
    }

    /// Movement points of its mover, as they are told.
    pub(super) fn points(&self, points: u16) -> Particular {
        Particular::Points { mover: self.mover, points }
    }
}

impl Game {
    pub(super) fn space_list(&self, unit: i32) -> Option<SpaceId> {
        u32::try_from(self.space_of(unit)).ok().map(SpaceId)
    }

    /// Searches where a move comes to. Without guards the allowance is left out too: the cheapest path there would be.
    pub(super) fn search(&self, flood: &mut Flood, m: &Move, relaxed: Relaxed) {
        if self.ruleset.movers[m.mover as usize].symbols.kind.is_some() {
            return self.search_modes(flood, m, relaxed);
        }
        self.search_nodes(flood, m, matches!(relaxed, Relaxed::Guards(_) | Relaxed::Changes), None);
    }

    /// Where a move begins and what may be spent on it; far more than there is, to show how much a path would need.
    pub(super) fn begun(&self, m: &Move, without_guards: bool) -> (Vec<Seed>, u16) {
        const PLENTY: u16 = 400;
        let mut seeds = m.seeds.clone();
        if seeds.is_empty() && m.starts.is_empty() {
            let mode = self.begins_in(m.mover, m.unit);
            seeds.extend(self.space_list(m.unit).map(|space| Seed { space, mode, cost: 0, entered: false }));
        }
        let has = m.allowance + m.extra;
        (seeds, if without_guards { has.saturating_mul(2).max(PLENTY) } else { has })
    }

    /// The step costs of a mover as they are for a unit.
    pub(super) fn costs<'m>(&self, mover: &'m Mover, unit: i32) -> &'m Baked {
        mover.baked(self.held(mover, unit), &self.ruleset.map, &self.ruleset.attributes)
    }

    /// Which rows of a mover that ask about the unit alone hold for a unit, a bit each.
    pub(super) fn held(&self, mover: &Mover, unit: i32) -> usize {
        mover.of_unit().enumerate().map(|(bit, when)| usize::from(self.holds(when, &[unit])) << bit).sum()
    }

    pub(super) fn step_cost(
        &self,
        list: &[BakedStep],
        symbol: u8,
        unit: i32,
        from: SpaceId,
        to: SpaceId,
        zones: &Zones,
    ) -> Option<u16> {
        let mut ways = list.chunk_by(|one, next| one.symbol == next.symbol);
        let steps = ways.find(|steps| steps[0].symbol == symbol)?;
        self.first_cost(steps, unit, from, to, zones)
    }

    /// What the first of the steps of one symbol costs that holds.
    pub(super) fn first_cost(
        &self,
        steps: &[BakedStep],
        unit: i32,
        from: SpaceId,
        to: SpaceId,
        zones: &Zones,
    ) -> Option<u16> {
        let given = [unit, from.0 as i32, to.0 as i32, i32::from(steps.first()?.symbol)];
        let holds = |when: &When| match when {
            When::Always => true,
            When::AtEnds { zone, ends } => {
                let lie = Ends { from: zones.has(*zone, from), to: zones.has(*zone, to) };
                ends >> lie.number() & 1 == 1
            }
            When::Holds(expr) => self.holds(expr, &given),
        };
        let step = steps.iter().find(|step| holds(&step.when))?;
        let more = step.plus.iter().filter(|(when, _)| holds(when)).map(|(_, cost)| *cost);
        // More than anybody can spend is as good as any larger number.
        Some(more.fold(step.cost, u16::saturating_add))
    }

    /// What it costs this unit to step from one space into the next, as a mover of that kind: in the mode it begins in, or
    /// on the first way.
    pub fn cost_of_step(&self, mover: u16, unit: i32, from: SpaceId, to: SpaceId) -> Option<u16> {
        let ruleset = &*self.ruleset;
        let border = ruleset.map.between(from, to)?;
        let baked = self.costs(&ruleset.movers[mover as usize], unit);
        let zones = Zones::new(self, baked, ruleset.units[unit as usize].side);
        let list = &baked.lists[baked.of[border.0 as usize] as usize];
        let symbol = self.begins_in(mover, unit).symbol.max(0) as u8;
        self.step_cost(list, symbol, unit, from, to, &zones)
    }

    /// What a mover says a unit may spend, and what beyond it, in the smallest unit; nothing where rules must say.
    pub fn allowance(&self, mover: u16, unit: i32) -> (Option<u16>, u16) {
        let mover = &self.ruleset.movers[mover as usize];
        let cost = |points: Points| {
            let points = match points {
                Points::Just(points) => points,
                Points::Rows(rows) => self.read_rows(rows as u16, &[unit]).clamp(0, 1000) as u16,
            };
            points.saturating_mul(mover.point).min(Move::MOST)
        };
        (mover.allowance.map(cost), mover.extra.map_or(0, cost))
    }

    /// A move of a unit from where it is, with these movement points or those the mover says; nothing where neither says
    /// any.
    pub fn move_of(&self, mover: u16, unit: i32, points: Option<u16>) -> Option<Move> {
        let declared = &self.ruleset.movers[mover as usize];
        let (allowance, extra) = self.allowance(mover, unit);
        let given = points.map(|points| points.saturating_mul(declared.point).min(Move::MOST));
        let (minimum, allowance) = (declared.minimum, given.or(allowance)?);
        Some(Move { mover, unit, allowance, extra, minimum, seeds: Vec::new(), starts: Vec::new() })
    }

    /// What going beyond the allowance is called: the rows that let a unit do so, in words.
    pub fn beyond_is(&self, m: &Move) -> String {
        let rows = match self.ruleset.movers[m.mover as usize].extra {
            Some(Points::Rows(rows)) => self.ruleset.rows[rows].rows.as_slice(),
            _ => &[],
        };
        let holding = rows.iter().filter(|row| self.holds(&row.when, &[m.unit]));
        let says: Vec<&str> = holding.map(|row| row.say.as_str()).collect();
        if says.is_empty() { "beyond the allowance".to_owned() } else { says.join(", ") }
    }

    /// What a move spends beyond the allowance to end in a space, in the smallest unit: nothing for the one space that
    /// may always be entered.
    pub fn beyond(&self, m: &Move, to: SpaceId) -> u16 {
        let more = self.reach(m, |flood| flood.cost_of(to)).unwrap_or(0).saturating_sub(m.allowance);
        let is_one_space = || {
            let path = self.reach(m, |flood| flood.path_to(to));
            let stood = path.first().is_some_and(|first| !m.seeds.iter().any(|s| s.entered && s.space == *first));
            path.len() - usize::from(stood) == 1
        };
        if more > 0 && m.minimum && is_one_space() { 0 } else { more }
    }

    /// The spaces where a move of a unit can end that has all its movement points, as conditions ask: nearest first.
    pub(super) fn reachable(&self, mover: u16, unit: i32) -> Vec<i32> {
        let ends = |flood: &Flood| flood.reached.iter().map(|r| r.space.0 as i32).collect();
        self.searched_for(mover, unit, ends).unwrap_or_default()
    }

    /// Works on what that move comes to; nothing where there is no unit.
    pub(super) fn searched_for<T>(&self, mover: u16, unit: i32, work: impl FnOnce(&Flood) -> T) -> Option<T> {
        let modes = self.ruleset.movers[usize::from(mover)].symbols.len();
        let m = if unit < 0 { None } else { self.move_of(mover, unit, None) }?;
        let (reached, done) = self.reach(&m, |flood| (flood.reached.len(), work(flood)));
        let words = self.ruleset.map.len() / 64;
        self.takes_steps(1 + (reached * modes + words) / Game::REACHED_IN_A_STEP).then_some(done)
    }

    /// The spaces a move can end in, nearest first.
    pub fn reached(&self, m: &Move) -> Vec<Reached> {
        self.reach(m, |flood| flood.reached.clone())
    }

    /// The spaces a move comes to, where it may end or not, and the one where the unit stands, that a guard lets pass
    /// with so much of the cost to spare.
    pub(super) fn ends_passing(&self, m: &Move, rows: u16, spare: u16) -> Vec<i32> {
        let Some(most) = (m.allowance + m.extra).checked_sub(spare) else { return Vec::new() };
        // Where the unit stands: at first, or where the leg before has ended.
        let mut stood: Vec<SpaceId> =
            m.seeds.iter().filter(|s| !s.entered && s.cost <= most).map(|s| s.space).collect();
        stood.dedup();
        stood.extend(self.space_list(m.unit).filter(|_| m.seeds.is_empty() && m.starts.is_empty()));
        let mut slots = [-1; 16];
        slots[0] = m.unit;
        let refused = self.ruleset.rows[rows as usize].rows.iter().map(|row| (&row.when, false));
        self.reach(m, |flood| {
            let mut left = flood.set_of_reached(self.ruleset.map.len());
            let others = flood.passed.iter().map(|r| r.space).chain(stood.iter().copied());
            others.for_each(|space| left[space.0 as usize / 64] |= 1 << (space.0 % 64));
            // Mostly none is left.
            let Some(asked) = self.narrow(refused, 1, &slots, &mut left, 1) else { return Vec::new() };
            let mut passes = |space: &SpaceId| {
                slots[1] = space.0 as i32;
                holds(&left, *space) && self.all_come_out(&asked, &mut slots)
            };
            let come = flood.reached.iter().chain(&flood.passed).filter(|r| r.cost <= most).map(|r| r.space);
            come.chain(stood).filter(|space| passes(space)).map(|space| space.0 as i32).collect()
        })
    }

    /// The spaces of a move's path to one where it may end, where it begins first: in one symbol of its modes, or in the
    /// cheapest. Empty where it does not come there so.
    pub fn path_of(&self, m: &Move, to: SpaceId, only: Option<i32>) -> Vec<SpaceId> {
        let Some(symbol) = only else { return self.reach(m, |flood| flood.path_to(to)) };
        // A mover without modes comes to none.
        if !self.modes_at(m, to).iter().any(|(at, _)| *at == symbol) {
            return Vec::new();
        }
        self.reach_in_modes(m, |flood| flood.path_in(to, |mode| i32::from(mode.symbol) == symbol))
    }

    /// The modes in which a move that comes to a space may go on from there in another leg, each with what it has cost:
    /// where it hangs on the mode whether it pauses, those in which it does.
    pub fn legs(&self, m: &Move, to: SpaceId) -> Vec<(Mode, u16)> {
        let mut modes = self.reach_in_modes(m, |flood| flood.modes_at(to));
        if self.ruleset.movers[m.mover as usize].stops_by_symbol {
            modes.retain(|(mode, _)| self.pauses_in(m, to, *mode));
        }
        modes
    }

    /// Whether a move that comes to a space in a mode pauses there.
    fn pauses_in(&self, m: &Move, to: SpaceId, mode: Mode) -> bool {
        let mover = &self.ruleset.movers[m.mover as usize];
        let path = self.reach_in_modes(m, |flood| flood.path_in(to, |other| other == mode));
        let Some(from) = path.len().checked_sub(2).map(|at| path[at]) else { return false };
        let given = [m.unit, from.0 as i32, to.0 as i32, i32::from(mode.symbol)];
        let refuses = |rows: Option<usize>| rows.is_some_and(|rows| !self.passes(rows as u16, &given));
        refuses(mover.may_pass) && !refuses(mover.may_go_on)
    }

    /// Whether a move that ends in a space only pauses there: something pauses it, and nothing ends it. In one symbol of
    /// its modes, or in any.
    pub fn pauses_at(&self, m: &Move, to: SpaceId, only: Option<i32>) -> bool {
        let mover = &self.ruleset.movers[m.mover as usize];
        if mover.stops_by_symbol {
            let is_it = |symbol: i16| only.is_none_or(|only| only == i32::from(symbol));
            return self.legs(m, to).iter().any(|(mode, _)| is_it(mode.symbol));
        }
        let rows = [mover.may_pass, mover.may_go_on];
        let mut all = rows.iter().flatten().flat_map(|rows| &self.ruleset.rows[*rows].rows);
        let mut given = [m.unit, -1, to.0 as i32];
        // Where the last step came from is looked up only if anybody asks, or if there may have been none.
        if all.any(|row| row.looks_at.slot(1)) || m.seeds.iter().any(|seed| seed.space == to) {
            let path = self.reach(m, |flood| flood.path_to(to));
            let Some(from) = path.len().checked_sub(2).map(|at| path[at]) else { return false };
            given[1] = from.0 as i32;
        } else if self.reach(m, |flood| flood.cost_of(to).is_none()) {
            return false;
        }
        let [pauses, stops] = rows.map(|rows| rows.is_some_and(|rows| !self.passes(rows as u16, &given)));
        pauses && !stops
    }

    /// Where a retreat may end, each space once, by the first priority that any path satisfies.
    pub fn retreat_ends(&self, retreat: &Retreat) -> Rc<[RetreatEnd]> {
        LAST_RETREAT.with_borrow_mut(|last| match last {
            Some((version, of, ends)) if *version == self.values.version() && of == retreat => ends.clone(),
            _ => {
                let mut ends = self.retreats_ranked(retreat);
                let best = ends.iter().map(|end| end.row).min();
                ends.retain(|end| Some(end.row) == best);
                let ends: Rc<[RetreatEnd]> = ends.into();
                *last = (!self.is_exhausted()).then(|| (self.values.version(), retreat.clone(), ends.clone()));
                ends
            }
        })
    }

    /// Where its paths end, each space once, by the first priority that any path there satisfies.
    pub(super) fn retreats_ranked(&self, retreat: &Retreat) -> Vec<RetreatEnd> {
        let ruleset = &*self.ruleset;
        let (map, kind) = (&ruleset.map, &ruleset.retreats[retreat.kind as usize]);
        let Some(from) = self.space_list(retreat.unit) else { return Vec::new() };
        let (through, by) = (&ruleset.rows[kind.may_step], &ruleset.rows[kind.by]);
        let mut ends: Vec<RetreatEnd> = Vec::new();
        let mut may =
            |to: SpaceId| !through.rows.iter().any(|row| self.holds(&row.when, &[retreat.unit, -1, to.0 as i32]));
        let touched = |space: &SpaceId| self.holds(&kind.touched, &[retreat.unit, space.0 as i32]);
        // Where a path may go on to hangs on where it has come and whether it is touched: there may be very many, and
        // the first of them all speaks for those that come there so.
        let mut come = BTreeSet::new();
        let mut visit = |path: &[SpaceId]| {
            let Some(end) = path.last() else { return true };
            let is_touched = path.iter().any(touched);
            if !come.insert((*end, is_touched)) {
                return false;
            }
            if path.len() < retreat.shortest as usize {
                return true;
            }
            let given = [retreat.unit, from.0 as i32, end.0 as i32, i32::from(is_touched)];
            let Some(row) = by.rows.iter().position(|row| self.holds(&row.when, &given)) else { return true };
            match ends.iter_mut().find(|e| e.space == *end) {
                Some(known) if known.row <= row => (),
                Some(known) => *known = RetreatEnd { space: *end, row, touched: is_touched, path: path.to_vec() },
                None => ends.push(RetreatEnd { space: *end, row, touched: is_touched, path: path.to_vec() }),
            }
            true
        };
        map.paths_away(from, retreat.longest as usize, &mut may, &mut visit);
        ends.sort_by_key(|e| e.space);
        ends
    }
}

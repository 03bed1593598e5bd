//! The search of a move over (space, mode): what is closed in each mode, what transitions cost, and where it may begin.

use std::sync::{Arc, OnceLock};

use super::{
    game::Game,
    guards::Guards,
    moves::Move,
    space_set::{spaces_in, union_of},
    spread::Zones,
};
use crate::{
    map::{
        Automaton, Flood, Ground, Mode, ModeField, NO_MODE, Nodes, OpenSearch, Price, Seed, SpaceId, SpaceMarks,
        Transition,
    },
    ruleset::rows::{Expr, fold::reads_slot},
    ruleset::{Chosen, Mark, Marked, MarkedKinds, Marking, Mover, Relaxed},
};

/// Which steps a mark counts.
enum StepsMarked {
    /// None of them, or every one.
    All(bool),
    /// Those out of some spaces and into some, as bit sets; or no others than those, where each must be asked.
    Between { out: Vec<u64>, into: Vec<u64>, is_asked: bool },
}

impl Game {
    /// The mode in which a unit begins its move.
    pub fn begins_in(&self, mover: u16, unit: i32) -> Mode {
        match &self.ruleset.movers[usize::from(mover)].symbols.chosen {
            Chosen::Anew => Mode::default(),
            Chosen::Kept { begins, .. } => Mode { symbol: self.value(begins, &[unit]) as i16, counts: 0 },
        }
    }

    /// What marks count of the transitions of a unit.
    fn marking(&self, of: u16, unit: i32) -> Arc<Marking> {
        self.lasting(of, unit).cloned().unwrap_or_else(|| Arc::new(self.marked(of, unit)))
    }

    /// The same where it never changes.
    pub(super) fn lasting(&self, of: u16, unit: i32) -> Option<&Arc<Marking>> {
        let mover = &self.ruleset.movers[usize::from(of)];
        let (case, cases) = if !mover.symbols.is_kept() && mover.marks.iter().all(|mark| mark.looks_at.is_lasting()) {
            (unit as usize, self.ruleset.units.len())
        } else if mover.marks.is_empty() {
            ((self.begins_in(of, unit).symbol + 1) as usize, mover.symbols.len() + 1)
        } else {
            return None;
        };
        Some(mover.automata.lasting(case, cases, || {
            let marking = self.marked(of, unit);
            let nodes = Nodes::new(&self.ruleset.map, &marking.automaton, &marking.out);
            Marking { nodes, ..marking }
        }))
    }

    fn marked(&self, of: u16, unit: i32) -> Marking {
        let mover = &self.ruleset.movers[usize::from(of)];
        let symbols = mover.symbols.len();
        let mut kinds = MarkedKinds { symbols, ..MarkedKinds::default() };
        let (mut out, mut into) = (vec![SpaceMarks::default(); symbols], vec![SpaceMarks::default(); symbols]);
        let mut bits = 0;
        for mark in &mover.marks {
            let mut steps = vec![Marked::All(false); (symbols + 1) * symbols];
            let mut bit = None;
            let mut next = || *bit.get_or_insert_with(|| (bits += 1, bits - 1).1);
            let mut last: Option<([i32; 2], StepsMarked)> = None;
            for symbol in 0..symbols {
                let mut known = None;
                for before in (-1..symbols as i32).filter(|before| mover.symbols.after(*before).contains(&symbol)) {
                    // What does not ask about the symbols of a step is worked out once for all of them.
                    let told = |slot: u8, symbol: i32| if mark.looks_at.slot(slot) { symbol } else { -1 };
                    let of = [told(Mark::SYMBOL, symbol as i32), told(Mark::BEFORE, before)];
                    let these = match &last {
                        Some((of_last, these)) if *of_last == of => these,
                        _ => {
                            known = None;
                            &last.insert((of, self.steps_marked(mark, [unit, -1, -1, of[0], of[1]]))).1
                        }
                    };
                    let kind = known.get_or_insert_with(|| match these {
                        StepsMarked::All(holds) => Marked::All(*holds),
                        StepsMarked::Between { out: left, into: entered, is_asked } => {
                            let bit = next();
                            out[symbol].add(bit, left);
                            into[symbol].add(bit, entered);
                            // The sets are kept by symbol alone, so a mark that asks of the one before too is asked.
                            if *is_asked || mark.looks_at.slot(Mark::BEFORE) {
                                Marked::Asked(bit)
                            } else {
                                Marked::Into(bit)
                            }
                        }
                    });
                    steps[(before + 1) as usize * symbols + symbol] = *kind;
                }
            }
            kinds.steps.push(steps);
            if mover.symbols.changes().is_empty() {
                continue;
            }
            let pairs = (0..symbols as i32).flat_map(|before| (0..symbols as i32).map(move |into| (before, into)));
            let change = |(before, into)| {
                if mark.asks_spaces() {
                    Marked::Asked(next())
                } else {
                    Marked::All(self.holds(&mark.when, &[unit, -1, -1, into, before]))
                }
            };
            kinds.changes.push(pairs.map(change).collect());
        }
        // Changes that are never open lead to modes that no search need know.
        self.fixed_changes(mover);
        let automaton = mover.automata.of(mover, &kinds, &[self.begins_in(of, unit)], Relaxed::Nothing);
        let asked = (0..symbols).map(|symbol| kinds.asked_of(symbol)).collect();
        Marking { kinds, out, into, asked, automaton, nodes: None }
    }

    /// Which steps a mark counts, given all but the spaces they lead out of and into.
    fn steps_marked(&self, mark: &Mark, given: [i32; 5]) -> StepsMarked {
        const OUT: u8 = 1;
        const INTO: u8 = 2;
        if !mark.looks_at.slot(OUT) && !mark.looks_at.slot(INTO) {
            return StepsMarked::All(self.holds(&mark.when, &given));
        }
        let mut slots = [-1; 16];
        slots[..5].copy_from_slice(&given);
        let parts = if let Expr::Both(parts) = &mark.when_left {
            parts.as_slice()
        } else {
            std::slice::from_ref(&mark.when_left)
        };
        let spaces = self.ruleset.map.len();
        let [mut out, mut into] = [(); 2].map(|()| vec![u64::MAX; spaces.div_ceil(64)]);
        let mut is_asked = false;
        for part in parts {
            let (slot, left) = match (reads_slot(part, OUT), reads_slot(part, INTO)) {
                (true, true) => {
                    is_asked = true;
                    continue;
                }
                (true, false) => (OUT, &mut out),
                _ => (INTO, &mut into),
            };
            match self.narrow([(part, true)], slot, &slots, left, 0) {
                Some(rest) => is_asked |= !rest.is_empty(),
                None => return StepsMarked::All(false),
            }
        }
        if [&out, &into].iter().any(|set| spaces_in(set, spaces).next().is_none()) {
            return StepsMarked::All(false);
        }
        StepsMarked::Between { out, into, is_asked }
    }

    /// Of these bits of marks those that count a step: given unit, from, to, the symbol of its mode and the one before.
    pub(super) fn marks_counting(&self, mover: &Mover, marking: &Marking, marks: u8, given: [i32; 5]) -> u8 {
        let symbol = given[usize::from(Mark::SYMBOL)] as usize;
        let asked = marking.marked().to_ask(marks, symbol);
        let kind = |mark: usize| marking.kinds.of_step(mark, given[usize::from(Mark::BEFORE)], symbol);
        marks & !asked | self.marks_asked(mover, kind, asked, given)
    }

    /// Of these bits of marks those that count a transition, where they must be asked: given unit, from, to, the symbol
    /// of its mode and the one before.
    fn marks_asked(&self, mover: &Mover, kind: impl Fn(usize) -> Marked, of: u8, given: [i32; 5]) -> u8 {
        let mut counted = 0;
        for (at, mark) in mover.marks.iter().enumerate() {
            if let Marked::Asked(bit) = kind(at)
                && of >> bit & 1 == 1
                && self.holds(&mark.when, &given)
            {
                counted |= 1 << bit;
            }
        }
        counted
    }

    /// Where a move may begin that enters one of these spaces, in any way or in one symbol: what its mover says that
    /// costs, given the entry the unit is meant to come in by, which may be nothing. Nothing where the mover does not say
    /// it.
    pub fn entering(
        &self,
        mover: u16,
        unit: i32,
        spaces: &[i32],
        entry: i32,
        only: Option<usize>,
    ) -> Option<Vec<(usize, SpaceId, u16)>> {
        let declared = &self.ruleset.movers[mover as usize];
        let rows = declared.entering? as u16;
        let begins = usize::try_from(self.begins_in(mover, unit).symbol).ok();
        let only = only.or(begins);
        let symbols = (0..declared.symbols.len()).filter(|symbol| only.is_none_or(|only| only == *symbol));
        let start = |symbol: usize, space: i32| {
            let cost = self.read_rows(rows, &[unit, space, entry, symbol as i32]);
            (symbol, SpaceId(space as u32), cost.clamp(0, i32::from(Move::MOST)) as u16)
        };
        Some(symbols.flat_map(|symbol| spaces.iter().map(move |space| start(symbol, *space))).collect())
    }

    /// For each symbol and space: the mode after a first step in that symbol into it; nothing if no move may begin so.
    pub fn modes_entering(&self, mover: u16, unit: i32, first: &[(usize, SpaceId)]) -> Vec<Option<Mode>> {
        let declared = &self.ruleset.movers[mover as usize];
        let marking = self.marking(mover, unit);
        let mode = |(symbol, space): &(usize, SpaceId)| {
            let way = i32::try_from(*symbol).ok().filter(|_| *symbol < declared.symbols.len())?;
            let before = if declared.symbols.is_kept() { way } else { -1 };
            let given = [unit, -1, space.0 as i32, way, before];
            declared.first_step(way, |mark| match marking.kinds.of_step(mark, before, *symbol) {
                Marked::All(holds) => holds,
                _ => self.holds(&declared.marks[mark].when, &given),
            })
        };
        first.iter().map(mode).collect()
    }

    /// What changes in place cost any unit anywhere at any time, by symbol before and after; nothing where that is not so.
    fn fixed_changes<'a>(&self, mover: &'a Mover) -> Option<&'a [Price]> {
        let find = |before, into| self.cost_of_change(mover, [-1, -1, before, into]).map_or(Price::Closed, Price::Cost);
        mover.symbols.fixed_changes(find)
    }

    /// What it costs to change in place from one symbol into another: the first row that holds.
    pub(super) fn cost_of_change(&self, mover: &Mover, given: [i32; 4]) -> Option<u16> {
        mover.symbols.changes().iter().find(|row| self.holds(&row.when, &given)).map(|row| row.cost)
    }

    /// Searches where a move comes to, in which modes.
    pub(super) fn search_modes(&self, flood: &mut Flood, m: &Move, relaxed: Relaxed) {
        let ruleset = &*self.ruleset;
        let (map, mover) = (&ruleset.map, &ruleset.movers[m.mover as usize]);
        let held = self.held(mover, m.unit);
        let baked = mover.baked(held, map, &ruleset.attributes);
        let side = ruleset.units[m.unit as usize].side;
        let marking = self.marking(m.mover, m.unit);
        let without_guards = matches!(relaxed, Relaxed::Guards(_) | Relaxed::Changes);
        let (mut seeds, budget) = self.begun(m, without_guards);
        let automaton = self.automaton(mover, &marking, seeds.iter().map(|seed| seed.mode), relaxed);
        let automaton = &*automaton;
        let modes = &automaton.modes;
        let rows = |at: Option<usize>| at.filter(|_| !without_guards).map(|at| &ruleset.rows[at]);
        let given = |symbol: i16| [m.unit, -1, -1, i32::from(symbol)];
        let forbidden = if mover.steps_by_symbol { mover.symbols.len() } else { 1 };
        let forbid = Guards::by_symbol(&[rows(mover.may_step)], self, m.unit, forbidden);
        let open = self.open_search(m, (&seeds, budget), &marking, &forbid, relaxed);
        let hindered = open.and_then(|kept| kept.get()).map(|open| (open, open.hindrance(&forbid[0].closed)));
        if let Some((open, by)) = &hindered
            && flood.reopen(open, by, automaton)
        {
            self.takes_steps(flood.nodes() / Game::REACHED_IN_A_STEP);
            return self.keep_ends(flood, m, rows(mover.may_stop));
        }
        let is_first = open.is_some_and(|kept| kept.get().is_none());
        // By mark, then by symbol: what is closed once the mark is set; nothing for marks that never are.
        let ever_set = automaton.marked.iter().fold(0, |all, these| all | these);
        let closes = |mark: usize| {
            rows(mover.marks[mark].may_step.filter(|_| relaxed == Relaxed::Nothing && ever_set >> mark & 1 == 1))
        };
        let marked = (0..mover.marks.len()).map(closes).map(|rows| match rows {
            Some(rows) => Guards::by_symbol(&[Some(rows)], self, m.unit, mover.symbols.len()),
            None => Vec::new(),
        });
        let marked: Vec<Vec<Guards<'_>>> = marked.collect();
        let set_guards = |mode: usize| {
            let symbol = modes[mode].symbol.max(0) as usize;
            let set = marked.iter().enumerate().filter(move |(mark, _)| automaton.marked[mode] >> mark & 1 == 1);
            std::iter::once(&forbid[symbol.min(forbidden - 1)])
                .chain(set.filter_map(move |(_, guards)| guards.get(symbol)))
        };
        let words = map.len().div_ceil(64);
        let mut closed = vec![0; modes.len() * words];
        for (mode, bits) in closed.chunks_mut(words.max(1)).enumerate() {
            for guards in set_guards(mode).filter(|_| !is_first) {
                bits.iter_mut().zip(&guards.closed).for_each(|(all, these)| *all |= these);
            }
        }
        let stopped = if mover.stops_by_symbol { mover.symbols.len() } else { 1 };
        let stops = Guards::by_symbol(&[rows(mover.may_go_on), rows(mover.may_pass)], self, m.unit, stopped);
        let stops_in = |mode: usize| &stops[(modes[mode].symbol.max(0) as usize).min(stopped - 1)];
        let stopping: Vec<&[u64]> = (0..modes.len()).map(|mode| &*stops_in(mode).closed).collect();
        let zones = Zones::new(self, baked, side);
        let asked_of = |mode: usize, from: Option<SpaceId>, to: SpaceId| {
            set_guards(mode).any(|guards| {
                let given = given(modes[mode].symbol);
                guards.asks(self, &given, to) || from.is_some_and(|from| guards.asks_border(self, &given, from, to))
            })
        };
        seeds.retain(|s| {
            let Some(mode) = automaton.number(s.mode).map(usize::from) else { return false };
            let is_closed = |at: SpaceId| closed[mode * words + at.0 as usize / 64] >> (at.0 % 64) & 1 == 1;
            !s.entered || (!is_closed(s.space) && !asked_of(mode, None, s.space))
        });
        // What bars borders in some modes alone is asked, and what bars more than one kind of borders.
        let [all, some] = if forbidden == 1 { [&*forbid, &[]] } else { [&[], &*forbid] };
        let mut barred = all.iter().flat_map(Guards::barred);
        let bars = barred.next().unwrap_or_default();
        let barred_in_some = barred.chain(some.iter().chain(marked.iter().flatten()).flat_map(Guards::barred));
        let asks = forbid.iter().chain(marked.iter().flatten()).flat_map(Guards::asked);
        let asks = union_of(asks.chain(barred_in_some.map(|[_, into]| into)));
        let field = ModeField {
            map,
            automaton,
            exits: &baked.exits,
            ground: Ground { zone: zones.first(), asks: &asks, bars },
            stops: &stopping,
            marked: marking.marked(),
            closed: &closed,
        };
        let mut changes = Changes::new(self, m, mover, relaxed);
        let mut stops_here = |at: SpaceId, mode: u16| {
            let (stops, given) = (stops_in(usize::from(mode)), given(modes[usize::from(mode)].symbol));
            stops.asks(self, &given, at) || stops.asks_border(self, &given, at, at)
        };
        let mut ask = |Transition { mode, symbol, over, to, marks }: Transition| {
            let before = i32::from(modes[usize::from(mode)].symbol);
            let Some(border) = over else {
                let kind = |mark: usize| match marking.kinds.changes.get(mark) {
                    Some(_) => marking.kinds.of_change(mark, before, symbol),
                    None => Marked::All(false),
                };
                let given = [m.unit, to.0 as i32, to.0 as i32, symbol as i32, before];
                return (changes.cost(before, symbol, to), self.marks_asked(mover, kind, u8::MAX, given));
            };
            let from = map.source(border);
            let given = [m.unit, from.0 as i32, to.0 as i32, symbol as i32, before];
            let counted = self.marks_counting(mover, &marking, marks, given);
            let next = automaton.after(mode, symbol, counted);
            if next == NO_MODE || asked_of(usize::from(next), Some(from), to) {
                return (Price::Closed, 0);
            }
            let list = &baked.lists[baked.of[border.0 as usize] as usize];
            let cost = self.step_cost(list, symbol as u8, m.unit, from, to, &zones);
            (cost.map_or(Price::Closed, Price::Cost), counted)
        };
        let mut kept = self.priced.0.borrow_mut();
        let priced = kept.entry((m.mover, side, held)).or_default();
        flood.run_modes(
            field,
            &mut priced.by_symbol,
            &seeds,
            budget,
            &mut ask,
            if stops.iter().all(Guards::asks_nothing) { None } else { Some(&mut stops_here) },
        );
        drop(kept);
        if let Some(kept) = open.filter(|_| is_first) {
            mover.open.keep(flood, seeds[0].space, kept);
            return self.search_modes(flood, m, relaxed);
        }
        if let Some((open, by)) = hindered {
            mover.open.keep_hindered(flood, open, by);
        }
        self.takes_steps(flood.nodes() / Game::REACHED_IN_A_STEP);
        self.keep_ends(flood, m, rows(mover.may_stop));
    }

    /// Where a search is kept that comes to the same at any time while the same spaces are closed; nothing where it hangs on more
    /// than closed spaces, where it begins and what may be spent.
    fn open_search<'a>(
        &'a self,
        m: &Move,
        (seeds, budget): (&[Seed], u16),
        marking: &Marking,
        forbid: &[Guards<'_>],
        relaxed: Relaxed,
    ) -> Option<&'a OnceLock<Box<OpenSearch>>> {
        let mover = &self.ruleset.movers[usize::from(m.mover)];
        let [Seed { space, mode, cost: 0, entered: false }] = *seeds else { return None };
        let [forbid] = forbid else { return None };
        let symbol = usize::try_from(mode.symbol).ok()?;
        let is_plain = relaxed == Relaxed::Nothing
            && mover.symbols.is_kept()
            && mover.marks.is_empty()
            && mover.may_go_on.or(mover.may_pass).is_none()
            && mover.of_unit().next().is_none()
            && mode == marking.automaton.modes[0]
            && forbid.asks_nothing()
            && self.fixed_changes(mover).is_some();
        let baked = self.costs(mover, m.unit);
        // Steps that cost nothing, or must be asked for, have no least cost.
        if !is_plain || !baked.zones.is_empty() || baked.exits.iter().any(|exits| exits.least == 0) {
            return None;
        }
        mover.open.of(budget, (space, self.ruleset.map.len()), (symbol, mover.symbols.len()))
    }

    /// The automaton of a search that begins in such modes.
    fn automaton(
        &self,
        mover: &Mover,
        marking: &Marking,
        seeds: impl Iterator<Item = Mode>,
        relaxed: Relaxed,
    ) -> Arc<Automaton> {
        let known = &marking.automaton;
        // A move that paused goes on in modes that need not follow from where it would begin now.
        let mut begin: Vec<Mode> =
            seeds.filter(|mode| relaxed != Relaxed::Nothing || known.number(*mode).is_none()).collect();
        if begin.is_empty() && relaxed == Relaxed::Nothing {
            return known.clone();
        }
        begin.sort();
        begin.dedup();
        begin.retain(|mode| *mode != known.modes[0]);
        begin.insert(0, known.modes[0]);
        mover.automata.of(mover, &marking.kinds, &begin, relaxed)
    }

    /// The symbols of the modes in which a move may come to stand in a space, in rising order, each with the least it
    /// costs.
    pub fn modes_at(&self, m: &Move, to: SpaceId) -> Vec<(i32, u16)> {
        let is_offered = |flood: &Flood| !flood.passed.iter().any(|r| r.space == to);
        let mut at = self.reach_in_modes(m, |flood| if is_offered(flood) { flood.modes_at(to) } else { Vec::new() });
        if self.reach_in_modes(m, |flood| flood.cost_of(to).is_some()) {
            at.retain(|(mode, _)| self.may_end(m, to, *mode));
        }
        at.sort_by_key(|(mode, cost)| (mode.symbol, *cost));
        at.dedup_by_key(|(mode, _)| mode.symbol);
        at.into_iter().map(|(mode, cost)| (i32::from(mode.symbol), cost)).collect()
    }
}

/// What changes in place cost a unit, found once for each pair of symbols where no row asks about the space.
struct Changes<'a> {
    game: &'a Game,
    mover: &'a Mover,
    unit: i32,
    /// What they cost any unit anywhere at any time, where that is so.
    fixed: Option<&'a [Price]>,
    known: Vec<Option<Price>>,
    is_free: bool,
    /// How many have been asked for: of rows that ask much the game keeps account, of many modes this does.
    asked: usize,
}

impl Changes<'_> {
    fn new<'a>(game: &'a Game, m: &Move, mover: &'a Mover, relaxed: Relaxed) -> Changes<'a> {
        let rows = mover.symbols.changes();
        let fixed = game.fixed_changes(mover);
        let is_kept = !rows.is_empty() && fixed.is_none() && !rows.iter().any(|row| row.asks_space);
        let known = vec![None; if is_kept { mover.symbols.len().pow(2) } else { 0 }];
        Changes { game, mover, unit: m.unit, fixed, known, is_free: relaxed == Relaxed::Changes, asked: 0 }
    }

    fn cost(&mut self, before: i32, into: usize, space: SpaceId) -> Price {
        self.asked += 1;
        if self.asked.is_multiple_of(Game::REACHED_IN_A_STEP) && !self.game.takes_steps(1) {
            return Price::Closed;
        }
        if self.is_free {
            return Price::Cost(0);
        }
        if let Some(fixed) = self.fixed {
            return fixed[before.max(0) as usize * self.mover.symbols.len() + into];
        }
        let Changes { game, mover, unit, known, .. } = self;
        let find = || {
            let given = [*unit, space.0 as i32, before, into as i32];
            game.cost_of_change(mover, given).map_or(Price::Closed, Price::Cost)
        };
        match known.get_mut(before.max(0) as usize * mover.symbols.len() + into) {
            Some(known) => *known.get_or_insert_with(find),
            None => find(),
        }
    }
}

//! The search over (space, mode), for moves of which more must be known than where they are: how their unit stands or
//! goes, what they remember of their steps.
//!
//! A step leads to another space, by a symbol that it is taken in; a change in place leads to another mode of the same
//! space. Nodes are settled in the order of what the
//! move has cost, as Dijkstra's search does it. So whoever comes to a node first has come for the least, and the search
//! is done with it, and with every node of its space in a mode that the first one dominates.

use std::{cmp::Reverse, ops::Range};

use super::{
    BorderId, Map, SpaceId,
    automaton::{Automaton, Mode, NO_MODE},
    exits::{Exits, Price},
    frontier::{Frontier, Node, alone},
    mode_field::{AskPrice, ModeField, Transition, is_in},
    priced::{PricedExit, PricedExits},
    reach::{Flood, NOWHERE, Reached, Seed},
};

/// A transition that can be paid for, kept until the search comes to what the move has cost with it.
#[derive(Debug, Clone, Copy)]
struct Begun {
    from: u32,
    to: SpaceId,
    mode: u16,
    in_place: bool,
}

/// How far such a search has got, kept for the memory it takes.
#[derive(Debug, Default)]
pub(super) struct ModeFront {
    pub(super) frontier: Frontier,
    /// The modes that nodes number.
    pub(super) modes: Vec<Mode>,
    /// By cost: where the nodes that cost so much begin.
    first: Vec<usize>,
    /// By cost: transitions priced one by one with which the move costs so much.
    begun: Vec<Vec<Begun>>,
    begun_for: BegunFor,
}

/// For how little steps have been begun into a space in a mode: whoever begins one for no less comes too late.
#[derive(Debug, Default)]
struct BegunFor {
    /// By mode, then by space: the search's mark above, the cost below. Marks count down as those of a flood do.
    least: Vec<u32>,
    mark: u16,
    spaces: usize,
}

impl BegunFor {
    /// No more is kept, whatever a map and its modes come to: in those beyond it steps are begun as often as they are met.
    const MOST: usize = 1 << 20;

    fn open(&mut self, modes: usize, spaces: usize) {
        let kept = (modes * spaces).min(BegunFor::MOST);
        if self.mark == 0 || self.least.len() < kept {
            self.mark = u16::MAX;
            self.least.clear();
            self.least.resize(kept, u32::MAX);
        }
        self.mark -= 1;
        self.spaces = spaces;
    }

    #[inline]
    fn at(&self, mode: u16, space: SpaceId) -> usize {
        usize::from(mode) * self.spaces + space.0 as usize
    }

    #[inline]
    fn marked(&self, cost: u16) -> u32 {
        u32::from(self.mark) << 16 | u32::from(cost)
    }

    /// Whether a step into a space in a mode has been begun for no more.
    #[inline]
    fn is_for(&self, mode: u16, space: SpaceId, cost: u16) -> bool {
        self.least.get(self.at(mode, space)).is_some_and(|least| *least <= self.marked(cost))
    }

    /// Begins a step into a space in a mode; false where one has been begun for no more.
    #[inline]
    fn begin(&mut self, mode: u16, space: SpaceId, cost: u16) -> bool {
        let (at, marked) = (self.at(mode, space), self.marked(cost));
        let Some(least) = self.least.get_mut(at) else { return true };
        let is_less = marked < *least;
        *least = marked.min(*least);
        is_less
    }
}

impl Flood {
    /// Searches from the seeds while the cost stays within `budget`; seeds in modes that the automaton has not are left
    /// out. `stops` is asked of every space entered, with the number of the mode: true means that the move does not go on
    /// from it in that mode.
    pub fn run_modes(
        &mut self,
        field: ModeField<'_>,
        priced_exits: &mut Vec<PricedExits>,
        seeds: &[Seed],
        budget: u16,
        ask: &mut AskPrice<'_>,
        mut stops: Option<&mut dyn FnMut(SpaceId, u16) -> bool>,
    ) {
        self.by_modes = true;
        self.no_ends = None;
        self.reached.clear();
        let ModeField { map, automaton, exits, closed, .. } = field;
        let front = &mut self.modes;
        // Where the move stands already: no place to go to.
        let stands: Vec<SpaceId> = seeds.iter().filter(|s| !s.entered).map(|s| s.space).collect();
        front.frontier.open(map, closed, &stands, seeds.len(), field.marked.out);
        front.open(budget, automaton, map);
        let is_plain = field.ground.asks.is_empty() && field.ground.bars[0].is_empty();
        let is_even = |exits: &Exits| exits.even && exits.least > 0 && is_plain;
        // The dearest first: they have been begun before the others.
        let mut even: Vec<usize> = (0..exits.len()).filter(|symbol| is_even(&exits[*symbol])).collect();
        even.sort_by_key(|symbol| Reverse(exits[*symbol].least));
        let priced: Vec<usize> = (0..exits.len()).filter(|symbol| !even.contains(symbol)).collect();
        priced_exits.resize_with(exits.len(), PricedExits::default);
        priced.iter().for_each(|symbol| priced_exits[*symbol].lay(map, &exits[*symbol], field.ground));
        let changes = !automaton.changes.is_empty();
        let least = if changes { 0 } else { exits.iter().map(|e| e.least).min().unwrap_or(0) };
        for level in 0..=budget {
            let mut at = front.frontier.nodes().len();
            front.first.push(at);
            for seed in seeds.iter().filter(|s| s.cost == level) {
                let Some(mode) = automaton.number(seed.mode) else { continue };
                let Seed { space, cost, entered, .. } = *seed;
                let node = Node { space, from: NOWHERE, cost, mode, on: NO_MODE, entered };
                front.frontier.stand(node, closed, automaton);
            }
            for symbol in even.iter().copied().filter(|symbol| exits[*symbol].least <= level) {
                front.take_steps(&field, symbol, level, ask);
            }
            // Transitions that cost nothing lead to more at the same cost.
            loop {
                front.take_begun(&field, level);
                if at == front.frontier.nodes().len() {
                    break;
                }
                front.frontier.settle(at, field.stops, &mut self.reached);
                // At the rim of a search nothing more can be paid for.
                if least > budget - level {
                    break;
                }
                let looks = stops.is_some() || changes || !priced.is_empty();
                let new = if looks { at } else { front.frontier.nodes().len() };
                for at in new..front.frontier.nodes().len() {
                    let node = &mut front.frontier.nodes_mut()[at];
                    let Node { space, on: mode, entered, .. } = *node;
                    if mode == NO_MODE || entered && stops.as_mut().is_some_and(|stops| stops(space, mode)) {
                        node.on = NO_MODE;
                        continue;
                    }
                    let from = (at as u32, space, mode);
                    for symbol in priced.iter().copied().filter(|symbol| !exits[*symbol].open_out(space).is_empty()) {
                        front.price_steps(&field, &mut priced_exits[symbol], from, symbol, (level, budget), ask);
                    }
                    if changes {
                        price_changes(&mut front.begun, automaton, from, (level, budget), ask);
                    }
                }
                at = front.frontier.nodes().len();
            }
        }
    }

    /// The modes in which the last search came to a space, each with what it cost: where a move that has come there may
    /// go on. A mode is left out where the search had been there before in one that dominates it.
    pub fn modes_at(&self, space: SpaceId) -> Vec<(Mode, u16)> {
        let at = self.modes.frontier.nodes().iter().filter(|node| node.space == space);
        at.map(|node| (self.modes.modes[usize::from(node.mode)], node.cost)).collect()
    }

    /// The path to a space reached: its spaces with the modes in which they were come to, the default where the move has
    /// none; twice the same space where the mode is changed in place.
    pub fn modes_to(&self, space: SpaceId) -> Vec<(SpaceId, Mode)> {
        if !self.by_modes {
            return self.path_to(space).into_iter().map(|space| (space, Mode::default())).collect();
        }
        let Some(end) = self.reached.iter().find(|r| r.space == space) else { return Vec::new() };
        self.modes_back(|node| (node.space, node.mode) == (end.space, end.mode))
    }

    /// The spaces of the path to one that the last search over modes came to in such a mode for the least cost; empty where
    /// it did not.
    pub fn path_in(&self, space: SpaceId, is_such: impl Fn(Mode) -> bool) -> Vec<SpaceId> {
        let modes = &self.modes.modes;
        let path = self.modes_back(|node| node.space == space && is_such(modes[usize::from(node.mode)]));
        let mut path: Vec<SpaceId> = path.into_iter().map(|(space, _)| space).collect();
        path.dedup();
        path
    }

    /// Of the spaces that the last search came to, a set, lists as reached those in which the move may end, each in the
    /// cheapest mode in which it may; the others are passed. `closed_in` says where it may not end in a mode, as a bit set;
    /// without words where it may anywhere.
    pub fn end_in_modes(&mut self, reached: &[u64], mut closed_in: impl FnMut(Mode) -> Vec<u64>) {
        let mut left = reached.to_vec();
        std::mem::swap(&mut self.passed, &mut self.reached);
        self.reached.clear();
        let mut closed: Vec<Option<Vec<u64>>> = vec![None; self.modes.modes.len()];
        for Node { space, mode, cost, .. } in self.modes.frontier.nodes().iter().copied() {
            let mut find = || closed_in(self.modes.modes[usize::from(mode)]);
            if is_in(&left, space) && !is_in(closed[usize::from(mode)].get_or_insert_with(&mut find), space) {
                let (word, bit) = alone(space);
                left[word as usize] &= !bit;
                self.reached.push(Reached { space, mode, cost });
            }
        }
        self.passed.retain(|r| is_in(&left, r.space));
    }

    /// The path to the first node of such, from where the move began.
    fn modes_back(&self, is_end: impl Fn(&Node) -> bool) -> Vec<(SpaceId, Mode)> {
        let nodes = self.modes.frontier.nodes();
        let back = |node: &&Node| nodes.get(node.from as usize);
        let path = std::iter::successors(nodes.iter().find(|node| is_end(node)), back);
        let mut path: Vec<_> = path.map(|node| (node.space, self.modes.modes[usize::from(node.mode)])).collect();
        path.reverse();
        path
    }

    /// The mode in which a space was reached for the least cost.
    pub fn mode_of(&self, reached: &Reached) -> Mode {
        self.modes.modes.get(usize::from(reached.mode)).copied().filter(|_| self.by_modes).unwrap_or_default()
    }

    /// How many nodes the last search over modes has come to.
    pub fn nodes(&self) -> usize {
        self.modes.frontier.nodes().len()
    }
}

impl ModeFront {
    fn open(&mut self, budget: u16, automaton: &Automaton, map: &Map) {
        let ModeFront { first, begun, modes, begun_for, .. } = self;
        begun_for.open(automaton.modes.len(), map.len());
        modes.clone_from(&automaton.modes);
        first.clear();
        if begun.len() <= usize::from(budget) {
            begun.resize_with(usize::from(budget) + 1, Vec::new);
        }
        begun.iter_mut().for_each(Vec::clear);
    }

    /// Takes the steps of a symbol, which all cost the same and bring the move to such a cost.
    fn take_steps(&mut self, field: &ModeField<'_>, symbol: usize, level: u16, ask: &mut AskPrice<'_>) {
        let earlier = usize::from(level - field.exits[symbol].least);
        let these = self.first[earlier]..self.first[earlier + 1];
        if these.is_empty() {
            return;
        }
        if field.marked.out.get(symbol).is_some_and(|marks| !marks.is_empty()) {
            return self.take_marked(field, symbol, level, these, ask);
        }
        self.frontier.take(field.map, field.automaton, symbol, level, these);
    }

    /// The same of a symbol whose steps marks count by the spaces they lead out of and into.
    fn take_marked(
        &mut self,
        field: &ModeField<'_>,
        symbol: usize,
        level: u16,
        these: Range<usize>,
        ask: &mut AskPrice<'_>,
    ) {
        let (map, automaton) = (field.map, field.automaton);
        let mut at = these.start;
        while at < these.end {
            // Nodes that no mark may count the steps out of are taken together.
            let nodes = &self.frontier.nodes()[at..these.end];
            let plain = nodes.iter().take_while(|node| field.marked.out_of(node.space, symbol) == 0).count();
            if plain > 0 {
                self.frontier.take(map, automaton, symbol, level, at..at + plain);
                at += plain;
                continue;
            }
            let Node { space, on: mode, .. } = self.frontier.nodes()[at];
            if mode != NO_MODE {
                for border in map.borders_out(space) {
                    let to = map.target(BorderId(border as u32));
                    let marks = field.marked.counting(field.marked.out_of(space, symbol), to, symbol);
                    let step = Transition { mode, symbol, over: Some(BorderId(border as u32)), to, marks };
                    let asked = (field.marked.to_ask(marks, symbol) != 0).then(|| ask(step));
                    let next = match asked {
                        None => automaton.after(mode, symbol, marks),
                        Some((Price::Cost(_), counted)) => automaton.after(mode, symbol, counted),
                        Some((Price::Closed, _)) => NO_MODE,
                    };
                    if next != NO_MODE {
                        self.frontier.step(stepped(at as u32, to, level, next), alone(to), automaton);
                    }
                }
            }
            at += 1;
        }
    }

    /// Prices the steps of a symbol out of a node at which the move costs so much, and begins those that can be paid for
    /// and lead where the search is not done: most borders lead back to where one could be for as little already.
    fn price_steps(
        &mut self,
        field: &ModeField<'_>,
        priced: &mut PricedExits,
        (from, space, mode): (u32, SpaceId, u16),
        symbol: usize,
        (level, budget): (u16, u16),
        ask: &mut AskPrice<'_>,
    ) {
        let ModeField { map, automaton, exits, .. } = *field;
        let (unmarked, marks_out) = (automaton.after(mode, symbol, 0), field.marked.out_of(space, symbol));
        if unmarked == NO_MODE && marks_out == 0 {
            return;
        }
        let (exits, known) = priced.out(map, &exits[symbol], (space.0, space));
        for (at, &PricedExit { border, to, mut cost, .. }) in exits.iter().enumerate() {
            let to = SpaceId(to);
            if cost > budget - level {
                continue;
            }
            let (mut next, marks) = (unmarked, field.marked.counting(marks_out, to, symbol));
            if marks == 0 && (unmarked == NO_MODE || self.frontier.is_done(unmarked, to)) {
                continue;
            }
            if marks > 0 || at >= known {
                if marks == 0 && self.begun_for.is_for(unmarked, to, level + cost) {
                    continue;
                }
                let step = Transition { mode, symbol, over: Some(border), to, marks };
                let mut counted = marks;
                if at >= known || field.marked.to_ask(marks, symbol) != 0 {
                    let (Price::Cost(priced), marks) = ask(step) else { continue };
                    (cost, counted) = (priced, marks);
                }
                next = automaton.after(mode, symbol, counted);
                if cost > budget - level || next == NO_MODE {
                    continue;
                }
            }
            if self.begun_for.begin(next, to, level + cost) {
                self.begun[usize::from(level + cost)].push(Begun { from, to, mode: next, in_place: false });
            }
        }
    }

    /// Takes the transitions priced one by one with which the move costs so much.
    fn take_begun(&mut self, field: &ModeField<'_>, level: u16) {
        for Begun { from, to, mode, in_place } in self.begun[usize::from(level)].drain(..) {
            let node = stepped(from, to, level, mode);
            if in_place {
                let entered = self.frontier.nodes()[from as usize].entered;
                self.frontier.stand(Node { entered, ..node }, field.closed, field.automaton);
            } else {
                self.frontier.step(node, alone(to), field.automaton);
            }
        }
    }
}

/// A node that a step leads to.
fn stepped(from: u32, space: SpaceId, cost: u16, mode: u16) -> Node {
    Node { space, from, cost, mode, on: NO_MODE, entered: true }
}

/// Prices the changes in place of a node at which the move costs so much, and begins those that can be paid for.
fn price_changes(
    begun: &mut [Vec<Begun>],
    automaton: &Automaton,
    (from, space, mode): (u32, SpaceId, u16),
    (level, budget): (u16, u16),
    ask: &mut AskPrice<'_>,
) {
    let now = automaton.modes[usize::from(mode)].symbol;
    // What marks count may close a change, never open one.
    let is_open = |symbol: &usize| *symbol as i16 != now && automaton.changed(mode, *symbol, 0) != NO_MODE;
    for symbol in (0..automaton.symbols).filter(is_open) {
        let (Price::Cost(cost), counted) = ask(Transition { mode, symbol, over: None, to: space, marks: 0 }) else {
            continue;
        };
        let next = automaton.changed(mode, symbol, counted);
        if cost <= budget - level && next != NO_MODE {
            begun[usize::from(level + cost)].push(Begun { from, to: space, mode: next, in_place: true });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        diagnostic::Diagnostics,
        map::{self, Ends, Exit, Ground, MOST_SPACE_MARKS, MarkedSteps, Reached},
    };

    const COSTS: [u16; 2] = [2, 1];

    /// Which borders are priced beforehand.
    #[derive(Clone, Copy)]
    enum Priced {
        All,
        Some,
        None,
    }

    /// Where one may get with slow steps and quick ones, in which mode, for what, and how it went there; one may go
    /// over from slow to quick, and not come back. Slow dominates quick.
    fn reached(changes: bool, closed: &str, budget: u16, priced: Priced) -> Vec<(Reached, Vec<(SpaceId, Mode)>)> {
        let mut found = Diagnostics::default();
        let text = "map: tiny\ngrid: { kind: axial, radius: 4 }\n";
        let map = map::load(&crate::yaml::parse("tiny.yaml", text, &mut found), &mut found).expect("a map");
        let exits = COSTS.map(|cost| {
            let costs = |at: usize| {
                let is_known = matches!(priced, Priced::All) || at.is_multiple_of(3);
                [if is_known { cost } else { Exit::ASK }; Ends::ALL]
            };
            Exits::new(&map, &(0..map.border_count()).map(costs).collect::<Vec<_>>(), |_| cost)
        });
        let seed = Seed { space: map.find("0:0").expect("center"), mode: Mode::default(), cost: 0, entered: false };
        // Mode 0 begins, 1 is slow, 2 quick.
        let mut automaton = Automaton {
            symbols: 2,
            modes: [-1, 0, 1].map(|symbol| Mode { symbol, counts: 0 }).to_vec(),
            marked: vec![0; 3],
            steps: vec![NO_MODE; (3 * 2) << MOST_SPACE_MARKS],
            dominated: vec![Vec::new(); 3],
            dominated_unmarked: vec![Vec::new(); 3],
            ..Automaton::default()
        };
        let mut follows = |mode: usize, symbol: usize, next| {
            automaton.steps[(mode * 2 + symbol) << MOST_SPACE_MARKS..][..1 << MOST_SPACE_MARKS].fill(next);
        };
        follows(0, 0, 1);
        follows(1, 0, 1);
        if changes {
            follows(0, 1, 2);
            follows(1, 1, 2);
            follows(2, 1, 2);
            automaton.dominated[1].push(2);
        }
        let mut shut = vec![0u64; map.len().div_ceil(64)];
        if let Some(space) = map.find(closed) {
            shut[space.0 as usize / 64] |= 1 << (space.0 % 64);
        }
        let (none, closed) = (vec![0; shut.len()], shut.repeat(3));
        let stops = vec![none.as_slice(); 3];
        let asks = if matches!(priced, Priced::None) { vec![u64::MAX; shut.len()] } else { Vec::new() };
        let (map, automaton, exits, stops, closed) = (&map, &automaton, &exits, &stops, &closed);
        let (marked, ground) = (MarkedSteps::default(), Ground { asks: &asks, ..Ground::default() });
        let field = ModeField { map, automaton, exits, ground, stops, marked, closed };
        let mut flood = Flood::default();
        flood.run_modes(
            field,
            &mut Vec::new(),
            &[seed],
            budget,
            &mut |step| (Price::Cost(COSTS[step.symbol]), 0),
            None,
        );
        flood.reached.iter().map(|r| (*r, flood.modes_to(r.space))).collect()
    }

    #[test]
    fn a_search_keeps_modes_apart_and_changes_them_where_it_may() {
        let count = |changes, closed, budget| {
            let reached = reached(changes, closed, budget, Priced::All);
            (reached.len(), reached.iter().filter(|(r, _)| r.mode == 2).count())
        };
        assert_eq!(count(false, "", 2), (6, 0));
        assert_eq!(count(true, "", 2), (18, 18));
        assert_eq!(count(true, "1:0", 1), (5, 5));
        assert_eq!(count(true, "", 3), (36, 36));
    }

    #[test]
    fn steps_priced_beforehand_and_steps_asked_for_come_to_the_same() {
        for (closed, budget) in [("", 5), ("1:0", 4), ("2:-1", 7)] {
            let cost_of = |found: &[(Reached, Vec<(SpaceId, Mode)>)]| {
                let mut all: Vec<(SpaceId, u16)> = found.iter().map(|(r, _)| (r.space, r.cost)).collect();
                all.sort();
                all
            };
            let all = reached(true, closed, budget, Priced::All);
            for priced in [Priced::Some, Priced::None] {
                let others = reached(true, closed, budget, priced);
                assert_eq!(cost_of(&all), cost_of(&others));
                for (end, path) in all.iter().chain(&others) {
                    let spent: u16 = path[1..].iter().map(|(_, mode)| COSTS[mode.symbol as usize]).sum();
                    let last = path.last().map(|(space, mode)| (*space, mode.symbol as u16 + 1));
                    assert_eq!(last, Some((end.space, end.mode)));
                    assert_eq!(spent, end.cost);
                }
            }
        }
    }
}

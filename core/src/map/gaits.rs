//! The flood for moves that remember something of their steps: by which way they went, whether they have changed it,
//! what they have used up.
//!
//! A node is a (space, gait) pair. A gait is all that a move still needs to know of the steps behind it. Steps are
//! taken in the order of what the move has cost with them. So whoever comes to a node first has come there for the
//! least: the node is barred to all later steps, and so are those of its space on every gait that can do no more.

use std::{cmp::Reverse, ops::Range};

use super::{
    BorderId, Map, SpaceId,
    nodes::{Come, Node, alone},
    reach::{Exit, Exits, Flood, NOWHERE, Price, Seed},
};

/// No gait may be taken there.
pub const NO_GAIT: u8 = u8::MAX;
/// Gaits are kept in sets of so many bits.
pub const MOST_GAITS: usize = 127;
/// What a step into a space may meet, as a bit set of so many bits.
pub const MOST_MET: usize = 3;

/// Which gaits there are, and which follows which.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gaits {
    /// Ways a step may be taken on.
    pub ways: usize,
    /// By gait, way and what the step meets: the gait after it, or [`NO_GAIT`].
    pub next: Vec<u8>,
    /// By gait: the gaits that can do no more than it, itself not among them.
    pub lesser: Vec<Vec<u8>>,
}

impl Gaits {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.lesser.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lesser.is_empty()
    }

    /// The gait after a step on a way that met so much.
    #[inline]
    pub fn after(&self, gait: u8, way: usize, met: u8) -> u8 {
        self.next[(usize::from(gait) * self.ways + way) << MOST_MET | usize::from(met)]
    }
}

/// What such a flood spreads over.
#[derive(Debug, Clone, Copy)]
pub struct GaitField<'a> {
    /// The map.
    pub map: &'a Map,
    /// Gaits and what follows what.
    pub gaits: &'a Gaits,
    /// By way.
    pub exits: &'a [Exits],
    /// A bit set of the spaces that one may not go on from.
    pub ends: &'a [u64],
    /// By way, then by number of the space: what a step out of it can meet, if the space it leads into says so too;
    /// empty where nothing is met by the spaces alone.
    pub left: &'a [Vec<u8>],
    /// The same of the space that a step leads into.
    pub met: &'a [Vec<u8>],
    /// By gait, one after the other: a bit set of the spaces that may not be entered on it.
    pub closed: &'a [u64],
    /// Whether every step must be asked for, those priced beforehand too.
    pub asks: bool,
}

impl GaitField<'_> {
    /// What a step on a way out of a space can meet.
    #[inline]
    fn left_by(&self, from: SpaceId, way: usize) -> u8 {
        self.left.get(way).and_then(|left| left.get(from.0 as usize)).copied().unwrap_or(0)
    }

    /// What a step on a way into a space can meet.
    #[inline]
    fn met_by(&self, to: SpaceId, way: usize) -> u8 {
        self.met.get(way).and_then(|met| met.get(to.0 as usize)).copied().unwrap_or(0)
    }
}

/// A step about to be priced: the gait before, the way it is taken on, the border, the space it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GaitStep {
    /// The gait before.
    pub gait: u8,
    /// The way.
    pub way: usize,
    /// The border.
    pub border: BorderId,
    /// Where it leads.
    pub to: SpaceId,
}

/// How far a flood of gaits has got, kept for the memory it takes.
#[derive(Debug, Default)]
pub(super) struct GaitFront {
    come: Come,
    /// By cost: where the nodes that cost so much begin.
    first: Vec<usize>,
    /// By cost: steps priced one by one that cost so much in all. From which node, and where to on which gait.
    begun: Vec<Vec<(u32, SpaceId, u8)>>,
}

impl Flood {
    /// Spreads from the seeds while the cost stays within `budget`. A seed's `way` is the gait it begins on.
    ///
    /// `ask` prices a step that is not priced beforehand, and says what it meets besides what the spaces alone say.
    pub fn run_gaits(
        &mut self,
        field: GaitField<'_>,
        seeds: &[Seed],
        budget: u16,
        ask: &mut dyn FnMut(GaitStep) -> (Price, u8),
        mut ends: Option<&mut dyn FnMut(SpaceId) -> bool>,
    ) {
        self.by_gaits = true;
        self.reached.clear();
        let front = &mut self.gaits;
        // Where the move stands already: no place to go to.
        let stands: Vec<SpaceId> = seeds.iter().filter(|s| !s.entered).map(|s| s.space).collect();
        front.come.open(field.map, field.gaits, field.closed, &stands, seeds.len());
        front.open(budget);
        let is_even = |exits: &Exits| exits.even && exits.least > 0 && !field.asks;
        // The dearest first: they have been begun before the others.
        let mut even: Vec<usize> = (0..field.exits.len()).filter(|way| is_even(&field.exits[*way])).collect();
        even.sort_by_key(|way| Reverse(field.exits[*way].least));
        let priced: Vec<usize> = (0..field.exits.len()).filter(|way| !even.contains(way)).collect();
        let least = field.exits.iter().map(|e| e.least).min().unwrap_or(0);
        for level in 0..=budget {
            let mut at = front.come.nodes().len();
            front.first.push(at);
            for seed in seeds.iter().filter(|s| s.cost == level) {
                front.come.begin(seed, field.gaits);
            }
            for way in even.iter().copied().filter(|way| field.exits[*way].least <= level) {
                front.take_steps(&field, way, level);
            }
            // Steps that cost nothing lead to more at the same cost.
            loop {
                front.take_priced(field.gaits, level);
                if at == front.come.nodes().len() {
                    break;
                }
                front.come.settle(at, field.ends, &stands, &mut self.reached);
                // At the rim of a flood nothing more can be paid for.
                if least > budget - level {
                    break;
                }
                let new = if ends.is_some() || !priced.is_empty() { at } else { front.come.nodes().len() };
                for (at, node) in (new as u32..).zip(&mut front.come.nodes_mut()[new..]) {
                    let Node { space, from, goes: gait, .. } = *node;
                    let entered = from != NOWHERE || !stands.contains(&space);
                    if gait == NO_GAIT || entered && ends.as_mut().is_some_and(|ends| ends(space)) {
                        node.goes = NO_GAIT;
                        continue;
                    }
                    for way in priced.iter().copied() {
                        price(&mut front.begun, &field, (at, space, gait), way, (level, budget), ask);
                    }
                }
                at = front.come.nodes().len();
            }
        }
    }

    /// The gaits on which the last flood came to a space, each with what it cost: where a move that has come there may
    /// go on. A gait is left out where one that can do all it can had come there before.
    pub fn gaits_at(&self, space: SpaceId) -> Vec<(u8, u16)> {
        self.gaits.come.nodes().iter().filter(|node| node.space == space).map(|node| (node.gait, node.cost)).collect()
    }

    /// The path to a space reached, with the gait on which each of its spaces was entered; the one it began on first.
    pub fn gaits_to(&self, space: SpaceId) -> Vec<(SpaceId, u8)> {
        let Some(end) = self.reached.iter().find(|r| r.space == space) else { return Vec::new() };
        let is_end = |node: &&Node| (node.space, node.gait) == (space, end.way);
        let back = |node: &&Node| self.gaits.come.nodes().get(node.from as usize);
        let nodes = std::iter::successors(self.gaits.come.nodes().iter().find(is_end), back);
        let mut path: Vec<(SpaceId, u8)> = nodes.map(|node| (node.space, node.gait)).collect();
        path.reverse();
        path
    }
}

impl GaitFront {
    fn open(&mut self, budget: u16) {
        let GaitFront { first, begun, .. } = self;
        first.clear();
        if begun.len() <= usize::from(budget) {
            begun.resize_with(usize::from(budget) + 1, Vec::new);
        }
        begun.iter_mut().for_each(Vec::clear);
    }

    /// Takes the steps of a way on which all cost the same, with which the move has come to cost so much.
    fn take_steps(&mut self, field: &GaitField<'_>, way: usize, level: u16) {
        let earlier = usize::from(level - field.exits[way].least);
        let these = self.first[earlier]..self.first[earlier + 1];
        if field.left.get(way).is_some_and(|left| !left.is_empty()) {
            return self.take_marked(field, way, level, these);
        }
        self.come.take(field.map, field.gaits, way, level, these);
    }

    /// The same of a way whose steps out of some spaces meet something in some they lead into.
    fn take_marked(&mut self, field: &GaitField<'_>, way: usize, level: u16, these: Range<usize>) {
        let (map, gaits) = (field.map, field.gaits);
        for at in these {
            let Node { space, goes: gait, .. } = self.come.nodes()[at];
            if gait == NO_GAIT {
                continue;
            }
            let left = field.left_by(space, way);
            if left != 0 {
                for to in map.near(space) {
                    let next = gaits.after(gait, way, left & field.met_by(to, way));
                    if next != NO_GAIT {
                        self.come.to((at as u32, level), alone(to), gaits, next);
                    }
                }
            } else {
                self.come.take(map, gaits, way, level, at..at + 1);
            }
        }
    }

    /// Takes the steps priced one by one with which the move has come to cost so much.
    fn take_priced(&mut self, gaits: &Gaits, level: u16) {
        for (from, to, gait) in self.begun[usize::from(level)].drain(..) {
            self.come.to((from, level), alone(to), gaits, gait);
        }
    }
}

/// Prices the steps of a way out of a node at which the move has come to cost so much, and begins those that can be
/// paid for.
fn price(
    begun: &mut [Vec<(u32, SpaceId, u8)>],
    field: &GaitField<'_>,
    (at, space, gait): (u32, SpaceId, u8),
    way: usize,
    (level, budget): (u16, u16),
    ask: &mut dyn FnMut(GaitStep) -> (Price, u8),
) {
    let GaitField { map, gaits, exits, asks, .. } = *field;
    let left = field.left_by(space, way);
    if left == 0 && !asks && gaits.after(gait, way, 0) == NO_GAIT {
        return;
    }
    for border in map.borders_out(space) {
        let Exit { to, outside: mut cost, .. } = exits[way].list[border];
        let mut meets = left & field.met_by(to, way);
        if asks || cost == Exit::ASK {
            let (price, more) = ask(GaitStep { gait, way, border: BorderId(border as u32), to });
            let Price::Cost(priced) = price else { continue };
            cost = priced;
            meets |= more;
        }
        let next = gaits.after(gait, way, meets);
        if cost <= budget - level && next != NO_GAIT {
            begun[usize::from(level + cost)].push((at, to, next));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        diagnostic::Diagnostics,
        map::{self, Reached},
    };

    const COSTS: [u16; 2] = [2, 1];

    /// Which borders are priced beforehand.
    #[derive(Clone, Copy)]
    enum Priced {
        All,
        Some,
        None,
    }

    /// Where one may get with slow steps and quick ones, on which gait, for what, and how it went there; one may go
    /// over from slow to quick, and not come back. A slow one can do all that a quick one can.
    fn reached(changes: bool, closed: &str, budget: u16, priced: Priced) -> Vec<(Reached, Vec<(SpaceId, u8)>)> {
        let mut found = Diagnostics::default();
        let text = "map: tiny\ngrid: { kind: axial, radius: 4 }\n";
        let map = map::load(&crate::yaml::parse("tiny.yaml", text, &mut found), &mut found).expect("a map");
        let exits = COSTS.map(|cost| {
            let exit = |at: u32| {
                let is_known = matches!(priced, Priced::All) || at.is_multiple_of(3);
                let outside = if is_known { cost } else { Exit::ASK };
                Exit { to: map.target(BorderId(at)), outside, inside: outside }
            };
            Exits::new((0..map.border_count() as u32).map(exit).collect())
        });
        let seed = Seed { space: map.find("0:0").expect("center"), way: 0, cost: 0, entered: false };
        // Gait 0 begins, 1 is slow, 2 quick.
        let mut gaits = Gaits { ways: 2, next: vec![NO_GAIT; (3 * 2) << MOST_MET], lesser: vec![Vec::new(); 3] };
        let mut follows = |gait: usize, way: usize, next| {
            gaits.next[(gait * 2 + way) << MOST_MET..][..1 << MOST_MET].fill(next);
        };
        follows(0, 0, 1);
        follows(1, 0, 1);
        if changes {
            follows(0, 1, 2);
            follows(1, 1, 2);
            follows(2, 1, 2);
            gaits.lesser[1].push(2);
        }
        let mut shut = vec![0u64; map.len().div_ceil(64)];
        if let Some(space) = map.find(closed) {
            shut[space.0 as usize / 64] |= 1 << (space.0 % 64);
        }
        let (ends, closed) = (vec![0; shut.len()], shut.repeat(3));
        let asks = matches!(priced, Priced::None);
        let (map, gaits, exits, ends, closed) = (&map, &gaits, &exits, &ends, &closed);
        let field = GaitField { map, gaits, exits, ends, left: &[], met: &[], closed, asks };
        let mut flood = Flood::default();
        flood.run_gaits(field, &[seed], budget, &mut |step| (Price::Cost(COSTS[step.way]), 0), None);
        flood.reached.iter().map(|r| (*r, flood.gaits_to(r.space))).collect()
    }

    #[test]
    fn a_flood_of_gaits_keeps_them_apart_and_changes_where_it_may() {
        let count = |changes, closed, budget| {
            let reached = reached(changes, closed, budget, Priced::All);
            (reached.len(), reached.iter().filter(|(r, _)| r.way == 2).count())
        };
        assert_eq!(count(false, "", 2), (6, 0));
        assert_eq!(count(true, "", 2), (18, 18));
        assert_eq!(count(true, "1:0", 1), (5, 5));
        assert_eq!(count(true, "", 3), (36, 36));
    }

    #[test]
    fn steps_priced_beforehand_and_steps_asked_for_come_to_the_same() {
        for (closed, budget) in [("", 5), ("1:0", 4), ("2:-1", 7)] {
            let cost_of = |found: &[(Reached, Vec<(SpaceId, u8)>)]| {
                let mut all: Vec<(SpaceId, u16)> = found.iter().map(|(r, _)| (r.space, r.cost)).collect();
                all.sort();
                all
            };
            let all = reached(true, closed, budget, Priced::All);
            for priced in [Priced::Some, Priced::None] {
                let others = reached(true, closed, budget, priced);
                assert_eq!(cost_of(&all), cost_of(&others));
                for (end, path) in all.iter().chain(&others) {
                    let spent: u16 = path[1..].iter().map(|(_, gait)| COSTS[usize::from(*gait) - 1]).sum();
                    assert_eq!(path.last(), Some(&(end.space, end.way)));
                    assert_eq!(spent, end.cost);
                }
            }
        }
    }
}

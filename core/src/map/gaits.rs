//! The flood for moves that remember something of their steps: by which way they went, whether they have changed it,
//! what they have used up.
//!
//! A node is a (space, gait) pair. A gait is all that a move still needs to know of the steps behind it. Where one gait
//! can do all that another can, a node on the lesser one is not looked at once the better has been there for as
//! little.

use super::{
    BorderId, Map, SpaceId,
    reach::{Exit, Flood, Ground, NOWHERE, Price, Reached, Seed},
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
    /// By gait: a bit set of the gaits that can do all it can, itself not among them.
    pub better: Vec<u128>,
}

impl Gaits {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.better.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.better.is_empty()
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
    /// By way, then by number of the border.
    pub exits: &'a [Vec<Exit>],
    /// By way: whether every border's cost is among them.
    pub priced: &'a [bool],
    /// By number of the space: flags of [`Ground`].
    pub ground: &'a [Ground],
    /// By way, then by number of the space: what a step into it meets; empty where nothing is met by the space alone.
    pub met: &'a [Vec<u8>],
    /// By gait: a bit set of the spaces that may not be entered on it.
    pub closed: &'a [Vec<u64>],
    /// Whether every step must be asked for, those priced beforehand too.
    pub asks: bool,
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

impl Flood {
    /// Spreads from the seeds while the cost stays within `budget`. A seed's `way` is the gait it begins on.
    ///
    /// `ask` prices a step that is not priced beforehand, and says what it meets besides what the space alone says.
    pub fn run_gaits(
        &mut self,
        field: GaitField<'_>,
        seeds: &[Seed],
        budget: u16,
        ask: &mut dyn FnMut(GaitStep) -> (Price, u8),
        mut ends: Option<&mut dyn FnMut(SpaceId) -> bool>,
    ) {
        let GaitField { map, gaits, exits, priced, ground, met, closed, asks } = field;
        let spaces = map.len() as u32;
        self.open(map.len(), gaits.len(), budget);
        let (mark, Flood { nodes, listed, buckets, reached, .. }) = (self.mark, self);
        let high = u32::from(mark) << 16;
        for seed in seeds.iter().filter(|s| s.cost <= budget) {
            let node = u32::from(seed.way) * spaces + seed.space.0;
            let best = high | u32::from(seed.cost);
            if best < nodes[node as usize].best {
                nodes[node as usize] = super::reach::Node { best, back: NOWHERE };
                buckets[seed.cost as usize].push(node);
            }
        }
        // Where the move stands already: no place to go to.
        let mut began: Vec<SpaceId> = seeds.iter().filter(|s| !s.entered).map(|s| s.space).collect();
        began.dedup();
        for level in 0..=budget {
            let here = high | u32::from(level);
            let mut at = 0;
            while let Some(node) = buckets[level as usize].get(at).copied() {
                at += 1;
                let known = nodes[node as usize];
                if known.best != here {
                    continue; // reached more cheaply since
                }
                let (space, gait) = (SpaceId(node % spaces), (node / spaces) as u8);
                let mut better = gaits.better[usize::from(gait)];
                let mut is_less = false;
                while better != 0 && !is_less {
                    let other = better.trailing_zeros() as usize;
                    better &= better - 1;
                    is_less = nodes[other * spaces as usize + space.0 as usize].best <= here;
                }
                let entered = known.back != NOWHERE || !began.contains(&space);
                if entered {
                    // On another gait one may come back to where one began.
                    if listed[space.0 as usize] != mark && !began.contains(&space) {
                        listed[space.0 as usize] = mark;
                        reached.push(Reached { space, way: gait, cost: level });
                    }
                    if is_less || ground[space.0 as usize].is(Ground::ENDS) || ends.as_mut().is_some_and(|e| e(space)) {
                        continue;
                    }
                }
                for way in 0..gaits.ways {
                    let first = (usize::from(gait) * gaits.ways + way) << MOST_MET;
                    let next: &[u8; 1 << MOST_MET] = gaits.next[first..][..1 << MOST_MET].try_into().expect("as long");
                    let alike = next.iter().all(|n| *n == next[0]);
                    if alike && next[0] == NO_GAIT {
                        continue;
                    }
                    let exits = &exits[way][map.borders_out(space)];
                    let plain = !asks && priced[way] && (alike || met.get(way).is_none_or(Vec::is_empty));
                    if plain {
                        // Priced beforehand, and every step comes to the same gait.
                        let gait = next[0];
                        let closed = closed[usize::from(gait)].as_slice();
                        let first = u32::from(gait) * spaces;
                        let most = budget - level;
                        let nodes = &mut nodes[first as usize..][..spaces as usize];
                        for Exit { to, outside, .. } in exits {
                            if *outside > most {
                                continue;
                            }
                            let total = level + *outside;
                            let best = high | u32::from(total);
                            let known = &mut nodes[to.0 as usize];
                            if best < known.best && closed[to.0 as usize / 64] >> (to.0 % 64) & 1 == 0 {
                                *known = super::reach::Node { best, back: node };
                                buckets[total as usize].push(first + to.0);
                            }
                        }
                        continue;
                    }
                    let met = met.get(way).filter(|m| !m.is_empty());
                    for (border, exit) in map.borders_out(space).zip(exits) {
                        let Exit { to, outside: mut cost, .. } = *exit;
                        let mut meets = met.map_or(0, |met| met[to.0 as usize]);
                        if asks || cost == Exit::ASK {
                            let (price, more) = ask(GaitStep { gait, way, border: BorderId(border as u32), to });
                            let Price::Cost(priced) = price else { continue };
                            cost = priced;
                            meets |= more;
                        }
                        let total = level.saturating_add(cost);
                        let gait = next[usize::from(meets)];
                        if total > budget || gait == NO_GAIT {
                            continue;
                        }
                        let best = high | u32::from(total);
                        let goal = u32::from(gait) * spaces + to.0;
                        if best < nodes[goal as usize].best
                            && closed[usize::from(gait)][to.0 as usize / 64] >> (to.0 % 64) & 1 == 0
                        {
                            nodes[goal as usize] = super::reach::Node { best, back: node };
                            buckets[total as usize].push(goal);
                        }
                    }
                }
            }
        }
    }

    /// Every gait on which a space was reached by the last flood, with what it cost: where a move that has come there
    /// may go on.
    pub fn gaits_at(&self, space: SpaceId) -> Vec<(u8, u16)> {
        // Nodes of other floods bear other marks.
        let here = self.nodes.iter().skip(space.0 as usize).step_by(self.spaces.max(1)).enumerate();
        let known = here.filter(|(_, node)| node.best >> 16 == u32::from(self.mark));
        known.map(|(gait, node)| (gait as u8, (node.best & 0xffff) as u16)).collect()
    }

    /// The path to a space reached, with the gait on which each of its spaces was entered; the one it began on first.
    pub fn gaits_to(&self, space: SpaceId) -> Vec<(SpaceId, u8)> {
        let Some(end) = self.reached.iter().find(|r| r.space == space) else { return Vec::new() };
        let spaces = self.spaces as u32;
        let mut node = u32::from(end.way) * spaces + space.0;
        let mut path = vec![(space, end.way)];
        while self.nodes[node as usize].back != NOWHERE {
            node = self.nodes[node as usize].back;
            path.push((SpaceId(node % spaces), (node / spaces) as u8));
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostic::Diagnostics, map};

    /// Slow steps and quick ones; one may go over from slow to quick, and not come back.
    #[test]
    fn a_flood_of_gaits_keeps_them_apart_and_changes_where_it_may() {
        let mut found = Diagnostics::default();
        let text = "map: tiny\ngrid: { kind: axial, radius: 4 }\n";
        let map = map::load(&crate::yaml::parse("tiny.yaml", text, &mut found), &mut found).expect("a map");
        let exit = |at: u32, cost| Exit { to: map.target(BorderId(at)), outside: cost, inside: cost };
        let exits: Vec<Vec<Exit>> =
            [2, 1].map(|cost| (0..map.border_count() as u32).map(|at| exit(at, cost)).collect()).to_vec();
        let ground = vec![Ground::default(); map.len()];
        let seed = Seed { space: map.find("0:0").expect("center"), way: 0, cost: 0, entered: false };
        let reached = |changes: bool, closed: &str, budget| {
            // Gait 0 begins, 1 is slow, 2 quick.
            let mut gaits = Gaits { ways: 2, next: vec![NO_GAIT; (3 * 2) << MOST_MET], better: vec![0; 3] };
            let mut follows = |gait: usize, way: usize, next| {
                gaits.next[(gait * 2 + way) << MOST_MET..][..1 << MOST_MET].fill(next);
            };
            follows(0, 0, 1);
            follows(1, 0, 1);
            if changes {
                follows(0, 1, 2);
                follows(1, 1, 2);
                follows(2, 1, 2);
            }
            let mut shut = vec![0u64; map.len().div_ceil(64)];
            if let Some(space) = map.find(closed) {
                shut[space.0 as usize / 64] |= 1 << (space.0 % 64);
            }
            let closed = vec![shut; 3];
            let (map, gaits, exits, ground, closed) = (&map, &gaits, &exits, &ground, &closed);
            let priced = &[true, true];
            let field = GaitField { map, gaits, exits, priced, ground, met: &[], closed, asks: false };
            let mut flood = Flood::default();
            flood.run_gaits(field, &[seed], budget, &mut |_| (Price::Closed, 0), None);
            (flood.reached.len(), flood.reached.iter().filter(|r| r.way == 2).count())
        };
        assert_eq!(reached(false, "", 2), (6, 0));
        assert_eq!(reached(true, "", 2), (18, 18));
        assert_eq!(reached(true, "1:0", 1), (5, 5));
        assert_eq!(reached(true, "", 3), (36, 36));
    }
}

//! The flood for moves that remember something of their steps: by which way they went, whether they have changed it,
//! what they have used up.
//!
//! A node is a (space, gait) pair. A gait is all that a move still needs to know of the steps behind it. Where one gait
//! can do all that another can, a node on the lesser one is not looked at once the better has been there for as
//! little.

use super::{
    BorderId, Map, SpaceId,
    reach::{Exit, Exits, Flood, Ground, NOWHERE, Price, Reached, Seed},
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
    /// By gait: the gaits that can do all it can, itself not among them.
    pub better: Vec<Vec<u8>>,
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
    /// By way.
    pub exits: &'a [Exits],
    /// By number of the space: flags of [`Ground`].
    pub ground: &'a [Ground],
    /// By way, then by number of the space: what a step out of it can meet, if the space it leads into says so too;
    /// empty where nothing is met by the spaces alone.
    pub left: &'a [Vec<u8>],
    /// The same of the space that a step leads into.
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

/// The nodes of the gait that a flood goes on on.
struct GaitFront<'a> {
    best: &'a mut [u32],
    back: &'a mut [u32],
    buckets: &'a mut [Vec<u32>],
    shift: u32,
}

impl GaitFront<'_> {
    /// Goes on over borders that are priced beforehand, and alike: to all of them for the cost that `best` says.
    // Out of line: the loop needs the registers for itself.
    #[inline(never)]
    fn spread(&mut self, (node, best): (u32, u32), gait: u8, closed: &[u64], exits: &[Exit]) {
        let GaitFront { best: known, back, buckets, shift } = self;
        let bucket = &mut buckets[best as usize & 0xffff];
        for Exit { to, .. } in exits {
            let goal = to.0 << *shift | u32::from(gait);
            // Most borders lead back to where one could be for as little already.
            if best < known[goal as usize] && is_open(closed, *to) {
                known[goal as usize] = best;
                back[goal as usize] = node;
                bucket.push(goal);
            }
        }
    }

    /// Whether a space has been reached for as little on one of these gaits.
    #[inline]
    fn is_less(&self, space: SpaceId, better: &[u8], here: u32) -> bool {
        let gaits = &self.best[(space.0 << self.shift) as usize..][..1 << self.shift];
        better.iter().any(|other| gaits[usize::from(*other)] <= here)
    }
}

/// Whether a space is not in a bit set.
#[inline]
fn is_open(closed: &[u64], space: SpaceId) -> bool {
    closed[space.0 as usize / 64] >> (space.0 % 64) & 1 == 0
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
        let GaitField { map, gaits, exits, ground, left, met, closed, asks } = field;
        self.open(map.len(), gaits.len(), budget);
        let (mark, shift, Flood { best, back, listed, buckets, reached, .. }) = (self.mark, self.shift, self);
        let mut front = GaitFront { best, back, buckets, shift };
        let high = u32::from(mark) << 16;
        for seed in seeds.iter().filter(|s| s.cost <= budget) {
            let node = seed.space.0 << shift | u32::from(seed.way);
            let best = high | u32::from(seed.cost);
            if best < front.best[node as usize] {
                front.best[node as usize] = best;
                front.back[node as usize] = NOWHERE;
                front.buckets[seed.cost as usize].push(node);
            }
        }
        // Where the move stands already: no place to go to.
        let mut began: Vec<SpaceId> = seeds.iter().filter(|s| !s.entered).map(|s| s.space).collect();
        began.dedup();
        // By gait and way: the gait after a step that meets nothing, and whether that is all a step can come to.
        let ways = gaits.ways;
        let after: Vec<(u8, bool)> = (0..gaits.len() * ways)
            .map(|at| {
                let next = &gaits.next[at << MOST_MET..][..1 << MOST_MET];
                (next[0], next.iter().all(|n| *n == next[0]))
            })
            .collect();
        let least: u16 = exits.iter().map(|e| e.least).min().unwrap_or(0);
        for level in 0..=budget {
            let here = high | u32::from(level);
            let most = budget - level;
            let mut at = 0;
            while let Some(node) = front.buckets[level as usize].get(at).copied() {
                at += 1;
                if front.best[node as usize] != here {
                    continue; // reached more cheaply since
                }
                let (space, gait) = (SpaceId(node >> shift), (node & ((1 << shift) - 1)) as u8);
                let entered = front.back[node as usize] != NOWHERE || !began.contains(&space);
                if entered {
                    // On another gait one may come back to where one began.
                    if listed[space.0 as usize] != mark && !began.contains(&space) {
                        listed[space.0 as usize] = mark;
                        reached.push(Reached { space, way: gait, cost: level });
                    }
                    if ground[space.0 as usize].is(Ground::ENDS) {
                        continue;
                    }
                }
                // At the rim of a flood nothing more can be paid for.
                if least > most || front.is_less(space, &gaits.better[usize::from(gait)], here) {
                    continue;
                }
                if entered && ends.as_mut().is_some_and(|ends| ends(space)) {
                    continue;
                }
                let borders = map.borders_out(space);
                for (way, exits) in exits.iter().enumerate() {
                    if exits.least > most {
                        continue;
                    }
                    let (next, alike) = after[usize::from(gait) * ways + way];
                    let left = left.get(way).and_then(|left| left.get(space.0 as usize)).filter(|_| !alike);
                    let out = left.copied().unwrap_or(0);
                    if out == 0 && (alike || !asks) && next == NO_GAIT {
                        continue;
                    }
                    if out == 0 && exits.even && !asks {
                        let goal = (node, here + u32::from(exits.least));
                        front.spread(goal, next, &closed[usize::from(next)], &exits.list[borders.clone()]);
                        continue;
                    }
                    let met = met.get(way).filter(|met| !met.is_empty());
                    for border in borders.clone() {
                        let Exit { to, outside: mut cost, .. } = exits.list[border];
                        let mut meets = out & met.map_or(0, |met| met[to.0 as usize]);
                        if asks || cost == Exit::ASK {
                            let (price, more) = ask(GaitStep { gait, way, border: BorderId(border as u32), to });
                            let Price::Cost(priced) = price else { continue };
                            cost = priced;
                            meets |= more;
                        }
                        let gait = gaits.after(gait, way, meets);
                        if cost > most || gait == NO_GAIT {
                            continue;
                        }
                        let best = here + u32::from(cost);
                        let goal = to.0 << shift | u32::from(gait);
                        if best < front.best[goal as usize] && is_open(&closed[usize::from(gait)], to) {
                            front.best[goal as usize] = best;
                            front.back[goal as usize] = node;
                            front.buckets[usize::from(level + cost)].push(goal);
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
        let first = (space.0 << self.shift) as usize;
        let here = self.best.get(first..first + (1 << self.shift)).unwrap_or_default().iter().enumerate();
        let known = here.filter(|(_, best)| *best >> 16 == u32::from(self.mark));
        known.map(|(gait, best)| (gait as u8, (best & 0xffff) as u16)).collect()
    }

    /// The path to a space reached, with the gait on which each of its spaces was entered; the one it began on first.
    pub fn gaits_to(&self, space: SpaceId) -> Vec<(SpaceId, u8)> {
        let Some(end) = self.reached.iter().find(|r| r.space == space) else { return Vec::new() };
        let mut node = space.0 << self.shift | u32::from(end.way);
        let mut path = vec![(space, end.way)];
        while self.back[node as usize] != NOWHERE {
            node = self.back[node as usize];
            path.push((SpaceId(node >> self.shift), (node & ((1 << self.shift) - 1)) as u8));
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
        let exits = [2, 1].map(|cost| Exits::new((0..map.border_count() as u32).map(|at| exit(at, cost)).collect()));
        let ground = vec![Ground::default(); map.len()];
        let seed = Seed { space: map.find("0:0").expect("center"), way: 0, cost: 0, entered: false };
        let reached = |changes: bool, closed: &str, budget| {
            // Gait 0 begins, 1 is slow, 2 quick.
            let mut gaits = Gaits { ways: 2, next: vec![NO_GAIT; (3 * 2) << MOST_MET], better: vec![Vec::new(); 3] };
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
            let field = GaitField { map, gaits, exits, ground, left: &[], met: &[], closed, asks: false };
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

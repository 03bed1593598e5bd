//! One flood for everything that spreads over a map: movement, retreat, command, communications.
//!
//! Where nothing but the space matters, a node is a space; moves that have modes spread over (space, mode)
//! (`run_modes`), or over nodes where few spaces tell their modes apart ([`Nodes`](super::Nodes)). Costs are whole numbers
//! in the ruleset's smallest unit. The queue is a row of buckets, one for each cost, so nothing is ever sorted; marks are
//! stamped with the flood's number, so nothing is ever cleared.

use super::{
    Map, SpaceId,
    automaton::Mode,
    mode_field::is_in,
    modes::ModeFront,
    priced::{PricedExit, PricedExits, Steps},
};

/// What a flood spreads over.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a, S> {
    /// The map.
    pub map: &'a Map,
    /// The steps out of its nodes.
    pub steps: &'a S,
    /// By number of the space: the least that a step out of it can cost.
    pub least: &'a [u16],
    /// Spaces from which one may not go on, as a bit set.
    pub stops: &'a [u64],
    /// Spaces that may not be entered, as a bit set.
    pub closed: &'a [u64],
}

/// Where a flood begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    /// The space.
    pub space: SpaceId,
    /// The mode it begins in; the default where moves have none.
    pub mode: Mode,
    /// What has been spent to be there.
    pub cost: u16,
    /// Whether it was entered by this move, so that it counts as reached and may end the move.
    pub entered: bool,
}

/// A space reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// The space.
    pub space: SpaceId,
    /// Number of the mode in which it was reached for the least cost, in its search; 0 where moves have none, or do not tell
    /// it from others there.
    pub mode: u16,
    /// That cost.
    pub cost: u16,
}

pub(super) const NOWHERE: u32 = u32::MAX;

/// A flood and its memory; keep one and use it again.
#[derive(Debug, Default)]
pub struct Flood {
    mark: u16,
    /// By node, for what it was reached last: the flood's mark above, the cost below. Marks count down, so that
    /// whatever an earlier flood left is greater than anything this one can offer, and one comparison tells both
    /// "not yet" and "more dearly".
    best: Vec<u32>,
    /// By node, the node it was reached from.
    back: Vec<u32>,
    /// How many of the nodes are spaces.
    spaces: usize,
    /// Nodes that share their space with others, each with its mode; their numbers follow those of the spaces.
    shared: Vec<(SpaceId, u16)>,
    buckets: Vec<Vec<u32>>,
    /// Whether the last flood was one over modes, and how far it got.
    pub(super) by_modes: bool,
    pub(super) modes: ModeFront,
    /// Spaces reached, nearest first; each space once.
    pub reached: Vec<Reached>,
    /// Spaces that a move may pass through or leave the map from, and in which it may not end.
    pub passed: Vec<Reached>,
    /// Of a search over modes, once that has been looked at: the spaces in which the move may end in no mode, of those that it
    /// came to. A bit set; without words where there are none.
    pub no_ends: Option<Vec<u64>>,
}

/// Where a flood has got to.
struct Front<'a> {
    best: &'a mut [u32],
    back: &'a mut [u32],
    buckets: &'a mut [Vec<u32>],
    mark: u32,
    budget: u32,
}

impl Front<'_> {
    /// Shuts closed spaces, as if one were there for nothing: nobody comes there for less. A flood may begin there all the same.
    fn close(&mut self, spaces: usize, closed: &[u64], shared: &[(SpaceId, u16)]) {
        let Front { best, mark, .. } = self;
        let begun = *mark | u32::from(u16::MAX);
        let (of_spaces, of_shared) = best.split_at_mut(spaces);
        for (known, closed) in of_spaces.chunks_mut(64).zip(closed) {
            let mut rest = *closed;
            while rest != 0 {
                // A set may be the whole last word; the map ends before it.
                match known.get_mut(rest.trailing_zeros() as usize) {
                    Some(known) if *known > begun => *known = *mark,
                    _ => (),
                }
                rest &= rest - 1;
            }
        }
        for (known, (space, _)) in of_shared.iter_mut().zip(shared) {
            if *known > begun && is_in(closed, *space) {
                *known = *mark;
            }
        }
    }

    /// Goes on over every border that has a price.
    #[inline(always)]
    fn spread(&mut self, node: u32, level: u32, exits: &[PricedExit]) {
        let Front { best, back, buckets, mark, budget } = self;
        // Said once that both are as long, the loop looks at one length.
        let best = &mut **best;
        let back = &mut back[..best.len()];
        // Added and not put together: a price above the marks' room comes to more than anybody has left.
        let (here, beyond) = (*mark + level, *mark + *budget + 1);
        for exits in exits.chunks(u32::BITS as usize) {
            // Where few of several borders lead anywhere for less, nobody can foresee which: so all are looked at before
            // any is gone over.
            let mut better = 0u32;
            for (at, exit) in exits.iter().enumerate() {
                // Closed spaces are marked as if one were there for nothing.
                let known = best[exit.to as usize].min(beyond);
                better |= u32::from(here + u32::from(exit.cost) < known) << at;
            }
            while better != 0 {
                let exit = &exits[better.trailing_zeros() as usize];
                let (to, total) = (exit.to as usize, level + u32::from(exit.cost));
                best[to] = *mark + total;
                back[to] = node;
                buckets[total as usize].push(exit.to);
                better &= better - 1;
            }
        }
    }

    /// Whether a step out of a node at such a level could come where it leads for less than anyone yet, for the least that it
    /// may cost.
    #[inline]
    fn may_offer(&self, to: u32, level: u16, least: u16) -> bool {
        let total = u32::from(level) + u32::from(least);
        // Where it hangs on what is asked to which node it leads, it may come there.
        total <= self.budget && self.best.get(to as usize).is_none_or(|best| self.mark | total < *best)
    }

    /// Offers a step out of a node at such a level that costs so much, if it can be paid for.
    fn offer_within(&mut self, to: u32, level: u16, cost: u16, node: u32) {
        let total = level.saturating_add(cost);
        if u32::from(total) <= self.budget {
            self.offer(to, total, node);
        }
    }

    #[inline]
    fn offer(&mut self, node: u32, cost: u16, back: u32) {
        let best = self.mark | u32::from(cost);
        if best < self.best[node as usize] {
            self.best[node as usize] = best;
            self.back[node as usize] = back;
            self.buckets[cost as usize].push(node);
        }
    }
}

/// Whether a space of several nodes is where the move stands, or has been reached in another of them.
#[cold]
fn is_listed(space: SpaceId, seeds: &[Seed], reached: &[Reached]) -> bool {
    seeds.iter().any(|seed| !seed.entered && seed.space == space) || reached.iter().any(|r| r.space == space)
}

/// Prices a step out of a node that is not priced beforehand, and says to which node it leads; nothing where it is closed.
type Ask<'a> = dyn FnMut(u32, PricedExit) -> Option<(u32, u16)> + 'a;

/// Asked of every space entered, where the ground does not say it: true means that one may not go on from it.
type Ends<'a> = dyn FnMut(SpaceId) -> bool + 'a;

impl Flood {
    /// Spreads from the seeds while the cost stays within `budget`.
    ///
    /// With `minimum`, a step out of a seed that was not itself entered costs no more than the budget: one space
    /// may always be entered.
    // Out of line: its loops need the registers for themselves.
    #[inline(never)]
    pub fn run<S: Steps>(
        &mut self,
        field: Field<'_, S>,
        priced: &mut PricedExits,
        seeds: &[Seed],
        (budget, minimum): (u16, bool),
        ask: &mut Ask<'_>,
        mut ends: Option<&mut Ends<'_>>,
    ) {
        let Field { map, steps, least, stops, closed } = field;
        self.open(map.len(), steps.shared(), budget);
        let mark = self.mark;
        let Flood { best, back, buckets, reached, shared, .. } = self;
        let nodes = map.len() + shared.len();
        let (best, back) = (&mut best[..nodes], &mut back[..nodes]);
        let mut front = Front { best, back, buckets, mark: u32::from(mark) << 16, budget: u32::from(budget) };
        for seed in seeds.iter().filter(|seed| seed.cost <= budget) {
            if let Some(node) = steps.begins(seed) {
                front.offer(node, seed.cost, NOWHERE);
            }
        }
        front.close(map.len(), closed, shared);
        for level in 0..=budget {
            let here = front.mark | u32::from(level);
            let mut at = 0;
            while let Some(node) = front.buckets[level as usize].get(at).copied() {
                at += 1;
                if front.best[node as usize] != here {
                    continue; // reached more cheaply since
                }
                let is_space = (node as usize) < map.len();
                let (space, mode) = if is_space { (SpaceId(node), 0) } else { shared[node as usize - map.len()] };
                let entered =
                    front.back[node as usize] != NOWHERE || seeds.iter().any(|s| s.entered && s.space == space);
                if entered {
                    if is_space || !is_listed(space, seeds, reached) {
                        reached.push(Reached { space, mode, cost: level });
                    }
                    if is_in(stops, space) || ends.as_mut().is_some_and(|ends| ends(space)) {
                        continue;
                    }
                }
                let most = if minimum && !entered { budget } else { u16::MAX };
                // At the rim of a flood nothing more can be paid for.
                if u32::from(level) + u32::from(least[space.0 as usize].min(most)) > u32::from(budget) {
                    continue;
                }
                let (exits, known) = priced.out(map, steps, (node, space));
                let (known, asked) = exits.split_at(known);
                if most == u16::MAX {
                    front.spread(node, level.into(), known);
                } else {
                    known.iter().for_each(|exit| front.offer_within(exit.to, level, exit.cost.min(most), node));
                }
                for exit in asked {
                    // Where one could be for as little there is nothing to ask; closed spaces are among them.
                    if front.may_offer(exit.to, level, exit.cost.min(most))
                        && let Some((to, cost)) = ask(node, *exit)
                    {
                        front.offer_within(to, level, cost.min(most), node);
                    }
                }
            }
        }
    }

    fn open(&mut self, spaces: usize, shared: &[(SpaceId, u16)], budget: u16) {
        self.by_modes = false;
        let nodes = spaces + shared.len();
        if self.mark == 0 || self.best.len() < nodes {
            self.mark = u16::MAX;
            self.best.clear();
            self.best.resize(nodes, u32::MAX);
            self.back.resize(nodes, NOWHERE);
        }
        self.mark -= 1;
        self.reached.clear();
        self.shared.clear();
        self.shared.extend_from_slice(shared);
        self.spaces = spaces;
        if self.buckets.len() <= budget as usize {
            self.buckets.resize_with(budget as usize + 1, Vec::new);
        }
        for bucket in &mut self.buckets {
            bucket.clear();
        }
    }

    /// The spaces reached, of so many, as a bit set.
    pub fn set_of_reached(&self, spaces: usize) -> Vec<u64> {
        let mut set = vec![0; spaces.div_ceil(64)];
        self.reached.iter().for_each(|r| set[r.space.0 as usize / 64] |= 1 << (r.space.0 % 64));
        set
    }

    /// The least cost at which a space was reached.
    pub fn cost_of(&self, space: SpaceId) -> Option<u16> {
        self.reached.iter().find(|r| r.space == space).map(|r| r.cost)
    }

    /// The spaces from the seed to the one reached, both included; empty if it was not reached.
    pub fn path_to(&self, space: SpaceId) -> Vec<SpaceId> {
        if self.by_modes {
            let mut path: Vec<SpaceId> = self.modes_to(space).into_iter().map(|(space, _)| space).collect();
            path.dedup();
            return path;
        }
        let Some(end) = self.reached.iter().find(|r| r.space == space) else { return Vec::new() };
        let is_end = |shared: &(SpaceId, u16)| *shared == (end.space, end.mode);
        let end = self.shared.iter().position(is_end).map_or(space.0, |at| (self.spaces + at) as u32);
        let back = |node: &u32| Some(self.back[*node as usize]).filter(|back| *back != NOWHERE);
        let space_of = |node: u32| match (node as usize).checked_sub(self.spaces) {
            Some(at) => self.shared[at].0,
            None => SpaceId(node),
        };
        let mut path: Vec<SpaceId> = std::iter::successors(Some(end), back).map(space_of).collect();
        path.reverse();
        path
    }
}

impl Map {
    /// Every path of `longest` steps or fewer that leads farther from `from` with each step, through spaces
    /// where `may` holds. `visit` gets the path without its start, and says whether to go on from its end.
    pub fn paths_away(
        &self,
        from: SpaceId,
        longest: usize,
        may: &mut dyn FnMut(SpaceId) -> bool,
        visit: &mut dyn FnMut(&[SpaceId]) -> bool,
    ) {
        let far = self.distances_from(from);
        let mut path = Vec::with_capacity(longest);
        self.farther(&far, from, longest, &mut path, may, visit);
    }

    fn farther(
        &self,
        far: &[u16],
        at: SpaceId,
        longest: usize,
        path: &mut Vec<SpaceId>,
        may: &mut dyn FnMut(SpaceId) -> bool,
        visit: &mut dyn FnMut(&[SpaceId]) -> bool,
    ) {
        if path.len() == longest {
            return;
        }
        for to in self.near(at) {
            if far[to.0 as usize] > far[at.0 as usize] && may(to) {
                path.push(to);
                if visit(path) {
                    self.farther(far, to, longest, path, may, visit);
                }
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        diagnostic::Diagnostics,
        map::{self, Ends, Exit, Exits, Ground},
    };

    fn clear(radius: i32) -> Map {
        let mut found = Diagnostics::default();
        let text = format!("map: tiny\ngrid: {{ kind: axial, radius: {radius} }}\n");
        let node = crate::yaml::parse("tiny.yaml", &text, &mut found);
        let map = map::load(&node, &mut found);
        assert!(found.is_usable(), "{:?}", found.list);
        map.expect("a clear map loads")
    }

    fn reach(map: &Map, budget: u16, closed: &str, ends: &str) -> Vec<(String, u16)> {
        let mut flood = Flood::default();
        let seed = Seed { space: map.find("0:0").expect("center"), mode: Mode::default(), cost: 0, entered: false };
        // Half of the borders are priced beforehand, half are asked for: both must come to the same.
        let costs = |at: usize| [if at.is_multiple_of(2) { 2 } else { Exit::ASK }; Ends::ALL];
        let exits = Exits::new(map, &(0..map.border_count()).map(costs).collect::<Vec<_>>(), |_| 2);
        let word = |at: usize| {
            let shut = map.spaces().filter(|s| s.0 as usize / 64 == at && map.space(*s).name == closed);
            shut.fold(0, |word, space| word | 1u64 << (space.0 % 64))
        };
        let closed: Vec<u64> = (0..map.len().div_ceil(64)).map(word).collect();
        let least = vec![0; map.len()];
        let field = Field { map, steps: &exits, least: &least, stops: &[], closed: &closed };
        let mut priced = PricedExits::default();
        priced.lay(map, &exits, Ground::default());
        let mut ends_here = |at: SpaceId| map.space(at).name == ends;
        flood.run(
            field,
            &mut priced,
            &[seed],
            (budget, false),
            &mut |_, exit| Some((exit.to, 2)),
            Some(&mut ends_here),
        );
        flood.reached.iter().map(|r| (map.space(r.space).name.clone(), r.cost)).collect()
    }

    #[test]
    fn a_flood_reaches_all_within_the_budget_and_nothing_else() {
        let map = clear(4);
        assert_eq!(reach(&map, 2, "", "").len(), 6);
        assert_eq!(reach(&map, 5, "", "").len(), 18);
        assert_eq!(reach(&map, 6, "", "").len(), 36);
    }

    #[test]
    fn a_closed_space_is_gone_around_and_an_ending_one_is_entered_but_not_left() {
        let map = clear(4);
        let around = reach(&map, 6, "1:0", "");
        assert!(around.contains(&("2:0".into(), 6)));
        assert!(!around.iter().any(|(n, _)| n == "1:0"));
        let ended = reach(&map, 4, "", "1:0");
        assert!(ended.contains(&("1:0".into(), 2)));
        assert!(!ended.iter().any(|(n, _)| n == "2:0"));
    }

    #[test]
    fn paths_away_never_come_nearer() {
        let map = clear(4);
        let from = map.find("0:0").expect("center");
        let mut ends = Vec::new();
        map.paths_away(from, 2, &mut |_| true, &mut |path| {
            if path.len() == 2 {
                ends.push(map.distance(from, path[1]));
            }
            true
        });
        assert_eq!(ends.len(), 18); // 6 corners by one path, 6 sides by two
        assert!(ends.iter().all(|d| *d == 2));
    }
}

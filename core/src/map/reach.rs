//! One flood for everything that spreads over a map: movement, retreat, command, communications.
//!
//! A node is a (space, way) pair. Costs are whole numbers in the ruleset's smallest unit. The queue is a row
//! of buckets, one for each cost, so nothing is ever sorted; marks are stamped with the flood's number, so
//! nothing is ever cleared.

use super::{BorderId, Map, SpaceId};

/// What it costs to cross a border on a way, or why one may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// In the ruleset's smallest unit.
    Cost(u16),
    /// The way is closed.
    Closed,
}

/// Where a flood begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    /// The space.
    pub space: SpaceId,
    /// The way one is on.
    pub way: u8,
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
    /// The way on which it was reached for the least cost.
    pub way: u8,
    /// That cost.
    pub cost: u16,
}

const NOWHERE: u32 = u32::MAX;

/// A (space, way) pair: the flood that reached it last, for what, and from where.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    seen: u32,
    back: u32,
    cost: u16,
}

/// A flood and its memory; keep one and use it again.
#[derive(Debug, Default)]
pub struct Flood {
    ways: usize,
    stamp: u32,
    nodes: Vec<Node>,
    listed: Vec<u32>,
    buckets: Vec<Vec<u32>>,
    /// Spaces reached, nearest first; each space once.
    pub reached: Vec<Reached>,
}

impl Flood {
    /// Spreads from the seeds while the cost stays within `budget`.
    ///
    /// `price` is asked for every border out of a space that one may leave, for each way from `from_way` to
    /// `to_way` in `changes[from_way]` (a bit set). `ends` is asked once for every space entered: true means
    /// that one may not go on from it.
    #[allow(clippy::too_many_arguments, reason = "a flood is its rules; a struct would only rename them")]
    pub fn run(
        &mut self,
        map: &Map,
        changes: &[u8],
        seeds: &[Seed],
        budget: u16,
        mut price: impl FnMut(u8, u8, BorderId, SpaceId) -> Price,
        mut ends: impl FnMut(SpaceId) -> bool,
    ) {
        self.open(map.len(), changes.len().max(1), budget);
        for seed in seeds {
            if seed.cost <= budget {
                self.offer(seed.space, seed.way, seed.cost, NOWHERE);
            }
        }
        for level in 0..=budget {
            let mut at = 0;
            while at < self.buckets[level as usize].len() {
                let node = self.buckets[level as usize][at];
                at += 1;
                if self.nodes[node as usize].cost != level {
                    continue; // reached more cheaply since
                }
                let (space, way) = (SpaceId(node / self.ways as u32), (node % self.ways as u32) as u8);
                let is_seed = self.nodes[node as usize].back == NOWHERE;
                let entered = !is_seed || seeds.iter().any(|s| s.entered && s.space == space);
                if entered {
                    if self.listed[space.0 as usize] != self.stamp {
                        self.listed[space.0 as usize] = self.stamp;
                        self.reached.push(Reached { space, way, cost: level });
                    }
                    if ends(space) {
                        continue;
                    }
                }
                for border in map.out(space) {
                    let to = map.target(border);
                    let mut open = changes.get(way as usize).copied().unwrap_or(1);
                    while open != 0 {
                        let to_way = open.trailing_zeros() as u8;
                        open &= open - 1;
                        // A node reached for no more than is spent already cannot be improved.
                        let known = self.nodes[to.0 as usize * self.ways + to_way as usize];
                        if known.seen == self.stamp && known.cost <= level {
                            continue;
                        }
                        if let Price::Cost(step) = price(way, to_way, border, to) {
                            let total = level.saturating_add(step);
                            if total <= budget {
                                self.offer(to, to_way, total, node);
                            }
                        }
                    }
                }
            }
        }
    }

    fn open(&mut self, spaces: usize, ways: usize, budget: u16) {
        let nodes = spaces * ways;
        if self.nodes.len() < nodes || self.ways != ways {
            self.ways = ways;
            self.stamp = 0;
            self.nodes = vec![Node::default(); nodes];
            self.listed = vec![0; spaces];
        }
        if self.stamp == u32::MAX {
            self.nodes.fill(Node::default());
            self.listed.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.reached.clear();
        if self.buckets.len() <= budget as usize {
            self.buckets.resize_with(budget as usize + 1, Vec::new);
        }
        for bucket in &mut self.buckets {
            bucket.clear();
        }
    }

    #[inline]
    fn offer(&mut self, space: SpaceId, way: u8, cost: u16, back: u32) {
        let node = space.0 as usize * self.ways + way as usize;
        let known = &mut self.nodes[node];
        if known.seen == self.stamp && known.cost <= cost {
            return;
        }
        *known = Node { seen: self.stamp, back, cost };
        self.buckets[cost as usize].push(node as u32);
    }

    /// The least cost at which a space was reached.
    pub fn cost_of(&self, space: SpaceId) -> Option<u16> {
        self.reached.iter().find(|r| r.space == space).map(|r| r.cost)
    }

    /// The spaces from the seed to the one reached, both included; empty if it was not reached.
    pub fn path_to(&self, space: SpaceId) -> Vec<SpaceId> {
        let Some(end) = self.reached.iter().find(|r| r.space == space) else { return Vec::new() };
        let mut node = space.0 * self.ways as u32 + u32::from(end.way);
        let mut path = vec![space];
        while self.nodes[node as usize].back != NOWHERE {
            node = self.nodes[node as usize].back;
            path.push(SpaceId(node / self.ways as u32));
        }
        path.reverse();
        path
    }
}

impl Map {
    /// Every path of `longest` steps or fewer that leads farther from `from` with each step, through spaces
    /// where `may` holds. `visit` gets the path without its start.
    pub fn paths_away(
        &self,
        from: SpaceId,
        longest: usize,
        may: &mut dyn FnMut(SpaceId) -> bool,
        visit: &mut dyn FnMut(&[SpaceId]),
    ) {
        let far = self.distances_to(from);
        let mut path = Vec::with_capacity(longest);
        self.farther(far, from, longest, &mut path, may, visit);
    }

    fn farther(
        &self,
        far: &[u16],
        at: SpaceId,
        longest: usize,
        path: &mut Vec<SpaceId>,
        may: &mut dyn FnMut(SpaceId) -> bool,
        visit: &mut dyn FnMut(&[SpaceId]),
    ) {
        if path.len() == longest {
            return;
        }
        for to in self.near(at) {
            if far[to.0 as usize] > far[at.0 as usize] && may(to) {
                path.push(to);
                visit(path);
                self.farther(far, to, longest, path, may, visit);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostic::Diagnostics, map};

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
        let seed = Seed { space: map.find("0:0").expect("center"), way: 0, cost: 0, entered: false };
        flood.run(
            map,
            &[1],
            &[seed],
            budget,
            |_, _, _, to| if map.space(to).name == closed { Price::Closed } else { Price::Cost(2) },
            |at| map.space(at).name == ends,
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
        });
        assert_eq!(ends.len(), 18); // 6 corners by one path, 6 sides by two
        assert!(ends.iter().all(|d| *d == 2));
    }
}

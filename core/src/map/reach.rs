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

/// A border out of a space with its cost worked out beforehand, as it mostly can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// Where it leads.
    pub to: SpaceId,
    /// The cost while the space entered is not marked [`Ground::ZONE`].
    pub outside: u16,
    /// The cost while it is.
    pub inside: u16,
}

impl Exit {
    /// In place of a cost: it must be asked for.
    pub const ASK: u16 = u16::MAX;

    #[inline]
    fn must_be_asked(self, ground: Ground) -> bool {
        let cost = if ground.is(Ground::ZONE) { self.inside } else { self.outside };
        (cost == Exit::ASK || ground.is(Ground::ASK)) && !ground.is(Ground::CLOSED)
    }
}

/// What a flood must know of a space before it looks at what it costs to enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ground(pub u8);

impl Ground {
    /// It may not be entered.
    pub const CLOSED: u8 = 1;
    /// The cost of entering it is the one inside the zone.
    pub const ZONE: u8 = 2;
    /// Whether it may be entered, or for what, must be asked each time.
    pub const ASK: u8 = 4;
    /// One may not go on from it.
    pub const ENDS: u8 = 8;

    #[inline]
    fn is(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// What a flood spreads over.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// The map.
    pub map: &'a Map,
    /// By number of the border.
    pub exits: &'a [Exit],
    /// By number of the space: the least that a step out of it can cost.
    pub least: &'a [u16],
    /// By number of the space.
    pub ground: &'a [Ground],
    /// `changes[w]`: a bit set of the ways one may be on after a step begun on `w`.
    pub changes: &'a [u8],
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

/// A (space, way) pair: for what it was reached last, and from where.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The flood's mark above, the cost below. Marks count down, so that whatever an earlier flood left is
    /// greater than anything this one can offer, and one comparison tells both "not yet" and "more dearly".
    best: u32,
    back: u32,
}

impl Node {
    const UNSEEN: Node = Node { best: u32::MAX, back: NOWHERE };

    fn cost(self) -> u16 {
        self.best as u16
    }
}

/// A flood and its memory; keep one and use it again.
#[derive(Debug, Default)]
pub struct Flood {
    ways: usize,
    mark: u16,
    nodes: Vec<Node>,
    listed: Vec<u16>,
    buckets: Vec<Vec<u32>>,
    /// Spaces reached, nearest first; each space once.
    pub reached: Vec<Reached>,
}

/// A node that a flood goes on from.
#[derive(Clone, Copy)]
struct Here {
    node: u32,
    level: u32,
    budget: u32,
    /// No step costs more.
    most: u16,
}

/// Where a flood has got to.
struct Front<'a> {
    nodes: &'a mut [Node],
    buckets: &'a mut [Vec<u32>],
    mark: u32,
}

impl Front<'_> {
    /// Goes on over every border that is priced beforehand; such borders keep to one way. False where there are
    /// others, which must be asked for.
    // Out of line: the loop needs the registers for itself.
    #[inline(never)]
    fn spread(&mut self, here: Here, exits: &[Exit], ground: &[Ground]) -> bool {
        let mut is_all = true;
        for exit in exits {
            // Most borders lead back to where one could be for as little already.
            if self.nodes[exit.to.0 as usize].best <= self.mark | here.level {
                continue;
            }
            let ground = ground[exit.to.0 as usize];
            if ground.is(Ground::CLOSED) {
                continue;
            }
            if exit.must_be_asked(ground) {
                is_all = false;
                continue;
            }
            let cost = if ground.is(Ground::ZONE) { exit.inside } else { exit.outside };
            let total = here.level + u32::from(cost.min(here.most));
            if total <= here.budget {
                self.offer(exit.to.0, total as u16, here.node);
            }
        }
        is_all
    }

    #[inline]
    fn offer(&mut self, node: u32, cost: u16, back: u32) {
        let best = self.mark | u32::from(cost);
        let known = &mut self.nodes[node as usize];
        if best < known.best {
            *known = Node { best, back };
            self.buckets[cost as usize].push(node);
        }
    }
}

impl Flood {
    /// Spreads from the seeds while the cost stays within `budget`.
    ///
    /// With `minimum`, a step out of a seed that was not itself entered costs no more than the budget: one space
    /// may always be entered. `ask` prices a border whose cost is not known beforehand, given the way before and
    /// after. `ends` is asked of every space entered, where the ground does not say it: true means that one may
    /// not go on from it.
    // Out of line, and the closures behind pointers: the loop below needs the registers for itself.
    #[inline(never)]
    pub fn run(
        &mut self,
        field: Field<'_>,
        seeds: &[Seed],
        budget: u16,
        minimum: bool,
        ask: &mut dyn FnMut(u8, u8, BorderId, SpaceId) -> Price,
        mut ends: Option<&mut dyn FnMut(SpaceId) -> bool>,
    ) {
        let Field { map, exits, least, ground, changes } = field;
        self.open(map.len(), changes.len().max(1), budget);
        let (ways, mark) = (self.ways as u32, self.mark);
        let Flood { nodes, listed, buckets, reached, .. } = self;
        let listed = listed.as_mut_slice();
        let mut front = Front { nodes, buckets, mark: u32::from(mark) << 16 };
        for seed in seeds {
            if seed.cost <= budget {
                front.offer(seed.space.0 * ways + u32::from(seed.way), seed.cost, NOWHERE);
            }
        }
        for level in 0..=budget {
            let mut at = 0;
            while let Some(node) = front.buckets[level as usize].get(at).copied() {
                at += 1;
                let known = front.nodes[node as usize];
                if known.cost() != level {
                    continue; // reached more cheaply since
                }
                let (space, way) = if ways == 1 { (node, 0) } else { (node / ways, (node % ways) as u8) };
                let space = SpaceId(space);
                let entered = known.back != NOWHERE || seeds.iter().any(|s| s.entered && s.space == space);
                if entered {
                    // On another way one may come back to where one began; that is no place to move to.
                    let is_start = ways > 1 && seeds.iter().any(|s| !s.entered && s.space == space);
                    if listed[space.0 as usize] != mark && !is_start {
                        listed[space.0 as usize] = mark;
                        reached.push(Reached { space, way, cost: level });
                    }
                    if ground[space.0 as usize].is(Ground::ENDS) || ends.as_mut().is_some_and(|ends| ends(space)) {
                        continue;
                    }
                }
                let most = if minimum && !entered { budget } else { Exit::ASK };
                // At the rim of a flood nothing more can be paid for.
                if u32::from(level) + u32::from(least[space.0 as usize].min(most)) > u32::from(budget) {
                    continue;
                }
                let borders = map.borders_out(space);
                let here = Here { node, level: u32::from(level), budget: u32::from(budget), most };
                if ways == 1 && front.spread(here, &exits[borders.clone()], ground) {
                    continue;
                }
                let open = changes.get(way as usize).copied().unwrap_or(1);
                for border in borders {
                    let exit = exits[border];
                    let mut open = if exit.must_be_asked(ground[exit.to.0 as usize]) { open } else { 0 };
                    while open != 0 {
                        let to_way = open.trailing_zeros() as u8;
                        open &= open - 1;
                        if let Price::Cost(step) = ask(way, to_way, BorderId(border as u32), exit.to) {
                            let total = level.saturating_add(step.min(most));
                            if total <= budget {
                                front.offer(exit.to.0 * ways + u32::from(to_way), total, node);
                            }
                        }
                    }
                }
            }
        }
    }

    fn open(&mut self, spaces: usize, ways: usize, budget: u16) {
        let nodes = spaces * ways;
        if self.mark == 0 || self.nodes.len() < nodes || self.ways != ways {
            self.ways = ways;
            self.mark = u16::MAX;
            self.nodes.clear();
            self.nodes.resize(nodes, Node::UNSEEN);
            self.listed.clear();
            self.listed.resize(spaces, u16::MAX);
        }
        self.mark -= 1;
        self.reached.clear();
        if self.buckets.len() <= budget as usize {
            self.buckets.resize_with(budget as usize + 1, Vec::new);
        }
        for bucket in &mut self.buckets {
            bucket.clear();
        }
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
        let far = self.distances_from(from);
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
        // Half of the borders are priced beforehand, half are asked for: both must come to the same.
        let exit = |at: u32| {
            let cost = if at.is_multiple_of(2) { 2 } else { Exit::ASK };
            Exit { to: map.target(BorderId(at)), outside: cost, inside: Exit::ASK }
        };
        let exits: Vec<Exit> = (0..map.border_count() as u32).map(exit).collect();
        let closed_or_not = |s: SpaceId| Ground(if map.space(s).name == closed { Ground::CLOSED } else { 0 });
        let ground: Vec<Ground> = map.spaces().map(closed_or_not).collect();
        let least = vec![0; map.len()];
        let field = Field { map, exits: &exits, least: &least, ground: &ground, changes: &[1] };
        let mut ends_here = |at: SpaceId| map.space(at).name == ends;
        flood.run(field, &[seed], budget, false, &mut |_, _, _, _| Price::Cost(2), Some(&mut ends_here));
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
    fn a_flood_on_two_ways_keeps_them_apart_and_changes_where_it_may() {
        let map = clear(4);
        let exit = |at: u32| Exit { to: map.target(BorderId(at)), outside: Exit::ASK, inside: Exit::ASK };
        let exits: Vec<Exit> = (0..map.border_count() as u32).map(exit).collect();
        let (ground, least) = (vec![Ground(0); map.len()], vec![1; map.len()]);
        let seed = Seed { space: map.find("0:0").expect("center"), way: 0, cost: 0, entered: false };
        // The second way costs half as much; one may go over to it, and not come back.
        let reached = |changes: &[u8], budget| {
            let field = Field { map: &map, exits: &exits, least: &least, ground: &ground, changes };
            let mut flood = Flood::default();
            let mut price = |_, to_way, _, _| Price::Cost(if to_way == 0 { 2 } else { 1 });
            flood.run(field, &[seed], budget, false, &mut price, None);
            (flood.reached.len(), flood.reached.iter().filter(|r| r.way == 1).count())
        };
        assert_eq!(reached(&[0b01, 0b10], 2), (6, 0));
        assert_eq!(reached(&[0b11, 0b10], 2), (18, 18));
        assert_eq!(reached(&[0b11, 0b10], 3), (36, 36));
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

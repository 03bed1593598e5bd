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
    fn cost(self, ground: Ground) -> u16 {
        if ground.is(Ground::ZONE) { self.inside } else { self.outside }
    }
}

/// What a flood must know of a space before it looks at what it costs to enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ground(pub u8);

impl Ground {
    /// The cost of entering it is the one inside the zone.
    pub const ZONE: u8 = 1;
    /// One may not go on from it.
    pub const ENDS: u8 = 2;

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
    /// Whether any ground lies in the zone.
    pub zoned: bool,
    /// Spaces that may not be entered.
    pub closed: &'a [SpaceId],
    /// Whether every step must be asked for, those priced beforehand too.
    pub asks: bool,
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

/// Where a flood has got to.
struct Front<'a> {
    nodes: &'a mut [Node],
    buckets: &'a mut [Vec<u32>],
    mark: u32,
    budget: u32,
}

impl Front<'_> {
    /// Goes on over every border that is priced beforehand; such borders keep to one way. False where there are
    /// others, which must be asked for. `ZONED`: whether any ground lies in the zone.
    // Out of line: the loop needs the registers for itself.
    #[inline(never)]
    fn spread<const ZONED: bool>(&mut self, node: u32, level: u32, exits: &[Exit], ground: &[Ground]) -> bool {
        let mut is_all = true;
        let floor = self.mark | level;
        for exit in exits {
            let to = exit.to.0 as usize;
            // Most borders lead back to where one could be for as little already, and looking at the ground costs more.
            if ZONED && self.nodes[to].best <= floor {
                continue;
            }
            let cost = if ZONED { exit.cost(ground[to]) } else { exit.outside };
            let total = level + u32::from(cost);
            if total > self.budget {
                is_all &= cost != Exit::ASK;
                continue;
            }
            // Closed spaces are marked as if one were there for nothing.
            let best = self.mark | total;
            let known = &mut self.nodes[to];
            if best < known.best {
                *known = Node { best, back: node };
                self.buckets[total as usize].push(exit.to.0);
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

/// Prices a border whose cost is not known beforehand, given the way before and after.
type Ask<'a> = dyn FnMut(u8, u8, BorderId, SpaceId) -> Price + 'a;

/// Asked of every space entered, where the ground does not say it: true means that one may not go on from it.
type Ends<'a> = dyn FnMut(SpaceId) -> bool + 'a;

impl Flood {
    /// Spreads from the seeds while the cost stays within `budget`.
    ///
    /// With `minimum`, a step out of a seed that was not itself entered costs no more than the budget: one space
    /// may always be entered.
    pub fn run(
        &mut self,
        field: Field<'_>,
        seeds: &[Seed],
        budget: u16,
        minimum: bool,
        ask: &mut Ask<'_>,
        ends: Option<&mut Ends<'_>>,
    ) {
        self.open(field.map.len(), field.changes.len().max(1), budget);
        // Most movers have one way; a flood that knows it need not tell ways apart.
        if self.ways == 1 {
            self.fill::<true>(field, seeds, budget, minimum, ask, ends);
        } else {
            self.fill::<false>(field, seeds, budget, minimum, ask, ends);
        }
    }

    // Out of line, and the closures behind pointers: the loop below needs the registers for itself.
    #[inline(never)]
    fn fill<const ONE_WAY: bool>(
        &mut self,
        field: Field<'_>,
        seeds: &[Seed],
        budget: u16,
        minimum: bool,
        ask: &mut Ask<'_>,
        mut ends: Option<&mut Ends<'_>>,
    ) {
        let Field { map, exits, least, ground, zoned, closed, asks, changes } = field;
        let ways = if ONE_WAY { 1 } else { self.ways as u32 };
        let mark = self.mark;
        let Flood { nodes, listed, buckets, reached, .. } = self;
        let mut front = Front { nodes, buckets, mark: u32::from(mark) << 16, budget: u32::from(budget) };
        for seed in seeds {
            if seed.cost <= budget {
                front.offer(seed.space.0 * ways + u32::from(seed.way), seed.cost, NOWHERE);
            }
        }
        // As if one were there for nothing: nobody comes there for less. A flood may begin there all the same.
        for node in closed.iter().flat_map(|space| space.0 * ways..(space.0 + 1) * ways) {
            let known = &mut front.nodes[node as usize];
            if known.best > front.mark | u32::from(u16::MAX) {
                known.best = front.mark;
            }
        }
        for level in 0..=budget {
            let here = front.mark | u32::from(level);
            let mut at = 0;
            while let Some(node) = front.buckets[level as usize].get(at).copied() {
                at += 1;
                let known = front.nodes[node as usize];
                if known.best != here {
                    continue; // reached more cheaply since
                }
                let (space, way) = if ONE_WAY { (node, 0) } else { (node / ways, (node % ways) as u8) };
                let space = SpaceId(space);
                let entered = known.back != NOWHERE || seeds.iter().any(|s| s.entered && s.space == space);
                let ground_here = ground[space.0 as usize];
                if entered {
                    // On another way one may come back to where one began; that is no place to move to.
                    let is_new = ONE_WAY
                        || listed[space.0 as usize] != mark && !seeds.iter().any(|s| !s.entered && s.space == space);
                    if is_new {
                        if !ONE_WAY {
                            listed[space.0 as usize] = mark;
                        }
                        reached.push(Reached { space, way, cost: level });
                    }
                    if ground_here.is(Ground::ENDS) || ends.as_mut().is_some_and(|ends| ends(space)) {
                        continue;
                    }
                }
                let most = if minimum && !entered { budget } else { Exit::ASK };
                let least = least[space.0 as usize].min(most);
                // At the rim of a flood nothing more can be paid for.
                if u32::from(level) + u32::from(least) > u32::from(budget) {
                    continue;
                }
                let borders = map.borders_out(space);
                // A first step that costs less than it says is taken below.
                if ONE_WAY && !asks && most == Exit::ASK {
                    let (level, exits) = (u32::from(level), &exits[borders.clone()]);
                    let is_all = if zoned {
                        front.spread::<true>(node, level, exits, ground)
                    } else {
                        front.spread::<false>(node, level, exits, ground)
                    };
                    if is_all {
                        continue;
                    }
                }
                let open = changes.get(way as usize).copied().unwrap_or(1);
                for border in borders {
                    let exit = exits[border];
                    let cost = exit.cost(ground[exit.to.0 as usize]);
                    let is_asked = asks || cost == Exit::ASK;
                    if ONE_WAY && !is_asked {
                        let total = level.saturating_add(cost.min(most));
                        if total <= budget {
                            front.offer(exit.to.0, total, node);
                        }
                    }
                    let mut open = if is_asked { open } else { 0 };
                    while open != 0 {
                        let to_way = open.trailing_zeros() as u8;
                        open &= open - 1;
                        let to = exit.to.0 * ways + u32::from(to_way);
                        // Where one could be for nothing there is nothing to ask; closed spaces are among them.
                        if front.nodes[to as usize].best <= here {
                            continue;
                        }
                        if let Price::Cost(step) = ask(way, to_way, BorderId(border as u32), exit.to) {
                            let total = level.saturating_add(step.min(most));
                            if total <= budget {
                                front.offer(to, total, node);
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
        let closed: Vec<SpaceId> = map.spaces().filter(|s| map.space(*s).name == closed).collect();
        let (ground, least) = (vec![Ground(0); map.len()], vec![0; map.len()]);
        let (exits, least, ground, closed) = (&exits, &least, &ground, closed.as_slice());
        let field = Field { map, exits, least, ground, zoned: false, closed, asks: false, changes: &[1] };
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
            let (map, exits, least, ground) = (&map, &exits, &least, &ground);
            let field = Field { map, exits, least, ground, zoned: false, closed: &[], asks: false, changes };
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

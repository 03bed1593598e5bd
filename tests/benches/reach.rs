//! How far a unit gets: our flood beside the libraries that do the like, and beside a bare array, on equal work. Every
//! contender must come to the same spaces for the same costs before it is measured.
//!
//! Two tasks on random ground, an allowance of 8, from 100 starts: "with stops" has streams on borders and spaces that
//! end a move (zones of control); "plain" has neither, because not every library can say them. Ours always keeps the
//! way back. Read ratios inside one run.
#![allow(clippy::disallowed_types, reason = "a library that is measured answers in them, and only their size is read")]

use std::collections::{HashMap, HashSet};

use countermarch_core::{
    diagnostic::Diagnostics,
    map::{self, BorderId, Ends, Exits, Field, Flood, Ground, Map, Mode, PricedExits, Seed, SpaceId},
    yaml,
};
use divan::Bencher;
use hexx::{Hex, algorithms::field_of_movement};
use pathfinding::prelude::dijkstra_reach;
use petgraph::{
    algo::dijkstra,
    graph::{DiGraph, NodeIndex},
    visit::{EdgeFiltered, EdgeRef, NodeFiltered},
};

/// The same as in the binary that is measured.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const ALLOWANCE: u16 = 8;
const STARTS: u32 = 100;

/// Ground for everybody: each contender has it in the form it likes best.
struct Country {
    map: Map,
    exits: Exits,
    least: Vec<u16>,
    stops: Vec<bool>,
    /// The same as a bit set.
    stopping: Vec<u64>,
    /// By space: neighbours and what a step there costs, as a list and as fixed arrays.
    steps: Vec<Vec<(u32, u16)>>,
    arrays: Vec<([u32; 6], [u8; 6])>,
    graph: DiGraph<(), u16>,
    hexes: Vec<Hex>,
    cost_of: HashMap<Hex, u32>,
}

/// A number from 0 to 99 that depends on nothing but its arguments.
fn chance(what: u64, of: u64) -> u64 {
    let mut x = (what << 40 ^ of).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) % 100
}

impl Country {
    fn new(spaces: u32, with_stops: bool) -> Country {
        let (rows, columns) = if spaces == 2_500 { (50, 50) } else { (250, 400) };
        let text = format!("map: country\ngrid: {{ kind: hex, rows: {rows}, columns: {columns}, even-rows: east }}\n");
        let mut found = Diagnostics::default();
        let map = map::load(&yaml::parse("country.yaml", &text, &mut found), &mut found).expect("a map");
        // Woods cost 2, rough ground 3; a stream costs 1 more.
        let ground_cost = |space: u32| match chance(1, space.into()) {
            0..60 => 1,
            60..88 => 2,
            _ => 3,
        };
        let stream = |a: u32, b: u32| with_stops && chance(2, u64::from(a.min(b)) << 20 | u64::from(a.max(b))) < 12;
        let cost = |from: u32, to: u32| ground_cost(to) + u16::from(stream(from, to));
        let all: Vec<u32> = map.spaces().map(|s| s.0).collect();
        let steps: Vec<Vec<(u32, u16)>> =
            all.iter().map(|s| map.near(SpaceId(*s)).map(|to| (to.0, cost(*s, to.0))).collect()).collect();
        let over = |at: usize| cost(map.source(BorderId(at as u32)).0, map.target(BorderId(at as u32)).0);
        let costs: Vec<_> = (0..map.border_count()).map(|at| [over(at); Ends::ALL]).collect();
        let exits = Exits::new(&map, &costs, over);
        let least = steps.iter().map(|list| list.iter().map(|(_, cost)| *cost).min().unwrap_or(1)).collect();
        let stops: Vec<bool> = all.iter().map(|s| with_stops && chance(3, u64::from(*s)) < 10).collect();
        let word = |stops: &[bool]| stops.iter().rev().fold(0, |word, stop| word << 1 | u64::from(*stop));
        let stopping = stops.chunks(64).map(word).collect();
        let array = |list: &Vec<(u32, u16)>| {
            let (mut to, mut costs) = ([0; 6], [u8::MAX; 6]);
            for (at, (space, cost)) in list.iter().enumerate() {
                (to[at], costs[at]) = (*space, *cost as u8);
            }
            (to, costs)
        };
        let arrays = steps.iter().map(array).collect();
        let mut graph = DiGraph::new();
        all.iter().for_each(|_| {
            graph.add_node(());
        });
        for (from, list) in steps.iter().enumerate() {
            for (to, cost) in list {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(*to as usize), *cost);
            }
        }
        // Rows of a staggered grid as axial numbers.
        let hex = |space: &u32| {
            let center = map.space(SpaceId(*space)).center;
            Hex::new((center.x - center.y).div_euclid(2), center.y)
        };
        let hexes: Vec<Hex> = all.iter().map(hex).collect();
        let cost_of = hexes.iter().zip(&all).map(|(hex, space)| (*hex, u32::from(ground_cost(*space)))).collect();
        Country { map, exits, least, stops, stopping, steps, arrays, graph, hexes, cost_of }
    }

    fn starts(&self) -> impl Iterator<Item = u32> + '_ {
        let spaces = self.map.len() as u32;
        (0..STARTS).map(move |at| (at * 7919 + spaces / 2) % spaces)
    }

    fn ours(&self, (flood, priced): &mut (Flood, PricedExits), start: u32) -> usize {
        let Country { map, exits, least, stopping, .. } = self;
        let field = Field { map, steps: exits, least, stops: stopping, closed: &[] };
        priced.lay(map, exits, Ground::default());
        let seed = Seed { space: SpaceId(start), mode: Mode::default(), cost: 0, entered: false };
        flood.run(field, priced, &[seed], (ALLOWANCE, false), &mut |_, _| None, None);
        flood.reached.len()
    }

    fn with_petgraph(&self, start: u32) -> Vec<(u32, u16)> {
        let from = self.map.space(SpaceId(start)).center;
        let is_near = |node: NodeIndex| {
            let at = self.map.space(SpaceId(node.index() as u32)).center;
            let (dx, dy) = ((at.x - from.x).abs(), (at.y - from.y).abs());
            dy + (dx - dy).max(0) / 2 <= i32::from(ALLOWANCE)
        };
        let near = NodeFiltered::from_fn(&self.graph, is_near);
        let goes_on = |source: usize| source == start as usize || !self.stops[source];
        let open = EdgeFiltered::from_fn(&near, |edge| goes_on(edge.source().index()));
        let costs = dijkstra(&open, NodeIndex::new(start as usize), None, |edge| *edge.weight());
        let reached = costs.into_iter().filter(|(_, cost)| *cost <= ALLOWANCE);
        reached.map(|(node, cost)| (node.index() as u32, cost)).filter(|(space, _)| *space != start).collect()
    }

    fn with_pathfinding(&self, start: u32) -> Vec<(u32, u16)> {
        let next = |space: &u32| {
            let goes_on = *space == start || !self.stops[*space as usize];
            let list: &[(u32, u16)] = if goes_on { &self.steps[*space as usize] } else { &[] };
            list.iter().copied()
        };
        let reached = dijkstra_reach(&start, |space| next(space)).take_while(|found| found.total_cost <= ALLOWANCE);
        reached.map(|found| (found.node, found.total_cost)).filter(|(space, _)| *space != start).collect()
    }

    fn with_hexx(&self, start: u32) -> HashSet<Hex> {
        let cost = |hex: Hex| self.cost_of.get(&hex).map(|cost| cost - 1);
        field_of_movement(self.hexes[start as usize], ALLOWANCE.into(), cost).into_iter().collect()
    }

    /// What costs nothing but the flood itself: no names, no rules. With `WAYS` it hands over what ours does: the way
    /// back to the start, and a list of what was reached, nearest first.
    fn bare<const WAYS: bool>(&self, bare: &mut Bare, start: u32) -> usize {
        bare.touched.drain(..).for_each(|space| bare.best[space as usize] = u8::MAX);
        bare.reached.clear();
        bare.best[start as usize] = 0;
        bare.touched.push(start);
        bare.buckets[0].push(start);
        for level in 0..=ALLOWANCE as u8 {
            let mut at = 0;
            while let Some(space) = bare.buckets[level as usize].get(at).copied() {
                at += 1;
                if bare.best[space as usize] != level {
                    continue;
                }
                if WAYS && space != start {
                    bare.reached.push((space, level));
                }
                if self.stops[space as usize] && space != start {
                    continue;
                }
                let (to, costs) = &self.arrays[space as usize];
                for (to, cost) in to.iter().zip(costs) {
                    let total = level.saturating_add(*cost);
                    if total <= ALLOWANCE as u8 && total < bare.best[*to as usize] {
                        if bare.best[*to as usize] == u8::MAX {
                            bare.touched.push(*to);
                        }
                        bare.best[*to as usize] = total;
                        if WAYS {
                            bare.back[*to as usize] = space;
                        }
                        bare.buckets[total as usize].push(*to);
                    }
                }
            }
            bare.buckets[level as usize].clear();
        }
        bare.touched.len() - 1
    }

    /// Everybody comes to the same spaces for the same costs.
    fn check(&self, with_stops: bool) {
        let (mut memory, mut bare) = (<(Flood, PricedExits)>::default(), Bare::new(self.map.len()));
        for start in self.starts() {
            self.ours(&mut memory, start);
            let flood = &memory.0;
            let mut ours: Vec<(u32, u16)> = flood.reached.iter().map(|r| (r.space.0, r.cost)).collect();
            ours.sort_unstable();
            for mut theirs in [self.with_petgraph(start), self.with_pathfinding(start)] {
                theirs.sort_unstable();
                assert_eq!(ours, theirs, "from {start}");
            }
            assert_eq!(self.bare::<true>(&mut bare, start), ours.len(), "from {start}");
            let back = |space: u32| flood.path_to(SpaceId(space)).iter().rev().nth(1).map(|s| s.0);
            let is_no_dearer = |(space, cost): &(u32, u16)| {
                let before = |from: u32| if from == start { 0 } else { u16::from(bare.best[from as usize]) };
                let step = |from: u32| self.steps[from as usize].iter().find(|(to, _)| to == space).map(|(_, c)| *c);
                [Some(bare.back[*space as usize]), back(*space)]
                    .iter()
                    .flatten()
                    .all(|from| step(*from).is_some_and(|step| before(*from) + step == *cost))
            };
            assert!(ours.iter().all(is_no_dearer), "the ways back cost the same, from {start}");
            assert_eq!(self.bare::<false>(&mut bare, start), ours.len(), "from {start}");
            assert!(ours.iter().all(|(space, cost)| u16::from(bare.best[*space as usize]) == *cost), "from {start}");
            if !with_stops {
                let mut theirs = self.with_hexx(start);
                theirs.remove(&self.hexes[start as usize]);
                let ours: HashSet<Hex> = ours.iter().map(|(space, _)| self.hexes[*space as usize]).collect();
                assert_eq!(ours, theirs, "from {start}");
            }
            for (space, cost) in &ours {
                let path = flood.path_to(SpaceId(*space));
                let spent = |pair: &[SpaceId]| {
                    let list = &self.steps[pair[0].0 as usize];
                    list.iter().find(|(to, _)| *to == pair[1].0).expect("a step").1
                };
                assert_eq!(path.windows(2).map(spent).sum::<u16>(), *cost, "the way to {space} costs what it says");
            }
        }
    }
}

struct Bare {
    best: Vec<u8>,
    back: Vec<u32>,
    reached: Vec<(u32, u8)>,
    touched: Vec<u32>,
    buckets: Vec<Vec<u32>>,
}

impl Bare {
    fn new(spaces: usize) -> Bare {
        Bare {
            best: vec![u8::MAX; spaces],
            back: vec![0; spaces],
            reached: Vec::new(),
            touched: Vec::new(),
            buckets: vec![Vec::new(); ALLOWANCE as usize + 1],
        }
    }
}

const SPACES: [u32; 2] = [2_500, 100_000];

/// From each start in turn, and how many spaces were reached in all.
fn from_all(country: &Country, mut reach: impl FnMut(u32) -> usize) -> usize {
    country.starts().map(&mut reach).sum()
}

macro_rules! contenders {
    ($module:ident, $stops:expr, { $($name:ident: $reach:expr;)* }) => {
        mod $module {
            use super::*;

            #[divan::bench(args = SPACES)]
            fn ours(bencher: Bencher<'_, '_>, spaces: u32) {
                let country = Country::new(spaces, $stops);
                country.check($stops);
                let mut memory = <(Flood, PricedExits)>::default();
                bencher.bench_local(|| from_all(&country, |start| country.ours(&mut memory, start)));
            }

            #[divan::bench(args = SPACES)]
            fn bare_array(bencher: Bencher<'_, '_>, spaces: u32) {
                let country = Country::new(spaces, $stops);
                let mut bare = Bare::new(country.map.len());
                bencher.bench_local(|| from_all(&country, |start| country.bare::<false>(&mut bare, start)));
            }

            #[divan::bench(args = SPACES)]
            fn bare_array_with_ways(bencher: Bencher<'_, '_>, spaces: u32) {
                let country = Country::new(spaces, $stops);
                let mut bare = Bare::new(country.map.len());
                bencher.bench_local(|| from_all(&country, |start| country.bare::<true>(&mut bare, start)));
            }

            $(#[divan::bench(args = SPACES)]
            fn $name(bencher: Bencher<'_, '_>, spaces: u32) {
                let country = Country::new(spaces, $stops);
                let reach: fn(&Country, u32) -> usize = $reach;
                bencher.bench_local(|| from_all(&country, |start| reach(&country, start)));
            })*
        }
    };
}

contenders!(with_stops, true, {
    petgraph: |country, start| country.with_petgraph(start).len();
    pathfinding: |country, start| country.with_pathfinding(start).len();
});

contenders!(plain, false, {
    petgraph: |country, start| country.with_petgraph(start).len();
    pathfinding: |country, start| country.with_pathfinding(start).len();
    hexx: |country, start| country.with_hexx(start).len();
});

//! Spaces and the borders between them: the printed map as one directed graph, whatever grid it was printed on.
//!
//! petgraph holds the model; [`Map::new`] freezes it once into a compact adjacency array, on which every flood
//! runs. Outside this module a place is a [`SpaceId`] and what lies between two neighbours a [`BorderId`].

mod automaton;
mod check;
mod directions;
mod distances;
mod exits;
mod frontier;
mod grid;
mod load;
mod load_grid;
mod mode_field;
mod modes;
mod names;
mod near;
mod nodes;
mod open;
mod origin;
mod priced;
mod reach;
mod roads;
mod sight;
mod space_marks;

use std::collections::BTreeMap;

use petgraph::Incoming;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

pub use automaton::{Automaton, MOST_SPACE_MARKS, Mode, NO_MODE};
pub use directions::Direction;
pub use exits::{Costs, Ends, Exit, Exits, Price};
pub use grid::{Cell, Grid, Hexes, Orientation, Squares, Stagger};
pub use load::load;
pub use load_grid::read_grid;
pub use mode_field::{MarkedSteps, ModeField, Transition};
pub use nodes::{NodeSteps, Nodes};
pub use open::{OpenSearch, OpenSearches};
pub use origin::Origin;
pub use priced::{Ground, PricedExit, PricedExits, Steps};
pub use reach::{Field, Flood, Reached, Seed};
pub use sight::Crossed;
pub use space_marks::SpaceMarks;

use distances::Distances;
use near::NearSet;

use crate::ruleset::Provenance;

/// One place on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpaceId(pub u32);

/// One direction of what lies between two adjacent spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BorderId(pub u32);

/// Where a space's dot is, in half steps of the grid: `x` to the east, `y` to the north.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Point {
    /// East.
    pub x: i32,
    /// North.
    pub y: i32,
}

/// A space as printed.
#[derive(Debug, Clone)]
pub struct Space {
    /// Its number, e.g. `19.03`.
    pub name: String,
    /// What stands there, e.g. `Seven Stars`.
    pub label: Option<String>,
    /// Bit set over [`Map::terrains`].
    pub terrain: u32,
    /// Height as the rules count it: the level printed there.
    pub level: i32,
    /// Height of the ground at its dot, in [`Map::height_unit`], where the map states it.
    pub elevation: Option<i32>,
    /// Printed numbers, by [`Map::numbers`].
    pub numbers: Vec<i32>,
    /// Where its dot is.
    pub center: Point,
    /// The corners of an area, in the unit of its center; empty for spaces of a regular grid.
    pub shape: Vec<Point>,
    /// Where the description comes from.
    pub from: Origin,
}

/// What one crosses going from one space into a neighbour. A slope is stored on the way up only.
#[derive(Debug, Clone, Copy, Default)]
pub struct Border {
    /// Bit set over [`Map::features`].
    pub features: u32,
    /// Bit set over [`Map::road_kinds`]: roads that join the two spaces.
    pub roads: u32,
}

/// A printed string of spaces.
#[derive(Debug, Clone)]
pub struct Road {
    /// Short name.
    pub id: String,
    /// Printed name.
    pub name: String,
    /// Index into [`Map::road_kinds`].
    pub kind: usize,
    /// From one end to the other, each adjacent to the one before.
    pub along: Vec<SpaceId>,
    /// Where its course comes from.
    pub from: Provenance,
}

/// A string of borders, from the spring to the mouth.
#[derive(Debug, Clone)]
pub struct Stream {
    /// Short name.
    pub id: String,
    /// Printed name.
    pub name: String,
    /// Index into [`Map::features`].
    pub feature: usize,
    /// The spaces on both sides of each border, each border touching the one before.
    pub along: Vec<(SpaceId, SpaceId)>,
    /// Where its course comes from.
    pub from: Provenance,
}

/// A space where units arrive.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Code on the counters.
    pub id: String,
    /// Where one comes on.
    pub at: SpaceId,
    /// The road that leads off the map there, if one does.
    pub road: Option<usize>,
    /// Where it comes from.
    pub from: Provenance,
}

/// A name that people know places by.
#[derive(Debug, Clone)]
pub struct Place {
    /// The name.
    pub name: String,
    /// What it is: a hill, a house, a village.
    pub kind: String,
    /// Where it is, the space that holds its middle first.
    pub at: Vec<SpaceId>,
    /// Where that comes from.
    pub from: Provenance,
}

/// A map, ready to play on.
#[derive(Debug)]
pub struct Map {
    /// Short name.
    pub id: String,
    /// Title.
    pub title: String,
    /// One space across, in words.
    pub scale: String,
    /// The grid it was printed on.
    pub grid: Grid,
    /// What a space can hold.
    pub terrains: Vec<String>,
    /// What a border can hold.
    pub features: Vec<String>,
    /// Bit set over [`Map::features`]: those that count in one direction only.
    pub one_way: u32,
    /// Kinds of road.
    pub road_kinds: Vec<String>,
    /// Names of the numbers printed in spaces.
    pub numbers: Vec<String>,
    /// What elevations are counted in, e.g. `feet`; empty where the map states none.
    pub height_unit: String,
    /// The grid file it was laid by, if it was.
    pub laid_by: Option<String>,
    /// Printed roads.
    pub roads: Vec<Road>,
    /// Streams.
    pub streams: Vec<Stream>,
    /// Where units arrive.
    pub entries: Vec<Entry>,
    /// Named places.
    pub places: Vec<Place>,
    graph: DiGraph<Space, Border>,
    names: BTreeMap<String, SpaceId>,
    /// `first[s]..first[s + 1]` are the borders out of space `s`.
    first: Vec<u32>,
    to: Vec<u32>,
    from: Vec<u32>,
    borders: Vec<Border>,
    distances: Distances,
    /// Whether every border can be crossed back.
    mutual: bool,
    /// By number of the space, its neighbours as a bit set; after those of all spaces what did not fit in there.
    near_sets: Vec<NearSet>,
    /// For each terrain, the spaces that have it.
    with: Vec<Vec<SpaceId>>,
    /// The same as bit sets.
    sets: Vec<Vec<u64>>,
    /// The spaces on the edge, as a bit set.
    edges: Vec<u64>,
    /// For each direction, by number of the space, the space that lies next that way; -1 where none does.
    next: Vec<Vec<i32>>,
}

/// What a map is made of before it is frozen.
pub(crate) struct Parts {
    pub id: String,
    pub title: String,
    pub scale: String,
    pub grid: Grid,
    pub terrains: Vec<String>,
    pub features: Vec<String>,
    pub one_way: u32,
    pub road_kinds: Vec<String>,
    pub numbers: Vec<String>,
    pub height_unit: String,
    pub laid_by: Option<String>,
    pub roads: Vec<Road>,
    pub streams: Vec<Stream>,
    pub entries: Vec<Entry>,
    pub places: Vec<Place>,
    pub graph: DiGraph<Space, Border>,
}

impl Map {
    /// Farther than any two spaces of one map.
    pub const NEVER: u16 = u16::MAX;

    pub(crate) fn new(parts: Parts) -> Map {
        let graph = parts.graph;
        let (mut first, mut to, mut from, mut borders) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        for node in graph.node_indices() {
            let mut out: Vec<_> = graph.edges(node).map(|e| (e.target().index() as u32, *e.weight())).collect();
            out.sort_by_key(|(to, _)| *to);
            for (target, border) in out {
                to.push(target);
                from.push(node.index() as u32);
                borders.push(border);
            }
            first.push(to.len() as u32);
        }
        let names = graph.node_indices().map(|n| (graph[n].name.clone(), SpaceId(n.index() as u32))).collect();
        let has = |bit: usize| {
            let found = graph.node_indices().filter(|n| graph[*n].terrain >> bit & 1 == 1);
            found.map(|n| SpaceId(n.index() as u32)).collect()
        };
        let with: Vec<Vec<SpaceId>> = (0..parts.terrains.len()).map(has).collect();
        let set_of = |spaces: &Vec<SpaceId>| {
            let mut set = vec![0u64; graph.node_count().div_ceil(64)];
            spaces.iter().for_each(|s| set[s.0 as usize / 64] |= 1 << (s.0 % 64));
            set
        };
        let sets = with.iter().map(set_of).collect();
        let inside = parts.grid.neighbours();
        let is_edge = |s: &SpaceId| ((first[s.0 as usize + 1] - first[s.0 as usize]) as usize) < inside;
        let edges = set_of(&(0..graph.node_count() as u32).map(SpaceId).filter(is_edge).collect());
        let near_sets = near::near_sets(&to, &first);
        let distances = Distances::new(graph.node_count());
        let next = directions::table(&parts.grid, graph.node_weights());
        let mutual = graph.edge_references().all(|e| graph.contains_edge(e.target(), e.source()));
        Map {
            id: parts.id,
            title: parts.title,
            scale: parts.scale,
            grid: parts.grid,
            terrains: parts.terrains,
            features: parts.features,
            one_way: parts.one_way,
            road_kinds: parts.road_kinds,
            numbers: parts.numbers,
            height_unit: parts.height_unit,
            laid_by: parts.laid_by,
            roads: parts.roads,
            streams: parts.streams,
            entries: parts.entries,
            places: parts.places,
            graph,
            names,
            first,
            to,
            from,
            borders,
            distances,
            mutual,
            near_sets,
            with,
            sets,
            edges,
            next,
        }
    }

    /// How many spaces.
    pub fn len(&self) -> usize {
        self.graph.node_count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many borders, each direction counted.
    pub fn border_count(&self) -> usize {
        self.to.len()
    }

    /// All spaces, in the order of the grid.
    pub fn spaces(&self) -> impl Iterator<Item = SpaceId> + use<> {
        (0..self.len() as u32).map(SpaceId)
    }

    /// A space as printed.
    pub fn space(&self, id: SpaceId) -> &Space {
        &self.graph[NodeIndex::new(id.0 as usize)]
    }

    /// The space of that number.
    pub fn find(&self, name: &str) -> Option<SpaceId> {
        self.names.get(name).copied()
    }

    /// The borders out of a space, in the order of the spaces they lead to.
    #[inline]
    pub fn out(&self, space: SpaceId) -> impl Iterator<Item = BorderId> + use<> {
        (self.first[space.0 as usize]..self.first[space.0 as usize + 1]).map(BorderId)
    }

    /// The numbers of the borders out of a space, for lists kept by border.
    #[inline]
    pub fn borders_out(&self, space: SpaceId) -> std::ops::Range<usize> {
        self.first[space.0 as usize] as usize..self.first[space.0 as usize + 1] as usize
    }

    /// Whether every border can be crossed both ways.
    pub fn is_mutual(&self) -> bool {
        self.mutual
    }

    /// The neighbours of a space, in the order of the grid.
    #[inline]
    pub fn near(&self, space: SpaceId) -> impl Iterator<Item = SpaceId> + '_ {
        self.out(space).map(|b| self.target(b))
    }

    /// The spaces out of which a border leads into one.
    pub(super) fn leading_into(&self, space: SpaceId) -> impl Iterator<Item = SpaceId> + '_ {
        let into = self.graph.neighbors_directed(NodeIndex::new(space.0 as usize), Incoming);
        into.map(|from| SpaceId(from.index() as u32))
    }

    /// The neighbours of all spaces as bit sets.
    #[inline]
    pub(crate) fn near_sets(&self) -> &[NearSet] {
        &self.near_sets
    }

    /// Where a border leads.
    #[inline]
    pub fn target(&self, border: BorderId) -> SpaceId {
        SpaceId(self.to[border.0 as usize])
    }

    /// Where a border leads from.
    #[inline]
    pub fn source(&self, border: BorderId) -> SpaceId {
        SpaceId(self.from[border.0 as usize])
    }

    /// What one crosses there.
    #[inline]
    pub fn border(&self, border: BorderId) -> Border {
        self.borders[border.0 as usize]
    }

    /// The border from one space into an adjacent one.
    pub fn between(&self, from: SpaceId, to: SpaceId) -> Option<BorderId> {
        self.out(from).find(|b| self.target(*b) == to)
    }

    /// The spaces that have one of these terrains (a bit set), in the order of the grid for a single terrain.
    pub fn spaces_with(&self, terrains: u32) -> impl Iterator<Item = SpaceId> + '_ {
        let lists = self.with.iter().enumerate().filter(move |(at, _)| terrains >> at & 1 == 1);
        lists.flat_map(move |(at, list)| {
            // A space that has two of them is listed under the first.
            let earlier = terrains & ((1 << at) - 1);
            list.iter().copied().filter(move |s| earlier == 0 || self.space(*s).terrain & earlier == 0)
        })
    }

    /// The neighbour of a space that lies opposite another of its neighbours; nothing at the edge of the map.
    pub fn onward(&self, from: SpaceId, at: SpaceId) -> Option<SpaceId> {
        let (a, b) = (self.space(from).center, self.space(at).center);
        let wanted = Point { x: 2 * b.x - a.x, y: 2 * b.y - a.y };
        self.near(at).find(|s| self.space(*s).center == wanted)
    }

    /// For each of these terrains, the spaces that have it as a bit set.
    pub fn terrain_sets(&self, terrains: u32) -> impl Iterator<Item = &[u64]> {
        self.sets.iter().enumerate().filter(move |(at, _)| terrains >> at & 1 == 1).map(|(_, set)| set.as_slice())
    }

    /// Whether a space lies on the edge: it has fewer neighbours than the grid gives inside.
    pub fn is_edge(&self, space: SpaceId) -> bool {
        self.edges[space.0 as usize / 64] >> (space.0 % 64) & 1 == 1
    }

    /// Whether units arrive in a space.
    pub fn is_entry(&self, space: SpaceId) -> bool {
        self.entries.iter().any(|entry| entry.at == space)
    }

    /// The spaces on the edge, as a bit set.
    pub fn edge_set(&self) -> &[u64] {
        &self.edges
    }

    /// The corners of a space in fine steps ([`Grid::FINE`] to a half step of its center), counter-clockwise.
    pub fn outline(&self, space: SpaceId) -> Vec<Point> {
        let here = self.space(space);
        let fine = |p: Point| Point { x: p.x * Grid::FINE, y: p.y * Grid::FINE };
        if self.grid == Grid::Area {
            return here.shape.iter().copied().map(fine).collect();
        }
        let center = fine(here.center);
        self.grid.corners().iter().map(|(x, y)| Point { x: center.x + x, y: center.y + y }).collect()
    }

    /// The corners that two adjacent spaces of a regular grid have in common.
    pub fn shared_corners(&self, a: SpaceId, b: SpaceId) -> Vec<Point> {
        let other = self.outline(b);
        self.outline(a).into_iter().filter(|p| other.contains(p)).collect()
    }

    /// The road of that short name.
    pub fn road(&self, id: &str) -> Option<&Road> {
        self.roads.iter().find(|r| r.id == id)
    }
}

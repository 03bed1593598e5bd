//! Reads a map file into a [`Map`].

use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeMap;

use super::{Border, Cell, Entry, Grid, Hexes, Map, Orientation, Parts, Point, Road, Space, SpaceId, Stagger};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    ruleset::Provenance,
    yaml::{Fields, Node},
};

/// The largest map that is read; a larger one is a slip of the pen.
const MOST: i32 = 200_000;

/// Reads a map. `None` only when there is no grid to stand on; everything else is recorded and left out.
pub fn load(node: &Node, found: &mut Diagnostics) -> Option<Map> {
    let mut fields = node.fields(found);
    let id = fields.must("map", found).map(|n| n.as_text(found)).unwrap_or_default();
    let title = fields.text("title", found).unwrap_or_else(|| id.clone());
    let scale = fields.text("scale", found).unwrap_or_default();
    fields.may("sources");
    let grid = fields.must("grid", found).and_then(|n| read_grid(n, found))?;
    let mut reading = Reading {
        terrains: named(&mut fields, "terrains", found),
        features: named(&mut fields, "features", found),
        road_kinds: named(&mut fields, "road-kinds", found),
        graph: DiGraph::new(),
        names: BTreeMap::new(),
    };
    let absent = fields.texts("absent", found);
    let cells: Vec<Cell> = grid.cells().into_iter().filter(|c| !absent.contains(&c.name)).collect();
    reading.lay(&grid, &cells);
    if let Some(list) = fields.may("spaces") {
        for item in list.items(found) {
            reading.space(item, &grid, found);
        }
    }
    if let Some(list) = fields.may("borders") {
        for item in list.items(found) {
            reading.border(item, &grid, found);
        }
    }
    let mut roads = Vec::new();
    if let Some(list) = fields.may("roads") {
        for item in list.items(found) {
            roads.extend(reading.road(item, found));
        }
    }
    let mut entries = Vec::new();
    if let Some(list) = fields.may("entries") {
        for item in list.items(found) {
            let span = item.get("at").map_or_else(|| item.span.clone(), |at| at.span.clone());
            entries.extend(reading.entry(item, &roads, found).map(|entry| (entry, span)));
        }
    }
    fields.finish(found);
    for node in reading.graph.node_indices() {
        if reading.graph.neighbors(node).next().is_none() && reading.graph.node_count() > 1 {
            let message = format!("space `{}` has no neighbour", reading.graph[node].name);
            found.warning("isolated", &Span::file(""), message, "list a border, or leave the space out");
        }
    }
    let Reading { terrains, features, road_kinds, graph, .. } = reading;
    let (entries, written): (Vec<Entry>, Vec<Span>) = entries.into_iter().unzip();
    let map = Map::new(Parts { id, title, scale, grid, terrains, features, road_kinds, roads, entries, graph });
    for (entry, span) in map.entries.iter().zip(&written).filter(|(e, _)| map.grid != Grid::Area && !map.is_edge(e.at))
    {
        let message = format!("entry `{}` does not lie on the edge of the map", entry.id);
        found.error("entry-inland", span, message, "name the space where one comes on");
    }
    Some(map)
}

pub(super) fn read_grid(node: &Node, found: &mut Diagnostics) -> Option<Grid> {
    let mut fields = node.fields(found);
    let kind = fields.must("kind", found)?;
    let int = |fields: &mut Fields<'_>, key, found: &mut Diagnostics| {
        fields.must(key, found).map_or(1, |n| n.as_int(1, 2000, found))
    };
    let grid = match kind.as_text(found).as_str() {
        "hex" => {
            let (rows, columns) = (int(&mut fields, "rows", found), int(&mut fields, "columns", found));
            let orientation = one_of(
                &mut fields,
                "orientation",
                &[("pointy", Orientation::Pointy), ("flat", Orientation::Flat)],
                found,
            );
            let even = match orientation {
                Orientation::Pointy => one_of(
                    &mut fields,
                    "even-rows",
                    &[("west", Stagger::EvenBack), ("east", Stagger::EvenForward)],
                    found,
                ),
                Orientation::Flat => one_of(
                    &mut fields,
                    "even-columns",
                    &[("south", Stagger::EvenBack), ("north", Stagger::EvenForward)],
                    found,
                ),
            };
            let slant = fields.may("slant").is_some_and(|n| n.as_flag(found));
            let stagger = if slant { Stagger::Slant } else { even };
            let from_north = one_of(&mut fields, "rows-from", &[("south", false), ("north", true)], found);
            let within = fields.may("within").and_then(|node| {
                let ends: Vec<i32> = node.items(found).iter().map(|n| n.as_int(-4000, 4000, found)).collect();
                match ends.as_slice() {
                    [first, last] if first <= last => Some((*first, *last)),
                    _ => {
                        let help = "write the first and the last, in half hexes: `within: [51, 119]`";
                        found.error("grid", &node.span, "a stretch has two ends", help);
                        None
                    }
                }
            });
            let pattern = fields.text("number", found).unwrap_or_else(|| "{row}.{column:2}".into());
            Some(Grid::Hex(Hexes { orientation, rows, columns, stagger, from_north, within, pattern }))
        }
        "square" => {
            let (rows, columns) = (int(&mut fields, "rows", found), int(&mut fields, "columns", found));
            let pattern = fields.text("number", found).unwrap_or_else(|| "{column}.{row}".into());
            Some(Grid::Square { rows, columns, pattern })
        }
        "axial" => Some(Grid::Axial { radius: int(&mut fields, "radius", found) }),
        "area" => Some(Grid::Area),
        other => {
            let help = suggest(other, ["hex", "square", "axial", "area"]);
            found.error("grid", &kind.span, format!("`{other}` is not a kind of grid"), help);
            None
        }
    };
    fields.finish(found);
    if let Some(Grid::Hex(Hexes { rows, columns, .. }) | Grid::Square { rows, columns, .. }) = &grid
        && rows * columns > MOST
    {
        found.error("grid", &node.span, format!("{rows} by {columns} spaces are more than {MOST}"), "");
        return None;
    }
    grid
}

/// The value of one of a few words; the first of them where none is written.
fn one_of<T: Copy>(fields: &mut Fields<'_>, key: &'static str, words: &[(&str, T)], found: &mut Diagnostics) -> T {
    let Some(node) = fields.may(key) else { return words[0].1 };
    let text = node.as_text(found);
    words.iter().find(|(word, _)| *word == text).map_or_else(
        || {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let message = format!("`{key}` is {}, not `{text}`", known.join(" or "));
            found.error("grid", &node.span, message, suggest(&text, known.iter().copied()));
            words[0].1
        },
        |(_, value)| *value,
    )
}

fn named(fields: &mut Fields<'_>, key: &'static str, found: &mut Diagnostics) -> Vec<String> {
    let names = fields.texts(key, found);
    if names.len() > 32 {
        found.error("too-many", &fields.node.span, format!("more than 32 {key}"), "join some of them");
    }
    names.into_iter().take(32).collect()
}

struct Reading {
    terrains: Vec<String>,
    features: Vec<String>,
    road_kinds: Vec<String>,
    graph: DiGraph<Space, Border>,
    names: BTreeMap<String, NodeIndex>,
}

impl Reading {
    fn lay(&mut self, grid: &Grid, cells: &[Cell]) {
        for cell in cells {
            self.add(cell.name.clone(), cell.center);
        }
        for (a, b) in grid.adjacent(cells) {
            self.graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), Border::default());
        }
    }

    fn add(&mut self, name: String, center: Point) -> NodeIndex {
        let space = Space { name: name.clone(), label: None, terrain: 0, level: 0, center, from: Provenance::Printed };
        let node = self.graph.add_node(space);
        self.names.insert(name, node);
        node
    }

    fn find(&self, node: &Node, found: &mut Diagnostics) -> Option<NodeIndex> {
        let name = node.as_text(found);
        let at = self.names.get(&name).copied();
        if at.is_none() {
            let help = suggest(&name, self.names.keys().map(String::as_str));
            found.error("unknown-space", &node.span, format!("there is no space `{name}` on this map"), help);
        }
        at
    }

    fn bits(&self, node: Option<&Node>, known: &[String], what: &str, found: &mut Diagnostics) -> u32 {
        let Some(node) = node else { return 0 };
        let mut bits = 0;
        for item in node.items(found) {
            let name = item.as_text(found);
            match known.iter().position(|k| *k == name) {
                Some(at) => bits |= 1 << at,
                None => {
                    let help = suggest(&name, known.iter().map(String::as_str));
                    found.error("unknown-name", &item.span, format!("`{name}` is not a {what} of this map"), help);
                }
            }
        }
        bits
    }

    fn space(&mut self, item: &Node, grid: &Grid, found: &mut Diagnostics) {
        let mut fields = item.fields(found);
        let Some(at) = fields.must("at", found) else { return };
        let node = if *grid == Grid::Area {
            let name = at.as_text(found);
            if self.names.contains_key(&name) {
                found.error("twice", &at.span, format!("area `{name}` is given twice"), "delete one of the two");
                return;
            }
            Some(self.add(name, Point::default()))
        } else {
            self.find(at, found)
        };
        let terrain = self.bits(fields.may("is"), &self.terrains, "terrain", found);
        let named = fields.may("name");
        let label = named.map(|n| n.as_text(found));
        let has_it = |space: &&Space| label.is_some() && space.label == label && at.text() != Some(&space.name);
        if let (Some(node), Some(other)) = (named, self.graph.node_weights().find(has_it)) {
            let message = format!("`{}` is called `{}` already", other.name, node.text().unwrap_or(""));
            found.error("twice", &node.span, message, "people call places by their names: give one of them another");
        }
        let level = fields.may("level").map_or(0, |n| n.as_int(-20_000, 40_000, found));
        let center = fields.may("center").map(|n| {
            let pair: Vec<i32> = n.items(found).iter().map(|n| n.as_int(-1 << 20, 1 << 20, found)).collect();
            Point { x: pair.first().copied().unwrap_or(0), y: pair.get(1).copied().unwrap_or(0) }
        });
        let from = Provenance::read(fields.may("from"), found);
        fields.finish(found);
        let Some(node) = node else { return };
        let space = &mut self.graph[node];
        space.terrain |= terrain;
        space.label = label.or(space.label.take());
        space.level = level;
        space.from = from;
        if let Some(center) = center {
            space.center = center;
        }
    }

    fn border(&mut self, item: &Node, grid: &Grid, found: &mut Diagnostics) {
        let mut fields = item.fields(found);
        let both = fields.may("between");
        let one = fields.may("up");
        let features = self.bits(fields.may("is"), &self.features, "feature", found);
        fields.may("from");
        fields.finish(found);
        let Some(pair) = both.or(one) else {
            let help = "write `between: [a, b]`, or `up: [low, high]` for what counts in one direction only";
            found.error("missing", &item.span, "a border needs its two spaces", help);
            return;
        };
        let ends: Vec<_> = pair.items(found).iter().map(|n| self.find(n, found)).collect();
        let [Some(a), Some(b)] = ends[..] else {
            if ends.len() != 2 {
                found.error("type", &pair.span, "a border lies between two spaces", "");
            }
            return;
        };
        for (from, to, wanted) in [(a, b, true), (b, a, both.is_some())] {
            match self.graph.find_edge(from, to) {
                Some(edge) if wanted => self.graph[edge].features |= features,
                Some(_) => (),
                None if *grid == Grid::Area => {
                    let features = if wanted { features } else { 0 };
                    self.graph.add_edge(from, to, Border { features, roads: 0 });
                }
                None => {
                    let (a, b) = (&self.graph[a].name, &self.graph[b].name);
                    found.error("not-adjacent", &pair.span, format!("{a} and {b} are not adjacent"), "");
                    return;
                }
            }
        }
    }

    fn road(&mut self, item: &Node, found: &mut Diagnostics) -> Option<Road> {
        let mut fields = item.fields(found);
        let id = fields.must("id", found)?.as_text(found);
        let name = fields.text("name", found).unwrap_or_else(|| id.clone());
        let kind = fields.must("kind", found)?;
        let kinds = self.bits(Some(kind), &self.road_kinds, "kind of road", found);
        let along = fields.must("along", found)?;
        let from = Provenance::read(fields.may("from"), found);
        fields.finish(found);
        let mut spaces: Vec<SpaceId> = Vec::new();
        for stop in along.items(found) {
            let Some(to) = self.find(stop, found) else { continue };
            if let Some(last) = spaces.last() {
                let last = NodeIndex::new(last.0 as usize);
                let ways = [self.graph.find_edge(last, to), self.graph.find_edge(to, last)];
                if ways.iter().any(Option::is_none) {
                    let (a, b) = (&self.graph[last].name, &self.graph[to].name);
                    let message = format!("`{name}` jumps from {a} to {b}, which are not adjacent");
                    found.error("road-jumps", &stop.span, message, "name the spaces between them");
                }
                for edge in ways.into_iter().flatten() {
                    self.graph[edge].roads |= kinds;
                }
            }
            spaces.push(SpaceId(to.index() as u32));
        }
        (kinds != 0).then(|| Road { id, name, kind: kinds.trailing_zeros() as usize, along: spaces, from })
    }

    fn entry(&mut self, item: &Node, roads: &[Road], found: &mut Diagnostics) -> Option<Entry> {
        let mut fields = item.fields(found);
        let id = fields.must("id", found)?.as_text(found);
        let at = fields.must("at", found).and_then(|n| self.find(n, found));
        let road = fields.may("road").and_then(|n| {
            let name = n.as_text(found);
            let at = roads.iter().position(|r| r.id == name);
            if at.is_none() {
                let help = suggest(&name, roads.iter().map(|r| r.id.as_str()));
                found.error("unknown-name", &n.span, format!("there is no road `{name}`"), help);
            }
            at
        });
        let from = Provenance::read(fields.may("from"), found);
        fields.finish(found);
        Some(Entry { id, at: SpaceId(at?.index() as u32), road, from })
    }
}

//! Reads a map file into a [`Map`].

use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

use super::{
    Border, Cell, Entry, Grid, Map, Origin, Parts, Place, Point, Road, Space, SpaceId, Squares, Stream, check,
    load_grid::read_grid, names,
};
use crate::{
    diagnostic::{Diagnostics, Span},
    ruleset::Provenance,
    yaml::{Fields, Node},
};

/// Reads a map. `None` only when there is no grid to stand on; everything else is recorded and left out.
pub fn load(node: &Node, found: &mut Diagnostics) -> Option<Map> {
    let mut fields = node.fields(found);
    let id = fields.must("map", found).map(|n| n.as_text(found)).unwrap_or_default();
    let title = fields.text("title", found).unwrap_or_else(|| id.clone());
    let scale = fields.text("scale", found).unwrap_or_default();
    fields.may("sources");
    let laid_by = fields.text("laid-by", found);
    let grid = fields.must("grid", found).and_then(|n| read_grid(n, found))?;
    let (features, one_way) = features(&mut fields, found);
    let (levels, elevations) = (fields.may("levels"), fields.may("elevations"));
    let mut reading = Reading {
        terrains: named(&mut fields, "terrains", found),
        features,
        one_way,
        road_kinds: named(&mut fields, "road-kinds", found),
        numbers: named(&mut fields, "numbers", found),
        levels: levels.map(|n| Levels::read(n, found)),
        is_area: grid == Grid::Area,
        graph: DiGraph::new(),
        names: BTreeMap::new(),
        labels: BTreeMap::new(),
        given: BTreeSet::new(),
    };
    let height_unit = elevations.map(|n| n.as_text(found)).unwrap_or_default();
    let absent: BTreeSet<String> = fields.texts("absent", found).into_iter().collect();
    let cells: Vec<Cell> = grid.cells().into_iter().filter(|c| !absent.contains(&c.name)).collect();
    names::check(node, &grid, &cells, found);
    reading.lay(&grid, &cells, node.get("grid").map_or(&node.span, |n| &n.span), found);
    for item in once("at", list(&mut fields, "spaces", found), found) {
        reading.space(item, found);
    }
    reading.heights(levels.map(|n| &n.span), elevations.map(|n| &n.span), found);
    for item in list(&mut fields, "borders", found) {
        reading.border(item, found);
    }
    let mut streams = Vec::new();
    for item in once("id", list(&mut fields, "streams", found), found) {
        streams.extend(reading.stream(item, found).map(|stream| (stream, item.span.clone())));
    }
    let mut roads = Vec::new();
    for item in once("id", list(&mut fields, "roads", found), found) {
        roads.extend(reading.road(item, found));
    }
    let mut entries = Vec::new();
    for item in once("id", list(&mut fields, "entries", found), found) {
        let span = item.get("at").map_or_else(|| item.span.clone(), |at| at.span.clone());
        entries.extend(reading.entry(item, &roads, found).map(|entry| (entry, span)));
    }
    let (mut places, mut called): (Vec<Place>, _) = (Vec::new(), BTreeSet::new());
    for item in list(&mut fields, "places", found) {
        places.extend(reading.place(item, &mut called, found));
    }
    let statements = fields.may("checks");
    fields.finish(found);
    check::joined(&reading.graph, &Span::file(&node.span.file), found);
    let Reading { terrains, features, one_way, road_kinds, numbers, graph, .. } = reading;
    let (entries, entered): (Vec<Entry>, Vec<Span>) = entries.into_iter().unzip();
    let (streams, sprung): (Vec<Stream>, Vec<Span>) = streams.into_iter().unzip();
    let map = Map::new(Parts {
        id,
        title,
        scale,
        grid,
        terrains,
        features,
        one_way,
        road_kinds,
        numbers,
        height_unit,
        laid_by,
        roads,
        streams,
        entries,
        places,
        graph,
    });
    for (entry, span) in map.entries.iter().zip(&entered).filter(|(e, _)| map.grid != Grid::Area && !map.is_edge(e.at))
    {
        let message = format!("entry `{}` does not lie on the edge of the map", entry.id);
        found.error("entry-inland", span, message, "name the space where one comes on");
    }
    for (entry, span) in map.entries.iter().zip(&entered) {
        let Some(road) = entry.road.map(|at| &map.roads[at]).filter(|road| !road.along.contains(&entry.at)) else {
            continue;
        };
        let (at, id, name) = (&map.space(entry.at).name, &entry.id, &road.name);
        let edge = road.along.iter().filter(|s| map.is_edge(**s)).map(|s| map.space(*s).name.as_str());
        let edge: Vec<&str> = edge.collect();
        let help = match edge[..] {
            [] => "it reaches the edge of the map nowhere".to_owned(),
            _ => format!("it comes to the edge of the map in {}", edge.join(", ")),
        };
        found.error("entry-off-road", span, format!("entry `{id}` is in {at}, where `{name}` does not run"), help);
    }
    for (stream, span) in map.streams.iter().zip(&sprung) {
        check::stream(&map, stream, span, found);
    }
    check::statements(&map, statements, found);
    Some(map)
}

fn list<'a>(fields: &mut Fields<'a>, key: &'static str, found: &mut Diagnostics) -> &'a [Node] {
    fields.may(key).map(|n| n.items(found)).unwrap_or_default()
}

/// The rows of a list, those whose key has a value that stands above already told.
fn once<'a>(key: &str, rows: &'a [Node], found: &mut Diagnostics) -> &'a [Node] {
    let mut seen = BTreeSet::new();
    for id in rows.iter().filter_map(|row| row.get(key)) {
        if let Some(text) = id.text().filter(|text| !seen.insert(*text)) {
            let message = format!("`{text}` is given twice");
            found.error("twice", &id.span, message, "rename one of the two, or join them");
        }
    }
    rows
}

/// The features of a map, and which of them count in one direction only (a bit set).
fn features(fields: &mut Fields<'_>, found: &mut Diagnostics) -> (Vec<String>, u32) {
    let (mut names, mut one_way) = (Vec::new(), 0);
    let items = list(fields, "features", found);
    for item in items {
        if item.text().is_some() {
            names.push(item.as_text(found));
            continue;
        }
        let mut fields = item.fields(found);
        let Some(name) = fields.must("name", found) else { continue };
        if fields.may("one-way").is_some_and(|n| n.as_flag(found)) {
            one_way |= 1u32.checked_shl(names.len() as u32).unwrap_or(0);
        }
        names.push(name.as_text(found));
        fields.finish(found);
    }
    most("features", &mut names, &fields.node.span, found);
    (names, one_way)
}

fn named(fields: &mut Fields<'_>, key: &'static str, found: &mut Diagnostics) -> Vec<String> {
    let mut names = fields.texts(key, found);
    most(key, &mut names, &fields.node.span, found);
    names
}

/// A set of names is kept in 32 bits.
fn most(key: &str, names: &mut Vec<String>, span: &Span, found: &mut Diagnostics) {
    if names.len() > 32 {
        found.error("too-many", span, format!("more than 32 {key}"), "join some of them");
        names.truncate(32);
    }
}

/// The levels a space of the map may be on.
struct Levels {
    least: i32,
    most: i32,
    /// Spaces that may be above.
    except: Vec<String>,
}

impl Levels {
    fn read(node: &Node, found: &mut Diagnostics) -> Levels {
        let mut fields = node.fields(found);
        let (least, most) = fields.bounds(-1000, 1000, found);
        let except = fields.texts("except", found);
        fields.may("cite");
        fields.finish(found);
        Levels { least, most, except }
    }
}

struct Reading {
    terrains: Vec<String>,
    features: Vec<String>,
    one_way: u32,
    road_kinds: Vec<String>,
    numbers: Vec<String>,
    levels: Option<Levels>,
    is_area: bool,
    graph: DiGraph<Space, Border>,
    names: BTreeMap<String, NodeIndex>,
    /// What spaces are called, and the number of each.
    labels: BTreeMap<String, String>,
    /// Spaces whose level is written.
    given: BTreeSet<NodeIndex>,
}

impl Reading {
    fn lay(&mut self, grid: &Grid, cells: &[Cell], span: &Span, found: &mut Diagnostics) {
        for cell in cells {
            self.add(cell.name.clone(), cell.center);
        }
        for (a, b) in grid.adjacent(cells) {
            self.graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), Border::default());
        }
        let Grid::Square(Squares { corners: Some(corner), .. }) = grid else { return };
        let Some(at) = self.features.iter().position(|f| f == corner) else {
            let help = found.suggest(corner, self.features.iter().map(String::as_str));
            let message = format!("`corners: {corner}` is not a feature of this map");
            found.error("unknown-name", span, message, help);
            return;
        };
        for (a, b) in grid.cornered(cells) {
            let border = Border { features: 1 << at, roads: 0 };
            self.graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), border);
        }
    }

    /// Every space has its level and its elevation where the map states them; an area without a shape is no ground.
    fn heights(&self, levels: Option<&Span>, elevations: Option<&Span>, found: &mut Diagnostics) {
        let is_ground = |at: &NodeIndex| !self.is_area || !self.graph[*at].shape.is_empty();
        let ground: Vec<NodeIndex> = self.graph.node_indices().filter(is_ground).collect();
        let mut tell = |span: Option<&Span>, says: &str, help: &str, spaces: Vec<NodeIndex>| {
            let (Some(span), Some(first)) = (span, spaces.first()) else { return };
            let first = &self.graph[*first].name;
            let others = if spaces.len() > 1 { format!(", nor {} more", spaces.len() - 1) } else { String::new() };
            found.error("no-level", span, format!("space `{first}` has no {says}{others}"), help);
        };
        let help = "this map states its levels: every space needs one";
        tell(levels, "level", help, ground.iter().copied().filter(|at| !self.given.contains(at)).collect());
        let help = "this map states its elevations: every space needs one";
        let flat = ground.iter().copied().filter(|at| self.graph[*at].elevation.is_none()).collect();
        tell(elevations, "elevation", help, flat);
        let (Some(bounds), Some(span)) = (&self.levels, levels) else { return };
        for here in ground.iter().map(|at| &self.graph[*at]) {
            if here.level < bounds.least || here.level > bounds.most && !bounds.except.contains(&here.name) {
                let (name, level) = (&here.name, here.level);
                let message =
                    format!("space `{name}` is on level {level}, not between {} and {}", bounds.least, bounds.most);
                found.error("level", span, message, "mend it, or name the space under `levels: except`");
            }
        }
    }

    fn add(&mut self, name: String, center: Point) -> NodeIndex {
        let numbers = vec![0; self.numbers.len()];
        let from = Origin::default();
        let (label, elevation, shape) = (None, None, Vec::new());
        let space = Space { name: name.clone(), label, terrain: 0, level: 0, elevation, numbers, center, shape, from };
        let node = self.graph.add_node(space);
        self.names.insert(name, node);
        node
    }

    fn find(&self, node: &Node, found: &mut Diagnostics) -> Option<NodeIndex> {
        let name = node.as_text(found);
        let at = self.names.get(&name).copied();
        if at.is_none() {
            let help = found.suggest(&name, self.names.keys().map(String::as_str));
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
                    let help = found.suggest(&name, known.iter().map(String::as_str));
                    found.error("unknown-name", &item.span, format!("`{name}` is not a {what} of this map"), help);
                }
            }
        }
        bits
    }

    fn space(&mut self, item: &Node, found: &mut Diagnostics) {
        let mut fields = item.fields(found);
        let Some(at) = fields.must("at", found) else { return };
        let node = if self.is_area {
            let name = at.as_text(found);
            if self.names.contains_key(&name) {
                return; // it has been told
            }
            Some(self.add(name, Point::default()))
        } else {
            self.find(at, found)
        };
        let terrain = self.bits(fields.may("is"), &self.terrains, "terrain", found);
        let named = fields.may("name");
        let label = named.map(|n| n.as_text(found));
        if let (Some(node), Some(label), Some(own)) = (named, &label, at.text()) {
            let first = self.labels.entry(label.clone()).or_insert_with(|| own.to_owned());
            if first != own {
                let message = format!("`{first}` is called `{label}` already");
                found.error(
                    "twice",
                    &node.span,
                    message,
                    "people call places by their names: give one of them another",
                );
            }
        }
        let level = fields.may("level").map(|n| n.as_int(-20_000, 40_000, found));
        let elevation = fields.may("elevation").map(|n| n.as_int(-20_000, 40_000, found));
        let numbers = fields.may("numbers").map(|n| self.numbers(n, found));
        let center = fields.may("center").map(|n| point(n, found));
        let shape = list(&mut fields, "shape", found).iter().map(|n| point(n, found)).collect();
        let from = Origin::read(fields.may("from"), &self.terrains, &self.numbers, found);
        fields.finish(found);
        let Some(node) = node else { return };
        if level.is_some() {
            self.given.insert(node);
        }
        let space = &mut self.graph[node];
        space.terrain |= terrain;
        space.label = label.or(space.label.take());
        space.level = level.unwrap_or(space.level);
        space.elevation = elevation.or(space.elevation);
        space.numbers = numbers.unwrap_or_else(|| std::mem::take(&mut space.numbers));
        space.center = center.unwrap_or(space.center);
        space.shape = shape;
        space.from = from;
    }

    fn numbers(&self, node: &Node, found: &mut Diagnostics) -> Vec<i32> {
        let mut values = vec![0; self.numbers.len()];
        for (key, value) in node.entries(found) {
            let name = key.as_text(found);
            match self.numbers.iter().position(|n| *n == name) {
                Some(at) => values[at] = value.as_int(-1_000_000, 1_000_000, found),
                None => {
                    let help = found.suggest(&name, self.numbers.iter().map(String::as_str));
                    found.error("unknown-name", &key.span, format!("`{name}` is not a number of this map"), help);
                }
            }
        }
        values
    }

    fn border(&mut self, item: &Node, found: &mut Diagnostics) {
        let mut fields = item.fields(found);
        let both = fields.may("between");
        let one = fields.may("up");
        let features = self.bits(fields.may("is"), &self.features, "feature", found);
        fields.may("from");
        fields.finish(found);
        if both.is_none() && features & !self.one_way != 0 {
            let help = "write `between:`, or declare the feature with `one-way: true`";
            found.error("one-way", &item.span, "this counts in one direction only, which the feature does not", help);
        }
        if both.is_some() && features & self.one_way != 0 {
            let help = "write `up: [low, high]` for the way on which it counts, and once more for the other if it does";
            found.error("one-way", &item.span, "this counts on the way up only, and no way is up here", help);
        }
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
        if a == b {
            let message = format!("{} borders on itself", self.graph[a].name);
            found.error("not-adjacent", &pair.span, message, "name the two spaces that lie next to each other");
            return;
        }
        for (from, to, wanted) in [(a, b, true), (b, a, both.is_some())] {
            match self.graph.find_edge(from, to) {
                Some(edge) if wanted => self.graph[edge].features |= features,
                Some(_) => (),
                None if self.is_area => {
                    let features = if wanted { features } else { 0 };
                    self.graph.add_edge(from, to, Border { features, roads: 0 });
                }
                None => {
                    let (a, b) = (&self.graph[a].name, &self.graph[b].name);
                    let help = "name two spaces that share a side";
                    found.error("not-adjacent", &pair.span, format!("{a} and {b} are not adjacent"), help);
                    return;
                }
            }
        }
    }

    fn stream(&mut self, item: &Node, found: &mut Diagnostics) -> Option<Stream> {
        let mut fields = item.fields(found);
        let id = fields.must("id", found)?.as_text(found);
        let name = fields.text("name", found).unwrap_or_else(|| id.clone());
        let is = fields.must("is", found)?;
        let features = self.bits(Some(is), &self.features, "feature", found);
        let sides = fields.must("along", found)?;
        let from = Provenance::read(fields.may("from"), found);
        fields.finish(found);
        let mut along = Vec::new();
        for side in sides.items(found) {
            let ends: Vec<_> = side.items(found).iter().map(|n| self.find(n, found)).collect();
            let [Some(a), Some(b)] = ends[..] else { continue };
            let edges = [self.graph.find_edge(a, b), self.graph.find_edge(b, a)];
            if edges.iter().all(Option::is_none) {
                let (a, b) = (&self.graph[a].name, &self.graph[b].name);
                let help = "name two spaces that share a side";
                found.error("not-adjacent", &side.span, format!("{a} and {b} are not adjacent"), help);
            }
            for edge in edges.into_iter().flatten() {
                self.graph[edge].features |= features;
            }
            along.push((SpaceId(a.index() as u32), SpaceId(b.index() as u32)));
        }
        (features != 0).then(|| Stream { id, name, feature: features.trailing_zeros() as usize, along, from })
    }

    fn place(&self, item: &Node, called: &mut BTreeSet<String>, found: &mut Diagnostics) -> Option<Place> {
        let mut fields = item.fields(found);
        let named = fields.must("name", found)?;
        let name = named.as_text(found);
        let kind = fields.text("kind", found).unwrap_or_default();
        let spaces = fields.must("at", found)?;
        let at: Vec<SpaceId> =
            spaces.items(found).iter().filter_map(|n| self.find(n, found)).map(|n| SpaceId(n.index() as u32)).collect();
        let from = Provenance::read(fields.may("from"), found);
        fields.finish(found);
        if !called.insert(name.clone()) {
            let help = "people call places by their names: give one of them another";
            found.error("twice", &named.span, format!("there is a place `{name}` already"), help);
        }
        (!at.is_empty()).then_some(Place { name, kind, at, from })
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
                let help = found.suggest(&name, roads.iter().map(|r| r.id.as_str()));
                found.error("unknown-name", &n.span, format!("there is no road `{name}`"), help);
            }
            at
        });
        let from = Provenance::read(fields.may("from"), found);
        fields.finish(found);
        Some(Entry { id, at: SpaceId(at?.index() as u32), road, from })
    }
}

fn point(node: &Node, found: &mut Diagnostics) -> Point {
    let pair: Vec<i32> = node.items(found).iter().map(|n| n.as_int(-1 << 20, 1 << 20, found)).collect();
    if pair.len() != 2 {
        found.error("type", &node.span, "a point is written [east, north]", "");
    }
    Point { x: pair.first().copied().unwrap_or(0), y: pair.get(1).copied().unwrap_or(0) }
}

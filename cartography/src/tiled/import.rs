//! A Tiled file as a map file.

use std::{collections::BTreeMap, fmt::Write as _};

use countermarch_core::{
    diagnostic::{Diagnostics, Span, suggest},
    map::{Cell, Grid, Point, read_grid},
    yaml::{self, Node},
};
use serde_json::Value;

use super::{METRES, Sheet};
use crate::build::quoted;

/// Reads a Tiled file and writes the map file it stands for. Everything wrong is recorded; `None` when nothing could be
/// read. What is returned is to be loaded: it may still be wrong as a map.
pub fn import(file: &str, text: &str, found: &mut Diagnostics) -> Option<String> {
    let json: Value = match serde_json::from_str(text) {
        Ok(json) => json,
        Err(wrong) => {
            let at = text.split_inclusive('\n').take(wrong.line().saturating_sub(1)).map(str::len).sum::<usize>();
            let at = (at + wrong.column().saturating_sub(1)).min(text.len());
            let told = wrong.to_string();
            let told = told.split(" at line ").next().unwrap_or(&told);
            let span = Span { file: file.into(), start: at, end: at };
            found.error("tiled", &span, format!("this is no JSON: {told}"), "save it in Tiled as TMJ (JSON map)");
            return None;
        }
    };
    let kept = property(&json, "kept").unwrap_or_default();
    if kept.is_empty() {
        let help = "begin with `countermarch map tiled`, which writes what a map is beside what Tiled shows";
        found.error("tiled", &Span::file(file), "the map has no property `kept`", help);
        return None;
    }
    let node = yaml::parse("kept", &kept, found);
    let grid = read_grid(node.get("grid").unwrap_or(&node), found)?;
    let absent: Vec<String> = texts(node.get("absent"));
    let layers: Vec<&Value> = json["layers"].as_array().map(|l| l.iter().collect()).unwrap_or_default();
    let mut cells: Vec<Cell> = grid.cells().into_iter().filter(|c| !absent.contains(&c.name)).collect();
    let mut outlines = Vec::new();
    if grid == Grid::Area {
        for object in objects(&layers, "spaces") {
            let center = point_of(object, "center", file, found).unwrap_or(Point { x: 0, y: 0 });
            cells.push(Cell { name: name(object), center });
        }
        let spaces = layers.iter().find(|l| l["name"] == "spaces");
        // Where the upper left of all areas lies.
        outlines.extend(spaces.and_then(|layer| point_of(layer, "corner", file, found)));
    }
    let dots: Vec<Point> = cells.iter().map(|c| c.center).collect();
    let sheet = Sheet::new(&grid, &dots, &outlines);
    let mut pairs: Vec<(usize, usize)> = grid.adjacent(&cells).into_iter().filter(|(a, b)| a < b).collect();
    pairs.extend(grid.cornered(&cells).into_iter().filter(|(a, b)| a < b));
    let mut reading = Reading { file, layers, node: &node, grid: &grid, cells, pairs, sheet, out: kept.clone() };
    reading.spaces(found);
    reading.borders(found);
    reading.streams(found);
    reading.roads(found);
    reading.points(found);
    Some(reading.out)
}

struct Reading<'a> {
    file: &'a str,
    layers: Vec<&'a Value>,
    node: &'a Node,
    grid: &'a Grid,
    cells: Vec<Cell>,
    pairs: Vec<(usize, usize)>,
    sheet: Sheet,
    out: String,
}

fn property(of: &Value, name: &str) -> Option<String> {
    let all = of["properties"].as_array()?;
    let value = &all.iter().find(|p| p["name"] == name)?["value"];
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

fn name(of: &Value) -> String {
    of["name"].as_str().unwrap_or_default().to_owned()
}

fn texts(node: Option<&Node>) -> Vec<String> {
    let mut found = Diagnostics::default();
    let items = node.map(|n| n.items(&mut found)).unwrap_or_default();
    items.iter().filter_map(|n| n.text().or_else(|| n.get("name").and_then(Node::text)).map(str::to_owned)).collect()
}

fn objects<'a>(layers: &[&'a Value], layer: &str) -> Vec<&'a Value> {
    let found = layers.iter().find(|l| l["name"] == layer && l["type"] == "objectgroup");
    found.and_then(|l| l["objects"].as_array()).map(|o| o.iter().collect()).unwrap_or_default()
}

/// The places of an object: its point, or the corners of its line or outline.
fn places(object: &Value) -> Vec<(f64, f64)> {
    let at = |v: &Value| (v["x"].as_f64().unwrap_or(0.0), v["y"].as_f64().unwrap_or(0.0));
    let (x, y) = at(object);
    let list = object["polyline"].as_array().or_else(|| object["polygon"].as_array());
    match list {
        Some(list) => list.iter().map(|p| (x + at(p).0, y + at(p).1)).collect(),
        None => vec![(x, y)],
    }
}

/// A point in metres that a property of an object says, `20, 5`; no farther out than maps reach.
fn point_of(object: &Value, of: &str, file: &str, found: &mut Diagnostics) -> Option<Point> {
    const FARTHEST: i32 = 1 << 20;
    let text = property(object, of).filter(|text| !text.is_empty())?;
    let pair: Vec<i32> = text.split(", ").filter_map(|n| n.parse().ok()).collect();
    match pair.as_slice() {
        [x, y] if [x, y].iter().all(|n| (-FARTHEST..=FARTHEST).contains(*n)) => Some(Point { x: *x, y: *y }),
        _ => {
            let message =
                format!("`{of}` is `{}`, which is no point of a map", text.chars().take(40).collect::<String>());
            let help = format!("write two whole numbers between -{FARTHEST} and {FARTHEST}, as `20, 5`");
            found.error("tiled", &Span::file(file), message, help);
            None
        }
    }
}

impl Reading<'_> {
    fn wrong(&self, object: &Value, layer: &str, message: &str, help: &str, found: &mut Diagnostics) {
        let id = object["id"].as_i64().unwrap_or(0);
        let called = name(object);
        let called = if called.is_empty() { String::new() } else { format!(" `{called}`") };
        let message = format!("object {id}{called} of layer `{layer}`: {message}");
        found.error("tiled", &Span::file(self.file), message, help);
    }

    fn number(&self, at: usize) -> String {
        quoted(&self.cells[at].name)
    }

    /// The space nearest to a place, within one space of it.
    fn space(&self, (x, y): (f64, f64)) -> Option<usize> {
        let far = |at: &usize| {
            let (cx, cy) = self.sheet.dot(self.cells[*at].center);
            (cx - x).powi(2) + (cy - y).powi(2)
        };
        let nearest = (0..self.cells.len()).min_by(|a, b| far(a).total_cmp(&far(b)))?;
        let limit = if *self.grid == Grid::Area { f64::MAX } else { f64::from(super::HIGH).powi(2) * 0.5 };
        (far(&nearest) <= limit).then_some(nearest)
    }

    /// The side nearest to a place.
    fn side(&self, (x, y): (f64, f64)) -> Option<(usize, usize)> {
        let far = |(a, b): &(usize, usize)| {
            let [p, q] = self.sheet.side(self.grid, self.cells[*a].center, self.cells[*b].center);
            ((p.0 + q.0) / 2.0 - x).powi(2) + ((p.1 + q.1) / 2.0 - y).powi(2)
        };
        let nearest = self.pairs.iter().min_by(|a, b| far(a).total_cmp(&far(b)))?;
        (far(nearest) <= f64::from(super::SIDE).powi(2) * 0.5).then_some(*nearest)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.cells.iter().position(|c| c.name == name)
    }

    /// The two spaces that a property of an object names.
    fn named_pair(&self, object: &Value, key: &str) -> Option<(usize, usize)> {
        let text = property(object, key)?;
        let (a, b) = text.split_once(' ')?;
        Some((self.find(a)?, self.find(b)?))
    }

    fn spaces(&mut self, found: &mut Diagnostics) {
        let terrains = texts(self.node.get("terrains"));
        let mut is: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for terrain in &terrains {
            let layer = self.layers.iter().find(|l| l["name"] == terrain.as_str() && l["type"] == "tilelayer");
            let Some(data) = layer.and_then(|l| l["data"].as_array()) else { continue };
            for (at, cell) in self.cells.iter().enumerate() {
                let (column, row) = self.sheet.cell(cell.center);
                let tile = data.get((row * self.sheet.columns + column) as usize).and_then(Value::as_u64);
                if tile.is_some_and(|t| t != 0) {
                    is.entry(at).or_default().push(terrain.clone());
                }
            }
        }
        for layer in self.layers.iter().filter(|l| l["type"] == "tilelayer") {
            let called = name(layer);
            if called != "board" && !terrains.contains(&called) {
                let help = suggest(&called, terrains.iter().map(String::as_str));
                let message = format!("layer `{called}` is no terrain of the map");
                found.error("tiled", &Span::file(self.file), message, help);
            }
            let (wide, high) = (layer["width"].as_i64(), layer["height"].as_i64());
            if wide != Some(i64::from(self.sheet.columns)) || high != Some(i64::from(self.sheet.rows)) {
                let (w, h) = (self.sheet.columns, self.sheet.rows);
                let message = format!("layer `{called}` is not {w} by {h} cells, as the grid is");
                found.error(
                    "tiled",
                    &Span::file(self.file),
                    message,
                    "the grid is laid by the grid file, not in Tiled",
                );
            }
        }
        let mut rows: BTreeMap<usize, String> = BTreeMap::new();
        for object in objects(&self.layers, "spaces") {
            let Some(at) = self.find(&name(object)) else {
                self.wrong(
                    object,
                    "spaces",
                    "there is no such space",
                    "points of this layer are named by numbers",
                    found,
                );
                continue;
            };
            let mut row = String::new();
            let own = property(object, "is").filter(|text| !text.is_empty());
            let all = own.or_else(|| is.get(&at).map(|list| list.join(", ")));
            if let Some(all) = all {
                let _ = write!(row, ", is: [{all}]");
            }
            for key in ["level", "elevation"] {
                if let Some(value) = property(object, key) {
                    let _ = write!(row, ", {key}: {value}");
                }
            }
            if let Some(numbers) = property(object, "numbers") {
                let _ = write!(row, ", numbers: {{ {numbers} }}");
            }
            if let Some(label) = property(object, "label") {
                let _ = write!(row, ", name: {}", quoted(&label));
            }
            if *self.grid == Grid::Area {
                let center = self.cells[at].center;
                let _ = write!(row, ", center: [{}, {}]", center.x, center.y);
                let corner = self.sheet.corner;
                let metre = |(x, y): (f64, f64)| {
                    let (x, y) = (f64::from(corner.x) + x * METRES, f64::from(corner.y) - y * METRES);
                    format!("[{}, {}]", x.round(), y.round())
                };
                if object["polygon"].is_array() {
                    let shape: Vec<String> = places(object).into_iter().map(metre).collect();
                    let _ = write!(row, ", shape: [{}]", shape.join(", "));
                }
            }
            let from = property(object, "from").unwrap_or_else(|| "printed".to_owned());
            let _ = write!(row, ", from: {from}");
            rows.insert(at, row);
        }
        // A space may be painted though its point was deleted.
        for (at, all) in &is {
            rows.entry(*at).or_insert_with(|| format!(", is: [{}]", all.join(", ")));
        }
        let _ = writeln!(self.out, "spaces:");
        for (at, row) in rows {
            let line = format!("  - {{ at: {}{row} }}", self.number(at));
            let _ = writeln!(self.out, "{line}");
        }
    }

    fn borders(&mut self, found: &mut Diagnostics) {
        let mut rows = Vec::new();
        if *self.grid == Grid::Area {
            for object in objects(&self.layers, "adjacent") {
                match self.named_pair(object, "between") {
                    Some((a, b)) => rows.push(format!("between: [{}, {}]", self.number(a), self.number(b))),
                    None => self.wrong(
                        object,
                        "adjacent",
                        "it joins no two areas",
                        "give it the property `between`: `7 16`",
                        found,
                    ),
                }
            }
        }
        for feature in texts(self.node.get("features")) {
            for object in objects(&self.layers, &feature) {
                if let Some((low, high)) = self.named_pair(object, "up") {
                    rows.push(format!("up: [{}, {}], is: [{feature}]", self.number(low), self.number(high)));
                } else if let Some((a, b)) = self.named_pair(object, "between") {
                    rows.push(format!("between: [{}, {}], is: [{feature}]", self.number(a), self.number(b)));
                } else {
                    for (a, b) in self.sides(object, &feature, found) {
                        rows.push(format!("between: [{}, {}], is: [{feature}]", self.number(a), self.number(b)));
                    }
                }
            }
        }
        self.list("borders", &rows);
    }

    /// The sides that a line follows: those nearest to the middles of its pieces.
    fn sides(&self, object: &Value, layer: &str, found: &mut Diagnostics) -> Vec<(usize, usize)> {
        let places = places(object);
        let middles: Vec<(f64, f64)> = match places.len() {
            1 => places,
            _ => places.windows(2).map(|p| ((p[0].0 + p[1].0) / 2.0, (p[0].1 + p[1].1) / 2.0)).collect(),
        };
        let mut sides = Vec::new();
        for middle in middles {
            match self.side(middle) {
                Some(side) => sides.push(side),
                None => {
                    let help = "draw it from corner to corner along the sides";
                    self.wrong(object, layer, "a piece of it lies along no side", help, found);
                }
            }
        }
        sides
    }

    fn streams(&mut self, found: &mut Diagnostics) {
        let mut rows = Vec::new();
        for object in objects(&self.layers, "streams") {
            let sides = self.sides(object, "streams", found);
            let along: Vec<String> =
                sides.iter().map(|(a, b)| format!("[{}, {}]", self.number(*a), self.number(*b))).collect();
            let (id, said) = (name(object), self.said(object));
            let Some(is) = property(object, "is") else {
                self.wrong(object, "streams", "it has no property `is`", "say which feature its sides have", found);
                continue;
            };
            rows.push(format!("id: {id}, name: {}, is: {is}, along: [{}], from: {}", said.0, along.join(", "), said.1));
        }
        self.list("streams", &rows);
    }

    fn roads(&mut self, found: &mut Diagnostics) {
        let mut rows = Vec::new();
        for object in objects(&self.layers, "roads") {
            let mut along: Vec<usize> = Vec::new();
            for place in places(object) {
                match self.space(place) {
                    Some(space) if along.last() == Some(&space) => (),
                    Some(space) => along.push(space),
                    None => self.wrong(
                        object,
                        "roads",
                        "a corner of it lies off the map",
                        "draw it from center to center",
                        found,
                    ),
                }
            }
            let along: Vec<String> = along.into_iter().map(|s| self.number(s)).collect();
            let (id, said) = (name(object), self.said(object));
            let Some(kind) = property(object, "kind") else {
                self.wrong(object, "roads", "it has no property `kind`", "say which kind of road it is", found);
                continue;
            };
            rows.push(format!(
                "id: {id}, name: {}, kind: {kind}, along: [{}], from: {}",
                said.0,
                along.join(", "),
                said.1
            ));
        }
        self.list("roads", &rows);
    }

    /// What a thing is called, quoted, and where it comes from.
    fn said(&self, object: &Value) -> (String, String) {
        let label = property(object, "label").unwrap_or_else(|| name(object));
        (quoted(&label), property(object, "from").unwrap_or_else(|| "printed".to_owned()))
    }

    /// Entries and places.
    fn points(&mut self, found: &mut Diagnostics) {
        let mut entries = Vec::new();
        for object in objects(&self.layers, "entries") {
            let Some(at) = places(object).first().and_then(|p| self.space(*p)) else {
                self.wrong(object, "entries", "it lies off the map", "", found);
                continue;
            };
            let road = property(object, "road").map(|r| format!(", road: {r}")).unwrap_or_default();
            entries.push(format!("id: {}, at: {}{road}, from: {}", name(object), self.number(at), self.said(object).1));
        }
        self.list("entries", &entries);
        let mut rows = Vec::new();
        for object in objects(&self.layers, "places") {
            let Some(at) = places(object).first().and_then(|p| self.space(*p)) else {
                self.wrong(object, "places", "it lies off the map", "", found);
                continue;
            };
            let also = property(object, "also").unwrap_or_default();
            let mut spaces = vec![self.number(at)];
            spaces.extend(also.split(' ').filter(|s| !s.is_empty()).map(quoted));
            let (kind, from) = (property(object, "kind").unwrap_or_default(), self.said(object).1);
            rows.push(format!(
                "name: {}, kind: {}, at: [{}], from: {from}",
                quoted(&name(object)),
                quoted(&kind),
                spaces.join(", ")
            ));
        }
        self.list("places", &rows);
    }

    fn list(&mut self, key: &str, rows: &[String]) {
        if !rows.is_empty() {
            let _ = writeln!(self.out, "{key}:");
        }
        for row in rows {
            let _ = writeln!(self.out, "  - {{ {row} }}");
        }
    }
}

//! A map as a Tiled file.

use countermarch_core::{
    diagnostic::Diagnostics,
    map::{Grid, Map, Point, SpaceId},
    yaml::{self, Value as Yaml},
};
use serde_json::{Value, json};

use crate::courses::line_of;

use super::{Cells, HIGH, LISTS, SIDE, Sheet, WIDE, tiles};

/// A Tiled file and the picture of its tiles.
#[derive(Debug)]
pub struct Tiled {
    /// The map, as Tiled reads it.
    pub json: String,
    /// The tiles, a PNG that lies beside it; areas have none.
    pub tiles: Vec<u8>,
}

/// Makes a Tiled file of a map and the text of its map file; the tiles are looked for under that file name.
///
/// # Errors
/// When the picture of the tiles cannot be encoded.
pub fn export(map: &Map, text: &str, tiles_name: &str) -> anyhow::Result<Tiled> {
    let dots: Vec<Point> = map.spaces().map(|s| map.space(s).center).collect();
    let outlines: Vec<Point> = map.spaces().flat_map(|s| map.space(s).shape.clone()).collect();
    let sheet = Sheet::new(&map.grid, &dots, &outlines);
    let mut making = Making { map, sheet, next: 1, layers: Vec::new() };
    making.cells();
    making.spaces();
    making.borders();
    making.streams();
    making.roads();
    making.entries();
    making.places();
    let (width, height) = match sheet.shape {
        Cells::Pointy { .. } | Cells::Square | Cells::Area => {
            (WIDE, if sheet.shape == Cells::Square { WIDE } else { HIGH })
        }
        Cells::Flat { .. } => (HIGH, WIDE),
    };
    let mut file = json!({
        "type": "map", "version": "1.10", "tiledversion": "1.11.0", "infinite": false, "renderorder": "right-down",
        "orientation": if matches!(sheet.shape, Cells::Pointy { .. } | Cells::Flat { .. }) { "hexagonal" } else { "orthogonal" },
        "width": sheet.columns, "height": sheet.rows, "tilewidth": width, "tileheight": height,
    });
    match sheet.shape {
        Cells::Pointy { shifted } | Cells::Flat { shifted } => {
            let axis = if matches!(sheet.shape, Cells::Pointy { .. }) { "y" } else { "x" };
            file["hexsidelength"] = json!(SIDE);
            file["staggeraxis"] = json!(axis);
            file["staggerindex"] = json!(if shifted == 1 { "odd" } else { "even" });
        }
        Cells::Square | Cells::Area => (),
    }
    let names: Vec<&str> = ["board"].into_iter().chain(map.terrains.iter().map(String::as_str)).collect();
    let has_cells = sheet.shape != Cells::Area;
    let tilesets: Vec<Value> = has_cells
        .then(|| {
            let tiles: Vec<Value> = names.iter().enumerate().map(|(at, n)| json!({ "id": at, "type": n })).collect();
            json!({
                "firstgid": 1, "name": "terrains", "image": tiles_name, "margin": 0, "spacing": 0,
                "imagewidth": width * names.len() as i32, "imageheight": height, "columns": names.len(),
                "tilewidth": width, "tileheight": height, "tilecount": names.len(), "tiles": tiles,
            })
        })
        .into_iter()
        .collect();
    file["properties"] = properties(&[("kept", kept(text))]);
    file["tilesets"] = tilesets.into();
    file["nextlayerid"] = json!(making.layers.len() + 1);
    file["nextobjectid"] = json!(making.next);
    file["layers"] = making.layers.into();
    let tiles = if has_cells { tiles::picture(&names, sheet.shape, width, height)? } else { Vec::new() };
    Ok(Tiled { json: serde_json::to_string_pretty(&file)? + "\n", tiles })
}

/// What of a map file becomes no layer, as it is written.
fn kept(text: &str) -> String {
    let mut found = Diagnostics::default();
    let node = yaml::parse("map", text, &mut found);
    let Yaml::Map(entries) = &node.value else { return String::new() };
    let mut out = String::new();
    for (at, (key, _)) in entries.iter().enumerate() {
        if key.text().is_some_and(|k| LISTS.contains(&k)) {
            continue;
        }
        let end = entries.get(at + 1).map_or(text.len(), |(next, _)| next.span.start);
        out.push_str(text[key.span.start..end].trim_end());
        out.push('\n');
    }
    out
}

/// Custom properties, in the order given; empty ones are left out.
fn properties(pairs: &[(&str, String)]) -> Value {
    let pairs = pairs.iter().filter(|(_, value)| !value.is_empty());
    pairs.map(|(name, value)| json!({ "name": name, "type": "string", "value": value })).collect()
}

struct Making<'a> {
    map: &'a Map,
    sheet: Sheet,
    next: usize,
    layers: Vec<Value>,
}

impl Making<'_> {
    fn dot(&self, space: SpaceId) -> (f64, f64) {
        self.sheet.dot(self.map.space(space).center)
    }

    fn side(&self, a: SpaceId, b: SpaceId) -> [(f64, f64); 2] {
        self.sheet.side(&self.map.grid, self.map.space(a).center, self.map.space(b).center)
    }

    fn layer(&mut self, name: &str, colour: &str, objects: Vec<Value>) {
        let id = self.layers.len() + 1;
        // A pin in every cell hides what is painted.
        let is_seen = name != "spaces" || self.sheet.shape == Cells::Area;
        self.layers.push(json!({
            "id": id, "name": name, "type": "objectgroup", "visible": is_seen, "opacity": 1, "x": 0, "y": 0,
            "draworder": "index", "color": colour, "objects": objects,
        }));
    }

    /// A line, or a point where there is only one place.
    fn object(&mut self, name: &str, class: &str, places: &[(f64, f64)], more: &[(&str, String)]) -> Value {
        let (x, y) = places[0];
        let mut object = json!({
            "id": self.next, "name": name, "type": class, "x": x, "y": y, "width": 0, "height": 0, "rotation": 0,
            "visible": true,
        });
        self.next += 1;
        if places.len() == 1 {
            object["point"] = json!(true);
        } else {
            object["polyline"] = places.iter().map(|p| json!({ "x": p.0 - x, "y": p.1 - y })).collect();
        }
        let more = properties(more);
        if more.as_array().is_some_and(|m| !m.is_empty()) {
            object["properties"] = more;
        }
        object
    }

    /// The board and each terrain, as layers of tiles.
    fn cells(&mut self) {
        if self.sheet.shape == Cells::Area {
            return;
        }
        let map = self.map;
        let (columns, rows) = (self.sheet.columns, self.sheet.rows);
        let layers = [("board", u32::MAX)]
            .into_iter()
            .chain(map.terrains.iter().enumerate().map(|(at, n)| (n.as_str(), 1 << at)));
        for (tile, (name, bits)) in layers.enumerate() {
            let mut data = vec![0; (columns * rows) as usize];
            for space in map.spaces() {
                let here = map.space(space);
                let (column, row) = self.sheet.cell(here.center);
                if bits == u32::MAX || here.terrain & bits != 0 {
                    data[(row * columns + column) as usize] = tile + 1;
                }
            }
            let id = self.layers.len() + 1;
            self.layers.push(json!({
                "id": id, "name": name, "type": "tilelayer", "visible": true, "opacity": 1, "x": 0, "y": 0,
                "width": columns, "height": rows, "data": data,
            }));
        }
    }

    /// A point for every space: its number, and what is stated of it.
    fn spaces(&mut self) {
        let map = self.map;
        let mut objects = Vec::new();
        let has_levels = map.spaces().any(|s| map.space(s).level != 0);
        for space in map.spaces() {
            let here = map.space(space);
            let is_area = self.sheet.shape == Cells::Area;
            let numbers = map.numbers.iter().zip(&here.numbers).filter(|(_, n)| **n != 0);
            let numbers: Vec<String> = numbers.map(|(name, n)| format!("{name}: {n}")).collect();
            let terrains = map.terrains.iter().enumerate().filter(|(at, _)| is_area && here.terrain >> at & 1 == 1);
            let terrains: Vec<&str> = terrains.map(|(_, n)| n.as_str()).collect();
            let level = if has_levels { here.level.to_string() } else { String::new() };
            let mut object = self.object(
                &here.name,
                "space",
                &[self.dot(space)],
                &[
                    ("label", here.label.clone().unwrap_or_default()),
                    ("is", terrains.join(", ")),
                    ("level", level),
                    ("elevation", here.elevation.map(|e| e.to_string()).unwrap_or_default()),
                    ("numbers", numbers.join(", ")),
                    ("from", here.from.to_string()),
                    // Where the dot of an area is cannot be told from its outline.
                    ("center", if is_area { format!("{}, {}", here.center.x, here.center.y) } else { String::new() }),
                ],
            );
            if !here.shape.is_empty() {
                let places: Vec<(f64, f64)> =
                    here.shape.iter().map(|p| self.sheet.pixels(f64::from(p.x), f64::from(p.y))).collect();
                let (x, y) = places[0];
                object["x"] = json!(x);
                object["y"] = json!(y);
                object["polygon"] = places.iter().map(|p| json!({ "x": p.0 - x, "y": p.1 - y })).collect();
                if let Some(fields) = object.as_object_mut() {
                    fields.remove("point");
                }
            }
            objects.push(object);
        }
        self.layer("spaces", "#808080", objects);
        if self.sheet.shape == Cells::Area
            && let Some(layer) = self.layers.last_mut()
        {
            // Pixels count from the upper left of all areas.
            let corner = self.sheet.corner;
            layer["properties"] = properties(&[("corner", format!("{}, {}", corner.x, corner.y))]);
        }
    }

    /// A layer for every feature that is not only that of streams.
    fn borders(&mut self) {
        let map = self.map;
        let of_streams = |pair: (SpaceId, SpaceId), at: usize| {
            map.streams
                .iter()
                .any(|s| s.feature == at && s.along.iter().any(|(a, b)| (*a, *b) == pair || (*b, *a) == pair))
        };
        for (at, name) in map.features.iter().enumerate() {
            // Corners of squares come with the grid.
            if matches!(&map.grid, Grid::Square(s) if s.corners.as_ref() == Some(name)) {
                continue;
            }
            let is_one_way = map.one_way >> at & 1 == 1;
            let mut objects = Vec::new();
            for a in map.spaces() {
                for border in map.out(a).filter(|b| map.border(*b).features >> at & 1 == 1) {
                    let b = map.target(border);
                    if !is_one_way && (b < a || of_streams((a, b), at)) {
                        continue;
                    }
                    let key = if is_one_way { "up" } else { "between" };
                    let spaces = format!("{} {}", map.space(a).name, map.space(b).name);
                    objects.push(self.object("", key, &self.side(a, b), &[(key, spaces)]));
                }
            }
            self.layer(name, "#7a5a38", objects);
        }
        // Areas have no grid that says which lie beside which.
        if self.sheet.shape == Cells::Area {
            let pairs = map.spaces().flat_map(|a| map.near(a).filter(move |b| a < *b).map(move |b| (a, b)));
            let pairs: Vec<(SpaceId, SpaceId)> = pairs.collect();
            let mut objects = Vec::new();
            for (a, b) in pairs {
                let spaces = format!("{} {}", map.space(a).name, map.space(b).name);
                objects.push(self.object("", "between", &self.side(a, b), &[("between", spaces)]));
            }
            self.layer("adjacent", "#404040", objects);
        }
    }

    fn streams(&mut self) {
        let map = self.map;
        let mut objects = Vec::new();
        for stream in &map.streams {
            let sides: Vec<[(f64, f64); 2]> = stream.along.iter().map(|(a, b)| self.side(*a, *b)).collect();
            let more = [
                ("label", stream.name.clone()),
                ("is", map.features[stream.feature].clone()),
                ("from", stream.from.word().to_owned()),
            ];
            objects.push(self.object(&stream.id, "stream", &line_of(&sides), &more));
        }
        self.layer("streams", "#4a7fa8", objects);
    }

    fn roads(&mut self) {
        let map = self.map;
        let mut objects = Vec::new();
        for road in &map.roads {
            let mut places: Vec<(f64, f64)> = road.along.iter().map(|s| self.dot(*s)).collect();
            if places.is_empty() {
                continue;
            }
            // A line of one place would be a point.
            if places.len() == 1 {
                places.push(places[0]);
            }
            let more = [
                ("label", road.name.clone()),
                ("kind", map.road_kinds[road.kind].clone()),
                ("from", road.from.word().to_owned()),
            ];
            objects.push(self.object(&road.id, "road", &places, &more));
        }
        self.layer("roads", "#8a5f38", objects);
    }

    fn entries(&mut self) {
        let map = self.map;
        let mut objects = Vec::new();
        for entry in &map.entries {
            let road = entry.road.map(|at| map.roads[at].id.clone()).unwrap_or_default();
            let more = [("road", road), ("from", entry.from.word().to_owned())];
            objects.push(self.object(&entry.id, "entry", &[self.dot(entry.at)], &more));
        }
        self.layer("entries", "#b03a2e", objects);
    }

    fn places(&mut self) {
        let map = self.map;
        let mut objects = Vec::new();
        for place in &map.places {
            let others: Vec<&str> = place.at[1..].iter().map(|s| map.space(*s).name.as_str()).collect();
            let more =
                [("kind", place.kind.clone()), ("also", others.join(" ")), ("from", place.from.word().to_owned())];
            objects.push(self.object(&place.name, "place", &[self.dot(place.at[0])], &more));
        }
        self.layer("places", "#2d2820", objects);
    }
}

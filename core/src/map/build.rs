//! Lays a grid over a survey of the real ground and writes the printed map that comes out.
//!
//! Everything is measured in metres in the survey's plane frame. What a rulebook states about the map stands in
//! the grid file's `overrides`, with its citation, and wins over the survey.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::{Cell, Grid, Hexes, Orientation, Point, Stagger};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    yaml::Node,
};

/// Metres east and north of the survey's origin.
type Metres = (f64, f64);

/// A feature of a survey.
struct Feature {
    kind: String,
    name: String,
    size: String,
    lines: Vec<Vec<Metres>>,
}

struct Frame {
    longitude: f64,
    latitude: f64,
    per_longitude: f64,
    per_latitude: f64,
}

struct Laid {
    cells: Vec<Cell>,
    centers: Vec<Metres>,
    pairs: Vec<(usize, usize)>,
    width: f64,
    is_flat: bool,
}

/// Builds the map file's text from a grid file and the survey it names. `None` when it cannot be laid at all.
pub fn build(node: &Node, survey: &str, found: &mut Diagnostics) -> Option<String> {
    let mut fields = node.fields(found);
    let id = fields.must("map", found)?.as_text(found);
    let title = fields.text("title", found).unwrap_or_else(|| id.clone());
    let scale = fields.text("scale", found).unwrap_or_default();
    fields.may("survey");
    let grid_node = fields.must("grid", found)?;
    let frame = fields.must("frame", found)?;
    let number = |node: Option<&Node>, found: &mut Diagnostics| -> f64 {
        let Some(node) = node else { return 0.0 };
        node.as_text(found).parse().unwrap_or_else(|_| {
            found.error("type", &node.span, "expected a number", "");
            0.0
        })
    };
    let read = |key: &str, found: &mut Diagnostics| number(frame.get(key), found);
    let frame = Frame {
        longitude: read("longitude", found),
        latitude: read("latitude", found),
        per_longitude: read("metres-per-longitude", found),
        per_latitude: read("metres-per-latitude", found),
    };
    let lay = fields.must("lay", found)?;
    let anchor = lay.get("hex")?.as_text(found);
    let at = (number(lay.get("east"), found), number(lay.get("north"), found));
    let width = number(lay.get("width"), found);
    let features = read_survey(survey, &frame, found)?;
    let grid = super::load::read_grid(grid_node, found)?;
    let laid = lay_grid(&grid, &anchor, at, width, lay, found)?;
    let mut out = String::new();
    let source = fields.text("source", found).unwrap_or_default();
    let _ = writeln!(out, "# Built by `countermarch map build`: edit the grid file, not this one.");
    let _ = writeln!(out, "map: {id}\ntitle: {title}\nscale: {scale}");
    let _ = writeln!(out, "sources: [{source}]");
    write_grid(&grid, &mut out);
    let terrains = fields.texts("terrains", found);
    let towns = fields.may("towns");
    let _ = writeln!(out, "terrains: [{}]", terrains.join(", "));
    let _ = writeln!(out, "features: [creek, ridge, slope]");
    let _ = writeln!(out, "road-kinds: [pike, road, railroad]");
    let overrides = fields.may("overrides");
    spaces(&laid, &features, &Classes { terrains, towns }, overrides, found, &mut out);
    borders(&laid, &features, &mut out);
    let roads = roads(&laid, &features, &mut out);
    entries(fields.may("entries"), &laid, &roads, found, &mut out);
    fields.finish(found);
    Some(out)
}

fn read_survey(text: &str, frame: &Frame, found: &mut Diagnostics) -> Option<Vec<Feature>> {
    let json: Json = match serde_json::from_str(text) {
        Ok(json) => json,
        Err(wrong) => {
            let message = format!("the survey is not GeoJSON: {wrong}");
            found.error("survey", &Span::file("survey"), message, "export it again");
            return None;
        }
    };
    let metres = |pair: &Json| -> Option<Metres> {
        let (lon, lat) = (pair.get(0)?.as_f64()?, pair.get(1)?.as_f64()?);
        Some(((lon - frame.longitude) * frame.per_longitude, (lat - frame.latitude) * frame.per_latitude))
    };
    let line = |list: &Json| list.as_array().map(|l| l.iter().filter_map(metres).collect::<Vec<_>>());
    let mut features = Vec::new();
    for feature in json.get("features").and_then(Json::as_array).into_iter().flatten() {
        let text = |key: &str| feature["properties"][key].as_str().unwrap_or("").to_owned();
        let at = &feature["geometry"]["coordinates"];
        let lines = match feature["geometry"]["type"].as_str().unwrap_or("") {
            "Point" => metres(at).map(|p| vec![vec![p]]).unwrap_or_default(),
            "LineString" => line(at).into_iter().collect(),
            "Polygon" | "MultiLineString" => at.as_array().into_iter().flatten().filter_map(line).collect(),
            "MultiPolygon" => {
                let parts = at.as_array().into_iter().flatten();
                parts.flat_map(|p| p.as_array().into_iter().flatten()).filter_map(line).collect()
            }
            _ => Vec::new(),
        };
        features.push(Feature { kind: text("kind"), name: text("name"), size: text("size"), lines });
    }
    Some(features)
}

fn lay_grid(grid: &Grid, anchor: &str, at: Metres, width: f64, lay: &Node, found: &mut Diagnostics) -> Option<Laid> {
    let cells = grid.cells();
    let Some(zero) = cells.iter().find(|c| c.name == anchor).map(|c| c.center) else {
        let help = suggest(anchor, cells.iter().map(|c| c.name.as_str()));
        found.error("unknown-space", &lay.span, format!("the grid has no hex `{anchor}`"), help);
        return None;
    };
    let (line, half) = (width * 3f64.sqrt() / 2.0, width / 2.0);
    let (across, up) = if grid.is_flat() { (line, half) } else { (half, line) };
    let place = |p: Point| (at.0 + f64::from(p.x - zero.x) * across, at.1 + f64::from(p.y - zero.y) * up);
    let centers = cells.iter().map(|c| place(c.center)).collect();
    let pairs = grid.adjacent(&cells).into_iter().filter(|(a, b)| a < b).collect();
    Some(Laid { cells, centers, pairs, width, is_flat: grid.is_flat() })
}

fn write_grid(grid: &Grid, out: &mut String) {
    let Grid::Hex(Hexes { orientation, rows, columns, stagger, from_north, within, pattern }) = grid else { return };
    let mut says = format!("kind: hex, rows: {rows}, columns: {columns}");
    let even = match (orientation, stagger) {
        (_, Stagger::Slant) => "slant: true",
        (Orientation::Pointy, Stagger::EvenBack) => "even-rows: west",
        (Orientation::Pointy, Stagger::EvenForward) => "even-rows: east",
        (Orientation::Flat, Stagger::EvenBack) => "even-columns: south",
        (Orientation::Flat, Stagger::EvenForward) => "even-columns: north",
    };
    if *orientation == Orientation::Flat {
        says.push_str(", orientation: flat");
    }
    let _ = write!(says, ", {even}");
    if *from_north {
        says.push_str(", rows-from: north");
    }
    if let Some((first, last)) = within {
        let _ = write!(says, ", within: [{first}, {last}]");
    }
    let _ = writeln!(out, "grid: {{ {says}, number: \"{pattern}\" }}");
}

impl Laid {
    /// The hex a point lies in, if it lies on the board.
    fn hex_of(&self, at: Metres) -> Option<usize> {
        let far = |c: &Metres| (c.0 - at.0).powi(2) + (c.1 - at.1).powi(2);
        let nearest =
            (0..self.centers.len()).min_by(|a, b| far(&self.centers[*a]).total_cmp(&far(&self.centers[*b])))?;
        (far(&self.centers[nearest]).sqrt() <= self.width / 3f64.sqrt()).then_some(nearest)
    }

    fn adjacent(&self, a: usize, b: usize) -> bool {
        self.pairs.contains(&(a.min(b), a.max(b)))
    }

    /// Points spread evenly over a hex.
    fn samples(&self, hex: usize) -> Vec<Metres> {
        let (center, step) = (self.centers[hex], self.width / 10.0);
        let mut points = Vec::new();
        for i in -6i32..=6 {
            for j in -6i32..=6 {
                let at = (center.0 + f64::from(i) * step, center.1 + f64::from(j) * step);
                let (dx, dy) = ((at.0 - center.0).abs(), (at.1 - center.1).abs());
                let (dx, dy) = if self.is_flat { (dy, dx) } else { (dx, dy) };
                if dx <= self.width / 2.0 && dy <= self.width / 3f64.sqrt() - dx / 3f64.sqrt() {
                    points.push(at);
                }
            }
        }
        points
    }
}

/// What the grid file says a space can be.
struct Classes<'a> {
    terrains: Vec<String>,
    /// For each size of town in the survey, the terrains of the space it lies in.
    towns: Option<&'a Node>,
}

fn spaces(
    laid: &Laid,
    features: &[Feature],
    classes: &Classes<'_>,
    overrides: Option<&Node>,
    found: &mut Diagnostics,
    out: &mut String,
) {
    let mut terrain: Vec<Vec<String>> = vec![Vec::new(); laid.cells.len()];
    let mut labels: Vec<Option<String>> = vec![None; laid.cells.len()];
    let woods: Vec<&Feature> = features.iter().filter(|f| f.kind == "woods").collect();
    for (hex, list) in terrain.iter_mut().enumerate() {
        let samples = laid.samples(hex);
        let wooded = samples.iter().filter(|p| woods.iter().any(|f| inside(f, **p))).count();
        if wooded * 2 >= samples.len() {
            list.push("woods".to_owned());
        }
    }
    for feature in features.iter().filter(|f| f.kind == "town") {
        let points: Vec<&Metres> = feature.lines.iter().flatten().collect();
        let count = points.len().max(1) as f64;
        let center = (points.iter().map(|p| p.0).sum::<f64>() / count, points.iter().map(|p| p.1).sum::<f64>() / count);
        if let Some(hex) = laid.hex_of(center) {
            let is = classes.towns.and_then(|towns| towns.get(&feature.size));
            terrain[hex].extend(is.map(|n| n.items(found)).unwrap_or_default().iter().map(|n| n.as_text(found)));
            labels[hex] = Some(feature.name.clone());
        }
    }
    let mut stated = vec![None; laid.cells.len()];
    for item in overrides.map(|n| n.items(found)).unwrap_or_default() {
        let mut fields = item.fields(found);
        let at = fields.must("at", found).map(|n| n.as_text(found)).unwrap_or_default();
        let Some(hex) = laid.cells.iter().position(|c| c.name == at) else {
            found.error("unknown-space", &item.span, format!("the grid has no hex `{at}`"), "");
            continue;
        };
        labels[hex] = fields.text("name", found).or(labels[hex].take());
        let gone = fields.texts("not", found);
        terrain[hex].retain(|t| !gone.iter().any(|g| g == t));
        if gone.iter().any(|g| g == "name") {
            labels[hex] = None;
        }
        for add in fields.texts("is", found) {
            match classes.terrains.iter().find(|k| **k == add) {
                Some(k) if !terrain[hex].contains(k) => terrain[hex].push(k.clone()),
                Some(_) => (),
                None => {
                    let help = suggest(&add, classes.terrains.iter().map(String::as_str));
                    found.error("unknown-name", &item.span, format!("`{add}` is not a terrain of this map"), help);
                }
            }
        }
        stated[hex] = fields.text("from", found);
        fields.may("cite");
        fields.may("why");
        fields.finish(found);
    }
    let _ = writeln!(out, "spaces:");
    for (hex, cell) in laid.cells.iter().enumerate() {
        if terrain[hex].is_empty() && labels[hex].is_none() {
            continue;
        }
        let _ = write!(out, "  - {{ at: \"{}\"", cell.name);
        if !terrain[hex].is_empty() {
            let _ = write!(out, ", is: [{}]", terrain[hex].join(", "));
        }
        if let Some(label) = &labels[hex] {
            let _ = write!(out, ", name: \"{label}\"");
        }
        let _ = writeln!(out, ", from: {} }}", stated[hex].as_deref().unwrap_or("survey"));
    }
}

fn borders(laid: &Laid, features: &[Feature], out: &mut String) {
    let of = |kind: &str| features.iter().filter(|f| f.kind == kind).collect::<Vec<_>>();
    let (creeks, ridges, slopes) = (of("creek"), of("ridge"), of("slope"));
    let _ = writeln!(out, "borders:");
    for (a, b) in &laid.pairs {
        let (from, to) = (laid.centers[*a], laid.centers[*b]);
        // A wandering creek is one unbroken chain of sides when odd crossings of the centre line count.
        let odd = |list: &[&Feature]| list.iter().any(|f| crossings(f, from, to).len() % 2 == 1);
        let mut is = Vec::new();
        if odd(&creeks) {
            is.push("creek");
        }
        if odd(&ridges) {
            is.push("ridge");
        }
        let (low, high) = (&laid.cells[*a].name, &laid.cells[*b].name);
        if !is.is_empty() {
            let _ = writeln!(out, "  - {{ between: [\"{low}\", \"{high}\"], is: [{}], from: survey }}", is.join(", "));
        }
        // The up side of a slope line is on its left.
        let up: i32 = slopes.iter().flat_map(|f| crossings(f, from, to)).map(|left| if left { 1 } else { -1 }).sum();
        let pair = if up > 0 { Some((low, high)) } else { (up < 0).then_some((high, low)) };
        if let Some((low, high)) = pair {
            let _ = writeln!(out, "  - {{ up: [\"{low}\", \"{high}\"], is: [slope], from: survey }}");
        }
    }
}

/// Where the segment crosses the feature's lines: whether `to` lies left of the line there.
fn crossings(feature: &Feature, from: Metres, to: Metres) -> Vec<bool> {
    let side = |p: Metres, q: Metres, r: Metres| (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0);
    let mut found = Vec::new();
    for line in &feature.lines {
        for pair in line.windows(2) {
            let (p, q) = (pair[0], pair[1]);
            let apart = (side(p, q, from) > 0.0) != (side(p, q, to) > 0.0);
            let across = (side(from, to, p) > 0.0) != (side(from, to, q) > 0.0);
            if apart && across {
                found.push(side(p, q, to) > 0.0);
            }
        }
    }
    found
}

fn inside(feature: &Feature, at: Metres) -> bool {
    let mut is_inside = false;
    for ring in &feature.lines {
        for pair in ring.windows(2) {
            let (p, q) = (pair[0], pair[1]);
            if (p.1 > at.1) != (q.1 > at.1) && at.0 < (q.0 - p.0) * (at.1 - p.1) / (q.1 - p.1) + p.0 {
                is_inside = !is_inside;
            }
        }
    }
    is_inside
}

/// Shorter stretches of a road inside a hex are corner clips, in shares of a hex's width.
const CLIP: f64 = 0.12;

fn roads(laid: &Laid, features: &[Feature], out: &mut String) -> Vec<(String, String)> {
    let _ = writeln!(out, "roads:");
    let mut named: Vec<(&str, &str)> = Vec::new();
    for feature in features.iter().filter(|f| matches!(f.kind.as_str(), "pike" | "road" | "railroad")) {
        if !named.contains(&(feature.kind.as_str(), feature.name.as_str())) {
            named.push((&feature.kind, &feature.name));
        }
    }
    let mut ids = Vec::new();
    for (kind, name) in named {
        let parts: Vec<&Vec<Metres>> =
            features.iter().filter(|f| f.kind == kind && f.name == name).flat_map(|f| &f.lines).collect();
        let slug: String =
            name.to_lowercase().replace([' ', '/'], "-").replace(['\'', '.', '(', ')', '&'], "").replace("--", "-");
        let mut strings: Vec<Vec<usize>> = Vec::new();
        for line in joined(&parts) {
            strings.extend(string_of(laid, &line));
        }
        strings.retain(|s| s.len() > 1);
        for (at, string) in strings.iter().enumerate() {
            let id = if at == 0 { slug.clone() } else { format!("{slug}-{}", at + 1) };
            let along: Vec<String> = string.iter().map(|h| format!("\"{}\"", laid.cells[*h].name)).collect();
            let _ = writeln!(
                out,
                "  - {{ id: {id}, name: \"{name}\", kind: {kind}, along: [{}], from: survey }}",
                along.join(", ")
            );
            ids.push((id, name.to_owned()));
        }
    }
    ids
}

/// Parts of one road that share end points, as single lines.
fn joined(parts: &[&Vec<Metres>]) -> Vec<Vec<Metres>> {
    let near = |a: &Metres, b: &Metres| (a.0 - b.0).hypot(a.1 - b.1) < 30.0;
    let mut lines: Vec<Vec<Metres>> = parts.iter().map(|p| (*p).clone()).collect();
    let mut at = 0;
    while at < lines.len() {
        let mut grown = false;
        for other in at + 1..lines.len() {
            let (Some(a0), Some(a1)) = (lines[at].first().copied(), lines[at].last().copied()) else { break };
            let (Some(b0), Some(b1)) = (lines[other].first().copied(), lines[other].last().copied()) else { continue };
            let mut tail = lines[other].clone();
            if near(&a1, &b0) {
                lines[at].append(&mut tail);
            } else if near(&a1, &b1) {
                tail.reverse();
                lines[at].append(&mut tail);
            } else if near(&a0, &b1) {
                tail.append(&mut lines[at]);
                lines[at] = tail;
            } else if near(&a0, &b0) {
                tail.reverse();
                tail.append(&mut lines[at]);
                lines[at] = tail;
            } else {
                continue;
            }
            lines.remove(other);
            grown = true;
            break;
        }
        if !grown {
            at += 1;
        }
    }
    lines
}

/// The hexes a line runs through, corner clips left out; several strings where it leaves the board between.
fn string_of(laid: &Laid, line: &[Metres]) -> Vec<Vec<usize>> {
    const STEP: f64 = 20.0;
    let mut runs: Vec<(Option<usize>, f64)> = Vec::new();
    for pair in line.windows(2) {
        let length = (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
        let steps = (length / STEP).ceil().max(1.0) as usize;
        for i in 0..steps {
            let t = (i as f64 + 0.5) / steps as f64;
            let at = (pair[0].0 + (pair[1].0 - pair[0].0) * t, pair[0].1 + (pair[1].1 - pair[0].1) * t);
            let hex = laid.hex_of(at);
            match runs.last_mut() {
                Some((last, sum)) if *last == hex => *sum += length / steps as f64,
                _ => runs.push((hex, length / steps as f64)),
            }
        }
    }
    loop {
        let clip = (1..runs.len().saturating_sub(1)).find(|at| {
            let ((before, _), (_, length), (after, _)) = (runs[at - 1], runs[*at], runs[at + 1]);
            let (Some(a), Some(b)) = (before, after) else { return false };
            (length < CLIP * laid.width && laid.adjacent(a, b)) || a == b
        });
        let Some(at) = clip else { break };
        runs.remove(at);
        if runs[at - 1].0 == runs[at].0 {
            let (_, length) = runs.remove(at);
            runs[at - 1].1 += length;
        }
    }
    let mut strings = vec![Vec::new()];
    for (hex, _) in runs {
        match hex {
            Some(hex) => strings.last_mut().expect("there is one").push(hex),
            None => strings.push(Vec::new()),
        }
    }
    strings
}

fn entries(node: Option<&Node>, laid: &Laid, roads: &[(String, String)], found: &mut Diagnostics, out: &mut String) {
    let _ = writeln!(out, "entries:");
    for item in node.map(|n| n.items(found)).unwrap_or_default() {
        let mut fields = item.fields(found);
        let id = fields.must("id", found).map(|n| n.as_text(found)).unwrap_or_default();
        let at = fields.must("at", found).map(|n| n.as_text(found)).unwrap_or_default();
        let road = fields.text("road", found);
        let from = fields.text("from", found).unwrap_or_else(|| "reconstructed".into());
        fields.may("why");
        fields.finish(found);
        if !laid.cells.iter().any(|c| c.name == at) {
            found.error("unknown-space", &item.span, format!("the grid has no hex `{at}`"), "");
        }
        let _ = write!(out, "  - {{ id: {id}, at: \"{at}\"");
        if let Some(road) = road {
            if !roads.iter().any(|(r, _)| *r == road) {
                let help = suggest(&road, roads.iter().map(|(r, _)| r.as_str()));
                found.error("unknown-name", &item.span, format!("the survey has no road `{road}`"), help);
            }
            let _ = write!(out, ", road: {road}");
        }
        let _ = writeln!(out, ", from: {from} }}");
    }
}

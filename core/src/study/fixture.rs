//! The little maps that examples bring: a few lines, made into the text of a map file.

use crate::{
    diagnostic::{Diagnostics, suggest},
    map::{Map, Point},
    ruleset::Ruleset,
    yaml::{Node, Value},
};

/// The text of a map file from the few lines an example gives; it knows every terrain, feature and road that the ruleset
/// names. Its spaces are axial, or with `grid: own` those of the ruleset's own map, with their numbers and nothing else.
pub(super) fn little_map(body: &Node, ruleset: &Ruleset, found: &mut Diagnostics) -> String {
    let map = &ruleset.map;
    let mut fields = body.fields(found);
    let mut text = String::from("map: example\n");
    let radius = fields.may("radius").map_or(6, |n| n.as_int(1, 2000, found));
    let mut is_own = false;
    let grid = fields.may("grid").map(|node| match (node.text(), map.grid.written()) {
        (Some("own"), Some(grid)) => {
            is_own = true;
            grid
        }
        (Some("own"), None) => {
            let help = "leave `grid:` out and give a radius";
            found.error("grid", &node.span, "the areas of this game's map are listed one by one", help);
            String::from("{ kind: axial, radius: 6 }")
        }
        _ => {
            found.error("grid", &node.span, "a little map is axial, or `own`", "write `grid: own`, or a radius");
            String::from("{ kind: axial, radius: 6 }")
        }
    });
    let grid = grid.unwrap_or_else(|| format!("{{ kind: axial, radius: {radius} }}"));
    text.push_str(&format!("grid: {grid}\n"));
    text.push_str(&format!("terrains: [{}]\n", map.terrains.join(", ")));
    let feature = |(at, name): (usize, &String)| match map.one_way >> at & 1 {
        0 => name.clone(),
        _ => format!("{{ name: {name}, one-way: true }}"),
    };
    let features: Vec<String> = map.features.iter().enumerate().map(feature).collect();
    text.push_str(&format!("features: [{}]\n", features.join(", ")));
    text.push_str(&format!("road-kinds: [{}]\n", map.road_kinds.join(", ")));
    text.push_str(&format!("numbers: [{}]\n", map.numbers.join(", ")));
    let numbers = if is_own { Numbers::Own(map) } else { Numbers::Axial };
    if let Some(list) = fields.may("spaces") {
        let all: Vec<String> = list.items(found).to_vec().iter().flat_map(|n| spaces(n, &numbers, found)).collect();
        text.push_str(&format!("spaces: [{}]\n", all.join(", ")));
    }
    for key in ["borders", "entries"] {
        if let Some(list) = fields.may(key) {
            text.push_str(&format!("{key}: {}\n", flow(list)));
        }
    }
    let mut all = fields.may("roads").map(|node| roads(node, ruleset, &numbers, found)).unwrap_or_default();
    for road in &map.roads {
        if all.iter().all(|(id, _)| *id != road.id) {
            let kind = &map.road_kinds[road.kind];
            all.push((road.id.clone(), format!("{{ id: {}, kind: {kind}, along: [] }}", road.id)));
        }
    }
    if !all.is_empty() {
        text.push_str("roads:\n");
        all.iter().for_each(|(_, road)| text.push_str(&format!("  - {road}\n")));
    }
    fields.finish(found);
    text
}

/// Roads with their names, as in a map file; or by kind, each a string of spaces: `{ pike: ["0:0 1:0", "0:0..0:4"] }`.
fn roads(node: &Node, ruleset: &Ruleset, numbers: &Numbers<'_>, found: &mut Diagnostics) -> Vec<(String, String)> {
    let mut all = Vec::new();
    if let Value::List(list) = &node.value {
        let id = |road: &Node| road.get("id").and_then(Node::text).unwrap_or("").to_owned();
        return list.iter().map(|road| (id(road), flow(road))).collect();
    }
    for (kind, strings) in node.entries(found).to_vec() {
        let name = kind.as_text(found);
        if !ruleset.map.road_kinds.contains(&name) {
            let help = suggest(&name, ruleset.map.road_kinds.iter().map(String::as_str));
            found.error("unknown-name", &kind.span, format!("there is no kind of road `{name}`"), help);
            continue;
        }
        for (at, string) in strings.items(found).to_vec().iter().enumerate() {
            let along: Vec<String> = numbers.all_in(string, found).iter().map(|s| format!("{s:?}")).collect();
            let id = format!("{name}-{}", at + 1);
            let road = format!("{{ id: {id}, kind: {name}, along: [{}] }}", along.join(", "));
            all.push((id, road));
        }
    }
    all
}

/// What is said of a space, or alike of several: `at: "0:0 2:0"`, `at: "0:0..4:0"`.
fn spaces(node: &Node, numbers: &Numbers<'_>, found: &mut Diagnostics) -> Vec<String> {
    let Some(at) = node.get("at").filter(|at| at.text().is_some_and(|t| t.contains("..") || t.contains(' '))) else {
        return vec![flow(node)];
    };
    let others = node.entries(found).iter().filter(|(key, _)| key.text() != Some("at"));
    let said: String = others.map(|(key, value)| format!(", {}: {}", flow(key), flow(value))).collect();
    numbers.all_in(at, found).iter().map(|name| format!("{{ at: {name:?}{said} }}")).collect()
}

/// How the spaces of a little map are numbered.
enum Numbers<'a> {
    Axial,
    Own(&'a Map),
}

impl Numbers<'_> {
    /// The spaces of a text: names with spaces between them, `FROM..TO` for all of a straight line.
    fn all_in(&self, node: &Node, found: &mut Diagnostics) -> Vec<String> {
        let mut all = Vec::new();
        for part in node.as_text(found).split_whitespace() {
            match part.split_once("..") {
                None => all.push(part.to_owned()),
                Some((from, to)) => match self.straight(from, to) {
                    Some(line) => all.extend(line),
                    None => {
                        let help = "write one after the other, with spaces between them";
                        found.error("grid", &node.span, format!("no straight line leads from {from} to {to}"), help);
                    }
                },
            }
        }
        all
    }

    /// The spaces of a straight line, both ends among them.
    fn straight(&self, from: &str, to: &str) -> Option<Vec<String>> {
        const WAYS: [(i32, i32); 5] = [(2, 0), (1, 1), (1, -1), (0, 2), (0, 1)];
        let (a, b) = (self.center(from)?, self.center(to)?);
        let (x, y) = (b.x - a.x, b.y - a.y);
        WAYS.iter().flat_map(|(dx, dy)| [(*dx, *dy), (-dx, -dy)]).find_map(|(dx, dy)| {
            let steps = if dx == 0 { y / dy } else { x / dx };
            let is_it = steps >= 0 && (dx * steps, dy * steps) == (x, y);
            let name = |at: i32| self.name(Point { x: a.x + dx * at, y: a.y + dy * at });
            is_it.then(|| (0..=steps).map(name).collect::<Option<Vec<String>>>()).flatten()
        })
    }

    fn center(&self, name: &str) -> Option<Point> {
        match self {
            Numbers::Own(map) => map.find(name).map(|space| map.space(space).center),
            Numbers::Axial => {
                let (q, r) = name.split_once(':')?;
                let (q, r): (i32, i32) = (q.parse().ok()?, r.parse().ok()?);
                Some(Point { x: 2 * q + r, y: -r })
            }
        }
    }

    fn name(&self, center: Point) -> Option<String> {
        match self {
            Numbers::Own(map) => {
                map.spaces().find(|s| map.space(*s).center == center).map(|s| map.space(s).name.clone())
            }
            Numbers::Axial => Some(format!("{}:{}", (center.x + center.y) / 2, -center.y)),
        }
    }
}

fn flow(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => format!("{text:?}"),
        Value::List(list) => format!("[{}]", list.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let all: Vec<_> = map.iter().map(|(k, v)| format!("{}: {}", flow(k), flow(v))).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}

//! The board as a picture: ground, borders, roads, names, counters. Plain SVG, made of the map alone.

use std::fmt::Write as _;

use crate::{
    map::{Grid, Map, SpaceId},
    play::Game,
    ruleset::Ruleset,
};

/// Half the width of a hex, in pixels.
const HALF: f64 = 32.0;

fn center(map: &Map, space: SpaceId, top: i32) -> (f64, f64) {
    let p = map.space(space).center;
    let line = HALF * 2.0 * 3f64.sqrt() / 2.0;
    let (x, y) = match map.grid {
        Grid::Square(_) => (HALF, HALF * 2.0),
        _ if map.grid.is_flat() => (line, HALF),
        _ => (HALF, line),
    };
    (f64::from(p.x) * x + 40.0, f64::from(top - p.y) * y + 60.0)
}

fn corners(map: &Map, (x, y): (f64, f64)) -> Vec<(f64, f64)> {
    let size = HALF * 2.0 / 3f64.sqrt();
    match map.grid {
        Grid::Square(_) => {
            vec![(x - HALF, y - HALF), (x + HALF, y - HALF), (x + HALF, y + HALF), (x - HALF, y + HALF)]
        }
        Grid::Hex(_) | Grid::Axial { .. } | Grid::Area => (0..6)
            .map(|i| {
                let first = if map.grid.is_flat() { 0.0 } else { -90.0 };
                let angle = std::f64::consts::PI / 180.0 * (60.0 * f64::from(i) + first);
                (x + size * angle.cos(), y + size * angle.sin())
            })
            .collect(),
    }
}

/// Draws the map, with the counters of a game if one is given.
pub fn svg(ruleset: &Ruleset, game: Option<&Game>) -> String {
    let map = &ruleset.map;
    let top = map.spaces().map(|s| map.space(s).center.y).max().unwrap_or(0);
    let all: Vec<(f64, f64)> = map.spaces().map(|s| center(map, s, top)).collect();
    let width = all.iter().map(|p| p.0).fold(0.0, f64::max) + 60.0;
    let height = all.iter().map(|p| p.1).fold(0.0, f64::max) + 60.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#f3ecd8\"/>\n"
    );
    for space in map.spaces() {
        hex(map, space, top, &mut out);
    }
    for space in map.spaces() {
        features(map, space, top, &mut out);
    }
    for road in &map.roads {
        let points: Vec<String> = road.along.iter().map(|s| point(center(map, *s, top))).collect();
        let (colour, thick) = match map.road_kinds[road.kind].as_str() {
            "pike" => ("#8a3b12", 4),
            "railroad" => ("#555", 1),
            _ => ("#b08050", 2),
        };
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{thick}\" stroke-linejoin=\"round\"/>",
            points.join(" ")
        );
    }
    for space in map.spaces() {
        names(map, space, top, &mut out);
    }
    if let Some(game) = game {
        for space in map.spaces() {
            counters(game, space, top, &mut out);
        }
    }
    let _ = writeln!(
        out,
        "<text x=\"40\" y=\"24\" font-size=\"18\" font-weight=\"bold\">{}</text>\n</svg>",
        escape(&map.title)
    );
    out
}

fn point((x, y): (f64, f64)) -> String {
    format!("{x:.1},{y:.1}")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn hex(map: &Map, space: SpaceId, top: i32, out: &mut String) {
    let here = map.space(space);
    let has = |name: &str| map.terrains.iter().position(|t| t == name).is_some_and(|at| here.terrain >> at & 1 == 1);
    let fill = if has("woods") {
        "#b9cf9a"
    } else if has("town") {
        "#d9b8a0"
    } else {
        "#f3ecd8"
    };
    let points: Vec<String> = corners(map, center(map, space, top)).into_iter().map(point).collect();
    let _ = writeln!(
        out,
        "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"#c9bfa5\" stroke-width=\"1\"/>",
        points.join(" ")
    );
}

fn features(map: &Map, space: SpaceId, top: i32, out: &mut String) {
    for border in map.out(space) {
        let bits = map.border(border).features;
        let other = map.target(border);
        if bits == 0 {
            continue;
        }
        let (a, b) = (center(map, space, top), center(map, other, top));
        let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        let (dx, dy) = ((b.0 - a.0) / 2.0 / HALF, (b.1 - a.1) / 2.0 / HALF);
        let half = HALF / 3f64.sqrt();
        let ends = ((middle.0 - dy * half, middle.1 + dx * half), (middle.0 + dy * half, middle.1 - dx * half));
        for (at, feature) in map.features.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1) {
            // What is the same both ways is drawn once.
            let back = map.between(other, space).map_or(0, |b| map.border(b).features);
            if back >> at & 1 == 1 && other < space {
                continue;
            }
            let (colour, thick, dash) = match feature.as_str() {
                "creek" => ("#3f7fbf", 4, ""),
                "ridge" => ("#7a6a4f", 3, "2 3"),
                _ => ("#7a6a4f", 2, ""),
            };
            // A slope is drawn inside the higher space.
            let shift = if feature == "slope" { 5.0 } else { 0.0 };
            let (p, q) =
                ((ends.0.0 + dx * shift, ends.0.1 + dy * shift), (ends.1.0 + dx * shift, ends.1.1 + dy * shift));
            let _ = writeln!(
                out,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{thick}\" \
                 stroke-dasharray=\"{dash}\" stroke-linecap=\"round\"/>",
                p.0, p.1, q.0, q.1
            );
        }
    }
}

fn names(map: &Map, space: SpaceId, top: i32, out: &mut String) {
    let here = map.space(space);
    let (x, y) = center(map, space, top);
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"8\" fill=\"#8d8266\" text-anchor=\"middle\">{}</text>",
        y - HALF * 0.75,
        escape(&here.name)
    );
    if let Some(label) = &here.label {
        // The halo is a text of its own: not every program that draws SVG knows `paint-order`.
        for look in ["stroke=\"#f3ecd8\" stroke-width=\"3\"", "fill=\"#222\""] {
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"10\" font-style=\"italic\" text-anchor=\"middle\" \
                 {look}>{}{}</text>",
                y + HALF * 0.95,
                escape(label),
                here.from.dagger()
            );
        }
    }
}

fn counters(game: &Game, space: SpaceId, top: i32, out: &mut String) {
    let ruleset = &game.ruleset;
    let (x, y) = center(&ruleset.map, space, top);
    for (at, unit) in game.units_at(space.0 as i32).enumerate() {
        let shift = 4.0 * at as f64;
        let fill = if ruleset.units[unit as usize].side == 0 { "#d8b98a" } else { "#8fb0dd" };
        let name = escape(&ruleset.units[unit as usize].name);
        let face = escape(&game.face(unit));
        let _ = writeln!(
            out,
            "<g transform=\"translate({:.1} {:.1})\"><rect x=\"-20\" y=\"-14\" width=\"40\" height=\"28\" rx=\"3\" \
             fill=\"{fill}\" stroke=\"#333\"/><text font-size=\"8\" text-anchor=\"middle\" y=\"-3\">{name}</text>\
             <text font-size=\"9\" font-weight=\"bold\" text-anchor=\"middle\" y=\"9\">{face}</text></g>",
            x + shift,
            y - shift
        );
    }
}

//! Around the board: the title, the legend, the scale and the north.

use std::{collections::BTreeSet, fmt::Write as _};

use countermarch_core::map::SpaceId;

use super::{
    INK, PAPER, Picture, badges, counters, escape,
    frame::Frame,
    symbols::{self, Course, Cover, Way},
};

pub(super) fn draw(picture: &Picture<'_>, frame: &Frame, out: &mut String) {
    let map = picture.map;
    let (left, top, width, height) = frame.sheet();
    let around = picture.around.map(|(s, _)| format!(" around {}", escape(&map.space(s).name))).unwrap_or_default();
    let _ = writeln!(
        out,
        "<text x=\"{left:.1}\" y=\"30\" font-size=\"24\" font-weight=\"bold\" letter-spacing=\"0.6\" fill=\"{INK}\">{}{around}</text>",
        escape(&map.title)
    );
    let laid = if map.laid_by.is_some() { "laid over a survey; " } else { "" };
    let _ = writeln!(
        out,
        "<text x=\"{left:.1}\" y=\"46\" font-size=\"11\" font-style=\"italic\" fill=\"{INK}\" fill-opacity=\"0.8\">{laid}one {} is {}</text>",
        map.grid.word(),
        escape(&map.scale)
    );
    let base = top + height + 34.0;
    north(picture, left + width - 16.0, base + 14.0, out);
    let scale_left = scale(picture, frame, left + width - 52.0, base + 22.0, out);
    legend(picture, frame, (left, base), (scale_left - 20.0, left + width), out);
    badges::tracks(picture, (left, top + height + frame.legend), width, out);
}

/// So many pixels are taken by a row of the legend.
const ROW: f64 = 24.0;
/// So many rows of it there is always room for.
const COMMON_ROWS: usize = 2;

/// How wide a sign of the map is with its name, and one of what a ruleset has the board show.
fn wide(name: &str) -> f64 {
    40.0 + 6.2 * name.chars().count() as f64
}
fn wide_of_own(name: &str) -> f64 {
    46.0 + 6.6 * name.chars().count() as f64
}

/// Rows that signs so wide take.
fn rows(all: impl Iterator<Item = f64>, across: f64) -> usize {
    let (mut rows, mut x) = (0, f64::MAX);
    for wide in all {
        (rows, x) = if x + wide > across { (rows + 1, wide) } else { (rows, x + wide) };
    }
    rows
}

/// Pixels that the legend takes beyond what there always is, where a ruleset has the board show more than the map.
pub(super) fn more_room(picture: &Picture<'_>, spaces: &BTreeSet<SpaceId>, across: f64) -> f64 {
    // The scale and the north stand beside the common rows.
    const SCALE: f64 = 252.0;
    let own = badges::legend(picture, spaces);
    if own.is_empty() && picture.game.is_none_or(|(game, _)| game.ruleset.board.tracks.is_empty()) {
        return 0.0;
    }
    let common = rows(entries(picture, spaces).iter().map(|(_, name)| wide(name)), (across - SCALE).max(0.0));
    let own = rows(own.iter().map(|(_, name)| wide_of_own(name)), across);
    ROW * (common.saturating_sub(COMMON_ROWS) + own) as f64
}

/// An arrow to the north of the ground.
fn north(picture: &Picture<'_>, x: f64, y: f64, out: &mut String) {
    let turned = picture.ground.and_then(|g| g.ground.as_ref()).map_or(0.0, |g| -g.laid.turned());
    let _ = writeln!(
        out,
        "<g transform=\"translate({x:.1} {y:.1}) rotate({turned:.2})\"><path d=\"M0 -24L7 12L0 6L-7 12Z\" fill=\"{INK}\"/>\
         <path d=\"M0 -24L0 6L-7 12Z\" fill=\"{PAPER}\" stroke=\"{INK}\" stroke-width=\"0.8\"/>\
         <text y=\"-28\" font-size=\"13\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{INK}\">N</text></g>"
    );
}

/// A bar of a round length; where it begins.
fn scale(picture: &Picture<'_>, frame: &Frame, right: f64, y: f64, out: &mut String) -> f64 {
    let Some(ground) = picture.ground.and_then(|g| g.ground.as_ref()) else { return right };
    let metres = ground.laid.width / frame.across;
    let (yard, mile) = (0.9144, 1609.344);
    // The longest of these that takes no more than 180 pixels.
    let lengths = [(100.0, yard), (200.0, yard), (500.0, yard), (0.5, mile), (1.0, mile), (2.0, mile)];
    let fitting = lengths.iter().rev().find(|(n, unit)| n * unit / metres <= 180.0).unwrap_or(&lengths[0]);
    let wide = fitting.0 * fitting.1 / metres;
    let text = match fitting {
        (n, unit) if *unit == yard => format!("{n:.0} yards"),
        (n, _) if *n == 0.5 => "half a mile".to_owned(),
        (n, _) if *n == 1.0 => "1 mile".to_owned(),
        (n, _) => format!("{n:.0} miles"),
    };
    let left = right - wide;
    for part in 0..4 {
        let fill = if part % 2 == 0 { INK } else { PAPER };
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"5\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"0.8\"/>",
            left + wide * f64::from(part) / 4.0,
            wide / 4.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\" fill=\"{INK}\">{text}</text>",
        left + wide / 2.0,
        y - 5.0
    );
    left
}

/// What the signs of the map stand for: those that it has, the marks on counters, and layers.
fn entries(picture: &Picture<'_>, spaces: &BTreeSet<SpaceId>) -> Vec<(String, String)> {
    let map = picture.map;
    let mut entries: Vec<(String, String)> = Vec::new();
    let mut covers = BTreeSet::new();
    for name in &map.terrains {
        if let Some(kind) = symbols::cover(name).filter(|kind| covers.insert(*kind)) {
            entries.push((cover(kind), name.clone()));
        }
    }
    let mut courses = Vec::new();
    for name in &map.features {
        let kind = symbols::course(name);
        if !courses.contains(&kind) && kind != Course::Other {
            courses.push(kind);
            entries.push((course(kind), name.clone()));
        }
    }
    let mut ways: Vec<Way> = Vec::new();
    for name in &map.road_kinds {
        let kind = symbols::way(name);
        if !ways.contains(&kind) {
            ways.push(kind);
            entries.push((way(kind), name.clone()));
        }
    }
    let in_boxes = picture.game.is_some_and(|(game, _)| !game.ruleset.board.spaces.is_empty());
    if !map.numbers.is_empty() && !in_boxes {
        entries.push((format!("<text x=\"14\" y=\"13\" font-size=\"13\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{INK}\">+1</text>"), map.numbers.join(", ")));
    }
    for (colour, name) in counters::legend(picture, spaces) {
        let sign = format!(
            "<rect x=\"10\" y=\"4\" width=\"12\" height=\"8.4\" fill=\"{colour}\" stroke=\"{INK}\" stroke-width=\"0.8\"/>"
        );
        entries.push((sign, name));
    }
    for overlay in &picture.overlays {
        let colour = &overlay.colour;
        let sign = format!(
            "<rect x=\"3\" y=\"2\" width=\"22\" height=\"12\" fill=\"{colour}\" fill-opacity=\"0.4\" stroke=\"{colour}\" stroke-width=\"1.6\"/>"
        );
        entries.insert(0, (sign, overlay.title.clone()));
    }
    entries
}

/// What the signs stand for.
fn legend(picture: &Picture<'_>, frame: &Frame, (left, top): (f64, f64), (right, whole): (f64, f64), out: &mut String) {
    // What the ruleset adds stands in rows of its own, below the scale.
    let mut entries = entries(picture, &frame.spaces);
    let common = entries.len();
    entries.extend(badges::legend(picture, &frame.spaces));
    let (mut x, mut y) = (left, top);
    for (at, (sign, name)) in entries.into_iter().enumerate() {
        let (wide, right) = if at < common { (wide(&name), right) } else { (wide_of_own(&name), whole) };
        if at == common {
            (x, y) = (left, (y + ROW).max(top + 44.0));
        } else if x + wide > right && x > left {
            (x, y) = (left, y + ROW);
        }
        let _ = writeln!(
            out,
            "<g transform=\"translate({x:.1} {y:.1})\">{sign}<text x=\"33\" y=\"13\" font-size=\"12\" fill=\"{INK}\">{}</text></g>",
            escape(&name)
        );
        x += wide;
    }
}

fn cover(kind: Cover) -> String {
    let (fill, edge, sign) = match kind {
        Cover::Woods => {
            let dots = format!(
                "<path d=\"M9 6h0M17 6h0M13 11h0M21 11h0\" stroke=\"{}\" stroke-width=\"5\" stroke-linecap=\"round\"/>",
                symbols::WOODS_DARK
            );
            (symbols::WOODS, symbols::WOODS_DARK, dots)
        }
        Cover::Orchard => {
            let dots = format!(
                "<path d=\"M8 5h0M14 5h0M20 5h0M8 11h0M14 11h0M20 11h0\" stroke=\"{}\" stroke-width=\"2.4\" stroke-linecap=\"round\"/>",
                symbols::WOODS_DARK
            );
            ("#c9d3a0", symbols::WOODS_DARK, dots)
        }
        Cover::Marsh => {
            (PAPER, symbols::WATER, format!("<path d=\"M9 9h8M11 6h4M17 13h6\" stroke=\"{}\"/>", symbols::WATER))
        }
        Cover::Rough => {
            let rocks = format!(
                "<path d=\"M7 12l3 -6l4 6M15 11l3 -5l4 5\" fill=\"#d8cbb0\" stroke=\"{}\"/>",
                symbols::ROUGH_DARK
            );
            (PAPER, symbols::ROUGH_DARK, rocks)
        }
        Cover::Sunken => {
            let banks = format!(
                "<path d=\"M5 5h18M5 11h18\" stroke=\"{}\" stroke-width=\"1.6\" stroke-dasharray=\"2.4 1.4\"/>",
                symbols::SLOPE
            );
            ("#e6d3ad", symbols::SLOPE, banks)
        }
        Cover::Town => {
            let houses =
                format!("<path d=\"M7 4h4v3h-4zM16 5h4v3h-4zM11 10h4v3h-4z\" fill=\"{}\"/>", symbols::TOWN_DARK);
            (symbols::TOWN, symbols::TOWN_DARK, houses)
        }
    };
    format!(
        "<rect x=\"3\" y=\"1\" width=\"22\" height=\"14\" fill=\"{fill}\" fill-opacity=\"0.75\" stroke=\"{edge}\" stroke-width=\"0.8\"/>{sign}"
    )
}

fn course(kind: Course) -> String {
    let water =
        format!("<path d=\"M2 11Q9 2 14 8T27 5\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.6\"/>", symbols::WATER);
    match kind {
        Course::Water | Course::Other => water,
        Course::Slope => format!(
            "<path d=\"M3 4v7M7 4v4.6M11 4v7M15 4v4.6M19 4v7M23 4v4.6\" stroke=\"{}\" stroke-width=\"1.3\"/>",
            symbols::SLOPE
        ),
        Course::Ridge => format!(
            "<path d=\"M3 8h22\" stroke=\"{}\" stroke-width=\"2.4\" stroke-linecap=\"round\" stroke-dasharray=\"1 5\"/>",
            symbols::SLOPE
        ),
        Course::Bridge => {
            format!(
                "<path d=\"M14 1v14\" stroke=\"{}\" stroke-width=\"2.6\"/><path d=\"M7 4l2 1.6h10l2 -1.6M7 12l2 -1.6h10l2 1.6\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.3\"/>",
                symbols::WATER
            )
        }
        Course::Ford => {
            format!(
                "<path d=\"M14 1v14\" stroke=\"{}\" stroke-width=\"2.6\"/><path d=\"M6 8h16\" stroke=\"{INK}\" stroke-width=\"2\" stroke-dasharray=\"2 2\"/>",
                symbols::WATER
            )
        }
    }
}

fn way(kind: Way) -> String {
    let draw = |(colour, wide, dash): (&str, f64, &str)| {
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        format!("<path d=\"M2 8h24\" stroke=\"{colour}\" stroke-width=\"{wide}\"{dash}/>")
    };
    symbols::strokes(kind).map(draw).concat()
}

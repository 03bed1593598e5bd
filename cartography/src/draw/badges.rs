//! What a ruleset has the board show: badges and fronts of counters, boxes in spaces, who controls them, and tracks.

use std::{collections::BTreeSet, fmt::Write as _};

use countermarch_core::{
    map::SpaceId,
    play::Game,
    ruleset::Kind,
    show::{Sight, Track, Wears},
};

use super::{
    INK, PAPER, Picture, escape,
    frame::{Frame, Px, path},
};

/// The colour of what is lost.
const LOST: &str = "#a8322a";
/// The colour of a marker that is of no side.
const MARKER: &str = "#e0b23b";

/// Whether counters show which way they face, or wear badges; such counters are laid side by side.
pub(super) fn are_worn(game: &Game) -> bool {
    game.ruleset.board.facing.is_some() || !game.ruleset.board.units.is_empty()
}

/// A wedge before the front of a counter that is 40 across, around its middle.
pub(super) fn front(game: &Game, sight: Sight, unit: i32) -> Option<String> {
    let directions = game.ruleset.map.grid.directions();
    let step = directions.get(game.facing_of(unit, sight)?)?.step;
    let (across, down) = game.ruleset.map.grid.stretch();
    let (x, y) = (f64::from(step.x) * across, -f64::from(step.y) * down);
    let long = x.hypot(y);
    let (x, y) = (x / long, y / long);
    // To the edge of the counter on that line.
    let edge = 20.0 / x.abs().max(y.abs());
    let at = |far: f64, aside: f64| format!("{:.1} {:.1}", x * far - y * aside, y * far + x * aside);
    let (left, tip, right) = (at(edge + 0.3, -9.0), at(edge + 7.0, 0.0), at(edge + 0.3, 9.0));
    Some(format!("<path d=\"M{left}L{tip}L{right}Z\" fill=\"{INK}\"/>"))
}

/// The badges of a counter that is 40 across, around its middle: named values to the left of its sign, conditions to the
/// right, dots below, numbers at its lower corner. A small counter has larger ones, and no name.
pub(super) fn of_counter(game: &Game, sight: Sight, unit: i32, is_small: bool, has_face: bool) -> String {
    let mut out = String::new();
    let (mut left, mut right, mut corner) = (-8.6, -8.6, 0.0);
    for worn in game.badges_of(unit, sight) {
        let title = escape(&format!("{}: {}", worn.say, worn.words()));
        let _ = write!(out, "<g><title>{title}</title>");
        match worn.shows {
            Wears::Value(sign, _) => {
                letter(&mut out, sign, (-15.6, left), PAPER, INK);
                left += 8.6;
            }
            Wears::Sign(sign) => {
                letter(&mut out, sign, (15.6, right), INK, PAPER);
                right += 8.6;
            }
            Wears::Number(number) => {
                let x = 14.0 - corner;
                let _ = write!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"14\" r=\"5\" fill=\"{LOST}\" stroke=\"{PAPER}\" stroke-width=\"0.8\"/>\
                     <text x=\"{x:.1}\" y=\"16.8\" font-size=\"8\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{PAPER}\">{number}</text>"
                );
                corner += 11.0;
            }
            Wears::Dots(left, of) => dots(&mut out, left, of, is_small, has_face),
        }
        out.push_str("</g>");
    }
    out
}

/// A letter or two in a box around a place.
fn letter(out: &mut String, sign: &str, (x, y): Px, ground: &str, print: &str) {
    let size = if sign.chars().count() > 1 { 5.6 } else { 7.4 };
    let _ = write!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7.8\" height=\"8\" rx=\"1.2\" fill=\"{ground}\" stroke=\"{INK}\" stroke-width=\"0.7\"/>\
         <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{size}\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{print}\">{}</text>",
        x - 3.9,
        y - 0.4,
        y + 6.2,
        escape(sign)
    );
}

/// A row of dots, those lost empty; of many their number.
fn dots(out: &mut String, left: i32, of: i32, is_small: bool, has_face: bool) {
    let (y, most) = match (is_small, has_face) {
        (true, _) => (13.0, 3.4),
        (false, true) => (8.4, 2.0),
        (false, false) => (12.6, 2.8),
    };
    if of > 12 {
        let _ = write!(
            out,
            "<text y=\"{:.1}\" font-size=\"8\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{INK}\">{left}/{of}</text>",
            y + 3.0
        );
        return;
    }
    let radius = (17.0 / f64::from(of) - 0.4).min(most);
    for at in 0..of {
        let x = (f64::from(at) - f64::from(of - 1) / 2.0) * (radius * 2.0 + 0.9);
        let fill = if at < left { INK } else { PAPER };
        let _ = write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"0.6\"/>"
        );
    }
}

/// Who controls a space: a tint in the colour of the side, and a rim inside its own.
pub(super) fn control(picture: &Picture<'_>, frame: &Frame, out: &mut String) {
    let Some((game, sight)) = picture.game else { return };
    for space in &frame.spaces {
        let Some(side) = game.control_of(*space, sight) else { continue };
        let color = game.ruleset.sides[side as usize].color.hex();
        let (x, y) = frame.dot(*space);
        let outline = frame.outline(*space);
        let rim =
            |far: f64| path(&outline.iter().map(|p| (x + (p.0 - x) * far, y + (p.1 - y) * far)).collect::<Vec<_>>());
        let wide = (frame.across * 0.05).clamp(2.0, 7.0);
        if outline.is_empty() {
            let radius = frame.across * 0.3;
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{color}\" fill-opacity=\"0.45\" stroke=\"{color}\" stroke-width=\"{wide:.1}\"/>"
            );
            continue;
        }
        let _ = writeln!(
            out,
            "<path d=\"{}\" fill=\"{color}\" fill-opacity=\"0.3\"/><path d=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{wide:.1}\" stroke-linejoin=\"round\"/>",
            rim(1.0),
            rim(0.93)
        );
    }
}

/// What stands in the boxes of a space, with what it means.
pub(super) fn boxes(game: &Game, space: SpaceId, sight: Sight) -> Vec<(String, String)> {
    let worn = game.badges_in(space, sight).into_iter();
    worn.map(|worn| {
        let shown = match &worn.shows {
            Wears::Number(number) => number.to_string(),
            Wears::Dots(left, of) => format!("{left}/{of}"),
            Wears::Value(sign, _) | Wears::Sign(sign) => (*sign).to_owned(),
        };
        (shown, format!("{}: {}", worn.say, worn.words()))
    })
    .collect()
}

/// How wide a box so high is.
pub(super) fn box_width(shown: &str, high: f64) -> f64 {
    high.max(high * (0.34 + 0.56 * shown.chars().count() as f64))
}

/// A small box in a space: its left upper corner and how high it is.
pub(super) fn put_box(out: &mut String, (shown, means): &(String, String), (x, y): Px, high: f64) {
    let wide = box_width(shown, high);
    let _ = writeln!(
        out,
        "<g><title>{}</title><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" rx=\"1.5\" fill=\"{PAPER}\" stroke=\"{INK}\" stroke-width=\"1\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{INK}\">{}</text></g>",
        escape(means),
        x + wide / 2.0,
        y + high * 0.8,
        high * 0.82,
        escape(shown)
    );
}

/// The boxes of the spaces of a grid, at their lower left; those of areas stand beside their numbers.
pub(super) fn of_spaces(picture: &Picture<'_>, frame: &Frame, out: &mut String) {
    let Some((game, sight)) = picture.game.filter(|_| !picture.map.grid.directions().is_empty()) else { return };
    let high = (frame.across * 0.17).clamp(8.0, 26.0);
    for space in &frame.spaces {
        let (dot, outline) = (frame.dot(*space), frame.outline(*space));
        let low = outline.iter().map(|p| p.1).fold(f64::MIN, f64::max);
        // Where a row so high above the lowest corner begins inside.
        let mut x = dot.0 - frame.across * if picture.map.grid.directions().len() == 8 { 0.46 } else { 0.22 };
        for shown in boxes(game, *space, sight) {
            put_box(out, &shown, (x, low - high * 1.25), high);
            x += box_width(&shown.0, high) + 2.0;
        }
    }
}

/// What is drawn for the first time in these words, for the legend: a sign, and what it means.
pub(super) fn legend(picture: &Picture<'_>, spaces: &BTreeSet<SpaceId>) -> Vec<(String, String)> {
    let Some((game, sight)) = picture.game else { return Vec::new() };
    let ruleset = &game.ruleset;
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |sign: String, name: String| {
        if all.iter().all(|(_, known)| *known != name) {
            all.push((sign, name));
        }
    };
    let units: Vec<i32> = spaces.iter().flat_map(|space| game.units_at(space.0 as i32)).collect();
    if units.iter().any(|unit| game.facing_of(*unit, sight).is_some()) {
        add(format!("<path d=\"M5 13L14 3L23 13Z\" fill=\"{INK}\"/>"), "front".to_owned());
    }
    for worn in units.iter().flat_map(|unit| game.badges_of(*unit, sight)) {
        let at = (14.0, 4.0);
        let mut sign = String::new();
        let name = match &worn.shows {
            Wears::Value(sign_of, value) => {
                letter(&mut sign, sign_of, at, PAPER, INK);
                value.clone()
            }
            Wears::Sign(sign_of) => {
                letter(&mut sign, sign_of, at, INK, PAPER);
                worn.say.to_owned()
            }
            Wears::Number(_) => {
                sign = format!("<circle cx=\"14\" cy=\"8\" r=\"5\" fill=\"{LOST}\"/>");
                worn.say.to_owned()
            }
            Wears::Dots(..) => {
                sign = format!(
                    "<circle cx=\"10\" cy=\"8\" r=\"3\" fill=\"{INK}\"/><circle cx=\"18\" cy=\"8\" r=\"3\" fill=\"{PAPER}\" stroke=\"{INK}\"/>"
                );
                format!("{}, lost", worn.say)
            }
        };
        add(sign, name);
    }
    for space in spaces {
        for worn in game.badges_in(*space, sight) {
            let shown = match &worn.shows {
                Wears::Value(sign, _) | Wears::Sign(sign) => (*sign).to_owned(),
                Wears::Number(_) | Wears::Dots(..) => "1".to_owned(),
            };
            let mut sign = String::new();
            put_box(&mut sign, &(shown, String::new()), (8.0, 2.0), 12.0);
            add(sign, worn.say.to_owned());
        }
        if let Some(side) = game.control_of(*space, sight) {
            let color = ruleset.sides[side as usize].color.hex();
            let sign = format!(
                "<rect x=\"3\" y=\"1\" width=\"22\" height=\"14\" fill=\"{color}\" fill-opacity=\"0.3\" stroke=\"{color}\" stroke-width=\"2.6\"/>"
            );
            add(sign, format!("{} controls it", ruleset.name_of(Kind::Side, side)));
        }
    }
    all
}

/// How a track is laid on the sheet: how wide its cells are, and how many lie in a row; of one that is too long none do.
struct Laid {
    cell: f64,
    columns: usize,
}

impl Laid {
    fn new(track: &Track<'_>, wide: f64) -> Laid {
        const MOST_ROWS: usize = 3;
        let longest = track.cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
        let cell = (longest as f64 * 6.4 + 10.0).max(24.0);
        let columns = ((wide / cell) as usize).min(track.cells.len());
        let is_long = columns == 0 || track.cells.len().div_ceil(columns) > MOST_ROWS;
        Laid { cell, columns: if is_long { 0 } else { columns } }
    }

    fn high(&self, track: &Track<'_>) -> f64 {
        let rows = if self.columns == 0 { 0 } else { track.cells.len().div_ceil(self.columns) };
        22.0 + CELL_HIGH * rows as f64
    }
}

/// How high a cell is.
const CELL_HIGH: f64 = 24.0;

/// Pixels that all tracks take.
pub(super) fn tracks_high(picture: &Picture<'_>, wide: f64) -> f64 {
    let high = |track: &Track<'_>| Laid::new(track, wide).high(track);
    picture.game.map_or(0.0, |(game, sight)| game.tracks(sight).iter().map(high).sum())
}

/// Tracks, one below the other; of one that is too long only where its markers lie.
pub(super) fn tracks(picture: &Picture<'_>, (left, top): Px, wide: f64, out: &mut String) {
    let Some((game, sight)) = picture.game else { return };
    let mut y = top;
    for track in &game.tracks(sight) {
        let laid = Laid::new(track, wide);
        let in_words = || track.words(|side| game.ruleset.name_of(Kind::Side, side));
        let said = if laid.columns == 0 { in_words() } else { track.say.to_owned() };
        let _ = writeln!(
            out,
            "<text x=\"{left:.1}\" y=\"{:.1}\" font-size=\"12.5\" font-style=\"italic\" fill=\"{INK}\">{}</text>",
            y + 12.0,
            escape(&said)
        );
        if laid.columns > 0 {
            track_cells(game, track, (left, y + 17.0), &laid, out);
        }
        y += laid.high(track);
    }
}

fn track_cells(game: &Game, track: &Track<'_>, (left, top): Px, laid: &Laid, out: &mut String) {
    let wide = laid.cell;
    for (at, text) in track.cells.iter().enumerate() {
        let (x, y) = (left + wide * (at % laid.columns) as f64, top + CELL_HIGH * (at / laid.columns) as f64);
        let here = track.markers.iter().filter(|(_, value)| value - track.first == at as i32);
        let here: Vec<Option<i32>> = here.map(|(side, _)| *side).collect();
        let ground = if here.contains(&None) { MARKER } else { PAPER };
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"22\" fill=\"{ground}\" stroke=\"{INK}\" stroke-width=\"1\"/>"
        );
        let sides: Vec<i32> = here.into_iter().flatten().collect();
        for (nth, side) in sides.iter().enumerate() {
            let (part, color) = ((wide - 4.0) / sides.len() as f64, game.ruleset.sides[*side as usize].color.hex());
            let _ = writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{part:.1}\" height=\"18\" fill=\"{color}\" stroke=\"{INK}\" stroke-width=\"0.8\"/>",
                x + 2.0 + part * nth as f64,
                y + 2.0
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"12\" text-anchor=\"middle\" fill=\"{INK}\">{}</text>",
            x + wide / 2.0,
            y + 15.4,
            escape(text)
        );
    }
}

//! Counters: the sign of the arm as staffs draw it, the name, what is printed, stacks, and what has befallen them.

use std::{collections::BTreeSet, fmt::Write as _};

use countermarch_core::{
    map::{Grid, SpaceId},
    play::Game,
    ruleset::{Kind, Sign},
    show::Sight,
};

use super::{INK, PAPER, Picture, badges, escape, frame::Frame, labels::Labels};

pub(super) fn draw(picture: &Picture<'_>, frame: &Frame, labels: &mut Labels, out: &mut String) {
    let Some((game, sight)) = picture.game else { return };
    for space in &frame.spaces {
        signs(game, sight, frame, *space, out);
        let units: Vec<i32> = game.units_at(space.0 as i32).collect();
        if units.is_empty() {
            continue;
        }
        if badges::are_worn(game) {
            laid_out(picture, (game, sight), frame, *space, labels, out);
            continue;
        }
        let side = (frame.across * 0.62).clamp(22.0, 110.0);
        let shift = side * 0.1;
        let (x, y) = frame.dot(*space);
        // The stack leans so that its middle lies on the dot; the last counter is on top.
        let lean = shift * (units.len().min(4) - 1) as f64 / 2.0;
        for (at, unit) in units.iter().take(4).rev().enumerate() {
            let by = shift * at as f64 - lean;
            counter(game, sight, *unit, (x + by, y - by), side, out);
        }
        if units.len() > 4 {
            let size = side * 0.24;
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" font-weight=\"bold\" fill=\"{INK}\">+{}</text>",
                x + side * 0.55 + lean,
                y - side * 0.4 - lean,
                units.len() - 4
            );
        }
        let half = side / 2.0 + lean;
        labels.take((x - half, y - half), (x + half, y + half));
    }
}

/// Counters side by side, each with its front and its badges: as large as the space has room for.
fn laid_out(
    picture: &Picture<'_>,
    (game, sight): (&Game, Sight),
    frame: &Frame,
    space: SpaceId,
    labels: &mut Labels,
    out: &mut String,
) {
    const MOST: usize = 16;
    // From one counter to the next, in counters: their fronts lie between them.
    let apart = if game.ruleset.board.facing.is_some() { 1.36 } else { 1.12 };
    let mut units: Vec<i32> = game.units_at(space.0 as i32).collect();
    // Those of a side lie in rows of their own; those that may not be known last.
    let side_of = |unit: &i32| game.ruleset.units[*unit as usize].side;
    units.sort_by_key(|unit| (side_of(unit), sight.is_concealed(game, Kind::Unit, *unit)));
    let more = units.len().saturating_sub(MOST);
    units.truncate(MOST);
    let (dot, outline) = (frame.dot(space), frame.outline(space));
    let sides: Vec<&[i32]> = units.chunk_by(|a, b| side_of(a) == side_of(b)).collect();
    let rows_of = |columns: usize| sides.iter().map(|units| units.len().div_ceil(columns)).sum::<usize>();
    let is_area = picture.map.grid == Grid::Area;
    let (columns, side, (x, y)) = if is_area {
        let columns = (units.len() as f64).sqrt().ceil() as usize;
        let size = |side: f64| (columns as f64 * side * apart, rows_of(columns) as f64 * side * apart);
        // As large as they lie wholly inside; or, before they are too small to be read, over the border. What has no room at
        // all lies below the number, which nothing else on the picture says.
        let sizes = [0.42, 0.37, 0.33, 0.29, 0.26].map(|part| (part, true));
        let over = [0.29, 0.25, 0.21, 0.18].map(|part| (part, false));
        let small = [(0.15, true), (0.12, true), (0.15, false), (0.12, false)];
        let tries = sizes.into_iter().chain(over).chain(small);
        let tries = tries.map(|(part, whole)| ((frame.across * part).clamp(11.0, 110.0), whole));
        let found = tries
            .filter(|_| !outline.is_empty())
            .find_map(|(side, whole)| Some((side, labels.spot(&outline, dot, size(side), whole)?)));
        let (side, spot) = found.unwrap_or_else(|| {
            let side = (frame.across * 0.12).max(11.0);
            (side, labels.below(space).map_or(dot, |(x, y)| (x, y + size(side).1 / 2.0)))
        });
        (columns, side, spot)
    } else {
        // The number stands above.
        let (wide, high) = match picture.map.grid.directions().len() {
            8 => (frame.across * 0.96, frame.across * 0.78),
            _ => (frame.across * 0.84, frame.across * 0.74),
        };
        let side = |columns: &usize| (wide / *columns as f64).min(high / rows_of(*columns) as f64) / apart;
        let columns = (1..=units.len()).max_by(|a, b| side(a).total_cmp(&side(b)).then(b.cmp(a))).unwrap_or(1);
        let side = side(&columns).min(frame.across * 0.56);
        (columns, side, (dot.0, dot.1 + frame.across * 0.07))
    };
    let step = side * apart;
    let (wide, high) = (columns.min(units.len()) as f64 * step, rows_of(columns) as f64 * step);
    for (row, units) in sides.iter().flat_map(|units| units.chunks(columns)).enumerate() {
        for (column, unit) in units.iter().enumerate() {
            let place = (x - wide / 2.0 + step * (column as f64 + 0.5), y - high / 2.0 + step * (row as f64 + 0.5));
            counter(game, sight, *unit, place, side, out);
        }
    }
    if more > 0 {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" font-weight=\"bold\" fill=\"{INK}\">+{more}</text>",
            x + wide / 2.0,
            y + high / 2.0,
            (side * 0.6).max(9.0)
        );
    }
    labels.take((x - wide / 2.0, y - high / 2.0), (x + wide / 2.0, y + high / 2.0));
}

/// What has been done in a space: a bar for every property that shows a sign, below the counters.
fn signs(game: &Game, sight: Sight, frame: &Frame, space: SpaceId, out: &mut String) {
    let (x, y) = frame.dot(space);
    let (wide, high) = (frame.across * 0.5, frame.across * 0.07);
    for (at, (column, text)) in game.signs_in(space, sight).into_iter().enumerate() {
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" fill=\"{}\" stroke=\"{INK}\" stroke-width=\"{:.1}\"/></g>",
            escape(&text),
            x - wide / 2.0,
            y + frame.across * (0.34 + 0.09 * at as f64),
            COLOURS[column % COLOURS.len()],
            high * 0.2
        );
    }
}

fn counter(game: &Game, sight: Sight, unit: i32, (x, y): (f64, f64), side: f64, out: &mut String) {
    let ruleset = &game.ruleset;
    let known = &ruleset.units[unit as usize];
    let color = ruleset.sides[known.side as usize].color;
    let (ground, light) = (color.hex(), color.lighter(75).hex());
    let print = if color.is_dark() { PAPER } else { INK };
    let is_concealed = sight.is_concealed(game, Kind::Unit, unit);
    let scale = side / 40.0;
    let _ = writeln!(
        out,
        "<g transform=\"translate({x:.1} {y:.1}) scale({scale:.3})\"><rect x=\"-18.6\" y=\"-18.6\" width=\"40\" height=\"40\" rx=\"3\" fill=\"{INK}\" fill-opacity=\"0.35\"/>\
         <rect x=\"-20\" y=\"-20\" width=\"40\" height=\"40\" rx=\"3\" fill=\"{ground}\" stroke=\"{INK}\" stroke-width=\"1\"/>"
    );
    if is_concealed {
        let _ = writeln!(
            out,
            "<text y=\"8\" font-size=\"24\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{PAPER}\">?</text></g>"
        );
        return;
    }
    // The print on a counter so small could not be read.
    let is_small = badges::are_worn(game) && side < 26.0;
    let sign = sign(&ruleset.signs[known.kind], &light);
    let _ = match is_small {
        true => writeln!(out, "<g transform=\"translate(0 -2) scale(1.16)\">{sign}</g>"),
        false => writeln!(out, "{sign}"),
    };
    let name = escape(&known.name);
    let size = (38.0 / (known.name.chars().count() as f64 * 0.47)).min(8.6);
    if is_small {
        out.push_str(&badges::front(game, sight, unit).unwrap_or_default());
        out.push_str(&badges::of_counter(game, sight, unit, true, false));
        out.push_str("</g>\n");
        return;
    }
    let _ = writeln!(
        out,
        "<text y=\"-12.6\" font-size=\"{size:.1}\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{print}\">{name}</text>"
    );
    let face = escape(&game.face(unit));
    if !face.is_empty() {
        let (base, most) = if badges::are_worn(game) { (18.2, 9.0) } else { (16.5, 11.0) };
        let size = (38.0 / (face.chars().count() as f64 * 0.5)).min(most);
        let _ = writeln!(
            out,
            "<text y=\"{base}\" font-size=\"{size:.1}\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{print}\">{face}</text>"
        );
    }
    if badges::are_worn(game) {
        out.push_str(&badges::front(game, sight, unit).unwrap_or_default());
        out.push_str(&badges::of_counter(game, sight, unit, false, !face.is_empty()));
        out.push_str("</g>\n");
        return;
    }
    // What has befallen it: a bar for every property that is told and not as it began.
    for (at, (colour, text)) in marks(game, sight, unit).into_iter().take(4).enumerate() {
        let top = -8.0 + 5.0 * at as f64;
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect x=\"13.5\" y=\"{top:.1}\" width=\"6\" height=\"4.2\" fill=\"{colour}\" stroke=\"{INK}\" stroke-width=\"0.6\"/></g>",
            escape(&text)
        );
    }
    let _ = writeln!(out, "</g>");
}

/// Colours of properties, by their place in the schema.
const COLOURS: [&str; 7] = ["#c0392b", "#e0b23b", "#3d7a4f", "#4c5fa8", "#8a4f9e", "#2a9d8f", "#e07a3b"];

/// Colours and words of what is told of a unit and is not at its default.
fn marks(game: &Game, sight: Sight, unit: i32) -> Vec<(&'static str, String)> {
    let words = game.condition(unit, sight);
    words.into_iter().map(|(at, text)| (COLOURS[at % COLOURS.len()], text)).collect()
}

/// The marks on the counters that are drawn, each with the name of its property, for the legend.
pub(super) fn legend(picture: &Picture<'_>, spaces: &BTreeSet<SpaceId>) -> Vec<(&'static str, String)> {
    let Some((game, sight)) = picture.game else { return Vec::new() };
    let bars = |_: &&SpaceId| !badges::are_worn(game);
    let units = spaces.iter().filter(bars).flat_map(|space| game.units_at(space.0 as i32).take(4));
    let seen = units.filter(|unit| !sight.is_concealed(game, Kind::Unit, *unit));
    let columns: BTreeSet<usize> = seen.flat_map(|unit| game.condition(unit, sight)).map(|(at, _)| at).collect();
    let done = spaces.iter().flat_map(|space| game.signs_in(*space, sight)).map(|(at, _)| at);
    let columns: BTreeSet<usize> = columns.into_iter().chain(done).collect();
    let name = |at: usize| game.ruleset.schema.columns[at].name.replace('-', " ");
    columns.into_iter().map(|at| (COLOURS[at % COLOURS.len()], name(at))).collect()
}

/// The sign of an arm: its parts in one frame, as staffs draw it.
fn sign(parts: &[Sign], light: &str) -> String {
    let line = |path: &str| format!("<path d=\"{path}\" stroke=\"{INK}\" stroke-width=\"1.2\"/>");
    if parts.contains(&Sign::Leader) {
        return format!(
            "<path d=\"M0 -10L2.4 -4.6L8.3 -4L3.9 0L5.1 5.8L0 2.8L-5.1 5.8L-3.9 0L-8.3 -4L-2.4 -4.6Z\" fill=\"{light}\" stroke=\"{INK}\" stroke-width=\"1\"/>"
        );
    }
    let mut all = format!(
        "<rect x=\"-11\" y=\"-9\" width=\"22\" height=\"14\" fill=\"{light}\" stroke=\"{INK}\" stroke-width=\"1.2\"/>"
    );
    for part in parts {
        all += &match part {
            Sign::Infantry => line("M-11 -9L11 5M-11 5L11 -9"),
            Sign::Cavalry => line("M-11 5L11 -9"),
            Sign::Artillery => format!("<circle cy=\"-2\" r=\"3\" fill=\"{INK}\"/>"),
            Sign::Armor => {
                format!("<ellipse cy=\"-2\" rx=\"7.5\" ry=\"4\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.2\"/>")
            }
            // The staff stands under the near corner of the frame.
            Sign::Headquarters => line("M-11 5V18"),
            Sign::Leader => String::new(),
        };
    }
    all
}

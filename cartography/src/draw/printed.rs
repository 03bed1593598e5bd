//! What a map file says of its spaces and their borders, drawn as the rules count it, and the grid with its numbers.

use std::{collections::BTreeMap, fmt::Write as _};

use countermarch_core::map::{Grid, SpaceId};

use super::{
    INK, Picture, SERIF, escape,
    frame::{Frame, Px, curve, line},
    ground,
    labels::Labels,
    symbols::{self, Course, Way},
};
use crate::courses::line_of;

/// Terrain that has no other sign: spaces off the board.
pub(super) fn spaces(picture: &Picture<'_>, frame: &Frame, out: &mut String) {
    let map = picture.map;
    for space in frame.spaces.iter().filter(|s| map.grid == Grid::Area && map.space(**s).shape.is_empty()) {
        let (x, y) = frame.dot(*space);
        let radius = frame.across * 0.3;
        let _ =
            writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#e3d9c0\" stroke=\"{INK}\"/>");
    }
}

/// Streams, slopes, ridges and roads.
pub(super) fn courses(picture: &Picture<'_>, frame: &Frame, out: &mut String) {
    let map = picture.map;
    borders(picture, frame, out);
    if ground::is_surveyed(picture) {
        return;
    }
    for stream in &map.streams {
        let sides = stream.along.iter().filter_map(|(a, b)| side(picture, frame, *a, *b));
        let points = line_of(&sides.map(|(p, q)| [p, q]).collect::<Vec<_>>());
        if symbols::course(&map.features[stream.feature]) == Course::Water {
            ground::water(frame, &points, out);
        }
    }
    let strings = map.roads.iter().map(|road| {
        let mut spaces: Vec<Px> = road.along.iter().map(|s| frame.dot(*s)).collect();
        // Where units arrive, the road goes on beyond the edge.
        let enters = |s: Option<&SpaceId>| map.entries.iter().any(|e| Some(&e.at) == s);
        let beyond = |a: Px, b: Px| (a.0 + (a.0 - b.0) * 0.7, a.1 + (a.1 - b.1) * 0.7);
        if enters(road.along.first()) && spaces.len() > 1 {
            spaces.insert(0, beyond(spaces[0], spaces[1]));
        }
        let count = spaces.len();
        if enters(road.along.last()) && count > 1 {
            spaces.push(beyond(spaces[count - 1], spaces[count - 2]));
        }
        (symbols::way(&map.road_kinds[road.kind]), through(&spaces))
    });
    roads(frame, &strings.collect::<Vec<_>>(), out);
    for (a, b, kind) in marks(picture) {
        let (p, q) = (frame.dot(a), frame.dot(b));
        let turned = (q.1 - p.1).atan2(q.0 - p.0).to_degrees();
        let middle = ((p.0 + q.0) / 2.0, (p.1 + q.1) / 2.0);
        match kind {
            Course::Bridge => bridge(frame, middle, turned, out),
            _ => {
                let _ = writeln!(
                    out,
                    "<path d=\"M-5 0h10\" transform=\"translate({:.1} {:.1}) rotate({turned:.0})\" stroke=\"{INK}\" \
                     stroke-width=\"2\" stroke-dasharray=\"2 2\"/>",
                    middle.0, middle.1
                );
            }
        }
    }
}

/// Borders with a bridge or a ford.
fn marks(picture: &Picture<'_>) -> Vec<(SpaceId, SpaceId, Course)> {
    let map = picture.map;
    let mut found = Vec::new();
    for space in map.spaces() {
        for border in map.out(space).filter(|b| map.target(*b) > space) {
            for (at, name) in map.features.iter().enumerate() {
                let kind = symbols::course(name);
                if map.border(border).features >> at & 1 == 1 && matches!(kind, Course::Bridge | Course::Ford) {
                    found.push((space, map.target(border), kind));
                }
            }
        }
    }
    found
}

/// A bridge over whatever flows there: its road runs at that angle.
pub(super) fn bridge(frame: &Frame, (x, y): Px, turned: f64, out: &mut String) {
    let size = (frame.across / 64.0).clamp(0.7, 2.0);
    let _ = writeln!(
        out,
        "<g transform=\"translate({x:.1} {y:.1}) rotate({turned:.0}) scale({size:.2})\"><path d=\"M-5 -4l2 1.6h6l2 -1.6M-5 4l2 -1.6h6l2 1.6\" \
         fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.3\"/></g>"
    );
}

/// A road through spaces: through the middles of the sides it crosses, and near the dots between.
fn through(dots: &[Px]) -> Vec<Px> {
    let [first, .., last] = dots else { return dots.to_vec() };
    let mut points = vec![*first];
    for pair in dots.windows(2) {
        points.push(((pair[0].0 + pair[1].0) / 2.0, (pair[0].1 + pair[1].1) / 2.0));
        points.push(pair[1]);
    }
    points.pop();
    points.push(*last);
    points
}

/// Roads, all casings below all lines, so that they join.
pub(super) fn roads(frame: &Frame, roads: &[(Way, Vec<Px>)], out: &mut String) {
    let size = (frame.across / 64.0).clamp(0.6, 2.2);
    for order in [Way::Railroad, Way::Road, Way::Pike] {
        for stroke in [0, 1] {
            let lines = roads.iter().filter(|(way, _)| *way == order).map(|(_, points)| curve(points));
            let lines: String = lines.collect();
            let (colour, wide, dash) = symbols::strokes(order)[stroke];
            let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
            let cap = if dash.is_empty() { "round" } else { "butt" };
            if !lines.is_empty() {
                let _ = writeln!(
                    out,
                    "<path d=\"{lines}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{:.1}\" stroke-linecap=\"{cap}\" \
                     stroke-linejoin=\"round\"{dash}/>",
                    wide * size
                );
            }
        }
    }
}

/// The ends of the side that two spaces share, on the sheet, counter-clockwise around the first.
fn side(picture: &Picture<'_>, frame: &Frame, a: SpaceId, b: SpaceId) -> Option<(Px, Px)> {
    let map = picture.map;
    let shared = map.shared_corners(a, b);
    let fine = f64::from(Grid::FINE);
    let px = |p: &countermarch_core::map::Point| frame.px((f64::from(p.x) / fine, f64::from(p.y) / fine));
    match &shared[..] {
        [p, q] => Some((px(p), px(q))),
        _ => None,
    }
}

/// Slopes and ridges, at the borders that have them.
fn borders(picture: &Picture<'_>, frame: &Frame, out: &mut String) {
    let map = picture.map;
    let size = (frame.across / 64.0).clamp(0.6, 2.0);
    let (mut hachures, mut crests, mut others) = (String::new(), String::new(), String::new());
    for space in frame.spaces.iter().copied() {
        for border in map.out(space) {
            let (bits, other) = (map.border(border).features, map.target(border));
            if bits == 0 {
                continue;
            }
            let Some((p, q)) = side(picture, frame, space, other).filter(|_| map.grid != Grid::Area) else { continue };
            let (here, there) = (frame.dot(space), frame.dot(other));
            let back = map.between(other, space).map_or(0, |b| map.border(b).features);
            for (at, name) in map.features.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1) {
                let is_both = back >> at & 1 == 1;
                if is_both && other < space || Some(name) == corners(&map.grid) {
                    continue;
                }
                match symbols::course(name) {
                    Course::Slope => {
                        // Strokes run down from the higher space.
                        let toward = unit(here, there);
                        for step in 1..8 {
                            let t = f64::from(step) / 8.0;
                            let at = (p.0 + (q.0 - p.0) * t, p.1 + (q.1 - p.1) * t);
                            let long = (if step % 2 == 0 { 8.0 } else { 5.5 }) * size;
                            let top = (at.0 + toward.0 * long, at.1 + toward.1 * long);
                            let _ = write!(hachures, "M{:.1} {:.1}L{:.1} {:.1}", top.0, top.1, at.0, at.1);
                        }
                    }
                    Course::Ridge => crests.push_str(&line(&[p, q])),
                    Course::Other => others.push_str(&line(&[p, q])),
                    Course::Water | Course::Bridge | Course::Ford => (),
                }
            }
        }
    }
    let mut stroke = |lines: &str, colour: &str, wide: f64, dash: &str| {
        if !lines.is_empty() {
            let _ = writeln!(
                out,
                "<path d=\"{lines}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{:.1}\" stroke-linecap=\"round\"{dash}/>",
                wide * size
            );
        }
    };
    stroke(&hachures, symbols::SLOPE, 1.3, "");
    stroke(&crests, "#f6ecd2", 5.0, "");
    stroke(&crests, symbols::SLOPE, 2.4, " stroke-dasharray=\"1 5\"");
    stroke(&others, INK, 2.0, " stroke-dasharray=\"4 3\"");
}

fn corners(grid: &Grid) -> Option<&String> {
    match grid {
        Grid::Square(squares) => squares.corners.as_ref(),
        Grid::Hex(_) | Grid::Axial { .. } | Grid::Area => None,
    }
}

fn unit(a: Px, b: Px) -> Px {
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    let length = x.hypot(y).max(1e-9);
    (x / length, y / length)
}

/// The sides of all spaces, each drawn once, and their numbers.
pub(super) fn grid(picture: &Picture<'_>, frame: &Frame, labels: &mut Labels, out: &mut String) {
    let map = picture.map;
    let is_area = map.grid == Grid::Area;
    let key = |p: Px| ((p.0 * 4.0).round() as i64, (p.1 * 4.0).round() as i64);
    // A side that only one space has is the rim of the board.
    let mut all: BTreeMap<_, (String, usize)> = BTreeMap::new();
    for space in &frame.spaces {
        let points = frame.outline(*space);
        for (at, p) in points.iter().enumerate() {
            let q = points[(at + 1) % points.len()];
            let (a, b) = (key(*p), key(q));
            let drawn = || (format!("M{:.1} {:.1}L{:.1} {:.1}", p.0, p.1, q.0, q.1), 0);
            all.entry((a.min(b), a.max(b))).or_insert_with(drawn).1 += 1;
        }
    }
    let pick = |rim: bool| all.values().filter(|(_, n)| (*n == 1) == rim).map(|(d, _)| d.as_str()).collect::<String>();
    let (sides, rim) = (pick(false), pick(true));
    let (wide, clear) = if is_area { (2.2, 0.75) } else { (0.8, 0.5) };
    let _ = writeln!(
        out,
        "<path d=\"{sides}\" fill=\"none\" stroke=\"#4d4334\" stroke-opacity=\"{clear}\" stroke-width=\"{wide}\" stroke-linecap=\"round\"/>"
    );
    let _ = writeln!(
        out,
        "<path d=\"{rim}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"3.4\" stroke-linecap=\"round\"/>"
    );
    let size = (frame.across * 0.155).clamp(6.0, 13.0);
    let _ = writeln!(
        out,
        "<g font-family=\"{SERIF}\" font-size=\"{size:.1}\" text-anchor=\"middle\" fill=\"#4d4334\" fill-opacity=\"0.85\">"
    );
    for space in &frame.spaces {
        let here = map.space(*space);
        let (x, _) = frame.dot(*space);
        if is_area {
            continue;
        }
        // Numbers stand at the upper corner or side of a space.
        let top = frame.outline(*space).iter().map(|p| p.1).fold(f64::MAX, f64::min);
        let shift = match map.grid {
            Grid::Square(_) => size * 1.05,
            Grid::Hex(_) | Grid::Axial { .. } | Grid::Area if map.grid.is_flat() => size * 1.05,
            Grid::Hex(_) | Grid::Axial { .. } | Grid::Area => frame.across * 0.16 + size * 0.62,
        };
        let base = top + shift;
        let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{base:.1}\">{}</text>", escape(&here.name));
        let half = size * 0.28 * here.name.len() as f64;
        labels.take((x - half, base - size * 0.75), (x + half, base + size * 0.1));
    }
    let _ = writeln!(out, "</g>");
}

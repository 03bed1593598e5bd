//! What the survey found, drawn where it lies: woods, towns, orchards, and on maps whose grid is only laid over the
//! ground (`art: surveyed`) roads and streams too.

use std::fmt::Write as _;

use geo::{BoundingRect, ChaikinSmoothing, Contains, Coord, LineString, MultiPolygon, Polygon, unary_union};

use super::{
    Picture,
    frame::{Frame, Px, curve, path},
    symbols::{self, Course, Cover, Way},
};
use crate::{
    build::Ground,
    plan::{Art, By, Of, Plan, Terrain},
    spaces::is_of,
    survey::Shape,
};

/// Whether roads, streams and woods are drawn where the survey has them, and not as the rules count them.
pub(super) fn is_surveyed(picture: &Picture<'_>) -> bool {
    picture.ground.and_then(|g| g.plan.as_ref()).is_some_and(|plan| plan.art == Art::Surveyed)
}

fn laid<'a>(picture: &'a Picture<'_>) -> Option<(&'a Plan, &'a Ground)> {
    let sources = picture.ground?;
    sources.plan.as_ref().zip(sources.ground.as_ref())
}

pub(super) fn draw(picture: &Picture<'_>, frame: &Frame, out: &mut String) {
    let (map, surveyed) = (picture.map, laid(picture).filter(|_| is_surveyed(picture)));
    for kind in [Cover::Town, Cover::Rough, Cover::Marsh, Cover::Woods, Cover::Orchard] {
        let parts = match surveyed {
            Some((plan, ground)) => {
                let rows = plan.terrains.iter().filter(|t| symbols::cover(&t.of.name) == Some(kind));
                let rows: Vec<&Terrain> = rows.collect();
                // What areas are by their own account the survey has by its kinds.
                let by_kind = rows.iter().any(|t| t.by == By::Own);
                let features = ground.survey.features.iter().filter(|f| {
                    rows.iter().any(|t| is_of(f, &t.of)) || by_kind && symbols::cover(&f.kind) == Some(kind)
                });
                let polygons: Vec<Polygon> = features
                    .filter_map(|f| match &f.shape {
                        Shape::Polygons(parts) => Some(on_sheet(frame, ground, parts)),
                        Shape::Point(_) | Shape::Lines(_) => None,
                    })
                    .flatten()
                    .collect();
                MultiPolygon(polygons)
            }
            None => {
                let bits = map
                    .terrains
                    .iter()
                    .enumerate()
                    .filter(|(_, name)| symbols::cover(name) == Some(kind))
                    .fold(0u32, |bits, (at, _)| bits | 1 << at);
                let spaces = frame.spaces.iter().filter(|s| map.space(**s).terrain & bits != 0);
                let polygons: Vec<Polygon> =
                    spaces.map(|s| Polygon::new(frame.outline(*s).into_iter().collect(), Vec::new())).collect();
                unary_union(&polygons).chaikin_smoothing(2)
            }
        };
        cover(kind, frame, &parts, out);
    }
    sunken(picture, frame, out);
    let Some((plan, ground)) = surveyed else { return };
    let size = (frame.across / 64.0).clamp(0.6, 1.4);
    for row in plan.features.iter().filter(|f| symbols::course(&f.of.name) == Course::Slope) {
        let strokes: String = lines(frame, ground, &row.of).iter().map(|line| downhill(line, 5.0 * size)).collect();
        let colour = symbols::SLOPE;
        let _ = writeln!(out, "<path d=\"{strokes}\" stroke=\"{colour}\" stroke-width=\"{size:.1}\" fill=\"none\"/>");
    }
    for row in plan.features.iter().filter(|f| symbols::course(&f.of.name) == Course::Water) {
        for line in lines(frame, ground, &row.of) {
            water(frame, &line, out);
        }
    }
    let mut roads: Vec<(Way, Vec<Px>)> = Vec::new();
    for of in &plan.roads {
        roads.extend(lines(frame, ground, of).into_iter().map(|line| (symbols::way(&of.name), line)));
    }
    super::printed::roads(frame, &roads, out);
    for row in &plan.features {
        let kind = symbols::course(&row.of.name);
        for feature in ground.survey.features.iter().filter(|f| is_of(f, &row.of)) {
            if let (Shape::Point(at), Course::Bridge) = (&feature.shape, kind) {
                super::printed::bridge(frame, frame.metres(&ground.laid, *at), 0.0, out);
            }
        }
    }
}

/// Strokes that run down from a line, which has the higher ground on its left.
fn downhill(points: &[Px], far: f64) -> String {
    let (mut out, mut left) = (String::new(), 0.0);
    for pair in points.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let long = dx.hypot(dy);
        let mut at = left;
        while at < long {
            let (x, y) = (pair[0].0 + dx * at / long, pair[0].1 + dy * at / long);
            // On the sheet north is up, and y runs down.
            let _ = write!(out, "M{x:.1} {y:.1}l{:.1} {:.1}", -dy / long * far, dx / long * far);
            at += far * 0.8;
        }
        left = at - long;
    }
    out
}

/// Banks on either side of what lies sunk, through the middle of its spaces.
fn sunken(picture: &Picture<'_>, frame: &Frame, out: &mut String) {
    let map = picture.map;
    let is_sunken = |name: &String| symbols::cover(name) == Some(Cover::Sunken);
    let bits = map.terrains.iter().enumerate().filter(|(_, n)| is_sunken(n)).fold(0u32, |bits, (at, _)| bits | 1 << at);
    let size = frame.across / 64.0;
    for space in frame.spaces.iter().filter(|s| map.space(**s).terrain & bits != 0) {
        let (x, y) = frame.dot(*space);
        let near = map.near(*space).find(|n| map.space(*n).terrain & bits != 0 && frame.shows(*n));
        let toward = near.map_or((x + 1.0, y), |n| frame.dot(n));
        let turned = (toward.1 - y).atan2(toward.0 - x).to_degrees();
        let colour = symbols::SLOPE;
        let _ = writeln!(
            out,
            "<g transform=\"translate({x:.1} {y:.1}) rotate({turned:.0}) scale({size:.2})\"><rect x=\"-22\" y=\"-9\" width=\"44\" height=\"18\" rx=\"6\" \
             fill=\"#e6d3ad\" fill-opacity=\"0.6\"/><path d=\"M-22 -8h44M-22 8h44\" stroke=\"{colour}\" stroke-width=\"2.2\" stroke-dasharray=\"3 2\"/></g>"
        );
    }
}

/// The lines of some features, on the sheet.
pub(super) fn lines(frame: &Frame, ground: &Ground, of: &Of) -> Vec<Vec<Px>> {
    let features = ground.survey.features.iter().filter(|f| is_of(f, of));
    let on_sheet = |l: &LineString| l.0.iter().map(|c| frame.metres(&ground.laid, *c)).collect();
    features
        .filter_map(|f| match &f.shape {
            Shape::Lines(lines) => Some(lines.iter().map(on_sheet).collect::<Vec<_>>()),
            Shape::Point(_) | Shape::Polygons(_) => None,
        })
        .flatten()
        .collect()
}

fn on_sheet(frame: &Frame, ground: &Ground, parts: &MultiPolygon) -> Vec<Polygon> {
    let ring = |r: &LineString| r.0.iter().map(|c| frame.metres(&ground.laid, *c)).collect::<LineString>();
    parts.iter().map(|p| Polygon::new(ring(p.exterior()), p.interiors().iter().map(ring).collect())).collect()
}

/// A stream, wider where it has gathered water.
pub(super) fn water(frame: &Frame, line: &[Px], out: &mut String) {
    let wide = (frame.across / 64.0).clamp(0.6, 1.8);
    for (colour, width) in [("#e8f0ee", 4.2 * wide), (symbols::WATER, 2.6 * wide)] {
        let _ = writeln!(
            out,
            "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.1}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"/>",
            curve(line)
        );
    }
}

fn rings(parts: &MultiPolygon) -> String {
    let ring = |r: &LineString| {
        let points: Vec<Px> = r.0.iter().take(r.0.len().saturating_sub(1)).map(|c| (c.x, c.y)).collect();
        path(&points)
    };
    parts.iter().map(|p| ring(p.exterior()) + &p.interiors().iter().map(ring).collect::<String>()).collect()
}

/// Ground covered with something: its colour, and signs strewn over it.
fn cover(kind: Cover, frame: &Frame, parts: &MultiPolygon, out: &mut String) {
    let rings = rings(parts);
    if rings.is_empty() {
        return;
    }
    let size = (frame.across / 64.0).clamp(0.7, 2.0);
    let fill = |colour: &str, opacity: f64, edge: &str, out: &mut String| {
        let _ = writeln!(
            out,
            "<path d=\"{rings}\" fill=\"{colour}\" fill-opacity=\"{opacity}\" stroke=\"{edge}\" \
             stroke-width=\"0.8\" stroke-opacity=\"0.7\"/>"
        );
    };
    let dots = |colour: &str, wide: f64, shift: Px, at: &[Px], out: &mut String| {
        let marks: String = at.iter().map(|(x, y)| format!("M{:.1} {:.1}h0", x + shift.0, y + shift.1)).collect();
        let _ = writeln!(
            out,
            "<path d=\"{marks}\" stroke=\"{colour}\" stroke-width=\"{wide:.1}\" stroke-linecap=\"round\" fill=\"none\"/>"
        );
    };
    match kind {
        Cover::Woods => {
            fill(symbols::WOODS, 0.62, symbols::WOODS_DARK, out);
            let trees = strewn(frame, parts, 9.5 * size, 0.75);
            dots(symbols::WOODS_DARK, 5.6 * size, (0.8 * size, 0.9 * size), &trees, out);
            dots("#93ab6c", 4.6 * size, (0.0, 0.0), &trees, out);
            dots("#bccb98", 1.5 * size, (-0.9 * size, -0.9 * size), &trees, out);
        }
        Cover::Orchard => {
            fill("#c9d3a0", 0.6, symbols::WOODS_DARK, out);
            dots(symbols::WOODS_DARK, 2.2 * size, (0.0, 0.0), &strewn(frame, parts, 5.0 * size, 0.0), out);
        }
        Cover::Marsh => {
            let marks: String = strewn(frame, parts, 11.0 * size, 0.6)
                .iter()
                .map(|(x, y)| format!("M{:.1} {y:.1}h7M{:.1} {:.1}h3", x - 3.5, x - 1.5, y - 2.0))
                .collect();
            let _ = writeln!(out, "<path d=\"{marks}\" stroke=\"{}\" stroke-width=\"1\"/>", symbols::WATER);
        }
        Cover::Rough => {
            let marks: String = strewn(frame, parts, 8.5 * size, 0.8)
                .iter()
                .map(|(x, y)| {
                    format!(
                        "M{:.1} {:.1}l{:.1} {:.1}l{:.1} {:.1}",
                        x - 2.4 * size,
                        y + 1.6 * size,
                        1.9 * size,
                        -3.4 * size,
                        2.9 * size,
                        3.0 * size
                    )
                })
                .collect();
            let dark = symbols::ROUGH_DARK;
            let _ = writeln!(
                out,
                "<path d=\"{marks}\" stroke=\"{dark}\" stroke-width=\"{:.1}\" fill=\"#d8cbb0\" fill-opacity=\"0.8\" stroke-linejoin=\"round\"/>",
                0.9 * size
            );
        }
        // Drawn space by space.
        Cover::Sunken => (),
        Cover::Town => {
            fill(symbols::TOWN, 0.75, symbols::TOWN_DARK, out);
            let house = 3.6 * size;
            let marks: String = strewn(frame, parts, 7.5 * size, 0.3)
                .iter()
                .map(|(x, y)| {
                    format!("M{:.1} {:.1}h{house:.1}v{:.1}h-{house:.1}z", x - house / 2.0, y - house / 2.0, house * 0.8)
                })
                .collect();
            let _ = writeln!(out, "<path d=\"{marks}\" fill=\"{}\" fill-opacity=\"0.85\"/>", symbols::TOWN_DARK);
        }
    }
}

/// Places strewn evenly over polygons, `far` apart, each moved by chance up to `loose` of the distance: the same
/// places every time.
fn strewn(frame: &Frame, parts: &MultiPolygon, far: f64, loose: f64) -> Vec<Px> {
    let (left, top, width, height) = frame.sheet();
    let mut places = Vec::new();
    for part in parts {
        let Some(rect) = part.bounding_rect() else { continue };
        let range = |from: f64, to: f64| ((from / far).floor() as i64, (to / far).ceil() as i64);
        let (x0, x1) = range(rect.min().x.max(left), rect.max().x.min(left + width));
        let (y0, y1) = range(rect.min().y.max(top), rect.max().y.min(top + height));
        for row in y0..=y1 {
            for column in x0..=x1 {
                let (a, b) = (chance(column, row), chance(row + 7919, column));
                let shift = if row % 2 == 0 { 0.25 } else { -0.25 };
                let x = (column as f64 + shift + (a - 0.5) * loose) * far;
                let y = (row as f64 + (b - 0.5) * loose) * far;
                if part.contains(&Coord { x, y }) {
                    places.push((x, y));
                }
            }
        }
    }
    places
}

/// A number from 0 to 1 that depends on a place of the lattice alone.
fn chance(x: i64, y: i64) -> f64 {
    let mut n = (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    n ^= n >> 29;
    n = n.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((n ^ (n >> 32)) & 0xFFFF) as f64 / 65536.0
}

//! Names that do not collide: each is tried in the places around its spot, the most important names first.

use std::{collections::BTreeMap, fmt::Write as _};

use countermarch_core::{
    map::{Grid, SpaceId},
    ruleset::Provenance,
};
use geo::{Contains, MultiPolygon, Polygon};
use rstar::{AABB, RTree};
use skrifa::{FontRef, MetadataProvider, instance::LocationRef, prelude::Size};

use super::{
    INK, PAPER, Picture, badges, escape,
    frame::{Frame, Px},
    ground,
    symbols::{self, Course, Way},
};
use crate::spaces::{self, is_of};

/// The typeface of all pictures, by Libertinus's makers (OFL; see `fonts/OFL.txt`).
pub(super) const FONTS: [&[u8]; 3] = [
    include_bytes!("../../fonts/LibertinusSerif-Regular.otf"),
    include_bytes!("../../fonts/LibertinusSerif-Italic.otf"),
    include_bytes!("../../fonts/LibertinusSerif-Bold.otf"),
];

/// How a name is set.
#[derive(Debug, Clone, Copy)]
struct Face {
    /// Index into [`FONTS`].
    font: usize,
    /// In pixels.
    size: f64,
    colour: &'static str,
    /// Pixels between letters.
    spaced: f64,
}

/// A name and where it belongs.
struct Name {
    text: String,
    at: Px,
    face: Face,
    /// Whether a dot marks the spot.
    is_dotted: bool,
    /// Whether it stands on its spot rather than beside it.
    is_centered: bool,
}

/// The places that are taken.
pub(super) struct Labels {
    taken: RTree<rstar::primitives::Rectangle<[f64; 2]>>,
    board: (f64, f64, f64, f64),
    scale: f64,
    /// The ground of a cut-out: nothing is named beside it.
    ground: Option<MultiPolygon>,
    /// Of each area, the middle of the lower edge of what is written in it.
    heads: BTreeMap<SpaceId, Px>,
}

impl Labels {
    pub fn new(frame: &Frame) -> Labels {
        let scale = (frame.across / 64.0).clamp(0.8, 1.6);
        Labels { taken: RTree::new(), board: frame.board(), scale, ground: frame.cut_out(), heads: BTreeMap::new() }
    }

    /// Keeps names out of a rectangle.
    pub fn take(&mut self, from: Px, to: Px) {
        self.taken.insert(rstar::primitives::Rectangle::from_corners([from.0, from.1], [to.0, to.1]));
    }

    fn is_free(&self, from: Px, to: Px) -> bool {
        let (left, top, right, bottom) = self.board;
        let is_inside = from.0 >= left && from.1 >= top && to.0 <= right && to.1 <= bottom;
        let corners = [from, to, (from.0, to.1), (to.0, from.1)];
        let is_inside =
            is_inside && self.ground.as_ref().is_none_or(|g| corners.iter().all(|c| g.contains(&geo::Point::from(*c))));
        let area = AABB::from_corners([from.0, from.1], [to.0, to.1]);
        is_inside && self.taken.locate_in_envelope_intersecting(&area).next().is_none()
    }

    /// The free place for something so large that lies nearest to a spot: all of it inside a shape, or, where it is not
    /// `whole`, at least its middle.
    pub fn spot(&self, shape: &[Px], near: Px, (wide, high): (f64, f64), whole: bool) -> Option<Px> {
        const TRIES: i32 = 24;
        let ground = Polygon::new(shape.iter().copied().collect(), Vec::new());
        let (left, right) = shape.iter().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.0), b.max(p.0)));
        let (top, bottom) = shape.iter().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.1), b.max(p.1)));
        let fits = |(x, y): &Px| {
            let (from, to) = ((x - wide / 2.0, y - high / 2.0), (x + wide / 2.0, y + high / 2.0));
            let parts =
                [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (0.0, 0.5), (1.0, 0.5), (0.0, 1.0), (0.5, 1.0), (1.0, 1.0)];
            let inside = |(a, b): (f64, f64)| ground.contains(&geo::Point::new(from.0 + wide * a, from.1 + high * b));
            let is_inside = if whole { parts.into_iter().all(inside) } else { inside((0.5, 0.5)) };
            is_inside && self.is_free(from, to)
        };
        let part = |from: f64, to: f64, at: i32| from + (to - from) * f64::from(at) / f64::from(TRIES);
        let all = (0..=TRIES).flat_map(|i| (0..=TRIES).map(move |j| (i, j)));
        let all = all.map(|(i, j)| (part(left, right, i), part(top, bottom, j)));
        let far = |p: &Px| (p.0 - near.0).hypot(p.1 - near.1);
        std::iter::once(near).chain(all).filter(fits).min_by(|a, b| far(a).total_cmp(&far(b)))
    }

    /// The middle of the lower edge of what is written in an area, once it is.
    pub fn below(&self, area: SpaceId) -> Option<Px> {
        self.heads.get(&area).copied()
    }

    /// Writes the names of places, roads and streams.
    pub fn names(&mut self, picture: &Picture<'_>, frame: &Frame, out: &mut String) {
        let mut names = self.places(picture, frame);
        // Large names first; those of one size in the order of the map.
        names.sort_by(|a, b| b.face.size.total_cmp(&a.face.size));
        for name in names {
            self.place(&name, out);
        }
        self.along(picture, frame, out);
    }

    fn face(&self, kind: &str) -> Face {
        let (font, size, colour, spaced) = match kind {
            "town" | "village" | "city" => (2, 16.0, "#3b1d14", 0.8),
            "hill" | "mountain" => (2, 12.5, "#5b3a1c", 0.2),
            "area" => (1, 12.5, INK, 0.0),
            "house" | "farm" => (1, 9.5, INK, 0.0),
            _ => (1, 10.5, INK, 0.0),
        };
        Face { font, size: size * self.scale, colour, spaced }
    }

    /// Every area has its number, its printed numbers and its name in it, smaller in a smaller one.
    /// Where counters stand they stand above those, which are laid down afterwards.
    pub fn areas(&mut self, picture: &Picture<'_>, frame: &Frame, out: &mut String) {
        let map = picture.map;
        for space in &frame.spaces {
            let here = map.space(*space);
            let (x, y) = frame.dot(*space);
            let outline = frame.outline(*space);
            let wide = outline.iter().map(|p| p.0).fold(f64::MIN, f64::max)
                - outline.iter().map(|p| p.0).fold(f64::MAX, f64::min);
            let room = if outline.is_empty() { frame.across } else { wide };
            let small = (room / frame.across / 1.15).clamp(0.66, 1.0);
            let face = Face { size: self.face("area").size * small, ..self.face("area") };
            let number = Face { font: 2, size: 15.0 * self.scale * small, colour: INK, spaced: 0.3 };
            let mut rows = wrapped(here.label.as_deref().unwrap_or(""), face, room * 0.8);
            rows.truncate(4);
            let own = picture.game.filter(|(game, _)| !game.ruleset.board.spaces.is_empty());
            let boxes = own.map_or_else(Vec::new, |(game, sight)| badges::boxes(game, *space, sight));
            let numbers = map.numbers.iter().zip(&here.numbers).filter(|(_, n)| **n != 0 && own.is_none());
            let said: String = numbers.map(|(_, n)| format!(" \u{b7} {n:+}")).collect();
            let head = format!("{}{said}", here.name);
            let wide_of = |shown: &(String, String)| badges::box_width(&shown.0, number.size) + 3.0;
            let head_wide = width(&head, number) + boxes.iter().map(wide_of).sum::<f64>();
            let is_held = picture.game.is_some_and(|(game, _)| game.units_at(space.0 as i32).next().is_some());
            let top = outline.iter().map(|p| p.1).fold(y, f64::min);
            let bottom = outline.iter().map(|p| p.1).fold(y, f64::max);
            // Where counters leave it too little room, the name gives way.
            let high = |rows: &[String]| number.size + rows.len() as f64 * face.size * 1.02;
            if is_held && high(&rows) > 0.42 * (bottom - top) {
                rows.clear();
            }
            let high = high(&rows);
            let half = rows.iter().map(|r| width(r, face)).fold(head_wide, f64::max) / 2.0;
            let spot = |whole: bool| self.spot(&outline, (x, top), (half * 2.0, high + 3.0), whole);
            let spot = if is_held { spot(true).or_else(|| spot(false)) } else { None };
            let beside = if is_held && outline.is_empty() { frame.across * 0.36 } else { 0.0 };
            let (x, y) = spot.unwrap_or((x, y - beside));
            let mut base = y - high / 2.0 + number.size * 0.8;
            let begins = x - head_wide / 2.0;
            write(out, &head, (begins + width(&head, number) / 2.0, base), number, "middle");
            let mut at = begins + width(&head, number) + 3.0;
            for shown in &boxes {
                badges::put_box(out, shown, (at, base - number.size * 0.78), number.size * 0.95);
                at += wide_of(shown);
            }
            for row in &rows {
                base += face.size * 1.02;
                write(out, row, (x, base), face, "middle");
            }
            self.take((x - half, y - high / 2.0), (x + half, base + 3.0));
            self.heads.insert(*space, (x, base + 3.0));
        }
    }

    fn places(&self, picture: &Picture<'_>, frame: &Frame) -> Vec<Name> {
        let map = picture.map;
        let sources = picture.ground.and_then(|g| g.plan.as_ref().zip(g.ground.as_ref()));
        let mut names: Vec<Name> = Vec::new();
        for place in &map.places {
            let Some(first) = place.at.first().filter(|s| frame.shows(**s)) else { continue };
            // Where the survey has it, if it has it under that name.
            let surveyed = sources.and_then(|(plan, ground)| {
                let rows = plan.places.iter().filter(|row| row.of.name == place.kind);
                let of = |f: &&crate::survey::Feature| rows.clone().any(|row| is_of(f, &row.of));
                let named = |f: &&crate::survey::Feature| f.name.starts_with(&place.name);
                let feature = ground.survey.features.iter().filter(of).find(named)?;
                Some(frame.metres(&ground.laid, spaces::middle(feature)?))
            });
            // What an area is called is written in it already.
            let is_said = |s: &SpaceId| map.space(*s).label.as_ref().is_some_and(|l| l.contains(&place.name));
            if map.grid == Grid::Area && place.at.iter().any(is_said) {
                continue;
            }
            let is_wide = matches!(place.kind.as_str(), "town" | "hill" | "village" | "city" | "mountain");
            // A document that prints the name says in which space, and wins over the survey here too.
            let printed = frame.spaces.iter().find(|s| {
                let here = map.space(**s);
                here.label.as_ref() == Some(&place.name) && here.from.of("name") == Provenance::Printed
            });
            let at = printed.map(|s| frame.dot(*s)).or(surveyed).unwrap_or_else(|| frame.dot(*first));
            let face = self.face(&place.kind);
            names.push(Name { text: place.name.clone(), at, face, is_dotted: !is_wide, is_centered: is_wide });
        }
        let label = |s: &SpaceId| {
            let here = map.space(*s);
            let text = here.label.clone().filter(|l| map.grid != Grid::Area && names.iter().all(|n| n.text != *l))?;
            let face = self.face("place");
            Some(Name { text, at: frame.dot(*s), face, is_dotted: false, is_centered: true })
        };
        let labels: Vec<Name> = frame.spaces.iter().filter_map(label).collect();
        names.extend(labels);
        names
    }

    /// Sets a name in the first free place around its spot; leaves it out where there is none.
    fn place(&mut self, name: &Name, out: &mut String) {
        let (x, y) = name.at;
        let (wide, high) = (width(&name.text, name.face), name.face.size * 0.78);
        let far = if name.is_dotted { 4.0 * self.scale } else { 1.0 };
        let (h, w) = (high / 2.0, wide / 2.0);
        let mut tries: Vec<Px> = Vec::new();
        if name.is_centered {
            tries.extend([(x, y + h), (x, y - h * 1.4), (x, y + h * 3.4), (x, y - h * 3.6), (x, y + h * 5.2)]);
        }
        tries.extend([
            (x + far + w, y + h),
            (x - far - w, y + h),
            (x, y - far),
            (x, y + far + high),
            (x + far + w, y - far * 0.5),
            (x + far + w, y + high + far * 0.5),
            (x - far - w, y - far * 0.5),
            (x - far - w, y + high + far * 0.5),
        ]);
        let dot = 2.0 * self.scale;
        let found = tries
            .into_iter()
            .find(|(cx, base)| self.is_free((cx - w - 1.0, base - high - 1.0), (cx + w + 1.0, base + high * 0.28)));
        let Some((cx, base)) = found else { return };
        if name.is_dotted {
            if !self.is_free((x - dot, y - dot), (x + dot, y + dot)) {
                return;
            }
            self.take((x - dot, y - dot), (x + dot, y + dot));
            let _ = writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{INK}\" stroke=\"{PAPER}\" stroke-width=\"0.8\"/>",
                x - dot,
                y - dot,
                dot * 2.0,
                dot * 2.0
            );
        }
        self.take((cx - w - 1.0, base - high - 1.0), (cx + w + 1.0, base + high * 0.28));
        write(out, &name.text, (cx, base), name.face, "middle");
    }

    /// Names of roads and streams, each once, along its straightest free stretch.
    fn along(&mut self, picture: &Picture<'_>, frame: &Frame, out: &mut String) {
        let map = picture.map;
        let surveyed = picture
            .ground
            .and_then(|g| g.plan.as_ref().zip(g.ground.as_ref()))
            .filter(|_| ground::is_surveyed(picture));
        let mut lines: Vec<(String, Vec<Px>, Face)> = Vec::new();
        let water = Face { font: 1, size: 11.0 * self.scale, colour: "#2f5f86", spaced: 0.4 };
        let road = Face { font: 0, size: 9.5 * self.scale, colour: "#5d3a1c", spaced: 0.3 };
        let has_line = |name: &str| !name.is_empty();
        if let Some((plan, ground)) = surveyed {
            let streams = plan.features.iter().filter(|f| symbols::course(&f.of.name) == Course::Water);
            let rows = streams.map(|f| (&f.of, water)).chain(plan.roads.iter().map(|of| (of, road)));
            for (of, face) in rows {
                for feature in ground.survey.features.iter().filter(|f| is_of(f, of) && has_line(&f.name)) {
                    if let crate::survey::Shape::Lines(all) = &feature.shape {
                        for line in all {
                            let points: Vec<Px> = line.0.iter().map(|c| frame.metres(&ground.laid, *c)).collect();
                            let parts = frame.on_board(&points).into_iter();
                            lines.extend(parts.map(|part| (feature.name.clone(), part, face)));
                        }
                    }
                }
            }
        } else {
            for stream in &map.streams {
                let dots = |(a, b): &(SpaceId, SpaceId)| {
                    let (p, q) = (frame.dot(*a), frame.dot(*b));
                    ((p.0 + q.0) / 2.0, (p.1 + q.1) / 2.0)
                };
                let points: Vec<Px> = stream.along.iter().map(dots).collect();
                lines.extend(frame.on_board(&points).into_iter().map(|part| (stream.name.clone(), part, water)));
            }
            for way in &map.roads {
                let is_rail = symbols::way(&map.road_kinds[way.kind]) == Way::Railroad;
                let points: Vec<Px> = way.along.iter().map(|s| frame.dot(*s)).collect();
                let face = if is_rail { Face { font: 1, ..road } } else { road };
                lines.extend(frame.on_board(&points).into_iter().map(|part| (way.name.clone(), part, face)));
            }
        }
        let mut written: Vec<String> = Vec::new();
        // The longest line of a name has the best chance.
        lines.sort_by(|a, b| length(&b.1).total_cmp(&length(&a.1)));
        for (name, points, face) in lines {
            if !written.contains(&name) && self.follow(&name, &points, face, out) {
                written.push(name);
            }
        }
    }

    /// Sets a name along a line, where it is straight enough and free.
    fn follow(&mut self, name: &str, points: &[Px], face: Face, out: &mut String) -> bool {
        let (wide, whole) = (width(name, face) + 6.0, length(points));
        if whole < wide {
            return false;
        }
        let steps = ((whole - wide) / (wide / 4.0)).ceil().max(1.0) as usize;
        let mut best: Option<(f64, Px, f64)> = None;
        for step in 0..=steps {
            let start = (whole - wide) * step as f64 / steps as f64;
            let (p, q) = (at(points, start), at(points, start + wide));
            let (dx, dy) = (q.0 - p.0, q.1 - p.1);
            let straight = dx.hypot(dy) / wide;
            if straight < 0.93 {
                continue;
            }
            let (dx, dy) = if dx < 0.0 { (-dx, -dy) } else { (dx, dy) };
            let angle = dy.atan2(dx);
            // Above the line, as far as it bends.
            let middle = ((p.0 + q.0) / 2.0, (p.1 + q.1) / 2.0);
            let up = (angle.sin(), -angle.cos());
            let above = |t: f64| {
                let place = at(points, start + wide * t);
                (place.0 - middle.0) * up.0 + (place.1 - middle.1) * up.1
            };
            let bend = (0..=8).map(|t| above(f64::from(t) / 8.0)).fold(0.0, f64::max);
            let lift = bend + 3.5 * self.scale;
            let base = (middle.0 + up.0 * lift, middle.1 + up.1 * lift);
            let boxes = boxes(base, angle, up, wide, face.size);
            if !boxes.iter().all(|(from, to)| self.is_free(*from, *to)) {
                continue;
            }
            // In the middle of the line rather than at its ends, and level rather than steep.
            let value = straight - bend / wide - ((start + wide / 2.0) / whole - 0.5).abs() * 0.1 - angle.abs() * 0.05;
            if best.is_none_or(|(other, ..)| value > other) {
                best = Some((value, base, angle));
            }
        }
        let Some((_, base, angle)) = best else { return false };
        for (from, to) in boxes(base, angle, (angle.sin(), -angle.cos()), wide, face.size) {
            self.take(from, to);
        }
        let turn = format!("translate({:.1} {:.1}) rotate({:.1})", base.0, base.1, angle.to_degrees());
        let _ = writeln!(out, "<g transform=\"{turn}\">");
        write(out, name, (0.0, 0.0), face, "middle");
        let _ = writeln!(out, "</g>");
        true
    }
}

/// The room of a slanted name, as small upright boxes.
fn boxes(base: Px, angle: f64, up: Px, wide: f64, size: f64) -> Vec<(Px, Px)> {
    let count = (wide / size).ceil().max(1.0) as usize;
    let half = size * 0.45;
    (0..count)
        .map(|at| {
            let along = wide * ((at as f64 + 0.5) / count as f64 - 0.5);
            let x = base.0 + angle.cos() * along + up.0 * half;
            let y = base.1 + angle.sin() * along + up.1 * half;
            ((x - half, y - half), (x + half, y + half))
        })
        .collect()
}

fn length(points: &[Px]) -> f64 {
    points.windows(2).map(|p| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1)).sum()
}

/// The place so many pixels along a line.
fn at(points: &[Px], mut far: f64) -> Px {
    for pair in points.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let long = dx.hypot(dy);
        if far <= long && long > 0.0 {
            return (pair[0].0 + dx * far / long, pair[0].1 + dy * far / long);
        }
        far -= long;
    }
    points.last().copied().unwrap_or_default()
}

/// How wide a text is, in pixels.
fn width(text: &str, face: Face) -> f64 {
    let Ok(font) = FontRef::new(FONTS[face.font]) else { return 0.0 };
    let (letters, metrics) = (font.charmap(), font.glyph_metrics(Size::new(face.size as f32), LocationRef::default()));
    text.chars()
        .map(|c| letters.map(c).and_then(|g| metrics.advance_width(g)).map_or(face.size * 0.5, f64::from) + face.spaced)
        .sum()
}

/// A text in rows that are no wider than that, cut between words.
fn wrapped(text: &str, face: Face, wide: f64) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        match rows.last_mut() {
            Some(row) if width(&format!("{row} {word}"), face) <= wide => {
                row.push(' ');
                row.push_str(word);
            }
            _ => rows.push(word.to_owned()),
        }
    }
    rows
}

/// A text over a halo of paper.
fn write(out: &mut String, text: &str, (x, y): Px, face: Face, anchor: &str) {
    let style = ["", " font-style=\"italic\"", " font-weight=\"bold\""][face.font];
    let spaced = if face.spaced == 0.0 { String::new() } else { format!(" letter-spacing=\"{}\"", face.spaced) };
    let text = escape(text);
    // The halo is a text of its own: not every program that draws SVG knows `paint-order`.
    let halo = format!(
        "stroke=\"{PAPER}\" stroke-opacity=\"0.85\" stroke-width=\"{:.1}\" stroke-linejoin=\"round\"",
        face.size * 0.26
    );
    for look in [halo, format!("fill=\"{}\"", face.colour)] {
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{:.1}\" text-anchor=\"{anchor}\"{style}{spaced} {look}>{text}</text>",
            face.size
        );
    }
}

//! What runs over the map: roads as strings of spaces, streams and ridges as strings of borders, and where they cross.

use std::collections::BTreeMap;

use countermarch_core::map::Grid;
use geo::{Coord, Distance, Euclidean, Line, LineString};

use crate::{
    laid::Laid,
    plan::{Across, BorderFeature, Of, Plan},
    spaces::is_of,
    survey::{Feature, Shape, Survey},
};

/// A string of spaces.
#[derive(Debug, Clone)]
pub struct Road {
    /// Short name.
    pub id: String,
    /// Printed name.
    pub name: String,
    /// Kind of road.
    pub kind: String,
    /// From one end to the other.
    pub along: Vec<usize>,
    /// Where its course comes from.
    pub from: String,
}

/// A string of borders.
#[derive(Debug, Clone)]
pub struct Stream {
    /// Short name.
    pub id: String,
    /// Printed name.
    pub name: String,
    /// The feature that its borders have.
    pub is: String,
    /// From the spring to the mouth.
    pub along: Vec<(usize, usize)>,
    /// Where its course comes from.
    pub from: String,
}

/// Ends of the parts of a line that are nearer than this are one, in metres.
const JOINED: f64 = 30.0;
/// No survey of a battlefield says to so many metres where a road ends.
const STUB: f64 = 10.0;
/// A line that stays this near to a border follows it, in parts of the width of a space.
const FOLLOWS: f64 = 0.15;

/// Features of one name, with their lines joined where they share end points.
struct Course<'a> {
    name: &'a str,
    lines: Vec<LineString>,
    from: &'static str,
}

fn courses<'a>(survey: &'a Survey, of: &Of, laid: &Laid) -> Vec<Course<'a>> {
    let mut named: Vec<(&str, Vec<&Feature>)> = Vec::new();
    for feature in survey.features.iter().filter(|f| is_of(f, of)) {
        match named.iter_mut().find(|(name, _)| *name == feature.name) {
            Some((_, parts)) => parts.push(feature),
            None => named.push((&feature.name, vec![feature])),
        }
    }
    let course = |(name, parts): (&'a str, Vec<&Feature>)| {
        let lines = parts.iter().flat_map(|f| lines_of(f).iter().cloned()).collect();
        // What somebody drew from memory is no survey.
        let is_on_board = |f: &&&Feature| lines_of(f).iter().any(|l| laid.runs(l).iter().any(|r| r.plot.is_some()));
        let is_drawn = |f: &&Feature| f.property("provenance").as_deref() == Some("knowledge");
        let from = if parts.iter().filter(is_on_board).all(is_drawn) { "reconstructed" } else { "survey" };
        Course { name, lines: joined(lines), from }
    };
    named.into_iter().map(course).collect()
}

fn lines_of(feature: &Feature) -> &[LineString] {
    match &feature.shape {
        Shape::Lines(lines) => lines,
        Shape::Point(_) | Shape::Polygons(_) => &[],
    }
}

/// Parts that share end points, as single lines in the direction of the earliest of them.
fn joined(mut lines: Vec<LineString>) -> Vec<LineString> {
    let near = |a: Coord, b: Coord| Euclidean.distance(a, b) < JOINED;
    let mut at = 0;
    while at < lines.len() {
        let mut grown = false;
        for other in at + 1..lines.len() {
            let ends = |l: &LineString| Some((*l.0.first()?, *l.0.last()?));
            let (Some((first, last)), Some((start, end))) = (ends(&lines[at]), ends(&lines[other])) else { continue };
            let mut tail = lines[other].0.clone();
            if near(last, start) {
                lines[at].0.append(&mut tail);
            } else if near(last, end) {
                tail.reverse();
                lines[at].0.append(&mut tail);
            } else if near(first, end) {
                tail.append(&mut lines[at].0);
                lines[at].0 = tail;
            } else if near(first, start) {
                tail.reverse();
                tail.append(&mut lines[at].0);
                lines[at].0 = tail;
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

/// Sides that touch, each by its two ends, as one line of corners.
pub(crate) fn line_of(sides: &[[(f64, f64); 2]]) -> Vec<(f64, f64)> {
    let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() + (a.1 - b.1).abs() < 0.1;
    let mut places: Vec<(f64, f64)> = Vec::new();
    for (at, [p, q]) in sides.iter().enumerate() {
        match places.last() {
            None => {
                let turned = sides.get(at + 1).is_some_and(|[r, s]| near(*p, *r) || near(*p, *s));
                places.extend(if turned { [*q, *p] } else { [*p, *q] });
            }
            Some(last) => {
                let next = if near(*last, *p) { *q } else { *p };
                places.push(next);
            }
        }
    }
    places
}

/// A short name made of a printed one.
fn short(name: &str) -> String {
    let kept: String = name
        .chars()
        .filter(|c| !matches!(c, '\'' | '.' | '(' | ')' | '&' | ','))
        .map(|c| if c == ' ' || c == '/' { '-' } else { c.to_ascii_lowercase() })
        .collect();
    kept.replace("--", "-")
}

fn numbered(id: &str, at: usize) -> String {
    if at == 0 { id.to_owned() } else { format!("{id}-{}", at + 1) }
}

/// Every road of the survey as strings of spaces.
pub fn roads(plan: &Plan, laid: &Laid, survey: &Survey) -> Vec<Road> {
    let (mut roads, mut stubs) = (Vec::new(), Vec::new());
    for of in &plan.roads {
        for course in courses(survey, of, laid) {
            let strings = course.lines.iter().flat_map(|line| strings(laid, line, plan.clip));
            for (at, string) in strings.filter(|s| s.along.len() > 1).enumerate() {
                let (id, name) = (numbered(&short(course.name), at), course.name.to_owned());
                let (kind, from) = (of.name.clone(), course.from.into());
                roads.push(Road { id, name, kind, along: string.along, from });
                stubs.push(string.stubs);
            }
        }
    }
    for (at, (first, last)) in stubs.into_iter().enumerate() {
        let others = |space: usize| roads.iter().enumerate().any(|(o, r)| o != at && r.along.contains(&space));
        // A stub is kept where only it joins the road to another.
        let is_needless = |stub: usize, next: usize| !others(stub) || others(next);
        let along = &roads[at].along;
        let count = along.len();
        let last = last && count > 2 && is_needless(along[count - 1], along[count - 2]);
        let first = first && count > 2 && is_needless(along[0], along[1]);
        let along = &mut roads[at].along;
        if last {
            along.pop();
        }
        if first && along.len() > 2 {
            along.remove(0);
        }
    }
    roads
}

/// A string of spaces, and whether its first and its last are stubs: the line begins or ends in them, [`STUB`] long.
struct Strung {
    along: Vec<usize>,
    stubs: (bool, bool),
}

/// The spaces a line runs through, corner clips left out; several strings where it leaves the board between.
fn strings(laid: &Laid, line: &LineString, clip: f64) -> Vec<Strung> {
    let mut runs = laid.runs(line);
    loop {
        let clipped = (1..runs.len().saturating_sub(1)).find(|at| {
            let (before, here, after) = (runs[at - 1], runs[*at], runs[at + 1]);
            let (Some(a), Some(b)) = (before.plot, after.plot) else { return false };
            a == b || here.length < clip && laid.are_adjacent(a, b)
        });
        let Some(at) = clipped else { break };
        runs.remove(at);
        if runs[at - 1].plot == runs[at].plot {
            let length = runs.remove(at).length;
            runs[at - 1].length += length;
        }
    }
    let new = || Strung { along: Vec::new(), stubs: (false, false) };
    let mut strings = vec![new()];
    for (at, run) in runs.iter().enumerate() {
        let Some(plot) = run.plot else {
            strings.push(new());
            continue;
        };
        // From corner to corner, where no side is shared: two strings.
        if at > 0 && runs[at - 1].plot.is_some_and(|before| !laid.are_adjacent(before, plot)) {
            strings.push(new());
        }
        if let Some(last) = strings.last_mut() {
            last.along.push(plot);
            last.stubs.0 |= at == 0 && run.length < STUB;
            last.stubs.1 |= at + 1 == runs.len() && run.length < STUB;
        }
    }
    strings
}

/// What the survey says of borders.
#[derive(Debug, Default)]
pub struct Borders {
    /// Features that hold both ways, by pair, the earlier space first.
    pub between: BTreeMap<(usize, usize), Vec<String>>,
    /// Features that hold on the way up only, by the lower and the higher space.
    pub up: BTreeMap<(usize, usize), Vec<String>>,
    /// Streams.
    pub streams: Vec<Stream>,
}

/// What the survey says of borders. Roads must be there already: bridges stand where they cross streams.
pub fn borders(plan: &Plan, laid: &Laid, survey: &Survey, roads: &[Road]) -> Borders {
    let mut borders = Borders::default();
    for row in &plan.features {
        match row.across {
            Across::Stated => (),
            Across::Between if row.is_stream => streams(plan, laid, survey, row, &mut borders),
            Across::Between => {
                for course in courses(survey, &row.of, laid) {
                    for pair in laid.pairs.iter().filter(|p| crossings(laid, **p, &course.lines).len() % 2 == 1) {
                        put(&mut borders.between, *pair, &row.of.name);
                    }
                }
            }
            Across::Uphill => {
                let lines = lines(survey, &row.of);
                for (a, b) in laid.pairs.iter().copied() {
                    let lefts: i32 = crossings(laid, (a, b), &lines).into_iter().map(|l| if l { 1 } else { -1 }).sum();
                    if lefts != 0 {
                        put(&mut borders.up, if lefts > 0 { (a, b) } else { (b, a) }, &row.of.name);
                    }
                }
            }
            Across::Along => {
                let lines = lines(survey, &row.of);
                for (pair, pieces) in laid.pairs.iter().zip(&laid.shared) {
                    if follows(pieces, &lines, FOLLOWS * laid.width) {
                        put(&mut borders.between, *pair, &row.of.name);
                    }
                }
            }
            Across::Crossing => crossed(laid, survey, &row.of, roads, &mut borders),
        }
    }
    borders
}

fn put(into: &mut BTreeMap<(usize, usize), Vec<String>>, pair: (usize, usize), name: &str) {
    let list = into.entry(pair).or_default();
    if !list.iter().any(|n| n == name) {
        list.push(name.to_owned());
    }
}

fn lines(survey: &Survey, of: &Of) -> Vec<LineString> {
    survey.features.iter().filter(|f| is_of(f, of)).flat_map(|f| lines_of(f).iter().cloned()).collect()
}

/// Where the way between two centers crosses lines: whether the second center lies to the left there.
fn crossings(laid: &Laid, (a, b): (usize, usize), lines: &[LineString]) -> Vec<bool> {
    // Between two zones there is no ground.
    if laid.plots[a].shape.is_none() && laid.plots[b].shape.is_none() {
        return Vec::new();
    }
    let (from, to) = (laid.plots[a].center, laid.plots[b].center);
    let side = |p: Coord, q: Coord, r: Coord| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) > 0.0;
    let mut found = Vec::new();
    for Line { start, end } in lines.iter().flat_map(LineString::lines) {
        let is_apart = side(start, end, from) != side(start, end, to);
        if is_apart && side(from, to, start) != side(from, to, end) {
            found.push(side(start, end, to));
        }
    }
    found
}

fn follows(pieces: &[Line], lines: &[LineString], near: f64) -> bool {
    let is_near = |p: &&Line| {
        let middle = geo::Point((p.start + p.end) / 2.0);
        lines.iter().any(|l| Euclidean.distance(&middle, l) < near)
    };
    !pieces.is_empty() && pieces.iter().filter(is_near).count() * 2 > pieces.len()
}

/// Streams as chains of sides: those whose centers a stream parts, an odd number of times.
fn streams(plan: &Plan, laid: &Laid, survey: &Survey, row: &BorderFeature, borders: &mut Borders) {
    for course in courses(survey, &row.of, laid) {
        let mut sides: Vec<(usize, usize)> =
            laid.pairs.iter().copied().filter(|p| crossings(laid, *p, &course.lines).len() % 2 == 1).collect();
        let mut number = 0;
        for line in &course.lines {
            while let Some(along) = chain(plan, laid, line, &mut sides) {
                let (id, name) = (numbered(&short(course.name), number), course.name.to_owned());
                let (is, from) = (row.of.name.clone(), course.from.to_owned());
                borders.streams.push(Stream { id, name, is, along, from });
                number += 1;
            }
        }
    }
}

/// A corner of the grid, in fine steps.
type Corner = (i32, i32);

fn corners(plan: &Plan, laid: &Laid, side: (usize, usize)) -> Vec<Corner> {
    let all = |at: usize| {
        let point = laid.plots[at].point;
        let fine = move |(x, y): &(i32, i32)| (point.x * Grid::FINE + x, point.y * Grid::FINE + y);
        plan.grid.corners().iter().map(fine).collect::<Vec<_>>()
    };
    let other = all(side.1);
    all(side.0).into_iter().filter(|c| other.contains(c)).collect()
}

/// Takes the next chain of sides out of those of a stream, in the order in which the line passes them.
fn chain(plan: &Plan, laid: &Laid, line: &LineString, sides: &mut Vec<(usize, usize)>) -> Option<Vec<(usize, usize)>> {
    // How far down the stream a side is: where the line is nearest to its middle.
    let down = |side: &(usize, usize)| {
        let middle = (laid.plots[side.0].center + laid.plots[side.1].center) / 2.0;
        geo::LineLocatePoint::line_locate_point(line, &geo::Point(middle)).unwrap_or(0.0)
    };
    let ends = |sides: &[(usize, usize)], side: (usize, usize)| {
        let count = |c: &Corner| sides.iter().filter(|s| corners(plan, laid, **s).contains(c)).count();
        corners(plan, laid, side).iter().filter(|c| count(c) == 1).count()
    };
    // It springs at a side with a loose end, or anywhere on a ring.
    let loose = sides.iter().copied().filter(|s| ends(sides, *s) > 0);
    let first = loose.min_by(|a, b| down(a).total_cmp(&down(b)));
    let first = first.or_else(|| sides.iter().copied().min_by(|a, b| down(a).total_cmp(&down(b))))?;
    let start = corners(plan, laid, first);
    let count = |c: &Corner| sides.iter().filter(|s| corners(plan, laid, **s).contains(c)).count();
    let mut at = *start.iter().max_by_key(|c| count(c))?;
    sides.retain(|s| *s != first);
    let mut along = vec![first];
    while let Some(next) = sides
        .iter()
        .copied()
        .filter(|s| corners(plan, laid, *s).contains(&at))
        .min_by(|a, b| down(a).total_cmp(&down(b)))
    {
        at = corners(plan, laid, next).into_iter().find(|c| *c != at)?;
        sides.retain(|s| *s != next);
        along.push(next);
    }
    // The line says which way the water runs.
    if down(&along[0]) > down(&along[along.len() - 1]) {
        along.reverse();
    }
    Some(along)
}

/// Bridges and fords: points of the survey where a road of the map crosses one of its streams.
fn crossed(laid: &Laid, survey: &Survey, of: &Of, roads: &[Road], borders: &mut Borders) {
    for feature in survey.features.iter().filter(|f| is_of(f, of)) {
        let (Shape::Point(at), Some(road), Some(stream)) =
            (&feature.shape, feature.property("road"), feature.property("stream"))
        else {
            continue;
        };
        let steps = roads.iter().filter(|r| r.name == road).flat_map(|r| r.along.windows(2));
        let sides: Vec<(usize, usize)> =
            borders.streams.iter().filter(|s| s.name == stream).flat_map(|s| s.along.iter().copied()).collect();
        let far = |pair: &(usize, usize)| {
            let middle = (laid.plots[pair.0].center + laid.plots[pair.1].center) / 2.0;
            Euclidean.distance(middle, *at)
        };
        let crossed = steps.map(|s| (s[0].min(s[1]), s[0].max(s[1]))).filter(|pair| sides.contains(pair));
        let nearest = crossed.min_by(|a, b| far(a).total_cmp(&far(b)));
        if let Some(pair) = nearest.filter(|pair| far(pair) < 1.5 * laid.width) {
            put(&mut borders.between, pair, &of.name);
        }
    }
}

//! Where things are on the sheet, in pixels from its upper left corner.

use std::{collections::BTreeSet, fmt::Write as _};

use countermarch_core::map::{Grid, Map, SpaceId};
use geo::{Coord, MultiPolygon, Polygon, unary_union};

use super::{Picture, badges, margin};
use crate::laid::Laid;

/// A place on the sheet.
pub(super) type Px = (f64, f64);

/// Space left around the board for the title and the legend.
const MARGIN: f64 = 28.0;
const TITLE: f64 = 54.0;
const LEGEND: f64 = 84.0;

/// How the map lies on the sheet.
pub(super) struct Frame {
    /// Pixels across one space.
    pub across: f64,
    /// The sheet.
    pub width: f64,
    pub height: f64,
    /// The spaces that are drawn.
    pub spaces: BTreeSet<SpaceId>,
    /// Their outlines, by space; empty for those without ground.
    outlines: Vec<Vec<Px>>,
    dots: Vec<Px>,
    /// Pixels of a half step, and the half step at the left edge and the top.
    step: Px,
    corner: Px,
    offset: Px,
    /// Left, top, right and bottom of the spaces that have ground.
    board: (f64, f64, f64, f64),
    /// Pixels that the board is high.
    high: f64,
    /// Pixels below it, for the legend.
    pub legend: f64,
}

impl Frame {
    pub fn new(picture: &Picture<'_>) -> Frame {
        let map = picture.map;
        let laid = picture.ground.and_then(|g| g.ground.as_ref()).map(|g| &g.laid);
        let spaces = picture.shown();
        let unit = match (&map.grid, laid) {
            (Grid::Area, Some(laid)) => 1.0 / laid.width,
            (Grid::Area, None) => 1.0 / area_width(map),
            _ => 1.0,
        };
        let stretch = map.grid.stretch();
        let step = (stretch.0 * picture.across * unit, stretch.1 * picture.across * unit);
        let outlines: Vec<Vec<Px>> = map.spaces().map(|s| outline(map, laid, s)).collect();
        let dots: Vec<Px> = map.spaces().map(|s| dot(map, laid, s)).collect();
        // What has no ground is drawn around its dot.
        let around = |(x, y): Px| {
            let (w, h) = (0.42 * picture.across / step.0, 0.25 * picture.across / step.1);
            vec![(x - w, y - h), (x + w, y + h)]
        };
        let all = || {
            spaces
                .iter()
                .map(|s| s.0 as usize)
                .flat_map(|s| if outlines[s].is_empty() { around(dots[s]) } else { outlines[s].clone() })
        };
        let (left, right) = all().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.0), b.max(p.0)));
        let (bottom, top) = all().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.1), b.max(p.1)));
        let (wide, high) = ((right - left) * step.0, (top - bottom) * step.1);
        let width = (wide + 2.0 * MARGIN).max(480.0);
        let offset = ((width - wide) / 2.0, TITLE);
        // What a ruleset has the board show besides takes more room below it.
        let legend = LEGEND + margin::more_room(picture, &spaces, wide);
        let tracks = badges::tracks_high(picture, wide);
        let mut frame = Frame {
            across: picture.across,
            width,
            height: high + TITLE + legend + tracks + MARGIN,
            spaces,
            outlines: Vec::new(),
            dots: Vec::new(),
            step,
            corner: (left, top),
            offset,
            board: (0.0, 0.0, 0.0, 0.0),
            high,
            legend,
        };
        frame.outlines = outlines.into_iter().map(|o| o.into_iter().map(|p| frame.px(p)).collect()).collect();
        frame.dots = dots.into_iter().map(|p| frame.px(p)).collect();
        let corners = frame.spaces.iter().flat_map(|s| &frame.outlines[s.0 as usize]);
        frame.board = corners.fold((f64::MAX, f64::MAX, f64::MIN, f64::MIN), |b, p| {
            (b.0.min(p.0), b.1.min(p.1), b.2.max(p.0), b.3.max(p.1))
        });
        frame
    }

    /// Half steps to pixels.
    pub fn px(&self, (x, y): Px) -> Px {
        ((x - self.corner.0) * self.step.0 + self.offset.0, (self.corner.1 - y) * self.step.1 + self.offset.1)
    }

    /// Metres on the ground to pixels.
    pub fn metres(&self, laid: &Laid, at: Coord) -> Px {
        self.px(laid.steps(at))
    }

    /// Pixels to metres on the ground.
    pub fn ground(&self, laid: &Laid, (x, y): Px) -> Coord {
        let step = |at: f64, offset: f64, step: f64| (at - offset) / step;
        let x = self.corner.0 + step(x, self.offset.0, self.step.0);
        laid.metres((x, self.corner.1 - step(y, self.offset.1, self.step.1)))
    }

    /// The part of the sheet that the board takes: left, top, width, height.
    pub fn sheet(&self) -> (f64, f64, f64, f64) {
        let (x, y) = self.offset;
        (x, y, self.width - 2.0 * x, self.high)
    }

    /// Left, top, right and bottom of the spaces that have ground.
    pub fn board(&self) -> (f64, f64, f64, f64) {
        self.board
    }

    /// The ground of a cut-out, joined; none of a whole board.
    pub fn cut_out(&self) -> Option<MultiPolygon> {
        let shape = |s: &SpaceId| Polygon::new(self.outlines[s.0 as usize].iter().copied().collect(), Vec::new());
        let shapes: Vec<Polygon> = self.spaces.iter().map(shape).collect();
        (self.spaces.len() < self.outlines.len()).then(|| unary_union(&shapes))
    }

    /// The parts of a line that lie within the board's rectangle.
    pub fn on_board(&self, points: &[Px]) -> Vec<Vec<Px>> {
        let (left, top, right, bottom) = self.board;
        let is_on = |p: &Px| p.0 >= left && p.0 <= right && p.1 >= top && p.1 <= bottom;
        let mut parts = vec![Vec::new()];
        for pair in points.windows(2) {
            // In short pieces, so that the cut is near the edge.
            let pieces = ((pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1) / 8.0).ceil().max(1.0) as usize;
            for piece in 0..pieces {
                let t = piece as f64 / pieces as f64;
                let at = (pair[0].0 + (pair[1].0 - pair[0].0) * t, pair[0].1 + (pair[1].1 - pair[0].1) * t);
                match (is_on(&at), parts.last_mut()) {
                    (true, Some(part)) => part.push(at),
                    (false, Some(part)) if !part.is_empty() => parts.push(Vec::new()),
                    _ => (),
                }
            }
        }
        parts.retain(|part| part.len() > 1);
        parts
    }

    pub fn shows(&self, space: SpaceId) -> bool {
        self.spaces.contains(&space)
    }

    pub fn dot(&self, space: SpaceId) -> Px {
        self.dots[space.0 as usize]
    }

    pub fn outline(&self, space: SpaceId) -> Vec<Px> {
        self.outlines[space.0 as usize].clone()
    }

    /// All spaces that are drawn, as one path.
    pub fn board_path(&self) -> String {
        self.spaces.iter().map(|s| path(&self.outlines[s.0 as usize])).collect()
    }
}

/// A closed path.
pub(super) fn path(points: &[Px]) -> String {
    let mut out = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        let _ = write!(out, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
    }
    if !out.is_empty() {
        out.push('Z');
    }
    out
}

/// An open path.
pub(super) fn line(points: &[Px]) -> String {
    let mut out = path(points);
    out.pop();
    out
}

/// An open path with its corners rounded: through the middles between points, bent towards each.
pub(super) fn curve(points: &[Px]) -> String {
    let [first, .., last] = points else { return String::new() };
    let mut out = format!("M{:.1} {:.1}", first.0, first.1);
    for pair in points[1..].windows(2) {
        let (x, y) = pair[0];
        let (mx, my) = ((x + pair[1].0) / 2.0, (y + pair[1].1) / 2.0);
        let _ = write!(out, "Q{x:.1} {y:.1} {mx:.1} {my:.1}");
    }
    let _ = write!(out, "L{:.1} {:.1}", last.0, last.1);
    out
}

fn outline(map: &Map, laid: Option<&Laid>, space: SpaceId) -> Vec<Px> {
    let at = space.0 as usize;
    let cut = laid.filter(|laid| laid.plots.len() == map.len());
    if let Some(shape) = cut.and_then(|laid| laid.plots[at].shape.as_ref()) {
        let laid = cut.expect("it has a shape");
        let mut points: Vec<Px> = shape.exterior().0.iter().map(|c| laid.steps(*c)).collect();
        points.pop();
        return points;
    }
    let fine = f64::from(Grid::FINE);
    map.outline(space).iter().map(|p| (f64::from(p.x) / fine, f64::from(p.y) / fine)).collect()
}

fn dot(map: &Map, laid: Option<&Laid>, space: SpaceId) -> Px {
    if let Some(laid) = laid.filter(|laid| laid.plots.len() == map.len()) {
        return laid.steps(laid.plots[space.0 as usize].dot);
    }
    let center = map.space(space).center;
    (f64::from(center.x), f64::from(center.y))
}

/// The side of a square as large as the middle one of the areas.
fn area_width(map: &Map) -> f64 {
    use geo::Area;
    let shape = |s: SpaceId| {
        let points = map.space(s).shape.iter().map(|p| (f64::from(p.x), f64::from(p.y)));
        Polygon::new(points.collect(), Vec::new()).unsigned_area()
    };
    let mut areas: Vec<f64> = map.spaces().map(shape).filter(|a| *a > 0.0).collect();
    areas.sort_by(f64::total_cmp);
    areas.get(areas.len() / 2).copied().unwrap_or(1.0).sqrt()
}

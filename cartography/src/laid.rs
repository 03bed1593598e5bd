//! A grid on the ground: the polygon of every space, which lie beside which, and what a line runs through.

use countermarch_core::{
    diagnostic::{Diagnostics, Span, suggest},
    map::{Cell, Grid, Orientation, Point},
};
use geo::{
    Area, BooleanOps, BoundingRect, Centroid, Contains, Coord, Distance, Euclidean, Intersects, Line, LineString,
    MultiPolygon, Polygon, Rect,
};
use rstar::{AABB, RTree, RTreeObject};

use crate::{
    plan::{Lay, Plan},
    survey::{Feature, Shape, Survey},
};

/// One space on the ground.
#[derive(Debug, Clone)]
pub struct Plot {
    /// Its number.
    pub name: String,
    /// Where its dot is on the map.
    pub point: Point,
    /// Where the center of the whole space is, in metres.
    pub center: Coord,
    /// Where the center of its part on the board is.
    pub dot: Coord,
    /// Its part on the board; an off-map zone has none.
    pub shape: Option<Polygon>,
    /// Whether the edge of the board cuts it.
    pub is_cut: bool,
    /// What the file of areas says of it.
    pub own: Option<Feature>,
}

/// A grid on the ground.
#[derive(Debug)]
pub struct Laid {
    /// Spaces in the order of the grid.
    pub plots: Vec<Plot>,
    /// Spaces that share a side, the earlier first.
    pub pairs: Vec<(usize, usize)>,
    /// For areas, by pair: the pieces of their common border.
    pub shared: Vec<Vec<Line>>,
    /// Areas that meet at a point, the earlier first, where the grid makes borders of them.
    pub corners: Vec<(usize, usize)>,
    /// From a center to the next, in metres; for areas, the side of a square as large as the middle one.
    pub width: f64,
    tree: RTree<Envelope>,
    placing: Option<Placing>,
}

#[derive(Debug)]
struct Envelope {
    at: usize,
    corners: AABB<[f64; 2]>,
}

impl RTreeObject for Envelope {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        self.corners
    }
}

fn envelope(rect: Rect) -> AABB<[f64; 2]> {
    AABB::from_corners([rect.min().x, rect.min().y], [rect.max().x, rect.max().y])
}

/// A stretch of a line within one space, or off the board.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// The space.
    pub plot: Option<usize>,
    /// Its length in metres.
    pub length: f64,
}

/// Pieces of a common border of areas are measured this finely, and may lie this far apart, in metres.
const PIECE: f64 = 10.0;
const APART: f64 = 0.5;

/// Shorter pieces lie in the seams between polygons, in metres.
const SLIVER: f64 = 0.01;

impl Laid {
    /// Lays a regular grid. `None` when the space that is placed is none of it.
    pub fn regular(plan: &Plan, found: &mut Diagnostics) -> Option<Laid> {
        let Lay::Regular { anchor: (anchor, span), at, width, turned, is_cut } = &plan.lay else { return None };
        let cells = plan.grid.cells();
        let Some(zero) = cells.iter().find(|c| c.name == *anchor).map(|c| c.center) else {
            let help = suggest(anchor, cells.iter().map(|c| c.name.as_str()));
            found.error("unknown-space", span, format!("the grid has no space `{anchor}`"), help);
            return None;
        };
        let ground = Placing { zero, at: *at, width: *width, turned: *turned, stretch: plan.grid.stretch() };
        let board = is_cut.then(|| board(&plan.grid, &cells, &ground));
        let plots: Vec<Plot> = cells.iter().map(|cell| plot(&plan.grid, cell, &ground, board.as_ref())).collect();
        let pairs = plan.grid.adjacent(&cells).into_iter().filter(|(a, b)| a < b).collect();
        Some(Laid { placing: Some(ground), ..Laid::new(plots, pairs, Vec::new(), *width) })
    }

    /// Takes areas as a file draws them.
    pub fn areas(plan: &Plan, outlines: &Survey, found: &mut Diagnostics) -> Option<Laid> {
        let Lay::Areas { file, number, name, shared, corners, zones } = &plan.lay else { return None };
        let mut plots = Vec::new();
        for feature in &outlines.features {
            let at = feature.property(number).unwrap_or_default();
            let Shape::Polygons(MultiPolygon(parts)) = &feature.shape else {
                let message = format!("area `{at}` is no polygon");
                found.error("areas", &Span::file(file), message, "draw every area as one polygon");
                continue;
            };
            let [shape] = &parts[..] else {
                let message = format!("area `{at}` is in {} parts", parts.len());
                found.error("areas", &Span::file(file), message, "draw every area as one polygon");
                continue;
            };
            if at.is_empty() {
                let help = "every area needs its number; say which property holds it with `areas: { number: ... }`";
                found.error("areas", &Span::file(file), format!("an area has no `{number}`"), help);
                continue;
            }
            let dot = match shape.centroid() {
                Some(middle) if shape.contains(&middle) => middle.0,
                _ => geo::InteriorPoint::interior_point(shape).map_or(Coord { x: 0.0, y: 0.0 }, |p| p.0),
            };
            let mut own = feature.clone();
            own.name = feature.property(name).unwrap_or_default();
            let shape = Some(shape.clone());
            plots.push(Plot { name: at, point: metre(dot), center: dot, dot, shape, is_cut: false, own: Some(own) });
        }
        let mut areas: Vec<f64> = plots.iter().filter_map(|p| p.shape.as_ref()).map(Area::unsigned_area).collect();
        areas.sort_by(f64::total_cmp);
        let width = areas.get(areas.len() / 2).copied().unwrap_or(1.0).sqrt();
        let (mut pairs, mut borders, mut points) = beside(&plots, *shared);
        points.retain(|_| corners.is_some());
        let middle = middle_of(&plots);
        for zone in zones {
            let mut touched = Vec::new();
            for node in &zone.touches {
                let area = node.as_text(found);
                match plots.iter().position(|p| p.name == area) {
                    Some(at) => touched.push(at),
                    None => {
                        let help = suggest(&area, plots.iter().map(|p| p.name.as_str()));
                        found.error("unknown-space", &node.span, format!("there is no area `{area}`"), help);
                    }
                }
            }
            // A zone is drawn outside, beyond the middle of the areas it touches.
            let areas: Vec<Coord> =
                touched.iter().map(|at| &plots[*at]).filter(|p| p.shape.is_some()).map(|p| p.dot).collect();
            let count = areas.len().max(1) as f64;
            let sum = areas.into_iter().fold(Coord { x: 0.0, y: 0.0 }, |a, b| a + b);
            let center = beyond(&plots, middle, sum / count, width);
            let (name, point) = (zone.at.clone(), metre(center));
            pairs.extend(touched.iter().map(|at| (*at, plots.len())));
            borders.extend(touched.iter().map(|_| Vec::new()));
            plots.push(Plot { name, point, center, dot: center, shape: None, is_cut: false, own: None });
        }
        Some(Laid { corners: points, ..Laid::new(plots, pairs, borders, width) })
    }

    fn new(plots: Vec<Plot>, pairs: Vec<(usize, usize)>, shared: Vec<Vec<Line>>, width: f64) -> Laid {
        let envelopes = plots.iter().enumerate().filter_map(|(at, plot)| {
            let rect = plot.shape.as_ref()?.bounding_rect()?;
            Some(Envelope { at, corners: envelope(rect) })
        });
        let tree = RTree::bulk_load(envelopes.collect());
        Laid { plots, pairs, shared, corners: Vec::new(), width, tree, placing: None }
    }

    /// From metres to half steps of the grid, as the map counts them; areas count in metres.
    pub fn steps(&self, at: Coord) -> (f64, f64) {
        self.placing.as_ref().map_or((at.x, at.y), |placing| placing.steps(at))
    }

    /// From half steps of the grid to metres.
    pub fn metres(&self, (x, y): (f64, f64)) -> Coord {
        self.placing.as_ref().map_or(Coord { x, y }, |placing| placing.place(x, y))
    }

    /// How far the north of the map is turned clockwise from that of the ground, in degrees.
    pub fn turned(&self) -> f64 {
        self.placing.as_ref().map_or(0.0, |placing| placing.turned)
    }

    /// The space of that number.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.plots.iter().position(|p| p.name == name)
    }

    /// Whether two spaces share a side.
    pub fn are_adjacent(&self, a: usize, b: usize) -> bool {
        self.pairs.contains(&(a.min(b), a.max(b)))
    }

    /// Spaces whose surroundings meet a rectangle, in the order of the grid.
    pub fn around(&self, rect: Rect) -> Vec<usize> {
        let mut found: Vec<usize> = self.tree.locate_in_envelope_intersecting(&envelope(rect)).map(|e| e.at).collect();
        found.sort_unstable();
        found
    }

    /// The space a point lies in, the earlier one on a border; none off the board.
    pub fn at(&self, place: Coord) -> Option<usize> {
        self.around(Rect::new(place, place))
            .into_iter()
            .find(|at| self.plots[*at].shape.as_ref().is_some_and(|shape| shape.intersects(&place)))
    }

    /// What a line runs through, from its beginning; neighbouring runs are in different spaces.
    pub fn runs(&self, line: &LineString) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for part in line.lines() {
            for (length, middle) in self.cut(part) {
                let plot = self.at(middle);
                match runs.last_mut() {
                    Some(last) if last.plot == plot => last.length += length,
                    _ => runs.push(Run { plot, length }),
                }
            }
        }
        runs
    }

    /// A straight line cut at every side it crosses: the length and the middle of each piece.
    fn cut(&self, line: Line) -> Vec<(f64, Coord)> {
        let mut cuts = vec![0.0, 1.0];
        for at in self.around(line.bounding_rect()) {
            for side in self.plots[at].shape.iter().flat_map(|s| s.exterior().lines()) {
                cuts.extend(crossing(line, side));
            }
        }
        cuts.sort_by(f64::total_cmp);
        let length = Euclidean.distance(line.start_point(), line.end_point());
        let pieces = cuts.windows(2).filter(|pair| (pair[1] - pair[0]) * length > SLIVER);
        pieces.map(|p| ((p[1] - p[0]) * length, line.start + line.delta() * ((p[0] + p[1]) / 2.0))).collect()
    }

    /// The share of a space that polygons cover.
    pub fn share(&self, at: usize, cover: &MultiPolygon) -> f64 {
        let Some(shape) = &self.plots[at].shape else { return 0.0 };
        let Some(rect) = shape.bounding_rect() else { return 0.0 };
        let near: Vec<Polygon> =
            cover.iter().filter(|p| p.bounding_rect().is_some_and(|r| r.intersects(&rect))).cloned().collect();
        if near.is_empty() {
            return 0.0;
        }
        MultiPolygon(vec![shape.clone()]).intersection(&MultiPolygon(near)).unsigned_area() / shape.unsigned_area()
    }
}

/// How points of the map lie on the ground.
#[derive(Debug)]
struct Placing {
    zero: Point,
    at: Coord,
    width: f64,
    turned: f64,
    stretch: (f64, f64),
}

impl Placing {
    /// Half steps from the zero, to metres.
    fn place(&self, x: f64, y: f64) -> Coord {
        let (sin, cos) = self.turned.to_radians().sin_cos();
        let (x, y) = ((x - f64::from(self.zero.x)) * self.stretch.0, (y - f64::from(self.zero.y)) * self.stretch.1);
        self.at + Coord { x: x * cos + y * sin, y: y * cos - x * sin } * self.width
    }

    /// Metres, to half steps.
    fn steps(&self, at: Coord) -> (f64, f64) {
        let (sin, cos) = self.turned.to_radians().sin_cos();
        let from = (at - self.at) / self.width;
        let (x, y) = (from.x * cos - from.y * sin, from.x * sin + from.y * cos);
        (x / self.stretch.0 + f64::from(self.zero.x), y / self.stretch.1 + f64::from(self.zero.y))
    }

    fn center(&self, point: Point) -> Coord {
        self.place(f64::from(point.x), f64::from(point.y))
    }
}

/// The board inside straight edges through the dots of its outermost spaces.
fn board(grid: &Grid, cells: &[Cell], ground: &Placing) -> Polygon {
    let is_flat = matches!(grid, Grid::Hex(hexes) if hexes.orientation == Orientation::Flat);
    let ends = |of: fn(&Point) -> i32| {
        let all = || cells.iter().map(|c| of(&c.center));
        (f64::from(all().min().unwrap_or(0)), f64::from(all().max().unwrap_or(0)))
    };
    let (mut east, mut north) = (ends(|p| p.x), ends(|p| p.y));
    // Lines of spaces are cut at their ends; beside the first and the last line nothing is.
    let wide = if is_flat { &mut east } else { &mut north };
    *wide = (wide.0 - 1.0, wide.1 + 1.0);
    let corners = [(east.0, north.0), (east.1, north.0), (east.1, north.1), (east.0, north.1)];
    Polygon::new(corners.iter().map(|(x, y)| ground.place(*x, *y)).collect(), Vec::new())
}

fn plot(grid: &Grid, cell: &Cell, ground: &Placing, board: Option<&Polygon>) -> Plot {
    let (x, y) = (f64::from(cell.center.x), f64::from(cell.center.y));
    let fine = f64::from(Grid::FINE);
    let corners =
        grid.corners().iter().map(|(dx, dy)| ground.place(x + f64::from(*dx) / fine, y + f64::from(*dy) / fine));
    let whole = Polygon::new(LineString::new(corners.collect()), Vec::new());
    let center = ground.center(cell.center);
    let part = board.map(|board| whole.intersection(board)).and_then(|MultiPolygon(mut parts)| parts.pop());
    let part = part.filter(|part| part.unsigned_area() < 0.99 * whole.unsigned_area());
    let is_cut = part.is_some();
    let shape = part.unwrap_or(whole);
    let dot = if is_cut { shape.centroid().map_or(center, |p| p.0) } else { center };
    Plot { name: cell.name.clone(), point: cell.center, center, dot, shape: Some(shape), is_cut, own: None }
}

/// Pairs of spaces.
type Pairs = Vec<(usize, usize)>;

/// Pairs of areas with the pieces of their common border, where those are long enough together, and pairs of those that
/// touch and have no such border.
fn beside(plots: &[Plot], least: f64) -> (Pairs, Vec<Vec<Line>>, Pairs) {
    let (mut pairs, mut borders, mut points) = (Vec::new(), Vec::new(), Vec::new());
    for (a, one) in plots.iter().enumerate() {
        for (b, other) in plots.iter().enumerate().skip(a + 1) {
            let (Some(one), Some(other)) = (&one.shape, &other.shape) else { continue };
            let (Some(r), Some(s)) = (one.bounding_rect(), other.bounding_rect()) else { continue };
            if !r.intersects(&s) {
                continue;
            }
            let rim = other.exterior();
            let pieces: Vec<Line> = one
                .exterior()
                .lines()
                .flat_map(pieces)
                .filter(|piece| Euclidean.distance(&geo::Point((piece.start + piece.end) / 2.0), rim) < APART)
                .collect();
            let length: f64 = pieces.iter().map(|p| Euclidean.distance(p.start, p.end)).sum();
            if length >= least {
                pairs.push((a, b));
                borders.push(pieces);
            } else if Euclidean.distance(one, other) < APART {
                points.push((a, b));
            }
        }
    }
    (pairs, borders, points)
}

fn pieces(line: Line) -> impl Iterator<Item = Line> {
    let count = (Euclidean.distance(line.start, line.end) / PIECE).ceil().max(1.0) as usize;
    (0..count).map(move |at| {
        let place = |at: usize| line.start + line.delta() * (at as f64 / count as f64);
        Line::new(place(at), place(at + 1))
    })
}

fn middle_of(plots: &[Plot]) -> Coord {
    let rects = plots.iter().filter_map(|p| p.shape.as_ref()?.bounding_rect());
    let all = rects.reduce(|a, b| {
        Rect::new(
            Coord { x: a.min().x.min(b.min().x), y: a.min().y.min(b.min().y) },
            Coord { x: a.max().x.max(b.max().x), y: a.max().y.max(b.max().y) },
        )
    });
    all.map_or(Coord { x: 0.0, y: 0.0 }, |r| r.center())
}

/// A place off the board, straight out from the nearest edge.
fn beyond(plots: &[Plot], middle: Coord, from: Coord, width: f64) -> Coord {
    let rects: Vec<Rect> = plots.iter().filter_map(|p| p.shape.as_ref()?.bounding_rect()).collect();
    let (west, east) = rects.iter().fold((f64::MAX, f64::MIN), |(a, b), r| (a.min(r.min().x), b.max(r.max().x)));
    let (south, north) = rects.iter().fold((f64::MAX, f64::MIN), |(a, b), r| (a.min(r.min().y), b.max(r.max().y)));
    let out = width / 2.0;
    let ways = [
        (from.x - west, Coord { x: west - out, y: from.y }),
        (east - from.x, Coord { x: east + out, y: from.y }),
        (from.y - south, Coord { x: from.x, y: south - out }),
        (north - from.y, Coord { x: from.x, y: north + out }),
    ];
    ways.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(middle, |(_, place)| place)
}

fn metre(place: Coord) -> Point {
    Point { x: place.x.round() as i32, y: place.y.round() as i32 }
}

/// Where a side crosses a line, as a share of the line.
fn crossing(line: Line, side: Line) -> Option<f64> {
    let (d, s) = (line.delta(), side.delta());
    let whole = d.x * s.y - d.y * s.x;
    if whole == 0.0 {
        return None;
    }
    let from = side.start - line.start;
    let (t, u) = ((from.x * s.y - from.y * s.x) / whole, (from.x * d.y - from.y * d.x) / whole);
    ((0.0..=1.0).contains(&t) && (-1e-9..=1.0 + 1e-9).contains(&u)).then_some(t)
}

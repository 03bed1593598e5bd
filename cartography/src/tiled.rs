//! Tiled, the map editor people use: a map as a Tiled file (TMJ) to paint on, and back.
//!
//! ```text
//! terrains           a tile layer each           names, levels, elevations, numbers   points of layer `spaces`
//! roads              lines through centers       streams, features of borders         lines along sides
//! entries, places    points                      all else of the map file             kept word for word
//! ```
//!
//! Whoever draws in Tiled need not be exact: a point belongs to the space it is nearest to, a line through centers to
//! the spaces nearest to its corners, a line along sides to the sides nearest to the middles of its pieces.

mod export;
mod import;
mod tiles;

pub use export::{Tiled, export};
pub use import::import;

use countermarch_core::map::{Grid, Point};

/// Lists of a map file that become layers; all else is kept as it is written.
const LISTS: [&str; 6] = ["spaces", "borders", "streams", "roads", "entries", "places"];

/// How the cells of a map lie in Tiled: columns and rows, and pixels.
#[derive(Debug, Clone, Copy)]
struct Sheet {
    shape: Cells,
    /// The least east and the greatest north of all dots, in half steps.
    corner: Point,
    columns: i32,
    rows: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cells {
    /// Rows are straight; those of this parity, counted from the top, lie half a cell to the right.
    Pointy {
        shifted: i32,
    },
    /// Columns are straight; those of this parity lie half a cell down.
    Flat {
        shifted: i32,
    },
    Square,
    /// Areas have no cells; pixels to a metre.
    Area,
}

/// Pixels across a cell, over its height, and of a side that lies straight.
const WIDE: i32 = 64;
const HIGH: i32 = 74;
const SIDE: i32 = 38;
/// From one line of hexes to the next.
const LINE: i32 = (HIGH + SIDE) / 2;
/// Metres to a pixel, where areas are drawn.
const METRES: f64 = 5.0;

impl Sheet {
    /// How cells with these dots lie, the outlines of areas among them.
    fn new(grid: &Grid, dots: &[Point], outlines: &[Point]) -> Sheet {
        let all = || dots.iter().chain(outlines);
        let corner = Point { x: all().map(|p| p.x).min().unwrap_or(0), y: all().map(|p| p.y).max().unwrap_or(0) };
        let parity = |of: &dyn Fn(&Point) -> i32, line: &dyn Fn(&Point) -> i32| {
            // A line whose first cell begins half a cell later: which parity do such lines have?
            dots.iter().find(|p| of(p) % 2 != 0).map_or(1, |p| line(p) % 2)
        };
        let shape = match grid {
            Grid::Area => Cells::Area,
            Grid::Square(_) => Cells::Square,
            grid if grid.is_flat() => Cells::Flat { shifted: parity(&|p| corner.y - p.y, &|p| p.x - corner.x) },
            Grid::Hex(_) | Grid::Axial { .. } => {
                Cells::Pointy { shifted: parity(&|p| p.x - corner.x, &|p| corner.y - p.y) }
            }
        };
        let mut sheet = Sheet { shape, corner, columns: 0, rows: 0 };
        let cells: Vec<(i32, i32)> = dots.iter().map(|p| sheet.cell(*p)).collect();
        sheet.columns = cells.iter().map(|c| c.0).max().unwrap_or(0) + 1;
        sheet.rows = cells.iter().map(|c| c.1).max().unwrap_or(0) + 1;
        if shape == Cells::Area {
            let far = all().map(|p| sheet.dot(*p)).fold((0.0, 0.0), |a: (f64, f64), p| (a.0.max(p.0), a.1.max(p.1)));
            (sheet.columns, sheet.rows) = ((far.0 / f64::from(WIDE)) as i32 + 1, (far.1 / f64::from(HIGH)) as i32 + 1);
        }
        sheet
    }

    /// Column and row of a dot.
    fn cell(&self, at: Point) -> (i32, i32) {
        let (x, y) = (at.x - self.corner.x, self.corner.y - at.y);
        match self.shape {
            Cells::Pointy { .. } => (x / 2, y),
            Cells::Flat { .. } => (x, y / 2),
            Cells::Square => (x / 2, y / 2),
            Cells::Area => (0, 0),
        }
    }

    /// Pixels of a place, in half steps.
    fn pixels(&self, x: f64, y: f64) -> (f64, f64) {
        let (x, y) = (x - f64::from(self.corner.x), f64::from(self.corner.y) - y);
        let half = f64::from(WIDE) / 2.0;
        match self.shape {
            Cells::Pointy { .. } => (x * half + half, y * f64::from(LINE) + f64::from(HIGH) / 2.0),
            Cells::Flat { .. } => (x * f64::from(LINE) + f64::from(HIGH) / 2.0, y * half + half),
            Cells::Square => (x * half + half, y * half + half),
            Cells::Area => (x / METRES, y / METRES),
        }
    }

    fn dot(&self, center: Point) -> (f64, f64) {
        self.pixels(f64::from(center.x), f64::from(center.y))
    }

    /// The ends of the side that two cells share; for areas, and squares that meet at a corner, a short piece between
    /// their dots.
    fn side(&self, grid: &Grid, a: Point, b: Point) -> [(f64, f64); 2] {
        let fine = f64::from(Grid::FINE);
        let corners = |p: Point| {
            let fine = (p.x * Grid::FINE, p.y * Grid::FINE);
            grid.corners().iter().map(|(x, y)| (fine.0 + x, fine.1 + y)).collect::<Vec<_>>()
        };
        let px = |p: &(i32, i32)| self.pixels(f64::from(p.0) / fine, f64::from(p.1) / fine);
        if self.shape != Cells::Area {
            let other = corners(b);
            let shared: Vec<(i32, i32)> = corners(a).into_iter().filter(|p| other.contains(p)).collect();
            if let [p, q] = &shared[..] {
                return [px(p), px(q)];
            }
        }
        let (p, q) = (self.dot(a), self.dot(b));
        let part = |t: f64| (p.0 + (q.0 - p.0) * t, p.1 + (q.1 - p.1) * t);
        [part(0.4), part(0.6)]
    }
}

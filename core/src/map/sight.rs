//! The straight line between two centers: which spaces it crosses, in whole numbers.
//!
//! What blocks a sight is for rulesets to say, in rows; the map says what lies on the line and where.

use std::cmp::Ordering;

use super::{Grid, Map, Point, SpaceId};

/// A stretch of a line between two centers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossed {
    /// The space it runs through.
    pub space: SpaceId,
    /// The space on the other side, where it runs along the border of two.
    pub beside: Option<SpaceId>,
    /// Where its middle is, in thousandths of the way.
    pub at: i32,
}

/// A place on a line, as a share of its length; the whole is positive.
///
/// Coordinates of a map stay below 2^24 (areas are read with 2^20), so both numbers stay below 2^52.
#[derive(Debug, Clone, Copy)]
struct Share {
    part: i64,
    whole: i64,
}

impl Share {
    const NONE: Share = Share { part: 0, whole: 1 };
    const ALL: Share = Share { part: 1, whole: 1 };

    /// Both numbers, wide enough to be multiplied with those of another.
    fn wide(self) -> (i128, i128) {
        (i128::from(self.part), i128::from(self.whole))
    }

    fn compare(self, other: Share) -> Ordering {
        let ((part, whole), (others, of)) = (self.wide(), other.wide());
        (part * of).cmp(&(others * whole))
    }

    /// The middle between two, in thousandths.
    fn middle(self, other: Share) -> i32 {
        let ((part, whole), (others, of)) = (self.wide(), other.wide());
        let (part, whole) = (part * of + others * whole, 2 * whole * of);
        ((2000 * part + whole) / (2 * whole)) as i32
    }
}

/// A stretch of a line inside a shape or along its rim.
struct Stretch {
    start: Share,
    end: Share,
    is_on_rim: bool,
}

struct Line {
    from: (i64, i64),
    step: (i64, i64),
}

impl Line {
    fn new(from: Point, to: Point) -> Line {
        let (from, to) = (exact(from), exact(to));
        Line { from, step: (to.0 - from.0, to.1 - from.1) }
    }

    /// The stretches of the line inside a shape or along its rim, in order. An empty list with `true` when it only touches
    /// the shape.
    fn within(&self, shape: &[Point]) -> (Vec<Stretch>, bool) {
        // Most shapes beside a line lie wholly on one side of it.
        let mut corners = shape.iter().map(|p| self.side(exact(*p)).signum());
        let first = corners.next().unwrap_or(0);
        if first != 0 && corners.all(|side| side == first) {
            return (Vec::new(), false);
        }
        let mut cuts = vec![Share::NONE, Share::ALL];
        let (mut crossings, mut along) = (Vec::new(), Vec::new());
        for (p, q) in sides(shape) {
            let (sp, sq) = (self.side(p), self.side(q));
            if (sp > 0 && sq > 0) || (sp < 0 && sq < 0) {
                continue;
            }
            if sp == 0 && sq == 0 {
                let mut ends = [self.share(p), self.share(q)];
                ends.sort_by(|a, b| a.compare(*b));
                cuts.extend(ends);
                along.push(ends);
                continue;
            }
            // Where the side meets the line, as a share of the line.
            let side = (q.0 - p.0, q.1 - p.1);
            let part = (p.0 - self.from.0) * side.1 - (p.1 - self.from.1) * side.0;
            let whole = self.step.0 * side.1 - self.step.1 * side.0;
            let meets = Share { part: part * whole.signum(), whole: whole.abs() };
            cuts.push(meets);
            // A corner on the line counts as one on its other side, so that two sides that meet there cross it once or
            // not at all.
            if (sp > 0) != (sq > 0) {
                crossings.push(meets);
            }
        }
        cuts.retain(|c| c.compare(Share::NONE) != Ordering::Less && c.compare(Share::ALL) != Ordering::Greater);
        let touches = cuts.len() > 2;
        cuts.sort_by(|a, b| a.compare(*b));
        cuts.dedup_by(|a, b| a.compare(*b) == Ordering::Equal);
        let stretches = cuts.windows(2).filter_map(|pair| {
            let (start, end) = (pair[0], pair[1]);
            let is_on_rim = along.iter().any(|[a, b]| a.compare(start).is_le() && b.compare(end).is_ge());
            // Inside is where the line still has to leave the shape once more than it enters it.
            let is_inside = || crossings.iter().filter(|c| c.compare(start).is_gt()).count() % 2 == 1;
            (is_on_rim || is_inside()).then_some(Stretch { start, end, is_on_rim })
        });
        (stretches.collect(), touches)
    }

    /// On which side of the line a point lies.
    fn side(&self, p: (i64, i64)) -> i64 {
        self.step.0 * (p.1 - self.from.1) - self.step.1 * (p.0 - self.from.0)
    }

    /// Where on the line a point of it lies.
    fn share(&self, p: (i64, i64)) -> Share {
        let part = (p.0 - self.from.0) * self.step.0 + (p.1 - self.from.1) * self.step.1;
        Share { part, whole: self.step.0 * self.step.0 + self.step.1 * self.step.1 }
    }
}

/// A point, wide enough for its coordinates to be multiplied.
fn exact(p: Point) -> (i64, i64) {
    (i64::from(p.x), i64::from(p.y))
}

fn sides(shape: &[Point]) -> impl Iterator<Item = ((i64, i64), (i64, i64))> + '_ {
    (0..shape.len()).map(move |at| (exact(shape[at]), exact(shape[(at + 1) % shape.len()])))
}

impl Map {
    /// The spaces that the straight line between two centers crosses, neither end among them, nearest first. Where
    /// the line runs along a border, both its spaces stand together; a corner that it only touches counts for nothing.
    pub fn line(&self, from: SpaceId, to: SpaceId) -> Vec<Crossed> {
        let fine = |s: SpaceId| {
            let p = self.space(s).center;
            Point { x: p.x * Grid::FINE, y: p.y * Grid::FINE }
        };
        if from == to {
            return Vec::new();
        }
        let line = Line::new(fine(from), fine(to));
        // One by one along the line: what it touches lies beside what it touched before.
        let (mut seen, mut next) = (vec![from], 0);
        let mut found: Vec<(SpaceId, Stretch)> = Vec::new();
        while let Some(space) = seen.get(next).copied() {
            next += 1;
            if space != from && space != to {
                let (stretches, touches) = line.within(&self.outline(space));
                if stretches.is_empty() && !touches {
                    continue;
                }
                found.extend(stretches.into_iter().map(|stretch| (space, stretch)));
            }
            for near in self.near(space) {
                if !seen.contains(&near) {
                    seen.push(near);
                }
            }
        }
        found.sort_by(|(one, a), (other, b)| a.start.compare(b.start).then(a.end.compare(b.end)).then(one.cmp(other)));
        let mut crossed: Vec<Crossed> = Vec::new();
        for (space, stretch) in found {
            let at = stretch.start.middle(stretch.end);
            match crossed.last_mut() {
                Some(last) if stretch.is_on_rim && last.at == at && last.beside.is_none() => last.beside = Some(space),
                _ => crossed.push(Crossed { space, beside: None, at }),
            }
        }
        crossed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostic::Diagnostics, map};

    fn check(grid: &str, from: &str, to: &str, expected: &str) {
        let mut found = Diagnostics::default();
        let node = crate::yaml::parse("tiny.yaml", &format!("map: tiny\n{grid}\n"), &mut found);
        let map = map::load(&node, &mut found).expect("a map");
        assert!(found.is_usable(), "{:?}", found.list);
        let at = |name: &str| map.find(name).expect("a space");
        let name = |s: SpaceId| map.space(s).name.clone();
        let line = map.line(at(from), at(to));
        let told: Vec<String> = line
            .iter()
            .map(|c| match c.beside {
                Some(beside) => format!("{}|{}@{}", name(c.space), name(beside), c.at),
                None => format!("{}@{}", name(c.space), c.at),
            })
            .collect();
        assert_eq!(told.join(" "), expected);
    }

    #[test]
    fn a_line_of_hexes_crosses_each_hex_between() {
        check("grid: { kind: axial, radius: 3 }", "-2:0", "1:0", "-1:0@333 0:0@667");
    }

    #[test]
    fn a_line_along_a_hexside_has_a_hex_on_either_side() {
        check("grid: { kind: axial, radius: 3 }", "0:0", "1:1", "1:0|0:1@500");
        check("grid: { kind: hex, orientation: flat, rows: 5, columns: 5 }", "3.02", "3.04", "2.03|3.03@500");
    }

    #[test]
    fn a_corner_that_is_only_touched_counts_for_nothing() {
        check("grid: { kind: square, rows: 4, columns: 4 }", "1.1", "3.3", "2.2@500");
        check("grid: { kind: square, rows: 4, columns: 4 }", "1.1", "3.2", "2.1@375 2.2@625");
    }

    #[test]
    fn an_area_that_bends_may_be_crossed_twice() {
        let areas = "grid: { kind: area }
spaces:
  - { at: a, center: [1, 1], shape: [[0, 0], [2, 0], [2, 4], [0, 4]] }
  - { at: b, center: [3, 3], shape: [[2, 0], [3, 0], [3, 2], [4, 2], [4, 0], [5, 0], [5, 4], [2, 4]] }
  - { at: c, center: [3, 1], shape: [[3, 0], [4, 0], [4, 2], [3, 2]] }
  - { at: d, center: [6, 1], shape: [[5, 0], [7, 0], [7, 4], [5, 4]] }
borders:
  - { between: [a, b] }
  - { between: [b, c] }
  - { between: [b, d] }";
        check(areas, "a", "d", "b@300 c@500 b@700");
    }
}

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
/// Coordinates of a map stay below 2^24 (areas are read with 2^20), so that nothing here passes 2^127.
#[derive(Debug, Clone, Copy)]
struct Share {
    part: i128,
    whole: i128,
}

impl Share {
    const NONE: Share = Share { part: 0, whole: 1 };
    const ALL: Share = Share { part: 1, whole: 1 };

    fn compare(self, other: Share) -> Ordering {
        (self.part * other.whole).cmp(&(other.part * self.whole))
    }

    fn between(self, other: Share) -> Share {
        Share { part: self.part * other.whole + other.part * self.whole, whole: 2 * self.whole * other.whole }
    }

    fn thousandths(self) -> i32 {
        ((2000 * self.part + self.whole) / (2 * self.whole)) as i32
    }
}

/// How a stretch of a line lies to a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lies {
    Inside,
    OnTheRim,
    Outside,
}

struct Line {
    from: (i128, i128),
    step: (i128, i128),
}

impl Line {
    fn new(from: Point, to: Point) -> Line {
        let wide = |p: Point| (i128::from(p.x), i128::from(p.y));
        let (from, to) = (wide(from), wide(to));
        Line { from, step: (to.0 - from.0, to.1 - from.1) }
    }

    /// The stretches of the line inside a shape or along its rim, each with its ends, in order. An empty list with
    /// `true` when it only touches the shape.
    fn within(&self, shape: &[Point]) -> (Vec<(Share, Share, Lies)>, bool) {
        // Most shapes beside a line lie wholly on one side of it.
        let mut corners = sides(shape).map(|(p, _)| self.side(p).signum());
        let first = corners.next().unwrap_or(0);
        if first != 0 && corners.all(|side| side == first) {
            return (Vec::new(), false);
        }
        let mut cuts = vec![Share::NONE, Share::ALL];
        let mut touches = false;
        for (p, q) in sides(shape) {
            let (sp, sq) = (self.side(p), self.side(q));
            if (sp > 0 && sq > 0) || (sp < 0 && sq < 0) {
                continue;
            }
            if sp == 0 && sq == 0 {
                // The line runs along this side: its ends are cuts.
                for end in [p, q] {
                    cuts.push(self.share(end));
                }
            } else {
                // Where the side meets the line, as a share of the line.
                let side = (q.0 - p.0, q.1 - p.1);
                let part = (p.0 - self.from.0) * side.1 - (p.1 - self.from.1) * side.0;
                let whole = self.step.0 * side.1 - self.step.1 * side.0;
                cuts.push(Share { part: part * whole.signum(), whole: whole.abs() });
            }
        }
        cuts.retain(|c| c.compare(Share::NONE) != Ordering::Less && c.compare(Share::ALL) != Ordering::Greater);
        touches |= cuts.len() > 2;
        cuts.sort_by(|a, b| a.compare(*b));
        cuts.dedup_by(|a, b| a.compare(*b) == Ordering::Equal);
        let stretches = cuts.windows(2).filter_map(|pair| {
            let lies = self.lies(pair[0].between(pair[1]), shape);
            (lies != Lies::Outside).then_some((pair[0], pair[1], lies))
        });
        (stretches.collect(), touches)
    }

    /// On which side of the line a point lies.
    fn side(&self, p: (i128, i128)) -> i128 {
        self.step.0 * (p.1 - self.from.1) - self.step.1 * (p.0 - self.from.0)
    }

    fn share(&self, p: (i128, i128)) -> Share {
        let part = (p.0 - self.from.0) * self.step.0 + (p.1 - self.from.1) * self.step.1;
        Share { part, whole: self.step.0 * self.step.0 + self.step.1 * self.step.1 }
    }

    /// How the point at that share lies to a shape: crossings of a ray to the east are counted.
    fn lies(&self, at: Share, shape: &[Point]) -> Lies {
        // All that follows is multiplied by the whole of the share.
        let whole = at.whole;
        let x = self.from.0 * whole + self.step.0 * at.part;
        let y = self.from.1 * whole + self.step.1 * at.part;
        let mut is_inside = false;
        for (p, q) in sides(shape) {
            let side = (q.0 - p.0, q.1 - p.1);
            let (p, q) = ((p.0 * whole, p.1 * whole), (q.0 * whole, q.1 * whole));
            // Positive when the point lies to the left of the side.
            let turn = side.0 * (y - p.1) - side.1 * (x - p.0);
            let between = x >= p.0.min(q.0) && x <= p.0.max(q.0) && y >= p.1.min(q.1) && y <= p.1.max(q.1);
            if turn == 0 && between {
                return Lies::OnTheRim;
            }
            if (p.1 > y) != (q.1 > y) && (turn > 0) == (q.1 > p.1) {
                is_inside = !is_inside;
            }
        }
        if is_inside { Lies::Inside } else { Lies::Outside }
    }
}

fn sides(shape: &[Point]) -> impl Iterator<Item = ((i128, i128), (i128, i128))> + '_ {
    let wide = |p: Point| (i128::from(p.x), i128::from(p.y));
    (0..shape.len()).map(move |at| (wide(shape[at]), wide(shape[(at + 1) % shape.len()])))
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
        let mut found: Vec<(Share, Share, SpaceId, Lies)> = Vec::new();
        while let Some(space) = seen.get(next).copied() {
            next += 1;
            let (stretches, touches) = line.within(&self.outline(space));
            if stretches.is_empty() && !touches && space != from {
                continue;
            }
            found.extend(stretches.into_iter().map(|(start, end, lies)| (start, end, space, lies)));
            for near in self.near(space) {
                if !seen.contains(&near) {
                    seen.push(near);
                }
            }
        }
        found.retain(|(_, _, space, _)| *space != from && *space != to);
        found.sort_by(|a, b| a.0.compare(b.0).then(a.1.compare(b.1)).then(a.2.cmp(&b.2)));
        let mut crossed: Vec<Crossed> = Vec::new();
        for (start, end, space, lies) in found {
            let at = start.between(end).thousandths();
            match crossed.last_mut() {
                Some(last) if lies == Lies::OnTheRim && last.at == at && last.beside.is_none() => {
                    last.beside = Some(space);
                }
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

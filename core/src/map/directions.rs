//! Directions: the ways in which the spaces of a regular grid lie next to each other, and the lines they make.
//!
//! North is the top of the map as it is printed. A direction is known by its number, clockwise from north, so that
//! turning is adding. On squares a step over a corner is a direction too, whether or not the map counts squares that
//! touch there as neighbours: who may go that way is for rules to say.

use std::collections::BTreeMap;

use super::{Grid, Hexes, Map, Orientation, Point, Space, SpaceId};

/// One of the directions of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction {
    /// What rulesets call it: `n`, `ne`.
    pub name: &'static str,
    /// The same for people.
    pub says: &'static str,
    /// From a space's dot to the next one's, in half steps of the grid.
    pub step: Point,
}

const fn to(name: &'static str, says: &'static str, x: i32, y: i32) -> Direction {
    Direction { name, says, step: Point { x, y } }
}

const OF_SQUARES: [Direction; 8] = [
    to("n", "north", 0, 2),
    to("ne", "north-east", 2, 2),
    to("e", "east", 2, 0),
    to("se", "south-east", 2, -2),
    to("s", "south", 0, -2),
    to("sw", "south-west", -2, -2),
    to("w", "west", -2, 0),
    to("nw", "north-west", -2, 2),
];

const OF_POINTY_HEXES: [Direction; 6] = [
    to("ne", "north-east", 1, 1),
    to("e", "east", 2, 0),
    to("se", "south-east", 1, -1),
    to("sw", "south-west", -1, -1),
    to("w", "west", -2, 0),
    to("nw", "north-west", -1, 1),
];

const OF_FLAT_HEXES: [Direction; 6] = [
    to("n", "north", 0, 2),
    to("ne", "north-east", 1, 1),
    to("se", "south-east", 1, -1),
    to("s", "south", 0, -2),
    to("sw", "south-west", -1, -1),
    to("nw", "north-west", -1, 1),
];

impl Grid {
    /// Its directions, clockwise from north; areas have none.
    pub fn directions(&self) -> &'static [Direction] {
        match self {
            Grid::Square(_) => &OF_SQUARES,
            Grid::Hex(Hexes { orientation: Orientation::Flat, .. }) => &OF_FLAT_HEXES,
            Grid::Hex(_) | Grid::Axial { .. } => &OF_POINTY_HEXES,
            Grid::Area => &[],
        }
    }
}

/// For each direction, then each space, the space that lies next that way; -1 where none does.
pub(super) fn table<'a>(grid: &Grid, spaces: impl Iterator<Item = &'a Space>) -> Vec<Vec<i32>> {
    let centers: Vec<Point> = spaces.map(|space| space.center).collect();
    let at: BTreeMap<Point, i32> = (0..).zip(&centers).map(|(space, center)| (*center, space)).collect();
    let next = |from: &Point, way: &Direction| {
        at.get(&Point { x: from.x + way.step.x, y: from.y + way.step.y }).copied().unwrap_or(-1)
    };
    grid.directions().iter().map(|way| centers.iter().map(|from| next(from, way)).collect()).collect()
}

impl Map {
    /// How many directions there are.
    fn ways(&self) -> i32 {
        self.next.len() as i32
    }

    /// By number of the space, the space that lies next to it in a direction, -1 where none does; an empty list where that
    /// is no direction.
    #[inline]
    pub(crate) fn all_next(&self, direction: i32) -> &[i32] {
        usize::try_from(direction).ok().and_then(|way| self.next.get(way)).map_or(&[], Vec::as_slice)
    }

    /// The space that lies next to another in a direction of the grid; none at the edge, and none where that is no
    /// direction.
    #[inline]
    pub fn next(&self, from: SpaceId, direction: i32) -> Option<SpaceId> {
        let next = self.all_next(direction).get(from.0 as usize);
        next.and_then(|next| u32::try_from(*next).ok()).map(SpaceId)
    }

    /// The direction in which one comes straight from one space to another, however far it is; none where no straight
    /// line of spaces leads there.
    pub fn direction(&self, from: SpaceId, to: SpaceId) -> Option<i32> {
        let (a, b) = (self.space(from).center, self.space(to).center);
        let (x, y) = (b.x - a.x, b.y - a.y);
        let leads = |way: &Direction| {
            let Point { x: dx, y: dy } = way.step;
            // On the line, on this side of where it begins, and a whole number of steps away.
            let (along, step) = if dx == 0 { (y, dy) } else { (x, dx) };
            x * dy == y * dx && along.signum() == step.signum() && along % step == 0
        };
        self.grid.directions().iter().position(leads).map(|way| way as i32)
    }

    /// A direction turned clockwise by so many steps from one to the next: eighths on squares, sixths on hexes. Turned
    /// by less than none it goes the other way. What is no direction stays none.
    pub fn turned(&self, direction: i32, by: i32) -> i32 {
        let count = self.ways();
        if direction < 0 || direction >= count { -1 } else { (direction + by.rem_euclid(count)) % count }
    }

    /// By how many steps two directions differ, the shorter way round; none where one of them is no direction.
    pub fn angle(&self, a: i32, b: i32) -> Option<i32> {
        let count = self.ways();
        let known = |direction: i32| (0..count).contains(&direction);
        (known(a) && known(b)).then(|| (a - b).abs().min(count - (a - b).abs()))
    }

    /// The spaces that lie from a space in a direction, one after the other up to the edge of the map.
    pub fn ray(&self, from: SpaceId, direction: i32) -> impl Iterator<Item = SpaceId> + '_ {
        std::iter::successors(self.next(from, direction), move |at| self.next(*at, direction))
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        diagnostic::Diagnostics,
        map::{Map, SpaceId, load},
        yaml,
    };

    fn map(grid: &str) -> Map {
        let text = format!("map: m\nfeatures: [corner]\ngrid: {grid}\n");
        let mut found = Diagnostics::default();
        let map = load(&yaml::parse("m.yaml", &text, &mut found), &mut found).expect("a map");
        assert!(found.is_usable(), "{grid}: {:?}", found.list);
        map
    }

    /// A map of every shape that grids have.
    fn shapes() -> Vec<Map> {
        let mut grids = vec!["{ kind: axial, radius: 3 }".to_owned()];
        for from in ["south", "north"] {
            for stagger in ["even-rows: west", "even-rows: east", "slant: true, within: [3, 17]"] {
                grids.push(format!("{{ kind: hex, rows: 5, columns: 6, {stagger}, rows-from: {from} }}"));
            }
            for stagger in ["even-columns: south", "even-columns: north", "slant: true, within: [3, 17]"] {
                let hexes = "kind: hex, orientation: flat, rows: 5, columns: 6";
                grids.push(format!("{{ {hexes}, {stagger}, rows-from: {from} }}"));
            }
            for corners in ["", ", corners: corner"] {
                grids.push(format!("{{ kind: square, rows: 4, columns: 5, rows-from: {from}{corners} }}"));
            }
        }
        grids.iter().map(|grid| map(grid)).collect()
    }

    fn directions(map: &Map) -> std::ops::Range<i32> {
        0..map.grid.directions().len() as i32
    }

    #[test]
    fn every_neighbour_lies_in_one_direction_and_the_way_back_is_opposite() {
        for map in shapes() {
            let half = map.grid.directions().len() as i32 / 2;
            for from in map.spaces() {
                for near in map.near(from) {
                    let ways: Vec<i32> = directions(&map).filter(|way| map.next(from, *way) == Some(near)).collect();
                    assert_eq!(ways.len(), 1, "{:?}", map.grid);
                    assert_eq!(map.direction(from, near), Some(ways[0]), "{:?}", map.grid);
                }
                for way in directions(&map) {
                    let Some(next) = map.next(from, way) else { continue };
                    assert_eq!(map.direction(from, next), Some(way), "{:?}", map.grid);
                    assert_eq!(map.next(next, map.turned(way, half)), Some(from), "{:?}", map.grid);
                    assert_eq!(map.direction(next, from), Some(map.turned(way, half)), "{:?}", map.grid);
                }
                assert_eq!(map.direction(from, from), None);
            }
            let inside = map.spaces().filter(|s| directions(&map).all(|way| map.next(*s, way).is_some())).count();
            assert!(inside > 0, "{:?} has no space inside", map.grid);
        }
    }

    #[test]
    fn a_ray_is_all_that_lies_straight_that_way_nearest_first() {
        for map in shapes() {
            for from in map.spaces() {
                for way in directions(&map) {
                    let ray: Vec<SpaceId> = map.ray(from, way).collect();
                    let mut all: Vec<SpaceId> =
                        map.spaces().filter(|to| map.direction(from, *to) == Some(way)).collect();
                    all.sort_by_key(|to| {
                        let (a, b) = (map.space(from).center, map.space(*to).center);
                        (a.x - b.x).abs() + (a.y - b.y).abs()
                    });
                    assert_eq!(ray, all, "{:?}", map.grid);
                }
            }
        }
    }

    #[test]
    fn turning_goes_round_and_an_angle_is_the_shorter_way() {
        for map in shapes() {
            let count = map.grid.directions().len() as i32;
            for way in directions(&map) {
                for by in -2 * count..=2 * count {
                    let turned = map.turned(way, by);
                    assert!((0..count).contains(&turned));
                    assert_eq!(map.turned(turned, -by), way);
                    assert_eq!(map.turned(turned, 1), map.turned(way, by + 1));
                    assert_eq!(turned == way, by % count == 0);
                    let least = by.rem_euclid(count).min((-by).rem_euclid(count));
                    assert_eq!(map.angle(way, turned), Some(least));
                }
                assert_eq!(map.turned(way, i32::MAX), map.turned(way, i32::MAX % count));
            }
            assert_eq!((map.turned(-1, 1), map.turned(count, 1), map.angle(0, -1)), (-1, -1, None));
        }
    }

    #[test]
    fn directions_have_the_names_that_the_printed_map_shows() {
        let name = |map: &Map, from: &str, to: &str| {
            let at = |name: &str| map.find(name).expect("on the map");
            map.direction(at(from), at(to)).map_or("", |way| map.grid.directions()[way as usize].name)
        };
        let squares = map("{ kind: square, rows: 8, columns: 8, number: \"{column:A}{row}\" }");
        let ways = [("D4", "D5", "n"), ("D4", "E5", "ne"), ("D4", "A1", "sw"), ("D4", "H4", "e"), ("D4", "E6", "")];
        ways.iter().for_each(|(from, to, way)| assert_eq!(name(&squares, from, to), *way));
        let north = map("{ kind: square, rows: 8, columns: 8, rows-from: north, number: \"{column:A}{row}\" }");
        assert_eq!((name(&north, "D4", "D5"), name(&north, "D4", "E3")), ("s", "ne"));
        let axial = map("{ kind: axial, radius: 4 }");
        let ways = [("1:0", "e"), ("0:1", "se"), ("-2:2", "sw"), ("-1:0", "w"), ("0:-3", "nw"), ("1:-1", "ne")];
        ways.iter().for_each(|(to, way)| assert_eq!(name(&axial, "0:0", to), *way));
        // From corner to corner of a hex, and by half a hex, no line of spaces leads.
        assert_eq!((name(&axial, "0:0", "1:1"), name(&axial, "0:0", "2:-1")), ("", ""));
        let flat = map("{ kind: hex, orientation: flat, rows: 4, columns: 4, even-columns: south }");
        let ways = [("3.02", "n"), ("2.03", "ne"), ("1.03", "se"), ("1.02", "s"), ("1.01", "sw"), ("2.01", "nw")];
        ways.iter().for_each(|(to, way)| assert_eq!(name(&flat, "2.02", to), *way));
    }

    #[test]
    fn areas_have_no_directions() {
        let text = "map: m\ngrid: { kind: area }\nspaces: [{ at: A }, { at: B }]\nborders: [{ between: [A, B] }]\n";
        let mut found = Diagnostics::default();
        let map = load(&yaml::parse("m.yaml", text, &mut found), &mut found).expect("a map");
        let (a, b) = (SpaceId(0), SpaceId(1));
        assert_eq!((map.next(a, 0), map.direction(a, b), map.turned(0, 1)), (None, None, -1));
    }
}

//! Grids: which cells there are, how they are numbered, and which lie beside which.

use std::collections::BTreeMap;

use super::Point;

/// How the map is divided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grid {
    /// Hexes in rows and columns.
    Hex(Hexes),
    /// Hexes with a corner to the north, numbered `q:r` around `0:0`: the maps of examples.
    Axial {
        /// Hexes from the center to the edge.
        radius: i32,
    },
    /// Squares in rows and columns.
    Square(Squares),
    /// Areas whose borders are listed one by one.
    Area,
}

/// Which way hexes lie, and with it which of their lines are straight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    /// A corner to the north: rows are straight, from west to east.
    Pointy,
    /// A side to the north: columns are straight, from south to north.
    Flat,
}

/// How every second straight line lies beside the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stagger {
    /// Even rows half a hex west, even columns half a hex south.
    EvenBack,
    /// Even rows half a hex east, even columns half a hex north.
    EvenForward,
    /// Numbers run on a slant: each line half a hex farther than the one printed before it.
    Slant,
}

/// Hexes in rows and columns, both counted from 1, columns from the west.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hexes {
    /// Which way they lie.
    pub orientation: Orientation,
    /// How many rows.
    pub rows: i32,
    /// How many columns, or the last number on a slant.
    pub columns: i32,
    /// How lines lie beside each other.
    pub stagger: Stagger,
    /// Whether row 1 is the northernmost.
    pub from_north: bool,
    /// The part of every straight line that is on the map, in half hexes from the west or south, where column or row
    /// 1 of the first line stands at 2; all of it without. Numbers on a slant need it.
    pub within: Option<(i32, i32)>,
    /// Numbers of single hexes beyond that stretch which are on the map too.
    pub besides: Vec<String>,
    /// How a number is written: `{row}`, `{column}`, `{letter}` of the row, with `:2` for two digits.
    pub pattern: String,
}

impl Hexes {
    /// Where the dot of a hex is: across the straight lines in steps of one, along them in halves of a hex.
    fn center(&self, row: i32, column: i32) -> Point {
        let line = if self.orientation == Orientation::Pointy { row } else { column };
        let shift = match self.stagger {
            Stagger::EvenBack if line % 2 == 0 => -1,
            Stagger::EvenForward if line % 2 == 0 => 1,
            Stagger::EvenBack | Stagger::EvenForward => 0,
            Stagger::Slant => line - 1,
        };
        let north = if self.from_north { self.rows + 1 - row } else { row };
        match self.orientation {
            Orientation::Pointy => Point { x: 2 * column + shift, y: north },
            Orientation::Flat => Point { x: column, y: 2 * north + shift },
        }
    }

    fn cells(&self) -> Vec<Cell> {
        let cells = over(self.rows, self.columns, &self.pattern, |row, column| self.center(row, column));
        let Some((first, last)) = self.within else { return cells };
        let along = |cell: &Cell| match self.orientation {
            Orientation::Pointy => cell.center.x,
            Orientation::Flat => cell.center.y,
        };
        let is_there = |cell: &Cell| (first..=last).contains(&along(cell)) || self.besides.contains(&cell.name);
        cells.into_iter().filter(is_there).collect()
    }
}

/// Squares in rows and columns, both counted from 1, columns from the west.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Squares {
    /// How many rows.
    pub rows: i32,
    /// How many columns.
    pub columns: i32,
    /// Whether row 1 is the northernmost.
    pub from_north: bool,
    /// The feature of borders between squares that touch at a corner only; such squares are no neighbours without.
    /// With it, a distance counts steps over corners too, and rules that want none forbid that feature.
    pub corners: Option<String>,
    /// How a number is written.
    pub pattern: String,
}

impl Squares {
    fn cells(&self) -> Vec<Cell> {
        over(self.rows, self.columns, &self.pattern, |row, column| {
            let north = if self.from_north { self.rows + 1 - row } else { row };
            Point { x: 2 * column, y: 2 * north }
        })
    }
}

/// One cell before it becomes a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its number.
    pub name: String,
    /// Where its dot is.
    pub center: Point,
}

impl Grid {
    /// Every cell, in the order of their numbers.
    pub fn cells(&self) -> Vec<Cell> {
        match self {
            Grid::Hex(hexes) => hexes.cells(),
            Grid::Square(squares) => squares.cells(),
            Grid::Axial { radius } => {
                let mut cells = Vec::new();
                for r in -radius..=*radius {
                    for q in -radius..=*radius {
                        if (q + r).abs() <= *radius {
                            cells.push(Cell { name: format!("{q}:{r}"), center: Point { x: 2 * q + r, y: -r } });
                        }
                    }
                }
                cells
            }
            Grid::Area => Vec::new(),
        }
    }

    /// Index pairs of cells that share a side, both directions.
    pub fn adjacent(&self, cells: &[Cell]) -> Vec<(usize, usize)> {
        pairs(
            cells,
            match self {
                Grid::Hex(Hexes { orientation: Orientation::Flat, .. }) => {
                    &[(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)]
                }
                Grid::Hex(_) | Grid::Axial { .. } => &[(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)],
                Grid::Square(_) => &[(2, 0), (0, 2), (-2, 0), (0, -2)],
                Grid::Area => &[],
            },
        )
    }

    /// Index pairs of cells that touch at a corner only, both directions, where the grid counts them as neighbours.
    pub fn cornered(&self, cells: &[Cell]) -> Vec<(usize, usize)> {
        match self {
            Grid::Square(Squares { corners: Some(_), .. }) => pairs(cells, &[(2, 2), (-2, 2), (-2, -2), (2, -2)]),
            Grid::Hex(_) | Grid::Axial { .. } | Grid::Square(_) | Grid::Area => Vec::new(),
        }
    }

    /// The corners of a cell in fine steps ([`Grid::FINE`] to a half step), counter-clockwise, from its center;
    /// none for areas, whose shape is their own.
    ///
    /// Fine steps are whole numbers, but they are not as long to the north as to the east: lines stay straight in
    /// them, while lengths and angles are those of the grid as printed only after [`Grid::stretch`].
    pub fn corners(&self) -> &'static [(i32, i32)] {
        match self {
            Grid::Hex(Hexes { orientation: Orientation::Flat, .. }) => {
                &[(4, 0), (2, 6), (-2, 6), (-4, 0), (-2, -6), (2, -6)]
            }
            Grid::Hex(_) | Grid::Axial { .. } => &[(6, -2), (6, 2), (0, 4), (-6, 2), (-6, -2), (0, -4)],
            Grid::Square(_) => &[(6, -6), (6, 6), (-6, 6), (-6, -6)],
            Grid::Area => &[],
        }
    }

    /// How far a half step leads to the east and to the north, in parts of the distance between two neighbours;
    /// for areas in the unit of their centers.
    pub fn stretch(&self) -> (f64, f64) {
        let line = 3f64.sqrt() / 2.0;
        match self {
            Grid::Hex(Hexes { orientation: Orientation::Flat, .. }) => (line, 0.5),
            Grid::Hex(_) | Grid::Axial { .. } => (0.5, line),
            Grid::Square(_) => (0.5, 0.5),
            Grid::Area => (1.0, 1.0),
        }
    }

    /// Fine steps in a half step.
    pub const FINE: i32 = 6;

    /// Whether a side of its hexes lies to the north.
    pub fn is_flat(&self) -> bool {
        matches!(self, Grid::Hex(Hexes { orientation: Orientation::Flat, .. }))
    }

    /// As it is written in a map file; nothing for areas, which are listed one by one.
    pub fn written(&self) -> Option<String> {
        let mut says = match self {
            Grid::Axial { radius } => return Some(format!("{{ kind: axial, radius: {radius} }}")),
            Grid::Square(Squares { rows, columns, .. }) => format!("kind: square, rows: {rows}, columns: {columns}"),
            Grid::Hex(Hexes { rows, columns, .. }) => format!("kind: hex, rows: {rows}, columns: {columns}"),
            Grid::Area => return None,
        };
        if let Grid::Hex(Hexes { orientation, stagger, .. }) = self {
            if *orientation == Orientation::Flat {
                says.push_str(", orientation: flat");
            }
            says.push_str(match (orientation, stagger) {
                (_, Stagger::Slant) => ", slant: true",
                (Orientation::Pointy, Stagger::EvenBack) => ", even-rows: west",
                (Orientation::Pointy, Stagger::EvenForward) => ", even-rows: east",
                (Orientation::Flat, Stagger::EvenBack) => ", even-columns: south",
                (Orientation::Flat, Stagger::EvenForward) => ", even-columns: north",
            });
        }
        let (Grid::Hex(Hexes { from_north, pattern, .. }) | Grid::Square(Squares { from_north, pattern, .. })) = self
        else {
            return None;
        };
        if *from_north {
            says.push_str(", rows-from: north");
        }
        match self {
            Grid::Hex(Hexes { within, besides, .. }) => {
                says.extend(within.map(|(first, last)| format!(", within: [{first}, {last}]")));
                if !besides.is_empty() {
                    let names: Vec<String> = besides.iter().map(|name| format!("{name:?}")).collect();
                    says.push_str(&format!(", besides: [{}]", names.join(", ")));
                }
            }
            Grid::Square(Squares { corners: Some(corners), .. }) => says.push_str(&format!(", corners: {corners}")),
            _ => (),
        }
        Some(format!("{{ {says}, number: {pattern:?} }}"))
    }

    /// Neighbours of a cell inside the map.
    pub fn neighbours(&self) -> usize {
        match self {
            Grid::Hex(_) | Grid::Axial { .. } => 6,
            Grid::Square(Squares { corners: Some(_), .. }) => 8,
            Grid::Square(_) => 4,
            Grid::Area => 0,
        }
    }

    /// What a player calls one space of this grid.
    pub fn word(&self) -> &'static str {
        match self {
            Grid::Hex(_) | Grid::Axial { .. } => "hex",
            Grid::Square(_) => "square",
            Grid::Area => "area",
        }
    }
}

/// Index pairs of cells that lie these steps from each other, in the order of the cells, then of the steps.
fn pairs(cells: &[Cell], steps: &[(i32, i32)]) -> Vec<(usize, usize)> {
    let index: BTreeMap<Point, usize> = cells.iter().enumerate().map(|(i, c)| (c.center, i)).collect();
    let mut pairs = Vec::new();
    for (i, cell) in cells.iter().enumerate() {
        for (dx, dy) in steps {
            if let Some(j) = index.get(&Point { x: cell.center.x + dx, y: cell.center.y + dy }) {
                pairs.push((i, *j));
            }
        }
    }
    pairs
}

fn over(rows: i32, columns: i32, pattern: &str, center: impl Fn(i32, i32) -> Point) -> Vec<Cell> {
    let mut cells = Vec::with_capacity((rows.max(0) * columns.max(0)) as usize);
    for row in 1..=rows {
        for column in 1..=columns {
            cells.push(Cell { name: number(pattern, row, column), center: center(row, column) });
        }
    }
    cells
}

/// How a row or column is written in a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As a number of so many digits at least.
    Digits(usize),
    /// A..Z, then AA, BB, as lettered rows are printed.
    Doubled,
    /// A..Z, then AA, AB, as a spreadsheet's columns are.
    Counted,
}

/// A stretch of a pattern.
enum Piece<'a> {
    Text(&'a str),
    Row(Way),
    Column(Way),
}

/// The pieces of a pattern, or the placeholder that is none.
fn pieces(pattern: &str) -> Result<Vec<Piece<'_>>, &str> {
    let mut found = Vec::new();
    let mut rest = pattern;
    while let Some(open) = rest.find('{') {
        found.push(Piece::Text(&rest[..open]));
        let close = rest[open..].find('}').ok_or(&rest[open..])? + open;
        let inside = &rest[open + 1..close];
        let (what, how) = inside.split_once(':').unwrap_or((inside, "1"));
        let way = match how {
            "A" => Way::Doubled,
            "AB" => Way::Counted,
            _ => Way::Digits(how.parse().ok().filter(|n| (1..=9).contains(n)).ok_or(inside)?),
        };
        found.push(match what {
            "row" => Piece::Row(way),
            "column" => Piece::Column(way),
            "letter" => Piece::Row(Way::Doubled),
            _ => return Err(inside),
        });
        rest = &rest[close + 1..];
    }
    found.push(Piece::Text(rest));
    Ok(found)
}

/// What is wrong with a pattern, if anything is.
pub(super) fn wrong_pattern(pattern: &str) -> Option<String> {
    match pieces(pattern) {
        Err(wrong) => Some(format!("`{wrong}` is no part of a number")),
        Ok(all) => {
            let (row, column) =
                (all.iter().any(|p| matches!(p, Piece::Row(_))), all.iter().any(|p| matches!(p, Piece::Column(_))));
            (!row || !column).then(|| "a number without its row and its column names no single space".to_owned())
        }
    }
}

/// Writes a cell's number; a pattern that is wrong is written as it stands.
pub(super) fn number(pattern: &str, row: i32, column: i32) -> String {
    let written = |way: Way, n: i32| match way {
        Way::Digits(least) => format!("{n:0least$}"),
        Way::Doubled => letter((n - 1) % 26).to_string().repeat(((n - 1) / 26 + 1) as usize),
        Way::Counted => {
            let (mut text, mut rest) = (String::new(), n);
            while rest > 0 {
                text.insert(0, letter((rest - 1) % 26));
                rest = (rest - 1) / 26;
            }
            text
        }
    };
    let Ok(pieces) = pieces(pattern) else { return pattern.to_owned() };
    let parts = pieces.into_iter().map(|piece| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Row(way) => written(way, row),
        Piece::Column(way) => written(way, column),
    });
    parts.collect()
}

fn letter(at: i32) -> char {
    char::from(b'A' + at as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hexes(orientation: Orientation, stagger: Stagger) -> Hexes {
        let pattern = "{row}.{column:2}".to_owned();
        Hexes {
            orientation,
            rows: 3,
            columns: 3,
            stagger,
            from_north: false,
            within: None,
            besides: Vec::new(),
            pattern,
        }
    }

    fn near(grid: &Grid, name: &str) -> Vec<String> {
        let cells = grid.cells();
        let pairs = grid.adjacent(&cells).into_iter().filter(|(a, _)| cells[*a].name == name);
        pairs.map(|(_, b)| cells[b].name.clone()).collect()
    }

    #[test]
    fn even_rows_stand_half_a_hex_to_the_west() {
        let grid = Grid::Hex(hexes(Orientation::Pointy, Stagger::EvenBack));
        assert_eq!(near(&grid, "2.02"), ["2.03", "3.02", "3.01", "2.01", "1.01", "1.02"]);
    }

    #[test]
    fn in_columns_with_a_side_to_the_north_even_columns_stand_half_a_hex_to_the_south() {
        let grid = Grid::Hex(hexes(Orientation::Flat, Stagger::EvenBack));
        // North, then clockwise.
        assert_eq!(near(&grid, "2.02"), ["3.02", "2.03", "1.03", "1.02", "1.01", "2.01"]);
        let grid = Grid::Hex(hexes(Orientation::Flat, Stagger::EvenForward));
        assert_eq!(near(&grid, "2.02"), ["3.02", "3.03", "2.03", "1.02", "2.01", "3.01"]);
        // The same ground with its rows numbered from the north.
        let grid = Grid::Hex(Hexes { from_north: true, ..hexes(Orientation::Flat, Stagger::EvenForward) });
        assert_eq!(near(&grid, "2.02"), ["1.02", "1.03", "2.03", "3.02", "2.01", "1.01"]);
    }

    #[test]
    fn lettered_rows_from_the_north_with_numbers_on_a_slant_give_the_brigade_map() {
        // The board of the game of 1977: 50 rows, every second one with a half hex at either end.
        let pattern = "{letter}{column}".to_owned();
        let (orientation, stagger, within) = (Orientation::Pointy, Stagger::Slant, Some((51, 119)));
        let besides = Vec::new();
        let hexes = Hexes { orientation, rows: 50, columns: 60, stagger, from_north: true, within, besides, pattern };
        let grid = Grid::Hex(hexes.clone());
        let cells = grid.cells();
        assert_eq!(cells.len(), 1725);
        let jutting = Grid::Hex(Hexes { besides: vec!["D23".into()], ..hexes });
        assert_eq!(near(&jutting, "D23"), ["D24"], "the edge is straight beside it");
        assert_eq!((cells[0].name.as_str(), cells[cells.len() - 1].name.as_str()), ("A26", "XX35"));
        // East, north-east, north-west, west, south-west, south-east: one row south on the same number is half a hex east.
        assert_eq!(near(&grid, "KK26"), ["KK27", "JJ27", "JJ26", "KK25", "LL25", "LL26"]);
    }

    #[test]
    fn a_grid_is_read_as_it_is_written() {
        let of_hexes = |o, s| Grid::Hex(Hexes { within: Some((2, 7)), from_north: true, ..hexes(o, s) });
        let pattern = "{column}-{row}".to_owned();
        let squares = Squares { rows: 2, columns: 3, from_north: true, corners: Some("corner".into()), pattern };
        for grid in [
            of_hexes(Orientation::Pointy, Stagger::EvenForward),
            of_hexes(Orientation::Flat, Stagger::EvenBack),
            of_hexes(Orientation::Pointy, Stagger::Slant),
            Grid::Square(squares),
            Grid::Axial { radius: 4 },
        ] {
            let mut found = crate::diagnostic::Diagnostics::default();
            let text = grid.written().expect("it is regular");
            let again = crate::map::read_grid(&crate::yaml::parse("grid", &text, &mut found), &mut found);
            assert_eq!(again, Some(grid), "{text}: {:?}", found.list);
        }
    }

    #[test]
    fn lettered_rows_double_their_letters_after_z() {
        assert_eq!(number("{letter}{column}", 37, 26), "KK26");
        assert_eq!(number("{column:AB}-{row:3}", 7, 28), "AB-007");
    }

    #[test]
    fn squares_touch_at_corners_only_where_the_grid_counts_them() {
        let corners = Some("corner".to_owned());
        let pattern = "{column}.{row}".to_owned();
        let squares = Squares { rows: 3, columns: 3, from_north: true, corners: None, pattern };
        let grid = Grid::Square(squares.clone());
        assert_eq!(near(&grid, "2.2"), ["3.2", "2.1", "1.2", "2.3"]);
        assert_eq!(grid.cornered(&grid.cells()), []);
        let grid = Grid::Square(Squares { corners, ..squares });
        assert_eq!(grid.cornered(&grid.cells()).len(), 2 * 2 * 4);
    }
}

//! Grids: which cells there are, how they are numbered, and which lie beside which.

use std::collections::BTreeMap;

use super::Point;

/// How the map is divided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grid {
    /// Hexes with a corner to the north; rows run west to east.
    Pointy {
        /// Rows and columns, both counted from the south-west corner, from 1.
        rows: i32,
        /// Columns.
        columns: i32,
        /// Even rows stand half a hex west of the odd ones; otherwise half a hex east.
        even_west: bool,
        /// How a number is written: `{row}`, `{column}`, `{letter}`, with `:2` for two digits.
        pattern: String,
    },
    /// Hexes with a corner to the north, numbered `q:r` around `0:0`: the maps of examples.
    Axial {
        /// Hexes from the center to the edge.
        radius: i32,
    },
    /// Squares, row 1 in the south; corners count as borders of their own kind.
    Square {
        /// Rows.
        rows: i32,
        /// Columns.
        columns: i32,
        /// How a number is written.
        pattern: String,
    },
    /// Areas whose borders are listed one by one.
    Area,
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
            Grid::Pointy { rows, columns, even_west, pattern } => {
                let shift = if *even_west { -1 } else { 1 };
                over(*rows, *columns, pattern, |row, column| Point {
                    x: 2 * column + if row % 2 == 0 { shift } else { 0 },
                    y: row,
                })
            }
            Grid::Square { rows, columns, pattern } => {
                over(*rows, *columns, pattern, |row, column| Point { x: 2 * column, y: row })
            }
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
        let steps: &[(i32, i32)] = match self {
            Grid::Pointy { .. } | Grid::Axial { .. } => &[(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)],
            Grid::Square { .. } => &[(2, 0), (0, 1), (-2, 0), (0, -1)],
            Grid::Area => &[],
        };
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

    /// Neighbours of a cell inside the map.
    pub fn neighbours(&self) -> usize {
        match self {
            Grid::Pointy { .. } | Grid::Axial { .. } => 6,
            Grid::Square { .. } => 4,
            Grid::Area => 0,
        }
    }

    /// What a player calls one space of this grid.
    pub fn word(&self) -> &'static str {
        match self {
            Grid::Pointy { .. } | Grid::Axial { .. } => "hex",
            Grid::Square { .. } => "square",
            Grid::Area => "area",
        }
    }
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

/// Writes a cell's number. Letters go A..Z, then AA, BB, as lettered rows are printed.
fn number(pattern: &str, row: i32, column: i32) -> String {
    let letter = || {
        let (times, at) = ((row - 1) / 26 + 1, ((row - 1) % 26) as u8);
        char::from(b'A' + at).to_string().repeat(times as usize)
    };
    pattern
        .replace("{row:2}", &format!("{row:02}"))
        .replace("{row}", &row.to_string())
        .replace("{column:2}", &format!("{column:02}"))
        .replace("{column}", &column.to_string())
        .replace("{letter}", &letter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_rows_stand_half_a_hex_to_the_west() {
        let grid = Grid::Pointy { rows: 3, columns: 3, even_west: true, pattern: "{row}.{column:2}".into() };
        let cells = grid.cells();
        let near: Vec<&str> = grid
            .adjacent(&cells)
            .into_iter()
            .filter(|(a, _)| cells[*a].name == "2.02")
            .map(|(_, b)| cells[b].name.as_str())
            .collect();
        assert_eq!(near, ["2.03", "3.02", "3.01", "2.01", "1.01", "1.02"]);
    }

    #[test]
    fn lettered_rows_double_their_letters_after_z() {
        assert_eq!(number("{letter}{column}", 37, 26), "KK26");
    }
}

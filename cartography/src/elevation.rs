//! Heights of the ground: an Esri ASCII grid, read with the place of whatever is wrong in it.

use countermarch_core::diagnostic::{Diagnostics, Span};
use geo::Coord;

/// Heights on a square lattice, in the unit of the file, placed in the survey's plane frame.
#[derive(Debug, Clone)]
pub struct Elevation {
    columns: usize,
    rows: usize,
    /// The middle of the south-western cell, in metres.
    first: Coord,
    /// Metres from one cell to the next.
    step: f64,
    /// Row by row from the south; `NaN` where the file has no height.
    heights: Vec<f64>,
}

const KEYS: [&str; 5] = ["ncols", "nrows", "xllcorner", "yllcorner", "cellsize"];

impl Elevation {
    /// Reads a file. A number that is missing, is none, or is one too many is recorded with its place; `None` then,
    /// since a height in the wrong place is worse than none.
    pub fn read(file: &str, text: &str, found: &mut Diagnostics) -> Option<Elevation> {
        let span = |start: usize, end: usize| Span { file: file.into(), start, end };
        let mut words = words(text).peekable();
        let mut header = [None; 5];
        let mut nothing = None;
        while let Some((start, key)) = words.next_if(|(_, word)| word.starts_with(|c: char| c.is_ascii_alphabetic())) {
            let place = KEYS.iter().position(|k| k.eq_ignore_ascii_case(key));
            let value = words.next().and_then(|(_, word)| word.parse::<f64>().ok()).filter(|n| n.is_finite());
            match (place, value) {
                (_, None) => {
                    let message = format!("`{key}` has no number");
                    found.error("elevation", &span(start, start + key.len()), message, "write one after it");
                    return None;
                }
                (Some(place), value) => header[place] = value,
                (None, value) if key.eq_ignore_ascii_case("nodata_value") => nothing = value,
                (None, _) => {
                    let help = format!("known here: {}, NODATA_value", KEYS.join(", "));
                    let message = format!("`{key}` is no key of an elevation grid");
                    found.error("elevation", &span(start, start + key.len()), message, help);
                    return None;
                }
            }
        }
        if let Some(at) = header.iter().position(Option::is_none) {
            let help = "an Esri ASCII grid begins with it; cells are given by their corner, not their center";
            found.error("elevation", &span(0, 0), format!("`{}` is missing", KEYS[at]), help);
            return None;
        }
        let [columns, rows, west, south, step] = header.map(Option::unwrap_or_default);
        let is_count = |n: f64| n.fract() == 0.0 && (1.0..=20_000.0).contains(&n);
        if !is_count(columns) || !is_count(rows) || step <= 0.0 || columns * rows > 4e6 {
            let message = format!("{columns} columns and {rows} rows of {step} make no grid");
            found.error(
                "elevation",
                &span(0, 0),
                message,
                "rows and columns are whole numbers, 4,000,000 cells at most",
            );
            return None;
        }
        let (columns, rows) = (columns as usize, rows as usize);
        let mut heights = Vec::with_capacity(columns * rows);
        for (start, word) in words.by_ref().take(columns * rows) {
            let Ok(height) = word.parse::<f64>() else {
                found.error("elevation", &span(start, start + word.len()), format!("`{word}` is no height"), "");
                return None;
            };
            heights.push(if Some(height) == nothing { f64::NAN } else { height });
        }
        if heights.len() < columns * rows {
            let (row, column) = (heights.len() / columns + 1, heights.len() % columns + 1);
            let message = format!(
                "the file ends after {} of {} heights, in row {row} before column {column}",
                heights.len(),
                columns * rows
            );
            found.error("elevation", &span(text.len(), text.len()), message, "it was cut short: fetch it again");
            return None;
        }
        if let Some((start, word)) = words.next() {
            let message = format!("there are more than the {columns} by {rows} heights announced");
            found.error("elevation", &span(start, start + word.len()), message, "mend `ncols` or `nrows`");
            return None;
        }
        // The file goes from the north.
        let heights = heights.chunks(columns).rev().flatten().copied().collect();
        let first = Coord { x: west + step / 2.0, y: south + step / 2.0 };
        Some(Elevation { columns, rows, first, step, heights })
    }

    /// The height at a place, between the four nearest cells in proportion; `None` off the grid or where a cell has none.
    pub fn at(&self, place: Coord) -> Option<f64> {
        let (x, y) = ((place.x - self.first.x) / self.step, (place.y - self.first.y) / self.step);
        let (column, row) = (x.floor(), y.floor());
        if column < 0.0 || row < 0.0 {
            return None;
        }
        let (fx, fy) = (x - column, y - row);
        let cell = |dx: usize, dy: usize| {
            let (column, row) = (column as usize + dx, row as usize + dy);
            (column < self.columns && row < self.rows).then(|| self.heights[row * self.columns + column])
        };
        let corners = [cell(0, 0)?, cell(1, 0)?, cell(0, 1)?, cell(1, 1)?];
        let south = corners[0] * (1.0 - fx) + corners[1] * fx;
        let north = corners[2] * (1.0 - fx) + corners[3] * fx;
        Some(south * (1.0 - fy) + north * fy).filter(|h| h.is_finite())
    }
}

/// The words of a text with the bytes where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_ascii_whitespace().map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

#[cfg(test)]
mod tests {
    use countermarch_core::library::Library;

    use super::*;

    const HEAD: &str = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n";

    fn check(text: &str, expected: &str) {
        let mut found = Diagnostics::default();
        let read = Elevation::read("hills.asc", text, &mut found);
        assert_eq!(read.is_none(), !found.list.is_empty());
        let mut library = Library::default();
        library.insert("hills.asc", text);
        let told: Vec<String> = found.list.iter().map(|d| d.one_line(&library)).collect();
        assert!(told.join("\n").starts_with(expected), "{}", told.join("\n"));
    }

    #[test]
    fn heights_lie_between_those_of_the_nearest_cells() {
        let mut found = Diagnostics::default();
        let text = format!("{HEAD}10 20 30\n0 10 -9999\n");
        let read = Elevation::read("hills.asc", &text, &mut found).expect("it is whole");
        let at = |x, y| read.at(Coord { x, y });
        assert_eq!(at(5.0, 5.0), Some(0.0));
        assert_eq!(at(5.0, 15.0), None, "the last row of cells has none to the north");
        assert_eq!(at(10.0, 10.0), Some(10.0));
        assert_eq!(at(20.0, 10.0), None, "a cell without height");
        assert_eq!(at(-5.0, 5.0), None);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        check(
            &format!("{HEAD}1 2 3\n4 5"),
            "hills.asc:8:4: error[elevation]: the file ends after 5 of 6 heights, in row 2",
        );
        check(&format!("{HEAD}1 2 3\n4 x 6"), "hills.asc:8:3: error[elevation]: `x` is no height");
        check(&format!("{HEAD}1 2 3\n4 5 6 7"), "hills.asc:8:7: error[elevation]: there are more than");
        check("ncols 3\nnrows\n", "hills.asc:2:1: error[elevation]: `nrows` has no number");
        check("ncols 3\nnrows 2\n1 2 3", "hills.asc:1:1: error[elevation]: `xllcorner` is missing");
        check("colums 3\n", "hills.asc:1:1: error[elevation]: `colums` is no key");
        check(
            "ncols 3\nnrows 0\nxllcorner 0\nyllcorner 0\ncellsize 10\n",
            "hills.asc:1:1: error[elevation]: 3 columns",
        );
        check("", "hills.asc:1:1: error[elevation]: `ncols` is missing");
    }
}

//! Reads `grid:`: the kind of grid, how it lies, how its cells are numbered.

use super::{
    Grid, Hexes, Orientation, Squares, Stagger,
    grid::{number as numbered, wrong_pattern},
};
use crate::{
    diagnostic::{Diagnostics, suggest},
    id,
    yaml::{Fields, Node},
};

/// The largest map that is read; a larger one is a slip of the pen.
const MOST: i32 = 100_000;
/// Every space has a number of this pattern.
const LONGEST: usize = 60;

/// Reads a grid. `None` when nothing can be laid.
pub fn read_grid(node: &Node, found: &mut Diagnostics) -> Option<Grid> {
    let faults = found.errors();
    let mut fields = node.fields(found);
    let kind = fields.must("kind", found)?;
    let int = |fields: &mut Fields<'_>, key, found: &mut Diagnostics| {
        fields.must(key, found).map_or(1, |n| n.as_int(1, 2000, found))
    };
    let grid = match kind.as_text(found).as_str() {
        "hex" => {
            let (rows, columns) = (int(&mut fields, "rows", found), int(&mut fields, "columns", found));
            let orientation = one_of(
                &mut fields,
                "orientation",
                &[("pointy", Orientation::Pointy), ("flat", Orientation::Flat)],
                found,
            );
            let even = match orientation {
                Orientation::Pointy => one_of(
                    &mut fields,
                    "even-rows",
                    &[("west", Stagger::EvenBack), ("east", Stagger::EvenForward)],
                    found,
                ),
                Orientation::Flat => one_of(
                    &mut fields,
                    "even-columns",
                    &[("south", Stagger::EvenBack), ("north", Stagger::EvenForward)],
                    found,
                ),
            };
            let slant = fields.may("slant").is_some_and(|n| n.as_flag(found));
            let stagger = if slant { Stagger::Slant } else { even };
            let from_north = one_of(&mut fields, "rows-from", &[("south", false), ("north", true)], found);
            let within = fields.may("within").and_then(|node| {
                let ends: Vec<i32> = node.items(found).iter().map(|n| n.as_int(-4000, 4000, found)).collect();
                match ends.as_slice() {
                    [first, last] if first <= last => Some((*first, *last)),
                    _ => {
                        let help = "write the first and the last, in half hexes: `within: [51, 119]`";
                        found.error("grid", &node.span, "a stretch has two ends", help);
                        None
                    }
                }
            });
            let besides = fields.may("besides");
            let pattern = number(&mut fields, "{row}.{column:2}", found);
            let all =
                Hexes { orientation, rows, columns, stagger, from_north, within: None, besides: Vec::new(), pattern };
            let besides = besides.map(|node| beyond(node, &all, within, found)).unwrap_or_default();
            Some(Grid::Hex(Hexes { within, besides, ..all }))
        }
        "square" => {
            let (rows, columns) = (int(&mut fields, "rows", found), int(&mut fields, "columns", found));
            let from_north = one_of(&mut fields, "rows-from", &[("south", false), ("north", true)], found);
            let corners = fields.text("corners", found);
            let pattern = number(&mut fields, "{column}.{row}", found);
            Some(Grid::Square(Squares { rows, columns, from_north, corners, pattern }))
        }
        "axial" => Some(Grid::Axial { radius: int(&mut fields, "radius", found) }),
        "area" => Some(Grid::Area),
        other => {
            let help = suggest(other, ["hex", "square", "axial", "area"]);
            found.error("grid", &kind.span, format!("`{other}` is not a kind of grid"), help);
            None
        }
    };
    fields.finish(found);
    if found.errors() > faults {
        return None; // what stands in spaces that are not laid would all be told
    }
    // Counted before they are laid: each number by itself is small.
    let spaces = match &grid {
        Some(Grid::Hex(Hexes { rows, columns, .. }) | Grid::Square(Squares { rows, columns, .. })) => rows * columns,
        Some(Grid::Axial { radius }) => 3 * radius * (radius + 1) + 1,
        Some(Grid::Area) | None => 0,
    };
    if spaces > MOST {
        let message = format!("a map of {spaces} spaces is larger than any that is read");
        found.error("grid", &node.span, message, format!("{MOST} spaces at most"));
        return None;
    }
    grid
}

/// Hexes that are on the map though they lie beyond the stretch of their line that is.
fn beyond(node: &Node, all: &Hexes, within: Option<(i32, i32)>, found: &mut Diagnostics) -> Vec<String> {
    if within.is_none() {
        let help = "say which part of every line is on the map: `within: [51, 119]`";
        found.error("grid", &node.span, "without `within:` the whole grid is on the map", help);
        return Vec::new();
    }
    let mut names = Vec::new();
    let cells = Grid::Hex(all.clone()).cells();
    for item in node.items(found) {
        let name = item.as_text(found);
        if !cells.iter().any(|cell| cell.name == name) {
            let help = suggest(&name, cells.iter().map(|cell| cell.name.as_str()));
            found.error("unknown-space", &item.span, format!("the grid has no space `{name}`"), help);
        }
        names.push(name);
    }
    names
}

/// The value of one of a few words; the first of them where none is written.
fn one_of<T: Copy>(fields: &mut Fields<'_>, key: &'static str, words: &[(&str, T)], found: &mut Diagnostics) -> T {
    let Some(node) = fields.may(key) else { return words[0].1 };
    let text = node.as_text(found);
    words.iter().find(|(word, _)| *word == text).map_or_else(
        || {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let message = format!("`{key}` is {}, not `{text}`", known.join(" or "));
            found.error("grid", &node.span, message, suggest(&text, known.iter().copied()));
            words[0].1
        },
        |(_, value)| *value,
    )
}

fn number(fields: &mut Fields<'_>, usual: &str, found: &mut Diagnostics) -> String {
    let Some(node) = fields.may("number") else { return usual.to_owned() };
    let pattern = node.as_text(found);
    if pattern.len() > LONGEST {
        found.error("grid", &node.span, format!("a number is longer than {LONGEST} characters"), "shorten it");
        return usual.to_owned();
    }
    match wrong_pattern(&pattern) {
        None => {
            id::tell(node, |pattern| id::fault_of_thing(&numbered(pattern, 1, 1), &[]), found);
            pattern
        }
        Some(wrong) => {
            let help = "write {row} and {column}: with :2 for two digits, :A for A..Z, AA, BB, :AB for A..Z, AA, AB";
            found.error("grid", &node.span, wrong, help);
            usual.to_owned()
        }
    }
}

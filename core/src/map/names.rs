//! Which words of a map are names, and are to look like one: rows, rules, records and paths read them back.

use std::collections::BTreeSet;

use super::{Cell, Grid};
use crate::{
    diagnostic::Diagnostics,
    id,
    yaml::{Node, Value},
};

/// Lists of names.
const LISTS: [&str; 4] = ["features", "numbers", "road-kinds", "terrains"];
/// Lists of things that are known by their ids.
const LISTED: [&str; 3] = ["entries", "roads", "streams"];

/// Reports every name that cannot be written where it is to be read, and a number that two spaces of a grid would have.
pub(super) fn check(node: &Node, grid: &Grid, cells: &[Cell], found: &mut Diagnostics) {
    let of = |keys: &[&'static str]| keys.iter().filter_map(|key| node.get(key)).flat_map(members).collect::<Vec<_>>();
    for item in of(&LISTS) {
        id::tell(item.get("name").unwrap_or(item), |text| id::fault(text, &[]), found);
    }
    let ids = of(&LISTED).into_iter().filter_map(|item| item.get("id"));
    for name in node.get("map").into_iter().chain(ids) {
        id::tell(name, |text| id::fault(text, &[]), found);
    }
    // Only areas are named one by one; of grids the pattern has been looked at.
    let areas = if *grid == Grid::Area { of(&["spaces"]) } else { Vec::new() };
    for name in areas.into_iter().filter_map(|area| area.get("at")) {
        id::tell(name, |text| id::fault_of_thing(text, &[]).filter(|_| !is_axial(text)), found);
    }
    let mut seen = BTreeSet::new();
    if let Some(cell) = cells.iter().find(|cell| !seen.insert(cell.name.as_str())) {
        let span = node.get("grid").map_or(&node.span, |grid| grid.get("number").map_or(&grid.span, |n| &n.span));
        let message = format!("two spaces have the number `{}`", cell.name);
        let help = "part row and column, \"{row}.{column}\", or write them in as many digits as the largest has, \"{row:2}{column:2}\"";
        found.error("twice", span, message, help);
    }
}

/// Whether it is a name as axial grids have them, which are read back everywhere.
fn is_axial(name: &str) -> bool {
    name.split_once(':').is_some_and(|(q, r)| q.parse::<i16>().is_ok() && r.parse::<i16>().is_ok())
}

fn members(node: &Node) -> &[Node] {
    if let Value::List(list) = &node.value { list } else { &[] }
}

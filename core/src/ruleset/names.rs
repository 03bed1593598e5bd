//! Which words of the content are names, and are to look like one. They have hyphens wherever content declares them. Luau
//! has none in names, so rules write underscores there; a name with an underscore of its own could be another's.

use crate::{
    diagnostic::Diagnostics,
    id,
    yaml::{Node, Value},
};

/// Sections whose keys are names that rules see.
const KEYED: [&str; 18] = [
    "chance",
    "contacts",
    "first",
    "may",
    "measures",
    "movers",
    "notes",
    "questions",
    "retreats",
    "sets",
    "settings",
    "sights",
    "sum",
    "symbols",
    "tables",
    "terms",
    "verbs",
    "zones",
];
/// Sections that hold such keys for each kind of thing.
const KEYED_BY_KIND: [&str; 2] = ["attributes", "state"];
/// Sections whose keys are written by people and machines alone.
const OTHERWISE: [&str; 2] = ["types", "versions"];
/// Lists of things that are known by their ids.
const LISTED: [&str; 4] = ["boxes", "cards", "sides", "units"];
/// Sections that hold lists of rows, which have ids too.
const OF_ROWS: [&str; 3] = ["first", "may", "sum"];
/// Named values may be called as printed tables have them: `AR+A1`.
const OF_VALUES: [char; 1] = ['+'];

/// Reports every name that cannot be written where it is to be read.
pub(super) fn check(tree: &Node, found: &mut Diagnostics) {
    let of = |sections: &[&'static str]| sections.iter().filter_map(|key| tree.get(key)).collect::<Vec<_>>();
    let keys = |node| entries(node).iter().map(|(key, _)| key);
    let inner = |node| entries(node).iter().map(|(_, inner)| inner);
    let mut names: Vec<&Node> = of(&["ruleset"]);
    names.extend(of(&KEYED).into_iter().chain(of(&OTHERWISE)).flat_map(keys));
    names.extend(of(&KEYED_BY_KIND).into_iter().flat_map(inner).flat_map(keys));
    let rows = of(&OF_ROWS).into_iter().flat_map(inner).flat_map(inner).flat_map(members);
    names.extend(rows.filter_map(|row| row.get("id")));
    names.extend(of(&["scenarios"]).into_iter().flat_map(members).filter_map(|item| item.get("scenario")));
    of(&["sequence"]).into_iter().for_each(|sequence| places(sequence, &mut names));
    names.into_iter().for_each(|name| id::tell(name, |text| id::fault(text, &[]), found));
    for thing in of(&LISTED).into_iter().flat_map(members).filter_map(|item| item.get("id")) {
        id::tell(thing, |text| id::fault_of_thing(text, &[]), found);
    }
    for list in of(&["symbols"]).into_iter().flat_map(inner) {
        for value in members(list).iter().chain(keys(list)) {
            id::tell(value, |text| id::fault_of_thing(text, &OF_VALUES), found);
        }
    }
}

/// The names of places in the sequence of play.
fn places<'a>(steps: &'a Node, names: &mut Vec<&'a Node>) {
    for step in members(steps) {
        names.extend(step.get("name"));
        step.get("phases").into_iter().for_each(|inner| places(inner, names));
    }
}

fn entries(node: &Node) -> &[(Node, Node)] {
    if let Value::Map(map) = &node.value { map } else { &[] }
}

fn members(node: &Node) -> &[Node] {
    if let Value::List(list) = &node.value { list } else { &[] }
}

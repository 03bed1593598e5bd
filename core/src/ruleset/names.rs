//! How names are written: with hyphens wherever content declares them. Luau has no hyphens in names, so rules write
//! underscores there; a name with an underscore of its own could be another's.

use crate::{
    diagnostic::Diagnostics,
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
/// Lists of things that rules see by their ids.
const LISTED: [&str; 4] = ["boxes", "cards", "sides", "units"];

/// Reports every name with an underscore.
pub(super) fn check(tree: &Node, found: &mut Diagnostics) {
    let of = |sections: &[&str]| sections.iter().filter_map(|key| tree.get(key)).collect::<Vec<_>>();
    let ids = of(&LISTED).into_iter().flat_map(members).filter_map(|item| item.get("id"));
    let kinds = of(&KEYED_BY_KIND).into_iter().flat_map(entries).map(|(_, kind)| kind);
    let keys = of(&KEYED).into_iter().chain(kinds).flat_map(entries).map(|(key, _)| key);
    for name in keys.chain(ids) {
        let text = name.text().unwrap_or("");
        if text.contains('_') {
            let help = format!("write `{}`", text.replace('_', "-"));
            found.error("underscore", &name.span, format!("`{text}` has an underscore, and names have hyphens"), help);
        }
    }
}

fn entries(node: &Node) -> &[(Node, Node)] {
    if let Value::Map(map) = &node.value { map } else { &[] }
}

fn members(node: &Node) -> &[Node] {
    if let Value::List(list) = &node.value { list } else { &[] }
}

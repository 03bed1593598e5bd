//! Lists of named values, lowest first: `symbols:`. The directions of the map are one that nobody need write.

use super::{reading::Reader, texts};
use crate::{
    map::Grid,
    yaml::{Node, Value},
};

/// A list of named values.
#[derive(Debug, Clone)]
pub struct Symbols {
    /// Name of the list.
    pub name: String,
    /// Values, lowest first.
    pub values: Vec<String>,
    /// What each means, in the same order; empty where nothing is said.
    pub says: Vec<String>,
    /// Whether one value is lower than another, so that rows may compare them with `<`; directions go round in a circle.
    pub in_order: bool,
}

impl Symbols {
    /// What rulesets call the list of a map's directions.
    pub const DIRECTION: &str = "direction";

    /// The directions of a map, by their numbers there; none on a map of areas.
    fn of_directions(grid: &Grid) -> Option<Symbols> {
        let (all, name) = (grid.directions(), Symbols::DIRECTION.to_owned());
        let values = all.iter().map(|way| way.name.to_owned()).collect();
        let says = all.iter().map(|way| way.says.to_owned()).collect();
        (!all.is_empty()).then_some(Symbols { name, values, says, in_order: false })
    }

    /// What there is to do about a name that is no kind of value, where more can be said than which names are alike.
    pub fn help_with(name: &str) -> Option<String> {
        let help =
            "a map of areas has no directions; declare a list of symbols under another name if you mean something else";
        (name == Symbols::DIRECTION).then(|| help.to_owned())
    }
}

/// Reads `symbols:`, and adds the directions of the map.
pub(super) fn read(node: Option<&Node>, reader: &mut Reader<'_>) -> Vec<Symbols> {
    let mut lists = Vec::new();
    for (name, listed) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        if name.text() == Some(Symbols::DIRECTION) {
            let message = "the directions of the map are called `direction`";
            reader.found.error("taken", &name.span, message, "give the list another name, or use the map's");
            continue;
        }
        let name = name.as_text(reader.found);
        // `[EX, DR]`, or `{ EX: what it means, DR: what it means }`.
        let (values, says): (Vec<String>, Vec<String>) = match &listed.value {
            Value::Map(map) => {
                map.iter().map(|(v, says)| (v.as_text(reader.found), texts::plain(says, reader))).unzip()
            }
            _ => (listed.items(reader.found).iter().map(|v| v.as_text(reader.found)).collect(), Vec::new()),
        };
        for (at, value) in values.iter().enumerate().filter(|(at, value)| values[..*at].contains(value)) {
            let span = listed.items(reader.found).get(at).map_or(&listed.span, |node| &node.span);
            let message = format!("`{value}` is given twice in `{name}`");
            reader.found.error("twice", span, message, "each value has its place in the order once: delete one");
        }
        lists.push(Symbols { name, values, says, in_order: true });
    }
    lists.extend(Symbols::of_directions(&reader.map.grid));
    lists
}

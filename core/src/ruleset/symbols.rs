//! Lists of named values, lowest first: `symbols:`.

use super::reading::Reader;
use crate::yaml::{Node, Value};

/// A list of named values.
#[derive(Debug, Clone)]
pub struct Symbols {
    /// Name of the list.
    pub name: String,
    /// Values, lowest first.
    pub values: Vec<String>,
    /// What each means, in the same order; empty where nothing is said.
    pub says: Vec<String>,
}

/// Reads `symbols:`.
pub(super) fn read(node: Option<&Node>, reader: &mut Reader<'_>) -> Vec<Symbols> {
    let mut lists = Vec::new();
    for (name, values) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let name = name.as_text(reader.found);
        // `[EX, DR]`, or `{ EX: what it means, DR: what it means }`.
        let (values, says) = match &values.value {
            Value::Map(map) => {
                map.iter().map(|(v, says)| (v.as_text(reader.found), says.as_text(reader.found))).unzip()
            }
            _ => (values.items(reader.found).iter().map(|v| v.as_text(reader.found)).collect(), Vec::new()),
        };
        lists.push(Symbols { name, values, says });
    }
    lists
}

//! Counters and cards, with everything printed on them.

use std::collections::BTreeMap;

use super::{
    Attribute, Cite, Provenance,
    kind::{self, Kind},
    reading::Reader,
    state::{Counts, Holder, Schema},
};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    id,
    yaml::{Node, Value},
};

/// A counter.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Short name.
    pub id: String,
    /// Printed name.
    pub name: String,
    /// Whose.
    pub side: i32,
    /// Index into the ruleset's types.
    pub kind: usize,
    /// Where it stands in the content.
    pub span: Span,
}

/// A card.
#[derive(Debug, Clone)]
pub struct Card {
    /// Short name.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The paragraph that says what it does for each side; nothing where rules alone say it.
    pub halves: Vec<Cite>,
}

/// The ids of a list of maps, for looking things up before they are read.
pub(super) fn ids(node: Option<&Node>, reader: &mut Reader<'_>) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for item in node.map(|n| n.items(reader.found)).unwrap_or_default() {
        let Some(id) = item.get("id") else {
            reader.found.error("missing", &item.span, "`id` is missing here", "add `id: ...`");
            ids.push(String::new());
            continue;
        };
        let text = id.as_text(reader.found);
        if ids.contains(&text) {
            reader.found.error("twice", &id.span, format!("`{text}` is given twice"), "rename one of the two");
        }
        ids.push(text);
    }
    ids
}

/// What people call something: its `name:`, or its id where it has none.
pub(super) fn name(item: &Node, id: &str, reader: &mut Reader<'_>) -> String {
    let Some(node) = item.get("name") else { return id.to_owned() };
    title(node, reader.found)
}

/// Reads a name that people read.
pub(super) fn title(node: &Node, found: &mut Diagnostics) -> String {
    id::tell(node, id::fault_of_title, found);
    node.as_text(found)
}

/// Warns of things that people call alike.
pub(super) fn told_apart(items: &[Node], names: &[&str], reader: &mut Reader<'_>) {
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        let before = *first.entry(name).or_insert(at);
        if let (true, Some(item)) = (before < at, items.get(at)) {
            let ids: Vec<_> = [before, at].iter().filter_map(|at| items[*at].get("id").and_then(Node::text)).collect();
            let message = format!("`{}` are both called {name}", ids.join("` and `"));
            let span = item.get("name").map_or(&item.span, |name| &name.span);
            reader.found.warning("twice", span, message, "people and the story tell them apart by nothing else");
        }
    }
}

/// Reads `attributes:` of one holder.
pub(super) fn attributes(
    holder: Holder,
    node: Option<&Node>,
    count: usize,
    schema: &Schema,
    counts: &Counts,
    reader: &mut Reader<'_>,
) -> Vec<Attribute> {
    let mut list = Vec::new();
    for (name, is) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let (kind, range) = kind::read(is, schema, counts, reader);
        let least = match kind {
            Kind::Int => range.0.max(0).min(range.1),
            Kind::Flag => 0,
            _ => -1,
        };
        list.push(Attribute {
            holder,
            name: name.as_text(reader.found),
            kind,
            range,
            values: vec![least; count],
            from: vec![Provenance::Printed; count],
        });
    }
    list
}

/// Reads `types:`: the name of each, and the attributes every unit of it has.
pub(super) fn types(node: Option<&Node>, reader: &mut Reader<'_>) -> Vec<(String, Node)> {
    let entries = node.map(|n| n.entries(reader.found)).unwrap_or_default();
    entries.iter().map(|(name, body)| (name.as_text(reader.found), body.clone())).collect()
}

/// Reads `units:`, filling the attributes.
pub(super) fn units(
    node: Option<&Node>,
    types: &[(String, Node)],
    attributes: &mut [Attribute],
    schema: &Schema,
    reader: &mut Reader<'_>,
) -> Vec<Unit> {
    let mut units = Vec::new();
    let items = node.map(|n| n.items(reader.found)).unwrap_or_default();
    for (at, item) in items.iter().enumerate() {
        let mut fields = item.fields(reader.found);
        let id = fields.may("id").map(|n| n.as_text(reader.found)).unwrap_or_default();
        let other = match reader.sides.contains(&id) {
            true => Some("side"),
            false => reader.map.find(&id).map(|_| "space of the map"),
        };
        if let (Some(other), Some(node)) = (other, item.get("id")) {
            let message = format!("a {other} is called `{id}` too, and rows could not tell which is meant");
            reader.found.error("taken", &node.span, message, "give the unit another id");
        }
        fields.may("name");
        let name = name(item, &id, reader);
        let side = fields.must("side", reader.found).and_then(|n| reader.side(n)).unwrap_or(0);
        let kind = fields.must("type", reader.found).map_or(0, |n| {
            let text = n.as_text(reader.found);
            types.iter().position(|(t, _)| *t == text).unwrap_or_else(|| {
                let help = suggest(&text, types.iter().map(|(t, _)| t.as_str()));
                reader.found.error("unknown-name", &n.span, format!("there is no type `{text}`"), help);
                0
            })
        });
        if let Some((_, body)) = types.get(kind) {
            fill(body, at, attributes, schema, reader, &["sign"]);
        }
        fill(item, at, attributes, schema, reader, &["id", "name", "side", "type", "from"]);
        let from = item.get("from");
        provenance(from, at, item, attributes, reader);
        if let Some(a) = attributes.iter_mut().find(|a| a.name == "side") {
            a.values[at] = side;
        }
        if let Some(a) = attributes.iter_mut().find(|a| a.name == "type") {
            a.values[at] = kind as i32;
        }
        units.push(Unit { id, name, side, kind, span: item.span.clone() });
    }
    told_apart(items, &units.iter().map(|unit| unit.name.as_str()).collect::<Vec<_>>(), reader);
    units
}

/// Reads the attributes written in one map; what is neither an attribute nor in `other` is reported.
pub(super) fn fill(
    node: &Node,
    at: usize,
    attributes: &mut [Attribute],
    schema: &Schema,
    reader: &mut Reader<'_>,
    other: &[&str],
) {
    for (key, value) in node.entries(reader.found) {
        let name = key.as_text(reader.found);
        if other.contains(&name.as_str()) {
            continue;
        }
        match attributes.iter_mut().find(|a| a.name == name) {
            Some(attribute) => {
                attribute.values[at] = kind::value(value, attribute.kind, attribute.range, schema, reader);
            }
            None => {
                let known = attributes.iter().map(|a| a.name.as_str()).chain(other.iter().copied());
                let help = match name.as_str() {
                    "from" => "where values come from is said of each unit, card or space: put it there".to_owned(),
                    _ => suggest(&name, known),
                };
                reader.found.error("unknown-key", &key.span, format!("`{name}` is not declared"), help);
            }
        }
    }
}

/// What `spaces:` calls the spaces it lists, by their numbers.
pub(super) fn space_names(node: Option<&Node>, reader: &mut Reader<'_>) -> BTreeMap<i32, String> {
    let mut names = BTreeMap::new();
    for item in node.map(|n| n.items(reader.found)).unwrap_or_default() {
        let space = item.get("at").and_then(Node::text).and_then(|at| reader.map.find(at));
        if let (Some(space), Some(name)) = (space, item.get("name")) {
            names.insert(space.0 as i32, name.as_text(reader.found));
        }
    }
    names
}

/// `from: reconstructed` for all that the line says, or `from: { quality: reported, else: reconstructed }` value by value.
fn provenance(from: Option<&Node>, at: usize, item: &Node, attributes: &mut [Attribute], reader: &mut Reader<'_>) {
    let Some(from) = from else { return };
    match &from.value {
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let name = key.as_text(reader.found);
                let word = Provenance::read(Some(value), reader.found);
                if name == "else" {
                    let rest = |a: &&mut Attribute| item.get(&a.name).is_some() && from.get(&a.name).is_none();
                    attributes.iter_mut().filter(rest).for_each(|attribute| attribute.from[at] = word);
                    continue;
                }
                match attributes.iter_mut().find(|a| a.name == name) {
                    Some(attribute) => attribute.from[at] = word,
                    None => {
                        let help = suggest(&name, attributes.iter().map(|a| a.name.as_str()));
                        reader.found.error("unknown-key", &key.span, format!("`{name}` is not declared"), help);
                    }
                }
            }
        }
        Value::Text(_) | Value::List(_) => {
            let word = Provenance::read(Some(from), reader.found);
            for attribute in attributes.iter_mut().filter(|a| item.get(&a.name).is_some()) {
                attribute.from[at] = word;
            }
        }
    }
}

/// Reads the attributes of sides, which stand in `sides:`.
pub(super) fn side_attributes(
    sides: Option<&Node>,
    declared: Option<&Node>,
    counts: &Counts,
    schema: &Schema,
    attributes: &mut Vec<Attribute>,
    reader: &mut Reader<'_>,
) {
    let node = declared.and_then(|n| n.get("sides"));
    let mut own = self::attributes(Holder::Side, node, counts.sides, schema, counts, reader);
    for (at, item) in sides.map(|n| n.items(reader.found)).unwrap_or_default().iter().enumerate() {
        fill(item, at, &mut own, schema, reader, &["id", "name", "color", "neutral"]);
    }
    attributes.extend(own);
}

/// Reads `spaces:`, what is printed of a space for this game alone. On a map other than the game's own, lines about
/// spaces that it lacks are left out.
pub(super) fn space_attributes(
    spaces: Option<&Node>,
    declared: Option<&Node>,
    is_own: bool,
    counts: &Counts,
    schema: &Schema,
    attributes: &mut Vec<Attribute>,
    reader: &mut Reader<'_>,
) {
    let node = declared.and_then(|n| n.get("spaces"));
    for (name, _) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let text = name.as_text(reader.found);
        if reader.map.numbers.contains(&text) {
            let message = format!("the map prints a number `{text}` too, and which is meant could not be told");
            reader.found.error("twice", &name.span, message, "give one of the two another name, or delete it");
        }
    }
    let mut own = self::attributes(Holder::Space, node, counts.spaces, schema, counts, reader);
    for item in spaces.map(|n| n.items(reader.found)).unwrap_or_default() {
        let Some(at) = item.get("at") else {
            reader.found.error("missing", &item.span, "`at` is missing here", "add `at: <space>`");
            continue;
        };
        let is_there = at.text().is_some_and(|name| reader.map.find(name).is_some());
        if let Some(space) = if is_own || is_there { reader.space(at) } else { None } {
            fill(item, space.0 as usize, &mut own, schema, reader, &["at", "name", "cite", "from"]);
            provenance(item.get("from"), space.0 as usize, item, &mut own, reader);
        }
        if let Some(cite) = item.get("cite") {
            reader.cite_node(cite);
        }
    }
    attributes.extend(own);
}

//! Kinds of value: what they are, how YAML names them and how their values are read.

use super::{
    reading::Reader,
    state::{Counts, Schema},
    symbols::Symbols,
};
use crate::{
    diagnostic::suggest,
    yaml::{Node, Value},
};

/// What kind of value something has. References are indices; nothing is -1 among them, and -1 a number like others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Kind {
    Int,
    Flag,
    Unit,
    Side,
    Space,
    Card,
    Terrain,
    /// A value of the list of symbols with this index.
    Symbol(u16),
    /// A record of this kind.
    Record(u8),
    /// Several units, told in rising order: a stack, a group. Rows, terms and sets are given them; nothing has them.
    Units,
    /// Several spaces, in the same way.
    Spaces,
    /// Accepts every kind.
    Any,
}

impl Kind {
    /// For messages.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Int => "a number",
            Kind::Flag => "a yes or no",
            Kind::Unit => "a unit",
            Kind::Side => "a side",
            Kind::Space => "a space",
            Kind::Card => "a card",
            Kind::Terrain => "a terrain",
            Kind::Symbol(_) => "a named value",
            Kind::Record(_) => "a record",
            Kind::Units => "several units",
            Kind::Spaces => "several spaces",
            Kind::Any => "anything",
        }
    }

    /// What the members of several are, where it is several.
    pub fn of_each(self) -> Option<Kind> {
        match self {
            Kind::Units => Some(Kind::Unit),
            Kind::Spaces => Some(Kind::Space),
            _ => None,
        }
    }

    /// What a property of this kind comes to where it is asked of nothing: no, 0, or nothing.
    pub fn of_nothing(self) -> i8 {
        if matches!(self, Kind::Int | Kind::Flag) { 0 } else { -1 }
    }
}

impl Schema {
    /// A kind for messages: of a named value also which list it is of.
    pub(super) fn words_of(&self, kind: Kind) -> String {
        match kind {
            Kind::Symbol(list) => format!("a value of `{}`", self.symbols[list as usize].name),
            kind => kind.words().to_owned(),
        }
    }
}

/// Reads `flag`, `0..6`, `unit`, the name of a list of symbols or of a record.
pub(super) fn read(node: &Node, schema: &Schema, counts: &Counts, reader: &mut Reader<'_>) -> (Kind, (i32, i32)) {
    let Some(text) = node.text() else {
        let ends: Vec<Option<i32>> = node.texts().iter().map(|end| end.parse().ok()).collect();
        let (help, read) = match ends[..] {
            [Some(least), Some(most)] if least <= most => (format!("write `{least}..{most}`"), (least, most)),
            _ => ("write a range like `0..6`, or the name of a kind".to_owned(), (i32::MIN, i32::MAX)),
        };
        reader.found.error("unknown-kind", &node.span, "a kind of value is one word or a range", help);
        return (Kind::Int, read);
    };
    if let Some((least, most)) = text.split_once("..")
        && let (Ok(least), Ok(most)) = (least.trim().parse::<i128>(), most.trim().parse::<i128>())
    {
        if [least, most].iter().any(|end| i32::try_from(*end).is_err()) {
            let (low, high) = (i32::MIN, i32::MAX);
            let message = format!("`{text}` holds numbers that are too large");
            reader.found.error("range", &node.span, message, format!("numbers lie between {low} and {high}"));
        }
        let [least, most] = [least, most].map(|end| end.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
        if least > most {
            let message = format!("there is no number from {least} to {most}");
            reader.found.error("range", &node.span, message, "write the smaller number first");
        }
        return (Kind::Int, (least.min(most), least.max(most)));
    }
    let to = |count: usize| (-1, count as i32 - 1);
    match text {
        "flag" => (Kind::Flag, (0, 1)),
        "unit" => (Kind::Unit, to(counts.units)),
        "side" => (Kind::Side, to(counts.sides)),
        "space" => (Kind::Space, to(counts.spaces)),
        "card" => (Kind::Card, to(counts.cards)),
        "terrain" => (Kind::Terrain, (-1, i32::MAX)),
        name => {
            if let Some(list) = schema.symbols(name) {
                let most = schema.symbols[list as usize].values.len() as i32 - 1;
                return (Kind::Symbol(list), (-1, most));
            }
            if let Some(at) = schema.records.iter().position(|r| r.name == name) {
                return (Kind::Record(at as u8), to(schema.records[at].most));
            }
            let own = ["flag", "unit", "side", "space", "card", "terrain"];
            let known = own.into_iter().chain(schema.symbols.iter().map(|s| s.name.as_str()));
            let known = known.chain(schema.records.iter().map(|r| r.name.as_str()));
            let likely = format!("write a range like `0..6`; {}", suggest(name, known));
            let help = Symbols::help_with(name).unwrap_or(likely);
            reader.found.error("unknown-kind", &node.span, format!("`{name}` is not a kind of value"), help);
            (Kind::Flag, (0, 1))
        }
    }
}

/// Reads a value of a kind, by name where it has one.
pub(super) fn value(node: &Node, kind: Kind, range: (i32, i32), schema: &Schema, reader: &mut Reader<'_>) -> i32 {
    match kind {
        Kind::Int => node.as_int(range.0, range.1, reader.found),
        Kind::Flag => i32::from(node.as_flag(reader.found)),
        Kind::Symbol(list) => {
            let text = node.as_text(reader.found);
            let is_value = symbols_have(kind, &text, schema);
            if text == "nothing" || (text == "none" && !is_value) {
                return -1;
            }
            let list = &schema.symbols[list as usize];
            match list.values.iter().position(|v| *v == text) {
                Some(at) => at as i32,
                None => {
                    let help = suggest(&text, list.values.iter().map(String::as_str));
                    let message = format!("`{text}` is not one of `{}`", list.name);
                    reader.found.error("unknown-name", &node.span, message, help);
                    -1
                }
            }
        }
        Kind::Unit => reader.unit(node).unwrap_or(-1),
        Kind::Side => reader.side(node).unwrap_or(-1),
        Kind::Space => reader.space(node).map_or(-1, |s| s.0 as i32),
        Kind::Terrain => reader.terrain(node).map_or(-1, |bit| 1 << bit),
        Kind::Card | Kind::Record(_) | Kind::Units | Kind::Spaces | Kind::Any => {
            if !matches!(&node.value, Value::Text(t) if t == "nothing") {
                reader.found.error("type", &node.span, format!("{} cannot be written here", kind.words()), "");
            }
            -1
        }
    }
}

/// Whether a list of symbols has that value.
fn symbols_have(kind: Kind, text: &str, schema: &Schema) -> bool {
    matches!(kind, Kind::Symbol(list) if schema.symbols[list as usize].values.iter().any(|v| v == text))
}

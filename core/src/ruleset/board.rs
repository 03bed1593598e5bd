//! What a board of text shows besides counters and ground: how strong a stack is, who is in contact, what is worth
//! something.

use super::{
    Attribute, Holder, Kind,
    reading::Reader,
    rows::{Expr, Names, Read, Reads, Rows, Zone},
    tables::compile,
};
use crate::{diagnostic::suggest, yaml::Node};

/// What `board:` declares.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The strength of a counter; nothing where no number is shown.
    pub strength: Option<Strength>,
    /// The printed numbers that the strength is read from: indices of attributes of units.
    pub strength_of: Vec<usize>,
    /// The zone whose units are in contact: index among the ruleset's.
    pub contact: Option<u16>,
    /// What makes a space an objective where it is not 0: indices of attributes of spaces.
    pub objectives: Vec<usize>,
}

/// How a counter's strength is found.
#[derive(Debug, Clone)]
pub enum Strength {
    /// A sum given a unit: index of the rows.
    Rows(u16),
    /// A number, given a unit.
    Value(Expr),
}

/// Reads `board: { strength: strength, contact: zoc, objectives: [points] }`.
pub(super) fn read(
    node: Option<&Node>,
    rows: &[Rows],
    zones: &[Zone],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Shown {
    let Some(node) = node else { return Shown::default() };
    let mut fields = node.fields(reader.found);
    let strength = fields.may("strength").and_then(|node| {
        let text = node.text().unwrap_or("");
        let is_sum = |r: &Rows| r.read == Read::Sum && r.given.iter().map(|(_, kind)| *kind).eq([Kind::Unit]);
        match rows.iter().position(|r| r.name == text && is_sum(r)) {
            Some(at) => Some(Strength::Rows(at as u16)),
            None => compile(node, &[("unit".to_owned(), Kind::Unit)], Kind::Int, names, reader).map(Strength::Value),
        }
    });
    let mut looks_at = Reads::default();
    match &strength {
        Some(Strength::Rows(at)) => {
            rows[usize::from(*at)].rows.iter().for_each(|row| looks_at.join(&Reads::of(&row.value, names)));
        }
        Some(Strength::Value(value)) => looks_at.join(&Reads::of(value, names)),
        None => (),
    }
    let numbers = looks_at.attributes.into_iter().map(usize::from);
    let of_units = |at: &usize| names.attributes[*at].holder == Holder::Unit && names.attributes[*at].kind == Kind::Int;
    let strength_of = numbers.filter(of_units).collect();
    let contact = fields.may("contact").and_then(|node| {
        let text = node.as_text(reader.found);
        let at = zones.iter().position(|zone| zone.name == text);
        if at.is_none() {
            let help = suggest(&text, zones.iter().map(|zone| zone.name.as_str()));
            reader.found.error("unknown-name", &node.span, format!("there is no zone `{text}`"), help);
        }
        at.map(|at| at as u16)
    });
    let mut objectives = Vec::new();
    for node in fields.may("objectives").map(|n| n.items(reader.found)).unwrap_or_default() {
        let text = node.as_text(reader.found);
        let of_spaces = |a: &Attribute| a.holder == Holder::Space && a.kind == Kind::Int;
        match names.attributes.iter().position(|a| of_spaces(a) && a.name == text) {
            Some(at) => objectives.push(at),
            None => {
                let known = names.attributes.iter().filter(|a| of_spaces(a)).map(|a| a.name.as_str());
                let message = format!("spaces have no number `{text}`");
                reader.found.error("unknown-name", &node.span, message, suggest(&text, known));
            }
        }
    }
    fields.finish(reader.found);
    Shown { strength, strength_of, contact, objectives }
}

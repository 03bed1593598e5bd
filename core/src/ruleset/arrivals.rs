//! How the order of appearance is shown: which printed attribute says when a unit comes, which where, and what else
//! stands beside its name.

use super::{
    Attribute, Provenance,
    kind::Kind,
    reading::Reader,
    rows::{Expr, Names},
    state::Holder,
    tables::compile,
    texts,
};
use crate::{diagnostic::suggest, yaml::Node};

/// The columns of an order of appearance; indices of attributes of units.
#[derive(Debug, Clone, Default)]
pub struct Arrivals {
    /// In which turn a unit comes; nothing where scenarios alone say so.
    pub due: Option<usize>,
    /// Where it comes.
    pub at: Option<usize>,
    /// Where it comes instead while something holds, which is given the unit: the first that does.
    pub elsewhere: Vec<(Expr, String)>,
    /// The box in which those wait who have not come yet, where an attribute says when they come.
    pub waits: Option<i32>,
    /// What the chart calls those places: the value, then the name.
    pub names: Vec<(String, String)>,
    /// What stands behind the name of a unit, `{value}` filled in, with its dagger where no source prints it; left out
    /// where the value is nothing or 0.
    pub shows: Vec<(usize, String)>,
}

impl Arrivals {
    /// Where it comes from when and where a unit comes: the one of the two that is not printed, if one is not.
    pub fn from(&self, unit: usize, attributes: &[Attribute]) -> Provenance {
        let both = self.due.iter().chain(&self.at).map(|at| attributes[*at].from[unit]);
        both.max().unwrap_or_default()
    }

    /// What stands behind a unit's name on the chart.
    pub fn beside(&self, unit: usize, attributes: &[Attribute], name: &dyn Fn(Kind, i32) -> String) -> String {
        let mut text = String::new();
        for (at, says) in &self.shows {
            let (kind, value) = (attributes[*at].kind, attributes[*at].values[unit]);
            let is_there = if matches!(kind, Kind::Int | Kind::Flag) { value > 0 } else { value >= 0 };
            if is_there {
                text.push(' ');
                let value = format!("{}{}", name(kind, value), attributes[*at].from[unit].dagger());
                text.push_str(&says.replace("{value}", &value));
            }
        }
        text
    }
}

/// Reads `formations:`, the attributes by which long lists of units are grouped, the widest first.
pub(super) fn formations(node: Option<&Node>, attributes: &[Attribute], reader: &mut Reader<'_>) -> Vec<usize> {
    let named = node.map(|n| n.items(reader.found)).unwrap_or_default();
    named.iter().filter_map(|n| attribute_of_units(n, attributes, reader)).collect()
}

fn attribute_of_units(node: &Node, attributes: &[Attribute], reader: &mut Reader<'_>) -> Option<usize> {
    let text = node.as_text(reader.found);
    let of_units = || attributes.iter().filter(|a| a.holder == Holder::Unit);
    let at = attributes.iter().position(|a| a.holder == Holder::Unit && a.name == text);
    if at.is_none() {
        let help = suggest(&text, of_units().map(|a| a.name.as_str()));
        reader.found.error("unknown-name", &node.span, format!("units have no attribute `{text}`"), help);
    }
    at
}

/// Reads `arrivals:`. A ruleset may say when units come in its scenarios instead, as a property `due`; without `arrivals:`
/// it says where as an attribute `entry`.
pub(super) fn read(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Arrivals {
    let attributes = names.attributes;
    let of_units = |name: &str| attributes.iter().position(|a| a.holder == Holder::Unit && a.name == name);
    let Some(node) = node else { return Arrivals { at: of_units("entry"), ..Arrivals::default() } };
    let find = |node: &Node, reader: &mut Reader<'_>| attribute_of_units(node, attributes, reader);
    let mut fields = node.fields(reader.found);
    let due = fields.may("due").and_then(|n| find(n, reader));
    let at = fields.must("at", reader.found).and_then(|n| find(n, reader));
    let waits = fields.may("waits").and_then(|n| reader.holding_box(n)).map(|at| at + reader.map.len() as i32);
    if due.is_some() && fields.may("waits").is_none() {
        let help = "name the box of those who have not come yet: `waits: to-come`";
        reader.found.warning(
            "missing",
            &node.span,
            "nobody can be told who is due: it is not said where they wait",
            help,
        );
    }
    let mut elsewhere = Vec::new();
    for row in fields.may("elsewhere").map(|n| n.items(reader.found)).unwrap_or_default() {
        let mut fields = row.fields(reader.found);
        let scope = [("unit".to_owned(), Kind::Unit)];
        let when = fields.must("when", reader.found).and_then(|n| compile(n, &scope, Kind::Flag, names, reader));
        let say = fields.must("say", reader.found).map(|n| texts::plain(n, reader));
        fields.finish(reader.found);
        elsewhere.extend(when.zip(say));
    }
    let mut called = Vec::new();
    for (value, name) in fields.may("names").map(|n| n.entries(reader.found)).unwrap_or_default() {
        called.push((value.as_text(reader.found), name.as_text(reader.found)));
    }
    let mut shows = Vec::new();
    for (name, text) in fields.may("shows").map(|n| n.entries(reader.found)).unwrap_or_default() {
        let text = texts::sentence(text, &["value"], reader);
        shows.extend(find(name, reader).map(|at| (at, text)));
    }
    fields.finish(reader.found);
    Arrivals { due, at, elsewhere, waits, names: called, shows }
}

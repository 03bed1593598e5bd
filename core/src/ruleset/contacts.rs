//! Ways of retreating and of being in contact, and which printed lists they ask.

use super::{
    Cite,
    kind::Kind,
    movers::named,
    reading::Reader,
    rows::{Expr, Names, Read, Rows},
    state::Holder,
    tables::compile,
};
use crate::{diagnostic::suggest, yaml::Fields, yaml::Node};

/// How something retreats: whole paths, each step farther from where it began, chosen by ordered criteria.
#[derive(Debug, Clone)]
pub struct Retreating {
    /// Its name.
    pub name: String,
    /// Guards of each step, given unit, from, to: index into the ruleset's rows.
    pub may_step: usize,
    /// A path is touched if one of its spaces holds this; given unit, space.
    pub touched: Expr,
    /// Priorities, given unit, from, to (the end of the path) and touched: index into the ruleset's rows.
    pub by: usize,
    /// Where it stands in the rulebook, and how long a retreat is.
    pub cite: Cite,
}

/// Who must fight whom: contact, and the duties that come of it.
#[derive(Debug, Clone)]
pub struct Contact {
    /// Its name.
    pub name: String,
    /// Guards of a pair, given unit and target: index into the ruleset's rows.
    pub pairs: usize,
    /// Whether a unit must attack; given unit.
    pub attackers: Expr,
    /// Whether a unit must be attacked; given unit.
    pub targets: Expr,
    /// The unit's column that says which battle it is in.
    pub column: u16,
    /// Whether a battle may have one attacker only.
    pub single: Expr,
    /// Where the duty to attack stands.
    pub cite_attack: Cite,
    /// Where the duty to be attacked stands.
    pub cite_target: Cite,
    /// Where the shape of battles stands.
    pub cite_shape: Cite,
    /// Where it stands that a unit fights in one battle; else what `cite_shape` says.
    pub cite_joined: Cite,
    /// Where it stands that one attacker fights alone; else what `cite_shape` says.
    pub cite_single: Cite,
}

fn typed(pairs: &[(&str, Kind)]) -> Vec<(String, Kind)> {
    pairs.iter().map(|(n, k)| ((*n).to_owned(), *k)).collect()
}

fn rows_of(
    fields: &mut Fields<'_>,
    key: &'static str,
    read: Read,
    rows: &[Rows],
    given: &[Kind],
    reader: &mut Reader<'_>,
) -> Option<usize> {
    fields.must(key, reader.found)?;
    may_rows_of(fields, key, read, rows, given, reader)
}

/// The list of rows that a key names, if it is there; it must be given just these.
pub(super) fn may_rows_of(
    fields: &mut Fields<'_>,
    key: &'static str,
    read: Read,
    rows: &[Rows],
    given: &[Kind],
    reader: &mut Reader<'_>,
) -> Option<usize> {
    let node = fields.may(key)?;
    let at = named(node, read, rows, reader)?;
    if rows[at].given.iter().map(|(_, k)| *k).ne(given.iter().copied()) {
        let wanted: Vec<&str> = given.iter().map(|k| k.words()).collect();
        let wanted = if wanted.is_empty() { "nothing".to_owned() } else { wanted.join(", ") };
        let message = format!("`{}` must be given {wanted}", rows[at].name);
        reader.found.error("kind", &node.span, message, "change its `given:`");
    }
    Some(at)
}

/// Reads `retreats:`.
pub(super) fn retreats(
    node: Option<&Node>,
    rows: &[Rows],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Vec<Retreating> {
    let mut list = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let step = [Kind::Unit, Kind::Space, Kind::Space];
        let may_step = rows_of(&mut fields, "may-step", Read::May, rows, &step, reader);
        let scope = typed(&[("unit", Kind::Unit), ("space", Kind::Space)]);
        let touched =
            fields.may("touched").map_or(Some(Expr::Const(0)), |n| compile(n, &scope, Kind::Flag, names, reader));
        let path = [Kind::Unit, Kind::Space, Kind::Space, Kind::Flag];
        let by = rows_of(&mut fields, "by", Read::First, rows, &path, reader);
        let cite = reader.must_cite(&mut fields);
        fields.finish(reader.found);
        if let (Some(may_step), Some(touched), Some(by)) = (may_step, touched, by) {
            list.push(Retreating { name: name.as_text(reader.found), may_step, touched, by, cite });
        }
    }
    list
}

/// Sets of units in contact are kept bit by bit.
const MOST_IN_CONTACT: usize = 128;

fn most_of_a_side(names: &Names<'_>) -> usize {
    let sides = names.attributes.iter().find(|a| a.holder == Holder::Unit && a.name == "side");
    let count = |side: i32| sides.map_or(0, |a| a.values.iter().filter(|v| **v == side).count());
    (0..names.sides.len() as i32).map(count).max().unwrap_or(0)
}

/// Reads `contacts:`.
pub(super) fn contacts(node: Option<&Node>, rows: &[Rows], names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Contact> {
    let mut list = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let pairs = rows_of(&mut fields, "pairs", Read::May, rows, &[Kind::Unit, Kind::Unit], reader);
        let scope = typed(&[("unit", Kind::Unit)]);
        let mut condition = |key, scope: &[(String, Kind)], reader: &mut Reader<'_>| {
            fields.must(key, reader.found).and_then(|n| compile(n, scope, Kind::Flag, names, reader))
        };
        if most_of_a_side(names) > MOST_IN_CONTACT {
            let message = format!("a side has more than {MOST_IN_CONTACT} counters, too many to look ahead for");
            reader.found.error(
                "too-many",
                &name.span,
                message,
                "declare contact only in games of fewer counters a side",
            );
        }
        let attackers = condition("attackers", &scope, reader);
        let targets = condition("targets", &scope, reader);
        let single = condition("single", &[], reader);
        let column = fields.must("joined", reader.found).and_then(|n| {
            let text = n.as_text(reader.found);
            let column = names.schema.column(Holder::Unit, &text);
            if column.is_none() {
                let columns = names.schema.columns.iter().filter(|c| c.holder == Holder::Unit);
                let help = suggest(&text, columns.map(|c| c.name.as_str()));
                reader.found.error("unknown-name", &n.span, format!("units have no property `{text}`"), help);
            }
            column
        });
        let mut cite = |key: &'static str, reader: &mut Reader<'_>| {
            fields.must(key, reader.found).map_or(Cite::NONE, |n| reader.cite_node(n))
        };
        let cite_attack = cite("cite-attack", reader);
        let cite_target = cite("cite-target", reader);
        let cite_shape = cite("cite-shape", reader);
        let mut or_shape = |key: &'static str| fields.may(key).map_or(cite_shape, |n| reader.cite_node(n));
        let (cite_joined, cite_single) = (or_shape("cite-joined"), or_shape("cite-single"));
        fields.finish(reader.found);
        if let (Some(pairs), Some(attackers), Some(targets), Some(single), Some(column)) =
            (pairs, attackers, targets, single, column)
        {
            let name = name.as_text(reader.found);
            list.push(Contact {
                name,
                pairs,
                attackers,
                targets,
                column,
                single,
                cite_attack,
                cite_target,
                cite_shape,
                cite_joined,
                cite_single,
            });
        }
    }
    list
}

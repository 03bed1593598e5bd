//! Ways of moving, of retreating, and of being in contact: what they cost, and which printed lists they ask.

use std::sync::OnceLock;

use super::{
    Attribute, Cite,
    reading::Reader,
    rows::{Expr, Names, Read, Rows},
    state::{Holder, Kind},
    steps::Baked,
    tables::compile,
};
use crate::{
    diagnostic::{Span, suggest},
    map::Map,
    yaml::{Fields, Node},
};

/// A class of movers: what each step costs, what closes a border, what ends a move.
#[derive(Debug)]
pub struct Mover {
    /// Its name.
    pub name: String,
    /// Ways a mover of this class may be on, and which may follow which (bit sets).
    pub ways: Vec<String>,
    /// `changes[w]`: ways one may be on after a step begun on `w`.
    pub changes: Vec<u8>,
    /// Units of cost in a movement point.
    pub point: u16,
    /// Movement points of a unit; rules say how many where it is not declared.
    pub allowance: Option<Points>,
    /// Movement points beyond it, at a price the rules name.
    pub extra: Option<Points>,
    /// Whether one space may always be entered, whatever it costs.
    pub minimum: bool,
    /// Step costs; the first row that holds decides. Given unit, from, to.
    pub step: Vec<StepRow>,
    /// The mover whose step costs these are: itself, or the one it moves `as`.
    pub steps_of: String,
    /// Guards, given unit, from, to: index into the ruleset's rows.
    pub forbid: Option<usize>,
    /// What ends a move, given unit, from, to: index into the ruleset's rows.
    pub ends: Option<usize>,
    /// What a move pauses at, given unit, from, to: a rule may let it go on with what is left. Index into the
    /// ruleset's rows.
    pub pauses: Option<usize>,
    /// Guards of the space where a move ends, given unit, from (where it began), to: index into the ruleset's rows.
    pub at_end: Option<usize>,
    /// Step costs worked out for every border, when first asked for.
    baked: OnceLock<Baked>,
}

/// Movement points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Points {
    /// So many.
    Just(u16),
    /// The sum of these rows, given unit: index into the ruleset's rows. Less than nothing counts as nothing.
    Rows(usize),
}

impl Mover {
    /// A cost as people say it: in movement points, with a fraction.
    pub fn in_points(&self, cost: u16) -> String {
        let (whole, rest) = (cost / self.point, cost % self.point);
        let rest = match (rest * 12 / self.point, rest * 12 % self.point) {
            (0, 0) => "",
            (3, 0) => "¼",
            (4, 0) => "⅓",
            (6, 0) => "½",
            (8, 0) => "⅔",
            (9, 0) => "¾",
            _ => return format!("{cost}/{}", self.point),
        };
        if whole == 0 && !rest.is_empty() { rest.to_owned() } else { format!("{whole}{rest}") }
    }

    /// Step costs worked out for every border.
    pub fn baked(&self, map: &Map, attributes: &[Attribute]) -> &Baked {
        self.baked.get_or_init(|| Baked::new(self, map, attributes))
    }
}

/// How something retreats: whole paths, each step farther from where it began, chosen by ordered criteria.
#[derive(Debug, Clone)]
pub struct Retreating {
    /// Its name.
    pub name: String,
    /// Guards of each step, given unit, from, to: index into the ruleset's rows.
    pub through: usize,
    /// A path is touched if one of its spaces holds this; given unit, space.
    pub touched: Expr,
    /// Priorities, given unit, from, to (the end of the path) and touched: index into the ruleset's rows.
    pub by: usize,
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
}

/// One line of a table of step costs.
#[derive(Debug, Clone)]
pub struct StepRow {
    /// Its id.
    pub id: String,
    /// Which way it is on.
    pub way: u8,
    /// Whether it holds.
    pub when: Expr,
    /// What it costs, before what is added.
    pub cost: u16,
    /// What is added: each line whose condition holds.
    pub plus: Vec<(Expr, u16)>,
    /// The sentence people see.
    pub say: String,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// Reads `movers:`.
pub(super) fn movers(node: Option<&Node>, rows: &[Rows], names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Mover> {
    let scope: Vec<(String, Kind)> =
        [("unit", Kind::Unit), ("from", Kind::Space), ("to", Kind::Space)].map(|(n, k)| (n.to_owned(), k)).to_vec();
    let mut movers = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let mut ways = fields.texts("ways", reader.found);
        if ways.is_empty() {
            ways.push("normal".into());
        }
        if ways.len() > 8 {
            reader.found.error("too-many", &body.span, "more than 8 ways of moving", "split the mover");
            ways.truncate(8);
        }
        let mut changes: Vec<u8> = (0..ways.len()).map(|w| 1 << w).collect();
        for (from, to) in fields.may("changes").map(|n| n.entries(reader.found)).unwrap_or_default() {
            let from = way(from, &ways, reader);
            for to in to.items(reader.found) {
                if let (Some(from), Some(to)) = (from, way(to, &ways, reader)) {
                    changes[from] |= 1 << to;
                }
            }
        }
        let name = name.as_text(reader.found);
        let (mut step, mut steps_of, mut point) = (Vec::new(), name.clone(), 1);
        if let Some(node) = fields.may("as") {
            let Some(like) = moves_as(node, &movers, reader) else { continue };
            (ways, changes, point) = (like.ways.clone(), like.changes.clone(), like.point);
            (step, steps_of) = (like.step.clone(), like.steps_of.clone());
        } else {
            for item in fields.must("step", reader.found).map(|n| n.items(reader.found)).unwrap_or_default() {
                step.push(step_row(item, &ways, &scope, names, reader));
            }
        }
        point = fields.may("point").map_or(point, |n| n.as_int(1, 60, reader.found) as u16);
        let allowance = points(&mut fields, "allowance", rows, reader);
        let extra = points(&mut fields, "extra", rows, reader);
        let minimum = fields.may("minimum").is_some_and(|n| n.as_flag(reader.found));
        let forbid = guard(&mut fields, "forbid", rows, &scope, reader);
        let ends = guard(&mut fields, "ends", rows, &scope, reader);
        let pauses = guard(&mut fields, "pauses", rows, &scope, reader);
        let at_end = guard(&mut fields, "at-end", rows, &scope, reader);
        fields.may("says");
        fields.finish(reader.found);
        let baked = OnceLock::new();
        movers.push(Mover {
            name,
            ways,
            changes,
            point,
            allowance,
            extra,
            minimum,
            step,
            steps_of,
            forbid,
            ends,
            pauses,
            at_end,
            baked,
        });
    }
    movers
}

fn way(node: &Node, ways: &[String], reader: &mut Reader<'_>) -> Option<usize> {
    let text = node.as_text(reader.found);
    let at = ways.iter().position(|w| *w == text);
    if at.is_none() {
        let help = suggest(&text, ways.iter().map(String::as_str));
        reader.found.error("unknown-name", &node.span, format!("there is no way `{text}`"), help);
    }
    at
}

/// `as: march`: the ways and step costs of a mover above.
fn moves_as<'m>(node: &Node, movers: &'m [Mover], reader: &mut Reader<'_>) -> Option<&'m Mover> {
    let text = node.as_text(reader.found);
    let like = movers.iter().find(|m| m.name == text);
    if like.is_none() {
        let help = suggest(&text, movers.iter().map(|m| m.name.as_str()));
        reader.found.error("unknown-name", &node.span, format!("there is no mover `{text}` above this one"), help);
    }
    like
}

/// `allowance: 5`, or `allowance: ROWS`, sums given a unit.
fn points(fields: &mut Fields<'_>, key: &'static str, rows: &[Rows], reader: &mut Reader<'_>) -> Option<Points> {
    let node = fields.may(key)?;
    if node.text().is_some_and(|text| text.trim().parse::<i64>().is_ok()) {
        return Some(Points::Just(node.as_int(0, 1000, reader.found) as u16));
    }
    let at = named(node, rows, reader)?;
    let table = &rows[at];
    if table.read != Read::Sum || table.given.iter().map(|(_, kind)| *kind).ne([Kind::Unit]) {
        let message = format!("`{}` must be a sum given a unit", table.name);
        reader.found.error("kind", &node.span, message, "write `read: sum` and `given: { unit: unit }`");
    }
    Some(Points::Rows(at))
}

/// The table of rows that a node names.
fn named(node: &Node, rows: &[Rows], reader: &mut Reader<'_>) -> Option<usize> {
    let text = node.as_text(reader.found);
    let at = rows.iter().position(|r| r.name == text);
    if at.is_none() {
        let help = suggest(&text, rows.iter().map(|r| r.name.as_str()));
        reader.found.error("unknown-name", &node.span, format!("there is no table of rows `{text}`"), help);
    }
    at
}

fn step_row(
    item: &Node,
    ways: &[String],
    scope: &[(String, Kind)],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> StepRow {
    let mut fields = item.fields(reader.found);
    let id = fields.must("id", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
    let on = fields.may("way").and_then(|n| way(n, ways, reader)).unwrap_or(0) as u8;
    let when = fields.may("when").map_or(Some(Expr::Const(1)), |n| compile(n, scope, Kind::Flag, names, reader));
    let cost = fields.must("cost", reader.found).map_or(0, |n| n.as_int(0, 10_000, reader.found)) as u16;
    let mut plus = Vec::new();
    for item in fields.may("plus").map(|n| n.items(reader.found)).unwrap_or_default() {
        let mut fields = item.fields(reader.found);
        let when = fields.must("when", reader.found).and_then(|n| compile(n, scope, Kind::Flag, names, reader));
        let cost = fields.must("cost", reader.found).map_or(0, |n| n.as_int(0, 10_000, reader.found)) as u16;
        fields.may("id");
        fields.may("say");
        reader.must_cite(&mut fields);
        fields.finish(reader.found);
        plus.extend(when.map(|w| (w, cost)));
    }
    let say = fields.text("say", reader.found).unwrap_or_else(|| id.replace('-', " "));
    let cite = reader.must_cite(&mut fields);
    fields.finish(reader.found);
    StepRow { id, way: on, when: when.unwrap_or(Expr::Const(0)), cost, plus, say, cite }
}

fn guard(
    fields: &mut Fields<'_>,
    key: &'static str,
    rows: &[Rows],
    scope: &[(String, Kind)],
    reader: &mut Reader<'_>,
) -> Option<usize> {
    let node = fields.may(key)?;
    let at = named(node, rows, reader)?;
    given_as(&rows[at], scope, &node.span, reader);
    Some(at)
}

fn given_as(rows: &Rows, scope: &[(String, Kind)], span: &Span, reader: &mut Reader<'_>) {
    let kinds = |list: &[(String, Kind)]| list.iter().map(|(_, k)| *k).collect::<Vec<_>>();
    if kinds(&rows.given) != kinds(scope) {
        let message = format!("rows `{}` must be given a unit, a space it leaves and a space it enters", rows.name);
        reader.found.error("kind", span, message, "write `given: { unit: unit, from: space, to: space }`");
    }
}

fn typed(pairs: &[(&str, Kind)]) -> Vec<(String, Kind)> {
    pairs.iter().map(|(n, k)| ((*n).to_owned(), *k)).collect()
}

fn rows_of(
    fields: &mut Fields<'_>,
    key: &'static str,
    rows: &[Rows],
    given: &[Kind],
    reader: &mut Reader<'_>,
) -> Option<usize> {
    let node = fields.must(key, reader.found)?;
    let at = named(node, rows, reader)?;
    if rows[at].given.iter().map(|(_, k)| *k).ne(given.iter().copied()) {
        let wanted: Vec<&str> = given.iter().map(|k| k.words()).collect();
        let message = format!("rows `{}` must be given {}", rows[at].name, wanted.join(", "));
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
        let through = rows_of(&mut fields, "through", rows, &step, reader);
        let scope = typed(&[("unit", Kind::Unit), ("space", Kind::Space)]);
        let touched = fields.must("touched", reader.found).and_then(|n| compile(n, &scope, Kind::Flag, names, reader));
        let path = [Kind::Unit, Kind::Space, Kind::Space, Kind::Flag];
        let by = rows_of(&mut fields, "by", rows, &path, reader);
        reader.must_cite(&mut fields);
        fields.finish(reader.found);
        if let (Some(through), Some(touched), Some(by)) = (through, touched, by) {
            list.push(Retreating { name: name.as_text(reader.found), through, touched, by });
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
        let pairs = rows_of(&mut fields, "pairs", rows, &[Kind::Unit, Kind::Unit], reader);
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
            });
        }
    }
    list
}

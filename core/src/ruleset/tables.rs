//! Printed lists and tables: rows, words, zones, tables looked up by column and row, and ways of moving.

use std::sync::OnceLock;

use super::{
    Attribute, Cite, Provenance,
    reading::Reader,
    rows::{
        Compiler, Expr, Names, Read, Row, Rows, Scope, Word, Zone,
        fold::{Candidates, Known, columns_read},
    },
    state::{Holder, Kind},
    steps::Baked,
};
use crate::{
    diagnostic::{Span, suggest},
    map::Map,
    yaml::{Fields, Node},
};

/// A table looked up by column and row.
#[derive(Debug, Clone)]
pub struct Grid {
    /// Its name.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Column headings, left to right.
    pub columns: Vec<String>,
    /// Row headings, top to bottom.
    pub rows: Vec<String>,
    /// Index of the list of symbols its cells hold.
    pub symbols: u16,
    /// Cells by row, then column.
    pub cells: Vec<Vec<i32>>,
    /// Where each cell comes from.
    pub from: Vec<Vec<Provenance>>,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// A class of movers: what each step costs, what closes a border, what ends a move.
#[derive(Debug)]
pub struct Mover {
    /// Its name.
    pub name: String,
    /// Ways a mover of this class may be on, and which may follow which (bit sets).
    pub ways: Vec<String>,
    /// `changes[w]`: ways one may be on after a step begun on `w`.
    pub changes: Vec<u8>,
    /// Step costs; the first row that holds decides. Given unit, from, to.
    pub step: Vec<StepRow>,
    /// Guards, given unit, from, to: index into the ruleset's rows.
    pub forbid: Option<usize>,
    /// What ends a move, given unit, from, to: index into the ruleset's rows.
    pub ends: Option<usize>,
    /// Step costs worked out for every border, when first asked for.
    baked: OnceLock<Baked>,
}

impl Mover {
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

pub(super) fn given(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<(String, Kind)> {
    let mut list = Vec::new();
    for (name, kind) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let text = kind.as_text(reader.found);
        let kind = match text.as_str() {
            "unit" => Kind::Unit,
            "space" => Kind::Space,
            "side" => Kind::Side,
            "number" => Kind::Int,
            "card" => Kind::Card,
            "flag" => Kind::Flag,
            "terrain" => Kind::Terrain,
            other => {
                let record = names.schema.records.iter().position(|r| r.name == other);
                match (names.schema.symbols(other), record) {
                    (Some(list), _) => Kind::Symbol(list),
                    (None, Some(record)) => Kind::Record(record as u8),
                    (None, None) => {
                        let known = ["unit", "space", "side", "number", "card", "flag", "terrain"];
                        let help = suggest(other, known);
                        reader.found.error("unknown-kind", &kind.span, format!("`{other}` is no kind"), help);
                        Kind::Int
                    }
                }
            }
        };
        list.push((name.as_text(reader.found), kind));
    }
    if list.len() > MOST_GIVEN {
        let span = node.map_or_else(|| Span::file(""), |n| n.span.clone());
        let message = format!("more than {MOST_GIVEN} things are given");
        reader.found.error("too-many", &span, message, "let the condition look the others up");
    }
    list
}

/// Rules hand rows and words at most so many things.
const MOST_GIVEN: usize = 5;

fn compile(
    node: &Node,
    scope: &[(String, Kind)],
    wanted: Kind,
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Option<Expr> {
    let text = node.as_text(reader.found);
    let compiler = Compiler { names, span: node.span.clone() };
    compiler.compile(&text, &Scope { bound: scope.to_vec() }, wanted, reader.found)
}

/// Reads `words:` one after the other; a word may use the words above it.
pub(super) fn words(node: Option<&Node>, zones: &[Zone], base: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let names = Names { words: &words, zones, ..*base };
        let given = given(fields.may("given"), &names, reader);
        let is = fields.must("is", reader.found);
        reader.cite(&mut fields);
        fields.finish(reader.found);
        let Some(is) = is else { continue };
        let text = is.as_text(reader.found);
        let compiler = Compiler { names: &names, span: is.span.clone() };
        let compiled = compiler.kind_of(&text, &Scope { bound: given.clone() }, reader.found);
        let name = name.as_text(reader.found);
        // A word that could not be read stays known, so that its uses are not reported as well.
        let (body, kind) = compiled.unwrap_or((Expr::Const(0), Kind::Flag));
        words.push(Word { name, given, body, kind });
    }
    words
}

/// Reads `zones:`.
pub(super) fn zones(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Zone> {
    let mut zones = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let scope = vec![("unit".to_owned(), Kind::Unit), ("against".to_owned(), Kind::Side)];
        let when = fields.must("units", reader.found).and_then(|n| compile(n, &scope, Kind::Flag, names, reader));
        let range = fields.may("range").map_or(1, |n| n.as_int(0, 12, reader.found)) as u16;
        let cite = reader.must_cite(&mut fields);
        fields.may("says");
        fields.finish(reader.found);
        let when = when.unwrap_or(Expr::Const(0));
        let reads = columns_read(&when, names);
        let against = |side: i32| {
            let known = Known { slots: &[(1, side)], phasing: None, attributes: names.attributes };
            Candidates::new(&when, 0, 0..names.units.len() as i32, known)
        };
        let candidates = (0..names.sides.len() as i32).map(against).collect();
        zones.push(Zone { name: name.as_text(reader.found), range, reads, candidates, cite });
    }
    zones
}

/// Reads `rows:`.
pub(super) fn rows(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Rows> {
    let mut tables = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let read = match fields.must("read", reader.found).map(|n| (n.as_text(reader.found), n)) {
            Some((text, node)) => match text.as_str() {
                "sum" => Read::Sum,
                "forbid" => Read::Forbid,
                "first" => Read::First,
                other => {
                    let help = suggest(other, ["sum", "forbid", "first"]);
                    reader.found.error("unknown-name", &node.span, format!("`{other}` is no way to read rows"), help);
                    Read::Forbid
                }
            },
            None => Read::Forbid,
        };
        let given = given(fields.may("given"), names, reader);
        let mut rows: Vec<Row> = Vec::new();
        if let Some(list) = fields.must("rows", reader.found) {
            for item in list.items(reader.found) {
                let row = row(item, read, &given, names, reader);
                if rows.iter().any(|r| r.id == row.id) {
                    let message = format!("row `{}` is given twice", row.id);
                    reader.found.error("twice", &item.span, message, "rename one of the two");
                }
                rows.push(row);
            }
        }
        fields.may("says");
        fields.finish(reader.found);
        let mut candidates = Vec::new();
        let members = match given.first().map(|(_, kind)| *kind).filter(|_| read == Read::Forbid) {
            Some(Kind::Unit) => names.units.len(),
            Some(Kind::Space) => names.map.len(),
            Some(Kind::Card) => names.cards,
            Some(Kind::Side) => names.sides.len(),
            _ => 0,
        };
        if members > 0 {
            let pass = Expr::Not(Box::new(Expr::Either(rows.iter().map(|row| row.when.clone()).collect())));
            candidates.extend((0..names.sides.len() as i32).map(|side| {
                let known = Known { slots: &[], phasing: Some(side), attributes: names.attributes };
                Candidates::new(&pass, 0, 0..members as i32, known)
            }));
        }
        tables.push(Rows { name: name.as_text(reader.found), read, given, rows, candidates });
    }
    tables
}

fn row(item: &Node, read: Read, given: &[(String, Kind)], names: &Names<'_>, reader: &mut Reader<'_>) -> Row {
    let mut fields = item.fields(reader.found);
    let id = fields.must("id", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
    let when = match fields.may("when") {
        Some(node) => compile(node, given, Kind::Flag, names, reader),
        None if read == Read::First || read == Read::Sum => Some(Expr::Const(1)),
        None => {
            reader.found.error("missing", &item.span, "a guard needs its condition", "add `when: ...`");
            None
        }
    };
    let value = match read {
        Read::Sum => fields.must("value", reader.found).and_then(|n| compile(n, given, Kind::Int, names, reader)),
        Read::First => fields.may("value").and_then(|n| compile(n, given, Kind::Any, names, reader)),
        Read::Forbid => None,
    };
    let say = fields.text("say", reader.found).unwrap_or_else(|| id.replace('-', " "));
    let cite = reader.must_cite(&mut fields);
    fields.finish(reader.found);
    let (when, value) = (when.unwrap_or(Expr::Const(0)), value.unwrap_or(Expr::Const(0)));
    Row { id, when, value, say, cite, span: item.span.clone() }
}

/// Reads `tables:`.
pub(super) fn grids(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Grid> {
    let mut tables = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let id = name.as_text(reader.found);
        let title = fields.text("title", reader.found).unwrap_or_else(|| id.clone());
        let columns = fields.texts("columns", reader.found);
        let rows = fields.texts("rows", reader.found);
        let symbols = fields.must("holds", reader.found).map_or(0, |n| {
            let text = n.as_text(reader.found);
            names.schema.symbols(&text).unwrap_or_else(|| {
                let help = suggest(&text, names.schema.symbols.iter().map(|s| s.name.as_str()));
                reader.found.error("unknown-name", &n.span, format!("there is no list of symbols `{text}`"), help);
                0
            })
        });
        let cite = reader.must_cite(&mut fields);
        let from = columns_from(&mut fields, &columns, reader);
        let mut cells = vec![vec![-1; columns.len()]; rows.len()];
        for (key, line) in fields.must("cells", reader.found).map(|n| n.entries(reader.found)).unwrap_or_default() {
            let text = key.as_text(reader.found);
            let Some(row) = rows.iter().position(|r| *r == text) else {
                let help = suggest(&text, rows.iter().map(String::as_str));
                reader.found.error("unknown-name", &key.span, format!("there is no row `{text}`"), help);
                continue;
            };
            line_of(line, &columns, &mut cells[row], symbols, names, reader);
        }
        fields.finish(reader.found);
        for (row, line) in cells.iter().enumerate() {
            for (column, cell) in line.iter().enumerate() {
                if *cell < 0 {
                    let message = format!("table `{id}` has no cell at column {}, row {}", columns[column], rows[row]);
                    reader.found.error("missing", &body.span, message, "write it, or drop the column or row");
                }
            }
        }
        let from = vec![from; rows.len()];
        tables.push(Grid { name: id, title, columns, rows, symbols, cells, from, cite });
    }
    tables
}

/// `from: reconstructed`, or by column: `from: { "+2": printed }`, the rest as `else` says.
fn columns_from(fields: &mut Fields<'_>, columns: &[String], reader: &mut Reader<'_>) -> Vec<Provenance> {
    let Some(node) = fields.may("from") else { return vec![Provenance::Printed; columns.len()] };
    if node.text().is_some() {
        return vec![Provenance::read(Some(node), reader.found); columns.len()];
    }
    let rest = Provenance::read(node.get("else"), reader.found);
    columns.iter().map(|c| node.get(c).map_or(rest, |n| Provenance::read(Some(n), reader.found))).collect()
}

fn line_of(
    line: &Node,
    columns: &[String],
    cells: &mut [i32],
    symbols: u16,
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) {
    let list = &names.schema.symbols[symbols as usize];
    for (key, cell) in line.entries(reader.found) {
        let text = key.as_text(reader.found);
        let Some(column) = columns.iter().position(|c| *c == text) else {
            let help = suggest(&text, columns.iter().map(String::as_str));
            reader.found.error("unknown-name", &key.span, format!("there is no column `{text}`"), help);
            continue;
        };
        let text = cell.as_text(reader.found);
        match list.values.iter().position(|v| *v == text) {
            Some(at) => cells[column] = at as i32,
            None => {
                let help = suggest(&text, list.values.iter().map(String::as_str));
                let message = format!("`{text}` is not one of `{}`", list.name);
                reader.found.error("unknown-name", &cell.span, message, help);
                cells[column] = 0;
            }
        }
    }
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
        let mut step = Vec::new();
        for item in fields.must("step", reader.found).map(|n| n.items(reader.found)).unwrap_or_default() {
            step.push(step_row(item, &ways, &scope, names, reader));
        }
        let forbid = guard(&mut fields, "forbid", rows, &scope, reader);
        let ends = guard(&mut fields, "ends", rows, &scope, reader);
        fields.may("says");
        fields.finish(reader.found);
        let (name, baked) = (name.as_text(reader.found), OnceLock::new());
        movers.push(Mover { name, ways, changes, step, forbid, ends, baked });
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
    let text = node.as_text(reader.found);
    let at = rows.iter().position(|r| r.name == text);
    match at {
        None => {
            let help = suggest(&text, rows.iter().map(|r| r.name.as_str()));
            reader.found.error("unknown-name", &node.span, format!("there is no table of rows `{text}`"), help);
        }
        Some(at) => given_as(&rows[at], scope, &node.span, reader),
    }
    at
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
    let text = node.as_text(reader.found);
    let at = rows.iter().position(|r| r.name == text);
    match at {
        None => {
            let help = suggest(&text, rows.iter().map(|r| r.name.as_str()));
            reader.found.error("unknown-name", &node.span, format!("there is no table of rows `{text}`"), help);
        }
        Some(at) if rows[at].given.iter().map(|(_, k)| *k).ne(given.iter().copied()) => {
            let wanted: Vec<&str> = given.iter().map(|k| k.words()).collect();
            let message = format!("rows `{text}` must be given {}", wanted.join(", "));
            reader.found.error("kind", &node.span, message, "change its `given:`");
        }
        Some(_) => (),
    }
    at
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

/// Holders whose attributes are read from `attributes:`.
pub(super) const HOLDERS: [(&str, Holder); 2] = [("units", Holder::Unit), ("cards", Holder::Card)];

//! Printed lists and tables: rows, words, zones, and tables looked up by column and row.

use super::{
    Cite, KnownSights, Provenance,
    kind::Kind,
    reading::Reader,
    rows::{
        Compiler, Expr, FUNCTIONS, Names, Read, Reads, Row, Rows, Scope, Sighting, Word, Zone,
        fold::{Candidates, Known},
    },
    state::{Holder, Schema},
    symbols::Symbols,
    texts,
};
use crate::{
    diagnostic::{Span, suggest},
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

pub(super) fn given(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<(String, Kind)> {
    let mut list = Vec::new();
    for (name, kind) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let kind = kind_given(kind, names, reader);
        list.push((name.as_text(reader.found), kind));
    }
    if list.len() > MOST_GIVEN {
        let span = node.map_or_else(|| Span::file(""), |n| n.span.clone());
        let message = format!("more than {MOST_GIVEN} things are given");
        reader.found.error("too-many", &span, message, "let the condition look the others up");
    }
    list
}

/// The kind of something that is given, by its name.
pub(super) fn kind_given(kind: &Node, names: &Names<'_>, reader: &mut Reader<'_>) -> Kind {
    let text = kind.as_text(reader.found);
    match text.as_str() {
        "unit" => Kind::Unit,
        "space" => Kind::Space,
        "side" => Kind::Side,
        "number" => Kind::Int,
        "card" => Kind::Card,
        "flag" => Kind::Flag,
        "terrain" => Kind::Terrain,
        "units" => Kind::Units,
        "spaces" => Kind::Spaces,
        other => {
            let record = names.schema.records.iter().position(|r| r.name == other);
            match (names.schema.symbols(other), record) {
                (Some(list), _) => Kind::Symbol(list),
                (None, Some(record)) => Kind::Record(record as u8),
                (None, None) => {
                    let known = ["unit", "space", "side", "number", "card", "flag", "terrain", "units", "spaces"];
                    let help = Symbols::help_with(other).unwrap_or_else(|| suggest(other, known));
                    reader.found.error("unknown-kind", &kind.span, format!("`{other}` is no kind"), help);
                    Kind::Int
                }
            }
        }
    }
}

/// Rules hand rows and words at most so many things.
const MOST_GIVEN: usize = 5;

pub(super) fn compile(
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
pub(super) fn words(node: Option<&Node>, base: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let names = Names { words: &words, ..*base };
        if name.text().is_some_and(|text| FUNCTIONS.contains(&text)) {
            let message =
                format!("`{}` is a function of the language, and would hide the word", name.as_text(reader.found));
            reader.found.error("taken", &name.span, message, "give the word another name");
        }
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
        let steps = body.steps(&words);
        let looks_at = Reads::of(&body, &names);
        words.push(Word { name, given, body, kind, steps, looks_at });
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
        let mut looks_at = Reads::of(&when, names);
        looks_at.columns.insert(Schema::PLACE);
        let against = |side: i32| {
            let known = Known {
                slots: &[(1, side)],
                phasing: None,
                attributes: names.attributes,
                map: names.map,
                words: names.words,
            };
            Candidates::new(&when, 0, 0..names.units.len() as i32, known)
        };
        let candidates: Vec<Candidates> = (0..names.sides.len() as i32).map(against).collect();
        let reads = candidates.iter().map(|c| Reads::parts_of(c, 0, names)).collect();
        zones.push(Zone { name: name.as_text(reader.found), range, looks_at, reads, candidates, cite });
    }
    zones
}

/// Reads `sights:`: lines of sight, each with the rows that block it.
pub(super) fn sights(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Sighting> {
    let given: Vec<(String, Kind)> = ["from", "to", "at"].map(|n| (n.to_owned(), Kind::Space)).to_vec();
    let mut sights: Vec<Sighting> = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let along = fields.may("along");
        let by_either = match along.map(|n| n.as_text(reader.found)).as_deref() {
            None | Some("both") => false,
            Some("either") => true,
            Some(other) => {
                let span = along.map_or(&body.span, |n| &n.span);
                let message =
                    format!("a line along a border is blocked by `both` or `either` of its spaces, not `{other}`");
                reader.found.error("unknown-name", span, message, suggest(other, ["both", "either"]));
                false
            }
        };
        let list = fields.must("blocked", reader.found).map(|n| n.items(reader.found)).unwrap_or_default();
        let blocked: Vec<Row> = list.iter().map(|item| row(item, Read::Forbid, &given, names, reader)).collect();
        told_apart(list, reader);
        let cite = reader.must_cite(&mut fields);
        fields.may("says");
        fields.finish(reader.found);
        let mut looks_at = Reads::default();
        blocked.iter().for_each(|row| looks_at.join(&row.looks_at));
        let lasting = looks_at.is_lasting().then(KnownSights::default);
        sights.push(Sighting { name: name.as_text(reader.found), blocked, by_either, looks_at, lasting, cite });
    }
    sights
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
                rows.push(row(item, read, &given, names, reader));
            }
            told_apart(list.items(reader.found), reader);
        }
        let least = match fields.may("least") {
            Some(node) if read != Read::Sum => {
                reader.found.error("kind", &node.span, "only a sum has a least value", "delete it, or `read: sum`");
                i32::MIN
            }
            Some(node) => node.as_int(-100_000, 100_000, reader.found),
            None => i32::MIN,
        };
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
                let known = Known {
                    slots: &[],
                    phasing: Some(side),
                    attributes: names.attributes,
                    map: names.map,
                    words: names.words,
                };
                Candidates::new(&pass, 0, 0..members as i32, known)
            }));
        }
        tables.push(Rows { name: name.as_text(reader.found), read, given, rows, least, candidates });
    }
    tables
}

/// Checks that no two rows of a list have one id: amendments and refusals name them by it.
pub(super) fn told_apart(rows: &[Node], reader: &mut Reader<'_>) {
    let id = |row: &Node| row.get("id").and_then(Node::text).map(str::to_owned);
    for (at, row) in rows.iter().enumerate() {
        if let Some(own) = id(row).filter(|own| rows[..at].iter().any(|above| id(above).as_ref() == Some(own))) {
            let message = format!("row `{own}` is given twice");
            reader.found.error("twice", &row.span, message, "rename one of the two");
        }
    }
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
    let written = item.get("value").and_then(Node::text).unwrap_or_default().to_owned();
    let refused: Vec<&str> = given.iter().filter(|_| read == Read::Forbid).map(|(name, _)| name.as_str()).collect();
    let say = fields.may("say").map_or_else(|| id.replace('-', " "), |n| texts::sentence(n, &refused, reader));
    let from = Provenance::read(fields.may("from"), reader.found);
    let cite = reader.must_cite(&mut fields);
    fields.finish(reader.found);
    let (when, value) = (when.unwrap_or(Expr::Const(0)), value.unwrap_or(Expr::Const(0)));
    let looks_at = Reads::of(&when, names);
    Row { id, when, looks_at, value, written, say, from, cite, span: item.span.clone() }
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

/// Holders whose attributes are read from `attributes:`.
pub(super) const HOLDERS: [(&str, Holder); 2] = [("units", Holder::Unit), ("cards", Holder::Card)];

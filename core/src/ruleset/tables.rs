//! Printed lists, read row by row, and the terms, zones and lines of sight that their conditions name.

use super::{
    KnownSights, Provenance,
    kind::Kind,
    reading::Reader,
    rows::{
        Compiler, Expr, FUNCTIONS, Names, OfGround, Read, Reads, Row, Rows, Scope, Sighting, Term, Zone,
        fold::{Alone, Candidates, Known},
    },
    state::{Holder, Schema},
    symbols::Symbols,
    texts,
};
use crate::{
    diagnostic::{Span, suggest},
    yaml::{Fields, Node},
};

pub(super) fn given(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<(String, Kind)> {
    let mut list = Vec::new();
    for (name, kind) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let kind = kind_given(kind, &[], names, reader);
        list.push((name.as_text(reader.found), kind));
    }
    if list.len() > Rows::MOST_GIVEN {
        let span = node.map_or_else(|| Span::file(""), |n| n.span.clone());
        let message = format!("more than {} things are given", Rows::MOST_GIVEN);
        reader.found.error("too-many", &span, message, "let the condition look the others up");
    }
    list
}

/// The kind of something that is given, by its name; `also` are other words that may stand there.
pub(super) fn kind_given(kind: &Node, also: &[&str], names: &Names<'_>, reader: &mut Reader<'_>) -> Kind {
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
                    let lists = names.schema.symbols.iter().map(|list| &*list.name);
                    let records = names.schema.records.iter().map(|record| &*record.name);
                    let known = known.into_iter().chain(also.iter().copied()).chain(lists).chain(records);
                    let help = Symbols::help_with(other).unwrap_or_else(|| suggest(other, known));
                    reader.found.error("unknown-kind", &kind.span, format!("`{other}` is no kind"), help);
                    Kind::Int
                }
            }
        }
    }
}

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

/// Reads a term, which may use those that are named; nothing where it is wrong.
pub(super) fn term(name: &Node, body: &Node, names: &Names<'_>, reader: &mut Reader<'_>) -> Option<Term> {
    let mut fields = body.fields(reader.found);
    if name.text().is_some_and(|text| FUNCTIONS.contains(&text)) {
        let message =
            format!("`{}` is a function of the language, and would hide the term", name.as_text(reader.found));
        reader.found.error("taken", &name.span, message, "give the term another name");
    }
    let given = given(fields.may("given"), names, reader);
    let is = fields.must("is", reader.found);
    reader.cite(&mut fields);
    fields.finish(reader.found);
    let is = is?;
    let text = is.as_text(reader.found);
    let compiler = Compiler { names, span: is.span.clone() };
    let compiled = compiler.kind_of(&text, &Scope { bound: given.clone() }, reader.found);
    let name = name.as_text(reader.found);
    let (body, kind) = compiled?;
    let (steps, deep) = (body.steps(names.terms), names.deep(&body));
    let looks_at = Reads::of(&body, names);
    let of_ground = OfGround::new(&given, &body, &looks_at, names);
    Some(Term { name, given, body, kind, of_player: false, steps, deep, looks_at, of_ground })
}

/// Reads `zones:`.
pub(super) fn zones(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Zone> {
    let mut zones = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let scope = vec![("unit".to_owned(), Kind::Unit), ("against".to_owned(), Kind::Side)];
        let when = fields.must("units", reader.found).and_then(|n| compile(n, &scope, Kind::Flag, names, reader));
        let range = fields.may("range").map_or(1, |n| n.as_int(0, 12, reader.found)) as u16;
        let here = fields.may("here").is_some_and(|n| n.as_flag(reader.found));
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
                terms: names.terms,
            };
            let candidates = Candidates::new(&when, 0, 0..names.units.len() as i32, known);
            Candidates { alone: Alone::of(&candidates.when, 0, names), ..candidates }
        };
        let candidates: Vec<Candidates> = (0..names.sides.len() as i32).map(against).collect();
        let reads = candidates.iter().map(|c| Reads::parts_of(c, 0, names)).collect();
        zones.push(Zone { name: name.as_text(reader.found), range, here, looks_at, reads, candidates, cite });
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
        let blocked: Vec<Row> =
            list.iter().map(|item| row(item, Read::May, Kind::Flag, &given, names, reader)).collect();
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

/// Reads `may:`, `sum:` and `first:`.
pub(super) fn rows(fields: &mut Fields<'_>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Rows> {
    Read::ALL.into_iter().flat_map(|read| section(fields.may(read.section()), read, names, reader)).collect()
}

fn section(node: Option<&Node>, read: Read, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Rows> {
    let mut tables = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let given = given(fields.may("given"), names, reader);
        let passing = format!("may-{}", name.text().unwrap_or_default());
        if read == Read::May && names.sets.iter().any(|set| set.name == passing) {
            let message = format!("rules call those that it lets pass `{passing}`, which is a set");
            reader.found.error("taken", &name.span, message, "rename one of the two");
        }
        let kind = match read {
            Read::May => Kind::Flag,
            Read::Sum => Kind::Int,
            Read::First => fields.may("gives").map_or(Kind::Int, |node| gives(node, names, reader)),
        };
        let mut rows: Vec<Row> = Vec::new();
        if let Some(list) = fields.must(read.key(), reader.found) {
            for item in list.items(reader.found) {
                rows.push(row(item, read, kind, &given, names, reader));
            }
            told_apart(list.items(reader.found), reader);
        }
        let least = fields.may("least").filter(|_| read == Read::Sum);
        let least = least.map_or(i32::MIN, |node| node.as_int(-100_000, 100_000, reader.found));
        fields.may("says");
        fields.finish(reader.found);
        let mut candidates = Vec::new();
        let members = match given.first().map(|(_, kind)| *kind).filter(|_| read == Read::May) {
            Some(Kind::Unit) => names.units.len(),
            Some(Kind::Space) => names.map.len(),
            Some(Kind::Card) => names.cards,
            Some(Kind::Side) => names.sides.len(),
            Some(Kind::Symbol(list)) => names.schema.symbols[usize::from(list)].values.len(),
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
                    terms: names.terms,
                };
                let candidates = Candidates::new(&pass, 0, 0..members as i32, known);
                let are_units = given[0].1 == Kind::Unit;
                let alone = if are_units { Alone::of(&candidates.when, 0, names) } else { None };
                Candidates { alone, ..candidates }
            }));
        }
        let looks_at = rows.iter().fold(Reads::default(), |all, row| all.and(&row.looks_at));
        let keeping = (members > 0).then(|| looks_at.keeping(&given[1..], 1, names.schema)).flatten();
        tables.push(Rows { name: name.as_text(reader.found), read, kind, given, rows, least, candidates, keeping });
    }
    tables
}

/// `gives: odds`: the list of named values that the first row gives one of.
fn gives(node: &Node, names: &Names<'_>, reader: &mut Reader<'_>) -> Kind {
    names.schema.symbols_at(node, reader.found).map_or(Kind::Int, Kind::Symbol)
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

fn row(
    item: &Node,
    read: Read,
    kind: Kind,
    given: &[(String, Kind)],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Row {
    let mut fields = item.fields(reader.found);
    let id = fields.must("id", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
    let condition = fields.may("when");
    let when = match condition {
        Some(node) => compile(node, given, Kind::Flag, names, reader),
        None if read != Read::May => Some(Expr::Const(1)),
        None => {
            reader.found.error("missing", &item.span, "a guard needs its condition", "add `when: ...`");
            None
        }
    };
    // A guard's sentence may name what is given, and what its condition finds.
    let finds = match (condition, item.get("say").and_then(Node::text)) {
        (Some(node), Some(say)) if read == Read::May && when.is_some() => {
            let compiler = Compiler { names, span: node.span.clone() };
            let scope = Scope { bound: given.to_vec() };
            compiler
                .finds(node.text().unwrap_or_default(), &scope, |name| texts::blanks(say).any(|blank| blank == name))
        }
        _ => Vec::new(),
    };
    let value = match read {
        Read::Sum => fields.must("value", reader.found).and_then(|n| compile(n, given, Kind::Int, names, reader)),
        Read::First => match kind {
            Kind::Symbol(list) => named_value(&mut fields, item, list, names, reader).map(Expr::Const),
            _ => fields.may("value").and_then(|n| compile(n, given, Kind::Any, names, reader)),
        },
        Read::May => None,
    };
    let names_value = matches!(kind, Kind::Symbol(_));
    let written = item.get("value").or(item.get("id").filter(|_| names_value)).and_then(Node::text);
    let written = written.unwrap_or_default().to_owned();
    let named = given.iter().filter(|_| read == Read::May).map(|(name, _)| name.as_str());
    let refused: Vec<&str> = named.chain(finds.iter().map(|finding| finding.name.as_str())).collect();
    let say = fields.may("say").map_or_else(
        || if names_value { String::new() } else { id.replace('-', " ") },
        |n| texts::sentence(n, &refused, reader),
    );
    let from = Provenance::read(fields.may("from"), reader.found);
    let cite = reader.must_cite(&mut fields);
    fields.finish(reader.found);
    let (when, value) = (when.unwrap_or(Expr::Const(0)), value.unwrap_or(Expr::Const(0)));
    let looks_at = Reads::of(&when, names);
    Row { id, when, looks_at, value, written, say, finds, from, cite, span: item.span.clone() }
}

/// The named value that a row gives: what its `value:` says, else the one that its id names.
fn named_value(
    fields: &mut Fields<'_>,
    item: &Node,
    list: u16,
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Option<i32> {
    let node = fields.may("value").or(item.get("id"))?;
    let text = node.as_text(reader.found);
    let list = &names.schema.symbols[usize::from(list)];
    let value = list.values.iter().position(|value| *value == text);
    if value.is_none() {
        let help = suggest(&text, list.values.iter().map(String::as_str));
        let message = format!("`{text}` is not one of `{}`", list.name);
        reader.found.error("unknown-name", &node.span, message, help);
    }
    value.map(|value| value as i32)
}

/// Holders whose attributes are read from `attributes:`.
pub(super) const HOLDERS: [(&str, Holder); 2] = [("units", Holder::Unit), ("cards", Holder::Card)];

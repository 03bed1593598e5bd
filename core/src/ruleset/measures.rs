//! What people count a side's fortunes by, and how one wins: sums over the state, and conditions over those sums.

use super::{
    Cite, Side,
    kind::Kind,
    reading::Reader,
    rows::{Expr, Names},
    tables::compile,
    texts,
};
use crate::{
    diagnostic::suggest,
    yaml::{Fields, Node},
};

/// A sum that every side has: victory points, morale.
#[derive(Debug, Clone)]
pub struct Measure {
    /// Its name in conditions and rules.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// What is added up.
    pub lines: Vec<MeasureLine>,
}

/// One addend of a measure.
#[derive(Debug, Clone)]
pub struct MeasureLine {
    /// Its name within the measure.
    pub id: String,
    /// What it goes through, one by one, if it does: units, spaces or cards.
    pub each: Option<Kind>,
    /// Whether what does not count now is shown as well.
    pub lists_all: bool,
    /// When it counts; given the side, and one of what it goes through.
    pub when: Expr,
    /// What it comes to, given the same.
    pub value: Expr,
    /// What people call it.
    pub say: String,
    /// By which paragraph.
    pub cite: Cite,
}

/// One way to win.
#[derive(Debug, Clone)]
pub struct Victory {
    /// Its name.
    pub id: String,
    /// Who would win so as things stand: given the side, then its measures and the most that another side has of each.
    /// Nothing where the state alone does not say.
    pub when: Option<Expr>,
    /// How, and when it is looked at.
    pub say: String,
    /// By which paragraph.
    pub cite: Cite,
}

/// Reads `measures:`.
pub(super) fn measures(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Measure> {
    let mut measures = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let id = name.as_text(reader.found);
        let title = fields.text("title", reader.found).unwrap_or_else(|| id.clone());
        let mut lines: Vec<MeasureLine> = Vec::new();
        for item in fields.must("lines", reader.found).map(|n| n.items(reader.found)).unwrap_or_default() {
            let line = line(item, names, reader);
            twice(lines.iter().any(|l| l.id == line.id), &line.id, item, reader);
            lines.push(line);
        }
        fields.finish(reader.found);
        measures.push(Measure { id, title, lines });
    }
    measures
}

fn line(item: &Node, names: &Names<'_>, reader: &mut Reader<'_>) -> MeasureLine {
    let mut fields = item.fields(reader.found);
    let id = fields.must("id", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
    let mut given = vec![("side".to_owned(), Kind::Side)];
    let each = fields.may("each").and_then(|node| {
        let text = node.as_text(reader.found);
        let kinds = [("unit", Kind::Unit), ("space", Kind::Space), ("card", Kind::Card)];
        let kind = kinds.iter().find(|(name, _)| *name == text).map(|(_, kind)| *kind);
        if kind.is_none() {
            let help = suggest(&text, kinds.iter().map(|(name, _)| *name));
            reader.found.error("unknown-kind", &node.span, format!("a sum cannot go through each `{text}`"), help);
        }
        given.extend(kind.map(|kind| (text, kind)));
        kind
    });
    let lists_all = fields.may("lists").is_some_and(|node| match node.as_text(reader.found).as_str() {
        "all" => true,
        "counted" => false,
        other => {
            let help = suggest(other, ["all", "counted"]);
            reader.found.error("unknown-name", &node.span, format!("`{other}` says not what is listed"), help);
            false
        }
    });
    let when = match fields.may("when") {
        Some(node) => compile(node, &given, Kind::Flag, names, reader),
        None => Some(Expr::Const(1)),
    };
    let value = fields.must("value", reader.found).and_then(|n| compile(n, &given, Kind::Int, names, reader));
    let (say, cite) = told(&mut fields, reader);
    fields.finish(reader.found);
    let (when, value) = (when.unwrap_or(Expr::Const(0)), value.unwrap_or(Expr::Const(0)));
    MeasureLine { id, each, lists_all, when, value, say, cite }
}

/// Reads `victory:`. Its conditions are given `side`, every measure by its name, and `others-NAME`.
pub(super) fn victory(
    node: Option<&Node>,
    measures: &[Measure],
    sides: &[Side],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Vec<Victory> {
    let mut given = vec![("side".to_owned(), Kind::Side)];
    for measure in measures {
        given.push((measure.id.clone(), Kind::Int));
        given.push((format!("others-{}", measure.id), Kind::Int));
    }
    if let Some(node) = node.filter(|_| given.len() > MOST_GIVEN || sides.is_empty()) {
        let message = format!("conditions of victory are given at most {} measures", MOST_GIVEN / 2);
        reader.found.error("too-many", &node.span, message, "put measures that nobody wins by together");
        given.truncate(MOST_GIVEN);
    }
    let mut list: Vec<Victory> = Vec::new();
    for item in node.map(|n| n.items(reader.found)).unwrap_or_default() {
        let mut fields = item.fields(reader.found);
        let id = fields.must("id", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
        twice(list.iter().any(|v| v.id == id), &id, item, reader);
        let when = fields.may("when").and_then(|n| compile(n, &given, Kind::Flag, names, reader));
        let (say, cite) = told(&mut fields, reader);
        fields.finish(reader.found);
        list.push(Victory { id, when, say, cite });
    }
    list
}

/// As many as leave room for what conditions bind themselves.
const MOST_GIVEN: usize = 9;

fn told(fields: &mut Fields<'_>, reader: &mut Reader<'_>) -> (String, Cite) {
    let say = fields.must("say", reader.found).map(|n| texts::plain(n, reader)).unwrap_or_default();
    (say, reader.must_cite(fields))
}

fn twice(is_twice: bool, id: &str, item: &Node, reader: &mut Reader<'_>) {
    if is_twice {
        reader.found.error("twice", &item.span, format!("`{id}` is given twice"), "rename one of the two");
    }
}

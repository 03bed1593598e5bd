//! What people count a side's fortunes by, and how one wins: sums over the state, and conditions over those sums.

use std::{collections::BTreeSet, ops::RangeInclusive};

use super::{
    Cite, Side,
    kind::Kind,
    reading::Reader,
    rows::{Expr, Names, Reads},
    sequence::Sequence,
    state::Holder,
    tables::compile,
    texts,
};
use crate::{
    diagnostic::suggest,
    yaml::{Fields, Node, Value},
};

/// A sum or a condition that every side has: victory points, losses by corps, who holds a hill.
#[derive(Debug, Clone)]
pub struct Measure {
    /// Its name in conditions and rules.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// What it is counted in; empty where nobody says.
    pub unit: String,
    /// Which way is better for the side.
    pub sense: Sense,
    /// Whether it is yes or no, and counts 1 or 0.
    pub is_condition: bool,
    /// The printed attribute of what it goes through by whose values it is divided, by its number.
    pub by: Option<usize>,
    /// Where it is read besides the end of the game.
    pub at: Vec<ReadAt>,
    /// What is added up; of a condition the one line that counts 1 while it holds.
    pub lines: Vec<MeasureLine>,
}

/// Which way a measure is better for the side that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Sense {
    More,
    Less,
    #[default]
    Neither,
}

/// Where in the sequence of play a measure is read: as a place is left, the last time in each of these turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadAt {
    /// The place, by its number.
    pub place: usize,
    /// In which turns; every turn without.
    pub turns: Option<Vec<i32>>,
}

impl Sense {
    const NAMES: [(&'static str, Sense); 3] =
        [("more", Sense::More), ("less", Sense::Less), ("neither", Sense::Neither)];

    /// The word for it.
    pub fn word(self) -> &'static str {
        Sense::NAMES.iter().find(|(_, sense)| *sense == self).map_or("", |(word, _)| word)
    }
}

impl ReadAt {
    /// Whether it is read in that turn.
    pub fn reads_in(&self, turn: i32) -> bool {
        self.turns.as_ref().is_none_or(|turns| turns.contains(&turn))
    }

    /// A turn that it names and to which no game comes that is played in these.
    pub fn never_comes(&self, played: &RangeInclusive<i32>) -> Option<i32> {
        self.turns.iter().flatten().copied().find(|turn| !played.contains(turn))
    }
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
    /// The printed attributes that it looks at, by their numbers.
    pub looks_at: BTreeSet<u16>,
    /// Where it is read by itself, besides the end of the game.
    pub at: Vec<ReadAt>,
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
    /// In which games it is a way to win, asked of the state; in all without.
    pub among: Option<Expr>,
    /// Who would win so as things stand: given the side, then its measures and the most that another side has of each.
    /// Nothing where the state alone does not say.
    pub when: Option<Expr>,
    /// How, and when it is looked at.
    pub say: String,
    /// By which paragraph.
    pub cite: Cite,
}

/// Reads `measures:`.
pub(super) fn measures(
    node: Option<&Node>,
    sequence: &Sequence,
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Vec<Measure> {
    let mut measures = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let id = name.as_text(reader.found);
        let title = fields.text("title", reader.found).unwrap_or_else(|| id.clone());
        let unit = fields.text("unit", reader.found).unwrap_or_default();
        let sense = fields.may("sense").map_or(Sense::Neither, |node| sense(node, reader));
        let at = read_at(fields.may("at"), sequence, reader);
        let condition = fields.may("when");
        let mut lines: Vec<MeasureLine> = Vec::new();
        let mut by = None;
        if let Some(node) = condition {
            let given = [("side".to_owned(), Kind::Side)];
            let when = compile(node, &given, Kind::Flag, names, reader).unwrap_or(Expr::Const(0));
            let cite = reader.must_cite(&mut fields);
            let (id, say, value) = (id.clone(), title.clone(), Expr::Const(1));
            let (looks_at, at) = (Reads::of(&when, names).attributes, Vec::new());
            lines.push(MeasureLine { id, each: None, lists_all: false, when, value, looks_at, at, say, cite });
        } else {
            for item in fields.must("lines", reader.found).map(|n| n.items(reader.found)).unwrap_or_default() {
                let line = line(item, sequence, names, reader);
                twice(lines.iter().any(|l| l.id == line.id), &line.id, item, reader);
                lines.push(line);
            }
            by = fields.may("by").and_then(|node| divided_by(node, &lines, names, reader));
        }
        fields.finish(reader.found);
        measures.push(Measure { id, title, unit, sense, is_condition: condition.is_some(), by, at, lines });
    }
    measures
}

fn sense(node: &Node, reader: &mut Reader<'_>) -> Sense {
    let text = node.as_text(reader.found);
    let known = Sense::NAMES.iter().find(|(word, _)| *word == text);
    known.map(|(_, sense)| *sense).unwrap_or_else(|| {
        let help = suggest(&text, Sense::NAMES.iter().map(|(word, _)| *word));
        reader.found.error("unknown-name", &node.span, format!("`{text}` says not which way is better"), help);
        Sense::Neither
    })
}

/// Reads `at:`: places of the sequence, `check`, or `{ place: check, turns: [14, 31] }`.
pub(super) fn read_at(node: Option<&Node>, sequence: &Sequence, reader: &mut Reader<'_>) -> Vec<ReadAt> {
    let mut list = Vec::new();
    // One place with its turns stands for a list of one, as a name does.
    let items = |node: &'_ Node, reader: &mut Reader<'_>| match node.value {
        Value::Map(_) => vec![node.clone()],
        _ => node.items(reader.found).to_vec(),
    };
    for item in &node.map(|node| items(node, reader)).unwrap_or_default() {
        let (place, turns) = if item.text().is_some() {
            (Some(item), None)
        } else {
            let mut fields = item.fields(reader.found);
            let place = fields.must("place", reader.found);
            let turns = fields.may("turns").map(|n| n.items(reader.found));
            let turns = turns.map(|all| all.iter().map(|turn| turn.as_int(1, 10_000, reader.found)).collect());
            fields.finish(reader.found);
            (place, turns)
        };
        let Some(place) = place else { continue };
        let text = place.as_text(reader.found);
        match sequence.place(&text) {
            Some(place) => list.push(ReadAt { place, turns }),
            None => {
                let help = suggest(&text, sequence.places.iter().map(|place| place.name.as_str()));
                let message = format!("`{text}` is no place of the sequence");
                reader.found.error("unknown-name", &place.span, message, help);
            }
        }
    }
    list
}

/// Reads `by:`: a printed attribute with named values, of what all lines go through.
fn divided_by(node: &Node, lines: &[MeasureLine], names: &Names<'_>, reader: &mut Reader<'_>) -> Option<usize> {
    let text = node.as_text(reader.found);
    let each = lines.first().and_then(|line| line.each).filter(|each| lines.iter().all(|l| l.each == Some(*each)));
    let Some(each) = each else {
        let message = format!("a sum is divided by `{text}` only where every line goes through the same");
        reader.found.error("unfit", &node.span, message, "give every line `each: unit`, or take `by:` out");
        return None;
    };
    let holder = match each {
        Kind::Unit => Holder::Unit,
        Kind::Space => Holder::Space,
        _ => Holder::Card,
    };
    let fits = |at: &usize| {
        let attribute = &names.attributes[*at];
        attribute.holder == holder && matches!(attribute.kind, Kind::Symbol(_))
    };
    let known: Vec<usize> = (0..names.attributes.len()).filter(fits).collect();
    let found = known.iter().copied().find(|at| names.attributes[*at].name == text);
    if found.is_none() {
        let help = suggest(&text, known.iter().map(|at| names.attributes[*at].name.as_str()));
        let message = format!("`{text}` is no attribute with named values of what the sum goes through");
        reader.found.error("unknown-name", &node.span, message, help);
    }
    found
}

fn line(item: &Node, sequence: &Sequence, names: &Names<'_>, reader: &mut Reader<'_>) -> MeasureLine {
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
    let at = read_at(fields.may("at"), sequence, reader);
    let (say, cite) = told(&mut fields, reader);
    fields.finish(reader.found);
    let (when, value) = (when.unwrap_or(Expr::Const(0)), value.unwrap_or(Expr::Const(0)));
    let looks_at = [&when, &value].into_iter().flat_map(|expr| Reads::of(expr, names).attributes).collect();
    MeasureLine { id, each, lists_all, when, value, looks_at, at, say, cite }
}

/// Reads `victory:`. Its conditions are given `side`, every sum among the measures by its name, and `others-NAME`;
/// `where:`, which chooses the games that a row is for, is given nothing.
pub(super) fn victory(
    node: Option<&Node>,
    measures: &[Measure],
    sides: &[Side],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Vec<Victory> {
    let mut given = vec![("side".to_owned(), Kind::Side)];
    for measure in measures.iter().filter(|measure| !measure.is_condition) {
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
        let among = fields.may("where").and_then(|n| compile(n, &[], Kind::Flag, names, reader));
        let when = fields.may("when").and_then(|n| compile(n, &given, Kind::Flag, names, reader));
        let (say, cite) = told(&mut fields, reader);
        fields.finish(reader.found);
        list.push(Victory { id, among, when, say, cite });
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

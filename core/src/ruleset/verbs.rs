//! What may be answered and asked: `verbs:`, `questions:` and `chance:`.

use std::collections::BTreeMap;

use super::{
    Before, ChanceText, Cite, Kind, Mover, OwnOffer, Rule, Schema, Symbols, Verb, contacts,
    offers::Offering,
    reading::Reader,
    rows::{Expr, Names, Read},
    tables, texts,
};
use crate::{
    diagnostic::suggest,
    yaml::{Fields, Node},
};

/// Reads `verbs:`.
pub(super) fn verbs(
    node: Option<&Node>,
    schema: &Schema,
    places: &[String],
    rows: &[super::rows::Rows],
    reader: &mut Reader<'_>,
) -> Vec<Verb> {
    let mut verbs: Vec<Verb> = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let takes = fields.may("takes").map(|n| read_all_taken(n, schema, reader)).unwrap_or_default();
        let says = fields.may("says").map(|n| texts::plain(n, reader)).unwrap_or_default();
        let also = fields.texts("also", reader.found);
        let ends = fields.may("ends").is_some_and(|n| n.as_flag(reader.found));
        let mut at: Vec<String> = Vec::new();
        for node in fields.may("at").map(|n| n.items(reader.found)).unwrap_or_default() {
            let place = node.as_text(reader.found);
            if !places.contains(&place) {
                let help = suggest(&place, places.iter().map(String::as_str));
                let message = format!("`{place}` is no place of the sequence");
                reader.found.error("unknown-name", &node.span, message, help);
            }
            at.push(place);
        }
        let guards = contacts::may_rows_of(&mut fields, "may", Read::May, rows, &takes, reader);
        let cite = reader.cite(&mut fields);
        fields.finish(reader.found);
        let id = name.as_text(reader.found);
        for word in std::iter::once(&id).chain(&also) {
            if verbs.iter().any(|v| v.id == *word || v.also.contains(word)) {
                let message = format!("`{word}` is already a verb");
                reader.found.error("twice", &name.span, message, "use another word");
            }
        }
        verbs.push(Verb { id, takes, says, also, ends, at, guards, cite });
    }
    verbs
}

/// What a verb takes: one thing, or a list of two.
fn read_all_taken(node: &Node, schema: &Schema, reader: &mut Reader<'_>) -> Vec<Kind> {
    if node.text().is_some() {
        return read_taken(node, schema, reader).into_iter().collect();
    }
    let list = node.items(reader.found);
    if let Some(surplus) = list.get(Verb::MOST_TAKEN) {
        let message = format!("a verb takes {} things at most", Verb::MOST_TAKEN);
        reader.found.error("too-many", &surplus.span, message, "ask for the rest in a question of its own");
    }
    list.iter().take(Verb::MOST_TAKEN).filter_map(|one| read_taken(one, schema, reader)).collect()
}

/// What a verb takes, or a question is about.
fn read_taken(node: &Node, schema: &Schema, reader: &mut Reader<'_>) -> Option<Kind> {
    let text = node.as_text(reader.found);
    let kind = match text.as_str() {
        "unit" => Some(Kind::Unit),
        "space" => Some(Kind::Space),
        "side" => Some(Kind::Side),
        "number" => Some(Kind::Int),
        "card" => Some(Kind::Card),
        other => schema.symbols(other).map(Kind::Symbol),
    };
    if kind.is_none() {
        let lists = schema.symbols.iter().map(|s| s.name.as_str());
        let likely = suggest(&text, ["unit", "space", "side", "number", "card"].into_iter().chain(lists));
        let help = Symbols::help_with(&text).unwrap_or(likely);
        reader.found.error("unknown-kind", &node.span, format!("`{text}` is not what a verb can take"), help);
    }
    kind
}

/// The text of a question.
#[derive(Debug, Clone)]
pub struct QuestionText {
    /// Its stable key.
    pub key: String,
    /// What is asked; `{about}` stands for the subject.
    pub ask: String,
    /// What kind of thing it is about.
    pub about: Option<Kind>,
    /// Where it stands in the rulebook: the first of the paragraphs, where several sides have one each.
    pub cite: Cite,
    /// By the side whose turn it is, where each has a paragraph of its own.
    pub cites: Vec<(i32, Cite)>,
    /// What each verb means in this question, where it differs.
    pub verbs: BTreeMap<String, String>,
    /// The units that are named with the one it is about; given that unit, and the other.
    pub together: Option<Expr>,
    /// What it offers by itself, in the order of verbs.
    pub offers: Vec<OwnOffer>,
    /// The rule that takes its answer, where it is asked before that is carried out.
    pub before: Option<Before>,
}

impl QuestionText {
    /// Where it stands in the rulebook while it is the turn of a side.
    pub fn cite_in_turn_of(&self, side: i32) -> Cite {
        self.cites.iter().find(|(of, _)| *of == side).map_or(self.cite, |(_, cite)| *cite)
    }
}

/// Reads a citation, or one for each of some sides.
fn cites(node: &Node, reader: &mut Reader<'_>) -> (Cite, Vec<(i32, Cite)>) {
    if node.keys().is_empty() {
        return (reader.cite_node(node), Vec::new());
    }
    let mut cites = Vec::new();
    for (side, cite) in node.entries(reader.found) {
        let cite = reader.cite_node(cite);
        cites.extend(reader.side(side).map(|side| (side, cite)));
    }
    (cites.first().map_or(Cite::NONE, |(_, cite)| *cite), cites)
}

/// Reads `questions:`, which offer verbs with what these rows and movers make. Those asked before a rule are noted in it.
pub(super) fn questions(
    node: Option<&Node>,
    names: &Names<'_>,
    (verbs, rows, movers): (&[Verb], &[super::rows::Rows], &[Mover]),
    rules: &mut [Rule],
    reader: &mut Reader<'_>,
) -> Vec<QuestionText> {
    let mut list = Vec::new();
    for (key, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let about = fields.may("about");
        let blanks: &[&str] = if about.is_some() { &["about"] } else { &[] };
        let ask = fields.must("ask", reader.found).map(|n| texts::sentence(n, blanks, reader)).unwrap_or_default();
        let about = about.and_then(|n| read_taken(n, names.schema, reader));
        let together = read_together(&mut fields, names, reader);
        let (cite, cites) = fields.may("cite").map_or((Cite::NONE, Vec::new()), |node| cites(node, reader));
        let mut called = BTreeMap::new();
        for (verb, text) in fields.may("verbs").map(|n| n.entries(reader.found)).unwrap_or_default() {
            called.insert(verb.as_text(reader.found), texts::plain(text, reader));
        }
        let offering = Offering { names, rules, verbs, rows, movers, about };
        let before = fields.may("before");
        let offers = offering.read(fields.may("offers"), before, reader);
        let before = before.and_then(|node| {
            let before = offering.before(node, reader)?;
            let mut earlier = list.iter().filter(|other: &&QuestionText| {
                other.before.as_ref().is_some_and(|other| other.rule == before.rule && other.is_always())
            });
            if let Some(earlier) = earlier.next() {
                let message = format!("it is never asked: `{}` is asked before that rule at any time", earlier.key);
                let help = "say `when:` that one is asked, or put this one above it";
                reader.found.warning("never", &node.span, message, help);
            }
            Some(before)
        });
        fields.finish(reader.found);
        if let Some(before) = &before {
            rules[usize::from(before.rule.0)].asks.push(list.len() as u16);
        }
        let key = key.as_text(reader.found);
        list.push(QuestionText { key, ask, about, cite, cites, verbs: called, together, offers, before });
    }
    list
}

/// Reads `chance:`, by purpose: `roll:` for dice, `draw:` and `draws:` for what is drawn.
pub(super) fn chances(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<ChanceText> {
    let mut list = Vec::new();
    for (purpose, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let roll = fields.may("roll").map(|n| texts::sentence(n, &["about", "dice"], reader));
        let draw = fields.may("draw").map(|n| texts::sentence(n, &["about"], reader));
        let draws = fields.may("draws").and_then(|n| read_taken(n, names.schema, reader));
        let about = fields.may("about").and_then(|n| read_taken(n, names.schema, reader)).unwrap_or(Kind::Unit);
        let together = read_together(&mut fields, names, reader);
        let look = fields.may("look").is_some_and(|n| n.as_flag(reader.found));
        let cite = reader.cite(&mut fields);
        fields.finish(reader.found);
        if (roll.is_none() && draw.is_none()) || draw.is_some() != draws.is_some() {
            let message = "chance wants `roll:`, or `draw:` with what it `draws:`, or both";
            reader.found.error("missing", &purpose.span, message, "say what a person with dice or cards is to do");
        }
        list.push(ChanceText {
            purpose: purpose.as_text(reader.found),
            roll,
            draw,
            draws,
            about,
            look,
            together,
            cite,
        });
    }
    list
}

/// Reads `together:`, a condition given the unit that something is `about`, and the `other`.
fn read_together(fields: &mut Fields<'_>, names: &Names<'_>, reader: &mut Reader<'_>) -> Option<Expr> {
    let given = ["about", "other"].map(|name| (name.to_owned(), Kind::Unit));
    fields.may("together").and_then(|node| tables::compile(node, &given, Kind::Flag, names, reader))
}

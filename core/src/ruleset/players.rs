//! Players that a ruleset brings: what each answer to a question is worth to them, in rows and with named weights.

use std::collections::BTreeMap;

use super::{
    Holder, Kind, Provenance, QuestionText, Verb,
    content::{self, PlayerFile},
    reading::Reader,
    rows::{Expr, Names, Read, Reads, Row, Rows, Term, fold::reads_slot},
    tables, texts,
};
use crate::{
    diagnostic::{Span, suggest},
    yaml::{Fields, Node, Value},
};

/// What a player of a ruleset thinks of answers. Of those that a question offers it gives one that is worth most to it.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// Its name: people seat it by that.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// How it plays, for people.
    pub about: String,
    /// Numbers that its rows use by name.
    pub weights: Vec<Weight>,
    /// By question and verb, what an answer is worth.
    worths: BTreeMap<(u16, u16), Worth>,
    /// A rule file with functions for questions that no row speaks of: path and text.
    pub luau: Option<(String, String)>,
    /// A hash of all of it.
    pub hash: u32,
    /// Where it stands in the content.
    pub span: Span,
}

/// A number with a name, which can be set on its own and tuned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weight {
    /// Its name.
    pub name: String,
    /// Its value.
    pub is: i32,
    /// Within what it is tuned.
    pub bounds: (i32, i32),
    /// What it is for, for people.
    pub say: String,
}

/// What the answers of a verb are worth: a sum of rows. In their slots stand the first and the second value that the verb
/// takes, what the question is about, who is asked, what it costs to come to where the answer leads, and how much of that is
/// beyond the allowance; see [`Worth::SLOTS`].
#[derive(Debug, Clone)]
pub struct Worth {
    /// The rows of its own.
    pub rows: Rows,
    /// Besides, what an answer of that verb to the same question would be worth that takes this value.
    pub like: Option<(u16, Expr)>,
    /// Which of its rows look at what it costs to come somewhere.
    pub read_cost: Vec<bool>,
}

impl Worth {
    /// What stands in the first slots while its rows are read.
    pub const SLOTS: [&str; 6] = ["one", "second", "about", "by", "cost", "beyond"];
    /// Where what it costs to come somewhere stands, in the smallest unit that the map knows; 0 where the answer is no move.
    pub const COST: u8 = 4;
    /// Where it stands how much of that is beyond the allowance.
    pub const BEYOND: u8 = 5;

    /// Whether any of its rows looks at what it costs to come somewhere.
    pub fn reads_cost(&self) -> bool {
        self.read_cost.contains(&true)
    }
}

impl Judgement {
    /// What the answers of a verb to a question are worth; nothing where it has no opinion of them.
    pub fn worth(&self, question: u16, verb: u16) -> Option<&Worth> {
        self.worths.get(&(question, verb))
    }

    /// Whether rows speak of a question.
    pub fn speaks_of(&self, question: u16) -> bool {
        self.worths.range((question, 0)..=(question, u16::MAX)).next().is_some()
    }
}

/// A weight's bounds where none are given: from nothing to four times as much, and at least to 8.
fn usual_bounds(is: i32) -> (i32, i32) {
    let far = is.saturating_abs().saturating_mul(4).max(8);
    if is < 0 { (-far, 0) } else { (0, far) }
}

/// Reads `players:`; the terms that players have of their own are put behind the ruleset's.
pub(super) fn players(
    node: Option<&Node>,
    files: &[PlayerFile],
    (verbs, questions): (&[Verb], &[QuestionText]),
    names: &Names<'_>,
    terms: &mut Vec<Term>,
    reader: &mut Reader<'_>,
) -> Vec<Judgement> {
    let mut all: Vec<Judgement> = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let name = checked_name(name.as_text(reader.found), &name.span, reader);
        let mut reading = Reading { names, verbs, questions, terms, reader };
        all.push(reading.player(name, body));
    }
    for file in files {
        let luau = Some((file.path.clone(), file.text.clone()));
        if let Some(player) = all.iter_mut().find(|player| player.name == file.name) {
            player.luau = luau;
            continue;
        }
        let span = Span::file(&file.path);
        let name = checked_name(file.name.clone(), &span, reader);
        let (title, about) = (name.clone(), String::new());
        all.push(Judgement { name, title, about, weights: Vec::new(), worths: BTreeMap::new(), luau, hash: 0, span });
    }
    for player in &mut all {
        if let Some((_, text)) = &player.luau {
            player.hash ^= xxhash_rust::xxh3::xxh3_64(text.as_bytes()) as u32;
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// Words that say who plays and are no player's name.
const TAKEN: [&str; 3] = ["human", "random", "careful"];

fn checked_name(name: String, span: &Span, reader: &mut Reader<'_>) -> String {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(is_plain) {
        let help = "use small letters, digits and hyphens: it is typed at the table";
        reader.found.error("name", span, format!("`{name}` is no name for a player"), help);
    } else if TAKEN.contains(&name.as_str()) {
        let message = format!("`{name}` is a player of every ruleset");
        reader.found.error("taken", span, message, "give this one another name");
    }
    name
}

struct Reading<'a, 'b, 'n> {
    names: &'a Names<'n>,
    verbs: &'a [Verb],
    questions: &'a [QuestionText],
    /// All terms, those of players read before under names that nobody can write.
    terms: &'a mut Vec<Term>,
    reader: &'a mut Reader<'b>,
}

impl Reading<'_, '_, '_> {
    fn player(&mut self, name: String, body: &Node) -> Judgement {
        let mut fields = body.fields(self.reader.found);
        let title = fields.text("title", self.reader.found).unwrap_or_else(|| name.clone());
        let about = fields.text("about", self.reader.found).unwrap_or_default();
        let weights = self.weights(fields.may("weights"));
        let numbers: Vec<(String, i32)> = weights.iter().map(|weight| (weight.name.clone(), weight.is)).collect();
        let own = self.terms.len();
        for (term, body) in fields.may("terms").map(|n| n.entries(self.reader.found)).unwrap_or_default() {
            let names = Names { terms: &*self.terms, numbers: &numbers, ..*self.names };
            let Some(read) = tables::term(term, body, &names, self.reader) else { continue };
            if read.given.is_empty() && Worth::SLOTS.contains(&&*read.name) {
                let message = format!("rows of players call something else `{}`", read.name);
                self.reader.found.error("taken", &term.span, message, "give the term another name");
            }
            self.terms.push(read);
        }
        let mut worths = BTreeMap::new();
        let answers = fields.must("answers", self.reader.found);
        for (key, answers) in answers.map(|n| n.entries(self.reader.found)).unwrap_or_default() {
            let Some(question) = self.question(key) else { continue };
            for (verb, worth) in answers.entries(self.reader.found) {
                let Some(verb) = self.verb(verb) else { continue };
                let read = self.worth(question, verb, worth, &numbers);
                worths.insert((question, verb), read);
            }
        }
        fields.finish(self.reader.found);
        // Another player may call a term of its own so.
        for term in &mut self.terms[own..] {
            term.name = format!("{name}/{}", term.name);
            term.of_player = true;
        }
        let hash = content::hash_of(body);
        Judgement { name, title, about, weights, worths, luau: None, hash, span: body.span.clone() }
    }

    fn weights(&mut self, node: Option<&Node>) -> Vec<Weight> {
        let mut all: Vec<Weight> = Vec::new();
        for (name, body) in node.map(|n| n.entries(self.reader.found)).unwrap_or_default() {
            let found = &mut *self.reader.found;
            let whole = (-100_000, 100_000);
            let key = name.as_text(found);
            let weight = if body.text().is_some() {
                let is = body.as_int(whole.0, whole.1, found);
                Weight { name: key, is, bounds: usual_bounds(is), say: String::new() }
            } else {
                let mut fields = body.fields(found);
                let is = fields.must("is", found).map_or(0, |n| n.as_int(whole.0, whole.1, found));
                let bounds = match fields.may("least").is_some() || fields.may("most").is_some() {
                    true => fields.bounds(whole.0, whole.1, found),
                    false => usual_bounds(is),
                };
                let say = fields.text("say", found).unwrap_or_default();
                fields.finish(found);
                if !(bounds.0..=bounds.1).contains(&is) {
                    let message = format!("{is} is not between {} and {}", bounds.0, bounds.1);
                    found.error("range", &body.span, message, "move the bounds");
                }
                Weight { name: key, is, bounds, say }
            };
            let is_known = self.terms.iter().any(|term| term.name == weight.name)
                || self.names.schema.columns.iter().any(|column| column.name == weight.name);
            if is_known || Worth::SLOTS.contains(&&*weight.name) {
                let message = format!("`{}` means something else already", weight.name);
                self.reader.found.error("taken", &name.span, message, "give the weight another name");
            }
            all.push(weight);
        }
        all
    }

    fn question(&mut self, key: &Node) -> Option<u16> {
        let text = key.as_text(self.reader.found);
        let at = self.questions.iter().position(|question| question.key == text);
        if at.is_none() {
            let help = suggest(&text, self.questions.iter().map(|question| question.key.as_str()));
            self.reader.found.error("unknown-name", &key.span, format!("there is no question `{text}`"), help);
        }
        at.map(|at| at as u16)
    }

    fn verb(&mut self, word: &Node) -> Option<u16> {
        let text = word.as_text(self.reader.found);
        let at = self.verbs.iter().position(|verb| verb.id == text);
        if at.is_none() {
            let help = suggest(&text, self.verbs.iter().map(|verb| verb.id.as_str()));
            self.reader.found.error("unknown-name", &word.span, format!("there is no verb `{text}`"), help);
        }
        at.map(|at| at as u16)
    }

    /// A value alone, rows, or `{ like: VERB, one: VALUE, rows: [...] }`.
    fn worth(&mut self, question: u16, verb: u16, node: &Node, numbers: &[(String, i32)]) -> Worth {
        let given = self.given(question, verb);
        let names = Names { terms: &*self.terms, numbers, ..*self.names };
        let mut like = None;
        let list = match &node.value {
            Value::Text(_) => vec![value_alone(node, &given, &names, self.reader)],
            Value::List(items) => read_rows(items, &given, &names, self.reader),
            Value::Map(_) => {
                let mut fields = node.fields(self.reader.found);
                let named = fields.must("like", self.reader.found);
                let one = fields.must("one", self.reader.found);
                let items = fields.may("rows").map(|n| n.items(self.reader.found)).unwrap_or_default();
                let list = read_rows(items, &given, &names, self.reader);
                fields.finish(self.reader.found);
                if let (Some(named), Some(one)) = (named, one) {
                    let other = named.text().and_then(|text| self.verbs.iter().position(|other| other.id == text));
                    let kind = other.and_then(|at| self.verbs[at].takes.first().copied());
                    match (other, kind) {
                        (Some(at), Some(kind)) if at != usize::from(verb) => {
                            let one = tables::compile(one, &given, kind, &names, self.reader);
                            like = one.map(|one| (at as u16, one));
                        }
                        _ => {
                            let message = "`like:` names another verb, which takes something";
                            self.reader.found.error("unknown-name", &named.span, message, "name one of this question");
                        }
                    }
                }
                list
            }
        };
        let name = format!("{}/{}", self.questions[usize::from(question)].key, self.verbs[usize::from(verb)].id);
        let rows = Rows {
            name,
            read: Read::Sum,
            kind: Kind::Int,
            given,
            rows: list,
            least: i32::MIN,
            candidates: Vec::new(),
            keeping: None,
        };
        let reads = |row: &Row, slot: u8| reads_slot(&row.when, slot) || reads_slot(&row.value, slot);
        let hidden: Vec<(u8, &str)> = (0..).zip(Worth::SLOTS).filter(|(_, name)| self.hides(name)).collect();
        for row in &rows.rows {
            for (_, name) in hidden.iter().filter(|(slot, _)| reads(row, *slot)) {
                let message = format!("`{name}` is what rows of players call so, and not what this ruleset does");
                let help = "give that another name in the ruleset, if it is what is meant";
                self.reader.found.warning("hidden", &row.span, message, help);
            }
        }
        let reads_cost = |row: &Row| [Worth::COST, Worth::BEYOND].iter().any(|slot| reads(row, *slot));
        let read_cost = rows.rows.iter().map(reads_cost).collect();
        Worth { rows, like, read_cost }
    }

    /// Whether the ruleset has something by a name that rows of players give to something else.
    fn hides(&self, name: &str) -> bool {
        self.terms.iter().any(|term| term.given.is_empty() && term.name == name)
            || self.names.schema.column(Holder::Game, name).is_some()
    }

    /// What a row is given: a slot that holds nothing has a name that nobody can write.
    fn given(&self, question: u16, verb: u16) -> Vec<(String, Kind)> {
        let takes = &self.verbs[usize::from(verb)].takes;
        let kinds = [
            takes.first().copied(),
            takes.get(1).copied(),
            self.questions[usize::from(question)].about,
            Some(Kind::Side),
            Some(Kind::Int),
            Some(Kind::Int),
        ];
        let slots = Worth::SLOTS.into_iter().zip(kinds);
        slots.map(|(name, kind)| kind.map_or((String::new(), Kind::Int), |kind| (name.to_owned(), kind))).collect()
    }
}

/// A value as the only row.
fn value_alone(node: &Node, given: &[(String, Kind)], names: &Names<'_>, reader: &mut Reader<'_>) -> Row {
    let value = tables::compile(node, given, Kind::Int, names, reader).unwrap_or(Expr::Const(0));
    row_of("worth".to_owned(), "worth".to_owned(), Expr::Const(1), value, node, names)
}

fn row_of(id: String, say: String, when: Expr, value: Expr, node: &Node, names: &Names<'_>) -> Row {
    let written = node.get("value").unwrap_or(node).text().unwrap_or_default().to_owned();
    let looks_at = Reads::of(&when, names);
    let (from, cite) = (Provenance::Printed, super::Cite::NONE);
    Row { id, when, looks_at, value, written, say, finds: Vec::new(), from, cite, span: node.span.clone() }
}

fn read_rows(items: &[Node], given: &[(String, Kind)], names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Row> {
    tables::told_apart(items, reader);
    let mut all = Vec::new();
    for item in items {
        let mut fields: Fields<'_> = item.fields(reader.found);
        let id = fields.must("id", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
        let when = match fields.may("when") {
            Some(node) => tables::compile(node, given, Kind::Flag, names, reader),
            None => Some(Expr::Const(1)),
        };
        let value = fields.must("value", reader.found);
        let value = value.and_then(|n| tables::compile(n, given, Kind::Int, names, reader));
        let say = fields.may("say").map_or_else(|| id.replace('-', " "), |n| texts::plain(n, reader));
        fields.finish(reader.found);
        let (when, value) = (when.unwrap_or(Expr::Const(0)), value.unwrap_or(Expr::Const(0)));
        all.push(row_of(id, say, when, value, item, names));
    }
    all
}

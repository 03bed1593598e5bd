//! The sequence of play: nested, named places, compiled to a short list of steps with one cursor.

use std::{collections::BTreeMap, slice};

use super::{
    Cite, Rule, RuleId,
    kind::Kind,
    reading::Reader,
    rows::{Compiler, Expr, Names, Scope},
    state::{Holder, Lifetime, Schema},
};
use crate::{
    diagnostic::suggest,
    yaml::{Node, Value},
};

/// A named place of the sequence.
#[derive(Debug, Clone)]
pub struct PlaceOfPlay {
    /// Its name.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Where it stands in the rulebook.
    pub cite: Cite,
    /// The place it lies in.
    pub inside: Option<usize>,
    /// Its first step.
    pub at: usize,
    /// Columns that last as long as it does.
    pub expires: Vec<u16>,
}

/// One step of the compiled sequence.
#[derive(Debug, Clone)]
pub enum Step {
    /// A place is entered.
    Enter(usize),
    /// A place is left; what lasts so long ends.
    Leave(usize),
    /// A rule is carried out, while this holds.
    Task(RuleId, Expr),
    /// A rule is carried out again and again, while this holds and until it says `done`.
    Repeat(RuleId, Expr),
    /// What follows, up to the step named, is left out if the condition holds.
    Unless(Expr, Cite, usize),
    /// The turn is set to the first of the track.
    FirstTurn(i32),
    /// The next turn, back at the step named, unless it was the last.
    NextTurn(i32, usize),
    /// A property of the game is set to the first of these sides.
    FirstSide(u16, Vec<i32>),
    /// It is set to the next of them, back at the step named, unless it was the last.
    NextSide(u16, Vec<i32>, usize),
    /// Back to the step named, while this holds.
    Again(Expr, usize),
    /// The sequence is over.
    End,
}

/// A compiled sequence of play.
#[derive(Debug, Clone, Default)]
pub struct Sequence {
    /// Places, in the order first entered.
    pub places: Vec<PlaceOfPlay>,
    /// Steps.
    pub steps: Vec<Step>,
    /// The place that each step lies in.
    pub lies_in: Vec<Option<usize>>,
}

impl Sequence {
    /// The property that says whose part of the turn a place is: of the innermost part around it that sides go through
    /// one after the other. Nothing where there is none, as in a part of the turn that is everybody's.
    pub fn told_by(&self, place: usize) -> Option<u16> {
        let before = self.places[place].at.checked_sub(1).map(|at| &self.steps[at]);
        match before {
            Some(Step::FirstSide(column, _)) => Some(*column),
            _ => self.places[place].inside.and_then(|around| self.told_by(around)),
        }
    }

    /// The place of that name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|p| p.name == name)
    }

    /// The last turn of the track, for a scenario that ends with this one at the latest.
    pub fn last_turn(&self, scenario: i32) -> i32 {
        self.steps.iter().fold(scenario, |last, step| match step {
            Step::NextTurn(end, _) => last.min(*end),
            _ => last,
        })
    }

    /// Every step by the place it lies in, what it does, and which of several alike it is: so steps that a version adds
    /// leave the names of the others as they are.
    pub fn names_of_steps(&self, rules: &[Rule]) -> Vec<String> {
        let mut alike: BTreeMap<String, usize> = BTreeMap::new();
        let named = self.steps.iter().zip(&self.lies_in).map(|(step, lies_in)| {
            let place = lies_in.map_or("", |place| self.places[place].name.as_str());
            let does = match step {
                Step::Enter(place) => format!("enter {}", self.places[*place].name),
                Step::Leave(place) => format!("leave {}", self.places[*place].name),
                Step::Task(rule, _) | Step::Repeat(rule, _) => rules[rule.0 as usize].name.clone(),
                Step::Unless(..) => "unless".to_owned(),
                Step::FirstTurn(_) => "first turn".to_owned(),
                Step::NextTurn(..) => "next turn".to_owned(),
                Step::FirstSide(..) => "first side".to_owned(),
                Step::NextSide(..) => "next side".to_owned(),
                Step::Again(..) => "again".to_owned(),
                Step::End => "end".to_owned(),
            };
            let name = format!("{place}: {does}");
            let count = alike.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
            if *count == 1 { name } else { format!("{name} {count}") }
        });
        named.collect()
    }

    /// Whether one place is, or lies in, the other.
    pub fn is_inside(&self, place: usize, outer: usize) -> bool {
        place == outer || self.places[place].inside.is_some_and(|p| self.is_inside(p, outer))
    }
}

/// Reads `sequence:`.
pub(super) fn read(node: Option<&Node>, rules: &[Rule], names: &Names<'_>, reader: &mut Reader<'_>) -> Sequence {
    let mut reading = Reading { sequence: Sequence::default(), rules, names, inside: None, around: Vec::new() };
    for item in node.map(|n| n.items(reader.found)).unwrap_or_default() {
        reading.item(item, reader);
    }
    reading.push(Step::End);
    reading.sequence
}

struct Reading<'a> {
    sequence: Sequence,
    rules: &'a [Rule],
    names: &'a Names<'a>,
    inside: Option<usize>,
    /// What the parts around are gone through by: the turn, and properties of the game.
    around: Vec<u16>,
}

impl Reading<'_> {
    fn push(&mut self, step: Step) -> usize {
        self.sequence.steps.push(step);
        self.sequence.lies_in.push(self.inside);
        self.sequence.steps.len() - 1
    }

    fn item(&mut self, node: &Node, reader: &mut Reader<'_>) {
        let mut fields = node.fields(reader.found);
        let name = fields.text("name", reader.found);
        let title = fields.text("title", reader.found);
        let cite = reader.cite(&mut fields);
        let unless = fields.may("unless");
        let again = fields.may("again");
        let each = fields.may("each");
        let phases = fields.may("phases");
        let run = fields.may("run");
        let repeat = fields.may("repeat");
        fields.finish(reader.found);
        let skip = unless.map(|n| self.unless(n, reader));
        let outer = self.inside;
        let begins = self.sequence.steps.len();
        if let Some(name) = &name {
            if self.sequence.place(name).is_some() {
                reader.found.error("twice", &node.span, format!("two places are named `{name}`"), "rename one");
            }
            let title = title.unwrap_or_else(|| name.replace('-', " "));
            let at = self.sequence.steps.len();
            let lasts = Lifetime::Place(name.clone());
            let columns = self.names.schema.columns.iter().enumerate();
            let expires = columns.filter(|(_, c)| c.lasts == lasts).map(|(at, _)| at as u16).collect();
            self.sequence.places.push(PlaceOfPlay { name: name.clone(), title, cite, inside: outer, at, expires });
            self.inside = Some(self.sequence.places.len() - 1);
        }
        match (each, phases) {
            (Some(each), Some(phases)) => self.each(each, phases, reader),
            (None, Some(phases)) => self.body(|this, reader| this.phases(phases, reader), reader),
            (None, None) => self.body(|this, reader| this.leaf(node, run, repeat, reader), reader),
            (Some(each), None) => {
                reader.found.error("missing", &each.span, "`each` needs `phases`", "list what is done for each");
            }
        }
        self.inside = outer;
        if let Some(when) = again.and_then(|n| self.condition(n, reader)) {
            self.push(Step::Again(when, begins));
        }
        if let Some(at) = skip {
            let to = self.sequence.steps.len();
            if let Step::Unless(_, _, end) = &mut self.sequence.steps[at] {
                *end = to;
            }
        }
    }

    /// Steps between entering and leaving the place being read, if it has a name.
    fn body(&mut self, inner: impl FnOnce(&mut Self, &mut Reader<'_>), reader: &mut Reader<'_>) {
        let place = self.inside.filter(|p| self.sequence.places[*p].at == self.sequence.steps.len());
        if let Some(place) = place {
            self.push(Step::Enter(place));
        }
        inner(self, reader);
        if let Some(place) = place {
            self.push(Step::Leave(place));
        }
    }

    fn phases(&mut self, phases: &Node, reader: &mut Reader<'_>) {
        for item in phases.items(reader.found) {
            self.item(item, reader);
        }
    }

    fn each(&mut self, each: &Node, phases: &Node, reader: &mut Reader<'_>) {
        let mut fields = each.fields(reader.found);
        let turns = fields.may("turns").map(|n| n.as_int(1, 10_000, reader.found));
        let sides: Option<Vec<i32>> =
            fields.may("sides").map(|n| n.items(reader.found).iter().filter_map(|s| reader.side(s)).collect());
        let told_as = fields.may("as");
        let told_by = told_as.map_or(Schema::PHASING, |n| self.side_told_by(n, reader));
        fields.finish(reader.found);
        let by = if turns.is_some() { Schema::TURN } else { told_by };
        if self.around.contains(&by) {
            // The part within would leave it where it ends, and the one around would begin again there for ever.
            let message = format!(
                "a part around this one goes through its `{}` already",
                self.names.schema.columns[by as usize].name
            );
            let help = "write `as: PROPERTY`, a side declared under `state: { game: ... }` that no part around goes by";
            reader.found.error("sequence", &each.span, message, help);
        }
        if let Some(node) = told_as.filter(|_| turns.is_some()) {
            reader.found.error("sequence", &node.span, "turns are told by `turn`", "delete `as:`");
        }
        if let Some(twice) =
            sides.iter().flatten().enumerate().find(|(at, side)| sides.iter().flatten().take(*at).any(|s| s == *side))
        {
            let message = format!("`{}` stands here twice", self.names.sides[*twice.1 as usize]);
            reader.found.error("twice", &each.span, message, "write two parts, one after the other");
        }
        let first = match (&turns, &sides) {
            (Some(_), None) => Step::FirstTurn(1),
            (None, Some(list)) if !list.is_empty() => Step::FirstSide(told_by, list.clone()),
            _ => {
                let help = "write `each: { turns: 25 }` or `each: { sides: [a, b] }`";
                reader.found.error("sequence", &each.span, "`each` goes over turns or over sides", help);
                // What lies in it is named elsewhere.
                return self.body(|this, reader| this.phases(phases, reader), reader);
            }
        };
        self.push(first);
        if let Some(place) = self.inside {
            self.sequence.places[place].at = self.sequence.steps.len();
        }
        let back = self.sequence.steps.len();
        self.around.push(by);
        self.body(|this, reader| this.phases(phases, reader), reader);
        self.around.pop();
        self.push(match (turns, sides) {
            (Some(last), _) => Step::NextTurn(last, back),
            (None, sides) => Step::NextSide(told_by, sides.unwrap_or_default(), back),
        });
    }

    /// The property of the game that says whose turn it is in a part of the turn that sides go through one after the
    /// other: `phasing`, or one that the ruleset declares, so that the phasing side stays what it is.
    fn side_told_by(&self, node: &Node, reader: &mut Reader<'_>) -> u16 {
        let text = node.as_text(reader.found);
        let columns = self.names.schema.columns.iter().enumerate();
        let mut of_sides = columns.filter(|(_, c)| c.holder == Holder::Game && c.kind == Kind::Side);
        if let Some((at, _)) = of_sides.clone().find(|(_, column)| column.name == text) {
            return at as u16;
        }
        let known: Vec<&str> = of_sides.by_ref().map(|(_, column)| column.name.as_str()).collect();
        let message = format!("the game has no property `{text}` that is a side");
        let help = format!("declare it under `state: {{ game: ... }}`; {}", suggest(&text, known));
        reader.found.error("unknown-name", &node.span, message, help);
        Schema::PHASING
    }

    fn leaf(&mut self, node: &Node, run: Option<&Node>, repeat: Option<&Node>, reader: &mut Reader<'_>) {
        match (run, repeat) {
            (Some(rules), None) => {
                let is_one = matches!(rules.value, Value::Map(_));
                for item in if is_one { slice::from_ref(rules) } else { rules.items(reader.found) } {
                    if let Some((rule, when)) = self.rule(item, reader) {
                        self.push(Step::Task(rule, when));
                    }
                }
            }
            (None, Some(name)) => {
                if let Some((rule, when)) = self.rule(name, reader) {
                    self.push(Step::Repeat(rule, when));
                }
            }
            _ => {
                let help = "write `run: module.rule`, `repeat: module.rule` or `phases: [...]`";
                reader.found.error("sequence", &node.span, "this place of the sequence does nothing", help);
            }
        }
    }

    /// `module.rule`, or `{ rule: module.rule, when: ... }` for one that has something to do only then.
    fn rule(&mut self, node: &Node, reader: &mut Reader<'_>) -> Option<(RuleId, Expr)> {
        let mut when = Expr::Const(1);
        let mut node = node;
        if node.text().is_none() {
            let mut fields = node.fields(reader.found);
            let (rule, condition) = (fields.must("rule", reader.found), fields.must("when", reader.found));
            fields.finish(reader.found);
            when = condition.and_then(|n| self.condition(n, reader))?;
            node = rule?;
        }
        let text = node.as_text(reader.found);
        let at = self.rules.iter().position(|r| r.name == text);
        if at.is_none() {
            let help = suggest(&text, self.rules.iter().map(|r| r.name.as_str()));
            reader.found.error("unknown-rule", &node.span, format!("there is no rule `{text}`"), help);
        }
        at.map(|at| (RuleId(at as u16), when))
    }

    fn condition(&self, node: &Node, reader: &mut Reader<'_>) -> Option<Expr> {
        let compiler = Compiler { names: self.names, span: node.span.clone() };
        compiler.compile(&node.as_text(reader.found), &Scope::default(), Kind::Flag, reader.found)
    }

    fn unless(&mut self, node: &Node, reader: &mut Reader<'_>) -> usize {
        let mut fields = node.fields(reader.found);
        let when = fields.must("when", reader.found);
        let cite = reader.must_cite(&mut fields);
        fields.finish(reader.found);
        let when = when.and_then(|n| self.condition(n, reader));
        self.push(Step::Unless(when.unwrap_or(Expr::Const(0)), cite, 0))
    }
}

//! Examples: a position, a place in the sequence of play, dice, answers, and what must come of it.
//!
//! An example drives the engine as players do. It may set what stands on the table before play, never what it is
//! meant to prove: everything expected is read from the game after its rules have run.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use super::coverage::{is_put_to_work, with_their_rows};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    library::Library,
    play::{Chance, Effect, Event, Limits, Question, Rules, Session, SessionError, Task},
    ruleset::{self, Cite, Holder, Kind, Ruleset, Schema, Selection, VersionName},
    show::{Story, already_answered, read_action},
    yaml::{self, Node, Value},
};

/// One example, read but not run.
#[derive(Debug, Clone)]
pub struct Example {
    /// Its name, a sentence.
    pub name: String,
    /// What it proves.
    pub cite: Vec<String>,
    /// The little map it brings, as the text of a map file; the ruleset's own without one.
    pub map: Option<String>,
    /// The version it is played under.
    pub version: Option<String>,
    /// Values changed for it: path and value.
    pub set: Vec<(String, String)>,
    /// The whole of it, for the parts that need the ruleset.
    node: Node,
    /// Where it is written.
    pub span: Span,
}

/// What an example came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was as expected.
    Passed,
    /// Something was not.
    Failed(Failure),
}

/// What was not as expected, and where in the example it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The step.
    pub span: Span,
    /// What was expected and what was found.
    pub message: String,
}

/// Reads a file of examples: `maps:` by name, then `examples:`.
pub fn read_examples(node: &Node, ruleset: &Ruleset, found: &mut Diagnostics) -> Vec<Example> {
    let mut fields = node.fields(found);
    let maps = fields.may("maps");
    let mut list: Vec<Example> = Vec::new();
    for item in fields.must("examples", found).map(|n| n.items(found)).unwrap_or_default() {
        let Some(name) = item.get("name") else {
            found.error("missing", &item.span, "an example needs its name", "add `name: ...`");
            continue;
        };
        let name_text = name.as_text(found);
        if list.iter().any(|e| e.name == name_text) {
            found.error("twice", &name.span, format!("two examples are named `{name_text}`"), "rename one");
        }
        let mut cite = Vec::new();
        for id in item.get("cite").map(|n| n.items(found)).unwrap_or_default() {
            let text = id.as_text(found);
            if ruleset.rulebook.find(&text).is_none() {
                let help = suggest(&text, ruleset.rulebook.entries.iter().map(|e| e.id.as_str()));
                found.error("unknown-cite", &id.span, format!("`{text}` does not stand in the rulebook"), help);
            }
            cite.push(text);
        }
        let map = item.get("map").and_then(|n| {
            let name = n.as_text(found);
            let text = maps.and_then(|m| m.get(&name));
            if text.is_none() {
                found.error("unknown-name", &n.span, format!("there is no map `{name}` in this file"), "");
            }
            text.map(|body| little_map(body, ruleset))
        });
        let mut set = Vec::new();
        for (path, value) in item.get("set").map(|n| n.entries(found)).unwrap_or_default() {
            set.push((path.as_text(found), value.as_text(found)));
        }
        let version = item.get("version").map(|n| n.as_text(found));
        list.push(Example { name: name_text, cite, map, version, set, node: item.clone(), span: name.span.clone() });
    }
    fields.finish(found);
    list
}

/// A map file from the few lines an example gives; it knows every terrain, feature and road that the ruleset names.
fn little_map(body: &Node, ruleset: &Ruleset) -> String {
    let map = &ruleset.map;
    let mut text = String::from("map: example\n");
    let radius = body.get("radius").and_then(Node::text).unwrap_or("6");
    text.push_str(&format!("grid: {{ kind: axial, radius: {radius} }}\n"));
    text.push_str(&format!("terrains: [{}]\n", map.terrains.join(", ")));
    text.push_str(&format!("features: [{}]\n", map.features.join(", ")));
    text.push_str(&format!("road-kinds: [{}]\n", map.road_kinds.join(", ")));
    for key in ["spaces", "borders", "entries"] {
        if let Some(list) = body.get(key) {
            text.push_str(&format!("{key}: {}\n", flow(list)));
        }
    }
    text.push_str("roads:\n");
    let mut named = Vec::new();
    if let Some(Value::List(list)) = body.get("roads").map(|n| &n.value) {
        for road in list {
            named.push(road.get("id").and_then(Node::text).unwrap_or("").to_owned());
            text.push_str(&format!("  - {}\n", flow(road)));
        }
    }
    for road in map.roads.iter().filter(|r| !named.contains(&r.id)) {
        text.push_str(&format!("  - {{ id: {}, kind: {}, along: [] }}\n", road.id, map.road_kinds[road.kind]));
    }
    text
}

fn flow(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => format!("{text:?}"),
        Value::List(list) => format!("[{}]", list.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let all: Vec<_> = map.iter().map(|(k, v)| format!("{}: {}", flow(k), flow(v))).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}

/// Acts an example out on the ruleset it was loaded for.
pub fn run_example<R: Rules>(example: &Example, ruleset: &Arc<Ruleset>, rules: R) -> (Outcome, R) {
    let limits = Limits { undo: true, verify: true, log: true, forced: true };
    let session = Session::new(ruleset.clone(), rules, 0, 1863, limits);
    let mut acting = Acting { session, found: Diagnostics::default(), spoken: 0 };
    let outcome = match acting.run(example) {
        Err(failure) => Outcome::Failed(failure),
        Ok(()) => match acting.found.list.first() {
            Some(wrong) => Outcome::Failed(Failure { span: wrong.span.clone(), message: wrong.message.clone() }),
            None => Outcome::Passed,
        },
    };
    (outcome, acting.session.into_rules())
}

/// An example that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// Its name.
    pub name: String,
    /// Where: `file:line`.
    pub at: String,
    /// What was not as expected.
    pub message: String,
}

/// What all examples of a ruleset came to.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// How many were acted out.
    pub examples: usize,
    /// Those that failed.
    pub failed: Vec<Failed>,
    /// Paragraphs that a passing example cites and puts to work, sorted. Empty for rules that do not keep track of
    /// what is at work.
    pub proven: Vec<String>,
    /// Paragraphs that a passing example cites and does not put to work: the example, the paragraph.
    pub idle: Vec<(String, String)>,
}

/// A ruleset as some examples need it, with rules that are used again.
type Kept<R> = BTreeMap<String, (Arc<Ruleset>, Option<R>)>;

/// Which examples are acted out, and how.
#[derive(Debug, Clone, Copy, Default)]
pub struct Choice<'a> {
    /// Only those whose name contains this.
    pub only: &'a str,
    /// Only those that cite this paragraph.
    pub citing: Option<&'a str>,
    /// Values changed for all of them: path and value.
    pub set: &'a [(String, String)],
}

/// Acts out the chosen examples of a ruleset. `make` loads the rules of a ruleset.
pub fn run_examples<R: Rules>(
    library: &Library,
    base: &Ruleset,
    choice: Choice<'_>,
    make: &mut dyn FnMut(&Arc<Ruleset>) -> Result<R, String>,
) -> Report {
    let mut report = Report::default();
    let mut kept: Kept<R> = BTreeMap::new();
    let prefix = format!("rulesets/{}/examples/", base.id);
    for (path, text) in library.under(&prefix).filter(|(p, _)| p.ends_with(".yaml")) {
        let mut found = Diagnostics::default();
        let node = yaml::parse(path, text, &mut found);
        let list = read_examples(&node, base, &mut found);
        for wrong in &found.list {
            let at = format!("{path}:{}", wrong.position(library).0);
            report.examples += 1;
            report.failed.push(Failed { name: "the file itself".into(), at, message: wrong.message.clone() });
        }
        let is_chosen = |e: &&Example| {
            e.name.contains(choice.only) && choice.citing.is_none_or(|id| e.cite.iter().any(|c| c == id))
        };
        for example in list.iter().filter(is_chosen) {
            report.examples += 1;
            match act(library, &base.id, example, choice.set, &mut kept, make) {
                Ok(at_work) => {
                    for id in &example.cite {
                        let entry = base.rulebook.find(id).map(|cite| &base.rulebook.entries[cite.0 as usize]);
                        match entry.filter(|entry| is_put_to_work(entry, &at_work)) {
                            Some(_) => report.proven.push(id.clone()),
                            None => report.idle.push((example.name.clone(), id.clone())),
                        }
                    }
                }
                Err(failure) => {
                    let line = text[..failure.span.start.min(text.len())].matches('\n').count() + 1;
                    let (name, at) = (example.name.clone(), format!("{path}:{line}"));
                    report.failed.push(Failed { name, at, message: failure.message });
                }
            }
        }
    }
    report.proven.sort();
    report.proven.dedup();
    report
}

/// Acts one example out; what it put to work.
fn act<R: Rules>(
    library: &Library,
    id: &str,
    example: &Example,
    also_set: &[(String, String)],
    kept: &mut Kept<R>,
    make: &mut dyn FnMut(&Arc<Ruleset>) -> Result<R, String>,
) -> Result<BTreeSet<String>, Failure> {
    let version = VersionName::parse(example.version.as_deref().unwrap_or("base"));
    let key = format!("{version}{:?}{:?}", example.set, example.map);
    let (ruleset, rules) = match kept.remove(&key) {
        Some(known) => known,
        None => {
            let set = [&example.set, also_set].concat();
            let selection = Selection { version, set, map: example.map.clone() };
            let mut found = Diagnostics::default();
            let loaded = ruleset::load(library, id, &selection, &mut found);
            match (found.list.first(), loaded) {
                (None, Some(ruleset)) => (Arc::new(ruleset), None),
                (Some(wrong), _) => {
                    return fail(&example.span, format!("its fixture does not load: {}", wrong.one_line(library)));
                }
                (None, None) => return fail(&example.span, "its fixture does not load"),
            }
        }
    };
    let rules = rules.map_or_else(|| make(&ruleset), Ok).or_else(|wrong| fail(&example.span, wrong))?;
    let (outcome, mut back) = run_example(example, &ruleset, rules);
    let at_work = with_their_rows(back.at_work(), &ruleset);
    kept.insert(key, (ruleset, Some(back)));
    match outcome {
        Outcome::Passed => Ok(at_work),
        Outcome::Failed(failure) => Err(failure),
    }
}

struct Acting<R: Rules> {
    session: Session<R>,
    found: Diagnostics,
    /// Entries of the record that the example has spoken of, or that its own answers are.
    spoken: usize,
}

fn fail<T>(span: &Span, message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure { span: span.clone(), message: message.into() })
}

impl<R: Rules> Acting<R> {
    fn run(&mut self, example: &Example) -> Result<(), Failure> {
        let node = &example.node;
        let known = [
            "name", "cite", "map", "version", "set", "place", "state", "turn", "phasing", "begin", "task", "dice",
            "play", "expect", "why", "ask-all",
        ];
        if let Value::Map(entries) = &node.value {
            for (key, _) in entries {
                if !known.contains(&key.text().unwrap_or("")) {
                    return fail(&key.span, format!("`{}` is not read here", key.text().unwrap_or("")));
                }
            }
        }
        self.set_up(node)?;
        if let Some(begin) = node.get("begin") {
            let name = begin.as_text(&mut self.found);
            let Some(place) = self.session.ruleset.sequence.place(&name) else {
                return fail(&begin.span, format!("`{name}` is no place of the sequence"));
            };
            self.session.game.begin_at(place);
        }
        if let Some(task) = node.get("task") {
            self.push_task(task)?;
        }
        let dice = node.get("dice").map(|n| n.items(&mut self.found).to_vec()).unwrap_or_default();
        let values: VecDeque<i32> = dice.iter().map(|d| d.as_int(0, 1000, &mut self.found)).collect();
        self.session.chance = Chance::Script(values);
        // With `ask-all`, questions with one answer are asked too, so that a refusal can be shown there.
        self.session.limits.forced = !node.get("ask-all").is_some_and(|n| n.as_flag(&mut self.found));
        let begun = self.session.advance();
        self.check_error(begun, &example.span)?;
        for step in node.get("play").map(|n| n.items(&mut self.found).to_vec()).unwrap_or_default() {
            self.step(&step)?;
        }
        if let Some(expect) = node.get("expect") {
            self.expect(expect)?;
        }
        if let Chance::Script(left) = &self.session.chance
            && !left.is_empty()
        {
            return fail(&example.span, format!("{} scripted dice were not rolled", left.len()));
        }
        Ok(())
    }

    fn check_error(&self, result: Result<(), SessionError>, span: &Span) -> Result<(), Failure> {
        match result {
            Ok(()) => Ok(()),
            Err(SessionError::Refused(refusals)) => {
                let texts: Vec<String> =
                    refusals.iter().map(|r| format!("{} [{}]", r.text, self.session.ruleset.cite(r.cite))).collect();
                fail(span, format!("refused: {}", texts.join("; ")))
            }
            Err(other) => fail(span, other.to_string()),
        }
    }

    fn apply(&mut self, effect: Effect, span: &Span) -> Result<(), Failure> {
        self.session.game.apply(effect).or_else(|wrong| fail(span, wrong))
    }

    fn place_named(&mut self, node: &Node) -> Result<i32, Failure> {
        let text = node.as_text(&mut self.found);
        let ruleset = &self.session.ruleset;
        if let Some(space) = ruleset.map.find(&text) {
            return Ok(space.0 as i32);
        }
        match ruleset.boxes.iter().position(|b| b.id == text) {
            Some(at) => Ok(self.session.game.box_place(at as i32)),
            None => fail(&node.span, format!("there is no space or box `{text}`")),
        }
    }

    fn set_up(&mut self, node: &Node) -> Result<(), Failure> {
        self.session.game.telling = false;
        for (unit, place) in node.get("place").map(|n| n.entries(&mut self.found).to_vec()).unwrap_or_default() {
            let name = unit.as_text(&mut self.found);
            let Some(unit_id) = self.session.ruleset.unit(&name) else {
                return fail(&unit.span, format!("there is no unit `{name}`"));
            };
            let to = self.place_named(&place)?;
            self.apply(Effect::Place { unit: unit_id, to, cite: Cite::NONE }, &place.span)?;
        }
        if let Some(turn) = node.get("turn") {
            let value = turn.as_int(0, 10_000, &mut self.found);
            self.apply(Effect::Set { column: Schema::TURN, of: 0, value, cite: Cite::NONE }, &turn.span)?;
        }
        if let Some(phasing) = node.get("phasing") {
            let text = phasing.as_text(&mut self.found);
            let Some(value) = self.session.ruleset.side(&text) else {
                return fail(&phasing.span, format!("there is no side `{text}`"));
            };
            self.apply(Effect::Set { column: Schema::PHASING, of: 0, value, cite: Cite::NONE }, &phasing.span)?;
        }
        for (who, values) in node.get("state").map(|n| n.entries(&mut self.found).to_vec()).unwrap_or_default() {
            let (holder, of) = self.holder(&who)?;
            for (name, value) in values.entries(&mut self.found).to_vec() {
                let (column, value) = self.column_value(holder, &name, &value)?;
                self.apply(Effect::Set { column, of, value, cite: Cite::NONE }, &name.span)?;
            }
        }
        self.session.game.telling = true;
        Ok(())
    }

    fn holder(&mut self, who: &Node) -> Result<(Holder, i32), Failure> {
        let text = who.as_text(&mut self.found);
        let ruleset = &self.session.ruleset;
        if text == "game" {
            return Ok((Holder::Game, 0));
        }
        if let Some(side) = ruleset.side(&text) {
            return Ok((Holder::Side, side));
        }
        if let Some(unit) = ruleset.unit(&text) {
            return Ok((Holder::Unit, unit));
        }
        match ruleset.cards.iter().position(|c| c.id == text) {
            Some(card) => Ok((Holder::Card, card as i32)),
            None => fail(&who.span, format!("`{text}` is neither a unit, a side, a card nor `game`")),
        }
    }

    fn column_value(&mut self, holder: Holder, name: &Node, value: &Node) -> Result<(u16, i32), Failure> {
        let text = name.as_text(&mut self.found);
        let ruleset = self.session.ruleset.clone();
        let Some(column) = ruleset.schema.column(holder, &text) else {
            let known = ruleset.schema.columns.iter().filter(|c| c.holder == holder).map(|c| c.name.as_str());
            return fail(&name.span, format!("there is no property `{text}`: {}", suggest(&text, known)));
        };
        let kind = ruleset.schema.columns[column as usize].kind;
        let written = value.as_text(&mut self.found);
        let read = match kind {
            Kind::Int => written.parse().ok(),
            Kind::Flag => match written.as_str() {
                "true" => Some(1),
                "false" => Some(0),
                _ => None,
            },
            _ if written == "nothing" => Some(-1),
            kind => ruleset.find_named(kind, &written, &ruleset.all_of(kind)).ok().flatten(),
        };
        match read {
            Some(read) => Ok((column, read)),
            None => fail(&value.span, format!("`{written}` is not {}", kind.words())),
        }
    }

    fn push_task(&mut self, task: &Node) -> Result<(), Failure> {
        let name = task.as_text(&mut self.found);
        let Some(rule) = self.session.ruleset.rule(&name) else {
            return fail(&task.span, format!("there is no rule `{name}`"));
        };
        let task_made = Task { rule, with: [-1; 4], source: crate::play::Source::Agenda };
        self.apply(Effect::Push { task: task_made }, &task.span)
    }

    fn question(&self, span: &Span) -> Result<Question, Failure> {
        match self.session.question() {
            Some(question) => Ok(question.clone()),
            None => match self.session.roll() {
                Some(roll) => fail(span, format!("a die for {} is not scripted", roll.purpose)),
                None => fail(span, "nothing is asked: the game is over"),
            },
        }
    }

    fn step(&mut self, step: &Node) -> Result<(), Failure> {
        for (key, value) in step.entries(&mut self.found).to_vec() {
            let word = key.as_text(&mut self.found);
            match word.as_str() {
                "refused" => self.refused(&value, step.get("because"))?,
                "because" => (),
                "asked" => self.asked(&value)?,
                "offered" => self.offered(&value, true)?,
                "not-offered" => self.offered(&value, false)?,
                "offers" => self.offers(&value)?,
                "expect" => self.expect(&value)?,
                side => match self.session.ruleset.side(side) {
                    Some(side) => self.answer(side, &value)?,
                    None => return fail(&key.span, format!("`{side}` is neither a side nor something to check")),
                },
            }
        }
        Ok(())
    }

    /// Plays a line for a side: several parts answer one question after the other.
    fn answer(&mut self, side: i32, line: &Node) -> Result<(), Failure> {
        let mut text = line.as_text(&mut self.found);
        while !text.is_empty() {
            if !self.is_offered(side, &text)
                && let Some(rest) = self.spoken_for(side, &text)
            {
                text = rest;
                continue;
            }
            let question = self.question(&line.span)?;
            if question.by != side {
                let by = &self.session.ruleset.sides[question.by as usize].name;
                let key = &self.session.ruleset.questions[question.key as usize].key;
                return fail(&line.span, format!("it is the {by} side that is asked `{key}`, before `{text}`"));
            }
            let (action, rest) = match read_action(&self.session.game, &question, &text) {
                Ok(read) => read,
                Err(wrong) => {
                    let key = &self.session.ruleset.questions[question.key as usize].key;
                    return fail(&line.span, format!("{wrong}, at question `{key}`"));
                }
            };
            self.spoken = self.session.record.entries.len() + 1;
            let acted = self.session.act(side, action);
            self.check_error(acted, &line.span)?;
            text = rest;
        }
        Ok(())
    }

    /// Whether the first part of a line is an answer to the waiting question.
    fn is_offered(&self, side: i32, text: &str) -> bool {
        let Some(question) = self.session.question().filter(|q| q.by == side) else { return false };
        let read = read_action(&self.session.game, question, text);
        read.is_ok_and(|(action, _)| self.session.offers().contains(&action))
    }

    /// Whether the first part of a line says what the engine has just answered for a side, because nothing else
    /// was offered; what is left of the line then.
    fn spoken_for(&mut self, side: i32, text: &str) -> Option<String> {
        let entries = self.session.record.entries.get(self.spoken..)?;
        let (at, rest) = already_answered(&self.session.ruleset, side, entries, text)?;
        self.spoken += at + 1;
        Some(rest)
    }

    fn refused(&mut self, line: &Node, because: Option<&Node>) -> Result<(), Failure> {
        let text = line.as_text(&mut self.found);
        let question = self.question(&line.span)?;
        let read = read_action(&self.session.game, &question, &text);
        let (action, rest) = read.or_else(|wrong| fail(&line.span, wrong.to_string()))?;
        if !rest.is_empty() {
            return fail(&line.span, format!("a refusal is of one answer; `{rest}` is left over"));
        }
        let refusals = self.session.game.why_not(&question, action);
        if refusals.is_empty() {
            return fail(&line.span, format!("`{text}` is allowed"));
        }
        let Some(because) = because else { return fail(&line.span, "a refusal needs `because:` and its citation") };
        let cite = because.as_text(&mut self.found);
        let cited: Vec<&str> = refusals.iter().map(|r| self.session.ruleset.cite(r.cite)).collect();
        if cited.contains(&cite.as_str()) {
            return Ok(());
        }
        let texts: Vec<&str> = refusals.iter().map(|r| r.text.as_str()).collect();
        fail(&because.span, format!("it is refused by {}: {}", cited.join(", "), texts.join("; ")))
    }

    fn asked(&mut self, key: &Node) -> Result<(), Failure> {
        let wanted = key.as_text(&mut self.found);
        let question = self.question(&key.span)?;
        let is = &self.session.ruleset.questions[question.key as usize].key;
        if *is == wanted { Ok(()) } else { fail(&key.span, format!("`{is}` is asked")) }
    }

    fn offered(&mut self, list: &Node, wanted: bool) -> Result<(), Failure> {
        for line in list.items(&mut self.found).to_vec() {
            let text = line.as_text(&mut self.found);
            let question = self.question(&line.span)?;
            let ruleset = self.session.ruleset.clone();
            // A verb alone asks whether it is offered at all.
            let verb = ruleset.verb(&text).filter(|v| ruleset.verbs[*v].takes.is_some());
            let is_offered = match verb {
                Some(verb) => self.session.offers().iter().any(|a| a.verb == verb as u16),
                None => {
                    let read = read_action(&self.session.game, &question, &text);
                    let (action, _) = read.or_else(|wrong| fail(&line.span, wrong.to_string()))?;
                    self.session.offers().contains(&action)
                }
            };
            if is_offered != wanted {
                let how = if is_offered { "is offered" } else { "is not offered" };
                let key = &ruleset.questions[question.key as usize].key;
                return fail(&line.span, format!("`{text}` {how} at `{key}`"));
            }
        }
        Ok(())
    }

    /// `offers: { to: [a, b] }`: exactly these.
    fn offers(&mut self, node: &Node) -> Result<(), Failure> {
        let ruleset = self.session.ruleset.clone();
        for (verb, list) in node.entries(&mut self.found).to_vec() {
            let word = verb.as_text(&mut self.found);
            let Some(at) = ruleset.verb(&word) else { return fail(&verb.span, format!("there is no verb `{word}`")) };
            let kind = ruleset.verbs[at].takes.unwrap_or(Kind::Int);
            let mut is: Vec<String> = self
                .session
                .offers()
                .iter()
                .filter(|a| a.verb == at as u16)
                .map(|a| ruleset.id_of(kind, a.value))
                .collect();
            let mut wanted: Vec<String> =
                list.items(&mut self.found).to_vec().iter().map(|n| n.as_text(&mut self.found)).collect();
            is.sort();
            wanted.sort();
            if is != wanted {
                return fail(&list.span, format!("`{word}` offers [{}]", is.join(", ")));
            }
        }
        Ok(())
    }

    fn expect(&mut self, node: &Node) -> Result<(), Failure> {
        for (who, what) in node.entries(&mut self.found).to_vec() {
            let word = who.as_text(&mut self.found);
            match word.as_str() {
                "tally" | "told" => {
                    for line in what.items(&mut self.found).to_vec() {
                        self.told(&line, true)?;
                    }
                }
                "not-told" => {
                    for line in what.items(&mut self.found).to_vec() {
                        self.told(&line, false)?;
                    }
                }
                "over" => self.over(&what)?,
                "in" => self.in_place(&what)?,
                _ => self.expect_of(&who, &what)?,
            }
        }
        Ok(())
    }

    fn expect_of(&mut self, who: &Node, what: &Node) -> Result<(), Failure> {
        let (holder, of) = self.holder(who)?;
        for (name, value) in what.entries(&mut self.found).to_vec() {
            if holder == Holder::Unit && name.text() == Some("at") {
                let wanted = self.place_named(&value)?;
                let is = self.session.game.place(of);
                if is != wanted {
                    let unit = self.session.ruleset.name_of(Kind::Unit, of);
                    let is = self.session.ruleset.name_of_place(is);
                    return fail(&value.span, format!("{unit} is at {is}"));
                }
                continue;
            }
            let (column, wanted) = self.column_value(holder, &name, &value)?;
            let is = self.session.game.get(column, of);
            if is != wanted {
                let kind = self.session.ruleset.schema.columns[column as usize].kind;
                let is = self.session.ruleset.name_of(kind, is);
                let (who, name) = (who.text().unwrap_or(""), name.text().unwrap_or(""));
                return fail(&value.span, format!("{who}'s {name} is {is}"));
            }
        }
        Ok(())
    }

    fn told(&mut self, line: &Node, wanted: bool) -> Result<(), Failure> {
        let text = line.as_text(&mut self.found);
        let ruleset = self.session.ruleset.clone();
        let mut story = Story::new(&ruleset);
        let events: Vec<Event> = self.session.told().cloned().collect();
        let all: Vec<String> = events.iter().filter_map(|e| story.tell(e)).collect();
        if all.iter().any(|t| t.contains(&text)) == wanted {
            return Ok(());
        }
        let what = if wanted { "was not told" } else { "was told" };
        fail(&line.span, format!("`{text}` {what}. Told:\n    {}", all.join("\n    ")))
    }

    fn over(&mut self, what: &Node) -> Result<(), Failure> {
        let wanted = what.as_text(&mut self.found);
        let ruleset = &self.session.ruleset;
        let is = self.session.game.outcome.as_ref().map_or_else(|| "no".to_owned(), |o| ruleset.outcome(o));
        if is == wanted { Ok(()) } else { fail(&what.span, format!("over: {is}")) }
    }

    fn in_place(&mut self, what: &Node) -> Result<(), Failure> {
        let wanted = what.as_text(&mut self.found);
        let ruleset = &self.session.ruleset;
        let here = self.session.game.place_of_play();
        let outer = ruleset.sequence.place(&wanted);
        if here.zip(outer).is_some_and(|(h, o)| ruleset.sequence.is_inside(h, o)) {
            return Ok(());
        }
        let is = here.map_or("nowhere", |p| ruleset.sequence.places[p].name.as_str());
        fail(&what.span, format!("play is in `{is}`"))
    }
}

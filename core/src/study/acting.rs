//! Acts one example out: sets the table up, answers for the sides, and compares what comes of it.

use std::collections::{BTreeMap, VecDeque};

use super::{
    example::{Example, Failure},
    example_names::thing_named,
    scripted::{Die, Moved},
};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    play::{Chance, Effect, Entry, NotTaken, Question, Roll, Rules, Session, SessionError, Task},
    ruleset::{Cite, Holder, Kind, Schema, Verb},
    show::{Misread, Sight, Story, Words, already_answered, read_action},
    yaml::Node,
};

/// An example being acted out.
pub(super) struct Acting<R: Rules> {
    pub(super) session: Session<R>,
    pub(super) found: Diagnostics,
    /// Entries of the record that the example has spoken of, or that its own answers are.
    spoken: usize,
    /// Dice not rolled yet, from the first that is told by what comes of it.
    pub(super) dice: VecDeque<Die>,
    /// The last move of each unit that an answer of the example moved.
    pub(super) moved: BTreeMap<i32, Moved>,
}

pub(super) fn fail<T>(span: &Span, message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure { span: span.clone(), message: message.into(), told: Vec::new() })
}

impl<R: Rules> Acting<R> {
    /// A table at which nothing has been done.
    pub(super) fn new(mut session: Session<R>) -> Acting<R> {
        session.by_hand(|_| ());
        let found = Diagnostics::default();
        Acting { session, found, spoken: 0, dice: VecDeque::new(), moved: BTreeMap::new() }
    }

    /// Sets the table up, plays, and compares.
    pub(super) fn run(&mut self, example: &Example) -> Result<(), Failure> {
        let node = &example.node;
        self.set_up(node)?;
        if let Some(begin) = node.get("begin") {
            let name = begin.as_text(&mut self.found);
            let Some(place) = self.session.ruleset().sequence.place(&name) else {
                return fail(&begin.span, format!("`{name}` is no place of the sequence"));
            };
            self.session.by_hand(|game| game.begin_at(place));
        }
        if let Some(task) = node.get("task") {
            self.push_task(task)?;
        }
        self.dice = self.read_dice(node.get("dice"))?;
        self.session.chance = Chance::Script(self.faces());
        // With `ask-all`, questions with one answer are asked too, so that a refusal can be shown there.
        self.session.limits.forced = !node.get("ask-all").is_some_and(|n| n.as_flag(&mut self.found));
        let begun = self.session.advance().map_err(SessionError::from);
        self.check_error(begun, &example.span)?;
        self.roll_results(&example.span)?;
        for step in node.get("play").map(|n| n.items(&mut self.found).to_vec()).unwrap_or_default() {
            self.step(&step)?;
        }
        if let Some(expect) = node.get("expect") {
            let expected = self.expect(expect);
            self.die_first(expected)?;
        }
        let unrolled = if let Chance::Script(left) = &self.session.chance { left.len() } else { 0 };
        match unrolled + self.dice.len() {
            0 => Ok(()),
            left => fail(&example.span, format!("{left} scripted dice were not rolled")),
        }
    }

    /// Puts the die that nobody scripted first: what waits for it cannot be as expected.
    fn die_first(&self, checked: Result<(), Failure>) -> Result<(), Failure> {
        checked.map_err(|failure| match self.session.roll() {
            Some(roll) => {
                let message = format!("{} is not scripted, and {}", self.named(roll), failure.message);
                Failure { message, ..failure }
            }
            None => failure,
        })
    }

    /// A die or draw in words.
    fn named(&self, roll: &Roll) -> String {
        let purpose = &self.session.ruleset().chances[roll.chance as usize].purpose;
        format!("a die for {purpose}")
    }

    /// What has been told, a line each.
    pub(super) fn story(&self) -> Vec<String> {
        let mut story = Story::new(self.session.ruleset());
        self.session.told().filter_map(|event| story.tell(event)).collect()
    }

    pub(super) fn check_error(&self, result: Result<(), SessionError>, span: &Span) -> Result<(), Failure> {
        match result {
            Ok(()) => match (self.session.roll(), &self.session.chance) {
                (Some(roll), Chance::Script(left)) if let Some(face) = left.front() => {
                    let what = self.named(roll);
                    let but = match roll.faces() {
                        0 => "and is none of what may be drawn".to_owned(),
                        faces => format!("which has {faces} faces"),
                    };
                    fail(span, format!("{face} is scripted for {what}, {but}"))
                }
                _ => Ok(()),
            },
            Err(wrong @ SessionError::NotTaken(NotTaken::Refused(_))) => {
                fail(span, format!("refused: {}", Words::all(self.session.ruleset()).wrong(&wrong)))
            }
            Err(other) => fail(span, other.to_string()),
        }
    }

    fn apply(&mut self, effect: Effect, span: &Span) -> Result<(), Failure> {
        self.session.by_hand(|game| game.apply(effect)).or_else(|wrong| fail(span, wrong))
    }

    pub(super) fn place_named(&mut self, node: &Node) -> Result<i32, Failure> {
        let text = node.as_text(&mut self.found);
        let ruleset = self.session.ruleset();
        if let Some(space) = ruleset.map.find(&text) {
            return Ok(space.0 as i32);
        }
        match ruleset.boxes.iter().position(|b| b.id == text) {
            Some(at) => Ok(self.session.game().box_place(at as i32)),
            None => fail(&node.span, format!("there is no space or box `{text}`")),
        }
    }

    fn set_up(&mut self, node: &Node) -> Result<(), Failure> {
        for (unit, place) in node.get("place").map(|n| n.entries(&mut self.found).to_vec()).unwrap_or_default() {
            let name = unit.as_text(&mut self.found);
            let Some(unit_id) = self.session.ruleset().unit(&name) else {
                let units = self.session.ruleset().units.iter().map(|unit| unit.id.as_str());
                return fail(&unit.span, format!("there is no unit `{name}`: {}", suggest(&name, units)));
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
            let Some(value) = self.session.ruleset().side(&text) else {
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
        Ok(())
    }

    fn holder(&mut self, who: &Node) -> Result<(Holder, i32), Failure> {
        let text = who.as_text(&mut self.found);
        match thing_named(self.session.ruleset(), &text) {
            Some(thing) => Ok(thing),
            None => fail(&who.span, format!("`{text}` is neither a unit, a side, a card, a space nor `game`")),
        }
    }

    fn column_value(&mut self, holder: Holder, name: &Node, value: &Node) -> Result<(u16, i32), Failure> {
        let text = name.as_text(&mut self.found);
        let ruleset = self.session.ruleset().clone();
        let Some(column) = ruleset.schema.column(holder, &text) else {
            let known = ruleset.schema.columns.iter().filter(|c| c.holder == holder).map(|c| c.name.as_str());
            return fail(&name.span, format!("there is no property `{text}`: {}", suggest(&text, known)));
        };
        Ok((column, self.value_of(ruleset.schema.columns[column as usize].kind, value)?))
    }

    fn value_of(&mut self, kind: Kind, value: &Node) -> Result<i32, Failure> {
        let ruleset = self.session.ruleset().clone();
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
            Some(read) => Ok(read),
            None => fail(&value.span, format!("`{written}` is not {}", kind.words())),
        }
    }

    fn push_task(&mut self, task: &Node) -> Result<(), Failure> {
        let name = task.as_text(&mut self.found);
        let Some(rule) = self.session.ruleset().rule(&name) else {
            return fail(&task.span, format!("there is no rule `{name}`"));
        };
        let task_made = Task { rule, with: [-1; 4], source: crate::play::Source::Agenda };
        self.apply(Effect::Push { task: task_made }, &task.span)
    }

    pub(super) fn question(&self, span: &Span) -> Result<Question, Failure> {
        match self.session.question() {
            Some(question) => Ok(question.clone()),
            None => match self.session.roll() {
                Some(roll) => fail(span, format!("{} is not scripted", self.named(roll))),
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
                "would" => self.would(&value, true)?,
                "would-not" => self.would(&value, false)?,
                "offers" | "expect" => {
                    let checked = if word == "offers" { self.offers(&value) } else { self.expect(&value) };
                    self.die_first(checked)?;
                }
                side => match self.session.ruleset().side(side) {
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
                let by = &self.session.ruleset().sides[question.by as usize].name;
                let key = &self.session.ruleset().questions[question.key as usize].key;
                return fail(&line.span, format!("it is the {by} side that is asked `{key}`, before `{text}`"));
            }
            let (action, rest) = match read_action(self.session.game(), &question, &text, Sight::ALL) {
                Ok(read) => read,
                Err(wrong) => {
                    let key = &self.session.ruleset().questions[question.key as usize].key;
                    return fail(&line.span, format!("{wrong}, at question `{key}`"));
                }
            };
            self.spoken = self.session.entries() + 1;
            let moved = self.moving(&question, action);
            let acted = self.session.act(side, action);
            self.check_error(acted, &line.span)?;
            self.moved.extend(moved);
            self.roll_results(&line.span)?;
            text = rest;
        }
        Ok(())
    }

    /// Whether the first part of a line is an answer to the waiting question.
    fn is_offered(&self, side: i32, text: &str) -> bool {
        let Some(question) = self.session.question().filter(|q| q.by == side) else { return false };
        let read = read_action(self.session.game(), question, text, Sight::ALL);
        read.is_ok_and(|(action, _)| self.session.is_offered(action))
    }

    /// Whether the first part of a line says what the engine has just answered for a side, because nothing else
    /// was offered; what is left of the line then.
    fn spoken_for(&mut self, side: i32, text: &str) -> Option<String> {
        let entries: Vec<Entry> = self.session.record().entries.from(self.spoken).cloned().collect();
        let (at, rest) = already_answered(self.session.game(), side, &entries, text, Sight::ALL)?;
        self.spoken += at + 1;
        Some(rest)
    }

    fn refused(&mut self, line: &Node, because: Option<&Node>) -> Result<(), Failure> {
        let text = line.as_text(&mut self.found);
        let question = self.question(&line.span)?;
        let game = self.session.game();
        let refusals = match read_action(game, &question, &text, Sight::ALL) {
            Ok((action, rest)) if rest.is_empty() => game.why_not(&question, action),
            Ok((_, rest)) => return fail(&line.span, format!("a refusal is of one answer; `{rest}` is left over")),
            Err(Misread::Half(half, _)) => game.why_not_half(&question, half),
            Err(wrong) => return fail(&line.span, wrong.to_string()),
        };
        if refusals.is_empty() {
            return fail(&line.span, format!("`{text}` is allowed"));
        }
        let Some(because) = because else { return fail(&line.span, "a refusal needs the paragraph that refuses") };
        let cite = because.as_text(&mut self.found);
        let cited: Vec<&str> = refusals.iter().map(|r| self.session.ruleset().cite(r.cite)).collect();
        if cited.contains(&cite.as_str()) {
            return Ok(());
        }
        let words = Words::all(self.session.ruleset());
        let texts: Vec<String> = refusals.iter().map(|r| words.say(&r.said)).collect();
        fail(&because.span, format!("it is refused by {}, and not by {cite}: {}", cited.join(", "), texts.join("; ")))
    }

    fn asked(&mut self, key: &Node) -> Result<(), Failure> {
        let wanted = key.as_text(&mut self.found);
        let question = self.question(&key.span)?;
        let is = &self.session.ruleset().questions[question.key as usize].key;
        if *is == wanted { Ok(()) } else { fail(&key.span, format!("`{is}` is asked")) }
    }

    fn offered(&mut self, list: &Node, wanted: bool) -> Result<(), Failure> {
        for line in list.items(&mut self.found).to_vec() {
            let text = line.as_text(&mut self.found);
            let question = self.question(&line.span)?;
            let ruleset = self.session.ruleset().clone();
            // A verb alone asks whether it is offered at all.
            let verb = ruleset.verb(&text).filter(|v| !ruleset.verbs[*v].takes.is_empty());
            let is_offered = match verb {
                Some(verb) => self.session.offers().iter().any(|a| a.verb == verb as u16),
                None => match read_action(self.session.game(), &question, &text, Sight::ALL) {
                    Ok((action, _)) => self.session.is_offered(action),
                    Err(Misread::Half(half, _)) => self.session.game().why_not_half(&question, half).is_empty(),
                    Err(wrong) => return fail(&line.span, wrong.to_string()),
                },
            };
            if is_offered != wanted {
                let how = if is_offered { "is offered" } else { "is not offered" };
                let key = &ruleset.questions[question.key as usize].key;
                return fail(&line.span, format!("`{text}` {how} at `{key}`"));
            }
        }
        Ok(())
    }

    /// `offers: { to: [a, b], stay: true }`: exactly these, and whether a verb that takes nothing is offered.
    fn offers(&mut self, node: &Node) -> Result<(), Failure> {
        let ruleset = self.session.ruleset().clone();
        for (verb, list) in node.entries(&mut self.found).to_vec() {
            let word = verb.as_text(&mut self.found);
            let Some(at) = ruleset.verb(&word) else { return fail(&verb.span, format!("there is no verb `{word}`")) };
            let takes = &ruleset.verbs[at].takes;
            if takes.is_empty() {
                let wanted = match list.text() {
                    Some("true") => true,
                    Some("false") => false,
                    _ => return fail(&list.span, format!("`{word}` takes nothing: write `{word}: true` or `false`")),
                };
                if self.session.offers().iter().any(|a| a.verb == at as u16) != wanted {
                    let how = if wanted { "is not offered" } else { "is offered" };
                    return fail(&list.span, format!("`{word}` {how}"));
                }
                continue;
            }
            let ids = |values: [i32; Verb::MOST_TAKEN]| {
                let ids = takes.iter().zip(values).map(|(kind, value)| ruleset.id_of(*kind, value));
                ids.collect::<Vec<_>>().join(" ")
            };
            let mut is: Vec<String> =
                self.session.offers().iter().filter(|a| a.verb == at as u16).map(|a| ids(a.values)).collect();
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
                let is = self.session.game().place(of);
                if is != wanted {
                    let unit = self.session.ruleset().name_of(Kind::Unit, of);
                    let [is, wanted] = [is, wanted].map(|place| self.session.ruleset().name_of_place(place));
                    return fail(&value.span, format!("{unit} is at {is}, and not at {wanted}"));
                }
                continue;
            }
            if holder == Holder::Unit && self.expect_of_move(of, &name, &value)? {
                continue;
            }
            // What is printed may be looked up too.
            let ruleset = self.session.ruleset().clone();
            let printed =
                ruleset.attributes.iter().find(|a| a.holder == holder && Some(a.name.as_str()) == name.text());
            let (wanted, is, kind) = match printed {
                Some(printed) => (self.value_of(printed.kind, &value)?, printed.values[of as usize], printed.kind),
                None => {
                    let (column, wanted) = self.column_value(holder, &name, &value)?;
                    (wanted, self.session.game().get(column, of), ruleset.schema.columns[column as usize].kind)
                }
            };
            if is != wanted {
                let [is, wanted] = [is, wanted].map(|value| self.session.ruleset().name_of(kind, value));
                let (who, name) = (who.text().unwrap_or(""), name.text().unwrap_or(""));
                return fail(&value.span, format!("{who}'s {name} is {is}, and not {wanted}"));
            }
        }
        Ok(())
    }

    fn told(&mut self, line: &Node, wanted: bool) -> Result<(), Failure> {
        let text = line.as_text(&mut self.found);
        if self.story().iter().any(|t| t.contains(&text)) == wanted {
            return Ok(());
        }
        let what = if wanted { "was not told" } else { "was told" };
        fail(&line.span, format!("`{text}` {what}"))
    }

    fn over(&mut self, what: &Node) -> Result<(), Failure> {
        let wanted = what.as_text(&mut self.found);
        let ruleset = self.session.ruleset();
        let is = self.session.game().outcome().map_or_else(|| "no".to_owned(), |o| ruleset.outcome(o));
        if is == wanted { Ok(()) } else { fail(&what.span, format!("over: {is}, and not {wanted}")) }
    }

    fn in_place(&mut self, what: &Node) -> Result<(), Failure> {
        let wanted = what.as_text(&mut self.found);
        let ruleset = self.session.ruleset();
        let here = self.session.game().place_of_play();
        let outer = ruleset.sequence.place(&wanted);
        if here.zip(outer).is_some_and(|(h, o)| ruleset.sequence.is_inside(h, o)) {
            return Ok(());
        }
        let is = here.map_or("nowhere", |p| ruleset.sequence.places[p].name.as_str());
        fail(&what.span, format!("play is in `{is}`"))
    }
}

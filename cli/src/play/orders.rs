//! What people type at the table, and what is done with it.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::Result;
use countermarch_core::{
    play::{About, Action, Chance, Dice, Entry, Question, SessionError},
    ruleset::Kind,
    show::{Column, Misread, Story, already_answered, read_action, read_adjustment},
};

use super::{Table, look::help};
use crate::{input::Input, records::explain};

impl Table {
    /// A command or orders. False to leave the table.
    pub(super) fn take(&mut self, question: &Question, line: &str) -> Result<bool> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => (),
            "quit" | "exit" => {
                self.leave();
                return Ok(false);
            }
            "help" | "?" => help(),
            "why" => match explain(&mut self.session, rest) {
                Ok(text) => println!("{text}"),
                Err(wrong) => println!("{wrong}"),
            },
            "map" => self.map(rest),
            "units" => self.units(),
            "log" => self.log(rest.trim().parse().unwrap_or(20)),
            "luck" => self.luck(),
            "odds" => self.odds(question, rest)?,
            "undo" => self.undo(question.by)?,
            "agree" => self.agree(rest)?,
            "save" => self.save(rest)?,
            _ => {
                if let Ok(number) = line.parse::<usize>()
                    && let Some(action) = number.checked_sub(1).and_then(|n| self.listed.get(n)).copied()
                {
                    self.answer(question, action)?;
                } else {
                    match Column::read(&self.session.ruleset, line) {
                        Some(Ok(column)) => self.march(question.by, &column)?,
                        Some(Err(wrong)) => println!("  {wrong}"),
                        None => self.orders(question.by, line)?,
                    }
                }
            }
        }
        Ok(true)
    }

    /// A line of orders: split into single answers, stopped at the first refusal, undone as one.
    pub(super) fn orders(&mut self, by: i32, line: &str) -> Result<()> {
        let mut text = line.to_owned();
        let mut spoken = self.session.record.entries.len();
        while !text.is_empty() {
            let Some(question) = self.session.question().cloned() else { break };
            let is_answer = question.by == by
                && read_action(&self.session.game, &question, &text)
                    .is_ok_and(|(action, _)| self.session.offers().contains(&action));
            let entries = &self.session.record.entries[spoken..];
            if let Some((at, rest)) = already_answered(&self.session.ruleset, by, entries, &text).filter(|_| !is_answer)
            {
                (text, spoken) = (rest, spoken + at + 1);
                continue;
            }
            if question.by != by {
                println!("  `{text}` is left: it is the other side's turn to answer");
                break;
            }
            match read_action(&self.session.game, &question, &text) {
                Ok((action, rest)) => {
                    spoken = self.session.record.entries.len() + 1;
                    if !self.answer(&question, action)? {
                        if !rest.is_empty() {
                            println!("  `{rest}` is left undone");
                        }
                        break;
                    }
                    text = rest;
                }
                Err(Misread::Empty) => break,
                Err(wrong) => {
                    println!("  {wrong}");
                    break;
                }
            }
        }
        Ok(())
    }

    /// Marches a column along a road, unit by unit, each as far as it can; stops at the first that cannot.
    fn march(&mut self, by: i32, column: &Column) -> Result<()> {
        for (at, unit) in column.units.iter().enumerate() {
            if self.march_one(by, column, *unit)? {
                continue;
            }
            let name = |unit: &i32| self.session.ruleset.name_of(Kind::Unit, *unit);
            let rest: Vec<String> = column.units[at + 1..].iter().map(name).collect();
            if !rest.is_empty() {
                println!("  {} stay where they are", rest.join(", "));
            }
            break;
        }
        Ok(())
    }

    /// Marches one unit of a column. False if it did not go.
    fn march_one(&mut self, by: i32, column: &Column, unit: i32) -> Result<bool> {
        let ruleset = self.session.ruleset.clone();
        let name = ruleset.name_of(Kind::Unit, unit);
        let Some(question) = self.session.question().cloned().filter(|q| q.by == by) else { return Ok(false) };
        match column.choose(&ruleset, self.session.offers(), unit) {
            Some(action) => {
                if !self.answer(&question, action)? {
                    return Ok(false);
                }
            }
            // Where nobody else could be chosen, it is asked at once where it goes.
            None if question.about == About::Unit(unit) => (),
            None => {
                self.orders(by, &ruleset.id_of(Kind::Unit, unit))?;
                return Ok(false);
            }
        }
        let Some(question) = self.session.question().cloned().filter(|q| q.by == by) else { return Ok(false) };
        let Some(action) = column.farthest(&self.session.game, &question, unit) else {
            println!("  {name} can come no nearer along the {}", ruleset.map.roads[column.road].name);
            return Ok(false);
        };
        let goal = column.to.0 as i32;
        let by_force = action.value != goal && self.session.offers().iter().any(|a| a.value == goal);
        let goes = self.answer(&question, action)?;
        if by_force && goes {
            println!("  {name} stops short: {} is beyond its allowance", ruleset.name_of_place(goal));
        }
        Ok(goes)
    }

    /// Gives one answer. False if it was refused, or held back for a second look.
    pub(super) fn answer(&mut self, question: &Question, action: Action) -> Result<bool> {
        if self.guards(question, action) {
            return Ok(false);
        }
        match self.session.act(question.by, action) {
            Ok(()) => {
                self.warned = false;
                self.write()?;
                Ok(true)
            }
            Err(SessionError::Refused(refusals)) => {
                for refusal in refusals {
                    println!("  No: {}  [{}]", refusal.text, self.session.ruleset.cite(refusal.cite));
                }
                Ok(false)
            }
            Err(SessionError::Rule(wrong)) => {
                println!("  A rule of this game failed, and the game stands as before.\n  {wrong}");
                Ok(false)
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Before a part of the turn is ended with things still to do, says so once.
    pub(super) fn guards(&mut self, question: &Question, action: Action) -> bool {
        let ruleset = &self.session.ruleset;
        if !ruleset.verbs[action.verb as usize].ends || self.warned || !io::stdin().is_terminal() {
            return false;
        }
        let mut left: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        for offer in self.session.offers().iter().filter(|a| a.verb != action.verb) {
            if ruleset.verbs[offer.verb as usize].takes == Some(Kind::Unit) {
                left.entry(offer.verb).or_default().push(ruleset.name_of(Kind::Unit, offer.value));
            }
        }
        if left.is_empty() || !self.session.offers().contains(&action) {
            return false;
        }
        for (verb, names) in left {
            println!("  You could still {}: {}", ruleset.verbs[verb as usize].id, names.join(", "));
        }
        let word = &ruleset.verbs[action.verb as usize].id;
        println!("  Type `{word}` again to end here. [{}]", ruleset.questions[question.key as usize].key);
        self.warned = true;
        true
    }

    pub(super) fn ask_for_roll(&mut self, input: &mut Input) -> Result<bool> {
        let Some(roll) = self.session.roll().cloned() else { return Ok(true) };
        let ruleset = self.session.ruleset.clone();
        let (says, draws) = ruleset.asks_chance(&roll);
        println!("\n{says}");
        let possible: Vec<i32> = match &roll.dice {
            Dice::Die(faces) => (1..=*faces).collect(),
            Dice::One(list) => list.to_vec(),
        };
        let kind = draws.unwrap_or(Kind::Int);
        let names = possible.iter().map(|value| ruleset.id_of(kind, *value)).collect();
        let prompt = if roll.faces() > 0 { format!("d{}> ", roll.faces()) } else { "drawn> ".to_owned() };
        let Some(line) = input.line(&prompt, names)? else {
            self.leave();
            return Ok(false);
        };
        match line.trim() {
            "" => (),
            "quit" | "exit" => {
                self.leave();
                return Ok(false);
            }
            text => match ruleset.find_named(kind, text, &possible) {
                Ok(Some(value)) => self.session.act_roll(value)?,
                Ok(None) => {
                    let names: Vec<String> = possible.iter().map(|value| ruleset.id_of(kind, *value)).collect();
                    println!("  `{text}` cannot come up: it is one of {}, or `quit`", names.join(", "));
                }
                Err(several) => println!("  `{text}` may be {}", several.join(" or ")),
            },
        }
        Ok(true)
    }

    pub(super) fn undo(&mut self, by: i32) -> Result<()> {
        let now = self.session.record.entries.len();
        while self.asked_at.last().is_some_and(|at| *at >= now) {
            self.asked_at.pop();
        }
        let Some(back) = self.asked_at.last().copied() else {
            println!("  There is nothing to take back.");
            return Ok(());
        };
        let seen = self.session.record.entries[back..].iter().any(|entry| match entry {
            Entry::Chance { .. } => true,
            Entry::Agreement(_) => false,
            Entry::Side { by: other, .. } => *other != by,
        });
        if seen && !self.analysis {
            println!(
                "  A die has been rolled or the other side has answered since; play with --analysis to take that back."
            );
            return Ok(());
        }
        let undone = now - back;
        self.session.take_back(back)?;
        for _ in 0..undone {
            writeln!(self.file, "undo")?;
        }
        self.written = self.session.record.entries.len().min(back);
        self.hashed = self.hashed.min(self.written);
        self.told = self.session.told().count();
        println!("  Taken back.");
        self.write()
    }

    /// A change that the players agree on, outside the rules; the record says so for ever.
    pub(super) fn agree(&mut self, text: &str) -> Result<()> {
        let adjustment = match read_adjustment(&self.session.ruleset, text) {
            Ok(adjustment) => adjustment,
            Err(wrong) => {
                println!("  {wrong}");
                return Ok(());
            }
        };
        match self.session.adjust(adjustment) {
            Ok(()) => self.write(),
            Err(SessionError::Agreement(wrong)) => {
                println!("  {wrong}");
                Ok(())
            }
            Err(other) => Err(other.into()),
        }
    }

    /// What each roll of the next die would do after an answer, worked out by playing it.
    pub(super) fn odds(&mut self, question: &Question, line: &str) -> Result<()> {
        let action = match (line.trim(), self.listed.first()) {
            // Without a move, the last answer that takes nothing: the one that goes on.
            ("", Some(_)) => self.listed.iter().copied().rfind(|a| a.value < 0),
            (text, _) => read_action(&self.session.game, question, text).ok().map(|(a, _)| a),
        };
        let Some(action) = action.filter(|a| self.session.offers().contains(a)) else {
            println!("  odds of what? Type `odds` and an answer that leads to a die, as `odds go`");
            return Ok(());
        };
        let before = self.session.record.entries.len();
        let kept = std::mem::replace(&mut self.session.chance, Chance::Person);
        let ruleset = self.session.ruleset.clone();
        self.session.act(question.by, action)?;
        let at = self.session.record.entries.len();
        if let Some(roll) = self.session.roll().cloned() {
            let faces: Vec<i32> = (1..=1000).take_while(|f| roll.can_be(*f)).collect();
            for face in faces {
                let told = self.session.told().count();
                self.session.act_roll(face)?;
                let mut story = Story::seen_by(self.sight(), &ruleset, &self.session.game);
                let lines: Vec<String> = self.session.told().skip(told).filter_map(|e| story.tell(e)).collect();
                let shown = lines.iter().filter(|l| !l.starts_with("die for")).take(3).cloned().collect::<Vec<_>>();
                println!("  {face}: {}", shown.join("; "));
                self.session.take_back(at)?;
            }
        } else {
            println!("  no die follows that answer");
        }
        self.session.chance = kept;
        self.session.take_back(before)?;
        Ok(())
    }

    /// Writes the record so far to a new file, and plays on with the old one.
    pub(super) fn save(&mut self, name: &str) -> Result<()> {
        self.write()?;
        match name.trim() {
            "" => println!("  Saved in {}", self.file.path().display()),
            name => match self.file.copy_to(Path::new(name)) {
                Ok(()) => println!("  Saved in {name}"),
                Err(wrong) => println!("  Not saved: {wrong:#}"),
            },
        }
        Ok(())
    }
}

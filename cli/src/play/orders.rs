//! What people type at the table, and what is done with it.

use std::{collections::BTreeMap, io::Write, path::Path};

use anyhow::Result;
use countermarch_core::{
    play::{About, Action, Dice, Entry, NotTaken, Question, SessionError, Stands},
    ruleset::Kind,
    show::{
        Column, Misread, already_answered, course, folded, read_action, read_adjustment, reinforcements, score, victory,
    },
    study::{explain, odds},
};

use super::{Table, asked::WIDTH};
use crate::{input::Input, seats::Seat};

/// Turns whose arrivals fit a small screen.
const NEXT_ARRIVALS: usize = 5;

impl Table {
    /// A command or orders. False to leave the table.
    pub(super) fn take(&mut self, question: &Question, line: &str) -> Result<bool> {
        self.confirmed = self.held.take();
        if line.is_empty() {
            if let Some(action) = self.confirmed {
                self.answer(question, action)?;
            }
            return Ok(true);
        }
        if let Some(stays) = self.command(line)? {
            return Ok(stays);
        }
        if let Ok(number) = line.parse::<usize>()
            && let Some(action) = number.checked_sub(1).and_then(|n| self.listed.get(n)).copied()
        {
            self.answer(question, action)?;
            return Ok(true);
        }
        match Column::read(self.session.ruleset(), line) {
            Some(Ok(column)) => self.march(question.by, &column)?,
            Some(Err(wrong)) => println!("  {wrong}"),
            None => self.orders(question.by, line)?,
        }
        Ok(true)
    }

    /// A command, which answers no question; nothing if the line is none. False to leave the table.
    pub(super) fn command(&mut self, line: &str) -> Result<Option<bool>> {
        let question = self.session.question().cloned();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let sight = self.sight();
        let game = self.session.game();
        match (word, rest) {
            ("quit" | "exit", "") => {
                self.leave();
                return Ok(Some(false));
            }
            ("help" | "?", _) => self.help(question.as_ref()),
            ("why", _) => match explain(&mut self.session, rest, sight) {
                Ok(text) => println!("{text}"),
                Err(wrong) => println!("{wrong}"),
            },
            ("map", _) => self.map(rest),
            ("units", "") => self.units(),
            ("log", _) => self.log(rest.parse().unwrap_or(20)),
            ("luck", "") => self.luck(),
            ("score", "") => tell(&score(game, &self.session.record().scenario, self.sight())),
            ("victory", "") => tell(&victory(game)),
            ("turn", "") => tell(&course(game)),
            ("reinforcements", "") => tell(&reinforcements(game, self.sight(), NEXT_ARRIVALS)),
            ("reinforcements", "all") => tell(&reinforcements(game, self.sight(), usize::MAX)),
            ("cards", "") => self.cards(),
            ("which", "") => match &question {
                Some(question) => self.which(question),
                None => println!("  nobody is asked anything now"),
            },
            ("odds", _) => self.odds(question.as_ref(), rest),
            ("undo", "") => self.undo()?,
            ("agree", _) => self.agree(rest)?,
            ("save", _) => self.save(rest)?,
            _ => return Ok(None),
        }
        Ok(Some(true))
    }

    /// A line of orders: split into single answers, stopped at the first refusal, undone as one.
    pub(super) fn orders(&mut self, by: i32, line: &str) -> Result<()> {
        let mut text = line.to_owned();
        let mut spoken = self.session.entries();
        while !text.is_empty() {
            let asked = self.session.question().cloned();
            let is_answer = asked.as_ref().is_some_and(|question| {
                question.by == by
                    && read_action(self.session.game(), question, &text)
                        .is_ok_and(|(action, _)| self.session.offers().contains(&action))
            });
            let entries: Vec<Entry> = self.session.record().entries.from(spoken).cloned().collect();
            if let Some((at, rest)) =
                already_answered(self.session.ruleset(), by, &entries, &text).filter(|_| !is_answer)
            {
                (text, spoken) = (rest, spoken + at + 1);
                continue;
            }
            let Some(question) = asked.filter(|q| q.by == by && (is_answer || !self.session.waits())) else {
                self.left(&text);
                break;
            };
            match read_action(self.session.game(), &question, &text) {
                Ok((action, rest)) => {
                    spoken = self.session.entries() + 1;
                    if !self.answer(&question, action)? {
                        if !rest.is_empty() {
                            self.left(&rest);
                        }
                        break;
                    }
                    text = rest;
                }
                Err(Misread::Empty) => break,
                Err(wrong) => {
                    println!("  {wrong}");
                    if text != line || text.contains(',') {
                        self.left(&text);
                    }
                    break;
                }
            }
        }
        Ok(())
    }

    /// Says what of a line is left undone, and what stands before it.
    fn left(&self, text: &str) {
        let first = match (self.session.question(), self.session.roll()) {
            (_, Some(roll)) => self.session.game().asks_chance(roll, self.sight()).0,
            (Some(_), _) if self.is_time_to_look() => "this part of the turn ends".to_owned(),
            (Some(question), _) => self.session.game().asks(question, self.sight()),
            _ => "nobody is asked anything".to_owned(),
        };
        println!("  `{text}` is left undone. First: {first}");
    }

    /// Marches a column along a road, unit by unit, each as far as it can; stops at the first that cannot.
    fn march(&mut self, by: i32, column: &Column) -> Result<()> {
        for (at, unit) in column.units.iter().enumerate() {
            if self.march_one(by, column, *unit)? {
                continue;
            }
            let name = |unit: &i32| self.session.ruleset().name_of(Kind::Unit, *unit);
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
        let ruleset = self.session.ruleset().clone();
        let name = ruleset.name_of(Kind::Unit, unit);
        let Some(question) = self.session.question().cloned().filter(|q| q.by == by) else { return Ok(false) };
        match column.choose(&ruleset, self.session.offers(), unit) {
            Some(action) => {
                if !self.answer(&question, action)? {
                    return Ok(false);
                }
            }
            // Where nobody else could be chosen, it is asked at once where it goes.
            None if question.about == About::unit(unit) => (),
            None => {
                self.orders(by, &ruleset.id_of(Kind::Unit, unit))?;
                return Ok(false);
            }
        }
        let Some(question) = self.session.question().cloned().filter(|q| q.by == by) else { return Ok(false) };
        let Some(action) = column.farthest(self.session.game(), &question, unit) else {
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
        let outcome = self.session.act(question.by, action);
        self.took(outcome)
    }

    /// Before a part of the turn is ended with things still to do, says so once.
    fn guards(&mut self, question: &Question, action: Action) -> bool {
        let (session, ruleset) = (&self.session, self.session.ruleset());
        let looks = session.looking.contains(&question.by);
        let is_early = session.offers().contains(&action) && session.ends_early(action);
        if !looks || !is_early || self.confirmed == Some(action) {
            return false;
        }
        let mut left: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        for offer in session.offers() {
            if let Some(kind) = ruleset.verbs[offer.verb as usize].takes {
                left.entry(offer.verb).or_default().push(ruleset.name_of(kind, offer.value));
            }
        }
        for (verb, names) in left {
            let more = names.len().saturating_sub(12);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let line = format!(
                "  You could still {}: {}{rest}",
                ruleset.verbs[verb as usize].id,
                names[..names.len() - more].join(", ")
            );
            print!("{}", folded(&[line], WIDTH));
        }
        println!("  Press Enter, or type `{}` again, to end here.", ruleset.verbs[action.verb as usize].id);
        self.held = Some(action);
        true
    }

    pub(super) fn ask_for_roll(&mut self, input: &mut Input) -> Result<bool> {
        let Some(roll) = self.session.roll().cloned() else { return Ok(true) };
        let ruleset = self.session.ruleset().clone();
        let (says, draws) = self.session.game().asks_chance(&roll, self.sight());
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
            text => match self.command(text)? {
                Some(stays) => return Ok(stays),
                None => match ruleset.find_named(kind, text, &possible) {
                    Ok(Some(value)) => self.session.act_roll(value)?,
                    Ok(None) => {
                        let names: Vec<String> = possible.iter().map(|value| ruleset.id_of(kind, *value)).collect();
                        println!("  `{text}` cannot come up: it is one of {}, or `quit`", names.join(", "));
                    }
                    Err(several) => println!("  `{text}` may be {}", several.join(" or ")),
                },
            },
        }
        Ok(true)
    }

    /// Takes back what was answered since a person was last asked: behind the end of a phase too, but not what came of
    /// a die, of a player that is no person, or of something hidden.
    fn undo(&mut self) -> Result<()> {
        let now = self.session.entries();
        while self.asked_at.last().is_some_and(|at| *at >= now) {
            self.asked_at.pop();
        }
        let Some(back) = self.asked_at.last().copied() else {
            println!("  There is nothing to take back.");
            return Ok(());
        };
        let barrier = self.session.record().entries.from(back).find_map(|entry| match entry {
            Entry::Chance { .. } => Some("chance has spoken since"),
            Entry::Side { by, .. } if self.seats[*by as usize] != Seat::Human => {
                Some("the other side has answered since")
            }
            Entry::Side { .. } | Entry::Agreement(_) => None,
        });
        let barrier = barrier.or_else(|| (self.revealed > back).then_some("something hidden has been seen since"));
        if let Some(barrier) = barrier.filter(|_| !self.analysis && !matches!(self.session.stands(), Stands::Failed(_)))
        {
            println!("  No: {barrier}. Play with --analysis to take that back.");
            return Ok(());
        }
        let undone = now - back;
        self.session.take_back(back)?;
        for _ in 0..undone {
            writeln!(self.file, "undo")?;
        }
        self.written = self.session.entries().min(back);
        self.hashed = self.hashed.min(self.written);
        self.told = self.session.told().count();
        self.drawn_at = None;
        println!("  Taken back.");
        self.write()
    }

    /// A change that the players agree on, outside the rules; the record says so for ever.
    pub(super) fn agree(&mut self, text: &str) -> Result<()> {
        let adjustment = match read_adjustment(self.session.ruleset(), text) {
            Ok(adjustment) => adjustment,
            Err(wrong) => {
                println!("  {wrong}");
                return Ok(());
            }
        };
        match self.session.adjust(adjustment) {
            Ok(()) => self.write(),
            Err(SessionError::NotTaken(NotTaken::Agreement(wrong))) => {
                println!("  {wrong}");
                Ok(())
            }
            Err(other) => Err(other.into()),
        }
    }

    /// What each roll of the next die would do after an answer, worked out by playing it.
    fn odds(&mut self, question: Option<&Question>, line: &str) {
        let mut after = None;
        if self.session.roll().is_none() {
            after = question.and_then(|question| match line {
                // Without a move, the last answer that takes nothing: the one that goes on.
                "" => self.session.offers().iter().copied().rfind(|a| a.value < 0),
                text => read_action(self.session.game(), question, text).ok().map(|(a, _)| a),
            });
            after = after.filter(|action| self.session.offers().contains(action));
            if after.is_none() {
                println!("  odds of what? Type `odds` and an answer that leads to a die, as `odds go`");
                return;
            }
        }
        let sight = self.sight();
        match odds(&mut self.session, after, sight) {
            Err(wrong) => println!("  {wrong}"),
            Ok(faces) if faces.is_empty() => println!("  no die follows that answer"),
            Ok(faces) => {
                for (face, told) in faces {
                    let line = format!("  {face}: {}", told.into_iter().take(3).collect::<Vec<_>>().join("; "));
                    print!("{}", folded(&[line], WIDTH));
                }
            }
        }
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

/// Prints lines, none wider than the smallest terminal.
fn tell(lines: &[String]) {
    let indented: Vec<String> = lines.iter().map(|line| format!("  {line}")).collect();
    print!("{}", folded(&indented, WIDTH));
}

//! What people type at the table, and what is done with it.

use std::{collections::BTreeMap, io::Write, path::Path};

use anyhow::Result;
use countermarch_core::{
    play::{About, Action, Entry, Half, NotTaken, Particular, Question, SessionError, Stands},
    ruleset::{Kind, Text},
    show::{
        Column, Misread, Words, already_answered, before, course, folded, read_action, read_adjustment, read_rest,
        reinforcements, score, unreadable, victory,
    },
    study::{ComeTo, Odds, explain, odds},
};

use super::{Choice, Table, ahead::together, asked::WIDTH, prompts};
use crate::{seats::Seat, tables::looked_up};

/// Turns whose arrivals fit a small screen.
const NEXT_ARRIVALS: usize = 5;

impl Table {
    /// A command or orders. False to leave the table.
    pub(super) fn take(&mut self, question: &Question, line: &str) -> Result<bool> {
        self.confirmed = self.held.take();
        if self.half.is_some() && matches!(line, "" | "undo") {
            self.half = None;
            return Ok(true);
        }
        if line.is_empty() {
            if let Some(action) = self.confirmed {
                self.answer(question, action)?;
            }
            return Ok(true);
        }
        if let Some(stays) = self.command(line)? {
            return Ok(stays);
        }
        if let Some(choice) = self.numbered(line) {
            match choice {
                Choice::Whole(action) => drop(self.answer(question, action)?),
                Choice::Half(half) => self.begin(question, half),
            }
            return Ok(true);
        }
        // A comma too many means nothing.
        let parts: Vec<&str> = line.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        let line = parts.join(", ");
        let wrong = match line.as_str() {
            "" => Some(Misread::Empty),
            // What nobody can read is found before anything of the line is done: it may not be meant as it stands.
            line => unreadable(self.session.game(), question.by, line, self.sight()),
        };
        if let Some(wrong) = wrong {
            print!("{}", folded(&[format!("  {wrong}"), prompts::NOTHING_DONE.to_owned()], WIDTH));
            return Ok(true);
        }
        self.orders(question.by, &line)?;
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
            ("why", _) => {
                let asked = self.with_half(rest);
                match explain(&mut self.session, &asked, sight) {
                    Ok(text) => println!("{text}"),
                    Err(wrong) => println!("{wrong}"),
                }
            }
            ("rule", _) => self.rule(rest),
            ("map", _) => self.map(rest),
            ("units", "") => self.units(),
            ("log", _) => self.log(rest.parse().unwrap_or(20)),
            ("luck", "") => self.luck(),
            ("score", "" | "all") => {
                tell(&score(game, &self.session.record().scenario, self.sight(), rest == "all"));
            }
            ("victory", "") => tell(&victory(game)),
            ("tables", "") if game.ruleset.tables.is_empty() => println!("{}", prompts::no_tables(&game.ruleset.id)),
            ("tables", "") => println!("{}", looked_up(&game.ruleset).trim_end()),
            ("turn", "") => tell(&course(game)),
            ("reinforcements", "") => tell(&reinforcements(game, self.sight(), NEXT_ARRIVALS)),
            ("reinforcements", "all") => tell(&reinforcements(game, self.sight(), usize::MAX)),
            ("cards", "") => self.cards(),
            ("which", "") => match &question {
                Some(question) => self.which(question),
                None => println!("{}", prompts::NOBODY_IS_ASKED),
            },
            ("odds", _) => self.odds(question.as_ref(), rest),
            ("advise", _) => self.advise(rest),
            ("thoughts", _) => self.tell_thoughts(rest),
            ("undo", "") => self.undo()?,
            ("agree", _) => self.agree(rest)?,
            ("save", _) => self.save(rest)?,
            _ => return Ok(None),
        }
        Ok(Some(true))
    }

    /// Takes the first half of an answer, which is asked for the second then; or says why no answer begins so.
    fn begin(&mut self, question: &Question, half: Half) {
        let refusals = self.session.game().why_not_half(question, half);
        let words = Words::seen_by(self.sight(), self.session.game());
        refusals.iter().for_each(|refusal| println!("  No: {}", words.refusal(refusal)));
        self.half = Some(half).filter(|_| refusals.is_empty());
    }

    /// Reads an answer, which may be the second half of what has been begun, or something else in its place.
    fn read(&self, question: &Question, half: Option<Half>, text: &str) -> Result<(Action, String), Misread> {
        let game = self.session.game();
        let whole = read_action(game, question, text, self.sight());
        let is_offered = |read: &Result<(Action, String), Misread>| {
            read.as_ref().is_ok_and(|(action, _)| self.session.is_offered(*action))
        };
        match half.map(|half| read_rest(game, question, half, text, self.sight())) {
            Some(rest) if is_offered(&rest) || (rest.is_ok() && !is_offered(&whole)) => rest,
            _ => whole,
        }
    }

    /// A line of orders, undone as one. Where it stops before its end, what of it has been carried out is said.
    pub(super) fn orders(&mut self, by: i32, line: &str) -> Result<()> {
        let began = self.session.entries();
        let Some(rest) = self.carry_out(by, line)? else { return Ok(()) };
        let (stands, is_held) = (before(line, &rest), self.held.is_some());
        if let Some((_, barrier)) = self.back().filter(|_| self.session.entries() > began && !is_held)
            && !stands.is_empty()
        {
            print!("{}", folded(&[prompts::stands(&stands, barrier)], WIDTH));
        }
        Ok(())
    }

    /// Splits a line into single answers, and gives them up to the first that is refused: what is left of the line then, from
    /// that on.
    fn carry_out(&mut self, by: i32, line: &str) -> Result<Option<String>> {
        let mut text = line.to_owned();
        let mut spoken = self.session.entries();
        let mut half = self.half.take();
        while !text.is_empty() {
            let asked = self.session.question().cloned();
            let is_answer = asked.as_ref().is_some_and(|question| {
                let read = || self.read(question, half, &text);
                question.by == by && read().is_ok_and(|(action, _)| self.session.is_offered(action))
            });
            // Whoever says it did not know that it is answered already, even where the next question takes it too: what is
            // not said of that can be said, and an answer that nobody meant may be past taking back.
            let entries: Vec<Entry> = self.session.record().entries.from(spoken).cloned().collect();
            if let Some((at, rest)) = already_answered(self.session.game(), by, &entries, &text, self.sight()) {
                (text, spoken) = (rest, spoken + at + 1);
                continue;
            }
            let Some(question) = asked.filter(|q| q.by == by && (is_answer || !self.session.waits())) else {
                self.left(&text);
                return Ok(Some(text));
            };
            match Column::read(self.session.game(), by, &text, self.sight()) {
                Some(Ok((column, rest))) => {
                    if self.march(by, &column)? {
                        (text, spoken) = (rest, self.session.entries());
                        continue;
                    }
                    if !rest.is_empty() {
                        self.left(&rest);
                    }
                    return Ok(Some(text));
                }
                Some(Err(wrong)) => {
                    print!("{}", folded(&[format!("  {wrong}")], WIDTH));
                    self.half = half;
                    if text != line {
                        self.left(&text);
                    }
                    return Ok(Some(text));
                }
                None => (),
            }
            let begun = half.take();
            match self.read(&question, begun, &text) {
                Ok((action, rest)) => {
                    spoken = self.session.entries() + 1;
                    if !self.answer(&question, action)? {
                        self.half = begun;
                        if !rest.is_empty() {
                            self.left(&rest);
                        }
                        return Ok(Some(text));
                    }
                    text = rest;
                }
                Err(Misread::Empty) => break,
                Err(Misread::Half(half, _)) => {
                    self.begin(&question, half);
                    return Ok(Some(text).filter(|_| self.half.is_none()));
                }
                Err(wrong) => {
                    let named = matches!(wrong, Misread::Unknown(..)).then(|| self.first_unit(by, &text)).flatten();
                    // Whoever is asked about may be named once more.
                    if let Some((unit, rest)) = &named
                        && question.about == About::unit(*unit)
                        && !rest.is_empty()
                    {
                        text.clone_from(rest);
                        half = begun;
                        continue;
                    }
                    if named.is_none() {
                        println!("  {wrong}");
                    }
                    self.half = begun;
                    if named.is_some() || text != line || text.contains(',') {
                        self.left(&text);
                    }
                    return Ok(Some(text));
                }
            }
        }
        Ok(None)
    }

    /// The unit of a side whose name a line begins with, and what stands behind it.
    fn first_unit(&self, by: i32, text: &str) -> Option<(i32, String)> {
        let game = self.session.game();
        let own = self.sight().units_of(game, by);
        let ends = text.match_indices([' ', ',']).map(|(at, _)| at).chain([text.len()]);
        let named = |end: usize| Some((game.ruleset.find_named(Kind::Unit, &text[..end], &own).ok()??, end));
        let (unit, end) = ends.filter_map(named).last()?;
        Some((unit, text[end..].trim_start_matches([' ', ',']).to_owned()))
    }

    /// Says what of a line is left undone, and what stands before it.
    fn left(&self, text: &str) {
        let first = match (self.session.question(), self.session.roll()) {
            (_, Some(roll)) => self.session.game().asks_chance(roll, self.sight()).0,
            (Some(question), _) => {
                let asks = self.session.game().asks(question, self.sight());
                match (self.seats[question.by as usize] == Seat::Human, self.is_time_to_look()) {
                    (true, true) => "this part of the turn ends".to_owned(),
                    (true, false) => asks,
                    (false, _) => format!("{}: {asks}", self.session.ruleset().sides[question.by as usize].name),
                }
            }
            _ => "nobody is asked anything".to_owned(),
        };
        println!("{}", prompts::left_undone(text, &first));
    }

    /// Marches a column along a road, unit by unit, each as far as it can; stops at the first that cannot. Whether all went.
    fn march(&mut self, by: i32, column: &Column) -> Result<bool> {
        for (at, unit) in column.units.iter().enumerate() {
            if self.march_one(by, column, *unit)? {
                continue;
            }
            let rest: Vec<Particular> = column.units[at + 1..].iter().map(|unit| Particular::unit(*unit)).collect();
            let stay = if rest.len() == 1 { Text::StaysThere } else { Text::StayThere };
            if !rest.is_empty() {
                println!("  {}", self.says(stay, [Particular::All(rest)]));
            }
            return Ok(false);
        }
        Ok(true)
    }

    /// Marches one unit of a column. False if it did not go.
    fn march_one(&mut self, by: i32, column: &Column, unit: i32) -> Result<bool> {
        let ruleset = self.session.ruleset().clone();
        let is_pair = |action: Action| ruleset.verbs[usize::from(action.verb)].takes.len() == 2;
        let Some(question) = self.session.question().cloned().filter(|q| q.by == by) else { return Ok(false) };
        let is_one_answer = Column::is_one_answer(&question);
        match column.choose(&ruleset, self.session.offers(), unit).filter(|_| !is_one_answer) {
            Some(action) => {
                if !self.answer(&question, action)? {
                    return Ok(false);
                }
            }
            // Where nobody else could be chosen, it is asked at once where it goes.
            None if is_one_answer || question.about == About::unit(unit) => (),
            None => {
                self.orders(by, &ruleset.id_of(Kind::Unit, unit))?;
                return Ok(false);
            }
        }
        let Some(question) = self.session.question().cloned().filter(|q| q.by == by) else { return Ok(false) };
        let Some(action) = column.farthest(self.session.game(), &question, unit) else {
            let road = Particular::Text(ruleset.map.roads[column.road].name.as_str().into());
            println!("  {}", self.says(Text::NoNearer, [Particular::unit(unit), road]));
            self.say_why_not(&question, unit, column.to.0 as i32);
            return Ok(false);
        };
        let goal = column.to.0 as i32;
        let mut to_goal = action;
        to_goal.values[usize::from(is_pair(action))] = goal;
        let by_force = action != to_goal && self.session.is_offered(to_goal);
        let goes = self.answer(&question, action)?;
        if by_force && goes {
            let goal = Particular::Thing(Kind::Space, goal);
            println!("  {}", self.says(Text::StopsShort, [Particular::unit(unit), goal]));
        }
        Ok(goes)
    }

    /// Gives one answer. False if it was refused, or held back for a second look.
    pub(super) fn answer(&mut self, question: &Question, action: Action) -> Result<bool> {
        if self.guards(question, action) {
            return Ok(false);
        }
        self.half = None;
        self.chosen_at.insert(self.session.entries());
        let outcome = self.session.act(question.by, action);
        self.took(outcome)
    }

    /// Before a part of the turn is ended with things still to do, says so once.
    fn guards(&mut self, question: &Question, action: Action) -> bool {
        let (session, ruleset) = (&self.session, self.session.ruleset());
        let looks = session.looking.contains(&question.by);
        let is_early = session.is_offered(action) && session.ends_early(action);
        if !looks || !is_early || self.confirmed == Some(action) {
            return false;
        }
        let mut left: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        for offer in session.offers() {
            if let Some(kind) = ruleset.verbs[offer.verb as usize].takes.first() {
                left.entry(offer.verb).or_default().push(session.game().name_seen(
                    *kind,
                    offer.values[0],
                    self.sight(),
                ));
            }
        }
        for (verb, mut names) in left {
            names.dedup();
            let more = names.len().saturating_sub(12);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let things = format!("{}{rest}", names[..names.len() - more].join(", "));
            let with = [ruleset.verbs[verb as usize].id.clone(), things].map(|text| Particular::Text(text.into()));
            print!("{}", folded(&[format!("  {}", self.says(Text::StillToDo, with))], WIDTH));
        }
        println!("{}", prompts::again_to_end(&ruleset.verbs[action.verb as usize].id));
        self.held = Some(action);
        true
    }

    /// How long the record was when a person was last asked something before now, and what keeps it from becoming so long
    /// again; nothing where nobody was.
    pub(super) fn back(&self) -> Option<(usize, Option<&'static str>)> {
        let now = self.session.entries();
        let back = self.asked_at.iter().rev().copied().find(|at| *at < now)?;
        // What another side had no choice about it has not decided, and loses nothing by having it taken back.
        let is_others = |by: i32, at: usize| self.seats[by as usize] != Seat::Human && self.chosen_at.contains(&at);
        let mut entries = (back..).zip(self.session.record().entries.from(back));
        let barrier = entries.find_map(|(at, entry)| match entry {
            Entry::Chance { .. } => Some(prompts::CHANCE_HAS_SPOKEN),
            Entry::Side { by, .. } if is_others(*by, at) => Some(prompts::OTHER_SIDE_HAS_ANSWERED),
            Entry::Side { .. } | Entry::Agreement(_) => None,
        });
        let barrier = barrier.or_else(|| (self.revealed > back).then_some(prompts::HIDDEN_WAS_SEEN));
        let is_held_to_it = !self.analysis && !matches!(self.session.stands(), Stands::Failed(_));
        Some((back, barrier.filter(|_| is_held_to_it)))
    }

    /// Takes back what was answered since a person was last asked: behind the end of a phase too, but not what came of
    /// a die, of a player that is no person, or of something hidden.
    fn undo(&mut self) -> Result<()> {
        let now = self.session.entries();
        let Some((back, barrier)) = self.back() else {
            println!("{}", prompts::NOTHING_TO_TAKE_BACK);
            return Ok(());
        };
        if let Some(barrier) = barrier {
            println!("{}", prompts::not_taken_back(barrier));
            return Ok(());
        }
        self.asked_at.retain(|at| *at < now);
        self.chosen_at.retain(|at| *at < back);
        let undone = now - back;
        self.session.take_back(back)?;
        for _ in 0..undone {
            writeln!(self.file, "undo")?;
        }
        self.written = self.session.entries().min(back);
        self.hashed = self.hashed.min(self.written);
        self.told = self.session.told().count();
        self.looked_at = self.session.entries();
        self.drawn_at = None;
        self.drawn.clear();
        println!("{}", prompts::TAKEN_BACK);
        self.write()
    }

    /// A change that the players agree on, outside the rules; the record says so for ever.
    pub(super) fn agree(&mut self, text: &str) -> Result<()> {
        let adjustment = match read_adjustment(self.session.game(), text, self.sight()) {
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
            let takes_nothing = |verb: u16| self.session.ruleset().verbs[usize::from(verb)].takes.is_empty();
            after = question.and_then(|question| match line {
                // Without a move, the last answer that takes nothing: the one that goes on.
                "" => self.session.offers().iter().copied().rfind(|a| takes_nothing(a.verb)),
                text => match self.numbered(text) {
                    Some(Choice::Whole(action)) => Some(action),
                    _ => read_action(self.session.game(), question, text, self.sight()).ok().map(|(a, _)| a),
                },
            });
            after = after.filter(|action| self.session.is_offered(*action));
            if after.is_none() {
                return println!("{}", prompts::ODDS_OF_WHAT);
            }
        }
        let sight = self.sight();
        match odds(&mut self.session, after, sight) {
            Err(wrong) => println!("  {wrong}"),
            Ok(None) => println!("  {}", self.says(Text::HiddenAhead, [])),
            Ok(Some(all)) if all.iter().all(|odds| odds.come_to.is_none()) => {
                let taken = after.map(|action| &*self.session.ruleset().verbs[usize::from(action.verb)].id);
                println!("{}", prompts::no_die_follows(taken.map(|verb| if line.is_empty() { verb } else { line })));
            }
            Ok(Some(all)) => {
                let mut lines: Vec<String> = Vec::new();
                let mut all = all.into_iter().peekable();
                while let Some(Odds { supposed, come_to }) = all.next() {
                    lines.extend(supposed.iter().map(|answer| prompts::supposing(answer)));
                    // What comes to the same is told once.
                    if all.peek().is_some_and(|next| next.come_to == come_to) {
                        continue;
                    }
                    match come_to {
                        None => lines.push(prompts::NO_DIE_THEN.to_owned()),
                        Some(ComeTo::Faces(faces)) => lines.extend(faces.into_iter().map(|(face, told)| {
                            format!("  {face}: {}", told.into_iter().take(3).collect::<Vec<_>>().join("; "))
                        })),
                        Some(ComeTo::Together(likely)) => lines.extend(together(&likely)),
                    }
                }
                print!("{}", folded(&lines, WIDTH));
            }
        }
    }

    /// Writes the record so far to a new file, and plays on with the old one.
    pub(super) fn save(&mut self, name: &str) -> Result<()> {
        self.write()?;
        match name.trim() {
            "" => println!("{}", prompts::saved(self.file.path().display())),
            name => match self.file.copy_to(Path::new(name)) {
                Ok(()) => println!("{}", prompts::saved(name)),
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

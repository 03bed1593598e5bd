//! The last look: what is about to happen and cannot be taken back, shown before it does.

use std::collections::BTreeSet;

use anyhow::Result;
use countermarch_core::{
    map::SpaceId,
    play::{NotTaken, Particular, Roll, SessionError},
    ruleset::{Kind, Text},
    show::{Words, folded},
    study::{ComeTo, DIE, Likely, Share, odds},
};

use super::{Table, asked::WIDTH, prompts};
use crate::{input::Input, seats::Seat};

impl Table {
    /// Whether what comes next waits for somebody at the table to look: a roll, the end of a part of the turn, or, after
    /// a choice, the answer of a side that no person decides for.
    pub(super) fn is_time_to_look(&self) -> bool {
        let (session, ruleset) = (&self.session, self.session.ruleset());
        let ends = || session.offers().iter().all(|a| ruleset.verbs[a.verb as usize].ends);
        match session.question().map(|q| &self.seats[q.by as usize]) {
            _ if session.looking.is_empty() => false,
            None => session.waits(),
            Some(Seat::Human) => session.waits() && ends(),
            Some(_) => session.has_chosen(),
        }
    }

    /// Shows what comes next and lets it come, or something be taken back first. False to leave the table.
    pub(super) fn last_look(&mut self, input: &mut Input) -> Result<bool> {
        let now = self.session.entries();
        let is_new = self.drawn_at.replace((now, None)) != Some((now, None));
        self.asked_at.push(now);
        self.asked_at.dedup();
        let says = self.comes_next(is_new)?;
        println!("{}", prompts::enter(&says, self.back().is_some_and(|(_, barrier)| barrier.is_none())));
        let words = ["undo", "odds", "map", "log", "score", "help", "quit"].map(str::to_owned).to_vec();
        let Some(line) = input.line("[Enter]> ", words)? else {
            self.leave();
            return Ok(false);
        };
        let line = line.trim();
        if line.is_empty() || matches!(line, "y" | "yes" | "go") || self.says_only_answer(line) {
            let went = self.session.go_ahead();
            self.took(went)?;
            return Ok(true);
        }
        if let Some(stays) = self.command(line)? {
            return Ok(stays);
        }
        println!("{}", prompts::enter_first(line));
        Ok(true)
    }

    /// Whether a line is the only answer there is to a person's question.
    pub(super) fn says_only_answer(&self, line: &str) -> bool {
        let verb = self.session.ruleset().verb(line).map(|verb| verb as u16);
        self.session.waits() && verb.is_some() && self.session.offers().first().map(|a| a.verb) == verb
    }

    /// Tells what comes next, and what Enter does.
    fn comes_next(&mut self, is_new: bool) -> Result<String> {
        let ruleset = self.session.ruleset().clone();
        let turn = ruleset.turn_name(self.session.game().turn());
        if let Some(roll) = self.session.roll().cloned() {
            if is_new {
                self.show_roll(&roll)?;
            }
            return Ok("roll".to_owned());
        }
        let Some(question) = self.session.question().cloned() else { return Ok("go on".to_owned()) };
        let side = &ruleset.sides[question.by as usize].name;
        let (turn, by) = (Particular::Text(turn.into()), Particular::Thing(Kind::Side, question.by));
        if self.seats[question.by as usize] != Seat::Human {
            let asks = self.session.game().asks(&question, self.sight());
            println!("\n{}", self.says(Text::AnswersNext, [turn, by, Particular::Text(asks.into())]));
            return Ok(format!("let {side} answer"));
        }
        let place = self.session.game().place_of_play();
        let title = place.map_or("this part of the turn".to_owned(), |p| ruleset.sequence.places[p].title.clone());
        println!("\n{}", self.says(Text::NothingLeft, [turn, by, Particular::Text(title.as_str().into())]));
        if is_new {
            self.show_barred(&question, false);
        }
        Ok(format!("end the {title}"))
    }

    /// A roll, where it is about a unit with the board around it, and what each face comes to.
    pub(super) fn show_roll(&mut self, roll: &Roll) -> Result<()> {
        let here = roll.about.as_unit().map_or(-1, |unit| self.session.game().space_of(unit));
        if let Ok(center) = u32::try_from(here) {
            let around = Some((SpaceId(center), 1));
            println!("\n{}", self.board(around, &[]).draw());
        }
        println!("{}", self.session.game().asks_chance(roll, self.sight()).0);
        let sight = self.sight();
        let Some(mut all) = odds(&mut self.session, None, sight)? else {
            println!("  {}", self.says(Text::HiddenAhead, []));
            return Ok(());
        };
        let faces = match all.pop().and_then(|odds| odds.come_to) {
            None => return Ok(()),
            Some(ComeTo::Together(likely)) => {
                print!("{}", folded(&together(&likely), WIDTH));
                return Ok(());
            }
            Some(ComeTo::Faces(faces)) => faces,
        };
        let told = |(face, told): (i32, Vec<String>)| {
            (face, told.into_iter().next().unwrap_or_else(|| self.says(Text::NothingHappens, [])))
        };
        print!("{}", folded(&by_result(faces.into_iter().map(told)), WIDTH));
        Ok(())
    }

    /// Whether an answer was taken; says why if it was not.
    pub(super) fn took(&mut self, outcome: Result<(), SessionError>) -> Result<bool> {
        match outcome {
            // What comes of an answer is told before what is said of the next one in the line.
            Ok(()) => {
                self.write()?;
                self.tell();
                Ok(true)
            }
            Err(SessionError::NotTaken(NotTaken::Refused(refusals))) => {
                let words = Words::seen_by(self.sight(), self.session.game());
                refusals.iter().for_each(|refusal| println!("  No: {}", words.refusal(refusal)));
                Ok(false)
            }
            Err(SessionError::NotTaken(NotTaken::Rule(wrong))) => {
                println!("{}\n  {wrong}", prompts::RULE_FAILED);
                Ok(false)
            }
            // The table tells why, for as long as the game stands there.
            Err(SessionError::Failed(_)) => {
                self.write()?;
                Ok(false)
            }
            Err(other) => Err(other.into()),
        }
    }
}

/// What dice come to that decide together, the likeliest first: as much as a person reads before they fall.
pub(super) fn together(likely: &Likely) -> Vec<String> {
    const READ: usize = 8;
    let (read, more, rest) = likely.likeliest(READ);
    let is_tried = likely.outcomes.iter().any(|(_, share)| matches!(share, Share::Tried(..)));
    let mut lines = vec![prompts::the_dice(likely.ways, is_tried)];
    // What is asked next is told where it hangs on the dice.
    let mut asked = likely.outcomes.iter().map(|(came, _)| &came.next);
    let first = asked.next();
    let is_asked_alike = asked.all(|next| Some(next) == first);
    for (came, share) in &read.outcomes {
        let next = (!is_asked_alike && !came.next.is_empty()).then_some(&came.next);
        let told: Vec<&str> = came.told.iter().chain(next).map(String::as_str).collect();
        let told = if told.is_empty() { prompts::NOTHING_ELSE.to_owned() } else { told.join("; ") };
        lines.push(format!("  {:>5.1} %  {told}", 100.0 * share.value()));
    }
    if read.outcomes.iter().any(|(came, _)| came.told.iter().any(|line| line.contains(DIE))) {
        lines.push(prompts::stands_for_a_die(DIE));
    }
    lines.extend((more > 0).then(|| prompts::rarer(more, rest)));
    lines
}

/// What faces of a die come to, a line for each result: those of one stand together, though their own number may be told in
/// it, among others that may be the same by chance.
fn by_result(faces: impl Iterator<Item = (i32, String)>) -> Vec<String> {
    let mut results: Vec<(Vec<i32>, Vec<Parted>)> = Vec::new();
    for (face, told) in faces {
        let parted = Parted::all(&told, face);
        let alike = |(_, known): &(Vec<i32>, Vec<Parted>)| known.iter().any(|one| parted.contains(one));
        match results.iter_mut().find(|result| alike(result)) {
            Some((faces, known)) => {
                faces.push(face);
                known.retain(|one| parted.contains(one));
            }
            None => results.push((vec![face], parted)),
        }
    }
    let line = |(faces, told): &(Vec<i32>, Vec<Parted>)| {
        let (faces, told) = (spans(faces), &told[0]);
        let told = match &told.after {
            Some(after) => format!("{}{faces}{after}", told.before),
            None => told.before.clone(),
        };
        format!("  {faces}: {told}")
    };
    results.iter().map(line).collect()
}

/// A sentence, parted where a number stands in it as a word; or whole.
#[derive(PartialEq)]
struct Parted {
    before: String,
    after: Option<String>,
}

impl Parted {
    /// Whole first, and then at each place where the number stands.
    fn all(text: &str, number: i32) -> Vec<Parted> {
        let word = format!(" {number}");
        let is_word = |at: &usize| !text[at + word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '-');
        let places = text.match_indices(&word).map(|(at, _)| at).filter(is_word);
        let at = |at: usize| Parted { before: text[..=at].to_owned(), after: Some(text[at + word.len()..].to_owned()) };
        let whole = Parted { before: text.to_owned(), after: None };
        std::iter::once(whole).chain(places.map(at)).collect()
    }
}

/// Numbers as people write them: `1, 3-5`.
fn spans(numbers: &[i32]) -> String {
    let all: BTreeSet<i32> = numbers.iter().copied().collect();
    let mut parts: Vec<(i32, i32)> = Vec::new();
    for number in all {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let written = parts.iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") });
    written.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_of_one_result_stand_together_whatever_other_numbers_are_told() {
        let told = |face: i32| {
            let result = if face <= 2 { "a retreat" } else { "no effect" };
            (face, format!("attack 7 + 2, defense {face} + 3: {result}"))
        };
        let lines = by_result((1..=4).map(told));
        assert_eq!(
            lines,
            ["  1-2: attack 7 + 2, defense 1-2 + 3: a retreat", "  3-4: attack 7 + 2, defense 3-4 + 3: no effect"]
        );
        let hits =
            by_result([(1, "no hit".to_owned()), (2, "no hit".to_owned()), (3, "hits 1".to_owned())].into_iter());
        assert_eq!(hits, ["  1-2: no hit", "  3: hits 1"]);
        assert_eq!(by_result((5..=6).map(|face| (face, format!("it rolls {face}")))), ["  5-6: it rolls 5-6"]);
    }
}

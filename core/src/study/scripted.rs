//! What an example scripts of chance, and what it may look up of a move: dice by their face or by what comes of them,
//! the path a unit took and what it had left.

use std::collections::VecDeque;

use super::{
    acting::{Acting, fail},
    example::Failure,
};
use crate::{
    diagnostic::Span,
    map::SpaceId,
    play::{Action, Chance, Dice, Question, Roll, Rules},
    ruleset::{Holder, Schema},
    show::Story,
    yaml::Node,
};

/// One scripted die or draw.
pub(super) enum Die {
    /// What comes up.
    Face(i32),
    /// What is told of it before the next question: the least face that brings it comes up.
    Told(String),
}

/// How a unit moved: the path, what was left of its allowance, and what it spent beyond it.
pub(super) struct Moved {
    path: Vec<SpaceId>,
    left: String,
    beyond: String,
}

impl<R: Rules> Acting<R> {
    pub(super) fn read_dice(&mut self, node: Option<&Node>) -> Result<VecDeque<Die>, Failure> {
        let mut dice = VecDeque::new();
        for die in node.map(|n| n.items(&mut self.found).to_vec()).unwrap_or_default() {
            let text = die.as_text(&mut self.found);
            dice.push_back(match text.parse() {
                Ok(face) if (0..=1000).contains(&face) => Die::Face(face),
                Ok(face) => return fail(&die.span, format!("{face} is no face of a die")),
                Err(_) => Die::Told(text),
            });
        }
        Ok(dice)
    }

    /// The faces that come up before the first die told by what comes of it; they are taken off.
    pub(super) fn faces(&mut self) -> VecDeque<i32> {
        let mut faces = VecDeque::new();
        while let Some(Die::Face(face)) = self.dice.front() {
            faces.push_back(*face);
            self.dice.pop_front();
        }
        faces
    }

    /// Rolls the dice that are told by what comes of them, when they are due.
    pub(super) fn roll_results(&mut self, span: &Span) -> Result<(), Failure> {
        while let (Some(roll), Some(Die::Told(wanted))) = (self.session.roll().cloned(), self.dice.front()) {
            let wanted = wanted.clone();
            self.dice.pop_front();
            let faces = self.faces();
            self.roll_for(&roll, &wanted, &faces, span)?;
        }
        Ok(())
    }

    /// Tries one face after the other until what is wanted is told.
    fn roll_for(&mut self, roll: &Roll, wanted: &str, then: &VecDeque<i32>, span: &Span) -> Result<(), Failure> {
        let possible: Vec<i32> = match &roll.dice {
            Dice::Die(faces) => (1..=*faces).collect(),
            Dice::One(list) => list.to_vec(),
        };
        let (answers, told) = (self.session.entries(), self.session.told().count());
        let mut came = Vec::new();
        for face in possible {
            self.session.chance = Chance::Script(then.clone());
            let rolled = self.session.act_roll(face);
            self.check_error(rolled, span)?;
            let ruleset = self.session.ruleset().clone();
            let mut story = Story::new(&ruleset);
            let all: Vec<Option<String>> = self.session.told().map(|event| story.tell(event)).collect();
            let lines: Vec<String> = all.into_iter().skip(told).flatten().collect();
            if lines.iter().any(|line| says(line, wanted)) {
                return Ok(());
            }
            came.push(format!("{face}: {}", lines.join("; ")));
            self.session.chance = Chance::Script(VecDeque::new());
            let back = self.session.take_back(answers);
            self.check_error(back, span)?;
        }
        let purpose = &self.session.ruleset().chances[roll.chance as usize].purpose;
        fail(span, format!("no die for {purpose} tells `{wanted}`:\n    {}", came.join("\n    ")))
    }

    /// The move that an answer is, if it is one: who moves, and how.
    pub(super) fn moving(&self, question: &Question, action: Action) -> Option<(i32, Moved)> {
        let game = self.session.game();
        let offer = question.offers.iter().find(|offer| offer.verb == action.verb)?;
        let (m, to) = game.moving(offer, action)?;
        let mover = &game.ruleset.movers[m.mover as usize];
        let (cost, leg) = game.reach(&m, |flood| (flood.cost_of(to), flood.path_to(to)));
        let cost = cost?;
        // A leg goes on where the one before it paused.
        let goes_on = m.seeds.iter().any(|seed| !seed.entered);
        let mut path = self.moved.get(&m.unit).filter(|_| goes_on).map(|m| m.path.clone()).unwrap_or_default();
        path.extend(leg.iter().skip(usize::from(path.last().is_some() && path.last() == leg.first())));
        let left = mover.in_points(m.allowance.saturating_sub(cost));
        let beyond = mover.in_points(cost.saturating_sub(m.allowance));
        Some((m.unit, Moved { path, left, beyond }))
    }

    /// Looks `path`, `left` or `beyond` of a unit's last move up; false where something else is meant.
    pub(super) fn expect_of_move(&mut self, unit: i32, name: &Node, value: &Node) -> Result<bool, Failure> {
        let ruleset = self.session.ruleset().clone();
        let word = name.text().unwrap_or("");
        let is_own = ruleset.schema.column(Holder::Unit, word).is_some_and(|column| column != Schema::PLACE)
            || ruleset.attributes.iter().any(|a| a.holder == Holder::Unit && a.name == word);
        if is_own || !matches!(word, "path" | "left" | "beyond") {
            return Ok(false);
        }
        let who = &ruleset.units[unit as usize].name;
        let Some(moved) = self.moved.get(&unit) else {
            return fail(&name.span, format!("no answer of this example moves {who}"));
        };
        let (is, wanted) = if word == "path" {
            let names: Vec<String> = moved.path.iter().map(|s| ruleset.map.space(*s).name.clone()).collect();
            let wanted: Vec<String> =
                value.items(&mut self.found).iter().filter_map(Node::text).map(String::from).collect();
            (names.join(", "), wanted.join(", "))
        } else {
            let is = if word == "left" { moved.left.clone() } else { moved.beyond.clone() };
            (is, value.as_text(&mut self.found))
        };
        if is == wanted { Ok(true) } else { fail(&value.span, format!("{who}'s {word} is {is}")) }
    }
}

/// Whether a line holds these words, and not as a part of longer ones: `DR` does not stand in `DR+D1`.
fn says(line: &str, wanted: &str) -> bool {
    let ends = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || ",;:.()[]".contains(c));
    line.match_indices(wanted)
        .any(|(at, _)| ends(line[..at].chars().next_back()) && ends(line[at + wanted.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::says;

    #[test]
    fn a_result_is_a_whole_word() {
        assert!(says("die 3, 1-1: EXC  [t/1]", "EXC"));
        assert!(says("die 3: no effect", "no effect"));
        assert!(!says("die 3: DR+D1", "DR"));
        assert!(!says("die 3: ADR", "DR"));
    }
}

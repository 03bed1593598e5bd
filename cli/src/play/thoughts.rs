//! What players that answer by themselves think: what they would do in a person's place, and why they did what they did.

use anyhow::Result;
use countermarch_core::{
    play::{Action, Question},
    show::folded,
    study::{Advice, Player, advice, advice_text},
};

use super::{Table, asked::WIDTH, prompts};
use crate::seats::Seat;

/// So many choices are told of each question.
const CHOICES: usize = 3;
/// So many thoughts fit a screen.
const ON_A_SCREEN: usize = 6;

/// What players thought of their answers since a person last was asked, in words.
#[derive(Default)]
pub(super) struct Thoughts {
    told: Vec<String>,
    /// Length of the record when the last of them was thought.
    at: usize,
}

impl Table {
    /// Keeps why a player of the ruleset gives an answer, for whoever asks.
    pub(super) fn remember_thought(&mut self, question: &Question, player: &Player, chosen: Action) -> Result<()> {
        if self.asked_at.last().is_some_and(|at| self.thoughts.at < *at) {
            self.thoughts.told.clear();
        }
        self.thoughts.at = self.session.entries();
        let (sight, asked) = (self.sight(), self.session.game().asks(question, self.sight()));
        let told = match player {
            // Whoever plays at random has nothing in mind.
            Player::Random => return Ok(()),
            Player::Named(_) => {
                let mut told = advice(&mut self.session, player, CHOICES)?;
                if let Some(at) = told.iter().position(|one| one.action == chosen) {
                    told.swap(0, at);
                }
                told
            }
            Player::Careful(_) => {
                let (reckoning, then) = (self.minds.reckoning(question.by), self.minds.then(question.by));
                vec![Advice { reckoning, then, ..Advice::of(chosen) }]
            }
        };
        let side = &self.session.ruleset().sides[question.by as usize].name;
        let text = format!("{side}: {asked}\n{}", advice_text(self.session.game(), &told, sight));
        self.thoughts.told.push(text);
        Ok(())
    }

    /// `thoughts [N]`: from the Nth on, those that fit a screen.
    pub(super) fn tell_thoughts(&self, from: &str) {
        let all = &self.thoughts.told;
        // Beyond the last, the last.
        let from = from.parse().unwrap_or(1).clamp(1, all.len().max(1));
        if all.is_empty() {
            println!("{}", prompts::NO_THOUGHTS);
            return;
        }
        for (number, thought) in (1..).zip(all).skip(from - 1).take(ON_A_SCREEN) {
            let lines: Vec<String> = format!("{number}/{} {thought}", all.len()).lines().map(str::to_owned).collect();
            print!("{}", folded(&lines, WIDTH));
        }
        let next = from.saturating_add(ON_A_SCREEN);
        if next <= all.len() {
            println!("{}", prompts::more_thoughts(next));
        }
    }

    /// `advise [PLAYER]`: what a player would do here; the ruleset's `plain` where none is named. What a side will answer
    /// that nobody at the table decides for is its own business.
    pub(super) fn advise(&mut self, named: &str) {
        let is_persons = |question: &Question| self.seats[question.by as usize] == Seat::Human;
        if !self.analysis && !self.session.question().is_some_and(is_persons) {
            println!("{}", prompts::NOTHING_TO_ADVISE);
            return;
        }
        let player = if named.is_empty() { Player::plain() } else { Player::parse(named) };
        if let Err(why) = player.fits(self.session.ruleset()) {
            println!("  {why}");
            return;
        }
        let sight = self.sight();
        match advice(&mut self.session, &player, CHOICES) {
            Ok(told) => {
                let text = advice_text(self.session.game(), &told, sight);
                print!("{}", folded(&text.lines().map(str::to_owned).collect::<Vec<_>>(), WIDTH));
            }
            Err(wrong) => println!("  {wrong}"),
        }
    }
}

//! What the answers to the waiting question are worth to a player of the ruleset.

use super::{Action, Mood, NotTaken, Reason, Rules, Session};
use crate::ruleset::Judgement;

impl<R: Rules> Session<R> {
    /// What each answer that is offered is worth to a player of the ruleset, by its number: nothing where it has no opinion.
    /// It knows what the side knows that is asked.
    ///
    /// # Errors
    /// The player's rows or its rules misbehaved; the match stands as before.
    pub fn worths(&mut self, player: usize) -> Result<Vec<Option<i64>>, NotTaken> {
        self.worths_in(Mood::USUAL, player)
    }

    /// The same in a mood, which only what rows say hangs on.
    ///
    /// # Errors
    /// As [`Session::worths`].
    pub fn worths_in(&mut self, mood: Mood, player: usize) -> Result<Vec<Option<i64>>, NotTaken> {
        self.offers();
        let (Some(question), Some(offers)) = (&self.pending, self.offers.get()) else {
            return Err(self.why_not_asked());
        };
        let rules = &mut self.rules;
        let ruleset = self.game.ruleset.clone();
        let judgement = &ruleset.judgements[player];
        let found = self.game.as_known_to(question.by, |game| {
            if !judgement.speaks_of(question.key) && judgement.luau.is_some() {
                return offers.iter().map(|action| rules.opinion(player, game, question, *action)).collect();
            }
            game.begin_steps();
            let worths = game.worths((judgement, mood), question, offers);
            let exhausted = game.is_exhausted().then(|| game.too_costly(judgement));
            game.end_steps();
            exhausted.map_or(Ok(worths), Err)
        });
        Ok(found?)
    }

    /// Why an answer that is offered is worth what it is to a player of the ruleset, row by row; empty where its rows say
    /// nothing of it.
    pub fn reasons<'a>(&mut self, judgement: &'a Judgement, action: Action) -> Vec<Reason<'a>> {
        let Some(question) = &self.pending else { return Vec::new() };
        self.game.as_known_to(question.by, |game| game.reasons(judgement, question, action))
    }
}

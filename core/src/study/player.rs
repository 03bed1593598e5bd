//! Players that answer by themselves.

use crate::{
    play::{Action, Game, Question},
    ruleset::{Kind, joined},
};

/// Draws an action: the one whose names give the greatest number with the question's. Every action is as likely as the
/// others, an action that a version adds changes the choice only where it wins itself, and a question that a version
/// adds changes no other choice.
pub fn choose_at_random(game: &Game, question: &Question, actions: &[Action], seed: u64) -> Action {
    let (ruleset, key) = (&game.ruleset, game.key_to_answer(question, seed));
    let weight = |action: &Action| {
        let kind = ruleset.verbs[action.verb as usize].takes.unwrap_or(Kind::Int);
        joined(&[key ^ ruleset.keys.verbs[action.verb as usize], ruleset.keys.of(kind, action.value)])
    };
    *actions.iter().max_by_key(|a| weight(a)).expect("a question that is asked offers something")
}

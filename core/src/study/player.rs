//! Players that answer by themselves.

use crate::{
    play::{Action, Game, Question},
    ruleset::{Kind, mixed},
};

/// Draws an action: the one whose names give the greatest number with the question's. Every action is as likely as the
/// others, an action that a version adds changes the choice only where it wins itself, and a question that a version
/// adds changes no other choice.
pub fn choose_at_random(game: &Game, question: &Question, actions: &[Action], seed: u64) -> Action {
    let (ruleset, keys) = (&*game.ruleset, &game.ruleset.keys);
    let key = game.key_to_answer(question, seed);
    // Offers of a verb stand together.
    let drawn = actions.chunk_by(|a, b| a.verb == b.verb).map(|of_verb| {
        let verb = of_verb[0].verb as usize;
        let (kind, key) = (ruleset.verbs[verb].takes.unwrap_or(Kind::Int), key ^ keys.verbs[verb]);
        let weighed = of_verb.iter().map(|action| (mixed(key ^ keys.of(kind, action.value)), *action));
        weighed.reduce(|one, other| if other.0 > one.0 { other } else { one }).expect("a chunk is not empty")
    });
    drawn.max_by_key(|(weight, _)| *weight).expect("a question that is asked offers something").1
}

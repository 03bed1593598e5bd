//! Players that answer by themselves.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::{
    play::{Action, Question},
    ruleset::Ruleset,
};

/// How far a player has got, so that the same question asked twice is answered afresh.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tried {
    /// Answers given so far.
    pub answers: u64,
}

/// Draws an action: the one whose words have the greatest hash. Every action is as likely as the others, and an
/// action that a version adds changes the choice only where it wins itself.
pub fn choose_at_random(ruleset: &Ruleset, question: &Question, actions: &[Action], seed: u64, tried: Tried) -> Action {
    let key = xxh3_64_with_seed(ruleset.questions[question.key as usize].key.as_bytes(), seed ^ tried.answers);
    let weight = |action: &Action| {
        let mut x = key ^ (u64::from(action.verb) << 32) ^ u64::from(action.value as u32);
        // One round of a published mixer (splitmix64): enough to spread words over all numbers.
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    *actions.iter().max_by_key(|a| weight(a)).expect("a question that is asked offers something")
}

//! What conditions may cost from one answer to the next: no row of somebody else's ruleset keeps a game waiting for ever.
//!
//! A step is a text asked of one thing: a row, a term, what is asked of a member of a set. Texts are short, so a step takes
//! no more than some microseconds. Once there are too many steps, conditions come out anyhow, so nothing found then is
//! kept, and the session fails.

use super::game::Game;

impl Game {
    /// Many times what the games of this repository ever need.
    const MOST_STEPS: u64 = 20_000_000;
    /// So many things of a list are looked at together in the time of a step.
    pub(super) const SIFTED_IN_A_STEP: usize = 64;
    /// So many spaces are reached in that time, to find how far they are.
    pub(super) const REACHED_IN_A_STEP: usize = 16;

    /// From here on the steps are counted.
    pub fn begin_steps(&self) {
        self.steps_left.set(Game::MOST_STEPS);
    }

    /// From here on they are not: whoever only looks is not kept from it.
    pub fn end_steps(&self) {
        self.steps_left.set(u64::MAX);
    }

    /// Whether so many steps may be taken; counts them.
    #[inline]
    pub(super) fn takes_steps(&self, steps: usize) -> bool {
        let left = self.steps_left.get().saturating_sub(steps as u64);
        self.steps_left.set(left);
        left > 0
    }

    /// Whether there were too many.
    pub fn is_exhausted(&self) -> bool {
        self.steps_left.get() == 0
    }

    /// What there is to say then.
    pub(super) fn exhausted() -> String {
        let most = Game::MOST_STEPS / 1_000_000;
        format!("the conditions of its rows take more than {most} million steps from one answer to the next")
    }
}

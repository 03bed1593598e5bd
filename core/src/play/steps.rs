//! What conditions may cost from one answer to the next: no row of somebody else's ruleset keeps a game waiting for ever.
//!
//! Counted are the members of sets that are asked, each with the steps that asking it takes. Once there are too many,
//! conditions come out anyhow, so nothing found then is kept, and the session fails.

use super::game::Game;

impl Game {
    /// Some seconds of work: a hundred times what the games of this repository ever need.
    const MOST_STEPS: u64 = 1_000_000_000;

    /// From here on the steps are counted.
    pub(super) fn begin_steps(&self) {
        self.steps_left.set(Game::MOST_STEPS);
    }

    /// From here on they are not: whoever only looks is not kept from it.
    pub(super) fn end_steps(&self) {
        self.steps_left.set(u64::MAX);
    }

    /// Whether so many members may be asked, each by so many steps; counts them.
    #[inline]
    pub(super) fn takes_steps(&self, members: usize, steps: u32) -> bool {
        let left = self.steps_left.get().saturating_sub(members as u64 * u64::from(steps));
        self.steps_left.set(left);
        left > 0
    }

    /// Whether there were too many.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps_left.get() == 0
    }

    /// What there is to say then.
    pub(super) fn exhausted() -> String {
        let most = Game::MOST_STEPS / 1_000_000;
        format!("the conditions of its rows take more than {most} million steps from one answer to the next")
    }
}

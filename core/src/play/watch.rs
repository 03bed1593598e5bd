//! Conditions looked at after every task, and not again while nothing they look at has changed.

use super::game::Game;
use crate::ruleset::{Part, rows::Expr};

/// For each condition of a list, the stamps of what it looks at as it last did not hold.
#[derive(Debug, Clone)]
pub(super) struct Watch(Vec<Vec<u64>>);

impl Watch {
    /// Of so many conditions.
    pub fn new(conditions: usize) -> Watch {
        Watch(vec![Vec::new(); conditions])
    }

    /// Whether a condition holds: the one at that place of the list, which looks at these parts of the state.
    pub fn holds(&mut self, at: usize, game: &Game, when: &Expr, reads: &[Part]) -> bool {
        let idle = &mut self.0[at];
        let stamps = || reads.iter().map(|part| game.stamp(*part));
        if idle.iter().copied().eq(stamps()) {
            return false;
        }
        let holds = game.holds(when, &[]);
        if !holds && !game.is_exhausted() {
            idle.clear();
            idle.extend(stamps());
        }
        holds
    }
}

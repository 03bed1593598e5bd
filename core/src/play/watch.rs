//! Conditions looked at after every task, and not again while nothing they look at has changed.

use super::{basis::Basis, game::Game};
use crate::ruleset::{Part, rows::Expr};

/// For each condition of a list, in what position it last did not hold.
#[derive(Debug, Clone)]
pub(super) struct Watch(Vec<Basis>);

impl Watch {
    /// Of so many conditions.
    pub fn new(conditions: usize) -> Watch {
        Watch(vec![Basis::default(); conditions])
    }

    /// Whether a condition holds: the one at that place of the list, which looks at these parts of the state.
    pub fn holds(&mut self, at: usize, game: &Game, when: &Expr, reads: &[Part]) -> bool {
        let idle = &mut self.0[at];
        if idle.stands(game, reads) {
            return false;
        }
        let holds = game.holds(when, &[]);
        if !holds {
            idle.renew(game, reads);
        }
        holds
    }
}

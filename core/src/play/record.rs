//! What happened, answer by answer: a game is a function of its ruleset, its scenario and this.

use std::sync::Arc;

use super::offer::{About, Action};

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A side's.
    Side {
        /// Which side.
        by: i32,
        /// Which question.
        key: u16,
        /// What it was about.
        about: About,
        /// What it answered.
        action: Action,
    },
    /// Chance's.
    Chance {
        /// For what.
        purpose: Arc<str>,
        /// About whom.
        about: i32,
        /// What came up.
        value: i32,
    },
    /// A change by agreement of the players, outside the rules.
    Agreement(Adjustment),
}

/// What players may agree to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjustment {
    /// A counter stands somewhere else: a space, or a box counted from the number of spaces.
    Place {
        /// The counter.
        unit: i32,
        /// Where it stands now.
        to: i32,
    },
    /// A property of a unit, a side or the game has another value.
    Set {
        /// Which property.
        column: u16,
        /// Whose.
        of: i32,
        /// Its value now.
        value: i32,
    },
}

/// Everything needed to play a game again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// The scenario.
    pub scenario: String,
    /// The seed of its chance.
    pub seed: u64,
    /// Every answer, in order.
    pub entries: Vec<Entry>,
}

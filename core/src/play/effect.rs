//! Changes as data: what a rule does to a game, each with its citation.

use std::sync::Arc;

use super::{
    chance::Handful,
    game::{Outcome, Task},
    offer::About,
    said::{Particular, Said},
};
use crate::ruleset::{Cite, Provenance};

/// One change of a game.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// A counter is put somewhere: a space, or a box counted from the number of spaces.
    Place {
        /// The counter.
        unit: i32,
        /// Where to.
        to: i32,
        /// By which paragraph.
        cite: Cite,
    },
    /// A declared property changes.
    Set {
        /// Which property.
        column: u16,
        /// Whose.
        of: i32,
        /// The new value.
        value: i32,
        /// By which paragraph.
        cite: Cite,
    },
    /// A record comes into being.
    New {
        /// Its kind.
        kind: u8,
        /// Its number.
        record: i32,
        /// By which paragraph.
        cite: Cite,
    },
    /// A record is gone, its properties back at their defaults.
    Drop {
        /// Its kind.
        kind: u8,
        /// Its number.
        record: i32,
        /// By which paragraph.
        cite: Cite,
    },
    /// A task is put on the agenda.
    Push {
        /// The task.
        task: Task,
    },
    /// The game ends.
    Finish {
        /// How.
        outcome: Outcome,
    },
    /// Something is told that changes nothing.
    Note {
        /// What.
        said: Arc<Said>,
        /// By which paragraph.
        cite: Cite,
    },
    /// A sum is told.
    Tally {
        /// The sum.
        tally: Arc<Tally>,
    },
    /// A die was rolled or a card drawn.
    Rolled {
        /// For what: index among the ruleset's chances.
        chance: u16,
        /// About whom.
        about: About,
        /// What came up.
        value: i32,
        /// Faces of the die; 0 where one of a list was drawn.
        faces: i32,
        /// What was thrown with it.
        handful: Handful,
    },
    /// A place of the sequence is entered.
    Enter {
        /// Its index.
        place: usize,
    },
}

/// An effect as it happened, with what stood there before.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The effect.
    pub effect: Effect,
    /// The value before it.
    pub before: i32,
}

/// A sum that remembers its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// What is summed.
    pub title: Particular,
    /// Its addends.
    pub lines: Vec<TallyLine>,
    /// The sum.
    pub total: i32,
    /// Dice that it was added to, each by itself.
    pub hits: Option<Hits>,
}

/// Dice, each of which hits where it comes, with a sum, to as much as is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hits {
    /// What has fallen.
    pub dice: Vec<i32>,
    /// What is needed.
    pub needs: i32,
    /// By which paragraph.
    pub cite: Cite,
}

/// One addend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TallyLine {
    /// Why: a counter, words of the ruleset, or a note.
    pub reason: Particular,
    /// How much.
    pub value: i32,
    /// By which paragraph.
    pub cite: Cite,
    /// Where the number comes from.
    pub from: Provenance,
}

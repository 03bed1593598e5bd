//! What a side may see: which counter stands there, and which of its properties are told.

use crate::{
    play::Game,
    ruleset::{Holder, Ruleset, Seen},
};

/// The eyes of a side, or of somebody who sees everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    side: Option<i32>,
}

impl Sight {
    /// Of somebody who sees everything.
    pub const ALL: Sight = Sight { side: None };

    /// Of a side.
    pub fn of(side: i32) -> Sight {
        Sight { side: Some(side) }
    }

    /// The side, if it is one.
    pub fn side(self) -> Option<i32> {
        self.side
    }

    /// Whether a property of something is told to these eyes.
    pub fn property(self, ruleset: &Ruleset, column: u16, of: i32) -> bool {
        let declared = &ruleset.schema.columns[column as usize];
        let owner = match declared.holder {
            Holder::Unit => ruleset.units.get(of as usize).map(|u| u.side),
            Holder::Side => Some(of),
            _ => None,
        };
        self.side.is_none_or(|side| match declared.seen {
            Seen::ByAll => true,
            Seen::ByOwner => owner == Some(side),
            Seen::ByNobody => false,
        })
    }

    /// Whether these eyes may not know which counter it is: it is another side's, and something conceals it.
    pub fn is_concealed(self, game: &Game, unit: i32) -> bool {
        let ruleset = &game.ruleset;
        let conceals =
            |(at, column): (usize, &crate::ruleset::Column)| column.conceals && game.get(at as u16, unit) == 1;
        self.is_of_others(ruleset, unit) && ruleset.schema.columns.iter().enumerate().any(conceals)
    }

    /// Whether a counter is of a side that these eyes do not see everything of.
    pub fn is_of_others(self, ruleset: &Ruleset, unit: i32) -> bool {
        self.side.is_some_and(|side| ruleset.units[unit as usize].side != side)
    }
}

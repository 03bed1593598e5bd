//! What a side may see: which counter stands there, and which of its properties are told.

use crate::{
    play::Game,
    ruleset::{Holder, Kind, Ruleset, Seen},
};

/// The eyes of a side, or of somebody who sees everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    side: Option<i32>,
}

impl Sight {
    /// Of somebody who sees everything.
    pub const ALL: Sight = Sight { side: None };

    /// Of a side; a neutral one sees everything.
    pub fn of(side: i32, ruleset: &Ruleset) -> Sight {
        let is_neutral = ruleset.sides.get(side as usize).is_some_and(|side| side.neutral);
        Sight { side: Some(side).filter(|_| !is_neutral) }
    }

    /// The side, if it is one.
    pub fn side(self) -> Option<i32> {
        self.side
    }

    /// Whether a property of something is told to these eyes, as the game stands.
    pub fn property(self, game: &Game, column: u16, of: i32) -> bool {
        let declared = &game.ruleset.schema.columns[column as usize];
        self.is_told(declared.seen, game.owner_of(declared.holder, of))
    }

    /// Whether what is seen so is told to these eyes, of something that this side owns, if any does.
    pub(super) fn is_told(self, seen: Seen, owner: Option<i32>) -> bool {
        self.side.is_none_or(|side| match seen {
            Seen::ByAll => true,
            Seen::ByOwner => owner == Some(side),
            Seen::ByNobody => false,
        })
    }

    /// Whether these eyes may not know which counter or card it is: it is not theirs, and something conceals it.
    pub fn is_concealed(self, game: &Game, kind: Kind, thing: i32) -> bool {
        let holder = match kind {
            Kind::Unit => Holder::Unit,
            Kind::Card => Holder::Card,
            _ => return false,
        };
        let columns = game.ruleset.schema.columns.iter().enumerate();
        let mut conceals =
            columns.filter(|(at, c)| c.conceals && c.holder == holder && game.get(*at as u16, thing) == 1);
        conceals.next().is_some() && self.is_of_others(game.owner_of(holder, thing))
    }

    /// Those of these that these eyes may call by name, as the game stands.
    pub fn known(self, game: &Game, kind: Kind, mut among: Vec<i32>) -> Vec<i32> {
        among.retain(|thing| !self.is_concealed(game, kind, *thing));
        among
    }

    /// The units of a side that these eyes may call by name.
    pub fn units_of(self, game: &Game, side: i32) -> Vec<i32> {
        let units = &game.ruleset.units;
        let own = (0..units.len() as i32).filter(|unit| units[*unit as usize].side == side);
        self.known(game, Kind::Unit, own.collect())
    }

    /// Whether what this side owns, if any does, is not of these eyes' side.
    pub(super) fn is_of_others(self, owner: Option<i32>) -> bool {
        self.side.is_some_and(|side| owner != Some(side))
    }
}

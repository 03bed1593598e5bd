//! Values that need only be looked up, of whole lists of things.

use super::{evaluate::Slots, game::Game};
use crate::ruleset::rows::Expr;

/// A value that need only be looked up.
#[derive(Clone, Copy)]
pub(super) enum Plain<'a> {
    /// The same for all.
    Known(i32),
    /// By its number.
    Its(&'a [i32]),
    /// By the number of its space; the second is what nothing has.
    OfItsSpace(&'a [i32], i8),
    /// By the number of another thing, which is looked up by its own; the last is what nothing has.
    OfAnother(&'a [i32], &'a [i32], i8),
    /// Itself.
    Itself,
    /// The space it is in.
    ItsSpace,
}

impl Plain<'_> {
    /// What it is for one.
    #[inline]
    pub fn of(self, game: &Game, one: i32) -> i32 {
        match self {
            Plain::Known(value) => value,
            Plain::Its(values) => values.get(one as usize).copied().unwrap_or(-1),
            Plain::OfItsSpace(values, of_nothing) => {
                values.get(game.space_of(one) as usize).copied().unwrap_or(i32::from(of_nothing))
            }
            Plain::OfAnother(others, values, of_nothing) => {
                let other = others.get(one as usize).copied().unwrap_or(-1);
                values.get(other as usize).copied().unwrap_or(i32::from(of_nothing))
            }
            Plain::Itself => one,
            Plain::ItsSpace => game.space_of(one),
        }
    }
}

impl Game {
    /// A value of something that stands in a slot, if it need only be looked up.
    pub(super) fn plain<'a>(&'a self, expr: &Expr, slot: u8, slots: &Slots) -> Option<Plain<'a>> {
        match expr {
            Expr::Const(value) => Some(Plain::Known(*value)),
            Expr::Slot(s) if *s == slot => Some(Plain::Itself),
            Expr::Slot(s) => Some(Plain::Known(slots[*s as usize])),
            Expr::Game(column) => Some(Plain::Known(self.get(*column, 0))),
            Expr::State { of_nothing, cells, of, .. } => {
                self.plain_of(self.values.slice(*cells), *of_nothing, of, slot, slots)
            }
            Expr::Fixed { of_nothing, attribute, of } => {
                self.plain_of(&self.ruleset.attributes[*attribute as usize].values, *of_nothing, of, slot, slots)
            }
            Expr::Next(from, way) => {
                let Some(Plain::Known(way)) = self.plain(way, slot, slots) else { return None };
                self.plain_of(self.ruleset.map.all_next(way), -1, from, slot, slots)
            }
            Expr::SpaceOf(unit) => match self.plain(unit, slot, slots)? {
                Plain::Itself => Some(Plain::ItsSpace),
                Plain::Known(unit) => Some(Plain::Known(self.space_of(unit))),
                _ => None,
            },
            _ => None,
        }
    }

    /// What one of these values is, of a thing that need only be looked up itself.
    fn plain_of<'a>(
        &'a self,
        values: &'a [i32],
        of_nothing: i8,
        of: &Expr,
        slot: u8,
        slots: &Slots,
    ) -> Option<Plain<'a>> {
        match self.plain(of, slot, slots)? {
            Plain::Itself => Some(Plain::Its(values)),
            Plain::Known(of) => Some(Plain::Known(values.get(of as usize).copied().unwrap_or(of_nothing.into()))),
            Plain::Its(others) => Some(Plain::OfAnother(others, values, of_nothing)),
            Plain::ItsSpace => Some(Plain::OfItsSpace(values, of_nothing)),
            Plain::OfItsSpace(..) | Plain::OfAnother(..) => None,
        }
    }
}

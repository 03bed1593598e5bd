//! Floods that are kept while nothing has changed: a question asks again and again where a move comes to, and many units of a
//! stack move alike.

use std::cell::RefCell;

use super::{evaluate::Slots, game::Game, moves::Move};
use crate::{
    map::Flood,
    ruleset::{
        Relaxed,
        rows::{Expr, Likeness},
    },
};

/// A flood, and what it is the flood of.
#[derive(Default)]
struct Last {
    flood: Flood,
    /// The game's version, the move, and whether its modes were told apart.
    of: Option<(u64, Move, bool)>,
}

/// The last floods of a thread.
#[derive(Default)]
struct Floods {
    all: [Last; Floods::MANY],
    /// The one that gives way next.
    next: usize,
}

impl Floods {
    /// As many kinds of movers as may stand together, and a question may offer each several kinds of move.
    const MANY: usize = 8;
}

thread_local!(static LAST: RefCell<Floods> = RefCell::default());

impl Game {
    /// Floods a move and hands over what was reached, and by what path at what cost.
    pub fn reach<T>(&self, m: &Move, then: impl FnOnce(&Flood) -> T) -> T {
        self.reach_in(m, !self.ruleset.movers[m.mover as usize].ways_alike, then)
    }

    /// The same, and in which modes, also where nothing but the question tells them apart.
    pub(super) fn reach_in_modes<T>(&self, m: &Move, then: impl FnOnce(&Flood) -> T) -> T {
        self.reach_in(m, true, then)
    }

    fn reach_in<T>(&self, m: &Move, in_modes: bool, then: impl FnOnce(&Flood) -> T) -> T {
        LAST.with_borrow_mut(|Floods { all, next }| {
            let version = self.values.version();
            let is_known = |last: &Last| {
                let of = last.of.as_ref().filter(|of| (of.0, of.2) == (version, in_modes));
                of.is_some_and(|of| of.1 == *m || self.moves_alike(&of.1, m))
            };
            let known = all.iter().position(is_known);
            let at = known.unwrap_or(*next);
            let Last { flood, of } = &mut all[at];
            if known.is_none() {
                match in_modes {
                    true => self.search(flood, m, Relaxed::Nothing),
                    false => self.search_spaces(flood, m, false),
                }
                *of = (!self.is_exhausted()).then(|| (version, m.clone(), in_modes));
                *next = (at + 1) % Floods::MANY;
            }
            then(flood)
        })
    }

    /// Whether moves of two units come to the same spaces by the same steps, for the same cost.
    fn moves_alike(&self, one: &Move, other: &Move) -> bool {
        let likeness = self.ruleset.movers[usize::from(one.mover)].likeness.as_ref();
        let Some(likeness) = likeness.filter(|_| one.is_but_for_unit(other)) else { return false };
        let [one, other] = [one.unit, other.unit];
        let side = |unit: i32| self.ruleset.units[unit as usize].side;
        if self.place(one) != self.place(other) || side(one) != side(other) {
            return false;
        }
        self.are_alike(likeness, one, other)
    }

    /// Whether two things are alike in all that is asked of them.
    pub fn are_alike(&self, likeness: &Likeness, one: i32, other: i32) -> bool {
        let is_same = |(asked, slots): &(Expr, u16)| {
            let of = |thing: i32| {
                let mut given: Slots = [-1; 16];
                (0..16).filter(|slot| slots >> slot & 1 == 1).for_each(|slot| given[slot] = thing);
                self.asked(asked, &mut given)
            };
            of(one) == of(other)
        };
        likeness.asked.iter().all(is_same) && !self.is_exhausted()
    }
}

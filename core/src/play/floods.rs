//! Floods that are kept while nothing has changed: a question asks again and again where a move comes to, and many units of a
//! stack move alike.

use std::sync::Arc;

use super::{basis::Basis, evaluate::Slots, game::Game, moves::Move};
use crate::{
    map::Flood,
    ruleset::{
        Marking, Relaxed,
        rows::{Expr, Likeness},
    },
};

/// A flood, and what it is the flood of.
#[derive(Debug, Default)]
struct Last {
    flood: Flood,
    /// What it was worked out from.
    basis: Basis,
    of: Option<Move>,
}

/// What can be told of a flood at a glance: the kind of move, whether its modes are told apart, and of whom it is, where and of
/// which side.
#[derive(Debug, Clone, Copy)]
struct Key {
    mover: u16,
    searches_as: u16,
    in_modes: bool,
    unit: i32,
    place: i32,
    side: i32,
}

impl Key {
    /// Whether one may do for the other: of one unit, or of two of a side in one place.
    #[inline]
    fn may_do_for(self, other: Key) -> bool {
        (self.mover, self.in_modes) == (other.mover, other.in_modes)
            && (self.unit == other.unit || (self.place, self.side) == (other.place, other.side))
    }

    /// Whether it is of the same unit and goes over the same nodes to other ends.
    #[inline]
    fn may_lend_to(self, other: Key) -> bool {
        let goes_over = |key: Key| (key.searches_as, key.in_modes, key.unit);
        self.mover != other.mover && goes_over(self) == goes_over(other)
    }
}

/// The last floods of a game.
#[derive(Debug, Default)]
pub(super) struct Floods {
    all: Vec<Last>,
    /// Of each; they lie close together, for all of them are looked through.
    keys: Vec<Key>,
    /// The one that gives way next, where all of them stand.
    next: usize,
}

impl Floods {
    /// As many units as a question may offer several kinds of move each.
    const MANY: usize = 64;
}

impl Last {
    /// Whether it would come to the same now.
    fn stands(&mut self, game: &Game) -> bool {
        let of = self.of.as_ref().map(|m| &game.ruleset.movers[usize::from(m.mover)]);
        of.is_some_and(|mover| self.basis.stands(game, &mover.reads))
    }
}

impl Game {
    /// Floods a move and hands over what was reached, and by what path at what cost.
    pub fn reach<T>(&self, m: &Move, then: impl FnOnce(&Flood) -> T) -> T {
        let between = self.between(m);
        let in_modes = between.is_none() && !self.ruleset.movers[m.mover as usize].ways_alike;
        self.reach_in(m, in_modes, between, then)
    }

    /// The same, and in which modes, also where nothing but the question tells them apart.
    pub(super) fn reach_in_modes<T>(&self, m: &Move, then: impl FnOnce(&Flood) -> T) -> T {
        self.reach_in(m, true, None, then)
    }

    fn reach_in<T>(
        &self,
        m: &Move,
        in_modes: bool,
        between: Option<&Arc<Marking>>,
        then: impl FnOnce(&Flood) -> T,
    ) -> T {
        // Taken out: what is worked on may ask where another move comes to.
        let mut floods = std::mem::take(&mut *self.floods.0.borrow_mut());
        let at = self.flooded(&mut floods, m, in_modes, between);
        let done = then(&floods.all[at].flood);
        *self.floods.0.borrow_mut() = floods;
        done
    }

    /// Which of the floods is that of a move: one that is known and stands, or else one that is searched for now.
    fn flooded(&self, floods: &mut Floods, m: &Move, in_modes: bool, between: Option<&Arc<Marking>>) -> usize {
        let Floods { all, keys, next } = floods;
        let mover = &self.ruleset.movers[usize::from(m.mover)];
        let side = self.ruleset.units[m.unit as usize].side;
        let place = self.place(m.unit);
        let key = Key { mover: m.mover, searches_as: mover.searches_as, in_modes, unit: m.unit, place, side };
        let begins_alike = |last: &Last| last.of.as_ref().is_some_and(|of| of.begins_as(m));
        let is_known = |last: &mut Last| {
            begins_alike(last)
                && last.of.as_ref().is_some_and(|of| of.unit == m.unit || self.stand_together(of.unit, m.unit))
                && last.stands(self)
                && last.of.as_ref().is_some_and(|of| of.unit == m.unit || self.moves_alike(of, m))
        };
        let known = keys.iter().enumerate().filter(|(_, known)| known.may_do_for(key)).map(|(at, _)| at);
        if let Some(known) = known.into_iter().find(|at| is_known(&mut all[*at])) {
            return known;
        }
        // The first that is of no use any more gives way: where that is all of them, always the same, which is near at hand.
        let at = all.iter_mut().position(|last| !last.stands(self)).unwrap_or_else(|| {
            if all.len() < Floods::MANY {
                all.push(Last::default());
                keys.push(key);
                return all.len() - 1;
            }
            *next = (*next + 1) % Floods::MANY;
            *next
        });
        // Where the same unit has been searched for that ends elsewhere, its nodes serve again.
        let lends = |(lender, known): (usize, &Key)| {
            let last = &mut all[lender];
            (known.may_lend_to(key) && lender != at && begins_alike(last) && last.stands(self)).then_some(lender)
        };
        let lender = if in_modes && mover.ends_by_symbol { keys.iter().enumerate().find_map(lends) } else { None };
        let lent = lender.and_then(|lender| all.get_disjoint_mut([at, lender]).ok());
        if let Some([this, lender]) = lent {
            this.flood.search_as(&lender.flood);
            let ends_as = |m: &Move| self.ruleset.movers[usize::from(m.mover)].ends_as;
            if lender.of.as_ref().map(ends_as) != Some(mover.ends_as) {
                this.flood.no_ends = None;
            }
            self.keep_ends(&mut this.flood, m, mover.may_stop.map(|rows| &self.ruleset.rows[rows]));
        } else if in_modes {
            self.search(&mut all[at].flood, m, Relaxed::Nothing);
        } else {
            self.search_nodes(&mut all[at].flood, m, false, between);
        }
        let Last { basis, of, .. } = &mut all[at];
        basis.renew(self, &mover.reads);
        *of = Some(m.clone());
        keys[at] = key;
        at
    }

    /// Whether two units of one side stand in the same place.
    fn stand_together(&self, one: i32, other: i32) -> bool {
        let side = |unit: i32| self.ruleset.units[unit as usize].side;
        self.place(one) == self.place(other) && side(one) == side(other)
    }

    /// Whether moves that differ in their units alone, who stand together, come to the same spaces by the same steps, for
    /// the same cost.
    fn moves_alike(&self, one: &Move, other: &Move) -> bool {
        let likeness = self.ruleset.movers[usize::from(one.mover)].likeness.as_ref();
        likeness.is_some_and(|likeness| self.are_alike(likeness, one.unit, other.unit))
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

//! What terms about the ground come to, kept while nothing they look at has changed: many units ask the same of one space.

use super::{basis::Basis, evaluate::Slots, game::Game};
use crate::ruleset::rows::{OfGround, Term};

/// Of more spaces, each counted once a side, nothing is kept: what a pack may cost in memory has an end.
const MOST_KEPT: usize = 1 << 14;

/// What a term came to for each space and side that it was asked about.
#[derive(Debug, Default)]
pub(super) struct KeptTerm {
    basis: Basis,
    known: Vec<u64>,
    values: Vec<i32>,
}

impl KeptTerm {
    /// Forgets all that was worked out from what is no more.
    fn refresh(&mut self, game: &Game, of: &OfGround, most: usize) {
        if !self.basis.stands(game, &of.reads) {
            self.known.clear();
            self.known.resize(most.div_ceil(64), 0);
            self.values.resize(most, 0);
            self.basis.renew(game, &of.reads);
        }
    }

    fn get(&self, at: usize) -> Option<i32> {
        (self.known[at / 64] >> (at % 64) & 1 == 1).then(|| self.values[at])
    }

    fn set(&mut self, at: usize, value: i32) {
        self.known[at / 64] |= 1 << (at % 64);
        self.values[at] = value;
    }
}

impl Game {
    /// What a term of this number, which is given nothing but what `slots` begins with, comes to.
    // Out of line: whoever evaluates anything else does not carry it along.
    #[inline(never)]
    pub(super) fn of_ground(&self, number: u16, term: &Term, of: &OfGround, slots: &mut Slots) -> i32 {
        let space = of.space.map_or(0, |slot| slots[usize::from(slot)]);
        let Some(at) = self.place_of_ground(of, space, slots) else { return self.eval(&term.body, slots) };
        if let Some(value) = self.kept_of_ground(number, of, |kept| kept.get(at)) {
            return value;
        }
        // It may ask other terms, which are kept meanwhile.
        let value = self.eval(&term.body, slots);
        if !self.is_exhausted() {
            self.kept_of_ground(number, of, |kept| kept.set(at, value));
        }
        value
    }

    /// The same for each of a list of spaces, which rise; those that it is not known of yet are worked out together. Nothing
    /// where it is not given a space, or is not kept of all of these.
    pub(super) fn of_grounds(
        &self,
        (number, of): (u16, &OfGround),
        spaces: &[i32],
        slots: &mut Slots,
        work_out: impl FnOnce(&[i32], &mut Slots) -> Vec<i32>,
    ) -> Option<Vec<i32>> {
        of.space?;
        let places = spaces.iter().map(|space| self.place_of_ground(of, *space, slots));
        let places: Vec<usize> = places.collect::<Option<_>>()?;
        let mut values: Vec<Option<i32>> =
            self.kept_of_ground(number, of, |kept| places.iter().map(|at| kept.get(*at)).collect());
        let unknown: Vec<usize> = (0..values.len()).filter(|at| values[*at].is_none()).collect();
        if !unknown.is_empty() {
            let found = work_out(&unknown.iter().map(|at| spaces[*at]).collect::<Vec<_>>(), slots);
            let is_kept = !self.is_exhausted();
            self.kept_of_ground(number, of, |kept| {
                for (at, value) in unknown.iter().zip(found) {
                    values[*at] = Some(value);
                    if is_kept {
                        kept.set(places[*at], value);
                    }
                }
            });
        }
        values.into_iter().collect()
    }

    /// Where it is kept what a term comes to of a space, and of the side in `slots`. Nowhere and nobody are asked afresh, as
    /// all are where they are too many.
    fn place_of_ground(&self, of: &OfGround, space: i32, slots: &Slots) -> Option<usize> {
        let (spaces, sides) = (self.ruleset.map.len(), self.ruleset.sides.len());
        let side = of.side.map_or(0, |slot| slots[usize::from(slot)]);
        let (space, side) = (usize::try_from(space).ok()?, usize::try_from(side).ok()?);
        (spaces * sides <= MOST_KEPT && space < spaces && side < sides).then_some(space * sides + side)
    }

    /// Looks at, or changes, what is kept of a term, all of which stands.
    fn kept_of_ground<T>(&self, number: u16, of: &OfGround, work: impl FnOnce(&mut KeptTerm) -> T) -> T {
        let mut all = self.kept_terms.0.borrow_mut();
        if all.is_empty() {
            all.resize_with(self.ruleset.terms.len(), KeptTerm::default);
        }
        let kept = &mut all[usize::from(number)];
        kept.refresh(self, of, self.ruleset.map.len() * self.ruleset.sides.len());
        work(kept)
    }
}

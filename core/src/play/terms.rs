//! What terms about the ground come to, kept while nothing they look at has changed: many units ask the same of one space.

use std::cell::RefCell;

use super::{basis::Basis, evaluate::Slots, game::Game};
use crate::ruleset::rows::{OfGround, Term};

/// Of more spaces, each counted once a side, nothing is kept: what a pack may cost in memory has an end.
const MOST_KEPT: usize = 1 << 14;

/// What a term came to for each space and side that it was asked about.
#[derive(Debug, Default)]
struct Kept {
    basis: Basis,
    known: Vec<u64>,
    values: Vec<i32>,
}

/// By the number of the term. A copy of a game begins without: it is as soon worked out as copied.
#[derive(Debug, Default)]
pub(super) struct KeptTerms(RefCell<Vec<Kept>>);

impl Clone for KeptTerms {
    fn clone(&self) -> KeptTerms {
        KeptTerms::default()
    }
}

impl Game {
    /// What a term of this number, which is given nothing but what `slots` begins with, comes to.
    // Out of line: whoever evaluates anything else does not carry it along.
    #[inline(never)]
    pub(super) fn of_ground(&self, number: u16, term: &Term, of: &OfGround, slots: &mut Slots) -> i32 {
        let ruleset = &*self.ruleset;
        let (spaces, sides) = (ruleset.map.len(), ruleset.sides.len());
        if spaces * sides > MOST_KEPT {
            return self.eval(&term.body, slots);
        }
        // Nowhere and nobody are asked afresh.
        let place = |slot: Option<u8>, most: usize| match slot {
            Some(slot) => usize::try_from(slots[usize::from(slot)]).ok().filter(|of| *of < most),
            None => Some(0),
        };
        let (Some(space), Some(side)) = (place(of.space, spaces), place(of.side, sides)) else {
            return self.eval(&term.body, slots);
        };
        let at = space * sides + side;
        let number = usize::from(number);
        {
            let mut all = self.kept_terms.0.borrow_mut();
            if all.is_empty() {
                all.resize_with(ruleset.terms.len(), Kept::default);
            }
            let kept = &mut all[number];
            if kept.basis.stands(self, &of.reads) {
                if kept.known[at / 64] >> (at % 64) & 1 == 1 {
                    return kept.values[at];
                }
            } else {
                kept.known.clear();
                kept.known.resize((spaces * sides).div_ceil(64), 0);
                kept.values.resize(spaces * sides, 0);
                kept.basis.renew(self, &of.reads);
            }
        }
        // It may ask other terms, which are kept meanwhile.
        let value = self.eval(&term.body, slots);
        if !self.is_exhausted() {
            let kept = &mut self.kept_terms.0.borrow_mut()[number];
            kept.known[at / 64] |= 1 << (at % 64);
            kept.values[at] = value;
        }
        value
    }
}

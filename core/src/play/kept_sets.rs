//! Who is in a set, kept while nothing that it looks at has changed: one question after the other lists the same sets, and
//! most answers change little.

use super::{basis::Basis, game::Game, offer::Given};
use crate::ruleset::Part;

/// A set of a ruleset's own, or the guards whom something may pass.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kept {
    /// Guards, by their index.
    Passing(u16),
    /// A set, by its index.
    Named(u16),
}

/// Who was in a set when it was last asked about.
#[derive(Debug, Default)]
pub(super) struct KeptSet {
    given: Given,
    basis: Basis,
    members: Vec<i32>,
    /// How often more it is kept, though it has always changed before it was asked about again.
    patience: u8,
    /// How often it has been asked about since nobody has had patience with it.
    asked: u8,
}

impl KeptSet {
    /// So often in a row a set may have been kept in vain.
    const PATIENCE: u8 = 8;
    /// It is tried again each time that it has been asked about so often.
    const TRIED_AFTER: u8 = 100;

    /// Whether it is worth keeping.
    fn is_tried(&mut self) -> bool {
        self.asked = (self.asked + 1) % KeptSet::TRIED_AFTER;
        if self.asked == 0 {
            // Once to be kept, and once to be found again.
            self.patience = self.patience.max(2);
        }
        self.patience > 0
    }
}

impl Game {
    /// Who is in a set that is given these and hangs on these parts of the state: as it was, or as it is found.
    pub(super) fn kept_set(
        &self,
        which: Kept,
        given: &[i32],
        reads: &[Part],
        find: impl FnOnce() -> Vec<i32>,
    ) -> Vec<i32> {
        let at = match which {
            Kept::Passing(rows) => usize::from(rows),
            Kept::Named(set) => self.ruleset.rows.len() + usize::from(set),
        };
        {
            let mut all = self.kept_sets.0.borrow_mut();
            if all.is_empty() {
                let fresh = || KeptSet { patience: KeptSet::PATIENCE, ..KeptSet::default() };
                all.resize_with(self.ruleset.rows.len() + self.ruleset.sets.len(), fresh);
            }
            let last = &mut all[at];
            if !last.is_tried() {
                drop(all);
                return find();
            }
            if last.given[..given.len()] == *given && last.basis.stands(self, reads) {
                last.patience = KeptSet::PATIENCE;
                return last.members.clone();
            }
        }
        let found = find();
        let last = &mut self.kept_sets.0.borrow_mut()[at];
        last.patience -= 1;
        last.given[..given.len()].copy_from_slice(given);
        last.members.clone_from(&found);
        last.basis.renew(self, reads);
        found
    }
}

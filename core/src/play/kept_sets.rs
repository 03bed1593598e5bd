//! Who is in a set, kept while nothing that it looks at has changed: one question after the other lists the same sets, and
//! most answers change little.

use super::{basis::Basis, game::Game, offer::Given};
use crate::ruleset::{Ruleset, rows::Keeping};

/// A set of a ruleset's own, the guards whom something may pass, or those who spread a zone.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kept {
    /// Guards, by their index.
    Passing(u16),
    /// A set, by its index.
    Named(u16),
    /// A zone against a side.
    Zone(u16, i32),
}

impl Kept {
    /// How many there are.
    pub fn count(ruleset: &Ruleset) -> usize {
        ruleset.rows.len() + ruleset.sets.len() + ruleset.zones.len() * ruleset.sides.len()
    }

    /// Its number among them.
    pub fn number(self, ruleset: &Ruleset) -> usize {
        match self {
            Kept::Passing(rows) => usize::from(rows),
            Kept::Named(set) => ruleset.rows.len() + usize::from(set),
            Kept::Zone(zone, against) => {
                let zones = ruleset.rows.len() + ruleset.sets.len();
                zones + usize::from(zone) * ruleset.sides.len() + against as usize
            }
        }
    }
}

/// Who was in a set when it was last asked about.
#[derive(Debug, Default)]
pub(super) struct KeptSet {
    given: Given,
    basis: Basis,
    /// What the unit that it is given first had of its own, where it looks at no other's.
    own: Vec<i32>,
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
    const TRIED_AFTER: u8 = 25;

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
    /// Works on who is in a set that is given these and stands so long: as it was, or as it is found.
    pub(super) fn kept_set<T>(
        &self,
        which: Kept,
        given: &[i32],
        keeping: &Keeping,
        find: impl FnOnce() -> Vec<i32>,
        work: impl FnOnce(&[i32]) -> T,
    ) -> T {
        let at = which.number(&self.ruleset);
        let of = if keeping.own.is_empty() { Some(0) } else { usize::try_from(given[0]).ok() };
        let Some(of) = of else { return work(&find()) };
        let own = || keeping.own.iter().map(|column| self.get(*column, given[0]));
        {
            let mut all = self.kept_sets.0.borrow_mut();
            if all.is_empty() {
                all.resize_with(Kept::count(&self.ruleset), Vec::new);
            }
            let those = &mut all[at];
            if those.len() <= of {
                those.resize_with(of + 1, || KeptSet { patience: KeptSet::PATIENCE, ..KeptSet::default() });
            }
            let last = &mut those[of];
            if !last.is_tried() {
                drop(all);
                return work(&find());
            }
            let is_same = last.given[..given.len()] == *given && own().eq(last.own.iter().copied());
            if is_same && last.basis.stands(self, &keeping.parts) {
                last.patience = KeptSet::PATIENCE;
                return work(&last.members);
            }
        }
        let found = find();
        let last = &mut self.kept_sets.0.borrow_mut()[at][of];
        last.patience -= 1;
        last.given[..given.len()].copy_from_slice(given);
        last.own.clear();
        last.own.extend(own());
        last.basis.renew(self, &keeping.parts);
        last.members = found;
        work(&last.members)
    }
}

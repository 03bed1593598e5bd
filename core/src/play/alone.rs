//! Who passes what a question asks of each candidate alone, kept candidate by candidate: most answers change one or two of
//! them, and all others are as they were.

use super::{basis::Basis, evaluate::Slots, game::Game, kept_sets::Kept};
use crate::ruleset::rows::fold::Alone;

/// Who passed when they were last asked.
#[derive(Debug, Default)]
pub(super) struct KeptAlone {
    /// What it was worked out from besides the candidates.
    basis: Basis,
    /// By number of the unit, its stamp when it was asked.
    stamps: Vec<u64>,
    /// In rising order.
    passing: Vec<i32>,
}

impl Game {
    /// Of some units, in rising order, those who pass what a question asks of each alone; each stands in `slot` while it is
    /// asked.
    pub(super) fn passing_alone(&self, which: Kept, candidates: &[i32], alone: &Alone, slot: u8) -> Vec<i32> {
        let at = which.number(&self.ruleset);
        // Whoever asks about the same meanwhile finds nothing, and keeps nothing that lasts.
        let mut last = {
            let mut all = self.kept_alone.0.borrow_mut();
            if all.is_empty() {
                all.resize_with(Kept::count(&self.ruleset), KeptAlone::default);
            }
            std::mem::take(&mut all[at])
        };
        let mut slots: Slots = [-1; 16];
        let stamps = self.values.unit_stamps();
        let is_as_seen = last.basis.is_of_now(self);
        if !last.basis.stands(self, &alone.parts) {
            last.passing.clear();
            last.passing.extend_from_slice(candidates);
            self.sift(&alone.when, true, slot, &mut last.passing, &mut slots);
            last.basis.renew(self, &alone.parts);
            last.stamps.clear();
            last.stamps.extend_from_slice(stamps);
        } else if !is_as_seen {
            for unit in candidates {
                let at = *unit as usize;
                if last.stamps[at] == stamps[at] {
                    continue;
                }
                last.stamps[at] = stamps[at];
                slots[usize::from(slot)] = *unit;
                let passes = self.asked(&alone.when, &mut slots) != 0;
                match last.passing.binary_search(unit) {
                    Ok(at) if !passes => _ = last.passing.remove(at),
                    Err(at) if passes => last.passing.insert(at, *unit),
                    _ => (),
                }
            }
            if self.is_exhausted() {
                last.basis = Basis::default();
            }
        }
        let passing = last.passing.clone();
        self.kept_alone.0.borrow_mut()[at] = last;
        passing
    }
}

//! The game as a side knows it: what is hidden from it stands at its default, and counters it may not know are nowhere.

use super::game::Game;
use crate::ruleset::{Holder, Schema, Seen};

impl Game {
    /// The side that owns something, if any does: a counter's own, and of cards and spaces the one that a property names.
    pub fn owner_of(&self, holder: Holder, of: i32) -> Option<i32> {
        match holder {
            Holder::Unit => self.ruleset.units.get(of as usize).map(|u| u.side),
            Holder::Side => Some(of),
            _ => self.ruleset.schema.owner_of(holder).map(|column| self.get(column, of)).filter(|side| *side >= 0),
        }
    }

    /// Works on the game as a side knows it, and puts back what that hides. A neutral side knows everything.
    ///
    /// What `work` writes is put back as well.
    pub(super) fn as_known_to<T>(self: &mut Box<Game>, side: i32, work: impl FnOnce(&mut Box<Game>) -> T) -> T {
        let hidden = self.hidden_from(side);
        if hidden.is_empty() {
            return work(self);
        }
        let (written, version, progress) = (self.values.written(), self.values.version(), self.progress.clone());
        let told = std::mem::take(&mut self.told);
        for (column, of) in hidden {
            let default = self.ruleset.schema.columns[usize::from(column)].default;
            let done = if column == Schema::PLACE { self.put(of, default) } else { self.write(column, of, default) };
            debug_assert!(done.is_ok(), "a default is a value");
        }
        let done = work(self);
        self.put_back(written, version, &progress);
        self.told = told;
        done
    }

    /// What a side may not know, as cells by column and thing.
    fn hidden_from(&self, side: i32) -> Vec<(u16, i32)> {
        let ruleset = &self.ruleset;
        let is_neutral = ruleset.sides.get(side as usize).is_none_or(|side| side.neutral);
        let mut all = Vec::new();
        for (at, column) in (0..).zip(&ruleset.schema.columns).filter(|_| !is_neutral) {
            if column.seen == Seen::ByAll && !column.conceals {
                continue;
            }
            for of in (0..column.count as i32).filter(|of| self.get(at, *of) != column.default) {
                let owner = self.owner_of(column.holder, of);
                if column.seen == Seen::ByNobody || (column.seen == Seen::ByOwner && owner != Some(side)) {
                    all.push((at, of));
                }
                if column.conceals && column.holder == Holder::Unit && owner != Some(side) {
                    all.push((Schema::PLACE, of));
                }
            }
        }
        all
    }
}

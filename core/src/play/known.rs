//! The game as a side knows it: what is hidden from it stands at its default, and counters it may not know are nowhere; or as
//! it may be for all that the side knows.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::{Rules, Session, game::Game};
use crate::ruleset::{Column, Holder, Kind, Schema, Seen, joined, mixed};

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
        let mut all = Vec::new();
        for (at, column) in (0..).zip(&ruleset.schema.columns).filter(|_| !self.knows_all(side)) {
            if column.seen == Seen::ByAll && !column.conceals {
                continue;
            }
            for of in (0..column.count as i32).filter(|of| self.get(at, *of) != column.default) {
                let owner = self.owner_of(column.holder, of);
                if is_hidden(column, owner, side) {
                    all.push((at, of));
                }
                if column.conceals && column.holder == Holder::Unit && owner != Some(side) {
                    all.push((Schema::PLACE, of));
                }
            }
        }
        all
    }

    /// Whether a side knows everything: a neutral one does, and everybody where nothing is ever hidden.
    pub(crate) fn knows_all(&self, side: i32) -> bool {
        let may_hide = |column: &Column| column.seen != Seen::ByAll || column.conceals;
        let is_neutral = self.ruleset.sides.get(side as usize).is_none_or(|side| side.neutral);
        is_neutral || !self.ruleset.schema.columns.iter().any(may_hide)
    }

    /// Draws anew what a side may not know. What it comes to hangs on what the side knows, on how much there is of everything
    /// (as one knows of a deck), and on `draw`; how it truly lies has no part in it.
    ///
    /// - A hidden property: its values change places among all things of one owner that have it. Where one thing alone has it
    ///   there is nothing to change places with, and any value is as likely.
    /// - Counters of a side, or cards, that something conceals: any of them is as likely to be the one that lies there. What
    ///   everybody sees of it, as where it lies, stays; what it is changes.
    fn draw_hidden(&mut self, side: i32, draw: u64) {
        let ruleset = self.ruleset.clone();
        let columns = || (0..).zip(&ruleset.schema.columns);
        for (at, column) in columns().filter(|(_, column)| column.seen != Seen::ByAll) {
            let exists = |of: &i32| match column.holder {
                Holder::Record(kind) => self.get(ruleset.schema.records[usize::from(kind)].exists, *of) != 0,
                _ => true,
            };
            let mut hidden: BTreeMap<Option<i32>, Vec<i32>> = BTreeMap::new();
            for of in (0..column.count as i32).filter(exists) {
                let owner = self.owner_of(column.holder, of);
                if is_hidden(column, owner, side) {
                    hidden.entry(owner).or_default().push(of);
                }
            }
            for things in hidden.into_values() {
                let mut values: Vec<i32> = things.iter().map(|of| self.get(at, *of)).collect();
                let things = self.drawn(things, column.holder, joined(&[draw, xxh3_64(column.name.as_bytes())]));
                if let ([(weight, _)], (least, most)) = (&things[..], column.range) {
                    let count = (i64::from(most) - i64::from(least) + 1) as u64;
                    values[0] = (i64::from(least) + (weight % count) as i64) as i32;
                }
                values.sort_unstable();
                things.iter().zip(values).for_each(|((_, of), value)| self.lay(at, *of, value));
            }
        }
        for holder in [Holder::Unit, Holder::Card] {
            let of_holder = || columns().filter(|(_, column)| column.holder == holder);
            let mut concealed: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
            let flags: Vec<u16> = of_holder().filter(|(_, column)| column.conceals).map(|(at, _)| at).collect();
            for of in 0..of_holder().map(|(_, column)| column.count as i32).max().unwrap_or(0) {
                if self.owner_of(holder, of) != Some(side) && flags.iter().any(|flag| self.get(*flag, of) == 1) {
                    // A counter is always of its side; a card, of whoever has it.
                    let group =
                        ruleset.units.get(of as usize).filter(|_| holder == Holder::Unit).map_or(-1, |u| u.side);
                    concealed.entry(group).or_default().push(of);
                }
            }
            let seen: Vec<u16> = of_holder().filter(|(_, c)| c.seen == Seen::ByAll).map(|(at, _)| at).collect();
            for things in concealed.into_values() {
                let mut looks: Vec<Vec<i32>> =
                    things.iter().map(|of| seen.iter().map(|column| self.get(*column, *of)).collect()).collect();
                looks.sort_unstable();
                for ((_, of), looks) in self.drawn(things, holder, joined(&[draw, 1])).iter().zip(looks) {
                    seen.iter().zip(looks).for_each(|(column, value)| self.lay(*column, *of, value));
                }
            }
        }
    }

    /// Things of a kind in an order that is drawn by their names, each with the number that was drawn.
    fn drawn(&self, things: Vec<i32>, holder: Holder, draw: u64) -> Vec<(u64, i32)> {
        let kind = match holder {
            Holder::Unit => Kind::Unit,
            Holder::Side => Kind::Side,
            Holder::Space => Kind::Space,
            Holder::Card => Kind::Card,
            Holder::Game | Holder::Record(_) => Kind::Int,
        };
        let weight = |of: i32| mixed(draw ^ mixed(self.ruleset.keys.of(kind, of)));
        let mut all: Vec<(u64, i32)> = things.into_iter().map(|of| (weight(of), of)).collect();
        all.sort_unstable();
        all
    }

    /// Writes a value that the column has held or may hold.
    fn lay(&mut self, column: u16, of: i32, value: i32) {
        let done = if column == Schema::PLACE { self.put(of, value) } else { self.write(column, of, value) };
        debug_assert!(done.is_ok(), "it is a value of the column");
    }
}

/// Whether a side is not told a property of what somebody owns.
fn is_hidden(column: &Column, owner: Option<i32>, side: i32) -> bool {
    column.seen == Seen::ByNobody || (column.seen == Seen::ByOwner && owner != Some(side))
}

/// So many draws are tried before something is offered to whoever is asked.
const DRAWS: u64 = 8;

impl<R: Rules> Session<R> {
    /// Has the match go on from here as it may stand for all that a side knows: what it may not know is drawn anew. Where
    /// nothing of what is drawn leaves the waiting question an answer, it stands as it stood.
    ///
    /// It is for forks that are played on and thrown away: what is drawn is no part of the task that waits, which nobody may
    /// begin again.
    pub(crate) fn suppose(&mut self, side: i32, draw: u64) {
        if self.game.knows_all(side) {
            return;
        }
        let (written, version, progress) =
            (self.game.values.written(), self.game.values.version(), self.game.progress.clone());
        for number in 0..=DRAWS {
            if number < DRAWS {
                self.game.draw_hidden(side, joined(&[draw, number]));
            }
            if self.looks_again() {
                break;
            }
            self.game.put_back(written, version, &progress);
        }
    }
}

//! The state of a game: plain whole numbers, cheap to clone and to hash, changed only by [`Game::apply`].

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{
    basis::fresh_stamp,
    effect::{Effect, Event},
    zones::Zone,
};
use crate::ruleset::{Cite, Holder, Part, RuleId, Ruleset, Schema};

/// A rule being carried out, with its particulars: ids and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// The rule.
    pub rule: RuleId,
    /// Particulars; those not used are -1.
    pub with: [i32; 4],
    /// Who asked for it.
    pub source: Source,
}

/// Who asked for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The sequence of play, once.
    Once,
    /// The sequence of play, until the rule says it is done.
    Repeat,
    /// Another rule, through the agenda.
    Agenda,
    /// The list of standing rules.
    Standing,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The side that won; nobody for a draw.
    pub winner: Option<i32>,
    /// The named outcome, e.g. `decisive victory`.
    pub name: Arc<str>,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// A game in progress.
#[derive(Debug)]
pub struct Game {
    /// The content it is played with.
    pub ruleset: Arc<Ruleset>,
    /// Every declared property, column by column; where units are comes first.
    cells: Vec<i32>,
    /// How many spaces the map has.
    spaces: usize,
    /// First unit in each space and box, -1 for none; derived from the place column.
    first: Vec<i32>,
    /// The next unit in the same place, by number of the unit.
    next: Vec<i32>,
    /// For each part of the state, a number that changes with every write and is never used twice.
    stamps: Vec<u64>,
    /// For each part of the state, how many of its cells are not at their default.
    pub(super) unusual: Vec<u32>,
    /// The cells that are not, as a bit set, and a word more.
    pub(super) changed: Vec<u64>,
    /// The stamp of the last write, whatever it was to.
    pub(super) version: u64,
    /// Cells written since another game was last made equal to this one, and the version it was made at.
    since: (u64, Vec<u32>),
    /// Place in the compiled sequence of play.
    pub(super) cursor: u32,
    /// Tasks waiting; the last is carried out next.
    pub(super) agenda: Vec<Task>,
    /// What has been rolled for this turn, so that the same event rolled twice gets another die.
    pub(super) rolled: Vec<u64>,
    /// The last turn of the scenario.
    pub(super) last_turn: i32,
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
    /// The seed of its chance.
    pub seed: u64,
    /// Whether effects are told; a simulation does not listen.
    pub telling: bool,
    /// What happened in the task being carried out.
    pub told: Vec<Event>,
    /// By zone and side, as last made. What is kept knows how long it stands, so it stays when the game becomes another.
    pub(super) zones: RefCell<Vec<Zone>>,
    /// Steps that conditions may still take; see [`Game::takes_steps`].
    pub(super) steps_left: Cell<u64>,
}

impl Clone for Game {
    fn clone(&self) -> Game {
        Game {
            ruleset: self.ruleset.clone(),
            cells: self.cells.clone(),
            spaces: self.spaces,
            first: self.first.clone(),
            next: self.next.clone(),
            stamps: self.stamps.clone(),
            unusual: self.unusual.clone(),
            changed: self.changed.clone(),
            version: self.version,
            since: (u64::MAX, Vec::new()),
            cursor: self.cursor,
            agenda: self.agenda.clone(),
            rolled: self.rolled.clone(),
            last_turn: self.last_turn,
            outcome: self.outcome.clone(),
            seed: self.seed,
            telling: self.telling,
            told: self.told.clone(),
            zones: self.zones.clone(),
            steps_left: self.steps_left.clone(),
        }
    }

    // A task that goes wrong is put back so; the memory is used again.
    fn clone_from(&mut self, from: &Game) {
        if !Arc::ptr_eq(&self.ruleset, &from.ruleset) {
            self.ruleset = from.ruleset.clone();
            self.spaces = from.spaces;
            self.zones.take();
        }
        self.cells.clone_from(&from.cells);
        self.changed.clone_from(&from.changed);
        self.since.0 = from.version;
        self.since.1.clear();
        self.copy_places(from);
        self.copy_the_rest(from);
    }
}

impl Game {
    /// Makes this game equal to another, as every task begins: where it followed that one before, only what has been
    /// written since is copied.
    pub(super) fn follow(&mut self, game: &mut Game) {
        if self.version == game.since.0 && Arc::ptr_eq(&self.ruleset, &game.ruleset) {
            for cell in &game.since.1 {
                self.cells[*cell as usize] = game.cells[*cell as usize];
                self.changed[*cell as usize / 64] = game.changed[*cell as usize / 64];
            }
            let schema = &game.ruleset.schema;
            let mut sides = (0..schema.sides.max(1) as i32).map(|side| schema.part(Schema::PLACE, side));
            if sides.any(|part| self.stamp(part) != game.stamp(part)) {
                self.copy_places(game);
            }
            self.copy_the_rest(game);
        } else {
            self.clone_from(game);
        }
        game.since.0 = game.version;
        game.since.1.clear();
    }

    /// What is derived from where units are.
    fn copy_places(&mut self, from: &Game) {
        self.first.clone_from(&from.first);
        self.next.clone_from(&from.next);
    }

    fn copy_the_rest(&mut self, from: &Game) {
        let Game { stamps, unusual, version, cursor, agenda, rolled, last_turn, .. } = from;
        let Game { outcome, seed, telling, told, .. } = from;
        self.stamps.clone_from(stamps);
        self.unusual.clone_from(unusual);
        self.agenda.clone_from(agenda);
        self.rolled.clone_from(rolled);
        self.outcome.clone_from(outcome);
        self.told.clone_from(told);
        (self.version, self.cursor, self.last_turn) = (*version, *cursor, *last_turn);
        (self.seed, self.telling) = (*seed, *telling);
    }
}

impl Game {
    /// Everything at its default, every counter nowhere.
    pub fn new(ruleset: Arc<Ruleset>, seed: u64) -> Game {
        let schema = &ruleset.schema;
        let mut cells = vec![0; schema.cells];
        for column in &schema.columns {
            cells[column.base..column.base + column.count].fill(column.default);
        }
        debug_assert_eq!(schema.columns[Schema::PLACE as usize].base, 0, "where units are comes first");
        let places = ruleset.map.len() + ruleset.boxes.len();
        Game {
            cells,
            spaces: ruleset.map.len(),
            first: vec![-1; places],
            next: vec![-1; ruleset.units.len()],
            stamps: vec![0; schema.parts()],
            unusual: vec![0; schema.parts()],
            changed: vec![0; schema.cells.div_ceil(64) + 1],
            version: fresh_stamp(),
            since: (u64::MAX, Vec::new()),
            cursor: 0,
            agenda: Vec::new(),
            rolled: Vec::new(),
            last_turn: i32::MAX,
            outcome: None,
            seed,
            telling: false,
            told: Vec::new(),
            zones: RefCell::default(),
            steps_left: Cell::new(u64::MAX),
            ruleset,
        }
    }

    /// The value of a column. `of` below zero asks about nothing, and the answer is nothing.
    #[inline]
    pub fn get(&self, column: u16, of: i32) -> i32 {
        let column = &self.ruleset.schema.columns[column as usize];
        if of < 0 || of as usize >= column.count {
            return -1;
        }
        self.cells[column.base + of as usize]
    }

    #[inline]
    pub(super) fn cell(&self, at: u32) -> i32 {
        self.cells[at as usize]
    }

    /// So many cells from the first.
    pub(super) fn cells_of(&self, (first, count): (u32, u32)) -> &[i32] {
        &self.cells[first as usize..][..count as usize]
    }

    /// The game turn.
    pub fn turn(&self) -> i32 {
        self.get(Schema::TURN, 0)
    }

    /// The side whose player turn it is.
    pub fn phasing(&self) -> i32 {
        self.get(Schema::PHASING, 0)
    }

    /// The place of a unit: a space, or a box counted from the number of spaces; -1 is nowhere.
    #[inline]
    pub fn place(&self, unit: i32) -> i32 {
        // Asked more often than anything else, so without a look at the schema.
        if (unit as usize) < self.next.len() { self.cells[unit as usize] } else { -1 }
    }

    /// The space a unit is in; -1 if it is off the map.
    #[inline]
    pub fn space_of(&self, unit: i32) -> i32 {
        let place = self.place(unit);
        if (place as usize) < self.spaces { place } else { -1 }
    }

    /// The first unit in a place, in the order of the counter sheet; -1 for none.
    #[inline]
    pub fn first_at(&self, place: i32) -> i32 {
        if place < 0 { -1 } else { self.first.get(place as usize).copied().unwrap_or(-1) }
    }

    /// The unit after this one in the same place; -1 for none.
    #[inline]
    pub fn next_at(&self, unit: i32) -> i32 {
        self.next[unit as usize]
    }

    /// The units in a place, in the order of the counter sheet.
    pub fn units_at(&self, place: i32) -> impl Iterator<Item = i32> + '_ {
        let mut at = self.first_at(place);
        std::iter::from_fn(move || {
            let unit = at;
            if unit < 0 {
                return None;
            }
            at = self.next[unit as usize];
            Some(unit)
        })
    }

    /// The number of the box of that index, as a place.
    pub fn box_place(&self, index: i32) -> i32 {
        self.spaces as i32 + index
    }

    #[inline]
    pub(super) fn stamp(&self, part: Part) -> u64 {
        self.stamps[part.0 as usize]
    }

    /// Counts and stamps what has been written over `was`.
    fn written(&mut self, column: u16, of: i32, was: i32) {
        let schema = &self.ruleset.schema;
        let side = match schema.columns[column as usize].holder {
            Holder::Unit => self.ruleset.units[of as usize].side,
            _ => 0,
        };
        let part = schema.part(column, side);
        let default = schema.columns[column as usize].default;
        let cell = schema.columns[column as usize].base + of as usize;
        let is_changed = self.cells[cell] != default;
        let unusual = &mut self.unusual[part.0 as usize];
        *unusual -= u32::from(was != default);
        *unusual += u32::from(is_changed);
        let (word, bit) = (&mut self.changed[cell / 64], 1 << (cell % 64));
        *word = if is_changed { *word | bit } else { *word & !bit };
        self.version = fresh_stamp();
        self.stamps[part.0 as usize] = self.version;
    }

    /// Whether a record exists.
    pub fn exists(&self, kind: u8, record: i32) -> bool {
        self.get(self.ruleset.schema.records[kind as usize].exists, record) == 1
    }

    /// A number of the kind that does not exist yet.
    pub fn free_record(&self, kind: u8) -> Option<i32> {
        let most = self.ruleset.schema.records[kind as usize].most as i32;
        (0..most).find(|r| !self.exists(kind, *r))
    }

    /// The only way a game changes. The error is a sentence; nothing has changed then.
    pub fn apply(&mut self, effect: Effect) -> Result<(), String> {
        let before = match &effect {
            Effect::Place { unit, to, .. } => {
                let before = self.place(*unit);
                self.put(*unit, *to)?;
                before
            }
            Effect::Set { column, of, value, .. } => {
                let before = self.get(*column, *of);
                self.write(*column, *of, *value)?;
                before
            }
            Effect::New { kind, record, .. } => {
                let exists = self.ruleset.schema.records[*kind as usize].exists;
                self.write(exists, *record, 1)?;
                0
            }
            Effect::Drop { kind, record, .. } => {
                for column in 0..self.ruleset.schema.columns.len() as u16 {
                    let declared = &self.ruleset.schema.columns[column as usize];
                    if declared.holder == Holder::Record(*kind) {
                        let default = declared.default;
                        self.write(column, *record, default)?;
                    }
                }
                1
            }
            Effect::Push { task } => {
                if self.agenda.len() >= 256 {
                    return Err("the agenda holds more than 256 tasks".into());
                }
                self.agenda.push(*task);
                0
            }
            Effect::Finish { outcome } => {
                self.outcome.get_or_insert_with(|| outcome.clone());
                0
            }
            Effect::Note { .. } | Effect::Tally { .. } | Effect::Rolled { .. } | Effect::Enter { .. } => 0,
        };
        if self.telling {
            self.told.push(Event { effect, before });
        }
        Ok(())
    }

    fn put(&mut self, unit: i32, to: i32) -> Result<(), String> {
        let column = &self.ruleset.schema.columns[Schema::PLACE as usize];
        if unit < 0 || unit as usize >= column.count || to < column.range.0 || to > column.range.1 {
            return Err(format!("unit {unit} cannot be placed at {to}"));
        }
        let was = self.cells[column.base + unit as usize];
        let cell = column.base + unit as usize;
        if was >= 0 {
            let mut link = self.first[was as usize];
            if link == unit {
                self.first[was as usize] = self.next[unit as usize];
            } else {
                while self.next[link as usize] != unit {
                    link = self.next[link as usize];
                }
                self.next[link as usize] = self.next[unit as usize];
            }
        }
        self.next[unit as usize] = -1;
        if to >= 0 {
            // Kept in the order of the counter sheet, so that the order never tells what happened before.
            let head = self.first[to as usize];
            if head < 0 || head > unit {
                self.next[unit as usize] = head;
                self.first[to as usize] = unit;
            } else {
                let mut link = head;
                while self.next[link as usize] >= 0 && self.next[link as usize] < unit {
                    link = self.next[link as usize];
                }
                self.next[unit as usize] = self.next[link as usize];
                self.next[link as usize] = unit;
            }
        }
        self.cells[cell] = to;
        self.since.1.push(cell as u32);
        self.written(Schema::PLACE, unit, was);
        Ok(())
    }

    fn write(&mut self, column: u16, of: i32, value: i32) -> Result<(), String> {
        let declared = &self.ruleset.schema.columns[column as usize];
        if of < 0 || of as usize >= declared.count {
            return Err(format!("there is no {of} to have `{}`", declared.name));
        }
        if value < declared.range.0 || value > declared.range.1 {
            let (least, most) = declared.range;
            return Err(format!("`{}` would be {value}, outside {least}..{most}", declared.name));
        }
        let cell = declared.base + of as usize;
        let was = self.cells[cell];
        if was != value {
            self.cells[cell] = value;
            self.since.1.push(cell as u32);
            self.written(column, of, was);
            if column == Schema::TURN {
                self.rolled.clear();
            }
        }
        Ok(())
    }

    /// Puts a property of everything back to its default, as one write. Where units are has none.
    pub(super) fn reset(&mut self, column: u16) {
        if self.is_as_usual(column) {
            return;
        }
        let ruleset = self.ruleset.clone();
        let declared = &ruleset.schema.columns[column as usize];
        debug_assert_ne!(column, Schema::PLACE, "other lists follow from where units are");
        let changed: Vec<usize> = self.changed_among((declared.base as u32, declared.count as u32)).collect();
        for cell in changed.into_iter().map(|of| declared.base + of) {
            self.cells[cell] = declared.default;
            self.changed[cell / 64] &= !(1 << (cell % 64));
            self.since.1.push(cell as u32);
        }
        self.version = fresh_stamp();
        for side in 0..ruleset.schema.sides.max(1) as i32 {
            let part = ruleset.schema.part(column, side).0 as usize;
            if std::mem::take(&mut self.unusual[part]) > 0 {
                self.stamps[part] = self.version;
            }
        }
    }

    /// One number for the whole state, agenda and cursor included.
    pub fn hash(&self) -> u64 {
        let mut bytes = Vec::with_capacity(self.cells.len() * 4 + 64);
        for cell in &self.cells {
            bytes.extend_from_slice(&cell.to_le_bytes());
        }
        bytes.extend_from_slice(&self.cursor.to_le_bytes());
        for task in &self.agenda {
            bytes.extend_from_slice(&task.rule.0.to_le_bytes());
            task.with.iter().for_each(|w| bytes.extend_from_slice(&w.to_le_bytes()));
        }
        for rolled in &self.rolled {
            bytes.extend_from_slice(&rolled.to_le_bytes());
        }
        if let Some(outcome) = &self.outcome {
            bytes.extend_from_slice(&outcome.winner.unwrap_or(-1).to_le_bytes());
            bytes.extend_from_slice(outcome.name.as_bytes());
        }
        xxh3_64(&bytes)
    }

    /// How often this event has been rolled for this turn; counts it.
    pub(super) fn nth_roll(&mut self, purpose: &str, about: i32) -> u64 {
        let key = xxh3_64_with_seed(purpose.as_bytes(), about as u64);
        let nth = self.rolled.iter().filter(|r| **r == key).count() as u64;
        self.rolled.push(key);
        nth
    }
}

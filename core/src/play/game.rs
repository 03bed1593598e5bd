//! The state of a game: plain whole numbers, cheap to clone and to hash, changed only by [`Game::apply`].

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};

use xxhash_rust::xxh3::xxh3_64;

use super::{
    alone::KeptAlone,
    basis::Cache,
    chance::{Nth, Roll},
    counts::Counts,
    effect::{Effect, Event},
    floods::Floods,
    groups::Groups,
    kept_sets::KeptSet,
    offer::Question,
    spread::AllPriced,
    stacks::Stacks,
    terms::KeptTerm,
    values::Values,
    zones::Zone,
};
use crate::ruleset::{Cite, Holder, Kind, RuleId, Ruleset, Schema, joined};

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
    /// The sides that won, in rising order: nobody, one, or several.
    pub winners: Box<[i32]>,
    /// The named outcome, e.g. `decisive victory`.
    pub name: Arc<str>,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// How far play has come, apart from what is on the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Progress {
    /// Place in the compiled sequence of play.
    pub cursor: u32,
    /// Tasks waiting; the last is carried out next.
    pub agenda: Vec<Task>,
    /// In how many tasks of this turn each event has been rolled for, and how often in this one, so that the same
    /// event rolled twice gets another die.
    pub rolled: Counts,
    pub rolling: Counts,
    /// How often each question has been answered this turn, so that a player without memory answers it afresh.
    pub answered: Counts,
    /// The last turn of the scenario.
    pub last_turn: i32,
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
}

impl Progress {
    /// Becomes a copy of another, in the memory that it has.
    pub fn copy(&mut self, other: &Progress) {
        let Progress { cursor, agenda, rolled, rolling, answered, last_turn, outcome } = other;
        self.agenda.clone_from(agenda);
        self.rolled.copy(rolled);
        self.rolling.copy(rolling);
        self.answered.copy(answered);
        self.outcome.clone_from(outcome);
        (self.cursor, self.last_turn) = (*cursor, *last_turn);
    }
}

/// A position at rest: what is not at its default, and how far play has come. Small, and of one ruleset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    values: Box<[(u32, i32)]>,
    pub(super) progress: Progress,
}

/// How a game ended for a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideResult {
    /// The side.
    pub side: i32,
    /// Whether it won; others may have won too.
    pub won: bool,
    /// What the first measure of the ruleset comes to for it; nothing where the ruleset has none.
    pub score: Option<i32>,
}

/// A game in progress: a state, and what follows from it.
#[derive(Debug, Clone)]
pub struct Game {
    /// The content it is played with.
    pub ruleset: Arc<Ruleset>,
    pub(super) values: Values,
    stacks: Stacks,
    pub(super) progress: Progress,
    /// The seed of its chance.
    pub seed: u64,
    /// Whether effects are told; a simulation does not listen.
    pub telling: bool,
    /// What happened in the task being carried out.
    pub told: Vec<Event>,
    /// By zone and side, as last made. What is kept knows how long it stands, so it stays when the game becomes another.
    pub(super) zones: RefCell<Vec<Zone>>,
    /// What terms about the ground came to, by their number.
    pub(super) kept_terms: Cache<Vec<KeptTerm>>,
    /// Where moves came to.
    pub(super) floods: Cache<Floods>,
    /// What their steps cost.
    pub(super) priced: Cache<AllPriced>,
    /// Who was in sets when they were last asked about: by guards and then by sets, each by unit where it is kept so.
    pub(super) kept_sets: Cache<Vec<Vec<KeptSet>>>,
    /// Who passed what was asked of each alone, by guards and then by sets.
    pub(super) kept_alone: Cache<Vec<KeptAlone>>,
    /// Several things that rules and rows are given, for as long as somebody asks about them.
    pub groups: Groups,
    /// Steps that conditions may still take; see [`Game::takes_steps`].
    pub(super) steps_left: Cell<u64>,
}

impl Game {
    /// Everything at its default, every counter nowhere.
    pub fn new(ruleset: Arc<Ruleset>, seed: u64) -> Game {
        debug_assert_eq!(ruleset.schema.columns[Schema::PLACE as usize].base, 0, "where units are comes first");
        Game {
            values: Values::new(&ruleset.schema),
            stacks: Stacks::new(ruleset.map.len(), ruleset.boxes.len(), ruleset.units.len()),
            progress: Progress {
                cursor: 0,
                agenda: Vec::new(),
                rolled: Counts::default(),
                rolling: Counts::default(),
                answered: Counts::default(),
                last_turn: i32::MAX,
                outcome: None,
            },
            seed,
            telling: false,
            told: Vec::new(),
            zones: RefCell::default(),
            kept_terms: Cache::default(),
            floods: Cache::default(),
            priced: Cache::default(),
            kept_sets: Cache::default(),
            kept_alone: Cache::default(),
            groups: Groups::default(),
            steps_left: Cell::new(u64::MAX),
            ruleset,
        }
    }

    /// The position as it was when so much had been written over, and play had come so far.
    pub(super) fn at_rest(&self, written: usize, progress: &Progress) -> State {
        State { values: self.values.unusual_at(written).into(), progress: progress.clone() }
    }

    /// Takes up a position at rest, of the same ruleset. Nothing can be put back then.
    pub(super) fn take_up(&mut self, state: &State) {
        let ruleset = &self.ruleset;
        self.values.become_state(&state.values, &ruleset.schema, |column, of| ruleset.part_of(column, of));
        self.stacks.fill(self.values.slice((0, ruleset.units.len() as u32)));
        self.progress.clone_from(&state.progress);
        self.told.clear();
    }

    /// Puts back what has been written over since so much had been, when the state had this version.
    pub(super) fn put_back(&mut self, written: usize, version: u64, progress: &Progress) {
        loop {
            let last = self.values.written_since(written).last().copied();
            let Some(last) = last else { break };
            if (last.cell as usize) < self.stacks.units() {
                let unit = last.cell as i32;
                self.stacks.shift(unit, self.place(unit), last.was);
            }
            self.values.put_back();
        }
        self.values.stands_at(version);
        self.progress.clone_from(progress);
        self.told.clear();
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.progress.outcome.as_ref()
    }

    /// How it ended for each side that takes part; nothing while it goes on.
    pub fn results(&self) -> Vec<SideResult> {
        let Some(outcome) = self.outcome() else { return Vec::new() };
        let score = |side| (!self.ruleset.measures.is_empty()).then(|| self.measure(0, side));
        let one = |side| SideResult { side, won: outcome.winners.contains(&side), score: score(side) };
        self.ruleset.players().map(one).collect()
    }

    /// The value of a column. `of` below zero asks about nothing, and the answer is nothing.
    #[inline]
    pub fn get(&self, column: u16, of: i32) -> i32 {
        let column = &self.ruleset.schema.columns[column as usize];
        if of < 0 || of as usize >= column.count {
            return -1;
        }
        self.values.get(column.base + of as usize)
    }

    /// Whether every cell of a column is at its default.
    #[inline]
    pub(super) fn is_as_usual(&self, column: u16) -> bool {
        self.ruleset.schema.parts_of(column).all(|part| self.values.is_as_usual(part))
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
        if (unit as usize) < self.stacks.units() { self.values.get(unit as usize) } else { -1 }
    }

    /// The space a unit is in; -1 if it is off the map.
    #[inline]
    pub fn space_of(&self, unit: i32) -> i32 {
        let place = self.place(unit);
        if (place as usize) < self.stacks.spaces() { place } else { -1 }
    }

    /// The first unit in a place, in the order of the counter sheet; -1 for none.
    #[inline]
    pub fn first_at(&self, place: i32) -> i32 {
        self.stacks.first(place)
    }

    /// The unit after this one in the same place; -1 for none.
    #[inline]
    pub fn next_at(&self, unit: i32) -> i32 {
        self.stacks.next(unit)
    }

    /// The units in a place, in the order of the counter sheet.
    pub fn units_at(&self, place: i32) -> impl Iterator<Item = i32> + '_ {
        let mut at = self.first_at(place);
        std::iter::from_fn(move || {
            let unit = at;
            if unit < 0 {
                return None;
            }
            at = self.stacks.next(unit);
            Some(unit)
        })
    }

    /// The number of the box of that index, as a place.
    pub fn box_place(&self, index: i32) -> i32 {
        self.stacks.spaces() as i32 + index
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
                if self.progress.agenda.len() >= 256 {
                    return Err("the agenda holds more than 256 tasks".into());
                }
                self.progress.agenda.push(*task);
                0
            }
            Effect::Finish { outcome } => {
                self.progress.outcome.get_or_insert_with(|| outcome.clone());
                0
            }
            Effect::Note { .. } | Effect::Tally { .. } | Effect::Rolled { .. } | Effect::Enter { .. } => 0,
        };
        if self.telling {
            self.told.push(Event { effect, before });
        }
        Ok(())
    }

    pub(super) fn put(&mut self, unit: i32, to: i32) -> Result<(), String> {
        let column = &self.ruleset.schema.columns[Schema::PLACE as usize];
        if unit < 0 || unit as usize >= column.count || to < column.range.0 || to > column.range.1 {
            let named = usize::try_from(unit).ok().and_then(|unit| self.ruleset.units.get(unit));
            return Err(named.map_or_else(
                || format!("there is no unit {unit}"),
                |unit| format!("`{}` cannot be placed at {to}, which is no space or box", unit.id),
            ));
        }
        let (default, was) = (column.default, self.place(unit));
        self.stacks.shift(unit, was, to);
        self.values.write(unit as usize, to, default, self.ruleset.part_of(Schema::PLACE, unit as usize));
        Ok(())
    }

    pub(super) fn write(&mut self, column: u16, of: i32, value: i32) -> Result<(), String> {
        let declared = &self.ruleset.schema.columns[column as usize];
        if of < 0 || of as usize >= declared.count {
            return Err(format!("there is no {of} to have `{}`", declared.name));
        }
        if value < declared.range.0 || value > declared.range.1 {
            let (least, most) = declared.range;
            return Err(format!("`{}` would be {value}, outside {least}..{most}", declared.name));
        }
        let cell = declared.base + of as usize;
        if self.values.get(cell) != value {
            self.values.write(cell, value, declared.default, self.ruleset.part_of(column, of as usize));
            if column == Schema::TURN {
                let Progress { rolled, rolling, answered, .. } = &mut self.progress;
                [rolled, rolling, answered].into_iter().for_each(Counts::clear);
            }
        }
        Ok(())
    }

    /// Puts a property of everything back to its default, as one write. Where units are has none.
    pub(super) fn reset(&mut self, column: u16) {
        debug_assert_ne!(column, Schema::PLACE, "other lists follow from where units are");
        if !self.is_as_usual(column) {
            let ruleset = &self.ruleset;
            self.values.reset(&ruleset.schema.columns[column as usize], |of| ruleset.part_of(column, of));
        }
    }

    /// One number for the whole state, of names alone: values that are not at their default, where in the sequence play
    /// is, what waits on the agenda, what has been rolled for, and how it ended. A version that only declares more comes
    /// to the same.
    pub fn hash(&self) -> u64 {
        let ruleset = &*self.ruleset;
        let keys = &ruleset.keys;
        let mut values = 0u64;
        for (number, (column, key)) in (0..).zip(ruleset.schema.columns.iter().zip(&keys.columns)) {
            let (holder, kind) = (ruleset.kind_of(column.holder), ruleset.schema.kind(number));
            for of in self.values.changed_among((column.base as u32, column.count as u32)) {
                let value = keys.of(kind, self.values.get(column.base + of));
                values = values.wrapping_add(joined(&[*key, keys.of(holder, of as i32), value]));
            }
        }
        let Progress { agenda, rolled, outcome, .. } = &self.progress;
        let rolled = rolled.iter().fold(0u64, |all, (key, count)| all.wrapping_add(joined(&[key, u64::from(count)])));
        let place = self.place_of_play().map_or(0, |at| keys.sequence[at]);
        let mut all = vec![values, rolled, place];
        for task in agenda {
            all.push(keys.rules[task.rule.0 as usize]);
            all.extend(task.with.map(|with| with as u64));
        }
        if let Some(outcome) = outcome {
            all.extend(outcome.winners.iter().map(|side| keys.of(Kind::Side, *side)));
            all.push(xxh3_64(outcome.name.as_bytes()));
        }
        joined(&all)
    }

    /// Which roll of its kind this one is; counts it.
    pub(super) fn nth_roll(&mut self, roll: &Roll) -> Nth {
        let keys = &self.ruleset.keys;
        let key = joined(&[keys.chances[roll.chance as usize], roll.about.key(keys)]);
        Nth { occasion: self.progress.rolled.of(key), die: self.progress.rolling.count(key) }
    }

    /// A task has ended: what is rolled for from here on is another occasion.
    pub(super) fn end_rolls(&mut self) {
        let Progress { rolled, rolling, .. } = &mut self.progress;
        rolling.iter().for_each(|(key, _)| {
            rolled.count(key);
        });
        rolling.clear();
    }

    fn key_of(&self, question: &Question) -> u64 {
        let keys = &self.ruleset.keys;
        let by = keys.of(Kind::Side, question.by);
        joined(&[keys.questions[question.key as usize], by, question.about.key(keys)])
    }

    /// A question is answered.
    pub(super) fn count_answer(&mut self, question: &Question) {
        let key = self.key_of(question);
        self.progress.answered.count(key);
    }

    /// A number that tells this question from every other of the game, by names and by how often the same has been
    /// answered this turn: for players without memory, who then answer alike wherever two versions ask alike.
    pub fn key_to_answer(&self, question: &Question, seed: u64) -> u64 {
        let key = self.key_of(question);
        joined(&[seed, self.turn() as u64, key, u64::from(self.progress.answered.of(key))])
    }
}

//! What measures came to on the way, at the places of the sequence where they are read.

use std::{collections::BTreeMap, sync::Arc};

use super::game::Game;
use crate::ruleset::{Assertion, ReadAt, Ruleset};

/// Readings of one game. Where a place is left several times in a turn, the last of them stands.
#[derive(Debug, Clone, Default)]
pub struct Readings {
    read: BTreeMap<Reading, i32>,
    asserted: Arc<[Assertion]>,
    /// Whether each assertion has held so far, or the turn in which it first did not; nothing where it has not been read.
    held: Vec<Option<Result<(), i32>>>,
    /// When the position is kept, and that.
    kept: Option<(ReadAt, Option<Box<Game>>)>,
}

/// One of them: whose, of what, where and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    /// Index of the measure.
    pub measure: usize,
    /// Index of the line, where that is read by itself.
    pub line: Option<usize>,
    /// For which side.
    pub side: i32,
    /// As this place of the sequence was left.
    pub place: usize,
    /// In this turn.
    pub turn: i32,
}

impl Reading {
    /// All that a ruleset has read in these turns.
    pub fn all(ruleset: &Ruleset, turns: std::ops::RangeInclusive<i32>) -> Vec<Reading> {
        let mut all = Vec::new();
        for (measure, declared) in ruleset.measures.iter().enumerate() {
            let of_lines =
                declared.lines.iter().enumerate().flat_map(|(at, line)| line.at.iter().map(move |r| (Some(at), r)));
            for (line, at) in declared.at.iter().map(|at| (None, at)).chain(of_lines) {
                for turn in turns.clone().filter(|turn| at.reads_in(*turn)) {
                    let place = at.place;
                    all.extend(ruleset.players().map(|side| Reading { measure, line, side, place, turn }));
                }
            }
        }
        all
    }

    /// What it comes to in a game as that stands.
    pub fn of(self, game: &Game) -> i32 {
        let Reading { measure, line, side, .. } = self;
        line.map_or_else(|| game.measure(measure, side), |line| game.measure_line(measure, line, side))
    }
}

impl Readings {
    /// Of a match whose scenario asserts so.
    pub fn of(asserted: Arc<[Assertion]>) -> Readings {
        Readings { held: vec![None; asserted.len()], asserted, ..Readings::default() }
    }

    /// The same, and the position is kept as a place is left, the last time.
    pub fn keeping(self, at: ReadAt) -> Readings {
        Readings { kept: Some((at, None)), ..self }
    }

    /// The position that was kept; nothing where play has not come by.
    pub fn position(&self) -> Option<&Game> {
        self.kept.as_ref()?.1.as_deref()
    }

    /// In which turn an assertion has failed, if it has so far.
    pub fn failed_in(&self, assertion: usize) -> Option<i32> {
        self.held[assertion]?.err()
    }

    /// Whether an assertion was kept in a game that is over. One that was to be read at a place that play never came to is
    /// read as it ended.
    pub fn is_kept(&self, assertion: usize, game: &Game) -> bool {
        let held = self.held[assertion].map(|held| held.is_ok());
        held.unwrap_or_else(|| game.holds(&self.asserted[assertion].when, &[]))
    }

    /// What was read there; nothing where play did not come by.
    pub fn get(&self, reading: Reading) -> Option<i32> {
        self.read.get(&reading).copied()
    }

    /// Reads what is read as a place is left.
    pub(super) fn read(&mut self, game: &Game, place: usize) {
        let turn = game.turn();
        for reading in Reading::all(&game.ruleset, turn..=turn).into_iter().filter(|r| r.place == place) {
            self.read.insert(reading, reading.of(game));
        }
        let is_here = |at: &ReadAt| at.place == place && at.reads_in(turn);
        if let Some((at, position)) = &mut self.kept
            && is_here(at)
        {
            *position = Some(Box::new(game.clone()));
        }
        for (assertion, held) in self.asserted.iter().zip(&mut self.held) {
            if assertion.at.iter().any(is_here) {
                let holds = |()| if game.holds(&assertion.when, &[]) { Ok(()) } else { Err(turn) };
                *held = Some(held.unwrap_or(Ok(())).and_then(holds));
            }
        }
    }
}

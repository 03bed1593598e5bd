//! What measures came to on the way, at the places of the sequence where they are read.

use std::collections::BTreeMap;

use super::game::Game;
use crate::ruleset::Ruleset;

/// Readings of one game. Where a place is left several times in a turn, the last of them stands.
#[derive(Debug, Clone, Default)]
pub struct Readings {
    read: BTreeMap<Reading, i32>,
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
    }
}

//! A match at rest: plain data, to be kept, copied, sent elsewhere, and taken up again by whoever has its rules.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    chance::Chance,
    effect::Event,
    failure::Failure,
    game::{Game, Progress, Source, State, Task},
    record::{Entry, Record},
    values::WrittenOver,
};
use crate::ruleset::Ruleset;

/// How a match is played.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Keep what is needed to take answers back.
    pub undo: bool,
    /// Carry every task out twice and compare, and look whether what always holds does.
    pub verify: bool,
    /// Tell effects.
    pub log: bool,
    /// Answer questions with one offer.
    pub forced: bool,
}

impl Limits {
    /// For people at a board.
    pub const PLAY: Limits = Limits { undo: true, verify: false, log: true, forced: true };
    /// For many games.
    pub const BULK: Limits = Limits { undo: false, verify: false, log: false, forced: true };
}

/// A match that nobody is playing at the moment: the position in which its task began, the record with the answers
/// given since, and how it is played. It holds nothing that can be found again: a campaign takes some kilobytes besides its
/// record, and with undo some hundred bytes more an answer.
///
/// A [`Session`](super::Session) takes it up, on any thread, and puts it down again.
#[derive(Debug, Clone)]
pub struct Match {
    pub(super) ruleset: Arc<Ruleset>,
    pub(super) state: State,
    /// What was written over before that position, as far as it can be taken back.
    pub(super) written_over: Vec<WrittenOver>,
    pub(super) proceedings: Proceedings,
    /// Who answers for chance.
    pub chance: Chance,
    /// How it is played.
    pub limits: Limits,
    /// Sides whose people want a last look before what cannot be taken back: a roll, the end of a part of the turn.
    /// None of it reaches the record.
    pub looking: BTreeSet<i32>,
}

/// What belongs to a match besides the position.
#[derive(Debug, Clone, Default)]
pub(super) struct Proceedings {
    pub record: Record,
    /// What was told, up to the task being carried out.
    pub told: Vec<Event>,
    /// The position that what was told begins in, where that is not the scenario's.
    pub beginning: Option<Arc<State>>,
    /// Tasks begun, as far back as answers can be taken back; one of those that began between the same two answers.
    pub begun: Vec<Begun>,
    /// Whether the last of them is being carried out.
    pub is_underway: bool,
    /// Whether nothing is left to do.
    pub is_over: bool,
    /// Whether a side that looks has chosen something since the last look.
    pub chosen: bool,
    /// Standing rules carried out in a row.
    pub standing: u32,
    /// Tasks begun, rolls and forced answers since a side last answered.
    pub unasked: u32,
    /// Why it cannot go on, until something is taken back.
    pub failed: Option<Failure>,
    pub lawful: Lawful,
    /// Which entry of the record is the first change by agreement, if there is one.
    pub agreed: Option<usize>,
}

/// A task as it began.
#[derive(Debug, Clone)]
pub(super) struct Begun {
    pub task: Task,
    /// Entries of the record before its first answer.
    pub at: usize,
    /// Where the state stood: how much had been written over, its version, and how far play had come.
    pub written: usize,
    pub version: u64,
    pub progress: Progress,
    /// Events told before it.
    pub told: usize,
}

/// Whether a position has come of the rules, so that what always holds must.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Lawful {
    /// The scenario's script is still to set it up.
    SettingUp,
    /// It has.
    #[default]
    Yes,
    /// Somebody has put the counters where they are.
    ByHand,
}

impl Match {
    /// A scenario, by its number, as it is set up; no scenario where there is none of that number.
    pub fn new(ruleset: Arc<Ruleset>, scenario: usize, seed: u64, limits: Limits) -> Match {
        let mut game = Game::new(ruleset.clone(), seed);
        let scenario = ruleset.scenarios.get(scenario);
        if let Some(scenario) = scenario {
            game.set_up(scenario);
        }
        let script = scenario.and_then(|scenario| scenario.script);
        if let Some(rule) = script {
            game.progress.agenda.push(Task { rule, with: [-1; 4], source: Source::Agenda });
        }
        let id = scenario.map_or_else(String::new, |scenario| scenario.id.clone());
        let proceedings = Proceedings {
            record: Record::new(id, seed),
            lawful: if script.is_some() { Lawful::SettingUp } else { Lawful::Yes },
            ..Proceedings::default()
        };
        Match::at(game.at_rest(game.values.written(), &game.progress), proceedings, limits, ruleset)
    }

    /// A match that stands so, with nothing that can be taken back.
    pub(super) fn at(state: State, proceedings: Proceedings, limits: Limits, ruleset: Arc<Ruleset>) -> Match {
        let (chance, looking) = (Chance::Keyed, BTreeSet::new());
        Match { ruleset, state, written_over: Vec::new(), proceedings, chance, limits, looking }
    }

    /// The same, with other chance from here on.
    pub(crate) fn with_seed(&self, seed: u64) -> Match {
        let mut other = self.clone();
        other.proceedings.record.seed = seed;
        other
    }

    /// The content it is played with.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// What has been answered: its durable form.
    pub fn record(&self) -> &Record {
        &self.proceedings.record
    }
}

impl Proceedings {
    /// The task being carried out.
    pub fn underway(&self) -> Option<&Begun> {
        self.begun.last().filter(|_| self.is_underway)
    }

    /// The answers it has had.
    pub fn answers(&self) -> impl Iterator<Item = &Entry> {
        self.record.entries.from(self.underway().map_or(usize::MAX, |begun| begun.at))
    }
}

//! A trial: one game played for its figures, with what was asked and answered on the way, by names, so that it can be
//! held against the same game under another version.

use std::sync::Arc;

use crate::{
    play::{
        About, Action, Chance, Entry, Game, Match, NotTaken, Question, Readings, Rules, Session, SessionError, Stands,
    },
    ruleset::{Assertion, Kind, Ruleset, joined, mixed},
};

use super::{Minds, Player, gauge::Gauge};

/// One answer of a trial, by names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// Everything that could have been answered; 0 where it was the only answer, or chance's.
    pub offered: u64,
    /// What was asked, and what was answered.
    pub answered: u64,
}

/// One game, measured.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Its seed.
    pub seed: u64,
    /// How it ended, in a word or two.
    pub outcome: String,
    /// What was measured, gauge by gauge.
    pub values: Vec<i32>,
    /// What was answered, one after the other.
    pub told: Vec<Told>,
    /// The keys of what was rolled.
    pub rolled: Vec<u64>,
    /// The hash of its last state, which is by names.
    pub hash: u64,
    /// Why it could not be played to its end.
    pub wrong: Option<String>,
}

/// Plays a match to its end and measures it. The session must be of the ruleset that the gauges are of.
pub fn trial<R: Rules>(session: &mut Session<R>, m: Match, players: &[Player], gauges: &[Gauge]) -> Trial {
    let taken = session.take_up(m);
    debug_assert!(taken.is_ok(), "it is of the session's ruleset");
    session.chance = Chance::Noted(Vec::new());
    session.readings = Some(Readings::of(asserted_of(session)));
    let mut offered = Vec::new();
    let mut minds = Minds::new(players);
    let (mut decisions, seed) = (0, session.record().seed);
    let mut wrong = session.advance().err().map(SessionError::from);
    while let (Stands::Asks(question), None) = (session.stands(), &wrong) {
        decisions += 1;
        offered.push((session.entries(), key_of_offers(session.game(), question, session.offers())));
        wrong = answer(session, &mut minds, seed).err();
    }
    let rolled = if let Chance::Noted(keys) = std::mem::take(&mut session.chance) { keys } else { Vec::new() };
    let readings = session.readings.take().unwrap_or_default();
    let game = session.game();
    let mut told: Vec<Told> = session
        .record()
        .entries
        .iter()
        .map(|entry| Told { offered: 0, answered: key_of_entry(&game.ruleset, entry) })
        .collect();
    for (at, key) in offered {
        if let Some(told) = told.get_mut(at) {
            told.offered = key;
        }
    }
    let is_over = wrong.is_none() && game.outcome().is_none();
    let wrong = wrong.map(|wrong| wrong.to_string()).or_else(|| is_over.then(|| "nobody said who won".to_owned()));
    Trial {
        seed,
        outcome: game.outcome().map_or_else(|| "unfinished".into(), |outcome| game.ruleset.outcome(outcome)),
        values: gauges.iter().map(|gauge| gauge.read(game, &readings, decisions)).collect(),
        told,
        rolled,
        hash: game.hash(),
        wrong,
    }
}

/// What is asserted of the scenario that a session plays.
pub(super) fn asserted_of<R: Rules>(session: &Session<R>) -> Arc<[Assertion]> {
    let ruleset = session.ruleset();
    let scenario = ruleset.scenario(&session.record().scenario);
    scenario.map(|scenario| ruleset.scenarios[scenario].asserted.clone()).unwrap_or_default()
}

/// Has the player answer who is asked.
pub(super) fn answer<R: Rules>(session: &mut Session<R>, minds: &mut Minds, seed: u64) -> Result<(), SessionError> {
    let by = session.question().ok_or(NotTaken::Over)?.by;
    let action = minds.choose(session, seed)?;
    session.act(by, action)
}

/// What a question asks and offers, whatever the order.
fn key_of_offers(game: &Game, question: &Question, actions: &[Action]) -> u64 {
    let keys = &game.ruleset.keys;
    let offers = actions.iter().map(|action| key_of_action(&game.ruleset, *action)).fold(0, u64::wrapping_add);
    joined(&[keys.questions[question.key as usize], key_of_about(&game.ruleset, question.about), offers])
}

pub(super) fn key_of_action(ruleset: &Ruleset, action: Action) -> u64 {
    let (keys, verb) = (&ruleset.keys, action.verb as usize);
    let takes = ruleset.verbs[verb].takes.iter().zip(action.values);
    takes.fold(mixed(keys.verbs[verb]), |key, (kind, value)| mixed(key ^ keys.of(*kind, value)))
}

pub(super) fn key_of_about(ruleset: &Ruleset, about: About) -> u64 {
    match about {
        About::Nothing => 0,
        About::Thing(kind, thing) => ruleset.keys.of(kind, thing),
    }
}

/// An answer by names.
pub(super) fn key_of_entry(ruleset: &Ruleset, entry: &Entry) -> u64 {
    let keys = &ruleset.keys;
    match entry {
        Entry::Side { by, key, about, action } => joined(&[
            keys.of(Kind::Side, *by),
            keys.questions[*key as usize],
            key_of_about(ruleset, *about),
            key_of_action(ruleset, *action),
        ]),
        Entry::Chance { chance, about, value } => {
            let draws = ruleset.chances[*chance as usize].draws.unwrap_or(Kind::Int);
            joined(&[keys.chances[*chance as usize], key_of_about(ruleset, *about), keys.of(draws, *value)])
        }
        Entry::Agreement(_) => 0,
    }
}

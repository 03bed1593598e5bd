//! Many games, played by players that answer by themselves.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use super::{
    player::{Minds, Player},
    stood::When,
    trial::asserted_of,
};
use crate::{
    play::{Game, Limits, Match, Outcome, Readings, Rules, Session, SessionError, SideResult, Stands},
    ruleset::Ruleset,
};

/// How one game went.
#[derive(Debug, Clone)]
pub struct Played {
    /// Its seed.
    pub seed: u64,
    /// How it ended; nothing where the sequence of play has, and nobody said who won, or it failed.
    pub outcome: Option<Outcome>,
    /// How it ended for each side.
    pub results: Vec<SideResult>,
    /// The game turn it ended in.
    pub turn: i32,
    /// Questions that had more than one answer.
    pub decisions: u64,
    /// Answers that those offered.
    pub offers: u64,
    /// Whether each of the scenario's assertions was kept.
    pub kept: Vec<bool>,
    /// Where each counter stood, where anybody wants to know.
    pub stood: Vec<i32>,
    /// Whether play never came to the time at which anybody wants to know that.
    pub ended_before: bool,
    /// The hash of its last state.
    pub hash: u64,
    /// Why it could not go on.
    pub wrong: Option<SessionError>,
}

/// Plays a match on to its end; `players` holds one for each side. Chance and players draw by the match's own seed.
pub fn play_out<R: Rules>(session: &mut Session<R>, players: &[Player]) -> Played {
    play_looking(session, players, None).0
}

/// The same, and looks where counters stand at some time; with the position at that time, if it was looked for.
pub fn play_looking<R: Rules>(
    session: &mut Session<R>,
    players: &[Player],
    when: Option<&When>,
) -> (Played, Option<Game>) {
    let seed = session.record().seed;
    let (mut decisions, mut offers) = (0, 0);
    let mut minds = Minds::new(players);
    let asserted = asserted_of(session);
    session.readings = match when {
        Some(When::Left(at)) => Some(Readings::of(asserted.clone()).keeping(at.clone())),
        _ => (!asserted.is_empty()).then(|| Readings::of(asserted.clone())),
    };
    let mut wrong = session.advance().err().map(SessionError::from);
    while let (Stands::Asks(question), None) = (session.stands(), &wrong) {
        let by = question.by;
        decisions += 1;
        offers += session.offers().len() as u64;
        let chosen = minds.choose(session, seed).map_err(SessionError::from);
        wrong = chosen.and_then(|action| session.act(by, action)).err();
    }
    let readings = session.readings.take();
    let game = session.game();
    let (outcome, results) = (game.outcome().cloned(), game.results());
    let left = readings.as_ref().and_then(Readings::position);
    let ended_before = left.is_none() && matches!(when, Some(When::Left(_)));
    let position = when.map(|_| left.unwrap_or(game).clone());
    let units = 0..game.ruleset.units.len() as i32;
    let stood = position.iter().flat_map(|position| units.clone().map(|unit| position.place(unit))).collect();
    let kept = readings.iter().flat_map(|r| (0..asserted.len()).map(|at| r.is_kept(at, game))).collect();
    let (turn, hash) = (game.turn(), game.hash());
    (Played { seed, outcome, results, turn, decisions, offers, kept, stood, ended_before, hash, wrong }, position)
}

/// Games to be played: of one scenario, by the same players, each with a seed of its own.
#[derive(Debug, Clone)]
pub struct Series {
    /// The scenario, by its number.
    pub scenario: usize,
    /// The seed of the first; the others follow it.
    pub seed: u64,
    /// How many.
    pub games: u64,
    /// Who answers for each side.
    pub players: Vec<Player>,
    /// How they are played.
    pub limits: Limits,
    /// When it is looked where counters stand, if it is.
    pub when: Option<When>,
    /// On so many threads, each with rules of its own; no more than there are games.
    pub jobs: usize,
}

impl Series {
    /// Plays them all. They come sorted by their seeds, whatever the threads. `make` makes rules of the ruleset; `done` hears
    /// of each game as it ends, on its thread.
    ///
    /// # Errors
    /// The rules could not be made.
    pub fn play<R: Rules, E: Send>(
        &self,
        ruleset: &Arc<Ruleset>,
        make: impl Fn() -> Result<R, E> + Sync,
        done: impl Fn(&Played) + Sync,
    ) -> Result<Vec<Played>, E> {
        let next = AtomicU64::new(0);
        let all: Mutex<Vec<Played>> = Mutex::new(Vec::new());
        let begin = |seed| Match::new(ruleset.clone(), self.scenario, seed, self.limits);
        let work = || -> Result<(), E> {
            let mut session = Session::of(make()?, begin(self.seed));
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games {
                    return Ok(());
                }
                let taken = session.take_up(begin(self.seed.wrapping_add(number)));
                debug_assert!(taken.is_ok(), "all are of one ruleset");
                let played = play_looking(&mut session, &self.players, self.when.as_ref()).0;
                done(&played);
                all.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(played);
            }
        };
        thread::scope(|scope| {
            let threads = 1..self.jobs.min(usize::try_from(self.games).unwrap_or(usize::MAX));
            let others: Vec<_> = threads.map(|_| scope.spawn(work)).collect();
            let own = work();
            let joined = others.into_iter().map(|other| other.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            joined.fold(own, Result::and)
        })?;
        let mut all = all.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.sort_by_key(|played| played.seed);
        Ok(all)
    }
}

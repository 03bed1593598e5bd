//! Many games, played by players that answer by themselves.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use super::player::{Minds, Player};
use crate::{
    play::{Limits, Match, Outcome, Rules, Session, SessionError, SideResult, Stands},
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
    /// The hash of its last state.
    pub hash: u64,
    /// Why it could not go on.
    pub wrong: Option<SessionError>,
}

/// Plays a match on to its end; `players` holds one for each side. Chance and players draw by the match's own seed.
pub fn play_out<R: Rules>(session: &mut Session<R>, players: &[Player]) -> Played {
    let seed = session.record().seed;
    let (mut decisions, mut offers) = (0, 0);
    let mut minds = Minds::new(players);
    let mut wrong = session.advance().err().map(SessionError::from);
    while let (Stands::Asks(question), None) = (session.stands(), &wrong) {
        let by = question.by;
        decisions += 1;
        offers += session.offers().len() as u64;
        let chosen = minds.choose(session, seed).map_err(SessionError::from);
        wrong = chosen.and_then(|action| session.act(by, action)).err();
    }
    let game = session.game();
    let (outcome, results) = (game.outcome().cloned(), game.results());
    Played { seed, outcome, results, turn: game.turn(), decisions, offers, hash: game.hash(), wrong }
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
                let played = play_out(&mut session, &self.players);
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

//! Players held against each other: every two of them meet in pairs of games of one seed, once the one on the first side
//! and once the other. Then the strongest plays itself, which tells how balanced the sides are.

use std::sync::Arc;

use super::{Ladder, Player, crew::Crew, playing::play_out};
use crate::{
    play::{Limits, Match, Rules, Session},
    ruleset::{Kind, Ruleset},
};

/// Who is to meet whom.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// The game in its version.
    pub ruleset: Arc<Ruleset>,
    /// The scenario, by its number.
    pub scenario: usize,
    /// Who plays, by name: it is all the same in what order they are named.
    pub players: Vec<Player>,
    /// The seed of the first pair of every two; the others follow it.
    pub seed: u64,
    /// How many pairs of games every two play, and how many games the strongest plays against itself.
    pub pairs: u64,
    /// On so many threads.
    pub jobs: usize,
    /// The two sides that take part, by their numbers.
    pub sides: [i32; 2],
}

/// Two games of one seed between two players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The seed.
    pub seed: u64,
    /// The two, by their numbers.
    pub players: [usize; 2],
    /// What the first of the two took of each game, in half points: on the first side, then on the second.
    pub halves: [i32; 2],
    /// Why one of the games could not be played to its end; the pair does not count then.
    pub wrong: Option<String>,
}

/// A game that a player plays against itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfGame {
    /// The seed.
    pub seed: u64,
    /// What the first side took of it, in half points; or why it could not be played to its end.
    pub halves: Result<i32, String>,
}

impl Tournament {
    /// Of these players, each of whom plays it and answers alike on every machine.
    ///
    /// # Errors
    /// Why there can be none, in a sentence.
    pub fn new(ruleset: Arc<Ruleset>, scenario: usize, mut players: Vec<Player>) -> Result<Tournament, String> {
        let sides = sides(&ruleset, scenario)?;
        players.iter().try_for_each(|player| may_meet(player, &ruleset))?;
        players.sort_by_cached_key(ToString::to_string);
        if let Some(twice) = players.windows(2).find(|two| two[0] == two[1]) {
            return Err(format!("`{}` is named twice", twice[0]));
        }
        if players.len() < 2 {
            return Err("one player has nobody to play against: name two or more".into());
        }
        Ok(Tournament { ruleset, scenario, players, seed: 1, pairs: 1, jobs: 1, sides })
    }

    /// Every two of them.
    fn pairings(&self) -> Vec<[usize; 2]> {
        let all = 0..self.players.len();
        all.clone().flat_map(|one| all.clone().skip(one + 1).map(move |other| [one, other])).collect()
    }

    /// How many pairs of games there are to play.
    pub fn meetings(&self) -> u64 {
        self.pairings().len() as u64 * self.pairs
    }

    /// How many games there are to play in all, with those of the strongest against itself.
    pub fn games(&self) -> u64 {
        2 * self.meetings() + self.pairs
    }

    /// Plays them all and ranks the players. `make` makes rules of the ruleset; `done` hears how many games more have been
    /// played.
    ///
    /// # Errors
    /// The rules could not be made.
    pub fn play<R: Rules, E: Send>(
        &self,
        make: impl Fn(&Arc<Ruleset>) -> Result<R, E> + Sync,
        mut done: impl FnMut(u64),
    ) -> Result<Ladder, E> {
        let (pairings, mut all) = (self.pairings(), Vec::new());
        let crew = Crew { pieces: self.meetings(), jobs: self.jobs };
        let begin = || Ok(Session::of(make(&self.ruleset)?, begun(&self.ruleset, self.scenario, self.seed)));
        let work = |session: &mut Session<R>, number: u64| {
            // One pair of every two first: so the time left is told by all of them.
            let players = pairings[(number % pairings.len() as u64) as usize];
            let seed = self.seed.wrapping_add(number / pairings.len() as u64);
            let halves = both_ways(session, self.scenario, seed, self.sides, players.map(|at| &self.players[at]));
            let (halves, wrong) = match halves {
                Ok(halves) => (halves, None),
                Err(wrong) => ([0; 2], Some(wrong)),
            };
            Meeting { seed, players, halves, wrong }
        };
        crew.work(begin, work, |meeting| {
            done(2);
            all.push(meeting);
            Ok(())
        })?;
        let names: Vec<String> = self.players.iter().map(ToString::to_string).collect();
        let ladder = Ladder::new(&names, &all);
        let strongest = names.iter().position(|name| *name == ladder.rungs[0].player).expect("it played");
        let mut own_games = Vec::new();
        let crew = Crew { pieces: self.pairs, ..crew };
        let work = |session: &mut Session<R>, number: u64| {
            let seed = self.seed.wrapping_add(number);
            let halves = one_way(session, self.scenario, seed, self.sides, [&self.players[strongest]; 2]);
            SelfGame { seed, halves }
        };
        crew.work(begin, work, |game| {
            done(1);
            own_games.push(game);
            Ok(())
        })?;
        Ok(ladder.with_self_play(&own_games))
    }

    /// The short names of the two sides that take part.
    pub fn side_names(&self) -> [String; 2] {
        self.sides.map(|side| self.ruleset.id_of(Kind::Side, side))
    }
}

/// The two sides that take part.
///
/// # Errors
/// There are more, or fewer; or there is no such scenario.
pub(super) fn sides(ruleset: &Ruleset, scenario: usize) -> Result<[i32; 2], String> {
    if ruleset.scenarios.get(scenario).is_none() {
        return Err(format!("`{}` has no scenario to be played", ruleset.id));
    }
    let sides: Vec<i32> = ruleset.players().collect();
    <[i32; 2]>::try_from(sides).map_err(|sides| {
        let count = sides.len();
        format!(
            "sides that take part in `{}`: {count}; players are held against each other where it is two",
            ruleset.id
        )
    })
}

/// Whether a player plays a game, and answers alike on every machine.
///
/// # Errors
/// Why not.
pub(super) fn may_meet(player: &Player, ruleset: &Ruleset) -> Result<(), String> {
    player.fits(ruleset)?;
    if player.is_repeatable() {
        return Ok(());
    }
    Err(format!(
        "`{player}` thinks by the clock, and so answers otherwise elsewhere: say how much by nodes, `careful:2000`"
    ))
}

fn begun(ruleset: &Arc<Ruleset>, scenario: usize, seed: u64) -> Match {
    Match::new(ruleset.clone(), scenario, seed, Limits::BULK)
}

/// Two players play both games of a seed: what the first took of each, in half points, on the first side and on the second.
///
/// # Errors
/// Why a game could not be played to its end.
pub(super) fn both_ways<R: Rules>(
    session: &mut Session<R>,
    scenario: usize,
    seed: u64,
    sides: [i32; 2],
    players: [&Player; 2],
) -> Result<[i32; 2], String> {
    let first = one_way(session, scenario, seed, sides, players)?;
    let second = one_way(session, scenario, seed, sides, [players[1], players[0]])?;
    Ok([first, 2 - second])
}

/// Two players play a game, the first on the first side: what that side took of it, in half points.
///
/// # Errors
/// Why it could not be played to its end.
fn one_way<R: Rules>(
    session: &mut Session<R>,
    scenario: usize,
    seed: u64,
    sides: [i32; 2],
    players: [&Player; 2],
) -> Result<i32, String> {
    let ruleset = session.game().ruleset.clone();
    let mut seated = players[0].for_all_of(&ruleset);
    for (side, player) in sides.into_iter().zip(players) {
        seated[side as usize] = player.clone();
    }
    let taken = session.take_up(begun(&ruleset, scenario, seed));
    debug_assert!(taken.is_ok(), "it is of the session's ruleset");
    let played = play_out(session, &seated);
    match (played.wrong, played.outcome) {
        (Some(wrong), _) => Err(format!("turn {}: {wrong}", played.turn)),
        (None, None) => Err("nobody said who won".to_owned()),
        (None, Some(outcome)) if *outcome.winners == [sides[0]] => Ok(2),
        (None, Some(outcome)) if *outcome.winners == [sides[1]] => Ok(0),
        (None, Some(_)) => Ok(1),
    }
}

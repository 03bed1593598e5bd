//! Players held against each other: every two of them meet in pairs of games of one seed, once the one on the first side
//! and once the other. What came of it says how strong they are, how balanced the sides are, and how sure that is.

use std::{collections::BTreeMap, sync::Arc};

use xxhash_rust::xxh3::xxh3_64;

use super::{
    Player,
    crew::Crew,
    playing::play_out,
    statistics::wilson,
    strength::{Seating, Strengths, logistic},
};
use crate::{
    play::{Limits, Match, Rules, Session},
    ruleset::{Kind, Ruleset, joined, mixed},
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
    /// How many pairs of games every two play.
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

    /// Plays them all and ranks the players. `make` makes rules of the ruleset; `done` hears of each pair of games, in an
    /// order that is the same for any number of threads.
    ///
    /// # Errors
    /// The rules could not be made.
    pub fn play<R: Rules, E: Send>(
        &self,
        make: impl Fn(&Arc<Ruleset>) -> Result<R, E> + Sync,
        mut done: impl FnMut(&Meeting),
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
            done(&meeting);
            all.push(meeting);
            Ok(())
        })?;
        let names: Vec<String> = self.players.iter().map(ToString::to_string).collect();
        Ok(Ladder::new(&names, &all))
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
    let ruleset = session.game().ruleset.clone();
    let mut game = |first: &Player, second: &Player| {
        let mut seated = first.for_all_of(&ruleset);
        for (side, player) in sides.into_iter().zip([first, second]) {
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
    };
    let (first, second) = (game(players[0], players[1])?, game(players[1], players[0])?);
    Ok([first, 2 - second])
}

/// A figure, and where it truly lies at 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub is: f64,
    /// The least that it may be.
    pub least: f64,
    /// The most.
    pub most: f64,
}

/// A player's place.
#[derive(Debug, Clone, PartialEq)]
pub struct Rung {
    /// Its name.
    pub player: String,
    /// How strong it is, on the scale of Elo: 400 points are ten to one.
    pub rating: Estimate,
    /// How many games it played that count.
    pub games: u64,
    /// What it took of them, in half points.
    pub halves: i64,
}

/// What two players took from each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Encounter {
    /// The two, the stronger first, by their places on the ladder.
    pub players: [usize; 2],
    /// How many games they played that count.
    pub games: u64,
    /// What the stronger took of them, in half points.
    pub halves: i64,
    /// Which share of the points that is; by Wilson.
    pub share: Estimate,
    /// By how much it is stronger, as their games with all the others say too.
    pub by: Estimate,
}

impl Encounter {
    /// Whether it is sure who is the stronger.
    pub fn is_certain(&self) -> bool {
        self.by.least > 0.0
    }
}

/// How strong players are.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    /// All players, the strongest first.
    pub rungs: Vec<Rung>,
    /// Which share of the points the first side takes where equals play.
    pub balance: Estimate,
    /// Every two, in the order of the ladder.
    pub encounters: Vec<Encounter>,
    /// Pairs of games that could not be played to their end, the first few with the reason.
    pub failed: (u64, Vec<(u64, String)>),
}

/// So many times the weights are drawn.
const DRAWS: u64 = 2000;
/// Points of Elo that are a factor of e in the odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

impl Ladder {
    /// So many failures are told.
    const TOLD: usize = 10;
    /// Whose rating is 0, if it plays; else it is the mean of all.
    pub const ANCHOR: &'static str = Player::PLAIN;

    /// What these meetings come to, in whatever order they are.
    ///
    /// Every two players are taken to have drawn one pair of games besides: so who has won them all is not infinitely
    /// strong. Intervals are those of the Bayesian bootstrap (Rubin 1981): each pair of games, the drawn one too, is given
    /// weights drawn from the exponential distribution, and the model is fitted again. Where one has won all n games, the
    /// least that they say is the one of Clopper and Pearson, nearly.
    pub fn new(names: &[String], meetings: &[Meeting]) -> Ladder {
        let (count, keys) = (names.len(), names.iter().map(|name| xxh3_64(name.as_bytes())).collect::<Vec<_>>());
        let mut sorted: Vec<&Meeting> = meetings.iter().filter(|meeting| meeting.wrong.is_none()).collect();
        sorted.sort_by_key(|meeting| (meeting.players, meeting.seed));
        let mut pairings: BTreeMap<[usize; 2], Vec<&Meeting>> = BTreeMap::new();
        for one in 0..count {
            (one + 1..count).for_each(|other| _ = pairings.insert([one, other], Vec::new()));
        }
        for meeting in sorted {
            pairings.entry(meeting.players).or_default().push(meeting);
        }
        let weighed = |draw: Option<u64>| seatings(&pairings, &keys, draw);
        let fitted = Strengths::alike(count).fitted(&weighed(None));
        let drawn: Vec<Strengths> = (0..DRAWS).map(|draw| fitted.clone().fitted(&weighed(Some(draw)))).collect();
        let estimate =
            |figure: &dyn Fn(&Strengths) -> f64| estimate(figure(&fitted), drawn.iter().map(figure).collect());
        let anchor = names.iter().position(|name| name == Ladder::ANCHOR);
        let rating = |player: usize| {
            estimate(&|all: &Strengths| {
                let mean = || all.players.iter().sum::<f64>() / count as f64;
                ELO * (all.players[player] - anchor.map_or_else(mean, |anchor| all.players[anchor]))
            })
        };
        let of = |player: usize| meetings.iter().filter(move |m| m.wrong.is_none() && m.players.contains(&player));
        let mut rungs: Vec<(usize, Rung)> = (0..count)
            .map(|player| {
                let halves = of(player).map(|meeting| taken(meeting, player)).sum();
                let (player_name, games) = (names[player].clone(), 2 * of(player).count() as u64);
                (player, Rung { player: player_name, rating: rating(player), games, halves })
            })
            .collect();
        rungs.sort_by(|(_, a), (_, b)| b.rating.is.total_cmp(&a.rating.is).then_with(|| a.player.cmp(&b.player)));
        let mut encounters = Vec::new();
        for (above, (one, _)) in rungs.iter().enumerate() {
            for (below, (other, _)) in rungs.iter().enumerate().skip(above + 1) {
                let met = &pairings[&[*one.min(other), *one.max(other)]];
                let (halves, games) = (met.iter().map(|m| taken(m, *one)).sum::<i64>(), 2 * met.len() as u64);
                let points = halves as f64 / 2.0;
                let [least, most] = wilson(points, games as f64);
                let is = if games == 0 { 0.5 } else { points / games as f64 };
                let share = Estimate { is, least, most };
                let by = estimate(&|all: &Strengths| ELO * (all.players[*one] - all.players[*other]));
                encounters.push(Encounter { players: [above, below], games, halves, share, by });
            }
        }
        let mut told: Vec<(u64, String)> =
            meetings.iter().filter_map(|meeting| Some((meeting.seed, meeting.wrong.clone()?))).collect();
        told.sort();
        let failures = told.len() as u64;
        told.truncate(Ladder::TOLD);
        Ladder {
            rungs: rungs.into_iter().map(|(_, rung)| rung).collect(),
            balance: estimate(&|all: &Strengths| logistic(all.side)),
            encounters,
            failed: (failures, told),
        }
    }

    /// The place of a player.
    pub fn rung(&self, player: &str) -> Option<&Rung> {
        self.rungs.iter().find(|rung| rung.player == player)
    }

    /// What two players took from each other, as the first has it: which share, and by how much it is stronger.
    pub fn between(&self, one: &str, other: &str) -> Option<(Estimate, Estimate)> {
        let at = |name: &str| self.rungs.iter().position(|rung| rung.player == name);
        let (one, other) = (at(one)?, at(other)?);
        let found = self.encounters.iter().find(|e| e.players == [one.min(other), one.max(other)])?;
        let turned =
            |e: Estimate, whole: f64| Estimate { is: whole - e.is, least: whole - e.most, most: whole - e.least };
        Some(if one < other { (found.share, found.by) } else { (turned(found.share, 1.0), turned(found.by, 0.0)) })
    }
}

/// What a player took of both games of a meeting, in half points.
fn taken(meeting: &Meeting, player: usize) -> i64 {
    let halves: i64 = meeting.halves.iter().copied().map(i64::from).sum();
    if meeting.players[0] == player { halves } else { 4 - halves }
}

/// What every two played in each seating, with the pair of games that they are taken to have drawn; each pair weighs one,
/// or what is drawn for it by its seed and the names of the players.
fn seatings(pairings: &BTreeMap<[usize; 2], Vec<&Meeting>>, keys: &[u64], draw: Option<u64>) -> Vec<Seating> {
    let mut all = Vec::new();
    for (players @ [one, other], meetings) in pairings {
        let of_two = keys[*one].wrapping_add(keys[*other]);
        let weight =
            |number: u64, seed: u64| draw.map_or(1.0, |draw| exponential(joined(&[draw, of_two, number, seed])));
        // Each game of the drawn pair gives half a point to both.
        let besides = weight(0, 0);
        let (mut games, mut points) = (besides, [besides / 2.0; 2]);
        for meeting in meetings {
            let weight = weight(1, meeting.seed);
            games += weight;
            points.iter_mut().zip(meeting.halves).for_each(|(all, halves)| *all += weight * f64::from(halves) / 2.0);
        }
        let [first, second] = *players;
        all.push(Seating { first, second, games, points: points[0] });
        all.push(Seating { first: second, second: first, games, points: games - points[1] });
    }
    all
}

/// A number of the exponential distribution with mean 1.
fn exponential(key: u64) -> f64 {
    const STEPS: f64 = (1_u64 << 53) as f64;
    -(((mixed(key) >> 11) as f64 + 0.5) / STEPS).ln()
}

/// A figure with the middle 95 % of what else it came to.
fn estimate(is: f64, mut drawn: Vec<f64>) -> Estimate {
    drawn.sort_by(f64::total_cmp);
    let cut = drawn.len() / 40;
    Estimate { is, least: drawn[cut].min(is), most: drawn[drawn.len() - 1 - cut].max(is) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Meetings of two players: so many pairs of each kind.
    fn met(players: [usize; 2], kinds: &[([i32; 2], u64)]) -> Vec<Meeting> {
        let all = kinds.iter().flat_map(|(halves, count)| std::iter::repeat_n(*halves, *count as usize));
        all.zip(0..).map(|(halves, seed)| Meeting { seed, players, halves, wrong: None }).collect()
    }

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn who_wins_all_is_as_strong_as_one_reckons_by_hand_and_not_infinitely() {
        let ladder = Ladder::new(&names(&["strong", "plain"]), &met([0, 1], &[([2, 2], 50)]));
        let strong = ladder.rung("strong").expect("it played");
        // With the drawn pair 101 points of 102: odds of 101 to 1.
        assert!((strong.rating.is - 400.0 * 101f64.log10()).abs() < 1e-6, "{strong:?}");
        assert_eq!((strong.games, strong.halves), (100, 200));
        assert!(strong.rating.most.is_finite() && strong.rating.most > strong.rating.is);
        // The least of Clopper and Pearson for 100 of 100 is 0.9638: 570 points.
        let least = 400.0 * (0.9638f64 / (1.0 - 0.9638)).log10();
        assert!((strong.rating.least - least).abs() < 25.0, "{strong:?}, {least}");
        assert!(ladder.encounters[0].is_certain());
        assert_eq!(format!("{:.4}", ladder.encounters[0].share.least), "0.9630");
        assert_eq!(ladder.rung("plain").expect("it played").rating, Estimate { is: 0.0, least: 0.0, most: 0.0 });
        assert!((ladder.balance.is - 0.5).abs() < 1e-9, "{:?}", ladder.balance);
    }

    #[test]
    fn the_balance_of_the_sides_is_no_strength_of_players() {
        // Whoever plays the first side wins three games of four; nobody is the better.
        let kinds = [([2, 0], 60), ([0, 0], 20), ([2, 2], 20)];
        let ladder = Ladder::new(&names(&["a", "b"]), &met([0, 1], &kinds));
        // 80 and 20 of 100, with the drawn pair 80.5 of 101.
        assert!((ladder.balance.is - 80.5 / 101.0).abs() < 1e-9, "{:?}", ladder.balance);
        assert!(ladder.balance.least > 0.7 && ladder.balance.most < 0.88, "{:?}", ladder.balance);
        assert!(ladder.rungs.iter().all(|rung| rung.rating.is.abs() < 1e-6), "{:?}", ladder.rungs);
        assert!(!ladder.encounters[0].is_certain());
    }

    /// Games drawn at random from strengths that are known: the ladder finds them, and its intervals hold as often as they say.
    #[test]
    fn planted_strengths_are_found_and_intervals_hold_them() {
        let (planted, side) = ([0.0, 150.0, 330.0], 0.4);
        let (mut held, mut all, mut errors) = (0, 0, [0.0; 3]);
        let mut draw = 0_u64;
        const ROUNDS: usize = 30;
        for _ in 0..ROUNDS {
            let mut meetings = Vec::new();
            for players @ [one, other] in [[0, 1], [0, 2], [1, 2]] {
                for seed in 0..120 {
                    let mut game = |by: f64| {
                        draw += 1;
                        let chance = logistic(by / ELO);
                        ((mixed(draw) >> 11) as f64 / (1_u64 << 53) as f64) < chance
                    };
                    let by: f64 = planted[one] - planted[other];
                    let halves = [by + side * ELO, by - side * ELO].map(|by| 2 * i32::from(game(by)));
                    meetings.push(Meeting { seed, players, halves, wrong: None });
                }
            }
            let ladder = Ladder::new(&names(&["plain", "fair", "good"]), &meetings);
            for (at, name) in ["plain", "fair", "good"].into_iter().enumerate().skip(1) {
                let Estimate { is, least, most } = ladder.rung(name).expect("it played").rating;
                held += usize::from((least..=most).contains(&planted[at]));
                errors[at] += (is - planted[at]) / ROUNDS as f64;
                all += 1;
            }
            let balance = ladder.balance;
            held += usize::from((balance.least..=balance.most).contains(&logistic(side)));
            all += 1;
            assert_eq!(ladder.rungs[0].player, "good");
        }
        assert!(errors.iter().all(|error: &f64| error.abs() < 15.0), "{errors:?}");
        assert!(held * 100 >= all * 88 && held < all, "{held} of {all}");
    }

    #[test]
    fn turned_round_it_is_the_same_ladder() {
        let kinds = [([2, 0], 10), ([2, 2], 9), ([0, 2], 4), ([1, 0], 3)];
        let one = Ladder::new(&names(&["a", "b"]), &met([0, 1], &kinds));
        let turned: Vec<Meeting> = met([0, 1], &kinds)
            .into_iter()
            .map(|m| Meeting { halves: [2 - m.halves[1], 2 - m.halves[0]], ..m })
            .collect();
        let other = Ladder::new(&names(&["b", "a"]), &turned);
        assert_eq!(one.rungs.iter().map(|r| &r.player).collect::<Vec<_>>(), ["a", "b"]);
        for (a, b) in one.rungs.iter().zip(&other.rungs) {
            assert_eq!((&a.player, a.games, a.halves), (&b.player, b.games, b.halves));
            for (a, b) in [(a.rating.is, b.rating.is), (a.rating.least, b.rating.least), (a.rating.most, b.rating.most)]
            {
                assert!((a - b).abs() < 1e-6, "{a} {b}");
            }
        }
        assert_eq!(one.encounters[0].share, other.encounters[0].share);
        assert!((one.balance.is - other.balance.is).abs() < 1e-9);
        let (share, by) = one.between("b", "a").expect("both play");
        assert!(
            (share.is + one.encounters[0].share.is - 1.0).abs() < 1e-9 && by.most <= -one.encounters[0].by.least + 1e-9
        );
    }

    #[test]
    fn what_could_not_be_played_does_not_count() {
        let mut meetings = met([0, 1], &[([2, 2], 3), ([0, 0], 1)]);
        meetings[3].wrong = Some("a rule failed".into());
        let ladder = Ladder::new(&names(&["a", "b"]), &meetings);
        assert_eq!((ladder.encounters[0].games, ladder.encounters[0].halves), (6, 12));
        assert_eq!(ladder.failed, (1, vec![(3, "a rule failed".to_owned())]));
    }
}

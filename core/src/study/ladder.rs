//! What players held against each other came to: how strong they are, how balanced the sides are, and how sure that is.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::{
    Meeting, Player, SelfGame,
    statistics::{UNKNOWN, wilson},
    strength::{Seating, Strengths},
};
use crate::ruleset::{joined, mixed};

/// A figure, and where it truly lies at 95 %; without ends where that is not known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub is: f64,
    /// The least that it may be.
    pub least: f64,
    /// The most.
    pub most: f64,
}

impl Estimate {
    /// Whether it is known where it lies.
    pub fn is_known(&self) -> bool {
        self.least.is_finite()
    }
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
    /// In how many pairs of games one of them took more than the other.
    pub decided: u64,
}

impl Encounter {
    /// Whether it is sure who is the stronger. Pairs in which both took as much say nothing of it, however many they are.
    pub fn is_certain(&self) -> bool {
        self.by.least > 0.0 && self.decided >= Ladder::FEWEST
    }
}

/// How balanced the sides are: what the strongest player took from itself. How strong players are has no part in it, nor that
/// one of them knows better how to play one side than the other.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfPlay {
    /// Who played.
    pub player: String,
    /// How many games count.
    pub games: u64,
    /// Which share of the points the first side took; by Wilson.
    pub share: Estimate,
}

/// How strong players are.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    /// All players, the strongest first.
    pub rungs: Vec<Rung>,
    /// How balanced the sides are; nothing where the strongest has not played itself.
    pub balance: Option<SelfPlay>,
    /// Every two, in the order of the ladder.
    pub encounters: Vec<Encounter>,
    /// Pairs of games, and games of the strongest against itself, that could not be played to their end; the first few by their
    /// seeds, with the reason.
    pub failed: (u64, Vec<(u64, String)>),
}

/// So many times the weights are drawn.
const DRAWS: u64 = 2000;
/// Points of Elo that are a factor of e in the odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

impl Ladder {
    /// So many failures are told.
    const TOLD: usize = 10;
    /// Of fewer pairs between two players nothing is told but what was played. If of n pairs one player has the better of
    /// all, the sign test gives that a chance of 2 / 2^n between equals, which comes below 5 % with the sixth. A bootstrap
    /// does not know that: it weighs the few pairs that there are, and never draws one that went otherwise.
    pub const FEWEST: u64 = 6;
    /// Whose rating is 0, if it plays; else it is the mean of all.
    pub const ANCHOR: &'static str = Player::PLAIN;

    /// What these meetings come to, in whatever order they are.
    ///
    /// Every two players are taken to have drawn one pair of games besides: so who has won them all is not infinitely
    /// strong. Intervals are those of the Bayesian bootstrap (Rubin 1981): each pair of games, the drawn one too, is given
    /// weights drawn from the exponential distribution, and the model is fitted again. Where one has won all n games, the
    /// least that they say is the one of Clopper and Pearson, nearly.
    ///
    /// Where one side has won all, whoever played it, nothing is told of the players: the drawn pair is the same on both sides and
    /// would have the model say that they are equal, the surer the more is played.
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
        let is_few = pairings.values().any(|met| (met.len() as u64) < Ladder::FEWEST);
        let estimate =
            |figure: &dyn Fn(&Strengths) -> f64| estimate(figure(&fitted), drawn.iter().map(figure).collect());
        // Of players: by how much one is stronger than others.
        let is_of_sides = is_few
            || [[2, 0], [0, 2]].iter().any(|way| pairings.values().flatten().all(|meeting| meeting.halves == *way));
        let strength = |figure: &dyn Fn(&Strengths) -> f64| match estimate(figure) {
            // The anchor stands where it is put.
            found if is_of_sides && found.least < found.most => {
                Estimate { least: UNKNOWN[0], most: UNKNOWN[1], ..found }
            }
            found => found,
        };
        let anchor = names.iter().position(|name| name == Ladder::ANCHOR);
        let rating = |player: usize| {
            strength(&|all: &Strengths| {
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
                let by = strength(&|all: &Strengths| ELO * (all.players[*one] - all.players[*other]));
                let decided = met.iter().filter(|m| m.halves.iter().sum::<i32>() != 2).count() as u64;
                encounters.push(Encounter { players: [above, below], games, halves, share, by, decided });
            }
        }
        let mut told: Vec<(u64, String)> =
            meetings.iter().filter_map(|meeting| Some((meeting.seed, meeting.wrong.clone()?))).collect();
        told.sort();
        let failures = told.len() as u64;
        told.truncate(Ladder::TOLD);
        Ladder {
            rungs: rungs.into_iter().map(|(_, rung)| rung).collect(),
            balance: None,
            encounters,
            failed: (failures, told),
        }
    }

    /// The same with how balanced the sides are, by what the strongest took from itself.
    pub fn with_self_play(mut self, own_games: &[SelfGame]) -> Ladder {
        let halves: Vec<i32> = own_games.iter().filter_map(|game| game.halves.clone().ok()).collect();
        let (points, games) = (f64::from(halves.iter().sum::<i32>()) / 2.0, halves.len() as u64);
        if games > 0 {
            let [least, most] = wilson(points, games as f64);
            let share = Estimate { is: points / games as f64, least, most };
            self.balance = Some(SelfPlay { player: self.rungs[0].player.clone(), games, share });
        }
        let failed = own_games.iter().filter_map(|game| Some((game.seed, game.halves.clone().err()?)));
        let failed: Vec<(u64, String)> = failed.collect();
        self.failed.0 += failed.len() as u64;
        self.failed.1.extend(failed);
        self.failed.1.truncate(Ladder::TOLD);
        self
    }

    /// The place of a player.
    pub fn rung(&self, player: &str) -> Option<&Rung> {
        self.rungs.iter().find(|rung| rung.player == player)
    }

    /// Whether it is sure that one player is stronger than another.
    pub fn is_stronger(&self, one: &str, other: &str) -> bool {
        let at = |name: &str| self.rungs.iter().position(|rung| rung.player == name);
        let (Some(one), Some(other)) = (at(one), at(other)) else { return false };
        self.encounters.iter().any(|met| met.players == [one, other] && met.is_certain())
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
    use super::{super::strength::logistic, *};

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
    }

    /// Six pairs that one has won are the first that the sign test calls; and of one pair a bootstrap has no spread.
    #[test]
    fn no_order_is_certain_after_a_few_pairs() {
        for pairs in [1, 5, 6] {
            let ladder = Ladder::new(&names(&["strong", "plain"]), &met([0, 1], &[([2, 2], pairs)]));
            let is_enough = pairs >= 6;
            assert_eq!((ladder.encounters[0].is_certain(), ladder.encounters[0].by.is_known()), (is_enough, is_enough));
            assert_eq!(ladder.rungs[0].rating.is_known(), is_enough);
            assert!(ladder.rungs[0].rating.is > 0.0);
        }
        // Every two must have played so many.
        let three = [met([0, 1], &[([2, 2], 9)]), met([0, 2], &[([2, 0], 9)]), met([1, 2], &[([0, 2], 5)])].concat();
        let ladder = Ladder::new(&names(&["a", "b", "c"]), &three);
        assert!(ladder.encounters.iter().all(|two| !two.is_certain() && !two.by.is_known()), "{ladder:?}");
    }

    #[test]
    fn where_one_side_wins_all_nothing_is_known_of_the_players() {
        let of_side = Ladder::new(&names(&["a", "plain"]), &met([0, 1], &[([2, 0], 40)]));
        assert!(!of_side.encounters[0].by.is_known() && !of_side.encounters[0].is_certain(), "{of_side:?}");
        let rating = |name: &str| of_side.rung(name).expect("it played").rating;
        assert_eq!((rating("a").is_known(), rating("plain").is_known()), (false, true));
        // One game that went otherwise is in every draw of a bootstrap, and makes nothing certain.
        let few = |kinds: &[([i32; 2], u64)]| Ladder::new(&names(&["a", "plain"]), &met([0, 1], kinds));
        let one = few(&[([2, 0], 40), ([2, 2], 1)]);
        assert!(one.encounters[0].by.least > 0.0 && !one.encounters[0].is_certain(), "{one:?}");
        assert!(!one.is_stronger("a", "plain"));
        let six = few(&[([2, 0], 40), ([2, 2], 6)]);
        assert!(six.is_stronger("a", "plain") && !six.is_stronger("plain", "a"), "{six:?}");
    }

    #[test]
    fn what_a_side_is_worth_is_no_strength_of_players() {
        // Whoever plays the first side wins three games of four; nobody is the better.
        let kinds = [([2, 0], 60), ([0, 0], 20), ([2, 2], 20)];
        let ladder = Ladder::new(&names(&["a", "b"]), &met([0, 1], &kinds));
        assert!(ladder.rungs.iter().all(|rung| rung.rating.is.abs() < 1e-6), "{:?}", ladder.rungs);
        assert!(!ladder.encounters[0].is_certain());
    }

    #[test]
    fn the_balance_is_what_the_strongest_takes_from_itself() {
        let ladder = Ladder::new(&names(&["weak", "strong"]), &met([0, 1], &[([0, 0], 9), ([0, 2], 9)]));
        assert_eq!(ladder.balance, None);
        let game = |seed: u64, halves: i32| SelfGame { seed, halves: Ok(halves) };
        let wrong = SelfGame { seed: 9, halves: Err("a rule failed".into()) };
        let played = [game(0, 2), game(1, 2), game(2, 1), game(3, 0), wrong];
        let ladder = ladder.with_self_play(&played);
        let SelfPlay { player, games, share } = ladder.balance.expect("it has played itself");
        assert_eq!((&*player, games, share.is), ("strong", 4, 0.625));
        // Wilson, by hand: 2.5 of 4 with z = 1.96.
        assert_eq!(format!("{:.3} {:.3}", share.least, share.most), "0.219 0.908");
        assert_eq!(ladder.failed, (1, vec![(9, "a rule failed".to_owned())]));
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

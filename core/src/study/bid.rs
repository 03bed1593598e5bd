//! The fair bid: what one side must be given for two sides to win alike.

use std::{collections::BTreeMap, sync::Arc};

use statrs::distribution::{Binomial, DiscreteCDF};

use super::{Gauge, Player, crew::Crew, statistics::wilson, trial::trial};
use crate::{
    play::{Limits, Match, Rules, Session},
    ruleset::{Kind, Ruleset, Sense},
};

/// Games that two sides play for a bid.
#[derive(Debug, Clone)]
pub struct Bidding {
    /// The version.
    pub ruleset: Arc<Ruleset>,
    /// The scenario, by its number.
    pub scenario: usize,
    /// Who answers for each side.
    pub players: Vec<Player>,
    /// The sum that is bid in, by its number.
    pub measure: usize,
    /// The two sides.
    pub sides: [i32; 2],
    /// The first seed; the others follow it.
    pub seed: u64,
    /// How many games.
    pub games: u64,
    /// On so many threads.
    pub jobs: usize,
}

impl Bidding {
    /// Between the two sides of a game, in a sum of theirs; in the score where none is named.
    ///
    /// # Errors
    /// Why there is no bidding, in one sentence.
    pub fn new(ruleset: Arc<Ruleset>, scenario: usize, measure: Option<&str>) -> Result<Bidding, String> {
        let players: Vec<i32> = ruleset.players().collect();
        let &[first, second] = players.as_slice() else {
            return Err(format!("a bid is between two sides, and `{}` has {}", ruleset.id, players.len()));
        };
        let mut sums = ruleset.measures.iter().enumerate().filter(|(_, measure)| !measure.is_condition);
        let known = sums.clone().map(|(_, measure)| measure.id.as_str()).collect::<Vec<_>>().join(", ");
        let found = sums.find(|(_, one)| measure.is_none_or(|measure| one.id == measure));
        let Some((measure, _)) = found else {
            return Err(match measure {
                Some(measure) => format!("`{}` adds nothing up that is called `{measure}`: {known}", ruleset.id),
                None => format!(
                    "`{}` declares nothing that is added up (`measures:`), so there is nothing to bid in",
                    ruleset.id
                ),
            });
        };
        let players = vec![Player::Random; ruleset.sides.len()];
        Ok(Bidding { ruleset, scenario, players, measure, sides: [first, second], seed: 1, games: 1000, jobs: 1 })
    }

    /// Plays them. `make` makes rules of a version; `heard` hears of every game.
    ///
    /// # Errors
    /// The rules could not be made.
    pub fn play<R: Rules, E: Send>(
        &self,
        make: impl Fn(&Arc<Ruleset>) -> Result<R, E> + Sync,
        mut heard: impl FnMut(),
    ) -> Result<Leads, E> {
        let side = |side: i32| self.ruleset.id_of(Kind::Side, side);
        let [first, second] = self.sides.map(|of| format!("{}.{}", self.ruleset.measures[self.measure].id, side(of)));
        let wanted = [first, second, format!("wins.{}", side(self.sides[0])), "draws".to_owned()];
        let all = Gauge::all(&self.ruleset, self.scenario);
        let gauges: Vec<Gauge> = wanted.iter().filter_map(|id| all.iter().find(|one| one.id == *id).cloned()).collect();
        let begin = |seed| Match::new(self.ruleset.clone(), self.scenario, seed, Limits::BULK);
        let crew = Crew { pieces: self.games, jobs: self.jobs };
        let session = || Ok(Session::of(make(&self.ruleset)?, begin(self.seed)));
        let work = |session: &mut Session<R>, number: u64| {
            trial(session, begin(self.seed.wrapping_add(number)), &self.players, &gauges)
        };
        let sign = if self.ruleset.measures[self.measure].sense == Sense::Less { -1 } else { 1 };
        let mut leads = Leads::default();
        crew.work(session, work, |played| {
            match (&played.wrong, played.values.as_slice()) {
                (None, &[first, second, wins, draws]) => {
                    leads.add(sign * (i64::from(first) - i64::from(second)), 2 * wins + draws);
                }
                (wrong, _) => leads.failed.push((played.seed, wrong.clone().unwrap_or_default())),
            }
            heard();
            Ok(())
        })?;
        Ok(leads)
    }
}

/// By how much the first of two sides led at the end of many games, and how often it won.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leads {
    /// How many games ended with which lead.
    pub by: BTreeMap<i64, u64>,
    /// Half points that the first side won: two a game that it won alone, one that it did not lose.
    pub halves: u64,
    /// How many games count.
    pub games: u64,
    /// Games that could not be played to their end, with the reason.
    pub failed: Vec<(u64, String)>,
}

/// A share of the points, and where it lies at 95 % (Wilson's score interval).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Portion {
    /// The share.
    pub is: f64,
    /// Where it lies.
    pub interval: [f64; 2],
    /// Of how many games.
    pub games: u64,
}

impl Portion {
    /// Of so many half points in so many games.
    pub fn of(halves: u64, games: u64) -> Portion {
        let (points, count) = (halves as f64 / 2.0, games as f64);
        Portion { is: if games > 0 { points / count } else { 0.5 }, interval: wilson(points, count), games }
    }

    /// How exactly it is known, in points of a hundred either way.
    pub fn margin(self) -> f64 {
        50.0 * (self.interval[1] - self.interval[0])
    }

    /// How far it is from even, in points of a hundred.
    pub fn off(self) -> f64 {
        (100.0 * self.is - 50.0).abs()
    }
}

/// What the second side must be given, less than nothing where the first must; in halves, so that a bid may end all draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bid {
    /// Twice the bid.
    pub halves: i64,
    /// Between these the bid lies at 95 % that is fair in all games: twice the least and the most. Nothing of so few games
    /// that no two of them are so sure.
    pub interval: Option<[i64; 2]>,
}

/// A bid as people write it.
pub fn halved(halves: i64) -> String {
    let sign = if halves < 0 { "-" } else { "" };
    format!("{sign}{}{}", halves.abs() / 2, if halves % 2 == 0 { "" } else { ".5" })
}

impl Leads {
    /// One more game.
    pub fn add(&mut self, lead: i64, halves: i32) {
        *self.by.entry(lead).or_default() += 1;
        self.halves += u64::from(halves.unsigned_abs());
        self.games += 1;
    }

    /// What the first side takes as games are decided.
    pub fn as_won(&self) -> Portion {
        Portion::of(self.halves, self.games)
    }

    /// What the first side takes if the winner is who has more once the second has been given so much.
    pub fn with(&self, bid: i64) -> Portion {
        let points = |lead: i64| match (2 * lead).cmp(&bid) {
            std::cmp::Ordering::Greater => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 0,
        };
        Portion::of(self.by.iter().map(|(lead, games)| points(*lead) * games).sum(), self.games)
    }

    /// The bid that comes nearest to even: of several the nearest to nothing, and one without halves before one with.
    /// Nothing of no games.
    pub fn fair(&self) -> Option<Bid> {
        let candidates = self.by.keys().flat_map(|lead| [2 * lead - 1, 2 * lead, 2 * lead + 1]);
        let order = |bid: &i64| (self.with(*bid).off(), bid % 2 != 0, bid.abs(), *bid);
        let halves = candidates.min_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(std::cmp::Ordering::Equal))?;
        let interval = rank_at_95(self.games).map(|rank| {
            let [low, high] = [rank, self.games + 1 - rank].map(|rank| 2 * self.ranked(rank));
            [low.min(halves), high.max(halves)]
        });
        Some(Bid { halves, interval })
    }

    /// The lead that so many games come up to, counted from the least.
    fn ranked(&self, rank: u64) -> i64 {
        let mut below = 0;
        let found = self.by.iter().find(|(_, games)| {
            below += **games;
            below >= rank
        });
        found.or_else(|| self.by.last_key_value()).map_or(0, |(lead, _)| *lead)
    }
}

/// Between the game of this rank and the one of the same rank from above lies the middle of all games, in at least 95 of 100
/// samples, whatever they are distributed like (the order statistics of the median; the sign test turned round). Nothing
/// of fewer than six: between the least and the greatest of n games it lies in 1 - 2 / 2^n of all samples.
pub fn rank_at_95(games: u64) -> Option<u64> {
    let heads = Binomial::new(0.5, games).ok()?;
    let is_sure = |rank: &u64| *rank == 0 || 2.0 * heads.cdf(rank - 1) <= 0.05;
    let (mut low, mut high) = (0, games / 2 + 1);
    while low + 1 < high {
        let middle = u64::midpoint(low, high);
        if is_sure(&middle) { low = middle } else { high = middle }
    }
    (low > 0).then_some(low)
}

/// What a value of something that is swept comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// Its place among the values.
    pub at: usize,
    /// What the first side takes.
    pub portion: Portion,
}

/// What a search among values has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Searched {
    /// Every value that was tried, in their order.
    pub tried: Vec<Tried>,
    /// The one nearest to even, by its place in `tried`.
    pub nearest: usize,
    /// The first and the last value that may be even; beyond them it certainly is not, at 95 % each. Nothing where none may be.
    pub between: Option<[usize; 2]>,
}

/// Looks for the value with which sides win alike, among values with which what the first takes rises or falls throughout.
/// It halves them, and `portion` plays the same seeds for every one (the sample average approximation), so that the same
/// chance tells whether one is too much or too little.
///
/// # Errors
/// What `portion` says.
pub fn search<E>(count: usize, portion: impl FnMut(usize) -> Result<Portion, E>) -> Result<Searched, E> {
    let last = count.saturating_sub(1);
    let mut search = Search { known: BTreeMap::new(), portion, count };
    let rises = search.look(0)?.is <= search.look(last)?.is;
    let upward = |portion: Portion| if rises { portion.is } else { 1.0 - portion.is };
    let ends = |portion: Portion| {
        let [low, high] = portion.interval;
        if rises { [low, high] } else { [1.0 - high, 1.0 - low] }
    };
    let crossing = search.first(|portion| upward(portion) >= 0.5)?;
    // Of the two values that even lies between either may be nearer.
    search.look(crossing.saturating_sub(1))?;
    search.look(crossing.min(last))?;
    let may_be = search.first(|portion| ends(portion)[1] >= 0.5)?;
    let beyond = search.first(|portion| ends(portion)[0] > 0.5)?;
    let tried: Vec<Tried> = search.known.into_iter().map(|(at, portion)| Tried { at, portion }).collect();
    let off = |at: &usize| tried[*at].portion.off();
    let nearest = (0..tried.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0);
    Ok(Searched { tried, nearest, between: (may_be < beyond).then(|| [may_be, beyond - 1]) })
}

struct Search<F> {
    known: BTreeMap<usize, Portion>,
    portion: F,
    count: usize,
}

impl<E, F: FnMut(usize) -> Result<Portion, E>> Search<F> {
    fn look(&mut self, at: usize) -> Result<Portion, E> {
        if let Some(portion) = self.known.get(&at) {
            return Ok(*portion);
        }
        let portion = (self.portion)(at)?;
        self.known.insert(at, portion);
        Ok(portion)
    }

    /// The first value for which something holds that holds for all after it.
    fn first(&mut self, holds: impl Fn(Portion) -> bool) -> Result<usize, E> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = usize::midpoint(low, high);
            if holds(self.look(middle)?) { high = middle } else { low = middle + 1 }
        }
        Ok(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranks of the interval of the median at 95 %, as tables of order statistics have them (Conover, Practical Nonparametric
    /// Statistics; `qbinom(.025, n, .5)` of R).
    #[test]
    fn the_middle_lies_between_the_ranks_that_tables_have() {
        let told = [(6, 1), (8, 1), (9, 2), (10, 2), (15, 4), (20, 6), (25, 8), (30, 10), (50, 18), (100, 40)];
        for (games, rank) in told {
            assert_eq!(rank_at_95(games), Some(rank), "of {games}");
        }
        assert_eq!((0..6).filter_map(rank_at_95).next(), None);
    }

    fn leads(of: &[(i64, u64)]) -> Leads {
        let mut leads = Leads::default();
        of.iter().for_each(|(lead, games)| (0..*games).for_each(|_| leads.add(*lead, 2)));
        leads
    }

    #[test]
    fn the_fair_bid_halves_the_games() {
        // Ten games: leads 30 to 39.
        let even = leads(&(30..40).map(|lead| (lead, 1)).collect::<Vec<_>>());
        let bid = even.fair().expect("there are games");
        assert_eq!((halved(bid.halves), bid.interval), ("34.5".to_owned(), Some([62, 76])));
        assert_eq!((even.with(69).is, even.with(68).is, even.as_won().is), (0.5, 0.55, 1.0));
        // A whole bid is preferred where it is as fair, and a half one ends what were draws.
        assert_eq!(leads(&[(4, 5), (5, 1), (6, 5)]).fair().map(|bid| halved(bid.halves)), Some("5".into()));
        let drawn = leads(&[(-3, 6), (0, 3), (1, 3)]);
        assert_eq!(drawn.fair().map(|bid| (halved(bid.halves), drawn.with(bid.halves).is)), Some(("-0.5".into(), 0.5)));
        assert_eq!(Leads::default().fair(), None);
        // Of five games the least and the greatest hold it in 30 of 32 samples, which is no 95 %.
        let few = |games: i64| leads(&(0..games).map(|lead| (lead, 1)).collect::<Vec<_>>()).fair().expect("some");
        assert_eq!((few(5).halves, few(5).interval, few(6).interval), (4, None, Some([0, 10])));
    }

    #[test]
    fn a_bid_of_the_first_side_mirrors_that_of_the_second() {
        let of = [(-7, 3), (-2, 4), (5, 8), (11, 2)];
        let turned: Vec<(i64, u64)> = of.iter().map(|(lead, games)| (-lead, *games)).collect();
        let (one, other) = (leads(&of).fair().expect("some"), leads(&turned).fair().expect("some"));
        let turned = other.interval.map(|[low, high]| [-high, -low]);
        assert_eq!((one.halves, one.interval), (-other.halves, turned));
        assert!(turned.is_some());
    }

    /// 400 games at each of 33 values, of which the first side takes more from one to the next, or less.
    #[test]
    fn the_even_value_is_found_in_few_tries() {
        for rises in [true, false] {
            for even in [0_usize, 3, 17, 31] {
                let mut asked = 0;
                let found = search(33, |at| {
                    asked += 1;
                    let rise = (200 + 30 * at as i64 - 30 * even as i64).clamp(0, 400) as u64;
                    Ok::<_, ()>(Portion::of(if rises { 2 * rise } else { 800 - 2 * rise }, 400))
                });
                let found = found.expect("nothing fails");
                assert_eq!(found.tried[found.nearest].at, even);
                // 19 points of 400 is what 95 % allow, and the next value is 30 off.
                assert_eq!(found.between, Some([even, even]));
                assert!(asked <= 14, "{asked}");
            }
        }
        let never = search(9, |_| Ok::<_, ()>(Portion::of(800, 400))).expect("nothing fails");
        assert_eq!((never.tried[never.nearest].portion.is, never.between), (1.0, None));
        assert_eq!(search(9, |_| Err::<Portion, _>(3)), Err(3));
    }
}

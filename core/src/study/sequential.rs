//! When enough has been played: intervals that hold whenever one stops, and what one stops at.
//!
//! An interval at 95 % holds for a number of games that was settled before. Whoever looks after each pair and stops when he
//! likes what he sees is misled far more often than 5 times in 100. A **confidence sequence** holds at all times together:
//! 95 times in 100 the true difference is in every one of its intervals. It is paid for by width, about half as much again.
//!
//! This is the asymptotic one by Robbins' mixture of normal distributions (Robbins 1970; Waudby-Smith, Arbour, Sinha, Kennedy
//! and Ramdas 2024, doi:10.1214/24-AOS2408): `mean ± error * sqrt((n + r) * ln((n + r) / (a^2 * r))) / n`, where `error` is
//! the standard deviation of the differences, 1 - `a` how often it holds, and `r` says at how many pairs it is narrowest. It
//! supposes that pairs are independent of each other, as seeds are, and alike, and that so many have been played that their
//! standard deviation is known: before [`FIRST`] pairs it says nothing, and the deviation is taken with two pairs more that
//! differ as the others do, once to either side, so that a few rare differences do not make it too narrow.

use std::fmt;

use super::{
    Comparison, Gauge,
    report::{figure, interval},
    statistics::{Effect, Paired},
};

/// Before so many pairs it says nothing.
const FIRST: u64 = 30;

/// At so many pairs it is narrowest, at 95 %.
const NARROWEST: f64 = 200.0;

/// How often it may fail.
const ALPHA: f64 = 0.05;

/// The `r` of a sequence that is narrowest at so many pairs (Howard, Ramdas, McAuliffe and Sekhon 2021, proposition 3).
fn narrowest_at(pairs: f64, alpha: f64) -> f64 {
    let once = -2.0 * alpha.ln();
    pairs / (once + (1.0 + once).ln())
}

/// How far the sum of so many differences with a standard deviation of 1 ever gets from what is expected.
fn boundary(pairs: f64, r: f64, alpha: f64) -> f64 {
    ((pairs + r) * ((pairs + r) / (alpha * alpha * r)).ln()).sqrt()
}

/// The logarithm of what somebody has won who bet on a difference as the mixture does. If there is none he ever wins
/// twentyfold in no more than one of twenty games, so that its inverse is a p that holds at any time.
fn log_won(sum: f64, pairs: f64, r: f64) -> f64 {
    0.5 * (r / (pairs + r)).ln() + sum * sum / (2.0 * (pairs + r))
}

/// How likely it is that so many differences ever all have one sign, if either is as likely: whoever bets on every share of
/// heads alike (Ville 1939, chapter 5) has won so many times his stake when all have come out the same.
fn by_signs(pairs: f64) -> f64 {
    ((pairs + 1.0) * 0.5f64.powf(pairs)).min(1.0)
}

impl Paired {
    /// What they come to, if one may stop at any time: `alpha` is how often the interval may ever fail.
    pub(super) fn effect_at_any_time(&self, alpha: f64) -> Option<Effect> {
        let effect = self.point()?;
        if self.count < FIRST {
            return Some(effect);
        }
        if self.differing == 0 {
            return Some(Effect { interval: [0.0; 2], ..effect });
        }
        if effect.is_alike() {
            return Some(Effect { p: by_signs(self.count as f64), ..effect });
        }
        let (n, r) = (self.count as f64, narrowest_at(NARROWEST, ALPHA));
        let (sum, squares) = ((self.sums[1] - self.sums[0]) as f64, self.squares_between as f64);
        let squares = squares + 2.0 * squares / self.differing as f64;
        let mean = sum / (n + 2.0);
        let error = (squares / (n + 2.0) - mean * mean).sqrt();
        let margin = error * boundary(n, r, alpha) / n;
        let p = (-log_won(sum / error, n, r)).exp().min(1.0);
        Some(Effect { interval: [effect.difference - margin, effect.difference + margin], p, ..effect })
    }
}

/// What a comparison is played for.
#[derive(Debug, Clone, PartialEq)]
pub struct Until {
    /// What must be known.
    pub known: Known,
    /// Of which measure: `points` for all sides, `points.union` for one; empty for the ruleset's first measure, or who wins
    /// where it has none.
    pub measure: String,
}

/// What must be known of a difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Known {
    /// Where it lies, no less exactly than so; in what the measure is told in, which for yes and no is percent.
    Width(f64),
    /// Which version has more.
    Sign,
}

impl Until {
    /// Reads `width=2`, `width=2:points.union`, `sign` or `sign:points`.
    ///
    /// # Errors
    /// It is none of these.
    pub fn parse(text: &str) -> Result<Until, String> {
        let (what, measure) = text.split_once(':').unwrap_or((text, ""));
        let known = match what.strip_prefix("width=") {
            Some(width) => width.parse().ok().filter(|width: &f64| width.is_finite() && *width > 0.0).map(Known::Width),
            None => (what == "sign").then_some(Known::Sign),
        };
        let known = known.ok_or_else(|| {
            format!("`{text}` is not width=N, width=N:MEASURE, sign or sign:MEASURE; N is a number above 0")
        })?;
        Ok(Until { known, measure: measure.to_owned() })
    }
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known {
            Known::Width(width) => write!(f, "width={width}")?,
            Known::Sign => f.write_str("sign")?,
        }
        if self.measure.is_empty() { Ok(()) } else { write!(f, ":{}", self.measure) }
    }
}

/// What a comparison is played for, of the measures that it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Stopping {
    goals: Vec<(Known, usize)>,
    most: u64,
}

impl Stopping {
    /// Stops a comparison when all of these are known, or after the `most` pairs.
    ///
    /// # Errors
    /// It has no such measure.
    pub fn of(untils: &[Until], comparison: &Comparison, most: u64) -> Result<Stopping, String> {
        let mut goals = Vec::new();
        for until in untils {
            let of: Vec<usize> = (0..comparison.gauges.len())
                .filter(|at| is_meant(&until.measure, &comparison.gauges[*at], &comparison.gauges))
                .collect();
            if of.is_empty() {
                let all: Vec<&str> = comparison.gauges.iter().map(|gauge| gauge.id.as_str()).collect();
                return Err(format!("nothing compared is called `{}`: {}", until.measure, all.join(", ")));
            }
            goals.extend(of.into_iter().map(|at| (until.known, at)));
        }
        Ok(Stopping { goals, most })
    }

    /// Whether all is known. All that is waited for holds together in 95 of 100 comparisons: each has its part of the 5.
    pub fn is_enough(&self, comparison: &Comparison) -> bool {
        self.goals.iter().all(|goal| self.is_known(goal, comparison))
    }

    fn is_known(&self, (known, at): &(Known, usize), comparison: &Comparison) -> bool {
        let Some(effect) = self.effect(*at, comparison).filter(|effect| effect.differing > 0) else { return false };
        let [low, high] = effect.interval;
        match known {
            // Where all differ by the same there is no interval, and yet it is known which version has more.
            Known::Sign if effect.is_alike() => effect.p <= self.alpha(),
            Known::Sign => low > 0.0 || high < 0.0,
            Known::Width(width) => {
                let scale = if comparison.gauges[*at].is_share { 100.0 } else { 1.0 };
                scale * (high - low) <= *width
            }
        }
    }

    /// How often each of the goals may ever be called by chance.
    fn alpha(&self) -> f64 {
        ALPHA / self.goals.len() as f64
    }

    fn effect(&self, at: usize, comparison: &Comparison) -> Option<Effect> {
        comparison.figures[at].effect_at_any_time(self.alpha())
    }

    /// Why it was stopped, or what is not known yet: a line each.
    pub fn told(&self, comparison: &Comparison) -> Vec<String> {
        let (most, pairs) = (self.most, comparison.pairs);
        let is_enough = self.is_enough(comparison);
        let because = if is_enough {
            "all that was waited for is known"
        } else {
            "not all is known, and no more were to be played"
        };
        let mut lines = vec![format!("after {pairs} of at most {most} pairs: {because}")];
        for goal @ (known, at) in &self.goals {
            let gauge = &comparison.gauges[*at];
            let word = if self.is_known(goal, comparison) { "known" } else { "not known" };
            let what = match known {
                Known::Sign => "which version has more".to_owned(),
                Known::Width(width) if gauge.is_share => format!("the difference within {width} %"),
                Known::Width(width) => format!("the difference within {width}"),
            };
            let lies = self.effect(*at, comparison).map_or_else(String::new, |effect| {
                format!(", {} ({})", figure(gauge, effect.difference), interval(gauge, &effect))
            });
            lines.push(format!("{word}: {what} of {}{lies}", gauge.marked_title()));
        }
        lines
    }

    /// The same for machines: measure, what is waited for, whether it is known.
    pub fn each<'a>(&'a self, comparison: &'a Comparison) -> impl Iterator<Item = (&'a Gauge, Known, bool)> {
        self.goals.iter().map(|goal| (&comparison.gauges[goal.1], goal.0, self.is_known(goal, comparison)))
    }
}

/// Whether a measure is meant by this name.
fn is_meant(name: &str, gauge: &Gauge, all: &[Gauge]) -> bool {
    match name {
        "" if all.iter().any(Gauge::is_score) => gauge.is_score(),
        "" => gauge.id.starts_with("wins."),
        name => {
            gauge.id == name || gauge.id.strip_suffix(&gauge.side).and_then(|id| id.strip_suffix('.')) == Some(name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(value: f64, wanted: f64) {
        assert!((value - wanted).abs() < 1e-5, "{value} is not {wanted}");
    }

    /// The figures that the package `confseq` 0.0.11 of Howard and Waudby-Smith holds itself to, from their implementation in R.
    #[test]
    fn the_mixture_comes_to_what_its_authors_publish() {
        let r = narrowest_at(100.0, 0.05);
        is(r, 12.60056);
        is(log_won(10.0, 100.0, r), -0.651_005_2);
        is(boundary(100.0, r, 0.05), 30.35209);
        // At the boundary a bet has won twentyfold.
        is(log_won(boundary(100.0, r, 0.05), 100.0, r), 20f64.ln());
    }

    /// Of games in which either sign is as likely one in 2^(n - 1) ever begins with n of one sign, which is less than what is
    /// said; and 30 of them are enough to know the sign.
    #[test]
    fn differences_that_are_all_the_same_have_no_interval_and_a_p_that_holds_at_any_time() {
        let mut paired = Paired::default();
        for count in 1..60 {
            paired.add([5, 3]);
            let effect = paired.effect_at_any_time(ALPHA).expect("there are pairs");
            assert!(effect.ends().is_none(), "{effect:?}");
            let chance = 0.5f64.powi(count - 1);
            assert!(effect.p >= chance && (count < 30) == (effect.p == 1.0), "{effect:?}");
        }
    }

    #[test]
    fn interval_and_p_say_the_same() {
        for (plus, minus, none) in [(40, 5, 60), (18, 9, 10), (9, 0, 500), (60, 2, 0), (300, 260, 40)] {
            let mut paired = Paired::default();
            (0..plus).for_each(|_| paired.add([0, 3]));
            (0..minus).for_each(|_| paired.add([2, 0]));
            (0..none).for_each(|_| paired.add([1, 1]));
            let effect = paired.effect_at_any_time(0.05).expect("there are pairs");
            assert_eq!(effect.interval[0] > 0.0 || effect.interval[1] < 0.0, effect.p < 0.05, "{effect:?}");
            let fixed = paired.effect().expect("there are pairs");
            let wide = |effect: &Effect| effect.interval[1] - effect.interval[0];
            assert!(wide(&effect) > 1.2 * wide(&fixed) && wide(&effect) < 3.0 * wide(&fixed), "{effect:?} {fixed:?}");
        }
    }

    /// 1,000 comparisons of what does not differ, each looked at after every pair, with up to 1,000 of them: common and rare
    /// differences, and some that are seldom and great one way, often and small the other. An interval at 95 % by itself
    /// cries wolf in far more of them.
    #[test]
    fn who_stops_when_he_likes_is_misled_no_more_often_than_it_says() {
        let mut drawn = 11_u64;
        let mut draw = |below: u64| {
            drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (drawn >> 33) % below
        };
        let kinds: [&dyn Fn(u64) -> i32; 4] = [
            &|one| one as i32 - 500,
            &|one| i32::from(one < 300) - i32::from(one > 700),
            &|one| i32::from(one < 20) - i32::from(one > 980),
            &|one| {
                if one < 111 {
                    8
                } else if one < 999 {
                    -1
                } else {
                    0
                }
            },
        ];
        let (mut wolf, mut wolf_by_t) = (0, 0);
        for number in 0..1000 {
            let (mut paired, mut cried) = (Paired::default(), [false; 2]);
            for _ in 0..1000 {
                paired.add([0, kinds[number % 4](draw(1001))]);
                // The other is looked at after every tenth pair, which is seldom enough to be kind to it.
                let by_t = if paired.count.is_multiple_of(10) { paired.effect() } else { None };
                for (cried, effect) in cried.iter_mut().zip([paired.effect_at_any_time(ALPHA), by_t]) {
                    let apart = effect.filter(|effect| paired.count >= FIRST && effect.differing > 0);
                    *cried |= apart.is_some_and(|effect| effect.interval[0] > 0.0 || effect.interval[1] < 0.0);
                }
            }
            wolf += u32::from(cried[0]);
            wolf_by_t += u32::from(cried[1]);
        }
        // 50 and three times the error of sampling.
        assert!(wolf <= 70, "{wolf} of 1000");
        assert!(wolf_by_t >= 200, "{wolf_by_t} of 1000");
    }

    #[test]
    fn what_is_waited_for_is_read_and_written() {
        for text in ["sign", "sign:points", "width=2", "width=0.5:points.union"] {
            assert_eq!(Until::parse(text).map(|until| until.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "signs", "width", "width=", "width=0", "width=-1", "width=inf", "width=NaN", "sign=2"] {
            assert!(Until::parse(text).is_err(), "{text}");
        }
    }
}

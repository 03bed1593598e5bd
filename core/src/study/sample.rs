//! Games of one version by itself: what a measure comes to in them, at a moment that a study names, and as a share of
//! another measure or of a number.

use std::{collections::BTreeMap, fmt};

use super::{
    Across, Gauge, Sweep,
    report::figure,
    statistics::{UNKNOWN, ends, mean_within, wilson_at},
};
use crate::diagnostic::suggest;

/// A measure, at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    /// As `--json` calls the measure, without when it is read.
    pub measure: String,
    /// The moment, as the study calls it; without, the end of the game.
    pub at: Option<String>,
}

/// What a quantity is a share of.
#[derive(Debug, Clone, PartialEq)]
pub enum Whole {
    /// Another measure of the same games, or a number that the sample has a name for.
    Amount(Amount),
    /// A number above nothing.
    Number(f64),
}

/// What is asked of games: a measure, or a share.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// What is measured.
    pub amount: Amount,
    /// What it is a share of.
    pub of: Option<Whole>,
}

/// A `MEASURE`, or `MEASURE at MOMENT`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.measure)?;
        self.at.iter().try_for_each(|moment| write!(f, " at {moment}"))
    }
}

/// As [`Quantity::parse`] reads it.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.amount.fmt(f)?;
        match &self.of {
            None => Ok(()),
            Some(Whole::Amount(amount)) => write!(f, " / {amount}"),
            Some(Whole::Number(number)) => write!(f, " / {number}"),
        }
    }
}

impl Amount {
    fn parse(text: &str) -> Option<Amount> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (measure, at) = match words[..] {
            [measure] => (measure, None),
            [measure, "at", moment] => (measure, Some(moment.to_owned())),
            _ => return None,
        };
        let is_measure = measure.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        is_measure.then(|| Amount { measure: measure.to_owned(), at })
    }

    /// The gauge that measures it.
    fn gauge(&self, words: &Words) -> Option<String> {
        let Some(at) = &self.at else { return Some(self.measure.clone()) };
        let (_, read) = words.moments.iter().find(|(moment, _)| moment == at)?;
        Some(format!("{}.{read}", self.measure))
    }
}

impl Quantity {
    /// Reads `MEASURE`, `MEASURE at MOMENT`, and either with `/ MEASURE`, `/ MEASURE at MOMENT` or `/ NUMBER` behind it.
    pub fn parse(text: &str) -> Option<Quantity> {
        let (amount, of) = match text.split_once('/') {
            None => (text, None),
            Some((amount, of)) => (amount, Some(of.trim())),
        };
        let whole = |text: &str| match text.parse::<f64>() {
            Ok(number) => (number.is_finite() && number > 0.0).then_some(Whole::Number(number)),
            Err(_) => Amount::parse(text).map(Whole::Amount),
        };
        let of = match of {
            None => None,
            Some(text) => Some(whole(text)?),
        };
        Some(Quantity { amount: Amount::parse(amount)?, of })
    }

    /// The measure, where nothing else is asked.
    pub fn plain(&self) -> Option<&str> {
        (self.of.is_none() && self.amount.at.is_none()).then_some(self.amount.measure.as_str())
    }
}

/// What a study calls moments and numbers of a game, so that several games can be asked the same.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Words {
    /// Moments, and where a measure is read then, as the end of its name has it: `turn-end.20`.
    pub moments: Vec<(String, String)>,
    /// Numbers above nothing, such as the strength of a whole army.
    pub numbers: Vec<(String, f64)>,
}

/// What games of one version came to.
#[derive(Debug, Clone)]
pub struct Sample {
    /// What is measured.
    pub gauges: Vec<Gauge>,
    /// What its figures are asked in.
    pub words: Words,
    /// Seeds that could not be played to their end, the first few with the reason.
    pub failed: (u64, Vec<(u64, String)>),
    /// How often each outcome came.
    pub outcomes: BTreeMap<String, u64>,
    /// Game by game, what each gauge came to.
    values: Vec<Vec<i32>>,
}

/// What a quantity comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimated<'a> {
    /// What is measured.
    pub gauge: &'a Gauge,
    /// Whether it is told in percent: a share of another quantity, or of the games.
    pub is_share: bool,
    /// Its mean, or the share of the means.
    pub value: f64,
    /// Where that lies; without ends where it is the same in every game, or there is one game.
    pub interval: [f64; 2],
    /// Of how many games.
    pub games: u64,
}

impl Estimated<'_> {
    /// Its value as it is compared and told: shares in percent.
    pub fn scale(&self) -> f64 {
        if self.is_share { 100.0 } else { 1.0 }
    }

    fn one(&self, value: f64) -> String {
        if self.is_share { format!("{:.1}", 100.0 * value) } else { figure(self.gauge, value) }
    }

    /// The value, with where it lies.
    pub fn told(&self) -> String {
        format!("{} (95 %: {})", self.value_told(), self.interval_told())
    }

    /// The value alone.
    pub fn value_told(&self) -> String {
        format!("{}{}", self.one(self.value), if self.is_share { " %" } else { "" })
    }

    /// Where it lies.
    pub fn interval_told(&self) -> String {
        match (self.ends(), self.games) {
            (Some([low, high]), _) => format!("{} .. {}", self.one(low), self.one(high)),
            (None, 1) => "one game says nothing".into(),
            (None, games) => format!("the same in each of {games}"),
        }
    }

    /// The same as numbers, if it is known.
    pub fn ends(&self) -> Option<[f64; 2]> {
        ends(self.interval)
    }
}

impl Sample {
    /// So many failures are told.
    const TOLD: usize = 10;

    /// Of no games yet, of a sweep in which nothing is swept.
    pub fn new(sweep: &Sweep, words: &Words) -> Sample {
        Sample {
            gauges: Gauge::all(&sweep.versions[0], sweep.scenario),
            words: words.clone(),
            failed: (0, Vec::new()),
            outcomes: BTreeMap::new(),
            values: Vec::new(),
        }
    }

    /// One more game.
    pub fn add(&mut self, across: Across) {
        if let Some(wrong) = across.wrong {
            self.failed.0 += 1;
            if self.failed.1.len() < Sample::TOLD {
                self.failed.1.push((across.seed, wrong));
            }
            return;
        }
        across.outcomes.into_iter().take(1).for_each(|outcome| *self.outcomes.entry(outcome).or_default() += 1);
        self.values.extend(across.values.into_iter().take(1));
    }

    /// How many games count.
    pub fn games(&self) -> u64 {
        self.values.len() as u64
    }

    fn at(&self, amount: &Amount) -> Option<usize> {
        let id = amount.gauge(&self.words)?;
        self.gauges.iter().position(|gauge| gauge.id == id)
    }

    /// What a quantity is a share of, with its name looked up.
    fn whole(&self, quantity: &Quantity) -> Option<Whole> {
        let of = quantity.of.as_ref()?;
        let Whole::Amount(Amount { measure, at: None }) = of else { return Some(of.clone()) };
        let number = self.words.numbers.iter().find(|(name, _)| name == measure);
        Some(number.map_or_else(|| of.clone(), |(_, number)| Whole::Number(*number)))
    }

    /// What has to be measured for a quantity.
    fn amounts(&self, quantity: &Quantity) -> impl Iterator<Item = Amount> {
        let whole = match self.whole(quantity) {
            Some(Whole::Amount(amount)) => Some(amount),
            _ => None,
        };
        [quantity.amount.clone()].into_iter().chain(whole)
    }

    /// What a quantity looks at, as far as it is measured.
    pub fn gauges_of(&self, quantity: &Quantity) -> Vec<&Gauge> {
        self.amounts(quantity).filter_map(|amount| Some(&self.gauges[self.at(&amount)?])).collect()
    }

    /// What is asked and not measured, if anything is.
    pub fn lacks(&self, quantity: &Quantity) -> Option<String> {
        let missing = self.amounts(quantity).find(|amount| self.at(amount).is_none())?;
        let unknown = missing.at.as_ref().filter(|at| !self.words.moments.iter().any(|(moment, _)| moment == *at));
        if let Some(moment) = unknown {
            let all: Vec<&str> = self.words.moments.iter().map(|(moment, _)| moment.as_str()).collect();
            let all = if all.is_empty() { "none is named".to_owned() } else { all.join(", ") };
            return Some(format!("has no moment `{moment}` ({all})"));
        }
        let id = missing.gauge(&self.words).unwrap_or_default();
        Some(format!("measures no `{id}`: {}", suggest(&id, self.gauges.iter().map(|gauge| gauge.id.as_str()))))
    }

    /// What a quantity comes to, with an interval that fails no more often than `alpha`: of yes and no that of Wilson, of
    /// means that of Student, of shares of means the same by their linearization (Cochran 1977, section 6.3), which ends at
    /// nothing and at all where no game goes beyond. Nothing of no games, of what is not measured, and of a share of nothing.
    pub fn estimate(&self, quantity: &Quantity, alpha: f64) -> Option<Estimated<'_>> {
        let at = self.at(&quantity.amount)?;
        let gauge = &self.gauges[at];
        let (n, games) = (self.values.len() as f64, self.games());
        if self.values.is_empty() {
            return None;
        }
        let mean = |at: usize| self.values.iter().map(|values| i64::from(values[at])).sum::<i64>() as f64 / n;
        let own = mean(at);
        let by_mean = |value: f64, residual: &dyn Fn(&Vec<i32>) -> f64, whole: f64| {
            let squares: f64 = self.values.iter().map(|values| residual(values).powi(2)).sum();
            // Residuals of figures that are all the same may be off nothing by what cannot be written in 53 bits.
            let is_same = self.values.iter().all(|values| residual(values).abs() < 1e-9);
            if is_same { UNKNOWN } else { mean_within(value, squares / (n - 1.0) / (whole * whole), games, alpha) }
        };
        let of_game = |values: &Vec<i32>| f64::from(values[at]);
        // What is part of a whole in every game is so in all of them.
        let part = |interval: [f64; 2], whole: &dyn Fn(&Vec<i32>) -> f64| {
            let least = if self.values.iter().all(|values| of_game(values) >= 0.0) { 0.0 } else { f64::NEG_INFINITY };
            let is_part = self.values.iter().all(|values| of_game(values) <= whole(values));
            let most = if is_part { 1.0 } else { f64::INFINITY };
            ends(interval).map_or(UNKNOWN, |ends| ends.map(|end| end.max(least).min(most)))
        };
        let (is_share, value, interval) = match self.whole(quantity) {
            None if gauge.is_share => (true, own, wilson_at(own * n, n, alpha)),
            None => (false, own, by_mean(own, &|values| of_game(values) - own, 1.0)),
            Some(Whole::Number(whole)) => {
                let value = own / whole;
                let interval = by_mean(value, &|values| of_game(values) - own, whole);
                (true, value, part(interval, &|_| whole))
            }
            Some(Whole::Amount(amount)) => {
                let of = self.at(&amount)?;
                let whole = mean(of);
                if whole <= 0.0 {
                    return None;
                }
                let value = own / whole;
                let of_whole = |values: &Vec<i32>| f64::from(values[of]);
                let interval = by_mean(value, &|values| of_game(values) - value * of_whole(values), whole);
                (true, value, part(interval, &of_whole))
            }
        };
        Some(Estimated { gauge, is_share, value, interval, games })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(value: f64, wanted: f64) {
        assert!((value - wanted).abs() < 1e-6, "{value} is not {wanted}");
    }

    #[test]
    fn quantities_are_read_and_written() {
        for text in [
            "losses.union",
            "held.union at july-2",
            "losses.union / came.union",
            "on.x at noon / 335",
            "a at b / c at d",
        ] {
            assert_eq!(Quantity::parse(text).map(|quantity| quantity.to_string()).as_deref(), Some(text));
        }
        for text in ["", "a b", "a at", "a / 0", "a / -1", "a / b / c", "a / inf", "a at b c", "a! "] {
            assert_eq!(Quantity::parse(text), None, "{text}");
        }
    }

    /// Losses and what came of six games, and whether something was held.
    fn sample() -> Sample {
        let values = [[3, 10, 1], [5, 12, 1], [2, 9, 0], [6, 15, 1], [4, 10, 1], [1, 8, 0]];
        Sample {
            gauges: vec![
                Gauge::called("losses.union", false),
                Gauge::called("came.union", false),
                Gauge::called("held.union.turn-end.4", true),
            ],
            words: Words {
                moments: vec![("dusk".to_owned(), "turn-end.4".to_owned())],
                numbers: vec![("army".to_owned(), 7.0)],
            },
            failed: (0, Vec::new()),
            outcomes: BTreeMap::new(),
            values: values.iter().map(|values| values.to_vec()).collect(),
        }
    }

    /// By hand: t of 5 degrees of freedom is 2.570582 in the tables. The mean of the losses has the standard error 0.763763;
    /// the share 21 of 64 has `sqrt(sum((x - r * y)^2) / 5 / 6) / mean(y)`, which is 0.043423; 4 of 6 lie where Wilson says.
    #[test]
    fn means_and_shares_lie_where_a_sum_by_hand_says() {
        let sample = sample();
        let of =
            |text: &str| sample.estimate(&Quantity::parse(text).expect("it is one"), 0.05).expect("it is measured");
        let losses = of("losses.union");
        is(losses.value, 3.5);
        is(losses.interval[0], 1.536_685_70);
        is(losses.interval[1], 5.463_314_30);
        let share = of("losses.union / came.union");
        is(share.value, 0.328_125);
        is(share.interval[0], 0.216_502_62);
        is(share.interval[1], 0.439_747_38);
        assert_eq!(share.value_told(), "32.8 %");
        is(of("losses.union / 7").value, 0.5);
        is(of("losses.union / 7").interval[1], 5.463_314_30 / 7.0);
        assert_eq!(of("losses.union / army"), of("losses.union / 7"));
        let held = of("held.union at dusk");
        assert_eq!((held.value_told(), held.interval_told()), ("66.7 %".to_owned(), "30.0 .. 90.3".to_owned()));
    }

    #[test]
    fn what_is_not_measured_is_told() {
        let sample = sample();
        let lacks = |text: &str| sample.lacks(&Quantity::parse(text).expect("it is one"));
        assert_eq!(lacks("held.union at dusk / came.union"), None);
        assert!(lacks("held.union at dawn").is_some_and(|why| why == "has no moment `dawn` (dusk)"));
        assert!(
            lacks("losses.union at dusk").is_some_and(|why| why.starts_with("measures no `losses.union.turn-end.4`"))
        );
        assert!(lacks("losses.union / came").is_some_and(|why| why.starts_with("measures no `came`")));
        let nothing = Sample { values: vec![vec![0, 0, 0]; 2], ..sample };
        let share = Quantity::parse("losses.union / came.union").expect("it is one");
        assert_eq!(nothing.estimate(&share, 0.05), None);
    }

    #[test]
    fn a_share_is_never_less_than_nothing_and_what_is_always_the_same_has_no_interval() {
        let of = |values: &[[i32; 3]], text: &str| {
            let sample = Sample { values: values.iter().map(|values| values.to_vec()).collect(), ..sample() };
            let found = sample.estimate(&Quantity::parse(text).expect("it is one"), 0.05).expect("it is measured");
            (found.ends(), found.interval_told())
        };
        let rare = [[0, 10, 0], [0, 12, 0], [0, 11, 0], [7, 10, 0]];
        let (mean, _) = of(&rare, "losses.union");
        assert!(mean.is_some_and(|[low, _]| low < 0.0), "{mean:?}");
        for share in ["losses.union / came.union", "losses.union / army"] {
            let (share, _) = of(&rare, share);
            assert!(share.is_some_and(|[low, high]| low == 0.0 && high <= 1.0), "{share:?}");
        }
        // Where a game goes beyond the whole, or below nothing, it is no part of it.
        let beyond = [[0, 10, 0], [13, 10, 0], [-4, 10, 0]];
        let (share, _) = of(&beyond, "losses.union / came.union");
        assert!(share.is_some_and(|[low, high]| low < 0.0 && high > 1.0), "{share:?}");
        let same = [[3, 9, 0], [3, 9, 0], [3, 9, 0]];
        for text in ["losses.union", "losses.union / came.union", "losses.union / army"] {
            assert_eq!(of(&same, text), (None, "the same in each of 3".to_owned()), "{text}");
        }
        assert_eq!(of(&same[..1], "losses.union").1, "one game says nothing");
    }
}

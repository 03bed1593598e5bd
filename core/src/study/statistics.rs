//! Means and intervals of paired figures, from sums of whole numbers: in whatever order they are added up, they come to
//! the same to the last bit.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Figures of pairs, added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Paired {
    /// How many pairs.
    pub count: u64,
    /// How many of them differ.
    pub differing: u64,
    pub(super) sums: [i128; 2],
    squares: [i128; 2],
    /// Of second less first.
    pub(super) squares_between: i128,
}

/// What the figures of pairs come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// The mean of the first of each pair, and of the second.
    pub means: [f64; 2],
    /// The second less the first.
    pub difference: f64,
    /// Where the true difference lies, at 95 %. Without ends where that is not known: of a single pair, and where all pairs
    /// differ by the same, so that nothing says how they vary. Of one point where none differs.
    pub interval: [f64; 2],
    /// How likely a difference so great or greater would be if there were none; two-sided.
    pub p: f64,
    /// How many pairs there are.
    pub pairs: u64,
    /// How many pairs differ.
    pub differing: u64,
    /// How many times as many games would be needed for the same interval without pairs; nothing where the pairs do not
    /// differ from each other.
    pub pairing_won: Option<f64>,
}

/// Where something lies of which nothing is known.
pub(super) const UNKNOWN: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// The ends of an interval, if it has any.
pub(super) fn ends(interval: [f64; 2]) -> Option<[f64; 2]> {
    interval[0].is_finite().then_some(interval)
}

impl Effect {
    /// Where the true difference lies, if that is known.
    pub fn ends(&self) -> Option<[f64; 2]> {
        ends(self.interval)
    }

    /// Whether all pairs, two at least, differ, and all by the same.
    pub fn is_alike(&self) -> bool {
        self.pairs > 1 && self.differing > 0 && self.pairing_won.is_none()
    }

    /// Why it is not known where the true difference lies.
    pub fn why_unknown(&self) -> String {
        match self.pairs {
            1 => "one pair says nothing".to_owned(),
            pairs if self.is_alike() => format!("the same in each of {pairs}"),
            _ => "so few pairs say nothing".to_owned(),
        }
    }

    /// The same of yes and no, which cannot differ by more than one.
    pub(super) fn of_share(self) -> Effect {
        let interval = self.ends().map_or(UNKNOWN, |ends| ends.map(|end| end.clamp(-1.0, 1.0)));
        Effect { interval, ..self }
    }
}

impl Paired {
    /// One more pair.
    pub fn add(&mut self, pair: [i32; 2]) {
        self.count += 1;
        let [first, second] = pair.map(i128::from);
        for (at, value) in [first, second].into_iter().enumerate() {
            self.sums[at] += value;
            self.squares[at] += value * value;
        }
        self.differing += u64::from(first != second);
        self.squares_between += (second - first) * (second - first);
    }

    /// What they come to; nothing of no pairs.
    pub fn effect(&self) -> Option<Effect> {
        self.effect_at(0.05)
    }

    /// The same with an interval that fails no more often than `alpha`.
    pub(super) fn effect_at(&self, alpha: f64) -> Option<Effect> {
        let effect = self.point()?;
        let n = self.count as f64;
        let between = self.sums[1] - self.sums[0];
        let (interval, p) = match self.count {
            1 => return Some(effect),
            // Without any spread t has nothing to go by, and would be sure of everything.
            _ if effect.is_alike() => (UNKNOWN, by_signs(n)),
            _ if self.is_sparse() => self.of_few(between as f64, alpha),
            _ => by_t(effect.difference, (self.variance(between, self.squares_between) / n).sqrt(), n - 1.0, alpha),
        };
        Some(Effect { interval, p, ..effect })
    }

    /// The same but for how sure it is, of which it says nothing.
    pub(super) fn point(&self) -> Option<Effect> {
        if self.count == 0 {
            return None;
        }
        let n = self.count as f64;
        let means = self.sums.map(|sum| sum as f64 / n);
        let between = self.sums[1] - self.sums[0];
        let variance = self.variance(between, self.squares_between);
        let apart: f64 = [0, 1].map(|at| self.variance(self.sums[at], self.squares[at])).iter().sum();
        let pairing_won = (variance > 0.0).then(|| apart / variance);
        let (interval, p, difference) = (UNKNOWN, 1.0, between as f64 / n);
        Some(Effect { means, difference, interval, p, pairs: self.count, differing: self.differing, pairing_won })
    }

    /// The mean of the second of each pair, and where it lies at 95 % by Student's t. A mean is no difference: a zero among
    /// its figures says no more than any other number, and adding a number to all of them must move the interval by it.
    pub(super) fn mean(&self) -> (f64, [f64; 2]) {
        let mean = if self.count == 0 { 0.0 } else { self.sums[1] as f64 / self.count as f64 };
        (mean, mean_within(mean, self.variance(self.sums[1], self.squares[1]), self.count, 0.05))
    }

    /// Whether most pairs do not differ. A t interval of such differences holds less often than it says: a few rare ones
    /// that all happen to have one sign, or none at all, make it too narrow.
    fn is_sparse(&self) -> bool {
        self.differing > 0 && 2 * self.differing < self.count
    }

    /// The interval of differences that are rare: by two pairs more, which differ as the others do in the root mean square,
    /// once to either side. Of yes and no it is that of Bonett and Price (2012, doi:10.3102/1076998611411915), but for t in
    /// place of z.
    fn of_few(&self, between: f64, alpha: f64) -> ([f64; 2], f64) {
        let (n, squares) = (self.count as f64 + 2.0, self.squares_between as f64);
        let squares = squares + 2.0 * squares / self.differing as f64;
        let mean = between / n;
        by_t(mean, ((squares / n - mean * mean) / n).sqrt(), n - 1.0, alpha)
    }

    /// Of a sample with these sums, exact but for the last division.
    fn variance(&self, sum: i128, squares: i128) -> f64 {
        let n = i128::from(self.count);
        if n < 2 { 0.0 } else { (n * squares - sum * sum) as f64 / (n * (n - 1)) as f64 }
    }
}

/// How likely so many differences all have one sign if either is as likely: the sign test, two-sided and exact. Below six
/// it is never less than 5 in 100.
fn by_signs(pairs: f64) -> f64 {
    (2.0 * 0.5f64.powf(pairs)).min(1.0)
}

/// Where a mean lies of so many figures with this variance, in an interval that fails no more often than `alpha`. Not known
/// of one figure, nor of figures that are all the same, which do not say how they vary.
pub(super) fn mean_within(mean: f64, variance: f64, count: u64, alpha: f64) -> [f64; 2] {
    if count < 2 || variance <= 0.0 {
        return UNKNOWN;
    }
    by_t(mean, (variance / count as f64).sqrt(), count as f64 - 1.0, alpha).0
}

/// An interval that fails no more often than `alpha`, and how likely so much would be by chance alone, by Student's t.
fn by_t(mean: f64, error: f64, freedom: f64, alpha: f64) -> ([f64; 2], f64) {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(t) if error > 0.0 => {
            let margin = t.inverse_cdf(1.0 - alpha / 2.0) * error;
            ([mean - margin, mean + margin], 2.0 * t.cdf(-(mean / error).abs()))
        }
        _ => ([mean; 2], if mean == 0.0 { 1.0 } else { 0.0 }),
    }
}

/// Where a share lies at 95 % that so many points of so many games are of: Wilson's score interval (1927).
pub(super) fn wilson(points: f64, games: f64) -> [f64; 2] {
    wilson_at(points, games, 0.05)
}

/// The same with an interval that fails no more often than `alpha`.
pub(super) fn wilson_at(points: f64, games: f64, alpha: f64) -> [f64; 2] {
    if games <= 0.0 {
        return [0.0, 1.0];
    }
    let z = Normal::standard().inverse_cdf(1.0 - alpha / 2.0);
    let (share, squared) = (points / games, z * z);
    let middle = share + squared / (2.0 * games);
    let margin = z * (share * (1.0 - share) / games + squared / (4.0 * games * games)).sqrt();
    let whole = 1.0 + squared / games;
    // By rounding neither end crosses the share itself, of none or of all.
    [((middle - margin) / whole).clamp(0.0, share), ((middle + margin) / whole).clamp(share, 1.0)]
}

/// How many differences that are looked at together are kept from being called by chance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Correction {
    /// Of 100 comparisons in which nothing differs, 5 call anything at all (Holm 1979).
    #[default]
    Holm,
    /// Of 100 differences that are called, 5 are none (Benjamini and Hochberg 1995), as long as measures do not tend to
    /// differ in opposite ways. It finds more, and promises less.
    BenjaminiHochberg,
}

impl Correction {
    /// Reads `holm` or `bh`.
    pub fn parse(text: &str) -> Option<Correction> {
        match text {
            "holm" => Some(Correction::Holm),
            "bh" => Some(Correction::BenjaminiHochberg),
            _ => None,
        }
    }

    /// The same for machines, and for people who will look it up.
    pub fn word(self) -> &'static str {
        match self {
            Correction::Holm => "holm",
            Correction::BenjaminiHochberg => "bh",
        }
    }

    /// What is promised of those that are called.
    pub fn promise(self) -> &'static str {
        match self {
            Correction::Holm => "looked at together (Holm)",
            Correction::BenjaminiHochberg => "with 1 in 20 of those found by chance (Benjamini-Hochberg)",
        }
    }

    /// Which of these differences stand at 95 % if all are looked at together. What differs in no pair could not be found
    /// whatever its p, and is not counted among them.
    pub fn standing(self, effects: &[Option<Effect>]) -> Vec<bool> {
        let counts = |effect: &Effect| (effect.differing > 0).then_some(effect.p);
        let mut order: Vec<(f64, usize)> =
            effects.iter().enumerate().filter_map(|(at, effect)| Some((counts(effect.as_ref()?)?, at))).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let all = order.len();
        let called = match self {
            Correction::Holm => {
                let falls = |(rank, (p, _)): (usize, &(f64, usize))| *p > 0.05 / (all - rank) as f64;
                order.iter().enumerate().position(falls).unwrap_or(all)
            }
            Correction::BenjaminiHochberg => {
                let holds = |(rank, (p, _)): (usize, &(f64, usize))| *p <= 0.05 * (rank + 1) as f64 / all as f64;
                order.iter().enumerate().rev().find(|ranked| holds(*ranked)).map_or(0, |(rank, _)| rank + 1)
            }
        };
        let mut stands = vec![false; effects.len()];
        order[..called].iter().for_each(|(_, at)| stands[*at] = true);
        stands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(value: f64, wanted: f64) {
        assert!((value - wanted).abs() < 1e-6, "{value} is not {wanted}");
    }

    /// Student's own data on sleep, as R has them; figures of `t.test(extra ~ group, paired = TRUE)` there, in tenths.
    #[test]
    fn the_paired_t_test_comes_to_what_r_says() {
        let first = [7, -16, -2, -12, -1, 34, 37, 8, 0, 20];
        let second = [19, 8, 11, 1, -1, 44, 55, 16, 46, 34];
        let mut paired = Paired::default();
        first.into_iter().zip(second).for_each(|(a, b)| paired.add([a, b]));
        let effect = paired.effect().expect("there are pairs");
        is(effect.difference, 15.8);
        is(effect.p, 0.002_832_89);
        is((effect.interval[0] * 1e5).round() / 1e5, 7.001_14);
        is((effect.interval[1] * 1e5).round() / 1e5, 24.598_86);
        is(effect.means[0], 7.5);
        is(effect.means[1], 23.3);
        assert_eq!(effect.differing, 9);
    }

    /// The interval and the p of 200 pairs of which `plus` differ by one way and `minus` the other.
    fn of(plus: u32, minus: u32, by: i32) -> Effect {
        let mut paired = Paired::default();
        (0..plus).for_each(|_| paired.add([0, by]));
        (0..minus).for_each(|_| paired.add([by, 0]));
        (plus + minus..200).for_each(|_| paired.add([0, 0]));
        paired.effect().expect("there are pairs")
    }

    /// Figures of SciPy 1.17, from the proportions (f + 1) / (n + 2) of Bonett and Price:
    /// `m = (b - c) / 202; e = sqrt(((b + 1) / 202 + (c + 1) / 202 - m * m) / 202)`, then `m + e * t.ppf([.025, .975], 201)`
    /// and `2 * t.sf(abs(m) / e, 201)`.
    #[test]
    fn intervals_of_rare_differences_come_to_what_scipy_says() {
        let wanted = [
            ((6, 0), [0.002_402_357_7, 0.057_003_582_9], 0.033_124_298_9),
            ((12, 4), [-0.001_444_755_3, 0.080_652_676_1], 0.058_543_839_2),
        ];
        for ((plus, minus), interval, p) in wanted {
            let effect = of(plus, minus, 1);
            is(effect.interval[0], interval[0]);
            is(effect.interval[1], interval[1]);
            is(effect.p, p);
            // What is counted in threes has three times the interval.
            is(of(plus, minus, 3).interval[0], 3.0 * interval[0]);
        }
    }

    /// 2,000 samples of 200 pairs of which 2 in 100 differ, all to one side: intervals hold in 95 of 100 of those in which any
    /// does, and those of t alone in fewer.
    #[test]
    fn intervals_of_rare_differences_hold_as_often_as_they_say() {
        let mut draw = 7_u64;
        let mut next = || {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (draw >> 33) % 1000
        };
        let (mut hold, mut hold_by_t) = (0, 0);
        for _ in 0..2000 {
            let mut paired = Paired::default();
            for _ in 0..200 {
                paired.add([0, i32::from(next() < 20)]);
            }
            let Some(effect) = paired.effect().filter(|effect| effect.differing > 0) else { continue };
            let within = |[low, high]: [f64; 2]| u32::from((low..=high).contains(&0.02));
            hold += within(effect.interval);
            let between = paired.sums[1] - paired.sums[0];
            let error = (paired.variance(between, paired.squares_between) / 200.0).sqrt();
            hold_by_t += within(by_t(effect.difference, error, 199.0, 0.05).0);
        }
        assert!(hold >= 1900, "{hold} of 2000");
        assert!(hold_by_t < 1860, "{hold_by_t} of 2000");
    }

    /// Examples of Newcombe (1998, table I, method 3).
    #[test]
    fn the_interval_of_a_share_is_what_newcombe_says() {
        for ((points, games), told) in [
            ((81.0, 263.0), ["0.2553", "0.3662"]),
            ((15.0, 148.0), ["0.0624", "0.1605"]),
            ((0.0, 20.0), ["0.0000", "0.1611"]),
            ((1.0, 29.0), ["0.0061", "0.1718"]),
        ] {
            assert_eq!(wilson(points, games).map(|end| format!("{end:.4}")), told);
        }
        assert_eq!(wilson(0.0, 0.0), [0.0, 1.0]);
    }

    #[test]
    fn pairs_that_never_differ_have_one_point_and_one_pair_says_nothing() {
        let mut paired = Paired::default();
        assert_eq!(paired.effect(), None);
        paired.add([3, 3]);
        assert!(paired.effect().is_some_and(|effect| effect.interval[1].is_infinite() && effect.p == 1.0));
        paired.add([8, 8]);
        let effect = paired.effect().expect("there are pairs");
        assert_eq!((effect.difference, effect.interval, effect.p, effect.pairing_won), (0.0, [0.0; 2], 1.0, None));
    }

    /// `binom.test(n, n)` of R gives these p.
    #[test]
    fn pairs_that_all_differ_by_the_same_have_no_interval_and_stand_by_the_sign_test() {
        let alike = |count: u64, by: i32| {
            let mut paired = Paired::default();
            (0..count).for_each(|_| paired.add([3, 3 + by]));
            paired.effect().expect("there are pairs")
        };
        for (count, p) in [(2, 0.5), (3, 0.25), (5, 0.0625), (6, 0.03125), (10, 0.001_953_125)] {
            for by in [1, -40] {
                let effect = alike(count, by);
                assert!(effect.is_alike() && effect.ends().is_none(), "{effect:?}");
                assert_eq!((effect.difference, effect.p), (f64::from(by), p));
                assert_eq!(effect.why_unknown(), format!("the same in each of {count}"));
                assert_eq!(Correction::Holm.standing(&[Some(effect)]), [count >= 6]);
            }
        }
        assert!(!alike(9, 0).is_alike() && !alike(1, 4).is_alike());
        assert_eq!(alike(1, 4).why_unknown(), "one pair says nothing");
    }

    /// With the four figures 0, 0, 0 and 8 the mean is 2 with the standard error 2, and t of 3 degrees of freedom 3.182446.
    #[test]
    fn the_interval_of_a_mean_moves_with_what_is_added_to_every_figure() {
        let mean = |added: i32| {
            let mut paired = Paired::default();
            [0, 0, 0, 8].into_iter().for_each(|figure| paired.add([0, figure + added]));
            paired.mean()
        };
        for added in [0, 100, -8] {
            let (mean, [low, high]) = mean(added);
            is(mean - f64::from(added), 2.0);
            is(low - f64::from(added), 2.0 - 2.0 * 3.182_446_3);
            is(high - f64::from(added), 2.0 + 2.0 * 3.182_446_3);
        }
        let mut same = Paired::default();
        (0..4).for_each(|_| same.add([0, 7]));
        assert_eq!(same.mean(), (7.0, UNKNOWN));
    }

    #[test]
    fn shares_differ_by_no_more_than_all() {
        let mut paired = Paired::default();
        [[0, 1], [0, 1], [0, 0]].into_iter().for_each(|pair| paired.add(pair));
        let effect = paired.effect().expect("there are pairs");
        assert!(effect.interval[1] > 1.0 && effect.interval[0] > -1.0);
        assert_eq!(effect.of_share().interval, [effect.interval[0], 1.0]);
    }

    fn with(p: f64) -> Option<Effect> {
        let (means, interval) = ([0.0; 2], [0.0, 2.0]);
        Some(Effect { means, difference: 1.0, interval, p, pairs: 2, differing: 1, pairing_won: Some(1.0) })
    }

    #[test]
    fn of_many_differences_the_least_likely_ones_stand() {
        let nowhere = with(0.0001).map(|effect| Effect { differing: 0, ..effect });
        let standing = |effects: &[Option<Effect>]| Correction::Holm.standing(effects);
        assert_eq!(standing(&[with(0.06), with(0.001), None, with(0.02)]), [false, true, false, true]);
        assert_eq!(standing(&[with(0.02), with(0.024), with(0.9)]), [false, false, false]);
        assert_eq!(standing(&[with(0.02), nowhere, with(0.024)]), [true, false, true]);
    }

    /// The fifteen p values of the example of Benjamini and Hochberg (1995, section 4.1): they call four, where Holm, as
    /// Bonferroni there, calls three.
    #[test]
    fn as_many_stand_as_benjamini_and_hochberg_say() {
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0,
        ];
        let effects = p.map(with);
        let called = |by: Correction| by.standing(&effects).iter().filter(|stands| **stands).count();
        assert_eq!((called(Correction::BenjaminiHochberg), called(Correction::Holm)), (4, 3));
        // One that fails by itself stands where a later one holds; and the order they come in changes nothing.
        assert_eq!(Correction::BenjaminiHochberg.standing(&[with(0.04), with(0.03)]), [true, true]);
        assert_eq!(Correction::Holm.standing(&[with(0.04), with(0.03)]), [false, false]);
    }
}

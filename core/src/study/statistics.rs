//! Means and intervals of paired figures, from sums of whole numbers: in whatever order they are added up, they come to
//! the same to the last bit.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Figures of pairs, added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Paired {
    /// How many pairs.
    pub count: u64,
    sums: [i128; 2],
    squares: [i128; 2],
    /// Of second less first.
    squares_between: i128,
}

/// What the figures of pairs come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// The mean of the first of each pair, and of the second.
    pub means: [f64; 2],
    /// The second less the first.
    pub difference: f64,
    /// So far to either side of the difference reaches its interval at 95 %, by Student's t of the differences. Infinite
    /// for a single pair.
    pub margin: f64,
    /// How likely a difference so great or greater would be if there were none; two-sided.
    pub p: f64,
    /// How many times as many games would be needed for the same interval without pairs; nothing where the pairs do not
    /// differ from each other.
    pub pairing_won: Option<f64>,
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
        self.squares_between += (second - first) * (second - first);
    }

    /// What they come to; nothing of no pairs.
    pub fn effect(&self) -> Option<Effect> {
        if self.count == 0 {
            return None;
        }
        let n = self.count as f64;
        let means = self.sums.map(|sum| sum as f64 / n);
        let between = self.sums[1] - self.sums[0];
        let difference = between as f64 / n;
        let variance = self.variance(between, self.squares_between);
        let apart: f64 = [0, 1].map(|at| self.variance(self.sums[at], self.squares[at])).iter().sum();
        let error = (variance / n).sqrt();
        let (margin, p) = match StudentsT::new(0.0, 1.0, n - 1.0) {
            Ok(t) if error > 0.0 => (t.inverse_cdf(0.975) * error, 2.0 * t.cdf(-(difference / error).abs())),
            Ok(_) => (0.0, if between == 0 { 1.0 } else { 0.0 }),
            Err(_) => (f64::INFINITY, 1.0),
        };
        let pairing_won = (variance > 0.0).then(|| apart / variance);
        Some(Effect { means, difference, margin, p, pairing_won })
    }

    /// Of a sample with these sums, exact but for the last division.
    fn variance(&self, sum: i128, squares: i128) -> f64 {
        let n = i128::from(self.count);
        if n < 2 { 0.0 } else { (n * squares - sum * sum) as f64 / (n * (n - 1)) as f64 }
    }
}

/// Which of these differences stand at 95 % if all are looked at together (Holm's procedure).
pub fn standing(effects: &[Option<Effect>]) -> Vec<bool> {
    let mut order: Vec<(f64, usize)> =
        effects.iter().enumerate().filter_map(|(at, effect)| Some((effect.as_ref()?.p, at))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut stands = vec![false; effects.len()];
    for (rank, (p, at)) in order.iter().enumerate() {
        if *p > 0.05 / (order.len() - rank) as f64 {
            break;
        }
        stands[*at] = true;
    }
    stands
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student's own data on sleep, as R has them; figures of `t.test(extra ~ group, paired = TRUE)` there, in tenths.
    #[test]
    fn the_paired_t_test_comes_to_what_r_says() {
        let first = [7, -16, -2, -12, -1, 34, 37, 8, 0, 20];
        let second = [19, 8, 11, 1, -1, 44, 55, 16, 46, 34];
        let mut paired = Paired::default();
        first.into_iter().zip(second).for_each(|(a, b)| paired.add([a, b]));
        let effect = paired.effect().expect("there are pairs");
        let is = |value: f64, wanted: f64| assert!((value - wanted).abs() < 1e-5, "{value} is not {wanted}");
        is(effect.difference, 15.8);
        is(effect.p, 0.002_832_9);
        is(effect.difference - effect.margin, 7.001_142);
        is(effect.difference + effect.margin, 24.598_858);
        is(effect.means[0], 7.5);
        is(effect.means[1], 23.3);
    }

    #[test]
    fn pairs_that_never_differ_have_no_margin_and_one_pair_says_nothing() {
        let mut paired = Paired::default();
        assert_eq!(paired.effect(), None);
        paired.add([3, 3]);
        assert!(paired.effect().is_some_and(|effect| effect.margin.is_infinite() && effect.p == 1.0));
        paired.add([8, 8]);
        let effect = paired.effect().expect("there are pairs");
        assert_eq!((effect.difference, effect.margin, effect.p, effect.pairing_won), (0.0, 0.0, 1.0, None));
    }

    #[test]
    fn of_many_differences_the_least_likely_ones_stand() {
        let effect = |p: f64| Some(Effect { means: [0.0; 2], difference: 1.0, margin: 1.0, p, pairing_won: None });
        assert_eq!(standing(&[effect(0.06), effect(0.001), None, effect(0.02)]), [false, true, false, true]);
        assert_eq!(standing(&[effect(0.02), effect(0.024), effect(0.9)]), [false, false, false]);
    }
}

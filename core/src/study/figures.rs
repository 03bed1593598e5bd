//! Figures that the conclusions of a study speak of, and whether a condition holds of one.

use super::{
    Comparison, Effect, Gauge, Is, Quantity, Sample, Verdict,
    report::{figure, interval, signed},
};

/// A figure.
pub(super) enum Figure<'a> {
    /// What a measure has more in the second version.
    Difference {
        /// The pairs.
        comparison: &'a Comparison,
        /// The gauge, by its number.
        at: usize,
    },
    /// What a quantity comes to in games of one version.
    Own {
        /// The games.
        sample: &'a Sample,
        /// What is asked of them.
        quantity: &'a Quantity,
    },
}

/// How often intervals that are told fail.
pub(super) const ALPHA: f64 = 0.05;

impl<'a> Figure<'a> {
    /// A measure of a comparison, if it is measured.
    pub fn of_pairs(comparison: &'a Comparison, quantity: &Quantity) -> Option<Figure<'a>> {
        let measure = quantity.plain()?;
        let at = comparison.gauges.iter().position(|gauge| gauge.id == measure)?;
        Some(Figure::Difference { comparison, at })
    }

    /// A quantity of a sample, if it is measured.
    pub fn of_sample(sample: &'a Sample, quantity: &'a Quantity) -> Option<Figure<'a>> {
        sample.lacks(quantity).is_none().then_some(Figure::Own { sample, quantity })
    }

    /// What is measured; of a share both.
    pub fn gauges(&self) -> Vec<&'a Gauge> {
        match self {
            Figure::Difference { comparison, at } => vec![&comparison.gauges[*at]],
            Figure::Own { sample, quantity } => sample.gauges_of(quantity),
        }
    }

    fn effect(&self, alpha: f64) -> Option<Effect> {
        let Figure::Difference { comparison, at } = self else { return None };
        comparison.effect(*at, alpha)
    }

    /// As a text has it; of a difference also what it comes to in one of the versions.
    pub fn told(&self, version: Option<usize>) -> String {
        match self {
            Figure::Difference { comparison, at } => {
                let gauge = &comparison.gauges[*at];
                let Some(effect) = self.effect(ALPHA) else { return "(no pairs)".to_owned() };
                match version {
                    Some(version) => figure(gauge, effect.means[version]),
                    None => {
                        format!("{} (95 %: {})", signed(gauge, effect.difference), interval(gauge, &effect))
                    }
                }
            }
            Figure::Own { sample, quantity } => {
                sample.estimate(quantity, ALPHA).map_or_else(|| "(nothing)".to_owned(), |found| found.told())
            }
        }
    }

    /// Whether a condition holds, surely: with an interval that fails no more often than `alpha`. What differs in no pair
    /// may not have come about, and what is the same in every game, or differs by the same in every pair, does not say how
    /// it varies: none of it says anything.
    pub fn holds(&self, is: Is, alpha: f64) -> Verdict {
        let within = match self {
            Figure::Difference { comparison, at } => {
                let scale = if comparison.gauges[*at].is_share { 100.0 } else { 1.0 };
                let effect = self.effect(alpha).filter(|effect| effect.differing > 0);
                effect.map(|effect| effect.interval.map(|end| end * scale))
            }
            Figure::Own { sample, quantity } => {
                let found = sample.estimate(quantity, alpha);
                found.map(|found| found.interval.map(|end| end * found.scale()))
            }
        };
        let Some([low, high]) = within else { return Verdict::Open };
        let (is_sure, is_excluded) = match is {
            Is::More(than) => (low > than, high <= than),
            Is::Less(than) => (high < than, low >= than),
            Is::Within(of) => (low > -of && high < of, low >= of || high <= -of),
        };
        match (is_sure, is_excluded) {
            (true, _) => Verdict::Holds,
            (_, true) => Verdict::Contrary,
            _ => Verdict::Open,
        }
    }
}

/// What several conditions come to together.
pub(super) fn together(verdicts: &[Verdict]) -> Verdict {
    let has = |wanted: Verdict| verdicts.contains(&wanted);
    match () {
        () if has(Verdict::Contrary) => Verdict::Contrary,
        () if has(Verdict::Open) || verdicts.is_empty() => Verdict::Open,
        () => Verdict::Holds,
    }
}

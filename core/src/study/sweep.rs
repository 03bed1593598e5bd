//! Parameters of a scenario swept: the same seeds played under every value, so that what a measure does as the parameter
//! changes is not lost in what chance does.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Gauge, Player,
    crew::Crew,
    statistics::{Correction, Effect, Paired, UNKNOWN, ends, wilson},
    trial::trial,
};
use crate::{
    play::{Limits, Match, Rules, Session},
    ruleset::Ruleset,
};

/// A path of the content, and the values that it is given one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The path, as `--set` has it.
    pub path: String,
    /// What is written there.
    pub values: Vec<String>,
}

impl Parameter {
    /// Reads `PATH=20..32`, `PATH=20..32:4` or `PATH=one,other`.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    pub fn parse(text: &str) -> Result<Parameter, String> {
        let wants = "wants PATH=LEAST..MOST, PATH=LEAST..MOST:STEP or PATH=ONE,OTHER";
        let (path, values) =
            text.split_once('=').filter(|(path, _)| !path.is_empty()).ok_or(format!("it {wants}, not `{text}`"))?;
        let values: Vec<String> = match values.split_once("..") {
            None => values.split(',').map(|value| value.trim().to_owned()).collect(),
            Some((least, rest)) => {
                let (most, step) = rest.split_once(':').unwrap_or((rest, "1"));
                let number = |text: &str| {
                    let number = text.trim().parse::<i32>().map(i64::from);
                    number.map_err(|_| format!("`{text}` is no whole number; it {wants}"))
                };
                let (least, most, step) = (number(least)?, number(most)?, number(step)?);
                if step < 1 || most < least {
                    return Err(format!("`{least}..{most}:{step}` goes nowhere: from the least up, by a step above 0"));
                }
                let count = (most - least) / step;
                if count >= Sweep::MOST_POINTS as i64 {
                    return Err(too_many(count as usize + 1));
                }
                (0..=count).map(|at| (least + at * step).to_string()).collect()
            }
        };
        if let Some(twice) = (1..values.len()).find(|at| values[..*at].contains(&values[*at])) {
            return Err(format!("`{}` stands twice in `{text}`", values[twice]));
        }
        if values.len() < 2 {
            return Err(format!("`{text}` is one value: `--set` writes that, a sweep wants several"));
        }
        Ok(Parameter { path: path.to_owned(), values })
    }

    /// Its values as numbers, if all are.
    pub fn numbers(&self) -> Option<Vec<i64>> {
        self.values.iter().map(|value| value.parse::<i32>().ok().map(i64::from)).collect()
    }

    /// Weights of its values that sum up to nothing and rise with them, as small as whole numbers can be: what is measured
    /// under each, weighed so, is how much it rises.
    fn contrast(&self) -> Option<Vec<i64>> {
        let numbers = self.numbers()?;
        let (count, sum) = (numbers.len() as i64, numbers.iter().sum::<i64>());
        let weights: Vec<i64> = numbers.iter().map(|number| count * number - sum).collect();
        let divisor = weights.iter().fold(0, |a, b| common(a, b.abs()));
        Some(weights.iter().map(|weight| weight / divisor.max(1)).collect())
    }
}

/// The greatest common divisor.
fn common(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { common(b, a % b) }
}

fn too_many(count: usize) -> String {
    format!(
        "{count} values are too many: {} at most, of all parameters together; take a wider step",
        Sweep::MOST_POINTS
    )
}

/// Games to be played: every seed under every value of the parameters, or under every combination of them.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// What is swept.
    pub parameters: Vec<Parameter>,
    /// The version at every point, in the order of [`Sweep::points`].
    pub versions: Vec<Arc<Ruleset>>,
    /// The point that the others are held against: the version as it stands where it is among them, or else the first.
    pub base: usize,
    /// Whether the version as it stands is among them.
    pub is_base_unswept: bool,
    /// The scenario, by its number.
    pub scenario: usize,
    /// Who answers for each side.
    pub players: Vec<Player>,
    /// The first seed; the others follow it.
    pub seed: u64,
    /// How many seeds.
    pub games: u64,
    /// On so many threads.
    pub jobs: usize,
}

impl Sweep {
    /// More points are not swept: each takes rules of its own in every thread.
    pub const MOST_POINTS: usize = 64;

    /// The values at every point, by their numbers, parameter by parameter; the last parameter changes first.
    ///
    /// # Errors
    /// There are too many.
    pub fn points(parameters: &[Parameter]) -> Result<Vec<Vec<usize>>, String> {
        let count = parameters.iter().fold(1, |count: usize, parameter| count.saturating_mul(parameter.values.len()));
        if count > Sweep::MOST_POINTS {
            return Err(too_many(count));
        }
        let further = |points: Vec<Vec<usize>>, parameter: &Parameter| {
            let with = |point: &Vec<usize>, value: usize| [point.as_slice(), &[value]].concat();
            let of_point = |point: &Vec<usize>| (0..parameter.values.len()).map(|value| with(point, value)).collect();
            points.iter().flat_map(|point| -> Vec<Vec<usize>> { of_point(point) }).collect()
        };
        Ok(parameters.iter().fold(vec![Vec::new()], further))
    }

    /// Of `versions`, which are in the order of [`Sweep::points`]; one of them may be `unswept`.
    pub fn new(parameters: Vec<Parameter>, versions: Vec<Arc<Ruleset>>, unswept: &Ruleset, scenario: usize) -> Sweep {
        let played = |ruleset: &Ruleset| ruleset.parts_played(&unswept.scenarios[scenario].id);
        let (known, sides) = (played(unswept), unswept.sides.len());
        let base = versions.iter().position(|version| played(version) == known);
        let players = vec![Player::Random; sides];
        let (is_base_unswept, base) = (base.is_some(), base.unwrap_or(0));
        Sweep { parameters, versions, base, is_base_unswept, scenario, players, seed: 1, games: 100, jobs: 1 }
    }

    /// What stands at a point, value by value.
    pub fn values_at(&self, point: usize) -> Vec<&str> {
        let points = Sweep::points(&self.parameters).unwrap_or_default();
        let numbers = points.get(point).into_iter().flatten();
        self.parameters.iter().zip(numbers).map(|(parameter, value)| parameter.values[*value].as_str()).collect()
    }

    /// What is measured at every point, as the base has it; of each point where it stands there. And what some points
    /// alone have.
    fn gauges(&self) -> (Vec<Gauge>, Vec<Vec<usize>>, Vec<String>) {
        let all: Vec<Vec<Gauge>> = self.versions.iter().map(|version| Gauge::all(version, self.scenario)).collect();
        let place = |id: &str, among: &[Gauge]| among.iter().position(|other| other.id == id);
        let (shared, own): (Vec<&Gauge>, Vec<&Gauge>) =
            all[self.base].iter().partition(|gauge| all.iter().all(|other| place(&gauge.id, other).is_some()));
        let at = |of: &Vec<Gauge>| shared.iter().filter_map(|gauge| place(&gauge.id, of)).collect();
        let mut alone: Vec<String> = own.iter().map(|gauge| gauge.id.clone()).collect();
        for gauge in all.iter().flatten().filter(|gauge| place(&gauge.id, &all[self.base]).is_none()) {
            if !alone.contains(&gauge.id) {
                alone.push(gauge.id.clone());
            }
        }
        let at = all.iter().map(at).collect();
        (shared.into_iter().cloned().collect(), at, alone)
    }

    /// Plays them all. `make` makes rules of a version; `done` hears of each seed, in their order, whatever the threads.
    /// The first `held` seeds are passed over.
    ///
    /// # Errors
    /// The rules could not be made; or what `done` says, and no more seeds are begun then.
    pub fn play<R: Rules, E: Send>(
        &self,
        held: u64,
        make: impl Fn(&Arc<Ruleset>) -> Result<R, E> + Sync,
        done: impl FnMut(Across) -> Result<(), E>,
    ) -> Result<(), E> {
        let all: Vec<Vec<Gauge>> = self.versions.iter().map(|version| Gauge::all(version, self.scenario)).collect();
        let (_, places, _) = self.gauges();
        let begin = |point: usize, seed| Match::new(self.versions[point].clone(), self.scenario, seed, Limits::BULK);
        let crew = Crew { pieces: self.games.saturating_sub(held), jobs: self.jobs };
        let sessions = || {
            let session = |(point, version)| Ok(Session::of(make(version)?, begin(point, self.seed)));
            self.versions.iter().enumerate().map(session).collect::<Result<Vec<Session<R>>, E>>()
        };
        let work = |sessions: &mut Vec<Session<R>>, number: u64| {
            let seed = self.seed.wrapping_add(held + number);
            let mut across = Across { seed, outcomes: Vec::new(), values: Vec::new(), wrong: None };
            for (point, session) in sessions.iter_mut().enumerate() {
                let played = trial(session, begin(point, seed), &self.players, &all[point]);
                across.outcomes.push(played.outcome);
                across.values.push(places[point].iter().map(|at| played.values[*at]).collect());
                across.wrong = across.wrong.or(played.wrong);
            }
            across
        };
        crew.work(sessions, work, done)
    }
}

/// The games of one seed, one at each point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Across {
    /// The seed.
    pub seed: u64,
    /// How each ended.
    pub outcomes: Vec<String>,
    /// What was measured at each, gauge by gauge.
    pub values: Vec<Vec<i32>>,
    /// Why one of them could not be played to its end; the seed does not count then.
    pub wrong: Option<String>,
}

/// What a sweep comes to.
#[derive(Debug, Clone)]
pub struct Swept {
    /// What is measured at every point.
    pub gauges: Vec<Gauge>,
    /// Names of gauges that some points alone have; they are not compared.
    pub alone: Vec<String>,
    /// How many seeds count.
    pub games: u64,
    /// Seeds that could not be played to their end, the first few with the reason.
    pub failed: (u64, Vec<(u64, String)>),
    /// How often each outcome came, at each point.
    pub outcomes: BTreeMap<String, Vec<u64>>,
    base: usize,
    contrasts: Vec<Option<Contrast>>,
    points: Vec<Vec<usize>>,
    /// By gauge and point: what it comes to, held against nothing, and against the base.
    figures: Vec<Vec<[Paired; 2]>>,
    /// By gauge and parameter: what the contrast comes to.
    rises: Vec<Vec<Paired>>,
}

/// How a rise is weighed, and what is so many times what rises by one.
#[derive(Debug, Clone)]
struct Contrast {
    weights: Vec<i64>,
    scale: f64,
}

/// What a measure comes to at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct At {
    /// Its mean.
    pub mean: f64,
    /// Where the mean lies at 95 %; without ends where it is the same in every game, or there is one game.
    pub interval: [f64; 2],
    /// Held against the base; nothing at the base itself.
    pub against: Option<Effect>,
    /// Whether it differs from the base, all that is looked at together.
    pub stands: bool,
}

/// By how much a measure rises as a parameter does by one, over all its values and those of the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rise {
    /// By how much, by least squares.
    pub by: f64,
    /// Where that lies at 95 %; without ends where it is the same for every seed, or there is one seed.
    pub interval: [f64; 2],
    /// How likely so much would be by chance alone.
    pub p: f64,
    /// Whether it rises or falls, all that is looked at together.
    pub stands: bool,
}

/// What a sweep has found of one measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// What it comes to, point by point.
    pub points: Vec<At>,
    /// How it rises, parameter by parameter: nothing where its values are no numbers.
    pub rises: Vec<Option<Rise>>,
}

impl Found {
    /// Whether the measure hangs on any of the parameters.
    pub fn stands(&self) -> bool {
        self.points.iter().any(|at| at.stands) || self.rises.iter().flatten().any(|rise| rise.stands)
    }

    /// Whether it differs in any pair of games.
    pub fn differs(&self) -> bool {
        self.points.iter().filter_map(|at| at.against).any(|effect| effect.differing > 0)
    }
}

impl Swept {
    /// So many failures are told.
    const TOLD: usize = 10;

    /// Of no seeds yet.
    pub fn new(sweep: &Sweep) -> Swept {
        let (gauges, _, alone) = sweep.gauges();
        let points = Sweep::points(&sweep.parameters).unwrap_or_default();
        let contrast = |parameter: &Parameter| {
            let (weights, numbers) = (parameter.contrast()?, parameter.numbers()?);
            let by_one: i64 = weights.iter().zip(numbers).map(|(weight, number)| weight * number).sum();
            let others = points.len() / parameter.values.len();
            Some(Contrast { weights, scale: by_one as f64 * others as f64 })
        };
        Swept {
            figures: vec![vec![[Paired::default(); 2]; points.len()]; gauges.len()],
            rises: vec![vec![Paired::default(); sweep.parameters.len()]; gauges.len()],
            contrasts: sweep.parameters.iter().map(contrast).collect(),
            base: sweep.base,
            gauges,
            alone,
            games: 0,
            failed: (0, Vec::new()),
            outcomes: BTreeMap::new(),
            points,
        }
    }

    /// One more seed. In whatever order they are added, they come to the same.
    pub fn add(&mut self, across: &Across) {
        if let Some(wrong) = &across.wrong {
            self.failed.0 += 1;
            self.failed.1.push((across.seed, wrong.clone()));
            self.failed.1.sort();
            self.failed.1.truncate(Swept::TOLD);
            return;
        }
        self.games += 1;
        for (point, outcome) in across.outcomes.iter().enumerate() {
            let counts = self.outcomes.entry(outcome.clone()).or_insert_with(|| vec![0; across.outcomes.len()]);
            counts[point] += 1;
        }
        for (gauge, figures) in self.figures.iter_mut().enumerate() {
            let value = |point: usize| across.values[point][gauge];
            for (point, [alone, against]) in figures.iter_mut().enumerate() {
                alone.add([0, value(point)]);
                against.add([value(self.base), value(point)]);
            }
            for (parameter, contrast) in self.contrasts.iter_mut().enumerate() {
                let Some(Contrast { weights, .. }) = contrast else { continue };
                let weighed = self.points.iter().enumerate();
                let rise: i64 = weighed.map(|(at, point)| weights[point[parameter]] * i64::from(value(at))).sum();
                match i32::try_from(rise) {
                    Ok(rise) => self.rises[gauge][parameter].add([0, rise]),
                    // Beyond what figures are counted in, there is no saying how it rises.
                    Err(_) => *contrast = None,
                }
            }
        }
    }

    /// What it has found, gauge by gauge: differences from the base at every other point and rises, all of them looked at
    /// together.
    pub fn found(&self) -> Vec<Found> {
        let mut looked_at: Vec<Option<Effect>> = Vec::new();
        for ((gauge, figures), rises) in self.gauges.iter().zip(&self.figures).zip(&self.rises) {
            let of_gauge = |effect: Effect| if gauge.is_share { effect.of_share() } else { effect };
            let against = figures.iter().enumerate().filter(|(point, _)| *point != self.base);
            looked_at.extend(against.map(|(_, [_, against])| against.effect().map(of_gauge)));
            looked_at.extend(rises.iter().zip(&self.contrasts).map(|(rise, of)| of.as_ref().and(rise.effect())));
        }
        let stands = Correction::Holm.standing(&looked_at);
        let mut found = looked_at.into_iter().zip(stands);
        let mut next = || found.next().unwrap_or((None, false));
        let of_gauge = |(gauge, figures): (&Gauge, &Vec<[Paired; 2]>)| {
            let at = |(point, [alone, _]): (usize, &[Paired; 2])| {
                let (against, stands) = if point == self.base { (None, false) } else { next() };
                let (mean, within) = alone.mean();
                let share = || wilson(mean * self.games as f64, self.games as f64);
                let interval = if gauge.is_share { share() } else { within };
                At { mean, interval, against, stands }
            };
            let points = figures.iter().enumerate().map(at).collect();
            let rise = |of: &Option<Contrast>| {
                let (rise, stands) = next();
                let (effect, scale) = (rise?, of.as_ref()?.scale);
                let interval = ends(effect.interval).map_or(UNKNOWN, |ends| ends.map(|end| end / scale));
                Some(Rise { by: effect.difference / scale, interval, p: effect.p, stands })
            };
            Found { points, rises: self.contrasts.iter().map(rise).collect() }
        };
        self.gauges.iter().zip(&self.figures).map(of_gauge).collect()
    }

    /// What a gauge comes to on average for each value of a parameter, whatever the others are.
    pub fn by_value(&self, found: &Found, parameter: usize) -> Vec<f64> {
        let count = self.points.iter().map(|point| point[parameter] + 1).max().unwrap_or(0);
        let mean = |value: usize| {
            let of_value = self.points.iter().zip(&found.points).filter(|(point, _)| point[parameter] == value);
            let (sum, count) = of_value.fold((0.0, 0.0), |(sum, count), (_, at)| (sum + at.mean, count + 1.0));
            sum / f64::max(count, 1.0)
        };
        (0..count).map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Parameter::parse(text).expect("it is one").values
    }

    #[test]
    fn parameters_are_ranges_or_lists() {
        assert_eq!(values("units/stuart/due=20..23"), ["20", "21", "22", "23"]);
        assert_eq!(values("a=-4..4:4"), ["-4", "0", "4"]);
        assert_eq!(values("a=1..10:4"), ["1", "5", "9"]);
        assert_eq!(values("settings/attacks/default=free, held"), ["free", "held"]);
        for (text, why) in [
            ("a", "it wants PATH=LEAST..MOST"),
            ("=1..2", "it wants PATH=LEAST..MOST"),
            ("a=1", "`a=1` is one value"),
            ("a=2..2", "`a=2..2` is one value"),
            ("a=1,2,1", "`1` stands twice"),
            ("a=3..1", "`3..1:1` goes nowhere"),
            ("a=1..3:0", "`1..3:0` goes nowhere"),
            ("a=1..x", "`x` is no whole number"),
            ("a=1..3000000000", "`3000000000` is no whole number"),
            ("a=1..100", "100 values are too many: 64 at most"),
        ] {
            let told = Parameter::parse(text).expect_err("it is none");
            assert!(told.contains(why), "{text}: {told}");
        }
    }

    #[test]
    fn points_are_all_combinations() {
        let of = |text: &str| Parameter::parse(text).expect("it is one");
        assert_eq!(
            Sweep::points(&[of("a=1..2"), of("b=1..2")]),
            Ok(vec![vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]])
        );
        assert!(Sweep::points(&[of("a=1..9"), of("b=1..8")]).is_err_and(|why| why.starts_with("72 values")));
    }

    #[test]
    fn contrasts_sum_up_to_nothing_and_are_small() {
        let of = |text: &str| Parameter::parse(text).expect("it is one").contrast();
        assert_eq!(of("a=20..23"), Some(vec![-3, -1, 1, 3]));
        assert_eq!(of("a=100..300:100"), Some(vec![-1, 0, 1]));
        assert_eq!(of("a=1,2,6"), Some(vec![-2, -1, 3]));
        assert_eq!(of("a=free,held"), None);
    }
}

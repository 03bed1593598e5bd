//! Two versions of a game held against each other over many pairs of games: each pair has one seed, one chance and the same
//! players, and differs only where the versions do.

use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc};

use super::{
    Gauge, Player,
    crew::Crew,
    spoken::listening,
    statistics::{Correction, Effect, Paired},
    trial::{Trial, trial},
};
use crate::{
    play::{Limits, Match, Rules, Session},
    ruleset::{Ruleset, mixed},
};

/// Games to be compared.
#[derive(Debug, Clone)]
pub struct Pairs {
    /// The two versions.
    pub versions: [Arc<Ruleset>; 2],
    /// The scenario of each, by its number.
    pub scenarios: [usize; 2],
    /// Who answers for each side.
    pub players: [Vec<Player>; 2],
    /// The seed of the first pair; the others follow it.
    pub seed: u64,
    /// How many.
    pub games: u64,
    /// On so many threads.
    pub jobs: usize,
    /// Whether the games of a pair have the same seed. Without, there is nothing to a pair, and figures tell how much
    /// pairing is worth.
    pub is_paired: bool,
}

/// What became of the difference between two versions in one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exercise {
    /// In no decision was anything else offered, and nothing else came of it.
    NeverArose,
    /// Something else was offered, and the same was answered, with the same result.
    Unused,
    /// The games parted, and came to the same in all that is measured but the decisions they took.
    WithoutEffect,
    /// Something that is measured came out differently.
    WithEffect,
}

impl Exercise {
    /// All of them.
    pub const ALL: [Exercise; 4] =
        [Exercise::NeverArose, Exercise::Unused, Exercise::WithoutEffect, Exercise::WithEffect];

    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Exercise::NeverArose => "never arose",
            Exercise::Unused => "arose and was never used",
            Exercise::WithoutEffect => "was used without effect",
            Exercise::WithEffect => "had an effect",
        }
    }

    /// The same for machines.
    pub fn key(self) -> String {
        self.word().replace(' ', "_")
    }
}

/// Two games of one seed.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The seed.
    pub seed: u64,
    /// How each ended.
    pub outcomes: [String; 2],
    /// What was measured of both, gauge by gauge.
    pub values: Vec<[i32; 2]>,
    /// What became of the difference.
    pub exercise: Exercise,
    /// The answer, counted from 0, at which they part; nothing where all answers are the same.
    pub parted: Option<usize>,
    /// How often each rolled.
    pub rolls: [u64; 2],
    /// How many rolls both made for the same event, and so with the same dice.
    pub shared: u64,
    /// Why one of them could not be played to its end; the pair does not count then.
    pub wrong: Option<String>,
}

impl Pair {
    fn new(first: &Trial, second: &Trial, comparison: &Comparison) -> Pair {
        let both = || first.told.iter().zip(&second.told);
        let same = both().take_while(|(a, b)| a.answered == b.answered).count();
        let is_same_record = same == first.told.len() && same == second.told.len();
        // Where they part they are still in one position, and what is offered there can be compared.
        let arose = both().take(same + 1).any(|(a, b)| a.offered != b.offered);
        let values: Vec<[i32; 2]> = comparison.at.iter().map(|[a, b]| [first.values[*a], second.values[*b]]).collect();
        let mut of_the_game = comparison.gauges.iter().zip(&values).filter(|(gauge, _)| gauge.is_of_the_game());
        let is_same_end = is_same_record && first.hash == second.hash;
        let exercise = match () {
            () if of_the_game.any(|(_, [a, b])| a != b) || first.outcome != second.outcome => Exercise::WithEffect,
            () if !is_same_end => Exercise::WithoutEffect,
            () if arose => Exercise::Unused,
            () => Exercise::NeverArose,
        };
        let mut left: BTreeMap<u64, u64> = BTreeMap::new();
        first.rolled.iter().for_each(|key| *left.entry(*key).or_default() += 1);
        let mut shared = 0;
        for key in &second.rolled {
            if let Some(left) = left.get_mut(key).filter(|left| **left > 0) {
                *left -= 1;
                shared += 1;
            }
        }
        Pair {
            seed: first.seed,
            outcomes: [first.outcome.clone(), second.outcome.clone()],
            values,
            exercise,
            parted: (!is_same_record).then_some(same),
            rolls: [first, second].map(|trial| trial.rolled.len() as u64),
            shared,
            wrong: first.wrong.clone().or_else(|| second.wrong.clone()),
        }
    }
}

/// What many pairs come to.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// What is measured in both versions, as the first has it.
    pub gauges: Vec<Gauge>,
    /// Names of gauges that one version alone has; they are not compared.
    pub alone: Vec<String>,
    /// How many pairs count.
    pub pairs: u64,
    /// Pairs that could not be played to their end, the first few with the reason.
    pub failed: (u64, Vec<(u64, String)>),
    /// How often each outcome came, in each version.
    pub outcomes: BTreeMap<String, [u64; 2]>,
    /// How often each thing became of the difference, in the order of [`Exercise::ALL`].
    pub exercised: [u64; 4],
    /// Rolls in each version.
    pub rolls: [u64; 2],
    /// Rolls that both made for the same event.
    pub shared: u64,
    /// How many pairs are so far apart: by how much the first side leads more in B than in A, by the first measure.
    pub apart: BTreeMap<i64, u64>,
    /// The pair whose games differ most.
    pub widest: Option<Widest>,
    /// Whether intervals and stars hold whenever one stops, and not only for a number of pairs settled before.
    pub is_at_any_time: bool,
    /// How differences are kept from being called by chance.
    pub correction: Correction,
    pub(super) figures: Vec<Paired>,
    at: Vec<[usize; 2]>,
}

/// A pair whose games differ, by how much: of the first measure, one side's sum less the other's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Widest {
    /// Its seed.
    pub seed: u64,
    /// By how much.
    pub gap: u32,
}

impl Comparison {
    /// So many failures are told.
    const TOLD: usize = 10;

    /// Of no pairs yet.
    pub fn new(pairs: &Pairs) -> Comparison {
        let [first, second] = [0, 1].map(|at| pairs.gauges(at));
        let place = |gauge: &Gauge, among: &[Gauge]| among.iter().position(|other| other.id == gauge.id);
        let lone = |of: &[Gauge], among: &[Gauge]| {
            of.iter().filter(|gauge| place(gauge, among).is_none()).map(|gauge| gauge.id.clone()).collect::<Vec<_>>()
        };
        let alone = [lone(&first, &second), lone(&second, &first)].concat();
        let both = first.iter().enumerate().filter_map(|(at, gauge)| Some([at, place(gauge, &second)?]));
        let at: Vec<[usize; 2]> = both.collect();
        let gauges: Vec<Gauge> = at.iter().map(|[a, _]| first[*a].clone()).collect();
        Comparison {
            figures: vec![Paired::default(); gauges.len()],
            gauges,
            alone,
            at,
            pairs: 0,
            failed: (0, Vec::new()),
            outcomes: BTreeMap::new(),
            exercised: [0; 4],
            rolls: [0; 2],
            shared: 0,
            apart: BTreeMap::new(),
            widest: None,
            is_at_any_time: false,
            correction: Correction::default(),
        }
    }

    /// One more pair. In whatever order pairs are added, they come to the same.
    pub fn add(&mut self, pair: &Pair) {
        if let Some(wrong) = &pair.wrong {
            self.failed.0 += 1;
            self.failed.1.push((pair.seed, wrong.clone()));
            self.failed.1.sort();
            self.failed.1.truncate(Comparison::TOLD);
            return;
        }
        self.pairs += 1;
        for (at, outcome) in pair.outcomes.iter().enumerate() {
            self.outcomes.entry(outcome.clone()).or_default()[at] += 1;
        }
        self.exercised[pair.exercise as usize] += 1;
        self.rolls.iter_mut().zip(pair.rolls).for_each(|(all, rolls)| *all += rolls);
        self.shared += pair.shared;
        self.figures.iter_mut().zip(&pair.values).for_each(|(figures, values)| figures.add(*values));
        let apart = self.apart(pair);
        *self.apart.entry(apart).or_default() += 1;
        let gap = u32::try_from(apart.unsigned_abs()).unwrap_or(u32::MAX);
        // Of several as wide the first seed.
        if gap > 0 && self.widest.is_none_or(|known| (gap, known.seed) > (known.gap, pair.seed)) {
            self.widest = Some(Widest { seed: pair.seed, gap });
        }
    }

    /// By how much more the first side leads in the second game of a pair, by the first measure.
    fn apart(&self, pair: &Pair) -> i64 {
        let scores = self.gauges.iter().zip(&pair.values).filter(|(gauge, _)| gauge.is_score());
        let between = |[a, b]: [i32; 2]| i64::from(b) - i64::from(a);
        scores.zip([1, -1]).map(|((_, values), sign)| sign * between(*values)).sum()
    }

    /// What each gauge comes to.
    pub fn effects(&self) -> Vec<Option<Effect>> {
        (0..self.figures.len()).map(|at| self.effect(at, 0.05)).collect()
    }

    /// What one gauge comes to, with an interval that fails no more often than `alpha`.
    pub(super) fn effect(&self, at: usize, alpha: f64) -> Option<Effect> {
        let of = &self.figures[at];
        let effect = if self.is_at_any_time { of.effect_at_any_time(alpha) } else { of.effect_at(alpha) }?;
        Some(if self.gauges[at].is_share { effect.of_share() } else { effect })
    }

    /// Which of them differ at 95 %, all of them looked at together.
    pub fn standing(&self) -> Vec<bool> {
        self.correction.standing(&self.effects())
    }
}

impl Pairs {
    /// Plays them all. `make` makes rules of a version; `done` hears of each pair, in the order of their seeds, whatever the
    /// threads. Seeds of which `is_done` says so are passed over.
    ///
    /// # Errors
    /// The rules could not be made; or what `done` says, and no more pairs are begun then.
    pub fn play<R: Rules, E: Send>(
        &self,
        make: impl Fn(&Arc<Ruleset>) -> Result<R, E> + Sync,
        is_done: impl Fn(u64) -> bool + Sync,
        mut done: impl FnMut(Pair) -> Result<(), E>,
    ) -> Result<(), E> {
        self.play_while(make, is_done, |pair| done(pair).map(ControlFlow::Continue))
    }

    /// The same, until `done` has enough; it hears of no pair after that.
    ///
    /// # Errors
    /// As [`Pairs::play`].
    pub fn play_while<R: Rules, E: Send>(
        &self,
        make: impl Fn(&Arc<Ruleset>) -> Result<R, E> + Sync,
        is_done: impl Fn(u64) -> bool + Sync,
        mut done: impl FnMut(Pair) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let make = |ruleset: &Arc<Ruleset>| make(ruleset).map_err(ControlFlow::Continue);
        let hear = |pair: Pair| match done(pair) {
            Ok(ControlFlow::Continue(())) => Ok(()),
            Ok(ControlFlow::Break(())) => Err(ControlFlow::Break(())),
            Err(wrong) => Err(ControlFlow::Continue(wrong)),
        };
        match self.play_all(make, is_done, hear) {
            Ok(()) | Err(ControlFlow::Break(())) => Ok(()),
            Err(ControlFlow::Continue(wrong)) => Err(wrong),
        }
    }

    fn play_all<R: Rules, E: Send>(
        &self,
        make: impl Fn(&Arc<Ruleset>) -> Result<R, E> + Sync,
        is_done: impl Fn(u64) -> bool + Sync,
        mut done: impl FnMut(Pair) -> Result<(), E>,
    ) -> Result<(), E> {
        let comparison = Comparison::new(self);
        let gauges = [0, 1].map(|at| self.gauges(at));
        let crew = Crew { pieces: self.games, jobs: self.jobs };
        let begin = || {
            let session = |at: usize| Ok(Session::of(make(&self.versions[at])?, self.begin(at, self.seed)));
            Ok([session(0)?, session(1)?])
        };
        let work = |sessions: &mut [Session<R>; 2], number: u64| {
            let seed = self.seed.wrapping_add(number);
            (!is_done(seed)).then(|| {
                let mut play =
                    |at: usize| trial(&mut sessions[at], self.begin(at, seed), &self.players[at], &gauges[at]);
                Pair::new(&play(0), &play(1), &comparison)
            })
        };
        crew.work(begin, work, |pair| pair.map_or(Ok(()), &mut done))
    }

    /// What is measured in one version.
    pub(super) fn gauges(&self, at: usize) -> Vec<Gauge> {
        Gauge::all(&self.versions[at], self.scenarios[at])
    }

    /// The match of one version under the seed of a pair.
    pub(super) fn begin(&self, at: usize, seed: u64) -> Match {
        self.begun(at, seed, Limits::BULK)
    }

    /// The same, to be listened to.
    pub(super) fn listened(&self, at: usize, seed: u64, log: bool) -> Match {
        self.begun(at, seed, listening(log))
    }

    fn begun(&self, at: usize, seed: u64, limits: Limits) -> Match {
        let seed = if self.is_paired || at == 0 { seed } else { mixed(seed) };
        Match::new(self.versions[at].clone(), self.scenarios[at], seed, limits)
    }
}

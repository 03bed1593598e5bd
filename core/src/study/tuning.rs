//! A player's weights moved to where it wins more: by simultaneous perturbation (SPSA, Spall 1998, Johns Hopkins APL Technical
//! Digest 19(4)). At each step all weights are moved at once, up and down at random; both players that come of it play the
//! same pairs of games against an opponent, and the weights go the way of whoever took more points.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::{
    Ladder, Player, Tournament,
    crew::Crew,
    tournament::{both_ways, may_meet, sides},
};
use crate::{
    diagnostic::suggest,
    play::{Limits, Match, Rules, Session},
    ruleset::{Ruleset, Variant, Weight, joined, mixed},
};

/// A player to be tuned, and how.
#[derive(Debug, Clone)]
pub struct Tuning {
    /// The game in its version, with the player as it is.
    pub ruleset: Arc<Ruleset>,
    /// The scenario, by its number.
    pub scenario: usize,
    /// The player's name.
    pub player: String,
    /// The weights that are moved, as they are.
    pub weights: Vec<Weight>,
    /// Whom it plays against.
    pub against: Player,
    /// How many pairs of games each of the two players of a step plays.
    pub pairs: u64,
    /// How many steps.
    pub steps: u64,
    /// The seed of the first pair; the others follow it.
    pub seed: u64,
    /// On so many threads.
    pub jobs: usize,
    /// The two sides that take part, by their numbers.
    pub sides: [i32; 2],
}

/// A game of a tuning could not be played to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("seed {seed} could not be played to its end: {wrong}")]
pub struct Unplayable {
    /// Its seed.
    pub seed: u64,
    /// Why not.
    pub wrong: String,
}

/// What the two players of a step took, in half points: the one whose weights were moved up, and the other.
pub type Tried = [i64; 2];

/// How far weights are moved to be tried at first, in parts of what lies between their bounds.
const TRIED: f64 = 0.25;
/// How far they go at first for a difference of all points.
const GAIN: f64 = 0.15;
/// No farther in one step.
const FARTHEST: f64 = 0.2;
/// How fast both grow less, as Spall advises.
const FADING: [f64; 2] = [0.101, 0.602];

impl Tuning {
    /// Of these weights of a player, or of all that have room to be moved.
    ///
    /// # Errors
    /// Why it cannot be tuned, in a sentence.
    pub fn new(
        ruleset: Arc<Ruleset>,
        scenario: usize,
        player: &str,
        weights: &[String],
        against: Option<Player>,
    ) -> Result<Tuning, String> {
        let itself = Player::parse(player);
        itself.fits(&ruleset)?;
        let Some(judgement) = ruleset.judgement(player).map(|at| &ruleset.judgements[at]) else {
            return Err(format!("`{player}` has no weights to be moved: name a player of `{}`", ruleset.id));
        };
        let has_room = |weight: &&Weight| weight.bounds.0 < weight.bounds.1;
        let mut moved: Vec<Weight> = Vec::new();
        for name in weights {
            let Some(weight) = judgement.weights.iter().find(|weight| weight.name == *name) else {
                let help = suggest(name, judgement.weights.iter().map(|weight| weight.name.as_str()));
                return Err(format!("`{player}` has no weight `{name}`; {help}"));
            };
            if !has_room(&weight) {
                return Err(format!("`{name}` has no room: its bounds are {0} and {0}", weight.bounds.0));
            }
            if moved.iter().any(|other| other.name == *name) {
                return Err(format!("`{name}` is named twice"));
            }
            moved.push(weight.clone());
        }
        if weights.is_empty() {
            moved.extend(judgement.weights.iter().filter(has_room).cloned());
        }
        if moved.is_empty() {
            return Err(format!("`{player}` has no weights to be moved"));
        }
        // What cannot be ranked cannot be tuned either, and for the same reasons.
        let against = against.unwrap_or(itself);
        may_meet(&against, &ruleset)?;
        let sides = sides(&ruleset, scenario)?;
        Ok(Tuning {
            player: player.to_owned(),
            weights: moved,
            against,
            ruleset,
            scenario,
            pairs: 1,
            steps: 1,
            seed: 1,
            jobs: 1,
            sides,
        })
    }

    /// One hash for all that its steps hang on.
    pub fn key(&self) -> String {
        let scenario = &self.ruleset.scenarios[self.scenario].id;
        let minds: Vec<(&str, u32)> = self.ruleset.judgements.iter().map(|p| (&*p.name, p.hash)).collect();
        let asked = (&self.player, self.against.to_string(), self.pairs, self.steps, self.seed);
        let all = format!(
            "{} {:?} {minds:?} {:?} {asked:?}",
            env!("CARGO_PKG_VERSION"),
            self.ruleset.parts_played(scenario),
            self.weights
        );
        format!("{:016x}", xxh3_64(all.as_bytes()))
    }

    /// Where the weights stand after these steps.
    pub fn stands(&self, tried: &[Tried]) -> Vec<(String, i32)> {
        self.whole(&self.place(tried))
    }

    /// The same, each in parts of what lies between its bounds.
    fn place(&self, tried: &[Tried]) -> Vec<f64> {
        let scaled = |weight: &Weight| f64::from(weight.is - weight.bounds.0) / range(weight);
        let mut place: Vec<f64> = self.weights.iter().map(scaled).collect();
        let settled = self.steps as f64 / 10.0;
        for (step, [up, down]) in tried.iter().enumerate() {
            let sides = self.perturbed(&place, step as u64);
            let gain = GAIN * ((settled + 1.0) / (settled + step as f64 + 1.0)).powf(FADING[1]);
            let more = (up - down) as f64 / (4 * self.pairs) as f64;
            for ((at, weight), (up, down)) in place.iter_mut().zip(&self.weights).zip(sides[0].iter().zip(&sides[1])) {
                let apart = f64::from(up.1 - down.1) / range(weight);
                if apart != 0.0 {
                    *at = (*at + (gain * more / apart).clamp(-FARTHEST, FARTHEST)).clamp(0.0, 1.0);
                }
            }
        }
        place
    }

    /// The weights of the two players of a step, each at least one from where it stands but at its bounds.
    fn perturbed(&self, place: &[f64], step: u64) -> [Vec<(String, i32)>; 2] {
        let tried = TRIED / (step as f64 + 1.0).powf(FADING[0]);
        [1.0, -1.0].map(|way| {
            let moved = self.weights.iter().zip(place).map(|(weight, at)| {
                let draw = mixed(joined(&[self.seed, step, xxh3_64(weight.name.as_bytes())]));
                let way = if draw >> 63 == 0 { way } else { -way };
                at + way * tried.max(1.0 / range(weight))
            });
            self.whole(&moved.collect::<Vec<f64>>())
        })
    }

    fn whole(&self, place: &[f64]) -> Vec<(String, i32)> {
        let one = |(weight, at): (&Weight, &f64)| {
            let (least, most) = weight.bounds;
            let is = (f64::from(least) + at * range(weight)).round() as i32;
            (weight.name.clone(), is.clamp(least, most))
        };
        self.weights.iter().zip(place).map(one).collect()
    }

    /// A name that no player has.
    fn name(&self, kind: &str) -> String {
        let mut name = format!("{}-{kind}", self.player);
        while self.ruleset.judgement(&name).is_some() {
            name.push_str("-too");
        }
        name
    }

    fn variant(&self, kind: &str, weights: Vec<(String, i32)>) -> Variant {
        Variant { of: self.player.clone(), name: self.name(kind), weights }
    }

    /// Takes the step behind these. `load` loads the version with players besides, `make` makes rules of it; `done` hears of
    /// each pair of games that both have played.
    ///
    /// # Errors
    /// What those say, or a game cannot be played to its end.
    pub fn step<R: Rules, E: Send + From<Unplayable>>(
        &self,
        tried: &[Tried],
        load: impl Fn(Vec<Variant>) -> Result<Arc<Ruleset>, E>,
        make: impl Fn(&Arc<Ruleset>) -> Result<R, E> + Sync,
        mut done: impl FnMut(),
    ) -> Result<Tried, E> {
        let step = tried.len() as u64;
        let [up, down] = self.perturbed(&self.place(tried), step);
        let ruleset = load(vec![self.variant("up", up), self.variant("down", down)])?;
        let players = ["up", "down"].map(|kind| Player::Named(self.name(kind).into()));
        let first = self.seed.wrapping_add(step.wrapping_mul(self.pairs));
        let begin = || -> Result<Session<R>, E> {
            let begun = Match::new(ruleset.clone(), self.scenario, first, Limits::BULK);
            Ok(Session::of(make(&ruleset)?, begun))
        };
        let work = |session: &mut Session<R>, number: u64| {
            let seed = first.wrapping_add(number);
            let mut took = [0; 2];
            for (took, player) in took.iter_mut().zip(&players) {
                let halves = both_ways(session, self.scenario, seed, self.sides, [player, &self.against]);
                *took = halves.map_err(|wrong| Unplayable { seed, wrong })?.into_iter().map(i64::from).sum();
            }
            Ok(took)
        };
        let mut all = [0; 2];
        let crew = Crew { pieces: self.pairs, jobs: self.jobs };
        crew.work(begin, work, |took: Result<Tried, Unplayable>| {
            all.iter_mut().zip(took?).for_each(|(all, took)| *all += took);
            done();
            Ok(())
        })?;
        Ok(all)
    }

    /// What has come of it: the player as it is tuned, as it was, and the opponent held against each other in so many pairs of
    /// games, of which none was played before.
    ///
    /// # Errors
    /// What `load` and `make` say.
    pub fn held_out<R: Rules, E: Send>(
        &self,
        tried: &[Tried],
        pairs: u64,
        load: impl Fn(Vec<Variant>) -> Result<Arc<Ruleset>, E>,
        make: impl Fn(&Arc<Ruleset>) -> Result<R, E> + Sync,
        mut done: impl FnMut(),
    ) -> Result<HeldOut, E> {
        let tuned = self.variant("tuned", self.stands(tried));
        let [was, is] = [self.player.clone(), tuned.name.clone()];
        let ruleset = load(vec![tuned])?;
        let mut players: Vec<Player> = [&was, &is].map(|name| Player::Named(name.as_str().into())).into();
        if !players.contains(&self.against) {
            players.push(self.against.clone());
        }
        let seed = self.seed.wrapping_add(self.steps.wrapping_mul(self.pairs));
        let tournament = Tournament::new(ruleset, self.scenario, players);
        let tournament = tournament.expect("they are the players of the tuning, and those were looked at");
        let tournament = Tournament { seed, pairs, jobs: self.jobs, ..tournament };
        let ladder = tournament.play(make, |_| done())?;
        Ok(HeldOut { seed, pairs, was, is, ladder })
    }

    /// How many pairs of games [`Tuning::held_out`] plays in all, for so many of every two.
    pub fn held_out_pairs(&self, pairs: u64) -> u64 {
        let is_apart = self.against != Player::Named(self.player.as_str().into());
        if is_apart { 3 * pairs } else { pairs }
    }
}

/// From its least to its most.
fn range(weight: &Weight) -> f64 {
    f64::from(weight.bounds.1) - f64::from(weight.bounds.0)
}

/// A player as it is tuned against itself as it was, on seeds that it was not tuned on.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldOut {
    /// The first seed.
    pub seed: u64,
    /// How many pairs of games every two played.
    pub pairs: u64,
    /// What the player as it was is called.
    pub was: String,
    /// What it is called as it is tuned.
    pub is: String,
    /// What they came to.
    pub ladder: Ladder,
}

impl HeldOut {
    /// Whether it is sure that something was gained.
    pub fn is_gain(&self) -> bool {
        self.ladder.is_stronger(&self.is, &self.was)
    }
}

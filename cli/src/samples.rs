//! Versions that a study plays by themselves.

use std::{path::Path, thread};

use anyhow::{Result, bail};
use countermarch_core::study::{Case, PlannedSample, Sample, Sampled, Sweep};

use crate::{
    Which,
    compare::under::{cases, file_of, version_in},
    content::{self, Asked, Content},
    seats::{Seat, players, seats},
    sweep,
};

/// A version that is about to be played.
pub struct Ready {
    planned: PlannedSample,
    content: Content,
    asked: Asked,
    sweep: Sweep,
}

/// What its games came to, and those of the cases it was played in too.
pub struct Came {
    sample: Sample,
    under: Vec<(Case, Sample)>,
}

impl Ready {
    /// Loads what is to be played: no more games than `most`, and so many at once.
    ///
    /// # Errors
    /// There is no such thing.
    pub fn new(planned: &PlannedSample, most: u64, jobs: u16) -> Result<Ready> {
        let which = Which { game: format!("{}@{}", planned.game, planned.version), set: planned.set.clone() };
        let (content, asked) = content::find(&which)?;
        let ruleset = content.playable(&asked)?;
        let scenario = content::scenario(&ruleset, planned.scenario.as_deref())?;
        let seats = seats(&ruleset, &planned.players, &[Seat::RANDOM])?;
        let Some(players) = players(&seats) else { bail!("people do not play in a study") };
        let jobs = usize::from(jobs).min(thread::available_parallelism().map_or(1, usize::from));
        let games = planned.games.min(most);
        let unswept = Sweep::new(Vec::new(), vec![ruleset.clone()], &ruleset, scenario);
        let sweep = Sweep { players, seed: planned.seed, games, jobs, ..unswept };
        let ready = Ready { planned: planned.clone(), content, asked, sweep };
        ready.cases()?;
        Ok(ready)
    }

    fn cases(&self) -> Result<Vec<Case>> {
        let Sweep { versions, scenario, players, .. } = &self.sweep;
        cases(&self.planned.under, versions, *scenario, &[players])
    }

    /// Of no games.
    pub fn nothing(&self) -> Came {
        Came { sample: Sample::new(&self.sweep, &self.planned.words), under: Vec::new() }
    }

    /// Plays it, and it again in every case, with the games kept in this folder.
    ///
    /// # Errors
    /// Games cannot be played or kept.
    pub fn played(&self, folder: Option<&Path>, is_quiet: bool) -> Result<Came> {
        let name = &self.planned.name;
        let one = |sweep: &Sweep, file: String| -> Result<Sample> {
            let trials = folder.map(|folder| folder.join(file));
            let mut sample = Sample::new(sweep, &self.planned.words);
            sweep::played(sweep, trials.as_deref(), is_quiet, |across| sample.add(across))?;
            Ok(sample)
        };
        let sample = one(&self.sweep, format!("{name}.csv"))?;
        let in_case = |case: Case| -> Result<(Case, Sample)> {
            let mut sweep = self.sweep.clone();
            match &case {
                Case::Played(player) => sweep.players = player.for_all_of(&sweep.versions[0]),
                Case::Read(..) | Case::Rebuilt(..) => {
                    let version = version_in(&case, &self.content, (&self.asked, &sweep.versions[0]))?;
                    sweep.scenario = content::scenario(&version, self.planned.scenario.as_deref())?;
                    sweep.versions = vec![version];
                }
            }
            let sample = one(&sweep, format!("{name}.{}.csv", file_of(&case)))?;
            Ok((case, sample))
        };
        Ok(Came { sample, under: self.cases()?.into_iter().map(in_case).collect::<Result<_>>()? })
    }
}

impl Came {
    /// What it is told from.
    pub fn sampled<'a>(&'a self, ready: &'a Ready) -> Sampled<'a> {
        Sampled { name: &ready.planned.name, sweep: &ready.sweep, sample: &self.sample, under: &self.under }
    }

    /// How many games could not be played to their end.
    pub fn failed(&self) -> u64 {
        self.sample.failed.0
    }
}

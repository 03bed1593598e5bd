//! `countermarch compare --record` and `--walk`: two versions held against each other decision by decision.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use anyhow::{Result, bail};
use clap::Args;
use countermarch_core::{
    play::{Limits, Match, Record, Session},
    ruleset::Ruleset,
    study::{Make, Mixtures, Place, Player, Walk, play_out, walked_json, walked_text},
};
use countermarch_scripting::{Budget, Runtime};

use crate::{
    content::{self, Asked, Content},
    records,
};

/// What is walked, in place of many games played.
#[derive(Args)]
#[group(skip)]
pub struct Options {
    /// Walk a record decision by decision under both versions, in place of playing games. Exits with 1 where they differ.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "seed", "scenario", "players", "jobs"])]
    #[arg(conflicts_with_all = ["each", "effects", "under", "until", "unpaired", "trials", "from", "parquet", "html"])]
    record: Option<PathBuf>,
    /// Play the games for the purpose, each seed under both versions, and walk their records.
    #[arg(long, conflicts_with_all = ["record", "jobs", "each", "unpaired", "trials", "parquet", "html"])]
    #[arg(conflicts_with_all = ["effects", "under", "until", "from"])]
    walk: bool,
}

/// Games that are played to be walked.
pub struct Games {
    /// Of each version which scenario, by its number.
    pub scenarios: [usize; 2],
    /// Of each version who answers for each side.
    pub players: [Vec<Player>; 2],
    /// The seed of the first.
    pub seed: u64,
    /// How many seeds.
    pub games: u64,
}

impl Options {
    /// Whether anything is to be walked.
    pub fn is_asked(&self) -> bool {
        self.record.is_some() || self.walk
    }

    /// Whether it is a record that is walked.
    pub fn is_of_record(&self) -> bool {
        self.record.is_some()
    }

    /// Walks, and tells what differs. `games` are played where no record is named.
    pub fn run(
        &self,
        content: &Content,
        asked: [&Asked; 2],
        names: &[String; 2],
        versions: [Arc<Ruleset>; 2],
        games: impl FnOnce() -> Result<Games>,
        as_json: bool,
    ) -> Result<bool> {
        let mixtures = Mixtures::new([&versions[0], &versions[1]], asked.map(|asked| &asked.selection));
        let (library, id) = (content.library.clone(), asked[0].id.clone());
        let make: Arc<Make<Runtime>> = Arc::new(move |selection| {
            let loaded = Ruleset::load(&library, &id, selection).ok()?;
            let rules = Runtime::new(loaded.ruleset.clone(), Budget::default()).ok()?;
            Some((loaded.ruleset, rules))
        });
        let mut walk = Walk::new(versions.clone(), &mixtures, &make)?;
        let mut places: Vec<(String, Place)> = Vec::new();
        if let Some(file) = &self.record {
            let opened = records::open(file, asked[0].folder.as_deref())?;
            if opened.ruleset.id != versions[0].id {
                bail!(
                    "{} is a record of `{}`, and `{}` is another game",
                    file.display(),
                    opened.ruleset.id,
                    versions[0].id
                );
            }
            walk.record((&opened.ruleset, &opened.record), content::runtime, |place| {
                places.push((String::new(), place.clone()));
            })?;
        } else {
            let games = games()?;
            let mut told = BTreeSet::new();
            for seed in (0..games.games).map(|number| games.seed.wrapping_add(number)) {
                for (at, version) in versions.iter().enumerate() {
                    let record = played(version, games.scenarios[at], &games.players[at], seed)?;
                    let of = format!("seed {seed} under {}", names[at]);
                    walk.record((version, &record), content::runtime, |place| {
                        let is_new =
                            place.contrasts.iter().filter(|contrast| told.insert(contrast.by.clone())).count() > 0;
                        if is_new {
                            places.push((of.clone(), place.clone()));
                        }
                    })?;
                }
            }
        }
        let is_same = walk.walked.laid.is_empty();
        if as_json {
            println!("{}", walked_json(names, &walk.walked, &places));
        } else {
            print!("{}", walked_text(names, &walk.walked, &places, self.walk));
        }
        Ok(is_same)
    }
}

/// The record of a game that is played to its end.
fn played(version: &Arc<Ruleset>, scenario: usize, players: &[Player], seed: u64) -> Result<Record> {
    let begun = Match::new(version.clone(), scenario, seed, Limits::BULK);
    let mut session = Session::of(content::runtime(version)?, begun);
    if let Some(wrong) = play_out(&mut session, players).wrong {
        bail!("{}, seed {seed}: {wrong}", version.full_name());
    }
    Ok(session.record().clone())
}

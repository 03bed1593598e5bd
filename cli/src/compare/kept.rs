//! Where the pairs of a comparison come from: from its file of trials as far as they stand there, then from the parts that
//! others have played, or else they are played here.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};
use countermarch_core::study::{Columns, Comparison, Correction, Pair, Pairs, Stopping, Until};
use indicatif::{ProgressBar, ProgressStyle};

use super::files::TrialFile;
use crate::content::{self, Faulty};

/// A part of the pairs of a comparison: 3/16 is the third of sixteen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// Reads `3/16`.
    pub fn parse(text: &str) -> Result<Shard, String> {
        let split = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match split {
            Some((number, of)) if (1..=of).contains(&number) && of <= 1_000_000 => Ok(Shard { number, of }),
            _ => Err(format!("`{text}` is no part, such as 3/16 is: the third of sixteen")),
        }
    }

    /// Its part of so many pairs from a seed on: which seed it begins with, and how many it has. All parts together have
    /// every pair once, in the order of the parts.
    pub fn of(self, seed: u64, games: u64) -> (u64, u64) {
        let before = |parts: u64| (u128::from(games) * u128::from(parts) / u128::from(self.of)) as u64;
        let begins = before(self.number - 1);
        (seed.wrapping_add(begins), before(self.number) - begins)
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// The files of trials in a folder, by the comparison they are of, each with the seed it begins with.
#[derive(Debug)]
pub struct Parts {
    folder: PathBuf,
    of: BTreeMap<String, Vec<(u64, PathBuf)>>,
}

impl Parts {
    /// Looks through a folder.
    ///
    /// # Errors
    /// It cannot be read; or a CSV file in it holds no trials.
    pub fn of(folder: &Path) -> Result<Parts> {
        let cannot = || format!("cannot read {}", folder.display());
        let mut of: BTreeMap<String, Vec<(u64, PathBuf)>> = BTreeMap::new();
        for entry in fs::read_dir(folder).with_context(cannot)? {
            let path = entry.with_context(cannot)?.path();
            if path.extension().is_none_or(|ending| ending != "csv") {
                continue;
            }
            let begins = File::open(&path)
                .map_err(Into::into)
                .and_then(|file| Columns::begins(file).map_err(anyhow::Error::from));
            if let Some((key, seed)) = begins.with_context(|| format!("cannot read trials of {}", path.display()))? {
                of.entry(key).or_default().push((seed, path));
            }
        }
        Ok(Parts { folder: folder.to_owned(), of })
    }

    /// Reads the pairs of a comparison, in the order of seeds, but for the first so many.
    fn read(
        &self,
        pairs: &Pairs,
        columns: &Columns,
        held: u64,
        mut each: impl FnMut(Pair) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let place = |seed: u64| seed.wrapping_sub(pairs.seed);
        let mut files = self.of.get(&columns.key).cloned().unwrap_or_default();
        files.sort_by_key(|(seed, path)| (place(*seed), path.clone()));
        let (mut due, mut enough) = (0, false);
        for (_, path) in &files {
            let cannot = || format!("cannot read trials of {}", path.display());
            let mut wrong = None;
            columns
                .read(File::open(path).with_context(cannot)?, |pair| {
                    let at = place(pair.seed);
                    if wrong.is_some() || enough {
                        return;
                    }
                    if at >= pairs.games {
                        wrong = Some(anyhow!(
                            "it holds a pair of seed {}, and those asked for are {} and {} more",
                            pair.seed,
                            pairs.seed,
                            pairs.games - 1
                        ));
                    } else if at < due {
                        wrong = Some(anyhow!(
                            "it holds a pair of seed {} that another file in {} holds too",
                            pair.seed,
                            self.folder.display()
                        ));
                    } else if at > due {
                        wrong = Some(self.lacks(pairs, due, at));
                    } else {
                        due += 1;
                        if at >= held {
                            match each(pair) {
                                Ok(flow) => enough = flow.is_break(),
                                Err(why) => wrong = Some(why),
                            }
                        }
                    }
                })
                .with_context(cannot)?;
            if let Some(wrong) = wrong {
                return Err(if wrong.is::<Faulty>() { wrong } else { wrong.context(cannot()) });
            }
        }
        if enough || due >= pairs.games { Ok(()) } else { Err(self.lacks(pairs, due, pairs.games)) }
    }

    fn lacks(&self, pairs: &Pairs, from: u64, to: u64) -> anyhow::Error {
        let seed = |at: u64| pairs.seed.wrapping_add(at);
        let (first, last) = (seed(from), seed(to - 1));
        let other = if self.of.is_empty() {
            String::new()
        } else {
            format!("; it holds trials of {} comparisons", self.of.len())
        };
        let folder = self.folder.display();
        Faulty(format!("{folder} lacks pairs of seeds {first} to {last} of {}{other}: play the parts that are not whole once more, with --shard", told(pairs))).into()
    }
}

/// A comparison, in a few words.
fn told(pairs: &Pairs) -> String {
    let [a, b] = pairs.versions.each_ref().map(|ruleset| ruleset.full_name());
    format!("{a} and {b}")
}

/// Where pairs come from and how they are read.
pub struct Keeping<'a> {
    /// The file that trials are written to and gone on with.
    pub trials: Option<PathBuf>,
    /// What others have played.
    pub parts: Option<&'a Parts>,
    /// What they are played for.
    pub until: &'a [Until],
    /// How differences are kept from being called by chance.
    pub correction: Correction,
}

/// A comparison that has been played.
pub struct Kept {
    /// What it came to.
    pub comparison: Comparison,
    /// What it was played for.
    pub stopping: Option<Stopping>,
    /// The file of its trials.
    pub file: Option<TrialFile>,
}

/// How far so many of something have come, and how long the others will take.
pub fn progress(of: u64, what: &str) -> Result<ProgressBar> {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left");
    Ok(ProgressBar::new(of).with_style(ProgressStyle::with_template(&template)?))
}

impl Keeping<'_> {
    /// Comes by all the pairs there are to be. `what` are they called while one waits.
    pub fn all(&self, pairs: &Pairs, what: &str) -> Result<Kept> {
        let mut comparison = Comparison::new(pairs);
        comparison.correction = self.correction;
        comparison.is_at_any_time = !self.until.is_empty();
        let stopping = (!self.until.is_empty()).then(|| Stopping::of(self.until, &comparison, pairs.games));
        let stopping = stopping.transpose().map_err(|why| anyhow!(why))?;
        let is_enough =
            |comparison: &Comparison| stopping.as_ref().is_some_and(|stopping| stopping.is_enough(comparison));
        let columns = Columns::of(pairs, &comparison);
        let mut held = 0;
        let mut file = match &self.trials {
            None => None,
            Some(path) => Some(TrialFile::open(path, columns.clone(), |pair| {
                if pair.seed != pairs.seed.wrapping_add(held) || held >= pairs.games {
                    let last = pairs.games.saturating_sub(1);
                    bail!(
                        "it holds a pair of seed {}, and those asked for are {} and {last} more",
                        pair.seed,
                        pairs.seed
                    );
                }
                held += 1;
                comparison.add(&pair);
                Ok(())
            })?),
        };
        if !is_enough(&comparison) {
            let bar = progress(pairs.games, what)?;
            bar.set_position(held);
            bar.reset_eta();
            let mut each = |pair: Pair| {
                bar.inc(1);
                comparison.add(&pair);
                file.as_mut().map_or(Ok(()), |file| file.write(&pair))?;
                Ok(if is_enough(&comparison) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            };
            match self.parts {
                Some(parts) => parts.read(pairs, &columns, held, each)?,
                None => {
                    let is_held = |seed: u64| seed.wrapping_sub(pairs.seed) < held;
                    pairs.play_while(content::runtime, is_held, &mut each)?;
                }
            }
            bar.finish_and_clear();
        }
        Ok(Kept { comparison, stopping, file })
    }

    /// The same for a comparison beside this one, whose trials stand in a file beside.
    pub fn beside(&self, name: &str) -> Keeping<'_> {
        let trials = self.trials.as_ref().map(|path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            path.with_file_name(format!("{stem}.{name}.csv"))
        });
        Keeping { trials, parts: self.parts, until: &[], correction: self.correction }
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn parts_have_every_pair_once_and_in_order() {
        for (games, of) in [(2000, 16), (5, 4), (3, 7), (1, 1), (u64::MAX, 1000)] {
            let mut due = 40_u64;
            let mut sum = 0;
            for number in 1..=of {
                let (seed, games) = Shard { number, of }.of(40, games);
                assert_eq!(seed, due);
                due = due.wrapping_add(games);
                sum += u128::from(games);
            }
            assert_eq!(sum, u128::from(games));
        }
        assert_eq!(Shard::parse("3/16"), Ok(Shard { number: 3, of: 16 }));
        for wrong in ["", "3", "0/4", "5/4", "-1/4", "a/b", "1/0", "1/2/3"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }
}

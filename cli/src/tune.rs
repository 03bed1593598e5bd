//! `countermarch tune`: a player's weights moved to where it wins more.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use countermarch_core::{
    ruleset::{Selection, Variant, reweighed},
    study::{HeldOut, Player, Tried, Tuning, tuning_json, tuning_text},
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::{
    Which,
    compare::{files::NewFile, quoted},
    content::{self, Asked, Content, Faulty},
    rank::replace,
};

/// Tunes a player.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// The player: one of the game's that has `weights:`.
    player: String,
    /// The scenario; the first without.
    #[arg(long)]
    scenario: Option<String>,
    /// Which weights are moved, within their bounds; all without.
    #[arg(long, value_name = "WEIGHT", value_delimiter = ',')]
    weights: Vec<String>,
    /// Whom it plays against: itself as it is now without.
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// How many games the player plays at each step with its weights moved up, and as many with them moved down: in pairs of
    /// one seed, on either side once.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// How many steps.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// How many games tell afterwards what was gained, on seeds that nothing was tuned on.
    #[arg(long, value_name = "GAMES", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..))]
    held_out: u64,
    /// The seed of the first pair; the others follow it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games at once; no more than the machine has cores.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Keep what came of each step in this file. A tuning that was stopped is gone on with from there.
    #[arg(long, value_name = "FILE.json")]
    state: Option<PathBuf>,
    /// Write the player's file with the tuned numbers to this new file; all else in it stays.
    #[arg(long, value_name = "FILE.yaml")]
    out: Option<PathBuf>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// `countermarch tune`.
pub fn run(options: &Options) -> Result<bool> {
    for (option, games) in [("games", options.games), ("held-out", options.held_out)] {
        if !games.is_multiple_of(2) {
            bail!("games are played in pairs: give --{option} an even number");
        }
    }
    let (content, asked) = content::find(&options.which)?;
    let ruleset = content.playable(&asked)?;
    let scenario = content::scenario(&ruleset, options.scenario.as_deref())?;
    let against = options.against.as_deref().map(Player::parse);
    let tuning = Tuning::new(ruleset, scenario, &options.player, &options.weights, against);
    let tuning = Tuning {
        pairs: options.games / 2,
        steps: options.steps,
        seed: options.seed,
        jobs: usize::from(options.jobs).min(thread::available_parallelism().map_or(1, usize::from)),
        ..tuning.map_err(|why| anyhow!("{why}"))?
    };
    let out = options.out.as_deref().map(NewFile::at).transpose()?;
    if out.is_some() {
        // What cannot be written is said before anything is played.
        file_of_player(&content, &tuning, &tuning.stands(&[]))?;
    }
    let mut state = options.state.as_deref().map(|path| State::open(path, &tuning)).transpose()?;
    let load = |variants: Vec<Variant>| {
        let Asked { folder, id, selection } = &asked;
        let selection = Selection { variants, ..selection.clone() };
        content.load(&Asked { folder: folder.clone(), id: id.clone(), selection })
    };
    let mut tried = state.as_ref().map(|state| state.tried.clone()).unwrap_or_default();
    let bar = bar(options, tuning.steps * tuning.pairs, "pairs of games")?;
    bar.set_position(tried.len() as u64 * tuning.pairs);
    bar.reset_eta();
    while (tried.len() as u64) < tuning.steps {
        let took = tuning.step(&tried, load, content::runtime, || bar.inc(1))?;
        tried.push(took);
        state.as_mut().map_or(Ok(()), |state| state.add(took))?;
    }
    bar.finish_and_clear();
    let weights = tuning.stands(&tried);
    let is_as_it_was = weights.iter().zip(&tuning.weights).all(|((_, is), weight)| *is == weight.is);
    let held: Option<HeldOut> = match is_as_it_was {
        true => None,
        false => {
            let pairs = options.held_out / 2;
            let bar = self::bar(options, tuning.held_out_pairs(pairs), "pairs of games held out")?;
            let held = tuning.held_out(&tried, pairs, load, content::runtime, || bar.inc(1))?;
            bar.finish_and_clear();
            Some(held)
        }
    };
    let again = again(options, &tuning);
    if options.json {
        println!("{}", tuning_json(&tuning, &tried, held.as_ref(), &again));
    } else {
        print!("{}", tuning_text(&tuning, &tried, held.as_ref(), &again));
    }
    if let Some(out) = out {
        let text = file_of_player(&content, &tuning, &weights)?;
        out.write(|file| Ok(file.write_all(text.as_bytes())?))?;
    }
    let failed = held.map_or(0, |held| held.ladder.failed.0);
    if failed > 0 {
        return Err(Faulty(format!("{failed} pairs could not be played to their end")).into());
    }
    Ok(true)
}

fn bar(options: &Options, length: u64, what: &str) -> Result<ProgressBar> {
    let bar = if options.json { ProgressBar::hidden() } else { ProgressBar::new(length) };
    let style = format!("{{bar:40}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left");
    bar.set_style(ProgressStyle::with_template(&style)?);
    Ok(bar)
}

/// The player's file with other numbers.
fn file_of_player(content: &Content, tuning: &Tuning, weights: &[(String, i32)]) -> Result<String> {
    let at = tuning.ruleset.judgement(&tuning.player).expect("it is tuned");
    let file = &tuning.ruleset.judgements[at].span.file;
    let text = content.library.text(file).unwrap_or("");
    reweighed(file, text, &tuning.player, weights).map_err(|weight| {
        anyhow!(
            "weight `{weight}` does not stand in {file}, and so --out cannot change it there: leave it out of --weights"
        )
    })
}

/// What came of each step, on disk: from it follows where the weights stand.
struct State {
    path: PathBuf,
    key: String,
    tried: Vec<Tried>,
}

impl State {
    /// Of this tuning, as far as it has come; of a new one where there is no file.
    fn open(path: &Path, tuning: &Tuning) -> Result<State> {
        let mut state = State { path: path.to_owned(), key: tuning.key(), tried: Vec::new() };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(wrong) if wrong.kind() == io::ErrorKind::NotFound => {
                state.write()?;
                return Ok(state);
            }
            Err(wrong) => return Err(wrong).with_context(|| format!("cannot read {}", path.display())),
        };
        let read: Option<Value> = serde_json::from_str(&text).ok();
        let key = read.as_ref().and_then(|read| read["key"].as_str());
        let both = |step: &Value| -> Option<Tried> { Some([step.get(0)?.as_i64()?, step.get(1)?.as_i64()?]) };
        let tried =
            read.as_ref().and_then(|read| read["tried"].as_array()?.iter().map(both).collect::<Option<Vec<_>>>());
        let (Some(key), Some(tried)) = (key, tried) else {
            bail!("{} is no state of a tuning: name another file, and nothing is written to this one", path.display());
        };
        if key != state.key {
            bail!(
                "{} is of another tuning (another game or version, player, weights, opponent, seed, number of games or steps): \
                 name another file",
                path.display()
            );
        }
        let most = 4 * tuning.pairs as i64;
        if tried.len() as u64 > tuning.steps || tried.iter().flatten().any(|took| !(0..=most).contains(took)) {
            bail!("{} holds steps that this tuning cannot have taken: name another file", path.display());
        }
        state.tried = tried;
        Ok(state)
    }

    fn add(&mut self, took: Tried) -> Result<()> {
        self.tried.push(took);
        self.write()
    }

    fn write(&self) -> Result<()> {
        let whole = json!({ "format": 1, "key": self.key, "tried": self.tried });
        replace(&self.path, &format!("{whole}\n"))
    }
}

/// The command that does the same again.
fn again(options: &Options, tuning: &Tuning) -> String {
    let mut words =
        vec!["countermarch".to_owned(), "tune".to_owned(), options.which.game.clone(), options.player.clone()];
    let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
    options.which.set.iter().for_each(|set| add("--set", set.clone()));
    add("--scenario", tuning.ruleset.scenarios[tuning.scenario].id.clone());
    let weights: Vec<&str> = tuning.weights.iter().map(|weight| weight.name.as_str()).collect();
    add("--weights", weights.join(","));
    add("--against", tuning.against.to_string());
    add("--games", options.games.to_string());
    add("--steps", options.steps.to_string());
    add("--held-out", options.held_out.to_string());
    add("--seed", options.seed.to_string());
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

//! `countermarch rank`: players held against each other.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use countermarch_core::{
    library::Library,
    ruleset::{Ranking, Ruleset},
    study::{Player, Tournament, ladder_json, ladder_text, ranking},
};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    Which,
    compare::quoted,
    content::{self, Faulty},
};

/// Ranks players.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// The scenario; the first without.
    #[arg(long)]
    scenario: Option<String>,
    /// Who plays: random, a player of the game, careful or careful:NODES; all the game has, random and careful without.
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    players: Vec<String>,
    /// How many pairs of games every two players play: of one seed, each on either side once. The strongest plays as many
    /// games against itself.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// The seed of the first pair; the others follow it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games at once; no more than the machine has cores.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    /// Write the ladder as content to this file, `rulesets/GAME/ladder.yaml`: in place of what it says of the same scenario
    /// and version, beside the rest.
    #[arg(long, value_name = "FILE.yaml")]
    out: Option<PathBuf>,
}

/// `countermarch rank`.
pub fn run(options: &Options) -> Result<bool> {
    let (content, asked) = content::find(&options.which)?;
    let ruleset = content.playable(&asked)?;
    let scenario = content::scenario(&ruleset, options.scenario.as_deref())?;
    let players = match &*options.players {
        [] => usual(&ruleset),
        named => named.iter().map(|name| Player::parse(name)).collect(),
    };
    let tournament = Tournament::new(ruleset, scenario, players).map_err(|why| anyhow!("{why}"))?;
    let jobs = usize::from(options.jobs).min(thread::available_parallelism().map_or(1, usize::from));
    let tournament = Tournament { seed: options.seed, pairs: options.pairs, jobs, ..tournament };
    let again = again(options, &tournament);
    if let Some(path) = &options.out {
        if !options.which.set.is_empty() {
            bail!("a ladder is written of a version as it is: leave out --set, or --out");
        }
        // What cannot be gone on with is said before anything is played.
        held(path)?;
    }
    let bar = if options.json { ProgressBar::hidden() } else { ProgressBar::new(tournament.games()) };
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left")?);
    let ladder = tournament.play(content::runtime, |games| bar.inc(games))?;
    bar.finish_and_clear();
    if options.json {
        println!("{}", ladder_json(&tournament, &ladder, &again));
    } else {
        print!("{}", ladder_text(&tournament, &ladder, &again));
    }
    if ladder.failed.0 > 0 {
        return Err(Faulty(format!("{} games or pairs could not be played to their end", ladder.failed.0)).into());
    }
    if let Some(path) = &options.out {
        replace(path, &ranking(&tournament, &ladder, &again).file_with(held(path)?))?;
    }
    Ok(true)
}

/// Everybody there is.
fn usual(ruleset: &Ruleset) -> Vec<Player> {
    let named = ruleset.judgements.iter().map(|player| Player::Named(player.name.as_str().into()));
    let all = [Player::Random, Player::parse("careful")].into_iter().chain(named);
    all.filter(|player| player.fits(ruleset).is_ok()).collect()
}

/// What a file of ladders holds; nothing where there is none yet.
fn held(path: &Path) -> Result<Vec<Ranking>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(wrong) if wrong.kind() == io::ErrorKind::NotFound => String::new(),
        Err(wrong) => return Err(wrong).with_context(|| format!("cannot read {}", path.display())),
    };
    let file = path.display().to_string();
    Ranking::in_file(&file, &text).map_err(|found| {
        let mut library = Library::default();
        library.insert(&file, text);
        content::tell(&found, &library);
        anyhow!("{file} is no ladder that `countermarch rank` has written: name another file, or delete it")
    })
}

/// Puts a text in place of a file's, which is whole at any moment.
pub fn replace(path: &Path, text: &str) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, text).with_context(cannot)?;
    fs::rename(&beside, path).inspect_err(|_| _ = fs::remove_file(&beside)).with_context(cannot)
}

/// The command that does the same again.
fn again(options: &Options, tournament: &Tournament) -> String {
    let mut words = vec!["countermarch".to_owned(), "rank".to_owned(), options.which.game.clone()];
    let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
    options.which.set.iter().for_each(|set| add("--set", set.clone()));
    add("--scenario", tournament.ruleset.scenarios[tournament.scenario].id.clone());
    let players: Vec<String> = tournament.players.iter().map(ToString::to_string).collect();
    add("--players", players.join(","));
    add("--pairs", options.pairs.to_string());
    add("--seed", options.seed.to_string());
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

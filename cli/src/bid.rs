//! `countermarch bid`: what one side must be given for two sides to win alike.

use std::{sync::Arc, thread};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use countermarch_core::{
    ruleset::Ruleset,
    study::{Bidding, Fair, FairFound, Leads, fair_json, fair_text, search},
};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    Which,
    compare::quoted,
    content::{self, Faulty},
    seats::{Seat, players, seats},
    sweep,
};

/// Looks for the fair bid.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// The sum that is bid in; the score of the game without.
    #[arg(long, conflicts_with = "sweep")]
    measure: Option<String>,
    /// Look among the values of a path in place of points, with which one side wins more from each to the next:
    /// scenarios/first-hours/state/union/score=-20..20.
    #[arg(long, value_name = "PATH=VALUES")]
    sweep: Option<String>,
    /// How many games, and as many more to tell of what was found on.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of the first game; the others follow it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games at once; no more than the machine has cores.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// The scenario; the first without.
    #[arg(long)]
    scenario: Option<String>,
    /// Who plays: SIDE=random or SIDE=plain; random without, but for an umpire, who is plain.
    #[arg(long = "players", value_name = "SIDE=PLAYER", value_delimiter = ',')]
    players: Vec<String>,
    /// So many points of a hundred off even are near enough. Exits with 1 where nothing comes so near.
    #[arg(long, value_name = "POINTS", default_value_t = 2.0, value_parser = near)]
    within: f64,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

fn near(text: &str) -> Result<f64, String> {
    let points: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if (0.0..=50.0).contains(&points) { Ok(points) } else { Err("it is not in 0..50".to_owned()) }
}

/// `countermarch bid`.
pub fn run(options: &Options) -> Result<bool> {
    let (content, asked) = content::find(&options.which)?;
    let ruleset = content.playable(&asked)?;
    let scenario = content::scenario(&ruleset, options.scenario.as_deref())?;
    let seats = seats(&ruleset, &options.players, &[Seat::RANDOM])?;
    let Some(players) = players(&seats) else { bail!("people do not play for a bid") };
    let parameters = sweep::parameters(options.sweep.as_slice())?;
    let versions = if parameters.is_empty() { Vec::new() } else { sweep::versions(&content, &asked, &parameters)? };
    let bidding = Bidding::new(ruleset, scenario, options.measure.as_deref()).map_err(|why| anyhow!("{why}"))?;
    let jobs = usize::from(options.jobs).min(thread::available_parallelism().map_or(1, usize::from));
    let bidding = Bidding { players, seed: options.seed, games: options.games, jobs, ..bidding };
    let held_out = options.seed.wrapping_add(options.games);
    let of = |version: &Arc<Ruleset>, seed: u64| -> Result<Leads> {
        let bidding = Bidding { ruleset: version.clone(), seed, ..bidding.clone() };
        let bar = if options.json { ProgressBar::hidden() } else { ProgressBar::new(options.games) };
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left")?);
        let leads = bidding.play(content::runtime, || bar.inc(1))?;
        bar.finish_and_clear();
        if leads.games == 0 {
            let why = leads.failed.first().map_or_else(String::new, |(seed, why)| format!("; seed {seed}: {why}"));
            return Err(Faulty(format!("no game could be played to its end{why}")).into());
        }
        Ok(leads)
    };
    let leads = of(&bidding.ruleset, options.seed)?;
    let found = match parameters.first() {
        None => {
            let bid = leads.fair().ok_or_else(|| anyhow!("no games, no bid"))?;
            FairFound::Points(bid, of(&bidding.ruleset, held_out)?.with(bid.halves))
        }
        Some(parameter) => {
            let searched =
                search(versions.len(), |at| Ok::<_, anyhow::Error>(of(&versions[at], options.seed)?.as_won()))?;
            let nearest = &versions[searched.tried[searched.nearest].at];
            FairFound::Value(parameter, searched.clone(), of(nearest, held_out)?.as_won())
        }
    };
    let again = again(options, &bidding);
    let fair =
        Fair { bidding: &bidding, leads: &leads, found: &found, held_out, within: options.within, again: &again };
    if options.json {
        println!("{}", fair_json(&fair));
    } else {
        print!("{}", fair_text(&fair));
    }
    if !leads.failed.is_empty() {
        return Err(Faulty(format!("{} games could not be played to their end", leads.failed.len())).into());
    }
    Ok(fair.is_even())
}

/// The command that does the same again.
fn again(options: &Options, bidding: &Bidding) -> String {
    let mut words = vec!["countermarch".to_owned(), "bid".to_owned(), options.which.game.clone()];
    let mut add = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
    options.which.set.iter().for_each(|set| add("--set", set));
    options.measure.iter().for_each(|measure| add("--measure", measure));
    options.sweep.iter().for_each(|sweep| add("--sweep", sweep));
    add("--scenario", &bidding.ruleset.scenarios[bidding.scenario].id);
    options.players.iter().for_each(|player| add("--players", player));
    add("--games", &options.games.to_string());
    add("--seed", &options.seed.to_string());
    if options.within != 2.0 {
        add("--within", &options.within.to_string());
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

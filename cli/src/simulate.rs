//! `countermarch simulate`: many games, counted.

use std::{collections::BTreeMap, thread, time::Instant};

use anyhow::{Result, bail};
use clap::Args;
use countermarch_core::{
    play::{Failure, Limits, SessionError},
    ruleset::Ruleset,
    study::{Played, Series},
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::{
    Which, content,
    seats::{Seat, players, seats},
};

/// Plays many games.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// How many games.
    #[arg(long, default_value_t = 100)]
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
    /// Who plays: SIDE=random or SIDE=plain; random without.
    #[arg(long = "players", value_name = "SIDE=PLAYER", value_delimiter = ',')]
    players: Vec<String>,
    /// Carry every task out twice and compare, and look after each whether what always holds does.
    #[arg(long)]
    verify: bool,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    /// Write one line of comma-separated values a game.
    #[arg(long)]
    csv: bool,
}

/// `countermarch simulate`.
pub fn run(options: &Options) -> Result<bool> {
    let (content, asked) = content::find(&options.which)?;
    let ruleset = content.playable(&asked)?;
    let scenario = content::scenario(&ruleset, options.scenario.as_deref())?;
    let seats = seats(&ruleset, &options.players, &[Seat::RANDOM])?;
    let Some(players) = players(&seats) else { bail!("people do not play in a simulation") };
    let limits = Limits { verify: options.verify, ..Limits::BULK };
    let bar = if options.json || options.csv { ProgressBar::hidden() } else { ProgressBar::new(options.games) };
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left")?);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let series = Series {
        scenario,
        seed: options.seed,
        games: options.games,
        players,
        limits,
        jobs: usize::from(options.jobs).min(cores),
    };
    let begun = Instant::now();
    let all = series.play(&ruleset, || content::runtime(&ruleset), |_| bar.inc(1))?;
    let seconds = begun.elapsed().as_secs_f64();
    bar.finish_and_clear();
    tell(options, &ruleset, &all, seconds)
}

fn tell(options: &Options, ruleset: &Ruleset, all: &[Played], seconds: f64) -> Result<bool> {
    let outcome = |p: &Played| p.outcome.as_ref().map_or_else(|| "unfinished".into(), |o| ruleset.outcome(o));
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    for played in all.iter().filter(|p| p.wrong.is_none()) {
        *outcomes.entry(outcome(played)).or_default() += 1;
    }
    let decisions: u64 = all.iter().map(|p| p.decisions).sum();
    let offers: u64 = all.iter().map(|p| p.offers).sum();
    let failed = |p: &Played, how: fn(&Failure) -> bool| matches!(&p.wrong, Some(SessionError::Failed(f)) if how(f));
    let is_dead_end = |p: &&Played| failed(p, |f| matches!(f, Failure::DeadEnd(_)));
    let dead_ends = all.iter().filter(is_dead_end).count();
    let mut broken: BTreeMap<&str, u64> = BTreeMap::new();
    for played in all {
        if let Some(SessionError::Failed(Failure::Broken(id, ..))) = &played.wrong {
            *broken.entry(id).or_default() += 1;
        }
    }
    let is_broken = |p: &&Played| failed(p, |f| matches!(f, Failure::Broken(..)));
    let errors = all.iter().filter(|p| p.wrong.is_some() && !is_dead_end(p) && !is_broken(p)).count();
    let finished = all.iter().filter(|p| p.wrong.is_none() && p.outcome.is_some()).count();
    if options.csv {
        println!("seed,outcome,turn,decisions,offers,hash");
        for p in all {
            println!("{},{},{},{},{},{:016x}", p.seed, outcome(p), p.turn, p.decisions, p.offers, p.hash);
        }
    } else if options.json {
        let whole = json!({
            "game": ruleset.id, "version": ruleset.version.to_string(), "games": all.len(), "finished": finished,
            "dead_ends": dead_ends, "errors": errors, "broken": broken, "decisions": decisions, "offers": offers, "seconds": seconds,
            "outcomes": outcomes,
        });
        println!("{whole}");
    } else {
        println!("{}: {} games in {seconds:.2} s", ruleset.full_name(), all.len());
        for (outcome, count) in &outcomes {
            println!("  {count:>7}  {:>5.1} %  {outcome}", 100.0 * *count as f64 / all.len().max(1) as f64);
        }
        let games = all.len().max(1) as f64;
        let turns: i64 = all.iter().map(|p| i64::from(p.turn)).sum();
        println!(
            "  {:.0} decisions a game over {:.1} turns, {:.1} offers a decision, {:.0} decisions a second",
            decisions as f64 / games,
            turns as f64 / games,
            offers as f64 / decisions.max(1) as f64,
            decisions as f64 / seconds
        );
    }
    for (id, count) in &broken {
        let invariant = ruleset.invariants.iter().find(|i| i.id == *id).expect("it has just been broken");
        let cite = ruleset.cite(invariant.cite);
        eprintln!("what always holds was broken in {count} games: `{id}`, {}  [{cite}]", invariant.say);
    }
    for played in all.iter().filter(|p| p.wrong.is_some()).take(10) {
        let wrong = played.wrong.as_ref().map_or_else(String::new, ToString::to_string);
        eprintln!("seed {}, turn {}: {wrong}", played.seed, played.turn);
    }
    Ok(errors == 0 && dead_ends == 0 && broken.is_empty() && finished == all.len())
}

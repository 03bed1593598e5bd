//! `countermarch simulate`: many games, counted.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use anyhow::{Result, bail};
use clap::Args;
use countermarch_core::{
    play::{Failure, Limits, Session, SessionError},
    ruleset::Ruleset,
};
use countermarch_scripting::Runtime;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::{
    Which, content,
    seats::{Seat, choose, seats},
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

/// How one game went.
struct Played {
    seed: u64,
    outcome: String,
    turn: i32,
    decisions: u64,
    offers: u64,
    dead_end: bool,
    broken: Option<String>,
    error: Option<String>,
    hash: u64,
}

/// Plays one game to its end.
fn play(
    ruleset: &Arc<Ruleset>,
    rules: Runtime,
    scenario: usize,
    seed: u64,
    seats: &[Seat],
    limits: Limits,
) -> (Played, Runtime) {
    let mut session = Session::new(ruleset.clone(), rules, scenario, seed, limits);
    let (mut decisions, mut offers) = (0, 0);
    let mut wrong = session.advance().err().map(SessionError::from);
    while wrong.is_none() {
        let Some(question) = session.question() else { break };
        let by = question.by;
        decisions += 1;
        offers += session.offers().len() as u64;
        let chosen = choose(&mut session, seats[by as usize], seed).map_err(SessionError::from);
        wrong = chosen.and_then(|action| session.act(by, action)).err();
    }
    let outcome = session.game().outcome().map_or_else(|| "unfinished".into(), |o| ruleset.outcome(o));
    let dead_end = matches!(wrong, Some(SessionError::Failed(Failure::DeadEnd(_))));
    let broken = match &wrong {
        Some(SessionError::Failed(Failure::Broken(id, ..))) => Some(id.clone()),
        _ => None,
    };
    let error = wrong.map(|w| w.to_string());
    let (turn, hash) = (session.game().turn(), session.game().hash());
    (Played { seed, outcome, turn, decisions, offers, dead_end, broken, error, hash }, session.into_rules())
}

/// `countermarch simulate`.
pub fn run(options: &Options) -> Result<bool> {
    let mut content = content::open()?;
    let (id, selection) = content::selection(&options.which)?;
    let ruleset = content.load(&id, &selection)?;
    let scenario = content::scenario(&ruleset, options.scenario.as_deref())?;
    let seats = seats(&ruleset, &options.players, &[Seat::Random])?;
    if seats.contains(&Seat::Human) {
        bail!("people do not play in a simulation");
    }
    drop(content::runtime(&ruleset)?);
    let limits = Limits { verify: options.verify, ..Limits::BULK };
    let bar = if options.json || options.csv { ProgressBar::hidden() } else { ProgressBar::new(options.games) };
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left")?);
    let next = AtomicU64::new(0);
    let all: Mutex<Vec<Played>> = Mutex::new(Vec::new());
    let begun = Instant::now();
    rayon::scope(|scope| {
        let most = rayon::current_num_threads() as u64;
        for _ in 0..u64::from(options.jobs).min(most).min(options.games) {
            scope.spawn(|_| {
                let Ok(mut rules) = content::runtime(&ruleset) else { return };
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= options.games {
                        return;
                    }
                    let (played, back) =
                        play(&ruleset, rules, scenario, options.seed.wrapping_add(number), &seats, limits);
                    rules = back;
                    bar.inc(1);
                    all.lock().expect("no player panics while it counts").push(played);
                }
            });
        }
    });
    let seconds = begun.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let mut all = all.into_inner().expect("no player panics while it counts");
    all.sort_by_key(|p| p.seed);
    tell(options, &ruleset, &all, seconds)
}

fn tell(options: &Options, ruleset: &Ruleset, all: &[Played], seconds: f64) -> Result<bool> {
    let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
    for played in all.iter().filter(|p| p.error.is_none()) {
        *outcomes.entry(&played.outcome).or_default() += 1;
    }
    let decisions: u64 = all.iter().map(|p| p.decisions).sum();
    let offers: u64 = all.iter().map(|p| p.offers).sum();
    let dead_ends = all.iter().filter(|p| p.dead_end).count();
    let mut broken: BTreeMap<&str, u64> = BTreeMap::new();
    for id in all.iter().filter_map(|p| p.broken.as_deref()) {
        *broken.entry(id).or_default() += 1;
    }
    let errors = all.iter().filter(|p| p.error.is_some() && !p.dead_end && p.broken.is_none()).count();
    let finished = all.iter().filter(|p| p.error.is_none() && p.outcome != "unfinished").count();
    if options.csv {
        println!("seed,outcome,turn,decisions,offers,hash");
        for p in all {
            println!("{},{},{},{},{},{:016x}", p.seed, p.outcome, p.turn, p.decisions, p.offers, p.hash);
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
    for played in all.iter().filter(|p| p.error.is_some()).take(10) {
        eprintln!("seed {}, turn {}: {}", played.seed, played.turn, played.error.as_deref().unwrap_or(""));
    }
    Ok(errors == 0 && dead_ends == 0 && broken.is_empty() && finished == all.len())
}

//! `countermarch simulate`: many games, counted.

use std::{collections::BTreeMap, io::Write as _, path::PathBuf, sync::Arc, thread, time::Instant};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use countermarch_cartography::draw::{Picture, contact_sheet};
use countermarch_core::{
    play::{Failure, Game, Limits, Match, Session, SessionError},
    ruleset::Ruleset,
    show::{Sight, count},
    study::{Kept, Played, Series, When, Whereabouts, failing, kept_json, kept_text, play_looking},
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::{
    Which,
    compare::{files::NewFile, quoted},
    content,
    seats::{Seat, players, seats},
};

/// Plays many games.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// How many games.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
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
    /// Hold the games against what this file asserts (`assert:`), besides what the scenario does. Exits with 1 where it fails.
    #[arg(long = "assert", value_name = "FILE.yaml")]
    assert: Option<PathBuf>,
    /// Tell where counters stood, in which share of the games: `end`, or PLACE:TURN as a place of the sequence is left.
    #[arg(long, value_name = "WHEN", conflicts_with = "csv")]
    stood: Option<String>,
    /// Draw the boards of the first games then on one sheet, SVG, to this new file.
    #[arg(long, value_name = "FILE.svg", requires = "stood")]
    sheet: Option<PathBuf>,
    /// Columns and rows of the sheet.
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "3x4", value_parser = grid, requires = "sheet")]
    grid: (usize, usize),
    /// Carry every task out twice and compare, and look after each whether what always holds does.
    #[arg(long)]
    verify: bool,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    /// Write one line of comma-separated values a game.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// `countermarch simulate`.
pub fn run(options: &Options) -> Result<bool> {
    let (mut content, mut asked) = content::find(&options.which)?;
    content.assert(&mut asked, options.assert.as_deref())?;
    let ruleset = content.playable(&asked)?;
    let scenario = content::scenario(&ruleset, options.scenario.as_deref())?;
    let come = ruleset.turns_of(scenario);
    for asserted in ruleset.scenarios[scenario].asserted.iter() {
        if let Some(turn) = asserted.at.iter().find_map(|at| at.never_comes(&come)) {
            bail!("`{}` is to be read in turn {turn}, to which no game of this scenario comes", asserted.id);
        }
    }
    let seats = seats(&ruleset, &options.players, &[Seat::RANDOM])?;
    let Some(players) = players(&seats) else { bail!("people do not play in a simulation") };
    let when = options.stood.as_ref().map(|text| When::parse(text, &ruleset, scenario));
    let when = when.transpose().map_err(|why| anyhow!("--stood: {why}"))?;
    let sheet = options.sheet.as_deref().map(NewFile::at).transpose()?;
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
        when,
        jobs: usize::from(options.jobs).min(cores),
    };
    let begun = Instant::now();
    let all = series.play(&ruleset, || content::runtime(&ruleset), |_| bar.inc(1))?;
    let seconds = begun.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let kept = look_into(&ruleset, &series, &all, &names(&ruleset, &seats))?;
    if let Some(sheet) = &sheet {
        let drawn = boards(&ruleset, &series, options.grid)?;
        sheet.write(|file| Ok(file.write_all(drawn.as_bytes())?))?;
    }
    let stood = series.when.as_ref().map(|when| (when, Whereabouts::of(&ruleset, &all)));
    tell(options, &ruleset, &all, &kept, stood, seconds)
}

fn grid(text: &str) -> Result<(usize, usize), String> {
    let read = text.split_once('x').and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    let read = read.filter(|(columns, rows)| (1..=12).contains(columns) && (1..=12).contains(rows));
    read.ok_or_else(|| "it wants COLUMNSxROWS, of 12 at most: 3x4".to_owned())
}

/// The boards of the first games, each at the time that is looked at.
fn boards(ruleset: &Arc<Ruleset>, series: &Series, (columns, rows): (usize, usize)) -> Result<String> {
    const WIDE: f64 = 480.0;
    let begin = |seed| Match::new(ruleset.clone(), series.scenario, seed, series.limits);
    let mut session = Session::of(content::runtime(ruleset)?, begin(series.seed));
    let mut games: Vec<(String, Game)> = Vec::new();
    for number in 0..series.games.min((columns * rows) as u64) {
        let seed = series.seed.wrapping_add(number);
        if session.take_up(begin(seed)).is_err() {
            bail!("it is of the session's ruleset");
        }
        let (played, position) = play_looking(&mut session, &series.players, series.when.as_ref());
        let outcome = played.outcome.map_or_else(|| "unfinished".into(), |outcome| ruleset.outcome(&outcome));
        games.extend(position.map(|position| (format!("seed {seed}: {outcome}"), position)));
    }
    let mut drawn = Vec::new();
    for (title, position) in &games {
        let game = Some((position, Sight::ALL));
        let picture =
            Picture { map: &ruleset.map, ground: None, game, overlays: Vec::new(), around: None, across: 48.0 };
        drawn.push((title.clone(), picture));
    }
    contact_sheet(&drawn, columns, WIDE)
}

/// Who sits where, as `play` has it.
fn names(ruleset: &Ruleset, seats: &[Seat]) -> String {
    let sides = ruleset.sides.iter().zip(seats);
    sides.map(|(side, seat)| format!(" --seat {}={seat}", side.id)).collect()
}

/// What became of what is asserted, with what stood in the way in the first games that failed it.
fn look_into(ruleset: &Arc<Ruleset>, series: &Series, all: &[Played], seated: &str) -> Result<Vec<Kept>> {
    let scenario = &ruleset.scenarios[series.scenario];
    let mut kept = Kept::of(&scenario.asserted, all);
    if kept.iter().all(|kept| kept.failing.is_empty()) {
        return Ok(kept);
    }
    // What is told is kept only where it is asked for.
    let limits = Limits { log: true, ..series.limits };
    let begin = |seed| Match::new(ruleset.clone(), series.scenario, seed, limits);
    let mut session = Session::of(content::runtime(ruleset)?, begin(series.seed));
    for (at, one) in kept.iter_mut().enumerate().filter(|(_, kept)| !kept.is_kept()) {
        for game in &mut one.failing {
            let seed = game.seed;
            *game = failing(&mut session, begin(seed), &series.players, at)?;
            let named = quoted(&ruleset.full_name());
            game.look = format!("countermarch play {named} --scenario {} --seed {seed}{seated}", scenario.id);
        }
    }
    Ok(kept)
}

fn tell(
    options: &Options,
    ruleset: &Ruleset,
    all: &[Played],
    kept: &[Kept],
    stood: Option<(&When, Whereabouts)>,
    seconds: f64,
) -> Result<bool> {
    let outcome = |p: &Played| p.outcome.as_ref().map_or_else(|| "unfinished".into(), |o| ruleset.outcome(o));
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    for played in all.iter().filter(|p| p.wrong.is_none()) {
        *outcomes.entry(outcome(played)).or_default() += 1;
    }
    let decisions: u64 = all.iter().map(|p| p.decisions).sum();
    let offers: u64 = all.iter().map(|p| p.offers).sum();
    let failed = |p: &Played, how: fn(&Failure) -> bool| matches!(&p.wrong, Some(SessionError::Failed(f)) if how(f));
    let is_dead_end = |p: &&Played| failed(p, |f| matches!(f, Failure::DeadEnd { .. }));
    let dead_ends = all.iter().filter(is_dead_end).count();
    let mut broken: BTreeMap<&str, u64> = BTreeMap::new();
    for played in all {
        if let Some(SessionError::Failed(Failure::Broken { id, .. })) = &played.wrong {
            *broken.entry(id).or_default() += 1;
        }
    }
    let is_broken = |p: &&Played| failed(p, |f| matches!(f, Failure::Broken { .. }));
    let errors = all.iter().filter(|p| p.wrong.is_some() && !is_dead_end(p) && !is_broken(p)).count();
    let finished = all.iter().filter(|p| p.wrong.is_none() && p.outcome.is_some()).count();
    let scenario = &ruleset.scenarios[content::scenario(ruleset, options.scenario.as_deref())?];
    let turns_of = |played: &Played| i64::from(played.turn - scenario.turns.0 + 1);
    if options.csv {
        println!("seed,outcome,turn,decisions,offers,hash");
        for p in all {
            println!("{},{},{},{},{},{:016x}", p.seed, outcome(p), p.turn, p.decisions, p.offers, p.hash);
        }
    } else if options.json {
        let whole = json!({
            "game": ruleset.id, "version": ruleset.version.to_string(), "games": all.len(), "finished": finished,
            "dead_ends": dead_ends, "errors": errors, "broken": broken,
            "turns": all.iter().map(turns_of).sum::<i64>(), "decisions": decisions, "offers": offers, "seconds": seconds,
            "outcomes": outcomes, "asserted": kept_json(kept),
            "stood": stood.as_ref().map(|(_, stood)| stood.json(ruleset)),
        });
        println!("{whole}");
    } else {
        let played = count(all.len(), "game", "games");
        println!("{}, {}: {played} in {seconds:.2} s", ruleset.full_name(), scenario.id);
        let broke_off = all.iter().filter(|p| p.wrong.is_some()).count() as u64;
        let broke_off = Some(("came to no end: see below".to_owned(), broke_off)).filter(|(_, count)| *count > 0);
        for (outcome, count) in outcomes.iter().chain(broke_off.iter().map(|(text, count)| (text, count))) {
            println!("  {count:>7}  {:>5.1} %  {outcome}", 100.0 * *count as f64 / all.len().max(1) as f64);
        }
        let games = all.len().max(1) as f64;
        let turns: i64 = all.iter().map(turns_of).sum();
        println!(
            "  {:.0} decisions a game over {:.1} turns, {:.1} offers a decision, {:.0} decisions a second",
            decisions as f64 / games,
            turns as f64 / games,
            offers as f64 / decisions.max(1) as f64,
            decisions as f64 / seconds
        );
        if options.verify && errors == 0 && broken.is_empty() {
            println!("  every task carried out twice, to the same end; nothing broken that always holds");
        }
        print!("{}", kept_text(kept));
        stood.iter().for_each(|(when, stood)| print!("\n{}", stood.text(ruleset, when)));
    }
    for (id, count) in &broken {
        let invariant = ruleset.invariants.iter().find(|i| i.id == *id).expect("it has just been broken");
        let cite = ruleset.cite(invariant.cite);
        eprintln!("what always holds was broken in {count} games: `{id}`, {}  [{cite}]", invariant.say);
    }
    const MOST_TOLD: usize = 10;
    let broke_off: Vec<(&Played, &SessionError)> = all.iter().filter_map(|p| Some((p, p.wrong.as_ref()?))).collect();
    for (played, wrong) in broke_off.iter().take(MOST_TOLD) {
        eprintln!("seed {}, turn {}: {wrong}", played.seed, played.turn);
    }
    if broke_off.len() > MOST_TOLD {
        eprintln!("and {} games more", broke_off.len() - MOST_TOLD);
    }
    let is_kept = kept.iter().all(Kept::is_kept);
    if options.csv && !is_kept {
        eprint!("{}", kept_text(kept));
    }
    Ok(is_kept && errors == 0 && dead_ends == 0 && broken.is_empty() && finished == all.len())
}

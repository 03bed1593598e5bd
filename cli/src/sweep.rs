//! `countermarch sweep`: the same seeds under every value of a parameter.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use countermarch_core::{
    ruleset::{Ruleset, Selection},
    study::{Across, Gauge, Parameter, Sweep, SweepColumns, SweepTold, Swept, sweep_json, sweep_page, sweep_text},
};
use indicatif::ProgressBar;

use crate::{
    Which,
    compare::{
        files::{NewFile, locked, must_be_apart, whole_lines},
        kept::progress,
        quoted,
    },
    content::{self, Asked, Content, Faulty},
    seats::{Seat, players, seats},
};

/// Sweeps parameters of a scenario.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// What is swept, a path as `--set` has it with its values: units/stuart/due=20..32, with :4 behind it in steps of 4, or
    /// settings/attacks/default=free,held. With several of them every combination is played.
    #[arg(long = "sweep", value_name = "PATH=VALUES", required = true)]
    sweep: Vec<String>,
    /// How many seeds, each played at every point.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The first seed; the others follow it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds at once; no more than the machine has cores.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// The scenario; the first without.
    #[arg(long)]
    scenario: Option<String>,
    /// Who plays: SIDE=random or SIDE=plain; random without, but for an umpire, who is plain.
    #[arg(long = "players", value_name = "SIDE=PLAYER", value_delimiter = ',')]
    players: Vec<String>,
    /// Tell point by point of the measures that are called or begin so (points, points.union); without, of those that hang on
    /// what is swept.
    #[arg(long = "measure", value_name = "MEASURE", value_delimiter = ',')]
    measures: Vec<String>,
    /// Write every game to this CSV file. One that was killed, or that is to have more games, is gone on with.
    #[arg(long, value_name = "FILE.csv")]
    trials: Option<PathBuf>,
    /// Write a page for a browser, with figures that anybody can redraw, to this new file.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// `countermarch sweep`.
pub fn run(options: &Options) -> Result<bool> {
    let (content, asked) = content::find(&options.which)?;
    let unswept = content.playable(&asked)?;
    let scenario = content::scenario(&unswept, options.scenario.as_deref())?;
    let seats = seats(&unswept, &options.players, &[Seat::RANDOM])?;
    let Some(players) = players(&seats) else { bail!("people do not play in a sweep") };
    let parameters = parameters(&options.sweep)?;
    measures_are_known(&Gauge::all(&unswept, scenario), &options.measures)?;
    must_be_apart(&[options.trials.as_ref(), options.html.as_ref()])?;
    let html = options.html.as_deref().map(NewFile::at).transpose()?;
    let versions = versions(&content, &asked, &parameters)?;
    let jobs = usize::from(options.jobs).min(thread::available_parallelism().map_or(1, usize::from));
    let sweep = Sweep {
        players,
        seed: options.seed,
        games: options.games,
        jobs,
        ..Sweep::new(parameters, versions, &unswept, scenario)
    };
    let mut swept = Swept::new(&sweep);
    played(&sweep, options.trials.as_deref(), options.json, |across| swept.add(&across))?;
    let again = again(options, &unswept, scenario);
    let told = SweepTold { unswept: &unswept, sweep: &sweep, swept: &swept, asked: &options.measures, again: &again };
    if let Some(html) = &html {
        html.write(|file| Ok(file.write_all(sweep_page(&told).as_bytes())?))?;
    }
    if options.json {
        println!("{}", sweep_json(&told));
    } else {
        print!("{}", sweep_text(&told));
    }
    if swept.failed.0 > 0 {
        return Err(Faulty(format!("{} seeds could not be played to their end", swept.failed.0)).into());
    }
    Ok(true)
}

/// What is swept.
pub fn parameters(texts: &[String]) -> Result<Vec<Parameter>> {
    let read = |text: &String| Parameter::parse(text).map_err(|why| anyhow!("--sweep: {why}"));
    let parameters: Vec<Parameter> = texts.iter().map(read).collect::<Result<_>>()?;
    for (at, parameter) in parameters.iter().enumerate() {
        if parameters[..at].iter().any(|other| other.path == parameter.path) {
            bail!("--sweep: `{}` is swept twice", parameter.path);
        }
    }
    Ok(parameters)
}

fn measures_are_known(gauges: &[Gauge], asked: &[String]) -> Result<()> {
    for asked in asked {
        let begins =
            |gauge: &Gauge| gauge.id.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        if !gauges.iter().any(begins) {
            let known: BTreeSet<&str> = gauges.iter().filter_map(|gauge| gauge.id.split('.').next()).collect();
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            bail!("no measure is called `{asked}` or begins so: {known}");
        }
    }
    Ok(())
}

/// The version at every point.
pub fn versions(content: &Content, asked: &Asked, parameters: &[Parameter]) -> Result<Vec<Arc<Ruleset>>> {
    let points = Sweep::points(parameters).map_err(|why| anyhow!("--sweep: {why}"))?;
    let version = |point: &Vec<usize>| {
        let swept = parameters.iter().zip(point).map(|(of, value)| (of.path.clone(), of.values[*value].clone()));
        let told: Vec<String> = swept.clone().map(|(path, value)| format!("{path}={value}")).collect();
        let set = asked.selection.set.iter().cloned().chain(swept).collect();
        let selection = Selection { set, ..asked.selection.clone() };
        let point = Asked { folder: asked.folder.clone(), id: asked.id.clone(), selection };
        // The version is in order without it, so it is what was asked for that is wrong.
        content.playable(&point).map_err(|_| anyhow!("there is no playing with {}", told.join(", ")))
    };
    points.iter().map(version).collect()
}

/// Plays what the file of games does not hold yet, and writes it there; `heard` hears of every seed.
pub fn played(sweep: &Sweep, trials: Option<&Path>, is_quiet: bool, mut heard: impl FnMut(Across)) -> Result<()> {
    let bar = if is_quiet { ProgressBar::hidden() } else { progress(sweep.games, "seeds")? };
    let (mut held, mut file) = (0, None);
    if let Some(path) = trials {
        let columns = SweepColumns::of(sweep, &Swept::new(sweep));
        let opened = go_on(path, &columns, |across| {
            let (first, last) = (sweep.seed, sweep.games - 1);
            if across.seed != first.wrapping_add(held) || held >= sweep.games {
                bail!("it holds games of seed {}, and those asked for are {first} and {last} more", across.seed);
            }
            held += 1;
            heard(across);
            Ok(())
        });
        file = Some((opened.with_context(|| cannot(path))?, columns, path));
    }
    bar.set_position(held);
    bar.reset_eta();
    sweep.play(held, content::runtime, |across| {
        if let Some((file, columns, path)) = &mut file {
            let mut rows = Vec::new();
            columns.write(&across, &mut rows)?;
            file.write_all(&rows).with_context(|| cannot(path))?;
        }
        heard(across);
        bar.inc(1);
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    Ok(())
}

fn cannot(path: &Path) -> String {
    format!("cannot write games to {}", path.display())
}

/// Opens the file of games, or makes it; `each` hears of the seeds in it. What was being written when the program was killed
/// is cut off.
fn go_on(path: &Path, columns: &SweepColumns, mut each: impl FnMut(Across) -> Result<()>) -> Result<File> {
    let mut file = locked(path)?;
    let mut header = Vec::new();
    columns.write_header(&mut header)?;
    let whole = whole_lines(&mut file)?;
    file.seek(SeekFrom::Start(0))?;
    let mut end = 0;
    if whole == 0 {
        // New, or killed in its first line.
        let mut begun = Vec::new();
        (&file).take(header.len() as u64 + 1).read_to_end(&mut begun)?;
        if !header.starts_with(&begun) {
            bail!(
                "it holds something else than games of a sweep: name another file, and nothing is written to this one"
            );
        }
    } else {
        let mut taken = Ok(());
        end = columns.read(BufReader::new((&file).take(whole)), |across| {
            if taken.is_ok() {
                taken = each(across);
            }
        })?;
        taken?;
    }
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    if end == 0 {
        file.write_all(&header)?;
    }
    Ok(file)
}

/// The command that does the same again.
fn again(options: &Options, ruleset: &Ruleset, scenario: usize) -> String {
    let mut words = vec!["countermarch".to_owned(), "sweep".to_owned(), options.which.game.clone()];
    let mut add = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
    options.which.set.iter().for_each(|set| add("--set", set));
    options.sweep.iter().for_each(|sweep| add("--sweep", sweep));
    add("--scenario", &ruleset.scenarios[scenario].id);
    options.players.iter().for_each(|player| add("--players", player));
    add("--games", &options.games.to_string());
    add("--seed", &options.seed.to_string());
    if !options.measures.is_empty() {
        add("--measure", &options.measures.join(","));
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

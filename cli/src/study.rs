//! `countermarch study`: plays what a study asks for, holds its conclusions against the figures, and writes its report.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use countermarch_core::{
    diagnostic::{Diagnostics, Span},
    library::Library,
    study::{Compared, Comparison, Concluded, Planned, PlannedSample, Sampled, StudyFile},
};

use crate::{
    Which,
    compare::{Done, Prepared, What, files::NewFile, quoted},
    content::{Faulty, tell},
    samples::{Came, Ready},
};

/// What is done with a study.
#[derive(Args)]
pub struct Options {
    /// The study, e.g. studies/july-1-options.yaml. Its report stands beside it, under the same name with .md.
    file: PathBuf,
    /// The folder of its trials, which are gone on with; the study's name with -trials, without.
    #[arg(long, value_name = "FOLDER")]
    trials: Option<PathBuf>,
    /// How many games at once; no more than the machine has cores.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Play no more pairs of anything than so many, to see how a study reads; its report is printed and not written.
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u64).range(1..))]
    at_most: Option<u64>,
    /// Write a page for a browser, with figures that anybody can redraw, to this new file.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// Between these marks a report is written anew; what stands around them is its author's.
const MARKS: [&str; 2] = ["<!-- study -->\n", "<!-- end -->\n"];

/// `countermarch study`.
pub fn run(options: &Options) -> Result<bool> {
    let text = fs::read_to_string(&options.file).with_context(|| format!("cannot read {}", options.file.display()))?;
    let name = options.file.display().to_string();
    let mut library = Library::default();
    library.insert(&name, text.clone());
    let mut found = Diagnostics::default();
    let study = StudyFile::read(&name, &text, &mut found);
    let wrong = |found: &Diagnostics| {
        tell(found, &library);
        Faulty(format!("{name} is no study that can be played"))
    };
    if !found.is_usable() {
        return Err(wrong(&found).into());
    }
    let html = options.html.as_deref().map(NewFile::at).transpose()?;
    let report = Report::beside(&options.file, &study.title)?;
    let (mut prepared, mut ready) = (Vec::new(), Vec::new());
    let mut unplayable = |name: &str, span: &Span, why: &anyhow::Error| {
        let help = "name a game, versions, a scenario, players and measures that there are";
        found.error("unplayable", span, format!("`{name}` cannot be played: {why:#}"), help);
    };
    for planned in &study.comparisons {
        match Prepared::new(&what(planned, options), None).and_then(Prepared::checked) {
            Ok(one) => prepared.push(one),
            Err(why) => unplayable(&planned.name, &planned.span, &why),
        }
    }
    for planned in &study.samples {
        match Ready::new(planned, options.at_most.unwrap_or(u64::MAX), options.jobs) {
            Ok(one) => ready.push(one),
            Err(why) => unplayable(&planned.name, &planned.span, &why),
        }
    }
    if !found.is_usable() {
        return Err(wrong(&found).into());
    }
    let most = options.at_most.map_or_else(String::new, |most| format!(" --at-most {most}"));
    let again = format!("countermarch study {}{most}", quoted(&name));
    // What is concluded from figures that nothing will have is told before anything is played.
    let empty: Vec<Done> = prepared.iter().map(|prepared| Done::of(Comparison::new(prepared.pairs()))).collect();
    let compared: Vec<Compared<'_>> = empty.iter().zip(&prepared).map(|(done, of)| done.compared(of)).collect();
    let nothing: Vec<Came> = ready.iter().map(Ready::nothing).collect();
    let sampled: Vec<Sampled<'_>> = nothing.iter().zip(&ready).map(|(came, of)| came.sampled(of)).collect();
    let unplayed = Concluded { study: &study, compared: &compared, sampled: &sampled, again: &again };
    for (span, why) in unplayed.lacking() {
        found.error("figure", span, why, "name one of these");
    }
    if !found.is_usable() {
        return Err(wrong(&found).into());
    }
    let (done, came) = played(options, &study, &prepared, &ready)?;
    let compared: Vec<Compared<'_>> = done.iter().zip(&prepared).map(|(done, of)| done.compared(of)).collect();
    let sampled: Vec<Sampled<'_>> = came.iter().zip(&ready).map(|(came, of)| came.sampled(of)).collect();
    let concluded = Concluded { study: &study, compared: &compared, sampled: &sampled, again: &again };
    if let Some(html) = &html {
        let boards = done.iter().map(Done::boards).collect::<Result<Vec<_>>>()?;
        html.write(|file| Ok(file.write_all(concluded.page(&boards).as_bytes())?))?;
    }
    if options.at_most.is_none() {
        report.write(&concluded.markdown())?;
    }
    match (options.json, options.at_most) {
        (true, _) => println!("{}", concluded.json()),
        (false, Some(_)) => print!("{}", concluded.markdown()),
        (false, None) => {
            for answer in concluded.answers() {
                let grade =
                    answer.graded.as_ref().map_or_else(|| "?".to_owned(), |graded| format!("{:?}", graded.grade));
                println!("{grade}  {}", answer.said.trim());
            }
            println!("{}", report.path.display());
        }
    }
    let failed: u64 = compared.iter().map(|compared| compared.comparison.failed.0).sum();
    let failed = failed + came.iter().map(Came::failed).sum::<u64>();
    if failed > 0 {
        return Err(Faulty(format!("{failed} games or pairs of them could not be played to their end")).into());
    }
    Ok(true)
}

/// Plays all comparisons and samples of a study, each with trials of its own.
fn played(
    options: &Options,
    study: &StudyFile,
    prepared: &[Prepared],
    ready: &[Ready],
) -> Result<(Vec<Done>, Vec<Came>)> {
    let folder = options.trials.clone().unwrap_or_else(|| {
        let stem = options.file.file_stem().unwrap_or_default().to_string_lossy();
        options.file.with_file_name(format!("{stem}-trials"))
    });
    if options.at_most.is_none() {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let one = |(planned, prepared): (&Planned, &Prepared)| {
        let trials = folder.join(format!("{}.csv", planned.name));
        let done = prepared.played(options.at_most.is_none().then_some(&*trials), None);
        done.with_context(|| format!("{}: `{}`", options.file.display(), planned.name))
    };
    let done = study.comparisons.iter().zip(prepared).map(one).collect::<Result<_>>()?;
    let sample = |(planned, ready): (&PlannedSample, &Ready)| {
        let came = ready.played(options.at_most.is_none().then_some(&*folder), options.json);
        came.with_context(|| format!("{}: `{}`", options.file.display(), planned.name))
    };
    Ok((done, study.samples.iter().zip(ready).map(sample).collect::<Result<_>>()?))
}

/// What a comparison of a study is, as `compare` has it.
fn what(planned: &Planned, options: &Options) -> What {
    let Planned { game, versions: [first, second], set: [set, other_set], .. } = planned;
    let most = options.at_most.unwrap_or(u64::MAX);
    What {
        which: Which { game: format!("{game}@{first}"), set: set.clone() },
        other: format!("@{second}"),
        other_set: other_set.clone(),
        games: planned.games.min(most),
        seed: planned.seed,
        jobs: options.jobs,
        scenario: planned.scenario.clone(),
        players: planned.players.clone(),
        until: planned.until.clone(),
        correct: planned.correction,
        effects: planned.effects.clone(),
        each: planned.each.map(|each| each.min(most)),
        under: planned.under.clone(),
        spoken: planned.spoken.map(|spoken| spoken.min(most)),
        unpaired: false,
    }
}

/// The file of a report.
struct Report {
    path: PathBuf,
    /// What stands before and after what is written.
    around: [String; 2],
}

impl Report {
    /// The one that stands beside a study, or will.
    ///
    /// # Errors
    /// Something else stands there.
    fn beside(study: &Path, title: &str) -> Result<Report> {
        let path = study.with_extension("md");
        if path == study {
            bail!("{} is a report, and no study: a study ends in .yaml", study.display());
        }
        if !path.exists() {
            let around = [format!("# {title}\n\n{}", MARKS[0]), MARKS[1].to_owned()];
            return Ok(Report { path, around });
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let around = text.split_once(MARKS[0]).and_then(|(before, rest)| {
            let (_, after) = rest.split_once(MARKS[1])?;
            Some([format!("{before}{}", MARKS[0]), format!("{}{after}", MARKS[1])])
        });
        let Some(around) = around else {
            let marks = MARKS.map(str::trim_end).join(" and ");
            bail!("{} is there, without the marks between which a report is written: {marks}", path.display());
        };
        Ok(Report { path, around })
    }

    /// Writes it, in one step.
    fn write(&self, report: &str) -> Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        let new = self.path.with_extension("md.new");
        let [before, after] = &self.around;
        fs::write(&new, format!("{before}{report}{after}")).with_context(cannot)?;
        fs::rename(&new, &self.path).with_context(cannot)
    }
}

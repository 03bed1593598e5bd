//! `replay`, `verify` and `why`: what one can ask of a record.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use countermarch_core::{
    play::{Entry, Limits, Record, Session},
    ruleset::Ruleset,
    show::{RecordHeader, RecordText, Sight, Story, Words, read_record, record_line, results, story_since, view},
    study::{ReplayError, explain, replay},
};
use countermarch_scripting::Runtime;
use serde_json::json;

use crate::{
    Which,
    content::{self, Faulty},
    record_file::RecordFile,
};

/// Tells a record.
#[derive(Args)]
pub struct Replay {
    /// The record.
    file: PathBuf,
    /// The folder of its game, where it is none of those that `list` names.
    #[arg(long, value_name = "FOLDER")]
    ruleset: Option<PathBuf>,
    /// Stop after so many answers.
    #[arg(long)]
    at: Option<usize>,
    /// Tell it as this side sees it; everything without.
    #[arg(long, value_name = "SIDE")]
    seen_by: Option<String>,
    /// Write the position it comes to as JSON, in place of the story.
    #[arg(long)]
    json: bool,
    /// With --json: and the story from its line of that number on, 0 for all of it.
    #[arg(long, value_name = "LINE", requires = "json")]
    since: Option<usize>,
}

/// Proves a record.
#[derive(Args)]
pub struct Verify {
    /// The record.
    file: PathBuf,
    /// The folder of its game, where it is none of those that `list` names.
    #[arg(long, value_name = "FOLDER")]
    ruleset: Option<PathBuf>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    /// Write the record to a new file, whose header names the content as it stands now.
    #[arg(long, value_name = "FILE")]
    pin: Option<PathBuf>,
}

/// Explains an action.
#[derive(Args)]
pub struct Why {
    /// The record.
    file: PathBuf,
    /// The folder of its game, where it is none of those that `list` names.
    #[arg(long, value_name = "FOLDER")]
    ruleset: Option<PathBuf>,
    /// After so many answers; at the end without.
    #[arg(long)]
    at: Option<usize>,
    /// The action, as one would type it; without one, what is asked.
    action: Option<String>,
}

/// A record with the game it is of.
pub struct Opened {
    /// Its text.
    pub text: RecordText,
    /// Its answers.
    pub record: Record,
    /// The game.
    pub ruleset: Arc<Ruleset>,
}

/// Reads a record and loads its game, from a folder if one is named.
pub fn open(file: &Path, folder: Option<&Path>) -> Result<Opened> {
    let cannot = || format!("cannot read {}", file.display());
    if !fs::metadata(file).with_context(cannot)?.is_file() {
        return Err(anyhow!("it is not a file").context(cannot()));
    }
    understand(file, &fs::read(file).with_context(cannot)?, folder)
}

/// The same, of a record that has been read.
pub fn understand(file: &Path, bytes: &[u8], folder: Option<&Path>) -> Result<Opened> {
    let text = read_record(bytes).map_err(|wrong| Faulty(format!("{}: {wrong}", file.display())))?;
    let set = text.header.set.iter().map(|(p, v)| format!("{p}={v}")).collect();
    let which = Which { game: text.header.game.clone(), set };
    let (content, asked) = content::find_of_record(&which, folder)?;
    let ruleset = content.load(&asked)?;
    let record = text.entries(&ruleset);
    let record =
        record.map_err(|wrong| Faulty(format!("{}: {wrong}{}", file.display(), has_changed(&text, &ruleset))))?;
    Ok(Opened { text, record, ruleset })
}

/// What to say of the content where a record does not fit it.
fn has_changed(text: &RecordText, ruleset: &Ruleset) -> String {
    match text.header.changed(ruleset) {
        None => "\nThe record does not say which content it was made with; the game may have changed since.".into(),
        Some(parts) if parts.is_empty() => String::new(),
        Some(parts) => {
            format!("\nSince the record was made, these parts of the game have changed: {}.", parts.join(", "))
        }
    }
}

/// Plays a record, up to so many answers if that is said. The error names the first answer that does not fit.
pub fn play_to(opened: &Opened, upto: Option<usize>, limits: Limits) -> Result<Session<Runtime>> {
    play_watched(opened, upto, limits, |_| ())
}

/// The same, and shows the game before each answer and at the end.
pub fn play_watched(
    opened: &Opened,
    upto: Option<usize>,
    limits: Limits,
    watch: impl FnMut(&Session<Runtime>),
) -> Result<Session<Runtime>> {
    let played = play_entries(opened, upto, limits, watch);
    let session = played.map_err(|wrong| {
        let told = format!("{wrong:#}{}", has_changed(&opened.text, &opened.ruleset));
        let is_beyond = matches!(wrong.downcast_ref(), Some(ReplayError::Beyond(..)));
        if is_beyond { anyhow!(told) } else { Faulty(told).into() }
    })?;
    if let Some(parts) = opened.text.header.changed(&opened.ruleset).filter(|parts| !parts.is_empty()) {
        let parts = parts.join(", ");
        eprintln!("note: these parts of the game have changed since this record was made, and it still fits: {parts}");
    }
    Ok(session)
}

fn play_entries(
    opened: &Opened,
    upto: Option<usize>,
    limits: Limits,
    watch: impl FnMut(&Session<Runtime>),
) -> Result<Session<Runtime>> {
    let rules = content::runtime(&opened.ruleset)?;
    let has_hashes = opened.text.header.has_hashes_of_names();
    let hashes = if has_hashes { &*opened.text.hashes } else { &[] };
    replay(&opened.ruleset, rules, (&opened.record, hashes), upto, limits, watch).map_err(|wrong| {
        let line = |number: usize| &opened.text.lines[number - 1];
        match wrong {
            ReplayError::Answer(number, wrong) => {
                let wrong = Words::all(&opened.ruleset).wrong(&wrong);
                anyhow!("line {}, `{}`: {wrong}", line(number).0, line(number).1)
            }
            ReplayError::Hash(number, is, says) => {
                let line = line(number).0;
                anyhow!("after line {line} the state's hash is {is:016x}, and the record says {says:016x}")
            }
            other => other.into(),
        }
    })
}

/// Writes a record that has been proven to a new file: in the newest format, made with the content as it stands now.
/// What was taken back is left out; comments stay where they are.
fn pin(opened: &Opened, from: &Path, to: &Path, hashes: &BTreeMap<usize, u64>) -> Result<()> {
    let Opened { text, record, ruleset } = opened;
    let content = ruleset.parts_played(&record.scenario);
    let mut out = RecordHeader { content, ..text.header.clone() }.to_string();
    let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    let mut answers = text.lines.iter().zip(record.entries.iter()).peekable();
    let mut kept = text.hashes.iter().peekable();
    for (number, raw) in (1..).zip(String::from_utf8_lossy(&bytes).lines()).skip(text.header_lines) {
        if let Some((_, entry)) = answers.next_if(|((line, _), _)| *line == number) {
            out += &record_line(ruleset, entry);
        } else if let Some(hash) = kept.next_if(|hash| hash.line == number) {
            out += &format!("hash {:016x}", hashes[&hash.at]);
        } else if raw.trim().is_empty() || raw.starts_with('#') {
            out += raw;
        } else {
            continue;
        }
        out.push('\n');
    }
    RecordFile::create(to, out.as_bytes()).map(|_| ())
}

/// `countermarch replay`.
pub fn tell(options: &Replay) -> Result<bool> {
    let opened = open(&options.file, options.ruleset.as_deref())?;
    let session = play_to(&opened, options.at, Limits::PLAY)?;
    let sight = match &options.seen_by {
        None => Sight::ALL,
        Some(name) => Sight::of(content::side(&opened.ruleset, name)?, &opened.ruleset),
    };
    let beginning = session.beginning();
    let mut story = Story::seen_by(sight, &opened.ruleset, &beginning);
    if options.json {
        let mut view = view(session.game(), &session.stands(), sight);
        view.story = options.since.map(|since| story_since(story, session.told(), since));
        println!("{}", serde_json::to_string(&view)?);
        return Ok(true);
    }
    for event in session.told() {
        if let Some(line) = story.tell(event) {
            println!("{line}");
        }
    }
    results(session.game()).iter().for_each(|line| println!("  {line}"));
    if let Some(question) = session.question() {
        let side = &opened.ruleset.sides[question.by as usize].name;
        if sight.side().is_none_or(|eyes| eyes == question.by) {
            println!("\n{side}: {}", session.game().asks(question, sight));
        } else {
            println!("\n{side} is asked");
        }
    }
    if opened.text.cut_off {
        println!("(the record was cut off in its last line, which is left out)");
    }
    Ok(true)
}

/// `countermarch verify`.
pub fn verify(options: &Verify) -> Result<bool> {
    let opened = open(&options.file, options.ruleset.as_deref())?;
    let limits = Limits { verify: true, ..Limits::BULK };
    // The hashes that a record pinned anew holds, by how many answers come before.
    let mut hashes: BTreeMap<usize, u64> = opened.text.hashes.iter().map(|hash| (hash.at, 0)).collect();
    let played = play_watched(&opened, None, limits, |session| {
        if let Some(hash) = hashes.get_mut(&session.entries()) {
            *hash = session.game().hash();
        }
    });
    let actions = opened.record.entries.len();
    let changed = opened.text.header.changed(&opened.ruleset);
    match played {
        Ok(session) => {
            let hash = format!("{:016x}", session.game().hash());
            if let Some(new) = &options.pin {
                pin(&opened, &options.file, new, &hashes)?;
            }
            if options.json {
                println!("{}", json!({ "actions": actions, "ok": true, "hash": hash, "changed": changed }));
            } else {
                println!("{actions} answers replay; the state is {hash}");
                let agreed = opened.record.entries.iter().filter(|e| matches!(e, Entry::Agreement(_))).count();
                if agreed > 0 {
                    println!("{agreed} of them are changes by agreement of the players, outside the rules");
                }
            }
            Ok(true)
        }
        Err(wrong) => {
            if options.json {
                let message = wrong.to_string();
                println!(
                    "{}",
                    json!({ "actions": actions, "ok": false, "hash": null, "changed": changed, "message": message })
                );
            } else {
                println!("{wrong:#}");
            }
            Ok(false)
        }
    }
}

/// `countermarch why`.
pub fn why(options: &Why) -> Result<bool> {
    let opened = open(&options.file, options.ruleset.as_deref())?;
    let mut session = play_to(&opened, options.at, Limits::PLAY)?;
    match explain(&mut session, options.action.as_deref().unwrap_or_default(), Sight::ALL) {
        Ok(text) => {
            println!("{text}");
            Ok(true)
        }
        Err(wrong) => bail!("{wrong}"),
    }
}

//! `replay`, `verify` and `why`: what one can ask of a record.

use std::{fs, path::PathBuf, sync::Arc};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use countermarch_core::{
    play::{Chance, Entry, Limits, Record, Session},
    ruleset::Ruleset,
    show::{RecordText, Sight, Story, read_action, read_record, view},
};
use countermarch_scripting::Runtime;
use serde_json::json;

use crate::{Which, content};

/// Tells a record.
#[derive(Args)]
pub struct Replay {
    /// The record.
    file: PathBuf,
    /// Stop after so many answers.
    #[arg(long)]
    at: Option<usize>,
    /// Tell it as this side sees it; everything without.
    #[arg(long, value_name = "SIDE")]
    seen_by: Option<String>,
    /// Write the position it comes to as JSON, in place of the story.
    #[arg(long)]
    json: bool,
}

/// Proves a record.
#[derive(Args)]
pub struct Verify {
    /// The record.
    file: PathBuf,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// Explains an action.
#[derive(Args)]
pub struct Why {
    /// The record.
    file: PathBuf,
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

/// Reads a record and loads its game.
pub fn open(file: &PathBuf) -> Result<Opened> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let text = read_record(&text).map_err(|wrong| anyhow!("{}: {wrong}", file.display()))?;
    let set = text.set.iter().map(|(p, v)| format!("{p}={v}")).collect();
    let which = Which { game: text.game.clone(), set };
    let (id, selection) = content::selection(&which)?;
    let mut content = content::open()?;
    let Some(ruleset) = content.load(&id, &selection) else { bail!("the game of this record cannot be loaded") };
    if text.content != format!("{:016x}", ruleset.content) {
        eprintln!("note: the game's content has changed since this record was made; it is replayed under the new one");
    }
    let record = text.entries(&ruleset).map_err(|wrong| anyhow!("{}: {wrong}", file.display()))?;
    Ok(Opened { text, record, ruleset })
}

/// Plays a record up to so many answers. The error names the first answer that does not fit.
pub fn play_to(opened: &Opened, upto: usize, limits: Limits) -> Result<Session<Runtime>> {
    let rules = content::runtime(&opened.ruleset)?;
    let Some(scenario) = opened.ruleset.scenario(&opened.record.scenario) else {
        bail!("the game has no scenario `{}`", opened.record.scenario);
    };
    let mut session = Session::new(opened.ruleset.clone(), rules, scenario, opened.record.seed, limits);
    session.chance = Chance::Person;
    session.limits.forced = false;
    session.advance()?;
    for (number, entry) in opened.record.entries.iter().take(upto).enumerate() {
        let (line, text) = &opened.text.lines[number];
        session.replay_entry(number, entry).map_err(|wrong| anyhow!("line {line}, `{text}`: {wrong}"))?;
        if let Some((_, hash)) = opened.text.hashes.iter().find(|(at, _)| *at == number + 1)
            && *hash != session.game.hash()
        {
            bail!(
                "after line {line} the state's hash is {:016x}, and the record says {hash:016x}",
                session.game.hash()
            );
        }
    }
    Ok(session)
}

/// `countermarch replay`.
pub fn replay(options: &Replay) -> Result<bool> {
    let opened = open(&options.file)?;
    let upto = options.at.unwrap_or(usize::MAX);
    let session = play_to(&opened, upto, Limits::PLAY)?;
    let sight = match &options.seen_by {
        None => Sight::ALL,
        Some(name) => Sight::of(content::side(&opened.ruleset, name)?),
    };
    if options.json {
        println!("{}", view(&session.game, session.question(), sight));
        return Ok(true);
    }
    let mut story = Story::seen_by(sight, &opened.ruleset, &session.beginning());
    for event in session.told() {
        if let Some(line) = story.tell(event) {
            println!("{line}");
        }
    }
    if let Some(question) = session.question() {
        println!("\n{}: {}", opened.ruleset.sides[question.by as usize].name, opened.ruleset.asks(question));
    }
    if opened.text.cut_off {
        println!("(the record was cut off in its last line, which is left out)");
    }
    Ok(true)
}

/// `countermarch verify`.
pub fn verify(options: &Verify) -> Result<bool> {
    let opened = open(&options.file)?;
    let limits = Limits { verify: true, log: false, ..Limits::PLAY };
    let played = play_to(&opened, usize::MAX, limits);
    let actions = opened.record.entries.len();
    match played {
        Ok(session) => {
            let hash = format!("{:016x}", session.game.hash());
            if options.json {
                println!("{}", json!({ "actions": actions, "ok": true, "hash": hash }));
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
                println!("{}", json!({ "actions": actions, "ok": false, "hash": null, "message": wrong.to_string() }));
            } else {
                println!("{wrong:#}");
            }
            Ok(false)
        }
    }
}

/// `countermarch why`.
pub fn why(options: &Why) -> Result<bool> {
    let opened = open(&options.file)?;
    let mut session = play_to(&opened, options.at.unwrap_or(usize::MAX), Limits::PLAY)?;
    match explain(&mut session, options.action.as_deref().unwrap_or_default()) {
        Ok(text) => {
            println!("{text}");
            Ok(true)
        }
        Err(wrong) => bail!("{wrong}"),
    }
}

/// What is asked; or why a line would be allowed or not, in words with citations. Of several answers in a line those
/// before the last are tried out, and taken back. The error is a line that cannot be read.
pub fn explain(session: &mut Session<Runtime>, line: &str) -> Result<String, String> {
    let before = session.record.entries.len();
    let kept = std::mem::replace(&mut session.chance, Chance::Person);
    let said = explain_last(session, line);
    session.chance = kept;
    if session.record.entries.len() != before {
        session.take_back(before).map_err(|wrong| wrong.to_string())?;
    }
    said
}

fn explain_last(session: &mut Session<Runtime>, line: &str) -> Result<String, String> {
    let mut line = line.trim().to_owned();
    loop {
        let Some(question) = session.question().cloned() else {
            let over = session.game.outcome.as_ref().map_or("", |o| session.ruleset.cite(o.cite));
            let waits = session.roll().map(|roll| session.ruleset.asks_chance(roll).0);
            return Ok(waits.unwrap_or_else(|| format!("the game is over  [{over}]")));
        };
        if line.is_empty() {
            return Ok(session.game.why_asked(&question));
        }
        let (action, rest) = read_action(&session.game, &question, &line).map_err(|wrong| wrong.to_string())?;
        if rest.is_empty() || session.act(question.by, action).is_err() {
            return Ok(session.game.why(&question, action));
        }
        line = rest;
    }
}

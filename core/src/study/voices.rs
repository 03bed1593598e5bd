//! What spoke in play, told: as text with tables as heat maps, and for machines.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::spoken::{Spoken, Voice};
use crate::{
    ruleset::{Amendment, PrintedTable, Provenance, Ruleset, Setting},
    show::count,
};

/// Who played, as the report says it, and whether everything is listed or only what did not speak.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'a> {
    /// Who played each side: `union=plain`.
    pub players: &'a [String],
    /// The scenario's short name.
    pub scenario: &'a str,
    /// The seed of the first game.
    pub seed: u64,
    /// Whether what spoke is listed too.
    pub is_all: bool,
}

/// A voice in words.
fn told(voice: Voice) -> String {
    let decisions = |times: u64| count(times as usize, "decision", "decisions");
    match voice {
        Voice::Spoke(times) => format!("spoke at {}", decisions(times)),
        Voice::Asked(times) => format!("had nothing to say, though asked at {}", decisions(times)),
        Voice::Standing => "is there all the time, and is never asked".to_owned(),
        Voice::Never => "was never asked".to_owned(),
    }
}

/// What a voice is called by machines, and how often.
fn word(voice: Voice) -> (&'static str, u64) {
    match voice {
        Voice::Spoke(times) => ("spoke", times),
        Voice::Asked(times) => ("asked", times),
        Voice::Standing => ("standing", 0),
        Voice::Never => ("never", 0),
    }
}

/// What became of cards and of what is rolled for.
fn events(spoken: &Spoken, ruleset: &Ruleset) -> Vec<(String, Voice)> {
    let chances = ruleset.chances.iter().map(|chance| format!("chance/{}", chance.purpose));
    let cards = ruleset.cards.iter().map(|card| format!("cards/{}", card.id));
    chances.chain(cards).map(|path| (path.clone(), spoken.voice(&path))).collect()
}

/// What became of the paragraph that each setting chooses a reading of.
fn readings<'r>(spoken: &Spoken, ruleset: &'r Ruleset) -> Vec<(&'r str, &'r str, &'r str, Voice)> {
    let paragraphs = spoken.paragraphs(ruleset);
    let voice = |cite: &str| paragraphs.iter().find(|(id, _)| *id == cite).map_or(Voice::Never, |(_, voice)| *voice);
    let one = |setting: &'r Setting| {
        let cite = ruleset.cite(setting.cite);
        (setting.id.as_str(), setting.value.as_str(), cite, voice(cite))
    };
    ruleset.settings.iter().map(one).collect()
}

/// As text for a terminal.
pub fn spoken_text(spoken: &Spoken, ruleset: &Ruleset, heading: &Heading<'_>) -> String {
    let mut text = String::new();
    let Heading { players, scenario, seed, is_all } = heading;
    let _ = writeln!(
        text,
        "{}, {scenario}: {} games from seed {seed}, {} decisions, played by {}",
        ruleset.full_name(),
        spoken.games,
        spoken.decisions,
        players.join(", ")
    );
    for (seed, wrong) in &spoken.failed {
        let _ = writeln!(text, "seed {seed} could not be played to its end: {wrong}");
    }
    let paragraphs: Vec<(String, Voice)> =
        spoken.paragraphs(ruleset).into_iter().map(|(id, voice)| (id.to_owned(), voice)).collect();
    add_voices(&mut text, "paragraphs", &paragraphs, *is_all);
    let rows = spoken.rows(ruleset).into_iter();
    let rows: Vec<(String, Voice)> =
        rows.map(|(path, cite, voice)| (format!("{path}  [{}]", ruleset.cite(cite)), voice)).collect();
    add_voices(&mut text, "rows", &rows, *is_all);
    let on = ruleset.amendments.iter().filter(|amendment| amendment.on);
    let amendments: Vec<(String, Voice)> = on
        .map(|amendment| (format!("{}: {}", amendment.id, amendment.title), spoken.amendment(ruleset, amendment)))
        .collect();
    add_voices(&mut text, "amendments that are on", &amendments, true);
    let readings: Vec<(String, Voice)> = readings(spoken, ruleset)
        .into_iter()
        .map(|(id, value, cite, voice)| (format!("{id}={value}  [{cite}]"), voice))
        .collect();
    add_voices(&mut text, "readings, by their paragraphs", &readings, *is_all);
    add_voices(&mut text, "events", &events(spoken, ruleset), *is_all);
    ruleset.tables.iter().for_each(|table| add_heat(&mut text, table, &spoken.cells(table), ruleset));
    text
}

/// How many of something spoke, and those that did not.
fn add_voices(text: &mut String, what: &str, voices: &[(String, Voice)], is_all: bool) {
    if voices.is_empty() {
        return;
    }
    let count = |wanted: fn(&Voice) -> bool| voices.iter().filter(|(_, voice)| wanted(voice)).count();
    let spoke = count(|voice| matches!(voice, Voice::Spoke(_)));
    let asked = count(|voice| matches!(voice, Voice::Asked(_)));
    let standing = count(|voice| matches!(voice, Voice::Standing));
    let never = count(|voice| matches!(voice, Voice::Never));
    let more = [
        (asked, "were asked and had nothing to say"),
        (standing, "are there all the time"),
        (never, "were never asked"),
    ];
    let more: String = more.iter().filter(|(n, _)| *n > 0).map(|(n, says)| format!(", {n} {says}")).collect();
    let _ = writeln!(text, "\n{what}: {spoke} of {} spoke{more}", voices.len());
    for (name, voice) in voices.iter().filter(|(_, voice)| is_all || matches!(voice, Voice::Asked(_) | Voice::Never)) {
        let _ = writeln!(text, "  {name}: {}", told(*voice));
    }
}

/// A table with how often each cell was looked up, the often the darker; dead cells have a dot.
fn add_heat(text: &mut String, table: &PrintedTable, cells: &[Vec<u64>], ruleset: &Ruleset) {
    const SHADES: [char; 4] = ['░', '▒', '▓', '█'];
    let most = cells.iter().flatten().copied().max().unwrap_or(0);
    let all = cells.iter().flatten().count();
    let dead = cells.iter().flatten().filter(|times| **times == 0).count();
    let made_up = table.from.iter().flatten().filter(|from| !matches!(from, Provenance::Printed)).count();
    let made_up = if made_up > 0 { format!(", {made_up} are not printed") } else { String::new() };
    let _ = writeln!(
        text,
        "\n{} ({})  [{}]: {dead} of {all} cells were never looked up{made_up}",
        table.title,
        table.name,
        ruleset.cite(table.cite)
    );
    let cell = |times: u64| match times {
        0 => "·".to_owned(),
        times => {
            // In four steps, each a quarter of the most.
            let shade = SHADES[((times * 4).div_ceil(most.max(1)) as usize - 1).min(3)];
            format!("{shade}{times}")
        }
    };
    let lines: Vec<Vec<String>> = cells.iter().map(|line| line.iter().map(|times| cell(*times)).collect()).collect();
    let wide = |column: usize| {
        let inside = lines.iter().map(|line| line[column].chars().count());
        inside.chain([table.columns.texts[column].chars().count()]).max().unwrap_or(0)
    };
    let first = table.rows.texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let mut put = |head: &str, line: &mut dyn Iterator<Item = &str>| {
        let _ = write!(text, "  {head:>first$}");
        line.enumerate().for_each(|(column, cell)| _ = write!(text, "  {cell:>0$}", wide(column)));
        text.push('\n');
    };
    put("", &mut table.columns.texts.iter().map(String::as_str));
    for (head, line) in table.rows.texts.iter().zip(&lines) {
        put(head, &mut line.iter().map(String::as_str));
    }
}

/// For machines: `format` (1), `game`, `version`, `scenario`, `players`, `seed`, `games`, `decisions`, `failed`;
/// `paragraphs`, `rows`, `amendments`, `readings` and `events`, each with its name, `state` (`spoke`, `asked`, `standing`,
/// `never`) and `decisions`; `tables`, each `table`, `cite`, `columns`, `rows`, `cells` (by row, then column).
pub fn spoken_json(spoken: &Spoken, ruleset: &Ruleset, heading: &Heading<'_>) -> Value {
    let one = |name: &str, what: &str, cite: Option<&str>, voice: Voice| {
        let (state, decisions) = word(voice);
        let mut one = json!({ name: what, "state": state, "decisions": decisions });
        if let (Some(cite), Value::Object(one)) = (cite, &mut one) {
            one.insert("cite".into(), cite.into());
        }
        one
    };
    let list = |all: &mut dyn Iterator<Item = Value>| Value::Array(all.collect());
    let amendment = |a: &Amendment| one("amendment", &a.id, None, spoken.amendment(ruleset, a));
    let table = |table: &PrintedTable| {
        json!({ "table": table.name, "cite": ruleset.cite(table.cite), "columns": table.columns.texts,
            "rows": table.rows.texts, "cells": spoken.cells(table) })
    };
    let reading = |(id, value, cite, voice): (&str, &str, &str, Voice)| {
        one("reading", &format!("{id}={value}"), Some(cite), voice)
    };
    json!({
        "format": 1, "game": ruleset.id, "version": ruleset.version.to_string(), "scenario": heading.scenario,
        "players": heading.players, "seed": heading.seed, "games": spoken.games, "decisions": spoken.decisions,
        "failed": spoken.failed.iter().map(|(seed, why)| json!({ "seed": seed, "message": why })).collect::<Vec<_>>(),
        "paragraphs": list(&mut spoken.paragraphs(ruleset).into_iter().map(|(id, voice)| one("paragraph", id, None, voice))),
        "rows": list(&mut spoken.rows(ruleset).into_iter()
            .map(|(path, cite, voice)| one("row", &path, Some(ruleset.cite(cite)), voice))),
        "amendments": list(&mut ruleset.amendments.iter().filter(|a| a.on).map(amendment)),
        "readings": list(&mut readings(spoken, ruleset).into_iter().map(reading)),
        "events": list(&mut events(spoken, ruleset).into_iter().map(|(path, voice)| one("event", &path, None, voice))),
        "tables": list(&mut ruleset.tables.iter().map(table)),
    })
}

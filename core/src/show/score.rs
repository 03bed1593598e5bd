//! How the sides stand, and how one wins: what the ruleset declares under `measures:` and `victory:`, as it is now.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{sight::Sight, words::Words};
use crate::{
    play::{Counted, Game, SideResult},
    ruleset::{Holder, Kind, Provenance},
};

/// How the sides stand: the score line by line and what the scenario gave them, and what every other measure comes to. With
/// `all`, every measure line by line.
pub fn score(game: &Game, scenario: &str, sight: Sight, all: bool) -> Vec<String> {
    let measures = &game.ruleset.measures;
    let in_full = if all { measures.len() } else { measures.len().min(1) };
    let mut lines: Vec<String> = (0..in_full).flat_map(|at| measured(game, at, sight)).collect();
    if lines.is_empty() {
        lines.push("this game declares no measures".to_owned());
    }
    lines.extend(handicaps(game, scenario, sight));
    lines.extend(beside(game, in_full).map(|line| format!("{line}  (`score all`)")));
    lines
}

/// A measure of every side, line by line.
fn measured(game: &Game, at: usize, sight: Sight) -> Vec<String> {
    let ruleset = &game.ruleset;
    let measure = &ruleset.measures[at];
    let mut lines = Vec::new();
    for (side, declared) in ruleset.players().map(|side| (side, &ruleset.sides[side as usize])) {
        lines.push(format!("{}: {} {}", declared.name, measure.title, game.measure(at, side)));
        if measure.lines.len() == 1 && measure.lines[0].each.is_none() {
            continue;
        }
        for counted in game.counted(at, side) {
            let line = &measure.lines[counted.line];
            lines.push(format!("  {:>4}  {}  [{}]", counted.total, line.say, ruleset.cite(line.cite)));
            lines.extend(things(game, at, &counted, sight).into_iter().map(|l| format!("        {l}")));
        }
    }
    lines
}

/// What a measure comes to for every side.
fn sums(game: &Game, at: usize) -> String {
    let ruleset = &game.ruleset;
    let sum = |side| format!("{} {}", ruleset.name_of(Kind::Side, side), game.measure(at, side));
    ruleset.players().map(sum).collect::<Vec<_>>().join(", ")
}

/// What the measures from one on come to, in one line; nothing where there are none.
fn beside(game: &Game, from: usize) -> Option<String> {
    let told = |at: usize| format!("{} {}", game.ruleset.measures[at].title, sums(game, at));
    let told: Vec<String> = (from..game.ruleset.measures.len()).map(told).collect();
    (!told.is_empty()).then(|| format!("beside that: {}", told.join("; ")))
}

/// How a game that is over ended for each side: whether it has won, and its score, where the game has one.
pub fn results(game: &Game) -> Vec<String> {
    let ruleset = &game.ruleset;
    let one = |result: SideResult| {
        let won = if result.won { "has won" } else { "has not won" };
        let title = ruleset.measures.first().map_or("", |measure| measure.title.as_str());
        let score = result.score.map_or_else(String::new, |score| format!(", {title} {score}"));
        format!("{}: {won}{score}", ruleset.name_of(Kind::Side, result.side))
    };
    game.results().into_iter().map(one).collect()
}

/// What a line goes through: what counts, and who has what does not.
fn things(game: &Game, measure: usize, counted: &Counted, sight: Sight) -> Vec<String> {
    let ruleset = &game.ruleset;
    let Some(kind) = ruleset.measures[measure].lines[counted.line].each else { return Vec::new() };
    let words = Words::seen_by(sight, game);
    let name = |thing: i32| match kind {
        Kind::Space => ruleset.known_place(thing),
        kind => words.name_of(kind, thing),
    };
    let told = |wanted: bool| -> Vec<String> {
        let those = counted.things.iter().filter(|(.., counts)| *counts == wanted);
        those
            .map(|(thing, worth, _)| {
                let holder = game.counts_for(measure, counted.line, *thing).filter(|_| !wanted);
                let holder = holder.map_or_else(String::new, |s| format!(", {}", ruleset.name_of(Kind::Side, s)));
                format!("{worth} {}{holder}", name(*thing))
            })
            .collect()
    };
    let (counts, others) = (told(true), told(false));
    let mut lines = counts;
    if !others.is_empty() {
        lines.push("not counted:".to_owned());
        lines.extend(others.into_iter().map(|other| format!("  {other}")));
    }
    lines
}

/// What the scenario gives sides before play, in words.
fn handicaps(game: &Game, scenario: &str, sight: Sight) -> Vec<String> {
    let ruleset = &game.ruleset;
    let Some(scenario) = ruleset.scenario(scenario).map(|at| &ruleset.scenarios[at]) else { return Vec::new() };
    let given = scenario.state.iter().filter_map(|(column, of, value)| {
        let declared = &ruleset.schema.columns[*column as usize];
        let is_told =
            declared.holder == Holder::Side && *value != declared.default && sight.property(game, *column, *of);
        let say = declared.say.replace("{of}", &ruleset.name_of(Kind::Side, *of));
        is_told.then(|| say.replace("{value}", &ruleset.name_of(declared.kind, *value)))
    });
    let given: Vec<String> = given.filter(|words| !words.is_empty()).collect();
    if given.is_empty() {
        return given;
    }
    let from = match scenario.from {
        Provenance::Printed => String::new(),
        from => format!(" ({})", from.word()),
    };
    vec![format!("A handicap of the scenario {}{from}: before play, {}", scenario.title, given.join(", "))]
}

/// How one wins in a game like this, and who would as things stand.
pub fn victory(game: &Game) -> Vec<String> {
    let ruleset = &game.ruleset;
    let mut lines = Vec::new();
    for (at, way) in ruleset.victory.iter().enumerate().filter(|(at, _)| game.is_won_so(*at)) {
        lines.push(format!("{}  [{}]", way.say, ruleset.cite(way.cite)));
        if way.when.is_some() {
            let now = game.would_win(at).map_or("nobody".to_owned(), |side| ruleset.name_of(Kind::Side, side));
            lines.push(format!("    as things stand: {now}"));
        }
    }
    if lines.is_empty() {
        lines.push("this game declares no ways to win".to_owned());
    }
    if let Some(score) = ruleset.measures.first() {
        lines.push(format!("{} now: {}", score.title, sums(game, 0)));
    }
    lines.extend(beside(game, 1));
    lines
}

/// A measure of how one stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Its id.
    pub id: String,
    /// What it measures.
    pub title: String,
    /// Side by side, as they are declared.
    pub sides: Vec<Measured>,
}

/// What a measure comes to for a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The side.
    pub side: String,
    /// What it comes to.
    pub total: i32,
    /// How that adds up.
    pub lines: Vec<MeasuredLine>,
}

/// A line of a measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasuredLine {
    /// Its id.
    pub id: String,
    /// What it counts.
    pub says: String,
    /// What it comes to.
    pub value: i32,
    /// By which paragraph.
    pub cite: String,
}

/// A way to win.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// Its id.
    pub id: String,
    /// How one wins by it.
    pub says: String,
    /// By which paragraph.
    pub cite: String,
    /// Who would as things stand.
    pub now: Option<String>,
}

/// How the sides stand, measure by measure, and how one wins, as data.
pub(super) fn standing(game: &Game) -> (Vec<Measure>, Vec<Way>) {
    let ruleset = &game.ruleset;
    let cite = |cite| ruleset.cite(cite).to_owned();
    let measured = |at: usize, side: i32| Measured {
        side: ruleset.id_of(Kind::Side, side),
        total: game.measure(at, side),
        lines: game
            .counted(at, side)
            .iter()
            .map(|c| (&ruleset.measures[at].lines[c.line], c.total))
            .map(|(line, value)| MeasuredLine {
                id: line.id.clone(),
                says: line.say.clone(),
                value,
                cite: cite(line.cite),
            })
            .collect(),
    };
    let measures = ruleset.measures.iter().enumerate().map(|(at, measure)| Measure {
        id: measure.id.clone(),
        title: measure.title.clone(),
        sides: ruleset.players().map(|side| measured(at, side)).collect(),
    });
    let ways = ruleset.victory.iter().enumerate().filter(|(at, _)| game.is_won_so(*at));
    let victory = ways.map(|(at, way)| Way {
        id: way.id.clone(),
        says: way.say.clone(),
        cite: cite(way.cite),
        now: game.would_win(at).map(|side| ruleset.id_of(Kind::Side, side)),
    });
    (measures.collect(), victory.collect())
}

/// Lines of text, none longer than this, broken between words; what follows a break is indented as its line is.
pub fn folded(lines: &[String], width: usize) -> String {
    let mut out = String::new();
    for line in lines {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let _ = write!(out, "{:indent$}", "");
        let (mut length, mut gap) = (indent, 0);
        for (at, word) in text.split(' ').enumerate() {
            gap += usize::from(at > 0);
            if word.is_empty() {
                continue;
            }
            let size = word.chars().count();
            if length > indent && length + gap + size > width {
                (length, gap) = (indent + 4, 0);
                let _ = write!(out, "\n{:length$}", "");
            }
            let _ = write!(out, "{:gap$}{word}", "");
            (length, gap) = (length + gap + size, 0);
        }
        out.push('\n');
    }
    out
}

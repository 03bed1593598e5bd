//! What games of single versions came to, told: each sample by itself, and quantities of several side by side; as text, for
//! browsers and for machines.

use std::{collections::BTreeMap, fmt::Write as _};

use maud::{Markup, html};
use serde_json::{Value, json};

use super::{
    Amount, Case, Estimated, Quantity, Sample, Sweep, Table,
    figures::ALPHA,
    page::{Chart, spec},
    report::{percent, rests_on},
};
use crate::ruleset::Provenance;

/// Everything that a sample is told from.
#[derive(Debug, Clone, Copy)]
pub struct Sampled<'a> {
    /// What the study calls it.
    pub name: &'a str,
    /// The games, in which nothing is swept.
    pub sweep: &'a Sweep,
    /// What they came to.
    pub sample: &'a Sample,
    /// The same played by others, and read otherwise.
    pub under: &'a [(Case, Sample)],
}

/// What has to be known of a sample before its figures, each line with its head.
fn facts(sampled: &Sampled<'_>) -> Vec<(&'static str, String)> {
    let Sampled { sweep, sample, under, .. } = sampled;
    let ruleset = &sweep.versions[0];
    let scenario = &ruleset.scenarios[sweep.scenario];
    let marked = |from: Provenance| match from {
        Provenance::Printed => String::new(),
        other => format!(" ({}{})", other.word(), other.dagger()),
    };
    let players = ruleset.sides.iter().zip(&sweep.players).map(|(side, player)| format!("{}={player}", side.id));
    let games = sample.games();
    let outcomes: Vec<String> =
        sample.outcomes.iter().map(|(outcome, count)| format!("{outcome} {}", percent(*count, games))).collect();
    let mut facts = vec![
        ("VERSION", format!("{}: {}", ruleset.title, ruleset.full_name())),
        ("SCENARIO", format!("{}{}", scenario.title, marked(scenario.from))),
    ];
    let rests = rests_on(ruleset);
    if !rests.is_empty() {
        facts.push(("RESTS ON", rests));
    }
    facts.extend([
        ("PLAYED BY", players.collect::<Vec<_>>().join(", ")),
        ("GAMES", format!("{games} that count, from seed {}", sweep.seed)),
        ("ENDED", outcomes.join("; ")),
    ]);
    if sample.failed.0 > 0 {
        facts.push(("", format!("{} could not be played to their end and do not count:", sample.failed.0)));
        facts.extend(sample.failed.1.iter().map(|(seed, wrong)| ("", format!("  seed {seed}: {wrong}"))));
    }
    let moments: Vec<String> =
        sample.words.moments.iter().map(|(moment, read)| format!("{moment} is {}", when(sampled, read))).collect();
    if !moments.is_empty() {
        facts.push(("MOMENTS", moments.join(", ")));
    }
    let numbers: Vec<String> = sample.words.numbers.iter().map(|(name, is)| format!("{name} is {is}")).collect();
    if !numbers.is_empty() {
        facts.push(("NUMBERS", numbers.join(", ")));
    }
    if !under.is_empty() {
        let cases: Vec<String> = under.iter().map(|(case, _)| case.to_string()).collect();
        facts.push(("ALSO UNDER", cases.join(", ")));
    }
    facts
}

/// A moment as the game has it: the turn by its name, with the place of the sequence.
fn when(sampled: &Sampled<'_>, read: &str) -> String {
    let ruleset = &sampled.sweep.versions[0];
    let found = read.rsplit_once('.').and_then(|(place, turn)| Some((place, turn.parse::<i32>().ok()?)));
    found.map_or_else(|| read.to_owned(), |(place, turn)| format!("{} ({place})", ruleset.turn_name(turn)))
}

/// Every measure that is anything in any game, with what it comes to; and how many others there are.
fn measured<'a>(sample: &'a Sample) -> (Vec<Estimated<'a>>, usize) {
    let of = |id: &String| {
        let amount = Amount { measure: id.clone(), at: None };
        sample.estimate(&Quantity { amount, of: None }, ALPHA)
    };
    let all: Vec<Estimated<'a>> = sample.gauges.iter().filter_map(|gauge| of(&gauge.id)).collect();
    let (some, none): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|found| found.value != 0.0 || found.ends().is_some());
    let is_share_of_none = |found: &Estimated<'_>| found.gauge.is_share && found.value == 0.0;
    let (never, some): (Vec<_>, Vec<_>) = some.into_iter().partition(is_share_of_none);
    (some, none.len() + never.len())
}

/// A sample as text for a terminal.
pub(super) fn sample_text(sampled: &Sampled<'_>) -> String {
    let mut text = String::new();
    for (head, rest) in facts(sampled) {
        let _ = writeln!(text, "{}", format!("{head:<14}{rest}").trim_end());
    }
    let (all, nothing) = measured(sampled.sample);
    let wide = all.iter().map(|found| found.gauge.marked_title().chars().count()).max().unwrap_or(0);
    text.push('\n');
    for found in &all {
        let (value, within) = (found.value_told(), found.interval_told());
        let _ = writeln!(text, "{:<wide$} {value:>10}  {within}", found.gauge.marked_title());
    }
    if nothing > 0 {
        let _ = writeln!(text, "nothing in every game: {nothing} more measures");
    }
    text
}

/// A sample for browsers.
pub(super) fn sample_body(sampled: &Sampled<'_>) -> Markup {
    let (all, nothing) = measured(sampled.sample);
    html! {
        dl { @for (head, rest) in facts(sampled) { dt { (head) } dd { (rest) } } }
        details {
            summary { "all measures" }
            div.wide { table {
                thead { tr { th {} th { "mean" } th { "95 % interval" } } }
                tbody { @for found in &all {
                    tr { td { (found.gauge.marked_title()) } td { (found.value_told()) } td { (found.interval_told()) } }
                } }
            } }
            @if nothing > 0 { p.about { "nothing in every game: " (nothing) " more measures" } }
        }
    }
}

/// A sample for machines.
pub(super) fn sample_json(sampled: &Sampled<'_>) -> Value {
    let Sampled { sweep, sample, under, .. } = sampled;
    let ruleset = &sweep.versions[0];
    let players: Vec<String> = sweep.players.iter().map(ToString::to_string).collect();
    let measures = |sample: &Sample| -> Vec<Value> {
        let gauges = sample.gauges.iter().filter_map(|gauge| {
            let amount = Amount { measure: gauge.id.clone(), at: None };
            let found = sample.estimate(&Quantity { amount, of: None }, ALPHA)?;
            Some(json!({ "measure": gauge.id, "title": gauge.title, "printed": gauge.is_printed,
                "share": gauge.is_share, "unit": gauge.unit, "mean": found.value, "interval": found.ends() }))
        });
        gauges.collect()
    };
    let under = under.iter().map(|(case, sample)| json!({ "case": case.to_string(), "measures": measures(sample) }));
    json!({ "game": ruleset.id, "version": ruleset.version.to_string(), "scenario": ruleset.scenarios[sweep.scenario].id,
        "players": players, "seed": sweep.seed, "games": sample.games(),
        "failed": { "count": sample.failed.0, "first": sample.failed.1 }, "outcomes": sample.outcomes,
        "moments": sample.words.moments.iter().cloned().collect::<BTreeMap<_, _>>(),
        "numbers": sample.words.numbers.iter().cloned().collect::<BTreeMap<_, _>>(),
        "measures": measures(sample), "under": under.collect::<Vec<_>>() })
}

/// What a row comes to in each sample; nothing where it is not measured, or is a share of nothing.
fn cells<'a>(quantity: &Quantity, all: &[Sampled<'a>]) -> Vec<Option<Estimated<'a>>> {
    all.iter().map(|sampled| sampled.sample.estimate(quantity, ALPHA)).collect()
}

/// Whether any figure of a row looks at values that no source prints.
fn dagger(cells: &[Option<Estimated<'_>>], quantity: &Quantity, all: &[Sampled<'_>]) -> &'static str {
    let measured = cells.iter().zip(all).filter(|(cell, _)| cell.is_some());
    let is_printed = |sampled: &Sampled<'_>| sampled.sample.gauges_of(quantity).iter().all(|gauge| gauge.is_printed);
    if measured.map(|(_, of)| of).all(is_printed) { "" } else { Provenance::Reconstructed.dagger() }
}

/// A table as Markdown, without its title.
pub(super) fn table_markdown(table: &Table, all: &[Sampled<'_>]) -> String {
    let mut text = String::from("|");
    all.iter().for_each(|sampled| _ = write!(text, " | {}", sampled.name));
    let _ = writeln!(text, " |\n|---|{}", "---|".repeat(all.len()));
    for (name, quantity, _) in &table.rows {
        let cells = cells(quantity, all);
        let _ = write!(text, "| {name}{}", dagger(&cells, quantity, all));
        for cell in &cells {
            let told =
                cell.map_or_else(|| "none".to_owned(), |f| format!("{} ({})", f.value_told(), f.interval_told()));
            let _ = write!(text, " | {told}");
        }
        text.push_str(" |\n");
    }
    text
}

/// A table for browsers.
pub(super) fn table_markup(table: &Table, all: &[Sampled<'_>]) -> Markup {
    html! {
        div.wide { table {
            thead { tr { th {} @for sampled in all { th { (sampled.name) } } } }
            tbody { @for (name, quantity, _) in &table.rows {
                @let cells = cells(quantity, all);
                tr {
                    td { (name) (dagger(&cells, quantity, all)) }
                    @for cell in &cells {
                        td { @match cell { Some(f) => { (f.value_told()) br; span.about { (f.interval_told()) } } None => { "none" } } }
                    }
                }
            } }
        } }
    }
}

/// A table as a figure: each sample's value with its interval, row by row. Nothing where rows are told in different units,
/// which have no axis in common.
pub(super) fn table_chart(table: &Table, all: &[Sampled<'_>]) -> Option<Chart> {
    let rows = table.rows.iter().map(|(name, quantity, _)| (name, cells(quantity, all)));
    let rows: Vec<(&String, Vec<Option<Estimated<'_>>>)> = rows.collect();
    let shares: Vec<bool> = rows.iter().flat_map(|(_, cells)| cells.iter().flatten().map(|f| f.is_share)).collect();
    if shares.is_empty() || shares.contains(&false) {
        return None;
    }
    let mut values = Vec::new();
    for (name, cells) in &rows {
        for (found, sampled) in cells.iter().zip(all).filter_map(|(cell, of)| Some((cell.as_ref()?, of))) {
            let [low, high] = [0, 1].map(|at| found.ends().map(|ends| ends[at] * 100.0));
            values.push(
                json!({ "row": name, "game": sampled.name, "value": found.value * 100.0, "low": low, "high": high }),
            );
        }
    }
    let names: Vec<&str> = all.iter().map(|sampled| sampled.name).collect();
    let y = json!({ "field": "row", "type": "nominal", "sort": null, "title": null });
    let offset = json!({ "field": "game", "sort": names });
    let color = json!({ "field": "game", "type": "nominal", "sort": names, "title": null });
    let x = |field: &str| json!({ "field": field, "type": "quantitative", "title": "percent" });
    let drawn = spec(
        json!(values),
        json!({
            "height": { "step": 12, "for": "offset" },
            "layer": [
                { "mark": { "type": "rule", "strokeWidth": 2 },
                    "encoding": { "y": y, "yOffset": offset, "color": color, "x": x("low"), "x2": { "field": "high" } } },
                { "mark": { "type": "point", "filled": true, "size": 45, "tooltip": { "content": "data" } },
                    "encoding": { "y": y, "yOffset": offset, "color": color, "x": x("value") } },
            ],
        }),
    );
    Some((table.title.clone(), "Where each lies, with its 95 % interval.".to_owned(), drawn))
}

/// A table for machines.
pub(super) fn table_json(table: &Table, all: &[Sampled<'_>]) -> Value {
    let rows = table.rows.iter().map(|(name, quantity, _)| {
        let cell = |found: &Option<Estimated<'_>>| {
            found.as_ref().map(|found| json!({ "value": found.value, "interval": found.ends(), "share": found.is_share }))
        };
        json!({ "row": name, "asks": quantity.to_string(), "cells": cells(quantity, all).iter().map(cell).collect::<Vec<_>>() })
    });
    let names: Vec<&str> = all.iter().map(|sampled| sampled.name).collect();
    json!({ "title": table.title, "samples": names, "rows": rows.collect::<Vec<_>>() })
}

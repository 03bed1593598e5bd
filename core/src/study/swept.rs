//! What a sweep came to, told: as text, for machines, as a page, and as rows of a file.

use std::{
    fmt::Write as _,
    io::{self, Read, Write},
};

use maud::{PreEscaped, html};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Across, At, Found, Gauge, Rise, Sweep, Swept, TrialsError,
    page::{DRAW, STYLE, VEGA, spec},
    report::{figure, signed},
    statistics,
};
use crate::{
    ruleset::{Provenance, Ruleset},
    show::page,
};

/// Everything that a sweep is told from.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The version as it stands.
    pub unswept: &'a Ruleset,
    /// The games.
    pub sweep: &'a Sweep,
    /// What they came to.
    pub swept: &'a Swept,
    /// Measures that are told of point by point whether they hang on anything or not, by their names.
    pub asked: &'a [String],
    /// The command that does it again.
    pub again: &'a str,
}

/// What has to be known of it before its figures, each line with its head.
fn facts(told: &Told<'_>) -> Vec<(&'static str, String)> {
    let Told { unswept, sweep, swept, .. } = told;
    let scenario = &unswept.scenarios[sweep.scenario];
    let from = scenario.from;
    let provenance =
        if from == Provenance::Printed { String::new() } else { format!(" ({}{})", from.word(), from.dagger()) };
    let players = unswept.sides.iter().zip(&sweep.players).map(|(side, player)| format!("{}={player}", side.id));
    let base = named(sweep, sweep.base);
    let stands = if sweep.is_base_unswept { "as it stands" } else { "the version as it stands is not among them" };
    let mut facts = vec![
        ("VERSION", format!("{}: {}", unswept.title, unswept.full_name())),
        ("SCENARIO", format!("{}{provenance}", scenario.title)),
    ];
    facts.extend(sweep.parameters.iter().map(|of| ("SWEPT", format!("{} = {}", of.path, of.values.join(", ")))));
    let points = sweep.versions.len();
    facts.extend([
        ("HELD AGAINST", format!("{base}, {stands}")),
        ("PLAYED BY", players.collect::<Vec<_>>().join(", ")),
        ("GAMES", format!("{} seeds that count, from {}, each at all {points} points", swept.games, sweep.seed)),
    ]);
    if swept.failed.0 > 0 {
        facts.push(("", format!("{} seeds could not be played to their end and do not count:", swept.failed.0)));
        facts.extend(swept.failed.1.iter().map(|(seed, wrong)| ("", format!("  seed {seed}: {wrong}"))));
    }
    if !swept.alone.is_empty() {
        facts.push(("", format!("measured at some points alone, and not compared: {}", swept.alone.join(", "))));
    }
    facts
}

/// A point by what stands there.
fn named(sweep: &Sweep, point: usize) -> String {
    let of = sweep.parameters.iter().zip(sweep.values_at(point));
    of.map(|(parameter, value)| format!("{}={value}", short(&parameter.path))).collect::<Vec<_>>().join(", ")
}

/// The last two words of a path, which say enough beside the whole of it.
fn short(path: &str) -> &str {
    let mut slashes = path.rmatch_indices('/').skip(1);
    slashes.next().map_or(path, |(at, _)| &path[at + 1..])
}

/// The ends of an interval, if it has any: of what is the same for every seed there is none.
fn ends(interval: [f64; 2]) -> Option<[f64; 2]> {
    statistics::ends(interval).filter(|[low, high]| low < high)
}

/// Where something lies of so many seeds, in words where that is not known.
fn interval(gauge: &Gauge, interval: [f64; 2], games: u64, tell: fn(&Gauge, f64) -> String) -> String {
    match ends(interval) {
        Some([low, high]) => format!("{} .. {}", tell(gauge, low), tell(gauge, high)),
        None if games == 1 => "one seed says nothing".into(),
        None => format!("the same in each of {games}"),
    }
}

/// How figures rise and fall, in eight heights.
fn spark(figures: &[f64]) -> String {
    let bars = ['\u{2581}', '\u{2582}', '\u{2583}', '\u{2584}', '\u{2585}', '\u{2586}', '\u{2587}', '\u{2588}'];
    let (low, high) = figures.iter().fold((f64::MAX, f64::MIN), |(low, high), one| (low.min(*one), high.max(*one)));
    let height = |one: &f64| if high > low { ((one - low) / (high - low) * 7.0).round() as usize } else { 0 };
    figures.iter().map(|one| bars[height(one).min(7)]).collect()
}

/// Which measures are told of point by point: those that are asked for, by their names or by how these begin; without,
/// those that hang on a parameter.
fn is_told(told: &Told<'_>, gauge: &Gauge, found: &Found) -> bool {
    let is_it =
        |asked: &String| gauge.id.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if told.asked.is_empty() { found.stands() } else { told.asked.iter().any(is_it) }
}

/// As text for a terminal.
pub fn sweep_text(told: &Told<'_>) -> String {
    let Told { sweep, swept, again, .. } = told;
    let mut text = String::new();
    let mut line = |line: String| {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    };
    facts(told).into_iter().for_each(|(head, rest)| line(format!("{head:<14}{rest}")));
    let found = swept.found();
    let all: Vec<(&Gauge, &Found)> = swept.gauges.iter().zip(&found).filter(|(_, found)| found.differs()).collect();
    let wide = all.iter().map(|(gauge, _)| gauge.marked_title().chars().count()).max().unwrap_or(0);
    for (at, parameter) in sweep.parameters.iter().enumerate() {
        let count = parameter.values.len();
        line(format!("\n{}, every measure that changes at all:", parameter.path));
        let ends = [&parameter.values[0], &parameter.values[count - 1]].map(|end| format!("at {end}"));
        let per = if parameter.numbers().is_some() { "for each 1" } else { "" };
        line(format!("{:<wide$} {:>9} {:<count$} {:>9} {per:>11}  95 % interval", "", ends[0], "", ends[1]));
        for (gauge, found) in &all {
            let means = swept.by_value(found, at);
            let (first, last) = (figure(gauge, means[0]), figure(gauge, means[count - 1]));
            let (title, spark) = (gauge.marked_title(), spark(&means));
            let (by, within, mark) = found.rises[at].map_or_else(Default::default, |rise: Rise| {
                let mark = if rise.stands { "*" } else { "" };
                (signed(gauge, rise.by), interval(gauge, rise.interval, swept.games, signed), mark)
            });
            line(format!("{title:<wide$} {first:>9} {spark} {last:>9} {by:>11}  {within:<24} {mark}"));
        }
    }
    let told_of = all.iter().filter(|(gauge, found)| is_told(told, gauge, found));
    for (gauge, found) in told_of {
        line(format!("\n{}:", gauge.marked_title()));
        let names: Vec<String> = (0..sweep.versions.len()).map(|point| named(sweep, point)).collect();
        let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, at) in names.iter().zip(&found.points) {
            let At { mean, interval: within, against, stands } = at;
            let against = against.map_or_else(
                || "held against".to_owned(),
                |effect| {
                    let mark = if *stands { " *" } else { "" };
                    format!(
                        "{:>9} ({}){mark}",
                        signed(gauge, effect.difference),
                        interval(gauge, effect.interval, swept.games, signed)
                    )
                },
            );
            let within = interval(gauge, *within, swept.games, figure);
            line(format!("  {name:<wide$} {:>9}  {within:<24} {against}", figure(gauge, *mean)));
        }
    }
    let alike = swept.gauges.len() - all.len();
    if alike > 0 {
        line(format!("\nthe same at every point, in every game: {alike} more measures"));
    }
    line("* hangs on it, at 95 %, all measures at all points and all their rises looked at together (Holm)".into());
    line(format!("\n{:<14}{again}", "AGAIN"));
    text
}

/// For machines, format 1: `README.md` says what it holds.
pub fn sweep_json(told: &Told<'_>) -> Value {
    let Told { unswept, sweep, swept, again, .. } = told;
    let parameters: Vec<Value> =
        sweep.parameters.iter().map(|of| json!({ "path": of.path, "values": of.values })).collect();
    let points = (0..sweep.versions.len()).map(|point| {
        let outcomes: serde_json::Map<String, Value> =
            swept.outcomes.iter().map(|(name, counts)| (name.clone(), json!(counts[point]))).collect();
        json!({ "values": sweep.values_at(point), "outcomes": outcomes })
    });
    let measures = swept.gauges.iter().zip(swept.found()).map(|(gauge, found)| {
        let points = found.points.iter().map(|at| {
            json!({ "mean": at.mean, "interval": ends(at.interval), "stands": at.stands,
                "difference": at.against.map(|e| e.difference), "between": at.against.and_then(|e| ends(e.interval)),
                "differing": at.against.map(|e| e.differing), "p": at.against.map(|e| e.p) })
        });
        let rise = |rise: &Option<Rise>| {
            rise.map(
                |rise| json!({ "by": rise.by, "interval": ends(rise.interval), "p": rise.p, "stands": rise.stands }),
            )
        };
        json!({ "measure": gauge.id, "title": gauge.title, "printed": gauge.is_printed, "share": gauge.is_share,
            "unit": gauge.unit, "sense": gauge.sense.word(), "side": gauge.side, "turn": gauge.turn,
            "cite": gauge.cite.map(|cite| unswept.cite(cite)), "stands": found.stands(),
            "points": points.collect::<Vec<_>>(), "rises": found.rises.iter().map(rise).collect::<Vec<_>>() })
    });
    let players: Vec<String> = sweep.players.iter().map(ToString::to_string).collect();
    json!({ "format": 1, "game": unswept.id, "version": unswept.version.to_string(),
        "scenario": unswept.scenarios[sweep.scenario].id, "players": players, "seed": sweep.seed, "games": swept.games,
        "failed": { "count": swept.failed.0, "first": swept.failed.1 }, "not_compared": swept.alone,
        "parameters": parameters, "base": { "point": sweep.base, "as_it_stands": sweep.is_base_unswept },
        "points": points.collect::<Vec<_>>(), "measures": measures.collect::<Vec<_>>(), "again": again })
}

/// As a page for browsers that needs nothing else.
pub fn sweep_page(told: &Told<'_>) -> String {
    let Told { sweep, swept, again, .. } = told;
    let found = swept.found();
    let all: Vec<(&Gauge, &Found)> = swept.gauges.iter().zip(&found).filter(|(_, found)| found.differs()).collect();
    let mut drawn: Vec<&(&Gauge, &Found)> = all.iter().filter(|(gauge, found)| is_told(told, gauge, found)).collect();
    if drawn.is_empty() {
        drawn = all.iter().filter(|(gauge, _)| gauge.is_whole()).collect();
    }
    let names: Vec<String> = (0..sweep.versions.len()).map(|point| named(sweep, point)).collect();
    let body = html! {
        style { (PreEscaped(STYLE)) }
        h1 { (told.unswept.title) ": " (sweep.parameters.iter().map(|of| short(&of.path)).collect::<Vec<_>>().join(" and ")) " swept" }
        dl { @for (head, rest) in facts(told) { dt { (head) } dd { (rest) } } }
        @for (gauge, found) in &drawn {
            h2 { (gauge.marked_title()) }
            figure.chart {
                figcaption.about { "Means, and where they lie at 95 %." @if found.stands() { " It hangs on what is swept." } }
                div.drawn {}
                details {
                    summary { "data and specification (Vega-Lite)" }
                    pre { (serde_json::to_string_pretty(&chart(sweep, gauge, found)).unwrap_or_default()) }
                }
            }
        }
        h2 { "All measures that change" }
        div.wide { table {
            thead { tr { th {} @for name in &names { th { (name) } } @for of in &sweep.parameters { th { "for each 1 of " (short(&of.path)) } } } }
            tbody { @for (gauge, found) in &all {
                tr class=(if found.stands() { "stands" } else { "" }) {
                    td { (gauge.marked_title()) @if let Some(cite) = gauge.cite { " " span.cite { "[" (told.unswept.cite(cite)) "]" } } }
                    @for at in &found.points { td { (figure(gauge, at.mean)) @if at.stands { " *" } } }
                    @for rise in &found.rises { td { @if let Some(rise) = rise { (signed(gauge, rise.by)) @if rise.stands { " *" } } } }
                }
            } }
        } }
        p.about {
            "* hangs on it, at 95 %: differs from " (named(sweep, sweep.base)) ", or rises or falls with it, all of this looked at \
            together (Holm). " (Provenance::Reconstructed.dagger()) " looks at values that no source prints."
        }
        h2 { "Again" }
        pre { (again) }
        @if !drawn.is_empty() {
            @for script in VEGA { script { (PreEscaped(script)) } }
            script { (PreEscaped(DRAW)) }
        }
    };
    page(&format!("{} swept", told.unswept.title), &body)
}

/// A measure against the first parameter, with a line for every combination of the others.
fn chart(sweep: &Sweep, gauge: &Gauge, found: &Found) -> Value {
    let scale = if gauge.is_share { 100.0 } else { 1.0 };
    let numbers = sweep.parameters[0].numbers();
    let values: Vec<Value> = found
        .points
        .iter()
        .enumerate()
        .map(|(point, at)| {
            let values = sweep.values_at(point);
            let x = numbers.as_ref().map_or_else(|| json!(values[0]), |_| json!(values[0].parse::<i64>().unwrap_or(0)));
            let end = |end: f64| Some(end * scale).filter(|end| end.is_finite());
            json!({ "at": x, "mean": at.mean * scale, "low": end(at.interval[0]), "high": end(at.interval[1]), "with": values[1..].join(", "),
                "differs": at.stands })
        })
        .collect();
    let kind = if numbers.is_some() { "quantitative" } else { "nominal" };
    let x = json!({ "field": "at", "type": kind, "title": sweep.parameters[0].path, "sort": null, "scale": { "zero": false, "nice": false },
        "axis": { "tickMinStep": 1 } });
    let unit = if gauge.is_share { "percent of the games" } else { gauge.unit.as_str() };
    let y = json!({ "field": "mean", "type": "quantitative", "title": unit, "scale": { "zero": false } });
    let with: Vec<&str> = sweep.parameters[1..].iter().map(|of| short(&of.path)).collect();
    let color = if with.is_empty() {
        json!({ "value": "#b03a2e" })
    } else {
        json!({ "field": "with", "type": "nominal", "title": with.join(", "), "sort": null })
    };
    spec(
        json!(values),
        json!({
            "height": 200,
            "layer": [
                { "mark": { "type": "area", "opacity": 0.2 }, "encoding": { "x": x, "color": color,
                    "y": { "field": "low", "type": "quantitative", "title": unit, "scale": { "zero": false } }, "y2": { "field": "high" } } },
                { "mark": { "type": "line", "point": true, "tooltip": { "content": "data" } }, "encoding": { "x": x, "y": y, "color": color } },
            ],
        }),
    )
}

/// What the rows of one sweep have in common.
#[derive(Debug, Clone)]
pub struct SweepColumns {
    key: String,
    header: Vec<String>,
    points: Vec<Vec<String>>,
    /// Which of what is measured is yes or no of every game, in the order of the columns.
    are_shares: Vec<bool>,
}

/// The columns before those of what is swept, between them and those of what is measured.
const BEFORE: [&str; 2] = ["sweep", "seed"];
const BETWEEN: [&str; 2] = ["outcome", "wrong"];

impl SweepColumns {
    /// Those of a sweep.
    pub fn of(sweep: &Sweep, swept: &Swept) -> SweepColumns {
        let mut all = format!("{} {:?} {:?}", env!("CARGO_PKG_VERSION"), sweep.players, sweep.parameters);
        for ruleset in &sweep.versions {
            let scenario = &ruleset.scenarios[sweep.scenario].id;
            // Parts are what play depends on; the ruleset's players are none of them.
            let players: Vec<(&str, u32)> = ruleset.judgements.iter().map(|p| (&*p.name, p.hash)).collect();
            all += &format!("\n{scenario} {:?} {players:?}", ruleset.parts_played(scenario));
        }
        let paths = sweep.parameters.iter().map(|of| of.path.as_str());
        let measures = swept.gauges.iter().map(|gauge| gauge.id.as_str());
        let header = BEFORE.into_iter().chain(paths).chain(BETWEEN).chain(measures).map(str::to_owned).collect();
        let values = |point| sweep.values_at(point).into_iter().map(str::to_owned).collect();
        let points = (0..sweep.versions.len()).map(values).collect();
        let are_shares = swept.gauges.iter().map(|gauge| gauge.is_share).collect();
        SweepColumns { key: format!("{:016x}", xxh3_64(all.as_bytes())), header, points, are_shares }
    }

    /// Writes the line that names the columns.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_header(&self, to: impl Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(to);
        writer.write_record(&self.header)?;
        writer.flush()
    }

    /// Writes the rows of a seed, one a point.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(&self, across: &Across, to: impl Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(to);
        for ((point, values), outcome) in self.points.iter().zip(&across.values).zip(&across.outcomes) {
            // One row is one line, for whoever reads it line by line.
            let wrong = across.wrong.as_deref().unwrap_or("").replace(['\n', '\r'], " ");
            let before = [self.key.clone(), across.seed.to_string()].into_iter().chain(point.iter().cloned());
            let values = values.iter().map(ToString::to_string);
            writer.write_record(before.chain([outcome.clone(), wrong]).chain(values))?;
        }
        writer.flush()
    }

    /// Reads the seeds of a file that [`SweepColumns::write`] has written, as far as they are whole, and says where the last
    /// of them ends.
    ///
    /// # Errors
    /// It holds something else than rows of this sweep.
    pub fn read(&self, from: impl Read, mut each: impl FnMut(Across)) -> Result<u64, TrialsError> {
        let mut reader = csv::Reader::from_reader(from);
        if !reader.headers()?.iter().eq(self.header.iter().map(String::as_str)) {
            return Err(TrialsError::Foreign("no games of a sweep, or other columns"));
        }
        let mut end = reader.position().byte();
        let mut records = reader.into_records();
        let values_from = BEFORE.len() + self.points[0].len();
        loop {
            let mut across = Across { seed: 0, outcomes: Vec::new(), values: Vec::new(), wrong: None };
            for (at, point) in self.points.iter().enumerate() {
                let Some(row) = records.next().transpose()? else { return Ok(end) };
                let cell = |column: usize| row.get(column).unwrap_or("");
                let name = |column: usize| self.header.get(column).map_or("", String::as_str);
                if cell(0) != self.key {
                    return Err(TrialsError::Foreign("games of another sweep"));
                }
                let no_seed = |_| TrialsError::cell(&row, 1, name(1), "no number of 64 bits");
                let seed = cell(1).parse().map_err(no_seed)?;
                let is_next = at == 0 || seed == across.seed;
                if let Some(other) =
                    (BEFORE.len()..values_from).find(|at| cell(*at) != point[at - BEFORE.len()] || !is_next)
                {
                    return Err(TrialsError::cell(&row, other, name(other), "not the value that is next"));
                }
                across.seed = seed;
                across.outcomes.push(cell(values_from).to_owned());
                across.wrong =
                    across.wrong.or(Some(cell(values_from + 1).to_owned()).filter(|wrong| !wrong.is_empty()));
                let from = values_from + BETWEEN.len();
                let value =
                    |(column, is_share): (usize, &bool)| TrialsError::measured(&row, column, name(column), *is_share);
                across.values.push((from..).zip(&self.are_shares).map(value).collect::<Result<_, _>>()?);
            }
            each(across);
            end = records.reader().position().byte();
        }
    }
}

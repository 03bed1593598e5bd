//! What a comparison came to, as a page for browsers that needs nothing else: figures drawn by Vega-Lite, whose data and
//! specification stand in the page, and all of them in a table too.

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::{
    Compared, Comparison, Effect, Exercise, Gauge, Parting,
    claimed::claims_page,
    heard::heard_page,
    report::{facts, figure, interval, is_told, percent, signed, singles, story, won},
    tornado::tornado,
};
use crate::{
    ruleset::{Provenance, Ruleset},
    show::page,
};

/// Vega and Vega-Lite as their makers publish them (see `NOTICE`), so that the page asks no network for anything.
pub(super) const VEGA: [&str; 2] =
    [include_str!("../../vega/vega.min.js"), include_str!("../../vega/vega-lite.min.js")];

/// Draws every specification of the page in the width there is.
pub(super) const DRAW: &str = "
for (const figure of document.querySelectorAll('figure.chart')) {
  const spec = JSON.parse(figure.querySelector('pre').textContent);
  const at = figure.querySelector('.drawn');
  const wide = Math.max(120, Math.min(900, at.clientWidth - 30));
  const view = new vega.View(vega.parse(vegaLite.compile({ ...spec, width: wide }).spec), { renderer: 'svg' });
  view.initialize(at).runAsync();
}
";

pub(super) const STYLE: &str = "
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .85rem; }
th, td { text-align: right; padding: .15rem .4rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
tr.stands td { font-weight: 600; }
.wide { overflow-x: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dt { font-weight: 600; font-size: .8rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.drawn { overflow: hidden; } .drawn svg { max-width: 100%; height: auto; }
details pre { max-height: 20rem; overflow: auto; }
@media (max-width: 40rem) { dl { display: block; } dd { margin-bottom: .4rem; } th, td { padding: .1rem .2rem; } }
@media print { details { display: none; } figure, tr { break-inside: avoid; } }
";

/// As a page; with boards as SVG, each with what it shows.
pub fn comparison_page(compared: &Compared<'_>, boards: &[(String, String)]) -> String {
    let names = &compared.differences.names;
    with_charts(&format!("{} and {}", names[0], names[1]), &comparison_body(compared, boards))
}

/// A page whose figures are drawn.
pub(super) fn with_charts(title: &str, body: &Markup) -> String {
    let whole = html! {
        style { (PreEscaped(STYLE)) }
        (body)
        @for script in VEGA { script { (PreEscaped(script)) } }
        script { (PreEscaped(DRAW)) }
    };
    page(title, &whole)
}

/// What a page says of a comparison.
pub(super) fn comparison_body(compared: &Compared<'_>, boards: &[(String, String)]) -> Markup {
    let (names, comparison) = (&compared.differences.names, compared.comparison);
    let ruleset = &compared.pairs.versions[0];
    let charts = charts(compared);
    html! {
        h1 { (ruleset.title) ": " (names[0]) " and " (names[1]) }
        dl { @for (head, rest) in facts(compared) { dt { (head) } dd { (rest) } } }
        @for chart in &charts { (drawn(chart)) }
        h2 { "All measures" }
        div.wide { (table(comparison, ruleset, compared.pairs.is_paired)) }
        @for each in compared.each {
            h2 { "Amendments by themselves: " (each.how.word()) }
            @if each.all.is_empty() {
                p.about { (each.how.about()) ": nothing can be looked at so." }
            } @else {
                p.about { (each.how.about()) ", " (each.pairs()) " pairs each; all measures of all of them " (each.correction().promise()) "." }
            }
            @for single in singles(each) {
                p { b { (single.id) } ": " (single.exercised) }
                ul { @for found in &single.found { li { (found) } } }
            }
            @for (id, why) in &each.left_out { p { b { (id) } ": cannot be looked at so, " (why) } }
        }
        (claims_page(compared))
        @if let Some(heard) = compared.heard { (heard_page(heard)) }
        @if let (Some(parting), Some(widest)) = (compared.parting, comparison.widest) {
            h2 { "The games that differ most: seed " (widest.seed) ", by " (widest.gap) }
            (told(parting, boards))
        }
        h2 { "Again" }
        pre { (compared.again) }
    }
}

/// A figure, with its title and what it is drawn from.
pub(super) fn drawn((title, about, spec): &Chart) -> Markup {
    html! {
        h2 { (title) }
        figure.chart {
            figcaption.about { (about) }
            div.drawn {}
            details {
                summary { "data and specification (Vega-Lite)" }
                pre { (serde_json::to_string_pretty(spec).unwrap_or_default()) }
            }
        }
    }
}

fn told(parting: &Parting, boards: &[(String, String)]) -> Markup {
    html! {
        pre style="white-space: pre-wrap" { (story(parting)) }
        @for (title, svg) in boards {
            figure { figcaption { (title) } (PreEscaped(svg)) }
        }
    }
}

fn table(comparison: &Comparison, ruleset: &Ruleset, is_paired: bool) -> Markup {
    let effects = comparison.effects();
    let rows = comparison.gauges.iter().zip(&effects).zip(comparison.standing());
    let rows = rows.filter_map(|((gauge, effect), stands)| Some((gauge, effect.as_ref()?, stands)));
    html! {
        table {
            thead { tr { th {} th { "A" } th { "B" } th { "B \u{2212} A" } th { "95 % interval" } th { @if is_paired { "pairing" } } } }
            tbody {
                @for (gauge, effect, stands) in rows.filter(|(_, effect, _)| is_told(effect)) {
                    tr class=(if stands { "stands" } else { "" }) {
                        td {
                            (gauge.marked_title()) @if stands { " *" }
                            @if let Some(cite) = gauge.cite { " " span.cite { "[" (ruleset.cite(cite)) "]" } }
                        }
                        td { (figure(gauge, effect.means[0])) }
                        td { (figure(gauge, effect.means[1])) }
                        td { (signed(gauge, effect.difference)) }
                        td { (interval(gauge, effect)) }
                        td { (won(effect, is_paired)) }
                    }
                }
                @for (outcome, [a, b]) in &comparison.outcomes {
                    tr {
                        td { "outcome: " (outcome) }
                        td { (percent(*a, comparison.pairs)) }
                        td { (percent(*b, comparison.pairs)) }
                        td {} td {} td {}
                    }
                }
            }
        }
        p.about {
            "* differs at 95 %, all measures that differ in any pair " (comparison.correction.promise()) ". "
            @if is_paired { "Pairing: how many times the games it saved. " }
            (Provenance::Reconstructed.dagger()) " looks at values that no source prints."
        }
    }
}

/// A title, a sentence about it, and the specification.
pub(super) type Chart = (String, String, Value);

fn charts(compared: &Compared<'_>) -> Vec<Chart> {
    let comparison = compared.comparison;
    let mut charts = vec![exercised(compared)];
    let effects = comparison.effects();
    let rows: Vec<(&Gauge, &Effect, bool)> = comparison
        .gauges
        .iter()
        .zip(&effects)
        .zip(comparison.standing())
        .filter_map(|((gauge, effect), stands)| Some((gauge, effect.as_ref()?, stands)))
        .filter(|(_, effect, _)| effect.differing > 0 && (effect.ends().is_some() || effect.is_alike()))
        .collect();
    let mut units: Vec<&str> = rows.iter().map(|(gauge, ..)| unit(gauge)).collect();
    // Who wins comes first, then what the ruleset measures, then what the engine counts.
    units.sort_by_key(|unit| (*unit != SHARE, ["turns", "decisions"].contains(unit), *unit));
    units.dedup();
    charts.extend(units.into_iter().map(|of| {
        let rows: Vec<_> = rows.iter().filter(|(gauge, ..)| unit(gauge) == of).collect();
        differences(of, &rows)
    }));
    charts.extend(compared.each.iter().flat_map(tornado));
    charts.extend(apart(comparison));
    charts.extend(by_turn(compared, &effects));
    charts
}

/// What shares are told in.
const SHARE: &str = "percent of the games";

fn unit(gauge: &Gauge) -> &str {
    if gauge.is_share { SHARE } else { &gauge.unit }
}

/// What all figures have in common.
pub(super) fn spec(values: Value, mut rest: Value) -> Value {
    let grey = "#808080";
    rest["$schema"] = json!("https://vega.github.io/schema/vega-lite/v6.json");
    rest["data"] = json!({ "values": values });
    rest["autosize"] = json!({ "type": "fit-x", "contains": "padding" });
    rest["background"] = json!("transparent");
    rest["config"] = json!({
        "axis": { "labelColor": grey, "titleColor": grey, "gridColor": "#80808040", "labelLimit": 190 },
        "legend": { "labelColor": grey, "titleColor": grey, "orient": "bottom", "columns": 1 },
        "view": { "stroke": "#80808060" },
    });
    rest
}

/// What became of the difference, pair by pair, of the whole and of each amendment.
fn exercised(compared: &Compared<'_>) -> Chart {
    let whole = std::iter::once(("all together".to_owned(), compared.comparison));
    let each = compared.each.iter().flat_map(|each| {
        let several = compared.each.len() > 1;
        let name = move |id: &String| if several { format!("{id} ({})", each.how.word()) } else { id.clone() };
        each.all.iter().map(move |(id, comparison)| (name(id), comparison))
    });
    let values: Vec<Value> = whole
        .chain(each)
        .flat_map(|(of, comparison)| {
            let all = Exercise::ALL.into_iter().zip(comparison.exercised).enumerate();
            all.map(move |(order, (exercise, pairs))| {
                json!({ "of": of, "became": exercise.word(), "pairs": pairs, "order": order })
            })
        })
        .collect();
    let words: Vec<&str> = Exercise::ALL.into_iter().map(Exercise::word).collect();
    let spec = spec(
        json!(values),
        json!({
            "mark": { "type": "bar", "tooltip": true },
            "encoding": {
                "y": { "field": "of", "type": "nominal", "sort": null, "title": null },
                "x": { "field": "pairs", "type": "quantitative", "stack": "normalize", "title": "of the pairs", "axis": { "format": "%" } },
                "color": { "field": "became", "type": "nominal", "title": null, "sort": words,
                    "scale": { "domain": words, "range": ["#c9c3b5", "#8fa8bf", "#d9a441", "#b03a2e"] } },
                "order": { "field": "order", "type": "quantitative" },
            },
        }),
    );
    let about = "Three kinds of nothing, and what had an effect.".to_owned();
    ("What became of the difference".to_owned(), about, spec)
}

fn differences(unit: &str, rows: &[&(&Gauge, &Effect, bool)]) -> Chart {
    let values: Vec<Value> = rows
        .iter()
        .map(|(gauge, effect, stands)| {
            let scale = if gauge.is_share { 100.0 } else { 1.0 };
            json!({
                "measure": gauge.marked_title(), "id": gauge.id, "difference": effect.difference * scale,
                "low": effect.ends().map(|ends| ends[0] * scale), "high": effect.ends().map(|ends| ends[1] * scale),
                "found": if *stands { "differs" } else { "may be chance" },
            })
        })
        .collect();
    let y = json!({ "field": "measure", "type": "nominal", "sort": null, "title": null });
    let color = json!({ "field": "found", "type": "nominal", "title": null,
        "scale": { "domain": ["differs", "may be chance"], "range": ["#b03a2e", "#808080"] } });
    let title = format!("B \u{2212} A, {unit}");
    let spec = spec(
        json!(values),
        json!({
            "layer": [
                { "mark": { "type": "rule", "color": "#80808080", "strokeDash": [3, 3] }, "encoding": { "x": { "datum": 0 } } },
                { "mark": { "type": "rule", "strokeWidth": 2 }, "encoding": {
                    "y": y, "color": color, "x": { "field": "low", "type": "quantitative", "title": title }, "x2": { "field": "high" } } },
                { "mark": { "type": "point", "filled": true, "size": 50, "tooltip": { "content": "data" } }, "encoding": {
                    "y": y, "color": color, "x": { "field": "difference", "type": "quantitative" } } },
            ],
            "height": { "step": 18 },
        }),
    );
    let about = "The difference and where it lies at 95 %; to the right B has more.".to_owned();
    (format!("Differences in {unit}"), about, spec)
}

/// How far the games of each pair are apart.
fn apart(comparison: &Comparison) -> Option<Chart> {
    let score = comparison.gauges.iter().find(|gauge| gauge.is_score())?;
    if comparison.apart.len() < 2 {
        return None;
    }
    let values: Vec<Value> = comparison.apart.iter().map(|(by, pairs)| json!({ "by": by, "pairs": pairs })).collect();
    let (least, most) = (comparison.apart.keys().min()?, comparison.apart.keys().max()?);
    let x = if most - least > 40 {
        json!({ "field": "by", "type": "quantitative", "bin": { "maxbins": 40 }, "title": "by how much the lead differs" })
    } else {
        json!({ "field": "by", "type": "ordinal", "title": "by how much the lead differs" })
    };
    let spec = spec(
        json!(values),
        json!({
            "mark": { "type": "bar", "tooltip": true, "color": "#5f7f9f" },
            "encoding": { "x": x, "y": { "field": "pairs", "type": "quantitative", "aggregate": "sum", "title": "pairs" } },
            "height": 180,
        }),
    );
    let about = format!("By how much more {} leads in B than in A of the same pair, in {}.", score.side, score.unit);
    Some(("How far the games of a pair are apart".to_owned(), about, spec))
}

/// Measures that are read on the way, turn by turn.
fn by_turn(compared: &Compared<'_>, effects: &[Option<Effect>]) -> Option<Chart> {
    let (ruleset, comparison) = (&compared.pairs.versions[0], compared.comparison);
    let read = comparison.gauges.iter().zip(effects).filter_map(|(gauge, effect)| Some((gauge, effect.as_ref()?)));
    let mut values = Vec::new();
    for (gauge, effect) in read.filter(|(gauge, effect)| !gauge.is_share && is_told(effect)) {
        let Some(turn) = gauge.turn else { continue };
        let of = gauge.marked_title();
        let of = of.rsplit_once(&format!(", {}", ruleset.turn_name(turn))).map_or(of.as_str(), |(of, _)| of).to_owned();
        for (version, mean) in ["A", "B"].into_iter().zip(effect.means) {
            values.push(
                json!({ "of": of, "turn": turn, "when": ruleset.turn_name(turn), "version": version, "mean": mean }),
            );
        }
    }
    let turns: std::collections::BTreeSet<i64> = values.iter().filter_map(|value| value["turn"].as_i64()).collect();
    if turns.len() < 2 {
        return None;
    }
    let spec = spec(
        json!(values),
        json!({
            "mark": { "type": "line", "point": true, "tooltip": true },
            "encoding": {
                "x": { "field": "turn", "type": "ordinal", "title": "game turn" },
                "y": { "field": "mean", "type": "quantitative", "title": "mean" },
                "color": { "field": "of", "type": "nominal", "title": null },
                "strokeDash": { "field": "version", "type": "nominal", "title": null },
            },
            "height": 240,
        }),
    );
    Some((
        "On the way".to_owned(),
        "What measures come to where the ruleset has them read, on average.".to_owned(),
        spec,
    ))
}

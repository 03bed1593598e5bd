//! What single amendments do to what games are won by, the greatest first: as bars of text, as a figure, and for machines.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    Correction, Each, Effect, Gauge,
    page::{Chart, spec},
    report::{interval, signed, singles},
};

/// So many letters to either side of nothing.
const WIDE: usize = 16;

impl Each {
    /// How many pairs each was played.
    pub(super) fn pairs(&self) -> u64 {
        self.all.first().map_or(0, |(_, comparison)| comparison.pairs)
    }

    /// How all of them are kept from being called by chance.
    pub(super) fn correction(&self) -> Correction {
        self.all.first().map(|(_, comparison)| comparison.correction).unwrap_or_default()
    }
}

/// What one amendment does to one measure.
struct Bar<'a> {
    id: &'a str,
    effect: Effect,
    stands: bool,
}

/// What the sides score, or who wins where nothing is scored, each with what amendments do to it, the greatest first.
fn bars(each: &Each) -> Vec<(&Gauge, Vec<Bar<'_>>)> {
    let Some((_, first)) = each.all.first() else { return Vec::new() };
    let is_scored = first.gauges.iter().any(Gauge::is_score);
    let is_told = |gauge: &&Gauge| if is_scored { gauge.is_score() } else { gauge.id.starts_with("wins.") };
    let effects: Vec<Vec<Option<Effect>>> = each.all.iter().map(|(_, comparison)| comparison.effects()).collect();
    let stands = each.correction().standing(&effects.concat());
    let of = |gauge: &Gauge| {
        let mut begun = 0;
        let mut bars = Vec::new();
        for ((id, comparison), effects) in each.all.iter().zip(&effects) {
            let at = comparison.gauges.iter().position(|other| other.id == gauge.id);
            if let Some((at, Some(effect))) = at.map(|at| (at, effects[at])) {
                bars.push(Bar { id, effect, stands: stands[begun + at] });
            }
            begun += effects.len();
        }
        bars.sort_by(|a, b| b.effect.difference.abs().total_cmp(&a.effect.difference.abs()));
        bars
    };
    first.gauges.iter().filter(is_told).map(|gauge| (gauge, of(gauge))).collect()
}

/// As text for a terminal: what each came to, and bars.
pub(super) fn tornado_text(each: &Each) -> String {
    let mut text = String::new();
    let (pairs, promise) = (each.pairs(), each.correction().promise());
    let _ = match each.all.len() {
        0 => writeln!(text, "\n{}: nothing can be looked at so:", each.how.about()),
        _ => writeln!(text, "\n{}, {pairs} pairs each; * found, all {promise}:", each.how.about()),
    };
    for single in singles(each) {
        let _ = writeln!(text, "{}: {}", single.id, single.exercised);
        single.found.iter().for_each(|line| _ = writeln!(text, "    * {line}"));
    }
    each.left_out.iter().for_each(|(id, why)| _ = writeln!(text, "{id}: cannot be looked at so, {why}"));
    for (gauge, bars) in bars(each) {
        let longest = bars.iter().map(|bar| bar.effect.difference.abs()).fold(0.0, f64::max);
        if longest == 0.0 {
            continue;
        }
        let _ = writeln!(text, "{}:", gauge.marked_title());
        let wide = bars.iter().map(|bar| bar.id.chars().count()).max().unwrap_or(0);
        for Bar { id, effect, stands } in bars {
            let long = (effect.difference.abs() / longest * WIDE as f64).round() as usize;
            let bar = "#".repeat(long);
            let (less, more) = if effect.difference < 0.0 { (bar.as_str(), "") } else { ("", bar.as_str()) };
            let (difference, lies) = (signed(gauge, effect.difference), interval(gauge, &effect));
            let mark = if stands { " *" } else { "" };
            let _ = writeln!(text, "    {id:<wide$} {less:>WIDE$}|{more:<WIDE$} {difference:>8}  {lies}{mark}");
        }
    }
    text
}

/// As a figure for each of these measures.
pub(super) fn tornado(each: &Each) -> Vec<Chart> {
    let one = |(gauge, bars): (&Gauge, Vec<Bar<'_>>)| {
        let scale = if gauge.is_share { 100.0 } else { 1.0 };
        let values: Vec<Value> = bars
            .iter()
            .filter(|bar| bar.effect.ends().is_some() || bar.effect.is_alike())
            .map(|Bar { id, effect, stands }| {
                json!({
                    "amendment": id, "difference": effect.difference * scale,
                    "low": effect.ends().map(|ends| ends[0] * scale), "high": effect.ends().map(|ends| ends[1] * scale),
                    "found": if *stands { "differs" } else { "may be chance" },
                })
            })
            .collect();
        if values.is_empty() {
            return None;
        }
        let y = json!({ "field": "amendment", "type": "nominal", "sort": null, "title": null });
        let unit = if gauge.is_share { "percent of the games" } else { &gauge.unit };
        let x =
            json!({ "field": "difference", "type": "quantitative", "title": format!("with it less without, {unit}") });
        let color = json!({ "field": "found", "type": "nominal", "title": null,
            "scale": { "domain": ["differs", "may be chance"], "range": ["#b03a2e", "#a8a8a8"] } });
        let spec = spec(
            json!(values),
            json!({
                "layer": [
                    { "mark": { "type": "bar", "tooltip": { "content": "data" } }, "encoding": { "y": y, "x": x, "color": color } },
                    { "mark": { "type": "rule", "color": "#404040" }, "encoding": {
                        "y": y, "x": { "field": "low", "type": "quantitative" }, "x2": { "field": "high" } } },
                ],
                "height": { "step": 18 },
            }),
        );
        let about = format!("{}; the line says where it lies at 95 %.", each.how.about());
        Some((format!("{}: amendments by themselves, {}", gauge.marked_title(), each.how.word()), about, spec))
    };
    bars(each).into_iter().filter_map(one).collect()
}

/// For machines: what one amendment does to what games are won by.
pub(super) fn scores(each: &Each, id: &str) -> Vec<Value> {
    let all = bars(each).into_iter().flat_map(|(gauge, bars)| bars.into_iter().map(move |bar| (gauge, bar)));
    all.filter(|(_, bar)| bar.id == id)
        .map(|(gauge, Bar { effect, stands, .. })| {
            json!({ "measure": gauge.id, "difference": effect.difference, "interval": effect.ends(), "p": effect.p, "stands": stands })
        })
        .collect()
}

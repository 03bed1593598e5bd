//! What a tuning came to, told: as text, and for machines.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    Estimate, HeldOut, Player, Tried, Tuning,
    ranked::{between, signed, whole},
};

/// Names of those whom the tuned player is held against: as it was, and the opponent where that is another.
fn others(tuning: &Tuning, held: &HeldOut) -> Vec<String> {
    let against = Some(&tuning.against).filter(|against| **against != Player::Named(tuning.player.as_str().into()));
    [held.was.clone()].into_iter().chain(against.map(ToString::to_string)).collect()
}

/// As people read it. Where no weight has come out otherwise there was nothing to hold out.
pub fn tuning_text(tuning: &Tuning, tried: &[Tried], held: Option<&HeldOut>, again: &str) -> String {
    let ruleset = &tuning.ruleset;
    let mut out = String::new();
    let mut line = |text: String| {
        // Writing to a text cannot fail.
        let _ = writeln!(out, "{text}");
    };
    line(format!(
        "{} of {}, {}: tuned against {} from seed {} by SPSA",
        tuning.player,
        ruleset.full_name(),
        ruleset.scenarios[tuning.scenario].title,
        tuning.against,
        tuning.seed
    ));
    line(format!(
        "{} steps, at each {} pairs of games with its weights moved up, and as many with them moved down\n",
        tuning.steps, tuning.pairs
    ));
    line(format!("{:<24} {:>7} {:>7}  bounds", "weight", "was", "is"));
    for (weight, (_, is)) in tuning.weights.iter().zip(tuning.stands(tried)) {
        let (least, most) = weight.bounds;
        line(format!("{:<24} {:>7} {is:>7}  {least} to {most}", weight.name, weight.is));
    }
    let Some(held) = held else {
        line("\nNothing was gained: every weight has come out as it was.".to_owned());
        line(format!("\nAGAIN  {again}"));
        return out;
    };
    let (first, last) = (held.seed, held.seed.wrapping_add(held.pairs - 1));
    line(format!("\nOn seeds {first} to {last}, on which nothing was tuned:"));
    for other in others(tuning, held) {
        let Some((share, by)) = held.ladder.between(&held.is, &other) else { continue };
        let Estimate { is, least, most } = share;
        let (estimate, by) = (by, whole(by, 1.0));
        line(format!(
            "  from {other} it takes {:.1} % of the points ({:.1} to {:.1}): {} points of Elo ({})",
            100.0 * is,
            100.0 * least,
            100.0 * most,
            signed(by[0]),
            between(estimate)
        ));
    }
    let was = held.ladder.between(&held.was, &tuning.against.to_string());
    if let Some((_, by)) = was.filter(|_| held.ladder.rungs.len() > 2) {
        let (estimate, by) = (by, whole(by, 1.0));
        line(format!("  as it was: {} ({}) against {}", signed(by[0]), between(estimate), tuning.against));
    }
    let lost = held.ladder.is_stronger(&held.was, &held.is);
    line(match (held.is_gain(), lost) {
        (true, _) => "Something was gained: it is certain at 95 % that it plays better than it did.".to_owned(),
        (_, true) => "Nothing was gained: it plays worse than it did.".to_owned(),
        _ => "Nothing was gained that is certain at 95 %: it may play no better than it did.".to_owned(),
    });
    for (seed, wrong) in &held.ladder.failed.1 {
        line(format!("  does not count, seed {seed}: {wrong}"));
    }
    line(format!("\nAGAIN  {again}"));
    out
}

/// For machines.
pub fn tuning_json(tuning: &Tuning, tried: &[Tried], held: Option<&HeldOut>, again: &str) -> Value {
    let weights: Vec<Value> = tuning
        .weights
        .iter()
        .zip(tuning.stands(tried))
        .map(|(weight, (_, is))| {
            json!({ "weight": weight.name, "was": weight.is, "is": is, "least": weight.bounds.0, "most": weight.bounds.1 })
        })
        .collect();
    let rounded = |value: f64, digits: i32| (value * 10f64.powi(digits)).round() / 10f64.powi(digits);
    let told = |estimate: Estimate, digits: i32| {
        let interval = estimate.is_known().then(|| [estimate.least, estimate.most].map(|end| rounded(end, digits)));
        json!({ "is": rounded(estimate.is, digits), "interval": interval })
    };
    let held_out = held.map(|held| {
        let against: Vec<Value> = others(tuning, held)
            .into_iter()
            .filter_map(|other| {
                let (share, by) = held.ladder.between(&held.is, &other)?;
                Some(json!({ "player": other, "share": told(share, 4), "leads_by": told(by, 2) }))
            })
            .collect();
        json!({ "seed": held.seed, "pairs": held.pairs, "against": against,
                "failed": { "count": held.ladder.failed.0, "first": held.ladder.failed.1 } })
    });
    let points = |halves: i64| halves as f64 / 2.0;
    json!({
        "format": 1, "game": tuning.ruleset.id, "version": tuning.ruleset.version.to_string().trim_start_matches('@'),
        "scenario": tuning.ruleset.scenarios[tuning.scenario].id, "player": tuning.player,
        "against": tuning.against.to_string(), "seed": tuning.seed, "steps": tuning.steps, "games": 2 * tuning.pairs,
        "tried": tried.iter().map(|both| both.map(points)).collect::<Vec<_>>(),
        "weights": weights, "held_out": held_out, "gained": held.is_some_and(HeldOut::is_gain), "again": again,
    })
}

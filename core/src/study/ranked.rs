//! What a ladder came to, told: as text, for machines, and as content.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Estimate, Ladder, SelfPlay, Tournament};
use crate::{
    diagnostic::Span,
    ruleset::{Balance, Ranked, Ranking},
};

/// The version as it is written behind `@`.
fn version(tournament: &Tournament) -> String {
    tournament.ruleset.version.to_string().trim_start_matches('@').to_owned()
}

fn scenario(tournament: &Tournament) -> &str {
    &tournament.ruleset.scenarios[tournament.scenario].id
}

/// Rounded, and its interval outward.
pub(super) fn whole(estimate: Estimate, scale: f64) -> [i32; 3] {
    let Estimate { is, least, most } = estimate;
    [(is * scale).round() as i32, (least * scale).floor() as i32, (most * scale).ceil() as i32]
}

pub(super) fn signed(number: i32) -> String {
    if number == 0 { "0".into() } else { format!("{number:+}") }
}

/// Where a strength lies, in words where that is not known.
pub(super) fn between(estimate: Estimate) -> String {
    let [_, least, most] = whole(estimate, 1.0);
    if estimate.is_known() { format!("{} to {}", signed(least), signed(most)) } else { "not known".to_owned() }
}

/// As people read it.
pub fn ladder_text(tournament: &Tournament, ladder: &Ladder, again: &str) -> String {
    let ruleset = &tournament.ruleset;
    let mut out = String::new();
    let mut line = |text: String| {
        // Writing to a text cannot fail.
        let _ = writeln!(out, "{text}");
    };
    let played: u64 = ladder.encounters.iter().map(|met| met.games / 2).sum();
    line(format!(
        "{}, {}: {played} pairs of games, every two players {} with sides swapped, from seed {}\n",
        ruleset.full_name(),
        ruleset.scenarios[tournament.scenario].title,
        tournament.pairs,
        tournament.seed
    ));
    for (wrong, at) in ladder.failed.1.iter().map(|(seed, wrong)| (wrong, seed)) {
        line(format!("does not count, seed {at}: {wrong}"));
    }
    let width = ladder.rungs.iter().map(|rung| rung.player.chars().count()).max().unwrap_or(0).max(6);
    line(format!("{:<width$} {:>7}  {:<16} {:>6}  points", "player", "rating", "95 % interval", "games"));
    for rung in &ladder.rungs {
        let rating = whole(rung.rating, 1.0);
        let share = if rung.games == 0 { 0.0 } else { 50.0 * rung.halves as f64 / rung.games as f64 };
        let interval = between(rung.rating);
        line(format!(
            "{:<width$} {:>7}  {interval:<16} {:>6}  {share:.1} %",
            rung.player,
            signed(rating[0]),
            rung.games
        ));
    }
    let anchored = if ladder.rung(Ladder::ANCHOR).is_some() { "`plain` has 0" } else { "the mean is 0" };
    line(format!(
        "\nPoints of Elo (Bradley and Terry, with a term for the side): {anchored}; every two are taken to have drawn one pair\nof games besides. Intervals by 2000 draws of a Bayesian bootstrap over pairs."
    ));
    line("\nWho took which share of the points from whom, and by how much the stronger leads:".to_owned());
    for encounter in &ladder.encounters {
        let [one, other] = encounter.players.map(|at| &ladder.rungs[at].player);
        let [_, least, most] = whole(encounter.share, 1000.0).map(|share| f64::from(share) / 10.0);
        let share = format!("{:.1} % ({least:.1} to {most:.1})", 100.0 * encounter.share.is);
        let by = whole(encounter.by, 1.0);
        let certain = if encounter.is_certain() { "certain" } else { "not certain" };
        let lead = format!("{} ({})", signed(by[0]), between(encounter.by));
        line(format!("  {one:>width$} from {other:<width$}  {share:<24} {lead:<26} {certain}"));
    }
    let [first, second] = tournament.side_names();
    if let Some(SelfPlay { player, games, share }) = &ladder.balance {
        let [is, least, most] = whole(*share, 1000.0).map(|share| f64::from(share) / 10.0);
        let leads = match (least > 50.0, most < 50.0) {
            (true, _) => format!("{first} has the better of it"),
            (_, true) => format!("{second} has the better of it"),
            _ => "neither side is certain to have the better of it".to_owned(),
        };
        line(format!(
            "\nWhere {player} plays itself, {first} takes {is:.1} % of the points ({least:.1} to {most:.1}; games: {games}): {leads}."
        ));
    }
    if ladder.encounters.iter().any(|encounter| !encounter.by.is_known()) {
        let few = ladder.encounters.iter().any(|met| met.games < 2 * Ladder::FEWEST);
        let why = if few {
            format!("fewer than {} pairs of every two say nothing", Ladder::FEWEST)
        } else {
            "one side won all games, whoever played it".to_owned()
        };
        line(format!("Who is the stronger, and by how much, is not known: {why}."));
    }
    line(format!("\nAGAIN  {again}"));
    out
}

fn estimated(estimate: Estimate, digits: i32) -> Value {
    let scale = 10f64.powi(digits);
    let round = |value: f64| (value * scale).round() / scale;
    let interval = estimate.is_known().then(|| [round(estimate.least), round(estimate.most)]);
    json!({ "is": round(estimate.is), "interval": interval })
}

/// For machines.
pub fn ladder_json(tournament: &Tournament, ladder: &Ladder, again: &str) -> Value {
    let players: Vec<Value> = ladder
        .rungs
        .iter()
        .map(|rung| {
            json!({ "player": rung.player, "rating": estimated(rung.rating, 2), "games": rung.games,
                    "points": rung.halves as f64 / 2.0 })
        })
        .collect();
    let encounters: Vec<Value> = ladder
        .encounters
        .iter()
        .map(|met| {
            let both = met.players.map(|at| &ladder.rungs[at].player);
            json!({ "players": both, "games": met.games, "points": met.halves as f64 / 2.0,
                    "share": estimated(met.share, 4), "leads_by": estimated(met.by, 2), "certain": met.is_certain() })
        })
        .collect();
    let [first, _] = tournament.side_names();
    let mut told = json!({
        "format": 1, "game": tournament.ruleset.id, "version": version(tournament), "scenario": scenario(tournament),
        "seed": tournament.seed, "pairs": tournament.pairs,
        "failed": { "count": ladder.failed.0, "first": ladder.failed.1 },
        "players": players, "encounters": encounters,
        "again": again,
    });
    if let Some(SelfPlay { player, games, share }) = &ladder.balance {
        told["balance"] = json!({ "side": first, "player": player, "games": games, "share": estimated(*share, 4) });
    }
    told
}

/// As content, which `ladder:` holds.
pub fn ranking(tournament: &Tournament, ladder: &Ladder, made_by: &str) -> Ranking {
    let span = Span::default;
    let names = ladder.rungs.iter().map(|rung| &*rung.player);
    let [first, _] = tournament.side_names();
    Ranking {
        scenario: scenario(tournament).to_owned(),
        version: version(tournament),
        made_by: made_by.to_owned(),
        content: Ranking::content_of(&tournament.ruleset, scenario(tournament), names),
        balance: ladder.balance.as_ref().map(|own| Balance {
            side: first,
            share: whole(own.share, 100.0),
            span: span(),
        }),
        players: ladder
            .rungs
            .iter()
            .map(|rung| Ranked {
                player: rung.player.clone(),
                rating: whole(rung.rating, 1.0)[0],
                lies: rung.rating.is_known().then(|| whole(rung.rating, 1.0)).map(|[_, least, most]| [least, most]),
                games: i32::try_from(rung.games).unwrap_or(i32::MAX),
                span: span(),
            })
            .collect(),
        span: span(),
    }
}

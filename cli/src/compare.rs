//! `countermarch compare`: two versions of a game over many pairs of games.

use std::{sync::Arc, thread};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use countermarch_core::{
    ruleset::{Differences, Ruleset, VersionName},
    study::{Compared, Comparison, Pairs, Player, comparison_json, comparison_text, parting},
};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    Which,
    content::{self, Asked, Content, Faulty},
    diff::other,
    seats::{Seat, seats},
};

/// Compares two versions.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// The other version: GAME@VERSION, or @VERSION of the same game.
    other: String,
    /// Change one value of the other version.
    #[arg(long = "other-set", value_name = "PATH=VALUE")]
    other_set: Vec<String>,
    /// How many pairs of games.
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// The seed of the first pair; the others follow it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games at once; no more than the machine has cores.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// The scenario; the first without.
    #[arg(long)]
    scenario: Option<String>,
    /// Who plays: SIDE=random or SIDE=plain; random without.
    #[arg(long = "players", value_name = "SIDE=PLAYER", value_delimiter = ',')]
    players: Vec<String>,
    /// Play so many pairs more for each amendment that differs, the second version with it and without.
    #[arg(long, value_name = "GAMES", default_value_t = 0)]
    each: u64,
    /// Give every game a seed of its own, to see what pairing is worth.
    #[arg(long)]
    unpaired: bool,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// `countermarch compare`.
pub fn run(options: &Options) -> Result<bool> {
    let (content, first) = content::find(&options.which)?;
    let second = other(&options.which, &options.other, &options.other_set, &first)?;
    let differences = content.differences(&first, &second)?;
    let versions = [content.playable(&first)?, content.playable(&second)?];
    let seats = [0, 1].map(|at| seats(&versions[at], &options.players, &[Seat::Random]));
    let [of_first, of_second] = seats;
    let seats = [of_first?, of_second?];
    let players = |seats: &[Seat]| -> Result<Vec<Player>> {
        let players: Option<Vec<Player>> = seats.iter().map(|seat| seat.player()).collect();
        players.ok_or_else(|| anyhow!("people do not play in a comparison"))
    };
    let scenario = |ruleset: &Ruleset| content::scenario(ruleset, options.scenario.as_deref());
    let pairs = Pairs {
        scenarios: [scenario(&versions[0])?, scenario(&versions[1])?],
        players: [players(&seats[0])?, players(&seats[1])?],
        versions,
        seed: options.seed,
        games: options.games,
        jobs: usize::from(options.jobs).min(thread::available_parallelism().map_or(1, usize::from)),
        is_paired: !options.unpaired,
    };
    if pairs.versions[0].scenarios[pairs.scenarios[0]].id != pairs.versions[1].scenarios[pairs.scenarios[1]].id {
        bail!("the versions begin with different scenarios: name one with --scenario");
    }
    let comparison = play(&pairs, "pairs")?;
    let each = each(options, &content, &second, &differences, &pairs)?;
    let parting = match comparison.widest {
        Some(widest) => Some(parting(&pairs, widest.seed, content::runtime)?),
        None => None,
    };
    let names = |at: usize| -> Vec<String> {
        let sides = pairs.versions[at].sides.iter().zip(&seats[at]);
        sides.map(|(side, seat)| format!("{}={}", side.id, seat.word())).collect()
    };
    let names = [names(0), names(1)];
    let compared = Compared {
        differences: &differences,
        pairs: &pairs,
        players: names.each_ref().map(Vec::as_slice),
        comparison: &comparison,
        each: &each,
        parting: parting.as_ref(),
        again: &again(options, &pairs),
    };
    if options.json {
        println!("{}", comparison_json(&compared));
    } else {
        print!("{}", comparison_text(&compared));
    }
    if comparison.failed.0 > 0 {
        return Err(Faulty(format!("{} pairs could not be played to their end", comparison.failed.0)).into());
    }
    Ok(true)
}

/// Plays the pairs, and shows how far they are.
fn play(pairs: &Pairs, what: &str) -> Result<Comparison> {
    let bar = ProgressBar::new(pairs.games);
    bar.set_style(ProgressStyle::with_template(&format!(
        "{{bar:40}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left"
    ))?);
    let mut comparison = Comparison::new(&pairs.versions);
    pairs.play(
        content::runtime,
        |_| false,
        |pair| {
            comparison.add(&pair);
            bar.inc(1);
        },
    )?;
    bar.finish_and_clear();
    Ok(comparison)
}

/// What each amendment that differs is worth by itself: the second version with it against the same without it. One that
/// the others need, or that needs others, cannot be looked at so.
fn each(
    options: &Options,
    content: &Content,
    second: &Asked,
    differences: &Differences,
    pairs: &Pairs,
) -> Result<Vec<(String, Comparison)>> {
    let mut all = Vec::new();
    if options.each == 0 {
        return Ok(all);
    }
    let amendments = differences.amendments();
    for (amendment, on) in &amendments {
        let is_bound = |(other, _): &(&_, usize)| is_needed(other, &amendment.id);
        if amendments.iter().any(is_bound) {
            continue;
        }
        let mut version = second.selection.version.clone();
        turn(&mut version, &amendment.id, *on == 0);
        let turned = Asked {
            folder: second.folder.clone(),
            id: second.id.clone(),
            selection: countermarch_core::ruleset::Selection { version, ..second.selection.clone() },
        };
        let other: Arc<Ruleset> = content.playable(&turned)?;
        let b = pairs.versions[1].clone();
        // What is on stands second, as it does in the whole comparison.
        let versions = if *on == 0 { [b, other] } else { [other, b] };
        let scenarios = versions.each_ref().map(|ruleset| content::scenario(ruleset, options.scenario.as_deref()));
        let [a, b] = scenarios;
        let one = Pairs { versions, scenarios: [a?, b?], games: options.each, ..pairs.clone() };
        all.push((amendment.id.clone(), play(&one, &format!("pairs of {}", amendment.id))?));
    }
    Ok(all)
}

fn is_needed(by: &countermarch_core::ruleset::Amendment, id: &str) -> bool {
    by.needs.iter().any(|need| need == id) || by.excludes.iter().any(|other| other == id)
}

/// Puts an amendment on, or takes it off.
fn turn(version: &mut VersionName, id: &str, on: bool) {
    let VersionName { with, without, .. } = version;
    let (into, out_of) = if on { (with, without) } else { (without, with) };
    out_of.retain(|other| other != id);
    if !into.iter().any(|other| other == id) {
        into.push(id.to_owned());
    }
}

/// The command that does the same again.
fn again(options: &Options, pairs: &Pairs) -> String {
    let mut command = format!("countermarch compare {} {}", options.which.game, options.other);
    let mut add = |text: String| command.push_str(&text);
    options.which.set.iter().for_each(|set| add(format!(" --set {set}")));
    options.other_set.iter().for_each(|set| add(format!(" --other-set {set}")));
    add(format!(" --games {} --seed {}", options.games, options.seed));
    add(format!(" --scenario {}", pairs.versions[0].scenarios[pairs.scenarios[0]].id));
    options.players.iter().for_each(|player| add(format!(" --players {player}")));
    if options.each > 0 {
        add(format!(" --each {}", options.each));
    }
    if options.unpaired {
        add(" --unpaired".to_owned());
    }
    command
}

//! `countermarch compare`: two versions of a game over many pairs of games.

pub mod files;

use std::{io::Write as _, path::PathBuf, sync::Arc, thread};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use countermarch_cartography::draw::Picture;
use countermarch_core::{
    ruleset::{Differences, Ruleset, VersionName},
    show::Sight,
    study::{
        Columns, Compared, Comparison, Pair, Pairs, Parting, Player, comparison_json, comparison_page, comparison_text,
        parting,
    },
};
use indicatif::{ProgressBar, ProgressStyle};

use self::files::{NewFile, TrialFile, must_be_apart};
use crate::{
    Which,
    content::{self, Asked, Content, Faulty},
    diff::other,
    seats::{self, Seat, seats},
    walk,
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
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
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
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    each: Option<u64>,
    /// Give every game a seed of its own, to see what pairing is worth.
    #[arg(long)]
    unpaired: bool,
    /// Write every trial to this CSV file. One that was killed, or that is to have more games, is gone on with.
    #[arg(long, value_name = "FILE.csv")]
    trials: Option<PathBuf>,
    /// Write the trials as Parquet too, to this new file.
    #[arg(long, value_name = "FILE.parquet", requires = "trials")]
    parquet: Option<PathBuf>,
    /// Write a page for a browser, with figures that anybody can redraw, to this new file.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    #[command(flatten)]
    walk: walk::Options,
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
    let seats = [0, 1].map(|at| seats(&versions[at], &options.players, &[Seat::RANDOM]));
    let [of_first, of_second] = seats;
    let seats = [of_first?, of_second?];
    let players = |seats: &[Seat]| -> Result<Vec<Player>> {
        seats::players(seats).ok_or_else(|| anyhow!("people do not play in a comparison"))
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
    if options.walk.is_asked() {
        let Pairs { scenarios, players, seed, games, versions, .. } = pairs;
        let games = || Ok(walk::Games { scenarios, players, seed, games });
        return options.walk.run(&content, [&first, &second], &differences.names, versions, games, options.json);
    }
    must_be_apart(&[options.trials.as_ref(), options.parquet.as_ref(), options.html.as_ref()])?;
    let [html, parquet] = [&options.html, &options.parquet].map(|path| path.as_deref().map(NewFile::at).transpose());
    let (html, parquet) = (html?, parquet?);
    let (comparison, file) = trials(options, &pairs)?;
    if let (Some(mut file), Some(parquet)) = (file, &parquet) {
        parquet.write(|to| file.write_parquet(to))?;
    }
    let each = each(options, &content, &second, &differences, &pairs)?;
    let parting = match comparison.widest {
        Some(widest) => Some(parting(&pairs, widest.seed, content::runtime)?),
        None => None,
    };
    let names = |at: usize| -> Vec<String> {
        let sides = pairs.versions[at].sides.iter().zip(&seats[at]);
        sides.map(|(side, seat)| format!("{}={}", side.id, seat)).collect()
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
    if let Some(html) = &html {
        let boards = boards(parting.as_ref())?;
        html.write(|file| Ok(file.write_all(comparison_page(&compared, &boards).as_bytes())?))?;
    }
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

/// Plays the pairs that the file of trials does not hold yet, and writes them to it.
fn trials(options: &Options, pairs: &Pairs) -> Result<(Comparison, Option<TrialFile>)> {
    let mut comparison = Comparison::new(pairs);
    let Some(path) = &options.trials else {
        play(pairs, "pairs", 0, |pair| {
            comparison.add(&pair);
            Ok(())
        })?;
        return Ok((comparison, None));
    };
    let (mut held, columns) = (0, Columns::of(pairs, &comparison));
    let mut file = TrialFile::open(path, columns, |pair| {
        if pair.seed != pairs.seed.wrapping_add(held) || held >= pairs.games {
            let last = pairs.games - 1;
            bail!("it holds a pair of seed {}, and those asked for are {} and {last} more", pair.seed, pairs.seed);
        }
        held += 1;
        comparison.add(&pair);
        Ok(())
    })?;
    play(pairs, "pairs", held, |pair| {
        comparison.add(&pair);
        file.write(&pair)
    })?;
    Ok((comparison, Some(file)))
}

/// Plays the pairs after the first so many, and shows how far they are.
fn play(pairs: &Pairs, what: &str, held: u64, mut each: impl FnMut(Pair) -> Result<()>) -> Result<()> {
    let bar = ProgressBar::new(pairs.games);
    bar.set_style(ProgressStyle::with_template(&format!(
        "{{bar:40}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left"
    ))?);
    bar.set_position(held);
    bar.reset_eta();
    let is_held = |seed: u64| seed.wrapping_sub(pairs.seed) < held;
    pairs.play(content::runtime, is_held, |pair| {
        bar.inc(1);
        each(pair)
    })?;
    bar.finish_and_clear();
    Ok(())
}

/// The board where the games part that differ most.
fn boards(parting: Option<&Parting>) -> Result<Vec<(String, String)>> {
    let Some(Parting { position, around, .. }) = parting else { return Ok(Vec::new()) };
    let picture = Picture {
        map: &position.ruleset.map,
        ground: None,
        game: Some((position, Sight::ALL)),
        overlays: Vec::new(),
        around: around.map(|space| (space, 8)),
        across: 48.0,
    };
    let title = format!("{}: where they part", position.ruleset.turn_name(position.turn()));
    Ok(vec![(title, picture.svg()?)])
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
    let Some(games) = options.each else { return Ok(all) };
    let amendments = differences.amendments();
    if amendments.is_empty() {
        bail!("--each has nothing to look at: no amendment is on in one of the versions alone");
    }
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
        let one = Pairs { versions, scenarios: [a?, b?], games, ..pairs.clone() };
        let mut comparison = Comparison::new(&one);
        play(&one, &format!("pairs of {}", amendment.id), 0, |pair| {
            comparison.add(&pair);
            Ok(())
        })?;
        all.push((amendment.id.clone(), comparison));
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
    let mut words = vec!["countermarch".to_owned(), "compare".to_owned()];
    words.extend([options.which.game.clone(), options.other.clone()]);
    let mut add = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
    options.which.set.iter().for_each(|set| add("--set", set));
    options.other_set.iter().for_each(|set| add("--other-set", set));
    add("--games", &options.games.to_string());
    add("--seed", &options.seed.to_string());
    add("--scenario", &pairs.versions[0].scenarios[pairs.scenarios[0]].id);
    options.players.iter().for_each(|player| add("--players", player));
    options.each.iter().for_each(|games| add("--each", &games.to_string()));
    words.extend(options.unpaired.then(|| "--unpaired".to_owned()));
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "@._/+~=:,-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) && !word.starts_with(['~', '=']) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        assert_eq!(quoted("gettysburg-88@clarified~28"), "gettysburg-88@clarified~28");
        assert_eq!(quoted("may/a/when=unit.side = union"), "'may/a/when=unit.side = union'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("~one"), "'~one'");
    }
}

//! `countermarch odds`: how likely it is what comes of a point of a record.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use countermarch_core::{
    play::{Limits, Session},
    ruleset::Ruleset,
    show::Sight,
    study::{Ask, Likely, Player, answer_line, likely, likely_json, likely_text, taken_over},
};
use countermarch_scripting::Runtime;

use crate::{
    Which,
    content::{self, Asked, Faulty},
    diff::other,
    records::{open, play_to},
    seats::{Seat, seats},
};

/// Tells odds.
#[derive(Args)]
pub struct Options {
    /// The record.
    file: PathBuf,
    /// An answer to be given first, as one would type it; without one, what waits there.
    action: Option<String>,
    /// The folder of its game, where it is none of those that `list` names.
    #[arg(long, value_name = "FOLDER")]
    ruleset: Option<PathBuf>,
    /// After so many answers; at the end without.
    #[arg(long)]
    at: Option<usize>,
    /// Who answers for a side meanwhile: SIDE=random or SIDE=plain. Without, odds end where the side is asked.
    #[arg(long = "players", value_name = "SIDE=PLAYER", value_delimiter = ',')]
    players: Vec<String>,
    /// Another version to be held beside it: GAME@VERSION, or @VERSION of the same game.
    #[arg(long, value_name = "VERSION")]
    against: Option<String>,
    /// Change one value of the other version.
    #[arg(long = "against-set", value_name = "PATH=VALUE", requires = "against")]
    against_set: Vec<String>,
    /// Tell no more than this side may know; everything without.
    #[arg(long, value_name = "SIDE")]
    seen_by: Option<String>,
    /// Where there are more ways than so many, they are tried out.
    #[arg(long, value_name = "WAYS", default_value_t = 20_000)]
    most: usize,
    /// So many tries are made then.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    tries: u32,
    /// The seed of the tries.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// `countermarch odds`.
pub fn run(options: &Options) -> Result<bool> {
    let opened = open(&options.file, options.ruleset.as_deref())?;
    let session = play_to(&opened, options.at, Limits { forced: false, ..Limits::PLAY })?;
    let mut all: Vec<(String, Result<Likely, String>)> = Vec::new();
    let other = match &options.against {
        None => None,
        Some(name) => {
            let set: Vec<String> =
                opened.text.header.set.iter().map(|(path, value)| format!("{path}={value}")).collect();
            let which = Which { game: opened.text.header.game.clone(), set };
            let (content, mut first) = content::find_of_record(&which, options.ruleset.as_deref())?;
            let folder = first.folder.take();
            let second = other(&which, name, &options.against_set, &first)?;
            let ruleset = content.playable(&Asked { folder, ..second })?;
            let rules = content::runtime(&ruleset)?;
            Some((ruleset.full_name(), taken_over(&session, &ruleset, rules)))
        }
    };
    all.push((opened.ruleset.full_name(), odds(options, session)?));
    if let Some((name, session)) = other {
        let odds = match session {
            Ok(session) => odds(options, session)?,
            Err(why) => Err(format!("the position cannot be taken over: {why}")),
        };
        all.push((name, odds));
    }
    if options.json {
        println!("{}", likely_json(&all));
    } else {
        print!("{}", likely_text(&all));
    }
    if all.iter().all(|(_, likely)| likely.is_err()) {
        return Err(Faulty("there are no odds to tell".into()).into());
    }
    Ok(true)
}

/// The odds of a version, or why there are none.
fn odds(options: &Options, mut session: Session<Runtime>) -> Result<Result<Likely, String>> {
    let ruleset: &Ruleset = &session.ruleset().clone();
    let sight = match &options.seen_by {
        None => Sight::ALL,
        Some(name) => Sight::of(content::side(ruleset, name)?, ruleset),
    };
    let players = players(ruleset, &options.players)?;
    session.chance = countermarch_core::play::Chance::Person;
    let ask = Ask { players, sight, most: options.most, tries: options.tries, seed: options.seed };
    let odds = match answer_line(&mut session, options.action.as_deref().unwrap_or_default(), sight) {
        Ok(()) => likely(&mut session, &ask).map_err(|wrong| wrong.to_string()),
        Err(why) => Err(why),
    };
    Ok(odds)
}

/// Who answers for each side; nobody for a side that is not named.
fn players(ruleset: &Ruleset, asked: &[String]) -> Result<Vec<Option<Player>>> {
    let all = seats(ruleset, asked, &[Seat::Human])?;
    if asked.iter().any(|one| one.ends_with("=human")) {
        bail!("people do not answer while odds are found: leave their side out");
    }
    Ok(all.iter().map(|seat| seat.player().cloned()).collect())
}

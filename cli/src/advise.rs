//! `countermarch advise`: what a player would answer at a point of a record, and why.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;
use countermarch_core::{
    play::Limits,
    show::Sight,
    study::{Player, advice, advice_json, advice_text},
};
use serde_json::json;

use crate::{
    content::Faulty,
    records::{open, play_to},
};

/// Advises whoever is asked.
#[derive(Args)]
pub struct Options {
    /// The record.
    file: PathBuf,
    /// The folder of its game, where it is none of those that `list` names.
    #[arg(long, value_name = "FOLDER")]
    ruleset: Option<PathBuf>,
    /// After so many answers; at the end without.
    #[arg(long)]
    at: Option<usize>,
    /// Who advises: `plain` or another of the game's players, or `careful`, which looks ahead (`careful:20000`, `careful:2s`).
    #[arg(long, default_value = Player::PLAIN)]
    player: String,
    /// So many choices are told at most.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    choices: u8,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// `countermarch advise`.
pub fn run(options: &Options) -> Result<bool> {
    let opened = open(&options.file, options.ruleset.as_deref())?;
    let player = Player::parse(&options.player);
    player.fits(&opened.ruleset).map_err(|why| anyhow!("{why}"))?;
    let mut session = play_to(&opened, options.at, Limits { forced: false, ..Limits::PLAY })?;
    let Some(question) = session.question().cloned() else {
        return Err(Faulty(
            "nobody is asked there, so that there is nothing to advise: name another place by --at".into(),
        )
        .into());
    };
    // Advice is for the side that is asked, and tells no more than that side may know.
    let sight = Sight::of(question.by, &opened.ruleset);
    let told = advice(&mut session, &player, usize::from(options.choices))
        .map_err(|wrong| Faulty(format!("`{player}` has no advice: {wrong}")))?;
    let (game, side) = (session.game(), &opened.ruleset.sides[question.by as usize]);
    let asked = game.asks(&question, sight);
    if options.json {
        let key = &opened.ruleset.questions[usize::from(question.key)].key;
        let choices = advice_json(game, &told, sight);
        let (game, at) = (opened.ruleset.full_name(), session.entries());
        let all = json!({
            "format": 1, "game": game, "at": at, "player": player.to_string(), "side": side.id, "question": key,
            "asked": asked, "choices": choices,
        });
        println!("{all}");
    } else {
        println!("{}: {asked}\n{player} would answer:", side.name);
        print!("{}", advice_text(game, &told, sight));
    }
    Ok(true)
}

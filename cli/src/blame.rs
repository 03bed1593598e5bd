//! `countermarch blame`: which amendments decided a game.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, bail};
use clap::Args;
use countermarch_core::{
    ruleset::Ruleset,
    study::{Blame, Make, Mixtures, blamed_json, blamed_text},
};
use countermarch_scripting::{Budget, Runtime};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    Which,
    content::{self, Asked},
    records,
    seats::{Seat, players, seats},
};

/// Looks for the amendments that decided a game.
#[derive(Args)]
pub struct Options {
    /// The record.
    file: PathBuf,
    /// The version that it is held against: what differs is left out in turn.
    #[arg(long, value_name = "@VERSION", default_value = "@base")]
    against: String,
    /// Who answers where the record has no answer: SIDE=random or SIDE=plain; the game's plain without, or random.
    #[arg(long = "players", value_name = "SIDE=PLAYER", value_delimiter = ',')]
    players: Vec<String>,
    /// Sets of two and more are tried as long as no more versions than this come of it.
    #[arg(long, value_name = "VERSIONS", default_value_t = 600)]
    tries: usize,
    /// The folder of its game, where it is none of those that `list` names.
    #[arg(long, value_name = "FOLDER")]
    ruleset: Option<PathBuf>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// `countermarch blame`.
pub fn run(options: &Options) -> Result<bool> {
    let opened = records::open(&options.file, options.ruleset.as_deref())?;
    let set = opened.text.header.set.iter().map(|(path, value)| format!("{path}={value}")).collect();
    let which = Which { game: opened.text.header.game.clone(), set };
    let (content, first) = content::find_of_record(&which, options.ruleset.as_deref())?;
    let game = if options.against.starts_with('@') {
        format!("{}{}", first.id, options.against)
    } else {
        options.against.clone()
    };
    let mut second = Asked::new(&Which { game, set: Vec::new() })?;
    if second.id != first.id {
        bail!("the record is of `{}`, and `{}` is another game: name a version of it, as @base", first.id, second.id);
    }
    second.folder.clone_from(&first.folder);
    let ruleset = opened.ruleset.clone();
    let against = content.load(&second)?;
    if against.scenario(&opened.record.scenario).is_none() {
        bail!("{} has no scenario `{}`", against.full_name(), opened.record.scenario);
    }
    let mixtures = Mixtures::new([&ruleset, &against], [&first.selection, &second.selection]);
    if mixtures.names.is_empty() {
        bail!(
            "{} and {} differ in nothing that can be left out: name another version with --against",
            ruleset.full_name(),
            against.full_name()
        );
    }
    let usual = Seat::opponent(&ruleset).unwrap_or(Seat::RANDOM);
    let seats = seats(&ruleset, &options.players, &[usual])?;
    let Some(players) = players(&seats) else { bail!("people do not play here") };
    let blame = Blame {
        ruleset: &ruleset,
        record: &opened.record,
        mixtures: &mixtures,
        players: &players,
        most: options.tries,
    };
    let (library, id) = (content.library.clone(), first.id.clone());
    let make: Arc<Make<Runtime>> = Arc::new(move |selection| {
        let loaded = Ruleset::load(&library, &id, selection).ok()?;
        let rules = Runtime::new(loaded.ruleset.clone(), Budget::default()).ok()?;
        Some((loaded.ruleset, rules))
    });
    let bar = if options.json { ProgressBar::hidden() } else { ProgressBar::no_length() };
    bar.set_style(ProgressStyle::with_template("{pos} versions, {per_sec}")?);
    let blamed = blame.find(content::runtime, &*make, || bar.inc(1))?;
    bar.finish_and_clear();
    let names = [ruleset.full_name(), against.full_name()];
    if options.json {
        println!("{}", blamed_json(&names, &blame, &blamed));
    } else {
        print!("{}", blamed_text(&names, &blame, &blamed));
    }
    Ok(blamed.failed.is_empty())
}

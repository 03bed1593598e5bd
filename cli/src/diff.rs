//! `countermarch diff`: how two versions of a game differ on paper.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use countermarch_cartography::draw::{Overlay, Picture};
use countermarch_core::{
    map::SpaceId,
    ruleset::{Differences, Ruleset},
    show::{differences_json, differences_markdown, differences_page, differences_text},
};

use crate::{
    Which,
    content::{Asked, Content, find},
};

/// What the differences are written in.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For a terminal.
    Text,
    /// Markdown.
    Markdown,
    /// A page for a browser, with the boards where they differ.
    Html,
}

/// Holds two versions of a game against each other.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// The other version: GAME@VERSION, or @VERSION of the same game.
    other: String,
    /// Change one value of the other version.
    #[arg(long = "other-set", value_name = "PATH=VALUE")]
    other_set: Vec<String>,
    /// What to write.
    #[arg(long, value_enum, default_value = "text")]
    form: Form,
    /// Write JSON.
    #[arg(long, conflicts_with = "form")]
    json: bool,
}

/// `countermarch diff`. Fine where nothing differs.
pub fn run(options: &Options) -> Result<bool> {
    let (content, first) = find(&options.which)?;
    let second = other(&options.which, &options.other, &options.other_set, &first)?;
    let differences = content.differences(&first, &second)?;
    if options.json {
        println!("{}", differences_json(&differences));
        return Ok(differences.is_empty());
    }
    match options.form {
        Form::Text => print!("{}", differences_text(&differences)),
        Form::Markdown => print!("{}", differences_markdown(&differences)),
        Form::Html => println!("{}", differences_page(&differences, &boards(&content, &differences)?)),
    }
    Ok(differences.is_empty())
}

/// The other of two versions, which may leave out the game that it shares with the first.
pub fn other(which: &Which, other: &str, set: &[String], first: &Asked) -> Result<Asked> {
    let game = match other.strip_prefix('@') {
        Some(_) => {
            let game = which.game.rsplit_once('@').map_or(which.game.as_str(), |(game, _)| game);
            format!("{game}{other}")
        }
        None => other.to_owned(),
    };
    let second = Asked::new(&Which { game, set: set.to_vec() })?;
    if (&second.id, &second.folder) != (&first.id, &first.folder) {
        bail!("`{}` and `{}` are two games: name two versions of one, as GAME@A @B", first.id, second.id);
    }
    Ok(second)
}

/// The boards of both versions with what differs ringed; none where the map is the same.
fn boards(content: &Content, differences: &Differences) -> Result<Vec<(String, String)>> {
    let mut boards = Vec::new();
    for (at, ruleset) in differences.versions.iter().enumerate() {
        let spaces = differing(differences, at, ruleset);
        if spaces.is_empty() {
            continue;
        }
        let overlay = Overlay {
            title: "differs".into(),
            colour: "#b03a2e".into(),
            spaces: spaces.into_iter().map(|space| (space, String::new())).collect(),
            lines: Vec::new(),
        };
        let ground = content.ground(&ruleset.map);
        let picture = Picture {
            map: &ruleset.map,
            ground: ground.as_ref(),
            game: None,
            overlays: vec![overlay],
            around: None,
            across: 32.0,
        };
        boards.push((ruleset.full_name(), picture.svg()?));
    }
    Ok(boards)
}

/// The spaces of one version's map that what differs of the map, or of what is printed on spaces, names.
fn differing(differences: &Differences, at: usize, ruleset: &Ruleset) -> BTreeSet<SpaceId> {
    let of_map =
        differences.values.iter().filter(|value| matches!(value.path.split('/').next(), Some("map" | "spaces")));
    let words = of_map.flat_map(|value| {
        let written = value.stands[at].as_ref().map_or("", |stands| stands.written.as_str());
        value.path.split(['/', '+']).chain(written.split(|c: char| !c.is_alphanumeric() && c != ':'))
    });
    words.filter_map(|word| ruleset.map.find(word)).collect()
}

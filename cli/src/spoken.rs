//! `countermarch coverage --games`: what of a game's content speaks in play.

use std::{sync::Arc, thread};

use anyhow::{Result, anyhow};
use clap::Args;
use countermarch_core::{
    play::Limits,
    ruleset::Ruleset,
    study::{Heading, Series, Spoken, spoken_json, spoken_text},
};

use crate::{
    content::{self, Faulty},
    seats::{Seat, players, seats},
};

/// How games are played to listen to them.
#[derive(Args)]
#[group(skip)]
pub struct Options {
    /// Play so many games, and tell what of the content spoke in them.
    #[arg(long, default_value_t = 0, value_name = "GAMES")]
    games: u64,
    /// The seed of the first game; the others follow it.
    #[arg(long, default_value_t = 1, requires = "games")]
    seed: u64,
    /// How many games at once; no more than the machine has cores.
    #[arg(long, default_value_t = 1, requires = "games", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// The scenario; the first without.
    #[arg(long, requires = "games")]
    scenario: Option<String>,
    /// Who plays: SIDE=random or SIDE=plain; random without, but for an umpire, who is plain.
    #[arg(long = "players", value_name = "SIDE=PLAYER", value_delimiter = ',', requires = "games")]
    players: Vec<String>,
}

impl Options {
    /// Whether any are.
    pub fn is_asked(&self) -> bool {
        self.games > 0
    }

    /// Plays, and tells what spoke.
    pub fn run(&self, ruleset: &Arc<Ruleset>, is_all: bool, as_json: bool) -> Result<bool> {
        let seats = seats(ruleset, &self.players, &[Seat::RANDOM])?;
        let players = players(&seats);
        let series = Series {
            when: None,
            scenario: content::scenario(ruleset, self.scenario.as_deref())?,
            seed: self.seed,
            games: self.games,
            players: players.ok_or_else(|| anyhow!("people do not play many games: write random or plain"))?,
            limits: Limits::BULK,
            jobs: usize::from(self.jobs).min(thread::available_parallelism().map_or(1, usize::from)),
        };
        let spoken = Spoken::over(&series, ruleset, || content::watching_closely(ruleset), || ())?;
        let sides = ruleset.sides.iter().zip(&seats).filter(|(side, _)| !side.neutral);
        let players: Vec<String> = sides.map(|(side, seat)| format!("{}={}", side.id, seat)).collect();
        let scenario = &ruleset.scenarios[series.scenario].id;
        let heading = Heading { players: &players, scenario, seed: self.seed, is_all };
        if as_json {
            println!("{}", spoken_json(&spoken, ruleset, &heading));
        } else {
            print!("{}", spoken_text(&spoken, ruleset, &heading));
        }
        match spoken.failed.len() {
            0 => Ok(true),
            _ => Err(Faulty("some games could not be played to their end".into()).into()),
        }
    }
}

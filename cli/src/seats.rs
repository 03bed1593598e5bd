//! Who sits where: people, and players that answer by themselves.

use anyhow::{Result, bail};
use countermarch_core::{ruleset::Ruleset, study::Player};

use crate::content;

/// Who decides for a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// A person at the terminal.
    Human,
    /// Any action, each as likely as the others.
    Random,
    /// The ruleset's own bot, which plays sensibly.
    Plain,
}

impl Seat {
    /// The word for it, as [`Seat::parse`] reads it.
    pub fn word(self) -> &'static str {
        match self {
            Seat::Human => "human",
            Seat::Random => "random",
            Seat::Plain => "plain",
        }
    }

    /// Who answers, where no person does.
    pub fn player(self) -> Option<Player> {
        match self {
            Seat::Human => None,
            Seat::Random => Some(Player::Random),
            Seat::Plain => Some(Player::Plain),
        }
    }

    /// Reads `human`, `random` or `plain`.
    pub fn parse(text: &str) -> Result<Seat> {
        match text {
            "human" => Ok(Seat::Human),
            "random" => Ok(Seat::Random),
            "plain" => Ok(Seat::Plain),
            other => bail!("a seat is held by human, random or plain, not by `{other}`"),
        }
    }
}

/// Reads `side=seat` for every side; those not named get the default. Where people play, a neutral side is nobody's
/// opponent: the game's own bot answers for it unless a seat asks for it.
pub fn seats(ruleset: &Ruleset, named: &[String], default: &[Seat]) -> Result<Vec<Seat>> {
    let aside = if ruleset.bot.is_some() { Seat::Plain } else { Seat::Random };
    let by_default = |at: usize| {
        let is_aside = ruleset.sides[at].neutral && default.contains(&Seat::Human);
        if is_aside { aside } else { default[at % default.len()] }
    };
    let mut seats: Vec<Seat> = (0..ruleset.sides.len()).map(by_default).collect();
    for text in named {
        let Some((side, seat)) = text.split_once('=') else {
            bail!("`{text}` is not SIDE=PLAYER: plain, random or human")
        };
        seats[content::side(ruleset, side)? as usize] = Seat::parse(seat)?;
    }
    if ruleset.bot.is_none() && seats.contains(&Seat::Plain) {
        bail!("`{}` has no bot, so nobody plays `plain`: write random or human", ruleset.id);
    }
    Ok(seats)
}

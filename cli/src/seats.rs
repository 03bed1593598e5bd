//! Who sits where: people, and players that answer by themselves.

use std::{collections::BTreeSet, fmt};

use anyhow::{Result, anyhow, bail};
use countermarch_core::{ruleset::Ruleset, study::Player};

use crate::content;

/// Who decides for a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seat {
    /// A person at the terminal.
    Human,
    /// A player that answers by itself.
    Player(Player),
}

/// The word for it, as [`Seat::parse`] reads it.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Human => f.write_str("human"),
            Seat::Player(player) => player.fmt(f),
        }
    }
}

impl Seat {
    /// Held by somebody who plays at random.
    pub const RANDOM: Seat = Seat::Player(Player::Random);

    /// Who answers, where no person does.
    pub fn player(&self) -> Option<&Player> {
        match self {
            Seat::Human => None,
            Seat::Player(player) => Some(player),
        }
    }

    /// Reads `human`, or a player that plays this ruleset.
    fn parse(text: &str, ruleset: &Ruleset) -> Result<Seat> {
        if text == "human" {
            return Ok(Seat::Human);
        }
        let player = Player::parse(text);
        player.fits(ruleset).map_err(|why| anyhow!("{why}, or human"))?;
        Ok(Seat::Player(player))
    }

    /// The player who is everybody's opponent where nobody is named: the ruleset's `plain`, if it has one.
    pub fn opponent(ruleset: &Ruleset) -> Option<Seat> {
        let plain = Player::plain();
        plain.fits(ruleset).is_ok().then_some(Seat::Player(plain))
    }
}

/// Reads `side=seat` for every side; those not named get the default. A neutral side is nobody's opponent: the game's own
/// player answers for it unless a seat asks for it.
pub fn seats(ruleset: &Ruleset, named: &[String], default: &[Seat]) -> Result<Vec<Seat>> {
    let by_default = |at: usize| {
        let usual = default[at % default.len()].clone();
        if ruleset.sides[at].neutral { Seat::Player(Player::of_neutral(ruleset)) } else { usual }
    };
    let mut seats: Vec<Seat> = (0..ruleset.sides.len()).map(by_default).collect();
    let mut named_already = BTreeSet::new();
    for text in named {
        let Some((side, seat)) = text.split_once('=') else {
            bail!("`{text}` is not SIDE=PLAYER: plain, random or human")
        };
        let of = content::side(ruleset, side)?;
        if !named_already.insert(of) {
            bail!("who plays for `{side}` is said twice");
        }
        seats[of as usize] = Seat::parse(seat, ruleset)?;
    }
    Ok(seats)
}

/// The players that hold these seats; nothing where a person holds one.
pub fn players(seats: &[Seat]) -> Option<Vec<Player>> {
    seats.iter().map(|seat| seat.player().cloned()).collect()
}

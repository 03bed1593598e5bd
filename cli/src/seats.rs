//! Who sits where: people, and players that answer by themselves.

use anyhow::{Result, bail};
use countermarch_core::{
    play::{Action, NotTaken, Session},
    ruleset::Ruleset,
    study::choose_at_random,
};
use countermarch_scripting::Runtime;

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

/// Reads `side=seat` for every side; those not named get the default.
pub fn seats(ruleset: &Ruleset, named: &[String], default: &[Seat]) -> Result<Vec<Seat>> {
    let mut seats: Vec<Seat> = (0..ruleset.sides.len()).map(|at| default[at % default.len()]).collect();
    for text in named {
        let Some((side, seat)) = text.split_once('=') else {
            bail!("`{text}` is not SIDE=PLAYER: plain, random or human")
        };
        seats[content::side(ruleset, side)? as usize] = Seat::parse(seat)?;
    }
    Ok(seats)
}

/// What a player without a person answers to the waiting question.
pub fn choose(session: &mut Session<Runtime>, seat: Seat, seed: u64) -> Result<Action, NotTaken> {
    let best = if seat == Seat::Plain { best(session)? } else { Vec::new() };
    let question = session.question().expect("a player is asked");
    let actions = if best.is_empty() { session.offers() } else { &best };
    Ok(choose_at_random(session.game(), question, actions, seed))
}

/// The offers that the ruleset's bot likes most; none where it has no opinion.
fn best(session: &mut Session<Runtime>) -> Result<Vec<Action>, NotTaken> {
    let mut best = Vec::new();
    let mut most = i64::MIN;
    for action in session.offers().to_vec() {
        let Some(opinion) = session.opinion(action)? else { continue };
        if opinion > most {
            most = opinion;
            best.clear();
        }
        if opinion == most {
            best.push(action);
        }
    }
    Ok(best)
}

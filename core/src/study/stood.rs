//! Where counters stood in many games, as a place of the sequence was left.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};

use super::Played;
use crate::{
    diagnostic::suggest,
    ruleset::{Kind, ReadAt, Ruleset},
};

/// When it is looked where counters stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    /// As the game ends.
    Over,
    /// As a place of the sequence is left in a turn, the last time; as the game ends where play never comes to it.
    Left(ReadAt),
}

impl When {
    /// Reads `end`, or `PLACE:TURN` with the name of a place of the sequence and the number of a game turn in which a scenario
    /// is played.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    pub fn parse(text: &str, ruleset: &Ruleset, scenario: usize) -> Result<When, String> {
        if text == "end" {
            return Ok(When::Over);
        }
        let wants = "it wants `end`, or PLACE:TURN with a place of the sequence and the number of a game turn";
        let (name, turn) = text.split_once(':').ok_or_else(|| format!("`{text}` says not when: {wants}"))?;
        let Some(place) = ruleset.sequence.place(name) else {
            let known = ruleset.sequence.places.iter().map(|place| place.name.as_str());
            return Err(format!("`{name}` is no place of the sequence: {}", suggest(name, known)));
        };
        let come = ruleset.turns_of(scenario);
        let (first, last) = (come.start(), come.end());
        let number = turn.parse().ok().filter(|turn| come.contains(turn));
        let turn: i32 =
            number.ok_or_else(|| format!("`{turn}` is no turn of this scenario: {wants}, from {first} to {last}"))?;
        Ok(When::Left(ReadAt { place, turns: Some(vec![turn]) }))
    }

    /// In words.
    pub fn words(&self, ruleset: &Ruleset) -> String {
        match self {
            When::Over => "as the game ends".to_owned(),
            When::Left(at) => {
                let turns: Vec<String> = at.turns.iter().flatten().map(|turn| ruleset.turn_name(*turn)).collect();
                format!("as {} is left in {}", ruleset.sequence.places[at.place].title, turns.join(", "))
            }
        }
    }
}

/// In how many games each counter stood where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whereabouts {
    /// By counter: spaces and boxes with how many games it stood there in. Those that are nowhere are at -1.
    pub units: Vec<BTreeMap<i32, u64>>,
    /// How many games count: those that were played to their end.
    pub games: u64,
    /// How many of them never came to that time: of these it is where counters stood as they ended.
    pub ended_before: u64,
}

impl Whereabouts {
    /// So many places of a counter are told as text.
    const TOLD: usize = 5;

    /// Of these games.
    pub fn of(ruleset: &Ruleset, all: &[Played]) -> Whereabouts {
        let mut found = Whereabouts { units: vec![BTreeMap::new(); ruleset.units.len()], games: 0, ended_before: 0 };
        for played in all.iter().filter(|played| played.wrong.is_none() && played.outcome.is_some()) {
            found.games += 1;
            found.ended_before += u64::from(played.ended_before);
            for (places, place) in found.units.iter_mut().zip(&played.stood) {
                *places.entry(*place).or_default() += 1;
            }
        }
        found
    }

    /// The places of a counter, those first where it stood most often.
    fn places(&self, unit: usize) -> Vec<(i32, u64)> {
        let mut places: Vec<(i32, u64)> = self.units[unit].iter().map(|(place, games)| (*place, *games)).collect();
        places.sort_by_key(|(place, games)| (std::cmp::Reverse(*games), *place));
        places
    }

    /// As people read it: a line for each counter, side by side.
    pub fn text(&self, ruleset: &Ruleset, when: &When) -> String {
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _ = writeln!(text, "Where counters stood {}, in percent of {} games:", when.words(ruleset), self.games);
        if self.ended_before > 0 {
            let _ = writeln!(
                text,
                "{} of them never came to that: of these, where they stood at the end.",
                self.ended_before
            );
        }
        let wide = ruleset.units.iter().map(|unit| unit.name.chars().count()).max().unwrap_or(0);
        for (side, declared) in ruleset.sides.iter().enumerate() {
            let own = ruleset.units.iter().enumerate().filter(|(_, unit)| unit.side as usize == side);
            let moved: Vec<_> = own.filter(|(at, _)| self.units[*at].keys().any(|place| *place >= 0)).collect();
            if !moved.is_empty() {
                let _ = writeln!(text, "{}:", declared.name);
            }
            for (at, unit) in moved {
                let places = self.places(at);
                let share = |games: u64| format!("{:.0}", 100.0 * games as f64 / self.games.max(1) as f64);
                let told = places.iter().take(Whereabouts::TOLD);
                let mut told: Vec<String> =
                    told.map(|(place, games)| format!("{} {}", named(ruleset, *place), share(*games))).collect();
                if places.len() > Whereabouts::TOLD {
                    let rest = places[Whereabouts::TOLD..].iter().map(|(_, games)| games).sum();
                    told.push(format!("{} more {}", places.len() - Whereabouts::TOLD, share(rest)));
                }
                let _ = writeln!(text, "  {:<wide$}  {}", unit.name, told.join(", "));
            }
        }
        text
    }

    /// For machines: in how many games, by counter and place.
    pub fn json(&self, ruleset: &Ruleset) -> Value {
        let of_unit = |(at, unit): (usize, &crate::ruleset::Unit)| {
            let places = self.places(at).into_iter().map(|(place, games)| json!([named(ruleset, place), games]));
            json!({ "unit": unit.id, "side": ruleset.sides[unit.side as usize].id, "places": places.collect::<Vec<_>>() })
        };
        ruleset.units.iter().enumerate().map(of_unit).collect()
    }
}

fn named(ruleset: &Ruleset, place: i32) -> String {
    if place < 0 { "nowhere".to_owned() } else { ruleset.id_of(Kind::Space, place) }
}

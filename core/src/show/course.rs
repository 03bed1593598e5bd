//! Where play is in its sequence, what follows, and who is still to come.

use std::collections::BTreeMap;

use super::{sight::Sight, words::Words};
use crate::{
    play::Game,
    ruleset::{Holder, Kind, Ruleset},
};

/// Where play is, what else is in this game turn, and when the game ends.
pub fn course(game: &Game) -> Vec<String> {
    let ruleset = &game.ruleset;
    let place = game.place_of_play().map(|p| &ruleset.sequence.places[p]);
    let now = place.map_or_else(String::new, |p| format!(": {}  [{}]", p.title, ruleset.cite(p.cite)));
    let side = ruleset.sides.get(game.phasing() as usize).map_or_else(String::new, |s| format!(", {}", s.name));
    let mut lines = vec![format!("{} (turn {}){side}{now}", ruleset.turn_name(game.turn()), game.turn())];
    let mut of = game.phasing();
    let mut ahead: Vec<(i32, Vec<&str>)> = vec![(of, Vec::new())];
    for (side, place) in game.ahead() {
        if side != of {
            of = side;
            ahead.push((of, Vec::new()));
        }
        if let Some((_, titles)) = ahead.last_mut() {
            titles.push(&ruleset.sequence.places[place].title);
        }
    }
    for (side, titles) in ahead.iter().filter(|(_, titles)| !titles.is_empty()) {
        lines.push(format!("  then {}: {}", ruleset.name_of(Kind::Side, *side), titles.join(", ")));
    }
    let last = game.last_turn();
    if game.turn() < last {
        lines.push(format!("  then {}", ruleset.turn_name(game.turn() + 1)));
    }
    lines.push(format!("The last game turn is {} (turn {last}).", ruleset.turn_name(last)));
    lines
}

/// Who is still to come in at most so many turns, turn by turn: when, on which side, and where; later ones are counted.
pub fn reinforcements(game: &Game, sight: Sight, turns: usize) -> Vec<String> {
    let ruleset = &game.ruleset;
    let words = Words::seen_by(sight, game);
    let mut due: BTreeMap<(i32, i32, String), Vec<String>> = BTreeMap::new();
    for unit in 0..ruleset.units.len() as i32 {
        let side = ruleset.units[unit as usize].side;
        if let Some((turn, place)) = comes(game, unit) {
            let name = if sight.is_concealed(game, Kind::Unit, unit) {
                words.name_of(Kind::Unit, unit)
            } else {
                format!("{}{}", ruleset.name_of(Kind::Unit, unit), beside(ruleset, unit))
            };
            due.entry((turn.max(game.turn()), side, place)).or_default().push(name);
        }
    }
    let mut lines = Vec::new();
    let (mut turn_told, mut told, mut later) = (0, 0, 0);
    for ((turn, side, place), names) in due {
        let is_next = turn != turn_told;
        (turn_told, told) = (turn, told + usize::from(is_next));
        if told > turns {
            later += names.len();
            continue;
        }
        if is_next {
            let now = if turn == game.turn() { " (now)" } else { "" };
            lines.push(format!("{}{now}", ruleset.turn_name(turn)));
        }
        let at = if place.is_empty() { String::new() } else { format!(", {place}") };
        lines.push(format!("  {}{at}: {}", ruleset.name_of(Kind::Side, side), names.join(", ")));
    }
    if later > 0 {
        lines.push(format!("Later: {later} more (`reinforcements all`)"));
    }
    if lines.is_empty() {
        lines.push("Nobody else is due.".to_owned());
    }
    lines
}

/// When a counter comes, and where; nothing for one on the map and one that does not come.
fn comes(game: &Game, unit: i32) -> Option<(i32, String)> {
    let ruleset = &game.ruleset;
    if game.space_of(unit) >= 0 {
        return None;
    }
    // A property told with a turn says when a counter comes, or comes back.
    let of_state = ruleset.schema.columns.iter().enumerate().find_map(|(at, column)| {
        let is_turn = column.holder == Holder::Unit && column.say.contains("{turn}");
        Some(game.get(at as u16, unit)).filter(|turn| is_turn && *turn > 0)
    });
    let chart = &ruleset.arrivals;
    let is_waiting = chart.waits == Some(game.place(unit));
    let printed = || chart.due.map(|due| ruleset.attributes[due].values[unit as usize]).filter(|t| *t > 0);
    let turn = of_state.or_else(|| if is_waiting { printed() } else { None })?;
    if let Some((_, place)) = chart.elsewhere.iter().find(|(when, _)| game.holds(when, &[unit])) {
        return Some((turn, place.clone()));
    }
    let place = chart.at.map_or_else(String::new, |at| {
        let attribute = &ruleset.attributes[at];
        let value = attribute.values[unit as usize];
        if value < 0 { String::new() } else { entry(ruleset, &ruleset.name_of(attribute.kind, value)) }
    });
    Some((turn, place))
}

/// An entry by its code: what the chart calls it, and the space.
fn entry(ruleset: &Ruleset, code: &str) -> String {
    let named = ruleset.arrivals.names.iter().find(|(c, _)| c == code).map(|(_, name)| name.clone());
    let entry = ruleset.map.entries.iter().find(|e| e.id == code);
    let road = entry.and_then(|e| e.road).map(|road| ruleset.map.roads[road].name.clone());
    let name = named.or(road).unwrap_or_else(|| code.to_owned());
    entry.map_or_else(|| name.clone(), |e| format!("{name} at {}", ruleset.map.space(e.at).name))
}

fn beside(ruleset: &Ruleset, unit: i32) -> String {
    let name = |kind, value| ruleset.name_of(kind, value);
    ruleset.arrivals.beside(unit as usize, &ruleset.attributes, &name)
}

impl Game {
    /// The places of the sequence that are entered from here to the end of the game turn, with the side whose turn it is
    /// then. What is left out under a condition is left out as the condition holds now.
    fn ahead(&self) -> Vec<(i32, usize)> {
        use crate::{play::Effect, ruleset::Cite, ruleset::Step};
        let steps = &self.ruleset.sequence.steps;
        // Conditions ask whose turn it is, so a copy is brought there.
        let mut game = self.clone();
        let mut list = Vec::new();
        let mut at = self.cursor() + 1;
        while let Some(step) = steps.get(at) {
            at += 1;
            match step {
                Step::Enter(place) => list.push((game.phasing(), *place)),
                Step::Unless(when, _, to) if game.holds(when, &[]) => at = *to,
                Step::FirstSide(column, sides) => {
                    let value = sides.first().copied().unwrap_or(0);
                    if game.apply(Effect::Set { column: *column, of: 0, value, cite: Cite::NONE }).is_err() {
                        break;
                    }
                }
                Step::NextSide(column, sides, back) => {
                    let now = sides.iter().position(|side| *side == game.get(*column, 0));
                    let Some(value) = now.and_then(|now| sides.get(now + 1)).copied() else { continue };
                    let next = Effect::Set { column: *column, of: 0, value, cite: Cite::NONE };
                    if game.apply(next).is_err() {
                        break;
                    }
                    at = *back;
                }
                Step::NextTurn(..) | Step::End => break,
                _ => (),
            }
        }
        list
    }
}

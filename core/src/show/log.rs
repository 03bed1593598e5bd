//! What happened, in sentences, each with its paragraph.

use std::{collections::BTreeSet, fmt::Write as _};

use super::sight::{Sight, veiled};
use crate::{
    play::{Effect, Event, Game, Tally},
    ruleset::{Cite, Holder, Kind, Ruleset, Schema},
};

/// Tells events one after the other; remembers whose turn it is, and which counters may not be named.
pub struct Story<'a> {
    ruleset: &'a Ruleset,
    turn: i32,
    phasing: i32,
    sight: Sight,
    concealed: BTreeSet<i32>,
}

/// A sum as a player would write it: `attack strength: Rodes 3 + Heth 2 + reserves 1 = 6`.
pub fn tally_line(ruleset: &Ruleset, tally: &Tally) -> String {
    let mut text = format!("{}: ", tally.title);
    for (at, line) in tally.lines.iter().enumerate() {
        let (sign, value) = if line.value < 0 { (" - ", -line.value) } else { (" + ", line.value) };
        let sign = match (at, line.value < 0) {
            (0, false) => "",
            (0, true) => "-",
            _ => sign,
        };
        let _ = write!(text, "{sign}{} {value}{}", line.reason, line.from.dagger());
    }
    let cited: Vec<&str> = tally.lines.iter().map(|l| ruleset.cite(l.cite)).filter(|c| !c.is_empty()).collect();
    let equals = if tally.lines.is_empty() { "" } else { " = " };
    let _ = write!(text, "{equals}{}", tally.total);
    let mut cited = cited;
    cited.dedup();
    if cited.is_empty() { text } else { format!("{text}  [{}]", cited.join(", ")) }
}

impl<'a> Story<'a> {
    /// The whole story, from before the first turn.
    pub fn new(ruleset: &'a Ruleset) -> Story<'a> {
        Story { ruleset, turn: 0, phasing: -1, sight: Sight::ALL, concealed: BTreeSet::new() }
    }

    /// The story as these eyes see it; what is concealed as it begins is seen in `start`.
    pub fn seen_by(sight: Sight, ruleset: &'a Ruleset, start: &Game) -> Story<'a> {
        let concealed = (0..ruleset.units.len() as i32).filter(|u| sight.is_concealed(start, *u)).collect();
        Story { sight, concealed, ..Story::new(ruleset) }
    }

    /// The sentence of an event; `None` where there is nothing to tell.
    pub fn tell(&mut self, event: &Event) -> Option<String> {
        if let Effect::Set { column, of, value, .. } = event.effect
            && self.ruleset.schema.columns[column as usize].conceals
            && self.sight.is_of_others(self.ruleset, of)
        {
            if value == 1 {
                self.concealed.insert(of);
            } else {
                self.concealed.remove(&of);
            }
        }
        let told = self.sentence(event)?;
        let veil = |text: String, unit: &i32| {
            let name = &self.ruleset.units[*unit as usize].name;
            in_place_of(name, &veiled(self.ruleset, *unit), &text)
        };
        Some(self.concealed.iter().fold(told, veil))
    }

    /// Whether an event shows what these eyes could not see before: another side's counter is no longer concealed.
    pub fn reveals(&self, event: &Event) -> bool {
        let Effect::Set { column, of, value: 0, .. } = event.effect else { return false };
        self.ruleset.schema.columns[column as usize].conceals && self.sight.is_of_others(self.ruleset, of)
    }

    fn sentence(&mut self, event: &Event) -> Option<String> {
        let ruleset = self.ruleset;
        match &event.effect {
            // What was nowhere and is laid into a box is laid ready, and says nothing.
            Effect::Place { to, .. } if event.before < 0 && *to >= ruleset.map.len() as i32 => None,
            Effect::Place { unit, to, cite } => {
                let name = ruleset.name_of(Kind::Unit, *unit);
                let spaces = ruleset.map.len() as i32;
                let where_to = ruleset.full_name_of_place(*to);
                let from = ruleset.full_name_of_place(event.before);
                let text = match (event.before >= 0 && event.before < spaces, *to < spaces) {
                    (true, true) => format!("{name} goes from {from} to {where_to}"),
                    (false, true) => format!("{name} comes on at {where_to}"),
                    (_, false) => format!("{name}: {where_to}"),
                };
                Some(self.cited(text, *cite))
            }
            Effect::Set { column, of, value, cite } => self.changed(*column, *of, *value, event.before, *cite),
            Effect::Note { text, cite } => Some(self.cited(text.to_string(), *cite)),
            Effect::Tally { tally } => Some(tally_line(ruleset, tally)),
            // The rule that drew a card tells its title; what the card says is the half of the side that drew it.
            Effect::Rolled { chance, value, faces: 0, .. } => {
                let text = &ruleset.chances[*chance as usize];
                let card = ruleset.cards.get(*value as usize).filter(|_| text.draws == Some(Kind::Card))?;
                let half = *card.halves.get(self.phasing as usize)?;
                let says = ruleset.rulebook.entries.get(half.0 as usize)?;
                Some(self.cited(format!("{}. {}", says.section, says.says), half))
            }
            Effect::Rolled { chance, about, value, faces } if *faces > 0 => {
                let about = ruleset.about(*about, false);
                let gap = if about.is_empty() { "" } else { ", " };
                Some(format!("die for {}{gap}{about}: {value}", ruleset.chances[*chance as usize].purpose))
            }
            Effect::Enter { place } => {
                let place = &ruleset.sequence.places[*place];
                let mut text = String::new();
                if self.turn > 0 {
                    let _ = write!(text, "{}, ", ruleset.turn_name(self.turn));
                }
                if self.phasing >= 0 {
                    let _ = write!(text, "{}: ", ruleset.name_of(Kind::Side, self.phasing));
                }
                Some(self.cited(format!("-- {text}{} --", place.title), place.cite))
            }
            Effect::Finish { outcome } => {
                let winners: Vec<String> = outcome.winners.iter().map(|s| ruleset.name_of(Kind::Side, *s)).collect();
                let gap = if winners.is_empty() { "" } else { ": " };
                let text = format!("{}{gap}{}", winners.join(" and "), outcome.name);
                Some(self.cited(format!("The game is over. {text}"), outcome.cite))
            }
            Effect::Rolled { .. } | Effect::New { .. } | Effect::Drop { .. } | Effect::Push { .. } => None,
        }
    }

    fn changed(&mut self, column: u16, of: i32, value: i32, before: i32, cite: Cite) -> Option<String> {
        let ruleset = self.ruleset;
        let declared = &ruleset.schema.columns[column as usize];
        match column {
            Schema::TURN => (self.turn, self.phasing) = (value, -1),
            Schema::PHASING => self.phasing = value,
            _ => (),
        }
        if declared.say.is_empty() || before == value || !self.sight.property(ruleset, column, of) {
            return None;
        }
        let of = match declared.holder {
            Holder::Unit => ruleset.name_of(Kind::Unit, of),
            Holder::Side => ruleset.name_of(Kind::Side, of),
            Holder::Space => ruleset.full_name_of_place(of),
            Holder::Card => ruleset.name_of(Kind::Card, of),
            Holder::Game => String::new(),
            Holder::Record(_) => of.to_string(),
        };
        if declared.kind == Kind::Int && declared.say.contains("{turn}") && value == 0 {
            return None;
        }
        let text = declared
            .say
            .replace("{of}", &of)
            .replace("{value}", &ruleset.name_of(declared.kind, value))
            .replace("{is}", if value == 1 { "is" } else { "is no longer" })
            .replace("{turn}", &ruleset.turn_name(value));
        Some(self.cited(text, cite))
    }

    fn cited(&self, text: String, cite: Cite) -> String {
        let cite = self.ruleset.cite(cite);
        if cite.is_empty() { text } else { format!("{text}  [{cite}]") }
    }
}

/// Puts something in place of a name wherever it stands as a whole word, and begins a sentence with a capital.
fn in_place_of(name: &str, instead: &str, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let before = rest[..at].chars().next_back().or(out.chars().next_back());
        let after = rest[at + name.len()..].chars().next();
        let is_word = !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric);
        out.push_str(&rest[..at]);
        match instead.strip_prefix('a').filter(|_| is_word && out.is_empty()) {
            Some(others) => out.push_str(&format!("A{others}")),
            None => out.push_str(if is_word { instead } else { name }),
        }
        rest = &rest[at + name.len()..];
    }
    out.push_str(rest);
    out
}

//! What happened, in sentences, each with its paragraph.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use super::{sight::Sight, words::Words};
use crate::{
    play::{About, Effect, Event, Game, Hits, Particular, Said, Tally},
    ruleset::{Cite, Holder, Kind, Ruleset, Schema, Text},
};

/// Tells events one after the other; remembers whose turn it is, and which counters may not be named.
#[derive(Clone)]
pub struct Story<'a> {
    ruleset: &'a Ruleset,
    turn: i32,
    phasing: i32,
    sight: Sight,
    words: Words<'a>,
    /// Sides that the game's properties name.
    acting: BTreeMap<u16, i32>,
    /// Who owns cards and spaces, as far as that is declared.
    owners: BTreeMap<(Holder, i32), i32>,
    /// Which flags that conceal are set, each by its column and of what.
    hidden: BTreeSet<(u16, i32)>,
    /// What has fallen of a handful of dice, which is told as one.
    dice: Vec<i32>,
}

/// A sum as a player would write it: `attack strength: Rodes 3 + Heth 2 + reserves 1 = 6`; of one that each of several
/// dice has added to it, what has hit: `fire: 2 of 3 dice hit at 5 or more, each + adjacent 1 - cover 1: 6 5, not 3`.
fn tally_line(ruleset: &Ruleset, words: &Words<'_>, tally: &Tally) -> String {
    let mut text = format!("{}: ", words.particular(&tally.title));
    if let Some(Hits { dice, needs, .. }) = &tally.hits {
        let hits = dice.iter().filter(|die| **die + tally.total >= *needs).count();
        let with = [hits as i32, dice.len() as i32, *needs].map(Particular::number);
        text += &words.say(&Said::engine(Text::Hits, with));
        text += if tally.lines.is_empty() { "" } else { ", each" };
    }
    for (at, line) in tally.lines.iter().enumerate() {
        // What stands first is no sum yet: `woods -1 - the creek 1 = -2`.
        let (sign, value) = match line.value {
            value if at == 0 && tally.hits.is_none() => ("", value),
            value if value < 0 => (" - ", -value),
            value => (" + ", value),
        };
        let _ = write!(text, "{sign}{} {value}{}", words.particular(&line.reason), line.from.dagger());
    }
    if let Some(Hits { dice, needs, .. }) = &tally.hits {
        let (mut hit, mut missed): (Vec<i32>, Vec<i32>) = dice.iter().partition(|die| **die + tally.total >= *needs);
        hit.sort_by(|a, b| b.cmp(a));
        missed.sort_by(|a, b| b.cmp(a));
        let fell = [(&hit, ""), (&missed, "not ")].into_iter().filter(|(dice, _)| !dice.is_empty());
        let fell: Vec<String> = fell.map(|(dice, not)| format!("{not}{}", numbers(dice))).collect();
        text += if fell.is_empty() { "" } else { ": " };
        text += &fell.join(", ");
    } else {
        let equals = if tally.lines.is_empty() { "" } else { " = " };
        let _ = write!(text, "{equals}{}", tally.total);
    }
    let cites = tally.hits.iter().map(|hits| hits.cite).chain(tally.lines.iter().map(|line| line.cite));
    let mut cited: Vec<&str> = Vec::new();
    for cite in cites.map(|cite| ruleset.cite(cite)).filter(|cite| !cite.is_empty()) {
        if !cited.contains(&cite) {
            cited.push(cite);
        }
    }
    if cited.is_empty() { text } else { format!("{text}  [{}]", cited.join(", ")) }
}

/// Dice as they lie on the table: `6 5 5`.
fn numbers(dice: &[i32]) -> String {
    dice.iter().map(i32::to_string).collect::<Vec<_>>().join(" ")
}

impl<'a> Story<'a> {
    /// The whole story, from before the first turn.
    pub fn new(ruleset: &'a Ruleset) -> Story<'a> {
        Story {
            ruleset,
            turn: 0,
            phasing: -1,
            sight: Sight::ALL,
            words: Words::all(ruleset),
            acting: BTreeMap::new(),
            owners: BTreeMap::new(),
            hidden: BTreeSet::new(),
            dice: Vec::new(),
        }
    }

    /// The story as these eyes see it; what is concealed as it begins is seen in `start`.
    pub fn seen_by(sight: Sight, ruleset: &'a Ruleset, start: &Game) -> Story<'a> {
        let mut owners = BTreeMap::new();
        for (holder, count) in [(Holder::Card, ruleset.cards.len()), (Holder::Space, ruleset.map.len())] {
            let owned = (0..count as i32).filter_map(|of| Some(((holder, of), start.owner_of(holder, of)?)));
            owners.extend(owned.filter(|_| ruleset.schema.owner_of(holder).is_some()));
        }
        let columns = ruleset.schema.columns.iter().enumerate().filter(|(_, column)| column.conceals);
        let set = columns.flat_map(|(at, column)| (0..column.count as i32).map(move |of| (at as u16, of)));
        let hidden = set.filter(|(column, of)| start.get(*column, *of) == 1).collect();
        Story { sight, words: Words::of(ruleset, sight, start), owners, hidden, ..Story::new(ruleset) }
    }

    /// The sentence of an event; `None` where there is nothing to tell.
    pub fn tell(&mut self, event: &Event) -> Option<String> {
        if let Effect::Set { column, of, value, .. } = event.effect {
            let declared = &self.ruleset.schema.columns[column as usize];
            if declared.holder == Holder::Game && declared.kind == Kind::Side {
                self.acting.insert(column, value);
            }
            if declared.owns {
                self.owners.insert((declared.holder, of), value);
            }
            if declared.conceals && value == 1 {
                self.hidden.insert((column, of));
            } else if declared.conceals {
                self.hidden.remove(&(column, of));
            }
            if declared.conceals || declared.owns {
                let columns = &self.ruleset.schema.columns;
                let is_it = |(at, one): &(u16, i32)| *one == of && columns[*at as usize].holder == declared.holder;
                let is_others = self.sight.is_of_others(self.owner(declared.holder, of));
                let kind = if declared.holder == Holder::Card { Kind::Card } else { Kind::Unit };
                let conceals = is_others && self.hidden.iter().any(is_it);
                self.words.conceal(kind, of, conceals && declared.holder != Holder::Space);
            }
        }
        self.sentence(event)
    }

    /// Whether an event shows what these eyes could not see before: another side's counter or card is no longer
    /// concealed.
    pub fn reveals(&self, event: &Event) -> bool {
        let Effect::Set { column, of, value: 0, .. } = event.effect else { return false };
        let declared = &self.ruleset.schema.columns[column as usize];
        declared.conceals && self.sight.is_of_others(self.owner(declared.holder, of))
    }

    fn owner(&self, holder: Holder, of: i32) -> Option<i32> {
        match holder {
            Holder::Unit => self.ruleset.units.get(of as usize).map(|unit| unit.side),
            Holder::Side => Some(of),
            _ => self.owners.get(&(holder, of)).copied().filter(|side| *side >= 0),
        }
    }

    fn sentence(&mut self, event: &Event) -> Option<String> {
        let ruleset = self.ruleset;
        match &event.effect {
            // What was nowhere and is laid into a box is laid ready, and says nothing.
            Effect::Place { to, .. } if event.before < 0 && *to >= ruleset.map.len() as i32 => None,
            Effect::Place { unit, to, cite } => {
                let spaces = ruleset.map.len() as i32;
                let (unit, from, to) = (Particular::unit(*unit), event.before, *to);
                let said = match (from >= 0 && from < spaces, to < spaces) {
                    (true, true) => Said::engine(Text::Goes, [unit, Particular::Place(from), Particular::Place(to)]),
                    (false, true) => Said::engine(Text::ComesOn, [unit, Particular::Place(to)]),
                    (_, false) => Said::engine(Text::IsPut, [unit, Particular::Place(to)]),
                };
                Some(self.cited(&said, *cite))
            }
            Effect::Set { column, of, value, cite } => self.changed(*column, *of, *value, event.before, *cite),
            Effect::Note { said, cite } => Some(self.cited(said, *cite)),
            Effect::Tally { tally } => Some(tally_line(ruleset, &self.words, tally)),
            // The rule that drew a card tells its title; what the card says is the half of the side that drew it.
            Effect::Rolled { chance, value, faces: 0, .. } => {
                let text = &ruleset.chances[*chance as usize];
                let is_known = text.draws == Some(Kind::Card) && !self.words.conceals(Kind::Card, *value);
                let card = ruleset.cards.get(*value as usize).filter(|_| is_known)?;
                let half = *card.halves.get(self.phasing as usize)?;
                let says = ruleset.rulebook.entries.get(half.0 as usize)?;
                let with = [&says.section, &says.says].map(|words| Particular::Text(words.as_str().into()));
                Some(self.cited(&Said::engine(Text::Drawn, with), half))
            }
            Effect::Rolled { chance, about, value, handful, .. } => {
                if handful.begins() {
                    self.dice.clear();
                }
                self.dice.push(*value);
                if handful.left > 1 {
                    return None;
                }
                let purpose = Particular::Text(ruleset.chances[*chance as usize].purpose.as_str().into());
                let [alone, about_it] = match handful.of {
                    1 => [Text::Rolled, Text::RolledAbout],
                    _ => [Text::RolledDice, Text::RolledDiceAbout],
                };
                let fell = Particular::Text(numbers(&self.dice).into());
                Some(self.words.say(&match about {
                    About::Nothing => Said::engine(alone, [purpose, fell]),
                    About::Thing(kind, thing) => {
                        Said::engine(about_it, [purpose, Particular::Thing(*kind, *thing), fell])
                    }
                }))
            }
            Effect::Enter { place } => {
                let at = *place;
                let place = &ruleset.sequence.places[*place];
                let mut what = Particular::Text(place.title.as_str().into());
                let side = match ruleset.sequence.told_by(at) {
                    Some(column) if column != Schema::PHASING => self.acting.get(&column).copied().unwrap_or(-1),
                    _ => self.phasing,
                };
                if side >= 0 {
                    what = Said::engine(Text::OfSide, [Particular::Thing(Kind::Side, side), what]).into();
                }
                if self.turn > 0 {
                    let turn = Particular::Text(ruleset.turn_name(self.turn).into());
                    what = Said::engine(Text::InTurn, [turn, what]).into();
                }
                Some(self.cited(&Said::engine(Text::Enters, [what]), place.cite))
            }
            Effect::Finish { outcome } => {
                let winners = outcome.winners.iter().map(|side| Particular::Thing(Kind::Side, *side)).collect();
                let mut how = Particular::Text(outcome.name.clone());
                if !outcome.winners.is_empty() {
                    how = Said::engine(Text::OfSide, [Particular::All(winners), how]).into();
                }
                Some(self.cited(&Said::engine(Text::Over, [how]), outcome.cite))
            }
            Effect::New { .. } | Effect::Drop { .. } | Effect::Push { .. } => None,
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
        if declared.say.is_empty()
            || before == value
            || !self.sight.is_told(declared.seen, self.owner(declared.holder, of))
        {
            return None;
        }
        if declared.kind == Kind::Int && declared.say.contains("{turn}") && value == 0 {
            return None;
        }
        let with = [
            match declared.holder {
                Holder::Unit => Particular::unit(of),
                Holder::Side => Particular::Thing(Kind::Side, of),
                Holder::Space => Particular::Place(of),
                Holder::Card => Particular::Thing(Kind::Card, of),
                Holder::Game => Particular::All(Vec::new()),
                Holder::Record(_) => Particular::number(of),
            },
            Particular::Thing(declared.kind, value),
            Particular::Text(if value == 1 { "is" } else { "is no longer" }.into()),
            Particular::Text(ruleset.turn_name(value).into()),
            Particular::Thing(declared.kind, before),
        ];
        Some(self.in_full(self.words.sentence_of(&declared.say, &["of", "value", "is", "turn", "before"], &with), cite))
    }

    fn cited(&self, said: &Said, cite: Cite) -> String {
        self.in_full(self.words.sentence(said), cite)
    }

    fn in_full(&self, text: String, cite: Cite) -> String {
        let cite = self.ruleset.cite(cite);
        if cite.is_empty() { text } else { format!("{text}  [{cite}]") }
    }
}

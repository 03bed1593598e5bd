//! `why`: what is asked and by which paragraph, and why an answer to it is or is not allowed.

use std::fmt::Write as _;

use super::{
    board::{told_features, wrapped},
    differences::count,
    record_line,
    sight::Sight,
    words::Words,
};
use crate::{
    map::SpaceId,
    play::{About, Action, Entry, Game, Half, Move, Question, Refusal},
    ruleset::{Cite, Kind, Points, RulebookEntry, Ruleset},
};

impl Game {
    /// What is asked, by which paragraph, and what each of the answers means: how many choices there are of each verb,
    /// and why one that takes nothing is closed now.
    pub fn why_asked(&self, question: &Question, sight: Sight) -> String {
        let words = Words::seen_by(sight, self);
        let ruleset = &*self.ruleset;
        let (text, side) = (ruleset.question(question), &ruleset.sides[question.by as usize].name);
        let mut said = format!("{side} is asked: {}", self.asks(question, sight));
        add_paragraph(&mut said, ruleset, text.cite);
        for offer in &question.offers {
            let verb = &ruleset.verbs[offer.verb as usize];
            let says = text.verbs.get(&verb.id).unwrap_or(&verb.says);
            let is_alone = verb.takes.is_empty();
            let closed = if is_alone { self.why_not(question, Action::alone(offer.verb)) } else { Vec::new() };
            let choices = match self.values(&offer.set).len() {
                _ if is_alone => String::new(),
                0 => ": nothing now".to_owned(),
                many => format!(": {}", count(many, "choice", "choices")),
            };
            let _ = write!(said, "\n  {:<14} {says}{choices}", verb.id);
            match closed.first() {
                Some(refusal) => {
                    let _ = write!(said, ": not now, {}", words.refusal(refusal));
                }
                None if verb.cite != Cite::NONE => {
                    let _ = write!(said, "  [{}]", ruleset.cite(verb.cite));
                }
                None => (),
            }
        }
        said
    }

    /// Why an answer is allowed or not: what it costs, or every refusal with its paragraph.
    pub fn why(&self, question: &Question, action: Action, sight: Sight) -> String {
        let ruleset = &*self.ruleset;
        let about = match question.about {
            About::Thing(kind, thing) if sight.is_concealed(self, kind, thing) => About::Nothing,
            about => about,
        };
        let entry = Entry::Side { by: question.by, key: question.key, about, action };
        let mut said = record_line(ruleset, &entry);
        let refusals = self.why_not(question, action);
        if refusals.is_empty() {
            let verb = ruleset.verbs[action.verb as usize].cite;
            let asked = self.cite_of(question);
            said.push_str(": allowed");
            let offered = question.offers.iter().filter(|offer| offer.verb == action.verb);
            for (m, to) in offered.filter_map(|offer| self.moving(offer, action)) {
                self.add_price(&mut said, &m, to);
            }
            add_paragraph(&mut said, ruleset, if verb == Cite::NONE { asked } else { verb });
            return said;
        }
        self.add_refusals(&mut said, &refusals, sight);
        said
    }

    /// Why answers that begin with this half are allowed or not: how many are, or every refusal with its paragraph.
    pub fn why_half(&self, question: &Question, half: Half, sight: Sight) -> String {
        let ruleset = &*self.ruleset;
        let verb = &ruleset.verbs[usize::from(half.verb)];
        let value = verb.takes.first().map(|kind| Words::seen_by(sight, self).name_of(*kind, half.value));
        let mut said = format!("{} {}", verb.id, value.unwrap_or_default());
        let refusals = self.why_not_half(question, half);
        if refusals.is_empty() {
            let choices = count(self.seconds(question, half).len(), "choice", "choices");
            let _ = write!(said, ": allowed, with {choices}");
            add_paragraph(&mut said, ruleset, if verb.cite == Cite::NONE { self.cite_of(question) } else { verb.cite });
        } else {
            self.add_refusals(&mut said, &refusals, sight);
        }
        said
    }

    fn add_refusals(&self, said: &mut String, refusals: &[Refusal], sight: Sight) {
        said.push_str(": not allowed");
        let words = Words::seen_by(sight, self);
        for refusal in refusals {
            let _ = write!(said, "\n  {}", words.say(&refusal.said));
            add_paragraph(said, &self.ruleset, refusal.cite);
        }
    }

    /// What a move costs of what there is, what of that is beyond the allowance, and which way it goes.
    fn add_price(&self, said: &mut String, m: &Move, to: SpaceId) {
        let ruleset = &*self.ruleset;
        let mover = &ruleset.movers[m.mover as usize];
        let (cost, path) = self.reach(m, |flood| (flood.cost_of(to), flood.path_to(to)));
        let Some(cost) = cost else { return };
        let (costs, has) = (mover.in_points(cost), mover.in_points(m.allowance));
        let _ = write!(said, "\n  it costs {costs} of {has} movement points");
        let by: Vec<String> = path.iter().map(|space| ruleset.name_of_place(space.0 as i32)).collect();
        if by.len() > 1 {
            let _ = write!(said, "\n  by {}", by.join(", "));
        }
        if cost > m.allowance {
            let beyond = mover.in_points(cost - m.allowance);
            let _ = write!(said, "\n  {beyond} of that is beyond the allowance");
            if let Some(Points::Rows(rows)) = mover.extra {
                let holds = ruleset.rows[rows].rows.iter().find(|row| self.holds(&row.when, &[m.unit]));
                if let Some(row) = holds {
                    let _ = write!(said, ": {}", row.say);
                    add_paragraph(said, ruleset, row.cite);
                }
            }
        }
    }

    /// One space in words: what is printed there and on its borders, and who stands there as far as these eyes see.
    pub fn describe_space(&self, space: SpaceId, sight: Sight) -> String {
        let ruleset = &*self.ruleset;
        let map = &ruleset.map;
        let here = map.space(space);
        let list = |names: &[String], bits: u32| -> Vec<String> {
            let has = names.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            has.map(|(_, name)| name.replace('-', " ")).collect()
        };
        let mut said = list(&map.terrains, here.terrain);
        if here.level != 0 {
            said.push(format!("level {}", here.level));
        }
        said.extend(here.elevation.map(|height| format!("{height} {}", map.height_unit)));
        said.extend(map.entries.iter().filter(|e| e.at == space).map(|e| format!("entry {}", e.id)));
        let numbers = ruleset.attributes.iter().filter(|a| a.holder == crate::ruleset::Holder::Space);
        for number in numbers.filter(|a| a.values[space.0 as usize] > 0) {
            let value = ruleset.name_of(number.kind, number.values[space.0 as usize]);
            said.push(format!("{} {value}{}", number.name.replace('-', " "), number.from[space.0 as usize].dagger()));
        }
        said.extend(self.signs_in(space, sight).into_iter().map(|(_, words)| words));
        let mut borders: Vec<String> = Vec::new();
        for out in map.out(space) {
            let to = map.target(out);
            let back = map.between(to, space).map_or(0, |back| map.border(back).features);
            let up = list(&map.features, told_features(map, out));
            let down = list(&map.features, back & map.one_way & !map.border(out).features);
            let all = up.into_iter().chain(down.into_iter().map(|name| format!("{name} down")));
            let across: Vec<String> = all.chain(list(&map.road_kinds, map.border(out).roads)).collect();
            if !across.is_empty() {
                borders.push(format!("{} to {}", across.join(" and "), map.space(to).name));
            }
        }
        let mut lines = vec![format!("{}: {}", ruleset.full_name_of_place(space.0 as i32), or_nothing(&said))];
        if !borders.is_empty() {
            lines.push(format!("  borders: {}", wrapped(&borders, "; ", "    ")));
        }
        // Those that may not be known stand last, so that not even their order says which they are.
        let mut units: Vec<i32> = self.units_at(space.0 as i32).collect();
        units.sort_by_key(|unit| sight.is_concealed(self, Kind::Unit, *unit));
        for unit in units {
            let side = ruleset.name_of(Kind::Side, ruleset.units[unit as usize].side);
            lines.push(format!("  {side}: {}", self.describe(unit, sight)));
        }
        lines.join("\n")
    }
}

fn or_nothing(list: &[String]) -> String {
    if list.is_empty() { "open ground".to_owned() } else { wrapped(list, ", ", "    ") }
}

/// A citation in brackets, and under it what the paragraph says.
fn add_paragraph(said: &mut String, ruleset: &Ruleset, cite: Cite) {
    if let Some(entry) = ruleset.rulebook.entries.get(cite.0 as usize) {
        let _ = write!(said, "  [{}]\n      {}: {}", entry.id, entry.section, entry.says);
    }
}

/// The paragraphs of the rulebook that a text names, by the whole of an id or by how it ends: what they say, how they are read
/// here, and why one is not enforced.
pub fn paragraphs(ruleset: &Ruleset, text: &str) -> Vec<String> {
    let wanted = text.trim().trim_matches(['[', ']']);
    let ends = format!("/{wanted}");
    let entries = &ruleset.rulebook.entries;
    let exact = entries.iter().filter(|entry| entry.id == wanted);
    let ending = entries.iter().filter(|entry| !wanted.is_empty() && entry.id.ends_with(&ends));
    let lines = |entry: &RulebookEntry| {
        let mut lines = vec![format!("  [{}]  {}: {}", entry.id, entry.section, entry.says)];
        lines.extend(entry.reading.iter().map(|reading| format!("    Read so: {reading}")));
        lines.extend(entry.skip.iter().map(|reason| format!("    Not enforced: {reason}")));
        lines
    };
    exact.chain(ending).flat_map(lines).collect()
}

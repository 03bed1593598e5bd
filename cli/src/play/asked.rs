//! The question at hand: what may be answered, who may not and why, in lists that stay readable.

use std::collections::BTreeMap;

use countermarch_core::{
    play::{Action, Game, Offer, Question, Set},
    ruleset::{Kind, Verb},
    show::{Words, folded},
};

use super::Table;

/// Lists of choices longer than this are told in groups, without numbers.
const LONGEST_LIST: usize = 14;
/// Names in a line about those who may not, and such lines, before the rest is only counted.
const MOST_NAMES: usize = 8;
const MOST_REASONS: usize = 5;
/// Columns of the smallest terminal, less one.
pub(super) const WIDTH: usize = 79;

impl Table {
    pub(super) fn show_question(&mut self, question: &Question, is_person: bool) {
        let ruleset = self.session.ruleset().clone();
        let text = &ruleset.questions[question.key as usize];
        // The board is drawn for a new question, not after a refusal or a look at the log.
        let now = Some(self.session.entries());
        let is_new = std::mem::replace(&mut self.drawn_at, now) != now;
        if let (Some(unit), true, true) = (question.about.as_unit(), is_person, is_new) {
            self.draw(unit);
        }
        let (side, turn) = (&ruleset.sides[question.by as usize].name, ruleset.turn_name(self.session.game().turn()));
        let asks = self.session.game().asks(question, self.sight());
        print!("\n{}", folded(&[format!("{turn}, {side}: {asks}  [{}]", ruleset.cite(text.cite))], WIDTH));
        self.listed.clear();
        for offer in &question.offers {
            let offers = self.session.offers().iter();
            let values: Vec<i32> = offers.filter(|a| a.verb == offer.verb).map(|a| a.value).collect();
            let verb = &ruleset.verbs[offer.verb as usize];
            let says = text.verbs.get(&verb.id).unwrap_or(&verb.says);
            match (verb.takes, values.len()) {
                (_, 0) => (),
                // What takes nothing is typed by its name: a number always means one of a list.
                (None, _) => println!("     {:<14} {says}", verb.id),
                (Some(kind), count) if count <= LONGEST_LIST => {
                    println!("     {:<14} {says}:", verb.id);
                    for value in values {
                        self.listed.push(Action { verb: offer.verb, value });
                        let name = self.listed_name(offer, kind, value);
                        println!("  {:>2}   {name}", self.listed.len());
                    }
                }
                (Some(kind), count) => {
                    // A long list is told once, and not again after every look at something else.
                    let again = if is_new { "" } else { " (`which` tells them)" };
                    println!("     {:<14} {says}: {count} choices, by name{again}", verb.id);
                    if is_new {
                        print!("{}", folded(&self.grouped(offer, kind, &values), WIDTH));
                    }
                }
            }
        }
        if is_new {
            self.show_barred(question, false);
        }
    }

    /// A choice as it stands in a numbered list.
    fn listed_name(&self, offer: &Offer, kind: Kind, value: i32) -> String {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        match kind {
            Kind::Unit => {
                format!("{}, {}", game.describe(value, self.sight()), ruleset.name_of_place(game.place(value)))
            }
            Kind::Space => format!("{}{}", ruleset.known_place(value), warning(game, offer, value)),
            kind => game.name_seen(kind, value, self.sight()),
        }
    }

    /// A long list by groups: units by their formation or place; of spaces, the places people know.
    fn grouped(&self, offer: &Offer, kind: Kind, values: &[i32]) -> Vec<String> {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let mut groups: BTreeMap<(usize, i32, String), Vec<String>> = BTreeMap::new();
        match kind {
            Kind::Unit => {
                for unit in values {
                    let place = ruleset.name_of_place(game.place(*unit));
                    let belongs = ruleset.formations.iter().enumerate().find_map(|(nth, at)| {
                        let attribute = &ruleset.attributes[*at];
                        let value = attribute.values[*unit as usize];
                        (value >= 0).then(|| (nth, value, ruleset.name_of(attribute.kind, value)))
                    });
                    let name = game.name_seen(Kind::Unit, *unit, self.sight());
                    match belongs.filter(|_| !self.sight().is_concealed(game, Kind::Unit, *unit)) {
                        Some(group) => groups.entry(group).or_default().push(format!("{name} {place}")),
                        None => groups.entry((usize::MAX, game.place(*unit), place)).or_default().push(name),
                    }
                }
            }
            Kind::Space => {
                let known = values.iter().map(|space| (space, ruleset.known_place(*space)));
                let known = known.filter(|(_, name)| name.contains('('));
                let told = known.map(|(space, name)| format!("{name}{}", warning(game, offer, *space)));
                groups.entry((0, 0, "among them".to_owned())).or_default().extend(told);
                if let Set::Reach(m) = &offer.set {
                    let beyond = game.reached(m).iter().filter(|r| r.cost > m.allowance).count();
                    let told = format!("{beyond} of {}", values.len());
                    if beyond > 0 {
                        groups.insert((1, 0, game.beyond_is(m)), vec![told]);
                    }
                }
            }
            _ => (),
        }
        groups.retain(|_, names| !names.is_empty());
        let line = |((_, _, group), names): ((usize, i32, String), Vec<String>)| {
            let more = if kind == Kind::Space { names.len().saturating_sub(2 * MOST_NAMES) } else { 0 };
            let shown = names[..names.len() - more].join(", ");
            let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
            format!("       {group}: {shown}{rest}")
        };
        groups.into_iter().map(line).collect()
    }

    /// Units of the side asked that may not do what units are asked for where a part of the turn can be ended, each
    /// with its reason: as many as fit, or all.
    pub(super) fn show_barred(&self, question: &Question, all: bool) {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let verb = |offer: &Offer| &ruleset.verbs[offer.verb as usize];
        let is_unit = |verb: &Verb| verb.takes == Some(Kind::Unit);
        let mut offers = question.offers.iter();
        let asked = offers.find(|o| is_unit(verb(o)) && matches!(o.set, Set::Passing { .. }));
        let Some(offer) = asked.filter(|_| question.offers.iter().any(|o| verb(o).ends)) else { return };
        let may = game.values(&offer.set);
        let words = Words::seen_by(self.sight(), game);
        let mut reasons: BTreeMap<(String, u16), Vec<String>> = BTreeMap::new();
        for unit in (0..ruleset.units.len() as i32).filter(|unit| !may.contains(unit)) {
            if ruleset.units[unit as usize].side != question.by || game.space_of(unit) < 0 {
                continue;
            }
            let refusals = game.why_not(question, Action { verb: offer.verb, value: unit });
            if let Some(why) = refusals.into_iter().next() {
                reasons.entry((words.say(&why.said), why.cite.0)).or_default().push(ruleset.name_of(Kind::Unit, unit));
            }
        }
        let mut lines = Vec::new();
        for ((text, cite), names) in &reasons {
            let more = if all { 0 } else { names.len().saturating_sub(MOST_NAMES) };
            let shown = names[..names.len() - more].join(", ");
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let cite = ruleset.cite(countermarch_core::ruleset::Cite(*cite));
            lines.push(format!("     not {shown}{rest}: {text}  [{cite}]"));
        }
        let more = if all { 0 } else { lines.len().saturating_sub(MOST_REASONS) };
        lines.truncate(lines.len() - more);
        if more > 0 || reasons.values().any(|names| !all && names.len() > MOST_NAMES) {
            lines.push("     (`which` tells all)".to_owned());
        }
        print!("{}", folded(&lines, WIDTH));
    }

    /// Every space that is offered, those beyond the allowance apart.
    fn all_spaces(&self, offer: &Offer, values: &[i32]) -> Vec<String> {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let (beyond, within): (Vec<i32>, Vec<i32>) =
            values.iter().partition(|space| !warning(game, offer, **space).is_empty());
        let names = |spaces: &[i32]| spaces.iter().map(|s| ruleset.known_place(*s)).collect::<Vec<_>>().join(", ");
        let mut lines = Vec::new();
        if !within.is_empty() {
            lines.push(format!("       {}", names(&within)));
        }
        if let (Set::Reach(m), false) = (&offer.set, beyond.is_empty()) {
            lines.push(format!("       {}: {}", game.beyond_is(m), names(&beyond)));
        }
        lines
    }

    /// Everything the question offers and refuses, in groups.
    pub(super) fn which(&self, question: &Question) {
        let ruleset = self.session.ruleset();
        for offer in &question.offers {
            let verb = &ruleset.verbs[offer.verb as usize];
            let Some(kind) = verb.takes else { continue };
            let values = self.session.game().values(&offer.set);
            if values.is_empty() {
                continue;
            }
            let choices = if values.len() == 1 { "choice" } else { "choices" };
            println!("     {:<14} {} {choices}", verb.id, values.len());
            let lines =
                if kind == Kind::Space { self.all_spaces(offer, &values) } else { self.grouped(offer, kind, &values) };
            print!("{}", folded(&lines, WIDTH));
        }
        self.show_barred(question, true);
    }
}

/// What going there costs beyond the allowance, in words; nothing where it does not.
fn warning(game: &Game, offer: &Offer, space: i32) -> String {
    let Set::Reach(m) = &offer.set else { return String::new() };
    let far = game.reached(m).iter().any(|r| r.space.0 as i32 == space && r.cost > m.allowance);
    if far { format!(" ({}!)", game.beyond_is(m)) } else { String::new() }
}

//! The question at hand: what may be answered, who may not and why, in lists that stay readable.

use std::collections::{BTreeMap, BTreeSet};

use countermarch_core::{
    map::Reached,
    play::{Action, Game, Half, Offer, Particular, Question, Set},
    ruleset::{Kind, Text, Verb},
    show::{Column, Words, count as counted, folded},
};

use super::{Choice, Table, prompts};

/// Lists of choices longer than this are told in groups, without numbers.
const LONGEST_LIST: usize = 14;
/// Names in a line about those who may not, and such lines, before the rest is only counted.
const MOST_NAMES: usize = 8;
const MOST_REASONS: usize = 5;
/// Columns of the smallest terminal, less one.
pub(super) const WIDTH: usize = 79;

/// What may be chosen next for a verb.
pub(super) struct Choices {
    verb: u16,
    /// What kind of thing is chosen; nothing for a verb alone.
    pub(super) kind: Option<Kind>,
    /// Whether two things are chosen, and the first where that is said.
    is_pair: bool,
    half: Option<Half>,
    /// What they are taken from.
    pub(super) set: Set,
    pub(super) values: Vec<i32>,
}

impl Choices {
    /// What comes of choosing one.
    fn choice(&self, value: i32) -> Choice {
        match self.half {
            Some(half) => Choice::Whole(half.with(value)),
            None if self.is_pair => Choice::Half(Half { verb: self.verb, value }),
            None => Choice::Whole(Action::of(self.verb, value)),
        }
    }
}

impl Table {
    pub(super) fn show_question(&mut self, question: &Question, is_person: bool) {
        let ruleset = self.session.ruleset().clone();
        let text = &ruleset.questions[question.key as usize];
        // The board is drawn for a new question, not after a refusal or a look at the log.
        let now = Some((self.session.entries(), self.half));
        let is_new = std::mem::replace(&mut self.drawn_at, now) != now;
        let half_unit =
            self.half.filter(|half| ruleset.verbs[usize::from(half.verb)].takes.first() == Some(&Kind::Unit));
        let unit = half_unit.map(|half| half.value).or(question.about.as_unit());
        if let (Some(unit), true, true) = (unit, is_person, is_new) {
            self.draw(unit);
        }
        let turn = ruleset.turn_name(self.session.game().turn());
        let asks = self.session.game().asks(question, self.sight());
        let [turn, asks] = [turn, asks].map(|text| Particular::Text(text.into()));
        let asked = self.says(Text::Asked, [turn, Particular::Thing(Kind::Side, question.by), asks]);
        println!();
        tell(&[format!("{asked}  [{}]", ruleset.cite(text.cite))]);
        self.listed.clear();
        // Counters that a list of this question has described already: what follows calls them by their names.
        let mut described: BTreeSet<i32> = BTreeSet::new();
        for choices in self.choices(question) {
            let verb = &ruleset.verbs[usize::from(choices.verb)];
            let says = text.verbs.get(&verb.id).unwrap_or(&verb.says);
            match (choices.kind, choices.values.len()) {
                (_, 0) => (),
                // What takes nothing is typed by its name: a number always means one of a list.
                (None, _) => tell(&[format!("     {:<14} {says}", verb.id)]),
                (Some(kind), count) if count <= LONGEST_LIST => {
                    tell(&[format!("     {:<14} {says}:", verb.id)]);
                    // What is called by a number is typed by that number, and has no other.
                    let is_number = |value: &i32| ruleset.id_of(kind, *value).parse::<i32>().is_ok();
                    let are_numbers = choices.values.iter().all(is_number);
                    if kind == Kind::Unit && !are_numbers {
                        if choices.values.iter().all(|unit| described.contains(unit)) {
                            tell(&[self.list_by_name(&choices)]);
                            continue;
                        }
                        let (game, sight) = (self.session.game(), self.sight());
                        described.extend(choices.values.iter().filter(|u| !sight.is_concealed(game, kind, **u)));
                    }
                    for value in &choices.values {
                        let name = self.listed_name(&choices.set, kind, *value);
                        if are_numbers {
                            println!("       {name}");
                        } else {
                            self.listed.push(choices.choice(*value));
                            println!("  {:>2}   {name}", self.listed.len());
                        }
                    }
                }
                (Some(kind), count) => {
                    // A long list is told once, and not again after every look at something else.
                    let again = if is_new { "" } else { prompts::WHICH_TELLS_THEM };
                    tell(&[format!("     {:<14} {says}: {count} choices, by name{again}", verb.id)]);
                    // Whoever may not be known has no name that could be typed.
                    let (game, sight) = (self.session.game(), self.sight());
                    let nameless = choices.values.iter().filter(|value| sight.is_concealed(game, kind, **value));
                    self.listed.extend(nameless.map(|value| choices.choice(*value)));
                    if is_new {
                        tell(&self.grouped(&choices, kind));
                    }
                }
            }
        }
        if is_new && self.half.is_none() {
            self.show_barred(question, false);
        }
    }

    /// What may be chosen next, verb by verb: of pairs the first value, or the second where the first is said.
    pub(super) fn choices(&self, question: &Question) -> Vec<Choices> {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let choices = |offer: &Offer| {
            let takes = &ruleset.verbs[usize::from(offer.verb)].takes;
            let half = self.half.filter(|half| half.verb == offer.verb);
            let (set, values) = match (half, &offer.then) {
                (Some(half), Some(then)) => game.following(then, half.value, |set| (set.clone(), game.values(set))),
                _ => {
                    let offers = self.session.offers().iter().filter(|action| action.verb == offer.verb);
                    let mut values: Vec<i32> = offers.map(|action| action.values[0]).collect();
                    values.dedup();
                    (offer.set.clone(), values)
                }
            };
            let kind = takes.get(usize::from(half.is_some())).copied();
            Choices { verb: offer.verb, kind, is_pair: offer.then.is_some(), half, set, values }
        };
        let is_begun = |offer: &&Offer| self.half.is_none_or(|half| half.verb == offer.verb);
        question.offers.iter().filter(is_begun).map(choices).collect()
    }

    /// Counters by their numbers and names alone, in a line.
    fn list_by_name(&mut self, choices: &Choices) -> String {
        let mut names = Vec::new();
        for unit in &choices.values {
            self.listed.push(choices.choice(*unit));
            let name = self.session.ruleset().name_of(Kind::Unit, *unit);
            // A line never ends between the two.
            names.push(format!("{}\u{a0}{name}", self.listed.len()));
        }
        format!("       {}", names.join(", "))
    }

    /// What a number stands for in the lists of the question.
    pub(super) fn numbered(&self, line: &str) -> Option<Choice> {
        let number: usize = line.parse().ok()?;
        self.listed.get(number.checked_sub(1)?).copied()
    }

    /// A choice as it stands in a numbered list.
    fn listed_name(&self, set: &Set, kind: Kind, value: i32) -> String {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        match kind {
            Kind::Unit => {
                format!("{}, {}", game.describe(value, self.sight()), ruleset.name_of_place(game.place(value)))
            }
            Kind::Space => {
                let there: Vec<String> = game.units_at(value).map(|unit| game.describe(unit, self.sight())).collect();
                let there = if there.is_empty() { String::new() } else { format!(": {}", there.join(", ")) };
                format!("{}{}{there}", ruleset.known_place(value), warning(game, set, value))
            }
            Kind::Symbol(_) => ruleset.name_and_meaning(kind, value),
            kind => game.name_seen(kind, value, self.sight()),
        }
    }

    /// A long list by groups: units by their formation or place; of spaces, the places people know; of cards, those that
    /// only a number tells apart.
    fn grouped(&self, choices: &Choices, kind: Kind) -> Vec<String> {
        let (set, values) = (&choices.set, &choices.values);
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let mut groups: BTreeMap<(usize, i32, String), Vec<String>> = BTreeMap::new();
        match kind {
            Kind::Unit => {
                for unit in values {
                    let place = ruleset.name_of_place(game.place(*unit));
                    let belongs = ruleset.formations.iter().enumerate().find_map(|(nth, at)| {
                        let attribute = &ruleset.attributes[*at];
                        let value = attribute.values[*unit as usize];
                        (value >= 0).then(|| (nth, value, ruleset.name_and_meaning(attribute.kind, value)))
                    });
                    let name = self.called(choices, kind, *unit);
                    match belongs.filter(|_| !self.sight().is_concealed(game, Kind::Unit, *unit)) {
                        Some(group) => groups.entry(group).or_default().push(format!("{name} {place}")),
                        None => groups.entry((usize::MAX, game.place(*unit), place)).or_default().push(name),
                    }
                }
            }
            Kind::Space => {
                let known = values.iter().map(|space| (space, ruleset.known_place(*space)));
                let known = known.filter(|(_, name)| name.contains('('));
                let told = known.map(|(space, name)| format!("{name}{}", warning(game, set, *space)));
                groups.entry((0, 0, "among them".to_owned())).or_default().extend(told);
                if let Set::Reach(m) = set {
                    let beyond = game.reached(m).iter().filter(|r| r.cost > m.allowance).count();
                    let told = format!("{beyond} of {}", values.len());
                    if beyond > 0 {
                        groups.insert((1, 0, game.beyond_is(m)), vec![told]);
                    }
                }
            }
            Kind::Card => {
                let nameless = values.iter().filter(|card| self.sight().is_concealed(game, kind, **card));
                let told = nameless.map(|card| self.called(choices, kind, *card)).collect();
                groups.insert((0, 0, "among them".to_owned()), told);
            }
            _ => {
                let named = values.iter().map(|value| ruleset.name_and_meaning(kind, *value));
                groups.insert((0, 0, "among them".to_owned()), named.collect());
            }
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

    /// A choice of a long list by its name, after its number where it is one of those listed by number.
    fn called(&self, choices: &Choices, kind: Kind, value: i32) -> String {
        let name = self.session.game().name_seen(kind, value, self.sight());
        let choice = choices.choice(value);
        match self.listed.iter().position(|listed| *listed == choice) {
            Some(at) if self.sight().is_concealed(self.session.game(), kind, value) => format!("{}: {name}", at + 1),
            _ => name,
        }
    }

    /// Units of the side asked, those that may be known, that may not do what units are asked for where a part of the turn
    /// can be ended, each with its reason: as many as fit, or all.
    pub(super) fn show_barred(&self, question: &Question, all: bool) {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let verb = |offer: &Offer| &ruleset.verbs[offer.verb as usize];
        let is_unit = |verb: &Verb| verb.takes.first() == Some(&Kind::Unit);
        let mut offers = question.offers.iter();
        let asked = offers.find(|o| is_unit(verb(o)) && matches!(o.set, Set::Passing { .. }));
        let Some(offer) = asked.filter(|_| question.offers.iter().any(|o| verb(o).ends)) else { return };
        let may = game.values(&offer.set);
        let words = Words::seen_by(self.sight(), game);
        let mut reasons: BTreeMap<(String, u16), Vec<String>> = BTreeMap::new();
        for unit in (0..ruleset.units.len() as i32).filter(|unit| !may.contains(unit)) {
            let is_asked = ruleset.units[unit as usize].side == question.by && game.space_of(unit) >= 0;
            if !is_asked || self.sight().is_concealed(game, Kind::Unit, unit) {
                continue;
            }
            let refusals = match offer.then {
                None => game.why_not(question, Action::of(offer.verb, unit)),
                Some(_) => game.why_not_first(question, offer, unit),
            };
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
            let [units, why] = [format!("{shown}{rest}"), text.clone()].map(|text| Particular::Text(text.into()));
            lines.push(format!("     {}  [{cite}]", self.says(Text::MayNot, [units, why])));
        }
        let more = if all { 0 } else { lines.len().saturating_sub(MOST_REASONS) };
        lines.truncate(lines.len() - more);
        if more > 0 || reasons.values().any(|names| !all && names.len() > MOST_NAMES) {
            lines.push(prompts::WHICH_TELLS_ALL.to_owned());
        }
        tell(&lines);
    }

    /// Every space that is offered; of a move by what it costs to get there.
    fn all_spaces(&self, set: &Set, values: &[i32]) -> Vec<String> {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let names =
            |spaces: Vec<i32>| spaces.into_iter().map(|s| ruleset.known_place(s)).collect::<Vec<_>>().join(", ");
        let Set::Reach(m) = set else { return vec![format!("       {}", names(values.to_vec()))] };
        let mover = &ruleset.movers[usize::from(m.mover)];
        let reached = game.reached(m);
        let of_cost = |of_cost: &[Reached]| {
            let mut spaces: Vec<i32> =
                of_cost.iter().map(|r| r.space.0 as i32).filter(|s| values.contains(s)).collect();
            spaces.sort_unstable();
            let cost = of_cost[0].cost;
            let beyond = if cost > m.allowance { format!(", {}", game.beyond_is(m)) } else { String::new() };
            (!spaces.is_empty()).then(|| format!("       for {}{beyond}: {}", mover.in_points(cost), names(spaces)))
        };
        reached.chunk_by(|one, next| one.cost == next.cost).filter_map(of_cost).collect()
    }

    /// Says what keeps a unit from moving to a space, where one answer says both.
    pub(super) fn say_why_not(&self, question: &Question, unit: i32, to: i32) {
        let (game, words) = (self.session.game(), Words::seen_by(self.sight(), self.session.game()));
        let moves = question.offers.iter().filter(|offer| Column::is_move(offer));
        let refusals = moves.flat_map(|offer| game.why_not(question, Half { verb: offer.verb, value: unit }.with(to)));
        let said: BTreeSet<String> = refusals.map(|refusal| format!("  No: {}", words.refusal(&refusal))).collect();
        said.iter().for_each(|line| print!("{}", folded(std::slice::from_ref(line), WIDTH)));
    }

    /// Everything the question offers and refuses, in groups.
    pub(super) fn which(&self, question: &Question) {
        let ruleset = self.session.ruleset();
        for choices in self.choices(question) {
            let verb = &ruleset.verbs[usize::from(choices.verb)];
            let count = choices.values.len();
            let Some(kind) = choices.kind.filter(|_| count > 0) else { continue };
            println!("     {:<14} {}", verb.id, counted(count, "choice", "choices"));
            let lines = match kind {
                Kind::Space => self.all_spaces(&choices.set, &choices.values),
                kind => self.grouped(&choices, kind),
            };
            tell(&lines);
        }
        self.show_barred(question, true);
    }
}

/// Lines as wide as the smallest terminal.
fn tell(lines: &[String]) {
    print!("{}", folded(lines, WIDTH));
}

/// What going there costs beyond the allowance, in words; nothing where it does not.
fn warning(game: &Game, set: &Set, space: i32) -> String {
    let Set::Reach(m) = set else { return String::new() };
    let far = game.reached(m).iter().any(|r| r.space.0 as i32 == space && r.cost > m.allowance);
    if far { format!(" ({}!)", game.beyond_is(m)) } else { String::new() }
}

//! What people see at the table: the story, the question, the board, counters, dice.

use std::collections::BTreeMap;

use countermarch_core::{
    map::{Grid, SpaceId},
    play::{Effect, Entry, Particular, Question, Set},
    ruleset::{Kind, Ruleset, Text},
    show::{Board, Sight, Story, count, folded, overview_legend, paragraphs},
};

use super::{Table, asked::WIDTH, prompts};
use crate::{seats::Seat, show::palette};

/// Spaces drawn around the place of action; of areas, which are large and are listed, those next to it.
const RADIUS: u16 = 3;
const RADIUS_OF_AREAS: u16 = 1;

impl Table {
    /// Whose eyes look at the table: the one person's at it; where several share it, those of whoever is asked.
    pub(super) fn sight(&self) -> Sight {
        let people: Vec<i32> = (0..).zip(&self.seats).filter(|(_, s)| **s == Seat::Human).map(|(at, _)| at).collect();
        match people.as_slice() {
            [] => Sight::ALL,
            [one] => Sight::of(*one, self.session.ruleset()),
            // While a die waits nobody is asked, and it is still somebody's turn.
            _ if self.session.game().outcome().is_some() => Sight::ALL,
            _ => {
                let by = self.session.question().map_or(self.session.game().phasing(), |q| q.by);
                Sight::of(by, self.session.ruleset())
            }
        }
    }

    /// The story of the game as it is seen here, from its beginning.
    pub(super) fn story<'r>(&self, ruleset: &'r Ruleset) -> Story<'r> {
        Story::seen_by(self.sight(), ruleset, &self.session.beginning())
    }

    pub(super) fn tell(&mut self) {
        let ruleset = self.session.ruleset().clone();
        let mut story = self.story(&ruleset);
        let mut count = 0;
        for event in self.session.told() {
            let line = story.tell(event);
            if count >= self.told && story.reveals(event) {
                self.revealed = self.session.entries();
            }
            if count >= self.told
                && let Some(line) = line
            {
                print!("{}", folded(&[format!("  {line}")], WIDTH));
            }
            count += 1;
        }
        self.told = count;
        self.tell_forced();
        for line in self.session.printed().into_iter().filter(|_| self.traces) {
            eprintln!("trace: {line}");
        }
    }

    /// Tells what the engine has answered since for a side that had one answer, where somebody else was asked before: else
    /// nobody at the table would know that it was asked. That somebody is done is told by what comes after.
    fn tell_forced(&mut self) {
        let (entries, from) = (&self.session.record().entries, self.looked_at);
        let ruleset = self.session.ruleset();
        let mut chose = (0..from).rev().find(|at| self.chosen_at.contains(at)).and_then(|at| entries.get(at)).cloned();
        let mut lines = Vec::new();
        for (at, entry) in (from..).zip(entries.from(from)) {
            let Entry::Side { by, key, about, action } = entry else { continue };
            if self.chosen_at.contains(&at) {
                chose = Some(*entry);
                continue;
            }
            let is_own = |entry: &Entry| matches!(entry, Entry::Side { by: other, .. } if other == by);
            let verb = &ruleset.verbs[usize::from(action.verb)];
            if verb.takes.is_empty() || chose.as_ref().is_none_or(is_own) {
                continue;
            }
            let (game, sight) = (self.session.game(), self.sight());
            let question = Question { by: *by, key: *key, about: *about, offers: Vec::new() };
            let named = verb.takes.iter().zip(action.values).map(|(kind, value)| game.name_seen(*kind, value, sight));
            let answer = std::iter::once(verb.id.clone()).chain(named).collect::<Vec<_>>().join(" ");
            let [asks, answer] = [game.asks(&question, sight), answer].map(|text| Particular::Text(text.into()));
            lines
                .push(format!("  {}", self.says(Text::OnlyAnswer, [Particular::Thing(Kind::Side, *by), asks, answer])));
        }
        self.looked_at = self.session.entries();
        print!("{}", folded(&lines, WIDTH));
    }

    /// The board around a unit, with everything it can go to marked; nothing where it is the board that was drawn last, as
    /// from question to question of one battle.
    pub(super) fn draw(&mut self, unit: i32) {
        let game = self.session.game();
        let marked = self.marked();
        let here = u32::try_from(game.space_of(unit)).ok().map(SpaceId);
        let Some(center) = here.or_else(|| marked.first().map(|m| m.0)) else { return };
        let radius = self.radius();
        let drawn = self.board(Some((center, radius)), &marked).draw();
        if drawn == self.drawn {
            return;
        }
        println!("\n{drawn}");
        let farther = marked.iter().filter(|m| game.ruleset.map.distance(m.0, center) > radius).count();
        if marked.iter().any(|m| m.1 == '+') {
            println!("{}", prompts::MARKS);
        }
        if farther > 0 {
            println!("{}\n{}", prompts::farther_away(farther), prompts::MAP_SHOWS);
        }
        self.drawn = drawn;
    }

    fn radius(&self) -> u16 {
        if self.session.ruleset().map.grid == Grid::Area { RADIUS_OF_AREAS } else { RADIUS }
    }

    /// Where the waiting question lets one go; what costs more than the allowance is marked apart.
    fn marked(&self) -> Vec<(SpaceId, char)> {
        let game = self.session.game();
        let mut marked: Vec<(SpaceId, char)> = Vec::new();
        for choices in self.session.question().map(|question| self.choices(question)).unwrap_or_default() {
            match &choices.set {
                Set::Reach(m) => {
                    let sign = |cost: u16| if cost > m.allowance { '+' } else { '*' };
                    marked.extend(game.reached(m).iter().map(|r| (r.space, sign(r.cost))));
                }
                _ if choices.kind == Some(Kind::Space) => {
                    let spaces = choices.values.into_iter().filter_map(|s| u32::try_from(s).ok());
                    marked.extend(spaces.map(|s| (SpaceId(s), '*')));
                }
                _ => (),
            }
        }
        marked
    }

    pub(super) fn board<'a>(&'a self, around: Option<(SpaceId, u16)>, marked: &'a [(SpaceId, char)]) -> Board<'a> {
        let (map, game) = (&self.session.ruleset().map, Some(self.session.game()));
        Board { map, game, around, marked, palette: palette(), sight: self.sight() }
    }

    pub(super) fn completions(&self) -> Vec<String> {
        let ruleset = self.session.ruleset();
        let mut names: Vec<String> = Vec::new();
        let (game, sight) = (self.session.game(), self.sight());
        for action in self.session.offers() {
            let verb = &ruleset.verbs[action.verb as usize];
            let known = |(kind, value): (&Kind, i32)| {
                (!sight.is_concealed(game, *kind, value)).then(|| ruleset.id_of(*kind, value))
            };
            // What only a number tells apart has no name to type.
            let Some(ids) = verb.takes.iter().zip(action.values).map(known).collect::<Option<Vec<String>>>() else {
                continue;
            };
            let begins = self.half.filter(|half| (half.verb, half.value) == (action.verb, action.values[0]));
            names.extend(begins.and(ids.get(1).cloned()));
            names.push(format!("{} {}", verb.id, ids.join(" ")).trim_end().to_owned());
            names.extend(Some(ids.join(" ")).filter(|ids| !ids.is_empty()));
        }
        names.extend(
            ["help", "why ", "map", "units", "undo", "log", "luck", "odds ", "agree ", "quit"]
                .into_iter()
                .chain(["score", "score all", "victory", "tables", "turn", "reinforcements", "which", "cards"])
                .map(str::to_owned),
        );
        names
    }

    /// `map`: the whole board on one screen; `map PLACE [RADIUS]`: a part of it, and the place in words.
    pub(super) fn map(&self, asked: &str) {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let marked = self.marked();
        if asked.trim().is_empty() {
            println!("{}  {}", self.board(None, &marked).whole(), overview_legend(ruleset));
            return;
        }
        let (name, radius) = match asked.trim().rsplit_once(' ') {
            Some((name, radius)) => match radius.parse() {
                Ok(radius) => (name, radius),
                Err(_) => (asked, self.radius()),
            },
            None => (asked, self.radius()),
        };
        // A place comes before a counter, but not a part of its name before a counter's whole one.
        let is_place = ruleset.find_exactly(Kind::Space, name, &ruleset.all_of(Kind::Space)) != Ok(None);
        // Nobody finds out by a name where a counter is that he may not know.
        let known = self.sight().known(game, Kind::Unit, ruleset.all_of(Kind::Unit));
        let exactly = ruleset.find_exactly(Kind::Unit, name, &known).ok().flatten();
        let exactly = exactly.filter(|_| !is_place);
        let space = if exactly.is_some() {
            Ok(None)
        } else {
            ruleset.find_named(Kind::Space, name, &ruleset.all_of(Kind::Space))
        };
        let unit = || match exactly {
            Some(unit) => Ok(Some(unit)),
            None => ruleset.find_named(Kind::Unit, name, &known),
        };
        let center = match space {
            Ok(Some(space)) => space,
            Err(names) => return println!("{}", prompts::may_be(name, &names)),
            Ok(None) => match unit() {
                Ok(Some(unit)) if game.space_of(unit) >= 0 => game.space_of(unit),
                Ok(Some(unit)) => {
                    let place = Particular::Thing(Kind::Space, game.place(unit));
                    return println!("  {}", self.says(Text::NotOnTheMap, [Particular::unit(unit), place]));
                }
                Ok(None) => return println!("{}", prompts::no_such_place(name)),
                Err(names) => return println!("{}", prompts::may_be(name, &names)),
            },
        };
        let center = SpaceId(center as u32);
        println!("{}", self.board(Some((center, radius)), &marked).part(game, center));
    }

    pub(super) fn units(&self) {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let sight = self.sight();
        for (at, side) in ruleset.sides.iter().enumerate() {
            println!("{}", side.name);
            let mut places: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
            for unit in (0..ruleset.units.len() as i32).filter(|u| ruleset.units[*u as usize].side == at as i32) {
                places.entry(game.place(unit)).or_default().push(unit);
            }
            for (place, mut units) in places.into_iter().filter(|(place, _)| *place >= 0) {
                // Those that may not be known stand last, so that not even their order says which they are.
                units.sort_by_key(|unit| sight.is_concealed(game, Kind::Unit, *unit));
                let names: Vec<String> = units.into_iter().map(|unit| game.describe(unit, sight)).collect();
                let line = format!("  {:<24} {}", ruleset.full_name_of_place(place), names.join(", "));
                print!("{}", folded(&[line], WIDTH));
            }
        }
    }

    /// What paragraphs of the rulebook say that a text names.
    pub(super) fn rule(&self, text: &str) {
        match paragraphs(self.session.ruleset(), text) {
            none if none.is_empty() => println!("{}", prompts::no_such_paragraph(text)),
            lines => print!("{}", folded(&lines, WIDTH)),
        }
    }

    /// What is asked about with the half of an answer that has been typed already.
    pub(super) fn with_half(&self, text: &str) -> String {
        match self.half.filter(|_| !text.is_empty()) {
            None => text.to_owned(),
            Some(half) => {
                let ruleset = self.session.ruleset();
                let verb = &ruleset.verbs[usize::from(half.verb)];
                let first = verb.takes.first().map(|kind| ruleset.id_of(*kind, half.value)).unwrap_or_default();
                format!("{} {first} {text}", verb.id)
            }
        }
    }

    pub(super) fn log(&self, lines: usize) {
        let mut story = self.story(self.session.ruleset());
        let all: Vec<String> = self.session.told().filter_map(|e| story.tell(e)).collect();
        all.iter().skip(all.len().saturating_sub(lines)).for_each(|l| println!("  {l}"));
    }

    /// What every card says, a half for each side.
    pub(super) fn cards(&self) {
        let ruleset = self.session.ruleset();
        if ruleset.cards.is_empty() {
            println!("  {}", self.says(Text::NoCards, []));
        }
        for card in &ruleset.cards {
            let mut lines = vec![format!("  {}", card.name)];
            for (side, half) in ruleset.sides.iter().zip(&card.halves) {
                let says = ruleset.rulebook.entries.get(half.0 as usize);
                lines.extend(says.map(|e| format!("    {}: {}  [{}]", side.name, e.says, e.id)));
            }
            print!("{}", folded(&lines, WIDTH));
        }
    }

    /// How the dice have fallen, purpose by purpose.
    pub(super) fn luck(&self) {
        let mut rolls: BTreeMap<(String, i32), (i32, i32)> = BTreeMap::new();
        for event in self.session.told() {
            if let Effect::Rolled { chance, value, faces, .. } = &event.effect
                && *faces > 0
            {
                let sum = rolls.entry((self.session.ruleset().rolled_for(*chance), *faces)).or_default();
                *sum = (sum.0 + 1, sum.1 + value);
            }
        }
        for ((purpose, faces), (times, sum)) in rolls {
            let (average, expected) = (f64::from(sum) / f64::from(times), f64::from(faces + 1) / 2.0);
            let rolls = count(times as usize, "roll", "rolls");
            let line = format!("  {purpose}: {rolls}, {average:.2} on average ({expected:.2} expected)");
            print!("{}", folded(&[line], WIDTH));
        }
    }
}

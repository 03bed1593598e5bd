//! What people see at the table: the story, the question, the board, counters, dice.

use std::collections::BTreeMap;

use countermarch_core::{
    map::SpaceId,
    play::{About, Action, Effect, Question, Set},
    ruleset::{Kind, Ruleset},
    show::{Board, Sight, Story, legend, overview_legend, veiled},
};

use super::Table;
use crate::{seats::Seat, show::palette};

/// Lists of choices longer than this are counted, not printed.
const LONGEST_LIST: usize = 14;
/// Spaces drawn around the place of action.
const RADIUS: u16 = 3;

impl Table {
    /// Whose eyes look at the table: the one person's at it; where several share it, those of whoever is asked.
    pub(super) fn sight(&self) -> Sight {
        let people: Vec<i32> = (0..).zip(&self.seats).filter(|(_, s)| **s == Seat::Human).map(|(at, _)| at).collect();
        match people.as_slice() {
            [] => Sight::ALL,
            [one] => Sight::of(*one),
            _ => self.session.question().map_or(Sight::ALL, |q| Sight::of(q.by)),
        }
    }

    /// The story of the game as it is seen here, from its beginning.
    pub(super) fn story<'r>(&self, ruleset: &'r Ruleset) -> Story<'r> {
        Story::seen_by(self.sight(), ruleset, &self.session.beginning())
    }

    pub(super) fn tell(&mut self) {
        let ruleset = self.session.ruleset.clone();
        let mut story = self.story(&ruleset);
        let mut count = 0;
        for event in self.session.told() {
            let line = story.tell(event);
            if count >= self.told
                && let Some(line) = line
            {
                println!("  {line}");
            }
            count += 1;
        }
        self.told = count;
    }

    pub(super) fn show_question(&mut self, question: &Question, is_person: bool) {
        let ruleset = self.session.ruleset.clone();
        let game = &self.session.game;
        let text = &ruleset.questions[question.key as usize];
        // The board is drawn for a new question, not after a refusal or a look at the log.
        let now = Some(self.session.record.entries.len());
        let is_new = std::mem::replace(&mut self.drawn_at, now) != now;
        if let (About::Unit(unit), true, true) = (question.about, is_person, is_new) {
            self.draw(unit);
        }
        let side = &ruleset.sides[question.by as usize].name;
        let cite = ruleset.cite(text.cite);
        println!("\n{}, {side}: {}  [{cite}]", ruleset.turn_name(game.turn()), game.asks(question));
        self.listed.clear();
        for offer in &question.offers {
            let values: Vec<i32> =
                self.session.offers().iter().filter(|a| a.verb == offer.verb).map(|a| a.value).collect();
            let verb = &ruleset.verbs[offer.verb as usize];
            let says = text.verbs.get(&verb.id).unwrap_or(&verb.says);
            match (verb.takes, values.len()) {
                (_, 0) => (),
                (None, _) => {
                    self.listed.push(Action { verb: offer.verb, value: -1 });
                    println!("  {:>2} {:<14} {says}", self.listed.len(), verb.id);
                }
                (Some(kind), count) if count <= LONGEST_LIST => {
                    println!("     {:<14} {says}:", verb.id);
                    for value in values {
                        self.listed.push(Action { verb: offer.verb, value });
                        let name = match kind {
                            Kind::Unit => {
                                let at = ruleset.name_of_place(game.place(value));
                                format!("{}, {at}", game.describe(value))
                            }
                            Kind::Space => ruleset.full_name_of_place(value),
                            kind => ruleset.name_of(kind, value),
                        };
                        println!("  {:>2}   {name}", self.listed.len());
                    }
                }
                (Some(_), count) => println!("     {:<14} {says}: {count} choices, by name", verb.id),
            }
        }
    }

    /// The board around a unit, with everything it can go to marked.
    pub(super) fn draw(&self, unit: i32) {
        let game = &self.session.game;
        let marked = self.marked();
        let here = u32::try_from(game.space_of(unit)).ok().map(SpaceId);
        let Some(center) = here.or_else(|| marked.first().map(|m| m.0)) else { return };
        println!("\n{}", self.board(Some((center, RADIUS)), &marked).draw());
        let farther = marked.iter().filter(|m| game.ruleset.map.distance(m.0, center) > RADIUS).count();
        if marked.iter().any(|m| m.1 == '+') {
            println!("  * within the allowance, + beyond it");
        }
        if farther > 0 {
            println!(
                "  {farther} of the places marked lie farther away: `map` shows them all, `map PLACE` those near it"
            );
        }
    }

    /// Where the waiting question lets one go; what costs more than the allowance is marked apart.
    fn marked(&self) -> Vec<(SpaceId, char)> {
        let (ruleset, game) = (&self.session.ruleset, &self.session.game);
        let mut marked: Vec<(SpaceId, char)> = Vec::new();
        for offer in self.session.question().map(|q| q.offers.as_slice()).unwrap_or_default() {
            match &offer.set {
                Set::Reach(m) => {
                    let sign = |cost: u16| if cost > m.allowance { '+' } else { '*' };
                    marked.extend(game.reached(m).iter().map(|r| (r.space, sign(r.cost))));
                }
                set if ruleset.verbs[offer.verb as usize].takes == Some(Kind::Space) => {
                    let spaces = game.values(set).into_iter().filter_map(|s| u32::try_from(s).ok());
                    marked.extend(spaces.map(|s| (SpaceId(s), '*')));
                }
                _ => (),
            }
        }
        marked
    }

    fn board<'a>(&'a self, around: Option<(SpaceId, u16)>, marked: &'a [(SpaceId, char)]) -> Board<'a> {
        let (map, game) = (&self.session.ruleset.map, Some(&self.session.game));
        Board { map, game, around, marked, palette: palette(), sight: self.sight() }
    }

    pub(super) fn completions(&self) -> Vec<String> {
        let ruleset = &self.session.ruleset;
        let mut names: Vec<String> = Vec::new();
        for action in self.session.offers() {
            let verb = &ruleset.verbs[action.verb as usize];
            match verb.takes {
                None => names.push(verb.id.clone()),
                Some(kind) => {
                    names.push(format!("{} {}", verb.id, ruleset.id_of(kind, action.value)));
                    names.push(ruleset.id_of(kind, action.value));
                }
            }
        }
        names.extend(
            ["help", "why ", "map", "units", "undo", "log", "luck", "odds ", "agree ", "quit"].map(str::to_owned),
        );
        names
    }

    /// `map`: the whole board on one screen; `map PLACE [RADIUS]`: a part of it, and the place in words.
    pub(super) fn map(&self, asked: &str) {
        let (ruleset, game) = (&self.session.ruleset, &self.session.game);
        let marked = self.marked();
        if asked.trim().is_empty() {
            println!("{}  {}", self.board(None, &marked).overview(), overview_legend(ruleset));
            return;
        }
        let (name, radius) = match asked.trim().rsplit_once(' ') {
            Some((name, radius)) => match radius.parse() {
                Ok(radius) => (name, radius),
                Err(_) => (asked, RADIUS),
            },
            None => (asked, RADIUS),
        };
        // A place comes before a counter, but not a part of its name before a counter's whole one.
        let exactly =
            ruleset.named_exactly(Kind::Unit, name).filter(|_| ruleset.named_exactly(Kind::Space, name).is_none());
        let space = if exactly.is_some() {
            Ok(None)
        } else {
            ruleset.find_named(Kind::Space, name, &ruleset.all_of(Kind::Space))
        };
        let unit = || match exactly {
            Some(unit) => Ok(Some(unit)),
            None => ruleset.find_named(Kind::Unit, name, &ruleset.all_of(Kind::Unit)),
        };
        let center = match space {
            Ok(Some(space)) => space,
            Err(names) => return println!("  `{name}` may be {}", names.join(" or ")),
            Ok(None) => match unit() {
                Ok(Some(unit)) if game.space_of(unit) >= 0 => game.space_of(unit),
                Ok(Some(unit)) => {
                    let place = ruleset.name_of_place(game.place(unit));
                    return println!("  {} is not on the map: {place}", ruleset.name_of(Kind::Unit, unit));
                }
                Ok(None) => return println!("  the map has no `{name}`"),
                Err(names) => return println!("  `{name}` may be {}", names.join(" or ")),
            },
        };
        let center = SpaceId(center as u32);
        println!("{}\n  {}\n", game.describe_space(center, self.sight()), legend(ruleset));
        println!("{}", self.board(Some((center, radius)), &marked).draw());
    }

    pub(super) fn units(&self) {
        let (ruleset, game) = (&self.session.ruleset, &self.session.game);
        for (at, side) in ruleset.sides.iter().enumerate() {
            println!("{}", side.name);
            let mut places: BTreeMap<i32, Vec<String>> = BTreeMap::new();
            for unit in (0..ruleset.units.len() as i32).filter(|u| ruleset.units[*u as usize].side == at as i32) {
                let is_concealed = self.sight().is_concealed(game, unit);
                let told = if is_concealed { veiled(ruleset, unit) } else { game.describe(unit) };
                places.entry(game.place(unit)).or_default().push(told);
            }
            for (place, names) in places.into_iter().filter(|(p, n)| *p >= 0 && !n.is_empty()) {
                println!("  {:<24} {}", ruleset.full_name_of_place(place), names.join(", "));
            }
        }
    }

    pub(super) fn log(&self, lines: usize) {
        let mut story = self.story(&self.session.ruleset);
        let all: Vec<String> = self.session.told().filter_map(|e| story.tell(e)).collect();
        all.iter().skip(all.len().saturating_sub(lines)).for_each(|l| println!("  {l}"));
    }

    /// How the dice have fallen, purpose by purpose.
    pub(super) fn luck(&self) {
        let mut rolls: BTreeMap<(&str, i32), (i32, i32)> = BTreeMap::new();
        for event in self.session.told() {
            if let Effect::Rolled { purpose, value, faces, .. } = &event.effect
                && *faces > 0
            {
                let sum = rolls.entry((purpose, *faces)).or_default();
                *sum = (sum.0 + 1, sum.1 + value);
            }
        }
        for ((purpose, faces), (count, sum)) in rolls {
            let (average, expected) = (f64::from(sum) / f64::from(count), f64::from(faces + 1) / 2.0);
            println!("  {purpose:<12} {count:>4} rolls, {average:.2} on average ({expected:.2} expected)");
        }
    }
}

/// What one may type.
pub(super) fn help() {
    println!(
        "\
  Type what to do, as it is listed, or only a name: `move heth`, `heth`, `heth 18.04`, `sem`, or a number of the list.
  Several orders go in one line with commas: `heth 18.04, pender 20.01`. They stop at the first refusal.
  Units march along a road one behind the other: `heth, pender along chambersburg pike to 15.08`. None of them spends
  more than its allowance.
  why [MOVE]    what is asked; or why a move is allowed or not, what it costs, by which paragraph
  odds [MOVE]   what each roll of the next die would do
  map [PLACE [RADIUS]]   the board, or a part    units    every counter
  log [N]       what happened                    luck     how the dice fell
  undo          take the last answer back        save [FILE]
  agree place UNIT SPACE | agree set UNIT PROPERTY VALUE     a change by agreement, outside the rules
  quit          leave; the record is already on disk"
    );
}

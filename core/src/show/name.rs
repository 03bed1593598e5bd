//! Names of things as people write them, and things by the names people type.

use super::{sight::Sight, words::Words};
use crate::{
    map::SpaceId,
    play::{About, Game, Outcome, Question, Roll},
    ruleset::{Column, Holder, Kind, QuestionText, Ruleset, Seen, Text, rows::Expr},
};

impl Ruleset {
    /// What people call a value of a kind.
    pub fn name_of(&self, kind: Kind, value: i32) -> String {
        let at = value as usize;
        match kind {
            Kind::Int => value.to_string(),
            Kind::Flag => if value == 1 { "yes" } else { "no" }.to_owned(),
            _ if value < 0 => "nothing".to_owned(),
            Kind::Unit => self.units.get(at).map_or_else(String::new, |u| u.name.clone()),
            Kind::Side => self.sides.get(at).map_or_else(String::new, |s| s.name.clone()),
            Kind::Card => self.cards.get(at).map_or_else(String::new, |c| c.name.clone()),
            Kind::Symbol(list) => self.schema.symbols[list as usize].values.get(at).cloned().unwrap_or_default(),
            Kind::Space => self.name_of_place(value),
            Kind::Terrain | Kind::Record(_) | Kind::Units | Kind::Spaces | Kind::Any => value.to_string(),
        }
    }

    /// What a property that is not at its default says of whoever has it, in words.
    pub fn said(&self, column: &Column, value: i32, named: impl Fn(Kind, i32) -> String) -> Option<String> {
        let name = || column.name.replace('-', " ");
        match column.kind {
            _ if value == column.default => None,
            Kind::Flag => Some(name()),
            Kind::Int if column.say.contains("{turn}") && value == 0 => None,
            Kind::Int if column.say.contains("{turn}") => Some(format!("{} {}", name(), self.turn_name(value))),
            Kind::Int => Some(format!("{} {value}", name())),
            kind => Some(named(kind, value)),
        }
    }

    /// A space by its number, a box by its name.
    pub fn name_of_place(&self, place: i32) -> String {
        let Ok(at) = usize::try_from(place) else { return "nowhere".to_owned() };
        if at < self.map.len() {
            return self.map.space(SpaceId(place as u32)).name.clone();
        }
        self.boxes.get(at - self.map.len()).map_or_else(|| "nowhere".to_owned(), |b| b.name.clone())
    }

    /// A space by its number, with what people call it: its printed name, or that of a place there.
    pub fn full_name_of_place(&self, place: i32) -> String {
        let name = self.name_of_place(place);
        let space = u32::try_from(place).ok().filter(|p| (*p as usize) < self.map.len()).map(SpaceId);
        match space.and_then(|space| self.called_at(space)) {
            Some(called) => format!("{name} ({called})"),
            None => name,
        }
    }

    /// What people call a space; of several places there, the one whose middle it holds, or else the smallest.
    fn called_at(&self, space: SpaceId) -> Option<&str> {
        let places = self.map.places.iter().filter(|place| place.at.contains(&space));
        let place = places.min_by_key(|place| (place.at[0] != space, place.at.len()));
        self.map.space(space).label.as_deref().or(place.map(|place| place.name.as_str()))
    }

    /// How a game ended, as results are counted: `union decisive victory`, or only the name when nobody won.
    pub fn outcome(&self, outcome: &Outcome) -> String {
        let winners =
            outcome.winners.iter().map(|side| self.id_of(Kind::Side, *side)).collect::<Vec<_>>().join(" and ");
        let gap = if winners.is_empty() { "" } else { " " };
        format!("{winners}{gap}{}", outcome.name)
    }

    /// What a question is about, in words; empty for nothing.
    pub fn about(&self, about: About, ids: bool) -> String {
        let About::Thing(kind, value) = about else { return String::new() };
        if ids { self.id_of(kind, value) } else { self.name_of(kind, value) }
    }

    /// A space by its number, with what this game calls it, what stands there or the place that people know it by.
    pub fn known_place(&self, place: i32) -> String {
        if let Some(name) = self.space_names.get(&place) {
            return format!("{} ({name})", self.name_of_place(place));
        }
        let full = self.full_name_of_place(place);
        let is_middle = |p: &&crate::map::Place| p.at.first().is_some_and(|s| s.0 as i32 == place);
        match self.map.places.iter().find(is_middle) {
            Some(known) if !full.contains(' ') => format!("{full} ({})", known.name),
            _ => full,
        }
    }

    /// The text of a question.
    pub fn question(&self, question: &Question) -> &QuestionText {
        &self.questions[question.key as usize]
    }

    /// What a person with dice and cards of their own is asked to do, and what kind of thing they may name then; `about`
    /// says whom it is about.
    pub(super) fn asks_chance(&self, roll: &Roll, about: &str) -> (String, Option<Kind>) {
        let text = &self.chances[roll.chance as usize];
        let (says, draws) = if roll.faces() == 0 { (&text.draw, text.draws) } else { (&text.roll, None) };
        let Some(says) = says else { return (text.purpose.clone(), draws) };
        let dice = match roll.handful.left {
            1 => self.texts[Text::ADie as usize].clone(),
            several => self.texts[Text::SeveralDice as usize].replace("{count}", &several.to_string()),
        };
        // What it is about comes last: a name is never taken for a blank.
        (says.replace("{dice}", &dice).replace("{about}", about), draws)
    }

    /// What a die is rolled for, whatever that is about: `Roll for the attack on ...`; where the ruleset has no sentence for
    /// it, what its rules call it.
    pub fn rolled_for(&self, chance: u16) -> String {
        let text = &self.chances[usize::from(chance)];
        let says = text.roll.as_ref().unwrap_or(&text.purpose);
        let says = says.replace("{dice}", &self.texts[Text::ADie as usize]).replace("{about}", "...");
        says.strip_suffix('.').unwrap_or(&says).to_owned()
    }

    /// A value of a kind by its name, with what the ruleset says that it means, where it says anything.
    pub fn name_and_meaning(&self, kind: Kind, value: i32) -> String {
        let name = self.name_of(kind, value);
        let Kind::Symbol(list) = kind else { return name };
        let means = usize::try_from(value).ok().and_then(|at| self.schema.symbols[usize::from(list)].says.get(at));
        match means.filter(|means| !means.is_empty() && **means != name) {
            Some(means) => format!("{name} ({means})"),
            None => name,
        }
    }

    /// What people may call a value: exact names first.
    fn called(&self, kind: Kind, value: i32) -> Vec<String> {
        let mut names = vec![self.id_of(kind, value), self.name_of(kind, value)];
        if kind == Kind::Space && value >= 0 {
            names.extend(self.map.space(SpaceId(value as u32)).label.clone());
        }
        names.iter().map(|n| plain(n)).collect()
    }

    /// The value among these that a text names: exactly, or as the beginning of a name, or of a word in it. A space also
    /// goes by the places whose middle it holds; whatever is named exactly comes before what only begins so.
    /// Several that fit equally well are an error that lists them.
    pub fn find_named(&self, kind: Kind, text: &str, among: &[i32]) -> Result<Option<i32>, Vec<String>> {
        let wanted = plain(text);
        if wanted.is_empty() {
            return Ok(None);
        }
        if kind == Kind::Int {
            let number = text.trim().trim_start_matches('+').parse().ok();
            return Ok(number.filter(|n| among.contains(n)));
        }
        if let Some(own) = self.own_place(kind, &wanted) {
            return Ok(Some(own).filter(|own| among.contains(own)));
        }
        let found = fitting(&wanted, &self.all_called(kind, among), &FITS);
        found.map_err(|several| several.into_iter().map(|v| self.told_apart(kind, v)).collect())
    }

    /// The one of these that a text names exactly; several are an error that lists them.
    pub fn find_exactly(&self, kind: Kind, text: &str, among: &[i32]) -> Result<Option<i32>, Vec<String>> {
        let wanted = plain(text);
        if wanted.is_empty() || kind == Kind::Int {
            return Ok(None);
        }
        if let Some(own) = self.own_place(kind, &wanted) {
            return Ok(Some(own).filter(|own| among.contains(own)));
        }
        let found = fitting(&wanted, &self.all_called(kind, among), &FITS[..1]);
        found.map_err(|several| several.into_iter().map(|v| self.told_apart(kind, v)).collect())
    }

    /// The one space that this game itself calls so: no other is meant then, whatever the map calls so.
    fn own_place(&self, kind: Kind, wanted: &str) -> Option<i32> {
        let called = self.space_names.iter().filter(|(_, name)| kind == Kind::Space && plain(name) == wanted);
        let mut called = called.map(|(space, _)| *space);
        called.next().filter(|_| called.next().is_none())
    }

    /// What people may call each of these; a space also by the places whose middle it holds.
    fn all_called(&self, kind: Kind, among: &[i32]) -> Vec<(i32, Vec<String>)> {
        let mut called: Vec<_> = among.iter().map(|v| (*v, self.called(kind, *v))).collect();
        if kind == Kind::Space {
            for place in &self.map.places {
                let Some(middle) = place.at.first().map(|s| s.0 as i32) else { continue };
                let here = called.iter_mut().filter(|(space, _)| *space == middle);
                here.for_each(|(_, names)| names.push(plain(&place.name)));
            }
            for (space, names) in &mut called {
                names.extend(self.space_names.get(space).map(|name| plain(name)));
            }
        }
        called
    }

    /// What tells a value from others of the same name.
    fn told_apart(&self, kind: Kind, value: i32) -> String {
        if kind == Kind::Space { self.known_place(value) } else { self.name_of(kind, value) }
    }

    /// The road that a text names, by its number. Roads of one name are one road, whose first part is given; where
    /// the words fit several, it is the one that runs through this space. Several are an error that lists them.
    pub fn road_named(&self, text: &str, through: Option<SpaceId>) -> Result<Option<usize>, Vec<String>> {
        let roads = &self.map.roads;
        let first = |at: usize| roads.iter().position(|road| road.name == roads[at].name).unwrap_or(at);
        let called = roads.iter().enumerate().map(|(at, r)| (first(at), vec![plain(&r.id), plain(&r.name)]));
        let several = match fitting(&plain(text), &called.collect::<Vec<_>>(), &FITS) {
            Err(several) => several,
            found => return Ok(found.unwrap_or_default()),
        };
        let there: Vec<usize> = through.map_or_else(Vec::new, |space| {
            several.iter().copied().filter(|at| self.map.parts_of(*at).any(|part| part.contains(&space))).collect()
        });
        match there.as_slice() {
            [one] => Ok(Some(*one)),
            _ => Err(several.into_iter().map(|at| roads[at].name.clone()).collect()),
        }
    }

    /// Every value of a kind, for names that are right but not offered.
    pub fn all_of(&self, kind: Kind) -> Vec<i32> {
        let count = match kind {
            Kind::Unit => self.units.len(),
            Kind::Side => self.sides.len(),
            Kind::Space => self.map.len(),
            Kind::Card => self.cards.len(),
            Kind::Symbol(list) => self.schema.symbols[list as usize].values.len(),
            Kind::Int => return (-99..=99).collect(),
            Kind::Flag | Kind::Terrain | Kind::Record(_) | Kind::Units | Kind::Spaces | Kind::Any => 0,
        };
        (0..count as i32).collect()
    }
}

/// How a text may name a thing, the surest way first: exactly, by a word of its name or how that begins, by how a word
/// begins. One is as likely to think of Culp's Hill as of the Culp farm.
const FITS: [fn(&str, &str) -> bool; 3] = [
    |name, wanted| name == wanted,
    |name, wanted| name.starts_with(wanted) || name.split(' ').any(|word| word == wanted),
    |name, wanted| name.split(' ').any(|word| word.starts_with(wanted)),
];

/// The one of these that a text names, in the surest of these ways that fits any.
fn fitting<T: Copy + PartialEq>(
    wanted: &str,
    called: &[(T, Vec<String>)],
    fits: &[fn(&str, &str) -> bool],
) -> Result<Option<T>, Vec<T>> {
    for fit in fits {
        let fits_it = |(_, names): &&(T, Vec<String>)| names.iter().any(|name| fit(name, wanted));
        let mut found: Vec<T> = Vec::new();
        for (value, _) in called.iter().filter(fits_it) {
            if !found.contains(value) {
                found.push(*value);
            }
        }
        match found.as_slice() {
            [] => (),
            [one] => return Ok(Some(*one)),
            _ => return Err(found),
        }
    }
    Ok(None)
}

/// Lower case, hyphens as spaces, nothing but letters, digits, dots and the colons and signs of axial numbers.
fn plain(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.trim().chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '-' if !before.is_alphanumeric() && rest.peek().is_some_and(char::is_ascii_digit) => kept.push('~'),
            '-' | '_' | ' ' => kept.push(' '),
            '.' | ':' | '+' => kept.push(c),
            c if c.is_alphanumeric() => kept.extend(c.to_lowercase()),
            _ => (),
        }
        before = c;
    }
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Game {
    /// The ratings on a counter, as printed, what is not printed with its dagger; empty for one without.
    pub fn face(&self, unit: i32) -> String {
        let ruleset = &self.ruleset;
        let mut face = ruleset.faces[ruleset.units[unit as usize].kind].clone();
        for attribute in ruleset.attributes.iter().filter(|a| a.holder == Holder::Unit) {
            let blank = format!("{{{}}}", attribute.name);
            if face.contains(&blank) {
                let value = ruleset.name_of(attribute.kind, attribute.values[unit as usize]);
                face = face.replace(&blank, &format!("{value}{}", attribute.from[unit as usize].dagger()));
            }
        }
        face
    }

    /// What a question asks these eyes, in words, its subject with its condition, and all that are named together with it.
    pub fn asks(&self, question: &Question, sight: Sight) -> String {
        let text = self.ruleset.question(question);
        text.ask.replace("{about}", &self.subject(question.about, text.together.as_ref(), sight))
    }

    /// What a person with dice and cards of their own is asked to do, and what kind of thing they may name then.
    pub fn asks_chance(&self, roll: &Roll, sight: Sight) -> (String, Option<Kind>) {
        let text = &self.ruleset.chances[roll.chance as usize];
        self.ruleset.asks_chance(roll, &self.subject(roll.about, text.together.as_ref(), sight))
    }

    /// What something is about, with what is named with it.
    fn subject(&self, about: About, with: Option<&Expr>, sight: Sight) -> String {
        match about.as_unit() {
            Some(unit) => self.together(unit, with, sight),
            None => match about {
                About::Thing(kind, thing) => self.name_seen(kind, thing, sight),
                About::Nothing => String::new(),
            },
        }
    }

    /// What these eyes may call something as the game stands.
    pub fn name_seen(&self, kind: Kind, value: i32, sight: Sight) -> String {
        if sight.is_concealed(self, kind, value) {
            Words::seen_by(sight, self).name_of(kind, value)
        } else {
            self.ruleset.name_of(kind, value)
        }
    }

    /// A unit, and those that are named with it: `Ann 2 and Bob 1`.
    fn together(&self, unit: i32, with: Option<&Expr>, sight: Sight) -> String {
        let goes_with = |other: &i32| with.is_some_and(|with| self.holds(with, &[unit, *other]));
        let others = (0..self.ruleset.units.len() as i32).filter(|other| *other != unit && goes_with(other));
        let names: Vec<String> = std::iter::once(unit).chain(others).map(|unit| self.describe(unit, sight)).collect();
        names.join(" and ")
    }

    /// A counter's name and ratings with its condition, as a player with these eyes would say it.
    pub fn describe(&self, unit: i32, sight: Sight) -> String {
        if sight.is_concealed(self, Kind::Unit, unit) {
            return self.name_seen(Kind::Unit, unit, sight);
        }
        let (arrow, mut words) = self.wears(unit, sight);
        let condition = self.condition(unit, sight).into_iter().filter(|(column, _)| !self.is_worn(*column as u16));
        words.extend(condition.map(|(_, words)| words));
        let face = self.face(unit);
        let gap = if face.is_empty() { "" } else { " " };
        let arrow = arrow.map_or_else(String::new, |arrow| format!(" {arrow}"));
        let name = format!("{}{gap}{face}{arrow}", self.ruleset.name_of(Kind::Unit, unit));
        if words.is_empty() { name } else { format!("{name} ({})", words.join(", ")) }
    }

    /// What has befallen a counter, as far as these eyes may know: every declared property of it that is told and not
    /// at its default, by its place in the schema, in words.
    pub fn condition(&self, unit: i32, sight: Sight) -> Vec<(usize, String)> {
        let mut words = Vec::new();
        for (at, column) in self.ruleset.schema.columns.iter().enumerate() {
            if column.holder != Holder::Unit || column.say.is_empty() || !sight.property(self, at as u16, unit) {
                continue;
            }
            let value = self.get(at as u16, unit);
            let named = |kind, value| self.name_seen(kind, value, sight);
            let Some(said) = self.ruleset.said(column, value, named) else { continue };
            words.push((at, said));
        }
        words
    }

    /// What the board shows a sign of in a space, each with its column: a property that declares `sign: true`, that
    /// all may see and that is not at its default.
    pub fn signs_in(&self, space: SpaceId, sight: Sight) -> Vec<(usize, String)> {
        let columns = self.ruleset.schema.columns.iter().enumerate();
        let shown = columns.filter(|(_, c)| c.holder == Holder::Space && c.sign && c.seen == Seen::ByAll);
        shown
            .filter_map(|(at, column)| {
                let value = self.get(at as u16, space.0 as i32);
                Some((at, self.ruleset.said(column, value, |kind, value| self.name_seen(kind, value, sight))?))
            })
            .collect()
    }
}

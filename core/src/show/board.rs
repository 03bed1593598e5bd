//! The board as text: for each space what is there and who stands there, between them what one crosses.

use std::{borrow::Cow, collections::BTreeMap, fmt::Write as _};

use super::{badges::Wears, overview::side_signs, sight::Sight};
use crate::{
    map::{BorderId, Grid, Map, Point, SpaceId, Squares},
    play::Game,
    ruleset::{Badge, Holder, Kind, Ruleset, Shows, Strength},
};

/// Whether and how to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Palette {
    /// No colour at all.
    Plain,
    /// ANSI colours.
    Colour,
}

/// What of the board is drawn, and how.
#[derive(Debug, Clone)]
pub struct Board<'a> {
    /// The map.
    pub map: &'a Map,
    /// The game played on it, for counters and what is printed for this game alone; a bare map without.
    pub game: Option<&'a Game>,
    /// The center of the cut-out and its radius in spaces; the whole board without.
    pub around: Option<(SpaceId, u16)>,
    /// Spaces to mark, each with its sign, as where a unit can go.
    pub marked: &'a [(SpaceId, char)],
    /// Colours.
    pub palette: Palette,
    /// Whose eyes look at it.
    pub sight: Sight,
}

/// Characters across one space.
const WIDE: usize = 11;
/// Signs of roads, in the order their kinds are declared; further kinds have none.
pub(super) const ROADS: [char; 4] = ['=', '-', ':', '~'];
/// Colours of terrain, in the order it is declared; the last serves for all further ones.
const GROUND: [&str; 2] = ["32", "35"];
/// What stands around the names of a side's counters, by side; the last serves for all further ones.
const BRACKETS: [(char, char); 4] = [('[', ']'), ('(', ')'), ('{', '}'), ('|', '|')];

/// The sign of a space whose properties are not as they were: those that declare `sign: true`.
const CHANGED: char = '#';
/// The sign of a space where units arrive.
pub(super) const ENTRY: char = '>';
/// The sign of a space that is worth something.
pub(super) const OBJECTIVE: char = '$';
/// The sign before the letter of the side that controls a space.
const CONTROL: char = '@';
/// The sign of a counter in contact with an enemy.
const CONTACT: char = 'x';

/// What the signs of the board stand for in this game.
pub fn legend(ruleset: &Ruleset) -> String {
    let map = &ruleset.map;
    let mut signs = map_signs(map);
    let board = &ruleset.board;
    if board.control.is_some() {
        signs.extend(ruleset.players().map(|side| {
            let sign = side_signs(ruleset, side).0;
            format!("{CONTROL}{sign} {} controls it", ruleset.name_of(Kind::Side, side))
        }));
    }
    for badge in &board.spaces {
        match &badge.shows {
            Shows::Number(_) => signs.push(format!("(1) {}", badge.say)),
            Shows::Sign(sign, _) => signs.push(format!("{sign} {}", badge.say)),
            Shows::Dots(..) | Shows::Named(..) => (),
        }
    }
    let columns = ruleset.schema.columns.iter().filter(|c| c.holder == Holder::Space && c.sign);
    signs.extend(columns.map(|c| format!("{CHANGED} {}", c.name.replace('-', " "))));
    if !ruleset.board.objectives.is_empty() {
        signs.push(format!("{OBJECTIVE} objective"));
    }
    let brackets = |(at, side): (usize, &crate::ruleset::Side)| {
        let (open, close) = of(&BRACKETS, at).unwrap_or(('[', ']'));
        format!("{open}{}{close}", side.name)
    };
    let mut counters: Vec<String> = ruleset.sides.iter().enumerate().map(brackets).collect();
    if board.facing.is_some() {
        counters.push("\u{2191} the way it faces".into());
    }
    if board.units.is_empty() {
        counters.push("' \" ! worse and worse".into());
    }
    counters.extend(board.units.iter().flat_map(|badge| signs_of(ruleset, badge)));
    if ruleset.board.strength.is_some() {
        counters.push("the strength of all there".into());
    }
    counters.push("+1 one more counter".into());
    if ruleset.board.contact.is_some() {
        counters.push(format!("{CONTACT} in contact"));
    }
    let mut text = format!("after the number: {}", wrapped(&signs, ", ", "    "));
    let _ = write!(text, "\n  counters: {}", wrapped(&counters, ", ", "    "));
    let crossed = crossed_signs(map);
    if !crossed.is_empty() {
        let _ = write!(text, "\n  between spaces: {}", wrapped(&crossed, ", ", "    "));
    }
    text
}

/// The signs of a badge of counters, each with what it says.
fn signs_of(ruleset: &Ruleset, badge: &Badge) -> Vec<String> {
    match &badge.shows {
        Shows::Sign(sign, _) => vec![format!("{sign} {}", badge.say)],
        Shows::Named(_, list, signs) => {
            let values = (0..).zip(signs).filter(|(_, sign)| !sign.is_empty());
            values.map(|(value, sign)| format!("{sign} {}", ruleset.name_of(Kind::Symbol(*list), value))).collect()
        }
        Shows::Number(_) | Shows::Dots(..) => Vec::new(),
    }
}

/// A list in lines that fit a terminal of 80, given what stands between and what later lines begin with.
pub(super) fn wrapped(parts: &[String], between: &str, indent: &str) -> String {
    const MOST: usize = 58;
    let (mut text, mut long) = (String::new(), 0);
    for (at, part) in parts.iter().enumerate() {
        let count = part.chars().count() + between.len();
        if long > 0 && long + count > MOST {
            text.truncate(text.trim_end().len());
            let _ = write!(text, "\n{indent}");
            long = 0;
        }
        text.push_str(part);
        if at + 1 < parts.len() {
            text.push_str(between);
        }
        long += count;
    }
    text
}

/// What signs a map itself has: roads, terrain by its first letter, entries.
fn map_signs(map: &Map) -> Vec<String> {
    let roads = map.road_kinds.iter().zip(ROADS).map(|(kind, sign)| format!("{sign} {kind}"));
    let used = |at: usize| map.spaces().any(|s| first_terrain(map, s) == Some(at));
    let ground = map.terrains.iter().enumerate().filter(|(at, _)| used(*at));
    let ground = ground.filter_map(|(_, name)| Some(format!("{} {}", name.chars().next()?, name.replace('-', " "))));
    let entry = (!map.entries.is_empty()).then(|| format!("{ENTRY} entry"));
    roads.chain(ground).chain(entry).collect()
}

/// What lies on borders, without the mark of those that are corners only.
pub(super) fn told_features(map: &Map, border: BorderId) -> u32 {
    let Grid::Square(Squares { corners: Some(name), .. }) = &map.grid else { return map.border(border).features };
    let corner = map.features.iter().position(|feature| feature == name).map_or(0, |at| 1 << at);
    map.border(border).features & !corner
}

/// What stands between spaces: features by their first letter, those of one direction as an arrow up them.
fn crossed_signs(map: &Map) -> Vec<String> {
    let used = map.spaces().flat_map(|s| map.out(s)).fold(0, |all, b| all | told_features(map, b));
    let features = map.features.iter().enumerate().filter(|(at, _)| used >> at & 1 == 1);
    features
        .filter_map(|(at, name)| match map.one_way >> at & 1 {
            1 => Some(format!("^ v < > up a {name}")),
            _ => Some(format!("{} {name}", name.chars().next()?)),
        })
        .collect()
}

pub(super) fn first_terrain(map: &Map, space: SpaceId) -> Option<usize> {
    let here = map.space(space).terrain;
    (here != 0).then(|| here.trailing_zeros() as usize)
}

/// The sign of the first road that leads out of a space.
pub(super) fn road_sign(map: &Map, space: SpaceId) -> Option<char> {
    let roads = map.out(space).map(|b| map.border(b).roads).fold(0, |a, b| a | b);
    ROADS.iter().enumerate().find(|(kind, _)| roads >> kind & 1 == 1).map(|(_, sign)| *sign)
}

/// The colour of a side's counters.
pub(super) fn side_colour(ruleset: &Ruleset, side: i32) -> String {
    ruleset.sides[side as usize].color.ansi()
}

fn of<T: Copy>(list: &[T], at: usize) -> Option<T> {
    list.get(at).or(list.last()).copied()
}

/// A line of text with what is written over what, and which of it is coloured.
#[derive(Default)]
struct Line {
    letters: Vec<char>,
    colours: Vec<(usize, usize, Cow<'static, str>)>,
}

impl Line {
    fn put(&mut self, at: usize, text: &str, colour: impl Into<Cow<'static, str>>) {
        let colour = colour.into();
        let end = at + text.chars().count();
        self.letters.resize(self.letters.len().max(end), ' ');
        self.letters.splice(at..end, text.chars());
        if !colour.is_empty() {
            self.colours.push((at, end, colour));
        }
    }

    fn write(&self, out: &mut String, palette: Palette) {
        let mut ends = 0;
        let letters = |from: usize, to: usize| self.letters[from..to].iter().collect::<String>();
        let mut colours = self.colours.clone();
        colours.sort();
        for (from, to, colour) in colours.into_iter().filter(|_| palette == Palette::Colour) {
            let _ = write!(out, "{}\x1b[{colour}m{}\x1b[0m", letters(ends, from), letters(from, to));
            ends = to;
        }
        out.push_str(letters(ends, self.letters.len()).trim_end());
        out.push('\n');
    }
}

impl Board<'_> {
    /// Draws it with room for what is in each space; areas, which lie in no rows, are listed.
    pub fn draw(&self) -> String {
        if self.map.grid == Grid::Area {
            return self.list();
        }
        let map = self.map;
        let mut rows: BTreeMap<i32, Vec<SpaceId>> = BTreeMap::new();
        for space in map.spaces().filter(|s| self.shows(*s)) {
            rows.entry(-map.space(space).center.y).or_default().push(space);
        }
        let left = rows.values().flatten().map(|s| map.space(*s).center.x).min().unwrap_or(0);
        let start = |space: SpaceId| (map.space(space).center.x - left) as usize * WIDE / 2;
        let mut out = String::new();
        let borders = self.borders_with();
        for row in rows.values() {
            let [mut upper, mut lower, mut below] = [Line::default(), Line::default(), Line::default()];
            for space in row {
                let at = start(*space);
                let (text, colour) = self.upper(*space);
                upper.put(at, &text, colour);
                let (text, colour) = self.lower(*space);
                lower.put(at, &text, colour);
                for (to, letter, arrow) in self.crossed(*space, &borders) {
                    let Point { x, y } = map.space(to).center;
                    let here = map.space(*space).center;
                    if y == here.y && x > here.x {
                        upper.put(at + WIDE - 1, &letter.to_string(), "");
                        lower.put(at + WIDE - 1, &arrow.to_string(), "");
                    } else if y < here.y {
                        let middle = (at + start(to)) / 2 + WIDE / 2 - 2;
                        below.put(middle, &format!("{letter}{arrow}"), "");
                    }
                }
            }
            upper.write(&mut out, self.palette);
            lower.write(&mut out, self.palette);
            if below.letters.iter().any(|c| *c != ' ') {
                below.write(&mut out, self.palette);
            }
        }
        out
    }

    pub(super) fn shows(&self, space: SpaceId) -> bool {
        self.around.is_none_or(|(center, radius)| self.map.distance(space, center) <= radius)
    }

    /// By feature: how many borders of the map have it.
    fn borders_with(&self) -> Vec<usize> {
        let map = self.map;
        let all: Vec<u32> = map.spaces().flat_map(|s| map.out(s)).map(|border| map.border(border).features).collect();
        (0..map.features.len()).map(|at| all.iter().filter(|features| **features >> at & 1 == 1).count()).collect()
    }

    /// What lies on the borders of a space to the east and the south: a letter, and an arrow up what has one direction. Of
    /// several features the one that the fewest `borders` have, as a bridge over a river: it says most.
    fn crossed(&self, space: SpaceId, borders: &[usize]) -> Vec<(SpaceId, char, char)> {
        let map = self.map;
        let mut all = Vec::new();
        for out in map.out(space) {
            let to = map.target(out);
            let (here, there) = (map.space(space).center, map.space(to).center);
            if !self.shows(to) || (there.y, -there.x) >= (here.y, -here.x) {
                continue;
            }
            let up = told_features(map, out);
            let down = map.between(to, space).map_or(0, |back| told_features(map, back));
            let both = (up | down) & !map.one_way;
            let there_are = (0..map.features.len()).filter(|at| both >> at & 1 == 1);
            let name = there_are.min_by_key(|at| borders[*at]).map(|at| &map.features[at]);
            let letter = name.and_then(|name| name.chars().next()).unwrap_or(' ');
            let arrow = match (up & map.one_way != 0, down & map.one_way != 0, here.y == there.y) {
                (true, _, true) => '>',
                (_, true, true) => '<',
                (true, _, false) => 'v',
                (_, true, false) => '^',
                _ => ' ',
            };
            if (letter, arrow) != (' ', ' ') {
                all.push((to, letter, arrow));
            }
        }
        all
    }

    /// Whether a space is worth something in this game.
    pub(super) fn is_objective(&self, space: SpaceId) -> bool {
        let Some(ruleset) = self.game.map(|game| &game.ruleset) else { return false };
        ruleset.board.objectives.iter().any(|at| ruleset.attributes[*at].values[space.0 as usize] != 0)
    }

    /// The number of a space with its signs: what was done there, an objective, an entry, its first road, the letter of
    /// its first terrain. The letter gives way where there is no room for all.
    fn upper(&self, space: SpaceId) -> (String, &'static str) {
        let map = self.map;
        let terrain = first_terrain(map, space);
        let mark = self.marked.iter().find(|(s, _)| *s == space).map(|(_, sign)| *sign);
        let is_changed = self.game.is_some_and(|game| !game.signs_in(space, self.sight).is_empty());
        let mut text = map.space(space).name.clone();
        text.extend(is_changed.then_some(CHANGED));
        if let Some(game) = self.game {
            let control = game.control_of(space, self.sight).map(|side| side_signs(&game.ruleset, side).0);
            control.into_iter().for_each(|sign| text.extend([CONTROL, sign]));
            game.badges_in(space, self.sight).iter().for_each(|worn| text.push_str(&worn.sign()));
        }
        text.extend(self.is_objective(space).then_some(OBJECTIVE));
        text.extend(map.is_entry(space).then_some(ENTRY));
        text.extend(road_sign(map, space));
        let letter = terrain.and_then(|at| map.terrains[at].chars().next());
        text.extend(letter.filter(|_| text.chars().count() + usize::from(mark.is_some()) + 1 < WIDE));
        text.extend(mark);
        let colour = match (mark, terrain) {
            (Some(_), _) => "1;33",
            (None, Some(at)) => of(&GROUND, at).unwrap_or(""),
            (None, None) => "90",
        };
        (text.chars().take(WIDE - 1).collect(), colour)
    }

    /// Who stands in a space: the first counter's name and condition, what all there come to, how many more there are.
    fn lower(&self, space: SpaceId) -> (String, Cow<'static, str>) {
        let units: Vec<i32> = self.game.map(|g| g.units_at(space.0 as i32).collect()).unwrap_or_default();
        let (Some(game), Some((first, others))) = (self.game, units.split_first()) else {
            return (".".into(), "90".into());
        };
        let ruleset = &game.ruleset;
        let side = ruleset.units[*first as usize].side;
        let is_concealed = self.sight.is_concealed(game, Kind::Unit, *first);
        let (name, condition) = match is_concealed {
            true => ("?????", String::new()),
            false => (ruleset.units[*first as usize].name.as_str(), worn(game, *first, self.sight)),
        };
        let strength = if is_concealed { None } else { strength(game, &units, side, self.sight) };
        let strength = strength.map(|s| s.to_string()).unwrap_or_default();
        let more = if others.is_empty() { String::new() } else { format!("+{}", others.len()) };
        let in_contact = ruleset.board.contact.is_some_and(|zone| game.in_zone(zone, side, space.0 as i32));
        let contact = if in_contact { CONTACT.to_string() } else { String::new() };
        let taken = [&condition, &strength, &more, &contact].iter().map(|part| part.chars().count()).sum::<usize>();
        let room = (WIDE - 3).saturating_sub(taken);
        let gap = if strength.is_empty() { "" } else { " " };
        let name: String = name.chars().filter(|c| *c != ' ').take(room.saturating_sub(gap.len()).min(6)).collect();
        let (open, close) = of(&BRACKETS, side as usize).unwrap_or(('[', ']'));
        let text = format!("{open}{name}{condition}{gap}{strength}{close}{more}{contact}");
        (text.chars().take(WIDE - 1).collect(), side_colour(ruleset, side).into())
    }
}

/// What the counters of a side in a space come to, as far as these eyes see them.
fn strength(game: &Game, units: &[i32], side: i32, sight: Sight) -> Option<i32> {
    let of_unit = |unit: i32| match game.ruleset.board.strength.as_ref()? {
        Strength::Rows(rows) => Some(game.read_rows(*rows, &[unit])),
        Strength::Value(value) => Some(game.value(value, &[unit])),
    };
    let seen = units
        .iter()
        .filter(|u| game.ruleset.units[**u as usize].side == side && !sight.is_concealed(game, Kind::Unit, **u));
    let all: Option<Vec<i32>> = seen.map(|unit| of_unit(*unit)).collect();
    all.map(|all| all.iter().filter(|s| **s > 0).sum())
}

/// The signs beside a counter's name: an arrow for the way it faces, and the letters of its badges, or one for its
/// condition where none are declared.
fn worn(game: &Game, unit: i32, sight: Sight) -> String {
    let mut text: String = game.facing_of(unit, sight).and_then(|way| game.arrow(way)).into_iter().collect();
    if game.ruleset.board.units.is_empty() {
        text.push_str(condition(game, unit, sight));
    }
    for worn in game.badges_of(unit, sight).iter().filter(|worn| !matches!(worn.shows, Wears::Number(_))) {
        text.push_str(&worn.sign());
    }
    text
}

/// One sign for a counter's condition: how far the properties that declare `sign: true` are from their defaults.
fn condition(game: &Game, unit: i32, sight: Sight) -> &'static str {
    let mut level = 0;
    for (at, column) in game.ruleset.schema.columns.iter().enumerate() {
        if column.holder == Holder::Unit && column.sign && sight.property(game, at as u16, unit) {
            level += (game.get(at as u16, unit) - column.default).abs();
        }
    }
    match level {
        0 => "",
        1 => "'",
        2 => "\"",
        _ => "!",
    }
}

//! The board as text: two lines a row of hexes, counters over the ground.

use std::{borrow::Cow, fmt::Write as _};

use super::sight::Sight;
use crate::{
    map::{Map, Point, SpaceId},
    play::Game,
    ruleset::{Holder, Ruleset},
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
const WIDE: usize = 8;
/// Signs of roads, in the order their kinds are declared; further kinds have none.
const ROADS: [char; 4] = ['=', '-', ':', '~'];
/// Colours of terrain, in the order it is declared; the last serves for all further ones.
const GROUND: [&str; 2] = ["32", "35"];

/// The sign of a space whose properties are not as they were: those that declare `sign: true`.
const CHANGED: char = '#';

/// What the signs of the board stand for in this game.
pub fn legend(ruleset: &Ruleset) -> String {
    let map = &ruleset.map;
    let roads = map.road_kinds.iter().zip(ROADS).map(|(kind, sign)| format!("{sign} {kind}"));
    let used = |at: usize| map.spaces().any(|s| first_terrain(map, s) == Some(at));
    let ground = map.terrains.iter().enumerate().filter(|(at, _)| used(*at));
    let ground = ground.filter_map(|(_, name)| Some(format!("{} {name}", name.chars().next()?)));
    let columns = ruleset.schema.columns.iter().filter(|c| c.holder == Holder::Space && c.sign);
    let changed = columns.map(|c| format!("{CHANGED} {}", c.name.replace('-', " ")));
    let signs: Vec<String> = changed.chain(roads).chain(ground).collect();
    format!("after the number: {}; after a name: ' \" ! worse and worse, + more counters", signs.join(", "))
}

fn first_terrain(map: &Map, space: SpaceId) -> Option<usize> {
    let here = map.space(space).terrain;
    (here != 0).then(|| here.trailing_zeros() as usize)
}

fn of<'c>(colours: &[&'c str], at: usize) -> &'c str {
    colours.get(at).or(colours.last()).copied().unwrap_or("")
}

struct Painted {
    text: String,
    colour: Cow<'static, str>,
}

impl Board<'_> {
    /// Draws the board.
    pub fn draw(&self, game: &Game) -> String {
        let map = &game.ruleset.map;
        let shown: Vec<SpaceId> = map.spaces().filter(|s| self.shows(game, *s)).collect();
        let points: Vec<Point> = shown.iter().map(|s| map.space(*s).center).collect();
        let (Some(top), Some(bottom)) = (points.iter().map(|p| p.y).max(), points.iter().map(|p| p.y).min()) else {
            return String::new();
        };
        let left = points.iter().map(|p| p.x).min().unwrap_or(0);
        let mut out = String::new();
        for y in (bottom..=top).rev() {
            let mut row: Vec<SpaceId> = shown.iter().copied().filter(|s| map.space(*s).center.y == y).collect();
            row.sort_by_key(|s| map.space(*s).center.x);
            for upper in [true, false] {
                let mut at = 0;
                for space in &row {
                    let start = (map.space(*space).center.x - left) as usize * WIDE / 2;
                    let _ = write!(out, "{:1$}", "", start.saturating_sub(at));
                    let painted = if upper { self.upper(game, *space) } else { self.lower(game, *space) };
                    self.paint(&mut out, &painted);
                    at = start + WIDE;
                }
                out.push('\n');
            }
        }
        out
    }

    fn shows(&self, game: &Game, space: SpaceId) -> bool {
        self.around.is_none_or(|(center, radius)| game.ruleset.map.distance(space, center) <= radius)
    }

    fn paint(&self, out: &mut String, painted: &Painted) {
        let width = painted.text.chars().count();
        let text: String = painted.text.chars().take(WIDE - 1).collect();
        let fill = WIDE.saturating_sub(width.min(WIDE - 1));
        if self.palette == Palette::Colour && !painted.colour.is_empty() {
            let _ = write!(out, "\x1b[{}m{text}\x1b[0m{:fill$}", painted.colour, "");
        } else {
            let _ = write!(out, "{text}{:fill$}", "");
        }
    }

    /// The number of a space with the sign of what was done there, that of its first road and the letter of its first
    /// terrain; the letter gives way where there is no room for all.
    fn upper(&self, game: &Game, space: SpaceId) -> Painted {
        let map = &game.ruleset.map;
        let here = map.space(space);
        let road = map.out(space).map(|b| map.border(b).roads).fold(0, |a, b| a | b);
        let way = ROADS.iter().enumerate().find(|(kind, _)| road >> kind & 1 == 1);
        let way = way.map_or_else(String::new, |(_, sign)| sign.to_string());
        let terrain = first_terrain(map, space);
        let letter = terrain.and_then(|at| map.terrains[at].chars().next());
        let ground = letter.map_or_else(String::new, String::from);
        let sign = self.marked.iter().find(|(s, _)| *s == space).map(|(_, sign)| *sign);
        let mark = sign.map_or_else(String::new, String::from);
        let changed = if game.signs_in(space).is_empty() { String::new() } else { CHANGED.to_string() };
        let wide = [&here.name, &changed, &way, &ground, &mark].iter().map(|part| part.chars().count()).sum::<usize>();
        let ground = if wide < WIDE { ground } else { String::new() };
        let colour = if !mark.is_empty() { "1;33" } else { terrain.map_or("90", |at| of(&GROUND, at)) };
        Painted { text: format!("{}{changed}{way}{ground}{mark}", here.name), colour: colour.into() }
    }

    fn lower(&self, game: &Game, space: SpaceId) -> Painted {
        let ruleset = &game.ruleset;
        let mut units: Vec<i32> = game.units_at(space.0 as i32).collect();
        let Some(first) = units.first().copied() else {
            return Painted { text: ".".into(), colour: "90".into() };
        };
        units.remove(0);
        let is_concealed = self.sight.is_concealed(game, first);
        let name = if is_concealed { "?????" } else { &ruleset.units[first as usize].name };
        let name: String = name.chars().filter(|c| *c != ' ').take(5).collect();
        let condition = if is_concealed { "" } else { condition(game, first, self.sight) };
        let more = if units.is_empty() { "" } else { "+" };
        let color = ruleset.sides[ruleset.units[first as usize].side as usize].color;
        Painted { text: format!("{name}{condition}{more}"), colour: color.ansi().into() }
    }
}

/// One sign for a counter's condition: how far the properties that declare `sign: true` are from their defaults.
fn condition(game: &Game, unit: i32, sight: Sight) -> &'static str {
    let mut level = 0;
    for (at, column) in game.ruleset.schema.columns.iter().enumerate() {
        if column.holder == Holder::Unit && column.sign && sight.property(&game.ruleset, at as u16, unit) {
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

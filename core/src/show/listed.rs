//! Spaces in words, one below the other: what no grid can show of areas, and of squares who exactly stands in them.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    board::{Board, OBJECTIVE, legend, told_features},
    score::folded,
};
use crate::{
    map::{Grid, SpaceId},
    play::Game,
    ruleset::Kind,
};

/// Columns of the smallest terminal, less one.
const WIDTH: usize = 79;

impl Board<'_> {
    /// The whole board on one screen, below what stands in no grid: areas by the side that holds them.
    pub fn whole(&self) -> String {
        match self.map.grid {
            Grid::Area if self.game.is_some() => format!("{}\n{}", self.by_side(), self.overview()),
            _ => self.overview(),
        }
    }

    /// A part of the board in full: in words what its center is, then the board around it, with what its signs stand for,
    /// and who stands there, where counters wear more than a board of text has room for.
    pub fn part(&self, game: &Game, center: SpaceId) -> String {
        let ruleset = &game.ruleset;
        if self.map.grid == Grid::Area {
            return self.list();
        }
        let wears = !ruleset.board.units.is_empty() || ruleset.board.facing.is_some();
        let stands = if wears { format!("\n{}", self.stands()) } else { String::new() };
        format!("{}\n  {}\n\n{}{stands}", game.describe_space(center, self.sight), legend(ruleset), self.draw())
    }

    /// The spaces that are shown, those around the center first, each with what it is, who stands there and what it lies
    /// next to.
    pub fn list(&self) -> String {
        let mut shown: Vec<SpaceId> = self.map.spaces().filter(|space| self.shows(*space)).collect();
        if let Some((center, _)) = self.around {
            shown.sort_by_key(|space| self.map.distance(*space, center));
        }
        let mut lines = Vec::new();
        for space in shown {
            lines.push(self.heading(space));
            let there = self.there(space).into_iter();
            lines.extend(there.map(|(side, names)| format!("    {}: {}", self.side(side), names.join(", "))));
            lines.push(format!("    next to {}", self.next_to(space)));
        }
        folded(&lines, WIDTH)
    }

    /// Who stands in each space that is shown, where somebody does: badges have no room on a board of text.
    pub fn stands(&self) -> String {
        let mut lines = Vec::new();
        for space in self.map.spaces().filter(|space| self.shows(*space)) {
            let there = self.there(space);
            if !there.is_empty() {
                let sides: Vec<String> =
                    there.iter().map(|(side, names)| format!("{}: {}", self.side(*side), names.join(", "))).collect();
                lines.push(format!("  {}  {}", self.name(space), sides.join("; ")));
            }
        }
        folded(&lines, WIDTH)
    }

    /// All spaces by the side that holds them: with its counters, where it controls them and nobody stands there, where
    /// several sides stand in one, and the rest.
    pub fn by_side(&self) -> String {
        let Some(game) = self.game else { return self.list() };
        let mut empty: BTreeMap<Option<i32>, Vec<String>> = BTreeMap::new();
        let mut held: BTreeMap<i32, Vec<String>> = BTreeMap::new();
        let mut contested = Vec::new();
        for space in self.map.spaces().filter(|space| self.shows(*space)) {
            let there = self.there(space);
            let line = |names: String| format!("{}: {names}; next to {}", self.heading(space), self.next_to(space));
            match there.as_slice() {
                [] => empty.entry(game.control_of(space, self.sight)).or_default().push(self.name(space)),
                [(side, names)] => held.entry(*side).or_default().push(line(names.join(", "))),
                several => {
                    let sides =
                        several.iter().map(|(side, names)| format!("{} {}", self.side(*side), names.join(", ")));
                    contested.push(line(sides.collect::<Vec<_>>().join("; ")));
                }
            }
        }
        let mut lines = Vec::new();
        for side in 0..game.ruleset.sides.len() as i32 {
            let (stands, holds) =
                (held.remove(&side).unwrap_or_default(), empty.remove(&Some(side)).unwrap_or_default());
            if stands.is_empty() && holds.is_empty() {
                continue;
            }
            lines.push(self.side(side));
            lines.extend(stands);
            if !holds.is_empty() {
                lines.push(format!("  and nobody in {}", holds.join(", ")));
            }
        }
        if !contested.is_empty() {
            lines.push("Contested".to_owned());
            lines.extend(contested);
        }
        let mut out = folded(&lines, WIDTH);
        if let Some(rest) = empty.remove(&None) {
            let _ = write!(out, "{}", folded(&[format!("Empty: {}", rest.join(", "))], WIDTH));
        }
        out
    }

    /// A space by its number and name, with its mark, and in brackets what it is.
    fn heading(&self, space: SpaceId) -> String {
        let mark = self.marked.iter().find(|(s, _)| *s == space).map_or(' ', |(_, sign)| *sign);
        let here = self.map.space(space);
        let terrain = self.map.terrains.iter().enumerate().filter(|(at, _)| here.terrain >> at & 1 == 1);
        let mut said: Vec<String> = terrain.map(|(_, name)| name.replace('-', " ")).collect();
        if let Some(game) = self.game {
            said.extend(game.badges_in(space, self.sight).iter().map(super::Worn::words));
            said.extend(game.signs_in(space, self.sight).into_iter().map(|(_, words)| words));
            said.extend(game.control_of(space, self.sight).map(|side| format!("{} controls it", self.side(side))));
        }
        if self.is_objective(space) {
            said.push(format!("{OBJECTIVE} objective"));
        }
        said.extend(self.map.entries.iter().filter(|e| e.at == space).map(|e| format!("entry {}", e.id)));
        let said = if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
        format!("{mark} {}{said}", self.name(space))
    }

    fn name(&self, space: SpaceId) -> String {
        let here = self.map.space(space);
        let called = here.label.as_ref().map_or_else(String::new, |label| format!(" {label}"));
        format!("{}{called}", here.name)
    }

    fn side(&self, side: i32) -> String {
        self.game.map_or_else(String::new, |game| game.ruleset.name_of(Kind::Side, side))
    }

    /// The spaces that lie next to one, each with what is crossed on the way there.
    fn next_to(&self, space: SpaceId) -> String {
        let map = self.map;
        let next = map.out(space).map(|out| {
            let to = map.target(out);
            let back = map.between(to, space).map_or(0, |back| map.border(back).features);
            let named = |bits: u32, more: &str| -> Vec<String> {
                let all = map.features.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
                all.map(|(_, name)| format!("{}{more}", name.replace('-', " "))).collect()
            };
            let features = told_features(map, out);
            let mut crossed = named(features & !map.one_way, "");
            crossed.extend(named(features & map.one_way, " up"));
            crossed.extend(named(back & map.one_way & !features, " down"));
            let roads = map.border(out).roads;
            let roads = map.road_kinds.iter().enumerate().filter(|(at, _)| roads >> at & 1 == 1);
            crossed.extend(roads.map(|(_, kind)| kind.clone()));
            let name = &map.space(to).name;
            if crossed.is_empty() { name.clone() } else { format!("{name} ({})", crossed.join(", ")) }
        });
        next.collect::<Vec<_>>().join(", ")
    }

    /// The counters in a space, side by side. Those that may not be known stand last, so that not even their order says
    /// which they are.
    fn there(&self, space: SpaceId) -> Vec<(i32, Vec<String>)> {
        let Some(game) = self.game else { return Vec::new() };
        let mut sides: BTreeMap<i32, Vec<String>> = BTreeMap::new();
        for unit in in_order(game, space, self.sight) {
            let side = game.ruleset.units[unit as usize].side;
            sides.entry(side).or_default().push(game.describe(unit, self.sight));
        }
        sides.into_iter().collect()
    }
}

/// The counters in a space, those that may not be known last.
pub(super) fn in_order(game: &Game, space: SpaceId, sight: super::Sight) -> Vec<i32> {
    let mut units: Vec<i32> = game.units_at(space.0 as i32).collect();
    units.sort_by_key(|unit| sight.is_concealed(game, Kind::Unit, *unit));
    units
}

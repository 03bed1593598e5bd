//! The whole board on one screen: a character for each space, or for those that lie so close that they share one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use super::{
    board::{Board, ENTRY, OBJECTIVE, Palette, first_terrain, road_sign, wrapped},
    score::folded,
};
use crate::{
    map::{Grid, SpaceId},
    ruleset::{Kind, Ruleset},
};

/// Characters across and lines down that an overview takes at most, so that it fits a terminal of 80 by 24 with its
/// legend and a prompt.
const ACROSS: i32 = 69;
const DOWN: i32 = 19;

/// The sign of ground that stops nobody from looking, and of any other.
const OPEN: char = '.';
const ROUGH: char = '"';

/// What the signs of an overview stand for in this game, and how to see more.
pub fn overview_legend(ruleset: &Ruleset) -> String {
    let sides = ruleset.players().map(|side| {
        let (one, several) = side_signs(ruleset, side);
        format!("{one} {}, {several} stacked", ruleset.name_of(Kind::Side, side))
    });
    let objective = (!ruleset.board.objectives.is_empty()).then(|| format!("{OBJECTIVE} objective"));
    let entry = (!ruleset.map.entries.is_empty()).then(|| format!("{ENTRY} entry"));
    let roads = ruleset.map.road_kinds.iter().zip(super::board::ROADS).map(|(kind, sign)| format!("{sign} {kind}"));
    let ground = [format!("{ROUGH} other ground")];
    let faces = (ruleset.board.facing.is_some()).then(|| "\u{2191} the way all there face".to_owned());
    let signs: Vec<String> = sides.chain(faces).chain(objective).chain(entry).chain(roads).chain(ground).collect();
    let part = match ruleset.map.grid {
        Grid::Area => "lists the areas around it, with who stands there",
        Grid::Square(_) => "shows a part with names, strengths and sides",
        Grid::Hex(_) | Grid::Axial { .. } => "shows a part with names, strengths and hexsides",
    };
    format!("{}\n  map PLACE [RADIUS] {part}", wrapped(&signs, ", ", "    "))
}

/// The letters of a side's single counters and of its stacks: of its name, or its number where names begin alike.
pub(super) fn side_signs(ruleset: &Ruleset, side: i32) -> (char, char) {
    let initial = |side: i32| ruleset.name_of(Kind::Side, side).chars().next().unwrap_or('?').to_ascii_lowercase();
    let own = initial(side);
    let is_player = ruleset.players().any(|player| player == side);
    if !is_player || ruleset.players().any(|other| other != side && initial(other) == own) {
        let digit = char::from_digit(side as u32 + 1, 10).unwrap_or('9');
        return (digit, digit);
    }
    (own, own.to_ascii_uppercase())
}

/// What is shown of several spaces that share a character: the greatest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    Open,
    Ground(char),
    Road(char),
    Entry,
    Objective,
    Marked(char),
    Units { count: usize, side: i32, facing: Option<usize> },
}

impl Board<'_> {
    /// Draws all of it, or the cut-out, so that it fits a screen.
    pub fn overview(&self) -> String {
        let map = self.map;
        let shown: Vec<SpaceId> = map.spaces().filter(|s| self.shows(*s)).collect();
        let xs = || shown.iter().map(|s| map.space(*s).center.x);
        let (Some(left), Some(right)) = (xs().min(), xs().max()) else { return String::new() };
        let across = (right - left + ACROSS) / ACROSS;
        let line_of = self.lines(&shown);
        if map.grid == Grid::Area {
            return self.areas(&shown, &line_of, left, across) + &self.tracks();
        }
        let mut lines: BTreeMap<i32, BTreeMap<i32, Shown>> = BTreeMap::new();
        // Each line is named after the westernmost of its spaces.
        let mut first: BTreeMap<i32, (i32, SpaceId)> = BTreeMap::new();
        for space in &shown {
            let center = map.space(*space).center;
            let (line, at) = (line_of[&center.y], (center.x - left) / across);
            let cell = lines.entry(line).or_default().entry(at).or_insert(Shown::Open);
            let here = self.shown_of(*space);
            if here > *cell {
                *cell = here;
            }
            let begins = first.entry(line).or_insert((center.x, *space));
            *begins = (*begins).min((center.x, *space));
        }
        let label = first.values().map(|(_, s)| map.space(*s).name.chars().count()).max().unwrap_or(0).min(8);
        let mut out = String::new();
        for (line, cells) in &lines {
            let name: String = map.space(first[line].1).name.chars().take(label).collect();
            let _ = write!(out, "{name:<label$}  ");
            let mut at = 0;
            for (column, cell) in cells {
                let _ = write!(out, "{:1$}", "", (column - at).max(0) as usize);
                self.paint(&mut out, cell);
                at = column + 1;
                if let (Some(arrow), false) = (self.arrow_of(cell), cells.contains_key(&at)) {
                    out.push(arrow);
                    at += 1;
                }
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        let rows: BTreeSet<i32> = line_of.keys().copied().collect();
        let shared = rows.len().div_ceil(lines.len().max(1));
        if shared > 1 {
            let _ = writeln!(out, "  {shared} rows of the map share a line, named after the westernmost of its spaces");
        }
        out + &self.tracks()
    }

    /// Where the markers of the tracks beside the map lie.
    fn tracks(&self) -> String {
        let Some(game) = self.game else { return String::new() };
        let side = |side| game.ruleset.name_of(Kind::Side, side);
        let lines: Vec<String> = game.tracks(self.sight).iter().map(|track| track.words(side)).collect();
        folded(&lines, 79)
    }

    /// Which way all counters that a sign stands for face, where they face the same.
    fn arrow_of(&self, cell: &Shown) -> Option<char> {
        let Shown::Units { facing: Some(facing), .. } = cell else { return None };
        self.game?.arrow(*facing)
    }

    /// By height, the line on which spaces so high are drawn: rows of a grid so many to a line that all fit, areas as
    /// they lie.
    fn lines(&self, shown: &[SpaceId]) -> BTreeMap<i32, i32> {
        let ys: BTreeSet<i32> = shown.iter().map(|s| self.map.space(*s).center.y).collect();
        let (Some(south), Some(north)) = (ys.first().copied(), ys.last().copied()) else { return BTreeMap::new() };
        if self.map.grid == Grid::Area {
            let down = (north - south + DOWN) / DOWN;
            return ys.into_iter().map(|y| (y, (north - y) / down)).collect();
        }
        let rows = (ys.len() as i32 + DOWN - 1) / DOWN;
        ys.into_iter().rev().zip(0..).map(|(y, row)| (y, row / rows)).collect()
    }

    /// Areas by their names, each with its sign, about where they lie.
    fn areas(&self, shown: &[SpaceId], line_of: &BTreeMap<i32, i32>, left: i32, across: i32) -> String {
        let map = self.map;
        let mut lines: BTreeMap<i32, Vec<(i32, SpaceId)>> = BTreeMap::new();
        for space in shown {
            let center = map.space(*space).center;
            lines.entry(line_of[&center.y]).or_default().push(((center.x - left) / across, *space));
        }
        let mut out = String::new();
        for at in 0..=lines.keys().last().copied().unwrap_or(0) {
            let (mut cells, mut long) = (lines.remove(&at).unwrap_or_default(), 0);
            cells.sort();
            for (column, space) in cells {
                let name: String = map.space(space).name.chars().take(6).collect();
                let gap = (column - long).max(i32::from(long > 0));
                let _ = write!(out, "{:1$}{name}", "", gap as usize);
                let mut signs = self.units_in(space);
                if signs.is_empty() {
                    signs.push(self.shown_of(space));
                }
                signs.iter().for_each(|sign| self.paint(&mut out, sign));
                long += gap + (name.chars().count() + signs.len()) as i32;
            }
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
        out
    }

    /// The counters of each side in a space: in an area that is contested, of several.
    fn units_in(&self, space: SpaceId) -> Vec<Shown> {
        let Some(game) = self.game else { return Vec::new() };
        let mut sides: BTreeMap<i32, Vec<Option<usize>>> = BTreeMap::new();
        for unit in game.units_at(space.0 as i32) {
            let side = game.ruleset.units[unit as usize].side;
            sides.entry(side).or_default().push(game.facing_of(unit, self.sight));
        }
        let all = sides.into_iter().map(|(side, facing)| {
            let alike = facing.iter().all(|way| *way == facing[0]);
            Shown::Units { count: facing.len(), side, facing: facing[0].filter(|_| alike) }
        });
        all.collect()
    }

    fn shown_of(&self, space: SpaceId) -> Shown {
        if let Some(units) = self.units_in(space).into_iter().max() {
            return units;
        }
        if let Some((_, sign)) = self.marked.iter().find(|(s, _)| *s == space) {
            return Shown::Marked(*sign);
        }
        match (self.is_objective(space), self.map.is_entry(space), road_sign(self.map, space)) {
            (true, ..) => Shown::Objective,
            (_, true, _) => Shown::Entry,
            (_, _, Some(road)) => Shown::Road(road),
            _ if first_terrain(self.map, space).is_some() => Shown::Ground(ROUGH),
            _ => Shown::Open,
        }
    }

    fn paint(&self, out: &mut String, cell: &Shown) {
        let sign = match cell {
            Shown::Units { count, side, .. } => {
                let signs = self.game.map_or(('?', '?'), |game| side_signs(&game.ruleset, *side));
                if *count > 1 { signs.1 } else { signs.0 }
            }
            Shown::Marked(sign) | Shown::Road(sign) | Shown::Ground(sign) => *sign,
            Shown::Objective => OBJECTIVE,
            Shown::Entry => ENTRY,
            Shown::Open => OPEN,
        };
        match cell {
            Shown::Units { side, .. } if self.palette == Palette::Colour => {
                let colour = self.game.map(|game| super::board::side_colour(&game.ruleset, *side)).unwrap_or_default();
                let _ = write!(out, "\x1b[{colour}m{sign}\x1b[0m");
            }
            _ => out.push(sign),
        }
    }
}

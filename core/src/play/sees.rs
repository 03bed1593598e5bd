//! Lines of sight: which rows block one, and where.

use super::{Game, Particular, Refusal, Said, Saying};
use crate::{
    map::{Crossed, SpaceId},
    ruleset::{
        Text,
        rows::{Row, Sighting, Stated},
    },
};

impl Game {
    /// What the map states of a space.
    pub(super) fn stated(&self, what: Stated, space: SpaceId) -> i32 {
        let map = &self.ruleset.map;
        let here = map.space(space);
        match what {
            Stated::Edge => i32::from(map.is_edge(space)),
            Stated::Entry => i32::from(map.is_entry(space)),
            Stated::Level => here.level,
            Stated::Elevation => here.elevation.unwrap_or(0),
            Stated::Number(at) => here.numbers[at as usize],
        }
    }

    /// How high the straight line from the ground of one space to that of another passes over where it crosses a third:
    /// in the map's elevations, or in levels where it has none. The lower end's height where it does not cross it.
    pub(super) fn line_over(&self, from: i32, to: i32, at: i32) -> i32 {
        let map = &self.ruleset.map;
        let height = |space: i32| {
            let here = map.space(SpaceId(space as u32));
            here.elevation.unwrap_or(here.level)
        };
        if from < 0 || to < 0 || at < 0 {
            return 0;
        }
        let (low, high) = (height(from), height(to));
        let crossed = self.line(from, to);
        let is_there = |c: &&Crossed| c.space.0 as i32 == at || c.beside.is_some_and(|b| b.0 as i32 == at);
        match crossed.iter().find(is_there) {
            Some(c) => low + (i64::from(high - low) * i64::from(c.at)).div_euclid(1000) as i32,
            None => low.min(high),
        }
    }

    /// The spaces that the line between two spaces crosses; none where there is no time for it any more. What it touches is
    /// looked up among all it has touched, so it takes as many steps as its length has squared.
    pub(super) fn line(&self, from: i32, to: i32) -> Vec<Crossed> {
        let far = usize::try_from(self.far(from, to)).unwrap_or(0);
        if from < 0 || to < 0 || !self.takes_steps(far * far / Game::SIFTED_IN_A_STEP) {
            return Vec::new();
        }
        self.ruleset.map.line(SpaceId(from as u32), SpaceId(to as u32))
    }

    /// Whether there is a line of sight between two spaces. A space sees itself, and its neighbours.
    pub fn sees(&self, sight: u16, from: i32, to: i32) -> bool {
        if from < 0 || to < 0 {
            return false;
        }
        let ask = || {
            let sees = self.blocks(sight, from, to).next().is_none();
            (!self.is_exhausted()).then_some(sees)
        };
        match &self.ruleset.sights[sight as usize].lasting {
            Some(known) => known.of(self.ruleset.map.len(), from as u32, to as u32, ask),
            None => ask(),
        }
        .unwrap_or(false)
    }

    /// Why there is no line of sight: every row that blocks it, each told with the first space where it does. Empty
    /// when there is one.
    pub fn why_not_seen(&self, sight: u16, from: SpaceId, to: SpaceId) -> Vec<Refusal> {
        let sighting = &self.ruleset.sights[sight as usize];
        let mut told: Vec<Refusal> = Vec::new();
        for (space, at) in self.blocks(sight, from.0 as i32, to.0 as i32) {
            let row = &sighting.blocked[at];
            let id: std::sync::Arc<str> = format!("{}.{}", sighting.name, row.id).into();
            if told.iter().all(|t| t.row != id) {
                let given = [from, to, space].map(|space| space.0 as i32);
                let with = [from, to, space].map(Particular::from).into_iter().chain(self.findings(row, &given));
                let why = Said { says: Saying::Blocks { sight, row: at as u16 }, with: with.collect() };
                let said = Said::engine(Text::Blocks, [why.into(), space.into()]);
                told.push(Refusal { row: id, said, cite: row.cite });
            }
        }
        told
    }

    /// The spaces that block a line, each with the index of the row that says so, nearest first.
    fn blocks(&self, sight: u16, from: i32, to: i32) -> impl Iterator<Item = (SpaceId, usize)> + '_ {
        let sighting = &self.ruleset.sights[sight as usize];
        let crossed = self.line(from, to);
        crossed.into_iter().filter_map(move |c| {
            let row = |space: SpaceId| self.blocking(sighting, from, to, space).map(|row| (space, row));
            match (c.beside, sighting.by_either) {
                (None, _) => row(c.space),
                (Some(beside), true) => row(c.space).or_else(|| row(beside)),
                // Along a border both sides must block.
                (Some(beside), false) => row(beside).and_then(|_| row(c.space)),
            }
        })
    }

    /// The first row by which a space blocks a line.
    fn blocking(&self, sighting: &Sighting, from: i32, to: i32, at: SpaceId) -> Option<usize> {
        let is_so = |row: &Row| self.holds(&row.when, &[from, to, at.0 as i32]);
        sighting.blocked.iter().position(is_so)
    }
}

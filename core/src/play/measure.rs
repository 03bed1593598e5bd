//! What a side's fortunes are counted by, and who would win as things stand.

use super::game::Game;
use crate::ruleset::{Kind, MeasureLine};

/// One addend of a measure, as it stands for a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// Index of the line.
    pub line: usize,
    /// What it comes to.
    pub total: i32,
    /// What it goes through, where that is worth anything to the side: which, what it is worth, and whether it counts.
    pub things: Vec<(i32, i32, bool)>,
}

impl Game {
    /// What a measure comes to for a side.
    pub fn measure(&self, measure: usize, side: i32) -> i32 {
        let lines = 0..self.ruleset.measures[measure].lines.len();
        sum(lines.map(|line| self.measure_line(measure, line, side)))
    }

    /// What one line of a measure comes to for a side.
    pub fn measure_line(&self, measure: usize, line: usize, side: i32) -> i32 {
        let line = &self.ruleset.measures[measure].lines[line];
        sum(self.counting(line, side).into_iter().map(|(_, worth)| worth))
    }

    /// What a measure comes to for a side of the things that have one value of the attribute it is divided by.
    pub fn measure_of_value(&self, measure: usize, side: i32, value: i32) -> i32 {
        let measure = &self.ruleset.measures[measure];
        let Some(by) = measure.by.map(|by| &self.ruleset.attributes[by]) else { return 0 };
        let has = |thing: i32| by.values.get(thing as usize) == Some(&value);
        let counting = measure.lines.iter().flat_map(|line| self.counting(line, side));
        sum(counting.filter(|(thing, _)| has(*thing)).map(|(_, worth)| worth))
    }

    /// What a measure is made of for a side, line by line.
    pub fn counted(&self, measure: usize, side: i32) -> Vec<Counted> {
        let lines = self.ruleset.measures[measure].lines.iter().enumerate();
        lines.map(|(line, _)| self.counted_in(measure, line, side)).collect()
    }

    /// What one line of a measure is made of for a side.
    pub fn counted_in(&self, measure: usize, at: usize, side: i32) -> Counted {
        let line = &self.ruleset.measures[measure].lines[at];
        let counting = self.counting(line, side);
        let total = sum(counting.iter().map(|(_, worth)| *worth));
        let things = match line.each {
            None => Vec::new(),
            Some(kind) if line.lists_all => {
                let counts = |thing| counting.binary_search_by_key(&thing, |(one, _)| *one).is_ok();
                let worth = self.all(kind).map(|thing| (thing, self.value(&line.value, &[side, thing]), counts(thing)));
                worth.filter(|(_, worth, _)| *worth != 0).collect()
            }
            Some(_) => {
                counting.into_iter().filter(|(_, worth)| *worth != 0).map(|(of, worth)| (of, worth, true)).collect()
            }
        };
        Counted { line: at, total, things }
    }

    /// Of what a line goes through, in rising order: what counts for a side, and what it is worth. One thing, nobody,
    /// where it goes through nothing and counts.
    fn counting(&self, line: &MeasureLine, side: i32) -> Vec<(i32, i32)> {
        let Some(kind) = line.each else {
            let counts = self.holds(&line.when, &[side]);
            return if counts { vec![(-1, self.value(&line.value, &[side]))] } else { Vec::new() };
        };
        let mut slots = [-1; 16];
        slots[0] = side;
        let mut counting: Vec<i32> = self.all(kind).collect();
        self.sift(&line.when, true, 1, &mut counting, &mut slots);
        counting.into_iter().map(|thing| (thing, self.value(&line.value, &[side, thing]))).collect()
    }

    /// Everything of a kind that measures go through.
    fn all(&self, kind: Kind) -> std::ops::Range<i32> {
        let ruleset = &self.ruleset;
        let count = match kind {
            Kind::Unit => ruleset.units.len(),
            Kind::Space => ruleset.map.len(),
            Kind::Card => ruleset.cards.len(),
            _ => ruleset.sides.len(),
        };
        0..count as i32
    }

    /// The side for which something counts in a line of a measure.
    pub fn counts_for(&self, measure: usize, line: usize, thing: i32) -> Option<i32> {
        let line = &self.ruleset.measures[measure].lines[line];
        self.all(Kind::Side).find(|side| self.holds(&line.when, &[*side, thing]))
    }

    /// Whether one may win in this way in a game that stands so: a ruleset may keep ways to some of its scenarios.
    pub fn is_won_so(&self, victory: usize) -> bool {
        self.ruleset.victory[victory].among.as_ref().is_none_or(|among| self.holds(among, &[]))
    }

    /// The side that would win in this way as things stand; the first of several.
    pub fn would_win(&self, victory: usize) -> Option<i32> {
        let when = self.ruleset.victory[victory].when.as_ref()?;
        let measured = |measure| -> Vec<(i32, i32)> {
            self.ruleset.players().map(|side| (side, self.measure(measure, side))).collect()
        };
        let sums = self.ruleset.measures.iter().enumerate().filter(|(_, measure)| !measure.is_condition);
        let all: Vec<Vec<(i32, i32)>> = sums.map(|(at, _)| measured(at)).collect();
        self.ruleset.players().find(|side| {
            let mut given = vec![*side];
            for sums in &all {
                let own = sums.iter().find(|(one, _)| one == side).map_or(0, |(_, sum)| *sum);
                let others = sums.iter().filter(|(other, _)| other != side).map(|(_, sum)| *sum);
                given.extend([own, others.max().unwrap_or(0)]);
            }
            self.holds(when, &given)
        })
    }
}

/// As all sums of a ruleset, it ends at the greatest and the least that a value can be.
fn sum(worth: impl Iterator<Item = i32>) -> i32 {
    worth.fold(0, i32::saturating_add)
}

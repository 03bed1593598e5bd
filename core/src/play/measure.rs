//! What a side's fortunes are counted by, and who would win as things stand.

use super::game::Game;
use crate::ruleset::Kind;

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
        self.counted(measure, side).iter().map(|line| line.total).sum()
    }

    /// What a measure is made of for a side, line by line.
    pub fn counted(&self, measure: usize, side: i32) -> Vec<Counted> {
        let lines = self.ruleset.measures[measure].lines.iter().enumerate();
        lines.map(|(line, _)| self.counted_in(measure, line, side)).collect()
    }

    /// What one line of a measure is made of for a side.
    pub fn counted_in(&self, measure: usize, at: usize, side: i32) -> Counted {
        let line = &self.ruleset.measures[measure].lines[at];
        let counts = |given: &[i32]| self.holds(&line.when, given);
        let Some(kind) = line.each else {
            let total = if counts(&[side]) { self.value(&line.value, &[side]) } else { 0 };
            return Counted { line: at, total, things: Vec::new() };
        };
        let mut things = Vec::new();
        for thing in self.all(kind) {
            let counted = counts(&[side, thing]);
            if counted || line.lists_all {
                let worth = self.value(&line.value, &[side, thing]);
                things.extend((worth != 0).then_some((thing, worth, counted)));
            }
        }
        let total = things.iter().filter(|(.., counts)| *counts).map(|(_, worth, _)| worth).sum();
        Counted { line: at, total, things }
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

    /// The side that would win in this way as things stand; the first of several.
    pub fn would_win(&self, victory: usize) -> Option<i32> {
        let when = self.ruleset.victory[victory].when.as_ref()?;
        let sides: Vec<i32> = self.all(Kind::Side).collect();
        let measured = |measure| -> Vec<i32> { sides.iter().map(|side| self.measure(measure, *side)).collect() };
        let all: Vec<Vec<i32>> = (0..self.ruleset.measures.len()).map(measured).collect();
        sides.iter().copied().find(|side| {
            let mut given = vec![*side];
            for sums in &all {
                let others = (0..).zip(sums).filter(|(other, _)| other != side).map(|(_, sum)| *sum);
                given.extend([sums[*side as usize], others.max().unwrap_or(0)]);
            }
            self.holds(when, &given)
        })
    }
}

//! The mood that a player is in: how much each of its reasons counts, for once.

use crate::ruleset::{
    joined, mixed,
    rows::{Row, Rows},
};

/// How much each reason of a player counts, for once: in a mood of its own some of its rows count half, and some twice. What
/// it would answer then is still all of one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mood(u64);

impl Mood {
    /// Every row counts as it is written.
    pub const USUAL: Mood = Mood(0);

    /// The mood that is drawn by a number.
    pub fn drawn(by: u64) -> Mood {
        Mood(mixed(by).max(1))
    }

    /// How a row counts.
    pub(super) fn of(self, rows: &Rows, row: &Row) -> Counts {
        let names = || [&rows.name, &row.id].map(|name| xxhash_rust::xxh3::xxh3_64(name.as_bytes()));
        let drawn = |[rows, row]: [u64; 2]| joined(&[self.0, rows, row]) % 4;
        match (self != Mood::USUAL).then(names).map(drawn) {
            Some(0) => Counts::Half,
            Some(1) => Counts::Twice,
            _ => Counts::Once,
        }
    }
}

/// How a row counts in a mood.
#[derive(Clone, Copy)]
pub(super) enum Counts {
    Half,
    Once,
    Twice,
}

impl Counts {
    pub fn of(self, adds: i32) -> i32 {
        match self {
            Counts::Half => adds / 2,
            Counts::Once => adds,
            Counts::Twice => adds.saturating_mul(2),
        }
    }
}

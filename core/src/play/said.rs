//! What is told, before there are words for it: which sentence, and what stands in its blanks. Whoever may know what is
//! seen to where words are made; nothing here holds the name of anything.

use std::sync::Arc;

use super::{effect::TallyLine, game::Game};
use crate::{
    map::SpaceId,
    ruleset::{Kind, Text, rows::Row},
};

/// A sentence, by where it stands; what fills its blanks is in the order in which they are declared there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Which sentence.
    pub says: Saying,
    /// What stands in its blanks.
    pub with: Vec<Particular>,
}

/// Where a sentence stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saying {
    /// Among the engine's own.
    Engine(Text),
    /// A line of rows says it.
    Row {
        /// Index among the ruleset's rows.
        rows: u16,
        /// Index of the line.
        row: u16,
    },
    /// What blocks a line of sight.
    Blocks {
        /// Index among the ruleset's sights.
        sight: u16,
        /// Index of the line.
        row: u16,
    },
    /// What a set says of those who do not belong to it.
    Set(u16),
    /// What a mover's mark says when there would be too many.
    Mark {
        /// Index among the ruleset's movers.
        mover: u16,
        /// Index of the mark.
        mark: u16,
    },
    /// A note of the ruleset.
    Note(u16),
}

/// What stands in a blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Particular {
    /// Something of a kind, by its number.
    Thing(Kind, i32),
    /// A space or box, with what people call it.
    Place(i32),
    /// Movement points of a mover, in its own units.
    Points {
        /// Index among the ruleset's movers.
        mover: u16,
        /// How many.
        points: u16,
    },
    /// Words of the ruleset.
    Text(Arc<str>),
    /// Another sentence.
    Said(Box<Said>),
    /// Several things.
    All(Vec<Particular>),
    /// How a number adds up.
    Sum(Vec<TallyLine>),
}

impl Said {
    /// A sentence of the engine.
    pub fn engine(text: Text, with: impl IntoIterator<Item = Particular>) -> Said {
        let with: Vec<Particular> = with.into_iter().collect();
        debug_assert_eq!(with.len(), text.blanks().len(), "{text:?}");
        Said { says: Saying::Engine(text), with }
    }
}

impl From<Said> for Particular {
    fn from(said: Said) -> Particular {
        Particular::Said(Box::new(said))
    }
}

impl From<SpaceId> for Particular {
    fn from(space: SpaceId) -> Particular {
        Particular::Thing(Kind::Space, space.0 as i32)
    }
}

impl Particular {
    /// A counter.
    pub fn unit(unit: i32) -> Particular {
        Particular::Thing(Kind::Unit, unit)
    }

    /// A number.
    pub fn number(number: i32) -> Particular {
        Particular::Thing(Kind::Int, number)
    }
}

impl Game {
    /// What the condition of a row finds that holds of what is given, for its sentence to name.
    pub(super) fn findings(&self, row: &Row, given: &[i32]) -> impl Iterator<Item = Particular> {
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        row.finds.iter().map(move |finding| {
            let members = self.members(&finding.among, &mut slots);
            let first = members.into_iter().find(|member| {
                slots[usize::from(finding.slot)] = *member;
                self.asked(&finding.when, &mut slots) != 0
            });
            Particular::Thing(finding.kind, first.unwrap_or(-1))
        })
    }

    /// What rows, terms and sets are given, as it is told: of several things, which they are.
    pub(super) fn particulars(&self, kinds: &[(String, Kind)], values: &[i32]) -> Vec<Particular> {
        let one = |kind: Kind, value: i32| match kind.of_each() {
            None => Particular::Thing(kind, value),
            Some(each) => {
                Particular::All(self.groups.members(value).iter().map(|one| Particular::Thing(each, *one)).collect())
            }
        };
        kinds.iter().zip(values).map(|((_, kind), value)| one(*kind, *value)).collect()
    }
}

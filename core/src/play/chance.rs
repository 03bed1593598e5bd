//! Dice and decks. Every roll has a key, never a running stream, so that two versions of a game roll the same
//! die for the same event even after their games have parted.

use std::collections::{BTreeMap, VecDeque};

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

use super::{game::Game, offer::About};
use crate::ruleset::{Kind, joined};

/// What is rolled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dice {
    /// One die with so many faces, from 1.
    Die(i32),
    /// One of these.
    One(Box<[i32]>),
}

/// Dice that a rule throws at once fall one after the other: which of them one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handful {
    /// How many have not fallen yet, with this one.
    pub left: u16,
    /// How many are thrown.
    pub of: u16,
}

impl Handful {
    /// A die, or a draw, alone.
    pub const ONE: Handful = Handful { left: 1, of: 1 };

    /// Whether none of them has fallen yet.
    pub fn begins(self) -> bool {
        self.left == self.of
    }
}

/// A question to chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll {
    /// For what: index among the ruleset's chances.
    pub chance: u16,
    /// About whom.
    pub about: About,
    /// What is rolled.
    pub dice: Dice,
    /// What is thrown with it.
    pub handful: Handful,
}

impl Roll {
    /// Faces of the die; 0 where one of a list is drawn.
    pub fn faces(&self) -> i32 {
        match self.dice {
            Dice::Die(faces) => faces,
            Dice::One(_) => 0,
        }
    }

    /// All that can come up, each as likely as the others.
    pub fn values(&self) -> Vec<i32> {
        match &self.dice {
            Dice::Die(faces) => (1..=*faces).collect(),
            Dice::One(list) => list.to_vec(),
        }
    }

    /// Whether it can come up.
    pub fn can_be(&self, value: i32) -> bool {
        match &self.dice {
            Dice::Die(faces) => (1..=*faces).contains(&value),
            Dice::One(list) => list.contains(&value),
        }
    }
}

/// Which of several rolls for the same event it is: in how many tasks of this turn it has been rolled for before, and
/// how often in this one. Another die in a handful leaves the others as they are, and those of later tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Nth {
    pub(super) occasion: u32,
    pub(super) die: u32,
}

/// Who answers for chance.
#[derive(Debug, Clone, Default)]
pub enum Chance {
    /// The keyed generator.
    #[default]
    Keyed,
    /// The same, and the keys of what it has rolled are noted.
    Noted(Vec<u64>),
    /// What fell before for the same event, by its key, each by its name; and the keyed generator for what did not.
    Remembered(BTreeMap<u64, u64>),
    /// These values in turn; when they are used up, a person must answer (examples).
    Script(VecDeque<i32>),
    /// A person with physical dice.
    Person,
}

impl Chance {
    /// Answers, unless a person must.
    pub fn answer(&mut self, game: &Game, roll: &Roll, nth: Nth) -> Option<i32> {
        match self {
            Chance::Keyed => Some(keyed(game, roll, key(game, roll, nth))),
            Chance::Noted(keys) => {
                let key = key(game, roll, nth);
                keys.push(key);
                Some(keyed(game, roll, key))
            }
            Chance::Remembered(known) => {
                let key = key(game, roll, nth);
                let is_it = |value: &i32| known.get(&key) == Some(&name(game, roll, *value));
                Some(roll.values().into_iter().find(is_it).unwrap_or_else(|| keyed(game, roll, key)))
            }
            Chance::Script(values) => {
                let next = values.front().copied().filter(|value| roll.can_be(*value))?;
                values.pop_front();
                Some(next)
            }
            Chance::Person => None,
        }
    }
}

/// The seed, the turn, and the names of the side, the purpose and the subject, with which of several it is.
fn key(game: &Game, roll: &Roll, nth: Nth) -> u64 {
    let keys = &game.ruleset.keys;
    joined(&[
        game.seed,
        game.turn() as u64,
        keys.of(Kind::Side, game.phasing()),
        keys.chances[roll.chance as usize],
        roll.about.key(keys),
        u64::from(nth.occasion),
        u64::from(nth.die),
    ])
}

/// What a roll is of, and what came up, by names: what [`Chance::Remembered`] goes by.
pub(super) fn remembered(game: &Game, roll: &Roll, nth: Nth, value: i32) -> (u64, u64) {
    (key(game, roll, nth), name(game, roll, value))
}

fn name(game: &Game, roll: &Roll, value: i32) -> u64 {
    match &roll.dice {
        Dice::Die(_) => value as u64,
        Dice::One(_) => {
            let kind = game.ruleset.chances[roll.chance as usize].draws.unwrap_or(Kind::Int);
            game.ruleset.keys.of(kind, value)
        }
    }
}

fn keyed(game: &Game, roll: &Roll, key: u64) -> i32 {
    match &roll.dice {
        Dice::Die(faces) => 1 + below(&mut Pcg32::seed_from_u64(key), (*faces).max(1) as u32) as i32,
        Dice::One(list) => {
            let kind = game.ruleset.chances[roll.chance as usize].draws.unwrap_or(Kind::Int);
            drawn(list, key, |value| game.ruleset.keys.of(kind, value))
        }
    }
}

/// One of a list, each as likely as the others: the one whose name gives the greatest number with the key. So one more
/// in the list changes what is drawn only where it is drawn itself.
fn drawn(list: &[i32], key: u64, name: impl Fn(i32) -> u64) -> i32 {
    let copies = |at: usize| list[..at].iter().filter(|earlier| **earlier == list[at]).count() as u64;
    let weight = |at: &usize| joined(&[key, name(list[*at]), copies(*at)]);
    (0..list.len()).max_by_key(weight).map_or(-1, |at| list[at])
}

/// A whole number below `bound`, each as likely as the others. Written out, because a library may change
/// which numbers it draws from one release to the next, and records must keep their dice.
fn below(generator: &mut Pcg32, bound: u32) -> u32 {
    let reject = bound.wrapping_neg() % bound;
    loop {
        let drawn = u64::from(generator.next_u32()) * u64::from(bound);
        if drawn as u32 >= reject {
            return (drawn >> 32) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_comes_up_about_as_often() {
        let mut generator = Pcg32::seed_from_u64(1863);
        let mut faces = [0u32; 6];
        (0..60_000).for_each(|_| faces[below(&mut generator, 6) as usize] += 1);
        assert!(faces.iter().all(|n| (9_600..10_400).contains(n)), "{faces:?}");
    }

    #[test]
    fn every_one_of_a_list_is_drawn_about_as_often_and_one_more_changes_little() {
        let (list, longer) = ([3, 1, 4, 1, 5], [3, 9, 1, 4, 1, 5]);
        let name = |value: i32| value as u64;
        let mut counts = [0u32; 10];
        for key in 0..50_000 {
            let (one, other) = (drawn(&list, key, name), drawn(&longer, key, name));
            counts[one as usize] += 1;
            assert!(other == one || other == 9, "{one} and {other}");
        }
        assert!([3, 4, 5].iter().all(|n| (9_600..10_400).contains(&counts[*n])), "{counts:?}");
        assert!((19_400..20_600).contains(&counts[1]), "it stands there twice: {counts:?}");
    }
}

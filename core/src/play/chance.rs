//! Dice and decks. Every roll has a key, never a running stream, so that two versions of a game roll the same
//! die for the same event even after their games have parted.

use std::{collections::VecDeque, sync::Arc};

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::game::Game;

/// What is rolled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dice {
    /// One die with so many faces, from 1.
    Die(i32),
    /// One of these.
    One(Box<[i32]>),
}

/// A question to chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll {
    /// For what: `combat`, `rain`.
    pub purpose: Arc<str>,
    /// About whom: a unit's, space's or card's number; -1 for nobody in particular.
    pub about: i32,
    /// What is rolled.
    pub dice: Dice,
}

impl Roll {
    /// Faces of the die; 0 where one of a list is drawn.
    pub fn faces(&self) -> i32 {
        match self.dice {
            Dice::Die(faces) => faces,
            Dice::One(_) => 0,
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

/// Who answers for chance.
#[derive(Debug, Clone, Default)]
pub enum Chance {
    /// The keyed generator.
    #[default]
    Keyed,
    /// These values in turn; when they are used up, a person must answer (examples).
    Script(VecDeque<i32>),
    /// A person with physical dice.
    Person,
}

impl Chance {
    /// Answers, unless a person must.
    pub fn answer(&mut self, game: &Game, roll: &Roll, nth: u64) -> Option<i32> {
        match self {
            Chance::Keyed => Some(keyed(game, roll, nth)),
            Chance::Script(values) => values.pop_front(),
            Chance::Person => None,
        }
    }
}

/// The key is (seed, turn, side, purpose, subject, nth).
fn keyed(game: &Game, roll: &Roll, nth: u64) -> i32 {
    let mut key = Vec::with_capacity(48);
    key.extend_from_slice(&game.turn().to_le_bytes());
    key.extend_from_slice(&game.phasing().to_le_bytes());
    key.extend_from_slice(&roll.about.to_le_bytes());
    key.extend_from_slice(&nth.to_le_bytes());
    key.extend_from_slice(roll.purpose.as_bytes());
    let mut generator = Pcg32::seed_from_u64(xxh3_64_with_seed(&key, game.seed));
    match &roll.dice {
        Dice::Die(faces) => 1 + below(&mut generator, (*faces).max(1) as u32) as i32,
        Dice::One(list) => list[below(&mut generator, list.len().max(1) as u32) as usize],
    }
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
}

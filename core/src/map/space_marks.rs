//! Marks that hang on the spaces of a step: out of which it may count, and into which.

use super::{SpaceId, automaton::MOST_SPACE_MARKS};

/// Which of [`MOST_SPACE_MARKS`] marks the spaces of a map have, as bit sets: of 64 spaces, a word for each mark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpaceMarks(Vec<[u64; MOST_SPACE_MARKS]>);

impl SpaceMarks {
    /// Gives a mark to these spaces.
    pub fn add(&mut self, mark: u8, spaces: &[u64]) {
        self.0.resize(spaces.len(), [0; MOST_SPACE_MARKS]);
        self.0.iter_mut().zip(spaces).for_each(|(words, these)| words[usize::from(mark)] |= these);
    }

    /// Takes the spaces that have any mark out of a set.
    pub(super) fn take_from(&self, set: &mut [u64]) {
        set.iter_mut().zip(&self.0).for_each(|(set, words)| words.iter().for_each(|word| *set &= !word));
    }

    /// Whether none has ever been given.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The marks of a space, as a bit set.
    #[inline]
    pub(super) fn of(&self, space: SpaceId) -> u8 {
        let Some(words) = self.0.get(space.0 as usize / 64) else { return 0 };
        (0..).zip(words).fold(0, |marks, (mark, word)| marks | ((word >> (space.0 % 64)) as u8 & 1) << mark)
    }
}

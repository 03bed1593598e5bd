//! What of a game is not at its default: mostly little, so that it is asked of instead of all.

use super::game::Game;

impl Game {
    /// Whether every cell of a column is at its default.
    #[inline]
    pub(super) fn is_as_usual(&self, column: u16) -> bool {
        let schema = &self.ruleset.schema;
        (0..schema.sides.max(1) as i32).all(|side| self.unusual[schema.part(column, side).0 as usize] == 0)
    }

    /// Which of so many cells from the first are not at their default, as a bit set.
    pub(super) fn changed_of(&self, (first, count): (u32, u32)) -> Vec<u64> {
        let (word, shift) = (first as usize / 64, first % 64);
        // Nothing can be shifted by a whole word.
        let join = |pair: &[u64]| pair[0] >> shift | pair[1] << 1 << (63 - shift);
        let mut set: Vec<u64> = self.changed[word..].windows(2).take(count.div_ceil(64) as usize).map(join).collect();
        if let Some(last) = set.last_mut().filter(|_| count % 64 != 0) {
            *last &= u64::MAX >> (64 - count % 64);
        }
        set
    }

    /// The same one by one, by their numbers counted from the first.
    pub(super) fn changed_among(&self, (first, count): (u32, u32)) -> impl Iterator<Item = usize> + '_ {
        let (first, end) = (first as usize, (first + count) as usize);
        let mut word = first / 64;
        let mut rest = self.changed[word] & u64::MAX << (first % 64);
        std::iter::from_fn(move || {
            while rest == 0 {
                word += 1;
                rest = *self.changed.get(word).filter(|_| word * 64 < end)?;
            }
            let cell = word * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            (cell < end).then_some(cell - first)
        })
    }
}

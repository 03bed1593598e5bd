//! Sets of spaces, as a bit each.

use crate::map::SpaceId;

/// Whether a space is in a bit set.
#[inline]
pub fn holds(set: &[u64], space: SpaceId) -> bool {
    set[space.0 as usize / 64] >> (space.0 % 64) & 1 == 1
}

/// How many are in a bit set.
pub fn count_in(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

/// These spaces of so many as a bit set.
pub fn set_of(these: &[i32], spaces: usize) -> Vec<u64> {
    let mut set = vec![0; spaces.div_ceil(64)];
    these.iter().for_each(|space| set[*space as usize / 64] |= 1 << (space % 64));
    set
}

/// The spaces that are in any of some bit sets; of no sets, one without words.
pub fn union_of<'a>(sets: impl Iterator<Item = &'a [u64]>) -> Vec<u64> {
    let mut all = Vec::new();
    for set in sets {
        all.resize(set.len(), 0);
        all.iter_mut().zip(set).for_each(|(all, these)| *all |= these);
    }
    all
}

/// The numbers of the spaces in a bit set. A guard's set may be the whole last word; the map ends before it.
pub fn spaces_in(bits: &[u64], spaces: usize) -> impl Iterator<Item = usize> + '_ {
    let each = |(at, word): (usize, &u64)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(at * 64 + bit)
        })
    };
    bits.iter().enumerate().flat_map(each).take_while(move |space| *space < spaces)
}

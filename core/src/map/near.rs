//! The neighbours of spaces as bit sets, for floods that take all steps out of a space at once.

/// Two words of a bit set, one after the other: in them lie all neighbours of nearly any hex, whose column is no longer
/// than a word has bits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NearSet {
    /// The number of the first word; there is always another.
    pub word: u32,
    /// The number of the set that goes on where this ends, or 0.
    pub more: u32,
    /// The words.
    pub bits: [u64; 2],
}

/// The neighbours of each space as bit sets: the sets that begin them by number of the space, then the others.
pub(super) fn near_sets(to: &[u32], first: &[u32]) -> Vec<NearSet> {
    let spaces = first.len() - 1;
    let last = (spaces.div_ceil(64) as u32).max(2) - 2;
    let mut sets = vec![NearSet::default(); spaces];
    for space in 0..spaces {
        let mut near: Vec<u32> = to[first[space] as usize..first[space + 1] as usize].to_vec();
        near.sort_unstable();
        let mut at = space;
        for (nth, to) in near.into_iter().enumerate() {
            let word = to / 64;
            if nth == 0 {
                sets[at].word = word.min(last);
            } else if word > sets[at].word + 1 {
                sets[at].more = sets.len() as u32;
                at = sets.len();
                sets.push(NearSet { word: word.min(last), ..NearSet::default() });
            }
            let set = &mut sets[at];
            set.bits[(word - set.word) as usize] |= 1 << (to % 64);
        }
    }
    sets
}

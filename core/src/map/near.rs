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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_far_apart_lie_in_several_sets_and_all_in_one() {
        // The first space has neighbours in four words, the second in the last alone, the third none.
        let (to, first) = ([1, 63, 64, 130, 319, 318], [0, 5, 6, 6].to_vec());
        let first: Vec<u32> = first.into_iter().chain(std::iter::repeat_n(6, 317)).collect();
        let sets = near_sets(&to, &first);
        let near = |space: usize| {
            let (mut all, mut at) = (Vec::new(), Some(space));
            while let Some(set) = at.map(|at| sets[at]) {
                assert!(set.word + 1 < 5, "there is always another word");
                for (word, bits) in (set.word..).zip(set.bits) {
                    all.extend((0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| word * 64 + bit));
                }
                at = (set.more != 0).then_some(set.more as usize);
            }
            all
        };
        assert_eq!(near(0), [1, 63, 64, 130, 319]);
        assert_eq!(near(1), [318]);
        assert!(near(2).is_empty());
    }
}

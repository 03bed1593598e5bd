//! How far spaces lie from each other, and which lie near one.

use std::{
    borrow::Cow,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{Map, SpaceId};

/// What is known of distances so far.
#[derive(Debug)]
pub(super) struct Distances {
    /// By space: the distance of every other.
    rows: Vec<OnceLock<Box<[u16]>>>,
    /// How many of them have been kept.
    kept: AtomicUsize,
    rings: Vec<OnceLock<Rings>>,
}

impl Distances {
    /// No more distances are kept: all of a map of eight thousand spaces, in 128 MB. What a map of a hundred thousand would
    /// need is more than most machines have.
    const MOST_KEPT: usize = 64 << 20;

    /// Of so many spaces.
    pub fn new(spaces: usize) -> Distances {
        let rows = (0..spaces).map(|_| OnceLock::new()).collect();
        let rings = (0..spaces).map(|_| OnceLock::new()).collect();
        Distances { rows, kept: AtomicUsize::new(0), rings }
    }
}

/// The spaces near one, nearest first.
#[derive(Debug)]
struct Rings {
    spaces: Box<[SpaceId]>,
    /// By distance: how many of them are no farther.
    ends: [usize; Rings::MOST as usize + 1],
}

impl Rings {
    /// No more rings are kept; what lies farther is found by its distance.
    const MOST: u16 = 6;
}

impl Map {
    /// Spaces one must enter to get from one to the other, whatever stands between; [`Map::NEVER`] if one cannot.
    #[inline]
    pub fn distance(&self, from: SpaceId, to: SpaceId) -> u16 {
        match self.distances.rows[from.0 as usize].get() {
            Some(row) => row[to.0 as usize],
            None => self.found_distance(from, to),
        }
    }

    #[cold]
    fn found_distance(&self, from: SpaceId, to: SpaceId) -> u16 {
        match self.distances.rows[to.0 as usize].get() {
            Some(row) if self.mutual => row[from.0 as usize],
            _ => self.distances_from(from)[to.0 as usize],
        }
    }

    /// Whether this distance is known already; finding one takes as long as going through all spaces.
    pub fn knows_distance(&self, from: SpaceId, to: SpaceId) -> bool {
        let is_kept = |space: SpaceId| self.distances.rows[space.0 as usize].get().is_some();
        is_kept(from) || (self.mutual && is_kept(to))
    }

    /// The distance of every space as one goes there from this one; kept, unless the map is so large that too many are.
    pub fn distances_from(&self, from: SpaceId) -> Cow<'_, [u16]> {
        let row = &self.distances.rows[from.0 as usize];
        if let Some(row) = row.get() {
            return Cow::Borrowed(row);
        }
        let mut far = vec![Map::NEVER; self.len()];
        self.spread(from, Map::NEVER - 1, |space, distance| far[space.0 as usize] = distance);
        let before = self.distances.kept.fetch_add(1, Ordering::Relaxed);
        if before * self.len() < Distances::MOST_KEPT {
            Cow::Borrowed(row.get_or_init(|| far.into_boxed_slice()))
        } else {
            Cow::Owned(far)
        }
    }

    /// The distance of this space from every other, where it is the same as one goes back.
    pub fn distances_to(&self, to: SpaceId) -> Option<Cow<'_, [u16]>> {
        self.mutual.then(|| self.distances_from(to))
    }

    /// The spaces no farther from this one than so many steps, itself too.
    pub fn within(&self, from: SpaceId, range: u16) -> Cow<'_, [SpaceId]> {
        if range > Rings::MOST {
            let far = self.distances_from(from);
            return self.spaces().filter(|space| far[space.0 as usize] <= range).collect();
        }
        let rings = self.distances.rings[from.0 as usize].get_or_init(|| {
            let (mut spaces, mut ends) = (Vec::new(), [0; Rings::MOST as usize + 1]);
            self.spread(from, Rings::MOST, |space, distance| {
                spaces.push(space);
                ends[usize::from(distance)..].fill(spaces.len());
            });
            Rings { spaces: spaces.into_boxed_slice(), ends }
        });
        Cow::Borrowed(&rings.spaces[..rings.ends[usize::from(range)]])
    }

    /// Adds the neighbours of a space to a bit set of spaces.
    #[inline]
    pub(crate) fn add_near(&self, space: SpaceId, spaces: &mut [u64]) {
        let mut next = Some(&self.near_sets[space.0 as usize]);
        while let Some(set) = next {
            // Behind the last word there are none.
            spaces[set.word as usize..].iter_mut().zip(set.bits).for_each(|(word, near)| *word |= near);
            next = (set.more != 0).then(|| &self.near_sets[set.more as usize]);
        }
    }

    /// Visits the spaces no farther from this one than so many steps, nearest first.
    fn spread(&self, from: SpaceId, range: u16, mut visit: impl FnMut(SpaceId, u16)) {
        // Two words are looked at together, even if there is but one.
        let mut seen = vec![0u64; self.len().div_ceil(64) + 1];
        let mut list = vec![(from, 0)];
        seen[from.0 as usize / 64] |= 1 << (from.0 % 64);
        let mut at = 0;
        while let Some((space, distance)) = list.get(at).copied() {
            at += 1;
            visit(space, distance);
            let mut next = (distance < range).then(|| &self.near_sets[space.0 as usize]);
            while let Some(set) = next {
                for (word, near) in (set.word..).zip(set.bits) {
                    let mut new = near & !seen[word as usize];
                    seen[word as usize] |= new;
                    while new != 0 {
                        list.push((SpaceId(word * 64 + new.trailing_zeros()), distance + 1));
                        new &= new - 1;
                    }
                }
                next = (set.more != 0).then(|| &self.near_sets[set.more as usize]);
            }
        }
    }
}

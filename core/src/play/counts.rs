//! How often something has been asked or rolled for this turn, by the keys of its names.

/// Keys and how often each has come up. Few in a turn, so they are looked through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Counts(Vec<(u64, u32)>);

impl Counts {
    /// How often.
    pub fn of(&self, key: u64) -> u32 {
        self.0.iter().find(|(known, _)| *known == key).map_or(0, |(_, count)| *count)
    }

    /// How often before this time.
    pub fn count(&mut self, key: u64) -> u32 {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some((_, count)) => std::mem::replace(count, *count + 1),
            None => {
                self.0.push((key, 1));
                0
            }
        }
    }

    /// All keys with their counts, as they first came up.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.0.iter().copied()
    }

    /// Becomes a copy of another, in the memory that it has.
    pub fn copy(&mut self, other: &Counts) {
        self.0.clone_from(&other.0);
    }

    /// A new turn.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl FromIterator<(u64, u32)> for Counts {
    fn from_iter<I: IntoIterator<Item = (u64, u32)>>(counts: I) -> Counts {
        Counts(counts.into_iter().collect())
    }
}

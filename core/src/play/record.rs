//! What happened, answer by answer: a game is a function of its ruleset, its scenario and this.

use std::sync::Arc;

use super::offer::{About, Action};

/// One answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A side's.
    Side {
        /// Which side.
        by: i32,
        /// Which question.
        key: u16,
        /// What it was about.
        about: About,
        /// What it answered.
        action: Action,
    },
    /// Chance's.
    Chance {
        /// For what: index among the ruleset's chances.
        chance: u16,
        /// About whom.
        about: About,
        /// What came up.
        value: i32,
    },
    /// A change by agreement of the players, outside the rules.
    Agreement(Adjustment),
}

impl Entry {
    /// What the rule that asked is told. Nothing that any rule asks for is an agreement.
    pub(super) fn action(&self) -> Action {
        match self {
            Entry::Side { action, .. } => *action,
            Entry::Chance { value, .. } => Action::rolled(*value),
            Entry::Agreement(_) => unreachable!("an adjustment is made between tasks, before their first answer"),
        }
    }
}

/// What players may agree to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjustment {
    /// A counter stands somewhere else: a space, or a box counted from the number of spaces.
    Place {
        /// The counter.
        unit: i32,
        /// Where it stands now.
        to: i32,
    },
    /// A property of a unit, a side or the game has another value.
    Set {
        /// Which property.
        column: u16,
        /// Whose.
        of: i32,
        /// Its value now.
        value: i32,
    },
}

/// Everything needed to play a game again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// The scenario.
    pub scenario: String,
    /// The seed of its chance.
    pub seed: u64,
    /// Every answer, in order.
    pub entries: Entries,
}

impl Record {
    /// A record of nothing yet.
    pub fn new(scenario: String, seed: u64) -> Record {
        Record { scenario, seed, entries: Entries::default() }
    }
}

/// The answers of a record. A copy shares all but the last few, so that forks of a long game are cheap.
#[derive(Debug, Clone, Default)]
pub struct Entries {
    /// Each of [`Entries::SHARED`].
    full: Vec<Arc<[Entry]>>,
    last: Vec<Entry>,
}

impl Entries {
    /// So many are shared together.
    const SHARED: usize = 128;

    /// How many there are.
    pub fn len(&self) -> usize {
        self.full.len() * Entries::SHARED + self.last.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One by its number.
    pub fn get(&self, at: usize) -> Option<&Entry> {
        match self.full.get(at / Entries::SHARED) {
            Some(full) => full.get(at % Entries::SHARED),
            None => self.last.get(at - self.full.len() * Entries::SHARED),
        }
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.from(0)
    }

    /// Those from a number on.
    pub fn from(&self, at: usize) -> impl Iterator<Item = &Entry> {
        let whole = (at / Entries::SHARED).min(self.full.len());
        let rest = self.full[whole..].iter().flat_map(|full| full.iter()).chain(&self.last);
        rest.skip(at - whole * Entries::SHARED)
    }

    /// One more.
    pub fn push(&mut self, entry: Entry) {
        if self.last.len() == Entries::SHARED {
            self.full.push(self.last.drain(..).collect());
        }
        self.last.push(entry);
    }

    /// Without the last.
    pub fn pop(&mut self) {
        self.truncate(self.len().saturating_sub(1));
    }

    /// Only so many are left.
    pub fn truncate(&mut self, len: usize) {
        while self.full.len() * Entries::SHARED > len {
            self.last = self.full.pop().map_or_else(Vec::new, |full| full.to_vec());
        }
        self.last.truncate(len - self.full.len() * Entries::SHARED);
    }
}

impl PartialEq for Entries {
    fn eq(&self, other: &Entries) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Entries {}

impl FromIterator<Entry> for Entries {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Entries {
        let mut all = Entries::default();
        entries.into_iter().for_each(|entry| all.push(entry));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_a_list_whatever_is_shared() {
        let number = |n: i32| Entry::Agreement(Adjustment::Place { unit: n, to: 0 });
        let most = Entries::SHARED as i32 * 3;
        let all: Entries = (0..most).map(number).collect();
        for len in [0, 1, 127, 128, 129, 255, 256, 257, 384] {
            let mut some = all.clone();
            some.truncate(len);
            assert_eq!(some.len(), len);
            assert_eq!(some, (0..len as i32).map(number).collect(), "of {len}");
            some.push(number(-1));
            assert_eq!(some.get(len), Some(&number(-1)), "after {len}");
            assert_eq!(some.from(len).count(), 1);
            assert_eq!(some.from(len / 2).next(), some.get(len / 2));
            assert_eq!(some.from(len + 5).count(), 0);
        }
        assert_eq!(all.len(), most as usize, "a copy that is written to leaves the others as they are");
    }
}

//! Lazy sets as rules hold them: opaque handles into a list that lives as long as the task, or of sets that are always the
//! same, which stay.

use countermarch_core::play::{Set, Then};
use mlua::{Error, Result};

/// The sets that stay, and those that a task has made so far.
#[derive(Debug, Default)]
pub struct Sets {
    staying: Vec<(Set, Option<Then>)>,
    list: Vec<(Set, Option<Then>)>,
    /// How many values stand in its lists.
    listed: usize,
}

impl Sets {
    /// The handle of a verb that takes nothing. The others follow it. A handle is a number that no unit, space or
    /// count ever is, so that what is not a set is not taken for one.
    pub const ONE: i32 = i32::MIN;
    /// What is written in place of a handle of a verb that is not offered, though its question offers it by itself.
    pub const WITHHELD: i32 = i32::MAX;

    /// More sets, or groups, than any task makes, and more values in its lists: they lie outside Luau's memory.
    pub const MOST: usize = 0xFFFF;
    /// The first handle of those that stay: they follow all that a task can make.
    pub const STAYING: i32 = Sets::ONE + 0x1_0000;
    /// So many values.
    pub const MOST_LISTED: usize = 4_000_000;
    /// No question is answered with one of so many numbers.
    const MOST_NUMBERS: i64 = 10_000;

    /// Keeps a set that hangs on nothing, with what follows each of its members, as long as the rules, and hands out its
    /// handle. There are as many as a ruleset can name.
    pub fn stay(&mut self, set: Set, then: Option<Then>) -> i32 {
        self.staying.push((set, then));
        Sets::STAYING + (self.staying.len() - 1) as i32
    }

    /// Keeps a set and hands out its handle.
    pub fn keep(&mut self, set: Set) -> Result<i32> {
        self.keep_pairs(set, None)
    }

    /// Keeps a set, with what follows each of its members.
    pub fn keep_pairs(&mut self, set: Set, then: Option<Then>) -> Result<i32> {
        match &set {
            Set::List(list) => self.listed += list.len(),
            Set::Numbers(least, most) if i64::from(*most) - i64::from(*least) >= Sets::MOST_NUMBERS => {
                let most = Sets::MOST_NUMBERS;
                return Err(Error::runtime(format!("`offer.numbers` offers no more than {most} numbers")));
            }
            Set::Reach(of) | Set::Ends { of, .. } => self.listed += of.seeds.len(),
            _ => (),
        }
        if self.list.len() == Sets::MOST || self.listed > Sets::MOST_LISTED {
            return Err(Error::runtime("the task makes more sets than can be offered: make fewer in a loop"));
        }
        self.list.push((set, then));
        Ok(Sets::ONE + self.list.len() as i32)
    }

    /// How far it has come, for [`Sets::back_to`].
    pub fn mark(&self) -> (usize, usize) {
        (self.list.len(), self.listed)
    }

    /// Forgets all that has been made since.
    pub fn back_to(&mut self, (count, listed): (usize, usize)) {
        self.list.truncate(count);
        self.listed = listed;
    }

    /// The set behind a handle.
    pub fn get(&self, handle: i32) -> Result<&Set> {
        match self.kept(handle)? {
            (set, None) => Ok(set),
            _ => Err(Error::runtime("a set is wanted, and these are pairs")),
        }
    }

    /// What is behind a handle: a set, and what follows each of its members.
    pub fn kept(&self, handle: i32) -> Result<&(Set, Option<Then>)> {
        let (list, first) =
            if handle < Sets::STAYING { (&self.list, Sets::ONE + 1) } else { (&self.staying, Sets::STAYING) };
        let at = handle.checked_sub(first).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| list.get(at)).ok_or_else(|| match handle {
            Sets::ONE..Sets::STAYING => Error::runtime("this set of offers belongs to another task"),
            _ => Error::runtime(format!("a set is wanted, not the number {handle}")),
        })
    }

    /// What an offer stands for.
    pub fn offered(&self, handle: i32) -> Result<(Set, Option<Then>)> {
        if handle == Sets::ONE { Ok((Set::One, None)) } else { self.kept(handle).cloned() }
    }

    /// Forgets those of the task, for the next.
    pub fn clear(&mut self) {
        self.list.clear();
        self.listed = 0;
    }
}

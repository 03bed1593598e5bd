//! Lazy sets as rules hold them: opaque handles into a list that lives as long as the task.

use countermarch_core::play::Set;
use mlua::{Error, Result};

/// The sets a task has made so far.
#[derive(Debug, Default)]
pub struct Sets {
    list: Vec<Set>,
}

impl Sets {
    /// The handle of a verb that takes nothing. The others follow it. A handle is a number that no unit, space or
    /// count ever is, so that what is not a set is not taken for one.
    pub const ONE: i32 = i32::MIN;

    /// Keeps a set and hands out its handle.
    pub fn keep(&mut self, set: Set) -> i32 {
        self.list.push(set);
        Sets::ONE + self.list.len() as i32
    }

    /// The set behind a handle.
    pub fn get(&self, handle: i32) -> Result<&Set> {
        let at = i64::from(handle) - i64::from(Sets::ONE);
        let set = usize::try_from(at - 1).ok().and_then(|at| self.list.get(at));
        set.ok_or_else(|| match at {
            0..=0xFFFF => Error::runtime("this set of offers belongs to another task"),
            _ => Error::runtime(format!("a set is wanted, not the number {handle}")),
        })
    }

    /// The set that an offer stands for.
    pub fn offered(&self, handle: i32) -> Result<Set> {
        if handle == Sets::ONE { Ok(Set::One) } else { self.get(handle).cloned() }
    }

    /// Forgets all of them, for the next task.
    pub fn clear(&mut self) {
        self.list.clear();
    }
}

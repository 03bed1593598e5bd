//! Lazy sets as rules hold them: opaque handles into a list that lives as long as the task.

use countermarch_core::play::Set;
use mlua::{Error, LightUserData, Result, Value};

/// The sets a task has made so far.
#[derive(Debug, Default)]
pub struct Sets {
    list: Vec<Set>,
}

impl Sets {
    /// Keeps a set and hands out its handle.
    pub fn keep(&mut self, set: Set) -> LightUserData {
        self.list.push(set);
        LightUserData(std::ptr::without_provenance_mut(self.list.len()))
    }

    /// The set behind a handle.
    pub fn get(&self, handle: LightUserData) -> Result<&Set> {
        let at = handle.0 as usize;
        at.checked_sub(1)
            .and_then(|at| self.list.get(at))
            .ok_or_else(|| Error::runtime("this set of offers belongs to another task"))
    }

    /// The set that an offer stands for: `true`, or a handle.
    pub fn of_value(&self, value: &Value) -> Result<Option<Set>> {
        match value {
            Value::Nil | Value::Boolean(false) => Ok(None),
            Value::Boolean(true) => Ok(Some(Set::One)),
            Value::LightUserData(handle) => self.get(*handle).cloned().map(Some),
            other => Err(Error::runtime(format!("an offer is true or a set, not {}", other.type_name()))),
        }
    }

    /// Forgets all of them, for the next task.
    pub fn clear(&mut self) {
        self.list.clear();
    }
}

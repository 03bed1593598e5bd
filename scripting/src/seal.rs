//! Seals what rule files leave behind once they are loaded: every table that a rule can still reach is frozen, and no
//! function may write a local that outlives its call. Else a rule could remember what the record does not.

use std::{collections::BTreeSet, ffi::c_void};

use mlua::{Error, Function, Lua, Result, Table, Value, Variadic};

use crate::{code::Place, limits};

/// What is known of the rule files.
#[derive(Default)]
pub struct Seal {
    /// By file: functions that write a local from outside themselves.
    pub writers: BTreeSet<(String, Place)>,
    seen: BTreeSet<*const c_void>,
}

impl Seal {
    /// Seals a table and all that can be reached from it.
    pub fn table(&mut self, lua: &Lua, table: &Table) -> Result<()> {
        let mut waiting = vec![Value::Table(table.clone())];
        while let Some(value) = waiting.pop() {
            if !self.seen.insert(value.to_pointer()) {
                continue;
            }
            match value {
                Value::Table(table) => {
                    table.for_each(|key: Value, value: Value| {
                        waiting.extend([key, value].into_iter().filter(can_be_written));
                        Ok(())
                    })?;
                    table.set_readonly(true);
                }
                Value::Function(function) => {
                    self.function(&function)?;
                    let captured: Variadic<Value> = limits::captured(lua, &function)?;
                    waiting.extend(captured.into_iter().filter(can_be_written));
                }
                _ => (),
            }
        }
        Ok(())
    }

    fn function(&self, function: &Function) -> Result<()> {
        let info = function.info();
        let (Some(source), Some(line)) = (info.source, info.line_defined) else { return Ok(()) };
        let file = source.trim_start_matches('=').to_owned();
        if self.writers.contains(&(file.clone(), (line, info.name))) {
            let message = "this function changes a local that outlives it: a rule keeps nothing between tasks";
            return Err(Error::runtime(format!("{file}:{line}: {message}")));
        }
        Ok(())
    }
}

fn can_be_written(value: &Value) -> bool {
    matches!(value, Value::Table(_) | Value::Function(_))
}

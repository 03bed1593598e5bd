//! Keeps track of what a run has put to work: which rules were carried out and which printed lists were asked.
//!
//! Nothing of this is there unless it is wanted: functions are wrapped once, at load, and a run without it does not
//! pay for it.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use mlua::{Function, Lua, Result, Table, Value};

/// Paths in the content, as the rulebook names what carries a paragraph; names with `_` for `-`.
pub type AtWork = Rc<RefCell<BTreeSet<String>>>;

/// Where functions that ask printed lists are found, and which part of the content they ask.
const ASKING: [(&str, &str, &str); 15] = [
    ("rows", "", "rows"),
    ("select", "", "rows"),
    ("lookup", "", "tables"),
    ("clamp", "", "tables"),
    ("step_cost", "", "movers"),
    ("offer", "units", "rows"),
    ("offer", "spaces", "rows"),
    ("offer", "cards", "rows"),
    ("offer", "allowed", "rows"),
    ("offer", "reach", "movers"),
    ("offer", "retreat", "retreats"),
    ("offer", "attackers", "contacts"),
    ("offer", "targets", "contacts"),
    ("offer", "close", "contacts"),
    ("offer", "declared", "contacts"),
];

/// Wraps every function of the API that asks a printed list. To be called before the tables are frozen.
pub fn watch_lists(lua: &Lua, seen: &AtWork) -> Result<()> {
    for (table, inner, part) in ASKING {
        let mut asked: Table = lua.globals().raw_get(table)?;
        if !inner.is_empty() {
            asked = asked.raw_get(inner)?;
        }
        watch(lua, &asked, part, seen)?;
    }
    Ok(())
}

/// Wraps every function of a rule module.
pub fn watch_rules(lua: &Lua, module: &Table, name: &str, seen: &AtWork) -> Result<()> {
    watch_named(lua, module, &|function| format!("rules/{name}.{function}"), seen)
}

fn watch(lua: &Lua, table: &Table, part: &str, seen: &AtWork) -> Result<()> {
    watch_named(lua, table, &|name| format!("{part}/{name}"), seen)
}

fn watch_named(lua: &Lua, table: &Table, path: &dyn Fn(&str) -> String, seen: &AtWork) -> Result<()> {
    let wrap: Function = lua
        .load("local mark, f = ... return function(...) mark() return f(...) end")
        .set_name("=trace")
        .into_function()?;
    let mut all: Vec<(String, Function)> = Vec::new();
    table.for_each(|name: String, value: Value| {
        if let Value::Function(function) = value {
            all.push((name, function));
        }
        Ok(())
    })?;
    for (name, function) in all {
        let (path, seen) = (path(&name), seen.clone());
        let mark = lua.create_function(move |_, ()| {
            let mut seen = seen.borrow_mut();
            if !seen.contains(&path) {
                seen.insert(path.clone());
            }
            Ok(())
        })?;
        table.raw_set(name, wrap.call::<Function>((mark, function))?)?;
    }
    Ok(())
}

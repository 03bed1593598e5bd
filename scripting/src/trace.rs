//! Keeps track of what a run has put to work: which rules were carried out and which printed lists were asked.
//!
//! Nothing of this is there unless it is wanted: functions are wrapped once, at load, and a run without it does not
//! pay for it.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use countermarch_core::ruleset::Ruleset;
use mlua::{Function, Lua, Result, Table, Value};

use crate::convert::lua_name;

/// Paths in the content, as the rulebook names what carries a paragraph.
pub type AtWork = Rc<RefCell<BTreeSet<String>>>;

/// Where functions that ask printed lists are found, and which part of the content they ask.
const ASKING: [(&str, &str, &str); 17] = [
    ("rows", "", "rows"),
    ("select", "", "rows"),
    ("each", "", "sets"),
    ("offer", "any", "sets"),
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
pub fn watch_lists(lua: &Lua, ruleset: &Ruleset, seen: &AtWork) -> Result<()> {
    for (table, inner, part) in ASKING {
        let mut asking: Table = lua.globals().raw_get(table)?;
        if !inner.is_empty() {
            asking = asking.raw_get(inner)?;
        }
        let names: Vec<&str> = match part {
            "rows" => ruleset.rows.iter().map(|r| r.name.as_str()).collect(),
            "sets" => ruleset.sets.iter().map(|s| s.name.as_str()).collect(),
            "tables" => ruleset.tables.iter().map(|t| t.name.as_str()).collect(),
            "movers" => ruleset.movers.iter().map(|m| m.name.as_str()).collect(),
            "retreats" => ruleset.retreats.iter().map(|r| r.name.as_str()).collect(),
            _ => ruleset.contacts.iter().map(|c| c.name.as_str()).collect(),
        };
        for name in names {
            watch(lua, &asking, &lua_name(name), format!("{part}/{name}"), seen)?;
        }
    }
    Ok(())
}

/// Wraps every function of a rule module.
pub fn watch_rules(lua: &Lua, module: &Table, name: &str, seen: &AtWork) -> Result<()> {
    let mut functions = Vec::new();
    module.for_each(|function: String, _: Value| {
        functions.push(function);
        Ok(())
    })?;
    functions.iter().try_for_each(|function| watch(lua, module, function, format!("rules/{name}.{function}"), seen))
}

/// Puts a function in place of another that says that `path` is at work, and then is the other. Nothing where there
/// is no such function.
fn watch(lua: &Lua, table: &Table, name: &str, path: String, seen: &AtWork) -> Result<()> {
    let Value::Function(function) = table.raw_get(name)? else { return Ok(()) };
    let seen = seen.clone();
    let mark = lua.create_function(move |_, ()| {
        let mut seen = seen.borrow_mut();
        if !seen.contains(&path) {
            seen.insert(path.clone());
        }
        Ok(())
    })?;
    let wrap = lua.load("local mark, f = ... return function(...) mark() return f(...) end").set_name("=trace");
    table.raw_set(name, wrap.call::<Function>((mark, function))?)
}

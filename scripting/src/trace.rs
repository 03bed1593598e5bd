//! Keeps track of what a run has put to work, which rules were carried out and which printed lists were asked, and of
//! what rules print for those who write them.
//!
//! Nothing of the former is there unless it is wanted: functions are wrapped once, at load, and a run without it does not
//! pay for it.

use std::{
    cell::RefCell,
    collections::{BTreeSet, VecDeque},
    rc::Rc,
};

use countermarch_core::ruleset::Ruleset;
use mlua::{Function, Lua, Result, Table, Value};

use crate::convert::{lua_name, name_of_passing};

/// Paths in the content, as the rulebook names what carries a paragraph; whoever looks closely is told of rows and cells
/// too, as `sum/aim/rows/shaken` and `tables/crt/1-2/6`.
#[derive(Debug, Clone, Default)]
pub struct AtWork {
    seen: Rc<RefCell<BTreeSet<String>>>,
    /// Whether rows and cells are told.
    pub is_close: bool,
}

impl AtWork {
    /// Looks closely.
    pub fn close() -> AtWork {
        AtWork { is_close: true, ..AtWork::default() }
    }

    /// Something is at work.
    pub fn add(&self, path: &str) {
        let mut seen = self.seen.borrow_mut();
        if !seen.contains(path) {
            seen.insert(path.to_owned());
        }
    }

    /// What has been at work since last asked.
    pub fn take(&self) -> BTreeSet<String> {
        self.seen.take()
    }
}

/// What rules have printed, the last of it.
#[derive(Debug, Default)]
pub struct Printed {
    lines: VecDeque<String>,
    /// How many lines before those are lost.
    lost: usize,
    /// Whether nothing is kept.
    pub is_hushed: bool,
}

impl Printed {
    /// More than anybody reads at once.
    const MOST_LINES: usize = 200;
    const MOST_LETTERS: usize = 500;

    /// Keeps a line, its values with a blank between them; how long it is.
    pub fn line(&mut self, place: &str, values: &[Value]) -> usize {
        let mut line = format!("{place}:");
        for value in values {
            let said = match value {
                // No more is looked at than is kept: fuel sees the call, and not how long a text is.
                Value::String(text) => {
                    let bytes = text.as_bytes();
                    String::from_utf8_lossy(&bytes[..bytes.len().min(Printed::MOST_LETTERS)]).into_owned()
                }
                Value::Nil => "nil".to_owned(),
                Value::Boolean(is) => is.to_string(),
                Value::Integer(n) => n.to_string(),
                Value::Number(n) => n.to_string(),
                other => other.type_name().to_owned(),
            };
            line.push(' ');
            line.extend(said.chars().map(|c| if c.is_control() { ' ' } else { c }));
            if line.len() > 4 * Printed::MOST_LETTERS {
                break;
            }
        }
        let line: String = line.chars().take(Printed::MOST_LETTERS).collect();
        let length = line.len();
        if !self.is_hushed {
            if self.lines.len() == Printed::MOST_LINES {
                self.lines.pop_front();
                self.lost += 1;
            }
            self.lines.push_back(line);
        }
        length
    }

    /// What was printed since last asked.
    pub fn take(&mut self) -> Vec<String> {
        let lost = std::mem::take(&mut self.lost);
        let before = (lost > 0).then(|| format!("({lost} lines before these are lost)"));
        before.into_iter().chain(std::mem::take(&mut self.lines)).collect()
    }
}

/// Where functions that ask printed lists are found, and which part of the content they ask.
const ASKING: [(&str, &str, &str); 17] = [
    ("may", "", "may"),
    ("sum", "", "sum"),
    ("first", "", "first"),
    ("each", "", "may"),
    ("each", "", "sets"),
    ("lookup", "", "tables"),
    ("clamp", "", "tables"),
    ("step_cost", "", "movers"),
    ("offer", "may", "may"),
    ("offer", "each", "may"),
    ("offer", "each", "sets"),
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
            "sets" => ruleset.sets.iter().map(|s| s.name.as_str()).collect(),
            "tables" => ruleset.tables.iter().map(|t| t.name.as_str()).collect(),
            "movers" => ruleset.movers.iter().map(|m| m.name.as_str()).collect(),
            "retreats" => ruleset.retreats.iter().map(|r| r.name.as_str()).collect(),
            "contacts" => ruleset.contacts.iter().map(|c| c.name.as_str()).collect(),
            section => {
                let lists = ruleset.rows.iter().filter(|rows| rows.read.section() == section);
                lists.map(|rows| rows.name.as_str()).collect()
            }
        };
        // Those that pass a guard are called after it.
        let is_selecting = part == "may" && (table, inner) != ("may", "") && inner != "may";
        for name in names {
            let called = if is_selecting { name_of_passing(name) } else { lua_name(name) };
            watch(lua, &asking, &called, format!("{part}/{name}"), seen)?;
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
        seen.add(&path);
        Ok(())
    })?;
    let wrap = lua.load("local mark, f = ... return function(...) mark() return f(...) end").set_name("=trace");
    table.raw_set(name, wrap.call::<Function>((mark, function))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_bounded_and_of_one_line() -> Result<()> {
        let lua = Lua::new();
        let mut printed = Printed::default();
        let long = Value::String(lua.create_string("x\ny".repeat(100_000))?);
        for n in 0..1000 {
            printed.line("m.luau:1", &[Value::Integer(n), long.clone(), Value::Nil, Value::Table(lua.create_table()?)]);
        }
        let lines = printed.take();
        assert_eq!(lines.len(), Printed::MOST_LINES + 1);
        assert_eq!(lines[0], "(800 lines before these are lost)");
        assert!(lines[1].starts_with("m.luau:1: 800 x yx y"), "{}", lines[1]);
        assert!(lines.iter().all(|line| line.chars().count() <= Printed::MOST_LETTERS && !line.contains('\n')));
        printed.is_hushed = true;
        printed.line("m.luau:1", &[]);
        assert_eq!(printed.take(), Vec::<String>::new());
        Ok(())
    }
}

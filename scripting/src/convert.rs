//! Values between the engine, where everything is a whole number, and Luau.

use countermarch_core::ruleset::{Kind, Ruleset};
use mlua::{Error, Result, Value};

/// A value of the engine as rules see it: flags are booleans, nothing is nil, all else is a number.
#[inline]
pub fn to_lua(kind: Kind, value: i32) -> Value {
    match kind {
        Kind::Flag => Value::Boolean(value != 0),
        Kind::Int => Value::Integer(value.into()),
        _ if value < 0 => Value::Nil,
        _ => Value::Integer(value.into()),
    }
}

/// A value of a rule as the engine keeps it.
#[inline]
pub fn from_lua(kind: Kind, value: &Value) -> Result<i32> {
    match (kind, value) {
        (_, Value::Integer(n)) => i32::try_from(*n).map_err(|_| Error::runtime(format!("{n} is too large"))),
        (Kind::Flag, Value::Boolean(b)) => Ok(i32::from(*b)),
        (Kind::Int | Kind::Flag, Value::Nil) => Err(Error::runtime(format!("expected {}, got nil", kind.words()))),
        (_, Value::Nil) => Ok(-1),
        (_, Value::Number(n)) if n.fract() == 0.0 && n.abs() < f64::from(i32::MAX) => Ok(*n as i32),
        (_, Value::Number(n)) if n.fract() == 0.0 => Err(Error::runtime(format!("{n} is too large"))),
        (_, Value::Number(n)) => {
            Err(Error::runtime(format!("expected {}, got {n}, which is no whole number", kind.words())))
        }
        (_, other) => Err(Error::runtime(format!("expected {}, got {}", kind.words(), other.type_name()))),
    }
}

/// What those that a guard lets pass are called in Luau: `may_attack`.
pub fn name_of_passing(guard: &str) -> String {
    format!("may_{}", lua_name(guard))
}

/// A name as rules write it: `near-home` is `near_home`.
pub fn lua_name(name: &str) -> String {
    name.replace('-', "_")
}

/// How many things of a kind there are; of what is no thing, more than any number.
pub fn count(ruleset: &Ruleset, kind: Kind) -> u64 {
    let count = match kind {
        Kind::Unit => ruleset.units.len(),
        Kind::Side => ruleset.sides.len(),
        Kind::Space => ruleset.map.len(),
        Kind::Card => ruleset.cards.len(),
        Kind::Symbol(list) => ruleset.schema.symbols[list as usize].values.len(),
        Kind::Record(of) => ruleset.schema.records[of as usize].most,
        Kind::Int | Kind::Flag | Kind::Terrain | Kind::Units | Kind::Spaces | Kind::Any => return u64::MAX,
    };
    count as u64
}

/// A thing, if there is one of that number.
pub fn known(ruleset: &Ruleset, kind: Kind, thing: i32) -> Result<i32> {
    within(count(ruleset, kind), kind.words(), thing)
}

/// A thing, if there are more of its kind than its number.
#[inline]
pub fn within(count: u64, what: &str, thing: i32) -> Result<i32> {
    // Below zero lies nothing, which is to be told as nil.
    if u64::from(thing as u32) < count { Ok(thing) } else { Err(no_such(what, thing)) }
}

#[cold]
fn no_such(what: &str, thing: i32) -> Error {
    Error::runtime(format!("there is no {} {thing}", what.trim_start_matches("a ")))
}

//! Values between the engine, where everything is a whole number, and Luau.

use countermarch_core::ruleset::Kind;
use mlua::{Error, Result, Value};

/// A value of the engine as rules see it: flags are booleans, nothing is nil, all else is a number.
#[inline]
pub fn to_lua(kind: Kind, value: i32) -> Value {
    match kind {
        Kind::Flag => Value::Boolean(value == 1),
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
        (_, other) => Err(Error::runtime(format!("expected {}, got {}", kind.words(), other.type_name()))),
    }
}

/// A name as rules write it: `near-home` is `near_home`.
pub fn lua_name(name: &str) -> String {
    name.replace('-', "_")
}

//! Luau for Countermarch: rules run in a sandbox, see the engine's names and nothing else, and are carried out
//! as tasks that [`countermarch_core::play`] can run again.

mod api;
mod code;
mod convert;
#[cfg(test)]
mod hostile;
mod limits;
mod link;
mod names;
mod runtime;
mod seal;
mod sets;
mod trace;
mod waits;

pub use link::check;
pub use runtime::{Budget, Runtime};

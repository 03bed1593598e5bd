//! Luau for Countermarch: rules run in a sandbox, see the engine's names and nothing else, and are carried out
//! as tasks that [`countermarch_core::play`] can run again.

mod api;
mod convert;
mod limits;
mod link;
mod names;
mod runtime;
mod sets;
mod trace;

pub use link::check;
pub use runtime::{Budget, Runtime};

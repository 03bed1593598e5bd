//! What experimenters do: players that answer by themselves, many games counted, examples acted out.

mod example;
mod player;

pub use example::{Example, Failure, Outcome as ExampleOutcome, read_examples, run_example};
pub use player::{Tried, choose_at_random};

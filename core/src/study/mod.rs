//! What experimenters do: players that answer by themselves, many games counted, examples acted out.

mod acting;
mod coverage;
mod example;
mod fixture;
mod omission;
mod player;
mod scripted;

pub use coverage::Coverage;
pub use example::{
    Choice, Example, Failed, Failure, Outcome as ExampleOutcome, Report, read_examples, run_example, run_examples,
};
pub use omission::{Omission, omissions};
pub use player::choose_at_random;

//! What experimenters do: players that answer by themselves, many games counted, examples acted out.

mod acting;
mod coverage;
mod example;
mod fixture;
mod omission;
mod player;
mod playing;
mod replaying;
mod scripted;
mod trying;

pub use coverage::Coverage;
pub use example::{
    Choice, Example, Failed, Failure, Outcome as ExampleOutcome, Report, check_examples, read_examples, run_example,
    run_examples,
};
pub use omission::{Omission, omissions};
pub use player::{Player, choose_at_random};
pub use playing::{Played, Series, play_out};
pub use replaying::{ReplayError, replay};
pub use trying::{explain, odds};

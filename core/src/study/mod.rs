//! What experimenters do: players that answer by themselves, many games counted, examples acted out.

mod acting;
mod advice;
mod branch;
mod careful;
mod comparison;
mod coverage;
mod crew;
mod example;
mod fixture;
mod follower;
mod gauge;
mod ladder;
mod laying;
mod likely;
mod odds;
mod omission;
mod page;
mod parquet;
mod parting;
mod player;
mod playing;
mod ranked;
mod replaying;
mod report;
mod scripted;
mod spoken;
mod statistics;
mod strength;
mod trial;
mod trials;
mod trying;
mod voices;
mod walk;
mod walked;

pub use advice::{Advice, advice, advice_json, advice_text};
pub use careful::Budget;
pub use comparison::{Comparison, Exercise, Pair, Pairs, Widest};
pub use coverage::Coverage;
pub use example::{
    Choice, Example, Failed, Failure, Outcome as ExampleOutcome, Report, check_examples, read_examples, run_example,
    run_examples,
};
pub use gauge::Gauge;
pub use ladder::{Encounter, Estimate, Ladder, Meeting, Rung, Tournament};
pub use laying::{Make, Mixtures};
pub use likely::{likely_json, likely_text};
pub use odds::{Ask, Came, Likely, Share, answer_line, likely, taken_over};
pub use omission::{Omission, omissions};
pub use page::comparison_page;
pub use parting::{Parting, Stood, parting};
pub use player::{Minds, Player, choose_at_random};
pub use playing::{Played, Series, play_out};
pub use ranked::{ladder_json, ladder_text, ranking};
pub use replaying::{ReplayError, replay};
pub use report::{Compared, comparison_json, comparison_text};
pub use spoken::{Spoken, Voice};
pub use statistics::{Effect, Paired};
pub use trial::{Told, Trial, trial};
pub use trials::{Columns, TrialsError};
pub use trying::{explain, odds};
pub use voices::{Heading, spoken_json, spoken_text};
pub use walk::{Aspect, Contrast, Place, Walk, Walked};
pub use walked::{PlaceOf, walked_json, walked_text};

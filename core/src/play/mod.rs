//! A game in progress: its state, the questions it asks, the effects that change it, and the record of it all.

mod basis;
mod chance;
mod changed;
mod cover;
mod effect;
mod evaluate;
mod gaits;
mod game;
mod guards;
mod measure;
mod moves;
mod offer;
mod record;
mod sees;
mod sequence;
mod session;
mod sets;
mod steps;
mod unreached;
mod watch;
mod zones;

pub use chance::{Chance, Dice, Roll};
pub use cover::Cover;
pub use effect::{Effect, Event, Tally, TallyLine};
pub use evaluate::Slots;
pub use game::{Game, Outcome, Source, Task};
pub use measure::Counted;
pub use moves::{Move, Retreat, RetreatEnd, Start};
pub use offer::{About, Action, CoverPart, Offer, Question, Refusal, Set};
pub use record::{Adjustment, Entry, Record};
pub use session::{Limits, RuleError, Rules, Session, SessionError, Step};

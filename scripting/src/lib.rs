//! Luau for Countermarch: rules run in a sandbox, see the engine's names and nothing else, and are carried out
//! as tasks that [`countermarch_core::play`] can run again.
//!
//! With both crates a game is loaded, played, asked about, forked and taken back:
//!
//! ```
//! use std::{error::Error, path::Path};
//! use countermarch_core::{
//!     library::Library,
//!     play::{Limits, Match, Session, Stands},
//!     ruleset::Selection,
//!     show::Sight,
//!     study::{Player, explain, play_out},
//! };
//! use countermarch_scripting::{Budget, Runtime};
//!
//! # fn main() -> Result<(), Box<dyn Error>> {
//! let mut library = Library::default();
//! for part in ["maps", "rulesets"] {
//!     library.add_folder(part, &Path::new("..").join(part))?;
//! }
//! let loaded = countermarch_scripting::load(&library, "gettysburg-corps", &Selection::default());
//! let ruleset = loaded.map_err(|found| found.list[0].one_line(&library))?.ruleset;
//! let rules = Runtime::new(ruleset.clone(), Budget::default()).map_err(|wrong| wrong[0].clone())?;
//!
//! // A whole game at random.
//! let mut session = Session::new(ruleset.clone(), rules, 0, 1863, Limits::BULK);
//! let played = play_out(&mut session, &[Player::Random, Player::Random]);
//! println!("{:?} after {} decisions", played.outcome, played.decisions);
//!
//! // Another one: what is asked first, and why one unit may not move.
//! session.take_up(Match::new(ruleset, 0, 7, Limits::PLAY)).map_err(|_| "it is of another ruleset")?;
//! session.advance()?;
//! assert!(explain(&mut session, "move reynolds", Sight::ALL)?.contains("[corps/"));
//!
//! // Ten answers, from where a fork stays behind; then they are taken back.
//! let fork = session.fork();
//! for _ in 0..10 {
//!     let Stands::Asks(question) = session.stands() else { break };
//!     let by = question.by;
//!     let action = Player::Random.choose(&mut session, 7)?;
//!     session.act(by, action)?;
//! }
//! session.take_back(fork.record().entries.len())?;
//! assert_eq!(session.record(), fork.record());
//! # Ok(())
//! # }
//! ```

mod api;
mod cites;
mod code;
mod convert;
#[cfg(test)]
mod hostile;
mod limits;
mod link;
mod runtime;
mod seal;
mod sets;
mod source;
mod trace;
mod waits;

pub use link::check;
pub use runtime::{Budget, Runtime};
pub use source::type_definitions;

use countermarch_core::{
    diagnostic::Diagnostics,
    library::Library,
    ruleset::{Loaded, Ruleset, Selection},
};

/// Loads a ruleset, and looks through its rule files too.
///
/// # Errors
/// When anything of it is wrong: with everything found.
pub fn load(library: &Library, id: &str, selection: &Selection) -> Result<Loaded, Diagnostics> {
    let Loaded { ruleset, warnings: mut found } = Ruleset::load(library, id, selection)?;
    check(&ruleset, library, &mut found);
    if found.is_usable() { Ok(Loaded { ruleset, warnings: found }) } else { Err(found) }
}

//! How scenarios begin: whether play comes to its first question, and what always holds does there.

use std::sync::Arc;

use crate::{
    diagnostic::Diagnostics,
    play::{Limits, Match, Rules, Session},
    ruleset::Ruleset,
};

/// The seed of the games that are begun.
const SEED: u64 = 1863;

/// Begins a game of every scenario, and says which comes to no question, or breaks what always holds before anybody has
/// answered anything: that is a fault of how it is set up.
pub fn check_beginnings<R: Rules>(ruleset: &Arc<Ruleset>, rules: R) -> Diagnostics {
    let mut found = Diagnostics::default();
    let limits = Limits { verify: true, ..Limits::BULK };
    let begin = |scenario| Match::new(ruleset.clone(), scenario, SEED, limits);
    if ruleset.scenarios.is_empty() {
        return found;
    }
    let mut session = Session::of(rules, begin(0));
    for (number, scenario) in ruleset.scenarios.iter().enumerate() {
        let taken = session.take_up(begin(number));
        debug_assert!(taken.is_ok(), "all are of one ruleset");
        if let Err(failure) = session.advance() {
            let message = format!("`{}` cannot begin: {failure}", scenario.id);
            found.error(
                "beginning",
                &scenario.span,
                message,
                "look at who is set up where, and at the rules that set up",
            );
        }
    }
    found
}

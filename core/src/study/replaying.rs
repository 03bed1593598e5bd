//! A record played again, answer by answer.

use std::sync::Arc;

use thiserror::Error;

use crate::{
    play::{Chance, Failure, Limits, Record, Rules, Session, SessionError},
    ruleset::Ruleset,
    show::Hash,
};

/// Why a record cannot be played again. Answers are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The game has no scenario of that name.
    #[error("the game has no scenario `{0}`")]
    NoScenario(String),
    /// More answers are asked for than there are.
    #[error("the record has {0} answers, and there is nothing after {1}")]
    Beyond(usize, usize),
    /// The game failed before anything was answered.
    #[error(transparent)]
    Begins(#[from] Failure),
    /// An answer does not fit, or the game failed after it.
    #[error("answer {0}: {1}")]
    Answer(usize, SessionError),
    /// After an answer the state is another than the record says: its hash, and what the record says.
    #[error("after answer {0} the state's hash is {1:016x}, and the record says {2:016x}")]
    Hash(usize, u64, u64),
}

/// Plays a record from its beginning, up to so many answers if that is said, and compares these hashes. `watch` sees the
/// game before each answer and at the end. Nothing is answered that the record does not say.
pub fn replay<R: Rules>(
    ruleset: &Arc<Ruleset>,
    rules: R,
    (record, hashes): (&Record, &[Hash]),
    upto: Option<usize>,
    limits: Limits,
    mut watch: impl FnMut(&Session<R>),
) -> Result<Session<R>, ReplayError> {
    let answers = record.entries.len();
    if let Some(beyond) = upto.filter(|upto| *upto > answers) {
        return Err(ReplayError::Beyond(answers, beyond));
    }
    let scenario = ruleset.scenario(&record.scenario);
    let scenario = scenario.ok_or_else(|| ReplayError::NoScenario(record.scenario.clone()))?;
    let mut session = Session::new(ruleset.clone(), rules, scenario, record.seed, limits);
    session.chance = Chance::Person;
    session.limits.forced = false;
    session.is_foretold = true;
    session.advance()?;
    let mut hashes = hashes.iter().peekable();
    for (number, entry) in (1..).zip(record.entries.iter().take(upto.unwrap_or(answers))) {
        watch(&session);
        session.replay_entry(number - 1, entry).map_err(|wrong| ReplayError::Answer(number, wrong))?;
        while let Some(says) = hashes.next_if(|hash| hash.at <= number) {
            let is = session.game().hash();
            if says.at == number && says.hash != is {
                return Err(ReplayError::Hash(number, is, says.hash));
            }
        }
    }
    let given = session.entries();
    session.list_offers().map_err(|wrong| match given {
        0 => ReplayError::Begins(wrong),
        _ => ReplayError::Answer(given, wrong.into()),
    })?;
    watch(&session);
    Ok(session)
}

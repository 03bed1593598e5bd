//! Why an answer is not taken, and why play cannot go on: two kinds of trouble, told apart by where the match stands.

use thiserror::Error;

use super::offer::Refusal;
use crate::ruleset::Cite;

/// What went wrong when somebody answered.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SessionError {
    /// The answer was not taken: the match stands where it stood, and nothing was recorded.
    #[error(transparent)]
    NotTaken(#[from] NotTaken),
    /// The answer was taken and recorded, and what followed failed, or the match had failed before: it stands at the
    /// beginning of the task that did, or at its last answer, and goes on only once something is taken back.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// Why an answer was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotTaken {
    /// It is not allowed; the sentences are for those who know who may be told what.
    #[error("refused by {}", .0.iter().map(|r| format!("`{}`", r.row)).collect::<Vec<_>>().join(", "))]
    Refused(Vec<Refusal>),
    /// Another side is asked.
    #[error("it is not yours to answer")]
    NotYours,
    /// Chance must speak before a side does; for what.
    #[error("a roll waits, for {0}")]
    RollWaits(String),
    /// A side is asked, and nothing is rolled.
    #[error("nothing is rolled now: a side is asked")]
    NothingRolls,
    /// Nothing is asked any more.
    #[error("the game is over")]
    Over,
    /// The rule that it answers failed on it.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A change by agreement cannot be made now, or does not fit.
    #[error("{0}")]
    Agreement(String),
    /// So much cannot be taken back: the record is shorter, or what lies further back is not kept.
    #[error("there is nothing to take back")]
    NothingToTakeBack,
    /// An entry of a record, counted from 1, is no answer to what the game asks.
    #[error("the record does not fit at answer {0}: {1}")]
    Misfit(usize, String),
}

/// Why play cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// A rule misbehaved.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A question without an offer, by its key; the rule that asks it, and its file and line.
    #[error(
        "{file}:{line}: rule `{rule}`: dead end: question `{question}` offers nothing{}",
        if *.is_before { ", and is asked before the rule begins: its `offers:` leave no answer here" } else { "" }
    )]
    DeadEnd {
        /// The key.
        question: String,
        /// The rule.
        rule: String,
        /// Its file.
        file: String,
        /// The line where it begins, counted from 1.
        line: usize,
        /// Whether the question is asked before the rule begins.
        is_before: bool,
    },
    /// The sequence of play comes to nothing that a rule must do; the place it goes around in.
    #[error("the sequence of play goes on for ever, in `{0}`: nothing is left to do, and it does not end")]
    Endless(String),
    /// A rule is not a function of the state and the answers.
    #[error("rule `{0}` came out differently when carried out again")]
    NotRepeatable(String),
    /// What always holds does not.
    #[error(
        "`{id}` is broken after entry {entries} of the record: {say}{}{fails_for}",
        if .fails_for.is_empty() { "" } else { "; it fails for " }
    )]
    Broken {
        /// The id of the condition.
        id: String,
        /// The sentence that is broken.
        say: String,
        /// What it fails for, by ids; empty where it is about nothing in particular.
        fails_for: String,
        /// How many entries the record has.
        entries: usize,
    },
}

/// A rule misbehaved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}: rule `{rule}`: {message}{}", .stack.iter().map(|at| format!("\n  {at}")).collect::<String>())]
pub struct RuleError {
    /// The rule.
    pub rule: String,
    /// What went wrong.
    pub message: String,
    /// Its file.
    pub file: String,
    /// The line, or 0.
    pub line: usize,
    /// What the rule carries out.
    pub cite: Cite,
    /// The functions that were being carried out, the innermost first, each with its place and what its locals held.
    pub stack: Box<[String]>,
}

//! Players that answer by themselves.

use std::{fmt, sync::Arc};

use crate::{
    diagnostic::suggest,
    play::{Action, Game, NotTaken, Question, RuleError, Rules, Session},
    ruleset::{Cite, Kind, Ruleset, mixed},
};

/// Who answers for a side where no person does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Player {
    /// Any action, each as likely as the others.
    Random,
    /// What the ruleset's player of that name likes most; of several, and where it has no opinion, any.
    Named(Arc<str>),
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Random => f.write_str("random"),
            Player::Named(name) => f.write_str(name),
        }
    }
}

impl Player {
    /// The player that nearly every ruleset brings.
    pub const PLAIN: &'static str = "plain";

    /// Reads what [`Player`] is written as: `random`, or the name of a ruleset's player.
    pub fn parse(text: &str) -> Player {
        match text {
            "random" => Player::Random,
            name => Player::Named(name.into()),
        }
    }

    /// The player called `plain`.
    pub fn plain() -> Player {
        Player::Named(Player::PLAIN.into())
    }

    /// Whether it can play a ruleset.
    ///
    /// # Errors
    /// Why it cannot, in one sentence with what to do.
    pub fn fits(&self, ruleset: &Ruleset) -> Result<(), String> {
        match self {
            Player::Named(name) if ruleset.judgement(name).is_none() => {
                let known = ruleset.judgements.iter().map(|player| player.name.as_str()).chain(["random"]);
                let all = known.clone().collect::<Vec<_>>().join(", ");
                let likely = suggest(name, known);
                let help = if likely.is_empty() { format!("there are {all}") } else { likely };
                Err(format!("`{}` has no player `{name}`; {help}", ruleset.id))
            }
            _ => Ok(()),
        }
    }

    /// What it answers to the waiting question; the same for the same seed, whatever was asked elsewhere.
    ///
    /// # Errors
    /// The ruleset's player misbehaved, or there is none of that name; or nobody is asked.
    pub fn choose<R: Rules>(&self, session: &mut Session<R>, seed: u64) -> Result<Action, NotTaken> {
        let best = self.best(session)?;
        let question = session.question().ok_or(NotTaken::Over)?;
        let actions = if best.is_empty() { session.offers() } else { &best };
        Ok(choose_at_random(session.game(), question, actions, seed))
    }

    /// What it may answer to the waiting question, each as likely as the others.
    ///
    /// # Errors
    /// The ruleset's player misbehaved, or there is none of that name.
    pub fn likes<R: Rules>(&self, session: &mut Session<R>) -> Result<Vec<Action>, NotTaken> {
        let best = self.best(session)?;
        Ok(if best.is_empty() { session.offers().to_vec() } else { best })
    }

    /// The offers that it likes most; none where it has no opinion.
    fn best<R: Rules>(&self, session: &mut Session<R>) -> Result<Vec<Action>, NotTaken> {
        let Player::Named(name) = self else { return Ok(Vec::new()) };
        let worths = session.worths(known(&session.game().ruleset, name)?)?;
        let most = worths.iter().flatten().max().copied();
        let liked = session.offers().iter().zip(&worths).filter(|(_, worth)| most.is_some() && **worth == most);
        Ok(liked.map(|(action, _)| *action).collect())
    }
}

/// The number of a ruleset's player.
fn known(ruleset: &Ruleset, name: &str) -> Result<usize, NotTaken> {
    ruleset.judgement(name).ok_or_else(|| {
        let message = format!("`{}` has no player of that name", ruleset.id);
        let (file, line, stack) = (format!("players/{name}.yaml"), 0, Box::default());
        NotTaken::Rule(RuleError { rule: format!("players/{name}"), message, file, line, cite: Cite::NONE, stack })
    })
}

/// Draws an action: the one whose names give the greatest number with the question's. Every action is as likely as the
/// others, an action that a version adds changes the choice only where it wins itself, and a question that a version
/// adds changes no other choice.
pub fn choose_at_random(game: &Game, question: &Question, actions: &[Action], seed: u64) -> Action {
    let (ruleset, keys) = (&*game.ruleset, &game.ruleset.keys);
    let key = game.key_to_answer(question, seed);
    // Offers of a verb stand together.
    let drawn = actions.chunk_by(|a, b| a.verb == b.verb).map(|of_verb| {
        let verb = of_verb[0].verb as usize;
        let (takes, key) = (&ruleset.verbs[verb].takes, key ^ keys.verbs[verb]);
        let names = [0, 1].map(|at| keys.of_kind(takes.get(at).copied().unwrap_or(Kind::Int)));
        let name = |at: usize, value: i32| names[at].get(value as usize).copied().unwrap_or(value as u64);
        let weight = |[first, second]: [i32; 2]| {
            let weight = mixed(key ^ name(0, first));
            if takes.len() < 2 { weight } else { mixed(weight ^ name(1, second)) }
        };
        let weighed = of_verb.iter().map(|action| (weight(action.values), *action));
        weighed.max_by_key(|(weight, _)| *weight).expect("a chunk is not empty")
    });
    drawn.max_by_key(|(weight, _)| *weight).expect("a question that is asked offers something").1
}

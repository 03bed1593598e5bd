//! Players that answer by themselves.

use crate::{
    play::{Action, Game, NotTaken, Question, Rules, Session},
    ruleset::{Kind, mixed},
};

/// Who answers for a side where no person does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    /// Any action, each as likely as the others.
    Random,
    /// What the ruleset's own player likes most; of several, and where it has no opinion, any.
    Plain,
}

impl Player {
    /// What it answers to the waiting question; the same for the same seed, whatever was asked elsewhere.
    ///
    /// # Errors
    /// The ruleset's own player misbehaved; or nobody is asked.
    pub fn choose<R: Rules>(self, session: &mut Session<R>, seed: u64) -> Result<Action, NotTaken> {
        let best = if self == Player::Plain { best(session)? } else { Vec::new() };
        let question = session.question().ok_or(NotTaken::Over)?;
        let actions = if best.is_empty() { session.offers() } else { &best };
        Ok(choose_at_random(session.game(), question, actions, seed))
    }

    /// What it may answer to the waiting question, each as likely as the others.
    ///
    /// # Errors
    /// The ruleset's own player misbehaved.
    pub fn likes<R: Rules>(self, session: &mut Session<R>) -> Result<Vec<Action>, NotTaken> {
        let best = if self == Player::Plain { best(session)? } else { Vec::new() };
        Ok(if best.is_empty() { session.offers().to_vec() } else { best })
    }
}

/// The offers that the ruleset's own player likes most; none where it has no opinion.
fn best<R: Rules>(session: &mut Session<R>) -> Result<Vec<Action>, NotTaken> {
    let mut best = Vec::new();
    let mut most = i64::MIN;
    for action in session.offers().to_vec() {
        let Some(opinion) = session.opinion(action)? else { continue };
        if opinion > most {
            most = opinion;
            best.clear();
        }
        if opinion == most {
            best.push(action);
        }
    }
    Ok(best)
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

//! Players that answer by themselves.

use std::{fmt, sync::Arc, time::Duration};

use super::careful::{self, Budget, Following, Reckoning};
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
    /// Looks ahead with the ruleset's `plain`, as far as it may.
    Careful(Budget),
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Random => f.write_str("random"),
            Player::Named(name) => f.write_str(name),
            Player::Careful(Budget::USUAL) => f.write_str("careful"),
            Player::Careful(budget) => write!(f, "careful:{budget}"),
        }
    }
}

impl Player {
    /// The player that nearly every ruleset brings.
    pub const PLAIN: &'static str = "plain";

    /// Reads what [`Player`] is written as: `random`, `careful`, `careful:20000` with so many nodes for each plan,
    /// `careful:2s` with so many seconds, or the name of a ruleset's player.
    pub fn parse(text: &str) -> Player {
        let budget = match text.strip_prefix("careful") {
            Some("") => Some(Budget::USUAL),
            Some(budget) => budget.strip_prefix(':').and_then(|budget| match budget.strip_suffix('s') {
                Some(seconds) => seconds.parse().ok().map(|seconds| Budget::Time(Duration::from_secs(seconds))),
                None => budget.parse().ok().map(Budget::Nodes),
            }),
            None => None,
        };
        match (text, budget) {
            ("random", _) => Player::Random,
            (_, Some(budget)) => Player::Careful(budget),
            (name, None) => Player::Named(name.into()),
        }
    }

    /// Whether what it answers is the same on every machine: its thinking is not bounded by a clock.
    pub fn is_repeatable(&self) -> bool {
        !matches!(self, Player::Careful(Budget::Time(_)))
    }

    /// The player called `plain`.
    pub fn plain() -> Player {
        Player::Named(Player::PLAIN.into())
    }

    /// Who answers for a neutral side that nobody is named for: the ruleset's `plain`, if it has one, or anybody. An umpire is
    /// no opponent, and a game is not to hang on how badly he places what arrives.
    pub fn of_neutral(ruleset: &Ruleset) -> Player {
        let plain = Player::plain();
        if plain.fits(ruleset).is_ok() { plain } else { Player::Random }
    }

    /// Who answers for each side where one player plays for all that take part.
    pub fn for_all_of(&self, ruleset: &Ruleset) -> Vec<Player> {
        let of = |neutral: bool| if neutral { Player::of_neutral(ruleset) } else { self.clone() };
        ruleset.sides.iter().map(|side| of(side.neutral)).collect()
    }

    /// Whether it can play a ruleset.
    ///
    /// # Errors
    /// Why it cannot, in one sentence with what to do.
    pub fn fits(&self, ruleset: &Ruleset) -> Result<(), String> {
        match self {
            Player::Careful(budget) if budget.is_nothing() => Err(format!(
                "`{self}` has nothing to think with; write `careful:20000` for nodes or `careful:2s` for seconds"
            )),
            Player::Careful(_) => Player::plain().fits(ruleset).map_err(|_| {
                let id = &ruleset.id;
                format!("`{self}` looks ahead from what a player `plain` would do, and `{id}` has none: write `players/plain.yaml`")
            }),
            Player::Named(name) if ruleset.judgement(name).is_none() => {
                let known = ruleset.judgements.iter().map(|player| player.name.as_str()).chain(["random", "careful"]);
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
        if let Player::Careful(_) = self {
            return self.follow(&mut Following::default(), session, seed);
        }
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
        if let Player::Careful(_) = self {
            let seed = session.record().seed;
            return self.choose(session, seed).map(|action| vec![action]);
        }
        let best = self.best(session)?;
        Ok(if best.is_empty() { session.offers().to_vec() } else { best })
    }

    /// What it answers, by a plan that it follows.
    pub(super) fn follow<R: Rules>(
        &self,
        following: &mut Following,
        session: &mut Session<R>,
        seed: u64,
    ) -> Result<Action, NotTaken> {
        let Player::Careful(budget) = self else { return self.choose(session, seed) };
        if let Some(action) = following.next(session) {
            return Ok(action);
        }
        following.set(careful::plan(session, Player::PLAIN, *budget, seed)?);
        match following.next(session) {
            Some(action) => Ok(action),
            None => Player::plain().choose(session, seed),
        }
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

/// The players of one match, with what each has in mind: a plan is made once and followed for as long as it fits.
#[derive(Debug, Clone)]
pub struct Minds {
    players: Vec<(Player, Following)>,
}

impl Minds {
    /// Of these players, one for each side, before they have thought.
    pub fn new(players: &[Player]) -> Minds {
        Minds { players: players.iter().map(|player| (player.clone(), Following::default())).collect() }
    }

    /// What whoever is asked answers to the waiting question.
    ///
    /// # Errors
    /// As [`Player::choose`].
    pub fn choose<R: Rules>(&mut self, session: &mut Session<R>, seed: u64) -> Result<Action, NotTaken> {
        let by = session.question().ok_or(NotTaken::Over)?.by;
        let (player, following) = &mut self.players[by as usize];
        player.follow(following, session, seed)
    }
}

impl Minds {
    /// What speaks for the plan that a side follows, where its player makes plans and has made one.
    pub fn reckoning(&self, side: i32) -> Option<Reckoning> {
        self.players[side as usize].1.reckoning
    }

    /// With what such a plan goes on, where its first answer is the last that was given.
    pub fn then(&self, side: i32) -> Vec<Action> {
        self.players[side as usize].1.then()
    }
}

/// The number of a ruleset's player.
pub(super) fn known(ruleset: &Ruleset, name: &str) -> Result<usize, NotTaken> {
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
    let mut drawn = None;
    let mut rest = actions;
    // Offers of a verb stand together.
    while let Some(first) = rest.first() {
        let verb = usize::from(first.verb);
        let key = key ^ keys.verbs[verb];
        let names = |kind: &Kind| keys.of_kind(*kind);
        let name = |names: &[u64], value: i32| names.get(value as usize).copied().unwrap_or(value as u64);
        // What is weighed is the same for all of them, so it is looked at once.
        let (of_verb, others) = match &ruleset.verbs[verb].takes[..] {
            [first, second, ..] => {
                let (first, second) = (names(first), names(second));
                let key_of = |one: i32| mixed(key ^ name(first, one));
                // Pairs of one first value stand together too.
                let mut last = (-1, key_of(-1));
                heaviest(rest, |[one, other]| {
                    if one != last.0 {
                        last = (one, key_of(one));
                    }
                    mixed(last.1 ^ name(second, other))
                })
            }
            one => {
                let names = one.first().map_or(&[][..], names);
                heaviest(rest, |[value, _]| mixed(key ^ name(names, value)))
            }
        };
        drawn = if drawn.is_none_or(|(weight, _)| of_verb.0 >= weight) { Some(of_verb) } else { drawn };
        rest = others;
    }
    drawn.expect("a question that is asked offers something").1
}

/// Of the actions of the first verb, the last of those that weigh most, with its weight; and the actions behind them.
fn heaviest(actions: &[Action], mut weight: impl FnMut([i32; 2]) -> u64) -> ((u64, Action), &[Action]) {
    let (mut most, mut at, mut count) = (0, 0, 0);
    while let Some(action) = actions.get(count).filter(|action| action.verb == actions[0].verb) {
        let weight = weight(action.values);
        (most, at) = if weight >= most { (weight, count) } else { (most, at) };
        count += 1;
    }
    ((most, actions[at]), &actions[count..])
}

//! A version that follows a record of another: put where the record stands at the beginning of a task, by names, and then
//! given the record's answers.

use std::sync::Arc;

use super::branch::{Answer, Branch, branches, standing, told_lines};
use crate::{
    play::{Action, Chance, Crossing, Entry, Limits, Match, Offer, Question, Rules, Session, Set, Stands},
    ruleset::{Kind, Maker, Ruleset},
    show::Words,
};

/// How versions follow a record: what happens is told, and nothing is answered that the record does not say.
const LIMITS: Limits = Limits { undo: false, verify: false, log: true, forced: false };

/// Where a record stands: at a task, after some of its answers.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    /// Which task it is, of all that have been walked.
    pub task: usize,
    /// The record's own match at the beginning of the task.
    pub ground: Arc<Match>,
    /// The two versions' matches there. They know what the record's version has no place for.
    pub own: Option<Arc<[Match; 2]>>,
    /// The record's answers since.
    pub given: Vec<Entry>,
}

/// A version that follows.
pub(super) struct Follower<R: Rules> {
    pub session: Session<R>,
    /// From the record's version.
    pub crossing: Crossing,
    /// From each of the two that are compared.
    pub others: [Crossing; 2],
    record: Arc<Ruleset>,
    /// The task it is at, and how many answers of it it has been given; nothing where it is off the record's way.
    pub at: Option<(usize, usize)>,
    /// The task in which it could not follow.
    lost: Option<usize>,
    /// Whether it has stood anywhere yet, and whether it was put where it stands.
    pub has_begun: bool,
    pub was_put: bool,
}

/// One thing that can be looked at where a version stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// What is asked.
    Asks,
    /// What happened since the task began, before anything was asked.
    Begins,
    /// Whether something is offered.
    Offered(Choice),
    /// What a move costs.
    Cost(Choice),
    /// What comes of an answer; if so, with what is asked next.
    Effect(Choice, bool),
    /// What comes of a roll.
    Face(Choice),
}

/// An answer or what comes up, as one of the two versions numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    pub of: usize,
    pub action: Action,
}

impl<R: Rules> Follower<R> {
    /// A version that has not begun yet.
    pub fn new(rules: R, ruleset: &Arc<Ruleset>, versions: &[Arc<Ruleset>; 2], record: &Arc<Ruleset>) -> Follower<R> {
        Follower {
            session: Session::of(rules, Match::new(ruleset.clone(), usize::MAX, 0, LIMITS)),
            crossing: Crossing::new(record, ruleset),
            others: versions.each_ref().map(|version| Crossing::new(version, ruleset)),
            record: record.clone(),
            at: None,
            lost: None,
            has_begun: false,
            was_put: false,
        }
    }

    /// A record of another version is walked from here on.
    pub fn begin(&mut self, record: &Arc<Ruleset>) {
        if !Arc::ptr_eq(&self.record, record) {
            self.crossing = Crossing::new(record, self.session.ruleset());
            self.record = record.clone();
        }
        (self.at, self.lost, self.has_begun) = (None, None, false);
    }

    /// Goes to where a scene is; whether it stands there then. What the record's version does not know is as in the first
    /// of `own`, or else as in the second.
    pub fn stand(&mut self, scene: &Scene, own: [usize; 2]) -> bool {
        if self.lost == Some(scene.task) {
            return false;
        }
        let given = match self.at {
            Some((task, given)) if task == scene.task && given <= scene.given.len() => given,
            _ => {
                let others = scene.own.as_ref().map(|matches| own.map(|at| (&self.others[at], &matches[at])));
                let carried = self.crossing.carry(&scene.ground, others.as_ref().map_or(&[], |others| &others[..]));
                self.take_up(carried);
                0
            }
        };
        self.at = Some((scene.task, given));
        scene.given[given..].iter().all(|entry| self.follow(entry))
    }

    fn take_up(&mut self, mut m: Match) {
        (m.chance, m.limits) = (Chance::Person, LIMITS);
        self.session.is_foretold = true;
        let taken = self.session.take_up(m);
        debug_assert!(taken.is_ok(), "it is of the session's ruleset");
        self.session.is_foretold = true;
        if matches!(self.session.stands(), Stands::Before) {
            // What fails on the way is where it stands then.
            let _ = self.session.advance();
        }
    }

    /// Gives the record's next answer; whether it fits.
    pub fn follow(&mut self, entry: &Entry) -> bool {
        let Some((task, given)) = self.at else { return false };
        self.session.is_foretold = true;
        let its = self.crossing.entry(entry);
        let fits = its.is_some_and(|its| self.session.replay_entry(given, &its).is_ok());
        self.session.is_foretold = true;
        self.at = fits.then_some((task, given + 1));
        if !fits {
            self.lost = Some(task);
        }
        fits
    }

    /// Whether it has come to where the record begins a task by itself, so that it need not be put there.
    pub fn is_in_step(&self, record: &Session<R>) -> bool {
        let task = |session: &Session<R>| session.task();
        let is_same_task = match (task(record), task(&self.session)) {
            (Some(its), Some(own)) => self.crossing.task(&its) == Some(own),
            (None, None) => true,
            _ => false,
        };
        self.at.is_some()
            && is_same_task
            && self.session.answers_of_task() == 0
            && self.crossing.agree(record.game(), self.session.game())
    }

    /// What is seen of something where it stands; nothing where there is no such thing there.
    pub fn seen(&mut self, item: &Item) -> Option<Vec<String>> {
        match *item {
            Item::Asks => Some(vec![standing(&self.session)]),
            Item::Begins => Some(told_lines(self.session.ruleset(), self.session.game().told.iter())),
            Item::Offered(choice) => {
                let is_offered = self.action(choice).is_some_and(|action| self.session.is_offered(action));
                Some(vec![if is_offered { "yes" } else { "no" }.to_owned()])
            }
            Item::Cost(choice) => {
                let (action, question) = (self.action(choice)?, self.session.question()?);
                self.session.is_offered(action).then(|| self.cost(question, action).into_iter().collect())
            }
            Item::Effect(choice, with_next) => {
                let action = self.action(choice)?;
                self.session.question()?;
                self.comes_of(Answer::Side(action), with_next)
            }
            Item::Face(choice) => {
                let value = self.drawn(choice)?;
                let can_be = self.session.roll().is_some_and(|roll| roll.can_be(value));
                if can_be { self.comes_of(Answer::Rolled(value), true) } else { None }
            }
        }
    }

    /// What comes of an answer, line by line.
    fn comes_of(&mut self, answer: Answer, with_next: bool) -> Option<Vec<String>> {
        let branch = self.branches(&[answer]).pop()?;
        let next = with_next.then(|| format!("then {}", branch.stands));
        Some(branch.lines.into_iter().chain(next).collect())
    }

    /// What comes of answers, each given where it stands.
    pub fn branches(&mut self, answers: &[Answer]) -> Vec<Branch> {
        branches(&mut self.session, answers)
    }

    /// A choice as this version numbers it.
    pub fn action(&self, choice: Choice) -> Option<Action> {
        self.others[choice.of].action(choice.action)
    }

    /// What comes up, as this version numbers it.
    fn drawn(&self, choice: Choice) -> Option<i32> {
        let roll = self.session.roll()?;
        let draws = self.session.ruleset().chances[usize::from(roll.chance)].draws.unwrap_or(Kind::Int);
        self.others[choice.of].value(draws, choice.action.values[0])
    }

    /// What a move to where an answer names costs of what there is; nothing where it makes no move.
    pub fn cost(&self, question: &Question, action: Action) -> Option<String> {
        let game = self.session.game();
        let mut offers = question.offers.iter().filter(|offer| offer.verb == action.verb);
        let (m, to) = offers.find_map(|offer| game.moving(offer, action))?;
        let mover = &game.ruleset.movers[usize::from(m.mover)];
        let cost = game.reach(&m, |flood| flood.cost_of(to))?;
        let beyond = game.beyond(&m, to);
        let more = if beyond > 0 {
            format!(", {} of it beyond the allowance", mover.in_points(beyond))
        } else {
            String::new()
        };
        Some(format!("{} of {} movement points{more}", mover.in_points(cost), mover.in_points(m.allowance)))
    }

    /// Whether an offer is of moves, which are held against each other by what they cost.
    pub fn is_of_moves(offer: &Offer) -> bool {
        matches!(offer.set, Set::Reach(_) | Set::Ends { .. })
            || offer.then.is_some_and(|then| matches!(then.by, Maker::Mover(_)))
    }

    /// Why a choice is not offered, line by line.
    pub fn refusals(&self, choice: Choice) -> Vec<String> {
        let ruleset = self.session.ruleset();
        let (Some(question), Some(action)) = (self.session.question(), self.action(choice)) else {
            return vec!["this version has no such thing".to_owned()];
        };
        let words = Words::all(ruleset);
        let mut all: Vec<String> = Vec::new();
        for refusal in self.session.game().why_not(question, action) {
            let told = words.refusal(&refusal);
            if !all.contains(&told) {
                all.push(told);
            }
        }
        all
    }
}

//! A player that looks ahead, for every ruleset: it plans a whole part of its turn, plays each plan on in forks, and keeps the
//! one after which it stands best.
//!
//! A turn of a board wargame is dozens of answers before anybody rolls or replies, so single answers are not searched as a
//! tree. A **plan** is the answers a side gives until chance or another side speaks. The first plan is what the ruleset's
//! own player would do; others differ from the best so far in an answer, and go on as that did where it still can be
//! done. Each is played on by the ruleset's player for all sides, under seeds none of which is the match's own: what will
//! be rolled is not known beforehand.

use std::{
    collections::VecDeque,
    fmt,
    time::{Duration, Instant},
};

use super::player::{Player, choose_at_random, known};
use crate::{
    play::{About, Action, Chance, Game, Limits, Match, NotTaken, Question, Rules, Session, SessionError, Stands},
    ruleset::{Sense, joined, mixed},
};

/// How much a careful player may think about one plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// So many answers tried in forks: the same plan on every machine.
    Nodes(u32),
    /// So long, at a board.
    Time(Duration),
}

impl Budget {
    /// What it is where nobody says.
    pub const USUAL: Budget = Budget::Nodes(4000);
}

/// An answer of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    /// How many entries the record has before it.
    at: usize,
    key: u16,
    about: About,
    action: Action,
}

impl Step {
    fn is_for(&self, question: &Question) -> bool {
        self.key == question.key && self.about == question.about
    }
}

/// A plan, and what came of it.
struct Plan {
    steps: Vec<Step>,
    /// For each step, what else could have been answered: what the ruleset's player likes best, that first.
    others: Vec<Vec<Action>>,
    /// Where chance or another side speaks.
    then: Match,
    /// What it came to under each seed, as far as it has been played on.
    worths: [Option<i64>; SEEDS],
}

impl Plan {
    fn actions(&self) -> Vec<Action> {
        self.steps.iter().map(|step| step.action).collect()
    }
}

/// So many seeds there are, of which every plan meets some.
const SEEDS: usize = 64;
/// Plans are compared under so many at least, and at most.
const LEAST_SEEDS: usize = 8;
const MOST_SEEDS: usize = 40;
/// By so many standard errors a plan must be ahead.
const SURE: f64 = 1.3;

/// So many other answers of each question are tried, those that the ruleset's player likes best.
const OTHERS: usize = 5;
/// Play goes on so many answers behind a plan at least, and to where the other side has had its turn and another game turn
/// has begun: where sides alternate impulse by impulse, a player turn is too short to tell anything.
const AHEAD: usize = 24;
/// In no case longer.
const FARTHEST: usize = 600;
/// What winning is worth, against a point of what the first measure counts.
const WON: i64 = 2000;
const A_POINT: i64 = 20;
/// What a point of another measure is worth, which tells who stands well and not who wins.
const BESIDE: i64 = 5;

/// Plans what a side answers, from where it is asked to where chance or another side speaks.
pub(super) fn plan<R: Rules>(
    session: &mut Session<R>,
    player: &str,
    budget: Budget,
    seed: u64,
) -> Result<VecDeque<Step>, NotTaken> {
    let by = session.question().ok_or(NotTaken::Over)?.by;
    let judgement = known(&session.game().ruleset, player)?;
    let player = Player::Named(player.into());
    let readings = session.readings.take();
    let planned = session.try_out(|session| {
        session.limits = Limits::BULK;
        session.looking.clear();
        let start = session.fork();
        let draw = joined(&[seed, session.entries() as u64, 0x706c_616e]);
        let mut search =
            Search { session, start, by, player, judgement, draw, drawn: 0, nodes: 0, budget, since: Instant::now() };
        search.best()
    });
    session.readings = readings;
    planned
}

struct Search<'a, R: Rules> {
    session: &'a mut Session<R>,
    start: Match,
    by: i32,
    player: Player,
    judgement: usize,
    draw: u64,
    drawn: u64,
    nodes: u32,
    budget: Budget,
    since: Instant,
}

impl<R: Rules> Search<'_, R> {
    fn is_spent(&self) -> bool {
        match self.budget {
            Budget::Nodes(most) => self.nodes >= most,
            Budget::Time(most) => self.since.elapsed() >= most,
        }
    }

    /// A number below another, the same in the same search.
    fn below(&mut self, bound: usize) -> usize {
        self.drawn += 1;
        (mixed(self.draw ^ mixed(self.drawn)) % bound.max(1) as u64) as usize
    }

    fn best(&mut self) -> Result<VecDeque<Step>, NotTaken> {
        let mut best = self.unroll(&[], None)?;
        let alternatives = |plan: &Plan| plan.others.iter().map(Vec::len).sum::<usize>();
        let mut tried: Vec<Vec<Action>> = vec![best.actions()];
        let mut in_vain = 0;
        while !self.is_spent() && in_vain < 3 * alternatives(&best) {
            in_vain += 1;
            let Some(at) = self.place_to_change(&best) else { break };
            let other = self.below(best.others[at].len());
            let mut next = self.unroll(&best.steps, Some((at, best.others[at][other])))?;
            let actions = next.actions();
            if tried.contains(&actions) {
                continue;
            }
            tried.push(actions);
            if self.is_better(&mut next, &mut best)? {
                (best, in_vain) = (next, 0);
            }
        }
        Ok(best.steps.into())
    }

    /// A step for which something else could be answered.
    fn place_to_change(&mut self, plan: &Plan) -> Option<usize> {
        let open: Vec<usize> = (0..plan.steps.len()).filter(|at| !plan.others[*at].is_empty()).collect();
        if open.is_empty() { None } else { Some(open[self.below(open.len())]) }
    }

    /// Whether a plan is better than the best so far, each played on under the same seeds. It is given up once it falls
    /// behind. Every plan meets seeds of its own, and must be ahead by more than luck would explain: else the best of many
    /// would be the luckiest, and no better than the first.
    fn is_better(&mut self, next: &mut Plan, best: &mut Plan) -> Result<bool, NotTaken> {
        let first = self.drawn as usize;
        let (mut ahead, mut squares) = (0.0, 0.0);
        for (count, seed) in (first..first + MOST_SEEDS).map(|seed| seed % SEEDS).enumerate() {
            let by = (self.worth(next, seed)? - self.worth(best, seed)?) as f64;
            (ahead, squares) = (ahead + by, squares + by * by);
            let count = (count + 1) as f64;
            // The sum of so many differences, against how far it strays by chance.
            let strays = (squares - ahead * ahead / count).max(0.0).sqrt();
            if count >= 2.0 && ahead <= 0.0 {
                return Ok(false);
            }
            if count >= LEAST_SEEDS as f64 && ahead > SURE * strays {
                return Ok(true);
            }
            if self.is_spent() {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// What a plan comes to under a seed.
    fn worth(&mut self, plan: &mut Plan, seed: usize) -> Result<i64, NotTaken> {
        if let Some(worth) = plan.worths[seed] {
            return Ok(worth);
        }
        let worth = self.play_on(&plan.then, seed)?;
        plan.worths[seed] = Some(worth);
        Ok(worth)
    }

    /// Follows a plan as far as it can be followed, with another answer at one of its steps, and else does as the ruleset's
    /// player would, until chance or another side speaks.
    fn unroll(&mut self, steps: &[Step], change: Option<(usize, Action)>) -> Result<Plan, NotTaken> {
        self.take_up(self.start.clone(), Chance::Person);
        let mut left: VecDeque<Step> = steps.iter().copied().collect();
        let (mut own, mut others) = (Vec::new(), Vec::new());
        while let Stands::Asks(question) = self.session.stands() {
            if question.by != self.by || own.len() >= FARTHEST {
                break;
            }
            let question = question.clone();
            let liked = self.liked()?;
            let changed = change.filter(|(at, _)| *at == own.len()).map(|(_, action)| action);
            if changed.is_some() {
                left.pop_front();
            }
            let action = match changed {
                Some(action) => action,
                None => {
                    let offers = self.session.offers();
                    let next = left.iter().position(|s| s.is_for(&question) && offers.contains(&s.action));
                    next.and_then(|at| left.remove(at)).map_or(liked[0], |step| step.action)
                }
            };
            others.push(liked.into_iter().filter(|other| *other != action).take(OTHERS).collect());
            let step = Step { at: self.session.entries(), key: question.key, about: question.about, action };
            own.push(step);
            self.answer(action)?;
        }
        Ok(Plan { steps: own, others, then: self.session.fork(), worths: [None; SEEDS] })
    }

    /// What is offered, as the ruleset's player likes it, most first. Of those it likes alike one that is drawn by names is
    /// first, so that it is the same whatever else is offered.
    fn liked(&mut self) -> Result<Vec<Action>, NotTaken> {
        let worths = self.session.worths(self.judgement)?;
        let offers = self.session.offers();
        let most = worths.iter().max().copied().flatten();
        let first: Vec<Action> =
            offers.iter().zip(&worths).filter(|(_, worth)| **worth == most).map(|(action, _)| *action).collect();
        let question = self.session.question().ok_or(NotTaken::Over)?;
        let first = choose_at_random(self.session.game(), question, &first, self.draw);
        let mut rest: Vec<(Option<i64>, Action)> =
            worths.iter().copied().zip(offers.iter().copied()).filter(|(_, action)| *action != first).collect();
        rest.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
        Ok([first].into_iter().chain(rest.into_iter().map(|(_, action)| action)).collect())
    }

    fn take_up(&mut self, m: Match, chance: Chance) {
        let taken = self.session.take_up(m);
        debug_assert!(taken.is_ok(), "it is of the session's ruleset");
        self.session.chance = chance;
    }

    fn answer(&mut self, action: Action) -> Result<(), NotTaken> {
        self.nodes += 1;
        let by = self.session.question().ok_or(NotTaken::Over)?.by;
        match self.session.act(by, action) {
            Ok(()) => Ok(()),
            Err(SessionError::NotTaken(why)) => Err(why),
            // Where a rule fails is no place to go: it is told when play comes there.
            Err(SessionError::Failed(_)) => Ok(()),
        }
    }

    /// Plays on behind a plan, and says how well the side stands then.
    fn play_on(&mut self, from: &Match, seed: usize) -> Result<i64, NotTaken> {
        let seed = joined(&[self.draw, seed as u64]);
        self.take_up(from.with_seed(seed), Chance::Keyed);
        if self.session.roll().is_some() {
            let _ = self.session.go_ahead();
        }
        let begun = self.session.game().turn();
        let (mut answers, mut turns, mut phasing) = (0, 0, self.session.game().phasing());
        while let Stands::Asks(_) = self.session.stands() {
            let now = self.session.game().phasing();
            turns += usize::from(now != phasing);
            let is_over = turns >= 2 && now != phasing && self.session.game().turn() > begun;
            if (answers >= AHEAD && is_over) || answers >= FARTHEST {
                break;
            }
            phasing = now;
            let best = self.player.choose(self.session, seed)?;
            self.answer(best)?;
            answers += 1;
        }
        Ok(standing(self.session.game(), self.by))
    }
}

/// How well a side stands: what it has won, and what the measures say that are better for it the more, or the less, they
/// come to.
fn standing(game: &Game, by: i32) -> i64 {
    let ruleset = &game.ruleset;
    let won = match game.outcome() {
        Some(outcome) => match (outcome.winners.contains(&by), outcome.winners.len()) {
            (true, 1) => WON,
            (false, 1..) => -WON,
            _ => 0,
        },
        None => 0,
    };
    let measured = |at: usize| {
        let of = |side: i32| i64::from(game.measure(at, side));
        let others = ruleset.players().filter(|side| *side != by).map(of).max().unwrap_or(0);
        of(by) - others
    };
    let mut beside = 0;
    for (at, measure) in ruleset.measures.iter().enumerate().filter(|(_, measure)| !measure.is_condition) {
        let weight = if at == 0 { A_POINT } else { BESIDE };
        beside += match measure.sense {
            Sense::Less => -weight * measured(at),
            // The first one is what a side's result is told by.
            Sense::Neither if at > 0 => 0,
            Sense::More | Sense::Neither => weight * measured(at),
        };
    }
    won + beside.clamp(-WON, WON)
}

/// A plan that is being followed.
#[derive(Debug, Clone, Default)]
pub(super) struct Following {
    steps: VecDeque<Step>,
}

impl Following {
    /// The next answer of the plan, where it is one to the waiting question; a plan that does not fit any more is dropped.
    pub fn next<R: Rules>(&mut self, session: &Session<R>) -> Option<Action> {
        let question = session.question()?;
        let step = self.steps.pop_front();
        let fits = step.filter(|step| {
            step.at == session.entries() && step.is_for(question) && session.offers().contains(&step.action)
        });
        if fits.is_none() {
            self.steps.clear();
        }
        fits.map(|step| step.action)
    }

    /// Follows another plan.
    pub fn set(&mut self, steps: VecDeque<Step>) {
        self.steps = steps;
    }
}

/// Written as it is read: `2000` nodes, or `2s`.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Nodes(nodes) => write!(f, "{nodes}"),
            Budget::Time(time) => write!(f, "{}s", time.as_secs()),
        }
    }
}

//! A player that looks ahead, for every ruleset: it plans a whole part of its turn, plays each plan on in forks, and keeps the
//! one after which it stands best.
//!
//! A turn of a board wargame is dozens of answers before anybody rolls or replies, so single answers are not searched as a
//! tree. A **plan** is the answers a side gives until chance or another side speaks. The first plan is what the ruleset's
//! own player would do; others are what it would do in other moods, in which some of its reasons count more and some less,
//! and the best plan so far with another answer. Each is played on by the ruleset's player for all sides, under seeds none
//! of which is the match's own: what will be rolled is not known beforehand. What the side may not know is drawn anew for
//! each seed, so that how it truly lies has no part in a plan.

use std::{
    collections::{BTreeSet, VecDeque},
    fmt,
    time::{Duration, Instant},
};

use super::player::{Player, choose_at_random, known};
use crate::{
    play::{
        About, Action, Chance, Game, Limits, Match, Mood, NotTaken, Question, Rules, Session, SessionError, Stands,
    },
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
    pub const USUAL: Budget = Budget::Nodes(12_000);

    /// Whether no plan can be made with it.
    pub fn is_nothing(self) -> bool {
        matches!(self, Budget::Nodes(0) | Budget::Time(Duration::ZERO))
    }
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

/// A plan.
struct Plan {
    steps: Vec<Step>,
    /// For each step, what else could have been answered: what the ruleset's player likes best, that first. The shorter a
    /// plan, the more of them.
    others: Vec<Vec<Action>>,
    /// Where chance or another side speaks.
    then: Match,
    /// The hash of the game there: plans that lead to one position are one plan.
    hash: u64,
}

/// What speaks for a plan that is followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reckoning {
    /// How many plans were held against each other.
    pub plans: usize,
    /// By how much the side is thought to stand better after it than after what the ruleset's player would do, in points of
    /// the first measure; nothing where it is what that player would do.
    pub gain: Option<f64>,
    /// With how many answers it begins that are what that player would give too.
    pub alike: usize,
}

/// In one sentence.
impl fmt::Display for Reckoning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = Player::PLAIN;
        let Reckoning { plans, alike, .. } = self;
        let Some(gain) = self.gain else {
            return match plans {
                1 => write!(f, "what {plain} would do: there is no other plan"),
                plans => write!(f, "what {plain} would do: none of {plans} plans played on was surely better"),
            };
        };
        write!(f, "the best of {plans} plans played on: by {gain:.1} points better than what {plain} would do")?;
        match alike {
            0 => Ok(()),
            1 => write!(f, ", from which it parts after this answer"),
            _ => write!(f, ", from which it parts after {alike} answers"),
        }
    }
}

/// So many other plans are held against the best one in a round,
const ROUND: usize = 16;
/// and half of them at most are the ruleset's player's in another mood.
const MOODS: usize = 8;
/// Plans of a round are played on under so many seeds, and those that are ahead under more. What is ahead in the end must be
/// so under the last ones too, which had no part in choosing it: the best of many is the luckiest of them otherwise.
const STAGES: [usize; 4] = [6, 12, 24, 48];
/// By so many standard errors a plan must be ahead.
const SURE: f64 = 1.0;
/// So many rounds in vain are enough.
const IN_VAIN: usize = 4;

/// So many other answers are tried of the questions of a plan together, and of each: those that the ruleset's player likes best.
const OTHERS: usize = 48;
const OTHERS_OF_EACH: usize = 5;
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
) -> Result<(VecDeque<Step>, Reckoning), NotTaken> {
    let by = session.question().ok_or(NotTaken::Over)?.by;
    let judgement = known(&session.game().ruleset, player)?;
    let player = Player::Named(player.into());
    let readings = session.readings.take();
    let planned = session.try_out(|session| {
        session.limits = Limits::BULK;
        session.looking.clear();
        let start = session.fork();
        let knows_all = session.game().knows_all(by);
        let draw = joined(&[seed, session.entries() as u64, 0x706c_616e]);
        let mut search = Search {
            session,
            start,
            by,
            knows_all,
            player,
            judgement,
            draw,
            drawn: 0,
            nodes: 0,
            budget,
            since: Instant::now(),
            mood: Mood::USUAL,
        };
        search.best()
    });
    session.readings = readings;
    planned
}

struct Search<'a, R: Rules> {
    session: &'a mut Session<R>,
    start: Match,
    by: i32,
    /// Whether nothing is hidden from the side.
    knows_all: bool,
    player: Player,
    judgement: usize,
    draw: u64,
    drawn: u64,
    nodes: u32,
    budget: Budget,
    since: Instant,
    /// The mood of the ruleset's player while it plans.
    mood: Mood,
}

impl<R: Rules> Search<'_, R> {
    fn is_spent(&self) -> bool {
        match self.budget {
            Budget::Nodes(most) => self.nodes >= most,
            Budget::Time(most) => self.since.elapsed() >= most,
        }
    }

    /// A number, the same in the same search.
    fn next(&mut self) -> u64 {
        self.drawn += 1;
        mixed(self.draw ^ mixed(self.drawn))
    }

    /// One below another.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn best(&mut self) -> Result<(VecDeque<Step>, Reckoning), NotTaken> {
        let mut best = self.unroll(&[], None)?;
        let usual = best.steps.clone();
        let mut seen = BTreeSet::from([best.hash]);
        let (mut in_vain, mut gain) = (0, None);
        for round in 0.. {
            if self.is_spent() || in_vain == IN_VAIN {
                break;
            }
            let others = self.others(&best, &mut seen)?;
            if others.is_empty() {
                break;
            }
            match self.better(&best, others, round)? {
                Some((next, ahead)) => (best, in_vain, gain) = (next, 0, Some(gain.unwrap_or_default() + ahead)),
                None => in_vain += 1,
            }
        }
        let gain = gain.map(|gain: f64| gain / A_POINT as f64);
        let alike = best.steps.iter().zip(&usual).take_while(|(one, other)| one == other).count();
        Ok((best.steps.into(), Reckoning { plans: seen.len(), gain, alike }))
    }

    /// Plans that nobody has seen yet: what the ruleset's player does in other moods, and the best plan with another answer.
    fn others(&mut self, best: &Plan, seen: &mut BTreeSet<u64>) -> Result<Vec<Plan>, NotTaken> {
        let mut plans = Vec::new();
        let open: Vec<usize> = (0..best.steps.len()).filter(|at| !best.others[*at].is_empty()).collect();
        for tried in 0..2 * ROUND {
            if open.is_empty() || plans.len() == ROUND || self.is_spent() {
                break;
            }
            let plan = if tried < MOODS {
                self.mood = Mood::drawn(joined(&[self.draw, self.next()]));
                let plan = self.unroll(&[], None);
                self.mood = Mood::USUAL;
                plan?
            } else {
                let at = open[self.below(open.len())];
                // Rather one that the player likes better.
                let others = &best.others[at];
                let other = self.below(others.len()).min(self.below(others.len()));
                self.unroll(&best.steps, Some((at, others[other])))?
            };
            if seen.insert(plan.hash) {
                plans.push(plan);
            }
        }
        Ok(plans)
    }

    /// Of some plans the one that is better than the best so far, if there is one: all are played on under the same seeds,
    /// and those that fall behind are given up stage by stage (sequential halving). With it, by how much it is better.
    fn better(&mut self, best: &Plan, plans: Vec<Plan>, round: u64) -> Result<Option<(Plan, f64)>, NotTaken> {
        let mut known = Vec::new();
        let mut left: Vec<(Plan, Vec<f64>)> = plans.into_iter().map(|plan| (plan, Vec::new())).collect();
        for (stage, until) in STAGES.into_iter().enumerate() {
            for number in known.len()..until {
                let seed = joined(&[self.draw, round, number as u64]);
                known.push(self.play_on(best, seed)?);
                for (plan, ahead) in &mut left {
                    let worth = self.play_on(plan, seed)?;
                    ahead.push((worth - known[number]) as f64);
                }
                if self.is_spent() {
                    return Ok(None);
                }
            }
            left.retain(|(_, ahead)| sum(ahead) > 0.0);
            left.sort_by(|(_, a), (_, b)| sum(b).total_cmp(&sum(a)));
            left.truncate(ROUND >> (stage + 1));
            if left.is_empty() {
                return Ok(None);
            }
        }
        let is_ahead = |ahead: &[f64]| sum(ahead) > SURE * strays(ahead) && sum(&ahead[STAGES[2]..]) > 0.0;
        // Only the last seeds had no part in choosing it.
        let mean = |ahead: &[f64]| sum(&ahead[STAGES[2]..]) / (ahead.len() - STAGES[2]) as f64;
        let found = left.into_iter().find(|(_, ahead)| is_ahead(ahead));
        Ok(found.map(|(plan, ahead)| (plan, mean(&ahead))))
    }

    /// Follows a plan from where the side is asked, with another answer at one of its steps.
    fn unroll(&mut self, steps: &[Step], change: Option<(usize, Action)>) -> Result<Plan, NotTaken> {
        self.take_up(self.start.clone(), Chance::Person);
        self.session.suppose(self.by, self.draw);
        let (mut own, mut others) = (Vec::new(), Vec::new());
        self.follow(steps, change, |step, liked| {
            others.push(liked.into_iter().filter(|other| *other != step.action).take(OTHERS).collect());
            own.push(step);
        })?;
        let most = (OTHERS / own.len().max(1)).max(OTHERS_OF_EACH);
        others.iter_mut().for_each(|others: &mut Vec<Action>| others.truncate(most));
        let hash = self.session.game().hash();
        Ok(Plan { steps: own, others, then: self.session.fork(), hash })
    }

    /// Answers as a plan does, as far as it can be followed, and else as the ruleset's player would, until chance or another
    /// side speaks. `each` hears of every answer, and of what was offered in the order in which that player likes it.
    fn follow(
        &mut self,
        steps: &[Step],
        change: Option<(usize, Action)>,
        mut each: impl FnMut(Step, Vec<Action>),
    ) -> Result<(), NotTaken> {
        let mut left: VecDeque<Step> = steps.iter().copied().collect();
        let mut number = 0;
        while let Stands::Asks(question) = self.session.stands() {
            if question.by != self.by || number >= FARTHEST {
                break;
            }
            let question = question.clone();
            let liked = self.liked()?;
            let changed = change.filter(|(at, _)| *at == number).map(|(_, action)| action);
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
            each(Step { at: self.session.entries(), key: question.key, about: question.about, action }, liked);
            self.answer(action)?;
            number += 1;
        }
        Ok(())
    }

    /// What is offered, as the ruleset's player likes it, most first. Of those it likes alike one that is drawn by names is
    /// first, so that it is the same whatever else is offered.
    fn liked(&mut self) -> Result<Vec<Action>, NotTaken> {
        let worths = self.session.worths_in(self.mood, self.judgement)?;
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
    fn play_on(&mut self, plan: &Plan, seed: u64) -> Result<i64, NotTaken> {
        if self.knows_all {
            self.take_up(plan.then.with_seed(seed), Chance::Keyed);
        } else {
            // What it may not know lies otherwise under each seed, so the plan is carried out from its beginning.
            self.take_up(self.start.with_seed(seed), Chance::Person);
            self.session.suppose(self.by, seed);
            self.follow(&plan.steps, None, |_, _| ())?;
            self.session.chance = Chance::Keyed;
        }
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

fn sum(of: &[f64]) -> f64 {
    of.iter().sum()
}

/// How far the sum of such numbers strays by chance.
fn strays(of: &[f64]) -> f64 {
    let squares: f64 = of.iter().map(|one| one * one).sum();
    let sum = sum(of);
    (squares - sum * sum / of.len() as f64).max(0.0).sqrt()
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
    /// How many of its answers have been given.
    given: usize,
    /// What speaks for it, since the side last planned.
    pub reckoning: Option<Reckoning>,
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
        self.given += 1;
        fits.map(|step| step.action)
    }

    /// Follows another plan.
    pub fn set(&mut self, (steps, reckoning): (VecDeque<Step>, Reckoning)) {
        (self.steps, self.given, self.reckoning) = (steps, 0, Some(reckoning));
    }

    /// With what the plan goes on behind its first answer; nothing behind others.
    pub fn then(&self) -> Vec<Action> {
        let steps = self.steps.iter().filter(|_| self.given == 1);
        steps.map(|step| step.action).collect()
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

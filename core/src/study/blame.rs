//! Which amendments decided a game: sets of them, no member of which can be left out, without which it would have gone
//! otherwise, or would have ended otherwise.
//!
//! A version without some of them is given the record's answers again: to the same question of the same turn the same
//! answer, where it is offered; elsewhere a player answers. Dice that fell for an event fall for it again. So the game
//! leaves the record's way only where the version makes it.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use super::{
    Make, Minds, Mixtures, Player, ReplayError,
    trial::{key_of_about, key_of_action, key_of_entry},
};
use crate::{
    play::{Action, Chance, Entry, Limits, Match, Question, Record, Rules, Session, SessionError, Stands},
    ruleset::{Kind, Ruleset, joined},
    show::record_line,
};

/// A record whose amendments are looked into.
pub struct Blame<'a> {
    /// Its version.
    pub ruleset: &'a Arc<Ruleset>,
    /// It.
    pub record: &'a Record,
    /// What its version differs in from the one that it is held against.
    pub mixtures: &'a Mixtures,
    /// Who answers for each side where the record has no answer.
    pub players: &'a [Player],
    /// So many versions are tried at most, once every amendment has been by itself.
    pub most: usize,
}

/// How a game went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// How it ended.
    pub outcome: String,
    /// What the score of each side came to, side by side: the first of the ruleset's measures.
    pub scores: Vec<(String, i32)>,
    /// Its answers, as a record has them.
    pub lines: Vec<String>,
    /// The same by names.
    story: Vec<u64>,
    hash: u64,
}

/// A set of amendments that decided something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// Their names, and values changed on top as `--set PATH=VALUE` has them.
    pub set: Vec<String>,
    /// How the game ends without them.
    pub outcome: String,
    /// What the score of each side comes to then.
    pub scores: Vec<(String, i32)>,
    /// The first answer, counted from 1, that is another or leads elsewhere; nothing where all are the same.
    pub parted: Option<usize>,
    /// What the record answers there, and what is answered without them.
    pub lines: [Option<String>; 2],
}

/// What decided a game.
#[derive(Debug, Clone)]
pub struct Blamed {
    /// How it went.
    pub course: Course,
    /// How many of its answers stand in the record; the rest is played on.
    pub recorded: usize,
    /// Sets without which it ends otherwise.
    pub result: Vec<Cause>,
    /// Sets without which it goes otherwise.
    pub story: Vec<Cause>,
    /// How many versions were tried.
    pub tried: usize,
    /// Every set of so many amendments or fewer was tried.
    pub up_to: usize,
    /// Whether every set was, so that there are no others.
    pub is_exact: bool,
    /// How many sets cannot be left out by themselves, because amendments need or exclude each other.
    pub impossible: usize,
    /// Versions in which the game could not be played to its end.
    pub failed: Vec<(Vec<String>, String)>,
}

/// What a record answered, by what was asked in which turn.
type Answers = BTreeMap<(i32, u64), VecDeque<u64>>;

impl Blame<'_> {
    /// Looks for what decided it. `make` makes versions; `tried` hears of each.
    ///
    /// # Errors
    /// The record does not fit its own version, or cannot be played on; or what `rules` says.
    pub fn find<R: Rules, E: From<ReplayError> + From<SessionError>>(
        &self,
        rules: impl Fn(&Arc<Ruleset>) -> Result<R, E>,
        make: &Make<R>,
        mut tried: impl FnMut(),
    ) -> Result<Blamed, E> {
        let (answers, dice) = self.remember(rules(self.ruleset)?)?;
        let course = self.course(self.ruleset, rules(self.ruleset)?, &answers, &dice)?;
        let names = |set: &[usize]| set.iter().map(|at| self.mixtures.names[*at].clone()).collect::<Vec<_>>();
        let (mut causes, mut impossible, mut failed) = (BTreeMap::new(), 0, Vec::new());
        let count = self.mixtures.names.len();
        let least = least_sets(count, self.most, |set| {
            tried();
            let mut as_in_second = vec![false; count];
            set.iter().for_each(|at| as_in_second[*at] = true);
            let Some((ruleset, rules)) = make(&self.mixtures.selection(&as_in_second)) else {
                impossible += 1;
                return [false; 2];
            };
            match self.course(&ruleset, rules, &answers, &dice) {
                Ok(other) => {
                    let cause = cause(names(set), &course, &other);
                    let is_other_end = (&other.outcome, &other.scores) != (&course.outcome, &course.scores);
                    let is_other = is_other_end || cause.parted.is_some() || other.hash != course.hash;
                    causes.insert(set.to_vec(), cause);
                    [is_other_end, is_other]
                }
                Err(wrong) => {
                    failed.push((names(set), wrong.to_string()));
                    [false; 2]
                }
            }
        });
        let of = |sets: &[Vec<usize>]| sets.iter().filter_map(|set| causes.get(set).cloned()).collect();
        Ok(Blamed {
            recorded: self.record.entries.len(),
            result: of(&least.sets[0]),
            story: of(&least.sets[1]),
            tried: least.tried,
            up_to: least.up_to,
            is_exact: least.up_to == count,
            course,
            impossible,
            failed,
        })
    }

    /// What the record answers and what fell in it, by names.
    fn remember<R: Rules>(&self, rules: R) -> Result<(Answers, BTreeMap<u64, u64>), ReplayError> {
        let record = self.record;
        let scenario = self.ruleset.scenario(&record.scenario);
        let scenario = scenario.ok_or_else(|| ReplayError::NoScenario(record.scenario.clone()))?;
        let mut session = Session::new(self.ruleset.clone(), rules, scenario, record.seed, LIMITS);
        (session.chance, session.is_foretold) = (Chance::Person, true);
        session.advance()?;
        let (mut answers, mut dice) = (Answers::new(), BTreeMap::new());
        for (number, entry) in record.entries.iter().enumerate() {
            match entry {
                Entry::Side { action, .. } => {
                    if let Some(question) = session.question() {
                        let key = (session.game().turn(), key_of_question(self.ruleset, question));
                        answers.entry(key).or_default().push_back(key_of_action(self.ruleset, *action));
                    }
                }
                Entry::Chance { value, .. } => dice.extend(session.remembered(*value)),
                Entry::Agreement(_) => (),
            }
            session.replay_entry(number, entry).map_err(|wrong| ReplayError::Answer(number + 1, wrong))?;
        }
        Ok((answers, dice))
    }

    /// Plays a version as the record has it, and to its end.
    fn course<R: Rules>(
        &self,
        ruleset: &Arc<Ruleset>,
        rules: R,
        answers: &Answers,
        dice: &BTreeMap<u64, u64>,
    ) -> Result<Course, SessionError> {
        let scenario = ruleset.scenario(&self.record.scenario).unwrap_or(usize::MAX);
        let begun = Match::new(ruleset.clone(), scenario, self.record.seed, LIMITS);
        let mut session = Session::of(rules, begun);
        session.chance = Chance::Remembered(dice.clone());
        let (mut left, mut minds, seed) = (answers.clone(), Minds::new(self.players), self.record.seed);
        session.advance()?;
        while let Stands::Asks(question) = session.stands() {
            let question = question.clone();
            let known = left.get_mut(&(session.game().turn(), key_of_question(ruleset, &question)));
            let known = known.and_then(|left| offered(ruleset, left, session.offers()));
            let action = match known {
                Some(action) => action,
                None => minds.choose(&mut session, seed)?,
            };
            session.act(question.by, action)?;
        }
        let game = session.game();
        let score = |side: i32| (ruleset.id_of(Kind::Side, side), game.measure(0, side));
        let has_score = !ruleset.measures.is_empty();
        let entries = || session.record().entries.iter();
        Ok(Course {
            outcome: game.outcome().map_or_else(|| "unfinished".into(), |outcome| ruleset.outcome(outcome)),
            scores: ruleset.players().filter(|_| has_score).map(score).collect(),
            lines: entries().map(|entry| record_line(ruleset, entry)).collect(),
            story: entries().map(|entry| key_of_entry(ruleset, entry)).collect(),
            hash: game.hash(),
        })
    }
}

/// Whatever is asked is answered by name, where it is the only answer too.
const LIMITS: Limits = Limits { forced: false, ..Limits::BULK };

fn key_of_question(ruleset: &Ruleset, question: &Question) -> u64 {
    let keys = &ruleset.keys;
    let asked = keys.questions[usize::from(question.key)];
    joined(&[keys.of(Kind::Side, question.by), asked, key_of_about(ruleset, question.about)])
}

/// The first of the remembered answers that is offered. It is remembered no longer.
fn offered(ruleset: &Ruleset, left: &mut VecDeque<u64>, offers: &[Action]) -> Option<Action> {
    for at in 0..left.len() {
        if let Some(action) = offers.iter().find(|action| key_of_action(ruleset, **action) == left[at]) {
            left.remove(at);
            return Some(*action);
        }
    }
    None
}

fn cause(set: Vec<String>, course: &Course, other: &Course) -> Cause {
    let same = course.story.iter().zip(&other.story).take_while(|(a, b)| a == b).count();
    let parted = (same < course.story.len() || same < other.story.len()).then_some(same + 1);
    let line = |of: &Course| parted.and_then(|_| of.lines.get(same).cloned());
    let lines = [line(course), line(other)];
    Cause { set, outcome: other.outcome.clone(), scores: other.scores.clone(), parted, lines }
}

/// Sets that change something, none of whose parts does.
struct Least {
    sets: [Vec<Vec<usize>>; 2],
    tried: usize,
    up_to: usize,
}

/// Looks for the least sets that change each of two things, of which the first is never changed without the second. Small
/// sets come first, all of a size as long as no more than `most` are tried; where that leaves larger ones, and nothing has
/// been found that changes the first thing, the whole is made smaller member by member.
fn least_sets(count: usize, most: usize, mut changes: impl FnMut(&[usize]) -> [bool; 2]) -> Least {
    let mut least = Least { sets: [Vec::new(), Vec::new()], tried: 0, up_to: 0 };
    let mut known: BTreeMap<Vec<usize>, [bool; 2]> = BTreeMap::new();
    for size in 1..=count {
        let holds_found =
            |least: &Least, set: &[usize]| least.sets[0].iter().any(|found| found.iter().all(|at| set.contains(at)));
        let sets: Vec<Vec<usize>> = match combinations(count, size, most.saturating_sub(least.tried).max(count)) {
            Some(sets) => sets.into_iter().filter(|set| !holds_found(&least, set)).collect(),
            None => break,
        };
        if size > 1 && least.tried + sets.len() > most {
            break;
        }
        for set in sets {
            least.tried += 1;
            let found = changes(&set);
            known.insert(set.clone(), found);
            for (sets, _) in least.sets.iter_mut().zip(found).filter(|(_, found)| *found) {
                if !sets.iter().any(|less| less.iter().all(|at| set.contains(at))) {
                    sets.push(set.clone());
                }
            }
        }
        least.up_to = size;
    }
    if least.up_to < count && least.sets[0].is_empty() {
        let mut does = |set: &[usize], least: &mut Least| {
            known.get(set).copied().unwrap_or_else(|| {
                least.tried += 1;
                let found = changes(set);
                known.insert(set.to_vec(), found);
                found
            })[0]
        };
        let mut set: Vec<usize> = (0..count).collect();
        if does(&set, &mut least) {
            let mut at = 0;
            while at < set.len() {
                let fewer = [&set[..at], &set[at + 1..]].concat();
                // What could not be left out once may be when others are gone.
                (set, at) = if does(&fewer, &mut least) { (fewer, 0) } else { (set, at + 1) };
            }
            least.sets[0].push(set);
        }
    }
    least
}

/// All sets of a size, unless there are more than `most`.
fn combinations(count: usize, size: usize, most: usize) -> Option<Vec<Vec<usize>>> {
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for place in 0..size {
        let further = |set: &Vec<usize>| {
            let from = set.last().map_or(0, |last| last + 1);
            (from..count - (size - 1 - place)).map(|at| [set.as_slice(), &[at]].concat()).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(further).collect();
        if sets.len() > most {
            return None;
        }
    }
    Some(sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_sets_are_all_found_where_they_are_few_and_one_where_they_are_many() {
        let has = |set: &[usize], all: &[usize]| all.iter().all(|at| set.contains(at));
        let few = least_sets(5, 100, |set| {
            let result = has(set, &[1, 3]) || has(set, &[4]);
            [result, result || has(set, &[0])]
        });
        assert_eq!(few.sets, [vec![vec![4], vec![1, 3]], vec![vec![0], vec![4], vec![1, 3]]]);
        assert_eq!(few.up_to, 5);
        assert!(few.tried < 31, "what holds a found set is not tried: {}", few.tried);
        // What is found of many is as small as it can be, though nothing so large was looked for.
        let many = least_sets(20, 210, |set| [has(set, &[2, 3, 5, 7, 11]); 2]);
        assert_eq!((many.sets[0].clone(), many.up_to), (vec![vec![2, 3, 5, 7, 11]], 2));
        let none = least_sets(20, 30, |_| [false; 2]);
        assert_eq!((none.sets, none.up_to, none.tried), ([vec![], vec![]], 1, 21));
        assert_eq!(least_sets(0, 30, |_| [true; 2]).tried, 0);
    }

    #[test]
    fn combinations_are_all_sets_of_a_size() {
        assert_eq!(combinations(4, 2, 6).map(|all| all.len()), Some(6));
        assert_eq!(combinations(3, 3, 6), Some(vec![vec![0, 1, 2]]));
        assert_eq!(combinations(40, 3, 100), None);
    }
}

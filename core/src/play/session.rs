//! Play itself: carries out tasks, asks questions, takes answers, keeps the record.
//!
//! A task is plain data: the state it began in and the answers given since. To undo, fork or load, that state is
//! cloned and the rule carried out again with the recorded answers; nobody computes an offer on the way.

use std::{collections::BTreeSet, sync::Arc};

use thiserror::Error;

use super::{
    chance::{Chance, Roll},
    effect::{Effect, Event},
    game::{Game, Source, Task},
    offer::{Action, Question, Refusal},
    record::{Adjustment, Entry, Record},
    watch::Watch,
};
use crate::ruleset::{Cite, Ruleset};

/// What a rule came to.
#[derive(Debug)]
pub enum Step {
    /// It asks a side.
    Ask(Question),
    /// It asks chance.
    Roll(Roll),
    /// It is over; for a repeated rule, whether it is over for good.
    Done(bool),
}

/// Carries out rules. Core knows no language they are written in.
pub trait Rules {
    /// A side has answered: rules may use up as much as ever again. Nothing for rules that are not bounded.
    fn renew(&mut self) {}
    /// Begins a task.
    fn begin(&mut self, game: &mut Game, task: &Task) -> Result<Step, RuleError>;
    /// Goes on with the task begun last, which asked something.
    fn answer(&mut self, game: &mut Game, action: Action) -> Result<Step, RuleError>;
    /// What has been put to work since last asked: paths in the content, as the rulebook names what carries a
    /// paragraph. Empty for rules that do not keep track.
    fn at_work(&mut self) -> BTreeSet<String> {
        BTreeSet::new()
    }
}

/// A rule misbehaved. The game stands as before the answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}: rule `{rule}`: {message}")]
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
}

/// Why an answer was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SessionError {
    /// It is not allowed.
    #[error("{}", .0.iter().map(|r| r.text.as_str()).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Refusal>),
    /// Nothing is asked.
    #[error("the game is over")]
    Over,
    /// Somebody else is asked.
    #[error("it is not yours to answer")]
    NotYours,
    /// A rule misbehaved.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The sequence of play comes to nothing that a rule must do.
    #[error("the sequence of play goes on for ever, in `{0}`: nothing is left to do, and it does not end")]
    Endless(String),
    /// A question without an offer.
    #[error("dead end: `{0}` offers nothing")]
    DeadEnd(String),
    /// A rule is not a function of the state and the answers.
    #[error("rule `{0}` came out differently when carried out again")]
    NotRepeatable(String),
    /// An adjustment cannot be made now, or does not fit.
    #[error("{0}")]
    Agreement(String),
    /// What always holds does not, after so many entries of the record: an id, and the sentence that is broken.
    #[error("`{0}` is broken after entry {2} of the record: {1}")]
    Broken(String, String, usize),
    /// The record does not fit.
    #[error("the record does not fit at answer {0}: {1}")]
    Record(usize, String),
}

/// How a session is run.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Keep what is needed to take answers back.
    pub undo: bool,
    /// Carry every task out twice and compare, and look whether what always holds does.
    pub verify: bool,
    /// Tell effects.
    pub log: bool,
    /// Answer questions with one offer.
    pub forced: bool,
}

impl Limits {
    /// For people at a board.
    pub const PLAY: Limits = Limits { undo: true, verify: false, log: true, forced: true };
    /// For many games.
    pub const BULK: Limits = Limits { undo: false, verify: false, log: false, forced: true };
}

#[derive(Debug, Clone)]
struct Checkpoint {
    at: usize,
    start: Game,
    task: Task,
    log: usize,
}

/// A game being played.
pub struct Session<R: Rules> {
    /// The content.
    pub ruleset: Arc<Ruleset>,
    /// The game as it stands.
    pub game: Game,
    /// What happened.
    pub record: Record,
    /// What was told, up to the task being carried out; that task's own is in the game.
    pub log: Vec<Event>,
    /// Who answers for chance.
    pub chance: Chance,
    /// How it is run.
    pub limits: Limits,
    /// Sides whose people want a last look before what cannot be taken back: a roll, the end of a part of the turn.
    /// There the session waits for [`Session::go_ahead`]. None of it reaches the record.
    pub looking: BTreeSet<i32>,
    rules: R,
    start: Game,
    task: Option<Task>,
    answers: Vec<Action>,
    pending: Option<Question>,
    /// The roll that waits, and how many of its kind there were before.
    roll: Option<(Roll, u64)>,
    offers: Vec<Action>,
    /// Whether a side that looks has chosen something since the last look.
    chosen: bool,
    checkpoints: Vec<Checkpoint>,
    standing: u32,
    /// Tasks begun, rolls and forced answers since a side last answered.
    unasked: u32,
    /// Why it cannot go on, until something is taken back.
    failed: Option<SessionError>,
    /// Standing rules with something to do, and invariants that are broken.
    due: Watch,
    broken: Watch,
    /// Whether the position is the rules' own doing.
    lawful: Lawful,
}

/// Whether a position has come of the rules, so that what always holds must.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lawful {
    /// The scenario's script is still to set it up.
    SettingUp,
    /// It has.
    Yes,
    /// Somebody has put the counters where they are.
    ByHand,
}

/// More standing rules in a row than any game needs: a loop.
const MOST_STANDING: u32 = 200;

/// More tasks, rolls and forced answers without a side being asked than any game needs: a loop.
const MOST_UNASKED: u32 = 10_000;

impl<R: Rules> Session<R> {
    /// Sets up a scenario. Play has not begun: call [`Session::advance`].
    pub fn new(ruleset: Arc<Ruleset>, rules: R, scenario: usize, seed: u64, limits: Limits) -> Session<R> {
        let mut game = Game::new(ruleset.clone(), seed);
        let mut id = String::new();
        let mut script = None;
        if let Some(scenario) = ruleset.scenarios.get(scenario) {
            id.clone_from(&scenario.id);
            script = scenario.script;
            game.set_up(scenario);
        }
        game.telling = limits.log;
        if let Some(rule) = script {
            game.agenda.push(Task { rule, with: [-1; 4], source: Source::Agenda });
        }
        Session {
            start: game.clone(),
            game,
            record: Record { scenario: id, seed, entries: Vec::new() },
            log: Vec::new(),
            chance: Chance::Keyed,
            limits,
            looking: BTreeSet::new(),
            rules,
            task: None,
            answers: Vec::new(),
            pending: None,
            roll: None,
            offers: Vec::new(),
            chosen: false,
            checkpoints: Vec::new(),
            standing: 0,
            unasked: 0,
            failed: None,
            due: Watch::new(ruleset.standing.len()),
            broken: Watch::new(ruleset.invariants.len()),
            lawful: if script.is_some() { Lawful::SettingUp } else { Lawful::Yes },
            ruleset,
        }
    }

    /// The game as its scenario sets it up, before anything happened.
    pub fn beginning(&self) -> Game {
        let mut game = Game::new(self.ruleset.clone(), self.record.seed);
        if let Some(scenario) = self.ruleset.scenario(&self.record.scenario) {
            game.set_up(&self.ruleset.scenarios[scenario]);
        }
        game
    }

    /// The position has been made by hand, as in an example: what always holds need not.
    pub fn made_by_hand(&mut self) {
        self.lawful = Lawful::ByHand;
    }

    /// The question waiting for a side, if there is one.
    pub fn question(&self) -> Option<&Question> {
        self.pending.as_ref()
    }

    /// The roll waiting for a person, who rolls it or wants to look first, if there is one.
    pub fn roll(&self) -> Option<&Roll> {
        self.roll.as_ref().map(|(roll, _)| roll)
    }

    /// Whether it waits only for a last look: what comes next is known, and [`Session::go_ahead`] lets it come.
    pub fn waits(&self) -> bool {
        let is_forced = self.limits.forced && self.pending.is_some() && self.offers.len() == 1;
        is_forced || (self.roll.is_some() && matches!(self.chance, Chance::Keyed))
    }

    /// Whether a side that looks has chosen something since the last look. Before somebody else answers, it is time
    /// for another.
    pub fn has_chosen(&self) -> bool {
        self.chosen
    }

    /// Whether an answer ends a part of the turn in which something else could still be chosen.
    pub fn ends_early(&self, action: Action) -> bool {
        let verb = |action: &Action| &self.ruleset.verbs[action.verb as usize];
        verb(&action).ends && self.offers.iter().any(|a| verb(a).takes.is_some())
    }

    /// Everything the waiting question offers.
    pub fn offers(&self) -> &[Action] {
        &self.offers
    }

    /// The rule being carried out.
    pub fn task(&self) -> Option<Task> {
        self.task
    }

    /// The rules, to play another game with.
    pub fn into_rules(self) -> R {
        self.rules
    }

    /// The rules, for those who also speak to them otherwise (bots).
    pub fn rules_mut(&mut self) -> (&mut R, &mut Game) {
        (&mut self.rules, &mut self.game)
    }

    /// Goes on until a side must answer, a person must roll, or the game is over. Once it has failed it fails again,
    /// until something is taken back.
    pub fn advance(&mut self) -> Result<(), SessionError> {
        self.game.begin_steps();
        let done = self.run();
        self.noting(done)
    }

    /// Where nothing is asked after a failure, there is nothing to go on with.
    fn noting(&mut self, done: Result<(), SessionError>) -> Result<(), SessionError> {
        self.game.end_steps();
        if self.pending.is_none() && self.roll.is_none() {
            self.failed = done.as_ref().err().cloned();
        }
        done
    }

    fn run(&mut self) -> Result<(), SessionError> {
        while self.pending.is_none() && self.roll.is_none() {
            if let Some(failed) = &self.failed {
                return Err(failed.clone());
            }
            let Some(task) = self.next_task()? else { return Ok(()) };
            self.count(task)?;
            self.game.told.clear();
            self.start.follow(&mut self.game);
            self.answers.clear();
            self.task = Some(task);
            if self.limits.undo {
                self.keep_checkpoint(task);
            }
            let begun = self.rules.begin(&mut self.game, &task);
            if begun.is_err() {
                self.game.clone_from(&self.start);
                self.task = None;
            }
            self.take(begun?)?;
        }
        Ok(())
    }

    /// Whatever is taken back begins at the last task that the record is as long as.
    fn keep_checkpoint(&mut self, task: Task) {
        let at = self.record.entries.len();
        if self.checkpoints.last().is_some_and(|last| last.at == at) {
            self.checkpoints.pop();
        }
        let (start, log) = (self.start.clone(), self.log.len());
        self.checkpoints.push(Checkpoint { at, start, task, log });
    }

    /// Counts what is done without a side being asked.
    fn count(&mut self, task: Task) -> Result<(), SessionError> {
        self.unasked += 1;
        if self.unasked <= MOST_UNASKED {
            return Ok(());
        }
        let place = self.game.place_of_play().map_or("nowhere", |at| &self.ruleset.sequence.places[at].name);
        let message = format!("it goes on for ever, in `{place}`: nobody is asked for {MOST_UNASKED} tasks and rolls");
        Err(self.wrong(task, message).into())
    }

    fn count_answer(&mut self) -> Result<(), SessionError> {
        self.task.map_or(Ok(()), |task| self.count(task))
    }

    /// Fails once what the rows ask has come to too much since the last answer.
    fn count_steps(&self) -> Result<(), SessionError> {
        match self.task.filter(|_| self.game.is_exhausted()) {
            Some(task) => Err(self.wrong(task, Game::exhausted()).into()),
            None => Ok(()),
        }
    }

    fn wrong(&self, task: Task, message: String) -> RuleError {
        let rule = &self.ruleset.rules[task.rule.0 as usize];
        let (file, line) = rule.at.clone();
        RuleError { rule: rule.name.clone(), message, file, line, cite: rule.cite }
    }

    /// A side or a person has answered.
    fn answered(&mut self) {
        self.unasked = 0;
        self.game.begin_steps();
        self.rules.renew();
    }

    /// What a rule came to: a question is made ready, a roll is answered, an end is tidied up.
    fn take(&mut self, step: Step) -> Result<(), SessionError> {
        let mut step = step;
        loop {
            self.count_steps()?;
            if self.game.outcome.is_some() {
                step = Step::Done(true);
            }
            match step {
                Step::Ask(question) => {
                    self.game.list_actions(&question, &mut self.offers);
                    self.count_steps()?;
                    match self.offers.as_slice() {
                        [] => {
                            let key = self.ruleset.questions[question.key as usize].key.clone();
                            return Err(SessionError::DeadEnd(key));
                        }
                        [only] if self.limits.forced && !self.is_last_look(&question, *only) => {
                            let action = *only;
                            self.count_answer()?;
                            self.note(&question, action);
                            self.answers.push(action);
                            step = self.go_on(action)?;
                        }
                        _ => {
                            self.pending = Some(question);
                            return Ok(());
                        }
                    }
                }
                Step::Roll(roll) => {
                    let nth = self.game.nth_roll(&roll.purpose, roll.about);
                    let waits = self.is_last_look_at(&roll);
                    let value = if waits { None } else { self.chance.answer(&self.game, &roll, nth) };
                    let Some(value) = value else {
                        self.roll = Some((roll, nth));
                        return Ok(());
                    };
                    self.count_answer()?;
                    step = self.rolled(&roll, value)?;
                }
                Step::Done(over) => return self.finish_task(over),
            }
        }
    }

    /// Whether the only answer there is ends a part of the turn in which somebody who looks has chosen something.
    fn is_last_look(&self, question: &Question, only: Action) -> bool {
        self.chosen && self.looking.contains(&question.by) && self.ruleset.verbs[only.verb as usize].ends
    }

    /// Whether somebody looks before chance rolls: it follows a choice, or is declared to be looked at.
    fn is_last_look_at(&self, roll: &Roll) -> bool {
        let is_declared = || self.looking.contains(&self.game.phasing()) && self.ruleset.is_looked_at(&roll.purpose);
        matches!(self.chance, Chance::Keyed) && (self.chosen || is_declared())
    }

    fn rolled(&mut self, roll: &Roll, value: i32) -> Result<Step, SessionError> {
        if !roll.can_be(value) {
            let text = format!("{value} cannot come up");
            return Err(SessionError::Refused(vec![Refusal { row: "roll".into(), text, cite: Cite::NONE }]));
        }
        let (purpose, about) = (roll.purpose.clone(), roll.about);
        self.record.entries.push(Entry::Chance { purpose: purpose.clone(), about, value });
        let told = self.game.apply(Effect::Rolled { purpose, about, value, faces: roll.faces() });
        debug_assert!(told.is_ok(), "a roll changes nothing");
        let action = Action { verb: u16::MAX, value };
        self.answers.push(action);
        self.go_on(action)
    }

    fn note(&mut self, question: &Question, action: Action) {
        let (by, key, about) = (question.by, question.key, question.about);
        self.record.entries.push(Entry::Side { by, key, about, action });
    }

    /// Resumes the rule; when it fails, the game is put back to where the answer was given.
    fn go_on(&mut self, action: Action) -> Result<Step, SessionError> {
        self.rules.answer(&mut self.game, action).map_err(|wrong| {
            self.answers.pop();
            self.record.entries.pop();
            match self.run_again() {
                Ok(Step::Ask(question)) => {
                    self.game.list_actions(&question, &mut self.offers);
                    self.pending = Some(question);
                }
                Ok(Step::Roll(roll)) => {
                    let nth = self.game.nth_roll(&roll.purpose, roll.about);
                    self.roll = Some((roll, nth));
                }
                Ok(Step::Done(_)) | Err(_) => self.game.clone_from(&self.start),
            }
            SessionError::Rule(wrong)
        })
    }

    /// Carries the task out again from its start with the answers given since.
    fn run_again(&mut self) -> Result<Step, RuleError> {
        let task = self.task.expect("a task is being carried out");
        self.game.clone_from(&self.start);
        feed(&mut self.rules, &mut self.game, &task, &self.answers).map(|(step, _)| step)
    }

    fn finish_task(&mut self, over: bool) -> Result<(), SessionError> {
        let task = self.task.take().expect("a task is being carried out");
        if self.limits.verify {
            let mut again = self.start.clone();
            // Whether anybody listens may change what is told, and nothing else.
            again.telling = !again.telling;
            let (step, taken) = feed(&mut self.rules, &mut again, &task, &self.answers)?;
            let ended = matches!(step, Step::Done(_)) || again.outcome.is_some();
            if !ended || taken != self.answers.len() || again.hash() != self.game.hash() {
                return Err(SessionError::NotRepeatable(self.ruleset.rules[task.rule.0 as usize].name.clone()));
            }
        }
        self.log.append(&mut self.game.told);
        match task.source {
            Source::Once => self.game.cursor += 1,
            Source::Repeat if over => self.game.cursor += 1,
            Source::Repeat | Source::Agenda | Source::Standing => (),
        }
        Ok(())
    }

    /// The next task: a standing rule with something to do, then the agenda, then the sequence of play.
    fn next_task(&mut self) -> Result<Option<Task>, SessionError> {
        let mut task = self.standing_task()?;
        if task.is_some() {
            return Ok(task);
        }
        self.standing = 0;
        if self.game.outcome.is_none() {
            task = self.game.agenda.pop();
            if task.is_none() {
                task = self.game.next_in_sequence().map_err(SessionError::Endless)?;
                self.log.append(&mut self.game.told);
                // What a place of the sequence has ended with may make a standing rule due before what comes next,
                // which is come to again after it.
                let standing = self.standing_task()?;
                if standing.is_some() {
                    return Ok(standing);
                }
            }
        }
        if self.limits.verify {
            self.must_hold()?;
        }
        Ok(task)
    }

    /// The first standing rule with something to do.
    fn standing_task(&mut self) -> Result<Option<Task>, SessionError> {
        if self.game.outcome.is_some() {
            return Ok(None);
        }
        let ruleset = self.ruleset.clone();
        let mut standing = ruleset.standing.iter().enumerate();
        let due = standing.find(|(at, s)| self.due.holds(*at, &self.game, &s.when, &s.reads));
        let Some((_, standing)) = due else { return Ok(None) };
        let task = Task { rule: standing.rule, with: [-1; 4], source: Source::Standing };
        self.standing += 1;
        if self.standing > MOST_STANDING {
            return Err(self.wrong(task, "it has something to do for ever".to_owned()).into());
        }
        Ok(Some(task))
    }

    /// Fails if something does not hold that always must, at this place of the sequence. Nothing must any more once
    /// the players have agreed on a change: they may go where no rule leads.
    fn must_hold(&mut self) -> Result<(), SessionError> {
        let is_lawful = self.lawful == Lawful::Yes;
        if self.lawful == Lawful::SettingUp {
            self.lawful = Lawful::Yes;
        }
        if !is_lawful || self.record.entries.iter().any(|entry| matches!(entry, Entry::Agreement(_))) {
            return Ok(());
        }
        let ruleset = self.ruleset.clone();
        let here = self.game.place_of_play();
        for (at, invariant) in ruleset.invariants.iter().enumerate() {
            let is_inside = |place: &usize| here.is_some_and(|here| ruleset.sequence.is_inside(here, *place));
            let holds_here = invariant.places.is_empty() || invariant.places.iter().any(is_inside);
            if holds_here && self.broken.holds(at, &self.game, &invariant.broken, &invariant.reads) {
                return Err(SessionError::Broken(
                    invariant.id.clone(),
                    invariant.say.clone(),
                    self.record.entries.len(),
                ));
            }
        }
        Ok(())
    }

    /// Answers the waiting question for a side.
    pub fn act(&mut self, by: i32, action: Action) -> Result<(), SessionError> {
        let Some(question) = &self.pending else { return Err(SessionError::Over) };
        if question.by != by {
            return Err(SessionError::NotYours);
        }
        if !self.offers.contains(&action) {
            return Err(SessionError::Refused(self.game.why_not(question, action)));
        }
        if self.looking.contains(&by) {
            // Whoever ends early has been asked twice.
            self.chosen = self.offers.len() > 1 && !self.ends_early(action);
        }
        let question = self.pending.take().expect("just looked at");
        self.note(&question, action);
        self.answers.push(action);
        self.answered();
        let step = self.go_on(action);
        self.take_and_run(step)
    }

    fn take_and_run(&mut self, step: Result<Step, SessionError>) -> Result<(), SessionError> {
        let done = step.and_then(|step| self.take(step)).and_then(|()| self.run());
        self.noting(done)
    }

    /// Goes on from where it waits for a last look: gives the one answer there is, or lets chance roll.
    pub fn go_ahead(&mut self) -> Result<(), SessionError> {
        self.chosen = false;
        if let Some((roll, nth)) = &self.roll {
            let value = self.chance.answer(&self.game, roll, *nth);
            return value.map_or(Ok(()), |value| self.act_roll(value));
        }
        match (&self.pending, self.offers.as_slice()) {
            (Some(question), [only]) if self.limits.forced => self.act(question.by, *only),
            _ => Ok(()),
        }
    }

    /// Answers the waiting roll for a person.
    pub fn act_roll(&mut self, value: i32) -> Result<(), SessionError> {
        let Some((roll, _)) = self.roll.clone() else { return Err(SessionError::Over) };
        self.answered();
        let step = self.rolled(&roll, value)?;
        self.roll = None;
        self.take_and_run(Ok(step))
    }

    /// Plays one entry of a record.
    pub fn replay_entry(&mut self, number: usize, entry: &Entry) -> Result<(), SessionError> {
        let misfit = |text: String| SessionError::Record(number + 1, text);
        match (entry, &self.pending, &self.roll) {
            (Entry::Side { by, key, about, action }, Some(question), _) => {
                let name = |key: u16| self.ruleset.questions[key as usize].key.clone();
                if question.key != *key {
                    let (was, is) = (name(*key), name(question.key));
                    return Err(misfit(format!("it answers `{was}`, and the game asks `{is}`")));
                }
                if question.about != *about {
                    return Err(misfit(format!("`{}` is asked about something else", name(*key))));
                }
                let (by, action) = (*by, *action);
                self.act(by, action)
            }
            (Entry::Chance { purpose, value, .. }, _, Some((roll, _))) => {
                if *roll.purpose != **purpose {
                    return Err(misfit(format!("it rolls for {purpose}, and the game for {}", roll.purpose)));
                }
                let value = *value;
                self.act_roll(value)
            }
            (Entry::Agreement(adjustment), ..) => self.adjust(*adjustment),
            (Entry::Side { .. }, None, Some((roll, _))) => Err(misfit(format!("the game rolls for {}", roll.purpose))),
            (Entry::Chance { purpose, .. }, ..) => Err(misfit(format!("nothing is rolled for {purpose} now"))),
            (Entry::Side { .. }, None, None) => Err(misfit("the game is over".into())),
        }
    }

    /// Changes the game by agreement of the players. The task being carried out begins again from the changed
    /// state, so it must not have been answered yet.
    pub fn adjust(&mut self, adjustment: Adjustment) -> Result<(), SessionError> {
        let wrong = |text: &str| SessionError::Agreement(text.to_owned());
        let (Some(task), true) = (self.task, self.answers.is_empty()) else {
            return Err(wrong("finish what has been begun, or take it back, before you agree on a change"));
        };
        let cite = Cite::NONE;
        let effect = match adjustment {
            Adjustment::Place { unit, to } => Effect::Place { unit, to, cite },
            Adjustment::Set { column, of, value } => Effect::Set { column, of, value, cite },
        };
        let mut start = self.start.clone();
        start.apply(effect).map_err(SessionError::Agreement)?;
        let before = std::mem::replace(&mut self.start, start);
        self.log.append(&mut self.start.told);
        (self.pending, self.roll, self.failed) = (None, None, None);
        self.answered();
        self.record.entries.push(Entry::Agreement(adjustment));
        let begun = self.run_again();
        if let Err(rule) = begun {
            self.start = before;
            self.record.entries.pop();
            let step = self.run_again()?;
            self.take(step)?;
            return Err(rule.into());
        }
        if self.limits.undo {
            self.keep_checkpoint(task);
        }
        self.take_and_run(begun.map_err(SessionError::Rule))
    }

    /// Takes answers back until the record holds `entries` of them. Needs [`Limits::undo`].
    pub fn take_back(&mut self, entries: usize) -> Result<(), SessionError> {
        let keep = self.checkpoints.iter().rposition(|c| c.at <= entries);
        let Some(keep) = keep else { return Err(SessionError::Over) };
        self.checkpoints.truncate(keep + 1);
        let point = self.checkpoints[keep].clone();
        self.start = point.start;
        self.task = Some(point.task);
        self.log.truncate(point.log);
        self.record.entries.truncate(entries);
        self.answers = self.record.entries[point.at..].iter().map(answer_of).collect();
        (self.pending, self.roll, self.failed) = (None, None, None);
        // Whoever goes back to what was decided may look at it again.
        self.chosen = !self.looking.is_empty();
        self.answered();
        let step = self.run_again().map_err(SessionError::Rule);
        self.take_and_run(step)
    }

    /// A clone of the game at the waiting question, made as a fork is made: from the task's start.
    pub fn fork(&mut self) -> Result<Game, SessionError> {
        let mut game = self.start.clone();
        if let Some(task) = &self.task {
            feed(&mut self.rules, &mut game, task, &self.answers)?;
        }
        Ok(game)
    }

    /// How many answers the task being carried out has had.
    pub fn answers_of_task(&self) -> usize {
        self.answers.len()
    }

    /// Everything told so far, the task being carried out included.
    pub fn told(&self) -> impl Iterator<Item = &Event> {
        self.log.iter().chain(&self.game.told)
    }
}

fn answer_of(entry: &Entry) -> Action {
    match entry {
        Entry::Side { action, .. } => *action,
        Entry::Chance { value, .. } => Action { verb: u16::MAX, value: *value },
        Entry::Agreement(_) => unreachable!("an adjustment is made between tasks, and begins a checkpoint"),
    }
}

/// Runs a task with recorded answers; no offer is computed. Also says how many answers it took.
fn feed<R: Rules>(rules: &mut R, game: &mut Game, task: &Task, answers: &[Action]) -> Result<(Step, usize), RuleError> {
    rules.renew();
    let mut step = rules.begin(game, task)?;
    for (taken, action) in answers.iter().enumerate() {
        rules.renew();
        if matches!(step, Step::Done(_)) {
            return Ok((step, taken));
        }
        if let Step::Roll(roll) = &step {
            game.nth_roll(&roll.purpose, roll.about);
            let (purpose, about) = (roll.purpose.clone(), roll.about);
            let told = game.apply(Effect::Rolled { purpose, about, value: action.value, faces: roll.faces() });
            debug_assert!(told.is_ok(), "a roll changes nothing");
        }
        step = rules.answer(game, *action)?;
    }
    Ok((step, answers.len()))
}

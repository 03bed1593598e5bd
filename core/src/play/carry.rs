//! How a session carries out tasks: which comes next, what a rule asks and is answered, and how a task ends.

use std::cell::OnceCell;

use super::{
    at_rest::{Begun, Lawful},
    chance::{Chance, Roll},
    failure::{Failure, NotTaken, RuleError, SessionError},
    game::{Game, Source, Task},
    offer::{Action, Question},
    record::Entry,
    rules::{Rules, Step, feed, tell},
    session::Session,
};

/// More standing rules in a row than any game needs: a loop.
const MOST_STANDING: u32 = 200;

/// More tasks, rolls and forced answers without a side being asked than any game needs: a loop.
const MOST_UNASKED: u32 = 10_000;

/// Where a question offers more pairs, they are listed once somebody looks.
const FEW_PAIRS: usize = 2;

impl<R: Rules> Session<R> {
    /// Begins tasks until somebody must answer, or nothing is left to do.
    pub(super) fn run(&mut self) -> Result<(), Failure> {
        while self.pending.is_none() && self.roll.is_none() {
            if let Some(failed) = &self.proceedings.failed {
                return Err(failed.clone());
            }
            let Some(task) = self.next_task()? else {
                self.proceedings.is_over = true;
                return Ok(());
            };
            self.count(task)?;
            self.begin_task(task);
            match self.rules.begin(&mut self.game, &task) {
                Ok(step) => self.take(step)?,
                Err(rule) => {
                    self.back_to_its_beginning();
                    return Err(rule.into());
                }
            }
        }
        Ok(())
    }

    /// Goes on with what a rule came to, then with what is to be done after it.
    pub(super) fn take_and_run(&mut self, step: Result<Step, RuleError>) -> Result<(), Failure> {
        let done = step.map_err(Failure::Rule).and_then(|step| self.take(step)).and_then(|()| self.run());
        self.note_failure(done)
    }

    /// What has failed stays so until something is taken back.
    pub(super) fn note_failure(&mut self, done: Result<(), Failure>) -> Result<(), Failure> {
        self.game.end_steps();
        if let Err(failed) = &done {
            self.proceedings.failed = Some(failed.clone());
        }
        done
    }

    /// A task that begins now.
    pub(super) fn begun(&self, task: Task) -> Begun {
        Begun {
            task,
            at: self.entries(),
            written: self.game.values.written(),
            version: self.game.values.version(),
            progress: self.game.progress.clone(),
            told: self.proceedings.told.len(),
        }
    }

    /// Notes where a task begins. Whatever is taken back begins at the last task that the record is as long as.
    fn begin_task(&mut self, task: Task) {
        let at = self.entries();
        let begun = &mut self.proceedings.begun;
        let spare = begun.pop_if(|last| !self.limits.undo || last.at == at);
        if !self.limits.undo {
            begun.clear();
            self.game.values.forget();
        }
        self.proceedings.is_underway = true;
        let begun = match spare {
            None => self.begun(task),
            // Its memory is used again.
            Some(mut spare) => {
                spare.progress.copy(&self.game.progress);
                let (written, version) = (self.game.values.written(), self.game.values.version());
                Begun { task, at, written, version, told: self.proceedings.told.len(), ..spare }
            }
        };
        self.proceedings.begun.push(begun);
    }

    /// Puts the game back to where the task being carried out began.
    pub(super) fn back_to_its_beginning(&mut self) {
        let begun = self.proceedings.begun.last().expect("a task is being carried out");
        self.game.put_back(begun.written, begun.version, &begun.progress);
    }

    /// Carries the task out again from its beginning with the answers given since.
    pub(super) fn run_again(&mut self) -> Result<Step, RuleError> {
        self.back_to_its_beginning();
        self.feed().map(|(step, _)| step)
    }

    fn feed(&mut self) -> Result<(Step, usize), RuleError> {
        let task = self.proceedings.underway().expect("a task is being carried out").task;
        // What a rule prints as it is carried out again was printed before.
        self.rules.hush(true);
        let fed = feed(&mut self.rules, &mut self.game, &task, self.proceedings.answers());
        self.rules.hush(false);
        fed
    }

    /// A side or a person answers: rules and conditions may use up as much as ever again.
    pub(super) fn renew(&mut self) {
        self.proceedings.unasked = 0;
        self.game.begin_steps();
        self.rules.renew();
    }

    /// Goes on with an answer that has been recorded. If the rule fails on it, it was never given.
    pub(super) fn go_on_for_somebody(&mut self, action: Action) -> Result<(), SessionError> {
        match self.go_on(action) {
            Ok(step) => Ok(self.take_and_run(Ok(step))?),
            Err(rule) => {
                self.ask_again();
                Err(NotTaken::Rule(rule).into())
            }
        }
    }

    fn go_on(&mut self, action: Action) -> Result<Step, RuleError> {
        self.rules.answer(&mut self.game, action).inspect_err(|_| self.proceedings.record.entries.pop())
    }

    /// The same for an answer of the engine's own.
    fn go_on_alone(&mut self, action: Action) -> Result<Step, Failure> {
        self.go_on(action).map_err(|rule| {
            // It fails all the same, whatever this comes to.
            let _ = self.run_again();
            Failure::Rule(rule)
        })
    }

    /// Asks what was asked before, with the game as it was then.
    pub(super) fn ask_again(&mut self) {
        (self.pending, self.roll) = (None, None);
        match self.run_again() {
            Ok(Step::Ask(question)) => {
                self.look_at(&question);
                self.pending = Some(question);
            }
            Ok(Step::Roll(roll)) => {
                let nth = self.game.nth_roll(&roll);
                self.roll = Some((roll, nth));
            }
            Ok(Step::Done(_)) => {
                let rule = self.task().expect("a task is being carried out").rule;
                let name = self.game.ruleset.rules[rule.0 as usize].name.clone();
                self.proceedings.failed = Some(Failure::NotRepeatable(name));
            }
            Err(rule) => self.proceedings.failed = Some(Failure::Rule(rule)),
        }
        self.game.end_steps();
    }

    /// Counts what is done without a side being asked.
    fn count(&mut self, task: Task) -> Result<(), Failure> {
        self.proceedings.unasked += 1;
        if self.proceedings.unasked <= MOST_UNASKED {
            return Ok(());
        }
        let places = &self.game.ruleset.sequence.places;
        let place = self.game.place_of_play().map_or("nowhere", |at| &places[at].name);
        let repeats = if task.source == Source::Repeat { "; a rule is repeated until it returns true" } else { "" };
        let message =
            format!("it goes on for ever, in `{place}`: nobody is asked for {MOST_UNASKED} tasks and rolls{repeats}");
        Err(self.wrong(task, message).into())
    }

    fn count_answer(&mut self) -> Result<(), Failure> {
        self.task().map_or(Ok(()), |task| self.count(task))
    }

    /// Fails once what the rows ask has come to too much since the last answer.
    fn count_steps(&self) -> Result<(), Failure> {
        match self.task().filter(|_| self.game.is_exhausted()) {
            Some(task) => Err(self.wrong(task, Game::exhausted()).into()),
            None => Ok(()),
        }
    }

    fn dead_end(&self, question: u16) -> Failure {
        let task = self.task().expect("a task is being carried out");
        let rule = &self.game.ruleset.rules[task.rule.0 as usize];
        let (file, line) = rule.at.clone();
        let is_before = rule.asks.contains(&question) && self.answers_of_task() == 0;
        let question = self.game.ruleset.questions[usize::from(question)].key.clone();
        Failure::DeadEnd { question, rule: rule.name.clone(), file, line, is_before }
    }

    fn wrong(&self, task: Task, message: String) -> RuleError {
        let rule = &self.game.ruleset.rules[task.rule.0 as usize];
        let (file, line) = rule.at.clone();
        RuleError { rule: rule.name.clone(), message, file, line, cite: rule.cite, stack: Box::default() }
    }

    /// What a rule came to: a question is made ready, a roll is answered, an end is tidied up.
    fn take(&mut self, step: Step) -> Result<(), Failure> {
        let mut step = step;
        loop {
            self.count_steps()?;
            if self.game.outcome().is_some() {
                step = Step::Done(true);
            }
            match step {
                Step::Ask(question) => {
                    let is_answerable = self.look_at(&question);
                    self.count_steps()?;
                    match self.only {
                        _ if !is_answerable => {
                            return Err(self.dead_end(question.key));
                        }
                        Some(action) if self.limits.forced && !self.is_last_look(&question, action) => {
                            self.count_answer()?;
                            self.note(&question, action);
                            step = self.go_on_alone(action)?;
                        }
                        _ => {
                            self.pending = Some(question);
                            return Ok(());
                        }
                    }
                }
                Step::Roll(roll) => {
                    let nth = self.game.nth_roll(&roll);
                    let waits = self.is_last_look_at(&roll);
                    let value = if waits { None } else { self.chance.answer(&self.game, &roll, nth) };
                    let Some(value) = value else {
                        self.roll = Some((roll, nth));
                        return Ok(());
                    };
                    self.count_answer()?;
                    self.note_roll(&roll, value);
                    step = self.go_on_alone(Action::rolled(value))?;
                }
                Step::Done(over) => return self.finish_task(over),
            }
        }
    }

    /// Whether the waiting question offers one answer, and no more.
    pub(super) fn has_one_answer(&self) -> bool {
        if self.is_foretold { self.offers().len() == 1 } else { self.only.is_some() }
    }

    /// Whether the waiting question offers an action.
    pub fn is_offered(&self, action: Action) -> bool {
        let Some(question) = &self.pending else { return false };
        if let Some(all) = self.offers.get() {
            return all.contains(&action);
        }
        self.game.begin_steps();
        let is_offered = self.game.is_offered(question, action) && !self.game.is_exhausted();
        self.game.end_steps();
        is_offered
    }

    /// Looks whether a question offers nothing, one answer or more; once a few pairs are found, at no further set that
    /// follows a first value. Whether it offers anything; of answers that are known beforehand that is not looked at.
    fn look_at(&mut self, question: &Question) -> bool {
        // The list of the question before gives its room.
        self.only = None;
        self.listed.renew(self.offers.take());
        if self.is_foretold {
            return true;
        }
        let is_all = self.game.list_actions(question, FEW_PAIRS, &mut self.listed);
        let list = &mut self.listed.actions;
        self.only = if let [only] = list.as_slice() { Some(*only).filter(|_| is_all) } else { None };
        let is_answerable = !list.is_empty();
        if is_all {
            self.offers = OnceCell::from(std::mem::take(list));
        }
        is_answerable
    }

    /// Lists what the waiting question offers once more, after the game was written to; whether there is anything.
    pub(super) fn looks_again(&mut self) -> bool {
        let Some(question) = self.pending.take() else { return true };
        self.game.begin_steps();
        let is_answerable = self.look_at(&question);
        self.game.end_steps();
        self.pending = Some(question);
        is_answerable
    }

    /// The answers known beforehand have been given: what the waiting question offers is looked at, as it will be from
    /// here on.
    ///
    /// # Errors
    /// It offers nothing.
    pub(crate) fn list_offers(&mut self) -> Result<(), Failure> {
        if !std::mem::take(&mut self.is_foretold) {
            return Ok(());
        }
        let Some(question) = self.pending.take() else { return Ok(()) };
        self.game.begin_steps();
        let listed = self.take(Step::Ask(question));
        self.note_failure(listed)
    }

    /// Whether the only answer there is ends a part of the turn in which somebody who looks has chosen something.
    fn is_last_look(&self, question: &Question, only: Action) -> bool {
        let is_looking = self.proceedings.chosen && self.looking.contains(&question.by);
        is_looking && self.game.ruleset.verbs[only.verb as usize].ends
    }

    /// Whether somebody looks before chance rolls, once for all dice of a handful: it follows a choice, or is declared to be looked at.
    fn is_last_look_at(&self, roll: &Roll) -> bool {
        let is_declared = || self.looking.contains(&self.game.phasing()) && self.game.ruleset.is_looked_at(roll.chance);
        matches!(self.chance, Chance::Keyed) && roll.handful.begins() && (self.proceedings.chosen || is_declared())
    }

    pub(super) fn note(&mut self, question: &Question, action: Action) {
        let (by, key, about) = (question.by, question.key, question.about);
        self.game.count_answer(question);
        self.proceedings.record.entries.push(Entry::Side { by, key, about, action });
    }

    /// Records and tells what chance has rolled.
    pub(super) fn note_roll(&mut self, roll: &Roll, value: i32) {
        let (chance, about) = (roll.chance, roll.about);
        self.proceedings.record.entries.push(Entry::Chance { chance, about, value });
        tell(&mut self.game, roll, value);
    }

    fn finish_task(&mut self, over: bool) -> Result<(), Failure> {
        let task = self.task().expect("a task is being carried out");
        if self.limits.verify {
            self.carry_out_twice(task)?;
        }
        self.proceedings.is_underway = false;
        self.game.end_rolls();
        self.proceedings.told.append(&mut self.game.told);
        match task.source {
            Source::Once => self.game.progress.cursor += 1,
            Source::Repeat if over => self.game.progress.cursor += 1,
            Source::Repeat | Source::Agenda | Source::Standing => (),
        }
        Ok(())
    }

    /// Carries a task that has ended out once more, and compares what comes of it.
    fn carry_out_twice(&mut self, task: Task) -> Result<(), Failure> {
        let written = self.proceedings.begun.last().expect("a task is being carried out").written;
        // It begins in the same state twice: what it has changed is all that may differ.
        let changed = |game: &Game| game.values.changed_since(written);
        let (came_to, progress) = (changed(&self.game), self.game.progress.clone());
        let answers = self.answers_of_task();
        let told = std::mem::take(&mut self.game.told);
        self.back_to_its_beginning();
        // Whether anybody listens may change what is told, and nothing else.
        self.game.telling = !self.game.telling;
        let fed = self.feed();
        self.game.telling = !self.game.telling;
        let (step, taken) = fed?;
        self.game.told = told;
        let ended = matches!(step, Step::Done(_)) || self.game.outcome().is_some();
        if ended && taken == answers && self.game.progress == progress && changed(&self.game) == came_to {
            return Ok(());
        }
        Err(Failure::NotRepeatable(self.game.ruleset.rules[task.rule.0 as usize].name.clone()))
    }

    /// The next task: a standing rule with something to do, then the agenda, then the sequence of play.
    fn next_task(&mut self) -> Result<Option<Task>, Failure> {
        let mut task = self.standing_task()?;
        if task.is_some() {
            return Ok(task);
        }
        self.proceedings.standing = 0;
        if self.game.outcome().is_none() {
            task = self.game.progress.agenda.pop();
            if task.is_none() {
                task = self.game.next_in_sequence(&mut self.readings).map_err(Failure::Endless)?;
                self.proceedings.told.append(&mut self.game.told);
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
    fn standing_task(&mut self) -> Result<Option<Task>, Failure> {
        if self.game.outcome().is_some() {
            return Ok(None);
        }
        let ruleset = self.game.ruleset.clone();
        let mut standing = ruleset.standing.iter().enumerate();
        let due = standing.find(|(at, s)| self.due.holds(*at, &self.game, &s.when, &s.reads));
        let Some((_, standing)) = due else { return Ok(None) };
        let task = Task { rule: standing.rule, with: [-1; 4], source: Source::Standing };
        self.proceedings.standing += 1;
        if self.proceedings.standing > MOST_STANDING {
            return Err(self.wrong(task, "it has something to do for ever".to_owned()).into());
        }
        Ok(Some(task))
    }

    /// Fails if something does not hold that always must, at this place of the sequence. Nothing must any more once
    /// the players have agreed on a change: they may go where no rule leads.
    fn must_hold(&mut self) -> Result<(), Failure> {
        let is_lawful = self.proceedings.lawful == Lawful::Yes;
        if self.proceedings.lawful == Lawful::SettingUp {
            self.proceedings.lawful = Lawful::Yes;
        }
        if !is_lawful || self.proceedings.agreed.is_some() {
            return Ok(());
        }
        let ruleset = self.game.ruleset.clone();
        let here = self.game.place_of_play();
        for (at, invariant) in ruleset.invariants.iter().enumerate() {
            let is_inside = |place: &usize| here.is_some_and(|here| ruleset.sequence.is_inside(here, *place));
            let holds_here = invariant.places.is_empty() || invariant.places.iter().any(is_inside);
            if holds_here && self.broken.holds(at, &self.game, &invariant.broken, &invariant.reads) {
                let (id, say) = (invariant.id.clone(), invariant.say.clone());
                let fails_for = self.game.fails_for(&invariant.broken);
                return Err(Failure::Broken { id, say, fails_for, entries: self.entries() });
            }
        }
        Ok(())
    }
}

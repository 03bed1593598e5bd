//! A match being played: who is asked what, what is answered, and what is taken back.
//!
//! A task is plain data: the state it began in and the answers given since. To take back, to take up or to load, the
//! state is put back to where it began and the rule carried out again with those answers; nobody computes an offer on
//! the way.

use std::{cell::OnceCell, collections::BTreeSet, sync::Arc};

use super::{
    at_rest::{Begun, Lawful, Limits, Match, Proceedings},
    chance::{Chance, Nth, Roll, remembered},
    effect::{Effect, Event},
    failure::{Failure, NotTaken, SessionError},
    game::{Game, Outcome, State, Task},
    offer::{Action, Question, Refusal},
    pairs::Listing,
    readings::Readings,
    record::{Adjustment, Entry, Record},
    rules::Rules,
    said::Particular,
    watch::Watch,
};
use crate::ruleset::{Cite, Ruleset, Text};

/// A match in motion: it is taken up, played, and put down again.
pub struct Session<R: Rules> {
    /// Who answers for chance.
    pub chance: Chance,
    /// How it is played.
    pub limits: Limits,
    /// Sides whose people want a last look before what cannot be taken back: a roll, the end of a part of the turn.
    /// There the session waits for [`Session::go_ahead`]. None of it reaches the record.
    pub looking: BTreeSet<i32>,
    /// What measures come to on the way, from when somebody puts [readings](Readings) here. They are of the match played
    /// forward: what is taken back stays read until it is played again.
    pub readings: Option<Readings>,
    pub(super) game: Box<Game>,
    pub(super) rules: R,
    pub(super) proceedings: Proceedings,
    pub(super) pending: Option<Question>,
    /// The roll that waits, and how many of its kind there were before.
    pub(super) roll: Option<(Roll, Nth)>,
    /// What the waiting question offers, once somebody has looked at all of it.
    pub(super) offers: OnceCell<Vec<Action>>,
    /// What the session itself has looked at of it.
    pub(super) listed: Listing,
    /// Whether it offers no more than one answer: that, where it does.
    pub(super) only: Option<Action>,
    /// Whether the answers are known beforehand, as a record's are: what is offered is listed only if somebody looks.
    pub(crate) is_foretold: bool,
    /// Standing rules with something to do, and invariants that are broken.
    pub(super) due: Watch,
    pub(super) broken: Watch,
}

/// Where a match stands.
#[derive(Debug, Clone, Copy)]
pub enum Stands<'a> {
    /// It stands between two tasks, as before it has begun: [`Session::advance`] goes on to what is asked next.
    Before,
    /// A side is asked.
    Asks(&'a Question),
    /// Chance is asked, and a person rolls or wants to look first.
    Rolls(&'a Roll),
    /// Nothing is left to do. Without an outcome the sequence of play has ended and nobody has said who won.
    Over(Option<&'a Outcome>),
    /// It cannot go on until something is taken back.
    Failed(&'a Failure),
}

impl<R: Rules> Session<R> {
    /// Sets up a scenario. Play has not begun: call [`Session::advance`].
    pub fn new(ruleset: Arc<Ruleset>, rules: R, scenario: usize, seed: u64, limits: Limits) -> Session<R> {
        Session::of(rules, Match::new(ruleset, scenario, seed, limits))
    }

    /// Takes a match up with rules of its ruleset, and goes on to where it stood. What fails on the way is where it
    /// [stands](Session::stands) then.
    pub fn of(rules: R, m: Match) -> Session<R> {
        let ruleset = &m.ruleset;
        let mut session = Session {
            chance: Chance::Keyed,
            limits: m.limits,
            looking: BTreeSet::new(),
            readings: None,
            game: Box::new(Game::new(ruleset.clone(), 0)),
            rules,
            proceedings: Proceedings::default(),
            pending: None,
            roll: None,
            offers: OnceCell::new(),
            listed: Listing::default(),
            only: None,
            is_foretold: false,
            due: Watch::new(ruleset.standing.len()),
            broken: Watch::new(ruleset.invariants.len()),
        };
        session.hold(m);
        session
    }

    /// Puts down the match it plays, takes up another of the same ruleset, and goes on to where that stood.
    ///
    /// # Errors
    /// The match that was offered, where it is of another ruleset; nothing has changed then.
    pub fn take_up(&mut self, m: Match) -> Result<Match, Box<Match>> {
        if !Arc::ptr_eq(&self.game.ruleset, &m.ruleset) {
            return Err(Box::new(m));
        }
        let put_down = self.let_go();
        self.hold(m);
        Ok(put_down)
    }

    /// Puts the match down. The rules are free to play another.
    pub fn put_down(mut self) -> (R, Match) {
        let put_down = self.let_go();
        (self.rules, put_down)
    }

    /// What rules have printed since last asked.
    pub fn printed(&mut self) -> Vec<String> {
        self.rules.printed()
    }

    /// What the rules have put to work since last asked, where they keep track of it.
    pub fn rules_at_work(&mut self) -> BTreeSet<String> {
        self.rules.at_work()
    }

    /// The rules, to play another game with.
    pub fn into_rules(self) -> R {
        self.rules
    }

    /// A match that stands where this one does, and can go on otherwise. Nothing before its task can be taken back in
    /// it, and its story begins there.
    pub fn fork(&self) -> Match {
        let Proceedings { record, is_underway, is_over, chosen, standing, unasked, failed, lawful, agreed, .. } =
            &self.proceedings;
        let begun = self.proceedings.underway().map(|begun| Begun { written: 0, told: 0, ..begun.clone() });
        let state = self.state_at_rest();
        let proceedings = Proceedings {
            record: record.clone(),
            told: Vec::new(),
            beginning: self.limits.log.then(|| Arc::new(state.clone())),
            begun: begun.into_iter().collect(),
            is_underway: *is_underway,
            is_over: *is_over,
            chosen: *chosen,
            standing: *standing,
            unasked: *unasked,
            failed: failed.clone(),
            lawful: *lawful,
            agreed: *agreed,
        };
        let (chance, looking) = (self.chance.clone(), self.looking.clone());
        Match { chance, looking, ..Match::at(state, proceedings, self.limits, self.game.ruleset.clone()) }
    }

    /// Works on a fork in its place: whatever is done there, the match stands afterwards as it did.
    pub fn try_out<T>(&mut self, work: impl FnOnce(&mut Session<R>) -> T) -> T {
        let fork = self.fork();
        let kept = self.let_go();
        self.hold(fork);
        let done = work(self);
        self.hold(kept);
        done
    }

    fn state_at_rest(&self) -> State {
        match self.proceedings.underway() {
            Some(begun) => self.game.at_rest(begun.written, &begun.progress),
            None => self.game.at_rest(self.game.values.written(), &self.game.progress),
        }
    }

    fn let_go(&mut self) -> Match {
        let written = self.proceedings.underway().map_or(self.game.values.written(), |begun| begun.written);
        Match {
            ruleset: self.game.ruleset.clone(),
            state: self.state_at_rest(),
            written_over: self.game.values.take_written_over(written),
            proceedings: std::mem::take(&mut self.proceedings),
            chance: std::mem::take(&mut self.chance),
            limits: self.limits,
            looking: std::mem::take(&mut self.looking),
        }
    }

    fn hold(&mut self, m: Match) {
        // What the match before used up is not this one's.
        self.rules.renew();
        let Match { ruleset: _, state, written_over, proceedings, chance, limits, looking } = m;
        (self.proceedings, self.chance, self.limits, self.looking) = (proceedings, chance, limits, looking);
        (self.pending, self.roll) = (None, None);
        self.game.seed = self.proceedings.record.seed;
        self.game.telling = limits.log;
        self.game.take_up(&state);
        self.game.values.remember(written_over);
        if self.proceedings.is_underway && self.proceedings.failed.is_none() {
            if let Some(begun) = self.proceedings.begun.last_mut() {
                begun.version = self.game.values.version();
            }
            self.renew();
            let step = self.run_again();
            // It stands where it failed; whoever goes on is told.
            let _ = self.take_and_run(step);
        }
    }

    /// Where it stands.
    pub fn stands(&self) -> Stands<'_> {
        match (&self.pending, &self.roll, &self.proceedings.failed) {
            (Some(question), ..) => Stands::Asks(question),
            (_, Some((roll, _)), _) => Stands::Rolls(roll),
            (_, _, Some(failed)) => Stands::Failed(failed),
            _ if self.proceedings.is_over => Stands::Over(self.game.outcome()),
            _ => Stands::Before,
        }
    }

    /// The content it is played with.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.game.ruleset
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What has been answered.
    pub fn record(&self) -> &Record {
        &self.proceedings.record
    }

    /// How many answers, rolls and agreements it has.
    pub fn entries(&self) -> usize {
        self.proceedings.record.entries.len()
    }

    /// The game before anything was told: as its scenario sets it up, or as a fork or a position began.
    pub fn beginning(&self) -> Game {
        let record = self.record();
        let mut game = Game::new(self.ruleset().clone(), record.seed);
        if let Some(state) = &self.proceedings.beginning {
            game.take_up(state);
        } else if let Some(scenario) = self.ruleset().scenario(&record.scenario) {
            game.set_up(&self.ruleset().scenarios[scenario]);
        }
        game
    }

    /// Changes the game before play begins, as an example puts the counters where it wants them: what always holds need
    /// not from then on. Nothing of it is told.
    ///
    /// # Panics
    /// Play has begun.
    pub fn by_hand<T>(&mut self, work: impl FnOnce(&mut Game) -> T) -> T {
        assert!(self.proceedings.begun.is_empty(), "play has begun");
        self.proceedings.lawful = Lawful::ByHand;
        let telling = std::mem::replace(&mut self.game.telling, false);
        let done = work(&mut self.game);
        self.game.telling = telling;
        done
    }

    /// The question waiting for a side, if there is one.
    pub fn question(&self) -> Option<&Question> {
        self.pending.as_ref()
    }

    /// The roll waiting for a person, who rolls it or wants to look first, if there is one.
    pub fn roll(&self) -> Option<&Roll> {
        self.roll.as_ref().map(|(roll, _)| roll)
    }

    /// What the waiting roll is of, and what comes up if it comes up so, by names, as [`Chance::Remembered`] has them.
    pub fn remembered(&self, value: i32) -> Option<(u64, u64)> {
        self.roll.as_ref().map(|(roll, nth)| remembered(&self.game, roll, *nth, value))
    }

    /// Whether it waits only for a last look: what comes next is known, and [`Session::go_ahead`] lets it come.
    pub fn waits(&self) -> bool {
        let is_forced = self.limits.forced && self.pending.is_some() && self.has_one_answer();
        is_forced || (self.roll.is_some() && matches!(self.chance, Chance::Keyed))
    }

    /// Whether a side that looks has chosen something since the last look. Before somebody else answers, it is time
    /// for another.
    pub fn has_chosen(&self) -> bool {
        self.proceedings.chosen
    }

    /// Whether an answer ends a part of the turn in which something else could still be chosen.
    pub fn ends_early(&self, action: Action) -> bool {
        let verb = |action: &Action| &self.game.ruleset.verbs[action.verb as usize];
        verb(&action).ends && self.offers().iter().any(|a| !verb(a).takes.is_empty())
    }

    /// Everything the waiting question offers; nothing where none waits. Pairs are listed once somebody looks: as many as
    /// are found with the steps that rows may take from one answer to the next, and no more than a million.
    pub fn offers(&self) -> &[Action] {
        let Some(question) = &self.pending else { return &[] };
        self.offers.get_or_init(|| {
            self.game.begin_steps();
            let mut listing = self.listed.clone();
            // As much room as the list of the question before had, and no more: room is handed on from one to the next.
            listing.actions.reserve(self.listed.actions.capacity() - self.listed.actions.len());
            self.game.list_actions(question, usize::MAX, &mut listing);
            self.game.end_steps();
            listing.actions
        })
    }

    /// The rule being carried out.
    pub fn task(&self) -> Option<Task> {
        self.proceedings.underway().map(|begun| begun.task)
    }

    /// How many answers the task being carried out has had.
    pub fn answers_of_task(&self) -> usize {
        self.proceedings.answers().count()
    }

    /// Everything told so far, the task being carried out included.
    pub fn told(&self) -> impl Iterator<Item = &Event> {
        self.proceedings.told.iter().chain(&self.game.told)
    }

    /// Goes on until a side must answer, a person must roll, or the game is over. Once it has failed it fails again,
    /// until something is taken back.
    pub fn advance(&mut self) -> Result<(), Failure> {
        self.game.begin_steps();
        let done = self.run();
        self.note_failure(done)
    }

    fn purpose(&self, chance: u16) -> &str {
        &self.game.ruleset.chances[chance as usize].purpose
    }

    /// Why a side cannot answer while nothing is asked of any.
    pub(super) fn why_not_asked(&self) -> NotTaken {
        match &self.roll {
            Some((roll, _)) => NotTaken::RollWaits(self.purpose(roll.chance).to_owned()),
            None => NotTaken::Over,
        }
    }

    /// Answers the waiting question for a side.
    pub fn act(&mut self, by: i32, action: Action) -> Result<(), SessionError> {
        let Some(question) = &self.pending else { return Err(self.cannot(self.why_not_asked())) };
        if question.by != by {
            return Err(NotTaken::NotYours.into());
        }
        if !self.is_offered(action) {
            let refused = self.game.why_not(question, action);
            self.list_offers()?;
            return Err(NotTaken::Refused(refused).into());
        }
        if self.looking.contains(&by) {
            // Whoever ends early has been asked twice.
            self.proceedings.chosen = !self.has_one_answer() && !self.ends_early(action);
        }
        let question = self.pending.take().expect("just looked at");
        self.note(&question, action);
        self.renew();
        self.go_on_for_somebody(action)
    }

    /// Where it has failed, that is why nothing can be answered.
    fn cannot(&self, otherwise: NotTaken) -> SessionError {
        self.proceedings.failed.clone().map_or(otherwise.into(), SessionError::Failed)
    }

    /// Goes on from where it waits for a last look: gives the one answer there is, or lets chance roll.
    pub fn go_ahead(&mut self) -> Result<(), SessionError> {
        self.proceedings.chosen = false;
        if let Some((roll, nth)) = &self.roll {
            let value = self.chance.answer(&self.game, roll, *nth);
            return value.map_or(Ok(()), |value| self.act_roll(value));
        }
        match (&self.pending, self.only) {
            (Some(question), Some(only)) if self.limits.forced => self.act(question.by, only),
            _ => Ok(()),
        }
    }

    /// Answers the waiting roll for a person.
    pub fn act_roll(&mut self, value: i32) -> Result<(), SessionError> {
        let Some((roll, nth)) = self.roll.take() else {
            let why = if self.pending.is_some() { NotTaken::NothingRolls } else { NotTaken::Over };
            return Err(self.cannot(why));
        };
        if !roll.can_be(value) {
            self.roll = Some((roll, nth));
            let refused = Refusal::engine(Text::NoSuchRoll, [Particular::number(value)], Cite::NONE);
            return Err(NotTaken::Refused(vec![refused]).into());
        }
        self.note_roll(&roll, value);
        self.renew();
        self.go_on_for_somebody(Action::rolled(value))
    }

    /// Plays one entry of a record.
    pub fn replay_entry(&mut self, number: usize, entry: &Entry) -> Result<(), SessionError> {
        let misfit = |text: String| SessionError::from(NotTaken::Misfit(number + 1, text));
        match (entry, &self.pending, &self.roll) {
            (Entry::Side { by, key, about, action }, Some(question), _) => {
                let name = |key: u16| self.ruleset().questions[key as usize].key.clone();
                if question.key != *key {
                    let (was, is) = (name(*key), name(question.key));
                    return Err(misfit(format!("it answers `{was}`, and the game asks `{is}`")));
                }
                if question.about != *about {
                    return Err(misfit(format!("`{}` is asked about something else", name(*key))));
                }
                self.act(*by, *action)
            }
            (Entry::Chance { chance, value, .. }, _, Some((roll, _))) => {
                if roll.chance != *chance {
                    let (was, is) = (self.purpose(*chance), self.purpose(roll.chance));
                    return Err(misfit(format!("it rolls for {was}, and the game for {is}")));
                }
                self.act_roll(*value)
            }
            (Entry::Agreement(adjustment), ..) => self.adjust(*adjustment),
            (Entry::Side { .. }, None, Some((roll, _))) => {
                Err(misfit(format!("the game rolls for {}", self.purpose(roll.chance))))
            }
            (Entry::Chance { chance, .. }, ..) => {
                Err(misfit(format!("nothing is rolled for {} now", self.purpose(*chance))))
            }
            (Entry::Side { .. }, None, None) => Err(misfit("the game is over".into())),
        }
    }

    /// Changes the game by agreement of the players. The task being carried out begins again from the changed
    /// state, so it must not have been answered yet.
    pub fn adjust(&mut self, adjustment: Adjustment) -> Result<(), SessionError> {
        let wrong = |text: String| SessionError::from(NotTaken::Agreement(text));
        let Some(task) = self.task().filter(|_| self.answers_of_task() == 0) else {
            return Err(wrong("finish what has been begun, or take it back, before you agree on a change".to_owned()));
        };
        let cite = Cite::NONE;
        let effect = match adjustment {
            Adjustment::Place { unit, to } => Effect::Place { unit, to, cite },
            Adjustment::Set { column, of, value } => Effect::Set { column, of, value, cite },
        };
        self.back_to_its_beginning();
        if let Err(text) = self.game.apply(effect) {
            self.ask_again();
            return Err(wrong(text));
        }
        let (told, agreed) = (self.proceedings.told.len(), self.proceedings.agreed);
        self.proceedings.agreed = agreed.or(Some(self.entries()));
        self.proceedings.told.append(&mut self.game.told);
        self.proceedings.record.entries.push(Entry::Agreement(adjustment));
        let begun = self.begun(task);
        self.proceedings.begun.push(begun);
        self.renew();
        match self.run_again() {
            Ok(step) => {
                (self.pending, self.roll, self.proceedings.failed) = (None, None, None);
                Ok(self.take_and_run(Ok(step))?)
            }
            Err(rule) => {
                self.proceedings.begun.pop();
                self.proceedings.told.truncate(told);
                self.proceedings.record.entries.pop();
                self.proceedings.agreed = agreed;
                self.ask_again();
                Err(NotTaken::Rule(rule).into())
            }
        }
    }

    /// Takes answers back until the record holds `entries` of them. Needs [`Limits::undo`].
    pub fn take_back(&mut self, entries: usize) -> Result<(), SessionError> {
        let Proceedings { record, begun, told, .. } = &mut self.proceedings;
        let keep = begun.iter().rposition(|begun| begun.at <= entries);
        let Some(keep) = keep.filter(|_| entries <= record.entries.len()) else {
            return Err(NotTaken::NothingToTakeBack.into());
        };
        begun.truncate(keep + 1);
        told.truncate(begun[keep].told);
        record.entries.truncate(entries);
        self.proceedings.agreed = self.proceedings.agreed.filter(|agreed| *agreed < entries);
        (self.proceedings.is_underway, self.proceedings.is_over) = (true, false);
        // Whoever goes back to what was decided may look at it again.
        self.proceedings.chosen = !self.looking.is_empty();
        (self.pending, self.roll, self.proceedings.failed) = (None, None, None);
        self.renew();
        let step = self.run_again();
        Ok(self.take_and_run(step)?)
    }
}

//! A record walked decision by decision under two versions: what is asked and offered in each, what it costs and what comes
//! of it. Where a version goes another way than the record, it is put back to where the record stands as soon as that
//! begins a task, and walked on.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    io,
    sync::Arc,
};

use super::{
    ReplayError,
    branch::{Answer, standing},
    follower::{Choice, Follower, Item, Scene},
    laying::Laying,
    mixtures::{Make, Mixtures},
};
use crate::{
    play::{Action, Chance, Entry, Limits, Question, Record, Roll, Rules, Session, Stands},
    ruleset::{Kind, Ruleset},
    show::record_line,
};

/// What of a decision differs between two versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// What is asked, or whether anything is.
    Asked,
    /// What happens before it is asked.
    Before,
    /// Whether a choice is offered.
    Choice,
    /// What a move costs.
    Cost,
    /// What comes of a choice: changes, sums, what is asked next.
    Effect,
    /// What comes of a face of the die, or of a draw.
    Odds,
}

impl Aspect {
    /// The word that machines read.
    pub fn word(self) -> &'static str {
        match self {
            Aspect::Asked => "asked",
            Aspect::Before => "before",
            Aspect::Choice => "choice",
            Aspect::Cost => "cost",
            Aspect::Effect => "effect",
            Aspect::Odds => "odds",
        }
    }
}

/// One difference, at one place of a record. Of everything that comes in twos the first is the first version's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// What differs.
    pub aspect: Aspect,
    /// The choice, as a record has it, or what comes up; empty where it is about none.
    pub choice: String,
    /// Of a choice: whether each version offers it.
    pub offered: [bool; 2],
    /// What each version has there, line by line: of a choice that is not offered, why.
    pub stands: [Vec<String>; 2],
    /// What the difference is laid to: what turns the first version into showing what the second does, and what turns the
    /// second into showing what the first does. No member of either can be left out.
    pub by: [Vec<String>; 2],
}

/// A place of a record at which versions differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Which answer of the record comes next, counted from 1.
    pub answer: usize,
    /// The game turn.
    pub turn: String,
    /// What the record's own version asks.
    pub asks: String,
    /// What the record answers.
    pub line: String,
    /// Whether chance answers.
    pub is_roll: bool,
    /// What differs.
    pub contrasts: Vec<Contrast>,
}

/// What walks have come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walked {
    /// Records.
    pub records: usize,
    /// Decisions of sides, forced ones too; and of these, at how many the versions differ.
    pub decisions: [usize; 2],
    /// Rolls and draws, in the same way.
    pub rolls: [usize; 2],
    /// Decisions and rolls that could not be looked at, because a version was off the record's way.
    pub off: [usize; 2],
    /// How often each version was put back to where the record stood.
    pub put_back: [usize; 2],
    /// How many differences are laid to what, and how many decisions and rolls they are at.
    pub laid: BTreeMap<[Vec<String>; 2], (usize, usize)>,
}

/// Walks records under two versions.
pub struct Walk<R: Rules> {
    versions: [Arc<Ruleset>; 2],
    followers: Option<[Follower<R>; 2]>,
    laying: Laying,
    /// Places with differences that are not laid yet, and how many are.
    waiting: VecDeque<(Place, usize)>,
    task: usize,
    /// What has come of it so far.
    pub walked: Walked,
}

impl<R: Rules + 'static> Walk<R> {
    /// More differences do not wait to be laid: each holds the positions it was seen in.
    const MOST_WAITING: usize = 200;

    /// Two versions, with what they differ in; `make` makes versions that lie between them.
    ///
    /// # Errors
    /// When no thread can be begun.
    pub fn new(versions: [Arc<Ruleset>; 2], mixtures: &Mixtures, make: &Arc<Make<R>>) -> io::Result<Walk<R>> {
        let laying = Laying::new(mixtures, make, &versions)?;
        let waiting = VecDeque::new();
        Ok(Walk { versions, followers: None, laying, waiting, task: 0, walked: Walked::default() })
    }

    /// Walks a record, which is of `ruleset`. `rules` makes rules of a version; `differs` hears of each place at which the
    /// versions differ. Nothing of a place is kept once it has been told.
    ///
    /// # Errors
    /// What `rules` says; or the record does not fit its own version.
    pub fn record<E: From<ReplayError>>(
        &mut self,
        (ruleset, record): (&Arc<Ruleset>, &Record),
        rules: impl Fn(&Arc<Ruleset>) -> Result<R, E>,
        mut differs: impl FnMut(&Place),
    ) -> Result<(), E> {
        let done = self.follow((ruleset, record), rules, &mut differs);
        self.tell_laid(0, &mut differs);
        done
    }

    fn follow<E: From<ReplayError>>(
        &mut self,
        (ruleset, record): (&Arc<Ruleset>, &Record),
        rules: impl Fn(&Arc<Ruleset>) -> Result<R, E>,
        differs: &mut impl FnMut(&Place),
    ) -> Result<(), E> {
        let scenario = ruleset.scenario(&record.scenario);
        let scenario = scenario.ok_or_else(|| ReplayError::NoScenario(record.scenario.clone()))?;
        let mut ground = Session::new(
            ruleset.clone(),
            rules(ruleset)?,
            scenario,
            record.seed,
            Limits { forced: false, ..Limits::BULK },
        );
        (ground.chance, ground.is_foretold) = (Chance::Person, true);
        ground.advance().map_err(ReplayError::Begins)?;
        let mut followers = match self.followers.take() {
            Some(followers) => followers,
            None => {
                let [a, b] = &self.versions;
                let follower = |version: &Arc<Ruleset>| -> Result<Follower<R>, E> {
                    Ok(Follower::new(rules(version)?, version, &self.versions, ruleset))
                };
                [follower(a)?, follower(b)?]
            }
        };
        followers.iter_mut().for_each(|follower| follower.begin(ruleset));
        self.laying.begin(ruleset);
        self.walked.records += 1;
        let mut scene: Option<Scene> = None;
        for (number, entry) in record.entries.iter().enumerate() {
            let mut is_put_back = false;
            if ground.answers_of_task() == 0 || scene.is_none() {
                (scene, is_put_back) = (Some(self.next_scene(&ground, &mut followers)), false);
                is_put_back |= followers.iter().any(|follower| follower.was_put);
            }
            let here = scene.as_mut().expect("a scene has begun");
            let is_roll = !matches!(entry, Entry::Side { .. });
            let count = if is_roll { &mut self.walked.rolls } else { &mut self.walked.decisions };
            count[0] += usize::from(!matches!(entry, Entry::Agreement(_)));
            let stand = followers.each_mut().map(|follower| follower.at == Some((here.task, here.given.len())));
            self.walked.off.iter_mut().zip(stand).for_each(|(off, stands)| *off += usize::from(!stands));
            if stand == [true; 2] && !matches!(entry, Entry::Agreement(_)) {
                let mut contrasts = Vec::new();
                if is_put_back {
                    self.look(here, &mut followers, Item::Begins, Aspect::Before, String::new(), &mut contrasts);
                }
                self.compare(here, &mut followers, entry, &mut contrasts);
                if !contrasts.is_empty() {
                    let count = if is_roll { &mut self.walked.rolls } else { &mut self.walked.decisions };
                    count[1] += 1;
                    let place = Place {
                        answer: number + 1,
                        turn: ruleset.turn_name(ground.game().turn()),
                        asks: standing(&ground),
                        line: record_line(ruleset, entry),
                        is_roll,
                        contrasts,
                    };
                    self.waiting.push_back((place, 0));
                    self.tell_laid(Self::MOST_WAITING, differs);
                }
            }
            ground.replay_entry(number, entry).map_err(|wrong| ReplayError::Answer(number + 1, wrong))?;
            for follower in followers.iter_mut().filter(|follower| follower.at.is_some()) {
                follower.follow(entry);
            }
            here.given.push(*entry);
        }
        self.followers = Some(followers);
        Ok(())
    }

    /// Tells of places whose differences have been laid, in their order, and waits until no more differences are left than
    /// `most`.
    fn tell_laid(&mut self, most: usize, differs: &mut impl FnMut(&Place)) {
        while let Some((place, laid)) = self.waiting.front_mut() {
            while let Some(contrast) = place.contrasts.get_mut(*laid) {
                let Some(by) = self.laying.next(self.laying.waiting() > most) else { return };
                (contrast.by, *laid) = (by, *laid + 1);
            }
            let Some((place, _)) = self.waiting.pop_front() else { return };
            self.count(&place.contrasts);
            differs(&place);
        }
    }

    /// Where the record begins a task: versions that have come there by themselves go on, others are put there.
    fn next_scene(&mut self, ground: &Session<R>, followers: &mut [Follower<R>; 2]) -> Scene {
        self.task += 1;
        let own = followers
            .iter()
            .all(|follower| follower.has_begun)
            .then(|| followers.each_ref().map(|follower| follower.session.fork()));
        let mut scene =
            Scene { task: self.task, ground: ground.fork().into(), own: own.map(Arc::new), given: Vec::new() };
        for (at, follower) in followers.iter_mut().enumerate() {
            follower.was_put = !follower.is_in_step(ground);
            if follower.was_put {
                self.walked.put_back[at] += usize::from(follower.has_begun);
                follower.at = None;
                follower.stand(&scene, [at, 1 - at]);
            } else {
                follower.at = Some((self.task, 0));
            }
            follower.has_begun = true;
        }
        scene.own = Some(followers.each_ref().map(|follower| follower.session.fork()).into());
        scene
    }

    /// Looks at everything that can be seen where both versions stand.
    fn compare(
        &mut self,
        scene: &Scene,
        followers: &mut [Follower<R>; 2],
        entry: &Entry,
        contrasts: &mut Vec<Contrast>,
    ) {
        let before = contrasts.len();
        self.look(scene, followers, Item::Asks, Aspect::Asked, String::new(), contrasts);
        if contrasts.len() > before {
            return;
        }
        let [a, b] = followers.each_ref().map(|follower| match follower.session.stands() {
            Stands::Asks(question) => (Some(question.clone()), None),
            Stands::Rolls(roll) => (None, Some(roll.clone())),
            _ => (None, None),
        });
        match (a, b) {
            ((Some(a), _), (Some(b), _)) => self.compare_choices(scene, followers, [a, b], entry, contrasts),
            ((_, Some(a)), (_, Some(b))) => self.compare_rolls(scene, followers, [a, b], contrasts),
            _ => (),
        }
    }

    fn compare_rolls(
        &mut self,
        scene: &Scene,
        followers: &mut [Follower<R>; 2],
        rolls: [Roll; 2],
        contrasts: &mut Vec<Contrast>,
    ) {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for (of, roll) in rolls.iter().enumerate() {
            let ruleset = self.versions[of].clone();
            let draws = ruleset.chances[usize::from(roll.chance)].draws.unwrap_or(Kind::Int);
            for value in roll.values() {
                let name = ruleset.name_of(draws, value);
                if seen.insert(name.clone()) {
                    let item = Item::Face(Choice { of, action: Action::rolled(value) });
                    self.look(scene, followers, item, Aspect::Odds, name, contrasts);
                }
            }
        }
    }

    fn compare_choices(
        &mut self,
        scene: &Scene,
        followers: &mut [Follower<R>; 2],
        questions: [Question; 2],
        entry: &Entry,
        contrasts: &mut Vec<Contrast>,
    ) {
        let offered = followers.each_ref().map(|follower| follower.session.offers().to_vec());
        let in_first: BTreeSet<Action> = offered[0].iter().copied().collect();
        let in_second: BTreeSet<Action> = offered[1].iter().copied().collect();
        let line = |of: usize, action: Action| {
            let Question { by, key, about, .. } = questions[of];
            let line = record_line(&self.versions[of], &Entry::Side { by, key, about, action });
            let answer = line.split_once(": ").map_or(line.as_str(), |(_, answer)| answer);
            answer.rsplit_once("  [").map_or(answer, |(answer, _)| answer).to_owned()
        };
        let taken = followers[0].crossing.entry(entry).and_then(|entry| match entry {
            Entry::Side { action, .. } => Some(action),
            _ => None,
        });
        let mut both: Vec<[Action; 2]> = Vec::new();
        let mut lone: Vec<(Choice, String)> = Vec::new();
        for action in &offered[0] {
            match followers[1].others[0].action(*action).filter(|its| in_second.contains(its)) {
                Some(its) => both.push([*action, its]),
                None => lone.push((Choice { of: 0, action: *action }, line(0, *action))),
            }
        }
        for action in &offered[1] {
            if followers[0].others[1].action(*action).is_none_or(|its| !in_first.contains(&its)) {
                lone.push((Choice { of: 1, action: *action }, line(1, *action)));
            }
        }
        let shared: Vec<(Choice, String)> =
            both.iter().map(|[action, _]| (Choice { of: 0, action: *action }, line(0, *action))).collect();
        for (choice, name) in lone {
            self.look(scene, followers, Item::Offered(choice), Aspect::Choice, name, contrasts);
        }
        for ((choice, name), [first, second]) in shared.iter().zip(&both) {
            let costs = [0, 1].map(|at| followers[at].cost(&questions[at], if at == 0 { *first } else { *second }));
            if costs[0] != costs[1] {
                self.look(scene, followers, Item::Cost(*choice), Aspect::Cost, name.clone(), contrasts);
            }
        }
        // Moves are held against each other by what they cost; what comes of them only where the record makes one.
        let moving: BTreeSet<u16> = questions[0]
            .offers
            .iter()
            .filter(|offer| Follower::<R>::is_of_moves(offer))
            .map(|offer| offer.verb)
            .collect();
        let tried =
            both.iter().zip(shared).filter(|([action, _], _)| Some(*action) == taken || !moving.contains(&action.verb));
        let (tried, named): (Vec<&[Action; 2]>, Vec<(Choice, String)>) = tried.unzip();
        let [first, second] = [0, 1].map(|at| {
            let answers: Vec<Answer> = tried.iter().map(|both| Answer::Side(both[at])).collect();
            followers[at].branches(&answers)
        });
        for (((choice, name), first), second) in named.into_iter().zip(first).zip(second) {
            // What is asked next after the record's own answer is looked at there.
            let with_next = Some(choice.action) != taken;
            if first.lines != second.lines || (with_next && first.stands != second.stands) {
                self.look(scene, followers, Item::Effect(choice, with_next), Aspect::Effect, name, contrasts);
            }
        }
    }

    /// Looks at one thing in both versions, and lays what differs.
    fn look(
        &mut self,
        scene: &Scene,
        followers: &mut [Follower<R>; 2],
        item: Item,
        aspect: Aspect,
        choice: String,
        contrasts: &mut Vec<Contrast>,
    ) {
        let seen = followers.each_mut().map(|follower| follower.seen(&item));
        if seen[0] == seen[1] {
            return;
        }
        let offered = seen.each_ref().map(|seen| match item {
            Item::Offered(_) => seen.as_ref().is_some_and(|seen| seen[0] == "yes"),
            _ => seen.is_some(),
        });
        let [a, b] = followers;
        let stands = match item {
            Item::Offered(of) => [(&*a, offered[0]), (&*b, offered[1])].map(|(follower, offered)| match offered {
                true => Vec::new(),
                false => follower.refusals(of),
            }),
            _ => seen.each_ref().map(|seen| seen.clone().unwrap_or_default()),
        };
        let [first, second] = &stands;
        let of_one = first.iter().filter(|line| !second.contains(line));
        let of_one = of_one.chain(second.iter().filter(|line| !first.contains(line)));
        self.laying.lay(scene, item, seen.each_ref(), of_one.flat_map(|line| cites(line)));
        contrasts.push(Contrast { aspect, choice, offered, stands, by: Default::default() });
    }

    fn count(&mut self, contrasts: &[Contrast]) {
        let laid = &mut self.walked.laid;
        contrasts.iter().for_each(|contrast| laid.entry(contrast.by.clone()).or_default().0 += 1);
        let sets: BTreeSet<&[Vec<String>; 2]> = contrasts.iter().map(|contrast| &contrast.by).collect();
        sets.into_iter().for_each(|by| laid.entry(by.clone()).or_default().1 += 1);
    }
}

/// What a line cites, each citation in brackets.
fn cites(line: &str) -> impl Iterator<Item = &str> {
    line.split('[').skip(1).filter_map(|rest| rest.split_once(']')).flat_map(|(inner, _)| inner.split(", "))
}

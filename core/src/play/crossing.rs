//! From one version of a game to another: what the one calls a thing the other calls so too, by its own number. Names are
//! looked up once, so that many positions and answers can be taken over.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    at_rest::{Begun, Lawful, Match, Proceedings},
    effect::Effect,
    game::{Game, Outcome, Progress, Task},
    offer::{About, Action},
    record::{Adjustment, Entry, Record},
};
use crate::ruleset::{Cite, Kind, RuleId, Ruleset, Schema};

/// The numbers that values have in another version; nothing for what it lacks.
type Renumbered = Vec<Option<i32>>;

/// The way from one version of a game to another.
#[derive(Debug)]
pub struct Crossing {
    from: Arc<Ruleset>,
    to: Arc<Ruleset>,
    verbs: Vec<Option<u16>>,
    questions: Vec<Option<u16>>,
    chances: Vec<Option<u16>>,
    rules: Vec<Option<RuleId>>,
    steps: Vec<Option<u32>>,
    columns: Vec<Option<u16>>,
    /// Of each kind of the first version which kind it is in the second, with its values; nothing where all have the same
    /// numbers.
    kinds: BTreeMap<Kind, (Kind, Option<Renumbered>)>,
    /// Properties that both have.
    shared: Vec<Shared>,
}

/// A property that two versions have, of all that has it.
#[derive(Debug, Clone, Copy)]
struct Shared {
    /// Its first cell in each, and of how many things it is one.
    first: [u32; 2],
    count: [u32; 2],
    /// The kind of its values in the first, and of what has it.
    kind: Kind,
    holder: Kind,
    /// Which property it is in the second.
    column: u16,
    /// The least and the greatest number that the second has room for, where it is a number.
    room: Option<(i32, i32)>,
    /// Whether all that has it, and all its values, have the same numbers in both.
    is_alike: bool,
}

/// For each name of a list its place in another.
fn places<T: Ord>(from: impl Iterator<Item = T>, to: impl Iterator<Item = T>) -> Vec<Option<usize>> {
    let to: BTreeMap<T, usize> = to.enumerate().map(|(at, name)| (name, at)).collect();
    from.map(|name| to.get(&name).copied()).collect()
}

fn narrow(places: Vec<Option<usize>>) -> Vec<Option<u16>> {
    places.into_iter().map(|at| at.map(|at| at as u16)).collect()
}

impl Crossing {
    /// Looks up what they have in common.
    pub fn new(from: &Arc<Ruleset>, to: &Arc<Ruleset>) -> Crossing {
        let (a, b) = (&**from, &**to);
        let key = |of: fn(&Ruleset) -> &[u64]| places(of(a).iter(), of(b).iter());
        let steps = [a, b].map(|ruleset| ruleset.sequence.names_of_steps(&ruleset.rules));
        let mut crossing = Crossing {
            from: from.clone(),
            to: to.clone(),
            verbs: narrow(key(|ruleset| &ruleset.keys.verbs)),
            questions: narrow(key(|ruleset| &ruleset.keys.questions)),
            chances: narrow(key(|ruleset| &ruleset.keys.chances)),
            rules: key(|ruleset| &ruleset.keys.rules).into_iter().map(|at| at.map(|at| RuleId(at as u16))).collect(),
            steps: places(steps[0].iter(), steps[1].iter()).into_iter().map(|at| at.map(|at| at as u32)).collect(),
            columns: narrow(key(|ruleset| &ruleset.keys.columns)),
            kinds: BTreeMap::new(),
            shared: Vec::new(),
        };
        let symbols = (0..a.schema.symbols.len()).map(|list| Kind::Symbol(list as u16));
        let records = (0..a.schema.records.len()).map(|record| Kind::Record(record as u8));
        for kind in [Kind::Unit, Kind::Side, Kind::Space, Kind::Card].into_iter().chain(symbols).chain(records) {
            crossing.add_kind(kind);
        }
        crossing.add_shared();
        crossing
    }

    fn add_kind(&mut self, kind: Kind) {
        let (a, b) = (&*self.from, &*self.to);
        let its = match kind {
            Kind::Symbol(list) => {
                let name = &a.schema.symbols[usize::from(list)].name;
                b.schema.symbols.iter().position(|list| list.name == *name).map(|at| Kind::Symbol(at as u16))
            }
            Kind::Record(record) => {
                let name = &a.schema.records[usize::from(record)].name;
                b.schema.records.iter().position(|record| record.name == *name).map(|at| Kind::Record(at as u8))
            }
            kind => Some(kind),
        };
        let Some(its) = its else { return };
        let values = match (kind, its) {
            (Kind::Record(one), Kind::Record(other)) => {
                let most = |ruleset: &Ruleset, at: u8| ruleset.schema.records[usize::from(at)].most;
                let (one, other) = (most(a, one), most(b, other));
                (one > other).then(|| (0..one).map(|at| (at < other).then_some(at as i32)).collect())
            }
            _ => {
                let (one, other) = (a.keys.of_kind(kind), b.keys.of_kind(its));
                let found = || places(one.iter(), other.iter()).into_iter().map(|at| at.map(|at| at as i32)).collect();
                (one != other).then(found)
            }
        };
        self.kinds.insert(kind, (its, values));
    }

    fn add_shared(&mut self) {
        let (from, to) = (self.from.clone(), self.to.clone());
        for (number, column) in (0..).zip(&from.schema.columns) {
            let Some(there) = self.columns[usize::from(number)] else { continue };
            let (kind, its) = (from.schema.kind(number), &to.schema.columns[usize::from(there)]);
            if to.schema.kind(there) != self.kind(kind).unwrap_or(kind) {
                continue;
            }
            let (holder, both) = (from.kind_of(column.holder), [column, its]);
            self.shared.push(Shared {
                first: both.map(|column| column.base as u32),
                count: both.map(|column| column.count as u32),
                kind,
                holder,
                column: there,
                room: (kind == Kind::Int).then_some(its.range),
                is_alike: self.is_alike(kind) && self.is_alike(holder) && column.count == its.count,
            });
        }
    }

    /// Whether all values of a kind have the same numbers in both versions.
    fn is_alike(&self, kind: Kind) -> bool {
        let renumbered = self.kinds.get(&kind).map(|(_, values)| values.is_some());
        !renumbered.unwrap_or(matches!(kind, Kind::Symbol(_) | Kind::Record(_)))
    }

    /// A property of things that both versions have, as it may differ between two games: whose it is in the second, and its
    /// cell in each.
    fn cells<'a>(
        &'a self,
        shared: &'a Shared,
        from: &Game,
        to: &Game,
    ) -> impl Iterator<Item = (i32, [usize; 2])> + use<'a> {
        let [here, there] = [0, 1].map(|at| (shared.first[at], shared.count[at]));
        let is_same = shared.is_alike && from.values.slice(here) == to.values.slice(there);
        let things = if is_same { 0..0 } else { 0..shared.count[0] };
        things.filter_map(move |at| {
            let of = self.value(shared.holder, at as i32).filter(|of| (0..shared.count[1] as i32).contains(of))?;
            Some((of, [here.0 + at, there.0 + of as u32].map(|cell| cell as usize)))
        })
    }

    /// What the second version calls a kind of the first.
    fn kind(&self, kind: Kind) -> Option<Kind> {
        self.kinds.get(&kind).map(|(its, _)| *its)
    }

    /// The number of a value in the second version; nothing where that lacks it.
    pub fn value(&self, kind: Kind, value: i32) -> Option<i32> {
        match self.kinds.get(&kind) {
            Some((_, Some(values))) if value >= 0 => values.get(value as usize).copied().flatten(),
            Some(_) => Some(value),
            // Numbers, flags and terrains stand for themselves: terrains are in the order in which maps declare them.
            None => (!matches!(kind, Kind::Symbol(_) | Kind::Record(_))).then_some(value),
        }
    }

    /// What the second version has in place of a value of a property: of numbers beyond its range the nearest. A marker at
    /// the end of a longer track lies at the end of a shorter one.
    fn fitting(&self, shared: &Shared, value: i32) -> Option<i32> {
        let value = self.value(shared.kind, value)?;
        Some(shared.room.map_or(value, |(least, most)| value.clamp(least, most)))
    }

    /// What something is about.
    pub fn about(&self, about: About) -> Option<About> {
        match about {
            About::Nothing => Some(About::Nothing),
            About::Thing(kind, thing) => Some(About::Thing(self.kind(kind).unwrap_or(kind), self.value(kind, thing)?)),
        }
    }

    /// The number of a question.
    pub fn question(&self, key: u16) -> Option<u16> {
        self.questions.get(usize::from(key)).copied().flatten()
    }

    /// The number of what chance is asked for.
    pub fn chance(&self, chance: u16) -> Option<u16> {
        self.chances.get(usize::from(chance)).copied().flatten()
    }

    /// The same answer; nothing where the second version lacks a word or a thing of it.
    pub fn action(&self, action: Action) -> Option<Action> {
        let verb = self.verbs.get(usize::from(action.verb)).copied().flatten()?;
        let takes = &self.from.verbs[usize::from(action.verb)].takes;
        let mut its = Action::alone(verb);
        for ((kind, value), its) in takes.iter().zip(action.values).zip(&mut its.values) {
            *its = self.value(*kind, value)?;
        }
        Some(its)
    }

    /// The same line of a record.
    pub fn entry(&self, entry: &Entry) -> Option<Entry> {
        Some(match entry {
            Entry::Side { by, key, about, action } => Entry::Side {
                by: self.value(Kind::Side, *by)?,
                key: self.question(*key)?,
                about: self.about(*about)?,
                action: self.action(*action)?,
            },
            Entry::Chance { chance, about, value } => {
                let draws = self.from.chances[usize::from(*chance)].draws.unwrap_or(Kind::Int);
                Entry::Chance {
                    chance: self.chance(*chance)?,
                    about: self.about(*about)?,
                    value: self.value(draws, *value)?,
                }
            }
            Entry::Agreement(Adjustment::Place { unit, to }) => Entry::Agreement(Adjustment::Place {
                unit: self.value(Kind::Unit, *unit)?,
                to: self.value(Kind::Space, *to)?,
            }),
            Entry::Agreement(Adjustment::Set { column, of, value }) => {
                let holder = self.from.kind_of(self.from.schema.columns[usize::from(*column)].holder);
                Entry::Agreement(Adjustment::Set {
                    column: self.columns.get(usize::from(*column)).copied().flatten()?,
                    of: self.value(holder, *of)?,
                    value: self.value(self.from.schema.kind(*column), *value)?,
                })
            }
        })
    }

    /// Whether two games agree in all that both versions have: every property, and the task at hand.
    pub fn agree(&self, from: &Game, to: &Game) -> bool {
        let is_same = |shared: &Shared| {
            let mut cells = self.cells(shared, from, to);
            cells.all(|(_, [here, there])| self.fitting(shared, from.values.get(here)) == Some(to.values.get(there)))
        };
        self.shared.iter().all(is_same) && {
            let mut agenda = from.progress.agenda.iter().map(|task| self.task(task));
            let mut others = to.progress.agenda.iter();
            agenda.len() == others.len() && agenda.all(|task| task.as_ref() == others.next())
        }
    }

    /// The same task; nothing where the second version has no such rule.
    pub fn task(&self, task: &Task) -> Option<Task> {
        Some(Task { rule: self.rules.get(usize::from(task.rule.0)).copied().flatten()?, ..*task })
    }

    fn cursor(&self, cursor: u32) -> u32 {
        self.steps.get(cursor as usize).copied().flatten().unwrap_or_else(|| {
            let sequence = &self.from.sequence;
            let place = sequence.lies_in.get(cursor as usize).copied().flatten();
            let place = place.and_then(|place| self.to.sequence.place(&sequence.places[place].name));
            place.map_or(0, |place| self.to.sequence.places[place].at as u32)
        })
    }

    fn outcome(&self, outcome: &Outcome) -> Outcome {
        let winners = outcome.winners.iter().filter_map(|side| self.value(Kind::Side, *side)).collect();
        let cite = self.to.rulebook.find(self.from.cite(outcome.cite)).unwrap_or(Cite::NONE);
        Outcome { winners, name: outcome.name.clone(), cite }
    }

    /// A match of the second version that stands where one of the first does, at the beginning of its task: what has been
    /// answered since is left out. What the first version has no place for is taken from `others`, the earlier before the
    /// later, and stands at its default where none of them knows it.
    pub fn carry(&self, m: &Match, others: &[(&Crossing, &Match)]) -> Match {
        let mut game = Game::new(self.to.clone(), m.record().seed);
        for (crossing, other) in others.iter().rev() {
            crossing.put_cells(other, &mut game);
        }
        self.put_cells(m, &mut game);
        let Progress { cursor, agenda, rolled, answered, last_turn, outcome, .. } = &m.state.progress;
        let task = m.proceedings.underway().and_then(|begun| self.task(&begun.task));
        let progress = Progress {
            cursor: self.cursor(*cursor),
            agenda: agenda.iter().filter_map(|task| self.task(task)).collect(),
            rolled: rolled.clone(),
            answered: answered.clone(),
            last_turn: *last_turn,
            outcome: outcome.as_ref().map(|outcome| self.outcome(outcome)),
            ..game.progress.clone()
        };
        let state = game.at_rest(game.values.written(), &progress);
        let begun = task.map(|task| Begun { task, at: 0, written: 0, version: 0, progress, told: 0 });
        let proceedings = Proceedings {
            record: Record::new(m.record().scenario.clone(), m.record().seed),
            is_underway: begun.is_some(),
            begun: begun.into_iter().collect(),
            lawful: Lawful::ByHand,
            ..Proceedings::default()
        };
        Match::at(state, proceedings, m.limits, self.to.clone())
    }

    /// Puts what both versions have to what it is in a match of the first.
    fn put_cells(&self, m: &Match, game: &mut Game) {
        let mut its = Game::new(self.from.clone(), 0);
        its.take_up(&m.state);
        for shared in &self.shared {
            for (of, [here, there]) in self.cells(shared, &its, game) {
                let Some(value) = self.fitting(shared, its.values.get(here)) else { continue };
                if value == game.values.get(there) {
                    continue;
                }
                // What the second version has no room for is left at what it was.
                let _ = game.apply(match shared.column {
                    Schema::PLACE => Effect::Place { unit: of, to: value, cite: Cite::NONE },
                    column => Effect::Set { column, of, value, cite: Cite::NONE },
                });
            }
        }
    }
}

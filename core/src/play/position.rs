//! A position by names: to be written, read, and taken up by another version of its game, which may have more, or less.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    at_rest::{Begun, Lawful, Limits, Match, Proceedings},
    effect::Effect,
    game::{Game, Outcome, Source, Task},
    record::Record,
};
use crate::ruleset::{Cite, Column, Kind, Ruleset, Schema};

/// Where a match stands at the beginning of a task, by names alone. Values at their default are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The game and version it was written by, as `game@version`.
    pub game: String,
    /// The scenario.
    pub scenario: String,
    /// The seed of its chance.
    pub seed: u64,
    /// The last turn of the scenario, where it ends before the track does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_turn: Option<i32>,
    /// The step of the sequence that play is at, as [`Sequence::names_of_steps`](crate::ruleset::Sequence::names_of_steps)
    /// has it.
    pub at: String,
    /// The task to be carried out first: where the match stood in one, that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<NamedTask>,
    /// What waits on the agenda; the last is carried out next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agenda: Vec<NamedTask>,
    /// By whose they are (`unit`, `side`, `space`, `card`, `game`, or the name of a record), which of them, and property.
    pub values: BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>>,
    /// In how many tasks of this turn each event has been rolled for, by the key of its names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolled: Vec<(u64, u32)>,
    /// How often each question has been answered this turn, by the key of its names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<(u64, u32)>,
    /// How the game ended: who won, the name of the outcome, and the paragraph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<(Vec<String>, String, String)>,
}

/// A task by the name of its rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedTask {
    /// The rule.
    pub rule: String,
    /// Its particulars, as the rule numbers them; those not used are -1.
    pub with: [i32; 4],
    /// Who asked for it: `once`, `repeat`, `agenda` or `standing`.
    pub source: String,
}

/// What of a position a version has no place for, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit(pub String);

const SOURCES: [(Source, &str); 4] =
    [(Source::Once, "once"), (Source::Repeat, "repeat"), (Source::Agenda, "agenda"), (Source::Standing, "standing")];

impl NamedTask {
    fn new(task: &Task, ruleset: &Ruleset) -> NamedTask {
        let source = SOURCES.iter().find(|(source, _)| *source == task.source).map_or("", |(_, name)| name);
        let rule = ruleset.rules[task.rule.0 as usize].name.clone();
        NamedTask { rule, with: task.with, source: source.to_owned() }
    }

    fn task(&self, ruleset: &Ruleset) -> Result<Task, Misfit> {
        let no_rule = || Misfit(format!("there is no rule `{}`: it is not carried out", self.rule));
        let source = SOURCES.iter().find(|(_, name)| *name == self.source).map(|(source, _)| *source);
        let source = source.ok_or_else(|| Misfit(format!("`{}` asks for no task", self.source)))?;
        Ok(Task { rule: ruleset.rule(&self.rule).ok_or_else(no_rule)?, with: self.with, source })
    }
}

impl Match {
    /// Where it stands by names, at the beginning of its task: what has been answered since is left out.
    pub fn position(&self) -> Position {
        let ruleset = &*self.ruleset;
        let mut game = Game::new(self.ruleset.clone(), self.record().seed);
        game.take_up(&self.state);
        let progress = &game.progress;
        let mut values: BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>> = BTreeMap::new();
        for (number, column) in (0..).zip(&ruleset.schema.columns) {
            for of in game.values.changed_among((column.base as u32, column.count as u32)) {
                let value = ruleset.id_of(ruleset.schema.kind(number), game.values.get(column.base + of));
                let of = ruleset.id_of(ruleset.kind_of(column.holder), of as i32);
                let things = values.entry(ruleset.holder_name(column.holder).to_owned()).or_default();
                things.entry(of).or_default().insert(column.name.clone(), value);
            }
        }
        let ended = |o: &Outcome| {
            let winners = o.winners.iter().map(|side| ruleset.id_of(Kind::Side, *side)).collect();
            (winners, o.name.to_string(), ruleset.cite(o.cite).to_owned())
        };
        Position {
            game: ruleset.full_name(),
            scenario: self.record().scenario.clone(),
            seed: self.record().seed,
            last_turn: Some(progress.last_turn).filter(|last| *last != i32::MAX),
            at: ruleset.sequence.names_of_steps(&ruleset.rules).swap_remove(game.cursor()),
            task: self.proceedings.underway().map(|begun| NamedTask::new(&begun.task, ruleset)),
            agenda: progress.agenda.iter().map(|task| NamedTask::new(task, ruleset)).collect(),
            values,
            rolled: progress.rolled.iter().collect(),
            answered: progress.answered.iter().collect(),
            outcome: progress.outcome.as_ref().map(ended),
        }
    }

    /// Takes up a position, with what of it this version has no place for. Its record begins anew. Where the step that
    /// play was at is not there, play goes on at the place of the sequence that the step lay in; where that is not there
    /// either, at the beginning.
    pub fn from_position(ruleset: Arc<Ruleset>, position: &Position, limits: Limits) -> (Match, Vec<Misfit>) {
        let mut misfits = Vec::new();
        let mut game = Game::new(ruleset.clone(), position.seed);
        for (holder, things) in &position.values {
            for (of, properties) in things {
                for (name, value) in properties {
                    if let Err(misfit) = game.take_value(holder, of, name, value) {
                        misfits.push(misfit);
                    }
                }
            }
        }
        let mut fitting = |task: &NamedTask| task.task(&ruleset).map_err(|misfit| misfits.push(misfit)).ok();
        let agenda = position.agenda.iter().filter_map(&mut fitting).collect();
        let task = position.task.as_ref().and_then(&mut fitting);
        let sequence = &ruleset.sequence;
        let step = sequence.names_of_steps(&ruleset.rules).iter().position(|name| *name == position.at);
        let cursor = step.unwrap_or_else(|| {
            let place = sequence.place(position.at.split(": ").next().unwrap_or(""));
            let inside = place.map_or("the sequence", |place| &sequence.places[place].name);
            misfits.push(Misfit(format!("there is no step `{}`: play goes on as {inside} begins", position.at)));
            place.map_or(0, |place| sequence.places[place].at)
        });
        let progress = &mut game.progress;
        progress.cursor = cursor as u32;
        progress.agenda = agenda;
        progress.last_turn = position.last_turn.unwrap_or(i32::MAX);
        progress.rolled = position.rolled.iter().copied().collect();
        progress.answered = position.answered.iter().copied().collect();
        if let Some((winners, name, cite)) = &position.outcome {
            let mut known = |side: &String| {
                let found = ruleset.side(side);
                misfits.extend(found.is_none().then(|| Misfit(format!("there is no side `{side}`, which has won"))));
                found
            };
            let winners = winners.iter().filter_map(&mut known).collect();
            let cite = ruleset.rulebook.find(cite).unwrap_or(Cite::NONE);
            progress.outcome = Some(Outcome { winners, name: name.as_str().into(), cite });
        }
        let state = Arc::new(game.at_rest(game.values.written(), &game.progress));
        let begun =
            task.map(|task| Begun { task, at: 0, written: 0, version: 0, progress: game.progress.clone(), told: 0 });
        let proceedings = Proceedings {
            record: Record::new(position.scenario.clone(), position.seed),
            is_underway: begun.is_some(),
            begun: begun.into_iter().collect(),
            beginning: Some(state.clone()),
            lawful: if misfits.is_empty() { Lawful::Yes } else { Lawful::ByHand },
            ..Proceedings::default()
        };
        (Match::at((*state).clone(), proceedings, limits, ruleset), misfits)
    }
}

impl Game {
    fn take_value(&mut self, holder: &str, of: &str, name: &str, value: &str) -> Result<(), Misfit> {
        let ruleset = self.ruleset.clone();
        let of_name = if holder == "game" { "the game".to_owned() } else { format!("{holder} `{of}`") };
        let is_it = |c: &Column| c.name == name && ruleset.holder_name(c.holder) == holder;
        let Some(number) = ruleset.schema.columns.iter().position(is_it) else {
            return Err(Misfit(format!("{of_name} has no property `{name}`")));
        };
        let column = &ruleset.schema.columns[number];
        let of = ruleset
            .find_id(ruleset.kind_of(column.holder), of)
            .ok_or_else(|| Misfit(format!("there is no {of_name}")))?;
        let unfit = || Misfit(format!("{of_name}: `{name}` cannot be `{value}`"));
        let value = ruleset.find_id(ruleset.schema.kind(number as u16), value).ok_or_else(unfit)?;
        let cite = Cite::NONE;
        let effect = match number as u16 {
            Schema::PLACE => Effect::Place { unit: of, to: value, cite },
            column => Effect::Set { column, of, value, cite },
        };
        self.apply(effect).map_err(|_| unfit())
    }
}

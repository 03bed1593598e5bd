//! How a game begins, and how it follows the sequence of play.

use super::{
    effect::Effect,
    game::{Game, Source, Task},
    readings::Readings,
};
use crate::ruleset::{Cite, Holder, Schema, Step as SequenceStep};

/// More steps without a rule that must be carried out than any game needs: a loop.
const MOST_STEPS: u32 = 100_000;

impl Game {
    /// Puts everything where a scenario says.
    pub fn set_up(&mut self, scenario: &crate::ruleset::Scenario) {
        self.progress.last_turn = scenario.turns.1;
        let mut apply = |effect| {
            let applied = self.apply(effect);
            debug_assert!(applied.is_ok(), "the loader checked the scenario: {applied:?}");
        };
        for line in &scenario.setup {
            apply(Effect::Place { unit: line.unit, to: line.place, cite: line.cite });
            for (column, value) in &line.set {
                apply(Effect::Set { column: *column, of: line.unit, value: *value, cite: line.cite });
            }
        }
        for (column, of, value) in &scenario.state {
            apply(Effect::Set { column: *column, of: *of, value: *value, cite: Cite::NONE });
        }
        let first = scenario.turns.0;
        apply(Effect::Set { column: Schema::TURN, of: 0, value: first, cite: Cite::NONE });
        if let Some(place) = scenario.begin.as_ref().and_then(|name| self.ruleset.sequence.place(name)) {
            self.begin_at(place);
        }
    }

    /// Begins play at a named place of the sequence, for scenarios and examples. Where it lies in parts that sides go
    /// through one after the other, those are at the side that the state says, or else at their first.
    pub fn begin_at(&mut self, place: usize) {
        let ruleset = self.ruleset.clone();
        let sequence = &ruleset.sequence;
        self.progress.cursor = sequence.places[place].at as u32;
        let mut around = Some(place);
        while let Some(place) = around {
            let before = sequence.places[place].at.checked_sub(1).map(|at| &sequence.steps[at]);
            if let Some(SequenceStep::FirstSide(column, sides)) = before
                && !sides.contains(&self.get(*column, 0))
            {
                self.silently(Effect::Set { column: *column, of: 0, value: sides[0], cite: Cite::NONE });
            }
            around = sequence.places[place].inside;
        }
    }

    /// The step of the sequence that play is at.
    pub fn cursor(&self) -> usize {
        self.progress.cursor as usize
    }

    /// The last game turn of the scenario or of the track.
    pub fn last_turn(&self) -> i32 {
        self.ruleset.sequence.last_turn(self.progress.last_turn)
    }

    /// The named place of the sequence that play is in.
    pub fn place_of_play(&self) -> Option<usize> {
        self.ruleset.sequence.lies_in.get(self.progress.cursor as usize).copied().flatten()
    }

    /// Follows the sequence of play to the next rule it names; `None` when it has ended. The error is the name of the
    /// place where it never comes to one. On the way it is read what measures come to, where anybody keeps readings.
    pub(super) fn next_in_sequence(&mut self, readings: &mut Option<Readings>) -> Result<Option<Task>, String> {
        let ruleset = self.ruleset.clone();
        let with = [-1; 4];
        for _ in 0..MOST_STEPS {
            let Some(step) = ruleset.sequence.steps.get(self.progress.cursor as usize) else { return Ok(None) };
            match step {
                SequenceStep::Enter(place) => self.silently(Effect::Enter { place: *place }),
                SequenceStep::Leave(place) => {
                    if let Some(readings) = readings {
                        readings.read(self, *place);
                    }
                    self.expire(*place);
                }
                SequenceStep::Task(rule, when) if self.holds(when, &[]) => {
                    return Ok(Some(Task { rule: *rule, with, source: Source::Once }));
                }
                SequenceStep::Repeat(rule, when) if self.holds(when, &[]) => {
                    return Ok(Some(Task { rule: *rule, with, source: Source::Repeat }));
                }
                SequenceStep::Task(..) | SequenceStep::Repeat(..) => (),
                SequenceStep::Unless(when, _, to) => {
                    if self.holds(when, &[]) {
                        self.progress.cursor = *to as u32;
                        continue;
                    }
                }
                SequenceStep::FirstTurn(first) => {
                    // A scenario may begin later than the track. The turn is told even where it stands already.
                    let value = self.turn().max(*first);
                    self.silently(Effect::Set { column: Schema::TURN, of: 0, value, cite: Cite::NONE });
                }
                SequenceStep::NextTurn(last, back) => {
                    let turn = self.turn();
                    if turn < (*last).min(self.progress.last_turn) {
                        self.silently(Effect::Set { column: Schema::TURN, of: 0, value: turn + 1, cite: Cite::NONE });
                        self.progress.cursor = *back as u32;
                        continue;
                    }
                }
                SequenceStep::FirstSide(column, sides) => {
                    let value = sides.first().copied().unwrap_or(0);
                    self.silently(Effect::Set { column: *column, of: 0, value, cite: Cite::NONE });
                }
                SequenceStep::NextSide(column, sides, back) => {
                    let now = self.get(*column, 0);
                    let at = sides.iter().position(|s| *s == now);
                    if let Some(next) = at.and_then(|at| sides.get(at + 1)) {
                        let value = *next;
                        self.silently(Effect::Set { column: *column, of: 0, value, cite: Cite::NONE });
                        self.progress.cursor = *back as u32;
                        continue;
                    }
                }
                SequenceStep::Again(when, back) => {
                    if self.holds(when, &[]) {
                        self.progress.cursor = *back as u32;
                        continue;
                    }
                }
                SequenceStep::End => return Ok(None),
            }
            self.progress.cursor += 1;
        }
        let place = self.place_of_play().or_else(|| (!ruleset.sequence.places.is_empty()).then_some(0));
        Err(place.map_or_else(String::new, |at| ruleset.sequence.places[at].name.clone()))
    }

    fn silently(&mut self, effect: Effect) {
        let applied = self.apply(effect);
        debug_assert!(applied.is_ok(), "the sequence stays in its ranges: {applied:?}");
    }

    /// Ends what lasts as long as a place of the sequence, now that it is left.
    fn expire(&mut self, place: usize) {
        let ruleset = self.ruleset.clone();
        let columns = &ruleset.schema.columns;
        for at in ruleset.sequence.places[place].expires.iter().copied() {
            let ended = &columns[at as usize];
            if matches!(ended.holder, Holder::Record(_)) && ended.name == "exists" {
                // With the records goes all that they say.
                let theirs = (0..).zip(columns).filter(|(_, column)| column.holder == ended.holder);
                theirs.for_each(|(at, _)| self.reset(at));
            } else if ended.conceals || ended.owns {
                // Who may know what hangs on it, so the story hears of it.
                let of = 0..ended.count as i32;
                let changed: Vec<i32> = of.filter(|of| self.get(at, *of) != ended.default).collect();
                for of in changed {
                    self.silently(Effect::Set { column: at, of, value: ended.default, cite: Cite::NONE });
                }
            } else {
                self.reset(at);
            }
        }
    }
}

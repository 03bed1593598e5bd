//! What changes the game.

use std::collections::BTreeSet;

use countermarch_core::{
    play::{Effect, Outcome, Source, Task},
    ruleset::{Kind, NamedSet, rows::Rows},
};
use mlua::{Error, Result, Value, Variadic};

use super::{Api, Listed, guards, told::in_a_line};
use crate::{
    cites::cited,
    convert::{from_lua, known, lua_name, name_of_passing},
    trace::AtWork,
};

impl Api<'_> {
    /// Effects.
    pub(super) fn changes(&self, close: Option<&AtWork>) -> Result<()> {
        let place = self.changing(|lua, game, (unit, to, cite): (i32, i32, Option<u16>)| {
            let cite = cited(lua, game, cite)?;
            game.apply(Effect::Place { unit, to, cite }).map_err(Error::runtime)
        })?;
        self.global("place", place)?;
        let (new, drop, each) = (self.table()?, self.table()?, self.table()?);
        for (at, record) in self.ruleset.schema.records.iter().enumerate() {
            let kind = at as u8;
            let name = lua_name(&record.name);
            let most = record.most;
            let make = self.changing(move |lua, game, cite: Option<u16>| {
                let cite = cited(lua, game, cite)?;
                let free = game.free_record(kind);
                let record = free.ok_or_else(|| Error::runtime(format!("more than {most} records of one kind")))?;
                game.apply(Effect::New { kind, record, cite }).map_err(Error::runtime)?;
                Ok(record)
            })?;
            new.raw_set(&*name, make)?;
            let remove = self.changing(move |lua, game, (record, cite): (i32, Option<u16>)| {
                let cite = cited(lua, game, cite)?;
                game.apply(Effect::Drop { kind, record, cite }).map_err(Error::runtime)
            })?;
            drop.raw_set(&*name, remove)?;
            let list =
                self.listing(move |game, ()| Ok((0..most as i32).filter(|r| game.exists(kind, *r)).collect()))?;
            each.raw_set(name, list)?;
        }
        self.global("new", new)?;
        self.global("drop", drop)?;
        for (at, set) in self.ruleset.sets.iter().enumerate() {
            let kinds: Vec<Kind> = set.given.iter().map(|(_, k)| *k).collect();
            let slot = self.slot.clone();
            let list = self.given(&kinds, move |_, given| {
                Ok(Listed(slot.borrow().game.members_given(at as u16, &given[..NamedSet::MOST_GIVEN])))
            })?;
            each.raw_set(lua_name(&set.name), list)?;
        }
        for (at, guard) in guards(self.ruleset).filter(|(_, guard)| !guard.candidates.is_empty()) {
            let kinds: Vec<Kind> = guard.given[1..].iter().map(|(_, k)| *k).collect();
            let (slot, close) = (self.slot.clone(), close.cloned());
            let list = self.given(&kinds, move |_, given| {
                let given = &given[..Rows::MOST_GIVEN - 1];
                if let Some(seen) = &close {
                    let game = &slot.borrow().game;
                    game.refusing(at, given).iter().for_each(|row| seen.add(row));
                }
                Ok(Listed(slot.borrow().game.passing(at, given)))
            })?;
            each.raw_set(name_of_passing(&guard.name), list)?;
        }
        self.global("each", each)?;
        let push = self.changing(|_, game, (rule, with): (String, Variadic<i32>)| {
            let Some(rule) = game.ruleset.rule(&rule) else {
                return Err(Error::runtime(format!("there is no rule `{rule}`")));
            };
            let mut particulars = [-1; 4];
            if with.len() > 4 {
                return Err(Error::runtime("a task has at most four particulars"));
            }
            particulars[..with.len()].copy_from_slice(&with);
            let task = Task { rule, with: particulars, source: Source::Agenda };
            game.apply(Effect::Push { task }).map_err(Error::runtime)
        })?;
        self.global("push", push)?;
        let finish = self.changing(|lua, game, (winners, name, cite): (Value, String, Option<u16>)| {
            let cite = cited(lua, game, cite)?;
            let winners = match winners {
                Value::Nil => Vec::new(),
                Value::Table(several) => several.sequence_values::<i32>().take(256).collect::<Result<Vec<i32>>>()?,
                one => vec![from_lua(Kind::Side, &one)?],
            };
            for side in &winners {
                known(&game.ruleset, Kind::Side, *side)?;
                let side = &game.ruleset.sides[*side as usize];
                if side.neutral {
                    return Err(Error::runtime(format!("`{}` takes no part, and wins nothing", side.id)));
                }
            }
            let winners: BTreeSet<i32> = winners.into_iter().collect();
            in_a_line(&name)?;
            if name.trim().is_empty() {
                return Err(Error::runtime("an outcome needs a name, by which it is told and counted"));
            }
            let outcome = Outcome { winners: winners.into_iter().collect(), name: name.into(), cite };
            game.apply(Effect::Finish { outcome }).map_err(Error::runtime)
        })?;
        self.engine.raw_set("finish", finish)
    }
}

//! What changes the game, and what is only told.

use std::{collections::BTreeSet, sync::Arc};

use countermarch_core::{
    play::{Effect, Outcome, Source, Tally, TallyLine, Task},
    ruleset::{Cite, Kind, Provenance, Ruleset},
};
use mlua::{Error, Result, Table, Value, Variadic};

use super::{Api, listed, three};
use crate::{
    cites::{RuleCites, cited},
    convert::{from_lua, known, lua_name},
};

impl Api<'_> {
    /// Effects.
    pub(super) fn changes(&self) -> Result<()> {
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
            let list = self.given(&kinds, move |lua, given| {
                let members = slot.borrow().game.members_given(at as u16, &three(given));
                listed(lua, members)
            })?;
            each.raw_set(lua_name(&set.name), list)?;
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
            }
            let winners: BTreeSet<i32> = winners.into_iter().collect();
            in_a_line(&name)?;
            let outcome = Outcome { winners: winners.into_iter().collect(), name: name.into(), cite };
            game.apply(Effect::Finish { outcome }).map_err(Error::runtime)
        })?;
        self.engine.raw_set("finish", finish)
    }

    /// What is told and changes nothing.
    pub(super) fn told(&self) -> Result<()> {
        let slot = self.slot.clone();
        let note = self.lua.create_function(move |lua, args: (String, Option<u16>, Variadic<Value>)| {
            let (key, cite, blanks) = args;
            let mut slot = slot.borrow_mut();
            let game = slot.changed_game()?;
            if !game.telling {
                return Ok(());
            }
            let Some(template) = game.ruleset.notes.get(&key) else {
                return Err(Error::runtime(format!("note `{key}` is not declared in verbs.yaml")));
            };
            let mut text = template.clone();
            for (at, blank) in blanks.iter().enumerate() {
                let filled = match blank {
                    Value::String(s) => s.to_str()?.to_owned(),
                    Value::Integer(n) => n.to_string(),
                    Value::Number(n) => n.to_string(),
                    other => return Err(Error::runtime(format!("a blank cannot be {}", other.type_name()))),
                };
                in_a_line(&filled)?;
                text = text.replace(&format!("{{{}}}", at + 1), &filled);
            }
            let cite = cited(lua, game, cite)?;
            slot.tell(text.len())?;
            slot.game.apply(Effect::Note { text: text.into(), cite }).map_err(Error::runtime)
        })?;
        self.global("note", note)?;
        let slot = self.slot.clone();
        let print = self.lua.create_function(move |lua, values: Variadic<Value>| {
            let place = lua.inspect_stack(1, |caller| {
                let file = caller.source().short_src.map(|file| file.into_owned()).unwrap_or_default();
                format!("{file}:{}", caller.current_line().unwrap_or(0))
            });
            let mut slot = slot.borrow_mut();
            let length = slot.printed.line(&place.unwrap_or_default(), &values);
            slot.tell(length)
        })?;
        self.global("print", print)?;
        let slot = self.slot.clone();
        let tally = self.lua.create_function(move |lua, sum: Table| {
            let mut slot = slot.borrow_mut();
            let mut lines = Vec::new();
            for line in sum.raw_get::<Table>("lines")?.sequence_values::<Table>() {
                let line = line?;
                let game = slot.changed_game()?;
                let mut from = Provenance::Printed;
                let reason = match line.raw_get::<Value>("reason")? {
                    Value::Integer(unit) => {
                        let unit = known(&game.ruleset, Kind::Unit, i32::try_from(unit).unwrap_or(-1))?;
                        let at = unit as usize;
                        from = strength_from(&game.ruleset, at);
                        game.ruleset.units[at].name.clone()
                    }
                    Value::String(text) => text.to_str()?.to_owned(),
                    other => return Err(Error::runtime(format!("a reason cannot be {}", other.type_name()))),
                };
                in_a_line(&reason)?;
                let cite = cited(lua, game, line.raw_get("cite")?)?;
                slot.tell(reason.len())?;
                lines.push(TallyLine { reason, value: line.raw_get("value")?, cite, from });
            }
            let (title, total): (String, i32) = (sum.raw_get("title")?, sum.raw_get("total")?);
            in_a_line(&title)?;
            slot.tell(title.len())?;
            let tally = Tally { title, lines, total };
            slot.changed_game()?.apply(Effect::Tally { tally: Arc::new(tally) }).map_err(Error::runtime)
        })?;
        self.engine.raw_set("tally", tally)?;
        // For functions of the prelude, which are called by the rule.
        let of_rule = self.lua.create_function(|lua, ()| {
            let cite = RuleCites::of_caller(lua, 2);
            Ok((cite != Cite::NONE).then_some(cite.0))
        })?;
        self.engine.raw_set("cited", of_rule)
    }
}

/// What rules say in their own words is short, and of one line: it stands in logs, records and on terminals.
fn in_a_line(text: &str) -> Result<()> {
    const MOST: usize = 1000;
    if text.chars().any(char::is_control) {
        return Err(Error::runtime("what is told has no control characters in it, nor ends of lines"));
    }
    if text.len() > MOST {
        return Err(Error::runtime(format!("what is told at once is no longer than {MOST} bytes")));
    }
    Ok(())
}

/// Where the numbers come from that a unit's strength is read from, for the dagger in sums: the first that is not printed.
fn strength_from(ruleset: &Ruleset, unit: usize) -> Provenance {
    let mut from = ruleset.board.strength_of.iter().filter_map(|at| ruleset.attributes[*at].from.get(unit).copied());
    from.find(|from| *from != Provenance::Printed).unwrap_or_default()
}

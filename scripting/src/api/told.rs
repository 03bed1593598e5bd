//! What is told and changes nothing: notes, sums, and what rules print.

use std::sync::Arc;

use countermarch_core::{
    play::{Effect, Game, Hits, Particular, Said, Saying, Tally, TallyLine},
    ruleset::{Blank, Cite, Kind, Note, Provenance, Ruleset},
};
use mlua::{Error, Lua, Result, Table, Value, Variadic};

use super::Api;
use crate::{
    cites::{RuleCites, cited},
    convert::{from_lua, known, lua_name},
    runtime::Slot,
};

impl Api<'_> {
    /// `note.KEY(...)` tells a note; `phrase.KEY(...)` is the same sentence as a part of another, or as a reason.
    pub(super) fn told(&self) -> Result<()> {
        let (notes, phrases) = (self.table()?, self.table()?);
        for (at, note) in self.ruleset.notes.iter().enumerate() {
            let name = lua_name(&note.key);
            let slot = self.slot.clone();
            let tell = self.lua.create_function(move |lua, args: Variadic<Value>| {
                let mut slot = slot.borrow_mut();
                let game = slot.changed_game()?;
                if !game.telling {
                    return Ok(());
                }
                let note = &game.ruleset.notes[at];
                let (blanks, cite) = args.split_at(note.given.len().min(args.len()));
                let cite = match cite {
                    [] | [Value::Nil] if note.cite != Cite::NONE => note.cite,
                    [] | [Value::Nil] => cited(lua, game, None)?,
                    [Value::Integer(cite)] => cited(lua, game, Some(u16::try_from(*cite).unwrap_or(u16::MAX)))?,
                    _ => return Err(misgiven(note, args.len())),
                };
                let said = said(game, at, blanks.iter(), 0)?;
                let length = length(&said);
                slot.tell(length)?;
                slot.game.apply(Effect::Note { said: Arc::new(said), cite }).map_err(Error::runtime)
            })?;
            notes.raw_set(&*name, tell)?;
            let slot = self.slot.clone();
            let given = note.given.len();
            let phrase = self.lua.create_function(move |lua, args: Variadic<Value>| {
                let slot = slot.borrow();
                if !slot.game.telling {
                    return Ok(Value::Nil);
                }
                if args.len() != given {
                    return Err(misgiven(&slot.game.ruleset.notes[at], args.len()));
                }
                let phrase = lua.create_table_with_capacity(given, 1)?;
                phrase.raw_set(PHRASE, at)?;
                for (place, arg) in args.into_iter().enumerate() {
                    phrase.raw_set(place + 1, arg)?;
                }
                Ok(Value::Table(phrase))
            })?;
            phrases.raw_set(name, phrase)?;
        }
        self.global("note", notes)?;
        self.global("phrase", phrases)?;
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
        type Told = (Table, Option<Vec<i32>>, Option<i32>, Option<u16>);
        let tally = self.lua.create_function(move |lua, (sum, dice, needs, cite): Told| {
            let mut slot = slot.borrow_mut();
            let mut lines = Vec::new();
            for line in sum.raw_get::<Table>("lines")?.sequence_values::<Table>() {
                let line = tally_line(lua, &slot.game, &line?)?;
                slot.tell(size(&line.reason))?;
                lines.push(line);
            }
            let (title, total) = (text(&slot.game, &sum.raw_get("title")?, 0)?, sum.raw_get("total")?);
            slot.tell(size(&title))?;
            let hits = match dice.zip(needs) {
                Some((dice, needs)) => {
                    slot.tell(4 * dice.len())?;
                    Some(Hits { dice, needs, cite: cited(lua, &slot.game, cite)? })
                }
                None => None,
            };
            tell_tally(&mut slot, Tally { title, lines, total, hits })
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

/// The field of a phrase that says which note it is; what is in its blanks stands at 1, 2 and so on.
const PHRASE: &str = "phrase";
/// So many phrases may lie in each other.
const DEEPEST: usize = 8;
/// So many things may be told in one blank.
const MOST_THINGS: usize = 256;

fn tell_tally(slot: &mut Slot, tally: Tally) -> Result<()> {
    slot.changed_game()?.apply(Effect::Tally { tally: Arc::new(tally) }).map_err(Error::runtime)
}

fn tally_line(lua: &Lua, game: &Game, line: &Table) -> Result<TallyLine> {
    let ruleset = &game.ruleset;
    let (reason, from) = match line.raw_get::<Value>("reason")? {
        Value::Integer(unit) => {
            let unit = known(ruleset, Kind::Unit, i32::try_from(unit).unwrap_or(-1))?;
            (Particular::unit(unit), strength_from(ruleset, unit as usize))
        }
        words => (text(game, &words, 0)?, Provenance::Printed),
    };
    let cite = cited(lua, game, line.raw_get("cite")?)?;
    Ok(TallyLine { reason, value: line.raw_get("value")?, cite, from })
}

/// A note with what a rule puts into its blanks.
fn said<'a>(game: &Game, at: usize, blanks: impl ExactSizeIterator<Item = &'a Value>, deep: usize) -> Result<Said> {
    let note = game.ruleset.notes.get(at).ok_or_else(|| Error::runtime("there is no such phrase"))?;
    if blanks.len() != note.given.len() {
        return Err(misgiven(note, blanks.len()));
    }
    let blank = |(value, (_, blank)): (&Value, &(String, Blank))| match blank {
        Blank::Thing(kind) => thing(game, *kind, value),
        Blank::Text => text(game, value, deep),
    };
    let with = blanks.zip(&note.given).map(blank).collect::<Result<_>>()?;
    Ok(Said { says: Saying::Note(at as u16), with })
}

fn thing(game: &Game, kind: Kind, value: &Value) -> Result<Particular> {
    let Some(each) = kind.of_each() else {
        let value = from_lua(kind, value)?;
        if !matches!(kind, Kind::Int | Kind::Flag) && value >= 0 {
            known(&game.ruleset, kind, value)?;
        }
        return Ok(Particular::Thing(kind, value));
    };
    let Value::Table(several) = value else {
        return Err(Error::runtime(format!("expected {}, got {}", kind.words(), value.type_name())));
    };
    let several = several.sequence_values::<Value>().take(MOST_THINGS);
    Ok(Particular::All(several.map(|one| thing(game, each, &one?)).collect::<Result<_>>()?))
}

/// Words that a rule puts together, or a phrase.
fn text(game: &Game, value: &Value, deep: usize) -> Result<Particular> {
    let words = match value {
        Value::Table(phrase) if deep < DEEPEST => {
            let at: usize = phrase.raw_get(PHRASE)?;
            let given = game.ruleset.notes.get(at).map_or(0, |note| note.given.len());
            let values = (1..=given).map(|place| phrase.raw_get(place)).collect::<Result<Vec<Value>>>()?;
            return Ok(said(game, at, values.iter(), deep + 1)?.into());
        }
        Value::Table(_) => return Err(Error::runtime("phrases lie too deep in each other")),
        Value::String(words) => words.to_str()?.to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        other => return Err(Error::runtime(format!("what is told in words cannot be {}", other.type_name()))),
    };
    in_a_line(&words)?;
    Ok(Particular::Text(words.into()))
}

fn misgiven(note: &Note, got: usize) -> Error {
    let names: Vec<&str> = note.given.iter().map(|(name, _)| name.as_str()).collect();
    let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    let wanted = note.given.len();
    Error::runtime(format!("the note `{}` is given {wanted}{names}, then its paragraph, and got {got}", note.key))
}

/// About how many bytes a sentence takes.
fn length(said: &Said) -> usize {
    16 + said.with.iter().map(size).sum::<usize>()
}

fn size(particular: &Particular) -> usize {
    match particular {
        Particular::Text(words) => words.len(),
        Particular::Said(said) => length(said),
        Particular::All(several) => several.iter().map(size).sum(),
        _ => 16,
    }
}

/// What rules say in their own words is short, and of one line: it stands in logs, records and on terminals.
pub(super) fn in_a_line(text: &str) -> Result<()> {
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

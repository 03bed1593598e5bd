//! Lazy sets for questions.

use std::sync::Arc;

use countermarch_core::{
    map::{Mode, Seed, SpaceId},
    play::{CoverPart, Game, Move, Retreat, Set, Start},
    ruleset::{Kind, Mover},
};
use mlua::{Error, FromLua, Function, IntoLua, Lua, LuaString, Result, Table, Value};

use super::{Api, Listed, MOST_RETREATED, first, guards, known_space, known_unit, no_allowance};
use crate::{
    convert::{from_lua, known, lua_name, name_of_passing},
    sets::Sets,
};

impl Api<'_> {
    /// Lazy sets for questions.
    pub(super) fn offers(&self) -> Result<()> {
        let offer = self.table()?;
        let (allowed, each) = (self.table()?, self.table()?);
        for (rows, guard) in guards(self.ruleset) {
            let kinds: Vec<Kind> = guard.given.iter().map(|(_, k)| *k).collect();
            if !guard.candidates.is_empty() {
                let make = self.keeping(&kinds[1..], move |given| Set::Passing { rows, given: first(given) })?;
                each.raw_set(name_of_passing(&guard.name), make)?;
            }
            let make = self.keeping(&kinds, move |given| Set::Allowed { rows, given: first(given) })?;
            allowed.raw_set(lua_name(&guard.name), make)?;
        }
        offer.raw_set("may", allowed)?;
        for (at, set) in self.ruleset.sets.iter().enumerate() {
            let kinds: Vec<Kind> = set.given.iter().map(|(_, k)| *k).collect();
            let make = self.keeping(&kinds, move |given| Set::Named { set: at as u16, given: first(given) })?;
            each.raw_set(lua_name(&set.name), make)?;
        }
        offer.raw_set("each", each)?;
        offer.raw_set("numbers", self.making(|_, (least, most): (i32, i32)| Ok(Set::Numbers(least, most)))?)?;
        offer.raw_set(
            "list",
            self.making(|_, list: Vec<Value>| {
                let list = list.iter().map(|one| from_lua(Kind::Int, one)).collect::<Result<Vec<i32>>>()?;
                Ok(Set::List(list.into()))
            })?,
        )?;
        let reach = self.table()?;
        for (at, mover) in self.ruleset.movers.iter().enumerate() {
            reach.raw_set(lua_name(&mover.name), self.reach(at as u16)?)?;
        }
        offer.raw_set("reach", reach)?;
        let ends = self.table()?;
        for (rows, guard) in guards(self.ruleset) {
            if guard.given.iter().map(|(_, kind)| *kind).ne([Kind::Unit, Kind::Space]) {
                continue;
            }
            let slot = self.slot.clone();
            let make = self.lua.create_function(move |_, (reach, spare): (i32, Option<u16>)| {
                let mut slot = slot.borrow_mut();
                let Set::Reach(of) = slot.sets.get(reach)?.clone() else {
                    return slot.sets.keep(Set::List(Box::new([])));
                };
                slot.sets.keep(Set::Ends { of, rows, spare: spare.unwrap_or(0) })
            })?;
            ends.raw_set(name_of_passing(&guard.name), make)?;
        }
        offer.raw_set("ends", ends)?;
        let retreat = self.table()?;
        for (at, kind) in self.ruleset.retreats.iter().enumerate() {
            let kind_id = at as u16;
            let make = self.making(move |game, (unit, shortest, longest): (i32, u16, u16)| {
                known_unit(game, unit)?;
                if longest > MOST_RETREATED {
                    return Err(Error::runtime(format!("no retreat is longer than {MOST_RETREATED} spaces")));
                }
                Ok(Set::Retreat(Retreat { kind: kind_id, unit, shortest, longest }))
            })?;
            retreat.raw_set(lua_name(&kind.name), make)?;
        }
        offer.raw_set("retreat", retreat)?;
        for (name, part) in [
            ("attackers", CoverPart::Attacker),
            ("targets", CoverPart::Target),
            ("close", CoverPart::Close),
            ("declared", CoverPart::Done),
        ] {
            let kinds = self.table()?;
            for (at, contact) in self.ruleset.contacts.iter().enumerate() {
                let record = self.ruleset.schema.columns[contact.column as usize].kind;
                let make = self.making(move |game, battle: Option<i32>| {
                    let battle = battle.map_or(Ok(-1), |battle| known(&game.ruleset, record, battle))?;
                    Ok(Set::Cover { contact: at as u16, battle, part })
                })?;
                kinds.raw_set(lua_name(&contact.name), make)?;
            }
            offer.raw_set(name, kinds)?;
        }
        self.global("offer", offer)?;
        let slot = self.slot.clone();
        let count = self.lua.create_function(move |_, handle: i32| {
            let slot = slot.borrow();
            let (set, then) = slot.sets.kept(handle)?;
            Ok(slot.game.count(set, then.as_ref()))
        })?;
        self.global("count_of", count)?;
        let spent = self.of_reach(|game, m, space| game.reach(m, |flood| flood.cost_of(space)))?;
        self.global("spent", spent)?;
        let beyond = self.of_reach(Game::beyond)?;
        self.global("beyond", beyond)?;
        let pauses = self.of_reach_in(Game::pauses_at)?;
        self.global("pauses", pauses)?;
        let slot = self.slot.clone();
        let legs = self.lua.create_function(move |lua, (handle, space): (i32, i32)| {
            let slot = slot.borrow();
            let space = known_space(&slot.game, space)?;
            let Set::Reach(m) = slot.sets.get(handle)? else { return lua.create_table() };
            let list = lua.create_table()?;
            for (mode, cost) in slot.game.legs(m, space) {
                let start = lua.create_table()?;
                start.raw_set("at", vec![space.0])?;
                start.raw_set("cost", vec![cost])?;
                start.raw_set("leg", leg(mode))?;
                // One stands where the leg ended: it is no place to go to.
                start.raw_set("stands", true)?;
                list.raw_push(start)?;
            }
            Ok(list)
        })?;
        self.global("legs", legs)?;
        let slot = self.slot.clone();
        let modes = self.lua.create_function(move |lua, (handle, space): (i32, i32)| {
            let slot = slot.borrow();
            let space = known_space(&slot.game, space)?;
            let list = lua.create_table()?;
            let Set::Reach(m) = slot.sets.get(handle)? else { return Ok(list) };
            if slot.game.ruleset.movers[usize::from(m.mover)].symbols.kind.is_none() {
                return Ok(list);
            }
            for (symbol, cost) in slot.game.modes_at(m, space) {
                let stand = lua.create_table()?;
                stand.raw_set("mode", symbol)?;
                stand.raw_set("left", m.allowance.saturating_sub(cost))?;
                list.raw_push(stand)?;
            }
            Ok(list)
        })?;
        self.global("modes_at", modes)?;
        let path = self.of_reach_in(|game, m, space, mode| {
            Listed(game.path_of(m, space, mode).into_iter().map(|space| space.0 as i32).collect())
        })?;
        self.global("path_of", path)?;
        let slot = self.slot.clone();
        let touched = self.lua.create_function(move |_, (handle, space): (i32, i32)| {
            let slot = slot.borrow();
            let space = known_space(&slot.game, space)?;
            let Set::Retreat(retreat) = slot.sets.get(handle)? else { return Ok(false) };
            let ends = slot.game.retreat_ends(retreat);
            Ok(ends.iter().any(|e| e.space == space && e.touched))
        })?;
        self.global("touched", touched)
    }

    /// A function of a reach and a space; nothing, no or 0 for any other set.
    fn of_reach<R>(&self, f: impl Fn(&Game, &Move, SpaceId) -> R + 'static) -> Result<Function>
    where
        R: IntoLua + Default,
    {
        let slot = self.slot.clone();
        self.lua.create_function(move |_, (handle, space): (i32, i32)| {
            let slot = slot.borrow();
            let space = known_space(&slot.game, space)?;
            let Set::Reach(m) = slot.sets.get(handle)? else { return Ok(R::default()) };
            Ok(f(&slot.game, m, space))
        })
    }

    /// The same, given a mode of its mover or nothing too.
    fn of_reach_in<R>(&self, f: impl Fn(&Game, &Move, SpaceId, Option<i32>) -> R + 'static) -> Result<Function>
    where
        R: IntoLua + Default,
    {
        let slot = self.slot.clone();
        self.lua.create_function(move |_, (handle, space, mode): (i32, i32, Option<i32>)| {
            let slot = slot.borrow();
            let space = known_space(&slot.game, space)?;
            let Set::Reach(m) = slot.sets.get(handle)? else { return Ok(R::default()) };
            mode.map(|mode| known_symbol(&slot.game.ruleset.movers[usize::from(m.mover)], mode)).transpose()?;
            Ok(f(&slot.game, m, space, mode))
        })
    }

    fn reach(&self, mover: u16) -> Result<Function> {
        let slot = self.slot.clone();
        self.lua.create_function(move |lua, (unit, points, starts): (i32, Option<u16>, Option<Vec<Table>>)| {
            let mut slot = slot.borrow_mut();
            let game = &slot.game;
            let unit = known_unit(game, unit)?;
            let Some(m) = game.move_of(mover, unit, points) else {
                return Err(no_allowance(&game.ruleset.movers[mover as usize].name));
            };
            let begun = starts.map(|starts| begun(lua, (game, &slot.sets), mover, unit, &starts)).transpose()?;
            let set = match begun {
                Some((seeds, starts)) if seeds.is_empty() && starts.is_empty() => Set::List(Box::new([])),
                begun => {
                    let (seeds, starts) = begun.unwrap_or_default();
                    Set::Reach(Arc::new(Move { seeds, starts, ..m }))
                }
            };
            slot.sets.keep(set)
        })
    }
}

/// Where a move may begin, of what rules name: each a list or a set of spaces, what it has cost to be there or the entry
/// that this depends on, by which way the unit enters, and whether it stands there already; and the sets they are of.
fn begun(
    lua: &Lua,
    (game, sets): (&Game, &Sets),
    mover: u16,
    unit: i32,
    starts: &[Table],
) -> Result<(Vec<Seed>, Vec<Start>)> {
    let spaces = 0..game.ruleset.map.len() as i32;
    let (declared, begins) = (&game.ruleset.movers[usize::from(mover)], game.begins_in(mover, unit));
    let (mut list, mut entering, mut told_of) = (Vec::new(), Vec::new(), Vec::new());
    for start in starts {
        let Told { among, at, cost, entry, leg, stands, symbol } = Told::read(declared, start)?;
        let told = |key: &str, list: Value| {
            Vec::<i32>::from_lua(list, lua).map_err(|_| {
                let is_told = "where a move begins is told as { at = spaces, cost = costs }";
                Error::runtime(format!("{is_told}: `{key}` is no list"))
            })
        };
        let entry = match Option::<i32>::from_lua(entry, lua)? {
            Some(entry) => known_space(game, entry)?.0 as i32,
            None => -1,
        };
        let set_of = |told: &Value| {
            let handle = match told {
                Value::Integer(set) => i32::try_from(*set).unwrap_or(0),
                Value::Number(set) => *set as i32,
                _ => return Ok::<_, Error>(None),
            };
            Ok(Some(sets.get(handle)?.clone()))
        };
        let at_set = set_of(&at)?;
        let at = at_set.as_ref().map_or_else(|| told("at", at), |set| Ok(game.values(set)))?;
        let entry_space = u32::try_from(entry).ok().map(SpaceId);
        told_of.extend(at_set.or(set_of(&among)?).map(|among| Start { among, entry: entry_space }));
        if let Some(space) = at.iter().find(|space| !spaces.contains(space)) {
            return Err(Error::runtime(format!("a move cannot begin in space {space}: there is none")));
        }
        let leg = match Option::<i32>::from_lua(leg, lua)? {
            Some(leg) => Some(mode_of_leg(leg).filter(|mode| declared.has_mode(*mode)).ok_or_else(|| {
                Error::runtime(format!("a move cannot go on from leg {leg}: `legs` has handed out none such"))
            })?),
            None => None,
        };
        let symbol = Option::<i32>::from_lua(symbol, lua)?;
        let symbol = symbol.map(|symbol| known_symbol(declared, symbol)).transpose()?;
        let entered = Option::<bool>::from_lua(stands, lua)? != Some(true);
        if cost.is_nil() {
            if !entered || leg.is_some() {
                return Err(Error::runtime("a move that has begun has cost something: `cost` must be given"));
            }
            let Some(starts) = game.entering(mover, unit, &at, entry, symbol) else {
                let name = &declared.name;
                let message = format!("mover `{name}` declares no `entering:`, so `cost` must be given");
                return Err(Error::runtime(message));
            };
            for (symbol, space, cost) in starts {
                entering.extend(declared.symbols.kind.map(|_| (list.len(), (symbol, space))));
                list.push(Seed { space, mode: begins, cost, entered: true });
            }
            continue;
        }
        let costs = told("cost", cost)?;
        if at.len() != costs.len() {
            let message = format!("a move begins in {} spaces, and costs are given for {}", at.len(), costs.len());
            return Err(Error::runtime(message));
        }
        // A unit that stands in a mode has not entered in it; ways are those of steps alone.
        let stands_in = symbol.filter(|_| !entered && declared.symbols.is_kept());
        let mode = leg.or(stands_in.map(|symbol| declared.symbols.fresh(symbol))).unwrap_or(begins);
        let enters_by = symbol.or(usize::try_from(begins.symbol).ok()).filter(|_| entered && leg.is_none());
        for (at, cost) in at.into_iter().zip(costs) {
            let wrong = |_| Error::runtime(format!("a move cannot begin at a cost of {cost}"));
            let (space, cost) = (SpaceId(at as u32), u16::try_from(cost).map_err(wrong)?);
            entering.extend(enters_by.map(|symbol| (list.len(), (symbol, space))));
            list.push(Seed { space, mode, cost, entered });
        }
    }
    if !entering.is_empty() {
        let first: Vec<_> = entering.iter().map(|(_, first)| *first).collect();
        let modes = game.modes_entering(mover, unit, &first);
        let mut open = vec![true; list.len()];
        for ((at, _), mode) in entering.iter().zip(modes) {
            match mode {
                Some(mode) => list[*at].mode = mode,
                None => open[*at] = false,
            }
        }
        let mut open = open.into_iter();
        list.retain(|_| open.next().unwrap_or(true));
    }
    Ok((list, told_of))
}

/// What a rule tells of where a move begins.
struct Told {
    among: Value,
    at: Value,
    cost: Value,
    entry: Value,
    leg: Value,
    stands: Value,
    /// By the key that the mover has for its ways or modes.
    symbol: Value,
}

impl Told {
    /// Reads a start, and sees to it that it says nothing that its mover does not read.
    fn read(mover: &Mover, start: &Table) -> Result<Told> {
        let nil = || Value::Nil;
        let (among, at, cost, entry, leg, stands, symbol) = (nil(), nil(), nil(), nil(), nil(), nil(), nil());
        let mut told = Told { among, at, cost, entry, leg, stands, symbol };
        let own = mover.symbols.kind.map_or("", |_| mover.symbols.key()).as_bytes();
        for pair in start.pairs::<Value, Value>() {
            let (key, value) = pair?;
            let place = match key.as_string().map(LuaString::as_bytes).as_deref() {
                Some(b"among") => &mut told.among,
                Some(b"at") => &mut told.at,
                Some(b"cost") => &mut told.cost,
                Some(b"entry") => &mut told.entry,
                Some(b"leg") => &mut told.leg,
                Some(b"stands") => &mut told.stands,
                Some(key) if key == own && !own.is_empty() => &mut told.symbol,
                _ => return Err(unknown_key(mover, start)),
            };
            *place = value;
        }
        Ok(told)
    }
}

/// What is wrong with a start that says what its mover does not read: whatever the order of the table, the same is told.
fn unknown_key(mover: &Mover, start: &Table) -> Error {
    const KEYS: [&str; 6] = ["among", "at", "cost", "entry", "leg", "stands"];
    /// A table of more keys is not gone through: one of them is wrong.
    const MOST: usize = 16;
    let own = mover.symbols.kind.map(|_| mover.symbols.key());
    let pairs = start.pairs::<Value, Value>().take(MOST + 1);
    let keys: Result<Vec<String>> = pairs.map(|pair| pair?.0.to_string()).collect();
    let keys = match keys {
        Ok(keys) => keys,
        Err(wrong) => return wrong,
    };
    let is_known = |key: &str| KEYS.contains(&key) || own == Some(key);
    let key = keys.iter().filter(|key| !is_known(key)).min().map_or("", String::as_str);
    let name = &mover.name;
    let told = "where a move begins is told as { at = spaces, cost = costs }, beside them";
    let known: Vec<&str> = ["among", "entry", "leg", "stands"].into_iter().chain(own).collect();
    Error::runtime(match (key, own) {
        _ if keys.len() > MOST => format!("{told} {}, and nothing else", known.join(", ")),
        ("way" | "mode", Some(own)) => format!("mover `{name}` has {own}s: write `{own} = ...` in place of `{key}`"),
        ("way" | "mode", None) => format!("mover `{name}` has neither ways nor modes, so a move begins in no `{key}`"),
        _ => format!("{told} {}, and `{key}` is none of them", known.join(", ")),
    })
}

/// A symbol of a mover's ways or modes.
fn known_symbol(mover: &Mover, symbol: i32) -> Result<usize> {
    let known = usize::try_from(symbol).ok().filter(|at| mover.symbols.kind.is_some() && *at < mover.symbols.len());
    known.ok_or_else(|| {
        let (name, key) = (&mover.name, mover.symbols.key());
        Error::runtime(match mover.symbols.kind {
            Some(_) => {
                format!("mover `{name}` has no {key} {symbol}: its {key}s are {}", mover.symbols.names.join(", "))
            }
            None => format!("mover `{name}` has neither ways nor modes, and {symbol} is none of them"),
        })
    })
}

/// The mode in which a leg goes on, as rules hand it from one reach to the next. It does not hang on how a search numbers
/// its modes, which may change with what the leg before has done.
fn leg(mode: Mode) -> i32 {
    i32::from(mode.symbol) << 16 | i32::from(mode.counts)
}

/// The mode that a leg was handed out for; none for what no leg is.
fn mode_of_leg(leg: i32) -> Option<Mode> {
    Some(Mode { symbol: i16::try_from(leg >> 16).ok()?, counts: (leg & 0xFFFF) as u16 })
}

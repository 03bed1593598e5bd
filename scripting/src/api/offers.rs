//! Lazy sets for questions.

use std::sync::Arc;

use countermarch_core::{
    map::{Mode, Seed, SpaceId},
    play::{CoverPart, Game, Move, Retreat, Set, Start},
    ruleset::{Kind, rows::Read},
};
use mlua::{Error, Function, IntoLua, Result, Table, Value};

use super::{Api, known_space, known_unit, three};
use crate::{
    convert::{known, lua_name},
    sets::Sets,
};

/// More spaces than any map is wide.
const MOST_RETREATED: u16 = 1000;

impl Api<'_> {
    /// Lazy sets for questions.
    pub(super) fn offers(&self) -> Result<()> {
        let offer = self.table()?;
        let (units, spaces, cards, allowed) = (self.table()?, self.table()?, self.table()?, self.table()?);
        for (at, table) in self.ruleset.rows.iter().enumerate().filter(|(_, t)| t.read == Read::Forbid) {
            let rows = at as u16;
            let kinds: Vec<Kind> = table.given.iter().map(|(_, k)| *k).collect();
            let name = lua_name(&table.name);
            if let Some((first, rest)) = kinds.split_first() {
                let make = self.keeping(rest, move |given| Set::Passing { rows, given: three(given) })?;
                match first {
                    Kind::Unit => units.raw_set(&*name, make)?,
                    Kind::Space => spaces.raw_set(&*name, make)?,
                    Kind::Card => cards.raw_set(&*name, make)?,
                    _ => (),
                }
            }
            let make = self.keeping(&kinds, move |given| Set::Allowed { rows, given: three(given) })?;
            allowed.raw_set(&*name, make)?;
        }
        offer.raw_set("units", units)?;
        offer.raw_set("spaces", spaces)?;
        offer.raw_set("cards", cards)?;
        offer.raw_set("allowed", allowed)?;
        let sets = self.table()?;
        for (at, set) in self.ruleset.sets.iter().enumerate() {
            let kinds: Vec<Kind> = set.given.iter().map(|(_, k)| *k).collect();
            let make = self.keeping(&kinds, move |given| Set::Named { set: at as u16, given: three(given) })?;
            sets.raw_set(lua_name(&set.name), make)?;
        }
        offer.raw_set("any", sets)?;
        offer.raw_set("numbers", self.making(|_, (least, most): (i32, i32)| Ok(Set::Numbers(least, most)))?)?;
        offer.raw_set("list", self.making(|_, list: Vec<i32>| Ok(Set::List(list.into())))?)?;
        let reach = self.table()?;
        for (at, mover) in self.ruleset.movers.iter().enumerate() {
            reach.raw_set(lua_name(&mover.name), self.reach(at as u16)?)?;
        }
        offer.raw_set("reach", reach)?;
        let ends = self.table()?;
        for (at, table) in self.ruleset.rows.iter().enumerate().filter(|(_, t)| t.read == Read::Forbid) {
            let rows = at as u16;
            if table.given.iter().map(|(_, kind)| *kind).ne([Kind::Unit, Kind::Space]) {
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
            ends.raw_set(lua_name(&table.name), make)?;
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
            Ok(slot.game.values(slot.sets.get(handle)?).len())
        })?;
        self.global("count_of", count)?;
        let spent = self.of_reach(|game, m, space| game.reach(m, |flood| flood.cost_of(space)))?;
        self.global("spent", spent)?;
        let beyond = self.of_reach(Game::beyond)?;
        self.global("beyond", beyond)?;
        let pauses = self.of_reach(|game, m, space| game.pauses_at(m, space))?;
        self.global("pauses", pauses)?;
        let slot = self.slot.clone();
        let legs = self.lua.create_function(move |lua, (handle, space): (i32, i32)| {
            let slot = slot.borrow();
            let space = known_space(&slot.game, space)?;
            let Set::Reach(m) = slot.sets.get(handle)? else { return lua.create_table() };
            let list = lua.create_table()?;
            for (mode, cost) in slot.game.reach(m, |flood| flood.modes_at(space)) {
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
        let slot = self.slot.clone();
        let path = self.lua.create_function(move |_, (handle, space): (i32, i32)| {
            let slot = slot.borrow();
            let space = known_space(&slot.game, space)?;
            let Set::Reach(m) = slot.sets.get(handle)? else { return Ok(Vec::new()) };
            let path = slot.game.reach(m, |flood| flood.path_to(space));
            Ok(path.into_iter().map(|s| s.0).collect::<Vec<_>>())
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

    fn reach(&self, mover: u16) -> Result<Function> {
        let slot = self.slot.clone();
        self.lua.create_function(move |_, (unit, points, starts): (i32, Option<u16>, Option<Vec<Table>>)| {
            let mut slot = slot.borrow_mut();
            let game = &slot.game;
            let unit = known_unit(game, unit)?;
            let declared = &game.ruleset.movers[mover as usize];
            let (allowance, extra) = game.allowance(mover, unit);
            let Some(allowance) =
                points.map(|points| points.saturating_mul(declared.point).min(Move::MOST)).or(allowance)
            else {
                let message = format!("mover `{}` declares no `allowance:`, so it must be given", declared.name);
                return Err(Error::runtime(message));
            };
            let begun = starts.map(|starts| begun(game, &slot.sets, mover, unit, &starts)).transpose()?;
            let begins_nowhere = begun.as_ref().is_some_and(|(seeds, starts)| seeds.is_empty() && starts.is_empty());
            let set = if begins_nowhere {
                Set::List(Box::new([]))
            } else {
                let minimum = declared.minimum;
                let (seeds, starts) = begun.unwrap_or_default();
                Set::Reach(Arc::new(Move { mover, unit, allowance, extra, minimum, seeds, starts }))
            };
            slot.sets.keep(set)
        })
    }
}

/// Where a move may begin, of what rules name: each a list or a set of spaces, what it has cost to be there or the entry
/// that this depends on, by which way the unit enters, and whether it stands there already; and the sets they are of.
fn begun(game: &Game, sets: &Sets, mover: u16, unit: i32, starts: &[Table]) -> Result<(Vec<Seed>, Vec<Start>)> {
    let spaces = 0..game.ruleset.map.len() as i32;
    let (declared, begins) = (&game.ruleset.movers[usize::from(mover)], game.begins_in(mover, unit));
    let (mut list, mut entering, mut told_of) = (Vec::new(), Vec::new(), Vec::new());
    for start in starts {
        let told = |key: &str| {
            let message = format!("where a move begins is told as {{ at = spaces, cost = costs }}: `{key}` is no list");
            start.raw_get::<Vec<i32>>(key).map_err(|_| Error::runtime(message))
        };
        let entry = match start.raw_get::<Option<i32>>("entry")? {
            Some(entry) => known_space(game, entry)?.0 as i32,
            None => -1,
        };
        let among = |key: &str| {
            let handle = match start.raw_get::<Value>(key)? {
                Value::Integer(set) => i32::try_from(set).unwrap_or(0),
                Value::Number(set) => set as i32,
                _ => return Ok::<_, Error>(None),
            };
            Ok(Some(sets.get(handle)?.clone()))
        };
        let at_set = among("at")?;
        let at = at_set.as_ref().map_or_else(|| told("at"), |set| Ok(game.values(set)))?;
        let entry_space = u32::try_from(entry).ok().map(SpaceId);
        told_of.extend(at_set.or(among("among")?).map(|among| Start { among, entry: entry_space }));
        if let Some(space) = at.iter().find(|space| !spaces.contains(space)) {
            return Err(Error::runtime(format!("a move cannot begin in space {space}: there is none")));
        }
        let leg = match start.raw_get::<Option<i32>>("leg")? {
            Some(leg) => Some(mode_of_leg(leg).filter(|mode| declared.has_mode(*mode)).ok_or_else(|| {
                Error::runtime(format!("a move cannot go on from leg {leg}: `legs` has handed out none such"))
            })?),
            None => None,
        };
        let symbol = start.raw_get::<Option<i32>>(declared.symbols.key())?.and_then(|n| usize::try_from(n).ok());
        let entered = start.raw_get::<Option<bool>>("stands")? != Some(true);
        if start.raw_get::<Value>("cost")?.is_nil() {
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
        let costs = told("cost")?;
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

/// The mode in which a leg goes on, as rules hand it from one reach to the next. It does not hang on how a search numbers
/// its modes, which may change with what the leg before has done.
fn leg(mode: Mode) -> i32 {
    i32::from(mode.symbol) << 16 | i32::from(mode.counts)
}

/// The mode that a leg was handed out for; none for what no leg is.
fn mode_of_leg(leg: i32) -> Option<Mode> {
    Some(Mode { symbol: i16::try_from(leg >> 16).ok()?, counts: (leg & 0xFFFF) as u16 })
}

//! The names that rules see. Every function is a plain closure over the slot: a property read costs about
//! thirty nanoseconds. The type definitions of all of it stand in `countermarch.d.luau`.

use std::sync::Arc;

use countermarch_core::{
    map::{Seed, SpaceId},
    play::{CoverPart, Effect, Game, Move, Outcome, Retreat, Set, Source, Tally, TallyLine, Task},
    ruleset::{Attribute, Cite, Holder, Kind, Provenance, Ruleset, rows::Read},
};
use mlua::{Error, Function, IntoLua, IntoLuaMulti, Lua, Result, Table, Value, Variadic};

use crate::{
    convert::{from_lua, lua_name, to_lua},
    runtime::Shared,
};

/// Puts every name into the globals.
pub fn install(lua: &Lua, slot: &Shared, ruleset: &Arc<Ruleset>) -> Result<()> {
    let api = Api { lua, slot, ruleset };
    api.properties()?;
    api.names()?;
    api.rows()?;
    api.offers()?;
    api.places()?;
    api.changes()?;
    api.told()?;
    lua.load(include_str!("prelude.luau")).set_name("=prelude.luau").exec()?;
    let globals = lua.globals();
    // What is left could break determinism, reach outside, or catch a question that is asked.
    for name in [
        "coroutine",
        "getfenv",
        "setfenv",
        "loadstring",
        "require",
        "newproxy",
        "collectgarbage",
        "gcinfo",
        "os",
        "print",
        "debug",
        "__told",
        "__tally",
        "__finish",
        "_VERSION",
        "pairs",
        "next",
        "_G",
    ] {
        globals.raw_set(name, Value::Nil)?;
    }
    let math: Table = globals.get("math")?;
    math.raw_set("random", Value::Nil)?;
    math.raw_set("randomseed", Value::Nil)?;
    globals.for_each(|_: Value, value: Value| {
        freeze(&value);
        Ok(())
    })
}

fn freeze(value: &Value) {
    if let Value::Table(table) = value {
        let inner = table.for_each(|_: Value, value: Value| {
            if !matches!(&value, Value::Table(t) if t == table) {
                freeze(&value);
            }
            Ok(())
        });
        debug_assert!(inner.is_ok(), "tables of the API can be walked");
        table.set_readonly(true);
    }
}

struct Api<'a> {
    lua: &'a Lua,
    slot: &'a Shared,
    ruleset: &'a Arc<Ruleset>,
}

impl Api<'_> {
    /// A function that reads the game.
    fn reading<A, R>(&self, f: impl Fn(&Game, A) -> Result<R> + 'static) -> Result<Function>
    where
        A: mlua::FromLuaMulti,
        R: IntoLuaMulti,
    {
        let slot = self.slot.clone();
        self.lua.create_function(move |_, args: A| f(&slot.borrow().game, args))
    }

    /// A function that changes the game.
    fn changing<A, R>(&self, f: impl Fn(&mut Game, A) -> Result<R> + 'static) -> Result<Function>
    where
        A: mlua::FromLuaMulti,
        R: IntoLuaMulti,
    {
        let slot = self.slot.clone();
        self.lua.create_function(move |_, args: A| f(&mut slot.borrow_mut().game, args))
    }

    /// A function that makes a lazy set.
    fn making<A>(&self, f: impl Fn(&Game, A) -> Result<Set> + 'static) -> Result<Function>
    where
        A: mlua::FromLuaMulti,
    {
        let slot = self.slot.clone();
        self.lua.create_function(move |_, args: A| {
            let mut slot = slot.borrow_mut();
            let set = f(&slot.game, args)?;
            Ok(slot.sets.keep(set))
        })
    }

    /// A list for a rule. The memory limit is lifted while the engine builds it: with it, building is many times
    /// slower, and the engine's own lists are bounded.
    fn listing<A>(&self, f: impl Fn(&Game, A) -> Result<Vec<i32>> + 'static) -> Result<Function>
    where
        A: mlua::FromLuaMulti,
    {
        let slot = self.slot.clone();
        self.lua.create_function(move |lua, args: A| {
            let list = f(&slot.borrow().game, args)?;
            let limit = lua.set_memory_limit(0)?;
            let table = lua.create_sequence_from(list);
            lua.set_memory_limit(limit)?;
            table
        })
    }

    fn table(&self) -> Result<Table> {
        self.lua.create_table()
    }

    fn global(&self, name: &str, value: impl IntoLua) -> Result<()> {
        self.lua.globals().raw_set(name, value)
    }

    /// `unit.fatigue(u)`, `side.morale(s)`, `state.turn()`, `battle.target(b)`, and `set.unit.fatigue(u, v, cite)`.
    fn properties(&self) -> Result<()> {
        let set = self.table()?;
        let mut holders = vec![
            ("unit".to_owned(), Holder::Unit),
            ("side".to_owned(), Holder::Side),
            ("space".to_owned(), Holder::Space),
            ("card".to_owned(), Holder::Card),
            ("state".to_owned(), Holder::Game),
        ];
        for (at, record) in self.ruleset.schema.records.iter().enumerate() {
            holders.push((lua_name(&record.name), Holder::Record(at as u8)));
        }
        for (name, holder) in holders {
            let (reads, writes) = (self.table()?, self.table()?);
            for (column, declared) in self.ruleset.schema.columns.iter().enumerate() {
                if declared.holder != holder || (holder == Holder::Unit && declared.name == "place") {
                    continue;
                }
                let (column, kind) = (column as u16, declared.kind);
                let key = lua_name(&declared.name);
                if holder == Holder::Game {
                    reads.raw_set(&*key, self.reading(move |game, ()| Ok(to_lua(kind, game.get(column, 0))))?)?;
                    let write = self.changing(move |game, (value, cite): (Value, Option<u16>)| {
                        set_column(game, column, 0, kind, &value, cite)
                    })?;
                    writes.raw_set(&*key, write)?;
                } else {
                    let read = self.reading(move |game, of: i32| Ok(to_lua(kind, game.get(column, of))))?;
                    reads.raw_set(&*key, read)?;
                    let write = self.changing(move |game, (of, value, cite): (i32, Value, Option<u16>)| {
                        set_column(game, column, of, kind, &value, cite)
                    })?;
                    writes.raw_set(&*key, write)?;
                }
            }
            for (at, attribute) in self.ruleset.attributes.iter().enumerate().filter(|(_, a)| a.holder == holder) {
                let Attribute { kind, .. } = *attribute;
                let read = self.reading(move |game, of: usize| {
                    let values = &game.ruleset.attributes[at].values;
                    values.get(of).map(|v| to_lua(kind, *v)).ok_or_else(|| Error::runtime("there is no such thing"))
                })?;
                reads.raw_set(lua_name(&attribute.name), read)?;
            }
            self.global(&name, reads)?;
            set.raw_set(name, writes)?;
        }
        self.global("set", set)
    }

    /// Names of units, sides, boxes and symbols as numbers, settings as texts.
    fn names(&self) -> Result<()> {
        let ruleset = self.ruleset;
        let by_name = |names: Vec<(&str, i32)>| -> Result<Table> {
            let table = self.table()?;
            for (name, value) in names {
                table.raw_set(lua_name(name), value)?;
            }
            Ok(table)
        };
        fn numbered(names: Vec<&str>) -> Vec<(&str, i32)> {
            names.into_iter().enumerate().map(|(n, s)| (s, n as i32)).collect()
        }
        self.global("units", by_name(numbered(ruleset.units.iter().map(|u| u.id.as_str()).collect()))?)?;
        self.global("sides", by_name(numbered(ruleset.sides.iter().map(|s| s.id.as_str()).collect()))?)?;
        self.global("cards", by_name(numbered(ruleset.cards.iter().map(|c| c.id.as_str()).collect()))?)?;
        let first = ruleset.map.len() as i32;
        let boxes = ruleset.boxes.iter().enumerate().map(|(n, b)| (b.id.as_str(), first + n as i32)).collect();
        self.global("boxes", by_name(boxes)?)?;
        let values = self.table()?;
        for list in &ruleset.schema.symbols {
            let names = numbered(list.values.iter().map(String::as_str).collect());
            values.raw_set(lua_name(&list.name), by_name(names)?)?;
        }
        self.global("values", values)?;
        let settings = self.table()?;
        for setting in &ruleset.settings {
            settings.raw_set(lua_name(&setting.id), setting.value.as_str())?;
        }
        self.global("settings", settings)
    }

    /// `rows.may_attack(u, t)`, `word.near_home(a, b)`, `zone.contact(space, side)`, `lookup.crt(column, row)`.
    fn rows(&self) -> Result<()> {
        let (rows, words, zones, choose) = (self.table()?, self.table()?, self.table()?, self.table()?);
        for (at, table) in self.ruleset.rows.iter().enumerate() {
            let (id, read, count) = (at as u16, table.read, table.given.len());
            let kinds: Vec<Kind> = table.given.iter().map(|(_, k)| *k).collect();
            let given = kinds.clone();
            let ask = self.reading(move |game, args: Given| {
                let given = arguments(&given, &args)?;
                let given = &given[..count];
                Ok(match read {
                    Read::Forbid => Value::Boolean(game.passes(id, given)),
                    Read::Sum | Read::First => Value::Integer(game.read_rows(id, given).into()),
                })
            })?;
            rows.raw_set(lua_name(&table.name), ask)?;
            if read == Read::Forbid && kinds.first() == Some(&Kind::Unit) {
                let pick =
                    self.listing(move |game, args: Given| Ok(game.units_that_pass(id, &three(&kinds[1..], &args)?)))?;
                choose.raw_set(lua_name(&table.name), pick)?;
            }
        }
        for (at, word) in self.ruleset.words.iter().enumerate() {
            let kinds: Vec<Kind> = word.given.iter().map(|(_, k)| *k).collect();
            let kind = word.kind;
            let ask = self.reading(move |game, args: Given| {
                let given = arguments(&kinds, &args)?;
                Ok(to_lua(kind, game.value(&game.ruleset.words[at].body, &given[..kinds.len()])))
            })?;
            words.raw_set(lua_name(&word.name), ask)?;
        }
        for (at, zone) in self.ruleset.zones.iter().enumerate() {
            let ask = self.reading(move |game, (space, side): (Option<i32>, i32)| {
                Ok(game.in_zone(at as u16, side, space.unwrap_or(-1)))
            })?;
            zones.raw_set(lua_name(&zone.name), ask)?;
        }
        let (lookup, clamp) = (self.table()?, self.table()?);
        for (at, table) in self.ruleset.tables.iter().enumerate() {
            let columns = numbers(&table.columns);
            let lines = numbers(&table.rows);
            let name = table.name.clone();
            let held = columns.clone();
            let look = self.reading(move |game, (column, row): (i32, i32)| {
                let column = held.iter().position(|c| *c == column);
                let row = lines.iter().position(|r| *r == row);
                match (column, row) {
                    (Some(c), Some(r)) => Ok(game.ruleset.tables[at].cells[r][c]),
                    _ => Err(Error::runtime(format!("table `{name}` has no such column or row"))),
                }
            })?;
            lookup.raw_set(lua_name(&table.name), look)?;
            let hold = self.reading(move |_, column: i32| {
                let (least, most) = (columns.iter().min().copied(), columns.iter().max().copied());
                Ok(column.clamp(least.unwrap_or(0), most.unwrap_or(0)))
            })?;
            clamp.raw_set(lua_name(&table.name), hold)?;
        }
        self.global("rows", rows)?;
        self.global("word", words)?;
        self.global("zone", zones)?;
        self.global("select", choose)?;
        self.global("lookup", lookup)?;
        self.global("clamp", clamp)
    }

    /// Lazy sets for questions.
    fn offers(&self) -> Result<()> {
        let offer = self.table()?;
        let (units, spaces, allowed) = (self.table()?, self.table()?, self.table()?);
        for (at, table) in self.ruleset.rows.iter().enumerate().filter(|(_, t)| t.read == Read::Forbid) {
            let rows = at as u16;
            let kinds: Vec<Kind> = table.given.iter().map(|(_, k)| *k).collect();
            let name = lua_name(&table.name);
            if let Some((first, rest)) = kinds.split_first() {
                let rest = rest.to_vec();
                let of_units = *first == Kind::Unit;
                let make = self.making(move |_, args: Given| {
                    let given = three(&rest, &args)?;
                    Ok(if of_units { Set::Units { rows, given } } else { Set::Spaces { rows, given } })
                })?;
                if of_units { units.raw_set(&*name, make)? } else { spaces.raw_set(&*name, make)? }
            }
            let make = self.making(move |_, args: Given| Ok(Set::Allowed { rows, given: three(&kinds, &args)? }))?;
            allowed.raw_set(&*name, make)?;
        }
        offer.raw_set("units", units)?;
        offer.raw_set("spaces", spaces)?;
        offer.raw_set("allowed", allowed)?;
        offer.raw_set("numbers", self.making(|_, (least, most): (i32, i32)| Ok(Set::Numbers(least, most)))?)?;
        offer.raw_set("list", self.making(|_, list: Vec<i32>| Ok(Set::List(list.into())))?)?;
        let reach = self.table()?;
        for (at, mover) in self.ruleset.movers.iter().enumerate() {
            reach.raw_set(lua_name(&mover.name), self.reach(at as u16)?)?;
        }
        offer.raw_set("reach", reach)?;
        let retreat = self.table()?;
        for (at, kind) in self.ruleset.retreats.iter().enumerate() {
            let kind_id = at as u16;
            let make = self.making(move |_, (unit, shortest, longest): (i32, u16, u16)| {
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
                let make = self.making(move |_, battle: Option<i32>| {
                    Ok(Set::Cover { contact: at as u16, battle: battle.unwrap_or(-1), part })
                })?;
                kinds.raw_set(lua_name(&contact.name), make)?;
            }
            offer.raw_set(name, kinds)?;
        }
        self.global("offer", offer)?;
        let slot = self.slot.clone();
        let count = self.lua.create_function(move |_, handle: mlua::LightUserData| {
            let slot = slot.borrow();
            Ok(slot.game.values(slot.sets.get(handle)?).len())
        })?;
        self.global("count_of", count)?;
        let slot = self.slot.clone();
        let spent = self.lua.create_function(move |_, (handle, space): (mlua::LightUserData, u32)| {
            let slot = slot.borrow();
            let Set::Reach(m) = slot.sets.get(handle)? else { return Ok(None) };
            Ok(slot.game.reach(m, |flood| flood.cost_of(SpaceId(space))))
        })?;
        self.global("spent", spent)?;
        let slot = self.slot.clone();
        let touched = self.lua.create_function(move |_, (handle, space): (mlua::LightUserData, u32)| {
            let slot = slot.borrow();
            let Set::Retreat(retreat) = slot.sets.get(handle)? else { return Ok(false) };
            let ends = slot.game.retreat_ends(retreat);
            Ok(ends.iter().any(|e| e.space == SpaceId(space) && e.touched))
        })?;
        self.global("touched", touched)
    }

    fn reach(&self, mover: u16) -> Result<Function> {
        type Args = (i32, u16, Option<u16>, Option<bool>, Option<String>, Option<Table>);
        self.making(move |game, (unit, allowance, extra, minimum, only, seeds): Args| {
            let only = match only {
                None => None,
                Some(name) => {
                    let at = game.ruleset.rows.iter().position(|r| lua_name(&r.name) == name);
                    Some(at.ok_or_else(|| Error::runtime(format!("there are no rows `{name}`")))? as u16)
                }
            };
            let mut list = Vec::new();
            for pair in seeds.iter().flat_map(|s| s.sequence_values::<Table>()) {
                let pair = pair?;
                let (space, cost) = (SpaceId(pair.raw_get(1)?), pair.raw_get(2)?);
                list.push(Seed { space, way: 0, cost, entered: true });
            }
            if seeds.is_some() && list.is_empty() {
                return Ok(Set::List(Box::new([])));
            }
            let minimum = minimum.unwrap_or(false);
            let extra = extra.unwrap_or(0);
            Ok(Set::Reach(Box::new(Move { mover, unit, allowance, extra, minimum, seeds: list, only })))
        })
    }

    /// Where things are, and how the map hangs together.
    fn places(&self) -> Result<()> {
        let spaces = self.ruleset.map.len() as i32;
        self.global("space_of", self.reading(|game, unit: i32| Ok(some(game.space_of(unit))))?)?;
        self.global("place_of", self.reading(|game, unit: i32| Ok(some(game.place(unit))))?)?;
        self.global("is_on_map", self.reading(|game, unit: i32| Ok(game.space_of(unit) >= 0))?)?;
        self.global("units_at", self.listing(|game, place: i32| Ok(game.units_at(place).collect()))?)?;
        let near = self.listing(move |game, space: i32| {
            if !(0..spaces).contains(&space) {
                return Err(Error::runtime(format!("there is no space {space}")));
            }
            Ok(game.ruleset.map.near(SpaceId(space as u32)).map(|s| s.0 as i32).collect())
        })?;
        self.global("near", near)?;
        let distance = self.reading(move |game, (a, b): (i32, i32)| {
            if !(0..spaces).contains(&a) || !(0..spaces).contains(&b) {
                return Err(Error::runtime("distance needs two spaces of the map"));
            }
            Ok(game.ruleset.map.distance(SpaceId(a as u32), SpaceId(b as u32)))
        })?;
        self.global("distance", distance)?;
        let named = self.reading(|game, name: String| {
            let found = game.ruleset.map.find(&name).map(|s| s.0);
            found.ok_or_else(|| Error::runtime(format!("the map has no space `{name}`")))
        })?;
        self.global("space_named", named)?;
        let with_terrain =
            self.listing(|game, terrain: u32| Ok(game.ruleset.map.spaces_with(terrain).map(|s| s.0 as i32).collect()))?;
        self.global("spaces_with", with_terrain)?;
        let along = self.listing(|game, road: String| match game.ruleset.map.road(&road) {
            Some(road) => Ok(road.along.iter().map(|s| s.0 as i32).collect()),
            None => Err(Error::runtime(format!("the map has no road `{road}`"))),
        })?;
        self.global("along", along)?;
        let terrains = self.table()?;
        for (at, name) in self.ruleset.map.terrains.iter().enumerate() {
            terrains.raw_set(lua_name(name), 1u32 << at)?;
        }
        self.global("terrains", terrains)?;
        // Entries by the symbol of the same name, and as a list of codes.
        let entry = self.reading(|game, name: String| {
            let found = game.ruleset.map.entries.iter().find(|e| e.id == name);
            Ok(found.map(|e| (e.at.0, e.road.is_some())).map_or((None, false), |(at, road)| (Some(at), road)))
        })?;
        self.global("entry_named", entry)?;
        let symbol = self.reading(|game, (list, value): (String, i32)| {
            let list = game.ruleset.schema.symbols.iter().find(|s| lua_name(&s.name) == list);
            Ok(list.and_then(|l| l.values.get(value as usize)).cloned())
        })?;
        self.global("symbol_name", symbol)?;
        let costs = self.table()?;
        for (at, mover) in self.ruleset.movers.iter().enumerate() {
            let cost = self.reading(move |game, (unit, from, to): (i32, u32, u32)| {
                Ok(game.cost_of_step(at as u16, unit, SpaceId(from), SpaceId(to)))
            })?;
            costs.raw_set(lua_name(&mover.name), cost)?;
        }
        self.global("step_cost", costs)?;
        let name = self.reading(|game, unit: usize| {
            let found = game.ruleset.units.get(unit).map(|u| u.name.clone());
            found.ok_or_else(|| Error::runtime("there is no such unit"))
        })?;
        self.global("name_of", name)?;
        let name = self.reading(|game, card: usize| {
            let found = game.ruleset.cards.get(card).map(|c| c.name.clone());
            found.ok_or_else(|| Error::runtime("there is no such card"))
        })?;
        self.global("name_of_card", name)?;
        let name = self.reading(|game, space: u32| {
            if space as usize >= game.ruleset.map.len() {
                return Err(Error::runtime("there is no such space"));
            }
            Ok(game.ruleset.map.space(SpaceId(space)).name.clone())
        })?;
        self.global("name_of_space", name)
    }

    /// Effects.
    fn changes(&self) -> Result<()> {
        let place = self.changing(|game, (unit, to, cite): (i32, i32, Option<u16>)| {
            let cite = cite_of(cite);
            game.apply(Effect::Place { unit, to, cite }).map_err(Error::runtime)
        })?;
        self.global("place", place)?;
        let (new, drop, each) = (self.table()?, self.table()?, self.table()?);
        for (at, record) in self.ruleset.schema.records.iter().enumerate() {
            let kind = at as u8;
            let name = lua_name(&record.name);
            let most = record.most;
            let make = self.changing(move |game, cite: Option<u16>| {
                let cite = cite_of(cite);
                let free = game.free_record(kind);
                let record = free.ok_or_else(|| Error::runtime(format!("more than {most} records of one kind")))?;
                game.apply(Effect::New { kind, record, cite }).map_err(Error::runtime)?;
                Ok(record)
            })?;
            new.raw_set(&*name, make)?;
            let remove = self.changing(move |game, (record, cite): (i32, Option<u16>)| {
                let cite = cite_of(cite);
                game.apply(Effect::Drop { kind, record, cite }).map_err(Error::runtime)
            })?;
            drop.raw_set(&*name, remove)?;
            let list =
                self.listing(move |game, ()| Ok((0..most as i32).filter(|r| game.exists(kind, *r)).collect()))?;
            each.raw_set(name, list)?;
        }
        self.global("new", new)?;
        self.global("drop", drop)?;
        self.global("each", each)?;
        let push = self.changing(|game, (rule, with): (String, Variadic<i32>)| {
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
        let finish = self.changing(|game, (winner, name, cite): (Option<i32>, String, Option<u16>)| {
            let cite = cite_of(cite);
            let outcome = Outcome { winner, name: name.into(), cite };
            game.apply(Effect::Finish { outcome }).map_err(Error::runtime)
        })?;
        self.global("__finish", finish)
    }

    /// What is told and changes nothing.
    fn told(&self) -> Result<()> {
        self.global("__told", self.reading(|game, ()| Ok(game.telling))?)?;
        let note = self.changing(|game, (key, cite, blanks): (String, Option<u16>, Variadic<Value>)| {
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
                text = text.replace(&format!("{{{}}}", at + 1), &filled);
            }
            let cite = cite_of(cite);
            game.apply(Effect::Note { text: text.into(), cite }).map_err(Error::runtime)
        })?;
        self.global("note", note)?;
        let tally = self.changing(|game, sum: Table| {
            let mut lines = Vec::new();
            for line in sum.raw_get::<Table>("lines")?.sequence_values::<Table>() {
                let line = line?;
                let mut from = Provenance::Printed;
                let reason = match line.raw_get::<Value>("reason")? {
                    Value::Integer(unit) => {
                        let at = unit as usize;
                        from = strength_from(&game.ruleset, at);
                        game.ruleset.units.get(at).map(|u| u.name.clone()).unwrap_or_default()
                    }
                    Value::String(text) => text.to_str()?.to_owned(),
                    other => return Err(Error::runtime(format!("a reason cannot be {}", other.type_name()))),
                };
                let cite = cite_of(line.raw_get("cite")?);
                lines.push(TallyLine { reason, value: line.raw_get("value")?, cite, from });
            }
            let (title, total) = (sum.raw_get("title")?, sum.raw_get("total")?);
            let tally = Tally { title, lines, total };
            game.apply(Effect::Tally { tally: Arc::new(tally) }).map_err(Error::runtime)
        })?;
        self.global("__tally", tally)
    }
}

/// Where a unit's strength comes from, for the dagger in sums.
fn strength_from(ruleset: &Ruleset, unit: usize) -> Provenance {
    let strength = ruleset.attributes.iter().find(|a| a.holder == Holder::Unit && a.name == "strength");
    strength.and_then(|a| a.from.get(unit)).copied().unwrap_or_default()
}

fn some(value: i32) -> Option<i32> {
    (value >= 0).then_some(value)
}

fn numbers(labels: &[String]) -> Vec<i32> {
    let number = |(at, label): (usize, &String)| label.trim_start_matches('+').parse().unwrap_or(at as i32 + 1);
    labels.iter().enumerate().map(number).collect()
}

/// What rows, words and offers are given: at most five things, without a list made for them.
type Given = (Value, Value, Value, Value, Value);

fn arguments(kinds: &[Kind], args: &Given) -> Result<[i32; 8]> {
    let args = [&args.0, &args.1, &args.2, &args.3, &args.4];
    let mut given = [-1; 8];
    let many = args.iter().rposition(|a| !a.is_nil()).map_or(0, |at| at + 1);
    if many > kinds.len() {
        return Err(Error::runtime(format!("{many} things are given and {} wanted", kinds.len())));
    }
    for (at, (kind, value)) in kinds.iter().zip(args).enumerate() {
        given[at] = from_lua(*kind, value)?;
    }
    Ok(given)
}

fn three(kinds: &[Kind], args: &Given) -> Result<[i32; 3]> {
    let given = arguments(kinds, args)?;
    Ok([given[0], given[1], given[2]])
}

fn set_column(game: &mut Game, column: u16, of: i32, kind: Kind, value: &Value, cite: Option<u16>) -> Result<()> {
    let value = from_lua(kind, value)?;
    let cite = cite_of(cite);
    game.apply(Effect::Set { column, of, value, cite }).map_err(Error::runtime)
}

/// Citations reach the engine as numbers: the linker puts them in place of their texts.
fn cite_of(cite: Option<u16>) -> Cite {
    cite.map_or(Cite::NONE, Cite)
}

//! What rules read: properties, names, printed lists, where things are. Writing a property stands beside reading it.

use countermarch_core::{
    play::{Effect, Game},
    ruleset::{Cite, Headings, Holder, Kind, PrintedTable, Symbols, rows::Read},
};
use mlua::{Error, Function, Result, Table, Value};

use super::{Api, known_space, known_unit};
use crate::{
    cites::cited,
    convert::{from_lua, lua_name, to_lua, within},
    sets::Sets,
    trace::AtWork,
};

impl Api<'_> {
    /// `unit.fatigue(u)`, `side.morale(s)`, `state.turn()`, `battle.target(b)`, and `set.unit.fatigue(u, v, cite)`.
    pub(super) fn properties(&self) -> Result<()> {
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
                    let write = self.changing(move |lua, game, (value, cite): (Value, Option<u16>)| {
                        set_column(game, column, 0, from_lua(kind, &value)?, cited(lua, game, cite)?)
                    })?;
                    writes.raw_set(&*key, write)?;
                } else {
                    let (count, what) = (declared.count as u64, name.clone());
                    let read = self.reading(move |game, of: i32| {
                        within(count, &what, of).map(|of| to_lua(kind, game.get(column, of)))
                    })?;
                    reads.raw_set(&*key, read)?;
                    let write = match kind {
                        Kind::Flag | Kind::Int => {
                            self.changing(move |lua, game, (of, value, cite): (i32, Value, Option<u16>)| {
                                set_column(game, column, of, from_lua(kind, &value)?, cited(lua, game, cite)?)
                            })?
                        }
                        _ => self.changing(move |lua, game, (of, value, cite): (i32, Option<i32>, Option<u16>)| {
                            set_column(game, column, of, value.unwrap_or(-1), cited(lua, game, cite)?)
                        })?,
                    };
                    writes.raw_set(&*key, write)?;
                }
            }
            for attribute in self.ruleset.attributes.iter().filter(|a| a.holder == holder) {
                let values = attribute.values.iter().map(|value| to_lua(attribute.kind, *value));
                reads.raw_set(lua_name(&attribute.name), self.fixed(&name, values)?)?;
            }
            self.global(&name, reads)?;
            set.raw_set(name, writes)?;
        }
        self.global("set", set)
    }

    /// Names of units, sides, boxes and symbols as numbers, settings as texts.
    pub(super) fn names(&self) -> Result<()> {
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
        self.global("settings", settings)?;
        // Verbs and questions by number, counted from 1 as Luau counts, so that asking passes no texts.
        let (verbs, verb_names, questions) = (self.table()?, self.table()?, self.table()?);
        for (at, verb) in ruleset.verbs.iter().enumerate() {
            verbs.raw_set(&*verb.id, at + 1)?;
            verbs.raw_set(lua_name(&verb.id), at + 1)?;
            verb_names.raw_set(at + 1, &*verb.id)?;
        }
        let offering = self.table()?;
        for (at, question) in ruleset.questions.iter().enumerate() {
            questions.raw_set(&*question.key, at + 1)?;
            if !question.offers.is_empty() {
                offering.raw_set(at + 1, true)?;
            }
        }
        self.engine.raw_set("offering", offering)?;
        self.engine.raw_set("sides", {
            let sides = self.table()?;
            (0..ruleset.sides.len()).try_for_each(|side| sides.raw_set(side, true))?;
            sides
        })?;
        self.engine.raw_set("nothing_to_take", Sets::ONE)?;
        self.engine.raw_set("withheld", Sets::WITHHELD)?;
        self.engine.raw_set("verbs", verbs)?;
        self.engine.raw_set("verb_names", verb_names)?;
        self.engine.raw_set("questions", questions)
    }

    /// `may.attack(u, t)`, `sum.strength(u)`, `first.odds(a, b)`, `term.near_home(a, b)`, `zone.contact(space, side)`,
    /// `lookup.crt(column, row)`.
    pub(super) fn rows(&self, close: Option<&AtWork>) -> Result<()> {
        for read in Read::ALL {
            let lists = self.table()?;
            for (at, rows) in self.ruleset.rows.iter().enumerate().filter(|(_, rows)| rows.read == read) {
                let (id, kind, count) = (at as u16, rows.kind, rows.given.len());
                let kinds: Vec<Kind> = rows.given.iter().map(|(_, k)| *k).collect();
                let read_out = move |game: &Game, given: &[i32]| match read {
                    Read::May => Value::Boolean(game.passes(id, given)),
                    Read::Sum | Read::First => to_lua(kind, game.read_rows(id, given)),
                };
                let ask = match close.cloned() {
                    None => self.asking(&kinds, move |game, given| Ok(read_out(game, &given[..count])))?,
                    Some(seen) => self.asking(&kinds, move |game, given| {
                        game.speaking(id, &given[..count]).iter().for_each(|row| seen.add(row));
                        Ok(read_out(game, &given[..count]))
                    })?,
                };
                lists.raw_set(lua_name(&rows.name), ask)?;
            }
            self.global(read.section(), lists)?;
        }
        let (terms, zones) = (self.table()?, self.table()?);
        // Terms that take too long are not worked out for everything before a game begins.
        self.slot.borrow().game.begin_steps();
        for (at, term) in self.ruleset.terms.iter().enumerate().filter(|(_, term)| !term.of_player) {
            let kinds: Vec<Kind> = term.given.iter().map(|(_, k)| *k).collect();
            let (kind, count) = (term.kind, kinds.len());
            // What hangs on what is printed alone is worked out once.
            let things = match kinds.as_slice() {
                [Kind::Unit] => Some(("unit", self.ruleset.units.len())),
                [Kind::Space] => Some(("space", self.ruleset.map.len())),
                _ => None,
            };
            if let Some((what, things)) = things.filter(|_| term.looks_at.is_lasting()) {
                let game = &self.slot.borrow().game;
                let values: Vec<i32> = (0..things as i32).map(|one| game.value(&term.body, &[one])).collect();
                if !game.is_exhausted() {
                    let values = values.into_iter().map(|value| to_lua(kind, value));
                    terms.raw_set(lua_name(&term.name), self.fixed(what, values)?)?;
                    continue;
                }
            }
            let ask = self.asking(&kinds, move |game, given| {
                Ok(to_lua(kind, game.value(&game.ruleset.terms[at].body, &given[..count])))
            })?;
            terms.raw_set(lua_name(&term.name), ask)?;
        }
        self.slot.borrow().game.end_steps();
        for (at, zone) in self.ruleset.zones.iter().enumerate() {
            let ask = self.asking(&[Kind::Space, Kind::Side], move |game, given| {
                Ok(game.in_zone(at as u16, given[1], given[0]))
            })?;
            zones.raw_set(lua_name(&zone.name), ask)?;
        }
        let sights = self.table()?;
        for (at, sight) in self.ruleset.sights.iter().enumerate() {
            let ask = self
                .asking(&[Kind::Space, Kind::Space], move |game, given| Ok(game.sees(at as u16, given[0], given[1])))?;
            sights.raw_set(lua_name(&sight.name), ask)?;
        }
        let (lookup, clamp) = (self.table()?, self.table()?);
        for table in &self.ruleset.tables {
            let (columns, lines) = (&table.columns.values, &table.rows.values);
            let whole = self.table()?;
            for (c, column) in columns.iter().enumerate() {
                let cells = self.table()?;
                for (r, line) in lines.iter().enumerate() {
                    cells.raw_set(*line, table.cells[r][c])?;
                }
                whole.raw_set(*column, cells)?;
            }
            let mut look = self.grid.call::<Function>((whole, &*table.name))?;
            if let Some(seen) = close {
                look = self.telling_cells(look, table, seen)?;
            }
            lookup.raw_set(lua_name(&table.name), look)?;
            if table.columns.kind == Kind::Int {
                let (least, most) = (columns.iter().min().copied(), columns.iter().max().copied());
                clamp.raw_set(lua_name(&table.name), self.clamp.call::<Function>((least, most))?)?;
            }
        }
        self.global("term", terms)?;
        self.global("zone", zones)?;
        self.global("sight", sights)?;
        self.global("lookup", lookup)?;
        self.global("clamp", clamp)
    }

    /// A function that looks into a table, and says into which cell.
    fn telling_cells(&self, look: Function, table: &PrintedTable, seen: &AtWork) -> Result<Function> {
        let (seen, table) = (seen.clone(), table.clone());
        let tell = self.lua.create_function(move |_, (column, row): (Option<i32>, Option<i32>)| {
            let at = |headings: &Headings, value: Option<i32>| headings.values.iter().position(|v| Some(*v) == value);
            if let (Some(column), Some(row)) = (at(&table.columns, column), at(&table.rows, row)) {
                seen.add(&table.path_of(column, row));
            }
            Ok(())
        })?;
        let both = self.lua.load("local tell, look = ... return function(c, r) tell(c, r) return look(c, r) end");
        both.set_name("=trace").call((tell, look))
    }

    /// Where things are, and how the map hangs together.
    pub(super) fn places(&self) -> Result<()> {
        let of_unit = |what: fn(&Game, i32) -> Value| {
            self.reading(move |game, unit: i32| known_unit(game, unit).map(|unit| what(game, unit)))
        };
        self.global("space_of", of_unit(|game, unit| to_lua(Kind::Space, game.space_of(unit)))?)?;
        self.global("place_of", of_unit(|game, unit| to_lua(Kind::Space, game.place(unit)))?)?;
        self.global("is_on_map", of_unit(|game, unit| Value::Boolean(game.space_of(unit) >= 0))?)?;
        let places = (self.ruleset.map.len() + self.ruleset.boxes.len()) as u64;
        let units_at = self.listing(move |game, place: i32| {
            within(places, "place", place).map(|place| game.units_at(place).collect())
        })?;
        self.global("units_at", units_at)?;
        let near = self.listing(|game, space: i32| {
            let space = known_space(game, space)?;
            Ok(game.ruleset.map.near(space).map(|s| s.0 as i32).collect())
        })?;
        self.global("near", near)?;
        let distance = self.reading(|game, (a, b): (i32, i32)| {
            Ok(game.ruleset.map.distance(known_space(game, a)?, known_space(game, b)?))
        })?;
        self.global("distance", distance)?;
        let distances = self.listing(|game, (from, to): (i32, Vec<i32>)| {
            let far = game.ruleset.map.distances_from(known_space(game, from)?);
            to.into_iter().map(|space| known_space(game, space).map(|to| far[to.0 as usize].into())).collect()
        })?;
        self.global("distances", distances)?;
        let onward = self.reading(|game, (from, at): (i32, i32)| {
            let (map, from, at) = (&game.ruleset.map, known_space(game, from)?, known_space(game, at)?);
            Ok(if map.grid.directions().is_empty() { None } else { map.onward(from, at).map(|space| space.0) })
        })?;
        self.global("onward", onward)?;
        let named = self.reading(|game, name: String| {
            let found = game.ruleset.map.find(&name).map(|s| s.0);
            found.ok_or_else(|| Error::runtime(format!("the map has no space `{name}`")))
        })?;
        self.global("space_named", named)?;
        let with_terrain = self.listing(|game, terrain: u32| {
            let map = &game.ruleset.map;
            if u64::from(terrain) >> map.terrains.len() != 0 {
                return Err(Error::runtime(format!("there is no terrain {terrain}")));
            }
            Ok(map.spaces_with(terrain).map(|s| s.0 as i32).collect())
        })?;
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
        let symbols = &self.ruleset.schema.symbols;
        let named = |words: fn(&Symbols) -> &[String], otherwise: Option<&str>| -> Result<Function> {
            let lists = self.table()?;
            for list in symbols {
                let of = self.table()?;
                for (value, word) in words(list).iter().enumerate() {
                    of.raw_set(value, word.as_str())?;
                }
                lists.raw_set(lua_name(&list.name), of)?;
            }
            self.called.call((lists, otherwise))
        };
        self.global("symbol_name", named(|list| &list.values, None)?)?;
        self.global("symbol_says", named(|list| &list.says, Some(""))?)?;
        let measures = self.table()?;
        for (at, measure) in self.ruleset.measures.iter().enumerate() {
            let ask = self.reading(move |game, (side, line): (i32, Option<String>)| {
                let Some(line) = line else { return Ok(game.measure(at, side)) };
                let lines = &game.ruleset.measures[at].lines;
                let found = lines.iter().position(|l| lua_name(&l.id) == lua_name(&line));
                let found = found.ok_or_else(|| Error::runtime(format!("the measure has no line `{line}`")))?;
                Ok(game.measure_line(at, found, side))
            })?;
            measures.raw_set(lua_name(&measure.id), ask)?;
        }
        self.global("measure", measures)?;
        let costs = self.table()?;
        for (at, mover) in self.ruleset.movers.iter().enumerate() {
            let cost = self.reading(move |game, (unit, from, to): (i32, i32, i32)| {
                let (unit, from, to) = (known_unit(game, unit)?, known_space(game, from)?, known_space(game, to)?);
                Ok(game.cost_of_step(at as u16, unit, from, to))
            })?;
            costs.raw_set(lua_name(&mover.name), cost)?;
        }
        self.global("step_cost", costs)
    }

    /// `next_space(p, d)`, `direction(p, q)`, `turned(d, 1)`, `angle(d, e)`, `ray(p, d)`; directions themselves are named
    /// values, `values.direction.n`.
    pub(super) fn directions(&self) -> Result<()> {
        let count = self.ruleset.map.grid.directions().len() as u64;
        let known = move |direction: i32| within(count, "direction", direction);
        let next = self.reading(move |game, (from, way): (i32, i32)| {
            Ok(game.ruleset.map.next(known_space(game, from)?, known(way)?).map(|space| space.0))
        })?;
        self.global("next_space", next)?;
        let direction = self.reading(|game, (from, to): (i32, i32)| {
            Ok(game.ruleset.map.direction(known_space(game, from)?, known_space(game, to)?))
        })?;
        self.global("direction", direction)?;
        let turned = self.reading(move |game, (way, by): (i32, i32)| Ok(game.ruleset.map.turned(known(way)?, by)))?;
        self.global("turned", turned)?;
        let angle = self.reading(move |game, (a, b): (i32, i32)| Ok(game.ruleset.map.angle(known(a)?, known(b)?)))?;
        self.global("angle", angle)?;
        let ray = self.listing(move |game, (from, way): (i32, i32)| {
            let (from, way) = (known_space(game, from)?, known(way)?);
            Ok(game.ruleset.map.ray(from, way).map(|space| space.0 as i32).collect())
        })?;
        self.global("ray", ray)
    }
}

fn set_column(game: &mut Game, column: u16, of: i32, value: i32, cite: Cite) -> Result<()> {
    game.apply(Effect::Set { column, of, value, cite }).map_err(Error::runtime)
}

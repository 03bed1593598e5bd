//! The names that rules see. Every function is a plain closure over the slot: a property read costs about
//! thirty nanoseconds. The type definitions of all of it stand in `countermarch.d.luau`.

use std::sync::Arc;

use countermarch_core::{
    play::{Game, Set},
    ruleset::{Cite, Kind, Ruleset},
};
use mlua::{Buffer, Error, Function, IntoLua, IntoLuaMulti, Lua, Result, Table, Value};

use crate::{
    convert::from_lua,
    runtime::Shared,
    trace::{self, AtWork},
};

mod effects;
mod facts;
mod offers;

/// What the engine keeps of the names that rules see.
pub struct Hooks {
    /// To be called with whether anybody listens whenever that changes; at first nobody does.
    pub listen: Function,
    /// What the last question offered: verbs, counted from 1, and handles of sets by turns, four bytes each.
    pub offered: Buffer,
}

/// Puts every name into the globals; with `watching`, functions that ask printed lists say so.
pub fn install(lua: &Lua, slot: &Shared, ruleset: &Arc<Ruleset>, watching: Option<&AtWork>) -> Result<Hooks> {
    let constants = lua.load(include_str!("constants.luau")).set_name("=constants.luau");
    let (fixed, grid, clamp) = constants.eval()?;
    let api = Api { lua, slot, ruleset, fixed, grid, clamp };
    api.properties()?;
    api.names()?;
    api.rows()?;
    api.offers()?;
    api.places()?;
    api.changes()?;
    api.told()?;
    if let Some(seen) = watching {
        trace::watch_lists(lua, ruleset, seen)?;
    }
    // A table of offers names a verb once.
    let offered = lua.create_buffer(vec![0; 8 * ruleset.verbs.len().max(1)])?;
    lua.globals().raw_set("__offered", &offered)?;
    let listen = lua.load(include_str!("prelude.luau")).set_name("=prelude.luau").eval()?;
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
        "buffer",
        "__tally",
        "__finish",
        "__offered",
        "__nothing_to_take",
        "__verbs",
        "__verb_names",
        "__questions",
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
    })?;
    Ok(Hooks { listen, offered })
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
    /// Makers of functions, from `constants.luau`.
    fixed: Function,
    grid: Function,
    clamp: Function,
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

    /// A function that makes a lazy set of things of these kinds.
    fn keeping(&self, kinds: &[Kind], f: impl Fn([i32; 8]) -> Set + 'static) -> Result<Function> {
        let slot = self.slot.clone();
        self.given(kinds, move |_, given| Ok(slot.borrow_mut().sets.keep(f(given))))
    }

    /// A function that makes a list for a rule.
    fn listing<A>(&self, f: impl Fn(&Game, A) -> Result<Vec<i32>> + 'static) -> Result<Function>
    where
        A: mlua::FromLuaMulti,
    {
        let slot = self.slot.clone();
        self.lua.create_function(move |lua, args: A| {
            let list = f(&slot.borrow().game, args)?;
            listed(lua, list)
        })
    }

    /// A function of the number of a thing that never changes; answered in Luau.
    fn fixed(&self, what: &str, values: impl ExactSizeIterator<Item = Value>) -> Result<Function> {
        let count = values.len();
        let list = self.lua.create_table_with_capacity(count, 1)?;
        for (of, value) in values.enumerate() {
            list.raw_set(of, value)?;
        }
        self.fixed.call((list, count, what))
    }

    /// Names, for [`Api::fixed`].
    fn texts<'t>(&self, texts: impl Iterator<Item = &'t String>) -> Result<std::vec::IntoIter<Value>> {
        let list: Vec<Value> = texts.map(|t| self.lua.create_string(t).map(Value::String)).collect::<Result<_>>()?;
        Ok(list.into_iter())
    }

    /// A function that reads the game, given things of these kinds.
    fn asking<R>(&self, kinds: &[Kind], f: impl Fn(&Game, [i32; 8]) -> Result<R> + 'static) -> Result<Function>
    where
        R: IntoLuaMulti,
    {
        let slot = self.slot.clone();
        self.given(kinds, move |_, given| f(&slot.borrow().game, given))
    }

    /// A function given things of these kinds, at most five; what is not given is -1.
    fn given<R>(&self, kinds: &[Kind], f: impl Fn(&Lua, [i32; 8]) -> Result<R> + 'static) -> Result<Function>
    where
        R: IntoLuaMulti,
    {
        let kinds = kinds.to_vec();
        if kinds.iter().any(|k| matches!(k, Kind::Flag | Kind::Int)) {
            type Args = (Value, Value, Value, Value, Value);
            return self.lua.create_function(move |lua, args: Args| {
                let args = [args.0, args.1, args.2, args.3, args.4];
                if args[kinds.len()..].iter().any(|of| !of.is_nil()) {
                    return Err(too_many(kinds.len()));
                }
                let mut given = [-1; 8];
                for ((slot, kind), value) in given.iter_mut().zip(&kinds).zip(&args) {
                    *slot = from_lua(*kind, value)?;
                }
                f(lua, given)
            });
        }
        // Everything else is a number or nil, which mlua reads several times faster than values of any kind; and it
        // reads no more of them than it is asked for.
        macro_rules! given {
            ($($thing:ident)*) => {
                self.lua.create_function(move |lua, args: ($(given!(@ $thing),)* Value,)| {
                    let ($($thing,)* more,) = args;
                    if !more.is_nil() {
                        return Err(too_many(kinds.len()));
                    }
                    let things: &[Option<i32>] = &[$($thing),*];
                    let mut given = [-1; 8];
                    given.iter_mut().zip(things).for_each(|(slot, thing)| *slot = thing.unwrap_or(-1));
                    f(lua, given)
                })
            };
            (@ $thing:ident) => { Option<i32> };
        }
        match kinds.len() {
            0 => given!(),
            1 => given!(a),
            2 => given!(a b),
            3 => given!(a b c),
            4 => given!(a b c d),
            _ => given!(a b c d e),
        }
    }

    fn table(&self) -> Result<Table> {
        self.lua.create_table()
    }

    fn global(&self, name: &str, value: impl IntoLua) -> Result<()> {
        self.lua.globals().raw_set(name, value)
    }
}

fn too_many(wanted: usize) -> Error {
    Error::runtime(format!("{wanted} things are wanted, and more are given"))
}

fn three(given: [i32; 8]) -> [i32; 3] {
    [given[0], given[1], given[2]]
}

/// A list for a rule. The memory limit is lifted while the engine builds it: with it, building is many times
/// slower, and the engine's own lists are bounded.
fn listed(lua: &Lua, list: Vec<i32>) -> Result<Table> {
    let limit = lua.set_memory_limit(0)?;
    let table = lua.create_sequence_from(list);
    lua.set_memory_limit(limit)?;
    table
}

/// Citations reach the engine as numbers: the linker puts them in place of their texts.
fn cite_of(cite: Option<u16>) -> Cite {
    cite.map_or(Cite::NONE, Cite)
}

//! The names that rules see. Every function is a plain closure over the slot: a property read costs about
//! thirty nanoseconds. The type definitions of all of it stand in `countermarch.d.luau`.

use std::sync::Arc;

use countermarch_core::{
    kept::Kept,
    map::SpaceId,
    play::{Game, Given, Set},
    ruleset::{
        Kind, Ruleset,
        rows::{Read, Rows},
    },
};
use mlua::{
    Error, Function, IntoLua, IntoLuaMulti, Lua, Result, Table, Value,
    chunk::{ChunkMode, Compiler},
};

use crate::{
    convert::{count, from_lua, known, within},
    limits,
    runtime::{Shared, Slot},
    sets::Sets,
    trace::{self, AtWork},
    waits::{self, Written},
};

mod effects;
mod facts;
mod offers;
mod pairs;
mod told;

/// More spaces than any map is wide.
const MOST_RETREATED: u16 = 1000;

/// What the engine keeps of the names that rules see.
pub struct Hooks {
    /// To be called with whether anybody listens whenever that changes; at first nobody does.
    pub listen: Function,
    /// To be given the list of rules; makes what carries them out, to be begun with the number of one, counted from 1, and
    /// its particulars, and to be resumed so when that has ended.
    pub carrier: Function,
    /// What the rule at work waits for, as [`waits::step`](crate::waits::step) reads it.
    pub written: Written,
    /// Compiles rules, which have not all of Luau's functions.
    pub compiler: Compiler,
}

/// The name of the engine's own Luau in messages.
pub const ENGINE: &str = "=engine";

/// What rules keep of Luau's own libraries: nothing that tells of the machine, and nothing that takes long over texts. What
/// takes long over lists, the prelude counts. `bit32` stays whole.
pub const KEPT: [(&str, &[&str]); 5] = [
    ("", &["assert", "bit32", "error", "ipairs", "math", "string", "table", "tonumber", "tostring", "type"]),
    ("bit32", &BIT32),
    ("math", &["abs", "ceil", "clamp", "floor", "huge", "max", "min", "round", "sign"]),
    ("string", &["format", "len", "lower", "sub", "upper"]),
    ("table", &["clear", "clone", "concat", "create", "find", "freeze", "insert", "remove", "sort", "unpack"]),
];
const BIT32: [&str; 15] = [
    "arshift", "band", "bnot", "bor", "btest", "bxor", "byteswap", "countlz", "countrz", "extract", "lrotate",
    "lshift", "replace", "rrotate", "rshift",
];
/// Names that the engine puts another function behind, and libraries that are not even loaded.
const NOT_LUAUS: [&str; 10] =
    ["assert", "error", "tonumber", "tostring", "buffer", "debug", "integer", "os", "utf8", "vector"];

/// Takes away what rules do not keep of Luau's libraries. A call of Luau's own functions is compiled into an instruction
/// that never looks a name up; so the compiler is told too that these are none of Luau's.
fn take_away(lua: &Lua) -> Result<Compiler> {
    let mut compiler = Compiler::new();
    for (library, kept) in KEPT {
        let globals = lua.globals();
        let table: Table = if library.is_empty() { globals } else { globals.raw_get(library)? };
        let mut gone = Vec::new();
        table.for_each(|name: String, _: Value| {
            gone.extend(Some(name).filter(|name| !kept.contains(&name.as_str())));
            Ok(())
        })?;
        gone.sort();
        for name in gone {
            table.raw_set(&*name, Value::Nil)?;
            compiler = match library {
                // Luau looks for `table.unpack` under this name too, and a mutable one is none that can be disabled.
                "" if name == "unpack" => compiler,
                "" => compiler.add_mutable_global(name),
                _ => compiler.add_disabled_builtin(format!("{library}.{name}")),
            };
        }
    }
    // The engine's own in its place counts what is handed over.
    compiler = compiler.add_disabled_builtin("table.unpack");
    Ok(NOT_LUAUS.into_iter().fold(compiler, Compiler::add_mutable_global))
}

/// Puts every name into the globals; with `watching`, functions that ask printed lists say so.
pub fn install(lua: &Lua, slot: &Shared, ruleset: &Arc<Ruleset>, watching: Option<&AtWork>) -> Result<Hooks> {
    let (fixed, same, grid, called, clamp) = own(lua, &ruleset.kept(), include_str!("constants.luau"))?.call(())?;
    let globals = lua.globals();
    let engine = lua.create_table()?;
    for (name, library, function) in [("yield", "coroutine", "yield"), ("pack", "table", "pack")] {
        engine.raw_set(name, globals.raw_get::<Table>(library)?.raw_get::<Function>(function)?)?;
    }
    // A table of offers may name a verb in two ways.
    let asking = lua.create_buffer(vec![0; waits::HEAD + waits::OFFER * 2 * ruleset.verbs.len()])?;
    let rolling = lua.create_table_with_capacity(4, 0)?;
    engine.raw_set("asking", &asking)?;
    engine.raw_set("rolling", &rolling)?;
    for (name, number) in [
        ("done", waits::DONE),
        ("ended", waits::ENDED),
        ("over", waits::OVER),
        ("rolls", waits::ROLLS),
        ("staying", Sets::STAYING),
    ] {
        engine.raw_set(name, number)?;
    }
    let charge = lua.create_function(|_, calls: i64| {
        limits::charge(calls);
        Ok(())
    })?;
    engine.raw_set("charge", charge)?;
    let api = Api { lua, slot, ruleset, engine, fixed, same, grid, called, clamp };
    let prelude = own(lua, &ruleset.kept(), include_str!("prelude.luau"))?;
    let buffers: Table = globals.raw_get("buffer")?;
    let compiler = take_away(lua)?;
    api.properties()?;
    api.names()?;
    let close = watching.filter(|seen| seen.is_close);
    api.rows(close)?;
    api.offers()?;
    api.places()?;
    api.directions()?;
    api.changes(close)?;
    api.told()?;
    if let Some(seen) = watching {
        trace::watch_lists(lua, ruleset, seen)?;
    }
    api.pairs(watching)?;
    // The prelude writes into buffers by their own name, which Luau carries out without a call; rules do not see them.
    globals.raw_set("buffer", buffers)?;
    let (listen, carrier) = prelude.call(api.engine)?;
    globals.raw_set("buffer", Value::Nil)?;
    globals.for_each(|_: Value, value: Value| {
        freeze(&value);
        Ok(())
    })?;
    Ok(Hooks { listen, carrier, written: Written { asking, rolling }, compiler })
}

/// Loads a file of the engine's own.
fn own(lua: &Lua, kept: &Kept, text: &str) -> Result<Function> {
    struct Own(Vec<u8>);
    let code = kept.try_of(text, || Compiler::new().compile(text).map(Own))?;
    lua.load(code.0.as_slice()).set_mode(ChunkMode::Binary).set_name(ENGINE).into_function()
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
    /// What the prelude alone sees.
    engine: Table,
    /// Makers of functions, from `constants.luau`.
    fixed: Function,
    same: Function,
    grid: Function,
    called: Function,
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

    /// A function that changes the game, which no bot may.
    fn changing<A, R>(&self, f: impl Fn(&Lua, &mut Game, A) -> Result<R> + 'static) -> Result<Function>
    where
        A: mlua::FromLuaMulti,
        R: IntoLuaMulti,
    {
        let slot = self.slot.clone();
        self.lua.create_function(move |lua, args: A| f(lua, slot.borrow_mut().changed_game()?, args))
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
            slot.sets.keep(set)
        })
    }

    /// A function that makes a lazy set of things of these kinds. What it is given lasts as long as the set; the set of
    /// nothing is made here, once.
    fn keeping(&self, kinds: &[Kind], f: impl Fn([i32; 8]) -> Set + 'static) -> Result<Function> {
        if kinds.is_empty() {
            return self.same.call(self.slot.borrow_mut().sets.stay(f([-1; 8]), None));
        }
        let slot = self.slot.clone();
        self.handed(kinds, true, move |_, given| slot.borrow_mut().sets.keep(f(given)))
    }

    /// A function that makes a list for a rule.
    fn listing<A>(&self, f: impl Fn(&Game, A) -> Result<Vec<i32>> + 'static) -> Result<Function>
    where
        A: mlua::FromLuaMulti,
    {
        let slot = self.slot.clone();
        self.lua.create_function(move |_, args: A| f(&slot.borrow().game, args).map(Listed))
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

    /// A function that reads the game, given things of these kinds.
    fn asking<R>(&self, kinds: &[Kind], f: impl Fn(&Game, [i32; 8]) -> Result<R> + 'static) -> Result<Function>
    where
        R: IntoLuaMulti,
    {
        let slot = self.slot.clone();
        self.given(kinds, move |_, given| f(&slot.borrow().game, given))
    }

    /// A function given things of these kinds, at most five; what is not given is -1. The groups it is given are
    /// forgotten when it is answered.
    fn given<R>(&self, kinds: &[Kind], f: impl Fn(&Lua, [i32; 8]) -> Result<R> + 'static) -> Result<Function>
    where
        R: IntoLuaMulti,
    {
        self.handed(kinds, false, f)
    }

    /// The same; if `lasting`, the groups it is given last as long as the task.
    fn handed<R>(
        &self,
        kinds: &[Kind],
        lasting: bool,
        f: impl Fn(&Lua, [i32; 8]) -> Result<R> + 'static,
    ) -> Result<Function>
    where
        R: IntoLuaMulti,
    {
        let counts: Vec<u64> = kinds.iter().map(|kind| count(self.ruleset, *kind)).collect();
        let kinds = kinds.to_vec();
        if kinds.iter().any(|k| matches!(k, Kind::Flag | Kind::Int) || k.of_each().is_some()) {
            let shared = self.slot.clone();
            type Args = (Value, Value, Value, Value, Value);
            return self.lua.create_function(move |lua, args: Args| {
                let args = [args.0, args.1, args.2, args.3, args.4];
                if args[kinds.len()..].iter().any(|of| !of.is_nil()) {
                    return Err(too_many(kinds.len()));
                }
                let mut given = [-1; 8];
                let mark = shared.borrow().game.groups.mark();
                for (((slot, kind), count), value) in given.iter_mut().zip(&kinds).zip(&counts).zip(&args) {
                    if let Some(member) = kind.of_each() {
                        *slot = group(&shared.borrow(), member, value)?;
                        continue;
                    }
                    *slot = from_lua(*kind, value)?;
                    if !value.is_nil() {
                        within(*count, kind.words(), *slot)?;
                    }
                }
                let answer = f(lua, given);
                if !lasting {
                    shared.borrow().game.groups.back_to(mark);
                }
                answer
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
                    for (at, thing) in things.iter().enumerate() {
                        if let Some(thing) = thing {
                            given[at] = within(counts[at], kinds[at].words(), *thing)?;
                        }
                    }
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

/// The handle of a group of what a rule gives: a list, or a set that it might offer.
fn group(slot: &Slot, member: Kind, given: &Value) -> Result<i32> {
    let game = &slot.game;
    let mut members = match given {
        Value::Table(list) => list.sequence_values().collect::<Result<Vec<i32>>>()?,
        Value::Integer(_) | Value::Number(_) => {
            let set = slot.sets.get(from_lua(Kind::Int, given)?)?;
            waits::holds(&game.ruleset, set, member)?;
            game.values(set)
        }
        other => {
            let (wanted, given) = (member.words(), other.type_name());
            return Err(Error::runtime(format!("a list or a set is wanted, each of which is {wanted}, not {given}")));
        }
    };
    members.iter().try_for_each(|one| known(&game.ruleset, member, *one).map(drop))?;
    members.sort_unstable();
    members.dedup();
    if game.groups.mark() >= Sets::MOST || game.groups.size() + members.len() > Sets::MOST_LISTED {
        return Err(Error::runtime("the task gives more groups than can be kept: make fewer in a loop"));
    }
    Ok(game.groups.keep(members))
}

fn too_many(wanted: usize) -> Error {
    Error::runtime(format!("{wanted} things are wanted, and more are given"))
}

/// The guards of a ruleset, each with its place among all lists of rows.
fn guards(ruleset: &Ruleset) -> impl Iterator<Item = (u16, &Rows)> {
    let all = ruleset.rows.iter().enumerate();
    all.filter(|(_, rows)| rows.read == Read::May).map(|(at, rows)| (at as u16, rows))
}

fn no_allowance(mover: &str) -> Error {
    Error::runtime(format!("mover `{mover}` declares no `allowance:`, so it must be given"))
}

/// As many of what a function is given as ever are.
fn first(given: [i32; 8]) -> Given {
    std::array::from_fn(|at| given[at])
}

/// A list for a rule. The memory limit is lifted while the engine builds it: with it, building is many times
/// slower, and each of the engine's own lists is bounded. Together they may come to more than the limit, so no further
/// one is built once they have.
#[derive(Default)]
struct Listed(Vec<i32>);

impl IntoLua for Listed {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        let limit = lua.set_memory_limit(0)?;
        let table = if limit > 0 && lua.used_memory() > limit {
            Err(Error::MemoryError("not enough memory".into()))
        } else {
            lua.create_sequence_from(self.0)
        };
        lua.set_memory_limit(limit)?;
        table.map(Value::Table)
    }
}

fn known_unit(game: &Game, unit: i32) -> Result<i32> {
    known(&game.ruleset, Kind::Unit, unit)
}

fn known_space(game: &Game, space: i32) -> Result<SpaceId> {
    known(&game.ruleset, Kind::Space, space).map(|space| SpaceId(space as u32))
}

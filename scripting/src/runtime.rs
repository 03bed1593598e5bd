//! Carries out rules: one Luau state, one thread used again for every task, and the game in a slot that the
//! engine's functions reach.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc, sync::Arc, time::Duration};

use countermarch_core::{
    play::{About, Action, Dice, Game, Offer, Question, Roll, RuleError, Rules, Step, Task},
    ruleset::{Cite, Kind, Ruleset},
};
use mlua::{Buffer, Error, Function, Lua, LuaOptions, LuaString, StdLib, Table, Thread, Value, chunk::Compiler};

use crate::{
    api::{self, Hooks},
    convert, limits, link,
    sets::Sets,
    trace::AtWork,
};

/// What the engine's functions reach while a rule runs.
pub struct Slot {
    /// The game, swapped in for the time of one answer.
    pub game: Game,
    /// Sets the task has made.
    pub sets: Sets,
}

/// Shared by all functions that rules call.
pub type Shared = Rc<RefCell<Slot>>;

/// What one answer may use up.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Loop turns and calls.
    pub fuel: i64,
    /// Bytes of the whole Luau state.
    pub memory: usize,
    /// Time on the clock; only the last resort, because it is not the same on every machine.
    pub wall: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { fuel: 20_000_000, memory: 64 << 20, wall: Duration::from_secs(10) }
    }
}

/// Rules of one ruleset, ready to be carried out.
pub struct Runtime {
    lua: Lua,
    slot: Shared,
    thread: Thread,
    functions: Vec<Function>,
    verbs: Vec<LuaString>,
    budget: Budget,
    ruleset: Arc<Ruleset>,
    rule: usize,
    /// To be called when [`Runtime::heard`] changes.
    listen: Function,
    /// Whether the rules know that somebody listens.
    heard: bool,
    offered: Buffer,
    bot: Option<Table>,
    watching: Option<AtWork>,
}

impl Runtime {
    /// Loads and links the rules. The errors are those of the rules' own texts.
    pub fn new(ruleset: Arc<Ruleset>, budget: Budget) -> Result<Runtime, Vec<RuleError>> {
        Runtime::load(ruleset, budget, None)
    }

    /// The same, and keeps track of what is put to work, for [`Rules::at_work`]: slower, for examples.
    pub fn watching(ruleset: Arc<Ruleset>, budget: Budget) -> Result<Runtime, Vec<RuleError>> {
        Runtime::load(ruleset, budget, Some(AtWork::default()))
    }

    fn load(ruleset: Arc<Ruleset>, budget: Budget, watching: Option<AtWork>) -> Result<Runtime, Vec<RuleError>> {
        let internal = |wrong: Error| vec![failure(&ruleset, None, &wrong)];
        let text = StdLib::STRING | StdLib::BIT | StdLib::BUFFER;
        let libraries = StdLib::TABLE | StdLib::MATH | StdLib::COROUTINE | text;
        let options = LuaOptions::new().catch_rust_panics(false);
        let lua = Lua::new_with(libraries, options).map_err(internal)?;
        let slot = Rc::new(RefCell::new(Slot { game: Game::new(ruleset.clone(), 0), sets: Sets::default() }));
        limits::install(&lua).map_err(internal)?;
        limits::refuel(budget.fuel);
        let Hooks { listen, offered } = api::install(&lua, &slot, &ruleset, watching.as_ref()).map_err(internal)?;
        // Frozen before the rules are loaded, so that Luau can bind `unit.fatigue` and the like once, at load.
        let modules = link::modules(&lua, &ruleset).map_err(internal)?;
        lua.sandbox(true).map_err(internal)?;
        // The modules are still empty: what rules call in them cannot be bound at load, and Luau must look it up.
        let names = ruleset.sources.iter().map(|(path, _)| link::module_of(path));
        lua.set_compiler(Compiler::new().set_mutable_globals(names.clone()));
        // The sandbox puts a private table over the globals, the first place where Luau looks; frozen too, it lets
        // no rule write a global.
        for (name, module) in names.zip(&modules) {
            lua.globals().raw_set(name, module).map_err(internal)?;
        }
        lua.globals().set_readonly(true);
        let linked = link::link(&lua, &ruleset, &modules, watching.as_ref())?;
        lua.set_memory_limit(budget.memory).map_err(internal)?;
        let nothing = lua.load("return").into_function().map_err(internal)?;
        let thread = lua.create_thread(nothing).map_err(internal)?;
        let verbs = ruleset.verbs.iter().map(|v| lua.create_string(&v.id)).collect::<Result<_, _>>();
        let verbs = verbs.map_err(internal)?;
        let (functions, bot) = (linked.rules, linked.bot);
        Ok(Runtime {
            lua,
            slot,
            thread,
            functions,
            verbs,
            budget,
            ruleset,
            rule: 0,
            listen,
            heard: false,
            offered,
            bot,
            watching,
        })
    }

    fn resume(&mut self, game: &mut Game, args: impl mlua::IntoLuaMulti) -> Result<Step, RuleError> {
        limits::refuel(self.budget.fuel);
        limits::begin(self.budget.wall);
        std::mem::swap(&mut self.slot.borrow_mut().game, game);
        let resumed = self.thread.resume::<Waits>(args);
        std::mem::swap(&mut self.slot.borrow_mut().game, game);
        limits::finish();
        let step = resumed.and_then(|values| {
            if self.thread.is_resumable() { self.asked(values) } else { Ok(Step::Done(is_true(&values.0))) }
        });
        step.map_err(|wrong| {
            // Luau does not collect when it runs into the limit; without this it would stay there.
            if let Err(Error::MemoryError(_)) = self.lua.gc_collect() {
                limits::refuel(self.budget.fuel);
            }
            failure(&self.ruleset, Some(self.rule), &wrong)
        })
    }

    fn asked(&self, (tag, what, about, more, size): Waits) -> mlua::Result<Step> {
        let about = about.unwrap_or(-1);
        match (tag, what, more) {
            (Value::Integer(1), Value::Integer(question), by) => {
                self.question(question as u16 - 1, &by, about, size.unwrap_or(0)).map(Step::Ask)
            }
            (Value::Integer(2 | 3), Value::String(purpose), dice) => {
                let dice = match dice {
                    Value::Integer(faces) => Dice::Die(faces as i32),
                    Value::Table(list) if list.raw_len() > 0 => {
                        Dice::One(list.sequence_values::<i32>().collect::<Result<_, _>>()?)
                    }
                    _ => return Err(Error::runtime("chance needs faces, or a list to pick from")),
                };
                let purpose = purpose.to_str()?;
                if !self.ruleset.chances.iter().any(|c| *c.purpose == *purpose) {
                    let purpose = purpose.escape_debug();
                    return Err(Error::runtime(format!(
                        "chance has no purpose `{purpose}`: declare it under `chance:`"
                    )));
                }
                Ok(Step::Roll(Roll { purpose: purpose.as_ref().into(), about, dice }))
            }
            (Value::Integer(2 | 3), ..) => Err(Error::runtime("a roll needs its purpose")),
            (Value::Integer(_), ..) => Ok(Step::Done(true)),
            _ => Err(Error::runtime("a rule may only wait by asking")),
        }
    }

    /// `size`: how many bytes of what is offered were written.
    fn question(&self, at: u16, by: &Value, about: i32, size: usize) -> mlua::Result<Question> {
        let declared = &self.ruleset.questions[at as usize];
        let key = &declared.key;
        let by = convert::from_lua(Kind::Side, by)?;
        if by < 0 {
            return Err(Error::runtime(format!("question `{key}` is asked of nobody")));
        }
        let about = match declared.about {
            _ if about < 0 => About::Nothing,
            Some(Kind::Unit) => About::Unit(about),
            Some(Kind::Space) => About::Space(about),
            Some(Kind::Card) => About::Card(about),
            Some(Kind::Side) => About::Side(about),
            _ => return Err(Error::runtime(format!("question `{key}` is not declared to be about something"))),
        };
        let slot = self.slot.borrow();
        let mut offers = Vec::with_capacity(size / 8);
        for at in (0..size).step_by(8) {
            let [v0, v1, v2, v3, s0, s1, s2, s3] = self.offered.read_bytes(at);
            let (verb, set) = (i32::from_le_bytes([v0, v1, v2, v3]), i32::from_le_bytes([s0, s1, s2, s3]));
            offers.push(Offer { verb: verb as u16 - 1, set: slot.sets.offered(set)? });
        }
        // A table has no order of its own; the declared order of verbs is the order of offers.
        offers.sort_by_key(|o| o.verb);
        Ok(Question { key: at, by, about, offers })
    }

    /// Asks the ruleset's bot how good an answer is; `None` where it has no opinion or there is no bot.
    pub fn opinion(&mut self, game: &mut Game, question: &Question, action: Action) -> Result<Option<i64>, RuleError> {
        let key = convert::lua_name(&self.ruleset.questions[question.key as usize].key.replace('.', "_"));
        let Some(Value::Function(function)) = self.bot.as_ref().and_then(|bot| bot.raw_get(key).ok()) else {
            return Ok(None);
        };
        let about = match question.about {
            About::Nothing => Value::Nil,
            About::Unit(n) | About::Space(n) | About::Card(n) | About::Side(n) => Value::Integer(n.into()),
        };
        let verb = self.verbs[action.verb as usize].clone();
        let kind = self.ruleset.verbs[action.verb as usize].takes.unwrap_or(Kind::Unit);
        let value = convert::to_lua(kind, action.value);
        limits::refuel(self.budget.fuel);
        limits::begin(self.budget.wall);
        std::mem::swap(&mut self.slot.borrow_mut().game, game);
        let called = function.call::<Option<i64>>((verb, value, about, question.by));
        std::mem::swap(&mut self.slot.borrow_mut().game, game);
        limits::finish();
        called.map_err(|wrong| failure(&self.ruleset, None, &wrong))
    }

    /// The state, to look names up in.
    pub(crate) fn lua(&self) -> &Lua {
        &self.lua
    }

    /// Whether the ruleset has a bot.
    pub fn has_bot(&self) -> bool {
        self.bot.is_some()
    }
}

/// What a rule hands over when it waits: the tag of what it waits for; the question, counted from 1, or the purpose;
/// what it is about; who is asked, or the faces, or the list; and how many bytes of offers it has written.
type Waits = (Value, Value, Option<i32>, Value, Option<usize>);

fn is_true(value: &Value) -> bool {
    matches!(value, Value::Boolean(true))
}

impl Rules for Runtime {
    fn begin(&mut self, game: &mut Game, task: &Task) -> Result<Step, RuleError> {
        self.rule = task.rule.0 as usize;
        self.slot.borrow_mut().sets.clear();
        if self.heard != game.telling {
            let told = self.listen.call::<()>(game.telling);
            told.map_err(|wrong| failure(&self.ruleset, Some(self.rule), &wrong))?;
            self.heard = game.telling;
        }
        let function = self.functions[self.rule].clone();
        let reset = self.thread.reset(function);
        reset.map_err(|wrong| failure(&self.ruleset, Some(self.rule), &wrong))?;
        let with = |at: usize| (task.with[at] >= 0).then_some(task.with[at]);
        self.resume(game, (with(0), with(1), with(2), with(3)))
    }

    fn answer(&mut self, game: &mut Game, action: Action) -> Result<Step, RuleError> {
        if action.verb == u16::MAX {
            return self.resume(game, action.value);
        }
        let kind = self.ruleset.verbs[action.verb as usize].takes.unwrap_or(Kind::Unit);
        self.resume(game, (action.verb + 1, convert::to_lua(kind, action.value)))
    }

    fn at_work(&mut self) -> BTreeSet<String> {
        self.watching.as_ref().map(|seen| seen.take()).unwrap_or_default()
    }
}

/// An error of Luau as a failure of a rule, with the file and line it names.
pub fn failure(ruleset: &Ruleset, rule: Option<usize>, wrong: &Error) -> RuleError {
    let text = match wrong {
        Error::CallbackError { cause, traceback } => format!("{}\n{traceback}", root(cause)),
        other => other.to_string(),
    };
    let (name, cite, at) = match rule.and_then(|r| ruleset.rules.get(r)) {
        Some(rule) => (rule.name.clone(), rule.cite, rule.at.clone()),
        None => (String::new(), Cite::NONE, (String::new(), 0)),
    };
    let found = text.match_indices(".luau:").find_map(|(end, _)| {
        let start = text[..end].rfind(|c: char| c.is_whitespace() || c == '"').map_or(0, |s| s + 1);
        let number: String = text[end + 6..].chars().take_while(char::is_ascii_digit).collect();
        Some((text[start..end + 5].to_owned(), number.parse().ok()?))
    });
    let (file, line) = found.unwrap_or(at);
    let mut message = text.lines().next().unwrap_or("").to_owned();
    if let Some((_, rest)) = message.split_once(&format!("{file}:{line}: ")) {
        message = rest.to_owned();
    }
    RuleError { rule: name, message: message.trim_start_matches("runtime error: ").to_owned(), file, line, cite }
}

fn root(wrong: &Error) -> String {
    match wrong {
        Error::CallbackError { cause, .. } => root(cause),
        other => other.to_string(),
    }
}

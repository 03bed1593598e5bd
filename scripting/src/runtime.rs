//! Carries out rules: one Luau state, one thread used again for every task, and the game in a slot that the
//! engine's functions reach.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc, sync::Arc, time::Duration};

use countermarch_core::{
    play::{About, Action, Game, Question, RuleError, Rules, Step, Task},
    ruleset::{Cite, Kind, Ruleset, Verb},
};
use mlua::{
    Error, Function, Lua, LuaOptions, LuaString, StdLib, Table, Thread, Value,
    chunk::Compiler,
    state::{GcIncParams, GcMode},
};

use crate::{
    api::{self, Hooks},
    cites::RuleCites,
    convert,
    limits::{self, Frame, Left},
    link::{self, Linked},
    sets::Sets,
    trace::{AtWork, Printed},
    waits::{self, Waits, Written},
};

/// What the engine's functions reach while a rule runs.
pub struct Slot {
    /// The game, swapped in for the time of one answer.
    pub game: Box<Game>,
    /// Sets the task has made.
    pub sets: Sets,
    /// Whether a player is asked, who looks on.
    is_looked_on: bool,
    /// Bytes of what rules have told since a side answered.
    told: usize,
    /// What rules have printed.
    pub printed: Printed,
}

impl Slot {
    /// More than anybody reads: it lies outside Luau's memory.
    const MOST_TOLD: usize = 4 << 20;

    /// The game, for a rule that changes it.
    pub fn changed_game(&mut self) -> mlua::Result<&mut Game> {
        if self.is_looked_on {
            return Err(Error::runtime("a player looks on: it changes nothing and tells nothing"));
        }
        Ok(&mut self.game)
    }

    /// Counts what a rule tells in its own words.
    pub fn tell(&mut self, bytes: usize) -> mlua::Result<()> {
        self.told += bytes;
        if self.told > Slot::MOST_TOLD {
            return Err(Error::runtime("more is told than anybody can read"));
        }
        Ok(())
    }
}

/// Shared by all functions that rules call.
pub type Shared = Rc<RefCell<Slot>>;

/// What rules may use up from one answer of a side to the next.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Loop turns and calls.
    pub fuel: i64,
    /// Bytes that it may make, and as many that may be left of what was made before.
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
    /// What the thread does: it carries out one rule after another.
    carrier: Function,
    /// Whether a rule stands on the thread that has not ended.
    is_amid: bool,
    /// What is begun once the question before it is answered.
    awaiting: Option<Task>,
    verbs: Vec<LuaString>,
    budget: Budget,
    left: Left,
    /// Bytes that the whole Luau state may take when a rule is begun or goes on.
    memory: usize,
    ruleset: Arc<Ruleset>,
    rule: usize,
    /// To be called when [`Runtime::heard`] changes.
    listen: Function,
    /// Whether the rules know that somebody listens.
    heard: bool,
    written: Written,
    players: Vec<Option<Table>>,
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

    /// The same, and looks closely: of lists that are asked, which rows hold; of tables, which cells are looked up.
    pub fn watching_closely(ruleset: Arc<Ruleset>, budget: Budget) -> Result<Runtime, Vec<RuleError>> {
        Runtime::load(ruleset, budget, Some(AtWork::close()))
    }

    fn load(ruleset: Arc<Ruleset>, budget: Budget, watching: Option<AtWork>) -> Result<Runtime, Vec<RuleError>> {
        let internal = |wrong: Error| vec![failure(&ruleset, Whose::File("the engine"), &wrong)];
        let text = StdLib::STRING | StdLib::BIT | StdLib::BUFFER;
        let libraries = StdLib::TABLE | StdLib::MATH | StdLib::COROUTINE | text;
        let options = LuaOptions::new().catch_rust_panics(false);
        let lua = Lua::new_with(libraries, options).map_err(internal)?;
        let game = Box::new(Game::new(ruleset.clone(), 0));
        let slot = Rc::new(RefCell::new(Slot {
            game,
            sets: Sets::default(),
            is_looked_on: false,
            told: 0,
            printed: Printed::default(),
        }));
        lua.set_app_data(RuleCites::read(&ruleset));
        limits::install(&lua).map_err(internal)?;
        let hooks = api::install(&lua, &slot, &ruleset, watching.as_ref()).map_err(internal)?;
        let Hooks { listen, carrier, written, mut compiler } = hooks;
        // Frozen before the rules are loaded, so that Luau can bind `unit.fatigue` and the like once, at load.
        let modules = link::modules(&lua, &ruleset)?;
        lua.sandbox(true).map_err(internal)?;
        // The modules are still empty: what rules call in them cannot be bound at load, and Luau must look it up.
        compiler = modules.keys().fold(compiler, Compiler::add_mutable_global);
        // The sandbox puts a private table over the globals, the first place where Luau looks; frozen too, it lets
        // no rule write a global.
        for (name, module) in &modules {
            lua.globals().raw_set(&**name, module).map_err(internal)?;
        }
        lua.globals().set_readonly(true);
        // What the engine itself needs, more on a large map, is no rule's. Luau's limit is for what is far too large at once:
        // what is left from before, and what is made since, stay below it.
        let memory = lua.used_memory().saturating_add(budget.memory);
        lua.set_memory_limit(memory.saturating_add(budget.memory)).map_err(internal)?;
        let linked = link::link(&lua, &ruleset, &compiler, &modules, watching.as_ref())?;
        // Most of what there is stays: the rules, and what is printed. It is looked through half as often as Luau would.
        lua.gc_set_mode(GcMode::Incremental(GcIncParams::default().goal(400)));
        let Linked { rules, players } = linked;
        let rules = lua.create_sequence_from(rules).map_err(internal)?;
        let carrier: Function = carrier.call(rules).map_err(internal)?;
        let thread = lua.create_thread(carrier.clone()).map_err(internal)?;
        let verbs = ruleset.verbs.iter().map(|v| lua.create_string(&v.id)).collect::<Result<_, _>>();
        let verbs = verbs.map_err(internal)?;
        Ok(Runtime {
            lua,
            slot,
            thread,
            carrier,
            is_amid: false,
            awaiting: None,
            verbs,
            budget,
            left: budget.into(),
            memory,
            ruleset,
            rule: 0,
            listen,
            heard: false,
            written,
            players,
            watching,
        })
    }

    /// The functions in the rule files of players, in the order of their names: the number of the player, the name.
    pub(crate) fn functions_of_players(&self) -> Vec<(usize, String)> {
        let mut all = BTreeSet::new();
        for (at, table) in self.players.iter().enumerate() {
            let entries = table.iter().flat_map(|table| table.pairs::<String, Value>().filter_map(Result::ok));
            all.extend(entries.filter(|(_, value)| value.is_function()).map(|(name, _)| (at, name)));
        }
        all.into_iter().collect()
    }

    /// Forgets the sets and groups made so far, as every task does when it begins.
    pub(crate) fn forget_sets(&mut self, game: &Game) {
        self.slot.borrow_mut().sets.clear();
        game.groups.back_to(0);
    }

    /// Lets Luau work on a game, with what is left of the budget.
    pub(crate) fn with<T>(
        &mut self,
        game: &mut Box<Game>,
        work: impl FnOnce(&mut Runtime) -> mlua::Result<T>,
    ) -> mlua::Result<T> {
        limits::begin(self.left);
        std::mem::swap(&mut self.slot.borrow_mut().game, game);
        let done = work(self);
        std::mem::swap(&mut self.slot.borrow_mut().game, game);
        self.left = limits::finish();
        done
    }

    /// Collects what nobody needs any more, where there is so much of it that what a rule may make would not fit: Luau
    /// itself collects when it likes.
    fn make_room(&self) -> mlua::Result<()> {
        if self.lua.used_memory() <= self.memory {
            return Ok(());
        }
        self.collect(None)?;
        if self.lua.used_memory() <= self.memory { Ok(()) } else { Err(Error::MemoryError("not enough memory".into())) }
    }

    /// Collects, once a task that has failed is forgotten.
    fn collect(&self, failed: Option<&Thread>) -> mlua::Result<()> {
        let limit = self.lua.set_memory_limit(0)?;
        let forgotten = failed.map_or(Ok(()), |thread| thread.reset(self.listen.clone()));
        let collected = forgotten.and_then(|()| self.lua.gc_collect());
        self.lua.set_memory_limit(limit)?;
        collected
    }

    /// Goes on with the rule that waits, or begins one.
    fn resume(&mut self, game: &mut Box<Game>, args: impl mlua::IntoLuaMulti) -> Result<Step, RuleError> {
        self.is_amid = true;
        let resumed = self.with(game, |this| {
            this.make_room()?;
            let waits = this.thread.resume::<Waits>(args)?;
            this.is_amid = !matches!(waits.0, waits::DONE | waits::ENDED);
            waits::step(&this.slot.borrow(), &this.written, this.watching.as_ref(), waits)
        });
        resumed.map_err(|wrong| self.given_up(wrong))
    }

    /// Begins the rule of a task, which is given the answer to the question before it, and its particulars.
    fn start(&mut self, game: &mut Box<Game>, task: &Task, answer: Option<Action>) -> Result<Step, RuleError> {
        if self.heard != game.telling {
            self.listen.call::<()>(game.telling).map_err(|wrong| self.failed(&wrong))?;
            self.heard = game.telling;
        }
        if self.is_amid {
            self.thread.reset(self.carrier.clone()).map_err(|wrong| self.given_up(wrong))?;
        }
        let [first, second, third, fourth] = task.with.map(|thing| (thing >= 0).then_some(thing));
        let rule = self.rule + 1;
        match answer {
            None if self.ruleset.rules[self.rule].asks.is_empty() => {
                self.resume(game, (rule, first, second, third, fourth))
            }
            // Its particulars stand where they do when it is given an answer.
            None => self.resume(game, (rule, Value::Nil, Value::Nil, Value::Nil, first, second, third, fourth)),
            Some(answer) => {
                let verb = &self.verbs[answer.verb as usize];
                let [taken, also] = self.taken(answer);
                self.resume(game, (rule, verb.clone(), taken, also, first, second, third, fourth))
            }
        }
    }

    /// Forgets the rule that has failed.
    fn given_up(&self, wrong: Error) -> RuleError {
        let collected = self.collect(Some(&self.thread));
        self.failed(&collected.err().unwrap_or(wrong))
    }

    fn failed(&self, wrong: &Error) -> RuleError {
        failure(&self.ruleset, Whose::Rule(self.rule), wrong)
    }

    /// What an answer takes, as rules see it. No verb takes a flag.
    fn taken(&self, action: Action) -> [Option<i32>; Verb::MOST_TAKEN] {
        let takes = &self.ruleset.verbs[action.verb as usize].takes;
        let [first, second] = action.values;
        let taken =
            |at: usize, value| takes.get(at).and_then(|kind| (*kind == Kind::Int || value >= 0).then_some(value));
        [taken(0, first), taken(1, second)]
    }

    /// The state, to look names up in.
    #[cfg(test)]
    pub(crate) fn lua(&self) -> &Lua {
        &self.lua
    }
}

impl Rules for Runtime {
    fn renew(&mut self) {
        self.left = self.budget.into();
        self.slot.borrow_mut().told = 0;
    }

    fn begin(&mut self, game: &mut Box<Game>, task: &Task) -> Result<Step, RuleError> {
        self.rule = task.rule.0 as usize;
        self.forget_sets(game);
        self.awaiting = None;
        if let Some(question) = game.question_before(task.rule) {
            self.awaiting = Some(*task);
            let seen = self.watching.as_ref();
            waits::see_own(&self.ruleset, question.key, &question.offers, seen);
            seen.inspect(|seen| seen.add(&format!("rules/{}", self.ruleset.rules[self.rule].name)));
            return Ok(Step::Ask(question));
        }
        self.start(game, task, None)
    }

    fn answer(&mut self, game: &mut Box<Game>, action: Action) -> Result<Step, RuleError> {
        if let Some(task) = self.awaiting.take() {
            return self.start(game, &task, Some(action));
        }
        if action.is_rolled() {
            return self.resume(game, action.values[0]);
        }
        let [first, second] = self.taken(action);
        self.resume(game, (action.verb + 1, first, second))
    }

    fn opinion(
        &mut self,
        player: usize,
        game: &mut Box<Game>,
        question: &Question,
        action: Action,
    ) -> Result<Option<i64>, RuleError> {
        let key = link::question_name(&self.ruleset.questions[question.key as usize].key);
        let functions = self.players.get(player).and_then(Option::as_ref);
        let Some(Value::Function(function)) = functions.and_then(|functions| functions.raw_get(&*key).ok()) else {
            return Ok(None);
        };
        let about = match question.about {
            About::Nothing => Value::Nil,
            About::Thing(kind, thing) => convert::to_lua(kind, thing),
        };
        let verb = self.verbs[action.verb as usize].clone();
        let [first, second] = self.taken(action);
        let by = question.by;
        let before = self.slot.borrow().sets.mark();
        let groups = game.groups.mark();
        self.slot.borrow_mut().is_looked_on = true;
        let called = self.with(game, |this| {
            this.make_room()?;
            function.call::<Option<i64>>((verb, first, about, by, second))
        });
        let mut slot = self.slot.borrow_mut();
        slot.is_looked_on = false;
        slot.sets.back_to(before);
        game.groups.back_to(groups);
        called.map_err(|wrong| failure(&self.ruleset, Whose::Player(player, &key), &wrong))
    }

    fn printed(&mut self) -> Vec<String> {
        self.slot.borrow_mut().printed.take()
    }

    fn hush(&mut self, is_hushed: bool) {
        self.slot.borrow_mut().printed.is_hushed = is_hushed;
    }

    fn at_work(&mut self) -> BTreeSet<String> {
        self.watching.as_ref().map(AtWork::take).unwrap_or_default()
    }
}

impl From<Budget> for Left {
    fn from(budget: Budget) -> Left {
        Left { fuel: budget.fuel, room: i64::try_from(budget.memory).unwrap_or(i64::MAX), wall: budget.wall }
    }
}

/// Who failed.
#[derive(Clone, Copy)]
pub enum Whose<'a> {
    /// A rule, by its number.
    Rule(usize),
    /// A rule file, while it was loaded.
    File(&'a str),
    /// A function of a player, by its number.
    Player(usize, &'a str),
}

/// An error of Luau as a failure of a rule, with the file and line it names: the first that is one of the ruleset's own.
pub fn failure(ruleset: &Ruleset, whose: Whose<'_>, wrong: &Error) -> RuleError {
    let text = match wrong {
        Error::CallbackError { cause, traceback } => format!("{}\n{traceback}", root(cause)),
        other => other.to_string(),
    };
    let (name, cite, at) = match whose {
        Whose::Rule(rule) => {
            let rule = &ruleset.rules[rule];
            (rule.name.clone(), rule.cite, rule.at.clone())
        }
        Whose::File(path) => (link::module_of(path).to_owned(), Cite::NONE, (path.to_owned(), 0)),
        Whose::Player(at, function) => {
            let player = &ruleset.judgements[at];
            let path = player.luau.as_ref().map_or("", |(path, _)| path.as_str());
            (format!("players/{}.{function}", player.name), Cite::NONE, (path.to_owned(), 0))
        }
    };
    let found = text.match_indices(".luau:").find_map(|(end, _)| {
        let start = text[..end].rfind(|c: char| c.is_whitespace() || c == '"').map_or(0, |s| s + 1);
        let number: String = text[end + 6..].chars().take_while(char::is_ascii_digit).collect();
        let path = &text[start..end + 5];
        let is_own = ruleset.sources.iter().chain(link::player_files(ruleset)).any(|(own, _)| own == path);
        Some((path.to_owned(), number.parse().ok()?)).filter(|_| is_own)
    });
    let frames = limits::failed();
    // What stops a rule from outside names no line: it stands where it had come to.
    let came_to = || frames.first().map(|frame| (frame.file.clone(), frame.line));
    let (file, line) = found.or_else(came_to).unwrap_or(at);
    let mut message = text.lines().next().unwrap_or("").trim_start_matches("runtime error: ");
    if let Some((_, rest)) = message.split_once(&format!("{file}:{line}: ")) {
        message = rest;
    } else if let Some((_, rest)) =
        message.strip_prefix(&format!("{}:", &api::ENGINE[1..])).and_then(|m| m.split_once(": "))
    {
        message = rest;
    }
    if message.contains("attempt to yield") {
        message = "a question or a roll cannot be asked here: a player looks on, and a comparison only compares";
    }
    let message = message.chars().filter(|c| !c.is_control()).take(MOST_SAID).collect();
    let stack = frames.iter().map(|frame| framed(ruleset, frame)).collect();
    RuleError { rule: name, message, file, line, cite, stack }
}

/// A line of the stack.
fn framed(ruleset: &Ruleset, frame: &Frame) -> String {
    let name = if frame.name.is_empty() { "a function" } else { &frame.name };
    let held = |(name, value): &(String, String)| match thing(ruleset, frame, name, value) {
        Some(thing) => format!("{name} = {value} ({thing})"),
        None => format!("{name} = {value}"),
    };
    let locals: Vec<String> = frame.locals.iter().map(held).collect();
    let locals = if locals.is_empty() { String::new() } else { format!(": {}", locals.join(", ")) };
    let line = format!("in {name}, {}:{}{locals}", frame.file, frame.line);
    line.chars().filter(|c| !c.is_control()).take(MOST_SAID).collect()
}

/// What the number in a local stands for, where the file says of what type it is: a unit, a space, a side or a card.
fn thing(ruleset: &Ruleset, frame: &Frame, name: &str, value: &str) -> Option<String> {
    let number: i32 = value.parse().ok()?;
    let (_, text) = ruleset.sources.iter().chain(link::player_files(ruleset)).find(|(path, _)| *path == frame.file)?;
    let above: Vec<&str> = text.lines().take(frame.line).collect();
    let begins = |line: &&str| line.starts_with("function ") || line.starts_with("local function ");
    let function = above.iter().rposition(begins)?;
    let kind = match above[function..].iter().rev().find_map(|line| type_in(line, name))? {
        "Unit" => Kind::Unit,
        "Space" => Kind::Space,
        "Side" => Kind::Side,
        "Card" => Kind::Card,
        _ => return None,
    };
    Some(ruleset.name_of(kind, number)).filter(|name| !name.is_empty())
}

/// The type that a line gives a local.
fn type_in<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (before, typed) = line.split_once(&format!("{name}: "))?;
    let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let length = typed.find(|c: char| !c.is_alphanumeric()).unwrap_or(typed.len());
    is_whole.then_some(&typed[..length])
}

/// No error of a rule is longer.
const MOST_SAID: usize = 500;

fn root(wrong: &Error) -> String {
    match wrong {
        Error::CallbackError { cause, .. } => root(cause),
        // In the words of whoever writes rules: to him units, spaces and the like are numbers.
        Error::BadArgument { pos, cause, .. } => format!("argument {pos}: {}", root(cause)),
        Error::FromLuaConversionError { from: "nil", .. } => {
            "nothing is given where a unit, a space or another number is wanted".to_owned()
        }
        other => other.to_string(),
    }
}

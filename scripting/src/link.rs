//! Loads rule files: each is a module whose table other modules call by name. Everything is checked before the
//! first task: a name that is not there, a global written, a citation that does not stand in the rulebook.

use std::{cell::Cell, collections::BTreeMap, sync::Arc};

use countermarch_core::{
    diagnostic::{Diagnostics, Severity, Span, suggest},
    kept::Kept,
    library::Library,
    play::RuleError,
    ruleset::Ruleset,
};
use mlua::{
    FromLuaMulti, Function, Lua, Table, Value,
    chunk::{ChunkMode, Compiler},
};

use crate::{
    cites,
    code::{self, Code},
    convert::lua_name,
    limits::{self, Left},
    runtime::{Budget, Runtime, Whose, failure},
    seal::Seal,
    source,
    trace::{self, AtWork},
};

/// What linking came to.
pub struct Linked {
    /// By number of the rule.
    pub rules: Vec<Function>,
    /// By number of the player, the functions of its rule file.
    pub players: Vec<Option<Table>>,
}

/// The modules that rule files make up, by name; an amendment's file may amend one that is there.
pub type Modules = BTreeMap<String, Table>;

/// How rule files are loaded. Each is compiled once: another version of a game runs what has been looked through already.
struct Loading<'a> {
    compiler: &'a Compiler,
    /// All that the compiler is told beside the text.
    options: String,
    kept: &'a Kept,
    /// What is left of what all files together may use up.
    left: Cell<Left>,
}

impl Loading<'_> {
    /// Whether no further file can be run.
    fn is_spent(&self) -> bool {
        let left = self.left.get();
        left.fuel == 0 || left.room < 0 || left.wall.is_zero()
    }

    fn compile(&self, path: &str, text: &str, before: &str) -> mlua::Result<Arc<Code>> {
        // The place of a file is in what fails alone.
        let whole = [&self.options, before, text].join("\n");
        self.kept.try_of(&whole, || code::compile(self.compiler, path, text, before))
    }
}

/// Puts an empty table into the globals for every module.
pub fn modules(lua: &Lua, ruleset: &Ruleset) -> Result<Modules, Vec<RuleError>> {
    let (mut modules, mut wrong) = (Modules::new(), Vec::new());
    for (path, _) in &ruleset.sources {
        let name = module_of(path);
        if modules.contains_key(name) {
            continue;
        }
        let module = |table: &Table| {
            if !lua.globals().raw_get::<Value>(name)?.is_nil() {
                let message = format!("`{name}` is a name of the engine: rename this file");
                return Err(mlua::Error::runtime(message));
            }
            lua.globals().raw_set(name, table)
        };
        match lua.create_table().and_then(|table| module(&table).map(|()| table)) {
            Ok(table) => drop(modules.insert(name.to_owned(), table)),
            Err(found) => wrong.push(failure(ruleset, Whose::File(path), &found)),
        }
    }
    if wrong.is_empty() { Ok(modules) } else { Err(wrong) }
}

/// Loads every rule file into its module, which alone may be written meanwhile, then finds every rule. With `watching`,
/// every function of a module says when it is called.
pub fn link(
    lua: &Lua,
    ruleset: &Arc<Ruleset>,
    compiler: &Compiler,
    modules: &Modules,
    watching: Option<&AtWork>,
) -> Result<Linked, Vec<RuleError>> {
    let kept = ruleset.kept();
    let left = Cell::new(Budget::default().into());
    let loading = Loading { options: format!("{compiler:?}"), compiler, kept: &kept, left };
    let mut wrong = Vec::new();
    let mut seal = Seal::default();
    for (path, text) in &ruleset.sources {
        if let Err(found) = load(lua, ruleset, &loading, &modules[module_of(path)], (path, text), &mut seal) {
            wrong.push(global_written(failure(ruleset, Whose::File(path), &found), text));
            if loading.is_spent() {
                return Err(wrong);
            }
        }
    }
    for (name, module) in modules {
        let watched = seal.table(lua, module).and_then(|()| {
            module.set_readonly(false);
            watching.map_or(Ok(()), |seen| trace::watch_rules(lua, module, name, seen))
        });
        if let Err(found) = watched {
            let path = ruleset.sources.iter().map(|(path, _)| path).find(|path| module_of(path) == name);
            wrong.push(failure(ruleset, Whose::File(path.map_or(name, |path| path)), &found));
        }
        module.set_readonly(true);
    }
    let mut rules = Vec::new();
    for (at, rule) in ruleset.rules.iter().enumerate() {
        let (module, name) = rule.name.split_once('.').unwrap_or((&rule.name, ""));
        match modules.get(module).and_then(|t| t.raw_get::<Value>(name).ok()) {
            Some(Value::Function(function)) => rules.push(function),
            _ if wrong.is_empty() => {
                let mut missing = failure(ruleset, Whose::Rule(at), &mlua::Error::runtime("it is not a function"));
                missing.message = "it is declared and is not there when the file has been run".into();
                wrong.push(missing);
            }
            _ => (),
        }
    }
    let mut players = Vec::new();
    for player in &ruleset.judgements {
        let Some((path, text)) = &player.luau else {
            players.push(None);
            continue;
        };
        let loaded = run::<Table>(lua, &loading, (path, text), None, &mut seal);
        match loaded.and_then(|table| seal.table(lua, &table).map(|()| table)) {
            Ok(table) => players.push(Some(table)),
            Err(found) => wrong.push(failure(ruleset, Whose::File(path), &found)),
        }
    }
    if wrong.is_empty() { Ok(Linked { rules, players }) } else { Err(wrong) }
}

/// Runs one rule file. Where it amends a module, its text knows as `original` what its functions stand in place of, which
/// must be those that are declared so: any other way to write over one would go unseen.
fn load(
    lua: &Lua,
    ruleset: &Ruleset,
    loading: &Loading<'_>,
    module: &Table,
    (path, text): (&str, &str),
    seal: &mut Seal,
) -> mlua::Result<()> {
    let mut before: Vec<(String, Value)> = Vec::new();
    module.for_each(|name: String, value: Value| {
        before.push((name, value));
        Ok(())
    })?;
    let original = if before.is_empty() { None } else { Some(lua.create_table()?) };
    module.set_readonly(false);
    let done = run::<()>(lua, loading, (path, &cites::as_numbers(ruleset, text)), original.as_ref(), seal);
    module.set_readonly(true);
    done?;
    let Some(original) = original else { return Ok(()) };
    before.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, value) in before {
        if module.raw_get::<Value>(&*name)? == value {
            continue;
        }
        let whole = format!("{}.{name}", module_of(path));
        let rule = ruleset.rules.iter().find(|rule| rule.name == whole);
        if !rule.is_some_and(|rule| rule.at.0 == path || rule.instead.iter().any(|(file, _)| file == path)) {
            let message = format!("`{whole}` is written over: say `--- @replaces` above `function {whole}(`");
            return Err(mlua::Error::runtime(format!("{path}:1: {message}")));
        }
        original.raw_set(name, value)?;
    }
    seal.table(lua, &original)
}

/// Runs a rule file, which is text and nothing else, with what it knows as `original`.
fn run<R: FromLuaMulti>(
    lua: &Lua,
    loading: &Loading<'_>,
    (path, text): (&str, &str),
    original: Option<&Table>,
    seal: &mut Seal,
) -> mlua::Result<R> {
    let code = loading.compile(path, text, original.map_or("", |_| "local original = ... "))?;
    seal.writers.extend(code.writers.iter().map(|place| (path.to_owned(), place.clone())));
    let chunk = lua.load(code.bytecode.as_slice()).set_mode(ChunkMode::Binary).set_name(format!("={path}"));
    limits::begin(loading.left.get());
    let done = chunk.call(original);
    loading.left.set(limits::finish());
    done
}

/// The name of the module that a rule file is.
pub fn module_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path).trim_end_matches(".luau")
}

/// Says which global was written, where Luau only says that a table is read-only.
fn global_written(mut wrong: RuleError, text: &str) -> RuleError {
    let line = text.lines().nth(wrong.line.saturating_sub(1)).unwrap_or("").trim_start();
    let line = line.strip_prefix("function ").unwrap_or(line);
    let name: String = line.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    if wrong.message.contains("readonly") && !name.is_empty() {
        wrong.message = match line[name.len()..].starts_with(['.', '[']) {
            true => format!("`{name}` cannot be changed from here: a file writes its own module alone"),
            false => format!("`{name}` becomes a global here; write `local {name}`"),
        };
    }
    wrong
}

/// Looks through the rule files and links them; faults become diagnostics. What loading a file comes to is told where
/// nothing else is wrong with it: it would be the same fault, and is found later.
pub fn check(ruleset: &Arc<Ruleset>, library: &Library, found: &mut Diagnostics) {
    let link = || match Runtime::new(ruleset.clone(), Budget::default()) {
        Ok(linked) => (Vec::new(), linked.functions_of_players()),
        Err(wrong) => (wrong, Vec::new()),
    };
    let (errors, of_players) = source::check(ruleset, found, link);
    check_players(ruleset, &of_players, found);
    for (path, text) in ruleset.sources.iter().chain(player_files(ruleset)) {
        check_cites(ruleset, path, text, found);
    }
    for wrong in errors {
        if found.list.iter().any(|told| *told.span.file == *wrong.file && told.severity == Severity::Error) {
            continue;
        }
        let span = library.text(&wrong.file).map_or_else(|| Span::file(&wrong.file), |text| line_span(&wrong, text));
        found.error("luau", &span, wrong.message.clone(), "");
    }
}

/// A function of a player's rule file is called for the question that it is named after, if no rows speak of that.
fn check_players(ruleset: &Ruleset, functions: &[(usize, String)], found: &mut Diagnostics) {
    for (player, function) in functions {
        let judgement = &ruleset.judgements[*player];
        let Some((path, text)) = &judgement.luau else { continue };
        let called: Vec<String> = ruleset.questions.iter().map(|question| question_name(&question.key)).collect();
        let at = called.iter().position(|name| name == function);
        let (message, help) = match at {
            None => {
                let help = suggest(function, called.iter().map(String::as_str));
                (format!("no question is called `{function}`, and nothing calls this function"), help)
            }
            Some(at) if judgement.speaks_of(at as u16) => {
                let key = &ruleset.questions[at].key;
                let message = format!("rows of this player speak of `{key}`, and nothing calls this function");
                (message, "delete one of the two".to_owned())
            }
            Some(_) => continue,
        };
        let start = text.find(&format!(".{function}")).map_or(0, |at| at + 1);
        let end = if start == 0 { 0 } else { start + function.len() };
        found.warning("unread", &Span { file: path.as_str().into(), start, end }, message, help);
    }
}

/// What the function of a player's rule file is called that answers a question: `movement.to` is `movement_to`.
pub fn question_name(key: &str) -> String {
    lua_name(&key.replace('.', "_"))
}

/// The rule files of a ruleset's players: path and text.
pub fn player_files(ruleset: &Ruleset) -> impl Iterator<Item = &(String, String)> {
    ruleset.judgements.iter().filter_map(|player| player.luau.as_ref())
}

fn line_span(wrong: &RuleError, text: &str) -> Span {
    let start: usize = text.split_inclusive('\n').take(wrong.line.saturating_sub(1)).map(str::len).sum();
    let end = text[start..].find('\n').map_or(text.len(), |n| start + n);
    Span { file: wrong.file.as_str().into(), start, end }
}

/// What stands above a function as its citation must stand in the rulebook, and so must every quoted text that looks like one.
fn check_cites(ruleset: &Ruleset, path: &str, text: &str, found: &mut Diagnostics) {
    let prefixes: Vec<&str> = {
        let mut list: Vec<&str> = ruleset.rulebook.entries.iter().filter_map(|e| e.id.split('/').next()).collect();
        list.dedup();
        list
    };
    let mut check = |cited: &str, start: usize, end: usize| {
        if ruleset.rulebook.find(cited).is_none() {
            let help = suggest(cited, ruleset.rulebook.entries.iter().map(|e| e.id.as_str()));
            let span = Span { file: path.into(), start, end };
            found.error("unknown-cite", &span, format!("`{cited}` does not stand in the rulebook"), help);
        }
    };
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if let Some(id) = line.strip_prefix("---").and_then(|comment| comment.trim().strip_prefix("@cite ")) {
            check(id.trim(), offset, offset + line.trim_end().len());
        }
        let code = line.split("--").next().unwrap_or("");
        let mut at = 0;
        while let Some(open) = code[at..].find('"') {
            let start = at + open + 1;
            let Some(length) = code[start..].find('"') else { break };
            let quoted = &code[start..start + length];
            if quoted.split_once('/').is_some_and(|(head, _)| prefixes.contains(&head)) {
                check(quoted, offset + start, offset + start + length);
            }
            at = start + length + 1;
        }
        offset += line.len();
    }
}

//! Rule files as their authors wrote them: parsed, and held against what the ruleset declares, without being run.
//!
//! Luau itself finds a misspelt name only when the line is carried out, which may be in the twentieth turn, and a verb
//! that no question offers never. So `check` reads every file here: names that are nowhere declared, arguments that are
//! missing or of another kind, values that nothing can have. It knows what there is from [`definitions`], the same that
//! editors read; and where it is not certain, it is silent.

#[cfg(test)]
mod agree;
mod asking;
mod calls;
#[cfg(test)]
mod deep;
mod definitions;
mod known;
mod lower;
mod syntax;
mod tree;
mod walk;

use std::{
    collections::{BTreeMap, BTreeSet},
    thread,
};

use countermarch_core::{
    diagnostic::{Diagnostics, Span},
    ruleset::Ruleset,
};

use self::{
    known::{Known, Names},
    tree::{Block, Expression, Function, Statement},
    walk::{Learnt, Walk},
};
use crate::{
    cites::FileCites,
    link::{module_of, player_files},
};

/// Luau takes nothing that is nested deeper than about a thousand times; that is the room to go through as much.
const ROOM: usize = 256 << 20;

/// A rule file that could be parsed.
struct File<'a> {
    path: &'a str,
    tree: Block,
    cites: FileCites,
    /// Whether it is a module, as all are but those of players.
    is_module: bool,
}

/// Looks through every rule file of a ruleset, and does something else beside it.
pub fn check<T>(ruleset: &Ruleset, found: &mut Diagnostics, beside: impl FnOnce() -> T) -> T {
    let look = || {
        let (files, unread) = parsed(ruleset, found);
        let modules = modules(&files);
        let reserved: Vec<_> =
            files.iter().filter(|file| file.is_module && !definitions::is_name(module_of(file.path))).collect();
        for file in &reserved {
            let message =
                format!("Luau has `{}` for something else, and no module can be called so", module_of(file.path));
            found.error("hidden", &Span::file(file.path), message, "rename this file");
        }
        if !reserved.is_empty() {
            return; // the definitions would hold what cannot be read
        }
        let mut names = match Names::read(&definitions::definitions(ruleset, &listed(&modules))) {
            Ok(names) => names,
            Err(wrong) => return found.error("luau", &Span::default(), wrong, ""),
        };
        for file in files.iter().filter(|file| file.is_module && names.twice.contains(module_of(file.path))) {
            let message = format!("`{}` is a name of the engine", module_of(file.path));
            found.error("hidden", &Span::file(file.path), message, "rename this file");
        }
        let mut learnt: Vec<Learnt> = Vec::new();
        for file in &files {
            let (nothing, mut unheard) = (Learnt::default(), Diagnostics::default());
            learnt.push(Walk::through(
                (&names, ruleset),
                (file.path, &file.tree, &file.cites),
                None,
                &nothing,
                &mut unheard,
            ));
        }
        // What a module holds that is handed on as it is, or that could not be read, nobody knows.
        let handed_on = learnt.iter().flat_map(|learnt| &learnt.handed_on).map(String::as_str);
        for name in handed_on.chain(unread.iter().copied()) {
            if modules.contains_key(name) || unread.contains(name) {
                names.globals.insert(name.to_owned(), Known::Value(known::Type::Any));
            }
        }
        for (at, file) in files.iter().enumerate() {
            let original = original(&names, &files[..at], file);
            let (of, read) = ((&names, ruleset), (file.path, &file.tree, &file.cites));
            Walk::through(of, read, original.as_ref(), &learnt[at], found);
        }
    };
    with_room(look, beside).1
}

/// The type definitions of a ruleset, for editors and for Luau's analyzer. What cannot be parsed of its rule files is
/// left out.
pub fn type_definitions(ruleset: &Ruleset) -> String {
    let write = || {
        let (files, _) = parsed(ruleset, &mut Diagnostics::default());
        definitions::definitions(ruleset, &listed(&modules(&files)))
    };
    with_room(write, || ()).0
}

/// Does something that recurs as deeply as a rule file is nested, on a thread with room for it, and something else beside
/// it on this one.
fn with_room<T: Send, U>(work: impl FnOnce() -> T + Send, beside: impl FnOnce() -> U) -> (T, U) {
    thread::scope(|scope| {
        let there = thread::Builder::new().name("rule files".into()).stack_size(ROOM).spawn_scoped(scope, work);
        let there = there.expect("a thread can be begun");
        let beside = beside();
        (there.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), beside)
    })
}

/// The files, and the names of modules of which one could not be read.
fn parsed<'a>(ruleset: &'a Ruleset, found: &mut Diagnostics) -> (Vec<File<'a>>, BTreeSet<&'a str>) {
    let (mut files, mut unread) = (Vec::new(), BTreeSet::new());
    let sources = ruleset.sources.iter().map(|source| (source, true));
    for ((path, text), is_module) in sources.chain(player_files(ruleset).map(|file| (file, false))) {
        // What Luau does not take is not parsed: it bounds how deeply a text is nested.
        let tree = match syntax::fault(text) {
            Some(fault) => Err(fault),
            None => lower::parse(text),
        };
        match tree {
            Ok(tree) => {
                let cites = FileCites::read(ruleset, path, text);
                files.push(File { path, tree, cites, is_module });
            }
            Err(wrong) => {
                let span = Span { file: path.as_str().into(), start: wrong.at.start, end: wrong.at.end };
                found.error("luau", &span, wrong.message, "");
                unread.extend(is_module.then(|| module_of(path)));
            }
        }
    }
    (files, unread)
}

/// What modules hold: by name, and by name again, their functions; of what else they hold nothing is known.
type Modules<'a> = BTreeMap<&'a str, BTreeMap<&'a str, Option<&'a Function>>>;

fn modules<'a>(files: &'a [File<'_>]) -> Modules<'a> {
    let mut modules = Modules::new();
    for file in files.iter().filter(|file| file.is_module) {
        let name = module_of(file.path);
        let fields = modules.entry(name).or_default();
        fields.extend(fields_of(name, &file.tree));
    }
    modules
}

/// What a file puts into its module when it is loaded.
fn fields_of<'a>(module: &str, block: &'a Block) -> Vec<(&'a str, Option<&'a Function>)> {
    let mut fields = Vec::new();
    for statement in block {
        match statement {
            Statement::Function(path, function) => match path.as_slice() {
                [owner, name] if owner.text == module => fields.push((name.text.as_str(), Some(&**function))),
                _ => (),
            },
            Statement::Assign(targets, _) => {
                for target in targets {
                    if let Expression::Field(of, name) = &target.is
                        && matches!(&of.is, Expression::Name(owner) if owner.text == module)
                    {
                        fields.push((name.text.as_str(), None));
                    }
                }
            }
            Statement::Do(block) | Statement::While(_, block) | Statement::Repeat(block, _) => {
                fields.extend(fields_of(module, block));
            }
            Statement::Each(_, _, block) | Statement::Count(_, _, block) => fields.extend(fields_of(module, block)),
            Statement::If(branches) => {
                branches.iter().for_each(|(_, block)| fields.extend(fields_of(module, block)));
            }
            _ => (),
        }
    }
    fields
}

fn listed<'a>(modules: &Modules<'a>) -> Vec<definitions::Module<'a>> {
    modules.iter().map(|(name, fields)| (*name, fields.iter().map(|(name, of)| (*name, *of)).collect())).collect()
}

/// What a file knows as `original`: of the functions that files before it have put into its module, those that its own
/// stand in place of. Nothing where it is the first.
fn original(names: &Names, before: &[File<'_>], file: &File<'_>) -> Option<Known> {
    let module = module_of(file.path);
    let of_module = before.iter().filter(|other| other.is_module && module_of(other.path) == module);
    let there: BTreeMap<&str, Option<&Function>> = of_module.flat_map(|other| fields_of(module, &other.tree)).collect();
    if there.is_empty() || !file.is_module {
        return None;
    }
    let own = fields_of(module, &file.tree);
    let replaced = own.into_iter().filter_map(|(name, _)| there.get(name).map(|of| (name, *of)));
    let known = |of: Option<&Function>| {
        of.map_or(Known::Value(known::Type::Any), |of| Known::Function(names.signature(of).into()))
    };
    Some(Known::Table(replaced.map(|(name, of)| (name.to_owned(), known(of))).collect()))
}

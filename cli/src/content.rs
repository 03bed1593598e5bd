//! Finds the content, loads a game in a version, and says what is wrong with it.

use std::{
    env,
    io::IsTerminal,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, anyhow, bail};
use countermarch_core::{
    diagnostic::{Diagnostic, Diagnostics, suggest},
    library::Library,
    play::RuleError,
    ruleset::{Ruleset, Selection, VersionName, available},
};
use countermarch_scripting::{Budget, Runtime};
use serde_json::{Value, json};

use crate::Which;

/// All texts of all games, and where they stand.
pub struct Content {
    /// The texts.
    pub library: Library,
    /// The folder that holds `rulesets` and `maps`.
    pub root: PathBuf,
}

/// The folder with `rulesets` and `maps`: `COUNTERMARCH_HOME`, or the nearest one above here or above the program.
fn root() -> Result<PathBuf> {
    if let Some(home) = env::var_os("COUNTERMARCH_HOME") {
        return Ok(home.into());
    }
    let here = env::current_dir().ok();
    let program = env::current_exe().ok();
    let starts = here.into_iter().chain(program);
    for start in starts {
        for folder in start.ancestors() {
            if folder.join("rulesets").is_dir() && folder.join("maps").is_dir() {
                return Ok(folder.to_owned());
            }
        }
    }
    bail!("no `rulesets` folder here or above: go to the project's folder, or set COUNTERMARCH_HOME to it")
}

/// Reads the content.
pub fn open() -> Result<Content> {
    let root = root()?;
    let mut library = Library::default();
    for folder in ["maps", "rulesets"] {
        let path = root.join(folder);
        library.add_folder(folder, &path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(Content { library, root })
}

/// The game's id and the version asked for. A path to a ruleset's folder names the ruleset.
pub fn selection(which: &Which) -> Result<(String, Selection)> {
    let (name, version) = which.game.split_once('@').unwrap_or((&which.game, "base"));
    let id = Path::new(name).file_name().map_or_else(|| name.to_owned(), |n| n.to_string_lossy().into_owned());
    let mut set = Vec::new();
    for change in &which.set {
        let (path, value) = change.split_once('=').ok_or_else(|| anyhow!("--set wants PATH=VALUE, not `{change}`"))?;
        set.push((path.to_owned(), value.to_owned()));
    }
    Ok((id, Selection { version: VersionName::parse(version), set, ..Selection::default() }))
}

impl Content {
    /// Loads a game that can be played.
    ///
    /// # Errors
    /// When there is none of that name, or when its content is wrong, which has been told.
    pub fn load(&self, id: &str, selection: &Selection) -> Result<Arc<Ruleset>> {
        self.named(id)?;
        let loaded = Ruleset::load(&self.library, id, selection).map(|loaded| loaded.ruleset);
        loaded.map_err(|found| {
            self.tell(&found);
            Faulty(format!("`{id}` cannot be used as it is")).into()
        })
    }

    /// Whether there is a game of that name.
    fn named(&self, id: &str) -> Result<()> {
        let games = available(&self.library);
        if games.iter().any(|game| game == id) {
            return Ok(());
        }
        bail!("there is no game `{id}`: {}", suggest(id, games.iter().map(String::as_str)))
    }

    /// Draws what was found over its lines.
    fn tell(&self, found: &Diagnostics) {
        tell(found, &self.library);
        eprintln!("{} errors, {} warnings", found.errors(), found.warnings());
    }
}

/// The thing checked is wrong, and the program was used rightly: it exits with 1 and not with 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Faulty(pub String);

/// Draws what was found over its lines, as much of it as anybody reads.
pub fn tell(found: &Diagnostics, library: &Library) {
    const READ: usize = 50;
    let colour = std::io::stderr().is_terminal();
    for diagnostic in found.list.iter().take(READ) {
        eprintln!("{}\n", diagnostic.drawn(library, colour));
    }
    if let Some(more) = found.list.len().checked_sub(READ + 1) {
        eprintln!("and {} more\n", more + 1 + found.beyond);
    }
}

/// Everything found, for machines.
pub fn diagnosed(found: &Diagnostics, library: &Library) -> Value {
    let one = |d: &Diagnostic| {
        let (line, column) = d.position(library);
        json!({ "file": &*d.span.file, "line": line, "column": column, "code": d.code, "message": d.message,
                "help": d.help })
    };
    let list: Vec<Value> = found.list.iter().map(one).collect();
    json!({ "errors": found.errors(), "warnings": found.warnings(), "diagnostics": list })
}

/// The number of a side by its short name. The error lists those there are.
pub fn side(ruleset: &Ruleset, name: &str) -> Result<i32> {
    ruleset.side(name).ok_or_else(|| {
        let known: Vec<&str> = ruleset.sides.iter().map(|s| s.id.as_str()).collect();
        anyhow!("there is no side `{name}`: {}", known.join(", "))
    })
}

/// The number of the scenario asked for; the first without. The error lists those there are.
pub fn scenario(ruleset: &Ruleset, asked: Option<&str>) -> Result<usize> {
    let Some(id) = asked else { return Ok(0) };
    ruleset.scenario(id).ok_or_else(|| {
        let known: Vec<&str> = ruleset.scenarios.iter().map(|s| s.id.as_str()).collect();
        anyhow!("there is no scenario `{id}`: {}", known.join(", "))
    })
}

/// A runtime for a game that has been checked.
pub fn runtime(ruleset: &Arc<Ruleset>) -> Result<Runtime> {
    Runtime::new(ruleset.clone(), Budget::default()).map_err(not_loaded)
}

/// The same, for examples: it keeps track of what they put to work.
pub fn watching(ruleset: &Arc<Ruleset>) -> Result<Runtime> {
    Runtime::watching(ruleset.clone(), Budget::default()).map_err(not_loaded)
}

fn not_loaded(errors: Vec<RuleError>) -> anyhow::Error {
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    anyhow!("the rules cannot be loaded:\n{}", lines.join("\n"))
}

/// `countermarch check`.
pub fn check(which: &Which, as_json: bool) -> Result<bool> {
    let content = open()?;
    let (id, selection) = selection(which)?;
    content.named(&id)?;
    let loaded = countermarch_scripting::load(&content.library, &id, &selection);
    let mut found = loaded.map_or_else(|found| found, |loaded| loaded.warnings);
    found.sort();
    if as_json {
        println!("{}", diagnosed(&found, &content.library));
    } else if found.list.is_empty() {
        println!("{id}{}: nothing is wrong", selection.version);
    } else {
        content.tell(&found);
    }
    Ok(found.is_usable())
}

//! Finds the content, loads a game in a version, and says what is wrong with it.

use std::{
    fs,
    io::IsTerminal,
    path::{Path, PathBuf, is_separator},
    sync::Arc,
};

use anyhow::{Context, Result, anyhow, bail};
use countermarch_cartography::files::Sources;
use countermarch_core::{
    diagnostic::{Diagnostic, Diagnostics, Severity, suggest},
    library::{Library, Root},
    map::Map,
    play::RuleError,
    ruleset::{Differences, Loaded, Ruleset, Selection, VersionName, available, lay_faults},
    show::count,
    study::{check_beginnings, check_examples},
};
use countermarch_scripting::{Budget, Runtime};
use serde_json::{Value, json};

use crate::{Which, picture::ground, roots};

/// All texts of all games, and where records of new games go.
pub struct Content {
    /// The texts.
    pub library: Library,
    /// The folder of records: in the first of the user's folders, or here where there is none.
    pub saves: PathBuf,
}

/// A game that somebody asks for, in a version.
pub struct Asked {
    /// The folder that is named, where a path is. Content of that name elsewhere is never meant.
    pub folder: Option<PathBuf>,
    /// The ruleset's id.
    pub id: String,
    /// Its version, with single values changed.
    pub selection: Selection,
}

impl Asked {
    /// Reads `GAME@VERSION`. What has a separator of folders, or is `.` or `..`, is a path, and any other a name.
    ///
    /// # Errors
    /// When the path is none of a ruleset, or a change of a value is none.
    pub fn new(which: &Which) -> Result<Asked> {
        let split = which.game.rsplit_once('@').filter(|(_, version)| !is_path(version));
        let (name, version) = split.unwrap_or((&which.game, "base"));
        let folder = is_path(name).then(|| ruleset_folder(Path::new(name))).transpose()?;
        let id = folder.as_ref().map_or_else(|| name.to_owned(), |folder| id_of(folder));
        let mut set: Vec<(String, String)> = Vec::new();
        for change in &which.set {
            let (path, value) =
                change.split_once('=').ok_or_else(|| anyhow!("--set wants PATH=VALUE, not `{change}`"))?;
            if set.iter().any(|(other, _)| other == path) {
                bail!("--set {path} is given twice");
            }
            set.push((path.to_owned(), value.to_owned()));
        }
        let selection = Selection { version: VersionName::parse(version), set, ..Selection::default() };
        Ok(Asked { folder, id, selection })
    }
}

/// Whether a game is named by the path of its folder.
fn is_path(game: &str) -> bool {
    game.contains(is_separator) || matches!(game, "." | "..")
}

/// The folder of a ruleset that a path names.
fn ruleset_folder(path: &Path) -> Result<PathBuf> {
    let folder = fs::canonicalize(path).with_context(|| format!("there is no folder {}", path.display()))?;
    if !folder.join("ruleset.yaml").is_file() {
        let help = "what adds to a game is read with the game, from a folder in COUNTERMARCH_HOME";
        bail!("{} is no ruleset: it holds no `ruleset.yaml` ({help})", path.display());
    }
    Ok(folder)
}

/// The id of the ruleset that stands in a folder.
fn id_of(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the content of all roots.
pub fn open() -> Result<Content> {
    Content::with(None)
}

/// The content, and what somebody asks for in it.
pub fn find(which: &Which) -> Result<(Content, Asked)> {
    let asked = Asked::new(which)?;
    Ok((Content::with(asked.folder.as_deref())?, asked))
}

/// The same for a record, which names its game by its id; `folder` holds the ruleset where the person says so.
pub fn find_of_record(which: &Which, folder: Option<&Path>) -> Result<(Content, Asked)> {
    if is_path(which.game.split('@').next().unwrap_or_default()) {
        return Err(Faulty(format!("a record names its game, and `{}` is a path", which.game)).into());
    }
    let mut asked = Asked::new(which)?;
    asked.folder = folder.map(ruleset_folder).transpose()?;
    if let Some(folder) = asked.folder.as_ref().filter(|folder| id_of(folder) != asked.id) {
        bail!("the record is of `{}`, and {} is another game", asked.id, folder.display());
    }
    Ok((Content::with(asked.folder.as_deref())?, asked))
}

impl Content {
    fn with(folder: Option<&Path>) -> Result<Content> {
        let homes = roots::homes()?;
        let library = roots::library(folder, &homes)?;
        let saves = homes.first().map_or_else(|| PathBuf::from("saves"), |home| home.join("saves"));
        Ok(Content { library, saves })
    }

    /// Has a file of assertions hold for every scenario of a game that somebody asks for.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn assert(&mut self, asked: &mut Asked, file: Option<&Path>) -> Result<()> {
        let Some(file) = file else { return Ok(()) };
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let path = file.display().to_string();
        self.library.insert(&path, text);
        asked.selection.assert = Some(path);
        Ok(())
    }

    /// Where a game comes from.
    pub fn origin(&self, id: &str) -> &str {
        self.library.origin(&format!("rulesets/{id}/ruleset.yaml")).unwrap_or("nowhere")
    }

    /// Where a game lies, and where others of its name lie that are not meant by it; nothing where there is no other.
    fn others(&self, id: &str) -> Option<(PathBuf, Vec<PathBuf>)> {
        // A root is a folder with `rulesets` in it, or the one that somebody named.
        let folder = |root: &str| {
            let within = Path::new(root).join("rulesets").join(id);
            let folder = if within.is_dir() { within } else { PathBuf::from(root) };
            fs::canonicalize(&folder).unwrap_or(folder)
        };
        let here = folder(self.origin(id));
        let hidden = self.library.hidden(id).filter(|root| *root != roots::BUILT_IN).map(folder);
        let mut others: Vec<PathBuf> = hidden.filter(|other| *other != here).collect();
        others.dedup();
        Some((here, others)).filter(|(_, others)| !others.is_empty())
    }

    /// Which of several games of one name is meant, in lines; none where there is no other.
    pub fn meant(&self, id: &str) -> Vec<String> {
        let Some((here, others)) = self.others(id) else { return Vec::new() };
        let others =
            others.iter().map(|other| format!("  not that in {}, which is meant by its path", other.display()));
        std::iter::once(format!("  it is the one in {}", here.display())).chain(others).collect()
    }

    /// The ground that a game's map was laid over, in the root that the map comes from.
    pub fn ground(&self, map: &Map) -> Option<Sources> {
        match self.library.origin(&format!("maps/{}.yaml", map.id))? {
            roots::BUILT_IN => {
                let sources = Sources::of(roots::carried(|_| true), map.laid_by.as_ref()?);
                Some(sources).filter(|sources| sources.found.is_usable())
            }
            home => ground(&Root::at(Path::new(home)), map),
        }
    }

    /// Loads a game.
    ///
    /// # Errors
    /// When there is none of that name, or when its content is wrong, which has been told.
    pub fn load(&self, asked: &Asked) -> Result<Arc<Ruleset>> {
        self.usable(asked, Ruleset::load)
    }

    /// Loads a game of which new games are begun, and looks through its rule files as `check` does: what is known to be
    /// wrong need not be found out by playing.
    ///
    /// # Errors
    /// As [`Content::load`].
    pub fn playable(&self, asked: &Asked) -> Result<Arc<Ruleset>> {
        self.usable(asked, countermarch_scripting::load)
    }

    /// How two versions of one game differ on paper.
    ///
    /// # Errors
    /// As [`Content::load`].
    pub fn differences(&self, first: &Asked, second: &Asked) -> Result<Differences> {
        self.named(&first.id)?;
        let selections = [&first.selection, &second.selection];
        Differences::between(&self.library, &first.id, selections).map_err(|found| self.unusable(&first.id, &found))
    }

    fn usable(
        &self,
        Asked { id, selection, .. }: &Asked,
        load: impl Fn(&Library, &str, &Selection) -> Result<Loaded, Diagnostics>,
    ) -> Result<Arc<Ruleset>> {
        self.named(id)?;
        let Loaded { ruleset, mut warnings } = load(&self.library, id, selection).map_err(|mut found| {
            let wrong = |other: &Selection| load(&self.library, id, other).map_or_else(|found| found, |it| it.warnings);
            lay_faults(&self.library, id, selection, &mut found, wrong);
            self.unusable(id, &found)
        })?;
        // What is wrong with the game itself `check` tells.
        warnings.list.retain(is_of_request);
        tell(&warnings, &self.library);
        Ok(ruleset)
    }

    /// Tells what is wrong with a game, or with what is asked for of it.
    fn unusable(&self, id: &str, found: &Diagnostics) -> anyhow::Error {
        self.tell(id, found);
        let is_wrong = |one: &Diagnostic| !is_of_request(one) && !matches!(one.code, "needs" | "excludes" | "conflict");
        // A file that somebody names beside the game is not the game's own.
        let is_own = |file: &str| ["rulesets/", "maps/"].iter().any(|own| file.starts_with(own));
        let mut wrong = errors(found).filter(|one| is_wrong(one)).map(|one| &*one.span.file);
        if let Some(first) = wrong.next() {
            let is_beside = !is_own(first) && wrong.all(|file| file == first);
            return Faulty(format!("`{}` cannot be used as it is", if is_beside { first } else { id })).into();
        }
        anyhow!("`{id}` has no such version, or is not to be changed so")
    }

    /// Whether there is a game of that name.
    pub fn named(&self, id: &str) -> Result<()> {
        let games = available(&self.library);
        if games.iter().any(|game| game == id) {
            return Ok(());
        }
        if let Some((_, line)) = self.astray().find(|(game, _)| *game == id) {
            bail!("{line}");
        }
        bail!("there is no game `{id}`: {}", suggest(id, games.iter().map(String::as_str)))
    }

    /// Games that folders would add to and that there are not, each with a line that says so.
    pub fn astray(&self) -> impl Iterator<Item = (&str, String)> {
        self.library.added_to_nothing().map(|(game, root)| {
            let folder = Path::new(root).join("rulesets").join(game);
            let lacks = "holds no `ruleset.yaml`, and there is no game";
            (game, format!("{} {lacks} `{game}` that it could add to", folder.display()))
        })
    }

    /// Where what is added to a game comes from, in lines.
    pub fn added(&self, id: &str) -> Vec<String> {
        self.library.added_from(id).into_iter().map(|root| format!("  with what {root} adds to it")).collect()
    }

    /// Draws what was found over its lines.
    fn tell(&self, id: &str, found: &Diagnostics) {
        tell(found, &self.library);
        let (errors, warnings) = (found.errors(), found.warnings());
        let (errors, warnings) = (count(errors, "error", "errors"), count(warnings, "warning", "warnings"));
        eprintln!("{errors}, {warnings} in `{id}` ({})", self.origin(id));
        self.meant(id).iter().chain(&self.added(id)).for_each(|line| eprintln!("{line}"));
    }
}

fn errors(found: &Diagnostics) -> impl Iterator<Item = &Diagnostic> {
    found.list.iter().filter(|one| one.severity == Severity::Error)
}

/// Whether what is wrong stands in no file, but in the version or the change of a value that somebody asks for.
fn is_of_request(one: &Diagnostic) -> bool {
    one.span.file.starts_with('@') || &*one.span.file == "--set"
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

/// The number of the scenario asked for; the first without.
///
/// # Errors
/// When there is none of that name, with those there are, or none at all.
pub fn scenario(ruleset: &Ruleset, asked: Option<&str>) -> Result<usize> {
    scenario_if_any(ruleset, asked)?.ok_or_else(|| {
        let id = &ruleset.id;
        anyhow!("`{id}` has no scenario to be played: write one in rulesets/{id}/scenarios/NAME.yaml")
    })
}

/// The same for whoever looks at the empty board where there is none.
pub fn scenario_if_any(ruleset: &Ruleset, asked: Option<&str>) -> Result<Option<usize>> {
    let Some(id) = asked else { return Ok((!ruleset.scenarios.is_empty()).then_some(0)) };
    let known = || ruleset.scenarios.iter().map(|scenario| scenario.id.as_str());
    let lacks = || {
        let version = ruleset.full_name();
        anyhow!("`{version}` has no scenario `{id}`: {}", suggest(id, known()))
    };
    ruleset.scenario(id).map(Some).ok_or_else(lacks)
}

/// A runtime for a game that has been checked.
pub fn runtime(ruleset: &Arc<Ruleset>) -> Result<Runtime> {
    Runtime::new(ruleset.clone(), Budget::default()).map_err(not_loaded)
}

/// The same, for examples: it keeps track of what they put to work.
pub fn watching(ruleset: &Arc<Ruleset>) -> Result<Runtime> {
    Runtime::watching(ruleset.clone(), Budget::default()).map_err(not_loaded)
}

/// The same, for games that are listened to: it looks at rows and cells too.
pub fn watching_closely(ruleset: &Arc<Ruleset>) -> Result<Runtime> {
    Runtime::watching_closely(ruleset.clone(), Budget::default()).map_err(not_loaded)
}

fn not_loaded(errors: Vec<RuleError>) -> anyhow::Error {
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    anyhow!("the rules cannot be loaded:\n{}", lines.join("\n"))
}

/// `countermarch check`.
pub fn check(which: &Which, as_json: bool) -> Result<bool> {
    let (content, Asked { id, selection, .. }) = find(which)?;
    content.named(&id)?;
    let (mut found, ruleset) = checked(&content.library, &id, &selection);
    let mut beside = "";
    if let Some(ruleset) =
        ruleset.filter(|ruleset| which.set.is_empty() && !which.game.contains('@') && !ruleset.amendments.is_empty())
    {
        beside = ", nor with any of its amendments by itself";
        for version in ruleset.amendments.iter().map(|amendment| ruleset.version_with(&amendment.id)) {
            let amended = checked(&content.library, &id, &Selection { version, ..Selection::default() }).0;
            let is_known =
                |known: &Diagnostic, one: &Diagnostic| (&known.span, &known.message) == (&one.span, &one.message);
            let mut new: Vec<Diagnostic> = Vec::new();
            for one in amended.list {
                match found.list.iter_mut().find(|known| is_known(known, &one)) {
                    // What is wrong with an amendment harms whoever plays with it.
                    Some(known) => known.severity = known.severity.min(one.severity),
                    None => new.push(one),
                }
            }
            found.extend(&new);
        }
    }
    found.sort();
    if as_json {
        println!("{}", diagnosed(&found, &content.library));
    } else if found.list.is_empty() {
        println!("{id}{}: nothing is wrong{beside}", selection.version);
        content.meant(&id).iter().for_each(|line| println!("{line}"));
    } else {
        content.tell(&id, &found);
    }
    if errors(&found).any(is_of_request) {
        bail!("`{id}` has no such version, or is not to be changed so");
    }
    Ok(found.is_usable())
}

/// What is wrong with a version of a game and its examples, and which amendment makes it so; the game, where it can be
/// used.
fn checked(library: &Library, id: &str, selection: &Selection) -> (Diagnostics, Option<Arc<Ruleset>>) {
    let (mut found, ruleset) = looked_through(library, id, selection);
    lay_faults(library, id, selection, &mut found, |other| looked_through(library, id, other).0);
    (found, ruleset)
}

fn looked_through(library: &Library, id: &str, selection: &Selection) -> (Diagnostics, Option<Arc<Ruleset>>) {
    match countermarch_scripting::load(library, id, selection) {
        Ok(loaded) => {
            let mut found = loaded.warnings;
            found.extend(&check_examples(library, &loaded.ruleset).list);
            if let Ok(rules) = Runtime::new(loaded.ruleset.clone(), Budget::default()) {
                found.extend(&check_beginnings(&loaded.ruleset, rules).list);
            }
            (found, Some(loaded.ruleset))
        }
        Err(found) => (found, None),
    }
}

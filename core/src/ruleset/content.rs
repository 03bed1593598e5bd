//! All files of a ruleset as one tree, before anything in it is understood.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use xxhash_rust::xxh3::Xxh3;

use super::rules::RuleFile;
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    library::Library,
    map::{self, Map},
    yaml::{Node, Value},
};

/// The files of a ruleset or of one of its amendments, read but not understood.
pub(super) struct Content {
    /// The folder they lie in; of an amendment that is a single file, its path without the ending.
    pub folder: String,
    /// Keys of all plain files together.
    pub tree: Node,
    /// One node for each file of `scenarios/`.
    pub scenarios: Vec<Node>,
    /// One for each file or folder of `amendments/`.
    pub amendments: Vec<Content>,
    /// Rule files.
    pub rules: Vec<RuleFile>,
    /// What players value that rows cannot say: `players/NAME.luau`, by name.
    pub players: Vec<PlayerFile>,
    /// Of an amendment: what is wrong with its files before anything in them is understood. It harms whoever plays with it.
    pub faults: Diagnostics,
}

/// A player's rule file.
#[derive(Debug, Clone)]
pub(super) struct PlayerFile {
    pub name: String,
    pub path: String,
    pub text: String,
}

impl Content {
    pub fn new(folder: &str, main: &str) -> Content {
        let tree = Node { value: Value::map(Vec::new()), span: Span::file(&format!("{folder}{main}")) };
        let (scenarios, amendments, rules, players) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let faults = Diagnostics::default();
        Content { folder: folder.to_owned(), tree, scenarios, amendments, rules, players, faults }
    }

    /// Reads a file into the part that it belongs to.
    fn add(&mut self, library: &Library, inner: &str, path: &str, found: &mut Diagnostics) {
        let text = || library.text(path).unwrap_or_default();
        match inner.split_once('/') {
            Some(("scenarios", file)) if file.ends_with(".yaml") => {
                self.scenarios.extend(library.tree(path, found));
            }
            Some(("amendments", file)) if file.ends_with(".yaml") || file.contains('/') => {
                let (name, main, inner) = match file.split_once('/') {
                    Some((name, inner)) => (name, "/amendment.yaml", inner),
                    None => (file.strip_suffix(".yaml").unwrap_or(file), ".yaml", file),
                };
                let folder = format!("{}/amendments/{name}", self.folder);
                let at = self.amendments.iter().position(|a| a.folder == folder).unwrap_or_else(|| {
                    self.amendments.push(Content::new(&folder, main));
                    self.amendments.len() - 1
                });
                let mut faults = std::mem::take(&mut self.amendments[at].faults);
                self.amendments[at].add(library, inner, path, &mut faults);
                self.amendments[at].faults = faults;
            }
            Some(("rules", file)) if file.ends_with(".luau") => {
                let (module, path, text) = (file.trim_end_matches(".luau").to_owned(), path.into(), text().into());
                self.rules.push(RuleFile { module, path, text, amendment: None });
            }
            Some(("players", file)) if !file.contains('/') && !file.ends_with(".yml") => {
                self.add_player(library, file, path, found);
            }
            // Read by those who use them.
            Some(("examples", file)) if file.ends_with(".yaml") => (),
            None if inner == "bot.luau" => {
                let help = "it is a player called `plain` now: move it to `players/plain.luau`";
                found.error("moved", &Span::file(path), "a bot is not read here", help);
            }
            None if inner.ends_with(".yaml") => {
                let tree = library.tree(path, found);
                tree.into_iter().for_each(|tree| merge(&mut self.tree, tree, found));
            }
            _ => found.warning("unread", &Span::file(path), "nothing reads this file", where_it_belongs(inner)),
        }
    }

    /// A player's rows stand in the tree, under its name.
    fn add_player(&mut self, library: &Library, file: &str, path: &str, found: &mut Diagnostics) {
        if let Some(name) = file.strip_suffix(".luau") {
            let text = library.text(path).unwrap_or_default().to_owned();
            self.players.push(PlayerFile { name: name.to_owned(), path: path.to_owned(), text });
        } else if let Some(name) = file.strip_suffix(".yaml")
            && let Some(node) = library.tree(path, found)
        {
            let of = |name: &str, node: Node| {
                let key = Node { value: Value::Text(name.into()), span: Span::file(path) };
                let span = node.span.clone();
                Node { value: Value::map(vec![(key, node)]), span }
            };
            merge(&mut self.tree, of("players", of(name, node)), found);
        }
    }

    /// Lays what an amendment carries beside what is there; a player's rule file stands in place of one of that name.
    pub fn join(&mut self, at: usize, amendment: Content, found: &mut Diagnostics) {
        merge(&mut self.tree, amendment.tree, found);
        self.scenarios.extend(amendment.scenarios);
        self.players.retain(|file| amendment.players.iter().all(|own| own.name != file.name));
        self.players.extend(amendment.players);
        self.rules.extend(amendment.rules.into_iter().map(|file| RuleFile { amendment: Some(at), ..file }));
    }
}

/// Where a file belongs that lies where nothing reads it.
fn where_it_belongs(inner: &str) -> String {
    const FOLDERS: [&str; 5] = ["amendments", "examples", "players", "rules", "scenarios"];
    match inner.split_once('/') {
        _ if inner.ends_with(".yml") => "name it `.yaml`".to_owned(),
        _ if inner.ends_with(".lua") => "name it `.luau`".to_owned(),
        _ if inner.ends_with(".march") => "records lie in no ruleset".to_owned(),
        Some((folder, _)) if !FOLDERS.contains(&folder) => suggest(folder, FOLDERS),
        Some(("rules" | "players", _)) => "`rules/` holds rule files, `players/` NAME.yaml and NAME.luau".to_owned(),
        Some(_) => "only files named `.yaml` are read in this folder".to_owned(),
        None => "rule files lie in `rules/`, those of players in `players/`".to_owned(),
    }
}

/// Reads everything under `rulesets/<id>/`.
pub(super) fn read(library: &Library, id: &str, found: &mut Diagnostics) -> Content {
    let mut content = Content::new(&format!("rulesets/{id}"), "/ruleset.yaml");
    found.extend(library.faults(&format!("rulesets/{id}")));
    let prefix = format!("rulesets/{id}/");
    parse_all(library, &prefix);
    for (path, _) in library.under(&prefix) {
        content.add(library, &path[prefix.len()..], path, found);
    }
    // The first is played where none is asked for: one of the game's own, whatever is added to it.
    content.scenarios.sort_by_key(|scenario| library.is_added(&scenario.span.file));
    content
}

/// Has all files of a ruleset that [`Content::add`] reads parsed side by side, and its map with them.
fn parse_all(library: &Library, prefix: &str) {
    let mut ignored = Diagnostics::default();
    let manifest = library.tree(&format!("{prefix}ruleset.yaml"), &mut ignored);
    let map = manifest.as_ref().and_then(|tree| tree.get("map")).and_then(Node::text);
    let map = map.map(|map| format!("maps/{map}.yaml"));
    let is_read = |path: &&str| {
        let inner = &path[prefix.len()..];
        let is_there = !inner.contains('/') || ["scenarios/", "amendments/"].iter().any(|part| inner.starts_with(part));
        is_there && inner.ends_with(".yaml") && !inner.contains("/examples/")
    };
    let files = library.under(prefix).map(|(path, _)| path).filter(is_read);
    library.parse_trees(files.chain(map.as_deref()));
}

/// Things of one kind are counted in 16 bits.
const MOST: usize = 20_000;

/// Puts one file's keys beside the others'. The same key in two files joins lists and maps.
pub(super) fn merge(tree: &mut Node, file: Node, found: &mut Diagnostics) {
    let (Value::Map(into), Value::Map(from)) = (&mut tree.value, &file.value) else {
        found.error("type", &file.span, "a file of a ruleset is a map", "begin with `key: value`");
        return;
    };
    let into = Arc::make_mut(into);
    for (key, value) in from.iter() {
        let count = match &value.value {
            Value::Text(_) => 0,
            Value::List(list) => list.len(),
            Value::Map(map) => map.len(),
        };
        if count > MOST {
            found.error(
                "too-many",
                &key.span,
                format!("{count} are more than {MOST} of one kind"),
                "join some of them",
            );
            continue;
        }
        let Some((_, there)) = into.iter_mut().find(|(k, _)| k.text() == key.text()) else {
            into.push((key.clone(), value.clone()));
            continue;
        };
        match (&mut there.value, &value.value) {
            (Value::List(a), Value::List(b)) => Arc::make_mut(a).extend_from_slice(b),
            (Value::Map(a), Value::Map(b)) => {
                let a = Arc::make_mut(a);
                for (name, item) in b.iter() {
                    if a.iter().any(|(k, _)| k.text() == name.text()) {
                        let text = name.text().unwrap_or("");
                        let message = format!("`{text}` is also given in another file");
                        found.error("twice", &name.span, message, "delete one of the two");
                    } else {
                        a.push((name.clone(), item.clone()));
                    }
                }
            }
            _ => {
                let text = key.text().unwrap_or("");
                let message = format!("`{text}` is also given in another file");
                found.error("twice", &key.span, message, "delete one of the two");
            }
        }
    }
}

/// A map as it was understood, for all versions that leave it as it is.
pub(super) struct ReadMap {
    pub map: Option<Arc<Map>>,
    pub faults: Diagnostics,
    /// The hash of what play depends on, once somebody has asked.
    hash: OnceLock<u32>,
}

/// Understands a map, unless that was done before.
pub(super) fn read_map(library: &Library, node: &Node) -> Arc<ReadMap> {
    library.kept().of_tree(node, || {
        let mut faults = Diagnostics::default();
        let map = map::load(node, &mut faults).map(Arc::new);
        ReadMap { map, faults, hash: OnceLock::new() }
    })
}

/// Keys of the tree that no play depends on: they are read by people, look on, or stand elsewhere in it.
const NOT_PLAYED: [&str; 21] = [
    "about",
    "always",
    "arrivals",
    "board",
    "chance",
    "credits",
    "faces",
    "formations",
    "ladder",
    "map",
    "notes",
    "players",
    "rulebook",
    "ruleset",
    "scenarios",
    "sources",
    "texts",
    "title",
    "turns",
    "versions",
    "victory",
];
/// Keys of an item that say where something is printed and how it is told.
const SAID: [&str; 9] = ["ask", "assert", "cite", "color", "from", "halves", "say", "says", "sign"];

/// A hash of each part of the amended content that play depends on: `units`, `rows`, `map`, `scenarios/day-one`,
/// `rules/combat`. Comments, citations, provenance and wording are left out, so that a record is not said to be of
/// another game for their sake.
pub(super) fn parts(tree: &Node, read: &ReadMap, rules: &[RuleFile]) -> BTreeMap<String, u32> {
    let mut parts = BTreeMap::new();
    let hash = |node: &Node, is_item: bool| {
        let mut hasher = Xxh3::new();
        played(node, is_item, &mut hasher);
        hasher.digest() as u32
    };
    if let Value::Map(keys) = &tree.value {
        for (key, value) in keys.iter() {
            let name = key.text().unwrap_or("");
            if !NOT_PLAYED.contains(&name) {
                parts.insert(name.to_owned(), hash(value, false));
            }
        }
    }
    if let Some(map) = tree.get("map") {
        parts.insert("map".into(), *read.hash.get_or_init(|| hash(map, true)));
    }
    if let Some(Value::List(scenarios)) = tree.get("scenarios").map(|n| &n.value) {
        for scenario in scenarios.iter() {
            let id = scenario.get("scenario").and_then(Node::text).unwrap_or("");
            parts.insert(format!("scenarios/{id}"), hash(scenario, true));
        }
    }
    // What several files have of one module plays together, in their order.
    let mut modules: BTreeMap<&str, Xxh3> = BTreeMap::new();
    for file in rules {
        let hasher = modules.entry(&file.module).or_default();
        let code = file.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--"));
        code.for_each(|line| word(line, hasher));
    }
    parts.extend(modules.into_iter().map(|(module, hasher)| (format!("rules/{module}"), hasher.digest() as u32)));
    parts
}

/// `is_item`: its keys are words of the engine. Those of a whole part are names, and may be any: a verb called `from`.
fn played(node: &Node, is_item: bool, hasher: &mut Xxh3) {
    match &node.value {
        Value::Text(text) => word(text, hasher),
        Value::List(list) => {
            list.iter().for_each(|item| played(item, true, hasher));
            hasher.update(&[1]);
        }
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let name = key.text().unwrap_or("");
                if !is_item || !SAID.contains(&name) {
                    word(name, hasher);
                    played(value, true, hasher);
                }
            }
            hasher.update(&[2]);
        }
    }
}

/// A hash of a piece of content as it is written, without its comments.
pub(super) fn hash_of(node: &Node) -> u32 {
    let mut hasher = Xxh3::new();
    played(node, false, &mut hasher);
    hasher.digest() as u32
}

fn word(text: &str, hasher: &mut Xxh3) {
    hasher.update(text.as_bytes());
    hasher.update(&[0]);
}

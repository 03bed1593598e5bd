//! All files of a ruleset as one tree, before anything in it is understood.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;

use super::rules::RuleFile;
use crate::{
    diagnostic::{Diagnostics, Span},
    library::Library,
    yaml::{self, Node, Value},
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
}

/// A player's rule file.
#[derive(Debug, Clone)]
pub(super) struct PlayerFile {
    pub name: String,
    pub path: String,
    pub text: String,
}

impl Content {
    fn new(folder: &str, main: &str) -> Content {
        let tree = Node { value: Value::Map(Vec::new()), span: Span::file(&format!("{folder}{main}")) };
        let (scenarios, amendments, rules) = (Vec::new(), Vec::new(), Vec::new());
        Content { folder: folder.to_owned(), tree, scenarios, amendments, rules, players: Vec::new() }
    }

    /// Reads a file into the part that it belongs to.
    fn add(&mut self, inner: &str, path: &str, text: &str, found: &mut Diagnostics) {
        match inner.split_once('/') {
            Some(("scenarios", file)) if file.ends_with(".yaml") => {
                self.scenarios.push(yaml::parse(path, text, found));
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
                self.amendments[at].add(inner, path, text, found);
            }
            Some(("rules", file)) if file.ends_with(".luau") => {
                let (module, path, text) = (file.trim_end_matches(".luau").to_owned(), path.into(), text.into());
                self.rules.push(RuleFile { module, path, text, amendment: None });
            }
            Some(("players", file)) if !file.contains('/') => self.add_player(file, path, text, found),
            Some(_) => (), // examples, texts, art: read by those who use them
            None if inner == "bot.luau" => {
                let help = "it is a player called `plain` now: move it to `players/plain.luau`";
                found.error("moved", &Span::file(path), "a bot is not read here", help);
            }
            None if inner.ends_with(".yaml") => merge(&mut self.tree, yaml::parse(path, text, found), found),
            None => (),
        }
    }

    /// A player's rows stand in the tree, under its name.
    fn add_player(&mut self, file: &str, path: &str, text: &str, found: &mut Diagnostics) {
        if let Some(name) = file.strip_suffix(".luau") {
            self.players.push(PlayerFile { name: name.to_owned(), path: path.to_owned(), text: text.to_owned() });
        } else if let Some(name) = file.strip_suffix(".yaml") {
            let node = yaml::parse(path, text, found);
            let key = |name: &str| Node { value: Value::Text(name.to_owned()), span: Span::file(path) };
            let of = |key, node: Node| {
                let span = node.span.clone();
                Node { value: Value::Map(vec![(key, node)]), span }
            };
            merge(&mut self.tree, of(key("players"), of(key(name), node)), found);
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

/// Reads everything under `rulesets/<id>/`.
pub(super) fn read(library: &Library, id: &str, found: &mut Diagnostics) -> Content {
    let mut content = Content::new(&format!("rulesets/{id}"), "/ruleset.yaml");
    found.extend(library.faults(&format!("rulesets/{id}")));
    let prefix = format!("rulesets/{id}/");
    for (path, text) in library.under(&prefix) {
        content.add(&path[prefix.len()..], path, text, found);
    }
    content
}

/// Things of one kind are counted in 16 bits.
const MOST: usize = 20_000;

/// Puts one file's keys beside the others'. The same key in two files joins lists and maps.
pub(super) fn merge(tree: &mut Node, file: Node, found: &mut Diagnostics) {
    let (Value::Map(into), Value::Map(from)) = (&mut tree.value, file.value) else {
        found.error("type", &file.span, "a file of a ruleset is a map", "begin with `key: value`");
        return;
    };
    for (key, value) in from {
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
            into.push((key, value));
            continue;
        };
        match (&mut there.value, value.value) {
            (Value::List(a), Value::List(b)) => a.extend(b),
            (Value::Map(a), Value::Map(b)) => {
                for (name, item) in b {
                    if a.iter().any(|(k, _)| k.text() == name.text()) {
                        let text = name.text().unwrap_or("");
                        let message = format!("`{text}` is also given in another file");
                        found.error("twice", &name.span, message, "delete one of the two");
                    } else {
                        a.push((name, item));
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

/// Keys of the tree that no play depends on: they are read by people, look on, or stand elsewhere in it.
const NOT_PLAYED: [&str; 20] = [
    "about",
    "always",
    "arrivals",
    "board",
    "chance",
    "credits",
    "faces",
    "formations",
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
const SAID: [&str; 8] = ["ask", "cite", "color", "from", "halves", "say", "says", "sign"];

/// A hash of each part of the amended content that play depends on: `units`, `rows`, `map`, `scenarios/day-one`,
/// `rules/combat`. Comments, citations, provenance and wording are left out, so that a record is not said to be of
/// another game for their sake.
pub(super) fn parts(tree: &Node, rules: &[RuleFile]) -> BTreeMap<String, u32> {
    let mut parts = BTreeMap::new();
    let mut add = |name: String, write: &dyn Fn(&mut Xxh3)| {
        let mut hasher = Xxh3::new();
        write(&mut hasher);
        parts.insert(name, hasher.digest() as u32);
    };
    if let Value::Map(keys) = &tree.value {
        for (key, value) in keys {
            let name = key.text().unwrap_or("");
            if !NOT_PLAYED.contains(&name) {
                add(name.to_owned(), &|hasher| played(value, false, hasher));
            }
        }
    }
    if let Some(map) = tree.get("map") {
        add("map".into(), &|hasher| played(map, true, hasher));
    }
    if let Some(Value::List(scenarios)) = tree.get("scenarios").map(|n| &n.value) {
        for scenario in scenarios {
            let id = scenario.get("scenario").and_then(Node::text).unwrap_or("");
            add(format!("scenarios/{id}"), &|hasher| played(scenario, true, hasher));
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
            for (key, value) in map {
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

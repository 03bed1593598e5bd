//! All files of a ruleset as one tree, before anything in it is understood.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;

use super::{Cite, Rule, Rulebook};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    library::Library,
    yaml::{self, Node, Value},
};

/// A ruleset's files, read but not understood.
pub(super) struct Content {
    /// Keys of all plain files together.
    pub tree: Node,
    /// One node for each file of `scenarios/`.
    pub scenarios: Vec<Node>,
    /// One node for each file of `amendments/`.
    pub amendments: Vec<Node>,
    /// Rule files: module, path, text.
    pub rules: Vec<(String, String, String)>,
    /// `bot.luau`.
    pub bot: Option<(String, String)>,
}

/// Reads everything under `rulesets/<id>/`.
pub(super) fn read(library: &Library, id: &str, found: &mut Diagnostics) -> Content {
    let prefix = format!("rulesets/{id}/");
    let empty = Node { value: Value::Map(Vec::new()), span: Span::file(&format!("{prefix}ruleset.yaml")) };
    let mut content =
        Content { tree: empty, scenarios: Vec::new(), amendments: Vec::new(), rules: Vec::new(), bot: None };
    found.extend(library.faults(prefix.trim_end_matches('/')));
    for (path, text) in library.under(&prefix) {
        let inner = &path[prefix.len()..];
        match inner.split_once('/') {
            Some(("scenarios", file)) if file.ends_with(".yaml") => {
                content.scenarios.push(yaml::parse(path, text, found));
            }
            Some(("amendments", file)) if file.ends_with(".yaml") => {
                content.amendments.push(yaml::parse(path, text, found));
            }
            Some(("rules", file)) if file.ends_with(".luau") => {
                let module = file.trim_end_matches(".luau").to_owned();
                content.rules.push((module, path.to_owned(), text.to_owned()));
            }
            Some(_) => (), // examples, texts, art: read by those who use them
            None if inner == "bot.luau" => content.bot = Some((path.to_owned(), text.to_owned())),
            None if inner.ends_with(".yaml") => merge(&mut content.tree, yaml::parse(path, text, found), found),
            None => (),
        }
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
const NOT_PLAYED: [&str; 18] = [
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
    "rulebook",
    "ruleset",
    "scenarios",
    "sources",
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
pub(super) fn parts(tree: &Node, rules: &[(String, String, String)]) -> BTreeMap<String, u32> {
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
    for (module, _, text) in rules {
        let code = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--"));
        add(format!("rules/{module}"), &|hasher| code().for_each(|line| word(line, hasher)));
    }
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

fn word(text: &str, hasher: &mut Xxh3) {
    hasher.update(text.as_bytes());
    hasher.update(&[0]);
}

/// Finds the rules in Luau text: `function module.name(` with its comment above. The comment's first line says
/// what the rule does and `@cite` names its paragraph, so the loader knows every rule without running any.
pub(super) fn scan(module: &str, path: &str, text: &str, book: &Rulebook, found: &mut Diagnostics) -> Vec<Rule> {
    let mut rules = Vec::new();
    let (mut says, mut cite) = (String::new(), Cite::NONE);
    let mut offset = 0;
    for (number, line) in text.split('\n').enumerate() {
        let span = Span { file: path.into(), start: offset, end: offset + line.len() };
        offset += line.len() + 1;
        if let Some(comment) = line.strip_prefix("---") {
            let comment = comment.trim();
            if let Some(id) = comment.strip_prefix("@cite ") {
                let id = id.trim();
                match book.find(id) {
                    Some(at) => cite = at,
                    None => {
                        let help = suggest(id, book.entries.iter().map(|e| e.id.as_str()));
                        found.error("unknown-cite", &span, format!("`{id}` does not stand in the rulebook"), help);
                    }
                }
            } else if says.is_empty() {
                says = comment.to_owned();
            }
            continue;
        }
        if let Some(rest) = line.strip_prefix("function ")
            && let Some((name, _)) = rest.split_once('(')
            && let Some((owner, _)) = name.split_once('.')
        {
            if owner == module {
                let at = (path.to_owned(), number + 1);
                rules.push(Rule { name: name.to_owned(), cite, at, says: std::mem::take(&mut says) });
            } else {
                let message = format!("`{name}` stands in the file of module `{module}`");
                found.error("module", &span, message, format!("call it `{module}.{}`", &name[owner.len() + 1..]));
            }
        }
        says.clear();
        cite = Cite::NONE;
    }
    if rules.len() > MOST {
        let message = format!("{} rules are more than {MOST}", rules.len());
        found.error("too-many", &Span::file(path), message, "join some of them");
    }
    rules
}

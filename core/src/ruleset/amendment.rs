//! Amendments: single changes to a ruleset that can be on or off, and versions, which are sets of them.

use std::fmt;

use super::rulebook::step;
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    yaml::{Node, Value},
};

/// What sort of change it is; screens say the sort, not the word amendment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum AmendmentKind {
    Erratum,
    Clarification,
    Answer,
    Optional,
    Tournament,
    House,
    Reconstruction,
}

impl AmendmentKind {
    const NAMES: [(&'static str, AmendmentKind); 7] = [
        ("erratum", AmendmentKind::Erratum),
        ("clarification", AmendmentKind::Clarification),
        ("answer", AmendmentKind::Answer),
        ("optional", AmendmentKind::Optional),
        ("tournament", AmendmentKind::Tournament),
        ("house", AmendmentKind::House),
        ("reconstruction", AmendmentKind::Reconstruction),
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        AmendmentKind::NAMES.iter().find(|(_, k)| *k == self).map_or("", |(n, _)| n)
    }
}

/// One change.
#[derive(Debug, Clone)]
pub struct Amendment {
    /// Short name.
    pub id: String,
    /// Title.
    pub title: String,
    /// Why, and on what evidence.
    pub about: String,
    /// What sort of change.
    pub kind: AmendmentKind,
    /// Amendments it cannot be without.
    pub needs: Vec<String>,
    /// Amendments it cannot be with.
    pub excludes: Vec<String>,
    /// Its edits.
    pub edits: Vec<Edit>,
    /// Whether it is on in this version.
    pub on: bool,
    /// Where it is written.
    pub span: Span,
}

/// One edit of the content.
#[derive(Debug, Clone)]
pub struct Edit {
    /// What is edited.
    pub path: String,
    /// How.
    pub how: EditKind,
    /// Where it is written.
    pub span: Span,
}

/// How content is edited.
#[derive(Debug, Clone)]
pub enum EditKind {
    /// A value that was this becomes that.
    Set(Option<Node>, Node),
    /// An item is added at the end of a list, or under a key of a map.
    Add(Option<String>, Node),
    /// An item is taken away.
    Drop,
}

/// The part after `@`: a named set, and amendments put on it (`+`) or taken from it (`~`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionName {
    /// Named version.
    pub base: String,
    /// Added amendments.
    pub with: Vec<String>,
    /// Amendments left out.
    pub without: Vec<String>,
}

impl Default for VersionName {
    fn default() -> VersionName {
        VersionName { base: "base".into(), with: Vec::new(), without: Vec::new() }
    }
}

impl fmt::Display for VersionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.base)?;
        self.with.iter().try_for_each(|a| write!(f, "+{a}"))?;
        self.without.iter().try_for_each(|a| write!(f, "~{a}"))
    }
}

impl VersionName {
    /// Reads `base+a+b~c`.
    pub fn parse(text: &str) -> VersionName {
        let mut name = VersionName { base: String::new(), ..VersionName::default() };
        let mut rest = text;
        let mut sign = ' ';
        loop {
            let end = rest.find(['+', '~']).unwrap_or(rest.len());
            let word = rest[..end].trim().to_owned();
            match sign {
                '+' => name.with.push(word),
                '~' => name.without.push(word),
                _ => name.base = if word.is_empty() { "base".into() } else { word },
            }
            if end == rest.len() {
                return name;
            }
            sign = char::from(rest.as_bytes()[end]);
            rest = &rest[end + 1..];
        }
    }
}

/// Reads one amendment.
pub(super) fn read(node: &Node, found: &mut Diagnostics) -> Amendment {
    let mut fields = node.fields(found);
    let id = fields.must("amendment", found).map(|n| n.as_text(found)).unwrap_or_default();
    let title = fields.must("title", found).map(|n| n.as_text(found)).unwrap_or_default();
    let about = fields.text("about", found).unwrap_or_default();
    fields.may("cite");
    fields.may("nature");
    let kind = fields.must("kind", found).map_or(AmendmentKind::House, |n| {
        let text = n.as_text(found);
        AmendmentKind::NAMES.iter().find(|(name, _)| *name == text).map_or_else(
            || {
                let help = suggest(&text, AmendmentKind::NAMES.iter().map(|(n, _)| *n));
                found.error("unknown-name", &n.span, format!("`{text}` is no kind of amendment"), help);
                AmendmentKind::House
            },
            |(_, k)| *k,
        )
    });
    let needs = fields.texts("needs", found);
    let excludes = fields.texts("excludes", found);
    let edits = fields.must("change", found).map(|n| edits(n, found)).unwrap_or_default();
    fields.finish(found);
    Amendment { id, title, about, kind, needs, excludes, edits, on: false, span: node.span.clone() }
}

/// Reads a list of edits, as an amendment has it under `change:`.
pub fn edits(node: &Node, found: &mut Diagnostics) -> Vec<Edit> {
    node.items(found).iter().filter_map(|item| edit(item, found)).collect()
}

fn edit(item: &Node, found: &mut Diagnostics) -> Option<Edit> {
    let mut fields = item.fields(found);
    let (set, add, drop) = (fields.may("set"), fields.may("add"), fields.may("drop"));
    let (was, now) = (fields.may("was").cloned(), fields.may("now").cloned());
    let (key, value) = (fields.text("key", found), fields.may("item").cloned());
    fields.finish(found);
    let span = item.span.clone();
    match (set, add, drop, now, value) {
        (Some(path), None, None, Some(now), None) => {
            Some(Edit { path: path.as_text(found), how: EditKind::Set(was, now), span })
        }
        (None, Some(path), None, None, Some(item)) => {
            Some(Edit { path: path.as_text(found), how: EditKind::Add(key, item), span })
        }
        (None, None, Some(path), None, None) => Some(Edit { path: path.as_text(found), how: EditKind::Drop, span }),
        _ => {
            let help = "write { set: path, was: old, now: new }, { add: path, item: ... } or { drop: path }";
            found.error("amendment", &span, "this edit cannot be read", help);
            None
        }
    }
}

/// Which amendments a version turns on; everything wrong with the choice is recorded.
pub(super) fn choose(
    amendments: &mut [Amendment],
    named: Option<&Node>,
    version: &VersionName,
    manifest: &str,
    found: &mut Diagnostics,
) {
    let here = named.map_or_else(|| Span::file(manifest), |n| n.span.clone());
    let base: Vec<String> = match named.and_then(|n| n.get(&version.base)) {
        Some(list) => list.items(found).iter().map(|n| n.as_text(found)).collect(),
        None if version.base == "base" => Vec::new(),
        None => {
            let known = named.map(|n| n.entries(found)).unwrap_or_default();
            let known = known.iter().filter_map(|(k, _)| k.text()).chain(["base"]);
            let help = suggest(&version.base, known);
            found.error("unknown-version", &here, format!("there is no version `{}`", version.base), help);
            Vec::new()
        }
    };
    for id in base.iter().chain(&version.with).chain(&version.without) {
        if !amendments.iter().any(|a| a.id == *id) {
            let help = suggest(id, amendments.iter().map(|a| a.id.as_str()));
            found.error("unknown-amendment", &here, format!("there is no amendment `{id}`"), help);
        }
    }
    let on = |id: &String| (base.contains(id) || version.with.contains(id)) && !version.without.contains(id);
    for amendment in amendments.iter_mut() {
        amendment.on = on(&amendment.id);
    }
    for amendment in amendments.iter().filter(|a| a.on) {
        for other in amendment.needs.iter().filter(|n| !on(n)) {
            let message = format!("`{}` needs `{other}`, which is off", amendment.id);
            found.error("needs", &amendment.span, message, format!("add +{other}"));
        }
        for other in amendment.excludes.iter().filter(|n| on(n)) {
            let message = format!("`{}` and `{other}` exclude each other", amendment.id);
            found.error("excludes", &amendment.span, message, format!("leave one out: ~{other}"));
        }
    }
}

/// Applies the edits of all amendments that are on. Two that set or drop the same value are refused.
pub(super) fn apply(content: &mut Node, amendments: &[Amendment], found: &mut Diagnostics) {
    let mut done: Vec<(&str, &str)> = Vec::new();
    for amendment in amendments.iter().filter(|a| a.on) {
        for edit in &amendment.edits {
            if !matches!(edit.how, EditKind::Add(..)) {
                if let Some((_, other)) = done.iter().find(|(p, a)| *p == edit.path && *a != amendment.id) {
                    let message = format!("`{}` and `{other}` both change `{}`", amendment.id, edit.path);
                    let help = format!("leave one out: ~{other} or ~{}", amendment.id);
                    found.error("conflict", &edit.span, message, help);
                    continue;
                }
                done.push((&edit.path, &amendment.id));
            }
            change(content, &edit.path, &edit.how, &edit.span, found);
        }
    }
}

/// Applies one edit.
pub(super) fn change(content: &mut Node, path: &str, how: &EditKind, span: &Span, found: &mut Diagnostics) {
    match how {
        EditKind::Set(was, now) => match find(content, path) {
            Some(node) => {
                if let Some(was) = was
                    && written(was) != written(node)
                {
                    let message = format!("`{path}` is {}, not {}", written(node), written(was));
                    found.error("was", span, message, "the ruleset has moved on: look whether the change still fits");
                }
                *node = now.clone();
            }
            None => no_path(content, path, span, found),
        },
        EditKind::Add(key, item) => match find(content, path).map(|n| &mut n.value) {
            Some(Value::List(list)) => list.push(item.clone()),
            Some(Value::Map(map)) => match key {
                Some(key) => {
                    let name = Node { value: Value::Text(key.clone()), span: span.clone() };
                    map.push((name, item.clone()));
                }
                None => found.error("amendment", span, "a map needs the key to add under", "write `key: ...`"),
            },
            Some(Value::Text(_)) => found.error("amendment", span, format!("`{path}` is a single value"), "use set"),
            None => no_path(content, path, span, found),
        },
        EditKind::Drop => {
            let (outer, last) = path.rsplit_once('/').unwrap_or(("", path));
            let dropped = match find(content, outer).map(|n| &mut n.value) {
                Some(Value::List(list)) => {
                    let before = list.len();
                    list.retain(|n| n.text() != Some(last) && n.get("id").and_then(Node::text) != Some(last));
                    before != list.len()
                }
                Some(Value::Map(map)) => {
                    let before = map.len();
                    map.retain(|(k, _)| k.text() != Some(last));
                    before != map.len()
                }
                _ => false,
            };
            if !dropped {
                no_path(content, path, span, found);
            }
        }
    }
}

fn no_path(content: &Node, path: &str, span: &Span, found: &mut Diagnostics) {
    // The longest part that exists shows where the path goes astray.
    let mut known = path;
    while !known.is_empty() && step(content, known).is_none() {
        known = known.rsplit_once('/').map_or("", |(head, _)| head);
    }
    let help = if known.is_empty() {
        "a path begins with a top key, like `units/...`".to_owned()
    } else {
        format!("`{known}` exists")
    };
    found.error("no-path", span, format!("the ruleset has nothing at `{path}`"), help);
}

fn find<'a>(node: &'a mut Node, path: &str) -> Option<&'a mut Node> {
    if path.is_empty() {
        return Some(node);
    }
    match &mut node.value {
        Value::Map(map) => {
            let fits = |k: &Node| {
                k.text().is_some_and(|t| path == t || path.strip_prefix(t).is_some_and(|r| r.starts_with('/')))
            };
            let at = (0..map.len()).filter(|i| fits(&map[*i].0)).max_by_key(|i| map[*i].0.text().map(str::len))?;
            let rest = path[map[at].0.text()?.len()..].trim_start_matches('/');
            find(&mut map[at].1, rest)
        }
        Value::List(list) => {
            let (head, rest) = path.split_once('/').unwrap_or((path, ""));
            let keys = ["id", "name", "scenario", "unit", "at"];
            let item = list
                .iter_mut()
                .find(|n| n.text() == Some(head) || keys.iter().any(|k| n.get(k).and_then(Node::text) == Some(head)))?;
            find(item, rest)
        }
        Value::Text(_) => None,
    }
}

/// A value as one would write it on a line.
pub(super) fn written(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => text.clone(),
        Value::List(list) => format!("[{}]", list.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let all: Vec<_> = map.iter().map(|(k, v)| format!("{}: {}", written(k), written(v))).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_as_it_is_written() {
        for text in ["@base", "@clarified~28", "@base+15.d+16", "@printed+a~b"] {
            assert_eq!(VersionName::parse(&text[1..]).to_string(), text);
        }
    }
}

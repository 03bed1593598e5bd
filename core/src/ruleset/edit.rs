//! Edits of the content, as amendments, examples and `--set` make them, before anything in it is understood.

use std::{fmt, sync::Arc};

use super::path::{Route, at_mut, find, route};
use crate::{
    diagnostic::{Diagnostics, Span},
    yaml::{Node, Value},
};

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
    /// An item is added to a list or a map.
    Add(Where, Node),
    /// An item is taken away.
    Drop,
}

/// Where an item is added.
#[derive(Debug, Clone)]
pub enum Where {
    /// At the end of a list.
    Last,
    /// Before a member of a list.
    Before(String),
    /// After a member of a list.
    After(String),
    /// Under a key of a map.
    Key(String),
}

/// Reads a list of edits, as an amendment has it under `change:`.
pub fn edits(node: &Node, found: &mut Diagnostics) -> Vec<Edit> {
    node.items(found).iter().filter_map(|item| edit(item, found)).collect()
}

fn edit(item: &Node, found: &mut Diagnostics) -> Option<Edit> {
    let mut fields = item.fields(found);
    let (set, add, drop) = (fields.may("set"), fields.may("add"), fields.may("drop"));
    let (was, now) = (fields.may("was").cloned(), fields.may("now").cloned());
    let mut places = Vec::new();
    places.extend(fields.text("before", found).map(Where::Before));
    places.extend(fields.text("after", found).map(Where::After));
    places.extend(fields.text("key", found).map(Where::Key));
    let value = fields.may("item").cloned();
    fields.finish(found);
    let span = item.span.clone();
    match (set, add, drop, now, value) {
        (Some(path), None, None, Some(now), None) if places.is_empty() => {
            Some(Edit { path: path.as_text(found), how: EditKind::Set(was, now), span })
        }
        (None, Some(path), None, None, Some(item)) if places.len() < 2 => {
            let place = places.pop().unwrap_or(Where::Last);
            Some(Edit { path: path.as_text(found), how: EditKind::Add(place, item), span })
        }
        (None, None, Some(path), None, None) if places.is_empty() => {
            Some(Edit { path: path.as_text(found), how: EditKind::Drop, span })
        }
        _ => {
            let help = "write { set: path, was: old, now: new }, { add: path, item: ... }, perhaps with one of before:, \
                        after: and key:, or { drop: path }";
            found.error("amendment", &span, "this edit cannot be read", help);
            None
        }
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match &self.how {
            EditKind::Set(Some(was), now) => write!(f, "{path}: {}, now {}", written(was), written(now)),
            EditKind::Set(None, now) => write!(f, "{path}: now {}", written(now)),
            EditKind::Add(place, item) => {
                let place = match place {
                    Where::Last => String::new(),
                    Where::Before(member) => format!(", before {member}"),
                    Where::After(member) => format!(", after {member}"),
                    Where::Key(key) => format!(", {key}"),
                };
                write!(f, "{path}: added{place}: {}", written(item))
            }
            EditKind::Drop => write!(f, "{path}: dropped"),
        }
    }
}

impl Edit {
    /// Whether it changes which steps the sequence of play has.
    fn is_of_steps(&self) -> bool {
        (self.path == "sequence" || self.path.starts_with("sequence/")) && !matches!(self.how, EditKind::Set(..))
    }

    /// Makes it.
    pub(super) fn apply(&self, content: &mut Node, found: &mut Diagnostics) {
        if self.is_of_steps() {
            take_steps_apart(content);
        }
        let (path, span) = (&self.path, &self.span);
        if path.is_empty() {
            let help = "name what is to be changed, as in units/ann/strength";
            found.error("no-path", span, "a change of nothing", help);
            return;
        }
        let Some(at) = told(content, path, path, span, found) else { return };
        match &self.how {
            EditKind::Set(was, now) => {
                let Some(node) = at_mut(content, &at) else { return };
                if let Some(was) = was
                    && written(was) != written(node)
                {
                    let message = format!("`{path}` is {}, not {}", written(node), written(was));
                    found.error("was", span, message, "the ruleset has moved on: look whether the change still fits");
                }
                *node = now.clone();
            }
            EditKind::Add(place, item) => self.add(content, at, place, item, found),
            EditKind::Drop => {
                let Some((last, outer)) = at.split_last() else { return };
                match at_mut(content, outer).map(|node| &mut node.value) {
                    Some(Value::List(list)) => drop(Arc::make_mut(list).remove(*last)),
                    Some(Value::Map(map)) => drop(Arc::make_mut(map).remove(*last)),
                    _ => (),
                }
            }
        }
    }

    fn add(&self, content: &mut Node, mut into: Route, place: &Where, item: &Node, found: &mut Diagnostics) {
        let (path, span) = (&self.path, &self.span);
        let mut at = None;
        if let Where::Before(member) | Where::After(member) = place {
            // In the sequence a step may lie deeper than the list that the path names.
            let whole = format!("{path}/{member}");
            let Some(found_at) = told(content, &whole, member, span, found) else { return };
            let (last, outer) = found_at.split_last().map_or((0, &[][..]), |(last, outer)| (*last, outer));
            at = Some(last + usize::from(matches!(place, Where::After(_))));
            into = outer.to_vec();
        }
        match (at_mut(content, &into).map(|node| &mut node.value), place) {
            (Some(Value::List(_)), Where::Key(_)) => {
                found.error("amendment", span, format!("`{path}` is a list, which has no keys"), "leave out `key:`");
            }
            (Some(Value::List(list)), _) => {
                let at = at.unwrap_or(list.len()).min(list.len());
                Arc::make_mut(list).insert(at, item.clone());
            }
            (Some(Value::Map(map)), Where::Key(key)) => {
                let name = Node { value: Value::Text(key.into()), span: span.clone() };
                if map.iter().any(|(known, _)| known.text() == Some(key)) {
                    found.error("twice", span, format!("`{path}` has `{key}` already"), "set it, or add another");
                    return;
                }
                Arc::make_mut(map).push((name, item.clone()));
            }
            (Some(Value::Map(_)), Where::Last) => {
                found.error("amendment", span, "a map needs the key to add under", "write `key: ...`");
            }
            (Some(Value::Map(_)), _) => {
                found.error("amendment", span, format!("`{path}` is a map, which has no order"), "write `key: ...`");
            }
            _ => found.error("amendment", span, format!("`{path}` is a single value"), "use set"),
        }
    }
}

/// Where a path leads; one that leads nowhere is told.
fn told(content: &Node, path: &str, says: &str, span: &Span, found: &mut Diagnostics) -> Option<Route> {
    route(content, path)
        .map_err(|astray| {
            let message = if astray.is_several() {
                format!("`{says}` may be one of several")
            } else {
                format!("the ruleset has nothing at `{path}`")
            };
            let help = of_its_type(content, path).unwrap_or_else(|| astray.help());
            found.error("no-path", span, message, help);
        })
        .ok()
}

/// Where a value stands that a path looks for in a unit, and that all units of its type have.
fn of_its_type(content: &Node, path: &str) -> Option<String> {
    let (unit, value) = path.rsplit_once('/').filter(|(unit, _)| unit.starts_with("units/"))?;
    let of_all = format!("types/{}/{value}", find(content, unit)?.get("type")?.text()?);
    find(content, &of_all)?;
    Some(format!("`{unit}` has it from its type: change `{of_all}`, or add `{value}` to `{unit}` for it alone"))
}

/// Puts every step of the sequence of play by itself, so that any can be added before or after it: `run: [a.b, c.d]` is
/// the same as two steps under `phases:`.
pub(super) fn take_steps_apart(content: &mut Node) {
    let Ok(at) = route(content, "sequence") else { return };
    if let Some(Value::List(steps)) = at_mut(content, &at).map(|node| &mut node.value) {
        *steps = Arc::new(steps.iter().cloned().flat_map(apart).collect());
    }
}

fn apart(mut step: Node) -> Vec<Node> {
    let Value::Map(map) = &mut step.value else { return vec![step] };
    let is_bare = map.len() == 1;
    for (key, value) in Arc::make_mut(map) {
        let items = match (key.text(), &value.value) {
            (Some("phases"), Value::List(list)) => list.iter().cloned().flat_map(apart).collect(),
            (Some("run" | "repeat"), rules) => {
                let each = |rule: &Node| Node {
                    span: rule.span.clone(),
                    value: Value::map(vec![(key.clone(), rule.clone())]),
                };
                let rules = if let Value::List(list) = rules { list } else { std::slice::from_ref(value) };
                rules.iter().map(each).collect::<Vec<_>>()
            }
            _ => continue,
        };
        if is_bare && key.text() != Some("phases") {
            return items;
        }
        *key = Node { value: Value::Text("phases".into()), span: key.span.clone() };
        value.value = Value::list(items);
    }
    vec![step]
}

/// A value as one would write it on a line.
pub(super) fn written(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => text.to_string(),
        Value::List(list) => format!("[{}]", list.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let all: Vec<_> = map.iter().map(|(k, v)| format!("{}: {}", written(k), written(v))).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}

//! Paths in the content, as amendments, examples, `--set` and the rulebook write them: `units/ann/strength`.
//!
//! A path goes from key to key. A member of a list is known by its own text; by its `id` or its `name`; or by the value
//! that stands first in it, several joined with `+`: `map/borders/A1+B1`. In the sequence of play what a step lies in may
//! be left out, as long as only one step fits: `sequence/movement`, `sequence/combat.resolve`.

use std::{borrow::Cow, sync::Arc};

use crate::{
    diagnostic::suggest,
    yaml::{Node, Value, renamed},
};

/// Keys that a step of the sequence has its parts under; a path need not name them.
const PARTS: [&str; 3] = ["phases", "run", "repeat"];

/// Keys whose value names a member of a list.
const NAMES: [&str; 5] = ["id", "name", "scenario", "unit", "at"];

/// Where a path leads: by the place of each member in the one before.
pub(super) type Route = Vec<usize>;

/// Where a path goes astray, and what is there.
pub(super) struct Astray {
    /// The part of the path that was found; empty where not even its first word was.
    known: String,
    /// The rest.
    rest: String,
    /// The members that there are, or those among which the path does not choose.
    there: Vec<String>,
    is_several: bool,
}

impl Astray {
    /// Whether the path leads to more than one thing.
    pub fn is_several(&self) -> bool {
        self.is_several
    }

    /// What to do about it.
    pub fn help(&self) -> String {
        let here = if self.known.is_empty() { "the ruleset".to_owned() } else { format!("`{}`", self.known) };
        if self.is_several {
            let all = self.there.iter().map(|place| format!("`{}`", joined(&self.known, place)));
            return format!("several fit: write one of {}", all.collect::<Vec<_>>().join(", "));
        }
        let word = self.rest.split('/').next().unwrap_or("");
        match self.there[..] {
            [] => format!("{here} is a single value, or empty"),
            _ => {
                let now = renamed(word, |key| self.there.iter().any(|there| there == key));
                let help = now.map_or_else(|| suggest(word, self.there.iter().map(String::as_str)), str::to_owned);
                format!("{here} has no `{word}`: {help}")
            }
        }
    }
}

fn joined(head: &str, tail: &str) -> String {
    if head.is_empty() || tail.is_empty() { format!("{head}{tail}") } else { format!("{head}/{tail}") }
}

/// Follows a path.
pub(super) fn find<'a>(node: &'a Node, path: &str) -> Option<&'a Node> {
    route(node, path).ok()?.into_iter().try_fold(node, inner)
}

/// What lies at the end of a route.
pub(super) fn at_mut<'a>(node: &'a mut Node, route: &[usize]) -> Option<&'a mut Node> {
    route.iter().try_fold(node, |node, at| match &mut node.value {
        Value::Map(map) => Arc::make_mut(map).get_mut(*at).map(|(_, value)| value),
        Value::List(list) => Arc::make_mut(list).get_mut(*at),
        Value::Text(_) => None,
    })
}

/// Where a path leads.
pub(super) fn route(node: &Node, path: &str) -> Result<Route, Astray> {
    let (mut here, mut rest, mut route) = (node, path, Route::new());
    while !rest.is_empty() {
        let mut found = Vec::new();
        holders(here, rest, Step::default(), &mut found);
        let known = path[..path.len() - rest.len()].trim_end_matches('/');
        let astray = |there, is_several| Astray { known: known.into(), rest: rest.into(), there, is_several };
        let step = match found.len() {
            0 => return Err(astray(keys(here), false)),
            1 => found.swap_remove(0),
            _ => return Err(astray(found.into_iter().map(|step| step.path).collect(), true)),
        };
        rest = rest[step.word..].trim_start_matches('/');
        here = step.route.iter().try_fold(here, |node, at| inner(node, *at)).unwrap_or(here);
        route.extend(step.route);
    }
    Ok(route)
}

/// One word of a path taken.
#[derive(Clone, Default)]
struct Step {
    route: Route,
    /// What it could be called without leaving anything out but parts of steps.
    path: String,
    /// How long the word is.
    word: usize,
}

/// The members that the first word of a path may mean: the one here, or those in steps of the sequence. Of names that
/// fit, the longest is taken.
fn holders(node: &Node, path: &str, so_far: Step, found: &mut Vec<Step>) {
    let taken = |at: usize, name: &str| {
        let mut route = so_far.route.clone();
        route.push(at);
        Step { route, path: joined(&so_far.path, name), word: name.len() }
    };
    match &node.value {
        Value::Map(map) => {
            let keys = map.iter().enumerate().filter_map(|(at, (key, _))| Some((at, key.text()?)));
            if let Some((at, key)) = keys.filter(|(_, key)| begins(path, key)).max_by_key(|(_, key)| key.len()) {
                found.push(taken(at, key));
                return;
            }
        }
        Value::List(list) => {
            let called = list.iter().enumerate().filter_map(|(at, member)| Some((at, called(member, path)?)));
            // Of those called alike the first is taken.
            if let Some((at, length)) = called.rev().max_by_key(|(_, length)| *length) {
                found.push(taken(at, &path[..length]));
                return;
            }
        }
        Value::Text(_) => return,
    }
    for (at, name, part) in parts(node) {
        let is_rule = matches!(node.value, Value::Map(_)) && !matches!(part.value, Value::List(_));
        match called(part, path).filter(|_| is_rule) {
            Some(length) => found.push(taken(at, &path[..length])),
            None => holders(part, path, taken(at, name), found),
        }
    }
}

/// What a path need not name: steps, and what they have their parts under. Those that have a name, with it.
fn parts(node: &Node) -> Vec<(usize, &str, &Node)> {
    match &node.value {
        Value::Map(map) => {
            let is_part = |key: &Node| key.text().is_some_and(|key| PARTS.contains(&key));
            let parts = map.iter().enumerate().filter(|(_, (key, _))| is_part(key));
            parts.map(|(at, (_, part))| (at, "", part)).collect()
        }
        Value::List(list) => {
            let is_step = |member: &Node| PARTS.iter().any(|part| member.get(part).is_some());
            let steps = list.iter().enumerate().filter(|(_, member)| is_step(member));
            steps.map(|(at, step)| (at, step.get("name").and_then(Node::text).unwrap_or(""), step)).collect()
        }
        Value::Text(_) => Vec::new(),
    }
}

fn inner(node: &Node, at: usize) -> Option<&Node> {
    match &node.value {
        Value::Map(map) => map.get(at).map(|(_, value)| value),
        Value::List(list) => list.get(at),
        Value::Text(_) => None,
    }
}

/// What members are known by, and what those of the steps here are.
fn keys(node: &Node) -> Vec<String> {
    let mut keys: Vec<String> = match &node.value {
        Value::Map(map) => map.iter().filter_map(|(key, _)| key.text().map(str::to_owned)).collect(),
        Value::List(list) => list.iter().filter_map(|member| names(member).next()).map(Cow::into_owned).collect(),
        Value::Text(_) => Vec::new(),
    };
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        for (_, _, part) in parts(node) {
            match &part.value {
                Value::List(list) => {
                    keys.extend(list.iter().filter_map(|member| names(member).next()).map(Cow::into_owned));
                }
                Value::Map(map) if parts(part).is_empty() => {
                    keys.extend(map.first().and_then(|(_, rule)| said(rule)).map(Cow::into_owned));
                }
                Value::Map(_) => (),
                Value::Text(rule) => keys.push(rule.to_string()),
            }
            waiting.push(part);
        }
    }
    keys
}

/// How much of a path is the name of a member of a list; of two spaces with a border between them either may stand first.
fn called(member: &Node, path: &str) -> Option<usize> {
    let is_it = |name: &Cow<'_, str>| {
        let turned = || name.split_once('+').map(|(a, b)| format!("{b}+{a}"));
        begins(path, name) || turned().is_some_and(|turned| begins(path, &turned))
    };
    names(member).filter(is_it).map(|name| name.len()).max()
}

/// Whether a path goes through this word first. A name may itself contain a slash.
fn begins(path: &str, word: &str) -> bool {
    path.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The names of a member of a list, the best first.
pub(super) fn names(member: &Node) -> impl Iterator<Item = Cow<'_, str>> {
    let first = match &member.value {
        Value::Map(map) => map.first().map(|(_, value)| value),
        _ => Some(member),
    };
    let own = NAMES.iter().filter_map(|key| member.get(key).and_then(Node::text).map(Cow::Borrowed));
    own.chain(first.and_then(said))
}

/// A value as a path names it: of a rule with its condition the rule.
fn said(value: &Node) -> Option<Cow<'_, str>> {
    match &value.value {
        Value::Text(text) => Some(text.as_str().into()),
        Value::List(list) => {
            let texts: Option<Vec<&str>> = list.iter().map(Node::text).collect();
            texts.map(|texts| texts.join("+").into())
        }
        Value::Map(map) => map.first().and_then(|(_, value)| value.text().map(Cow::Borrowed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostic::Diagnostics, ruleset::edit::written, yaml};

    const TEXT: &str = "
units: [{ id: ann, name: Nan, strength: 4 }]
borders: [{ between: [A1, B1], is: [stream] }]
rulebook: [{ id: t/1, says: one }, { id: t/1/a, says: two }]
checks: [{ spaces: 5 }, { apart: [A1, C1], steps: 2 }]
sequence:
  - name: turn
    each: { turns: 2 }
    phases:
      - { name: march, phases: [{ run: a.open }, { repeat: { rule: a.go, when: x } }, { run: [a.close, b.tell] }] }
      - { name: rest, run: [b.rest, b.tell] }
  - { name: end, run: b.end }
";

    fn found(path: &str) -> String {
        let mut found = Diagnostics::default();
        let tree = yaml::parse("t.yaml", TEXT, &mut found);
        match route(&tree, path) {
            Ok(_) => find(&tree, path).map_or("nothing".into(), written),
            Err(astray) => astray.help(),
        }
    }

    #[test]
    fn members_of_lists_have_names() {
        assert_eq!(found("units/ann/strength"), "4");
        assert_eq!(found("borders/B1+A1/is"), "[stream]");
        assert_eq!(found("checks/A1+C1/steps"), "2");
        assert_eq!(found("rulebook/t/1/a/says"), "two");
        assert_eq!(found("units/anne"), "`units` has no `anne`: did you mean `ann`?");
        assert_eq!(found("units/ann/strength/x"), "`units/ann/strength` is a single value, or empty");
    }

    #[test]
    fn what_a_step_lies_in_may_be_left_out_where_only_one_fits() {
        assert_eq!(found("sequence/a.open/run"), "a.open");
        assert_eq!(found("sequence/turn/phases/march/phases/a.go/repeat/when"), "x");
        assert_eq!(found("sequence/a.go/repeat/when"), "x");
        assert_eq!(found("sequence/end/b.end"), "b.end");
        assert_eq!(
            found("sequence/b.tell"),
            "several fit: write one of `sequence/turn/march/b.tell`, `sequence/turn/rest/b.tell`"
        );
        assert_eq!(found("sequence/rest/b.tell"), "b.tell");
        assert_eq!(found("sequence/b.rset"), "`sequence` has no `b.rset`: did you mean `b.rest`?");
    }
}

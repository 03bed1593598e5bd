//! How two versions of a game differ on paper: what stands in one and not in the other, path by path, and which
//! amendments say so.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    Amendment, EditKind, Rule, Ruleset, Selection,
    edit::{take_steps_apart, written},
    load::whole,
    path::{Route, names, route},
};
use crate::{
    diagnostic::{Diagnostics, Span},
    library::Library,
    yaml::{Node, Value},
};

/// How two versions of a game differ. Of everything that comes in twos the first belongs to the first version.
#[derive(Debug, Clone)]
pub struct Differences {
    /// The two versions.
    pub versions: [Arc<Ruleset>; 2],
    /// What they are called: `GAME@VERSION`, and the values that are changed on top of it.
    pub names: [String; 2],
    /// What differs in the files that are no rules, in the order of the game's content.
    pub values: Vec<Difference>,
    /// The rules that differ, in the order of their files.
    pub rules: Vec<RuleDifference>,
}

/// One value that differs, or something that one version has and the other has not.
#[derive(Debug, Clone)]
pub struct Difference {
    /// Where it stands, from key to key; `order` at the end where members of a list stand in another order.
    pub path: String,
    /// What stands there in each version.
    pub stands: [Option<Stands>; 2],
    /// The sentence of what it is a part of, where that has one: of a guard, what it says.
    pub says: Option<String>,
    /// The paragraphs that it is cited by, joined with commas; empty where there are none.
    pub cite: String,
    /// Names of the amendments that are on in one version alone and make it differ; `--set` among them.
    pub by: Vec<String>,
}

/// What stands somewhere in one version.
#[derive(Debug, Clone)]
pub struct Stands {
    /// As one would write it on a line.
    pub written: String,
    /// What that means, where it is the choice of a setting.
    pub means: Option<String>,
    /// The file and the line it stands in.
    pub at: (String, usize),
}

/// What differs by the same amendments.
#[derive(Debug, Clone)]
pub struct Group<'a> {
    /// Their names; none where no amendment makes it differ.
    pub by: Vec<String>,
    /// Values.
    pub values: Vec<&'a Difference>,
    /// Rules.
    pub rules: Vec<&'a RuleDifference>,
}

/// A rule that differs, or a player's rule file, called `players/NAME`.
#[derive(Debug, Clone)]
pub struct RuleDifference {
    /// Its name.
    pub name: String,
    /// Its lines in each version, and where it begins.
    pub lines: [Option<Stands>; 2],
    /// The paragraph it is cited by; empty where there is none.
    pub cite: String,
    /// Names of the amendments that are on in one version alone and bring it.
    pub by: Vec<String>,
}

impl Differences {
    /// Loads two versions of a game and holds them against each other.
    ///
    /// # Errors
    /// When one of them cannot be used: with everything found in the first that cannot.
    pub fn between(library: &Library, id: &str, selections: [&Selection; 2]) -> Result<Differences, Diagnostics> {
        let [(first, mut a), (second, mut b)] = {
            let [a, b] = selections.map(|selection| whole(library, id, selection));
            [a?, b?]
        };
        // What lies in a step may be written in two ways, and an edit turns one into the other.
        [&mut a, &mut b].into_iter().for_each(take_steps_apart);
        let versions = [first.ruleset, second.ruleset];
        let mut named = versions.iter().zip(selections).map(|(ruleset, selection)| {
            let set = selection.set.iter().map(|(path, value)| format!(" --set {path}={value}"));
            ruleset.full_name() + &set.collect::<String>()
        });
        let names = [(); 2].map(|()| named.next().unwrap_or_default());
        let mut search = Search::new(library, &versions, [&a, &b]);
        search.look([Some(&a), Some(&b)], &Here::default());
        let mut values = search.found;
        values.iter_mut().for_each(|value| explain(value, &versions));
        let rules = rules(&versions);
        Ok(Differences { versions, names, values, rules })
    }

    /// The amendments that are on in one version alone, each with the number of that version.
    pub fn amendments(&self) -> Vec<(&Amendment, usize)> {
        on_in_one(&self.versions)
    }

    /// What differs by the same amendments, in their order, with the names of those; at the end what no amendment has to
    /// do with, but `--set`. An amendment that makes nothing differ has a group of its own.
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut of = |by: &[String]| {
            groups.iter().position(|group| group.by == by).unwrap_or_else(|| {
                groups.push(Group { by: by.to_vec(), values: Vec::new(), rules: Vec::new() });
                groups.len() - 1
            })
        };
        let values: Vec<usize> = self.values.iter().map(|value| of(&value.by)).collect();
        let rules: Vec<usize> = self.rules.iter().map(|rule| of(&rule.by)).collect();
        values.into_iter().zip(&self.values).for_each(|(at, value)| groups[at].values.push(value));
        rules.into_iter().zip(&self.rules).for_each(|(at, rule)| groups[at].rules.push(rule));
        let order: Vec<&str> = self.amendments().iter().map(|(amendment, _)| amendment.id.as_str()).collect();
        for id in &order {
            if !groups.iter().any(|group| group.by.iter().any(|by| by == id)) {
                groups.push(Group { by: vec![(*id).to_owned()], values: Vec::new(), rules: Vec::new() });
            }
        }
        let place = |by: &String| order.iter().position(|id| id == by).unwrap_or(order.len());
        groups.sort_by_key(|group| (group.by.is_empty(), group.by.iter().map(place).collect::<Vec<_>>()));
        groups
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.rules.is_empty() && self.amendments().is_empty()
    }
}

/// The amendments that are on in one version alone, each with the number of that version.
fn on_in_one(versions: &[Arc<Ruleset>; 2]) -> Vec<(&Amendment, usize)> {
    let both = versions[0].amendments.iter().zip(&versions[1].amendments);
    both.filter(|(a, b)| a.on != b.on).map(|(a, b)| if a.on { (a, 0) } else { (b, 1) }).collect()
}

/// A place in both trees.
#[derive(Default, Clone)]
struct Here {
    path: String,
    /// Where it is in each tree, as far as it is there.
    routes: [Route; 2],
    cite: String,
    says: Option<String>,
}

impl Here {
    /// The same, cited and told as what stands here says itself; the second version has the last word.
    fn told_by(&self, nodes: [Option<&Node>; 2]) -> Here {
        let own = |key: &str| nodes.iter().rev().flatten().find_map(|node| node.get(key));
        let mut here = self.clone();
        // A paragraph is cited as itself.
        let itself = || own("id").filter(|_| self.path.starts_with("rulebook/"));
        if let Some(cite) = own("cite").or_else(itself) {
            here.cite = written(cite).trim_matches(['[', ']']).to_owned();
        }
        here.says = own("say").and_then(Node::text).map(str::to_owned).or(here.says);
        here
    }
}

struct Search<'a> {
    library: &'a Library,
    amendments: Vec<(&'a Amendment, usize)>,
    /// What those change, as the tree has it in which they are off: which amendment, in which tree, where.
    changed: Vec<(usize, usize, Route)>,
    found: Vec<Difference>,
}

impl<'a> Search<'a> {
    fn new(library: &'a Library, versions: &'a [Arc<Ruleset>; 2], trees: [&Node; 2]) -> Search<'a> {
        let amendments = on_in_one(versions);
        let mut changed = Vec::new();
        for (number, (amendment, on)) in amendments.iter().enumerate() {
            let off = 1 - on;
            for edit in amendment.edits.iter().filter(|edit| !matches!(edit.how, EditKind::Add(..))) {
                changed.extend(route(trees[off], &edit.path).ok().map(|route| (number, off, route)));
            }
        }
        Search { library, amendments, changed, found: Vec::new() }
    }

    fn look(&mut self, nodes: [Option<&Node>; 2], here: &Here) {
        let [Some(a), Some(b)] = nodes else { return self.differs(nodes, here) };
        if is_same(a, b) {
            return;
        }
        match (&a.value, &b.value) {
            (Value::Map(first), Value::Map(second)) => {
                let here = here.told_by(nodes);
                let others = second.iter().filter(|(key, _)| under(first, key).is_none());
                for (key, _) in first.iter().chain(others) {
                    self.look_into(&written(key), [under(first, key), under(second, key)], &here);
                }
            }
            (Value::List(first), Value::List(second)) => self.look_through(first, second, nodes, here),
            _ => self.differs(nodes, here),
        }
    }

    /// Looks at what stands under one key or name, with its place in what it is a member of.
    fn look_into(&mut self, key: &str, both: [Option<(usize, &Node)>; 2], here: &Here) {
        let mut inner = here.clone();
        inner.path = if here.path.is_empty() { key.to_owned() } else { format!("{}/{key}", here.path) };
        for (route, found) in inner.routes.iter_mut().zip(&both) {
            route.extend(found.map(|(at, _)| at));
        }
        self.look(both.map(|found| found.map(|(_, node)| node)), &inner);
    }

    /// Members of lists are held against those of the same name; where they have no names of their own, or are nothing
    /// but names, whole lists.
    fn look_through(&mut self, first: &[Node], second: &[Node], nodes: [Option<&Node>; 2], here: &Here) {
        let is_plain = |list: &[Node]| list.iter().all(|member| matches!(member.value, Value::Text(_)));
        if is_plain(first) && is_plain(second) {
            return self.differs(nodes, here);
        }
        let (Some(of_first), Some(of_second)) = (called(first), called(second)) else {
            return self.differs(nodes, here);
        };
        let index = |names: &[String]| names.iter().cloned().zip(0..).collect::<BTreeMap<String, usize>>();
        let [in_first, in_second] = [index(&of_first), index(&of_second)];
        let others = of_second.iter().filter(|name| !in_first.contains_key(*name));
        for name in of_first.iter().chain(others) {
            let [a, b] = [in_first.get(name), in_second.get(name)];
            self.look_into(name, [a.map(|at| (*at, &first[*at])), b.map(|at| (*at, &second[*at]))], here);
        }
        let common = |names: &[String], other: &BTreeMap<String, usize>| {
            names.iter().filter(|name| other.contains_key(*name)).cloned().collect::<Vec<_>>()
        };
        let orders = [common(&of_first, &in_second), common(&of_second, &in_first)];
        if orders[0] != orders[1] {
            let inner = Here { path: format!("{}/order", here.path), ..here.clone() };
            self.add(nodes, orders.map(|names| Some(names.join(", "))), &inner);
        }
    }

    fn differs(&mut self, nodes: [Option<&Node>; 2], here: &Here) {
        self.add(nodes, nodes.map(|node| node.map(written)), here);
    }

    fn add(&mut self, nodes: [Option<&Node>; 2], texts: [Option<String>; 2], here: &Here) {
        let Here { path, routes, cite, says } = here.told_by(nodes);
        let mut both = nodes.into_iter().zip(texts);
        let stands = [(); 2].map(|()| {
            let (node, text) = both.next()?;
            Some(Stands { written: text?, means: None, at: self.position(&node?.span) })
        });
        let by = self.by(nodes, &routes);
        self.found.push(Difference { path, stands, says, cite, by });
    }

    /// Which amendments make something differ: those that say themselves what stands there, and those whose path leads
    /// there, or into it.
    fn by(&self, nodes: [Option<&Node>; 2], routes: &[Route; 2]) -> Vec<String> {
        let mut by: Vec<String> = Vec::new();
        for (number, (amendment, on)) in self.amendments.iter().enumerate() {
            let says = nodes[*on].is_some_and(|node| any_file(node, &|file| amendment.has(file)));
            let leads = |(of, tree, route): &(usize, usize, Route)| {
                let here = &routes[*tree];
                *of == number && (route.starts_with(here) || here.starts_with(route))
            };
            if says || self.changed.iter().any(leads) {
                by.push(amendment.id.clone());
            }
        }
        if nodes.iter().flatten().any(|node| any_file(node, &|file| file == "--set")) {
            by.push("--set".into());
        }
        by
    }

    fn position(&self, span: &Span) -> (String, usize) {
        let text = self.library.text(&span.file).unwrap_or("");
        let before = text.as_bytes().iter().take(span.start);
        (span.file.to_string(), 1 + before.filter(|byte| **byte == b'\n').count())
    }
}

/// What stands under a key of a map, with its place there.
fn under<'n>(map: &'n [(Node, Node)], key: &Node) -> Option<(usize, &'n Node)> {
    let mut all = map.iter().enumerate();
    all.find(|(_, (known, _))| known.text() == key.text()).map(|(at, (_, value))| (at, value))
}

/// Whether any part of a tree stands in such a file.
fn any_file(node: &Node, is_it: &dyn Fn(&str) -> bool) -> bool {
    is_it(&node.span.file)
        || match &node.value {
            Value::Text(_) => false,
            Value::List(list) => list.iter().any(|member| any_file(member, is_it)),
            Value::Map(map) => map.iter().any(|(_, value)| any_file(value, is_it)),
        }
}

/// Whether two trees say the same, wherever they stand.
fn is_same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::List(a), Value::List(b)) => {
            Arc::ptr_eq(a, b) || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_same(a, b))
        }
        (Value::Map(a), Value::Map(b)) => {
            let is_same = |((k, a), (l, b)): (&(Node, Node), &(Node, Node))| k.text() == l.text() && is_same(a, b);
            Arc::ptr_eq(a, b) || a.len() == b.len() && a.iter().zip(b.iter()).all(is_same)
        }
        _ => false,
    }
}

/// Says of the choice of a setting what it means.
fn explain(value: &mut Difference, versions: &[Arc<Ruleset>; 2]) {
    let Some(id) = value.path.strip_prefix("settings/").and_then(|rest| rest.strip_suffix("/default")) else { return };
    for (stands, ruleset) in value.stands.iter_mut().zip(versions) {
        let (Some(stands), Some(setting)) = (stands, ruleset.setting(id)) else { continue };
        let at = setting.values.iter().position(|choice| *choice == stands.written);
        stands.means = at.map(|at| setting.says[at].clone());
    }
}

/// What each member of a list is called, in their order: by the best of its names that no other has. Nothing where one has
/// no such name.
fn called(list: &[Node]) -> Option<Vec<String>> {
    let all: Vec<Vec<String>> = list.iter().map(|member| names(member).map(Cow::into_owned).collect()).collect();
    let mut bearers: BTreeMap<&str, usize> = BTreeMap::new();
    for own in &all {
        // A name that a member has twice is its own all the same.
        let own: BTreeSet<&str> = own.iter().map(String::as_str).collect();
        own.into_iter().for_each(|name| *bearers.entry(name).or_default() += 1);
    }
    all.iter().map(|own| own.iter().find(|name| bearers[name.as_str()] == 1).cloned()).collect()
}

/// The rules that differ between two versions.
fn rules(versions: &[Arc<Ruleset>; 2]) -> Vec<RuleDifference> {
    let [first, second] = versions;
    let rule = |ruleset: &Ruleset, name: &str| {
        ruleset.rules.iter().find(|rule| rule.name == name).map(|rule| (lines(ruleset, rule), rule.cite))
    };
    let others = second.rules.iter().filter(|rule| first.rules.iter().all(|known| known.name != rule.name));
    let mut all = Vec::new();
    let amendments = on_in_one(versions);
    let by = |lines: &[Option<Stands>; 2]| {
        let brings = |(amendment, on): &&(&Amendment, usize)| {
            lines[*on].as_ref().is_some_and(|lines| amendment.has(&lines.at.0))
        };
        amendments.iter().filter(brings).map(|(amendment, _)| amendment.id.clone()).collect::<Vec<_>>()
    };
    let differs = |lines: &[Option<Stands>; 2]| {
        let texts = lines.each_ref().map(|lines| lines.as_ref().map(|lines| &lines.written));
        texts[0] != texts[1]
    };
    for name in first.rules.iter().chain(others).map(|rule| &rule.name) {
        let both = [rule(first, name), rule(second, name)];
        let cite = both.iter().zip(versions).rev().find_map(|(rule, of)| rule.as_ref().map(|(_, cite)| of.cite(*cite)));
        let cite = cite.unwrap_or_default().to_owned();
        let lines = both.map(|rule| rule.map(|(lines, _)| lines));
        if differs(&lines) {
            all.push(RuleDifference { name: name.clone(), by: by(&lines), lines, cite });
        }
    }
    let players: BTreeSet<&str> =
        versions.iter().flat_map(|ruleset| &ruleset.judgements).map(|player| &*player.name).collect();
    for name in players {
        let stands = |ruleset: &Arc<Ruleset>| {
            let (file, text) = ruleset.judgements[ruleset.judgement(name)?].luau.clone()?;
            Some(Stands { written: text, means: None, at: (file, 1) })
        };
        let lines = versions.each_ref().map(stands);
        if differs(&lines) {
            all.push(RuleDifference { name: format!("players/{name}"), by: by(&lines), lines, cite: String::new() });
        }
    }
    all
}

/// The text of a rule: from its first line to the `end` that stands at the beginning of one.
fn lines(ruleset: &Ruleset, rule: &Rule) -> Stands {
    let (file, line) = &rule.at;
    let text = ruleset.sources.iter().find(|(path, _)| path == file).map_or("", |(_, text)| text);
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().skip(line - 1) {
        lines.push(line);
        if line.trim_end() == "end" || lines.len() == 1 && line.trim_end().ends_with(" end") {
            break;
        }
    }
    Stands { written: lines.join("\n"), means: None, at: (file.clone(), *line) }
}

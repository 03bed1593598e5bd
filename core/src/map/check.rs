//! Whether a map holds together, and what the documents state of it: each statement stands in the map file with its
//! citation and is held to.

use petgraph::{
    graph::{DiGraph, NodeIndex},
    visit::{VisitMap, Visitable},
};

use super::{Border, Grid, Map, Point, Space, SpaceId, Stream};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    yaml::{Fields, Node},
};

/// What a statement speaks of; the first key of it that is written decides.
const SUBJECTS: [&str; 9] = ["spaces", "adjacent", "not-adjacent", "apart", "near", "only", "every", "at", "road"];

/// Every space can be come to from every other, whatever it costs: one that stands alone, and parts that nothing joins,
/// are told.
pub(super) fn joined(graph: &DiGraph<Space, Border>, span: &Span, found: &mut Diagnostics) {
    if graph.node_count() < 2 {
        return;
    }
    let is_alone = |at: &NodeIndex| graph.neighbors_undirected(*at).next().is_none();
    let (alone, rest): (Vec<_>, Vec<_>) = graph.node_indices().partition(is_alone);
    for at in alone {
        let message = format!("space `{}` has no neighbour", graph[at].name);
        found.warning("isolated", span, message, "list a border, or leave the space out");
    }
    let Some(first) = rest.first() else { return };
    let mut reached = graph.visit_map();
    let mut waiting = vec![*first];
    while let Some(at) = waiting.pop() {
        if reached.visit(at) {
            waiting.extend(graph.neighbors_undirected(at));
        }
    }
    let beyond: Vec<_> = rest.iter().filter(|at| !reached.is_visited(*at)).collect();
    if let Some(other) = beyond.first() {
        let (one, other) = (&graph[*first].name, &graph[**other].name);
        let message = format!("no way leads from `{one}` to `{other}`, nor to {} more", beyond.len() - 1);
        found.warning("isolated", span, message, "list a border between the parts of the map, or leave one out");
    }
}

/// Holds the map to every statement of its list, each with its own fault where it fails.
pub(super) fn statements(map: &Map, node: Option<&Node>, found: &mut Diagnostics) {
    for item in node.map(|n| n.items(found)).unwrap_or_default() {
        let mut fields = item.fields(found);
        let cite = fields.text("cite", found);
        let Some(key) = SUBJECTS.into_iter().find(|key| item.get(key).is_some()) else {
            let help = format!("begin with one of: {}", SUBJECTS.join(", "));
            found.error("missing", &item.span, "a statement speaks of nothing", help);
            continue;
        };
        let statement = Statement { map, item, cite: cite.as_deref() };
        statement.hold(key, &mut fields, found);
        fields.may("why");
        fields.finish(found);
    }
}

/// A stream is one chain of borders, and its mouth lies on the edge of the map or on another stream.
pub(super) fn stream(map: &Map, stream: &Stream, span: &Span, found: &mut Diagnostics) {
    if map.grid == Grid::Area {
        return;
    }
    let ends: Vec<Vec<Point>> = stream.along.iter().map(|(a, b)| map.shared_corners(*a, *b)).collect();
    for (at, pair) in ends.windows(2).enumerate() {
        if !pair[0].iter().any(|p| pair[1].contains(p)) {
            let (a, b) = stream.along[at + 1];
            let (a, b) = (&map.space(a).name, &map.space(b).name);
            let message = format!("`{}` jumps to the border of {a} and {b}", stream.name);
            found.error("stream-jumps", span, message, "name the borders between, or part it in two");
        }
    }
    let (Some(last), before) = (ends.last(), ends.len().checked_sub(2).map(|at| &ends[at])) else { return };
    // The mouth is the end of the last border that does not touch the one before.
    let mouth = last.iter().find(|p| before.is_none_or(|b| !b.contains(p)));
    let Some(mouth) = mouth else { return };
    let around = |s: SpaceId| map.outline(s).contains(mouth);
    let (a, b) = stream.along[stream.along.len() - 1];
    let mut spaces: Vec<SpaceId> = map.near(a).chain(map.near(b)).chain([a, b]).filter(|s| around(*s)).collect();
    spaces.sort();
    spaces.dedup();
    let full = if matches!(map.grid, Grid::Square(_)) { 4 } else { 3 };
    let meets = map.streams.iter().filter(|other| other.id != stream.id).any(|other| {
        other
            .along
            .iter()
            .any(|(a, b)| (spaces.contains(a) || spaces.contains(b)) && { map.shared_corners(*a, *b).contains(mouth) })
    });
    if spaces.len() >= full && !meets {
        let (a, b) = (&map.space(a).name, &map.space(b).name);
        let message = format!("`{}` ends nowhere, after the border of {a} and {b}", stream.name);
        found.warning("stream-ends", span, message, "lead it to the edge of the map or to another stream");
    }
}

struct Statement<'a> {
    map: &'a Map,
    item: &'a Node,
    cite: Option<&'a str>,
}

impl Statement<'_> {
    fn hold(&self, key: &'static str, fields: &mut Fields<'_>, found: &mut Diagnostics) {
        let map = self.map;
        let Some(subject) = fields.may(key) else { return };
        match key {
            "spaces" => {
                let count = subject.as_int(0, 1 << 20, found) as usize;
                self.must(map.len() == count, || format!("the map has {} spaces, not {count}", map.len()), found);
            }
            "adjacent" => {
                let spaces = self.spaces(subject, found);
                for pair in spaces.windows(2) {
                    let is = map.between(pair[0], pair[1]).is_some();
                    self.must(
                        is,
                        || format!("{} and {} are not adjacent", self.name(pair[0]), self.name(pair[1])),
                        found,
                    );
                }
            }
            "not-adjacent" => {
                let spaces = self.spaces(subject, found);
                for pair in spaces.windows(2) {
                    let is = map.between(pair[0], pair[1]).is_some() || map.between(pair[1], pair[0]).is_some();
                    self.must(!is, || format!("{} and {} are adjacent", self.name(pair[0]), self.name(pair[1])), found);
                }
            }
            "apart" => {
                let spaces = self.spaces(subject, found);
                let steps = fields.must("steps", found).map_or(0, |n| n.as_int(0, 10_000, found));
                if let [a, b] = spaces[..] {
                    let far = i32::from(map.distance(a, b));
                    let says = || format!("{} and {} are {far} apart, not {steps}", self.name(a), self.name(b));
                    self.must(far == steps, says, found);
                }
            }
            "near" => {
                let spaces = self.spaces(subject, found);
                let mut are = fields.must("are", found).map(|n| self.spaces(n, found)).unwrap_or_default();
                let Some(space) = spaces.first() else { return };
                let mut near: Vec<SpaceId> = map.near(*space).collect();
                near.sort();
                are.sort();
                let says = || format!("the neighbours of {} are {}", self.name(*space), self.names(&near));
                self.must(near == are, says, found);
            }
            "only" => {
                let bits = self.terrain(subject, found);
                let mut are = fields.must("are", found).map(|n| self.spaces(n, found)).unwrap_or_default();
                are.sort();
                let has: Vec<SpaceId> = map.spaces().filter(|s| map.space(*s).terrain & bits != 0).collect();
                let says = || format!("{} stands in {}", subject.text().unwrap_or(""), self.names(&has));
                self.must(has == are, says, found);
            }
            "every" => {
                let (all, is) = (self.terrain(subject, found), fields.must("is", found));
                let bits = is.map_or(0, |n| self.terrain(n, found));
                let without: Vec<SpaceId> = map
                    .spaces()
                    .filter(|s| map.space(*s).terrain & all != 0 && map.space(*s).terrain & bits != bits)
                    .collect();
                let says = || format!("it does not hold in {}", self.names(&without));
                self.must(without.is_empty(), says, found);
            }
            "at" => self.at(subject, fields, found),
            "road" => {
                let name = subject.as_text(found);
                let along = fields.must("joins", found).map(|n| self.spaces(n, found)).unwrap_or_default();
                let Some(road) = map.road(&name) else {
                    let help = suggest(&name, map.roads.iter().map(|r| r.id.as_str()));
                    found.error("unknown-name", &subject.span, format!("there is no road `{name}`"), help);
                    return;
                };
                for pair in along.windows(2) {
                    let is = road.along.windows(2).any(|p| p == pair || (p[0] == pair[1] && p[1] == pair[0]));
                    let says = || format!("`{name}` does not join {} and {}", self.name(pair[0]), self.name(pair[1]));
                    self.must(is, says, found);
                }
            }
            _ => unreachable!("every subject is listed"),
        }
    }

    /// What must stand, or must not, in each of some spaces.
    fn at(&self, subject: &Node, fields: &mut Fields<'_>, found: &mut Diagnostics) {
        let map = self.map;
        let spaces = self.spaces(subject, found);
        let bits = |node: Option<&Node>, found: &mut Diagnostics| node.map_or(0, |n| self.terrain(n, found));
        let (is, not) = (bits(fields.may("is"), found), bits(fields.may("not"), found));
        let name = fields.text("name", found);
        let numbers = fields.may("numbers");
        let levels: Option<Vec<i32>> =
            fields.may("level").map(|n| n.items(found).iter().map(|n| n.as_int(-1000, 1000, found)).collect());
        for space in spaces {
            let here = map.space(space);
            self.must(here.terrain & is == is, || format!("{} is {}", here.name, words(map, here.terrain)), found);
            self.must(here.terrain & not == 0, || format!("{} is {}", here.name, words(map, here.terrain)), found);
            if let Some(levels) = &levels {
                let (least, most) = (levels.first().copied(), levels.last().copied());
                let is = least.is_none_or(|l| l <= here.level) && most.is_none_or(|m| here.level <= m);
                self.must(is, || format!("{} is on level {}", here.name, here.level), found);
            }
            for (key, value) in numbers.map(|n| n.entries(found)).unwrap_or_default() {
                let (name, value) = (key.as_text(found), value.as_int(-1_000_000, 1_000_000, found));
                let Some(at) = map.numbers.iter().position(|n| *n == name) else {
                    let help = suggest(&name, map.numbers.iter().map(String::as_str));
                    found.error("unknown-name", &key.span, format!("`{name}` is not a number of this map"), help);
                    continue;
                };
                let has = here.numbers[at];
                self.must(has == value, || format!("{} has {name} {has}, not {value}", here.name), found);
            }
            if let Some(name) = &name {
                let is = here.label.as_ref() == Some(name)
                    || map.places.iter().any(|p| p.name == *name && p.at.contains(&space));
                self.must(is, || format!("`{name}` is not in {}", here.name), found);
            }
        }
    }

    fn must(&self, holds: bool, says: impl Fn() -> String, found: &mut Diagnostics) {
        if !holds {
            let cite = self.cite.map(|c| format!("  [{c}]")).unwrap_or_default();
            let help = "mend the map, or the override that should see to it";
            found.error("statement", &self.item.span, format!("{}{cite}", says()), help);
        }
    }

    fn spaces(&self, node: &Node, found: &mut Diagnostics) -> Vec<SpaceId> {
        let mut spaces = Vec::new();
        for item in node.items(found) {
            let name = item.as_text(found);
            match self.map.find(&name) {
                Some(space) => spaces.push(space),
                None => {
                    let help = suggest(&name, self.map.spaces().map(|s| self.map.space(s).name.as_str()));
                    found.error("unknown-space", &item.span, format!("there is no space `{name}` on this map"), help);
                }
            }
        }
        spaces
    }

    fn terrain(&self, node: &Node, found: &mut Diagnostics) -> u32 {
        let mut bits = 0;
        for item in node.items(found) {
            let name = item.as_text(found);
            match self.map.terrains.iter().position(|t| *t == name) {
                Some(at) => bits |= 1 << at,
                None => {
                    let help = suggest(&name, self.map.terrains.iter().map(String::as_str));
                    found.error("unknown-name", &item.span, format!("`{name}` is not a terrain of this map"), help);
                }
            }
        }
        bits
    }

    fn name(&self, space: SpaceId) -> &str {
        &self.map.space(space).name
    }

    fn names(&self, spaces: &[SpaceId]) -> String {
        match spaces.len() {
            0 => "no space".to_owned(),
            n if n > 16 => format!("{n} spaces"),
            _ => spaces.iter().map(|s| self.name(*s)).collect::<Vec<_>>().join(", "),
        }
    }
}

fn words(map: &Map, bits: u32) -> String {
    let names: Vec<&str> =
        map.terrains.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, n)| n.as_str()).collect();
    if names.is_empty() { "clear".to_owned() } else { names.join(", ") }
}

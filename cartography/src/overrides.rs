//! What documents state of a map: it stands in the grid file with its citation, and wins over the survey.

use countermarch_core::{
    diagnostic::{Diagnostics, suggest},
    ruleset::Provenance,
    yaml::{Fields, Node},
};

use crate::{
    build::Sheet,
    courses::{Road, Stream},
    laid::Laid,
    plan::Plan,
};

/// Carries out every override, in the order written.
pub fn apply(plan: &Plan, laid: &Laid, sheet: &mut Sheet, found: &mut Diagnostics) {
    for item in &plan.overrides {
        let mut fields = item.fields(found);
        let mut reading = Reading { plan, laid, sheet, item };
        if let Some(at) = fields.may("at") {
            reading.space(at, &mut fields, found);
        } else if let Some(pair) = fields.may("between") {
            reading.border(pair, false, &mut fields, found);
        } else if let Some(pair) = fields.may("up") {
            reading.border(pair, true, &mut fields, found);
        } else if let Some(id) = fields.may("road") {
            reading.road(id, &mut fields, found);
        } else if let Some(id) = fields.may("stream") {
            reading.stream(id, &mut fields, found);
        } else {
            let help = "begin with `at:`, `between:`, `up:`, `road:` or `stream:`";
            found.error("missing", &item.span, "an override changes nothing", help);
        }
        fields.may("cite");
        fields.may("why");
        fields.finish(found);
    }
}

/// The space of that number, or what is wrong.
pub fn space(laid: &Laid, node: &Node, found: &mut Diagnostics) -> Option<usize> {
    let name = node.as_text(found);
    let at = laid.find(&name);
    if at.is_none() {
        let help = suggest(&name, laid.plots.iter().map(|p| p.name.as_str()));
        found.error("unknown-space", &node.span, format!("the grid has no space `{name}`"), help);
    }
    at
}

struct Reading<'a> {
    plan: &'a Plan,
    laid: &'a Laid,
    sheet: &'a mut Sheet,
    item: &'a Node,
}

impl Reading<'_> {
    fn space(&mut self, at: &Node, fields: &mut Fields<'_>, found: &mut Diagnostics) {
        let name = fields.text("name", found);
        let from = fields.may("from").map(|node| Provenance::read(Some(node), found));
        let (is, not) = (self.terrains(fields.may("is"), found), fields.texts("not", found));
        let level = fields.may("level").map(|n| n.as_int(-1000, 1000, found));
        let numbers = fields.may("numbers");
        if name.is_some() {
            // A name stands in one space, and the documents say in which.
            self.sheet.spaces.iter_mut().filter(|s| s.label == name).for_each(|s| s.label = None);
        }
        for node in at.items(found) {
            let Some(at) = space(self.laid, node, found) else { continue };
            let space = &mut self.sheet.spaces[at];
            space.is.retain(|t| !not.contains(t));
            space.is.extend(is.iter().filter(|t| !space.is.contains(t)).cloned().collect::<Vec<_>>());
            if not.iter().any(|word| word == "name") {
                space.label = None;
            }
            space.label = name.clone().or(space.label.take());
            space.level = level.or(space.level);
            // What a document states comes from there, and all else of the space from where it came before.
            let stated =
                is.iter().map(String::as_str).chain(name.as_ref().map(|_| "name")).chain(level.map(|_| "level"));
            if let Some(from) = from {
                stated.for_each(|what| space.from.set(what, from));
            }
            for (key, value) in numbers.map(|n| n.entries(found)).unwrap_or_default() {
                let key_name = key.as_text(found);
                match self.plan.numbers.iter().position(|n| *n == key_name) {
                    Some(place) => {
                        space.numbers[place] = value.as_int(-1_000_000, 1_000_000, found);
                        from.into_iter().for_each(|from| space.from.set(&key_name, from));
                    }
                    None => {
                        let help = suggest(&key_name, self.plan.numbers.iter().map(String::as_str));
                        let message = format!("`{key_name}` is not a number of this map");
                        found.error("unknown-name", &key.span, message, help);
                    }
                }
            }
        }
    }

    fn border(&mut self, pair: &Node, is_up: bool, fields: &mut Fields<'_>, found: &mut Diagnostics) {
        let (is, not) = (self.features(fields.may("is"), found), fields.texts("not", found));
        fields.may("from");
        let ends: Vec<_> = pair.items(found).iter().map(|n| space(self.laid, n, found)).collect();
        let [Some(a), Some(b)] = ends[..] else { return };
        if !self.laid.are_adjacent(a, b) {
            let (a, b) = (&self.laid.plots[a].name, &self.laid.plots[b].name);
            found.error("not-adjacent", &pair.span, format!("{a} and {b} are not adjacent"), "");
            return;
        }
        let borders = &mut self.sheet.borders;
        let list = if is_up {
            borders.up.entry((a, b)).or_default()
        } else {
            borders.between.entry((a.min(b), a.max(b))).or_default()
        };
        list.retain(|name| !not.contains(name));
        list.extend(is.into_iter().filter(|name| !list.contains(name)).collect::<Vec<_>>());
        for stream in &mut borders.streams {
            let has = |side: &(usize, usize)| not.contains(&stream.is) && *side == (a.min(b), a.max(b));
            if stream.along.iter().any(has) {
                let message = format!("`{}` runs there as a stream", stream.name);
                found.error("stream", &self.item.span, message, "give the whole stream its course with `stream:`");
            }
        }
    }

    fn road(&mut self, id: &Node, fields: &mut Fields<'_>, found: &mut Diagnostics) {
        let id = id.as_text(found);
        let known = self.sheet.roads.iter().position(|r| r.id == id);
        let (name, kind) = (fields.text("name", found), fields.may("kind"));
        let from = fields.text("from", found);
        let along = fields.may("along").map(|n| self.spaces(n, found));
        if fields.may("not").is_some_and(|n| n.as_flag(found)) {
            self.sheet.roads.retain(|r| r.id != id);
            return;
        }
        if let Some(known) = known {
            let road = &mut self.sheet.roads[known];
            road.along = along.unwrap_or_else(|| std::mem::take(&mut road.along));
            road.name = name.unwrap_or_else(|| road.name.clone());
            road.from = from.unwrap_or_else(|| road.from.clone());
            return;
        }
        let (Some(along), Some(kind)) = (along, kind) else {
            let help = suggest(&id, self.sheet.roads.iter().map(|r| r.id.as_str()));
            let message = format!("there is no road `{id}`; a new one needs `kind` and `along`");
            found.error("unknown-name", &self.item.span, message, help);
            return;
        };
        let kind = kind.as_text(found);
        let (name, from) = (name.unwrap_or_else(|| id.clone()), from.unwrap_or_else(|| "printed".into()));
        self.sheet.roads.push(Road { id, name, kind, along, from });
    }

    fn stream(&mut self, id: &Node, fields: &mut Fields<'_>, found: &mut Diagnostics) {
        let id = id.as_text(found);
        let (name, from) = (fields.text("name", found), fields.text("from", found));
        let is = self.features(fields.may("is"), found);
        let sides = fields.may("along").map(|list| {
            let sides = list.items(found).iter().map(|side| {
                let ends = self.spaces(side, found);
                (ends.len() == 2).then(|| (ends[0].min(ends[1]), ends[0].max(ends[1])))
            });
            sides.collect::<Vec<_>>().into_iter().flatten().collect::<Vec<_>>()
        });
        let streams = &mut self.sheet.borders.streams;
        if fields.may("not").is_some_and(|n| n.as_flag(found)) {
            streams.retain(|s| s.id != id);
            return;
        }
        match (streams.iter_mut().find(|s| s.id == id), sides, is.into_iter().next()) {
            (Some(stream), sides, _) => {
                stream.along = sides.unwrap_or_else(|| std::mem::take(&mut stream.along));
                stream.from = from.unwrap_or_else(|| stream.from.clone());
            }
            (None, Some(along), Some(is)) => {
                let (name, from) = (name.unwrap_or_else(|| id.clone()), from.unwrap_or_else(|| "printed".into()));
                streams.push(Stream { id, name, is, along, from });
            }
            (None, ..) => {
                let help = suggest(&id, streams.iter().map(|s| s.id.as_str()));
                let message = format!("there is no stream `{id}`; a new one needs `is` and `along`");
                found.error("unknown-name", &self.item.span, message, help);
            }
        }
    }

    fn spaces(&self, node: &Node, found: &mut Diagnostics) -> Vec<usize> {
        node.items(found).iter().filter_map(|n| space(self.laid, n, found)).collect()
    }

    fn terrains(&self, node: Option<&Node>, found: &mut Diagnostics) -> Vec<String> {
        names(node, self.plan.terrains.iter().map(|t| t.of.name.as_str()), "terrain", found)
    }

    fn features(&self, node: Option<&Node>, found: &mut Diagnostics) -> Vec<String> {
        names(node, self.plan.features.iter().map(|f| f.of.name.as_str()), "feature", found)
    }
}

fn names<'a>(
    node: Option<&Node>,
    known: impl Iterator<Item = &'a str> + Clone,
    what: &str,
    found: &mut Diagnostics,
) -> Vec<String> {
    let mut names = Vec::new();
    for item in node.map(|n| n.items(found)).unwrap_or_default() {
        let name = item.as_text(found);
        if known.clone().any(|k| k == name) {
            names.push(name);
        } else {
            let help = suggest(&name, known.clone());
            found.error("unknown-name", &item.span, format!("`{name}` is not a {what} of this map"), help);
        }
    }
    names
}

//! Scenarios: where everything stands when play begins.

use std::sync::Arc;

use super::{
    Assertion, Attribute, Cite, Provenance, RuleId, kind,
    reading::Reader,
    state::{Holder, Schema},
    units,
};
use crate::{
    diagnostic::{Span, suggest},
    ruleset::{Rule, Sequence},
    yaml::{Fields, Node},
};

/// One counter's place at the start.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The counter.
    pub unit: i32,
    /// A space, or a box counted from the number of spaces.
    pub place: i32,
    /// Columns of the unit and their values.
    pub set: Vec<(u16, i32)>,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// A scenario.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Short name.
    pub id: String,
    /// Title.
    pub title: String,
    /// What it is about.
    pub about: String,
    /// Counters, in the order written.
    pub setup: Vec<Setup>,
    /// Where the positions come from, and whatever else it sets.
    pub from: Provenance,
    /// Columns of game, sides and spaces: column, index, value.
    pub state: Vec<(u16, i32, i32)>,
    /// The first and the last game turn.
    pub turns: (i32, i32),
    /// The place of the sequence where play begins, if not at its start.
    pub begin: Option<String>,
    /// A rule carried out before play begins.
    pub script: Option<RuleId>,
    /// What is asserted of its games.
    pub asserted: Arc<[Assertion]>,
    /// Where it is named.
    pub span: Span,
}

/// Reads one scenario file.
pub(super) fn read(
    node: &Node,
    (schema, attributes): (&Schema, &[Attribute]),
    sequence: &Sequence,
    rules: &[Rule],
    reader: &mut Reader<'_>,
) -> Scenario {
    let mut fields = node.fields(reader.found);
    let named = fields.must("scenario", reader.found);
    let span = named.map_or(&node.span, |named| &named.span).clone();
    let id = named.map(|n| n.as_text(reader.found)).unwrap_or_default();
    let title = fields.may("title").map_or_else(|| id.clone(), |n| units::title(n, reader.found));
    let about = fields.text("about", reader.found).unwrap_or_default();
    let mut setup: Vec<Setup> = Vec::new();
    let items = fields.may("setup").map(|n| n.items(reader.found)).unwrap_or_default();
    let lines = items.len();
    for item in items {
        let Some(line) = line(item, (schema, attributes), reader) else { continue };
        if setup.iter().any(|s| s.unit == line.unit) {
            let name = item.get("unit").and_then(Node::text).unwrap_or("");
            let message = format!("`{name}` is set up twice");
            reader.found.error("twice", &item.span, message, "delete one line, or name the second unit");
        }
        setup.push(line);
    }
    let mut state = Vec::new();
    if let Some(node) = fields.may("state") {
        for (key, value) in node.entries(reader.found) {
            let name = key.as_text(reader.found);
            let side = reader.sides.iter().position(|s| *s == name);
            match (side, reader.map.find(&name)) {
                (Some(side), _) => columns(value, Holder::Side, side as i32, (schema, attributes), &mut state, reader),
                (None, _) if name == "game" => {
                    columns(value, Holder::Game, 0, (schema, attributes), &mut state, reader)
                }
                (None, Some(space)) => {
                    columns(value, Holder::Space, space.0 as i32, (schema, attributes), &mut state, reader)
                }
                (None, None) => {
                    let known = reader.sides.iter().map(String::as_str).chain(["game"]);
                    let help = match reader.units.contains(&name) {
                        true => "what a counter has is said by `set:` in its line of `setup:`".to_owned(),
                        false => format!("{}; or name a space of the map", suggest(&name, known)),
                    };
                    let message = format!("`{name}` is no side, no space and not `game`");
                    reader.found.error("unknown-name", &key.span, message, help);
                }
            }
        }
    }
    let turns = read_turns(&mut fields, sequence, reader);
    let begin = fields.may("begin").map(|node| {
        let name = node.as_text(reader.found);
        if sequence.place(&name).is_none() {
            let help = suggest(&name, sequence.places.iter().map(|place| place.name.as_str()));
            reader.found.error("unknown-name", &node.span, format!("`{name}` is no place of the sequence"), help);
        }
        name
    });
    let script = fields.may("script").and_then(|n| {
        let name = n.as_text(reader.found);
        let at = rules.iter().position(|r| r.name == name);
        if at.is_none() {
            let help = suggest(&name, rules.iter().map(|r| r.name.as_str()));
            reader.found.error("unknown-rule", &n.span, format!("there is no rule `{name}`"), help);
        }
        at.map(|at| RuleId(at as u16))
    });
    if script.is_none() && setup.len() == lines {
        missing(&setup, node, reader);
    }
    let from = Provenance::read(fields.may("from"), reader.found);
    // What is asserted is read by whoever knows the sequence of play.
    fields.may("assert");
    fields.finish(reader.found);
    Scenario { id, title, about, setup, from, state, turns, begin, script, asserted: Arc::default(), span }
}

/// The first and the last turn; no game begins after it has ended.
fn read_turns(fields: &mut Fields<'_>, sequence: &Sequence, reader: &mut Reader<'_>) -> (i32, i32) {
    let [first, last] = ["first-turn", "last-turn"].map(|key| fields.may(key));
    let mut turn = |node: Option<&Node>, default| node.map_or(default, |n| n.as_int(1, 10_000, reader.found));
    let turns = (turn(first, 1), turn(last, 10_000));
    let end = sequence.last_turn(turns.1);
    if let Some(node) = last.filter(|_| turns.1 > end) {
        let message = format!("turn {} does not come: the last turn of the sequence is {end}", turns.1);
        reader.found.error("range", &node.span, message, "end earlier, or give the sequence more turns");
    }
    if let Some(node) = first.filter(|_| turns.0 > end) {
        let message = format!("play begins in turn {}, and its last turn is {end}", turns.0);
        reader.found.error("range", &node.span, message, "begin earlier, or end later");
    }
    turns
}

/// Tells of counters that no line of a scenario speaks of: they would be nowhere. A rule that sets up may do the rest.
fn missing(setup: &[Setup], node: &Node, reader: &mut Reader<'_>) {
    let names = (0i32..).zip(reader.units.iter());
    let missing: Vec<String> = names
        .filter(|(unit, _)| setup.iter().all(|line| line.unit != *unit))
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    if let [first, more @ ..] = missing.as_slice() {
        let (more, is) = match more.len() {
            0 => (String::new(), "is"),
            1 => (" and one more".to_owned(), "are"),
            more => (format!(" and {more} more"), "are"),
        };
        let help = "write a line for each counter: `in: BOX` for those that take no part";
        reader.found.warning("not-set-up", &node.span, format!("{first}{more} {is} set up nowhere"), help);
    }
}

fn line(item: &Node, declared: (&Schema, &[Attribute]), reader: &mut Reader<'_>) -> Option<Setup> {
    let mut fields = item.fields(reader.found);
    let unit = fields.must("unit", reader.found).and_then(|n| reader.unit(n));
    let (at, inside) = (fields.may("at"), fields.may("in"));
    let is_said = at.is_some() || inside.is_some();
    let mut other = |node: &Node, is: &str, key: &str| {
        let message = format!("`{}` is {is}", node.text().unwrap_or_default());
        reader.found.error("kind", &node.span, message, format!("write `{key}:` in place of this"));
    };
    // Whether a name is a space's, and whether a box's.
    let is_of = |node: &Node| {
        let name = node.text().unwrap_or_default();
        (reader.map.find(name).is_some(), reader.boxes.iter().any(|known| known == name))
    };
    let at = at.filter(|node| {
        let is_box = is_of(node) == (false, true);
        if is_box {
            other(node, "a box, and no space", "in");
        }
        !is_box
    });
    let inside = inside.filter(|node| {
        let is_space = is_of(node) == (true, false);
        if is_space {
            other(node, "a space, and no box", "at");
        }
        !is_space
    });
    let at = at.and_then(|n| reader.space(n)).map(|s| s.0 as i32);
    let spaces = reader.map.len() as i32;
    let inside = inside.and_then(|n| reader.holding_box(n)).map(|b| spaces + b);
    let mut set = Vec::new();
    if let Some(node) = fields.may("set") {
        let mut list = Vec::new();
        columns(node, Holder::Unit, 0, declared, &mut list, reader);
        set = list.into_iter().map(|(column, _, value)| (column, value)).collect();
    }
    let cite = reader.cite(&mut fields);
    fields.finish(reader.found);
    let place = at.or(inside);
    if at.is_some() && inside.is_some() {
        let help = "delete `at:` or `in:`";
        reader.found.error("twice", &item.span, "this line says two places where the counter stands", help);
    }
    if !is_said {
        let help = "write `at: <space>` or `in: <box>`";
        reader.found.error("missing", &item.span, "this line does not say where the counter stands", help);
    }
    Some(Setup { unit: unit?, place: place?, set, cite })
}

fn columns(
    node: &Node,
    holder: Holder,
    of: i32,
    (schema, attributes): (&Schema, &[Attribute]),
    state: &mut Vec<(u16, i32, i32)>,
    reader: &mut Reader<'_>,
) {
    for (key, value) in node.entries(reader.found) {
        let name = key.as_text(reader.found);
        match schema.column(holder, &name) {
            Some(column @ (Schema::PLACE | Schema::TURN | Schema::PHASING)) => {
                let help = match column {
                    Schema::PLACE => "where a counter stands is said by `at:` or `in:`",
                    Schema::TURN => "the turn that play begins in is said by `first-turn:`",
                    _ => "whose turn it is follows from where play begins, which `begin:` says",
                };
                reader.found.error("not-set-here", &key.span, format!("`{name}` is not set here"), help);
            }
            Some(column) => {
                let c = &schema.columns[column as usize];
                state.push((column, of, kind::value(value, c.kind, c.range, schema, reader)));
            }
            None => {
                // The first are the engine's own.
                let own = schema.columns.iter().skip(usize::from(Schema::PHASING) + 1);
                let help = suggest(&name, own.filter(|c| c.holder == holder).map(|c| c.name.as_str()));
                let printed = attributes.iter().any(|a| a.holder == holder && a.name == name);
                if printed {
                    let message = format!("`{name}` is printed, and no scenario sets it");
                    reader.found.error("not-set-here", &key.span, message, "change it by an amendment of the game");
                    continue;
                }
                reader.found.error("unknown-name", &key.span, format!("`{name}` is not declared"), help);
            }
        }
    }
}

//! What a board shows besides counters and ground: how strong a stack is, who is in contact, what is worth something; the
//! badges of counters and spaces, which way counters face, who controls a space, and tracks.

use std::collections::BTreeSet;

use super::{
    Attribute, Holder, Kind, Schema,
    reading::Reader,
    rows::{Compiler, Expr, Names, Read, Reads, Rows, Scope, Zone},
    tables::compile,
};
use crate::{
    diagnostic::suggest,
    yaml::{Fields, Node},
};

/// What `board:` declares.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The side that controls a space, given it.
    pub control: Option<Looked>,
    /// Badges printed on spaces.
    pub spaces: Vec<Badge>,
    /// The direction in which a counter faces, given it.
    pub facing: Option<Looked>,
    /// Badges that counters wear.
    pub units: Vec<Badge>,
    /// Tracks beside the map.
    pub tracks: Vec<Track>,
    /// The strength of a counter; nothing where no number is shown.
    pub strength: Option<Strength>,
    /// The printed numbers that the strength is read from: indices of attributes of units.
    pub strength_of: Vec<usize>,
    /// The zone whose units are in contact: index among the ruleset's.
    pub contact: Option<u16>,
    /// What makes a space an objective where it is not 0: indices of attributes of spaces.
    pub objectives: Vec<usize>,
}

/// A value that a board shows, and what it looks at: eyes that may not see that are not shown it.
#[derive(Debug, Clone)]
pub struct Looked {
    /// The value, given what wears it.
    pub value: Expr,
    /// The properties that it looks at.
    pub columns: BTreeSet<u16>,
    /// Whether it looks at other counters than the one that wears it.
    pub at_others: bool,
}

/// A badge, of a counter or of a space.
#[derive(Debug, Clone)]
pub struct Badge {
    /// Its id.
    pub id: String,
    /// What it is, in words.
    pub say: String,
    /// What it shows.
    pub shows: Shows,
}

/// What a badge shows.
#[derive(Debug, Clone)]
pub enum Shows {
    /// A number, where it is not 0.
    Number(Looked),
    /// Dots, as many as are left; of how many, where that is said.
    Dots(Looked, Option<Looked>),
    /// A named value of a list of symbols, by its sign; none where the value has none.
    Named(Looked, u16, Vec<String>),
    /// A sign, while a condition holds.
    Sign(String, Looked),
}

/// A track: its cells are the values of a property, and markers lie on those that it has.
#[derive(Debug, Clone)]
pub struct Track {
    /// Its id.
    pub id: String,
    /// What it is, in words.
    pub say: String,
    /// The property, of the game, or of sides, each of which has a marker.
    pub marker: u16,
    /// What is printed in cells, by value.
    pub cells: Vec<(i32, String)>,
}

/// How a counter's strength is found.
#[derive(Debug, Clone)]
pub enum Strength {
    /// A sum given a unit: index of the rows.
    Rows(u16),
    /// A number, given a unit.
    Value(Expr),
}

/// Reads `board: { strength: strength, contact: zoc, objectives: [points] }`, and what else a board shows.
pub(super) fn read(
    node: Option<&Node>,
    rows: &[Rows],
    zones: &[Zone],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Shown {
    let Some(node) = node else { return Shown::default() };
    let mut fields = node.fields(reader.found);
    let strength = fields.may("strength").and_then(|node| {
        let text = node.text().unwrap_or("");
        let is_sum = |r: &Rows| r.read == Read::Sum && r.given.iter().map(|(_, kind)| *kind).eq([Kind::Unit]);
        match rows.iter().position(|r| r.name == text && is_sum(r)) {
            Some(at) => Some(Strength::Rows(at as u16)),
            None => compile(node, &[("unit".to_owned(), Kind::Unit)], Kind::Int, names, reader).map(Strength::Value),
        }
    });
    let mut looks_at = Reads::default();
    match &strength {
        Some(Strength::Rows(at)) => {
            rows[usize::from(*at)].rows.iter().for_each(|row| looks_at.join(&Reads::of(&row.value, names)));
        }
        Some(Strength::Value(value)) => looks_at.join(&Reads::of(value, names)),
        None => (),
    }
    let numbers = looks_at.attributes.into_iter().map(usize::from);
    let of_units = |at: &usize| names.attributes[*at].holder == Holder::Unit && names.attributes[*at].kind == Kind::Int;
    let strength_of = numbers.filter(of_units).collect();
    let contact = fields.may("contact").and_then(|node| {
        let text = node.as_text(reader.found);
        let at = zones.iter().position(|zone| zone.name == text);
        if at.is_none() {
            let help = suggest(&text, zones.iter().map(|zone| zone.name.as_str()));
            reader.found.error("unknown-name", &node.span, format!("there is no zone `{text}`"), help);
        }
        at.map(|at| at as u16)
    });
    let mut objectives = Vec::new();
    for node in fields.may("objectives").map(|n| n.items(reader.found)).unwrap_or_default() {
        let text = node.as_text(reader.found);
        let of_spaces = |a: &Attribute| a.holder == Holder::Space && a.kind == Kind::Int;
        match names.attributes.iter().position(|a| of_spaces(a) && a.name == text) {
            Some(at) => objectives.push(at),
            None => {
                let known = names.attributes.iter().filter(|a| of_spaces(a)).map(|a| a.name.as_str());
                let message = format!("spaces have no number `{text}`");
                reader.found.error("unknown-name", &node.span, message, suggest(&text, known));
            }
        }
    }
    let mut shown = Shown { strength, strength_of, contact, objectives, ..Shown::default() };
    let space = [("space".to_owned(), Kind::Space)];
    let control = fields.may("control");
    shown.control = control.and_then(|node| looked(node, &space, Some(Kind::Side), names, reader)).map(|(of, _)| of);
    shown.spaces = badges(fields.may("spaces"), &space, names, reader);
    if let Some(node) = fields.may("units") {
        let unit = [("unit".to_owned(), Kind::Unit)];
        let mut fields = node.fields(reader.found);
        if let Some(node) = fields.may("facing") {
            match names.schema.direction() {
                Some(direction) => {
                    shown.facing = looked(node, &unit, Some(direction), names, reader).map(|(of, _)| of);
                }
                None => {
                    let help = "leave `facing:` out: on a map of areas nothing faces anywhere";
                    reader.found.error("no-directions", &node.span, "this map has no directions", help);
                }
            }
        }
        shown.units = badges(fields.may("badges"), &unit, names, reader);
        fields.finish(reader.found);
    }
    shown.tracks = tracks(fields.may("tracks"), names, reader);
    fields.finish(reader.found);
    shown
}

/// Reads a value that a board shows, of a kind, or of any; and its kind.
fn looked(
    node: &Node,
    given: &[(String, Kind)],
    wanted: Option<Kind>,
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Option<(Looked, Kind)> {
    let (value, kind) = match wanted {
        Some(wanted) => (compile(node, given, wanted, names, reader)?, wanted),
        None => {
            let text = node.as_text(reader.found);
            let compiler = Compiler { names, span: node.span.clone() };
            compiler.kind_of(&text, &Scope { bound: given.to_vec() }, reader.found)?
        }
    };
    let reads = Reads::of(&value, names);
    let unit = given.iter().position(|(_, kind)| *kind == Kind::Unit).map(|slot| slot as u8);
    let at_others = reads.looks_at_others(unit);
    Some((Looked { value, columns: reads.columns, at_others }, kind))
}

/// Reads badges, each with one of `number:`, `dots:`, `is:` and `when:`.
fn badges(node: Option<&Node>, given: &[(String, Kind)], names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Badge> {
    let mut badges: Vec<Badge> = Vec::new();
    for node in node.map(|n| n.items(reader.found)).unwrap_or_default() {
        let mut fields = node.fields(reader.found);
        let (id, say) = called(&mut fields, badges.iter().map(|badge| badge.id.as_str()), reader);
        let shown = ["number", "dots", "is", "when"].map(|key| fields.may(key));
        let (of, signs, sign) = (fields.may("of"), fields.may("signs"), fields.may("sign"));
        let mut number = |node: &Node| looked(node, given, Some(Kind::Int), names, reader).map(|(of, _)| of);
        let shows = match (shown, of, signs, sign) {
            ([Some(value), None, None, None], None, None, None) => number(value).map(Shows::Number),
            ([None, Some(dots), None, None], of, None, None) => {
                let of = of.map(&mut number);
                number(dots).map(|dots| Shows::Dots(dots, of.flatten()))
            }
            ([None, None, Some(is), None], None, Some(signs), None) => named(is, signs, given, names, reader),
            ([None, None, None, Some(when)], None, None, Some(sign)) => {
                let sign = short(sign, reader);
                looked(when, given, Some(Kind::Flag), names, reader).map(|(when, _)| Shows::Sign(sign, when))
            }
            _ => {
                let message = "a badge shows one thing, and it is not said which";
                let help = "write `number: NUMBER`, `dots: NUMBER` (and `of: NUMBER`), `is: VALUE` with `signs: { \
                            value: S }`, or `when: CONDITION` with `sign: S`";
                reader.found.error("badge", &node.span, message, help);
                None
            }
        };
        fields.finish(reader.found);
        badges.extend(shows.map(|shows| Badge { id, say, shows }));
    }
    badges
}

/// Reads `is:`, a named value, with the sign of each value that has one.
fn named(
    is: &Node,
    signs: &Node,
    given: &[(String, Kind)],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Option<Shows> {
    let (value, kind) = looked(is, given, None, names, reader)?;
    let Kind::Symbol(list) = kind else {
        let message = format!("this is {}, and a named value is wanted here", kind.words());
        reader.found.error("kind", &is.span, message, "show a number with `number:`, a condition with `when:`");
        return None;
    };
    let values = &names.schema.symbols[usize::from(list)].values;
    let mut all = vec![String::new(); values.len()];
    for (name, sign) in signs.entries(reader.found) {
        let text = name.as_text(reader.found);
        match values.iter().position(|value| *value == text) {
            Some(at) => all[at] = short(sign, reader),
            None => {
                let help = suggest(&text, values.iter().map(String::as_str));
                reader.found.error("unknown-name", &name.span, format!("`{text}` is none of its values"), help);
            }
        }
    }
    Some(Shows::Named(value, list, all))
}

/// Reads a sign, of a letter or two: more has no room on a counter.
fn short(node: &Node, reader: &mut Reader<'_>) -> String {
    let text = node.as_text(reader.found);
    if !(1..=2).contains(&text.chars().count()) {
        let message = format!("`{text}` is no sign: it has a letter or two");
        reader.found.error("sign", &node.span, message, "more has no room on a counter");
    }
    text
}

/// Reads `id:`, which no other of the list has, and `say:`, which is the id where it is left out.
fn called<'n>(
    fields: &mut Fields<'_>,
    mut others: impl Iterator<Item = &'n str>,
    reader: &mut Reader<'_>,
) -> (String, String) {
    let node = fields.must("id", reader.found);
    let id = node.map(|node| node.as_text(reader.found)).unwrap_or_default();
    if let Some(node) = node.filter(|_| others.any(|other| other == id)) {
        reader.found.error("twice", &node.span, format!("`{id}` stands there already"), "give it another id");
    }
    let say = fields.text("say", reader.found).unwrap_or_else(|| id.replace('-', " "));
    (id, say)
}

/// Reads `tracks:`, each with the property that is its `marker:`.
fn tracks(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Track> {
    let schema = names.schema;
    let has_cells = |kind: Kind| matches!(kind, Kind::Int | Kind::Symbol(_));
    let holds = |holder: Holder| matches!(holder, Holder::Game | Holder::Side);
    let mut tracks: Vec<Track> = Vec::new();
    for node in node.map(|n| n.items(reader.found)).unwrap_or_default() {
        let mut fields = node.fields(reader.found);
        let (id, say) = called(&mut fields, tracks.iter().map(|track| track.id.as_str()), reader);
        let marker = fields.must("marker", reader.found).and_then(|node| {
            let text = node.as_text(reader.found);
            let column = [Holder::Game, Holder::Side].into_iter().find_map(|holder| schema.column(holder, &text));
            let column = column.filter(|at| has_cells(schema.columns[usize::from(*at)].kind));
            if column.is_none() {
                let known = schema.columns.iter().filter(|c| holds(c.holder) && has_cells(c.kind));
                let message = format!("neither the game nor sides have a range or a list of symbols `{text}`");
                let help = suggest(&text, known.map(|c| c.name.as_str()));
                reader.found.error("unknown-name", &node.span, message, help);
            }
            column
        });
        let (least, most) = match marker {
            Some(Schema::TURN) => (1, i32::MAX),
            Some(at) => schema.columns[usize::from(at)].range,
            None => (i32::MIN, i32::MAX),
        };
        let mut cells = Vec::new();
        for (value, words) in fields.may("cells").map(|n| n.entries(reader.found)).unwrap_or_default() {
            cells.push((value.as_int(least, most, reader.found), words.as_text(reader.found)));
        }
        fields.finish(reader.found);
        tracks.extend(marker.map(|marker| Track { id, say, marker, cells }));
    }
    tracks
}

//! Ways of moving: what they cost, what a move remembers of its steps, and which printed lists they ask.

use std::sync::OnceLock;

use super::{
    Attribute, Cite, KnownGaits,
    kind::Kind,
    reading::Reader,
    rows::{
        Expr, Names, Read, Reads, Rows,
        fold::{fold, reads_slot},
    },
    steps::Baked,
    tables::compile,
    texts,
};
use crate::{
    diagnostic::{Span, suggest},
    map::{MOST_GAITS, MOST_MET, Map},
    yaml::{Fields, Node},
};

/// A class of movers: what each step costs, what closes a border, what ends a move.
#[derive(Debug)]
pub struct Mover {
    /// Its name.
    pub name: String,
    /// Ways a step may be taken on, as people call them; one where the mover declares none.
    pub ways: Vec<String>,
    /// The list of symbols that the ways are.
    pub way_kind: Option<Kind>,
    /// What a move remembers of its steps.
    pub marks: Vec<Mark>,
    /// Units of cost in a movement point.
    pub point: u16,
    /// Movement points of a unit; rules say how many where it is not declared.
    pub allowance: Option<Points>,
    /// Movement points beyond it, at a price the rules name.
    pub extra: Option<Points>,
    /// Whether one space may always be entered, whatever it costs.
    pub minimum: bool,
    /// Step costs; the first row that holds decides. Given unit, from, to.
    pub step: Vec<StepRow>,
    /// The mover whose step costs these are: itself, or the one it moves `as`.
    pub steps_of: String,
    /// Guards, given unit, from, to, and the way where there are several: index into the ruleset's rows.
    pub forbid: Option<usize>,
    /// What ends a move, given unit, from, to: index into the ruleset's rows.
    pub ends: Option<usize>,
    /// What a move pauses at, given unit, from, to: a rule may let it go on with what is left. Index into the
    /// ruleset's rows.
    pub pauses: Option<usize>,
    /// Guards of the space where a move ends, given unit, from (where it began), to: index into the ruleset's rows.
    pub at_end: Option<usize>,
    /// What it costs to begin in a space that one enters from off the map: a sum given unit, space, entry (which may
    /// be nothing), and the way where there are several. Index into the ruleset's rows.
    pub entering: Option<usize>,
    /// Which gaits it has, for units whose steps are marked alike.
    pub gaits: KnownGaits,
    /// Rows of step costs that ask only about the unit.
    of_unit: Vec<usize>,
    /// Step costs worked out for every border, when first asked for: for each set of those rows that hold.
    baked: Vec<OnceLock<Baked>>,
}

/// What a move remembers of the steps behind it: that one of a kind was taken, or how many were.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// Which steps it counts; given unit, from, to, the way of the step and the way of the step before.
    pub when: Expr,
    /// What the condition looks at.
    pub looks_at: Reads,
    /// No step may be taken that would be one more than this; without it the mark is only whether there was one.
    pub most: Option<u8>,
    /// Guards of every step after a marked one, given as the mover's own: index into the ruleset's rows.
    pub forbid: Option<usize>,
    /// The sentence people see when there would be too many.
    pub say: String,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

impl Mark {
    /// The slots of [`Mark::when`] in which the way of the step, and of the one before, stand.
    pub const WAYS: (u8, u8) = (3, 4);

    /// The highest number the mark can stand at.
    pub fn highest(&self) -> u8 {
        self.most.unwrap_or(1)
    }
}

/// Movement points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Points {
    /// So many.
    Just(u16),
    /// The sum of these rows, given unit: index into the ruleset's rows. Less than nothing counts as nothing.
    Rows(usize),
}

impl Mover {
    /// A cost as people say it: in movement points, with a fraction.
    pub fn in_points(&self, cost: u16) -> String {
        let (whole, rest) = (cost / self.point, cost % self.point);
        let rest = match (rest * 12 / self.point, rest * 12 % self.point) {
            (0, 0) => "",
            (3, 0) => "¼",
            (4, 0) => "⅓",
            (6, 0) => "½",
            (8, 0) => "⅔",
            (9, 0) => "¾",
            _ => return format!("{cost}/{}", self.point),
        };
        if whole == 0 && !rest.is_empty() { rest.to_owned() } else { format!("{whole}{rest}") }
    }

    /// Rows of step costs that ask only about the unit, with what they ask. Which of them hold for a unit, as a bit
    /// set in their order, says which of the costs worked out are its own.
    pub fn of_unit(&self) -> impl Iterator<Item = &Expr> {
        self.of_unit.iter().map(|row| &self.step[*row].when)
    }

    /// Step costs worked out for every border, while those rows hold that are in the set.
    pub fn baked(&self, held: usize, map: &Map, attributes: &[Attribute]) -> &Baked {
        let known = |row: usize| self.of_unit.iter().position(|r| *r == row).map(|bit| held >> bit & 1 == 1);
        self.baked[held].get_or_init(|| Baked::new(self, &known, map, attributes))
    }
}

/// One line of a table of step costs.
#[derive(Debug, Clone)]
pub struct StepRow {
    /// Its id.
    pub id: String,
    /// Which way it is on.
    pub way: u8,
    /// Whether it holds.
    pub when: Expr,
    /// What it costs, before what is added.
    pub cost: u16,
    /// What is added: each line whose condition holds.
    pub plus: Vec<(Expr, u16)>,
    /// The sentence people see.
    pub say: String,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// Reads `movers:`.
pub(super) fn movers(node: Option<&Node>, rows: &[Rows], names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Mover> {
    let scope: Vec<(String, Kind)> =
        [("unit", Kind::Unit), ("from", Kind::Space), ("to", Kind::Space)].map(|(n, k)| (n.to_owned(), k)).to_vec();
    let mut movers = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let (mut ways, mut way_kind) = ways(&mut fields, names, reader);
        let name = name.as_text(reader.found);
        let mut remembered = Vec::new();
        let (mut step, mut steps_of, mut point) = (Vec::new(), name.clone(), 1);
        if let Some(node) = fields.may("as") {
            let Some(like) = moves_as(node, &movers, reader) else { continue };
            (ways, way_kind, point) = (like.ways.clone(), like.way_kind, like.point);
            remembered = like.marks.clone();
            (step, steps_of) = (like.step.clone(), like.steps_of.clone());
        } else {
            for item in fields.must("step", reader.found).map(|n| n.items(reader.found)).unwrap_or_default() {
                step.push(step_row(item, &ways, &scope, names, reader));
            }
        }
        point = fields.may("point").map_or(point, |n| n.as_int(1, 60, reader.found) as u16);
        let allowance = points(&mut fields, "allowance", rows, reader);
        let extra = points(&mut fields, "extra", rows, reader);
        let minimum = fields.may("minimum").is_some_and(|n| n.as_flag(reader.found));
        if let Some(own) = marks(&mut fields, way_kind, rows, names, reader) {
            remembered = own;
        }
        let forbid = step_guard(&mut fields, "forbid", way_kind, rows, reader);
        let ends = guard(&mut fields, "ends", rows, &scope, reader);
        let pauses = guard(&mut fields, "pauses", rows, &scope, reader);
        let at_end = guard(&mut fields, "at-end", rows, &scope, reader);
        let entering = entering(&mut fields, way_kind, rows, reader);
        fields.finish(reader.found);
        if minimum && way_kind.is_some() {
            let help = "leave `minimum:` out, or the ways";
            reader.found.error("minimum", &body.span, "a mover of several ways has no `minimum:`", help);
        }
        let alone = |row: &StepRow| matches!(row.when, Expr::Const(_)) || (1..16).any(|s| reads_slot(&row.when, s));
        let mut of_unit: Vec<usize> = (0..step.len()).filter(|row| !alone(&step[*row])).collect();
        of_unit.truncate(MOST_OF_UNIT);
        let baked = (0..1 << of_unit.len()).map(|_| OnceLock::new()).collect();
        movers.push(Mover {
            name,
            ways,
            way_kind,
            marks: remembered,
            gaits: KnownGaits::default(),
            of_unit,
            point,
            allowance,
            extra,
            minimum,
            step,
            steps_of,
            forbid,
            ends,
            pauses,
            at_end,
            entering,
            baked,
        });
    }
    movers
}

/// Costs are worked out for every set of rows that ask about the unit alone; of more rows some are asked on the way.
const MOST_OF_UNIT: usize = 4;

/// `ways: NAME`, a list of symbols; a mover that declares none has one way.
fn ways(fields: &mut Fields<'_>, names: &Names<'_>, reader: &mut Reader<'_>) -> (Vec<String>, Option<Kind>) {
    let one = (vec!["normal".to_owned()], None);
    let Some(node) = fields.may("ways") else { return one };
    let text = node.as_text(reader.found);
    let symbols = &names.schema.symbols;
    let Some(list) = symbols.iter().position(|s| s.name == text) else {
        let help = suggest(&text, symbols.iter().map(|s| s.name.as_str()));
        reader.found.error("unknown-name", &node.span, format!("there is no list of symbols `{text}`"), help);
        return one;
    };
    let ways = symbols[list].values.clone();
    if ways.len() > 8 {
        reader.found.error("too-many", &node.span, "more than 8 ways of moving", "split the mover");
        return one;
    }
    (ways, Some(Kind::Symbol(list as u16)))
}

/// `marks:`, what a move remembers of its steps.
fn marks(
    fields: &mut Fields<'_>,
    way_kind: Option<Kind>,
    rows: &[Rows],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Option<Vec<Mark>> {
    let node = fields.may("marks")?;
    let Some(way) = way_kind else {
        let help = "write `ways: NAME`, a list of symbols; it may have but one";
        reader.found.error("marks", &node.span, "only a mover that declares its ways has marks", help);
        return None;
    };
    let scope: Vec<(String, Kind)> =
        [("unit", Kind::Unit), ("from", Kind::Space), ("to", Kind::Space), ("way", way), ("before", way)]
            .map(|(n, k)| (n.to_owned(), k))
            .to_vec();
    let mut marks = Vec::new();
    for (name, body) in node.entries(reader.found) {
        let name = name.as_text(reader.found);
        let mut fields = body.fields(reader.found);
        let when = fields.must("when", reader.found).and_then(|n| compile(n, &scope, Kind::Flag, names, reader));
        let most = fields.may("most").map(|n| n.as_int(1, 9, reader.found) as u8);
        let forbid = step_guard(&mut fields, "forbid", way_kind, rows, reader);
        let blanks = ["unit", "from", "to"];
        let say = fields.may("say").map_or_else(|| name.replace('-', " "), |n| texts::sentence(n, &blanks, reader));
        let cite = reader.must_cite(&mut fields);
        fields.finish(reader.found);
        if most.is_none() && forbid.is_none() {
            let help = "write `most: 1`, or `forbid:` with guards of the steps after it";
            reader.found.error("marks", &body.span, format!("mark `{name}` changes nothing"), help);
        }
        let when = fold(&when.unwrap_or(Expr::Const(0)), &[], names.map);
        if matches!(when, Expr::Const(0)) {
            continue; // a reading that is not in force
        }
        let looks_at = Reads::of(&when, names);
        marks.push(Mark { name, when, looks_at, most, forbid, say, cite });
    }
    let ways = way_kind.map_or(1, |kind| match kind {
        Kind::Symbol(list) => names.schema.symbols[list as usize].values.len(),
        _ => 1,
    });
    let gaits = marks.iter().fold(ways, |all, mark| all * (usize::from(mark.highest()) + 1));
    let asks = marks.iter().filter(|m| m.looks_at.slots & 0b110 != 0).count();
    if gaits >= MOST_GAITS || asks > MOST_MET {
        let message = format!("{gaits} gaits with {asks} marks that ask about spaces are too many");
        let help =
            format!("at most {} gaits (ways times what each mark counts), {MOST_MET} such marks", MOST_GAITS - 1);
        reader.found.error("too-many", &node.span, message, help);
    }
    Some(marks)
}

fn way(node: &Node, ways: &[String], reader: &mut Reader<'_>) -> Option<usize> {
    let text = node.as_text(reader.found);
    let at = ways.iter().position(|w| *w == text);
    if at.is_none() {
        let help = suggest(&text, ways.iter().map(String::as_str));
        reader.found.error("unknown-name", &node.span, format!("there is no way `{text}`"), help);
    }
    at
}

/// A guard of steps: given unit, from, to, and the way too if it likes, where the mover has several.
fn step_guard(
    fields: &mut Fields<'_>,
    key: &'static str,
    way: Option<Kind>,
    rows: &[Rows],
    reader: &mut Reader<'_>,
) -> Option<usize> {
    let node = fields.may(key)?;
    let at = named(node, rows, reader)?;
    let mut scope: Vec<(String, Kind)> =
        [("unit", Kind::Unit), ("from", Kind::Space), ("to", Kind::Space)].map(|(n, k)| (n.to_owned(), k)).to_vec();
    scope.extend(way.filter(|_| rows[at].given.len() > 3).map(|way| ("way".to_owned(), way)));
    given_as(&rows[at], &scope, &node.span, reader);
    Some(at)
}

/// `as: march`: the ways, marks and step costs of a mover above.
fn moves_as<'m>(node: &Node, movers: &'m [Mover], reader: &mut Reader<'_>) -> Option<&'m Mover> {
    let text = node.as_text(reader.found);
    let like = movers.iter().find(|m| m.name == text);
    if like.is_none() {
        let help = suggest(&text, movers.iter().map(|m| m.name.as_str()));
        reader.found.error("unknown-name", &node.span, format!("there is no mover `{text}` above this one"), help);
    }
    like
}

/// `allowance: 5`, or `allowance: ROWS`, sums given a unit.
fn points(fields: &mut Fields<'_>, key: &'static str, rows: &[Rows], reader: &mut Reader<'_>) -> Option<Points> {
    let node = fields.may(key)?;
    if node.text().is_some_and(|text| text.trim().parse::<i64>().is_ok()) {
        return Some(Points::Just(node.as_int(0, 1000, reader.found) as u16));
    }
    let at = named(node, rows, reader)?;
    let table = &rows[at];
    if table.read != Read::Sum || table.given.iter().map(|(_, kind)| *kind).ne([Kind::Unit]) {
        let message = format!("`{}` must be a sum given a unit", table.name);
        reader.found.error("kind", &node.span, message, "write `read: sum` and `given: { unit: unit }`");
    }
    Some(Points::Rows(at))
}

/// `entering: ROWS`, sums given a unit, the space it enters, the entry it is meant to come in by, and the way.
fn entering(fields: &mut Fields<'_>, way: Option<Kind>, rows: &[Rows], reader: &mut Reader<'_>) -> Option<usize> {
    let node = fields.may("entering")?;
    let at = named(node, rows, reader)?;
    let table = &rows[at];
    let wanted = [Kind::Unit, Kind::Space, Kind::Space].into_iter().chain(way);
    if table.read != Read::Sum || table.given.iter().map(|(_, kind)| *kind).ne(wanted) {
        let message = format!("`{}` must be a sum given a unit, the space it enters and its entry", table.name);
        let given = if way.is_some() { ", way: WAYS" } else { "" };
        let help = format!("write `read: sum` and `given: {{ unit: unit, space: space, entry: space{given} }}`");
        reader.found.error("kind", &node.span, message, help);
    }
    Some(at)
}

/// The table of rows that a node names.
pub(super) fn named(node: &Node, rows: &[Rows], reader: &mut Reader<'_>) -> Option<usize> {
    let text = node.as_text(reader.found);
    let at = rows.iter().position(|r| r.name == text);
    if at.is_none() {
        let help = suggest(&text, rows.iter().map(|r| r.name.as_str()));
        reader.found.error("unknown-name", &node.span, format!("there is no table of rows `{text}`"), help);
    }
    at
}

fn step_row(
    item: &Node,
    ways: &[String],
    scope: &[(String, Kind)],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> StepRow {
    let mut fields = item.fields(reader.found);
    let id = fields.must("id", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
    let on = fields.may("way").and_then(|n| way(n, ways, reader)).unwrap_or(0) as u8;
    let when = fields.may("when").map_or(Some(Expr::Const(1)), |n| compile(n, scope, Kind::Flag, names, reader));
    let cost = fields.must("cost", reader.found).map_or(0, |n| n.as_int(0, 10_000, reader.found)) as u16;
    let mut plus = Vec::new();
    for item in fields.may("plus").map(|n| n.items(reader.found)).unwrap_or_default() {
        let mut fields = item.fields(reader.found);
        let when = fields.must("when", reader.found).and_then(|n| compile(n, scope, Kind::Flag, names, reader));
        let cost = fields.must("cost", reader.found).map_or(0, |n| n.as_int(0, 10_000, reader.found)) as u16;
        fields.may("id");
        fields.may("say");
        reader.must_cite(&mut fields);
        fields.finish(reader.found);
        plus.extend(when.map(|w| (w, cost)));
    }
    let say = fields.text("say", reader.found).unwrap_or_else(|| id.replace('-', " "));
    let cite = reader.must_cite(&mut fields);
    fields.finish(reader.found);
    StepRow { id, way: on, when: when.unwrap_or(Expr::Const(0)), cost, plus, say, cite }
}

fn guard(
    fields: &mut Fields<'_>,
    key: &'static str,
    rows: &[Rows],
    scope: &[(String, Kind)],
    reader: &mut Reader<'_>,
) -> Option<usize> {
    let node = fields.may(key)?;
    let at = named(node, rows, reader)?;
    given_as(&rows[at], scope, &node.span, reader);
    Some(at)
}

fn given_as(rows: &Rows, scope: &[(String, Kind)], span: &Span, reader: &mut Reader<'_>) {
    let kinds = |list: &[(String, Kind)]| list.iter().map(|(_, k)| *k).collect::<Vec<_>>();
    if kinds(&rows.given) != kinds(scope) {
        let message = format!("rows `{}` must be given a unit, a space it leaves and a space it enters", rows.name);
        reader.found.error("kind", span, message, "write `given: { unit: unit, from: space, to: space }`");
    }
}

//! Movers: what their steps cost, and which printed lists they ask.

use std::sync::{Arc, OnceLock};

use super::{
    Attribute, Cite, KnownAutomata, Part, Provenance, Schema,
    kind::Kind,
    marks::{Mark, marks},
    modes::ModeSymbols,
    reading::Reader,
    rows::{
        Expr, Likeness, Names, Read, Reads, Rows,
        fold::{apart_from, reads_slot},
    },
    steps::Baked,
    tables::{compile, told_apart},
    texts,
};
use crate::{
    diagnostic::{Span, suggest},
    map::{Map, OpenSearches},
    yaml::{Fields, Node},
};

/// A class of movers: what each step costs, what closes a border, what ends a move.
#[derive(Debug)]
pub struct Mover {
    /// Its name.
    pub name: String,
    /// What its modes are called, and how a move comes from one to another.
    pub symbols: ModeSymbols,
    /// What a move remembers of its steps and changes.
    pub marks: Vec<Mark>,
    /// Units of cost in a movement point.
    pub point: u16,
    /// Movement points of a unit; rules say how many where it is not declared.
    pub allowance: Option<Points>,
    /// Movement points beyond it, at a price the rules name.
    pub extra: Option<Points>,
    /// Whether one space may always be entered, whatever it costs.
    pub minimum: bool,
    /// Step costs; the first row that holds decides. Given unit, from, to, and the symbol of the mode where there are
    /// several.
    pub step: Vec<StepRow>,
    /// The mover whose step costs these are: itself, or the one it moves `as`.
    pub steps_of: String,
    /// Guards, given unit, from, to, and the symbol of the mode if they like: index into the ruleset's rows.
    pub may_step: Option<usize>,
    /// Guards of going on from a space (`may-go-on:`), given the same: index into the ruleset's rows.
    pub may_go_on: Option<usize>,
    /// Guards of going on without a pause (`may-pass:`), given the same: a rule may let a move that paused go on with what
    /// is left. Index into the ruleset's rows.
    pub may_pass: Option<usize>,
    /// Guards of the space where a move ends, given unit, from (where it began), to, and the symbol of the mode if they
    /// like: index into the ruleset's rows.
    pub may_stop: Option<usize>,
    /// For each of its rows, how it refuses ends.
    pub refuses_ends: Vec<RefusesEnds>,
    /// Whether it hangs on the symbol of the mode where steps are closed.
    pub steps_by_symbol: bool,
    /// Whether it hangs on the symbol of the mode where a move stops or pauses.
    pub stops_by_symbol: bool,
    /// Whether it does where a move may end.
    pub ends_by_symbol: bool,
    /// Whether steps may be taken in several ways and nothing remembers in which: then each is taken in the cheapest.
    pub ways_alike: bool,
    /// What it costs to begin in a space that one enters from off the map: a sum given unit, space, entry (which may
    /// be nothing), and the symbol of the mode where there are several. Index into the ruleset's rows.
    pub entering: Option<usize>,
    /// Its automata, for units whose transitions are marked alike.
    pub automata: KnownAutomata,
    /// Its searches where nothing stands in the way, and those of all that move as it does.
    pub open: Arc<OpenSearches>,
    /// The first mover whose searches come to the same nodes, of whoever has as much to spend: itself, or one whose moves
    /// differ only in where they may end.
    pub searches_as: u16,
    /// Of those who search as it does the first whose guards of where a move ends ask the same of all modes together.
    pub ends_as: u16,
    /// What its searches ask of the unit: they come to the same for two that stand in one space and are alike in this.
    /// Nothing where they ask which unit it is.
    pub likeness: Option<Likeness>,
    /// The parts of the state that its searches look at.
    pub reads: Vec<Part>,
    /// Rows of step costs that ask only about the unit.
    of_unit: Vec<usize>,
    /// Step costs worked out for every border, when first asked for: for each set of those rows that hold.
    baked: Vec<OnceLock<Baked>>,
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
    /// In which slot the space stands in the guards of where a move ends.
    pub const END: u8 = 2;

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

    /// The paragraph of what steps in a symbol cost: that of the last row for it; of the last at all for none.
    pub fn cite_of(&self, symbol: Option<usize>) -> Cite {
        let is_for = |row: &&StepRow| match (row.symbol, symbol) {
            (Some(only), Some(symbol)) => usize::from(only) == symbol,
            _ => true,
        };
        self.step.iter().rfind(is_for).map_or(Cite::NONE, |row| row.cite)
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

/// A guard of the space where a move ends, taken apart.
#[derive(Debug)]
pub struct RefusesEnds {
    /// What must be so, whatever the space, for it to refuse any.
    pub any: Expr,
    /// Where that is so, it refuses the spaces of which all of these hold; those of all its parts that ask about the space.
    pub those: Vec<Expr>,
}

impl RefusesEnds {
    fn of(when: &Expr) -> RefusesEnds {
        let parts = if let Expr::Both(parts) = when { parts.as_slice() } else { std::slice::from_ref(when) };
        let those = parts.iter().filter(|part| reads_slot(part, Mover::END)).cloned().collect();
        RefusesEnds { any: apart_from(Mover::END, when, true), those }
    }
}

/// One line of a table of step costs.
#[derive(Debug, Clone)]
pub struct StepRow {
    /// Its id.
    pub id: String,
    /// The symbol it is for; every one without.
    pub symbol: Option<u8>,
    /// Whether it holds.
    pub when: Expr,
    /// What it costs, before what is added.
    pub cost: u16,
    /// What is added: each line whose condition holds.
    pub plus: Vec<PlusRow>,
    /// The sentence people see.
    pub say: String,
    /// Where the cost comes from.
    pub from: Provenance,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// One line of what is added to the cost of a step.
#[derive(Debug, Clone)]
pub struct PlusRow {
    /// Its id; where it has none, the text that paths in the content know it by: what is written first in it.
    pub id: String,
    /// Whether it holds.
    pub when: Expr,
    /// What it adds.
    pub cost: u16,
    /// Where that comes from.
    pub from: Provenance,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// Reads `movers:`.
pub(super) fn movers(node: Option<&Node>, rows: &[Rows], names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Mover> {
    let mut movers = Vec::new();
    // Those that are not read any further; whoever moves as they do is not at fault.
    let mut faulty: Vec<String> = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let name = name.as_text(reader.found);
        let (symbols, mut remembered, step, steps_of, open, mut point);
        if let Some(node) = fields.may("as") {
            let known = node.text().is_none_or(|like| !faulty.iter().any(|name| name == like));
            let Some(like) = movers.iter().find(|m: &&Mover| node.text() == Some(&m.name)) else {
                if known {
                    no_such_mover(node, &movers, reader);
                }
                faulty.push(name);
                continue;
            };
            (symbols, remembered, point) = (like.symbols.clone(), like.marks.clone(), like.point);
            (step, steps_of, open) = (like.step.clone(), like.steps_of.clone(), like.open.clone());
        } else {
            let Some(own) = ModeSymbols::read(&mut fields, names, reader) else {
                faulty.push(name);
                continue;
            };
            (symbols, remembered, point) = (own, Vec::new(), 1);
            let items = fields.must("step", reader.found).map(|n| n.items(reader.found)).unwrap_or_default();
            step = items.iter().map(|item| step_row(item, &symbols, names, reader)).collect();
            told_apart(items, reader);
            (steps_of, open) = (name.clone(), Arc::default());
        }
        point = fields.may("point").map_or(point, |n| n.as_int(1, 60, reader.found) as u16);
        let allowance = points(&mut fields, "allowance", rows, reader);
        let extra = points(&mut fields, "extra", rows, reader);
        let minimum = fields.may("minimum").is_some_and(|n| n.as_flag(reader.found));
        match marks(&mut fields, &symbols, rows, names, reader) {
            Some(own) => remembered = own,
            None => symbols.check(&remembered, names.map, &body.span, reader),
        }
        let may_step = step_guard(&mut fields, "may-step", &symbols, rows, reader);
        let may_go_on = step_guard(&mut fields, "may-go-on", &symbols, rows, reader);
        let may_pass = step_guard(&mut fields, "may-pass", &symbols, rows, reader);
        let may_stop = step_guard(&mut fields, "may-stop", &symbols, rows, reader);
        // In guards that are not given it, the members of a set stand in that slot.
        let asks_symbol = |guards: &usize| {
            let Rows { given, rows, .. } = &rows[*guards];
            given.len() > usize::from(StepRow::SYMBOL) && rows.iter().any(|row| row.looks_at.slot(StepRow::SYMBOL))
        };
        let stops_by_symbol = may_go_on.iter().chain(&may_pass).any(asks_symbol);
        let ends_by_symbol = may_stop.iter().any(asks_symbol);
        let steps_by_symbol = may_step.iter().any(asks_symbol);
        let entering = entering(&mut fields, &symbols, rows, reader);
        let searches_alike = |m: &Mover| {
            let guards = (m.may_step, m.may_go_on, m.may_pass) == (may_step, may_go_on, may_pass);
            guards && m.steps_of == steps_of && m.marks.is_empty() && remembered.is_empty()
        };
        let of_all_modes = |guards: Option<usize>| {
            let all = guards.map_or(&[][..], |at| &rows[at].rows).iter();
            all.filter(|row| !row.looks_at.slot(StepRow::SYMBOL)).map(|row| &row.when)
        };
        let ends_alike = |m: &Mover| searches_alike(m) && of_all_modes(m.may_stop).eq(of_all_modes(may_stop));
        let first = |is_such: &dyn Fn(&Mover) -> bool| movers.iter().position(is_such).unwrap_or(movers.len()) as u16;
        let (searches_as, ends_as) = (first(&searches_alike), first(&ends_alike));
        fields.finish(reader.found);
        if minimum && symbols.kind.is_some() {
            let help = "leave `minimum:` out, or the ways or modes";
            reader.found.error("minimum", &body.span, "a mover of several modes has no `minimum:`", help);
        }
        let told_apart = steps_by_symbol || stops_by_symbol || ends_by_symbol || !remembered.is_empty();
        let ways_alike = symbols.kind.is_some() && !symbols.is_kept() && !told_apart;
        let alone = |row: &StepRow| matches!(row.when, Expr::Const(_)) || (1..16).any(|s| reads_slot(&row.when, s));
        let mut of_unit: Vec<usize> = (0..step.len()).filter(|row| !alone(&step[*row])).collect();
        of_unit.truncate(MOST_OF_UNIT);
        let baked = (0..1 << of_unit.len()).map(|_| OnceLock::new()).collect();
        let ends = may_stop.map_or(&[][..], |at| &rows[at].rows);
        let refuses_ends = ends.iter().map(|row| RefusesEnds::of(&row.when)).collect();
        let guards: Vec<Option<usize>> = [may_step, may_go_on, may_pass, may_stop]
            .into_iter()
            .chain(remembered.iter().map(|mark| mark.may_step))
            .collect();
        let of_guards = guards.iter().copied().flatten().flat_map(|at| rows[at].rows.iter().map(|row| &row.when));
        let of_steps =
            step.iter().flat_map(|row| std::iter::once(&row.when).chain(row.plus.iter().map(|plus| &plus.when)));
        let of_modes = symbols.conditions().chain(remembered.iter().map(|mark| &mark.when));
        let conditions: Vec<&Expr> = of_guards.chain(of_steps).chain(of_modes).collect();
        let likeness = Likeness::of(conditions.iter().copied(), 0, names.terms);
        let mut looks_at = conditions.iter().fold(Reads::default(), |all, when| all.and(&Reads::of(when, names)));
        let of_points = [&allowance, &extra].into_iter().filter_map(|points| match points {
            Some(Points::Rows(at)) => Some(*at),
            _ => None,
        });
        let mut lists = guards.into_iter().flatten().chain(of_points).chain(entering).map(|at| &rows[at]);
        if let Some(asks) = lists.find_map(|list| list.searching(names)).or(looks_at.searches.then(|| "a step".into()))
        {
            let message = format!("`{name}` goes by {asks}, which asks where a move can end");
            let help = "neither could be found before the other: ask `reachable` in what a question offers, and in no row of a mover";
            reader.found.error("mover", &body.span, message, help);
        }
        looks_at.columns.insert(Schema::PLACE);
        let reads = looks_at.parts(names.schema);
        movers.push(Mover {
            name,
            likeness,
            reads,
            symbols,
            marks: remembered,
            automata: KnownAutomata::default(),
            open,
            searches_as,
            ends_as,
            of_unit,
            point,
            allowance,
            extra,
            minimum,
            step,
            steps_of,
            may_step,
            may_go_on,
            may_pass,
            may_stop,
            refuses_ends,
            steps_by_symbol,
            stops_by_symbol,
            ends_by_symbol,
            ways_alike,
            entering,
            baked,
        });
    }
    movers
}

/// Costs are worked out beforehand for every set of so many rows that ask about the unit alone. Any further such row is
/// asked at each step.
const MOST_OF_UNIT: usize = 4;

/// A guard of steps: given unit, from, to, and the symbol of the mode too if it likes, where the mover has several.
pub(super) fn step_guard(
    fields: &mut Fields<'_>,
    key: &'static str,
    symbols: &ModeSymbols,
    rows: &[Rows],
    reader: &mut Reader<'_>,
) -> Option<usize> {
    let node = fields.may(key)?;
    let at = named(node, Read::May, rows, reader)?;
    let mut scope = step_scope();
    scope.extend(symbols.kind.filter(|_| rows[at].given.len() > 3).map(|kind| (symbols.key().to_owned(), kind)));
    given_as(&rows[at], &scope, &node.span, reader);
    Some(at)
}

/// The number of a way or mode that a row is for.
fn symbol(node: &Node, symbols: &ModeSymbols, reader: &mut Reader<'_>) -> Option<u8> {
    let text = node.as_text(reader.found);
    let at = symbols.names.iter().position(|s| *s == text);
    if at.is_none() {
        let help = suggest(&text, symbols.names.iter().map(String::as_str));
        reader.found.error("unknown-name", &node.span, format!("there is no {} `{text}`", symbols.key()), help);
    }
    at.map(|at| at as u8)
}

/// Says of `as: march` that no mover above is called so.
fn no_such_mover(node: &Node, movers: &[Mover], reader: &mut Reader<'_>) {
    let text = node.as_text(reader.found);
    let help = suggest(&text, movers.iter().map(|m| m.name.as_str()));
    reader.found.error("unknown-name", &node.span, format!("there is no mover `{text}` above this one"), help);
}

/// `allowance: 5`, or `allowance: SUM`, given a unit.
fn points(fields: &mut Fields<'_>, key: &'static str, rows: &[Rows], reader: &mut Reader<'_>) -> Option<Points> {
    let node = fields.may(key)?;
    if node.text().is_some_and(|text| text.trim().parse::<i64>().is_ok()) {
        return Some(Points::Just(node.as_int(0, 1000, reader.found) as u16));
    }
    let at = named(node, Read::Sum, rows, reader)?;
    let table = &rows[at];
    if table.given.iter().map(|(_, kind)| *kind).ne([Kind::Unit]) {
        let message = format!("`{}` must be given a unit", table.name);
        reader.found.error("kind", &node.span, message, "write `given: { unit: unit }`");
    }
    Some(Points::Rows(at))
}

/// `entering: SUM`, given a unit, the space it enters, the entry it is meant to come in by, and the symbol of the
/// mode.
fn entering(fields: &mut Fields<'_>, symbols: &ModeSymbols, rows: &[Rows], reader: &mut Reader<'_>) -> Option<usize> {
    let node = fields.may("entering")?;
    let at = named(node, Read::Sum, rows, reader)?;
    let table = &rows[at];
    let wanted = [Kind::Unit, Kind::Space, Kind::Space].into_iter().chain(symbols.kind);
    if table.given.iter().map(|(_, kind)| *kind).ne(wanted) {
        let message = format!("`{}` must be given a unit, the space it enters and its entry", table.name);
        let given = if symbols.kind.is_some() { format!(", {}: SYMBOLS", symbols.key()) } else { String::new() };
        let help = format!("write `given: {{ unit: unit, space: space, entry: space{given} }}`");
        reader.found.error("kind", &node.span, message, help);
    }
    Some(at)
}

/// The list of rows that a node names, among those read so.
pub(super) fn named(node: &Node, read: Read, rows: &[Rows], reader: &mut Reader<'_>) -> Option<usize> {
    let text = node.as_text(reader.found);
    let at = rows.iter().position(|r| r.read == read && r.name == text);
    if at.is_none() {
        let help = suggest(&text, rows.iter().filter(|r| r.read == read).map(|r| r.name.as_str()));
        let message = format!("there is no `{text}` under `{}:`", read.section());
        reader.found.error("unknown-name", &node.span, message, help);
    }
    at
}

impl StepRow {
    /// The slot of its conditions in which the symbol of the mode stands.
    pub const SYMBOL: u8 = 3;
}

/// What a step is given: unit, from, to.
fn step_scope() -> Vec<(String, Kind)> {
    [("unit", Kind::Unit), ("from", Kind::Space), ("to", Kind::Space)].map(|(n, k)| (n.to_owned(), k)).to_vec()
}

fn step_row(item: &Node, symbols: &ModeSymbols, names: &Names<'_>, reader: &mut Reader<'_>) -> StepRow {
    let mut scope = step_scope();
    scope.extend(symbols.kind.map(|kind| (symbols.key().to_owned(), kind)));
    let scope = scope.as_slice();
    let mut fields = item.fields(reader.found);
    let id = fields.must("id", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
    // Without a word of it, a step is on the first way; a mode that is kept is asked about by rows that care.
    let named = fields.may(symbols.key()).and_then(|n| symbol(n, symbols, reader));
    let symbol = named.or(if symbols.is_kept() { None } else { Some(0) });
    let condition = |node: &Node, reader: &mut Reader<'_>| {
        compile(node, scope, Kind::Flag, names, reader).map(|when| when.with_terms(names.terms))
    };
    let when = fields.may("when").map_or(Some(Expr::Const(1)), |n| condition(n, reader));
    let cost = fields.must("cost", reader.found).map_or(0, |n| n.as_int(0, 10_000, reader.found)) as u16;
    let mut plus = Vec::new();
    for item in fields.may("plus").map(|n| n.items(reader.found)).unwrap_or_default() {
        let mut fields = item.fields(reader.found);
        let when = fields.must("when", reader.found).and_then(|n| condition(n, reader));
        let cost = fields.must("cost", reader.found).map_or(0, |n| n.as_int(0, 10_000, reader.found)) as u16;
        let first = item.entries(reader.found).first().map(|(_, value)| value);
        let id = fields.may("id").or(first).and_then(Node::text).unwrap_or_default().to_owned();
        fields.may("say");
        let from = Provenance::read(fields.may("from"), reader.found);
        let cite = reader.must_cite(&mut fields);
        fields.finish(reader.found);
        plus.extend(when.map(|when| PlusRow { id, when, cost, from, cite }));
    }
    let say = fields.may("say").map(|n| texts::plain(n, reader)).unwrap_or_else(|| id.replace('-', " "));
    let from = Provenance::read(fields.may("from"), reader.found);
    let cite = reader.must_cite(&mut fields);
    fields.finish(reader.found);
    StepRow { id, symbol, when: when.unwrap_or(Expr::Const(0)), cost, plus, say, from, cite }
}

fn given_as(rows: &Rows, scope: &[(String, Kind)], span: &Span, reader: &mut Reader<'_>) {
    let kinds = |list: &[(String, Kind)]| list.iter().map(|(_, k)| *k).collect::<Vec<_>>();
    if kinds(&rows.given) != kinds(scope) {
        let message = format!("`{}` must be given a unit, a space it leaves and a space it enters", rows.name);
        reader.found.error("kind", span, message, "write `given: { unit: unit, from: space, to: space }`");
    }
}

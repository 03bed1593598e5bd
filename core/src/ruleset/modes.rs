//! What a mover declares of its modes: which symbols there are, which one a unit begins in, and what it costs to change
//! from one into another.

use std::sync::OnceLock;

use super::{
    Cite,
    kind::Kind,
    marks::{Mark, counts},
    reading::Reader,
    rows::{Expr, Names, Reads},
    tables::{compile, told_apart},
};
use crate::{
    diagnostic::{Span, suggest},
    map::{MOST_SPACE_MARKS, Map, Mode, Price},
    yaml::{Fields, Node},
};

/// The symbols that modes of a mover have, and how a move comes from one to another.
#[derive(Debug, Clone)]
pub struct ModeSymbols {
    /// As people call them; one where the mover declares none.
    pub names: Vec<String>,
    /// The list they are declared as.
    pub kind: Option<Kind>,
    /// How a move comes by them.
    pub chosen: Chosen,
}

/// How a move comes by the symbol of its mode.
#[derive(Debug, Clone)]
pub enum Chosen {
    /// With each step anew, free of cost: these are ways, and a mode has the one of the step before.
    Anew,
    /// It is kept from step to step, and changed in place.
    Kept {
        /// The symbol a unit begins in; given unit.
        begins: Expr,
        /// What a change costs: the first row that holds.
        changes: Vec<ChangeRow>,
        /// The same by mode before and mode after, once it has been worked out, where no row asks about more.
        fixed: OnceLock<Vec<Price>>,
    },
}

/// One line of a list of changes in place.
#[derive(Debug, Clone)]
pub struct ChangeRow {
    /// Its id.
    pub id: String,
    /// Whether it holds; given unit, from (where it stands), mode and into.
    pub when: Expr,
    /// Whether it asks about the space.
    pub asks_space: bool,
    /// Whether it asks about nothing but the modes, so that it comes out alike for all units at all times.
    pub is_fixed: bool,
    /// What such a change costs.
    pub cost: u16,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

impl ModeSymbols {
    /// No mover has more.
    const MOST: usize = 64;
    /// No more modes come of symbols and marks.
    const MOST_MODES: usize = 4096;
    /// Nor so many nodes of a search, each a space in a mode.
    const MOST_NODES: usize = 1 << 24;
    /// Nor costs of borders that are worked out for them all.
    const MOST_COSTS: usize = 1 << 23;

    fn one() -> ModeSymbols {
        ModeSymbols { names: vec!["normal".to_owned()], kind: None, chosen: Chosen::Anew }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none, which no ruleset that loads has.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// What a change in place costs; empty where there is none.
    pub fn changes(&self) -> &[ChangeRow] {
        match &self.chosen {
            Chosen::Anew => &[],
            Chosen::Kept { changes, .. } => changes,
        }
    }

    /// What is asked of a unit: in which mode it begins, and what changes cost it.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &Expr> {
        let begins = if let Chosen::Kept { begins, .. } = &self.chosen { Some(begins) } else { None };
        begins.into_iter().chain(self.changes().iter().map(|row| &row.when))
    }

    /// What changes cost by mode before and mode after, worked out by `find` the first time; nothing where that hangs on
    /// more than the modes.
    pub fn fixed_changes(&self, find: impl Fn(i32, i32) -> Price) -> Option<&[Price]> {
        let Chosen::Kept { changes, fixed, .. } = &self.chosen else { return None };
        let count = self.len() as i32;
        let all = || (0..count * count).map(|pair| find(pair / count, pair % count)).collect();
        changes.iter().all(|row| row.is_fixed).then(|| fixed.get_or_init(all).as_slice())
    }

    /// Whether it is known that nothing ever changes so.
    pub fn is_shut(&self, before: i32, into: usize) -> bool {
        let Chosen::Kept { fixed, .. } = &self.chosen else { return false };
        fixed.get().is_some_and(|fixed| fixed[before.max(0) as usize * self.len() + into] == Price::Closed)
    }

    /// Whether a mode keeps its symbol from step to step.
    pub fn is_kept(&self) -> bool {
        matches!(self.chosen, Chosen::Kept { .. })
    }

    /// What rows, YAML and rules call the symbol.
    pub fn key(&self) -> &'static str {
        if self.is_kept() { "mode" } else { "way" }
    }

    /// `ways: SYMBOLS`, or `modes: SYMBOLS` with `begins:` and `change:`; a mover that declares neither has one way. Nothing
    /// where they cannot be read: whatever else the mover says of them would only seem to be wrong.
    pub(super) fn read(fields: &mut Fields<'_>, names: &Names<'_>, reader: &mut Reader<'_>) -> Option<ModeSymbols> {
        let (ways, modes) = (fields.may("ways"), fields.may("modes"));
        let (begins, change) = (fields.may("begins"), fields.may("change"));
        if modes.is_none() {
            for node in begins.iter().chain(&change) {
                let help = "write `modes: SYMBOLS` beside it, or leave it out";
                reader.found.error("modes", &node.span, "only a mover that declares its modes begins in one", help);
            }
        }
        if let (Some(_), Some(node)) = (ways, modes) {
            let help = "write `ways:` where each step may be taken in any, `modes:` where a change costs something";
            reader.found.error("modes", &node.span, "a mover has ways or modes, and not both", help);
        }
        let Some(node) = modes.or(ways) else { return Some(ModeSymbols::one()) };
        let text = node.as_text(reader.found);
        let symbols = &names.schema.symbols;
        let Some(list) = symbols.iter().position(|s| s.name == text) else {
            let help = suggest(&text, symbols.iter().map(|s| s.name.as_str()));
            reader.found.error("unknown-name", &node.span, format!("there is no list of symbols `{text}`"), help);
            return None;
        };
        let known = symbols[list].values.clone();
        if known.len() > ModeSymbols::MOST {
            let message = format!("`{text}` has {} symbols, and a mover at most {}", known.len(), ModeSymbols::MOST);
            reader.found.error("too-many", &node.span, message, "split the mover");
            return None;
        }
        let kind = Kind::Symbol(list as u16);
        let chosen = if modes.is_none() {
            Chosen::Anew
        } else {
            let Some(begins) = begins else {
                let help = format!("write `begins: EXPRESSION`, given unit, as `unit.{text}`");
                reader.found.error("missing", &node.span, "which mode does a unit begin in?", help);
                return None;
            };
            let unit = [("unit".to_owned(), Kind::Unit)];
            let begins = compile(begins, &unit, kind, names, reader).unwrap_or(Expr::Const(0));
            let items = change.map(|n| n.items(reader.found)).unwrap_or_default();
            let changes = items.iter().map(|item| change_row(item, kind, names, reader)).collect();
            told_apart(items, reader);
            Chosen::Kept { begins, changes, fixed: OnceLock::new() }
        };
        Some(ModeSymbols { names: known, kind: Some(kind), chosen })
    }

    /// Sees to it that a search over the modes which these symbols and marks make keeps within bounds.
    pub(super) fn check(&self, marks: &[Mark], map: &Map, span: &Span, reader: &mut Reader<'_>) {
        // A move of ways has one mode more, before its first step.
        let modes = (self.len() + usize::from(!self.is_kept())).saturating_mul(counts(marks));
        let by_spaces = marks.iter().filter(|mark| mark.asks_spaces()).count();
        let mut too_many = |message: String, help: &str| reader.found.error("too-many", span, message, help);
        if modes > ModeSymbols::MOST_MODES {
            let most = ModeSymbols::MOST_MODES;
            too_many(
                format!("{modes} modes are more than {most}: {} symbols, times what each mark counts", self.len()),
                "let marks count less far, or split the mover",
            );
        } else if modes.saturating_mul(map.len()) > ModeSymbols::MOST_NODES && self.kind.is_some() {
            let most = ModeSymbols::MOST_NODES / map.len().max(1);
            too_many(
                format!("{modes} modes in each of {} spaces: there may be {most}", map.len()),
                "let marks count less far, or split the mover",
            );
        }
        if self.len().saturating_mul(map.border_count()) > ModeSymbols::MOST_COSTS && self.kind.is_some() {
            let most = ModeSymbols::MOST_COSTS / map.border_count().max(1);
            too_many(
                format!("{} symbols for each of {} borders: there may be {most}", self.len(), map.border_count()),
                "split the mover",
            );
        }
        if by_spaces > MOST_SPACE_MARKS {
            too_many(
                format!("{by_spaces} marks ask about spaces, and at most {MOST_SPACE_MARKS} may"),
                "let a mark ask what two do, or split the mover",
            );
        }
    }

    /// The mode of a symbol with no step behind it that a mark counts.
    pub fn fresh(&self, symbol: usize) -> Mode {
        Mode { symbol: symbol as i16, counts: 0 }
    }

    /// How many transitions a table over so many modes has.
    pub(super) fn transitions(&self, modes: usize) -> usize {
        (modes * self.len()) << MOST_SPACE_MARKS
    }

    /// The symbols a step may be taken in after one symbol.
    pub fn after(&self, before: i32) -> std::ops::Range<usize> {
        match (&self.chosen, usize::try_from(before)) {
            (Chosen::Kept { .. }, Ok(before)) => before..before + 1,
            (Chosen::Kept { .. }, Err(_)) => 0..0,
            (Chosen::Anew, _) => 0..self.len(),
        }
    }
}

fn change_row(item: &Node, kind: Kind, names: &Names<'_>, reader: &mut Reader<'_>) -> ChangeRow {
    const UNIT: u8 = 0;
    const FROM: u8 = 1;
    let scope = [("unit", Kind::Unit), ("from", Kind::Space), ("mode", kind), ("into", kind)];
    let scope = scope.map(|(name, kind)| (name.to_owned(), kind));
    let mut fields = item.fields(reader.found);
    let id = fields.must("id", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
    let when = fields.may("when").map_or(Some(Expr::Const(1)), |n| compile(n, &scope, Kind::Flag, names, reader));
    let cost = fields.must("cost", reader.found).map_or(0, |n| n.as_int(0, 10_000, reader.found)) as u16;
    let cite = reader.must_cite(&mut fields);
    fields.finish(reader.found);
    let when = when.unwrap_or(Expr::Const(0));
    let reads = Reads::of(&when, names);
    let (asks_space, is_fixed) = (reads.slot(FROM), reads.is_lasting() && !reads.slot(UNIT) && !reads.slot(FROM));
    ChangeRow { id, when, asks_space, is_fixed, cost, cite }
}

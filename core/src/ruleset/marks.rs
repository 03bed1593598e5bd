//! Marks: what a move remembers of the transitions behind it.

use super::{
    Cite,
    kind::Kind,
    modes::ModeSymbols,
    movers::step_guard,
    reading::Reader,
    rows::{
        Expr, Names, Reads, Relation, Row, Rows,
        fold::{Place, fold},
    },
    tables::compile,
    texts,
};
use crate::yaml::Fields;

/// What a move remembers of the steps and changes behind it: that one of a kind was made, or how many were.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// Which it counts; given unit, from, to (the same space for a change in place), the symbol of the mode and the one
    /// before.
    pub when: Expr,
    /// The same of what leads out of a space, as all but entries from off the map do.
    pub when_left: Expr,
    /// What the condition looks at.
    pub looks_at: Reads,
    /// No transition may be made that would be one more than this; without it the mark is only whether there was one.
    pub most: Option<u8>,
    /// Guards of every step from a marked one on, given as the mover's own: index into the ruleset's rows.
    pub may_step: Option<usize>,
    /// Whether those guards refuse every step, whatever else holds: then none that the mark counts is taken.
    pub is_bar: bool,
    /// The sentence people see when there would be too many.
    pub say: String,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

impl Mark {
    /// The slot of [`Mark::when`] in which the space left stands; the space entered has the next.
    pub const FROM: u8 = 1;
    /// The slot in which the symbol of the mode stands.
    pub const SYMBOL: u8 = 3;
    /// The slot in which the symbol before stands.
    pub const BEFORE: u8 = 4;

    /// The highest number the mark can stand at.
    pub fn highest(&self) -> u8 {
        self.most.unwrap_or(1)
    }

    /// Whether it asks about the spaces of a step.
    pub fn asks_spaces(&self) -> bool {
        self.looks_at.slot(Mark::FROM) || self.looks_at.slot(Mark::FROM + 1)
    }
}

/// What is left of a condition where the space left is one: whether it is nothing is decided.
fn left_from(when: &Expr) -> Expr {
    match when {
        Expr::Not(inner) => Expr::Not(Box::new(left_from(inner))),
        Expr::Both(parts) => Expr::Both(parts.iter().map(left_from).collect()),
        Expr::Either(parts) => Expr::Either(parts.iter().map(left_from).collect()),
        Expr::Compare(relation, a, b) => match (a.as_ref(), b.as_ref(), relation) {
            (Expr::Slot(Mark::FROM), Expr::Const(-1), Relation::Equal) => Expr::Const(0),
            (Expr::Slot(Mark::FROM), Expr::Const(-1), Relation::NotEqual) => Expr::Const(1),
            (Expr::Slot(Mark::FROM), Expr::Const(0), Relation::Less) => Expr::Const(0),
            (Expr::Slot(Mark::FROM), Expr::Const(0), Relation::GreaterOrEqual) => Expr::Const(1),
            _ => when.clone(),
        },
        _ => when.clone(),
    }
}

/// In how many ways marks can stand together.
pub(super) fn counts(marks: &[Mark]) -> usize {
    marks.iter().fold(1, |all: usize, mark| all.saturating_mul(usize::from(mark.highest()) + 1))
}

/// How each mark stands, of what the counts of a mode say of them all.
pub fn each_count(marks: &[Mark], counts: u16) -> impl Iterator<Item = u8> {
    let mut rest = counts;
    marks.iter().map(move |mark| {
        let radix = u16::from(mark.highest()) + 1;
        let count = rest % radix;
        rest /= radix;
        count as u8
    })
}

/// `marks:`, of a mover with such symbols.
pub(super) fn marks(
    fields: &mut Fields<'_>,
    symbols: &ModeSymbols,
    rows: &[Rows],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Option<Vec<Mark>> {
    let node = fields.may("marks")?;
    let Some(kind) = symbols.kind else {
        let help = "write `ways: NAME`, a list of symbols; it may have but one";
        reader.found.error("marks", &node.span, "only a mover that declares its ways or modes has marks", help);
        return None;
    };
    let scope: Vec<(String, Kind)> =
        [("unit", Kind::Unit), ("from", Kind::Space), ("to", Kind::Space), (symbols.key(), kind), ("before", kind)]
            .map(|(n, k)| (n.to_owned(), k))
            .to_vec();
    let mut marks = Vec::new();
    for (name, body) in node.entries(reader.found) {
        let name = name.as_text(reader.found);
        let mut fields = body.fields(reader.found);
        let when = fields.must("when", reader.found).and_then(|n| compile(n, &scope, Kind::Flag, names, reader));
        let most = fields.may("most").map(|n| n.as_int(1, 9, reader.found) as u8);
        let may_step = step_guard(&mut fields, "may-step", symbols, rows, reader);
        let blanks = ["unit", "from", "to"];
        let say = fields.may("say").map_or_else(|| name.replace('-', " "), |n| texts::sentence(n, &blanks, reader));
        let cite = reader.must_cite(&mut fields);
        fields.finish(reader.found);
        if most.is_none() && may_step.is_none() {
            let help = "write `most: 1`, or `may-step:` with a guard of the steps after it";
            reader.found.error("marks", &body.span, format!("mark `{name}` changes nothing"), help);
        }
        let nowhere = Place { slots: &[], map: names.map, attributes: names.attributes, exact: false };
        let when = fold(&when.unwrap_or(Expr::Const(0)), nowhere);
        if matches!(when, Expr::Const(0)) {
            continue; // a reading that is not in force
        }
        let when_left = fold(&left_from(&when), nowhere);
        let looks_at = Reads::of(&when, names);
        let always = |row: &Row| matches!(row.when, Expr::Const(holds) if holds != 0);
        let is_bar = may_step.is_some_and(|at| rows[at].rows.iter().any(always));
        marks.push(Mark { name, when, when_left, looks_at, most, may_step, is_bar, say, cite });
    }
    symbols.check(&marks, names.map, &node.span, reader);
    Some(marks)
}

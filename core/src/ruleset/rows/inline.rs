//! Terms written out where they are used: a word that stands for a few comparisons costs no more than they do, and what
//! stands in it is seen by everything that works conditions out beforehand.

use super::{Expr, Term};

/// A term that comes to more than this is called.
const MOST: usize = 24;

/// No condition of a step comes to more than this, with its terms written out.
const MOST_OF_A_STEP: usize = 1000;

impl Expr {
    /// A condition of a step, with its terms written out however long they are: most of what stands in them is decided border
    /// by border while a ruleset is loaded, and what is left is short. Terms that bind members of a set stay.
    pub fn with_terms(&self, terms: &[Term]) -> Expr {
        decided(opened(self, terms, &mut { MOST_OF_A_STEP }))
    }
}

fn opened(expr: &Expr, terms: &[Term], left: &mut usize) -> Expr {
    let mut again = |e: &Expr| opened(e, terms, left);
    match expr {
        Expr::Not(inner) => Expr::Not(Box::new(again(inner))),
        Expr::Both(parts) => Expr::Both(parts.iter().map(again).collect()),
        Expr::Either(parts) => Expr::Either(parts.iter().map(again).collect()),
        Expr::If(parts) => Expr::If(Box::new(parts.each_ref().map(again))),
        Expr::Term(term, given) => match filled(&terms[usize::from(*term)].body, given, left) {
            Some(body) => opened(&body, terms, left),
            None => expr.clone(),
        },
        other => other.clone(),
    }
}

/// The body of a term with what it is given in place of its slots; nothing where it is too long, binds members of a set, or
/// is given what would have to be worked out several times.
pub(super) fn written_out(body: &Expr, given: &[Expr]) -> Option<Expr> {
    filled(body, given, &mut { MOST }).map(decided)
}

/// The same, where it comes to no more than what is left of so much, of which it takes.
fn filled(body: &Expr, given: &[Expr], left: &mut usize) -> Option<Expr> {
    if given.iter().all(is_simple) { put_in(body, given, left) } else { None }
}

/// Whether it is as soon worked out as looked up.
fn is_simple(given: &Expr) -> bool {
    match given {
        Expr::Const(_) | Expr::Slot(_) => true,
        Expr::SpaceOf(of) | Expr::Fixed { of, .. } | Expr::State { of, .. } => {
            matches!(of.as_ref(), Expr::Slot(_) | Expr::Const(_))
        }
        _ => false,
    }
}

fn put_in(body: &Expr, given: &[Expr], left: &mut usize) -> Option<Expr> {
    *left = left.checked_sub(1)?;
    let mut again = |e: &Expr| put_in(e, given, left);
    let mut boxed = |e: &Expr| again(e).map(Box::new);
    Some(match body {
        Expr::Const(_) | Expr::Game(_) => body.clone(),
        Expr::Slot(slot) => given.get(usize::from(*slot))?.clone(),
        Expr::State { of_nothing, column, cells, of } => {
            Expr::State { of_nothing: *of_nothing, column: *column, cells: *cells, of: boxed(of)? }
        }
        Expr::Fixed { of_nothing, attribute, of } => {
            Expr::Fixed { of_nothing: *of_nothing, attribute: *attribute, of: boxed(of)? }
        }
        Expr::SpaceOf(of) => Expr::SpaceOf(boxed(of)?),
        Expr::InBox(of, at) => Expr::InBox(boxed(of)?, *at),
        Expr::Not(a) => Expr::Not(boxed(a)?),
        Expr::Both(list) => Expr::Both(list.iter().map(again).collect::<Option<_>>()?),
        Expr::Either(list) => Expr::Either(list.iter().map(again).collect::<Option<_>>()?),
        Expr::If(parts) => {
            let [condition, one, other] = parts.as_ref();
            Expr::If(Box::new([again(condition)?, again(one)?, again(other)?]))
        }
        Expr::Compare(relation, a, b) => Expr::Compare(*relation, boxed(a)?, boxed(b)?),
        Expr::Add(a, b) => Expr::Add(boxed(a)?, boxed(b)?),
        Expr::Less(a, b) => Expr::Less(boxed(a)?, boxed(b)?),
        Expr::Times(a, b) => Expr::Times(boxed(a)?, boxed(b)?),
        Expr::Share(a, by) => Expr::Share(boxed(a)?, *by),
        Expr::Lesser(a, b) => Expr::Lesser(boxed(a)?, boxed(b)?),
        Expr::Greater(a, b) => Expr::Greater(boxed(a)?, boxed(b)?),
        Expr::Zone { zone, space, side } => Expr::Zone { zone: *zone, space: boxed(space)?, side: boxed(side)? },
        Expr::Terrain(space, terrain) => Expr::Terrain(boxed(space)?, boxed(terrain)?),
        Expr::Feature(bits, a, b) => Expr::Feature(*bits, boxed(a)?, boxed(b)?),
        Expr::Road(bits, a, b) => Expr::Road(*bits, boxed(a)?, boxed(b)?),
        Expr::Distance(a, b) => Expr::Distance(boxed(a)?, boxed(b)?),
        Expr::Stated(what, of) => Expr::Stated(*what, boxed(of)?),
        Expr::Sees { sight, from, to } => Expr::Sees { sight: *sight, from: boxed(from)?, to: boxed(to)? },
        Expr::Term(term, args) => Expr::Term(*term, args.iter().map(again).collect::<Option<_>>()?),
        Expr::Listed(..)
        | Expr::Onward(..)
        | Expr::Direction(..)
        | Expr::Next(..)
        | Expr::Turned(..)
        | Expr::Angle(..)
        | Expr::Line(_)
        | Expr::Over { .. }
        | Expr::Packed { .. }
        | Expr::Group(_)
        | Expr::Handing(_) => return None,
    })
}

/// The same without what constants decide.
pub(super) fn decided(expr: Expr) -> Expr {
    let flag = |b: bool| Expr::Const(i32::from(b));
    match expr {
        Expr::Not(a) => match decided(*a) {
            Expr::Const(value) => flag(value == 0),
            rest => Expr::Not(Box::new(rest)),
        },
        Expr::Both(list) => joined(list, true),
        Expr::Either(list) => joined(list, false),
        Expr::If(parts) => {
            let [condition, one, other] = *parts;
            match decided(condition) {
                Expr::Const(value) => decided(if value != 0 { one } else { other }),
                condition => Expr::If(Box::new([condition, decided(one), decided(other)])),
            }
        }
        Expr::Compare(relation, a, b) => match (decided(*a), decided(*b)) {
            (Expr::Const(a), Expr::Const(b)) => flag(relation.holds(a, b)),
            (a, b) => Expr::Compare(relation, Box::new(a), Box::new(b)),
        },
        Expr::Add(a, b) => match (decided(*a), decided(*b)) {
            (Expr::Const(a), Expr::Const(b)) => Expr::Const(a.saturating_add(b)),
            (a, b) => Expr::Add(Box::new(a), Box::new(b)),
        },
        other => other,
    }
}

/// All (or any) of these, without those that constants decide.
fn joined(list: Vec<Expr>, all: bool) -> Expr {
    let mut rest = Vec::new();
    for part in list {
        match decided(part) {
            Expr::Const(value) if (value != 0) != all => return Expr::Const(i32::from(!all)),
            Expr::Const(_) => (),
            Expr::Both(parts) if all => rest.extend(parts),
            Expr::Either(parts) if !all => rest.extend(parts),
            other => rest.push(other),
        }
    }
    match rest.len() {
        0 => Expr::Const(i32::from(all)),
        1 => rest.remove(0),
        _ if all => Expr::Both(rest),
        _ => Expr::Either(rest),
    }
}

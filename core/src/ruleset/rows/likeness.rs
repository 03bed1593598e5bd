//! In what two things must be alike for conditions to come to the same of both.

use std::collections::BTreeSet;

use super::{Expr, Term, walk::Look};

/// What conditions ask of one thing that they are given, apart from everything else: of two things that are alike in all of
/// these, the conditions come to the same.
#[derive(Debug, Clone)]
pub struct Likeness {
    /// Expressions, each with the slots in which the thing stands while it is asked, as a bit set. They ask of nothing else
    /// that is given.
    pub asked: Vec<(Expr, u16)>,
}

impl Likeness {
    /// What these conditions ask of what stands in `slot`; nothing where it hangs on which thing it is, as where it is held
    /// against another.
    pub fn of<'a>(conditions: impl IntoIterator<Item = &'a Expr>, slot: u8, terms: &[Term]) -> Option<Likeness> {
        let mut notes = Notes { terms, asked: Vec::new(), seen: BTreeSet::new() };
        let are_all = conditions.into_iter().all(|e| notes.take(e, 1 << slot));
        let mut asked = notes.asked;
        let mut known = BTreeSet::new();
        asked.retain(|(e, slots)| known.insert(format!("{slots} {e:?}")));
        // The lightest question first: it tells most of them apart.
        asked.sort_by_key(|(e, _)| e.weight());
        are_all.then_some(Likeness { asked })
    }
}

/// What has been found that is asked of a thing.
struct Notes<'a> {
    terms: &'a [Term],
    asked: Vec<(Expr, u16)>,
    /// Terms that have been looked into, with the slots in which the thing stood.
    seen: BTreeSet<(u16, u16)>,
}

impl Notes<'_> {
    /// Takes what an expression asks of what stands in these slots; false where it asks which thing that is.
    fn take(&mut self, expr: &Expr, its: u16) -> bool {
        !expr.look(&mut |e| {
            let mut reads = 0u16;
            e.walk(&mut |inner| {
                if let Expr::Slot(slot) = inner {
                    reads |= 1 << slot;
                }
            });
            match e {
                _ if reads & its == 0 => Look::Past,
                Expr::Slot(_) => Look::Found,
                _ if reads & !its == 0 => {
                    self.asked.push((e.clone(), its));
                    Look::Past
                }
                Expr::Term(term, args) if self.take_term(*term, args, its) => Look::Past,
                Expr::Term(..) => Look::Found,
                _ => Look::Inside,
            }
        })
    }

    /// The same of a term that is handed these: of what it asks of the thing itself, and of what it is handed that is asked of
    /// the thing.
    fn take_term(&mut self, term: u16, args: &[Expr], its: u16) -> bool {
        let mut inner = 0u16;
        for (slot, arg) in args.iter().enumerate() {
            match arg {
                Expr::Slot(s) if its >> s & 1 == 1 => inner |= 1 << slot,
                arg if self.take(arg, its) => (),
                _ => return false,
            }
        }
        inner == 0 || !self.seen.insert((term, inner)) || self.take(&self.terms[usize::from(term)].body, inner)
    }
}

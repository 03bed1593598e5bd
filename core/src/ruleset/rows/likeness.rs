//! In what two things must be alike for conditions to come to the same of both.

use std::collections::BTreeSet;

use super::{Expr, Rows, Term, walk::Look};

/// What conditions ask of one thing that they are given, apart from everything else: of two things that are alike in all of
/// these, the conditions come to the same.
#[derive(Debug, Clone, Default)]
pub struct Likeness {
    /// Expressions, each with the slots in which the thing stands while it is asked, as a bit set. They ask of nothing else
    /// that is given.
    pub asked: Vec<(Expr, u16)>,
    /// Terms and lists that have been looked into, with the slots in which the thing stood.
    seen: BTreeSet<(bool, u16, u16)>,
}

impl Likeness {
    /// What these conditions ask of what stands in `slot`; nothing where it hangs on which thing it is, as where it is held
    /// against another.
    pub fn of<'a>(
        conditions: impl IntoIterator<Item = &'a Expr>,
        slot: u8,
        terms: &[Term],
        rows: &[Rows],
    ) -> Option<Likeness> {
        let mut likeness = Likeness::default();
        let are_all = conditions.into_iter().all(|e| likeness.notes(e, 1 << slot, terms, rows));
        let mut known = BTreeSet::new();
        likeness.asked.retain(|(e, slots)| known.insert(format!("{slots} {e:?}")));
        // The lightest question first: it tells most of them apart.
        likeness.asked.sort_by_key(|(e, _)| e.weight());
        are_all.then_some(likeness)
    }

    /// Notes what an expression asks of what stands in these slots; false where it asks which thing that is.
    fn notes(&mut self, expr: &Expr, its: u16, terms: &[Term], rows: &[Rows]) -> bool {
        !expr.look(&mut |e| {
            let mut reads = 0u16;
            e.walk(&mut |inner| {
                if let Expr::Slot(slot) = inner {
                    reads |= 1 << slot;
                }
            });
            let goes_on = |is_so: bool| if is_so { Look::Past } else { Look::Found };
            match e {
                _ if reads & its == 0 => Look::Past,
                Expr::Slot(_) => Look::Found,
                _ if reads & !its == 0 => {
                    self.asked.push((e.clone(), its));
                    Look::Past
                }
                Expr::Term(at, args) => goes_on(self.notes_called(args, its, terms, rows, (false, *at))),
                Expr::Listed(at, args) => goes_on(self.notes_called(args, its, terms, rows, (true, *at))),
                _ => Look::Inside,
            }
        })
    }

    /// The same of a term or a list that is handed these: of what it asks of the thing itself, and of what it is handed that is
    /// asked of the thing.
    fn notes_called(
        &mut self,
        args: &[Expr],
        its: u16,
        terms: &[Term],
        rows: &[Rows],
        (is_list, at): (bool, u16),
    ) -> bool {
        let mut inner = 0u16;
        for (slot, arg) in args.iter().enumerate() {
            match arg {
                Expr::Slot(s) if its >> s & 1 == 1 => inner |= 1 << slot,
                arg if self.notes(arg, its, terms, rows) => (),
                _ => return false,
            }
        }
        if inner == 0 || !self.seen.insert((is_list, at, inner)) {
            return true;
        }
        if is_list {
            let mut asked = rows[usize::from(at)].rows.iter().flat_map(|row| [&row.when, &row.value]);
            return asked.all(|e| self.notes(e, inner, terms, rows));
        }
        self.notes(&terms[usize::from(at)].body, inner, terms, rows)
    }
}

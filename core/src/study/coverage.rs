//! The rulebook, paragraph by paragraph: what carries each out, and whether an example proves it.

use std::collections::BTreeSet;

use super::example::Report;
use crate::ruleset::{Points, RulebookEntry, Ruleset};

/// What became of the paragraphs of a rulebook. Ids, in the order of the sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// How many there are.
    pub total: usize,
    /// Those that something in the content carries out.
    pub carried: Vec<String>,
    /// Those left out with a reason.
    pub skipped: Vec<String>,
    /// Those with neither.
    pub missing: Vec<String>,
    /// Those that a passing example cites and puts to work.
    pub proven: Vec<String>,
    /// Those not left out, and not proven.
    pub unproven: Vec<String>,
}

impl Coverage {
    /// Counts a rulebook against what its examples came to.
    pub fn new(ruleset: &Ruleset, report: &Report) -> Coverage {
        let entries = &ruleset.rulebook.entries;
        let ids = |wanted: &dyn Fn(&RulebookEntry) -> bool| -> Vec<String> {
            entries.iter().filter(|e| wanted(e)).map(|e| e.id.clone()).collect()
        };
        let is_proven = |e: &RulebookEntry| e.skip.is_none() && report.proven.contains(&e.id);
        Coverage {
            total: entries.len(),
            carried: ids(&|e| !e.by.is_empty()),
            skipped: ids(&|e| e.skip.is_some()),
            missing: ids(&|e| e.by.is_empty() && e.skip.is_none()),
            proven: ids(&is_proven),
            unproven: ids(&|e| e.skip.is_none() && !is_proven(e)),
        }
    }
}

/// Parts of the content that are called by name, so that a run can tell whether they were; what else carries a
/// paragraph (counters, setup, the sequence, settings) is there whenever its example is played.
const CALLED: [&str; 9] = ["rules", "may", "sum", "first", "sets", "movers", "retreats", "contacts", "tables"];

/// The part of the content that is called by name and that a path lies in: `may/attack`; nothing where none is called.
pub(super) fn is_called(path: &str) -> Option<String> {
    let mut parts = path.splitn(3, '/');
    let (part, name) = (parts.next()?, parts.next()?);
    CALLED.contains(&part).then(|| format!("{part}/{name}"))
}

/// Whether something that carries a paragraph was put to work in a run.
pub(super) fn is_put_to_work(entry: &RulebookEntry, at_work: &BTreeSet<String>) -> bool {
    entry.by.iter().any(|carrier| is_called(&carrier.path).is_none_or(|path| at_work.contains(&path)))
}

/// Adds the rows that what is at work asks in its turn.
pub(super) fn with_their_rows(mut at_work: BTreeSet<String>, ruleset: &Ruleset) -> BTreeSet<String> {
    let mut asked: Vec<usize> = Vec::new();
    let is = |part: &str, name: &str| at_work.contains(&format!("{part}/{name}"));
    for mover in ruleset.movers.iter().filter(|m| is("movers", &m.name)) {
        let guards = mover.may_step.iter().chain(&mover.may_go_on).chain(&mover.may_pass).chain(&mover.may_stop);
        asked.extend(guards.chain(&mover.entering));
        let points = mover.allowance.iter().chain(&mover.extra);
        asked.extend(points.filter_map(|p| if let Points::Rows(rows) = p { Some(*rows) } else { None }));
    }
    for retreat in ruleset.retreats.iter().filter(|r| is("retreats", &r.name)) {
        asked.extend([retreat.may_step, retreat.by]);
    }
    for contact in ruleset.contacts.iter().filter(|c| is("contacts", &c.name)) {
        asked.push(contact.pairs);
    }
    at_work.extend(asked.into_iter().map(|rows| ruleset.rows[rows].path()));
    at_work
}

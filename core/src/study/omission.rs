//! Leaves each printed row out in turn: a row that no example misses is a row that nothing proves.

use std::sync::Arc;

use super::example::{Choice, run_examples};
use crate::{
    library::Library,
    play::Rules,
    ruleset::{Cite, Ruleset, Selection},
};

/// What happened when something printed was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    /// The path of the row in the content.
    pub path: String,
    /// What it cites.
    pub cite: Cite,
    /// How many examples cite the same paragraph.
    pub examples: usize,
    /// The example that failed without the row; `None` where all passed.
    pub missed_by: Option<String>,
}

/// Leaves out every row with a condition, and every such step cost, of a ruleset in turn, and acts out the examples
/// that cite its paragraph. `make` loads the rules of a ruleset.
pub fn omissions<R: Rules>(
    library: &Library,
    base: &Ruleset,
    make: &mut dyn FnMut(&Arc<Ruleset>) -> Result<R, String>,
) -> Vec<Omission> {
    let mut all: Vec<(String, Cite)> = Vec::new();
    for table in &base.rows {
        let path = |row: &str| format!("rows/{}/rows/{row}", table.name);
        all.extend(table.rows.iter().map(|row| (path(&row.id), row.cite)));
    }
    for mover in base.movers.iter().filter(|m| m.name == m.steps_of) {
        all.extend(mover.step.iter().map(|step| (format!("movers/{}/step/{}", mover.name, step.id), step.cite)));
    }
    let leave_out = |(path, cite): (String, Cite)| {
        let set = [(format!("{path}/when"), "false".to_owned())];
        // A row without a condition, the last of a list of priorities, cannot be left out.
        let selection = Selection { set: set.to_vec(), ..Selection::default() };
        Ruleset::load(library, &base.id, &selection).ok()?;
        let choice = Choice { citing: Some(base.cite(cite)), set: &set, ..Choice::default() };
        let report = run_examples(library, base, choice, make);
        let missed_by = report.failed.into_iter().next().map(|failed| failed.name);
        Some(Omission { path, cite, examples: report.examples, missed_by })
    };
    all.into_iter().filter_map(leave_out).collect()
}

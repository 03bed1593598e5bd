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

/// Leaves out everything printed that has a condition in turn, and acts out the examples that cite its paragraph: rows of
/// all lists, costs of steps and changes in place and what is added to them, marks, what blocks a line of sight, the
/// conditions of sets. `make` loads the rules of a ruleset.
pub fn omissions<R: Rules>(
    library: &Library,
    base: &Ruleset,
    make: &mut dyn FnMut(&Arc<Ruleset>) -> Result<R, String>,
) -> Vec<Omission> {
    let leave_out = |Printed { path, condition, left_out, cite }: Printed| {
        let set = [(format!("{path}/{condition}"), left_out.to_owned())];
        // What has no condition, as the last of a list of priorities, cannot be left out.
        let selection = Selection { set: set.to_vec(), ..Selection::default() };
        Ruleset::load(library, &base.id, &selection).ok()?;
        let choice = Choice { citing: Some(base.cite(cite)), set: &set, ..Choice::default() };
        let report = run_examples(library, base, choice, make);
        let missed_by = report.failed.into_iter().next().map(|failed| failed.name);
        Some(Omission { path, cite, examples: report.examples, missed_by })
    };
    printed(base).into_iter().filter_map(leave_out).collect()
}

/// Something printed, and what its condition is set to where it is left out.
struct Printed {
    path: String,
    condition: &'static str,
    left_out: &'static str,
    cite: Cite,
}

/// All that may have a condition, in the order of the content.
fn printed(base: &Ruleset) -> Vec<Printed> {
    let row = |path: String, cite: Cite| Printed { path, condition: "when", left_out: "false", cite };
    let mut all: Vec<Printed> = Vec::new();
    for table in &base.rows {
        all.extend(table.rows.iter().map(|r| row(table.path_of(r), r.cite)));
    }
    for mover in &base.movers {
        let path = |list: &str, id: &str| format!("movers/{}/{list}/{id}", mover.name);
        all.extend(mover.marks.iter().map(|mark| row(path("marks", &mark.name), mark.cite)));
        if mover.name != mover.steps_of {
            continue; // its steps and changes are those of another
        }
        all.extend(mover.symbols.changes().iter().map(|change| row(path("change", &change.id), change.cite)));
        for step in &mover.step {
            let step_path = path("step", &step.id);
            all.extend(step.plus.iter().map(|plus| row(format!("{step_path}/plus/{}", plus.id), plus.cite)));
            all.push(row(step_path, step.cite));
        }
    }
    for sight in &base.sights {
        all.extend(sight.blocked.iter().map(|r| row(format!("sights/{}/blocked/{}", sight.name, r.id), r.cite)));
    }
    // Without its condition a set holds all that it is taken of.
    let set = |path: String, cite: Cite| Printed { path, condition: "where", left_out: "true", cite };
    all.extend(base.sets.iter().map(|s| set(format!("sets/{}", s.name), s.cite)));
    all
}

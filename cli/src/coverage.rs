//! `countermarch coverage`: the rulebook, paragraph by paragraph.

use anyhow::Result;
use clap::Args;
use countermarch_core::{
    ruleset::{Invariant, Ruleset},
    study::{Coverage, Omission, omissions},
};
use serde_json::{Value, json};

use crate::{
    Which,
    content::{self, Content, Faulty},
    spoken, test,
};

/// Reports what became of every paragraph.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// List every paragraph, not only those that lack something.
    #[arg(long)]
    all: bool,
    /// Leave each printed row out in turn, and list those that no example misses.
    #[arg(long, conflicts_with_all = ["all", "games"])]
    rows: bool,
    #[command(flatten)]
    spoken: spoken::Options,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// `countermarch coverage`.
pub fn run(options: &Options) -> Result<bool> {
    let (content, asked) = content::find(&options.which)?;
    let ruleset = content.load(&asked)?;
    if options.spoken.is_asked() {
        return options.spoken.run(&ruleset, options.all, options.json);
    }
    let report = test::examples(&content, &ruleset, "", &asked.selection.set);
    if options.rows {
        // Whatever fails with every row would seem to miss each of them.
        if let Some(failed) = report.failed.first() {
            let (count, name, game) = (report.failed.len(), &failed.name, &options.which.game);
            let message =
                format!("{count} examples fail, \"{name}\" first: mend them before (countermarch test {game})");
            return Err(Faulty(message).into());
        }
        return Ok(rows(&content, &ruleset, options.json));
    }
    let coverage = Coverage::new(&ruleset, &report);
    if options.json {
        let whole = json!({ "game": ruleset.id, "total": coverage.total, "carried": coverage.carried.len(),
            "proven": coverage.proven.len(), "skipped": coverage.skipped.len(), "missing": coverage.missing,
            "unproven": coverage.unproven, "always": always(&ruleset) });
        println!("{whole}");
    } else {
        for entry in &ruleset.rulebook.entries {
            let is_proven = coverage.proven.contains(&entry.id);
            let idle = report.idle.iter().find(|(_, id)| *id == entry.id);
            let state = match (&entry.skip, is_proven, idle) {
                (Some(reason), ..) => format!("skipped: {reason}"),
                (None, true, _) => "proven".to_owned(),
                (None, false, Some((example, _))) => {
                    format!("carried, not proven: \"{example}\" cites it, and puts nothing that carries it to work")
                }
                (None, false, None) => "carried, not proven".to_owned(),
            };
            if options.all || !is_proven {
                let by: Vec<&str> = entry.by.iter().map(|c| c.path.as_str()).collect();
                println!("{:<32} {state}\n{:34}{}", entry.id, "", by.join(", "));
            }
        }
        println!(
            "{}: {} paragraphs, {} carried, {} proven by an example, {} skipped with a reason, {} missing",
            ruleset.full_name(),
            coverage.total,
            coverage.carried.len(),
            coverage.proven.len(),
            coverage.skipped.len(),
            coverage.missing.len()
        );
        for invariant in &ruleset.invariants {
            let (at, say, cite) = (where_held(&ruleset, invariant), &invariant.say, ruleset.cite(invariant.cite));
            println!("always, {at}: {say}  [{cite}] ({})", invariant.id);
        }
    }
    Ok(coverage.missing.is_empty() && report.failed.is_empty())
}

/// The places of the sequence in which something always holds, in words.
fn where_held(ruleset: &Ruleset, invariant: &Invariant) -> String {
    let titles: Vec<&str> = invariant.places.iter().map(|p| ruleset.sequence.places[*p].title.as_str()).collect();
    if titles.is_empty() { "everywhere".into() } else { format!("in the {}", titles.join(", ")) }
}

/// What always holds, for machines.
fn always(ruleset: &Ruleset) -> Vec<Value> {
    let places = |i: &Invariant| i.places.iter().map(|p| ruleset.sequence.places[*p].name.clone()).collect::<Vec<_>>();
    let one = |i: &Invariant| json!({ "id": i.id, "at": places(i), "say": i.say, "cite": ruleset.cite(i.cite) });
    ruleset.invariants.iter().map(one).collect()
}

/// Leaves each row out in turn. Fine when some example misses every one of them.
fn rows(content: &Content, ruleset: &Ruleset, as_json: bool) -> bool {
    let all = omissions(&content.library, ruleset, &mut |ruleset| {
        content::runtime(ruleset).map_err(|wrong| wrong.to_string())
    });
    let unmissed: Vec<&Omission> = all.iter().filter(|o| o.missed_by.is_none()).collect();
    if as_json {
        let list: Vec<_> = unmissed
            .iter()
            .map(|o| json!({ "path": o.path, "cite": ruleset.cite(o.cite), "examples": o.examples }))
            .collect();
        println!("{}", json!({ "game": ruleset.id, "rows": all.len(), "unmissed": list }));
    } else {
        for one in &unmissed {
            let cite = ruleset.cite(one.cite);
            let why = match one.examples {
                0 => format!("no example cites {cite}"),
                1 => format!("the example that cites {cite} passes without it"),
                n => format!("the {n} examples that cite {cite} pass without it"),
            };
            println!("{:<44} {why}", one.path);
        }
        println!(
            "{}: {} rows left out in turn, {} of them missed by no example",
            ruleset.full_name(),
            all.len(),
            unmissed.len()
        );
    }
    unmissed.is_empty()
}

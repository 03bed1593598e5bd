//! `countermarch coverage`: the rulebook, paragraph by paragraph.

use anyhow::Result;
use clap::Args;
use countermarch_core::study::Coverage;
use serde_json::json;

use crate::{Which, content, test};

/// Reports what became of every paragraph.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// List every paragraph, not only those that lack something.
    #[arg(long)]
    all: bool,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// `countermarch coverage`.
pub fn run(options: &Options) -> Result<bool> {
    let mut content = content::open()?;
    let (id, selection) = content::selection(&options.which)?;
    let Some(ruleset) = content.load(&id, &selection) else { return Ok(false) };
    let report = test::examples(&content, &ruleset, "");
    let coverage = Coverage::new(&ruleset, &report);
    if options.json {
        let whole = json!({ "game": ruleset.id, "total": coverage.total, "carried": coverage.carried.len(),
            "proven": coverage.proven.len(), "skipped": coverage.skipped.len(), "missing": coverage.missing,
            "unproven": coverage.unproven });
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
    }
    Ok(coverage.missing.is_empty() && report.failed.is_empty())
}

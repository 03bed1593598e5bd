//! `countermarch coverage`: the rulebook, paragraph by paragraph.

use anyhow::Result;
use clap::Args;
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
    let entries = &ruleset.rulebook.entries;
    let carried = entries.iter().filter(|e| !e.by.is_empty()).count();
    let skipped = entries.iter().filter(|e| e.skip.is_some()).count();
    let missing: Vec<&str> =
        entries.iter().filter(|e| e.by.is_empty() && e.skip.is_none()).map(|e| e.id.as_str()).collect();
    let is_proven = |id: &str| report.proven.iter().any(|p| p == id);
    let unproven: Vec<&str> =
        entries.iter().filter(|e| e.skip.is_none() && !is_proven(&e.id)).map(|e| e.id.as_str()).collect();
    let proven = entries.iter().filter(|e| e.skip.is_none() && is_proven(&e.id)).count();
    if options.json {
        let whole = json!({ "game": ruleset.id, "total": entries.len(), "carried": carried, "proven": proven,
            "skipped": skipped, "missing": missing, "unproven": unproven });
        println!("{whole}");
    } else {
        for entry in entries {
            let state = match (&entry.skip, is_proven(&entry.id)) {
                (Some(reason), _) => format!("skipped: {reason}"),
                (None, true) => "proven".to_owned(),
                (None, false) => "carried, not proven".to_owned(),
            };
            if options.all || !is_proven(&entry.id) {
                let by: Vec<&str> = entry.by.iter().map(|c| c.path.as_str()).collect();
                println!("{:<32} {state}\n{:34}{}", entry.id, "", by.join(", "));
            }
        }
        println!(
            "{}: {} paragraphs, {carried} carried, {proven} proven by an example, {skipped} skipped with a reason, {} missing",
            ruleset.full_name(),
            entries.len(),
            missing.len()
        );
    }
    Ok(missing.is_empty() && report.failed.is_empty())
}

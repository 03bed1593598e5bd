//! `countermarch test`: acts out a game's examples.

use anyhow::Result;
use clap::Args;
use countermarch_core::{
    ruleset::Ruleset,
    show::count,
    study::{Choice, Report, run_examples},
};
use serde_json::json;

use crate::{
    Which,
    content::{self, Content},
};

/// Acts out examples.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// Only examples whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// Acts out every example of a game whose name contains `only`, with these values changed.
pub fn examples(content: &Content, base: &Ruleset, only: &str, set: &[(String, String)]) -> Report {
    run_examples(&content.library, base, Choice { only, set, ..Choice::default() }, &mut |ruleset| {
        content::watching(ruleset).map_err(|wrong| wrong.to_string())
    })
}

/// `countermarch test`.
pub fn run(options: &Options) -> Result<bool> {
    let (content, asked) = content::find(&options.which)?;
    let ruleset = content.load(&asked)?;
    let report = examples(&content, &ruleset, options.only.as_deref().unwrap_or(""), &asked.selection.set);
    let passed = report.examples - report.failed.len();
    if options.json {
        let failures: Vec<_> = report
            .failed
            .iter()
            .map(|f| json!({ "name": f.name, "at": f.at, "message": f.message, "told": f.told }))
            .collect();
        println!(
            "{}",
            json!({ "examples": report.examples, "passed": passed, "failed": report.failed.len(), "failures": failures })
        );
    } else {
        for failed in &report.failed {
            println!("FAILED {}\n  {}: {}", failed.name, failed.at, failed.message);
            failed.told.iter().for_each(|line| println!("    {line}"));
            println!();
        }
        let examples = count(report.examples, "example", "examples");
        println!("{examples}: {passed} passed, {} failed", report.failed.len());
        // Those of an amendment are acted out with it.
        let has_examples = |folder: &str| content.library.under(&format!("{folder}/examples/")).next().is_some();
        let others = ruleset.amendments.iter().filter(|amendment| !amendment.on && has_examples(&amendment.folder));
        let versions: Vec<String> =
            others.map(|other| format!("{}{}", ruleset.id, ruleset.version_with(&other.id))).collect();
        if !versions.is_empty() {
            println!("not acted out: the examples that belong to {}", versions.join(", "));
        }
    }
    Ok(report.failed.is_empty())
}

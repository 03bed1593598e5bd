//! `countermarch test`: acts out a game's examples.

use std::{collections::BTreeMap, sync::Arc};

use anyhow::Result;
use clap::Args;
use countermarch_core::{
    diagnostic::Diagnostics,
    ruleset::{self, Ruleset, Selection, VersionName},
    study::{Example, ExampleOutcome, read_examples, run_example},
    yaml,
};
use countermarch_scripting::Runtime;
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

/// An example that failed: its name, file, line and message.
pub struct Failed {
    /// Its name.
    pub name: String,
    /// Where: `file:line`.
    pub at: String,
    /// What was not as expected.
    pub message: String,
}

/// What all examples came to.
#[derive(Default)]
pub struct Report {
    /// How many were acted out.
    pub examples: usize,
    /// Those that failed.
    pub failed: Vec<Failed>,
    /// Paragraphs that a passing example cites.
    pub proven: Vec<String>,
}

/// Acts out every example of a game whose name contains `only`.
pub fn examples(content: &Content, id: &str, base: &Arc<Ruleset>, only: &str) -> Result<Report> {
    let mut report = Report::default();
    let mut kept: BTreeMap<String, (Arc<Ruleset>, Option<Runtime>)> = BTreeMap::new();
    let prefix = format!("rulesets/{id}/examples/");
    for (path, text) in content.library.under(&prefix).filter(|(p, _)| p.ends_with(".yaml")) {
        let mut found = Diagnostics::default();
        let node = yaml::parse(path, text, &mut found);
        let list = read_examples(&node, base, &mut found);
        for wrong in &found.list {
            let (line, _) = wrong.position(&content.library);
            let at = format!("{path}:{line}");
            report.examples += 1;
            report.failed.push(Failed { name: "the file itself".into(), at, message: wrong.message.clone() });
        }
        for example in list.iter().filter(|e| e.name.contains(only)) {
            report.examples += 1;
            match act(content, id, example, &mut kept) {
                Ok(()) => report.proven.extend(example.cite.iter().cloned()),
                Err((line, message)) => {
                    let at = format!("{path}:{line}");
                    report.failed.push(Failed { name: example.name.clone(), at, message });
                }
            }
        }
    }
    report.proven.sort();
    report.proven.dedup();
    Ok(report)
}

fn act(
    content: &Content,
    id: &str,
    example: &Example,
    kept: &mut BTreeMap<String, (Arc<Ruleset>, Option<Runtime>)>,
) -> Result<(), (usize, String)> {
    let at = |start: usize| {
        content.library.text(&example.span.file).map_or(0, |t| t[..start.min(t.len())].matches('\n').count() + 1)
    };
    let version = VersionName::parse(example.version.as_deref().unwrap_or("base"));
    let key = format!("{version}{:?}{:?}", example.set, example.map);
    if !kept.contains_key(&key) {
        let selection = Selection { version, set: example.set.clone(), map: example.map.clone() };
        let mut found = Diagnostics::default();
        let loaded = ruleset::load(&content.library, id, &selection, &mut found);
        if let Some(wrong) = found.list.first() {
            return Err((at(example.span.start), format!("its fixture does not load: {}", wrong.one_line(&content.library))));
        }
        let ruleset = Arc::new(loaded.expect("no fault, so it loaded"));
        kept.insert(key.clone(), (ruleset, None));
    }
    let (ruleset, rules) = kept.get_mut(&key).expect("just put there");
    let rules = match rules.take() {
        Some(rules) => rules,
        None => content::runtime(ruleset).map_err(|wrong| (at(example.span.start), wrong.to_string()))?,
    };
    let (outcome, back) = run_example(example, ruleset, rules);
    kept.get_mut(&key).expect("still there").1 = back;
    match outcome {
        ExampleOutcome::Passed => Ok(()),
        ExampleOutcome::Failed(failure) => Err((at(failure.span.start), failure.message)),
    }
}

/// `countermarch test`.
pub fn run(options: &Options) -> Result<bool> {
    let mut content = content::open()?;
    let (id, selection) = content::selection(&options.which)?;
    let Some(ruleset) = content.load(&id, &selection) else { return Ok(false) };
    let report = examples(&content, &id, &ruleset, options.only.as_deref().unwrap_or(""))?;
    let passed = report.examples - report.failed.len();
    if options.json {
        let failures: Vec<_> =
            report.failed.iter().map(|f| json!({ "name": f.name, "at": f.at, "message": f.message })).collect();
        println!(
            "{}",
            json!({ "examples": report.examples, "passed": passed, "failed": report.failed.len(), "failures": failures })
        );
    } else {
        for failed in &report.failed {
            println!("FAILED {}\n  {}: {}\n", failed.name, failed.at, failed.message);
        }
        println!("{} examples: {passed} passed, {} failed", report.examples, report.failed.len());
    }
    Ok(report.failed.is_empty())
}

//! Rulesets: the toy game with some of its files written by somebody else.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    play::{Limits, Session},
    ruleset::{Ruleset, Selection},
    study::{Choice, run_examples},
};
use countermarch_scripting::Runtime;

use crate::{as_text, game::BUDGET, library, root};

thread_local! {
    static TOY: Library = library("tests/toy");
}

/// Opens each file of a text that holds several, as in `tests/broken/`.
const OPENS: &str = "//- ";

/// The files of the toy game one by one, all of them together, and the files of the broken ones.
pub fn files() -> Vec<Vec<u8>> {
    let toy = library("tests/toy");
    let mut all: Vec<String> = toy
        .paths()
        .filter(|path| path.ends_with(".yaml"))
        .map(|path| format!("{OPENS}{path}\n{}", toy.text(path).unwrap_or_default()))
        .collect();
    all.push(all.concat());
    let broken = std::fs::read_dir(root().join("tests/broken")).into_iter().flatten().flatten();
    let mut broken: Vec<_> = broken.map(|entry| entry.path()).collect();
    broken.sort();
    let fixtures = broken.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    all.extend(fixtures.filter(|text| text.starts_with(OPENS) && text.len() < 4000));
    all.into_iter().map(String::into_bytes).collect()
}

/// Loads the toy game with other files, acts out its examples and plays it a little.
pub fn ruleset(bytes: &[u8]) {
    let mut toy = TOY.with(Clone::clone);
    let theirs = Library::from_fixture(&as_text(bytes));
    for path in theirs.paths().filter(|path| path.ends_with(".yaml")) {
        toy.insert(path, theirs.text(path).unwrap_or_default());
    }
    try_out(&toy);
}

/// The toy's rule files, and those of the shipped games.
pub fn rule_files() -> Vec<Vec<u8>> {
    let of = |folder: &str| {
        let library = library(folder);
        let rules = library.paths().filter(|path| path.ends_with(".luau"));
        rules.filter_map(|path| library.text(path).map(|text| text.as_bytes().to_vec())).collect::<Vec<_>>()
    };
    let mut all = of("tests/toy");
    all.extend(of(".").into_iter().filter(|text| text.len() < 6000));
    all
}

/// Puts a rule file in the place of the toy's marching, and plays.
pub fn rules(bytes: &[u8]) {
    let mut toy = TOY.with(Clone::clone);
    toy.insert("rulesets/toy/rules/march.luau", as_text(bytes));
    try_out(&toy);
}

/// Everything that is done with a ruleset that may be wrong.
fn try_out(library: &Library) {
    let (ruleset, mut found) = match countermarch_scripting::load(library, "toy", &Selection::default()) {
        Ok(loaded) => (Some(loaded.ruleset), loaded.warnings),
        Err(found) => (None, found),
    };
    found.sort();
    for diagnostic in &found.list {
        diagnostic.one_line(library);
    }
    // Drawing is slow, and one message is drawn as all are.
    if let Some(first) = found.list.first() {
        first.drawn(library, true);
    }
    let Some(ruleset) = ruleset else { return };
    play(&ruleset);
    run_examples(library, &ruleset, Choice::default(), &mut |ruleset| {
        Runtime::watching(ruleset.clone(), BUDGET).map_err(|wrong| wrong[0].to_string())
    });
}

fn play(ruleset: &Arc<Ruleset>) {
    let Ok(rules) = Runtime::new(ruleset.clone(), BUDGET) else { return };
    let mut session = Session::new(ruleset.clone(), rules, 0, 1, Limits { verify: true, ..Limits::PLAY });
    let mut goes_on = session.advance().is_ok();
    for number in 0..30 {
        let Some(question) = session.question().cloned().filter(|_| goes_on) else { break };
        let Some(action) = session.offers().get(number % session.offers().len().max(1)).copied() else { break };
        goes_on = session.act(question.by, action).is_ok();
    }
}

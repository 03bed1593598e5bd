//! A bad ruleset never panics: each file of `tests/broken/` changes the toy game, and says exactly what is found.
//!
//! A fixture opens files with `//- path`; `replace OLD => NEW` lines edit the toy's own text instead. What follows
//! `---- found ----` is rewritten with `UPDATE_EXPECT=1`, and the difference is reviewed like code.

use std::{env, fs, sync::Arc, time::Duration};

use countermarch_core::{
    library::Library,
    play::{Limits, Session, SessionError},
    ruleset::{Ruleset, Selection, VersionName, lay_faults},
    study::{Choice, check_beginnings, check_examples, run_examples},
};
use countermarch_scripting::{Budget, Runtime};
use countermarch_tests::{library, root, toy};

/// Luau's analyzer is not given the names of so many spaces; whoever checks rules knows them all the same.
#[test]
fn spaces_of_a_large_map_are_looked_up_too() {
    let mut library = library(&root());
    let path = "rulesets/gettysburg-77/rules/arrivals.luau";
    let text = library.text(path).expect("it is there").replacen(
        "  local entry =",
        "  place(units.burbank, space_named(\"kk30\"))\n  local entry =",
        1,
    );
    library.insert(path, text);
    let found =
        countermarch_scripting::load(&library, "gettysburg-77", &Selection::default()).expect_err("no such hex");
    let [wrong] = found.list.as_slice() else { panic!("{found:?}") };
    assert_eq!((&*wrong.message, &*wrong.help), ("the map has no space `kk30`", "did you mean `KK30`?"));
}

const FOUND: &str = "---- found ----\n";

#[test]
fn every_broken_ruleset_is_told_exactly_what_is_wrong() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut paths: Vec<_> = fs::read_dir(root().join("tests/broken"))
        .expect("there are fixtures")
        .map(|e| e.expect("a file").path())
        .collect();
    paths.sort();
    for path in paths {
        count += 1;
        let text = fs::read_to_string(&path).expect("a fixture is text");
        let (fixture, expected) = text.split_once(FOUND).unwrap_or((&text, ""));
        let found = diagnose(fixture);
        if env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, format!("{fixture}{FOUND}{found}")).expect("writes");
        } else if found != expected {
            wrong.push(format!("{}:\nexpected\n{expected}found\n{found}", path.display()));
        }
        assert!(!found.is_empty(), "{}: nothing was found", path.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 40, "only {count} fixtures");
}

fn diagnose(fixture: &str) -> String {
    let mut library = toy();
    let mut selection = Selection::default();
    let (mut plays, mut acts_out, mut checks) = (false, false, false);
    let (mut path, mut text) = (String::new(), String::new());
    let close = |library: &mut Library, path: &mut String, text: &mut String| {
        if !path.is_empty() {
            library.insert(path, std::mem::take(text));
            path.clear();
        }
    };
    for line in fixture.lines() {
        if let Some(name) = line.strip_prefix("//- ") {
            close(&mut library, &mut path, &mut text);
            path = name.to_owned();
        } else if !path.is_empty() {
            text.push_str(line);
            text.push('\n');
        } else if let Some(edit) = line.strip_prefix("replace ") {
            let (file, edit) = edit.split_once(": ").expect("replace FILE: OLD => NEW");
            let (old, new) = edit.split_once(" => ").expect("replace FILE: OLD => NEW");
            let file = format!("rulesets/toy/{file}");
            let before = library.text(&file).expect("the toy has that file").to_owned();
            assert!(before.contains(old), "`{old}` does not stand in {file}");
            library.insert(&file, before.replacen(old, &new.replace("\\n", "\n"), 1));
        } else if let Some(version) = line.strip_prefix("version ") {
            selection.version = VersionName::parse(version);
        } else if let Some(set) = line.strip_prefix("set ") {
            let (path, value) = set.split_once('=').expect("set PATH=VALUE");
            selection.set.push((path.to_owned(), value.to_owned()));
        } else if let Some(big) = line.strip_prefix("many ") {
            let (file, rest) = big.split_once(": ").expect("many FILE: TEXT");
            library.insert(file, rest.repeat(100_000));
        } else if line == "play" {
            plays = true;
        } else if line == "examples" {
            acts_out = true;
        } else if line == "check" {
            checks = true;
        }
    }
    close(&mut library, &mut path, &mut text);
    let look = |selection: &Selection| {
        let (ruleset, mut found) = match countermarch_scripting::load(&library, "toy", selection) {
            Ok(loaded) => (Some(loaded.ruleset), loaded.warnings),
            Err(found) => (None, found),
        };
        if let Some(ruleset) = ruleset.as_ref().filter(|_| checks) {
            found.extend(&check_examples(&library, ruleset).list);
            let rules = Runtime::new(ruleset.clone(), Budget::default()).expect("checked");
            found.extend(&check_beginnings(ruleset, rules).list);
        }
        (ruleset, found)
    };
    let (ruleset, mut found) = look(&selection);
    lay_faults(&library, "toy", &selection, &mut found, |other| look(other).1);
    found.sort();
    let mut out: String = found.list.iter().map(|d| d.one_line(&library) + "\n").collect();
    if let Some(ruleset) = ruleset.as_ref().filter(|_| acts_out) {
        let mut make = |ruleset: &Arc<Ruleset>| {
            Runtime::new(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
        };
        let report = run_examples(&library, ruleset, Choice::default(), &mut make);
        for failed in &report.failed {
            out.push_str(&format!("{}: {}: {}\n", failed.at, failed.name, failed.message));
            out.extend(failed.told.iter().map(|line| format!("    {line}\n")));
        }
    }
    if let Some(ruleset) = ruleset.filter(|_| plays) {
        let budget = Budget { fuel: 200_000, memory: 16 << 20, wall: Duration::from_millis(300) };
        let rules = Runtime::new(ruleset.clone(), budget).expect("checked");
        let mut session = Session::new(ruleset, rules, 0, 1, Limits { verify: true, ..Limits::BULK });
        let mut wrong = session.advance().err().map(SessionError::from);
        for answers in 0..200 {
            let Some(question) = session.question().cloned().filter(|_| wrong.is_none()) else { break };
            let action = session.offers()[answers % session.offers().len()];
            let (before, asked) = (session.game().hash(), session.entries());
            wrong = session.act(question.by, action).err();
            // A rule that fails while it goes on with an answer leaves nothing behind: not in the game, not in the
            // record, and the same is asked. One that fails later, in a task of its own, has answers before it.
            if wrong.is_some() && session.entries() == asked {
                assert_eq!(session.game().hash(), before, "the game stands as before");
                assert_eq!(session.question(), Some(&question), "the same is asked");
                out.push_str("the game stands as before\n");
            }
        }
        match wrong {
            Some(wrong) => out.push_str(&format!("in play: {wrong}\n")),
            None => out.push_str("in play: nothing\n"),
        }
    }
    out
}

//! `compare --record`, `compare --walk`, `odds` and `coverage --games`: what they print, and how they exit.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").to_owned()
}

fn run(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_countermarch");
    let home = repository();
    Command::new(program).args(args).current_dir(&home).env("COUNTERMARCH_HOME", &home).output().expect("it starts")
}

fn text(args: &[&str], code: i32) -> String {
    let output = run(args);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

fn json(args: &[&str], code: i32) -> Value {
    serde_json::from_str(&text(&[args, &["--json"]].concat(), code)).expect("one object")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

const RECORD: &str = "tests/games/88-july-1-base.march";

/// `countermarch ... | head` is no fault of anybody, whatever prints.
#[test]
fn a_reader_who_has_gone_is_no_fault() {
    for told in [
        "compare gettysburg-88@base @base+14 --record tests/games/88-july-1-base.march",
        "diff gettysburg-88@base @base+14",
        "compare gettysburg-88@base @base --scenario first-morning --games 1",
        "coverage gettysburg-88 --scenario first-morning --games 1",
        "show gettysburg-88 rulebook",
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let home = repository();
        let mut command = Command::new(env!("CARGO_BIN_EXE_countermarch"));
        command.args(told.split(' ')).current_dir(&home).env("COUNTERMARCH_HOME", &home).stdout(writer);
        let output = command.output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("panicked"), "{told}: {:?} {said}", output.status);
    }
}

#[test]
fn a_record_is_walked_under_two_versions() {
    let walk = ["compare", "gettysburg-88@base", "@base+14", "--record", RECORD];
    let told = text(&walk, 1);
    assert!(told.starts_with("- gettysburg-88@base\n+ gettysburg-88@base+14\nthe versions differ at "), "{told}");
    assert!(told.contains("14: "), "what it is laid to: {told}");
    let line = "+ a die is modified by no more than 10  [g88/14]";
    assert!(told.lines().any(|known| known.trim() == line), "{told}");
    let told = json(&walk, 1);
    let all = ["format", "versions", "records", "decisions", "rolls", "off", "put_back", "laid", "places"];
    assert_eq!(all.iter().filter(|key| told.get(**key).is_some()).count(), keys(&told).len());
    assert_eq!(told["laid"][0]["by"], serde_json::json!([["14"], ["14"]]));
    let place = &told["places"][0];
    assert!(place["line"].as_str().is_some_and(|line| line.contains(": ")), "{place}");
    assert_eq!(
        keys(&place["differences"][0])
            .iter()
            .filter(|key| ["aspect", "choice", "offered", "stands", "by"].contains(key))
            .count(),
        5
    );
    let same = text(&["compare", "gettysburg-88@base", "@base", "--record", RECORD], 0);
    assert!(same.contains("differ at 0 of "), "{same}");
    let other = run(&["compare", "gettysburg-corps", "@base", "--record", RECORD]);
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("is a record of `gettysburg-88`"));
}

#[test]
fn a_value_that_is_changed_is_laid_to_its_set() {
    let set = "terms/modifier-cap/is=8";
    let walk = ["compare", "gettysburg-88@base", "@base", "--other-set", set, "--record", RECORD];
    let told = json(&walk, 1);
    assert_eq!(told["laid"][0]["by"][0], serde_json::json!([format!("--set {set}")]));
}

#[test]
fn games_are_played_to_be_walked() {
    let walk = ["compare", "gettysburg-88@base", "@base+8", "--walk", "--games", "1", "--scenario", "first-morning"];
    let told = json(&walk, 1);
    assert_eq!(told["records"], 2, "the seed is played under each");
    let places = told["places"].as_array().expect("a list");
    assert!(
        !places.is_empty() && places.len() <= told["laid"].as_array().expect("a list").len(),
        "one example of each"
    );
    assert!(places[0]["record"].as_str().is_some_and(|record| record.starts_with("seed 1 under ")));
}

#[test]
fn odds_are_told_of_what_waits_and_side_by_side() {
    let told = json(&["odds", RECORD, "--at", "9", "--against", "@base+14"], 0);
    let versions = told["versions"].as_array().expect("a list");
    assert_eq!(versions.len(), 2);
    for version in versions {
        assert_eq!((&version["exact"], &version["ways"]), (&true.into(), &100.into()), "two dice of ten");
        let shares =
            version["outcomes"].as_array().expect("a list").iter().map(|o| o["share"].as_f64().expect("a number"));
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9);
    }
    let told = text(&["odds", RECORD, "--at", "9"], 0);
    assert!(told.contains("exact: all 100 ways") && told.contains("(* stands for what a die shows)"), "{told}");
    let told = text(&["odds", RECORD, "--at", "9", "--most", "5", "--tries", "300"], 0);
    assert!(told.contains("300 tries"), "{told}");
    assert_eq!(told, text(&["odds", RECORD, "--at", "9", "--most", "5", "--tries", "300"], 0), "the seed decides");
    // An answer first; one that is not allowed is told why.
    let told = text(&["odds", RECORD, "go", "--at", "8"], 0);
    assert!(told.contains("exact: all 100 ways"), "{told}");
    let told = text(&["odds", RECORD, "from Q9", "--at", "8"], 1);
    assert!(told.contains("not allowed") || told.contains("["), "{told}");
}

#[test]
fn coverage_listens_to_games_and_says_the_same_for_any_jobs() {
    let listen = ["coverage", "gettysburg-corps", "--games", "2", "--players", "union=plain,confederate=plain"];
    let told = json(&listen, 0);
    assert_eq!(told, json(&[&listen[..], &["--jobs", "2"]].concat(), 0));
    let tables = told["tables"].as_array().expect("a list").iter();
    let lines = tables.flat_map(|table| table["cells"].as_array().expect("a list"));
    let cells = lines.flat_map(|line| line.as_array().expect("a list"));
    let times: Vec<u64> = cells.map(|cell| cell.as_u64().expect("a number")).collect();
    assert!(times.iter().any(|times| *times > 0) && times.contains(&0), "{times:?}");
    let told = text(&listen, 0);
    for says in ["paragraphs: ", "rows: ", "events: ", "cells were never looked up", "█"] {
        assert!(told.contains(says), "{says}: {told}");
    }
}

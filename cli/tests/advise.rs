//! `countermarch advise`: what it prints, for people and for programs, and how it exits.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").to_owned()
}

fn run(args: &[&str]) -> Output {
    let home = repository();
    let mut command = Command::new(env!("CARGO_BIN_EXE_countermarch"));
    command.args(args).current_dir(&home).env("COUNTERMARCH_HOME", &home).output().expect("it starts")
}

fn text(args: &[&str], code: i32) -> String {
    let output = run(args);
    let [told, wrong] = [output.stdout, output.stderr].map(|all| String::from_utf8_lossy(&all).into_owned());
    assert_eq!(output.status.code(), Some(code), "{args:?}: {told}{wrong}");
    if code == 0 { told } else { wrong }
}

fn told(args: &[&str]) -> Value {
    serde_json::from_str(&text(&[args, &["--json"]].concat(), 0)).expect("one object")
}

const RECORD: &str = "tests/games/77-first-hours.march";

/// After so many answers the Confederates say where Davis goes.
const AT: &str = "8";

#[test]
fn a_program_is_told_the_best_choices_with_their_reasons() {
    let advice = told(&["advise", RECORD, "--at", AT, "--choices", "2"]);
    assert_eq!(advice["format"], 1);
    assert_eq!([&advice["player"], &advice["side"], &advice["question"]], ["plain", "confederate", "movement.to"]);
    assert_eq!(advice["at"], 8);
    assert!(advice["asked"].as_str().is_some_and(|asked| asked.starts_with("Where does Davis ")), "{advice}");
    let choices = advice["choices"].as_array().expect("a list");
    assert_eq!(choices.len(), 2);
    for choice in choices {
        let sum: i64 = choice["reasons"].as_array().expect("a list").iter().filter_map(|r| r["adds"].as_i64()).sum();
        assert_eq!(choice["worth"], sum, "its reasons are all there is to it");
    }
    assert!(choices[0]["worth"].as_i64() > choices[1]["worth"].as_i64(), "the best first");
    // What it says can be answered: the view offers it, and the next line of the record is `plain`'s own answer.
    let view: Value = serde_json::from_str(&text(&["replay", RECORD, "--at", AT, "--json"], 0)).expect("one object");
    let offers = view["question"]["offers"].as_array().expect("a list");
    for choice in choices {
        let offer = offers.iter().find(|offer| offer["verb"] == choice["verb"]).expect("the verb is offered");
        let values = offer["values"].as_array().expect("a list");
        assert!(values.iter().any(|value| value["id"] == choice["values"][0]), "{choice}");
    }
    assert_eq!((&choices[0]["verb"], &choices[0]["values"]), (&json!("to"), &json!(["D24"])));
    let line = text(&["advise", RECORD, "--at", AT], 0);
    assert!(line.contains("plain would answer:\n  1. to D24  "), "{line}");
}

#[test]
fn who_looks_ahead_advises_one_answer() {
    let advice = told(&["advise", RECORD, "--at", AT, "--player", "careful:200"]);
    assert_eq!(advice["player"], "careful:200");
    let choices = advice["choices"].as_array().expect("a list");
    assert_eq!(choices.len(), 1);
    assert_eq!((&choices[0]["verb"], &choices[0]["worth"]), (&json!("to"), &Value::Null));
    // Where it does as `plain` would, every answer of its plan is one of `plain`'s.
    let reckoned = &choices[0]["reckoned"];
    assert!(reckoned["plans"].as_u64() > Some(1) && reckoned["alike"].as_u64() > Some(1), "{reckoned}");
    assert_eq!(reckoned["gain"], Value::Null);
}

#[test]
fn where_nobody_is_asked_there_is_nothing_to_advise() {
    let wrong = text(&["advise", RECORD, "--json"], 1);
    assert!(wrong.contains("nobody is asked there"), "{wrong}");
    let wrong = text(&["advise", RECORD, "--at", AT, "--player", "nobody"], 2);
    assert!(wrong.contains("has no player `nobody`"), "{wrong}");
    text(&["advise", RECORD, "--at", "99999"], 2);
    text(&["advise", RECORD, "--choices", "0"], 2);
}

/// What is told at a table of one person, with the games of a folder.
fn at_the_board(home: &Path, typed: &str) -> String {
    let file = home.join("sitting.march");
    let _ = std::fs::remove_file(&file);
    let mut table = Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .args(["play", "toy", "--seed", "7", "--seat", "red=human", "--seat", "blue=random", "--save"])
        .arg(&file)
        .env("COUNTERMARCH_HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    table.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("it reads");
    String::from_utf8_lossy(&table.wait_with_output().expect("it ends").stdout).into_owned()
}

/// At the board: of the other side's question nobody learns what it will answer, where no person decides for it, nor who
/// may not do what it asks of those whom he may not know.
#[test]
fn the_other_sides_question_tells_neither_its_answer_nor_whom_it_hides() {
    let home = std::env::temp_dir().join(format!("countermarch-advised-{}", std::process::id()));
    let toy = repository().join("tests/toy");
    let changed = |file: &str, changes: &[(&str, &str)]| {
        let text = std::fs::read_to_string(toy.join(file)).expect("it is there");
        let change = |text: String, (old, new): &(&str, &str)| {
            assert!(text.contains(old), "`{old}` does not stand in {file}");
            text.replacen(old, new, 1)
        };
        std::fs::create_dir_all(home.join(file).parent().expect("a folder")).expect("a folder");
        std::fs::write(home.join(file), changes.iter().fold(text, change)).expect("it is written");
    };
    // Bob lies low, and who lies low may not move; a verb that ends something has those told who may not.
    let cid = "\n  - { id: cid, name: Cid, side: blue, type: foot, strength: 1 }";
    let bob = "side: blue, type: foot, strength: 1 }";
    changed("rulesets/toy/ruleset.yaml", &[(bob, &format!("{bob}{cid}"))]);
    let low = "at: \"2:0\", set: { down: true } }\n  - { unit: cid, at: \"0:2\" }";
    changed("rulesets/toy/scenarios/meeting.yaml", &[("at: \"2:0\" }", low)]);
    let guard = "when: \"not on-map(unit)\", say: \"it is lost\"";
    let ends = ("move: { takes: unit,", "move: { ends: true, takes: unit,");
    changed("rulesets/toy/tables.yaml", &[(guard, "when: \"unit.down\", say: \"it lies low\""), ends]);
    for file in ["rules/fire.luau", "rules/march.luau", "rules/setup.luau", "scenarios/surprise.yaml"] {
        changed(&format!("rulesets/toy/{file}"), &[]);
    }
    changed("maps/toy.yaml", &[]);
    let told = at_the_board(&home, "ann\nann\nstay\nadvise\nwhich\n");
    std::fs::remove_dir_all(&home).expect("the folder was there");
    assert!(told.contains("Blue answers next") && told.contains("You are asked nothing now"), "{told}");
    let (_, which) = told.split_once("> which").expect("it is typed");
    assert!(which.contains("0:2: Cid") && !which.contains("Bob") && !which.contains("it lies low"), "{told}");
}

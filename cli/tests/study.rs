//! `countermarch study`: a study is played, its conclusions follow from its figures, and it is made again to the same bytes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

/// A folder that is gone when the test has ended.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("countermarch-study-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for temporary files");
        Folder(folder)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn study(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .arg("study")
        .args(args)
        .env("COUNTERMARCH_HOME", Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository"))
        .output()
        .expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// With free attacks there are fewer decisions, and nobody wins more: a study of what is known.
const STUDY: &str = "
title: Must one attack?
question: Of attacks that must be made.
compare:
  must:
    game: gettysburg-88
    versions: [base, base+28]
    other-set: [settings/attacks/default=free]
    scenario: first-morning
    games: 40
    effects: [one-out]
    each: 10
    under: [plain, bridge-zone=either]
conclude:
  - if: \"must: decisions > 0\"
    holds: \"More: {decisions} of {decisions in A}.\"
    fails: \"Less: {decisions} of {decisions in A}.\"
    unknown: \"Nobody knows: {decisions}.\"
  - if: [\"must: decisions > -1000000\", \"must: decisions within 1000000\"]
    holds: \"A little.\"
    fails: \"Much.\"
    unknown: \"Nobody knows.\"
cannot-say:
  - Anything else.
";

#[test]
fn a_study_is_written_and_made_again_to_the_same_bytes() {
    let folder = Folder::new("whole");
    let (file, report) = (folder.file("must.yaml"), folder.file("must.md"));
    fs::write(&file, STUDY).expect("it can be written");
    let (page, again) = (folder.file("must.html"), folder.file("again.html"));
    let first = study(&[&file, "--html", &page, "--jobs", "2"]);
    assert!(first.status.success(), "{}", said(&first));
    let written = fs::read_to_string(&report).expect("it was written");
    for word in [
        "# Must one attack?",
        "<!-- study -->",
        "## What follows",
        "Grade ",
        "## What cannot be said",
        "### must",
        "AGAIN",
    ] {
        assert!(written.contains(word), "{word} is missing in\n{written}");
    }
    assert!(!written.contains('{'), "figures are put in\n{written}");
    // Killed on the way, in the pairs, in an amendment and in a case; what stands around the report is its author's.
    let trials = folder.0.join("must-trials");
    let names: Vec<_> = fs::read_dir(&trials).expect("a folder").flatten().map(|entry| entry.path()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    for (number, path) in names.iter().enumerate() {
        let bytes = fs::read(path).expect("it was written");
        fs::write(path, &bytes[..bytes.len() * number / 4]).expect("it can be cut");
    }
    let around = format!("Mine.\n{written}Mine too.\n");
    fs::write(&report, &around).expect("it can be written");
    let second = study(&[&file, "--html", &again]);
    assert!(second.status.success(), "{}", said(&second));
    assert_eq!(fs::read_to_string(&report).expect("it is there"), around);
    assert_eq!(first.stdout, second.stdout);
    assert!(fs::read(&page).expect("it was written") == fs::read(&again).expect("it was written"));
}

#[test]
fn conclusions_follow_from_the_figures() {
    let folder = Folder::new("figures");
    let file = folder.file("must.yaml");
    fs::write(&file, STUDY).expect("it can be written");
    let output = study(&[&file, "--at-most", "40", "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    assert!(!folder.0.join("must.md").exists() && !folder.0.join("must-trials").exists(), "it is only tried");
    let measures = json["comparisons"]["must"]["measures"].as_array().expect("a list");
    let decisions = measures.iter().find(|measure| measure["measure"] == "decisions").expect("it is measured");
    let end = |at: usize| decisions["interval"][at].as_f64().expect("a number");
    let conclusions = json["conclusions"].as_array().expect("a list");
    let verdict = conclusions[0]["verdict"].as_str().expect("a text");
    let text = conclusions[0]["said"].as_str().expect("a text");
    match verdict {
        "holds" => assert!(end(0) > 0.0 && text.starts_with("More: +"), "{text}"),
        "fails" => assert!(end(1) < 0.0 && text.starts_with("Less: -"), "{text}"),
        _ => assert!(text.starts_with("Nobody knows"), "{text}"),
    }
    let mean = decisions["means"][0].as_f64().expect("a number");
    assert!(text.contains(&format!("{mean:.2}")) || text.starts_with("Nobody"), "{text}");
    assert!(["D", "C", "A", "B", "E"].contains(&conclusions[0]["grade"].as_str().unwrap_or("A")));
    assert_eq!(json["comparisons"]["must"]["under"].as_array().map(Vec::len), Some(2));
}

/// With item 2 the Union wins each of these three games and without it none, which says not how that varies.
#[test]
fn what_differs_by_the_same_in_every_pair_is_not_told() {
    let folder = Folder::new("alike");
    let file = folder.file("alike.yaml");
    let players = "players: { union: plain, confederate: plain }";
    let study_of = format!(
        "title: Alike?\nquestion: Of item 2.\ncompare:\n  two: {{ game: gettysburg-88, versions: [base, base+2], \
         scenario: first-morning, games: 3, seed: 28, {players} }}\nconclude:\n  - {{ if: \"two: wins.union > 0\", \
         holds: \"More.\", fails: \"Not more.\", unknown: \"Nobody knows: {{wins.union}}.\" }}\n"
    );
    fs::write(&file, study_of).expect("it can be written");
    let output = study(&[&file, "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    let one = &json["conclusions"][0];
    assert_eq!(one["verdict"], "cannot be told");
    assert_eq!(one["said"], "Nobody knows: +100.0 (95 %: the same in each of 3).");
}

/// Two versions by themselves, asked the same in one table.
const SAMPLES: &str = "
title: How much is lost?
question: Of a morning in two versions.
play:
  without: { game: gettysburg-88, version: base, scenario: first-morning, games: 30, numbers: { army: 71 }, under: [plain] }
  with:
    game: gettysburg-88
    version: clarified
    scenario: first-morning
    games: 30
    moments: { first: turn.1 }
    numbers: { army: 71 }
    under: [plain, bridge-zone=either]
tables:
  - title: Of the army
    rows: { lost: losses.union / army, of what came: losses.union / came.union, on the field at first: on-field.union at first }
conclude:
  - if: [\"with: losses.union / army < 90\", \"without: losses.union < 5\"]
    holds: \"Some: {losses.union / army}, and {without: losses.union / came.union} without.\"
    fails: \"None or all.\"
    unknown: \"Nobody knows.\"
";

#[test]
fn versions_by_themselves_are_asked_the_same() {
    let folder = Folder::new("samples");
    let (file, page) = (folder.file("lost.yaml"), folder.file("lost.html"));
    fs::write(&file, SAMPLES).expect("it can be written");
    let first = study(&[&file, "--json", "--jobs", "2", "--html", &page]);
    let json: Value = serde_json::from_slice(&first.stdout).unwrap_or_else(|_| panic!("{}", said(&first)));
    let measure = |of: &Value, name: &str| -> f64 {
        let all = of["measures"].as_array().expect("a list");
        let found = all.iter().find(|one| one["measure"] == name).expect("it is measured");
        found["mean"].as_f64().expect("a number")
    };
    let (with, rows) = (&json["samples"]["with"], &json["tables"][0]["rows"]);
    let cell = |row: usize, of: usize| rows[row]["cells"][of]["value"].as_f64();
    let is = |value: Option<f64>, wanted: f64| assert!(value.is_some_and(|v| (v - wanted).abs() < 1e-9), "{value:?}");
    is(cell(0, 1), measure(with, "losses.union") / 71.0);
    is(cell(1, 1), measure(with, "losses.union") / measure(with, "came.union"));
    is(cell(2, 1), measure(with, "on-field.union.turn.1"));
    assert_eq!(cell(2, 0), None, "`without` names no such moment");
    assert_eq!(with["under"].as_array().map(Vec::len), Some(2));
    let said_of_it = json["conclusions"][0]["said"].as_str().expect("a text");
    assert!(said_of_it.starts_with("Some: ") && said_of_it.contains(" % (95 %: "), "{said_of_it}");
    // Random is asked and plain is tried, in both; one reading more is of one of them.
    let why = json["conclusions"][0]["why"].as_str().expect("a text");
    assert!(why.contains("of 2 players") && why.contains("of 1 reading"), "{why}");
    let report = fs::read_to_string(folder.file("lost.md")).expect("it was written");
    for word in
        ["## Of the army", "| | without | with |", "| on the field at first† | none | ", "### without", "ALSO UNDER"]
    {
        assert!(report.contains(word), "{word} is missing in\n{report}");
    }
    assert!(fs::read_to_string(&page).expect("it was written").contains("Of the army"));
    // Killed on the way, and gone on with.
    let trials = folder.0.join("lost-trials");
    let names: Vec<_> = fs::read_dir(&trials).expect("a folder").flatten().map(|entry| entry.path()).collect();
    assert_eq!(names.len(), 5, "{names:?}");
    for (number, path) in names.iter().enumerate() {
        let bytes = fs::read(path).expect("it was written");
        fs::write(path, &bytes[..bytes.len() * number / 5]).expect("it can be cut");
    }
    let second = study(&[&file, "--json"]);
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(report, fs::read_to_string(folder.file("lost.md")).expect("it was written"));
    // What no game measures is told before anything is played.
    for (old, new, why) in [
        ("losses.union < 5", "losses.onion < 5", "`without` measures no `losses.onion`"),
        ("without: losses.union < 5", "without: losses.union at first < 5", "`without` has no moment `first`"),
        ("on-field.union at first", "on-field.union at last", "has no moment `last`"),
    ] {
        fs::write(&file, SAMPLES.replace(old, new)).expect("it can be written");
        let output = study(&[&file]);
        assert_eq!(output.status.code(), Some(1), "{new}: {}", said(&output));
        assert!(said(&output).contains(why), "{new}: {}", said(&output));
    }
}

#[test]
fn what_is_wrong_is_told_before_anything_is_played() {
    let folder = Folder::new("wrong");
    let file = folder.file("wrong.yaml");
    let refused = |old: &str, new: &str, code: i32, why: &str| {
        assert!(STUDY.contains(old), "{old}");
        fs::write(&file, STUDY.replace(old, new)).expect("it can be written");
        let output = study(&[&file]);
        assert_eq!(output.status.code(), Some(code), "{new}: {}", said(&output));
        assert!(said(&output).contains(why), "{new}: {}", said(&output));
        assert!(!folder.0.join("wrong-trials").exists(), "{new}");
    };
    refused("games: 40", "games: many", 1, "wrong.yaml:");
    refused("must: decisions > 0", "must: decision > 0", 1, "measures no `decision`");
    refused("must: decisions > 0", "must/27: decisions > 0", 1, "does not differ by `27`");
    refused("{decisions in A}", "{points in A}", 1, "measures no `points`");
    refused("gettysburg-88", "gettysburg-89", 1, "no game `gettysburg-89`");
    refused("under: [plain,", "under: [nobody,", 1, "no player `nobody`");
    refused("bridge-zone=either", "bridge-zone=never", 1, "`bridge-zone` is not `never`");
    // It is told where that stands.
    refused("gettysburg-88", "gettysburg-89", 1, "wrong.yaml:");
    fs::write(&file, STUDY).expect("it can be written");
    fs::write(folder.file("wrong.md"), "My own notes.\n").expect("it can be written");
    let output = study(&[&file]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("without the marks"), "{}", said(&output));
    assert_eq!(fs::read_to_string(folder.file("wrong.md")).expect("it is there"), "My own notes.\n");
}

//! `countermarch rank` and `countermarch tune`: what they print, the files they write, and what they refuse.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

/// A copy of a little game with players, which is gone when the test has ended.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("countermarch-rank-{}-{name}", std::process::id()));
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join("tests/little");
        copy(&from.join("rulesets/breakthrough"), &folder.join("rulesets/breakthrough"));
        fs::create_dir_all(folder.join("maps")).expect("a folder for temporary files");
        fs::copy(from.join("maps/breakthrough.yaml"), folder.join("maps/breakthrough.yaml")).expect("the map is there");
        let players = folder.join("rulesets/breakthrough/players");
        fs::create_dir_all(&players).expect("a folder for players");
        let greed = "title: takes\nabout: It takes what it can.\nweights:\n  greed: { is: -6, least: -10, most: 10 } # low\n\
                     answers:\n  move.pawn:\n    move: \"if(any(units-at(second) as u, u.side != by), greed, 0) + \
                     count(units as u, u.side != by and distance(second, u) <= 2)\"\n";
        fs::write(players.join("plain.yaml"), greed).expect("it can be written");
        Folder(folder)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countermarch"));
        command.args(args).env("COUNTERMARCH_HOME", &self.0).current_dir(&self.0);
        command.output().expect("the program starts")
    }

    fn printed(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{}", said(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn refused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said(&output));
        said(&output)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder for temporary files");
    for entry in fs::read_dir(from).expect("the folder is there").flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &to) } else { _ = fs::copy(&path, &to).expect("it can be copied") }
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const RANK: [&str; 6] = ["rank", "breakthrough", "--players", "random,plain,careful:30", "--pairs", "8"];

#[test]
fn a_ladder_is_told_written_read_and_shown() {
    let folder = Folder::new("ladder");
    let file = folder.file("rulesets/breakthrough/ladder.yaml");
    let text = folder.printed(&[&RANK[..], &["--out", &file]].concat());
    for word in
        ["rating", "plays itself, white takes", "games: 8)", "certain", "24 pairs of games", "plain from random"]
    {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
    let again =
        text.lines().last().expect("it prints lines").strip_prefix("AGAIN").expect("the last says again").trim();
    let words: Vec<&str> = again.split(' ').skip(1).collect();
    assert_eq!(folder.printed(&words), text);
    let written = fs::read_to_string(&file).expect("it was written");
    assert!(written.starts_with("# Written by") && written.contains(again), "{written}");
    // Ranked again it is replaced; what else stands there stays.
    let other = written
        .replace("version: \"base\"", "version: \"other\"")
        .split_once("ladder:\n")
        .expect("a ladder")
        .1
        .to_owned();
    fs::write(&file, format!("{written}{other}")).expect("it can be written");
    folder.printed(&[&RANK[..], &["--out", &file, "--seed", "4"]].concat());
    let both = fs::read_to_string(&file).expect("it was written");
    assert!(both.contains("--seed 4") && both.ends_with(&other), "{both}");
    assert_eq!(both.matches("scenario:").count(), 2);
    folder.printed(&["check", "breakthrough"]);
    let list = folder.printed(&["list", "breakthrough"]);
    assert!(list.contains("player plain") && list.contains("takes  [array 0]"), "{list}");
    let list: Value = serde_json::from_str(&folder.printed(&["list", "breakthrough", "--json"])).expect("JSON");
    let plain = list[0]["players"].as_array().expect("players").iter().find(|p| p["player"] == "plain").expect("plain");
    assert_eq!((&plain["about"], &plain["ladder"][0]["rating"]), (&"It takes what it can.".into(), &0.into()));
    assert_eq!(plain["ladder"][0]["current"], true);
    let show = folder.printed(&["show", "breakthrough", "players"]);
    for word in ["plain: takes", "greed", "plays itself, white takes", "--seed 4"] {
        assert!(show.contains(word), "{word} is missing in\n{show}");
    }
    assert!(!show.contains("not yet as they are now"), "{show}");
    let changed = folder.printed(&["show", "breakthrough", "players", "--set", "players/plain/weights/greed/is=4"]);
    assert!(changed.contains("not yet as they are now"), "{changed}");
}

/// The ladders of '88 are of its clarified version.
#[test]
fn the_list_tells_of_ladders_of_other_versions_by_name() {
    let folder = Folder::new("versions");
    let list = folder.printed(&["list", "gettysburg-88", "--json"]);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let plain = list[0]["players"].as_array().expect("players").iter().find(|p| p["player"] == "plain").expect("plain");
    assert_eq!(plain["ladder"][0]["version"], "clarified");
    let text = folder.printed(&["list", "gettysburg-88"]);
    // Long lines are folded.
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("looks ahead [@clarified "), "{text}");
}

/// One pair of games has no spread, and no order is certain after it.
#[test]
fn a_ladder_of_one_pair_tells_what_was_played_and_nothing_more() {
    let folder = Folder::new("one");
    let file = folder.file("rulesets/breakthrough/ladder.yaml");
    let one = [&RANK[..5], &["1"]].concat();
    let text = folder.printed(&[&one[..], &["--out", &file]].concat());
    for word in ["not certain", "; games: 1)", "is not known: fewer"] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
    let told: Value = serde_json::from_str(&folder.printed(&[&one[..], &["--json"]].concat())).expect("JSON");
    assert_eq!((&told["balance"]["player"], &told["balance"]["games"]), (&"plain".into(), &1.into()));
    let met = &told["encounters"][0];
    assert_eq!((&met["certain"], &met["leads_by"]["interval"]), (&false.into(), &Value::Null));
    // What is not known is not written, and read again as that.
    let written = fs::read_to_string(&file).expect("it was written");
    assert!(written.contains("balance") && written.contains("\"plain\": { rating: 0, least: 0, most: 0, games: 4 }"));
    let list = folder.printed(&["list", "breakthrough"]);
    assert!(list.contains("(how near is not known)"), "{list}");
    // A ladder may say nothing of the sides.
    let silent: String =
        written.lines().filter(|line| !line.contains("balance")).map(|line| format!("{line}\n")).collect();
    fs::write(&file, silent).expect("it can be written");
    let show = folder.printed(&["show", "breakthrough", "players"]);
    assert!(show.contains("how balanced the sides are these games did not say"), "{show}");
    let show: Value =
        serde_json::from_str(&folder.printed(&["show", "breakthrough", "players", "--json"])).expect("JSON");
    assert!(show["ladders"][0].get("balance").is_none(), "{show}");
}

#[test]
fn json_is_the_same_for_any_jobs() {
    let folder = Folder::new("jobs");
    let one = folder.printed(&[&RANK[..], &["--json"]].concat());
    assert_eq!(folder.printed(&[&RANK[..], &["--json", "--jobs", "2"]].concat()), one);
    let told: Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(
        (&told["format"], &told["players"][0]["games"], &told["scenario"]),
        (&1.into(), &32.into(), &"array".into())
    );
    assert_eq!(told["encounters"].as_array().map(Vec::len), Some(3));
}

#[test]
fn what_cannot_be_ranked_or_tuned_is_refused_before_anything_is_played() {
    let folder = Folder::new("refused");
    let rank = |players: &str| folder.refused(&["rank", "breakthrough", "--players", players, "--pairs", "100000"]);
    assert!(rank("careful:2s,plain").contains("by the clock"));
    assert!(rank("clever,plain").contains("no player `clever`"));
    assert!(rank("plain").contains("two or more"));
    let file = folder.file("notes.yaml");
    fs::write(&file, "notes: { a: mine }\n").expect("it can be written");
    let out = |more: &[&str]| folder.refused(&[&RANK[..5], &["100000"], more].concat());
    assert!(out(&["--out", &file]).contains("no ladder"));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "notes: { a: mine }\n");
    assert!(out(&["--out", &folder.file("l.yaml"), "--set", "title=x"]).contains("leave out --set"));
    let tune =
        |more: &[&str]| folder.refused(&[&["tune", "breakthrough", "plain", "--steps", "100000"], more].concat());
    assert!(tune(&["--games", "3"]).contains("even number"));
    assert!(tune(&["--weights", "gred"]).contains("did you mean `greed`?"));
    assert!(tune(&["--out", &file]).contains("exists already"));
    assert!(tune(&["--state", &file]).contains("no state of a tuning"));
    assert!(tune(&["--against", "careful:2s"]).contains("by the clock"));
}

const TUNE: [&str; 11] =
    ["tune", "breakthrough", "plain", "--games", "6", "--steps", "20", "--held-out", "20", "--seed", "3"];

#[test]
fn a_tuning_that_is_stopped_is_gone_on_with_and_comes_to_the_same_bytes() {
    let folder = Folder::new("tuning");
    let (state, out) = (folder.file("state.json"), folder.file("tuned.yaml"));
    let whole = folder.printed(&[&TUNE[..], &["--state", &state, "--out", &out]].concat());
    for word in ["greed", "-10 to 10", "from plain it takes", "on which nothing was tuned", "gained", "AGAIN"] {
        assert!(whole.contains(word), "{word} is missing in\n{whole}");
    }
    let file = fs::read_to_string(&out).expect("it was written");
    let before = fs::read_to_string(folder.file("rulesets/breakthrough/players/plain.yaml")).expect("it is there");
    let number = file.split("greed: { is: ").nth(1).and_then(|rest| rest.split(',').next()).expect("a number");
    assert_eq!(file.replace(&format!("is: {number},"), "is: -6,"), before);
    assert!(number.parse::<i32>().expect("a number") > 0, "{file}");
    // As if it had been stopped behind its fifth step.
    let held = fs::read_to_string(&state).expect("it was written");
    let mut stopped: Value = serde_json::from_str(&held).expect("JSON");
    let tried = stopped["tried"].as_array_mut().expect("steps");
    assert_eq!(tried.len(), 20);
    tried.truncate(5);
    fs::write(&state, stopped.to_string()).expect("it can be written");
    assert_eq!(folder.printed(&[&TUNE[..], &["--state", &state, "--jobs", "2"]].concat()), whole);
    assert_eq!(fs::read_to_string(&state).expect("it was written"), held);
    let other = folder.refused(&[&TUNE[..6], &["21", "--state", &state]].concat());
    assert!(other.contains("of another tuning"), "{other}");
    let told = folder.printed(&[&TUNE[..], &["--state", &state, "--json"]].concat());
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!((&told["weights"][0]["was"], &told["weights"][0]["weight"]), (&(-6).into(), &"greed".into()));
    assert_eq!((told["tried"].as_array().map(Vec::len), &told["held_out"]["pairs"]), (Some(20), &10.into()));
}

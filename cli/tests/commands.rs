//! One test a command: what it prints and how it exits.

mod program;

use std::{
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

fn run(args: &[&str], input: &str) -> Output {
    program::run(program::repository(), args, input)
}

fn json(args: &[&str]) -> Value {
    let output = run(args, "");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|wrong| panic!("{args:?}: {wrong}\n{}", String::from_utf8_lossy(&output.stderr)))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Where a test saves a record, which is gone when the test has ended.
struct Saved(String);

impl std::ops::Deref for Saved {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn saved(name: &str) -> Saved {
    let file = std::env::temp_dir().join(format!("countermarch-test-{}-{name}.march", std::process::id()));
    Saved(file.display().to_string())
}

#[test]
fn list_names_the_games() {
    let games = json(&["list", "--json"]);
    assert!(games.as_array().expect("a list").iter().any(|g| g["game"] == "gettysburg-corps" && g["usable"] == true));
    assert!(text(&run(&["list"], "")).contains("crt-inventory"));
}

#[test]
fn check_says_that_nothing_is_wrong_or_where_it_is() {
    let fine = run(&["check", "gettysburg-corps"], "");
    assert_eq!(fine.status.code(), Some(0));
    let wrong = json(&["check", "gettysburg-corps", "--set", "units/heth/strength=77", "--json"]);
    assert_eq!(keys(&wrong), ["errors", "warnings", "diagnostics"]);
    assert_eq!(keys(&wrong["diagnostics"][0]), ["file", "line", "column", "code", "message", "help"]);
    assert_eq!(run(&["check", "gettysburg-corps@ghost"], "").status.code(), Some(2));
}

#[test]
fn test_and_coverage_report_in_their_shapes() {
    let report = json(&["test", "gettysburg-corps", "--only", "the example", "--json"]);
    assert_eq!(keys(&report), ["examples", "passed", "failed", "failures"]);
    assert_eq!(report["failed"], 0);
    let changed = json(&["test", "gettysburg-77", "--set", "sets/with-side/where=true", "--json"]);
    assert_ne!(changed["failed"], 0, "what --set changes is changed for examples too");
    let report = json(&["coverage", "gettysburg-corps", "--json"]);
    assert_eq!(keys(&report), ["game", "total", "carried", "proven", "skipped", "missing", "unproven", "always"]);
    assert_eq!(report["total"], 240);
    assert_eq!(report["missing"], Value::Array(vec![]));
}

#[test]
fn simulate_counts_games_and_the_same_seeds_end_alike_in_another_process() {
    let args = ["simulate", "gettysburg-corps", "--games", "12", "--seed", "5", "--csv"];
    let first = text(&run(&args, ""));
    assert_eq!(first.lines().count(), 13);
    let jobs = [&args[..], &["--jobs", "2"]].concat();
    assert_eq!(first, text(&run(&jobs, "")));
    let report = json(&["simulate", "gettysburg-corps", "--games", "2", "--json"]);
    for key in [
        "game",
        "version",
        "games",
        "finished",
        "dead_ends",
        "errors",
        "broken",
        "decisions",
        "offers",
        "seconds",
        "outcomes",
    ] {
        assert!(report.get(key).is_some(), "{key}");
    }
    assert_eq!(report["finished"], 2);
}

#[test]
fn a_game_is_played_from_standard_input_saved_verified_and_gone_on_with() {
    let file = saved("play");
    let seats = ["--seat", "confederate=human", "--seat", "union=human", "--save", &file];
    // The card that the Union draws next may ask something first: a seed where it does not.
    let output = run(&[&["play", "gettysburg-corps", "--seed", "1863"], &seats[..]].concat(), "heth 17.06\n\n");
    let told = text(&output);
    assert!(told.contains("Heth goes from 19.03 (Seven Stars) to 17.06  [corps/5/one-at-a-time]"), "{told}");
    assert!(told.contains("Go on with: countermarch play"), "{told}");
    let proof = json(&["verify", &file, "--json"]);
    assert_eq!(keys(&proof), ["actions", "ok", "hash", "changed"]);
    assert_eq!(proof["ok"], true);
    let asked = run(&["why", &file], "");
    assert_eq!(asked.status.code(), Some(0));
    assert!(text(&asked).contains(" is asked: "), "{}", text(&asked));
    let why = run(&["why", &file, "heth"], "");
    assert!(text(&why).contains("it is not that side's Movement Phase"), "{}", text(&why));
    let mut cut_off = std::fs::read_to_string(&*file).expect("the record");
    let lines = cut_off.lines().count();
    cut_off.push_str("union: move buf");
    std::fs::write(&*file, cut_off).expect("writes");
    let other_dice = run(&["play", &file, "--seed", "4"], "");
    assert_eq!(other_dice.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other_dice.stderr).contains("--seed belongs to a new game"));
    let again = run(&["play", &file, "--seat", "union=human", "--seat", "confederate=human"], "");
    assert!(text(&again).contains("Going on after"), "{}", text(&again));
    assert_eq!(std::fs::read_to_string(&*file).expect("the record").lines().count(), lines);
    assert!(text(&run(&["replay", &file], "")).contains("Heth goes"));
}

#[test]
fn the_bot_answers_for_an_umpire_until_a_seat_asks_for_him() {
    for (asked, seat) in [(None, "plain"), (Some("umpire=human"), "human")] {
        let file = saved(&format!("umpire-{seat}"));
        let mut args = vec!["play", "gallop", "--scenario", "fixture", "--save", &file];
        args.extend(asked.iter().flat_map(|seat| ["--seat", *seat]));
        run(&args, "");
        let record = std::fs::read_to_string(&*file).expect("the record");
        assert!(record.contains(&format!("\nseat umpire={seat}\n")), "{record}");
    }
}

#[test]
fn a_refused_move_names_its_paragraph_and_undo_takes_back() {
    let file = saved("undo");
    let orders = "map heth\nwhy heth 15.09\nwhy heth 14.09\nheth 16.08\nundo\nmove heth\n15.09\nstay\n";
    let seats = ["--seat", "confederate=human", "--seat", "union=human", "--save", &file, "--analysis"];
    let told = text(&run(&[&["play", "gettysburg-corps"], &seats[..]].concat(), orders));
    assert!(told.contains("Taken back."), "{told}");
    assert!(told.contains("after the number: = pike, - road, : railroad, w woods, t town"), "{told}");
    assert!(told.contains("[corps/5.2/no-entry]") && told.contains("[corps/5.4/stop]"), "{told}");
    // The place in words comes first, then the part of the board around it.
    assert!(told.contains("19.03 (Seven Stars): town") && told.contains("[Heth 2]"), "{told}");
    assert!(std::fs::read_to_string(&*file).expect("the record").contains("\nundo\n"));
}

#[test]
fn a_game_that_is_killed_has_every_answer_on_disk() {
    let file = saved("kill");
    let mut child = Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .args(["play", "gettysburg-corps", "--seed", "4", "--seat", "union=human", "--save", &file])
        .env("COUNTERMARCH_HOME", Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"heth 17.06\nmove buf").expect("writes");
    stdin.flush().expect("writes");
    // The answers are on disk as soon as the next question is asked; nothing else is waited for.
    let written = || std::fs::read_to_string(&*file).unwrap_or_default();
    for _ in 0..2000 {
        if written().contains("to 17.06") {
            break;
        }
        std::thread::yield_now();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("is killed");
    child.wait().expect("ends");
    assert!(written().contains("confederate: to 17.06  [movement.to heth]\n"), "{}", written());
    assert_eq!(json(&["verify", &file, "--json"])["ok"], true);
}

#[test]
fn players_may_agree_on_a_change_and_the_record_says_so() {
    let file = saved("agree");
    let orders = "agree place heth 18.04\nagree set heth fatigue tired\nagree set heth nerve 3\nagree place heth nothing\nmove heth\nagree place heth 1.01\n17.06\n";
    let seats = ["--seat", "union=human", "--save", &file];
    let told = text(&run(&[&["play", "gettysburg-corps"], &seats[..]].concat(), orders));
    assert!(told.contains("Heth goes from 19.03 (Seven Stars) to 18.04") && told.contains("Heth is tired"), "{told}");
    assert!(told.contains("has no property `nerve`"), "{told}");
    assert!(told.contains("before you agree on a change"), "{told}");
    assert!(told.contains("there is no space or box `nothing`"), "{told}");
    assert!(told.contains("Heth goes from 18.04 to 17.06"), "{told}");
    let proof = run(&["verify", &file], "");
    assert!(text(&proof).contains("2 of them are changes by agreement"), "{}", text(&proof));
}

#[test]
fn show_has_every_topic_as_text_and_json() {
    for topic in ["map", "units", "tables", "rules", "questions", "rulebook", "readings", "amendments", "arrivals"] {
        let shown = run(&["show", "gettysburg-corps", topic], "");
        assert_eq!(shown.status.code(), Some(0), "{topic}");
        assert!(text(&shown).lines().count() > 3, "{topic}");
        json(&["show", "gettysburg-corps", topic, "--json"]);
    }
}

#[test]
fn pictures_are_as_they_are_committed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join("maps/pictures");
    let picture = folder.join("seminary.svg");
    let cut = ["show", "gettysburg-corps", "map", "--svg", "--around", "Lutheran Seminary", "--radius", "2"];
    let drawn = text(&run(&cut, ""));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&picture, &drawn).expect("writes");
    }
    let committed = std::fs::read_to_string(&picture).expect("the picture");
    assert!(drawn == committed, "{} differs: run the test with UPDATE_EXPECT=1 and look at it", picture.display());
    for map in ["77", "88", "corps", "gallop", "tmag"] {
        let small = std::env::temp_dir().join(format!("countermarch-{map}-{}.png", std::process::id()));
        let file = folder.with_file_name(format!("gettysburg-{map}.yaml")).display().to_string();
        let out = small.display().to_string();
        let drawn = text(&run(&["map", "draw", &file], ""));
        assert!(drawn.lines().count() > 10 && drawn.lines().all(|line| line.chars().count() <= 80), "{drawn}");
        let drawn = run(&["map", "draw", &file, "--png", &out, "--across", "16"], "");
        assert_eq!(drawn.status.code(), Some(0), "{map}: {}", String::from_utf8_lossy(&drawn.stderr));
        let bytes = std::fs::read(&small).expect("the picture");
        let _ = std::fs::remove_file(&small);
        // Width and height of the first chunk of a PNG: a picture of the board, and not of nothing.
        let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        assert!(bytes.starts_with(b"\x89PNG") && number(16) >= 400 && number(20) >= 200, "{map}");
        assert!(bytes.len() > 30_000, "{map}: a board has more to show than {} bytes", bytes.len());
        assert!(folder.join(format!("gettysburg-{map}.png")).is_file(), "{map} has its picture");
    }
}

#[test]
fn a_map_is_measured() {
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join("maps/gettysburg-77.yaml");
    let measured = |from: &str, to: &str| run(&["map", "measure", &map.display().to_string(), from, to], "");
    // The rules give a hex 756 feet.
    assert_eq!(
        text(&measured("T20", "T27")),
        "T20 to T27: 7 hexes, 5292 feet\n544 feet to 542 feet: -2\nbetween: T21 T22 T23 T24 T25 T26\n"
    );
    assert!(text(&measured("Cemetery Hill", "KK26")).starts_with("V35 to KK26: 15 hexes, 11340 feet\n"));
    let checked = json(&["map", "check", &map.display().to_string(), "--json"]);
    assert_eq!(checked["errors"], 0);
    let wrong = measured("T20", "Atlantis");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("no space and no place `Atlantis`"));
}

#[test]
fn layers_lie_over_a_picture() {
    let shown = ["show", "gettysburg-corps", "map", "--svg", "--around", "19.03", "--radius", "3"];
    let with = |more: &[&str]| run(&[&shown[..], more].concat(), "");
    let plain = text(&with(&[]));
    for (layer, says) in [
        (["--reach", "heth"], "Heth can march"),
        (["--reach", "heth:march=2"], "Heth can march"),
        (["--zone", "contact=union"], "contact against Union"),
        (["--mark", "terrain(space, town)"], "terrain(space, town)"),
        (["--link", "unit.side = other.side"], "unit.side = other.side"),
    ] {
        let drawn = text(&with(&layer));
        assert!(drawn.contains(says) && !plain.contains(says), "{layer:?}");
        assert!(drawn.len() > plain.len() + 100, "{layer:?}");
    }
    for (layer, says) in [
        (["--reach", "nobody"], "there is no unit `nobody`"),
        (["--reach", "heth:fly"], "there is no mover `fly`"),
        (["--zone", "contact"], "`contact` is not ZONE=SIDE"),
        (["--mark", "terrain(space, wood)"], "did you mean `woods`?"),
        (["--sight", "fire=19.03,18.03"], "there is no line of sight `fire`: this game declares none"),
    ] {
        let wrong = with(&layer);
        assert_eq!(wrong.status.code(), Some(2), "{layer:?}");
        let told = String::from_utf8_lossy(&wrong.stderr).into_owned();
        assert!(told.contains(says), "{layer:?}: {told}");
    }
}

fn ends(args: &[&str], code: i32, says: &str) {
    let output = run(args, "");
    let told = text(&output) + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {told}");
    assert!(told.contains(says) && !told.contains("panicked"), "{args:?}: {told}");
}

#[test]
fn wrong_use_exits_with_two() {
    ends(&["frobnicate"], 2, "unrecognized subcommand");
    for command in ["check", "test", "coverage", "simulate", "play"] {
        ends(&[command, "no-such-game"], 2, "there is no game `no-such-game`");
        ends(&[command, ""], 2, "there is no game ``");
        ends(&[command], 2, "required");
    }
    ends(&["show", "gettysburg-crops", "map"], 2, "did you mean `gettysburg-corps`?");
    ends(&["check", "gettysburg-corps", "--set", "nonsense"], 2, "--set wants PATH=VALUE");
    for file in ["/nowhere", "/", "/dev/full/x"] {
        ends(&["verify", file], 2, "cannot read");
        ends(&["replay", file], 2, "cannot read");
        ends(&["why", file, "heth"], 2, "cannot read");
        ends(&["map", "check", file], 2, "cannot read");
        ends(&["map", "draw", file, "--svg"], 2, "cannot read");
        ends(&["map", "build", file], 2, "cannot read");
        ends(&["map", "import", file, "/tmp/never.yaml"], 2, "cannot read");
        ends(&["map", "export", file, "/tmp/never.tmj"], 2, "cannot read");
    }
    let map = saved("map-over-itself");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../maps/gettysburg-corps.yaml"), &*map).expect("a copy");
    for verb in ["export", "import"] {
        ends(&["map", verb, &map, &map], 2, "would be written over itself");
    }
    ends(&["map", "check", &map], 0, "");
    let simulate =
        |option: &str, value: &str, says: &str| ends(&["simulate", "gettysburg-corps", option, value], 2, says);
    simulate("--players", "nonsense", "`nonsense` is not SIDE=PLAYER");
    simulate("--players", "red=plain", "there is no side `red`");
    simulate("--players", "union=human", "people do not play in a simulation");
    simulate("--scenario", "ghost", "has no scenario `ghost`");
    simulate("--jobs", "100000", "--jobs");
    simulate("--jobs", "0", "--jobs");
    simulate("--games", "-1", "unexpected argument");
    simulate("--games", "99999999999999999999999", "--games");
    simulate("--seed", "1e9", "--seed");
    ends(&["show", "gettysburg-corps", "map", "--svg", "--radius", "65536", "--around", "19.03"], 2, "--radius");
    ends(&["show", "gettysburg-corps", "map", "--svg", "--around", "Atlantis"], 2, "no space and no place `Atlantis`");
}

#[test]
fn what_is_wrong_in_itself_exits_with_one() {
    let record = saved("garbage");
    std::fs::write(&*record, "garbage\n").expect("writes");
    ends(&["verify", &record], 1, "this is not a record");
    ends(&["replay", &record], 1, "this is not a record");
    ends(&["why", &record, "heth"], 1, "this is not a record");
    ends(&["play", &record], 1, "this is not a record");
    let record = saved("not-of-this-game");
    let begun = "march 3\ngame gettysburg-corps@base\nscenario campaign\nseed 1\n---\nunion: die 77\n";
    std::fs::write(&*record, begun).expect("writes");
    for args in [&["verify"][..], &["replay"], &["odds"], &["advise"]] {
        ends(&[args, &[&*record]].concat(), 1, "line 6");
    }
}

#[test]
fn the_last_seed_is_followed_by_the_first_and_more_jobs_than_games_do_no_harm() {
    let args =
        ["simulate", "gettysburg-corps", "--games", "2", "--seed", "18446744073709551615", "--jobs", "60000", "--csv"];
    let told = text(&run(&args, ""));
    let seeds: Vec<&str> = told.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(seeds, ["0", "18446744073709551615"], "{told}");
}

#[test]
fn nobody_need_read_what_is_said() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .args(["check", "gettysburg-corps@ghost"])
        .env("COUNTERMARCH_HOME", Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().expect("ends").code(), Some(2));
}

#[test]
fn a_column_marches_along_a_road_and_none_of_it_by_force() {
    let save = saved("column");
    let orders = "heth along chamb to 20.12\nheth along chamb\nheth along chambersburg pike to 15.08\nlog\n";
    let told = text(&run(&["play", "gettysburg-corps", "--seed", "7", "--save", &save], orders));
    assert!(told.contains("20.12 does not lie on the Chambersburg Pike"), "{told}");
    assert!(told.contains("`along chambersburg-pike to` what?"), "{told}");
    assert!(told.contains("Heth goes from 19.03 (Seven Stars) to 16.08"), "{told}");
    assert!(told.contains("Heth stops short: 15.08 is beyond its allowance"), "{told}");
    assert!(!told.contains("Heth is tired"), "{told}");
    let agreed = "agree place pender 19.03\npender and heth along chambersburg to 14.11\n";
    let told = text(&run(&["play", "gettysburg-corps", "--seed", "7", "--save", &saved("two")], agreed));
    assert!(told.contains("Pender goes from 19.03 (Seven Stars) to"), "{told}");
}

#[test]
fn roads_of_one_name_are_one_road() {
    // Two strings of hexes go by that name: from the town to the edge, and from there to the entrance.
    let save = saved("pike");
    let told = text(&run(
        &["play", "gettysburg-77", "--seed", "7", "--save", &save],
        "gamble along chambersburg pike to D24\n",
    ));
    assert!(!told.contains("may be"), "{told}");
    assert!(told.contains("Gamble goes from M34 to"), "{told}");
}

#[test]
fn arrivals_tell_in_what_condition_units_come() {
    let told = text(&run(&["show", "gettysburg-corps", "arrivals"], ""));
    assert!(told.contains("BP: Sedgwick [Tired]") && told.contains("HT: 2 Cav [Weary], 3 Cav [Weary]"), "{told}");
    let all = json(&["show", "gettysburg-corps", "arrivals", "--json"]);
    let of = |unit: &str| all.as_array().expect("a list").iter().find(|a| a["unit"] == unit).expect("it comes").clone();
    assert_eq!(
        (&of("sedgwick")["state"][0], &of("gregg")["state"]),
        (&Value::from("tired"), &Value::Array(Vec::new()))
    );
    // A position that no source prints has its dagger.
    let told = text(&run(&["show", "gettysburg-77", "arrivals", "--scenario", "july-2"], ""));
    assert!(told.contains("Meredith\u{2020}"), "{told}");
}

#[test]
fn what_no_source_prints_has_its_dagger_in_rows_too() {
    let told = text(&run(&["show", "gettysburg-77", "tables"], ""));
    assert!(told.lines().any(|l| l.contains("eliminated") && l.contains("\u{2020}")), "{told}");
    let games = json(&["list", "--json"]);
    let game = games.as_array().expect("games").iter().find(|g| g["game"] == "gettysburg-77").expect("it is there");
    let from = |id: &str| {
        game["scenarios"].as_array().expect("scenarios").iter().find(|s| s["id"] == id).map(|s| s["from"].clone())
    };
    assert_eq!((from("first-hours"), from("first-day")), (Some("invented".into()), Some("invented".into())));
    assert_eq!(from("campaign"), Some("printed".into()));
}

#[test]
fn counters_have_the_colour_of_their_side_and_the_sign_of_their_arm() {
    let drawn = |around: &str| {
        text(&run(
            &["show", "gettysburg-77", "map", "--svg", "--around", around, "--radius", "1", "--scenario", "july-2"],
            "",
        ))
    };
    // Lee's headquarters: gray, with a staff under an empty frame.
    let lee = drawn("K34");
    assert!(lee.contains("fill=\"#b4b3ad\"") && lee.contains("<path d=\"M-11 5V18\""), "{lee}");
    assert!(!lee.contains("<circle cy=\"-2\" r=\"3\""), "no gun's dot");
    // Union infantry and guns on Cemetery Hill: blue.
    let hill = drawn("T37");
    assert!(hill.contains("fill=\"#7f9cc4\"") && !hill.contains("fill=\"#b4b3ad\""), "{hill}");
    assert!(hill.contains("<circle cy=\"-2\" r=\"3\"") && hill.contains("M-11 -9L11 5M-11 5L11 -9"), "{hill}");
}

#[test]
fn replay_writes_the_position_as_a_side_sees_it() {
    let save = saved("view");
    run(&["play", "gettysburg-corps", "--seed", "7", "--save", &save], "heth 16.07\n");
    let seen = json(&["replay", &save, "--json", "--seen-by", "union", "--at", "2"]);
    let view = "format game map seen_by turn turn_name last_turn phasing place place_title state sides boxes spaces tracks units \
                stacks cards records measures victory question roll outcome";
    assert_eq!(keys(&seen), view.split(' ').collect::<Vec<_>>());
    assert_eq!((&seen["seen_by"], &seen["format"]), (&Value::from("union"), &Value::from(2)));
    assert!(
        text(&run(&["replay", &save, "--seen-by", "union"], ""))
            .contains("Heth goes from 19.03 (Seven Stars) to 16.07")
    );
    assert_eq!(run(&["replay", &save, "--seen-by", "french"], "").status.code(), Some(2));
    for of in [&["replay", &save, "--at", "3000"][..], &["why", &save, "--at", "3000"]] {
        let beyond = run(of, "");
        assert_eq!(beyond.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&beyond.stderr).contains("there is nothing after 3000"), "{beyond:?}");
    }
}

#[test]
fn definitions_hold_the_names_of_the_game() {
    let toy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/toy/rulesets/toy").display().to_string();
    let shown = text(&run(&["definitions", &toy], ""));
    for line in
        ["  shoot: () -> ...any,", "  ann: Unit,", "  hedges: \"slow\" | \"open\",", "export type Mood = Symbol"]
    {
        assert!(shown.lines().any(|shown| shown == line), "{line}");
    }
    let file = saved("definitions");
    let output = run(&["definitions", &toy, "--out", &file], "");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert_eq!(std::fs::read_to_string(&*file).expect("it is written"), shown);
    assert_eq!(run(&["definitions", "toyy"], "").status.code(), Some(2));
}

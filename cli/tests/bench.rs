//! A scenario's bench: `countermarch sweep` and `bid`, what they print, what they refuse, the files they write.

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
        let folder = std::env::temp_dir().join(format!("countermarch-bench-{}-{name}", std::process::id()));
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

fn run(words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .args(words.split(' '))
        .env("COUNTERMARCH_HOME", Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository"))
        .output()
        .expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn printed(words: &str) -> String {
    let output = run(words);
    assert!(output.status.success(), "{words}: {}", said(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(words: &str, why: &str) {
    let output = run(words);
    assert_eq!(output.status.code(), Some(2), "{words}: {}", said(&output));
    assert!(said(&output).contains(why), "{words}: {}", said(&output));
}

/// The line that says how to do it again, as words.
fn again(text: &str) -> String {
    let line = text.lines().find_map(|line| line.strip_prefix("AGAIN")).expect("one says again");
    line.trim().strip_prefix("countermarch ").expect("it is a command").to_owned()
}

const SWEEP: &str =
    "sweep gettysburg-77 --scenario first-hours --sweep scenarios/first-hours/state/union/score=0..12:6 --games 12";

#[test]
fn a_sweep_tells_what_hangs_on_it_and_how_to_do_it_again() {
    let text = printed(SWEEP);
    for words in [
        "SWEPT",
        "union/score=6, as it stands",
        "+1.00",
        "PLAYED BY",
        "union: victory points",
        "(the same in each of 12) *",
    ] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
    assert_eq!(printed(&again(&text)), text);
    let whole: Value = serde_json::from_str(&printed(&format!("{SWEEP} --json"))).expect("it is JSON");
    assert_eq!((&whole["format"], &whole["games"], &whole["base"]["point"]), (&1.into(), &12.into(), &1.into()));
    assert_eq!(whole["base"]["as_it_stands"], true);
    let points = whole["measures"].as_array().expect("a list").iter().find(|one| one["measure"] == "points.union");
    let points = points.expect("it is measured");
    assert_eq!((&points["rises"][0]["by"], &points["points"][2]["difference"]), (&1.0.into(), &6.0.into()));
    // All twelve differ by six: nothing says how they vary, and the sign test gives it 2 / 2^12.
    assert_eq!((&points["points"][2]["between"], &points["rises"][0]["interval"]), (&Value::Null, &Value::Null));
    assert_eq!(points["points"][2]["p"], 2.0 / 4096.0);
    // What is the same for every seed has no interval, whatever it is: no width at all would say that it is known.
    let within = |one: &Value, key: &str| {
        let ends: Option<[f64; 2]> = serde_json::from_value(one[key].clone()).expect("two ends or none");
        assert!(ends.is_none_or(|[low, high]| low < high), "{one}");
    };
    for one in whole["measures"].as_array().expect("a list") {
        one["rises"].as_array().expect("a list").iter().for_each(|rise| within(rise, "interval"));
        for point in one["points"].as_array().expect("a list") {
            within(point, "interval");
            within(point, "between");
        }
    }
    let few = printed(&SWEEP.replace("--games 12", "--games 3"));
    assert!(few.contains("the same in each of 3") && !few.contains(" *\n"), "{few}");
    assert_eq!((&points["stands"], &points["printed"]), (&true.into(), &false.into()));
}

#[test]
fn games_of_a_sweep_are_the_same_bytes_for_any_jobs_and_after_a_kill() {
    let folder = Folder::new("sweep");
    let (one, two) = (folder.file("one.csv"), folder.file("two.csv"));
    let text = printed(&format!("{SWEEP} --trials {one}"));
    assert_eq!(printed(&format!("{SWEEP} --jobs 2 --trials {two}")), text);
    let whole = fs::read(&one).expect("it was written");
    assert!(fs::read(&two).expect("it was written") == whole);
    assert_eq!(whole.iter().filter(|byte| **byte == b'\n').count(), 1 + 3 * 12);
    let header = whole.iter().position(|byte| *byte == b'\n').expect("there is a header");
    // Killed in the header, in the first seed, between rows of a seed, within a row, and not at all.
    let third = whole.len() / 3;
    let row = third + whole[third..].iter().position(|byte| *byte == b'\n').expect("rows follow") + 1;
    for cut in [0, header / 2, header + 1, header + 30, third, row, whole.len() - 1, whole.len()] {
        fs::write(&two, &whole[..cut]).expect("it can be cut");
        assert_eq!(printed(&format!("{SWEEP} --trials {two}")), text, "cut at {cut}");
        assert!(fs::read(&two).expect("it was written") == whole, "cut at {cut}");
    }
    // Nothing of anybody else is touched.
    refused(&format!("{SWEEP} --seed 2 --trials {one}"), "it holds games of seed 1");
    refused(&format!("{SWEEP} --players union=plain --trials {one}"), "games of another sweep");
    fs::write(&two, "my notes").expect("it can be written");
    refused(&format!("{SWEEP} --trials {two}"), "something else than games of a sweep");
    assert!(fs::read(&one).expect("it is there") == whole);
    assert_eq!(fs::read_to_string(&two).expect("it is there"), "my notes");
    refused(&format!("{SWEEP} --html {one}"), "exists already");
    let page = folder.file("page.html");
    printed(&format!("{SWEEP} --html {page}"));
    let page = fs::read_to_string(page).expect("it was written");
    assert!(page.contains("vegaLite") && page.contains("union: victory points") && !page.contains("src=\"http"));
}

#[test]
fn what_cannot_be_swept_is_refused_with_what_can() {
    let of = |more: &str| format!("sweep gettysburg-77 --games 2 {more}");
    refused(&of("--sweep units/stuard/due=1..3"), "did you mean `stuart`");
    refused(&of("--sweep units/stuart/dew=1..3"), "known here: corps, due");
    refused(&of("--sweep units/stuart/due=low,high"), "expected a whole number, found `low`");
    refused(&of("--sweep units/stuart/due=40..60"), "there is no playing with units/stuart/due=");
    refused(&of("--sweep units/stuart/due=3"), "is one value");
    refused(&of("--sweep units/stuart/due=1..2 --sweep units/stuart/due=3..4"), "is swept twice");
    refused(&of("--sweep units/stuart/due=1..9 --sweep units/hampton/due=1..9"), "81 values are too many");
    refused(&of("--sweep units/stuart/due=1..2 --measure pints"), "no measure is called `pints`");
    refused(&of("--sweep units/stuart/due=1..2 --players union=human"), "people do not play");
}

/// `plain` wins the first hours as the Union every time.
#[test]
fn a_bid_moves_a_lopsided_scenario_to_even() {
    let players = "--players union=plain --players confederate=plain";
    let words = format!("bid gettysburg-77 --scenario first-hours {players} --games 120 --within 10");
    let text = printed(&words);
    for told in
        ["AS IT STANDS  union takes 100.0 %", "points to confederate", "within 10 of even", "of the games held out"]
    {
        assert!(text.contains(told), "{told} is missing in\n{text}");
    }
    assert!(text.contains("if who has more victory points wins"), "{text}");
    assert_eq!(printed(&again(&text)), text);
    assert_eq!(printed(&format!("{words} --jobs 2")), text);
    let whole: Value = serde_json::from_str(&printed(&format!("{words} --json"))).expect("it is JSON");
    let bid = whole["bid"]["is"].as_f64().expect("a number");
    assert!((20.0..35.0).contains(&bid), "{bid}");
    assert_eq!((&whole["bid"]["to"], &whole["even"]), (&"confederate".into(), &true.into()));
    // The same looked for in what the scenario gives the Union, which is 6 as it stands: the game itself decides then.
    let path = "--set state/side/score/is=-99..900 --sweep scenarios/first-hours/state/union/score=-50..6";
    let swept = format!("bid gettysburg-77 --scenario first-hours {players} --games 120 --within 12 {path} --json");
    let whole: Value = serde_json::from_str(&printed(&swept)).expect("it is JSON");
    let value: f64 = whole["value"]["is"].as_str().expect("a value").parse().expect("a number");
    assert!((6.0 - value - bid).abs() <= 1.0, "{value} and {bid}");
    assert!(whole["value"]["tried"].as_array().is_some_and(|tried| tried.len() < 20));
}

/// Who has lost less is better off: what is bid in losses is taken off those of the side it goes to.
#[test]
fn a_bid_in_what_one_wants_less_of_is_taken_off() {
    let players = "--players union=plain --players confederate=plain";
    let words = format!("bid gettysburg-77 --scenario first-hours {players} --games 12 --within 50 --measure losses");
    let text = printed(&words);
    let whole: Value = serde_json::from_str(&printed(&format!("{words} --json"))).expect("it is JSON");
    let to = whole["bid"]["to"].as_str().expect("a side");
    for told in [&format!(" off {to}, "), "if who has fewer ", "the winner is who has fewer ", "the bid taken off"] {
        assert!(text.contains(told), "{told} is missing in\n{text}");
    }
    assert_eq!(whole["bid"]["less_is_better"], true);
    // Without a bid the side that it goes to has the smaller share.
    let without = whole["bid"]["without"]["is"].as_f64().expect("a share");
    assert_eq!(whole["side"] == whole["bid"]["to"], without < 0.5, "{whole}");
}

/// What is found on two games holds of those two; whether it is even others say, and two of them say little.
#[test]
fn a_bid_rests_on_the_games_held_out_and_few_games_say_so() {
    let words = "bid gettysburg-77 --scenario first-hours --players union=plain --players confederate=plain --games 2";
    let output = run(words);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("where it lies at 95 % fewer than six games cannot say"), "{text}");
    assert!(text.contains("2 games cannot tell 2 points of a hundred"), "{text}");
    for seed in 1..=6 {
        let output = run(&format!("{words} --seed {seed} --json"));
        let whole: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let held = whole["held_out"]["with_it"]["is"].as_f64().expect("a number");
        let is_even = (100.0 * held - 50.0).abs() <= 2.0;
        assert_eq!((&whole["even"], output.status.code()), (&is_even.into(), Some(i32::from(!is_even))), "{whole}");
        assert!(whole["bid"]["interval"].is_null(), "{whole}");
    }
}

#[test]
fn there_is_no_bid_where_nothing_comes_near_or_nothing_is_added_up() {
    let players = "--players union=plain --players confederate=plain";
    let path = "scenarios/first-hours/state/union/score=0..4";
    let far = run(&format!("bid gettysburg-77 --scenario first-hours {players} --games 20 --sweep {path}"));
    assert_eq!(far.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&far.stdout).contains("none of the values is even at 95 %"));
    refused("bid gettysburg-77 --measure pints", "nothing up that is called `pints`: points, losses");
    refused("bid gettysburg-77 --within 60", "it is not in 0..50");
    refused("bid gettysburg-77 --players union=human", "people do not play");
}

const HOURS: &str = "simulate gettysburg-77 --scenario first-hours --games 20";

#[test]
fn what_is_asserted_is_kept_or_fails_with_seed_rule_and_paragraph() {
    let folder = Folder::new("assert");
    let (kept, failed) = (folder.file("kept.yaml"), folder.file("failed.yaml"));
    let file = |name: &str, body: &str| fs::write(name, format!("assert:\n  it: {body}\n")).expect("it can be written");
    file(&kept, "{ says: \"Gamble is somewhere.\", when: \"on-map(gamble) or in-box(gamble, eliminated)\", in: all }");
    file(&failed, "{ says: \"Stuart is there.\", when: \"on-map(stuart)\", in: 9 of 10 }");
    let text = printed(&format!("{HOURS} --assert {kept}"));
    assert!(
        text.contains("kept, though more games could say otherwise: it holds in 20 of 20 games, 100.0 %"),
        "{text}"
    );
    let output = run(&format!("{HOURS} --assert {failed}"));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for words in ["FAILED: it holds in 0 of 20 games", "and 9 of 10 are asserted", "seed 1: failed in", "[g77/"] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
    let look = "countermarch play gettysburg-77@base --scenario first-hours --seed 1 --seat union=random --seat confederate=random";
    assert!(text.contains(look), "{text}");
    let output = run(&format!("{HOURS} --json --assert {failed}"));
    let whole: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let one = &whole["asserted"][0];
    assert_eq!((&one["held"], &one["kept"], &one["certain"]), (&0.into(), &false.into(), &true.into()));
    assert_eq!(one["failing"].as_array().map(Vec::len), Some(3));
    // What cannot be read is told with its line.
    file(&kept, "{ says: \"x\", when: \"on-map(gambol)\", in: all }");
    let output = run(&format!("{HOURS} --assert {kept}"));
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("kept.yaml:2") && said(&output).contains("gambol"), "{}", said(&output));
    refused(&format!("{HOURS} --assert {}", folder.file("nowhere.yaml")), "cannot read");
    file(&kept, "{ says: \"x\", when: \"on-map(gamble)\", at: { place: check, turns: [14] }, in: all }");
    refused(&format!("{HOURS} --assert {kept}"), "to which no game of this scenario comes");
}

#[test]
fn nothing_is_said_twice_and_no_games_tell_nothing() {
    refused(&format!("{HOURS} --players union=plain,union=random"), "who plays for `union` is said twice");
    refused(&format!("{HOURS} --set units/gamble/strength=2 --set units/gamble/strength=3"), "is given twice");
    refused(&format!("{HOURS} --json --csv"), "cannot be used with");
    refused("simulate gettysburg-77 --games 0", "0 is not in 1..");
}

#[test]
fn where_counters_stood_is_counted_and_drawn() {
    let folder = Folder::new("stood");
    let sheet = folder.file("sheet.svg");
    let text = printed(&format!("{HOURS} --stood end --sheet {sheet} --grid 2x2"));
    assert!(text.contains("as the game ends, in percent of 20 games") && text.contains("  Gamble "), "{text}");
    let drawn = fs::read_to_string(&sheet).expect("it was written");
    assert_eq!(drawn.matches("<svg ").count(), 5, "a sheet and four boards");
    assert!(drawn.contains(">seed 4: ") && !drawn.contains(">seed 5: "));
    let whole: Value = serde_json::from_str(&printed(&format!("{HOURS} --stood end --json"))).expect("it is JSON");
    let units = whole["stood"].as_array().expect("a list");
    let games = |unit: &Value| {
        unit["places"].as_array().expect("a list").iter().map(|p| p[1].as_u64().unwrap_or(0)).sum::<u64>()
    };
    assert!(units.len() > 100 && units.iter().all(|unit| games(unit) == 20));
    let at_jobs = |jobs: &str| printed(&format!("{HOURS} --stood end --json --jobs {jobs}"));
    let stood = |text: &str| serde_json::from_str::<Value>(text).expect("it is JSON")["stood"].clone();
    assert_eq!(stood(&at_jobs("1")), stood(&at_jobs("2")));
    refused(&format!("{HOURS} --stood noon"), "says not when");
    refused(&format!("{HOURS} --stood chek:4"), "did you mean `check`");
    refused(&format!("{HOURS} --stood check:14"), "`14` is no turn of this scenario");
    refused(&format!("{HOURS} --stood end --sheet {sheet}"), "exists already");
    refused(&format!("{HOURS} --stood end --sheet x.svg --grid 3by4"), "COLUMNSxROWS");
}

/// Of the record that Gamble held: its version, which has two of the optional rules, is held against the base.
#[test]
fn a_game_is_blamed_on_the_amendments_that_decided_it() {
    let record = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the repository")
        .join("tests/games/88-first-morning.march");
    let file = record.display();
    let head = fs::read_to_string(&record).expect("it is there");
    let game = head.lines().find_map(|line| line.strip_prefix("game ")).expect("a record names its game").to_owned();
    let against = if game.ends_with("@base") { "@clarified" } else { "@base" };
    let words = format!("blame {file} --against {against} --tries 60");
    let text = printed(&words);
    for told in ["RECORD", "ENDS", "HELD AGAINST", "each by itself", "It ends", "It goes", "FOLLOWED"] {
        assert!(text.contains(told), "{told} is missing in\n{text}");
    }
    assert_eq!(printed(&words), text);
    let whole: Value = serde_json::from_str(&printed(&format!("{words} --json"))).expect("it is JSON");
    assert_eq!((&whole["format"], &whole["up_to"], &whole["exact"]), (&1.into(), &1.into(), &false.into()));
    let story = whole["story"].as_array().expect("a list");
    assert!(story.iter().all(|cause| cause["set"].as_array().is_some_and(|set| set.len() == 1)));
    refused(&format!("blame {file} --against {game}"), "differ in nothing");
    refused(&format!("blame {file} --against gallop"), "is another game");
}

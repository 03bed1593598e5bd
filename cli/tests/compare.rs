//! `countermarch compare`: what it prints, the files it writes, and those it leaves alone.

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
        let folder = std::env::temp_dir().join(format!("countermarch-compare-{}-{name}", std::process::id()));
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

fn compare(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .arg("compare")
        .args(args)
        .env("COUNTERMARCH_HOME", Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository"))
        .output()
        .expect("the program starts")
}

/// Two versions of a short scenario.
const GAME: [&str; 4] = ["gettysburg-88", "@clarified", "--scenario", "first-morning"];

fn of(more: &[&str]) -> Output {
    compare(&[&GAME, more].concat())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn it_says_what_was_compared_what_came_of_it_and_how_to_do_it_again() {
    let text = printed(&of(&["--games", "8", "--set", "settings/attacks/default=free"]));
    for word in ["DIFFERS ON", "OFF READING", "RESTS ON", "PLAYED BY", "CHANCE", "EXERCISED", "95 % interval", "g88/"] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
    let again =
        text.lines().last().expect("it prints lines").strip_prefix("AGAIN").expect("the last says again").trim();
    let words: Vec<&str> = again.split(' ').skip(2).collect();
    assert_eq!(printed(&compare(&words)), text);
}

#[test]
fn a_version_is_the_same_as_itself() {
    let output = compare(&["gettysburg-88", "@base", "--scenario", "first-morning", "--games", "6", "--json"]);
    let whole: Value = serde_json::from_str(&printed(&output)).expect("it is JSON");
    assert_eq!(whole["exercised"]["never_arose"], 6);
    let measures = whole["measures"].as_array().expect("a list");
    assert!(measures.iter().all(|measure| measure["differing"] == 0 && measure["stands"] == false));
    let points = measures.iter().find(|measure| measure["measure"] == "points.union").expect("it is measured");
    assert_eq!(
        (&points["unit"], &points["sense"], &points["printed"]),
        (&"points".into(), &"more".into(), &false.into())
    );
    assert!(whole["parting"].is_null());
}

/// Of seeds 28 to 30 the Union wins every game with item 2 and none without.
#[test]
fn what_differs_by_the_same_in_three_pairs_is_not_found_and_has_no_interval() {
    let three = ["gettysburg-88@base", "@base+2", "--scenario", "first-morning", "--games", "3", "--seed", "28"];
    let three = [&three[..], &["--players", "union=plain,confederate=plain"]].concat();
    let text = printed(&compare(&[&three[..], &["--effects", "one-out"]].concat()));
    let wins = text.lines().find(|line| line.starts_with("union: wins")).expect("it is told");
    assert!(wins.contains("+100.0  the same in each of 3") && !wins.contains('*'), "{wins}");
    assert!(!text.contains("    * ") && text.contains("of 3 pairs: had an effect in 3"), "{text}");
    let of = |more: &[&str]| -> Value {
        let whole: Value =
            serde_json::from_str(&printed(&compare(&[&three[..], more, &["--json"]].concat()))).expect("it is JSON");
        let all = whole["measures"].as_array().expect("a list");
        all.iter().find(|one| one["measure"] == "wins.union").expect("it is measured").clone()
    };
    let wins = of(&[]);
    assert_eq!((&wins["differing"], &wins["p"], &wins["stands"]), (&3.into(), &0.25.into(), &false.into()));
    assert_eq!((&wins["interval"], &wins["pairing_won"]), (&Value::Null, &Value::Null));
}

/// What is worth nothing in a comparison without pairs is not told of it.
#[test]
fn without_pairs_nothing_is_said_of_pairing() {
    let text = printed(&of(&["--games", "8", "--unpaired"]));
    assert!(text.contains("NOT PAIRED") && !text.contains("pairing") && !text.contains(" x\n"), "{text}");
    let json: Value =
        serde_json::from_str(&printed(&of(&["--games", "8", "--unpaired", "--json"]))).expect("it is JSON");
    let measures = json["measures"].as_array().expect("a list");
    assert!(measures.iter().all(|measure| measure["pairing_won"].is_null()));
    let text = printed(&of(&["--games", "8"]));
    assert!(text.contains("pairing: how many times the games it saved") && text.contains(" x\n"), "{text}");
}

#[test]
fn trials_are_the_same_bytes_for_any_jobs_and_after_a_kill() {
    let folder = Folder::new("trials");
    let (one, two) = (folder.file("one.csv"), folder.file("two.csv"));
    let text = printed(&of(&["--games", "12", "--trials", &one]));
    assert_eq!(printed(&of(&["--games", "12", "--jobs", "2", "--trials", &two])), text);
    let whole = fs::read(&one).expect("it was written");
    assert_eq!(fs::read(&two).expect("it was written"), whole);
    let lines = whole.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(lines, 1 + 2 * 12);
    // Killed in the header, in the first pair, in a later one, at the end of a row, and not at all.
    let header = whole.iter().position(|byte| *byte == b'\n').expect("there is a header");
    let third = whole.len() / 3;
    let row = third + whole[third..].iter().position(|byte| *byte == b'\n').expect("rows follow") + 1;
    for cut in [0, header / 2, header + 1, header + 40, third, row, whole.len() - 1, whole.len()] {
        fs::write(&two, &whole[..cut]).expect("it can be cut");
        assert_eq!(printed(&of(&["--games", "12", "--trials", &two])), text, "cut at {cut}");
        assert!(fs::read(&two).expect("it was written") == whole, "cut at {cut}");
    }
    // One with fewer games is gone on with.
    let short = folder.file("short.csv");
    printed(&of(&["--games", "5", "--trials", &short]));
    printed(&of(&["--games", "12", "--trials", &short]));
    assert!(fs::read(&short).expect("it was written") == whole);
}

/// Two versions that differ in few amendments.
fn few(more: &[&str]) -> Output {
    let versions = ["gettysburg-88@base+28", "@base+7+20", "--scenario", "first-morning"];
    compare(&[&versions, more].concat())
}

#[test]
fn four_parts_one_run_and_one_that_was_killed_give_the_same_bytes() {
    let folder = Folder::new("parts");
    let written = |name: &str| ["csv", "parquet", "html"].map(|ending| folder.file(&format!("{name}.{ending}")));
    let run = |name: &str, more: &[&str]| {
        let [csv, parquet, html] = written(name);
        let files = ["--trials", &csv, "--parquet", &parquet, "--html", &html];
        let text = printed(&few(&[&["--games", "13", "--each", "5"], &files[..], more].concat()));
        let files = written(name).map(|file| fs::read(file).expect("it was written"));
        (text, files)
    };
    let whole = run("whole", &[]);
    // Killed on the way: in the file of the pairs, and in that of an amendment.
    let killed = |name: &str, file: &str, share: usize| {
        let bytes = fs::read(folder.file(file)).expect("it was written");
        fs::write(folder.file(name), &bytes[..bytes.len() * share / 3]).expect("it can be written");
    };
    killed("again.csv", "whole.csv", 2);
    let amendment = fs::read_dir(&folder.0)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name())
        .find_map(|name| name.to_str().and_then(|name| name.strip_prefix("whole.one-out.")).map(str::to_owned));
    let amendment = amendment.expect("amendments stand in files of their own");
    killed(&format!("again.one-out.{amendment}"), &format!("whole.one-out.{amendment}"), 1);
    assert!(run("again", &[]) == whole);
    let parts = folder.0.join("parts");
    fs::create_dir(&parts).expect("a new folder");
    let part = |number: u32| {
        let file = parts.join(format!("{}.csv", 9 - number)).display().to_string();
        let shard = format!("{number}/4");
        let part = ["--games", "13", "--each", "5", "--shard", &shard, "--trials", &file];
        printed(&few(&part))
    };
    let from = ["--from".to_owned(), parts.display().to_string()];
    let from = from.each_ref().map(String::as_str);
    for number in [4, 1, 3] {
        assert!(part(number).contains(&format!("--shard {number}/4")));
    }
    let lacks = few(&[&["--games", "13", "--each", "5"], &from[..]].concat());
    assert_eq!(lacks.status.code(), Some(1), "{}", said(&lacks));
    assert!(said(&lacks).contains("lacks pairs of seeds 4 to 6"), "{}", said(&lacks));
    part(2);
    assert!(run("joined", &from) == whole);
    // Twice the same pairs, and trials of nothing that is asked for.
    fs::copy(parts.join("8.csv"), parts.join("twice.csv")).expect("it can be copied");
    let twice = few(&[&["--games", "13"], &from[..]].concat());
    assert!(said(&twice).contains("another file"), "{}", said(&twice));
    let other =
        compare(&[&["gettysburg-88", "@base", "--scenario", "first-morning", "--games", "13"], &from[..]].concat());
    assert_eq!(other.status.code(), Some(1), "{}", said(&other));
    fs::write(parts.join("notes.csv"), "my,notes\n").expect("it can be written");
    assert!(said(&few(&[&["--games", "13"], &from[..]].concat())).contains("notes.csv"));
}

#[test]
fn it_stops_when_what_is_asked_is_known_and_after_a_kill_at_the_same_pair() {
    let folder = Folder::new("until");
    let (one, two) = (folder.file("one.csv"), folder.file("two.csv"));
    let until = ["--games", "400", "--until", "width=400:decisions", "--correct", "bh"];
    let text = printed(&of(&[&until[..], &["--trials", &one, "--jobs", "2"]].concat()));
    assert!(
        text.contains("STOPPED") && text.contains("of at most 400 pairs: all that was waited for is known"),
        "{text}"
    );
    assert!(text.contains("Benjamini-Hochberg"), "{text}");
    let whole = fs::read(&one).expect("it was written");
    let pairs = (whole.iter().filter(|byte| **byte == b'\n').count() - 1) / 2;
    assert!((30..400).contains(&pairs), "{pairs}");
    fs::write(&two, &whole[..whole.len() / 2]).expect("it can be cut");
    assert_eq!(printed(&of(&[&until[..], &["--trials", &two]].concat())), text);
    assert!(fs::read(&two).expect("it was written") == whole);
    // All is there: nothing more is played.
    assert_eq!(printed(&of(&[&until[..], &["--trials", &two]].concat())), text);
    let json = printed(&of(&["--games", "31", "--until", "sign:points,width=0.1:wins.union", "--json"]));
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    let goals = json["until"]["goals"].as_array().expect("a list");
    let measures: Vec<&str> = goals.iter().filter_map(|goal| goal["measure"].as_str()).collect();
    assert_eq!(measures, ["points.confederate", "points.union", "wins.union"]);
    assert_eq!((&json["until"]["enough"], &json["pairs"]), (&false.into(), &31.into()));
}

#[test]
fn amendments_are_looked_at_one_out_one_in_and_by_twos_whichever_version_comes_first() {
    let effects = ["--scenario", "first-morning", "--games", "6", "--each", "4", "--effects", "one-out,one-in,pairs"];
    let text = printed(&few(&effects[2..]));
    for word in
        ["Each taken out of the version that has it", "Each put into the version that lacks it", "Every two", "7+20"]
    {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
    let each = |versions: [&str; 2]| {
        let json = printed(&compare(&[&versions[..], &effects, &["--json"]].concat()));
        serde_json::from_str::<Value>(&json).expect("it is JSON")["each"].take()
    };
    let there = each(["gettysburg-88@base+28", "@base+7+20"]);
    let all: Vec<_> =
        there.as_array().expect("a list").iter().map(|one| (&one["effects"], &one["amendment"])).collect();
    let named = |how: &str, id: &str| all.iter().any(|one| *one.0 == how && *one.1 == id);
    assert!(all.len() == 7 && named("one-out", "28") && named("one-in", "7") && named("pairs", "7+20"), "{all:?}");
    assert_eq!(each(["gettysburg-88@base+7+20", "@base+28"]), there);
    // What another needs cannot be taken out alone.
    let needed =
        ["tmag", "@base+addition-1+addition-1.examples", "--games", "2", "--each", "2", "--effects", "one-out,one-in"];
    let text = printed(&compare(&needed));
    assert_eq!(text.matches("cannot be looked at so, addition-1 needs addition-1.examples").count(), 2, "{text}");
}

/// What is rebuilt otherwise is a case like what is read otherwise, unless the versions differ by it.
#[test]
fn reconstructions_are_readings_too() {
    let game = ["gettysburg-corps", "@base+ewell-range", "--games", "2", "--json"];
    let cases = |under: &str| -> Vec<String> {
        let text = printed(&compare(&[&game[..], &["--under", under]].concat()));
        let report: Value = serde_json::from_str(&text).expect("it is JSON");
        let under = report["under"].as_array().expect("a list");
        under.iter().filter_map(|case| case["reading"].as_str()).map(str::to_owned).collect()
    };
    let all = cases("readings");
    assert!(
        all.iter().any(|case| case == "+crt-inventory") && !all.iter().any(|case| case == "+ewell-range"),
        "{all:?}"
    );
    assert_eq!(cases("+ratings-other"), ["+ratings-other"]);
    let unknown = compare(&[&game[..], &["--under", "+nothing"]].concat());
    assert_eq!(unknown.status.code(), Some(2));
    assert!(said(&unknown).contains("there is no amendment `nothing`"), "{}", said(&unknown));
}

/// What `coverage --games` counts in each version is what a comparison tells of both, side by side.
#[test]
fn paragraphs_are_listened_for_in_both_versions() {
    let text = printed(&of(&["--games", "6", "--spoken", "4", "--json", "--jobs", "2"]));
    let report: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(report["spoken"]["pairs"], 4);
    let told = report["spoken"]["paragraphs"].as_array().expect("a list");
    for (at, game) in ["gettysburg-88", "gettysburg-88@clarified"].into_iter().enumerate() {
        let output = Command::new(env!("CARGO_BIN_EXE_countermarch"))
            .args(["coverage", game, "--games", "4", "--scenario", "first-morning", "--all", "--json"])
            .env("COUNTERMARCH_HOME", Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository"))
            .output();
        let counted: Value = serde_json::from_str(&printed(&output.expect("the program starts"))).expect("it is JSON");
        let counted = counted["paragraphs"].as_array().expect("a list");
        let mut spoke = 0;
        for one in told {
            let of = counted.iter().find(|of| of["paragraph"] == one["paragraph"] && of["state"] == "spoke");
            let times = of.and_then(|of| of["decisions"].as_f64()).unwrap_or(0.0);
            assert_eq!(one["means"][at].as_f64(), Some(times / 4.0), "{one} {of:?}");
            spoke += i32::from(times > 0.0);
        }
        assert!(spoke > 10, "{spoke}");
    }
    let text = printed(&of(&["--games", "6", "--spoken", "4"]));
    assert!(text.contains("How often a paragraph spoke, in decisions a game: 4 pairs"), "{text}");
    assert!(text.contains("--spoken 4"), "the command does it again: {text}");
}

#[test]
fn no_file_of_anybody_else_is_touched() {
    let folder = Folder::new("foreign");
    let file = folder.file("notes.csv");
    let refused = |args: &[&str], why: &str| {
        let games = if args.contains(&"--games") { &[][..] } else { &["--games", "4"] };
        let output = of(&[games, args].concat());
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains(why), "{}", said(&output));
    };
    for foreign in ["my notes\n", "my notes", "comparison,pair\n1,2\n"] {
        fs::write(&file, foreign).expect("it can be written");
        refused(&["--trials", &file], "name another file");
        refused(&["--html", &file], "exists already");
        assert_eq!(fs::read_to_string(&file).expect("it is there"), foreign);
    }
    fs::remove_file(&file).expect("it is there");
    printed(&of(&["--games", "4", "--trials", &file]));
    let trials = fs::read(&file).expect("it was written");
    refused(&["--trials", &file, "--set", "settings/attacks/default=free"], "another comparison");
    refused(&["--trials", &file, "--seed", "2"], "a pair of seed 1");
    refused(&["--trials", &file, "--games", "3"], "a pair of seed 4");
    assert!(fs::read(&file).expect("it is there") == trials);
    let new = folder.file("new");
    refused(&["--trials", &new, "--html", &new], "are one");
    refused(&["--html", &folder.0.join("./new").display().to_string(), "--trials", &new], "are one");
    assert!(!Path::new(&new).exists());
    refused(&["--trials", &folder.0.display().to_string()], "cannot write trials");
}

/// Shares of more than all games were told of a file in which somebody had written 5 for a win.
#[test]
fn a_win_that_counts_more_than_once_is_told_where_it_stands() {
    let folder = Folder::new("edited");
    let file = folder.file("trials.csv");
    printed(&of(&["--games", "2", "--trials", &file]));
    let text = fs::read_to_string(&file).expect("it was written");
    let column = text.lines().next().and_then(|names| names.split(',').position(|name| name == "wins.union"));
    let column = column.expect("wins are measured");
    let mut rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    rows[3][column] = "5";
    let edited = rows.iter().map(|row| row.join(",") + "\n").collect::<String>();
    fs::write(&file, &edited).expect("writes");
    let output = of(&["--games", "2", "--trials", &file]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let says = format!("trials.csv: line 4, column {} (`wins.union`): `5` is neither 1 nor 0", column + 1);
    assert!(said(&output).contains(&says), "{}", said(&output));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), edited, "nothing is written to it");
}

#[test]
fn what_does_not_apply_is_refused() {
    for (args, why) in [
        (vec!["gettysburg-88", "gettysburg-77"], "two games"),
        (vec!["gettysburg-88", "@clarified", "--games", "0"], "--games"),
        (vec!["gettysburg-88", "@base", "--each", "3"], "nothing to look at"),
        (vec!["gettysburg-88@base", "@base+2", "--effects", "pairs"], "in neither version two amendments"),
        (vec!["gettysburg-88@base+28", "@base+2", "--effects", "one-out,pairs"], "in neither version two amendments"),
        (vec!["gettysburg-88", "@base", "--players", "union=human"], "people do not play"),
        (vec!["gettysburg-88", "@base", "--scenario", "nowhere"], "no scenario"),
        (vec!["gettysburg-88", "@clarified", "--walk", "--html", "a.html"], "--html"),
        (vec!["gettysburg-88", "@clarified", "--record", "a.march", "--games", "3"], "--games"),
    ] {
        let output = compare(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said(&output));
        assert!(said(&output).contains(why), "{args:?}: {}", said(&output));
    }
}

#[test]
fn the_page_needs_nothing_else_and_holds_its_data() {
    let folder = Folder::new("page");
    let page = folder.file("page.html");
    printed(&of(&["--games", "12", "--html", &page]));
    let text = fs::read_to_string(&page).expect("it was written");
    for loads in ["<link", "src=\"", "@import", "url(http"] {
        let own = text.split("<script>").next().expect("a page");
        assert!(!own.contains(loads), "it loads {loads}");
    }
    let specs: Vec<Value> = text
        .split("<details>")
        .skip(1)
        .map(|details| {
            let spec =
                details.split("<pre>").nth(1).and_then(|rest| rest.split("</pre>").next()).expect("a specification");
            let spec = spec.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            serde_json::from_str(&spec).expect("it is JSON")
        })
        .collect();
    assert!(specs.len() >= 3, "{} figures", specs.len());
    assert!(specs.iter().all(|spec| spec["data"]["values"].as_array().is_some_and(|values| !values.is_empty())));
    assert!(text.contains("\u{2020}") && text.contains("<svg") && text.contains("[g88/"));
}

/// Plays pairs, and says how much memory, in kB, was used once a tenth of them stood in the file, and at the end.
fn memory(game: &[&str], pairs: u64) -> (u64, u64) {
    let folder = Folder::new(game[0]);
    let trials = folder.file("trials.csv");
    let mut child = Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .arg("compare")
        .args(game)
        .args(["--games", &pairs.to_string(), "--jobs", "2", "--trials", &trials])
        .env("COUNTERMARCH_HOME", Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository"))
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let (mut early, mut late, mut row) = (0, 0, 0);
    while child.try_wait().expect("it is a child").is_none() {
        let peak = fs::read_to_string(&status).unwrap_or_default();
        let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        late = peak.unwrap_or(late);
        let written = fs::metadata(&trials).map_or(0, |file| file.len());
        // The first pairs tell how long a row is.
        if row == 0 && written > 100_000 {
            let text = fs::read_to_string(&trials).unwrap_or_default();
            row = written / text.lines().count() as u64;
        }
        if early == 0 && row > 0 && written > row * pairs / 5 {
            early = late;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    (early, late)
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_flat() {
    let (early, late) = memory(&GAME, 1000);
    assert!(early > 0 && late * 10 < early * 12, "{early} kB, then {late} kB");
}

/// `cargo test --release -p countermarch --test compare -- --ignored --nocapture`
#[cfg(target_os = "linux")]
#[test]
#[ignore = "100,000 games"]
fn memory_stays_flat_over_100_000_games_of_corps() {
    let (early, late) = memory(&["gettysburg-corps", "@inventory"], 50_000);
    println!("{early} kB after a tenth, {late} kB at the end");
    assert!(early > 0 && late * 10 < early * 12, "{early} kB, then {late} kB");
}

#[test]
#[ignore = "a minute of a release build"]
fn two_thousand_pairs_of_a_day_of_88_take_less_than_two_minutes() {
    let begun = std::time::Instant::now();
    let game = ["gettysburg-88", "@clarified", "--scenario", "july-1", "--games", "2000", "--jobs", "2"];
    printed(&compare(&game));
    println!("{:.1} s", begun.elapsed().as_secs_f64());
    assert!(begun.elapsed().as_secs() < 120);
}

/// Whoever is named or not: where games are played by themselves an umpire who places at random would tell of himself.
#[test]
fn an_umpire_is_plain_in_games_that_play_themselves_too() {
    let game = ["gallop@base", "@base", "--scenario", "fixture", "--games", "1"];
    for (asked, plays) in [
        (&["--players", "umpire=random"][..], "confederate=random, union=random, umpire=random"),
        (&["--players", "union=plain"], "confederate=random, union=plain, umpire=plain"),
        (&[], "confederate=random, union=random, umpire=plain"),
    ] {
        let told = printed(&compare(&[&game[..], asked].concat()));
        assert!(told.contains(&format!("PLAYED BY     {plays}\n")), "{told}");
    }
    // Played again under another, he stays as he is.
    let whole =
        printed(&compare(&[&game[..], &["--players", "umpire=random", "--under", "random", "--json"]].concat()));
    let whole: Value = serde_json::from_str(&whole).expect("it is JSON");
    assert_eq!(whole["under"][0]["players"], "random", "with the game's own umpire that is another case");
    let whole = printed(&compare(&[&game[..], &["--under", "random", "--json"]].concat()));
    let whole: Value = serde_json::from_str(&whole).expect("it is JSON");
    assert_eq!(whole["under"].as_array().map(Vec::len), Some(0), "and without one it is the same");
}

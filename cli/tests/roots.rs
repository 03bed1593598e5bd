//! Where content comes from: a folder that is named, the user's folders, what the program carries.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::{Command, Output},
    thread,
    time::Duration,
};

/// An installed program, with folders of its own; all of it is gone when the test has ended.
struct Installed(PathBuf);

impl Installed {
    fn new(name: &str) -> Installed {
        let folder = std::env::temp_dir().join(format!("countermarch-roots-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let installed = Installed(folder);
        fs::copy(env!("CARGO_BIN_EXE_countermarch"), installed.at("countermarch")).expect("it can be copied");
        installed
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// Puts the toy game into a folder, under a title of its own.
    fn put_toy(&self, home: &str, title: &str) {
        let toy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/toy");
        copy(&toy, &self.at(home));
        let manifest = self.at(home).join("rulesets/toy/ruleset.yaml");
        let text = fs::read_to_string(&manifest).expect("it is there");
        let lines = text.lines().map(|l| if l.starts_with("title:") { format!("title: {title}") } else { l.into() });
        fs::write(manifest, lines.collect::<Vec<_>>().join("\n")).expect("writes");
    }

    fn run_in(&self, folder: &str, home: Option<&str>, args: &[&str]) -> Output {
        let mut command = Command::new(self.at("countermarch"));
        command.args(args).current_dir(self.at(folder)).env_remove("COUNTERMARCH_HOME");
        if let Some(home) = home {
            command.env("COUNTERMARCH_HOME", self.at(home));
        }
        // Another test that starts a program while this one is being copied holds the copy open for a moment.
        for _ in 0..500 {
            match command.output() {
                Err(wrong) if wrong.kind() == ErrorKind::ExecutableFileBusy => thread::sleep(Duration::from_millis(20)),
                done => return done.expect("the program starts"),
            }
        }
        panic!("the copy of the program stays busy")
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("a file").path();
        let into = to.join(path.file_name().expect("a name"));
        if path.is_dir() { copy(&path, &into) } else { fs::copy(&path, &into).map(|_| ()).expect("a copy") }
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn an_installed_program_has_its_games_in_any_folder_with_the_hashes_of_the_repository() {
    let installed = Installed::new("alone");
    let listed = said(&installed.run_in("", None, &["list"]));
    assert!(listed.contains("gettysburg-corps (built in)\n"), "{listed}");
    let checked = installed.run_in("", None, &["check", "gettysburg-corps"]);
    assert_eq!(checked.status.code(), Some(0), "{}", said(&checked));
    let begun = |home: Option<&Path>, file: &str| {
        let mut command = Command::new(installed.at("countermarch"));
        command.args(["play", "gettysburg-corps", "--seed", "1", "--save", file]).current_dir(&installed.0);
        command.env_remove("COUNTERMARCH_HOME").envs(home.map(|home| ("COUNTERMARCH_HOME", home)));
        assert_eq!(command.stdin(std::process::Stdio::null()).output().expect("starts").status.code(), Some(0));
        let text = fs::read_to_string(installed.at(file)).expect("the record");
        text.lines().find(|line| line.starts_with("content ")).expect("it pins content").to_owned()
    };
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    assert_eq!(begun(None, "carried.march"), begun(Some(repository), "read.march"));
    let drawn = |home: Option<&str>, folder: &str| {
        let args = ["show", "gettysburg-corps", "map", "--svg", "--around", "15.09", "--radius", "1"];
        installed.run_in(folder, home, &args).stdout
    };
    copy(&repository.join("maps/surveys"), &installed.at("repository/maps/surveys"));
    copy(&repository.join("maps/grids"), &installed.at("repository/maps/grids"));
    fs::copy(repository.join("maps/gettysburg-corps.yaml"), installed.at("repository/maps/gettysburg-corps.yaml"))
        .expect("a copy");
    assert!(drawn(None, "") == drawn(Some("repository"), ""), "what is carried has its ground too");
}

#[test]
fn the_first_root_that_has_a_ruleset_gives_all_of_it() {
    let installed = Installed::new("roots");
    installed.put_toy("here", "Toy of here");
    installed.put_toy("home", "Toy of home");
    fs::create_dir_all(installed.at("here/inner")).expect("a folder");
    let title = |output: Output| {
        let said = said(&output);
        let title = said.lines().skip_while(|line| !line.starts_with("toy (")).nth(1);
        title.unwrap_or_else(|| panic!("{said}")).trim().to_owned()
    };
    assert_eq!(title(installed.run_in("here/inner", None, &["list"])), "Toy of here");
    let shadowed = installed.run_in("here/inner", Some("home"), &["list"]);
    // Which of the two it is, and where the other lies, is told.
    for output in [&shadowed, &installed.run_in("here/inner", Some("home"), &["check", "toy"])] {
        let [meant, other] = ["home", "here"].map(|home| installed.at(home).join("rulesets/toy").display().to_string());
        let says = format!("  it is the one in {meant}\n  not that in {other}, which is meant by its path\n");
        assert!(said(output).contains(&says), "{}", said(output));
    }
    assert!(!said(&installed.run_in("here/inner", Some("here"), &["list"])).contains("it is the one in"), "one folder");
    assert_eq!(title(shadowed), "Toy of home");
    // Of what a root lacks, the next one has it; a folder without `ruleset.yaml` is no ruleset, and adds to that.
    fs::remove_file(installed.at("home/rulesets/toy/ruleset.yaml")).expect("removed");
    let output = installed.run_in("here/inner", Some("home"), &["list"]);
    assert!(said(&output).contains("gettysburg-77 (built in)"), "{}", said(&output));
    assert_eq!(title(output), "Toy of here");
    let nothing = installed.run_in("here", Some("nowhere"), &["list"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(said(&nothing).contains("COUNTERMARCH_HOME names "), "{}", said(&nothing));
}

#[test]
fn what_lies_beside_a_game_of_another_root_is_added_to_it() {
    let installed = Installed::new("added");
    installed.put_toy("here", "Toy of here");
    let toy = installed.at("home/rulesets/toy");
    for folder in ["amendments", "scenarios", "examples"] {
        fs::create_dir_all(toy.join(folder)).expect("a folder");
    }
    let write = |path: &str, text: &str| fs::write(toy.join(path), text).expect("writes");
    write(
        "amendments/far.yaml",
        "amendment: far\ntitle: A strong Ann\nkind: house\nchange: [{ set: units/ann/strength, was: 2, now: 3 }]\n",
    );
    let meeting = fs::read_to_string(installed.at("here/rulesets/toy/scenarios/meeting.yaml")).expect("it is there");
    write("scenarios/again.yaml", &meeting.replace("scenario: meeting", "scenario: again"));
    write(
        "examples/far.yaml",
        "examples: [{ name: it is read, cite: [t/1], version: base+far, scenario: again, play: [] }]\n",
    );
    let run = |home: Option<&str>, args: &[&str]| installed.run_in("here", home, args);
    let listed = said(&run(Some("home"), &["list", "toy"]));
    for line in [&format!("  with what {} adds to it", installed.at("home").display()), "scenario again", "+far "] {
        assert!(listed.contains(line), "{line}: {listed}");
    }
    let played = run(Some("home"), &["simulate", "toy@base+far", "--scenario", "again", "--games", "3"]);
    assert_eq!(played.status.code(), Some(0), "{}", said(&played));
    // Where none is asked for, one of the game's own is played.
    assert!(said(&run(Some("home"), &["simulate", "toy", "--games", "1"])).starts_with("toy@base, meeting: 1 game in"));
    let tested = said(&run(Some("home"), &["test", "toy", "--only", "it is read"]));
    assert!(tested.contains("1 example: 1 passed"), "{tested}");
    // Without that folder there is no such amendment; and a game named by its path is what lies there.
    assert_eq!(run(None, &["check", "toy@base+far"]).status.code(), Some(2));
    assert_eq!(run(Some("home"), &["check", "rulesets/toy@base+far"]).status.code(), Some(2));
    // What cannot be added is told, and the game stands as it is.
    write("verbs.yaml", "verbs: 7\n");
    write("scenarios/meeting.yaml", "scenario: meeting\n");
    let checked = run(Some("home"), &["check", "toy"]);
    assert_eq!(checked.status.code(), Some(0), "{}", said(&checked));
    for (file, why) in [("verbs.yaml", "lies in one of amendments"), ("scenarios/meeting.yaml", "there is a file")] {
        let told = format!("{} is not read: ", toy.join(file).display());
        assert!(said(&checked).contains(&told) && said(&checked).contains(why), "{}", said(&checked));
    }
    // A broken addition is told in its own lines.
    write("amendments/far.yaml", "amendment: far\ntitle: A strong Ann\nkind: whim\nchange: []\n");
    let broken = run(Some("home"), &["check", "toy"]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(said(&broken).contains("rulesets/toy/amendments/far.yaml:3:7"), "{}", said(&broken));
    // It harms whoever plays with it, and nobody else.
    assert_eq!(run(Some("home"), &["simulate", "toy", "--games", "1"]).status.code(), Some(0));
    assert_ne!(run(Some("home"), &["simulate", "toy@base+far", "--games", "1"]).status.code(), Some(0));
    // What adds to no game is told.
    fs::create_dir_all(installed.at("home/rulesets/tyo/amendments")).expect("a folder");
    fs::write(installed.at("home/rulesets/tyo/amendments/far.yaml"), "amendment: far\n").expect("writes");
    for args in [&["list"][..], &["check", "tyo"]] {
        assert!(said(&run(Some("home"), args)).contains("no game `tyo` that it could add to"));
        // A folder that one is in is one's own, if there are rulesets in it.
        assert!(said(&installed.run_in("home", None, args)).contains("no game `tyo` that it could add to"));
    }
}

#[test]
fn a_path_means_that_very_folder() {
    let installed = Installed::new("path");
    installed.put_toy("here", "Toy of here");
    installed.put_toy("other", "Toy of elsewhere");
    fs::write(installed.at("other/rulesets/toy/verbs.yaml"), "verbs: 7\n").expect("writes");
    let run = |args: &[&str]| installed.run_in("here", None, args);
    assert_eq!(run(&["check", "toy"]).status.code(), Some(0));
    let broken = run(&["check", "../other/rulesets/toy"]);
    assert_eq!(broken.status.code(), Some(1), "{}", said(&broken));
    assert!(said(&broken).contains("other/rulesets/toy)"), "{}", said(&broken));
    // A path at which nothing is means nothing, be there a game of that name or not.
    for path in ["../nowhere/toy", "./toy", "../nowhere/gettysburg-corps"] {
        let missing = run(&["check", path]);
        assert_eq!(missing.status.code(), Some(2), "{path}: {}", said(&missing));
    }
    let within = installed.run_in("here/rulesets/toy", None, &["check", "."]);
    assert_eq!(within.status.code(), Some(0), "{}", said(&within));
}

#[test]
fn a_game_played_from_a_folder_is_gone_on_with_from_there() {
    let installed = Installed::new("record");
    installed.put_toy("other", "Toy of elsewhere");
    fs::create_dir_all(installed.at("here")).expect("a folder");
    let run = |args: &[&str]| installed.run_in("here", None, args);
    let seats = ["--seat", "red=human", "--seat", "blue=human", "--scenario", "meeting"];
    let begun = run(&[&["play", "../other/rulesets/toy", "--save", "it.march"], &seats[..]].concat());
    assert_eq!(begun.status.code(), Some(0), "{}", said(&begun));
    assert!(said(&begun).contains("it.march --ruleset "), "{}", said(&begun));
    assert_eq!(run(&["verify", "it.march"]).status.code(), Some(2), "no game of that name is found");
    let verified = run(&["verify", "it.march", "--ruleset", "../other/rulesets/toy"]);
    assert_eq!(verified.status.code(), Some(0), "{}", said(&verified));
    // A record cannot name a folder by itself.
    let text = fs::read_to_string(installed.at("here/it.march")).expect("the record");
    let path = installed.at("other/rulesets/toy").display().to_string();
    fs::write(installed.at("here/it.march"), text.replacen("game toy", &format!("game {path}"), 1)).expect("writes");
    let refused = run(&["verify", "it.march"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("is a path"), "{}", said(&refused));
}

/// How a program ended, and that it said so.
fn ended(output: &Output, code: i32, says: &str) {
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{told}");
    assert!(told.contains(says) && !told.contains("panicked"), "{told}");
}

#[test]
fn a_version_that_there_is_not_is_asked_for_wrongly() {
    let installed = Installed::new("asked-wrongly");
    let ends = |args: &[&str], says: &str| ended(&installed.run_in(".", None, args), 2, says);
    for command in ["check", "test", "coverage", "simulate", "play"] {
        ends(&[command, "gettysburg-corps@ghost"], "there is no version `ghost`");
    }
    ends(&["diff", "gettysburg-corps@ghost", "@base"], "there is no version `ghost`");
    ends(&["check", "gettysburg-88@15.d"], "write @base+15.d");
    ends(&["simulate", "gettysburg-77", "--set", "crossing=leaving"], "write settings/crossing/default=leaving");
    ends(&["check", "gettysburg-77", "--set", "units/nobody/cohesion=1"], "`units` has no `nobody`");
}

#[test]
fn a_picture_is_drawn_over_an_older_one_and_over_nothing_else() {
    let installed = Installed::new("drawn-over");
    let file = installed.at("board.png");
    let run = |args: &[&str]| installed.run_in(".", None, args);
    let draw = ["show", "gettysburg-corps", "map", "--png", "board.png", "--around", "19.03", "--radius", "1"];
    ended(&run(&draw), 0, "");
    ended(&run(&draw), 0, "");
    fs::write(&file, "seed,turns\n").expect("writes");
    ended(&run(&draw), 2, "exists already and is no picture");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "seed,turns\n");
    let definitions = ["definitions", "gettysburg-corps", "--out", "board.png"];
    ended(&run(&definitions), 2, "is no file of definitions");
    fs::remove_file(&file).expect("it is there");
    ended(&run(&definitions), 0, "");
    ended(&run(&definitions), 0, "");
}

#[test]
fn a_game_without_a_scenario_says_so_and_a_folder_that_nothing_reads_is_told() {
    let installed = Installed::new("no-scenario");
    installed.put_toy("home", "Bare");
    let toy = installed.at("home/rulesets/toy");
    fs::rename(toy.join("scenarios"), toy.join("scenario")).expect("it has scenarios");
    let run = |args: &[&str]| installed.run_in(".", Some("home"), args);
    ended(&run(&["check", "toy"]), 0, "did you mean `scenarios`?");
    for args in [
        &["simulate", "toy", "--games", "1"][..],
        &["coverage", "toy", "--games", "1"],
        &["sweep", "toy", "--sweep", "units/ann/strength=1,2", "--games", "1"],
        &["bid", "toy", "--games", "1"],
        &["compare", "toy", "@base", "--games", "1"],
        &["rank", "toy", "--pairs", "1"],
    ] {
        ended(&run(args), 2, "`toy` has no scenario to be played");
    }
    ended(&run(&["show", "toy", "map"]), 0, "");
}

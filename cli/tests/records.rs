//! Records on disk: nobody's game is overwritten, forged, shared by two processes or changed by being gone on with.

#![cfg(unix)]

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::Value;

/// A folder of its own with the smallest game there is; gone when the test has ended.
struct Home(PathBuf);

impl Home {
    fn new() -> Home {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let home = std::env::temp_dir().join(format!("countermarch-records-{}-{number}", std::process::id()));
        let toy = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join("tests/toy");
        copy(&toy, &home);
        Home(home)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|wrong| panic!("{name}: {wrong}"))
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), text).expect("writes");
    }

    fn edit(&self, name: &str, was: &str, now: &str) {
        let text = self.read(name);
        assert!(text.contains(was), "{name} has no `{was}`");
        self.write(name, text.replacen(was, now, 1));
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countermarch"));
        command.args(args).current_dir(&self.0).env("COUNTERMARCH_HOME", &self.0);
        command
    }

    fn run(&self, args: &[&str], input: impl AsRef<[u8]>) -> Output {
        ended(started(self.command(args)), input.as_ref())
    }

    /// The same, where no file may grow beyond so many blocks: a disk that is full.
    fn run_on_a_full_disk(&self, blocks: u32, args: &[&str], input: &str) -> Output {
        let program = env!("CARGO_BIN_EXE_countermarch");
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &limited, program]).args(args).current_dir(&self.0).env("COUNTERMARCH_HOME", &self.0);
        ended(started(shell), input.as_bytes())
    }

    /// A game of people on both sides, in `name`, with these lines typed.
    fn played(&self, name: &str, input: &str) -> String {
        let output = self.run(&["play", "toy", "--scenario", "meeting", "--seed", "4", "--save", name], input);
        assert_eq!(output.status.code(), Some(0), "{}", says(&output));
        told(&output)
    }

    fn verified(&self, name: &str) -> Value {
        let output = self.run(&["verify", name, "--json"], "");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|wrong| panic!("{name}: {wrong}: {}", says(&output)))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("makes a folder");
    for entry in fs::read_dir(from).expect("reads") {
        let entry = entry.expect("a file");
        let new = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &new);
        } else {
            fs::copy(entry.path(), new).expect("copies");
        }
    }
}

fn started(mut command: Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn ended(mut child: Child, input: &[u8]) -> Output {
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that ends early closes its input; that is its right.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn says(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The lines of answers.
fn answers(record: &str) -> Vec<&str> {
    record.split_once("---\n").expect("a header").1.lines().filter(|l| !l.starts_with("hash ")).collect()
}

/// Ann moves next to Bob, who does not move, and neither shoots.
const OPENING: &str = "move ann, to 0:0\ndone\n";

#[test]
fn saving_never_touches_what_is_there() {
    let home = Home::new();
    home.write("mine", "a letter\n");
    symlink("game.march", home.0.join("link")).expect("links");
    symlink("gone", home.0.join("dangling")).expect("links");
    home.write("game.march", "");
    fs::remove_file(home.0.join("game.march")).expect("removes");
    let names = ["game.march", "./game.march", &home.path("game.march"), "link", "dangling", "mine", "/no/where"];
    let lines: String = names.iter().map(|name| format!("save {name}\n")).collect();
    let told = home.played("game.march", &format!("{lines}save copy\nsave toy\nmove ann, to 0:0\n"));
    assert_eq!(told.matches("exists already: name a new file").count(), 6, "{told}");
    assert!(told.contains("Not saved: cannot write /no/where: No such file"), "{told}");
    assert!(told.contains("Saved in copy"), "{told}");
    let record = home.read("game.march");
    assert_eq!(answers(&record)[..2], ["red: move ann  [march.unit]", "red: to 0:0  [march.to ann]"]);
    assert_eq!(home.read("mine"), "a letter\n");
    assert!(record.starts_with(&home.read("copy")), "the copy is the record as it was");
    assert!(home.run(&["play", "copy"], "").status.success(), "and can be gone on with under its name");
    let game = home.run(&["play", "toy", "--save", "new.march"], "");
    assert!(self::told(&game).contains("The record is new.march"), "a game's name is that game: {}", says(&game));
    fs::hard_link(home.0.join("game.march"), home.0.join("hard.march")).expect("links");
    let again = self::told(&home.run(&["play", "game.march"], "save hard.march\n"));
    assert!(again.contains("hard.march exists already"), "{again}");
    assert_eq!(home.read("game.march"), record);
}

#[test]
fn a_new_game_erases_none() {
    let home = Home::new();
    home.played("game.march", OPENING);
    let before = home.read("game.march");
    symlink("elsewhere.march", home.0.join("link.march")).expect("links");
    symlink("/dev/full", home.0.join("full.march")).expect("links");
    for name in ["game.march", "link.march", "full.march", "/dev/full"] {
        let output = home.run(&["play", "toy", "--save", name], OPENING);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(says(&output).contains(&format!("{name} exists already")), "{}", says(&output));
    }
    assert_eq!(home.read("game.march"), before);
    let output = home.run(&["play", "toy", "--save", "/no/where.march"], "");
    assert!(says(&output).contains("cannot write /no/where.march: No such file"), "{}", says(&output));
    home.write("saves", "no folder");
    let output = home.run(&["play", "toy"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(says(&output).contains("saves; name another file with --save FILE"), "{}", says(&output));
    let output = home.run(&["play", "full.march"], "");
    assert!(says(&output).contains("full.march: it is not a file"), "{}", says(&output));
}

#[test]
fn games_begun_at_once_have_a_record_each() {
    let home = Home::new();
    let all: Vec<Child> = (0..12).map(|_| started(home.command(&["play", "toy", "--scenario", "meeting"]))).collect();
    let all: Vec<Output> = all.into_iter().map(|child| ended(child, OPENING.as_bytes())).collect();
    assert!(all.iter().all(|output| output.status.success()), "{:?}", all.iter().map(says).collect::<Vec<_>>());
    for number in 1..=12 {
        let name = format!("saves/toy-{number}.march");
        assert_eq!(home.verified(&name)["ok"], true, "{name}");
        assert_eq!(home.read(&name).matches("red: move ann").count(), 1, "{name}");
    }
}

#[test]
fn one_process_plays_a_record_and_others_may_look() {
    let home = Home::new();
    home.played("game.march", OPENING);
    let mut first = started(home.command(&["play", "game.march"]));
    // It tells that it goes on when it has read the record, and holds it.
    let (mut stdout, mut going_on) = (BufReader::new(first.stdout.take().expect("a pipe")), String::new());
    stdout.read_line(&mut going_on).expect("reads");
    let second = || home.run(&["play", "game.march"], "");
    let held = second();
    assert_eq!(held.status.code(), Some(2));
    assert!(says(&held).contains("game.march is being played by another process: leave it there"), "{}", says(&held));
    symlink("game.march", home.0.join("link.march")).expect("links");
    assert!(!home.run(&["play", "link.march"], "").status.success(), "by no other name either");
    assert_eq!(home.verified("game.march")["ok"], true);
    first.kill().expect("is killed");
    first.wait().expect("ends");
    assert!(second().status.success(), "nothing is left of a process that was killed");
}

#[test]
fn a_full_disk_is_named_and_takes_no_answer_that_was_told() {
    let home = Home::new();
    let output = home.run_on_a_full_disk(0, &["play", "toy", "--save", "new.march"], OPENING);
    assert_eq!(output.status.code(), Some(2));
    assert!(says(&output).contains("cannot write new.march: File too large"), "{}", says(&output));
    assert!(!home.0.join("new.march").exists(), "an empty file would only be in the way");
    home.played("game.march", "");
    let long = home.read("game.march") + &"# what was said at the table\n".repeat(100);
    home.write("game.march", &long);
    let output = home.run_on_a_full_disk(1, &["play", "game.march"], &format!("save copy\n{OPENING}"));
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("Not saved: cannot write copy: File too large"), "{}", told(&output));
    assert!(!home.0.join("copy").exists(), "half a copy is none");
    assert!(!told(&output).contains("Ann goes"), "what is not on disk is not told: {}", told(&output));
    let wrong = says(&output);
    assert!(wrong.contains("all before it are; go on with: countermarch play game.march"), "{wrong}");
    assert!(wrong.contains("cannot write game.march: File too large"), "{wrong}");
    assert_eq!(home.read("game.march"), long);
}

#[test]
fn a_line_that_is_no_text_is_passed_over() {
    let home = Home::new();
    let played = home
        .run(&["play", "toy", "--scenario", "meeting", "--save", "game.march"], b"move \xff\xfe\nmove ann, to 0:0\n");
    assert!(played.status.success(), "{}", says(&played));
    assert!(told(&played).contains("That line is not UTF-8 text"), "{}", told(&played));
    assert_eq!(answers(&home.read("game.march"))[1], "red: to 0:0  [march.to ann]");
}

#[test]
fn whoever_rolled_rolls_again() {
    for (dice, asks) in [("engine", false), ("ask", true)] {
        let home = Home::new();
        let new = ["play", "toy", "--scenario", "surprise", "--seed", "5", "--dice", dice, "--save", "game.march"];
        let new = [&new[..], &["--quick"]].concat();
        home.run(&new, "to 2:0\n3\n");
        let whole = home.read("game.march");
        assert!(whole.contains("\nchance: "), "{whole}");
        let before = whole.split("chance: ").next().expect("a part");
        home.write("game.march", before);
        let output = home.run(&["play", "game.march", "--quick"], "");
        assert_eq!(told(&output).contains("Roll for the nerves of Ann."), asks, "{dice}: {}", told(&output));
        assert_eq!(home.read("game.march"), if asks { before } else { &whole }, "{dice}");
        // Dice of another kind are for one sitting, and that is said.
        home.write("game.march", before);
        let other = if asks { "engine" } else { "ask" };
        let output = home.run(&["play", "game.march", "--quick", "--dice", other], "3\n");
        assert_eq!(told(&output).contains("Roll for the nerves of Ann."), !asks, "{dice}: {}", told(&output));
        assert!(told(&output).contains("rolls; the record says") || told(&output).contains("you roll; the record"));
    }
}

#[test]
fn going_on_changes_neither_seats_nor_what_may_be_taken_back() {
    let home = Home::new();
    let seats = ["--seat", "red=random", "--seat", "blue=human"];
    let new = ["play", "toy", "--scenario", "meeting", "--seed", "3", "--analysis", "--save", "game.march"];
    home.run(&[&new[..], &seats[..]].concat(), "");
    let before = home.read("game.march");
    assert!(before.contains("seat red=random\nseat blue=human\nundo anything\n"), "{before}");
    let again = told(&home.run(&["play", "game.march"], "move bob\nundo\nundo\n"));
    assert!(again.contains("Red: random\nBlue: human\n"), "{again}");
    assert!(again.contains("Taken back.") && !again.contains("play with --analysis"), "{again}");
    assert_eq!(home.read("game.march"), format!("{before}blue: move bob  [march.unit]\nundo\n"));
    let other = told(&home.run(&["play", "game.march", "--seat", "red=human"], ""));
    assert!(other.contains("Red: human in this sitting; the record says random\nBlue: human\n"), "{other}");
    let after = told(&home.run(&["play", "game.march"], ""));
    assert!(after.contains("Red: random\nBlue: human\n"), "{after}");
}

#[test]
fn undo_reaches_as_far_as_before_the_game_was_left() {
    let home = Home::new();
    home.edit(
        "rulesets/toy/scenarios/meeting.yaml",
        "  - { unit: bob",
        "  - { unit: amy, at: \"-2:2\" }\n  - { unit: bob",
    );
    home.edit(
        "rulesets/toy/ruleset.yaml",
        "  - { id: bob",
        "  - { id: amy, name: Amy, side: red, type: foot, strength: 1 }\n  - { id: bob",
    );
    home.played("left.march", "move ann\nto -1:0\nmove amy\n");
    home.run(&["play", "left.march"], "undo\nundo\nundo\nundo\n");
    home.played("stayed.march", "move ann\nto -1:0\nmove amy\nundo\nundo\nundo\nundo\n");
    assert_eq!(answers(&home.read("left.march")), answers(&home.read("stayed.march")));
    assert_eq!(home.verified("left.march")["actions"], 0);
}

#[test]
fn an_older_record_is_read_and_nobody_is_seated_unasked() {
    let home = Home::new();
    home.played("game.march", OPENING);
    let text = home.read("game.march");
    let old = "march 1\ngame toy@base\ncontent 0123456789abcdef\nscenario meeting\nseed 4\n---\n".to_owned()
        + text.split_once("---\n").expect("a header").1;
    home.write("old.march", &old);
    let proof = home.verified("old.march");
    assert_eq!((&proof["ok"], &proof["changed"]), (&Value::Bool(true), &Value::Null));
    let unasked = home.run(&["play", "old.march", "--seat", "red=human"], OPENING);
    assert_eq!(unasked.status.code(), Some(2));
    assert!(says(&unasked).contains("--seat red=human --seat blue=human"), "{}", says(&unasked));
    assert_eq!(home.read("old.march"), old);
    let seated = home.run(&["play", "old.march", "--seat", "red=human", "--seat", "blue=human"], "");
    assert!(seated.status.success() && told(&seated).contains("Going on after"), "{}", says(&seated));
    home.write("later.march", text.replacen("march 3", "march 9", 1));
    let later = home.run(&["play", "later.march"], "");
    assert!(says(&later).contains("this program reads `march 1` to `march 3`"), "{}", says(&later));
}

#[test]
fn a_game_that_fails_after_an_answer_can_be_taken_back() {
    let home = Home::new();
    let fails = "function fire.shoot()\n  if state.turn() == 2 then\n    error(\"broken gun\")\n  end";
    home.edit("rulesets/toy/rules/fire.luau", "function fire.shoot()", fails);
    let play = ["play", "toy", "--quick", "--seat", "red=human", "--seat", "blue=human", "--save", "game.march"];
    let left = home.run(&play, "done\ndone\ndone\nwhatever\nundo\nmove ann\nquit\n");
    assert!(left.status.success(), "{}", says(&left));
    assert_eq!(told(&left).matches("the game cannot go on from here:").count(), 2, "{}", told(&left));
    assert!(told(&left).contains("rule `fire.shoot`: broken gun"), "{}", told(&left));
    assert!(told(&left).contains("Where does Ann go?"), "{}", told(&left));
    let record = home.read("game.march");
    assert_eq!(answers(&record).len(), 5, "{record}");
    assert_eq!(home.verified("game.march")["actions"], 3);
    // With nobody there to take anything back, the game has failed.
    let random = ["play", "toy", "--seat", "red=random", "--seat", "blue=random", "--save", "random.march"];
    let alone = home.run(&random, "");
    assert_eq!(alone.status.code(), Some(1), "{}{}", told(&alone), says(&alone));
}

#[test]
fn a_record_says_which_parts_of_the_game_have_changed() {
    let home = Home::new();
    home.played("game.march", OPENING);
    assert_eq!(home.verified("game.march")["changed"], serde_json::json!([]));
    // What is only read by people changes nothing.
    home.edit("rulesets/toy/tables.yaml", "say: \"somebody is there\", cite: t/1", "say: \"taken\", cite: t/2");
    home.edit("rulesets/toy/rules/march.luau", "-- Moving.", "-- Moving about.");
    home.edit("rulesets/toy/ruleset.yaml", "title: Skirmish", "title: A skirmish");
    assert_eq!(home.verified("game.march")["changed"], serde_json::json!([]));
    home.edit("rulesets/toy/tables.yaml", "distance(to, unit) < 3", "distance(to, unit) < 2");
    home.edit("rulesets/toy/rules/fire.luau", "> 5 then", "> 4 then");
    let changed = serde_json::json!(["may", "rules/fire"]);
    assert_eq!(home.verified("game.march")["changed"], changed);
    let note = says(&home.run(&["play", "game.march"], ""));
    assert!(note.contains("have changed since this record was made, and it still fits: may, rules/fire"), "{note}");
    let pinned = home.run(&["verify", "game.march", "--pin", "pinned.march"], "");
    assert!(pinned.status.success(), "{}", says(&pinned));
    assert_eq!(home.verified("pinned.march")["changed"], serde_json::json!([]));
    assert_eq!(answers(&home.read("pinned.march")), answers(&home.read("game.march")));
    home.edit("rulesets/toy/tables.yaml", "allowance: 2", "allowance: 1");
    let broken = home.run(&["verify", "game.march"], "");
    assert_eq!(broken.status.code(), Some(1));
    assert!(
        told(&broken).contains("these parts of the game have changed: may, movers, rules/fire"),
        "{}",
        told(&broken)
    );
}

#[test]
fn no_name_and_no_purpose_passes_for_another_line() {
    let home = Home::new();
    let forged = "eve  [march.unit]\\nblue: done  [march.unit]\\n#";
    home.edit(
        "rulesets/toy/ruleset.yaml",
        "  - { id: bob",
        &format!("  - {{ id: \"{forged}\", name: Eve, side: red, type: foot, strength: 1 }}\n  - {{ id: bob"),
    );
    let refused = home.run(&["play", "toy", "--save", "game.march"], "");
    assert!(says(&refused).contains("has signs that no name has"), "{}", says(&refused));
    home.edit("rulesets/toy/ruleset.yaml", forged, "eve");
    home.edit(
        "rulesets/toy/scenarios/meeting.yaml",
        "  - { unit: bob",
        "  - { unit: eve, at: \"-3:0\" }\n  - { unit: bob",
    );
    home.played("game.march", "move eve\nto -3:1\n");
    let record = home.read("game.march");
    assert_eq!(answers(&record).len(), 2, "{record}");
    assert_eq!(home.verified("game.march")["actions"], 2);
    // A purpose that content does not declare is refused, however a rule came by it.
    home.edit("rulesets/toy/rules/setup.luau", "roll(\"nerves\",", "roll(\"nerves\" .. \"\\nred: done\",");
    let forging = ["play", "toy", "--scenario", "surprise", "--save", "forged.march"];
    let output = home.run(&forging, "to 2:0\n");
    assert!(told(&output).contains("chance has no purpose `nerves\\nred: done`"), "{}", told(&output));
    assert_eq!(answers(&home.read("forged.march")).len(), 0);
    let setting =
        home.run(&["play", "toy", "--set", "rulebook/t/1/says=a\nseed 9", "--save", "set.march", "--seed", "4"], "");
    assert!(setting.status.success() && home.read("set.march").contains("\nset rulebook/t/1/says=a%0Aseed%209\n"));
    assert_eq!(home.verified("set.march")["ok"], true);
}

#[test]
fn a_record_cut_off_anywhere_is_gone_on_with_as_it_was() {
    let home = Home::new();
    let seats = ["--seat", "red=random", "--seat", "blue=human"];
    let new = ["play", "toy", "--scenario", "surprise", "--seed", "6", "--quick", "--save", "game.march"];
    home.run(&[&new[..], &seats[..]].concat(), "to 2:0\nmove bob, to 1:0\nshoot ann\nmove bob, stay\nshoot ann\n");
    let whole = fs::read(home.0.join("game.march")).expect("the record");
    let text = String::from_utf8(whole.clone()).expect("is text");
    assert!(answers(&text).len() > 6, "{text}");
    let head = text.find("---\n").expect("a header") + 4;
    for cut in head..=whole.len() {
        home.write("cut.march", &whole[..cut]);
        let output = home.run(&["play", "cut.march"], "");
        assert!(output.status.success(), "{cut}: {}", says(&output));
        let after = home.read("cut.march");
        let lines = whole[..cut].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        assert!(text.starts_with(&after) && after.len() >= lines, "{cut}: {after}");
    }
    // Cut off inside a letter of two bytes, as names may have them.
    home.write("cut.march", [&whole[..], b"blue: to caf\xc3"].concat());
    assert!(home.run(&["play", "cut.march"], "").status.success());
    assert_eq!(home.read("cut.march"), text);
    home.write("cut.march", [&whole[..], b"blue: to caf\xc3\n"].concat());
    let line = text.lines().count() + 1;
    let output = home.run(&["play", "cut.march"], "");
    assert!(says(&output).contains(&format!("line {line}: it is not UTF-8 text")), "{}", says(&output));
}

/// What `check` passes, `test` can read and `play` can seat.
#[test]
fn check_reads_examples_and_nobody_plays_who_is_not_there() {
    let home = Home::new();
    assert!(home.run(&["check", "toy"], "").status.success());
    home.edit("rulesets/toy/examples/walk.yaml", "    map: ", "    mpa: ");
    let checked = home.run(&["check", "toy"], "");
    assert_eq!(checked.status.code(), Some(1));
    assert!(says(&checked).contains("`mpa`"), "{}", says(&checked));
    for (command, flag) in [("simulate", "--players"), ("play", "--seat")] {
        let refused = home.run(&[command, "toy", flag, "red=plain"], "");
        assert_eq!(refused.status.code(), Some(2), "{}", says(&refused));
        assert!(says(&refused).contains("`toy` has no player `plain`"), "{}", says(&refused));
    }
}

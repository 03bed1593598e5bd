//! Somebody else's rules: each file of `tests/hostile/rules/` tries to crash, hang, eat memory, write what it may not or
//! see the machine, and says what must come of it instead. `tests/hostile/README.md` says how a try is written.

use std::{
    collections::VecDeque,
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
    time::Duration,
};

use countermarch_core::{
    diagnostic::Diagnostics,
    library::Library,
    play::{Limits, NotTaken, Session, SessionError},
    ruleset::{self, Loaded, Ruleset, Selection},
    show::record_line,
    study::Player,
};
use countermarch_scripting::{Budget, Runtime};
use countermarch_tests::{
    child::{Bounds, to_try, try_in_child},
    library, load, play_at_random, root, toy,
};

const BOUNDS: Bounds = Bounds { wall: Duration::from_secs(120), memory: 1500 };
/// The word before what a child found, a line each.
const FOUND: &str = "found: ";
/// A line longer than this nobody reads.
const LONGEST_LINE: usize = 1500;

/// A try, as its file tells it.
#[derive(Default)]
struct Try {
    /// The file that the text is, or the function of the toy that it stands at the beginning of.
    place: String,
    /// File, old text, new text.
    edits: Vec<(String, String, String)>,
    /// What must be found.
    found: Vec<String>,
    /// What must not.
    never: Vec<String>,
    text: String,
}

impl Try {
    fn read(path: &Path) -> Try {
        let whole = fs::read_to_string(path).expect("a try is text");
        let mut read = Try::default();
        for line in whole.lines() {
            let told = line.strip_prefix("--> ").or_else(|| line.strip_prefix("#> "));
            let Some((key, value)) = told.and_then(|told| told.split_once(": ")) else {
                read.text.push_str(line);
                read.text.push('\n');
                continue;
            };
            match key {
                "tries" => (),
                "in" => read.place = value.to_owned(),
                "found" => read.found.push(value.to_owned()),
                "never" => read.never.push(value.to_owned()),
                "edit" => {
                    let (file, edit) = value.split_once(": ").expect("edit: FILE: OLD => NEW");
                    let (old, new) = edit.split_once(" => ").expect("edit: FILE: OLD => NEW");
                    let new = new.replace("\\n", "\n").replace("\\6", "\u{6}");
                    read.edits.push((file.to_owned(), old.to_owned(), new));
                }
                other => panic!("{}: `{other}` is not told of a try", path.display()),
            }
        }
        assert!(!read.found.is_empty(), "{}: nothing is said to be found", path.display());
        read
    }

    /// The toy, tampered with.
    fn content(&self) -> Library {
        let mut library = toy();
        let mut edit = |file: &str, old: &str, new: &str| {
            let file = format!("rulesets/toy/{file}");
            let before = library.text(&file).expect("the toy has that file").to_owned();
            assert!(before.contains(old), "`{old}` does not stand in {file}");
            library.insert(&file, before.replacen(old, new, 1));
        };
        self.edits.iter().for_each(|(file, old, new)| edit(file, old, new));
        match self.place.as_str() {
            "" => (),
            path if path.ends_with(".luau") => library.insert(&format!("rulesets/toy/{path}"), self.text.clone()),
            function => {
                let head = format!("function {function}()");
                let module = function.split('.').next().unwrap_or(function);
                edit(&format!("rules/{module}.luau"), &head, &format!("{head}\n{}", self.text));
            }
        }
        library
    }
}

#[test]
fn no_rule_crashes_hangs_or_takes_what_is_not_its_own() {
    if let Some(path) = to_try() {
        for line in meet(&Try::read(Path::new(&path)).content()) {
            println!("{FOUND}{line}");
        }
        return;
    }
    let tries = Mutex::new(tries().into_iter().collect::<VecDeque<_>>());
    let count = tries.lock().expect("nobody panics with it").len();
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = { tries.lock().expect("nobody panics with it").pop_front() } {
                    if let Err(how) = judge(&path) {
                        wrong.lock().expect("nobody panics with it").push(format!("{}: {how}", path.display()));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("nobody panics with it");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 40, "only {count} tries");
}

fn tries() -> Vec<PathBuf> {
    let folder = fs::read_dir(root().join("tests/hostile/rules")).expect("there are tries");
    let mut paths: Vec<_> = folder.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths
}

fn judge(path: &Path) -> Result<(), String> {
    let expected = Try::read(path);
    let printed = try_in_child("no_rule_crashes_hangs_or_takes_what_is_not_its_own", path, BOUNDS)?;
    let lines: Vec<&str> = printed.lines().filter_map(|line| line.split_once(FOUND).map(|(_, found)| found)).collect();
    let told = lines.join("\n");
    if let Some(missing) = expected.found.iter().find(|found| !told.contains(*found)) {
        return Err(format!("`{missing}` is not found in\n{told}"));
    }
    if let Some(seen) = expected.never.iter().find(|never| told.contains(*never)) {
        return Err(format!("`{seen}` is found in\n{told}"));
    }
    match lines.iter().find(|line| line.len() > LONGEST_LINE) {
        Some(line) => Err(format!("a line of {} bytes", line.len())),
        None => Ok(()),
    }
}

/// Loads the toy, plays it and goes on after what fails: all that was found.
fn meet(library: &Library) -> Vec<String> {
    let told = |found: &Diagnostics| found.list.iter().map(|d| d.one_line(library)).collect::<Vec<_>>();
    let (ruleset, mut found) = match Ruleset::load(library, "toy", &Selection::default()) {
        Ok(Loaded { ruleset, warnings }) => (ruleset, warnings),
        Err(found) => return told(&found),
    };
    countermarch_scripting::check(&ruleset, library, &mut found);
    let mut lines = told(&found);
    // What `check` only finds by reading is met in play all the same.
    let rules = match Runtime::new(ruleset.clone(), Budget::default()) {
        Ok(rules) => rules,
        Err(wrong) => {
            lines.extend(wrong.iter().map(|wrong| format!("at load: {wrong}")));
            return lines;
        }
    };
    let limits = Limits { verify: true, ..Limits::PLAY };
    let plain = ruleset.judgement(Player::PLAIN);
    let mut session = Session::new(ruleset, rules, 0, 1, limits);
    let mut wrong = session.advance().err().map(SessionError::from);
    for answers in 0..60 {
        let Some(question) = session.question().cloned().filter(|_| wrong.is_none()) else { break };
        let action = session.offers()[answers % session.offers().len()];
        let before = session.game().hash();
        if let Some(Err(failed)) = plain.map(|player| session.worths(player)) {
            lines.push(format!("the player: {failed}"));
        }
        assert_eq!(session.game().hash(), before, "who looks on changes nothing");
        wrong = session.act(question.by, action).err();
    }
    lines.push(wrong.as_ref().map_or("in play: nothing".into(), |wrong| format!("in play: {wrong}")));
    // What has failed fails again, and can be taken back.
    if session.question().is_none() && session.roll().is_none() && wrong.is_some() {
        let again = session.advance().err();
        assert_eq!(again.map(|w| w.to_string()), wrong.map(|w| w.to_string()), "it fails again as it did");
        let answers = session.entries();
        let back = session.take_back(0);
        assert!(
            answers == 0 || !matches!(back, Err(SessionError::NotTaken(NotTaken::NothingToTakeBack))),
            "it can be taken back"
        );
    }
    lines.extend(session.record().entries.iter().map(|entry| record_line(session.ruleset(), entry)));
    lines.push(format!("hash {:016x}", session.game().hash()));
    lines
}

#[test]
fn two_processes_play_the_same_game() {
    let path = root().join("tests/hostile/rules/looks_at_addresses.luau");
    let play = || try_in_child("no_rule_crashes_hangs_or_takes_what_is_not_its_own", &path, BOUNDS);
    let lines = |printed: String| {
        printed.lines().filter_map(|l| l.split_once(FOUND).map(|(_, l)| l.to_owned())).collect::<Vec<_>>()
    };
    let (one, other) = (lines(play().expect("plays")), lines(play().expect("plays")));
    assert!(one.len() > 3, "{one:?}");
    assert_eq!(one, other);
}

#[test]
fn the_games_that_stand_need_a_tenth_of_what_rules_may_use_up() {
    let library = library(&root());
    let whole = Budget::default();
    let budget = Budget { fuel: whole.fuel / 10, memory: whole.memory / 10, ..whole };
    for game in ruleset::available(&library) {
        let ruleset = load(&library, &game, &Selection::default());
        let rules = Runtime::new(ruleset.clone(), budget).expect("its rules load");
        let played = play_at_random(&ruleset, rules, 5, Limits { log: true, ..Limits::BULK }, 600, &mut |_| ());
        assert!(played.is_ok(), "{game}: {:?}", played.err());
    }
}

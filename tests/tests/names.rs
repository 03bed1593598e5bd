//! What lasts and what is drawn by lot hangs on names, never on numbers: a version that adds a unit, a verb, a question,
//! a property and a step changes no roll and no random choice elsewhere, and no record.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::Arc,
};

use countermarch_core::{
    library::Library,
    play::{Chance, Effect, Entry, Game, Limits, Match, Position, Session},
    ruleset::{Cite, Holder, Ruleset, Schema, Selection},
    show::{Sight, already_answered, read_record, record_line},
    study::choose_at_random,
};
use countermarch_scripting::Runtime;
use countermarch_tests::{load, play_at_random, root, rules, toy};

const LIMITS: Limits = Limits { log: true, ..Limits::BULK };

/// The toy game with more in front of everything it declares, so that all else is numbered otherwise. `also` is more text
/// to be replaced: file, old and new.
fn larger(also: &[(&str, &str, &str)]) -> Library {
    let adam = "units:\n  - { id: adam, name: Adam, side: red, type: foot, strength: 3 }\n";
    let everywhere = [
        ("ruleset.yaml", "units:\n  - { id: ann", &*format!("{adam}  - {{ id: ann")),
        ("ruleset.yaml", "boxes:\n", "boxes:\n  - { id: camp, name: camp }\n"),
        ("ruleset.yaml", "mood: [calm, shaken]", "mood: [merry, calm, shaken]"),
        ("ruleset.yaml", "  unit:\n    mood:", "  unit:\n    tired: { is: flag }\n    mood:"),
        ("tables.yaml", "verbs:\n", "verbs:\n  wave: { says: \"wave\" }\n"),
        (
            "tables.yaml",
            "chance:\n",
            "chance:\n  wind: { roll: \"Roll for the wind of {about}.\", about: side, cite: t/1 }\n",
        ),
        ("tables.yaml", "questions:\n", "questions:\n  march.greet: { ask: \"Do they wave?\", cite: t/1 }\n"),
        (
            "ruleset.yaml",
            "          - { name: march,",
            "          - { name: greet, cite: t/1, run: march.greet }\n          - { name: march,",
        ),
        (
            "ruleset.yaml",
            "by: [rules/march.move, movers/walk]",
            "by: [rules/march.move, rules/march.greet, movers/walk]",
        ),
    ];
    everywhere.iter().chain(also).fold(toy(), |library, replaced| changed(library, *replaced))
}

const GREETS: &str = "\n--- They may wave, and the wind blows.\n--- @cite t/1\nfunction march.greet()\n  \
                      ask(\"march.greet\", state.phasing(), nil, { wave = true, done = true })\n  \
                      roll(\"wind\", state.phasing())\nend\n";
const GREETS_NOT: &str = "\n--- Nobody waves.\n--- @cite t/1\nfunction march.greet()\nend\n";

fn with(rule: &str, also: &[(&str, &str, &str)]) -> Arc<Ruleset> {
    let begin = "--!strict\n-- Moving.\n";
    let march = format!("{begin}{rule}");
    load(&larger(&[&[("rules/march.luau", begin, &*march)][..], also].concat()), "toy", &Selection::default())
}

/// The answers by name, without those that only the larger game asks for.
fn shared(session: &Session<Runtime>) -> Vec<String> {
    let lines = session.record().entries.iter().map(|entry| record_line(session.ruleset(), entry));
    lines.filter(|line| !line.contains("[march.greet]") && !line.contains("[wind ")).collect()
}

#[test]
fn more_of_everything_changes_no_roll_and_no_choice_elsewhere() {
    let toy = load(&toy(), "toy", &Selection::default());
    let larger = with(GREETS, &[]);
    let mut waved = 0;
    for seed in 0..200 {
        let play = |ruleset: &Arc<Ruleset>| {
            play_at_random(ruleset, rules(ruleset), seed, LIMITS, usize::MAX, &mut |_| ()).expect("plays")
        };
        let (one, other) = (play(&toy), play(&larger));
        assert_eq!(shared(&one), shared(&other), "seed {seed}");
        assert_eq!(one.entries() + 12, other.entries(), "each player turn has a greeting and a wind");
        assert!(other.record().entries.iter().any(|entry| record_line(&larger, entry).ends_with("[wind blue]")));
        waved += other.record().entries.iter().filter(|e| record_line(&larger, e).contains("wave")).count();
    }
    assert!((450..750).contains(&waved), "of 1200 greetings {waved} were waved");
}

/// An event that was rolled for: turn and side, purpose and subject by their names, and which of several it was.
type Rolled = (i32, i32, String, usize);

/// What each event of a game came to.
fn rolls(ruleset: &Arc<Ruleset>, seed: u64) -> BTreeMap<Rolled, i32> {
    let played = play_at_random(ruleset, rules(ruleset), seed, LIMITS, usize::MAX, &mut |_| ()).expect("plays");
    let (mut turn, mut phasing) = (0, 0);
    let mut rolls: BTreeMap<Rolled, i32> = BTreeMap::new();
    for event in played.told() {
        match &event.effect {
            Effect::Set { column: Schema::TURN, value, .. } => turn = *value,
            Effect::Set { column: Schema::PHASING, value, .. } => phasing = *value,
            Effect::Rolled { chance, about, value, .. } => {
                let name = format!("{} {}", ruleset.chances[*chance as usize].purpose, ruleset.about(*about, true));
                let nth = (0..).find(|nth| !rolls.contains_key(&(turn, phasing, name.clone(), *nth)));
                rolls.insert((turn, phasing, name, nth.expect("some number is free")), *value);
            }
            _ => (),
        }
    }
    rolls
}

/// The two begin beside each other, so that they shoot.
const CLOSE: (&str, &str, &str) = ("scenarios/meeting.yaml", "at: \"2:0\"", "at: \"-1:0\"");

fn changed(mut library: Library, (file, old, new): (&str, &str, &str)) -> Library {
    let path = format!("rulesets/toy/{file}");
    let text = library.text(&path).expect("the toy has it");
    assert!(text.contains(old), "`{old}` does not stand in {file}");
    let text = text.replacen(old, new, 1);
    library.insert(&path, text);
    library
}

#[test]
fn one_more_who_fights_leaves_the_dice_of_the_others() {
    let stands = ("scenarios/meeting.yaml", "setup:\n", "setup:\n  - { unit: adam, at: \"0:2\" }\n");
    let toy = load(&changed(toy(), CLOSE), "toy", &Selection::default());
    let larger = with(GREETS, &[stands, CLOSE]);
    let (mut same, mut more) = (0, 0);
    for seed in 0..300 {
        let (one, other) = (rolls(&toy, seed), rolls(&larger, seed));
        for (event, value) in &other {
            match one.get(event) {
                Some(known) => {
                    assert_eq!(known, value, "seed {seed}: {event:?}");
                    same += 1;
                }
                None => more += 1,
            }
        }
    }
    assert!(same > 30 && more > 100, "{same} events in both, {more} in one");
}

#[test]
fn a_die_added_to_a_handful_leaves_the_others_as_they_are() {
    let once = "roll(\"fire\", target) + unit.strength(u)";
    let twice = "math.max(roll(\"fire\", target), roll(\"fire\", target)) + unit.strength(u)";
    // Nobody is hit, so that everybody is shot at again and again.
    let missing = changed(changed(toy(), CLOSE), ("rules/fire.luau", "> 5 then", "> 99 then"));
    let one = load(&missing, "toy", &Selection::default());
    let two = load(&changed(missing, ("rules/fire.luau", once, twice)), "toy", &Selection::default());
    let mut shots = 0;
    for seed in 0..200 {
        let (one, two) = (rolls(&one, seed), rolls(&two, seed));
        let first: Vec<i32> = two.iter().filter(|((.., nth), _)| nth % 2 == 0).map(|(_, value)| *value).collect();
        assert_eq!(one.values().copied().collect::<Vec<i32>>(), first, "seed {seed}");
        shots += one.len();
    }
    assert!(shots > 50, "{shots} shots");
}

#[test]
fn a_record_fits_a_version_that_declares_more() {
    let (toy, larger) = (load(&toy(), "toy", &Selection::default()), with(GREETS_NOT, &[]));
    for seed in 0..20 {
        let whole = play_at_random(&toy, rules(&toy), seed, LIMITS, usize::MAX, &mut |_| ()).expect("plays");
        let mut text = countermarch_core::show::RecordHeader::new(&toy, &[], "meeting", seed).to_string();
        whole.record().entries.iter().for_each(|entry| text += &format!("{}\n", record_line(&toy, entry)));
        let read = read_record(&text).expect("it is a record").entries(&larger).expect("all names are known");
        let play = |ruleset: &Arc<Ruleset>, entries: &mut dyn Iterator<Item = Entry>| {
            let limits = Limits { forced: false, ..LIMITS };
            let mut session = Session::new(ruleset.clone(), rules(ruleset), 0, seed, limits);
            session.chance = Chance::Person;
            session.advance().expect("play begins");
            let mut hashes = vec![session.game().hash()];
            for (number, entry) in entries.enumerate() {
                session.replay_entry(number, &entry).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
                hashes.push(session.game().hash());
            }
            hashes
        };
        let hashes = play(&toy, &mut whole.record().entries.iter().copied());
        assert!(hashes.iter().collect::<BTreeSet<_>>().len() > 4, "seed {seed}: {hashes:?}");
        assert_eq!(hashes, play(&larger, &mut read.entries.iter().copied()), "seed {seed}");
    }
}

#[test]
fn an_older_record_is_read_and_written_anew_by_names() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("it is there");
    let (older, newer) = (read("tests/older/march-2.march"), read("tests/games/random-against-random.march"));
    let ruleset = load(&countermarch_tests::library(&root()), "gettysburg-corps", &Selection::default());
    let entries = |text: &str| read_record(text).expect("it is a record").entries(&ruleset).expect("names are known");
    assert_eq!(entries(&older), entries(&newer));
    assert!(!read_record(&older).expect("it is a record").header.has_hashes_of_names());
}

/// The same position by way of its text.
fn written_and_read(m: &Match) -> Position {
    serde_json::from_str(&serde_json::to_string(&m.position()).expect("it can be written")).expect("it can be read")
}

/// Plays on for so many answers; each as a line.
fn goes_on(rules: Runtime, m: Match, answers: usize) -> (Vec<String>, u64) {
    let mut session = Session::of(rules, m);
    let before = session.entries();
    session.advance().expect("it goes on");
    while let Some(question) = session.question().cloned().filter(|_| session.entries() < before + answers) {
        let action = choose_at_random(session.game(), &question, session.offers(), session.record().seed);
        session.act(question.by, action).expect("what is offered is allowed");
    }
    let lines = session.record().entries.from(before).map(|entry| record_line(session.ruleset(), entry));
    (lines.collect(), session.game().hash())
}

#[test]
fn a_position_is_taken_up_as_it_was_written() {
    for (id, scenario) in [("gettysburg-77", 0), ("gettysburg-corps", 0)] {
        let ruleset = load(&countermarch_tests::library(&root()), id, &Selection::default());
        let mut compared = 0;
        let mut session = Session::new(ruleset.clone(), rules(&ruleset), scenario, 3, LIMITS);
        session.advance().expect("play begins");
        for number in 0..240 {
            let Some(question) = session.question().cloned() else { break };
            if number % 12 == 0 && session.answers_of_task() == 0 {
                compared += 1;
                let m = session.fork();
                let (again, misfits) = Match::from_position(ruleset.clone(), &written_and_read(&m), LIMITS);
                assert_eq!(misfits, []);
                assert_eq!(goes_on(rules(&ruleset), again, 40), goes_on(rules(&ruleset), m, 40), "after {number}");
            }
            let action = choose_at_random(session.game(), &question, session.offers(), 3);
            session.act(question.by, action).expect("what is offered is allowed");
        }
        assert!(compared > 3, "{id}: {compared}");
    }
}

#[test]
fn another_version_takes_up_what_it_has_and_tells_the_rest() {
    let (toy, larger) = (load(&toy(), "toy", &Selection::default()), with(GREETS, &[]));
    let tired = |by_hand: &mut Game| {
        let column = larger.schema.column(Holder::Unit, "tired").expect("it is declared");
        let (unit, cite) = (larger.unit("ann").expect("she is there"), Cite::NONE);
        by_hand.apply(Effect::Set { column, of: unit, value: 1, cite }).expect("it fits");
        let (unit, to) = (larger.unit("adam").expect("he is there"), 3);
        by_hand.apply(Effect::Place { unit, to, cite }).expect("it fits");
    };
    for seed in 0..20 {
        let m = play_at_random(&toy, rules(&toy), seed, LIMITS, 2, &mut |_| ()).expect("plays").fork();
        let position = written_and_read(&m);
        let (taken, misfits) = Match::from_position(larger.clone(), &position, LIMITS);
        assert_eq!(misfits, []);
        assert_eq!(Position { game: position.game.clone(), ..taken.position() }, position, "seed {seed}");
        let mut session = Session::new(larger.clone(), rules(&larger), 0, seed, LIMITS);
        session.by_hand(tired);
        session.advance().expect("play begins");
        let (back, misfits) = Match::from_position(toy.clone(), &session.fork().position(), LIMITS);
        let misfits: Vec<&str> = misfits.iter().map(|misfit| misfit.0.as_str()).collect();
        assert_eq!(
            misfits,
            [
                "there is no unit `adam`",
                "unit `ann` has no property `tired`",
                "there is no rule `march.greet`: it is not carried out",
                "there is no step `greet: march.greet`: play goes on as the sequence begins",
            ]
        );
        assert!(goes_on(rules(&toy), back, 3).0.len() >= 3);
    }
}

/// What the engine answers by itself need not be said, and whoever says it all the same has not said what comes next.
#[test]
fn a_line_that_says_what_is_answered_already_goes_on_behind_that() {
    let ruleset = load(&toy(), "toy", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 3, LIMITS);
    session.advance().expect("it begins");
    let question = session.question().cloned().expect("somebody is asked");
    let ann = ruleset.unit("ann").expect("a unit of the toy");
    let action = *session.offers().iter().find(|action| action.values[0] == ann).expect("she may move");
    let answered = [Entry::Side { by: question.by, key: question.key, about: question.about, action }];
    let says = |by: i32, line: &str| already_answered(session.game(), by, &answered, line, Sight::ALL);
    for line in ["move ann, 0:1", "ann, 0:1", "Ann , 0:1"] {
        assert_eq!(says(question.by, line), Some((0, "0:1".to_owned())), "{line}");
    }
    for line in ["bob, 0:1", "move bob", "done", "0:1, ann", ""] {
        assert_eq!(says(question.by, line), None, "{line}");
    }
    assert_eq!(says(1 - question.by, "ann"), None, "it was another who answered so");
}

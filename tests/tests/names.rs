//! What lasts and what is drawn by lot hangs on names, never on numbers: a version that adds a unit, a verb, a question,
//! a property and a step changes no roll and no random choice elsewhere, and no record.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::Arc,
};

use countermarch_core::{
    library::Library,
    play::{Chance, Effect, Entry, Limits, Session},
    ruleset::{Ruleset, Schema, Selection},
    show::{read_record, record_line},
};
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
        ("tables.yaml", "chance:\n", "chance:\n  wind: { roll: \"Roll for the wind.\", cite: t/1 }\n"),
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
                      roll(\"wind\", nil)\nend\n";
const GREETS_NOT: &str = "\n--- Nobody waves.\n--- @cite t/1\nfunction march.greet()\nend\n";

fn with(rule: &str, also: &[(&str, &str, &str)]) -> Arc<Ruleset> {
    let begin = "--!strict\n-- Moving.\n";
    let march = format!("{begin}{rule}");
    load(&larger(&[&[("rules/march.luau", begin, &*march)][..], also].concat()), "toy", &Selection::default())
}

/// The answers by name, without those that only the larger game asks for.
fn shared(session: &Session<countermarch_scripting::Runtime>) -> Vec<String> {
    let lines = session.record().entries.iter().map(|entry| record_line(session.ruleset(), entry));
    lines.filter(|line| !line.contains("[march.greet]") && !line.contains("[wind]")).collect()
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

//! What is asserted of a scenario, held against its games.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    play::{Limits, Match, Session},
    ruleset::{Ruleset, Selection},
    study::{Gauge, Kept, Played, Player, Series, failing, play_out, trial},
};
use countermarch_tests::{library, load, root, rules, toy};

const ASSERTED: &str = "assert:
  ann-lives: { says: \"Ann lives.\", when: \"not in-box(ann, lost)\", in: 9 of 10 }
  bob-falls: { says: \"Bob falls.\", when: \"in-box(bob, lost)\", in: all }
  early: { says: \"Bob has not fallen in turn 1.\", when: \"on-map(bob)\", at: { place: turn, turns: [1] }, in: 1 of 2 }
";

fn asserting(text: &str) -> Library {
    let mut library = toy();
    let path = "rulesets/toy/scenarios/meeting.yaml";
    let whole = format!("{}{text}", library.text(path).expect("there is one"));
    library.insert(path, whole);
    library
}

fn played(ruleset: &Arc<Ruleset>, games: u64, jobs: usize) -> Vec<Played> {
    let scenario = ruleset.scenario("meeting").expect("there is one");
    let players = vec![Player::Random; ruleset.sides.len()];
    let series = Series { scenario, seed: 1, games, players, limits: Limits::BULK, when: None, jobs };
    series.play(ruleset, || Ok::<_, ()>(rules(ruleset)), |_| ()).expect("the rules were checked")
}

/// The toy game in which Ann and Bob shoot all they can: Bob never falls unless Ann hits him.
#[test]
fn it_is_counted_in_how_many_games_an_assertion_is_kept() {
    let ruleset = load(&asserting(ASSERTED), "toy", &Selection::default());
    let all = played(&ruleset, 400, 1);
    let scenario = ruleset.scenario("meeting").expect("there is one");
    let kept = Kept::of(&ruleset.scenarios[scenario].asserted, &all);
    let held: Vec<(&str, u64, bool)> = kept.iter().map(|k| (&*k.assertion.id, k.held, k.is_kept())).collect();
    // Counted once more by what came of each game.
    let mut session = Session::of(rules(&ruleset), Match::new(ruleset.clone(), scenario, 1, Limits::BULK));
    let lost = ruleset.map.len() as i32;
    let [mut ann_lives, mut bob_falls] = [0, 0];
    for game in &all {
        let begun = Match::new(ruleset.clone(), scenario, game.seed, Limits::BULK);
        assert!(session.take_up(begun).is_ok());
        play_out(&mut session, &vec![Player::Random; 2]);
        ann_lives += u64::from(session.game().place(0) != lost);
        bob_falls += u64::from(session.game().place(1) == lost);
    }
    assert_eq!(held[0], ("ann-lives", ann_lives, true));
    assert_eq!(held[1], ("bob-falls", bob_falls, false));
    assert!(held[2].1 >= 400 - bob_falls, "who stands at the end stood in the first turn");
    assert!(bob_falls > 0 && ann_lives < 400 && kept[0].is_certain() && kept[1].is_certain());
    assert_eq!(kept[1].failing.len(), Kept::TOLD);
    let of_two = played(&ruleset, 400, 2);
    assert!(all.iter().zip(&of_two).all(|(one, other)| (one.seed, &one.kept) == (other.seed, &other.kept)));
}

/// A space of the map goes by its name, a number too, and has its properties.
#[test]
fn what_is_asserted_may_be_about_a_space_by_its_name() {
    let asserting = |id: &str, file: &str, when: &str| {
        let mut library = library(&root());
        let path = format!("rulesets/{id}/scenarios/{file}.yaml");
        let asserted = format!("assert:\n  it: {{ says: \"so\", when: \"{when}\", in: all }}\n");
        let text = format!("{}{asserted}", library.text(&path).expect("there is one"));
        library.insert(&path, text);
        Ruleset::load(&library, id, &Selection::default())
    };
    let loaded = asserting("tmag", "culps-hill", "35.held = union or slocum.space = 31").expect("spaces are numbers");
    let scenario = loaded.ruleset.scenario("culps-hill").expect("there is one");
    let looked = format!("{:?}", loaded.ruleset.scenarios[scenario].asserted[0].when);
    let [here, there] = ["35", "31"].map(|name| loaded.ruleset.map.find(name).expect("on the map").0.to_string());
    assert!(looked.contains(&format!("Const({here})")) && looked.contains(&format!("Const({there})")), "{looked}");
    assert!(asserting("gettysburg-77", "july-2", "MM20.held = union and distance(law, MM20) < 3").is_ok());
    let wrong = asserting("gettysburg-77", "july-2", "mm20.held = union").expect_err("not written so");
    assert_eq!(wrong.list[0].help, "did you mean `MM20`?");
}

#[test]
fn a_game_that_fails_says_in_which_turn_it_did() {
    let asserted = "assert:\n  never: { says: \"never\", when: \"false\", at: { place: turn, turns: [1] }, in: all }\n";
    let ruleset = load(&asserting(asserted), "toy", &Selection::default());
    let scenario = ruleset.scenario("meeting").expect("there is one");
    let begin = || Match::new(ruleset.clone(), scenario, 1, Limits::BULK);
    let mut session = Session::of(rules(&ruleset), begin());
    let found = failing(&mut session, begin(), &[Player::Random, Player::Random], 0).expect("it is played so far");
    assert_eq!(session.game().turn(), 2, "play has gone on since");
    assert_eq!(found.turn, ruleset.turn_name(1));
}

#[test]
fn a_comparison_measures_what_is_asserted() {
    let ruleset = load(&asserting(ASSERTED), "toy", &Selection::default());
    let scenario = ruleset.scenario("meeting").expect("there is one");
    let gauges = Gauge::all(&ruleset, scenario);
    let at = |id: &str| gauges.iter().position(|gauge| gauge.id == id).expect("it is measured");
    let begin = |seed| Match::new(ruleset.clone(), scenario, seed, Limits::BULK);
    let mut session = Session::of(rules(&ruleset), begin(1));
    let players = vec![Player::Random; ruleset.sides.len()];
    for game in played(&ruleset, 60, 1) {
        let trial = trial(&mut session, begin(game.seed), &players, &gauges);
        let asserted = ["ann-lives", "bob-falls", "early"].map(|id| trial.values[at(&format!("asserted.{id}"))] == 1);
        assert_eq!(asserted.to_vec(), game.kept, "seed {}", game.seed);
    }
}

#[test]
fn of_a_game_that_failed_it_is_told_what_stood_in_the_way() {
    let text = "assert:
  ann-far: { says: \"Ann is lost.\", when: \"in-box(ann, lost)\", at: { place: turn, turns: [2] }, in: all }
";
    let ruleset = load(&asserting(text), "toy", &Selection::default());
    let scenario = ruleset.scenario("meeting").expect("there is one");
    let all = played(&ruleset, 30, 1);
    let seed = all.iter().find(|game| !game.kept[0]).expect("she seldom is").seed;
    // What is told is kept only where it is asked for.
    let limits = Limits { log: true, ..Limits::BULK };
    let begin = |seed| Match::new(ruleset.clone(), scenario, seed, limits);
    let mut session = Session::of(rules(&ruleset), begin(seed));
    let players = vec![Player::Random; ruleset.sides.len()];
    let found = failing(&mut session, begin(seed), &players, 0).expect("it can be played again");
    assert_eq!((found.seed, found.turn.as_str()), (seed, "turn 2"), "it failed as turn 2 was left");
    let told = found.told.expect("she moves");
    assert!(told.says.contains("Ann") && told.says.contains("[t/"), "{told:?}");
    assert_eq!(told.rule, "", "several rules may have been at work since somebody was asked");
    // She has moved already, or stays: there is a refusal, or she was passed over.
    assert!(found.refused.is_some() || found.passed_over.is_some());
    // The session is as good as before.
    assert_eq!(play_out(&mut session, &players).wrong.is_none(), session.game().outcome().is_some());
}

#[test]
fn assertions_change_no_game_and_no_record() {
    let (plain, asserting) = (toy(), asserting(ASSERTED));
    let [one, other] = [&plain, &asserting].map(|library| load(library, "toy", &Selection::default()));
    assert_eq!(one.parts, other.parts);
    let both = [played(&one, 40, 1), played(&other, 40, 1)].map(|all| all.iter().map(|g| g.hash).collect::<Vec<_>>());
    assert_eq!(both[0], both[1]);
}

#[test]
fn a_file_may_assert_and_faults_are_told_with_line_and_help() {
    let with = |text: &str| {
        let mut library = toy();
        library.insert("mine.yaml", text);
        Ruleset::load(&library, "toy", &Selection { assert: Some("mine.yaml".into()), ..Selection::default() })
    };
    let fine = with(ASSERTED).expect("it is in order").ruleset;
    assert!(fine.scenarios.iter().all(|scenario| scenario.asserted.len() == 3));
    assert_eq!(fine.scenarios[0].asserted[0].about, Some(0), "Ann, whom the condition names");
    let one = |body: &str| format!("assert:\n  it: {{ says: \"x\", {body} }}\n");
    for (text, code, told) in [
        (one("when: \"on-map(ann)\", in: most"), "type", "`most` says not in how many games"),
        (one("when: \"on-map(ann)\", in: 9 of 8"), "type", "`9 of 8` says not"),
        (one("when: \"on-map(ann)\", in: all, at: trun"), "unknown-name", "`trun` is no place of the sequence"),
        (one("when: \"on-map(anne)\", in: all"), "row", "anne"),
        (one("when: \"on-map(ann)\", in: all, about: anne"), "unknown-name", "there is no unit `anne`"),
        (one("in: all"), "missing", "when"),
        (one("when: \"on-map(ann)\", in: all, wehn: x"), "unknown-key", "wehn"),
        ("asserts: {}\n".to_owned(), "missing", "assert"),
    ] {
        let found = with(&text).expect_err("it is wrong");
        let wrong = found.list.iter().find(|one| one.message.contains(told) || one.help.contains(told));
        let wrong = wrong.unwrap_or_else(|| panic!("{text}: {:?}", found.list));
        assert_eq!((wrong.code, &*wrong.span.file), (code, "mine.yaml"), "{text}: {wrong:?}");
    }
}

#[test]
fn an_assertion_about_nobody_is_told_without_a_counter() {
    let text = "assert:\n  long: { says: \"It is long.\", when: \"turn > 9\", in: all }\n";
    let ruleset = load(&asserting(text), "toy", &Selection::default());
    let scenario = ruleset.scenario("meeting").expect("there is one");
    let begin = |seed| Match::new(ruleset.clone(), scenario, seed, Limits::BULK);
    let mut session = Session::of(rules(&ruleset), begin(1));
    let found = failing(&mut session, begin(1), &vec![Player::Random; 2], 0).expect("it can be played again");
    assert_eq!((found.told, found.refused, found.passed_over), (None, None, None));
    assert!(found.answers > 0);
}

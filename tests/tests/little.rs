//! Little games, written as anybody would write them along `rulesets/README.md`: they are sound, and they end.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    play::{Chance, Limits, Session},
    ruleset::{Ruleset, Selection, available},
    show::{RecordHeader, read_record, record_line},
    study::{Choice, run_examples},
};
use countermarch_scripting::{Budget, Runtime};
use countermarch_tests::{library, load, play_at_random, root, rules};

/// Every task is carried out twice, and after each what always holds is looked at.
const VERIFY: Limits = Limits { verify: true, ..Limits::BULK };
const GAMES: u64 = if cfg!(debug_assertions) { 100 } else { 1000 };
/// One game in so many is played again from its record.
const SAMPLE: u64 = 20;

fn little() -> (Library, Vec<String>) {
    let library = library(&root().join("tests/little"));
    let ids = available(&library);
    assert!(ids.len() >= 2, "only {ids:?}");
    (library, ids)
}

#[test]
fn every_little_game_is_without_fault_and_passes_its_examples() {
    let (library, ids) = little();
    for id in ids {
        let ruleset = load(&library, &id, &Selection::default());
        let report = run_examples(&library, &ruleset, Choice::default(), &mut |ruleset| {
            Runtime::new(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
        });
        let failed: Vec<String> =
            report.failed.iter().map(|f| format!("{}: {}: {}", f.at, f.name, f.message)).collect();
        assert!(failed.is_empty(), "{}", failed.join("\n"));
        assert!(report.examples >= 8, "{id} has only {} examples", report.examples);
    }
}

#[test]
fn every_little_game_ends_and_replays_from_its_record() {
    let (library, ids) = little();
    for id in ids {
        let ruleset = load(&library, &id, &Selection::default());
        let mut kept = Some(rules(&ruleset));
        for seed in 0..GAMES {
            let rules = kept.take().expect("rules come back after every game");
            let played = play_at_random(&ruleset, rules, seed, VERIFY, usize::MAX, &mut |_| ());
            let session = played.unwrap_or_else(|wrong| panic!("{id}, seed {seed}: {wrong}"));
            assert!(session.game().outcome().is_some(), "{id}, seed {seed}: no end");
            if seed % SAMPLE == 0 {
                let mut text = RecordHeader::new(&ruleset, &[], &ruleset.scenarios[0].id, seed).to_string();
                for entry in session.record().entries.iter() {
                    text.push_str(&record_line(&ruleset, entry));
                    text.push('\n');
                }
                let again = replay(&ruleset, &text, seed);
                assert_eq!(again.game().hash(), session.game().hash(), "{id}, seed {seed}");
                assert_eq!(again.game().outcome(), session.game().outcome(), "{id}, seed {seed}");
            }
            kept = Some(session.into_rules());
        }
    }
}

/// Plays what a record says, as text.
fn replay(ruleset: &Arc<Ruleset>, text: &str, seed: u64) -> Session<Runtime> {
    let record = read_record(text).and_then(|text| text.entries(ruleset)).expect("the record reads");
    let mut session = Session::new(ruleset.clone(), rules(ruleset), 0, seed, Limits { forced: false, ..VERIFY });
    session.chance = Chance::Person;
    session.advance().expect("begins");
    for (number, entry) in record.entries.iter().enumerate() {
        session.replay_entry(number, entry).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    }
    session
}

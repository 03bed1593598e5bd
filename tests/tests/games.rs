//! Every record ever committed to `tests/games/` keeps replaying to the state it says.

use std::fs;

use countermarch_core::{
    play::{Chance, Limits, Session},
    ruleset::{Selection, VersionName},
    show::{Hash, read_record},
};
use countermarch_tests::{library, load, root, rules};

#[test]
fn every_committed_game_replays_to_the_state_it_says() {
    let library = library(&root());
    let mut count = 0;
    for entry in fs::read_dir(root().join("tests/games")).expect("there are games") {
        let path = entry.expect("a file").path();
        let name = path.display().to_string();
        let text = fs::read_to_string(&path).expect("a record is text");
        let text = read_record(&text).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        let (id, version) = text.header.game.split_once('@').expect("a record names its version");
        let version = VersionName::parse(version);
        let ruleset = load(&library, id, &Selection { version, set: text.header.set.clone(), ..Selection::default() });
        let record = text.entries(&ruleset).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        let scenario = ruleset.scenario(&text.header.scenario).expect("a scenario of the game");
        let limits = Limits { undo: false, verify: true, log: true, forced: false };
        let mut session = Session::new(ruleset.clone(), rules(&ruleset), scenario, text.header.seed, limits);
        session.chance = Chance::Person;
        session.advance().expect("begins");
        let hashes: Vec<Hash> = text.hashes.iter().filter(|_| text.header.has_hashes_of_names()).copied().collect();
        for (number, entry) in record.entries.iter().enumerate() {
            let line = &text.lines[number];
            session.replay_entry(number, entry).unwrap_or_else(|wrong| panic!("{name}:{}: {wrong}", line.0));
            if let Some(Hash { hash, .. }) = hashes.iter().find(|hash| hash.at == number + 1) {
                assert_eq!(session.game().hash(), *hash, "{name}:{}: another state", line.0);
            }
        }
        assert!(
            text.hashes.last().is_some_and(|hash| hash.at == record.entries.len()),
            "{name} does not end with its hash"
        );
        count += 1;
    }
    assert!(count >= 3, "only {count} games");
}

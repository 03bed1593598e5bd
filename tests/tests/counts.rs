//! Perft for wargames: how many answers there are, and how many pairs and triples of answers. One number that
//! changes shows at once that a rule offers more, or less, than it did.

use std::fs;

use countermarch_core::{
    play::{Chance, Limits, Session},
    ruleset::Selection,
    show::read_record,
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, root, rules};

/// Answers to the waiting question, each followed by each answer to the next one, so many deep.
fn answers(session: &mut Session<Runtime>, deep: usize) -> usize {
    let Some(by) = session.question().map(|q| q.by) else { return 0 };
    let offers = session.offers().to_vec();
    if deep == 1 {
        return offers.len();
    }
    let before = session.entries();
    let mut count = 0;
    for action in offers {
        session.act(by, action).expect("what is offered is taken");
        count += answers(session, deep - 1);
        session.take_back(before).expect("it is taken back");
    }
    count
}

#[test]
fn positions_of_the_corps_game_offer_as_much_as_ever() {
    let text = read_record(fs::read(root().join("tests/games/random-against-random.march")).expect("it is there"));
    let text = text.expect("it is a record");
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let record = text.entries(&ruleset).expect("its names are known");
    let limits = Limits { undo: true, ..Limits::BULK };
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, record.seed, limits);
    session.chance = Chance::Person;
    session.limits.forced = false;
    session.advance().expect("play begins");
    let mut counted = Vec::new();
    // The beginning, a march, and rounds in which many may move.
    let looked_at = [(0, 3), (44, 2), (149, 2), (259, 2)];
    for (number, entry) in record.entries.iter().enumerate() {
        if let Some((_, deep)) = looked_at.iter().find(|(at, _)| *at == number) {
            let (rules, m) = session.put_down();
            let mut looking = Session::of(rules, m.clone());
            (looking.chance, looking.limits.forced) = (Chance::Keyed, true);
            looking.take_back(number).expect("it is where it is");
            let hash = looking.game().hash();
            let key = looking.question().map(|q| ruleset.question(q).key.clone()).unwrap_or_default();
            let counts: Vec<usize> = (1..=*deep).map(|deep| answers(&mut looking, deep)).collect();
            assert_eq!(looking.game().hash(), hash, "everything was taken back");
            counted.push((number, key, counts));
            session = Session::of(looking.into_rules(), m);
        }
        session.replay_entry(number, entry).expect("it fits");
    }
    let expected: [(usize, &str, &[usize]); 4] = [
        (0, "movement.unit", &[2, 102, 809]),
        (44, "movement.to", &[99, 1485]),
        (149, "movement.unit", &[15, 1156]),
        (259, "movement.unit", &[12, 980]),
    ];
    let counted: Vec<(usize, &str, &[usize])> =
        counted.iter().map(|(at, key, counts)| (*at, key.as_str(), counts.as_slice())).collect();
    assert_eq!(counted, expected);
}

//! Perft for wargames: how many answers there are, and how many pairs and triples of answers. One number that
//! changes shows at once that a rule offers more, or less, than it did.

use countermarch_core::{
    play::{Limits, Session},
    ruleset::Selection,
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, play_at_random, root, rules};

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
    let library = library(&root());
    let ruleset = load(&library, "gettysburg-corps", &Selection::default());
    let limits = Limits { undo: true, ..Limits::BULK };
    let mut counted = Vec::new();
    // The campaign's beginning, then three positions of a random game: a march, a night, a battle.
    for (seed, at, deep) in [(1863, 0, 3), (1863, 60, 2), (1863, 144, 3), (1863, 185, 3)] {
        let mut session =
            play_at_random(&ruleset, rules(&ruleset), seed, limits, at, &mut |_| ()).expect("a random game goes on");
        let hash = session.game().hash();
        let key = session.question().map(|q| ruleset.question(q).key.clone()).unwrap_or_default();
        let counts: Vec<usize> = (1..=deep).map(|deep| answers(&mut session, deep)).collect();
        assert_eq!(session.game().hash(), hash, "everything was taken back");
        counted.push((at, key, counts));
    }
    let expected: [(usize, &str, &[usize]); 4] = [
        (0, "movement.unit", &[2, 104, 1000]),
        (60, "movement.unit", &[19, 923]),
        (144, "rally.place", &[3, 50, 4342]),
        (185, "combat.attacker", &[2, 6, 19]),
    ];
    let counted: Vec<(usize, &str, &[usize])> =
        counted.iter().map(|(at, key, counts)| (*at, key.as_str(), counts.as_slice())).collect();
    assert_eq!(counted, expected);
}

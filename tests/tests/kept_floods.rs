//! Moves of units that stand together and are alike share one flood: it comes to what each comes to by itself.

use std::thread;

use countermarch_core::{
    play::Limits,
    ruleset::{Selection, VersionName},
};
use countermarch_tests::{library, load, play_at_random, root, rules};

/// Holds where units come to, asked one after the other, to what a thread finds that has been asked nothing before.
fn compare(game: &str, answers: usize, shared_at_least: usize) {
    let (id, version) = game.split_once('@').expect("a version is named");
    let selection = Selection { version: VersionName::parse(version), ..Selection::default() };
    let ruleset = load(&library(&root()), id, &selection);
    let (mut at, mut compared, mut shared) = (0, 0, 0);
    let mut watch = |session: &mut countermarch_core::play::Session<_>| {
        at += 1;
        if at % 40 != 0 {
            return;
        }
        let game = session.game();
        for mover in 0..ruleset.movers.len() as u16 {
            let likeness = ruleset.movers[usize::from(mover)].likeness.as_ref();
            let mut before: Vec<i32> = Vec::new();
            for unit in (0..ruleset.units.len() as i32).filter(|unit| game.space_of(*unit) >= 0) {
                let Some(m) = game.move_of(mover, unit, None) else { continue };
                let together = game.reached(&m);
                let copy = game.clone();
                let alone = thread::spawn(move || copy.reached(&m)).join().expect("it can be asked");
                assert_eq!(together, alone, "{} in {}", ruleset.units[unit as usize].name, ruleset.id);
                compared += 1;
                let is_alike = |other: &i32| {
                    game.space_of(*other) == game.space_of(unit)
                        && likeness.is_some_and(|likeness| game.are_alike(likeness, *other, unit))
                };
                shared += usize::from(before.iter().any(is_alike));
                before.push(unit);
            }
        }
    };
    play_at_random(&ruleset, rules(&ruleset), 5, Limits::BULK, answers, &mut watch).expect("the game plays");
    assert!(shared >= shared_at_least && compared > shared, "{shared} of {compared} stand with one who is alike");
}

#[test]
fn areas_with_stacks_of_twelve() {
    compare("tmag@base", 400, 150);
    compare("tmag@errata-1997-05", 400, 150);
}

//! What is kept from question to question, and shared by units that stand together and are alike, comes to what a game finds
//! that has kept nothing: where moves lead, and who is in sets.

use countermarch_core::{
    play::{Game, Limits, Session},
    ruleset::{Kind, Ruleset, Selection, VersionName},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, play_at_random, root, rules};

/// Asks of a position, as a question does, where each unit that stands somewhere comes to, and asks a copy that has kept
/// nothing. How many were asked, and how many of them stood with one who is alike.
fn compare_floods(game: &Game) -> [usize; 2] {
    let ruleset = &game.ruleset;
    let (mut compared, mut shared) = (0, 0);
    for mover in 0..ruleset.movers.len() as u16 {
        let likeness = ruleset.movers[usize::from(mover)].likeness.as_ref();
        let mut before: Vec<i32> = Vec::new();
        for unit in (0..ruleset.units.len() as i32).filter(|unit| game.space_of(*unit) >= 0) {
            let Some(m) = game.move_of(mover, unit, None) else { continue };
            let alone = game.clone().reached(&m);
            assert_eq!(game.reached(&m), alone, "{} in {}", ruleset.units[unit as usize].name, ruleset.id);
            compared += 1;
            let is_alike = |other: &i32| {
                game.space_of(*other) == game.space_of(unit)
                    && likeness.is_some_and(|likeness| game.are_alike(likeness, *other, unit))
            };
            shared += usize::from(before.iter().any(is_alike));
            before.push(unit);
        }
    }
    [compared, shared]
}

/// The same of every set and of whom every guard lets pass, given the first of what they may be given, and those at a quarter,
/// a half and three quarters. How many were not empty.
fn compare_sets(game: &Game) -> usize {
    let ruleset: &Ruleset = &game.ruleset;
    let given = |kinds: &[(String, Kind)], share: usize| -> Option<Vec<i32>> {
        let one = |kind: Kind| match kind {
            Kind::Unit => Some(ruleset.units.len() * share / 4),
            Kind::Space => Some(ruleset.map.len() * share / 4),
            Kind::Side => Some(share % ruleset.sides.len()),
            Kind::Flag | Kind::Int => Some(share % 2),
            _ => None,
        };
        kinds.iter().map(|(_, kind)| one(*kind).map(|one| one as i32)).collect()
    };
    let mut found = 0;
    for share in 0..4 {
        for (at, set) in (0..).zip(&ruleset.sets) {
            let Some(given) = given(&set.given, share) else { continue };
            let kept = game.members_given(at, &given);
            assert_eq!(kept, game.clone().members_given(at, &given), "{} of {}", set.name, ruleset.id);
            found += usize::from(!kept.is_empty());
        }
        for (at, rows) in (0..).zip(&ruleset.rows).filter(|(_, rows)| !rows.candidates.is_empty()) {
            let Some(given) = given(&rows.given[1..], share) else { continue };
            let kept = game.passing(at, &given);
            assert_eq!(kept, game.clone().passing(at, &given), "{} of {}", rows.name, ruleset.id);
            found += usize::from(!kept.is_empty());
        }
    }
    found
}

/// Plays at random, each task carried out, put back and carried out again; looks at each position, so that whatever was kept of
/// the one before is asked about, and at every fortieth at all floods.
fn compare(game: &str, answers: usize, shared_at_least: usize) {
    let (id, version) = game.split_once('@').expect("a version is named");
    let selection = Selection { version: VersionName::parse(version), ..Selection::default() };
    let ruleset = load(&library(&root()), id, &selection);
    let limits = Limits { verify: true, ..Limits::BULK };
    let (mut at, mut compared, mut shared, mut found) = (0, 0, 0, 0);
    let mut watch = |session: &mut Session<Runtime>| {
        at += 1;
        found += compare_sets(session.game());
        if at % 40 < 2 {
            let [these, alike] = compare_floods(session.game());
            (compared, shared) = (compared + these, shared + alike);
        }
    };
    play_at_random(&ruleset, rules(&ruleset), 5, limits, answers, &mut watch).expect("the game plays");
    assert!(shared >= shared_at_least && compared > shared, "{shared} of {compared} stand with one who is alike");
    assert!(found > 10 * at, "{found} sets of {at} positions have anybody in them");
}

#[test]
fn areas_with_stacks_of_twelve() {
    compare("tmag@base", 400, 300);
    compare("tmag@errata-1997-05", 400, 300);
}

#[test]
fn squares_with_stands_that_turn() {
    compare("gallop@base", 600, 0);
}

#[test]
fn hexes_with_zones() {
    compare("gettysburg-88@base", 400, 0);
    compare("gettysburg-88@clarified", 400, 0);
    compare("gettysburg-corps@base", 400, 0);
    compare("gettysburg-77@base", 300, 0);
}

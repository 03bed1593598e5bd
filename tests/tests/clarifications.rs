//! The clarifications of Gettysburg '88: any of them can be put on or left off, beside any others.

use countermarch_core::{
    play::{Limits, Session},
    ruleset::{Amendment, Nature, Provenance, Selection, VersionName},
    study::{Choice, Coverage, Player, play_out, run_examples},
};
use countermarch_scripting::{Budget, Runtime};
use countermarch_tests::{go_on_at_random, library, load, root, rules};

const GAME: &str = "gettysburg-88";

fn version(base: &str) -> Selection {
    let version = VersionName { base: base.to_owned(), ..VersionName::default() };
    Selection { version, ..Selection::default() }
}

/// Numbers that look drawn, the same in every run.
fn drawn(seed: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(seed * 2 + 1), |last| Some(last.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)))
        .skip(1)
        .map(|state| state >> 33)
}

#[test]
fn the_clarifications_stand_in_the_order_of_the_sheet_and_say_what_they_are() {
    let base = load(&library(&root()), GAME, &Selection::default());
    let items: Vec<&str> = base.amendments.iter().map(|a| a.id.split('.').next().unwrap_or_default()).collect();
    let mut sheet = items.clone();
    sheet.dedup();
    assert_eq!(sheet, (1..=32).map(|item| item.to_string()).collect::<Vec<_>>());
    let of_nature = |nature: Nature| -> Vec<&str> {
        base.amendments.iter().filter(|a| a.nature == Some(nature)).map(|a| a.id.as_str()).collect()
    };
    assert_eq!(of_nature(Nature::Restates), ["3"]);
    assert_eq!(of_nature(Nature::ExampleOnly), ["9"]);
    assert_eq!(of_nature(Nature::Changes), ["15.combat", "18"]);
    let printed = |a: &&Amendment| a.without.as_ref().is_some_and(|without| without.from == Provenance::Printed);
    let printed: Vec<&str> = base.amendments.iter().filter(printed).map(|a| a.id.as_str()).collect();
    assert_eq!(printed, ["9", "18"], "of all others it is inferred how the game goes without them");
    assert!(base.amendments.iter().all(|a| a.without.is_some()));
}

#[test]
fn the_versions_are_none_all_and_all_but_the_word_that_came_last() {
    let library = library(&root());
    let on = |name: &str| -> Vec<String> {
        let ruleset = load(&library, GAME, &version(name));
        ruleset.amendments.iter().filter(|a| a.on).map(|a| a.id.clone()).collect()
    };
    let (all, before) = (on("clarified"), on("clarified-before"));
    assert_eq!(on("base"), Vec::<String>::new());
    assert_eq!(all.len(), load(&library, GAME, &Selection::default()).amendments.len());
    assert_eq!(all.iter().filter(|id| !before.contains(id)).collect::<Vec<_>>(), ["15.combat"]);
    let without = VersionName::parse("clarified~28");
    let ruleset = load(&library, GAME, &Selection { version: without, ..Selection::default() });
    assert!(!ruleset.amendments.iter().any(|a| a.on && a.id == "28"));
}

/// Any set of them loads, and a game of it comes to its end with every task carried out twice and looked after. In the sets
/// drawn any two are on together, and each is on without each other.
#[test]
fn any_set_of_clarifications_can_be_played() {
    let library = library(&root());
    let base = load(&library, GAME, &Selection::default());
    let count = base.amendments.len();
    let (mut together, mut without) = (vec![false; count * count], vec![false; count * count]);
    for seed in 0..300 {
        let mut numbers = drawn(seed);
        // From nearly none to nearly all.
        let share = 1 + numbers.next().unwrap_or(0) % 9;
        let on: Vec<bool> = (0..count).map(|_| numbers.next().unwrap_or(0) % 10 < share).collect();
        for (one, other) in (0..count * count).map(|pair| (pair / count, pair % count)).filter(|(one, _)| on[*one]) {
            (if on[other] { &mut together } else { &mut without })[one * count + other] = true;
        }
        let with = base.amendments.iter().zip(&on).filter(|(_, on)| **on).map(|(a, _)| a.id.clone());
        let version = VersionName { with: with.collect(), ..VersionName::default() };
        let ruleset = load(&library, GAME, &Selection { version, ..Selection::default() });
        let limits = Limits { undo: false, verify: true, log: false, forced: true };
        let scenario = (seed as usize) % ruleset.scenarios.len();
        let session = Session::new(ruleset.clone(), rules(&ruleset), scenario, seed, limits);
        let played = go_on_at_random(session, usize::MAX, &mut |_| ());
        let session = played.unwrap_or_else(|wrong| panic!("{}, seed {seed}: {wrong}", ruleset.full_name()));
        assert!(session.game().outcome().is_some(), "{}, seed {seed}: no end", ruleset.full_name());
    }
    assert!(together.iter().all(|tried| *tried));
    assert_eq!(without.iter().filter(|tried| !**tried).count(), count, "each is on without any other but itself");
}

/// The 52 paragraphs of the sheet but for item 9, whose example comes with its amendment, and the 14 of the base.
#[test]
fn every_clarification_is_carried_and_proven() {
    let library = library(&root());
    let base = load(&library, GAME, &Selection::default());
    let report = run_examples(&library, &base, Choice::default(), &mut |ruleset| {
        Runtime::watching(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
    });
    let coverage = Coverage::new(&base, &report);
    assert_eq!(coverage.total, 51 + 14);
    assert_eq!(coverage.missing, Vec::<String>::new());
    assert_eq!(coverage.proven.len(), 51 + 14 - 7, "all but the headings");
    assert!(report.examples >= 230, "{} examples", report.examples);
}

/// From either side, in the campaign.
#[test]
fn plain_beats_random() {
    let ruleset = load(&library(&root()), GAME, &version("clarified"));
    for side in 0..2 {
        let mut won = 0;
        for seed in 0..20 {
            let mut players = [Player::Random, Player::Random];
            players[side] = Player::Plain;
            let limits = Limits { undo: false, verify: false, log: false, forced: true };
            let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, seed, limits);
            let played = play_out(&mut session, &players);
            assert!(played.wrong.is_none(), "seed {seed}: {:?}", played.wrong);
            won += usize::from(played.outcome.is_some_and(|outcome| *outcome.winners == [side as i32]));
        }
        assert!(won >= 19, "{}: {won} of 20", ruleset.sides[side].id);
    }
}

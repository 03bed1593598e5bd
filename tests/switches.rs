//! Games whose errata or clarifications are switches: any set of them can be put on, and players compared under it.

use std::collections::BTreeSet;

use countermarch_core::{
    library::Library,
    play::{Limits, Session},
    ruleset::{Ruleset, Selection, VersionName},
    study::{Player, play_out},
};

use crate::{go_on_at_random, load, rules};

/// What play under test keeps: nothing to take back, nothing told.
const QUIET: Limits = Limits { undo: false, verify: false, log: false, forced: true };

/// A version by its name.
pub fn version(base: &str) -> Selection {
    let version = VersionName { base: base.to_owned(), ..VersionName::default() };
    Selection { version, ..Selection::default() }
}

/// Numbers that look drawn, the same in every run.
fn drawn(seed: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(seed * 2 + 1), |last| Some(last.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)))
        .skip(1)
        .map(|state| state >> 33)
}

/// A set of a game's amendments, from nearly none to nearly all, with what they need.
fn drawn_set(base: &Ruleset, seed: u64) -> VersionName {
    let mut numbers = drawn(seed);
    let share = 1 + numbers.next().unwrap_or(0) % 9;
    let mut with: BTreeSet<String> =
        base.amendments.iter().filter(|_| numbers.next().unwrap_or(0) % 10 < share).map(|a| a.id.clone()).collect();
    let needed: Vec<String> =
        base.amendments.iter().filter(|a| with.contains(&a.id)).flat_map(|a| a.needs.iter().cloned()).collect();
    with.extend(needed);
    VersionName { with: with.into_iter().collect(), ..VersionName::default() }
}

/// Plays one game under each of so many drawn sets, with every task carried out twice and looked after. Any two of the
/// amendments are on together in some set, and each is on without each other that it does not need.
pub fn play_any_sets(library: &Library, game: &str, sets: u64) {
    let base = load(library, game, &Selection::default());
    let mut tried = BTreeSet::new();
    for seed in 0..sets {
        let version = drawn_set(&base, seed);
        for one in &version.with {
            tried.extend(
                base.amendments.iter().map(|other| (one.clone(), other.id.clone(), version.with.contains(&other.id))),
            );
        }
        let ruleset = load(library, game, &Selection { version, ..Selection::default() });
        let scenario = (seed as usize) % ruleset.scenarios.len();
        let session = Session::new(ruleset.clone(), rules(&ruleset), scenario, seed, Limits { verify: true, ..QUIET });
        let played = go_on_at_random(session, usize::MAX, &mut |_| ());
        let session = played.unwrap_or_else(|wrong| panic!("{}, seed {seed}: {wrong}", ruleset.full_name()));
        assert!(session.game().outcome().is_some(), "{}, seed {seed}: no end", ruleset.full_name());
    }
    for (one, other) in base.amendments.iter().flat_map(|one| base.amendments.iter().map(move |other| (one, other))) {
        for on in [true, false].into_iter().filter(|on| *on || (one.id != other.id && !one.needs.contains(&other.id))) {
            let pair = (one.id.clone(), other.id.clone(), on);
            assert!(tried.contains(&pair), "no set has `{}` on with `{}` {on}", one.id, other.id);
        }
    }
}

/// How many games the player `plain` of a ruleset wins alone against random play, from one side.
pub fn won_by_plain(library: &Library, game: &str, named: &str, scenario: usize, side: usize, games: u64) -> usize {
    let ruleset = load(library, game, &version(named));
    let won = (0..games).filter(|seed| {
        let mut players = [Player::Random, Player::Random];
        players[side] = Player::plain();
        let mut session = Session::new(ruleset.clone(), rules(&ruleset), scenario, *seed, QUIET);
        let played = play_out(&mut session, &players);
        assert!(played.wrong.is_none(), "seed {seed}: {:?}", played.wrong);
        played.outcome.is_some_and(|outcome| *outcome.winners == [side as i32])
    });
    won.count()
}

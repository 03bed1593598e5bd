//! Two versions held against each other over many pairs of games.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    ruleset::{Ruleset, Selection, VersionName},
    study::{Comparison, Exercise, Pair, Pairs, Player, ReplayError, parting},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, root, rules, toy};

fn version(library: &Library, id: &str, version: &str) -> Arc<Ruleset> {
    load(library, id, &Selection { version: VersionName::parse(version), ..Selection::default() })
}

fn pairs(versions: [Arc<Ruleset>; 2], scenario: &str, games: u64) -> Pairs {
    let scenarios = versions.each_ref().map(|ruleset| ruleset.scenario(scenario).expect("both have it"));
    let players = versions.each_ref().map(|ruleset| vec![Player::Random; ruleset.sides.len()]);
    Pairs { versions, scenarios, players, seed: 1, games, jobs: 1, is_paired: true }
}

fn make(ruleset: &Arc<Ruleset>) -> Result<Runtime, ReplayError> {
    Ok(rules(ruleset))
}

fn played(pairs: &Pairs) -> (Comparison, Vec<Pair>) {
    let (mut comparison, mut all) = (Comparison::new(pairs), Vec::new());
    let done = pairs.play(
        make,
        |_| false,
        |pair| {
            comparison.add(&pair);
            all.push(pair);
            Ok(())
        },
    );
    done.expect("the rules were checked");
    assert_eq!(comparison.failed.0, 0, "{:?}", comparison.failed);
    (comparison, all)
}

/// The toy game in which a shot may hit more often, and Ann may be stronger than anybody needs.
fn amended() -> Library {
    let mut library = toy();
    let amendment = |name: &str, change: &str| {
        format!("amendment: {name}\ntitle: {name}\nkind: house\nnature: changes\nchange:\n  - {change}\n")
    };
    let mut add = |name: &str, change: &str| {
        library.insert(&format!("rulesets/toy/amendments/{name}.yaml"), amendment(name, change));
    };
    add("sharp", "{ set: units/bob/strength, was: 1, now: 9 }");
    add("weak", "{ set: units/cid/strength, was: 0, now: 9 }");
    add("fast", "{ set: movers/walk/allowance, was: 2, now: 3 }");
    add("far", "{ set: may/shoot/unless/far/when, now: \"distance(unit, target) > 2\" }");
    let units = "  - { id: bob, name: Bob, side: blue, type: foot, strength: 1 }\n";
    let more = format!("{units}  - {{ id: cid, name: Cid, side: blue, type: foot, strength: 0 }}\n");
    countermarch_tests::replace(&mut library, "rulesets/toy/ruleset.yaml", units, &more);
    library
}

#[test]
fn a_version_does_not_differ_from_itself() {
    let games = library(&root());
    for (id, scenario) in [("gettysburg-88", "first-morning"), ("gettysburg-corps", "campaign")] {
        let one = load(&games, id, &Selection::default());
        let again = load(&games, id, &Selection::default());
        let scenario = if one.scenario(scenario).is_some() { scenario } else { &one.scenarios[0].id };
        let (comparison, all) = played(&pairs([one.clone(), again], scenario, 12));
        assert_eq!(comparison.exercised, [12, 0, 0, 0], "{id}");
        assert!(comparison.standing().iter().all(|stands| !stands));
        assert!(comparison.effects().iter().flatten().all(|effect| effect.difference == 0.0 && effect.differing == 0));
        assert!(all.iter().all(|pair| pair.parted.is_none() && pair.shared == pair.rolls[0]));
        assert_eq!(comparison.widest, None);
    }
}

#[test]
fn what_arises_is_told_apart_from_what_is_used_and_from_what_has_an_effect() {
    let library = amended();
    let of = |name: &str| {
        let versions = [version(&library, "toy", "base"), version(&library, "toy", &format!("base+{name}"))];
        played(&pairs(versions, "meeting", 200)).0
    };
    assert_eq!(of("weak").exercised, [200, 0, 0, 0], "Cid is on no board");
    let sharp = of("sharp");
    assert_eq!(sharp.exercised[Exercise::Unused as usize], 0, "nothing else is offered for it");
    assert!(sharp.exercised[Exercise::NeverArose as usize] > 0, "some never shoot: {:?}", sharp.exercised);
    assert!(sharp.exercised[Exercise::WithEffect as usize] > 0, "some shots hit: {:?}", sharp.exercised);
    let (fast, far) = (of("fast").exercised, of("far").exercised);
    assert!(fast[Exercise::Unused as usize] > 0, "many never go so far: {fast:?}");
    assert!(far[Exercise::WithoutEffect as usize] > 0 && far[Exercise::WithEffect as usize] > 0, "{far:?}");
}

#[test]
fn the_other_way_round_all_figures_are_mirrored_and_threads_change_nothing() {
    let games = library(&root());
    let versions = [version(&games, "gettysburg-88", "base"), version(&games, "gettysburg-88", "clarified")];
    let there = pairs(versions.clone(), "first-morning", 60);
    let back = Pairs {
        versions: [versions[1].clone(), versions[0].clone()],
        scenarios: [there.scenarios[1], there.scenarios[0]],
        ..there.clone()
    };
    let (one, all) = played(&there);
    let (other, _) = played(&back);
    assert!(one.exercised[Exercise::WithEffect as usize] > 0);
    assert_eq!((one.exercised, one.shared, one.pairs), (other.exercised, other.shared, other.pairs));
    assert_eq!((one.rolls[0], one.rolls[1]), (other.rolls[1], other.rolls[0]));
    assert_eq!(one.widest, other.widest);
    let turned = other.outcomes.iter().map(|(name, [a, b])| (name.clone(), [*b, *a])).collect();
    assert_eq!(one.outcomes, turned);
    for (a, b) in one.effects().iter().flatten().zip(other.effects().iter().flatten()) {
        assert_eq!((a.means[0], a.means[1], a.difference), (b.means[1], b.means[0], -b.difference));
        assert_eq!(a.interval, [-b.interval[1], -b.interval[0]]);
        assert_eq!((a.p, a.differing, a.pairing_won), (b.p, b.differing, b.pairing_won));
    }
    assert_eq!(one.standing(), other.standing());
    let (of_two, in_order) = played(&Pairs { jobs: 2, ..there });
    assert_eq!(format!("{one:?}"), format!("{of_two:?}"));
    let seeds = |all: &[Pair]| all.iter().map(|pair| pair.seed).collect::<Vec<_>>();
    assert_eq!(seeds(&all), seeds(&in_order), "each is heard of in the order of seeds");
}

/// With the pairing broken, a version is called different from itself as often as an interval at 95 % promises.
#[test]
fn of_a_thousand_comparisons_of_a_version_with_itself_about_fifty_call_a_difference() {
    let toy = version(&toy(), "toy", "base");
    let all = Pairs { is_paired: false, ..pairs([toy.clone(), toy.clone()], "meeting", 40_000) };
    let (whole, pairs) = played(&all);
    let at = whole.gauges.iter().position(|gauge| gauge.id == "decisions").expect("games have them");
    let called = pairs.chunks(40).filter(|pairs| {
        let mut one = Comparison::new(&all);
        pairs.iter().for_each(|pair| one.add(pair));
        one.effects()[at].is_some_and(|effect| effect.interval[0] > 0.0 || effect.interval[1] < 0.0)
    });
    let called = called.count();
    assert!((30..=70).contains(&called), "{called} of 1000");
}

#[test]
fn where_games_part_each_side_tells_what_the_other_refuses() {
    let library = amended();
    let versions = [version(&library, "toy", "base"), version(&library, "toy", "base+far")];
    let pairs = pairs(versions, "meeting", 200);
    let (_, all) = played(&pairs);
    let seed = all.iter().find(|pair| pair.exercise == Exercise::WithEffect).expect("it matters somewhere").seed;
    let told = parting(&pairs, seed, make).expect("it can be played again");
    let alone: Vec<_> = told.stands.iter().flat_map(|stood| &stood.alone).collect();
    assert!(alone.iter().any(|(line, _)| line.contains("shoot")), "{told:?}");
    assert!(!told.measured.is_empty());
}

//! Two versions held against each other over many pairs of games.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    ruleset::{Differences, Ruleset, Selection, Sense, VersionName},
    study::{
        Compared, Comparison, Correction, Exercise, Heard, Pair, Paired, Pairs, Player, ReplayError, Stopping, Until,
        comparison_json, comparison_text, parting,
    },
};
use countermarch_scripting::{Budget, Runtime};
use countermarch_tests::{library, load, root, rules, toy};
use serde_json::{Value, json};

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

/// Rules that look closely at what speaks.
fn listening(ruleset: &Arc<Ruleset>) -> Result<Runtime, ReplayError> {
    Ok(Runtime::watching_closely(ruleset.clone(), Budget::default()).expect("the rules load"))
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
    // How many decisions a game takes may differ in pairs in which nothing else does.
    let versions = [version(&library, "toy", "base"), version(&library, "toy", "base+far")];
    let text = told(&library, "toy", &pairs(versions, "meeting", 200), comparison_text);
    let without = far[Exercise::WithoutEffect as usize];
    let exercised = text.lines().find(|line| line.starts_with("EXERCISED")).expect("it is told");
    assert!(exercised.contains("of 200 pairs: never arose in "), "{exercised}");
    assert!(
        exercised.contains(&format!("was used without effect but on the decisions taken in {without}; ")),
        "{exercised}"
    );
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

/// A report for machines with A and B exchanged.
fn mirrored(report: &Value) -> Value {
    let mut turned = report.clone();
    let exchanged = |value: &mut Value| {
        if let Some(pair) = value.as_array_mut() {
            pair.reverse();
        }
    };
    let negated = |value: &mut Value| {
        // There is no nothing below zero.
        if let Some(number) = value.as_f64() {
            *value = json!(0.0 - number);
        }
    };
    for both in ["versions", "players", "rolls"] {
        exchanged(&mut turned[both]);
    }
    for (_, both) in turned["outcomes"].as_object_mut().expect("a map") {
        exchanged(both);
    }
    for by in turned["apart"].as_array_mut().expect("a list") {
        by[0] = json!(-by[0].as_i64().expect("a number"));
    }
    exchanged(&mut turned["apart"]);
    let measures = turned["measures"].as_array().expect("a list").len();
    let paragraphs = turned["spoken"]["paragraphs"].as_array().expect("a list").len();
    let of_measures = (0..measures).map(|at| format!("/measures/{at}"));
    let of_paragraphs = (0..paragraphs).map(|at| format!("/spoken/paragraphs/{at}"));
    for path in of_measures.chain(of_paragraphs) {
        let measure = turned.pointer_mut(&path).expect("it is there");
        exchanged(&mut measure["means"]);
        negated(&mut measure["difference"]);
        exchanged(&mut measure["interval"]);
        measure["interval"].as_array_mut().into_iter().flatten().for_each(negated);
    }
    if !turned["parting"].is_null() {
        exchanged(&mut turned["parting"]["stands"]);
        for measured in turned["parting"]["measured"].as_array_mut().expect("a list") {
            exchanged(&mut measured[1]);
        }
    }
    turned
}

fn report(library: &Library, id: &str, pairs: &Pairs) -> Value {
    told(library, id, pairs, comparison_json)
}

/// What games came to, told in this way.
fn told<T>(library: &Library, id: &str, pairs: &Pairs, tell: fn(&Compared<'_>) -> T) -> T {
    let selections =
        pairs.versions.each_ref().map(|ruleset| Selection { version: ruleset.version.clone(), ..Selection::default() });
    let differences = Differences::between(library, id, [&selections[0], &selections[1]]).expect("both are fine");
    let (comparison, _) = played(pairs);
    let parting = comparison.widest.map(|widest| parting(pairs, widest.seed, make).expect("it can be played again"));
    let first = Pairs { games: 5, ..pairs.clone() };
    let heard = Heard::over(&first, Correction::Holm, listening, || ()).expect("the rules load");
    let players = vec!["random".to_owned()];
    tell(&Compared {
        differences: &differences,
        pairs,
        players: [&players, &players],
        comparison: &comparison,
        stopping: None,
        each: &[],
        under: &[],
        heard: Some(&heard),
        parting: parting.as_ref(),
        again: "",
    })
}

/// Whichever versions are compared, from whichever seed: exchanged, the whole report is exchanged.
#[test]
fn the_other_way_round_every_report_is_mirrored() {
    let library = amended();
    let names = ["base", "base+sharp", "base+weak", "base+fast", "base+far", "base+sharp+far", "base+fast+far"];
    for (at, first) in names.iter().enumerate() {
        for (second, seed) in names.iter().skip(at).zip([1, 500, 77_000, u64::MAX - 10, 4, 9, 23]) {
            let versions = [version(&library, "toy", first), version(&library, "toy", second)];
            let there = Pairs { seed, ..pairs(versions.clone(), "meeting", 25) };
            let [a, b] = versions;
            let back = Pairs { versions: [b, a], ..there.clone() };
            let (there, back) = (report(&library, "toy", &there), report(&library, "toy", &back));
            assert_eq!(mirrored(&there), back, "{first} and {second}, from {seed}");
        }
    }
}

/// What is measured of the toy game: who is still there, by arm, and whether anybody is lost, on the way and at the end.
#[test]
fn measures_are_divided_read_on_the_way_and_yes_or_no() {
    let mut library = toy();
    let measures = "
measures:
  living:
    title: still there
    unit: counters
    sense: more
    by: arm
    at: [turn, { place: march, turns: [99] }]
    lines:
      - { id: on-map, each: unit, when: \"unit.side = side and on-map(unit)\", value: \"1\", say: on the map, at: { place: turn, turns: [1] }, cite: t/1 }
      - { id: gone, each: unit, when: \"unit.side = side and not on-map(unit)\", value: \"10\", say: gone, cite: t/1 }
  whole: { title: nobody lost, sense: more, when: \"not any(units as u, u.side = side and not on-map(u))\", at: turn, cite: t/1 }
";
    library.insert("rulesets/toy/measures.yaml", measures.to_owned());
    let changes = [
        ("  mood: [calm, shaken]", "  mood: [calm, shaken]\n  arm: [bow, spear]"),
        ("units: { strength: 0..9 }", "units: { strength: 0..9, arm: arm }"),
        ("type: foot, strength: 2", "type: foot, arm: bow, strength: 2"),
        ("type: foot, strength: 1", "type: foot, arm: spear, strength: 1"),
    ];
    for (old, new) in changes {
        countermarch_tests::replace(&mut library, "rulesets/toy/ruleset.yaml", old, new);
    }
    let toy = version(&library, "toy", "base");
    let one = pairs([toy.clone(), toy.clone()], "meeting", 30);
    let (comparison, all) = played(&one);
    let at = |id: &str| {
        let found = comparison.gauges.iter().position(|gauge| gauge.id == id);
        found.unwrap_or_else(|| {
            panic!("{id} is not among {:?}", comparison.gauges.iter().map(|g| &g.id).collect::<Vec<_>>())
        })
    };
    let side = &toy.sides[0].id;
    let gauge = &comparison.gauges[at(&format!("living.{side}"))];
    assert_eq!(
        (gauge.unit.as_str(), gauge.sense, gauge.is_share, gauge.is_printed),
        ("counters", Sense::More, false, true)
    );
    assert!(comparison.gauges[at(&format!("whole.{side}"))].is_share);
    let turns = at("turns");
    let last = toy.sequence.last_turn(10_000);
    for pair in &all {
        let value = |id: String| pair.values[at(&id)][0];
        let [living, on_map, gone] = ["living", "living.on-map", "living.gone"].map(|of| value(format!("{of}.{side}")));
        assert_eq!(living, on_map + gone);
        let divided = toy.schema.symbols.iter().find(|list| list.name == "arm").expect("it is declared");
        let parts = divided.values.iter().map(|arm| value(format!("living.arm.{arm}.{side}")));
        assert_eq!(parts.sum::<i32>(), living, "each counter has an arm");
        // Read at the end of each turn: in the last of a game, and after it, as the game ended.
        let read = |turn: i32| value(format!("living.{side}.turn.{turn}"));
        for turn in pair.values[turns][0]..=last {
            assert_eq!(read(turn), living);
        }
        assert_eq!(value(format!("living.on-map.{side}.turn.1")) == on_map, read(1) == living);
        let whole: Vec<i32> = (1..=last).map(|turn| value(format!("whole.{side}.turn.{turn}"))).collect();
        assert!(whole.is_sorted_by(|a, b| a >= b), "who is lost stays lost: {whole:?}");
    }
    assert!(!comparison.gauges.iter().any(|gauge| gauge.id.ends_with(".99")), "no game has so many turns");
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

/// The same, with somebody who looks after every pair and stops as soon as he sees a difference, up to 400 pairs: drawn
/// from games of one version under seeds of their own. What is to be known of it holds at any time; an interval for a number
/// of games that was settled before does not.
#[test]
fn of_a_thousand_that_stop_when_they_like_no_more_than_fifty_call_a_difference() {
    let toy = version(&toy(), "toy", "base");
    let all = Pairs { is_paired: false, ..pairs([toy.clone(), toy.clone()], "meeting", 10_000) };
    let (whole, pairs) = played(&all);
    let at = whole.gauges.iter().position(|gauge| gauge.id == "decisions").expect("games have them");
    let begun = Comparison::new(&all);
    let until = Until::parse("sign:decisions").expect("it is well written");
    let stopping = Stopping::of(&[until], &begun, 400).expect("games have decisions");
    let (mut called, mut called_by_t, mut drawn) = (0, 0, 5_u64);
    for _ in 0..1000 {
        let (mut one, mut figures, mut is_called_by_t) = (begun.clone(), Paired::default(), false);
        while one.pairs < 400 && !stopping.is_enough(&one) {
            drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let pair = &pairs[(drawn >> 33) as usize % pairs.len()];
            one.add(pair);
            figures.add(pair.values[at]);
            // Looked at after every tenth pair, which is seldom enough to be kind to it.
            let by_t = if one.pairs >= 30 && one.pairs % 10 == 0 { figures.effect() } else { None };
            is_called_by_t |= by_t.is_some_and(|effect| effect.interval[0] > 0.0 || effect.interval[1] < 0.0);
        }
        called += u32::from(stopping.is_enough(&one));
        called_by_t += u32::from(is_called_by_t);
    }
    // 50, and three times the error of sampling.
    assert!(called <= 70, "{called} of 1000");
    assert!(called_by_t >= 150, "{called_by_t} of 1000");
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

//! Parameters swept: the same seeds under every value.

use countermarch_core::{
    library::Library,
    ruleset::{Ruleset, Selection},
    study::{Across, Found, Parameter, Player, ReplayError, Sweep, Swept},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, replace, root, rules, toy};
use std::sync::Arc;

fn make(ruleset: &Arc<Ruleset>) -> Result<Runtime, ReplayError> {
    Ok(rules(ruleset))
}

fn sweep(library: &Library, id: &str, scenario: &str, swept: &[&str], games: u64) -> Sweep {
    let parameters: Vec<Parameter> = swept.iter().map(|text| Parameter::parse(text).expect("it is one")).collect();
    let unswept = load(library, id, &Selection::default());
    let points = Sweep::points(&parameters).expect("they are few");
    let version = |point: &Vec<usize>| {
        let values = parameters.iter().zip(point);
        let set = values.map(|(of, value)| (of.path.clone(), of.values[*value].clone())).collect();
        load(library, id, &Selection { set, ..Selection::default() })
    };
    let versions = points.iter().map(version).collect();
    let scenario = unswept.scenario(scenario).expect("there is one");
    Sweep { games, ..Sweep::new(parameters, versions, &unswept, scenario) }
}

fn played(sweep: &Sweep) -> (Swept, Vec<Across>) {
    let (mut swept, mut all) = (Swept::new(sweep), Vec::new());
    let done = sweep.play(0, make, |across| {
        swept.add(&across);
        all.push(across);
        Ok(())
    });
    done.expect("the rules were checked");
    assert_eq!(swept.failed.0, 0, "{:?}", swept.failed);
    (swept, all)
}

fn of<'a>(swept: &Swept, found: &'a [Found], measure: &str) -> &'a Found {
    let at = swept.gauges.iter().position(|gauge| gauge.id == measure);
    &found[at.unwrap_or_else(|| panic!("{measure} is not measured"))]
}

/// The toy game with a counter that no scenario puts on the board, and two measures.
fn measured() -> Library {
    let mut library = toy();
    let units = "  - { id: bob, name: Bob, side: blue, type: foot, strength: 1 }\n";
    let more = format!("{units}  - {{ id: cid, name: Cid, side: blue, type: foot, strength: 0 }}\n");
    replace(&mut library, "rulesets/toy/ruleset.yaml", units, &more);
    library
}

/// A shot hits if the die is as low as the shooter's strength, so the stronger Bob is the more often Ann is hit.
#[test]
fn what_hangs_on_a_parameter_is_found_and_what_does_not_is_not() {
    let library = measured();
    let planted = sweep(&library, "toy", "meeting", &["units/bob/strength=1..9:4"], 2000);
    assert_eq!((planted.base, planted.is_base_unswept), (0, true), "Bob has 1 as it stands");
    let (swept, _) = played(&planted);
    let found = swept.found();
    let wins = of(&swept, &found, "wins.blue");
    let rise = wins.rises[0].expect("values are numbers");
    assert!(wins.stands() && rise.stands && rise.by > 0.0, "{wins:?}");
    let means: Vec<f64> = wins.points.iter().map(|at| at.mean).collect();
    assert!(wins.points[2].stands && !wins.points[0].stands && wins.points[0].against.is_none());
    // By least squares over the means, whatever the seeds.
    let slope: f64 = (means[2] - means[0]) / 8.0;
    assert!((rise.by - slope).abs() < 1e-12, "{} and {slope}", rise.by);
    // Of means Student's intervals, with the mean in the middle whatever is nothing in most games; shares are no less than
    // nothing and differ by no more than all.
    for (gauge, found) in swept.gauges.iter().zip(&found) {
        for at in found.points.iter().filter(|at| at.interval[0].is_finite()) {
            let [low, high] = at.interval;
            let off = ((low + high) / 2.0 - at.mean).abs();
            let within = |least: f64, [low, high]: [f64; 2]| low >= least && high <= 1.0;
            assert!(if gauge.is_share { within(0.0, at.interval) } else { off < 1e-9 }, "{}: {at:?}", gauge.id);
            let differs = at.against.and_then(|effect| effect.ends());
            assert!(!gauge.is_share || differs.is_none_or(|ends| within(-1.0, ends)), "{}: {at:?}", gauge.id);
        }
    }

    let (swept, all) = played(&sweep(&library, "toy", "meeting", &["units/cid/strength=0..4"], 100));
    assert!(swept.found().iter().all(|found| !found.stands() && !found.differs()), "Cid is on no board");
    assert!(all.iter().all(|across| across.values.windows(2).all(|two| two[0] == two[1])));
}

#[test]
fn of_two_parameters_each_is_told_whatever_the_other_is() {
    let library = measured();
    let both = sweep(&library, "toy", "meeting", &["units/cid/strength=0..1", "units/bob/strength=1,5,9"], 1500);
    assert_eq!(both.values_at(4), ["1", "5"]);
    let (swept, _) = played(&both);
    let found = swept.found();
    let wins = of(&swept, &found, "wins.blue");
    let [of_cid, of_bob] = [0, 1].map(|at| wins.rises[at].expect("values are numbers"));
    assert!(of_bob.stands && !of_cid.stands && of_cid.by == 0.0, "{wins:?}");
    let alone = played(&sweep(&library, "toy", "meeting", &["units/bob/strength=1,5,9"], 1500)).0;
    let found_alone = alone.found();
    let by_itself = of(&alone, &found_alone, "wins.blue").rises[0].expect("values are numbers");
    assert!((by_itself.by - of_bob.by).abs() < 1e-12);
    assert_eq!(swept.by_value(wins, 0)[0], swept.by_value(wins, 0)[1]);
}

#[test]
fn threads_and_the_place_to_go_on_from_change_nothing() {
    let games = library(&root());
    let one = sweep(&games, "gettysburg-77", "first-hours", &["units/davis/strength=6..10:2"], 8);
    assert_eq!((one.base, one.is_base_unswept), (1, true));
    let (swept, all) = played(&one);
    let two = Sweep { jobs: 2, ..one.clone() };
    let (of_two, all_of_two) = played(&two);
    assert_eq!(format!("{swept:?}"), format!("{of_two:?}"));
    assert_eq!(all, all_of_two);
    let mut rest = Vec::new();
    let done = two.play(5, make, |across| {
        rest.push(across);
        Ok(())
    });
    done.expect("the rules were checked");
    assert_eq!(rest, all[5..]);
}

/// No effect is planted: 60 sweeps of a parameter that changes nothing but which games are drawn. Where something were found
/// in more than a few of them, looking at everything together would not be worth its name.
#[test]
fn what_differs_by_chance_alone_is_seldom_found() {
    let library = measured();
    let one = sweep(&library, "toy", "meeting", &["units/cid/strength=0..3"], 60);
    let mut wolves = 0;
    for number in 0..60 {
        let mut swept = Swept::new(&one);
        // Each point has games of its own seeds.
        let mut rows: Vec<Vec<Across>> = Vec::new();
        for point in 0..4 {
            let (seed, mut own) = (1 + 1000 * number + 100_000 * point, Vec::new());
            let alone = Sweep { seed, players: vec![Player::Random; 2], ..one.clone() };
            let done = alone.play(0, make, |across| {
                own.push(across);
                Ok(())
            });
            done.expect("the rules were checked");
            rows.push(own);
        }
        for seed in 0..60 {
            let games: Vec<&Across> = rows.iter().map(|own| &own[seed as usize]).collect();
            swept.add(&Across {
                seed,
                outcomes: games.iter().map(|game| game.outcomes[0].clone()).collect(),
                values: games.iter().map(|game| game.values[0].clone()).collect(),
                wrong: None,
            });
        }
        wolves += u32::from(swept.found().iter().any(Found::stands));
    }
    // 5 in 100 and three times the error of sampling.
    assert!(wolves <= 8, "{wolves} of 60");
}

//! Everything that ships is without fault, proves itself, and is as its sources would build it.

use std::fs;

use countermarch_cartography::files::Sources;
use countermarch_core::{
    map::SpaceId,
    play::{Action, Limits, Session},
    ruleset::{Kind, Selection, VersionName, available},
    show::Words,
    study::{Choice, Coverage, omissions, run_examples},
};
use countermarch_scripting::{Budget, Runtime};
use countermarch_tests::{library, load, replace, root, rules, toy};

#[test]
fn every_ruleset_checks_clean_with_each_amendment_alone_and_all_together() {
    let library = library(&root());
    for id in available(&library) {
        let base = load(&library, &id, &Selection::default());
        let names: Vec<String> = base.amendments.iter().map(|a| a.id.clone()).collect();
        // Alone but for those that it needs.
        let alone = base.amendments.iter().map(|a| [vec![a.id.clone()], a.needs.clone()].concat());
        let all = alone.chain([names]);
        for with in all {
            let version = VersionName { with, ..VersionName::default() };
            load(&library, &id, &Selection { version, ..Selection::default() });
        }
        for setting in &base.settings {
            for value in &setting.values {
                let set = vec![(format!("settings/{}/default", setting.id), value.clone())];
                let ruleset = load(&library, &id, &Selection { set, ..Selection::default() });
                assert_eq!(ruleset.setting(&setting.id).map(|s| s.value.as_str()), Some(value.as_str()));
            }
        }
    }
}

#[test]
fn every_pair_of_amendments_loads_or_is_refused_with_the_reason() {
    const REASONS: [&str; 3] = ["needs", "excludes", "conflict"];
    for library in [library(&root()), toy()] {
        for id in available(&library) {
            let base = load(&library, &id, &Selection::default());
            for (at, one) in base.amendments.iter().enumerate() {
                for other in &base.amendments[at + 1..] {
                    let with = vec![one.id.clone(), other.id.clone()];
                    let selection =
                        Selection { version: VersionName { with, ..VersionName::default() }, ..Selection::default() };
                    let loaded = countermarch_scripting::load(&library, &id, &selection);
                    let found = loaded.map_or_else(|found| found, |loaded| loaded.warnings);
                    let wrong = found.list.iter().filter(|d| !REASONS.contains(&d.code));
                    let wrong: Vec<String> = wrong.map(|d| d.one_line(&library)).collect();
                    assert!(wrong.is_empty(), "{id}: +{}+{}: {}", one.id, other.id, wrong.join("\n"));
                }
            }
        }
    }
}

/// Examples of an amendment are not acted out with the base.
#[test]
fn every_example_of_an_amendment_passes() {
    let library = library(&root());
    for id in available(&library) {
        let base = load(&library, &id, &Selection::default());
        let has_examples = |folder: &str| library.under(&format!("{folder}/examples/")).next().is_some();
        for amendment in base.amendments.iter().filter(|a| has_examples(&a.folder)) {
            let version = base.version_with(&amendment.id);
            let amended = load(&library, &id, &Selection { version, ..Selection::default() });
            let report = run_examples(&library, &amended, Choice::default(), &mut |ruleset| {
                Runtime::new(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
            });
            assert_eq!(report.failed, [], "{id}: {}", amendment.id);
        }
    }
}

#[test]
fn every_example_passes() {
    for library in [library(&root()), toy()] {
        for id in available(&library) {
            let base = load(&library, &id, &Selection::default());
            let report = run_examples(&library, &base, Choice::default(), &mut |ruleset| {
                Runtime::new(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
            });
            let failed: Vec<String> =
                report.failed.iter().map(|f| format!("{}: {}: {}", f.at, f.name, f.message)).collect();
            assert!(failed.is_empty(), "{}", failed.join("\n"));
            assert!(report.examples > 0, "{id} has no examples");
        }
    }
}

/// What the examples of a game prove of its rulebook, and how many there are.
fn coverage_of(id: &str) -> (Coverage, usize) {
    let library = library(&root());
    let base = load(&library, id, &Selection::default());
    let report = run_examples(&library, &base, Choice::default(), &mut |ruleset| {
        Runtime::watching(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
    });
    (Coverage::new(&base, &report), report.examples)
}

#[test]
fn the_corps_game_carries_every_paragraph_and_proves_two_hundred() {
    let (coverage, _) = coverage_of("gettysburg-corps");
    assert_eq!(coverage.total, 240);
    assert_eq!(coverage.missing, Vec::<String>::new());
    assert!(coverage.proven.len() >= 200, "{} proven", coverage.proven.len());
}

#[test]
fn the_game_of_1977_carries_every_paragraph_and_proves_three_hundred() {
    let (coverage, examples) = coverage_of("gettysburg-77");
    assert_eq!(coverage.total, 312);
    assert_eq!(coverage.missing, Vec::<String>::new());
    assert!(coverage.proven.len() >= 300, "{} proven", coverage.proven.len());
    assert!(examples >= 350, "{examples} examples");
}

#[test]
fn the_game_of_stands_carries_every_paragraph_and_proves_fifty_two() {
    let (coverage, examples) = coverage_of("gallop");
    assert_eq!(coverage.total, 57);
    assert_eq!(coverage.missing, Vec::<String>::new());
    assert!(coverage.proven.len() >= 52, "{} proven", coverage.proven.len());
    assert!(examples >= 80, "{examples} examples");
}

/// Every row of a game is missed by one of its examples.
fn no_row_can_be_left_out_unnoticed(game: &str) {
    let library = library(&root());
    let base = load(&library, game, &Selection::default());
    let all = omissions(&library, &base, &mut |ruleset| {
        Runtime::new(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
    });
    assert!(all.len() > 120, "{} rows", all.len());
    let unmissed: Vec<&str> = all.iter().filter(|o| o.missed_by.is_none()).map(|o| o.path.as_str()).collect();
    assert_eq!(unmissed, Vec::<&str>::new());
}

#[test]
fn no_row_of_the_corps_game_can_be_left_out_unnoticed() {
    no_row_can_be_left_out_unnoticed("gettysburg-corps");
}

#[test]
fn no_row_of_77_can_be_left_out_unnoticed() {
    no_row_can_be_left_out_unnoticed("gettysburg-77");
}

#[test]
fn no_row_of_88_can_be_left_out_unnoticed() {
    no_row_can_be_left_out_unnoticed("gettysburg-88");
}

#[test]
fn no_row_of_tmag_can_be_left_out_unnoticed() {
    no_row_can_be_left_out_unnoticed("tmag");
}

#[test]
fn no_row_of_gallop_can_be_left_out_unnoticed() {
    no_row_can_be_left_out_unnoticed("gallop");
}

#[test]
fn whatever_has_a_condition_is_left_out_in_turn() {
    let mut library = toy();
    let modes = "    modes: mood\n    begins: unit.mood\n    \
        change: [{ id: calm, when: \"into = calm\", cost: 1, cite: t/1 }]\n    \
        marks: { shaken: { when: \"mode = shaken\", most: 1, say: \"no more\", cite: t/1 } }\n    step:\n";
    replace(&mut library, "rulesets/toy/tables.yaml", "    step:\n", modes);
    let set =
        "sets:\n  near-by: { of: units, given: { unit: unit }, as: u, where: \"distance(u, unit) = 1\", cite: t/3 }\n";
    replace(&mut library, "rulesets/toy/tables.yaml", "sets:\n", set);
    let more =
        "sights:\n  view: { cite: t/3, blocked: [{ id: wood, when: \"terrain(at, wood)\", cite: t/3 }] }\nmovers:\n";
    replace(&mut library, "rulesets/toy/tables.yaml", "movers:\n", more);
    let base = load(&library, "toy", &Selection::default());
    let all = omissions(&library, &base, &mut |ruleset| {
        Runtime::new(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
    });
    let hedge = "movers/walk/step/open/plus/feature(from, to, hedge) and setting(hedges, slow)";
    let wanted = ["movers/walk/change/calm", "movers/walk/marks/shaken", "sets/near-by", "sights/view/blocked/wood"];
    for path in wanted {
        let omission = all.iter().find(|o| o.path == path).unwrap_or_else(|| panic!("{path} is not left out"));
        assert_eq!(omission.missed_by, None, "{path}: nobody asks for it");
    }
    let hedge = all.iter().find(|o| o.path == hedge).expect("what is added is left out");
    assert_eq!(hedge.missed_by.as_deref(), Some("a hedge of the game's own meadow costs a point"));
}

#[test]
fn building_a_map_again_gives_the_same_bytes() {
    for entry in fs::read_dir(root().join("maps/grids")).expect("there are grids") {
        let path = entry.expect("a file").path();
        let mut sources = Sources::read(&path).expect("the grid file is there");
        let built = sources.build().expect("the map builds");
        assert!(sources.found.list.is_empty(), "{:?}", sources.found.list);
        let committed = fs::read_to_string(root().join(&built.path)).expect("the map is committed");
        let (map, grid) = (&built.path, path.display());
        assert!(built.text == committed, "{map} differs: run `countermarch map build {grid}`");
    }
}

#[test]
fn spaces_go_by_the_places_in_them() {
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let all = ruleset.all_of(Kind::Space);
    let named = |text: &str| {
        let found = ruleset.find_named(Kind::Space, text, &all);
        found.map(|at| at.map(|at| ruleset.map.space(SpaceId(at as u32)).name.clone()))
    };
    assert_eq!(named("15.09"), Ok(Some("15.09".into())));
    assert_eq!(named("seminary"), Ok(Some("15.09".into())), "by its own name");
    assert_eq!(named("culp's hill"), Ok(Some("12.12".into())));
    assert_eq!(named("power"), Ok(Some("10.13".into())));
    assert_eq!(named("round"), Ok(Some("7.10".into())), "both Round Tops lie in it");
    assert!(named("hill").is_err_and(|names| names.len() > 1 && names.iter().all(|name| name.contains("Hill"))));
    assert_eq!(named("nowhere"), Ok(None));
}

#[test]
fn a_move_that_is_too_far_says_how_the_movement_points_add_up() {
    let library = library(&root());
    let ruleset = load(&library, "gettysburg-corps", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 7, Limits::PLAY);
    session.advance().expect("begins");
    let heth = Action::of(ruleset.verb("move").expect("a verb") as u16, ruleset.unit("heth").expect("a unit"));
    session.act(0, heth).expect("moves");
    let far = ruleset.map.find("20.12").expect("on the map").0 as i32;
    let to = Action::of(ruleset.verb("to").expect("a verb") as u16, far);
    let refused = session.act(0, to).expect_err("too far");
    let refused = Words::all(&ruleset).wrong(&refused);
    assert_eq!(
        refused,
        "20.12 is too far: it needs 8 and there are 6: 4 printed, 2 forced march  [corps/5.1/allowance]"
    );
}

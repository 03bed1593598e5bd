//! The clarifications of Gettysburg '88: any of them can be put on or left off, beside any others.

use countermarch_core::{
    ruleset::{Amendment, Nature, Provenance, Selection, VersionName, When},
    study::{Choice, Coverage, run_examples},
};
use countermarch_scripting::{Budget, Runtime};
use countermarch_tests::{
    library, load, root,
    switches::{play_any_sets, version, won_by_plain},
};

const GAME: &str = "gettysburg-88";

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
    play_any_sets(&library(&root()), GAME, 300);
}

/// What a step costs is worked out beforehand in every version, as the zones lie, but where a hex has two roads that do not
/// join: all else that must be asked about each step would be asked in play.
#[test]
fn what_a_step_costs_is_known_beforehand_but_for_roads_that_do_not_join() {
    let library = library(&root());
    let base = load(&library, GAME, &Selection::default());
    let alone = base.amendments.iter().filter(|a| a.needs.is_empty());
    let versions = alone.flat_map(|a| [format!("base+{}", a.id), format!("clarified~{}", a.id)]);
    for name in versions {
        let selection = Selection { version: VersionName::parse(&name), ..Selection::default() };
        let ruleset = load(&library, GAME, &selection);
        let march = ruleset.movers.iter().find(|mover| mover.name == "march").expect("units march");
        let baked = march.baked(0, &ruleset.map, &ruleset.attributes);
        let is_asked = |when: &When| matches!(when, When::Holds(_));
        let asks = |list: &u16| baked.lists[usize::from(*list)].iter().any(|step| is_asked(&step.when));
        let asked = baked.of.iter().filter(|list| asks(list)).count();
        assert!(asked <= 8, "{name}: {asked} borders of {} are asked about", baked.of.len());
    }
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
    for side in 0..2 {
        let won = won_by_plain(&library(&root()), GAME, "clarified", 0, side, 20);
        assert!(won >= 19, "side {side}: {won} of 20");
    }
}

//! The errata of They Met at Gettysburg: any of them can be put on or left off, beside any others.

use std::collections::BTreeMap;

use countermarch_core::{
    ruleset::{Nature, Provenance, Selection},
    study::{Choice, Coverage, run_examples},
};
use countermarch_scripting::{Budget, Runtime};
use countermarch_tests::{
    library, load, root,
    switches::{play_any_sets, version, won_by_plain},
};

const GAME: &str = "tmag";

#[test]
fn the_errata_say_what_they_are_and_how_it_is_known_what_is_played_without_them() {
    let base = load(&library(&root()), GAME, &Selection::default());
    assert_eq!(base.amendments.len(), 39);
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for amendment in &base.amendments {
        let without = amendment.without.as_ref().unwrap_or_else(|| panic!("{} says nothing of it", amendment.id));
        *known.entry(format!("{:?}", without.from)).or_default() += 1;
        assert!(amendment.date.is_some() && amendment.nature.is_some(), "{}", amendment.id);
        if amendment.nature == Some(Nature::Restates) {
            assert_eq!(without.from, Provenance::Printed, "{}", amendment.id);
        }
    }
    assert_eq!(known.get("Inferred"), Some(&29));
    assert_eq!((known.get("Printed"), known.get("Reported")), (Some(&5), Some(&5)));
    let of = |nature: Nature| -> Vec<&str> {
        base.amendments.iter().filter(|a| a.nature == Some(nature)).map(|a| a.id.as_str()).collect()
    };
    assert_eq!(of(Nature::Restates), ["qa-5", "qa-9", "qa-13"]);
    assert_eq!(
        of(Nature::Changes),
        ["correction-1", "correction-1.leader-alone", "correction-2", "may-1997-csa", "may-1997-usa"]
    );
}

#[test]
fn each_version_has_what_the_one_before_had_and_more() {
    let library = library(&root());
    let on = |name: &str| -> Vec<String> {
        let ruleset = load(&library, GAME, &version(name));
        ruleset.amendments.iter().filter(|a| a.on).map(|a| a.id.clone()).collect()
    };
    let more = |old: &str, new: &str| -> Vec<String> {
        let (old, new) = (on(old), on(new));
        assert!(old.iter().all(|id| new.contains(id)));
        new.into_iter().filter(|id| !old.contains(id)).collect()
    };
    assert_eq!(on("base"), Vec::<String>::new());
    assert_eq!(more("base", "errata-1997-01").len(), 36);
    assert_eq!(more("errata-1997-01", "errata-1997-02"), ["feb-1997"]);
    assert_eq!(more("errata-1997-02", "errata-1997-05"), ["may-1997-csa", "may-1997-usa"]);
}

#[test]
fn any_set_of_errata_can_be_played() {
    play_any_sets(&library(&root()), GAME, 200);
}

/// The 45 paragraphs of the errata, and the 19 of the base.
#[test]
fn every_erratum_is_carried_and_proven() {
    let library = library(&root());
    let base = load(&library, GAME, &Selection::default());
    let report = run_examples(&library, &base, Choice::default(), &mut |ruleset| {
        Runtime::watching(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
    });
    let coverage = Coverage::new(&base, &report);
    assert_eq!(coverage.total, 45 + 19);
    assert_eq!(coverage.missing, Vec::<String>::new());
    assert_eq!(coverage.unproven, Vec::<String>::new());
    assert_eq!(coverage.skipped.len(), 6, "titles, credits, a misprint, a note and a link");
    assert!(report.examples >= 180, "{} examples", report.examples);
}

/// From either side, in every scenario, with all of the errata and with none.
#[test]
fn plain_beats_random() {
    let library = library(&root());
    for (named, scenario, games) in
        [("errata-1997-05", 2, 20), ("base", 2, 20), ("errata-1997-05", 1, 20), ("errata-1997-05", 0, 4)]
    {
        for side in 0..2 {
            let won = won_by_plain(&library, GAME, named, scenario, side, games);
            assert!(won as u64 * 20 >= games * 19, "{named}, scenario {scenario}, side {side}: {won} of {games}");
        }
    }
}

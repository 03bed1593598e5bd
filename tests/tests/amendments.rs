//! What an amendment can change, on the toy game.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    ruleset::{Ruleset, Selection, VersionName},
};
use countermarch_tests::{load, toy};

/// The toy game with further files under its folder.
fn with(files: &[(&str, &str)]) -> Library {
    let mut library = toy();
    for (path, text) in files {
        library.insert(&format!("rulesets/toy/{path}"), *text);
    }
    library
}

fn version(library: &Library, version: &str) -> Arc<Ruleset> {
    load(library, "toy", &Selection { version: VersionName::parse(version), ..Selection::default() })
}

fn steps(ruleset: &Ruleset) -> Vec<String> {
    ruleset.sequence.names_of_steps(&ruleset.rules)
}

#[test]
fn steps_of_the_sequence_are_added_before_and_after_and_removed() {
    let amended = |change: &str| {
        let text = format!("amendment: one\ntitle: One\nkind: house\nchange:\n{change}");
        with(&[("amendments/one.yaml", &text)])
    };
    let before = steps(&version(&toy(), "base"));
    assert_eq!(before[4..7], ["march: enter march", "march: march.move", "march: leave march"]);

    let library = amended("  - { add: sequence, before: march.move, item: { run: fire.count } }");
    assert_eq!(steps(&version(&library, "base")), before);
    let after = steps(&version(&library, "base+one"));
    assert_eq!(after[4..7], ["march: enter march", "march: fire.count", "march: march.move"]);
    assert_eq!(after.iter().filter(|step| !before.contains(step)).count(), 1, "all others keep their names");

    let library = amended(
        "  - { add: sequence, after: march, item: { name: rest, phases: [{ run: fire.count }] } }\n  \
           - { add: sequence/rest/phases, before: fire.count, item: { run: fire.shoot } }\n  \
           - { add: sequence/end, after: fire.count, item: { run: { rule: fire.count, when: \"turn = 2\" } } }\n  \
           - { drop: sequence/fire/fire.shoot }",
    );
    let after = steps(&version(&library, "base+one"));
    let rest = ["rest: enter rest", "rest: fire.shoot", "rest: fire.count", "rest: leave rest"];
    assert_eq!(after[7..11], rest);
    assert_eq!(after[11..13], ["fire: enter fire", "fire: leave fire"], "nothing is left to do in it");
    assert_eq!(after[after.len() - 4..after.len() - 1], ["end: fire.count", "end: fire.count 2", "end: leave end"]);

    let after = steps(&version(&amended("  - { drop: sequence/end }"), "base+one"));
    assert_eq!(after.last().map(String::as_str), Some(": end"));
    assert!(!after.iter().any(|step| step.contains("fire.count")), "{after:?}");
}

//! What an effect cites that says nothing of it: the paragraph above the rule it stands in, wherever it stands there.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    play::Limits,
    ruleset::{Ruleset, Selection, VersionName},
    show::Story,
};
use countermarch_tests::{load, play_at_random, rules, toy};

/// A change of the toy's rules: file, old text, new text.
type Change<'a> = (&'a str, &'a str, &'a str);

fn version(changes: &[Change<'_>], name: &str) -> Arc<Ruleset> {
    let mut library: Library = toy();
    for (file, old, new) in changes {
        let file = format!("rulesets/toy/rules/{file}");
        let before = library.text(&file).expect("the toy has that file").to_owned();
        assert!(before.contains(old), "`{old}` does not stand in {file}");
        library.insert(&file, before.replacen(old, new, 1));
    }
    library.insert(
        "rulesets/toy/amendments/again/amendment.yaml",
        "amendment: again\ntitle: Again\nkind: house\n".to_owned(),
    );
    let replaces = "--- Nobody counts.\n--- @replaces\nfunction fire.count()\n  finish(nil, \"nobody\")\nend\n";
    library.insert("rulesets/toy/amendments/again/rules/fire.luau", replaces.to_owned());
    load(&library, "toy", &Selection { version: VersionName::parse(name), ..Selection::default() })
}

/// All that is told of twenty games.
fn told(ruleset: &Arc<Ruleset>) -> String {
    let mut lines = String::new();
    for seed in 0..20 {
        let limits = Limits { log: true, verify: true, ..Limits::BULK };
        let session = play_at_random(ruleset, rules(ruleset), seed, limits, usize::MAX, &mut |_| ()).expect("plays");
        let mut story = Story::new(ruleset);
        for line in session.told().filter_map(|event| story.tell(event)) {
            lines += &(line + "\n");
        }
        let outcome = session.game().outcome().expect("it is over");
        lines += &format!("{} [{}]\n", outcome.name, ruleset.cite(outcome.cite));
    }
    lines
}

#[test]
fn effects_cite_what_their_rule_does_unless_they_say_otherwise() {
    let explicit = version(
        &[
            (
                "march.luau",
                "set.unit.down(u, choice == \"stay\", \"t/6\")",
                "set.unit.down(u, choice == \"stay\", \"t/1\")",
            ),
            (
                "fire.luau",
                "set.unit.shots(u, unit.shots(u) + 1, \"t/6\")",
                "set.unit.shots(u, unit.shots(u) + 1, \"t/3\")",
            ),
        ],
        "base",
    );
    let left_out = version(
        &[
            // Within a function of its own, which stands in the rule all the same.
            (
                "march.luau",
                "set.unit.down(u, choice == \"stay\", \"t/6\")",
                "local function lie() set.unit.down(u, choice == \"stay\") end lie()",
            ),
            ("march.luau", "set.unit.moved(u, true, \"t/1\")", "set.unit.moved(u, true, nil)"),
            ("fire.luau", "set.unit.shots(u, unit.shots(u) + 1, \"t/6\")", "set.unit.shots(u, unit.shots(u) + 1)"),
            ("fire.luau", "place(target, boxes.lost, \"t/3\")", "place(target, boxes.lost)"),
            ("fire.luau", "\"field held\", \"t/4\")", "\"field held\")"),
        ],
        "base",
    );
    let (told, by_rule) = (told(&explicit), told(&left_out));
    for cite in ["t/1", "t/3", "t/4", "t/5"] {
        assert!(told.contains(&format!("[{cite}]")), "{cite} is never told:\n{told}");
    }
    assert_eq!(told, by_rule);
}

#[test]
fn a_rule_in_place_of_another_cites_what_that_did() {
    let told = told(&version(&[], "base+again"));
    assert!(told.contains("nobody [t/4]"), "{told}");
}

#[test]
fn sums_cite_the_rule_that_adds() {
    let explicit =
        "local total = tally.new(\"count\") tally.add(total, red, \"red\", \"t/4\") tally.tell(total)\n  finish(";
    let left_out = "local total = tally.new(\"count\") tally.add(total, red, \"red\") tally.tell(total)\n  finish(";
    let of = |text| told(&version(&[("fire.luau", "finish(", text)], "base"));
    let told = of(explicit);
    assert!(told.contains("red") && told.contains("[t/4]"), "{told}");
    assert_eq!(told, of(left_out));
}

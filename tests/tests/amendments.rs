//! What an amendment can change, on the toy game.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    ruleset::{Ruleset, Selection, VersionName},
    study::{Choice, Coverage, run_examples},
};
use countermarch_scripting::{Budget, Runtime};
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

fn make(ruleset: &Arc<Ruleset>) -> Result<Runtime, String> {
    Runtime::watching(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
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

#[test]
fn an_amendments_rule_file_of_a_player_stands_in_place_of_the_bases() {
    let amendment = |name: &str, more: &str| format!("amendment: {name}\ntitle: {name}\nkind: house\n{more}");
    let player = "--!strict\n-- A player.\nreturn {}\n";
    let library = |more: &str| {
        with(&[
            ("players/plain.luau", player),
            ("amendments/one/amendment.yaml", &amendment("one", "change: []\n")),
            ("amendments/one/players/plain.luau", player),
            ("amendments/two/amendment.yaml", &amendment("two", &format!("{more}change: []\n"))),
            ("amendments/two/players/plain.luau", player),
        ])
    };
    let file_of = |more: &str, version: &str| {
        let ruleset = self::version(&library(more), version);
        ruleset.judgements[ruleset.judgement("plain").expect("it is there")].luau.clone().map(|(path, _)| path)
    };
    assert_eq!(file_of("", "base").as_deref(), Some("rulesets/toy/players/plain.luau"));
    assert_eq!(file_of("", "base+one").as_deref(), Some("rulesets/toy/amendments/one/players/plain.luau"));
    let both = file_of("after: [one]\n", "base+one+two");
    assert_eq!(both.as_deref(), Some("rulesets/toy/amendments/two/players/plain.luau"));
    let selection = Selection { version: VersionName::parse("base+one+two"), ..Selection::default() };
    let wrong = Ruleset::load(&library(""), "toy", &selection).expect_err("one is too many");
    assert!(wrong.list.iter().any(|d| d.message == "`two` and `one` both bring a player `plain`"), "{:?}", wrong.list);
}

/// An amendment that is a folder: with rules, an example and a paragraph of its own.
const FOLDER: [(&str, &str); 4] = [
    ("amendments/tired/amendment.yaml", "amendment: tired\ntitle: The tired stop\nkind: house\n"),
    (
        "amendments/tired/rulebook.yaml",
        "rulebook:\n  - { id: tired/1, says: nobody moves twice, by: [rules/march.move, rules/rest.all] }\n",
    ),
    (
        "amendments/tired/rules/march.luau",
        "--- Nobody moves: all rest.\n--- @cite tired/1\n--- @replaces\nfunction march.move()\n  rest.all()\n  \
         return true\nend\n",
    ),
    (
        "amendments/tired/rules/rest.luau",
        "--- Everybody lies low.\nfunction rest.all()\n  for _, u in ipairs(each.alive(state.phasing())) do\n    \
         set.unit.down(u, true, \"tired/1\")\n  end\nend\n",
    ),
];
const EXAMPLE: (&str, &str) = (
    "amendments/tired/examples/rest.yaml",
    "maps: { plain: { radius: 3 } }\nexamples:\n  - name: the tired rest\n    cite: [tired/1]\n    map: plain\n    \
     place: { ann: \"0:0\", bob: \"3:-3\" }\n    begin: march\n    play: []\n    expect: { ann: { down: true } }\n",
);

#[test]
fn an_amendment_carries_rules_examples_and_paragraphs() {
    let library = with(&[&FOLDER[..], &[EXAMPLE]].concat());
    let base = version(&library, "base");
    assert!(base.rulebook.find("tired/1").is_none() && base.rule("rest.all").is_none(), "off, it is not there");
    assert_eq!(base.parts, version(&toy(), "base").parts);

    let amended = version(&library, "base+tired");
    let rule = &amended.rules[amended.rule("march.move").expect("replaced").0 as usize];
    assert_eq!(rule.at, ("rulesets/toy/amendments/tired/rules/march.luau".to_owned(), 4));
    assert_eq!(rule.instead, [("rulesets/toy/rules/march.luau".to_owned(), 6)]);
    assert_eq!(amended.cite(rule.cite), "tired/1");
    let changed: Vec<&String> =
        amended.parts.iter().filter(|(name, hash)| base.parts.get(*name) != Some(hash)).map(|p| p.0).collect();
    assert_eq!(changed, ["rules/march", "rules/rest"], "a record pins what the amendment carries");

    for (ruleset, total, examples) in [(&base, 7, 6), (&amended, 8, 7)] {
        let report = run_examples(&library, ruleset, Choice::default(), &mut make);
        assert_eq!(report.failed, []);
        assert_eq!(report.examples, examples);
        let coverage = Coverage::new(ruleset, &report);
        assert_eq!(coverage.total, total);
        assert_eq!(coverage.proven.contains(&"tired/1".to_owned()), total == 8);
    }
}

/// Two amendments of one rule, each of which counts before it does what it stands in place of.
fn of_one_rule(after: &str) -> Library {
    let rule = |n: i32| {
        format!(
            "--- @replaces\nfunction fire.shoot()\n  set.unit.shots(units.ann, 2 * unit.shots(units.ann) + {n})\n  \
             return original.shoot()\nend\n"
        )
    };
    let example = |name: &str, version: &str, shots: i32| {
        format!(
            "  - name: {name}\n    version: {version}\n    place: {{ ann: \"0:0\", bob: \"3:-3\" }}\n    begin: fire\n    \
             play: []\n    expect: {{ ann: {{ shots: {shots} }} }}\n"
        )
    };
    let examples = [example("one", "base+one", 1), example("two", "base+two", 2), example("both", "base+one+two", 5)];
    with(&[
        ("amendments/one/amendment.yaml", "amendment: one\ntitle: One\nkind: house\n"),
        ("amendments/one/rules/fire.luau", &rule(1)),
        ("amendments/two/amendment.yaml", &format!("amendment: two\ntitle: Two\nkind: house\n{after}")),
        ("amendments/two/rules/fire.luau", &rule(2)),
        ("examples/walk.yaml", &format!("scenario: meeting\nexamples:\n{}", examples.concat())),
    ])
}

#[test]
fn two_amendments_of_one_rule_stack_only_where_one_comes_after_the_other() {
    let library = of_one_rule("after: [one]\n");
    let base = version(&library, "base");
    let report = run_examples(&library, &base, Choice::default(), &mut make);
    assert_eq!(report.failed, []);
    assert_eq!(report.examples, 3);
    assert_eq!(version(&library, "base+two").amendments[1].id, "two", "what it comes after may be off");

    let both = Selection { version: VersionName::parse("base+one+two"), ..Selection::default() };
    let library = of_one_rule("");
    let found = Ruleset::load(&library, "toy", &both).expect_err("they are refused together");
    let told: Vec<String> = found.list.iter().map(|d| d.one_line(&library)).collect();
    assert_eq!(
        told,
        [
            "rulesets/toy/amendments/two/rules/fire.luau:2:1: error[conflict]: `two` and `one` both have a rule `fire.shoot`\n  \
          help: leave one out: ~one or ~two; or write in one that it comes `after:` the other"
        ]
    );
}

#[test]
fn an_amendment_changes_the_map_of_its_game_and_leaves_the_file_as_it_is() {
    let map = "map: toy\ntitle: Areas\ngrid: { kind: area }\nterrains: [wood, camp]\nfeatures: [hedge, ditch]\nspaces:\n  \
               - { at: \"0:0\", is: [wood] }\n  - { at: \"-2:0\" }\n  - { at: \"3:-1\" }\n  - { at: \"2:0\" }\nborders:\n  \
               - { between: [\"0:0\", \"-2:0\"], is: [hedge] }\n  - { between: [\"0:0\", \"3:-1\"] }\n  \
               - { between: [\"0:0\", \"2:0\"] }\n  - { between: [\"-2:0\", \"3:-1\"] }\nchecks:\n  \
               - { not-adjacent: [\"2:0\", \"3:-1\"] }\n";
    let corner = "amendment: corner\ntitle: A corner is enough\nkind: answer\nnature: changes\nchange:\n  \
                  - { add: map/borders, item: { between: [\"2:0\", \"3:-1\"], is: [ditch] } }\n  \
                  - { drop: \"map/checks/2:0+3:-1\" }\n  - { drop: \"map/borders/3:-1+-2:0\" }\n  \
                  - { drop: \"map/borders/-2:0+0:0/is/hedge\" }\n  - { set: \"map/spaces/0:0/is\", was: [wood], now: [camp] }\n";
    let mut library = with(&[("amendments/corner.yaml", corner)]);
    library.insert("maps/toy.yaml", map);
    let adjacent = |ruleset: &Ruleset, a: &str, b: &str| {
        let (a, b) = (ruleset.map.find(a).expect("there"), ruleset.map.find(b).expect("there"));
        ruleset.map.between(a, b).map(|border| ruleset.map.border(border).features)
    };
    let (base, amended) = (version(&library, "base"), version(&library, "base+corner"));
    let borders =
        |ruleset: &Ruleset| [("2:0", "3:-1"), ("-2:0", "3:-1"), ("0:0", "-2:0")].map(|(a, b)| adjacent(ruleset, a, b));
    assert_eq!(borders(&base), [None, Some(0), Some(1)]);
    assert_eq!(borders(&amended), [Some(2), None, Some(0)]);
    let terrain = |ruleset: &Ruleset| ruleset.map.space(ruleset.map.find("0:0").expect("there")).terrain;
    assert_eq!((terrain(&base), terrain(&amended)), (1, 2));
    assert_eq!(library.text("maps/toy.yaml"), Some(map));
    assert_ne!(base.parts["map"], amended.parts["map"], "a record pins the map as it was played on");
}

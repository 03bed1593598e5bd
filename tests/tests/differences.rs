//! How two versions differ on paper: everything that differs is found and laid to the amendments that make it so.

use countermarch_core::{
    library::Library,
    ruleset::{Difference, Differences, Ruleset, Selection, VersionName, available},
    show::{differences_json, differences_markdown, differences_page, differences_text},
};
use countermarch_tests::{library, load, root, toy};

fn version(version: &str) -> Selection {
    Selection { version: VersionName::parse(version), ..Selection::default() }
}

fn between(library: &Library, id: &str, first: &Selection, second: &Selection) -> Differences {
    Differences::between(library, id, [first, second]).unwrap_or_else(|found| {
        panic!("{}", found.list.iter().map(|d| d.one_line(library)).collect::<Vec<_>>().join("\n"))
    })
}

/// The toy game with amendments that change it in every way there is.
fn changed() -> Library {
    let mut library = toy();
    let mut add = |path: &str, text: &str| {
        library.insert(&format!("rulesets/toy/amendments/{path}"), text);
    };
    add(
        "ways.yaml",
        "amendment: ways\ntitle: Ways\nkind: house\nnature: settles\nwithout: { says: hedges are slow, from: invented }\nchange:\n  \
         - { set: settings/hedges/default, was: slow, now: open }\n  \
         - { set: may/shoot/unless/far/when, now: \"distance(unit, target) > 2\" }\n  \
         - { drop: may/move/unless/moved }\n  \
         - { add: units, item: { id: cid, name: Cid, side: red, type: foot, strength: 3 } }\n  \
         - { drop: sequence/fire/fire.shoot }\n",
    );
    add("aim/amendment.yaml", "amendment: aim\ntitle: Aim\nkind: house\n");
    let fire = toy().text("rulesets/toy/rules/fire.luau").expect("the toy game has it").to_owned();
    let count = &fire[fire.find("--- Whoever has").expect("it ends with the count")..];
    let count = count.replace("--- @cite t/4", "--- @cite t/4\n--- @replaces").replace("\"field held\"", "\"won\"");
    add("aim/rules/fire.luau", &format!("--!strict\n-- Another count.\n\n{count}"));
    library
}

fn told(differences: &Differences) -> Vec<String> {
    let stands = |value: &Difference, at: usize| value.stands[at].as_ref().map_or("-", |s| &s.written).to_owned();
    let one = |value: &Difference| {
        format!("{}: {} | {} [{}] {}", value.path, stands(value, 0), stands(value, 1), value.cite, value.by.join(" "))
    };
    differences.values.iter().map(one).collect()
}

#[test]
fn everything_that_an_amendment_changes_is_found_and_laid_to_it() {
    let library = changed();
    let found = between(&library, "toy", &version("base"), &version("base+ways+aim"));
    assert_eq!(
        told(&found),
        [
            "units/cid: - | { id: cid, name: Cid, side: red, type: foot, strength: 3 } [] ways",
            "settings/hedges/default: slow | open [t/2] ways",
            "sequence/turn/phases/player-turn/phases/fire/phases/fire.shoot: { run: fire.shoot } | - [t/3] ways",
            "may/move/unless/moved: { id: moved, when: unit.moved, say: it has moved, cite: t/1 } | - [t/1] ways",
            "may/shoot/unless/far/when: distance(unit, target) != 1 | distance(unit, target) > 2 [t/3] ways",
        ]
    );
    let rules: Vec<_> = found.rules.iter().map(|rule| (&*rule.name, &*rule.cite, rule.by.join(" "))).collect();
    assert_eq!(rules, [("fire.count", "t/4", "aim".to_owned())]);
    let means: Vec<_> = found.values[1].stands.iter().flatten().filter_map(|s| s.means.as_deref()).collect();
    assert_eq!(means, ["hedges cost a point more", "hedges cost nothing"]);
    let text = differences_text(&found);
    for line in [
        "2 amendments are on in one of them alone; 5 values and 1 rule differ.",
        "How the game goes without an amendment: 1 invented.",
        "    without it (invented): hedges are slow",
        "    (it is not adjacent)",
        "    -  finish(if red > blue then sides.red elseif blue > red then sides.blue else nil, \"field held\", \"t/4\")",
        "    - rulesets/toy/rules/fire.luau:29",
        "    + rulesets/toy/amendments/aim/rules/fire.luau:7",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\nis not in\n{text}");
    }
}

#[test]
fn what_no_amendment_changes_is_laid_to_whoever_set_it() {
    let library = toy();
    let set = Selection { set: vec![("units/ann/strength".into(), "4".into())], ..Selection::default() };
    let found = between(&library, "toy", &Selection::default(), &set);
    assert_eq!(told(&found), ["units/ann/strength: 2 | 4 [] --set"]);
    assert_eq!(found.names, ["toy@base", "toy@base --set units/ann/strength=4"]);
}

#[test]
fn a_page_shows_hostile_text_as_text() {
    let mut library = toy();
    let amendment = "amendment: bold\ntitle: \"<b>bold</b> & `ticks`\"\nkind: house\nchange:\n  \
                     - { set: units/ann/name, now: \"<script>alert(1)</script>\" }\n";
    library.insert("rulesets/toy/amendments/bold.yaml", amendment);
    let found = between(&library, "toy", &version("base"), &version("base+bold"));
    let page = differences_page(&found, &[]);
    assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
    assert!(page.contains("&lt;b&gt;bold&lt;/b&gt; &amp; `ticks`"), "{page}");
    assert!(!page.contains("http"), "it needs no network: {page}");
    let markdown = differences_markdown(&found);
    assert!(markdown.contains("\\<b\\>bold\\</b\\> & \\`ticks\\`"), "{markdown}");
}

/// Each amendment of every game that can be put on the base by itself: all that differs is laid to it and to nothing
/// else; it is the same the other way round; and a version does not differ from itself.
#[test]
fn each_amendment_of_every_game_has_all_that_differs_by_it_alone() {
    let library = library(&root());
    let mut tried = 0;
    for id in available(&library) {
        let base = load(&library, &id, &Selection::default());
        for amendment in base.amendments.iter().filter(|amendment| amendment.needs.is_empty()) {
            let with = version(&format!("base+{}", amendment.id));
            let found = between(&library, &id, &Selection::default(), &with);
            let (there, back) = (told(&found), between(&library, &id, &with, &Selection::default()));
            let differs = !there.is_empty() || !found.rules.is_empty();
            assert!(differs || amendment.edits.is_empty(), "{id} {}", amendment.id);
            let by = found.values.iter().map(|value| &value.by).chain(found.rules.iter().map(|rule| &rule.by));
            for by in by {
                assert_eq!(*by, [amendment.id.as_str()], "{id}: {there:?}");
            }
            mirrors(&found, &back);
            tried += 1;
        }
        let itself = between(&library, &id, &Selection::default(), &Selection::default());
        assert!(itself.is_empty() && itself.groups().is_empty());
    }
    assert!(tried > 50, "{tried}");
}

/// All that there is between two versions is the same from the other side, with first and second changed.
fn mirrors(there: &Differences, back: &Differences) {
    let mut paths = [there, back].map(|found| {
        let turn = std::ptr::eq(found, back);
        let text = |value: &Difference| {
            let mut stands = value.stands.each_ref().map(|s| s.as_ref().map(|s| (s.written.clone(), s.at.clone())));
            if turn {
                stands.swap(0, 1);
            }
            (value.path.clone(), stands, value.by.clone())
        };
        found.values.iter().map(text).collect::<Vec<_>>()
    });
    paths.iter_mut().for_each(|paths| paths.sort());
    assert_eq!(paths[0], paths[1]);
    let rules = [there, back].map(|found| found.rules.iter().map(|rule| (&rule.name, &rule.by)).collect::<Vec<_>>());
    assert_eq!(rules[0].len(), rules[1].len());
}

#[test]
fn the_clarifications_differ_from_the_base_by_all_that_they_say() {
    let library = library(&root());
    let found = between(&library, "gettysburg-88", &version("base"), &version("clarified"));
    let all = found.amendments().len();
    let groups: Vec<String> = found.groups().iter().map(|group| group.by.join(" ")).collect();
    let on: Vec<&str> = found.amendments().iter().map(|(amendment, _)| amendment.id.as_str()).collect();
    assert_eq!(groups, on, "each is told by itself, in the order of the sheet");
    assert!(found.values.iter().all(|value| !value.cite.is_empty()), "each is cited: {:?}", told(&found));
    let json = differences_json(&found);
    assert_eq!(json["amendments"].as_array().map(Vec::len), Some(all));
    assert_eq!(json["values"].as_array().map(Vec::len), Some(found.values.len()));
    let of = |ruleset: &Ruleset| ruleset.amendments.iter().filter(|amendment| amendment.on).count();
    assert_eq!((of(&found.versions[0]), of(&found.versions[1])), (0, all));
}

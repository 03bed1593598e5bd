//! Many versions from one library: whatever has been loaded from it before, by whichever thread, each is as it would be from
//! a library of its own, in content, in what is told of it and in play.

use std::{sync::Arc, thread};

use countermarch_core::{
    library::Library,
    play::Limits,
    ruleset::{Ruleset, Selection, VersionName},
};
use countermarch_tests::{library, play_at_random, replace, root, rules, toy};

/// Versions of real games: none, some and all of their amendments, those that change the map among them.
const VERSIONS: [(&str, &str); 11] = [
    ("gettysburg-corps", "base"),
    ("gettysburg-corps", "inventory"),
    ("gettysburg-77", "optional"),
    ("gettysburg-77", "base"),
    ("gettysburg-88", "clarified"),
    ("gettysburg-88", "base"),
    ("gettysburg-88", "clarified~28"),
    ("tmag", "errata-1997-05"),
    ("tmag", "base"),
    ("tmag", "base+qa-6"),
    ("gallop", "base"),
];

fn fresh(library: &Library) -> Library {
    let mut fresh = Library::default();
    library.under("").for_each(|(path, text)| fresh.insert(path, text));
    fresh
}

/// All that is told of a version, the hashes of its content, its rulebook and its map.
fn loaded(library: &Library, id: &str, version: &str) -> (String, Option<Arc<Ruleset>>) {
    let selection = Selection { version: VersionName::parse(version), ..Selection::default() };
    let (ruleset, found) = match countermarch_scripting::load(library, id, &selection) {
        Ok(loaded) => (Some(loaded.ruleset), loaded.warnings),
        Err(found) => (None, found),
    };
    let mut all: Vec<String> = found.list.iter().map(|d| d.one_line(library) + &d.help).collect();
    all.push(format!("and {} more", found.beyond));
    if let Some(ruleset) = &ruleset {
        all.push(format!("{:?}", ruleset.parts));
        all.extend(ruleset.rulebook.entries.iter().map(|entry| format!("{entry:?}")));
        all.extend(ruleset.rows.iter().map(|rows| format!("{rows:?}")));
        all.extend(ruleset.map.spaces().map(|space| format!("{:?}", ruleset.map.space(space))));
    }
    (all.join("\n"), ruleset)
}

#[test]
fn in_any_order_each_version_is_as_from_a_library_of_its_own() {
    let texts = library(&root());
    let alone: Vec<String> = VERSIONS.iter().map(|(id, version)| loaded(&fresh(&texts), id, version).0).collect();
    assert!(alone[3] != alone[2] && alone[5] != alone[4] && alone[8] != alone[7], "amendments make a difference");
    let (forth, back) = (fresh(&texts), fresh(&texts));
    for at in 0..VERSIONS.len() {
        for (library, at) in [(&forth, at), (&back, VERSIONS.len() - 1 - at)] {
            let (id, version) = VERSIONS[at];
            assert!(loaded(library, id, version).0 == alone[at], "{id}@{version} differs");
        }
    }
    // Copies of a library share what has been worked out, and threads come to it at once.
    let shared = fresh(&texts);
    thread::scope(|scope| {
        for first in 0..4 {
            let (library, alone) = (shared.clone(), &alone);
            scope.spawn(move || {
                for at in (0..VERSIONS.len()).map(|at| (at * 3 + first) % VERSIONS.len()) {
                    let (id, version) = VERSIONS[at];
                    assert!(loaded(&library, id, version).0 == alone[at], "{id}@{version} differs");
                }
            });
        }
    });
}

#[test]
fn a_version_plays_alike_whatever_was_loaded_before_it() {
    let texts = library(&root());
    let used = fresh(&texts);
    for (id, versions) in [("gettysburg-88", ["base", "clarified"]), ("tmag", ["errata-1997-05", "base"])] {
        for version in versions {
            let [alone, again] = [&fresh(&texts), &used].map(|library| {
                let ruleset = loaded(library, id, version).1.expect("without fault");
                let played =
                    play_at_random(&ruleset, rules(&ruleset), 7, Limits::BULK, 300, &mut |_| ()).expect("plays");
                (played.record().clone(), played.game().hash())
            });
            assert!(alone.0.entries.len() > 200, "it goes on");
            assert!(alone == again, "{id}@{version} is played otherwise");
        }
    }
}

#[test]
fn what_is_wrong_is_told_each_time_and_of_the_version_that_has_it() {
    let mut texts = toy();
    let amendment =
        |change: &str| format!("amendment: odd\ntitle: odd\nkind: house\nnature: changes\nchange:\n  - {change}\n");
    texts.insert("rulesets/toy/amendments/odd.yaml", amendment("{ set: movers/walk/allowance, was: 9, now: many }"));
    let far = "distance(unit, target) != 1";
    let mut unread = texts.clone();
    replace(&mut unread, "rulesets/toy/tables.yaml", far, "distance(unit target) != 1");
    for library in [&texts, &unread] {
        let [sound, odd] = ["base", "base+odd"].map(|version| loaded(&fresh(library), "toy", version).0);
        assert_ne!(sound, odd);
        let used = fresh(library);
        for (version, alone) in [("base", &sound), ("base+odd", &odd), ("base", &sound), ("base+odd", &odd)] {
            assert_eq!(loaded(&used, "toy", version).0, *alone);
        }
    }
    assert!(loaded(&unread, "toy", "base").1.is_none());
    // A text that is replaced is another, in the copy it is replaced in alone.
    assert!(loaded(&texts, "toy", "base").1.is_some());
    replace(&mut unread, "rulesets/toy/tables.yaml", "distance(unit target) != 1", far);
    assert!(loaded(&unread, "toy", "base").1.is_some());
}

//! What people forget: layers that look one way, first lines, lengths, paths in documents.

use std::{
    fs,
    path::{Path, PathBuf},
};

use countermarch_tests::root;

/// Files longer than the limit, each with the idea it holds.
const LONG: [(&str, &str); 5] = [
    ("cli/src/play.rs", "the table: one state, and what each command does with it"),
    ("core/src/play/session.rs", "the life of a task; cutting it would part what must be read together"),
    ("core/src/ruleset/tables.rs", "one reader for each kind of printed list"),
    ("core/src/study/example.rs", "examples: how they are read, acted out and judged"),
    ("scripting/src/api.rs", "the names rules see, by topic"),
];
const LONGEST: usize = 500;

fn files(folder: &Path, ending: &str, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') && name != "saves" {
            files(&path, ending, into);
        } else if name.ends_with(ending) {
            into.push(path);
        }
    }
    into.sort();
}

#[test]
fn every_source_file_says_first_what_it_is_and_is_not_too_long() {
    let mut all = Vec::new();
    files(&root(), ".rs", &mut all);
    for path in all {
        let text = fs::read_to_string(&path).expect("source is text");
        let name = path.strip_prefix(root()).expect("inside").display().to_string();
        assert!(text.starts_with("//!"), "{name} does not open with a `//!` line");
        let lines = text.lines().count();
        assert!(lines <= LONGEST || LONG.iter().any(|(n, _)| *n == name), "{name} has {lines} lines");
    }
}

#[test]
fn layers_of_core_look_one_way() {
    let layers = ["map", "ruleset", "play", "show", "study"];
    for (at, layer) in layers.iter().enumerate() {
        let mut all = Vec::new();
        files(&root().join("core/src").join(layer), ".rs", &mut all);
        for path in all {
            let text = fs::read_to_string(&path).expect("source is text");
            let mut code = text.split("#[cfg(test)]").next().unwrap_or("").to_owned();
            if *layer == "map" {
                // Provenance is declared with the ruleset and used by maps: one word, no machinery.
                code = code.replace("ruleset::Provenance", "");
            }
            for later in &layers[at + 1..] {
                let looks = code.contains(&format!("crate::{later}::")) || code.contains(&format!("\n    {later}::"));
                assert!(!looks, "{} looks into {later}", path.display());
            }
        }
    }
}

#[test]
fn core_names_no_game_and_no_language() {
    for part in ["core/src", "scripting/src"] {
        let mut all = Vec::new();
        files(&root().join(part), ".rs", &mut all);
        for path in all {
            let text = fs::read_to_string(&path).expect("source is text").to_lowercase();
            let code = text.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
            for word in ["gettysburg", "reynolds", "heth", "tmag", "gallop"] {
                let names = code.split(|c: char| !c.is_alphanumeric()).any(|w| w == word);
                assert!(!names, "{} names {word}", path.display());
            }
            assert!(part != "core/src" || !code.contains("mlua"), "{} names mlua", path.display());
        }
    }
}

#[test]
fn every_path_in_the_documents_exists() {
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "rulesets/README.md"] {
        let text = fs::read_to_string(root().join(document)).unwrap_or_else(|_| panic!("{document} is missing"));
        for word in text.split('`').skip(1).step_by(2) {
            let is_path = word.contains('/') && word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            let first = word.split('/').next().unwrap_or("");
            if is_path && root().join(first).is_dir() && !word.starts_with("saves") {
                assert!(root().join(word).exists(), "{document} names `{word}`, which does not exist");
            }
        }
    }
}

#[test]
fn every_source_folder_is_named_in_the_architecture() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    for folder in [
        "core/src/map",
        "core/src/ruleset",
        "core/src/play",
        "core/src/show",
        "core/src/study",
        "scripting",
        "cli",
        "tests",
        "maps",
        "rulesets",
    ] {
        assert!(text.contains(folder), "ARCHITECTURE.md does not name {folder}");
    }
    assert!(text.lines().count() <= 200, "ARCHITECTURE.md is longer than 200 lines");
}

#[test]
fn every_name_of_the_api_stands_in_its_type_definitions() {
    let definitions = fs::read_to_string(root().join("scripting/countermarch.d.luau")).expect("type definitions");
    let api = fs::read_to_string(root().join("scripting/src/api.rs")).expect("api");
    let prelude = fs::read_to_string(root().join("scripting/src/prelude.luau")).expect("prelude");
    let mut names: Vec<String> = api
        .match_indices("self.global(\"")
        .map(|(at, found)| api[at + found.len()..].split('"').next().unwrap_or("").to_owned())
        .filter(|n| !n.starts_with("__"))
        .collect();
    names.extend(prelude.lines().filter_map(|l| l.strip_prefix("function ")?.split('(').next().map(str::to_owned)));
    assert!(names.len() > 20);
    for name in names {
        let plain = name.replace("tally.", "");
        assert!(definitions.contains(&plain), "`{name}` is not declared in scripting/countermarch.d.luau");
    }
}

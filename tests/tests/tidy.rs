//! What people forget: layers that look one way, first lines, lengths, paths in documents.

use std::{
    fs,
    path::{Path, PathBuf},
};

use countermarch_tests::root;

/// Lines of a source file at most.
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
        assert!(lines <= LONGEST, "{name} has {lines} lines");
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
    for part in ["core/src", "cartography/src", "scripting/src"] {
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
            // Content paths such as `may/attack` are no files; what ends like a source file is one.
            let is_source = word.ends_with(".rs") || (word.ends_with(".luau") && document != "rulesets/README.md");
            if is_path && (is_source || root().join(first).is_dir()) && !word.starts_with("saves") {
                assert!(root().join(word).exists(), "{document} names `{word}`, which does not exist");
            }
        }
    }
}

#[test]
fn what_examples_and_amendments_may_say_stands_in_the_documents() {
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap_or_else(|_| panic!("{file} is missing"));
    let document = read("rulesets/README.md");
    let quoted = |text: &str| text.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let example = read("core/src/study/example.rs");
    let lists = ["const KEYS", "const STEPS"].map(|list| example.split(list).nth(1).expect("it lists its keys"));
    let mut keys: Vec<String> = lists.iter().flat_map(|list| quoted(list.split("];").next().unwrap_or(""))).collect();
    // An amendment asks for its keys one by one.
    let amendment = read("core/src/ruleset/amendment.rs");
    for call in ["fields.must(", "fields.may(", "fields.text(", "fields.texts("] {
        keys.extend(
            amendment.split(call).skip(1).filter_map(|rest| quoted(rest.split(')').next()?).into_iter().next()),
        );
    }
    assert!(keys.len() > 30, "{keys:?}");
    let is_missing = |key: &String| !document.contains(&format!("{key}:")) && !document.contains(&format!("`{key}`"));
    keys.retain(is_missing);
    assert_eq!(keys, Vec::<String>::new(), "rulesets/README.md does not say what they are");
    for (file, word) in [("rulesets/README.md", "COUNTERMARCH_HOME"), ("rulesets/README.md", "kind: axial")] {
        assert!(read(file).contains(word), "{file} does not name {word}");
    }
    for kind in ["hex", "square", "axial", "area"] {
        assert!(read("maps/README.md").contains(&format!("| `{kind}` |")), "maps/README.md has no grid `{kind}`");
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
    let mut sources = Vec::new();
    files(&root().join("scripting/src/api"), ".rs", &mut sources);
    let api: String = sources.iter().map(|path| fs::read_to_string(path).expect("source is text")).collect();
    let prelude = fs::read_to_string(root().join("scripting/src/api/prelude.luau")).expect("prelude");
    let quoted = |call: &str| -> Vec<String> {
        let rest = api.match_indices(call).map(|(at, found)| api[at + found.len()..].split('"').next());
        rest.flatten().filter(|name| !name.starts_with("__")).map(str::to_owned).collect()
    };
    let mut names = quoted("self.global(\"");
    names.extend(prelude.lines().filter_map(|l| l.strip_prefix("function ")?.split('(').next().map(str::to_owned)));
    assert!(names.len() > 40, "{}", names.len());
    // What the engine puts into Luau's own libraries is declared with Luau.
    names.retain(|name| !["string.", "table."].iter().any(|library| name.starts_with(library)));
    for name in names {
        let is_declared = match name.split_once('.') {
            Some((table, field)) => declares_field(&definitions, table, field),
            None => {
                definitions.contains(&format!("\ndeclare {name}:"))
                    || definitions.contains(&format!("\ndeclare function {name}("))
            }
        };
        assert!(is_declared, "`{name}` is not declared in scripting/countermarch.d.luau");
    }
    let offers = quoted("offer.raw_set(\"");
    assert!(offers.len() > 5, "{}", offers.len());
    for field in offers {
        let declared = declares_field(&definitions, "offer", &field);
        assert!(declared, "`offer.{field}` is not declared in scripting/countermarch.d.luau");
    }
}

/// Whether `declare TABLE: { ... FIELD: ... }` stands there.
fn declares_field(definitions: &str, table: &str, field: &str) -> bool {
    let Some((_, rest)) = definitions.split_once(&format!("\ndeclare {table}: {{\n")) else { return false };
    let body = rest.split("\n}").next().unwrap_or("");
    body.lines().any(|line| line.trim_start().starts_with(&format!("{field}:")))
}

/// A block of code in `rulesets/README.md` whose first line names a file is that file, whole.
#[test]
fn what_the_readme_shows_of_a_game_is_the_game() {
    let read = |file: &str| fs::read_to_string(root().join(file)).expect("it is there");
    let document = read("rulesets/README.md");
    let blocks = document.split("\n```").filter_map(|block| {
        let (first, rest) = block.split_once('\n')?.1.split_once('\n')?;
        let file = first.strip_prefix("# ").or(first.strip_prefix("-- "))?;
        file.starts_with("tests/little/").then_some((file, rest))
    });
    let shown: Vec<&str> = blocks
        .map(|(file, shown)| {
            assert_eq!(format!("{shown}\n"), read(file), "{file} is not as rulesets/README.md shows it");
            file
        })
        .collect();
    assert_eq!(shown.len(), 4, "the game that the page begins with: {shown:?}");
}

//! A bad survey, elevation grid or grid file never panics: each file of `tests/broken_ground/` changes the little
//! ground of `tests/ground/` as `tests/broken/` changes the toy, and says exactly what is found. And the tutorial.

use std::{env, fs};

use countermarch_cartography::files::Sources;
use countermarch_core::library::Library;
use countermarch_tests::root;

const FOUND: &str = "---- found ----\n";
const FILES: [&str; 3] = ["grid.yaml", "survey.geojson", "elevation.asc"];

fn little() -> Library {
    let mut library = Library::default();
    for file in FILES {
        library.insert(file, fs::read_to_string(root().join("tests/ground").join(file)).expect("the little ground"));
    }
    library
}

/// Everything found wrong with a ground, a line each.
fn diagnose(library: Library) -> String {
    let mut sources = Sources::of(library, "grid.yaml");
    sources.build();
    sources.found.list.iter().map(|d| d.one_line(&sources.library) + "\n").collect()
}

#[test]
fn the_little_ground_is_without_fault() {
    assert_eq!(diagnose(little()), "");
}

#[test]
fn every_broken_ground_is_told_exactly_what_is_wrong() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    let folder = fs::read_dir(root().join("tests/broken_ground")).expect("there are fixtures");
    let mut paths: Vec<_> = folder.map(|e| e.expect("a file").path()).collect();
    paths.sort();
    for path in paths {
        count += 1;
        let text = fs::read_to_string(&path).expect("a fixture is text");
        let (fixture, expected) = text.split_once(FOUND).unwrap_or((&text, ""));
        let mut library = little();
        for part in fixture.split("//- ").skip(1) {
            let (file, text) = part.split_once('\n').expect("a file has its text below its name");
            library.insert(file, text.to_owned());
        }
        for edit in fixture.lines().filter_map(|l| l.strip_prefix("replace ")) {
            let (file, edit) = edit.split_once(": ").expect("replace FILE: OLD => NEW");
            let (old, new) = edit.split_once(" => ").unwrap_or_else(|| panic!("{}: {edit}", path.display()));
            let (old, new) = (old.replace("\\n", "\n"), new.replace("\\n", "\n"));
            let before = library.text(file).expect("one of the little ground's files").to_owned();
            assert!(before.contains(&old), "{}: `{old}` does not stand in {file}", path.display());
            library.insert(file, before.replacen(&old, &new, 1));
        }
        let found = diagnose(library);
        if env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, format!("{fixture}{FOUND}{found}")).expect("writes");
        } else if found != expected {
            wrong.push(format!("{}:\nexpected\n{expected}found\n{found}", path.display()));
        }
        assert!(!found.is_empty(), "{}: nothing was found", path.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 25, "only {count} fixtures");
}

#[test]
fn the_tutorials_grid_builds_as_it_says() {
    let text = fs::read_to_string(root().join("maps/TUTORIAL.md")).expect("the tutorial");
    let grid = text.split("```yaml\n").nth(1).and_then(|t| t.split("```").next()).expect("it has a grid file");
    let folder = root().join("target/tutorial");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("second-day.yaml");
    fs::write(&path, grid).expect("writes");
    let mut sources = Sources::read(&path).expect("it is there");
    let map = sources.build().and_then(|b| b.map).expect("it builds");
    assert!(sources.found.list.is_empty(), "{:?}", sources.found.list);
    let angle = map.spaces().find(|s| map.space(*s).label.as_deref() == Some("The Angle"));
    assert_eq!(angle.map(|s| map.space(s).name.as_str()), Some("0706"));
    // What the page promises about the wrong entry.
    fs::write(&path, grid.replace("\"0214\"", "\"0114\"")).expect("writes");
    let mut sources = Sources::read(&path).expect("it is there");
    sources.build();
    let told: Vec<&str> = sources.found.list.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(told, ["entry `EM` is in 0114, where `Emmitsburg Road` does not run"]);
}

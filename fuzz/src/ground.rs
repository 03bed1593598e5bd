//! Maps, and what maps are made from: surveys, elevations, grid files, files of Tiled.

use countermarch_cartography::{draw::Picture, files::Sources, tiled};
use countermarch_core::{
    diagnostic::Diagnostics,
    library::Library,
    map::{self, Map},
    yaml,
};

use crate::{as_text, text};

/// More spaces than these are as they are, and take long to draw.
const FEW: usize = 400;

/// Little maps, one of every kind of grid.
pub fn maps() -> Vec<Vec<u8>> {
    let grids = [
        "{ kind: hex, rows: 4, columns: 5, number: \"{column:A}{row}\" }",
        "{ kind: hex, rows: 4, columns: 4, orientation: flat, rows-from: north, number: \"{column:2}{row:2}\" }",
        "{ kind: square, rows: 3, columns: 4, corners: hedge }",
    ];
    let more = "terrains: [wood, camp]\nfeatures: [hedge, { name: slope, one-way: true }]\nroad-kinds: [lane]\n";
    let mut all: Vec<String> = grids
        .iter()
        .map(|grid| format!("map: little\ntitle: Little\nscale: 100 yards\ngrid: {grid}\n{more}"))
        .collect();
    all.push(text("tests/toy/maps/toy.yaml"));
    all.push(
        "map: areas\ngrid: { kind: area }\nterrains: [wood]\nfeatures: [ford]\nnumbers: [width]\nelevations: feet\n\
         levels: { least: 0, most: 3, except: [b] }\nspaces:\n\
         \x20 - { at: a, is: [wood], level: 1, elevation: 20, center: [0, 0], shape: [[0, 0], [9, 0], [9, 9]] }\n\
         \x20 - { at: b, name: Hill, level: 4, elevation: 30, center: [20, 5], numbers: { width: 3 } }\n\
         borders:\n  - { between: [a, b], is: [ford] }\n\
         places:\n  - { name: Farm, kind: farm, at: [a], from: printed }\n"
            .to_owned(),
    );
    all.push(text("tests/ground/grid.yaml"));
    all.into_iter().map(String::into_bytes).collect()
}

fn read(file: &str, text: &str) -> Option<Map> {
    let mut found = Diagnostics::default();
    let map = map::load(&yaml::parse(file, text, &mut found), &mut found);
    map.filter(|_| found.is_usable())
}

/// Reads a map, draws it, and sends it to Tiled and back.
pub fn map(bytes: &[u8]) {
    let text = as_text(bytes);
    let Some(map) = read("map.yaml", &text).filter(|map| map.len() <= FEW) else { return };
    for space in map.spaces().take(6) {
        let last = map.spaces().last().unwrap_or(space);
        map.distance(space, last);
        map.line(space, last);
    }
    let picture = Picture { map: &map, ground: None, game: None, overlays: Vec::new(), around: None, across: 16.0 };
    let _ = picture.svg();
    let Ok(made) = tiled::export(&map, &text, "tiles.png") else { return };
    let mut found = Diagnostics::default();
    if let Some(back) = tiled::import("board.tmj", &made.json, &mut found) {
        read("back.yaml", &back);
    }
}

fn little() -> Library {
    let mut library = Library::default();
    for file in ["grid.yaml", "survey.geojson", "elevation.asc"] {
        library.insert(file, text(&format!("tests/ground/{file}")));
    }
    library
}

thread_local! {
    static LITTLE: Library = little();
}

fn build(library: Library) {
    let mut sources = Sources::of(library, "grid.yaml");
    sources.build();
}

/// The survey of the little ground, and one with every kind of geometry.
pub fn surveys() -> Vec<Vec<u8>> {
    let point = r#"{"type":"Feature","properties":{"kind":"hill","name":"A"},"geometry":{"type":"Point","coordinates":[-77.23,39.83]}}"#;
    let lines = r#"{"type":"Feature","properties":{"kind":"creek","width":3},"geometry":{"type":"MultiLineString","coordinates":[[[-77.24,39.82],[-77.23,39.83]],[[-77.22,39.83],[-77.23,39.84]]]}}"#;
    let areas = r#"{"type":"Feature","properties":{"kind":"wood"},"geometry":{"type":"MultiPolygon","coordinates":[[[[-77.24,39.82],[-77.22,39.82],[-77.22,39.84],[-77.24,39.82]]]]}}"#;
    let made = format!(r#"{{"type":"FeatureCollection","features":[{point},{lines},{areas}]}}"#);
    vec![text("tests/ground/survey.geojson").into_bytes(), made.into_bytes()]
}

/// Lays the little grid over another survey.
pub fn survey(bytes: &[u8]) {
    let mut library = LITTLE.with(Clone::clone);
    library.insert("survey.geojson", as_text(bytes));
    build(library);
}

/// The grid file and the elevations of the little ground, apart and together.
pub fn grids() -> Vec<Vec<u8>> {
    let part = |file: &str| format!("//- {file}\n{}", text(&format!("tests/ground/{file}")));
    let (grid, elevation) = (part("grid.yaml"), part("elevation.asc"));
    vec![grid.clone().into_bytes(), elevation.clone().into_bytes(), (grid + &elevation).into_bytes()]
}

/// Lays another grid over the little survey, or over other elevations.
pub fn grid(bytes: &[u8]) {
    let mut library = LITTLE.with(Clone::clone);
    let theirs = Library::from_fixture(&as_text(bytes));
    for path in theirs.paths() {
        library.insert(path, theirs.text(path).unwrap_or_default());
    }
    build(library);
}

/// Little maps as files of Tiled.
pub fn tiled_files() -> Vec<Vec<u8>> {
    let exported = |bytes: Vec<u8>| {
        let text = as_text(&bytes);
        let map = read("map.yaml", &text)?;
        tiled::export(&map, &text, "tiles.png").ok().map(|made| made.json.into_bytes())
    };
    maps().into_iter().filter_map(exported).collect()
}

/// Reads a file of Tiled, and the map that it stands for.
pub fn tiled(bytes: &[u8]) {
    let mut found = Diagnostics::default();
    if let Some(text) = tiled::import("board.tmj", &as_text(bytes), &mut found) {
        read("map.yaml", &text);
    }
}

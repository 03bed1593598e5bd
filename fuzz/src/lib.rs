//! Fuzz targets: everything that reads what somebody else wrote, and texts to begin from.
//!
//! A target takes any bytes and must come back: no panic, no abort, no hang. What it returns nobody looks at. The test
//! `tests/short.rs` throws the seeds, what was ever found ([`found`]) and mutations of both at every target for a few
//! seconds; `fuzz/run TARGET SECONDS` searches for as long as one likes, guided by coverage.

mod game;
mod ground;
mod mutation;
mod ruleset;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use countermarch_core::library::Library;

pub use mutation::Mutation;

/// Something that reads what somebody else wrote.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Texts as people write them, to begin from.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads any bytes.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: [Target; 9] = [
    Target { name: "rows", seeds: game::conditions, run: game::rows },
    Target { name: "notation", seeds: game::orders, run: game::notation },
    Target { name: "record", seeds: game::records, run: game::record },
    Target { name: "ruleset", seeds: ruleset::files, run: ruleset::ruleset },
    Target { name: "rules", seeds: ruleset::rule_files, run: ruleset::rules },
    Target { name: "map", seeds: ground::maps, run: ground::map },
    Target { name: "survey", seeds: ground::surveys, run: ground::survey },
    Target { name: "grid", seeds: ground::grids, run: ground::grid },
    Target { name: "tiled", seeds: ground::tiled_files, run: ground::tiled },
];

/// The target of that name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository").to_owned()
}

/// What once made a target fail, each in a file of its own: `fuzz/found/TARGET-...`.
pub fn found(target: &Target) -> Vec<Vec<u8>> {
    let Ok(folder) = fs::read_dir(root().join("fuzz/found")) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let is_ours = |path: &&PathBuf| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(target.name));
    paths.iter().filter(is_ours).map(|path| fs::read(path).expect("what was found can be read")).collect()
}

/// Writes what a target begins from into a folder, a file each.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_seeds(target: &Target, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (number, seed) in (target.seeds)().into_iter().chain(found(target)).enumerate() {
        fs::write(folder.join(format!("seed-{number:04}")), seed)?;
    }
    Ok(())
}

/// A text of the repository.
fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|wrong| panic!("{path}: {wrong}"))
}

/// All content under a folder of the repository that holds `maps` and `rulesets`.
fn library(folder: &str) -> Library {
    let mut library = Library::default();
    for part in ["maps", "rulesets"] {
        library.add_folder(part, &root().join(folder).join(part)).expect("the folder can be read");
    }
    library
}

/// Bytes as the text they would be read as.
fn as_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

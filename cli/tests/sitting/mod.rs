//! The real program with typed lines, for tests of the table.

use std::path::{Path, PathBuf};

use crate::program::{repository, run};

/// A game at the table, typed from a file, with its record; that is gone with the value.
pub struct Sitting {
    pub record: PathBuf,
    pub told: String,
}

impl Drop for Sitting {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.record);
    }
}

impl Sitting {
    /// What the record holds behind its header.
    pub fn record(&self) -> String {
        let text = std::fs::read_to_string(&self.record).expect("the record");
        text.split_once("---\n").expect("a header").1.to_owned()
    }
}

/// Plays a game with these lines; the name tells its record from those of other tests.
pub fn play(name: &str, args: &[&str], typed: &str) -> Sitting {
    let record = std::env::temp_dir().join(format!("countermarch-sitting-{}-{name}.march", std::process::id()));
    // An earlier run may have had the same number, and its file would be refused.
    let _ = std::fs::remove_file(&record);
    let save = record.display().to_string();
    let told = program(&[&["play"], args, &["--save", &save]].concat(), typed);
    Sitting { record, told }
}

/// What the program tells.
pub fn program(args: &[&str], typed: &str) -> String {
    program_at(repository(), args, typed)
}

/// The same, with its games in this folder.
pub fn program_at(home: &Path, args: &[&str], typed: &str) -> String {
    let output = run(home, args, typed);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

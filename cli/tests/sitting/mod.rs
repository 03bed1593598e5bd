//! The real program with typed lines, for tests of the table.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

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
    program_at(Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository"), args, typed)
}

/// The same, with its games in this folder.
pub fn program_at(home: &Path, args: &[&str], typed: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .args(args)
        .env("COUNTERMARCH_HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all(typed.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

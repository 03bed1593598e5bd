//! The real program, with typed lines.

use std::{
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

/// The repository, which is where its games lie.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository")
}

/// Runs the program to its end, with its games in this folder.
pub fn run(home: &Path, args: &[&str], typed: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .args(args)
        .env("COUNTERMARCH_HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that ends early closes its input; that is its right.
    let _ = stdin.write_all(typed.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

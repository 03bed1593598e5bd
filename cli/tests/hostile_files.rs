//! Somebody else's maps, grids, content and records: each file of `tests/hostile/files/` tries to crash or hang the
//! program, to fill the screen or steer the terminal, to read or write what is not its own; and says what must come of it.
//!
//! Each try is a run of the program itself, in a folder of its own that holds the toy game and the little ground, with a
//! bound of memory and time. The first lines of a file say what is tried, behind `#>`:
//!
//! ```text
//! #> tries: one sentence
//! #> run: check toy                  how the program is called; `{}` is the folder
//! #> exit: 1                         how it must end
//! #> found: words                    that must be printed
//! #> kept: FILE                      a file that must stay as it is
//! #> never: FILE                     a file that must not come to be
//! #> edit: FILE: OLD => NEW          changes a file; \n ends a line, \e is an escape, \r\l turns the writing round
//! #> many: FILE: COUNT: TEXT         writes the text so often at the end of a file, `{n}` counts
//! #> link: FILE -> TO                a link
//! #> pipe: FILE                      a pipe that nobody writes to
//! //- FILE                           the rest is a file of that name
//! ```

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use countermarch_core::plain::steers;

/// On the clock, on a machine with much else to do.
const LONGEST: Duration = Duration::from_secs(120);
/// Address space, in kilobytes.
const MEMORY: &str = "3000000";
/// More than this nobody reads.
const MOST_PRINTED: usize = 200_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").to_owned()
}

/// A folder that is gone when the try is over.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new(name: &str) -> Folder {
        let whole = std::env::temp_dir().join(format!("countermarch-hostile-{}-{name}", std::process::id()));
        let folder = Folder(whole);
        copy(&root().join("tests/toy"), &folder.home());
        let ground =
            |file: &str| fs::read_to_string(root().join("tests/ground").join(file)).expect("the little ground");
        for file in ["survey.geojson", "elevation.asc"] {
            folder.write(file, &ground(file));
        }
        folder.write("maps/grids/little.yaml", &ground("grid.yaml"));
        folder
    }

    /// What the try sees as its own; what lies beside it is not.
    fn home(&self) -> PathBuf {
        self.0.join("home")
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.home().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, text).expect("writes");
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.home().join(file)).unwrap_or_default()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the toy") {
        let entry = entry.expect("a file");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("copies");
        }
    }
}

/// Text as the first lines of a try write it.
fn spelled(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\e", "\u{1b}").replace("\\r\\l", "\u{202e}")
}

/// Carries out a try. The error says what is wrong with how it came out.
fn meet(path: &Path) -> Result<(), String> {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let whole = fs::read_to_string(path).map_err(|wrong| wrong.to_string())?;
    let (head, files) = whole.split_at(whole.find("//- ").unwrap_or(whole.len()));
    let folder = Folder::new(&name);
    for file in files.split("//- ").skip(1) {
        let (file, text) = file.split_once('\n').expect("a file has its text below its name");
        folder.write(file, text);
    }
    let (mut args, mut exit, mut found) = (Vec::new(), None, Vec::new());
    let (mut kept, mut never) = (Vec::new(), Vec::new());
    for line in head.lines() {
        let told = line.strip_prefix("#> ").and_then(|told| told.split_once(": "));
        let Some((key, value)) = told else { return Err(format!("`{line}` is no line of a try")) };
        match key {
            "tries" => (),
            "run" => {
                args = value.split(' ').map(|arg| arg.replace("{}", &folder.home().display().to_string())).collect()
            }
            "exit" => exit = value.parse::<i32>().ok(),
            "found" => found.push(value.to_owned()),
            "kept" => kept.push((value.to_owned(), folder.text(value))),
            "never" => never.push(folder.home().join(value)),
            "edit" => {
                let (file, edit) = value.split_once(": ").expect("edit: FILE: OLD => NEW");
                let (old, new) = edit.split_once(" => ").expect("edit: FILE: OLD => NEW");
                let before = folder.text(file);
                assert!(before.contains(&spelled(old)), "{name}: `{old}` does not stand in {file}");
                folder.write(file, &before.replacen(&spelled(old), &spelled(new), 1));
            }
            "many" => {
                let mut parts = value.splitn(3, ": ");
                let (Some(file), Some(count), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
                    return Err("many: FILE: COUNT: TEXT".to_owned());
                };
                let (file, text) = (&spelled(file), spelled(text));
                let all = (0..count.parse().expect("a count")).map(|n: usize| text.replace("{n}", &n.to_string()));
                folder.write(file, &(folder.text(file) + &all.collect::<String>()));
            }
            "link" => {
                let (file, to) = value.split_once(" -> ").expect("link: FILE -> TO");
                let _ = fs::remove_file(folder.home().join(file));
                std::os::unix::fs::symlink(to, folder.home().join(file)).expect("a link can be made");
            }
            "pipe" => {
                let made = Command::new("mkfifo").arg(folder.home().join(value)).status().expect("mkfifo");
                assert!(made.success());
            }
            other => return Err(format!("`{other}` is not told of a try")),
        }
    }
    let exit = exit.ok_or("it is not said how it must end")?;
    let (code, printed) = run(&folder, &args)?;
    let judged = |is_so: bool, what: String| if is_so { Ok(()) } else { Err(format!("{what}\n{}", start(&printed))) };
    judged(code == Some(exit), format!("it ends with {code:?}"))?;
    judged(printed.len() <= MOST_PRINTED, format!("it prints {} bytes", printed.len()))?;
    judged(!printed.contains(steers), "what it prints steers the terminal".to_owned())?;
    for words in &found {
        judged(printed.contains(words.as_str()), format!("`{words}` is not found in"))?;
    }
    for (file, text) in &kept {
        judged(folder.text(file) == *text, format!("{file} is changed"))?;
    }
    for file in &never {
        judged(!file.exists(), format!("{} has come to be", file.display()))?;
    }
    judged(!found.is_empty(), "nothing is said to be found".to_owned())
}

/// As much of it as tells what went wrong.
fn start(printed: &str) -> String {
    printed.chars().take(3000).collect()
}

/// The exit code, and all that was printed.
fn run(folder: &Folder, args: &[String]) -> Result<(Option<i32>, String), String> {
    let told = folder.0.join("printed");
    let open = || fs::OpenOptions::new().append(true).create(true).open(&told).expect("it can be written");
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {MEMORY} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_countermarch")])
        .args(args)
        .env("COUNTERMARCH_HOME", folder.home())
        .env("RUST_BACKTRACE", "0")
        .current_dir(folder.home())
        .stdin(Stdio::null())
        .stdout(open())
        .stderr(open())
        .spawn()
        .map_err(|wrong| wrong.to_string())?;
    let began = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|wrong| wrong.to_string())? {
            Some(status) => break status,
            None if began.elapsed() > LONGEST => {
                child.kill().and_then(|()| child.wait()).map_err(|wrong| wrong.to_string())?;
                return Err(format!("it hangs: stopped after {LONGEST:?}"));
            }
            None => thread::sleep(Duration::from_millis(10)),
        }
    };
    Ok((status.code(), String::from_utf8_lossy(&fs::read(told).unwrap_or_default()).into_owned()))
}

#[test]
fn no_file_crashes_hangs_or_reaches_beyond_its_folder() {
    let folder = fs::read_dir(root().join("tests/hostile/files")).expect("there are tries");
    let mut paths: Vec<_> = folder.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let mut wrong = Vec::new();
    for path in &paths {
        let began = Instant::now();
        if let Err(how) = meet(path) {
            wrong.push(format!("{}: {how}", path.display()));
        }
        println!("{:>6} ms  {}", began.elapsed().as_millis(), path.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(paths.len() >= 45, "only {} tries", paths.len());
}

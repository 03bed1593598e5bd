//! Tries that may hang, crash or take all memory, each in a process of its own: the test's own program once more, with
//! as much memory and time as it is given and no more.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What tells the child which file to try.
const TRIES: &str = "COUNTERMARCH_TRIES";

/// What a child may use up.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// On the clock; generous, for machines with much else to do.
    pub wall: Duration,
    /// Address space, in megabytes.
    pub memory: u32,
}

/// The file that this process is to try, where it is a child.
pub fn to_try() -> Option<String> {
    env::var(TRIES).ok()
}

/// Runs a test of this program in a child, which [`to_try`] tells the file, and hands back what it printed; the error
/// says how it ended otherwise.
pub fn try_in_child(test: &str, file: &Path, bounds: Bounds) -> Result<String, String> {
    let program = env::current_exe().map_err(|wrong| wrong.to_string())?;
    let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let printed = env::temp_dir().join(format!("countermarch-{}-{test}-{name}", std::process::id()));
    let open = || fs::File::create(&printed).map_err(|wrong| wrong.to_string());
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v \"$1\" && shift && exec \"$@\"", "sh"])
        .arg((bounds.memory * 1024).to_string())
        .arg(program)
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(TRIES, file)
        .stdout(open()?)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|wrong| wrong.to_string())?;
    let began = Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(None) if began.elapsed() > bounds.wall => {
                let killed = child.kill().and_then(|()| child.wait());
                break Err(format!("it hangs: stopped after {:?} ({killed:?})", bounds.wall));
            }
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            Ok(Some(status)) if status.success() => break Ok(()),
            Ok(Some(status)) => break Err(format!("it ends with {status}")),
            Err(wrong) => break Err(wrong.to_string()),
        }
    };
    let text = fs::read(&printed).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let removed = fs::remove_file(&printed);
    ended.map_err(|how| format!("{how}\n{}", text.as_deref().unwrap_or("")))?;
    removed.and(text).map_err(|wrong| wrong.to_string())
}

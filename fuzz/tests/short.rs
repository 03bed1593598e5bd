//! Every target for a few seconds: its seeds, what was ever found, and mutations of both. `FUZZ_SECONDS` makes it
//! longer, `FUZZ_SEED` other.

use std::{
    env, fs,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use countermarch_fuzz::{Mutation, TARGETS, Target, found, root, target};

/// Nothing that a target reads takes longer, on the slowest machine.
const LONGEST: Duration = Duration::from_secs(30);

fn number(name: &str, usual: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Runs a target in a thread of its own, so that one which hangs is told and not waited for.
fn throw(target: &'static Target) {
    let trying = Arc::new(Mutex::new(Vec::new()));
    let (done, waiting) = mpsc::channel();
    let now = trying.clone();
    let running = thread::spawn(move || {
        let mut seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{} has nothing to begin from", target.name);
        seeds.extend(found(target));
        let run = |bytes: &[u8]| {
            *now.lock().expect("nobody fails with it") = bytes.to_vec();
            (target.run)(bytes);
            done.send(()).is_ok()
        };
        let _ = seeds.iter().all(|seed| run(seed));
        let mut mutation = Mutation::new(number("FUZZ_SEED", 1));
        let end = Instant::now() + Duration::from_secs(number("FUZZ_SECONDS", 2));
        while Instant::now() < end && run(&mutation.of(&seeds)) {}
    });
    let mut count = 0;
    let wrong = loop {
        match waiting.recv_timeout(LONGEST) {
            Ok(()) => count += 1,
            Err(mpsc::RecvTimeoutError::Timeout) => break Some("it takes too long"),
            Err(mpsc::RecvTimeoutError::Disconnected) => break running.join().is_err().then_some("it panics"),
        }
    };
    println!("{}: {count} texts", target.name);
    if let Some(wrong) = wrong {
        let path = root().join("target").join(format!("failed-{}", target.name));
        fs::write(&path, &*trying.lock().expect("nobody fails with it")).expect("it can be kept");
        panic!("{}, after {count} texts: {wrong}; keep {} in fuzz/found", target.name, path.display());
    }
    assert!(count > 10, "{} was thrown only {count} texts", target.name);
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            throw(target(stringify!($name)).expect("a target"));
        })*

        #[test]
        fn every_target_is_thrown_at() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

targets!(rows notation record ruleset rules map survey grid tiled);

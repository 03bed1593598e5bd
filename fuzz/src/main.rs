//! The search that coverage guides: libFuzzer over the target that `TARGET` names. Started by `fuzz/run`.
#![no_main]

use std::{env, path::Path, sync::OnceLock};

use countermarch_fuzz::{Target, target, write_seeds};

static CHOSEN: OnceLock<&Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(
    init: {
        let name = env::var("TARGET").expect("fuzz/run names the target");
        let chosen = target(&name).unwrap_or_else(|| panic!("there is no target `{name}`"));
        if let Some(folder) = env::var_os("SEEDS") {
            write_seeds(chosen, Path::new(&folder)).expect("the seeds can be written");
        }
        CHOSEN.set(chosen).unwrap_or_else(|_| panic!("libFuzzer begins once"));
    },
    |bytes: &[u8]| (CHOSEN.get().expect("libFuzzer has begun").run)(bytes)
);

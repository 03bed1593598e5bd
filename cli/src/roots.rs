//! Where content comes from: the folder of a ruleset that somebody names, the user's folders, and what the program
//! carries. The first root that has a ruleset gives all of it, and the first that has a file of `maps` gives that. What a
//! root has beside a ruleset of another is added to it.

use std::{
    borrow::Cow,
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use countermarch_core::library::{Library, Root, is_content};
use rust_embed::Embed;

/// What `list` says of content that the program carries.
pub const BUILT_IN: &str = "built in";

#[derive(Embed)]
#[folder = "../maps"]
#[prefix = "maps/"]
#[include = "*.yaml"]
#[include = "*.geojson"]
#[include = "*.asc"]
struct Maps;

#[derive(Embed)]
#[folder = "../rulesets"]
#[prefix = "rulesets/"]
#[include = "*.yaml"]
#[include = "*.luau"]
struct Rulesets;

/// What the program carries: all files, surveys too, or only content.
pub fn carried(is_wanted: fn(&str) -> bool) -> Library {
    let mut library = Library::default();
    let mut add = |path: Cow<'static, str>, file: Option<rust_embed::EmbeddedFile>| {
        if let Some(file) = file.filter(|_| is_wanted(&path)) {
            library.add_bytes(&path, file.data.into_owned());
        }
    };
    Maps::iter().for_each(|path| add(path.clone(), Maps::get(&path)));
    Rulesets::iter().for_each(|path| add(path.clone(), Rulesets::get(&path)));
    library
}

/// The user's folders: those that `COUNTERMARCH_HOME` names, as `PATH` names folders; then the nearest one above here,
/// or above the program, that holds `rulesets`.
///
/// # Errors
/// When `COUNTERMARCH_HOME` names a folder that holds neither.
pub fn homes() -> Result<Vec<PathBuf>> {
    let mut homes: Vec<PathBuf> = Vec::new();
    let named = env::var_os("COUNTERMARCH_HOME").unwrap_or_default();
    for home in env::split_paths(&named).filter(|home| !home.as_os_str().is_empty()) {
        if !home.join("rulesets").is_dir() && !home.join("maps").is_dir() {
            bail!("COUNTERMARCH_HOME names {}, which holds neither `rulesets` nor `maps`", home.display());
        }
        homes.push(home);
    }
    let starts: Vec<PathBuf> = env::current_dir().into_iter().chain(env::current_exe()).collect();
    let is_home = |folder: &&Path| folder.join("rulesets").is_dir();
    homes.extend(starts.iter().flat_map(|start| start.ancestors()).find(is_home).map(Path::to_owned));
    Ok(homes)
}

/// Everything that can be loaded. `folder` is the ruleset that somebody names by a path.
///
/// # Errors
/// When a folder cannot be read.
pub fn library(folder: Option<&Path>, homes: &[PathBuf]) -> Result<Library> {
    let mut library = Library::default();
    if let Some(folder) = folder {
        let id = folder.file_name().unwrap_or_default().to_string_lossy();
        let mut ruleset = Library::default();
        let read = ruleset.add_folder(&format!("rulesets/{id}"), folder);
        read.with_context(|| format!("cannot read {}", folder.display()))?;
        library.add_whole(&id, &folder.display().to_string(), ruleset);
        let beside = Root::above(&folder.join("ruleset.yaml"));
        add_home(&mut library, beside.folder(), &["maps"])?;
    }
    for home in homes {
        add_home(&mut library, home, &["maps", "rulesets"])?;
    }
    library.add_behind(BUILT_IN, carried(is_content));
    library.add_all();
    Ok(library)
}

fn add_home(library: &mut Library, home: &Path, parts: &[&str]) -> Result<()> {
    let mut own = Library::default();
    for part in parts {
        let folder = home.join(part);
        if fs::symlink_metadata(&folder).is_ok() {
            own.add_folder(part, &folder).with_context(|| format!("cannot read {}", folder.display()))?;
        }
    }
    library.add_behind(&home.display().to_string(), own);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_carries_the_content_of_its_repository_to_the_letter() {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        let mut there = Library::default();
        for part in ["maps", "rulesets"] {
            there.add_folder(part, &repository.join(part)).expect("it can be read");
        }
        let carried = carried(is_content);
        let differs = |path: &&str| carried.text(path) != there.text(path);
        assert_eq!(carried.paths().chain(there.paths()).filter(differs).collect::<Vec<_>>(), Vec::<&str>::new());
        assert!(carried.faults("maps").chain(carried.faults("rulesets")).next().is_none());
    }
}

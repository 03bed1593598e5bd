//! `countermarch map`: maps built from grid files and surveys.

use std::{fs, path::Path};

use anyhow::{Context, Result, anyhow};
use countermarch_cartography::files::Sources;

/// Builds a map, or checks that it is as it would be built. Faults are told; false when there is any.
pub fn build(grid: &Path, check: bool) -> Result<bool> {
    let mut sources = Sources::read(grid)?;
    let built = sources.build();
    for diagnostic in &sources.found.list {
        eprintln!("{}\n", diagnostic.drawn(&sources.library, false));
    }
    let Some(built) = built.filter(|_| sources.found.is_usable()) else { return Ok(false) };
    let path = built.path;
    if check {
        let same = fs::read_to_string(&path).is_ok_and(|text| text == built.text);
        println!("{}: {}", path.display(), if same { "as built" } else { "differs" });
        return Ok(same);
    }
    let folder = path.parent().ok_or_else(|| anyhow!("{} has no folder", path.display()))?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(&path, built.text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(true)
}

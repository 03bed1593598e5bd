//! A grid file on disk, with everything it names.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use countermarch_core::{
    diagnostic::Diagnostics,
    library::Library,
    map::{self, Map},
    yaml,
};

use crate::{
    build::{self, Ground},
    plan::Plan,
};

/// What was read for a map, and what is wrong with it.
#[derive(Debug)]
pub struct Sources {
    /// The folder that all paths begin at.
    pub base: PathBuf,
    /// The grid file's own path from there.
    pub own: String,
    /// The texts, for drawing faults.
    pub library: Library,
    /// Everything found wrong so far.
    pub found: Diagnostics,
    /// The grid file, if it could be read as one.
    pub plan: Option<Plan>,
    /// The ground with the grid on it, if one could be laid.
    pub ground: Option<Ground>,
}

/// A map as its grid file builds it.
#[derive(Debug)]
pub struct Built {
    /// Where the file belongs.
    pub path: PathBuf,
    /// What stands in it.
    pub text: String,
    /// The map, where the file can be read as one.
    pub map: Option<Map>,
}

impl Sources {
    /// Reads a grid file and what it names.
    ///
    /// Paths in it begin at the nearest folder above where they lead to files.
    ///
    /// # Errors
    /// When a file cannot be read; what is wrong inside is in [`Sources::found`].
    pub fn read(grid: &Path) -> Result<Sources> {
        let text = fs::read_to_string(grid).with_context(|| format!("cannot read {}", grid.display()))?;
        let (mut found, mut library) = (Diagnostics::default(), Library::default());
        let shown = grid.display().to_string();
        library.insert(&shown, text.clone());
        let node = yaml::parse(&shown, &text, &mut found);
        let plan = Plan::read(&node, &mut found);
        let (mut base, mut own, mut ground) = (PathBuf::from("."), shown, None);
        if let Some(plan) = &plan {
            (base, own) = place(grid, plan);
            for path in plan.files().into_iter().filter(|path| base.join(path).is_file()) {
                library.add_file(path, &base.join(path), &mut found)?;
            }
            ground = Ground::read(plan, &library, &mut found);
        }
        Ok(Sources { base, own, library, found, plan, ground })
    }

    /// Builds the map and reads it back: it is held to its own statements. `None` when there was no grid to lay.
    pub fn build(&mut self) -> Option<Built> {
        let (plan, ground) = (self.plan.as_ref()?, self.ground.as_ref()?);
        let text = build::build(&self.own, plan, ground, &mut self.found);
        let name = format!("maps/{}.yaml", plan.id);
        self.library.insert(&name, text.clone());
        let map = map::load(&yaml::parse(&name, &text, &mut self.found), &mut self.found);
        Some(Built { path: self.base.join(name), text, map })
    }
}

fn place(grid: &Path, plan: &Plan) -> (PathBuf, String) {
    let full = fs::canonicalize(grid).unwrap_or_else(|_| grid.to_owned());
    let above = full.ancestors().skip(1).find(|folder| folder.join(&plan.survey).is_file());
    let base = above.or(full.parent()).unwrap_or(Path::new(".")).to_owned();
    let own = full.strip_prefix(&base).unwrap_or(grid).to_string_lossy().replace('\\', "/");
    (base, own)
}

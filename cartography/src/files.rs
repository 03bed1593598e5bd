//! A grid file on disk, with everything it names.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use countermarch_core::{
    diagnostic::{Diagnostics, Span},
    library::{self, Library, Root},
    map::{self, Map},
    yaml,
};

use crate::{
    build::{self, Ground, Text},
    plan::Plan,
};

/// What was read for a map, and what is wrong with it.
#[derive(Debug)]
pub struct Sources {
    /// The folder that all paths begin at.
    pub root: Root,
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
    /// Where the file belongs, from the root.
    pub path: String,
    /// What stands in it.
    pub text: String,
    /// The map, where the file can be read as one.
    pub map: Option<Map>,
}

impl Sources {
    /// Reads a grid file and what it names: files below the nearest folder that holds `maps`.
    ///
    /// # Errors
    /// When the grid file cannot be read; what is wrong inside is in [`Sources::found`].
    pub fn read(grid: &Path) -> Result<Sources> {
        let text = library::read_text(grid).with_context(|| format!("cannot read {}", grid.display()))?;
        let (mut found, mut library) = (Diagnostics::default(), Library::default());
        let shown = grid.display().to_string();
        library.insert(&shown, text.clone());
        let plan = Plan::read(&yaml::parse(&shown, &text, &mut found), &mut found);
        let root = Root::above(grid);
        let full = fs::canonicalize(grid).unwrap_or_else(|_| grid.to_owned());
        let own = full.strip_prefix(root.folder()).unwrap_or(grid).to_string_lossy().replace('\\', "/");
        let mut is_whole = true;
        for (path, endings) in plan.iter().flat_map(Plan::files) {
            match root.file(path, endings) {
                Ok(file) => library.add_file(path, &file),
                Err(wrong) => {
                    let span = plan.as_ref().map_or_else(|| Span::file(&shown), |plan| plan.span(path));
                    found.error("path", &span, wrong, "paths begin at the folder that holds `maps`");
                    is_whole = false;
                }
            }
            found.extend(library.faults(path));
        }
        let ground = plan.as_ref().filter(|_| is_whole).and_then(|plan| Ground::read(plan, &library, &mut found));
        Ok(Sources { root, own, library, found, plan, ground })
    }

    /// Lays the grid file of that path in a library that has all texts.
    pub fn of(library: Library, grid: &str) -> Sources {
        let mut found = Diagnostics::default();
        let text = library.text(grid).unwrap_or_default().to_owned();
        let plan = Plan::read(&yaml::parse(grid, &text, &mut found), &mut found);
        let ground = plan.as_ref().and_then(|plan| Ground::read(plan, &library, &mut found));
        Sources { root: Root::above(Path::new(grid)), own: grid.to_owned(), library, found, plan, ground }
    }

    /// Builds the map and reads it back: it is held to its own statements. `None` when there was no grid to lay.
    pub fn build(&mut self) -> Option<Built> {
        let (plan, ground) = (self.plan.as_ref()?, self.ground.as_ref()?);
        let Text { text, copied } = build::build(&self.own, plan, ground, &mut self.found);
        let name = format!("maps/{}.yaml", plan.id);
        self.library.insert(&name, text.clone());
        // Of a map that is wrong already nothing more is to be learned.
        let is_usable = self.found.is_usable();
        let map = is_usable.then(|| map::load(&yaml::parse(&name, &text, &mut self.found), &mut self.found)).flatten();
        // What was only handed on is mended where it came from.
        for span in self.found.list.iter_mut().map(|d| &mut d.span).filter(|span| *span.file == *name) {
            if let Some((.., from)) = copied.iter().find(|(start, end, _)| (start..end).contains(&&span.start)) {
                *span = from.clone();
            }
        }
        Some(Built { path: name, text, map })
    }
}

//! `countermarch definitions`: what rule files see in one game, as type definitions for editors and for Luau's analyzer.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use countermarch_scripting::type_definitions;

use crate::{Which, content};

/// Which definitions, and where to.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// Write them to a file, in place of what it holds.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the definitions. Rule files may be wrong: they are what one writes with them.
pub fn run(options: &Options) -> Result<bool> {
    let (content, asked) = content::find(&options.which)?;
    let definitions = type_definitions(&*content.load(&asked)?);
    match &options.out {
        None => print!("{definitions}"),
        Some(path) => fs::write(path, definitions).with_context(|| format!("{} cannot be written", path.display()))?,
    }
    Ok(true)
}

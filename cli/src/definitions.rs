//! `countermarch definitions`: what rule files see in one game, as type definitions for editors and for Luau's analyzer.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use countermarch_scripting::type_definitions;

use crate::{Which, compare::files::write_anew, content};

/// Which definitions, and where to.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// Write them to a file, over older ones of this kind alone.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the definitions. Rule files may be wrong: they are what one writes with them.
pub fn run(options: &Options) -> Result<bool> {
    let (content, asked) = content::find(&options.which)?;
    let definitions = type_definitions(&*content.load(&asked)?);
    match &options.out {
        None => print!("{definitions}"),
        Some(path) => {
            let head: String = definitions.lines().take(2).collect();
            let is_such = |there: &[u8]| String::from_utf8_lossy(there).lines().take(2).collect::<String>() == head;
            write_anew(path, definitions.as_bytes(), "file of definitions", is_such)?;
        }
    }
    Ok(true)
}

//! Pictures of boards: what is drawn, how large, and where it goes.

use std::{io::Write as _, path::PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use countermarch_cartography::{draw::Picture, files::Sources};
use countermarch_core::{
    library::Root,
    map::{Map, SpaceId},
};

use crate::compare::files::write_anew;

/// How a board is drawn.
#[derive(Args)]
pub struct Drawing {
    /// Write a picture: SVG, to standard output.
    #[arg(long)]
    pub svg: bool,
    /// Write a picture: PNG, to this file, over an older picture alone.
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Cut the map out around this space.
    #[arg(long, value_name = "SPACE")]
    pub around: Option<String>,
    /// Radius of the cut-out.
    #[arg(long, default_value_t = 5)]
    pub radius: u16,
    /// Pixels across one space: 64 for a board, twice that for a cut-out.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(16..=400))]
    pub across: Option<u16>,
}

impl Drawing {
    /// Whether a picture is asked for.
    pub fn is_asked(&self) -> bool {
        self.svg || self.png.is_some()
    }

    /// Pixels across one space.
    pub fn across(&self) -> f64 {
        self.across.map_or(if self.around.is_some() { 128.0 } else { 64.0 }, f64::from)
    }

    /// The middle of the cut-out and its radius.
    ///
    /// # Errors
    /// When there is no such space.
    pub fn cut_out(&self, map: &Map) -> Result<Option<(SpaceId, u16)>> {
        self.around.as_ref().map(|name| Ok((space(map, name)?, self.radius))).transpose()
    }

    /// Draws, and writes what was asked for.
    ///
    /// # Errors
    /// When a file cannot be written or a picture is too large.
    pub fn write(&self, picture: &Picture<'_>) -> Result<()> {
        if self.svg {
            std::io::stdout().write_all(picture.svg()?.as_bytes())?;
        }
        if let Some(path) = &self.png {
            write_anew(path, &picture.png()?, "picture", |there| there.starts_with(b"\x89PNG"))?;
        }
        Ok(())
    }
}

/// The space of that number, or that goes by that name, or that holds the middle of that place.
///
/// # Errors
/// When there is none.
pub fn space(map: &Map, name: &str) -> Result<SpaceId> {
    let is_called = |s: &SpaceId| map.space(*s).label.as_ref().is_some_and(|l| l.eq_ignore_ascii_case(name));
    let place = || map.places.iter().find(|p| p.name.eq_ignore_ascii_case(name)).map(|p| p.at[0]);
    match map.find(name).or_else(|| map.spaces().find(is_called)).or_else(place) {
        Some(space) => Ok(space),
        None => bail!("the map has no space and no place `{name}`"),
    }
}

/// The ground that a map was laid over, where its grid file and all it names are still there and without fault.
pub fn ground(root: &Root, map: &Map) -> Option<Sources> {
    let grid = root.file(map.laid_by.as_ref()?, &[".yaml"]).ok()?;
    Sources::read(&grid).ok().filter(|sources| sources.found.is_usable())
}

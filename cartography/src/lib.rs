//! Maps from the ground: surveys, grids laid over them, the printed maps that come out, and their pictures.
//!
//! ```text
//! grid file --> Plan ---+
//! survey, elevation ----+--> Laid (a polygon for every space) --> Drawn (what is where) --> overrides --> map file
//! outlines of areas ----+
//! ```

pub mod build;
pub mod courses;
pub mod draw;
pub mod elevation;
pub mod files;
pub mod laid;
mod overrides;
pub mod plan;
pub mod spaces;
pub mod survey;
pub mod tiled;

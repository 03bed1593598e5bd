//! The engine of Countermarch: maps, rulesets, games in play, what people see of them, and experiments with them.
//!
//! Five layers, each using only the ones before it: [`map`], [`ruleset`], [`play`], [`show`], [`study`].
//! Besides them stand [`diagnostic`], [`id`], [`library`] and [`yaml`], which all may use. Nothing here knows Lua,
//! a terminal or a browser, and nothing reads a file except [`library::Library::add_folder`]. The first page of
//! `countermarch-scripting`, which carries out rules in Luau, plays a game with both.

pub mod diagnostic;
pub mod id;
pub mod kept;
pub mod library;
pub mod map;
pub mod plain;
pub mod play;
pub mod ruleset;
pub mod show;
pub mod study;
pub mod yaml;

//! `countermarch`: play, write and compare board wargames whose rules are enforced and explained.

#[macro_use]
mod terminal;

mod advise;
mod amendments;
mod bid;
mod blame;
mod compare;
mod content;
mod coverage;
mod definitions;
mod diff;
mod input;
mod map;
mod memory;
mod odds;
mod overlays;
mod picture;
mod play;
mod players;
mod questions;
mod rank;
mod record_file;
mod records;
mod roots;
mod samples;
mod seats;
mod show;
mod simulate;
mod spoken;
mod study;
mod sweep;
mod tables;
mod test;
mod tune;
mod walk;

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};
use content::Faulty;
use countermarch_core::plain::shortened;

/// Plays board wargames with every rule enforced, explained and cited.
#[derive(Parser)]
#[command(name = "countermarch", version, about, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
First steps:
  countermarch list                                what there is to play
  countermarch play gettysburg-corps               sit down as the Confederate player
  countermarch play gettysburg-corps --seat confederate=plain --seat union=human
  countermarch show gettysburg-corps readings      how doubtful paragraphs are read
  countermarch simulate gettysburg-corps --games 100

Exit codes: 0 fine, 1 the thing checked is wrong, 2 used wrongly.";

/// A game in a version, with single values changed.
#[derive(Args, Clone)]
pub struct Which {
    /// The game: GAME or GAME@VERSION, where a version is a name, +AMENDMENT and ~AMENDMENT. GAME is a name, or the path of
    /// a ruleset's folder.
    pub game: String,
    /// Change one value: --set tables/crt/cells/6/+3=DR.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Games, versions, scenarios and optional rules.
    List {
        /// One game alone; all without.
        game: Option<String>,
        /// Write JSON.
        #[arg(long)]
        json: bool,
    },
    /// Plays a game in the terminal, or goes on with a record.
    Play(play::Options),
    /// A game's map, units, tables, rules, rulebook, readings or players, as they stand in a version.
    Show(show::Options),
    /// Everything that is wrong with a game's content.
    Check {
        #[command(flatten)]
        which: Which,
        /// Write JSON.
        #[arg(long)]
        json: bool,
    },
    /// What rule files see in a game, as type definitions for editors and Luau's analyzer.
    Definitions(definitions::Options),
    /// Acts out a game's examples.
    Test(test::Options),
    /// The rulebook, paragraph by paragraph: what carries it and what proves it.
    Coverage(coverage::Options),
    /// How two versions of a game differ on paper. Exits with 1 where they do.
    Diff(diff::Options),
    /// What the difference between two versions comes to over many pairs of games.
    Compare(compare::Options),
    /// Plays what a study asks for, holds its conclusions against the figures, and writes its report.
    Study(study::Options),
    /// Plays many games and counts how they end.
    Simulate(simulate::Options),
    /// Plays the same seeds under every value of a parameter, and tells what hangs on it.
    Sweep(sweep::Options),
    /// What one side must be given for two sides to win alike. Exits with 1 where nothing comes near enough.
    Bid(bid::Options),
    /// Plays every two players of a game against each other, and tells how strong each is and how balanced the sides are.
    Rank(rank::Options),
    /// Moves a player's weights to where it wins more games, and tells what was gained.
    Tune(tune::Options),
    /// Why an action is, or is not, allowed at a point of a record.
    Why(records::Why),
    /// What a player would answer at a point of a record, and why.
    Advise(advise::Options),
    /// How likely it is what comes of a point of a record.
    Odds(odds::Options),
    /// Which amendments decided a game: least sets of them without which it ends, or goes, otherwise.
    Blame(blame::Options),
    /// Tells a record, step by step.
    Replay(records::Replay),
    /// Proves that a record replays to the same state.
    Verify(records::Verify),
    /// Lays grids over surveys.
    Map {
        #[command(subcommand)]
        command: MapCommand,
    },
}

#[derive(Subcommand)]
enum MapCommand {
    /// Builds a map file from a grid file and the survey it names.
    Build {
        /// The grid file, e.g. maps/grids/gettysburg-corps.yaml.
        grid: PathBuf,
        /// Only say whether the map file is as it would be built.
        #[arg(long)]
        check: bool,
    },
    /// Draws a map.
    Draw {
        /// The map file, e.g. maps/gettysburg-77.yaml.
        map: PathBuf,
        #[command(flatten)]
        drawing: picture::Drawing,
    },
    /// Writes a map for Tiled, the map editor, with a picture of its tiles beside it.
    Export {
        /// The map file.
        map: PathBuf,
        /// The Tiled file to write, e.g. board.tmj.
        tiled: PathBuf,
    },
    /// Reads a map back from Tiled.
    Import {
        /// The Tiled file.
        tiled: PathBuf,
        /// The map file to write.
        map: PathBuf,
    },
    /// How far it is from one space to another, how much higher, and what lies on the straight line between.
    Measure {
        /// The map file.
        map: PathBuf,
        /// A space, or a place.
        from: String,
        /// Another.
        to: String,
    },
    /// Says what is wrong with a map.
    Check {
        /// The map file.
        map: PathBuf,
        /// Write JSON.
        #[arg(long)]
        json: bool,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if matches!(cli.command, Command::Play(_) | Command::Why(_) | Command::Replay(_) | Command::Verify(_)) {
        memory::hold_one_game();
    }
    let done = match cli.command {
        Command::List { game, json } => show::list(game.as_deref(), json),
        Command::Play(options) => play::run(&options),
        Command::Show(options) => show::run(&options),
        Command::Check { which, json } => content::check(&which, json),
        Command::Definitions(options) => definitions::run(&options),
        Command::Test(options) => test::run(&options),
        Command::Coverage(options) => coverage::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Study(options) => study::run(&options),
        Command::Diff(options) => diff::run(&options),
        Command::Simulate(options) => simulate::run(&options),
        Command::Sweep(options) => sweep::run(&options),
        Command::Bid(options) => bid::run(&options),
        Command::Rank(options) => rank::run(&options),
        Command::Tune(options) => tune::run(&options),
        Command::Why(options) => records::why(&options),
        Command::Advise(options) => advise::run(&options),
        Command::Odds(options) => odds::run(&options),
        Command::Blame(options) => blame::run(&options),
        Command::Replay(options) => records::tell(&options),
        Command::Verify(options) => records::verify(&options),
        Command::Map { command: MapCommand::Build { grid, check } } => map::build(&grid, check),
        Command::Map { command: MapCommand::Draw { map, drawing } } => map::draw(&map, &drawing),
        Command::Map { command: MapCommand::Check { map, json } } => map::check(&map, json),
        Command::Map { command: MapCommand::Measure { map, from, to } } => map::measure(&map, &from, &to),
        Command::Map { command: MapCommand::Export { map, tiled } } => map::export(&map, &tiled),
        Command::Map { command: MapCommand::Import { tiled, map } } => map::import(&tiled, &map),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(wrong) => {
            eprintln!("countermarch: {}", shortened(format!("{wrong:#}")));
            ExitCode::from(if wrong.is::<Faulty>() { 1 } else { 2 })
        }
    }
}

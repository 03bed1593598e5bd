//! Sitting down: at a new game, or at a record. Who decides for a side, who rolls and what may be taken back belong
//! to the record; flags change them for one sitting, and that is said.

use std::{collections::BTreeSet, path::Path, time::SystemTime};

use anyhow::{Result, bail};
use countermarch_core::{
    play::{Chance, Limits, Session},
    ruleset::{self, Ruleset},
    show::{RecordHeader, folded},
};

use super::{Options, Table, asked::WIDTH, prompts};
use crate::{
    Which, content,
    record_file::RecordFile,
    records,
    seats::{self, Seat},
};

/// Sits down at a new game, or at the record that the options name.
pub(super) fn sit_down(options: &Options) -> Result<Table> {
    let path = Path::new(&options.game);
    let is_record = path.extension().is_some_and(|ending| ending == "march");
    // A record may be saved under any name, but the name of a game is that game.
    if is_record || (path.is_file() && !ruleset::available(&content::open()?.library).contains(&options.game)) {
        resume(options, path)
    } else {
        begin(options)
    }
}

fn begin(options: &Options) -> Result<Table> {
    if options.ruleset.is_some() {
        bail!("--ruleset belongs to a record: name the folder in place of the game");
    }
    let which = Which { game: options.game.clone(), set: options.set.clone() };
    let (content, asked) = content::find(&which)?;
    let ruleset = content.playable(&asked)?;
    let scenario = content::scenario_if_any(&ruleset, options.scenario.as_deref())?.unwrap_or(0);
    let rules = content::runtime(&ruleset)?;
    let other = Seat::opponent(&ruleset).unwrap_or(Seat::Human);
    let seats = seats::seats(&ruleset, &options.seat, &[Seat::Human, other])?;
    let seed = options.seed.unwrap_or_else(any_seed);
    let name = ruleset.scenarios.get(scenario).map_or("", |s| s.id.as_str());
    let header = RecordHeader {
        seats: ruleset.sides.iter().zip(&seats).map(|(side, seat)| (side.id.clone(), seat.to_string())).collect(),
        own_dice: options.dice.as_deref() == Some("ask"),
        analysis: options.analysis,
        ..RecordHeader::new(&ruleset, &asked.selection.set, name, seed)
    };
    let text = header.to_string();
    let file = match &options.save {
        Some(path) => RecordFile::create(path, text.as_bytes())?,
        None => RecordFile::create_in(&content.saves, &asked.id, text.as_bytes())?,
    };
    print!("{}", folded(&[prompts::title(&ruleset, &asked.selection.set)], WIDTH));
    println!("The record is {}. Type `help` at any time.\n", file.path().display());
    let mut session = Session::new(ruleset, rules, scenario, seed, Limits::PLAY);
    session.chance = chance(header.own_dice);
    session.looking = looking(options, &seats);
    session.advance()?;
    let table = Table::new(session, seats, file, header);
    Ok(Table { folder: asked.folder, ..table })
}

fn resume(options: &Options, path: &Path) -> Result<Table> {
    let of_new_games = [
        ("--set", !options.set.is_empty()),
        ("--seed", options.seed.is_some()),
        ("--scenario", options.scenario.is_some()),
        ("--save", options.save.is_some()),
    ];
    if let Some((option, _)) = of_new_games.iter().find(|(_, given)| *given) {
        bail!("{option} belongs to a new game; {} already says it, and is gone on with as it is", path.display());
    }
    let mut file = RecordFile::open(path)?;
    let opened = records::understand(path, &file.bytes()?, options.ruleset.as_deref())?;
    let (header, ruleset) = (&opened.text.header, &opened.ruleset);
    let seats = seats_again(ruleset, header, &options.seat, path)?;
    let own_dice = options.dice.as_deref().map_or(header.own_dice, |dice| dice == "ask");
    let (mut asked_at, mut chosen_at) = (Vec::new(), BTreeSet::new());
    let mut session = records::play_watched(&opened, None, Limits::PLAY, |session| {
        // Where there was a choice, somebody was asked; what was the only answer, the session gave.
        let Some(by) = session.question().map(|question| question.by).filter(|_| session.offers().len() > 1) else {
            return;
        };
        chosen_at.insert(session.entries());
        if seats[by as usize] == Seat::Human {
            asked_at.push(session.entries());
        }
    })?;
    if opened.text.cut_off {
        file.drop_cut_line()?;
    }
    let answers = session.entries();
    print!("{}", folded(&[prompts::title(ruleset, &header.set)], WIDTH));
    println!("Going on after {answers} answers.");
    for (side, seat) in ruleset.sides.iter().zip(&seats) {
        let kept = header.seats.iter().find(|(id, _)| *id == side.id).filter(|(_, kept)| *kept != seat.to_string());
        let but = kept.map(|(_, kept)| format!(" in this sitting; the record says {kept}")).unwrap_or_default();
        println!("{}: {}{but}", side.name, seat);
    }
    if own_dice != header.own_dice {
        println!(
            "In this sitting {}; the record says otherwise.",
            if own_dice { "you roll" } else { "the engine rolls" }
        );
    }
    if options.analysis && !header.analysis {
        println!("In this sitting anything may be taken back; the record says otherwise.");
    }
    let told = session.told().count();
    // The record may end before a roll or an answer that nobody was asked for: whoever gave it gives it again.
    session.chance = chance(own_dice);
    session.looking = looking(options, &seats);
    session.limits.forced = true;
    if session.question().is_some() || session.roll().is_some() {
        session.take_back(answers)?;
    }
    let analysis = options.analysis || header.analysis;
    let table = Table::new(session, seats, file, opened.text.header);
    let folder = options.ruleset.clone();
    let looked_at = answers;
    Ok(Table { analysis, folder, written: answers, hashed: answers, told, asked_at, chosen_at, looked_at, ..table })
}

/// The sides that want a last look before what cannot be taken back: those that people play.
fn looking(options: &Options, seats: &[Seat]) -> BTreeSet<i32> {
    let people = (0..).zip(seats).filter(|(_, seat)| !options.quick && **seat == Seat::Human);
    people.map(|(side, _)| side).collect()
}

fn chance(own_dice: bool) -> Chance {
    if own_dice { Chance::Person } else { Chance::Keyed }
}

/// Who sits where in a game that is gone on with: as the record says, but for the sides named anew. Where neither
/// says it, nobody is seated: a bot might play a person's turn, or a person see what is hidden from them.
fn seats_again(ruleset: &Ruleset, header: &RecordHeader, named: &[String], path: &Path) -> Result<Vec<Seat>> {
    let names =
        |list: &[String], side: &str| list.iter().any(|text| text.split_once('=').is_some_and(|(of, _)| of == side));
    let kept = header.seats.iter().filter(|(side, _)| !names(named, side));
    let all: Vec<String> = kept.map(|(side, seat)| format!("{side}={seat}")).chain(named.iter().cloned()).collect();
    if ruleset.sides.iter().any(|side| !names(&all, &side.id)) {
        let each: Vec<String> = ruleset.sides.iter().map(|side| format!("--seat {}=human", side.id)).collect();
        bail!(
            "{} does not say who plays each side, as older records do not. Say it, with human, plain or random:\n  \
             countermarch play {} {}",
            path.display(),
            path.display(),
            each.join(" ")
        );
    }
    seats::seats(ruleset, &all, &[Seat::Human])
}

/// A seed nobody has chosen. The record keeps it, so the game stays repeatable.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(1863, |since| since.as_nanos() as u64 % 1_000_000)
}

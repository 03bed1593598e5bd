//! `countermarch play`: the board in the terminal.
//!
//! What may be done is what the game offers; nothing about rules is computed here. Every answer is on disk before
//! the next question is asked.

mod ahead;
mod asked;
mod help;
mod look;
mod orders;

use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use countermarch_core::{
    play::{Action, Chance, Limits, Session},
    show::{record_header, record_line},
};
use countermarch_scripting::Runtime;

use crate::{
    Which, content,
    input::Input,
    records,
    seats::{Seat, choose, seats},
};

/// Plays a game.
#[derive(Args)]
pub struct Options {
    /// GAME, GAME@VERSION, or a record to go on with (FILE.march).
    game: String,
    /// Change one value: --set PATH=VALUE.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Who decides for a side: SIDE=human, SIDE=plain or SIDE=random.
    #[arg(long = "seat", value_name = "SIDE=SEAT")]
    seat: Vec<String>,
    /// The scenario; the first without.
    #[arg(long)]
    scenario: Option<String>,
    /// The seed of the dice; another one each time without.
    #[arg(long)]
    seed: Option<u64>,
    /// Who rolls: `engine`, or `ask` for your own dice.
    #[arg(long, default_value = "engine")]
    dice: String,
    /// The record to write; a new file under saves/ without.
    #[arg(long)]
    save: Option<PathBuf>,
    /// Go on at once: no last look before a roll, the end of a part of the turn or the other side's answer.
    #[arg(long)]
    quick: bool,
    /// Take back anything, dice and the opponent's answers included.
    #[arg(long)]
    analysis: bool,
}

/// Answers between two hashes in the record.
const HASH_EVERY: usize = 40;

struct Table {
    session: Session<Runtime>,
    seats: Vec<Seat>,
    seed: u64,
    file: File,
    path: PathBuf,
    written: usize,
    hashed: usize,
    told: usize,
    /// Lengths of the record at which a person was asked: where undo goes back to.
    asked_at: Vec<usize>,
    analysis: bool,
    /// An answer that ends a part of the turn early, held back until it is given again; and the one held back before
    /// this line.
    held: Option<Action>,
    confirmed: Option<Action>,
    /// Length of the record when something hidden was last seen.
    revealed: usize,
    /// What stands in the numbered lists of the question, which only hold answers that take something.
    listed: Vec<Action>,
    /// Length of the record at which the board was last drawn.
    drawn_at: Option<usize>,
}

/// `countermarch play`.
pub fn run(options: &Options) -> Result<bool> {
    let mut table = sit_down(options)?;
    if table.session.record.entries.is_empty() {
        println!("{}", table.session.ruleset.title);
        println!("The record is {}. Type `help` at any time.\n", table.path.display());
    } else {
        println!("Going on after {} answers.", table.session.record.entries.len());
        table.told = table.session.told().count();
    }
    let mut input = Input::new()?;
    table.play(&mut input)
}

fn sit_down(options: &Options) -> Result<Table> {
    if !matches!(options.dice.as_str(), "engine" | "ask") {
        bail!("--dice wants `engine` or `ask`, not `{}`", options.dice);
    }
    let resumes = Path::new(&options.game).extension().is_some_and(|e| e == "march");
    if resumes {
        let given = [
            ("--set", !options.set.is_empty()),
            ("--seed", options.seed.is_some()),
            ("--scenario", options.scenario.is_some()),
            ("--save", options.save.is_some()),
        ];
        if let Some((option, _)) = given.iter().find(|(_, given)| *given) {
            bail!("{option} belongs to a new game; {} already says it, and is gone on with as it is", options.game);
        }
    }
    let (mut session, path, file, seed, written) = if resumes {
        let path = PathBuf::from(&options.game);
        let opened = records::open(&path)?;
        let session = records::play_to(&opened, usize::MAX, Limits::PLAY)?;
        drop_cut_line(&path, opened.text.cut_off)?;
        let file = OpenOptions::new().append(true).open(&path)?;
        let written = session.record.entries.len();
        (session, path, file, opened.record.seed, written)
    } else {
        let which = Which { game: options.game.clone(), set: options.set.clone() };
        let mut content = content::open()?;
        let (id, selection) = content::selection(&which)?;
        let Some(ruleset) = content.load(&id, &selection) else { bail!("`{id}` cannot be played as it is") };
        let scenario = content::scenario(&ruleset, options.scenario.as_deref())?;
        let rules = content::runtime(&ruleset)?;
        let seed = options.seed.unwrap_or_else(any_seed);
        let path = options.save.clone().map_or_else(|| new_save(&content.root, &id), Ok)?;
        let mut file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let id = ruleset.scenarios.get(scenario).map_or("", |s| s.id.as_str());
        file.write_all(record_header(&ruleset, &selection.set, id, seed).as_bytes())?;
        (Session::new(ruleset, rules, scenario, seed, Limits::PLAY), path, file, seed, 0)
    };
    session.chance = if options.dice == "ask" { Chance::Person } else { Chance::Keyed };
    session.limits.forced = true;
    let has_bot = session.rules_mut().0.has_bot();
    let other = if has_bot { Seat::Plain } else { Seat::Human };
    let seats = seats(&session.ruleset, &options.seat, &[Seat::Human, other])?;
    if !options.quick {
        session.looking = (0..).zip(&seats).filter(|(_, seat)| **seat == Seat::Human).map(|(side, _)| side).collect();
    }
    if !resumes {
        session.advance()?;
    }
    Ok(Table {
        session,
        seats,
        seed,
        file,
        path,
        written,
        hashed: written,
        told: 0,
        asked_at: Vec::new(),
        analysis: options.analysis,
        held: None,
        confirmed: None,
        revealed: 0,
        listed: Vec::new(),
        drawn_at: None,
    })
}

/// A seed nobody has chosen. The record keeps it, so the game stays repeatable.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(1863, |since| since.as_nanos() as u64 % 1_000_000)
}

/// A name under `saves/` that is free.
fn new_save(root: &Path, id: &str) -> Result<PathBuf> {
    let folder = root.join("saves");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let free = (1..).map(|n| folder.join(format!("{id}-{n}.march"))).find(|p| !p.exists());
    Ok(free.expect("some number is free"))
}

/// Takes the part of a line away that a kill left at the end of a record.
fn drop_cut_line(path: &Path, cut_off: bool) -> Result<()> {
    if cut_off {
        let text = fs::read_to_string(path)?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    }
    Ok(())
}

impl Table {
    fn play(&mut self, input: &mut Input) -> Result<bool> {
        loop {
            self.write()?;
            self.tell();
            if self.session.game.outcome.is_some() {
                self.luck();
                return Ok(true);
            }
            if self.is_time_to_look() {
                if !self.last_look(input)? {
                    return Ok(true);
                }
                continue;
            }
            if self.session.waits() {
                let went = self.session.go_ahead();
                self.took(went)?;
                continue;
            }
            if self.session.roll().is_some() {
                if !self.ask_for_roll(input)? {
                    return Ok(true);
                }
                continue;
            }
            let Some(question) = self.session.question().cloned() else { return Ok(true) };
            let seat = self.seats[question.by as usize];
            if seat != Seat::Human {
                let action = choose(&mut self.session, seat, self.seed)?;
                self.session.act(question.by, action)?;
                continue;
            }
            self.show_question(&question, input.is_person);
            self.asked_at.push(self.session.record.entries.len());
            self.asked_at.dedup();
            let names = self.completions();
            match input.line("> ", names)? {
                None => {
                    self.leave();
                    return Ok(true);
                }
                Some(line) => {
                    if !self.take(&question, line.trim())? {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Writes every answer that is not on disk yet.
    fn write(&mut self) -> Result<()> {
        let entries = &self.session.record.entries;
        for entry in &entries[self.written.min(entries.len())..] {
            writeln!(self.file, "{}", record_line(&self.session.ruleset, entry))?;
        }
        self.written = entries.len();
        let over = self.session.game.outcome.is_some();
        let waits = self.session.question().is_some() || over;
        let due = self.written >= self.hashed + HASH_EVERY || (over && self.written > self.hashed);
        if waits && due {
            writeln!(self.file, "hash {:016x}", self.session.game.hash())?;
            self.hashed = self.written;
        }
        self.file.flush()?;
        Ok(())
    }

    /// Where the game stands and how to go on.
    fn leave(&self) {
        let ruleset = &self.session.ruleset;
        println!("\n{}: the game is in {}.", ruleset.title, ruleset.turn_name(self.session.game.turn()));
        if let Some(question) = self.session.question() {
            println!("{} is asked: {}", ruleset.sides[question.by as usize].name, self.session.game.asks(question));
        }
        println!("Go on with: countermarch play {}", self.path.display());
    }
}

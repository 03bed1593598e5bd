//! `countermarch play`: the board in the terminal.
//!
//! What may be done is what the game offers; nothing about rules is computed here. Every answer is on disk before
//! the next question is asked.

mod ahead;
mod asked;
mod dice;
mod help;
mod look;
mod orders;
mod prompts;
mod sitting;
mod thoughts;

use std::{collections::BTreeSet, io::Write, path::PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use countermarch_core::{
    play::{Action, Half, Particular, Said, Session, Stands},
    ruleset::Text,
    show::{RecordHeader, Words, folded, record_line_after, results},
    study::{Minds, Player},
};
use countermarch_scripting::Runtime;

use self::thoughts::Thoughts;
use crate::{input::Input, record_file::RecordFile, seats::Seat};

/// Plays a game.
#[derive(Args)]
pub struct Options {
    /// GAME, GAME@VERSION, or a record to go on with (FILE.march). Seats, dice and undo are as the record says.
    game: String,
    /// Change one value: --set PATH=VALUE.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Who decides for a side: SIDE=human, plain, careful or random; with a record, for this sitting.
    #[arg(long = "seat", value_name = "SIDE=SEAT", value_delimiter = ',')]
    seat: Vec<String>,
    /// The scenario; the first without.
    #[arg(long)]
    scenario: Option<String>,
    /// The seed of the dice; another one each time without.
    #[arg(long)]
    seed: Option<u64>,
    /// Who rolls: the engine, or you with your own dice; the engine without.
    #[arg(long, value_parser = ["engine", "ask"])]
    dice: Option<String>,
    /// The record to write, a new file; one under saves/ without.
    #[arg(long)]
    save: Option<PathBuf>,
    /// Go on at once: no last look before a roll, the end of a part of the turn or the other side's answer.
    #[arg(long)]
    quick: bool,
    /// The folder of a record's game, where it is none of those that `list` names.
    #[arg(long, value_name = "FOLDER")]
    ruleset: Option<PathBuf>,
    /// Take back anything, dice and the opponent's answers included.
    #[arg(long)]
    analysis: bool,
    /// Show what rules print, for those who write them.
    #[arg(long)]
    trace: bool,
}

/// Answers between two hashes in the record.
const HASH_EVERY: usize = 40;

struct Table {
    session: Session<Runtime>,
    seats: Vec<Seat>,
    /// What those have in mind who answer by themselves.
    minds: Minds,
    /// What they thought of their last answers.
    thoughts: Thoughts,
    file: RecordFile,
    header: RecordHeader,
    /// The folder that was named for the game, if one was.
    folder: Option<PathBuf>,
    written: usize,
    hashed: usize,
    told: usize,
    /// Lengths of the record at which a person was asked: where undo goes back to.
    asked_at: Vec<usize>,
    /// Lengths of the record at which somebody had a choice. What was the only answer the engine gave by itself.
    chosen_at: BTreeSet<usize>,
    /// How much of the record has been looked through for answers that the engine gave.
    looked_at: usize,
    analysis: bool,
    /// Whether what rules print is shown.
    traces: bool,
    /// An answer that ends a part of the turn early, held back until it is given again; and the one held back before
    /// this line.
    held: Option<Action>,
    confirmed: Option<Action>,
    /// Length of the record when something hidden was last seen.
    revealed: usize,
    /// What stands in the numbered lists of the question, which only hold answers that take something.
    listed: Vec<Choice>,
    /// The first half of an answer, which waits for the second.
    half: Option<Half>,
    /// Length of the record, and the half answer, at which the board was last drawn.
    drawn_at: Option<(usize, Option<Half>)>,
    /// That board.
    drawn: String,
}

/// What a number stands for.
#[derive(Clone, Copy, PartialEq)]
enum Choice {
    Whole(Action),
    Half(Half),
}

/// `countermarch play`.
pub fn run(options: &Options) -> Result<bool> {
    let mut table = Table { traces: options.trace, ..sitting::sit_down(options)? };
    table.play(&mut Input::new()?)
}

impl Table {
    /// A table at which nothing has been told yet.
    fn new(session: Session<Runtime>, seats: Vec<Seat>, file: RecordFile, header: RecordHeader) -> Table {
        // Nobody asks a person's stand-in.
        let players: Vec<Player> = seats.iter().map(|seat| seat.player().cloned().unwrap_or(Player::Random)).collect();
        Table {
            session,
            seats,
            minds: Minds::new(&players),
            thoughts: Thoughts::default(),
            file,
            analysis: header.analysis,
            traces: false,
            header,
            folder: None,
            written: 0,
            hashed: 0,
            told: 0,
            asked_at: Vec::new(),
            chosen_at: BTreeSet::new(),
            looked_at: 0,
            held: None,
            confirmed: None,
            revealed: 0,
            listed: Vec::new(),
            half: None,
            drawn_at: None,
            drawn: String::new(),
        }
    }

    fn play(&mut self, input: &mut Input) -> Result<bool> {
        loop {
            self.write()?;
            self.tell();
            if self.session.game().outcome().is_some() {
                results(self.session.game()).iter().for_each(|line| println!("  {line}"));
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
            if let Stands::Failed(failed) = self.session.stands() {
                println!("{}\n  {failed}\n{}", prompts::CANNOT_GO_ON, prompts::TAKE_BACK_OR_LEAVE);
                match input.line("> ", Vec::new())?.map(|line| self.command(line.trim())).transpose()? {
                    Some(Some(true)) | Some(None) => continue,
                    Some(Some(false)) => return Ok(true),
                    None => return Ok(false),
                }
            }
            let Some(question) = self.session.question().cloned() else { return Ok(true) };
            if let Some(player) = self.seats[question.by as usize].player().cloned() {
                let seed = self.session.record().seed;
                let action = self.minds.choose(&mut self.session, seed)?;
                self.remember_thought(&question, &player, action)?;
                self.chosen_at.insert(self.session.entries());
                let acted = self.session.act(question.by, action);
                self.took(acted)?;
                continue;
            }
            self.show_question(&question, input.is_person);
            self.asked_at.push(self.session.entries());
            self.asked_at.dedup();
            let names = self.completions();
            match input.line(&self.prompt(), names)? {
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

    /// What stands before what people type: the half of an answer that they have typed.
    fn prompt(&self) -> String {
        let Some(half) = self.half else { return "> ".to_owned() };
        let ruleset = self.session.ruleset();
        let verb = &ruleset.verbs[usize::from(half.verb)];
        let first = verb.takes.first().map(|kind| self.session.game().name_seen(*kind, half.value, self.sight()));
        format!("{} {}> ", verb.id, first.unwrap_or_default())
    }

    /// Writes every answer that is not on disk yet.
    fn write(&mut self) -> Result<()> {
        let entries = &self.session.record().entries;
        let unwritten = entries.from(self.written.min(entries.len()));
        let mut text: String =
            unwritten.map(|entry| record_line_after(self.session.ruleset(), entry, &self.header) + "\n").collect();
        self.written = entries.len();
        let over = self.session.game().outcome().is_some();
        let waits = self.session.question().is_some() || over;
        let due = self.written >= self.hashed + HASH_EVERY || (over && self.written > self.hashed);
        if waits && due && self.header.has_hashes_of_names() {
            text.push_str(&format!("hash {:016x}\n", self.session.game().hash()));
            self.hashed = self.written;
        }
        let written = self.file.write_all(text.as_bytes());
        written.with_context(|| {
            let path = self.file.path().display();
            format!("the last answer is not in the record, all before it are; go on with: countermarch play {path}")
        })
    }

    /// A sentence about the game, in the ruleset's words where it has its own, for whoever looks at the table.
    fn says(&self, text: Text, with: impl IntoIterator<Item = Particular>) -> String {
        Words::seen_by(self.sight(), self.session.game()).sentence(&Said::engine(text, with))
    }

    /// Where the game stands and how to go on.
    fn leave(&self) {
        let ruleset = self.session.ruleset();
        let turn = ruleset.turn_name(self.session.game().turn());
        let title = prompts::title(ruleset, &self.header.set);
        let stands = format!("{title}: the game is in {}.", turn.trim_end_matches('.'));
        print!("\n{}", folded(&[stands], asked::WIDTH));
        if let Some(question) = self.session.question() {
            println!(
                "{} is asked: {}",
                ruleset.sides[question.by as usize].name,
                self.session.game().asks(question, self.sight())
            );
        }
        let folder = self.folder.as_ref().map(|folder| format!(" --ruleset {}", folder.display())).unwrap_or_default();
        println!("Go on with: countermarch play {}{folder}", self.file.path().display());
    }
}

//! `countermarch play`: the board in the terminal.
//!
//! What may be done is what the game offers; nothing about rules is computed here. Every answer is on disk before
//! the next question is asked.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use countermarch_core::{
    map::SpaceId,
    play::{About, Action, Chance, Dice, Effect, Entry, Limits, Question, Session, SessionError, Set},
    ruleset::Kind,
    show::{Board, Misread, Story, already_answered, legend, read_action, read_adjustment, record_header, record_line},
};
use countermarch_scripting::Runtime;

use crate::{
    Which, content,
    input::Input,
    records::{self, explain},
    seats::{Seat, choose, seats},
    show::palette,
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
    /// Take back anything, dice and the opponent's answers included.
    #[arg(long)]
    analysis: bool,
}

/// Lists of choices longer than this are counted, not printed.
const LONGEST_LIST: usize = 14;
/// Spaces drawn around the place of action.
const RADIUS: u16 = 3;
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
    warned: bool,
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
        warned: false,
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

    fn tell(&mut self) {
        let ruleset = self.session.ruleset.clone();
        let mut story = Story::new(&ruleset);
        let mut count = 0;
        for event in self.session.told() {
            let line = story.tell(event);
            if count >= self.told
                && let Some(line) = line
            {
                println!("  {line}");
            }
            count += 1;
        }
        self.told = count;
    }

    fn show_question(&mut self, question: &Question, is_person: bool) {
        let ruleset = self.session.ruleset.clone();
        let game = &self.session.game;
        let text = &ruleset.questions[question.key as usize];
        // The board is drawn for a new question, not after a refusal or a look at the log.
        let now = Some(self.session.record.entries.len());
        let is_new = std::mem::replace(&mut self.drawn_at, now) != now;
        if let (About::Unit(unit), true, true) = (question.about, is_person, is_new) {
            self.draw(unit);
        }
        let side = &ruleset.sides[question.by as usize].name;
        let cite = ruleset.cite(text.cite);
        println!("\n{}, {side}: {}  [{cite}]", ruleset.turn_name(game.turn()), game.asks(question));
        self.listed.clear();
        for offer in &question.offers {
            let values: Vec<i32> =
                self.session.offers().iter().filter(|a| a.verb == offer.verb).map(|a| a.value).collect();
            let verb = &ruleset.verbs[offer.verb as usize];
            let says = text.verbs.get(&verb.id).unwrap_or(&verb.says);
            match (verb.takes, values.len()) {
                (_, 0) => (),
                (None, _) => {
                    self.listed.push(Action { verb: offer.verb, value: -1 });
                    println!("  {:>2} {:<14} {says}", self.listed.len(), verb.id);
                }
                (Some(kind), count) if count <= LONGEST_LIST => {
                    println!("     {:<14} {says}:", verb.id);
                    for value in values {
                        self.listed.push(Action { verb: offer.verb, value });
                        let name = match kind {
                            Kind::Unit => {
                                let at = ruleset.name_of_place(game.place(value));
                                format!("{}, {at}", game.describe(value))
                            }
                            Kind::Space => ruleset.full_name_of_place(value),
                            kind => ruleset.name_of(kind, value),
                        };
                        println!("  {:>2}   {name}", self.listed.len());
                    }
                }
                (Some(_), count) => println!("     {:<14} {says}: {count} choices, by name", verb.id),
            }
        }
    }

    /// The board around a unit, with everything it can go to marked.
    fn draw(&self, unit: i32) {
        let ruleset = &self.session.ruleset;
        let game = &self.session.game;
        let mut marked: Vec<(SpaceId, char)> = Vec::new();
        for offer in self.session.question().map(|q| q.offers.as_slice()).unwrap_or_default() {
            match &offer.set {
                // What costs more than the allowance is marked apart.
                Set::Reach(m) => {
                    let sign = |cost: u16| if cost > m.allowance { '+' } else { '*' };
                    marked.extend(game.reached(m).iter().map(|r| (r.space, sign(r.cost))));
                }
                set if ruleset.verbs[offer.verb as usize].takes == Some(Kind::Space) => {
                    let spaces = game.values(set).into_iter().filter_map(|s| u32::try_from(s).ok());
                    marked.extend(spaces.map(|s| (SpaceId(s), '*')));
                }
                _ => (),
            }
        }
        let here = u32::try_from(game.space_of(unit)).ok().map(SpaceId);
        let Some(center) = here.or_else(|| marked.first().map(|m| m.0)) else { return };
        let far = marked.iter().map(|m| ruleset.map.distance(m.0, center)).max().unwrap_or(0);
        let board =
            Board { around: Some((center, far.clamp(RADIUS, 2 * RADIUS))), marked: &marked, palette: palette() };
        println!("\n{}", board.draw(game));
        if marked.iter().any(|m| m.1 == '+') {
            println!("  * within the allowance, + beyond it");
        }
    }

    fn completions(&self) -> Vec<String> {
        let ruleset = &self.session.ruleset;
        let mut names: Vec<String> = Vec::new();
        for action in self.session.offers() {
            let verb = &ruleset.verbs[action.verb as usize];
            match verb.takes {
                None => names.push(verb.id.clone()),
                Some(kind) => {
                    names.push(format!("{} {}", verb.id, ruleset.id_of(kind, action.value)));
                    names.push(ruleset.id_of(kind, action.value));
                }
            }
        }
        names.extend(
            ["help", "why ", "map", "units", "undo", "log", "luck", "odds ", "agree ", "quit"].map(str::to_owned),
        );
        names
    }

    /// A command or orders. False to leave the table.
    fn take(&mut self, question: &Question, line: &str) -> Result<bool> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => (),
            "quit" | "exit" => {
                self.leave();
                return Ok(false);
            }
            "help" | "?" => help(),
            "why" => match explain(&self.session, rest) {
                Ok(text) => println!("{text}"),
                Err(wrong) => println!("{wrong}"),
            },
            "map" => self.map(rest),
            "units" => self.units(),
            "log" => self.log(rest.trim().parse().unwrap_or(20)),
            "luck" => self.luck(),
            "odds" => self.odds(question, rest)?,
            "undo" => self.undo(question.by)?,
            "agree" => self.agree(rest)?,
            "save" => self.save(rest)?,
            _ => {
                if let Ok(number) = line.parse::<usize>()
                    && let Some(action) = number.checked_sub(1).and_then(|n| self.listed.get(n)).copied()
                {
                    self.answer(question, action)?;
                } else {
                    self.orders(question.by, line)?;
                }
            }
        }
        Ok(true)
    }

    /// A line of orders: split into single answers, stopped at the first refusal, undone as one.
    fn orders(&mut self, by: i32, line: &str) -> Result<()> {
        let mut text = line.to_owned();
        let mut spoken = self.session.record.entries.len();
        while !text.is_empty() {
            let Some(question) = self.session.question().cloned() else { break };
            let is_answer = question.by == by
                && read_action(&self.session.game, &question, &text)
                    .is_ok_and(|(action, _)| self.session.offers().contains(&action));
            let entries = &self.session.record.entries[spoken..];
            if let Some((at, rest)) = already_answered(&self.session.ruleset, by, entries, &text).filter(|_| !is_answer)
            {
                (text, spoken) = (rest, spoken + at + 1);
                continue;
            }
            if question.by != by {
                println!("  `{text}` is left: it is the other side's turn to answer");
                break;
            }
            match read_action(&self.session.game, &question, &text) {
                Ok((action, rest)) => {
                    spoken = self.session.record.entries.len() + 1;
                    if !self.answer(&question, action)? {
                        if !rest.is_empty() {
                            println!("  `{rest}` is left undone");
                        }
                        break;
                    }
                    text = rest;
                }
                Err(Misread::Empty) => break,
                Err(wrong) => {
                    println!("  {wrong}");
                    break;
                }
            }
        }
        Ok(())
    }

    /// Gives one answer. False if it was refused, or held back for a second look.
    fn answer(&mut self, question: &Question, action: Action) -> Result<bool> {
        if self.guards(question, action) {
            return Ok(false);
        }
        match self.session.act(question.by, action) {
            Ok(()) => {
                self.warned = false;
                self.write()?;
                Ok(true)
            }
            Err(SessionError::Refused(refusals)) => {
                for refusal in refusals {
                    println!("  No: {}  [{}]", refusal.text, self.session.ruleset.cite(refusal.cite));
                }
                Ok(false)
            }
            Err(SessionError::Rule(wrong)) => {
                println!("  A rule of this game failed, and the game stands as before.\n  {wrong}");
                Ok(false)
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Before a part of the turn is ended with things still to do, says so once.
    fn guards(&mut self, question: &Question, action: Action) -> bool {
        let ruleset = &self.session.ruleset;
        if !ruleset.verbs[action.verb as usize].ends || self.warned || !io::stdin().is_terminal() {
            return false;
        }
        let mut left: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        for offer in self.session.offers().iter().filter(|a| a.verb != action.verb) {
            if ruleset.verbs[offer.verb as usize].takes == Some(Kind::Unit) {
                left.entry(offer.verb).or_default().push(ruleset.name_of(Kind::Unit, offer.value));
            }
        }
        if left.is_empty() || !self.session.offers().contains(&action) {
            return false;
        }
        for (verb, names) in left {
            println!("  You could still {}: {}", ruleset.verbs[verb as usize].id, names.join(", "));
        }
        let word = &ruleset.verbs[action.verb as usize].id;
        println!("  Type `{word}` again to end here. [{}]", ruleset.questions[question.key as usize].key);
        self.warned = true;
        true
    }

    fn ask_for_roll(&mut self, input: &mut Input) -> Result<bool> {
        let Some(roll) = self.session.roll().cloned() else { return Ok(true) };
        let ruleset = self.session.ruleset.clone();
        let (says, draws) = ruleset.asks_chance(&roll);
        println!("\n{says}");
        let possible: Vec<i32> = match &roll.dice {
            Dice::Die(faces) => (1..=*faces).collect(),
            Dice::One(list) => list.to_vec(),
        };
        let kind = draws.unwrap_or(Kind::Int);
        let names = possible.iter().map(|value| ruleset.id_of(kind, *value)).collect();
        let prompt = if roll.faces() > 0 { format!("d{}> ", roll.faces()) } else { "drawn> ".to_owned() };
        let Some(line) = input.line(&prompt, names)? else {
            self.leave();
            return Ok(false);
        };
        match line.trim() {
            "" => (),
            "quit" | "exit" => {
                self.leave();
                return Ok(false);
            }
            text => match ruleset.find_named(kind, text, &possible) {
                Ok(Some(value)) => self.session.act_roll(value)?,
                Ok(None) => {
                    let names: Vec<String> = possible.iter().map(|value| ruleset.id_of(kind, *value)).collect();
                    println!("  `{text}` cannot come up: it is one of {}, or `quit`", names.join(", "));
                }
                Err(several) => println!("  `{text}` may be {}", several.join(" or ")),
            },
        }
        Ok(true)
    }

    fn undo(&mut self, by: i32) -> Result<()> {
        let now = self.session.record.entries.len();
        while self.asked_at.last().is_some_and(|at| *at >= now) {
            self.asked_at.pop();
        }
        let Some(back) = self.asked_at.last().copied() else {
            println!("  There is nothing to take back.");
            return Ok(());
        };
        let seen = self.session.record.entries[back..].iter().any(|entry| match entry {
            Entry::Chance { .. } => true,
            Entry::Agreement(_) => false,
            Entry::Side { by: other, .. } => *other != by,
        });
        if seen && !self.analysis {
            println!(
                "  A die has been rolled or the other side has answered since; play with --analysis to take that back."
            );
            return Ok(());
        }
        let undone = now - back;
        self.session.take_back(back)?;
        for _ in 0..undone {
            writeln!(self.file, "undo")?;
        }
        self.written = self.session.record.entries.len().min(back);
        self.hashed = self.hashed.min(self.written);
        self.told = self.session.told().count();
        println!("  Taken back.");
        self.write()
    }

    /// A change that the players agree on, outside the rules; the record says so for ever.
    fn agree(&mut self, text: &str) -> Result<()> {
        let adjustment = match read_adjustment(&self.session.ruleset, text) {
            Ok(adjustment) => adjustment,
            Err(wrong) => {
                println!("  {wrong}");
                return Ok(());
            }
        };
        match self.session.adjust(adjustment) {
            Ok(()) => self.write(),
            Err(SessionError::Agreement(wrong)) => {
                println!("  {wrong}");
                Ok(())
            }
            Err(other) => Err(other.into()),
        }
    }

    /// What each roll of the next die would do after an answer, worked out by playing it.
    fn odds(&mut self, question: &Question, line: &str) -> Result<()> {
        let action = match (line.trim(), self.listed.first()) {
            // Without a move, the last answer that takes nothing: the one that goes on.
            ("", Some(_)) => self.listed.iter().copied().rfind(|a| a.value < 0),
            (text, _) => read_action(&self.session.game, question, text).ok().map(|(a, _)| a),
        };
        let Some(action) = action.filter(|a| self.session.offers().contains(a)) else {
            println!("  odds of what? Type `odds` and an answer that leads to a die, as `odds go`");
            return Ok(());
        };
        let before = self.session.record.entries.len();
        let kept = std::mem::replace(&mut self.session.chance, Chance::Person);
        let ruleset = self.session.ruleset.clone();
        self.session.act(question.by, action)?;
        let at = self.session.record.entries.len();
        if let Some(roll) = self.session.roll().cloned() {
            let faces: Vec<i32> = (1..=1000).take_while(|f| roll.can_be(*f)).collect();
            for face in faces {
                let told = self.session.told().count();
                self.session.act_roll(face)?;
                let mut story = Story::new(&ruleset);
                let lines: Vec<String> = self.session.told().skip(told).filter_map(|e| story.tell(e)).collect();
                let shown = lines.iter().filter(|l| !l.starts_with("die for")).take(3).cloned().collect::<Vec<_>>();
                println!("  {face}: {}", shown.join("; "));
                self.session.take_back(at)?;
            }
        } else {
            println!("  no die follows that answer");
        }
        self.session.chance = kept;
        self.session.take_back(before)?;
        Ok(())
    }

    fn map(&self, around: &str) {
        let ruleset = &self.session.ruleset;
        let center = match around.trim() {
            "" => None,
            name => match ruleset.find_named(Kind::Space, name, &ruleset.all_of(Kind::Space)) {
                Ok(Some(space)) => Some(SpaceId(space as u32)),
                _ => match ruleset.find_named(Kind::Unit, name, &ruleset.all_of(Kind::Unit)) {
                    Ok(Some(unit)) => u32::try_from(self.session.game.space_of(unit)).ok().map(SpaceId),
                    _ => {
                        println!("  the map has no `{name}`");
                        return;
                    }
                },
            },
        };
        let board = Board { around: center.map(|c| (c, 5)), marked: &[], palette: palette() };
        println!("{}\n  {}", board.draw(&self.session.game), legend(&ruleset.map));
    }

    fn units(&self) {
        let (ruleset, game) = (&self.session.ruleset, &self.session.game);
        for (at, side) in ruleset.sides.iter().enumerate() {
            println!("{}", side.name);
            let mut places: BTreeMap<i32, Vec<String>> = BTreeMap::new();
            for unit in (0..ruleset.units.len() as i32).filter(|u| ruleset.units[*u as usize].side == at as i32) {
                places.entry(game.place(unit)).or_default().push(game.describe(unit));
            }
            for (place, names) in places.into_iter().filter(|(p, n)| *p >= 0 && !n.is_empty()) {
                println!("  {:<24} {}", ruleset.full_name_of_place(place), names.join(", "));
            }
        }
    }

    fn log(&self, lines: usize) {
        let mut story = Story::new(&self.session.ruleset);
        let all: Vec<String> = self.session.told().filter_map(|e| story.tell(e)).collect();
        all.iter().skip(all.len().saturating_sub(lines)).for_each(|l| println!("  {l}"));
    }

    /// How the dice have fallen, purpose by purpose.
    fn luck(&self) {
        let mut rolls: BTreeMap<(&str, i32), (i32, i32)> = BTreeMap::new();
        for event in self.session.told() {
            if let Effect::Rolled { purpose, value, faces, .. } = &event.effect
                && *faces > 0
            {
                let sum = rolls.entry((purpose, *faces)).or_default();
                *sum = (sum.0 + 1, sum.1 + value);
            }
        }
        for ((purpose, faces), (count, sum)) in rolls {
            let (average, expected) = (f64::from(sum) / f64::from(count), f64::from(faces + 1) / 2.0);
            println!("  {purpose:<12} {count:>4} rolls, {average:.2} on average ({expected:.2} expected)");
        }
    }

    fn save(&mut self, name: &str) -> Result<()> {
        self.write()?;
        if name.trim().is_empty() {
            println!("  Saved in {}", self.path.display());
        } else {
            fs::copy(&self.path, name.trim()).with_context(|| format!("cannot write {name}"))?;
            println!("  Saved in {}", name.trim());
        }
        Ok(())
    }

    /// Where the game stands and how to go on.
    fn leave(&self) {
        let ruleset = &self.session.ruleset;
        println!("\n{}: the game is in {}.", ruleset.title, ruleset.turn_name(self.session.game.turn()));
        if let Some(question) = self.session.question() {
            println!("{} is asked: {}", ruleset.sides[question.by as usize].name, ruleset.asks(question));
        }
        println!("Go on with: countermarch play {}", self.path.display());
    }
}

fn help() {
    println!(
        "\
  Type what to do, as it is listed, or only a name: `move heth`, `heth`, `heth 18.04`, `sem`, or a number of the list.
  Several orders go in one line with commas: `heth 18.04, pender 20.01`. They stop at the first refusal.
  why MOVE      why a move is allowed or not, with the paragraph
  odds [MOVE]   what each roll of the next die would do
  map [PLACE]   the board, or a part of it       units    every counter
  log [N]       what happened                    luck     how the dice fell
  undo          take the last answer back        save [FILE]
  agree place UNIT SPACE | agree set UNIT PROPERTY VALUE     a change by agreement, outside the rules
  quit          leave; the record is already on disk"
    );
}

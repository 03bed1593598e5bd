//! The text of a record: a header, then one line an answer, so that a file cut off anywhere still holds every
//! whole line.

use std::fmt::Write as _;

use super::{
    header::{NAMES_DRAWN, RecordHeader},
    sight::Sight,
};
use crate::{
    play::{About, Action, Adjustment, Entries, Entry, Game, Record},
    ruleset::{Holder, Kind, Ruleset, Schema},
};

/// A record as read from a file.
#[derive(Debug, Clone, Default)]
pub struct RecordText {
    /// What stands above the answers.
    pub header: RecordHeader,
    /// How many lines the header has, its first and last included.
    pub header_lines: usize,
    /// Answer lines with their line numbers, `undo` carried out.
    pub lines: Vec<(usize, String)>,
    /// Hashes of the state.
    pub hashes: Vec<Hash>,
    /// Whether the last line was cut off and left out.
    pub cut_off: bool,
}

/// A hash of the state, as it stands between answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hash {
    /// Its line.
    pub line: usize,
    /// How many answers come before it.
    pub at: usize,
    /// The hash.
    pub hash: u64,
}

/// A name as one word of a line. What would end the word, or the line, is written as `%` and its code, so that no
/// name that content or a rule makes up can pass for another line.
pub(super) fn word(name: &str) -> String {
    let mut word = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        let ends = c.is_control() || c.is_whitespace() || matches!(c, '[' | ']' | '=' | '%') || (at == 0 && c == '#');
        if ends {
            name[at..at + c.len_utf8()].bytes().for_each(|b| _ = write!(word, "%{b:02X}"));
        } else {
            word.push(c);
        }
    }
    word
}

/// The name that was written as such a word.
pub(super) fn plain(word: &str) -> String {
    let mut name = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        let code = others.get(..2).filter(|code| *first == b'%' && code.iter().all(u8::is_ascii_hexdigit));
        let code = code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        name.push(code.unwrap_or(*first));
        rest = if code.is_some() { &others[2..] } else { others };
    }
    String::from_utf8_lossy(&name).into_owned()
}

/// A side as the one who answers; never one of the words that stand there for others.
fn actor(side: &str) -> String {
    match side {
        CHANCE | AGREEMENT => format!("%{:02X}{}", side.as_bytes()[0], &side[1..]),
        _ => word(side),
    }
}

/// Who answers where chance does, and where the players change something outside the rules.
const CHANCE: &str = "chance";
const AGREEMENT: &str = "agreement";

/// One answer as a line, without its line end: `union: move buford  [movement.unit]`.
pub fn record_line(ruleset: &Ruleset, entry: &Entry) -> String {
    line_of_format(ruleset, entry, u8::MAX)
}

/// The same for a record that is gone on with, in the format it was begun in.
pub fn record_line_after(ruleset: &Ruleset, entry: &Entry, header: &RecordHeader) -> String {
    line_of_format(ruleset, entry, header.format)
}

fn line_of_format(ruleset: &Ruleset, entry: &Entry, format: u8) -> String {
    match entry {
        Entry::Side { by, key, about, action } => {
            let verb = &ruleset.verbs[action.verb as usize];
            let mut line = format!("{}: {}", actor(&ruleset.sides[*by as usize].id), word(&verb.id));
            for (kind, value) in verb.takes.iter().zip(action.values) {
                let _ = write!(line, " {}", word(&ruleset.id_of(*kind, value)));
            }
            line + &in_brackets(ruleset, &ruleset.questions[*key as usize].key, *about)
        }
        Entry::Chance { chance, about, value } => {
            let text = &ruleset.chances[*chance as usize];
            let draws = text.draws.filter(|_| format >= NAMES_DRAWN);
            let value = word(&ruleset.id_of(draws.unwrap_or(Kind::Int), *value));
            format!("{CHANCE}: {value}{}", in_brackets(ruleset, &text.purpose, *about))
        }
        Entry::Agreement(Adjustment::Place { unit, to }) => {
            let (unit, to) = (ruleset.id_of(Kind::Unit, *unit), ruleset.id_of(Kind::Space, *to));
            format!("{AGREEMENT}: place {} {}", word(&unit), word(&to))
        }
        Entry::Agreement(Adjustment::Set { column, of, value }) => {
            let declared = &ruleset.schema.columns[*column as usize];
            let whose = match declared.holder {
                Holder::Unit => ruleset.id_of(Kind::Unit, *of),
                Holder::Side => ruleset.id_of(Kind::Side, *of),
                Holder::Space => ruleset.id_of(Kind::Space, *of),
                _ => "game".to_owned(),
            };
            let value = ruleset.id_of(declared.kind, *value);
            format!("{AGREEMENT}: set {} {} {}", word(&whose), word(&declared.name), word(&value))
        }
    }
}

/// What an answer was to, behind it.
fn in_brackets(ruleset: &Ruleset, key: &str, about: About) -> String {
    let subject = word(&ruleset.about(about, true));
    let gap = if subject.is_empty() { "" } else { " " };
    format!("  [{}{gap}{subject}]", word(key))
}

/// Reads a record; its last line may be cut off anywhere. The error names its line.
pub fn read_record(bytes: impl AsRef<[u8]>) -> Result<RecordText, String> {
    let mut record = RecordText::default();
    let (mut in_header, mut given) = (true, Vec::new());
    for (number, raw) in (1..).zip(bytes.as_ref().split_inclusive(|b| *b == b'\n')) {
        if number > 1 && !raw.ends_with(b"\n") {
            record.cut_off = true;
            break;
        }
        let line = std::str::from_utf8(raw).map_err(|_| format!("line {number}: it is not UTF-8 text"))?.trim_end();
        if number == 1 {
            record.header.format = RecordHeader::begins(line)?;
        } else if in_header {
            in_header = record.header.read(line, &mut given).map_err(|wrong| format!("line {number}: {wrong}"))?;
            record.header_lines = number;
        } else if line == "undo" {
            record.lines.pop().ok_or_else(|| format!("line {number}: there is nothing to undo"))?;
            let left = record.lines.len();
            record.hashes.retain(|hash| hash.at <= left);
        } else if let Some(hash) = line.strip_prefix("hash ") {
            let hash = u64::from_str_radix(hash, 16).map_err(|_| format!("line {number}: `{hash}` is no hash"))?;
            record.hashes.push(Hash { line: number, at: record.lines.len(), hash });
        } else if !line.is_empty() && !line.starts_with('#') {
            record.lines.push((number, line.to_owned()));
        }
    }
    match (bytes.as_ref(), in_header) {
        ([], _) => Err("the file is empty: it is not a record".into()),
        (_, true) => Err("the record has no `---` after its header: it was cut off there, and holds no answer".into()),
        (_, false) => Ok(record),
    }
}

impl RecordText {
    /// Looks every name up. The error names its line.
    pub fn entries(&self, ruleset: &Ruleset) -> Result<Record, String> {
        let mut entries = Entries::default();
        for (number, line) in &self.lines {
            entries.push(entry(ruleset, self.header.format, line).map_err(|wrong| format!("line {number}: {wrong}"))?);
        }
        Ok(Record { scenario: self.header.scenario.clone(), seed: self.header.seed, entries })
    }
}

/// Reads `place UNIT PLACE` or `set WHO PROPERTY VALUE` (of a unit, a side, a space or the game): what players agree on, typed by whoever has these eyes.
pub fn read_adjustment(game: &Game, text: &str, sight: Sight) -> Result<Adjustment, String> {
    let ruleset = &game.ruleset;
    let is_known = |kind, thing: &i32| !sight.is_concealed(game, kind, *thing);
    // A name may be typed as orders take it.
    let named = |kind, name: &str| {
        let all = || sight.known(game, kind, ruleset.all_of(kind));
        let is_thing = matches!(kind, Kind::Unit | Kind::Space);
        is_thing.then(|| ruleset.find_named(kind, name, &all()).ok().flatten()).flatten()
    };
    adjustment(ruleset, text, |kind, id| {
        ruleset.find_id(kind, id).filter(|thing| is_known(kind, thing)).or_else(|| named(kind, id))
    })
}

/// The same, with things found so by their ids.
fn adjustment(ruleset: &Ruleset, text: &str, find: impl Fn(Kind, &str) -> Option<i32>) -> Result<Adjustment, String> {
    let words: Vec<String> = text.split_whitespace().map(plain).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["place", unit, to] => {
            let found = |kind, id| find(kind, id).filter(|thing| *thing >= 0);
            let unit = found(Kind::Unit, unit).ok_or_else(|| no_such(Kind::Unit, unit))?;
            let to = found(Kind::Space, to).ok_or_else(|| format!("there is no space or box `{to}`"))?;
            Ok(Adjustment::Place { unit, to })
        }
        ["set", whose, property, value] => {
            let (holder, of) = match (find(Kind::Unit, whose), ruleset.side(whose)) {
                (Some(unit @ 0..), _) => (Holder::Unit, unit),
                (_, Some(side)) => (Holder::Side, side),
                _ if whose == "game" => (Holder::Game, 0),
                _ => match find(Kind::Space, whose) {
                    // Boxes have no properties.
                    Some(space) if (0..ruleset.map.len() as i32).contains(&space) => (Holder::Space, space),
                    _ => return Err(format!("`{whose}` is no unit, side, space or `game`")),
                },
            };
            let column = ruleset.schema.column(holder, property);
            let column = column.filter(|c| *c != Schema::PLACE && *c != Schema::TURN && *c != Schema::PHASING);
            let column = column.ok_or_else(|| format!("`{whose}` has no property `{property}` to set"))?;
            let kind = ruleset.schema.columns[column as usize].kind;
            let value = find(kind, value).ok_or_else(|| no_such(kind, value))?;
            Ok(Adjustment::Set { column, of, value })
        }
        _ => {
            Err("write `place UNIT SPACE`, or `set UNIT PROPERTY VALUE`, of a unit, a side, a space or `game`"
                .to_owned())
        }
    }
}

fn entry(ruleset: &Ruleset, format: u8, line: &str) -> Result<Entry, String> {
    let (actor, rest) = line.split_once(": ").ok_or("a line begins with who answers, as `union: `")?;
    if actor == AGREEMENT {
        return adjustment(ruleset, rest, |kind, id| ruleset.find_id(kind, id)).map(Entry::Agreement);
    }
    let (answer, question) = rest.rsplit_once('[').ok_or("a line ends with its question in brackets")?;
    let question = question.strip_suffix(']').ok_or("the bracket at the end is not closed")?;
    let answer = answer.trim();
    let (key, subject) = question.split_once(' ').unwrap_or((question, ""));
    let (key, subject) = (&*plain(key), &*plain(subject));
    if actor == CHANCE {
        let chance = ruleset.chance(key).ok_or_else(|| format!("chance has no purpose `{key}`"))?;
        let text = &ruleset.chances[chance as usize];
        let value = match text.draws.filter(|_| format >= NAMES_DRAWN) {
            Some(kind) => by_id(ruleset, kind, &plain(answer))?,
            None => answer.parse().map_err(|_| format!("`{answer}` is no roll"))?,
        };
        return Ok(Entry::Chance { chance, about: about(ruleset, Some(text.about), key, subject)?, value });
    }
    let by = ruleset.side(&plain(actor)).ok_or_else(|| format!("there is no side `{actor}`"))?;
    let asked = ruleset.questions.iter().position(|q| q.key == key);
    let asked = asked.ok_or_else(|| format!("there is no question `{key}`"))?;
    let (word, names) = answer.split_once(' ').unwrap_or((answer, ""));
    let verb = ruleset.verb(&plain(word)).ok_or_else(|| format!("there is no verb `{word}`"))?;
    let mut action = Action::alone(verb as u16);
    match ruleset.verbs[verb].takes[..] {
        [] => (),
        [kind] => action.values[0] = by_id(ruleset, kind, &plain(names))?,
        [first, second, ..] => {
            let (one, other) =
                names.split_once(' ').ok_or_else(|| format!("`{word}` is of two things: `{names}` is one"))?;
            action.values = [by_id(ruleset, first, &plain(one))?, by_id(ruleset, second, &plain(other))?];
        }
    }
    let about = about(ruleset, ruleset.questions[asked].about, key, subject)?;
    Ok(Entry::Side { by, key: asked as u16, about, action })
}

/// What an answer is about, whose question is about things of that kind.
fn about(ruleset: &Ruleset, kind: Option<Kind>, key: &str, subject: &str) -> Result<About, String> {
    match kind {
        _ if subject.is_empty() => Ok(About::Nothing),
        Some(kind) => Ok(About::Thing(kind, by_id(ruleset, kind, subject)?)),
        None => Err(format!("`{key}` is about nothing")),
    }
}

fn by_id(ruleset: &Ruleset, kind: Kind, id: &str) -> Result<i32, String> {
    let found = ruleset.find_id(kind, id).filter(|found| kind == Kind::Int || *found >= 0);
    found.ok_or_else(|| no_such(kind, id))
}

fn no_such(kind: Kind, id: &str) -> String {
    format!("there is no {} `{id}`", kind.words().trim_start_matches("a "))
}

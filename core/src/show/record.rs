//! The text of a record: a header, then one line an answer, so that a file cut off anywhere still holds every
//! whole line.

use std::fmt::Write as _;

use crate::{
    play::{About, Action, Adjustment, Entry, Record},
    ruleset::{Holder, Kind, Ruleset, Schema},
};

/// The first line of every record.
const FIRST: &str = "march 1";

/// A record as read from a file.
#[derive(Debug, Clone, Default)]
pub struct RecordText {
    /// `game@version` as written.
    pub game: String,
    /// The hash of the content it was played with.
    pub content: String,
    /// Single values changed on top of the version.
    pub set: Vec<(String, String)>,
    /// The scenario's short name.
    pub scenario: String,
    /// The seed.
    pub seed: u64,
    /// Answer lines with their line numbers, `undo` carried out.
    pub lines: Vec<(usize, String)>,
    /// Hashes of the state, by how many answers came before.
    pub hashes: Vec<(usize, u64)>,
    /// Whether the last line was cut off and left out.
    pub cut_off: bool,
}

/// The header of a new record.
pub fn record_header(ruleset: &Ruleset, set: &[(String, String)], scenario: &str, seed: u64) -> String {
    let mut text = format!("{FIRST}\ngame {}\ncontent {:016x}\n", ruleset.full_name(), ruleset.content);
    for (path, value) in set {
        let _ = writeln!(text, "set {path}={value}");
    }
    let _ = writeln!(text, "scenario {scenario}\nseed {seed}\n---");
    text
}

/// One answer as a line, without its line end: `union: move buford  [movement.unit]`.
pub fn record_line(ruleset: &Ruleset, entry: &Entry) -> String {
    match entry {
        Entry::Side { by, key, about, action } => {
            let verb = &ruleset.verbs[action.verb as usize];
            let side = &ruleset.sides[*by as usize].id;
            let mut line = format!("{side}: {}", verb.id);
            if let Some(kind) = verb.takes {
                let _ = write!(line, " {}", ruleset.id_of(kind, action.value));
            }
            let subject = ruleset.about(*about, true);
            let gap = if subject.is_empty() { "" } else { " " };
            let _ = write!(line, "  [{}{gap}{subject}]", ruleset.questions[*key as usize].key);
            line
        }
        Entry::Chance { purpose, about, value } => {
            let subject = if *about < 0 { String::new() } else { format!(" {}", ruleset.id_of(Kind::Unit, *about)) };
            format!("chance: {value}  [{purpose}{subject}]")
        }
        Entry::Agreement(Adjustment::Place { unit, to }) => {
            format!("agreement: place {} {}", ruleset.id_of(Kind::Unit, *unit), place_id(ruleset, *to))
        }
        Entry::Agreement(Adjustment::Set { column, of, value }) => {
            let declared = &ruleset.schema.columns[*column as usize];
            let whose = match declared.holder {
                Holder::Unit => ruleset.id_of(Kind::Unit, *of),
                Holder::Side => ruleset.id_of(Kind::Side, *of),
                _ => "game".to_owned(),
            };
            format!("agreement: set {whose} {} {}", declared.name, ruleset.id_of(declared.kind, *value))
        }
    }
}

/// Reads the text of a record. The error names its line.
pub fn read_record(text: &str) -> Result<RecordText, String> {
    let mut record = RecordText::default();
    let mut lines = text.split_inclusive('\n').enumerate();
    match lines.next() {
        Some((_, line)) if line.trim_end() == FIRST => (),
        Some((_, line)) if line.starts_with("march ") => {
            return Err(format!("line 1: this record is of format `{}`; this program reads `{FIRST}`", line.trim()));
        }
        _ => return Err(format!("line 1: this is not a record: it does not begin with `{FIRST}`")),
    }
    let mut in_header = true;
    for (number, raw) in lines {
        let number = number + 1;
        if !raw.ends_with('\n') {
            record.cut_off = true;
            break;
        }
        let line = raw.trim_end();
        if in_header {
            in_header = header(&mut record, line, number)?;
        } else if line == "undo" {
            record.lines.pop().ok_or_else(|| format!("line {number}: there is nothing to undo"))?;
            let left = record.lines.len();
            record.hashes.retain(|(at, _)| *at <= left);
        } else if let Some(hash) = line.strip_prefix("hash ") {
            let hash = u64::from_str_radix(hash, 16).map_err(|_| format!("line {number}: `{hash}` is no hash"))?;
            record.hashes.push((record.lines.len(), hash));
        } else if !line.is_empty() && !line.starts_with('#') {
            record.lines.push((number, line.to_owned()));
        }
    }
    if in_header { Err("the record has no `---` after its header".into()) } else { Ok(record) }
}

fn header(record: &mut RecordText, line: &str, number: usize) -> Result<bool, String> {
    if line == "---" {
        return Ok(false);
    }
    let (key, value) = line.split_once(' ').unwrap_or((line, ""));
    match key {
        "game" => record.game = value.to_owned(),
        "content" => record.content = value.to_owned(),
        "scenario" => record.scenario = value.to_owned(),
        "seed" => record.seed = value.parse().map_err(|_| format!("line {number}: `{value}` is no seed"))?,
        "set" => {
            let (path, value) =
                value.split_once('=').ok_or_else(|| format!("line {number}: write `set path=value`"))?;
            record.set.push((path.to_owned(), value.to_owned()));
        }
        other => return Err(format!("line {number}: `{other}` is not known in the header of a record")),
    }
    Ok(true)
}

impl RecordText {
    /// Looks every name up. The error names its line.
    pub fn entries(&self, ruleset: &Ruleset) -> Result<Record, String> {
        let mut entries = Vec::with_capacity(self.lines.len());
        for (number, line) in &self.lines {
            entries.push(entry(ruleset, line).map_err(|wrong| format!("line {number}: {wrong}"))?);
        }
        Ok(Record { scenario: self.scenario.clone(), seed: self.seed, entries })
    }
}

/// A space by its number, a box by its short name.
fn place_id(ruleset: &Ruleset, place: i32) -> String {
    let inside = usize::try_from(place).ok().and_then(|at| at.checked_sub(ruleset.map.len()));
    inside.and_then(|at| ruleset.boxes.get(at)).map_or_else(|| ruleset.name_of_place(place), |b| b.id.clone())
}

/// Reads `place UNIT PLACE` or `set WHO PROPERTY VALUE`: what players agree on.
pub fn read_adjustment(ruleset: &Ruleset, text: &str) -> Result<Adjustment, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["place", unit, to] => {
            let unit = by_id(ruleset, Kind::Unit, unit)?;
            let spaces = ruleset.map.len() as i32;
            let inside = || ruleset.boxes.iter().position(|b| b.id == to).map(|at| spaces + at as i32);
            let place = ruleset.map.find(to).map(|s| s.0 as i32).or_else(inside);
            let to = place.ok_or_else(|| format!("there is no space or box `{to}`"))?;
            Ok(Adjustment::Place { unit, to })
        }
        ["set", whose, property, value] => {
            let (holder, of) = match (ruleset.unit(whose), ruleset.side(whose)) {
                (Some(unit), _) => (Holder::Unit, unit),
                (None, Some(side)) => (Holder::Side, side),
                (None, None) if whose == "game" => (Holder::Game, 0),
                (None, None) => return Err(format!("`{whose}` is no unit, side or `game`")),
            };
            let column = ruleset.schema.column(holder, property);
            let column = column.filter(|c| *c != Schema::PLACE && *c != Schema::TURN && *c != Schema::PHASING);
            let column = column.ok_or_else(|| format!("`{whose}` has no property `{property}` to set"))?;
            let value = match (ruleset.schema.columns[column as usize].kind, value) {
                (Kind::Flag, "yes" | "true") => 1,
                (Kind::Flag, "no" | "false") => 0,
                (kind, "nothing") if kind != Kind::Int => -1,
                (kind, value) => by_id(ruleset, kind, value)?,
            };
            Ok(Adjustment::Set { column, of, value })
        }
        _ => Err("write `place UNIT SPACE` or `set UNIT PROPERTY VALUE`".to_owned()),
    }
}

fn entry(ruleset: &Ruleset, line: &str) -> Result<Entry, String> {
    let (actor, rest) = line.split_once(": ").ok_or("a line begins with who answers, as `union: `")?;
    if actor == "agreement" {
        return read_adjustment(ruleset, rest).map(Entry::Agreement);
    }
    let (answer, question) = rest.rsplit_once('[').ok_or("a line ends with its question in brackets")?;
    let question = question.strip_suffix(']').ok_or("the bracket at the end is not closed")?;
    let answer = answer.trim();
    let (key, subject) = question.split_once(' ').unwrap_or((question, ""));
    if actor == "chance" {
        let value = answer.parse().map_err(|_| format!("`{answer}` is no roll"))?;
        let about = if subject.is_empty() { -1 } else { by_id(ruleset, Kind::Unit, subject)? };
        return Ok(Entry::Chance { purpose: key.into(), about, value });
    }
    let by = ruleset.side(actor).ok_or_else(|| format!("there is no side `{actor}`"))?;
    let asked = ruleset.questions.iter().position(|q| q.key == key);
    let asked = asked.ok_or_else(|| format!("there is no question `{key}`"))?;
    let (word, name) = answer.split_once(' ').unwrap_or((answer, ""));
    let verb = ruleset.verb(word).ok_or_else(|| format!("there is no verb `{word}`"))?;
    let value = match ruleset.verbs[verb].takes {
        None => -1,
        Some(kind) => by_id(ruleset, kind, name)?,
    };
    let about = match ruleset.questions[asked].about {
        _ if subject.is_empty() => About::Nothing,
        Some(Kind::Unit) => About::Unit(by_id(ruleset, Kind::Unit, subject)?),
        Some(Kind::Space) => About::Space(by_id(ruleset, Kind::Space, subject)?),
        Some(Kind::Card) => About::Card(by_id(ruleset, Kind::Card, subject)?),
        Some(Kind::Side) => About::Side(by_id(ruleset, Kind::Side, subject)?),
        _ => return Err(format!("question `{key}` is about nothing")),
    };
    Ok(Entry::Side { by, key: asked as u16, about, action: Action { verb: verb as u16, value } })
}

fn by_id(ruleset: &Ruleset, kind: Kind, id: &str) -> Result<i32, String> {
    let found = match kind {
        Kind::Unit => ruleset.unit(id),
        Kind::Side => ruleset.side(id),
        Kind::Space => ruleset.map.find(id).map(|s| s.0 as i32),
        Kind::Card => ruleset.cards.iter().position(|c| c.id == id).map(|at| at as i32),
        Kind::Symbol(list) => {
            ruleset.schema.symbols[list as usize].values.iter().position(|v| v == id).map(|at| at as i32)
        }
        _ => id.parse().ok(),
    };
    found.ok_or_else(|| format!("there is no {} `{id}`", kind.words().trim_start_matches("a ")))
}

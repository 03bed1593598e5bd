//! The head of a record: which game it is of, made with which content, and how the table was laid.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use super::record::{plain, word};
use crate::ruleset::Ruleset;

/// The format of every record that is written.
const FORMAT: u8 = 3;
/// From this format on, what chance draws is written by its name, and hashes are of names; before it both are of numbers
/// that other versions of a game may count otherwise, so older hashes are passed over.
pub(super) const NAMES_DRAWN: u8 = 3;
/// The oldest format, whose header has neither seats nor parts of the content.
const OLDEST: u8 = 1;
/// Lines that name parts of the content are no longer than this.
const WIDTH: usize = 100;

/// What stands above the answers of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordHeader {
    /// The format it was read in; what is written is of the newest.
    pub format: u8,
    /// `game@version`.
    pub game: String,
    /// Single values changed on top of the version.
    pub set: Vec<(String, String)>,
    /// The scenario's short name.
    pub scenario: String,
    /// The seed.
    pub seed: u64,
    /// Who decides for each side, both by their short names; empty in older records.
    pub seats: Vec<(String, String)>,
    /// Whether people roll dice of their own.
    pub own_dice: bool,
    /// Whether anything may be taken back, dice and the opponent's answers included.
    pub analysis: bool,
    /// The parts of the content that it was made with, and the hash of each; empty in older records.
    pub content: BTreeMap<String, u32>,
}

impl RecordHeader {
    /// The header of a game that begins now, with nobody seated yet.
    pub fn new(ruleset: &Ruleset, set: &[(String, String)], scenario: &str, seed: u64) -> RecordHeader {
        RecordHeader {
            format: FORMAT,
            game: ruleset.full_name(),
            set: set.to_vec(),
            scenario: scenario.to_owned(),
            seed,
            content: ruleset.parts_played(scenario),
            ..RecordHeader::default()
        }
    }

    /// The parts of the game that are not what they were when the record was made; `None` where it does not say what
    /// they were.
    pub fn changed(&self, ruleset: &Ruleset) -> Option<Vec<String>> {
        let now = ruleset.parts_played(&self.scenario);
        let names: BTreeSet<&String> = self.content.keys().chain(now.keys()).collect();
        let differs = |name: &&String| self.content.get(*name) != now.get(*name);
        (!self.content.is_empty()).then(|| names.into_iter().filter(differs).cloned().collect())
    }

    /// Whether hashes of the state are of its names, and can be compared.
    pub fn has_hashes_of_names(&self) -> bool {
        self.format >= NAMES_DRAWN
    }

    /// Reads the first line of a record: its format.
    pub(super) fn begins(line: &str) -> Result<u8, String> {
        let Some(format) = line.trim_end().strip_prefix("march ") else {
            return Err(format!("line 1: this is not a record: it does not begin with `march {FORMAT}`"));
        };
        let known = format.parse().ok().filter(|known| (OLDEST..=FORMAT).contains(known));
        known.ok_or_else(|| {
            let reads = format!("this program reads `march {OLDEST}` to `march {FORMAT}`");
            format!("line 1: this record is of format `march {format}`; {reads}")
        })
    }

    /// Reads one line. `false` at the end of the header.
    pub(super) fn read(&mut self, line: &str, given: &mut Vec<String>) -> Result<bool, String> {
        if line == "---" {
            let missing = ["game", "scenario", "seed"].into_iter().find(|key| !given.iter().any(|g| g == key));
            return missing.map_or(Ok(false), |key| Err(format!("the header above does not say its `{key}`")));
        }
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let is_list = matches!(key, "set" | "seat" | "content");
        if !is_list && given.iter().any(|g| g == key) {
            return Err(format!("`{key}` is given twice"));
        }
        given.push(key.to_owned());
        let pair = || value.split_once('=').map(|(a, b)| (plain(a), plain(b)));
        match key {
            "game" => self.game = plain(value),
            "scenario" => self.scenario = plain(value),
            "seed" => self.seed = value.parse().map_err(|_| format!("`{value}` is no seed"))?,
            "set" => self.set.push(pair().ok_or("write `set path=value`")?),
            "seat" => self.seats.push(pair().ok_or("write `seat side=human`")?),
            "dice" if value == "ask" => self.own_dice = true,
            "dice" => return Err(format!("`dice ask` may stand in a header, not `dice {value}`")),
            "undo" if value == "anything" => self.analysis = true,
            "undo" => return Err(format!("`undo anything` may stand in a header, not `undo {value}`")),
            // Older records keep one hash of everything, which cannot say what has changed.
            "content" if !value.contains('=') => (),
            "content" => {
                for part in value.split(' ') {
                    let read = part.split_once('=').and_then(|(n, h)| Some((n, u32::from_str_radix(h, 16).ok()?)));
                    let (name, hash) = read.ok_or_else(|| format!("`{part}` is no part of a game and its hash"))?;
                    self.content.insert(plain(name), hash);
                }
            }
            other => return Err(format!("`{other}` is not known in the header of a record")),
        }
        Ok(true)
    }
}

/// The header as it stands in the file, with its last line end.
impl fmt::Display for RecordHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "march {FORMAT}\ngame {}", word(&self.game))?;
        for (path, value) in &self.set {
            writeln!(f, "set {}={}", word(path), word(value))?;
        }
        writeln!(f, "scenario {}\nseed {}", word(&self.scenario), self.seed)?;
        for (side, seat) in &self.seats {
            writeln!(f, "seat {}={}", word(side), word(seat))?;
        }
        if self.own_dice {
            writeln!(f, "dice ask")?;
        }
        if self.analysis {
            writeln!(f, "undo anything")?;
        }
        let mut line = String::new();
        for (name, hash) in &self.content {
            let part = format!(" {}={hash:08x}", word(name));
            if line.len() + part.len() > WIDTH {
                writeln!(f, "content{line}")?;
                line.clear();
            }
            line.push_str(&part);
        }
        if !line.is_empty() {
            writeln!(f, "content{line}")?;
        }
        writeln!(f, "---")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::read_record;

    #[test]
    fn what_is_written_is_read_whatever_the_names() {
        let nasty = ["a\n---\nunion: done  [x]", "#", "a=b", "100%", "%41", " ", "a]\u{2028}[\u{7f}", "é"];
        for name in nasty {
            let header = RecordHeader {
                format: FORMAT,
                game: format!("{name}@base"),
                set: vec![(name.to_owned(), name.to_owned()), ("tables/crt/+3".to_owned(), "a=b c".to_owned())],
                scenario: name.to_owned(),
                seed: u64::MAX,
                seats: vec![(name.to_owned(), "human".to_owned())],
                own_dice: true,
                analysis: true,
                content: (0..20).map(|n| (format!("rules/{name}{n}"), n)).collect(),
            };
            let text = header.to_string();
            let read = read_record(&text).unwrap_or_else(|wrong| panic!("{name:?}: {wrong}\n{text}"));
            assert_eq!((&read.header, read.header_lines), (&header, text.lines().count()), "{text}");
            assert!(read.lines.is_empty());
        }
    }

    #[test]
    fn a_header_must_be_whole_and_say_each_thing_once() {
        for (text, wrong) in [
            ("", "the file is empty"),
            ("march 9\n", "line 1: this record is of format `march 9`"),
            ("game a\n", "line 1: this is not a record"),
            ("march 2\ngame a\nscenario b\nseed 1\n", "no `---`"),
            ("march 2\ngame a\nscenario b\n---\n", "line 4: the header above does not say its `seed`"),
            ("march 2\ngame a\ngame b\n", "line 3: `game` is given twice"),
            ("march 2\ncontent rows=xyz\n", "line 2: `rows=xyz` is no part of a game and its hash"),
            ("march 2\nweather fair\n", "line 2: `weather` is not known"),
        ] {
            let read = read_record(text).expect_err(text);
            assert!(read.contains(wrong), "{text:?}: {read}");
        }
    }
}

//! Trials as rows of a file that pandas, Polars and DuckDB read: two a pair, in the order of seeds, the same bytes however
//! they were played. `README.md` says what each column holds.

use std::io::{self, Read, Write};

use xxhash_rust::xxh3::xxh3_64;

use super::comparison::{Comparison, Exercise, Pair, Pairs};

/// The columns before those of what is measured.
pub(super) const FIXED: [&str; 9] =
    ["comparison", "pair", "version", "outcome", "exercise", "parted", "rolls", "shared", "wrong"];

/// What stands for each of two versions.
pub(super) const VERSIONS: [&str; 2] = ["A", "B"];

/// What rows of one comparison have in common.
#[derive(Debug, Clone)]
pub struct Columns {
    /// What the comparison is known by: content of both versions, scenario, players, whether there are pairs.
    pub key: String,
    /// What is measured, by its name.
    pub measures: Vec<String>,
    /// Which of that is yes or no of every game, in the same order.
    pub are_shares: Vec<bool>,
}

/// Why a file cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum TrialsError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It holds something else.
    #[error("it holds {0}: name another file, and nothing is written to this one")]
    Foreign(&'static str),
    /// A line of it is none of ours.
    #[error("line {line}{}: {what}", of_cell(column.as_ref()))]
    Line {
        /// Which.
        line: u64,
        /// The column, by its number from 1 and its name, where one cell is wrong.
        column: Option<(usize, String)>,
        /// What is wrong with it.
        what: String,
    },
}

fn of_cell(column: Option<&(usize, String)>) -> String {
    column.map(|(number, name)| format!(", column {number} (`{name}`)")).unwrap_or_default()
}

impl TrialsError {
    /// A cell holds something else than it may: one of the column at this place, counted from 0.
    pub(super) fn cell(row: &csv::StringRecord, column: usize, name: &str, what: &str) -> TrialsError {
        let line = row.position().map_or(0, csv::Position::line);
        let what = format!("`{}` is {what}", row.get(column).unwrap_or(""));
        TrialsError::Line { line, column: Some((column + 1, name.to_owned())), what }
    }

    /// What a cell of something that is measured holds.
    ///
    /// # Errors
    /// It is no whole number, or of a share, which is yes or no of every game, neither 1 nor 0: more would make shares of more
    /// than all games.
    pub(super) fn measured(
        row: &csv::StringRecord,
        column: usize,
        name: &str,
        is_share: bool,
    ) -> Result<i32, TrialsError> {
        let value = row.get(column).unwrap_or("").parse::<i32>();
        let value = value.map_err(|_| TrialsError::cell(row, column, name, "no whole number"))?;
        match is_share && !(0..=1).contains(&value) {
            true => Err(TrialsError::cell(row, column, name, "neither 1 nor 0")),
            false => Ok(value),
        }
    }
}

impl From<csv::Error> for TrialsError {
    fn from(wrong: csv::Error) -> TrialsError {
        let line = wrong.position().map_or(0, csv::Position::line);
        match wrong.into_kind() {
            csv::ErrorKind::Io(wrong) => TrialsError::Io(wrong),
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                let what = format!("it has {len} cells, and there are {expected_len} columns");
                TrialsError::Line { line, column: None, what }
            }
            _ => TrialsError::Line { line, column: None, what: "it is not text".into() },
        }
    }
}

impl Columns {
    /// Those of a comparison.
    pub fn of(pairs: &Pairs, comparison: &Comparison) -> Columns {
        let mut all = format!("{} {} {:?}", env!("CARGO_PKG_VERSION"), pairs.is_paired, pairs.players);
        for (ruleset, scenario) in pairs.versions.iter().zip(pairs.scenarios) {
            let scenario = &ruleset.scenarios[scenario].id;
            // Parts are what play depends on; the ruleset's players are none of them.
            let players: Vec<(&str, u32)> = ruleset.judgements.iter().map(|p| (&*p.name, p.hash)).collect();
            all += &format!("\n{scenario} {:?} {players:?}", ruleset.parts_played(scenario));
        }
        let measures = comparison.gauges.iter().map(|gauge| gauge.id.clone()).collect();
        let are_shares = comparison.gauges.iter().map(|gauge| gauge.is_share).collect();
        Columns { key: format!("{:016x}", xxh3_64(all.as_bytes())), measures, are_shares }
    }

    pub(super) fn header(&self) -> impl Iterator<Item = &str> {
        FIXED.into_iter().chain(self.measures.iter().map(String::as_str))
    }

    /// Writes the line that names the columns.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_header(&self, to: impl Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(to);
        writer.write_record(self.header())?;
        writer.flush()
    }

    /// Writes the two rows of a pair.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(&self, pair: &Pair, to: impl Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(to);
        for at in [0, 1] {
            let fixed = [
                self.key.clone(),
                pair.seed.to_string(),
                VERSIONS[at].to_owned(),
                pair.outcomes[at].clone(),
                pair.exercise.key(),
                pair.parted.map_or_else(String::new, |parted| parted.to_string()),
                pair.rolls[at].to_string(),
                pair.shared.to_string(),
                // One row is one line, for whoever reads it line by line.
                pair.wrong.as_deref().unwrap_or("").replace(['\n', '\r'], " "),
            ];
            let values = pair.values.iter().map(|values| values[at].to_string());
            writer.write_record(fixed.into_iter().chain(values))?;
        }
        writer.flush()
    }

    /// Reads the pairs of a file that [`Columns::write`] has written, as far as they are whole, and says where the last of
    /// them ends. What follows is what was being written when the program was killed.
    ///
    /// # Errors
    /// It holds something else than pairs of this comparison.
    pub fn read(&self, from: impl Read, mut each: impl FnMut(Pair)) -> Result<u64, TrialsError> {
        let mut reader = csv::Reader::from_reader(from);
        let header = reader.headers()?;
        if !header.iter().eq(self.header()) {
            return Err(TrialsError::Foreign("no trials, or trials with other columns"));
        }
        let mut end = reader.position().byte();
        let mut records = reader.into_records();
        while let Some(first) = records.next() {
            let first = first?;
            if first.get(0) != Some(&self.key) {
                return Err(TrialsError::Foreign("trials of another comparison"));
            }
            let Some(second) = records.next() else { break };
            each(self.pair([&first, &second?])?);
            end = records.reader().position().byte();
        }
        Ok(end)
    }

    /// Which comparison the trials of a file are of, and with which seed they begin; nothing of a file without any.
    ///
    /// # Errors
    /// It cannot be read, or holds something else than trials.
    pub fn begins(from: impl Read) -> Result<Option<(String, u64)>, TrialsError> {
        let mut reader = csv::Reader::from_reader(from);
        if !reader.headers()?.iter().take(FIXED.len()).eq(FIXED) {
            return Err(TrialsError::Foreign("no trials"));
        }
        let mut first = csv::StringRecord::new();
        // What was killed in its first row holds none.
        if !reader.read_record(&mut first).unwrap_or(false) {
            return Ok(None);
        }
        let seed = first.get(1).and_then(|seed| seed.parse().ok());
        Ok(first.get(0).map(str::to_owned).zip(seed))
    }

    fn pair(&self, rows: [&csv::StringRecord; 2]) -> Result<Pair, TrialsError> {
        let cell = |row: usize, column: usize| rows[row].get(column).unwrap_or("");
        let wrong = |row: usize, column: usize, what: &str| {
            TrialsError::cell(rows[row], column, self.header().nth(column).unwrap_or(""), what)
        };
        let number = |row: usize, column: usize| {
            cell(row, column).parse::<u64>().map_err(|_| wrong(row, column, "no number of 64 bits"))
        };
        let both = (cell(0, 1) == cell(1, 1)) && [0, 1].map(|row| cell(row, 2)) == VERSIONS;
        if !both {
            let line = rows[0].position().map_or(0, csv::Position::line);
            return Err(TrialsError::Line { line, column: None, what: "it does not begin a pair of A and B".into() });
        }
        let exercise = Exercise::ALL.into_iter().find(|exercise| exercise.key() == cell(0, 4));
        let parted = Some(cell(0, 5)).filter(|parted| !parted.is_empty());
        let value = |row: usize, at: usize| {
            let is_share = self.are_shares.get(at).copied().unwrap_or(false);
            TrialsError::measured(rows[row], FIXED.len() + at, &self.measures[at], is_share)
        };
        let values = (0..self.measures.len()).map(|at| Ok([value(0, at)?, value(1, at)?]));
        Ok(Pair {
            seed: number(0, 1)?,
            outcomes: [0, 1].map(|row| cell(row, 3).to_owned()),
            values: values.collect::<Result<_, TrialsError>>()?,
            exercise: exercise.ok_or_else(|| wrong(0, 4, "nothing that becomes of a difference"))?,
            parted: parted.map(|parted| parted.parse().map_err(|_| wrong(0, 5, "no answer"))).transpose()?,
            rolls: [number(0, 6)?, number(1, 6)?],
            shared: number(0, 7)?,
            wrong: Some(cell(0, 8)).filter(|wrong| !wrong.is_empty()).map(str::to_owned),
        })
    }
}

//! What is measured of every game: who wins, what the ruleset measures, how long it took.

use std::collections::BTreeSet;

use crate::{
    play::{Game, Reading, Readings},
    ruleset::{Cite, Kind, MeasureLine, Provenance, Ruleset, Sense},
};

/// Something that is measured of every game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gauge {
    /// Its name, from the general to the particular: `wins.union`, `points.union`, `points.objectives.union`,
    /// `losses.corps.iii.union`, `points.union.check.14`, `turns`.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// What it is counted in; empty where nobody says.
    pub unit: String,
    /// Which way is better for its side.
    pub sense: Sense,
    /// Whether it is yes or no of a game, and told in percent of the games.
    pub is_share: bool,
    /// The side it is of, by its short name; empty where it is of the game.
    pub side: String,
    /// In which turn it is read, where it is read on the way.
    pub turn: Option<i32>,
    /// Whether all that it looks at on counters and spaces is printed in a source.
    pub is_printed: bool,
    /// Whether any of it was invented or inferred.
    pub is_made_up: bool,
    /// The paragraph it goes by; nothing where the engine counts it itself.
    pub cite: Option<Cite>,
    of: Of,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Wins(i32),
    Draws,
    Measure(usize, i32),
    Line(usize, usize, i32),
    Value(usize, i32, i32),
    Read(Reading),
    Asserted(usize),
    /// How many turns, of which this is the first.
    Turns {
        first: i32,
    },
    Decisions,
}

impl Gauge {
    /// All that can be measured of a version's games of a scenario: who wins, the ruleset's measures side by side, line by
    /// line, divided, and read on the way, how long they are.
    pub fn all(ruleset: &Ruleset, scenario: usize) -> Vec<Gauge> {
        let mut all = Vec::new();
        for side in ruleset.players() {
            let mut wins = whole("wins", "wins", "", true, Of::Wins(side));
            wins.sense = Sense::More;
            all.push(wins.of_side(ruleset, side));
        }
        all.push(whole("draws", "nobody wins, or several do", "", true, Of::Draws));
        for at in 0..ruleset.measures.len() {
            of_measure(ruleset, at, &mut all);
        }
        let turns = ruleset.scenarios.get(scenario).map_or((1, 0), |scenario| scenario.turns);
        let last = ruleset.sequence.last_turn(turns.1);
        for reading in Reading::all(ruleset, turns.0..=last) {
            all.push(of_reading(ruleset, reading));
        }
        for (at, assertion) in ruleset.scenarios.get(scenario).iter().flat_map(|s| s.asserted.iter()).enumerate() {
            let mut gauge = whole("", &assertion.says, "", true, Of::Asserted(at));
            (gauge.id, gauge.sense) = (format!("asserted.{}", assertion.id), Sense::More);
            gauge.is_printed = looks_printed(ruleset, &assertion.looks_at);
            all.push(gauge);
        }
        all.push(whole("turns", "game turns played", "turns", false, Of::Turns { first: turns.0 }));
        all.push(whole("decisions", "decisions", "decisions", false, Of::Decisions));
        all
    }

    /// One by its name alone, for tests of what is done with figures.
    #[cfg(test)]
    pub(super) fn called(id: &str, is_share: bool) -> Gauge {
        whole(id, id, "", is_share, Of::Turns { first: 1 })
    }

    fn of_side(mut self, ruleset: &Ruleset, side: i32) -> Gauge {
        self.side = ruleset.id_of(Kind::Side, side);
        self.id = format!("{}.{}", self.id, self.side);
        self.title = format!("{}: {}", self.side, self.title);
        self
    }

    /// What people call it, with a dagger where not all it looks at is printed.
    pub fn marked_title(&self) -> String {
        format!("{}{}", self.title, if self.is_printed { "" } else { Provenance::Reconstructed.dagger() })
    }

    /// Whether it is a side's whole sum of the ruleset's first measure, which is what most games are won by.
    pub(super) fn is_score(&self) -> bool {
        matches!(self.of, Of::Measure(0, _))
    }

    /// Whether it tells of a whole game, and not of a part of it or on the way.
    pub(super) fn is_whole(&self) -> bool {
        !matches!(self.of, Of::Line(..) | Of::Value(..) | Of::Read(_))
    }

    /// Whether it tells how the game went, and not only how long it took to play.
    pub(super) fn is_of_the_game(&self) -> bool {
        self.of != Of::Decisions
    }

    /// What it comes to in a game that is over. What was to be read at a place that play never came to stands as it
    /// ended.
    pub(super) fn read(&self, game: &Game, readings: &Readings, decisions: u32) -> i32 {
        let winners = game.outcome().map_or(&[][..], |outcome| &outcome.winners);
        match self.of {
            Of::Wins(side) => i32::from(winners == [side]),
            Of::Draws => i32::from(winners.len() != 1),
            Of::Measure(measure, side) => game.measure(measure, side),
            Of::Line(measure, line, side) => game.measure_line(measure, line, side),
            Of::Value(measure, value, side) => game.measure_of_value(measure, side, value),
            Of::Read(reading) => readings.get(reading).unwrap_or_else(|| reading.of(game)),
            Of::Asserted(assertion) => i32::from(readings.is_kept(assertion, game)),
            Of::Turns { first } => game.turn() - first + 1,
            Of::Decisions => decisions as i32,
        }
    }
}

/// Something that the engine counts itself, of the game and of no side.
fn whole(id: &str, title: &str, unit: &str, is_share: bool, of: Of) -> Gauge {
    Gauge {
        id: id.to_owned(),
        title: title.to_owned(),
        unit: unit.to_owned(),
        sense: Sense::Neither,
        is_share,
        side: String::new(),
        turn: None,
        is_printed: true,
        is_made_up: false,
        cite: None,
        of,
    }
}

/// What a measure comes to at the end, whole, line by line and divided.
fn of_measure(ruleset: &Ruleset, at: usize, all: &mut Vec<Gauge>) {
    let measure = &ruleset.measures[at];
    let one = |id: String, title: String, cite, of| Gauge {
        id,
        title,
        unit: measure.unit.clone(),
        sense: measure.sense,
        is_share: measure.is_condition,
        side: String::new(),
        turn: None,
        is_printed: measure.lines.iter().all(|line| is_printed(ruleset, line)),
        is_made_up: measure.lines.iter().any(|line| is_made_up(ruleset, line)),
        cite,
        of,
    };
    let sides = || ruleset.players();
    let cite = measure.lines.first().map(|line| line.cite).filter(|_| measure.lines.len() == 1);
    for side in sides() {
        let whole = one(measure.id.clone(), measure.title.clone(), cite, Of::Measure(at, side));
        all.push(whole.of_side(ruleset, side));
    }
    for (number, line) in measure.lines.iter().enumerate().filter(|_| measure.lines.len() > 1) {
        for side in sides() {
            let (id, title) = (format!("{}.{}", measure.id, line.id), line.say.clone());
            all.push(one(id, title, Some(line.cite), Of::Line(at, number, side)).of_side(ruleset, side));
        }
    }
    let Some(attribute) = measure.by.map(|by| &ruleset.attributes[by]) else { return };
    let Kind::Symbol(list) = attribute.kind else { return };
    for (value, named) in (0..).zip(&ruleset.schema.symbols[usize::from(list)].values) {
        for side in sides() {
            let id = format!("{}.{}.{named}", measure.id, attribute.name);
            let title = format!("{}, {} {named}", measure.title, attribute.name);
            all.push(one(id, title, cite, Of::Value(at, value, side)).of_side(ruleset, side));
        }
    }
}

/// Where the values of these attributes come from.
fn from_of<'r>(ruleset: &'r Ruleset, attributes: &'r BTreeSet<u16>) -> impl Iterator<Item = Provenance> + 'r {
    attributes.iter().flat_map(|at| &ruleset.attributes[usize::from(*at)].from).copied()
}

/// Whether a line looks at printed values alone.
fn is_printed(ruleset: &Ruleset, line: &MeasureLine) -> bool {
    looks_printed(ruleset, &line.looks_at)
}

/// Whether all values of these attributes are printed.
fn looks_printed(ruleset: &Ruleset, attributes: &BTreeSet<u16>) -> bool {
    from_of(ruleset, attributes).all(|from| from == Provenance::Printed)
}

/// Whether any value that a line looks at was invented or inferred.
fn is_made_up(ruleset: &Ruleset, line: &MeasureLine) -> bool {
    from_of(ruleset, &line.looks_at).any(|from| matches!(from, Provenance::Invented | Provenance::Inferred))
}

fn of_reading(ruleset: &Ruleset, reading: Reading) -> Gauge {
    let measure = &ruleset.measures[reading.measure];
    let place = &ruleset.sequence.places[reading.place];
    let line = reading.line.map(|line| &measure.lines[line]);
    let id = line.map_or_else(|| measure.id.clone(), |line| format!("{}.{}", measure.id, line.id));
    let title = line.map_or(&measure.title, |line| &line.say);
    // Where it is read at one place of the turn, that goes without saying.
    let at = line.map_or(&measure.at, |line| &line.at);
    let is_elsewhere = at.iter().any(|other| other.place != reading.place);
    let place_told = if is_elsewhere { format!(" ({})", place.title) } else { String::new() };
    let mut gauge = Gauge {
        id,
        title: format!("{title}, {}{place_told}", ruleset.turn_name(reading.turn)),
        unit: measure.unit.clone(),
        sense: measure.sense,
        is_share: measure.is_condition,
        side: String::new(),
        turn: Some(reading.turn),
        is_printed: line.map_or(&*measure.lines, std::slice::from_ref).iter().all(|line| is_printed(ruleset, line)),
        is_made_up: line.map_or(&*measure.lines, std::slice::from_ref).iter().any(|line| is_made_up(ruleset, line)),
        cite: line.or(measure.lines.first()).map(|line| line.cite),
        of: Of::Read(reading),
    }
    .of_side(ruleset, reading.side);
    gauge.id = format!("{}.{}.{}", gauge.id, place.name, reading.turn);
    gauge
}

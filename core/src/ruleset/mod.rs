//! Everything printed: units, tables, the sequence of play, scenarios, amendments. Read, checked, and then constant.

mod amendment;
mod arrivals;
mod asked;
mod asserted;
mod automaton;
mod board;
mod circles;
mod contacts;
mod content;
mod defined;
mod difference;
mod edit;
mod faults;
mod ids;
mod keys;
mod kind;
mod load;
mod looks;
mod marks;
mod measures;
mod modes;
mod movers;
mod names;
mod offers;
mod path;
mod players;
mod printed;
mod ranking;
mod reading;
pub mod rows;
mod rulebook;
mod rules;
mod scenario;
mod sequence;
mod sets;
mod sights;
mod state;
mod steps;
mod symbols;
mod tables;
mod texts;
mod units;
mod variant;
mod verbs;
mod version;
mod watched;

use std::{
    collections::BTreeMap,
    ops::RangeInclusive,
    sync::{Arc, Weak},
};

pub use amendment::{Amendment, AmendmentKind, Nature, Without};
pub use arrivals::Arrivals;
pub use asserted::Assertion;
pub use automaton::{KnownAutomata, Marked, MarkedKinds, Marking, Relaxed};
pub use board::{Badge, Looked, Shown, Shows, Strength, Track};
pub use contacts::{Contact, Retreating};
pub use difference::{Difference, Differences, Group, RuleDifference, Stands};
pub use edit::{Edit, EditKind, Where, edits};
pub use faults::lay as lay_faults;
pub use keys::{Keys, joined, mixed};
pub use kind::Kind;
pub use load::{Loaded, Selection, available};
pub use looks::{Color, Sign};
pub use marks::{Mark, each_count};
pub use measures::{Measure, MeasureLine, ReadAt, Sense, Victory};
pub use modes::{ChangeRow, Chosen, ModeSymbols};
pub use movers::{Mover, PlusRow, Points, RefusesEnds, StepRow};
pub use offers::{Before, Maker, OwnOffer, Taken, Taking};
pub use players::{Judgement, Weight, Worth};
pub use printed::{Headings, PrintedTable};
pub use ranking::{Balance, Ranked, Ranking};
pub use rulebook::{Carrier, Entry as RulebookEntry, Rulebook};
pub use scenario::{Scenario, Setup};
pub use sequence::{PlaceOfPlay, Sequence, Step};
pub use sets::NamedSet;
pub use sights::KnownSights;
pub use state::{Attribute, Column, Holder, Lifetime, Part, Property, RecordKind, Schema, Seen};
pub use steps::{Baked, BakedStep, When};
pub use symbols::Symbols;
pub use texts::{Blank, MEANING, Note, Text, blanks};
pub use units::{Card, Unit};
pub use variant::{Variant, reweighed};
pub use verbs::QuestionText;
pub use version::VersionName;
pub use watched::{Invariant, Standing};

use crate::{
    diagnostic::{Diagnostics, suggest},
    kept::Kept,
    map::Map,
    yaml::Node,
};

/// Where a datum comes from. What is not printed is marked wherever it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Provenance {
    /// Stands in a source.
    #[default]
    Printed,
    /// Follows from a source; the reason is given.
    Inferred,
    /// Told by people who own the game.
    Reported,
    /// Read off the ground.
    Survey,
    /// Worked out by a stated method.
    Reconstructed,
    /// Made up so that the game can be played.
    Invented,
    /// Typed in by an owner of the game.
    Entered,
}

impl Provenance {
    const NAMES: [(&'static str, Provenance); 7] = [
        ("printed", Provenance::Printed),
        ("inferred", Provenance::Inferred),
        ("reported", Provenance::Reported),
        ("survey", Provenance::Survey),
        ("reconstructed", Provenance::Reconstructed),
        ("invented", Provenance::Invented),
        ("entered", Provenance::Entered),
    ];

    /// Reads it; nothing written means printed.
    pub fn read(node: Option<&Node>, found: &mut Diagnostics) -> Provenance {
        let Some(node) = node else { return Provenance::Printed };
        let text = node.as_text(found);
        let known = Provenance::NAMES.iter().find(|(n, _)| *n == text);
        known.map_or_else(
            || {
                let help = suggest(&text, Provenance::NAMES.iter().map(|(n, _)| *n));
                found.error("unknown-name", &node.span, format!("`{text}` is not a provenance"), help);
                Provenance::Invented
            },
            |(_, p)| *p,
        )
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        Provenance::NAMES.iter().find(|(_, p)| *p == self).map_or("", |(n, _)| n)
    }

    /// A dagger where the value is not printed, nothing where it is.
    pub fn dagger(self) -> &'static str {
        if self == Provenance::Printed { "" } else { "\u{2020}" }
    }
}

/// A paragraph of the rulebook, by its place in [`Rulebook::entries`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cite(pub u16);

impl Cite {
    /// Where nothing is cited: adjustments by agreement, setups of examples.
    pub const NONE: Cite = Cite(u16::MAX);
}

/// A side of the game.
#[derive(Debug, Clone)]
pub struct Side {
    /// Short name.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The color of its counters.
    pub color: Color,
    /// Whether it takes no part: an umpire, who sees everything, may be asked, and wins nothing.
    pub neutral: bool,
}

/// A printed place off the map.
#[derive(Debug, Clone)]
pub struct HoldingBox {
    /// Short name.
    pub id: String,
    /// What people call it.
    pub name: String,
}

/// Something one may answer, declared once.
#[derive(Debug, Clone)]
pub struct Verb {
    /// The word people type.
    pub id: String,
    /// What it takes: nothing, one thing, or two, of which the second is offered given the first.
    pub takes: Vec<Kind>,
    /// What it means, for help.
    pub says: String,
    /// Other words for it.
    pub also: Vec<String>,
    /// Whether it ends a part of the turn: people are asked once more while something is left to do.
    pub ends: bool,
    /// Places of the sequence where it may be asked, for `why`; empty means anywhere.
    pub at: Vec<String>,
    /// Guards that say why not where no question offers it, given what it takes: index of the rows.
    pub guards: Option<usize>,
    /// What those places are cited as.
    pub cite: Cite,
}

impl Verb {
    /// No verb takes more things.
    pub const MOST_TAKEN: usize = 2;
}

/// What chance is asked for, in words, for people with dice and cards of their own.
#[derive(Debug, Clone)]
pub struct ChanceText {
    /// The purpose that rules give: `combat`.
    pub purpose: String,
    /// What is said where a die is rolled; `{about}` stands for the counter.
    pub roll: Option<String>,
    /// What is said where one of several things is drawn.
    pub draw: Option<String>,
    /// What kind of thing is drawn.
    pub draws: Option<Kind>,
    /// What kind of thing it is about, if it is about something; a unit, unless it says otherwise.
    pub about: Kind,
    /// Whether people look before it is rolled in their turn: a battle.
    pub look: bool,
    /// The units that are named with the one it is about; given that unit, and the other.
    pub together: Option<rows::Expr>,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// A reading of the text that can be chosen.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Short name.
    pub id: String,
    /// What may be chosen.
    pub values: Vec<String>,
    /// What each choice means, in the same order.
    pub says: Vec<String>,
    /// What is chosen in this version.
    pub value: String,
    /// What is chosen unless something says otherwise.
    pub default: String,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// A rule of the ruleset: a named Luau function.
#[derive(Debug, Clone)]
pub struct Rule {
    /// `module.function`.
    pub name: String,
    /// Where it stands in the rulebook.
    pub cite: Cite,
    /// File and line.
    pub at: (String, usize),
    /// The sentence above it.
    pub says: String,
    /// Where those stand that it was put in place of, the latest last.
    pub instead: Vec<(String, usize)>,
    /// Questions one of which is asked before it is carried out, by their numbers.
    pub asks: Vec<u16>,
}

/// A rule by its place in [`Ruleset::rules`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleId(pub u16);

/// One game's content in one version, checked and ready to play.
#[derive(Debug)]
pub struct Ruleset {
    /// Short name.
    pub id: String,
    /// Title.
    pub title: String,
    /// The version these tables are of.
    pub version: VersionName,
    /// One paragraph about it.
    pub about: String,
    /// Designer and the like.
    pub credits: Vec<String>,
    /// The map.
    pub map: Arc<Map>,
    /// What has been worked out from the texts of its library, for as long as that is there.
    kept: Weak<Kept>,
    /// Sides, in the order of the sequence.
    pub sides: Vec<Side>,
    /// What each game turn is called, from the first; may be empty.
    pub turns: Vec<String>,
    /// Boxes off the map.
    pub boxes: Vec<HoldingBox>,
    /// Types of unit.
    pub types: Vec<String>,
    /// For each type, how the ratings on its counters are written, e.g. `{strength}-{quality}-{movement}`.
    pub faces: Vec<String>,
    /// For each type, what the sign on its counters is put together from; nothing for an empty frame.
    pub signs: Vec<Vec<Sign>>,
    /// Counters, as the sheet is sorted.
    pub units: Vec<Unit>,
    /// Cards, as numbered.
    pub cards: Vec<Card>,
    /// Printed attributes of units, sides and cards.
    pub attributes: Vec<Attribute>,
    /// What the game remembers.
    pub schema: Schema,
    /// Lists read row by row.
    pub rows: Vec<rows::Rows>,
    /// Named expressions.
    pub terms: Vec<rows::Term>,
    /// Zones of control and the like.
    pub zones: Vec<rows::Zone>,
    /// Sets that it names.
    pub sets: Vec<NamedSet>,
    /// Lines of sight.
    pub sights: Vec<rows::Sighting>,
    /// Tables looked up by column and row.
    pub tables: Vec<PrintedTable>,
    /// How the order of appearance is shown.
    pub arrivals: Arrivals,
    /// What a board of text shows besides counters and ground.
    pub board: Shown,
    /// What a side's fortunes are counted by.
    pub measures: Vec<Measure>,
    /// How one wins.
    pub victory: Vec<Victory>,
    /// What this game calls spaces it prints something on, by their numbers.
    pub space_names: BTreeMap<i32, String>,
    /// The attributes of units by which long lists of them are grouped.
    pub formations: Vec<usize>,
    /// How things move.
    pub movers: Vec<Mover>,
    /// How things retreat.
    pub retreats: Vec<Retreating>,
    /// Who must fight whom.
    pub contacts: Vec<Contact>,
    /// What one may answer.
    pub verbs: Vec<Verb>,
    /// Texts of questions.
    pub questions: Vec<QuestionText>,
    /// Texts of what chance is asked for.
    pub chances: Vec<ChanceText>,
    /// What rules tell, in the order of their keys.
    pub notes: Vec<Note>,
    /// What the engine tells, by number of the text.
    pub texts: Vec<String>,
    /// The sequence of play.
    pub sequence: Sequence,
    /// Rules carried out at the end of every task while their condition holds.
    pub standing: Vec<Standing>,
    /// What always holds.
    pub invariants: Vec<Invariant>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// Readings in force.
    pub settings: Vec<Setting>,
    /// Changes that may be on, each behind those it comes after.
    pub amendments: Vec<Amendment>,
    /// Versions that the ruleset names, each with the amendments that are on in it.
    pub versions: Vec<(String, Vec<String>)>,
    /// Scenarios.
    pub scenarios: Vec<Scenario>,
    /// Every paragraph of the sources.
    pub rulebook: Rulebook,
    /// Rule files: path and text, those of amendments behind what they amend.
    pub sources: Vec<(String, String)>,
    /// What its players think of answers, by their names.
    pub judgements: Vec<Judgement>,
    /// How strong players were found to be, by scenario and version.
    pub ladder: Vec<Ranking>,
    /// A hash of each part that play depends on.
    pub parts: BTreeMap<String, u32>,
    /// The keys of all names.
    pub keys: Keys,
}

impl Ruleset {
    /// The game turns in which a scenario may be played.
    pub fn turns_of(&self, scenario: usize) -> RangeInclusive<i32> {
        let (first, last) = self.scenarios[scenario].turns;
        first..=self.sequence.last_turn(last)
    }

    /// `id@version`.
    pub fn full_name(&self) -> String {
        format!("{}{}", self.id, self.version)
    }

    /// The base with an amendment, with those that it needs, and with those that they need.
    pub fn version_with(&self, amendment: &str) -> VersionName {
        let mut with = vec![amendment.to_owned()];
        let mut at = 0;
        while let Some(id) = with.get(at) {
            let needs = self.amendments.iter().filter(|a| a.id == *id).flat_map(|a| &a.needs);
            let further: Vec<String> = needs.filter(|need| !with.contains(need)).cloned().collect();
            with.extend(further);
            at += 1;
        }
        VersionName { with, ..VersionName::default() }
    }

    /// The parts that play of one scenario depends on, and the hash of each.
    pub fn parts_played(&self, scenario: &str) -> BTreeMap<String, u32> {
        let is_of = |name: &str| name.strip_prefix("scenarios/").is_none_or(|other| other == scenario);
        self.parts.iter().filter(|(name, _)| is_of(name)).map(|(name, hash)| (name.clone(), *hash)).collect()
    }

    /// What a game turn is called.
    pub fn turn_name(&self, turn: i32) -> String {
        let named = usize::try_from(turn - 1).ok().and_then(|at| self.turns.get(at));
        let is_past = turn > self.sequence.last_turn(i32::MAX);
        named.cloned().unwrap_or_else(|| format!("turn {turn}{}", if is_past { ", which does not come" } else { "" }))
    }

    /// What has been worked out from the texts of its library; nothing yet, once that is gone.
    pub fn kept(&self) -> Arc<Kept> {
        self.kept.upgrade().unwrap_or_default()
    }

    /// The player of that name, by its number among [`Ruleset::judgements`].
    pub fn judgement(&self, name: &str) -> Option<usize> {
        self.judgements.iter().position(|player| player.name == name)
    }

    /// The side of that short name.
    pub fn side(&self, id: &str) -> Option<i32> {
        self.sides.iter().position(|s| s.id == id).map(|at| at as i32)
    }

    /// The sides that take part: all that are not neutral.
    pub fn players(&self) -> impl Iterator<Item = i32> + '_ {
        (0..).zip(&self.sides).filter(|(_, side)| !side.neutral).map(|(at, _)| at)
    }

    /// The counter of that short name.
    pub fn unit(&self, id: &str) -> Option<i32> {
        self.units.iter().position(|u| u.id == id).map(|at| at as i32)
    }

    /// The list of rows of that name among those read so.
    pub fn rows(&self, read: rows::Read, name: &str) -> Option<usize> {
        self.rows.iter().position(|r| r.read == read && r.name == name)
    }

    /// The rule of that name.
    pub fn rule(&self, name: &str) -> Option<RuleId> {
        self.rules.iter().position(|r| r.name == name).map(|at| RuleId(at as u16))
    }

    /// The scenario of that id, by its number.
    pub fn scenario(&self, id: &str) -> Option<usize> {
        self.scenarios.iter().position(|s| s.id == id)
    }

    /// The verb people type.
    pub fn verb(&self, word: &str) -> Option<usize> {
        self.verbs.iter().position(|v| v.id == word || v.also.iter().any(|a| a == word))
    }

    /// Whether people look before this is rolled in their turn.
    pub fn is_looked_at(&self, chance: u16) -> bool {
        self.chances[chance as usize].look
    }

    /// What chance is asked for under that purpose.
    pub fn chance(&self, purpose: &str) -> Option<u16> {
        self.chances.iter().position(|c| c.purpose == purpose).map(|at| at as u16)
    }

    /// The paragraph's id, empty for [`Cite::NONE`].
    pub fn cite(&self, cite: Cite) -> &str {
        self.rulebook.entries.get(cite.0 as usize).map_or("", |e| e.id.as_str())
    }

    /// The reading in force.
    pub fn setting(&self, id: &str) -> Option<&Setting> {
        self.settings.iter().find(|s| s.id == id)
    }
}

//! Printed lists as tables of rows, and the small language their conditions are written in.
//!
//! A condition is parsed with pest, checked against the names of the ruleset, and kept as an [`Expr`], which
//! [`crate::play`] evaluates. The tree is kept, not compiled away, because documentation and the question
//! "which columns does this row read?" need it.

mod compile;
pub mod fold;
mod ground;
mod inline;
mod likeness;
mod listed;
mod meanings;
mod parse;
mod reads;
mod sets;
mod unread;
mod walk;

pub use compile::{Compiler, FUNCTIONS, Names, Scope};
use fold::Candidates;
pub use likeness::Likeness;
pub use parse::parse;
pub use reads::{Keeping, Reads};
pub use sets::SETS;
pub use unread::Unread;

use super::{Cite, Kind, Part, Provenance, sights::KnownSights};
use crate::{diagnostic::Span, map::SpaceId};

/// A condition or a sum, with every name resolved.
// With a tag of its own, which is looked at more often than anything else: a fold of it into what the variants hold must be
// undone at every look.
#[repr(u8)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// A number, flag, symbol or name known at load.
    Const(i32),
    /// What is given, or bound by `any(... as x, ...)`.
    Slot(u8),
    /// A declared property of something.
    State {
        /// What nothing has, by [`Kind::of_nothing`].
        of_nothing: i8,
        /// Column of the state.
        column: u16,
        /// Its first cell, and how many there are.
        cells: (u32, u32),
        /// Whose.
        of: Box<Expr>,
    },
    /// A property of the game itself.
    Game(u16),
    /// A printed attribute of something.
    Fixed {
        /// What nothing has, by [`Kind::of_nothing`].
        of_nothing: i8,
        /// Index of the attribute.
        attribute: u16,
        /// Whose.
        of: Box<Expr>,
    },
    /// The space a unit is in; nothing if it is off the map.
    SpaceOf(Box<Expr>),
    /// Whether a unit is in a box.
    InBox(Box<Expr>, i32),
    /// Whether not.
    Not(Box<Expr>),
    /// Whether all.
    Both(Vec<Expr>),
    /// Whether any.
    Either(Vec<Expr>),
    /// The second where the first holds, else the third.
    If(Box<[Expr; 3]>),
    /// A comparison.
    Compare(Relation, Box<Expr>, Box<Expr>),
    /// First plus second. Sums and products end at the greatest and the least that a value can be.
    Add(Box<Expr>, Box<Expr>),
    /// First less second.
    Less(Box<Expr>, Box<Expr>),
    /// First times second.
    Times(Box<Expr>, Box<Expr>),
    /// How often this number, which is 1 or more, goes into it: rounded down.
    Share(Box<Expr>, i32),
    /// The lesser of two numbers.
    Lesser(Box<Expr>, Box<Expr>),
    /// The greater of two numbers.
    Greater(Box<Expr>, Box<Expr>),
    /// Whether a space lies in a zone against a side.
    Zone {
        /// Index of the zone.
        zone: u16,
        /// The space asked about.
        space: Box<Expr>,
        /// The side that meets the zone.
        side: Box<Expr>,
    },
    /// Whether a space has one of these terrains (a bit set).
    Terrain(Box<Expr>, Box<Expr>),
    /// Whether the border between two spaces has one of these features, crossed in that direction.
    Feature(u32, Box<Expr>, Box<Expr>),
    /// Whether a road of one of these kinds joins two spaces.
    Road(u32, Box<Expr>, Box<Expr>),
    /// The neighbour of the second space that lies opposite the first, or nothing.
    Onward(Box<Expr>, Box<Expr>),
    /// The direction that leads straight from the first space to the second, or nothing.
    Direction(Box<Expr>, Box<Expr>),
    /// The space that lies next to one in a direction, or nothing.
    Next(Box<Expr>, Box<Expr>),
    /// A direction turned clockwise by so many steps.
    Turned(Box<Expr>, Box<Expr>),
    /// By how many steps two directions differ, the shorter way round.
    Angle(Box<Expr>, Box<Expr>),
    /// Spaces from one to the other.
    Distance(Box<Expr>, Box<Expr>),
    /// What the map states of a space.
    Stated(Stated, Box<Expr>),
    /// How high the straight line between the ground of two spaces passes over where it crosses a third: from, to,
    /// there.
    Line(Box<[Expr; 3]>),
    /// Whether there is a line of sight from one space to another.
    Sees {
        /// Index of the sight.
        sight: u16,
        /// Where the eyes are.
        from: Box<Expr>,
        /// Where they look.
        to: Box<Expr>,
    },
    /// Something about every member of a set.
    Over {
        /// What is asked.
        how: How,
        /// Of whom.
        domain: Box<Domain>,
        /// Where the member stands while it is asked.
        slot: u8,
        /// What is asked of each.
        body: Box<Expr>,
    },
    /// How the members of a set that are asked for fit into bins of one size.
    Packed {
        /// What is asked: [`How::Bins`] or [`How::Fill`].
        how: How,
        /// Of whom.
        domain: Box<Domain>,
        /// Where the member stands while it is asked.
        slot: u8,
        /// Whether a member is asked for, how much room it takes, and how much a bin has.
        asked: Box<[Expr; 3]>,
    },
    /// A named term of the ruleset.
    Term(u16, Vec<Expr>),
    /// What a list of rows comes to: whether it lets pass, its sum, or what its first row that holds gives.
    Listed(u16, Vec<Expr>),
    /// Several things, as a term or a set is given them: the handle of a group that holds the members of a set.
    Group(Box<Domain>),
    /// A call that is given several things; their groups are forgotten once it is answered.
    Handing(Box<Expr>),
}

/// What a map states of a space, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stated {
    /// Whether it lies on the edge of the map.
    Edge,
    /// Whether units arrive there.
    Entry,
    /// Its level.
    Level,
    /// Its elevation; 0 where the map has none for it.
    Elevation,
    /// A printed number: index into the map's names of numbers.
    Number(u16),
}

/// How two numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// What is asked of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum How {
    Any,
    All,
    Count,
    /// Whether there are more than so many, of the counters in a space.
    MoreThan(u16),
    Min,
    Max,
    Total,
    /// The least number of bins that hold them all; one too large for a bin takes one of its own.
    Bins,
    /// The most that some of them come to without being too much for one bin.
    Fill,
}

/// A set that a row may range over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Domain {
    /// Every counter or every space, whichever kind is told, but for those of which what is printed already decides the
    /// question.
    All(Kind, Vec<i32>),
    /// The same where the side to move is asked about too: by that side, and with what is left to ask.
    AllFor(Kind, Vec<Candidates>),
    /// Several things that are given: those of the group whose handle stands in this slot.
    Given(u8),
    /// One thing; nothing makes a set of none.
    One(Expr),
    /// The counters in a space.
    UnitsAt(Expr),
    /// The counters in the spaces around a space.
    UnitsNear(Expr),
    /// The spaces around a space.
    Near(Expr),
    /// The spaces that the straight line between two centers crosses, neither end among them; both spaces where it
    /// runs along a border.
    Between(Expr, Expr),
    /// The spaces that lie from a space in a direction, up to the edge of the map.
    Ray(Expr, Expr),
    /// The spaces that have one of these terrains.
    Spaces(Expr),
    /// The spaces where a move of a unit can end that has all its movement points, by the number of its mover.
    Reachable(u16, Expr),
    /// The records of a kind that exist.
    Records(u8),
    /// The spaces along a printed road.
    Along(Vec<SpaceId>),
    /// A set that the ruleset names, with what it is given.
    Named(u16, Vec<Expr>),
    /// Those that are in any of these.
    Union(Vec<Domain>),
    /// Those that are in all of these.
    Common(Vec<Domain>),
    /// Those of the first that are not in the second.
    Without(Box<[Domain; 2]>),
    /// The first of these that is not empty.
    FirstOf(Vec<Domain>),
    /// Those of a set that lie nearest to a space, but for those it cannot be reached from; of units if so.
    Nearest {
        /// Of whom.
        of: Box<Domain>,
        /// Where to.
        to: Expr,
        /// Whether they are units, and not spaces.
        units: bool,
    },
    /// Those of a set that hang together: which one comes to from one of them to the next.
    Region {
        /// Of whom.
        of: Box<Domain>,
        /// With which of them; where none is named, the most that do, and of several as many those with the first of all.
        with: Option<Expr>,
        /// Whether two of them are next to each other, who stand in this slot and the one after, the first of the two
        /// first. Without it they are spaces that border on each other.
        by: Option<(u8, Box<Expr>)>,
    },
}

/// How a list of rows is read: the section of the content that it stands in says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// A guard: something may be, unless a row holds; each that does refuses.
    May,
    /// The rows that hold are added up.
    Sum,
    /// The first row that holds decides.
    First,
}

impl Read {
    /// All of them, in the order in which their sections are read.
    pub const ALL: [Read; 3] = [Read::May, Read::Sum, Read::First];

    /// The section of the content for lists read so.
    pub fn section(self) -> &'static str {
        match self {
            Read::May => "may",
            Read::Sum => "sum",
            Read::First => "first",
        }
    }

    /// The key under which a list read so has its rows.
    pub fn key(self) -> &'static str {
        if self == Read::May { "unless" } else { "rows" }
    }
}

/// One line of a printed list.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its id inside the table.
    pub id: String,
    /// Whether it holds.
    pub when: Expr,
    /// What the condition looks at.
    pub looks_at: Reads,
    /// What it adds (`sum`) or yields (`first`); unread in a guard.
    pub value: Expr,
    /// That value as written, for people; empty where none is.
    pub written: String,
    /// The sentence people see.
    pub say: String,
    /// What that names besides what the row is given.
    pub finds: Vec<Finding>,
    /// Where what it says comes from.
    pub from: Provenance,
    /// Where it stands in the rulebook.
    pub cite: Cite,
    /// Where it stands in the content.
    pub span: Span,
}

/// Of the members of a set the first that a condition finds: an `any` that must hold for a row to hold, by the name that it
/// binds.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The name.
    pub name: String,
    /// What the members are.
    pub kind: Kind,
    /// The set.
    pub among: Domain,
    /// Where a member stands while it is asked.
    pub slot: u8,
    /// Whether it is meant.
    pub when: Expr,
}

/// A printed list.
#[derive(Debug, Clone)]
pub struct Rows {
    /// Its name.
    pub name: String,
    /// How it is read.
    pub read: Read,
    /// What it comes to: whether or not, a number, or what the first row that holds gives.
    pub kind: Kind,
    /// What it is asked about.
    pub given: Vec<(String, Kind)>,
    /// Its lines, in the order printed.
    pub rows: Vec<Row>,
    /// A sum never comes to less.
    pub least: i32,
    /// For guards first given a unit, space, card, side or named value: by phasing side, those that the rows may let pass.
    pub candidates: Vec<Candidates>,
    /// How long it stands whom they let pass; nothing where they let nobody in particular pass, or are given several things
    /// at once.
    pub keeping: Option<Keeping>,
}

impl Rows {
    /// No list is given more things, by rules or by other lists.
    pub const MOST_GIVEN: usize = 5;

    /// Its path in the content: `may/attack`.
    pub fn path(&self) -> String {
        format!("{}/{}", self.read.section(), self.name)
    }

    /// The path of one of its rows: `may/attack/unless/apart`.
    pub fn path_of(&self, row: &Row) -> String {
        format!("{}/{}/{}", self.path(), self.read.key(), row.id)
    }

    /// The path of the first of its rows that asks where a move can end.
    pub fn searching(&self, names: &Names<'_>) -> Option<String> {
        let searches = |row: &&Row| row.looks_at.searches || Reads::of(&row.value, names).searches;
        self.rows.iter().find(searches).map(|row| self.path_of(row))
    }
}

/// A named expression that rows may use.
#[derive(Debug, Clone)]
pub struct Term {
    /// Its name.
    pub name: String,
    /// What it is asked about.
    pub given: Vec<(String, Kind)>,
    /// What it is; set once all terms are known.
    pub body: Expr,
    /// What kind of value it has.
    pub kind: Kind,
    /// Whether it is a player's own, which rules and other rows do not know.
    pub of_player: bool,
    /// How many steps it has with the terms it uses written out.
    pub steps: u32,
    /// How many sets are made of each other in it.
    pub deep: u8,
    /// What it looks at.
    pub looks_at: Reads,
    /// Where it is worth keeping what it comes to.
    pub of_ground: Option<OfGround>,
}

/// Of a term that looks through a set and is given nothing but a space, a side or both: few enough, and asked often enough,
/// for what it comes to of each to be kept.
#[derive(Debug, Clone)]
pub struct OfGround {
    /// In which slot the space stands, if one is given.
    pub space: Option<u8>,
    /// In which slot the side stands, if one is given.
    pub side: Option<u8>,
    /// The parts of the state it looks at.
    pub reads: Vec<Part>,
}

impl OfGround {
    /// What takes fewer steps is as soon worked out again.
    const LEAST_STEPS: u32 = 9;

    /// What there is to know of a term, if it is one.
    pub(in crate::ruleset) fn new(
        given: &[(String, Kind)],
        body: &Expr,
        looks_at: &Reads,
        names: &Names<'_>,
    ) -> Option<OfGround> {
        let slot = |wanted: Kind| given.iter().position(|(_, kind)| *kind == wanted).map(|slot| slot as u8);
        let (space, side) = (slot(Kind::Space), slot(Kind::Side));
        let is_of_these = given.len() == usize::from(space.is_some()) + usize::from(side.is_some());
        let mut looks_through = |e: &Expr| match e {
            Expr::Over { .. } | Expr::Packed { .. } => true,
            Expr::Term(term, _) => names.terms[usize::from(*term)].of_ground.is_some(),
            _ => false,
        };
        let is_worth_it =
            is_of_these && body.any(&mut looks_through) && body.steps(names.terms) >= OfGround::LEAST_STEPS;
        is_worth_it.then(|| OfGround { space, side, reads: looks_at.parts(names.schema) })
    }
}

/// The spaces near certain units: a zone of control, a range of influence. Asked against a side.
#[derive(Debug, Clone)]
pub struct Zone {
    /// Its name.
    pub name: String,
    /// How far, in spaces.
    pub range: u16,
    /// Whether the space that a unit stands in lies in it too, where it reaches farther.
    pub here: bool,
    /// What it looks at, against whichever side.
    pub looks_at: Reads,
    /// For each side it is asked against, what of the state it depends on.
    pub reads: Vec<Vec<Part>>,
    /// For each side it is asked against, which units spread it; the unit stands in slot 0, the side in slot 1.
    pub candidates: Vec<Candidates>,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// A line of sight: what blocks it, asked at every space it crosses.
#[derive(Debug)]
pub struct Sighting {
    /// Its name.
    pub name: String,
    /// What blocks; the spaces from, to and at stand in slots 0, 1 and 2.
    pub blocked: Vec<Row>,
    /// Whether a line along the border of two spaces is blocked when one of them blocks, and not only when both do.
    pub by_either: bool,
    /// What it looks at.
    pub looks_at: Reads,
    /// What is known of it so far, where nothing that blocks ever changes.
    pub lasting: Option<KnownSights>,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

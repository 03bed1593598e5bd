//! Questions and what may be answered: an offer is a verb and a lazy set, computed only when somebody looks. Offers of
//! two values are in `pairs.rs`.

use std::sync::Arc;

use super::{
    cover::Cover,
    evaluate::Slots,
    game::Game,
    kept_sets::Kept,
    moves::{Move, Retreat},
    pairs::Then,
    said::{Particular, Said, Saying},
};
use crate::{
    map::SpaceId,
    ruleset::{
        Cite, Keys, Kind, Text, Verb,
        rows::{Read, Row, Rows},
    },
};

/// A verb and the values it may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Index of the verb.
    pub verb: u16,
    /// What it may take, or take first.
    pub set: Set,
    /// What it may take second, where it takes two things.
    pub then: Option<Then>,
}

/// What a set is given by whoever makes it; -1 where that is no more.
pub type Given = [i32; Rows::MOST_GIVEN];

/// What a set is given, of as many things as there are.
pub fn given(things: &[i32]) -> Given {
    let mut given = [-1; _];
    given[..things.len()].copy_from_slice(things);
    given
}

/// A lazy set of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Set {
    /// The verb takes nothing.
    One,
    /// The verb takes nothing, and these guards must let it pass.
    Allowed {
        /// Guards: index of the rows.
        rows: u16,
        /// What they are given.
        given: Given,
    },
    /// Everything that these guards let pass: units, spaces, cards, sides or named values, whichever they are first
    /// given.
    Passing {
        /// Guards: index of the rows.
        rows: u16,
        /// What else they are given, behind the first.
        given: Given,
    },
    /// The members of a set that the ruleset names.
    Named {
        /// Index of the set.
        set: u16,
        /// What it is given.
        given: Given,
    },
    /// These.
    List(Box<[i32]>),
    /// Every number between two, both included.
    Numbers(i32, i32),
    /// Where a move can end.
    Reach(Arc<Move>),
    /// Those spaces that a move comes to, where it may end or not, and where it begins, that a guard lets pass with so
    /// much of the cost to spare.
    Ends {
        /// The move.
        of: Arc<Move>,
        /// Guards, given unit and space: index of the rows.
        rows: u16,
        /// In the smallest unit.
        spare: u16,
    },
    /// Where a retreat can end.
    Retreat(Retreat),
    /// A part in mandatory combat.
    Cover {
        /// Index of the contact.
        contact: u16,
        /// The battle being declared, or -1.
        battle: i32,
        /// Which part.
        part: CoverPart,
    },
}

/// A part in mandatory combat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverPart {
    /// Another attacker.
    Attacker,
    /// A target.
    Target,
    /// Nothing more in this battle.
    Close,
    /// No more battles.
    Done,
}

/// What a question or a roll is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// Nothing in particular.
    Nothing,
    /// Something of a kind, by its number.
    Thing(Kind, i32),
}

impl About {
    /// A unit.
    pub fn unit(unit: i32) -> About {
        About::Thing(Kind::Unit, unit)
    }

    /// The unit it is about, if it is about one.
    pub fn as_unit(self) -> Option<i32> {
        match self {
            About::Thing(Kind::Unit, unit) => Some(unit),
            _ => None,
        }
    }

    /// The key of its name.
    pub(super) fn key(self, keys: &Keys) -> u64 {
        match self {
            About::Nothing => 0,
            About::Thing(kind, thing) => keys.of(kind, thing),
        }
    }
}

/// Something asked of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Index among the ruleset's questions.
    pub key: u16,
    /// The side asked.
    pub by: i32,
    /// Its subject.
    pub about: About,
    /// What may be answered, in the order verbs are declared.
    pub offers: Vec<Offer>,
}

/// An answer: a verb and its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Action {
    /// Index of the verb.
    pub verb: u16,
    /// Unit, space, number, symbol or card, as many as the verb takes; -1 behind them.
    pub values: [i32; Verb::MOST_TAKEN],
}

impl Action {
    /// A verb that takes nothing.
    pub fn alone(verb: u16) -> Action {
        Action { verb, values: [-1; _] }
    }

    /// A verb that takes one thing, or -1 for nothing.
    pub fn of(verb: u16, value: i32) -> Action {
        Action { verb, values: [value, -1] }
    }

    /// What chance answers.
    pub fn rolled(value: i32) -> Action {
        Action::of(u16::MAX, value)
    }

    /// Whether chance answers, and no side.
    pub fn is_rolled(self) -> bool {
        self.verb == u16::MAX
    }
}

/// Why an action is not allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The row that refuses.
    pub row: Arc<str>,
    /// What it says.
    pub said: Said,
    /// By which paragraph.
    pub cite: Cite,
}

impl Refusal {
    /// The same refusal, told about a space on the way rather than the one aimed at.
    pub(super) fn at(self, space: SpaceId, aimed: SpaceId) -> Refusal {
        if space == aimed { self } else { self.within(Text::OnTheWay, space.into()) }
    }

    /// The same, told as the reason in a sentence of the engine that also names where, or how.
    pub(super) fn within(self, text: Text, which: Particular) -> Refusal {
        Refusal { said: Said::engine(text, [which, self.said.into()]), ..self }
    }

    /// What the engine itself refuses.
    pub(super) fn engine(text: Text, with: impl IntoIterator<Item = Particular>, cite: Cite) -> Refusal {
        Refusal { row: text.key().into(), said: Said::engine(text, with), cite }
    }
}

impl Game {
    /// Every guard that holds, with its sentence and citation.
    pub fn refusals(&self, rows: u16, given: &[i32]) -> Vec<Refusal> {
        let list = &self.ruleset.rows[rows as usize];
        let refusing = list.rows.iter().enumerate().filter(|(_, row)| self.holds(&row.when, given));
        let refusal = |(at, row): (usize, &Row)| {
            let with = self.particulars(&list.given, given).into_iter().chain(self.findings(row, given)).collect();
            let said = Said { says: Saying::Row { rows, row: at as u16 }, with };
            Refusal { row: row.id.as_str().into(), said, cite: row.cite }
        };
        refusing.map(refusal).collect()
    }

    /// The paths of the rows of a list that have their say: guards that refuse, addends that count, the first that holds.
    pub fn speaking(&self, rows: u16, given: &[i32]) -> Vec<String> {
        let list = &self.ruleset.rows[rows as usize];
        let holds = list.rows.iter().filter(|row| self.holds(&row.when, given));
        holds.take(if list.read == Read::First { 1 } else { usize::MAX }).map(|row| list.path_of(row)).collect()
    }

    /// The paths of the guards that refuse anything at all, given what stands behind it.
    pub fn refusing(&self, rows: u16, behind: &[i32]) -> Vec<String> {
        let list = &self.ruleset.rows[rows as usize];
        let Some((_, first)) = list.given.first() else { return Vec::new() };
        let all = match first {
            Kind::Space => (0..self.ruleset.map.len() as i32).collect(),
            kind => self.ruleset.all_of(*kind),
        };
        let refuses = |row: &&Row| {
            all.iter().any(|one| {
                let given = [&[*one], behind].concat();
                self.holds(&row.when, &given[..list.given.len().min(given.len())])
            })
        };
        list.rows.iter().filter(refuses).map(|row| list.path_of(row)).collect()
    }

    /// Whether no guard holds.
    #[inline]
    pub fn passes(&self, rows: u16, given: &[i32]) -> bool {
        !self.ruleset.rows[rows as usize].rows.iter().any(|row| self.holds(&row.when, given))
    }

    /// Everything that no guard refuses: units, spaces, cards, sides or named values, whichever they are first given.
    pub fn passing(&self, rows: u16, given: &[i32]) -> Vec<i32> {
        self.work_on_passing(rows, given, <[i32]>::to_vec)
    }

    fn work_on_passing<T>(&self, rows: u16, given: &[i32], work: impl FnOnce(&[i32]) -> T) -> T {
        let declared = &self.ruleset.rows[rows as usize];
        let find = || {
            let Some(candidates) = self.of_phasing(&declared.candidates) else { return Vec::new() };
            let mut slots = [-1; 16];
            slots[1..][..given.len()].copy_from_slice(given);
            if let Some((_, Kind::Space)) = declared.given.first() {
                return self.sift_spaces(&candidates.when, &candidates.members, 0, &mut slots);
            }
            self.sifted(Kept::Passing(rows), candidates, 0, &mut slots)
        };
        match &declared.keeping {
            Some(keeping) => self.kept_set(Kept::Passing(rows), given, keeping, find, work),
            None => work(&find()),
        }
    }

    /// Whether one thing is among those that no guard refuses: the same as to look it up there, and soon found.
    fn lets_pass(&self, rows: u16, given: &[i32], one: i32) -> bool {
        let candidates = self.of_phasing(&self.ruleset.rows[rows as usize].candidates);
        let Some(candidates) = candidates.filter(|these| these.members.contains(&one)) else { return false };
        let mut slots = [-1; 16];
        slots[1..][..given.len()].copy_from_slice(given);
        let mut left = vec![one];
        self.sift(&candidates.when, true, 0, &mut left, &mut slots);
        !left.is_empty()
    }

    /// The members of a set that the ruleset names, in rising order.
    pub fn members_given(&self, set: u16, given: &[i32]) -> Vec<i32> {
        self.work_on_members(set, given, <[i32]>::to_vec)
    }

    pub(super) fn work_on_members<T>(&self, set: u16, given: &[i32], work: impl FnOnce(&[i32]) -> T) -> T {
        let find = || {
            let mut slots = [-1; 16];
            slots[..given.len()].copy_from_slice(given);
            self.members_of(set, &mut slots)
        };
        match &self.ruleset.sets[usize::from(set)].keeping {
            Some(keeping) => self.kept_set(Kept::Named(set), given, keeping, find, work),
            None => work(&find()),
        }
    }

    /// Works on the values of a set, which are not copied where they are known; the work may ask nothing of sets.
    pub(super) fn work_on_values<T>(&self, set: &Set, work: impl FnOnce(&[i32]) -> T) -> T {
        match set {
            Set::Passing { rows, given } => self.work_on_passing(*rows, given, work),
            Set::Named { set, given } => self.work_on_members(*set, given, work),
            set => work(&self.values(set)),
        }
    }

    /// The sum of the rows that hold, or the value of the first that does.
    pub fn read_rows(&self, rows: u16, given: &[i32]) -> i32 {
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        self.come_to(&self.ruleset.rows[rows as usize], &mut slots)
    }

    /// What a list comes to: whether a guard lets pass, a sum, or the value of the first row that holds. What it is given
    /// stands in the first slots.
    pub(super) fn come_to(&self, rows: &Rows, slots: &mut Slots) -> i32 {
        let mut total = 0;
        // What a row binds lies behind what is given, and is bound before it is read.
        for row in &rows.rows {
            if self.asked(&row.when, slots) == 0 {
                continue;
            }
            match rows.read {
                Read::Sum => total = i32::saturating_add(total, self.eval(&row.value, slots)),
                Read::First => return self.eval(&row.value, slots),
                Read::May => return 0,
            }
        }
        match rows.read {
            Read::Sum => total.max(rows.least),
            Read::First => -1,
            Read::May => 1,
        }
    }

    /// How many values a set has.
    pub fn count_of(&self, set: &Set) -> usize {
        match set {
            Set::Reach(m) => self.reach(m, |flood| flood.reached.len()),
            set => self.work_on_values(set, <[i32]>::len),
        }
    }

    /// Every value of a set.
    pub fn values(&self, set: &Set) -> Vec<i32> {
        match set {
            Set::One => vec![-1],
            Set::Allowed { rows, given } => {
                if self.passes(*rows, given) {
                    vec![-1]
                } else {
                    Vec::new()
                }
            }
            Set::Passing { rows, given } => self.passing(*rows, given),
            Set::Named { set, given } => self.members_given(*set, given),
            Set::List(list) => list.to_vec(),
            Set::Numbers(least, most) => (*least..=*most).collect(),
            Set::Reach(m) => self.reach(m, |flood| flood.reached.iter().map(|r| r.space.0 as i32).collect()),
            Set::Ends { of, rows, spare } => self.ends_passing(of, *rows, *spare),
            Set::Retreat(retreat) => self.retreat_ends(retreat).iter().map(|e| e.space.0 as i32).collect(),
            Set::Cover { contact, battle, part } => {
                let cover = Cover::new(self, *contact, *battle);
                let one = |refusal: Option<Refusal>| if refusal.is_none() { vec![-1] } else { Vec::new() };
                match part {
                    CoverPart::Attacker => cover.may_attack(),
                    CoverPart::Target => cover.may_be_attacked(),
                    CoverPart::Close => one(cover.why_not_close()),
                    CoverPart::Done => one(cover.why_not_done()),
                }
            }
        }
    }

    /// Whether a set holds a value: the same as to look it up among all, without listing them.
    pub fn is_among(&self, set: &Set, value: i32) -> bool {
        match set {
            Set::Passing { rows, given } => self.lets_pass(*rows, given, value),
            Set::Named { set, given } => {
                let mut slots = [-1; 16];
                slots[..given.len()].copy_from_slice(given);
                self.is_member(*set, value, &mut slots)
            }
            Set::List(list) => list.contains(&value),
            Set::Numbers(least, most) => (*least..=*most).contains(&value),
            Set::Reach(m) => self.reach(m, |flood| flood.reached.iter().any(|r| r.space.0 as i32 == value)),
            Set::Retreat(retreat) => self.retreat_ends(retreat).iter().any(|end| end.space.0 as i32 == value),
            set => self.values(set).contains(&value),
        }
    }

    /// Where a question stands in the rulebook, in the turn it is.
    pub fn cite_of(&self, question: &Question) -> Cite {
        self.ruleset.questions[usize::from(question.key)].cite_in_turn_of(self.phasing())
    }

    /// Why an action is not offered by a question; empty when it is.
    pub fn why_not(&self, question: &Question, action: Action) -> Vec<Refusal> {
        let Some(offer) = question.offers.iter().find(|o| o.verb == action.verb) else {
            return self.not_now(question, action);
        };
        let [first, second] = action.values;
        match &offer.then {
            None if second != -1 => {
                vec![Refusal::engine(Text::NotAChoice, [], self.cite_of(question))]
            }
            None => self.why_not_offered(question, &offer.set, first),
            Some(then) => self.why_no_pair(question, offer, then, first, Some(second)),
        }
    }

    /// Why a set that a question offers does not hold a value; empty when it does.
    pub(super) fn why_not_offered(&self, question: &Question, set: &Set, value: i32) -> Vec<Refusal> {
        if self.is_among(set, value) {
            return Vec::new();
        }
        let cite = self.cite_of(question);
        let mut refusals = self.why_not_among(set, value);
        if refusals.is_empty() {
            refusals.push(match set {
                Set::Numbers(least, most) => {
                    Refusal::engine(Text::OutOfRange, [*least, *most].map(Particular::number), cite)
                }
                _ => Refusal::engine(Text::NotAChoice, [], cite),
            });
        }
        refusals
    }

    /// What keeps a value out of a set that does not hold it; empty where nothing more can be said.
    pub(super) fn why_not_among(&self, set: &Set, value: i32) -> Vec<Refusal> {
        let space = u32::try_from(value).ok().map(SpaceId);
        match (set, space) {
            (Set::Allowed { rows, given }, _) => self.refusals(*rows, given),
            (Set::Named { set, given }, _) => {
                let mut slots = [-1; 16];
                slots[..given.len()].copy_from_slice(given);
                self.why_not_in(*set, value, &mut slots)
            }
            (Set::Passing { rows, given }, _) => self.refusals(*rows, &[&[value], &given[..]].concat()),
            (Set::Reach(m), Some(space)) => self.why_not_reached(m, space),
            (Set::Ends { of, rows, spare }, Some(space)) => {
                let refused = self.refusals(*rows, &[of.unit, value]);
                if refused.is_empty() { self.why_not_spared(of, space, *spare) } else { refused }
            }
            (Set::Retreat(retreat), Some(space)) => self.why_no_retreat(retreat, space),
            (Set::Cover { contact, battle, part }, _) => {
                let cover = Cover::new(self, *contact, *battle);
                match part {
                    CoverPart::Attacker => cover.why_not(value, false),
                    CoverPart::Target => cover.why_not(value, true),
                    CoverPart::Close => cover.why_not_close().into_iter().collect(),
                    CoverPart::Done => cover.why_not_done().into_iter().collect(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Why a verb is not offered at all: it belongs elsewhere, its own guards refuse it, or this question has no room.
    pub(super) fn not_now(&self, question: &Question, action: Action) -> Vec<Refusal> {
        let ruleset = &self.ruleset;
        let declared = &ruleset.verbs[action.verb as usize];
        let here = self.place_of_play();
        let inside = |name: &String| {
            let outer = ruleset.sequence.place(name);
            here.zip(outer).is_some_and(|(here, outer)| ruleset.sequence.is_inside(here, outer))
        };
        if declared.at.is_empty() || declared.at.iter().any(inside) {
            let given = &action.values[..declared.takes.len()];
            let refusals = declared.guards.map(|rows| self.refusals(rows as u16, given)).unwrap_or_default();
            if !refusals.is_empty() {
                return refusals;
            }
            let verb = Particular::Text(declared.id.as_str().into());
            return vec![Refusal::engine(Text::NotAsked, [verb], self.cite_of(question))];
        }
        let title = |name: &String| {
            let title = ruleset.sequence.place(name).map_or(name, |p| &ruleset.sequence.places[p].title);
            Particular::Text(title.as_str().into())
        };
        let either = |one, other| Said::engine(Text::Or, [one, other]).into();
        let places = declared.at.iter().map(title).reduce(either).unwrap_or(Particular::All(Vec::new()));
        let now = here.map_or("", |p| &ruleset.sequence.places[p].title);
        let verb = Particular::Text(declared.id.as_str().into());
        vec![Refusal::engine(Text::Elsewhere, [verb, places, Particular::Text(now.into())], declared.cite)]
    }
}

//! What a condition looks at: found once, for every kind of expression, with the terms, zones and sights it uses.
//!
//! How long an answer may be kept, whether it can be worked out at load, and which slots hang together all follow from
//! this and from nothing else.

use std::collections::BTreeSet;

use super::{Domain, Expr, Names, fold::Candidates};
use crate::ruleset::{Holder, Kind, Part, Schema};

/// What a condition, or any other expression, looks at.
#[derive(Debug, Clone, Default)]
pub struct Reads {
    /// Which slots: a bit set. Those that it binds itself are among them.
    pub slots: u16,
    /// Which columns of the state. Where none is, nothing that changes is looked at.
    pub columns: BTreeSet<u16>,
    /// Which printed attributes.
    pub attributes: BTreeSet<u16>,
    /// Whose columns of units it looks at: the units in these slots, as a bit set.
    units_in: u16,
    /// Whether it looks at columns of units in any other way, as through a set or a zone.
    units_beside: bool,
    /// Whether it asks where a move can end.
    pub searches: bool,
}

/// How long it stands who is in a set: as long as what it looks at.
#[derive(Debug, Clone)]
pub struct Keeping {
    /// The parts of the state that it looks at.
    pub parts: Vec<Part>,
    /// The columns of the unit that it is given first, where it looks at no other's: it stands for each unit apart.
    pub own: Vec<u16>,
}

impl Reads {
    /// What an expression looks at.
    pub fn of(expr: &Expr, names: &Names<'_>) -> Reads {
        let mut reads = Reads::default();
        expr.walk(&mut |e| reads.note(e, names));
        reads
    }

    /// Whether a slot is among those it asks about.
    pub fn slot(&self, slot: u8) -> bool {
        self.slots >> slot & 1 == 1
    }

    /// Whether it looks at columns of units other than the one in this slot, if one is given.
    pub fn looks_at_others(&self, given: Option<u8>) -> bool {
        self.units_beside || self.units_in & !given.map_or(0, |slot| 1 << slot) != 0
    }

    /// Whether what it comes to can never change in a game: it asks only of what is printed, and of what it is given.
    pub fn is_lasting(&self) -> bool {
        self.columns.is_empty()
    }

    /// What an expression looks at by itself, without those inside it.
    fn note(&mut self, expr: &Expr, names: &Names<'_>) {
        match expr {
            Expr::Const(_)
            | Expr::Not(_)
            | Expr::Both(_)
            | Expr::Either(_)
            | Expr::If(_)
            | Expr::Compare(..)
            | Expr::Add(..)
            | Expr::Less(..)
            | Expr::Times(..)
            | Expr::Lesser(..)
            | Expr::Greater(..)
            | Expr::Share(..)
            // The map never changes in a game.
            | Expr::Terrain(..)
            | Expr::Feature(..)
            | Expr::Road(..)
            | Expr::Onward(..)
            | Expr::Direction(..)
            | Expr::Next(..)
            | Expr::Turned(..)
            | Expr::Angle(..)
            | Expr::Distance(..)
            | Expr::Stated(..)
            | Expr::Line(_)
            // What it is made of is noted by itself.
            | Expr::Handing(_) => (),
            Expr::Group(domain) => self.members(domain, names),
            Expr::Slot(slot) => self.slots |= 1 << slot,
            Expr::State { column, of, .. } => {
                self.columns.insert(*column);
                if names.schema.columns[usize::from(*column)].holder == Holder::Unit {
                    self.unit(of);
                }
            }
            Expr::Game(column) => _ = self.columns.insert(*column),
            Expr::Fixed { attribute, .. } => _ = self.attributes.insert(*attribute),
            Expr::SpaceOf(unit) | Expr::InBox(unit, _) => {
                self.columns.insert(Schema::PLACE);
                self.unit(unit);
            }
            Expr::Zone { zone, .. } => {
                self.join(&names.zones[usize::from(*zone)].looks_at);
                self.units_beside = true; // those who spread it, wherever they stand
            }
            Expr::Sees { sight, .. } => self.join(&names.sights[usize::from(*sight)].looks_at),
            Expr::Over { domain, .. } | Expr::Packed { domain, .. } => self.members(domain, names),
            Expr::Listed(list, _) => {
                for row in &names.rows[usize::from(*list)].rows {
                    self.join(&row.looks_at);
                    self.join(&Reads::of(&row.value, names));
                }
            }
            Expr::Term(term, args) => {
                let inner = &names.terms[usize::from(*term)].looks_at;
                self.columns.extend(&inner.columns);
                self.attributes.extend(&inner.attributes);
                self.units_beside |= inner.units_beside;
                self.searches |= inner.searches;
                // What it asks of a unit it is given, it asks of what stands in that place here. What it binds itself
                // stands behind what it is given.
                for slot in (0..16).filter(|slot| inner.units_in >> slot & 1 == 1) {
                    match args.get(slot) {
                        Some(of) => self.unit(of),
                        None => self.units_beside = true,
                    }
                }
            }
        }
    }

    /// Who is in a set, which may change though nothing of its members does.
    fn members(&mut self, domain: &Domain, names: &Names<'_>) {
        match domain {
            // All there are, but for those whom the question, which is looked at beside it, can never hold for.
            Domain::All(..) | Domain::Given(_) | Domain::One(_) => (),
            Domain::AllFor(..) => _ = self.columns.insert(Schema::PHASING),
            Domain::UnitsAt(_) | Domain::UnitsNear(_) => {
                self.columns.insert(Schema::PLACE);
                self.units_beside = true;
            }
            Domain::Near(_) | Domain::Between(..) | Domain::Ray(..) | Domain::Spaces(_) | Domain::Along(_) => (),
            Domain::Named(set, _) => self.join(&names.sets[usize::from(*set)].looks_at),
            Domain::Union(sets) | Domain::Common(sets) | Domain::FirstOf(sets) => {
                sets.iter().for_each(|set| self.members(set, names));
            }
            Domain::Without(sets) => sets.iter().for_each(|set| self.members(set, names)),
            Domain::Nearest { of, units, .. } => {
                self.members(of, names);
                if *units {
                    self.columns.insert(Schema::PLACE);
                    self.units_beside = true;
                }
            }
            Domain::Region { of, .. } => self.members(of, names),
            // What a mover goes by is read after all that may ask about it: so this may be anything.
            Domain::Reachable(..) => {
                self.columns.extend(0..names.schema.columns.len() as u16);
                self.attributes.extend(0..names.attributes.len() as u16);
                self.units_beside = true;
                self.searches = true;
            }
            Domain::Records(kind) => _ = self.columns.insert(names.schema.records[usize::from(*kind)].exists),
        }
    }

    /// A column of units is looked at, of this one.
    fn unit(&mut self, of: &Expr) {
        match of {
            Expr::Slot(slot) => self.units_in |= 1 << slot,
            _ => self.units_beside = true,
        }
    }

    /// The same, and what something else looks at that is given the same.
    pub fn and(mut self, other: &Reads) -> Reads {
        self.slots |= other.slots;
        self.columns.extend(&other.columns);
        self.attributes.extend(&other.attributes);
        self.units_in |= other.units_in;
        self.units_beside |= other.units_beside;
        self.searches |= other.searches;
        self
    }

    /// Takes in what something else looks at that is given things of its own.
    pub fn join(&mut self, other: &Reads) {
        self.columns.extend(&other.columns);
        self.attributes.extend(&other.attributes);
        self.units_beside |= other.units_beside || other.units_in != 0;
        self.searches |= other.searches;
    }

    /// How long it stands who is in a set that is given these, the first of them in `slot`; nothing where they are groups,
    /// which nothing tells apart. Who is asked at all may hang on the side that moves.
    pub fn keeping(mut self, given: &[(String, Kind)], slot: u8, schema: &Schema) -> Option<Keeping> {
        self.columns.insert(Schema::PHASING);
        if given.iter().any(|(_, kind)| kind.of_each().is_some()) {
            return None;
        }
        let is_of_one = matches!(given.first(), Some((_, Kind::Unit))) && !self.looks_at_others(Some(slot));
        let is_own = |column: &u16| is_of_one && schema.columns[usize::from(*column)].holder == Holder::Unit;
        let (own, others): (Vec<u16>, Vec<u16>) = self.columns.iter().partition(|column| is_own(column));
        let parts = others.iter().flat_map(|column| schema.parts_of(*column)).collect();
        Some(Keeping { parts, own })
    }

    /// The parts of the state that these columns are.
    pub fn parts(&self, schema: &Schema) -> Vec<Part> {
        self.columns.iter().flat_map(|column| schema.parts_of(*column)).collect()
    }

    /// The parts of the state on which it hangs who of some units, each of which stands in `slot` while it is asked, are
    /// meant, and where they are. What is asked of themselves alone does not hang on counters of sides that none of
    /// them is of.
    pub fn parts_of(candidates: &Candidates, slot: u8, names: &Names<'_>) -> Vec<Part> {
        let schema = names.schema;
        let mut reads = Reads::of(&candidates.when, names);
        reads.columns.insert(Schema::PLACE);
        let of_themselves = !reads.units_beside && reads.units_in & !(1 << slot) == 0;
        let side = names.attributes.iter().find(|a| a.holder == Holder::Unit && a.name == "side");
        let Some(side) = side.filter(|_| of_themselves) else { return reads.parts(schema) };
        let has = |of: i32| candidates.members.iter().any(|unit| side.values[*unit as usize] == of);
        let mut parts = Vec::new();
        for column in &reads.columns {
            match schema.columns[usize::from(*column)].holder {
                Holder::Unit => {
                    let sides = (0..schema.sides as i32).filter(|of| has(*of));
                    parts.extend(sides.map(|of| schema.part(*column, of)));
                }
                _ => parts.extend(schema.parts_of(*column)),
            }
        }
        parts
    }
}

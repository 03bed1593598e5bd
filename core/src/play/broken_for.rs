//! What a condition does not hold for: of what it goes through, the things that make it come out so.

use super::{evaluate::Slots, game::Game};
use crate::ruleset::{
    Kind,
    rows::{Domain, Expr, How},
};

/// So many things are named, and the others counted.
const MOST: usize = 6;

/// Looking may cost so many steps; what would cost more is left untold.
const STEPS: u64 = 1_000_000;

impl Game {
    /// In words by ids, what a condition that does not hold fails for: one thing of each set it goes through, within the
    /// other, and all that are counted. Empty where it is about the game as a whole.
    pub(super) fn fails_for(&self, broken: &Expr) -> String {
        let steps = self.steps_left.replace(STEPS);
        let mark = self.groups.mark();
        let mut looking = Looking { game: self, kinds: [None; 16], found: Vec::new(), others: None };
        looking.seek(broken, true, &mut [-1; 16]);
        let Looking { found, others, .. } = looking;
        self.groups.back_to(mark);
        let is_whole = !self.is_exhausted();
        self.steps_left.set(steps);
        if found.is_empty() || !is_whole {
            return String::new();
        }
        let mut things: Vec<String> = found.iter().take(MOST).map(|(kind, one)| self.told_for(*kind, *one)).collect();
        things.extend(found.len().checked_sub(MOST + 1).map(|more| format!("{} more", more + 1)));
        let others = others.filter(|(_, others)| *others > 0);
        let others = others.map_or_else(String::new, |(kind, others)| {
            let plural = if others == 1 { "" } else { "s" };
            format!(", and so for {others} more {}{plural}", self.word_for(kind))
        });
        format!("{}{others}", things.join(", "))
    }

    /// A thing with what it is; a unit with where it stands.
    fn told_for(&self, kind: Kind, one: i32) -> String {
        let (word, id) = (self.word_for(kind), self.ruleset.id_of(kind, one));
        if kind != Kind::Unit {
            return format!("{word} {id}");
        }
        let place = self.place(one);
        let at = self.ruleset.id_of(Kind::Space, place);
        match place {
            ..0 => format!("{word} {id} (nowhere)"),
            place if (place as usize) < self.ruleset.map.len() => format!("{word} {id} (at {at})"),
            _ => format!("{word} {id} (in {at})"),
        }
    }

    fn word_for(&self, kind: Kind) -> &str {
        match kind {
            Kind::Unit => "unit",
            Kind::Space => "space",
            Kind::Record(record) => &self.ruleset.schema.records[usize::from(record)].name,
            _ => "thing",
        }
    }
}

/// A walk down a condition, along what decides it.
struct Looking<'a> {
    game: &'a Game,
    /// What stands in each slot, where that is known.
    kinds: [Option<Kind>; 16],
    found: Vec<(Kind, i32)>,
    /// Of the first set gone through: what its members are, and how many others are as the one that was found.
    others: Option<(Kind, usize)>,
}

impl Looking<'_> {
    /// Finds what makes a condition come out so, which it does.
    fn seek(&mut self, expr: &Expr, is: bool, slots: &mut Slots) {
        match expr {
            Expr::Not(inner) => self.seek(inner, !is, slots),
            Expr::Both(parts) | Expr::Either(parts) => {
                let so = parts.iter().filter(|part| (self.game.eval(part, slots) != 0) == is);
                // One part is enough where one decides; else all have their share.
                let one_decides = matches!(expr, Expr::Either(_)) == is;
                let so: Vec<&Expr> = so.take(if one_decides { 1 } else { usize::MAX }).collect();
                so.into_iter().for_each(|part| self.seek(part, is, slots));
            }
            Expr::If(parts) => {
                let chosen = self.game.chosen(parts, slots);
                self.seek(chosen, is, slots);
            }
            Expr::Handing(call) => self.seek(call, is, slots),
            Expr::Term(term, args) => {
                self.within(*term, args, slots, |looking, body, slots| looking.seek(body, is, slots))
            }
            Expr::Over { how: how @ (How::Any | How::All), domain, slot, body } => {
                let wanted = *how == How::Any;
                if is == wanted {
                    self.one_of(domain, *slot, (body, wanted), slots);
                }
            }
            Expr::Over { how: How::MoreThan(_), domain, slot, body } if is => {
                self.counted(domain, *slot, body, slots);
            }
            Expr::Compare(_, a, b) => [a, b].into_iter().for_each(|side| self.sum(side, slots)),
            _ => (),
        }
    }

    /// Finds what a number adds up.
    fn sum(&mut self, expr: &Expr, slots: &mut Slots) {
        match expr {
            Expr::Add(a, b) | Expr::Less(a, b) | Expr::Times(a, b) | Expr::Lesser(a, b) | Expr::Greater(a, b) => {
                self.sum(a, slots);
                self.sum(b, slots);
            }
            Expr::Share(a, _) => self.sum(a, slots),
            Expr::If(parts) => {
                let chosen = self.game.chosen(parts, slots);
                self.sum(chosen, slots);
            }
            Expr::Handing(call) => self.sum(call, slots),
            Expr::Term(term, args) => self.within(*term, args, slots, Looking::sum),
            Expr::Over { how: How::Any | How::All, .. } => {
                let is = self.game.eval(expr, slots) != 0;
                self.seek(expr, is, slots);
            }
            Expr::Over { domain, slot, body, .. } => self.counted(domain, *slot, body, slots),
            Expr::Packed { domain, slot, asked, .. } => self.counted(domain, *slot, &asked[0], slots),
            _ => (),
        }
    }

    /// Finds the first member of a set of which a condition comes out so, and what makes it come out so of that one.
    fn one_of(&mut self, domain: &Domain, slot: u8, (body, wanted): (&Expr, bool), slots: &mut Slots) {
        let Some(kind) = self.kind_of_members(domain) else { return };
        let is_outermost = self.found.is_empty() && self.others.is_none();
        let mut members = self.game.members(domain, slots);
        members.retain(|one| {
            slots[usize::from(slot)] = *one;
            (self.game.asked(body, slots) != 0) == wanted
        });
        let Some(first) = members.first().copied() else { return };
        if is_outermost {
            self.others = Some((kind, 0));
        }
        self.add(kind, first);
        slots[usize::from(slot)] = first;
        self.kinds[usize::from(slot)] = Some(kind);
        self.seek(body, wanted, slots);
        if is_outermost {
            let others = members.iter().filter(|one| !self.found.contains(&(kind, **one)));
            self.others = Some((kind, others.count()));
        }
    }

    /// Finds all members of a set of which something counts.
    fn counted(&mut self, domain: &Domain, slot: u8, body: &Expr, slots: &mut Slots) {
        let Some(kind) = self.kind_of_members(domain) else { return };
        for one in self.game.members(domain, slots) {
            slots[usize::from(slot)] = one;
            if self.game.asked(body, slots) != 0 {
                self.add(kind, one);
            }
        }
    }

    fn add(&mut self, kind: Kind, one: i32) {
        if !self.found.contains(&(kind, one)) {
            self.found.push((kind, one));
        }
    }

    /// Looks into a term.
    fn within(&mut self, term: u16, args: &[Expr], slots: &mut Slots, look: impl FnOnce(&mut Self, &Expr, &mut Slots)) {
        let term = &self.game.ruleset.terms[usize::from(term)];
        let mut inner = self.game.handed(args, slots);
        let mut kinds = [None; 16];
        kinds.iter_mut().zip(&term.given).for_each(|(slot, (_, kind))| *slot = Some(*kind));
        let outer = std::mem::replace(&mut self.kinds, kinds);
        look(self, &term.body, &mut inner);
        self.kinds = outer;
    }

    fn kind_of_members(&self, domain: &Domain) -> Option<Kind> {
        Some(match domain {
            Domain::All(kind, _) | Domain::AllFor(kind, _) => *kind,
            Domain::UnitsAt(_) | Domain::UnitsNear(_) => Kind::Unit,
            Domain::Near(_)
            | Domain::Between(..)
            | Domain::Ray(..)
            | Domain::Spaces(_)
            | Domain::Reachable(..)
            | Domain::Along(_) => Kind::Space,
            Domain::Records(record) => Kind::Record(*record),
            Domain::Named(set, _) => self.game.ruleset.sets[usize::from(*set)].kind,
            Domain::Given(slot) => self.kinds[usize::from(*slot)]?.of_each()?,
            Domain::One(one) => self.kind_of(one)?,
            Domain::Union(sets) | Domain::Common(sets) | Domain::FirstOf(sets) => {
                self.kind_of_members(sets.first()?)?
            }
            Domain::Without(sets) => self.kind_of_members(&sets[0])?,
            Domain::Nearest { of, .. } | Domain::Region { of, .. } => self.kind_of_members(of)?,
        })
    }

    /// What a single thing is, where that shows.
    fn kind_of(&self, expr: &Expr) -> Option<Kind> {
        let ruleset = &self.game.ruleset;
        match expr {
            Expr::Slot(slot) => self.kinds[usize::from(*slot)],
            Expr::SpaceOf(_) | Expr::Onward(..) | Expr::Next(..) => Some(Kind::Space),
            Expr::State { column, .. } | Expr::Game(column) => Some(ruleset.schema.kind(*column)),
            Expr::Fixed { attribute, .. } => Some(ruleset.attributes[usize::from(*attribute)].kind),
            Expr::Term(term, _) => Some(ruleset.terms[usize::from(*term)].kind),
            Expr::Handing(call) => self.kind_of(call),
            Expr::If(parts) => self.kind_of(&parts[1]).or_else(|| self.kind_of(&parts[2])),
            _ => None,
        }
    }
}

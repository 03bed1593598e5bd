//! Whether something is in a set, without listing the set where that is the longer way.

use super::{evaluate::Slots, game::Game};
use crate::{
    map::{Flood, SpaceId},
    ruleset::{
        NamedSet,
        rows::{Domain, Expr, Relation, fold::reads_slot},
    },
};

/// What a member of a set must be for a condition to hold of it, which stands in `slot`: nothing where the condition asks
/// anything else.
pub(super) fn sought(when: &Expr, slot: u8) -> Option<&Expr> {
    let Expr::Compare(Relation::Equal, a, b) = when else { return None };
    let is_it = |e: &Expr| matches!(e, Expr::Slot(s) if *s == slot);
    match (is_it(a), is_it(b)) {
        (true, false) if !reads_slot(b, slot) => Some(b),
        (false, true) if !reads_slot(a, slot) => Some(a),
        _ => None,
    }
}

impl Game {
    /// Whether something is in a set.
    pub(super) fn is_in(&self, domain: &Domain, one: i32, slots: &mut Slots) -> bool {
        if one < 0 {
            return false; // nothing is in no set
        }
        match domain {
            Domain::Named(set, args) => {
                let mark = self.groups.mark();
                let mut given = self.handed(args, slots);
                let is_in = self.is_member(*set, one, &mut given);
                self.groups.back_to(mark);
                is_in
            }
            Domain::One(it) => self.eval(it, slots) == one,
            Domain::Union(sets) => sets.iter().any(|set| self.is_in(set, one, slots)),
            Domain::Common(sets) => sets.iter().all(|set| self.is_in(set, one, slots)),
            Domain::Reachable(mover, unit) => {
                let unit = self.eval(unit, slots);
                let is_end = |flood: &Flood| flood.cost_of(SpaceId(one as u32)).is_some();
                self.searched_for(*mover, unit, is_end).unwrap_or(false)
            }
            Domain::Without(sets) => self.is_in(&sets[0], one, slots) && !self.is_in(&sets[1], one, slots),
            set => self.members(set, slots).binary_search(&one).is_ok(),
        }
    }

    /// Whether something is in a set that the ruleset names, which is given what stands in the first slots: a set that is kept
    /// is looked through, for others are asked about it as well, and of any other it is asked whether it is one of those.
    pub(super) fn is_member(&self, set: u16, one: i32, slots: &mut Slots) -> bool {
        let named = &self.ruleset.sets[usize::from(set)];
        if named.keeping.is_some() {
            let given = &slots[..NamedSet::MOST_GIVEN];
            return self.work_on_members(set, given, |members| members.binary_search(&one).is_ok());
        }
        let is_none = !matches!(named.first, Expr::Const(1)) && self.eval(&named.first, slots) == 0;
        if is_none || !self.takes_steps(1) {
            return false;
        }
        let (is_among, when) = match &named.among {
            Domain::All(_, all) => (all.binary_search(&one).is_ok(), &named.when),
            Domain::AllFor(_, sides) => match self.of_phasing(sides) {
                Some(these) => (these.members.binary_search(&one).is_ok(), &these.when),
                None => return false,
            },
            of => (self.is_in(of, one, slots), &named.when),
        };
        slots[named.given.len()] = one;
        is_among && self.asked(when, slots) != 0
    }
}

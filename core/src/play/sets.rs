//! What rows ask about sets: of every member, and of how they fit together.

use super::{evaluate::Slots, game::Game, kept_sets::Kept, membership::sought};
use crate::{
    map::{Map, SpaceId},
    ruleset::{
        Kind, NamedSet,
        rows::{Domain, Expr, How, Relation, fold::Candidates},
    },
};

/// More members than anybody stacks: beyond that bins are filled by the greatest first.
const MOST_PACKED: usize = 12;

impl Game {
    #[inline]
    pub(super) fn over(&self, how: How, domain: &Domain, slot: u8, body: &Expr, slots: &mut Slots) -> i32 {
        let asked = match domain {
            Domain::All(_, list) => Some((list, body)),
            Domain::AllFor(_, sides) => self.of_phasing(sides).map(|these| (&these.members, &these.when)),
            _ => None,
        };
        if let (How::Any | How::Count, Some((list, when))) = (how, asked) {
            let mut units = self.fewest(when, slot, list, slots);
            self.leave(when, slot, &mut units, slots);
            return if how == How::Any { i32::from(!units.is_empty()) } else { units.len() as i32 };
        }
        if let (How::MoreThan(most), Domain::UnitsAt(space)) = (how, domain) {
            let at = self.eval(space, slots);
            let most = usize::from(most);
            if self.units_at(at).nth(most).is_none() {
                return 0;
            }
            let asked = self.units_at(at).filter(|unit| {
                slots[slot as usize] = *unit;
                self.asked(body, slots) != 0
            });
            return i32::from(asked.count() > most);
        }
        if let (How::Any, Domain::UnitsAt(space)) = (how, domain) {
            let at = self.eval(space, slots);
            let mut there = self.units_at(at);
            return i32::from(there.any(|unit| {
                slots[slot as usize] = unit;
                self.asked(body, slots) != 0
            }));
        }
        let is_made_of_sets = matches!(
            domain,
            Domain::Named(..)
                | Domain::Union(_)
                | Domain::Common(_)
                | Domain::Without(_)
                | Domain::FirstOf(_)
                | Domain::Reachable(..)
        );
        if let (How::Any, true, Some(it)) = (how, is_made_of_sets, sought(body, slot)) {
            let one = self.asked(it, slots);
            return i32::from(self.is_in(domain, one, slots));
        }
        let (mut count, mut total) = (0, 0);
        let (mut least, mut most) = (i32::MAX, i32::MIN);
        // `ask` answers whether to look at the next one.
        let ended = self.each_of(domain, slots, &mut |game, member, slots| {
            slots[slot as usize] = member;
            let value = game.asked(body, slots);
            total = i32::saturating_add(total, value);
            least = least.min(value);
            most = most.max(value);
            count += i32::from(value != 0);
            match how {
                How::Any => value == 0,
                How::All => value != 0,
                _ => true,
            }
        });
        match how {
            How::Any => i32::from(!ended),
            How::All => i32::from(ended),
            How::Count => count,
            How::MoreThan(most) => i32::from(count > i32::from(most)),
            How::Total | How::Bins | How::Fill => total,
            How::Min => {
                if least == i32::MAX {
                    0
                } else {
                    least
                }
            }
            How::Max => {
                if most == i32::MIN {
                    0
                } else {
                    most
                }
            }
        }
    }

    /// Of some things, in rising order, those that need be asked whether a condition holds.
    fn fewest(&self, when: &Expr, slot: u8, list: &[i32], slots: &mut Slots) -> Vec<i32> {
        self.few(when, slot, slots).map_or_else(|| list.to_vec(), |few| among(few, list))
    }

    /// Of all that stand in a slot, in rising order, those for which a condition may hold, where it wants them to be a
    /// certain one, or a property to be what few have.
    pub(super) fn few(&self, when: &Expr, slot: u8, slots: &mut Slots) -> Option<Vec<i32>> {
        let is_it = |e: &Expr| matches!(e, Expr::Slot(s) if *s == slot);
        match when {
            Expr::Both(parts) => parts.iter().find_map(|part| self.few(part, slot, slots)),
            Expr::Either(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.few(part, slot, slots)?);
                }
                all.sort_unstable();
                all.dedup();
                Some(all)
            }
            Expr::Compare(Relation::Equal, it, other) if is_it(it) && matches!(other.as_ref(), Expr::Slot(_)) => {
                Some(vec![self.eval(other, slots)])
            }
            Expr::Compare(relation, property, wanted) => {
                let Expr::State { of, column, cells, .. } = property.as_ref() else { return None };
                if !is_it(of) || !matches!(wanted.as_ref(), Expr::Slot(s) if *s != slot) {
                    return None;
                }
                let wanted = self.eval(wanted, slots);
                if relation.holds(self.ruleset.schema.columns[*column as usize].default, wanted) {
                    return None;
                }
                let values = self.values.slice(*cells);
                let few = self.values.changed_among(*cells).filter(|one| relation.holds(values[*one], wanted));
                Some(few.map(|one| one as i32).collect())
            }
            Expr::State { of, column, cells, .. }
                if is_it(of) && self.ruleset.schema.columns[usize::from(*column)].default == 0 =>
            {
                Some(self.values.changed_among(*cells).map(|one| one as i32).collect())
            }
            _ => None,
        }
    }

    /// What is to be asked while the phasing side moves.
    pub(super) fn of_phasing<'a>(&self, sides: &'a [Candidates]) -> Option<&'a Candidates> {
        sides.get(self.phasing().max(0) as usize)
    }

    /// The members of a set one after the other, until one answers no; whether none did.
    fn each_of(
        &self,
        domain: &Domain,
        slots: &mut Slots,
        ask: &mut impl FnMut(&Game, i32, &mut Slots) -> bool,
    ) -> bool {
        let map = &self.ruleset.map;
        match domain {
            Domain::All(_, list) => list.iter().all(|u| ask(self, *u, slots)),
            Domain::AllFor(_, sides) => {
                self.of_phasing(sides).is_none_or(|these| these.members.iter().all(|u| ask(self, *u, slots)))
            }
            Domain::UnitsAt(space) => {
                let at = self.eval(space, slots);
                let mut unit = self.first_at(at);
                loop {
                    if unit < 0 {
                        break true;
                    }
                    if !ask(self, unit, slots) {
                        break false;
                    }
                    unit = self.next_at(unit);
                }
            }
            Domain::UnitsNear(space) => {
                let at = self.eval(space, slots);
                at < 0
                    || map.near(SpaceId(at as u32)).all(|near| {
                        let mut unit = self.first_at(near.0 as i32);
                        while unit >= 0 {
                            if !ask(self, unit, slots) {
                                return false;
                            }
                            unit = self.next_at(unit);
                        }
                        true
                    })
            }
            Domain::One(one) => {
                let one = self.eval(one, slots);
                one < 0 || ask(self, one, slots)
            }
            Domain::Given(_)
            | Domain::Named(..)
            | Domain::Union(_)
            | Domain::Common(_)
            | Domain::Without(_)
            | Domain::FirstOf(_)
            | Domain::Nearest { .. }
            | Domain::Region { .. } => self.members(domain, slots).into_iter().all(|one| ask(self, one, slots)),
            Domain::Near(space) => {
                let at = self.eval(space, slots);
                at < 0 || map.near(SpaceId(at as u32)).all(|near| ask(self, near.0 as i32, slots))
            }
            Domain::Between(from, to) => {
                let (from, to) = (self.eval(from, slots), self.eval(to, slots));
                let crossed = self.line(from, to);
                let mut all = crossed.iter().flat_map(|c| [Some(c.space), c.beside]).flatten();
                all.all(|s| ask(self, s.0 as i32, slots))
            }
            Domain::Ray(from, way) => {
                let (from, way) = (self.eval(from, slots), self.eval(way, slots));
                from < 0 || map.ray(SpaceId(from as u32), way).all(|s| ask(self, s.0 as i32, slots))
            }
            Domain::Spaces(terrain) => {
                let bits = self.eval(terrain, slots) as u32;
                map.spaces_with(bits).all(|s| ask(self, s.0 as i32, slots))
            }
            Domain::Reachable(mover, unit) => {
                let unit = self.eval(unit, slots);
                self.reachable(*mover, unit).into_iter().all(|space| ask(self, space, slots))
            }
            Domain::Records(kind) => {
                let most = self.ruleset.schema.records[*kind as usize].most as i32;
                (0..most).filter(|r| self.exists(*kind, *r)).all(|r| ask(self, r, slots))
            }
            Domain::Along(spaces) => spaces.iter().all(|s| ask(self, s.0 as i32, slots)),
        }
    }

    /// The members of a set, in rising order and each but once.
    pub(super) fn members(&self, domain: &Domain, slots: &mut Slots) -> Vec<i32> {
        let mut list = match domain {
            Domain::Given(slot) => self.groups.members(slots[usize::from(*slot)]),
            Domain::Named(set, args) => {
                let mark = self.groups.mark();
                let given = self.handed(args, slots);
                let members = self.members_given(*set, &given[..NamedSet::MOST_GIVEN]);
                self.groups.back_to(mark);
                return members;
            }
            Domain::Union(sets) => {
                let mut all = Vec::with_capacity(sets.len());
                for set in sets {
                    match set {
                        Domain::One(one) => all.extend(Some(self.eval(one, slots)).filter(|one| *one >= 0)),
                        set => all.extend(self.members(set, slots)),
                    }
                }
                all
            }
            Domain::Common(sets) => {
                let mut sets = sets.iter();
                let mut left = sets.next().map(|set| self.members(set, slots)).unwrap_or_default();
                for set in sets {
                    let these = self.members(set, slots);
                    left.retain(|one| these.binary_search(one).is_ok());
                }
                return left;
            }
            Domain::Without(sets) => {
                let [mut left, gone] = [0, 1].map(|at| self.members(&sets[at], slots));
                left.retain(|one| gone.binary_search(one).is_err());
                return left;
            }
            Domain::FirstOf(sets) => {
                return sets.iter().map(|set| self.members(set, slots)).find(|set| !set.is_empty()).unwrap_or_default();
            }
            Domain::Nearest { of, to, units } => {
                let to = self.eval(to, slots);
                let far = |one: &i32| self.far(if *units { self.space_of(*one) } else { *one }, to);
                let mut list = self.members(of, slots);
                let least = list.iter().map(far).min().unwrap_or(0);
                list.retain(|one| far(one) == least && least < i32::from(Map::NEVER));
                return list;
            }
            Domain::Region { of, with, by } => self.region(of, with.as_ref(), by.as_ref(), slots),
            _ => {
                let mut list = Vec::new();
                self.each_of(domain, slots, &mut |_, member, _| {
                    list.push(member);
                    true
                });
                list
            }
        };
        if !self.takes_steps(1 + list.len() / Game::SIFTED_IN_A_STEP) {
            list.clear();
        }
        list.sort_unstable();
        list.dedup();
        list
    }

    /// What a set is given that another asks about with these.
    pub(super) fn handed(&self, args: &[Expr], slots: &mut Slots) -> Slots {
        let mut handed = [-1; 16];
        for (at, arg) in args.iter().enumerate() {
            handed[at] = self.eval(arg, slots);
        }
        handed
    }

    /// The members of a set that the ruleset names, in rising order; what it is given stands in the first slots.
    pub(super) fn members_of(&self, set: u16, slots: &mut Slots) -> Vec<i32> {
        let which = Kept::Named(set);
        let set = &self.ruleset.sets[usize::from(set)];
        let slot = set.given.len() as u8;
        let is_none = !matches!(set.first, Expr::Const(1)) && self.eval(&set.first, slots) == 0;
        if is_none || !self.takes_steps(1) {
            return Vec::new();
        }
        match &set.among {
            Domain::All(_, all) if set.kind == Kind::Space => {
                let few = self.fewest(&set.when, slot, all, slots);
                self.sift_spaces(&set.when, &few, slot, slots)
            }
            Domain::AllFor(_, sides) if set.kind == Kind::Space => self
                .of_phasing(sides)
                .map_or_else(Vec::new, |these| self.sift_spaces(&these.when, &these.members, slot, slots)),
            Domain::All(_, all) => {
                let (mut list, when) = match (self.few(&set.when, slot, slots), &set.alone) {
                    (None, Some(alone)) => (self.passing_alone(which, all, alone, slot), &alone.rest),
                    (None, None) => (all.clone(), &set.when),
                    (Some(few), _) => (among(few, all), &set.when),
                };
                self.leave(when, slot, &mut list, slots);
                list
            }
            Domain::AllFor(_, sides) => {
                self.of_phasing(sides).map_or_else(Vec::new, |these| self.sifted(which, these, slot, slots))
            }
            of => {
                let mut list = self.members(of, slots);
                self.leave(&set.when, slot, &mut list, slots);
                list
            }
        }
    }

    pub(super) fn packed(
        &self,
        how: How,
        domain: &Domain,
        slot: u8,
        [which, size, room]: &[Expr; 3],
        slots: &mut Slots,
    ) -> i32 {
        let room = self.eval(room, slots);
        let mut members = Vec::new();
        self.each_of(domain, slots, &mut |_, member, _| {
            members.push(member);
            true
        });
        self.sift(which, true, slot, &mut members, slots);
        let size_of = |member: i32| {
            slots[slot as usize] = member;
            self.asked(size, slots).max(0)
        };
        let mut sizes: Vec<i32> = members.into_iter().map(size_of).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let mut ask = || self.takes_steps(1);
        if how == How::Fill { fill(&sizes, room) } else { bins(&sizes, room, &mut ask) as i32 }
    }
}

/// Those of a list that are in another, which is in rising order.
fn among(mut these: Vec<i32>, all: &[i32]) -> Vec<i32> {
    these.retain(|one| all.binary_search(one).is_ok());
    these
}

/// The least number of bins that hold these, the greatest first.
fn bins(sizes: &[i32], room: i32, try_one: &mut impl FnMut() -> bool) -> usize {
    let large = sizes.iter().take_while(|size| **size >= room).count();
    let rest = &sizes[large..];
    match rest {
        [] => large,
        [_] => large + 1,
        _ => {
            let greedy = by_greatest(rest, room);
            let mut enough = |most: usize| fits(rest, &mut Vec::new(), most, room, try_one);
            let fewer = (1..greedy).filter(|_| rest.len() <= MOST_PACKED).find(|most| enough(*most));
            large + fewer.unwrap_or(greedy)
        }
    }
}

/// Whether so many bins hold these besides what is in them. Gives up where it may not try another one.
fn fits(sizes: &[i32], used: &mut Vec<i32>, most: usize, room: i32, try_one: &mut impl FnMut() -> bool) -> bool {
    let Some((size, rest)) = sizes.split_first() else { return true };
    if !try_one() {
        return false;
    }
    for at in 0..used.len() {
        if *size <= room - used[at] && !used[..at].contains(&used[at]) {
            used[at] += size;
            if fits(rest, used, most, room, try_one) {
                return true;
            }
            used[at] -= size;
        }
    }
    if used.len() == most {
        return false;
    }
    used.push(*size);
    let fit = fits(rest, used, most, room, try_one);
    if !fit {
        used.pop();
    }
    fit
}

/// Each into the first bin that has room for it.
fn by_greatest(sizes: &[i32], room: i32) -> usize {
    let mut used: Vec<i32> = Vec::new();
    for size in sizes {
        match used.iter_mut().find(|bin| *size <= room - **bin) {
            Some(bin) => *bin += size,
            None => used.push(*size),
        }
    }
    used.len()
}

/// No bin that is filled has room for more.
const MOST_ROOM: i32 = 10_000;

/// The greatest sum of some of these that is no more than there is room for.
fn fill(sizes: &[i32], room: i32) -> i32 {
    let Ok(room) = usize::try_from(room.min(MOST_ROOM)) else { return 0 };
    let mut sums = vec![false; room + 1];
    sums[0] = true;
    for size in sizes.iter().filter_map(|size| usize::try_from(*size).ok()) {
        for sum in (size..=room).rev() {
            sums[sum] |= sums[sum - size];
        }
    }
    sums.iter().rposition(|is| *is).unwrap_or(0) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_as_few_as_can_be() {
        assert_eq!(bins(&[], 5, &mut || true), 0);
        assert_eq!(bins(&[6, 2, 2, 1], 5, &mut || true), 2);
        assert_eq!(bins(&[3, 3], 5, &mut || true), 2);
        assert_eq!(bins(&[3, 3, 2, 2], 5, &mut || true), 2);
        assert_eq!(bins(&[4, 2, 2, 2], 5, &mut || true), 3);
        assert_eq!(bins(&[2, 2, 2, 2, 1, 1], 5, &mut || true), 2);
    }

    #[test]
    fn no_size_is_too_large_to_be_packed() {
        assert_eq!(bins(&[i32::MAX - 1, i32::MAX - 1], i32::MAX, &mut || true), 2);
        assert_eq!(fill(&[20_000, 9_000, i32::MAX], i32::MAX), 9_000);
    }

    #[test]
    fn a_bin_is_filled_as_far_as_it_goes() {
        assert_eq!(fill(&[4, 3], 5), 4);
        assert_eq!(fill(&[3, 2], 5), 5);
        assert_eq!(fill(&[7], 5), 0);
        assert_eq!(fill(&[], 5), 0);
    }
}

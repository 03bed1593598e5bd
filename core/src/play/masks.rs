//! Where a condition holds, worked out for all spaces at once where that can be.

use super::{
    evaluate::Slots,
    game::Game,
    guards::Wanted,
    membership::sought,
    space_set::{count_in, holds, set_of, spaces_in},
};
use crate::{
    map::{Border, BorderId, Map, SpaceId},
    ruleset::rows::{Domain, Expr, How, Relation, Stated, fold::reads_slot},
};

/// Where a condition holds.
pub(super) enum Mask {
    /// Everywhere or nowhere.
    Everywhere(bool),
    /// In these spaces, as a bit set.
    These(Vec<u64>),
}

impl Mask {
    /// Of so many spaces, those of which something holds.
    fn of(spaces: usize, holds: impl Fn(usize) -> bool) -> Mask {
        let word = |at: usize| {
            let rest = at * 64..spaces.min(at * 64 + 64);
            rest.fold(0, |word, space| word | u64::from(holds(space)) << (space % 64))
        };
        Mask::These((0..spaces.div_ceil(64)).map(word).collect())
    }
}

impl Game {
    /// The spaces where a condition holds, where that can be worked out for all of them at once; the space stands
    /// in `slot`, what is given before it in the slots from 0. What it says of spaces that are not among `these` means
    /// nothing.
    pub(super) fn mask(&self, expr: &Expr, slot: u8, given: &[i32], these: &[u64]) -> Option<Mask> {
        self.takes_steps(1);
        let is_it = |e: &Expr| matches!(e, Expr::Slot(s) if *s == slot);
        let is_at = |domain: &Domain| matches!(domain, Domain::UnitsAt(at) if is_it(at));
        match expr {
            Expr::Zone { zone, space, side } if is_it(space) => {
                if reads_slot(side, slot) {
                    return None;
                }
                let side = self.value(side, given);
                if side < 0 {
                    return Some(Mask::Everywhere(false)); // nobody meets no zone
                }
                Some(Mask::These(self.with_zone(*zone, side, <[u64]>::to_vec)))
            }
            Expr::Not(inner) => Some(match self.mask(inner, slot, given, these)? {
                Mask::Everywhere(holds) => Mask::Everywhere(!holds),
                Mask::These(bits) => Mask::These(bits.into_iter().map(|word| !word).collect()),
            }),
            Expr::If(parts) if !reads_slot(&parts[0], slot) => {
                let mut slots = [-1; 16];
                slots[..given.len()].copy_from_slice(given);
                self.mask(self.chosen(parts, &mut slots), slot, given, these)
            }
            Expr::Both(list) | Expr::Either(list) => {
                let every = matches!(expr, Expr::Both(_));
                let mut joined = Mask::Everywhere(every);
                let mut open = Vec::new();
                // The lightest part comes first, and most guards are off most of the time.
                for part in list {
                    // What the parts before have settled need not be asked.
                    let these = if let Mask::These(bits) = &joined {
                        let turn = if every { 0 } else { u64::MAX };
                        open.clear();
                        open.extend(these.iter().zip(bits).map(|(these, bits)| these & (bits ^ turn)));
                        &open
                    } else {
                        these
                    };
                    let holds =
                        self.mask(part, slot, given, these).or_else(|| self.mask_of_few(part, slot, given, these))?;
                    joined = match (joined, holds) {
                        (_, Mask::Everywhere(holds)) if holds != every => return Some(Mask::Everywhere(holds)),
                        (joined, Mask::Everywhere(_)) => joined,
                        (Mask::Everywhere(_), bits) => bits,
                        (Mask::These(mut bits), Mask::These(more)) => {
                            let join = |(a, b): (&mut u64, &u64)| if every { *a &= b } else { *a |= b };
                            bits.iter_mut().zip(&more).for_each(join);
                            Mask::These(bits)
                        }
                    };
                }
                Some(joined)
            }
            Expr::Terrain(space, terrain) if is_it(space) => {
                if reads_slot(terrain, slot) {
                    return None;
                }
                let map = &self.ruleset.map;
                let mut bits = vec![0; map.len().div_ceil(64)];
                for terrain in map.terrain_sets(self.value(terrain, given) as u32) {
                    bits.iter_mut().zip(terrain).for_each(|(all, these)| *all |= these);
                }
                Some(Mask::These(bits))
            }
            Expr::Term(term, args) => {
                if !reads_slot(expr, slot) {
                    return Some(Mask::Everywhere(self.holds(expr, given)));
                }
                let (at, inner) = self.asked_inside(args, slot, given)?;
                self.mask(&self.ruleset.terms[*term as usize].body, at, &inner, these)
            }
            Expr::Over { how: How::Any, domain, slot: bound, body, .. } if reads_slot(expr, slot) => {
                match domain.as_ref() {
                    Domain::All(_, units) => self.mask_of_any(units, (*bound, body), slot, given, these),
                    Domain::AllFor(_, sides) => {
                        let units = self.of_phasing(sides)?;
                        self.mask_of_any(&units.members, (*bound, &units.when), slot, given, these)
                    }
                    Domain::UnitsAt(at) | Domain::UnitsNear(at) if is_it(at) => {
                        let is_near = matches!(domain.as_ref(), Domain::UnitsNear(_));
                        self.mask_of_those(is_near, (*bound, body), slot, given, these)
                    }
                    Domain::Named(..) | Domain::Reachable(..) if !domain.any(&mut |e| is_it(e)) => {
                        let mut slots = [-1; 16];
                        slots[..given.len()].copy_from_slice(given);
                        let members = self.members(domain, &mut slots);
                        if sought(body, *bound).is_some_and(is_it) {
                            return Some(Mask::These(set_of(&members, self.ruleset.map.len())));
                        }
                        self.mask_of_any(&members, (*bound, body), slot, given, these)
                    }
                    _ => None,
                }
            }
            Expr::Over { how: How::MoreThan(most), domain, slot: bound, body } if is_at(domain) => {
                self.mask_of_counts(|count| count > i32::from(*most), (*bound, body), slot, given, these)
            }
            Expr::State { column, cells, of, .. } if is_it(of) => {
                Some(self.mask_of_state(*column, *cells, Relation::NotEqual, 0))
            }
            Expr::Fixed { attribute, of, .. } if is_it(of) => {
                Some(self.mask_of_printed(*attribute, Relation::NotEqual, 0))
            }
            Expr::Compare(relation @ (Relation::Equal | Relation::NotEqual), a, b)
                if is_it(a) && !reads_slot(b, slot) || is_it(b) && !reads_slot(a, slot) =>
            {
                let one = self.value(if is_it(a) { b } else { a }, given);
                let turn = if *relation == Relation::Equal { 0 } else { u64::MAX };
                let mut bits = vec![turn; self.ruleset.map.len().div_ceil(64)];
                if let Some(word) = usize::try_from(one).ok().and_then(|one| bits.get_mut(one / 64)) {
                    *word ^= 1 << (one % 64);
                }
                Some(Mask::These(bits))
            }
            Expr::Compare(relation, a, b) if !reads_slot(b, slot) => {
                let wanted = self.value(b, given);
                match a.as_ref() {
                    a if !reads_slot(a, slot) => Some(Mask::Everywhere(self.holds(expr, given))),
                    Expr::State { column, cells, of, .. } if is_it(of) => {
                        Some(self.mask_of_state(*column, *cells, *relation, wanted))
                    }
                    Expr::Fixed { attribute, of, .. } if is_it(of) => {
                        Some(self.mask_of_printed(*attribute, *relation, wanted))
                    }
                    Expr::Over { how: How::Count, domain, slot: bound, body } if is_at(domain) => {
                        self.mask_of_counts(|count| relation.holds(count, wanted), (*bound, body), slot, given, these)
                    }
                    Expr::Distance(from, to) => self.mask_of_distance((from, to), *relation, wanted, slot, given),
                    _ => None,
                }
            }
            Expr::Feature(these, from, to) => {
                self.mask_of_borders(|b| b.features & these != 0, (from, to), slot, given)
            }
            Expr::Road(these, from, to) => self.mask_of_borders(|b| b.roads & these != 0, (from, to), slot, given),
            Expr::Stated(Stated::Edge, space) if is_it(space) => {
                Some(Mask::These(self.ruleset.map.edge_set().to_vec()))
            }
            Expr::Stated(Stated::Entry, space) if is_it(space) => {
                let mut bits = vec![0u64; self.ruleset.map.len().div_ceil(64)];
                self.ruleset.map.entries.iter().for_each(|e| bits[e.at.0 as usize / 64] |= 1 << (e.at.0 % 64));
                Some(Mask::These(bits))
            }
            _ if reads_slot(expr, slot) => None,
            _ => Some(Mask::Everywhere(self.holds(expr, given))),
        }
    }

    /// Where a condition holds that must be asked of spaces one by one, if these are few enough for that.
    fn mask_of_few(&self, when: &Expr, slot: u8, given: &[i32], these: &[u64]) -> Option<Mask> {
        /// Few is one space of a map in so many.
        const FEW: usize = 16;
        let spaces = self.ruleset.map.len();
        if count_in(these) > spaces / FEW {
            return None;
        }
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        let mut bits = vec![0; these.len()];
        for space in spaces_in(these, spaces) {
            slots[usize::from(slot)] = space as i32;
            bits[space / 64] |= u64::from(self.asked(when, &mut slots) != 0) << (space % 64);
        }
        Some(Mask::These(bits))
    }

    /// What a word is given that asks one thing of the space in a slot, and in which of its own slots the space stands;
    /// nothing where it asks more.
    pub(super) fn asked_inside(&self, args: &[Expr], slot: u8, given: &[i32]) -> Option<(u8, Slots)> {
        let mut its = args.iter().enumerate().filter(|(_, arg)| reads_slot(arg, slot));
        let (at, arg) = its.next()?;
        if its.next().is_some() || !matches!(arg, Expr::Slot(_)) {
            return None;
        }
        let mut inner = [-1; 16];
        args.iter().zip(&mut inner).for_each(|(arg, inner)| *inner = self.value(arg, given));
        Some((at as u8, inner))
    }

    /// Of two ends of which one is the space in a slot: the other, and whether it is the one that comes first; nothing where both
    /// are asked about, or the other is nowhere. Where one cannot go back as one came, what comes first is not turned round.
    fn other_end(&self, from: &Expr, to: &Expr, slot: u8, given: &[i32]) -> Option<(SpaceId, bool)> {
        let is_it = |e: &Expr| matches!(e, Expr::Slot(s) if *s == slot);
        let (other, is_first) = match (is_it(from), is_it(to)) {
            (false, true) if !reads_slot(from, slot) => (from, true),
            (true, false) if !reads_slot(to, slot) && self.ruleset.map.is_mutual() => (to, false),
            _ => return None,
        };
        Some((SpaceId(u32::try_from(self.value(other, given)).ok()?), is_first))
    }

    /// The spaces that are so far from another, or it from them; nothing where both ends are asked about.
    fn mask_of_distance(
        &self,
        (from, to): (&Expr, &Expr),
        relation: Relation,
        wanted: i32,
        slot: u8,
        given: &[i32],
    ) -> Option<Mask> {
        let map = &self.ruleset.map;
        let (other, _) = self.other_end(from, to, slot, given)?;
        // No farther than so many steps, or the contrary; where it is so many exactly, without those that are nearer.
        let wanted = match relation {
            Relation::Less | Relation::GreaterOrEqual => wanted.saturating_sub(1),
            _ => wanted,
        };
        let is_exact = matches!(relation, Relation::Equal | Relation::NotEqual);
        let turn = matches!(relation, Relation::Greater | Relation::GreaterOrEqual | Relation::NotEqual);
        let mut bits = vec![if turn { u64::MAX } else { 0 }; map.len().div_ceil(64)];
        // Far ones are looked for among all.
        self.takes_steps(map.len() / Game::SIFTED_IN_A_STEP);
        for range in [Some(wanted), is_exact.then(|| wanted.saturating_sub(1))].into_iter().flatten() {
            // Nothing lies nearer than 0.
            let Ok(range) = u16::try_from(range.min(i32::from(Map::NEVER))) else { continue };
            map.within(other, range).iter().for_each(|s| bits[s.0 as usize / 64] ^= 1 << (s.0 % 64));
        }
        Some(Mask::These(bits))
    }

    /// The spaces whose border with another is such; nothing where both ends are asked about.
    fn mask_of_borders(
        &self,
        is_such: impl Fn(Border) -> bool,
        (from, to): (&Expr, &Expr),
        slot: u8,
        given: &[i32],
    ) -> Option<Mask> {
        let map = &self.ruleset.map;
        let (other, is_first) = self.other_end(from, to, slot, given)?;
        let mut bits = vec![0; map.len().div_ceil(64)];
        for at in map.borders_out(other) {
            let near = map.target(BorderId(at as u32));
            let over = if is_first { Some(BorderId(at as u32)) } else { map.between(near, other) };
            let is_such = over.is_some_and(|over| is_such(map.border(over)));
            bits[near.0 as usize / 64] |= u64::from(is_such) << (near.0 % 64);
        }
        Some(Mask::These(bits))
    }

    /// Where a property of spaces stands so to a value.
    fn mask_of_printed(&self, attribute: u16, relation: Relation, wanted: i32) -> Mask {
        let values = &self.ruleset.attributes[usize::from(attribute)].values;
        self.takes_steps(values.len() / Game::SIFTED_IN_A_STEP);
        Mask::of(values.len(), |space| relation.holds(values[space], wanted))
    }

    fn mask_of_state(&self, column: u16, cells: (u32, u32), relation: Relation, wanted: i32) -> Mask {
        let usual = relation.holds(self.ruleset.schema.columns[column as usize].default, wanted);
        if self.is_as_usual(column) {
            return Mask::Everywhere(usual);
        }
        // Most stand as they do by default; the others are asked one by one.
        let values = self.values.slice(cells);
        let mut set = self.values.changed_of(cells);
        for (at, word) in set.iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                let holds = relation.holds(values[at * 64 + bit as usize], wanted);
                *word &= !(u64::from(holds == usual) << bit);
                rest &= rest - 1;
            }
            if usual {
                *word = !*word;
            }
        }
        Mask::These(set)
    }

    /// Where a condition holds of any of some units and a space among these, worked out unit by unit: what all spaces
    /// can be asked at once narrows them down, and the rest is asked of those left. Nothing where nothing narrows them
    /// down.
    fn mask_of_any(
        &self,
        units: &[i32],
        (bound, body): (u8, &Expr),
        slot: u8,
        given: &[i32],
        these: &[u64],
    ) -> Option<Mask> {
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        let parts = if let Expr::Both(parts) = body { parts.as_slice() } else { std::slice::from_ref(body) };
        let mut units = units.to_vec();
        for part in parts.iter().filter(|part| !reads_slot(part, slot)) {
            self.sift(part, true, bound, &mut units, &mut slots);
        }
        let asked: Wanted<'_> = parts.iter().filter(|p| reads_slot(p, slot)).map(|p| (p, true)).collect();
        let spaces = self.ruleset.map.len();
        let mut all = vec![0; spaces.div_ceil(64)];
        for unit in units {
            slots[usize::from(bound)] = unit;
            let mut left = these.to_vec();
            let Some(rest) = self.narrow(asked.iter().copied(), slot, &slots, &mut left, 0) else { continue };
            if rest.len() == asked.len() {
                return None;
            }
            left.iter_mut().zip(&all).for_each(|(left, all)| *left &= !all);
            for space in spaces_in(&left, spaces) {
                slots[usize::from(slot)] = space as i32;
                if self.all_come_out(&rest, &mut slots) {
                    all[space / 64] |= 1 << (space % 64);
                }
            }
            slots[usize::from(slot)] = -1;
        }
        Some(Mask::These(all))
    }

    /// Where a condition holds of any of the units that stand in a space among these, or near it, worked out unit by unit.
    /// Nothing where it is as soon asked of the spaces.
    fn mask_of_those(
        &self,
        is_near: bool,
        (bound, body): (u8, &Expr),
        slot: u8,
        given: &[i32],
        these: &[u64],
    ) -> Option<Mask> {
        let map = &self.ruleset.map;
        if is_near && !map.is_mutual() {
            return None;
        }
        let (units, of_both, mut slots) = self.those_meant(is_near, (bound, body), slot, given, these)?;
        let mut all = vec![0; these.len()];
        for unit in units {
            slots[usize::from(bound)] = unit;
            let at = SpaceId(self.space_of(unit) as u32);
            let mut mark = |space: SpaceId| {
                slots[usize::from(slot)] = space.0 as i32;
                if holds(these, space) && !holds(&all, space) && self.all_hold(&of_both, &mut slots) {
                    all[space.0 as usize / 64] |= 1 << (space.0 % 64);
                }
            };
            if is_near { map.near(at).for_each(&mut mark) } else { mark(at) }
        }
        Some(Mask::These(all))
    }

    /// Where so many of the units that stand in a space among these, of whom a condition holds, are as many as is wanted.
    /// Nothing where it is as soon asked of the spaces.
    fn mask_of_counts(
        &self,
        is_wanted: impl Fn(i32) -> bool,
        (bound, body): (u8, &Expr),
        slot: u8,
        given: &[i32],
        these: &[u64],
    ) -> Option<Mask> {
        let (units, of_both, mut slots) = self.those_meant(false, (bound, body), slot, given, these)?;
        let is_one = |unit: &i32| {
            let at = self.space_of(*unit);
            [slots[usize::from(bound)], slots[usize::from(slot)]] = [*unit, at];
            holds(these, SpaceId(at as u32)) && self.all_hold(&of_both, &mut slots)
        };
        let mut at: Vec<i32> = units.into_iter().filter(is_one).map(|unit| self.space_of(unit)).collect();
        at.sort_unstable();
        let usual = is_wanted(0);
        let mut bits = vec![if usual { u64::MAX } else { 0 }; these.len()];
        for there in at.chunk_by(|a, b| a == b) {
            let space = there[0] as usize;
            bits[space / 64] ^= u64::from(is_wanted(there.len() as i32) != usual) << (space % 64);
        }
        Some(Mask::These(bits))
    }

    /// Of the units on the map those of whom all holds that a condition asks of them alone, and what it asks of them and the
    /// space in a slot. Nothing where it is as soon asked of these spaces who stands in them, or near.
    fn those_meant<'a>(
        &self,
        is_near: bool,
        (bound, body): (u8, &'a Expr),
        slot: u8,
        given: &[i32],
        these: &[u64],
    ) -> Option<(Vec<i32>, Vec<&'a Expr>, Slots)> {
        /// So few spaces are as soon asked.
        const FEW: usize = 2;
        /// As soon as a space is asked who stands in it, so many units are asked about themselves.
        const UNITS_FOR_A_SPACE: usize = 4;
        let parts = if let Expr::Both(parts) = body { parts.as_slice() } else { std::slice::from_ref(body) };
        let (of_both, of_units): (Vec<&Expr>, Vec<&Expr>) = parts.iter().partition(|part| reads_slot(part, slot));
        let spaces = count_in(these);
        if of_units.is_empty() || spaces <= FEW {
            return None;
        }
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        let few = of_units.iter().find_map(|part| self.few(part, bound, &mut slots));
        let all = self.ruleset.units.len();
        if few.is_none() && !is_near && spaces * UNITS_FOR_A_SPACE < all {
            return None;
        }
        let mut units = few.unwrap_or_else(|| (0..all as i32).collect());
        units.retain(|unit| self.space_of(*unit) >= 0);
        for part in of_units {
            self.sift(part, true, bound, &mut units, &mut slots);
        }
        Some((units, of_both, slots))
    }

    fn all_hold(&self, conditions: &[&Expr], slots: &mut Slots) -> bool {
        conditions.iter().all(|when| self.asked(when, slots) != 0)
    }
}

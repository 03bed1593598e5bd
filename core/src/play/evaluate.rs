//! Evaluates rows over a game.

use super::{game::Game, kept_sets::Kept, lookups::Plain, membership::sought};
use crate::{
    map::SpaceId,
    ruleset::rows::{
        Domain, Expr, How, Relation,
        fold::{Candidates, There, reads_slot},
    },
};

/// What a row is given, then what it binds; unused slots are -1.
pub type Slots = [i32; 16];

/// Leaves in a list those for which something holds. Written without a branch, because no processor can predict which
/// stay: each is written, and the next one over it if it does not stay.
#[inline(always)]
fn keep(list: &mut Vec<i32>, mut holds: impl FnMut(&i32) -> bool) {
    let mut kept = 0;
    for at in 0..list.len() {
        let one = list[at];
        list[kept] = one;
        kept += usize::from(holds(&one));
    }
    list.truncate(kept);
}

/// Leaves in a list those whose value, by number, stands in a relation to one: which, is looked at once.
fn keep_related(list: &mut Vec<i32>, values: &[i32], relation: Relation, to: i32) {
    let value = |one: &i32| values[*one as usize];
    match relation {
        Relation::Equal => keep(list, |one| value(one) == to),
        Relation::NotEqual => keep(list, |one| value(one) != to),
        Relation::Less => keep(list, |one| value(one) < to),
        Relation::LessOrEqual => keep(list, |one| value(one) <= to),
        Relation::Greater => keep(list, |one| value(one) > to),
        Relation::GreaterOrEqual => keep(list, |one| value(one) >= to),
    }
}

impl Game {
    /// Evaluates a condition: a yes is 1, a no is 0.
    pub fn holds(&self, expr: &Expr, given: &[i32]) -> bool {
        self.value(expr, given) != 0
    }

    /// Evaluates a sum or any other value.
    pub fn value(&self, expr: &Expr, given: &[i32]) -> i32 {
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        self.asked(expr, &mut slots)
    }

    /// The same of one thing after the other, for those who fill the slots themselves.
    pub(super) fn asked(&self, expr: &Expr, slots: &mut Slots) -> i32 {
        if self.takes_steps(1) { self.eval(expr, slots) } else { 0 }
    }

    pub(super) fn eval(&self, expr: &Expr, slots: &mut Slots) -> i32 {
        match expr {
            Expr::Const(value) => *value,
            Expr::Slot(slot) => slots[*slot as usize],
            Expr::State { of_nothing, cells, of, .. } => {
                let of = self.leaf(of, slots);
                self.cell(*cells, of, *of_nothing)
            }
            Expr::Game(column) => self.get(*column, 0),
            Expr::Fixed { of_nothing, attribute, of } => {
                let of = self.leaf(of, slots);
                let values = &self.ruleset.attributes[*attribute as usize].values;
                values.get(of as usize).copied().unwrap_or(i32::from(*of_nothing))
            }
            Expr::SpaceOf(unit) => {
                let unit = self.leaf(unit, slots);
                self.space_of(unit)
            }
            Expr::InBox(unit, index) => {
                let unit = self.leaf(unit, slots);
                i32::from(self.place(unit) == self.box_place(*index))
            }
            Expr::Not(a) => i32::from(self.leaf(a, slots) == 0),
            Expr::Both(list) => i32::from(list.iter().all(|e| self.leaf(e, slots) != 0)),
            Expr::Either(list) => i32::from(list.iter().any(|e| self.leaf(e, slots) != 0)),
            Expr::If(parts) => {
                let [when, then, other] = parts.as_ref();
                if self.leaf(when, slots) != 0 { self.leaf(then, slots) } else { self.leaf(other, slots) }
            }
            Expr::Compare(relation, a, b) => {
                let a = self.leaf(a, slots);
                i32::from(relation.holds(a, self.leaf(b, slots)))
            }
            Expr::Add(a, b) => self.leaf(a, slots).saturating_add(self.leaf(b, slots)),
            Expr::Less(a, b) => self.leaf(a, slots).saturating_sub(self.leaf(b, slots)),
            Expr::Times(a, b) => self.leaf(a, slots).saturating_mul(self.leaf(b, slots)),
            Expr::Share(a, by) => self.leaf(a, slots).div_euclid(*by),
            Expr::Lesser(a, b) => self.leaf(a, slots).min(self.leaf(b, slots)),
            Expr::Greater(a, b) => self.leaf(a, slots).max(self.leaf(b, slots)),
            Expr::Zone { zone, space, side } => {
                let (space, side) = (self.leaf(space, slots), self.leaf(side, slots));
                i32::from(self.in_zone(*zone, side, space))
            }
            Expr::Terrain(space, terrain) => {
                let (space, bits) = (self.leaf(space, slots), self.leaf(terrain, slots));
                i32::from(space >= 0 && self.ruleset.map.space(SpaceId(space as u32)).terrain & bits as u32 != 0)
            }
            Expr::Feature(bits, a, b) => {
                let border = self.border(a, b, slots);
                i32::from(border.is_some_and(|border| border.features & bits != 0))
            }
            Expr::Road(bits, a, b) => {
                let border = self.border(a, b, slots);
                i32::from(border.is_some_and(|border| border.roads & bits != 0))
            }
            Expr::Distance(a, b) => {
                let (a, b) = (self.leaf(a, slots), self.leaf(b, slots));
                self.far(a, b)
            }
            Expr::Stated(what, space) => {
                let space = self.leaf(space, slots);
                if space < 0 { 0 } else { self.stated(*what, SpaceId(space as u32)) }
            }
            Expr::Line(parts) => {
                let [from, to, at] = [0, 1, 2].map(|n| self.leaf(&parts[n], slots));
                self.line_over(from, to, at)
            }
            Expr::Sees { sight, from, to } => {
                let (from, to) = (self.leaf(from, slots), self.leaf(to, slots));
                i32::from(self.sees(*sight, from, to))
            }
            Expr::Over { how, domain, slot, body } => self.over(*how, domain, *slot, body, slots),
            Expr::Packed { how, domain, slot, asked } => self.packed(*how, domain, *slot, asked, slots),
            Expr::Onward(from, at) => {
                let (from, at) = (self.leaf(from, slots), self.leaf(at, slots));
                if from < 0 || at < 0 {
                    return -1;
                }
                let onward = self.ruleset.map.onward(SpaceId(from as u32), SpaceId(at as u32));
                onward.map_or(-1, |space| space.0 as i32)
            }
            Expr::Direction(from, to) => {
                let (from, to) = (self.leaf(from, slots), self.leaf(to, slots));
                if from < 0 || to < 0 {
                    return -1;
                }
                self.ruleset.map.direction(SpaceId(from as u32), SpaceId(to as u32)).unwrap_or(-1)
            }
            Expr::Next(from, way) => {
                let (from, way) = (self.leaf(from, slots), self.leaf(way, slots));
                self.ruleset.map.all_next(way).get(from as usize).copied().unwrap_or(-1)
            }
            Expr::Turned(way, by) => {
                let way = self.leaf(way, slots);
                self.ruleset.map.turned(way, self.leaf(by, slots))
            }
            Expr::Angle(a, b) => {
                let a = self.leaf(a, slots);
                self.ruleset.map.angle(a, self.leaf(b, slots)).unwrap_or(crate::map::Map::NEVER.into())
            }
            Expr::Group(domain) => {
                let members = self.members(domain, slots);
                self.groups.keep(members)
            }
            Expr::Handing(call) => {
                let mark = self.groups.mark();
                let answer = self.eval(call, slots);
                self.groups.back_to(mark);
                answer
            }
            Expr::Term(number, args) => {
                let term = &self.ruleset.terms[*number as usize];
                if !self.takes_steps(1) {
                    return 0;
                }
                let mut inner = [-1; 16];
                for (at, arg) in args.iter().enumerate() {
                    inner[at] = self.leaf(arg, slots);
                }
                match &term.of_ground {
                    Some(of) => self.of_ground(*number, term, of, &mut inner),
                    None => self.eval(&term.body, &mut inner),
                }
            }
            Expr::Listed(list, args) => self.come_to(&self.ruleset.rows[*list as usize], &mut self.handed(args, slots)),
        }
    }

    /// Which of two values is chosen.
    pub(super) fn chosen<'a>(&self, [when, then, other]: &'a [Expr; 3], slots: &mut Slots) -> &'a Expr {
        if self.asked(when, slots) != 0 { then } else { other }
    }

    /// The same as [`Game::eval`], with the commonest small expressions in place of a call.
    #[inline(always)]
    fn leaf(&self, expr: &Expr, slots: &mut Slots) -> i32 {
        match expr {
            Expr::Const(value) => *value,
            Expr::Slot(slot) => slots[*slot as usize],
            Expr::State { of_nothing, cells, of, .. } => match of.as_ref() {
                Expr::Slot(slot) => self.cell(*cells, slots[*slot as usize], *of_nothing),
                _ => self.eval(expr, slots),
            },
            Expr::SpaceOf(of) => match of.as_ref() {
                Expr::Slot(slot) => self.space_of(slots[*slot as usize]),
                _ => self.eval(expr, slots),
            },
            _ => self.eval(expr, slots),
        }
    }

    /// One of the cells of a column.
    #[inline(always)]
    fn cell(&self, (base, count): (u32, u32), of: i32, of_nothing: i8) -> i32 {
        if (of as u32) < count { self.values.get(base as usize + of as usize) } else { i32::from(of_nothing) }
    }

    /// The candidates for which a question holds that asks which are in a set, or pass, in their order.
    pub(super) fn sifted(&self, which: Kept, candidates: &Candidates, slot: u8, slots: &mut Slots) -> Vec<i32> {
        let Candidates { members: all, when, alone, .. } = candidates;
        let (mut members, when) = match (self.there(candidates, slots), alone) {
            (Some(there), _) => (there, when),
            (None, Some(alone)) => (self.passing_alone(which, all, alone, slot), &alone.rest),
            (None, None) => (all.clone(), when),
        };
        self.leave(when, slot, &mut members, slots);
        members
    }

    /// Leaves in a list, in rising order, those for which a condition holds; each stands in `slot` while it is asked.
    pub(super) fn leave(&self, when: &Expr, slot: u8, list: &mut Vec<i32>, slots: &mut Slots) {
        /// So many are asked one by one: more are quicker asked together.
        const FEW: usize = 4;
        if list.len() > FEW {
            return self.sift(when, true, slot, list, slots);
        }
        if matches!(when, Expr::Const(1)) {
            return;
        }
        list.retain(|one| {
            slots[usize::from(slot)] = *one;
            self.asked(when, slots) != 0
        });
        slots[usize::from(slot)] = -1;
    }

    /// Of the candidates those who stand where the question wants them, if it does and that is somewhere.
    fn there(&self, candidates: &Candidates, slots: &mut Slots) -> Option<Vec<i32>> {
        let There { when, space } = candidates.there.as_ref()?;
        let at = (self.eval(when, slots) != 0).then(|| self.eval(space, slots)).filter(|at| *at >= 0)?;
        let mut members: Vec<i32> =
            self.units_at(at).filter(|unit| candidates.members.binary_search(unit).is_ok()).collect();
        members.sort_unstable();
        Some(members)
    }

    /// What a property comes to, while it is at its default everywhere: for something that is, and for what is nowhere.
    fn alike(&self, of: &Expr, column: u16, exists: impl Fn(u8) -> bool, holds: impl Fn(i32) -> bool) -> Option<bool> {
        if !self.is_as_usual(column) {
            return None;
        }
        let column = &self.ruleset.schema.columns[column as usize];
        let usual = holds(column.default);
        // Of what is nowhere it may come to something else.
        let exists = matches!(of, Expr::Slot(slot) if exists(*slot));
        (exists || usual == holds(column.kind.of_nothing().into())).then_some(usual)
    }

    /// Keeps of a list, in rising order, those for which a condition comes out so; each stands in `slot` while
    /// it is asked. One look at the condition serves for the whole list.
    pub(super) fn sift(&self, when: &Expr, holds: bool, slot: u8, list: &mut Vec<i32>, slots: &mut Slots) {
        let of_it = |e: &Expr| matches!(e, Expr::Slot(s) if *s == slot);
        let of_others = |e: &Expr| match e {
            Expr::Const(_) | Expr::Game(_) => true,
            Expr::Slot(s) => *s != slot,
            _ => false,
        };
        let its_space = |e: &Expr| matches!(e, Expr::SpaceOf(of) if of_it(of));
        let place_of_other = |e: &Expr| match e {
            Expr::SpaceOf(of) => of_others(of),
            e => of_others(e),
        };
        if !self.takes_steps(1 + list.len() / Game::SIFTED_IN_A_STEP) {
            return list.clear();
        }
        match when {
            Expr::Const(value) if (*value != 0) == holds => (),
            Expr::Const(_) => list.clear(),
            Expr::Not(inner) => self.sift(inner, !holds, slot, list, slots),
            Expr::If(parts) if !reads_slot(&parts[0], slot) => {
                let chosen = self.chosen(parts, slots);
                self.sift(chosen, holds, slot, list, slots);
            }
            Expr::Both(parts) | Expr::Either(parts) if matches!(when, Expr::Both(_)) == holds => {
                for part in parts {
                    if list.is_empty() {
                        return;
                    }
                    self.sift(part, holds, slot, list, slots);
                }
            }
            Expr::Both(_) | Expr::Either(_) => {
                let mut others = list.clone();
                self.sift(when, !holds, slot, &mut others, slots);
                if others.is_empty() {
                    return;
                }
                let mut others = others.iter().peekable();
                keep(list, |one| others.next_if_eq(&one).is_none());
            }
            Expr::State { of, column, .. }
                if let Some(all) = self.alike(of, *column, |s| s == slot, |value| value != 0) =>
            {
                if all != holds {
                    list.clear();
                }
            }
            Expr::InBox(of, index) if of_it(of) => {
                let there = self.box_place(*index);
                keep(list, |one| (self.place(*one) == there) == holds);
            }
            // What a term asks of one thing is asked inside it.
            Expr::Term(term, args) if args.iter().all(|a| of_it(a) || of_others(a)) => {
                let mut inner = [-1; 16];
                for (at, arg) in args.iter().enumerate() {
                    inner[at] = self.leaf(arg, slots);
                }
                let body = &self.ruleset.terms[*term as usize].body;
                let mut its = (0..args.len()).filter(|at| of_it(&args[*at]));
                match (its.next(), its.next()) {
                    (Some(at), None) => self.sift(body, holds, at as u8, list, &mut inner),
                    (None, _) if (self.eval(body, &mut inner) != 0) == holds => (),
                    (None, _) => list.clear(),
                    _ => keep(list, |one| {
                        (0..args.len()).filter(|at| of_it(&args[*at])).for_each(|at| inner[at] = *one);
                        (self.eval(body, &mut inner) != 0) == holds
                    }),
                }
            }
            Expr::Compare(relation, a, b) => {
                let known = of_others(b).then(|| self.leaf(b, slots));
                let exists = |s: u8| s == slot || slots[s as usize] >= 0;
                if let (Expr::State { of, column, .. }, Some(b)) = (a.as_ref(), known)
                    && let Some(all) = self.alike(of, *column, exists, |value| relation.holds(value, b))
                {
                    if all != holds {
                        list.clear();
                    }
                    return;
                }
                match (self.plain(a, slot, slots), self.plain(b, slot, slots)) {
                    // It hangs on none of them.
                    (Some(Plain::Known(a)), Some(Plain::Known(b))) => {
                        if relation.holds(a, b) != holds {
                            list.clear();
                        }
                        return;
                    }
                    (Some(Plain::Its(a)), Some(Plain::Known(b))) => {
                        let relation = if holds { *relation } else { relation.negated() };
                        return keep_related(list, a, relation, b);
                    }
                    (Some(a), Some(Plain::Known(b))) => {
                        return keep(list, |one| relation.holds(a.of(self, *one), b) == holds);
                    }
                    (Some(a), Some(b)) => {
                        return keep(list, |one| relation.holds(a.of(self, *one), b.of(self, *one)) == holds);
                    }
                    _ => (),
                }
                match (a.as_ref(), known) {
                    (Expr::Distance(from, to), Some(b)) if of_it(from) && place_of_other(to) => {
                        let to = self.eval(to, slots);
                        // One row of distances is looked along, where it is the same as one goes back.
                        match u32::try_from(to).ok().and_then(|to| self.ruleset.map.distances_to(SpaceId(to))) {
                            Some(row) => keep(list, |one| {
                                let far = row.get(*one as usize).copied().unwrap_or(crate::map::Map::NEVER);
                                relation.holds(far.into(), b) == holds
                            }),
                            None => keep(list, |one| relation.holds(self.far(*one, to), b) == holds),
                        }
                    }
                    (Expr::Distance(from, to), Some(b)) if its_space(from) && place_of_other(to) => {
                        let to = self.eval(to, slots);
                        keep(list, |one| relation.holds(self.far(self.space_of(*one), to), b) == holds);
                    }
                    (Expr::Distance(from, to), Some(b)) if its_space(to) && place_of_other(from) => {
                        let from = self.eval(from, slots);
                        let never = i32::from(crate::map::Map::NEVER);
                        let row = u32::try_from(from).ok().map(|from| self.ruleset.map.distances_from(SpaceId(from)));
                        keep(list, |one| {
                            let to = self.space_of(*one) as usize;
                            let far = row.as_ref().and_then(|row| row.get(to)).map_or(never, |far| i32::from(*far));
                            relation.holds(far, b) == holds
                        });
                    }
                    _ => keep(list, |one| {
                        slots[slot as usize] = *one;
                        let a = self.leaf(a, slots);
                        relation.holds(a, self.leaf(b, slots)) == holds
                    }),
                }
            }
            Expr::Zone { zone, space, side } if of_it(space) && of_others(side) => {
                let side = self.leaf(side, slots);
                if side < 0 {
                    if holds {
                        list.clear();
                    }
                    return;
                }
                self.with_zone(*zone, side, |bits| {
                    keep(list, |one| {
                        let is_in = *one >= 0 && bits[*one as usize / 64] >> (*one as usize % 64) & 1 == 1;
                        is_in == holds
                    });
                });
            }
            Expr::Zone { zone, space, side } if its_space(space) || of_it(space) => {
                let itself = of_it(space);
                // Made once for each side that is asked about, one after the other, and then looked into.
                let mut made = (-1, 0);
                keep(list, |one| {
                    slots[slot as usize] = *one;
                    let space = if itself { *one } else { self.space_of(*one) };
                    let side = self.leaf(side, slots);
                    if space < 0 || side < 0 {
                        return !holds;
                    }
                    if made.0 != side {
                        made = (side, self.fresh_zone(*zone, side));
                    }
                    let bits = &self.zones.borrow()[made.1].bits;
                    (bits[space as usize / 64] >> (space as usize % 64) & 1 == 1) == holds
                });
            }
            // A set that hangs on none of them is found once.
            Expr::Over { how: how @ (How::Any | How::All), domain, slot: bound, body }
                if list.len() > 1
                    && !matches!(**domain, Domain::All(..) | Domain::AllFor(..))
                    && !domain.any(&mut |e| of_it(e)) =>
            {
                let members = self.members(domain, slots);
                let wanted = *how == How::Any;
                if wanted && sought(body, *bound).is_some_and(of_it) {
                    return keep(list, |one| members.binary_search(one).is_ok() == holds);
                }
                keep(list, |one| {
                    slots[slot as usize] = *one;
                    let mut members = members.iter();
                    let is_found = members.any(|member| {
                        slots[*bound as usize] = *member;
                        (self.asked(body, slots) != 0) == wanted
                    });
                    (is_found == wanted) == holds
                });
            }
            _ => match self.plain(when, slot, slots) {
                Some(Plain::Its(values)) => keep(list, |one| (values[*one as usize] != 0) == holds),
                Some(value) => keep(list, |one| (value.of(self, *one) != 0) == holds),
                None => keep(list, |one| {
                    slots[slot as usize] = *one;
                    (self.eval(when, slots) != 0) == holds
                }),
            },
        }
    }

    /// The distance between two spaces; nowhere is never reached.
    pub(super) fn far(&self, from: i32, to: i32) -> i32 {
        if from < 0 || to < 0 {
            return i32::from(crate::map::Map::NEVER);
        }
        let (map, from, to) = (&self.ruleset.map, SpaceId(from as u32), SpaceId(to as u32));
        if !map.knows_distance(from, to) && !self.takes_steps(map.len() / Game::REACHED_IN_A_STEP) {
            return i32::from(crate::map::Map::NEVER);
        }
        i32::from(map.distance(from, to))
    }

    fn border(&self, a: &Expr, b: &Expr, slots: &mut Slots) -> Option<crate::map::Border> {
        let (a, b) = (self.eval(a, slots), self.eval(b, slots));
        if a < 0 || b < 0 {
            return None;
        }
        let map = &self.ruleset.map;
        map.between(SpaceId(a as u32), SpaceId(b as u32)).map(|at| map.border(at))
    }
}

//! Guards of a move as they stand: worked out for all spaces at once where that can be.

use super::{
    evaluate::Slots,
    game::Game,
    space_set::{holds, set_of, spaces_in},
};
use crate::{
    map::SpaceId,
    ruleset::{
        StepRow,
        rows::{Domain, Expr, How, Relation, Row, Rows, Stated, fold::reads_slot},
    },
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

/// Conditions, each with how it must come out.
type Wanted<'a> = Vec<(&'a Expr, bool)>;

/// Guards of a move as they stand: a bit set of closed spaces, and what must be asked space by space or border
/// by border.
#[derive(Clone)]
pub(super) struct Guards<'a> {
    pub(super) closed: Vec<u64>,
    /// What closes some of these spaces, where it comes out so.
    by_space: Vec<(Vec<u64>, Wanted<'a>)>,
    by_border: Vec<Crossing<'a>>,
}

/// What closes borders: those out of some spaces into some others, where what is left to ask comes out so.
#[derive(Clone)]
struct Crossing<'a> {
    from: Vec<u64>,
    to: Vec<u64>,
    asked: Wanted<'a>,
}

impl<'a> Guards<'a> {
    /// Of these rows, given so much; the space left stands in slot 1, the space entered in slot 2.
    pub(super) fn new(rows: &[Option<&'a Rows>], game: &Game, given: &[i32]) -> Guards<'a> {
        let words = game.ruleset.map.len().div_ceil(64);
        let mut guards = Guards { closed: vec![0; words], by_space: Vec::new(), by_border: Vec::new() };
        guards.add(rows.iter().copied().flatten().flat_map(|rows| &rows.rows), game, given);
        guards
    }

    /// Of these rows in each symbol of a mode, which stands in slot 3. What does not ask about it is worked out once.
    pub(super) fn by_symbol(rows: &[Option<&'a Rows>], game: &Game, unit: i32, symbols: usize) -> Vec<Guards<'a>> {
        let asks_symbol = |row: &&Row| row.looks_at.slot(StepRow::SYMBOL);
        let rows = || rows.iter().copied().flatten().flat_map(|rows| &rows.rows);
        let mut alike = Guards::new(&[], game, &[]);
        alike.add(rows().filter(|row| !asks_symbol(row)), game, &[unit, -1, -1, -1]);
        let of = |symbol| {
            let mut guards = alike.clone();
            guards.add(rows().filter(asks_symbol), game, &[unit, -1, -1, symbol]);
            guards
        };
        (0..symbols as i32).map(of).collect()
    }

    fn add(&mut self, rows: impl Iterator<Item = &'a Row>, game: &Game, given: &[i32]) {
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        let mut left = Vec::with_capacity(self.closed.len());
        for row in rows {
            if row.looks_at.slot(1) {
                self.by_border.extend(game.crossing(&row.when, &slots));
                continue;
            }
            // The commonest guard by far: a zone that one may not enter.
            if let Expr::Zone { zone, space, side } = &row.when
                && matches!(space.as_ref(), Expr::Slot(2))
                && !reads_slot(side, 2)
            {
                game.with_zone(*zone, game.value(side, given), |bits| self.close(bits));
                continue;
            }
            // What is closed already need not be asked about.
            left.clear();
            left.extend(self.closed.iter().map(|closed| !closed));
            match game.mask(&row.when, 2, &slots, &left) {
                Some(Mask::Everywhere(false)) => (),
                Some(Mask::Everywhere(true)) => self.closed.fill(u64::MAX),
                Some(Mask::These(bits)) => self.close(&bits),
                None => self.add_asked(&row.when, game, &mut slots, &mut left),
            }
        }
    }

    /// Adds a guard that must be asked of spaces one by one, of no others than these: at once where they are few.
    fn add_asked(&mut self, when: &'a Expr, game: &Game, slots: &mut Slots, these: &mut Vec<u64>) {
        /// Few is one space of a map in so many.
        const FEW: usize = 4;
        let spaces = game.ruleset.map.len();
        let Some(asked) = game.narrow(vec![(when, true)], 2, slots, these, 0) else { return };
        if these.iter().map(|word| word.count_ones() as usize).sum::<usize>() > spaces / FEW {
            self.by_space.push((std::mem::take(these), asked));
            return;
        }
        for space in spaces_in(these, spaces) {
            slots[2] = space as i32;
            if game.all_come_out(&asked, slots) {
                self.closed[space / 64] |= 1 << (space % 64);
            }
        }
        slots[2] = -1;
    }

    fn close(&mut self, spaces: &[u64]) {
        self.closed.iter_mut().zip(spaces).for_each(|(closed, these)| *closed |= these);
    }

    #[inline]
    pub(super) fn is_closed(&self, space: SpaceId) -> bool {
        holds(&self.closed, space)
    }

    /// Whether the bit set says it all.
    pub(super) fn asks_nothing(&self) -> bool {
        self.by_space.is_empty() && self.by_border.is_empty()
    }

    /// The spaces of which the bit set does not say whether one may come into them.
    pub(super) fn asked(&self) -> impl Iterator<Item = &[u64]> {
        let spaces = self.by_space.iter().map(|(these, _)| &**these);
        spaces.chain(self.by_border.iter().map(|crossing| &*crossing.to))
    }

    /// Whether anything must be asked of spaces.
    pub(super) fn asks_spaces(&self) -> bool {
        !self.by_space.is_empty()
    }

    /// Whether anything that must be asked of a space closes it; what is given has room for it.
    pub(super) fn asks(&self, game: &Game, given: &[i32], space: SpaceId) -> bool {
        let mut slots = [-1; 16];
        slots[..5].copy_from_slice(&at_step(given, None, space));
        self.by_space.iter().any(|(these, asked)| holds(these, space) && game.all_come_out(asked, &mut slots))
    }

    /// Whether anything that must be asked of a border holds.
    pub(super) fn asks_border(&self, game: &Game, given: &[i32], from: SpaceId, to: SpaceId) -> bool {
        self.by_border.iter().any(|Crossing { from: out, to: into, asked }| {
            let mut slots = [-1; 16];
            slots[..5].copy_from_slice(&at_step(given, Some(from), to));
            holds(out, from) && holds(into, to) && game.all_come_out(asked, &mut slots)
        })
    }
}

/// What is given, with the space left in slot 1 and the space entered in slot 2.
fn at_step(given: &[i32], from: Option<SpaceId>, to: SpaceId) -> [i32; 5] {
    let mut all = [-1; 5];
    all[..given.len()].copy_from_slice(given);
    all[1] = from.map_or(-1, |from| from.0 as i32);
    all[2] = to.0 as i32;
    all
}

impl Game {
    /// Whether all of these come out as they must.
    pub(super) fn all_come_out(&self, asked: &[(&Expr, bool)], slots: &mut Slots) -> bool {
        asked.iter().all(|(when, wanted)| (self.asked(when, slots) != 0) == *wanted)
    }

    /// The borders that a guard closes, which is given the space left in slot 1 and the space entered in slot 2: what it
    /// asks of one of them alone is worked out for all spaces at once. Nothing where it closes none.
    fn crossing<'a>(&self, when: &'a Expr, slots: &Slots) -> Option<Crossing<'a>> {
        let parts = if let Expr::Both(parts) = when { parts.as_slice() } else { std::slice::from_ref(when) };
        let (of_both, of_one): (Vec<&Expr>, Vec<&Expr>) =
            parts.iter().partition(|part| reads_slot(part, 1) && reads_slot(part, 2));
        let (of_from, of_to): (Vec<&Expr>, Vec<&Expr>) = of_one.into_iter().partition(|part| reads_slot(part, 1));
        let wanted = |parts: Vec<&'a Expr>| parts.into_iter().map(|part| (part, true)).collect::<Wanted<'a>>();
        let mut to = vec![u64::MAX; self.ruleset.map.len().div_ceil(64)];
        let mut from = to.clone();
        let mut asked = self.narrow(wanted(of_to), 2, slots, &mut to, 0)?;
        asked.extend(self.narrow(wanted(of_from), 1, slots, &mut from, 0)?);
        asked.extend(wanted(of_both));
        Some(Crossing { from, to, asked })
    }

    /// The spaces where a condition holds, where that can be worked out for all of them at once; the space stands
    /// in `slot`, what is given before it in the slots from 0. What it says of spaces that are not among `these` means
    /// nothing.
    fn mask(&self, expr: &Expr, slot: u8, given: &[i32], these: &[u64]) -> Option<Mask> {
        self.takes_steps(1);
        let is_it = |e: &Expr| matches!(e, Expr::Slot(s) if *s == slot);
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
            Expr::Both(list) | Expr::Either(list) => {
                let every = matches!(expr, Expr::Both(_));
                let mut joined = Mask::Everywhere(every);
                // The lightest part comes first, and most guards are off most of the time.
                for part in list {
                    joined = match (joined, self.mask(part, slot, given, these)?) {
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
            Expr::Over { how: How::Any, domain, slot: bound, body, .. } if reads_slot(body, slot) => {
                match domain.as_ref() {
                    Domain::All(units) => self.mask_of_any(units, (*bound, body), slot, given, these),
                    Domain::AllFor(sides) => {
                        let units = self.of_phasing(sides)?;
                        self.mask_of_any(&units.members, (*bound, &units.when), slot, given, these)
                    }
                    _ => None,
                }
            }
            Expr::State { column, cells, of, .. } if is_it(of) => {
                Some(self.mask_of_state(*column, *cells, Relation::NotEqual, 0))
            }
            Expr::Fixed { attribute, of, .. } if is_it(of) => {
                Some(self.mask_of_printed(*attribute, Relation::NotEqual, 0))
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
                    Expr::Distance(from, to) => self.mask_of_distance((from, to), *relation, wanted, slot, given),
                    _ => None,
                }
            }
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

    /// What a word is given that asks one thing of the space in a slot, and in which of its own slots the space stands;
    /// nothing where it asks more.
    fn asked_inside(&self, args: &[Expr], slot: u8, given: &[i32]) -> Option<(u8, Slots)> {
        let mut its = args.iter().enumerate().filter(|(_, arg)| reads_slot(arg, slot));
        let (at, arg) = its.next()?;
        if its.next().is_some() || !matches!(arg, Expr::Slot(_)) {
            return None;
        }
        let mut inner = [-1; 16];
        args.iter().zip(&mut inner).for_each(|(arg, inner)| *inner = self.value(arg, given));
        Some((at as u8, inner))
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
        let is_it = |e: &Expr| matches!(e, Expr::Slot(s) if *s == slot);
        let (other, back) = match (is_it(from), is_it(to)) {
            (false, true) if !reads_slot(from, slot) => (from, false),
            (true, false) if !reads_slot(to, slot) => (to, true),
            _ => return None,
        };
        let other = SpaceId(u32::try_from(self.value(other, given)).ok()?);
        let far = if back { map.distances_to(other)? } else { map.distances_from(other) };
        // No farther than so many steps, or the contrary.
        let range = match relation {
            Relation::LessOrEqual | Relation::Greater => u16::try_from(wanted).ok(),
            Relation::Less | Relation::GreaterOrEqual => u16::try_from(wanted.saturating_sub(1)).ok(),
            Relation::Equal | Relation::NotEqual => None,
        };
        let Some(range) = range else {
            self.takes_steps(map.len() / Game::SIFTED_IN_A_STEP);
            return Some(Mask::of(map.len(), |space| relation.holds(i32::from(far[space]), wanted)));
        };
        let turn = matches!(relation, Relation::Greater | Relation::GreaterOrEqual);
        let mut bits = vec![if turn { u64::MAX } else { 0 }; map.len().div_ceil(64)];
        map.within(other, range).iter().for_each(|s| bits[s.0 as usize / 64] ^= 1 << (s.0 % 64));
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
            let Some(rest) = self.narrow(asked.clone(), slot, &slots, &mut left, 0) else { continue };
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

    /// Takes out of a set of spaces what these conditions, each with how it must come out, say of all spaces at once;
    /// hands back those that must be asked one by one. So must all that follow once so `few` are left. Nothing where
    /// no space is left.
    pub(super) fn narrow<'a>(
        &self,
        mut conditions: Vec<(&'a Expr, bool)>,
        slot: u8,
        slots: &Slots,
        left: &mut [u64],
        few: usize,
    ) -> Option<Vec<(&'a Expr, bool)>> {
        let mut asked = Vec::new();
        conditions.reverse();
        while let Some((when, wanted)) = conditions.pop() {
            match when {
                Expr::Not(inner) => conditions.push((inner, !wanted)),
                Expr::Both(parts) | Expr::Either(parts) if matches!(when, Expr::Both(_)) == wanted => {
                    conditions.extend(parts.iter().rev().map(|part| (part, wanted)));
                }
                _ => match self.mask(when, slot, slots, left) {
                    Some(Mask::Everywhere(holds)) if holds == wanted => (),
                    Some(Mask::Everywhere(_)) => return None,
                    Some(Mask::These(bits)) => {
                        let turn = if wanted { 0 } else { u64::MAX };
                        left.iter_mut().zip(&bits).for_each(|(left, bits)| *left &= bits ^ turn);
                        if few > 0 && left.iter().map(|word| word.count_ones() as usize).sum::<usize>() < few {
                            asked.extend(conditions.drain(..).rev());
                        }
                    }
                    None => {
                        // What a word wants besides what must be asked narrows them down all the same.
                        if let (Expr::Term(term, args), true) = (when, wanted)
                            && let Some((at, inner)) = self.asked_inside(args, slot, slots)
                        {
                            let body = &self.ruleset.terms[*term as usize].body;
                            self.narrow(vec![(body, true)], at, &inner, left, 0)?;
                        }
                        asked.push((when, wanted));
                    }
                },
            }
        }
        Some(asked)
    }

    /// Of some spaces, in rising order, those for which a condition holds; each stands in `slot` while it is asked.
    pub(super) fn sift_spaces(&self, when: &Expr, spaces: &[i32], slot: u8, slots: &mut Slots) -> Vec<i32> {
        /// Of a map's spaces one in so many must be asked about before whole sets are the quicker way.
        const SETS_PAY: usize = 6;
        let count = self.ruleset.map.len();
        if spaces.len() * SETS_PAY < count {
            let mut found = spaces.to_vec();
            self.sift(when, true, slot, &mut found, slots);
            return found;
        }
        let mut left = if spaces.len() == count { vec![u64::MAX; count.div_ceil(64)] } else { set_of(spaces, count) };
        let Some(asked) = self.narrow(vec![(when, true)], slot, slots, &mut left, count / SETS_PAY) else {
            return Vec::new();
        };
        let mut found: Vec<i32> = spaces_in(&left, count).map(|space| space as i32).collect();
        for (when, wanted) in asked {
            self.sift(when, wanted, slot, &mut found, slots);
        }
        found
    }
}

//! Guards of a move as they stand: worked out for all spaces at once where that can be.

use super::{
    evaluate::Slots,
    game::Game,
    masks::Mask,
    space_set::{count_in, holds, set_of, spaces_in},
};
use crate::{
    map::SpaceId,
    ruleset::{
        StepRow,
        rows::{Expr, Row, Rows, fold::reads_slot},
    },
};

/// Conditions, each with how it must come out.
pub(super) type Wanted<'a> = Vec<(&'a Expr, bool)>;

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
        let mut all = vec![alike; symbols];
        for (symbol, guards) in all.iter_mut().enumerate() {
            guards.add(rows().filter(asks_symbol), game, &[unit, -1, -1, symbol as i32]);
        }
        all
    }

    fn add(&mut self, rows: impl Iterator<Item = &'a Row>, game: &Game, given: &[i32]) {
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        let mut left = Vec::new();
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
        let Some(asked) = game.narrow([(when, true)], 2, slots, these, 0) else { return };
        if count_in(these) > spaces / FEW {
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

    /// The spaces of which neither the bit set nor what is barred says whether one may come into them.
    pub(super) fn asked(&self) -> impl Iterator<Item = &[u64]> {
        let spaces = self.by_space.iter().map(|(these, _)| &**these);
        let borders = self.by_border.iter().filter(|crossing| !crossing.asked.is_empty());
        spaces.chain(borders.map(|crossing| &*crossing.to))
    }

    /// The borders that are closed without asking: those out of some spaces into some, as bit sets.
    pub(super) fn barred(&self) -> impl Iterator<Item = [&[u64]; 2]> {
        let borders = self.by_border.iter().filter(|crossing| crossing.asked.is_empty());
        borders.map(|crossing| [&*crossing.from, &*crossing.to])
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

/// A set of spaces that is being narrowed down.
struct Narrowing<'a, 'g> {
    game: &'g Game,
    /// Where a space stands while it is asked.
    slot: u8,
    slots: &'g Slots,
    /// Those that are left.
    left: &'g mut [u64],
    few: usize,
    /// Whether so few are left that they are asked one by one.
    are_few: bool,
    /// What must be asked of them.
    asked: Wanted<'a>,
}

impl<'a> Narrowing<'a, '_> {
    /// By how a condition must come out; whether any space is left.
    fn by(&mut self, when: &'a Expr, wanted: bool) -> bool {
        let Narrowing { game, slot, slots, .. } = *self;
        match when {
            Expr::If(parts) if !reads_slot(&parts[0], slot) => {
                return self.by(game.chosen(parts, &mut slots.clone()), wanted);
            }
            _ if self.are_few => {
                self.asked.push((when, wanted));
                return true;
            }
            Expr::Not(inner) => return self.by(inner, !wanted),
            Expr::Both(parts) | Expr::Either(parts) if matches!(when, Expr::Both(_)) == wanted => {
                return parts.iter().all(|part| self.by(part, wanted));
            }
            _ => (),
        }
        match game.mask(when, slot, slots, self.left) {
            Some(Mask::Everywhere(holds)) => return holds == wanted,
            Some(Mask::These(bits)) => {
                let turn = if wanted { 0 } else { u64::MAX };
                self.left.iter_mut().zip(&bits).for_each(|(left, bits)| *left &= bits ^ turn);
                let count = count_in(self.left);
                self.are_few = count < self.few;
                return count > 0;
            }
            None => (),
        }
        // What a word wants besides what must be asked narrows them down all the same.
        if let (Expr::Term(term, args), true) = (when, wanted)
            && let Some((at, inner)) = game.asked_inside(args, slot, slots)
        {
            let body = &game.ruleset.terms[*term as usize].body;
            if game.narrow([(body, true)], at, &inner, self.left, 0).is_none() {
                return false;
            }
        }
        self.asked.push((when, wanted));
        true
    }
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
        let (mut of_both, mut of_from, mut of_to) = (Wanted::new(), Wanted::new(), Wanted::new());
        for part in parts {
            match (reads_slot(part, 1), reads_slot(part, 2)) {
                (true, true) => of_both.push((part, true)),
                (true, false) => of_from.push((part, true)),
                (false, true) => of_to.push((part, true)),
                // What is asked of neither is the same for all borders.
                (false, false) if self.asked(part, &mut slots.clone()) == 0 => return None,
                (false, false) => (),
            }
        }
        let mut to = vec![u64::MAX; self.ruleset.map.len().div_ceil(64)];
        let mut from = to.clone();
        let mut asked = self.narrow(of_to, 2, slots, &mut to, 0)?;
        asked.extend(self.narrow(of_from, 1, slots, &mut from, 0)?);
        asked.extend(of_both);
        Some(Crossing { from, to, asked })
    }

    /// Takes out of a set of spaces what these conditions, each with how it must come out, say of all spaces at once;
    /// hands back those that must be asked one by one. So must all that follow once so `few` are left. Nothing where
    /// no space is left.
    pub(super) fn narrow<'a>(
        &self,
        conditions: impl IntoIterator<Item = (&'a Expr, bool)>,
        slot: u8,
        slots: &Slots,
        left: &mut [u64],
        few: usize,
    ) -> Option<Wanted<'a>> {
        let mut narrowing = Narrowing { game: self, slot, slots, left, few, are_few: false, asked: Vec::new() };
        conditions.into_iter().all(|(when, wanted)| narrowing.by(when, wanted)).then_some(narrowing.asked)
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
        let Some(asked) = self.narrow([(when, true)], slot, slots, &mut left, count / SETS_PAY) else {
            return Vec::new();
        };
        let mut found: Vec<i32> = spaces_in(&left, count).map(|space| space as i32).collect();
        for (when, wanted) in asked {
            self.sift(when, wanted, slot, &mut found, slots);
        }
        found
    }
}

//! Where a move may end, of all that it comes to.

use std::cell::LazyCell;

use super::{
    game::Game,
    moves::Move,
    space_set::{holds, spaces_in, union_of},
};
use crate::{
    map::{Flood, Mode, SpaceId},
    ruleset::{
        Mover, RefusesEnds, StepRow,
        rows::{Row, Rows},
    },
};

impl Game {
    /// Leaves out the ends that the guards of a move's end refuse; they are passed.
    pub(super) fn keep_ends(&self, flood: &mut Flood, m: &Move, at_end: Option<&Rows>) {
        flood.passed.clear();
        let Some(rows) = at_end else { return };
        let start = self.space_list(m.unit).map_or(-1, |s| s.0 as i32);
        let mover = &self.ruleset.movers[m.mover as usize];
        let spaces = self.ruleset.map.len();
        let by_symbol = |row: &Row| row.looks_at.slot(StepRow::SYMBOL);
        let given = [m.unit, start, -1];
        if mover.ends_by_symbol {
            let reached = flood.set_of_reached(spaces);
            // What is asked of no symbol is asked once.
            let mut in_all = flood.no_ends.take();
            flood.end_in_modes(&reached, |mode| {
                let given = [m.unit, start, -1, mode.symbol.max(0).into()];
                let own = self.closed_ends(mover, &|| &reached, &given, rows, by_symbol);
                let others = || self.closed_ends(mover, &|| &reached, &given[..3], rows, |row| !by_symbol(row));
                union_of([&*own, in_all.get_or_insert_with(others)].into_iter().filter(|set| !set.is_empty()))
            });
            flood.no_ends = in_all;
            return;
        }
        let reached = LazyCell::new(|| flood.set_of_reached(spaces));
        let closed = self.closed_ends(mover, &|| &reached, &given, rows, |_| true);
        if closed.iter().any(|word| *word != 0) {
            let Flood { reached, passed, .. } = flood;
            passed.extend(reached.extract_if(.., |r| holds(&closed, r.space)));
        }
    }

    /// Of spaces reached, those that these guards of a move's end refuse, given so much beside the space, as a bit set;
    /// empty where they refuse none. Mostly none can be refused, and nobody need know what is reached.
    fn closed_ends<'r>(
        &self,
        mover: &Mover,
        reached: &dyn Fn() -> &'r Vec<u64>,
        given: &[i32],
        rows: &Rows,
        are_asked: impl Fn(&Row) -> bool,
    ) -> Vec<u64> {
        /// So few spaces are sooner asked about one by one.
        const FEW: usize = 6;
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        let (mut closed, mut left) = (Vec::new(), Vec::new());
        for (_, RefusesEnds { any, those }) in
            rows.rows.iter().zip(&mover.refuses_ends).filter(|(row, _)| are_asked(row))
        {
            // Most rows are about other units than this, or other times.
            if self.asked(any, &mut slots) == 0 {
                continue;
            }
            if those.is_empty() {
                return vec![u64::MAX; reached().len()];
            }
            // What can be said of all spaces at once is, and the rest is asked of those that are left and reached.
            left.clone_from(reached());
            let wanted = those.iter().map(|part| (part, true));
            let Some(asked) = self.narrow(wanted, 2, &slots, &mut left, FEW) else { continue };
            closed.resize(left.len(), 0);
            for space in spaces_in(&left, self.ruleset.map.len()) {
                slots[2] = space as i32;
                if self.all_come_out(&asked, &mut slots) {
                    closed[space / 64] |= 1 << (space % 64);
                }
            }
            slots[2] = -1;
        }
        closed
    }

    /// Whether the guards of a move's end let it end in a space in a mode.
    pub(super) fn may_end(&self, m: &Move, to: SpaceId, mode: Mode) -> bool {
        let start = self.space_list(m.unit).map_or(-1, |s| s.0 as i32);
        let given = [m.unit, start, to.0 as i32, i32::from(mode.symbol).max(0)];
        self.ruleset.movers[m.mover as usize].may_stop.is_none_or(|rows| self.passes(rows as u16, &given))
    }
}

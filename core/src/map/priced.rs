//! What it costs to step out of each space as the ground lies: worked out where a flood first comes, and kept for those that
//! follow, for the ground seldom changes between two moves of a turn.

use super::{
    BorderId, Map, SpaceId,
    exits::{Exit, Exits},
    mode_field::is_in,
};

/// What changes of what a step costs, as bit sets of spaces; without words where there are none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ground<'a> {
    /// The zone that costs hang on.
    pub zone: &'a [u64],
    /// Steps into these must be asked for, those priced beforehand too.
    pub asks: &'a [u64],
    /// No step leads out of the first into the second.
    pub bars: [&'a [u64]; 2],
}

/// A border out of a space that somebody may cross.
#[derive(Debug, Clone, Copy)]
pub(super) struct PricedExit {
    pub border: BorderId,
    /// Where it leads.
    pub to: SpaceId,
    /// What crossing it costs; where that must be asked for, the least that it may be.
    pub cost: u16,
}

/// Where the exits of a space stand.
#[derive(Debug, Clone, Copy, Default)]
struct OfSpace {
    is_priced: bool,
    /// Where they begin.
    first: u32,
    /// How many have a price.
    known: u32,
    /// How many come behind them, which must be asked for.
    asked: u32,
}

/// Exits as the ground lies, of a mover whose costs are as they are for one kind of units.
#[derive(Debug, Default)]
pub struct PricedExits {
    /// How the ground lay last: the sets of a [`Ground`].
    ground: [Vec<u64>; 4],
    spaces: Vec<OfSpace>,
    /// By space, in the room that its borders take of those that are ever open: those with a price, then those that must be
    /// asked for.
    list: Vec<PricedExit>,
}

impl PricedExits {
    /// The ground lies so: what was worked out stands where it lay so before.
    pub fn lay(&mut self, map: &Map, exits: &Exits, Ground { zone, asks, bars: [out, into] }: Ground<'_>) {
        let ground = [zone, asks, out, into];
        if self.spaces.is_empty() {
            self.list = vec![PricedExit { border: BorderId(0), to: SpaceId(0), cost: 0 }; exits.open_count()];
            self.spaces = vec![OfSpace::default(); map.len()];
        } else if self.ground == ground {
            return;
        }
        for at in 0..map.len().div_ceil(64) {
            let word = |set: &[u64]| set.get(at).copied().unwrap_or(0);
            let sets = self.ground.iter().zip(ground);
            let mut changed = sets.fold(0, |changed, (old, new)| changed | (word(old) ^ word(new)));
            while changed != 0 {
                let space = at * 64 + changed.trailing_zeros() as usize;
                changed &= changed - 1;
                // A set may be the whole last word; the map ends before it.
                if space < map.len() {
                    // What a step costs hangs on both of its ends.
                    self.spaces[space].is_priced = false;
                    map.leading_into(SpaceId(space as u32))
                        .for_each(|from| self.spaces[from.0 as usize].is_priced = false);
                }
            }
        }
        self.ground.iter_mut().zip(ground).for_each(|(old, new)| new.clone_into(old));
    }

    /// Those out of a space: so many that have a price, then those that must be asked for.
    #[inline]
    pub(super) fn out(&mut self, map: &Map, exits: &Exits, space: SpaceId) -> (&[PricedExit], usize) {
        if !self.spaces[space.0 as usize].is_priced {
            self.price(map, exits, space);
        }
        let OfSpace { first, known, asked, .. } = self.spaces[space.0 as usize];
        (&self.list[first as usize..][..(known + asked) as usize], known as usize)
    }

    // Out of line: it is seldom called.
    #[inline(never)]
    fn price(&mut self, map: &Map, exits: &Exits, space: SpaceId) {
        let [zone, asks, bars, barred] = &self.ground;
        let borders = map.borders_out(space);
        let list = &exits.list()[usize::from(is_in(zone, space))][borders.clone()];
        let first = exits.open_out(space).start;
        let (mut known, mut asked) = (0, Vec::new());
        for (at, exit) in borders.clone().zip(list) {
            let cost = if is_in(zone, exit.to) { exit.inside } else { exit.outside };
            if cost == Exit::CLOSED || is_in(bars, space) && is_in(barred, exit.to) {
                continue;
            }
            let border = BorderId(at as u32);
            if cost == Exit::ASK || is_in(asks, exit.to) {
                asked.push(PricedExit { border, to: exit.to, cost: exits.least_over[at] });
            } else {
                self.list[first + known] = PricedExit { border, to: exit.to, cost };
                known += 1;
            }
        }
        self.list[first + known..][..asked.len()].copy_from_slice(&asked);
        let (first, known, asked) = (first as u32, known as u32, asked.len() as u32);
        self.spaces[space.0 as usize] = OfSpace { is_priced: true, first, known, asked };
    }
}

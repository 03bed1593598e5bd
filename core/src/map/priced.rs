//! What it costs to step out of each space as the ground lies: worked out where a flood first comes, and kept for those that
//! follow, for the ground seldom changes between two moves of a turn.

use super::{
    BorderId, Map, SpaceId,
    exits::{Exit, Exits},
    mode_field::is_in,
    reach::Seed,
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

impl Ground<'_> {
    /// What it costs to cross the borders out of a space, each with its number; those that nobody crosses are left out. In
    /// place of a cost that must be asked for stands [`Exit::ASK`].
    pub(super) fn out(self, map: &Map, exits: &Exits, space: SpaceId) -> impl Iterator<Item = PricedExit> {
        let Ground { zone, asks, bars: [bars, barred] } = self;
        let borders = map.borders_out(space);
        let list = &exits.list()[usize::from(is_in(zone, space))][borders.clone()];
        let is_barred = is_in(bars, space);
        borders.zip(list).filter_map(move |(at, exit)| {
            let cost = if is_in(zone, exit.to) { exit.inside } else { exit.outside };
            if cost == Exit::CLOSED || is_barred && is_in(barred, exit.to) {
                return None;
            }
            let cost = if is_in(asks, exit.to) { Exit::ASK } else { cost };
            Some(PricedExit { border: BorderId(at as u32), to: exit.to.0, cost, symbol: 0 })
        })
    }
}

/// A border out of a space that somebody may cross.
#[derive(Debug, Clone, Copy)]
pub struct PricedExit {
    /// The border.
    pub border: BorderId,
    /// The node that it leads to: the number of a space, or of [another](super::Nodes).
    pub to: u32,
    /// What crossing it costs; where that must be asked for, the least that it may be.
    pub cost: u16,
    /// The symbol of the mode that it is crossed in; 0 where that does not matter.
    pub symbol: u16,
}

/// The steps of a flood: out of spaces, or out of nodes of which several may lie in one space.
pub trait Steps {
    /// The nodes that lie in a space with others, each with its space and the number of its mode. Their own numbers follow
    /// those of the spaces; any other space is one node and has its number.
    fn shared(&self) -> &[(SpaceId, u16)] {
        &[]
    }

    /// The node at which a move begins; nothing if none may begin so.
    fn begins(&self, seed: &Seed) -> Option<u32> {
        Some(seed.space.0)
    }

    /// No more steps lead out of a space.
    fn most_out(&self, space: SpaceId) -> usize;

    /// Lists the steps out of a node of a space as the ground lies: those with a price, whose number it tells, then those that
    /// must be asked for.
    fn list_out(&self, map: &Map, ground: Ground<'_>, of: (u32, SpaceId), list: &mut Vec<PricedExit>) -> usize;
}

impl Steps for Exits {
    fn most_out(&self, space: SpaceId) -> usize {
        self.open_out(space).len()
    }

    fn list_out(&self, map: &Map, ground: Ground<'_>, (_, space): (u32, SpaceId), list: &mut Vec<PricedExit>) -> usize {
        let mut asked = Vec::new();
        for exit in ground.out(map, self, space) {
            if exit.cost == Exit::ASK { asked.push(exit) } else { list.push(exit) }
        }
        let known = list.len();
        list.extend(asked.iter().map(|exit| PricedExit { cost: self.least_over[exit.border.0 as usize], ..*exit }));
        known
    }
}

/// Where the exits of a node stand.
#[derive(Debug, Clone, Copy)]
struct OfNode {
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
    nodes: Vec<OfNode>,
    /// By node, in the room that its steps can take: those with a price, then those that must be asked for.
    list: Vec<PricedExit>,
    /// Memory.
    listed: Vec<PricedExit>,
}

impl PricedExits {
    /// The ground lies so: what was worked out stands where it lay so before.
    pub fn lay(&mut self, map: &Map, steps: &impl Steps, Ground { zone, asks, bars: [out, into] }: Ground<'_>) {
        let words = map.len().div_ceil(64);
        if self.nodes.is_empty() {
            let mut first = 0;
            for space in map.spaces().chain(steps.shared().iter().map(|(space, _)| *space)) {
                self.nodes.push(OfNode { is_priced: false, first, known: 0, asked: 0 });
                first += steps.most_out(space) as u32;
            }
            let none = PricedExit { border: BorderId(0), to: 0, cost: 0, symbol: 0 };
            self.list = vec![none; first as usize];
            self.ground.iter_mut().for_each(|set| set.resize(words, 0));
        }
        let ground = [zone, asks, out, into];
        let mut is_as_before = true;
        for at in 0..words {
            let mut changed = 0;
            for (old, new) in self.ground.iter_mut().zip(ground) {
                let word = new.get(at).copied().unwrap_or(0);
                changed |= std::mem::replace(&mut old[at], word) ^ word;
            }
            is_as_before &= changed == 0;
            while changed != 0 {
                let space = at * 64 + changed.trailing_zeros() as usize;
                changed &= changed - 1;
                // A set may be the whole last word; the map ends before it.
                if space < map.len() {
                    // What a step costs hangs on both of its ends.
                    self.nodes[space].is_priced = false;
                    map.leading_into(SpaceId(space as u32))
                        .for_each(|from| self.nodes[from.0 as usize].is_priced = false);
                }
            }
        }
        if !is_as_before {
            // Few spaces are shared, so that these are worked out again whatever has changed.
            self.nodes[map.len()..].iter_mut().for_each(|node| node.is_priced = false);
        }
    }

    /// Those out of a node of a space: so many that have a price, then those that must be asked for.
    #[inline]
    pub(super) fn out(&mut self, map: &Map, steps: &impl Steps, of: (u32, SpaceId)) -> (&[PricedExit], usize) {
        let node = of.0 as usize;
        if !self.nodes[node].is_priced {
            self.price(map, steps, of);
        }
        let OfNode { first, known, asked, .. } = self.nodes[node];
        (&self.list[first as usize..][..(known + asked) as usize], known as usize)
    }

    // Out of line: it is seldom called.
    #[inline(never)]
    fn price(&mut self, map: &Map, steps: &impl Steps, of: (u32, SpaceId)) {
        let [zone, asks, out, into] = &self.ground;
        self.listed.clear();
        let known = steps.list_out(map, Ground { zone, asks, bars: [out, into] }, of, &mut self.listed);
        let node = &mut self.nodes[of.0 as usize];
        self.list[node.first as usize..][..self.listed.len()].copy_from_slice(&self.listed);
        (node.is_priced, node.known) = (true, known as u32);
        node.asked = (self.listed.len() - known) as u32;
    }
}

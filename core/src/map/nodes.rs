//! Where a flood of gaits has come: a list of nodes, and by gait a bit set of where nobody need come any more.

use std::ops::Range;

use super::{
    Map, SpaceId,
    gaits::{Gaits, NO_GAIT},
    reach::{NOWHERE, Reached, Seed},
};

/// A node that a flood has come to.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Where it is.
    pub space: SpaceId,
    /// Its number among the nodes of the flood that it was reached from, or [`NOWHERE`].
    pub from: u32,
    /// What the move has cost with it.
    pub cost: u16,
    /// The gait on which it was come to.
    pub gait: u8,
    /// The same gait where the move goes on from it, else [`NO_GAIT`].
    pub goes: u8,
}

/// Where a flood of gaits has come. Sets of spaces are bit sets; those by gait lie one after the other.
#[derive(Debug, Default)]
pub struct Come {
    /// By gait: where nobody need come on it any more. It is closed there, or one has been there for as little, on it
    /// or on one that can do all it can.
    barred: Vec<u64>,
    /// By gait: where one has come on one that can do all it can. Looked at before anything that costs more is taken.
    outdone: Vec<u64>,
    /// How many words a set has.
    words: usize,
    /// Nodes come to, the nearest first; room for all there can be follows.
    nodes: Vec<Node>,
    count: usize,
    /// Spaces reached, and those where the move stands already.
    listed: Vec<u64>,
    /// Neighbours found: from which node, and what is new of two words of a set, of which that is the first.
    found: Vec<(u32, u32, u128)>,
}

/// A space as a word of a set, with the number of that word.
#[inline]
pub fn alone(space: SpaceId) -> (u32, u64) {
    (space.0 / 64, 1 << (space.0 % 64))
}

impl Come {
    /// Forgets all nodes. By gait, one after the other: the spaces that may not be entered on it. What is reached where
    /// the move stands already is not listed.
    pub fn open(&mut self, map: &Map, gaits: &Gaits, closed: &[u64], stands: &[SpaceId], seeds: usize) {
        let Come { barred, outdone, words, nodes, count, listed, found } = self;
        *words = map.len().div_ceil(64);
        // On one gait no space is gone on from twice at the same cost, but for where a move begins.
        found.resize(found.len().max(map.near_sets().len() + seeds * *words + 1), (0, 0, 0));
        barred.clear();
        barred.extend_from_slice(closed);
        // Two words are looked at together, even if there is but one.
        barred.push(0);
        outdone.clear();
        outdone.resize(closed.len() + 1, 0);
        // A space is come to once on a gait; a move may begin where it has come.
        let most = gaits.len() * map.len() + seeds;
        if nodes.len() < most {
            nodes.resize(most, Node { space: SpaceId(0), from: NOWHERE, cost: 0, gait: NO_GAIT, goes: NO_GAIT });
        }
        *count = 0;
        listed.clear();
        listed.resize(*words, 0);
        stands.iter().for_each(|space| listed[space.0 as usize / 64] |= 1 << (space.0 % 64));
    }

    /// Nodes come to, the nearest first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes[..self.count]
    }

    /// The same, of whom the caller may say that the move does not go on from them.
    pub fn nodes_mut(&mut self) -> &mut [Node] {
        &mut self.nodes[..self.count]
    }

    /// Begins where a move may begin, even where it could not have come to.
    pub fn begin(&mut self, seed: &Seed, gaits: &Gaits) {
        let (word, bit) = alone(seed.space);
        let barred = &mut self.barred[usize::from(seed.way) * self.words + word as usize];
        let is_it = |node: &Node| (node.space, node.gait) == (seed.space, seed.way);
        // Where one has been all is barred; looking for the node takes longer than that.
        if *barred & bit == 0 || !self.nodes[..self.count].iter().any(is_it) {
            *barred &= !bit;
            self.to((NOWHERE, seed.cost), (word, bit), gaits, seed.way);
        }
    }

    /// Comes on a gait to the spaces of a word that are not barred.
    #[inline(always)]
    pub fn to(&mut self, (from, cost): (u32, u16), (word, spaces): (u32, u64), gaits: &Gaits, gait: u8) {
        let Come { barred, outdone, words, nodes, count, .. } = self;
        let known = &mut barred[usize::from(gait) * *words + word as usize];
        let new = spaces & !*known;
        if new != 0 {
            *known |= new;
            let node = Node { space: SpaceId(0), from, cost, gait, goes: NO_GAIT };
            *count = enter((barred, outdone), *words, gaits, (word, new.into()), node, (nodes, *count));
        }
    }

    /// Takes all steps of a way out of some of its nodes, which meet nothing and bring the move to such a cost.
    // Out of line: the loops need the registers for themselves.
    #[inline(never)]
    pub fn take(&mut self, map: &Map, gaits: &Gaits, way: usize, cost: u16, these: Range<usize>) {
        let Come { barred, outdone, words, nodes, count, found, .. } = self;
        let (near, words) = (map.near_sets(), *words);
        let mut rest = these;
        while !rest.is_empty() {
            // Nodes of one gait mostly lie together.
            let gait = nodes[rest.start].goes;
            let next = if gait == NO_GAIT { NO_GAIT } else { gaits.after(gait, way, 0) };
            let row = usize::from(next) * words;
            let mut new_sets = 0;
            for node in nodes[rest.clone()].iter().take_while(|node| node.goes == gait) {
                rest.start += 1;
                if next == NO_GAIT {
                    continue;
                }
                let mut set = &near[node.space.0 as usize];
                loop {
                    let known = &mut barred[row + set.word as usize..][..2];
                    let new = [set.bits[0] & !known[0], set.bits[1] & !known[1]];
                    known[0] |= new[0];
                    known[1] |= new[1];
                    // Most borders lead back to where one could be for as little already. Which cannot be foreseen, so
                    // nothing hangs on it: the next takes the place of what leads nowhere new.
                    found[new_sets] = (rest.start as u32 - 1, set.word, u128::from(new[1]) << 64 | u128::from(new[0]));
                    new_sets += usize::from(new[0] | new[1] != 0);
                    if set.more == 0 {
                        break;
                    }
                    set = &near[set.more as usize];
                }
            }
            for (from, word, new) in &found[..new_sets] {
                let node = Node { space: SpaceId(0), from: *from, cost, gait: next, goes: NO_GAIT };
                *count = enter((barred, outdone), words, gaits, (*word, *new), node, (nodes, *count));
            }
        }
    }

    /// Lists the spaces of the nodes from so many on that are not listed yet, and sees whether the move goes on from
    /// them: not if one has come there on a gait that can do all theirs can, nor if it ends there.
    pub fn settle(&mut self, at: usize, ends: &[u64], stands: &[SpaceId], reached: &mut Vec<Reached>) {
        let Come { outdone, words, nodes, count, listed, .. } = self;
        let nodes = &mut nodes[at..*count];
        let begin = reached.len();
        reached.resize(begin + nodes.len(), Reached { space: SpaceId(0), way: 0, cost: 0 });
        let (room, mut taken) = (&mut reached[begin..], 0);
        for node in nodes {
            let Node { space, from, cost, gait, .. } = *node;
            let (word, bit) = alone(space);
            let word = word as usize;
            // Nothing hangs on what cannot be foreseen: the next is listed over one that need not be.
            room[taken] = Reached { space, way: gait, cost };
            taken += usize::from(listed[word] & bit == 0);
            listed[word] |= bit;
            let mut stops = outdone[usize::from(gait) * *words + word];
            if from != NOWHERE || !stands.contains(&space) {
                stops |= ends[word];
            }
            node.goes = if stops & bit == 0 { gait } else { NO_GAIT };
        }
        reached.truncate(begin + taken);
    }
}

/// Comes to spaces of two words that have been barred on a gait: bars them on all that can do no more. The nodes, but
/// for their spaces alike, take the room there is; how much is taken then.
#[inline(always)]
fn enter(
    (barred, outdone): (&mut [u64], &mut [u64]),
    words: usize,
    gaits: &Gaits,
    (word, mut new): (u32, u128),
    node: Node,
    (room, mut taken): (&mut [Node], usize),
) -> usize {
    for lesser in &gaits.lesser[usize::from(node.gait)] {
        let at = usize::from(*lesser) * words + word as usize;
        for all in [&mut barred[at..][..2], &mut outdone[at..][..2]] {
            all[0] |= new as u64;
            all[1] |= (new >> 64) as u64;
        }
    }
    while new != 0 {
        room[taken] = Node { space: SpaceId(word * 64 + new.trailing_zeros()), ..node };
        taken += 1;
        new &= new - 1;
    }
    taken
}

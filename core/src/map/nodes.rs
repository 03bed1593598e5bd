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
        let Come { barred, outdone, words, nodes, count, listed } = self;
        *words = map.len().div_ceil(64);
        barred.clear();
        barred.extend_from_slice(closed);
        // Two words are looked at together, even if there is but one.
        barred.push(0);
        outdone.clear();
        outdone.resize(closed.len(), 0);
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
        let lesser = &gaits.lesser[usize::from(gait)];
        let new = spaces & !barred[usize::from(gait) * *words + word as usize];
        if new != 0 {
            let node = Node { space: SpaceId(0), from, cost, gait, goes: NO_GAIT };
            *count = enter((barred, outdone), *words, lesser, (word, new), node, (nodes, *count));
        }
    }

    /// Takes all steps of a way out of some of its nodes, which meet nothing and bring the move to such a cost.
    // Out of line: the loop needs the registers for itself.
    #[inline(never)]
    pub fn take(&mut self, map: &Map, gaits: &Gaits, way: usize, cost: u16, these: Range<usize>) {
        let Come { barred, outdone, words, nodes, count, .. } = self;
        let (near, words) = (map.near_sets(), *words);
        let (come, free) = nodes.split_at_mut(*count);
        let mut taken = 0;
        // Nodes of one gait mostly lie together.
        let (mut gait, mut next, mut row, mut lesser) = (NO_GAIT, NO_GAIT, 0, [].as_slice());
        for (from, node) in (these.start as u32..).zip(&come[these]) {
            if node.goes != gait {
                gait = node.goes;
                next = if gait == NO_GAIT { NO_GAIT } else { gaits.after(gait, way, 0) };
                if next != NO_GAIT {
                    row = usize::from(next) * words;
                    lesser = &gaits.lesser[usize::from(next)];
                }
            }
            if next == NO_GAIT {
                continue;
            }
            let node = Node { from, cost, gait: next, goes: NO_GAIT, ..*node };
            let mut set = &near[node.space.0 as usize];
            loop {
                let known = &barred[row + set.word as usize..][..2];
                // Most borders lead back to where one could be for as little already.
                let new = [set.bits[0] & !known[0], set.bits[1] & !known[1]];
                if new[0] | new[1] != 0 {
                    for word in (set.word..).zip(new).filter(|(_, new)| *new != 0) {
                        taken = enter((barred, outdone), words, lesser, word, node, (free, taken));
                    }
                }
                if set.more == 0 {
                    break;
                }
                set = &near[set.more as usize];
            }
        }
        *count += taken;
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

/// Comes to spaces of a word that are not barred. They are barred from now on, on the gait and on all that can do no
/// more; the nodes, but for their spaces alike, take the room there is. How much is taken then.
#[inline(always)]
fn enter(
    (barred, outdone): (&mut [u64], &mut [u64]),
    words: usize,
    lesser: &[u8],
    (word, mut new): (u32, u64),
    node: Node,
    (room, mut taken): (&mut [Node], usize),
) -> usize {
    barred[usize::from(node.gait) * words + word as usize] |= new;
    for lesser in lesser {
        let at = usize::from(*lesser) * words + word as usize;
        barred[at] |= new;
        outdone[at] |= new;
    }
    while new != 0 {
        room[taken] = Node { space: SpaceId(word * 64 + new.trailing_zeros()), ..node };
        taken += 1;
        new &= new - 1;
    }
    taken
}

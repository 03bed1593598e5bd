//! Where a search over (space, mode) has come: its nodes, and by mode bit sets of the spaces it is done with.

use std::ops::Range;

use super::{
    Map, SpaceId,
    automaton::{Automaton, NO_MODE},
    reach::{NOWHERE, Reached},
    space_marks::SpaceMarks,
};

/// A node: a space to which the search has come in a mode.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// The space.
    pub space: SpaceId,
    /// Number of the node before it on its path, or [`NOWHERE`].
    pub from: u32,
    /// What the move has cost there.
    pub cost: u16,
    /// Number of the mode.
    pub mode: u16,
    /// The same number where the move goes on from here, else [`NO_MODE`].
    pub on: u16,
    /// Whether any step or entry lies behind it: a move that has only changed its mode where it began has entered
    /// nothing yet, so nothing stops it.
    pub entered: bool,
}

impl Node {
    const NONE: Node = Node { space: SpaceId(0), from: NOWHERE, cost: 0, mode: NO_MODE, on: NO_MODE, entered: true };
}

/// What is known of 64 spaces in a mode, as bit sets.
#[derive(Debug, Default, Clone, Copy)]
struct Known {
    /// Spaces that no step need enter, because they are closed, or the search has been there at no greater cost, in this
    /// mode or in one that dominates it.
    done: u64,
    /// Spaces where the search has been in a mode that dominates this one. A node there does not go on.
    outdone: u64,
}

/// Where a search has come. Sets of spaces are bit sets; those by mode lie one after the other.
#[derive(Debug, Default)]
pub struct Frontier {
    /// By mode, then by word of its sets.
    known: Vec<Known>,
    /// By mode: closed spaces in which the search stands in it all the same, because it began or changed its mode there.
    inside: Vec<u64>,
    /// Spaces out of which no mark may count a step.
    unmarked: Vec<u64>,
    /// How many words a set has.
    words: usize,
    /// Nodes, the cheapest first; whatever lies behind the first `count` is room.
    nodes: Vec<Node>,
    count: usize,
    /// Numbers of nodes not settled yet, and not entered.
    standing: Vec<u32>,
    /// Spaces listed as reached, and those where the move stands already.
    listed: Vec<u64>,
    /// Neighbours found: from which node, and which spaces of two words of a set, of which that is the first.
    found: Vec<(u32, u32, u128)>,
}

/// A space as a word of a set, with the number of that word.
#[inline]
pub fn alone(space: SpaceId) -> (u32, u64) {
    (space.0 / 64, 1 << (space.0 % 64))
}

impl Frontier {
    /// Most new nodes that one word pair of a set can bring.
    const PAIR: usize = 128;

    /// Forgets all nodes. `closed`, by mode: the spaces that no step may enter in it. Spaces where the move `stands`
    /// already are not listed as reached. `marked_out`: by symbol, the marks that may count a step out of a space.
    pub fn open(&mut self, map: &Map, closed: &[u64], stands: &[SpaceId], seeds: usize, marked_out: &[SpaceMarks]) {
        let Frontier { known, inside, unmarked, words, count, standing, listed, found, .. } = self;
        *words = map.len().div_ceil(64);
        unmarked.clear();
        unmarked.resize(*words + 1, u64::MAX);
        marked_out.iter().for_each(|marks| marks.take_from(unmarked));
        // In one mode no space is gone on from twice, but for where a move begins.
        found.resize(found.len().max(map.near_sets().len() + seeds * *words + 1), (0, 0, 0));
        known.clear();
        known.extend(closed.iter().map(|closed| Known { done: *closed, outdone: 0 }));
        // Two words are looked at together, even if there is but one.
        known.push(Known::default());
        inside.clear();
        *count = 0;
        standing.clear();
        listed.clear();
        listed.resize(*words, 0);
        stands.iter().for_each(|space| listed[space.0 as usize / 64] |= 1 << (space.0 % 64));
    }

    /// Stands where another search has come, as far as its nodes tell.
    pub fn stand_at(&mut self, nodes: &[Node]) {
        self.nodes.clear();
        self.nodes.extend_from_slice(nodes);
        self.count = nodes.len();
    }

    /// Nodes, the cheapest first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes[..self.count]
    }

    /// The same, of whom the caller may say that the move does not go on from them.
    pub fn nodes_mut(&mut self) -> &mut [Node] {
        &mut self.nodes[..self.count]
    }

    /// Whether the search is done with a space in a mode: it is closed, or it has been there for as little.
    #[inline]
    pub fn is_done(&self, mode: u16, space: SpaceId) -> bool {
        let (word, bit) = alone(space);
        self.known[usize::from(mode) * self.words + word as usize].done & bit != 0
    }

    /// Comes to a node without a step into its space: the move begins there, or changes its mode there. So it does not
    /// matter whether the space is closed to those who would enter it.
    pub fn stand(&mut self, node: Node, closed: &[u64], automaton: &Automaton) {
        let (word, bit) = alone(node.space);
        let at = usize::from(node.mode) * self.words + word as usize;
        if closed[at] & bit != 0 {
            self.inside.resize(self.known.len(), 0);
            if (self.inside[at] | self.known[at].outdone) & bit != 0 {
                return;
            }
            self.inside[at] |= bit;
            self.known[at].done &= !bit;
        }
        let number = self.count;
        self.step(node, (word, bit), automaton);
        if !node.entered && self.count > number {
            self.standing.push(number as u32);
        }
    }

    /// Comes in a mode to the spaces of a word that it is not done with; the nodes are like this but for their spaces.
    #[inline(always)]
    pub fn step(&mut self, node: Node, (word, spaces): (u32, u64), automaton: &Automaton) {
        let done = &mut self.known[usize::from(node.mode) * self.words + word as usize].done;
        let new = spaces & !*done;
        if new != 0 {
            *done |= new;
            self.room(1);
            let Frontier { known, unmarked, words, nodes, count, .. } = self;
            *count = enter((known, unmarked), *words, automaton, (word, new.into()), node, (nodes, *count));
        }
    }

    /// Takes all steps of a symbol out of some of its nodes, which no mark counts by their spaces, and which bring the
    /// move to such a cost.
    // Out of line: the loops need the registers for themselves.
    #[inline(never)]
    pub fn take(&mut self, map: &Map, automaton: &Automaton, symbol: usize, cost: u16, these: Range<usize>) {
        let near = map.near_sets();
        let mut rest = these;
        while !rest.is_empty() {
            let Frontier { known, words, nodes, found, .. } = self;
            let words = *words;
            // Nodes of one mode mostly lie together.
            let mode = nodes[rest.start].on;
            let next = if mode == NO_MODE { NO_MODE } else { automaton.after(mode, symbol, 0) };
            let row = usize::from(next) * words;
            let mut new_sets = 0;
            for node in nodes[rest.clone()].iter().take_while(|node| node.on == mode) {
                rest.start += 1;
                if next == NO_MODE {
                    continue;
                }
                let mut set = &near[node.space.0 as usize];
                loop {
                    let known = &mut known[row + set.word as usize..][..2];
                    let new = [set.bits[0] & !known[0].done, set.bits[1] & !known[1].done];
                    known[0].done |= new[0];
                    known[1].done |= new[1];
                    // Most borders lead back to where one could be for as little already. Written
                    // without a branch, because no processor can predict which: the next is written over what leads nowhere new.
                    found[new_sets] = (rest.start as u32 - 1, set.word, u128::from(new[1]) << 64 | u128::from(new[0]));
                    new_sets += usize::from(new[0] | new[1] != 0);
                    if set.more == 0 {
                        break;
                    }
                    set = &near[set.more as usize];
                }
            }
            self.room(new_sets);
            let Frontier { known, unmarked, nodes, count, found, .. } = self;
            for (from, word, new) in &found[..new_sets] {
                let node = Node { from: *from, cost, mode: next, ..Node::NONE };
                *count = enter((known, unmarked), words, automaton, (*word, *new), node, (nodes, *count));
            }
        }
    }

    /// Makes room for the nodes that so many pairs of words can bring.
    #[inline(always)]
    fn room(&mut self, pairs: usize) {
        let needed = self.count + pairs * Frontier::PAIR;
        if self.nodes.len() < needed {
            self.grow(needed);
        }
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        self.nodes.resize(needed.max(2 * self.nodes.len()), Node::NONE);
    }

    /// Lists the spaces of the nodes from so many on that are not listed yet, and sees whether the move goes on from
    /// them: not where it has been in a mode that dominates theirs, nor in a space entered that stops it in their mode.
    pub fn settle(&mut self, at: usize, stops: &[&[u64]], reached: &mut Vec<Reached>) {
        let Frontier { known, words, nodes, count, standing, listed, .. } = self;
        let outdone = |mode: u16, word: usize| known[usize::from(mode) * *words + word].outdone;
        let nodes = &mut nodes[..*count];
        let (earlier, nodes) = nodes.split_at_mut(at);
        let begin = reached.len();
        reached.resize(begin + nodes.len(), Reached { space: SpaceId(0), mode: 0, cost: 0 });
        let (room, mut taken) = (&mut reached[begin..], 0);
        for node in nodes.iter_mut() {
            let Node { space, cost, mode, .. } = *node;
            let (word, bit) = alone(space);
            let word = word as usize;
            // Written without a branch, because it cannot be predicted: the next is written over one that is listed already.
            room[taken] = Reached { space, mode, cost };
            taken += usize::from(listed[word] & bit == 0);
            listed[word] |= bit;
            node.on = if (outdone(mode, word) | stops[usize::from(mode)][word]) & bit == 0 { mode } else { NO_MODE };
        }
        // Few nodes are not entered, so it is they that are looked at twice.
        for number in standing.drain(..) {
            let node = &mut nodes[number as usize - earlier.len()];
            let (word, bit) = alone(node.space);
            node.on = if outdone(node.mode, word as usize) & bit == 0 { node.mode } else { NO_MODE };
        }
        reached.truncate(begin + taken);
    }
}

/// Comes to spaces of two words, which the caller has marked as done in the node's mode: marks them in all modes that it
/// dominates. The nodes, but for their spaces alike, take the room there is; how much is taken then.
#[inline(always)]
fn enter(
    (known, unmarked): (&mut [Known], &[u64]),
    words: usize,
    automaton: &Automaton,
    (word, new): (u32, u128),
    node: Node,
    (room, mut taken): (&mut [Node], usize),
) -> usize {
    let mut outdo = |other: u16, new: u128| {
        let at = usize::from(other) * words + word as usize;
        let known = &mut known[at..][..2];
        for (known, new) in known.iter_mut().zip([new as u64, (new >> 64) as u64]) {
            known.done |= new;
            known.outdone |= new;
        }
    };
    let mode = usize::from(node.mode);
    automaton.dominated[mode].iter().for_each(|other| outdo(*other, new));
    if !automaton.dominated_unmarked[mode].is_empty() {
        let unmarked = &unmarked[word as usize..][..2];
        let there = new & (u128::from(unmarked[1]) << 64 | u128::from(unmarked[0]));
        automaton.dominated_unmarked[mode].iter().for_each(|other| outdo(*other, there));
    }
    let mut new = new;
    while new != 0 {
        room[taken] = Node { space: SpaceId(word * 64 + new.trailing_zeros()), ..node };
        taken += 1;
        new &= new - 1;
    }
    taken
}

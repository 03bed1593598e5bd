//! What searches over (space, mode) come to where nothing stands in their way, kept: most moves of a few steps are such.

use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

use super::{
    SpaceId,
    automaton::Automaton,
    frontier::Node,
    reach::{Flood, Reached},
};

/// What a search came to with nothing in its way.
#[derive(Debug)]
pub struct OpenSearch {
    nodes: Vec<Node>,
    reached: Vec<Reached>,
    /// The spaces it entered: words of a bit set, each with its number.
    entered: Vec<(usize, u64)>,
}

impl OpenSearch {
    /// Whether it entered any of these spaces, a bit set: with them closed it would come to something else.
    pub fn meets(&self, closed: &[u64]) -> bool {
        self.entered.iter().any(|(word, spaces)| closed[*word] & spaces != 0)
    }
}

/// The open searches of one mover, by where they begin and in which symbol, all with as much to spend.
#[derive(Debug, Default)]
pub struct OpenSearches {
    budget: OnceLock<u16>,
    known: OnceLock<Vec<OnceLock<OpenSearch>>>,
    nodes: AtomicUsize,
}

impl OpenSearches {
    /// Of larger maps none are kept, nor of more nodes in all.
    const MOST: usize = 1 << 16;
    const MOST_NODES: usize = 1 << 20;

    /// Where the search is kept that begins in a space and in a symbol, each one of so many; nothing where none is.
    pub fn of(&self, budget: u16, space: (SpaceId, usize), symbol: (usize, usize)) -> Option<&OnceLock<OpenSearch>> {
        let ((space, spaces), (symbol, symbols)) = (space, symbol);
        let is_small = spaces * symbols <= OpenSearches::MOST;
        if !is_small || *self.budget.get_or_init(|| budget) != budget {
            return None;
        }
        let known = self.known.get_or_init(|| (0..spaces * symbols).map(|_| OnceLock::new()).collect());
        let kept = &known[symbol * spaces + space.0 as usize];
        let has_room = self.nodes.load(Ordering::Relaxed) < OpenSearches::MOST_NODES;
        (has_room || kept.get().is_some()).then_some(kept)
    }

    /// Keeps what a flood has just come to, beginning in a space.
    pub fn keep(&self, flood: &Flood, begin: SpaceId, kept: &OnceLock<OpenSearch>) {
        kept.get_or_init(|| {
            let nodes = flood.modes.frontier.nodes().to_vec();
            self.nodes.fetch_add(nodes.len(), Ordering::Relaxed);
            let mut entered: Vec<(usize, u64)> = Vec::new();
            for Node { space, .. } in nodes.iter().filter(|node| node.space != begin) {
                let (word, bit) = (space.0 as usize / 64, 1 << (space.0 % 64));
                match entered.iter_mut().find(|(at, _)| *at == word) {
                    Some((_, spaces)) => *spaces |= bit,
                    None => entered.push((word, bit)),
                }
            }
            OpenSearch { nodes, reached: flood.reached.clone(), entered }
        });
    }
}

impl Flood {
    /// Stands as if it had just searched what an open search came to.
    pub fn reopen(&mut self, open: &OpenSearch, automaton: &Automaton) {
        self.by_modes = true;
        self.reached.clone_from(&open.reached);
        self.modes.modes.clone_from(&automaton.modes);
        self.modes.frontier.stand_at(&open.nodes);
    }
}

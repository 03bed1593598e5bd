//! What searches over (space, mode) come to where nothing stands in their way, kept: most moves of a few steps are such.
//! Whatever is closed hinders a search only where it would else have come to, so what it comes to then is kept with that.

use std::{
    collections::VecDeque,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{
    SpaceId,
    automaton::Automaton,
    frontier::Node,
    reach::{Flood, Reached},
};

/// What a search came to.
#[derive(Debug)]
struct Found {
    nodes: Box<[Node]>,
    reached: Box<[Reached]>,
}

/// What a search came to with nothing in its way, and lately with something.
#[derive(Debug)]
pub struct OpenSearch {
    found: Found,
    /// The spaces it entered: words of a bit set, each with its number.
    entered: Vec<(usize, u64)>,
    /// The latest searches from there that were hindered, each with what hindered it.
    hindered: Mutex<VecDeque<(Hindrance, Found)>>,
}

/// Which of the spaces that a search enters with nothing in its way are closed, word by word.
#[derive(Debug, PartialEq, Eq)]
pub struct Hindrance(Box<[u64]>);

impl OpenSearch {
    /// As many pieces hinder a search as are moved in a turn, so that few ever serve again but the latest.
    const MOST_HINDERED: usize = 4;

    /// What hinders it of these closed spaces, a bit set.
    pub fn hindrance(&self, closed: &[u64]) -> Hindrance {
        Hindrance(self.entered.iter().map(|(word, spaces)| closed[*word] & spaces).collect())
    }
}

/// The open searches of one mover, by where they begin and in which symbol, all with as much to spend.
#[derive(Debug, Default)]
pub struct OpenSearches {
    budget: OnceLock<u16>,
    known: OnceLock<Vec<OnceLock<Box<OpenSearch>>>>,
    nodes: AtomicUsize,
}

impl OpenSearches {
    /// Of larger maps none are kept, nor of more nodes in all.
    const MOST: usize = 1 << 16;
    const MOST_NODES: usize = 1 << 20;

    /// Where the search is kept that begins in a space and in a symbol, each one of so many; nothing where none is.
    pub fn of(
        &self,
        budget: u16,
        space: (SpaceId, usize),
        symbol: (usize, usize),
    ) -> Option<&OnceLock<Box<OpenSearch>>> {
        let ((space, spaces), (symbol, symbols)) = (space, symbol);
        let is_small = spaces * symbols <= OpenSearches::MOST;
        if !is_small || *self.budget.get_or_init(|| budget) != budget {
            return None;
        }
        let known = self.known.get_or_init(|| (0..spaces * symbols).map(|_| OnceLock::new()).collect());
        let kept = &known[symbol * spaces + space.0 as usize];
        (self.has_room() || kept.get().is_some()).then_some(kept)
    }

    fn has_room(&self) -> bool {
        self.nodes.load(Ordering::Relaxed) < OpenSearches::MOST_NODES
    }

    /// Keeps what a flood has just come to with nothing in its way, beginning in a space.
    pub fn keep(&self, flood: &Flood, begin: SpaceId, kept: &OnceLock<Box<OpenSearch>>) {
        kept.get_or_init(|| {
            let found = self.found(flood);
            let mut entered: Vec<(usize, u64)> = Vec::new();
            for Node { space, .. } in found.nodes.iter().filter(|node| node.space != begin) {
                let (word, bit) = (space.0 as usize / 64, 1 << (space.0 % 64));
                match entered.iter_mut().find(|(at, _)| *at == word) {
                    Some((_, spaces)) => *spaces |= bit,
                    None => entered.push((word, bit)),
                }
            }
            Box::new(OpenSearch { found, entered, hindered: Mutex::default() })
        });
    }

    /// Keeps what a flood has just come to from where an open search begins, while this hindered it.
    pub fn keep_hindered(&self, flood: &Flood, open: &OpenSearch, by: Hindrance) {
        let mut hindered = open.hindered.lock().unwrap_or_else(PoisonError::into_inner);
        if hindered.len() == OpenSearch::MOST_HINDERED
            && let Some((_, oldest)) = hindered.pop_front()
        {
            self.nodes.fetch_sub(oldest.nodes.len(), Ordering::Relaxed);
        }
        if self.has_room() {
            hindered.push_back((by, self.found(flood)));
        }
    }

    fn found(&self, flood: &Flood) -> Found {
        let nodes = flood.modes.frontier.nodes();
        self.nodes.fetch_add(nodes.len(), Ordering::Relaxed);
        Found { nodes: nodes.into(), reached: flood.reached.as_slice().into() }
    }
}

impl Flood {
    /// Stands as if it had just searched from where an open search begins, while this hinders it; false where what that
    /// comes to is not known.
    pub fn reopen(&mut self, open: &OpenSearch, by: &Hindrance, automaton: &Automaton) -> bool {
        if by.0.iter().all(|word| *word == 0) {
            self.stand_at(&open.found, automaton);
            return true;
        }
        let hindered = open.hindered.lock().unwrap_or_else(PoisonError::into_inner);
        let known = hindered.iter().rev().find(|(known, _)| known == by);
        known.map(|(_, found)| self.stand_at(found, automaton)).is_some()
    }

    /// Stands as if it had come to the same nodes as another search over modes; all that it came to are listed as reached, in
    /// no order, until somebody [tells](Flood::end_in_modes) where it may end.
    pub fn search_as(&mut self, other: &Flood) {
        self.by_modes = true;
        self.no_ends.clone_from(&other.no_ends);
        self.modes.modes.clone_from(&other.modes.modes);
        self.modes.frontier.stand_at(other.modes.frontier.nodes());
        self.reached.clear();
        self.reached.extend(other.reached.iter().chain(&other.passed));
    }

    fn stand_at(&mut self, Found { nodes, reached }: &Found, automaton: &Automaton) {
        self.by_modes = true;
        self.no_ends = None;
        self.reached.clear();
        self.reached.extend_from_slice(reached);
        self.modes.modes.clone_from(&automaton.modes);
        self.modes.frontier.stand_at(nodes);
    }
}

//! Where the modes of a move need not be told apart but in a few spaces: a search over (space, mode) is a flood over nodes
//! there, of which nearly every space is one.

use super::{
    Map, SpaceId,
    automaton::{Automaton, NO_MODE},
    exits::{Exit, Exits},
    mode_field::MarkedSteps,
    priced::{Ground, PricedExit, Steps},
    reach::{NOWHERE, Seed},
    space_marks::SpaceMarks,
};

/// The nodes of a map: a space, or as many in it as there are modes, where marks may count a step out of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Nodes {
    /// How many spaces there are.
    spaces: usize,
    /// Nodes that share their space, with the numbers of their modes: space by space, each in all modes.
    shared: Vec<(SpaceId, u16)>,
}

impl Nodes {
    /// There may be one node that shares its space for so many spaces: where there are more, a search over modes is made for
    /// that.
    const SHARED: usize = 16;

    /// Those of a map for moves by an automaton, whose marks may count steps out of such spaces, by symbol; nothing where its
    /// modes must be told apart elsewhere too.
    pub fn new(map: &Map, automaton: &Automaton, marked_out: &[SpaceMarks]) -> Option<Nodes> {
        if !automaton.is_alike_unmarked {
            return None;
        }
        let few = map.len() / Nodes::SHARED;
        let is_shared = |space: &SpaceId| marked_out.iter().any(|marks| marks.of(*space) != 0);
        let modes = 0..automaton.modes.len() as u16;
        let shared = map.spaces().filter(is_shared).flat_map(|space| modes.clone().map(move |mode| (space, mode)));
        let shared: Vec<(SpaceId, u16)> = shared.take(few + 1).collect();
        (shared.len() <= few).then(|| Nodes { spaces: map.len(), shared })
    }

    /// The number of the node in a space that a mode makes.
    pub fn of(&self, space: SpaceId, mode: u16) -> u32 {
        let shared = self.shared.binary_search(&(space, mode));
        shared.map_or(space.0, |at| (self.spaces + at) as u32)
    }

    /// The mode of a node; of those that are alike, that in which moves begin.
    pub fn mode(&self, node: u32) -> u16 {
        (node as usize).checked_sub(self.spaces).map_or(0, |at| self.shared[at].1)
    }
}

/// The steps between nodes.
#[derive(Debug, Clone, Copy)]
pub struct NodeSteps<'a> {
    /// The nodes.
    pub nodes: &'a Nodes,
    /// Which steps marks count.
    pub marked: MarkedSteps<'a>,
    /// The modes.
    pub automaton: &'a Automaton,
    /// What steps cost, by symbol.
    pub exits: &'a [Exits],
}

impl NodeSteps<'_> {
    /// Of two known steps into one node the dearer need not be taken, nor the later of two that cost the same.
    fn keep(known: &mut Vec<PricedExit>, exit: PricedExit) {
        let other = known.iter().position(|other| other.to == exit.to);
        if other.is_none_or(|at| exit.cost < known[at].cost) {
            other.map(|at| known.remove(at));
            known.push(exit);
        }
    }
}

impl Steps for NodeSteps<'_> {
    fn shared(&self) -> &[(SpaceId, u16)] {
        &self.nodes.shared
    }

    fn begins(&self, seed: &Seed) -> Option<u32> {
        self.automaton.number(seed.mode).map(|mode| self.nodes.of(seed.space, mode))
    }

    fn most_out(&self, space: SpaceId) -> usize {
        self.exits.iter().map(|exits| exits.most_out(space)).sum()
    }

    fn list_out(&self, map: &Map, ground: Ground<'_>, of: (u32, SpaceId), list: &mut Vec<PricedExit>) -> usize {
        let NodeSteps { nodes, marked, automaton, exits } = *self;
        let (mode, space) = (nodes.mode(of.0), of.1);
        let mut asked = Vec::new();
        for (symbol, exits) in exits.iter().enumerate() {
            let out = marked.out_of(space, symbol);
            for exit in ground.out(map, exits, space) {
                let exit = PricedExit { symbol: symbol as u16, ..exit };
                let marks = marked.counting(out, SpaceId(exit.to), symbol);
                let next = automaton.after(mode, symbol, marks);
                let to = if next == NO_MODE { NOWHERE } else { nodes.of(SpaceId(exit.to), next) };
                if marked.to_ask(marks, symbol) != 0 {
                    asked.push(PricedExit { to: NOWHERE, ..exit });
                } else if exit.cost == Exit::ASK && to != NOWHERE {
                    asked.push(PricedExit { to, ..exit });
                } else if to != NOWHERE {
                    NodeSteps::keep(list, PricedExit { to, ..exit });
                }
            }
        }
        let known = list.len();
        let least = |exit: &PricedExit| exits[usize::from(exit.symbol)].least_over[exit.border.0 as usize];
        list.extend(asked.into_iter().map(|exit| PricedExit { cost: exit.cost.min(least(&exit)), ..exit }));
        known
    }
}

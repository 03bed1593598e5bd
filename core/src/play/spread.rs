//! Where a move comes to whose modes need not be told apart, or in few spaces alone: how it spreads over the map.

use std::{collections::BTreeMap, sync::Arc};

use super::{game::Game, guards::Guards, moves::Move, space_set::union_of};
use crate::{
    map::{Field, Flood, Ground, NO_MODE, NodeSteps, PricedExit, PricedExits, Seed, SpaceId},
    ruleset::{Baked, Marking},
};

/// What steps cost as the ground last lay, by number of the mover, by side, and by which rows of the mover held that ask about
/// the unit alone.
pub(super) type AllPriced = BTreeMap<(u16, i32, usize), Priced>;

/// What the steps of a kind of units cost as the ground last lay.
#[derive(Debug, Default)]
pub(super) struct Priced {
    /// In the cheapest way.
    cheapest: PricedExits,
    /// By symbol of the modes.
    pub by_symbol: Vec<PricedExits>,
    /// Between the nodes that some marking makes.
    between: Vec<(Arc<Marking>, PricedExits)>,
}

impl Priced {
    /// Kept are those of so many markings, whatever a pack makes: mostly there is one.
    const MOST: usize = 8;

    /// Between the nodes that a marking makes.
    fn between(&mut self, marking: &Arc<Marking>) -> &mut PricedExits {
        let known = self.between.iter().position(|(of, _)| Arc::ptr_eq(of, marking));
        let at = known.unwrap_or_else(|| {
            if self.between.len() == Priced::MOST {
                self.between.remove(0);
            }
            self.between.push((marking.clone(), PricedExits::default()));
            self.between.len() - 1
        });
        &mut self.between[at].1
    }
}

/// Asked of every space entered: true means that one may not go on from it.
type Ends<'a> = dyn FnMut(SpaceId) -> bool + 'a;

impl Game {
    /// The search of a mover whose modes need not be told apart, or that has none: a node is a space. Where few spaces tell them
    /// apart, a node is one of the nodes that a marking makes.
    pub(super) fn search_nodes(
        &self,
        flood: &mut Flood,
        m: &Move,
        without_guards: bool,
        between: Option<&Arc<Marking>>,
    ) {
        let ruleset = &*self.ruleset;
        let (map, mover) = (&ruleset.map, &ruleset.movers[m.mover as usize]);
        let held = self.held(mover, m.unit);
        let baked = mover.baked(held, map, &ruleset.attributes);
        let side = ruleset.units[m.unit as usize].side;
        let rows = |at: Option<usize>| at.filter(|_| !without_guards).map(|at| &ruleset.rows[at]);
        let forbid = Guards::new(&[rows(mover.may_step)], self, &[m.unit]);
        let stops = Guards::new(&[rows(mover.may_go_on), rows(mover.may_pass)], self, &[m.unit]);
        let zones = Zones::new(self, baked, side);
        let (mut seeds, budget) = self.begun(m, without_guards);
        let given = [m.unit, -1, -1];
        // What must be asked of a space is asked once.
        let mut asked = vec![None; if forbid.asks_spaces() { map.len() } else { 0 }];
        let mut is_closed = |to: SpaceId| match asked.get_mut(to.0 as usize) {
            Some(known) => *known.get_or_insert_with(|| forbid.asks(self, &given, to)),
            None => false,
        };
        seeds.retain(|s| !s.entered || (!forbid.is_closed(s.space) && !is_closed(s.space)));
        if m.minimum {
            seeds.iter_mut().for_each(|s| s.cost = s.cost.min(budget));
        }
        let mut stops_here = |at| stops.asks(self, &given, at) || stops.asks_border(self, &given, at, at);
        let mut is_shut = |from: SpaceId, to: SpaceId| is_closed(to) || forbid.asks_border(self, &given, from, to);
        // What bars more than one kind of borders is asked.
        let asks = union_of(forbid.asked().chain(forbid.barred().skip(1).map(|[_, into]| into)));
        let bars = forbid.barred().next().unwrap_or_default();
        let ground = Ground { zone: zones.first(), asks: &asks, bars };
        let (least, stopping, closed) = (&*baked.least, &*stops.closed, &*forbid.closed);
        let ends: Option<&mut Ends<'_>> = if stops.asks_nothing() { None } else { Some(&mut stops_here) };
        let list_of = |exit: PricedExit| &baked.lists[baked.of[exit.border.0 as usize] as usize];
        let mut kept = self.priced.0.borrow_mut();
        let priced = kept.entry((m.mover, side, held)).or_default();
        if let Some((marking, steps)) = between.and_then(|marking| Some((marking, marking.steps(&baked.exits)?))) {
            let NodeSteps { nodes, automaton, marked, .. } = steps;
            let mut ask = |node: u32, exit: PricedExit| {
                let (from, to) = (map.source(exit.border), map.target(exit.border));
                let (mode, symbol) = (nodes.mode(node), usize::from(exit.symbol));
                let before = i32::from(automaton.modes[usize::from(mode)].symbol);
                let marks = marked.counting(marked.out_of(from, symbol), to, symbol);
                let given = [m.unit, from.0 as i32, to.0 as i32, symbol as i32, before];
                let next = automaton.after(mode, symbol, self.marks_counting(mover, marking, marks, given));
                if next == NO_MODE || is_shut(from, to) {
                    return None;
                }
                let cost = self.step_cost(list_of(exit), symbol as u8, m.unit, from, to, &zones)?;
                Some((nodes.of(to, next), cost))
            };
            let priced = priced.between(marking);
            priced.lay(map, &steps, ground);
            let field = Field { map, steps: &steps, least, stops: stopping, closed };
            flood.run(field, priced, &seeds, (budget, m.minimum), &mut ask, ends);
        } else {
            let mut ask = |_, exit: PricedExit| {
                let (from, to) = (map.source(exit.border), map.target(exit.border));
                if is_shut(from, to) {
                    return None;
                }
                // The steps of each way stand together.
                let ways = list_of(exit).chunk_by(|one, next| one.symbol == next.symbol);
                let cost = ways.filter_map(|steps| self.first_cost(steps, m.unit, from, to, &zones)).min();
                Some((exit.to, cost?))
            };
            let steps = if mover.symbols.len() == 1 { &baked.exits[0] } else { &baked.cheapest };
            priced.cheapest.lay(map, steps, ground);
            let field = Field { map, steps, least, stops: stopping, closed };
            flood.run(field, &mut priced.cheapest, &seeds, (budget, m.minimum), &mut ask, ends);
        }
        drop(kept);
        self.keep_ends(flood, m, rows(mover.may_stop));
    }

    /// The marking that makes the nodes that a move goes over; nothing where its modes must be told apart in
    /// many spaces, or in none.
    pub(super) fn between(&self, m: &Move) -> Option<&Arc<Marking>> {
        let mover = &self.ruleset.movers[usize::from(m.mover)];
        let marking =
            Some(mover).filter(|mover| !mover.marks.is_empty()).and_then(|_| self.lasting(m.mover, m.unit))?;
        let is_known = |seed: &Seed| marking.automaton.number(seed.mode).is_some();
        (marking.nodes.is_some() && m.seeds.iter().all(is_known)).then_some(marking)
    }
}

/// Zone bits against the mover's side, copied once for a flood.
pub(super) struct Zones {
    bits: Vec<(u16, Vec<u64>)>,
}

impl Zones {
    pub(super) fn new(game: &Game, baked: &Baked, side: i32) -> Zones {
        let mut zones = Zones { bits: Vec::new() };
        for zone in baked.zones.iter().copied() {
            zones.bits.push((zone, game.with_zone(zone, side, <[u64]>::to_vec)));
        }
        zones
    }

    /// The zone that costs of an [`Exit`](crate::map::Exit) hang on, as a bit set; no words where there is none.
    pub(super) fn first(&self) -> &[u64] {
        self.bits.first().map_or(&[], |(_, bits)| bits)
    }

    #[inline]
    pub(super) fn has(&self, zone: u16, space: SpaceId) -> bool {
        self.bits.iter().any(|(z, bits)| *z == zone && bits[space.0 as usize / 64] >> (space.0 % 64) & 1 == 1)
    }
}

//! Zones as they stand: made when they are asked about, and kept while nothing they read has changed.

use super::{basis::Basis, game::Game, kept_sets::Kept};
use crate::map::SpaceId;

/// A zone against a side, as it was last made.
#[derive(Debug, Clone, Default)]
pub struct Zone {
    basis: Basis,
    /// Its spaces, as a bit set.
    pub(super) bits: Vec<u64>,
}

impl Game {
    /// Whether a space lies in a zone against a side.
    pub fn in_zone(&self, zone: u16, side: i32, space: i32) -> bool {
        if space < 0 || side < 0 {
            return false;
        }
        self.with_zone(zone, side, |bits| bits[space as usize / 64] >> (space as usize % 64) & 1 == 1)
    }

    /// Hands over a zone's bits, for those who ask about many spaces.
    pub(super) fn with_zone<T>(&self, zone: u16, side: i32, then: impl FnOnce(&[u64]) -> T) -> T {
        let at = self.fresh_zone(zone, side.max(0));
        then(&self.zones.borrow()[at].bits)
    }

    /// Makes a zone if it has to be; where it stands among the zones.
    pub(super) fn fresh_zone(&self, zone: u16, side: i32) -> usize {
        let sides = self.ruleset.sides.len();
        let declared = &self.ruleset.zones[zone as usize];
        let reads = &declared.reads[side as usize];
        let at = zone as usize * sides + side as usize;
        let mut bits = {
            let mut zones = self.zones.borrow_mut();
            if zones.is_empty() {
                zones.resize_with(self.ruleset.zones.len() * sides, Zone::default);
            }
            if zones[at].basis.stands(self, reads) {
                return at;
            }
            // Who spreads it may depend on other zones, which are made meanwhile.
            std::mem::take(&mut zones[at].bits)
        };
        let map = &self.ruleset.map;
        bits.clear();
        bits.resize(map.len().div_ceil(64), 0);
        let mut slots = [-1; 16];
        slots[1] = side;
        let candidates = &declared.candidates[side as usize];
        for unit in self.sifted(Kept::Zone(zone, side), candidates, 0, &mut slots) {
            let space = self.space_of(unit);
            if space < 0 {
                continue;
            }
            let center = SpaceId(space as u32);
            let mut mark = |s: SpaceId| bits[s.0 as usize / 64] |= 1 << (s.0 % 64);
            if declared.here || declared.range == 0 {
                mark(center);
            }
            match declared.range {
                0 => (),
                1 => map.add_near(center, &mut bits),
                range => {
                    let within = map.within(center, range);
                    self.takes_steps(within.len() / Game::SIFTED_IN_A_STEP);
                    within.iter().filter(|s| **s != center).copied().for_each(mark);
                }
            }
        }
        let made = &mut self.zones.borrow_mut()[at];
        made.bits = bits;
        made.basis.renew(self, reads);
        at
    }
}

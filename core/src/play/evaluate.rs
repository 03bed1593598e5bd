//! Evaluates rows over a game, and keeps the zones they ask about.

use super::game::Game;
use crate::{
    map::SpaceId,
    ruleset::rows::{Domain, Expr, How},
};

/// What a row is given, then what it binds; unused slots are -1.
pub type Slots = [i32; 16];

/// Bit sets of spaces, one for each zone and side, each with the stamps it was made under.
#[derive(Debug, Clone, Default)]
pub struct ZoneCache {
    made: Vec<Made>,
}

#[derive(Debug, Clone, Default)]
struct Made {
    stamps: [u64; 4],
    bits: Vec<u64>,
}

impl Game {
    /// Evaluates a condition: a yes is 1, a no is 0.
    pub fn holds(&self, expr: &Expr, given: &[i32]) -> bool {
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        self.eval(expr, &mut slots) != 0
    }

    /// Evaluates a sum or any other value.
    pub fn value(&self, expr: &Expr, given: &[i32]) -> i32 {
        let mut slots = [-1; 16];
        slots[..given.len()].copy_from_slice(given);
        self.eval(expr, &mut slots)
    }

    pub(super) fn eval(&self, expr: &Expr, slots: &mut Slots) -> i32 {
        match expr {
            Expr::Const(value) => *value,
            Expr::Slot(slot) => slots[*slot as usize],
            Expr::State { cells, of, .. } => {
                let of = self.leaf(of, slots);
                if (of as u32) < cells.1 { self.cell(cells.0 + of as u32) } else { -1 }
            }
            Expr::Game(column) => self.get(*column, 0),
            Expr::Fixed { attribute, of } => {
                let of = self.leaf(of, slots);
                if of < 0 {
                    return -1;
                }
                self.ruleset.attributes[*attribute as usize].values.get(of as usize).copied().unwrap_or(-1)
            }
            Expr::SpaceOf(unit) => {
                let unit = self.leaf(unit, slots);
                self.space_of(unit)
            }
            Expr::InBox(unit, index) => {
                let unit = self.leaf(unit, slots);
                i32::from(self.place(unit) == self.box_place(*index))
            }
            Expr::Not(a) => i32::from(self.leaf(a, slots) == 0),
            Expr::Both(list) => i32::from(list.iter().all(|e| self.leaf(e, slots) != 0)),
            Expr::Either(list) => i32::from(list.iter().any(|e| self.leaf(e, slots) != 0)),
            Expr::Compare(relation, a, b) => {
                let a = self.leaf(a, slots);
                i32::from(relation.holds(a, self.leaf(b, slots)))
            }
            Expr::Add(a, b) => self.leaf(a, slots) + self.leaf(b, slots),
            Expr::Less(a, b) => self.leaf(a, slots) - self.leaf(b, slots),
            Expr::Zone { zone, space, side } => {
                let (space, side) = (self.leaf(space, slots), self.leaf(side, slots));
                i32::from(self.in_zone(*zone, side, space))
            }
            Expr::Terrain(space, terrain) => {
                let (space, bits) = (self.leaf(space, slots), self.leaf(terrain, slots));
                i32::from(space >= 0 && self.ruleset.map.space(SpaceId(space as u32)).terrain & bits as u32 != 0)
            }
            Expr::Feature(bits, a, b) => {
                let border = self.border(a, b, slots);
                i32::from(border.is_some_and(|border| border.features & bits != 0))
            }
            Expr::Road(bits, a, b) => {
                let border = self.border(a, b, slots);
                i32::from(border.is_some_and(|border| border.roads & bits != 0))
            }
            Expr::Distance(a, b) => {
                let (a, b) = (self.leaf(a, slots), self.leaf(b, slots));
                if a < 0 || b < 0 {
                    return i32::from(crate::map::Map::NEVER);
                }
                i32::from(self.ruleset.map.distance(SpaceId(a as u32), SpaceId(b as u32)))
            }
            Expr::Edge(space) => {
                let space = self.leaf(space, slots);
                i32::from(space >= 0 && self.ruleset.map.is_edge(SpaceId(space as u32)))
            }
            Expr::Level(space) => {
                let space = self.leaf(space, slots);
                if space < 0 { 0 } else { self.ruleset.map.space(SpaceId(space as u32)).level }
            }
            Expr::Over { how, domain, slot, body } => self.over(*how, domain, *slot, body, slots),
            Expr::Word(word, args) => {
                let mut inner = [-1; 16];
                for (at, arg) in args.iter().enumerate() {
                    inner[at] = self.leaf(arg, slots);
                }
                self.eval(&self.ruleset.words[*word as usize].body, &mut inner)
            }
        }
    }

    /// The same as [`Game::eval`], with the commonest small expressions in place of a call.
    #[inline(always)]
    fn leaf(&self, expr: &Expr, slots: &mut Slots) -> i32 {
        match expr {
            Expr::Const(value) => *value,
            Expr::Slot(slot) => slots[*slot as usize],
            Expr::State { cells, of, .. } => match of.as_ref() {
                Expr::Slot(slot) => {
                    let of = slots[*slot as usize];
                    if (of as u32) < cells.1 { self.cell(cells.0 + of as u32) } else { -1 }
                }
                _ => self.eval(expr, slots),
            },
            _ => self.eval(expr, slots),
        }
    }

    fn border(&self, a: &Expr, b: &Expr, slots: &mut Slots) -> Option<crate::map::Border> {
        let (a, b) = (self.eval(a, slots), self.eval(b, slots));
        if a < 0 || b < 0 {
            return None;
        }
        let map = &self.ruleset.map;
        map.between(SpaceId(a as u32), SpaceId(b as u32)).map(|at| map.border(at))
    }

    fn over(&self, how: How, domain: &Domain, slot: u8, body: &Expr, slots: &mut Slots) -> i32 {
        let (mut count, mut total) = (0, 0);
        let (mut least, mut most) = (i32::MAX, i32::MIN);
        // `ask` answers whether to look at the next one.
        let mut ask = |game: &Game, member: i32, slots: &mut Slots| -> bool {
            slots[slot as usize] = member;
            let value = game.eval(body, slots);
            total += value;
            least = least.min(value);
            most = most.max(value);
            count += i32::from(value != 0);
            match how {
                How::Any => value == 0,
                How::All => value != 0,
                How::Count | How::Min | How::Max | How::Total => true,
            }
        };
        let map = &self.ruleset.map;
        let ended = match domain {
            Domain::Units(list) => list.iter().all(|u| ask(self, *u, slots)),
            Domain::UnitsAt(space) => {
                let at = self.eval(space, slots);
                let mut unit = self.first_at(at);
                loop {
                    if unit < 0 {
                        break true;
                    }
                    if !ask(self, unit, slots) {
                        break false;
                    }
                    unit = self.next_at(unit);
                }
            }
            Domain::UnitsNear(space) => {
                let at = self.eval(space, slots);
                at < 0
                    || map.near(SpaceId(at as u32)).all(|near| {
                        let mut unit = self.first_at(near.0 as i32);
                        while unit >= 0 {
                            if !ask(self, unit, slots) {
                                return false;
                            }
                            unit = self.next_at(unit);
                        }
                        true
                    })
            }
            Domain::Near(space) => {
                let at = self.eval(space, slots);
                at < 0 || map.near(SpaceId(at as u32)).all(|near| ask(self, near.0 as i32, slots))
            }
            Domain::Spaces(terrain) => {
                let bits = self.eval(terrain, slots) as u32;
                map.spaces_with(bits).all(|s| ask(self, s.0 as i32, slots))
            }
            Domain::Records(kind) => {
                let most = self.ruleset.schema.records[*kind as usize].most as i32;
                (0..most).filter(|r| self.exists(*kind, *r)).all(|r| ask(self, r, slots))
            }
            Domain::Along(spaces) => spaces.iter().all(|s| ask(self, s.0 as i32, slots)),
        };
        match how {
            How::Any => i32::from(!ended),
            How::All => i32::from(ended),
            How::Count => count,
            How::Total => total,
            How::Min => {
                if least == i32::MAX {
                    0
                } else {
                    least
                }
            }
            How::Max => {
                if most == i32::MIN {
                    0
                } else {
                    most
                }
            }
        }
    }

    /// Whether a space lies in a zone against a side.
    pub fn in_zone(&self, zone: u16, side: i32, space: i32) -> bool {
        if space < 0 || side < 0 {
            return false;
        }
        let at = self.fresh_zone(zone, side);
        let cache = self.zones.borrow();
        cache.made[at].bits[space as usize / 64] >> (space as usize % 64) & 1 == 1
    }

    /// Copies a zone's bits, for floods that ask about many spaces.
    pub(super) fn zone_bits(&self, zone: u16, side: i32, into: &mut Vec<u64>) {
        let at = self.fresh_zone(zone, side.max(0));
        into.clear();
        into.extend_from_slice(&self.zones.borrow().made[at].bits);
    }

    fn fresh_zone(&self, zone: u16, side: i32) -> usize {
        let sides = self.ruleset.sides.len();
        let declared = &self.ruleset.zones[zone as usize];
        let at = zone as usize * sides + side as usize;
        let mut stamps = [u64::MAX; 4];
        // More than four columns cannot be told apart by four stamps; such a zone is made anew each time.
        let keep = declared.reads.len() <= 4;
        for (stamp, column) in stamps.iter_mut().zip(&declared.reads) {
            *stamp = self.stamp(*column);
        }
        {
            let mut cache = self.zones.borrow_mut();
            if cache.made.is_empty() {
                cache.made.resize_with(self.ruleset.zones.len() * sides, Made::default);
            }
            if keep && cache.made[at].stamps == stamps && !cache.made[at].bits.is_empty() {
                return at;
            }
        }
        let map = &self.ruleset.map;
        let mut bits = vec![0u64; map.len().div_ceil(64)];
        for unit in declared.candidates[side as usize].iter().copied() {
            let space = self.space_of(unit);
            if space < 0 || !self.holds(&declared.when, &[unit, side]) {
                continue;
            }
            let center = SpaceId(space as u32);
            let mut mark = |s: SpaceId| bits[s.0 as usize / 64] |= 1 << (s.0 % 64);
            match declared.range {
                0 => mark(center),
                1 => map.near(center).for_each(mark),
                range => {
                    let far = map.distances_to(center);
                    let within = |s: &SpaceId| (1..=range).contains(&far[s.0 as usize]);
                    map.spaces().filter(within).for_each(mark);
                }
            }
        }
        self.zones.borrow_mut().made[at] = Made { stamps, bits };
        at
    }
}

//! What it costs to cross each border out of a space, as far as that is known before anybody asks.

use std::ops::Range;

use super::{BorderId, Map, SpaceId};

/// What it costs to cross a border, or that one may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// In the ruleset's smallest unit.
    Cost(u16),
    /// It is closed.
    Closed,
}

/// What a step costs by where it leads from and to: a number for each [`Ends`].
pub type Costs = [u16; Ends::ALL];

/// Whether the space that a step leaves lies in the zone that costs hang on, and the space that it enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// Whether the space left does.
    pub from: bool,
    /// Whether the space entered does.
    pub to: bool,
}

impl Ends {
    /// How many there are.
    pub const ALL: usize = 4;

    /// Its number among them.
    #[inline]
    pub fn number(self) -> usize {
        usize::from(self.from) | usize::from(self.to) << 1
    }
}

/// A border out of a space with its cost worked out beforehand, as it mostly can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// Where it leads.
    pub to: SpaceId,
    /// The cost while the space entered does not lie in the zone.
    pub outside: u16,
    /// The cost while it does.
    pub inside: u16,
}

impl Exit {
    /// In place of a cost: it must be asked for. No number is greater, nor any but that than the next.
    pub const ASK: u16 = u16::MAX;

    /// In place of a cost: nobody crosses it, whatever else holds.
    pub const CLOSED: u16 = u16::MAX - 1;
}

/// What it costs to cross each border on one way.
#[derive(Debug, Clone, Default)]
pub struct Exits {
    /// By number of the border: what it costs while the space left lies out of the zone, and what while it lies in it; the
    /// latter is empty where that is the same.
    list: [Vec<Exit>; 2],
    /// No step costs less, wherever its ends lie; 0 where some must be asked for.
    pub least: u16,
    /// Whether every step costs the same, and that is known beforehand.
    pub even: bool,
    /// By number of the border: it never costs less, whatever else holds.
    pub(super) least_over: Vec<u16>,
    /// By number of the space: how many borders are ever open out of those before it, and at last of all.
    open: Vec<u32>,
}

impl Exits {
    /// Of every border of a map, in the order of their numbers, each with the least that it may cost.
    pub fn new(map: &Map, costs: &[Costs], least_of: impl Fn(usize) -> u16) -> Exits {
        let all = || costs.iter().flatten().copied();
        let least = all().min().filter(|_| all().all(|cost| cost != Exit::ASK)).unwrap_or(0);
        let even = all().all(|cost| cost == least);
        let list = |from: bool| -> Vec<Exit> {
            let exit = |(at, costs): (usize, &Costs)| {
                let [outside, inside] = [false, true].map(|to| costs[Ends { from, to }.number()]);
                Exit { to: map.target(BorderId(at as u32)), outside, inside }
            };
            costs.iter().enumerate().map(exit).collect()
        };
        let outside = list(false);
        let inside = Some(list(true)).filter(|inside| *inside != outside).unwrap_or_default();
        let is_open = |at: usize| costs[at].iter().any(|cost| *cost != Exit::CLOSED);
        let mut open = vec![0];
        for space in map.spaces() {
            open.push(open[space.0 as usize] + map.borders_out(space).filter(|at| is_open(*at)).count() as u32);
        }
        let least_over = (0..costs.len()).map(least_of).collect();
        Exits { list: [outside, inside], least, even, least_over, open }
    }

    /// By number of the border: what it costs while the space left lies out of the zone, and what while it lies in it.
    pub fn list(&self) -> [&[Exit]; 2] {
        let [outside, inside] = &self.list;
        [outside, if inside.is_empty() { outside } else { inside }]
    }

    /// Where the borders out of a space stand in a list of those that are ever open.
    #[inline]
    pub(super) fn open_out(&self, space: SpaceId) -> Range<usize> {
        self.open[space.0 as usize] as usize..self.open[space.0 as usize + 1] as usize
    }
}

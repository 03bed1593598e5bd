//! What it costs to cross each border out of a space, as far as that is known before anybody asks.

use super::{BorderId, Map, SpaceId, reach::Ground};

/// What it costs to cross a border, or that one may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// In the ruleset's smallest unit.
    Cost(u16),
    /// It is closed.
    Closed,
}

/// A border out of a space with its cost worked out beforehand, as it mostly can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// Where it leads.
    pub to: SpaceId,
    /// The cost while the space entered is not marked [`Ground::ZONE`].
    pub outside: u16,
    /// The cost while it is.
    pub inside: u16,
}

impl Exit {
    /// In place of a cost: it must be asked for.
    pub const ASK: u16 = u16::MAX;

    /// In place of a cost: nobody crosses it, whatever else holds.
    pub const CLOSED: u16 = u16::MAX - 1;

    #[inline]
    pub(super) fn cost(self, ground: Ground) -> u16 {
        let cost = if ground.is(Ground::ZONE) { self.inside } else { self.outside };
        // No number is greater than that of what must be asked, so that nobody need choose between the two.
        cost | u16::from(ground.is(Ground::ASKS)).wrapping_neg()
    }
}

/// An exit that somebody may cross.
#[derive(Debug, Clone, Copy)]
pub struct OpenExit {
    /// The border.
    pub border: BorderId,
    /// Where it leads.
    pub to: SpaceId,
    /// The cost while the space entered is not marked [`Ground::ZONE`], or [`Exit::ASK`].
    pub cost: u16,
    /// It never costs less, whatever else holds.
    pub least: u16,
}

/// What it costs to cross each border on one way.
#[derive(Debug, Clone, Default)]
pub struct Exits {
    /// By number of the border.
    pub list: Vec<Exit>,
    /// No step costs less, inside a zone or outside; 0 where some must be asked for.
    pub least: u16,
    /// Whether every step costs the same, and that is known beforehand.
    pub even: bool,
    /// Those that are ever open, by the space they lead out of.
    open: Vec<OpenExit>,
    /// By number of the space: where its own begin, and at last where they end.
    first: Vec<u32>,
}

impl Exits {
    /// Of every border of a map, in the order of their numbers, each with the least that it may cost.
    pub fn new(map: &Map, list: Vec<Exit>, least_of: impl Fn(usize) -> u16) -> Exits {
        let priced = list.iter().all(|e| e.outside != Exit::ASK);
        let least = list.iter().map(|e| e.outside.min(e.inside)).min().filter(|_| priced).unwrap_or(0);
        let even = priced && list.iter().all(|e| e.outside == least && e.inside == least);
        let (mut open, mut first) = (Vec::new(), vec![0]);
        for space in map.spaces() {
            let all = map.borders_out(space).map(|at| (at, list[at]));
            open.extend(all.filter(|(_, exit)| exit.outside != Exit::CLOSED).map(|(at, exit)| OpenExit {
                border: BorderId(at as u32),
                to: exit.to,
                cost: exit.outside,
                least: least_of(at),
            }));
            first.push(open.len() as u32);
        }
        Exits { list, least, even, open, first }
    }

    /// Those out of a space that are ever open.
    #[inline]
    pub(super) fn open_out(&self, space: SpaceId) -> &[OpenExit] {
        let at = space.0 as usize;
        &self.open[self.first[at] as usize..self.first[at + 1] as usize]
    }
}

//! What a search over (space, mode) is given: the map and the modes, what steps cost, what is closed, marked or to be asked.

use super::{
    BorderId, Map, SpaceId,
    automaton::Automaton,
    exits::{Exits, Price},
    frontier::alone,
    priced::Ground,
    space_marks::SpaceMarks,
};

/// What a search over (space, mode) spreads over.
#[derive(Debug, Clone, Copy)]
pub struct ModeField<'a> {
    /// The map.
    pub map: &'a Map,
    /// The modes.
    pub automaton: &'a Automaton,
    /// What steps cost, by symbol.
    pub exits: &'a [Exits],
    /// How the ground lies.
    pub ground: Ground<'a>,
    /// By mode: a bit set of the spaces that a move which enters them in it does not go on from.
    pub stops: &'a [&'a [u64]],
    /// Which steps marks count.
    pub marked: MarkedSteps<'a>,
    /// By mode, one after the other: a bit set of the spaces that no step may enter in it.
    pub closed: &'a [u64],
}

/// Which steps marks count by the spaces that they lead out of and into; empty where none do.
#[derive(Debug, Clone, Copy, Default)]
pub struct MarkedSteps<'a> {
    /// By symbol: the marks that may count a step out of a space, if the space it leads into agrees.
    pub out: &'a [SpaceMarks],
    /// The same of the space that a step leads into.
    pub into: &'a [SpaceMarks],
    /// By symbol: the marks that such a step must be asked for, where its spaces say that they may count it.
    pub asked: &'a [u8],
}

impl MarkedSteps<'_> {
    /// Marks that may count a step by a symbol out of a space.
    #[inline]
    pub fn out_of(&self, from: SpaceId, symbol: usize) -> u8 {
        self.out.get(symbol).map_or(0, |marks| marks.of(from))
    }

    /// Of the marks that may count a step by a symbol out of where it begins, those that count it into a space, as far as
    /// these say it.
    #[inline]
    pub fn counting(&self, out: u8, to: SpaceId, symbol: usize) -> u8 {
        if out == 0 { 0 } else { out & self.into[symbol].of(to) }
    }

    /// Those of these marks that must be asked whether they count a step by a symbol.
    #[inline]
    pub fn to_ask(&self, marks: u8, symbol: usize) -> u8 {
        if marks == 0 { 0 } else { marks & self.asked[symbol] }
    }
}

/// Whether a space is in a bit set, which may end before it.
#[inline]
pub(super) fn is_in(set: &[u64], space: SpaceId) -> bool {
    let (word, bit) = alone(space);
    set.get(word as usize).is_some_and(|set| set & bit != 0)
}

/// A transition about to be priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// Number of the mode before it.
    pub mode: u16,
    /// The symbol of the mode after it.
    pub symbol: usize,
    /// The border that a step crosses; nothing for a change in place.
    pub over: Option<BorderId>,
    /// Where it leads; for a change in place, where it happens.
    pub to: SpaceId,
    /// The marks that count a step as far as its spaces say it; those that must be asked for may count it.
    pub marks: u8,
}

/// Prices a transition that is not priced beforehand, or whose marks must be asked for, and says which marks count it.
pub type AskPrice<'a> = dyn FnMut(Transition) -> (Price, u8) + 'a;

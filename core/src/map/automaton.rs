//! Modes and the transitions between them: an automaton in tables, over which the search goes.

/// In place of the number of a mode: there is no such transition.
pub const NO_MODE: u16 = u16::MAX;
/// How many marks may hang on the spaces of a step: a transition says of each whether it counts.
pub const MOST_SPACE_MARKS: usize = 3;

/// A mode: all that a move still needs to know of what lies behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mode {
    /// The symbol that says how the unit stands or goes: declared, or the way of the step before; -1 before any step.
    pub symbol: i16,
    /// How every mark stands, as one number; what it means is the ruleset's.
    pub counts: u16,
}

impl Default for Mode {
    fn default() -> Mode {
        Mode { symbol: -1, counts: 0 }
    }
}

/// Which modes there are, and which transition leads from which to which.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Automaton {
    /// How many symbols a mode can have.
    pub symbols: usize,
    /// The modes; elsewhere here, a mode is its number among them.
    pub modes: Vec<Mode>,
    /// By mode: which marks have counted anything, as a bit set in the ruleset's order.
    pub marked: Vec<u16>,
    /// By mode, symbol of a step and the marks of [`MOST_SPACE_MARKS`] that count it: the mode after it, or [`NO_MODE`].
    pub steps: Vec<u16>,
    /// The same for changes in place, by the symbol changed into; empty where there are none.
    pub changes: Vec<u16>,
    /// By mode: the others that can do no more than it, at no less cost, wherever they are.
    pub dominated: Vec<Vec<u16>>,
    /// By mode: those besides of which that is true where no mark may count a step out of the space. Few spaces have
    /// such marks (a branch of a road, say), and everywhere else there is less to search.
    pub dominated_unmarked: Vec<Vec<u16>>,
    /// Whether all modes come to the same there.
    pub is_alike_unmarked: bool,
}

impl Automaton {
    /// The number of a mode.
    pub fn number(&self, mode: Mode) -> Option<u16> {
        self.modes.iter().position(|m| *m == mode).map(|at| at as u16)
    }

    /// The mode after a step by a symbol that these marks count.
    #[inline]
    pub fn after(&self, mode: u16, symbol: usize, counted: u8) -> u16 {
        self.steps[(usize::from(mode) * self.symbols + symbol) << MOST_SPACE_MARKS | usize::from(counted)]
    }

    /// The mode after a change in place into a symbol, that these marks count.
    #[inline]
    pub fn changed(&self, mode: u16, symbol: usize, counted: u8) -> u16 {
        self.changes[(usize::from(mode) * self.symbols + symbol) << MOST_SPACE_MARKS | usize::from(counted)]
    }
}

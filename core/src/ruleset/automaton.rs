//! The automaton of a mover: modes, and the transitions that steps and changes in place make between them.
//!
//! Which there are depends on a unit only by what its marks come to; each automaton is worked out once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{
    marks::{Mark, counts, each_count},
    movers::Mover,
};
use crate::map::{Automaton, Exits, MOST_SPACE_MARKS, MarkedSteps, Mode, NO_MODE, NodeSteps, Nodes, SpaceMarks};

/// Whether a mark counts transitions from one symbol to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Marked {
    /// None of them, or every one.
    All(bool),
    /// Steps out of some spaces and into some: number of the bit that says so.
    Into(u8),
    /// It must be asked of each: number of the bit that says so.
    Asked(u8),
}

/// Which transitions marks count, as far as symbols say it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MarkedKinds {
    /// How many symbols there are.
    pub symbols: usize,
    /// By mark, then by symbol before (from none), then by symbol: of steps.
    pub steps: Vec<Vec<Marked>>,
    /// By mark, then by symbol before, then by symbol changed into: of changes in place. Empty where there are none.
    pub changes: Vec<Vec<Marked>>,
}

impl MarkedKinds {
    /// Whether a mark counts steps in a symbol after another.
    pub fn of_step(&self, mark: usize, before: i32, symbol: usize) -> Marked {
        self.steps[mark][(before + 1) as usize * self.symbols + symbol]
    }

    /// Whether a mark counts changes from a symbol into another.
    pub fn of_change(&self, mark: usize, before: i32, into: usize) -> Marked {
        self.changes[mark][before.max(0) as usize * self.symbols + into]
    }

    /// The bits of marks that must be asked whether they count steps in a symbol.
    pub fn asked_of(&self, symbol: usize) -> u8 {
        let of_symbol = self.steps.iter().flat_map(|kinds| kinds.iter().skip(symbol).step_by(self.symbols));
        of_symbol.fold(0, |bits, kind| if let Marked::Asked(bit) = kind { bits | 1 << bit } else { bits })
    }

    /// Whether any step must be asked.
    pub fn asks(&self) -> bool {
        self.steps.iter().flatten().any(|kind| matches!(kind, Marked::Asked(_)))
    }
}

/// What marks count of the transitions of a unit, and the automaton that makes.
#[derive(Debug)]
pub struct Marking {
    /// What they count, and what must be asked.
    pub kinds: MarkedKinds,
    /// By symbol: the bits of [`Marked::Into`] and [`Marked::Asked`] that a step out of a space may have.
    pub out: Vec<SpaceMarks>,
    /// The same for a step into it.
    pub into: Vec<SpaceMarks>,
    /// By symbol: the bits of [`Marked::Asked`].
    pub asked: Vec<u8>,
    /// The automaton, from where the unit begins a move.
    pub automaton: Arc<Automaton>,
    /// What its moves go over where few spaces tell its modes apart, and marks never count other steps than now.
    pub nodes: Option<Nodes>,
}

impl Marking {
    /// Which steps marks count.
    pub fn marked(&self) -> MarkedSteps<'_> {
        MarkedSteps { out: &self.out, into: &self.into, asked: &self.asked }
    }

    /// The steps between its nodes, where it makes any.
    pub fn steps<'a>(&'a self, exits: &'a [Exits]) -> Option<NodeSteps<'a>> {
        let nodes = self.nodes.as_ref()?;
        Some(NodeSteps { nodes, marked: self.marked(), automaton: &self.automaton, exits })
    }
}

impl PartialEq for Marking {
    fn eq(&self, other: &Marking) -> bool {
        let Marking { kinds, out, into, automaton, asked: _, nodes: _ } = self;
        Arc::ptr_eq(automaton, &other.automaton) && (kinds, out, into) == (&other.kinds, &other.out, &other.into)
    }
}

/// What a search leaves out of account: whoever asks why a move does not come to a space finds out by it what stands in
/// the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relaxed {
    /// Nothing: the search that finds where moves end.
    Nothing,
    /// What marks limit and forbid.
    Marks,
    /// All guards too, and steps in every symbol but one where a step may be taken in any.
    Guards(Option<usize>),
    /// Guards, and what changes in place cost and ask for.
    Changes,
}

impl Mover {
    /// The automaton for transitions that are marked so, from modes in which a move may begin.
    fn automaton(&self, kinds: &MarkedKinds, begin: &[Mode], relaxed: Relaxed) -> Automaton {
        let (symbols, standing) = (self.symbols.len(), counts(&self.marks));
        let mut modes: Vec<Mode> = Vec::new();
        // By symbol, from none, then by counts: the number of the mode.
        let mut numbers = vec![NO_MODE; (symbols + 1) * standing];
        let mut number = |modes: &mut Vec<Mode>, mode: Mode| {
            let known = &mut numbers[(mode.symbol + 1) as usize * standing + usize::from(mode.counts)];
            if *known == NO_MODE {
                *known = modes.len() as u16;
                modes.push(mode);
            }
            *known
        };
        for mode in begin {
            number(&mut modes, *mode);
        }
        let (mut steps, mut changes) = (Vec::new(), Vec::new());
        let has_changes = !self.symbols.changes().is_empty() || relaxed == Relaxed::Changes && self.symbols.is_kept();
        let mut at = 0;
        while at < modes.len() {
            let Mode { symbol: before, counts } = modes[at];
            let before = i32::from(before);
            for symbol in 0..symbols {
                let is_closed = matches!(relaxed, Relaxed::Guards(Some(only)) if only != symbol)
                    || !self.symbols.after(before).contains(&symbol);
                for counted in 0..1u8 << MOST_SPACE_MARKS {
                    let kind = |mark: usize| kinds.of_step(mark, before, symbol);
                    let after = if is_closed { None } else { self.counted(counts, kind, counted, relaxed) };
                    let mode = after.map(|counts| Mode { symbol: symbol as i16, counts });
                    steps.push(mode.map_or(NO_MODE, |mode| number(&mut modes, mode)));
                }
            }
            for into in (0..symbols).filter(|_| has_changes) {
                for counted in 0..1u8 << MOST_SPACE_MARKS {
                    let kind = |mark: usize| match kinds.changes.get(mark) {
                        Some(_) => kinds.of_change(mark, before, into),
                        None => Marked::All(false),
                    };
                    let is_shut = relaxed != Relaxed::Changes && self.symbols.is_shut(before, into);
                    let after = if before < 0 || before == into as i32 || is_shut {
                        None
                    } else {
                        self.counted(counts, kind, counted, relaxed)
                    };
                    let mode = after.map(|counts| Mode { symbol: into as i16, counts });
                    changes.push(mode.map_or(NO_MODE, |mode| number(&mut modes, mode)));
                }
            }
            at += 1;
        }
        let marked = modes.iter().map(|mode| {
            let counts = each_count(&self.marks, mode.counts).enumerate();
            counts.fold(0, |all, (mark, count)| all | u16::from(count > 0) << mark)
        });
        let marked = marked.collect();
        let mut automaton = Automaton { symbols, modes, marked, steps, changes, ..Automaton::default() };
        self.set_dominated(&mut automaton, kinds);
        automaton
    }

    /// Whether its moves may know of such a mode.
    pub fn has_mode(&self, mode: Mode) -> bool {
        (-1..self.symbols.len() as i16).contains(&mode.symbol) && usize::from(mode.counts) < counts(&self.marks)
    }

    /// The mode after a first step in a symbol, given which marks count it; nothing if no move may begin so.
    pub fn first_step(&self, symbol: i32, is_marked: impl Fn(usize) -> bool) -> Option<Mode> {
        let kind = |mark: usize| Marked::All(is_marked(mark));
        let counts = self.counted(0, kind, 0, Relaxed::Nothing)?;
        Some(Mode { symbol: symbol as i16, counts })
    }

    /// How marks stand after a transition that they count so; nothing if it would be one too many.
    fn counted(&self, counts: u16, kind: impl Fn(usize) -> Marked, counted: u8, relaxed: Relaxed) -> Option<u16> {
        let (mut all, mut unit) = (counts, 1);
        for ((at, mark), count) in self.marks.iter().enumerate().zip(each_count(&self.marks, counts)) {
            let is_marked = match kind(at) {
                Marked::All(holds) => holds,
                Marked::Into(bit) | Marked::Asked(bit) => counted >> bit & 1 == 1,
            };
            if is_marked && mark.is_bar && relaxed == Relaxed::Nothing {
                return None;
            } else if is_marked && count < mark.highest() {
                all += unit;
            } else if is_marked && mark.most.is_some() && relaxed == Relaxed::Nothing {
                return None;
            }
            unit *= u16::from(mark.highest()) + 1;
        }
        Some(all)
    }

    /// Works out by mode which it dominates: those that can do no more, at no less cost. Of two that dominate each other,
    /// the one with the lower number does.
    ///
    /// A mode dominates another if whatever the other may do it may do too, for the same cost, with no more guards
    /// against it, and dominates it afterwards: the greatest such relation is found by striking out pairs for which that
    /// does not hold, until it holds for all. Costs are the same where symbols are, and where each step chooses its own.
    ///
    /// Where no mark may count a step out of the space, only such steps need be compared as none counts; what they lead
    /// to may lie anywhere.
    fn set_dominated(&self, automaton: &mut Automaton, kinds: &MarkedKinds) {
        /// Of more modes than this, only those are compared that have their symbol in common: there, whoever is marked
        /// less often can do as much, and nothing need be struck out.
        const MOST_COMPARED: usize = 256;
        let modes = &automaton.modes;
        let count = modes.len();
        let counts: Vec<Vec<u8>> = modes.iter().map(|mode| each_count(&self.marks, mode.counts).collect()).collect();
        if count > MOST_COMPARED {
            let is_less = |a: usize, b: usize| {
                a != b && modes[a].symbol == modes[b].symbol && counts[b].iter().zip(&counts[a]).all(|(b, a)| b <= a)
            };
            automaton.dominated = by_dominating(count, is_less);
            automaton.dominated_unmarked = vec![Vec::new(); count];
            return;
        }
        let forbidding = self.marks.iter().map(|mark| mark.may_step.is_some());
        let forbidding = forbidding.enumerate().fold(0, |all, (mark, forbids)| all | u16::from(forbids) << mark);
        let guards = |mode: u16| automaton.marked[usize::from(mode)] & forbidding;
        let by_symbol = self.symbols.is_kept() || self.stops_by_symbol || self.ends_by_symbol;
        // A step that must be asked may be answered otherwise after another symbol.
        let asks_before = kinds.asks() && self.marks.iter().any(|m| m.looks_at.slot(Mark::BEFORE));
        let may = |by_symbol: bool, a: usize, b: usize| a != b && (!by_symbol || modes[a].symbol == modes[b].symbol);
        let row = automaton.symbols << MOST_SPACE_MARKS;
        let row_of = |table: &'_ [u16], mode: usize, at: usize| table.get(mode * row + at).copied().unwrap_or(NO_MODE);
        let is_no_better = |less: &[Vec<bool>], mine: u16, other: u16| {
            mine == NO_MODE
                || other != NO_MODE
                    && guards(other) & !guards(mine) == 0
                    && (mine == other || less[usize::from(mine)][usize::from(other)])
        };
        // Whether all that the first may do by a table is no better than what the second may; of all transitions, or of
        // every so many.
        let does_no_better = |less: &[Vec<bool>], table: &[u16], every: usize, a: usize, b: usize| {
            (0..row).step_by(every).all(|at| is_no_better(less, row_of(table, a, at), row_of(table, b, at)))
        };
        // Whether the first is dominated by the second, as far as is known.
        let all_that_may = |by_symbol: bool| -> Vec<Vec<bool>> {
            (0..count).map(|a| (0..count).map(|b| may(by_symbol, a, b)).collect()).collect()
        };
        let mut less = all_that_may(by_symbol || asks_before);
        let mut changed = true;
        while changed {
            changed = false;
            for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
                let tables = [&automaton.steps, &automaton.changes];
                if less[a][b] && !tables.into_iter().all(|table| does_no_better(&less, table, 1, a, b)) {
                    less[a][b] = false;
                    changed = true;
                }
            }
        }
        let mut unmarked = all_that_may(by_symbol);
        for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
            unmarked[a][b] &= does_no_better(&less, &automaton.steps, 1 << MOST_SPACE_MARKS, a, b)
                && does_no_better(&less, &automaton.changes, 1, a, b);
        }
        let is_less = |less: &[Vec<bool>], a: usize, b: usize| less[a][b] && (!less[b][a] || b < a);
        let everywhere = by_dominating(count, |a, b| is_less(&less, a, b));
        let there = by_dominating(count, |a, b| is_less(&unmarked, a, b) && !is_less(&less, a, b));
        let is_told = by_symbol || self.steps_by_symbol || !automaton.changes.is_empty();
        let is_free = |a: usize| guards(a as u16) == 0 && (0..count).all(|b| a == b || unmarked[a][b]);
        automaton.is_alike_unmarked = !is_told && (0..count).all(is_free);
        (automaton.dominated, automaton.dominated_unmarked) = (everywhere, there);
    }
}

/// For each of so many modes, those of which it is true that the first is less than the second.
fn by_dominating(count: usize, is_less: impl Fn(usize, usize) -> bool) -> Vec<Vec<u16>> {
    (0..count).map(|b| (0..count).filter(|a| is_less(*a, b)).map(|a| a as u16).collect()).collect()
}

/// An automaton, and what it was worked out from: how transitions are marked, where moves may begin, what is left out.
#[derive(Debug)]
struct Known {
    kinds: MarkedKinds,
    begin: Vec<Mode>,
    relaxed: Relaxed,
    automaton: Arc<Automaton>,
}

/// Automata worked out so far.
#[derive(Debug, Default)]
pub struct KnownAutomata {
    lists: Mutex<Vec<Known>>,
    /// By unit, where marks ask of nothing that changes; where there are none, by the symbol a move begins in.
    lasting: OnceLock<Vec<OnceLock<Arc<Marking>>>>,
}

impl KnownAutomata {
    /// Kept are automata of so many transitions in all.
    const MOST_KEPT: usize = 1 << 23;

    /// The automaton for transitions that are marked so, from where moves may begin; worked out where it is not known.
    pub fn of(&self, mover: &Mover, kinds: &MarkedKinds, begin: &[Mode], relaxed: Relaxed) -> Arc<Automaton> {
        let mut known = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |k: &&Known| k.relaxed == relaxed && k.kinds == *kinds && k.begin == begin;
        if let Some(known) = known.iter().find(is_it) {
            return known.automaton.clone();
        }
        let automaton = Arc::new(mover.automaton(kinds, begin, relaxed));
        let size = |known: &Known| mover.symbols.transitions(known.automaton.modes.len());
        if known.iter().map(size).sum::<usize>() > KnownAutomata::MOST_KEPT {
            known.clear();
        }
        known.push(Known { kinds: kinds.clone(), begin: begin.to_vec(), relaxed, automaton: automaton.clone() });
        automaton
    }

    /// What marks count of the transitions in one of so many cases, once and for all; made if it is asked for the first
    /// time, and one for all cases where it is the same.
    pub fn lasting(&self, at: usize, cases: usize, make: impl FnOnce() -> Marking) -> &Arc<Marking> {
        let all = self.lasting.get_or_init(|| (0..cases).map(|_| OnceLock::new()).collect());
        all[at].get_or_init(|| {
            let made = make();
            let known = all.iter().filter_map(OnceLock::get).find(|known| ***known == made);
            known.cloned().unwrap_or_else(|| Arc::new(made))
        })
    }
}

//! The gaits of a mover: the way of the last step and how every mark stands, and which of them follows which.
//!
//! Which gaits there are depends on a unit only by what its marks come to; each such list is worked out once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::movers::{Mark, Mover};
use crate::map::{Gaits, MOST_GAITS, MOST_MET, NO_GAIT};

/// The gaits of a unit.
#[derive(Debug, Default)]
pub struct Gaited {
    /// Which follows which.
    pub gaits: Gaits,
    /// By gait: the way of the last step (-1 before the first), and how each mark stands.
    pub of: Vec<(i32, Vec<u8>)>,
}

/// Whether steps of a way, after a step of another, are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Marked {
    /// None of them, or every one.
    All(bool),
    /// Those out of some spaces and into some: number of the bit that says so.
    Into(u8),
    /// It must be asked of each step: number of the bit that says so.
    Asked(u8),
}

/// By mark, then by way before and way: whether such steps are marked.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MarkedKinds {
    /// How many ways there are.
    pub ways: usize,
    /// By mark, then by way before (from none), then by way.
    pub kinds: Vec<Vec<Marked>>,
}

impl MarkedKinds {
    /// Whether steps of a way after a step of another are marked.
    pub fn of(&self, mark: usize, before: i32, way: usize) -> Marked {
        self.kinds[mark][(before + 1) as usize * self.ways + way]
    }

    /// Whether any step must be asked.
    pub fn asks(&self) -> bool {
        self.kinds.iter().flatten().any(|kind| matches!(kind, Marked::Asked(_)))
    }
}

/// How the steps of a unit are marked, and the gaits that makes.
#[derive(Debug)]
pub struct Marking {
    /// Which are, and which must be asked.
    pub kinds: MarkedKinds,
    /// By way, then by number of the space: the bits of [`Marked::Into`] that a step out of it can meet; empty where
    /// there are none.
    pub left: Vec<Vec<u8>>,
    /// The same for a step into it.
    pub met: Vec<Vec<u8>>,
    /// Its gaits, for moves that take heed of everything.
    pub gaited: Arc<Gaited>,
}

/// What a flood of gaits takes heed of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heeding {
    /// Everything.
    All,
    /// Everything but what marks forbid.
    NoMarks,
    /// Nothing, and only steps on this way.
    OnlyWay(usize),
}

impl Gaited {
    /// `heeding` leaves limits out, or all ways but one.
    pub fn new(mover: &Mover, kinds: &MarkedKinds, heeding: Heeding) -> Gaited {
        let ways = mover.ways.len();
        let mut all = Gaited { of: vec![(-1, vec![0; mover.marks.len()])], ..Gaited::default() };
        all.gaits.ways = ways;
        let mut at = 0;
        while at < all.of.len() {
            let (before, marks) = all.of[at].clone();
            for way in 0..ways {
                let is_open = !matches!(heeding, Heeding::OnlyWay(only) if only != way);
                for met in 0..1u8 << MOST_MET {
                    let after = if is_open { after(mover, kinds, heeding, &marks, (before, way), met) } else { None };
                    let next = after.map(|marks| {
                        let gait = (way as i32, marks);
                        all.of.iter().position(|g| *g == gait).unwrap_or_else(|| {
                            all.of.push(gait);
                            all.of.len() - 1
                        })
                    });
                    // The loader sees to it that there are no more gaits than fit.
                    all.gaits.next.push(next.filter(|n| *n < MOST_GAITS).map_or(NO_GAIT, |n| n as u8));
                }
            }
            at += 1;
        }
        all.gaits.lesser = all.lesser(mover, kinds);
        all
    }

    /// By gait, those that can do no more than it. Of two that can do the same the later is the lesser.
    fn lesser(&self, mover: &Mover, kinds: &MarkedKinds) -> Vec<Vec<u8>> {
        let count = self.of.len();
        // A step that must be asked may be answered otherwise after another way.
        let asks_before = kinds.asks() && mover.marks.iter().any(|m| m.looks_at.slot(Mark::WAYS.1));
        let guards = |gait: u8| {
            let marks = self.of[usize::from(gait)].1.iter().enumerate();
            let set = marks.filter(|(m, n)| **n > 0 && mover.marks[*m].forbid.is_some());
            set.fold(0u64, |all, (m, _)| all | 1 << m)
        };
        let may = |a: usize, b: usize| a != b && (!asks_before || self.of[a].0 == self.of[b].0);
        let mut can: Vec<u128> =
            (0..count).map(|a| (0..count).filter(|b| may(a, *b)).fold(0, |all, b| all | 1 << b)).collect();
        let steps = self.gaits.ways << MOST_MET;
        loop {
            let mut changed = false;
            for a in 0..count {
                for b in 0..count {
                    if can[a] >> b & 1 == 0 {
                        continue;
                    }
                    let holds = (0..steps).all(|step| {
                        let (mine, other) = (self.gaits.next[a * steps + step], self.gaits.next[b * steps + step]);
                        mine == NO_GAIT
                            || other != NO_GAIT
                                && guards(other) & !guards(mine) == 0
                                && (mine == other || can[usize::from(mine)] >> other & 1 == 1)
                    });
                    if !holds {
                        can[a] &= !(1 << b);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let is_mutual = |a: usize, b: usize| can[b] >> a & 1 == 1;
        let is_less = |a: usize, b: usize| can[a] >> b & 1 == 1 && (!is_mutual(a, b) || b < a);
        (0..count).map(|b| (0..count).filter(|a| is_less(*a, b)).map(|a| a as u8).collect()).collect()
    }
}

/// How the marks stand after a step on a way, after a step on another; nothing if it may not be taken.
fn after(
    mover: &Mover,
    kinds: &MarkedKinds,
    heeding: Heeding,
    marks: &[u8],
    (before, way): (i32, usize),
    met: u8,
) -> Option<Vec<u8>> {
    let mut marks = marks.to_vec();
    for (at, mark) in mover.marks.iter().enumerate() {
        let is_marked = match kinds.of(at, before, way) {
            Marked::All(holds) => holds,
            Marked::Into(bit) | Marked::Asked(bit) => met >> bit & 1 == 1,
        };
        if is_marked {
            marks[at] += 1;
            if marks[at] > mark.highest() {
                if mark.most.is_some() && heeding == Heeding::All {
                    return None;
                }
                marks[at] = mark.highest();
            }
        }
    }
    Some(marks)
}

/// Lists of gaits worked out so far, by how the steps of a unit are marked.
#[derive(Debug, Default)]
pub struct KnownGaits {
    lists: Mutex<Vec<(MarkedKinds, Arc<Gaited>)>>,
    /// By unit, where marks ask of nothing that changes.
    lasting: OnceLock<Vec<OnceLock<Arc<Marking>>>>,
}

impl KnownGaits {
    /// The list for steps that are marked so; made if it is the first.
    pub fn of(&self, mover: &Mover, kinds: &MarkedKinds) -> Arc<Gaited> {
        let mut known = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, gaits)) = known.iter().find(|(k, _)| k == kinds) {
            return gaits.clone();
        }
        let gaits = Arc::new(Gaited::new(mover, kinds, Heeding::All));
        known.push((kinds.clone(), gaits.clone()));
        gaits
    }

    /// How the steps of one of so many units are marked, once and for all; made if it is asked for the first time.
    pub fn lasting(&self, unit: i32, units: usize, make: impl FnOnce() -> Marking) -> Arc<Marking> {
        let all = self.lasting.get_or_init(|| (0..units).map(|_| OnceLock::new()).collect());
        all[unit as usize].get_or_init(|| Arc::new(make())).clone()
    }
}

//! Contact: every unit that must attack does, and everything that must be attacked is.
//!
//! The look-ahead is closed, not a search. In a battle every attacker must be able to attack every target. A
//! battle may be begun or extended as long as all that would be left without a partner, of one kind only,
//! could still join it as it stands; it may be closed when nothing is left so. Where each attacks alone, a battle
//! stands as long as no fewer of those under duty find a target of their own, among those that must be attacked, than
//! could before it (a matching).

use std::{cell::RefCell, cmp::Reverse, ops::Deref, rc::Rc};

use super::{
    game::Game,
    offer::Refusal,
    said::{Particular, Said},
};
use crate::ruleset::{Cite, Contact, Text};

/// Who could fight whom in a game as it stands.
#[derive(Debug)]
pub struct Cover<'a> {
    game: &'a Game,
    contact: &'a Contact,
    table: Rc<Table>,
}

/// A set of units by their place in a list; a side has no more of them than this has bits, which the loader checks.
type Bits = u128;

/// The last table of this thread, with the game's version, the contact and the battle it is of.
type Last = Option<((u64, u16, i32), Rc<Table>)>;

thread_local!(static LAST: RefCell<Last> = const { RefCell::new(None) });

/// Who is there, who may fight whom, who must.
#[derive(Debug, Default)]
pub struct Table {
    /// Units not in a battle, or in this one, that could attack something; by number.
    attackers: Vec<i32>,
    /// Units not in a battle, or in this one, that could be attacked.
    targets: Vec<i32>,
    /// `pairs[a]` is a bit set over `targets`.
    pairs: Vec<Bits>,
    /// Bit sets: who is in this battle.
    with: (Bits, Bits),
    /// Bit sets: who is under duty.
    must: (Bits, Bits),
    single: bool,
    /// Where each attacks alone: of those under duty as many as could each have a target of their own that must be attacked.
    alone: Bits,
}

impl Deref for Cover<'_> {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl Table {
    fn new(game: &Game, contact: &Contact, battle: i32) -> Table {
        let ruleset = &game.ruleset;
        let rows = &ruleset.rows[contact.pairs];
        let free = |u: i32| {
            let joined = game.get(contact.column, u);
            joined < 0 || (battle >= 0 && joined == battle)
        };
        let phasing = game.phasing();
        let count = ruleset.units.len() as i32;
        let mut cover = Table { single: game.holds(&contact.single, &[]), ..Table::default() };
        for unit in (0..count).filter(|u| game.space_of(*u) >= 0 && free(*u)) {
            let own = ruleset.units[unit as usize].side == phasing;
            if own { cover.attackers.push(unit) } else { cover.targets.push(unit) }
        }
        let mut open = Vec::with_capacity(cover.targets.len());
        for unit in &cover.attackers {
            let mut slots = [-1; 16];
            slots[0] = *unit;
            open.clone_from(&cover.targets);
            for row in &rows.rows {
                game.sift(&row.when, false, 1, &mut open, &mut slots);
            }
            let mut open = open.iter().peekable();
            let one = |(at, target)| Bits::from(open.next_if_eq(&target).is_some()) << at;
            cover.pairs.push(cover.targets.iter().enumerate().map(one).fold(0, |all, bit| all | bit));
        }
        for (at, unit) in cover.attackers.iter().enumerate() {
            let mine: Bits = 1 << at;
            if battle >= 0 && game.get(contact.column, *unit) == battle {
                cover.with.0 |= mine;
            }
            if game.holds(&contact.attackers, &[*unit]) {
                cover.must.0 |= mine;
            }
        }
        for (at, unit) in cover.targets.iter().enumerate() {
            let mine: Bits = 1 << at;
            if battle >= 0 && game.get(contact.column, *unit) == battle {
                cover.with.1 |= mine;
            }
            if game.holds(&contact.targets, &[*unit]) {
                cover.must.1 |= mine;
            }
        }
        if cover.single {
            cover.alone = matched(&cover.pairs, cover.must.0, cover.must.1);
        }
        cover
    }
}

impl<'a> Cover<'a> {
    /// Looks at the contact around one battle, or with no battle begun (`battle` below zero).
    pub fn new(game: &'a Game, kind: u16, battle: i32) -> Cover<'a> {
        let contact = &game.ruleset.contacts[kind as usize];
        let of = (game.values.version(), kind, battle);
        let table = LAST.with_borrow_mut(|last| match last {
            Some((known, table)) if *known == of => table.clone(),
            _ => {
                let table = Rc::new(Table::new(game, contact, battle));
                *last = Some((of, table.clone()));
                table
            }
        });
        Cover { game, contact, table }
    }

    /// Targets that every one of these attackers may attack.
    fn common_targets(&self, attackers: Bits) -> Bits {
        bits(attackers).fold(Bits::MAX, |all, a| all & self.pairs[a])
    }

    /// Attackers that may attack every one of these targets.
    fn common_attackers(&self, targets: Bits) -> Bits {
        let able = self.pairs.iter().enumerate().filter(|(_, p)| *p & targets == targets);
        able.fold(0, |all, (a, _)| all | 1 << a)
    }

    /// Under duty and without a partner, if these are in the battle: attackers, targets.
    fn stranded(&self, attackers: Bits, targets: Bits) -> (Bits, Bits) {
        let mut left = (0, 0);
        for a in bits(self.must.0 & !attackers) {
            if self.pairs[a] & !targets == 0 {
                left.0 |= 1 << a;
            }
        }
        for t in bits(self.must.1 & !targets) {
            let partner = self.pairs.iter().enumerate().any(|(a, p)| attackers >> a & 1 == 0 && p >> t & 1 == 1);
            if !partner {
                left.1 |= 1 << t;
            }
        }
        left
    }

    /// Where each attacks alone: whoever under duty would find no target of its own, though as many could as can.
    fn left_idle(&self, attackers: Bits, targets: Bits) -> Option<usize> {
        self.game.takes_steps(self.attackers.len());
        let rest = matched(&self.pairs, self.must.0 & !attackers, self.must.1 & !targets);
        let busy = (self.must.0 & attackers).count_ones() + rest.count_ones();
        bits(self.alone & !attackers & !rest).next().filter(|_| busy < self.alone.count_ones())
    }

    /// Whether the battle may stand so for now. The error names who would be left, and by which duty.
    fn stands(&self, attackers: Bits, targets: Bits) -> Result<(), (i32, Cite)> {
        if self.single {
            let idle = self.left_idle(attackers, targets);
            return idle.map_or(Ok(()), |a| Err((self.attackers[a], self.contact.cite_attack)));
        }
        let (lonely, unmet) = self.stranded(attackers, targets);
        let could = self.common_attackers(targets);
        let reachable = self.common_targets(attackers);
        if let Some(a) = bits(lonely & !could).next() {
            return Err((self.attackers[a], self.contact.cite_attack));
        }
        if let Some(t) = bits(unmet & !reachable).next() {
            return Err((self.targets[t], self.contact.cite_target));
        }
        match (bits(lonely).next(), bits(unmet).next()) {
            (Some(a), Some(_)) => Err((self.attackers[a], self.contact.cite_attack)),
            _ => Ok(()),
        }
    }

    /// Units that may be added as attackers, or begin a battle.
    pub fn may_attack(&self) -> Vec<i32> {
        self.all(&self.attackers, |a| self.attack(a).is_ok())
    }

    /// Units that may be added as targets.
    pub fn may_be_attacked(&self) -> Vec<i32> {
        self.all(&self.targets, |t| self.target(t).is_ok())
    }

    fn all(&self, list: &[i32], may: impl Fn(usize) -> bool) -> Vec<i32> {
        list.iter().enumerate().filter(|(at, _)| may(*at)).map(|(_, u)| *u).collect()
    }

    fn attack(&self, a: usize) -> Result<(), (i32, Cite)> {
        let me = (self.attackers[a], self.contact.cite_attack);
        let mine: Bits = 1 << a;
        if self.with.0 & mine != 0 || self.pairs[a] == 0 {
            return Err(me);
        }
        if self.single && self.with.0 != 0 {
            return Err((self.attackers[a], self.contact.cite_single));
        }
        if self.pairs[a] & self.with.1 != self.with.1 {
            return Err((self.attackers[a], self.contact.cite_shape));
        }
        if self.with.1 == 0 {
            // With no target yet, there must be one with which the battle stands.
            let open = bits(self.pairs[a]).any(|t| self.stands(mine, 1 << t).is_ok());
            return if open { Ok(()) } else { Err(me) };
        }
        self.stands(self.with.0 | mine, self.with.1)
    }

    fn target(&self, t: usize) -> Result<(), (i32, Cite)> {
        let mine: Bits = 1 << t;
        let me = (self.targets[t], self.contact.cite_target);
        if self.with.1 & mine != 0 {
            return Err(me);
        }
        if self.with.0 == 0 {
            let able =
                (0..self.attackers.len()).any(|a| self.pairs[a] & mine != 0 && self.stands(1 << a, mine).is_ok());
            return if able { Ok(()) } else { Err(me) };
        }
        if self.common_targets(self.with.0) & mine == 0 {
            return Err((self.targets[t], self.contact.cite_shape));
        }
        self.stands(self.with.0, self.with.1 | mine)
    }

    /// Why the battle may not be closed; nothing if it may.
    pub fn why_not_close(&self) -> Option<Refusal> {
        if self.with.0 == 0 || self.with.1 == 0 {
            return Some(self.says(Text::BattleIncomplete, &[], self.contact.cite_attack));
        }
        let (lonely, unmet) = self.stranded(self.with.0, self.with.1);
        let (lonely, unmet) = if self.single {
            let idle = self.left_idle(self.with.0, self.with.1);
            (idle.map_or(0, |a| 1 << a), unmet & self.common_targets(self.with.0))
        } else {
            (lonely, unmet)
        };
        if let Some(a) = bits(lonely).next() {
            return Some(self.says(Text::MustAttackToo, &[self.attackers[a]], self.contact.cite_attack));
        }
        Some(self.says(Text::NobodyLeft, &[self.targets[bits(unmet).next()?]], self.contact.cite_target))
    }

    /// Why no more battles may be left out; nothing if none is owed.
    pub fn why_not_done(&self) -> Option<Refusal> {
        // Who attacks alone need not choose a target that nobody has to attack.
        let owed = if self.single { self.must.1 } else { Bits::MAX };
        for a in bits(self.must.0) {
            if bits(self.pairs[a] & owed).any(|t| self.stands(1 << a, 1 << t).is_ok()) {
                return Some(self.says(Text::MustAttack, &[self.attackers[a]], self.contact.cite_attack));
            }
        }
        for t in bits(self.must.1) {
            if bits(self.common_attackers(1 << t)).any(|a| self.stands(1 << a, 1 << t).is_ok()) {
                return Some(self.says(Text::MustBeAttacked, &[self.targets[t]], self.contact.cite_target));
            }
        }
        None
    }

    /// Why a unit may not join, by the guards of the pair or by who would be left over.
    pub fn why_not(&self, unit: i32, as_target: bool) -> Vec<Refusal> {
        // Of the other side it could have no such part in any battle.
        let is_own = self.game.ruleset.units[unit as usize].side == self.game.phasing();
        if is_own != as_target && self.game.get(self.contact.column, unit) >= 0 {
            return vec![self.says(Text::FightsAlready, &[unit], self.contact.cite_joined)];
        }
        let others = if as_target { &self.attackers } else { &self.targets };
        let met = if as_target { self.with.0 } else { self.with.1 };
        let facing: Vec<i32> = if met != 0 { bits(met).map(|o| others[o]).collect() } else { others.clone() };
        let pair = |other: i32| if as_target { [other, unit] } else { [unit, other] };
        let refused: Vec<_> =
            facing.iter().map(|other| (*other, self.game.refusals(self.contact.pairs as u16, &pair(*other)))).collect();
        let all_refused = refused.iter().all(|(_, refusals)| !refusals.is_empty());
        // The nearest miss explains best: the pair with the fewest guards against it, and of such the one that the later
        // guard is against, for what comes first, as where they are, keeps out most.
        let missed = |other: i32| {
            let mut guards = self.game.ruleset.rows[self.contact.pairs].rows.iter();
            guards.position(|row| self.game.holds(&row.when, &pair(other)))
        };
        let misses = refused.iter().filter(|(_, refusals)| !refusals.is_empty());
        let nearest = misses.min_by_key(|(other, refusals)| (refusals.len(), Reverse(missed(*other))));
        let nearest = nearest.map(|(_, refusals)| refusals.clone());
        let list = if as_target { &self.targets } else { &self.attackers };
        let Some(at) = list.iter().position(|u| *u == unit) else {
            // Who is not on the map is told what that keeps from it, if anything does; of the wrong side, no more than that.
            if let Some(nearest) = nearest.filter(|_| all_refused && self.game.space_of(unit) < 0) {
                return nearest;
            }
            let text = if as_target { Text::NoTarget } else { Text::NoAttacker };
            return vec![self.says(text, &[unit], self.contact.cite_shape)];
        };
        // Of a battle that is being named, those in it are told why they cannot.
        if all_refused
            && met == 0
            && let Some(fights) = self.fights_already(&pair)
        {
            return vec![self.says(Text::FightsAlready, &[fights], self.contact.cite_joined)];
        }
        if all_refused || (met != 0 && refused.iter().any(|(_, refusals)| !refusals.is_empty())) {
            return nearest.unwrap_or_default();
        }
        let result = if as_target { self.target(at) } else { self.attack(at) };
        match result {
            Ok(()) => Vec::new(),
            Err(_) if !as_target && self.single && self.with.0 != 0 => {
                vec![self.says(Text::AttacksAlone, &[unit], self.contact.cite_single)]
            }
            Err((left, cite)) if left == unit => {
                vec![self.says(Text::CannotJoin, &[unit], cite)]
            }
            Err((left, cite)) => vec![self.says(Text::LeavesNobody, &[unit, left], cite)],
        }
    }

    /// Somebody who fights in a battle already and could else be paired so.
    fn fights_already(&self, pair: &dyn Fn(i32) -> [i32; 2]) -> Option<i32> {
        let mut units = 0..self.game.ruleset.units.len() as i32;
        let fights = |unit: &i32| self.game.get(self.contact.column, *unit) >= 0;
        units.find(|unit| fights(unit) && self.game.passes(self.contact.pairs as u16, &pair(*unit)))
    }

    fn says(&self, text: Text, units: &[i32], cite: Cite) -> Refusal {
        let said = Said::engine(text, units.iter().copied().map(Particular::unit));
        Refusal { row: self.contact.name.as_str().into(), said, cite }
    }
}

/// Of some attackers as many as can each have a target of their own, of these targets; `pairs` says who may have which.
fn matched(pairs: &[Bits], attackers: Bits, targets: Bits) -> Bits {
    let mut holders = [None; Bits::BITS as usize];
    let found = bits(attackers).filter(|a| finds(pairs, *a, &mut targets.clone(), &mut holders));
    found.fold(0, |all, a| all | 1 << a)
}

/// Whether an attacker finds a target among those not yet tried, if need be one whose holder finds another.
fn finds(pairs: &[Bits], a: usize, untried: &mut Bits, holders: &mut [Option<usize>]) -> bool {
    while let Some(t) = bits(pairs[a] & *untried).next() {
        *untried &= !(1 << t);
        if holders[t].is_none_or(|holder| finds(pairs, holder, untried, holders)) {
            holders[t] = Some(a);
            return true;
        }
    }
    false
}

fn bits(mut set: Bits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let at = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as can each have a target of their own, by trying everything.
    fn tried(pairs: &[Bits], attackers: &[usize], targets: Bits) -> usize {
        let Some((a, others)) = attackers.split_first() else { return 0 };
        let with = bits(pairs[*a] & targets).map(|t| 1 + tried(pairs, others, targets & !(1 << t)));
        with.chain([tried(pairs, others, targets)]).max().unwrap_or(0)
    }

    #[test]
    fn as_many_have_a_target_of_their_own_as_can() {
        let mut lot: u64 = 1;
        let mut draw = move |below: u64| {
            lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (lot >> 33) % below
        };
        let mut short = 0;
        for _ in 0..2000 {
            let pairs: Vec<Bits> = (0..draw(6)).map(|_| Bits::from(draw(32) & draw(32))).collect();
            let all: Vec<usize> = (0..pairs.len()).filter(|_| draw(4) > 0).collect();
            let (attackers, targets) = (all.iter().fold(0, |all, a| all | 1 << a), Bits::from(draw(32)));
            let found = matched(&pairs, attackers, targets);
            assert_eq!(found & !attackers, 0);
            assert_eq!(found.count_ones() as usize, tried(&pairs, &all, targets), "{pairs:?} {all:?} {targets:b}");
            let could = all.iter().filter(|a| pairs[**a] & targets != 0).count();
            short += usize::from((found.count_ones() as usize) < could);
        }
        assert!(short > 50, "somebody found no target of its own in {short} of the cases only");
    }
}

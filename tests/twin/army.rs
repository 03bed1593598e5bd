//! What the condition of units, morale, leaders and command come to: `condition.luau`, `morale.luau`,
//! `leaders.luau` and `command.luau`.

use countermarch_core::{
    map::SpaceId,
    play::{Move, Offer, Set, given},
};

use super::{Carried, Shared};

impl Shared {
    // condition.luau

    pub(super) fn enemy_of(&self, side: i32) -> i32 {
        i32::from(if side == i32::from(self.names.union) { self.names.confederate } else { self.names.union })
    }

    pub(super) fn tire(&self, unit: i32, cite: u16) {
        let fatigue = self.get(self.names.fatigue, unit);
        if fatigue < i32::from(self.names.weary) {
            self.set(self.names.fatigue, unit, fatigue + 1, cite);
        }
    }

    pub(super) fn rout(&self, unit: i32, cite: u16) {
        if self.get(self.names.routed, unit) == 0 {
            self.set(self.names.routed, unit, 1, cite);
        }
    }

    pub(super) fn break_unit(&self, unit: i32, cite: u16) {
        let names = &self.names;
        if self.printed(names.cadre, unit) == 1 {
            self.place(unit, i32::from(names.eliminated), names.cadre_break);
        } else {
            self.place(unit, i32::from(names.broken), cite);
        }
        self.set(names.fatigue, unit, i32::from(names.fresh), names.broken_markers);
        self.set(names.routed, unit, 0, names.broken_markers);
    }

    pub(super) fn strength(&self, unit: i32) -> i32 {
        self.game.borrow().read_rows(self.names.strength_now, &[unit])
    }

    pub(super) fn schedule(&self, unit: i32, round: i32, cite: u16) {
        let track = i32::from(self.names.turn_track);
        if self.game.borrow().place(unit) != track {
            self.place(unit, track, cite);
        }
        self.set(self.names.due, unit, round.min(99), cite);
    }

    // morale.luau

    pub(super) fn lose(&self, side: i32, points: i32, cite: u16) -> Carried<()> {
        let left = (self.get(self.names.morale, side) - points).max(0);
        self.set(self.names.morale, side, left, cite);
        if left == 0 { Err(self.finish(Some(self.enemy_of(side)), "decisive victory")) } else { Ok(()) }
    }

    pub(super) fn gain(&self, side: i32, points: i32, cite: u16) {
        let more = self.get(self.names.morale, side) + points;
        self.set(self.names.morale, side, more, cite);
    }

    pub(super) fn both_lose(&self, attacker: i32, cite: u16) -> Carried<()> {
        let morale = self.names.morale;
        let defender = self.enemy_of(attacker);
        for side in [attacker, defender] {
            self.set(morale, side, (self.get(morale, side) - 1).max(0), cite);
        }
        match (self.get(morale, attacker) == 0, self.get(morale, defender) == 0) {
            (true, true) if self.names.defender_wins => Err(self.finish(Some(defender), "decisive victory")),
            (true, true) => Err(self.finish(None, "draw")),
            (true, false) => Err(self.finish(Some(defender), "decisive victory")),
            (false, true) => Err(self.finish(Some(attacker), "decisive victory")),
            (false, false) => Ok(()),
        }
    }

    // leaders.luau

    pub(super) async fn flee(&self) {
        let names = &self.names;
        let is_empty = |set: &Set| self.game.borrow().values(set).is_empty();
        for leader in self.each(names.forsaken, -1) {
            let mut open = Set::Passing { rows: names.may_flee_to, given: given(&[leader]) };
            if is_empty(&open) {
                open = Set::List(self.nearest_friends(leader).into());
            }
            if is_empty(&open) {
                let turn = self.game.borrow().turn();
                self.schedule(leader, turn + 1, names.alone);
            } else {
                let offers = vec![Offer { verb: names.to, set: open, then: None }];
                let to = self.ask(names.q_flee, self.side(leader), leader, offers).await.values[0];
                self.place(leader, to, names.alone);
                self.set(names.face_down, leader, 1, names.turned_down);
            }
        }
    }

    pub(super) fn nearest_friends(&self, leader: i32) -> Vec<i32> {
        let game = self.game.borrow();
        let space = |unit: i32| SpaceId(game.space_of(unit) as u32);
        let far = |friend: &i32| game.ruleset.map.distance(space(leader), space(*friend));
        let friends = self.each(self.names.friends_on_map, self.side(leader));
        let least = friends.iter().map(far).min();
        friends.iter().filter(|friend| Some(far(friend)) == least).map(|friend| game.space_of(*friend)).collect()
    }

    // command.luau

    pub(super) fn reaches(&self, attackers: &[i32], added: i32) -> bool {
        for u in attackers {
            for leader in self.select(self.names.may_lead, *u) {
                let (here, there) = (self.space_of(leader), self.space_of(*u));
                let reach = self.printed(self.names.range, leader) + added;
                let game = self.game.borrow();
                let (from, to) = (SpaceId(here as u32), SpaceId(there as u32));
                if here == there {
                    return true;
                }
                if i32::from(game.ruleset.map.distance(from, to)) <= reach {
                    let mover = self.names.trace;
                    let allowance = reach as u16;
                    let m = Move {
                        mover,
                        unit: leader,
                        allowance,
                        extra: 0,
                        minimum: false,
                        seeds: Vec::new(),
                        starts: Vec::new(),
                    };
                    if game.reach(&m, |flood| flood.cost_of(to)).is_some() {
                        return true;
                    }
                }
            }
        }
        false
    }

    pub(super) fn command_of(&self, attackers: &[i32]) -> i32 {
        let names = &self.names;
        let cavalry = i32::from(names.cavalry);
        i32::from(if attackers.iter().all(|u| self.printed(names.kind, *u) == cavalry) || self.reaches(attackers, 0) {
            names.given
        } else if self.reaches(attackers, 1) {
            names.near
        } else {
            names.none
        })
    }

    pub(super) fn spend_lee(&self) {
        let turn = self.game.borrow().turn();
        let dawn = (turn - 1).div_euclid(7) * 7 + 8;
        self.schedule(i32::from(self.names.units_lee), dawn, self.names.lee_return);
    }
}

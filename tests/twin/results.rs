//! The combat results, retreats and advances: `results.luau`, `retreat.luau` and `advance.luau`.

use countermarch_core::{
    map::SpaceId,
    play::{Offer, Particular, Retreat, Set, given},
};

use super::{Carried, Shared};

/// Who may advance after a result.
#[derive(PartialEq)]
pub(super) enum Advances {
    Attacker,
    Defender,
    Nobody,
}

impl Shared {
    pub(super) async fn result(&self, result: i32, attackers: &[i32], defenders: &[i32]) -> Carried<Advances> {
        let names = &self.names;
        let side = self.side(attackers[0]);
        let is = |symbol: u16| result == i32::from(symbol);
        if is(names.ab) {
            self.all_break(attackers, names.c_ab)?;
            Ok(Advances::Defender)
        } else if is(names.ar) {
            self.retreat_all(attackers, 2, 3, Some(names.c_ar)).await;
            self.lose(side, 1, names.c_ar)?;
            Ok(Advances::Defender)
        } else if is(names.aw) {
            self.retreat_all(attackers, 1, 1, None).await;
            Ok(Advances::Defender)
        } else if is(names.tw) {
            self.test_of_wills(attackers, defenders).await;
            Ok(Advances::Nobody)
        } else if is(names.ex) {
            self.exchange(attackers, defenders).await?;
            Ok(Advances::Attacker)
        } else if is(names.dw) {
            self.retreat_all(defenders, 1, 1, None).await;
            self.tire_defenders(defenders, names.c_dw);
            Ok(Advances::Attacker)
        } else if is(names.dr) {
            self.retreat_all(defenders, 2, 3, Some(names.c_dr)).await;
            self.tire_defenders(defenders, names.c_dr);
            self.lose(self.side(defenders[0]), 1, names.c_dr)?;
            Ok(Advances::Attacker)
        } else {
            self.all_break(defenders, names.c_db)?;
            Ok(Advances::Attacker)
        }
    }

    pub(super) fn all_break(&self, list: &[i32], cite: u16) -> Carried<()> {
        let side = self.side(list[0]);
        list.iter().for_each(|u| self.break_unit(*u, cite));
        self.gain(self.enemy_of(side), 1, cite);
        self.lose(side, 1, cite)
    }

    pub(super) fn tire_defenders(&self, defenders: &[i32], cite: u16) {
        defenders.iter().filter(|u| self.is_on_map(**u)).for_each(|u| self.tire(*u, cite));
    }

    pub(super) async fn test_of_wills(&self, attackers: &[i32], defenders: &[i32]) {
        let quality = |u: &i32| self.printed(self.names.quality, *u);
        let (mut standing_attackers, mut standing_defenders) = (attackers.to_vec(), defenders.to_vec());
        while let (Some(worst_attacker), Some(worst_defender)) =
            (standing_attackers.iter().map(quality).min(), standing_defenders.iter().map(quality).min())
        {
            let is_attacker = worst_attacker <= worst_defender;
            let list = if is_attacker { &mut standing_attackers } else { &mut standing_defenders };
            let worst = worst_attacker.min(worst_defender);
            let mut tied: Vec<i32> = list.iter().copied().filter(|u| quality(u) == worst).collect();
            let u = self.next_of(&mut tied, self.names.q_wills).await;
            list.retain(|other| *other != u);
            self.retreat(u, 1, 1).await;
        }
        self.tire_defenders(defenders, self.names.tw_effects);
    }

    pub(super) async fn exchange(&self, attackers: &[i32], defenders: &[i32]) -> Carried<()> {
        let names = &self.names;
        let side = self.side(attackers[0]);
        let strength = |u: &i32| self.printed(names.strength, *u);
        let mut owed = 0;
        for u in defenders {
            owed += strength(u);
            self.break_unit(*u, names.ex_break);
        }
        self.flee().await;
        let mut whole = attackers.to_vec();
        let mut have: i32 = whole.iter().map(strength).sum();
        while owed > 0 && !whole.is_empty() {
            let u = match whole.iter().copied().find(|u| strength(u) > have - owed) {
                Some(u) => u,
                None => {
                    let offers =
                        vec![Offer { verb: names.break_unit, set: Set::List(whole.clone().into()), then: None }];
                    self.ask(names.q_exchange, side, -1, offers).await.values[0]
                }
            };
            whole.retain(|other| *other != u);
            have -= strength(&u);
            owed -= strength(&u);
            self.break_unit(u, names.ex_break);
        }
        self.both_lose(side, names.ex_after)
    }

    // retreat.luau

    pub(super) async fn retreat(&self, unit: i32, shortest: u16, longest: u16) {
        let names = &self.names;
        let retreat = Retreat { kind: 0, unit, shortest, longest };
        if self.game.borrow().retreat_ends(&retreat).is_empty() {
            self.note("no-retreat", names.blocked, vec![Particular::unit(unit)]);
            self.break_unit(unit, names.blocked);
            self.flee().await;
            return;
        }
        let offers = vec![Offer { verb: names.to, set: Set::Retreat(retreat.clone()), then: None }];
        let to = self.ask(names.q_to, self.side(unit), unit, offers).await.values[0];
        let ends = self.game.borrow().retreat_ends(&retreat);
        let is_hazardous = ends.iter().any(|e| e.space == SpaceId(to as u32) && e.touched);
        self.place(unit, to, names.distance);
        self.flee().await;
        let quality = self.printed(names.quality, unit);
        if is_hazardous && self.roll("hazard", unit).await > quality {
            self.break_unit(unit, names.hazard);
            self.flee().await;
        } else if is_hazardous {
            self.note("no-hazard", names.hazard, vec![Particular::unit(unit), Particular::number(quality)]);
        }
    }

    pub(super) async fn retreat_all(&self, list: &[i32], shortest: u16, longest: u16, rout: Option<u16>) {
        let mut waiting = list.to_vec();
        while !waiting.is_empty() {
            let u = self.next_of(&mut waiting, self.names.q_retreat).await;
            self.retreat(u, shortest, longest).await;
            if let Some(cite) = rout.filter(|_| self.is_on_map(u)) {
                self.rout(u, cite);
            }
        }
    }

    pub(super) async fn next_of(&self, waiting: &mut Vec<i32>, question: u16) -> i32 {
        let mut at = 0;
        if waiting.len() > 1 {
            let set = Set::List(waiting.as_slice().into());
            let offers = vec![Offer { verb: self.names.retreat, set, then: None }];
            let chosen = self.ask(question, self.side(waiting[0]), -1, offers).await.values[0];
            at = waiting.iter().position(|u| *u == chosen).expect("was offered");
        }
        waiting.remove(at)
    }

    // advance.luau

    pub(super) async fn offer_advance(&self, list: &[i32], hexes: Vec<i32>) {
        let names = &self.names;
        let side = self.side(list[0]);
        let mut open = hexes;
        open.retain(|hex| !self.game.borrow().in_zone(names.held, side, *hex));
        let mut victors = list.to_vec();
        while !open.is_empty() {
            let group = self.game.borrow().groups.keep(victors.iter().copied());
            let set = Set::Passing { rows: names.may_advance, given: given(&[group]) };
            if self.game.borrow().count(&set, None) == 0 {
                return;
            }
            let offers = vec![
                Offer { verb: names.advance, set, then: None },
                Offer { verb: names.go, set: Set::One, then: None },
            ];
            let action = self.ask(names.q_advance, side, -1, offers).await;
            if action.verb == names.go {
                return;
            }
            let u = action.values[0];
            let mut to = open[0];
            if open.len() > 1 {
                let offers = vec![Offer { verb: names.to, set: Set::List(open.as_slice().into()), then: None }];
                to = self.ask(names.q_advance_to, side, u, offers).await.values[0];
            }
            self.place(u, to, names.where_to);
            self.flee().await;
            victors.retain(|other| *other != u);
            open.retain(|other| *other != to);
        }
    }
}

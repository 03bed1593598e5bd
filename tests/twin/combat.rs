//! The procedure, step by step: `combat.luau`.

use countermarch_core::{
    play::{Effect, Offer, Set, Source, Task},
    ruleset::{Cite, RuleId},
};

use super::{Carried, Shared, Sum, results::Advances};

impl Shared {
    pub(super) async fn resolve(&self, battle: i32) -> Carried<()> {
        let names = &self.names;
        let attackers = self.select(names.attackers_in, battle);
        let defenders = self.select(names.defenders_in, battle);
        let attack = self.attack_total(battle, &attackers, &defenders).await?;
        let defence = self.defence_total(battle, &attackers, &defenders).await?;
        let column = self.held_back(self.phasing(), defenders[0], attack - defence).await;
        if names.before_result {
            self.rout_weary(&attackers);
        }
        let die = self.roll("combat", defenders[0]).await;
        let result = self.crt(column, die);
        if self.is_heard() {
            let blanks = [column.to_string(), die.to_string(), self.result_name(result)];
            self.note("result", names.d_table, &blanks);
        }
        let rule = RuleId(names.conclude);
        self.apply(Effect::Push { task: Task { rule, with: [battle, result, -1, -1], source: Source::Agenda } });
        Ok(())
    }

    pub(super) async fn conclude(&self, battle: i32, result: i32) -> Carried<()> {
        let names = &self.names;
        let attackers = self.select(names.attackers_in, battle);
        let defenders = self.select(names.defenders_in, battle);
        let here: Vec<i32> = attackers.iter().map(|u| self.space_of(*u)).collect();
        let there: Vec<i32> = defenders.iter().map(|u| self.space_of(*u)).collect();
        let advances = self.result(result, &attackers, &defenders).await?;
        self.rout_weary(&attackers);
        for u in attackers.iter().filter(|u| self.is_on_map(**u)) {
            self.tire(*u, names.attacker_fatigue);
        }
        for u in &attackers {
            self.set(names.battle, *u, -1, names.sequence);
        }
        self.apply(Effect::Drop { kind: 0, record: battle, cite: Cite(names.sequence) });
        match advances {
            Advances::Attacker => self.offer_advance(&attackers, there).await,
            Advances::Defender => self.offer_advance(&defenders, here).await,
            Advances::Nobody => (),
        }
        Ok(())
    }

    pub(super) async fn attack_total(&self, battle: i32, attackers: &[i32], defenders: &[i32]) -> Carried<i32> {
        let names = &self.names;
        let side = self.side(attackers[0]);
        for u in attackers {
            if self.get(names.favored, *u) == 1 && self.get(names.bonus, *u) < 0 {
                self.set(names.bonus, *u, i32::from(names.bonus_strength), names.union_5);
            }
        }
        let mut sum = Sum::new(self, "attack strength");
        let full = self.full_unit(attackers, defenders).await;
        for u in attackers {
            let strength = self.strength(*u);
            if full.is_some_and(|full| full != *u) {
                sum.add(strength.div_euclid(2), names.half, || format!("half of {}", self.name(*u)));
            } else {
                sum.add_unit(self, strength, *u, names.indivisible);
            }
        }
        self.commit(side, battle, attackers, &mut sum, names.q_attacker, defenders[0]).await?;
        if !self.is_given(attackers) && !sum.lee {
            sum.add(-1, names.penalty, || "out of command".into());
        }
        Ok(sum.tell(self))
    }

    pub(super) async fn full_unit(&self, attackers: &[i32], defenders: &[i32]) -> Option<i32> {
        let union = i32::from(self.names.union);
        if attackers.len() < 2 || defenders.len() != 1 || self.side(attackers[0]) != union {
            return None;
        }
        let mut best: Vec<i32> = Vec::new();
        for u in attackers {
            if !best.iter().any(|other| self.strength(*other) == self.strength(*u)) {
                best.push(*u);
            }
        }
        let offers = vec![Offer { verb: self.names.full, set: Set::List(best.into()) }];
        Some(self.ask(self.names.q_full, union, defenders[0], offers).await.value)
    }

    pub(super) async fn defence_total(&self, battle: i32, attackers: &[i32], defenders: &[i32]) -> Carried<i32> {
        let names = &self.names;
        let mut sum = Sum::new(self, "defense strength");
        let mut covered = false;
        for u in defenders {
            sum.add_unit(self, self.strength(*u), *u, names.indivisible);
            covered = covered || attackers.iter().all(|from| !self.passes(names.behind_cover, &[*from, *u]));
        }
        if covered {
            sum.add(1, names.terrain, || "terrain".into());
        }
        for u in defenders {
            for gun in self.select(names.supports, *u) {
                sum.add(1, names.support, || format!("support of {}", self.name(gun)));
            }
        }
        self.commit(self.side(defenders[0]), battle, defenders, &mut sum, names.q_defender, defenders[0]).await?;
        Ok(sum.tell(self))
    }

    pub(super) async fn commit(
        &self,
        side: i32,
        battle: i32,
        list: &[i32],
        sum: &mut Sum,
        question: u16,
        target: i32,
    ) -> Carried<()> {
        let names = &self.names;
        let is_attack = question == names.q_attacker;
        let mut reserves_left = list.iter().any(|u| self.passes(names.may_commit, &[*u]));
        loop {
            let guns = Set::Passing { rows: names.guns_for, given: [battle, side, -1] };
            if self.is_heard() && (reserves_left || !self.game.borrow().values(&guns).is_empty()) {
                sum.tell(self);
            }
            let is_free = || is_attack && self.get(names.free_reserves, side) == 1;
            let mut offers = vec![Offer { verb: names.artillery, set: guns }, Offer { verb: names.go, set: Set::One }];
            for (verb, is_offered) in [
                (names.reserves, reserves_left),
                (names.reserves_free, reserves_left && is_free()),
                (names.lee, is_attack && !sum.lee && self.lee_would_help(list)),
            ] {
                if is_offered {
                    offers.push(Offer { verb, set: Set::One });
                }
            }
            let action = self.ask(question, side, target, offers).await;
            if action.verb == names.reserves {
                reserves_left = false;
                self.lose(side, 1, names.commit)?;
                sum.add(1, names.commit, || "reserves".into());
            } else if action.verb == names.reserves_free {
                reserves_left = false;
                let cite = if side == i32::from(names.union) { names.union_9 } else { names.csa_3 };
                self.set(names.free_reserves, side, 0, cite);
                sum.add(1, cite, || "reserves".into());
            } else if action.verb == names.artillery {
                let turn = self.game.borrow().turn();
                self.schedule(action.value, turn + 2, names.guns_return);
                sum.add(1, names.guns_use, || self.name(action.value));
            } else if action.verb == names.lee {
                sum.lee = true;
                self.spend_lee();
                self.note("lee", names.lee_use, &[]);
            } else {
                return Ok(());
            }
        }
    }

    pub(super) fn crt(&self, column: i32, die: i32) -> i32 {
        self.game.borrow().ruleset.tables[0].cells[die as usize - 1][(column + 3) as usize]
    }

    pub(super) fn result_name(&self, result: i32) -> String {
        let game = self.game.borrow();
        let symbols = game.ruleset.tables[0].symbols;
        game.ruleset.schema.symbols[symbols as usize].values[result as usize].clone()
    }

    pub(super) async fn held_back(&self, side: i32, target: i32, differential: i32) -> i32 {
        let names = &self.names;
        let column = differential.clamp(-3, 4);
        if self.is_heard() {
            let each = |die: i32| format!("{die} {}", self.result_name(self.crt(column, die)));
            let results: Vec<String> = (1..=6).map(each).collect();
            self.note("column", names.d_table, &[column.to_string(), results.join(", ")]);
        }
        if column == -3 {
            return column;
        }
        let lower = Offer { verb: names.hold_back, set: Set::Numbers(-3, column - 1) };
        let action = self.ask(names.q_column, side, target, vec![lower, Offer { verb: names.go, set: Set::One }]).await;
        if action.verb == names.go { column } else { action.value }
    }

    pub(super) fn rout_weary(&self, attackers: &[i32]) {
        for u in attackers {
            if self.get(self.names.was_weary, *u) == 1 && self.is_on_map(*u) {
                self.rout(*u, self.names.weary_attack);
            }
        }
    }
}

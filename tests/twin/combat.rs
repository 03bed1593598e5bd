//! The procedure, step by step: `combat.luau`.

use countermarch_core::{
    play::{Effect, Offer, Particular, Set, Source, Task, given},
    ruleset::{Cite, Kind, RuleId},
};

use super::{Carried, Shared, Sum, results::Advances};

fn text(words: &str) -> Particular {
    Particular::Text(words.into())
}

impl Shared {
    pub(super) async fn resolve(&self, battle: i32) -> Carried<()> {
        let names = &self.names;
        let attackers = self.each(names.attackers_in, battle);
        let defenders = self.each(names.defenders_in, battle);
        let attack = self.attack_total(battle, &attackers, &defenders).await?;
        let defence = self.defence_total(battle, &attackers, &defenders).await?;
        let column = self.held_back(self.phasing(), defenders[0], attack - defence).await;
        if names.before_result {
            self.rout_weary(&attackers);
        }
        let die = self.roll("combat", defenders[0]).await;
        let result = self.crt(column, die);
        if self.is_heard() {
            let list = self.game.borrow().ruleset.tables[0].symbols;
            let numbers = [column, die].map(Particular::number);
            let result = Particular::Thing(Kind::Symbol(list), result);
            self.note("result", names.d_table, numbers.into_iter().chain([result]).collect());
        }
        let rule = RuleId(names.conclude);
        self.apply(Effect::Push { task: Task { rule, with: [battle, result, -1, -1], source: Source::Agenda } });
        Ok(())
    }

    pub(super) async fn conclude(&self, battle: i32, result: i32) -> Carried<()> {
        let names = &self.names;
        let attackers = self.each(names.attackers_in, battle);
        let defenders = self.each(names.defenders_in, battle);
        let here: Vec<i32> = attackers.iter().map(|u| self.space_of(*u)).collect();
        let there: Vec<i32> = defenders.iter().map(|u| self.space_of(*u)).collect();
        let advances = self.result(result, &attackers, &defenders).await?;
        self.flee().await;
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
                self.set(names.bonus, *u, i32::from(names.bonus_strength), self.leadership_of(*u));
            }
        }
        let mut sum = Sum::new(self, "attack strength");
        let full = self.full_unit(attackers, defenders).await;
        for u in attackers {
            let strength = self.strength(*u);
            if full.is_some_and(|full| full != *u) {
                sum.add(strength.div_euclid(2), names.half, || self.phrase("half", *u));
            } else {
                sum.add_unit(self, strength, *u, names.indivisible);
            }
        }
        let led = self.command_of(attackers);
        if led != i32::from(names.given) {
            sum.add(-1, names.penalty, || text("out of command"));
        }
        self.commit(side, battle, &mut sum, names.q_attacker, defenders[0], led).await?;
        Ok(sum.tell(self))
    }

    // Of `events.luau`; the rest of that file is no part of a battle.
    pub(super) fn leadership_of(&self, unit: i32) -> u16 {
        let names = &self.names;
        if self.side(unit) == i32::from(names.union) {
            names.union_5
        } else if self.printed(names.corps, unit) == i32::from(names.first) {
            names.csa_9
        } else {
            names.csa_10
        }
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
        let offers = vec![Offer { verb: self.names.full, set: Set::List(best.into()), then: None }];
        Some(self.ask(self.names.q_full, union, defenders[0], offers).await.values[0])
    }

    pub(super) async fn defence_total(&self, battle: i32, attackers: &[i32], defenders: &[i32]) -> Carried<i32> {
        let names = &self.names;
        let mut sum = Sum::new(self, "defense strength");
        let mut covered = None;
        for u in defenders {
            sum.add_unit(self, self.strength(*u), *u, names.indivisible);
            let is_covered = || attackers.iter().all(|from| !self.passes(names.may_attack_in_the_open, &[*from, *u]));
            covered = covered.or_else(|| is_covered().then_some(*u));
        }
        if let Some(u) = covered {
            sum.add(1, names.terrain, || text(&self.cover_of(u, attackers)));
        }
        for u in defenders {
            for gun in self.select(names.may_support, *u) {
                sum.add(1, names.support, || self.phrase("support", gun));
            }
        }
        let (side, led) = (self.side(defenders[0]), i32::from(names.given));
        self.commit(side, battle, &mut sum, names.q_defender, defenders[0], led).await?;
        Ok(sum.tell(self))
    }

    pub(super) fn cover_of(&self, unit: i32, attackers: &[i32]) -> String {
        let (names, game) = (&self.names, self.game.borrow());
        let lies = |term: u16| {
            let term = &game.ruleset.terms[term as usize];
            attackers.iter().any(|from| game.holds(&term.body, &[*from, unit]))
        };
        let kinds = [("creek", names.across_creek), ("ridge", names.across_ridge), ("slope", names.up_slope)];
        let found: Vec<&str> = kinds.into_iter().filter(|(_, term)| lies(*term)).map(|(name, _)| name).collect();
        format!("terrain ({})", found.join(", "))
    }

    pub(super) async fn commit(
        &self,
        side: i32,
        battle: i32,
        sum: &mut Sum,
        question: u16,
        target: i32,
        mut led: i32,
    ) -> Carried<()> {
        let names = &self.names;
        let mut committed = 0;
        loop {
            sum.tell(self);
            let reserves = Set::Allowed { rows: names.may_commit, given: given(&[side, battle, committed]) };
            let reserves_free = if committed == 1 || self.get(names.free_reserves, side) == 1 {
                reserves.clone()
            } else {
                Set::Allowed { rows: names.may_commit_free, given: given(&[side]) }
            };
            let offers = vec![
                Offer { verb: names.reserves, set: reserves, then: None },
                Offer { verb: names.reserves_free, set: reserves_free, then: None },
                Offer {
                    verb: names.artillery,
                    set: Set::Passing { rows: names.may_commit_guns, given: given(&[battle, side]) },
                    then: None,
                },
                Offer {
                    verb: names.lee,
                    set: Set::Allowed { rows: names.may_use_lee, given: given(&[side, battle, led]) },
                    then: None,
                },
                Offer { verb: names.go, set: Set::One, then: None },
            ];
            let action = self.ask(question, side, target, offers).await;
            if action.verb == names.reserves {
                committed = 1;
                self.lose(side, 1, names.commit)?;
                sum.add(1, names.commit, || text("reserves"));
            } else if action.verb == names.reserves_free {
                let cite = if side == i32::from(names.union) { names.union_9 } else { names.csa_3 };
                committed = 1;
                self.set(names.free_reserves, side, 0, cite);
                sum.add(1, cite, || text("reserves"));
            } else if action.verb == names.artillery {
                let turn = self.game.borrow().turn();
                self.schedule(action.values[0], turn + 2, names.guns_return);
                sum.add(1, names.guns_use, || self.phrase("artillery", action.values[0]));
            } else if action.verb == names.lee {
                led = i32::from(names.given);
                self.spend_lee();
                self.note("lee", names.lee_use, Vec::new());
                sum.add(1, names.lee_use, || text("in command through Lee"));
            } else {
                return Ok(());
            }
        }
    }

    pub(super) fn crt(&self, column: i32, die: i32) -> i32 {
        self.game.borrow().ruleset.tables[0].cells[die as usize - 1][(column + 3) as usize]
    }

    /// A result's name and what it means.
    fn result_name(&self, result: i32) -> String {
        let game = self.game.borrow();
        let symbols = &game.ruleset.schema.symbols[game.ruleset.tables[0].symbols as usize];
        symbols.values[result as usize].clone()
    }

    pub(super) async fn held_back(&self, side: i32, target: i32, differential: i32) -> i32 {
        let names = &self.names;
        let column = differential.clamp(-3, 4);
        if self.is_heard() {
            let each = |die: i32| format!("{die} {}", self.result_name(self.crt(column, die)));
            let results: Vec<String> = (1..=6).map(each).collect();
            self.note("column", names.d_table, vec![Particular::number(column), text(&results.join(", "))]);
        }
        if column == -3 {
            return column;
        }
        let lower = Offer { verb: names.hold_back, set: Set::Numbers(-3, column - 1), then: None };
        let action = self
            .ask(names.q_column, side, target, vec![lower, Offer { verb: names.go, set: Set::One, then: None }])
            .await;
        if action.verb == names.go { column } else { action.values[0] }
    }

    pub(super) fn rout_weary(&self, attackers: &[i32]) {
        for u in attackers {
            if self.get(self.names.was_weary, *u) == 1 && self.is_on_map(*u) {
                self.rout(*u, self.names.weary_attack);
            }
        }
    }
}

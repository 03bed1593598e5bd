//! Names of the corps game as numbers, looked up once.

use countermarch_core::ruleset::{Holder, Ruleset, rows::Read};

macro_rules! names {
    ($($find:ident { $($field:ident: $text:literal,)* })*) => {
        #[derive(Debug)]
        pub struct Names { $($(pub $field: u16,)*)* pub before_result: bool, pub defender_wins: bool }
        impl Names {
            pub fn new(ruleset: &Ruleset) -> Names {
                let reads = |id: &str, value: &str| ruleset.setting(id).is_some_and(|s| s.value == value);
                Names {
                    $($($field: $find(ruleset, $text),)*)*
                    before_result: reads("weary-rout", "before-result"),
                    defender_wins: reads("both-at-zero", "defender"),
                }
            }
        }
    };
}

names! {
    unit_column {
        fatigue: "fatigue", routed: "routed", battle: "battle", was_weary: "was-weary", favored: "favored",
        bonus: "bonus", due: "due", face_down: "face-down",
    }
    side_column { morale: "morale", free_reserves: "free-reserves", }
    attribute {
        side: "side", strength: "strength", quality: "quality", kind: "type", range: "range",
        cadre: "cadre", corps: "corps",
    }
    sum { strength_now: "strength", }
    may {
        may_commit_guns: "commit-guns", may_attack_in_the_open: "attack-in-the-open", may_support: "support",
        may_commit: "commit", may_commit_free: "commit-free", may_use_lee: "use-lee", may_lead: "lead",
        may_advance: "advance", may_flee_to: "flee-to",
    }
    set {
        attackers_in: "attackers-in", defenders_in: "defenders-in", forsaken: "forsaken",
        friends_on_map: "friends-on-map",
    }
    term { across_creek: "across-creek", across_ridge: "across-ridge", up_slope: "up-slope", }
    rule { conclude: "combat.conclude", }
    zone { held: "held", }
    mover { trace: "trace", }
    question {
        q_full: "combat.full", q_attacker: "combat.attacker", q_defender: "combat.defender",
        q_column: "combat.column", q_to: "retreat.to", q_retreat: "retreat.unit", q_wills: "results.wills", q_exchange: "results.exchange",
        q_advance: "advance.unit", q_advance_to: "advance.to", q_flee: "leaders.flee",
    }
    verb {
        full: "full", reserves: "reserves", reserves_free: "reserves-free", artillery: "artillery", lee: "lee",
        go: "go", hold_back: "hold-back", to: "to", retreat: "retreat", break_unit: "break-unit", advance: "advance",
    }
    box_of { turn_track: "turn-track", broken: "broken", eliminated: "eliminated", }
    unit { units_lee: "lee", }
    side_of { union: "union", confederate: "confederate", }
    symbol {
        weary: "fatigue/weary", fresh: "fatigue/fresh", bonus_strength: "bonus/strength", cavalry: "type/cavalry",
        first: "corps/first", given: "command/given", near: "command/near", none: "command/none",
        ab: "result/AB", ar: "result/AR", aw: "result/AW", tw: "result/TW", ex: "result/EX",
        dw: "result/DW", dr: "result/DR",
    }
    cite {
        sequence: "corps/7.4/sequence", d_table: "corps/7.4/d-table", union_5: "corps/event/union-5",
        union_9: "corps/event/union-9", csa_3: "corps/event/csa-3", csa_9: "corps/event/csa-9",
        csa_10: "corps/event/csa-10", half: "corps/7.7/half", indivisible: "corps/7.5/indivisible",
        penalty: "corps/7.6/penalty", terrain: "corps/7.5/terrain",
        support: "corps/7.5/artillery-support", commit: "corps/7.8/commit", guns_return: "corps/9.3/return",
        guns_use: "corps/9.3/use", alone: "corps/9.1/alone", turned_down: "corps/9.1/face-down",
        lee_use: "corps/9.2/use", lee_return: "corps/9.2/return",
        weary_attack: "corps/6.2/weary-attack", attacker_fatigue: "corps/7.10/attacker-fatigue",
        c_ab: "corps/7.10/ab", c_ar: "corps/7.10/ar", tw_effects: "corps/7.10/tw-effects",
        ex_break: "corps/7.10/ex-break", ex_after: "corps/7.10/ex-after", c_dw: "corps/7.10/dw", c_dr: "corps/7.10/dr",
        c_db: "corps/7.10/db", blocked: "corps/7.13/blocked", distance: "corps/7.13/distance",
        hazard: "corps/7.13/hazard", where_to: "corps/7.14/where", broken_markers: "corps/7.11/broken",
        cadre_break: "corps/8.2/cadre-break", sudden_death: "corps/10.1/sudden-death",
    }
}

fn unit_column(ruleset: &Ruleset, name: &str) -> u16 {
    ruleset.schema.column(Holder::Unit, name).expect("declared")
}

fn side_column(ruleset: &Ruleset, name: &str) -> u16 {
    ruleset.schema.column(Holder::Side, name).expect("declared")
}

fn attribute(ruleset: &Ruleset, name: &str) -> u16 {
    ruleset.attributes.iter().position(|a| a.holder == Holder::Unit && a.name == name).expect("declared") as u16
}

fn sum(ruleset: &Ruleset, name: &str) -> u16 {
    ruleset.rows(Read::Sum, name).expect("declared") as u16
}

fn may(ruleset: &Ruleset, name: &str) -> u16 {
    ruleset.rows(Read::May, name).expect("declared") as u16
}

fn set(ruleset: &Ruleset, name: &str) -> u16 {
    ruleset.sets.iter().position(|s| s.name == name).expect("declared") as u16
}

fn term(ruleset: &Ruleset, name: &str) -> u16 {
    ruleset.terms.iter().position(|t| t.name == name).expect("declared") as u16
}

fn rule(ruleset: &Ruleset, name: &str) -> u16 {
    ruleset.rule(name).expect("declared").0
}

fn zone(ruleset: &Ruleset, name: &str) -> u16 {
    ruleset.zones.iter().position(|z| z.name == name).expect("declared") as u16
}

fn mover(ruleset: &Ruleset, name: &str) -> u16 {
    ruleset.movers.iter().position(|m| m.name == name).expect("declared") as u16
}

fn question(ruleset: &Ruleset, key: &str) -> u16 {
    ruleset.questions.iter().position(|q| q.key == key).expect("declared") as u16
}

fn verb(ruleset: &Ruleset, id: &str) -> u16 {
    ruleset.verb(id).expect("declared") as u16
}

fn box_of(ruleset: &Ruleset, id: &str) -> u16 {
    (ruleset.map.len() + ruleset.boxes.iter().position(|b| b.id == id).expect("declared")) as u16
}

fn unit(ruleset: &Ruleset, id: &str) -> u16 {
    ruleset.unit(id).expect("declared") as u16
}

fn side_of(ruleset: &Ruleset, id: &str) -> u16 {
    ruleset.side(id).expect("declared") as u16
}

fn symbol(ruleset: &Ruleset, path: &str) -> u16 {
    let (list, value) = path.split_once('/').expect("a list and a value");
    let list = ruleset.schema.symbols.iter().find(|s| s.name == list).expect("declared");
    list.values.iter().position(|v| v == value).expect("declared") as u16
}

fn cite(ruleset: &Ruleset, id: &str) -> u16 {
    ruleset.rulebook.find(id).expect("in the rulebook").0
}

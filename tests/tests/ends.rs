//! Steps whose cost hangs on whether their ends lie in a zone, and borders that are barred from zone to zone, against a
//! search by hand that asks of each step by itself; for moves with modes and without. No guard here must be asked space by space, or every step would be.

use std::collections::{BTreeMap, BTreeSet};

use countermarch_core::{
    map::{Map, SpaceId},
    play::{Effect, Game, Move},
    ruleset::{Cite, Selection},
};
use countermarch_tests::{Numbers, load, replace, toy};

const LANE: u16 = 1;
const OPEN: u16 = 3;
/// What is added to a step from out of the zone into it, and to one on rough ground out of it.
const INTO: u16 = 2;
const ROUGH: u16 = 1;

/// What is printed, as the search by hand knows it.
struct Ground {
    lanes: BTreeSet<(SpaceId, SpaceId)>,
    /// Nobody goes from one of these into another.
    woods: BTreeSet<SpaceId>,
    rough: BTreeSet<SpaceId>,
}

impl Ground {
    fn price(&self, map: &Map, foe: SpaceId, from: SpaceId, to: SpaceId) -> Option<u16> {
        let zone = |space: SpaceId| map.distance(space, foe) == 1;
        let barred = zone(from) && zone(to) || self.woods.contains(&from) && self.woods.contains(&to);
        if barred {
            return None;
        }
        if self.lanes.contains(&(from, to)) && !zone(from) && !zone(to) {
            return Some(LANE);
        }
        let into = if zone(to) && !zone(from) { INTO } else { 0 };
        Some(OPEN + into + if zone(from) && self.rough.contains(&to) { ROUGH } else { 0 })
    }

    fn reached(&self, map: &Map, foe: SpaceId, from: SpaceId, budget: u16) -> BTreeMap<SpaceId, u16> {
        let mut best = BTreeMap::new();
        let mut open = BTreeSet::from([(0, from)]);
        while let Some((cost, at)) = open.pop_first() {
            if cost > budget || best.contains_key(&at) {
                continue;
            }
            best.insert(at, cost);
            open.extend(map.near(at).filter_map(|to| Some((cost + self.price(map, foe, at, to)?, to))));
        }
        best.remove(&from);
        best
    }
}

#[test]
fn what_a_step_costs_by_both_its_ends_and_what_is_barred_from_zone_to_zone_are_as_asked_step_by_step() {
    const RADIUS: i32 = 4;
    let all: Vec<String> = (-RADIUS..=RADIUS)
        .flat_map(|q| (-RADIUS..=RADIUS).filter(move |r| (q + r).abs() <= RADIUS).map(move |r| format!("{q}:{r}")))
        .collect();
    let (mut compared, mut barred) = (0, 0);
    for seed in 0..40 {
        let mut numbers = Numbers(seed);
        let mut some =
            |most: usize| -> BTreeSet<&String> { (0..most).map(|_| &all[numbers.below(all.len())]).collect() };
        let (woods, rough) = (some(12), some(20));
        let mut text = format!(
            "map: toy\ngrid: {{ kind: axial, radius: {RADIUS} }}\nterrains: [rough, wood, camp]\n\
             features: [hedge, lane]\nspaces:\n"
        );
        for space in &all {
            let is: Vec<&str> = [("rough", &rough), ("wood", &woods)]
                .into_iter()
                .filter(|(_, these)| these.contains(space))
                .map(|(kind, _)| kind)
                .collect();
            let named = if space == "0:0" { ", name: Middle" } else { "" };
            text += &format!("  - {{ at: \"{space}\"{named}, is: [{}] }}\n", is.join(", "));
        }
        text += "borders:\n";
        for row in 0..RADIUS {
            for q in -RADIUS..RADIUS - row {
                if numbers.below(3) > 0 {
                    text += &format!("  - {{ between: [\"{q}:{row}\", \"{}:{row}\"], is: [lane] }}\n", q + 1);
                }
            }
        }
        // Every other one keeps account of the ways of its steps, for the sake of a mark.
        let in_modes = seed % 2 == 1;
        let (ways, way, lane_way) =
            if in_modes { ("    ways: way\n", "way: across, ", "way: lane, ") } else { ("", "", "") };
        let marks =
            "    marks:\n      turned: { when: \"way = across and before = lane\", may-step: calm, cite: t/1 }\n";
        let mover = format!(
            r#"{ways}    step:
      - {{ id: lane, {lane_way}when: "feature(from, to, lane) and not near-foe(from, unit.side) and not near-foe(to, unit.side)", cost: {LANE}, cite: t/2 }}
      - id: open
        {}cost: {OPEN}
        plus:
          - {{ when: "near-foe(to, unit.side) and not near-foe(from, unit.side)", cost: {INTO}, cite: t/2 }}
          - {{ when: "terrain(to, rough) and near-foe(from, unit.side)", cost: {ROUGH}, cite: t/2 }}
        cite: t/2
{}    may-step: wary
"#,
            way.replace(", ", "\n        "),
            if in_modes { marks } else { "" }
        );
        let wary = "  wary:\n    given: { unit: unit, from: space, to: space }\n    unless:\n\
            \x20     - { id: zones, when: \"near-foe(from, unit.side) and near-foe(to, unit.side)\", say: \"the enemy is near\", cite: t/1 }\n\
            \x20     - { id: woods, when: \"terrain(from, wood) and terrain(to, wood)\", say: \"the wood is deep\", cite: t/1 }\n\
            \x20 calm:\n    given: { unit: unit, from: space, to: space }\n    unless:\n\
            \x20     - { id: camp, when: \"terrain(to, camp)\", say: \"it is a camp\", cite: t/1 }\n";
        let mut library = toy();
        library.insert("maps/toy.yaml", text);
        let tables = "rulesets/toy/tables.yaml";
        let walk = "    step:\n      - { id: open, cost: 1, plus: [{ when: \"feature(from, to, hedge) and setting(hedges, slow)\", \
                    cost: 1, cite: t/2 }], cite: t/2 }\n    may-step: enter\n    may-pass: pass\n";
        replace(&mut library, tables, walk, &mover);
        replace(&mut library, tables, "  pass:", &format!("{wary}  pass:"));
        let ruleset_file = "rulesets/toy/ruleset.yaml";
        if in_modes {
            replace(&mut library, ruleset_file, "symbols:\n", "symbols:\n  way: [across, lane]\n");
        }
        replace(&mut library, ruleset_file, "movers/walk/step/open, settings/hedges", "movers/walk, settings/hedges");
        let ruleset = load(&library, "toy", &Selection::default());
        let map = &ruleset.map;
        let find = |space: &&String| map.find(space).expect("a space");
        let lanes = map.spaces().flat_map(|from| map.near(from).map(move |to| (from, to)));
        let lane = map.features.iter().position(|feature| feature == "lane").expect("lanes");
        let is_lane = |(from, to): &(SpaceId, SpaceId)| {
            map.between(*from, *to).is_some_and(|border| map.border(border).features >> lane & 1 == 1)
        };
        let ground = Ground {
            lanes: lanes.filter(is_lane).collect(),
            woods: woods.iter().map(find).collect(),
            rough: rough.iter().map(find).collect(),
        };
        for _ in 0..12 {
            let [from, foe] = [0, 1].map(|_| SpaceId(numbers.below(map.len()) as u32));
            if from == foe {
                continue;
            }
            let allowance = 3 + numbers.below(16) as u16;
            let mut game = Game::new(ruleset.clone(), seed);
            let [ann, bob] = ["ann", "bob"].map(|unit| game.ruleset.unit(unit).expect("a unit of the toy"));
            for (unit, at) in [(ann, from), (bob, foe)] {
                game.apply(Effect::Place { unit, to: at.0 as i32, cite: Cite::NONE }).expect("it may stand there");
            }
            let m = Move {
                mover: 0,
                unit: ann,
                allowance,
                extra: 0,
                minimum: false,
                seeds: Vec::new(),
                starts: Vec::new(),
            };
            let reached: BTreeMap<SpaceId, u16> = game.reached(&m).into_iter().map(|r| (r.space, r.cost)).collect();
            let by_hand = ground.reached(map, foe, from, allowance);
            assert_eq!(reached, by_hand, "seed {seed}, from {} beside {}", map.space(from).name, map.space(foe).name);
            compared += by_hand.len();
            barred += map.near(foe).filter(|at| !by_hand.contains_key(at)).count();
        }
    }
    assert!(compared > 5_000 && barred > 300, "{compared}, {barred}");
}

//! What lets a search over (space, mode) do less, against searches by hand that know none of it: modes that are dominated
//! where no mark may count a step, searches kept from one time to the next, borders and changes that are never open.

use std::collections::{BTreeMap, BTreeSet};

use countermarch_core::{
    library::Library,
    map::{Map, SpaceId},
    play::{Effect, Game, Move},
    ruleset::{Cite, Holder, Selection},
};
use countermarch_tests::{Numbers, load, replace, toy};

/// The six directions of axial coordinates, each between its neighbours here.
const FACINGS: [(&str, (i32, i32)); 6] =
    [("e", (1, 0)), ("se", (0, 1)), ("sw", (-1, 1)), ("w", (-1, 0)), ("nw", (0, -1)), ("ne", (1, -1))];

fn spaces(radius: i32) -> Vec<(i32, i32)> {
    let all = (-radius..=radius).flat_map(|q| (-radius..=radius).map(move |r| (q, r)));
    all.filter(|(q, r)| (q + r).abs() <= radius).collect()
}

fn name((q, r): (i32, i32)) -> String {
    format!("{q}:{r}")
}

/// The toy with another map, another mover in place of `walk`, and whatever else is put into its tables and symbols.
fn pack(map: &str, mover: &str, guards: &str, symbols: &str) -> Library {
    let mut library = toy();
    library.insert("maps/toy.yaml", format!("map: toy\nroad-kinds: [lane]\n{map}"));
    let tables = "rulesets/toy/tables.yaml";
    let walk = "    step:\n      - { id: open, cost: 1, plus: [{ when: \"feature(from, to, hedge) and setting(hedges, slow)\", \
                cost: 1, cite: t/2 }], cite: t/2 }\n    may-step: enter\n    may-pass: pass\n";
    replace(&mut library, tables, walk, mover);
    replace(&mut library, tables, "  pass:", &format!("{guards}  pass:"));
    let ruleset = "rulesets/toy/ruleset.yaml";
    replace(&mut library, ruleset, "symbols:\n", &format!("symbols:\n{symbols}"));
    replace(&mut library, ruleset, "movers/walk/step/open, settings/hedges", "movers/walk, settings/hedges");
    library
}

fn place(game: &mut Game, unit: &str, at: SpaceId) -> i32 {
    let unit = game.ruleset.unit(unit).expect("a unit of the toy");
    game.apply(Effect::Place { unit, to: at.0 as i32, cite: Cite::NONE }).expect("it may stand there");
    unit
}

/// A walk of the toy's, with so many points.
fn walk(unit: i32, allowance: u16) -> Move {
    Move { mover: 0, unit, allowance, extra: 0, minimum: false, seeds: Vec::new(), starts: Vec::new() }
}

/// The least that each state costs which can be come to with so much, by a plain search.
fn search<S: Ord + Copy>(begin: S, budget: u16, next: impl Fn(S) -> Vec<(S, u16)>) -> BTreeMap<S, u16> {
    let mut best: BTreeMap<S, u16> = BTreeMap::new();
    let mut open = BTreeSet::from([(0, begin)]);
    while let Some((cost, state)) = open.pop_first() {
        if cost > budget || best.contains_key(&state) {
            continue;
        }
        best.insert(state, cost);
        open.extend(next(state).into_iter().map(|(state, price)| (cost + price, state)));
    }
    best
}

/// Where roads and paths run, and where marks stand: on few spaces.
struct Roads {
    /// By border, both ways: road, path, or both.
    of: BTreeMap<(SpaceId, SpaceId), [bool; 2]>,
    forks: Vec<SpaceId>,
    fords: Vec<SpaceId>,
    /// Whether whoever has parted at a fork may do so no more, or comes near no enemy from there on.
    once: bool,
}

/// The ways to go, with what a step costs by road and path.
const ACROSS: i32 = 0;
const WAYS: [&str; 3] = ["across", "road", "path"];
const ROUGH: u16 = 5;
const COSTS: [u16; 3] = [3, 1, 2];

/// Space, the way of the last step (-1 before any), how often it has parted, whether it has splashed.
type OnRoads = (SpaceId, i32, u8, bool);

impl Roads {
    fn next(&self, map: &Map, foe: SpaceId, (at, before, parted, splashed): OnRoads) -> Vec<(OnRoads, u16)> {
        let mut all = Vec::new();
        for to in map.near(at).filter(|to| *to != foe) {
            let runs = self.of.get(&(at, to)).copied().unwrap_or_default();
            let rough = map.space(to).terrain & 1 != 0;
            let prices =
                [Some(if rough { ROUGH } else { COSTS[0] }), runs[0].then_some(COSTS[1]), runs[1].then_some(COSTS[2])];
            for (way, price) in (0..).zip(prices) {
                let Some(price) = price else { continue };
                let counts =
                    self.forks.contains(&at) && way != ACROSS && before != -1 && before != ACROSS && before != way;
                let splashed = splashed || self.fords.contains(&at) && before == ACROSS && way == ACROSS;
                let parted = parted + u8::from(counts);
                let near = map.distance(to, foe) <= 1;
                if self.once && parted > 1 || near && (splashed || !self.once && parted > 0) {
                    continue;
                }
                all.push(((to, way, parted.min(1), splashed), price));
            }
        }
        all
    }
}

#[test]
fn what_is_dominated_where_no_mark_counts_hides_no_space_and_no_cheaper_way() {
    const RADIUS: i32 = 3;
    let (mut compared, mut marked) = (0, 0);
    for seed in 0..40 {
        let mut numbers = Numbers(seed);
        let once = seed % 2 == 0;
        let all = spaces(RADIUS);
        let mut some =
            |most: usize| -> BTreeSet<String> { (0..most).map(|_| name(all[numbers.below(all.len())])).collect() };
        let (rough, forks, fords) = (some(14), some(5), some(2));
        let mut map = format!(
            "grid: {{ kind: axial, radius: {RADIUS} }}\nterrains: [rough, fork, ford, wood, camp]\nfeatures: [hedge, road, path]\nspaces:\n"
        );
        let kinds = [("rough", &rough), ("fork", &forks), ("ford", &fords)];
        for space in all.iter().copied().map(name) {
            let is: Vec<&str> = kinds.iter().filter(|(_, all)| all.contains(&space)).map(|(kind, _)| *kind).collect();
            let named = if space == "0:0" { ", name: Middle" } else { "" };
            if !is.is_empty() || !named.is_empty() {
                map += &format!("  - {{ at: \"{space}\"{named}, is: [{}] }}\n", is.join(", "));
            }
        }
        map += "borders:\n";
        let mut runs = Vec::new();
        for (q, r) in all.iter().copied() {
            for (_, (dq, dr)) in &FACINGS[..3] {
                let to = (q + dq, r + dr);
                let of = [0, 1].map(|_| numbers.below(3) == 0);
                if !all.contains(&to) || of == [false; 2] {
                    continue;
                }
                let is: Vec<&str> =
                    ["road", "path"].into_iter().zip(of).filter(|(_, is)| *is).map(|(kind, _)| kind).collect();
                map +=
                    &format!("  - {{ between: [\"{}\", \"{}\"], is: [{}] }}\n", name((q, r)), name(to), is.join(", "));
                runs.push((name((q, r)), name(to), of));
            }
        }
        let parted = if once { "most: 1, say: \"it parts but once\"" } else { "may-step: shy" };
        let mover = format!(
            r#"    ways: way
    step:
      - {{ id: road, way: road, when: "feature(from, to, road)", cost: {}, cite: t/2 }}
      - {{ id: path, way: path, when: "feature(from, to, path)", cost: {}, cite: t/2 }}
      - {{ id: rough, way: across, when: "terrain(to, rough)", cost: {ROUGH}, cite: t/2 }}
      - {{ id: open, way: across, cost: {}, cite: t/2 }}
    marks:
      parted: {{ when: "terrain(from, fork) and way != across and before != nothing and before != across and before != way", {parted}, cite: t/1 }}
      splashed: {{ when: "terrain(from, ford) and way = across and before = across", may-step: shy, cite: t/1 }}
    may-step: enter
"#,
            COSTS[1], COSTS[2], COSTS[0]
        );
        let shy = concat!(
            "  shy:\n    given: { unit: unit, from: space, to: space }\n    unless:\n",
            "      - { id: shy, when: \"near-foe(to, unit.side)\", say: \"the enemy is near\", cite: t/1 }\n"
        );
        let symbols = format!("  way: [{}]\n", WAYS.join(", "));
        let ruleset = load(&pack(&map, &mover, shy, &symbols), "toy", &Selection::default());
        let map = &ruleset.map;
        let find = |space: &String| map.find(space).expect("a space");
        let both = |(from, to, of): &(String, String, [bool; 2])| {
            [((find(from), find(to)), *of), ((find(to), find(from)), *of)]
        };
        let of = runs.iter().flat_map(both).collect();
        let roads =
            Roads { of, forks: forks.iter().map(find).collect(), fords: fords.iter().map(find).collect(), once };
        for _ in 0..12 {
            let [from, foe] = [0, 1].map(|_| SpaceId(numbers.below(map.len()) as u32));
            if from == foe {
                continue;
            }
            let allowance = 2 + numbers.below(10) as u16;
            let mut game = Game::new(ruleset.clone(), seed);
            let unit = place(&mut game, "ann", from);
            place(&mut game, "bob", foe);
            let found = search((from, -1, 0, false), allowance, |state| roads.next(map, foe, state));
            let m = walk(unit, allowance);
            let reached: BTreeMap<SpaceId, u16> = game.reached(&m).into_iter().map(|r| (r.space, r.cost)).collect();
            for space in map.spaces().filter(|space| *space != from) {
                let least = found.iter().filter(|((at, ..), _)| *at == space).map(|(_, cost)| *cost).min();
                let at = format!("seed {seed}, from {} to {}", map.space(from).name, map.space(space).name);
                assert_eq!(reached.get(&space).copied(), least, "{at}");
                compared += 1;
            }
            marked += found.keys().filter(|(_, _, parted, splashed)| *parted > 0 || *splashed).count();
        }
    }
    assert!(compared > 10_000 && marked > 2_000, "{compared}, {marked}");
}

/// The same moves again and again, while other spaces are shut: what is kept of a search must not outlive them, and serves
/// again once the same are shut.
#[test]
fn what_is_kept_of_a_search_and_what_is_never_open_changes_no_move() {
    const RADIUS: i32 = 2;
    const ALLOWANCE: u16 = 7;
    let all = spaces(RADIUS);
    let mut map = format!("grid: {{ kind: axial, radius: {RADIUS} }}\nterrains: [wood, camp]\nfeatures: [hedge");
    for (facing, _) in FACINGS {
        map += &format!(", {{ name: to-{facing}, one-way: true }}");
    }
    map += "]\nspaces:\n  - { at: \"0:0\", name: Middle }\nborders:\n";
    for (q, r) in all.iter().copied() {
        for (facing, (dq, dr)) in FACINGS {
            let to = (q + dq, r + dr);
            if all.contains(&to) {
                map += &format!("  - {{ up: [\"{}\", \"{}\"], is: [to-{facing}] }}\n", name((q, r)), name(to));
            }
        }
    }
    let any = |holds: &dyn Fn(usize) -> String| {
        let each: Vec<String> = (0..6).map(|at| format!("(mode = {} and {})", FACINGS[at].0, holds(at))).collect();
        each.join(" or ")
    };
    let goes = |sixths: usize| any(&|at| format!("feature(from, to, to-{})", FACINGS[(at + sixths) % 6].0));
    // It goes ahead or back, turns to the right alone, and from west right about: all other steps and turns are never open.
    let right = any(&|at| format!("into = {}", FACINGS[(at + 1) % 6].0));
    let mover = format!(
        r#"    modes: facing
    begins: unit.facing
    change:
      - {{ id: right, when: "{right}", cost: 1, cite: t/1 }}
      - {{ id: about, when: "mode = w and into = e", cost: 2, cite: t/1 }}
    step:
      - {{ id: ahead, when: "{}", cost: 2, cite: t/2 }}
      - {{ id: back, when: "{}", cost: 3, cite: t/2 }}
    may-step: open
"#,
        goes(0),
        goes(3)
    );
    let open = concat!(
        "  open:\n    given: { unit: unit, from: space, to: space }\n    unless:\n",
        "      - { id: shut, when: \"to.shut\", say: \"it is shut\", cite: t/1 }\n"
    );
    let mut library = pack(&map, &mover, open, "  facing: [e, se, sw, w, nw, ne]\n");
    let facing = "    facing: { is: facing, default: e, say: \"{of} faces {value}\" }\n    down:";
    replace(&mut library, "rulesets/toy/ruleset.yaml", "    down:", facing);
    replace(&mut library, "rulesets/toy/ruleset.yaml", "state:\n", "state:\n  space:\n    shut: { is: flag }\n");
    let ruleset = load(&library, "toy", &Selection::default());
    let map = &ruleset.map;
    let find = |at: (i32, i32)| map.find(&name(at));
    let beside: Vec<[Option<SpaceId>; 6]> = map
        .spaces()
        .map(|space| {
            let (q, r) = all.iter().copied().find(|at| find(*at) == Some(space)).expect("a space");
            FACINGS.map(|(_, (dq, dr))| find((q + dq, r + dr)))
        })
        .collect();
    let column = ruleset.schema.column(Holder::Unit, "facing").expect("declared");
    let is_shut = ruleset.schema.column(Holder::Space, "shut").expect("declared");
    let mut numbers = Numbers(7);
    let (mut compared, mut hindered) = (0, 0);
    for _ in 0..16 {
        for (from, facing) in map.spaces().flat_map(|from| (0..6).map(move |facing| (from, facing))) {
            // Of few spaces near by, so that the same come back before and after they are forgotten; or of all.
            let near: Vec<SpaceId> = map.near(from).take(3).collect();
            let mut shut: BTreeSet<SpaceId> = near.iter().copied().filter(|_| numbers.below(2) == 0).collect();
            if numbers.below(3) == 0 {
                shut.insert(SpaceId(numbers.below(map.len()) as u32));
            }
            shut.remove(&from);
            let next = |(at, facing): (SpaceId, usize)| {
                let step = |(to, price): (usize, u16)| Some(((beside[at.0 as usize][to]?, facing), price));
                let steps = [(facing, 2), ((facing + 3) % 6, 3)].into_iter().filter_map(step);
                let steps = steps.filter(|((to, _), _)| *to != from && !shut.contains(to));
                let turns = [(facing + 1) % 6].into_iter().map(|into| (into, 1));
                let about = (facing == 3).then_some((0, 2));
                steps.chain(turns.chain(about).map(|(into, price)| ((at, into), price))).collect()
            };
            let found = search((from, facing), ALLOWANCE, next);
            let mut game = Game::new(ruleset.clone(), 1);
            let unit = place(&mut game, "ann", from);
            game.apply(Effect::Set { column, of: unit, value: facing as i32, cite: Cite::NONE }).expect("a facing");
            for space in &shut {
                let of = space.0 as i32;
                game.apply(Effect::Set { column: is_shut, of, value: 1, cite: Cite::NONE }).expect("a flag");
            }
            let m = walk(unit, ALLOWANCE);
            let reached: BTreeMap<SpaceId, u16> = game.reached(&m).into_iter().map(|r| (r.space, r.cost)).collect();
            for space in map.spaces() {
                let at = |facing: usize| Some((facing as i32, *found.get(&(space, facing))?));
                let facings: Vec<(i32, u16)> = (0..6).filter_map(at).collect();
                let told = format!("{facing} at {} to {}", map.space(from).name, map.space(space).name);
                assert_eq!(game.modes_at(&m, space), facings, "{told}");
                let least = facings.iter().map(|(_, cost)| *cost).min().filter(|_| space != from);
                assert_eq!(reached.get(&space).copied(), least, "{told}");
                for (into, _) in facings.iter().filter(|_| space != from) {
                    let path = game.path_of(&m, space, Some(*into));
                    assert_eq!((path.first(), path.last()), (Some(&from), Some(&space)), "{told}");
                    assert!(!path.iter().any(|at| shut.contains(at)), "{told}");
                }
                compared += facings.len();
            }
            hindered += usize::from(!shut.is_empty());
        }
    }
    assert!(compared > 25_000 && hindered > 1_000, "{compared}, {hindered}");
}

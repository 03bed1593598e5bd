//! Moves in modes that are kept from step to step and changed in place, against a search by hand: a unit that faces one
//! of six ways, goes ahead or back, and turns for a price.

use std::collections::{BTreeMap, BTreeSet};

use countermarch_core::{
    library::Library,
    map::{Map, Seed, SpaceId},
    play::{Action, Effect, Game, Limits, Move, Session},
    ruleset::{Cite, Holder, Kind, Ruleset, Selection},
    show::Words,
};
use countermarch_tests::{Numbers, load, rules, toy};

/// The ways to face, with the step of axial coordinates ahead; each lies between its neighbours here.
const FACINGS: [(&str, (i32, i32)); 6] =
    [("e", (1, 0)), ("se", (0, 1)), ("sw", (-1, 1)), ("w", (-1, 0)), ("nw", (0, -1)), ("ne", (1, -1))];
const RADIUS: i32 = 3;
const AHEAD: u16 = 2;
const BACK: u16 = 3;
const HEDGE: u16 = 1;

/// What differs from round to round.
struct Round {
    woods: Vec<String>,
    camps: Vec<String>,
    /// How often it may turn.
    turns: u8,
    /// How many steps it may take: with these counted there are far more modes.
    steps: Option<u8>,
    /// What a turn by more than a sixth costs outside woods; nothing if it cannot be made.
    about: Option<u16>,
    /// Whether guards of where it stops and ends ask how it faces: facing south-west a camp stops it, facing north-west it
    /// may not end beside the enemy, nor facing east at the edge.
    looks: bool,
}

impl Round {
    fn stops(&self, map: &Map, at: SpaceId, facing: usize) -> bool {
        self.looks && facing == 2 && self.camps.contains(&map.space(at).name)
    }

    fn may_end(&self, map: &Map, at: SpaceId, facing: i32, foe: SpaceId) -> bool {
        !self.looks || !(facing == 4 && map.distance(at, foe) <= 1 || facing == 0 && map.is_edge(at))
    }
}

fn spaces() -> Vec<(i32, i32)> {
    let all = (-RADIUS..=RADIUS).flat_map(|q| (-RADIUS..=RADIUS).map(move |r| (q, r)));
    all.filter(|(q, r)| (q + r).abs() <= RADIUS).collect()
}

fn name((q, r): (i32, i32)) -> String {
    format!("{q}:{r}")
}

/// Each facing with what holds of it, one or the other.
fn any_facing(holds: impl Fn(usize) -> String) -> String {
    let each: Vec<String> = (0..6).map(|at| format!("(mode = {} and {})", FACINGS[at].0, holds(at))).collect();
    each.join(" or ")
}

fn pack(round: &Round) -> Library {
    let mut library = toy();
    let mut map = format!(
        "map: toy\ngrid: {{ kind: axial, radius: {RADIUS} }}\nterrains: [wood, camp]\nroad-kinds: [lane]\nfeatures: [hedge"
    );
    for (facing, _) in FACINGS {
        map += &format!(", {{ name: to-{facing}, one-way: true }}");
    }
    map += "]\nspaces:\n  - { at: \"0:0\", name: Middle }\n";
    for space in spaces().into_iter().map(name) {
        let is = [("wood", &round.woods), ("camp", &round.camps)];
        let is: Vec<&str> = is.iter().filter(|(_, all)| all.contains(&space)).map(|(kind, _)| *kind).collect();
        if space == "0:0" {
            map = map.replace("name: Middle", &format!("name: Middle, is: [{}]", is.join(", ")));
        } else if !is.is_empty() {
            map += &format!("  - {{ at: \"{space}\", is: [{}] }}\n", is.join(", "));
        }
    }
    map += "borders:\n  - { between: [\"0:0\", \"1:0\"], is: [hedge] }\n";
    for (q, r) in spaces() {
        for (facing, (dq, dr)) in FACINGS {
            let to = (q + dq, r + dr);
            if spaces().contains(&to) {
                map += &format!("  - {{ up: [\"{}\", \"{}\"], is: [to-{facing}] }}\n", name((q, r)), name(to));
            }
        }
    }
    library.insert("maps/toy.yaml", map);
    let ahead = any_facing(|at| format!("feature(from, to, to-{})", FACINGS[at].0));
    let back = any_facing(|at| format!("feature(from, to, to-{})", FACINGS[(at + 3) % 6].0));
    let beside = any_facing(|at| format!("(into = {} or into = {})", FACINGS[(at + 1) % 6].0, FACINGS[(at + 5) % 6].0));
    let about = round.about.map_or(String::new(), |cost| {
        format!("\n      - {{ id: about, when: \"not terrain(from, wood)\", cost: {cost}, cite: t/1 }}")
    });
    let mover = format!(
        r#"  walk:
    allowance: 2
    modes: facing
    begins: unit.facing
    change:
      - {{ id: camp, when: "terrain(from, camp)", cost: 2, cite: t/1 }}
      - {{ id: beside, when: "{beside}", cost: 1, cite: t/1 }}{about}
    marks:
      turns: {{ when: "mode != before", most: {}, say: "it turns no more", cite: t/1 }}
{}      camped: {{ when: "terrain(to, camp)", may-step: shy, cite: t/1 }}
    step:
      - {{ id: ahead, when: "{ahead}", cost: {AHEAD}, plus: [{{ when: "feature(from, to, hedge)", cost: {HEDGE}, cite: t/2 }}], cite: t/2 }}
      - {{ id: back, when: "{back}", cost: {BACK}, cite: t/2 }}
"#,
        round.turns,
        round.steps.map_or(String::new(), |most| format!(
            "      steps: {{ when: \"mode = before\", most: {most}, say: \"it goes no farther\", cite: t/1 }}\n"
        ))
    );
    let path = "rulesets/toy/tables.yaml";
    let tables = library.text(path).expect("the toy has tables").to_owned();
    let (before, after) = tables.split_once("  walk:\n").expect("its mover");
    let (_, guards) = after.split_once("    may-step: enter\n").expect("its guards");
    let looks = if round.looks { "    may-go-on: winded\n    may-stop: poised\n" } else { "" };
    let tables = format!("{before}{mover}    may-step: enter\n{looks}{guards}");
    let tables = tables.replacen("from: space, to: space }", "from: space, to: space, mode: facing }", 1).replacen(
        "  pass:",
        concat!(
            "      - { id: steep, when: \"mode = w and terrain(to, camp)\", say: \"it is steep\", cite: t/1 }\n",
            "  shy:\n    given: { unit: unit, from: space, to: space }\n    unless:\n",
            "      - { id: shy, when: \"near-foe(to, unit.side)\", say: \"the enemy is near\", cite: t/1 }\n",
            "  winded:\n    given: { unit: unit, from: space, to: space, mode: facing }\n    unless:\n",
            "      - { id: camp, when: \"mode = sw and terrain(to, camp)\", say: \"it rests\", cite: t/1 }\n",
            "  poised:\n    given: { unit: unit, from: space, to: space, mode: facing }\n    unless:\n",
            "      - { id: foe, when: \"mode = nw and near-foe(to, unit.side)\", say: \"it is poised\", cite: t/1 }\n",
            "      - { id: edge, when: \"mode = e and edge(to)\", say: \"it looks away\", cite: t/1 }\n",
            "  pass:"
        ),
        1,
    );
    library.insert(path, tables);
    let path = "rulesets/toy/ruleset.yaml";
    let ruleset = library.text(path).expect("the toy is a ruleset").to_owned();
    let ruleset = ruleset
        .replacen("symbols:\n", "symbols:\n  facing: [e, se, sw, w, nw, ne]\n", 1)
        .replacen("    down:", "    facing: { is: facing, default: e, say: \"{of} faces {value}\" }\n    down:", 1)
        .replace("movers/walk/step/open", "movers/walk/step/ahead");
    library.insert(path, ruleset);
    library
}

/// What a move has come to: space, facing, turns, steps, whether it has been in a camp, whether it has entered anything.
type State = (SpaceId, usize, u8, u8, bool, bool);

/// Every state that a move comes to from some, with the least it costs. `stands` and `foe` have somebody in them.
fn search(
    map: &Map,
    round: &Round,
    begin: &[(State, u16)],
    [stands, foe]: [SpaceId; 2],
    budget: u16,
) -> BTreeMap<State, u16> {
    let is = |space: SpaceId, of: &[String]| of.contains(&map.space(space).name);
    let coordinates: BTreeMap<String, (i32, i32)> = spaces().into_iter().map(|at| (name(at), at)).collect();
    let beside = |space: SpaceId, facing: usize| {
        let ((q, r), (_, (dq, dr))) = (coordinates[&map.space(space).name], FACINGS[facing]);
        map.find(&name((q + dq, r + dr)))
    };
    let mut best: BTreeMap<State, u16> = BTreeMap::new();
    let mut open: BTreeSet<(u16, State)> = begin.iter().map(|(state, cost)| (*cost, *state)).collect();
    while let Some((cost, state)) = open.pop_first() {
        if cost > budget || best.get(&state).is_some_and(|known| *known <= cost) {
            continue;
        }
        best.insert(state, cost);
        let (at, facing, turns, steps, camped, entered) = state;
        if entered && (is(at, &round.woods) || round.stops(map, at, facing)) {
            continue;
        }
        let goes_on = round.steps.is_none_or(|most| steps < most);
        for (next, price) in [(facing, AHEAD), ((facing + 3) % 6, BACK)].into_iter().filter(|_| goes_on) {
            let Some(to) = beside(at, next).filter(|to| *to != stands && *to != foe) else { continue };
            let camped = camped || is(to, &round.camps);
            let hedges = [map.find("0:0"), map.find("1:0")];
            let hedge = next == facing && hedges.contains(&Some(at)) && hedges.contains(&Some(to));
            if facing == 3 && is(to, &round.camps) || camped && map.distance(to, foe) <= 1 {
                continue;
            }
            let steps = steps + u8::from(round.steps.is_some());
            open.insert((cost + price + if hedge { HEDGE } else { 0 }, (to, facing, turns, steps, camped, true)));
        }
        for into in (0..6).filter(|into| *into != facing && turns < round.turns) {
            let sixths = (into + 6 - facing) % 6;
            let price = if is(at, &round.camps) {
                Some(2)
            } else if sixths == 1 || sixths == 5 {
                Some(1)
            } else {
                round.about.filter(|_| !is(at, &round.woods))
            };
            let Some(price) = price else { continue };
            open.insert((cost + price, (at, into, turns + 1, steps, camped || is(at, &round.camps), entered)));
        }
    }
    best
}

/// The facings in which a move comes to a space, each with the least it costs.
fn facings_at(found: &BTreeMap<State, u16>, space: SpaceId) -> Vec<(i32, u16)> {
    let mut facings: BTreeMap<i32, u16> = BTreeMap::new();
    for ((_, facing, ..), cost) in found.iter().filter(|((at, ..), _)| *at == space) {
        let least = facings.entry(*facing as i32).or_insert(*cost);
        *least = (*least).min(*cost);
    }
    facings.into_iter().collect()
}

fn place(game: &mut Game, unit: &str, at: SpaceId) -> i32 {
    let unit = game.ruleset.unit(unit).expect("a unit of the toy");
    game.apply(Effect::Place { unit, to: at.0 as i32, cite: Cite::NONE }).expect("it may stand there");
    unit
}

#[test]
fn every_space_and_facing_a_move_comes_to_is_found_for_the_least_and_no_other() {
    let (mut compared, mut turned, mut refused, mut legs_compared) = (0, 0, 0, 0);
    for seed in 0..60 {
        let mut numbers = Numbers(seed);
        let all: Vec<String> = spaces().into_iter().map(name).collect();
        let mut some =
            |most: usize| -> Vec<String> { (0..most).map(|_| all[numbers.below(all.len())].clone()).collect() };
        let (woods, camps) = (some(6), some(4));
        let (turns, about) = (1 + numbers.below(9) as u8, [None, Some(0), Some(3)][numbers.below(3)]);
        let steps = [None, Some(3), Some(9)][numbers.below(3)];
        let looks = seed % 2 == 1;
        let round = Round { woods, camps, turns, steps, about, looks };
        let ruleset = load(&pack(&round), "toy", &Selection::default());
        for _ in 0..8 {
            let map = &ruleset.map;
            let mut somewhere = || SpaceId(numbers.below(map.len()) as u32);
            let (from, foe) = (somewhere(), somewhere());
            let (facing, allowance) = (numbers.below(6), 2 + numbers.below(14) as u16);
            if from == foe {
                continue;
            }
            let mut game = Game::new(ruleset.clone(), seed);
            let unit = place(&mut game, "ann", from);
            place(&mut game, "bob", foe);
            let column = ruleset.schema.column(Holder::Unit, "facing").expect("declared");
            game.apply(Effect::Set { column, of: unit, value: facing as i32, cite: Cite::NONE }).expect("a facing");
            let begin = ((from, facing, 0, 0, false, false), 0);
            let found = search(map, &round, &[begin], [from, foe], allowance);
            let m = Move { mover: 0, unit, allowance, extra: 0, minimum: false, seeds: Vec::new(), starts: Vec::new() };
            // How it may end a move to a space, of how it comes there; where it stands it ends none.
            let ends = |found: &BTreeMap<State, u16>, space: SpaceId, stands: SpaceId| {
                let mut facings = facings_at(found, space);
                facings.retain(|(facing, _)| space == stands || round.may_end(map, space, *facing, foe));
                facings
            };
            let reached: BTreeMap<SpaceId, u16> = game.reached(&m).into_iter().map(|r| (r.space, r.cost)).collect();
            let at = format!("seed {seed}, {} from {}", FACINGS[facing].0, map.space(from).name);
            for space in map.spaces() {
                let facings = ends(&found, space, from);
                let at = format!("{at} to {}", map.space(space).name);
                assert_eq!(game.modes_at(&m, space), facings, "{at}");
                let least = facings.iter().map(|(_, cost)| *cost).min().filter(|_| space != from);
                assert_eq!(reached.get(&space).copied(), least, "{at}");
                assert_eq!(game.why_not_reached(&m, space).is_empty(), least.is_some(), "{at}");
                compared += facings.len();
                turned += usize::from(facings.len() > 1);
                refused += usize::from(least.is_none());
                // Each path is one of steps, and each lies beside the one before.
                for facing in facings.iter().map(|(facing, _)| Some(*facing)).chain([None]).filter(|_| least.is_some())
                {
                    let path = game.path_of(&m, space, facing);
                    assert_eq!((path.first(), path.last()), (Some(&from), Some(&space)), "{at}");
                    assert!(
                        path.windows(2).all(|pair| map.near(pair[0]).any(|near| near == pair[1])),
                        "{at}: {path:?}"
                    );
                }
            }
            // A wood pauses it: what it has done before, the next leg knows.
            let Some(wood) = reached.keys().find(|space| round.woods.contains(&map.space(**space).name)) else {
                continue;
            };
            let legs = game.legs(&m, *wood);
            assert_eq!(game.pauses_at(&m, *wood, None), !legs.is_empty(), "{at}");
            let seed = |(mode, cost)| Seed { space: *wood, mode, cost, entered: false };
            if legs.is_empty() {
                continue; // a camp in the wood stops it
            }
            let on = Move { seeds: legs.into_iter().map(seed).collect(), ..m };
            let pauses = |(at, facing, ..): &State| at == wood && !round.stops(map, *at, *facing);
            let begin = found.iter().filter(|(state, _)| pauses(state)).map(|(state, cost)| {
                let (at, facing, turns, steps, camped, _) = *state;
                ((at, facing, turns, steps, camped, false), *cost)
            });
            let found = search(map, &round, &begin.collect::<Vec<_>>(), [from, foe], allowance);
            for space in map.spaces() {
                let name = &map.space(space).name;
                assert_eq!(game.modes_at(&on, space), ends(&found, space, *wood), "{at}, by {wood:?} to {name}");
            }
            legs_compared += 1;
        }
    }
    assert!(compared > 5_000 && turned > 1_000 && refused > 1_000, "{compared}, {turned}, {refused}");
    assert!(legs_compared > 100, "{legs_compared}");
}

fn toy_of(map: impl Fn(&mut Library)) -> std::sync::Arc<Ruleset> {
    let round =
        Round { woods: Vec::new(), camps: vec!["2:-2".into()], turns: 9, steps: None, about: None, looks: false };
    let mut library = pack(&round);
    map(&mut library);
    load(&library, "toy", &Selection::default())
}

#[test]
fn whoever_asks_why_not_hears_what_marks_guards_and_changes_refuse() {
    let refused = |round: &Round, facing: i32, foe: &str, to: &str, allowance: u16| {
        let ruleset = load(&pack(round), "toy", &Selection::default());
        let find = |name: &str| ruleset.map.find(name).expect("a space");
        let mut game = Game::new(ruleset.clone(), 1);
        let unit = place(&mut game, "ann", find("0:0"));
        place(&mut game, "bob", find(foe));
        let column = ruleset.schema.column(Holder::Unit, "facing").expect("declared");
        game.apply(Effect::Set { column, of: unit, value: facing, cite: Cite::NONE }).expect("a facing");
        let m = Move { mover: 0, unit, allowance, extra: 0, minimum: false, seeds: Vec::new(), starts: Vec::new() };
        let refusals = game.why_not_reached(&m, find(to));
        let words = Words::all(&ruleset);
        refusals.iter().map(|refusal| words.say(&refusal.said)).collect::<Vec<_>>().join("; ")
    };
    let round = |woods: &[&str], camps: &[&str], turns: u8| {
        let texts = |of: &[&str]| of.iter().map(|text| (*text).to_owned()).collect();
        Round { woods: texts(woods), camps: texts(camps), turns, steps: None, about: None, looks: false }
    };
    // It faces east. To 0:1 it must turn by a sixth; from there to -1:2 by another.
    assert_eq!(refused(&round(&[], &[], 1), 0, "3:0", "0:1", 3), "");
    assert_eq!(refused(&round(&[], &[], 1), 0, "3:0", "-1:2", 6), "on the way, at 0:1: it turns no more");
    assert_eq!(refused(&round(&[], &[], 9), 0, "0:1", "0:1", 9), "somebody is there");
    let too_far = "-1:2 is too far: it needs 6 and there are 5";
    assert_eq!(refused(&round(&[], &[], 9), 0, "3:0", "-1:2", 5), too_far);
    // Facing west there is a way ahead that is steep and a way back that is dearer.
    assert_eq!(refused(&round(&[], &["-1:0"], 9), 3, "3:0", "-1:0", 2), "it is steep");
    // What stops it or keeps it from ending there is told with how it faces.
    let looks = |camps: &[&str]| Round { looks: true, ..round(&[], camps, 1) };
    assert_eq!(refused(&looks(&[]), 0, "-3:0", "3:0", 7), "e: it looks away");
    assert_eq!(refused(&looks(&[]), 4, "0:-2", "0:-1", 2), "nw: it is poised");
    assert_eq!(refused(&looks(&["-1:1"]), 2, "3:0", "-2:2", 4), "on the way, at -1:1: it rests");
    assert_eq!(
        refused(&round(&["1:0"], &[], 9), 0, "2:-1", "3:0", 7),
        "on the way, at 1:0: whoever comes into a wood pauses there"
    );
    // What keeps it from there whatever the way comes first.
    assert_eq!(refused(&round(&["1:0"], &[], 9), 0, "3:0", "3:0", 7), "somebody is there");
}

#[test]
fn what_no_row_lets_change_is_told_of_the_change() {
    let round = Round { woods: Vec::new(), camps: Vec::new(), turns: 9, steps: None, about: None, looks: false };
    let mut library = pack(&round);
    let path = "rulesets/toy/tables.yaml";
    let tables = library.text(path).expect("tables").to_owned();
    let only = "when: \"mode = w and into = se\", cost: 1, cite: t/1 }";
    let (before, after) = tables.split_once("id: beside, ").expect("the change");
    let (_, after) = after.split_once("cite: t/1 }").expect("its end");
    library.insert(path, format!("{before}id: beside, {only}{after}"));
    let ruleset = load(&library, "toy", &Selection::default());
    let find = |name: &str| ruleset.map.find(name).expect("a space");
    let mut game = Game::new(ruleset.clone(), 1);
    let unit = place(&mut game, "ann", find("0:0"));
    let m = Move { mover: 0, unit, allowance: 9, extra: 0, minimum: false, seeds: Vec::new(), starts: Vec::new() };
    let refusals = game.why_not_reached(&m, find("0:1"));
    let told: Vec<String> = refusals.iter().map(|r| Words::all(&ruleset).say(&r.said)).collect();
    assert_eq!(told, ["on the way, at 0:0: it cannot change from e into se there"]);
    assert_eq!(refusals[0].cite, ruleset.movers[0].symbols.changes().last().expect("a change").cite);
}

/// The toy's march with a question more: which way to face where one comes to stand.
const MARCH: &str = r#"--!strict
-- Moving, and turning.

--- Moves one unit, or turns it where it stands.
--- @cite t/1
function march.move()
  local verb, u = ask("march.unit", state.phasing(), nil, { move = offer.each.may_move(), done = true })
  if verb == "done" then
    return true
  end
  local reach = offer.reach.walk(u, 4)
  local choice, to = ask("march.to", state.phasing(), u, { to = reach, stay = true })
  local here = if choice == "to" then to else space_of(u)
  local facings, left = {}, {}
  for _, stand in ipairs(modes_at(reach, here)) do
    table.insert(facings, stand.mode)
    left[stand.mode] = stand.left
  end
  local _, facing = ask("march.face", state.phasing(), u, { face = offer.list(facings) })
  place(u, here, "t/1")
  set.unit.facing(u, facing, "t/1")
  set.unit.shots(u, left[facing], "t/1")
  set.unit.moved(u, true, "t/1")
  return false
end
"#;

#[test]
fn rules_ask_which_way_to_face_and_learn_what_is_left() {
    let ruleset = toy_of(|library| {
        library.insert("rulesets/toy/rules/march.luau", MARCH);
        let path = "rulesets/toy/tables.yaml";
        let tables = library.text(path).expect("tables").to_owned();
        let tables =
            tables.replacen("  stay:", "  face: { takes: facing, says: \"face that way\" }\n  stay:", 1).replacen(
                "questions:\n",
                "questions:\n  march.face: { ask: \"Which way does {about} face?\", about: unit, cite: t/1 }\n",
                1,
            );
        library.insert(path, tables);
    });
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, Limits::BULK);
    session.advance().expect("play begins");
    let verb = |name: &str| ruleset.verb(name).expect("a verb") as u16;
    let ann = ruleset.unit("ann").expect("a unit");
    let to = |name: &str| ruleset.map.find(name).expect("a space").0 as i32;
    let mut act = |verb_name: &str, value: i32| {
        let by = session.question().expect("asked").by;
        session.act(by, Action::of(verb(verb_name), value)).expect("it is offered");
        let faces = session.offers().iter().filter(|a| a.verb == verb("face"));
        let faces: Vec<String> = faces
            .map(|a| ruleset.name_of(Kind::Symbol(ruleset.schema.symbols("facing").expect("declared")), a.values[0]))
            .collect();
        faces.join(" ")
    };
    act("move", ann);
    // She stands in -2:0 and faces east: a step ahead costs 2 of 4, each sixth of a turn 1.
    assert_eq!(act("to", to("-1:0")), "e se sw nw ne");
    act("face", 2);
    let game = session.game();
    let column = |name: &str| ruleset.schema.column(Holder::Unit, name).expect("declared");
    assert_eq!((game.get(column("facing"), ann), game.get(column("shots"), ann)), (2, 0));
}

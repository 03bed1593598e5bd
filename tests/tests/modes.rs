//! Moves that remember their steps, against a search that knows nothing of marks, automata or bit sets: the moves of the
//! game of 1977, written down by hand.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use countermarch_core::{
    map::{Map, SpaceId},
    play::{Effect, Game, Limits, Session},
    ruleset::{Cite, Kind, Ruleset, Schema, Selection, VersionName},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{go_on_at_random, library, load, root, rules};

/// A unit as the search sees it.
struct Mover {
    quarters: i32,
    needs_road: bool,
    off_road: i32,
    strategic_cost: i32,
}

/// What a move has come to: space, last way (none, normal, strategic), changes, hexes off the road, and whether it may
/// come next to an enemy no more.
type State = (SpaceId, u8, u8, i32, bool);

/// Hexes that attacking units have left, and into which; nothing where the optional rule is not in force.
type Left = Option<BTreeMap<SpaceId, SpaceId>>;

fn search(
    map: &Map,
    from: SpaceId,
    mover: &Mover,
    enemies: &[SpaceId],
    has_friend: &dyn Fn(SpaceId) -> bool,
    left: &Left,
) -> BTreeSet<SpaceId> {
    let road = map.terrains.iter().position(|t| t == "road").expect("roads are terrain");
    let is_road = |s: SpaceId| map.space(s).terrain >> road & 1 == 1;
    let near = |s: SpaceId, far: u16| enemies.iter().any(|e| map.distance(*e, s) <= far);
    // Whoever leaves contact is disorganized at once; headquarters never are.
    let strategic_cost = if mover.needs_road && near(from, 1) { 2 } else { mover.strategic_cost };
    let mut ends = BTreeSet::new();
    let mut best: BTreeMap<State, i32> = BTreeMap::new();
    let mut open: Vec<(State, i32)> = vec![((from, 0, 0, 0, false), 0)];
    while let Some(((at, way, changes, off, kept_away), spent)) = open.pop() {
        let moved = way != 0;
        if moved {
            ends.insert(at);
            if near(at, 1) {
                continue;
            }
        }
        for to in map.near(at) {
            if enemies.contains(&to) {
                continue;
            }
            for (next, cost) in [(1u8, 4), (2, strategic_cost)] {
                let changes = changes + u8::from(moved && next != way);
                let off = off + i32::from(next == 1 && !is_road(to));
                // Attack movement: straight in from two hexes away, and not out of a hex by another side than a friend.
                let attacks = mover.needs_road && left.is_some();
                let hesitates = attacks && near(at, 2) && !near(at, 1) && !near(to, 1);
                let crosses =
                    attacks && at != from && left.iter().flatten().any(|(from, into)| *from == at && *into != to);
                let kept_away = kept_away || next == 2 || hesitates || crosses;
                let total = spent + cost;
                let strategic = next == 2 && ((mover.needs_road && !is_road(to)) || near(to, 3));
                let alone = !mover.needs_road && near(to, 1) && !has_friend(to);
                if total > mover.quarters || changes > 1 || off > mover.off_road || strategic || alone {
                    continue;
                }
                if kept_away && near(to, 1) {
                    continue;
                }
                let state = (to, next, changes, off, kept_away);
                if best.get(&state).is_none_or(|known| *known > total) {
                    best.insert(state, total);
                    open.push((state, total));
                }
            }
        }
    }
    ends.remove(&from);
    ends
}

fn unit(ruleset: &Ruleset, id: &str) -> i32 {
    ruleset.unit(id).unwrap_or_else(|| panic!("there is a unit {id}"))
}

#[test]
fn every_move_of_the_game_of_1977_is_found_and_no_other() {
    assert!(compare(&[], false) > 10_000);
}

#[test]
fn so_is_every_move_where_attacks_go_straight_in() {
    assert!(compare(&[("settings/attack-movement/default".into(), "on".into())], true) > 4_000);
}

/// How many ends of moves were compared. `close`: enemies stand within six hexes, and friends have gone before.
fn compare(set: &[(String, String)], close: bool) -> usize {
    let library = library(&root());
    let ruleset = load(&library, "gettysburg-77", &Selection { set: set.to_vec(), ..Selection::default() });
    let map = &ruleset.map;
    let full = |quarters, needs_road, off_road| Mover { quarters, needs_road, off_road, strategic_cost: 1 };
    let movers = [
        ("meredith", full(20, true, 99), false),
        ("wainwright", full(20, true, 2), false),
        ("devin", full(32, true, 99), false),
        ("reynolds", full(32, false, 99), false),
        ("cutler", Mover { strategic_cost: 2, ..full(20, true, 99) }, true),
    ];
    let spaces = map.len() as u32;
    let mut compared = 0;
    for round in 0..24u32 {
        let at = |n: u32| SpaceId((round * 977 + n * 389 + 61) % spaces);
        for (id, mover, disordered) in &movers {
            let limits = Limits { undo: false, verify: false, log: false, forced: false };
            let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, limits);
            let from = at(0);
            let around: Vec<SpaceId> = map.within(from, 6).to_vec();
            let beside = |n: u32| around[(round * 31 + n * 47 + 5) as usize % around.len()];
            let mut enemies: Vec<SpaceId> =
                (1..4).map(|n| if close { beside(n) } else { at(n) }).filter(|e| *e != from).collect();
            enemies.dedup();
            if !mover.needs_road && enemies.iter().any(|e| map.distance(*e, from) <= 1) {
                continue; // a headquarters alone would be driven off first
            }
            let left: Left = close.then(|| {
                let from = (4..12).map(beside).filter(|s| !enemies.contains(s));
                from.filter_map(|s| Some((s, map.near(s).nth(round as usize % 6)?))).collect()
            });
            let friend = at(9);
            session.by_hand(|game| {
                let mut place = |unit: i32, to: SpaceId| {
                    game.apply(Effect::Place { unit, to: to.0 as i32, cite: Cite::NONE }).expect("it may stand there");
                };
                for (enemy, space) in ["davis", "archer", "pegram"].into_iter().zip(&enemies) {
                    place(unit(&ruleset, enemy), *space);
                }
                place(unit(&ruleset, id), from);
                if !enemies.contains(&friend) {
                    place(unit(&ruleset, "stone"), friend);
                }
                if *disordered {
                    let column =
                        ruleset.schema.column(countermarch_core::ruleset::Holder::Unit, "disorder").expect("declared");
                    let of = unit(&ruleset, id);
                    game.apply(Effect::Set { column, of, value: 1, cite: Cite::NONE }).expect("a level");
                }
                let holder = countermarch_core::ruleset::Holder::Space;
                let left_by = ruleset.schema.column(holder, "left-by").expect("declared");
                for (of, value) in left.iter().flatten().map(|(from, into)| (from.0 as i32, into.0 as i32)) {
                    game.apply(Effect::Set { column: left_by, of, value, cite: Cite::NONE }).expect("a space");
                }
                game.apply(Effect::Set { column: Schema::TURN, of: 0, value: 3, cite: Cite::NONE }).expect("a turn");
                game.begin_at(ruleset.sequence.place("movement").expect("a phase"));
            });
            session.advance().expect("play begins");
            let verb = |name: &str| ruleset.verb(name).expect("a verb") as u16;
            let by = session.question().expect("asked").by;
            let action = countermarch_core::play::Action::of(verb("move"), unit(&ruleset, id));
            session.act(by, action).expect("it may move");
            let to = verb("to");
            let offered: BTreeSet<SpaceId> =
                session.offers().iter().filter(|a| a.verb == to).map(|a| SpaceId(a.values[0] as u32)).collect();
            // The scenario has set two brigades of cavalry up.
            let here = |unit: &str| session.game().space_of(self::unit(&ruleset, unit));
            let cavalry = ["gamble", "devin"].map(here);
            let has_friend = |s: SpaceId| !enemies.contains(&s) && (s == friend || cavalry.contains(&(s.0 as i32)));
            let found = search(map, from, mover, &enemies, &has_friend, &left);
            let names = |list: Vec<&SpaceId>| -> Vec<String> {
                list.into_iter().map(|s| ruleset.name_of(Kind::Space, s.0 as i32)).collect()
            };
            assert!(
                offered == found,
                "{id} from {} against {:?}: missing {:?}, too many {:?}",
                ruleset.name_of(Kind::Space, from.0 as i32),
                names(enemies.iter().collect()),
                names(found.difference(&offered).collect()),
                names(offered.difference(&found).collect())
            );
            compared += offered.len();
        }
    }
    compared
}

/// Where nothing tells ways apart, a step is taken in the cheapest, and a search over spaces comes to what one over ways
/// does: the same spaces, at the same cost.
#[test]
fn ways_that_nothing_tells_apart_are_searched_as_one() {
    let ruleset = gettysburg_88("clarified");
    let march = mover(&ruleset, "march");
    assert!(ruleset.movers[march].ways_alike);
    let mut compared = 0;
    for seed in 0..4 {
        let session = under_way(&ruleset, seed);
        let game = session.game();
        for unit in (0..ruleset.units.len() as i32).filter(|unit| game.space_of(*unit) >= 0) {
            compared += costs(game, march, unit).len();
        }
    }
    assert!(compared > 1000, "{compared} spaces reached");
}

/// Where a few spaces tell ways apart, so does a flood, in which these are several nodes: some hexes have two roads that do not
/// join, and who comes in by the one may not go on by the other.
#[test]
fn ways_that_few_spaces_tell_apart_are_searched_as_one_elsewhere() {
    let [apart, joined] = ["base", "base+7"].map(gettysburg_88);
    let branch = apart.attributes.iter().find(|attribute| attribute.name == "branch").expect("printed of spaces");
    let (map, mut compared, mut dearer) = (&apart.map, 0, 0);
    let around = map.spaces().filter(|space| branch.values[space.0 as usize] >= 0);
    let around: BTreeSet<SpaceId> = around.flat_map(|space| map.within(space, 3).to_vec()).collect();
    let limits = Limits { undo: false, verify: false, log: false, forced: true };
    let mut games = [&apart, &joined].map(|game| Session::new(game.clone(), rules(game), 0, 1, limits));
    for round in 0..4 {
        let enemies = ["wadsworth", "robinson"].into_iter().zip(around.iter().skip(round * 9).step_by(17));
        for (name, unit) in [("march", "heth"), ("ride", "lee")] {
            let (mover, unit) = (mover(&apart, name), self::unit(&apart, unit));
            for from in &around {
                let [apart, joined] = games.each_mut().map(|session| {
                    session.by_hand(|game| {
                        let mut place = |unit: i32, to: SpaceId| {
                            let place = Effect::Place { unit, to: to.0 as i32, cite: Cite::NONE };
                            game.apply(place).expect("it may stand there");
                        };
                        enemies
                            .clone()
                            .filter(|(_, at)| *at != from)
                            .for_each(|(id, at)| place(self::unit(&joined, id), *at));
                        place(unit, *from);
                    });
                    costs(session.game(), mover, unit)
                });
                compared += apart.len();
                dearer +=
                    apart.iter().filter(|(space, cost)| joined.get(space).is_some_and(|less| less < cost)).count();
            }
        }
    }
    assert!(compared > 10_000, "{compared} spaces reached");
    assert!(dearer > 10, "{dearer} spaces cost more where roads do not join");
}

fn gettysburg_88(version: &str) -> Arc<Ruleset> {
    let version = VersionName::parse(version);
    load(&library(&root()), "gettysburg-88", &Selection { version, ..Selection::default() })
}

fn mover(ruleset: &Ruleset, name: &str) -> usize {
    ruleset.movers.iter().position(|mover| mover.name == name).expect("a mover of the game")
}

/// A game that has been played at random for a while.
fn under_way(ruleset: &Arc<Ruleset>, seed: u64) -> Session<Runtime> {
    let limits = Limits { undo: false, verify: false, log: false, forced: true };
    let session = Session::new(ruleset.clone(), rules(ruleset), 0, seed, limits);
    go_on_at_random(session, 150, &mut |_| ()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// Where a move of six points comes to and at what cost, which is held to the search that tells all modes apart.
fn costs(game: &Game, mover: usize, unit: i32) -> BTreeMap<SpaceId, u16> {
    let m = game.move_of(mover as u16, unit, Some(6)).expect("it has points");
    let reached: BTreeMap<SpaceId, u16> =
        game.reach(&m, |flood| flood.reached.iter().map(|r| (r.space, r.cost)).collect());
    let begins = game.space_of(unit);
    for space in game.ruleset.map.spaces().filter(|space| space.0 as i32 != begins) {
        let in_modes = game.modes_at(&m, space).into_iter().map(|(_, cost)| cost).min();
        assert_eq!(reached.get(&space).copied(), in_modes, "unit {unit} from {begins} to {}", space.0);
    }
    reached
}

//! What rows and rules say of directions is what the map says, asked of one space or of all at once.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    map::SpaceId,
    play::{Game, Limits, Session},
    ruleset::{Kind, Ruleset, Selection},
};
use countermarch_tests::{library, load, play_at_random, root, rules, toy};

/// What is asked of a space, besides the one it is given, and a direction.
const GUARDS: [&str; 6] = [
    "next(space, way) = nothing",
    "direction(space, other) = way",
    "direction(other, next(space, turned(way, 2 - 4))) != turned(way, 1)",
    "any(ray(space, way) as s, s = other)",
    "angle(direction(space, other), way) <= 1",
    "next(next(other, way), if(space = other, way, turned(way, 3))) = space",
];

/// A game that declares guards of directions, about spaces.
fn with_guards(mut all: Library, game: &str, cite: &str) -> Arc<Ruleset> {
    let mut text = String::from("may:\n");
    for (at, when) in GUARDS.iter().enumerate() {
        let given = "{ space: space, other: space, way: direction }";
        let row = format!("{{ id: it, when: \"{when}\", say: no, cite: {cite} }}");
        text.push_str(&format!("  drawn-{at}:\n    given: {given}\n    unless:\n      - {row}\n"));
    }
    let path = format!("rulesets/{game}/tables.yaml");
    let before = all.text(&path).expect("it has tables").to_owned();
    all.insert(&path, before.replacen("may:\n", &text, 1));
    load(&all, game, &Selection::default())
}

fn begun(ruleset: &Arc<Ruleset>) -> Session<countermarch_scripting::Runtime> {
    play_at_random(ruleset, rules(ruleset), 1, Limits::BULK, 1, &mut |_| ()).expect("it begins")
}

/// What the map itself says to a guard.
fn by_map(game: &Game, guard: usize, space: SpaceId, other: SpaceId, way: i32) -> bool {
    let map = &game.ruleset.map;
    let next = |from: Option<SpaceId>, way| from.and_then(|from| map.next(from, way));
    match guard {
        0 => next(Some(space), way).is_none(),
        1 => map.direction(space, other) == Some(way),
        2 => {
            let to = next(Some(space), map.turned(way, -2));
            to.and_then(|to| map.direction(other, to)).unwrap_or(-1) != map.turned(way, 1)
        }
        3 => map.ray(space, way).any(|s| s == other),
        4 => map.direction(space, other).and_then(|to| map.angle(to, way)).is_some_and(|angle| angle <= 1),
        _ => {
            let turned = if space == other { way } else { map.turned(way, 3) };
            next(next(Some(other), way), turned) == Some(space)
        }
    }
}

#[test]
fn rows_ask_of_directions_what_the_map_says() {
    let little = library(&root().join("tests/little"));
    for (all, game, cite) in [(toy(), "toy", "t/1"), (little, "connect-four", "c4/3")] {
        let ruleset = with_guards(all, game, cite);
        let session = begun(&ruleset);
        let (game, map) = (session.game(), &ruleset.map);
        let ways = map.grid.directions().len() as i32;
        let (mut held, mut asked) = (0, 0);
        for guard in 0..GUARDS.len() {
            let name = format!("drawn-{guard}");
            let table = ruleset.rows.iter().position(|rows| rows.name == name).expect("declared") as u16;
            for other in map.spaces() {
                for way in 0..ways {
                    let given = [other.0 as i32, way, -1];
                    let together = game.passing(table, &given);
                    let alone = |space: &SpaceId| game.passes(table, &[space.0 as i32, other.0 as i32, way]);
                    let one_by_one: Vec<i32> = map.spaces().filter(alone).map(|space| space.0 as i32).collect();
                    let by_map = map.spaces().filter(|space| !by_map(game, guard, *space, other, way));
                    assert_eq!(one_by_one, by_map.map(|space| space.0 as i32).collect::<Vec<_>>(), "{name}");
                    assert_eq!(together, one_by_one, "{name}");
                    asked += map.len();
                    held += together.len();
                }
            }
        }
        assert!(held > asked / 20 && held < asked - asked / 20, "{held} of {asked} pass: that proves little");
    }
}

#[test]
fn of_nothing_no_direction_is_known() {
    let ruleset = load(&toy(), "toy", &Selection::default());
    let session = begun(&ruleset);
    let direction = ruleset.schema.direction().expect("hexes have directions");
    let given = [("space", Kind::Space), ("way", direction)].map(|(name, kind)| (name.to_owned(), kind));
    let given: Vec<(&str, Kind)> = given.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    for (text, value) in [
        ("next(nothing, way) = nothing", 1),
        ("next(space, nothing) = nothing", 1),
        ("direction(nothing, space) = nothing", 1),
        ("direction(space, space) = nothing", 1),
        ("turned(nothing, 1) = nothing", 1),
        ("angle(nothing, way) <= 6", 0),
        ("any(ray(nothing, way) as s, true)", 0),
        ("any(ray(space, nothing) as s, true)", 0),
        ("count(ray(space, way) as s) = 3", 1),
    ] {
        let expr = ruleset.condition(text, &given).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        let middle = ruleset.map.find("0:0").expect("the toy has a middle").0 as i32;
        assert_eq!(session.game().value(&expr, &[middle, 2]), value, "{text}");
    }
}

//! What rulesets have boards show (badges, facing, control, tracks): in text, in pictures, in views, and for whose eyes.

use std::{collections::BTreeSet, sync::Arc};

use countermarch_cartography::draw::Picture;
use countermarch_core::{
    library::Library,
    map::SpaceId,
    play::{Effect, Game},
    ruleset::{Cite, Kind, Ruleset, Selection},
    show::{Board, Palette, Sight, View, Wears, legend, view},
};
use countermarch_tests::{library, load, replace, root, toy};

fn little(id: &str) -> (Arc<Ruleset>, Game) {
    set_up(&library(&root().join("tests/little")), id)
}

fn set_up(library: &Library, id: &str) -> (Arc<Ruleset>, Game) {
    let ruleset = load(library, id, &Selection::default());
    let mut game = Game::new(ruleset.clone(), 1);
    game.set_up(&ruleset.scenarios[0]);
    (ruleset, game)
}

fn board(game: &Game, around: Option<(SpaceId, u16)>, sight: Sight) -> Board<'_> {
    Board { map: &game.ruleset.map, game: Some(game), around, marked: &[], palette: Palette::Plain, sight }
}

fn put(game: &mut Game, unit: &str, at: &str) {
    let unit = game.ruleset.unit(unit).expect("declared");
    let to = game.ruleset.map.find(at).expect("on the map").0 as i32;
    game.apply(Effect::Place { unit, to, cite: Cite::NONE }).expect("it fits");
}

fn set(game: &mut Game, unit: &str, property: &str, value: i32) {
    let of = game.ruleset.unit(unit).expect("declared");
    let column = game.ruleset.schema.column(countermarch_core::ruleset::Holder::Unit, property).expect("declared");
    game.apply(Effect::Set { column, of, value, cite: Cite::NONE }).expect("it fits");
}

fn narrow(text: &str) {
    let wide = text.lines().find(|line| line.chars().count() > 80);
    assert!(wide.is_none(), "{wide:?} in\n{text}");
}

/// How each thing of that class is drawn: the places where a text stands in a picture.
fn drawn(game: &Game, across: f64, around: Option<(SpaceId, u16)>) -> String {
    let map = &game.ruleset.map;
    let game = Some((game, Sight::ALL));
    Picture { map, ground: None, game, overlays: Vec::new(), around, across }.svg().expect("is drawn")
}

#[test]
fn squares_show_facing_formation_and_what_is_left() {
    let (ruleset, mut game) = little("field-day");
    set(&mut game, "ash", "facing", 1);
    set(&mut game, "ash", "losses", 3);
    let at = ruleset.map.find("D4").expect("there");
    let part = board(&game, Some((at, 3)), Sight::ALL).part(&game, at);
    narrow(&part);
    for shown in ["[Ash\u{2197}L 1]", "(Garn\u{2193}L 4)", "[Thun\u{2191}M 3]", "C4(1)$f", "L line, C column"] {
        assert!(part.contains(shown), "{shown} in\n{part}");
    }
    assert!(part.contains("C3  Blue: Ash \u{2197} (in line, \u{25cf}\u{25cb}\u{25cb}\u{25cb})"), "{part}");
    let whole = board(&game, None, Sight::ALL).whole();
    narrow(&whole);
    assert!(whole.contains("b\u{2197}b\u{2191}b\u{2191}"), "{whole}");
    // Turning about turns the wedge of the picture with it, and nothing else.
    let before = drawn(&game, 110.0, None);
    assert_eq!(before.matches("<title>formation: in line</title>").count(), 12, "{before}");
    assert_eq!(before.matches("<title>worth: worth 2</title>").count(), 2);
    set(&mut game, "ash", "facing", 5);
    let after = drawn(&game, 110.0, None);
    let parted = before.lines().zip(after.lines()).filter(|(a, b)| a != b).count();
    assert_eq!((parted, before.lines().count()), (1, after.lines().count()));
}

#[test]
fn counters_in_one_square_lie_side_by_side_in_it() {
    let (ruleset, mut game) = little("field-day");
    for unit in ["birch", "cedar", "elm", "heron", "kestrel"] {
        put(&mut game, unit, "C3");
    }
    let at = ruleset.map.find("C3").expect("there");
    let svg = drawn(&game, 120.0, Some((at, 0)));
    let places: Vec<(f64, f64, f64)> = svg
        .lines()
        .filter_map(|line| {
            let (x, rest) = line.split_once("<g transform=\"translate(")?.1.split_once(' ')?;
            let (y, rest) = rest.split_once(") scale(")?;
            Some((x.parse().ok()?, y.parse().ok()?, rest.split_once(')')?.0.parse().ok()?))
        })
        .collect();
    assert_eq!(places.len(), 6, "{svg}");
    for (at, (x, y, scale)) in places.iter().enumerate() {
        for (a, b, _) in &places[..at] {
            assert!((x - a).abs() >= 40.0 * scale || (y - b).abs() >= 40.0 * scale, "one lies on another");
        }
    }
    let wide = |of: &dyn Fn(&(f64, f64, f64)) -> f64| {
        let all = || places.iter().map(of);
        all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min) + 40.0 * places[0].2
    };
    assert!(wide(&|p| p.0) <= 120.0 && wide(&|p| p.1) <= 120.0, "they lie beyond their square");
}

#[test]
fn areas_are_listed_by_side_with_what_lies_next_to_them() {
    let (ruleset, mut game) = little("two-ridges");
    set(&mut game, "b2", "condition", 1);
    put(&mut game, "b3", "6");
    let whole = board(&game, None, Sight::ALL).whole();
    narrow(&whole);
    let flat = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    for shown in [
        "Blue 1 West Ridge (ridge, room 5, Blue controls it, entry west): Brown, Baker (spent), Blue Guns; next to 2, 3",
        "Contested 6 East Orchard (fields, room 6, Gray controls it): Blue Bell; Gray Grant, Gray Horse; next to 3, 4, 5, 7",
        "Empty: 3 North Fields, 4 Town, 5 South Fields",
        "impulse track: [1] 2 3 4 5 6",
        "points: Blue 0, Gray 0 (0 to 99)",
        "days: [first] second third",
    ] {
        assert!(flat.contains(shown), "{shown} in\n{whole}");
    }
    let town = ruleset.map.find("4").expect("there");
    let part = board(&game, Some((town, 1)), Sight::ALL).draw();
    narrow(&part);
    assert!(part.starts_with("  4 Town (town, room 4)\n    next to 2, 3, 5, 6\n"), "{part}");
    assert!(!part.contains("West Ridge"), "it is farther away:\n{part}");
    assert!(legend(&ruleset).contains("S spent"));
}

/// Names, the boxes beside them and counters each have a place of their own in an area.
#[test]
fn areas_are_drawn_with_names_boxes_control_and_tracks() {
    let (_, mut game) = little("two-ridges");
    set(&mut game, "b2", "condition", 1);
    let svg = drawn(&game, 180.0, None);
    assert_eq!(svg.matches("<title>spent: spent</title>").count(), 1);
    assert_eq!(svg.matches("<title>room: room").count(), 7, "a box in each area");
    let tints = game.ruleset.map.spaces().filter(|space| game.control_of(*space, Sight::ALL).is_some()).count();
    assert_eq!((tints, svg.matches("fill-opacity=\"0.3\"/><path").count()), (4, 4), "the areas that are held");
    for told in ["impulse track", "first", "second", "West Ridge", "Blue controls it"] {
        assert!(svg.contains(told), "{told}");
    }
    // The cells of three tracks, in rows where they are many; on a sheet too small for those the track is told.
    assert_eq!(svg.matches("height=\"22\" fill").count(), 6 + 100 + 3, "{svg}");
    let town = game.ruleset.map.find("4").expect("there");
    let small = drawn(&game, 180.0, Some((town, 0)));
    assert!(small.contains("points: Blue 0, Gray 0 (0 to 99)"), "{small}");
}

#[test]
fn a_view_has_what_the_board_shows() {
    let (ruleset, mut game) = little("field-day");
    set(&mut game, "ash", "losses", 1);
    let stands = countermarch_core::play::Stands::Before;
    let seen = view(&game, &stands, Sight::ALL);
    let ash = seen.units.iter().find(|unit| unit.id == "ash").expect("there");
    assert_eq!(ash.facing.as_deref(), Some("n"));
    let badges: Vec<_> = ash.badges.iter().map(|b| (b.id.as_str(), b.sign.as_deref(), b.dots)).collect();
    assert_eq!(badges, [("formation", Some("L"), None), ("left", None, Some([3, 4]))]);
    let worth: BTreeSet<_> = seen.spaces.iter().map(|s| (s.id.as_str(), s.badges[0].number)).collect();
    assert_eq!(worth.len(), ruleset.map.spaces().filter(|s| !game.badges_in(*s, Sight::ALL).is_empty()).count());
    let text = serde_json::to_string(&seen).expect("is JSON");
    assert_eq!(serde_json::from_str::<View>(&text).expect("is read back"), seen);
    let (_, game) = little("two-ridges");
    let seen = view(&game, &stands, Sight::ALL);
    let tracks: Vec<_> = seen.tracks.iter().map(|t| (t.id.as_str(), t.cells.len(), t.markers.len())).collect();
    assert_eq!(tracks, [("impulses", 6, 1), ("points", 100, 2), ("days", 3, 1)]);
    let ridge = seen.spaces.iter().find(|space| space.id == "1").expect("held");
    assert_eq!(ridge.control.as_deref(), Some("blue"));
}

/// A badge shows no more than its reader may know: of a property that only its owner sees, and of counters that lie
/// hidden.
#[test]
fn badges_are_for_the_eyes_that_may_see_what_they_look_at() {
    let mut all = toy();
    let words = "board:\n  units:\n    badges:\n      - { id: shots, number: \"unit.shots\" }\n      \
        - { id: shaken, sign: S, when: \"unit.mood = shaken\" }\n      \
        - { id: watched, sign: W, when: \"any(units as u, u.down and u.side != unit.side)\" }\n\
        sides:\n";
    replace(&mut all, "rulesets/toy/ruleset.yaml", "sides:\n", words);
    let (ruleset, mut game) = set_up(&all, "toy");
    for (unit, property) in [("ann", "shots"), ("bob", "shots"), ("bob", "mood"), ("bob", "down")] {
        set(&mut game, unit, property, 1);
    }
    let [ann, bob] = ["ann", "bob"].map(|unit| ruleset.unit(unit).expect("declared"));
    let worn = |unit: i32, sight: Sight| -> Vec<String> {
        game.badges_of(unit, sight).iter().map(|worn| worn.id.to_owned()).collect()
    };
    let side = |id: &str| Sight::of(ruleset.units[ruleset.unit(id).expect("declared") as usize].side, &ruleset);
    assert_eq!(worn(ann, Sight::ALL), ["shots", "watched"]);
    assert_eq!(worn(ann, side("ann")), ["shots"], "who lies hidden is not known");
    assert_eq!(worn(bob, side("ann")), [""; 0], "not even which counter it is");
    assert_eq!(worn(bob, side("bob")), ["shots", "shaken"]);
    assert_eq!(worn(ann, side("bob")), ["watched"], "how often Ann has shot is hers to know");
    assert!(!game.describe(ann, side("bob")).contains("shots"));
    assert_eq!(game.badges_of(ann, Sight::ALL)[0].shows, Wears::Number(1));
    assert_eq!(ruleset.name_of(Kind::Unit, ann), "Ann");
}

/// Games that declare none of it look as they always did.
#[test]
fn what_declares_nothing_is_drawn_as_ever() {
    let all = library(&root());
    for id in ["gettysburg-corps", "gettysburg-77", "gettysburg-88"] {
        let (ruleset, game) = set_up(&all, id);
        assert!(ruleset.board.units.is_empty() && ruleset.board.facing.is_none(), "{id}");
        assert!((0..ruleset.units.len() as i32).all(|unit| game.badges_of(unit, Sight::ALL).is_empty()));
        let seen = serde_json::to_string(&view(&game, &countermarch_core::play::Stands::Before, Sight::ALL));
        let seen = seen.expect("is JSON");
        assert!(!seen.contains("\"badges\"") && !seen.contains("\"facing\"") && seen.contains("\"tracks\":[]"), "{id}");
    }
}

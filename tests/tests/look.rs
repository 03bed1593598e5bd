//! What one sees and asks: boards of text, names, the reasons for an answer.

use std::sync::Arc;

use countermarch_core::{
    diagnostic::Diagnostics,
    map::{self, SpaceId},
    play::{Action, Effect, Game, Limits, Session},
    ruleset::{Cite, Kind, Ruleset, Selection},
    show::{Board, Palette, Sight, Story, legend, overview_legend, read_action, reinforcements},
    yaml,
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, root, rules, toy};

/// A toy with things of like names: `Hill` and `Hilltop`, `Ridge` and a hex that is called `Ridge end`.
fn alike() -> Arc<Ruleset> {
    let mut library = toy();
    let change = |library: &mut countermarch_core::library::Library, path: &str, edits: &[(&str, &str)]| {
        let mut text = library.text(path).expect("the toy has that file").to_owned();
        for (old, new) in edits {
            assert!(text.contains(old), "{old}");
            text = text.replacen(old, new, 1);
        }
        library.insert(path, text);
    };
    let names = [("name: Ann", "name: Hill"), ("name: Bob", "name: Hill top")];
    change(&mut library, "rulesets/toy/ruleset.yaml", &names);
    let places = "places:\n  - { name: Ridge, kind: hill, at: [\"1:0\", \"1:1\"] }\n";
    let roads = "  - { id: ridge, name: Ridge, kind: lane, along: [\"0:2\", \"0:3\"] }\n";
    let lanes = format!("{roads}  - {{ id: top, name: Ridge Lane, kind: lane, along: [\"1:2\", \"2:1\"] }}\n{places}");
    change(&mut library, "maps/toy.yaml", &[("name: Copse", "name: Ridge end")]);
    let text = library.text("maps/toy.yaml").expect("there").to_owned();
    library.insert("maps/toy.yaml", format!("{}\n{lanes}", text.trim_end()));
    load(&library, "toy", &Selection::default())
}

#[test]
fn an_exact_name_goes_before_a_part_of_another() {
    let ruleset = alike();
    let space = |name: &str| ruleset.map.find(name).expect("a space").0 as i32;
    let all = ruleset.all_of(Kind::Space);
    // The hex at the center is printed `Ridge end`; the place called `Ridge` has its middle in 1:0.
    assert_eq!(ruleset.find_named(Kind::Space, "ridge", &all), Ok(Some(space("1:0"))));
    assert_eq!(ruleset.find_named(Kind::Space, "ridge e", &all), Ok(Some(space("0:0"))));
    assert_eq!(ruleset.find_named(Kind::Unit, "hill", &[0, 1]), Ok(Some(0)));
    assert_eq!(
        ruleset.road_named("ridge", None).map(|at| at.map(|at| ruleset.map.roads[at].id.clone())),
        Ok(Some("ridge".into()))
    );
    assert_eq!(ruleset.full_name_of_place(space("1:1")), "1:1 (Ridge)");
}

#[test]
fn an_exact_name_that_is_not_offered_goes_before_a_part_of_one_that_is() {
    let ruleset = alike();
    let mut session = begin(&ruleset);
    let question = session.question().cloned().expect("asked");
    // Only `Hill` may move now; `hill top` is the other's.
    let (action, _) = read_action(session.game(), &question, "hill top", Sight::ALL).expect("is read");
    assert_eq!(action.values[0], ruleset.unit("bob").expect("known"));
    let hill = Action::of(action.verb, ruleset.unit("ann").expect("known"));
    session.act(question.by, hill).expect("moves");
    let question = session.question().cloned().expect("asked");
    // The hex called `Ridge end` can be reached, and the place `Ridge` cannot.
    let ends: Vec<i32> = session.offers().iter().map(|a| a.values[0]).collect();
    let (center, ridge) = (ruleset.map.find("0:0").expect("there"), ruleset.map.find("1:0").expect("there"));
    assert!(ends.contains(&(center.0 as i32)) && !ends.contains(&(ridge.0 as i32)));
    let (action, _) = read_action(session.game(), &question, "to ridge", Sight::ALL).expect("is read");
    assert_eq!(action.values[0], ridge.0 as i32);
    assert!(!session.game().why_not(&question, action).is_empty());
}

fn begin(ruleset: &Arc<Ruleset>) -> Session<Runtime> {
    let mut session = Session::new(ruleset.clone(), rules(ruleset), 0, 1863, Limits::PLAY);
    session.advance().expect("begins");
    session
}

fn read(session: &Session<Runtime>, line: &str) -> Action {
    let question = session.question().expect("asked");
    read_action(session.game(), question, line, Sight::ALL).unwrap_or_else(|wrong| panic!("{line}: {wrong}")).0
}

#[test]
fn a_question_is_explained_and_so_is_what_an_answer_costs() {
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let mut session = begin(&ruleset);
    let question = session.question().cloned().expect("asked");
    let asked = session.game().why_asked(&question, Sight::ALL);
    assert!(asked.contains("Which unit moves?  [corps/3.1/movement]"), "{asked}");
    assert!(asked.contains("move that unit: 1 choice") && asked.contains("end this part of the turn"), "{asked}");
    session.act(question.by, read(&session, "move heth")).expect("is offered");
    let question = session.question().cloned().expect("asked");
    let near = session.game().why(&question, read(&session, "to 18.04"), Sight::ALL);
    assert!(near.contains("allowed\n  it costs ½ of 4 movement points\n  by 19.03, 18.04"), "{near}");
    let forced = session
        .offers()
        .iter()
        .map(|a| session.game().why(&question, *a, Sight::ALL))
        .find(|why| why.contains("beyond"));
    let forced = forced.expect("something is beyond the allowance");
    assert!(forced.contains("of that is beyond the allowance: forced march  [corps/5.5/effect]"), "{forced}");
    let far = session.game().why(&question, read(&session, "to 5.05"), Sight::ALL);
    assert!(far.contains("5.05 is too far: it needs 11½ and there are 6"), "{far}");
}

#[test]
fn a_place_in_the_log_has_its_name_beside_it() {
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let mut session = begin(&ruleset);
    for line in ["move heth", "to 18.04"] {
        let by = session.question().expect("asked").by;
        session.act(by, read(&session, line)).expect("is offered");
    }
    let mut story = Story::new(&ruleset);
    let told: Vec<String> = session.told().filter_map(|event| story.tell(event)).collect();
    assert!(told.iter().any(|line| line.starts_with("Heth goes from 19.03 (Seven Stars) to 18.04")), "{told:?}");
}

fn board<'a>(session: &'a Session<Runtime>, around: Option<(SpaceId, u16)>) -> Board<'a> {
    let game = session.game();
    Board { map: &game.ruleset.map, game: Some(game), around, marked: &[], palette: Palette::Plain, sight: Sight::ALL }
}

fn fits(text: &str, across: usize, down: usize) -> bool {
    text.lines().count() <= down && text.lines().all(|line| line.chars().count() <= across)
}

#[test]
fn the_whole_board_fits_a_terminal_and_so_does_a_part() {
    for game in ["gettysburg-77", "gettysburg-corps"] {
        let ruleset = load(&library(&root()), game, &Selection::default());
        let session = begin(&ruleset);
        let all = format!("{}  {}", board(&session, None).overview(), overview_legend(&ruleset));
        assert!(fits(&all, 80, 23), "{all}");
        // One sign for each side's counters, in a letter that no colour is needed to read.
        for sign in ["u ", "c "] {
            assert!(overview_legend(&ruleset).contains(sign), "{all}");
        }
        for unit in ruleset.units.iter().enumerate().filter(|(at, _)| session.game().space_of(*at as i32) >= 0) {
            let center = SpaceId(session.game().space_of(unit.0 as i32) as u32);
            let part = board(&session, Some((center, 3))).draw();
            assert!(fits(&part, 80, 21), "{part}");
        }
        assert!(fits(&format!("  {}", legend(&ruleset)), 80, 9), "{}", legend(&ruleset));
    }
}

#[test]
fn all_five_maps_are_drawn() {
    for name in ["77", "88", "corps", "gallop", "tmag"] {
        let path = root().join(format!("maps/gettysburg-{name}.yaml"));
        let text = std::fs::read_to_string(&path).expect("the map is there");
        let mut found = Diagnostics::default();
        let map = map::load(&yaml::parse("map", &text, &mut found), &mut found).expect("a map");
        let board =
            Board { map: &map, game: None, around: None, marked: &[], palette: Palette::Plain, sight: Sight::ALL };
        let all = board.overview();
        assert!(fits(&all, 80, 20) && all.lines().count() > 10, "{name}:\n{all}");
        assert!(all.contains('>') && all.contains('='), "{name}:\n{all}");
    }
}

#[test]
fn a_part_of_the_board_shows_sides_strength_contact_and_what_lies_between() {
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let mut session = begin(&ruleset);
    for line in ["move heth", "to 15.08"] {
        let by = session.question().expect("asked").by;
        session.act(by, read(&session, line)).expect("is offered");
    }
    let center = ruleset.map.find("15.09").expect("there");
    let part = board(&session, Some((center, 2))).draw();
    assert!(part.contains("[Heth' 2]x") && part.contains("(Bufor 1)x"), "{part}");
    assert!(part.contains("r14.10=") && part.contains(" c "), "{part}");
    let told = session.game().describe_space(center, Sight::ALL);
    assert!(told.starts_with("15.09 (Lutheran Seminary)") && told.contains("ridge and slope down"), "{told}");
    assert!(told.contains("Union: Buford 1"), "{told}");
}

#[test]
fn objectives_and_stacks_stand_on_the_board_of_brigades() {
    let ruleset = load(&library(&root()), "gettysburg-77", &Selection::default());
    let session = begin(&ruleset);
    let hill = ruleset.map.find("N34").expect("there");
    let part = board(&session, Some((hill, 2))).draw();
    assert!(part.contains("N34$") && part.contains("[Gamble 5]"), "{part}");
    let edge = ruleset.map.find("D24").expect("there");
    assert!(board(&session, Some((edge, 2))).draw().contains("D24$>="), "the Cashtown entrance");
}

/// Where both sides stand in one area, its line of the whole board says so.
#[test]
fn an_area_that_is_contested_shows_both_sides() {
    let library = library(&root().join("tests/little"));
    let ruleset = load(&library, "two-ridges", &Selection::default());
    let mut game = Game::new(ruleset.clone(), 1);
    let town = ruleset.map.find("4").expect("on the map").0 as i32;
    for unit in ["b1", "b2", "g1"] {
        let unit = ruleset.unit(unit).expect("declared");
        game.apply(Effect::Place { unit, to: town, cite: Cite::NONE }).expect("it fits");
    }
    let board = Board {
        map: &ruleset.map,
        game: Some(&game),
        around: None,
        marked: &[],
        palette: Palette::Plain,
        sight: Sight::ALL,
    };
    assert!(board.overview().contains("4Bg"), "{}", board.overview());
}

/// A unit of the corps game that rallied while no hex was free comes by any line of communications, whatever its counter says.
#[test]
fn who_comes_elsewhere_than_is_printed_is_told_to() {
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let limits = Limits { undo: false, verify: false, log: false, forced: false };
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, limits);
    let column = |name: &str| ruleset.schema.column(countermarch_core::ruleset::Holder::Unit, name).expect("declared");
    let told = |session: &Session<Runtime>| {
        let lines = reinforcements(session.game(), Sight::ALL, usize::MAX);
        lines.into_iter().find(|line| line.contains("Pender")).expect("he is still to come")
    };
    let of = ruleset.unit("pender").expect("a unit");
    let mut set = |name: &str, value: i32| {
        let effect = Effect::Set { column: column(name), of, value, cite: Cite::NONE };
        session.by_hand(|game| game.apply(effect).expect("it is so"));
        told(&session)
    };
    assert!(set("due", 8).contains(", Chambersburg Pike at "), "{}", set("due", 8));
    assert_eq!(set("any-loc", 1), "  Confederate, any line of communications: Pender");
}

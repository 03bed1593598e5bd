//! What a side may see: neither the view, nor the story, nor the board names what is hidden from it.

use countermarch_core::{
    play::{Action, Limits, Session},
    ruleset::{Kind, Selection},
    show::{Board, Palette, Sight, Story, Words, view},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{load, play_at_random, rules, toy};

const RED: i32 = 0;
const BLUE: i32 = 1;

fn answer(session: &mut Session<Runtime>, verb: &str, value: i32) {
    let verb = session.ruleset().verb(verb).expect("a verb") as u16;
    let by = session.question().expect("asked").by;
    session.act(by, Action { verb, value }).expect("is offered");
}

/// A game in which Red's first unit has stayed where it is.
fn ann_lies_low() -> Session<Runtime> {
    let ruleset = load(&toy(), "toy", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, Limits::PLAY);
    session.advance().expect("begins");
    answer(&mut session, "move", ruleset.unit("ann").expect("known"));
    answer(&mut session, "stay", -1);
    session
}

/// The story of everything told so far, as these eyes see it.
fn story(session: &Session<Runtime>, sight: Sight) -> String {
    let mut story = Story::seen_by(sight, session.ruleset(), &session.beginning());
    session.told().filter_map(|event| story.tell(event)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_view_of_the_side_to_answer_is_complete_and_stable() {
    let session = ann_lies_low();
    let red = view(session.game(), session.question(), Sight::of(RED));
    assert_eq!(
        red["units"][0],
        serde_json::json!({
            "id": "ann", "name": "Ann", "side": "red", "type": "foot", "place": "-2:0",
            "printed": { "type": "foot", "side": "red", "strength": 2 },
            "state": { "mood": "calm", "moved": false, "down": true, "shots": 0 },
        })
    );
    assert_eq!(red["seen_by"], "red");
}

#[test]
fn whoever_lies_low_has_no_name_for_the_other_side() {
    let session = ann_lies_low();
    let blue = view(session.game(), session.question(), Sight::of(BLUE));
    let mask = serde_json::json!({ "concealed": true, "side": "red", "place": "-2:0" });
    assert_eq!(blue["units"].as_array().expect("a list").last(), Some(&mask));
    assert!(!blue.to_string().contains("Ann") && !blue.to_string().contains("\"ann\""), "{blue}");
    let everything = view(session.game(), session.question(), Sight::ALL);
    assert_eq!(everything["units"][0]["name"], "Ann");
    assert!(story(&session, Sight::of(BLUE)).contains("A Red counter is lying low"));
    assert!(story(&session, Sight::of(RED)).contains("Ann is lying low"));
    let board = |sight| {
        let game = session.game();
        let map = &game.ruleset.map;
        Board { map, game: Some(game), around: None, marked: &[], palette: Palette::Plain, sight }.draw()
    };
    assert!(board(Sight::of(RED)).contains("Ann") && !board(Sight::of(BLUE)).contains("Ann"));
    assert!(board(Sight::of(BLUE)).contains("?????"));
}

#[test]
fn what_only_its_owner_sees_and_what_another_is_asked_stand_in_no_other_view() {
    let ruleset = load(&toy(), "toy", &Selection::default());
    for seed in 0..40 {
        let mut watch = |session: &mut Session<Runtime>| {
            let question = session.question().expect("asked");
            for side in [RED, BLUE] {
                let sight = Sight::of(side);
                let seen = view(session.game(), Some(question), sight);
                for unit in seen["units"].as_array().expect("a list") {
                    let is_own = unit["side"] == ruleset.id_of(Kind::Side, side);
                    assert_eq!(unit["state"].get("shots").is_some(), is_own, "{unit}");
                    assert!(!is_own || unit.get("concealed").is_none(), "{unit}");
                }
                assert_eq!(seen["question"].get("offers").is_some(), question.by == side);
                for unit in (0..ruleset.units.len() as i32).filter(|u| sight.is_concealed(session.game(), *u)) {
                    let name = &ruleset.units[unit as usize].name;
                    assert!(!seen.to_string().contains(name.as_str()), "seed {seed}: {seen}");
                }
            }
        };
        let limits = Limits { log: true, ..Limits::BULK };
        let played = play_at_random(&ruleset, rules(&ruleset), seed, limits, usize::MAX, &mut watch).expect("plays");
        assert!(!story(&played, Sight::of(BLUE)).contains("Ann has shot"));
    }
}

/// A unit called Hill lies low near Culp's Hill: its name is withheld by what it is, not by how it reads.
#[test]
fn a_name_is_withheld_as_a_thing_and_not_as_a_word() {
    let mut all = toy();
    let mut replace = |path: &str, old: &str, new: &str| {
        let text = all.text(path).expect("the toy has it").to_owned();
        assert!(text.contains(old), "`{old}` does not stand in {path}");
        all.insert(path, text.replacen(old, new, 1));
    };
    replace("rulesets/toy/ruleset.yaml", "name: Ann", "name: Hill");
    replace("maps/toy.yaml", "spaces:\n", "spaces:\n  - { at: \"-2:0\", is: [], name: \"Culp's Hill\" }\n");
    let notes = "notes:\n  \
        waits: { given: { unit: unit, at: space, why: text }, say: \"{unit} waits at {at}: {why}\", cite: t/6 }\n  \
        near: { given: { place: space, who: units }, say: \"near {place}, as {who} do\" }\nchance:\n";
    replace("rulesets/toy/tables.yaml", "chance:\n", notes);
    let told = "set.unit.moved(u, true, \"t/1\")\n  \
        note.waits(u, space_of(u), phrase.near(space_of(u), { units.ann, units.bob }))\n  \
        local sum = tally.new(\"nerve of Hill's men\")\n  tally.add(sum, 1, u, \"t/6\")\n  \
        tally.add(sum, 2, phrase.near(space_of(u), { u }), \"t/6\")\n  tally.tell(sum)";
    replace("rulesets/toy/rules/march.luau", "set.unit.moved(u, true, \"t/1\")", told);
    let ruleset = load(&all, "toy", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, Limits::PLAY);
    session.advance().expect("begins");
    answer(&mut session, "move", ruleset.unit("ann").expect("known"));
    answer(&mut session, "stay", -1);
    let (red, blue) = (story(&session, Sight::of(RED)), story(&session, Sight::of(BLUE)));
    assert!(red.contains("Hill waits at -2:0: near -2:0, as Hill and Bob do  [t/6]"), "{red}");
    assert!(blue.contains("A Red counter waits at -2:0: near -2:0, as a Red counter and Bob do"), "{blue}");
    let sum = "nerve of Hill's men: a Red counter 1 + near -2:0, as a Red counter do 2 = 3";
    assert!(blue.contains(sum), "{blue}");
    let at = session.game().describe_space(ruleset.map.find("-2:0").expect("there"), Sight::of(BLUE));
    assert!(at.contains("Culp's Hill") && at.contains("a Red counter") && !at.contains(": Hill"), "{at}");
}

/// What the engine says may be said otherwise.
#[test]
fn a_ruleset_puts_its_own_words_in_place_of_the_engines() {
    let mut all = toy();
    let path = "rulesets/toy/ruleset.yaml";
    let text = all.text(path).expect("the toy has it").to_owned();
    let texts = "texts: { goes: \"{to} is where {unit} went\", not-a-choice: \"no\", too-far: \"{space}: {needs}, not {has}\" }\n";
    all.insert(path, format!("{texts}{text}"));
    let ruleset = load(&all, "toy", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, Limits::PLAY);
    session.advance().expect("begins");
    answer(&mut session, "move", ruleset.unit("ann").expect("known"));
    let question = session.question().expect("where to").clone();
    let to = ruleset.verb("to").expect("a verb") as u16;
    let far = ruleset.map.find("3:0").expect("there").0 as i32;
    let refused = session.game().why_not(&question, Action { verb: to, value: far });
    assert_eq!(Words::all(&ruleset).say(&refused[0].said), "3:0: 6, not 2");
    let first = session.offers()[0].value;
    answer(&mut session, "to", first);
    assert!(story(&session, Sight::ALL).contains("is where Ann went"));
}

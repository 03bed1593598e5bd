//! What a side may see: neither the view, nor the story, nor the board names what is hidden from it.

use std::{env, fs};

use countermarch_core::{
    play::{Action, Limits, Session},
    ruleset::{Kind, Selection},
    show::{Board, Palette, Sight, Story, View, Words, story_since, view},
    study::{ComeTo, odds},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{load, play_at_random, replace, root, rules, toy};

const RED: i32 = 0;
const BLUE: i32 = 1;

fn answer(session: &mut Session<Runtime>, verb: &str, value: i32) {
    let verb = session.ruleset().verb(verb).expect("a verb") as u16;
    let by = session.question().expect("asked").by;
    session.act(by, Action::of(verb, value)).expect("is offered");
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

fn json(view: &View) -> serde_json::Value {
    serde_json::to_value(view).expect("is JSON")
}

/// The story of everything told so far, as these eyes see it.
fn story(session: &Session<Runtime>, sight: Sight) -> String {
    let mut story = Story::seen_by(sight, session.ruleset(), &session.beginning());
    session.told().filter_map(|event| story.tell(event)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_view_of_the_side_to_answer_is_complete_and_stable() {
    let session = ann_lies_low();
    let red = json(&view(session.game(), &session.stands(), Sight::of(RED, session.ruleset())));
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
    let blue = json(&view(session.game(), &session.stands(), Sight::of(BLUE, session.ruleset())));
    let mask = serde_json::json!({ "place": "-2:0", "units": [], "concealed": { "red": 1 } });
    assert!(blue["stacks"].as_array().expect("a list").contains(&mask), "{blue}");
    assert!(!blue.to_string().contains("Ann") && !blue.to_string().contains("\"ann\""), "{blue}");
    let everything = view(session.game(), &session.stands(), Sight::ALL);
    assert_eq!(everything.units[0].name, "Ann");
    assert!(story(&session, Sight::of(BLUE, session.ruleset())).contains("A Red counter is lying low"));
    assert!(story(&session, Sight::of(RED, session.ruleset())).contains("Ann is lying low"));
    let board = |sight| {
        let game = session.game();
        let map = &game.ruleset.map;
        Board { map, game: Some(game), around: None, marked: &[], palette: Palette::Plain, sight }.draw()
    };
    assert!(
        board(Sight::of(RED, session.ruleset())).contains("Ann")
            && !board(Sight::of(BLUE, session.ruleset())).contains("Ann")
    );
    assert!(board(Sight::of(BLUE, session.ruleset())).contains("?????"));
}

#[test]
fn what_only_its_owner_sees_and_what_another_is_asked_stand_in_no_other_view() {
    let ruleset = load(&toy(), "toy", &Selection::default());
    for seed in 0..40 {
        let mut watch = |session: &mut Session<Runtime>| {
            let question = session.question().expect("asked");
            for side in [RED, BLUE] {
                let sight = Sight::of(side, session.ruleset());
                let seen = view(session.game(), &session.stands(), sight);
                let again: View = serde_json::from_str(&serde_json::to_string(&seen).expect("is JSON")).expect("reads");
                assert_eq!(again, seen, "nothing is lost on the way");
                let seen = json(&seen);
                for unit in seen["units"].as_array().expect("a list") {
                    let is_own = unit["side"] == ruleset.id_of(Kind::Side, side);
                    assert_eq!(unit["state"].get("shots").is_some(), is_own, "{unit}");
                }
                assert_eq!(seen["question"].get("offers").is_some(), question.by == side);
                for unit in
                    (0..ruleset.units.len() as i32).filter(|u| sight.is_concealed(session.game(), Kind::Unit, *u))
                {
                    let name = &ruleset.units[unit as usize].name;
                    assert!(!seen.to_string().contains(name.as_str()), "seed {seed}: {seen}");
                }
            }
        };
        let limits = Limits { log: true, ..Limits::BULK };
        let played = play_at_random(&ruleset, rules(&ruleset), seed, limits, usize::MAX, &mut watch).expect("plays");
        assert!(!story(&played, Sight::of(BLUE, &ruleset)).contains("Ann has shot"));
    }
}

/// A unit called Hill lies low near Culp's Hill: its name is withheld by what it is, not by how it reads.
#[test]
fn a_name_is_withheld_as_a_thing_and_not_as_a_word() {
    let mut all = toy();
    replace(&mut all, "rulesets/toy/ruleset.yaml", "name: Ann", "name: Hill");
    let watched = "state:\n  game: { last: unit }\n  unit:\n    foe: { is: unit, say: \"{of} watches {value}\" }\n";
    replace(&mut all, "rulesets/toy/ruleset.yaml", "state:\n  unit:\n", watched);
    replace(&mut all, "maps/toy.yaml", "spaces:\n", "spaces:\n  - { at: \"-2:0\", is: [], name: \"Culp's Hill\" }\n");
    let notes = "notes:\n  \
        waits: { given: { unit: unit, at: space, why: text }, say: \"{unit} waits at {at}: {why}\", cite: t/6 }\n  \
        near: { given: { place: space, who: units }, say: \"near {place}, as {who} do\" }\nchance:\n";
    replace(&mut all, "rulesets/toy/tables.yaml", "chance:\n", notes);
    let told = "set.unit.moved(u, true, \"t/1\")\n  \
        set.unit.foe(units.bob, u, \"t/6\")\n  set.state.last(u, \"t/6\")\n  \
        note.waits(u, space_of(u), phrase.near(space_of(u), { units.ann, units.bob }))\n  \
        local total = tally.new(\"nerve of Hill's men\")\n  tally.add(total, 1, u, \"t/6\")\n  \
        tally.add(total, 2, phrase.near(space_of(u), { u }), \"t/6\")\n  tally.tell(total)";
    replace(&mut all, "rulesets/toy/rules/march.luau", "set.unit.moved(u, true, \"t/1\")", told);
    let ruleset = load(&all, "toy", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, Limits::PLAY);
    session.advance().expect("begins");
    answer(&mut session, "move", ruleset.unit("ann").expect("known"));
    answer(&mut session, "stay", -1);
    let (red, blue) =
        (story(&session, Sight::of(RED, session.ruleset())), story(&session, Sight::of(BLUE, session.ruleset())));
    assert!(red.contains("Hill waits at -2:0: near -2:0, as Hill and Bob do  [t/6]"), "{red}");
    assert!(blue.contains("A Red counter waits at -2:0: near -2:0, as a Red counter and Bob do"), "{blue}");
    let sum = "nerve of Hill's men: a Red counter 1 + near -2:0, as a Red counter do 2 = 3";
    assert!(blue.contains(sum), "{blue}");
    assert!(red.contains("Bob watches Hill") && blue.contains("Bob watches a Red counter"), "{blue}");
    let bob = ruleset.unit("bob").expect("known");
    let eyes = |side| Sight::of(side, &ruleset);
    assert_eq!(session.game().describe(bob, eyes(BLUE)), "Bob (a Red counter)");
    assert_eq!(session.game().describe(bob, eyes(RED)), "Bob (Hill)");
    let seen = |side| view(session.game(), &session.stands(), eyes(side));
    assert_eq!((seen(RED).state.get("last"), seen(BLUE).state.get("last")), (Some(&"ann".into()), None));
    assert!(!json(&seen(BLUE)).to_string().contains("\"ann\""), "{}", json(&seen(BLUE)));
    let at =
        session.game().describe_space(ruleset.map.find("-2:0").expect("there"), Sight::of(BLUE, session.ruleset()));
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
    let refused = session.game().why_not(&question, Action::of(to, far));
    assert_eq!(Words::all(&ruleset).say(&refused[0].said), "3:0: 6, not 2");
    let first = session.offers()[0].values[0];
    answer(&mut session, "to", first);
    assert!(story(&session, Sight::ALL).contains("is where Ann went"));
}

/// What boards elsewhere are written against; `UPDATE_EXPECT=1` writes it anew, and the difference is reviewed.
#[test]
fn the_schema_of_the_view_is_that_of_what_is_written() {
    let path = root().join("schema/view.json");
    let schema = serde_json::to_string_pretty(&schemars::schema_for!(View)).expect("is JSON") + "\n";
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &schema).expect("writes");
    }
    let kept = fs::read_to_string(&path).expect("is there");
    assert!(kept == schema, "schema/view.json is another: look at the difference, and write it with UPDATE_EXPECT=1");
}

/// Cards and spaces have owners too: Blue's hand, and what is buried where, are nobody else's to know.
#[test]
fn cards_and_spaces_are_seen_by_whoever_owns_them() {
    let mut all = toy();
    let state = "state:\n  card:\n    held-by: { is: side, owns: true, say: \"{value} holds {of}\" }\n    \
        hidden: { is: flag, conceals: true }\n    worth: { is: 0..9, seen: owner }\n  space:\n    \
        dug-by: { is: side, owns: true }\n    depth: { is: 0..9, seen: owner, say: \"{of} is dug {value} deep\" }\n";
    replace(&mut all, "rulesets/toy/ruleset.yaml", "state:\n", state);
    let cards = "cards:\n  - { id: ace, name: Ace of Spades }\n  - { id: ten, name: Ten of Hearts }\nsettings:\n";
    replace(&mut all, "rulesets/toy/ruleset.yaml", "settings:\n", cards);
    let notes =
        "notes:\n  drawn: { given: { side: side, card: card }, say: \"{card} goes to {side}\", cite: t/6 }\nchance:\n";
    replace(&mut all, "rulesets/toy/tables.yaml", "chance:\n", notes);
    let drawn = "set.card.hidden(0, true, \"t/6\")\n  set.card.held_by(0, sides.blue, \"t/6\")\n  \
        set.card.worth(0, 7, \"t/6\")\n  note.drawn(sides.blue, 0)\n  set.space.dug_by(space_of(u), sides.red, \"t/6\")\n  \
        set.space.depth(space_of(u), 3, \"t/6\")\n  set.unit.moved(u, true, \"t/1\")";
    replace(&mut all, "rulesets/toy/rules/march.luau", "set.unit.moved(u, true, \"t/1\")", drawn);
    let ruleset = load(&all, "toy", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, Limits::PLAY);
    session.advance().expect("begins");
    answer(&mut session, "move", ruleset.unit("ann").expect("known"));
    answer(&mut session, "stay", -1);
    let seen = |side| view(session.game(), &session.stands(), Sight::of(side, session.ruleset()));
    let (red, blue) = (seen(RED), seen(BLUE));
    assert_eq!(red.cards.iter().map(|card| &*card.id).collect::<Vec<_>>(), ["ten"]);
    assert_eq!((&*blue.cards[0].id, &blue.cards[0].state["worth"]), ("ace", &7.into()));
    assert!(!blue.cards[1].state.contains_key("worth"), "it is nobody's");
    assert_eq!((red.spaces[0].state.get("depth"), blue.spaces[0].state.get("depth")), (Some(&3.into()), None));
    let (red, blue) =
        (story(&session, Sight::of(RED, session.ruleset())), story(&session, Sight::of(BLUE, session.ruleset())));
    assert!(blue.contains("Ace of Spades goes to Blue") && !red.contains("Ace"), "{red}");
    assert!(blue.contains("Blue holds Ace of Spades") && red.contains("Blue holds a card"), "{red}");
    assert!(red.contains("A card goes to Blue") && red.contains("is dug 3 deep"), "{red}");
    assert!(!blue.contains("deep"), "{blue}");
    let beginning = session.beginning();
    let told = |since| {
        let story = Story::seen_by(Sight::of(RED, session.ruleset()), &ruleset, &beginning);
        story_since(story, session.told(), since).lines
    };
    assert_eq!(told(2), told(0)[2..], "what has been read need not be sent again");
}

/// An umpire sees everything, may be asked, and neither wins nor is counted among those who do.
#[test]
fn a_neutral_side_may_be_asked_and_wins_nothing() {
    let mut all = toy();
    replace(
        &mut all,
        "rulesets/toy/ruleset.yaml",
        "boxes:\n",
        "  - { id: umpire, name: Umpire, neutral: true }\nboxes:\n",
    );
    let points =
        "measures:\n  points: { title: points, lines: [{ id: all, value: \"7\", say: each, cite: t/4 }] }\nchance:\n";
    replace(&mut all, "rulesets/toy/tables.yaml", "chance:\n", points);
    let asks = "local verb = ask(\"march.unit\", sides.umpire, nil, { done = true, stay = true })\n  \
        if verb == \"stay\" then\n    finish(sides.umpire, \"all mine\", \"t/4\")\n  end\n  local red, blue =";
    replace(&mut all, "rulesets/toy/rules/fire.luau", "local red, blue =", asks);
    let ruleset = load(&all, "toy", &Selection::default());
    let umpire = 2;
    let mut begun = |session: &mut Session<Runtime>| {
        let all_seen = view(session.game(), &session.stands(), Sight::ALL);
        let seen = view(session.game(), &session.stands(), Sight::of(umpire, &ruleset));
        assert_eq!(seen, all_seen, "the umpire sees everything");
    };
    let limits = Limits { log: true, ..Limits::PLAY };
    let (mut over, mut wrong) = (0, 0);
    for seed in 0..12 {
        match play_at_random(&ruleset, rules(&ruleset), seed, limits, usize::MAX, &mut begun) {
            Ok(session) => {
                let results = session.game().results();
                assert_eq!(results.iter().map(|r| (r.side, r.score)).collect::<Vec<_>>(), [(0, Some(7)), (1, Some(7))]);
                over += 1;
            }
            Err(said) => {
                assert!(said.to_string().contains("`umpire` takes no part, and wins nothing"), "{said}");
                wrong += 1;
            }
        }
    }
    assert!(over > 0 && wrong > 0, "{over} {wrong}");
}

/// What conceals may end by itself, when the part of the turn is over for which it lasts.
#[test]
fn whoever_is_concealed_for_a_phase_is_known_after_it() {
    let mut all = toy();
    let path = "rulesets/toy/ruleset.yaml";
    let text = all.text(path).expect("the toy has it").to_owned();
    all.insert(path, text.replacen("conceals: true }", "conceals: true, lasts: march }", 1));
    let ruleset = load(&all, "toy", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, Limits::PLAY);
    session.advance().expect("begins");
    answer(&mut session, "move", ruleset.unit("ann").expect("known"));
    answer(&mut session, "stay", -1);
    while session.question().is_some_and(|q| q.by == RED) {
        let first = session.offers()[0];
        session.act(RED, first).expect("is offered");
    }
    let blue = story(&session, Sight::of(BLUE, &ruleset));
    assert!(blue.contains("A Red counter is lying low") && blue.contains("Ann is no longer lying low"), "{blue}");
}

/// What would come of an answer is told only as far as it shows nothing that these eyes may not see yet.
#[test]
fn odds_and_reasons_look_behind_no_concealment() {
    let begun = |changes: &[(&str, &str)]| {
        let mut all = toy();
        let meeting = "rulesets/toy/scenarios/meeting.yaml";
        replace(&mut all, meeting, "at: \"-2:0\" }", "at: \"0:0\" }");
        replace(&mut all, meeting, "at: \"2:0\" }", "at: \"1:0\", set: { down: true } }");
        for (old, new) in changes {
            replace(&mut all, "rulesets/toy/rules/fire.luau", old, new);
        }
        let ruleset = load(&all, "toy", &Selection::default());
        let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, Limits::PLAY);
        session.advance().expect("begins");
        answer(&mut session, "done", -1);
        session
    };
    let faces = |session: &mut Session<Runtime>, sight: Sight| {
        let verb = session.ruleset().verb("shoot").expect("a verb") as u16;
        let target = session.ruleset().unit("bob").expect("known");
        let foreseen = odds(session, Some(Action::of(verb, target)), sight).expect("is tried out");
        foreseen.map(|mut all| match all.pop().and_then(|odds| odds.come_to) {
            Some(ComeTo::Faces(faces)) => faces,
            other => panic!("one die decides: {other:?}"),
        })
    };
    let shown = "set.unit.down(target, false, \"t/6\")";
    let (shooter, lost) = ("set.unit.down(u, false, \"t/6\")", "place(target, boxes.lost, \"t/3\")");
    // The die is about whom Red may not know; or the answer shows him.
    for changes in [vec![], vec![(shooter, shown), ("roll(\"fire\", target)", "roll(\"fire\", u)")]] {
        let mut session = begun(&changes);
        let red = Sight::of(RED, session.ruleset());
        assert_eq!(faces(&mut session, red), None);
        assert_eq!(faces(&mut session, Sight::ALL).expect("everything is seen").len(), 6);
    }
    // A hit shows him: what it shows is not told, and what comes of a miss is.
    let once_hit = format!("{shown}\n        {lost}");
    let mut session = begun(&[("roll(\"fire\", target)", "roll(\"fire\", u)"), (lost, &once_hit)]);
    let red = Sight::of(RED, session.ruleset());
    let told = faces(&mut session, red).expect("the die is about Red's own");
    let hits: Vec<i32> =
        told.iter().filter(|(_, lines)| lines.concat().contains("hidden from you")).map(|f| f.0).collect();
    assert_eq!(hits, [4, 5, 6], "{told:?}");
    assert!(told.iter().all(|(_, lines)| !lines.concat().contains("Bob")), "{told:?}");
}

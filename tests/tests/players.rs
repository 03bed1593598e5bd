//! Players that are content: what they think of all answers at once is what they think of each, with its reasons; they know
//! what their side knows, cost no more than they may, can be set, and answer as examples say.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    map::SpaceId,
    play::{Effect, Limits, Match, NotTaken, Session, Set},
    ruleset::{Cite, Ruleset, Selection, VersionName},
    show::Sight,
    study::{Choice, Minds, Player, advice, advice_json, advice_text, run_examples},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, play_at_random, replace, root, rules, toy};

/// Holds what a player thinks of all answers at once against what it thinks of each; how many were held, and how many
/// differ from the first.
fn compared(session: &mut Session<Runtime>, ruleset: &Ruleset, player: usize) -> (usize, usize) {
    let judgement = &ruleset.judgements[player];
    let Some(question) = session.question().cloned() else { return (0, 0) };
    if !judgement.speaks_of(question.key) {
        return (0, 0);
    }
    let before = session.game().hash();
    let worths = session.worths(player).expect("it has its opinion");
    let offers = session.offers().to_vec();
    for (action, worth) in offers.iter().zip(&worths) {
        let reasons = session.reasons(judgement, *action);
        let sum: i64 = reasons.iter().map(|reason| i64::from(reason.adds)).sum();
        let says = judgement.worth(question.key, action.verb).is_some();
        let key = &ruleset.questions[usize::from(question.key)].key;
        assert_eq!(*worth, says.then_some(sum), "{key} {action:?} of {offers:?}: {reasons:?}");
    }
    assert_eq!(session.game().hash(), before, "who looks on changes nothing");
    (worths.len(), worths.iter().filter(|worth| **worth != worths[0]).count())
}

/// Plays at random and compares at every question.
fn compare_in_play(ruleset: &Arc<Ruleset>, player: usize, seed: u64, most: usize) -> (usize, usize) {
    let mut all = (0, 0);
    let mut watch = |session: &mut Session<Runtime>| {
        let these = compared(session, ruleset, player);
        all = (all.0 + these.0, all.1 + these.1);
    };
    play_at_random(ruleset, rules(ruleset), seed, Limits::BULK, most, &mut watch).expect("plays");
    all
}

#[test]
fn all_answers_at_once_are_worth_what_each_is_to_every_player_that_is_shipped() {
    let library = library(&root());
    for game in ["gettysburg-77", "gettysburg-corps", "gettysburg-88", "tmag", "gallop"] {
        let ruleset = load(&library, game, &Selection::default());
        for player in 0..ruleset.judgements.len() {
            let (held, differ) = compare_in_play(&ruleset, player, 7, 400);
            assert!(ruleset.judgements[player].luau.is_some() || held > 2000, "{game}: {held} held");
            assert!(differ == 0 || differ * 20 > held, "{game}: only {differ} of {held} differ");
        }
    }
}

/// Rows made to go wrong: everything that is worked out for a whole list in a way of its own, in and around what hangs on one
/// answer, on several of its values, or on none.
const TRICKY: &str = r#"
weights: { heavy: 7 }
terms:
  twice: { given: { a: space, b: space }, is: "distance(a, b) * 3 - distance(b, a)" }
  beside: { given: { at: space, side: side }, is: "count(units-near(at) as u, u.side = side)" }
  mixed: { given: { unit: unit, at: space }, is: "if(contact(at, unit.side), heavy, if(distance(at, unit) > 2, 1, beside(at, unit.side)))" }
answers:
  movement.to:
    to:
      - { id: itself, value: "twice(one, one) + twice(one, about) - twice(about, one)" }
      - { id: flags, when: "(contact(one, by) or edge(one)) and not wooded(one)", value: "if(wooded(one), 1, 0) + if(contact(one, by), 2, 0)" }
      - { id: besides, when: "on-map(about)", value: "mixed(about, one) + mixed(about, about.space)" }
      - { id: over, value: "max(friends-on-map(by) as f, distance(one, f) - f.strength) - min(near(one) as s, distance(s, about))" }
      - { id: over-none, value: "total(units as u, if(distance(one, u) = 1, sum(strength, u), 0)) + max(reserves as r, distance(one, r))" }
      - { id: bound, value: "min(max(beside(one, by), 2), max(0 - 4, 3 - distance(one, about))) / 2" }
      - { id: never, when: "false", value: "1000" }
      - { id: lists, value: "if(may(enter, about, about.space, one), 5, 0) + first(retreat-priority, about, one, one, false)" }
    stay: { like: to, one: "about.space", rows: [{ id: more, value: "heavy" }] }
  movement.unit:
    move: "sum(strength, one) * 2 - if(one.side = by, beside(one.space, by), heavy) + total(units-at(one) as u, u.strength)"
    done: "heavy"
"#;

#[test]
fn all_answers_at_once_are_worth_what_each_is_however_rows_are_made() {
    let mut content = library(&root());
    // What a list of rows gives first must be a number here.
    let odds = "  wherever: { given: { unit: unit }, rows: [{ id: far, when: \"unit.strength > 2\", value: \"3\", cite: corps/2/markers }] }\n";
    let tables = content.text("rulesets/gettysburg-corps/tables.yaml").expect("it is there").to_owned();
    content.insert(
        "rulesets/gettysburg-corps/tables.yaml",
        tables.replacen("\nfirst:\n", &format!("\nfirst:\n{odds}"), 1),
    );
    let tricky = TRICKY.replace("first(retreat-priority, about, one, one, false)", "first(wherever, about)");
    content.insert("rulesets/gettysburg-corps/players/tricky.yaml", tricky);
    let ruleset = load(&content, "gettysburg-corps", &Selection::default());
    let player = ruleset.judgement("tricky").expect("it is there");
    let (mut held, mut differ) = (0, 0);
    for seed in 0..4 {
        let these = compare_in_play(&ruleset, player, seed, 600);
        (held, differ) = (held + these.0, differ + these.1);
    }
    assert!(held > 20_000 && differ > held / 2, "{differ} of {held} differ");
}

#[test]
fn rows_know_what_it_costs_to_come_somewhere() {
    let player = "weights: { step: 1000 }\nanswers: { ASKED: { TO: \"step * cost + beyond\" } }";
    for (game, asked, verb, least) in [
        ("gettysburg-corps", "movement.to", "to", 2000),
        ("gettysburg-88", "movement.to", "to", 1000),
        ("tmag", "impulse.act", "move", 1000),
    ] {
        let mut content = library(&root());
        let thrifty = player.replace("ASKED", asked).replace("TO", verb);
        content.insert(&format!("rulesets/{game}/players/thrifty.yaml"), thrifty);
        let ruleset = load(&content, game, &Selection::default());
        let player = ruleset.judgement("thrifty").expect("it is there");
        let at = |ids: Vec<&str>, wanted: &str| ids.iter().position(|id| *id == wanted).expect("it is declared") as u16;
        let asked = at(ruleset.questions.iter().map(|q| q.key.as_str()).collect(), asked);
        let verb = at(ruleset.verbs.iter().map(|v| v.id.as_str()).collect(), verb);
        let (mut held, mut beyond) = (0, 0);
        let mut watch = |session: &mut Session<Runtime>| {
            compared(session, &ruleset, player);
            let Some(question) = session.question().filter(|question| question.key == asked).cloned() else { return };
            let Some(offer) = question.offers.iter().find(|offer| offer.verb == verb) else { return };
            let worths = session.worths(player).expect("it has its opinion");
            let offers = session.offers().to_vec();
            for (action, worth) in offers.iter().zip(&worths).filter(|(action, _)| action.verb == verb) {
                let game = session.game();
                let of = |set: &Set, to: i32| match set {
                    Set::Reach(m) | Set::Ends { of: m, .. } => {
                        let to = SpaceId(to as u32);
                        let cost = game.reach(m, |flood| flood.cost_of(to)).expect("it is reached");
                        (i64::from(cost), i64::from(game.beyond(m, to)))
                    }
                    _ => (0, 0),
                };
                let [one, second] = action.values;
                let (cost, more) = match &offer.then {
                    Some(then) => game.following(then, one, |set| of(set, second)),
                    None => of(&offer.set, one),
                };
                assert_eq!(*worth, Some(1000 * cost + more), "{game:?} {action:?}", game = ruleset.id);
                (held, beyond) = (held + usize::from(cost > 0), beyond + usize::from(more > 0));
            }
        };
        play_at_random(&ruleset, rules(&ruleset), 5, Limits::BULK, 400, &mut watch).expect("plays");
        assert!(held > least, "{game}: {held} held");
        assert!(game != "gettysburg-corps" || beyond > 100, "{game}: {beyond} go beyond their allowance");
    }
}

/// The toy with a player of its own.
fn toy_with(player: &str) -> Library {
    let mut library = toy();
    library.insert("rulesets/toy/players/plain.yaml", player.to_owned());
    library
}

#[test]
fn a_player_knows_what_its_side_knows() {
    // Ann has shot, which Red alone is told; and Bob lies low, so that Red does not know who lies there.
    let all = "total(units as u, u.shots) * 10 + count(units as u, on-map(u))";
    let player = format!("answers: {{ march.unit: {{ move: \"{all}\", done: \"{all}\" }} }}");
    let ruleset = load(&toy_with(&player), "toy", &Selection::default());
    let column = |name: &str| {
        let found = ruleset.schema.columns.iter().position(|column| column.name == name);
        found.expect("it is declared") as u16
    };
    for (side, knows) in [("red", 31), ("blue", 2)] {
        let by = ruleset.side(side).expect("it plays");
        let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 3, Limits::PLAY);
        session.by_hand(|game| {
            for (name, of, value) in [("shots", "ann", 3), ("down", "bob", 1)] {
                let of = ruleset.unit(of).expect("it is there");
                let write = Effect::Set { column: column(name), of, value, cite: Cite::NONE };
                game.apply(write).expect("it is a value");
            }
        });
        session.advance().expect("it begins");
        while session.question().is_some_and(|question| question.by != by) {
            let question = session.question().cloned().expect("asked");
            let action = *session.offers().last().expect("something is offered");
            session.act(question.by, action).expect("it is offered");
        }
        let question = session.question().cloned().expect("somebody is asked");
        assert_eq!(question.by, by);
        let before = session.game().hash();
        let worths = session.worths(0).expect("it has an opinion");
        assert!(worths.iter().all(|worth| *worth == Some(knows)), "{side}: {worths:?}");
        assert_eq!(session.game().hash(), before, "what is hidden is put back");
    }
}

#[test]
fn rows_of_a_player_that_take_too_long_are_an_error_that_names_it() {
    let mut without_end = "distance(a, b) + distance(c, d)".to_owned();
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        without_end = format!("total(spaces as {name}, {without_end})");
    }
    let player = format!("answers: {{ march.unit: {{ move: \"{without_end}\" }} }}");
    let ruleset = load(&toy_with(&player), "toy", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 3, Limits::PLAY);
    session.advance().expect("it begins");
    let Err(NotTaken::Rule(wrong)) = session.worths(0) else { panic!("it is done") };
    assert_eq!((wrong.rule.as_str(), wrong.file.as_str()), ("players/plain", "rulesets/toy/players/plain.yaml"));
    assert!(wrong.message.contains("million steps"), "{}", wrong.message);
    // The match stands as before.
    assert!(session.question().is_some());
}

#[test]
fn weights_are_set_by_their_path_and_are_no_part_of_what_records_depend_on() {
    let player = "weights: { hope: 3 }\nanswers: { march.unit: { move: \"hope\", done: \"2\" } }\n";
    let library = toy_with(player);
    let chosen = |set: &[(&str, &str)]| {
        let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
        let ruleset =
            load(&library, "toy", &Selection { version: VersionName::default(), set, ..Selection::default() });
        let mut session = Session::of(rules(&ruleset), Match::new(ruleset.clone(), 0, 3, Limits::PLAY));
        session.advance().expect("it begins");
        let action = Player::plain().choose(&mut session, 3).expect("it has an opinion");
        (ruleset.verbs[usize::from(action.verb)].id.clone(), ruleset.parts.clone(), ruleset.judgements[0].hash)
    };
    let (first, parts, hash) = chosen(&[]);
    let (second, parts_set, hash_set) = chosen(&[("players/plain/weights/hope", "1")]);
    assert_eq!((first.as_str(), second.as_str()), ("move", "done"));
    assert_eq!(parts, parts_set, "a record does not depend on who played");
    assert_ne!(hash, hash_set);
}

#[test]
fn nobody_plays_who_is_not_there() {
    let ruleset = load(&toy_with("answers: {}"), "toy", &Selection::default());
    let wrong = Player::parse("plian").fits(&ruleset).expect_err("there is none");
    assert_eq!(wrong, "`toy` has no player `plian`; did you mean `plain`?");
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 3, Limits::PLAY);
    session.advance().expect("it begins");
    assert!(matches!(Player::parse("plian").choose(&mut session, 3), Err(NotTaken::Rule(_))));
}

/// Plays a match of the corps game to its end; what it came to, by hash, and the answers of one side.
fn played(ruleset: &Arc<Ruleset>, players: [Player; 2], seed: u64, most: usize) -> (u64, usize) {
    let mut session = Session::new(ruleset.clone(), rules(ruleset), 0, seed, Limits::BULK);
    session.advance().expect("it begins");
    let mut minds = Minds::new(&players);
    for _ in 0..most {
        let Some(by) = session.question().map(|question| question.by) else { break };
        let (before, entries) = (session.game().hash(), session.entries());
        let action = minds.choose(&mut session, seed).expect("it has an answer");
        assert_eq!((session.game().hash(), session.entries()), (before, entries), "thinking changes nothing");
        assert!(session.offers().contains(&action));
        session.act(by, action).expect("it is offered");
    }
    (session.game().hash(), session.entries())
}

#[test]
fn who_looks_ahead_answers_the_same_again_and_knows_no_dice() {
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let careful = || [Player::parse("careful:300"), Player::plain()];
    let first = played(&ruleset, careful(), 5, 60);
    assert_eq!(first, played(&ruleset, careful(), 5, 60), "it is the same again");
    assert_ne!(first, played(&ruleset, [Player::plain(), Player::plain()], 5, 60), "it finds something else to do");
    // What is asked before anything is rolled is answered alike whatever will be rolled: of one match under many seeds of its
    // chance the first plan is the same, because it is drawn by the seed of the player.
    let plan = |seed: u64| {
        let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, seed, Limits::BULK);
        session.advance().expect("it begins");
        Player::parse("careful:300").choose(&mut session, 9).expect("it has an answer")
    };
    assert!((1..6).all(|seed| plan(seed) == plan(0)));
}

#[test]
fn players_are_written_as_they_are_read() {
    for text in ["random", "plain", "careful", "careful:300", "careful:2s"] {
        assert_eq!(Player::parse(text).to_string(), text);
    }
    assert!(!Player::parse("careful:2s").is_repeatable() && Player::parse("careful:2").is_repeatable());
    assert_eq!(Player::parse("careful:much").to_string(), "careful:much", "it is a name, which no ruleset has");
}

#[test]
fn advice_is_what_the_player_would_do_with_its_reasons() {
    let player = "weights: { hope: 3 }\nanswers: { march.unit: { move: [{ id: hopes, value: \"hope\", say: hoping }, \
                  { id: strong, value: \"one.strength\", say: it is strong }], done: \"2\" } }\n";
    let ruleset = load(&toy_with(player), "toy", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 3, Limits::PLAY);
    session.advance().expect("it begins");
    let told = advice(&mut session, &Player::plain(), 3).expect("it has an opinion");
    let text = advice_text(session.game(), &told, Sight::ALL);
    assert_eq!(text, "  1. move Ann  5\n       hoping +3, it is strong +2\n  2. done  2\n");
    let json = advice_json(session.game(), &told, Sight::ALL);
    assert_eq!(json[0]["reasons"][1]["adds"], 2);
}

#[test]
fn a_plan_is_told_as_it_is_followed() {
    let ruleset = between_two([r#"bob, at: "1:0""#, r#"carl, at: "-1:0""#], false);
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 3, Limits::PLAY);
    session.advance().expect("it begins");
    let red = session.question().expect("Red is asked").by;
    let careful = Player::parse("careful:300");
    let told = advice(&mut session, &careful, 3).expect("it has a plan");
    let then = told[0].then.clone();
    let text = advice_text(session.game(), &told, Sight::ALL);
    assert!(text.ends_with("\n       then: stay; done; shoot Carl\n"), "{text}");
    let json = advice_json(session.game(), &told, Sight::ALL);
    assert_eq!(json[0]["then"][2]["values"][0], "carl");
    let mut minds = Minds::new(&vec![careful; ruleset.sides.len()]);
    for (given, step) in [told[0].action].iter().chain(&then).enumerate() {
        assert_eq!(minds.choose(&mut session, 3).expect("it has an answer"), *step);
        assert_eq!(minds.then(red), if given == 0 { then.clone() } else { Vec::new() }, "it is told once");
        session.act(red, *step).expect("it is offered");
    }
    assert!(session.question().is_none_or(|question| question.by != red), "then chance or Blue speaks");
}

/// Two of Blue's lie on either side of Ann, who may strike at one of them; the one is deadly and the other is not. What tells them
/// apart, and whether Red may know it, is said by who calls this.
fn between_two(units: [&str; 2], hides: bool) -> Arc<Ruleset> {
    let plain = "answers:\n  march.unit: { move: \"if(one = ann, 2, 0)\", done: \"1\" }\n  march.to: { to: \"0\", stay: \"1\" }\n  \
                 fire.target: { shoot: \"2\", done: \"1\" }\n";
    let mut library = toy_with(plain);
    let folder = "rulesets/toy";
    let bob = "  - { id: bob, name: Bob, side: blue, type: foot, strength: 1 }\n";
    let more = "  - { id: abe, name: Abe, side: red, type: foot, strength: 2 }\n  \
                - { id: bob, name: Bob, side: blue, type: foot, strength: 5 }\n  \
                - { id: carl, name: Carl, side: blue, type: foot, strength: 0 }\n";
    replace(&mut library, &format!("{folder}/ruleset.yaml"), bob, more);
    if !hides {
        replace(&mut library, &format!("{folder}/ruleset.yaml"), ", conceals: true", "");
        replace(&mut library, &format!("{folder}/ruleset.yaml"), "seen: owner, ", "");
    }
    let shaken = "      - { id: shaken, ";
    let tired = format!("      - {{ id: tired, when: \"unit.shots > 3\", value: \"0 - 9\", cite: t/3 }}\n{shaken}");
    replace(&mut library, &format!("{folder}/tables.yaml"), shaken, &tired);
    let setup = format!(
        "scenario: meeting\ntitle: Ann between two\nsetup:\n  - {{ unit: ann, at: \"0:0\" }}\n  - {{ unit: abe, at: \"-3:0\" }}\n{}",
        units.map(|unit| format!("  - {{ unit: {unit} }}\n")).concat()
    );
    library.insert(&format!("{folder}/scenarios/meeting.yaml"), setup);
    load(&library, "toy", &Selection::default())
}

/// Where a careful Ann goes.
fn careful_ann_goes(ruleset: &Arc<Ruleset>, seed: u64) -> String {
    let mut session = Session::new(ruleset.clone(), rules(ruleset), 0, 3, Limits::BULK);
    session.advance().expect("it begins");
    let question = session.question().cloned().expect("Red is asked");
    let ann = ruleset.unit("ann").expect("it is there");
    let action = *session.offers().iter().find(|action| action.values[0] == ann).expect("she may move");
    session.act(question.by, action).expect("it is offered");
    let hash = session.game().hash();
    let action = Player::parse("careful:4000").choose(&mut session, seed).expect("it has an answer");
    assert_eq!(session.game().hash(), hash, "what it supposed is nothing that has happened");
    let verb = &ruleset.verbs[usize::from(action.verb)];
    verb.takes.iter().zip(action.values).map(|(kind, value)| ruleset.id_of(*kind, value)).collect()
}

#[test]
fn who_looks_ahead_plans_on_nothing_that_its_side_may_not_know() {
    // Who of the two lies where; and who of them has shot so often that he hits nobody any more.
    let lying = |first: &str, second: &str| {
        [
            format!("{first}, at: \"0:2\", set: {{ down: true }}"),
            format!("{second}, at: \"0:-2\", set: {{ down: true }}"),
        ]
    };
    let shot = |bob: u8, carl: u8| {
        [format!("bob, at: \"0:2\", set: {{ shots: {bob} }}"), format!("carl, at: \"0:-2\", set: {{ shots: {carl} }}")]
    };
    for [one, other] in [[lying("bob", "carl"), lying("carl", "bob")], [shot(0, 5), shot(5, 0)]] {
        let goes = |units: &[String; 2], hides: bool| -> Vec<String> {
            let ruleset = between_two([&units[0], &units[1]], hides);
            (0..6).map(|seed| careful_ann_goes(&ruleset, seed)).collect()
        };
        assert_eq!(goes(&one, true), goes(&other, true), "{one:?}: what is hidden tells her nothing");
        let (knowing, otherwise) = (goes(&one, false), goes(&other, false));
        let differ = knowing.iter().zip(&otherwise).filter(|(a, b)| a != b).count();
        assert!(differ >= 4, "{one:?}: who knows goes for the harmless one: {knowing:?}, {otherwise:?}");
    }
}

#[test]
fn examples_say_what_players_would_answer() {
    let player = "answers: { march.to: { to: \"0 - distance(one, bob.space)\", stay: \"0 - 99\" } }";
    let tried = |step: &str| {
        let mut library = toy_with(player);
        let example = format!(
            "maps: {{ plain: {{ radius: 3 }} }}\nexamples:\n  - name: tried\n    cite: [t/1]\n    map: plain\n    \
             place: {{ ann: \"-1:0\", bob: \"3:0\" }}\n    begin: march\n    play:\n      - red: move ann\n      - {step}\n"
        );
        library.insert("rulesets/toy/examples/walk.yaml", example);
        let base = load(&library, "toy", &Selection::default());
        let report = run_examples(&library, &base, Choice::default(), &mut |ruleset| Ok(rules(ruleset)));
        assert_eq!((report.examples, report.proven.len(), report.idle.len()), (1, 0, 0), "it proves no paragraph");
        report.failed.first().map(|failed| failed.message.clone())
    };
    for step in [
        "would: { plain: [\"to 1:0\"] }",
        "would: { plain: [to] }",
        "would: { plain: [stay, \"to 1:0\"], careful:200: [to, stay] }",
        "would-not: { plain: [stay, \"to -2:0\"] }",
    ] {
        assert_eq!(tried(step), None, "{step}");
    }
    for (step, told) in [
        ("would: { plain: [stay] }", "`plain` would answer `to 1:0`"),
        ("would: { plain: [\"to 0:0\", \"to -2:0\"] }", "`plain` would answer `to 1:0`"),
        ("would-not: { plain: [to] }", "`plain` would answer `to 1:0`"),
        ("would-not: { plain: [\"to 3:0\"] }", "`to 3:0` is not offered"),
        ("would: { plain: [\"stay, done\"] }", "a player gives one answer; `done` is left over"),
        ("would: { plaint: [stay] }", "has no player `plaint`"),
        ("would: { random: [stay] }", "nobody knows what `random` would answer"),
        ("would-not: { plain: [] }", "no answer of `plain` is named"),
        ("would: { careful:50001: [stay] }", "`careful:50001` thinks too long for an example: 50000 nodes are"),
        ("would: { careful:2s: [stay] }", "nobody knows what `careful:2s` would answer"),
    ] {
        let failed = tried(step).unwrap_or_default();
        assert!(failed.contains(told), "{step}: {failed}");
    }
}

#[test]
fn on_a_little_map_nobody_plays_who_speaks_of_places_that_it_lacks() {
    let tried = |place: &str, step: &str| {
        let mut library = library(&root());
        let player = format!("answers: {{ movement.to: {{ to: \"0 - distance(one, {place})\" }} }}");
        library.insert("rulesets/gettysburg-77/players/plain.yaml", player);
        let example = format!(
            "maps: {{ clear: {{ radius: 6 }} }}\nexamples:\n  - name: tried\n    map: clear\n    \
             place: {{ cutler: \"0:0\", davis: \"5:0\" }}\n    phasing: union\n    begin: movement\n    play:\n      \
             - union: move cutler\n      - {step}\n"
        );
        library.insert("rulesets/gettysburg-77/examples/tried.yaml", example);
        let base = load(&library, "gettysburg-77", &Selection::default());
        let choice = Choice { only: "tried", ..Choice::default() };
        let report = run_examples(&library, &base, choice, &mut |ruleset| Ok(rules(ruleset)));
        assert_eq!(report.examples, 1);
        report.failed.first().map(|failed| failed.message.clone())
    };
    let asks = "would: { plain: [to] }";
    assert_eq!(tried("davis.space", asks), None);
    assert_eq!(tried("W15", "offered: [\"to 1:0\"]"), None, "all else goes on");
    let failed = tried("W15", asks).unwrap_or_default();
    assert!(failed.contains("has no player `plain`"), "{failed}");
}

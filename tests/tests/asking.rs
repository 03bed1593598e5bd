//! What a question offers by itself, and what is asked before a rule: the same game as where its rule offers all of it.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    play::{Action, Effect, Entry, Limits, Session, Stands},
    ruleset::{Cite, Ruleset, Selection, VersionName},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{load, play_at_random, replace, rules, toy};

const RULESET: &str = "rulesets/toy/tables.yaml";
const MARCH: &str = "rulesets/toy/rules/march.luau";
const WHO: &str = r#"march.unit: { ask: "Who moves?", cite: t/1 }"#;
const WHERE: &str = r#"march.to: { ask: "Where does {about} go?", about: unit, cite: t/1 }"#;
const BEGINNING: &str = r#"function march.move()
  local verb, u = ask("march.unit", state.phasing(), nil, { move = offer.each.may_move(), done = true })"#;
const LIMITS: Limits = Limits { undo: true, verify: true, log: true, forced: true };

/// The toy game with questions that read so in place of its own, and another beginning of the rule that moves.
fn toy_that(who: &str, beginning: &str) -> Library {
    let mut library = toy();
    replace(&mut library, RULESET, WHO, who);
    replace(&mut library, MARCH, BEGINNING, beginning);
    library
}

fn loaded(library: &Library) -> Arc<Ruleset> {
    load(library, "toy", &Selection::default())
}

/// Where a game of random players ends, and what was answered on the way.
fn played(ruleset: &Arc<Ruleset>, seed: u64) -> (u64, Vec<Entry>) {
    let session = play_at_random(ruleset, rules(ruleset), seed, LIMITS, 500, &mut |_| ()).expect("no fault");
    let answers = session.record().entries.iter().cloned().collect();
    (session.game().hash(), answers)
}

fn begun(ruleset: &Arc<Ruleset>) -> Session<Runtime> {
    let mut session = Session::new(ruleset.clone(), rules(ruleset), 0, 1, LIMITS);
    session.advance().expect("begins");
    session
}

/// The verbs that the waiting question offers.
fn verbs(session: &Session<Runtime>) -> Vec<&str> {
    let Stands::Asks(question) = session.stands() else { panic!("nobody is asked") };
    question.offers.iter().map(|offer| session.ruleset().verbs[usize::from(offer.verb)].id.as_str()).collect()
}

#[test]
fn it_is_the_same_game() {
    let own = r#"march.unit: { ask: "Who moves?", offers: { done: true, move: each.may-move }, cite: t/1 }"#;
    let before = own.replace("offers:", "before: march.move, offers:");
    let timed = own.replace("offers:", r#"before: { rule: march.move, when: "turn > 1" }, offers:"#);
    let asks = "function march.move()\n  local verb, u = ask(\"march.unit\", state.phasing())";
    let given = "function march.move(verb, u)";
    let either = format!("{given}\n  if not verb then\n    verb, u = ask(\"march.unit\", state.phasing())\n  end");
    let plain = loaded(&toy());
    for (who, beginning) in [(own, asks), (&before, given), (&timed, &either)] {
        let other = loaded(&toy_that(who, beginning));
        for seed in 0..30 {
            assert_eq!(played(&plain, seed), played(&other, seed), "{who}, seed {seed}");
        }
    }
}

#[test]
fn what_a_rule_offers_stands_in_place_of_what_the_question_does() {
    let who =
        r#"march.unit: { ask: "Who moves?", offers: { move: each.may-move, done: true, stay: true }, cite: t/1 }"#;
    let beginning = "function march.move()\n  local verb, u = ask(\"march.unit\", state.phasing(), nil, { move = \
                     offer.list({ units.ann }), stay = false })";
    let ruleset = loaded(&toy_that(who, beginning));
    let session = begun(&ruleset);
    assert_eq!(verbs(&session), ["move", "done"]);
    let ann = ruleset.unit("ann").expect("a unit");
    let moves = session.offers().iter().filter(|action| action.values[0] >= 0);
    assert_eq!(moves.map(|action| action.values[0]).collect::<Vec<_>>(), [ann]);
}

#[test]
fn a_condition_says_whether_it_is_offered() {
    let mut library = toy();
    let offers = r#"offers: { stay: { offer: true, when: "about.mood = shaken" } }, cite: t/1 }"#;
    replace(&mut library, RULESET, WHERE, &WHERE.replace("cite: t/1 }", offers));
    replace(&mut library, MARCH, "{ to = reach, stay = true }", "{ to = reach }");
    let ruleset = loaded(&library);
    let is_offered = |mood: i32| {
        let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, LIMITS);
        let column = ruleset.schema.columns.iter().position(|column| column.name == "mood").expect("a property") as u16;
        let ann = ruleset.unit("ann").expect("a unit");
        let effect = Effect::Set { column, of: ann, value: mood, cite: Cite::NONE };
        session.by_hand(|game| game.apply(effect).expect("a mood"));
        session.advance().expect("begins");
        let by = session.question().expect("somebody is asked").by;
        let moves = Action::of(ruleset.verb("move").expect("a verb") as u16, ann);
        session.act(by, moves).expect("she may move");
        verbs(&session).contains(&"stay")
    };
    let shaken = ruleset.schema.symbols.iter().find(|list| list.name == "mood").expect("moods");
    let shaken = shaken.values.iter().position(|value| value == "shaken").expect("a mood") as i32;
    assert!(is_offered(shaken));
    assert!(!is_offered(1 - shaken));
}

#[test]
fn a_match_rests_and_goes_back_where_a_rule_has_not_begun() {
    let who = r#"march.unit: { ask: "Who moves?", before: march.move, offers: { move: each.may-move, done: true }, cite: t/1 }"#;
    let ruleset = loaded(&toy_that(who, "function march.move(verb, u)"));
    let mut session = begun(&ruleset);
    let stood = session.game().hash();
    let mut other = Session::new(ruleset.clone(), rules(&ruleset), 0, 2, LIMITS);
    other.take_up(session.fork()).expect("it is of the same version");
    assert_eq!(other.question(), session.question());
    let question = session.question().expect("somebody is asked").clone();
    let first = session.offers()[0];
    session.act(question.by, first).expect("it is offered");
    session.take_back(0).expect("it can be taken back");
    assert_eq!((session.game().hash(), session.question()), (stood, Some(&question)));
}

/// What a rule is given that the rule which moves has pushed with four particulars, as it prints it, where a question reads so.
fn given_to_pushed(question: &str) -> String {
    let mut library = toy();
    replace(&mut library, "rulesets/toy/ruleset.yaml", "    mood:", "    friend: { is: unit }\n    mood:");
    replace(&mut library, RULESET, WHO, question);
    let tells = "--- Tells.\n--- @cite t/1\nfunction march.more(verb, u, to, a, b, c, d)\n  print(verb, u, to, a, b, c, d)\nend";
    replace(&mut library, MARCH, "--- Moves one unit.", &format!("{tells}\n\n--- Moves one unit."));
    let pushes = "function march.move()\n  push(\"march.more\", 1, 2, 3, 4)\n  local verb, u = \"done\", units.ann";
    replace(&mut library, MARCH, BEGINNING, pushes);
    let ruleset = loaded(&library);
    let mut session = begun(&ruleset);
    while let Some(question) = session.question().filter(|question| question.key == 0).cloned() {
        let first = session.offers()[0];
        session.act(question.by, first).expect("it is offered");
    }
    let printed = session.printed();
    printed.first().and_then(|line| line.split_once(": ")).map(|(_, values)| values.to_owned()).unwrap_or_default()
}

#[test]
fn a_rule_is_given_the_answer_and_behind_it_its_particulars() {
    let asked = |head: &str, before: &str, offers: &str| {
        given_to_pushed(&format!(
            "march.unit: {{ ask: \"Who?\", {head}before: {before}, offers: {offers}, cite: t/1 }}"
        ))
    };
    let (stays, ann) = ("{ stay: true, done: true }", "{ move: each.may-move, done: true }");
    assert_eq!(asked("", "march.more", stays), "stay nil nil 1 2 3 4");
    assert_eq!(asked("", "march.more", ann), "move 0 nil 1 2 3 4");
    assert_eq!(asked("", "{ rule: march.more, by: blue }", stays), "stay nil nil 1 2 3 4");
    // Without an answer it is given nothing in its place.
    assert_eq!(asked("", "{ rule: march.more, when: \"turn > 99\" }", stays), "nil nil nil 1 2 3 4");
    // What is about nothing is not asked.
    let offers = "{ to: reach.walk, stay: true }";
    assert_eq!(asked("about: unit, ", "{ rule: march.more, about: ann.friend }", offers), "nil nil nil 1 2 3 4");
    assert_eq!(
        asked("about: unit, ", "{ rule: march.more, about: ann }", "{ stay: true, done: true }"),
        "stay nil nil 1 2 3 4"
    );
}

/// An amendment puts a question before a rule, and another rule in its place: the one that it replaces is given what that hands
/// on.
#[test]
fn an_amendment_asks_before_a_rule_of_the_base() {
    let mut library = toy();
    library.insert("rulesets/toy/amendments/asked/amendment.yaml", ASKED.to_owned());
    library.insert("rulesets/toy/amendments/asked/rules/march.luau", INSTEAD.to_owned());
    let selection = Selection { version: VersionName::parse("base+asked"), ..Selection::default() };
    let ruleset = load(&library, "toy", &selection);
    let session = begun(&ruleset);
    assert_eq!(verbs(&session), ["stay", "done"]);
    for seed in 0..10 {
        played(&ruleset, seed);
    }
}

const ASKED: &str = "amendment: asked\ntitle: Whoever moves is asked first\nkind: house\nnature: changes\nsource: this test\ndate: \
                     2026\nquestions:\n  march.first: { ask: \"Does anybody?\", before: march.move, offers: { stay: true, done: true \
                     }, cite: t/1 }\n";
const INSTEAD: &str = "--!strict\n--- Moves one unit, if anybody moves.\n--- @replaces\n--- @cite t/1\nfunction \
                       march.move(verb)\n  if verb == \"done\" then\n    return true\n  end\n  return original.move()\nend\n";

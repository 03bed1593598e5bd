//! What a question offers by itself, and what is asked before a rule: the same game as where its rule offers all of it.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    play::{Action, Effect, Entry, Limits, Session, Stands},
    ruleset::{Cite, Ruleset, Selection},
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

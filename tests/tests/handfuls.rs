//! Several dice thrown at once: which they are, how they are told and counted, and what a person is asked.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    play::{Chance, Effect, Limits, Session},
    ruleset::{Cite, Ruleset, Selection},
    show::{Sight, Story},
    study::{ComeTo, Odds, odds},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{load, replace, rules, toy};

const SHOT: &str = "if verb == \"shoot\" and roll(\"fire\", target) + unit.strength(u) + sum.aim(u) > 5 then";

/// A toy in which each shot is three dice, and two of them must hit.
fn volleys(dice: &str) -> Library {
    let mut library = toy();
    let volley = format!(
        "local aim = tally.new(\"volley\")\n      if verb == \"shoot\" then\n        \
         tally.add(aim, unit.strength(u), u, \"t/3\")\n        tally.add(aim, -1, \"haste\", \"t/6\")\n      end\n      \
         if verb == \"shoot\" and tally.hits(aim, {dice}, 6, \"t/3\") > 1 then"
    );
    replace(&mut library, "rulesets/toy/rules/fire.luau", SHOT, &volley);
    library
}

/// Ann is about to shoot at Bob, beside her, with dice that somebody types.
fn about_to_shoot(library: &Library) -> (Arc<Ruleset>, Session<Runtime>) {
    let ruleset = load(library, "toy", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 7, Limits::PLAY);
    session.chance = Chance::Person;
    session.by_hand(|game| {
        for (unit, at) in [("ann", "0:0"), ("bob", "1:0")] {
            let unit = game.ruleset.unit(unit).expect("declared");
            let to = game.ruleset.map.find(at).expect("there").0 as i32;
            game.apply(Effect::Place { unit, to, cite: Cite::NONE }).expect("it fits");
        }
    });
    session.advance().expect("begins");
    for verb in ["done", "shoot"] {
        let verb = ruleset.verb(verb).expect("declared") as u16;
        let question = session.question().cloned().unwrap_or_else(|| panic!("asked for {verb}"));
        let offers = session.offers().to_vec();
        let action = offers.into_iter().find(|action| action.verb == verb).expect("offered");
        session.act(question.by, action).expect("taken");
    }
    (ruleset, session)
}

fn told(ruleset: &Arc<Ruleset>, session: &Session<Runtime>) -> Vec<String> {
    let mut story = Story::new(ruleset);
    session.told().filter_map(|event| story.tell(event)).collect()
}

#[test]
fn a_handful_is_told_in_one_line_and_its_hits_with_every_modifier() {
    let (ruleset, mut session) = about_to_shoot(&volleys("handful(\"fire\", target, 3)"));
    let roll = session.roll().cloned().expect("waits");
    assert_eq!((roll.handful.left, roll.handful.of, roll.handful.begins()), (3, 3, true));
    let foreseen = odds(&mut session, None, Sight::ALL).expect("looked at").expect("nothing is hidden");
    let [Odds { come_to: Some(ComeTo::Together(likely)), .. }] = &*foreseen else {
        panic!("the dice decide together: {foreseen:?}")
    };
    assert_eq!(likely.ways, 6 * 6 * 6);
    let all: f64 = likely.outcomes.iter().map(|(_, share)| share.value()).sum();
    assert!((all - 1.0).abs() < 1e-9, "{likely:?}");
    let before = told(&ruleset, &session).len();
    for die in [3, 6] {
        session.act_roll(die).expect("can come up");
        assert_eq!(told(&ruleset, &session).len(), before, "nothing is told until all have fallen");
    }
    session.act_roll(5).expect("can come up");
    let lines = told(&ruleset, &session);
    assert_eq!(lines[before], "dice for fire, Bob: 3 6 5");
    assert_eq!(
        lines[before + 1],
        "volley: 2 of 3 dice hit at 6 or more, each + Ann 2 - haste 1: 6 5, not 3  [t/3, t/6]"
    );
    assert!(lines[before + 2].starts_with("Bob: lost"), "{lines:?}");
}

#[test]
fn a_handful_brings_the_dice_that_single_rolls_would() {
    let one_by_one = "{ roll(\"fire\", target), roll(\"fire\", target), roll(\"fire\", target) }";
    let fell = [one_by_one, "handful(\"fire\", target, 3)"].map(|dice| {
        let (_, mut session) = about_to_shoot(&volleys(dice));
        session.chance = Chance::Keyed;
        session.go_ahead().expect("rolls");
        let fell = session.told().filter_map(|event| match event.effect {
            Effect::Rolled { value, .. } => Some(value),
            _ => None,
        });
        fell.collect::<Vec<_>>()
    });
    assert_eq!(fell[0], fell[1]);
    assert_eq!(fell[0].len(), 3);
}

#[test]
fn no_dice_are_a_handful_too_and_nonsense_is_none() {
    let (ruleset, session) = about_to_shoot(&volleys("handful(\"fire\", target, 0)"));
    assert!(session.roll().is_none(), "nothing is rolled");
    assert!(told(&ruleset, &session).iter().any(|line| line.contains("volley: 0 of 0 dice hit")));
    for (dice, wrong) in [("0 - 1", "not -1"), ("1.5", "not 1.5"), ("1001", "none to 1000 dice")] {
        let library = volleys(&format!("handful(\"fire\", target, {dice})"));
        let ruleset = load(&library, "toy", &Selection::default());
        let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 7, Limits::PLAY);
        session.by_hand(|game| {
            for (unit, at) in [("ann", "0:0"), ("bob", "1:0")] {
                let unit = game.ruleset.unit(unit).expect("declared");
                let to = game.ruleset.map.find(at).expect("there").0 as i32;
                game.apply(Effect::Place { unit, to, cite: Cite::NONE }).expect("it fits");
            }
        });
        session.advance().expect("begins");
        let mut failed = String::new();
        for verb in ["done", "shoot"] {
            let verb = ruleset.verb(verb).expect("declared") as u16;
            let by = session.question().expect("asked").by;
            let action = session.offers().iter().copied().find(|action| action.verb == verb).expect("offered");
            failed = session.act(by, action).err().map(|wrong| wrong.to_string()).unwrap_or_default();
        }
        assert!(failed.contains(wrong), "{dice}: {failed}");
    }
}

//! Scripted scenarios: what a script asks and rolls is part of the game.

use std::{collections::BTreeSet, sync::Arc};

use countermarch_core::{
    play::{Action, Limits, NotTaken, Session, SessionError},
    ruleset::{Kind, Ruleset, Selection},
    show::Words,
};
use countermarch_scripting::Runtime;
use countermarch_tests::{load, rules, toy};

const LIMITS: Limits = Limits { verify: true, ..Limits::PLAY };

fn surprise(ruleset: &Arc<Ruleset>, seed: u64) -> Session<Runtime> {
    let scenario = ruleset.scenario("surprise").expect("declared");
    let mut session = Session::new(ruleset.clone(), rules(ruleset), scenario, seed, LIMITS);
    session.advance().expect("begins");
    session
}

fn lie_in_wait(session: &mut Session<Runtime>, at: &str) -> Result<(), SessionError> {
    let ruleset = session.ruleset().clone();
    let space = ruleset.map.find(at).expect("on the map").0 as i32;
    let to = ruleset.verb("to").expect("a verb") as u16;
    session.act(ruleset.side("blue").expect("a side"), Action::of(to, space))
}

#[test]
fn a_script_asks_before_play_begins_and_refuses_with_its_paragraph() {
    let ruleset = load(&toy(), "toy", &Selection::default());
    let mut session = surprise(&ruleset, 1);
    let question = session.question().expect("the script asks").clone();
    assert_eq!(ruleset.question(&question).key, "setup.where");
    let Err(SessionError::NotTaken(NotTaken::Refused(why))) = lie_in_wait(&mut session, "-1:0") else {
        panic!("too close, and taken")
    };
    assert_eq!(
        (&*Words::all(&ruleset).say(&why[0].said), ruleset.cite(why[0].cite)),
        ("it is too close to the enemy", "t/7")
    );
    lie_in_wait(&mut session, "3:0").expect("far enough");
    let bob = ruleset.unit("bob").expect("a unit");
    assert_eq!(ruleset.name_of(Kind::Space, session.game().place(bob)), "3:0");
    assert_eq!(ruleset.question(session.question().expect("play has begun")).key, "march.unit");
    session.take_back(0).expect("the set-up is taken back");
    assert_eq!(session.game().place(bob), -1);
}

#[test]
fn a_scripted_set_up_replays_and_its_dice_are_those_of_the_seed() {
    let ruleset = load(&toy(), "toy", &Selection::default());
    let mood = ruleset.schema.column(countermarch_core::ruleset::Holder::Unit, "mood").expect("declared");
    let mut moods = BTreeSet::new();
    for seed in 0..12 {
        let mut session = surprise(&ruleset, seed);
        lie_in_wait(&mut session, "2:0").expect("far enough");
        moods.insert(session.game().get(mood, ruleset.unit("ann").expect("a unit")));
        let mut again = surprise(&ruleset, seed);
        lie_in_wait(&mut again, "2:0").expect("far enough");
        assert_eq!(session.game().hash(), again.game().hash(), "seed {seed}");
        assert_eq!(session.entries(), 2, "where, and the die");
    }
    assert_eq!(moods.len(), 2, "calm with some seeds, shaken with others");
}

//! Scripted scenarios: what a script asks and rolls is part of the game.

use std::{collections::BTreeSet, sync::Arc};

use countermarch_core::{
    play::{Action, Effect, Game, Limits, NotTaken, Session, SessionError},
    ruleset::{Cite, Holder, Kind, Ruleset, Selection},
    show::{Words, victory},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, root, rules, toy};

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
    let mood = ruleset.schema.column(Holder::Unit, "mood").expect("declared");
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

#[test]
fn the_score_of_tmag_counts_what_the_battle_is_about() {
    let ruleset = load(&library(&root()), "tmag", &Selection::default());
    let held = ruleset.schema.column(Holder::Space, "held").expect("declared");
    let [union, confederate] = ["union", "confederate"].map(|side| ruleset.side(side).expect("a side"));
    for (scenario, areas, points) in [
        ("campaign", &["29", "31", "35", "43", "62"][..], 15),
        ("july-1", &["29", "30", "31", "21", "22"], 9),
        ("culps-hill", &["31", "33"], 4),
        ("culps-hill-even", &["31", "33"], 4),
    ] {
        let at = ruleset.scenario(scenario).expect("declared");
        let mut session = Session::new(ruleset.clone(), rules(&ruleset), at, 1, LIMITS);
        session.by_hand(|game| {
            let spaces: Vec<i32> = ruleset.map.spaces().map(|space| space.0 as i32).collect();
            let hold = |game: &mut Game, of: i32, value: i32| {
                let write = Effect::Set { column: held, of, value, cite: Cite::NONE };
                game.apply(write).expect("it is a value");
            };
            spaces.iter().for_each(|space| hold(game, *space, union));
            assert_eq!([game.measure(0, union), game.measure(0, confederate)], [points, 0], "{scenario}");
            let stakes = areas.iter().map(|area| ruleset.map.find(area).expect("on the map").0 as i32);
            stakes.for_each(|space| hold(game, space, confederate));
            assert_eq!([game.measure(0, union), game.measure(0, confederate)], [0, points], "{scenario}");
        });
    }
}

#[test]
fn a_way_to_win_is_told_in_the_games_that_it_is_for() {
    let ruleset = load(&library(&root()), "tmag", &Selection::default());
    let of = |id: &str| ruleset.victory.iter().find(|way| way.id == id).expect("declared").say.as_str();
    for (scenario, way) in [("campaign", "whole"), ("july-1", "first-day"), ("culps-hill-even", "culps-hill")] {
        let at = ruleset.scenario(scenario).expect("declared");
        let told = victory(Session::new(ruleset.clone(), rules(&ruleset), at, 1, LIMITS).game());
        for other in ["whole", "first-day", "culps-hill", "both"] {
            let is_told = told.iter().any(|line| line.starts_with(of(other)));
            assert_eq!(is_told, other == way || other == "both", "{scenario}: {other}");
        }
    }
}

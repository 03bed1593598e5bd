//! The combat procedure in Luau against the same in Rust: without this, a bench of the two would compare nothing.

use std::collections::BTreeSet;

use countermarch_core::{
    play::{Action, Effect, Game, Limits, Rules, Session, Source, Step, Task},
    ruleset::Selection,
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, play_at_random, root, rules, twin::Twin};

/// Carries a battle out, one task after the other; what is answered and rolled depends on nothing but `seed`. What
/// was asked, offered and told comes back as text, with the game.
fn fight<R: Rules>(rules: &mut R, start: &Game, task: Task, seed: usize) -> (Game, Vec<String>) {
    let mut game = Box::new(start.clone());
    let mut all = Vec::new();
    let mut tasks = vec![task];
    while let Some(task) = tasks.pop().filter(|_| game.outcome().is_none()) {
        let mut step = rules.begin(&mut game, &task).expect("begins");
        loop {
            let pick = seed.wrapping_mul(31).wrapping_add(all.len() * 7);
            let action = match &step {
                // What a rule returns as the game ends is nobody's business.
                _ if game.outcome().is_some() => break,
                Step::Done(_) => break,
                Step::Roll(_) => Action::rolled((pick % 6) as i32 + 1),
                Step::Ask(question) => {
                    let offers = game.actions(question);
                    all.push(format!("{offers:?}"));
                    offers[pick % offers.len()]
                }
            };
            all.push(format!("{step:?}"));
            step = rules.answer(&mut game, action).expect("goes on");
        }
        for event in game.told.drain(..) {
            all.push(format!("{event:?}"));
            if let Effect::Push { task } = event.effect {
                tasks.push(task);
            }
        }
    }
    (*game, all)
}

#[test]
fn a_battle_in_luau_and_in_rust_is_asked_offered_and_told_alike() {
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let (mut luau, mut rust) = (rules(&ruleset), Twin::new(&ruleset));
    let rule = ruleset.rule("combat.resolve").expect("known");
    let mut fought = 0;
    let mut asked = BTreeSet::new();
    for seed in 0..160 {
        let mut watch = |session: &mut Session<Runtime>| {
            let question = session.question().expect("asked");
            let key = &ruleset.questions[question.key as usize].key;
            if key != "combat.attacker" && key != "combat.full" {
                return;
            }
            for battle in (0..24).filter(|b| session.game().exists(0, *b)) {
                let task = Task { rule, with: [battle, -1, -1, -1], source: Source::Agenda };
                for _ in 0..12 {
                    let mut start = session.game().clone();
                    start.told.clear();
                    start.telling = true;
                    let (in_luau, told_by_luau) = fight(&mut luau, &start, task, fought);
                    let (in_rust, told_by_rust) = fight(&mut rust, &start, task, fought);
                    assert_eq!(told_by_rust, told_by_luau, "seed {seed}, battle {fought}");
                    assert_eq!(in_rust.hash(), in_luau.hash(), "seed {seed}, battle {fought}");
                    let keys = told_by_luau.iter().filter_map(|told| told.split_once("key: "));
                    asked.extend(
                        keys.map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).collect::<String>()),
                    );
                    fought += 1;
                }
            }
        };
        let limits = Limits::BULK;
        let all = usize::MAX;
        play_at_random(&ruleset, rules(&ruleset), seed, limits, all, &mut watch).expect("plays");
    }
    assert!(fought > 500, "only {fought} battles");
    assert!(asked.len() >= 8, "only {} kinds of question were asked", asked.len());
}

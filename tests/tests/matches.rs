//! A match is a value: put down anywhere, copied, sent to another thread, and taken up again as it stood.

use std::{fs, sync::Arc, thread, time::Instant};

use countermarch_core::{
    play::{
        About, Action, Adjustment, Chance, Entry, Failure, Limits, Match, NotTaken, Record, Session, SessionError,
        SideResult, Stands,
    },
    ruleset::{Kind, Ruleset, Selection},
    show::{Sight, view},
    study::{ReplayError, choose_at_random, replay},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, play_at_random, root, rules, toy};

/// Somebody answers at random, where anybody is asked.
fn answer(session: &mut Session<Runtime>) {
    let Stands::Asks(question) = session.stands() else { return };
    let (by, seed) = (question.by, session.record().seed);
    let action = choose_at_random(session.game(), question, session.offers(), seed);
    session.act(by, action).expect("what is offered is allowed");
}

fn begin(ruleset: &Arc<Ruleset>, seed: u64, limits: Limits) -> Session<Runtime> {
    let mut session = Session::new(ruleset.clone(), rules(ruleset), 0, seed, limits);
    session.advance().expect("play begins");
    session
}

/// The toy game with some text of one file replaced.
fn changed_toy(file: &str, old: &str, new: &str) -> Arc<Ruleset> {
    let mut library = toy();
    let path = format!("rulesets/toy/{file}");
    let text = library.text(&path).expect("the toy has it").replacen(old, new, 1);
    assert!(text.contains(new));
    library.insert(&path, text);
    load(&library, "toy", &Selection::default())
}

#[test]
fn a_match_can_be_kept_copied_and_sent() {
    fn is_a_value<T: Send + Sync + Clone>() {}
    is_a_value::<Match>();
}

#[test]
fn a_match_put_down_at_every_answer_goes_on_as_if_it_had_not_been() {
    for id in ["gettysburg-77", "gettysburg-corps"] {
        let ruleset = load(&library(&root()), id, &Selection::default());
        let (mut whole, mut parted) = (begin(&ruleset, 11, Limits::PLAY), begin(&ruleset, 11, Limits::PLAY));
        let mut other = Some(rules(&ruleset));
        for _ in 0..250 {
            answer(&mut whole);
            let (free, m) = parted.put_down();
            parted = Session::of(other.replace(free).expect("put back"), m);
            answer(&mut parted);
            assert_eq!(parted.question(), whole.question());
            assert_eq!(parted.offers(), whole.offers());
            assert_eq!(parted.game().hash(), whole.game().hash());
        }
        assert_eq!(parted.record(), whole.record());
        assert_eq!(parted.told().count(), whole.told().count());
        // What was written over goes with it: all of it can be taken back.
        for entries in [whole.entries() - 3, whole.entries() / 2, 0] {
            whole.take_back(entries).expect("it was kept");
            parted.take_back(entries).expect("it was kept");
            assert_eq!(parted.game().hash(), whole.game().hash(), "{entries} answers");
            assert_eq!(parted.offers(), whole.offers());
        }
        assert!(matches!(whole.take_back(1_000_000), Err(SessionError::NotTaken(NotTaken::NothingToTakeBack))));
    }
}

#[test]
fn a_fork_plays_on_and_leaves_the_match_as_it_is() {
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let mut session = begin(&ruleset, 5, Limits::PLAY);
    let mut searching = begin(&ruleset, 1, Limits::BULK);
    for number in 0..120 {
        let (entries, hash) = (session.entries(), session.game().hash());
        let fork = session.fork();
        searching.take_up(fork).expect("it is of the same ruleset");
        assert_eq!(searching.offers(), session.offers(), "after {number}");
        assert_eq!(searching.game().hash(), hash);
        (0..number % 7).for_each(|_| answer(&mut searching));
        assert_eq!((session.entries(), session.game().hash()), (entries, hash));
        answer(&mut session);
    }
    let of_another = Match::new(load(&toy(), "toy", &Selection::default()), 0, 1, Limits::BULK);
    let hash = session.game().hash();
    assert!(session.take_up(of_another).is_err(), "another ruleset's match is not taken up");
    assert_eq!(session.game().hash(), hash);
}

#[test]
fn matches_are_answered_from_several_threads() {
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let play = |matches: Vec<Match>| -> Vec<Match> {
        let mut session = begin(&ruleset, 1, Limits::BULK);
        let answered = |m: Match| {
            session.take_up(m).expect("it is of the same ruleset");
            for _ in 0..10 {
                answer(&mut session);
            }
            session.take_up(Match::new(ruleset.clone(), 0, 0, Limits::BULK)).expect("it is of the same ruleset")
        };
        matches.into_iter().map(answered).collect()
    };
    let begun: Vec<Match> = (0..8).map(|seed| begin(&ruleset, seed, Limits::BULK).put_down().1).collect();
    let alone = play(play(begun.clone()));
    let (left, right) = (begun[..4].to_vec(), begun[4..].to_vec());
    let together = thread::scope(|scope| {
        let (left, right) = (scope.spawn(|| play(left)), scope.spawn(|| play(right)));
        // Each goes on with what the other has played.
        let (left, right) = (left.join().expect("plays"), right.join().expect("plays"));
        let (left, right) = (scope.spawn(|| play(right)), scope.spawn(|| play(left)));
        [right.join().expect("plays"), left.join().expect("plays")].concat()
    });
    for (one, other) in alone.iter().zip(&together) {
        assert_eq!(one.record(), other.record());
        assert!(one.record().entries.len() >= 20);
    }
}

#[test]
fn a_rule_that_fails_is_told_with_the_names_of_what_its_locals_held() {
    let failing = "function fire.count()\n  local who: Unit, at: Space?, many = 1, 0, 1\n  error(\"no end\")";
    let ruleset = changed_toy("rules/fire.luau", "function fire.count()", failing);
    let played = play_at_random(&ruleset, rules(&ruleset), 3, Limits::PLAY, usize::MAX, &mut |_| ());
    let Err(SessionError::Failed(Failure::Rule(wrong))) = played else { panic!("it fails") };
    let space = ruleset.name_of(Kind::Space, 0);
    let told = format!("in count, rulesets/toy/rules/fire.luau:31: who = 1 (Bob), at = 0 ({space}), many = 1");
    assert_eq!(*wrong.stack, [told]);
}

#[test]
fn a_task_that_fails_as_it_begins_is_not_lost() {
    let ruleset = changed_toy("rules/fire.luau", "function fire.count()", "function fire.count()\n  error(\"no end\")");
    let mut session = begin(&ruleset, 3, Limits::PLAY);
    while matches!(session.stands(), Stands::Asks(_)) && session.game().turn() < 4 {
        let (by, last) = (session.question().expect("asked").by, *session.offers().last().expect("offered"));
        let before = session.entries();
        if let Err(wrong) = session.act(by, last) {
            assert!(matches!(&wrong, SessionError::Failed(Failure::Rule(rule)) if rule.message.contains("no end")));
            assert!(session.entries() > before, "the answer was taken, and then a rule failed");
        }
    }
    let task = session.task().expect("it is still to be carried out");
    assert_eq!(ruleset.rules[task.rule.0 as usize].name, "fire.count");
    assert!(matches!(session.stands(), Stands::Failed(Failure::Rule(_))));
    assert!(session.advance().is_err(), "it fails again");
    // Whoever takes it up is told too, and can go back.
    let (rules, m) = session.put_down();
    let mut session = Session::of(rules, m);
    assert!(matches!(session.stands(), Stands::Failed(Failure::Rule(_))));
    session.take_back(0).expect("it can be taken back");
    assert!(matches!(session.stands(), Stands::Asks(_)));
}

#[test]
fn what_one_match_used_up_is_not_missing_in_the_next() {
    let endless = "function fire.count()\n  while true do end";
    let ruleset = changed_toy("rules/fire.luau", "function fire.count()", endless);
    let mut session = begin(&ruleset, 3, Limits::BULK);
    while matches!(session.stands(), Stands::Asks(_)) {
        let (by, last) = (session.question().expect("asked").by, *session.offers().last().expect("offered"));
        let _ = session.act(by, last);
    }
    let Stands::Failed(Failure::Rule(wrong)) = session.stands() else { panic!("it runs out of fuel") };
    assert!(wrong.message.contains("out of fuel"), "{}", wrong.message);
    assert!(session.take_up(Match::new(ruleset.clone(), 0, 4, Limits::BULK)).is_ok());
    session.advance().expect("another match begins as ever");
    // So it does in another session with those rules.
    while matches!(session.stands(), Stands::Asks(_)) {
        let (by, last) = (session.question().expect("asked").by, *session.offers().last().expect("offered"));
        let _ = session.act(by, last);
    }
    let mut session = Session::of(session.into_rules(), Match::new(ruleset, 0, 5, Limits::BULK));
    session.advance().expect("another match begins as ever");
}

/// Of the toy whose units can go nowhere.
fn dead_end() -> Failure {
    let (question, rule, file) = ["march.to", "march.move", "rulesets/toy/rules/march.luau"].map(str::to_owned).into();
    Failure::DeadEnd { question, rule, file, line: 6, is_before: false }
}

#[test]
fn a_dead_end_stays_one_until_something_is_taken_back() {
    let ruleset =
        changed_toy("rules/march.luau", "{ to = reach, stay = true }", "{ to = offer.list({}), stay = false }");
    let mut session = begin(&ruleset, 3, Limits::PLAY);
    let question = session.question().expect("asked").clone();
    let first = session.offers()[0];
    let wrong = session.act(question.by, first).expect_err("nothing can be answered then");
    assert_eq!(wrong, SessionError::Failed(dead_end()));
    for _ in 0..3 {
        assert_eq!(session.advance(), Err(dead_end()));
        assert_eq!(session.act(question.by, first), Err(dead_end().into()));
    }
    session.take_back(0).expect("it can be taken back");
    assert_eq!(session.question(), Some(&question));
}

#[test]
fn a_replay_lists_offers_only_for_those_who_look_and_comes_to_the_same() {
    let ruleset = load(&library(&root()), "gettysburg-77", &Selection::default());
    let mut session = begin(&ruleset, 5, Limits { forced: false, ..Limits::PLAY });
    let mut offered = vec![session.offers().to_vec()];
    for _ in 0..60 {
        answer(&mut session);
        offered.push(session.offers().to_vec());
    }
    let mut looked = Vec::new();
    let again = replay(&ruleset, rules(&ruleset), (session.record(), &[]), None, Limits::PLAY, |session| {
        let is_looked_at = looked.len() % 2 == 0;
        looked.push(if is_looked_at { session.offers().to_vec() } else { offered[looked.len()].clone() });
    });
    let mut again = again.expect("it fits");
    assert_eq!(looked, offered);
    assert_eq!(again.question(), session.question());
    for _ in 0..10 {
        answer(&mut session);
        answer(&mut again);
        assert_eq!((again.offers(), again.game().hash()), (session.offers(), session.game().hash()));
    }
}

#[test]
fn a_replay_takes_no_answer_that_is_not_offered_and_finds_a_dead_end() {
    let ruleset =
        changed_toy("rules/march.luau", "{ to = reach, stay = true }", "{ to = offer.list({}), stay = false }");
    let mut session = begin(&ruleset, 3, Limits::BULK);
    let (by, first) = (session.question().expect("asked").by, session.offers()[0]);
    session.act(by, first).expect_err("nothing can be answered then");
    let mut record = session.record().clone();
    let replayed = |record: &Record| {
        replay(&ruleset, rules(&ruleset), (record, &[]), None, Limits::BULK, |_| ()).err().expect("it fails")
    };
    assert_eq!(replayed(&record), ReplayError::Answer(1, dead_end().into()));
    let Some(Entry::Side { key, about, .. }) = record.entries.iter().next().copied() else { panic!("a side answered") };
    let march_to = ruleset.questions.iter().position(|asked| asked.key == "march.to").expect("it is declared") as u16;
    let unit = About::unit(first.values[0]);
    record.entries.push(Entry::Side { by, key: march_to, about: unit, action: Action::of(0, 0) });
    assert_eq!(replayed(&record), ReplayError::Answer(2, dead_end().into()));
    let mut other = Record::new(record.scenario.clone(), record.seed);
    other.entries.push(Entry::Side { by, key, about, action: Action::of(first.verb, -7) });
    let refused = replayed(&other);
    assert!(matches!(refused, ReplayError::Answer(1, SessionError::NotTaken(NotTaken::Refused(_)))), "{refused:?}");
}

#[test]
fn a_fork_of_a_game_that_is_over_is_over_and_has_nothing_to_take_back() {
    let ruleset = load(&toy(), "toy", &Selection::default());
    let mut session = begin(&ruleset, 3, Limits::PLAY);
    while matches!(session.stands(), Stands::Asks(_)) {
        answer(&mut session);
    }
    let (entries, hash) = (session.entries(), session.game().hash());
    let mut other = Session::of(rules(&ruleset), session.fork());
    assert!(matches!(other.stands(), Stands::Over(Some(_))));
    // Its last task has ended: where that began is not in the fork, not even to end it once more.
    for back in [entries, entries - 1] {
        assert_eq!(other.take_back(back), Err(NotTaken::NothingToTakeBack.into()));
    }
    assert_eq!((other.entries(), other.game().hash()), (entries, hash));
    session.take_back(0).expect("it was kept");
    assert!(matches!(session.stands(), Stands::Asks(_)));
}

#[test]
fn several_sides_may_win_and_each_has_its_result() {
    let nobody_alone = "finish({ sides.blue, sides.red }, \"peace\", \"t/4\")\n  finish(if red";
    let ruleset = changed_toy("rules/fire.luau", "finish(if red", nobody_alone);
    let mut session = begin(&ruleset, 3, Limits::PLAY);
    while matches!(session.stands(), Stands::Asks(_)) {
        answer(&mut session);
    }
    let outcome = session.game().outcome().expect("it is over").clone();
    assert_eq!(ruleset.outcome(&outcome), "red and blue peace");
    assert_eq!(session.game().results(), [0, 1].map(|side| SideResult { side, won: true, score: None }));
    let seen = view(session.game(), &session.stands(), Sight::ALL).outcome.expect("it is over");
    assert!(seen.results.len() == 2 && seen.results.iter().all(|result| result.won));
}

#[test]
fn what_always_holds_need_not_once_the_players_have_agreed_on_a_change() {
    let ruleset = load(&toy(), "toy", &Selection::default());
    let mut session = begin(&ruleset, 3, Limits { verify: true, ..Limits::PLAY });
    let unit = |id: &str| ruleset.unit(id).expect("it is there");
    let beside_ann = Adjustment::Place { unit: unit("bob"), to: session.game().place(unit("ann")) };
    session.adjust(beside_ann).expect("the players may agree on anything");
    (0..4).for_each(|_| answer(&mut session));
    let fork = session.fork();
    let mut other = Session::of(rules(&ruleset), fork);
    answer(&mut other);
    session.take_back(0).expect("it can be taken back");
    assert_ne!(session.game().place(unit("bob")), session.game().place(unit("ann")));
    (0..2).for_each(|_| answer(&mut session));
    assert!(session.record().entries.iter().all(|entry| !matches!(entry, Entry::Agreement(_))));
}

#[test]
fn every_wrong_answer_says_what_is_wrong_with_it() {
    let ruleset = load(&library(&root()), "gettysburg-corps", &Selection::default());
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 8, Limits::PLAY);
    assert!(matches!(session.stands(), Stands::Before));
    session.chance = Chance::Person;
    session.advance().expect("play begins");
    let not_taken = |wrong: Result<(), SessionError>| match wrong {
        Err(SessionError::NotTaken(why)) => why,
        other => panic!("{other:?}"),
    };
    let mut last = None;
    for number in 0..5_000 {
        match session.stands() {
            Stands::Asks(question) => {
                let by = question.by;
                assert_eq!(not_taken(session.act_roll(1)), NotTaken::NothingRolls);
                assert_eq!(not_taken(session.act(1 - by, session.offers()[0])), NotTaken::NotYours);
                last = Some((by, session.offers()[number % session.offers().len()]));
                session.act(by, last.expect("just said").1).expect("what is offered is allowed");
            }
            Stands::Rolls(roll) => {
                let purpose = ruleset.chances[roll.chance as usize].purpose.clone();
                let face = (1..=6).find(|face| roll.can_be(*face));
                if let Some((by, action)) = last {
                    assert_eq!(not_taken(session.act(by, action)), NotTaken::RollWaits(purpose));
                }
                let face = face.unwrap_or_else(|| match &session.roll().expect("it rolls").dice {
                    countermarch_core::play::Dice::Die(_) => 1,
                    countermarch_core::play::Dice::One(list) => list[number % list.len()],
                });
                assert!(matches!(not_taken(session.act_roll(-7)), NotTaken::Refused(_)));
                session.act_roll(face).expect("it can come up");
            }
            Stands::Over(outcome) => {
                assert!(outcome.is_some());
                let (by, action) = last.expect("something was answered");
                assert_eq!(not_taken(session.act(by, action)), NotTaken::Over);
                assert_eq!(not_taken(session.act_roll(1)), NotTaken::Over);
                return;
            }
            Stands::Failed(failed) => panic!("{failed}"),
            Stands::Before => panic!("it has begun"),
        }
    }
    panic!("no end");
}

/// `cargo test --release -p countermarch-tests --test matches -- --ignored --nocapture`: some ten seconds.
#[test]
#[ignore = "half a million answers"]
fn a_thousand_campaigns_lie_in_three_hundred_megabytes() {
    let ruleset = load(&library(&root()), "gettysburg-77", &Selection::default());
    let scenario = ruleset.scenario("campaign").expect("it has one");
    let play = |seeds: std::ops::Range<u64>| -> Vec<Match> {
        let mut session = begin(&ruleset, 0, Limits::BULK);
        let limits = Limits { undo: true, ..Limits::BULK };
        let mut played = Vec::new();
        for seed in seeds {
            let begun = Match::new(ruleset.clone(), scenario, seed, limits);
            let before = session.take_up(begun).expect("it is of the same ruleset");
            played.extend(Some(before).filter(|m| m.record().seed != 0));
            session.advance().expect("play begins");
            while session.entries() < 500 && session.question().is_some() {
                answer(&mut session);
            }
        }
        played.push(session.put_down().1);
        played
    };
    let before = resident();
    let mut all = thread::scope(|scope| {
        let (left, right) = (scope.spawn(|| play(1..501)), scope.spawn(|| play(501..1001)));
        let mut all = left.join().expect("plays");
        all.append(&mut right.join().expect("plays"));
        all
    });
    let (taken, answers) = (resident() - before, all.iter().map(|m| m.record().entries.len()).sum::<usize>());
    println!("{} matches of {answers} answers lie in {} MB", all.len(), taken >> 20);
    assert_eq!(all.len(), 1000);
    assert!(taken < 300 << 20);
    // Each answers, from either thread.
    let right = all.split_off(500);
    let answers_once_more = |matches: Vec<Match>| {
        let mut session = begin(&ruleset, 0, Limits::BULK);
        for m in matches {
            let entries = m.record().entries.len();
            session.take_up(m).expect("it is of the same ruleset");
            let is_asked = session.question().is_some();
            answer(&mut session);
            assert_eq!(session.entries() > entries, is_asked);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| answers_once_more(right));
        answers_once_more(all);
    });
}

/// The same command tells how long forks and undo take over a campaign. Nothing is asserted of time.
#[test]
#[ignore = "tells figures"]
fn forks_and_undo_over_a_campaign() {
    let ruleset = load(&library(&root()), "gettysburg-77", &Selection::default());
    let scenario = ruleset.scenario("campaign").expect("it has one");
    let limits = Limits { undo: true, ..Limits::BULK };
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), scenario, 4, limits);
    let mut other = begin(&ruleset, 0, Limits::BULK);
    session.advance().expect("play begins");
    let (mut made, mut taken) = (Vec::new(), Vec::new());
    while session.question().is_some() {
        let begun = Instant::now();
        let fork = session.fork();
        made.push(begun.elapsed());
        other.take_up(fork).expect("it is of the same ruleset");
        taken.push(begun.elapsed());
        assert_eq!(other.offers(), session.offers());
        answer(&mut session);
    }
    for (what, times) in [("made", &mut made), ("made and taken up", &mut taken)] {
        times.sort();
        let (median, most) = (times[times.len() / 2], times[times.len() * 99 / 100]);
        println!("{} forks {what}: median {median:?}, 99 of 100 within {most:?}", times.len());
    }
    let entries = session.entries();
    let begun = Instant::now();
    session.take_back(entries / 2).expect("it was kept");
    println!("{} of {entries} answers taken back in {:?}", entries - entries / 2, begun.elapsed());
}

/// Bytes of memory that this process holds, where the system says it.
fn resident() -> usize {
    let text = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

//! Answers of two values: offered jointly by a guard, a set or a reach that is given the first, refused by halves, read,
//! written, taken back and played at random.

use std::{collections::BTreeSet, sync::Arc};

use countermarch_core::{
    library::Library,
    play::{Action, Chance, Half, Limits, Session},
    ruleset::{Kind, Ruleset, Selection},
    show::{Misread, RecordHeader, Sight, Words, read_action, read_record, read_rest, record_line, view},
    study::{Choice, Player, choose_at_random, explain, run_examples},
};
use countermarch_scripting::{Budget, Runtime};
use countermarch_tests::{library, load, play_at_random, replace, root, rules};

const VERIFY: Limits = Limits { undo: true, verify: true, log: true, forced: true };

fn pairs() -> Library {
    library(&root().join("tests/joint"))
}

fn ruleset() -> Arc<Ruleset> {
    load(&pairs(), "pairs", &Selection::default())
}

/// The first question of a game.
fn begun(ruleset: &Arc<Ruleset>) -> Session<Runtime> {
    let mut session = Session::new(ruleset.clone(), rules(ruleset), 0, 1, VERIFY);
    session.advance().expect("begins");
    session
}

fn verb(ruleset: &Ruleset, id: &str) -> u16 {
    ruleset.verb(id).expect("a verb") as u16
}

/// What a line says at the waiting question.
fn read(session: &Session<Runtime>, line: &str) -> Result<(Action, String), Misread> {
    read_action(session.game(), session.question().expect("somebody is asked"), line, Sight::ALL)
}

/// Why a line is refused: the row, the words, the paragraph.
fn refused(session: &Session<Runtime>, line: &str) -> Vec<(String, String, String)> {
    let (game, question) = (session.game(), session.question().expect("somebody is asked"));
    let refusals = match read(session, line) {
        Ok((action, rest)) if rest.is_empty() => game.why_not(question, action),
        Err(Misread::Half(half, _)) => game.why_not_half(question, half),
        other => panic!("`{line}` is read as {other:?}"),
    };
    let words = Words::all(session.ruleset());
    let told = |r: &countermarch_core::play::Refusal| {
        (r.row.to_string(), words.say(&r.said), session.ruleset().cite(r.cite).to_owned())
    };
    refusals.iter().map(told).collect()
}

/// A game of tmag on the evening of July 2, in which the Confederates have activated Culp's Hill.
fn on_culps_hill() -> Session<Runtime> {
    let ruleset = load(&library(&root()), "tmag", &Selection::default());
    let at = ruleset.scenarios.iter().position(|scenario| scenario.id == "culps-hill").expect("a scenario");
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), at, 1, VERIFY);
    session.advance().expect("begins");
    session
}

#[test]
fn people_say_to_before_a_place_and_nothing_else_is_meant_by_it() {
    let mut session = on_culps_hill();
    let ruleset = session.ruleset().clone();
    // Whatever is asked first: until somebody may go somewhere.
    while session.offers().iter().all(|a| ruleset.verbs[usize::from(a.verb)].takes.len() < 2) {
        let question = session.question().cloned().expect("somebody is asked");
        let action = session.offers()[0];
        session.act(question.by, action).expect("is offered");
    }
    let action = *session.offers().iter().find(|a| a.values[1] >= 0).expect("a pair");
    let [unit, space] = action.values;
    let (unit, place) = (ruleset.id_of(Kind::Unit, unit), ruleset.name_of(Kind::Space, space));
    for line in [format!("{unit} {place}"), format!("{unit} to {place}"), format!("{unit}, to {place}")] {
        assert_eq!(read(&session, &line), Ok((action, String::new())), "{line}");
    }
}

#[test]
fn the_game_of_pairs_passes_its_examples() {
    let library = pairs();
    let report = run_examples(&library, &ruleset(), Choice::default(), &mut |ruleset| {
        Runtime::watching(ruleset.clone(), Budget::default()).map_err(|wrong| format!("{wrong:?}"))
    });
    let failed: Vec<String> = report.failed.iter().map(|f| format!("{}: {}: {}", f.at, f.name, f.message)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(report.examples, 5);
    // What is named in an offer and never called is at work all the same.
    assert_eq!(report.proven, ["p/1", "p/2", "p/3", "p/4", "p/5", "p/7"]);
}

/// A pair is offered if its first value is in the first set and its second in the one that follows, and then alone nothing
/// refuses it.
#[test]
fn what_is_listed_is_what_is_offered_and_what_nothing_refuses() {
    let ruleset = ruleset();
    let mut seen = BTreeSet::new();
    for seed in 0..4 {
        let mut watch = |session: &mut Session<Runtime>| {
            let (game, question) = (session.game(), session.question().expect("asked").clone());
            for offer in &question.offers {
                let [first, second] = ruleset.verbs[usize::from(offer.verb)].takes[..] else { continue };
                for one in ruleset.all_of(first) {
                    let half = Half { verb: offer.verb, value: one };
                    let begins = session.offers().iter().any(|a| a.verb == half.verb && a.values[0] == one);
                    assert_eq!(game.why_not_half(&question, half).is_empty(), begins, "{half:?}");
                    for other in ruleset.all_of(second) {
                        let action = half.with(other);
                        let listed = session.offers().contains(&action);
                        assert_eq!(game.is_offered(&question, action), listed, "{action:?}");
                        let refusals = game.why_not(&question, action);
                        assert_eq!(refusals.is_empty(), listed, "{action:?}: {refusals:?}");
                        seen.extend(listed.then_some(offer.verb));
                    }
                }
            }
        };
        play_at_random(&ruleset, rules(&ruleset), seed, VERIFY, 6, &mut watch).expect("plays");
    }
    assert_eq!(seen.len(), 5, "each way of offering pairs has offered some: {seen:?}");
}

#[test]
fn a_refusal_says_which_half_and_why() {
    let session = begun(&ruleset());
    let told = |line: &str| {
        let refusals = refused(&session, line);
        refusals.iter().map(|(row, says, cite)| format!("{row}: {says} [{cite}]")).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(told("walk bob 2:0"), "own: Bob: it is not yours [p/1]");
    assert_eq!(told("walk bob"), "own: Bob: it is not yours [p/1]");
    assert_eq!(told("walk ann 2:0"), "too-far: 2:0 is too far: it needs 3 and there are 2 [p/2]");
    assert_eq!(told("leap ann 3:0"), "taken: 3:0: somebody is there [p/3]");
    assert_eq!(told("swap ann ann"), "others: Ann: Ann and Ann do not change places [p/4]");
    assert_eq!(told("feel calm"), "nothing-follows: nothing may be chosen with calm [p/1]");
    assert_eq!(told("walk ann 0:1"), "");
    assert_eq!(told("walk ann"), "");
    // No line says more than the verb takes, but whoever calls the engine may.
    let (game, question) = (session.game(), session.question().expect("asked"));
    let more = Action { verb: verb(session.ruleset(), "rest"), values: [-1, 3] };
    assert!(!game.is_offered(question, more) && !game.why_not(question, more).is_empty());
}

#[test]
fn a_line_says_both_halves_one_or_more_than_both() {
    let ruleset = ruleset();
    let session = begun(&ruleset);
    let (game, question) = (session.game(), session.question().expect("asked"));
    let (ann, there) = (ruleset.unit("ann").expect("a unit"), ruleset.map.find("0:1").expect("a space").0 as i32);
    let half = Half { verb: verb(&ruleset, "walk"), value: ann };
    let walk = half.with(there);
    for line in ["walk ann 0:1", "walk ann, 0:1", "ann 0:1", "Ann 0:1"] {
        assert_eq!(read(&session, line), Ok((walk, String::new())), "`{line}`");
    }
    assert_eq!(read(&session, "walk ann 0:1 1:1, rest"), Ok((walk, "1:1, rest".to_owned())), "a third value is left");
    for line in ["walk ann", "ann"] {
        let Err(Misread::Half(read, said)) = read(&session, line) else { panic!("`{line}` is half an answer") };
        assert_eq!((read, &*said), (half, line));
    }
    assert!(matches!(read(&session, "walk ann bob"), Err(Misread::Unknown(..))), "a value of another kind");
    assert_eq!(read_rest(game, question, half, "0:1", Sight::ALL), Ok((walk, String::new())));
    assert_eq!(read_rest(game, question, half, "0:1, rest", Sight::ALL), Ok((walk, "rest".to_owned())));
    for action in session.offers() {
        let ids = ruleset.verbs[usize::from(action.verb)].takes.iter().zip(action.values);
        let ids: Vec<String> = ids.map(|(kind, value)| ruleset.id_of(*kind, value)).collect();
        let line = format!("{} {}", ruleset.verbs[usize::from(action.verb)].id, ids.join(" "));
        assert_eq!(read(&session, &line), Ok((*action, String::new())), "`{line}`");
    }
}

#[test]
fn why_tells_of_a_half_and_what_a_whole_costs() {
    let mut session = begun(&ruleset());
    let mut why = |line: &str| explain(&mut session, line, Sight::ALL).expect("it is read");
    assert!(why("walk ann 1:0").contains("it costs 2 of 2 movement points"), "{}", why("walk ann 1:0"));
    assert!(why("walk ann").contains("walk Ann: allowed, with 16 choices"), "{}", why("walk ann"));
    assert!(why("walk bob").contains("walk Bob: not allowed\n  Bob: it is not yours"), "{}", why("walk bob"));
    assert!(why("").contains("swap           change places: 2 choices"), "{}", why(""));
}

#[test]
fn records_hold_both_values_and_refuse_what_is_none() {
    let ruleset = ruleset();
    let played = play_at_random(&ruleset, rules(&ruleset), 5, VERIFY, usize::MAX, &mut |_| ()).expect("plays");
    let header = RecordHeader::new(&ruleset, &[], "field", 5).to_string();
    let mut text = header.clone();
    for entry in played.record().entries.iter() {
        text.push_str(&record_line(&ruleset, entry));
        text.push('\n');
    }
    let mut record = read_record(&text).and_then(|text| text.entries(&ruleset)).expect("it reads");
    assert_eq!(record.entries, played.record().entries);
    let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 5, Limits { forced: false, ..VERIFY });
    session.chance = Chance::Person;
    session.advance().expect("begins");
    for (number, entry) in record.entries.iter().enumerate() {
        session.replay_entry(number, entry).expect("it fits");
    }
    assert_eq!(session.game().hash(), played.game().hash());
    assert!(session.offers().is_empty() && !session.is_offered(Action::alone(verb(&ruleset, "rest"))), "it is over");
    // Taken back and given again, and in a fork.
    session.take_back(2).expect("takes back");
    for (number, entry) in record.entries.iter().enumerate().skip(2) {
        session.replay_entry(number, entry).expect("it fits again");
    }
    assert_eq!(session.game().hash(), played.game().hash());
    session.take_back(2).expect("takes back");
    let fork = Session::of(rules(&ruleset), session.fork());
    assert_eq!(fork.offers(), session.offers());
    record.entries.truncate(0);
    for (line, wrong) in [
        ("red: walk ann 0:1  [turn.what]", None),
        ("red: walk ann  [turn.what]", Some("`walk` is of two things: `ann` is one")),
        ("red: walk ann 0:1 0:2  [turn.what]", Some("there is no space `0:1 0:2`")),
        ("red: walk 0:1 ann  [turn.what]", Some("there is no unit `0:1`")),
        ("red: walk  [turn.what]", Some("`walk` is of two things: `` is one")),
        ("red: feel ann shaken  [turn.what]", Some("there is no named value `ann`")),
    ] {
        let read = read_record(format!("{header}{line}\n")).expect("it is a record").entries(&ruleset);
        let told = read.err();
        assert_eq!(told.is_none(), wrong.is_none(), "`{line}`: {told:?}");
        assert!(told.is_none_or(|told| told.contains(wrong.expect("just said"))), "`{line}`");
    }
    // Legal names in an answer that is not offered.
    let read = read_record(format!("{header}red: walk bob 0:1  [turn.what]\n")).expect("it is a record");
    let record = read.entries(&ruleset).expect("all names are known");
    let mut session = begun(&ruleset);
    assert!(session.replay_entry(0, record.entries.get(0).expect("one")).is_err());
    assert_eq!(session.entries(), 0);
}

/// What follows may be named values: a guard that is given one first lists them.
#[test]
fn named_values_follow_too() {
    let mut all = pairs();
    let (path, turn) = ("rulesets/pairs/ruleset.yaml", "rulesets/pairs/rules/turn.luau");
    replace(&mut all, path, "{ unit: unit, mood: mood }", "{ mood: mood, unit: unit }");
    replace(&mut all, path, "takes: [mood, unit]", "takes: [unit, mood]");
    let first = "offer.numbers(values.mood.calm, values.mood.shaken)";
    replace(&mut all, turn, &format!("{first}, offer.each.may_feel"), "own, offer.each.may_feel");
    replace(&mut all, turn, "set.unit.mood(other, one", "set.unit.mood(one, other");
    all.insert("rulesets/pairs/examples/answers.yaml", "examples: []\n".to_owned());
    let ruleset = load(&all, "pairs", &Selection::default());
    let mut session = begun(&ruleset);
    let offered = session.offers().iter().filter(|action| action.verb == verb(&ruleset, "feel")).count();
    assert_eq!(offered, 2, "each of two may be shaken");
    let told: Vec<_> = refused(&session, "feel ann calm").into_iter().map(|(row, says, _)| (row, says)).collect();
    assert_eq!(told, [("so".to_owned(), "calm: it feels so already".to_owned())]);
    let (action, _) = read(&session, "feel ann shaken").expect("it is read");
    session.act(session.question().expect("asked").by, action).expect("is offered");
    for seed in 0..3 {
        play_at_random(&ruleset, rules(&ruleset), seed, VERIFY, usize::MAX, &mut |_| ()).expect("plays");
    }
}

/// Every pair is as likely as any other answer.
#[test]
fn random_play_chooses_among_pairs_as_among_all() {
    let ruleset = ruleset();
    let session = begun(&ruleset);
    let (game, question) = (session.game(), session.question().expect("asked"));
    let offers = session.offers();
    let mut count = vec![0; offers.len()];
    let games = 400 * offers.len() as u64;
    for seed in 0..games {
        let chosen = choose_at_random(game, question, offers, seed);
        count[offers.iter().position(|offer| *offer == chosen).expect("it is offered")] += 1;
    }
    assert!(count.iter().all(|count| (300..500).contains(count)), "{count:?}");
}

#[test]
fn a_view_holds_what_follows_each_first_value() {
    let session = begun(&ruleset());
    let view = view(session.game(), &session.stands(), Sight::ALL);
    let offers = view.question.expect("asked").offers.expect("told");
    let of = |verb: &str| offers.iter().find(|offer| offer.verb == verb).expect("offered");
    let all: usize = offers.iter().flat_map(|offer| &offer.values).filter_map(|v| v.then.as_ref()).map(Vec::len).sum();
    assert_eq!(all + 1, session.offers().len(), "all pairs, and to rest");
    let ann = of("walk").values.iter().find(|value| value.id.as_deref() == Some("ann")).expect("she may walk");
    let costs = ann.then.as_ref().expect("somewhere").iter().map(|to| to.cost.as_ref().expect("a cost").points.clone());
    assert_eq!(costs.collect::<BTreeSet<_>>(), BTreeSet::from(["1".to_owned(), "2".to_owned()]));
    assert!(of("rest").offered && of("rest").values.is_empty() && !of("rest").takes);
    let felt: Vec<_> = of("feel").values.iter().map(|value| value.id.as_deref()).collect();
    assert_eq!(felt, [Some("shaken")], "nothing follows the other");
}

/// A second set that takes too long is not looked at while the pairs before it are enough.
#[test]
fn what_follows_is_not_worked_out_before_somebody_looks() {
    let mut all = pairs();
    let path = "rulesets/pairs/ruleset.yaml";
    let heavy = "      - { id: heavy, when: \"any(group as u, u = al) and total(spaces as a, total(spaces as b, total(spaces as c, \
                 distance(a, to) + distance(b, c)))) < 0\", cite: p/3 }\n      - { id: far";
    replace(&mut all, path, "      - { id: far", heavy);
    replace(&mut all, path, "any(group as u, distance(u, to) != 3)", "any(group as u, distance(u, to) = 0)");
    replace(&mut all, path, "id: al, name", "id: zeno, name");
    replace(&mut all, path, "u = al", "u = zeno");
    replace(&mut all, "rulesets/pairs/scenarios/field.yaml", "unit: al,", "unit: zeno,");
    let (ann, zeno) = ("{ id: ann, name: Ann", "{ id: zeno, name: Al");
    let text = all.text(path).expect("it is there");
    assert!(text.find(ann) < text.find(zeno), "she comes before him");
    all.insert("rulesets/pairs/examples/answers.yaml", "examples: []\n".to_owned());
    let ruleset = load(&all, "pairs", &Selection::default());
    let mut session = begun(&ruleset);
    let leap = verb(&ruleset, "leap");
    let (action, _) = read(&session, "leap ann -5:0").expect("it is read");
    assert_eq!(action.verb, leap);
    session.act(session.question().expect("asked").by, action).expect("nobody has looked at what Zeno may do");
    session.take_back(0).expect("takes back");
    // Who looks at all finds as much as the steps go to.
    let leaps: BTreeSet<i32> = session.offers().iter().filter(|a| a.verb == leap).map(|a| a.values[0]).collect();
    assert_eq!(leaps, BTreeSet::from([ruleset.unit("ann").expect("a unit")]));
}

/// What `check` says of a rule file in which the offers of a verb are others.
fn checked(offer: &str) -> String {
    let mut all = pairs();
    replace(&mut all, "rulesets/pairs/rules/turn.luau", "offer.pairs(own, offer.reach.walk)", offer);
    match countermarch_scripting::load(&all, "pairs", &Selection::default()) {
        Ok(loaded) => loaded.warnings.list.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("\n"),
        Err(found) => found.list.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("\n"),
    }
}

#[test]
fn check_judges_offers_of_pairs() {
    for (offer, wrong) in [
        ("offer.pairs(own, offer.reach.walk)", ""),
        ("offer.pairs(own, offer.reach.walk, 3)", ""),
        ("own", "`walk` takes a unit and a space, and a unit is offered"),
        ("true", "`walk` takes a unit and a space, and nothing is offered"),
        ("offer.pairs(own, offer.each.others)", "`walk` takes a unit and a space, and a unit and a unit is offered"),
        (
            "offer.pairs(offer.each.may_leap(units.ann), offer.reach.walk)",
            "`first` of `offer.pairs` is a set of which each is a unit, and a set of which each is a space is given",
        ),
        (
            "offer.pairs(own, offer.reach.walk(units.ann))",
            "`second` of `offer.pairs` is a function, and a set of which each is a space is given",
        ),
        ("offer.pairs(own)", "`offer.pairs` takes first, second: `second` is missing"),
        (
            "offer.pairs(own, offer.each.others, units.ben, 1)",
            "`offer.pairs` takes first, second, than: this is one more",
        ),
    ] {
        let told = checked(offer);
        assert!(told.lines().any(|line| line == wrong) || told == wrong, "`{offer}`: {told}");
    }
}

#[test]
fn the_engine_refuses_pairs_that_cannot_be() {
    for (offer, wrong) in [
        ("offer.pairs(own, function() return own end)", "what follows is named by a function of `offer`"),
        ("offer.pairs(own, tostring)", "what follows is named by a function of `offer`"),
        ("offer.pairs(own, offer.each.own)", "what follows is given nothing"),
        ("offer.pairs(offer.list({ 77 }), offer.reach.walk)", "there is no unit 77"),
        ("offer.pairs(offer.numbers(0, 9000), offer.reach.walk)", "there is no unit 9000"),
        ("offer.pairs(offer.pairs(own, offer.reach.walk), offer.reach.walk)", "a set is wanted, and these are pairs"),
        ("offer.pairs(own, offer.reach.walk, -2 + 1)", "a move has no -1 movement points"),
        ("offer.pairs(own, offer.reach.walk, 1, 2)", "3 things are wanted, and more are given"),
        ("offer.pairs(own, offer.retreat.back, 2, 5000)", "a retreat is of 0 to 1000 spaces"),
        ("offer.pairs(own, offer.retreat.back, 2)", "expected a number, got nil"),
        ("offer.list({ 1, 2 })", "`walk` takes a unit and a space, and a unit is offered"),
    ] {
        // `check` is certain of less where a value comes by way of a local of any type.
        let loose = format!("({}) :: any", offer.replace("offer.", "loose."));
        let mut all = pairs();
        let call = "--- @cite p/1\nfunction turn.act()";
        replace(&mut all, "rulesets/pairs/rules/turn.luau", "--!strict", "--!nonstrict");
        replace(&mut all, "rulesets/pairs/rules/turn.luau", call, &format!("{call}\n  local loose: any = offer"));
        replace(&mut all, "rulesets/pairs/rules/turn.luau", "offer.pairs(own, offer.reach.walk)", &loose);
        let ruleset = load(&all, "pairs", &Selection::default());
        let mut session = Session::new(ruleset.clone(), rules(&ruleset), 0, 1, VERIFY);
        let told = session.advance().expect_err("it fails").to_string();
        assert!(told.contains(wrong), "`{offer}`: {told}");
    }
}

#[test]
fn a_verb_takes_two_things_at_most() {
    let mut all = pairs();
    replace(&mut all, "rulesets/pairs/ruleset.yaml", "takes: [unit, unit]", "takes: [unit, unit, space]");
    let found = countermarch_scripting::load(&all, "pairs", &Selection::default()).expect_err("it is wrong");
    let told: Vec<String> = found.list.iter().map(|d| d.one_line(&all)).collect();
    assert!(told.iter().any(|line| line.contains("a verb takes 2 things at most")), "{told:?}");
}

/// Lines of words that fit and words that do not, at every question of a game: read as anything or as nothing.
#[test]
fn no_line_does_harm() {
    let ruleset = ruleset();
    let words = [
        "walk", "leap", "swap", "feel", "rest", "ann", "al", "bob", "0:1", "-2:0", "99:0", "calm", "shaken", ",", "-1",
        "+",
    ];
    let (mut seed, mut whole, mut halves) = (7u64, 0, 0);
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut watch = |session: &mut Session<Runtime>| {
        for _ in 0..400 {
            let line = (0..next(6)).map(|_| words[next(words.len())]).collect::<Vec<_>>().join(" ");
            let (game, question) = (session.game(), session.question().expect("asked"));
            match read(session, &line) {
                Ok((action, _)) => {
                    whole += 1;
                    assert_eq!(
                        game.why_not(question, action).is_empty(),
                        game.is_offered(question, action),
                        "`{line}`"
                    );
                }
                Err(Misread::Half(half, _)) => {
                    halves += 1;
                    let begins = session.offers().iter().any(|a| (a.verb, a.values[0]) == (half.verb, half.value));
                    assert_eq!(game.why_not_half(question, half).is_empty(), begins, "`{line}`");
                    let _ = read_rest(game, question, half, &line, Sight::ALL);
                }
                Err(_) => (),
            }
            let _ = explain(session, &line, Sight::ALL);
            let text = format!("{}red: {line}  [turn.what]\n", RecordHeader::new(&ruleset, &[], "field", 1));
            let _ = read_record(text).expect("it is a record").entries(&ruleset);
        }
    };
    play_at_random(&ruleset, rules(&ruleset), 2, VERIFY, usize::MAX, &mut watch).expect("plays");
    assert!(whole > 100 && halves > 100, "{whole} whole, {halves} halves");
}

#[test]
fn a_player_looks_at_both_values() {
    let mut all = pairs();
    let bot = "--!strict\nlocal bot = {}\nfunction bot.turn_what(verb, one, about, by, second)\n  return if verb == \"leap\" and one == units.al \
               and second == space_named(\"-5:0\") then 2 else 1\nend\nreturn bot\n";
    all.insert("rulesets/pairs/players/plain.luau", bot.to_owned());
    let ruleset = load(&all, "pairs", &Selection::default());
    let mut session = begun(&ruleset);
    let chosen = Player::plain().choose(&mut session, 1).expect("it has an opinion");
    assert_eq!(Ok((chosen, String::new())), read(&session, "leap al -5:0"));
}

/// A guard may be given five things. Rules hand it all of them, or those behind the first, or those behind two.
#[test]
fn a_guard_is_given_all_that_rules_give_it() {
    let given = |first: &str, behind: &str| format!("given: {{ {first}, {behind} }}");
    let rows =
        |last: &str| format!("unless: [{{ id: wrong, when: \"{last} != 9\", say: \"{last} is lost\", cite: p/1 }}]");
    let three = "a: number, b: number, c: number";
    let guards = format!(
        "  feel: {{ {}, {} }}\n  own: {{ {}, {} }}\n  rest: {{ {}, {} }}\n  felt:\n",
        given("unit: unit, mood: mood", three),
        rows("c"),
        given("unit: unit", &format!("{three}, d: number")),
        rows("d"),
        given(three, "d: number, e: number"),
        rows("e"),
    );
    let mut all = pairs();
    replace(&mut all, "rulesets/pairs/ruleset.yaml", "  feel:\n", &guards);
    let turn = "rulesets/pairs/rules/turn.luau";
    replace(&mut all, turn, "offer.each.own()", "offer.each.may_own(1, 2, 3, 9)");
    replace(&mut all, turn, "offer.each.may_feel)", "offer.each.may_feel, 1, 2, 9)");
    replace(&mut all, turn, "rest = true", "rest = offer.may.rest(1, 2, 3, 4, 9)");
    replace(&mut all, turn, "swap = offer.pairs(own", "swap = offer.pairs(offer.list(each.may_own(1, 2, 3, 9))");
    let ruleset = load(&all, "pairs", &Selection::default());
    let session = begun(&ruleset);
    let offered = |id: &str| session.offers().iter().filter(|action| action.verb == verb(&ruleset, id)).count();
    assert_eq!(["walk", "swap", "feel", "rest"].map(|id| offered(id) > 0), [true; 4]);
    assert_eq!(offered("feel"), 2 * ruleset.units.len(), "whoever is let pass, with each mood");
    for (wrong, says) in [
        ("offer.each.may_own(1, 2, 3, 8)", "d is lost"),
        ("offer.each.may_feel, 1, 2, 8)", "c is lost"),
        ("offer.may.rest(1, 2, 3, 4, 8)", "e is lost"),
    ] {
        let mut all = all.clone();
        replace(&mut all, turn, &wrong.replacen("8)", "9)", 1), wrong);
        let ruleset = load(&all, "pairs", &Selection::default());
        let session = begun(&ruleset);
        let line = if says.starts_with('d') {
            "walk al 0:0"
        } else if says.starts_with('c') {
            "feel shaken al"
        } else {
            "rest"
        };
        let told = refused(&session, line);
        assert!(told.iter().any(|(row, told, _)| row == "wrong" && told.contains(says)), "{wrong}: {told:?}");
    }
}

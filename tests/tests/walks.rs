//! Records walked under two versions: what differs is found, laid to the amendments that make it, and mirrored where the
//! versions change places; and positions carried from one version to another.

use std::{collections::BTreeSet, sync::Arc};

use countermarch_core::{
    library::Library,
    play::{Crossing, Effect, Limits, Match, Record, Session},
    ruleset::{Cite, Holder, Kind, Ruleset, Selection, VersionName},
    show::Sight,
    study::{
        Ask, Aspect, Contrast, Make, Mixtures, Place, Player, ReplayError, Series, Share, Spoken, Voice, Walk, Walked,
        likely, play_out, taken_over,
    },
};
use countermarch_scripting::{Budget, Runtime};
use countermarch_tests::{library, load, replace, root, rules, toy};

fn selection(version: &str) -> Selection {
    Selection { version: VersionName::parse(version), ..Selection::default() }
}

/// The toy game with amendments: two that let units shoot farther only together, one that lets them walk farther, one that
/// nobody notices, and one that brings a property and a counter of its own.
fn amended() -> Library {
    let mut all = toy();
    let tables = "rulesets/toy/tables.yaml";
    replace(&mut all, tables, "terms:\n", "terms:\n  wide: { is: \"false\" }\n  long: { is: \"false\" }\n");
    let far = "distance(unit, target) != 1";
    replace(&mut all, tables, far, "distance(unit, target) > 1 and not (wide and long and distance(unit, target) < 4)");
    let mut add = |name: &str, change: &str| {
        let text = format!("amendment: {name}\ntitle: {name}\nkind: house\nnature: changes\nchange:\n  - {change}\n");
        all.insert(&format!("rulesets/toy/amendments/{name}.yaml"), text);
    };
    add("wide", "{ set: terms/wide/is, was: \"false\", now: \"true\" }");
    add("long", "{ set: terms/long/is, was: \"false\", now: \"true\" }");
    add("fast", "{ set: movers/walk/allowance, was: 2, now: 3 }");
    add("quiet", "{ add: terms, key: idle, item: { is: \"1\" } }");
    add("hungry", "{ add: state/unit, key: fed, item: { is: 0..9, default: 3 } }");
    all
}

fn version(all: &Library, id: &str, version: &str) -> Arc<Ruleset> {
    load(all, id, &selection(version))
}

/// The record of a game that random players have played.
fn played(ruleset: &Arc<Ruleset>, scenario: &str, seed: u64) -> Record {
    let scenario = ruleset.scenario(scenario).expect("it is there");
    let mut session = Session::of(rules(ruleset), Match::new(ruleset.clone(), scenario, seed, Limits::BULK));
    let played = play_out(&mut session, &vec![Player::Random; ruleset.sides.len()]);
    assert_eq!(played.wrong, None);
    session.record().clone()
}

/// Walks records of a version under two others.
fn walked(all: &Library, id: &str, names: [&str; 2], records: &[(Arc<Ruleset>, Record)]) -> (Walked, Vec<Place>) {
    let versions = names.map(|name| version(all, id, name));
    let selections = names.map(selection);
    let mixtures = Mixtures::new([&versions[0], &versions[1]], [&selections[0], &selections[1]]);
    let (library, of) = (all.clone(), id.to_owned());
    let make: Arc<Make<Runtime>> = Arc::new(move |selection| {
        let ruleset = Ruleset::load(&library, &of, selection).ok()?.ruleset;
        let rules = Runtime::new(ruleset.clone(), Budget::default()).ok()?;
        Some((ruleset, rules))
    });
    let mut walk = Walk::new(versions, &mixtures, &make).expect("threads can be begun");
    let mut places = Vec::new();
    for (ruleset, record) in records {
        let make = |ruleset: &Arc<Ruleset>| Ok::<_, ReplayError>(rules(ruleset));
        walk.record((ruleset, record), make, |place| places.push(place.clone())).expect("the record fits its version");
    }
    (walk.walked, places)
}

fn turned<T: Clone>([a, b]: &[T; 2]) -> [T; 2] {
    [b.clone(), a.clone()]
}

/// The same differences, with the versions in each other's place and in no order.
fn mirrored(places: &[Place]) -> Vec<(usize, String, BTreeSet<String>)> {
    let contrast = |c: &Contrast| {
        let mirror =
            Contrast { offered: turned(&c.offered), stands: turned(&c.stands), by: turned(&c.by), ..c.clone() };
        format!("{mirror:?}")
    };
    places.iter().map(|p| (p.answer, p.line.clone(), p.contrasts.iter().map(contrast).collect())).collect()
}

fn plain(places: &[Place]) -> Vec<(usize, String, BTreeSet<String>)> {
    let contrast = |c: &Contrast| format!("{c:?}");
    places.iter().map(|p| (p.answer, p.line.clone(), p.contrasts.iter().map(contrast).collect())).collect()
}

#[test]
fn a_difference_is_laid_to_all_that_it_takes_and_to_nothing_else() {
    let all = amended();
    let base = version(&all, "toy", "base");
    let records: Vec<_> = (1..=12).map(|seed| (base.clone(), played(&base, "meeting", seed))).collect();
    let (walked, places) = walked(&all, "toy", ["base", "base+wide+long+quiet"], &records);
    assert_eq!(walked.records, 12);
    assert!(!places.is_empty(), "somebody comes within reach");
    let both = ["long".to_owned(), "wide".to_owned()];
    for contrast in places.iter().flat_map(|place| &place.contrasts) {
        assert_eq!(contrast.by[0], both, "neither does it alone: {contrast:?}");
        assert_eq!(contrast.by[1].len(), 1, "without either it is gone: {contrast:?}");
        assert!(both.contains(&contrast.by[1][0]));
    }
    // One that changes nothing that anybody sees makes no difference.
    assert_eq!(self::walked(&all, "toy", ["base", "base+quiet"], &records).1, Vec::new());
}

#[test]
fn choices_costs_and_effects_are_held_against_each_other() {
    let all = amended();
    let base = version(&all, "toy", "base");
    let records = [(base.clone(), played(&base, "meeting", 3))];
    let (walked, places) = walked(&all, "toy", ["base", "base+fast"], &records);
    let contrasts: Vec<&Contrast> = places.iter().flat_map(|place| &place.contrasts).collect();
    let farther =
        contrasts.iter().find(|c| c.aspect == Aspect::Choice).expect("who walks farther has more to choose from");
    assert_eq!(farther.offered, [false, true]);
    assert!(
        farther.stands[0].iter().any(|why| !why.is_empty()),
        "why the first does not offer it is told: {farther:?}"
    );
    let dearer = contrasts.iter().find(|c| c.aspect == Aspect::Cost).expect("there is more to be spent");
    assert_eq!(
        dearer.stands,
        [["1 of 2 movement points"], ["1 of 3 movement points"]].map(|line| line.map(str::to_owned).to_vec())
    );
    assert!(contrasts.iter().all(|c| c.by == [["fast"], ["fast"]].map(|by| by.map(str::to_owned).to_vec())));
    assert_eq!(walked.decisions[0] + walked.rolls[0], records[0].1.entries.len());
    assert_eq!(walked.off, [0, 0], "both follow the record all the way");
}

#[test]
fn versions_that_change_places_mirror_what_is_told() {
    let all = amended();
    let base = version(&all, "toy", "base");
    let fast = version(&all, "toy", "base+fast");
    let records: Vec<_> = (1..=6)
        .flat_map(|seed| {
            [(base.clone(), played(&base, "meeting", seed)), (fast.clone(), played(&fast, "surprise", seed))]
        })
        .collect();
    for names in [
        ["base", "base+fast"],
        ["base+wide", "base+long+hungry"],
        ["base+wide+long", "base+fast"],
        ["base", "base+wide+long"],
    ] {
        let (there, back) = (walked(&all, "toy", names, &records), walked(&all, "toy", turned(&names), &records));
        assert_eq!(mirrored(&there.1), plain(&back.1), "{names:?}");
        assert_eq!(turned(&there.0.off), back.0.off);
        assert_eq!(turned(&there.0.put_back), back.0.put_back);
    }
}

#[test]
fn a_real_record_is_mirrored_too_and_walked_on_after_the_versions_part() {
    let games = library(&root());
    let base = version(&games, "gettysburg-88", "base");
    let records = [(base.clone(), played(&base, "first-morning", 7))];
    let names = ["base", "base+1+8+14"];
    let (there, back) =
        (walked(&games, "gettysburg-88", names, &records), walked(&games, "gettysburg-88", turned(&names), &records));
    assert!(there.0.decisions[1] > 0, "{:?}", there.0);
    assert_eq!(mirrored(&there.1), plain(&back.1));
    let last = there.1.last().expect("they differ").answer;
    assert!(last > records[0].1.entries.len() / 2, "it goes on to the end: {last}");
}

/// What the record's version does not know is kept as the version has it that does.
#[test]
fn what_only_one_version_knows_is_not_lost_where_it_is_put_back() {
    let all = amended();
    let (base, hungry) = (version(&all, "toy", "base"), version(&all, "toy", "base+hungry"));
    let begun = |ruleset: &Arc<Ruleset>, seed: u64| {
        let mut session = Session::of(rules(ruleset), Match::new(ruleset.clone(), 0, seed, Limits::PLAY));
        session.advance().expect("it begins");
        session
    };
    let record = begun(&base, 1);
    let mut own = Session::of(rules(&hungry), Match::new(hungry.clone(), 0, 1, Limits::PLAY));
    let fed = hungry.schema.column(Holder::Unit, "fed").expect("the amendment brings it");
    let ann = hungry.find_id(Kind::Unit, "ann").expect("she is there");
    own.by_hand(|game| {
        game.apply(Effect::Set { column: fed, of: ann, value: 7, cite: Cite::NONE }).expect("it may be");
    });
    own.advance().expect("it begins");
    let (crossing, same) = (Crossing::new(&base, &hungry), Crossing::new(&hungry, &hungry));
    let kept = Session::of(rules(&hungry), crossing.carry(&record.fork(), &[(&same, &own.fork())]));
    assert_eq!(kept.game().get(fed, ann), 7);
    let lost = Session::of(rules(&hungry), crossing.carry(&record.fork(), &[]));
    assert_eq!(lost.game().get(fed, ann), 3, "nobody knows better than its default");
    for session in [&kept, &lost] {
        assert!(crossing.agree(record.game(), session.game()));
        let place = |session: &Session<Runtime>, unit: &str| {
            let ruleset = session.ruleset();
            let unit = ruleset.find_id(Kind::Unit, unit).expect("it is there");
            ruleset.id_of(Kind::Space, session.game().place(unit))
        };
        for unit in ["ann", "bob"] {
            assert_eq!(place(&record, unit), place(session, unit));
        }
        assert_eq!(session.question().map(|q| q.key), record.question().map(|q| q.key));
    }
}

/// A version in which numbers are others stands where the first does all the same, at every answer of a game.
#[test]
fn positions_and_answers_cross_by_names() {
    let mut all = toy();
    let units = "units:\n  - { id: ann,";
    replace(
        &mut all,
        "rulesets/toy/ruleset.yaml",
        units,
        "units:\n  - { id: zed, name: Zed, side: blue, type: foot, strength: 0 }\n  - { id: ann,",
    );
    replace(&mut all, "rulesets/toy/ruleset.yaml", "mood: [calm, shaken]", "mood: [furious, calm, shaken]");
    let (plain, more) = (load(&toy(), "toy", &Selection::default()), load(&all, "toy", &Selection::default()));
    let (crossing, back) = (Crossing::new(&plain, &more), Crossing::new(&more, &plain));
    let mut session = Session::of(rules(&plain), Match::new(plain.clone(), 0, 5, Limits::PLAY));
    session.advance().expect("it begins");
    let mut looked_at = 0;
    while let Some(question) = session.question().cloned() {
        let taken = taken_over(&session, &more, rules(&more)).expect("it takes the position");
        assert!(crossing.agree(session.game(), taken.game()));
        let offered: Vec<_> =
            session.offers().iter().map(|action| crossing.action(*action).expect("it has them all")).collect();
        assert_eq!(taken.offers().iter().collect::<BTreeSet<_>>(), offered.iter().collect());
        assert!(offered.iter().zip(session.offers()).all(|(there, here)| back.action(*there) == Some(*here)));
        let chosen = Player::Random.choose(&mut session, 5).expect("somebody is asked");
        session.act(question.by, chosen).expect("it is offered");
        looked_at += 1;
    }
    assert!(looked_at > 5);
}

/// A marker at the end of a track that is longer in one version lies at the end of the shorter one, and not at its start.
#[test]
fn a_number_that_a_version_has_no_room_for_is_the_nearest_it_has() {
    let mut all = toy();
    replace(&mut all, "rulesets/toy/ruleset.yaml", "shots: { is: 0..9,", "shots: { is: 2..5, default: 2,");
    let (long, short) = (load(&toy(), "toy", &Selection::default()), load(&all, "toy", &Selection::default()));
    let crossing = Crossing::new(&long, &short);
    let (shots, ann) = (long.schema.column(Holder::Unit, "shots"), long.unit("ann"));
    let (shots, ann) = (shots.expect("declared"), ann.expect("she is there"));
    for (value, fitting) in [(0, 2), (4, 4), (5, 5), (6, 5), (9, 5)] {
        let mut session = Session::of(rules(&long), Match::new(long.clone(), 0, 1, Limits::PLAY));
        session.by_hand(|game| {
            let set = Effect::Set { column: shots, of: ann, value, cite: Cite::NONE };
            game.apply(set).expect("it may be");
        });
        session.advance().expect("it begins");
        let carried = Session::of(rules(&short), crossing.carry(&session.fork(), &[]));
        let there = short.schema.column(Holder::Unit, "shots").expect("declared");
        assert_eq!(carried.game().get(there, ann), fitting, "{value}");
        assert!(crossing.agree(session.game(), carried.game()), "{value}: they agree as far as there is room");
    }
}

fn ask(players: Vec<Option<Player>>, most: usize, sight: Sight) -> Ask {
    Ask { players, sight, most, tries: 4_000, seed: 9 }
}

#[test]
fn odds_are_exact_and_tries_come_near_them() {
    let games = library(&root());
    let base = version(&games, "gettysburg-88", "base");
    let mut session = Session::of(
        rules(&base),
        Match::new(base.clone(), base.scenario("first-morning").expect("there"), 7, Limits::PLAY),
    );
    session.advance().expect("it begins");
    session.chance = countermarch_core::play::Chance::Person;
    while session.roll().is_none() {
        let by = session.question().expect("a battle comes").by;
        let action = Player::plain().choose(&mut session, 7).expect("it has a player");
        session.act(by, action).expect("it is offered");
    }
    let before = session.game().hash();
    let sides = vec![None; base.sides.len()];
    let exact = likely(&mut session, &ask(sides.clone(), 20_000, Sight::ALL)).expect("it goes on");
    assert_eq!(session.game().hash(), before, "nothing has happened");
    let sum = exact.outcomes.iter().map(|(_, share)| match share {
        Share::Exact(part, of) => *part as f64 / *of as f64,
        Share::Tried(..) => panic!("all ways could be gone"),
    });
    assert!((sum.sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(exact.outcomes.len() > 1 && exact.ways >= 100, "two dice of ten: {exact:?}");
    let tried = likely(&mut session, &ask(sides, 50, Sight::ALL)).expect("it goes on");
    let mut outside = 0;
    for (came, share) in &tried.outcomes {
        let [least, most] = share.bounds();
        assert!(least < share.value() && share.value() < most);
        let known = exact.outcomes.iter().find(|(other, _)| other == came).map_or(0.0, |(_, share)| share.value());
        outside += usize::from(!(least..=most).contains(&known));
    }
    assert!(outside <= 1, "{outside} of {} lie outside their bounds", tried.outcomes.len());
}

/// Who lies low is nobody that the enemy knows, so nothing is told of what a shot at them comes to.
#[test]
fn odds_tell_nothing_that_is_hidden() {
    let ruleset = version(&amended(), "toy", "base+wide+long");
    let mut looked_at = 0;
    for seed in 1..60 {
        let mut session = Session::of(rules(&ruleset), Match::new(ruleset.clone(), 0, seed, Limits::PLAY));
        session.chance = countermarch_core::play::Chance::Person;
        session.advance().expect("it begins");
        loop {
            if let Some(roll) = session.roll().cloned() {
                let target = roll.about.as_unit().expect("it is about whom is shot at");
                let shooter = 1 - ruleset.units[target as usize].side;
                let sight = Sight::of(shooter, &ruleset);
                if sight.is_concealed(session.game(), Kind::Unit, target) {
                    looked_at += 1;
                    let told = likely(&mut session, &ask(vec![None, None], 1000, sight)).expect("it goes on");
                    assert_eq!(told.outcomes.len(), 1, "{told:?}");
                    let names = [&ruleset.units[target as usize].name, "lost"];
                    let all = told.outcomes[0].0.told.join(" ");
                    assert!(names.iter().all(|name| !all.contains(*name)), "{all}");
                    let open = likely(&mut session, &ask(vec![None, None], 1000, Sight::ALL)).expect("it goes on");
                    assert!(open.outcomes.len() > 1, "who sees everything is told: {open:?}");
                }
                session.act_roll(1).expect("a die shows it");
                continue;
            }
            let Some(by) = session.question().map(|question| question.by) else { break };
            let action = Player::Random.choose(&mut session, seed).expect("somebody is asked");
            session.act(by, action).expect("it is offered");
        }
    }
    assert!(looked_at > 0);
}

fn heard(ruleset: &Arc<Ruleset>, games: u64, jobs: usize) -> Spoken {
    let players = vec![Player::Random; ruleset.sides.len()];
    let series = Series { scenario: 0, seed: 1, games, players, limits: Limits::BULK, when: None, jobs };
    let make = || Runtime::watching_closely(ruleset.clone(), Budget::default());
    Spoken::over(&series, ruleset, make, || ()).expect("the rules were checked")
}

#[test]
fn what_speaks_in_play_is_heard_whatever_the_jobs() {
    let all = amended();
    let ruleset = version(&all, "toy", "base+fast+hungry+wide");
    let spoken = heard(&ruleset, 40, 1);
    assert_eq!(spoken, heard(&ruleset, 40, 3));
    assert_eq!((spoken.games, spoken.failed.len()), (40, 0));
    let paragraph =
        |id: &str| spoken.paragraphs(&ruleset).into_iter().find(|(known, _)| *known == id).expect("it is there").1;
    assert!(paragraph("t/1").times() >= spoken.decisions / 2, "units move all the time");
    assert!(paragraph("t/6").times() > 0, "some lie low");
    assert_eq!(paragraph("t/7").times(), 0, "nobody is surprised in a meeting");
    let row = |path: &str| spoken.rows(&ruleset).into_iter().find(|(known, ..)| known == path).expect("it is there").2;
    for path in [
        "may/move/unless/theirs",
        "may/move/unless/moved",
        "may/enter/unless/taken",
        "may/shoot/unless/far",
        "movers/walk/step/open",
    ] {
        assert!(row(path).times() > 0, "{path}: {:?}", row(path));
    }
    assert_eq!(row("may/lie-in-wait/unless/close"), Voice::Never);
    assert!(
        matches!(row("sum/aim/rows/shaken"), Voice::Asked(1..)),
        "nobody is shaken: {:?}",
        row("sum/aim/rows/shaken")
    );
    let amendment = |id: &str| {
        let amendment = ruleset.amendments.iter().find(|amendment| amendment.id == id).expect("it is there");
        spoken.amendment(&ruleset, amendment)
    };
    assert!(amendment("fast").times() > 0);
    assert_eq!(amendment("hungry"), Voice::Standing);
}

//! Sets that rulesets name: what they are made of, what questions offer of them, and several things given as one.

use std::sync::Arc;

use countermarch_core::{
    map::SpaceId,
    play::{Action, Game, Limits, Set, given},
    ruleset::{Kind, Selection},
    show::Words,
};
use countermarch_tests::{load, play_at_random, replace, rules, toy};

const LIMITS: Limits = Limits { log: true, ..Limits::BULK };

/// The toy game with sets of its own, asked of the position in which its first scenario begins.
#[test]
fn sets_are_made_of_sets() {
    let sets = "sets:\n  \
        there: { of: units, where: \"on-map(unit)\" }\n  \
        own: { of: units, given: { side: side }, where: \"unit.side = side and on-map(unit)\" }\n  \
        foes: { of: units, given: { side: side }, where: \"unit.side != side and on-map(unit)\" }\n  \
        mine: { of: units, where: \"unit.side = phasing\" }\n  \
        open: { of: spaces, where: \"not busy(space)\" }\n  \
        all: { of: \"union(own(side), foes(side))\", given: { side: side } }\n  \
        none: { of: \"common(own(side), foes(side))\", given: { side: side } }\n  \
        rest: { of: \"without(all(side), own(side))\", given: { side: side } }\n  \
        first: { of: \"first-of(none(side), foes(side), own(side))\", given: { side: side } }\n  \
        closest: { of: \"nearest(foes(unit.side), unit)\", given: { unit: unit } }\n  \
        clearing: { of: \"region(open, space)\", given: { space: space }, as: s, where: \"s != space\" }\n  \
        apart: { of: \"region(spaces(wood), space)\", given: { space: space } }\n  \
        plain: { of: \"largest-region(open)\" }\n  \
        body: { of: \"region(there, unit, at-hand)\", given: { unit: unit } }\n  \
        main-body: { of: \"largest-region(there, at-hand)\" }\n";
    let mut all = toy();
    let path = "rulesets/toy/tables.yaml";
    let text = all.text(path).expect("the toy has it").replacen("sets:\n", sets, 1);
    let at_hand = "terms:\n  at-hand: { given: { a: unit, b: unit }, is: \"distance(a, b) <= 2\" }\n";
    let text = text.replacen("terms:\n", at_hand, 1);
    all.insert(path, text);
    let toy = load(&all, "toy", &Selection::default());
    let session = play_at_random(&toy, rules(&toy), 3, LIMITS, 2, &mut |_| ()).expect("the toy plays");
    let game = session.game();
    let members = |name: &str, given: i32| {
        let at = toy.sets.iter().position(|set| set.name == name).expect("declared");
        game.members_given(at as u16, &[given])
    };
    let units = 0..toy.units.len() as i32;
    let there: Vec<i32> = units.filter(|unit| game.space_of(*unit) >= 0).collect();
    let side_of = |unit: i32| toy.units[unit as usize].side;
    for side in 0..2 {
        let foes: Vec<i32> = there.iter().copied().filter(|unit| side_of(*unit) != side).collect();
        assert_eq!(members("all", side), there);
        assert!(members("none", side).is_empty());
        assert_eq!(members("rest", side), foes);
        assert_eq!(members("first", side), foes);
        assert!(!foes.is_empty());
    }
    let phasing = game.phasing();
    assert!(members("mine", -1).iter().all(|unit| side_of(*unit) == phasing));
    for unit in &there {
        let from = SpaceId(game.space_of(*unit) as u32);
        let far = |foe: i32| toy.map.distance(from, SpaceId(game.space_of(foe) as u32));
        let foes: Vec<i32> = there.iter().copied().filter(|foe| side_of(*foe) != side_of(*unit)).collect();
        let least = foes.iter().map(|foe| far(*foe)).min();
        let wanted: Vec<i32> = foes.into_iter().filter(|foe| Some(far(*foe)) == least).collect();
        assert_eq!(members("closest", *unit), wanted);
    }
    let copse = toy.map.find("0:0").expect("the map has it").0 as i32;
    assert_eq!(members("apart", copse), [copse], "the only wood");
    let elsewhere = toy.map.find("-3:0").expect("the map has it").0 as i32;
    assert!(members("apart", elsewhere).is_empty(), "it is no wood");
    let open = members("open", -1);
    let clearing = members("clearing", open[0]);
    assert!(!clearing.contains(&open[0]) && clearing.iter().all(|space| open.contains(space)));
    assert_eq!(clearing.len() + 1, open.len(), "the meadow hangs together");
    assert_eq!(members("plain", -1), open);
    // The same by hand: whoever is at hand of somebody found is found, until nobody is.
    let at = |unit: i32| SpaceId(game.space_of(unit) as u32);
    let body = |unit: i32| {
        let mut found = vec![unit];
        while let Some(more) = there
            .iter()
            .find(|one| !found.contains(one) && found.iter().any(|other| toy.map.distance(at(**one), at(*other)) <= 2))
        {
            found.push(*more);
        }
        found.sort_unstable();
        found
    };
    for unit in &there {
        assert_eq!(members("body", *unit), body(*unit));
    }
    // Of parts as large, the one with the first unit.
    let most = there.iter().map(|unit| body(*unit)).rev().max_by_key(Vec::len);
    assert_eq!(Some(members("main-body", -1)), most);
    assert!(most.is_some_and(|most| most.len() < there.len()), "they are apart");
}

#[test]
fn conditions_ask_where_a_move_can_end() {
    let mut all = toy();
    let sets = "sets:\n  in-reach: { of: \"reachable(walk, unit)\", given: { unit: unit } }\n  among: { of: spaces, given: { unit: unit }, \
                where: \"any(reachable(walk, unit) as s, s = space)\" }\n  beside: { of: spaces, given: { unit: unit }, where: \
                \"any(reachable(walk, unit) as s, distance(s, space) = 1)\" }\n";
    replace(&mut all, "rulesets/toy/tables.yaml", "sets:\n", sets);
    let move_on = "may:\n  go-on: { given: { unit: unit, space: space }, unless: [{ id: stuck, when: \"not any(reachable(walk, unit) as \
                   s, true)\", say: \"it is stuck\", cite: t/1 }] }\n";
    replace(&mut all, "rulesets/toy/tables.yaml", "may:\n", move_on);
    let rooted = "zones:\n  rooted: { units: \"not any(reachable(walk, unit) as s, true)\", range: 0, cite: t/1 }\n";
    replace(&mut all, "rulesets/toy/tables.yaml", "zones:\n", rooted);
    let toy = load(&all, "toy", &Selection::default());
    let [in_reach, among, beside] = ["in-reach", "among", "beside"]
        .map(|name| toy.sets.iter().position(|set| set.name == name).expect("declared") as u16);
    let go_on = toy.rows.iter().position(|rows| rows.name == "go-on").expect("declared") as u16;
    let given = [("unit", Kind::Unit), ("to", Kind::Space)];
    let comes_to = toy.condition("any(reachable(walk, unit) as s, s = to)", &given).expect("it reads");
    let farther = toy.condition("any(reachable(walk, unit) as s, distance(s, to) > 1)", &given).expect("it reads");
    let rooted = toy.condition("on-map(unit) and rooted(unit, unit.side)", &given[..1]).expect("it reads");
    let (mut seen, mut somewhere) = (0, 0);
    let mut look = |game: &Game| {
        for unit in (-1..toy.units.len() as i32).rev() {
            let m = game.move_of(0, unit.max(0), None).expect("there is a mover");
            let mut wanted: Vec<i32> = game.reached(&m).iter().map(|r| r.space.0 as i32).collect();
            wanted.sort_unstable();
            if unit < 0 {
                wanted.clear();
            }
            assert_eq!(game.members_given(in_reach, &[unit]), wanted);
            assert_eq!(game.members_given(among, &[unit]), wanted);
            let is_beside = |to: SpaceId| wanted.iter().any(|end| toy.map.distance(SpaceId(*end as u32), to) == 1);
            let near: Vec<i32> = toy.map.spaces().filter(|to| is_beside(*to)).map(|to| to.0 as i32).collect();
            assert_eq!(game.members_given(beside, &[unit]), near);
            for to in toy.map.spaces() {
                let is_far = |end: &i32| toy.map.distance(SpaceId(*end as u32), to) > 1;
                let to = to.0 as i32;
                assert_eq!(game.holds(&comes_to, &[unit, to]), wanted.contains(&to));
                assert_eq!(game.holds(&farther, &[unit, to]), wanted.iter().any(is_far));
            }
            // A guard may ask it of the very move whose ends it is asked of.
            if unit >= 0 {
                let ends = game.values(&Set::Ends { of: Arc::new(m), rows: go_on, spare: 0 });
                assert_eq!(ends.is_empty(), wanted.is_empty());
                assert_eq!(game.holds(&rooted, &[unit]), game.space_of(unit) >= 0 && wanted.is_empty());
            }
            seen += 1;
            somewhere += usize::from(!wanted.is_empty());
        }
    };
    for seed in 0..20 {
        play_at_random(&toy, rules(&toy), seed, LIMITS, 100, &mut |s| look(s.game())).expect("the toy plays");
    }
    assert!(seen > 500 && somewhere > seen / 2 && somewhere < seen, "{somewhere} of {seen}");
}

#[test]
fn what_a_question_offers_may_be_a_set_and_says_who_is_not_in_it() {
    let mut all = toy();
    let movable = "sets:\n  theirs: { of: units, where: \"unit.side = phasing\", say: \"it is not yours\", cite: t/1 }\n  movable: { of: \
                   theirs, where: \"on-map(unit) and not unit.moved\", say: \"it may not move now\", cite: t/1 }\n";
    replace(&mut all, "rulesets/toy/tables.yaml", "sets:\n", movable);
    replace(&mut all, "rulesets/toy/rules/march.luau", "offer.each.may_move()", "offer.each.movable()");
    let sets = load(&all, "toy", &Selection::default());
    let guards = load(&toy(), "toy", &Selection::default());
    let mut told = Vec::new();
    for ruleset in [&sets, &guards] {
        let mut offers = Vec::new();
        let session = play_at_random(ruleset, rules(ruleset), 5, LIMITS, 40, &mut |s| offers.push(s.offers().to_vec()));
        offers.push(session.expect("the toy plays").offers().to_vec());
        told.push(offers);
    }
    assert_eq!(told[0], told[1], "a set offers what guards let pass");
    let session = play_at_random(&sets, rules(&sets), 5, LIMITS, 0, &mut |_| ()).expect("the toy plays");
    let question = session.question().expect("somebody is asked");
    let other = sets.units.iter().position(|unit| unit.side != question.by).expect("there are two sides");
    let verb = sets.verbs.iter().position(|verb| verb.id == "move").expect("declared") as u16;
    let refusals = session.game().why_not(question, Action::of(verb, other as i32));
    assert_eq!(refusals.len(), 1);
    assert_eq!(
        (&*refusals[0].row, &*Words::all(&sets).say(&refusals[0].said)),
        ("theirs", "it is not yours"),
        "the first set that it is not in tells why"
    );
}

/// The toy game whose first question offers a set, declared so, with what is said of one who is none of it.
fn why_not_movable(sets: &str, is_own: bool) -> Vec<String> {
    let mut all = toy();
    let theirs = "sets:\n  theirs: { of: units, where: \"unit.side = phasing\", say: \"it is not yours\" }\n";
    replace(&mut all, "rulesets/toy/tables.yaml", "sets:\n", &format!("{theirs}{sets}"));
    replace(&mut all, "rulesets/toy/rules/march.luau", "offer.each.may_move()", "offer.each.movable()");
    let toy = load(&all, "toy", &Selection::default());
    let session = play_at_random(&toy, rules(&toy), 5, LIMITS, 0, &mut |_| ()).expect("the toy plays");
    let question = session.question().expect("somebody is asked");
    let unit = toy.units.iter().position(|unit| (unit.side == question.by) == is_own).expect("there are two sides");
    let verb = toy.verbs.iter().position(|verb| verb.id == "move").expect("declared") as u16;
    let refusals = session.game().why_not(question, Action::of(verb, unit as i32));
    refusals.iter().map(|refusal| Words::all(&toy).say(&refusal.said)).collect()
}

#[test]
fn of_a_set_made_of_several_each_says_who_is_not_in_it() {
    let sets = "  gone: { of: units, where: \"not on-map(unit)\", say: \"it is on the map\" }\n  movable: { of: \"union(theirs, \
                gone)\", where: \"not unit.moved\", say: \"it has moved\" }\n";
    assert_eq!(why_not_movable(sets, false), ["it is not yours", "it is on the map"]);
    let sets = "  movable: { of: \"without(units, theirs)\", where: \"not unit.moved\", say: \"it has moved\" }\n  foes: { of: \
                movable }\n";
    assert_eq!(why_not_movable(sets, true), ["that is not among the choices"], "it has not");
}

#[test]
fn terms_and_sets_are_given_several_things() {
    let terms = "terms:\n  \
        heavy: { given: { many: units }, is: \"total(many as m, m.strength) > 3\" }\n  \
        foot: { given: { many: units }, is: \"count(many as m, on-map(m))\" }\n  \
        all-foot: { given: { many: units, other: units }, is: \"foot(many) + foot(union(many, other))\" }\n";
    let sets = "sets:\n  \
        company: { of: \"units-at(unit)\", given: { unit: unit } }\n  \
        around: { of: \"union(many, many)\", given: { many: units }, as: m, where: \"any(units-near(m) as n, true)\" }\n  \
        present: { of: \"union(many, many)\", given: { many: units }, as: m, where: \"on-map(m)\" }\n  \
        fewer: { of: units, given: { many: units }, where: \"on-map(unit) and (unit.strength > 0 or unit.moved) and \
        count(many as m, true) >= unit.strength\" }\n";
    let sums = "sum:\n  \
        crowd: { given: { many: units, at: spaces }, rows: [{ id: all, value: \"count(many as m, any(at as s, m.space = s))\", \
        say: counted, cite: t/1 }] }\n";
    let mut all = toy();
    let path = "rulesets/toy/tables.yaml";
    let text = all.text(path).expect("the toy has it").replacen("sets:\n", sets, 1);
    let text = text.replacen("terms:\n", terms, 1).replacen("sum:\n", sums, 1);
    assert!(text.contains("all-foot") && text.contains("crowd"), "the toy has other lists now");
    all.insert(path, text);
    let toy = load(&all, "toy", &Selection::default());
    let session = play_at_random(&toy, rules(&toy), 3, LIMITS, 2, &mut |_| ()).expect("the toy plays");
    let game = session.game();
    let unit = (0..toy.units.len() as i32).find(|unit| game.space_of(*unit) >= 0).expect("somebody is there");
    let number = |text: &str| {
        let when = toy.condition(&format!("{text} = wanted"), &[("unit", Kind::Unit), ("wanted", Kind::Int)]);
        let when = when.unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        (0..50).find(|wanted| game.holds(&when, &[unit, *wanted])).expect("a small number")
    };
    let there = game.units_at(game.place(unit)).count() as i32;
    let all = (0..toy.units.len() as i32).filter(|unit| game.space_of(*unit) >= 0).count() as i32;
    assert_eq!(number("foot(unit)"), 1, "one thing is a set of one");
    assert_eq!(number("foot(if(unit.strength < 0, nothing, unit))"), 1, "and so is whatever comes to one");
    assert_eq!(number("foot(if(unit.strength < 0, unit, nothing))"), 0);
    let wrong = toy.condition("any(distance(unit, unit) as far, true)", &[("unit", Kind::Unit)]);
    assert!(wrong.is_err_and(|wrong| wrong.to_string().contains("number is not a set")));
    assert_eq!(number("foot(units-at(unit))"), there);
    assert_eq!(number("foot(units)"), all);
    assert_eq!(number("foot(nothing)"), 0);
    assert_eq!(number("all-foot(company(unit), units)"), there + all);
    let near = (0..toy.units.len() as i32).filter(|unit| {
        let space = u32::try_from(game.space_of(*unit)).ok().map(SpaceId);
        space.is_some_and(|space| toy.map.near(space).any(|near| game.first_at(near.0 as i32) >= 0))
    });
    assert_eq!(number("count(around(units) as m, true)"), near.count() as i32);
    assert_eq!(game.groups.mark(), 0, "whatever was handed on is forgotten");
    let rows = toy.rows.iter().position(|rows| rows.name == "crowd").expect("declared") as u16;
    let many = game.groups.keep(0..toy.units.len() as i32);
    let at = game.groups.keep([game.place(unit)]);
    assert_eq!(game.read_rows(rows, &[many, at]), there);
    game.groups.back_to(0);
    let present = toy.sets.iter().position(|set| set.name == "present").expect("declared") as u16;
    let present = Set::Named { set: present, given: given(&[0]) };
    let counted = [0..toy.units.len() as i32, 0..0].map(|many| {
        assert_eq!(game.groups.keep(many), 0, "the handle of the one is that of the other");
        let counted = [game.count_of(&present), game.values(&present).len()].map(|count| count as i32);
        game.groups.back_to(0);
        counted
    });
    assert_eq!(counted, [[all; 2], [0; 2]]);
    let fewer = toy.sets.iter().position(|set| set.name == "fewer").expect("declared") as u16;
    let fewer = [0..toy.units.len() as i32, 0..0].map(|many| {
        let found = game.members_given(fewer, &[game.groups.keep(many)]).len() as i32;
        game.groups.back_to(0);
        found
    });
    assert_eq!(fewer, [all, 0], "what is asked of each hangs on the others");
}

#[test]
fn a_refusal_names_what_its_condition_finds() {
    let mut all = toy();
    let moved = "when: \"unit.moved\", say: \"it has moved\"";
    let found = "when: \"on-map(unit) and any(units as other, other.side != unit.side)\", say: \"{other} bars {unit}\"";
    replace(&mut all, "rulesets/toy/tables.yaml", moved, found);
    let toy = load(&all, "toy", &Selection::default());
    let session = play_at_random(&toy, rules(&toy), 5, LIMITS, 0, &mut |_| ()).expect("the toy plays");
    let guard = toy.rows.iter().position(|rows| rows.name == "move").expect("declared") as u16;
    let told = |unit: i32| {
        let refusals = session.game().refusals(guard, &[unit]);
        let moved = refusals.iter().find(|refusal| &*refusal.row == "moved").expect("it refuses");
        Words::all(&toy).say(&moved.said)
    };
    assert_eq!([told(0), told(1)], ["Bob bars Ann", "Ann bars Bob"]);
}

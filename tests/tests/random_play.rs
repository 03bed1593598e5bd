//! Laws that hold in every game, tried by random legal play with printed seeds.

use countermarch_core::{
    play::{Action, Chance, Limits, Session},
    ruleset::{Kind, Selection, VersionName, rows::Read},
    show::{RecordHeader, RecordText, Sight, Words, read_action, read_record, record_line},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{go_on_at_random, library, load, play_at_random, root, rules, toy};

const VERIFY: Limits = Limits { undo: true, verify: true, log: true, forced: true };

#[test]
fn a_task_carried_out_again_comes_out_the_same_and_every_game_ends() {
    for (library, id, games) in [
        (toy(), "toy", 200),
        (library(&root()), "gettysburg-corps", 150),
        (library(&root()), "gettysburg-77", 4),
        (library(&root()), "gallop", 20),
        (library(&root()), "tmag", 6),
    ] {
        let ruleset = load(&library, id, &Selection::default());
        let mut kept = Some(rules(&ruleset));
        for seed in 0..games {
            let limits = Limits { undo: false, log: false, ..VERIFY };
            let rules = kept.take().expect("rules come back after every game");
            let played = play_at_random(&ruleset, rules, seed, limits, usize::MAX, &mut |_| ());
            let session = played.unwrap_or_else(|wrong| panic!("{id}, seed {seed}: {wrong}"));
            assert!(session.game().outcome().is_some(), "{id}, seed {seed}: no end");
            kept = Some(session.into_rules());
        }
    }
}

/// Positions that no source prints must be such as the rules could have brought about.
#[test]
fn every_day_of_the_brigades_begins_as_units_may_stand_and_can_be_played() {
    let ruleset = load(&library(&root()), "gettysburg-77", &Selection::default());
    let overstacked = ruleset.terms.iter().find(|w| w.name == "overstacked").expect("a word of the game");
    let zoc = ruleset.zones.iter().position(|z| z.name == "zoc").expect("a zone of the game") as u16;
    let mut kept = Some(rules(&ruleset));
    for (at, scenario) in ruleset.scenarios.iter().enumerate() {
        let session = Session::new(ruleset.clone(), kept.take().expect("come back"), at, 7, VERIFY);
        for unit in 0..ruleset.units.len() as i32 {
            let (side, space) = (ruleset.units[unit as usize].side, session.game().space_of(unit));
            let (unit, of) = (&ruleset.units[unit as usize].name, &scenario.id);
            assert!(
                !session.game().holds(&overstacked.body, &[space, side]),
                "{of}: {unit} stands in too high a stack"
            );
            assert!(!session.game().in_zone(zoc, side, space), "{of}: {unit} stands next to an enemy");
        }
        let session = go_on_at_random(session, 250, &mut |_| ()).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(session.entries() >= 250 || session.game().outcome().is_some(), "{}", scenario.id);
        kept = Some(session.into_rules());
    }
    assert!(ruleset.scenarios.len() >= 6);
}

/// Lists are sifted with much put in place of asking one by one: bit sets, what is printed, what is at its default.
#[test]
fn what_guards_let_pass_of_a_list_is_what_they_let_pass_one_by_one() {
    let library = library(&root());
    let mut compared = 0;
    for (id, seed, most) in [
        ("gettysburg-corps", 5, 200),
        ("gettysburg-77", 6, 240),
        ("gettysburg-77@optional", 7, 120),
        ("gallop", 8, 120),
        ("tmag@errata-1997-05", 8, 160),
    ] {
        let (id, version) = id.split_once('@').unwrap_or((id, "base"));
        let version = VersionName::parse(version);
        let ruleset = load(&library, id, &Selection { version, ..Selection::default() });
        let scenario = ruleset.scenarios.len() - 1;
        let mut answers = 0usize;
        let mut watch = |session: &mut Session<Runtime>| {
            answers += 1;
            if answers % 40 != 1 {
                return;
            }
            let game = session.game();
            for (at, rows) in ruleset.rows.iter().enumerate().filter(|(_, r)| r.read == Read::May) {
                let Some(((_, first), rest)) = rows.given.split_first() else { continue };
                if rest.len() > 3 || !matches!(first, Kind::Unit | Kind::Space) {
                    continue;
                }
                let members = ruleset.all_of(*first);
                for turn in 0..3 {
                    // One of its kind each, now and then nothing.
                    let mut given = [-1; 3];
                    for (slot, (_, kind)) in rest.iter().enumerate() {
                        let all = ruleset.all_of(*kind);
                        let pick = (answers * 7 + at * 13 + turn * 31 + slot * 5) % (all.len() + 1);
                        given[slot] =
                            all.get(pick).copied().unwrap_or(if *kind == Kind::Int { turn as i32 } else { -1 });
                    }
                    let one = |member: &i32| {
                        let all = [*member, given[0], given[1], given[2]];
                        game.passes(at as u16, &all[..=rest.len()])
                    };
                    let singly: Vec<i32> = members.iter().copied().filter(one).collect();
                    assert_eq!(game.passing(at as u16, &given), singly, "{id}: {} given {given:?}", rows.name);
                    compared += 1;
                }
            }
        };
        let session = Session::new(ruleset.clone(), rules(&ruleset), scenario, seed, VERIFY);
        go_on_at_random(session, most, &mut watch).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
    assert!(compared > 1000, "{compared} lists");
}

#[test]
fn an_action_is_accepted_exactly_when_it_is_offered() {
    let library = library(&root());
    for (id, seed, most) in
        [0, 1, 2].iter().flat_map(|s| [("gettysburg-corps", *s, 120), ("gettysburg-77", *s, 60), ("gallop", *s, 60)])
    {
        let ruleset = load(&library, id, &Selection::default());
        let mut watch = |session: &mut Session<Runtime>| {
            let question = session.question().expect("asked").clone();
            assert!(session.offers().iter().all(|action| session.game().is_offered(&question, *action)), "{id}");
            for offer in &question.offers {
                let [kind] = ruleset.verbs[offer.verb as usize].takes[..] else { continue };
                let (count, values) = (session.game().count_of(&offer.set), session.game().values(&offer.set));
                let listed = session.offers().iter().filter(|action| action.verb == offer.verb);
                assert_eq!((count, values), (listed.clone().count(), listed.map(|action| action.values[0]).collect()));
                for value in ruleset.all_of(kind).into_iter().step_by(7) {
                    let action = Action::of(offer.verb, value);
                    let refused = session.game().why_not(&question, action);
                    let offered = session.offers().contains(&action);
                    assert_eq!(refused.is_empty(), offered, "{id}, seed {seed}: {action:?} {refused:?}");
                    let is_offered = session.game().is_offered(&question, action);
                    assert_eq!(is_offered, offered, "{id}, seed {seed}: {action:?} looked up alone");
                    let says: Vec<String> = refused.iter().map(|r| Words::all(&ruleset).say(&r.said)).collect();
                    assert!(offered || says.iter().all(|says| !says.is_empty() && !says.contains('{')), "{says:?}");
                }
            }
        };
        play_at_random(&ruleset, rules(&ruleset), seed, VERIFY, most, &mut watch).expect("plays");
    }
}

#[test]
fn what_is_printed_of_an_action_reads_as_that_action() {
    let library = library(&root());
    let ruleset = load(&library, "gettysburg-corps", &Selection::default());
    let mut watch = |session: &mut Session<Runtime>| {
        let question = session.question().expect("asked").clone();
        for action in session.offers().iter().step_by(5) {
            let verb = &ruleset.verbs[action.verb as usize];
            let text = match verb.takes[..] {
                [kind] => format!("{} {}", verb.id, ruleset.id_of(kind, action.values[0])),
                _ => verb.id.clone(),
            };
            let read = read_action(session.game(), &question, &text, Sight::ALL);
            assert_eq!(read, Ok((*action, String::new())), "`{text}`");
        }
    };
    for seed in 10..13 {
        play_at_random(&ruleset, rules(&ruleset), seed, VERIFY, 150, &mut watch).expect("plays");
    }
}

#[test]
fn a_record_replays_to_the_same_state_and_a_cut_off_one_to_its_last_whole_line() {
    let library = library(&root());
    let ruleset = load(&library, "gettysburg-corps", &Selection::default());
    for seed in 20..23 {
        let session = play_at_random(&ruleset, rules(&ruleset), seed, VERIFY, usize::MAX, &mut |_| ()).expect("plays");
        let mut text = RecordHeader::new(&ruleset, &[], "campaign", seed).to_string();
        let header = text.len();
        for entry in session.record().entries.iter() {
            text.push_str(&record_line(&ruleset, entry));
            text.push('\n');
        }
        let whole = read_record(&text).expect("a record reads");
        assert_eq!(replay(&ruleset, &whole, seed).game().hash(), session.game().hash(), "seed {seed}");
        for cut in (header..text.len()).step_by(97) {
            let cut_off = read_record(&text[..cut]).expect("a cut-off record reads");
            assert_eq!(cut_off.lines.len(), text[header..cut].matches('\n').count());
        }
    }
}

fn replay(
    ruleset: &std::sync::Arc<countermarch_core::ruleset::Ruleset>,
    text: &RecordText,
    seed: u64,
) -> Session<Runtime> {
    let record = text.entries(ruleset).expect("names are known");
    let limits = Limits { forced: false, ..VERIFY };
    let mut session = Session::new(ruleset.clone(), rules(ruleset), 0, seed, limits);
    session.chance = Chance::Person;
    session.advance().expect("begins");
    for (number, entry) in record.entries.iter().enumerate() {
        session.replay_entry(number, entry).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    }
    session
}

#[test]
fn taking_back_and_playing_again_leads_to_the_same_state() {
    let library = library(&root());
    let ruleset = load(&library, "gettysburg-corps", &Selection::default());
    for seed in 30..33 {
        let mut session = play_at_random(&ruleset, rules(&ruleset), seed, VERIFY, 90, &mut |_| ()).expect("plays");
        let (entries, hash) = (session.record().entries.clone(), session.game().hash());
        for back in [1, 7, 25] {
            session.limits.forced = false;
            session.chance = Chance::Person;
            session.take_back(entries.len() - back).expect("takes back");
            for (number, entry) in entries.iter().enumerate().skip(session.entries()) {
                session.replay_entry(number, entry).expect("plays again");
            }
            assert_eq!(session.game().hash(), hash, "seed {seed}, {back} back");
        }
        let fork = session.fork();
        assert_eq!(Session::of(session.into_rules(), fork).game().hash(), hash, "seed {seed}, a fork");
    }
}

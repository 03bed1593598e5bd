//! What is typed and kept while a game is played: conditions, orders, records.

use std::{cell::RefCell, sync::Arc, time::Duration};

use countermarch_core::{
    diagnostic::Diagnostics,
    library::Library,
    play::{Chance, Entry, Game, Limits, Question, Session},
    ruleset::{self, Kind, Ruleset, Selection},
    show::{RecordHeader, Sight, already_answered, read_action, read_record, record_line},
    study::choose_at_random,
    yaml::{self, Node, Value},
};
use countermarch_scripting::{Budget, Runtime};

use crate::{as_text, library};

/// A tight budget: what a rule may use up of a second is for others to try.
pub const BUDGET: Budget = Budget { fuel: 200_000, memory: 16 << 20, wall: Duration::from_millis(500) };

/// A game of the repository, which loads without fault.
fn load(library: &Library, id: &str) -> Arc<Ruleset> {
    let loaded = Ruleset::load(library, id, &Selection::default());
    loaded.unwrap_or_else(|found| panic!("{id} cannot be used: {:?}", found.list)).ruleset
}

/// A game and points of its play.
struct Played {
    ruleset: Arc<Ruleset>,
    points: Vec<(Game, Question)>,
    rules: Option<Runtime>,
    entries: Vec<Entry>,
    record: String,
}

impl Played {
    /// Plays at random for so many answers and keeps every `nth` question.
    fn new(ruleset: Arc<Ruleset>, seed: u64, answers: usize, nth: usize) -> Played {
        let rules = Runtime::new(ruleset.clone(), Budget::default()).expect("the rules are checked");
        let mut session = Session::new(ruleset.clone(), rules, 0, seed, Limits::BULK);
        session.advance().expect("the game begins");
        let mut points = Vec::new();
        for number in 0..answers {
            let Some(question) = session.question().cloned() else { break };
            if number % nth == 0 {
                points.push((session.game().clone(), question.clone()));
            }
            let action = choose_at_random(session.game(), &question, session.offers(), seed);
            session.act(question.by, action).expect("what is offered is allowed");
        }
        let mut record = RecordHeader::new(&ruleset, &[], &session.record().scenario, seed).to_string();
        for entry in session.record().entries.iter() {
            record.push_str(&record_line(&ruleset, entry));
            record.push('\n');
        }
        record.push_str(&format!("hash {:016x}\n", session.game().hash()));
        let entries = session.record().entries.iter().cloned().collect();
        Played { ruleset, points, rules: Some(session.into_rules()), entries, record }
    }
}

thread_local! {
    /// A game with cards, boxes, roads and hundreds of names.
    static LARGE: Played = Played::new(load(&library("."), "gettysburg-corps"), 1, 60, 6);
    /// The smallest game.
    static SMALL: RefCell<Played> = RefCell::new(Played::new(load(&library("tests/toy"), "toy"), 1, 40, 4));
}

/// Every text of a tree.
fn texts(node: &Node, into: &mut Vec<String>) {
    match &node.value {
        Value::Text(text) => into.push(text.to_string()),
        Value::List(list) => list.iter().for_each(|item| texts(item, into)),
        Value::Map(map) => map.iter().for_each(|(_, item)| texts(item, into)),
    }
}

/// Conditions that stand in the games' rows.
pub fn conditions() -> Vec<Vec<u8>> {
    let library = library(".");
    let mut all = Vec::new();
    for (path, text) in library.under("rulesets/").filter(|(path, _)| path.ends_with("tables.yaml")) {
        texts(&yaml::parse(path, text, &mut Diagnostics::default()), &mut all);
    }
    all.retain(|text| text.contains(' ') && ruleset::rows::parse(text).is_ok());
    all.sort_by_key(String::len);
    all.dedup();
    all.into_iter().map(String::into_bytes).collect()
}

/// What is given to a condition, under the names that rows use.
const GIVEN: [(&str, Kind); 6] = [
    ("unit", Kind::Unit),
    ("space", Kind::Space),
    ("from", Kind::Space),
    ("to", Kind::Space),
    ("side", Kind::Side),
    ("other", Kind::Unit),
];

/// Reads a condition and asks it of a few things.
pub fn rows(bytes: &[u8]) {
    LARGE.with(|played| {
        let Ok(when) = played.ruleset.condition(&as_text(bytes), &GIVEN) else { return };
        for (game, _) in played.points.iter().take(3) {
            for given in [[0, 0, 0, 1, 0, 1], [5, 40, 40, 41, 1, 9], [-1; 6]] {
                game.holds(&when, &given);
            }
        }
    });
}

/// Orders for the waiting questions, as people type them.
pub fn orders() -> Vec<Vec<u8>> {
    let typed = ["heth 17.06", "move heth, to 16.08, stay", "stop", "rey -> 14.10; buf and rey along chambersburg"];
    let mut all: Vec<String> = typed.iter().map(|t| (*t).to_owned()).collect();
    LARGE.with(|played| {
        for (game, question) in &played.points {
            for offer in &question.offers {
                let verb = &played.ruleset.verbs[offer.verb as usize];
                let of = |value: &i32| {
                    verb.takes.first().map(|kind| played.ruleset.id_of(*kind, *value)).unwrap_or_default()
                };
                all.extend(game.values(&offer.set).iter().take(3).map(|v| format!("{} {}", verb.id, of(v))));
            }
        }
    });
    all.sort();
    all.dedup();
    all.into_iter().map(String::into_bytes).collect()
}

/// Reads a line of orders at a point of a game, another one for every length, and asks why what it says is refused.
pub fn notation(bytes: &[u8]) {
    let mut rest = as_text(bytes);
    LARGE.with(|played| {
        let (game, question) = &played.points[bytes.len() % played.points.len()];
        already_answered(game, question.by, &played.entries, &rest, Sight::ALL);
        for _ in 0..4 {
            let Ok((action, left)) = read_action(game, question, &rest, Sight::ALL) else { break };
            game.why_not(question, action);
            rest = left;
        }
    });
}

/// Records of short games.
pub fn records() -> Vec<Vec<u8>> {
    let ruleset = load(&library("tests/toy"), "toy");
    (1..=4).map(|seed| Played::new(ruleset.clone(), seed, 12 * seed as usize, 100).record.into_bytes()).collect()
}

/// Reads a record, plays what it says, and takes the half of it back.
pub fn record(bytes: &[u8]) {
    let Ok(text) = read_record(bytes) else { return };
    SMALL.with_borrow_mut(|played| {
        let Ok(record) = text.entries(&played.ruleset) else { return };
        let Some(scenario) = played.ruleset.scenario(&record.scenario) else { return };
        let rules = played.rules.take().expect("it is put back each time");
        let mut session = Session::new(played.ruleset.clone(), rules, scenario, record.seed, Limits::PLAY);
        session.chance = Chance::Person;
        session.limits.forced = false;
        let mut goes_on = session.advance().is_ok();
        for (number, entry) in record.entries.iter().enumerate() {
            goes_on = goes_on && session.replay_entry(number, entry).is_ok();
        }
        // A record that does not fit goes on as far as it fits.
        let _ = session.take_back(session.entries() / 2);
        played.rules = Some(session.into_rules());
    });
}

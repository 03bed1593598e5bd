//! What play costs: loading, decisions, clones and forks, and one combat in Luau beside the same in Rust.
//!
//! Read ratios inside one run; absolute figures vary with the machine.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use countermarch_core::{
    library::Library,
    play::{
        About, Action, Chance, Dice, Effect, Game, Handful, Limits, Nth, Outcome, Roll, RuleError, Rules, Session,
        Source, Step, Task,
    },
    ruleset::{Cite, Holder, Ruleset, Schema, Selection, VersionName},
};
use countermarch_tests::{go_on_at_random, library, load, play_at_random, root, rules, twin::Twin};
use divan::{Bencher, counter::ItemsCount};

/// The same as in the binary that is measured.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const GAME: &str = "gettysburg-corps";

fn corps() -> (Library, Arc<Ruleset>) {
    let library = library(&root());
    let ruleset = load(&library, GAME, &Selection::default());
    (library, ruleset)
}

const VERSIONS: [&str; 7] = [
    "gettysburg-corps@base",
    "gettysburg-77@base",
    "gettysburg-88@base",
    "gettysburg-88@clarified",
    "tmag@base",
    "tmag@errata-1997-05",
    "gallop@base",
];

fn version(game: &str) -> (&str, Selection) {
    let (id, version) = game.split_once('@').expect("a game and a version");
    (id, Selection { version: VersionName::parse(version), ..Selection::default() })
}

/// Reading, understanding and checking a ruleset with its rules for the first time, files already in memory.
#[divan::bench(args = VERSIONS)]
fn load_and_check(bencher: Bencher<'_, '_>, game: &str) {
    let (texts, (id, selection)) = (library(&root()), version(game));
    let fresh = || {
        let mut fresh = Library::default();
        texts.under("").for_each(|(path, text)| fresh.insert(path, text));
        fresh
    };
    bencher.with_inputs(fresh).bench_local_refs(|library| {
        let loaded = countermarch_scripting::load(library, id, &selection).expect("loads");
        assert!(loaded.warnings.list.is_empty());
    });
}

/// The same from a library from which it has been loaded before.
#[divan::bench(args = VERSIONS)]
fn load_again(bencher: Bencher<'_, '_>, game: &str) {
    let (library, (id, selection)) = (library(&root()), version(game));
    bencher.bench_local(|| countermarch_scripting::load(&library, id, &selection).expect("loads"));
}

/// A further version with its rules, as walks make many: without `check`, from a library that another was loaded from.
#[divan::bench(args = VERSIONS)]
fn make_a_version(bencher: Bencher<'_, '_>, game: &str) {
    let (library, (id, selection)) = (library(&root()), version(game));
    load(&library, id, &Selection::default());
    bencher.bench_local(|| rules(&Ruleset::load(&library, id, &selection).expect("loads").ruleset));
}

/// One random game to its end; the items are decisions: answers to questions with two or more offers.
#[divan::bench(sample_count = 40, args = [
    "gettysburg-corps@base campaign",
    "gettysburg-77@base first-day",
    "gettysburg-77@optional first-day",
    "gettysburg-88@base july-1",
    "gettysburg-88@clarified july-1",
    "tmag@errata-1997-05 july-1",
    "gallop@base first-hour",
])]
fn random_game(bencher: Bencher<'_, '_>, game: &str) {
    let (game, scenario) = game.split_once(' ').expect("a game and a scenario");
    let (id, version) = game.split_once('@').expect("a game and a version");
    let version = VersionName::parse(version);
    let ruleset = load(&library(&root()), id, &Selection { version, ..Selection::default() });
    let scenario = ruleset.scenario(scenario).expect("a scenario of the game");
    let begin = |rules, seed| Session::new(ruleset.clone(), rules, scenario, seed, Limits::BULK);
    let mut kept = Some(rules(&ruleset));
    let mut decisions = 0usize;
    let mut games = 0usize;
    let mut offers = 0usize;
    for seed in 0..20 {
        let mut count = |s: &mut Session<_>| (decisions, offers) = (decisions + 1, offers + s.offers().len());
        let session = begin(kept.take().expect("back"), seed);
        kept = Some(go_on_at_random(session, usize::MAX, &mut count).expect("plays").into_rules());
        games += 1;
    }
    println!("{} decisions a game, {} offers a decision", decisions / games, offers / decisions);
    let mut seed = 0;
    bencher.counter(ItemsCount::new(decisions / games)).bench_local(|| {
        let session = begin(kept.take().expect("back"), seed % 20);
        kept = Some(go_on_at_random(session, usize::MAX, &mut |_| ()).expect("plays").into_rules());
        seed += 1;
    });
}

/// A session in the middle of a random game.
fn in_the_middle(ruleset: &Arc<Ruleset>) -> Session<countermarch_scripting::Runtime> {
    play_at_random(ruleset, rules(ruleset), 3, Limits { undo: true, ..Limits::BULK }, 150, &mut |_| ()).expect("plays")
}

#[divan::bench]
fn clone_a_game(bencher: Bencher<'_, '_>) {
    let (_, ruleset) = corps();
    let session = in_the_middle(&ruleset);
    bencher.bench_local(|| session.game().clone());
}

#[divan::bench]
fn hash_a_game(bencher: Bencher<'_, '_>) {
    let (_, ruleset) = corps();
    let session = in_the_middle(&ruleset);
    bencher.bench_local(|| session.game().hash());
}

/// Forks at the question with the most answers before it in its task that a random game comes to.
#[divan::bench(args = [0, 3, 5])]
fn fork_after(bencher: Bencher<'_, '_>, answers: usize) {
    let (_, ruleset) = corps();
    let mut kept = Some(rules(&ruleset));
    for seed in 0..200 {
        let rules = kept.take().expect("back");
        let mut session = Session::new(ruleset.clone(), rules, 0, seed, Limits::BULK);
        session.advance().expect("begins");
        while let Some(question) = session.question().cloned() {
            if session.answers_of_task() >= answers && session.answers_of_task() < answers + 3 {
                let fork = session.fork();
                let mut other = Session::of(session.into_rules(), fork.clone());
                bencher.bench_local(|| other.take_up(fork.clone()).map(drop).expect("it is of the same ruleset"));
                return;
            }
            let pick = (seed as usize + session.entries() * 7) % session.offers().len();
            let action = session.offers()[pick];
            session.act(question.by, action).expect("plays");
        }
        kept = Some(session.into_rules());
    }
}

/// Attackers of Reynolds beside him, and what a six comes to. One division is thrown back; three rout him two or three
/// hexes, and one of them advances.
const BATTLES: [(&[(&str, &str)], &str); 2] =
    [(&[("heth", "15.08")], "AW"), (&[("heth", "15.08"), ("pender", "16.09"), ("rodes", "15.10")], "DR")];

/// Sums, two commitments, the column, a die, a retreat, an advance.
fn battle(ruleset: &Arc<Ruleset>, attackers: &[(&str, &str)]) -> Game {
    let mut game = Game::new(ruleset.clone(), 1);
    let schema = &ruleset.schema;
    let column = |name: &str| schema.column(Holder::Unit, name).expect("declared");
    let unit = |name: &str| ruleset.unit(name).expect("known");
    let at = |name: &str| ruleset.map.find(name).expect("known").0 as i32;
    let mut put = |effect| game.apply(effect).expect("fits");
    for (name, space) in attackers.iter().chain(&[("hill", "15.08"), ("reynolds", "15.09")]) {
        put(Effect::Place { unit: unit(name), to: at(space), cite: Cite::NONE });
    }
    put(Effect::Set { column: Schema::TURN, of: 0, value: 3, cite: Cite::NONE });
    put(Effect::New { kind: 0, record: 0, cite: Cite::NONE });
    for (name, _) in attackers.iter().chain(&[("reynolds", "")]) {
        put(Effect::Set { column: column("battle"), of: unit(name), value: 0, cite: Cite::NONE });
    }
    game
}

/// The two tasks of a battle.
fn fighting(ruleset: &Ruleset, result: &str) -> [Task; 2] {
    let rule = |name| ruleset.rule(name).expect("known");
    let results = ruleset.schema.symbols.iter().find(|s| s.name == "result").expect("declared");
    let result = results.values.iter().position(|r| r == result).expect("a result") as i32;
    [("combat.resolve", -1), ("combat.conclude", result)].map(|(name, result)| Task {
        rule: rule(name),
        with: [0, result, -1, -1],
        source: Source::Agenda,
    })
}

/// What is rolled: the battle, then a hazard on the retreat, which is passed.
const DICE: [i32; 2] = [6, 1];

/// Carries the battle out with these rules and nothing around them: the same answers and dice each time.
fn fight<R: Rules>(rules: &mut R, start: &Game, tasks: &[Task; 2]) -> Game {
    let mut game = Box::new(start.clone());
    let mut dice = DICE.into_iter();
    for task in tasks {
        let mut step = rules.begin(&mut game, task).expect("begins");
        loop {
            let action = match step {
                Step::Done(_) => break,
                Step::Roll(_) => Action::rolled(dice.next().expect("no more dice")),
                Step::Ask(question) => *game.actions(&question).last().expect("something is offered"),
            };
            step = rules.answer(&mut game, action).expect("goes on");
        }
    }
    *game
}

/// Rules that many sessions use one after the other, and that end a game with its first battle.
struct OneBattle<R>(Rc<RefCell<R>>, [Task; 2]);

impl<R: Rules> Rules for OneBattle<R> {
    fn begin(&mut self, game: &mut Box<Game>, task: &Task) -> Result<Step, RuleError> {
        if self.1.iter().any(|known| known.rule == task.rule) {
            return self.0.borrow_mut().begin(game, task);
        }
        let outcome = Outcome { winners: Box::default(), name: "fought".into(), cite: Cite::NONE };
        game.apply(Effect::Finish { outcome }).expect("ends");
        Ok(Step::Done(true))
    }

    fn answer(&mut self, game: &mut Box<Game>, action: Action) -> Result<Step, RuleError> {
        self.0.borrow_mut().answer(game, action)
    }
}

/// A session in which the battle is to be fought next.
fn before_the_battle<R: Rules>(start: &Game, rules: &OneBattle<R>) -> Session<OneBattle<R>> {
    let limits = Limits { forced: false, ..Limits::BULK };
    let rules = OneBattle(rules.0.clone(), rules.1);
    let task = rules.1[0];
    let mut session = Session::new(start.ruleset.clone(), rules, usize::MAX, 1, limits);
    session.by_hand(|game| {
        game.clone_from(start);
        game.apply(Effect::Push { task }).expect("fits");
    });
    session.chance = Chance::Script(DICE.into());
    session
}

/// The battle as it is played: offers complete, answers checked, the record kept, a snapshot taken.
fn play<R: Rules>(mut session: Session<OneBattle<R>>) -> Session<OneBattle<R>> {
    session.advance().expect("begins");
    while let Some(question) = session.question() {
        let (by, last) = (question.by, *session.offers().last().expect("something is offered"));
        session.act(by, last).expect("answers");
    }
    session
}

/// The same battles by both rules, bare and as they are played.
fn combat<R: Rules>(bencher: Bencher<'_, '_>, rules: impl FnOnce(&Arc<Ruleset>) -> R, how: &str) {
    let (_, ruleset) = corps();
    let (attackers, result) = BATTLES[usize::from(how.starts_with("a rout"))];
    let (start, tasks) = (battle(&ruleset, attackers), fighting(&ruleset, result));
    let rules = OneBattle(Rc::new(RefCell::new(rules(&ruleset))), tasks);
    let played = play(before_the_battle(&start, &rules));
    let bare = fight(&mut *rules.0.borrow_mut(), &start, &tasks);
    let spaces = |game: &Game| (0..ruleset.units.len() as i32).map(|u| game.place(u)).collect::<Vec<_>>();
    assert_eq!(spaces(&bare), spaces(played.game()), "the same battle");
    assert_ne!(spaces(&bare), spaces(&start), "somebody retreats");
    if how.ends_with("as played") {
        bencher.with_inputs(|| before_the_battle(&start, &rules)).bench_local_values(play);
    } else {
        bencher.bench_local(|| fight(&mut *rules.0.borrow_mut(), &start, &tasks));
    }
}

const HOW: [&str; 4] = ["a withdrawal, bare", "a withdrawal, as played", "a rout, bare", "a rout, as played"];

#[divan::bench(args = HOW)]
fn combat_in_luau(bencher: Bencher<'_, '_>, how: &str) {
    combat(bencher, rules, how);
}

#[divan::bench(args = HOW)]
fn combat_in_rust(bencher: Bencher<'_, '_>, how: &str) {
    combat(bencher, Twin::new, how);
}

/// Keeps the import of scripted chance honest: the battle's dice are answers, not a generator's.
#[divan::bench]
fn keyed_chance(bencher: Bencher<'_, '_>) {
    let (_, ruleset) = corps();
    let game = Game::new(ruleset.clone(), 1);
    let roll = Roll {
        chance: ruleset.chance("combat").expect("it rolls"),
        about: About::unit(3),
        dice: Dice::Die(6),
        handful: Handful::ONE,
    };
    let mut chance = Chance::Keyed;
    bencher.bench_local(|| chance.answer(&game, &roll, Nth::default()));
}

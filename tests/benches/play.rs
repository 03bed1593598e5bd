//! What play costs: loading, decisions, clones and forks, and one combat in Luau beside the same in Rust.
//!
//! Read ratios inside one run; absolute figures vary with the machine.

use std::sync::Arc;

use countermarch_core::{
    diagnostic::Diagnostics,
    library::Library,
    map::SpaceId,
    play::{
        About, Action, Chance, Dice, Effect, Game, Limits, Offer, Question, Retreat, Roll, RuleError, Rules, Session,
        Set, Source, Step, Task,
    },
    ruleset::{self, Cite, Holder, Ruleset, Schema, Selection},
};
use countermarch_tests::{library, load, play_at_random, root, rules};
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

/// Reading, understanding and checking the ruleset with its rules, files already in memory.
#[divan::bench]
fn load_and_check(bencher: Bencher<'_, '_>) {
    let (library, _) = corps();
    bencher.bench_local(|| {
        let mut found = Diagnostics::default();
        let ruleset = ruleset::load(&library, GAME, &Selection::default(), &mut found).map(Arc::new).expect("loads");
        countermarch_scripting::check(&ruleset, &library, &mut found);
        assert!(found.list.is_empty());
    });
}

/// One random game to its end; the items are decisions: answers to questions with two or more offers.
#[divan::bench(sample_count = 40)]
fn random_game(bencher: Bencher<'_, '_>) {
    let (_, ruleset) = corps();
    let mut kept = Some(rules(&ruleset));
    let mut decisions = 0usize;
    let mut games = 0usize;
    let mut offers = 0usize;
    for seed in 0..20 {
        let mut count = |s: &mut Session<_>| (decisions, offers) = (decisions + 1, offers + s.offers().len());
        let rules = kept.take().expect("back");
        let played = play_at_random(&ruleset, rules, seed, Limits::BULK, usize::MAX, &mut count).expect("plays");
        kept = Some(played.into_rules());
        games += 1;
    }
    println!("{} decisions a game, {} offers a decision", decisions / games, offers / decisions);
    let mut seed = 0;
    bencher.counter(ItemsCount::new(decisions / games)).bench_local(|| {
        let rules = kept.take().expect("back");
        let played = play_at_random(&ruleset, rules, seed % 20, Limits::BULK, usize::MAX, &mut |_| ()).expect("plays");
        kept = Some(played.into_rules());
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
    bencher.bench_local(|| session.game.clone());
}

#[divan::bench]
fn hash_a_game(bencher: Bencher<'_, '_>) {
    let (_, ruleset) = corps();
    let session = in_the_middle(&ruleset);
    bencher.bench_local(|| session.game.hash());
}

/// Forks at the question with the most answers before it in its task that a random game comes to.
#[divan::bench(args = [0, 3, 6])]
fn fork_after(bencher: Bencher<'_, '_>, answers: usize) {
    let (_, ruleset) = corps();
    let mut kept = Some(rules(&ruleset));
    for seed in 0..200 {
        let rules = kept.take().expect("back");
        let mut session = Session::new(ruleset.clone(), rules, 0, seed, Limits::BULK);
        session.advance().expect("begins");
        while let Some(question) = session.question().cloned() {
            if session.answers_of_task() >= answers && session.answers_of_task() < answers + 3 {
                bencher.bench_local(|| session.fork().expect("forks"));
                return;
            }
            let pick = (seed as usize + session.record.entries.len() * 7) % session.offers().len();
            let action = session.offers()[pick];
            session.act(question.by, action).expect("plays");
        }
        kept = Some(session.into_rules());
    }
}

/// Heth attacks a tired Reynolds who withdraws: sums, two commitments, the column, a die, a retreat, an advance.
fn battle(ruleset: &Arc<Ruleset>) -> Game {
    let mut game = Game::new(ruleset.clone(), 1);
    let schema = &ruleset.schema;
    let column = |name: &str| schema.column(Holder::Unit, name).expect("declared");
    let unit = |name: &str| ruleset.unit(name).expect("known");
    let at = |name: &str| ruleset.map.find(name).expect("known").0 as i32;
    let mut put = |effect| game.apply(effect).expect("fits");
    for (name, space) in [("heth", "15.08"), ("hill", "15.08"), ("reynolds", "15.09")] {
        put(Effect::Place { unit: unit(name), to: at(space), cite: Cite::NONE });
    }
    put(Effect::Set { column: Schema::TURN, of: 0, value: 3, cite: Cite::NONE });
    put(Effect::New { kind: 0, record: 0, cite: Cite::NONE });
    for name in ["heth", "reynolds"] {
        put(Effect::Set { column: column("battle"), of: unit(name), value: 0, cite: Cite::NONE });
    }
    game
}

/// Carries the battle out with these rules: the same answers and dice each time.
fn fight<R: Rules>(rules: &mut R, start: &Game, rule: ruleset::RuleId) -> Game {
    let mut game = start.clone();
    let task = Task { rule, with: [0, -1, -1, -1], source: Source::Agenda };
    let mut step = rules.begin(&mut game, &task).expect("begins");
    loop {
        step = match step {
            Step::Done(_) => return game,
            Step::Roll(_) => rules.answer(&mut game, Action { verb: u16::MAX, value: 6 }).expect("rolls"),
            Step::Ask(question) => {
                let actions = game.actions(&question);
                let last = *actions.last().expect("something is offered");
                rules.answer(&mut game, last).expect("answers")
            }
        };
    }
}

#[divan::bench]
fn combat_in_luau(bencher: Bencher<'_, '_>) {
    let (_, ruleset) = corps();
    let start = battle(&ruleset);
    let mut luau = rules(&ruleset);
    let rule = ruleset.rule("combat.resolve").expect("known");
    bencher.bench_local(|| fight(&mut luau, &start, rule));
}

#[divan::bench]
fn combat_in_rust(bencher: Bencher<'_, '_>) {
    let (_, ruleset) = corps();
    let start = battle(&ruleset);
    let mut rust = InRust::new(&ruleset);
    let rule = ruleset.rule("combat.resolve").expect("known");
    let mut luau = rules(&ruleset);
    assert_eq!(fight(&mut rust, &start, rule).hash(), fight(&mut luau, &start, rule).hash(), "the same battle");
    bencher.bench_local(|| fight(&mut rust, &start, rule));
}

/// `combat.resolve` of the corps game for one attacker and one defender, written as a state machine in Rust.
struct InRust {
    stage: u8,
    attacker: i32,
    defender: i32,
    attack: i32,
    defence: i32,
    column: i32,
    hex: i32,
    names: Names,
}

struct Names {
    question: [u16; 6],
    verb: [u16; 6],
    strength: usize,
    fatigue: u16,
    routed: u16,
    battle: u16,
    was_weary: u16,
    sum: u16,
    commit: u16,
    cover: u16,
    advance: u16,
    morale: u16,
    attackers: u16,
    defenders: u16,
    lead: u16,
    supports: u16,
    in_hand: i32,
}

impl InRust {
    fn new(ruleset: &Ruleset) -> InRust {
        let question = |key: &str| ruleset.questions.iter().position(|q| q.key == key).expect("known") as u16;
        let verb = |id: &str| ruleset.verb(id).expect("known") as u16;
        let column = |name: &str| ruleset.schema.column(Holder::Unit, name).expect("known");
        let rows = |name: &str| ruleset.rows(name).expect("known") as u16;
        let names = Names {
            question: [
                "combat.attacker",
                "combat.defender",
                "combat.column",
                "retreat.to",
                "advance.unit",
                "advance.to",
            ]
            .map(question),
            verb: ["reserves", "go", "hold-back", "to", "advance", "artillery"].map(verb),
            strength: ruleset.attributes.iter().position(|a| a.name == "strength").expect("known"),
            fatigue: column("fatigue"),
            routed: column("routed"),
            battle: column("battle"),
            was_weary: column("was-weary"),
            sum: rows("attack-strength"),
            commit: rows("may-commit"),
            cover: rows("behind-cover"),
            advance: rows("may-advance"),
            attackers: rows("attackers-in"),
            defenders: rows("defenders-in"),
            lead: rows("may-lead"),
            supports: rows("supports"),
            in_hand: (ruleset.map.len() + ruleset.boxes.iter().position(|b| b.id == "in-hand").expect("known")) as i32,
            morale: ruleset.schema.column(Holder::Side, "morale").expect("known"),
        };
        InRust { stage: 0, attacker: -1, defender: -1, attack: 0, defence: 0, column: 0, hex: -1, names }
    }

    fn set(game: &mut Game, column: u16, of: i32, value: i32) {
        game.apply(Effect::Set { column, of, value, cite: Cite::NONE }).expect("in range");
    }

    fn strength(&self, game: &Game, unit: i32) -> i32 {
        let printed = game.ruleset.attributes[self.names.strength].values[unit as usize];
        (printed + game.read_rows(self.names.sum, &[unit])).max(0)
    }

    fn ask(&self, question: usize, by: i32, about: i32, offers: Vec<Offer>) -> Step {
        Step::Ask(Question { key: self.names.question[question], by, about: About::Unit(about), offers })
    }

    fn go(&self) -> Offer {
        Offer { verb: self.names.verb[1], set: Set::One }
    }

    fn commit(&self, game: &Game, question: usize, unit: i32) -> Step {
        let mut offers = Vec::new();
        if game.passes(self.names.commit, &[unit]) {
            offers.push(Offer { verb: self.names.verb[0], set: Set::One });
        }
        let guns: Vec<i32> = game.units_at(self.names.in_hand).collect();
        offers.push(Offer { verb: self.names.verb[5], set: Set::List(guns.into()) });
        offers.push(self.go());
        self.ask(question, game.ruleset.units[unit as usize].side, self.defender, offers)
    }

    fn tire(&self, game: &mut Game, unit: i32) {
        let fatigue = game.get(self.names.fatigue, unit);
        if fatigue < 2 {
            InRust::set(game, self.names.fatigue, unit, fatigue + 1);
        }
    }

    fn end(&mut self, game: &mut Game) -> Step {
        let attacker = self.attacker;
        if game.get(self.names.was_weary, attacker) == 1 && game.get(self.names.routed, attacker) == 0 {
            InRust::set(game, self.names.routed, attacker, 1);
        }
        self.tire(game, attacker);
        InRust::set(game, self.names.battle, attacker, -1);
        game.apply(Effect::Drop { kind: 0, record: 0, cite: Cite::NONE }).expect("drops");
        if game.first_at(self.hex) < 0 && game.passes(self.names.advance, &[attacker]) {
            self.stage = 5;
            let advance = Offer { verb: self.names.verb[4], set: Set::List(Box::new([attacker])) };
            return self.ask(4, game.phasing(), -1, vec![advance, self.go()]);
        }
        Step::Done(false)
    }
}

impl Rules for InRust {
    fn begin(&mut self, game: &mut Game, task: &Task) -> Result<Step, RuleError> {
        let battle = [task.with[0], -1, -1];
        self.attacker = game.passing(self.names.attackers, &battle)[0];
        self.defender = game.passing(self.names.defenders, &battle)[0];
        self.hex = game.space_of(self.defender);
        self.attack = self.strength(game, self.attacker);
        self.stage = 0;
        Ok(self.commit(game, 0, self.attacker))
    }

    fn answer(&mut self, game: &mut Game, action: Action) -> Result<Step, RuleError> {
        let (attacker, defender) = (self.attacker, self.defender);
        let reserves = action.verb == self.names.verb[0];
        if self.stage < 2 && reserves {
            let side = game.ruleset.units[if self.stage == 0 { attacker } else { defender } as usize].side;
            let morale = game.get(self.names.morale, side) - 1;
            InRust::set(game, self.names.morale, side, morale);
            if self.stage == 0 { self.attack += 1 } else { self.defence += 1 }
        }
        self.stage += 1;
        Ok(match self.stage {
            1 => {
                let here = game.space_of(attacker);
                let leaders = game.passing(self.names.lead, &[attacker, -1, -1]);
                let map = &game.ruleset.map;
                let reaches = |l: &i32| {
                    let from = SpaceId(game.space_of(*l) as u32);
                    game.space_of(*l) == here || map.distance(from, SpaceId(here as u32)) <= 1
                };
                self.attack -= i32::from(!leaders.iter().any(reaches));
                self.defence = self.strength(game, defender);
                let open = game.passes(self.names.cover, &[attacker, defender]);
                self.defence += i32::from(!open);
                self.defence += game.passing(self.names.supports, &[defender, -1, -1]).len() as i32;
                self.commit(game, 1, defender)
            }
            2 => {
                self.column = (self.attack - self.defence).clamp(-3, 4);
                if self.column == -3 {
                    self.stage = 3;
                    return Ok(Step::Roll(Roll { purpose: "combat".into(), about: defender, dice: Dice::Die(6) }));
                }
                let lower = Offer { verb: self.names.verb[2], set: Set::Numbers(-3, self.column - 1) };
                self.ask(2, game.phasing(), defender, vec![lower, self.go()])
            }
            3 => Step::Roll(Roll { purpose: "combat".into(), about: defender, dice: Dice::Die(6) }),
            4 => {
                let table = &game.ruleset.tables[0];
                let result = table.cells[action.value as usize - 1][(self.column + 3) as usize];
                let name = &game.ruleset.schema.symbols[table.symbols as usize].values[result as usize];
                let (unit, farthest) = match name.as_str() {
                    "AW" => (attacker, 1),
                    "DW" => (defender, 1),
                    other => unreachable!("the bench's die gives a withdrawal, not {other}"),
                };
                let retreat = Retreat { kind: 0, unit, shortest: 1, longest: farthest };
                self.stage = if unit == attacker { 9 } else { 4 };
                let to = Offer { verb: self.names.verb[3], set: Set::Retreat(retreat) };
                self.ask(3, game.ruleset.units[unit as usize].side, unit, vec![to])
            }
            5 | 10 => {
                let unit = if self.stage == 10 { attacker } else { defender };
                game.apply(Effect::Place { unit, to: action.value, cite: Cite::NONE }).expect("on the map");
                debug_assert!(game.ruleset.map.len() > SpaceId(action.value as u32).0 as usize);
                if unit == defender {
                    self.tire(game, defender);
                    return Ok(self.end(game));
                }
                self.end(game);
                Step::Done(false)
            }
            _ => Step::Done(false),
        })
    }
}

/// Keeps the import of scripted chance honest: the battle's dice are answers, not a generator's.
#[divan::bench]
fn keyed_chance(bencher: Bencher<'_, '_>) {
    let (_, ruleset) = corps();
    let game = Game::new(ruleset, 1);
    let roll = Roll { purpose: "combat".into(), about: 3, dice: Dice::Die(6) };
    let mut chance = Chance::Keyed;
    bencher.bench_local(|| chance.answer(&game, &roll, 0));
}

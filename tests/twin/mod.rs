//! `combat.resolve` and `combat.conclude` of the corps game, with everything they call, written in Rust over the same engine: to measure
//! what Luau costs. A line here is a line there; a test carries both out and compares every question, every offer
//! and everything told.

use std::{
    cell::{Cell, RefCell},
    future::{Future, poll_fn},
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use countermarch_core::{
    play::{
        About, Action, Dice, Effect, Game, Handful, Offer, Outcome, Particular, Question, Roll, RuleError, Rules, Said,
        Saying, Step, Tally, TallyLine, Task,
    },
    ruleset::{Cite, Provenance, Ruleset},
};
use names::Names;

mod army;
mod combat;
mod names;
mod results;

/// The game is over, from any depth.
struct Over;

type Carried<T> = Result<T, Over>;

/// What the procedure and whoever carries it out share.
#[derive(Debug)]
struct Shared {
    game: RefCell<Box<Game>>,
    asked: RefCell<Option<Step>>,
    answer: Cell<Option<Action>>,
    names: Names,
}

/// A sum that remembers its reasons, where somebody listens.
struct Sum {
    title: &'static str,
    total: i32,
    lines: Option<Vec<TallyLine>>,
    told: usize,
}

impl Sum {
    fn new(cx: &Shared, title: &'static str) -> Sum {
        let lines = cx.is_heard().then(Vec::new);
        Sum { title, total: 0, lines, told: usize::MAX }
    }

    fn add(&mut self, value: i32, cite: u16, reason: impl FnOnce() -> Particular) {
        self.total += value;
        if let Some(lines) = &mut self.lines {
            lines.push(TallyLine { reason: reason(), value, cite: Cite(cite), from: Provenance::Printed });
        }
    }

    /// A unit's strength, with where the number comes from.
    fn add_unit(&mut self, cx: &Shared, value: i32, unit: i32, cite: u16) {
        self.add(value, cite, || Particular::unit(unit));
        if let Some(line) = self.lines.as_mut().and_then(|lines| lines.last_mut()) {
            let game = cx.game.borrow();
            let from = &game.ruleset.attributes[cx.names.strength as usize].from;
            line.from = from.get(unit as usize).copied().unwrap_or_default();
        }
    }

    fn tell(&mut self, cx: &Shared) -> i32 {
        if let Some(lines) = self.lines.as_ref().filter(|lines| lines.len() != self.told) {
            self.told = lines.len();
            let tally = Tally {
                title: Particular::Text(self.title.into()),
                lines: lines.clone(),
                total: self.total,
                hits: None,
            };
            cx.apply(Effect::Tally { tally: Arc::new(tally) });
        }
        self.total
    }
}

impl Shared {
    fn apply(&self, effect: Effect) {
        self.game.borrow_mut().apply(effect).expect("the effect fits");
    }

    fn get(&self, column: u16, of: i32) -> i32 {
        self.game.borrow().get(column, of)
    }

    fn set(&self, column: u16, of: i32, value: i32, cite: u16) {
        self.apply(Effect::Set { column, of, value, cite: Cite(cite) });
    }

    fn printed(&self, attribute: u16, of: i32) -> i32 {
        self.game.borrow().ruleset.attributes[attribute as usize].values[of as usize]
    }

    fn side(&self, unit: i32) -> i32 {
        self.printed(self.names.side, unit)
    }

    fn space_of(&self, unit: i32) -> i32 {
        self.game.borrow().space_of(unit)
    }

    fn is_on_map(&self, unit: i32) -> bool {
        self.space_of(unit) >= 0
    }

    fn place(&self, unit: i32, to: i32, cite: u16) {
        self.apply(Effect::Place { unit, to, cite: Cite(cite) });
    }

    fn select(&self, rows: u16, given: i32) -> Vec<i32> {
        self.game.borrow().passing(rows, &[given])
    }

    fn each(&self, set: u16, given: i32) -> Vec<i32> {
        self.game.borrow().members_given(set, &[given])
    }

    fn passes(&self, rows: u16, given: &[i32]) -> bool {
        self.game.borrow().passes(rows, given)
    }

    fn is_heard(&self) -> bool {
        self.game.borrow().telling
    }

    fn phasing(&self) -> i32 {
        self.game.borrow().phasing()
    }

    fn note(&self, key: &str, cite: u16, with: Vec<Particular>) {
        if self.is_heard() {
            self.apply(Effect::Note { said: Arc::new(self.said(key, with)), cite: Cite(cite) });
        }
    }

    /// A note about a unit as a reason in a sum.
    fn phrase(&self, key: &str, unit: i32) -> Particular {
        self.said(key, vec![Particular::unit(unit)]).into()
    }

    fn said(&self, key: &str, with: Vec<Particular>) -> Said {
        let game = self.game.borrow();
        let note = game.ruleset.notes.binary_search_by(|note| note.key.as_str().cmp(key)).expect("declared");
        Said { says: Saying::Note(note as u16), with }
    }

    fn finish(&self, winner: Option<i32>, name: &str) -> Over {
        let cite = Cite(self.names.sudden_death);
        self.apply(Effect::Finish {
            outcome: Outcome { winners: winner.into_iter().collect(), name: name.into(), cite },
        });
        Over
    }

    async fn wait(&self, step: Step) -> Action {
        *self.asked.borrow_mut() = Some(step);
        poll_fn(|_| self.answer.take().map_or(Poll::Pending, Poll::Ready)).await
    }

    async fn ask(&self, key: u16, by: i32, about: i32, mut offers: Vec<Offer>) -> Action {
        offers.sort_by_key(|o| o.verb);
        let about = if about < 0 { About::Nothing } else { About::unit(about) };
        self.wait(Step::Ask(Question { key, by, about, offers })).await
    }

    async fn roll(&self, purpose: &str, about: i32) -> i32 {
        let chance = self.game.borrow().ruleset.chance(purpose).expect("the game declares it");
        self.wait(Step::Roll(Roll { chance, about: About::unit(about), dice: Dice::Die(6), handful: Handful::ONE }))
            .await
            .values[0]
    }
}

/// `combat.resolve`, `combat.conclude` and all they call, in Rust.
pub struct Twin {
    shared: Rc<Shared>,
    running: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

impl Twin {
    /// For the corps game.
    pub fn new(ruleset: &Arc<Ruleset>) -> Twin {
        let game = RefCell::new(Box::new(Game::new(ruleset.clone(), 0)));
        let names = Names::new(ruleset);
        let shared = Shared { game, asked: RefCell::default(), answer: Cell::default(), names };
        Twin { shared: Rc::new(shared), running: None }
    }

    fn go_on(&mut self, game: &mut Box<Game>) -> Step {
        std::mem::swap(&mut *self.shared.game.borrow_mut(), game);
        let running = self.running.as_mut().expect("a battle is being fought");
        let ended = running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready();
        std::mem::swap(&mut *self.shared.game.borrow_mut(), game);
        if ended { Step::Done(false) } else { self.shared.asked.borrow_mut().take().expect("it waits for something") }
    }
}

impl Rules for Twin {
    fn begin(&mut self, game: &mut Box<Game>, task: &Task) -> Result<Step, RuleError> {
        game.groups.back_to(0);
        let shared = self.shared.clone();
        let Task { rule, with: [battle, result, ..], .. } = *task;
        // An end of the whole game is an end of the battle too.
        self.running = Some(if rule.0 == shared.names.conclude {
            Box::pin(async move { shared.conclude(battle, result).await.unwrap_or(()) })
        } else {
            Box::pin(async move { shared.resolve(battle).await.unwrap_or(()) })
        });
        Ok(self.go_on(game))
    }

    fn answer(&mut self, game: &mut Box<Game>, action: Action) -> Result<Step, RuleError> {
        self.shared.answer.set(Some(action));
        Ok(self.go_on(game))
    }
}

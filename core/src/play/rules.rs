//! What carries out rules: core knows no language they are written in.

use std::collections::BTreeSet;

use super::{
    chance::Roll,
    effect::Effect,
    failure::RuleError,
    game::{Game, Task},
    offer::{Action, Question},
    record::Entry,
};

/// What a rule came to.
#[derive(Debug)]
pub enum Step {
    /// It asks a side.
    Ask(Question),
    /// It asks chance.
    Roll(Roll),
    /// It is over; for a repeated rule, whether it is over for good.
    Done(bool),
}

/// Carries out rules, one task at a time. The game comes in a box, so that whoever takes it over for that time moves no more
/// than an address.
pub trait Rules {
    /// A side has answered: rules may use up as much as ever again. Nothing for rules that are not bounded.
    fn renew(&mut self) {}
    /// Begins a task.
    fn begin(&mut self, game: &mut Box<Game>, task: &Task) -> Result<Step, RuleError>;
    /// Goes on with the task begun last, which asked something.
    fn answer(&mut self, game: &mut Box<Game>, action: Action) -> Result<Step, RuleError>;
    /// What has been put to work since last asked: paths in the content, as the rulebook names what carries a
    /// paragraph. Empty for rules that do not keep track.
    fn at_work(&mut self) -> BTreeSet<String> {
        BTreeSet::new()
    }
    /// What rules have printed since last asked, with the place, for those who write them. The last of it, where it is
    /// more than anybody reads.
    fn printed(&mut self) -> Vec<String> {
        Vec::new()
    }
    /// Whether what rules print is left out.
    fn hush(&mut self, _: bool) {}
    /// How good an answer is to a player of the ruleset, by its number, as its rule file says; nothing where it has no
    /// opinion. The game is left as it is.
    fn opinion(&mut self, _: usize, _: &mut Box<Game>, _: &Question, _: Action) -> Result<Option<i64>, RuleError> {
        Ok(None)
    }
}

/// Carries out a task with recorded answers; no offer is computed. Also says how many of them it took.
pub(super) fn feed<'a, R: Rules>(
    rules: &mut R,
    game: &mut Box<Game>,
    task: &Task,
    answers: impl Iterator<Item = &'a Entry>,
) -> Result<(Step, usize), RuleError> {
    rules.renew();
    let mut step = rules.begin(game, task)?;
    let mut taken = 0;
    for answer in answers {
        rules.renew();
        match &step {
            Step::Done(_) => return Ok((step, taken)),
            Step::Roll(roll) => {
                game.nth_roll(roll);
                tell(game, roll, answer.action().values[0]);
            }
            Step::Ask(question) => game.count_answer(question),
        }
        step = rules.answer(game, answer.action())?;
        taken += 1;
    }
    Ok((step, taken))
}

/// Tells what came up.
pub(super) fn tell(game: &mut Game, roll: &Roll, value: i32) {
    let (chance, about) = (roll.chance, roll.about);
    let told = game.apply(Effect::Rolled { chance, about, value, faces: roll.faces(), handful: roll.handful });
    debug_assert!(told.is_ok(), "a roll changes nothing");
}

//! Dice and cards that people throw and draw themselves: what is asked for, and how what has fallen is written.

use anyhow::Result;
use countermarch_core::{
    play::{Dice, Roll},
    ruleset::Kind,
};

use super::{Table, prompts};
use crate::input::Input;

impl Table {
    /// Asks for what has fallen. False to leave the table.
    pub(super) fn ask_for_roll(&mut self, input: &mut Input) -> Result<bool> {
        let Some(roll) = self.session.roll().cloned() else { return Ok(true) };
        let ruleset = self.session.ruleset().clone();
        let (says, draws) = self.session.game().asks_chance(&roll, self.sight());
        let now = self.session.entries();
        let is_new = self.drawn_at.replace((now, None)) != Some((now, None));
        // What each face comes to is told as it is where the engine rolls, before the first die of a handful.
        if is_new && !self.session.looking.is_empty() && roll.handful.left == roll.handful.of {
            self.show_roll(&roll)?;
        } else {
            println!("\n{says}");
        }
        let possible: Vec<i32> = match &roll.dice {
            Dice::Die(faces) => (1..=*faces).collect(),
            Dice::One(list) => list.to_vec(),
        };
        let kind = draws.unwrap_or(Kind::Int);
        let names = possible.iter().map(|value| ruleset.id_of(kind, *value)).collect();
        let dice = if roll.handful.left > 1 { roll.handful.left.to_string() } else { String::new() };
        let prompt = if roll.faces() > 0 { format!("{dice}d{}> ", roll.faces()) } else { "drawn> ".to_owned() };
        let Some(line) = input.line(&prompt, names)? else {
            self.leave();
            return Ok(false);
        };
        match line.trim() {
            "" => (),
            text => match self.command(text)? {
                Some(stays) => return Ok(stays),
                None if roll.handful.left > 1 => match thrown(text, &roll) {
                    Ok(dice) => dice.into_iter().try_for_each(|die| self.session.act_roll(die))?,
                    Err(wrong) => println!("{wrong}"),
                },
                None => match ruleset.find_named(kind, text, &possible) {
                    Ok(Some(value)) => self.session.act_roll(value)?,
                    Ok(None) => {
                        let names: Vec<String> = possible.iter().map(|value| ruleset.id_of(kind, *value)).collect();
                        println!("{}", prompts::cannot_come_up(text, &names));
                    }
                    Err(several) => println!("{}", prompts::may_be(text, &several)),
                },
            },
        }
        Ok(true)
    }
}

/// Dice as people write what has fallen, `3 6 1` or `361`: of those that are thrown at once all, or the first of them.
fn thrown(text: &str, roll: &Roll) -> Result<Vec<i32>, String> {
    let (faces, left) = (roll.faces(), usize::from(roll.handful.left));
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let one_by_one = |word: &str| faces <= 9 && word.bytes().all(|b| b.is_ascii_digit());
    let words: Vec<String> = words
        .flat_map(|word| match one_by_one(word) {
            true => word.chars().map(String::from).collect(),
            false => vec![word.to_owned()],
        })
        .collect();
    let dice: Vec<Option<i32>> = words.iter().map(|word| word.parse().ok().filter(|die| roll.can_be(*die))).collect();
    match dice.iter().position(Option::is_none) {
        Some(at) => Err(prompts::no_such_die(&words[at], faces)),
        None if dice.is_empty() || dice.len() > left => Err(prompts::so_many_dice(dice.len(), left)),
        None => Ok(dice.into_iter().flatten().collect()),
    }
}

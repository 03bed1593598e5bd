//! What somebody asserts of a scenario: a condition that holds as a place of the sequence is left, in so many of its games.

use std::collections::BTreeSet;

use super::{
    Kind, ReadAt,
    measures::read_at,
    reading::Reader,
    rows::{Expr, Names, Reads},
    sequence::Sequence,
    tables::compile,
    texts,
};
use crate::yaml::Node;

/// One of them.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// Its name.
    pub id: String,
    /// What is asserted, as a sentence.
    pub says: String,
    /// The condition, which is given nothing.
    pub when: Expr,
    /// Where it is read, and holds each time; as the game ends without.
    pub at: Vec<ReadAt>,
    /// In at least so many games of so many.
    pub share: (u32, u32),
    /// The counter it is about, if it is about one: the first that the condition names, unless it says another.
    pub about: Option<i32>,
    /// The printed attributes that the condition looks at, by their numbers.
    pub looks_at: BTreeSet<u16>,
}

impl Assertion {
    /// Whether so many games of so many are enough.
    pub fn is_kept(&self, held: u64, games: u64) -> bool {
        let (least, of) = self.share;
        held * u64::from(of) >= games * u64::from(least)
    }
}

/// Reads `assert:`, of a scenario that is played in these turns, or of any.
pub(super) fn assertions(
    node: Option<&Node>,
    turns: Option<(i32, i32)>,
    sequence: &Sequence,
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Vec<Assertion> {
    let mut list = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let id = name.as_text(reader.found);
        let mut fields = body.fields(reader.found);
        let says = fields.must("says", reader.found).map(|n| texts::plain(n, reader)).unwrap_or_default();
        let condition = fields.must("when", reader.found);
        let read = fields.may("at");
        let at = read_at(read, sequence, reader);
        let come = turns.map(|(first, last)| first..=sequence.last_turn(last));
        let never = come.as_ref().and_then(|come| at.iter().find_map(|at| at.never_comes(come)));
        if let Some((node, turn)) = read.zip(never) {
            let message = format!("no game of this scenario comes to turn {turn}");
            let help = "name a turn in which it is played, or leave `at:` out: it is read as the game ends then";
            reader.found.error("range", &node.span, message, help);
        }
        let share = fields.must("in", reader.found).and_then(|node| share(node, reader)).unwrap_or((1, 1));
        let named = condition.and_then(Node::text).and_then(|text| first_unit(text, &reader.units));
        let about = fields.may("about").map_or(named, |node| reader.unit(node));
        let when = condition.and_then(|node| compile(node, &[], Kind::Flag, names, reader)).unwrap_or(Expr::Const(0));
        fields.finish(reader.found);
        let looks_at = Reads::of(&when, names).attributes;
        list.push(Assertion { id, says, when, at, share, about, looks_at });
    }
    list
}

/// The first counter that a condition names.
fn first_unit(text: &str, units: &[String]) -> Option<i32> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
    words.filter_map(|word| units.iter().position(|unit| unit == word)).map(|at| at as i32).next()
}

/// Reads `in:`: `90 of 100`, or `all`.
fn share(node: &Node, reader: &mut Reader<'_>) -> Option<(u32, u32)> {
    let text = node.as_text(reader.found);
    if text == "all" {
        return Some((1, 1));
    }
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number <= 1_000_000);
    let read = text.split_once(" of ").and_then(|(least, of)| Some((number(least)?, number(of)?)));
    let read = read.filter(|(least, of)| *of > 0 && least <= of);
    if read.is_some_and(|(least, _)| least == 0) {
        let message = format!("`{text}` is so whatever happens");
        reader.found.error("type", &node.span, message, "write in how many games it holds at least");
    }
    if read.is_none() {
        let message = format!("`{text}` says not in how many games it holds");
        reader.found.error("type", &node.span, message, "write `90 of 100`, or `all`");
    }
    read
}

//! Moves as people type them, read against what is offered.

use pest::Parser;
use pest_derive::Parser;

use crate::{
    diagnostic::nearest,
    play::{Action, Entry, Game, Question},
    ruleset::{Kind, Ruleset, Verb},
};

#[derive(Parser)]
#[grammar = "show/notation.pest"]
struct LineParser;

/// Why a line could not be read. It speaks of moves, not of grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misread {
    /// Nothing is written.
    Empty,
    /// No verb and no name fits; perhaps this verb was meant.
    Unknown(String, Option<String>),
    /// A verb needs to know of what.
    Missing(String),
    /// Several things are called so.
    Several(String, Vec<String>),
    /// A place that does not lie on a road.
    OffTheRoad(String, String),
}

impl std::fmt::Display for Misread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Misread::Empty => write!(f, "nothing is written"),
            Misread::Unknown(text, None) => write!(f, "`{text}` is neither something you can do here nor a name"),
            Misread::Unknown(text, Some(near)) => write!(f, "`{text}` is not understood: did you mean `{near}`?"),
            Misread::Missing(verb) => write!(f, "`{verb}` what? Type its name after it"),
            Misread::OffTheRoad(place, road) => write!(f, "{place} does not lie on the {road}"),
            Misread::Several(text, names) => write!(f, "`{text}` may be {}", names.join(" or ")),
        }
    }
}

/// What is left of a line whose first part only says what the engine has answered by itself for a side, because
/// nothing else was offered, and the place of that answer among these entries. `None` if it says something else.
pub fn already_answered(ruleset: &Ruleset, by: i32, entries: &[Entry], line: &str) -> Option<(usize, String)> {
    let (part, rest) = line.split_once(',').unwrap_or((line, ""));
    let (word, name) = part.trim().split_once(' ').unwrap_or((part.trim(), ""));
    let wanted = ruleset.verb(word)?;
    let says_it = |entry: &Entry| {
        let Entry::Side { by: side, action, .. } = entry else { return false };
        let same = match ruleset.verbs[wanted].takes {
            None => name.is_empty(),
            Some(kind) => ruleset.find_named(kind, name, &[action.value]) == Ok(Some(action.value)),
        };
        *side == by && usize::from(action.verb) == wanted && same
    };
    entries.iter().position(says_it).map(|at| (at, rest.trim().to_owned()))
}

/// Reads the first action of a line, and hands back what is left of it for the questions that follow.
///
/// A verb may be left out where a name says enough: `rey 14.10` is `move reynolds`, `to 14.10`. The action may be
/// one that is not offered; the game then says why.
pub fn read_action(game: &Game, question: &Question, line: &str) -> Result<(Action, String), Misread> {
    let parts = LineParser::parse(Rule::line, line).map_err(|_| Misread::Empty)?;
    let line = parts.into_iter().next().expect("a parsed line is one pair");
    let parts: Vec<Vec<&str>> = line
        .into_inner()
        .filter(|p| p.as_rule() == Rule::part)
        .map(|p| p.into_inner().map(|w| w.as_str()).collect())
        .collect();
    let (first, others) = parts.split_first().ok_or(Misread::Empty)?;
    let (action, left) = read_part(game, question, first)?;
    let mut rest: Vec<String> = Vec::new();
    if !left.is_empty() {
        rest.push(left.join(" "));
    }
    rest.extend(others.iter().map(|p| p.join(" ")));
    Ok((action, rest.join(", ")))
}

/// One part: an action, and the words that belong to the next.
fn read_part<'a>(game: &Game, question: &Question, words: &'a [&'a str]) -> Result<(Action, &'a [&'a str]), Misread> {
    let ruleset = &game.ruleset;
    let offered = |verb: u16| question.offers.iter().find(|o| o.verb == verb);
    // `+` and `and` join things of one kind; the verb is the one before.
    let words = if matches!(words.first(), Some(&("+" | "and"))) { &words[1..] } else { words };
    if let Some((verb, count)) = verb_at(&ruleset.verbs, words, |v| offered(v).is_some()) {
        let declared = &ruleset.verbs[verb as usize];
        let rest = &words[count..];
        let Some(kind) = declared.takes else {
            return Ok((Action { verb, value: -1 }, rest));
        };
        if rest.is_empty() {
            return Err(Misread::Missing(declared.id.clone()));
        }
        let values = offered(verb).map(|o| game.values(&o.set)).unwrap_or_default();
        if let Some((value, used)) = operand(game, kind, rest, &values)? {
            return Ok((Action { verb, value }, &rest[used..]));
        }
        return Err(Misread::Unknown(rest.join(" "), None));
    }
    // No verb: the name must say it.
    for at in 0..3 {
        let mut found: Option<(Action, usize)> = None;
        for offer in &question.offers {
            let Some(kind) = ruleset.verbs[offer.verb as usize].takes else { continue };
            let (offered, all) = (game.values(&offer.set), ruleset.all_of(kind));
            let (find, lists) = &tries(&offered, &all)[at];
            let read = named(game, kind, words, *find, lists)?;
            if let Some((value, used)) = read
                && found.is_none_or(|(_, best)| used > best)
            {
                found = Some((Action { verb: offer.verb, value }, used));
            }
        }
        if let Some((action, used)) = found {
            return Ok((action, &words[used..]));
        }
    }
    let text = words.join(" ");
    let verbs = question.offers.iter().map(|o| ruleset.verbs[o.verb as usize].id.as_str());
    Err(Misread::Unknown(text, nearest(words.first().unwrap_or(&""), verbs).map(str::to_owned)))
}

/// The verb the words begin with, and how many words it takes; offered verbs before others.
fn verb_at(verbs: &[Verb], words: &[&str], is_offered: impl Fn(u16) -> bool) -> Option<(u16, usize)> {
    let mut found: Option<(u16, usize)> = None;
    for (at, verb) in verbs.iter().enumerate() {
        for name in std::iter::once(&verb.id).chain(&verb.also) {
            let pieces: Vec<&str> = name.split('-').collect();
            let spoken =
                words.len() >= pieces.len() && pieces.iter().zip(words).all(|(a, b)| a.eq_ignore_ascii_case(b));
            let count = if words.first().is_some_and(|w| w.eq_ignore_ascii_case(name)) {
                1
            } else if spoken {
                pieces.len()
            } else {
                continue;
            };
            let better = found.is_none_or(|(known, n)| (is_offered(at as u16), count) > (is_offered(known), n));
            if better {
                found = Some((at as u16, count));
            }
        }
    }
    found
}

/// The longest run of words that names something.
fn operand(game: &Game, kind: Kind, words: &[&str], offered: &[i32]) -> Result<Option<(i32, usize)>, Misread> {
    for (find, lists) in tries(offered, &game.ruleset.all_of(kind)) {
        let found = named(game, kind, words, find, &lists)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// How names are read, one way after the other: exactly, whether offered or not; somehow among what is offered; somehow
/// among everything.
fn tries<'a>(offered: &'a [i32], all: &'a [i32]) -> [(Find, Vec<&'a [i32]>); 3] {
    [
        (Ruleset::find_exactly, vec![offered, all]),
        (Ruleset::find_named, vec![offered]),
        (Ruleset::find_named, vec![all]),
    ]
}

/// How a text names one of a list.
type Find = fn(&Ruleset, Kind, &str, &[i32]) -> Result<Option<i32>, Vec<String>>;

/// The longest run of words that names something in the first of these lists where it does.
fn named(
    game: &Game,
    kind: Kind,
    words: &[&str],
    find: Find,
    lists: &[&[i32]],
) -> Result<Option<(i32, usize)>, Misread> {
    let mut several = None;
    for used in (1..=words.len().min(5)).rev() {
        let text = words[..used].join(" ");
        for among in lists {
            match find(&game.ruleset, kind, &text, among) {
                Ok(Some(value)) => return Ok(Some((value, used))),
                Ok(None) => (),
                Err(names) => several = several.or(Some(Misread::Several(text.clone(), names))),
            }
        }
    }
    several.map_or(Ok(None), Err)
}

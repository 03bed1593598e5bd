//! Moves as people type them, read against what is offered.

use pest::Parser;
use pest_derive::Parser;

use super::{column::Column, sight::Sight};
use crate::{
    diagnostic::nearest,
    play::{Action, Entry, Game, Half, Question},
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
    /// Nothing in the whole game is called so, whatever is asked.
    Nothing(String),
    /// A verb needs to know of what.
    Missing(String),
    /// The first half of an answer is read, which is written so, and the second is not written.
    Half(Half, String),
    /// Several things are called so.
    Several(String, Vec<String>),
    /// A place that does not lie on a road.
    OffTheRoad(String, String),
    /// No road is called so; these are the map's, or those on which the place lies where one is meant.
    NoRoad(String, Vec<String>),
}

impl std::fmt::Display for Misread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Misread::Empty => write!(f, "nothing is written"),
            Misread::Unknown(text, None) => write!(f, "`{text}` answers nothing that is asked here"),
            Misread::Unknown(text, Some(near)) => write!(f, "`{text}` is not understood: did you mean `{near}`?"),
            Misread::Nothing(text) => write!(f, "`{text}` is nothing that this game has a name for"),
            Misread::Missing(verb) => write!(f, "`{verb}` what? Type its name after it"),
            Misread::Half(_, said) => write!(f, "`{said}` is half an answer: type the rest after it"),
            Misread::OffTheRoad(place, road) => write!(f, "{place} does not lie on the {road}"),
            Misread::NoRoad(text, roads) if roads.is_empty() => write!(f, "there is no road `{text}`"),
            Misread::NoRoad(text, roads) => write!(f, "there is no road `{text}` but: {}", roads.join(", ")),
            Misread::Several(text, names) => write!(f, "`{text}` may be {}", names.join(" or ")),
        }
    }
}

/// What is left of a line whose first part only says what the engine has answered by itself for a side, because
/// nothing else was offered, and the place of that answer among these entries. It may be said with its verb or by its
/// name alone. `None` if the part says something else, or a name that whoever typed it may not know.
pub fn already_answered(game: &Game, by: i32, entries: &[Entry], line: &str, sight: Sight) -> Option<(usize, String)> {
    let ruleset = &game.ruleset;
    let (part, rest) = line.split_once(',').unwrap_or((line, ""));
    let (word, name) = part.trim().split_once(' ').unwrap_or((part.trim(), ""));
    let wanted = ruleset.verb(word);
    let name = if wanted.is_some() { name } else { part.trim() };
    let says_it = |entry: &Entry| {
        let Entry::Side { by: side, action, .. } = entry else { return false };
        let named = |kind: Kind, name: &str, value: i32| {
            let known = sight.known(game, kind, vec![value]);
            ruleset.find_named(kind, name, &known) == Ok(Some(value))
        };
        let [first, second] = action.values;
        let verb = usize::from(action.verb);
        let says_values = || match ruleset.verbs[verb].takes[..] {
            [] => name.is_empty(),
            [kind] => named(kind, name, first),
            [kind, then, ..] => {
                let mut parted = name.match_indices(' ').map(|(at, _)| name.split_at(at));
                parted.any(|(one, other)| named(kind, one, first) && named(then, other.trim_start(), second))
            }
        };
        *side == by && wanted.is_none_or(|wanted| wanted == verb) && says_values()
    };
    entries.iter().position(says_it).map(|at| (at, rest.trim().to_owned()))
}

/// Why a line cannot be read, whatever will be asked when its parts are come to: the first words of it that are no verb and
/// no name, or a column that is none. `None` where it may be read, and where not even its beginning can: what is asked then
/// says more of that.
pub fn unreadable(game: &Game, by: i32, line: &str, sight: Sight) -> Option<Misread> {
    let (mut line, mut is_first) = (line.trim().to_owned(), true);
    while !line.is_empty() {
        match Column::read(game, by, &line, sight) {
            Some(Ok((_, rest))) => line = rest,
            Some(Err(wrong)) => return Some(wrong).filter(|_| !is_first),
            None => {
                let parts = parts(&line).ok()?;
                let (first, others) = parts.split_first()?;
                let known = known_words(game, first, sight);
                if known < first.len() {
                    let wrong = Misread::Nothing(first[known..].join(" "));
                    return Some(wrong).filter(|_| !is_first || known > 0);
                }
                line = joined(&[], others);
            }
        }
        is_first = false;
    }
    None
}

/// How many of these words, from the first on, can be verbs and names that stand one behind the other.
fn known_words(game: &Game, words: &[&str], sight: Sight) -> usize {
    let ruleset = &game.ruleset;
    let mut kinds: Vec<Kind> = ruleset.verbs.iter().flat_map(|verb| verb.takes.iter().copied()).collect();
    // A space goes by who stands there too, and whoever is asked about may be named besides.
    kinds.push(Kind::Unit);
    kinds.sort_unstable();
    kinds.dedup();
    let all = |kind: &Kind| match kind {
        Kind::Flag => vec![0, 1],
        kind => sight.known(game, *kind, ruleset.all_of(*kind)),
    };
    let named: Vec<(Kind, Vec<i32>)> = kinds.iter().map(|kind| (*kind, all(kind))).collect();
    let is_name = |text: &str| named.iter().any(|(kind, all)| ruleset.find_named(*kind, text, all) != Ok(None));
    let is_small = |word: &str| {
        let joins = ["+", "and"].into_iter().chain(PREPOSITIONS).any(|small| small.eq_ignore_ascii_case(word));
        joins || word.trim_start_matches('+').parse::<i32>().is_ok()
    };
    let mut ends = vec![false; words.len() + 1];
    ends[0] = true;
    for at in 0..words.len() {
        if !ends[at] {
            continue;
        }
        let here = &words[at..];
        let verbs = ruleset.verbs.iter().flat_map(|verb| std::iter::once(&verb.id).chain(&verb.also));
        verbs.filter_map(|name| words_of(name, here)).for_each(|count| ends[at + count] = true);
        ends[at + 1] |= is_small(here[0]);
        for count in 1..=here.len().min(LONGEST_NAME) {
            ends[at + count] = ends[at + count] || is_name(&here[..count].join(" "));
        }
    }
    ends.iter().rposition(|is_end| *is_end).unwrap_or(0)
}

/// What of a line stands before its rest, as it was read.
pub fn before(line: &str, rest: &str) -> String {
    let (Ok(mut all), rest) = (parts(line), parts(rest).unwrap_or_default()) else { return String::new() };
    let mut left: usize = rest.iter().map(Vec::len).sum();
    while left > 0 {
        let Some(last) = all.last_mut() else { break };
        let kept = last.len().saturating_sub(left);
        left -= last.len() - kept;
        last.truncate(kept);
        all.pop_if(|last| last.is_empty());
    }
    joined(&[], &all)
}

/// Reads the first action of a line, and hands back what is left of it for the questions that follow.
///
/// A verb may be left out where a name says enough: `rey 14.10` is `move reynolds`, `to 14.10`. The action may be
/// one that is not offered; the game then says why. What these eyes may not know is called by no name: its own is read
/// as one that nobody has.
pub fn read_action(game: &Game, question: &Question, line: &str, sight: Sight) -> Result<(Action, String), Misread> {
    let parts = parts(line)?;
    let (first, mut others) = parts.split_first().ok_or(Misread::Empty)?;
    let reader = Reader { game, question, sight };
    let read = match (reader.part(first), others.split_first()) {
        // What comes second may stand behind a comma.
        (Err(Misread::Half(half, said)), Some((next, behind))) => {
            others = behind;
            reader.second(half, next, said)
        }
        (read, _) => read,
    };
    let (action, left) = read?;
    Ok((action, joined(left, others)))
}

/// Reads a line that goes on from the first half of an answer, and hands back what is left of it.
pub fn read_rest(
    game: &Game,
    question: &Question,
    half: Half,
    line: &str,
    sight: Sight,
) -> Result<(Action, String), Misread> {
    let parts = parts(line)?;
    let (first, others) = parts.split_first().ok_or(Misread::Empty)?;
    let (action, left) = Reader { game, question, sight }.second(half, first, String::new())?;
    Ok((action, joined(left, others)))
}

/// The parts of a line, each a few words.
fn parts(line: &str) -> Result<Vec<Vec<&str>>, Misread> {
    let mut parsed = LineParser::parse(Rule::line, line).map_err(|_| Misread::Empty)?;
    let line = parsed.next().expect("a parsed line is one pair");
    let parts = line.into_inner().filter(|part| part.as_rule() == Rule::part);
    Ok(parts.map(|part| part.into_inner().map(|word| word.as_str()).collect()).collect())
}

/// What is left of a line: the words behind an action, and the parts behind them.
fn joined(left: &[&str], others: &[Vec<&str>]) -> String {
    let left = Some(left.join(" ")).filter(|left| !left.is_empty());
    left.into_iter().chain(others.iter().map(|part| part.join(" "))).collect::<Vec<_>>().join(", ")
}

/// What words are read against: a question, and what whoever wrote them may know.
#[derive(Clone, Copy)]
struct Reader<'g> {
    game: &'g Game,
    question: &'g Question,
    sight: Sight,
}

/// An action, and the words that belong to the next.
type Part<'w> = Result<(Action, &'w [&'w str]), Misread>;

impl Reader<'_> {
    /// One part.
    fn part<'w>(self, words: &'w [&'w str]) -> Part<'w> {
        let (ruleset, offers) = (&self.game.ruleset, &self.question.offers);
        let offered = |verb: u16| offers.iter().find(|o| o.verb == verb);
        // `+` and `and` join things of one kind; the verb is the one before.
        let words = if matches!(words.first(), Some(&("+" | "and"))) { &words[1..] } else { words };
        if let Some((verb, count)) = verb_at(&ruleset.verbs, words, |v| offered(v).is_some()) {
            let declared = &ruleset.verbs[verb as usize];
            let rest = &words[count..];
            let Some(kind) = declared.takes.first().copied() else { return Ok((Action::alone(verb), rest)) };
            if rest.is_empty() {
                return Err(Misread::Missing(declared.id.clone()));
            }
            let values = offered(verb).map(|o| self.game.values(&o.set)).unwrap_or_default();
            return match self.operand(kind, rest, values)? {
                Some((value, used)) => self.said(verb, value, words, count + used),
                None => Err(Misread::Unknown(rest.join(" "), None)),
            };
        }
        // No verb: the name must say it, and the verb is the first with which that is offered.
        let words = without_preposition(words);
        for at in 0..3 {
            let mut found: Option<(u16, i32, (usize, bool))> = None;
            for offer in offers {
                let Some(kind) = ruleset.verbs[offer.verb as usize].takes.first().copied() else { continue };
                let (offered, all) = self.known(kind, self.game.values(&offer.set));
                let (find, lists) = &tries(&offered, &all)[at];
                let Some((value, used)) = named(self.game, kind, words, *find, lists)? else { continue };
                let fits = (used, offered.contains(&value));
                if found.is_none_or(|(.., best)| fits > best) {
                    found = Some((offer.verb, value, fits));
                }
            }
            if let Some((verb, value, (used, _))) = found {
                return self.said(verb, value, words, used);
            }
        }
        let text = words.join(" ");
        let verbs = offers.iter().map(|o| ruleset.verbs[o.verb as usize].id.as_str());
        Err(Misread::Unknown(text, nearest(words.first().unwrap_or(&""), verbs).map(str::to_owned)))
    }

    /// An action whose first value so many words have said: the words behind them say the second, where it has one.
    fn said<'w>(self, verb: u16, value: i32, words: &'w [&'w str], used: usize) -> Part<'w> {
        let (said, rest) = words.split_at(used);
        match self.game.ruleset.verbs[usize::from(verb)].takes.len() {
            2.. => self.second(Half { verb, value }, rest, said.join(" ")),
            _ => Ok((Action::of(verb, value), rest)),
        }
    }

    /// The second half of an answer, of which the first is written as `said`.
    fn second<'w>(self, half: Half, words: &'w [&'w str], said: String) -> Part<'w> {
        let kind = self.game.ruleset.verbs[usize::from(half.verb)].takes.get(1).copied().unwrap_or(Kind::Int);
        if words.is_empty() {
            return Err(Misread::Half(half, said));
        }
        let words = without_preposition(words);
        match self.operand(kind, words, self.game.seconds(self.question, half))? {
            Some((second, used)) => Ok((half.with(second), &words[used..])),
            None => Err(Misread::Unknown(words.join(" "), None)),
        }
    }

    /// The longest run of words that names something; a space also by who stands there.
    fn operand(self, kind: Kind, words: &[&str], offered: Vec<i32>) -> Result<Option<(i32, usize)>, Misread> {
        let (offered, all) = self.known(kind, offered);
        for (find, lists) in tries(&offered, &all) {
            let found = named(self.game, kind, words, find, &lists)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        if kind != Kind::Space {
            return Ok(None);
        }
        let space_of = |unit: i32| Some(self.game.space_of(unit)).filter(|space| offered.contains(space));
        let there = self.game.ruleset.all_of(Kind::Unit).into_iter().filter(|unit| space_of(*unit).is_some());
        let known = self.sight.known(self.game, Kind::Unit, there.collect());
        let unit = named(self.game, Kind::Unit, words, Ruleset::find_named, &[&known])?;
        Ok(unit.and_then(|(unit, used)| Some((space_of(unit)?, used))))
    }

    /// What of these, and of all of their kind, whoever wrote may know by name.
    fn known(self, kind: Kind, offered: Vec<i32>) -> (Vec<i32>, Vec<i32>) {
        let known = |among| self.sight.known(self.game, kind, among);
        (known(offered), known(self.game.ruleset.all_of(kind)))
    }
}

/// What words name, without the small one that people put before a place where it is no verb that is asked for.
fn without_preposition<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    match words {
        [first, rest @ ..] if !rest.is_empty() && PREPOSITIONS.iter().any(|word| word.eq_ignore_ascii_case(first)) => {
            rest
        }
        words => words,
    }
}

const PREPOSITIONS: [&str; 5] = ["to", "into", "at", "in", "on"];

/// The verb the words begin with, and how many words it takes; offered verbs before others.
fn verb_at(verbs: &[Verb], words: &[&str], is_offered: impl Fn(u16) -> bool) -> Option<(u16, usize)> {
    let mut found: Option<(u16, usize)> = None;
    for (at, verb) in verbs.iter().enumerate() {
        for name in std::iter::once(&verb.id).chain(&verb.also) {
            let Some(count) = words_of(name, words) else { continue };
            let better = found.is_none_or(|(known, n)| (is_offered(at as u16), count) > (is_offered(known), n));
            if better {
                found = Some((at as u16, count));
            }
        }
    }
    found
}

/// How many of these words a verb's name takes that they begin with, with hyphens or with spaces in it.
fn words_of(name: &str, words: &[&str]) -> Option<usize> {
    let pieces: Vec<&str> = name.split('-').collect();
    let is_spoken = words.len() >= pieces.len() && pieces.iter().zip(words).all(|(a, b)| a.eq_ignore_ascii_case(b));
    let is_written = words.first().is_some_and(|word| word.eq_ignore_ascii_case(name));
    if is_written { Some(1) } else { Some(pieces.len()).filter(|_| is_spoken) }
}

/// No name is looked for in more words.
const LONGEST_NAME: usize = 5;

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
    for used in (1..=words.len().min(LONGEST_NAME)).rev() {
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

//! How likely it is what comes of a position: everything that dice and players may do until what is at hand is over, each
//! outcome with its share; or, where that is too much, as many tries as are wanted, with how far the shares may be off.

use std::{collections::BTreeMap, sync::Arc};

use statrs::distribution::{Beta, ContinuousCDF as _};

use super::{
    Player,
    branch::{Answer, give},
    gathered::gathered,
    trying::{hidden, is_about_the_hidden, told_to},
};
use crate::{
    play::{Chance, Crossing, Effect, Event, Limits, NotTaken, Rules, Session, SessionError, Source, Stands},
    ruleset::{Kind, Ruleset, Seen, joined, mixed},
    show::{Misread, Sight, Story, Words, read_action},
};

/// How odds are found.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Who answers for each side meanwhile; where nobody does, its question is where things come to.
    pub players: Vec<Option<Player>>,
    /// Whose eyes are used. Nothing is told that they may not know.
    pub sight: Sight,
    /// No more ways are gone to the end, one for each answer of chance or of a player.
    pub most: usize,
    /// So many tries are made where there are more.
    pub tries: u32,
    /// The seed of those.
    pub seed: u64,
}

/// What may come, the likeliest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Likely {
    /// Each outcome with its share.
    pub outcomes: Vec<(Came, Share)>,
    /// How many ways were gone, or tries made.
    pub ways: usize,
}

/// What things come to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Came {
    /// What is told of it, without the dice and sums that led there; where a die is told in a sentence, [`DIE`] stands
    /// for it.
    pub told: Vec<String>,
    /// What is asked next, where something of what was at hand is; empty where that is over.
    pub next: String,
}

/// What stands for the number that a die shows.
pub const DIE: &str = "*";

impl Likely {
    /// The likeliest of the outcomes, so many, and how many others there are, with what they come to together.
    pub fn likeliest(&self, most: usize) -> (Likely, usize, f64) {
        let (first, rest) = self.outcomes.split_at(most.min(self.outcomes.len()));
        let share = rest.iter().map(|(_, share)| share.value()).sum();
        (Likely { outcomes: first.to_vec(), ways: self.ways }, rest.len(), share)
    }
}

/// How likely an outcome is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Share {
    /// So many of so many, in lowest terms.
    Exact(u128, u128),
    /// It came so often in so many tries.
    Tried(u32, u32),
}

impl Share {
    /// How sure one may be of the bounds.
    pub const SURE: f64 = 0.95;

    /// As a number from 0 to 1.
    pub fn value(self) -> f64 {
        match self {
            Share::Exact(part, of) => part as f64 / of as f64,
            Share::Tried(times, of) => f64::from(times) / f64::from(of),
        }
    }

    /// Between which two numbers it lies: as sure as [`Share::SURE`] for one that was tried out (Clopper and Pearson).
    pub fn bounds(self) -> [f64; 2] {
        let Share::Tried(times, of) = self else { return [self.value(); 2] };
        let (times, of, tail) = (f64::from(times), f64::from(of), (1.0 - Share::SURE) / 2.0);
        let at = |a: f64, b: f64, p: f64| Beta::new(a, b).map(|beta| beta.inverse_cdf(p));
        let least = at(times, of - times + 1.0, tail).unwrap_or(0.0);
        let most = at(times + 1.0, of - times, 1.0 - tail).unwrap_or(1.0);
        [least, most]
    }

    pub(super) fn plus(self, other: Share) -> Option<Share> {
        match (self, other) {
            (Share::Exact(a, b), Share::Exact(c, d)) => {
                let of = (b / greatest_common(b, d)).checked_mul(d)?;
                let part = a.checked_mul(of / b)?.checked_add(c.checked_mul(of / d)?)?;
                Some(Share::lowest(part, of))
            }
            (Share::Tried(a, of), Share::Tried(b, _)) => Some(Share::Tried(a + b, of)),
            _ => None,
        }
    }

    fn lowest(part: u128, of: u128) -> Share {
        let by = greatest_common(part, of).max(1);
        Share::Exact(part / by, of / by)
    }
}

fn greatest_common(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common(b, a % b) }
}

/// What may be answered next: each as likely as the others.
enum Next {
    Ways(Vec<Answer>),
    /// Nothing more is looked at.
    Ends,
    /// These eyes may not know how it goes on.
    Hidden,
}

struct Looking<'a> {
    ask: &'a Ask,
    /// Answers that the record had when it began, and those when its task began.
    began: usize,
    task: usize,
    told: usize,
    /// What these eyes see where it begins.
    story: Story<'a>,
    fallen: Fallen,
    ways: usize,
}

/// Answers a line for those it asks, one after the other.
///
/// # Errors
/// The line cannot be read, or is not allowed: in words for these eyes.
pub fn answer_line<R: Rules>(session: &mut Session<R>, line: &str, sight: Sight) -> Result<(), String> {
    let mut line = line.trim().to_owned();
    while !line.is_empty() {
        let Some(question) = session.question().cloned() else {
            return Err("nobody is asked there: leave the answer out, and what is rolled for is told".into());
        };
        let (action, rest) = read_action(session.game(), &question, &line, sight).map_err(|wrong| match wrong {
            Misread::Half(half, _) => session.game().why_half(&question, half, sight),
            wrong => wrong.to_string(),
        })?;
        if !session.is_offered(action) {
            return Err(session.game().why(&question, action, sight));
        }
        session.act(question.by, action).map_err(|wrong| Words::seen_by(sight, session.game()).wrong(&wrong))?;
        line = rest;
    }
    Ok(())
}

/// What may come of where a match stands, until the task at hand and all that it has put on the agenda is over, or a side is
/// asked for which nobody answers.
///
/// # Errors
/// A player, or what comes of an answer, fails.
pub fn likely<R: Rules>(session: &mut Session<R>, ask: &Ask) -> Result<Likely, SessionError> {
    session.try_out(|session| {
        (session.limits.undo, session.limits.log, session.chance) = (true, true, Chance::Person);
        session.limits.forced = false;
        let (began, ruleset) = (session.entries(), session.ruleset().clone());
        let mut looking = Looking {
            ask,
            began,
            task: began - session.answers_of_task(),
            told: session.told().count(),
            story: Story::seen_by(ask.sight, &ruleset, session.game()),
            fallen: BTreeMap::new(),
            ways: 0,
        };
        let is_whole = looking.go(session, Share::Exact(1, 1))?;
        let exact = if is_whole { without_dice(std::mem::take(&mut looking.fallen)) } else { None };
        let is_tried = exact.is_none();
        if is_tried {
            looking.fallen.clear();
            session.take_back(began)?;
            for number in 0..ask.tries {
                looking.try_once(session, number)?;
            }
            looking.ways = ask.tries as usize;
        }
        let outcomes = exact.or_else(|| without_dice(looking.fallen)).unwrap_or_default();
        let outcomes = gathered(&outcomes).unwrap_or(outcomes);
        let mut outcomes: Vec<(Came, Share)> = outcomes.into_iter().collect();
        outcomes.sort_by(|(_, a), (_, b)| b.value().total_cmp(&a.value()));
        Ok(Likely { outcomes, ways: looking.ways })
    })
}

impl Looking<'_> {
    /// Goes all ways from here; whether there were not too many.
    fn go<R: Rules>(&mut self, session: &mut Session<R>, share: Share) -> Result<bool, SessionError> {
        let ways = match self.next(session)? {
            Next::Ways(ways) => ways,
            end => return Ok(self.add(session, &end, share)),
        };
        let Share::Exact(part, of) = share else { return Ok(false) };
        let Some(of) = of.checked_mul(ways.len() as u128) else { return Ok(false) };
        let entries = session.entries();
        for way in ways {
            if self.ways >= self.ask.most {
                return Ok(false);
            }
            give(session, way)?;
            if !self.go(session, Share::lowest(part, of))? {
                return Ok(false);
            }
            session.take_back(entries)?;
        }
        Ok(true)
    }

    /// Goes one way, drawn by lot.
    fn try_once<R: Rules>(&mut self, session: &mut Session<R>, number: u32) -> Result<(), SessionError> {
        let mut key = joined(&[self.ask.seed, u64::from(number)]);
        loop {
            match self.next(session)? {
                Next::Ways(ways) => {
                    key = mixed(key);
                    let drawn = (u128::from(key) * ways.len() as u128) >> 64;
                    give(session, ways[drawn as usize])?;
                }
                end => {
                    self.add(session, &end, Share::Tried(1, self.ask.tries));
                    return session.take_back(self.began);
                }
            }
        }
    }

    fn next<R: Rules>(&self, session: &mut Session<R>) -> Result<Next, SessionError> {
        let sight = self.ask.sight;
        let is_news = session.entries() > self.began && self.is_over(session);
        if is_news || self.is_shown(session) {
            return Ok(Next::Ends);
        }
        match session.stands() {
            Stands::Rolls(roll) if is_about_the_hidden(session, roll, sight) => Ok(Next::Hidden),
            Stands::Rolls(roll) => {
                let faces = roll.values();
                Ok(Next::Ways(faces.into_iter().map(Answer::Rolled).collect()))
            }
            Stands::Asks(question) => {
                let by = question.by;
                let Some(player) = self.ask.players.get(by as usize).cloned().flatten() else { return Ok(Next::Ends) };
                if sight.side().is_some_and(|eyes| eyes != by) && hides(session, sight) {
                    return Ok(Next::Hidden);
                }
                let ways = player.likes(session)?;
                if ways.is_empty() {
                    Err(NotTaken::Over.into())
                } else {
                    Ok(Next::Ways(ways.into_iter().map(Answer::Side).collect()))
                }
            }
            Stands::Failed(failed) => Err(failed.clone().into()),
            Stands::Over(_) | Stands::Before => Ok(Next::Ends),
        }
    }

    /// Whether the sequence of play has gone on to something else.
    fn is_over<R: Rules>(&self, session: &Session<R>) -> bool {
        let is_of_sequence = session.task().is_none_or(|task| matches!(task.source, Source::Once | Source::Repeat));
        is_of_sequence && session.entries() - session.answers_of_task() > self.task
    }

    /// Whether something has been shown that these eyes could not see.
    fn is_shown<R: Rules>(&self, session: &Session<R>) -> bool {
        session.told().skip(self.told).any(|event| self.story.reveals(event))
    }

    /// Counts where a way has come to. False where shares come to more than can be counted.
    fn add<R: Rules>(&mut self, session: &Session<R>, end: &Next, share: Share) -> bool {
        self.ways += 1;
        let sight = self.ask.sight;
        let is_over = self.is_over(session) && session.entries() > self.began;
        let told = session.told().count() - if is_over { session.game().told.len() } else { 0 };
        let mut events: Vec<&Event> = session.told().take(told).skip(self.told).collect();
        let dice = events.iter().filter_map(|event| match event.effect {
            Effect::Rolled { value, faces: 1.., .. } => Some(value),
            _ => None,
        });
        let dice: Vec<i32> = dice.collect();
        // Headings of the parts of a turn are no more part of what comes than sums and dice are.
        let is_aside =
            |e: &Effect| matches!(e, Effect::Rolled { faces: 1.., .. } | Effect::Tally { .. } | Effect::Enter { .. });
        events.retain(|event| !is_aside(&event.effect));
        let (mut lines, is_hidden) = told_to(self.story.clone(), events.into_iter(), &hidden(session, sight));
        if matches!(end, Next::Hidden) && !is_hidden {
            lines.push(hidden(session, sight));
        }
        let next = match session.stands() {
            Stands::Asks(question) if !is_over && !is_hidden => {
                let side = session.ruleset().name_of(Kind::Side, question.by);
                match sight.side().is_none_or(|eyes| eyes == question.by) {
                    true => format!("{side}: {}", session.game().asks(question, sight)),
                    false => format!("{side} is asked"),
                }
            }
            _ => String::new(),
        };
        let came = (Came { told: lines, next }, dice);
        let known = self.fallen.get(&came).copied();
        let all = known.map_or(Some(share), |known| known.plus(share));
        let counts = all.is_some();
        self.fallen.extend(all.map(|all| (came, all)));
        counts
    }
}

/// What stands for a number in the shape of a text; no text of content holds it.
const HOLE: &str = "\u{1}";

/// What ways have come to, each with the dice that fell on it.
type Fallen = BTreeMap<(Came, Vec<i32>), Share>;

/// What outcomes that read alike share: their lines without the numbers, what is asked next, how many dice fell.
type Shape = (Vec<String>, String, usize);

/// The numbers of each line of an outcome, the dice that fell, and its share.
type Numbered = (Vec<Vec<String>>, Vec<i32>, Share);

/// A text in pieces: whole numbers that stand as words of their own, each behind what stands before it, and the rest.
pub(super) fn numbers(text: &str) -> (Vec<(&str, &str)>, &str) {
    let (mut pieces, mut begin, mut at) = (Vec::new(), 0, 0);
    while let Some(found) = text[at..].find(|c: char| c.is_ascii_digit()).map(|found| found + at) {
        let end = text[found..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |length| found + length);
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '/' | '†'));
        if !is_part(text[..found].chars().next_back()) && !is_part(text[end..].chars().next()) {
            pieces.push((&text[begin..found], &text[found..end]));
            begin = end;
        }
        at = end;
    }
    (pieces, &text[begin..])
}

/// Where texts that read alike tell what fell, which is another number in each: their numbers line by line, and what fell.
/// What fell alike in all of them may stand for anything that happens to be as much, and is told as it is.
pub(super) fn places_told<'a>(
    all: impl Iterator<Item = (&'a Vec<Vec<String>>, String)> + Clone,
) -> Vec<(usize, usize)> {
    let Some((first, fell)) = all.clone().next() else { return Vec::new() };
    if all.clone().all(|(_, other)| other == fell) {
        return Vec::new();
    }
    let places = first.iter().enumerate().flat_map(|(line, told)| (0..told.len()).map(move |at| (line, at)));
    places.filter(|(line, at)| all.clone().all(|(told, fell)| told[*line][*at] == fell)).collect()
}

/// Puts [`DIE`] where sentences tell what dice show, and joins outcomes that are the same then. Where a die is told is
/// found by holding outcomes that read alike against each other: there all of them tell what it shows.
fn without_dice(fallen: Fallen) -> Option<BTreeMap<Came, Share>> {
    let mut alike: BTreeMap<Shape, Vec<Numbered>> = BTreeMap::new();
    for ((came, dice), share) in fallen {
        let (mut shape, mut told) = (Vec::new(), Vec::new());
        for line in &came.told {
            let (pieces, rest) = numbers(line);
            shape.push(pieces.iter().map(|(before, _)| *before).chain([rest]).collect::<Vec<_>>().join(HOLE));
            told.push(pieces.iter().map(|(_, number)| (*number).to_owned()).collect::<Vec<_>>());
        }
        alike.entry((shape, came.next, dice.len())).or_default().push((told, dice, share));
    }
    let mut outcomes: BTreeMap<Came, Share> = BTreeMap::new();
    for ((shape, next, dice), all) in alike {
        let of_die = |die: usize| places_told(all.iter().map(move |(told, dice, _)| (told, dice[die].to_string())));
        let blank: Vec<(usize, usize)> = (0..dice).flat_map(of_die).collect();
        for (told, _, share) in all {
            let fill = |(line, shape): (usize, &String)| {
                let mut filled = String::new();
                for (at, piece) in shape.split(HOLE).enumerate() {
                    if at > 0 {
                        let number = told[line].get(at - 1).map_or("", String::as_str);
                        filled.push_str(if blank.contains(&(line, at - 1)) { DIE } else { number });
                    }
                    filled.push_str(piece);
                }
                filled
            };
            let came = Came { told: shape.iter().enumerate().map(fill).collect(), next: next.clone() };
            let known = outcomes.get(&came).copied();
            outcomes.insert(came, known.map_or(Some(share), |known| known.plus(share))?);
        }
    }
    Some(outcomes)
}

/// Whether anything is kept from these eyes as the game stands.
fn hides<R: Rules>(session: &Session<R>, sight: Sight) -> bool {
    let (game, ruleset) = (session.game(), session.ruleset());
    let is_kept = |seen: Seen| !matches!(seen, Seen::ByAll);
    let concealed = |kind: Kind| ruleset.all_of(kind).into_iter().any(|thing| sight.is_concealed(game, kind, thing));
    concealed(Kind::Unit) || concealed(Kind::Card) || ruleset.schema.columns.iter().any(|column| is_kept(column.seen))
}

/// A match of another version of a game that stands where this one does, with the answers of its task.
///
/// # Errors
/// The other version does not take them, in words.
pub fn taken_over<R: Rules>(session: &Session<R>, to: &Arc<Ruleset>, rules: R) -> Result<Session<R>, String> {
    let crossing = Crossing::new(session.ruleset(), to);
    let mut m = crossing.carry(&session.fork(), &[]);
    (m.chance, m.limits) = (Chance::Person, Limits { forced: false, ..Limits::PLAY });
    let mut other = Session::of(rules, m);
    if matches!(other.stands(), Stands::Before) {
        other.advance().map_err(|wrong| wrong.to_string())?;
    }
    let given = session.entries() - session.answers_of_task();
    for (number, entry) in session.record().entries.from(given).enumerate() {
        let its = crossing.entry(entry).ok_or("it has no such answer as was given since the task began")?;
        other.replay_entry(number, &its).map_err(|wrong| Words::all(to).wrong(&wrong))?;
    }
    Ok(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_found_by_what_they_show_everywhere() {
        let came = |attack: i32, defense: i32| {
            let told = vec![format!("attack {attack} + 6, defense {defense} + 1: a retreat  [x/15.b]")];
            ((Came { told, next: String::new() }, vec![attack, defense]), Share::Exact(1, 4))
        };
        let all =
            without_dice([came(2, 6), came(3, 6), came(1, 4), came(6, 1)].into_iter().collect()).expect("they add up");
        let told: Vec<(&str, Share)> = all.iter().map(|(came, share)| (came.told[0].as_str(), *share)).collect();
        assert_eq!(told, [("attack * + 6, defense * + 1: a retreat  [x/15.b]", Share::Exact(1, 1))]);
    }

    #[test]
    fn a_die_that_could_be_any_of_several_numbers_is_told_as_it_fell() {
        let came = |column: i32, die: i32| {
            let told = vec![format!("column {column}, die {die}")];
            ((Came { told, next: String::new() }, vec![die]), Share::Exact(1, 6))
        };
        let told = |all: &[(Came, Vec<i32>)]| {
            let all = all.iter().cloned().map(|of| (of, Share::Exact(1, 6))).collect();
            let all = without_dice(all).expect("they add up");
            all.into_keys().map(|came| came.told[0].clone()).collect::<Vec<_>>()
        };
        assert_eq!(told(&[came(1, 1).0]), ["column 1, die 1"]);
        assert_eq!(told(&[came(1, 1).0, came(1, 2).0]), ["column 1, die *"]);
    }

    #[test]
    fn shares_add_up_and_lie_within_their_bounds() {
        let third = Share::Exact(1, 3);
        assert_eq!(third.plus(Share::Exact(1, 6)), Some(Share::Exact(1, 2)));
        assert_eq!(third.plus(third).and_then(|two| two.plus(third)), Some(Share::Exact(1, 1)));
        assert_eq!(Share::Exact(1, u128::MAX).plus(Share::Exact(1, u128::MAX - 1)), None, "more than can be counted");
        // As tables of the exact bounds have them.
        let close = |[a, b]: [f64; 2], [c, d]: [f64; 2]| (a - c).abs() < 5e-5 && (b - d).abs() < 5e-5;
        assert!(close(Share::Tried(0, 10).bounds(), [0.0, 0.3085]), "{:?}", Share::Tried(0, 10).bounds());
        assert!(close(Share::Tried(10, 10).bounds(), [0.6915, 1.0]), "{:?}", Share::Tried(10, 10).bounds());
        assert!(close(Share::Tried(3, 10).bounds(), [0.0667, 0.6525]), "{:?}", Share::Tried(3, 10).bounds());
    }
}

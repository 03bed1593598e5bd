//! What is asserted of a scenario, held against its games; and of a game that failed it, what stood in the way.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    Minds, Played, Player,
    statistics::wilson,
    trial::{answer, asserted_of},
};
use crate::{
    play::{
        About, Action, Effect, Event, Match, Particular, Question, Readings, Rules, Said, Session, SessionError, Stands,
    },
    ruleset::{Assertion, Holder, Kind, Ruleset},
    show::{Sight, Story, Words, record_line},
};

/// What became of one assertion in many games.
#[derive(Debug, Clone)]
pub struct Kept {
    /// What is asserted.
    pub assertion: Assertion,
    /// In how many games it was kept.
    pub held: u64,
    /// How many count: those that were played to their end.
    pub games: u64,
    /// Seeds of the first games that failed it, each with what stood in the way.
    pub failing: Vec<Failing>,
}

/// A game that failed an assertion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failing {
    /// Its seed.
    pub seed: u64,
    /// In which turn that was clear, and after how many answers.
    pub turn: String,
    /// After how many answers.
    pub answers: usize,
    /// What was last told of the counter that the assertion is about.
    pub told: Option<Stood>,
    /// Why that counter could last not be named where its side was asked for one, with the paragraph.
    pub refused: Option<Stood>,
    /// Where it was last offered, and something else was answered.
    pub passed_over: Option<Stood>,
    /// The command that shows the game.
    pub look: String,
}

/// Something that stood in the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stood {
    /// After how many answers.
    pub answers: usize,
    /// In which turn.
    pub turn: String,
    /// The rule that asks; empty of what is told, which any of several may have done meanwhile.
    pub rule: String,
    /// What was said, with its paragraph.
    pub says: String,
}

impl Kept {
    /// No more failing games are looked into.
    pub const TOLD: usize = 3;

    /// What became of each assertion in these games, without what stood in the way.
    pub fn of(asserted: &[Assertion], all: &[Played]) -> Vec<Kept> {
        let whole = || all.iter().filter(|played| played.wrong.is_none() && played.outcome.is_some());
        let kept = |(at, assertion): (usize, &Assertion)| {
            let failing = whole().filter(|played| !played.kept[at]).take(Kept::TOLD);
            let kept = Kept {
                assertion: assertion.clone(),
                held: whole().filter(|played| played.kept[at]).count() as u64,
                games: whole().count() as u64,
                failing: failing.map(|played| Failing { seed: played.seed, ..Failing::default() }).collect(),
            };
            // Nobody looks for what stands in the way of what is kept often enough.
            if kept.is_kept() { Kept { failing: Vec::new(), ..kept } } else { kept }
        };
        asserted.iter().enumerate().map(kept).collect()
    }

    /// Whether it was kept in as many games as asserted.
    pub fn is_kept(&self) -> bool {
        self.assertion.is_kept(self.held, self.games)
    }

    /// In which share of all games it is kept, at 95 %.
    pub fn interval(&self) -> [f64; 2] {
        wilson(self.held as f64, self.games as f64)
    }

    fn least(&self) -> f64 {
        f64::from(self.assertion.share.0) / f64::from(self.assertion.share.1)
    }

    /// Whether more games could hardly say otherwise.
    pub fn is_certain(&self) -> bool {
        let [low, high] = self.interval();
        if self.is_kept() { low >= self.least() } else { high < self.least() }
    }
}

/// Plays a match again that failed an assertion of its scenario, and looks what stood in the way.
///
/// # Errors
/// It could not be played so far.
pub fn failing<R: Rules>(
    session: &mut Session<R>,
    m: Match,
    players: &[Player],
    assertion: usize,
) -> Result<Failing, SessionError> {
    let taken = session.take_up(m);
    debug_assert!(taken.is_ok(), "it is of the session's ruleset");
    let asserted = asserted_of(session);
    let unit = asserted.get(assertion).and_then(|assertion| assertion.about);
    session.readings = Some(Readings::of(asserted));
    let (ruleset, seed) = (session.ruleset().clone(), session.record().seed);
    let (mut minds, mut story, mut heard) = (Minds::new(players), Story::new(&ruleset), 0);
    let mut found = Failing { seed, ..Failing::default() };
    session.advance()?;
    loop {
        // What is told belongs to the last rule at work, and to the last answer.
        let events = session.told().skip(heard);
        let told: Vec<(bool, Option<String>)> =
            events.map(|event| (unit.is_some_and(|unit| is_about(event, unit, &ruleset)), story.tell(event))).collect();
        heard += told.len();
        let here = |session: &Session<R>, says: String| Stood {
            answers: session.entries(),
            turn: ruleset.turn_name(session.game().turn()),
            rule: String::new(),
            says,
        };
        if let Some((_, Some(line))) = told.into_iter().rfind(|(is_about, line)| *is_about && line.is_some()) {
            found.told = Some(here(session, line));
        }
        found.answers = session.entries();
        // Play may have come to the next turn since it was read.
        let failed_in = session.readings.as_ref().and_then(|readings| readings.failed_in(assertion));
        found.turn = ruleset.turn_name(failed_in.unwrap_or(session.game().turn()));
        let question = match session.stands() {
            Stands::Asks(question) if failed_in.is_none() => question.clone(),
            _ => break,
        };
        let stood = unit.and_then(|unit| named(session, &question, unit));
        answer(session, &mut minds, seed)?;
        match stood {
            Some(Named::Refused(stood)) => found.refused = Some(stood),
            Some(Named::Offered(stood)) => {
                let given = session.record().entries.get(stood.answers);
                let line = given.map_or_else(String::new, |entry| record_line(&ruleset, entry));
                let unit = unit.map_or("", |unit| &ruleset.units[unit as usize].id);
                let is_other = !line.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == unit);
                if is_other {
                    found.passed_over = Some(Stood { says: format!("{} {line}", stood.says), ..stood });
                }
            }
            None => (),
        }
    }
    session.readings = None;
    Ok(found)
}

/// Whether a counter may be named where its side is asked for one.
enum Named {
    Offered(Stood),
    Refused(Stood),
}

fn named<R: Rules>(session: &Session<R>, question: &Question, unit: i32) -> Option<Named> {
    let (game, ruleset) = (session.game(), session.ruleset());
    let is_own = ruleset.units[unit as usize].side == question.by;
    let takes_units = |verb: u16| ruleset.verbs[usize::from(verb)].takes.first() == Some(&Kind::Unit);
    let verb = question.offers.iter().map(|offer| offer.verb).find(|verb| takes_units(*verb)).filter(|_| is_own)?;
    let asks = game.asks(question, Sight::ALL);
    let stood = |says: String| Stood {
        answers: session.entries(),
        turn: ruleset.turn_name(game.turn()),
        rule: session.task().map_or_else(String::new, |task| ruleset.rules[usize::from(task.rule.0)].name.clone()),
        says,
    };
    if session.offers().iter().any(|action| takes_units(action.verb) && action.values[0] == unit) {
        return Some(Named::Offered(stood(asks)));
    }
    let mut action = Action::alone(verb);
    action.values[0] = unit;
    let words = Words::all(ruleset);
    let refusals: Vec<String> = game.why_not(question, action).iter().map(|refusal| words.refusal(refusal)).collect();
    Some(Named::Refused(stood(format!("{asks} {}", refusals.join("; ")))))
}

fn is_about(event: &Event, unit: i32, ruleset: &Ruleset) -> bool {
    match &event.effect {
        Effect::Place { unit: placed, .. } => *placed == unit,
        Effect::Set { column, of, .. } => {
            ruleset.schema.columns[usize::from(*column)].holder == Holder::Unit && *of == unit
        }
        Effect::Note { said, .. } => mentions(said, unit),
        Effect::Tally { tally } => {
            is_it(&tally.title, unit) || tally.lines.iter().any(|line| is_it(&line.reason, unit))
        }
        Effect::Rolled { about, .. } => *about == About::Thing(Kind::Unit, unit),
        _ => false,
    }
}

fn mentions(said: &Said, unit: i32) -> bool {
    said.with.iter().any(|one| is_it(one, unit))
}

fn is_it(one: &Particular, unit: i32) -> bool {
    match one {
        Particular::Thing(Kind::Unit, other) => *other == unit,
        Particular::Said(said) => mentions(said, unit),
        Particular::All(all) => all.iter().any(|one| is_it(one, unit)),
        Particular::Sum(lines) => lines.iter().any(|line| is_it(&line.reason, unit)),
        _ => false,
    }
}

/// As people read it.
pub fn kept_text(all: &[Kept]) -> String {
    let mut text = String::new();
    for kept in all {
        let Kept { assertion, held, games, failing } = kept;
        let word = match (kept.is_kept(), kept.is_certain()) {
            _ if *games == 0 => "not told, since no game was played to its end",
            (true, true) => "kept",
            (true, false) => "kept, though more games could say otherwise",
            (false, true) => "FAILED",
            (false, false) => "FAILED, though more games could say otherwise",
        };
        let [low, high] = kept.interval().map(|end| 100.0 * end);
        let share = if *games > 0 { 100.0 * *held as f64 / *games as f64 } else { 0.0 };
        let (least, of) = assertion.share;
        let asserted = if least == of { "all are".to_owned() } else { format!("{least} of {of} are") };
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{}: {}", assertion.id, assertion.says);
        let _ = writeln!(
            text,
            "  {word}: it holds in {held} of {games} games, {share:.1} % ({low:.1} .. {high:.1} at 95 %), and {asserted} asserted"
        );
        for Failing { seed, turn, answers, told, refused, passed_over, look } in failing {
            let _ = writeln!(text, "  seed {seed}: failed in {turn}, after {answers} answers");
            for (what, stood) in [("refused last", refused), ("passed over last", passed_over), ("told last", told)] {
                let Some(Stood { answers, turn, rule, says }) = stood else { continue };
                let rule = if rule.is_empty() { String::new() } else { format!(", {rule}") };
                let _ = writeln!(text, "    {what}, {turn}, answer {answers}{rule}: {says}");
            }
            let _ = writeln!(text, "    {look}");
        }
    }
    text
}

/// For machines.
pub fn kept_json(all: &[Kept]) -> Value {
    let stood = |stood: &Option<Stood>| {
        stood.as_ref().map(|s| json!({ "turn": s.turn, "answers": s.answers, "rule": s.rule, "says": s.says }))
    };
    let failing = |f: &Failing| {
        json!({ "seed": f.seed, "turn": f.turn, "answers": f.answers, "told": stood(&f.told), "refused": stood(&f.refused),
            "passed_over": stood(&f.passed_over), "look": f.look })
    };
    let one = |kept: &Kept| {
        json!({ "assertion": kept.assertion.id, "says": kept.assertion.says, "asserted": kept.assertion.share, "held": kept.held,
            "games": kept.games, "interval": kept.interval(), "kept": kept.is_kept(), "certain": kept.is_certain(),
            "failing": kept.failing.iter().map(failing).collect::<Vec<_>>() })
    };
    json!(all.iter().map(one).collect::<Vec<_>>())
}

//! What comes of an answer or a roll, up to the next thing that somebody is asked: found out in a fork, answer by answer.

use crate::{
    play::{Action, Chance, Effect, Event, Rules, Session, SessionError, Stands},
    ruleset::{Holder, Kind, Ruleset},
    show::{Sight, Story, Words},
};

/// What may be answered where a match waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// By the side that is asked.
    Side(Action),
    /// By chance.
    Rolled(i32),
}

/// What came of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Branch {
    /// What was told, line by line, every change that is told to nobody included.
    pub lines: Vec<String>,
    /// Where it stands then.
    pub stands: String,
}

/// Gives an answer.
pub(super) fn give<R: Rules>(session: &mut Session<R>, answer: Answer) -> Result<(), SessionError> {
    match (answer, session.question().map(|question| question.by)) {
        (Answer::Side(action), by) => session.act(by.unwrap_or(-1), action),
        (Answer::Rolled(value), _) => session.act_roll(value),
    }
}

/// Tries answers, each where the match stands now, and leaves it there.
pub(super) fn branches<R: Rules>(session: &mut Session<R>, answers: &[Answer]) -> Vec<Branch> {
    if answers.is_empty() {
        return Vec::new();
    }
    session.try_out(|session| {
        session.limits.undo = true;
        session.chance = Chance::Person;
        session.is_foretold = true;
        let mut all = Vec::with_capacity(answers.len());
        for answer in answers {
            let (entries, told) = (session.entries(), session.told().count());
            let given = give(session, *answer);
            let ruleset = session.ruleset().clone();
            let mut lines = told_lines(&ruleset, session.told().skip(told));
            lines.extend(given.err().map(|wrong| Words::all(&ruleset).wrong(&wrong)));
            all.push(Branch { lines, stands: standing(session) });
            if session.take_back(entries).is_err() {
                break;
            }
            session.is_foretold = true;
        }
        all
    })
}

/// What events tell, and after that what they change without telling it.
pub(super) fn told_lines<'a>(ruleset: &Ruleset, events: impl Iterator<Item = &'a Event>) -> Vec<String> {
    let mut story = Story::new(ruleset);
    events.filter_map(|event| story.tell(event).or_else(|| silent(ruleset, event))).collect()
}

/// A change that is told to nobody.
fn silent(ruleset: &Ruleset, event: &Event) -> Option<String> {
    let cited = |text: String, cite: &str| if cite.is_empty() { text } else { format!("{text}  [{cite}]") };
    match &event.effect {
        Effect::Set { column, of, value, cite } if event.before != *value => {
            let declared = &ruleset.schema.columns[usize::from(*column)];
            let whose = match declared.holder {
                Holder::Game => String::new(),
                Holder::Record(_) => format!("{} {of}: ", ruleset.holder_name(declared.holder)),
                holder => format!("{}: ", ruleset.name_of(ruleset.kind_of(holder), *of)),
            };
            let [was, is] = [event.before, *value].map(|value| ruleset.name_of(ruleset.schema.kind(*column), value));
            Some(cited(format!("{whose}{} from {was} to {is}", declared.name), ruleset.cite(*cite)))
        }
        Effect::New { kind, record, cite } => Some(cited(
            format!("{} {record} begins", ruleset.schema.records[usize::from(*kind)].name),
            ruleset.cite(*cite),
        )),
        Effect::Drop { kind, record, cite } => Some(cited(
            format!("{} {record} ends", ruleset.schema.records[usize::from(*kind)].name),
            ruleset.cite(*cite),
        )),
        Effect::Push { task } => Some(format!("to be done: {}", ruleset.rules[usize::from(task.rule.0)].name)),
        _ => None,
    }
}

/// Where a match stands, in words that are the same in versions in which the same is asked.
pub(super) fn standing<R: Rules>(session: &Session<R>) -> String {
    let (game, ruleset) = (session.game(), session.ruleset());
    match session.stands() {
        Stands::Asks(question) => {
            let side = ruleset.name_of(Kind::Side, question.by);
            let key = &ruleset.questions[usize::from(question.key)].key;
            format!("{side}: {}  ({key})", game.asks(question, Sight::ALL))
        }
        Stands::Rolls(roll) => {
            let of = match roll.faces() {
                0 => "a draw".to_owned(),
                faces => format!("a die of {faces}"),
            };
            let purpose = &ruleset.chances[usize::from(roll.chance)].purpose;
            format!("{}  ({of}, {purpose})", game.asks_chance(roll, Sight::ALL).0)
        }
        Stands::Over(Some(outcome)) => format!("the game is over: {}", ruleset.outcome(outcome)),
        Stands::Over(None) => "the game is over".to_owned(),
        Stands::Failed(failed) => format!("it cannot go on: {failed}"),
        Stands::Before => "between two tasks".to_owned(),
    }
}

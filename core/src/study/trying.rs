//! What would come of an answer, and why one is allowed or not: found out in a fork, and the match stands as it did.

use crate::{
    play::{Action, Chance, Effect, Event, Particular, Roll, Rules, Said, Session, SessionError},
    ruleset::{Kind, Text},
    show::{Misread, Sight, Story, Words, read_action},
};

/// What faces of a die are told to come to, line by line.
pub type Faces = Vec<(i32, Vec<String>)>;

/// What a die would come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Odds {
    /// What must be answered before it falls, each in words with its answer: whoever is asked is supposed only to go on.
    pub supposed: Vec<String>,
    /// No faces where no die follows, or several at once.
    pub faces: Faces,
}

/// No die is foreseen behind more answers.
const MOST_SUPPOSED: usize = 8;

/// What each face of the next die would come to, told to these eyes: of the die that waits, or of the one that follows
/// an answer in the same part of the turn, if all who are asked meanwhile give the last of their answers that takes nothing. `None`
/// where that would tell them what is hidden from them: where an answer reveals it, or the die is about it.
///
/// # Errors
/// The answer is not taken, or fails.
pub fn odds<R: Rules>(
    session: &mut Session<R>,
    after: Option<Action>,
    sight: Sight,
) -> Result<Option<Odds>, SessionError> {
    session.try_out(|session| {
        session.chance = Chance::Person;
        let place = session.game().place_of_play();
        let (mut supposed, mut next) = (Vec::new(), after);
        while let (Some(action), Some(question)) = (next, session.question().cloned()) {
            if revealing(session, sight, |session| session.act(question.by, action))? {
                return Ok(None);
            }
            let asked = session.question().filter(|_| session.game().place_of_play() == place);
            let Some(asked) = asked.filter(|_| supposed.len() < MOST_SUPPOSED) else { break };
            let (asks, side) = (session.game().asks(asked, sight), asked.by as usize);
            let ruleset = session.ruleset().clone();
            let verb = |action: &Action| &ruleset.verbs[usize::from(action.verb)];
            next = session.offers().iter().copied().rfind(|action| verb(action).takes.is_empty());
            supposed.extend(next.map(|action| format!("{}: {asks} {}", ruleset.sides[side].name, verb(&action).id)));
        }
        let Some(roll) = session.roll() else { return Ok(Some(Odds::default())) };
        if is_about_the_hidden(session, roll, sight) {
            return Ok(None);
        }
        // One die of several says too little by itself.
        let is_alone = roll.handful.left == 1;
        let faces = 1..=if is_alone { roll.faces() } else { 0 };
        let faces = faces.map(|face| (face, session.try_out(|session| comes_to(session, face, sight)))).collect();
        Ok(Some(Odds { supposed, faces }))
    })
}

/// Does something, and says whether it has shown these eyes what they could not see before.
fn revealing<R: Rules, E>(
    session: &mut Session<R>,
    sight: Sight,
    act: impl FnOnce(&mut Session<R>) -> Result<(), E>,
) -> Result<bool, E> {
    let ruleset = session.ruleset().clone();
    let (told, story) = (session.told().count(), Story::seen_by(sight, &ruleset, session.game()));
    act(session)?;
    Ok(session.told().skip(told).any(|event| story.reveals(event)))
}

/// Whether a roll is about a counter that these eyes may not know, or one that is named together with it is such.
pub(super) fn is_about_the_hidden<R: Rules>(session: &Session<R>, roll: &Roll, sight: Sight) -> bool {
    let (game, ruleset) = (session.game(), session.ruleset());
    let Some(about) = roll.about.as_unit() else { return false };
    let together = ruleset.chances[usize::from(roll.chance)].together.as_ref();
    let is_named = |other: &i32| *other == about || together.is_some_and(|when| game.holds(when, &[about, *other]));
    ruleset.all_of(Kind::Unit).iter().any(|unit| is_named(unit) && sight.is_concealed(game, Kind::Unit, *unit))
}

/// What a face of the waiting die is told to come to.
fn comes_to<R: Rules>(session: &mut Session<R>, face: i32, sight: Sight) -> Vec<String> {
    let ruleset = session.ruleset().clone();
    let (told, story) = (session.told().count(), Story::seen_by(sight, &ruleset, session.game()));
    if let Err(wrong) = session.act_roll(face) {
        return vec![Words::seen_by(sight, session.game()).wrong(&wrong)];
    }
    let events = session.told().skip(told).filter(|e| !matches!(e.effect, Effect::Rolled { faces: 1.., .. }));
    let (mut lines, _) = told_to(story, events, &hidden(session, sight));
    // A die that tells nothing by itself, because another decides together with it.
    if let (true, Some(next)) = (lines.is_empty(), session.roll()) {
        let next = session.game().asks_chance(next, sight).0;
        lines.push(
            Words::seen_by(sight, session.game()).say(&Said::engine(Text::RollsNext, [Particular::Text(next.into())])),
        );
    }
    lines
}

/// What events tell, up to the first that shows what could not be seen before; whether there is one.
pub(super) fn told_to<'a>(
    mut story: Story<'_>,
    events: impl Iterator<Item = &'a Event>,
    hidden: &str,
) -> (Vec<String>, bool) {
    let mut lines = Vec::new();
    for event in events {
        if story.reveals(event) {
            lines.push(hidden.to_owned());
            return (lines, true);
        }
        lines.extend(story.tell(event));
    }
    (lines, false)
}

/// What is told in place of what these eyes may not know.
pub(super) fn hidden<R: Rules>(session: &Session<R>, sight: Sight) -> String {
    Words::seen_by(sight, session.game()).say(&Said::engine(Text::HiddenAhead, []))
}

/// What is asked; or why a line would be allowed or not, in words with citations. Of several answers in a line those
/// before the last are tried out. The words are for these eyes. The error is a line that cannot be read.
pub fn explain<R: Rules>(session: &mut Session<R>, line: &str, sight: Sight) -> Result<String, String> {
    session.try_out(|session| {
        session.chance = Chance::Person;
        let mut line = line.trim().to_owned();
        loop {
            let Some(question) = session.question().cloned() else {
                let over = session.game().outcome().map_or("", |o| session.ruleset().cite(o.cite));
                let waits = session.roll().map(|roll| session.game().asks_chance(roll, sight).0);
                return Ok(waits.unwrap_or_else(|| format!("the game is over  [{over}]")));
            };
            if line.is_empty() {
                return Ok(session.game().why_asked(&question, sight));
            }
            let read = read_action(session.game(), &question, &line, sight);
            let (action, rest) = match read {
                Err(Misread::Half(half, _)) => return Ok(session.game().why_half(&question, half, sight)),
                read => read.map_err(|wrong| wrong.to_string())?,
            };
            if rest.is_empty() {
                return Ok(session.game().why(&question, action, sight));
            }
            match revealing(session, sight, |session| session.act(question.by, action)) {
                Err(_) => return Ok(session.game().why(&question, action, sight)),
                Ok(true) => {
                    return Ok(hidden(session, sight));
                }
                Ok(false) => (),
            }
            line = rest;
        }
    })
}

//! What would come of an answer, and why one is allowed or not: found out in a fork, and the match stands as it did.

use crate::{
    play::{Action, Chance, Effect, Rules, Session, SessionError},
    show::{Sight, Story, Words, read_action},
};

/// What each face of the next die would come to, told line by line to these eyes: of the die that waits, or of the one
/// that follows an answer. Nothing where no die follows it.
///
/// # Errors
/// The answer is not taken, or fails.
pub fn odds<R: Rules>(
    session: &mut Session<R>,
    after: Option<Action>,
    sight: Sight,
) -> Result<Vec<(i32, Vec<String>)>, SessionError> {
    session.try_out(|session| {
        session.chance = Chance::Person;
        if let (Some(action), Some(by)) = (after, session.question().map(|question| question.by)) {
            session.act(by, action)?;
        }
        let faces = 1..=session.roll().map_or(0, crate::play::Roll::faces);
        Ok(faces.map(|face| (face, session.try_out(|session| comes_to(session, face, sight)))).collect())
    })
}

/// What a face of the waiting die is told to come to.
fn comes_to<R: Rules>(session: &mut Session<R>, face: i32, sight: Sight) -> Vec<String> {
    let ruleset = session.ruleset().clone();
    let told = session.told().count();
    let mut story = Story::seen_by(sight, &ruleset, session.game());
    if let Err(wrong) = session.act_roll(face) {
        return vec![Words::seen_by(sight, session.game()).wrong(&wrong)];
    }
    let events = session.told().skip(told).filter(|e| !matches!(e.effect, Effect::Rolled { faces: 1.., .. }));
    events.filter_map(|event| story.tell(event)).collect()
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
            let read = read_action(session.game(), &question, &line);
            let (action, rest) = read.map_err(|wrong| wrong.to_string())?;
            if rest.is_empty() || session.act(question.by, action).is_err() {
                return Ok(session.game().why(&question, action, sight));
            }
            line = rest;
        }
    })
}

//! What the dice that fall next would come to, as the table tells it before they do.

use super::{
    odds::{Ask, Likely, likely},
    trying::{hidden, is_about_the_hidden, revealing, told_to},
};
use crate::{
    play::{Action, Chance, Effect, Rules, Session, SessionError},
    show::{Sight, Story, Words},
};

/// What faces of a die are told to come to, line by line.
pub type Faces = Vec<(i32, Vec<String>)>;

/// What dice would come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Odds {
    /// What must be answered before they fall, each in words with its answer: whoever is asked is supposed only to go on.
    pub supposed: Vec<String>,
    /// What they come to; nothing where none follow.
    pub come_to: Option<ComeTo>,
}

/// What dice would come to.
#[derive(Debug, Clone, PartialEq)]
pub enum ComeTo {
    /// One die that decides by itself: face by face.
    Faces(Faces),
    /// Several that decide together: what they come to, and how likely that is.
    Together(Likely),
}

/// No die is foreseen behind more answers.
const MOST_SUPPOSED: usize = 8;
/// So many ways of several dice are gone at most, and so many tried out where there are more: a person waits meanwhile.
const MOST_WAYS: usize = 5_000;
const TRIES: u32 = 1_000;

/// What the next dice would come to, told to these eyes: those that wait, or those that follow an answer in the same part
/// of the turn, if all who are asked meanwhile give the last of their answers that takes nothing. `None` where that would
/// tell them what is hidden from them: where an answer reveals it, or a die is about it.
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
        // What is drawn from a pack is nobody's to foresee.
        let Some(roll) = session.roll().filter(|roll| roll.faces() > 0) else {
            return Ok(Some(Odds { supposed, come_to: None }));
        };
        if is_about_the_hidden(session, roll, sight) {
            return Ok(None);
        }
        let (is_alone, faces) = (roll.handful.of == 1, 1..=roll.faces());
        let comes_to = |face| Some((face, session.try_out(|session| comes_to(session, face, sight))?));
        let faces: Option<Faces> = if is_alone { faces.map(comes_to).collect() } else { None };
        let come_to = match faces {
            Some(faces) => ComeTo::Faces(faces),
            None => {
                let players = vec![None; session.ruleset().sides.len()];
                let seed = session.record().seed;
                ComeTo::Together(likely(session, &Ask { players, sight, most: MOST_WAYS, tries: TRIES, seed })?)
            }
        };
        Ok(Some(Odds { supposed, come_to: Some(come_to) }))
    })
}

/// What a face of the waiting die is told to come to; nothing where another die decides together with it.
fn comes_to<R: Rules>(session: &mut Session<R>, face: i32, sight: Sight) -> Option<Vec<String>> {
    let ruleset = session.ruleset().clone();
    let (told, story) = (session.told().count(), Story::seen_by(sight, &ruleset, session.game()));
    if let Err(wrong) = session.act_roll(face) {
        return Some(vec![Words::seen_by(sight, session.game()).wrong(&wrong)]);
    }
    let events = session.told().skip(told).filter(|e| !matches!(e.effect, Effect::Rolled { faces: 1.., .. }));
    let (lines, _) = told_to(story, events, &hidden(session, sight));
    let is_decided_later = lines.is_empty() && session.roll().is_some();
    (!is_decided_later).then_some(lines)
}

//! What the dice that fall next would come to, as the table tells it before they do.

use super::{
    odds::{Ask, Likely, likely},
    trying::{hidden, is_about_the_hidden, revealing, told_to},
};
use crate::{
    play::{Action, Chance, Effect, Question, Rules, Session, SessionError},
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
/// So many answers, or all of several that follow each other, are supposed in turn, and told one below the other.
const MOST_EACH: usize = 4;
/// So many ways of several dice are gone at most, and so many tried out where there are more: a person waits meanwhile.
const MOST_WAYS: usize = 5_000;
const TRIES: u32 = 1_000;

/// What the next dice would come to, told to these eyes: those that wait, or those that follow an answer in the same part
/// of the turn. Whoever is asked meanwhile is supposed to give the last of the answers that take nothing. Where all take
/// something, each of a few is supposed in turn; of more, the first of another side's, and of one's own none, which are one's
/// own to name. `None` where that would tell these eyes what is hidden from them: where an answer reveals or names it, or a die
/// is about it.
///
/// # Errors
/// The answer is not taken, or fails.
pub fn odds<R: Rules>(
    session: &mut Session<R>,
    after: Option<Action>,
    sight: Sight,
) -> Result<Option<Vec<Odds>>, SessionError> {
    session.try_out(|session| {
        session.chance = Chance::Person;
        let (place, by) = (session.game().place_of_play(), session.question().map(|question| question.by));
        let mut foreseeing = Foreseeing { sight, place, by, all: Vec::new() };
        let is_told = foreseeing.foresee(session, after, Vec::new(), MOST_EACH)?;
        Ok(Some(foreseeing.all).filter(|_| is_told))
    })
}

struct Foreseeing {
    sight: Sight,
    /// Where play was, and who was asked there.
    place: Option<usize>,
    by: Option<i32>,
    all: Vec<Odds>,
}

impl Foreseeing {
    /// Adds what comes of an answer after all that is supposed, if there is an answer: for so many answers of whoever is asked
    /// next. Whether these eyes may be told.
    fn foresee<R: Rules>(
        &mut self,
        session: &mut Session<R>,
        after: Option<Action>,
        supposed: Vec<String>,
        room: usize,
    ) -> Result<bool, SessionError> {
        if let (Some(action), Some(question)) = (after, session.question().cloned()) {
            if revealing(session, self.sight, |session| session.act(question.by, action))? {
                return Ok(false);
            }
            let is_here = session.game().place_of_play() == self.place && supposed.len() < MOST_SUPPOSED;
            let asked = session.question().filter(|_| is_here).cloned();
            let answers = asked.as_ref().map(|asked| self.supposable(session, asked, room)).unwrap_or_default();
            if let Some(asked) = asked.filter(|_| !answers.is_empty()) {
                let room = room / answers.len();
                for answer in answers {
                    let Some(words) = self.words(session, &asked, answer) else { return Ok(false) };
                    let supposed = supposed.iter().cloned().chain([words]).collect();
                    if !session.try_out(|session| self.foresee(session, Some(answer), supposed, room))? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
        }
        // What is drawn from a pack is nobody's to foresee.
        let Some(roll) = session.roll().filter(|roll| roll.faces() > 0) else {
            self.all.push(Odds { supposed, come_to: None });
            return Ok(true);
        };
        if is_about_the_hidden(session, roll, self.sight) {
            return Ok(false);
        }
        let come_to = Some(dice_come_to(session, self.sight)?);
        self.all.push(Odds { supposed, come_to });
        Ok(true)
    }

    /// What whoever is asked is supposed to answer, one after the other; nothing where that is not for anybody to suppose.
    fn supposable<R: Rules>(&self, session: &Session<R>, asked: &Question, room: usize) -> Vec<Action> {
        let (ruleset, offers) = (session.ruleset(), session.offers());
        let takes_nothing = |action: &&Action| ruleset.verbs[usize::from(action.verb)].takes.is_empty();
        match offers.iter().rfind(takes_nothing) {
            Some(alone) => vec![*alone],
            None if offers.len() <= room => offers.to_vec(),
            None if self.by == Some(asked.by) => Vec::new(),
            None => offers[..1].to_vec(),
        }
    }

    /// An answer in words, with who is asked what; nothing where it names what these eyes may not know.
    fn words<R: Rules>(&self, session: &Session<R>, asked: &Question, answer: Action) -> Option<String> {
        let (game, ruleset) = (session.game(), session.ruleset());
        let verb = &ruleset.verbs[usize::from(answer.verb)];
        let values = || verb.takes.iter().zip(answer.values);
        if values().any(|(kind, value)| self.sight.is_concealed(game, *kind, value)) {
            return None;
        }
        let names = values().map(|(kind, value)| ruleset.name_of(*kind, value));
        let answer = std::iter::once(verb.id.clone()).chain(names).collect::<Vec<_>>().join(" ");
        Some(format!("{}: {} {answer}", ruleset.sides[asked.by as usize].name, game.asks(asked, self.sight)))
    }
}

/// What the dice that wait come to.
fn dice_come_to<R: Rules>(session: &mut Session<R>, sight: Sight) -> Result<ComeTo, SessionError> {
    let Some(roll) = session.roll() else { return Ok(ComeTo::Faces(Vec::new())) };
    let (is_alone, faces) = (roll.handful.of == 1, 1..=roll.faces());
    let comes_to = |face| Some((face, session.try_out(|session| comes_to(session, face, sight))?));
    let faces: Option<Faces> = if is_alone { faces.map(comes_to).collect() } else { None };
    Ok(match faces {
        Some(faces) => ComeTo::Faces(faces),
        None => {
            let players = vec![None; session.ruleset().sides.len()];
            let seed = session.record().seed;
            ComeTo::Together(likely(session, &Ask { players, sight, most: MOST_WAYS, tries: TRIES, seed })?)
        }
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

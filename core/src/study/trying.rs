//! Why an answer is allowed or not, and what may be told of what is tried out: in a fork, and the match stands as it did.

use crate::{
    play::{Chance, Event, Game, Question, Roll, Rules, Said, Session},
    ruleset::{Kind, Text},
    show::{Misread, Sight, Story, Words, read_action},
};

/// Does something, and says whether it has shown these eyes what they could not see before.
pub(super) fn revealing<R: Rules, E>(
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
            // Whoever is asked about may be named once more.
            if let (Err(Misread::Unknown(..)), Some(rest)) = (&read, behind_subject(session.game(), &question, &line)) {
                line = rest;
                continue;
            }
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

/// What stands in a line behind the name of the unit that a question is about; nothing where it does not begin with it.
fn behind_subject(game: &Game, question: &Question, line: &str) -> Option<String> {
    let unit = question.about.as_unit()?;
    let ends = line.match_indices([' ', ',']).map(|(at, _)| at);
    let is_named = |end: &usize| game.ruleset.find_named(Kind::Unit, &line[..*end], &[unit]) == Ok(Some(unit));
    let rest = line[ends.filter(is_named).last()?..].trim_start_matches([' ', ',']);
    (!rest.is_empty()).then(|| rest.to_owned())
}

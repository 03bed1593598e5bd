//! Where two games of one seed part, and why: what each version offers there that the other does not.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    ReplayError,
    comparison::Pairs,
    replay,
    trial::{key_of_entry, trial},
};
use crate::{
    map::SpaceId,
    play::{About, Action, Entry, Game, Limits, Question, Record, Rules, Session, Stands},
    ruleset::{Kind, Ruleset},
    show::{Sight, Words, record_line},
};

/// Two games of one seed where they part.
#[derive(Debug, Clone)]
pub struct Parting {
    /// How many answers they share.
    pub shared: usize,
    /// The last of those, as a record has them.
    pub before: Vec<String>,
    /// How each version stands there.
    pub stands: [Stood; 2],
    /// What is measured otherwise at the end: title, and the values.
    pub measured: Vec<(String, [i32; 2])>,
    /// The position they share, as the first version has it.
    pub position: Game,
    /// The space that what is asked there is about, or whose unit it is about.
    pub around: Option<SpaceId>,
}

/// How one version stands where the games part.
#[derive(Debug, Clone, Default)]
pub struct Stood {
    /// The game turn.
    pub turn: String,
    /// What is asked, in words; empty where chance or nobody is asked.
    pub asks: String,
    /// What was answered, as a record has it; nothing where the game is over.
    pub answered: Option<String>,
    /// What this version alone offers, and why the other does not: each refusal with its paragraph.
    pub alone: Vec<(String, Vec<String>)>,
}

/// No more answers before the parting are told, nor more that one version alone offers.
const TOLD: usize = 5;

/// Plays the pair of a seed again, and looks where its games part. `make` makes rules of a version.
///
/// # Errors
/// What `make` says; or a game cannot be played again, which would be a fault of the engine.
pub fn parting<R: Rules, E: From<ReplayError>>(
    pairs: &Pairs,
    seed: u64,
    make: impl Fn(&Arc<Ruleset>) -> Result<R, E>,
) -> Result<Parting, E> {
    let gauges = [0, 1].map(|at| pairs.gauges(at));
    let mut records = Vec::new();
    let mut values = Vec::new();
    for (at, ruleset) in pairs.versions.iter().enumerate() {
        let mut session = Session::of(make(ruleset)?, pairs.begin(at, seed));
        values.push(trial(&mut session, pairs.begin(at, seed), &pairs.players[at], &gauges[at]).values);
        records.push(session.record().clone());
    }
    let keys = |at: usize| {
        let entries = records[at].entries.iter();
        entries.map(|entry| key_of_entry(&pairs.versions[at], entry)).collect::<Vec<_>>()
    };
    let shared = keys(0).iter().zip(&keys(1)).take_while(|(a, b)| a == b).count();
    let stop = |at: usize| -> Result<Session<R>, E> {
        let (ruleset, record): (_, &Record) = (&pairs.versions[at], &records[at]);
        Ok(replay(ruleset, make(ruleset)?, (record, &[]), Some(shared), Limits::BULK, |_| ())?)
    };
    let sessions = [stop(0)?, stop(1)?];
    let stands = [0, 1].map(|at| stood(&sessions, at, records[at].entries.get(shared)));
    let line = |entry: &Entry| record_line(&pairs.versions[0], entry);
    let before = records[0].entries.from(shared.saturating_sub(TOLD)).take(shared.min(TOLD)).map(line).collect();
    let whole = gauges[0].iter().zip(&values[0]).filter(|(gauge, _)| gauge.is_whole());
    let of_both = whole.filter_map(|(gauge, first)| {
        let other = gauges[1].iter().position(|other| other.id == gauge.id)?;
        Some((gauge.marked_title(), [*first, values[1][other]]))
    });
    let measured = of_both.filter(|(_, [a, b])| a != b).collect();
    let position = sessions[0].game().clone();
    let around = sessions[0].question().or(sessions[1].question()).and_then(|question| match question.about {
        About::Thing(Kind::Unit, unit) => Some(position.space_of(unit)),
        About::Thing(Kind::Space, space) => Some(space),
        _ => None,
    });
    let around = around.and_then(|space| u32::try_from(space).ok()).map(SpaceId);
    Ok(Parting { shared, before, stands, measured, position, around })
}

fn stood<R: Rules>(sessions: &[Session<R>; 2], at: usize, answered: Option<&Entry>) -> Stood {
    let (own, other) = (&sessions[at], &sessions[1 - at]);
    let ruleset = own.ruleset();
    let turn = ruleset.turn_name(own.game().turn());
    let answered = answered.map(|entry| record_line(ruleset, entry));
    let Stands::Asks(question) = own.stands() else { return Stood { turn, answered, ..Stood::default() } };
    let line = |ruleset: &Ruleset, question: &Question, action: Action| {
        let (by, key, about) = (question.by, question.key, question.about);
        record_line(ruleset, &Entry::Side { by, key, about, action })
    };
    let of_other: BTreeSet<String> = other
        .question()
        .map(|question| other.offers().iter().map(|action| line(other.ruleset(), question, *action)).collect())
        .unwrap_or_default();
    let lone = own.offers().iter().map(|action| (line(ruleset, question, *action), *action));
    let lone = lone.filter(|(line, _)| !of_other.contains(line)).take(TOLD);
    let why = |action: Action| {
        let (Some(question), Some(action)) = (other.question(), taken_up(action, ruleset, other.ruleset())) else {
            return Vec::new();
        };
        let words = Words::all(other.ruleset());
        other.game().why_not(question, action).iter().map(|refusal| words.refusal(refusal)).collect()
    };
    let alone = lone.map(|(line, action)| (line, why(action))).collect();
    Stood { turn, asks: own.game().asks(question, Sight::ALL), answered, alone }
}

/// The same answer as another version numbers it; nothing where that lacks a word or a thing of it.
fn taken_up(action: Action, from: &Ruleset, to: &Ruleset) -> Option<Action> {
    let verb = &from.verbs[usize::from(action.verb)];
    let at = to.verbs.iter().position(|other| other.id == verb.id)?;
    let mut taken = Action::alone(at as u16);
    for ((kind, value), now) in verb.takes.iter().zip(action.values).zip(&mut taken.values) {
        let known = to.keys.of_kind(*kind);
        *now = match known {
            [] => value,
            _ if *kind == Kind::Any => value,
            known => known.iter().position(|key| *key == from.keys.of(*kind, value))? as i32,
        };
    }
    Some(taken)
}

//! What a rule waits for, a question or chance, as the rule hands it over: looked at before the engine takes it.

use countermarch_core::{
    play::{About, CoverPart, Dice, Offer, Question, Roll, Set, Step},
    ruleset::{Kind, Ruleset},
};
use mlua::{Buffer, Error, Result, Value};

use crate::{
    convert::{from_lua, known},
    sets::Sets,
};

/// More faces than any die has.
const MOST_FACES: i64 = 1000;
/// More than any deck holds.
const MOST_DRAWN_FROM: usize = 10_000;

/// What a rule hands over: the tag of what it waits for; the question, counted from 1, or the purpose; what it is about;
/// who is asked, or the faces, or the list; and how many bytes of offers it has written.
pub type Waits = (Value, Value, Option<i32>, Value, Option<usize>);

/// What a rule that has not ended waits for.
pub fn step(ruleset: &Ruleset, sets: &Sets, offered: &Buffer, waits: Waits) -> Result<Step> {
    let (tag, what, about, more, size) = waits;
    match (tag, what) {
        (Value::Integer(1), Value::Integer(at)) => {
            question(ruleset, at as u16 - 1, &more, about, (sets, offered, size.unwrap_or(0))).map(Step::Ask)
        }
        (Value::Integer(2 | 3), Value::String(purpose)) => {
            roll(ruleset, &purpose.to_str()?, about, &more).map(Step::Roll)
        }
        (Value::Integer(2 | 3), _) => Err(Error::runtime("a roll needs its purpose")),
        // The game is over.
        _ => Ok(Step::Done(true)),
    }
}

fn question(
    ruleset: &Ruleset,
    at: u16,
    by: &Value,
    about: Option<i32>,
    (sets, offered, size): (&Sets, &Buffer, usize),
) -> Result<Question> {
    let declared = &ruleset.questions[at as usize];
    let key = &declared.key;
    let by = known(ruleset, Kind::Side, from_lua(Kind::Side, by)?)
        .map_err(|wrong| Error::runtime(format!("question `{key}` is asked of nobody: {}", in_short(&wrong))))?;
    let about = match (about, declared.about) {
        (None, _) => About::Nothing,
        (Some(thing), Some(kind)) => {
            let thing = known(ruleset, kind, thing)?;
            match kind {
                Kind::Unit => About::Unit(thing),
                Kind::Space => About::Space(thing),
                Kind::Card => About::Card(thing),
                _ => About::Side(thing),
            }
        }
        _ => return Err(Error::runtime(format!("question `{key}` is not declared to be about something"))),
    };
    let mut offers = Vec::with_capacity(size / 8);
    for at in (0..size).step_by(8) {
        let [v0, v1, v2, v3, s0, s1, s2, s3] = offered.read_bytes(at);
        let (verb, set) = (i32::from_le_bytes([v0, v1, v2, v3]), i32::from_le_bytes([s0, s1, s2, s3]));
        let offer = Offer { verb: verb as u16 - 1, set: sets.offered(set)? };
        fits(ruleset, &offer)?;
        offers.push(offer);
    }
    // A table has no order of its own; the declared order of verbs is the order of offers.
    offers.sort_by_key(|o| o.verb);
    if let Some(twice) = offers.windows(2).find(|two| two[0].verb == two[1].verb) {
        return Err(Error::runtime(format!("`{}` is offered twice", ruleset.verbs[twice[0].verb as usize].id)));
    }
    Ok(Question { key: at, by, about, offers })
}

/// Whether what is offered is what the verb takes, and there.
fn fits(ruleset: &Ruleset, offer: &Offer) -> Result<()> {
    let verb = &ruleset.verbs[offer.verb as usize];
    let of = match &offer.set {
        Set::One | Set::Allowed { .. } | Set::Cover { part: CoverPart::Close | CoverPart::Done, .. } => None,
        Set::Passing { rows, .. } => ruleset.rows[*rows as usize].given.first().map(|(_, kind)| *kind),
        Set::Reach(_) | Set::Ends { .. } | Set::Retreat(_) => Some(Kind::Space),
        Set::Cover { .. } => Some(Kind::Unit),
        Set::Numbers(least, most) => match verb.takes {
            Some(kind @ Kind::Symbol(_)) if least <= most => {
                known(ruleset, kind, *least).and(known(ruleset, kind, *most))?;
                verb.takes
            }
            _ => Some(Kind::Int),
        },
        Set::List(list) => {
            if let Some(kind) = verb.takes {
                list.iter().try_for_each(|thing| known(ruleset, kind, *thing).map(drop))?;
            }
            verb.takes
        }
    };
    if of == verb.takes && (of.is_some() || !matches!(offer.set, Set::List(_))) {
        return Ok(());
    }
    let takes = verb.takes.map_or("nothing", Kind::words);
    let given = of.map_or(if verb.takes.is_some() { "nothing" } else { "a list" }, Kind::words);
    Err(Error::runtime(format!("`{}` takes {takes}, and {given} is offered", verb.id)))
}

fn roll(ruleset: &Ruleset, purpose: &str, about: Option<i32>, dice: &Value) -> Result<Roll> {
    let Some(declared) = ruleset.chances.iter().find(|c| c.purpose == purpose) else {
        let purpose = purpose.escape_debug();
        return Err(Error::runtime(format!("chance has no purpose `{purpose}`: declare it under `chance:`")));
    };
    let wrong = |what: String| Error::runtime(format!("`{purpose}` {what}"));
    let dice = match dice {
        Value::Integer(faces) if (1..=MOST_FACES).contains(faces) => Dice::Die(*faces as i32),
        Value::Integer(faces) => {
            return Err(wrong(format!("has a die of {faces} faces: 1 to {MOST_FACES} it may have")));
        }
        Value::Table(list) if (1..=MOST_DRAWN_FROM).contains(&list.raw_len()) => {
            let list: Vec<i32> = list.sequence_values().collect::<Result<_>>()?;
            if let Some(kind) = declared.draws {
                list.iter().try_for_each(|thing| known(ruleset, kind, *thing).map(drop))?;
            }
            Dice::One(list.into())
        }
        Value::Table(list) => {
            return Err(wrong(format!("picks one of {}: 1 to {MOST_DRAWN_FROM} there may be", list.raw_len())));
        }
        other => {
            return Err(wrong(format!("needs a number of faces, or a list to pick from, not {}", other.type_name())));
        }
    };
    let about = about.map_or(Ok(-1), |unit| known(ruleset, Kind::Unit, unit))?;
    Ok(Roll { purpose: purpose.into(), about, dice })
}

fn in_short(wrong: &Error) -> String {
    wrong.to_string().trim_start_matches("runtime error: ").to_owned()
}

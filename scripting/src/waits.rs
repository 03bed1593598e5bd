//! What a rule waits for, a question or chance, as the rule hands it over: looked at before the engine takes it.

use countermarch_core::{
    play::{About, CoverPart, Dice, Handful, Offer, Question, Roll, Set, Step, Then},
    ruleset::{Kind, OwnOffer, Ruleset, Verb},
};
use mlua::{Buffer, Error, LuaString, Result, Table, Value};

use crate::{convert::known, runtime::Slot, sets::Sets, trace::AtWork};

/// More faces than any die has.
pub const MOST_FACES: i64 = 1000;
/// More dice than any hand holds.
const MOST_DICE: i64 = 1000;
/// More than any deck holds.
const MOST_DRAWN_FROM: usize = 10_000;

/// What a rule hands over when it stops: of a question how many bytes it has written, else one of the numbers below; and
/// what a question or a roll is about.
pub type Waits = (i32, Option<i32>);

/// The rule has ended, and what it does is done.
pub const DONE: i32 = 0;
/// The rule has ended, and what it does may go on.
pub const ENDED: i32 = -1;
/// The game is over, and the rule with it.
pub const OVER: i32 = -2;
/// The rule waits for chance, and has listed what it rolls: the purpose, the faces or the list to pick from, and of
/// several dice how many have not fallen and how many there are.
pub const ROLLS: i32 = -3;

/// Where a rule writes what it waits for. Both stay while the rules do: handing over one number is cheaper than many.
pub struct Written {
    /// A question.
    pub asking: Buffer,
    /// A roll.
    pub rolling: Table,
}

/// So many bytes of what is written of a question are read at once: whole numbers of four bytes, its own counted from 1,
/// the side it asks, then a verb, counted from 1, and the handle of a set for each offer. Most offer no more.
pub const HEAD: usize = 8 + 4 * OFFER;
/// So many bytes are written of an offer.
pub const OFFER: usize = 8;

/// What a rule that has stopped waits for. What its question offers by itself is `seen` to be at work.
pub fn step(slot: &Slot, written: &Written, seen: Option<&AtWork>, (what, about): Waits) -> Result<Step> {
    match what {
        ENDED => Ok(Step::Done(false)),
        DONE | OVER => Ok(Step::Done(true)),
        ROLLS => roll(&slot.game.ruleset, &written.rolling, about).map(Step::Roll),
        size => question(slot, &written.asking, seen, size as usize, about).map(Step::Ask),
    }
}

fn question(slot: &Slot, asking: &Buffer, seen: Option<&AtWork>, size: usize, about: Option<i32>) -> Result<Question> {
    let (ruleset, sets) = (&*slot.game.ruleset, &slot.sets);
    let head: [u8; HEAD] = asking.read_bytes(0);
    let number = |bytes: &[u8], at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let (key, by) = (number(&head, 0) as u16 - 1, number(&head, 4));
    let declared = &ruleset.questions[usize::from(key)];
    let about = match (about, declared.about) {
        (None, _) => About::Nothing,
        (Some(thing), Some(kind)) => About::Thing(kind, known(ruleset, kind, thing)?),
        _ => {
            let key = &declared.key;
            return Err(Error::runtime(format!("question `{key}` is not declared to be about something")));
        }
    };
    let mut offers = Vec::with_capacity(size / OFFER + declared.offers.len());
    let mut withheld = Vec::new();
    for at in (8..size).step_by(OFFER) {
        let offer: [u8; OFFER] = match head.get(at..at + OFFER) {
            Some(offer) => offer.try_into().expect("so many bytes"),
            None => asking.read_bytes(at),
        };
        let (verb, handle) = (number(&offer, 0) as u16 - 1, number(&offer, 4));
        if handle == Sets::WITHHELD {
            withheld.push(verb);
            continue;
        }
        let (set, then) = sets.offered(handle)?;
        let offer = Offer { verb, set, then };
        fits(ruleset, &offer)?;
        offers.push(offer);
    }
    if !declared.offers.is_empty() {
        if about == About::Nothing && declared.offers.iter().any(OwnOffer::wants_about) {
            let key = &declared.key;
            return Err(Error::runtime(format!(
                "question `{key}` makes its offers of what it is about, and that is nothing"
            )));
        }
        let is_answered = |verb: u16| offers.iter().any(|offer: &Offer| offer.verb == verb) || withheld.contains(&verb);
        let own: Vec<Offer> = slot.game.own_offers(key, about, is_answered).collect();
        see_own(ruleset, key, &own, seen);
        offers.extend(own);
    }
    // A table has no order of its own; the declared order of verbs is the order of offers.
    offers.sort_by_key(|o| o.verb);
    if let Some(twice) = offers.windows(2).find(|two| two[0].verb == two[1].verb) {
        return Err(Error::runtime(format!("`{}` is offered twice", ruleset.verbs[twice[0].verb as usize].id)));
    }
    Ok(Question { key, by, about, offers })
}

/// What a question offers by itself is at work.
pub fn see_own(ruleset: &Ruleset, key: u16, own: &[Offer], seen: Option<&AtWork>) {
    let Some(seen) = seen else { return };
    let is_made = |declared: &&OwnOffer| own.iter().any(|offer| offer.verb == declared.verb);
    let made = ruleset.questions[usize::from(key)].offers.iter().filter(is_made);
    made.flat_map(|offer| offer.paths(ruleset)).for_each(|path| seen.add(&path));
}

/// Whether the members of a set are of a kind.
pub fn holds(ruleset: &Ruleset, set: &Set, wanted: Kind) -> Result<()> {
    let of = kind_of(ruleset, set);
    // A list that a rule has made may hold anything, and is looked through.
    if of == Some(wanted) || matches!(set, Set::List(_)) {
        return Ok(());
    }
    let holds = of.map_or("nothing", Kind::words);
    Err(Error::runtime(format!("a set is wanted, each of which is {}, and this one holds {holds}", wanted.words())))
}

/// What the members of a set are, where the set itself says so.
fn kind_of(ruleset: &Ruleset, set: &Set) -> Option<Kind> {
    match set {
        Set::One | Set::Allowed { .. } | Set::Cover { part: CoverPart::Close | CoverPart::Done, .. } => None,
        Set::Passing { rows, .. } => ruleset.rows[*rows as usize].given.first().map(|(_, kind)| *kind),
        Set::Named { set, .. } => Some(ruleset.sets[*set as usize].kind),
        Set::Reach(_) | Set::Ends { .. } | Set::Retreat(_) => Some(Kind::Space),
        Set::Cover { .. } => Some(Kind::Unit),
        Set::Numbers(..) => Some(Kind::Int),
        Set::List(_) => None,
    }
}

/// Whether what is offered is what the verb takes, and there.
fn fits(ruleset: &Ruleset, offer: &Offer) -> Result<()> {
    let verb = &ruleset.verbs[offer.verb as usize];
    let first = verb.takes.first().copied();
    let of = match &offer.set {
        Set::Numbers(least, most) => match first {
            Some(kind @ Kind::Symbol(_)) if least <= most => {
                known(ruleset, kind, *least).and(known(ruleset, kind, *most))?;
                first
            }
            _ => Some(Kind::Int),
        },
        Set::List(list) => {
            if let Some(kind) = first {
                list.iter().try_for_each(|thing| known(ruleset, kind, *thing).map(drop))?;
            }
            first
        }
        set => kind_of(ruleset, set),
    };
    let then = offer.then.map(|then| then.by.makes(ruleset));
    let offered = || of.into_iter().chain(then);
    if offered().eq(verb.takes.iter().copied()) && (of.is_some() || !matches!(offer.set, Set::List(_))) {
        return offer.then.map_or(Ok(()), |then| fills(ruleset, verb, then));
    }
    let words = |kinds: &[Kind], none: &str| match kinds {
        [] => none.to_owned(),
        kinds => kinds.iter().map(|kind| kind.words()).collect::<Vec<_>>().join(" and "),
    };
    let takes = words(&verb.takes, "nothing");
    let given = words(&offered().collect::<Vec<_>>(), if verb.takes.is_empty() { "a list" } else { "nothing" });
    Err(Error::runtime(format!("`{}` takes {takes}, and {given} is offered", verb.id)))
}

/// Whether the first value of a verb is what its second is offered by.
fn fills(ruleset: &Ruleset, verb: &Verb, then: Then) -> Result<()> {
    let (first, hole) = (verb.takes[0], then.by.hole(ruleset).unwrap_or(Kind::Any));
    if hole == first || hole.of_each() == Some(first) {
        return Ok(());
    }
    let (id, first, hole) = (&verb.id, first.words(), hole.words());
    Err(Error::runtime(format!("`{id}` takes {first} first, and what it offers second is to be given {hole}")))
}

/// What a die is thrown with; alone, where nothing is said of that.
fn handful(left: &Value, of: &Value) -> Result<Handful> {
    match (left, of) {
        (Value::Nil, Value::Nil) => Ok(Handful::ONE),
        (Value::Integer(left), Value::Integer(of)) if 1 <= *left && left <= of && *of <= MOST_DICE => {
            Ok(Handful { left: *left as u16, of: *of as u16 })
        }
        _ => Err(Error::runtime(format!("a handful is none to {MOST_DICE} dice"))),
    }
}

fn roll(ruleset: &Ruleset, rolling: &Table, about: Option<i32>) -> Result<Roll> {
    let listed = |at: usize| rolling.raw_get::<Value>(at);
    let (dice, handful) = (listed(2)?, handful(&listed(3)?, &listed(4)?)?);
    let purpose: LuaString = rolling.raw_get(1)?;
    let purpose = &*purpose.to_str()?;
    let Some(chance) = ruleset.chance(purpose) else {
        let purpose = purpose.escape_debug();
        return Err(Error::runtime(format!("chance has no purpose `{purpose}`: declare it under `chance:`")));
    };
    let declared = &ruleset.chances[chance as usize];
    let wrong = |what: String| Error::runtime(format!("`{purpose}` {what}"));
    let dice = match &dice {
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
    let about = match about {
        Some(thing) => About::Thing(declared.about, known(ruleset, declared.about, thing)?),
        None => About::Nothing,
    };
    Ok(Roll { chance, about, dice, handful })
}

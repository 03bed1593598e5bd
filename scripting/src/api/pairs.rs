//! Offers of two values: a set, and a function of `offer` that makes the set of what follows each of its members. The
//! function is named and not called, so that nothing of what follows is worked out before somebody looks.

use countermarch_core::{
    play::{Game, Set, Then},
    ruleset::{Kind, Maker},
};
use mlua::{Error, Result, Table, Value};

use super::{Api, MOST_RETREATED, group, guards, no_allowance, too_many};
use crate::{
    convert::{from_lua, known, lua_name, name_of_passing},
    runtime::Slot,
    sets::Sets,
    trace::AtWork,
    waits,
};

impl Api<'_> {
    /// What `offer.pairs` calls. To be called once all other functions of `offer` are as rules see them.
    pub(super) fn pairs(&self, watching: Option<&AtWork>) -> Result<()> {
        let offer: Table = self.lua.globals().raw_get("offer")?;
        let numbers = self.table()?;
        let makers = self.makers();
        for (at, (table, name, ..)) in makers.iter().enumerate() {
            numbers.raw_set(offer.raw_get::<Table>(*table)?.raw_get::<Value>(&**name)?, at)?;
        }
        let (slot, watching) = (self.slot.clone(), watching.cloned());
        type Args = (i32, Value, Value, Value, Value, Value);
        let pairs = self.lua.create_function(move |_, (first, second, one, other, third, more): Args| {
            let number = match &second {
                Value::Function(_) => numbers.raw_get::<Option<usize>>(&second)?,
                _ => None,
            };
            let Some((_, _, by, at_work)) = number.and_then(|number| makers.get(number)) else {
                let message = "what follows is named by a function of `offer` that is given the first value and makes a \
                               set: a guard's, a set's, a mover's or a retreat's";
                return Err(Error::runtime(message));
            };
            if let Some(seen) = &watching {
                seen.add(at_work);
            }
            let mut slot = slot.borrow_mut();
            let Some(hole) = by.hole(&slot.game.ruleset) else {
                return Err(Error::runtime("what follows is given nothing, and would be the same for every first value"));
            };
            let set = slot.sets.get(first)?.clone();
            holds_each(&slot.game, &set, hole.of_each().unwrap_or(hole))?;
            let values = [one, other, third];
            // Pairs that hang on nothing are made but once: the prelude asks no more for those that it is handed once. Whoever
            // watches wants to see them made each time.
            let is_same = first >= Sets::STAYING && values.iter().all(Value::is_nil) && watching.is_none();
            let given = given_behind(&slot, *by, values, &more)?;
            let then = Some(Then { by: *by, given });
            if is_same { Ok(slot.sets.stay(set, then)) } else { slot.sets.keep_pairs(set, then) }
        })?;
        self.engine.raw_set("pairs", pairs)
    }

    /// The functions of `offer` that may make what follows: table, name, what they make it by, and which part of the
    /// content that is.
    fn makers(&self) -> Vec<(&'static str, String, Maker, String)> {
        let ruleset = self.ruleset;
        let named = |table, name: String, by: Maker| (table, name, by, by.path(ruleset));
        let passing = guards(ruleset).filter(|(_, guard)| !guard.candidates.is_empty());
        let mut all: Vec<_> =
            passing.map(|(at, guard)| named("each", name_of_passing(&guard.name), Maker::Guard(at))).collect();
        let sets = (0..).zip(&ruleset.sets);
        all.extend(sets.map(|(at, set)| named("each", lua_name(&set.name), Maker::Named(at))));
        let movers = (0..).zip(&ruleset.movers);
        all.extend(movers.map(|(at, mover)| named("reach", lua_name(&mover.name), Maker::Mover(at))));
        let retreats = (0..).zip(&ruleset.retreats);
        all.extend(retreats.map(|(at, kind)| named("retreat", lua_name(&kind.name), Maker::Retreat(at))));
        all
    }
}

/// Whether every member of a set is of a kind.
fn holds_each(game: &Game, set: &Set, wanted: Kind) -> Result<()> {
    match set {
        Set::List(list) => list.iter().try_for_each(|one| known(&game.ruleset, wanted, *one).map(drop)),
        Set::Numbers(least, most) if wanted != Kind::Int => {
            known(&game.ruleset, wanted, *least).and(known(&game.ruleset, wanted, *most)).map(drop)
        }
        set => waits::holds(&game.ruleset, set, wanted),
    }
}

/// What a maker is given behind the first value.
fn given_behind(
    slot: &Slot,
    by: Maker,
    values: [Value; Then::MOST_GIVEN],
    more: &Value,
) -> Result<[i32; Then::MOST_GIVEN]> {
    let game = &slot.game;
    let kinds = by.given_behind(&game.ruleset);
    if values.iter().skip(kinds.len()).chain([more]).any(|value| !value.is_nil()) {
        return Err(too_many(2 + kinds.len()));
    }
    let mut given = [-1; Then::MOST_GIVEN];
    for (at, value) in values.iter().enumerate() {
        given[at] = match kinds.get(at) {
            None => -1,
            Some(kind) if kind.of_each().is_some() => group(slot, kind.of_each().unwrap_or(*kind), value)?,
            // What a mover may spend is its own to say.
            Some(Kind::Int) if value.is_nil() && matches!(by, Maker::Mover(_)) => -1,
            Some(kind) => match from_lua(*kind, value)? {
                thing if value.is_nil() => thing,
                thing => known(&game.ruleset, *kind, thing)?,
            },
        };
    }
    match by {
        Maker::Mover(mover) if values[0].is_nil() => {
            let declared = &game.ruleset.movers[usize::from(mover)];
            declared.allowance.map(|_| given).ok_or_else(|| no_allowance(&declared.name))
        }
        Maker::Mover(_) if u16::try_from(given[0]).is_err() => {
            Err(Error::runtime(format!("a move has no {} movement points", given[0])))
        }
        Maker::Retreat(_) if !given[..2].iter().all(|steps| (0..=i32::from(MOST_RETREATED)).contains(steps)) => {
            Err(Error::runtime(format!("a retreat is of 0 to {MOST_RETREATED} spaces")))
        }
        _ => Ok(given),
    }
}

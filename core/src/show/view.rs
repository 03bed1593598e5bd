//! What one side may see, as JSON. The board is drawn from this and computes no rule.

use serde_json::{Map as Json, Value, json};

use super::{score::standing, sight::Sight};
use crate::{
    play::{Game, Question},
    ruleset::{Holder, Kind},
};

/// The version of the view's shape; it changes when a key changes its meaning.
const FORMAT: u32 = 1;

/// The game as these eyes see it. The order of decks is in no view. A property that is not told is left out. Of a
/// counter that may not be named there is `concealed: true`, its side and its place; such counters stand last, by
/// their places, so that not even their order says which they are. A question to another side has neither subject
/// nor offers.
pub fn view(game: &Game, question: Option<&Question>, sight: Sight) -> Value {
    let ruleset = &game.ruleset;
    let place = game.place_of_play().map(|p| ruleset.sequence.places[p].title.clone());
    let mut sides = Json::new();
    for (at, side) in ruleset.sides.iter().enumerate() {
        sides.insert(side.id.clone(), properties(game, Holder::Side, at as i32, sight));
    }
    let (concealed, named): (Vec<i32>, Vec<i32>) =
        (0..ruleset.units.len() as i32).partition(|unit| sight.is_concealed(game, *unit));
    let mut units: Vec<Value> = named.into_iter().map(|u| unit(game, u, sight)).collect();
    let mut masks: Vec<(i32, i32)> =
        concealed.into_iter().map(|u| (game.place(u), ruleset.units[u as usize].side)).collect();
    masks.sort_unstable();
    units.extend(masks.into_iter().map(|(place, side)| {
        json!({ "concealed": true, "side": ruleset.sides[side as usize].id, "place": ruleset.name_of_place(place) })
    }));
    let outcome = game.outcome().map(|o| {
        let id = |side: &i32| ruleset.sides[*side as usize].id.clone();
        let results = ruleset.sides.iter().zip(game.results());
        let results = results.map(|(side, r)| (side.id.clone(), json!({ "won": r.won, "score": r.score })));
        json!({ "winner": if let [only] = &*o.winners { Some(id(only)) } else { None }, "name": &*o.name,
                "cite": ruleset.cite(o.cite), "results": Value::Object(results.collect()) })
    });
    let (measures, victory) = standing(game);
    json!({
        "format": FORMAT,
        "game": ruleset.full_name(),
        "seen_by": sight.side().map(|s| ruleset.sides[s as usize].id.clone()),
        "turn": game.turn(),
        "turn_name": ruleset.turn_name(game.turn()),
        "phasing": ruleset.sides.get(game.phasing() as usize).map(|s| s.id.clone()),
        "place": place,
        "sides": sides,
        "measures": measures,
        "victory": victory,
        "units": units,
        "question": question.map(|q| asked(game, q, sight)),
        "outcome": outcome,
    })
}

fn unit(game: &Game, unit: i32, sight: Sight) -> Value {
    let ruleset = &game.ruleset;
    let declared = &ruleset.units[unit as usize];
    let mut printed = Json::new();
    for attribute in ruleset.attributes.iter().filter(|a| a.holder == Holder::Unit) {
        let value = attribute.values[unit as usize];
        printed.insert(attribute.name.clone(), written(game, attribute.kind, value));
    }
    json!({
        "id": declared.id,
        "name": declared.name,
        "side": ruleset.sides[declared.side as usize].id,
        "type": ruleset.types[declared.kind],
        "place": ruleset.name_of_place(game.place(unit)),
        "printed": printed,
        "state": properties(game, Holder::Unit, unit, sight),
    })
}

fn properties(game: &Game, holder: Holder, of: i32, sight: Sight) -> Value {
    let mut all = Json::new();
    for (at, column) in game.ruleset.schema.columns.iter().enumerate() {
        if column.holder == holder && column.name != "place" && sight.property(&game.ruleset, at as u16, of) {
            all.insert(column.name.clone(), written(game, column.kind, game.get(at as u16, of)));
        }
    }
    Value::Object(all)
}

fn written(game: &Game, kind: Kind, value: i32) -> Value {
    match kind {
        Kind::Int => json!(value),
        Kind::Flag => json!(value == 1),
        _ if value < 0 => Value::Null,
        _ => json!(game.ruleset.id_of(kind, value)),
    }
}

fn asked(game: &Game, question: &Question, sight: Sight) -> Value {
    let ruleset = &game.ruleset;
    let text = &ruleset.questions[question.key as usize];
    let (by, cite) = (&ruleset.sides[question.by as usize].id, ruleset.cite(text.cite));
    if sight.side().is_some_and(|side| side != question.by) {
        return json!({ "key": text.key, "by": by, "cite": cite });
    }
    let offers: Vec<Value> = question
        .offers
        .iter()
        .map(|offer| {
            let verb = &ruleset.verbs[offer.verb as usize];
            let values = game.values(&offer.set);
            let names: Vec<String> =
                verb.takes.map(|kind| values.iter().map(|v| ruleset.id_of(kind, *v)).collect()).unwrap_or_default();
            json!({ "verb": verb.id, "says": verb.says, "values": names, "offered": !values.is_empty() })
        })
        .collect();
    json!({
        "key": text.key,
        "by": by,
        "ask": ruleset.asks(question),
        "about": ruleset.about(question.about, true),
        "cite": cite,
        "offers": offers,
    })
}

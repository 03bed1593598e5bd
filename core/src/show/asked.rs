//! What a side is asked, as data: the part of a view that says what may be answered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sight::Sight;
use crate::{
    map::SpaceId,
    play::{About, Game, Move, Offer, Question, Roll, Set},
    ruleset::Kind,
};

/// A question. Whoever is not asked is told neither its words, nor what it is about, nor what may be answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionView {
    /// Its key.
    pub key: String,
    /// Who is asked.
    pub by: String,
    /// By which paragraph.
    pub cite: String,
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,
    /// The id of what it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// What may be answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offers: Option<Vec<OfferView>>,
}

/// A verb, and what it may be answered with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferView {
    /// The verb.
    pub verb: String,
    /// What it means here.
    pub says: String,
    /// Whether it may be answered: one that takes nothing may be closed.
    pub offered: bool,
    /// Whether it takes something.
    pub takes: bool,
    /// With what.
    pub values: Vec<ValueView>,
}

/// One thing that may be answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueView {
    /// Its id; null for a counter or card that may not be known.
    pub id: Option<String>,
    /// Where such a counter is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concealed_at: Option<String>,
    /// What a move there takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Where the verb takes two things: what it may take second with this one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub then: Option<Vec<ValueView>>,
}

/// What a move takes, in movement points as they are written: `2½`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// What it takes.
    pub points: String,
    /// Of how many.
    pub of: String,
    /// What of that is beyond the allowance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<String>,
}

/// A die or a draw that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RollView {
    /// For what.
    pub purpose: String,
    /// In words.
    pub says: String,
    /// Faces of the die; null where one of several things is drawn.
    pub faces: Option<i32>,
    /// How many of those that are thrown at once have not fallen yet, this one among them.
    pub dice: u16,
}

/// A question, as far as these eyes see.
pub(super) fn asked(game: &Game, question: &Question, sight: Sight) -> QuestionView {
    let ruleset = &game.ruleset;
    let text = &ruleset.questions[question.key as usize];
    let by = ruleset.sides[question.by as usize].id.clone();
    let told = sight.side().is_none_or(|side| side == question.by);
    let about = match question.about {
        About::Thing(kind, thing) if !sight.is_concealed(game, kind, thing) => Some(ruleset.id_of(kind, thing)),
        _ => None,
    };
    QuestionView {
        key: text.key.clone(),
        by,
        cite: ruleset.cite(text.cite).to_owned(),
        ask: told.then(|| game.asks(question, sight)),
        about: about.filter(|_| told),
        offers: told.then(|| question.offers.iter().map(|offer| offered(game, question, offer, sight)).collect()),
    }
}

fn offered(game: &Game, question: &Question, offer: &Offer, sight: Sight) -> OfferView {
    let ruleset = &game.ruleset;
    let verb = &ruleset.verbs[offer.verb as usize];
    let kind = |at: usize| verb.takes.get(at).copied().unwrap_or(Kind::Int);
    let then = |first: &i32| {
        let then = offer.then.as_ref()?;
        Some(game.following(then, *first, |set| values(game, set, kind(1), sight, &|_| None)))
    };
    let all = values(game, &offer.set, kind(0), sight, &then);
    // A first value that nothing follows is not offered.
    let all: Vec<ValueView> =
        all.into_iter().filter(|value| value.then.as_ref().is_none_or(|t| !t.is_empty())).collect();
    OfferView {
        verb: verb.id.clone(),
        says: ruleset.question(question).verbs.get(&verb.id).unwrap_or(&verb.says).clone(),
        offered: !all.is_empty(),
        takes: !verb.takes.is_empty(),
        values: if verb.takes.is_empty() { Vec::new() } else { all },
    }
}

/// The values of a set, each with what may follow it.
fn values(
    game: &Game,
    set: &Set,
    kind: Kind,
    sight: Sight,
    then: &dyn Fn(&i32) -> Option<Vec<ValueView>>,
) -> Vec<ValueView> {
    let ruleset = &game.ruleset;
    let mut values = game.values(set);
    let concealed = |value: &i32| sight.is_concealed(game, kind, *value);
    // Those that may not be known stand last, so that not even their order says which they are.
    values.sort_by_key(concealed);
    let view = |value: &i32| ValueView {
        id: (!concealed(value)).then(|| ruleset.id_of(kind, *value)),
        concealed_at: (kind == Kind::Unit && concealed(value)).then(|| ruleset.id_of(Kind::Space, game.place(*value))),
        cost: if let Set::Reach(m) = set { cost(game, m, SpaceId(*value as u32)) } else { None },
        then: then(value),
    };
    values.iter().map(view).collect()
}

fn cost(game: &Game, m: &Move, to: SpaceId) -> Option<Cost> {
    let mover = &game.ruleset.movers[m.mover as usize];
    let cost = game.reach(m, |flood| flood.cost_of(to))?;
    let beyond = Some(game.beyond(m, to)).filter(|beyond| *beyond > 0);
    let (points, of) = (mover.in_points(cost), mover.in_points(m.allowance));
    Some(Cost { points, of, beyond: beyond.map(|beyond| mover.in_points(beyond)) })
}

/// What chance is asked.
pub(super) fn waiting(game: &Game, roll: &Roll, sight: Sight) -> RollView {
    RollView {
        purpose: game.ruleset.chances[roll.chance as usize].purpose.clone(),
        says: game.asks_chance(roll, sight).0,
        faces: Some(roll.faces()).filter(|faces| *faces > 0),
        dice: roll.handful.left,
    }
}

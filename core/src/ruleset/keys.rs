//! Numbers that stand for names wherever something lasts or is drawn by lot. They come of the names alone, so that a
//! version with more units, verbs or properties has the same for all that it shares with another.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Holder, Kind, Ruleset};

/// The keys of a ruleset's names, by kind and number.
#[derive(Debug, Default)]
pub struct Keys {
    /// Of verbs.
    pub verbs: Vec<u64>,
    /// Of questions.
    pub questions: Vec<u64>,
    /// Of what chance is asked for.
    pub chances: Vec<u64>,
    /// Of rules.
    pub rules: Vec<u64>,
    /// Of places of the sequence.
    pub sequence: Vec<u64>,
    /// Of properties, by whose they are.
    pub columns: Vec<u64>,
    /// Of spaces, then boxes.
    places: Vec<u64>,
    units: Vec<u64>,
    sides: Vec<u64>,
    cards: Vec<u64>,
    terrains: Vec<u64>,
    symbols: Vec<Vec<u64>>,
}

/// What a name is of, so that a unit and a side of one name are apart.
#[derive(Clone, Copy)]
enum Of {
    Verb,
    Question,
    Chance,
    Rule,
    Sequence,
    Column,
    Space,
    HoldingBox,
    Unit,
    Side,
    Card,
    Terrain,
    Symbol,
}

fn key(of: Of, name: &str) -> u64 {
    xxh3_64_with_seed(name.as_bytes(), of as u64 + 1)
}

/// Joins numbers to one in which each counts, and their order.
#[inline]
pub fn joined(keys: &[u64]) -> u64 {
    keys.iter().fold(0, |all, key| mixed(all ^ *key))
}

/// Spreads a number over all numbers (splitmix64).
#[inline]
pub fn mixed(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Keys {
    /// The keys of all that a ruleset names.
    pub fn new(ruleset: &Ruleset) -> Keys {
        fn all<'a, T: 'a>(of: Of, things: impl IntoIterator<Item = &'a T>, name: impl Fn(&T) -> &str) -> Vec<u64> {
            things.into_iter().map(|thing| key(of, name(thing))).collect()
        }
        let map = &ruleset.map;
        let mut places: Vec<u64> = map.spaces().map(|space| key(Of::Space, &map.space(space).name)).collect();
        places.extend(ruleset.boxes.iter().map(|b| key(Of::HoldingBox, &b.id)));
        let column = |holder: Holder, name: &str| key(Of::Column, &format!("{}.{name}", ruleset.holder_name(holder)));
        let values = |list: &super::Symbols| all(Of::Symbol, &list.values, |value: &String| value.as_str());
        Keys {
            verbs: all(Of::Verb, &ruleset.verbs, |verb| &verb.id),
            questions: all(Of::Question, &ruleset.questions, |question| &question.key),
            chances: all(Of::Chance, &ruleset.chances, |chance| &chance.purpose),
            rules: all(Of::Rule, &ruleset.rules, |rule| &rule.name),
            sequence: all(Of::Sequence, &ruleset.sequence.places, |place| &place.name),
            columns: ruleset.schema.columns.iter().map(|c| column(c.holder, &c.name)).collect(),
            places,
            units: all(Of::Unit, &ruleset.units, |unit| &unit.id),
            sides: all(Of::Side, &ruleset.sides, |side| &side.id),
            cards: all(Of::Card, &ruleset.cards, |card| &card.id),
            terrains: all(Of::Terrain, &map.terrains, |terrain: &String| terrain.as_str()),
            symbols: ruleset.schema.symbols.iter().map(values).collect(),
        }
    }

    /// The keys of all values of a kind. Numbers, and records, which have no other names, stand for themselves and have
    /// none; so does nothing.
    pub fn of_kind(&self, kind: Kind) -> &[u64] {
        match kind {
            Kind::Unit => &self.units,
            Kind::Side => &self.sides,
            Kind::Space => &self.places,
            Kind::Card => &self.cards,
            Kind::Symbol(list) => &self.symbols[list as usize],
            Kind::Terrain | Kind::Int | Kind::Flag | Kind::Record(_) | Kind::Units | Kind::Spaces | Kind::Any => &[],
        }
    }

    /// The key of a value of a kind.
    #[inline]
    pub fn of(&self, kind: Kind, value: i32) -> u64 {
        if kind == Kind::Terrain && value > 0 {
            // A terrain is told as a bit of its own.
            return self.terrains.get(value.trailing_zeros() as usize).copied().unwrap_or(value as u64);
        }
        self.of_kind(kind).get(value as usize).copied().unwrap_or(value as u64)
    }
}

//! What somebody may see, as data. A board is drawn from this and computes no rule.
//!
//! `schema/view.json` in the repository is its JSON Schema.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    asked::{QuestionView, RollView, asked, waiting},
    badges::{Track, Wears, Worn},
    log::Story,
    score::{Measure, Way, standing},
    sight::Sight,
};
use crate::{
    play::{Event, Game, Outcome, SideResult, Stands},
    ruleset::{Holder, Kind, Ruleset},
};

/// The version of the view's shape; it changes when a key changes its meaning or goes.
const FORMAT: u32 = 2;

/// Values of what was declared, by name: a number, yes or no, the id of a thing or the name of a value, or null for
/// nothing.
pub type Values = BTreeMap<String, Value>;

/// A game as somebody may see it. What is not told to them is left out, the order of decks always.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The version of this shape.
    pub format: u32,
    /// The ruleset with its version: `gettysburg-77@optional`.
    pub game: String,
    /// The map, by the name of its file.
    pub map: String,
    /// Whose eyes; null sees everything.
    pub seen_by: Option<String>,
    /// The game turn.
    pub turn: i32,
    /// What it is called.
    pub turn_name: String,
    /// The last one.
    pub last_turn: i32,
    /// Whose player turn it is.
    pub phasing: Option<String>,
    /// The place of the sequence of play, by name.
    pub place: Option<String>,
    /// What that is called.
    pub place_title: Option<String>,
    /// What the game itself remembers.
    pub state: Values,
    /// The sides, as they are declared.
    pub sides: Vec<SideView>,
    /// Boxes beside the map.
    pub boxes: Vec<Named>,
    /// Spaces of which something has changed, and those of which the ruleset has the board show something.
    pub spaces: Vec<SpaceView>,
    /// Tracks beside the map, as the ruleset has the board show them.
    pub tracks: Vec<TrackView>,
    /// Counters that may be known.
    pub units: Vec<UnitView>,
    /// Who stands together, space by space and box by box.
    pub stacks: Vec<Stack>,
    /// Cards that may be known.
    pub cards: Vec<CardView>,
    /// What was declared and comes and goes.
    pub records: Vec<RecordView>,
    /// How one stands, measure by measure.
    pub measures: Vec<Measure>,
    /// How one wins.
    pub victory: Vec<Way>,
    /// What a side is asked.
    pub question: Option<QuestionView>,
    /// What is rolled or drawn next, where somebody does that by hand.
    pub roll: Option<RollView>,
    /// How the game ended.
    pub outcome: Option<OutcomeView>,
    /// What was told, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub story: Option<StoryView>,
}

/// Something with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
}

/// A side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SideView {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Whether it takes no part: an umpire.
    pub neutral: bool,
    /// What is remembered of it.
    pub state: Values,
}

/// A track: markers lie on its cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrackView {
    /// Its id.
    pub id: String,
    /// What it is, in words.
    pub name: String,
    /// What is printed in its cells.
    pub cells: Vec<String>,
    /// Where markers lie: by side, or one of no side.
    pub markers: Vec<MarkerView>,
}

/// A marker on a track.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarkerView {
    /// Whose it is; null for the one of the game.
    pub side: Option<String>,
    /// The cell, counted from 0.
    pub cell: usize,
}

/// A badge that a counter wears, or a space: one of number, dots and sign.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BadgeView {
    /// Its id.
    pub id: String,
    /// What it says, in words.
    pub says: String,
    /// A number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub number: Option<i32>,
    /// How many dots are left, and of how many.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dots: Option<[i32; 2]>,
    /// A letter or two.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sign: Option<String>,
}

/// A space of which something is not as it is printed, or something is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceView {
    /// Its number.
    pub id: String,
    /// Its number and what people call it.
    pub name: String,
    /// What is remembered of it and not as at first.
    pub state: Values,
    /// The side that controls it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub control: Option<String>,
    /// What the board shows of it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub badges: Vec<BadgeView>,
}

/// A counter that may be known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitView {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Its side.
    pub side: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The space or box it is in; null where it is nowhere.
    pub place: Option<String>,
    /// What is printed on it.
    pub printed: Values,
    /// What is remembered of it.
    pub state: Values,
    /// The direction in which it faces, where the board shows that.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub facing: Option<String>,
    /// What the board shows of it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub badges: Vec<BadgeView>,
}

/// Counters in one place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stack {
    /// The space or box.
    pub place: String,
    /// Those that may be known, by id.
    pub units: Vec<String>,
    /// How many may not be known, by side.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub concealed: BTreeMap<String, usize>,
}

/// A card that may be known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CardView {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What is remembered of it.
    pub state: Values,
}

/// A record that exists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordView {
    /// Its kind.
    pub kind: String,
    /// Its number among its kind.
    pub id: i32,
    /// What is remembered of it.
    pub state: Values,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeView {
    /// How it is called.
    pub name: String,
    /// By which paragraph.
    pub cite: String,
    /// Side by side, as they are declared.
    pub results: Vec<ResultView>,
}

/// How a game ended for a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultView {
    /// The side.
    pub side: String,
    /// Whether it won; several may.
    pub won: bool,
    /// Its score, where the game has one.
    pub score: Option<i32>,
}

/// What was told, as these eyes were told it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoryView {
    /// How many lines come before these.
    pub since: usize,
    /// The lines after that.
    pub lines: Vec<String>,
}

/// The game as these eyes see it, and what it waits for.
pub fn view(game: &Game, stands: &Stands<'_>, sight: Sight) -> View {
    let ruleset = &game.ruleset;
    let place = game.place_of_play().map(|p| &ruleset.sequence.places[p]);
    let of = |holder| move |at: usize| properties(game, holder, at as i32, sight, true);
    let spaces = ruleset.map.spaces().filter_map(|space| {
        let state = properties(game, Holder::Space, space.0 as i32, sight, false);
        let at = space.0 as i32;
        let control = game.control_of(space, sight).map(|side| ruleset.sides[side as usize].id.clone());
        let badges = badges(game.badges_in(space, sight));
        let is_told = !state.is_empty() || control.is_some() || !badges.is_empty();
        let (id, name) = (ruleset.name_of_place(at), ruleset.full_name_of_place(at));
        is_told.then_some(SpaceView { id, name, state, control, badges })
    });
    let known = |kind: Kind| move |thing: &i32| !sight.is_concealed(game, kind, *thing);
    let cards = (0..ruleset.cards.len() as i32).filter(known(Kind::Card)).map(|card| CardView {
        id: ruleset.id_of(Kind::Card, card),
        name: ruleset.name_of(Kind::Card, card),
        state: of(Holder::Card)(card as usize),
    });
    let records = (0..ruleset.schema.records.len()).flat_map(|kind| {
        let existing = (0..ruleset.schema.records[kind].most as i32).filter(move |r| game.exists(kind as u8, *r));
        existing.map(move |id| RecordView {
            kind: ruleset.schema.records[kind].name.clone(),
            id,
            state: properties(game, Holder::Record(kind as u8), id, sight, true),
        })
    });
    let (measures, victory) = standing(game);
    let (question, roll) = match stands {
        Stands::Asks(question) => (Some(asked(game, question, sight)), None),
        Stands::Rolls(roll) => (None, Some(waiting(game, roll, sight))),
        _ => (None, None),
    };
    View {
        format: FORMAT,
        game: ruleset.full_name(),
        map: ruleset.map.id.clone(),
        seen_by: sight.side().map(|s| ruleset.sides[s as usize].id.clone()),
        turn: game.turn(),
        turn_name: ruleset.turn_name(game.turn()),
        last_turn: game.last_turn(),
        phasing: ruleset.sides.get(game.phasing() as usize).map(|s| s.id.clone()),
        place: place.map(|p| p.name.clone()),
        place_title: place.map(|p| p.title.clone()),
        state: of(Holder::Game)(0),
        sides: (0..)
            .zip(&ruleset.sides)
            .map(|(at, side)| SideView {
                id: side.id.clone(),
                name: side.name.clone(),
                neutral: side.neutral,
                state: of(Holder::Side)(at),
            })
            .collect(),
        boxes: ruleset.boxes.iter().map(|b| Named { id: b.id.clone(), name: b.name.clone() }).collect(),
        spaces: spaces.collect(),
        tracks: game.tracks(sight).into_iter().map(|track| tracked(ruleset, track)).collect(),
        units: (0..ruleset.units.len() as i32).filter(known(Kind::Unit)).map(|u| unit(game, u, sight)).collect(),
        stacks: stacks(game, sight),
        cards: cards.collect(),
        records: records.collect(),
        measures,
        victory,
        question,
        roll,
        outcome: game.outcome().map(|o| ended(game, o)),
        story: None,
    }
}

/// The story from its line of that number on, as it is told to whom a [`Story`] is told.
pub fn story_since<'a>(mut story: Story<'_>, told: impl Iterator<Item = &'a Event>, since: usize) -> StoryView {
    StoryView { since, lines: told.filter_map(|event| story.tell(event)).skip(since).collect() }
}

fn unit(game: &Game, unit: i32, sight: Sight) -> UnitView {
    let ruleset = &game.ruleset;
    let declared = &ruleset.units[unit as usize];
    let printed = ruleset.attributes.iter().filter(|a| a.holder == Holder::Unit);
    let printed = printed.map(|a| (a.name.clone(), written(ruleset, a.kind, a.values[unit as usize])));
    UnitView {
        id: declared.id.clone(),
        name: declared.name.clone(),
        side: ruleset.sides[declared.side as usize].id.clone(),
        kind: ruleset.types[declared.kind].clone(),
        place: Some(game.place(unit)).filter(|place| *place >= 0).map(|place| ruleset.id_of(Kind::Space, place)),
        printed: printed.collect(),
        state: properties(game, Holder::Unit, unit, sight, true),
        facing: game.facing_of(unit, sight).map(|way| ruleset.map.grid.directions()[way].name.to_owned()),
        badges: badges(game.badges_of(unit, sight)),
    }
}

fn badges(worn: Vec<Worn<'_>>) -> Vec<BadgeView> {
    let view = |worn: Worn<'_>| {
        let mut view = BadgeView { id: worn.id.to_owned(), says: worn.words(), number: None, dots: None, sign: None };
        match worn.shows {
            Wears::Number(number) => view.number = Some(number),
            Wears::Dots(left, of) => view.dots = Some([left, of]),
            Wears::Value(sign, _) | Wears::Sign(sign) => view.sign = Some(sign.to_owned()),
        }
        view
    };
    worn.into_iter().map(view).collect()
}

fn tracked(ruleset: &Ruleset, track: Track<'_>) -> TrackView {
    let marker = |(side, at): &(Option<i32>, i32)| MarkerView {
        side: side.map(|side| ruleset.sides[side as usize].id.clone()),
        cell: (at - track.first) as usize,
    };
    let markers = track.markers.iter().map(marker).collect();
    TrackView { id: track.id.to_owned(), name: track.say.to_owned(), cells: track.cells, markers }
}

/// Who stands where. Those that may not be known are counted, so that not even their order says which they are.
fn stacks(game: &Game, sight: Sight) -> Vec<Stack> {
    let ruleset = &game.ruleset;
    let mut places: BTreeMap<i32, Stack> = BTreeMap::new();
    for unit in (0..ruleset.units.len() as i32).filter(|unit| game.place(*unit) >= 0) {
        let place = game.place(unit);
        let stack = places.entry(place).or_insert_with(|| Stack {
            place: ruleset.id_of(Kind::Space, place),
            units: Vec::new(),
            concealed: BTreeMap::new(),
        });
        let declared = &ruleset.units[unit as usize];
        if sight.is_concealed(game, Kind::Unit, unit) {
            *stack.concealed.entry(ruleset.sides[declared.side as usize].id.clone()).or_default() += 1;
        } else {
            stack.units.push(declared.id.clone());
        }
    }
    places.into_values().collect()
}

/// What is remembered of something and told to these eyes; all of it, or what is not as at first.
fn properties(game: &Game, holder: Holder, of: i32, sight: Sight, all: bool) -> Values {
    let columns = game.ruleset.schema.columns.iter().enumerate();
    let told = columns.filter(|(at, column)| {
        column.holder == holder
            && !matches!(column.name.as_str(), "place" | "exists")
            && (all || game.get(*at as u16, of) != column.default)
            && sight.property(game, *at as u16, of)
            && !sight.is_concealed(game, column.kind, game.get(*at as u16, of))
    });
    told.map(|(at, column)| (column.name.clone(), written(&game.ruleset, column.kind, game.get(at as u16, of))))
        .collect()
}

fn written(ruleset: &Ruleset, kind: Kind, value: i32) -> Value {
    match kind {
        Kind::Int => Value::from(value),
        Kind::Flag => Value::from(value == 1),
        _ if value < 0 => Value::Null,
        _ => Value::from(ruleset.id_of(kind, value)),
    }
}

fn ended(game: &Game, outcome: &Outcome) -> OutcomeView {
    let id = |side: i32| game.ruleset.id_of(Kind::Side, side);
    let result = |r: SideResult| ResultView { side: id(r.side), won: r.won, score: r.score };
    OutcomeView {
        name: outcome.name.to_string(),
        cite: game.ruleset.cite(outcome.cite).to_owned(),
        results: game.results().into_iter().map(result).collect(),
    }
}

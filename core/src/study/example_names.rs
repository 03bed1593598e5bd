//! Names in examples that nothing is called, found before anything is acted out.

use crate::{
    diagnostic::{Diagnostics, suggest},
    ruleset::{Holder, Ruleset, Schema},
    yaml::Node,
};

/// What `expect:` may speak of besides things: what was told, whether the game is over, where play is.
const SPOKEN_OF: [&str; 5] = ["tally", "told", "not-told", "over", "in"];
/// What may be expected of a unit besides its properties: where it is, and how it moved.
const OF_UNITS: [&str; 4] = ["at", "path", "left", "beyond"];

/// Looks through the names that an example sets up and expects. What it brings itself, or its version, is known once that
/// is loaded, and what stands on a little map once that is laid.
pub(super) fn check_names(item: &Node, ruleset: &Ruleset, found: &mut Diagnostics) {
    if item.get("change").or(item.get("version")).is_some() {
        return;
    }
    let knows_spaces = item.get("map").is_none();
    for (unit, place) in entries(item.get("place"), found) {
        let name = unit.as_text(found);
        if ruleset.unit(&name).is_none() {
            let units = ruleset.units.iter().map(|unit| unit.id.as_str());
            found.error("unknown-name", &unit.span, format!("there is no unit `{name}`"), suggest(&name, units));
        }
        if knows_spaces {
            check_place(&place, ruleset, found);
        }
    }
    for (who, values) in entries(item.get("state"), found) {
        check_thing(&who, &values, (ruleset, knows_spaces, false), found);
    }
    if let Some(begin) = item.get("begin") {
        let (name, places) = (begin.as_text(found), &ruleset.sequence.places);
        if ruleset.sequence.place(&name).is_none() {
            let known = places.iter().map(|place| place.name.as_str());
            let message = format!("`{name}` is no place of the sequence");
            found.error("unknown-name", &begin.span, message, suggest(&name, known));
        }
    }
    if let Some(side) = item.get("phasing") {
        let name = side.as_text(found);
        if ruleset.side(&name).is_none() {
            let sides = ruleset.sides.iter().map(|side| side.id.as_str());
            found.error("unknown-name", &side.span, format!("there is no side `{name}`"), suggest(&name, sides));
        }
    }
    let steps = item.get("play").map(|play| play.items(found).to_vec()).unwrap_or_default();
    for expect in steps.iter().filter_map(|step| step.get("expect")).chain(item.get("expect")) {
        for (who, what) in entries(Some(expect), found) {
            if !who.text().is_some_and(|word| SPOKEN_OF.contains(&word)) {
                check_thing(&who, &what, (ruleset, knows_spaces, true), found);
            }
        }
    }
}

/// The thing of a name that an example gives properties to: the game, a side, a unit, a card or a space, with its number.
pub(super) fn thing_named(ruleset: &Ruleset, name: &str) -> Option<(Holder, i32)> {
    if name == "game" {
        return Some((Holder::Game, 0));
    }
    let side = ruleset.side(name).map(|side| (Holder::Side, side));
    let unit = || ruleset.unit(name).map(|unit| (Holder::Unit, unit));
    let card = || ruleset.cards.iter().position(|card| card.id == name).map(|card| (Holder::Card, card as i32));
    let space = || ruleset.map.find(name).map(|space| (Holder::Space, space.0 as i32));
    side.or_else(unit).or_else(card).or_else(space)
}

fn entries(node: Option<&Node>, found: &mut Diagnostics) -> Vec<(Node, Node)> {
    node.map(|node| node.entries(found).to_vec()).unwrap_or_default()
}

fn check_place(node: &Node, ruleset: &Ruleset, found: &mut Diagnostics) {
    let name = node.as_text(found);
    if ruleset.map.find(&name).is_none() && ruleset.boxes.iter().all(|place| place.id != name) {
        let boxes = ruleset.boxes.iter().map(|place| place.id.as_str());
        let known = ruleset.map.spaces().map(|space| ruleset.map.space(space).name.as_str()).chain(boxes);
        found.error("unknown-name", &node.span, format!("there is no space or box `{name}`"), suggest(&name, known));
    }
}

/// A thing and its properties: those of the state, and where something `is_expected`, printed ones too and where it is.
fn check_thing(
    who: &Node,
    values: &Node,
    (ruleset, knows_spaces, is_expected): (&Ruleset, bool, bool),
    found: &mut Diagnostics,
) {
    let name = who.as_text(found);
    let holder = match thing_named(ruleset, &name) {
        Some((holder, _)) => holder,
        None if !knows_spaces => Holder::Space,
        None => {
            let units = ruleset.units.iter().map(|unit| unit.id.as_str());
            let sides = ruleset.sides.iter().map(|side| side.id.as_str());
            let spoken_of = SPOKEN_OF.into_iter().filter(|_| is_expected);
            let known = units.chain(sides).chain(["game"]).chain(spoken_of);
            let message = format!("`{name}` is neither a unit, a side, a card, a space nor `game`");
            return found.error("unknown-name", &who.span, message, suggest(&name, known));
        }
    };
    for (property, value) in entries(Some(values), found) {
        let name = property.as_text(found);
        let is_at = is_expected && holder == Holder::Unit && name == "at";
        if is_at && knows_spaces {
            check_place(&value, ruleset, found);
        }
        let of_units = is_expected && holder == Holder::Unit && OF_UNITS.contains(&name.as_str());
        let declared = ruleset.schema.columns.iter().filter(|c| c.holder == holder).map(|c| c.name.as_str());
        let printed = ruleset.attributes.iter().filter(|a| a.holder == holder && is_expected).map(|a| a.name.as_str());
        let mut known = declared.chain(printed);
        if !of_units && !known.any(|known| known == name) {
            let declared = ruleset.schema.columns.iter().enumerate().filter(|(_, c)| c.holder == holder);
            let own = declared.filter(|(at, _)| *at != usize::from(Schema::PLACE)).map(|(_, c)| c.name.as_str());
            let message = format!("there is no property `{name}`");
            found.error("unknown-name", &property.span, message, suggest(&name, own));
        }
    }
}

//! Orders for a column along a road: `heth, pender along chambersburg pike to 15.08`.

use std::collections::BTreeSet;

use pest::Parser;
use pest_derive::Parser;

use super::{notation::Misread, sight::Sight};
use crate::{
    map::{Road, SpaceId},
    play::{Action, Game, Half, Offer, Question},
    ruleset::{Kind, Maker, Ruleset},
};

#[derive(Parser)]
#[grammar = "show/column.pest"]
struct ColumnParser;

/// Units that march one behind the other along a printed road, the first of them first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The units.
    pub units: Vec<i32>,
    /// Which road: index into the map's of the first that goes by its name.
    pub road: usize,
    /// Where on it they are to go.
    pub to: SpaceId,
}

impl Column {
    /// Reads the column that a line of orders begins with, typed by whoever has these eyes for this side, and hands back the
    /// orders behind it. `None` where it does not begin with one.
    pub fn read(game: &Game, by: i32, line: &str, sight: Sight) -> Option<Result<(Column, String), Misread>> {
        let parsed = ColumnParser::parse(Rule::column, line).ok()?.next()?;
        let (mut who, mut road, mut to, mut rest) = (Vec::new(), "", None, "");
        for part in parsed.into_inner() {
            match part.as_rule() {
                Rule::who => who.push(part.as_str().trim()),
                Rule::road => road = part.as_str().trim(),
                Rule::place => to = Some(part.as_str().trim()),
                Rule::rest => rest = part.as_str().trim(),
                _ => (),
            }
        }
        let found = Column::find(game, by, &who, road, to, sight);
        // What stands before a column may be other orders: `reynolds 12.11, gregg along hanover-road to 12.18`.
        let is_another = |wrong: &Misread| matches!(wrong, Misread::Unknown(text, _) if who.contains(&text.as_str()));
        if who.len() > 1 && found.as_ref().is_err_and(is_another) {
            return None;
        }
        Some(found.map(|column| (column, rest.to_owned())))
    }

    fn find(game: &Game, by: i32, who: &[&str], road: &str, to: Option<&str>, sight: Sight) -> Result<Column, Misread> {
        let ruleset = &game.ruleset;
        let unknown = |text: &str| Misread::Unknown(text.to_owned(), None);
        let among = |kind: Kind, text: &str, of: &[i32]| {
            ruleset.find_named(kind, text, of).map_err(|names| Misread::Several(text.to_owned(), names))
        };
        // One's own come first: nobody orders the others.
        let own = sight.units_of(game, by);
        let all = || sight.known(game, Kind::Unit, ruleset.all_of(Kind::Unit));
        let unit = |name: &&str| {
            let found = among(Kind::Unit, name, &own)?;
            found.map_or_else(|| among(Kind::Unit, name, &all()), |unit| Ok(Some(unit)))?.ok_or_else(|| unknown(name))
        };
        let units = who.iter().map(unit).collect::<Result<Vec<_>, _>>()?;
        let spaces = || sight.known(game, Kind::Space, ruleset.all_of(Kind::Space));
        let space = |name: &str| among(Kind::Space, name, &spaces())?.ok_or_else(|| unknown(name));
        let goal = to.map(space).transpose()?.map(|space| SpaceId(space as u32));
        let found = ruleset.road_named(road, goal).map_err(|names| Misread::Several(road.to_owned(), names))?;
        let road = found.ok_or_else(|| Misread::NoRoad(road.to_owned(), roads_to(ruleset, goal)))?;
        let along = &ruleset.map.roads[road];
        let Some(to) = goal else {
            return Err(Misread::Missing(format!("along {} to", along.id)));
        };
        if !ruleset.map.parts_of(road).any(|part| part.contains(&to)) {
            let place = ruleset.full_name_of_place(to.0 as i32);
            return Err(Misread::OffTheRoad(place, along.name.clone()));
        }
        Ok(Column { units, road, to })
    }

    /// Of what is offered, the answer that chooses this unit.
    pub fn choose(&self, ruleset: &Ruleset, offers: &[Action], unit: i32) -> Option<Action> {
        let takes = |action: &&Action| ruleset.verbs[action.verb as usize].takes == [Kind::Unit];
        offers.iter().filter(takes).find(|action| action.values[0] == unit).copied()
    }

    /// Whether units are moved by one answer, which says who and where: what they may do besides is no beginning of a move.
    pub fn is_one_answer(question: &Question) -> bool {
        question.offers.iter().any(Column::is_move)
    }

    /// Whether what an offer has follow a unit is where it may move to: to face a space, or to fire at one, is not to go
    /// there.
    pub fn is_move(offer: &Offer) -> bool {
        offer.then.is_some_and(|then| matches!(then.by, Maker::Mover(_)))
    }

    /// Of what is offered, the answer that takes this unit farthest along the road without spending more than its
    /// allowance; `None` where nothing on the road is nearer to the goal than where the unit stands.
    pub fn farthest(&self, game: &Game, question: &Question, unit: i32) -> Option<Action> {
        let ruleset = &game.ruleset;
        let steps = ruleset.map.steps_along(self.road, self.to);
        let left = |space: i32| steps.get(&SpaceId(u32::try_from(space).ok()?)).copied();
        let mut best = left(game.space_of(unit)).map(|far| (far, None));
        for offer in &question.offers {
            let half = Half { verb: offer.verb, value: unit };
            let actions: Vec<Action> = match ruleset.verbs[offer.verb as usize].takes[..] {
                [Kind::Space] => game.values(&offer.set).into_iter().map(|to| Action::of(offer.verb, to)).collect(),
                [Kind::Unit, Kind::Space] if Column::is_move(offer) && game.is_among(&offer.set, unit) => {
                    game.seconds(question, half).into_iter().map(|to| half.with(to)).collect()
                }
                _ => continue,
            };
            for action in actions {
                let to = action.values[usize::from(offer.then.is_some())];
                let move_made = game.moving(offer, action);
                let costs_more =
                    move_made.is_some_and(|(m, to)| game.reach(&m, |flood| flood.cost_of(to)) > Some(m.allowance));
                let Some(far) = left(to).filter(|_| !costs_more) else { continue };
                if best.is_none_or(|(known, _)| far < known) {
                    best = Some((far, Some(action)));
                }
            }
        }
        best.and_then(|(_, action)| action)
    }
}

/// What the roads are called that lead through a space; all of the map's where none does, or none is meant.
fn roads_to(ruleset: &Ruleset, goal: Option<SpaceId>) -> Vec<String> {
    let roads = &ruleset.map.roads;
    let leads = |road: &&Road| goal.is_some_and(|goal| road.along.contains(&goal));
    let leads_any = roads.iter().any(|road| leads(&road));
    let meant = roads.iter().filter(|road| !leads_any || leads(road));
    let names: BTreeSet<&str> = meant.map(|road| road.name.as_str()).collect();
    names.into_iter().map(str::to_owned).collect()
}

//! Orders for a column along a road: `heth, pender along chambersburg pike to 15.08`.

use pest::Parser;
use pest_derive::Parser;

use super::{notation::Misread, sight::Sight};
use crate::{
    map::SpaceId,
    play::{Action, Game, Half, Question},
    ruleset::{Kind, Ruleset},
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
    /// Reads a line of orders, typed by whoever has these eyes; `None` where it says nothing of a road.
    pub fn read(game: &Game, line: &str, sight: Sight) -> Option<Result<Column, Misread>> {
        let parsed = ColumnParser::parse(Rule::column, line).ok()?.next()?;
        let (mut who, mut road, mut to) = (Vec::new(), "", None);
        for part in parsed.into_inner() {
            match part.as_rule() {
                Rule::who => who.push(part.as_str().trim()),
                Rule::road => road = part.as_str().trim(),
                Rule::place => to = Some(part.as_str().trim()),
                _ => (),
            }
        }
        Some(Column::find(game, &who, road, to, sight))
    }

    fn find(game: &Game, who: &[&str], road: &str, to: Option<&str>, sight: Sight) -> Result<Column, Misread> {
        let ruleset = &game.ruleset;
        let unknown = |text: &str| Misread::Unknown(text.to_owned(), None);
        let named = |kind: Kind, text: &str| {
            let found = ruleset.find_named(kind, text, &sight.known(game, kind, ruleset.all_of(kind)));
            found.map_err(|names| Misread::Several(text.to_owned(), names))?.ok_or_else(|| unknown(text))
        };
        let units = who.iter().map(|name| named(Kind::Unit, name)).collect::<Result<Vec<_>, _>>()?;
        let goal = to.map(|to| named(Kind::Space, to)).transpose()?.map(|space| SpaceId(space as u32));
        let found = ruleset.road_named(road, goal).map_err(|names| Misread::Several(road.to_owned(), names))?;
        let road = found.ok_or_else(|| unknown(road))?;
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
                [Kind::Unit, Kind::Space] if game.is_among(&offer.set, unit) => {
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

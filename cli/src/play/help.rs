//! What one may type, with examples from the game being played.

use countermarch_core::{map::SpaceId, play::Question, ruleset::Kind, show::folded};

use super::{Table, asked::WIDTH, prompts};

impl Table {
    /// What one may type: the verbs of the question, examples with this game's units, places and roads, the commands.
    pub(super) fn help(&self, question: Option<&Question>) {
        let ruleset = self.session.ruleset();
        let mut lines = Vec::new();
        if let Some(question) = question {
            for offer in &question.offers {
                let verb = &ruleset.verbs[offer.verb as usize];
                let of = " NAME".repeat(verb.takes.len());
                let also = if verb.also.is_empty() { String::new() } else { format!(" (or {})", verb.also.join(", ")) };
                lines.push(format!("  {:<13} {}{also}", format!("{}{of}", verb.id), verb.says));
            }
        }
        match self.example() {
            Some((unit, place)) => {
                lines.extend(prompts::answers_like(&unit, &place));
                lines.extend(self.example_road().map(|road| prompts::along(&unit, &road)));
            }
            None => lines.push(prompts::ANSWERS.to_owned()),
        }
        print!("{}", folded(&lines, WIDTH));
        println!("{}", prompts::COMMANDS);
    }

    /// A unit that may be named now and a place beside it, as people type them; nothing where no unit is known that
    /// stands on the map.
    fn example(&self) -> Option<(String, String)> {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let is_unit = |verb: u16| ruleset.verbs[verb as usize].takes.first() == Some(&Kind::Unit);
        let offered = self.session.offers().iter().filter(|a| is_unit(a.verb)).map(|a| a.values[0]);
        let on_map = (0..ruleset.units.len() as i32).filter(|u| game.space_of(*u) >= 0);
        let units = self.sight().known(game, Kind::Unit, offered.chain(on_map).collect());
        let here = |unit: &i32| u32::try_from(game.space_of(*unit)).ok().map(SpaceId);
        let (unit, here) = units.into_iter().find_map(|unit| Some((unit, here(&unit)?)))?;
        let beside = ruleset.map.near(here).next().unwrap_or(here);
        Some((ruleset.id_of(Kind::Unit, unit), ruleset.name_of_place(beside.0 as i32)))
    }

    /// A road by a name that only it has, and a space on it: `chambersburg-pike to 15.08`.
    fn example_road(&self) -> Option<String> {
        let ruleset = self.session.ruleset();
        let named = |at: &usize| ruleset.road_named(&ruleset.map.roads[*at].id, None) == Ok(Some(*at));
        let at = (0..ruleset.map.roads.len()).find(named)?;
        let road = &ruleset.map.roads[at];
        let middle = road.along.get(road.along.len() / 2)?;
        Some(format!("{} to {}", road.id, ruleset.name_of_place(middle.0 as i32)))
    }
}

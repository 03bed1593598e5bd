//! What one may type, with examples from the game being played.

use countermarch_core::{map::SpaceId, play::Question, ruleset::Kind, show::folded};

use super::{Table, asked::WIDTH};

impl Table {
    /// What one may type: the verbs of the question, examples with this game's units, places and roads, the commands.
    pub(super) fn help(&self, question: Option<&Question>) {
        let ruleset = self.session.ruleset();
        let mut lines = Vec::new();
        if let Some(question) = question {
            for offer in &question.offers {
                let verb = &ruleset.verbs[offer.verb as usize];
                let of = if verb.takes.is_some() { " NAME" } else { "" };
                let also = if verb.also.is_empty() { String::new() } else { format!(" (or {})", verb.also.join(", ")) };
                lines.push(format!("  {:<13} {}{also}", format!("{}{of}", verb.id), verb.says));
            }
        }
        let (unit, place) = self.example();
        lines.push(format!(
            "  Type what to do, as it is listed, or only a name: `{unit}`, `{place}`. A number means the one of a list."
        ));
        lines.push(format!(
            "  Several orders go in one line: `{unit} {place}, ...`. They stop at the first refusal, which undoes nothing."
        ));
        if let Some(road) = self.example_road() {
            lines.push(format!(
                "  Units march along a road one behind the other: `{unit} along {road}`. None of them spends more than its \
                 allowance."
            ));
        }
        print!("{}", folded(&lines, WIDTH));
        println!(
            "  why [MOVE]    what is asked; or why a move may be made or not, and its cost
  map [PLACE [RADIUS]]  the board, or a part      which      who may, who not
  odds [MOVE]   what each roll of the die does   units       every counter
  log [N]       what happened
  score         how the sides stand              victory     how one wins
  turn          where play is, what follows      luck        how the dice fell
  reinforcements [all]  who comes when and where cards       what the cards say
  undo          take the last answer back        save [FILE]
  agree place UNIT SPACE, agree set UNIT PROPERTY VALUE   change by agreement
  quit          leave; the record is already on disk"
        );
    }

    /// A unit that may be named now and a place beside it, as people type them.
    fn example(&self) -> (String, String) {
        let (ruleset, game) = (self.session.ruleset(), self.session.game());
        let is_unit = |verb: u16| ruleset.verbs[verb as usize].takes == Some(Kind::Unit);
        let offered = self.session.offers().iter().filter(|a| is_unit(a.verb)).map(|a| a.value);
        let on_map = (0..ruleset.units.len() as i32).filter(|u| game.space_of(*u) >= 0);
        let unit = offered.chain(on_map).find(|u| game.space_of(*u) >= 0).unwrap_or(0);
        let here = u32::try_from(game.space_of(unit)).map_or(SpaceId(0), SpaceId);
        let beside = ruleset.map.near(here).next().unwrap_or(here);
        (ruleset.id_of(Kind::Unit, unit), ruleset.name_of_place(beside.0 as i32))
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

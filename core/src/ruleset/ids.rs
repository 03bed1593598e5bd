//! Short names of things, which never change: how they stand in records, positions and what machines read.

use super::{Holder, Kind, Part, Ruleset};

impl Ruleset {
    /// How a value of a kind is written: a space by its number on the map, a box, unit, side or card by its short name.
    pub fn id_of(&self, kind: Kind, value: i32) -> String {
        let at = value as usize;
        let id = match kind {
            Kind::Int => return value.to_string(),
            Kind::Flag => return if value == 1 { "yes" } else { "no" }.to_owned(),
            _ if value < 0 => return "nothing".to_owned(),
            Kind::Unit => self.units.get(at).map(|u| &u.id),
            Kind::Side => self.sides.get(at).map(|s| &s.id),
            Kind::Card => self.cards.get(at).map(|c| &c.id),
            Kind::Symbol(list) => self.schema.symbols[list as usize].values.get(at),
            Kind::Space => match at.checked_sub(self.map.len()) {
                None => Some(&self.map.space(crate::map::SpaceId(at as u32)).name),
                Some(inside) => self.boxes.get(inside).map(|b| &b.id),
            },
            Kind::Terrain => self.map.terrains.get(value.trailing_zeros() as usize),
            Kind::Record(_) | Kind::Units | Kind::Spaces | Kind::Any => return value.to_string(),
        };
        id.cloned().unwrap_or_default()
    }

    /// The value of a kind that is written so; of spaces, a box too. `nothing` is -1, unless something is called so.
    pub fn find_id(&self, kind: Kind, id: &str) -> Option<i32> {
        fn at<T>(list: &[T], is_it: impl Fn(&T) -> bool) -> Option<i32> {
            list.iter().position(is_it).map(|at| at as i32)
        }
        let named = match (kind, id) {
            (Kind::Int | Kind::Any, _) => id.parse().ok(),
            (Kind::Flag, "yes" | "true") => Some(1),
            (Kind::Flag, "no" | "false") => Some(0),
            (Kind::Flag, _) => None,
            (Kind::Unit, _) => self.unit(id),
            (Kind::Side, _) => self.side(id),
            (Kind::Card, _) => at(&self.cards, |c| c.id == id),
            (Kind::Symbol(list), _) => at(&self.schema.symbols[list as usize].values, |v| v == id),
            (Kind::Space, _) => {
                let inside = || at(&self.boxes, |b| b.id == id).map(|at| self.map.len() as i32 + at);
                self.map.find(id).map(|s| s.0 as i32).or_else(inside)
            }
            (Kind::Units | Kind::Spaces, _) => None,
            (Kind::Terrain, _) => at(&self.map.terrains, |t| t == id).map(|bit| 1 << bit),
            (Kind::Record(record), _) => {
                let most = self.schema.records[record as usize].most;
                id.parse().ok().filter(|at| usize::try_from(*at).is_ok_and(|at| at < most))
            }
        };
        let may_be_nothing = !matches!(kind, Kind::Int | Kind::Flag | Kind::Any);
        named.or_else(|| (may_be_nothing && id == "nothing").then_some(-1))
    }

    /// The part of the state that a property of something is.
    pub fn part_of(&self, column: u16, of: usize) -> Part {
        let is_units = self.schema.columns[column as usize].holder == Holder::Unit;
        self.schema.part(column, if is_units { self.units[of].side } else { 0 })
    }

    /// What kind of thing has the properties of a holder; the game is the one number 0.
    pub fn kind_of(&self, holder: Holder) -> Kind {
        match holder {
            Holder::Unit => Kind::Unit,
            Holder::Side => Kind::Side,
            Holder::Space => Kind::Space,
            Holder::Card => Kind::Card,
            Holder::Record(record) => Kind::Record(record),
            Holder::Game => Kind::Int,
        }
    }

    /// The name of a holder: that of its record, or of its kind.
    pub fn holder_name(&self, holder: Holder) -> &str {
        match holder {
            Holder::Unit => "unit",
            Holder::Side => "side",
            Holder::Space => "space",
            Holder::Card => "card",
            Holder::Game => "game",
            Holder::Record(kind) => &self.schema.records[kind as usize].name,
        }
    }
}

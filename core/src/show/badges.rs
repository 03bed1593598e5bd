//! What a ruleset has the board show of a counter, of a space and beside the map, as far as these eyes see it: the same for
//! boards of text, for pictures and for views.

use super::sight::Sight;
use crate::{
    map::SpaceId,
    play::Game,
    ruleset::{Badge, Holder, Kind, Looked, Schema, Seen, Shows},
};

/// A badge as it is worn now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worn<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it is, in words.
    pub say: &'a str,
    /// What it shows.
    pub shows: Wears<'a>,
}

/// What a badge shows now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wears<'a> {
    /// A number that is not 0.
    Number(i32),
    /// Dots: so many are left, of so many.
    Dots(i32, i32),
    /// A sign, and the value that it stands for, in words.
    Value(&'a str, String),
    /// A sign: what the badge is holds.
    Sign(&'a str),
}

/// More dots than these are told by their number.
const MOST_DOTS: i32 = 12;

impl Worn<'_> {
    /// In words, for a line about whoever wears it.
    pub fn words(&self) -> String {
        match &self.shows {
            Wears::Number(number) => format!("{} {number}", self.say),
            Wears::Dots(left, of) if *of > MOST_DOTS => format!("{} {left} of {of}", self.say),
            Wears::Dots(left, of) => "\u{25cf}".repeat(*left as usize) + &"\u{25cb}".repeat((of - left) as usize),
            Wears::Value(_, value) => value.clone(),
            Wears::Sign(_) => self.say.to_owned(),
        }
    }

    /// As it stands where there is room for a letter or two: numbers of spaces in brackets, no dots.
    pub fn sign(&self) -> String {
        match &self.shows {
            Wears::Number(number) => format!("({number})"),
            Wears::Dots(..) => String::new(),
            Wears::Value(sign, _) | Wears::Sign(sign) => (*sign).to_owned(),
        }
    }
}

/// A track as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it is, in words.
    pub say: &'a str,
    /// The value of its first cell.
    pub first: i32,
    /// What is printed in its cells.
    pub cells: Vec<String>,
    /// Markers, each on a value: the game's one, or those of sides that have one.
    pub markers: Vec<(Option<i32>, i32)>,
}

impl Track<'_> {
    /// In a line: all cells with the marked one in brackets, or where markers are, if that is too much or there are
    /// several.
    pub fn words(&self, side: impl Fn(i32) -> String) -> String {
        const MOST: usize = 48;
        let cell = |value: i32| self.cells.get((value - self.first) as usize).cloned().unwrap_or_default();
        if let [(None, at)] = self.markers.as_slice()
            && self.cells.iter().map(|cell| cell.chars().count() + 1).sum::<usize>() <= MOST
        {
            let marked = |(value, cell): (i32, &String)| if value == *at { format!("[{cell}]") } else { cell.clone() };
            let cells: Vec<String> = (self.first..).zip(&self.cells).map(marked).collect();
            return format!("{}: {}", self.say, cells.join(" "));
        }
        let marker = |(of, at): &(Option<i32>, i32)| match of {
            Some(of) => format!("{} {}", side(*of), cell(*at)),
            None => cell(*at),
        };
        let markers: Vec<String> = self.markers.iter().map(marker).collect();
        let (first, last) = (self.cells.first(), self.cells.last());
        let range = first.zip(last).map_or_else(String::new, |(a, b)| format!(" ({a} to {b})"));
        format!("{}: {}{range}", self.say, markers.join(", "))
    }
}

impl Game {
    /// Whether what the board shows of something is seen by these eyes: all that it looks at is, and no counter that may
    /// not be known has a part in it.
    fn is_shown(&self, looked: &Looked, holder: Holder, of: i32, sight: Sight) -> bool {
        if sight.side().is_none() {
            return true;
        }
        let is_seen = |column: &u16| {
            let declared = &self.ruleset.schema.columns[usize::from(*column)];
            let is_own = declared.holder == holder && !looked.at_others;
            declared.seen == Seen::ByAll || is_own && sight.property(self, *column, of)
        };
        let is_veiled = |unit: i32| sight.is_concealed(self, Kind::Unit, unit);
        looked.columns.iter().all(is_seen) && !(looked.at_others && (0..self.ruleset.units.len() as i32).any(is_veiled))
    }

    fn worn<'a>(&self, badge: &'a Badge, holder: Holder, of: i32, sight: Sight) -> Option<Worn<'a>> {
        let value =
            |looked: &Looked| self.is_shown(looked, holder, of, sight).then(|| self.value(&looked.value, &[of]));
        let shows = match &badge.shows {
            Shows::Number(number) => Wears::Number(value(number).filter(|number| *number != 0)?),
            Shows::Dots(left, all) => {
                let left = value(left)?.max(0);
                let all = all.as_ref().map_or(Some(left), value)?.max(left);
                Wears::Dots(left, Some(all).filter(|all| *all > 0)?)
            }
            Shows::Named(named, list, signs) => {
                let value = value(named)?;
                let sign = signs.get(usize::try_from(value).ok()?).filter(|sign| !sign.is_empty())?;
                let says = self.ruleset.schema.symbols[usize::from(*list)].says.get(value as usize);
                let name = || self.ruleset.name_of(Kind::Symbol(*list), value);
                Wears::Value(sign, says.filter(|says| !says.is_empty()).cloned().unwrap_or_else(name))
            }
            Shows::Sign(sign, when) => Wears::Sign(value(when).filter(|holds| *holds != 0).map(|_| sign.as_str())?),
        };
        Some(Worn { id: &badge.id, say: &badge.say, shows })
    }

    /// What a counter wears.
    pub fn badges_of(&self, unit: i32, sight: Sight) -> Vec<Worn<'_>> {
        if sight.is_concealed(self, Kind::Unit, unit) {
            return Vec::new();
        }
        let badges = self.ruleset.board.units.iter();
        badges.filter_map(|badge| self.worn(badge, Holder::Unit, unit, sight)).collect()
    }

    /// What is printed on a space.
    pub fn badges_in(&self, space: SpaceId, sight: Sight) -> Vec<Worn<'_>> {
        let badges = self.ruleset.board.spaces.iter();
        badges.filter_map(|badge| self.worn(badge, Holder::Space, space.0 as i32, sight)).collect()
    }

    /// Which way a counter faces and what it wears, in words.
    pub(super) fn wears(&self, unit: i32, sight: Sight) -> (Option<char>, Vec<String>) {
        let words = self.badges_of(unit, sight).iter().map(Worn::words).collect();
        (self.facing_of(unit, sight).and_then(|way| self.arrow(way)), words)
    }

    /// A direction of the map as an arrow.
    pub(super) fn arrow(&self, way: usize) -> Option<char> {
        const ARROWS: [(&str, char); 8] = [
            ("n", '\u{2191}'),
            ("ne", '\u{2197}'),
            ("e", '\u{2192}'),
            ("se", '\u{2198}'),
            ("s", '\u{2193}'),
            ("sw", '\u{2199}'),
            ("w", '\u{2190}'),
            ("nw", '\u{2196}'),
        ];
        let direction = self.ruleset.map.grid.directions().get(way)?;
        ARROWS.iter().find(|(name, _)| *name == direction.name).map(|(_, arrow)| *arrow)
    }

    /// Whether a badge of counters shows a property, so that words beside the name need not say it again.
    pub(super) fn is_worn(&self, column: u16) -> bool {
        let looks = |looked: &Looked| looked.columns.contains(&column);
        let shows = |badge: &Badge| match &badge.shows {
            Shows::Number(looked) | Shows::Named(looked, ..) | Shows::Sign(_, looked) => looks(looked),
            Shows::Dots(left, all) => looks(left) || all.as_ref().is_some_and(looks),
        };
        self.ruleset.board.units.iter().any(shows) || self.ruleset.board.facing.as_ref().is_some_and(looks)
    }

    /// The direction in which a counter faces, by its number on the map.
    pub fn facing_of(&self, unit: i32, sight: Sight) -> Option<usize> {
        let looked = self.ruleset.board.facing.as_ref()?;
        let is_seen = !sight.is_concealed(self, Kind::Unit, unit) && self.is_shown(looked, Holder::Unit, unit, sight);
        usize::try_from(if is_seen { self.value(&looked.value, &[unit]) } else { -1 }).ok()
    }

    /// The side that controls a space.
    pub fn control_of(&self, space: SpaceId, sight: Sight) -> Option<i32> {
        let looked = self.ruleset.board.control.as_ref()?;
        let space = space.0 as i32;
        let is_seen = self.is_shown(looked, Holder::Space, space, sight);
        Some(if is_seen { self.value(&looked.value, &[space]) } else { -1 }).filter(|side| *side >= 0)
    }

    /// The tracks beside the map.
    pub fn tracks(&self, sight: Sight) -> Vec<Track<'_>> {
        let ruleset = &self.ruleset;
        let track = |track: &'_ crate::ruleset::Track| {
            let column = &ruleset.schema.columns[usize::from(track.marker)];
            let (first, last) = match column.kind {
                _ if track.marker == Schema::TURN => (1, self.last_turn()),
                Kind::Symbol(list) => (0, ruleset.schema.symbols[usize::from(list)].values.len() as i32 - 1),
                _ => column.range,
            };
            let printed = |value: i32| track.cells.iter().find(|(at, _)| *at == value).map(|(_, words)| words.clone());
            let cell = |value: i32| printed(value).unwrap_or_else(|| ruleset.name_of(column.kind, value));
            let of_sides = column.holder == Holder::Side;
            let holders: Vec<i32> = if of_sides { ruleset.players().collect() } else { vec![0] };
            let told = holders.into_iter().filter(|of| sight.property(self, track.marker, *of));
            let markers = told.map(|of| (of_sides.then_some(of), self.get(track.marker, of)));
            let markers = markers.filter(|(_, at)| (first..=last).contains(at)).collect();
            (first, (first..=last).map(cell).collect(), markers)
        };
        let all = ruleset.board.tracks.iter();
        all.map(|declared| {
            let (first, cells, markers) = track(declared);
            Track { id: &declared.id, say: &declared.say, first, cells, markers }
        })
        .collect()
    }
}

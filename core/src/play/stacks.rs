//! Who stands where: a list of units for every space and box, which follows from where the units are.

/// The units of each place, in the order of the counter sheet, so that the order never tells what happened before.
#[derive(Debug, Clone)]
pub(super) struct Stacks {
    /// First unit in each space and box, -1 for none.
    first: Vec<i32>,
    /// The next unit in the same place, by number of the unit.
    next: Vec<i32>,
    /// How many of the places are spaces; they come first.
    spaces: usize,
}

impl Stacks {
    /// So many spaces and boxes, all empty.
    pub fn new(spaces: usize, boxes: usize, units: usize) -> Stacks {
        Stacks { first: vec![-1; spaces + boxes], next: vec![-1; units], spaces }
    }

    /// How many spaces there are.
    #[inline]
    pub fn spaces(&self) -> usize {
        self.spaces
    }

    /// How many units there are.
    #[inline]
    pub fn units(&self) -> usize {
        self.next.len()
    }

    /// The first unit in a place; -1 for none.
    #[inline]
    pub fn first(&self, place: i32) -> i32 {
        if place < 0 { -1 } else { self.first.get(place as usize).copied().unwrap_or(-1) }
    }

    /// The unit after this one; -1 for none.
    #[inline]
    pub fn next(&self, unit: i32) -> i32 {
        self.next[unit as usize]
    }

    /// A unit that was in one place is in another; -1 is nowhere.
    pub fn shift(&mut self, unit: i32, from: i32, to: i32) {
        if from >= 0 {
            let after = self.next[unit as usize];
            *self.link_to(from, |other| other == unit) = after;
        }
        if to >= 0 {
            let link = self.link_to(to, |other| other < 0 || other > unit);
            let after = std::mem::replace(link, unit);
            self.next[unit as usize] = after;
        } else {
            self.next[unit as usize] = -1;
        }
    }

    /// Where the list of a place names the first unit of which this is so, or its end.
    fn link_to(&mut self, place: i32, is_it: impl Fn(i32) -> bool) -> &mut i32 {
        let mut before = -1;
        let mut at = self.first[place as usize];
        while !is_it(at) {
            before = at;
            at = self.next[at as usize];
        }
        if before < 0 { &mut self.first[place as usize] } else { &mut self.next[before as usize] }
    }

    /// Every unit is where this says, by number of the unit.
    pub fn fill(&mut self, places: &[i32]) {
        self.first.fill(-1);
        self.next.fill(-1);
        // From the last, so that each comes before those that are there.
        for (unit, place) in places.iter().enumerate().rev().filter(|(_, place)| **place >= 0) {
            self.next[unit] = std::mem::replace(&mut self.first[*place as usize], unit as i32);
        }
    }
}

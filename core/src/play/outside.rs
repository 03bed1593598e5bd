//! Why something is not in a set.

use super::{
    evaluate::Slots,
    game::Game,
    offer::Refusal,
    said::{Particular, Said, Saying},
};
use crate::ruleset::{
    Text,
    rows::{Domain, Expr},
};

impl Game {
    /// Why something is not in a set that the ruleset names: what the first of the sets that it is taken from says in which
    /// it is not. What the set is given stands in the first slots.
    pub(super) fn why_not_in(&self, set: u16, one: i32, slots: &mut Slots) -> Vec<Refusal> {
        let number = set;
        let set = &self.ruleset.sets[usize::from(set)];
        // A set that asks nothing of its own says one thing of all that it is made of, if it says anything.
        let says_all = set.says && matches!(set.when, Expr::Const(1)) && !matches!(set.of, Domain::Named(..));
        let mark = self.groups.mark();
        let why = if says_all { None } else { self.why_not_of(&set.of, one, slots) };
        self.groups.back_to(mark);
        if why.as_ref().is_some_and(|why| !why.is_empty()) {
            return why.unwrap_or_default();
        }
        // What it says of who is none of those it is taken from would be false of one who is all that it asks.
        let slot = set.given.len();
        slots[slot] = one;
        let is_such = why.is_some() && self.eval(&set.first, slots) != 0 && self.asked(&set.when, slots) != 0;
        slots[slot] = -1;
        if is_such {
            return vec![Refusal::engine(Text::NotAChoice, [], set.cite)];
        }
        let mut with = self.particulars(&set.given, &slots[..]);
        with.push(Particular::Thing(set.kind, one));
        vec![Refusal { row: set.name.as_str().into(), said: Said { says: Saying::Set(number), with }, cite: set.cite }]
    }

    /// Why something is none of those that a set is taken from: what the sets say that it is made of, each but once. Nothing
    /// where it is one of them.
    fn why_not_of(&self, of: &Domain, one: i32, slots: &mut Slots) -> Option<Vec<Refusal>> {
        if matches!(of, Domain::All(..)) || self.members(of, slots).contains(&one) {
            return None;
        }
        let mut of_each = |sets: &[Domain]| {
            let mut all: Vec<Refusal> = Vec::new();
            for why in sets.iter().filter_map(|set| self.why_not_of(set, one, slots)).flatten() {
                if !all.contains(&why) {
                    all.push(why);
                }
            }
            all
        };
        Some(match of {
            Domain::Named(set, args) => {
                let mut inner = self.handed(args, slots);
                self.why_not_in(*set, one, &mut inner)
            }
            Domain::Union(sets) | Domain::Common(sets) | Domain::FirstOf(sets) => of_each(sets),
            Domain::Without(sets) => of_each(&sets[..1]),
            Domain::Nearest { of, .. } | Domain::Region { of, .. } => of_each(std::slice::from_ref(of)),
            _ => Vec::new(),
        })
    }
}

//! What of a set hangs together: spaces that border on each other, or whatever a term of the ruleset says is next to each other.

use super::{evaluate::Slots, game::Game};
use crate::{
    map::SpaceId,
    ruleset::rows::{Domain, Expr},
};

/// How members of a set hang together: the slots of two of them, and what is asked of these; nothing for spaces that border
/// on each other.
type By<'a> = Option<&'a (u8, Box<Expr>)>;

impl Game {
    /// Those of a set that hang together with one of them; where none is named the most that do, and of several as many
    /// those with the first of all.
    pub(super) fn region(&self, of: &Domain, with: Option<&Expr>, by: By<'_>, slots: &mut Slots) -> Vec<i32> {
        let with = with.map(|with| self.eval(with, slots));
        let all = self.members(of, slots);
        let mut taken = vec![false; all.len()];
        if let Some(with) = with {
            let at = all.binary_search(&with);
            return at.map_or_else(|_| Vec::new(), |at| self.part((&all, &mut taken), at, by, slots));
        }
        let (mut most, mut left) = (Vec::new(), all.len());
        for at in 0..all.len() {
            if !taken[at] && left > most.len() {
                let part = self.part((&all, &mut taken), at, by, slots);
                left -= part.len();
                if part.len() > most.len() {
                    most = part;
                }
            }
        }
        most
    }

    /// The thing that stands there in a list in rising order, and all that hang together with it of those not taken, who
    /// are taken.
    fn part(&self, (all, taken): (&[i32], &mut [bool]), at: usize, by: By<'_>, slots: &mut Slots) -> Vec<i32> {
        let mut part = vec![all[at]];
        taken[at] = true;
        let mut looked = 0;
        while let Some(one) = part.get(looked).copied() {
            looked += 1;
            let Some((slot, is_next)) = by else {
                for near in self.ruleset.map.near(SpaceId(one as u32)) {
                    if let Some(at) = all.binary_search(&(near.0 as i32)).ok().filter(|at| !taken[*at]) {
                        taken[at] = true;
                        part.push(all[at]);
                    }
                }
                continue;
            };
            let slot = usize::from(*slot);
            if !self.takes_steps(all.len()) {
                break;
            }
            // Of two the first comes first: those before it are asked about it, and it about those behind it.
            let mut before: Vec<i32> = all.iter().zip(&*taken).filter(|(_, taken)| !**taken).map(|(o, _)| *o).collect();
            let mut behind = before.split_off(before.partition_point(|other| *other < one));
            slots[slot + 1] = one;
            self.sift(is_next, true, slot as u8, &mut before, slots);
            (slots[slot], slots[slot + 1]) = (one, -1);
            self.sift(is_next, true, slot as u8 + 1, &mut behind, slots);
            (slots[slot], slots[slot + 1]) = (-1, -1);
            for other in before.into_iter().chain(behind) {
                all.binary_search(&other).into_iter().for_each(|at| taken[at] = true);
                part.push(other);
            }
        }
        self.takes_steps(looked / Game::REACHED_IN_A_STEP);
        part
    }
}

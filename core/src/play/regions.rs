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
            for (other, taken) in all.iter().zip(taken.iter_mut()).filter(|(_, taken)| !**taken) {
                (slots[slot], slots[slot + 1]) = (one.min(*other), one.max(*other));
                if self.asked(is_next, slots) != 0 {
                    *taken = true;
                    part.push(*other);
                }
            }
            (slots[slot], slots[slot + 1]) = (-1, -1);
        }
        self.takes_steps(looked / Game::REACHED_IN_A_STEP);
        part
    }
}

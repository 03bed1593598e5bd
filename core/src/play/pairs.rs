//! Offers of two values, chosen jointly: a set, and for each of its members another that is given it. A pair is offered
//! if its first value is in the set and its second in the set that follows; of the second nothing is worked out before
//! somebody looks.

use std::{sync::Arc, vec};

use super::{
    game::Game,
    moves::{Move, Retreat},
    offer::{Action, Given, Offer, Question, Refusal, Set, given},
    said::{Particular, Saying},
};
use crate::{
    map::SpaceId,
    ruleset::{Kind, Maker, Text, rows::Rows},
};

/// What a verb takes second: a set with a hole, which the first value fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Then {
    /// What makes the set.
    pub by: Maker,
    /// What that is given behind the first value; -1 where it is given no more.
    pub given: [i32; Then::MOST_GIVEN],
}

impl Then {
    /// No maker is given more behind the first value: a guard is given what may follow, and then that.
    pub const MOST_GIVEN: usize = Rows::MOST_GIVEN - 2;
}

/// The first half of an answer: a verb that takes two values, and the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Half {
    /// Index of the verb.
    pub verb: u16,
    /// The first value.
    pub value: i32,
}

impl Half {
    /// The whole answer.
    pub fn with(self, second: i32) -> Action {
        Action { verb: self.verb, values: [self.value, second] }
    }
}

/// What a question offers, as far as somebody has looked.
#[derive(Debug, Clone, Default)]
pub(super) struct Listing {
    pub actions: Vec<Action>,
    /// By offer that has been looked at: where its actions begin.
    begin: Vec<usize>,
    /// In the last of them, the first values whose pairs are still to be listed; nothing where it is listed whole.
    firsts: Option<vec::IntoIter<i32>>,
}

impl Listing {
    /// Begins anew, in the room that it has, or in that of another list.
    pub fn renew(&mut self, room: Option<Vec<Action>>) {
        self.actions = room.unwrap_or_else(|| std::mem::take(&mut self.actions));
        self.actions.clear();
        self.begin.clear();
        self.firsts = None;
    }
}

impl Game {
    /// No list of pairs goes on once it holds so many.
    const MOST_PAIRS: usize = 1_000_000;

    /// The set that something makes of what it is given.
    pub(super) fn made_by(&self, by: Maker, given: Given) -> Set {
        let points = |given: i32| u16::try_from(given).ok();
        match by {
            Maker::Guard(rows) => Set::Passing { rows, given },
            Maker::Named(set) => Set::Named { set, given },
            Maker::Mover(mover) => match self.move_of(mover, given[0], points(given[1])) {
                Some(m) => Set::Reach(Arc::new(m)),
                None => Set::List(Box::new([])),
            },
            Maker::Retreat(kind) => {
                let [shortest, longest] = [given[1], given[2]].map(|steps| points(steps).unwrap_or(0));
                Set::Retreat(Retreat { kind, unit: given[0], shortest, longest })
            }
        }
    }

    /// Works on the set that follows a first value.
    pub fn following<T>(&self, then: &Then, first: i32, work: impl FnOnce(&Set) -> T) -> T {
        let mark = self.groups.mark();
        // One thing is a group of one.
        let is_group = then.by.hole(&self.ruleset).is_some_and(|kind| kind.of_each().is_some());
        let first = if is_group { self.groups.keep([first]) } else { first };
        let [second, third, fourth] = then.given;
        let done = work(&self.made_by(then.by, given(&[first, second, third, fourth])));
        self.groups.back_to(mark);
        done
    }

    /// Every action a question offers, in a fixed order; pairs no more than a million.
    pub fn actions(&self, question: &Question) -> Vec<Action> {
        let mut listing = Listing::default();
        self.list_actions(question, usize::MAX, &mut listing);
        listing.actions
    }

    /// Goes on with a listing of what a question offers. Once there are `enough`, no further set is looked at that follows a
    /// first value, nor once the steps are used up. Whether all is listed.
    pub(super) fn list_actions(&self, question: &Question, enough: usize, listing: &mut Listing) -> bool {
        let Listing { actions: all, begin, firsts } = listing;
        let enough = enough.min(Game::MOST_PAIRS);
        // An offer that it stopped in is gone on with.
        let stopped_in = begin.len().saturating_sub(usize::from(firsts.is_some()));
        for (at, Offer { verb, set, then }) in question.offers.iter().enumerate().skip(stopped_in) {
            let is_new = at == begin.len();
            if is_new && then.is_some() && all.len() >= enough {
                return false;
            }
            if is_new {
                begin.push(all.len());
            }
            // Two verbs may offer the same.
            let is_same = |earlier: &Offer| earlier.set == *set && earlier.then == *then;
            if let Some(same) = question.offers[..at].iter().position(is_same) {
                for earlier in begin[same]..begin[same + 1] {
                    all.push(Action { verb: *verb, ..all[earlier] });
                }
                continue;
            }
            let Some(then) = then else {
                self.add_values(set, all, |value| Action::of(*verb, value));
                continue;
            };
            let firsts_left = firsts.get_or_insert_with(|| self.values(set).into_iter());
            while let Some(value) = firsts_left.as_slice().first().copied() {
                let listed = all.len();
                if listed >= enough {
                    return false;
                }
                let half = Half { verb: *verb, value };
                self.following(then, value, |set| self.add_values(set, all, |second| half.with(second)));
                if self.is_exhausted() {
                    all.truncate(listed);
                    return false;
                }
                firsts_left.next();
            }
            *firsts = None;
        }
        true
    }

    /// How many values a set has; or how many pairs, where something follows each.
    pub fn count(&self, set: &Set, then: Option<&Then>) -> usize {
        let Some(then) = then else { return self.count_of(set) };
        self.values(set).into_iter().map(|first| self.following(then, first, |set| self.values(set).len())).sum()
    }

    /// An action for each value of a set.
    fn add_values(&self, set: &Set, all: &mut Vec<Action>, action: impl Fn(i32) -> Action) {
        match set {
            Set::Reach(m) => self.reach(m, |flood| all.extend(flood.reached.iter().map(|r| action(r.space.0 as i32)))),
            set => self.work_on_values(set, |values| all.extend(values.iter().copied().map(action))),
        }
    }

    /// Whether a question offers an action.
    pub fn is_offered(&self, question: &Question, action: Action) -> bool {
        let [first, second] = action.values;
        let is_in = |offer: &Offer| {
            let follows = |then| self.following(then, first, |set| self.is_among(set, second));
            self.is_among(&offer.set, first) && offer.then.as_ref().map_or(second == -1, follows)
        };
        question.offers.iter().any(|offer| offer.verb == action.verb && is_in(offer))
    }

    /// What a question offers second with the first half of an answer, whether that is offered itself or not.
    pub fn seconds(&self, question: &Question, half: Half) -> Vec<i32> {
        let offer = question.offers.iter().find(|offer| offer.verb == half.verb);
        let then = offer.and_then(|offer| offer.then.as_ref());
        then.map_or_else(Vec::new, |then| self.following(then, half.value, |set| self.values(set)))
    }

    /// Why no answer begins with this half; empty where one does.
    pub fn why_not_half(&self, question: &Question, half: Half) -> Vec<Refusal> {
        let offer = question.offers.iter().find(|offer| offer.verb == half.verb);
        match offer.and_then(|offer| Some((offer, offer.then.as_ref()?))) {
            Some((offer, then)) => self.why_no_pair(question, offer, then, half.value, None),
            None => self.not_now(question, half.with(-1)),
        }
    }

    /// The same for whoever has named the first value already.
    pub fn why_not_first(&self, question: &Question, offer: &Offer, first: i32) -> Vec<Refusal> {
        let refused = self.why_not_offered(question, &offer.set, first);
        if refused.is_empty() { self.why_not_half(question, Half { verb: offer.verb, value: first }) } else { refused }
    }

    /// Why a pair is not offered, or, without a second value, none that begins so: of the half that is refused, which is
    /// named.
    pub(super) fn why_no_pair(
        &self,
        question: &Question,
        offer: &Offer,
        then: &Then,
        first: i32,
        second: Option<i32>,
    ) -> Vec<Refusal> {
        let takes = &self.ruleset.verbs[usize::from(offer.verb)].takes;
        let thing = |at: usize, value: i32| Particular::Thing(takes.get(at).copied().unwrap_or(Kind::Int), value);
        let named = |refusals: Vec<Refusal>, which: &Particular| -> Vec<Refusal> {
            let name = |refusal: Refusal| match refusal.said.says {
                // What the engine says of a place names it.
                Saying::Engine(text) if !matches!(text, Text::NotAChoice | Text::OutOfRange) => refusal,
                _ => refusal.within(Text::OfHalf, which.clone()),
            };
            refusals.into_iter().map(name).collect()
        };
        let refused = self.why_not_offered(question, &offer.set, first);
        if !refused.is_empty() {
            return named(refused, &thing(0, first));
        }
        self.following(then, first, |set| match second {
            Some(second) => named(self.why_not_offered(question, set, second), &thing(1, second)),
            None if self.values(set).is_empty() => {
                vec![Refusal::engine(Text::NothingFollows, [thing(0, first)], self.cite_of(question))]
            }
            None => Vec::new(),
        })
    }

    /// The move that an action of an offer makes, and where to; nothing where it makes none.
    pub fn moving(&self, offer: &Offer, action: Action) -> Option<(Arc<Move>, SpaceId)> {
        let [first, second] = action.values;
        let reach = |set: &Set| if let Set::Reach(m) = set { Some(m.clone()) } else { None };
        let (m, to) = match &offer.then {
            None => (reach(&offer.set), first),
            Some(then) => (self.following(then, first, reach), second),
        };
        Some((m?, SpaceId(u32::try_from(to).ok()?)))
    }
}

//! What questions offer by themselves, and which of them are asked before a rule is carried out.

use super::{
    game::Game,
    offer::{About, Offer, Question, Set, given},
    pairs::Then,
};
use crate::ruleset::{Kind, RuleId, Schema, Taken, Taking};

impl Game {
    /// What is asked before a rule is carried out, which is given the answer: the first of its questions whose time it is,
    /// and which has something to be about, if it is about something. Nothing where the rule is to be begun without.
    pub fn question_before(&self, rule: RuleId) -> Option<Question> {
        let asks = self.ruleset.rules[usize::from(rule.0)].asks.iter().copied();
        asks.map(|key| (key, &self.ruleset.questions[usize::from(key)])).find_map(|(key, question)| {
            let before = question.before.as_ref()?;
            if !before.when.as_ref().is_none_or(|when| self.holds(when, &[])) {
                return None;
            }
            let about = match (question.about, &before.about) {
                (Some(kind), Some(about)) => {
                    About::Thing(kind, Some(self.value(about, &[])).filter(|thing| *thing >= 0 || kind == Kind::Int)?)
                }
                _ => About::Nothing,
            };
            let phasing = self.get(Schema::PHASING, 0);
            let by = before.by.as_ref().map_or(phasing, |by| self.value(by, &[]));
            let offers = self.own_offers(key, about, |_| false).collect();
            (by >= 0).then_some(Question { key, by, about, offers })
        })
    }

    /// What a question offers by itself, in the order of verbs: of what it is about, which may be nothing only where its
    /// offers do without. Without those whose verb is `answered` otherwise.
    pub fn own_offers(
        &self,
        question: u16,
        about: About,
        is_answered: impl Fn(u16) -> bool,
    ) -> impl Iterator<Item = Offer> {
        let about = if let About::Thing(_, thing) = about { Some(thing) } else { None };
        let of = move |is_given: bool| about.filter(|_| is_given).map_or([-1; _], |thing| given(&[thing]));
        let own = self.ruleset.questions[usize::from(question)].offers.iter();
        own.filter(move |offer| !is_answered(offer.verb)).filter_map(move |offer| {
            let about = about.unwrap_or(-1);
            if !offer.when.as_ref().is_none_or(|when| self.holds(when, &[about])) {
                return None;
            }
            let set = match offer.takes {
                Taking::Nothing => Set::One,
                Taking::Allowed { rows, of_about } => Set::Allowed { rows, given: of(of_about) },
                Taking::Each(taken) => self.made_by(taken.by, of(taken.of_about)),
            };
            let behind = |then: Taken| [if then.of_about { about } else { -1 }, -1, -1];
            let then = offer.then.map(|then| Then { by: then.by, given: behind(then) });
            Some(Offer { verb: offer.verb, set, then })
        })
    }
}

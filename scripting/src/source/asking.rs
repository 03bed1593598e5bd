//! What questions are about, what they offer and are answered with, and what is rolled for.

use countermarch_core::ruleset::{Before, Verb};

use super::{
    calls::{is_something, joined, number, text},
    known::{Known, Signature, Type},
    tree::{Call, Expression, Function, Key, Name, Value},
    walk::Walk,
};
use crate::{convert::lua_name, waits::MOST_FACES};

impl Walk<'_> {
    /// A question: what it is about, and its offers. It comes to one of the verbs offered and what that takes.
    pub(super) fn asked(&mut self, call: &Call, types: &[Type], offers: &[Type]) -> Vec<Type> {
        let ruleset = self.ruleset;
        let is_open = call.given.last().is_some_and(Value::is_several);
        let question = text(call.given.first())
            .filter(|_| !is_open)
            .and_then(|key| ruleset.questions.iter().find(|q| q.key == key));
        if let Some(question) = question {
            let (about, is) = (call.given.get(2), types.get(2).unwrap_or(&Type::Nil));
            let at = about.or_else(|| call.given.first()).map(|value| &value.at);
            match (question.about, about, at) {
                (None, Some(about), _) if is_something(is) => {
                    let message = format!("question `{}` is about nothing", question.key);
                    self.error("kind", &about.at, message, "write `nil`, or declare `about:` in its question");
                }
                (Some(kind), _, Some(at)) if *is == Type::Nil => {
                    let message =
                        format!("question `{}` is about {}, and nothing is given", question.key, kind.words());
                    self.error("kind", at, message, "give it, or leave `about:` out of its question");
                }
                (Some(kind), Some(about), _) => {
                    self.of_kind(&format!("question `{}` is about", question.key), (about, is), kind);
                }
                _ => (),
            }
        }
        let any = vec![Type::Named("Verb".into()), Type::Any];
        let own = question.map_or(&[][..], |question| &question.offers);
        let fields = match call.given.get(3) {
            Some(Value { is: Expression::Table(fields), .. }) => fields.as_slice(),
            None | Some(Value { is: Expression::Nil, .. }) if !own.is_empty() => &[],
            None | Some(Value { is: Expression::Nil, .. }) => {
                if let (Some(question), Some(key)) = (question, call.given.first()) {
                    let message =
                        format!("question `{}` offers nothing by itself, and nothing is offered here", question.key);
                    let help = "hand over a table of verbs, or write `offers:` in its question";
                    self.error("arguments", &key.at, message, help);
                }
                return any;
            }
            _ => return any,
        };
        let mut offered: Vec<&Verb> = own.iter().map(|offer| &ruleset.verbs[usize::from(offer.verb)]).collect();
        for ((key, value), is) in fields.iter().zip(offers) {
            let Key::Name(name) = key else { return any };
            let Some(verb) = ruleset.verbs.iter().find(|verb| verb.id == name.text || lua_name(&verb.id) == name.text)
            else {
                let help = self.found.suggest(&name.text, ruleset.verbs.iter().map(|verb| verb.id.as_str()));
                self.error("unknown-verb", &name.at, format!("verb `{}` is not declared", name.text), help);
                return any;
            };
            self.offered(verb, name, (value, is));
            if !offered.iter().any(|other| std::ptr::eq(*other, verb)) {
                offered.push(verb);
            }
        }
        self.answers(&offered)
    }

    /// What a question may be answered with that offers these verbs: one of them, and what they take.
    fn answers(&self, offered: &[&Verb]) -> Vec<Type> {
        let taken = |at: usize| {
            let mut taken = offered.iter().filter_map(|verb| verb.takes.get(at).copied());
            let first = taken.next()?;
            Some(if taken.all(|other| other == first) { self.of(first).or_nothing() } else { Type::Any })
        };
        let verbs = Type::Words(offered.iter().map(|verb| verb.id.clone()).collect());
        [verbs, taken(0).unwrap_or(Type::Any)].into_iter().chain(taken(1)).collect()
    }

    /// What a rule is given of the question before it; nothing where none is asked before it.
    pub(super) fn given_before(&mut self, path: &[Name], function: &Function) -> Vec<Type> {
        let ruleset = self.ruleset;
        let name = path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(".");
        let Some(rule) = ruleset.rules.iter().find(|rule| rule.name == name) else { return Vec::new() };
        let asks: Vec<_> = rule.asks.iter().map(|key| &ruleset.questions[usize::from(*key)]).collect();
        let Some(first) = asks.first() else { return Vec::new() };
        // What another function stands in the place of is given what that one hands it.
        if rule.at.0 != self.path {
            return Vec::new();
        }
        let mut offered: Vec<&Verb> = Vec::new();
        for offer in asks.iter().flat_map(|question| &question.offers) {
            let verb = &ruleset.verbs[usize::from(offer.verb)];
            if !offered.iter().any(|other| std::ptr::eq(*other, verb)) {
                offered.push(verb);
            }
        }
        let taken = offered.iter().map(|verb| verb.takes.len()).max().unwrap_or(0);
        if let (Some(name), false) = (path.last(), function.takes_more)
            && function.parameters.len() <= taken
        {
            let given = ["verb", "first", "second"][..=taken].join(", ");
            let message = format!("question `{}` is asked before it, and it does not take the whole answer", first.key);
            self.error("arguments", &name.at, message, format!("write `({given})`, in words of yours"));
        }
        let answers = self.answers(&offered);
        let is_always = asks.iter().filter_map(|question| question.before.as_ref()).any(Before::is_always);
        if is_always { answers } else { answers.into_iter().map(Type::or_nothing).collect() }
    }

    /// What a verb is offered with.
    fn offered(&mut self, verb: &Verb, name: &Name, (value, is): (&Value, &Type)) {
        let wanted: Vec<Type> = verb.takes.iter().map(|kind| self.of(*kind)).collect();
        let takes = joined(verb.takes.iter().map(|kind| kind.words().to_owned()));
        let given = match is {
            Type::Any | Type::Nil | Type::Maybe(_) | Type::Either(_) => return,
            Type::Set(of) if matches!(**of, Type::Nil) => Vec::new(),
            Type::Set(of) => vec![(**of).clone()],
            Type::Pairs(of) => of.to_vec(),
            Type::Flag if matches!(value.is, Expression::Flag(true)) => Vec::new(),
            Type::Flag => return,
            Type::Number(kind) if &**kind == "number" && !matches!(value.is, Expression::Number(_)) => return,
            other => {
                let message = format!("an offer is `true`, a set or pairs, and {} is offered", self.names.say(other));
                let help = format!("`{}` takes {takes}: see `offer` for sets", verb.id);
                self.error("kind", &value.at, message, help);
                return;
            }
        };
        // Of a set that may hold anything nothing is certain, but that it is no pairs.
        let is_anything = matches!(given[..], [Type::Any]) && wanted.len() < 2;
        let fits = given.len() == wanted.len() && !given.iter().zip(&wanted).any(|(is, of)| self.names.clash(is, of));
        if is_anything || fits {
            return;
        }
        let help = match wanted.len() {
            2 => "offer pairs: `offer.pairs(FIRST, offer.each.NAME)` and the like".to_owned(),
            _ => format!("offer `{}` in a question of its own, or another verb here", verb.id),
        };
        let given = joined(given.iter().map(|of| self.names.say(of)));
        self.error("kind", &name.at, format!("`{}` takes {takes}, and {given} is offered", verb.id), help);
    }

    /// What `offer.pairs` takes and gives where this is what it names for the second of each pair: that function is given
    /// the first, and what it is given behind that stands in the call.
    pub(super) fn paired(&self, call: &Call, types: &[Type]) -> Option<Signature> {
        let Some(Known::Function(second)) = self.known(call.given.get(1)?) else { return None };
        let (hole, rest) = second.given.split_first()?;
        let several = |of: &Type| match of {
            Type::Either(list) => {
                list.iter().find_map(|one| if let Type::Set(of) = one { Some(of.clone()) } else { None })
            }
            _ => None,
        };
        let first = several(&hole.1).unwrap_or_else(|| Box::new(hole.1.clone()));
        let of_each = |is: Option<&Type>| match is {
            Some(Type::Set(of)) => (**of).clone(),
            _ => Type::Any,
        };
        let given = [("first", Type::Set(first)), ("second", Type::Function)].map(|(name, is)| (name.to_owned(), is));
        Some(Signature {
            given: given.into_iter().chain(rest.iter().cloned()).collect(),
            takes_more: false,
            gives: vec![Type::Pairs(Box::new([of_each(types.first()), of_each(second.gives.first())]))],
        })
    }

    /// A die, or what is drawn: what it is about.
    pub(super) fn rolled(&mut self, how: &str, call: &Call, types: &[Type]) {
        let faces = match how {
            "roll" => call.given.get(2),
            "handful" => call.given.get(3),
            _ => None,
        };
        let has_none = |faces: f64| !(1.0..=MOST_FACES as f64).contains(&faces) || faces.fract() != 0.0;
        if let Some(faces) = faces.filter(|faces| number(faces).is_some_and(has_none)) {
            let message = format!("a die has 1 to {MOST_FACES} faces");
            self.error("range", &faces.at, message, "give it as many, or leave it out for six");
        }
        let chances = &self.ruleset.chances;
        let Some(purpose) = text(call.given.first()) else { return };
        let Some(chance) = chances.iter().find(|chance| chance.purpose == purpose) else { return };
        let is_nothing =
            !call.given.first().is_some_and(Value::is_several) && matches!(types.get(1), None | Some(Type::Nil));
        let is_told = [&chance.roll, &chance.draw].into_iter().flatten().any(|text| text.contains("{about}"));
        if is_nothing && is_told {
            let message = format!("chance `{purpose}` is told with what it is about, and nothing is given");
            self.error("kind", &call.of.at, message, "give it, or leave `{about}` out of its text");
        }
        if let (Some(about), Some(is)) = (call.given.get(1), types.get(1)) {
            self.of_kind(&format!("chance `{purpose}` is about"), (about, is), chance.about);
        }
    }
}

//! What calls are given, what questions offer, and what is compared: faults that play would find when it comes there, or
//! never.

use countermarch_core::ruleset::{Cite, Column, Holder, Kind, Ruleset, Symbols};

use super::{
    definitions::type_name,
    known::{Known, Signature, Type},
    tree::{At, Call, Expression, Value},
    walk::Walk,
};
use crate::convert::lua_name;

impl Walk<'_> {
    /// A call of a function that is known by its path; what it comes to.
    pub(super) fn called(&mut self, path: &[&str], signature: &Signature, call: &Call) -> Vec<Type> {
        let (types, offers) = self.given(path, call);
        let paired = if path == ["offer", "pairs"] { self.paired(call, &types) } else { None };
        let signature = paired.as_ref().unwrap_or(signature);
        let name = path.join(".");
        self.count_given(&name, signature, call);
        for ((value, is), (parameter, wanted)) in call.given.iter().zip(&types).zip(&signature.given) {
            self.fits(&name, parameter, (value, is), wanted);
        }
        let cites_itself =
            |key: &str| self.ruleset.notes.iter().any(|note| lua_name(&note.key) == key && note.cite != Cite::NONE);
        match path {
            ["note", key] if cites_itself(key) => (),
            ["place" | "finish"] | ["set", ..] | ["new" | "drop" | "tally" | "note", _] => {
                self.cited(&name, signature, call);
            }
            _ => (),
        }
        match path {
            ["ask"] => return self.asked(call, &types, &offers),
            // A set of a list is of what its members are.
            ["offer", "list"] => {
                let of = types.into_iter().next();
                return vec![Type::Set(if let Some(Type::List(of)) = of { of } else { Box::new(Type::Any) })];
            }
            ["roll" | "handful" | "pick"] => self.rolled(path[0], call, &types),
            ["set", holder, property] => self.written(holder, property, call),
            _ => (),
        }
        signature.gives.clone()
    }

    /// What a call is given; of a question's offers each by itself, where they stand in the call.
    fn given(&mut self, path: &[&str], call: &Call) -> (Vec<Type>, Vec<Type>) {
        match call.given.as_slice() {
            [key, by, about, Value { is: Expression::Table(offers), .. }] if path == ["ask"] => {
                let mut types: Vec<Type> = [key, by, about].into_iter().map(|value| self.value(value)).collect();
                types.push(Type::Table);
                (types, self.members(offers))
            }
            given => (self.values(given), Vec::new()),
        }
    }

    /// How many things a function is given: no more than it takes, and no fewer than it cannot do without.
    fn count_given(&mut self, name: &str, signature: &Signature, call: &Call) {
        let takes = signature.given.len();
        let list: Vec<&str> = signature.given.iter().map(|(name, _)| name.as_str()).collect();
        let takes_words = format!("`{name}` takes {}", list.join(", "));
        if let Some(surplus) = call.given.get(takes).filter(|_| !signature.takes_more) {
            let message = match takes {
                0 => format!("`{name}` takes nothing"),
                _ => format!("{takes_words}: this is one more"),
            };
            self.error("arguments", &surplus.at, message, "leave it out");
        }
        if call.given.last().is_some_and(Value::is_several) {
            return;
        }
        let missing = signature.given.iter().skip(call.given.len()).find(|(_, wanted)| !wanted.may_be_left_out());
        if let Some((missing, wanted)) = missing {
            let help = format!("give it {}", self.names.say(wanted));
            self.error("arguments", &call.of.at, format!("{takes_words}: `{missing}` is missing"), help);
        }
    }

    /// Whether what is given can be what is wanted.
    fn fits(&mut self, name: &str, parameter: &str, (value, is): (&Value, &Type), wanted: &Type) {
        // Definitions do not list the spaces of a large map, and there are none the more for it.
        if let (Type::Named(of), Some(said)) = (wanted, text(Some(value)))
            && of.as_ref() == "SpaceName"
            && self.names.words(wanted).is_none()
            && self.ruleset.map.find(said).is_none()
        {
            let map = &self.ruleset.map;
            let help = self.found.suggest(said, map.spaces().map(|space| map.space(space).name.as_str()));
            let (code, message) = undeclared(of, said);
            return self.error(code, &value.at, message, help);
        }
        if !self.names.clash(is, wanted) {
            return;
        }
        if let (Type::Words(given), Some(words)) = (is, self.names.words(wanted))
            && let [given] = &**given
        {
            let (code, message) = match wanted {
                Type::Named(of) => undeclared(of, given),
                _ => ("unknown-name", format!("`{parameter}` of `{name}` is never `{given}`")),
            };
            let inside = value.at.start + 1..value.at.end.saturating_sub(1).max(value.at.start + 1);
            self.error(code, &inside, message, self.found.suggest(given, words.iter().map(String::as_str)));
            return;
        }
        let help = match (text(Some(value)), named_kind(wanted)) {
            (Some(said), Some(kind)) => self.by_name(kind, said),
            _ => String::new(),
        };
        let (is, wanted) = (self.names.say(is), self.names.say(wanted));
        let message = format!("`{parameter}` of `{name}` is {wanted}, and {is} is given");
        self.error("kind", &value.at, message, help);
    }

    /// Whether an effect cites something: a paragraph of its own, or that of the rule it stands in.
    fn cited(&mut self, name: &str, signature: &Signature, call: &Call) {
        let is_cite = |(_, wanted): &(String, Type)| *wanted == Type::Named("Cite".into()).or_nothing();
        let Some(at) = signature.given.iter().position(is_cite) else { return };
        let is_given = match call.given.get(at) {
            Some(cite) => !matches!(cite.is, Expression::Nil),
            None => call.given.last().is_some_and(|last| match self.comes_to(last) {
                Some(values) => call.given.len() - 1 + values > at,
                None => true,
            }),
        };
        if !is_given && self.cites.at_byte(call.of.at.start) == Cite::NONE && !self.ruleset.rulebook.entries.is_empty()
        {
            let message = format!("`{name}` cites nothing, and neither does a rule around it");
            let help = "give it a citation, or write `--- @cite` above the function";
            self.warning("uncited", &call.of.at, message, help);
        }
    }

    /// How many values an argument comes to, where that is certain.
    fn comes_to(&self, value: &Value) -> Option<usize> {
        match &value.is {
            Expression::Call(call) => match self.known(&call.of) {
                // What says nothing of what it gives back may give back anything.
                Some(Known::Function(of)) if call.method.is_none() && !of.gives.is_empty() => Some(of.gives.len()),
                _ => None,
            },
            Expression::Rest => None,
            _ => Some(1),
        }
    }

    /// Whether something is of a kind of the ruleset.
    pub(super) fn of_kind(&mut self, what: &str, (value, is): (&Value, &Type), kind: Kind) {
        let wanted = self.of(kind).or_nothing();
        if self.names.clash(is, &wanted) {
            let message = format!("{what} {}, and {} is given", self.names.say(&wanted), self.names.say(is));
            self.error("kind", &value.at, message, "");
        }
    }

    /// A kind of the ruleset, as a type.
    pub(super) fn of(&self, kind: Kind) -> Type {
        let general = |name: &str| Type::Number(name.into());
        match kind {
            Kind::Unit => general("Unit"),
            Kind::Side => general("Side"),
            Kind::Space => general("Space"),
            Kind::Card => general("Card"),
            Kind::Int => Type::number(),
            Kind::Flag => Type::Flag,
            _ => Type::Any,
        }
    }

    // Properties.

    /// A property that is written: a number that it cannot be.
    fn written(&mut self, holder: &str, property: &str, call: &Call) {
        let Some((column, holder)) = column(self.ruleset, holder, property) else { return };
        let Some(value) = call.given.get(usize::from(holder != Holder::Game)) else { return };
        let Some(number) = number(value) else { return };
        let (least, most) = column.range;
        if number < f64::from(least) || number > f64::from(most) || number.fract() != 0.0 {
            let (may_be, help) = match column.kind {
                Kind::Flag => ("yes or no".to_owned(), "write `true` or `false`"),
                Kind::Int => (format!("{least} to {most}"), "write another number, or declare another range"),
                kind => (kind.words().to_owned(), "write it by its name"),
            };
            self.error("range", &value.at, format!("`{property}` is {may_be}, and never {number}"), help);
        }
    }

    /// How a thing or a named value is written that a text names; nothing where there is none.
    fn by_name(&self, kind: &str, said: &str) -> String {
        let (ruleset, name) = (self.ruleset, lua_name(said));
        let written = match kind {
            "Side" if ruleset.sides.iter().any(|side| side.id == said) => format!("sides.{name}"),
            "Unit" if ruleset.units.iter().any(|unit| unit.id == said) => format!("units.{name}"),
            "Box" | "Place" if ruleset.boxes.iter().any(|inside| inside.id == said) => format!("boxes.{name}"),
            "Space" | "Place" if ruleset.map.find(said).is_some() => format!("space_named(\"{said}\")"),
            kind => {
                let has = |list: &&Symbols| type_name(&list.name) == kind && list.values.iter().any(|one| one == said);
                let Some(list) = ruleset.schema.symbols.iter().find(has) else { return String::new() };
                format!("values.{}.{name}", lua_name(&list.name))
            }
        };
        format!("write `{written}`")
    }

    // Comparisons.

    /// A text that is compared with what is never one, as with a named value, which is a number.
    fn never_a_text(&mut self, text: &Value, said: &[String], other: &Type) {
        let kind = match other {
            Type::Maybe(of) => of,
            other => other,
        };
        let (Type::Number(_) | Type::Flag, [said]) = (kind, said) else { return };
        let help = if let Type::Number(kind) = kind { self.by_name(kind, said) } else { String::new() };
        let message = format!("{} is compared with a text, and is never one", self.names.say(other));
        self.error("kind", &text.at, message, help);
    }

    /// Two things that are compared, of kinds that can be the same.
    pub(super) fn compared(&mut self, two: &[Value; 2], types: &[Type; 2], at: &At) {
        for (text, other) in [(0, 1), (1, 0)] {
            let (Type::Words(said), Expression::Text(_)) = (&types[text], &two[text].is) else { continue };
            let Some(words) = self.names.words(&types[other]) else {
                self.never_a_text(&two[text], said, &types[other]);
                continue;
            };
            if let [said] = &**said
                && !words.contains(said)
                && !matches!(two[other].is, Expression::Text(_))
            {
                let path = two[other].path().into_iter().flatten().map(|name| name.text.as_str());
                let what = path.collect::<Vec<_>>().join(".");
                let what = if what.is_empty() { "this".to_owned() } else { format!("`{what}`") };
                let help = self.found.suggest(said, words.iter().map(String::as_str));
                let message = format!("{what} is never `{said}`");
                // A verb that there is and that is not offered here does no harm.
                let is_verb = self.ruleset.verbs.iter().any(|verb| verb.id == *said);
                if is_verb && !what.starts_with("`settings.") {
                    self.warning("unknown-value", &two[text].at, message, help);
                } else {
                    self.error("unknown-value", &two[text].at, message, help);
                }
            }
            return;
        }
        let certain = |is: &Type| match is {
            Type::Maybe(of) => (**of).clone(),
            is => is.clone(),
        };
        for (flag, number) in [(0, 1), (1, 0)] {
            if let (Type::Flag, Type::Number(_)) = (certain(&types[flag]), certain(&types[number])) {
                let (is, message) = (&two[number].at, "a yes or no is compared with a number, and is never one");
                self.error(
                    "kind",
                    is,
                    message.to_owned(),
                    "write it alone, with `not` before it, or compare it with `true`",
                );
                return;
            }
        }
        let is_number = |is: &Type| matches!(certain(is), Type::Number(_));
        if types.iter().all(is_number) && self.names.clash(&types[0], &types[1]) {
            let (one, other) = (self.names.say(&types[0]), self.names.say(&types[1]));
            self.error(
                "kind",
                at,
                format!("{one} is compared with {other}: they have nothing to do with each other"),
                "",
            );
        }
    }
}

/// What is said of a text that is none of those a type allows.
fn undeclared(of: &str, text: &str) -> (&'static str, String) {
    match of {
        "Question" => ("unknown-question", format!("question `{text}` is not declared")),
        "Purpose" => ("unknown-chance", format!("chance has no purpose `{text}`")),
        "Rule" => ("unknown-rule", format!("there is no rule `{text}`")),
        "SymbolList" => ("unknown-name", format!("there is no list of symbols `{text}`")),
        "Road" => ("unknown-name", format!("the map has no road `{text}`")),
        _ => ("unknown-name", format!("the map has no space `{text}`")),
    }
}

/// A text as it is written.
pub(super) fn text(value: Option<&Value>) -> Option<&str> {
    match value.map(|value| &value.is) {
        Some(Expression::Text(text)) => Some(text),
        _ => None,
    }
}

/// A number as it is written.
pub(super) fn number(value: &Value) -> Option<f64> {
    match &value.is {
        Expression::Number(number) if !number.is_nan() => Some(*number),
        Expression::One("-", of) => number(of).map(|number| -number),
        _ => None,
    }
}

/// What a verb takes, or is offered with, in words.
pub(super) fn joined(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(" and ") }
}

/// Whether a value is certainly not nothing.
pub(super) fn is_something(is: &Type) -> bool {
    !matches!(is, Type::Any | Type::Nil | Type::Maybe(_) | Type::Either(_))
}

/// The property that `set.HOLDER.PROPERTY` writes, and who has it.
fn column<'r>(ruleset: &'r Ruleset, holder: &str, property: &str) -> Option<(&'r Column, Holder)> {
    let records = &ruleset.schema.records;
    let holder = match holder {
        "unit" => Holder::Unit,
        "side" => Holder::Side,
        "space" => Holder::Space,
        "card" => Holder::Card,
        "state" => Holder::Game,
        name => Holder::Record(records.iter().position(|record| lua_name(&record.name) == name)? as u8),
    };
    let of = |column: &&Column| column.holder == holder && lua_name(&column.name) == property;
    ruleset.schema.columns.iter().find(of).map(|column| (column, holder))
}

/// As what a type stands in numbers, where it does; of several the first that does.
fn named_kind(of: &Type) -> Option<&str> {
    match of {
        Type::Number(kind) => Some(kind),
        Type::Maybe(of) => named_kind(of),
        Type::Either(list) => list.iter().find_map(named_kind),
        _ => None,
    }
}

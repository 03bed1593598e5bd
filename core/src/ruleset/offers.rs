//! What a question offers by itself, whichever rule asks it: its `offers:`.

use super::{
    Kind, Mover, NamedSet, Rule, RuleId, Ruleset, Verb,
    reading::Reader,
    rows::{Expr, Names, Read, Rows},
    tables::compile,
};
use crate::{
    diagnostic::suggest,
    yaml::{Node, Value},
};

/// What makes sets of what it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maker {
    /// Guards, by the index of the rows: all that they let pass, given the rest of what they are given.
    Guard(u16),
    /// A set that the ruleset names, by its index.
    Named(u16),
    /// A mover, by its index: where a unit comes to, with movement points where the mover declares none.
    Mover(u16),
    /// A way of retreating, by its index: where a unit's retreat may end, of a least and a greatest number of spaces.
    Retreat(u16),
}

impl Maker {
    /// What kind of thing the first value of two fills its hole with; nothing where it has none.
    pub fn hole(self, ruleset: &Ruleset) -> Option<Kind> {
        // Asked for every first value that is offered.
        match self {
            Maker::Guard(rows) => ruleset.rows[usize::from(rows)].given.get(1).map(|(_, kind)| *kind),
            Maker::Named(set) => ruleset.sets[usize::from(set)].given.first().map(|(_, kind)| *kind),
            Maker::Mover(_) | Maker::Retreat(_) => Some(Kind::Unit),
        }
    }

    /// What it is given behind that, by kind.
    pub fn given_behind(self, ruleset: &Ruleset) -> Vec<Kind> {
        self.given(&ruleset.rows, &ruleset.sets).into_iter().skip(1).collect()
    }

    /// What the members of its sets are.
    pub fn makes(self, ruleset: &Ruleset) -> Kind {
        self.kind(&ruleset.rows, &ruleset.sets)
    }

    /// Its path in the content: `may/attack`.
    pub fn path(self, ruleset: &Ruleset) -> String {
        match self {
            Maker::Guard(rows) => ruleset.rows[usize::from(rows)].path(),
            Maker::Named(set) => format!("sets/{}", ruleset.sets[usize::from(set)].name),
            Maker::Mover(mover) => format!("movers/{}", ruleset.movers[usize::from(mover)].name),
            Maker::Retreat(kind) => format!("retreats/{}", ruleset.retreats[usize::from(kind)].name),
        }
    }

    /// What it is given.
    fn given(self, rows: &[Rows], sets: &[NamedSet]) -> Vec<Kind> {
        let kinds = |given: &[(String, Kind)]| given.iter().map(|(_, kind)| *kind).collect();
        match self {
            Maker::Guard(guard) => kinds(&rows[usize::from(guard)].given[1..]),
            Maker::Named(set) => kinds(&sets[usize::from(set)].given),
            Maker::Mover(_) => vec![Kind::Unit, Kind::Int],
            Maker::Retreat(_) => vec![Kind::Unit, Kind::Int, Kind::Int],
        }
    }

    fn kind(self, rows: &[Rows], sets: &[NamedSet]) -> Kind {
        match self {
            Maker::Guard(guard) => rows[usize::from(guard)].given[0].1,
            Maker::Named(set) => sets[usize::from(set)].kind,
            Maker::Mover(_) | Maker::Retreat(_) => Kind::Space,
        }
    }
}

/// An offer that a question makes by itself.
#[derive(Debug, Clone)]
pub struct OwnOffer {
    /// Index of the verb.
    pub verb: u16,
    /// What it may take, or take first.
    pub takes: Taking,
    /// What it may take second, where it takes two things.
    pub then: Option<Taken>,
    /// Whether it is offered; given what the question is about, where it is about something.
    pub when: Option<Expr>,
    /// How it is written.
    pub text: String,
}

/// What a verb may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taking {
    /// Nothing.
    Nothing,
    /// Nothing, and these guards must let it pass.
    Allowed {
        /// Guards: index of the rows.
        rows: u16,
        /// Whether they are given what the question is about.
        of_about: bool,
    },
    /// A member of a set.
    Each(Taken),
}

/// A set that a verb may take something of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// What makes it.
    pub by: Maker,
    /// Whether that is given what the question is about; behind the first value, where two are taken.
    pub of_about: bool,
}

impl OwnOffer {
    /// Whether it cannot be made without something that the question is about.
    pub fn wants_about(&self) -> bool {
        let first = match self.takes {
            Taking::Nothing => false,
            Taking::Allowed { of_about, .. } => of_about,
            Taking::Each(taken) => taken.of_about,
        };
        first || self.then.is_some_and(|then| then.of_about)
    }

    /// The paths in the content of what it is made by.
    pub fn paths(&self, ruleset: &Ruleset) -> Vec<String> {
        let first = match self.takes {
            Taking::Nothing => None,
            Taking::Allowed { rows, .. } => Some(ruleset.rows[usize::from(rows)].path()),
            Taking::Each(taken) => Some(taken.by.path(ruleset)),
        };
        first.into_iter().chain(self.then.map(|then| then.by.path(ruleset))).collect()
    }
}

/// When a question is asked before a rule is carried out, which is given its answer.
#[derive(Debug, Clone)]
pub struct Before {
    /// The rule.
    pub rule: RuleId,
    /// Who is asked, where it is not the phasing side.
    pub by: Option<Expr>,
    /// What the question is about, where it is about something. It is not asked while that is nothing.
    pub about: Option<Expr>,
    /// Whether it is asked.
    pub when: Option<Expr>,
    /// Who is asked, what it is about and when it is asked, as that is written.
    pub texts: [Option<String>; 3],
}

impl Before {
    /// Whether it is asked whenever the rule is to be begun.
    pub fn is_always(&self) -> bool {
        self.when.is_none() && self.about.is_none() && self.by.is_none()
    }
}

/// What questions are put together from.
pub(super) struct Offering<'a> {
    pub names: &'a Names<'a>,
    pub rules: &'a [Rule],
    pub verbs: &'a [Verb],
    pub rows: &'a [Rows],
    pub movers: &'a [Mover],
    /// What the question is about.
    pub about: Option<Kind>,
}

impl Offering<'_> {
    /// Reads `before:`, the name of a rule, or what else is to be said of it in a map.
    pub fn before(&self, node: &Node, reader: &mut Reader<'_>) -> Option<Before> {
        let (rule, [by, about, when]) = match &node.value {
            Value::Map(_) => {
                let mut fields = node.fields(reader.found);
                let rule = fields.must("rule", reader.found);
                let read = ["by", "about", "when"].map(|key| fields.may(key));
                fields.finish(reader.found);
                (rule?, read)
            }
            _ => (node, [None; 3]),
        };
        let name = rule.text().unwrap_or_default();
        let Some(at) = self.rules.iter().position(|rule| rule.name == name) else {
            let (message, help) = match name {
                "" | "~" | "null" => ("a rule is wanted".to_owned(), "write module.rule".to_owned()),
                name => {
                    let help = suggest(name, self.rules.iter().map(|rule| rule.name.as_str()));
                    (format!("there is no rule `{name}`"), help)
                }
            };
            reader.found.error("unknown-rule", &rule.span, message, help);
            return None;
        };
        let texts = [by, about, when].map(|node| node.and_then(Node::text).map(str::to_owned));
        let by = match by {
            Some(by) => Some(compile(by, &[], Kind::Side, self.names, reader)?),
            None => None,
        };
        let about = match (self.about, about) {
            (Some(kind), Some(about)) => Some(compile(about, &[], kind, self.names, reader)?),
            (Some(kind), None) => {
                let message = format!("the question is about {}, and it is not said which", kind.words());
                reader.found.error("missing", &node.span, message, "write { rule: ..., about: ... }");
                return None;
            }
            (None, Some(about)) => {
                let help = "declare `about:` in the question too";
                reader.found.error("kind", &about.span, "the question is about nothing", help);
                return None;
            }
            (None, None) => None,
        };
        let when = match when {
            Some(when) => Some(compile(when, &[], Kind::Flag, self.names, reader)?),
            None => None,
        };
        Some(Before { rule: RuleId(at as u16), by, about, when, texts })
    }

    /// Reads `offers:`, in the order of verbs. Of a question that is `asked` before its rule they are all there is.
    pub fn read(&self, node: Option<&Node>, asked: Option<&Node>, reader: &mut Reader<'_>) -> Vec<OwnOffer> {
        let entries = node.map(|node| node.entries(reader.found)).unwrap_or_default();
        // Of what is no map that has been told.
        let is_map = |node: &Node| matches!(node.value, Value::Map(_)) || matches!(node.text(), Some("" | "~"));
        let is_empty = entries.is_empty() && node.is_none_or(is_map);
        match (asked, node) {
            (Some(asked), _) if is_empty => {
                let message = "it offers nothing by itself, and no rule is there yet to offer anything";
                reader.found.error("missing", &asked.span, message, "say what it offers: `offers: { VERB: ... }`");
            }
            (None, Some(node)) if is_empty => {
                reader.found.error("missing", &node.span, "it offers nothing", "leave `offers:` out, or name a verb");
            }
            _ => (),
        }
        let mut offers: Vec<OwnOffer> =
            entries.iter().filter_map(|(verb, body)| self.offer(verb, body, reader)).collect();
        offers.sort_by_key(|offer| offer.verb);
        offers
    }

    fn offer(&self, name: &Node, body: &Node, reader: &mut Reader<'_>) -> Option<OwnOffer> {
        let id = name.as_text(reader.found);
        let Some(verb) = self.verbs.iter().position(|verb| verb.id == id) else {
            let help = reader.found.suggest(&id, self.verbs.iter().map(|verb| verb.id.as_str()));
            reader.found.error("unknown-name", &name.span, format!("verb `{id}` is not declared"), help);
            return None;
        };
        let (what, when) = match &body.value {
            Value::Map(_) => {
                let mut fields = body.fields(reader.found);
                let (what, when) = (fields.must("offer", reader.found), fields.must("when", reader.found));
                fields.finish(reader.found);
                (what?, Some(when?))
            }
            _ => (body, None),
        };
        let about: Vec<(String, Kind)> = self.about.map(|kind| ("about".to_owned(), kind)).into_iter().collect();
        let (takes, then) = match &what.value {
            Value::List(list) => {
                let [first, second] = list.as_slice() else {
                    let message = format!("two are offered jointly, and these are {}", list.len());
                    reader.found.error("count", &what.span, message, "write [each.NAME, each.WHAT-FOLLOWS]");
                    return None;
                };
                let first = self.set(first, false, None, reader)?;
                let kind = first.by.kind(self.rows, self.names.sets);
                (Taking::Each(first), Some(self.set(second, false, Some(kind), reader)?))
            }
            _ if what.text() == Some("true") => (Taking::Nothing, None),
            _ if matches!(what.text(), Some("false" | "~" | "")) => {
                reader.found.error("offer", &what.span, "it is not offered", "leave it out");
                return None;
            }
            _ => (self.taking(what, reader)?, None),
        };
        self.check(verb, takes, then, what, reader);
        let condition = when.map(|node| node.as_text(reader.found));
        let words = [what.text().map(str::to_owned).unwrap_or_else(|| format!("[{}]", what.texts().join(", ")))];
        let text = words.into_iter().chain(condition).collect::<Vec<_>>().join(" when ");
        let when = match when {
            Some(node) => Some(compile(node, &about, Kind::Flag, self.names, reader)?),
            None => None,
        };
        Some(OwnOffer { verb: verb as u16, takes, then, when, text })
    }

    /// Complains of what is not what a verb takes.
    fn check(&self, verb: usize, takes: Taking, then: Option<Taken>, at: &Node, reader: &mut Reader<'_>) {
        let first = if let Taking::Each(taken) = takes { Some(taken) } else { None };
        let offered: Vec<Kind> =
            first.into_iter().chain(then).map(|taken| taken.by.kind(self.rows, self.names.sets)).collect();
        let verb = &self.verbs[verb];
        if offered == verb.takes {
            return;
        }
        let words = |kinds: &[Kind]| match kinds {
            [] => "nothing".to_owned(),
            kinds => kinds.iter().map(|kind| kind.words()).collect::<Vec<_>>().join(" and "),
        };
        let message = format!("`{}` takes {}, and {} is offered", verb.id, words(&verb.takes), words(&offered));
        let help = match verb.takes.len() {
            0 => "offer `true`, or `may.GUARD`",
            1 => "offer `each.SET`, `each.may-GUARD` or `reach.MOVER`",
            _ => "offer two: [each.SET, each.WHAT-FOLLOWS]",
        };
        reader.found.error("kind", &at.span, message, help);
    }

    /// What is offered alone.
    fn taking(&self, node: &Node, reader: &mut Reader<'_>) -> Option<Taking> {
        let text = node.text().unwrap_or_default();
        let Some(name) = text.strip_prefix("may.") else { return self.set(node, true, None, reader).map(Taking::Each) };
        let rows = self.guard(name, node, reader)?;
        let given: Vec<Kind> = self.rows[rows].given.iter().map(|(_, kind)| *kind).collect();
        let of_about = self.of_about(text, &given, node, reader)?;
        Some(Taking::Allowed { rows: rows as u16, of_about })
    }

    /// A set: alone, or one of two, the second of which is given the `first` value, of that kind.
    fn set(&self, node: &Node, is_alone: bool, first: Option<Kind>, reader: &mut Reader<'_>) -> Option<Taken> {
        let text = node.text().unwrap_or_default();
        let by = match text.split_once('.') {
            Some(("each", name)) => match self.names.sets.iter().position(|set| set.name == name) {
                Some(set) => Maker::Named(set as u16),
                None => Maker::Guard(self.passing(name, node, reader)? as u16),
            },
            Some(("reach", name)) => {
                let Some(mover) = self.movers.iter().position(|mover| mover.name == name) else {
                    let help = reader.found.suggest(name, self.movers.iter().map(|mover| mover.name.as_str()));
                    reader.found.error("unknown-name", &node.span, format!("there is no mover `{name}`"), help);
                    return None;
                };
                if self.movers[mover].allowance.is_none() {
                    let message = format!("mover `{name}` does not say what a unit may spend");
                    reader.found.error("missing", &node.span, message, "declare its `allowance:`");
                    return None;
                }
                Maker::Mover(mover as u16)
            }
            _ if first.is_some() || !is_alone => {
                let message = "each of two that are offered jointly is a set";
                let help = "write [each.SET, each.WHAT-FOLLOWS]; a guard's is each.may-GUARD, a mover's reach.MOVER";
                reader.found.error("offer", &node.span, message, help);
                return None;
            }
            _ => {
                let message = format!("`{text}` is nothing that a question can offer by itself");
                let help = match text.strip_prefix("offer.") {
                    Some(rest) => format!("write `{}`", rest.replace('_', "-")),
                    None => {
                        "offer `true`, `may.GUARD`, `each.SET`, `each.may-GUARD` or `reach.MOVER`; a rule that asks \
                             offers what else there is"
                            .to_owned()
                    }
                };
                reader.found.error("offer", &node.span, message, help);
                return None;
            }
        };
        let mut given = by.given(self.rows, self.names.sets);
        if let Maker::Mover(_) = by {
            given.truncate(1); // what it may spend is its own to say
        }
        if let Some(first) = first {
            let hole = if given.is_empty() { None } else { Some(given.remove(0)) };
            if !hole.is_some_and(|hole| hole == first || hole.of_each() == Some(first)) {
                let is_given = hole.map_or("nothing", Kind::words);
                let message = format!("`{text}` is given {is_given}, and {} is chosen first", first.words());
                reader.found.error("kind", &node.span, message, "name a set that is given what is chosen first");
                return None;
            }
        }
        let of_about = self.of_about(text, &given, node, reader)?;
        Some(Taken { by, of_about })
    }

    /// The guard whose name follows `may-`, that lists whom it lets pass.
    fn passing(&self, name: &str, node: &Node, reader: &mut Reader<'_>) -> Option<usize> {
        let Some(guard) = name.strip_prefix("may-") else {
            if self.names.unread.wrong.iter().any(|wrong| *wrong == name.replace('_', "-")) {
                return None; // which has been told
            }
            let listing = self.rows.iter().filter(|rows| rows.read == Read::May && !rows.candidates.is_empty());
            let passing: Vec<String> = listing.map(|rows| format!("may-{}", rows.name)).collect();
            let sets = self.names.sets.iter().map(|set| set.name.as_str());
            let help = reader.found.suggest(&name.replace('_', "-"), sets.chain(passing.iter().map(String::as_str)));
            reader.found.error("unknown-name", &node.span, format!("there is no set `{name}`"), help);
            return None;
        };
        let rows = self.guard(guard, node, reader)?;
        if self.rows[rows].candidates.is_empty() {
            let message = format!("`{guard}` is not asked of things that can be listed");
            reader.found.error("kind", &node.span, message, "offer a set that is: see its `given:`");
            return None;
        }
        Some(rows)
    }

    fn guard(&self, name: &str, node: &Node, reader: &mut Reader<'_>) -> Option<usize> {
        let guards = || self.rows.iter().filter(|rows| rows.read == Read::May).map(|rows| rows.name.as_str());
        let found = self.rows.iter().position(|rows| rows.read == Read::May && rows.name == name);
        if found.is_none() {
            let help = suggest(&name.replace('_', "-"), guards());
            reader.found.error("unknown-name", &node.span, format!("there is no guard `{name}`"), help);
        }
        found
    }

    /// Whether something is given what the question is about: it is given that or nothing.
    fn of_about(&self, text: &str, given: &[Kind], node: &Node, reader: &mut Reader<'_>) -> Option<bool> {
        match given {
            [] => Some(false),
            [kind] if Some(*kind) == self.about => Some(true),
            given => {
                let given: Vec<&str> = given.iter().map(|kind| kind.words()).collect();
                let about = self.about.map_or("nothing".to_owned(), |kind| kind.words().to_owned());
                let message = format!("`{text}` is given {}, and the question is about {about}", given.join(" and "));
                let help = "leave it to a rule, which asks the question itself and offers that too";
                reader.found.error("kind", &node.span, message, help);
                None
            }
        }
    }
}

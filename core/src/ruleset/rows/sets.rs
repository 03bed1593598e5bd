//! What rows ask of every member of a set, and which sets there are.

use super::{
    Domain, Expr, Finding, How, Term,
    compile::{Compiler, FUNCTIONS, Scope, Typed},
    fold::{Candidates, Known},
    inline::written_out,
    parse::{Tree, What},
};
use crate::{
    diagnostic::{Diagnostics, suggest},
    ruleset::{Holder, Kind, Schema},
};

/// What the language itself calls so; no set of a ruleset may take these names.
pub const SETS: [&str; 17] = [
    "units",
    "units-at",
    "units-near",
    "near",
    "between",
    "ray",
    "spaces",
    "reachable",
    "records",
    "along",
    "union",
    "common",
    "without",
    "first-of",
    "nearest",
    "region",
    "largest-region",
];

fn asked_of(how: How, domain: Domain, slot: u8, body: Expr) -> Typed {
    let kind = if matches!(how, How::Any | How::All) { Kind::Flag } else { Kind::Int };
    (Expr::Over { how, domain: Box::new(domain), slot, body: Box::new(body) }, kind)
}

impl Compiler<'_> {
    /// Something about every member of a set.
    pub(super) fn over(
        &self,
        tree: &Tree,
        (how, domain, name): (How, &Tree, &str),
        asked: &[Tree],
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<Typed> {
        let (domain, kind) = self.domain(domain, scope, found)?;
        if scope.bound.len() >= 15 {
            let message = "more than 15 names are bound at once".to_owned();
            return self.wrong(tree, message, "make a term of a part".into(), found);
        }
        if matches!(how, How::Bins | How::Fill) {
            return self.packed(tree, (how, domain, name, kind), asked, scope, found);
        }
        if let Some(extra) = asked.get(1) {
            return self.wrong(extra, "one thing is asked of each, and this is a second".into(), String::new(), found);
        }
        let body = asked.first();
        scope.bound.push((name.to_owned(), kind));
        let wanted = if matches!(how, How::Min | How::Max | How::Total) { Kind::Int } else { Kind::Flag };
        let body = match body {
            Some(body) => self.expect(body, scope, wanted, found),
            None => Some(Expr::Const(1)),
        };
        scope.bound.pop();
        let slot = scope.bound.len() as u8;
        let body = body?;
        let (domain, body) = match how {
            How::Any | How::Count => self.narrowed(domain, body, slot),
            How::All => match self.narrowed(domain, Expr::Not(Box::new(body)), slot) {
                (domain, Expr::Not(body)) => (domain, *body),
                (domain, not) => (domain, Expr::Not(Box::new(not))),
            },
            _ => (domain, body),
        };
        Some(asked_of(how, domain, slot, body))
    }

    /// What a condition that is right finds where it holds, of what is `wanted` by name: what each `any` binds that is all of
    /// it, or one of the conditions that must hold together.
    pub fn finds(&self, text: &str, scope: &Scope, wanted: impl Fn(&str) -> bool) -> Vec<Finding> {
        let unheard = &mut Diagnostics::default();
        let parsed = self.parsed(text, unheard);
        let Ok(tree) = parsed.as_ref() else { return Vec::new() };
        let parts = if let What::Both(parts) = &tree.what { parts.as_slice() } else { std::slice::from_ref(tree) };
        let finding = |part: &Tree| {
            let What::Over(How::Any, domain, name, asked) = &part.what else { return None };
            let mut scope = Some(scope.clone()).filter(|_| wanted(name))?;
            let (among, kind) = self.domain(domain, &mut scope, unheard)?;
            let slot = scope.bound.len() as u8;
            scope.bound.push((name.clone(), kind));
            let when = match asked.first() {
                Some(when) => self.expect(when, &mut scope, Kind::Flag, unheard)?,
                None => Expr::Const(1),
            };
            Some(Finding { name: name.clone(), kind, among, slot, when })
        };
        parts.iter().filter_map(finding).collect()
    }

    /// Those of a set for whom a condition is not decided to be false by what is printed, and what is left to ask of them.
    pub fn narrowed(&self, domain: Domain, when: Expr, slot: u8) -> (Domain, Expr) {
        let Domain::All(kind, all) = domain else { return (domain, when) };
        let (attributes, map, terms) = (self.names.attributes, self.names.map, self.names.terms);
        let known = Known { slots: &[], phasing: None, attributes, map, terms };
        let of = |phasing| Candidates::new(&when, slot, all.iter().copied(), Known { phasing, ..known });
        let asks_side = when.any(&mut |e| matches!(e, Expr::Game(column) if *column == Schema::PHASING));
        if asks_side {
            let sides = 0..self.names.schema.sides as i32;
            return (Domain::AllFor(kind, sides.map(|side| of(Some(side))).collect()), when);
        }
        let Candidates { members, when, .. } = of(None);
        (Domain::All(kind, members), when)
    }

    /// `bins(SET as x, WHICH, HOW MUCH, ROOM)`, and `fill` alike.
    fn packed(
        &self,
        tree: &Tree,
        (how, domain, name, kind): (How, Domain, &str, Kind),
        asked: &[Tree],
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<Typed> {
        let [which, size, room] = asked else {
            let message = "which of them, how much room each takes and how much there is are wanted".to_owned();
            return self.wrong(tree, message, "write bins(units-at(s) as u, u.foot, u.strength, 5)".into(), found);
        };
        let room = self.expect(room, scope, Kind::Int, found);
        scope.bound.push((name.to_owned(), kind));
        let which = self.expect(which, scope, Kind::Flag, found);
        let size = self.expect(size, scope, Kind::Int, found);
        scope.bound.pop();
        let slot = scope.bound.len() as u8;
        let asked = Box::new([which?, size?, room?]);
        Some((Expr::Packed { how, domain: Box::new(domain), slot, asked }, Kind::Int))
    }

    /// Compiles a set, with what its members are.
    pub fn set(&self, text: &str, scope: &mut Scope, found: &mut Diagnostics) -> Option<(Domain, Kind)> {
        let parsed = self.parsed(text, found);
        self.domain(parsed.as_ref().as_ref().ok()?, scope, found)
    }

    /// Sets of one kind.
    fn alike(
        &self,
        tree: &Tree,
        args: &[Tree],
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<(Vec<Domain>, Kind)> {
        let sets: Vec<_> = args.iter().map(|arg| self.domain(arg, scope, found)).collect();
        let sets: Vec<(Domain, Kind)> = sets.into_iter().collect::<Option<_>>()?;
        let kind = sets.first().map(|(_, kind)| *kind);
        if sets.len() < 2 || sets.iter().any(|(_, k)| Some(*k) != kind) {
            let message = "two sets or more of one kind are wanted".to_owned();
            self.wrong(tree, message, "as in union(units-at(a), units-at(b))".into(), found);
            return None;
        }
        Some((sets.into_iter().map(|(set, _)| set).collect(), kind?))
    }

    /// Those of a set that hang together, with one of them or the most that do; by a term that says of two whether they
    /// are next to each other, where one is named.
    fn region(
        &self,
        tree: &Tree,
        (of, with, by): (&Tree, Option<&Tree>, &[Tree]),
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<(Domain, Kind)> {
        let (of, kind) = self.domain(of, scope, found)?;
        let with = match with {
            Some(with) => Some(self.expect(with, scope, kind, found)?),
            None => None,
        };
        let by = match by {
            [] if kind == Kind::Space => None,
            [by] => Some(self.relation(by, kind, scope, found)?),
            _ => {
                let message =
                    format!("one term is wanted that says of two, each {}, whether they hang together", kind.words());
                let help = "as in region(units, unit, touching), where `touching` is given two units".into();
                self.wrong(tree, message, help, found);
                return None;
            }
        };
        Some((Domain::Region { of: Box::new(of), with, by }, kind))
    }

    /// What a term says of two things of a kind, and the first of the two slots in which they stand.
    fn relation(&self, tree: &Tree, kind: Kind, scope: &Scope, found: &mut Diagnostics) -> Option<(u8, Box<Expr>)> {
        let name = if let What::Name(name) = &tree.what { name.as_str() } else { "" };
        let fits = |term: &&Term| term.kind == Kind::Flag && term.given.iter().map(|(_, k)| *k).eq([kind, kind]);
        let terms = &self.names.terms;
        let Some(at) = terms.iter().position(|term| term.name == name && fits(&term)) else {
            let message =
                format!("a term is wanted that is given two things, each {}, and comes to yes or no", kind.words());
            let help = match terms.iter().find(|term| term.name == name) {
                Some(term) => {
                    let given: Vec<&str> = term.given.iter().map(|(_, kind)| kind.words()).collect();
                    format!("`{name}` is given {}, and comes to {}", given.join(" and "), term.kind.words())
                }
                None => suggest(name, terms.iter().filter(fits).map(|term| term.name.as_str())),
            };
            self.wrong(tree, message, help, found);
            return None;
        };
        let slot = scope.bound.len() as u8;
        if slot > 13 {
            self.wrong(tree, "more than 15 names are bound at once".into(), "make a term of a part".into(), found);
            return None;
        }
        let both = vec![Expr::Slot(slot), Expr::Slot(slot + 1)];
        let said = written_out(&terms[at].body, &both).unwrap_or(Expr::Term(at as u16, both));
        Some((slot, Box::new(said)))
    }

    /// Several things of a kind, as a term, a set or rows are given them.
    pub(super) fn group(&self, tree: &Tree, scope: &mut Scope, member: Kind, found: &mut Diagnostics) -> Option<Expr> {
        if matches!(&tree.what, What::Name(name) if name == "nothing") {
            return Some(Expr::Const(-1));
        }
        let (domain, kind) = self.domain(tree, scope, found)?;
        if kind != member {
            let message = format!("these are each {}, and {} is wanted", kind.words(), member.words());
            return self.wrong(tree, message, String::new(), found).map(|(e, _)| e);
        }
        // What is handed on as it is given needs no group of its own.
        Some(if let Domain::Given(slot) = domain { Expr::Slot(slot) } else { Expr::Group(Box::new(domain)) })
    }

    /// A set of one thing, or of several that are given by name.
    fn things(&self, tree: &Tree, scope: &mut Scope, found: &mut Diagnostics) -> Option<(Domain, Kind)> {
        let (thing, kind) = self.tree(tree, scope, found)?;
        match (thing, kind.of_each(), kind) {
            (Expr::Slot(slot), Some(member), _) => Some((Domain::Given(slot), member)),
            (one, _, Kind::Unit | Kind::Space | Kind::Record(_)) => Some((Domain::One(one), kind)),
            _ => {
                let help = "sets are of units, spaces or records".into();
                self.wrong(tree, format!("{} is not a set", kind.words()), help, found);
                None
            }
        }
    }

    fn domain(&self, tree: &Tree, scope: &mut Scope, found: &mut Diagnostics) -> Option<(Domain, Kind)> {
        let (name, args): (&str, &[Tree]) = match &tree.what {
            What::Name(name) => (name, &[]),
            What::Call(name, args) => (name, args),
            _ => ("", &[]),
        };
        let is_name = matches!(tree.what, What::Name(_));
        let of_game = || self.names.schema.column(Holder::Game, name).is_some();
        let is_given = is_name && (scope.bound.iter().any(|(bound, _)| bound == name) || of_game());
        let is_asked = FUNCTIONS.contains(&name) || self.names.terms.iter().any(|term| term.name == name);
        if is_given || is_asked || matches!(tree.what, What::Step(..)) {
            return self.things(tree, scope, found);
        }
        match name {
            "units" => Some((Domain::All(Kind::Unit, (0..self.names.units.len() as i32).collect()), Kind::Unit)),
            "units-at" | "units-near" | "near" => {
                let [space] = self.args(tree, args, [Kind::Space], scope, found)?;
                Some(match name {
                    "units-at" => (Domain::UnitsAt(space), Kind::Unit),
                    "units-near" => (Domain::UnitsNear(space), Kind::Unit),
                    _ => (Domain::Near(space), Kind::Space),
                })
            }
            "between" => {
                let [a, b] = self.args(tree, args, [Kind::Space, Kind::Space], scope, found)?;
                Some((Domain::Between(a, b), Kind::Space))
            }
            "ray" => {
                let direction = self.direction(tree, found)?;
                let [from, way] = self.args(tree, args, [Kind::Space, direction], scope, found)?;
                Some((Domain::Ray(from, way), Kind::Space))
            }
            "spaces" if args.is_empty() => {
                let all = 0..self.names.map.len() as i32;
                Some((Domain::All(Kind::Space, all.collect()), Kind::Space))
            }
            "spaces" => {
                let [terrain] = self.args(tree, args, [Kind::Terrain], scope, found)?;
                Some((Domain::Spaces(terrain), Kind::Space))
            }
            "records" => {
                let Some(What::Name(record)) = args.first().map(|a| &a.what) else {
                    self.wrong(tree, "records wants the name of a record".into(), String::new(), found);
                    return None;
                };
                match self.names.schema.records.iter().position(|r| r.name == *record) {
                    Some(at) => Some((Domain::Records(at as u8), Kind::Record(at as u8))),
                    None => {
                        let help = suggest(record, self.names.schema.records.iter().map(|r| r.name.as_str()));
                        self.wrong(tree, format!("there is no record `{record}`"), help, found);
                        None
                    }
                }
            }
            "reachable" => {
                let [mover, unit] = args else {
                    let help = "as in reachable(march, unit)".into();
                    self.wrong(tree, "a mover and a unit are wanted".into(), help, found);
                    return None;
                };
                let name = if let What::Name(name) = &mover.what { name.as_str() } else { "" };
                let known = self.names.movers.iter().map(String::as_str);
                let Some(at) = known.clone().position(|known| known == name) else {
                    let help = suggest(name, known);
                    self.wrong(mover, format!("there is no mover `{name}`"), help, found);
                    return None;
                };
                Some((Domain::Reachable(at as u16, self.expect(unit, scope, Kind::Unit, found)?), Kind::Space))
            }
            "along" => {
                let Some(What::Name(road)) = args.first().map(|a| &a.what) else {
                    self.wrong(tree, "along wants the name of a road".into(), String::new(), found);
                    return None;
                };
                let Some(road) = self.names.map.road(road) else {
                    let help = suggest(road, self.names.map.roads.iter().map(|r| r.id.as_str()));
                    self.wrong(tree, format!("there is no road `{road}`"), help, found);
                    return None;
                };
                Some((Domain::Along(road.along.clone()), Kind::Space))
            }
            "union" | "common" | "first-of" => {
                let (sets, kind) = self.alike(tree, args, scope, found)?;
                let set = match name {
                    "union" => Domain::Union(sets),
                    "common" => Domain::Common(sets),
                    _ => Domain::FirstOf(sets),
                };
                Some((set, kind))
            }
            "without" => {
                let (sets, kind) = self.alike(tree, args, scope, found)?;
                match <[Domain; 2]>::try_from(sets) {
                    Ok(sets) => Some((Domain::Without(Box::new(sets)), kind)),
                    Err(_) => {
                        let help = "take away the union of the others".into();
                        self.wrong(tree, "without wants two sets".into(), help, found);
                        None
                    }
                }
            }
            "nearest" => {
                let [of, to] = args else {
                    self.wrong(tree, "a set and a space are wanted".into(), String::new(), found);
                    return None;
                };
                let (of, kind) = self.domain(of, scope, found)?;
                let to = self.expect(to, scope, Kind::Space, found)?;
                if !matches!(kind, Kind::Unit | Kind::Space) {
                    self.wrong(tree, format!("{} cannot be nearest", kind.words()), String::new(), found);
                    return None;
                }
                Some((Domain::Nearest { of: Box::new(of), to, units: kind == Kind::Unit }, kind))
            }
            "region" | "largest-region" => match (name, args) {
                ("region", [of, with, by @ ..]) => self.region(tree, (of, Some(with), by), scope, found),
                ("largest-region", [of, by @ ..]) => self.region(tree, (of, None, by), scope, found),
                _ => {
                    let of_one = if name == "region" { " and one of its members are" } else { " is" };
                    self.wrong(tree, format!("a set{of_one} wanted"), String::new(), found);
                    None
                }
            },
            other => {
                if let Some(at) = self.names.sets.iter().position(|set| set.name == other) {
                    let set = &self.names.sets[at];
                    if set.given.len() != args.len() {
                        let message = format!("`{other}` wants {} and has {}", set.given.len(), args.len());
                        self.wrong(tree, message, String::new(), found);
                        return None;
                    }
                    let kinds = set.given.iter().map(|(_, kind)| *kind);
                    let list: Vec<_> = args.iter().zip(kinds).map(|(a, k)| self.expect(a, scope, k, found)).collect();
                    return Some((Domain::Named(at as u16, list.into_iter().collect::<Option<_>>()?), set.kind));
                }
                let own = self.names.sets.iter().map(|set| set.name.as_str());
                let later = self.names.unread.later.iter().map(String::as_str);
                let is_values = self.names.schema.symbols.iter().any(|list| list.name == other);
                let (message, of_values) = match is_values {
                    true => {
                        let help =
                            "sets are of units, spaces or records; offer named values as a list, `offer.list(...)`";
                        (format!("`{other}` is a list of named values, and no set"), Some(help.to_owned()))
                    }
                    false => (format!("`{other}` is not a set"), None),
                };
                let known = SETS.into_iter().chain(own).chain(later);
                let help = |found: &Diagnostics| of_values.unwrap_or_else(|| found.suggest(other, known));
                self.means_nothing(tree, other, (message, help), found);
                None
            }
        }
    }
}

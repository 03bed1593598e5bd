//! What rows ask of every member of a set, and which sets there are.

use super::{
    Domain, Expr, How,
    compile::{Compiler, Scope, Typed},
    fold::{Candidates, Known},
    parse::{Tree, What},
};
use crate::{
    diagnostic::{Diagnostics, suggest},
    ruleset::{Kind, Schema},
};

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
            return self.wrong(tree, message, "make a word of a part".into(), found);
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
        let (mut domain, mut body) = (domain, body?);
        if let Domain::Units(list) = &mut domain {
            // A counter for which the question is decided by what is printed on it need not be asked.
            let known = Known {
                slots: &[],
                phasing: None,
                attributes: self.names.attributes,
                map: self.names.map,
                words: self.names.words,
            };
            let all = std::mem::take(list).into_iter();
            let mut asks_side = false;
            body.walk(&mut |e| asks_side |= matches!(e, Expr::Game(column) if *column == Schema::PHASING));
            let candidates = match how {
                How::Any | How::Count if asks_side => {
                    let of = |side| Candidates::new(&body, slot, all.clone(), Known { phasing: Some(side), ..known });
                    domain = Domain::UnitsFor((0..self.names.schema.sides as i32).map(of).collect());
                    return Some(asked_of(how, domain, slot, body));
                }
                How::Any | How::Count => Candidates::new(&body, slot, all, known),
                How::All => {
                    let not = Expr::Not(Box::new(body));
                    let Candidates { members, when } = Candidates::new(&not, slot, all, known);
                    Candidates { members, when: Expr::Not(Box::new(when)) }
                }
                _ => Candidates { members: all.collect(), when: body },
            };
            (*list, body) = (candidates.members, candidates.when);
        }
        Some(asked_of(how, domain, slot, body))
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

    fn domain(&self, tree: &Tree, scope: &mut Scope, found: &mut Diagnostics) -> Option<(Domain, Kind)> {
        let known = ["units", "units-at", "units-near", "near", "between", "spaces", "records", "along"];
        let (name, args): (&str, &[Tree]) = match &tree.what {
            What::Name(name) => (name, &[]),
            What::Call(name, args) => (name, args),
            _ => ("", &[]),
        };
        match name {
            "units" => Some((Domain::Units((0..self.names.units.len() as i32).collect()), Kind::Unit)),
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
            other => {
                let help = suggest(other, known);
                self.wrong(tree, format!("`{other}` is not a set"), help, found);
                None
            }
        }
    }
}

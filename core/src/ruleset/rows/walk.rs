//! What is asked of a condition as a whole: what stands in it, how much there is to evaluate, and what it is made of.

use super::{Domain, Expr, How, Names, Relation, Term};

/// What is done once an expression has been seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// What is inside it is looked at too.
    Inside,
    /// What is inside it is not looked at.
    Past,
    /// Nothing further is looked at: this is it.
    Found,
}

impl Expr {
    /// How much there is to evaluate, roughly: to ask the lighter of two questions first.
    pub fn weight(&self) -> u32 {
        let mut weight = 0;
        self.walk(&mut |e| {
            weight += match e {
                Expr::Over { domain, .. } | Expr::Packed { domain, .. } | Expr::Group(domain) => {
                    let mut made_of = 0;
                    domain.parts(&mut |part| {
                        made_of += match part {
                            Domain::Named(..) => 200,
                            Domain::Reachable(..) => 1000,
                            _ => 0,
                        }
                    });
                    100 + made_of
                }
                Expr::Sees { .. } | Expr::Listed(..) => 50,
                Expr::Term(..) | Expr::Zone { .. } => 10,
                _ => 1,
            }
        });
        weight
    }

    /// How many steps there are in it, with the terms it uses written out: what it takes to evaluate it, but for what is
    /// asked of the second and later members of a set.
    pub fn steps(&self, terms: &[Term]) -> u32 {
        let mut steps = 0u32;
        self.walk(&mut |e| {
            let own = if let Expr::Term(at, _) = e { terms.get(usize::from(*at)).map_or(1, |w| w.steps) } else { 1 };
            steps = steps.saturating_add(own);
        });
        steps
    }

    /// Compares two values. Whether there are more counters in a space than a number is asked as that, because most
    /// spaces hold so few that none of them need be asked anything.
    pub fn comparison(relation: Relation, left: Expr, right: Expr) -> Expr {
        let most = match (relation, &right) {
            (Relation::Greater | Relation::LessOrEqual, Expr::Const(most)) => u16::try_from(*most).ok(),
            (Relation::GreaterOrEqual | Relation::Less, Expr::Const(least)) => {
                u16::try_from(least.saturating_sub(1)).ok()
            }
            _ => None,
        };
        match (left, most) {
            (Expr::Over { how: How::Count, domain, slot, body }, Some(most))
                if matches!(domain.as_ref(), Domain::UnitsAt(_)) =>
            {
                let more = Expr::Over { how: How::MoreThan(most), domain, slot, body };
                let is_so = matches!(relation, Relation::Greater | Relation::GreaterOrEqual);
                if is_so { more } else { Expr::Not(Box::new(more)) }
            }
            (left, _) => Expr::Compare(relation, Box::new(left), Box::new(right)),
        }
    }

    /// Whether all of these hold.
    pub fn all_of(parts: impl IntoIterator<Item = Expr>) -> Expr {
        let mut parts: Vec<Expr> = parts.into_iter().filter(|part| !matches!(part, Expr::Const(1))).collect();
        match parts.len() {
            0 => Expr::Const(1),
            1 => parts.remove(0),
            _ => Expr::Both(parts),
        }
    }

    /// Whether something holds of any of a set, each of which stands in `slot` while it is asked.
    pub fn any_of(domain: Domain, slot: u8, body: Expr) -> Expr {
        Expr::Over { how: How::Any, domain: Box::new(domain), slot, body: Box::new(body) }
    }

    /// Whether a thing or a named value is there.
    pub fn is_something(thing: Expr) -> Expr {
        Expr::Compare(Relation::GreaterOrEqual, Box::new(thing), Box::new(Expr::Const(0)))
    }

    /// Calls `visit` with this expression and every one inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        self.any(&mut |e| {
            visit(e);
            false
        });
    }

    /// Whether something holds of this expression or of one inside it; those after the first of which it does are not
    /// looked at.
    // Guards ask it in play, of what is to be asked one by one: a call through a pointer would take most of the time.
    pub fn any<F: FnMut(&Expr) -> bool + ?Sized>(&self, holds: &mut F) -> bool {
        self.look(&mut |e| if holds(e) { Look::Found } else { Look::Inside })
    }

    /// The same, where what is seen of an expression may also say that nothing inside it need be looked at.
    pub fn look<F: FnMut(&Expr) -> Look>(&self, holds: &mut F) -> bool {
        match holds(self) {
            Look::Found => return true,
            Look::Past => return false,
            Look::Inside => (),
        }
        match self {
            Expr::Const(_) | Expr::Slot(_) | Expr::Game(_) => false,
            Expr::State { of, .. } | Expr::Fixed { of, .. } => of.look(holds),
            Expr::SpaceOf(a) | Expr::InBox(a, _) | Expr::Not(a) | Expr::Stated(_, a) | Expr::Share(a, _) => {
                a.look(holds)
            }
            Expr::Handing(a) => a.look(holds),
            Expr::Group(domain) => domain.look(holds),
            Expr::Line(parts) | Expr::If(parts) => parts.iter().any(|e| e.look(holds)),
            Expr::Both(list) | Expr::Either(list) | Expr::Term(_, list) | Expr::Listed(_, list) => {
                list.iter().any(|e| e.look(holds))
            }
            Expr::Compare(_, a, b)
            | Expr::Add(a, b)
            | Expr::Less(a, b)
            | Expr::Times(a, b)
            | Expr::Lesser(a, b)
            | Expr::Greater(a, b)
            | Expr::Terrain(a, b)
            | Expr::Feature(_, a, b)
            | Expr::Road(_, a, b)
            | Expr::Onward(a, b)
            | Expr::Direction(a, b)
            | Expr::Next(a, b)
            | Expr::Turned(a, b)
            | Expr::Angle(a, b)
            | Expr::Distance(a, b)
            | Expr::Sees { from: a, to: b, .. }
            | Expr::Zone { space: a, side: b, .. } => a.look(holds) || b.look(holds),
            Expr::Over { domain, body, .. } => domain.look(holds) || body.look(holds),
            Expr::Packed { domain, asked, .. } => domain.look(holds) || asked.iter().any(|e| e.look(holds)),
        }
    }
}

impl Names<'_> {
    /// How many sets are made of each other in what an expression asks.
    pub fn deep(&self, expr: &Expr) -> u8 {
        let mut deep = 0;
        expr.walk(&mut |e| match e {
            Expr::Term(term, _) => deep = deep.max(self.terms[usize::from(*term)].deep),
            Expr::Over { domain, .. } | Expr::Packed { domain, .. } | Expr::Group(domain) => {
                domain.parts(&mut |part| {
                    if let Domain::Named(set, _) = part {
                        deep = deep.max(self.sets[usize::from(*set)].deep);
                    }
                });
            }
            _ => (),
        });
        deep
    }
}

impl Domain {
    /// Calls `visit` with every set that it is made of and that is made of none itself.
    fn parts(&self, visit: &mut dyn FnMut(&Domain)) {
        match self {
            Domain::Union(sets) | Domain::Common(sets) | Domain::FirstOf(sets) => {
                sets.iter().for_each(|set| set.parts(visit));
            }
            Domain::Without(sets) => sets.iter().for_each(|set| set.parts(visit)),
            Domain::Nearest { of, .. } | Domain::Region { of, .. } => of.parts(visit),
            one => visit(one),
        }
    }

    /// Whether something holds of an expression inside it.
    pub(crate) fn any(&self, holds: &mut impl FnMut(&Expr) -> bool) -> bool {
        self.look(&mut |e| if holds(e) { Look::Found } else { Look::Inside })
    }

    fn look<F: FnMut(&Expr) -> Look>(&self, holds: &mut F) -> bool {
        match self {
            Domain::One(e)
            | Domain::UnitsAt(e)
            | Domain::UnitsNear(e)
            | Domain::Near(e)
            | Domain::Spaces(e)
            | Domain::Reachable(_, e) => e.look(holds),
            Domain::Between(a, b) | Domain::Ray(a, b) => a.look(holds) || b.look(holds),
            Domain::Named(_, args) => args.iter().any(|e| e.look(holds)),
            Domain::Union(sets) | Domain::Common(sets) | Domain::FirstOf(sets) => sets.iter().any(|s| s.look(holds)),
            Domain::Without(sets) => sets.iter().any(|s| s.look(holds)),
            Domain::Nearest { of, to, .. } => of.look(holds) || to.look(holds),
            Domain::Region { of, with, by } => {
                let inside = with.iter().chain(by.iter().map(|(_, next)| &**next));
                of.look(holds) || inside.into_iter().any(|e| e.look(holds))
            }
            Domain::Given(slot) => holds(&Expr::Slot(*slot)) == Look::Found,
            // What each side is left to ask is a part of what all are asked.
            Domain::All(..) | Domain::AllFor(..) | Domain::Records(_) | Domain::Along(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_a_stack_is_compared_as_more_than_so_many() {
        let asked = |relation, number| {
            let (domain, body) = (Box::new(Domain::UnitsAt(Expr::Slot(0))), Box::new(Expr::Const(1)));
            let count = Expr::Over { how: How::Count, domain, slot: 1, body };
            match Expr::comparison(relation, count, Expr::Const(number)) {
                Expr::Over { how: How::MoreThan(most), .. } => Some((true, most)),
                Expr::Not(inner) => match *inner {
                    Expr::Over { how: How::MoreThan(most), .. } => Some((false, most)),
                    _ => None,
                },
                _ => None,
            }
        };
        assert_eq!(asked(Relation::Greater, 2), Some((true, 2)));
        assert_eq!(asked(Relation::GreaterOrEqual, 2), Some((true, 1)));
        assert_eq!(asked(Relation::LessOrEqual, 2), Some((false, 2)));
        assert_eq!(asked(Relation::Less, 2), Some((false, 1)));
        // Nothing is gained where none or fewer are asked for, or exactly so many.
        assert_eq!(asked(Relation::GreaterOrEqual, 0), None);
        assert_eq!(asked(Relation::Less, i32::MIN), None);
        assert_eq!(asked(Relation::Equal, 2), None);
    }
}

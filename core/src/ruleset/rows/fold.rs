//! What of a condition is known once the border is known: terrain, features, roads. The rest stays to be asked.

use super::{Expr, Relation};
use crate::{
    map::{Map, SpaceId},
    ruleset::{Attribute, Schema},
};

/// Folds everything that depends only on the map and on the slots given; slots themselves stay, so that what
/// remains can be shared by all borders that look alike.
pub fn fold(expr: &Expr, slots: &[Option<i32>], map: &Map) -> Expr {
    let again = |e: &Expr| fold(e, slots, map);
    let known = |e: &Expr| match e {
        Expr::Const(value) => Some(*value),
        Expr::Slot(slot) => slots.get(*slot as usize).copied().flatten(),
        _ => None,
    };
    let flag = |b: bool| Expr::Const(i32::from(b));
    match expr {
        Expr::Not(a) => match again(a) {
            Expr::Const(value) => flag(value == 0),
            rest => Expr::Not(Box::new(rest)),
        },
        Expr::Both(list) | Expr::Either(list) => {
            let decides = i32::from(matches!(expr, Expr::Either(_)));
            let mut rest = Vec::new();
            for part in list {
                match again(part) {
                    Expr::Const(value) if i32::from(value != 0) == decides => return flag(decides != 0),
                    Expr::Const(_) => (),
                    other => rest.push(other),
                }
            }
            match rest.len() {
                0 => flag(decides == 0),
                1 => rest.remove(0),
                _ if decides == 0 => Expr::Both(rest),
                _ => Expr::Either(rest),
            }
        }
        Expr::Compare(relation, a, b) => match (again(a), again(b)) {
            (Expr::Const(a), Expr::Const(b)) => flag(relation.holds(a, b)),
            (a, b) => Expr::Compare(*relation, Box::new(a), Box::new(b)),
        },
        Expr::Add(a, b) | Expr::Less(a, b) => {
            let plus = matches!(expr, Expr::Add(..));
            match (again(a), again(b)) {
                (Expr::Const(a), Expr::Const(b)) => Expr::Const(if plus { a + b } else { a - b }),
                (a, b) if plus => Expr::Add(Box::new(a), Box::new(b)),
                (a, b) => Expr::Less(Box::new(a), Box::new(b)),
            }
        }
        Expr::Terrain(space, terrain) => match (known(space), known(terrain)) {
            (Some(space), Some(bits)) if space >= 0 => {
                flag(map.space(SpaceId(space as u32)).terrain & bits as u32 != 0)
            }
            _ => expr.clone(),
        },
        Expr::Feature(bits, a, b) | Expr::Road(bits, a, b) => match (known(a), known(b)) {
            (Some(a), Some(b)) if a >= 0 && b >= 0 => {
                let border = map.between(SpaceId(a as u32), SpaceId(b as u32)).map(|at| map.border(at));
                let has = border.is_some_and(|border| {
                    let here = if matches!(expr, Expr::Road(..)) { border.roads } else { border.features };
                    here & bits != 0
                });
                flag(has)
            }
            _ => expr.clone(),
        },
        _ => expr.clone(),
    }
}

/// What a condition comes to for a unit by what is printed on the counters alone, if that decides it. The unit
/// stands in `slot`; `phasing` is the side to move, if it is known.
pub fn printed(expr: &Expr, slot: u8, unit: i32, phasing: Option<i32>, attributes: &[Attribute]) -> Option<i32> {
    printed_with(expr, &[(slot, unit)], phasing, attributes)
}

/// The same with several slots known.
pub fn printed_with(expr: &Expr, slots: &[(u8, i32)], phasing: Option<i32>, attributes: &[Attribute]) -> Option<i32> {
    let again = |e: &Expr| printed_with(e, slots, phasing, attributes);
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Slot(s) => slots.iter().find(|(slot, _)| slot == s).map(|(_, value)| *value),
        Expr::Game(column) => phasing.filter(|_| *column == Schema::PHASING),
        Expr::Fixed { attribute, of } => {
            let of = usize::try_from(again(of)?).ok()?;
            attributes[*attribute as usize].values.get(of).copied()
        }
        Expr::Not(a) => Some(i32::from(again(a)? == 0)),
        Expr::Both(list) | Expr::Either(list) => {
            let decides = i32::from(matches!(expr, Expr::Either(_)));
            let parts: Vec<Option<i32>> = list.iter().map(again).collect();
            if parts.iter().flatten().any(|p| i32::from(*p != 0) == decides) {
                return Some(decides);
            }
            parts.iter().all(Option::is_some).then_some(1 - decides)
        }
        Expr::Compare(relation, a, b) => Some(i32::from(relation.holds(again(a)?, again(b)?))),
        _ => None,
    }
}

/// Whether a condition asks about a space in a way that two spaces of the same terrain may answer differently.
pub fn is_particular(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |e| {
        found |= matches!(e, Expr::Distance(..) | Expr::Edge(_) | Expr::Level(_));
    });
    found
}

/// Whether a condition reads a slot.
pub fn reads_slot(expr: &Expr, slot: u8) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= matches!(e, Expr::Slot(s) if *s == slot));
    found
}

impl Relation {
    /// Whether it holds between two numbers.
    #[inline]
    pub fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
            Relation::Less => a < b,
            Relation::LessOrEqual => a <= b,
            Relation::Greater => a > b,
            Relation::GreaterOrEqual => a >= b,
        }
    }
}

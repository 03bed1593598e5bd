//! What names in rows mean by themselves, or because something of a kind is wanted.

use super::{
    Compiler, Expr, Scope,
    parse::{Tree, What},
};
use crate::ruleset::{Holder, Kind, Symbols};

impl Compiler<'_> {
    /// A name that means something because of the kind wanted: a symbol, a side, a counter, a terrain.
    pub(super) fn literal(&self, name: &str, wanted: Kind) -> Option<i32> {
        let at = match wanted {
            Kind::Symbol(list) => self.names.schema.symbols[list as usize].values.iter().position(|v| v == name),
            Kind::Side => self.names.sides.iter().position(|s| s == name),
            Kind::Unit => self.names.units.iter().position(|u| u == name),
            Kind::Terrain => return self.names.map.terrains.iter().position(|t| t == name).map(|at| 1 << at),
            Kind::Flag if name == "true" => Some(1),
            Kind::Flag if name == "false" => Some(0),
            Kind::Space => self.names.map.find(name).map(|s| s.0 as usize),
            _ if name == "nothing" => return Some(-1),
            _ => None,
        };
        if at.is_none() && name == "nothing" && !matches!(wanted, Kind::Int | Kind::Flag) {
            return Some(-1);
        }
        at.map(|at| at as i32)
    }

    /// The space that a number names, on a map whose spaces are called by numbers.
    pub(super) fn numbered_space(&self, tree: &Tree) -> Option<Expr> {
        let What::Number(number) = tree.what else { return None };
        // As it is written: 0403 is another space than 403.
        let digits = tree.end - tree.start;
        self.literal(&format!("{number:0digits$}"), Kind::Space).map(Expr::Const)
    }

    /// The names that values of a kind go by and nothing else does, and how a message begins that there is none.
    pub(super) fn names_of(&self, kind: Kind) -> Option<(String, &[String])> {
        match kind {
            Kind::Terrain => Some(("the map has no terrain".to_owned(), &self.names.map.terrains)),
            Kind::Symbol(list) => {
                let list = &self.names.schema.symbols[list as usize];
                let of = if list.name == Symbols::DIRECTION { "the map" } else { &format!("the list `{}`", list.name) };
                let what = if list.name == Symbols::DIRECTION { "direction" } else { "value" };
                Some((format!("{of} has no {what}"), &list.values))
            }
            _ => None,
        }
    }

    /// Whether a name by itself means something, whatever is wanted.
    pub(super) fn means_something(&self, name: &str, scope: &Scope) -> bool {
        let schema = self.names.schema;
        scope.bound.iter().any(|(bound, _)| bound == name)
            || schema.columns.iter().any(|column| column.holder == Holder::Game && column.name == name)
            || self.names.terms.iter().any(|term| term.name == name)
            || self.names.numbers.iter().any(|(known, _)| known == name)
            || [Kind::Side, Kind::Unit].iter().any(|kind| name != "nothing" && self.literal(name, *kind).is_some())
    }
}

//! What rows ask of the map: how its spaces lie to each other, and what is printed in them.

use super::{
    Expr, Stated,
    compile::{Compiler, Scope, Typed},
    parse::{Tree, What},
};
use crate::{
    diagnostic::{Diagnostics, suggest},
    ruleset::Kind,
};

impl Compiler<'_> {
    fn bits(&self, tree: &Tree, known: &[String], what: &str, found: &mut Diagnostics) -> Option<u32> {
        let What::Name(name) = &tree.what else {
            self.wrong(tree, format!("a {what} of the map is wanted by name"), String::new(), found);
            return None;
        };
        let at = known.iter().position(|k| k == name);
        if at.is_none() {
            let help = suggest(name, known.iter().map(String::as_str));
            self.wrong(tree, format!("the map has no {what} `{name}`"), help, found);
        }
        at.map(|at| 1 << at)
    }

    /// A direction, as those know it who are about to ask for one; an error on maps that have none.
    pub(super) fn direction(&self, tree: &Tree, found: &mut Diagnostics) -> Option<Kind> {
        let direction = self.names.schema.direction();
        if direction.is_none() {
            let help = "ask about its neighbours instead: any(near(space) as s, ...)";
            self.wrong(tree, "a map of areas has no directions".into(), help.into(), found);
        }
        direction
    }

    /// A function of the map.
    pub(super) fn of_map(
        &self,
        tree: &Tree,
        name: &str,
        args: &[Tree],
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<Typed> {
        let map = self.names.map;
        let two = [Kind::Space, Kind::Space];
        match name {
            "distance" => {
                let [a, b] = self.args(tree, args, two, scope, found)?;
                Some((Expr::Distance(Box::new(a), Box::new(b)), Kind::Int))
            }
            "terrain" => {
                let [space, terrain] = self.args(tree, args, [Kind::Space, Kind::Terrain], scope, found)?;
                Some((Expr::Terrain(Box::new(space), Box::new(terrain)), Kind::Flag))
            }
            "feature" | "road" => {
                let [a, b] = self.args(tree, args.get(..2).unwrap_or(args), two, scope, found)?;
                let (known, what) =
                    if name == "road" { (&map.road_kinds, "kind of road") } else { (&map.features, "feature") };
                // Where none is named, any will do.
                let mut bits = if args.len() == 2 { u32::MAX } else { 0 };
                for arg in args.get(2..).unwrap_or_default() {
                    bits |= self.bits(arg, known, what, found)?;
                }
                let (a, b) = (Box::new(a), Box::new(b));
                Some((if name == "road" { Expr::Road(bits, a, b) } else { Expr::Feature(bits, a, b) }, Kind::Flag))
            }
            "onward" => {
                self.direction(tree, found)?;
                let [from, at] = self.args(tree, args, two, scope, found)?;
                Some((Expr::Onward(Box::new(from), Box::new(at)), Kind::Space))
            }
            "direction" => {
                let direction = self.direction(tree, found)?;
                let [from, to] = self.args(tree, args, two, scope, found)?;
                Some((Expr::Direction(Box::new(from), Box::new(to)), direction))
            }
            "next" => {
                let direction = self.direction(tree, found)?;
                let [from, way] = self.args(tree, args, [Kind::Space, direction], scope, found)?;
                Some((Expr::Next(Box::new(from), Box::new(way)), Kind::Space))
            }
            "turned" => {
                let direction = self.direction(tree, found)?;
                let [way, by] = self.args(tree, args, [direction, Kind::Int], scope, found)?;
                Some((Expr::Turned(Box::new(way), Box::new(by)), direction))
            }
            "angle" => {
                let direction = self.direction(tree, found)?;
                let [a, b] = self.args(tree, args, [direction, direction], scope, found)?;
                Some((Expr::Angle(Box::new(a), Box::new(b)), Kind::Int))
            }
            "edge" | "entry" => {
                let what = if name == "edge" { Stated::Edge } else { Stated::Entry };
                let [space] = self.args(tree, args, [Kind::Space], scope, found)?;
                Some((Expr::Stated(what, Box::new(space)), Kind::Flag))
            }
            _ => {
                let three = [Kind::Space, Kind::Space, Kind::Space];
                let parts = self.args(tree, args, three, scope, found)?;
                Some((Expr::Line(Box::new(parts)), Kind::Int))
            }
        }
    }

    /// What the map states of its spaces under that name.
    pub(super) fn stated(&self, name: &str) -> Option<Stated> {
        let map = self.names.map;
        match name {
            "level" => Some(Stated::Level),
            "elevation" => (!map.height_unit.is_empty()).then_some(Stated::Elevation),
            _ => map.numbers.iter().position(|n| n == name).map(|at| Stated::Number(at as u16)),
        }
    }

    /// Whether a unit is in a box, which is wanted by name.
    pub(super) fn in_box(
        &self,
        tree: &Tree,
        args: &[Tree],
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<Typed> {
        let [unit, place] = args else {
            return self.wrong(tree, "in-box wants a unit and a box".into(), String::new(), found);
        };
        let unit = self.expect(unit, scope, Kind::Unit, found)?;
        let What::Name(wanted) = &place.what else {
            return self.wrong(place, "a box is wanted by name".into(), String::new(), found);
        };
        match self.names.boxes.iter().position(|b| b == wanted) {
            Some(at) => Some((Expr::InBox(Box::new(unit), at as i32), Kind::Flag)),
            None => {
                let help = suggest(wanted, self.names.boxes.iter().map(String::as_str));
                self.wrong(place, format!("there is no box `{wanted}`"), help, found)
            }
        }
    }
}

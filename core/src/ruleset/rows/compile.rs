//! A tree of names to an [`Expr`]: every name looked up, every kind checked.

use super::{
    Expr, Relation, Rows, Sighting, Term, Zone,
    inline::{decided, written_out},
    parse::{Tree, What},
    unread::Unread,
};
use crate::{
    diagnostic::{Diagnostics, Span, nearest, suggest},
    kept::Kept,
    map::Map,
    ruleset::{Attribute, Holder, Kind, NamedSet, Property, Schema, Setting},
};

/// Everything a row may name.
pub struct Names<'a> {
    /// What has been parsed already.
    pub kept: &'a Kept,
    /// The map.
    pub map: &'a Map,
    /// Sides, by id.
    pub sides: &'a [String],
    /// Lists of symbols.
    pub schema: &'a Schema,
    /// Printed attributes.
    pub attributes: &'a [Attribute],
    /// Counters, by id.
    pub units: &'a [String],
    /// Boxes, by id.
    pub boxes: &'a [String],
    /// How many cards there are.
    pub cards: usize,
    /// Terms read so far.
    pub terms: &'a [Term],
    /// Zones read so far.
    pub zones: &'a [Zone],
    /// Lines of sight read so far.
    pub sights: &'a [Sighting],
    /// Sets read so far.
    pub sets: &'a [NamedSet],
    /// Movers, by name, in the order they are declared.
    pub movers: &'a [String],
    /// Readings in force.
    pub settings: &'a [Setting],
    /// Lists of rows that may be asked; none where lists are read, for a list is no condition of another.
    pub rows: &'a [Rows],
    /// Numbers with names, each with its value.
    pub numbers: &'a [(String, i32)],
    /// What is declared and cannot be used here.
    pub unread: Unread<'a>,
}

/// Names bound in a row: what is given, then what `as` binds.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Slot by position.
    pub bound: Vec<(String, Kind)>,
}

/// What the language itself calls so; no term may take these names.
pub const FUNCTIONS: [&str; 18] = [
    "distance",
    "terrain",
    "feature",
    "road",
    "onward",
    "direction",
    "next",
    "turned",
    "angle",
    "edge",
    "entry",
    "if",
    "line",
    "min",
    "max",
    "on-map",
    "in-box",
    "setting",
];

/// Compiles the rows of one table.
pub struct Compiler<'a> {
    /// What may be named.
    pub names: &'a Names<'a>,
    /// Where the text of the row begins, and in what file.
    pub span: Span,
}

/// No condition is longer, with the terms it uses written out.
const MOST_STEPS: u32 = 100_000;

pub(super) type Typed = (Expr, Kind);

impl Compiler<'_> {
    /// Compiles, or records what is wrong at its place in the file.
    pub fn compile(&self, text: &str, scope: &Scope, wanted: Kind, found: &mut Diagnostics) -> Option<Expr> {
        let parsed = self.parsed(text, found);
        let tree = parsed.as_ref().as_ref().ok()?;
        let (expr, kind) = self.bounded(tree, scope, found)?;
        if kind != wanted && wanted != Kind::Any {
            let [is, wanted] = [kind, wanted].map(|kind| self.names.schema.words_of(kind));
            let message = format!("this is {is}, and {wanted} is wanted here");
            found.error("kind", &self.at(tree.start, tree.end), message, "");
            return None;
        }
        Some(expr)
    }

    /// The kind of value a text has.
    pub fn kind_of(&self, text: &str, scope: &Scope, found: &mut Diagnostics) -> Option<(Expr, Kind)> {
        let parsed = self.parsed(text, found);
        self.bounded(parsed.as_ref().as_ref().ok()?, scope, found)
    }

    /// A term that uses another twice is twice as long, and forty such terms are never done.
    fn bounded(&self, tree: &Tree, scope: &Scope, found: &mut Diagnostics) -> Option<Typed> {
        let (expr, kind) = self.tree(tree, &mut scope.clone(), found)?;
        let expr = decided(expr);
        if expr.steps(self.names.terms) <= MOST_STEPS {
            return Some((expr, kind));
        }
        let message = format!("with all its terms written out, this is longer than {MOST_STEPS} steps");
        found.error("too-long", &self.at(tree.start, tree.end), message, "use each term once, or make it a rule");
        None
    }

    pub(super) fn at(&self, start: usize, end: usize) -> Span {
        // A quoted scalar begins after its quote; folded text is pointed at as a whole.
        let length = self.span.end.saturating_sub(self.span.start);
        let shift = usize::from(length > end);
        if start + shift <= length {
            let from = self.span.start + start + shift;
            Span { file: self.span.file.clone(), start: from, end: (self.span.start + end + shift).min(self.span.end) }
        } else {
            self.span.clone()
        }
    }

    pub(super) fn wrong(&self, tree: &Tree, message: String, help: String, found: &mut Diagnostics) -> Option<Typed> {
        found.error("row", &self.at(tree.start, tree.end), message, help);
        None
    }

    pub(super) fn expect(&self, tree: &Tree, scope: &mut Scope, wanted: Kind, found: &mut Diagnostics) -> Option<Expr> {
        if let What::Name(name) = &tree.what
            && !scope.bound.iter().any(|(n, k)| n == name && *k == wanted)
            && let Some(value) = self.literal(name, wanted)
        {
            return Some(Expr::Const(value));
        }
        if wanted == Kind::Space
            && let Some(space) = self.numbered_space(tree)
        {
            return Some(space);
        }
        if let What::Name(name) = &tree.what
            && let Some((what, known)) = self.names_of(wanted)
            && !self.means_something(name, scope)
        {
            let help = suggest(name, known.iter().map(String::as_str));
            return self.wrong(tree, format!("{what} `{name}`"), help, found).map(|(e, _)| e);
        }
        if let Some(member) = wanted.of_each() {
            return self.group(tree, scope, member, found);
        }
        // Both of what `if` chooses between are of the kind wanted, so that either may be a name of that kind.
        if let What::Call(name, args) = &tree.what
            && let ("if", [when, then, other]) = (name.as_str(), args.as_slice())
        {
            let when = self.expect(when, scope, Kind::Flag, found);
            let [then, other] = [then, other].map(|chosen| self.expect(chosen, scope, wanted, found));
            return Some(Expr::If(Box::new([when?, then?, other?])));
        }
        let (expr, kind) = self.tree(tree, scope, found)?;
        if kind == wanted {
            return Some(expr);
        }
        // A unit stands for the space it is in wherever a space is wanted.
        if wanted == Kind::Space && kind == Kind::Unit {
            return Some(Expr::SpaceOf(Box::new(expr)));
        }
        let [is, wanted] = [kind, wanted].map(|kind| self.names.schema.words_of(kind));
        self.wrong(tree, format!("this is {is}, and {wanted} is wanted"), String::new(), found).map(|(e, _)| e)
    }

    pub(super) fn tree(&self, tree: &Tree, scope: &mut Scope, found: &mut Diagnostics) -> Option<Typed> {
        match &tree.what {
            What::Number(n) => Some((Expr::Const(*n), Kind::Int)),
            What::Name(name) => self.name(tree, name, scope, found),
            What::Not(inner) => {
                let inner = self.expect(inner, scope, Kind::Flag, found)?;
                Some((Expr::Not(Box::new(inner)), Kind::Flag))
            }
            What::Both(list) => Some((Expr::Both(self.flags(list, scope, found)?), Kind::Flag)),
            What::Either(list) => Some((Expr::Either(self.flags(list, scope, found)?), Kind::Flag)),
            What::Compare(relation, a, b) => self.comparison(tree, *relation, a, b, scope, found),
            What::Add(a, b) | What::Less(a, b) | What::Times(a, b) => {
                let left = Box::new(self.expect(a, scope, Kind::Int, found)?);
                let right = Box::new(self.expect(b, scope, Kind::Int, found)?);
                let expr = match tree.what {
                    What::Add(..) => Expr::Add(left, right),
                    What::Less(..) => Expr::Less(left, right),
                    _ => Expr::Times(left, right),
                };
                Some((expr, Kind::Int))
            }
            What::Share(a, b) => {
                let whole = Box::new(self.expect(a, scope, Kind::Int, found)?);
                let What::Number(by @ 1..) = b.what else {
                    let help = "write a number of 1 or more after the `/`; what is left over is dropped";
                    return self.wrong(b, "a condition divides by a number only".into(), help.into(), found);
                };
                Some((Expr::Share(whole, by), Kind::Int))
            }
            What::Step(of, name) => self.step(tree, of, name, scope, found),
            What::Call(name, args) => self.call(tree, name, args, scope, found),
            What::Over(how, domain, name, asked) => self.over(tree, (*how, domain, name), asked, scope, found),
        }
    }

    fn flags(&self, list: &[Tree], scope: &mut Scope, found: &mut Diagnostics) -> Option<Vec<Expr>> {
        // Every part is looked at even when one is wrong, so that one load reports them all.
        let all: Vec<_> = list.iter().map(|t| self.expect(t, scope, Kind::Flag, found)).collect();
        let mut all: Vec<Expr> = all.into_iter().collect::<Option<_>>()?;
        // The order does not matter to what comes out, and the lightest part often decides.
        all.sort_by_key(Expr::weight);
        Some(all)
    }

    fn comparison(
        &self,
        tree: &Tree,
        relation: Relation,
        a: &Tree,
        b: &Tree,
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<Typed> {
        let (left, kind) = self.tree(a, scope, found)?;
        if kind.of_each().is_some() {
            let help = "ask about its members: any(... as x, ...), count(... as x, ...)";
            return self.wrong(a, format!("{} are not compared", kind.words()), help.into(), found);
        }
        let right = self.expect(b, scope, kind, found)?;
        let ordered = !matches!(relation, Relation::Equal | Relation::NotEqual);
        let has_order = match kind {
            Kind::Int => true,
            Kind::Symbol(list) => self.names.schema.symbols[list as usize].in_order,
            _ => false,
        };
        if ordered && !has_order {
            let is_direction = Some(kind) == self.names.schema.direction();
            let (what, help) = match is_direction {
                true => ("a direction", "compare it with = or !=, or how far two are turned: angle(a, b) <= 1"),
                false => (kind.words(), "compare it with = or !="),
            };
            return self.wrong(tree, format!("{what} has no order"), help.into(), found);
        }
        let lesser = match relation {
            Relation::Less | Relation::LessOrEqual => &left,
            _ => &right,
        };
        // Nothing has no place in an order; what is greater than something is something.
        let may_be_nothing = ordered && kind != Kind::Int && !matches!(lesser, Expr::Const(_));
        let something = may_be_nothing.then(|| Expr::is_something(lesser.clone()));
        let compared = Expr::comparison(relation, left, right);
        let all = match something {
            Some(something) => Expr::Both(vec![something, compared]),
            None => compared,
        };
        Some((all, Kind::Flag))
    }

    fn name(&self, tree: &Tree, name: &str, scope: &Scope, found: &mut Diagnostics) -> Option<Typed> {
        if let Some(slot) = scope.bound.iter().rposition(|(n, _)| n == name) {
            return Some((Expr::Slot(slot as u8), scope.bound[slot].1));
        }
        if let Some((_, number)) = self.names.numbers.iter().find(|(known, _)| known == name) {
            return Some((Expr::Const(*number), Kind::Int));
        }
        let schema = self.names.schema;
        if let Some(column) = schema.columns.iter().position(|c| c.holder == Holder::Game && c.name == name) {
            return Some((Expr::Game(column as u16), schema.columns[column].kind));
        }
        if let Some(term) = self.names.terms.iter().position(|w| w.name == name && w.given.is_empty()) {
            let Term { body, kind, .. } = &self.names.terms[term];
            return Some((written_out(body, &[]).unwrap_or(Expr::Term(term as u16, Vec::new())), *kind));
        }
        if let Some(value) = self.literal(name, Kind::Side) {
            return Some((Expr::Const(value), Kind::Side));
        }
        if let Some(value) = self.literal(name, Kind::Unit) {
            return Some((Expr::Const(value), Kind::Unit));
        }
        if matches!(name, "true" | "false") {
            return Some((Expr::Const(i32::from(name == "true")), Kind::Flag));
        }
        if let Some(value) = self.literal(name, Kind::Space) {
            return Some((Expr::Const(value), Kind::Space));
        }
        let known = scope.bound.iter().map(|(n, _)| n.as_str()).filter(|n| !n.is_empty());
        let game = schema.columns.iter().filter(|c| c.holder == Holder::Game).map(|c| c.name.as_str());
        let terms = self.names.terms.iter().map(|w| w.name.as_str());
        let map = self.names.map;
        // Of the spaces, which may be very many, only the one that is meant but for its capitals.
        let spaces = map.spaces().map(|space| map.space(space).name.as_str());
        let alike = spaces.filter(|space| space.eq_ignore_ascii_case(name));
        let units = self.names.units.iter().map(String::as_str).filter(|unit| nearest(name, [*unit]).is_some());
        let sides = self.names.sides.iter().map(String::as_str);
        let known = known.chain(game).chain(terms).chain(sides).chain(alike).chain(units);
        let help = |found: &Diagnostics| found.suggest(name, known);
        self.means_nothing(tree, name, (format!("`{name}` is not known here"), help), found)
    }

    fn step(&self, tree: &Tree, of: &Tree, name: &str, scope: &mut Scope, found: &mut Diagnostics) -> Option<Typed> {
        // A number has no properties; a space that is called so has.
        let numbered = self.numbered_space(of).map(|space| (space, Kind::Space));
        let (of, kind) = numbered.or_else(|| self.tree(of, scope, found))?;
        let holder = match kind {
            Kind::Unit if name == "space" => return Some((Expr::SpaceOf(Box::new(of)), Kind::Space)),
            Kind::Space if self.stated(name).is_some() => {
                return self.stated(name).map(|what| (Expr::Stated(what, Box::new(of)), Kind::Int));
            }
            Kind::Space if name == "elevation" => {
                let help = "say in what unit it counts them (`elevations: feet`), and give every space one";
                return self.wrong(tree, "the map states no elevations".to_owned(), help.to_owned(), found);
            }
            Kind::Unit => Holder::Unit,
            Kind::Space => Holder::Space,
            Kind::Side => Holder::Side,
            Kind::Card => Holder::Card,
            Kind::Record(r) => Holder::Record(r),
            _ => {
                let message = format!("{} has no properties", kind.words());
                return self.wrong(tree, message, String::new(), found);
            }
        };
        match Property::find(holder, name, self.names.schema, self.names.attributes) {
            Some(Property::State(column)) => {
                let kind = self.names.schema.columns[column as usize].kind;
                let declared = &self.names.schema.columns[column as usize];
                let cells = (declared.base as u32, declared.count as u32);
                Some((Expr::State { of_nothing: kind.of_nothing(), column, cells, of: Box::new(of) }, kind))
            }
            Some(Property::Fixed(attribute)) => {
                let kind = self.names.attributes[attribute as usize].kind;
                Some((Expr::Fixed { of_nothing: kind.of_nothing(), attribute, of: Box::new(of) }, kind))
            }
            None => {
                let printed = if kind == Kind::Space { &*self.names.map.numbers } else { &[] };
                let known = Property::names(holder, self.names.schema, self.names.attributes);
                let own = if kind == Kind::Unit { &["space"][..] } else { &[] };
                let known: Vec<&str> =
                    known.chain(printed.iter().map(String::as_str)).chain(own.iter().copied()).collect();
                let help = match name.rsplit_once('-') {
                    Some((less, by)) if known.contains(&less) && by.bytes().all(|b| b.is_ascii_digit()) => {
                        format!("a minus has spaces around it: `{less} - {by}`")
                    }
                    _ => suggest(name, known),
                };
                self.wrong(tree, format!("{} has no property `{name}`", kind.words()), help, found)
            }
        }
    }

    pub(super) fn args<const N: usize>(
        &self,
        tree: &Tree,
        args: &[Tree],
        kinds: [Kind; N],
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<[Expr; N]> {
        if args.len() != N {
            self.wrong(tree, format!("{} arguments, and {N} are wanted", args.len()), String::new(), found);
            return None;
        }
        let list: Vec<_> = args.iter().zip(kinds).map(|(a, k)| self.expect(a, scope, k, found)).collect();
        list.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()
    }

    fn call(
        &self,
        tree: &Tree,
        name: &str,
        args: &[Tree],
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<Typed> {
        match name {
            "if" => {
                let [when, then, other] = args else {
                    return self.wrong(tree, "if wants a condition and two values".into(), String::new(), found);
                };
                let when = self.expect(when, scope, Kind::Flag, found);
                // What nothing would be, the other one tells.
                if matches!(&then.what, What::Name(name) if name == "nothing") {
                    let (other, kind) = self.tree(other, scope, found)?;
                    let then = self.expect(then, scope, kind, found);
                    return Some((Expr::If(Box::new([when?, then?, other])), kind));
                }
                let (then, kind) = self.tree(then, scope, found)?;
                let other = self.expect(other, scope, kind, found);
                Some((Expr::If(Box::new([when?, then, other?])), kind))
            }
            "on-map" => {
                let [unit] = self.args(tree, args, [Kind::Unit], scope, found)?;
                Some((Expr::is_something(Expr::SpaceOf(Box::new(unit))), Kind::Flag))
            }
            "in-box" => self.in_box(tree, args, scope, found),
            "setting" => {
                let [name, value] = args else {
                    return self.wrong(tree, "setting wants a name and a value".into(), String::new(), found);
                };
                let (What::Name(n), What::Name(v)) = (&name.what, &value.what) else {
                    return self.wrong(tree, "a setting is asked by name".into(), String::new(), found);
                };
                let Some(setting) = self.names.settings.iter().find(|s| s.id == *n) else {
                    let help = suggest(n, self.names.settings.iter().map(|s| s.id.as_str()));
                    return self.wrong(name, format!("there is no setting `{n}`"), help, found);
                };
                if !setting.values.contains(v) {
                    let help = suggest(v, setting.values.iter().map(String::as_str));
                    return self.wrong(value, format!("setting `{n}` has no value `{v}`"), help, found);
                }
                Some((Expr::Const(i32::from(setting.value == *v)), Kind::Flag))
            }
            "distance" | "terrain" | "feature" | "road" | "onward" | "direction" | "next" | "turned" | "angle"
            | "edge" | "entry" | "line" => self.of_map(tree, name, args, scope, found),
            "min" | "max" => {
                let [a, b] = self.args(tree, args, [Kind::Int, Kind::Int], scope, found)?.map(Box::new);
                Some((if name == "min" { Expr::Lesser(a, b) } else { Expr::Greater(a, b) }, Kind::Int))
            }
            _ => match self.list_called(name, args) {
                Some(read) => self.listed(tree, read, args, scope, found),
                None => self.named_call(tree, name, args, scope, found),
            },
        }
    }

    fn named_call(
        &self,
        tree: &Tree,
        name: &str,
        args: &[Tree],
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<Typed> {
        if let Some(zone) = self.names.zones.iter().position(|z| z.name == name) {
            let [space, side] = self.args(tree, args, [Kind::Space, Kind::Side], scope, found)?;
            let (space, side) = (Box::new(space), Box::new(side));
            return Some((Expr::Zone { zone: zone as u16, space, side }, Kind::Flag));
        }
        if let Some(sight) = self.names.sights.iter().position(|s| s.name == name) {
            let [from, to] = self.args(tree, args, [Kind::Space, Kind::Space], scope, found)?;
            let (from, to) = (Box::new(from), Box::new(to));
            return Some((Expr::Sees { sight: sight as u16, from, to }, Kind::Flag));
        }
        if let Some(at) = self.names.terms.iter().position(|w| w.name == name) {
            let term = &self.names.terms[at];
            if term.given.len() != args.len() {
                let message = format!("`{name}` wants {} and has {}", term.given.len(), args.len());
                return self.wrong(tree, message, String::new(), found);
            }
            let list: Vec<_> =
                args.iter().zip(&term.given).map(|(a, (_, k))| self.expect(a, scope, *k, found)).collect();
            let list = list.into_iter().collect::<Option<Vec<_>>>()?;
            let hands = list.iter().any(|arg| matches!(arg, Expr::Group(_)));
            let call = written_out(&term.body, &list).unwrap_or(Expr::Term(at as u16, list));
            return Some((if hands { Expr::Handing(Box::new(call)) } else { call }, term.kind));
        }
        let sights = self.names.sights.iter().map(|s| s.name.as_str());
        let zones = self.names.zones.iter().map(|z| z.name.as_str());
        let terms = self.names.terms.iter().map(|w| w.name.as_str());
        let later = self.names.unread.later.iter().map(String::as_str);
        let known = FUNCTIONS.into_iter().chain(zones).chain(sights).chain(terms).chain(later);
        let help = |found: &Diagnostics| found.suggest(name, known);
        self.means_nothing(tree, name, (format!("there is no term or zone `{name}`"), help), found)
    }
}

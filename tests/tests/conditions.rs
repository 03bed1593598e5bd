//! A condition means one thing: asked of one thing after the other, of whole lists and sets of bits at once, or kept from
//! the last time, it comes out the same. Held to conditions drawn by lot from all that a ruleset declares, in positions
//! that random play comes to.

use std::{fmt::Write as _, sync::Arc};

use countermarch_core::{
    library::Library,
    play::{Game, Limits, Session},
    ruleset::{
        Holder, Kind, Ruleset, Selection, Symbols,
        rows::{Expr, Likeness},
    },
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, play_at_random, replace, root, rules, toy};

const LIMITS: Limits = Limits { log: true, ..Limits::BULK };
const CONDITIONS: usize = 150;
const ZONES: usize = 20;

/// Numbers that look like chance and are the same every time.
struct Lot(u64);

impl Lot {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % most as u64) as usize
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Writes conditions over what is in scope.
struct Author<'a> {
    ruleset: &'a Ruleset,
    lot: Lot,
    scope: Vec<(String, Kind)>,
    /// Whether it may use the terms and zones of the ruleset, which are not yet known where zones are declared.
    names: bool,
}

impl Author<'_> {
    /// Something of a kind, if anything is at hand.
    fn thing(&mut self, kind: Kind, deep: usize) -> Option<String> {
        let of_kind = |(name, k): &(String, Kind)| (*k == kind).then(|| name.clone());
        let mut all: Vec<String> = self.scope.iter().filter_map(of_kind).collect();
        if kind == Kind::Space {
            all.extend(self.scope.iter().filter(|(_, k)| *k == Kind::Unit).map(|(name, _)| format!("{name}.space")));
        }
        let game = self.ruleset.schema.columns.iter().filter(|c| c.holder == Holder::Game && c.kind == kind);
        all.extend(game.map(|c| c.name.clone()));
        if kind == Kind::Side {
            all.push(self.ruleset.sides[self.lot.below(self.ruleset.sides.len())].id.clone());
        }
        if deep > 0 && self.lot.below(2) == 0 {
            all.extend(self.property(kind, deep - 1));
        }
        if all.is_empty() { self.property(kind, 0) } else { Some(self.lot.of(&all).clone()) }
    }

    /// A property of that kind of a unit, a space or a side.
    fn property(&mut self, kind: Kind, deep: usize) -> Option<String> {
        let mut all = Vec::new();
        for (holder, of) in [(Holder::Unit, Kind::Unit), (Holder::Space, Kind::Space), (Holder::Side, Kind::Side)] {
            let columns = self.ruleset.schema.columns.iter().skip(1).map(|c| (c.holder, c.kind, &c.name));
            let printed = self.ruleset.attributes.iter().map(|a| (a.holder, a.kind, &a.name));
            let fit = columns.chain(printed).filter(|(h, k, _)| *h == holder && *k == kind);
            all.extend(fit.map(|(_, _, name)| (of, name.clone())));
        }
        if all.is_empty() {
            return None;
        }
        let (of, name) = self.lot.of(&all).clone();
        let of = if deep > 0 {
            self.thing(of, deep - 1)
        } else {
            self.scope.iter().find(|s| s.1 == of).map(|s| s.0.clone())
        };
        of.map(|of| format!("{of}.{name}"))
    }

    /// A number of the space that a unit is in.
    fn of_its_space(&mut self) -> Option<String> {
        let columns = self.ruleset.schema.columns.iter().map(|c| (c.holder, c.kind, &c.name));
        let printed = self.ruleset.attributes.iter().map(|a| (a.holder, a.kind, &a.name));
        let of_spaces = |(holder, kind, _): &(Holder, Kind, &String)| *holder == Holder::Space && *kind == Kind::Int;
        let all: Vec<&String> = columns.chain(printed).filter(of_spaces).map(|(_, _, name)| name).collect();
        let units: Vec<&(String, Kind)> = self.scope.iter().filter(|(_, kind)| *kind == Kind::Unit).collect();
        (!all.is_empty() && !units.is_empty()).then(|| format!("{}.space.{}", self.lot.of(&units).0, self.lot.of(&all)))
    }

    fn number(&mut self, deep: usize) -> String {
        if deep == 0 {
            return (self.lot.below(8) as i32 - 2).to_string().replace('-', "0 - ");
        }
        let fallback = self.lot.below(6).to_string();
        match self.lot.below(7) {
            0 => self.thing(Kind::Int, deep).unwrap_or(fallback),
            1 => format!("({} + {})", self.number(deep - 1), self.number(deep - 1)),
            2 => format!("({} - {})", self.number(deep - 1), self.number(deep - 1)),
            3 => {
                let two = [self.thing(Kind::Space, deep), self.thing(Kind::Space, deep)];
                let [Some(a), Some(b)] = two else { return fallback };
                format!("distance({a}, {b})")
            }
            4 => self.of_members(&["count"], deep).unwrap_or(fallback),
            5 => format!("if({}, {}, {})", self.flag(deep - 1), self.number(deep - 1), self.number(deep - 1)),
            _ => self.property(Kind::Int, deep - 1).unwrap_or(fallback),
        }
    }

    /// Something asked of a set.
    fn of_members(&mut self, hows: &[&str], deep: usize) -> Option<String> {
        if self.scope.len() > 7 {
            return None;
        }
        let space = self.thing(Kind::Space, deep)?;
        let movers = &self.ruleset.movers;
        let mover = if movers.is_empty() { None } else { Some(self.lot.of(movers).name.clone()) };
        let (set, kind) = match self.lot.below(6) {
            0 => ("units".to_owned(), Kind::Unit),
            1 => (format!("units-at({space})"), Kind::Unit),
            2 => (format!("units-near({space})"), Kind::Unit),
            3 => (format!("near({space})"), Kind::Space),
            4 if let (Some(mover), Some(unit)) = (mover, self.thing(Kind::Unit, deep)) => {
                (format!("reachable({mover}, {unit})"), Kind::Space)
            }
            _ => {
                let terrain = self.lot.of(&self.ruleset.map.terrains);
                (format!("spaces({terrain})"), Kind::Space)
            }
        };
        let how = *self.lot.of(hows);
        let name = format!("x{}", self.scope.len());
        self.scope.push((name.clone(), kind));
        let asked = self.flag(deep - 1);
        self.scope.pop();
        Some(format!("{how}({set} as {name}, {asked})"))
    }

    fn flag(&mut self, deep: usize) -> String {
        let plain = if self.lot.below(2) == 0 { "true" } else { "false" };
        if deep == 0 {
            return self.property(Kind::Flag, 0).unwrap_or_else(|| plain.to_owned());
        }
        let relation = *self.lot.of(&["=", "!=", "<", "<=", ">", ">="]);
        let written = match self.lot.below(14) {
            0 => Some(format!("not ({})", self.flag(deep - 1))),
            1 => Some(format!("({} and {})", self.flag(deep - 1), self.flag(deep - 1))),
            2 => Some(format!("({} or {})", self.flag(deep - 1), self.flag(deep - 1))),
            3 | 4 => Some(format!("{} {relation} {}", self.number(deep - 1), self.number(deep - 1))),
            5 => {
                let kind = *self.lot.of(&[Kind::Side, Kind::Space, Kind::Unit]);
                let (a, b) = (self.thing(kind, deep), self.thing(kind, deep));
                a.zip(b).map(|(a, b)| format!("{a} {} {b}", if relation.len() == 1 { "=" } else { "!=" }))
            }
            6 => {
                let list = self.lot.below(self.ruleset.schema.symbols.len().max(1));
                let of = self.property(Kind::Symbol(list as u16), deep - 1);
                of.map(|of| {
                    let symbols = &self.ruleset.schema.symbols[list];
                    let value = self.lot.of(&symbols.values).clone();
                    // Directions have no order.
                    let relation = if symbols.name == Symbols::DIRECTION { "!=" } else { relation };
                    // Results in capitals are values of tables alone.
                    let is_word = value.starts_with(|first: char| first.is_ascii_lowercase());
                    format!("{of} {relation} {}", if is_word { &value } else { "nothing" })
                })
            }
            7 if self.names => {
                let (zones, space) = (&self.ruleset.zones, self.thing(Kind::Space, deep));
                let zone = zones.get(self.lot.below(zones.len().max(1)));
                let side = self.thing(Kind::Side, deep);
                zone.zip(space).zip(side).map(|((zone, space), side)| format!("{}({space}, {side})", zone.name))
            }
            8 => {
                let (terrain, space) = (self.lot.of(&self.ruleset.map.terrains).clone(), self.thing(Kind::Space, deep));
                space.map(|space| format!("terrain({space}, {terrain})"))
            }
            9 if self.names => self.word(deep),
            12 if self.names => self.several(deep).map(|set| format!("drawn-many({set}, {})", self.number(deep - 1))),
            10 => self.of_members(&["any", "all"], deep),
            // Of what is nowhere, nothing is known.
            11 => self.of_its_space().map(|of| format!("{of} {relation} {}", self.lot.below(3) as i32 - 1)),
            13 => self.along_a_border(deep),
            _ => self.property(Kind::Flag, deep - 1),
        };
        written.unwrap_or_else(|| plain.to_owned())
    }

    /// Whether something runs along the border of two spaces or across it.
    fn along_a_border(&mut self, deep: usize) -> Option<String> {
        let (from, to) = (self.thing(Kind::Space, deep)?, self.thing(Kind::Space, deep)?);
        let map = &self.ruleset.map;
        let all = [("feature", &map.features), ("road", &map.road_kinds)];
        let all: Vec<_> =
            all.into_iter().flat_map(|(what, names)| names.iter().map(move |name| (what, name))).collect();
        let (what, name) = all.get(self.lot.below(all.len().max(1)))?;
        Some(format!("{what}({from}, {to}, {name})"))
    }

    /// Several units, as a word is given them.
    fn several(&mut self, deep: usize) -> Option<String> {
        let (space, unit) = (self.thing(Kind::Space, deep)?, self.thing(Kind::Unit, deep)?);
        let set = match self.lot.below(5) {
            0 => unit,
            1 => format!("units-at({space})"),
            2 => format!("units-near({space})"),
            3 => format!("union({unit}, units-at({space}))"),
            _ => format!("drawn-company(units-near({space}))"),
        };
        Some(set)
    }

    /// A word of the ruleset that says yes or no.
    fn word(&mut self, deep: usize) -> Option<String> {
        let terms: Vec<_> = self.ruleset.terms.iter().filter(|w| w.kind == Kind::Flag && !w.of_player).collect();
        let term = *terms.get(self.lot.below(terms.len().max(1)))?;
        if term.given.is_empty() {
            return Some(term.name.clone());
        }
        let args: Option<Vec<String>> = term.given.iter().map(|(_, kind)| self.thing(*kind, deep)).collect();
        Some(format!("{}({})", term.name, args?.join(", ")))
    }

    /// Whether any of those in a space or near it is such, as guards mostly ask: by itself, or of some of the ground alone.
    fn of_those(&mut self) -> String {
        let ground =
            |author: &mut Author<'_>| format!("terrain(space, {})", author.lot.of(&author.ruleset.map.terrains));
        let (one, on) = (self.any_of_those(), ground(self));
        match self.lot.below(5) {
            0 => one,
            1 => format!("not ({on} and {one})"),
            4 => format!("{on} or {}", self.any_of_named()),
            2 => format!("{on} or {one}"),
            _ => format!("({on} and {one}) or (not {} and {})", ground(self), self.any_of_those()),
        }
    }

    /// The same of the members of a set that the ruleset names: whether the space is one of them, or lies so to any.
    fn any_of_named(&mut self) -> String {
        let far = self.lot.below(3);
        match self.lot.below(4) {
            0 => "any(drawn-beside(against) as them, them = space)".to_owned(),
            1 => "any(drawn-beside(unit.side) as them, space = them)".to_owned(),
            2 => format!("any(drawn-afield(against) as them, distance(them, space) <= {far})"),
            _ => format!("any(drawn-afield(unit.side) as them, them != other and distance(space, them.space) = {far})"),
        }
    }

    /// Whether there is any such, or so many: something is asked of it alone, something of both.
    fn any_of_those(&mut self) -> String {
        let set = *self.lot.of(&["units-at", "units-near"]);
        let flags = self.ruleset.schema.columns.iter().filter(|c| c.holder == Holder::Unit && c.kind == Kind::Flag);
        let flags: Vec<String> = flags.map(|flag| format!("them.{}", flag.name)).collect();
        let sides = ["them.side = against", "them.side != phasing", "them != unit and on-map(them)"].map(str::to_owned);
        let alone = if self.lot.below(2) == 0 && !flags.is_empty() { self.lot.of(&flags) } else { self.lot.of(&sides) };
        self.scope.push(("them".to_owned(), Kind::Unit));
        let both = self.flag(1);
        self.scope.pop();
        let far = self.lot.below(2);
        let such = match self.lot.below(3) {
            0 => format!("{set}(space) as them, {alone}"),
            _ => format!("{set}(space) as them, {alone} and ({both} or distance(space, them.space) = {far})"),
        };
        match self.lot.below(3) {
            0 => format!("count({such}) {} {}", self.lot.of(&["<", "=", "!=", ">", ">="]), self.lot.below(3)),
            _ => format!("any({such})"),
        }
    }
}

/// What is drawn: conditions asked of units, of spaces, and who spreads a zone.
struct Drawn {
    of_units: Vec<String>,
    of_spaces: Vec<String>,
    zones: Vec<String>,
}

fn given(names: &[(&str, Kind)]) -> Vec<(String, Kind)> {
    names.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect()
}

const OF_UNITS: [(&str, Kind); 4] =
    [("unit", Kind::Unit), ("other", Kind::Unit), ("space", Kind::Space), ("against", Kind::Side)];
const OF_SPACES: [(&str, Kind); 4] =
    [("space", Kind::Space), ("unit", Kind::Unit), ("other", Kind::Unit), ("against", Kind::Side)];
const OF_ZONES: [(&str, Kind); 2] = [("unit", Kind::Unit), ("against", Kind::Side)];

fn drawn(ruleset: &Ruleset, seed: u64) -> Drawn {
    let list = |salt: u64, scope: &[(&str, Kind)], count: usize| {
        let mut author = Author { ruleset, lot: Lot(seed ^ salt << 32), scope: given(scope), names: scope.len() > 2 };
        let drawn = (0..count).map(|at| author.flag(2 + at % 3)).collect::<Vec<_>>();
        let of_those = if scope == OF_SPACES { CONDITIONS / 4 } else { 0 };
        drawn.into_iter().chain((0..of_those).map(|_| author.of_those())).collect()
    };
    Drawn {
        of_units: list(1, &OF_UNITS, CONDITIONS),
        of_spaces: list(2, &OF_SPACES, CONDITIONS),
        zones: list(3, &OF_ZONES, ZONES),
    }
}

/// A game that declares all that is drawn besides its own.
fn with(game: &str, drawn: &Drawn) -> (Library, Arc<Ruleset>) {
    let mut all = library(&root());
    let cite = load(&all, game, &Selection::default()).rulebook.entries[0].id.clone();
    let (mut rows, mut zones) = (String::new(), String::new());
    for (prefix, scope, list) in [("u", OF_UNITS, &drawn.of_units), ("s", OF_SPACES, &drawn.of_spaces)] {
        let kinds = |(name, kind): &(&str, Kind)| format!("{name}: {}", kind.words().trim_start_matches("a "));
        let given: Vec<String> = scope.iter().map(kinds).collect();
        for (at, when) in list.iter().enumerate() {
            let _ = write!(
                rows,
                "  drawn-{prefix}{at}:\n    given: {{ {} }}\n    unless:\n      - {{ id: drawn, when: \
                 \"{when}\", say: \"no\", cite: {cite} }}\n",
                given.join(", ")
            );
        }
    }
    for (at, when) in drawn.zones.iter().enumerate() {
        let (range, here) = (at % 3, at % 2 == 1);
        let _ = write!(
            zones,
            "  drawn-z{at}:\n    units: \"{when}\"\n    range: {range}\n    here: {here}\n    cite: {cite}\n"
        );
    }
    // Terms and sets that are given several things.
    let terms = "  drawn-many: { given: { many: units, number: number }, is: \"count(many as m, m.side = phasing) > number or \
                 drawn-none(many)\" }\n";
    let beside =
        "  drawn-by: { given: { space: space, side: side }, is: \"any(drawn-beside(side) as s, s = space)\" }\n";
    let none = "  drawn-none: { given: { many: units }, is: \"not any(many as m, on-map(m))\" }\n";
    let sets = "  drawn-company: { given: { many: units }, of: many, as: one, where: \"count(many as m, m.space = one.space) \
                > 1\" }\n  drawn-afield: { of: units, given: { side: side }, where: \"unit.side = side and on-map(unit)\" }\n  \
                drawn-beside: { of: spaces, given: { side: side }, where: \"any(drawn-afield(side) as u, distance(u, space) \
                <= 1)\" }\n";
    let (terms, sets) = (format!("{none}{beside}{terms}"), sets.to_owned());
    for (head, more) in [("\nmay:\n", rows), ("\nzones:\n", zones), ("\nterms:\n", terms), ("\nsets:\n", sets)] {
        let files = ["tables.yaml", "terrain.yaml"].map(|file| format!("rulesets/{game}/{file}"));
        let texts = files.map(|path| (format!("\n{}", all.text(&path).expect("the game has it")), path));
        let (text, path) = texts.into_iter().find(|(text, _)| text.contains(head)).expect("the game has such a list");
        all.insert(&path, text.replacen(head, &format!("{head}{more}"), 1));
    }
    let ruleset = load(&all, game, &Selection::default());
    (all, ruleset)
}

fn compiled(ruleset: &Ruleset, texts: &[String], scope: &[(&str, Kind)]) -> Vec<Expr> {
    texts.iter().map(|text| ruleset.condition(text, scope).expect("it was drawn to be right")).collect()
}

/// Asks everything of a game in one way and another: how many conditions told one thing from another, and how many pairs were
/// alike.
fn compare(game: &Game, drawn: &Drawn, lot: &mut Lot) -> [usize; 2] {
    let ruleset = &game.ruleset;
    let (mut held, mut alike) = (0, 0);
    for (prefix, texts, scope, spaces) in
        [("u", &drawn.of_units, OF_UNITS, false), ("s", &drawn.of_spaces, OF_SPACES, true)]
    {
        let all = if spaces { ruleset.map.len() } else { ruleset.units.len() } as i32;
        for (at, when) in compiled(ruleset, texts, &scope).iter().enumerate() {
            let count = |kind: Kind| match kind {
                Kind::Unit => ruleset.units.len(),
                Kind::Space => ruleset.map.len(),
                _ => ruleset.sides.len(),
            };
            let mut any = |count: usize| if lot.below(8) == 0 { -1 } else { lot.below(count) as i32 };
            let [a, b, c] = [1, 2, 3].map(|at| any(count(scope[at].1)));
            let table = ruleset.rows.iter().position(|r| r.name == format!("drawn-{prefix}{at}")).expect("declared");
            let together = game.passing(table as u16, &[a, b, c]);
            let singly: Vec<i32> = (0..all).filter(|one| !game.holds(when, &[*one, a, b, c])).collect();
            assert_eq!(together, singly, "{}, given {:?}", texts[at], [a, b, c]);
            held += usize::from(!singly.is_empty() && singly.len() < all as usize);
            // Of two that are alike in what is asked of them it comes out alike.
            let Some(likeness) = Likeness::of([when], 0, &ruleset.terms) else { continue };
            let of = |one: i32| game.holds(when, &[one, a, b, c]);
            for [one, other] in (0..20).map(|_| [(); 2].map(|()| lot.below(all as usize) as i32)) {
                if one != other && game.are_alike(&likeness, one, other) {
                    alike += 1;
                    assert_eq!(of(one), of(other), "{} of {one} and {other}, given {:?}", texts[at], [a, b, c]);
                }
            }
        }
    }
    [held, alike]
}

/// The spaces of the drawn zones as the game keeps them, and as they are found by asking unit by unit.
fn compare_zones(game: &Game, drawn: &Drawn) {
    let ruleset = &game.ruleset;
    for (at, when) in compiled(ruleset, &drawn.zones, &OF_ZONES).iter().enumerate() {
        let zone = ruleset.zones.iter().position(|z| z.name == format!("drawn-z{at}")).expect("declared");
        for side in 0..ruleset.sides.len() as i32 {
            let spread = (0..ruleset.units.len() as i32).filter(|unit| game.holds(when, &[*unit, side]));
            let centers: Vec<i32> = spread.map(|unit| game.space_of(unit)).filter(|space| *space >= 0).collect();
            for space in ruleset.map.spaces() {
                let far = |from: &i32| ruleset.map.distance(countermarch_core::map::SpaceId(*from as u32), space);
                // Units of a zone that reaches farther spread it to where they are only if it says so.
                let least = usize::from(at % 3 > 0 && at % 2 == 0);
                let within = |from: &i32| (least..=at % 3).contains(&usize::from(far(from)));
                let is = centers.iter().any(within);
                let kept = game.in_zone(zone as u16, side, space.0 as i32);
                assert_eq!(kept, is, "{} against {side} at {}", drawn.zones[at], ruleset.map.space(space).name);
            }
        }
    }
}

fn one_meaning(game: &str, seed: u64) {
    let base = load(&library(&root()), game, &Selection::default());
    let drawn = drawn(&base, seed);
    let (_, ruleset) = with(game, &drawn);
    let mut lot = Lot(seed);
    let (mut answers, mut held, mut alike) = (0, 0, 0);
    let mut watch = |session: &mut Session<Runtime>| {
        // Zones are looked at often, so that they are kept over few writes; all else in a few positions.
        if answers % 8 == 0 {
            compare_zones(session.game(), &drawn);
        }
        if answers % 60 == 0 {
            let [told, pairs] = compare(session.game(), &drawn, &mut lot);
            (held, alike) = (held + told, alike + pairs);
        }
        answers += 1;
    };
    play_at_random(&ruleset, rules(&ruleset), seed, LIMITS, 200, &mut watch).expect("the game plays");
    assert!(held > CONDITIONS / 4, "only {held} of the conditions told one thing from another");
    assert!(alike > 10 * CONDITIONS, "only {alike} pairs were alike");
}

#[test]
fn conditions_mean_one_thing_in_the_corps_game() {
    (0..3).for_each(|seed| one_meaning("gettysburg-corps", seed));
}

#[test]
fn conditions_mean_one_thing_in_77() {
    (0..2).for_each(|seed| one_meaning("gettysburg-77", seed));
}

#[test]
fn conditions_mean_one_thing_where_things_have_things() {
    one_meaning("gallop", 3);
}

/// The toy game with a slope that counts one way, and other costs.
fn toy_with(costs: &str) -> Arc<Ruleset> {
    let mut all = toy();
    let map = "maps/toy.yaml";
    replace(&mut all, map, "features: [hedge]", "features: [hedge, { name: slope, one-way: true }]");
    replace(&mut all, map, "borders:\n", "borders:\n  - { up: [\"-1:2\", \"-1:1\"], is: [slope] }\n");
    let plus = "[{ when: \"feature(from, to, hedge) and setting(hedges, slow)\", cost: 1, cite: t/2 }]";
    replace(&mut all, "rulesets/toy/tables.yaml", &format!("cost: 1, plus: {plus}"), costs);
    load(&all, "toy", &Selection::default())
}

fn cost(ruleset: &Arc<Ruleset>, from: &str, to: &str) -> Option<u16> {
    let space = |name: &str| ruleset.map.find(name).expect("the map has it");
    Game::new(ruleset.clone(), 0).cost_of_step(0, 0, space(from), space(to))
}

#[test]
fn a_step_down_a_slope_is_told_from_one_along_level_ground() {
    let toy = toy_with("cost: 1, plus: [{ when: \"feature(to, from, slope)\", cost: 4, cite: t/2 }]");
    assert_eq!(cost(&toy, "-1:1", "-1:2"), Some(5), "down");
    assert_eq!(cost(&toy, "-1:2", "-1:1"), Some(1), "up");
    assert_eq!(cost(&toy, "-2:1", "-2:2"), Some(1), "on the level");
}

#[test]
fn costs_that_add_up_do_not_begin_again_at_nothing() {
    let ten = |when: &str| vec![format!("{{ when: \"{when}\", cost: 10000, cite: t/2 }}"); 7].join(", ");
    for when in ["true", "unit.strength > 0"] {
        let toy = toy_with(&format!("cost: 1, plus: [{}]", ten(when)));
        assert_eq!(cost(&toy, "-2:1", "-2:2"), Some(u16::MAX), "{when}");
    }
}

//! Writes the type definitions of one ruleset: `countermarch.d.luau`, with the names that the ruleset declares in the
//! place of those that stand for any. Editors and Luau's analyzer read them, and so does [`check`](super::check).

use std::{collections::BTreeSet, fmt::Write};

use countermarch_core::ruleset::{
    Blank, Holder, Kind, Ruleset, Schema,
    rows::{Read, Rows},
};

use super::tree::{Function, Note};
use crate::convert::{lua_name, name_of_passing};

/// The definitions that hold for every ruleset.
const GENERAL: &str = include_str!("../../countermarch.d.luau");

/// No more texts than that are one type: Luau reads no longer types, and no editor would list them.
const MOST_WORDS: usize = 900;

/// A module as its rule files declare it: its name, and its functions and other fields by name.
pub type Module<'a> = (&'a str, Vec<(&'a str, Option<&'a Function>)>);

/// The whole text.
pub fn definitions(ruleset: &Ruleset, modules: &[Module<'_>]) -> String {
    let of = Writer::new(ruleset);
    let mut text = String::new();
    // The tables that are open where a line stands.
    let mut open = String::new();
    for line in GENERAL.lines() {
        let (before, rest) = line.strip_prefix("declare ").map_or(("  ", line.trim_start()), |rest| ("declare ", rest));
        if let Some(name) = line.strip_prefix("export type ").and_then(|rest| rest.strip_suffix(" = string")) {
            match of.words(name).filter(|words| words.len() <= MOST_WORDS) {
                Some(words) => text += &format!("export type {name} = {}\n", either(&words)),
                None => text += &format!("{line}\n"),
            }
            continue;
        }
        if let Some((name, _)) = rest.split_once(": { [string]: ") {
            let path = if open.is_empty() { name.to_owned() } else { format!("{open}.{name}") };
            if let Some(fields) = of.fields(&path) {
                let (indent, end) = if open.is_empty() { ("", "") } else { ("  ", ",") };
                let inside: String = fields.iter().map(|field| format!("{indent}  {field},\n")).collect();
                text += &format!("{before}{name}: {{\n{inside}{indent}}}{end}\n");
                continue;
            }
        }
        if before == "declare " && line.ends_with(": {") {
            open = rest.trim_end_matches(": {").to_owned();
        } else if line == "}" {
            open.clear();
        }
        text += &format!("{line}\n");
        if line == "export type Terrain = number" {
            text.extend(of.own_types());
        }
    }
    text += "\n-- Records, as `unit` and `space` are read\n";
    for (at, record) in ruleset.schema.records.iter().enumerate() {
        let name = lua_name(&record.name);
        let fields: String =
            of.properties(Holder::Record(at as u8)).iter().map(|field| format!("  {field},\n")).collect();
        text += &format!("declare {name}: {{\n{fields}}}\n");
    }
    text += "\n-- Rule files, each a module\n";
    for (name, fields) in modules {
        let fields: String =
            fields.iter().map(|(name, of_field)| format!("  {},\n", of.member(name, *of_field))).collect();
        text += &format!("declare {name}: {{\n{fields}}}\n");
    }
    text
}

/// Texts as a type.
fn either<'a>(words: &[impl AsRef<str> + 'a]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("{:?}", word.as_ref())).collect();
    if quoted.is_empty() { "never".into() } else { quoted.join(" | ") }
}

/// A field of a table type; what is no name in Luau stands in quotes.
fn field(name: &str, of: impl std::fmt::Display) -> String {
    if is_name(name) { format!("{name}: {of}") } else { format!("[{name:?}]: {of}") }
}

/// Whether Luau reads it as a name.
pub(super) fn is_name(name: &str) -> bool {
    const KEYWORDS: [&str; 21] = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not",
        "or", "repeat", "return", "then", "true", "until", "while",
    ];
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&name)
}

/// `near-home` is `NearHome`.
pub(super) fn type_name(name: &str) -> String {
    let mut words = String::new();
    for word in name.split(|c: char| !c.is_ascii_alphanumeric()) {
        let mut letters = word.chars();
        words.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        words.push_str(letters.as_str());
    }
    words
}

struct Writer<'a> {
    ruleset: &'a Ruleset,
    /// By number: what the types of lists of symbols are called.
    symbols: Vec<String>,
    /// By number: what the types of records are called.
    records: Vec<String>,
}

impl<'a> Writer<'a> {
    fn new(ruleset: &'a Ruleset) -> Writer<'a> {
        let general = GENERAL.lines().filter_map(|line| line.strip_prefix("export type "));
        let mut taken: BTreeSet<String> =
            general.filter_map(|rest| rest.split([' ', '<']).next()).map(str::to_owned).collect();
        let mut free = |name: &str, general: &str| {
            let own = type_name(name);
            if is_name(&own) && taken.insert(own.clone()) { own } else { general.to_owned() }
        };
        let schema = &ruleset.schema;
        // Directions are the map's, and functions of the engine are given them.
        let symbol = |list: &countermarch_core::ruleset::Symbols| match list.name.as_str() {
            "direction" => "Direction".to_owned(),
            name => free(name, "Symbol"),
        };
        let symbols = schema.symbols.iter().map(symbol).collect();
        let records = schema.records.iter().map(|record| free(&record.name, "Record")).collect();
        Writer { ruleset, symbols, records }
    }

    fn own_types(&self) -> Vec<String> {
        let declared = |own: &String, general: &str| {
            (own != general && own != "Direction").then(|| format!("export type {own} = {general}\n"))
        };
        let symbols = self.symbols.iter().filter_map(|own| declared(own, "Symbol"));
        symbols.chain(self.records.iter().filter_map(|own| declared(own, "Record"))).collect()
    }

    /// The texts of a type of texts, where the ruleset says them.
    fn words(&self, of: &str) -> Option<Vec<String>> {
        let ruleset = self.ruleset;
        let words: Vec<String> = match of {
            "Question" => ruleset.questions.iter().map(|q| q.key.clone()).collect(),
            "Verb" => ruleset.verbs.iter().map(|v| v.id.clone()).collect(),
            "Purpose" => ruleset.chances.iter().map(|c| c.purpose.clone()).collect(),
            "SymbolList" => ruleset.schema.symbols.iter().map(|s| lua_name(&s.name)).collect(),
            "Rule" => ruleset.rules.iter().map(|r| r.name.clone()).collect(),
            "Road" => ruleset.map.roads.iter().map(|r| r.id.clone()).collect(),
            "SpaceName" => ruleset.map.spaces().map(|s| ruleset.map.space(s).name.clone()).collect(),
            _ => return None,
        };
        Some(words)
    }

    fn kind(&self, kind: Kind) -> &str {
        match kind {
            Kind::Int => "number",
            Kind::Flag => "boolean",
            Kind::Unit => "Unit",
            Kind::Side => "Side",
            Kind::Space => "Space",
            Kind::Card => "Card",
            Kind::Terrain => "Terrain",
            Kind::Symbol(list) => &self.symbols[usize::from(list)],
            Kind::Record(of) => &self.records[usize::from(of)],
            Kind::Units => "{ Unit }",
            Kind::Spaces => "{ Space }",
            Kind::Any => "any",
        }
    }

    /// As something is given to a function.
    fn taken(&self, kind: Kind) -> String {
        match (kind, kind.of_each()) {
            (Kind::Int | Kind::Flag | Kind::Any, _) => self.kind(kind).to_owned(),
            (_, Some(each)) => format!("{{ {0} }} | Set<{0}>", self.kind(each)),
            _ => format!("{} | nil", self.kind(kind)),
        }
    }

    /// As a function gives it back.
    fn told(&self, kind: Kind, may_be_nothing: bool) -> String {
        let is_thing = !matches!(kind, Kind::Int | Kind::Flag | Kind::Any);
        format!("{}{}", self.kind(kind), if is_thing && may_be_nothing { "?" } else { "" })
    }

    fn given(&self, given: &[(String, Kind)]) -> String {
        let one = |(name, kind): &(String, Kind)| {
            let name = lua_name(name);
            let name = if is_name(&name) { name } else { "value".into() };
            format!("{name}: {}", self.taken(*kind))
        };
        given.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// `note.KEY` and `phrase.KEY`, given what stands in the blanks.
    fn notes(&self, tells: bool) -> Vec<String> {
        let blank = |(name, blank): &(String, Blank)| {
            let name = lua_name(name);
            let of = match blank {
                Blank::Text => "string | number | Phrase".to_owned(),
                Blank::Thing(kind) => self.taken(*kind),
            };
            format!("{}: {of}", if is_name(&name) { name } else { "value".into() })
        };
        let one = |note: &countermarch_core::ruleset::Note| {
            let mut given: Vec<String> = note.given.iter().map(blank).collect();
            given.extend(tells.then(|| "cite: Cite?".to_owned()));
            field(&lua_name(&note.key), format!("({}) -> {}", given.join(", "), if tells { "()" } else { "Phrase" }))
        };
        self.ruleset.notes.iter().map(one).collect()
    }

    /// What a holder has: `unit.NAME`.
    fn properties(&self, holder: Holder) -> Vec<String> {
        let schema = &self.ruleset.schema;
        let of = self.holder(holder).map_or(String::new(), |kind| format!("of: {}", self.kind(kind)));
        let columns = schema.columns.iter().enumerate().filter(|(at, c)| c.holder == holder && *at != place());
        let columns = columns.map(|(at, column)| {
            // Where nothing else is said, a named value is there from the beginning; and rules mostly run in somebody's
            // turn.
            let is_there = matches!(column.kind, Kind::Symbol(_)) && column.default >= 0;
            let may_be_nothing = !is_there && at != usize::from(Schema::PHASING);
            (&column.name, self.told(column.kind, may_be_nothing))
        });
        let attributes = self.ruleset.attributes.iter().filter(|a| a.holder == holder);
        let attributes = attributes.map(|a| (&a.name, self.told(a.kind, a.values.iter().any(|value| *value < 0))));
        columns.chain(attributes).map(|(name, told)| field(&lua_name(name), format!("({of}) -> {told}"))).collect()
    }

    /// What a holder of properties is.
    fn holder(&self, holder: Holder) -> Option<Kind> {
        match holder {
            Holder::Unit => Some(Kind::Unit),
            Holder::Side => Some(Kind::Side),
            Holder::Space => Some(Kind::Space),
            Holder::Card => Some(Kind::Card),
            Holder::Record(of) => Some(Kind::Record(of)),
            Holder::Game => None,
        }
    }

    /// `set.unit.NAME` and the like.
    fn writers(&self) -> Vec<String> {
        let schema = &self.ruleset.schema;
        let general = [Holder::Unit, Holder::Side, Holder::Space, Holder::Card, Holder::Game];
        let names = ["unit", "side", "space", "card", "state"];
        let records = (0..schema.records.len()).map(|at| Holder::Record(at as u8));
        let records = records.zip(schema.records.iter().map(|record| record.name.as_str()));
        let holders = general.into_iter().zip(names).chain(records);
        let table = |(holder, name): (Holder, &str)| {
            let mut fields = String::new();
            let of = self.holder(holder).map_or(String::new(), |kind| format!("of: {}, ", self.kind(kind)));
            for (at, column) in schema.columns.iter().enumerate().filter(|(_, c)| c.holder == holder) {
                if at != place() {
                    let write = format!("({of}value: {}, cite: Cite?) -> ()", self.taken(column.kind));
                    let _ = write!(fields, " {},", field(&lua_name(&column.name), write));
                }
            }
            field(&lua_name(name), format!("{{{} }}", fields.trim_end_matches(',')))
        };
        holders.map(table).collect()
    }

    /// What a member of a module is.
    fn member(&self, name: &str, function: Option<&Function>) -> String {
        let Some(function) = function else { return field(name, "any") };
        let mut given: Vec<String> = Vec::new();
        for one in &function.parameters {
            let note = one.note.as_ref().map_or_else(|| "any".into(), |note| self.note(note));
            given.push(format!("{}: {note}", one.name.text));
        }
        given.extend(function.takes_more.then(|| "...any".to_owned()));
        let gives = function.gives.as_ref().map_or_else(|| "...any".into(), |note| self.note(note));
        field(name, format!("({}) -> {gives}", given.join(", ")))
    }

    /// An annotation; a type that the rule file has made itself is known to nobody else.
    fn note(&self, note: &Note) -> String {
        let several = |list: &[Note]| list.iter().map(|one| self.note(one)).collect::<Vec<_>>();
        match note {
            Note::Name(name) => {
                let is_own = self.symbols.contains(name) || self.records.contains(name);
                let is_general = ["number", "string", "boolean"].contains(&name.as_str())
                    || GENERAL.contains(&format!("export type {name} = "));
                if is_own || is_general { name.clone() } else { "any".into() }
            }
            Note::Text(text) => format!("{text:?}"),
            Note::Nil => "nil".into(),
            Note::Maybe(of) => format!("{}?", self.note(of)),
            Note::List(of) => format!("{{ {} }}", self.note(of)),
            Note::OneOf(list) => several(list).join(" | "),
            Note::Several(list) => format!("({})", several(list).join(", ")),
            Note::Of(name, list) if name == "Set" => format!("Set<{}>", several(list).join(", ")),
            Note::Table(_) | Note::Function(_) | Note::Of(..) | Note::Other => "any".into(),
        }
    }

    /// The fields of a table whose names the ruleset declares.
    fn fields(&self, path: &str) -> Option<Vec<String>> {
        let ruleset = self.ruleset;
        let schema: &Schema = &ruleset.schema;
        let all = |names: &mut dyn Iterator<Item = &String>, of: &str| {
            names.map(|name| field(&lua_name(name), of)).collect::<Vec<_>>()
        };
        let guards = || ruleset.rows.iter().filter(|rows| rows.read == Read::May);
        let asked = |rows: &Rows, given: &[(String, Kind)], gives: &str| {
            field(&lua_name(&rows.name), format!("({}) -> {gives}", self.given(given)))
        };
        // Those that a guard lets pass, and the members of a set.
        let members = |gives: &dyn Fn(&str) -> String| -> Vec<String> {
            let passing = guards().filter(|rows| !rows.candidates.is_empty()).map(|rows| {
                let (first, rest) = (self.kind(rows.given[0].1), self.given(&rows.given[1..]));
                field(&name_of_passing(&rows.name), format!("({rest}) -> {}", gives(first)))
            });
            let sets = ruleset.sets.iter().map(|set| {
                field(&lua_name(&set.name), format!("({}) -> {}", self.given(&set.given), gives(self.kind(set.kind))))
            });
            passing.chain(sets).collect()
        };
        let contacts = |gives: &str| -> Vec<String> {
            let record = |at: u16| self.kind(schema.columns[usize::from(at)].kind);
            let of = ruleset.contacts.iter();
            of.map(|c| field(&lua_name(&c.name), format!("(of: {}?) -> {gives}", record(c.column)))).collect()
        };
        Some(match path {
            "unit" => self.properties(Holder::Unit),
            "side" => self.properties(Holder::Side),
            "space" => self.properties(Holder::Space),
            "card" => self.properties(Holder::Card),
            "state" => self.properties(Holder::Game),
            "set" => self.writers(),
            "units" => all(&mut ruleset.units.iter().map(|u| &u.id), "Unit"),
            "sides" => all(&mut ruleset.sides.iter().map(|s| &s.id), "Side"),
            "boxes" => all(&mut ruleset.boxes.iter().map(|b| &b.id), "Box"),
            "cards" => all(&mut ruleset.cards.iter().map(|c| &c.id), "Card"),
            "terrains" => all(&mut ruleset.map.terrains.iter(), "Terrain"),
            "values" => {
                let list = |(at, list): (usize, &countermarch_core::ruleset::Symbols)| {
                    let values = all(&mut list.values.iter(), &self.symbols[at]).join(", ");
                    field(&lua_name(&list.name), format!("{{ {values} }}"))
                };
                schema.symbols.iter().enumerate().map(list).collect()
            }
            "settings" => ruleset.settings.iter().map(|s| field(&lua_name(&s.id), either(&s.values))).collect(),
            "note" => self.notes(true),
            "phrase" => self.notes(false),
            "may" | "sum" | "first" => {
                let lists = ruleset.rows.iter().filter(|rows| rows.read.section() == path);
                lists.map(|rows| asked(rows, &rows.given, &self.told(rows.kind, true))).collect()
            }
            "term" => {
                let of = |term: &countermarch_core::ruleset::rows::Term| {
                    let told = self.told(term.kind, true);
                    field(&lua_name(&term.name), format!("({}) -> {told}", self.given(&term.given)))
                };
                ruleset.terms.iter().filter(|term| !term.of_player).map(of).collect()
            }
            "zone" => all(&mut ruleset.zones.iter().map(|z| &z.name), "(space: Space | nil, against: Side) -> boolean"),
            "sight" => {
                all(&mut ruleset.sights.iter().map(|s| &s.name), "(from: Space | nil, to: Space | nil) -> boolean")
            }
            "lookup" => {
                let of = |table: &countermarch_core::ruleset::PrintedTable| {
                    let gives = &self.symbols[usize::from(table.symbols)];
                    let (column, row) = (self.kind(table.columns.kind), self.kind(table.rows.kind));
                    field(&lua_name(&table.name), format!("(column: {column}, row: {row}) -> {gives}"))
                };
                ruleset.tables.iter().map(of).collect()
            }
            "clamp" => {
                let numbered = ruleset.tables.iter().filter(|table| table.columns.kind == Kind::Int);
                all(&mut numbered.map(|table| &table.name), "(column: number) -> number")
            }
            "offer.may" => guards().map(|rows| asked(rows, &rows.given, "Set<nil>")).collect(),
            "offer.each" => members(&|kind| format!("Set<{kind}>")),
            "offer.reach" => {
                let of = |mover: &countermarch_core::ruleset::Mover| {
                    let points = if mover.allowance.is_some() { "number?" } else { "number" };
                    let function = format!("(unit: Unit, points: {points}, starts: {{ Start }}?) -> Set<Space>");
                    field(&lua_name(&mover.name), function)
                };
                ruleset.movers.iter().map(of).collect()
            }
            "offer.ends" => {
                let of_both = |rows: &&Rows| rows.given.iter().map(|(_, kind)| *kind).eq([Kind::Unit, Kind::Space]);
                let called: Vec<String> = guards().filter(of_both).map(|guard| name_of_passing(&guard.name)).collect();
                all(&mut called.iter(), "(reach: Set<Space>, spare: number?) -> Set<Space>")
            }
            "offer.retreat" => all(
                &mut ruleset.retreats.iter().map(|r| &r.name),
                "(unit: Unit, shortest: number, longest: number) -> Set<Space>",
            ),
            "offer.attackers" | "offer.targets" => contacts("Set<Unit>"),
            "offer.close" | "offer.declared" => contacts("Set<nil>"),
            "measure" => {
                let of = |measure: &countermarch_core::ruleset::Measure| {
                    let lines: Vec<String> = measure.lines.iter().map(|line| line.id.clone()).collect();
                    let line = if lines.is_empty() { "string".into() } else { either(&lines) };
                    field(&lua_name(&measure.id), format!("(side: Side, line: ({line})?) -> number"))
                };
                ruleset.measures.iter().map(of).collect()
            }
            "step_cost" => {
                all(&mut ruleset.movers.iter().map(|m| &m.name), "(unit: Unit, from: Space, to: Space) -> number?")
            }
            "new" | "drop" | "each" => {
                let records = schema.records.iter().zip(&self.records);
                let of = |(record, kind): (&countermarch_core::ruleset::RecordKind, &String)| {
                    let function = match path {
                        "new" => format!("(cite: Cite?) -> {kind}"),
                        "drop" => format!("(of: {kind}, cite: Cite?) -> ()"),
                        _ => format!("() -> {{ {kind} }}"),
                    };
                    field(&lua_name(&record.name), function)
                };
                let mut fields: Vec<String> = records.map(of).collect();
                if path == "each" {
                    fields.extend(members(&|kind| format!("{{ {kind} }}")));
                }
                fields
            }
            _ => return None,
        })
    }
}

/// The column of where units are, which rules read and write by other names.
fn place() -> usize {
    usize::from(Schema::PLACE)
}

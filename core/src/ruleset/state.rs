//! What the game remembers: declared properties compiled to columns of whole numbers.

use super::{
    Provenance,
    kind::{self, Kind},
    reading::Reader,
    symbols::Symbols,
    texts,
};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    yaml::{Node, Value},
};

/// Who has a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Holder {
    Unit,
    Side,
    Space,
    Card,
    Game,
    Record(u8),
}

/// When core resets a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lifetime {
    /// Only rules change it.
    Game,
    /// Reset when this place of the sequence is left.
    Place(String),
}

/// Who is told a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seen {
    /// Everybody.
    #[default]
    ByAll,
    /// The side that has it, or owns what has it.
    ByOwner,
    /// Nobody: it lies face down for all.
    ByNobody,
}

/// A property of the state.
#[derive(Debug, Clone)]
pub struct Column {
    /// Who has it.
    pub holder: Holder,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Least and greatest value.
    pub range: (i32, i32),
    /// The value nobody has written yet.
    pub default: i32,
    /// When it is reset.
    pub lasts: Lifetime,
    /// How the log tells a change: `{of}`, `{value}`; empty means it is not told.
    pub say: String,
    /// Whether the board puts a sign beside a counter while this is not at its default.
    pub sign: bool,
    /// Who is told it.
    pub seen: Seen,
    /// Whether, while this flag is set, other sides may not know which counter or card it is.
    pub conceals: bool,
    /// Whether the side that it names owns the card or space.
    pub owns: bool,
    /// First cell in the state.
    pub base: usize,
    /// How many cells.
    pub count: usize,
}

/// A kind of record: something declared that comes and goes.
#[derive(Debug, Clone)]
pub struct RecordKind {
    /// Its name.
    pub name: String,
    /// At most so many at once.
    pub most: usize,
    /// The column that says which exist.
    pub exists: u16,
}

/// All columns of a game.
#[derive(Debug, Clone, Default)]
pub struct Schema {
    /// Lists of named values.
    pub symbols: Vec<Symbols>,
    /// Columns; the first is the place of units, then `turn` and `phasing` of the game.
    pub columns: Vec<Column>,
    /// Kinds of record.
    pub records: Vec<RecordKind>,
    /// Cells in all.
    pub cells: usize,
    /// How many sides there are.
    pub sides: usize,
}

/// Something that is written apart from the rest of the state, for those who keep what they derive until it is
/// written again: a property, and of units' properties those of one side's counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part(pub u16);

impl Schema {
    /// The place of every unit: a space, or a box counted from the number of spaces.
    pub const PLACE: u16 = 0;
    /// The game turn, from 1.
    pub const TURN: u16 = 1;
    /// The side whose player turn it is.
    pub const PHASING: u16 = 2;

    /// How many parts the state has.
    pub fn parts(&self) -> usize {
        self.columns.len() * self.sides.max(1)
    }

    /// The part that a column of one side's counters is; of all other columns, `side` is 0.
    pub fn part(&self, column: u16, side: i32) -> Part {
        Part(column * self.sides.max(1) as u16 + side as u16)
    }

    /// What a column holds; of where units are that is a space, or a box.
    pub fn kind(&self, column: u16) -> Kind {
        if column == Schema::PLACE { Kind::Space } else { self.columns[column as usize].kind }
    }

    /// How many parts a column of such things has.
    pub fn sides_of(&self, holder: Holder) -> i32 {
        if holder == Holder::Unit { self.sides.max(1) as i32 } else { 1 }
    }

    /// The parts of a whole column.
    pub fn parts_of(&self, column: u16) -> impl Iterator<Item = Part> + '_ {
        (0..self.sides_of(self.columns[column as usize].holder)).map(move |side| self.part(column, side))
    }

    /// The list of symbols of that name.
    pub fn symbols(&self, name: &str) -> Option<u16> {
        self.symbols.iter().position(|s| s.name == name).map(|at| at as u16)
    }

    /// The list of symbols that a node names.
    pub(super) fn symbols_at(&self, node: &Node, found: &mut Diagnostics) -> Option<u16> {
        let text = node.as_text(found);
        let list = self.symbols(&text);
        if list.is_none() {
            let help = suggest(&text, self.symbols.iter().map(|s| s.name.as_str()));
            found.error("unknown-name", &node.span, format!("there is no list of symbols `{text}`"), help);
        }
        list
    }

    /// The column that says who owns such a card or space.
    pub fn owner_of(&self, holder: Holder) -> Option<u16> {
        self.columns.iter().position(|c| c.holder == holder && c.owns).map(|at| at as u16)
    }

    /// What a direction is; nothing on a map of areas.
    pub fn direction(&self) -> Option<Kind> {
        self.symbols(Symbols::DIRECTION).map(Kind::Symbol)
    }

    /// The column of that holder and name.
    pub fn column(&self, holder: Holder, name: &str) -> Option<u16> {
        self.columns.iter().position(|c| c.holder == holder && c.name == name).map(|at| at as u16)
    }
}

/// A printed value of every unit, side or card.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Who has it.
    pub holder: Holder,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Least and greatest value.
    pub range: (i32, i32),
    /// By index of the holder.
    pub values: Vec<i32>,
    /// By index of the holder.
    pub from: Vec<Provenance>,
}

/// A property by where its value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// A column of the state.
    State(u16),
    /// A printed attribute.
    Fixed(u16),
}

impl Property {
    /// Finds a property.
    pub fn find(holder: Holder, name: &str, schema: &Schema, attributes: &[Attribute]) -> Option<Property> {
        if let Some(column) = schema.column(holder, name) {
            return Some(Property::State(column));
        }
        let at = attributes.iter().position(|a| a.holder == holder && a.name == name)?;
        Some(Property::Fixed(at as u16))
    }

    /// Names of all properties of a holder.
    pub fn names<'a>(holder: Holder, schema: &'a Schema, attributes: &'a [Attribute]) -> impl Iterator<Item = &'a str> {
        let state = schema.columns.iter().filter(move |c| c.holder == holder).map(|c| c.name.as_str());
        let fixed = attributes.iter().filter(move |a| a.holder == holder).map(|a| a.name.as_str());
        state.chain(fixed)
    }
}

/// How many of each holder there are.
pub(super) struct Counts {
    pub units: usize,
    pub sides: usize,
    pub spaces: usize,
    pub cards: usize,
    pub boxes: usize,
}

/// Reads `state:` into the schema, whose symbols are already there.
pub(super) fn read(schema: &mut Schema, node: Option<&Node>, counts: &Counts, reader: &mut Reader<'_>) {
    schema.sides = counts.sides;
    let places = (counts.spaces + counts.boxes) as i32;
    push(schema, Holder::Unit, "place", Kind::Int, (-1, places - 1), -1, counts);
    push(schema, Holder::Game, "turn", Kind::Int, (0, 10_000), 0, counts);
    push(schema, Holder::Game, "phasing", Kind::Side, (0, counts.sides as i32 - 1), 0, counts);
    let Some(node) = node else { return };
    let mut fields = node.fields(reader.found);
    // The kinds of record come first, because a property may hold one.
    let records = fields.may("records");
    for (name, record) in records.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let most = record.get("at-most").map_or(16, |n| n.as_int(1, 4096, reader.found)) as usize;
        let name = name.as_text(reader.found);
        schema.records.push(RecordKind { name, most, exists: 0 });
    }
    for (at, (_, record)) in records.map(|n| n.entries(reader.found)).unwrap_or_default().iter().enumerate() {
        let mut fields = record.fields(reader.found);
        fields.may("at-most");
        let lasts = lifetime(fields.may("lasts"), reader);
        let holder = Holder::Record(at as u8);
        let exists = push(schema, holder, "exists", Kind::Flag, (0, 1), 0, counts);
        schema.columns[exists as usize].lasts = lasts;
        schema.records[at].exists = exists;
        for (name, property) in fields.may("has").map(|n| n.entries(reader.found)).unwrap_or_default() {
            self::property(schema, holder, name, property, counts, reader);
        }
        fields.finish(reader.found);
    }
    let holders = [
        ("unit", Holder::Unit),
        ("side", Holder::Side),
        ("space", Holder::Space),
        ("card", Holder::Card),
        ("game", Holder::Game),
    ];
    for (key, holder) in holders {
        for (name, property) in fields.may(key).map(|n| n.entries(reader.found)).unwrap_or_default() {
            self::property(schema, holder, name, property, counts, reader);
        }
    }
    fields.finish(reader.found);
}

fn property(schema: &mut Schema, holder: Holder, name: &Node, node: &Node, counts: &Counts, reader: &mut Reader<'_>) {
    let id = name.as_text(reader.found);
    if schema.column(holder, &id).is_some() {
        reader.found.error("twice", &name.span, format!("`{id}` is declared twice"), "delete one of the two");
        return;
    }
    let short = node.text().is_some();
    if short {
        let (kind, range) = kind::read(node, schema, counts, reader);
        let default = first(kind, range);
        push(schema, holder, &id, kind, range, default, counts);
        return;
    }
    let mut fields = node.fields(reader.found);
    let Some(is) = fields.must("is", reader.found) else { return };
    let (kind, range) = kind::read(is, schema, counts, reader);
    let default = fields.may("default");
    if default.is_none() && matches!(kind, Kind::Symbol(_)) {
        let help = "write `default: nothing`, or one of its values";
        reader.found.error("missing", &name.span, format!("`{id}` needs the value it begins with"), help);
    }
    let default = default.map_or_else(|| first(kind, range), |n| kind::value(n, kind, range, schema, reader));
    let at = push(schema, holder, &id, kind, range, default, counts);
    let lasts = lifetime(fields.may("lasts"), reader);
    let blanks = ["of", "value", "is", "turn", "before"];
    let say = fields.may("say").map(|n| texts::sentence(n, &blanks, reader)).unwrap_or_default();
    let sign = fields.may("sign").is_some_and(|n| n.as_flag(reader.found));
    let owns = fields.may("owns");
    if let Some(node) = owns.filter(|_| !matches!(holder, Holder::Card | Holder::Space) || kind != Kind::Side) {
        let help = if kind == Kind::Side {
            "delete it: units and sides are their own"
        } else {
            "delete it, or write `is: side`"
        };
        reader.found.error("kind", &node.span, "only a side that a card or a space has owns it", help);
    }
    let owns = owns.is_some_and(|n| n.as_flag(reader.found));
    if owns && schema.owner_of(holder).is_some() {
        reader.found.error("twice", &name.span, "another property says already who owns it", "keep one of the two");
    }
    let seen = seen(fields.may("seen"), holder, reader);
    let conceals = fields.may("conceals");
    if let Some(node) = conceals.filter(|_| !matches!(holder, Holder::Unit | Holder::Card) || kind != Kind::Flag) {
        let help = "delete it, or write `is: flag`";
        reader.found.error("kind", &node.span, "only a flag of units or cards conceals", help);
    }
    let conceals = conceals.is_some_and(|n| n.as_flag(reader.found));
    fields.may("cite");
    fields.finish(reader.found);
    let column = &mut schema.columns[at as usize];
    (column.lasts, column.say, column.sign) = (lasts, say, sign);
    (column.seen, column.conceals, column.owns) = (seen, conceals, owns);
}

fn seen(node: Option<&Node>, holder: Holder, reader: &mut Reader<'_>) -> Seen {
    let Some(node) = node else { return Seen::ByAll };
    let text = node.as_text(reader.found);
    match (text.as_str(), holder) {
        ("all", _) => Seen::ByAll,
        ("owner", Holder::Unit | Holder::Side | Holder::Card | Holder::Space) => Seen::ByOwner,
        ("nobody", _) => Seen::ByNobody,
        ("owner", _) => {
            reader.found.error("kind", &node.span, "this has no owner", "write `seen: all` or `seen: nobody`");
            Seen::ByAll
        }
        (other, _) => {
            let help = suggest(other, ["all", "owner", "nobody"]);
            reader.found.error("unknown-name", &node.span, format!("`{other}` says not who sees it"), help);
            Seen::ByAll
        }
    }
}

fn lifetime(node: Option<&Node>, reader: &mut Reader<'_>) -> Lifetime {
    match node.map(|n| n.as_text(reader.found)) {
        None => Lifetime::Game,
        Some(text) if text == "game" => Lifetime::Game,
        Some(place) => Lifetime::Place(place),
    }
}

fn first(kind: Kind, range: (i32, i32)) -> i32 {
    match kind {
        Kind::Int => 0.clamp(range.0, range.1),
        Kind::Flag | Kind::Symbol(_) => 0,
        _ => -1,
    }
}

fn push(
    schema: &mut Schema,
    holder: Holder,
    name: &str,
    kind: Kind,
    range: (i32, i32),
    default: i32,
    counts: &Counts,
) -> u16 {
    let count = match holder {
        Holder::Unit => counts.units,
        Holder::Side => counts.sides,
        Holder::Space => counts.spaces,
        Holder::Card => counts.cards,
        Holder::Game => 1,
        Holder::Record(r) => schema.records[r as usize].most,
    };
    let base = schema.cells;
    schema.cells += count;
    let (name, say, lasts) = (name.to_owned(), String::new(), Lifetime::Game);
    let (sign, conceals, owns, seen) = (false, false, false, Seen::ByAll);
    let column = Column { holder, name, kind, range, default, lasts, say, sign, seen, conceals, owns, base, count };
    schema.columns.push(column);
    (schema.columns.len() - 1) as u16
}

/// Cells of a state, which is copied at every turn of play; and columns by sides, which are counted in 16 bits.
const MOST_CELLS: usize = 2_000_000;
const MOST_PARTS: usize = 20_000;

/// Checks that the state is no larger than can be kept.
pub(super) fn check_size(schema: &Schema, span: &Span, reader: &mut Reader<'_>) {
    let cells = (schema.cells, MOST_CELLS, "values: properties times the things that have them");
    let parts = (schema.parts(), MOST_PARTS, "properties times sides");
    for (count, most, what) in [cells, parts, (schema.records.len(), usize::from(u8::MAX), "kinds of record")] {
        if count > most {
            reader.found.error("too-many", span, format!("{count} {what}: {most} can be kept"), "declare fewer");
        }
    }
}

/// Checks that what only its owner is told has one.
pub(super) fn check_owners(schema: &Schema, span: &Span, reader: &mut Reader<'_>) {
    for column in schema.columns.iter().filter(|c| matches!(c.holder, Holder::Card | Holder::Space)) {
        let hides = column.seen == Seen::ByOwner || column.conceals;
        if hides && schema.owner_of(column.holder).is_none() {
            let message = format!("`{}` is kept from all but its owner, and nothing says who that is", column.name);
            let help = "declare a side beside it: `held-by: { is: side, owns: true }`";
            reader.found.error("missing", span, message, help);
        }
    }
}

/// Checks that every lifetime names a place of the sequence.
pub(super) fn check_lifetimes(schema: &Schema, places: &[String], node: Option<&Node>, reader: &mut Reader<'_>) {
    for column in &schema.columns {
        if let Lifetime::Place(place) = &column.lasts
            && !places.contains(place)
        {
            let help = suggest(place, places.iter().map(String::as_str));
            let message = format!("`{}` lasts for `{place}`, which is no place of the sequence", column.name);
            let at = node.and_then(|node| lasts_for(node, place)).or(node);
            let span = at.map_or_else(Span::default, |at| at.span.clone());
            reader.found.error("unknown-name", &span, message, help);
        }
    }
}

/// Where something is first said to last for a place.
fn lasts_for<'a>(node: &'a Node, place: &str) -> Option<&'a Node> {
    let Value::Map(entries) = &node.value else { return None };
    let here = node.get("lasts").filter(|lasts| lasts.text() == Some(place));
    here.or_else(|| entries.iter().find_map(|(_, inner)| lasts_for(inner, place)))
}

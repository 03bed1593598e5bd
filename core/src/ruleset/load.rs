//! From texts to a [`Ruleset`]: read, amend, understand, check.

use std::sync::Arc;

use super::{
    Attribute, Card, Cite, Edit, EditKind, Holder, HoldingBox, Keys, Kind, Provenance, Ruleset, Schema, Setting, Side,
    Symbols, VersionName, amendment, arrivals, asserted, board, contacts, content,
    defined::{self, Defined},
    looks, measures, movers, names, players, printed, ranking,
    reading::Reader,
    rows::{Names, Unread},
    rulebook, rules, scenario, sequence, state, symbols, tables, texts, units,
    variant::Variant,
    verbs, watched,
};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    library::Library,
    yaml::{self, Node, Value},
};

/// Which version to load.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The version.
    pub version: VersionName,
    /// Single values changed on top of it: path and value.
    pub set: Vec<(String, String)>,
    /// Edits made on top of it: the counters and tables that examples bring.
    pub change: Vec<Edit>,
    /// Players once more, with other weights.
    pub variants: Vec<Variant>,
    /// The path in the library of a file whose `assert:` holds for every scenario too.
    pub assert: Option<String>,
    /// The text of another map to play on, without the ruleset's scenarios: the little maps of examples.
    pub map: Option<String>,
}

/// Ids of the rulesets in a library.
pub fn available(library: &Library) -> Vec<String> {
    let mut ids: Vec<String> = library
        .under("rulesets/")
        .filter_map(|(path, _)| path.strip_prefix("rulesets/")?.strip_suffix("/ruleset.yaml").map(str::to_owned))
        .filter(|id| !id.contains('/'))
        .collect();
    ids.dedup();
    ids
}

/// A ruleset that can be used.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The ruleset.
    pub ruleset: Arc<Ruleset>,
    /// What works, but probably not as its author thinks.
    pub warnings: Diagnostics,
}

impl Ruleset {
    /// Loads a ruleset in a version, with everything about it that its rule files do not say.
    ///
    /// # Errors
    /// When its content is wrong: with everything found, for loading goes on past every fault.
    pub fn load(library: &Library, id: &str, selection: &Selection) -> Result<Loaded, Diagnostics> {
        whole(library, id, selection).map(|(loaded, _)| loaded)
    }
}

/// The file that values stand in which somebody asks for beside the content; each at its place among them.
const SET: &str = "--set";

/// Loads a ruleset, and hands back the tree of its content with it, as the version has amended it.
pub(super) fn whole(library: &Library, id: &str, selection: &Selection) -> Result<(Loaded, Node), Diagnostics> {
    let mut found = Diagnostics::default();
    let understood = understand(library, id, selection, &mut found);
    // What is asked for stands in no line that could be shown.
    for one in found.list.iter_mut().filter(|one| &*one.span.file == SET) {
        if let Some((path, value)) = selection.set.get(one.span.start).filter(|(path, _)| !one.message.contains(path)) {
            one.message = format!("{path}={value}: {}", one.message);
        }
    }
    match understood.filter(|_| found.is_usable()) {
        Some((ruleset, tree)) => Ok((Loaded { ruleset: Arc::new(ruleset), warnings: found }, tree)),
        None => Err(found),
    }
}

/// Reads, amends and understands; `None` only where there is no map to play on.
fn understand(library: &Library, id: &str, selection: &Selection, found: &mut Diagnostics) -> Option<(Ruleset, Node)> {
    let mut content = content::read(library, id, found);
    let manifest = format!("rulesets/{id}/ruleset.yaml");
    if library.text(&manifest).is_none() {
        let games = available(library);
        let help = suggest(id, games.iter().map(String::as_str));
        found.error("no-ruleset", &Span::file(&manifest), format!("there is no ruleset `{id}`"), help);
        return None;
    }
    if !found.is_usable() {
        // A file that cannot be read as YAML leaves holes; what falls into them is not worth telling.
        return None;
    }
    let mut carried = std::mem::take(&mut content.amendments);
    let told = found.list.len();
    let mut amendments = amendment::read(&mut carried, library, found);
    let versions = content.tree.get("versions").cloned();
    amendment::choose(&mut amendments, versions.as_ref(), &selection.version, &manifest, found);
    amendment::spare(&amendments, &mut found.list[told..]);
    if amendment::is_torn(&amendments, &carried) {
        return None;
    }
    amendment::join(&mut content, carried, &amendments, found);
    let map_id = content.tree.get("map").and_then(Node::text).unwrap_or("").to_owned();
    let map_path = format!("maps/{map_id}.yaml");
    found.extend(library.faults(&map_path));
    let map_node = match &selection.map {
        Some(text) => Some(yaml::parse(&map_path, text, found)),
        None => library.tree(&map_path, found),
    };
    let calls_itself = map_node.as_ref().and_then(|node| node.get("map")).filter(|_| selection.map.is_none());
    if let Some(name) = calls_itself.filter(|name| name.text() != Some(&map_id)) {
        let message = format!("the map calls itself `{}`, and its file is `{map_id}`", name.text().unwrap_or_default());
        found.error("name", &name.span, message, "use one name");
    }
    // Scenarios and the map stand in the tree while it is amended, so that amendments can reach them.
    let is_mapped = map_node.is_some();
    if let Value::Map(tree) = &mut content.tree.value {
        let key = Node { value: Value::Text("scenarios".into()), span: Span::file(&manifest) };
        let tree = Arc::make_mut(tree);
        tree.push((key, Node { value: Value::list(content.scenarios), span: Span::file(&manifest) }));
        if let (Some((_, named)), Some(node)) = (tree.iter_mut().find(|(k, _)| k.text() == Some("map")), map_node) {
            *named = node;
        }
    }
    amendment::apply(&mut content.tree, &amendments, found);
    let mut set = Vec::new();
    for (at, (path, value)) in selection.set.iter().enumerate() {
        let span = Span { start: at, ..Span::file(SET) };
        let named = path.strip_prefix("settings/").unwrap_or(path);
        if content.tree.get("settings").is_some_and(|settings| settings.get(named).is_some()) {
            let help = format!("write settings/{named}/default={value}");
            found.error("no-path", &span, format!("a setting has several keys, and `{path}` names none"), help);
            continue;
        }
        let now = Node { value: Value::Text(value.into()), span: span.clone() };
        set.push(Edit { path: path.clone(), how: EditKind::Set(None, now), span });
    }
    selection.change.iter().cloned().chain(set).for_each(|edit| edit.apply(&mut content.tree, found));
    selection.variants.iter().for_each(|variant| variant.lay(&mut content.tree, &mut content.players, found));
    let tree = &content.tree;
    names::check(tree, found);
    let Some(map_node) = tree.get("map").filter(|_| is_mapped) else {
        let maps: Vec<&str> =
            library.under("maps/").filter_map(|(p, _)| p.strip_prefix("maps/")?.strip_suffix(".yaml")).collect();
        let span = tree.get("map").map_or_else(|| Span::file(&manifest), |n| n.span.clone());
        if library.faults(&map_path).next().is_none() {
            found.error("no-map", &span, format!("there is no map `{map_id}`"), suggest(&map_id, maps));
        }
        return None;
    };
    let read = content::read_map(library, map_node);
    found.take(&read.faults);
    let map = read.map.clone()?;
    let book = rulebook::read(tree.get("rulebook"), found);
    let mut rules = rules::read(&content.rules, &amendments, &book, found);
    let mut fields = tree.fields(found);
    let mut reader =
        Reader { found, map: &map, rulebook: &book, sides: Vec::new(), units: Vec::new(), boxes: Vec::new() };
    let (sides, side_ids) = sides(fields.must("sides", reader.found), &mut reader);
    let (boxes, box_ids) = boxes(fields.may("boxes"), &mut reader);
    if sides.is_empty() && !reader.found.is_usable() {
        return None; // nearly all that follows names one
    }
    reader.sides = side_ids;
    reader.boxes = box_ids;
    let unit_nodes = fields.may("units");
    let card_nodes = fields.may("cards");
    reader.units = units::ids(unit_nodes, &mut reader);
    let card_ids = units::ids(card_nodes, &mut reader);
    let types = units::types(fields.may("types"), &mut reader);
    let counts = state::Counts {
        units: reader.units.len(),
        sides: sides.len(),
        spaces: map.len(),
        cards: card_ids.len(),
        boxes: boxes.len(),
    };
    let mut schema = Schema { symbols: symbols::read(fields.may("symbols"), &mut reader), ..Schema::default() };
    let type_names = types.iter().map(|(name, _)| name.clone()).collect();
    schema.symbols.push(Symbols { name: "type".into(), values: type_names, says: Vec::new(), in_order: true });
    let type_list = (schema.symbols.len() - 1) as u16;
    state::read(&mut schema, fields.may("state"), &counts, &mut reader);
    let state_span = fields.may("state").map_or_else(|| Span::file(&manifest), |n| n.span.clone());
    state::check_size(&schema, &state_span, &mut reader);
    if !reader.found.is_usable() && schema.parts() > usize::from(u16::MAX) {
        return None; // what counts in 16 bits would come out wrong below
    }
    let mut attributes = own_attributes(&counts, type_list);
    let declared = fields.may("attributes");
    let mut cards_at = 0;
    for (name, holder) in tables::HOLDERS {
        if holder == Holder::Card {
            cards_at = attributes.len();
        }
        let count = if holder == Holder::Unit { counts.units } else { counts.cards };
        let node = declared.and_then(|n| n.get(name));
        attributes.extend(units::attributes(holder, node, count, &schema, &counts, &mut reader));
    }
    let units_read = units::units(unit_nodes, &types, &mut attributes[..cards_at], &schema, &mut reader);
    let cards = read_cards(card_nodes, &mut attributes[cards_at..], &schema, &mut reader);
    units::side_attributes(fields.may("sides"), declared, &counts, &schema, &mut attributes, &mut reader);
    let (spaces, is_own) = (fields.may("spaces"), selection.map.is_none());
    units::space_attributes(spaces, declared, is_own, &counts, &schema, &mut attributes, &mut reader);
    let space_names = units::space_names(spaces, &mut reader);
    let formations = arrivals::formations(fields.may("formations"), &attributes, &mut reader);
    let faces = looks::faces(&mut fields, &types, &attributes, &mut reader);
    let signs = looks::signs(&types, &mut reader);
    let settings = read_settings(fields.may("settings"), &mut reader);
    let (side_names, unit_names, box_names) = (reader.sides.clone(), reader.units.clone(), reader.boxes.clone());
    let mover_names = fields.may("movers").map(Node::keys).unwrap_or_default();
    let later: Vec<String> =
        ["terms", "sets"].into_iter().filter_map(|key| tree.get(key)).flat_map(Node::keys).collect();
    let base = Names {
        kept: library.kept(),
        map: &map,
        sides: &side_names,
        schema: &schema,
        attributes: &attributes,
        units: &unit_names,
        boxes: &box_names,
        cards: card_ids.len(),
        terms: &[],
        zones: &[],
        sights: &[],
        sets: &[],
        movers: &mover_names,
        settings: &settings,
        rows: &[],
        numbers: &[],
        unread: Unread { later: &later, ..Unread::default() },
    };
    let zones = tables::zones(fields.may("zones"), &base, &mut reader);
    let base = Names { zones: &zones, ..base };
    let sights = tables::sights(fields.may("sights"), &base, &mut reader);
    let base = Names { sights: &sights, ..base };
    let Defined { terms, sets, wrong } = defined::read(fields.may("terms"), fields.may("sets"), &base, &mut reader);
    let unread = Unread { wrong: &wrong, ..Unread::default() };
    let names = Names { terms: &terms, sets: &sets, unread, ..base };
    let rows = tables::rows(&mut fields, &names, &mut reader);
    let arrivals = arrivals::read(fields.may("arrivals"), &names, &mut reader);
    let printed = printed::tables(fields.may("tables"), &names, &mut reader);
    let board = board::read(fields.may("board"), &rows, &zones, &names, &mut reader);
    let movers = movers::movers(fields.may("movers"), &rows, &names, &mut reader);
    let retreats = contacts::retreats(fields.may("retreats"), &rows, &names, &mut reader);
    let contacts = contacts::contacts(fields.may("contacts"), &rows, &names, &mut reader);
    let sequence = sequence::read(fields.must("sequence", reader.found), &rules, &names, &mut reader);
    let places: Vec<String> = sequence.places.iter().map(|p| p.name.clone()).collect();
    state::check_lifetimes(&schema, &places, fields.may("state"), &mut reader);
    state::check_owners(&schema, &state_span, &mut reader);
    let verbs = verbs::verbs(fields.may("verbs"), &schema, &places, &rows, &mut reader);
    let questions =
        verbs::questions(fields.may("questions"), &names, (&verbs, &rows, &movers), &mut rules, &mut reader);
    let chances = verbs::chances(fields.may("chance"), &names, &mut reader);
    let measures = measures::measures(fields.may("measures"), &sequence, &names, &mut reader);
    let victory = measures::victory(fields.may("victory"), &measures, &sides, &names, &mut reader);
    let mut all_terms = terms.clone();
    let asking = Names { rows: &rows, ..names };
    let speak = (&*verbs, &*questions);
    let (sheets, files) = (fields.may("players"), &*content.players);
    let (known, faults) = (all_terms.len(), reader.found.list.len());
    let mut players = players::players(sheets, files, speak, &asking, &mut all_terms, &mut reader);
    // Players may speak of places by name. On another map, which may lack them, such players do not play.
    if !is_own && reader.found.list.len() > faults {
        reader.found.list.truncate(faults);
        all_terms.truncate(known);
        players.clear();
    }
    let notes = texts::notes(fields.may("notes"), &names, &mut reader);
    let texts = texts::texts(fields.may("texts"), &mut reader);
    let standing = watched::standing(fields.may("standing"), &rules, &names, &mut reader);
    let invariants = watched::invariants(fields.may("always"), &places, &names, &mut reader);
    let also = selection.assert.as_ref().and_then(|path| library.tree(path, reader.found));
    let also_asserted = match &also {
        None => Vec::new(),
        Some(node) => {
            let mut fields = node.fields(reader.found);
            let node = fields.must("assert", reader.found);
            fields.finish(reader.found);
            asserted::assertions(node, None, &sequence, &names, &mut reader)
        }
    };
    let mut scenarios = Vec::new();
    let listed = fields.may("scenarios").filter(|_| selection.map.is_none());
    for node in listed.map(|n| n.items(reader.found)).unwrap_or_default() {
        let mut scenario = scenario::read(node, (&schema, names.attributes), &sequence, &rules, &mut reader);
        let mut asserted =
            asserted::assertions(node.get("assert"), Some(scenario.turns), &sequence, &names, &mut reader);
        asserted.extend(also_asserted.iter().cloned());
        scenario.asserted = asserted.into();
        let is_same = |other: &scenario::Scenario| other.id == scenario.id;
        if let Some(name) = node.get("scenario").filter(|_| scenarios.iter().any(is_same)) {
            let message = format!("two scenarios are called `{}`", scenario.id);
            reader.found.error("twice", &name.span, message, "nobody could play this one: give it another name");
        }
        scenarios.push(scenario);
    }
    if listed.is_some() && scenarios.is_empty() {
        let help = format!("write one in rulesets/{id}/scenarios/NAME.yaml");
        reader.found.warning("missing", &Span::file(&manifest), "there is no scenario, and nothing to play", help);
    }
    let played = listed.is_some().then_some(&*scenarios);
    let ladder = ranking::ladder(
        fields.may("ladder").filter(|_| is_own),
        &selection.version,
        played,
        &side_names,
        &players,
        reader.found,
    );
    let id_text = fields.must("ruleset", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
    if id_text != id {
        let message = format!("the ruleset calls itself `{id_text}`, and its folder is `{id}`");
        reader.found.error("name", &Span::file(&manifest), message, "use one name");
    }
    let title = fields.may("title").map_or_else(|| id.to_owned(), |n| units::title(n, reader.found));
    let about = fields.text("about", reader.found).unwrap_or_default();
    let credits = fields.texts("credits", reader.found);
    let turns = fields.texts("turns", reader.found);
    let last = sequence.last_turn(i32::MAX);
    if let Some(node) = fields.may("turns").filter(|_| turns.len() != last as usize && last != i32::MAX) {
        let message = format!("{} turns have names, and the sequence of play has {last}", turns.len());
        reader.found.warning("turns", &node.span, message, "name every turn, or none");
    }
    for key in ["map", "versions", "rulebook", "sources", "attributes"] {
        fields.may(key);
    }
    // What an amendment declares of itself has been read before what it carries.
    let is_amending = |key: &Node| amendments.iter().any(|amendment| amendment.has(&key.span.file));
    fields.finish_beside(|key| if is_amending(key) { &amendment::OWN } else { &[] }, reader.found);
    let rule_names: Vec<String> = rules.iter().map(|r| r.name.clone()).collect();
    if selection.map.is_none() {
        rulebook::check(&book, tree, &rule_names, reader.found);
    }
    let parts = content::parts(tree, &read, &content.rules);
    let mut ruleset = Ruleset {
        id: id.to_owned(),
        title,
        version: selection.version.clone(),
        about,
        credits,
        sides,
        turns,
        boxes,
        types: types.into_iter().map(|(name, _)| name).collect(),
        faces,
        signs,
        units: units_read,
        cards,
        attributes,
        schema,
        rows,
        terms: all_terms,
        zones,
        sights,
        sets,
        tables: printed,
        arrivals,
        board,
        measures,
        victory,
        formations,
        space_names,
        movers,
        retreats,
        contacts,
        verbs,
        questions,
        chances,
        notes,
        texts,
        sequence,
        standing,
        invariants,
        rules,
        settings,
        amendments,
        versions: versions.map_or_else(Vec::new, |named| amendment::named(&named, found)),
        scenarios,
        sources: content.rules.iter().map(|file| (file.path.clone(), file.text.clone())).collect(),
        judgements: players,
        ladder,
        parts,
        rulebook: book,
        map,
        kept: Arc::downgrade(library.kept()),
        keys: Keys::default(),
    };
    ruleset.keys = Keys::new(&ruleset);
    Some((ruleset, content.tree))
}

/// What every counter and side has without being told: `unit.side`, `unit.type`.
fn own_attributes(counts: &state::Counts, types: u16) -> Vec<Attribute> {
    let attribute = |name: &str, kind| Attribute {
        holder: Holder::Unit,
        name: name.into(),
        kind,
        range: (0, i32::MAX),
        values: vec![0; counts.units],
        from: vec![Provenance::Printed; counts.units],
    };
    vec![attribute("side", Kind::Side), attribute("type", Kind::Symbol(types))]
}

/// Ids and names of a list of maps.
fn named(node: Option<&Node>, reader: &mut Reader<'_>) -> Vec<(String, String)> {
    let ids = units::ids(node, reader);
    let items = node.map(|n| n.items(reader.found)).unwrap_or_default();
    let named: Vec<(String, String)> =
        ids.into_iter().zip(items).map(|(id, item)| (id.clone(), units::name(item, &id, reader))).collect();
    let names: Vec<&str> = named.iter().map(|(_, name)| name.as_str()).collect();
    units::told_apart(items, &names, reader);
    named
}

fn sides(node: Option<&Node>, reader: &mut Reader<'_>) -> (Vec<Side>, Vec<String>) {
    let colors = looks::colors(node.map(|n| n.items(reader.found)).unwrap_or_default(), reader);
    let items = node.map(|n| n.items(reader.found)).unwrap_or_default().iter();
    let neutral: Vec<bool> = items.map(|item| item.get("neutral").is_some_and(|n| n.as_flag(reader.found))).collect();
    let named = named(node, reader).into_iter().zip(colors).zip(neutral);
    let sides: Vec<Side> = named.map(|(((id, name), color), neutral)| Side { id, name, color, neutral }).collect();
    if let Some(node) = node.filter(|_| !sides.is_empty() && sides.iter().all(|side| side.neutral)) {
        reader.found.error("missing", &node.span, "every side is neutral, and nobody plays", "let one take part");
    }
    let ids = sides.iter().map(|side| side.id.clone()).collect();
    (sides, ids)
}

fn boxes(node: Option<&Node>, reader: &mut Reader<'_>) -> (Vec<HoldingBox>, Vec<String>) {
    let boxes: Vec<HoldingBox> = named(node, reader).into_iter().map(|(id, name)| HoldingBox { id, name }).collect();
    let ids = boxes.iter().map(|holding| holding.id.clone()).collect();
    (boxes, ids)
}

fn read_cards(
    node: Option<&Node>,
    attributes: &mut [Attribute],
    schema: &Schema,
    reader: &mut Reader<'_>,
) -> Vec<Card> {
    let mut cards = Vec::new();
    for (at, item) in node.map(|n| n.items(reader.found)).unwrap_or_default().iter().enumerate() {
        let id = item.get("id").map(|n| n.as_text(reader.found)).unwrap_or_default();
        let name = units::name(item, &id, reader);
        units::fill(item, at, attributes, schema, reader, &["id", "name", "from", "halves"]);
        let mut halves = vec![Cite::NONE; reader.sides.len()];
        for (side, half) in item.get("halves").map(|n| n.entries(reader.found)).unwrap_or_default() {
            let cite = reader.cite_node(half);
            if let Some(side) = reader.side(side) {
                halves[side as usize] = cite;
            }
        }
        cards.push(Card { id, name, halves });
    }
    cards
}

fn read_settings(node: Option<&Node>, reader: &mut Reader<'_>) -> Vec<Setting> {
    let mut settings = Vec::new();
    for (name, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let mut fields = body.fields(reader.found);
        let id = name.as_text(reader.found);
        let (mut values, mut says) = (Vec::new(), Vec::new());
        for (value, text) in fields.must("values", reader.found).map(|n| n.entries(reader.found)).unwrap_or_default() {
            values.push(value.as_text(reader.found));
            says.push(texts::plain(text, reader));
        }
        let default_node = fields.must("default", reader.found);
        let default = default_node.map(|n| n.as_text(reader.found)).unwrap_or_default();
        let cite = reader.must_cite(&mut fields);
        fields.finish(reader.found);
        if let Some(node) = default_node
            && !values.contains(&default)
        {
            let help = suggest(&default, values.iter().map(String::as_str));
            reader.found.error("setting", &node.span, format!("setting `{id}` has no value `{default}`"), help);
        }
        settings.push(Setting { id, values, says, value: default.clone(), default, cite });
    }
    settings
}

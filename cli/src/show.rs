//! `countermarch list` and `countermarch show`: what there is, as it stands in a version.

use std::sync::Arc;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use countermarch_cartography::draw::Picture;
use countermarch_core::{
    map::SpaceId,
    play::{Game, Limits},
    ruleset::{self, Holder, Kind, Provenance, Ruleset, Scenario, Selection, Setup},
    show::{Board, Palette, Sight, count, folded, overview_legend},
};
use serde_json::{Value, json};

use crate::{
    Which, amendments,
    content::{self, Asked, Content},
    overlays::Layers,
    picture::Drawing,
    players, questions, records, tables,
};

/// How wide players stand in `list`, where they may be on many ladders.
const WIDTH_OF_LIST: usize = 110;

/// What to show.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Topic {
    /// The board.
    Map,
    /// Counters with everything printed on them.
    Units,
    /// Tables and printed lists.
    Tables,
    /// Rules with their paragraphs.
    Rules,
    /// What sides are asked, and what questions offer by themselves.
    Questions,
    /// Every paragraph of the sources, in our words.
    Rulebook,
    /// How doubtful paragraphs are read, and what can be chosen.
    Readings,
    /// What can be changed, and what is.
    Amendments,
    /// When and where reinforcements arrive.
    Arrivals,
    /// Who plays by itself, by what weights, and how strong each was found to be.
    Players,
}

/// Shows a part of a game.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    which: Which,
    /// What to show.
    #[arg(value_enum)]
    topic: Topic,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    /// Say where values come from.
    #[arg(long)]
    provenance: bool,
    /// The scenario whose positions the map shows, or whose reinforcements arrive; the first without.
    #[arg(long)]
    scenario: Option<String>,
    #[command(flatten)]
    drawing: Drawing,
    #[command(flatten)]
    layers: Layers,
}

/// `countermarch list`.
pub fn list(game: Option<&str>, as_json: bool) -> Result<bool> {
    let content = content::open()?;
    let mut games = Vec::new();
    game.map_or(Ok(()), |game| content.named(game))?;
    for id in ruleset::available(&content.library).into_iter().filter(|id| game.is_none_or(|game| game == id)) {
        let from = content.origin(&id);
        let ruleset = match Ruleset::load(&content.library, &id, &Selection::default()) {
            Ok(loaded) => loaded.ruleset,
            Err(found) => {
                games.push(json!({ "game": id, "usable": false, "root": from, "errors": found.errors() }));
                if !as_json {
                    println!("{id} ({from}): cannot be used; see `countermarch check {id}`");
                    content.meant(&id).iter().chain(&content.added(&id)).for_each(|line| println!("{line}"));
                }
                continue;
            }
        };
        let ranked = players::ranked(&content.library, &ruleset);
        if !as_json {
            println!("{id} ({from})\n  {}", ruleset.title);
            content.meant(&id).iter().chain(&content.added(&id)).for_each(|line| println!("{line}"));
            for scenario in &ruleset.scenarios {
                let from = match scenario.from {
                    Provenance::Printed => String::new(),
                    from => format!(" ({})", from.word()),
                };
                println!("  scenario {:<12} {}{from}", scenario.id, scenario.title);
            }
            for (name, amendments) in ruleset.versions.iter().filter(|(_, amendments)| !amendments.is_empty()) {
                println!("  version  @{name:<11} {}", count(amendments.len(), "amendment", "amendments"));
            }
            for amendment in &ruleset.amendments {
                println!("  {:<14} +{:<14} {}", amendment.kind.word(), amendment.id, amendment.title);
            }
            print!("{}", folded(&players::listed(&ranked), WIDTH_OF_LIST));
        }
        games.push(json!({
            "game": id, "usable": true, "root": from, "added": content.library.added_from(&id), "title": ruleset.title,
            "scenarios": ruleset.scenarios.iter().map(|s| json!({ "id": s.id, "title": s.title, "from": s.from.word() })).collect::<Vec<_>>(),
            "versions": ruleset.versions.iter()
                .map(|(name, amendments)| json!({ "version": name, "amendments": amendments })).collect::<Vec<_>>(),
            "amendments": ruleset.amendments.iter()
                .map(|a| json!({ "id": a.id, "title": a.title, "kind": a.kind.word() })).collect::<Vec<_>>(),
            "bots": std::iter::once("random").chain(ruleset.judgements.iter().map(|p| &*p.name)).collect::<Vec<_>>(),
            "players": players::told(&ranked),
        }));
    }
    if as_json {
        println!("{}", Value::from(games));
    }
    content.astray().for_each(|(_, line)| eprintln!("{line}"));
    Ok(true)
}

/// `countermarch show`.
pub fn run(options: &Options) -> Result<bool> {
    let (content, asked) = content::find(&options.which)?;
    let ruleset = content.load(&asked)?;
    match options.topic {
        Topic::Map => map(&content, &asked, &ruleset, options)?,
        Topic::Units => units(&ruleset, options),
        Topic::Tables => tables::show(&ruleset, options.json),
        Topic::Rules => rules(&ruleset, options),
        Topic::Questions => questions::show(&ruleset, options.json),
        Topic::Rulebook => rulebook(&ruleset, options),
        Topic::Readings => readings(&ruleset, options),
        Topic::Amendments => amendments::show(&ruleset, options.json),
        Topic::Arrivals => arrivals(&ruleset, options)?,
        Topic::Players => players::show(&ruleset, options.json),
    }
    Ok(true)
}

fn map(content: &Content, asked: &Asked, ruleset: &Arc<Ruleset>, options: &Options) -> Result<()> {
    let layers = &options.layers;
    if let Some(file) = &layers.record {
        let opened = records::open(file, asked.folder.as_deref())?;
        if opened.ruleset.id != ruleset.id {
            bail!("{} is a record of {}, not of {}", file.display(), opened.ruleset.id, ruleset.id);
        }
        let session = records::play_to(&opened, layers.at, Limits::PLAY)?;
        return board(content, session.game(), options);
    }
    let mut game = Game::new(ruleset.clone(), 0);
    if let Some(scenario) = content::scenario_if_any(ruleset, options.scenario.as_deref())? {
        game.set_up(&ruleset.scenarios[scenario]);
    }
    board(content, &game, options)
}

fn board(content: &Content, game: &Game, options: &Options) -> Result<()> {
    let ruleset = &game.ruleset;
    let map = &ruleset.map;
    let (drawing, layers) = (&options.drawing, &options.layers);
    if !drawing.is_asked() && !layers.is_empty() {
        bail!("layers are drawn over a picture: add --svg, or --png FILE");
    }
    if drawing.is_asked() {
        let sources = content.ground(map);
        let (around, across) = (drawing.cut_out(map)?, drawing.across());
        let (overlays, game) = (layers.over(game)?, Some((game, Sight::ALL)));
        return drawing.write(&Picture { map, ground: sources.as_ref(), game, overlays, around, across });
    }
    if options.json {
        let bits = |names: &[String], set: u32| -> Vec<String> {
            names.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, n)| n.clone()).collect()
        };
        let spaces: Vec<Value> = map
            .spaces()
            .map(|s| {
                let here = map.space(s);
                let apart = here.from.apart().iter().map(|(what, from)| (what.clone(), from.word().into()));
                let apart: serde_json::Map<String, Value> = apart.collect();
                json!({ "space": here.name, "name": here.label, "terrain": bits(&map.terrains, here.terrain),
                        "level": here.level, "from": here.from.rest.word(), "from_apart": apart,
                        "printed": printed_of_space(ruleset, s) })
            })
            .collect();
        let roads: Vec<Value> = map
            .roads
            .iter()
            .map(|r| {
                let along: Vec<&str> = r.along.iter().map(|s| map.space(*s).name.as_str()).collect();
                json!({ "id": r.id, "name": r.name, "kind": map.road_kinds[r.kind], "along": along })
            })
            .collect();
        println!(
            "{}",
            json!({ "map": map.id, "title": map.title, "scale": map.scale, "spaces": spaces, "roads": roads })
        );
        return Ok(());
    }
    let around = drawing.cut_out(map)?;
    let (palette, sight) = (palette(), Sight::ALL);
    let board = Board { map, game: Some(game), around, marked: &[], palette, sight };
    let article = if map.grid.word().starts_with('a') { "an" } else { "a" };
    println!("{} ({} {article} {})\n", map.title, map.scale, map.grid.word());
    match around {
        Some((center, _)) => println!("{}", board.part(game, center)),
        None => println!("{}  {}", board.whole(), overview_legend(ruleset)),
    }
    Ok(())
}

/// What a game prints of a space beside its map, each value with where it comes from.
fn printed_of_space(ruleset: &Ruleset, space: SpaceId) -> Value {
    let of_spaces = ruleset.attributes.iter().filter(|a| a.holder == Holder::Space);
    let at = space.0 as usize;
    let shown =
        of_spaces.filter(|a| a.values[at] > 0 || a.values[at] == 0 && !matches!(a.kind, Kind::Int | Kind::Flag));
    let all = shown.map(|a| {
        let value = json!({ "value": ruleset.id_of(a.kind, a.values[at]), "from": a.from[at].word() });
        (a.name.clone(), value)
    });
    Value::Object(all.collect())
}

/// Colour where a person looks.
pub fn palette() -> Palette {
    use std::io::IsTerminal;
    if std::io::stdout().is_terminal() { Palette::Colour } else { Palette::Plain }
}

fn units(ruleset: &Ruleset, options: &Options) {
    let attributes: Vec<_> =
        ruleset.attributes.iter().filter(|a| a.holder == Holder::Unit && !matches!(a.kind, Kind::Flag)).collect();
    let mut rows = Vec::new();
    for (at, unit) in ruleset.units.iter().enumerate() {
        let mut all = serde_json::Map::new();
        let mut line = format!("{:<16}", unit.name);
        for a in &attributes {
            let value = a.values[at];
            let shown = if value < 0 { "-".to_owned() } else { ruleset.id_of(a.kind, value) };
            line.push_str(&format!(" {:>12}", format!("{shown}{}", a.from[at].dagger())));
            all.insert(a.name.clone(), json!({ "value": shown, "from": a.from[at].word() }));
        }
        rows.push((line, json!({ "id": unit.id, "name": unit.name, "printed": all })));
    }
    if options.json {
        println!("{}", Value::from(rows.into_iter().map(|(_, v)| v).collect::<Vec<_>>()));
        return;
    }
    let heads: String = attributes.iter().map(|a| format!(" {:>12}", a.name)).collect();
    println!("{:<16}{heads}", "unit");
    rows.iter().for_each(|(line, _)| println!("{line}"));
    let unprinted = attributes.iter().flat_map(|a| &a.from).filter(|f| **f != Provenance::Printed).count();
    println!("\n\u{2020} {unprinted} values are not printed in the source.");
    if options.provenance {
        for a in &attributes {
            for word in ["inferred", "reported", "survey", "reconstructed", "invented", "entered"] {
                let names: Vec<&str> = (0..ruleset.units.len())
                    .filter(|at| a.from[*at].word() == word)
                    .map(|at| ruleset.units[at].name.as_str())
                    .collect();
                if !names.is_empty() {
                    println!("{} {word}: {}", a.name, names.join(", "));
                }
            }
        }
    }
}

fn rules(ruleset: &Ruleset, options: &Options) {
    if options.json {
        let all: Vec<Value> = ruleset
            .rules
            .iter()
            .map(|r| json!({ "rule": r.name, "says": r.says, "cite": ruleset.cite(r.cite), "file": r.at.0, "line": r.at.1 }))
            .collect();
        println!("{}", Value::from(all));
        return;
    }
    for rule in &ruleset.rules {
        println!("{:<36} {}  [{}]", rule.name, rule.says, ruleset.cite(rule.cite));
    }
}

fn rulebook(ruleset: &Ruleset, options: &Options) {
    let entries = &ruleset.rulebook.entries;
    if options.json {
        let all: Vec<Value> = entries
            .iter()
            .map(|e| {
                let by: Vec<&str> = e.by.iter().map(|c| c.path.as_str()).collect();
                json!({ "id": e.id, "section": e.section, "says": e.says, "by": by, "skip": e.skip })
            })
            .collect();
        println!("{}", Value::from(all));
        return;
    }
    let mut section = "";
    for entry in entries {
        if entry.section != section {
            section = &entry.section;
            println!("\n{section}");
        }
        println!("  {:<30} {}", entry.id, entry.says);
        if let Some(reason) = &entry.skip {
            println!("  {:<30} (not enforced: {reason})", "");
        }
    }
}

fn readings(ruleset: &Ruleset, options: &Options) {
    if options.json {
        let settings: Vec<Value> = ruleset
            .settings
            .iter()
            .map(|s| {
                json!({ "setting": s.id, "value": s.value, "values": s.values, "says": s.says,
                        "cite": ruleset.cite(s.cite) })
            })
            .collect();
        let readings: Vec<Value> = ruleset
            .rulebook
            .entries
            .iter()
            .filter_map(|e| e.reading.as_ref().map(|r| json!({ "id": e.id, "reading": r })))
            .collect();
        let switches = ruleset.amendments.iter().filter_map(|amendment| {
            let without = amendment.without.as_ref()?;
            Some(json!({ "amendment": amendment.id, "title": amendment.title, "on": amendment.on,
                         "nature": amendment.nature.map(|nature| nature.word()),
                         "without": amendments::without_for_machines(without) }))
        });
        let switches: Vec<Value> = switches.collect();
        println!("{}", json!({ "settings": settings, "amendments": switches, "readings": readings }));
        return;
    }
    println!("Settings: change one with --set settings/NAME/default=VALUE\n");
    for setting in &ruleset.settings {
        println!("{}  [{}]", setting.id, ruleset.cite(setting.cite));
        for (value, says) in setting.values.iter().zip(&setting.says) {
            let mark = if *value == setting.value { "*" } else { " " };
            println!("  {mark} {value:<16} {says}");
        }
    }
    let switches: Vec<_> = ruleset.amendments.iter().filter_map(|a| Some((a, a.without.as_ref()?))).collect();
    if !switches.is_empty() {
        println!(
            "\nAmendments, on with a star: put one on with @base+NAME, take one off with ~NAME. Without each of them:\n"
        );
    }
    for (amendment, without) in switches {
        let mark = if amendment.on { "*" } else { " " };
        let nature = amendment.nature.map_or("", |nature| nature.word());
        println!(
            "{mark} {}: {} ({nature})\n      {} ({})",
            amendment.id,
            amendment.title,
            without.says,
            without.from.word()
        );
    }
    let read = ruleset.rulebook.entries.iter().filter_map(|entry| Some((&entry.id, entry.reading.as_ref()?)));
    for (at, (id, reading)) in read.enumerate() {
        if at == 0 {
            println!("\nHow doubtful paragraphs are read:\n");
        }
        println!("{id}\n    {reading}");
    }
}

/// One line of the order of appearance: turn, side, the place, as JSON, and as people read it.
type Arrival = (i32, i32, String, Value, String);

/// What a scenario says of the condition of a counter that it sets up, in words: what is told, and is not as usual.
fn condition_on_arrival(ruleset: &Ruleset, line: &Setup) -> Vec<String> {
    let told = line.set.iter().map(|(column, value)| (&ruleset.schema.columns[*column as usize], *value));
    told.filter(|(column, _)| column.name != "due" && !column.say.is_empty())
        .filter_map(|(column, value)| ruleset.said(column, value, |kind, value| ruleset.name_of(kind, value)))
        .collect()
}

/// As charts print it.
fn with_capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// Everything that a scenario sets up or brings on, in the order of the chart.
fn order_of_appearance(ruleset: &Ruleset, scenario: &Scenario) -> Vec<Arrival> {
    let chart = &ruleset.arrivals;
    let scheduled = ruleset.schema.column(Holder::Unit, "due");
    let name = |kind, value| ruleset.name_of(kind, value);
    let mut lines: Vec<Arrival> = Vec::new();
    for (at, unit) in ruleset.units.iter().enumerate() {
        let line = scenario.setup.iter().find(|s| s.unit as usize == at);
        let printed = chart.due.map(|due| ruleset.attributes[due].values[at]).filter(|turn| *turn > 0);
        let set = scheduled.and_then(|due| line?.set.iter().find(|(c, _)| *c == due)).map(|(_, turn)| *turn);
        let is_waiting = line.is_none_or(|line| Some(line.place) == chart.waits);
        let turn = set.or(printed.filter(|_| is_waiting)).unwrap_or(0);
        let is_on_map = line.is_some_and(|l| l.place < ruleset.map.len() as i32);
        if turn == 0 && !is_on_map {
            continue;
        }
        let code = chart.at.filter(|_| !is_on_map).map(|a| (&ruleset.attributes[a], ruleset.attributes[a].values[at]));
        let place = match (code.filter(|(_, value)| *value >= 0), line) {
            (Some((attribute, value)), _) => {
                let code = name(attribute.kind, value);
                chart.names.iter().find(|(c, _)| *c == code).map_or(code, |(_, name)| name.clone())
            }
            (None, Some(line)) => ruleset.name_of_place(line.place),
            (None, None) => String::new(),
        };
        let cite = line.map_or("", |l| ruleset.cite(l.cite));
        let from = line.map_or_else(|| chart.from(at, &ruleset.attributes), |_| scenario.from);
        let state = line.map_or_else(Vec::new, |line| condition_on_arrival(ruleset, line));
        let value = json!({ "turn": turn, "turn_name": ruleset.turn_name(turn.max(1)),
            "side": ruleset.sides[unit.side as usize].id, "unit": unit.id, "at": place, "state": state,
            "from": from.word(), "cite": cite });
        let beside = chart.beside(at, &ruleset.attributes, &name);
        let state: String = state.iter().map(|said| format!(" [{}]", with_capital(said))).collect();
        lines.push((turn, unit.side, place, value, format!("{}{}{beside}{state}", unit.name, from.dagger())));
    }
    lines.sort_by_key(|(turn, side, ..)| (*turn, *side));
    lines
}

fn arrivals(ruleset: &Ruleset, options: &Options) -> Result<()> {
    let scenario = content::scenario_if_any(ruleset, options.scenario.as_deref())?;
    let lines = scenario.map_or_else(Vec::new, |at| order_of_appearance(ruleset, &ruleset.scenarios[at]));
    if options.json {
        println!("{}", Value::from(lines.into_iter().map(|(.., v, _)| v).collect::<Vec<_>>()));
        return Ok(());
    }
    let mut turns: Vec<i32> = lines.iter().map(|l| l.0).collect();
    turns.dedup();
    for turn in turns {
        println!("{}", if turn == 0 { "At start".to_owned() } else { ruleset.turn_name(turn) });
        for (at, side) in ruleset.sides.iter().enumerate() {
            let here: Vec<&Arrival> = lines.iter().filter(|l| l.0 == turn && l.1 == at as i32).collect();
            let mut places: Vec<&str> = Vec::new();
            for (_, _, place, ..) in &here {
                if !places.contains(&place.as_str()) {
                    places.push(place);
                }
            }
            // As charts are printed: the road, then who comes by it.
            for place in places {
                let units: Vec<&str> = here.iter().filter(|l| l.2 == place).map(|l| l.4.as_str()).collect();
                println!("  {:<12} {place}: {}", side.name, units.join(", "));
            }
        }
    }
    Ok(())
}

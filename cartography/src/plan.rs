//! The grid file: which grid is laid where, over which survey, and what of the ground counts as what.

use std::collections::BTreeMap;

use countermarch_core::{
    diagnostic::{Diagnostics, Span, suggest},
    map::{Grid, Hexes, read_grid},
    yaml::{Fields, Node},
};
use geo::Coord;

use crate::survey::Frame;

/// A grid file, read.
#[derive(Debug)]
pub struct Plan {
    /// Short name of the map.
    pub id: String,
    /// Title.
    pub title: String,
    /// One space across, in words.
    pub scale: String,
    /// Path of the survey.
    pub survey: String,
    /// Path of the elevation grid.
    pub elevation: Option<String>,
    /// How degrees become metres.
    pub frame: Frame,
    /// The grid.
    pub grid: Grid,
    /// Where it lies: of a regular grid, or the areas' own outlines.
    pub lay: Lay,
    /// What a space can be.
    pub terrains: Vec<Terrain>,
    /// What a border can hold.
    pub features: Vec<BorderFeature>,
    /// Kinds of road, and which of the survey's features are such.
    pub roads: Vec<Of>,
    /// Shorter stretches of a road in a space are corner clips, in metres.
    pub clip: f64,
    /// Which features of the survey are places with names.
    pub places: Vec<PlaceRow>,
    /// How elevations become levels, where the map has them.
    pub levels: Option<Levels>,
    /// The unit of the elevations.
    pub height_unit: String,
    /// Kinds of features that say where the survey knows the ground; everywhere without.
    pub known_within: Vec<String>,
    /// Names of the numbers printed in spaces.
    pub numbers: Vec<String>,
    /// How pictures draw roads, streams and woods.
    pub art: Art,
    /// What documents state, read once the map is laid.
    pub overrides: Vec<Node>,
    /// Where units arrive.
    pub entries: Vec<Node>,
    /// Statements that the map is held to, passed on as they are written.
    pub checks: Vec<Node>,
    /// Where the map and each file are named.
    spans: BTreeMap<String, Span>,
}

/// Where a grid lies.
#[derive(Debug)]
pub enum Lay {
    /// A regular grid.
    Regular {
        /// The space that is placed, with its span.
        anchor: (String, Span),
        /// Where its center is, in metres.
        at: Coord,
        /// From a center to the next, in metres.
        width: f64,
        /// How far the grid's north is turned clockwise, in degrees.
        turned: f64,
        /// Whether straight edges cut the outermost spaces of every second line in half.
        is_cut: bool,
    },
    /// Areas.
    Areas {
        /// Path of their outlines.
        file: String,
        /// The property that numbers them.
        number: String,
        /// The property that names them.
        name: String,
        /// Shorter common borders make no neighbours, in metres.
        shared: f64,
        /// The feature of a border of areas that meet at a point; without it they are no neighbours.
        corners: Option<String>,
        /// Off-map zones: number, name, the areas they touch, what they are.
        zones: Vec<Zone>,
    },
}

/// How pictures draw roads, streams and woods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Art {
    /// As the rules count them: along sides, through sides, over whole spaces.
    #[default]
    Counted,
    /// Where they lie on the ground.
    Surveyed,
}

/// A place off the map that lies beside some of its areas.
#[derive(Debug)]
pub struct Zone {
    /// Its number.
    pub at: String,
    /// Its name.
    pub name: String,
    /// The areas it lies beside.
    pub touches: Vec<Node>,
    /// What it is.
    pub is: Vec<String>,
}

/// Features of the survey: of some kinds, with some properties.
#[derive(Debug, Clone, Default)]
pub struct Of {
    /// What they are called on the map: a terrain, a kind of road.
    pub name: String,
    /// Kinds in the survey.
    pub kinds: Vec<String>,
    /// Properties and the values one of which each must have.
    pub with: Vec<(String, Vec<String>)>,
}

/// When a space is of a terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum By {
    /// The features lie over its center.
    Center,
    /// They take up so many hundredths of it at least.
    Share(f64),
    /// The middle of one lies in it.
    Middle,
    /// So many metres of them run through it, or any of them at all.
    Length(f64),
    /// The area itself has these properties.
    Own,
    /// It is cut by the edge of the board.
    Cut,
    /// Only where the overrides say so.
    Stated,
}

/// A terrain of the map.
#[derive(Debug)]
pub struct Terrain {
    /// Its name and which features of the survey make it.
    pub of: Of,
    /// How.
    pub by: By,
}

/// When a border holds a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Across {
    /// A chain: lines cross the way between the centers an odd number of times.
    Between,
    /// Lines cross it from their right to their left, which is up.
    Uphill,
    /// A crossing of a road and a stream of the map.
    Crossing,
    /// Lines follow more than half of the common border of two areas.
    Along,
    /// Only where the grid or the overrides say so.
    Stated,
}

/// A feature of borders.
#[derive(Debug)]
pub struct BorderFeature {
    /// Its name and which features of the survey make it.
    pub of: Of,
    /// How.
    pub across: Across,
    /// Whether its lines become streams with names.
    pub is_stream: bool,
}

/// Features that give names.
#[derive(Debug)]
pub struct PlaceRow {
    /// What they are called and which they are.
    pub of: Of,
    /// Whether the name is written on the map and is the name of its space.
    pub is_label: bool,
    /// Whether it is only where its middle is, however far it reaches.
    pub is_point: bool,
    /// Ends of names that are left out: ` summit`.
    pub shorn: Vec<String>,
}

/// How elevations become levels.
#[derive(Debug)]
pub struct Levels {
    /// The height at which level 1 begins.
    pub base: f64,
    /// The height of one level.
    pub step: f64,
    /// The lowest and the highest there are.
    pub within: (i32, i32),
    /// Spaces that may be higher.
    pub except: Vec<Node>,
    /// Where that stands.
    pub cite: Option<String>,
}

impl Levels {
    /// The level of a height, whatever the map's bounds: level 1 begins at the base, and ground on the line between
    /// two levels is on the upper one.
    pub fn of(&self, height: f64) -> f64 {
        ((height - self.base) / self.step).floor() + 1.0
    }
}

impl Plan {
    /// Reads a grid file. `None` only where there is no grid to lay or no survey to lay it on.
    pub fn read(node: &Node, found: &mut Diagnostics) -> Option<Plan> {
        let mut fields = node.fields(found);
        let named = fields.must("map", found)?;
        let id = named.as_text(found);
        if !id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) || id.starts_with('.') || id.is_empty() {
            let help = "use letters, digits and hyphens: the map is written to `maps/NAME.yaml`";
            found.error("name", &named.span, format!("`{id}` is no name for a map"), help);
        }
        let title = fields.text("title", found).unwrap_or_else(|| id.clone());
        let scale = fields.text("scale", found).unwrap_or_default();
        let survey = fields.must("survey", found)?.as_text(found);
        let elevation = fields.text("elevation", found);
        let areas = node.get("areas").and_then(|n| n.get("file"));
        let spans = [node.get("map"), node.get("survey"), node.get("elevation"), areas]
            .into_iter()
            .flatten()
            .filter_map(|n| Some((n.text()?.to_owned(), n.span.clone())))
            .collect();
        let frame = read_frame(fields.must("frame", found)?, found);
        let grid = read_grid(fields.must("grid", found)?, found)?;
        let lay = match grid {
            Grid::Area => read_areas(fields.must("areas", found)?, found),
            Grid::Hex(_) | Grid::Square(_) | Grid::Axial { .. } => read_lay(fields.must("lay", found)?, found),
        }?;
        if let (Grid::Hex(Hexes { besides, .. }), Lay::Regular { is_cut: true, .. }) = (&grid, &lay)
            && !besides.is_empty()
        {
            let span = node.get("grid").map_or(&node.span, |n| &n.span);
            let help = "write `edges: ragged`, or leave them out";
            found.error("grid", span, "`besides` names hexes beyond a straight edge", help);
        }
        let mut terrains = Vec::new();
        for item in items(&mut fields, "terrains", found) {
            terrains.extend(read_terrain(item, found));
        }
        let mut features = Vec::new();
        for item in items(&mut fields, "features", found) {
            features.extend(read_feature(item, found));
        }
        let mut roads = Vec::new();
        for item in items(&mut fields, "roads", found) {
            let mut fields = item.fields(found);
            roads.extend(Of::read(&mut fields, found));
            fields.finish(found);
        }
        let clip = fields.may("clip").map_or(0.0, |n| number(n, 0.0, 1e5, found));
        let mut places = Vec::new();
        for item in items(&mut fields, "places", found) {
            let mut fields = item.fields(found);
            let is_label = fields.may("label").is_some_and(|n| n.as_flag(found));
            let is_point = fields.may("point").is_some_and(|n| n.as_flag(found));
            let shorn = fields.texts("without", found);
            places.extend(Of::read(&mut fields, found).map(|of| PlaceRow { of, is_label, is_point, shorn }));
            fields.finish(found);
        }
        let levels = fields.may("levels").map(|n| read_levels(n, found));
        let height_unit = fields.text("elevations", found).unwrap_or_default();
        let known_within = fields.texts("known-within", found);
        let numbers = fields.texts("numbers", found);
        let drawn = fields.may("art");
        let art = match drawn.map(|n| n.as_text(found)).as_deref() {
            None | Some("counted") => Art::Counted,
            Some("surveyed") => Art::Surveyed,
            Some(other) => {
                let span = drawn.map_or(&node.span, |n| &n.span);
                let help = suggest(other, ["counted", "surveyed"]);
                found.error("type", span, format!("`art` is counted or surveyed, not `{other}`"), help);
                Art::Counted
            }
        };
        let mut nodes = |key| items(&mut fields, key, found).to_vec();
        let (overrides, entries, checks) = (nodes("overrides"), nodes("entries"), nodes("checks"));
        fields.finish(found);
        Some(Plan {
            id,
            title,
            scale,
            survey,
            elevation,
            frame,
            grid,
            lay,
            terrains,
            features,
            roads,
            clip,
            places,
            levels,
            height_unit,
            known_within,
            numbers,
            art,
            overrides,
            entries,
            checks,
            spans,
        })
    }

    /// The files it is laid from, survey first, each with how such files end.
    pub fn files(&self) -> Vec<(&str, &'static [&'static str])> {
        const SURVEY: &[&str] = &[".geojson", ".json"];
        let areas = match &self.lay {
            Lay::Areas { file, .. } => Some((file.as_str(), SURVEY)),
            Lay::Regular { .. } => None,
        };
        let elevation: Option<(&str, &[&str])> = self.elevation.as_deref().map(|path| (path, &[".asc"][..]));
        [Some((self.survey.as_str(), SURVEY)), elevation, areas].into_iter().flatten().collect()
    }

    /// Where a file is named.
    pub fn span(&self, path: &str) -> Span {
        self.spans.get(path).cloned().unwrap_or_else(|| Span::file(path))
    }
}

impl Of {
    /// Reads `name`, `of` and `with` of a row.
    fn read(fields: &mut Fields<'_>, found: &mut Diagnostics) -> Option<Of> {
        let name = fields.must("name", found)?.as_text(found);
        let kinds = fields.texts("of", found);
        let mut with = Vec::new();
        if let Some(node) = fields.may("with") {
            for (key, value) in node.entries(found) {
                let values = value.items(found).iter().map(|n| n.as_text(found)).collect();
                with.push((key.as_text(found), values));
            }
        }
        fields.may("cite");
        fields.may("why");
        Some(Of { name, kinds, with })
    }
}

fn items<'a>(fields: &mut Fields<'a>, key: &'static str, found: &mut Diagnostics) -> &'a [Node] {
    fields.may(key).map(|n| n.items(found)).unwrap_or_default()
}

/// Reads a number with a fraction.
fn number(node: &Node, least: f64, most: f64, found: &mut Diagnostics) -> f64 {
    let text = node.as_text(found);
    match text.parse::<f64>() {
        Ok(n) if (least..=most).contains(&n) => n,
        Ok(n) => {
            found.error("range", &node.span, format!("{n} is not between {least} and {most}"), "");
            least
        }
        Err(_) => {
            found.error("type", &node.span, format!("expected a number, found `{text}`"), "");
            least
        }
    }
}

fn must_number(fields: &mut Fields<'_>, key: &'static str, least: f64, most: f64, found: &mut Diagnostics) -> f64 {
    fields.must(key, found).map_or(least, |n| number(n, least, most, found))
}

fn read_frame(node: &Node, found: &mut Diagnostics) -> Frame {
    let mut fields = node.fields(found);
    let frame = Frame {
        longitude: must_number(&mut fields, "longitude", -180.0, 180.0, found),
        latitude: must_number(&mut fields, "latitude", -90.0, 90.0, found),
        per_longitude: must_number(&mut fields, "metres-per-longitude", 1.0, 112_000.0, found),
        per_latitude: must_number(&mut fields, "metres-per-latitude", 1.0, 112_000.0, found),
    };
    fields.finish(found);
    frame
}

fn read_lay(node: &Node, found: &mut Diagnostics) -> Option<Lay> {
    let mut fields = node.fields(found);
    let anchor = fields.must("space", found)?;
    let anchor = (anchor.as_text(found), anchor.span.clone());
    let x = must_number(&mut fields, "east", -1e6, 1e6, found);
    let y = must_number(&mut fields, "north", -1e6, 1e6, found);
    let width = must_number(&mut fields, "width", 1.0, 1e6, found);
    let turned = fields.may("turned").map_or(0.0, |n| number(n, -180.0, 180.0, found));
    let edges = fields.may("edges");
    let is_cut = match edges.and_then(Node::text) {
        None | Some("ragged") => false,
        Some("straight") => true,
        Some(other) => {
            let node = edges.unwrap_or(node);
            found.error("type", &node.span, format!("`edges` is ragged or straight, not `{other}`"), "");
            false
        }
    };
    fields.finish(found);
    Some(Lay::Regular { anchor, at: Coord { x, y }, width, turned, is_cut })
}

fn read_areas(node: &Node, found: &mut Diagnostics) -> Option<Lay> {
    let mut fields = node.fields(found);
    let file = fields.must("file", found)?.as_text(found);
    let number_by = fields.text("number", found).unwrap_or_else(|| "number".into());
    let name = fields.text("name", found).unwrap_or_else(|| "name".into());
    let (shared, corners) = (must_number(&mut fields, "shared", 0.1, 1e6, found), fields.text("corners", found));
    let mut zones = Vec::new();
    for item in items(&mut fields, "zones", found) {
        let mut fields = item.fields(found);
        let Some(at) = fields.must("at", found).map(|n| n.as_text(found)) else { continue };
        let name = fields.text("name", found).unwrap_or_else(|| at.clone());
        let touches = items(&mut fields, "touches", found).to_vec();
        let is = fields.texts("is", found);
        fields.may("why");
        fields.may("cite");
        fields.finish(found);
        zones.push(Zone { at, name, touches, is });
    }
    fields.finish(found);
    Some(Lay::Areas { file, number: number_by, name, shared, corners, zones })
}

fn read_terrain(item: &Node, found: &mut Diagnostics) -> Option<Terrain> {
    if item.text().is_some() {
        return Some(Terrain { of: Of { name: item.as_text(found), ..Of::default() }, by: By::Stated });
    }
    let mut fields = item.fields(found);
    let of = Of::read(&mut fields, found)?;
    let share = fields.may("share").map(|n| By::Share(number(n, 0.0, 100.0, found) / 100.0));
    let length = fields.may("length").map(|n| By::Length(number(n, 0.0, 1e5, found)));
    let by = fields.may("by").map(|node| {
        let word = node.as_text(found);
        let known = [("center", By::Center), ("middle", By::Middle), ("own", By::Own), ("cut", By::Cut)];
        known.iter().find(|(name, _)| *name == word).map_or_else(
            || {
                let help = suggest(&word, known.iter().map(|(name, _)| *name));
                found.error("type", &node.span, format!("`{word}` is no way to tell a terrain"), help);
                By::Stated
            },
            |(_, by)| *by,
        )
    });
    let ways: Vec<By> = [share, length, by].into_iter().flatten().collect();
    if ways.len() > 1 || ways.is_empty() && !of.kinds.is_empty() {
        let help = "write one of `by: center`, `by: middle`, `by: own`, `by: cut`, `share: 50`, `length: 20`";
        found.error("missing", &item.span, format!("`{}` is told in {} ways", of.name, ways.len()), help);
    }
    fields.finish(found);
    Some(Terrain { of, by: ways.first().copied().unwrap_or(By::Stated) })
}

fn read_feature(item: &Node, found: &mut Diagnostics) -> Option<BorderFeature> {
    if item.text().is_some() {
        let of = Of { name: item.as_text(found), ..Of::default() };
        return Some(BorderFeature { of, across: Across::Stated, is_stream: false });
    }
    let mut fields = item.fields(found);
    let of = Of::read(&mut fields, found)?;
    let by = fields.must("by", found)?;
    let known = [
        ("between", Across::Between, false),
        ("stream", Across::Between, true),
        ("uphill", Across::Uphill, false),
        ("crossing", Across::Crossing, false),
        ("along", Across::Along, false),
    ];
    let word = by.as_text(found);
    let way = known.iter().find(|(name, ..)| *name == word).map(|(_, across, stream)| (*across, *stream));
    if way.is_none() {
        let help = suggest(&word, known.iter().map(|(name, ..)| *name));
        found.error("type", &by.span, format!("`{word}` is no way to tell a feature"), help);
    }
    fields.finish(found);
    let (across, is_stream) = way?;
    Some(BorderFeature { of, across, is_stream })
}

fn read_levels(node: &Node, found: &mut Diagnostics) -> Levels {
    let mut fields = node.fields(found);
    let base = must_number(&mut fields, "base", -20_000.0, 40_000.0, found);
    let step = must_number(&mut fields, "step", 0.1, 10_000.0, found);
    let within = fields.bounds(-1000, 1000, found);
    let except = items(&mut fields, "except", found).to_vec();
    let cite = fields.text("cite", found);
    fields.finish(found);
    Levels { base, step, within, except, cite }
}

//! From a grid file and its survey to the map file: what is where, what the documents state, and the text.

use std::fmt::Write as _;

use countermarch_core::{
    diagnostic::{Diagnostics, Span, suggest},
    library::Library,
    map::Grid,
    yaml::{Node, Value},
};

use crate::{
    courses::{self, Borders, Road},
    elevation::Elevation,
    laid::Laid,
    overrides,
    plan::{Across, Lay, Plan},
    spaces::{self, Place, Space},
    survey::Survey,
};

/// The ground that a plan is laid over.
#[derive(Debug)]
pub struct Ground {
    /// What is on it.
    pub survey: Survey,
    /// How high it is.
    pub elevation: Option<Elevation>,
    /// The grid on it.
    pub laid: Laid,
}

impl Ground {
    /// Reads the survey, the elevations and the outlines of areas that a plan names, from a library that has their
    /// texts, and lays the grid. Everything wrong is recorded; `None` when nothing could be laid.
    pub fn read(plan: &Plan, library: &Library, found: &mut Diagnostics) -> Option<Ground> {
        let mut text = |path: &str| {
            let text = library.text(path);
            if text.is_none() {
                let message = format!("there is no file `{path}`");
                found.error("missing", &plan.span(path), message, "paths begin at the folder that holds `maps`");
            }
            text.map(str::to_owned)
        };
        let survey = text(&plan.survey);
        let heights = plan.elevation.as_deref().map(|path| (path, text(path)));
        let outlines = match &plan.lay {
            Lay::Areas { file, .. } => Some((file, text(file)?)),
            Lay::Regular { .. } => None,
        };
        let survey = Survey::read(&plan.survey, &survey?, &plan.frame, found);
        let elevation = heights.and_then(|(path, text)| Elevation::read(path, &text?, found));
        let laid = match outlines {
            Some((file, text)) => Laid::areas(plan, &Survey::read(file, &text, &plan.frame, found), found),
            None => Laid::regular(plan, found),
        }?;
        Some(Ground { survey, elevation, laid })
    }
}

/// A map before it is written.
#[derive(Debug)]
pub struct Sheet {
    /// By space.
    pub spaces: Vec<Space>,
    /// Between them.
    pub borders: Borders,
    /// Over them.
    pub roads: Vec<Road>,
    /// Named places.
    pub places: Vec<Place>,
}

impl Sheet {
    /// What the survey and the documents say.
    pub fn new(plan: &Plan, ground: &Ground, found: &mut Diagnostics) -> Sheet {
        let Ground { survey, elevation, laid } = ground;
        let mut spaces = spaces::spaces(plan, laid, survey, elevation.as_ref(), found);
        if let Lay::Areas { zones, .. } = &plan.lay {
            for zone in zones {
                if let Some(at) = laid.find(&zone.at) {
                    spaces[at].label = Some(zone.name.clone());
                    spaces[at].is = zone.is.clone();
                }
            }
        }
        let places = spaces::places(plan, laid, survey, &mut spaces);
        let roads = courses::roads(plan, laid, survey);
        let mut borders = courses::borders(plan, laid, survey, &roads);
        if let Lay::Areas { corners: Some(feature), .. } = &plan.lay {
            borders.between.extend(laid.corners.iter().map(|pair| (*pair, vec![feature.clone()])));
        }
        let mut sheet = Sheet { spaces, borders, roads, places };
        overrides::apply(plan, laid, &mut sheet, found);
        sheet
    }
}

/// The text of a map file.
#[derive(Debug, Default)]
pub struct Text {
    /// The file.
    pub text: String,
    /// Parts of it, from and to in bytes, that stand in the grid file as they are.
    pub copied: Vec<(usize, usize, Span)>,
}

/// Builds the text of the map file. The same files give the same bytes.
pub fn build(plan_path: &str, plan: &Plan, ground: &Ground, found: &mut Diagnostics) -> Text {
    let sheet = Sheet::new(plan, ground, found);
    let (mut out, mut copied) = (String::new(), Vec::new());
    let writing = Writing { plan, laid: &ground.laid, sheet: &sheet };
    writing.head(plan_path, &mut out);
    writing.spaces(&mut out);
    writing.borders(&mut out);
    writing.streams(&mut out);
    writing.roads(&mut out);
    writing.entries(&mut out, &mut copied, found);
    writing.places(&mut out);
    if !plan.checks.is_empty() {
        let _ = writeln!(out, "checks:");
        for check in &plan.checks {
            let start = out.len();
            let _ = writeln!(out, "  - {}", flow(check));
            copied.push((start, out.len(), check.span.clone()));
        }
    }
    Text { text: out, copied }
}

struct Writing<'a> {
    plan: &'a Plan,
    laid: &'a Laid,
    sheet: &'a Sheet,
}

impl Writing<'_> {
    fn head(&self, plan_path: &str, out: &mut String) {
        let plan = self.plan;
        let _ = writeln!(out, "# Built by `countermarch map build {plan_path}`: edit the grid file, not this one.");
        let _ = writeln!(out, "map: {}\ntitle: {}\nscale: {}", plan.id, quoted(&plan.title), quoted(&plan.scale));
        let _ = writeln!(
            out,
            "sources: [{}]\nlaid-by: {plan_path}",
            plan.files().iter().map(|(path, _)| *path).collect::<Vec<_>>().join(", ")
        );
        let _ = writeln!(out, "grid: {}", plan.grid.written().unwrap_or_else(|| "{ kind: area }".into()));
        let names: Vec<&str> = plan.terrains.iter().map(|t| t.of.name.as_str()).collect();
        let mut terrains = Vec::new();
        for name in names {
            if !terrains.contains(&name) {
                terrains.push(name);
            }
        }
        let _ = writeln!(out, "terrains: [{}]", terrains.join(", "));
        let mut features: Vec<String> = Vec::new();
        for feature in &plan.features {
            let name = &feature.of.name;
            let one_way = feature.across == Across::Uphill;
            let written = if one_way { format!("{{ name: {name}, one-way: true }}") } else { name.clone() };
            if !features.contains(&written) {
                features.push(written);
            }
        }
        let _ = writeln!(out, "features: [{}]", features.join(", "));
        let kinds: Vec<&str> = plan.roads.iter().map(|r| r.name.as_str()).collect();
        let _ = writeln!(out, "road-kinds: [{}]", kinds.join(", "));
        if !plan.numbers.is_empty() {
            let _ = writeln!(out, "numbers: [{}]", plan.numbers.join(", "));
        }
        if !plan.height_unit.is_empty() {
            let _ = writeln!(out, "elevations: {}", plan.height_unit);
        }
        if let Some(levels) = &plan.levels {
            let (least, most) = levels.within;
            let _ = write!(out, "levels: {{ least: {least}, most: {most}");
            if !levels.except.is_empty() {
                let names: Vec<String> = levels.except.iter().filter_map(|n| n.text().map(quoted)).collect();
                let _ = write!(out, ", except: [{}]", names.join(", "));
            }
            if let Some(cite) = &levels.cite {
                let _ = write!(out, ", cite: {cite}");
            }
            let _ = writeln!(out, " }}");
        }
    }

    fn name(&self, at: usize) -> String {
        quoted(&self.laid.plots[at].name)
    }

    fn names(&self, all: &[usize]) -> String {
        all.iter().map(|at| self.name(*at)).collect::<Vec<_>>().join(", ")
    }

    fn spaces(&self, out: &mut String) {
        let _ = writeln!(out, "spaces:");
        for (at, (space, plot)) in self.sheet.spaces.iter().zip(&self.laid.plots).enumerate() {
            let is_area = self.plan.grid == Grid::Area;
            let is_plain = space.is.is_empty() && space.label.is_none();
            if !is_area && is_plain && space.level.is_none() && space.elevation.is_none() {
                continue;
            }
            let _ = write!(out, "  - {{ at: {}", self.name(at));
            if !space.is.is_empty() {
                let _ = write!(out, ", is: [{}]", space.is.join(", "));
            }
            if let Some(level) = space.level {
                let _ = write!(out, ", level: {level}");
            }
            if let Some(elevation) = space.elevation {
                let _ = write!(out, ", elevation: {elevation}");
            }
            if space.numbers.iter().any(|n| *n != 0) {
                let pairs = self.plan.numbers.iter().zip(&space.numbers);
                let pairs: Vec<String> = pairs.map(|(name, n)| format!("{name}: {n}")).collect();
                let _ = write!(out, ", numbers: {{ {} }}", pairs.join(", "));
            }
            if let Some(label) = &space.label {
                let _ = write!(out, ", name: {}", quoted(label));
            }
            if is_area {
                let _ = write!(out, ", center: [{}, {}]", plot.point.x, plot.point.y);
                if let Some(shape) = &plot.shape {
                    let mut points: Vec<_> = shape.exterior().0.iter().map(|c| (c.x.round(), c.y.round())).collect();
                    points.pop();
                    points.dedup();
                    let points: Vec<String> = points.iter().map(|(x, y)| format!("[{x}, {y}]")).collect();
                    let _ = write!(out, ", shape: [{}]", points.join(", "));
                }
            }
            let _ = writeln!(out, ", from: {} }}", space.from);
        }
    }

    fn borders(&self, out: &mut String) {
        let borders = &self.sheet.borders;
        if self.plan.grid == Grid::Area && !self.laid.pairs.is_empty()
            || !borders.between.is_empty()
            || !borders.up.is_empty()
        {
            let _ = writeln!(out, "borders:");
        }
        for (a, b) in self.laid.pairs.iter().chain(&self.laid.corners) {
            let is = borders.between.get(&(*a, *b)).map(Vec::as_slice).unwrap_or_default();
            // Areas have no grid that says which lie beside which.
            if !is.is_empty() || self.plan.grid == Grid::Area {
                let _ = write!(out, "  - {{ between: [{}, {}]", self.name(*a), self.name(*b));
                if !is.is_empty() {
                    let _ = write!(out, ", is: [{}]", is.join(", "));
                }
                let _ = writeln!(out, ", from: survey }}");
            }
            for (low, high) in [(*a, *b), (*b, *a)] {
                let is = borders.up.get(&(low, high)).map(Vec::as_slice).unwrap_or_default();
                if !is.is_empty() {
                    let (low, high) = (self.name(low), self.name(high));
                    let _ = writeln!(out, "  - {{ up: [{low}, {high}], is: [{}], from: survey }}", is.join(", "));
                }
            }
        }
    }

    fn streams(&self, out: &mut String) {
        let streams = &self.sheet.borders.streams;
        if !streams.is_empty() {
            let _ = writeln!(out, "streams:");
        }
        for stream in streams {
            let side = |(a, b): &(usize, usize)| format!("[{}, {}]", self.name(*a), self.name(*b));
            let along: Vec<String> = stream.along.iter().map(side).collect();
            let (id, name, is, along) = (&stream.id, quoted(&stream.name), &stream.is, along.join(", "));
            let _ =
                writeln!(out, "  - {{ id: {id}, name: {name}, is: {is}, along: [{along}], from: {} }}", stream.from);
        }
    }

    fn roads(&self, out: &mut String) {
        if !self.sheet.roads.is_empty() {
            let _ = writeln!(out, "roads:");
        }
        for road in &self.sheet.roads {
            let (id, name, kind, along) = (&road.id, quoted(&road.name), &road.kind, self.names(&road.along));
            let _ =
                writeln!(out, "  - {{ id: {id}, name: {name}, kind: {kind}, along: [{along}], from: {} }}", road.from);
        }
    }

    fn entries(&self, out: &mut String, copied: &mut Vec<(usize, usize, Span)>, found: &mut Diagnostics) {
        if !self.plan.entries.is_empty() {
            let _ = writeln!(out, "entries:");
        }
        for item in &self.plan.entries {
            let mut fields = item.fields(found);
            let id = fields.must("id", found).map(|n| n.as_text(found)).unwrap_or_default();
            let at = fields.must("at", found).and_then(|n| overrides::space(self.laid, n, found));
            let road = fields.may("road");
            let from = fields.text("from", found).unwrap_or_else(|| "reconstructed".into());
            for note in ["why", "cite"] {
                fields.may(note);
            }
            fields.finish(found);
            let Some(at) = at else { continue };
            let start = out.len();
            let _ = write!(out, "  - {{ id: {id}, at: {}", self.name(at));
            if let Some(node) = road {
                let road = node.as_text(found);
                if !self.sheet.roads.iter().any(|r| r.id == road) {
                    let help = suggest(&road, self.sheet.roads.iter().map(|r| r.id.as_str()));
                    found.error("unknown-name", &node.span, format!("the map has no road `{road}`"), help);
                }
                let _ = write!(out, ", road: {road}");
            }
            let _ = writeln!(out, ", from: {from} }}");
            copied.push((start, out.len(), item.span.clone()));
        }
    }

    fn places(&self, out: &mut String) {
        if !self.sheet.places.is_empty() {
            let _ = writeln!(out, "places:");
        }
        for place in &self.sheet.places {
            let (name, kind, at) = (quoted(&place.name), quoted(&place.kind), self.names(&place.at));
            let _ = writeln!(out, "  - {{ name: {name}, kind: {kind}, at: [{at}], from: survey }}");
        }
    }
}

/// Text as YAML reads it back, whatever it holds.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A piece of YAML on one line.
fn flow(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => quoted(text),
        Value::List(list) => format!("[{}]", list.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let pairs = map.iter().map(|(k, v)| format!("{}: {}", k.text().unwrap_or(""), flow(v)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

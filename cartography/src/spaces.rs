//! What every space is: its terrain, height and names, as the survey has it.

use countermarch_core::{
    diagnostic::{Diagnostics, Span},
    map::Origin,
    ruleset::Provenance,
};
use geo::{
    BoundingRect, Centroid, Contains, Coord, Distance, Euclidean, InterpolateLine, Intersects, LineString,
    MultiPolygon, unary_union,
};

use crate::{
    elevation::Elevation,
    laid::Laid,
    plan::{By, Of, PlaceRow, Plan},
    survey::{Feature, Shape, Survey},
};

/// A space as it will be printed.
#[derive(Debug, Clone, Default)]
pub struct Space {
    /// Its terrains, in the order the grid file has them.
    pub is: Vec<String>,
    /// What is written there.
    pub label: Option<String>,
    /// Its level, where the map has levels.
    pub level: Option<i32>,
    /// Its elevation, where the map states it.
    pub elevation: Option<i32>,
    /// Printed numbers, by [`Plan::numbers`].
    pub numbers: Vec<i32>,
    /// Where the description comes from.
    pub from: Origin,
}

/// A name of places.
#[derive(Debug, Clone)]
pub struct Place {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// Its spaces, the one that holds its middle first.
    pub at: Vec<usize>,
}

/// Whether a feature is one of those meant.
pub fn is_of(feature: &Feature, of: &Of) -> bool {
    of.kinds.contains(&feature.kind) && has(feature, of)
}

fn has(feature: &Feature, of: &Of) -> bool {
    of.with.iter().all(|(key, values)| feature.property(key).is_some_and(|v| values.contains(&v)))
}

/// The middle of a feature.
pub fn middle(feature: &Feature) -> Option<Coord> {
    match &feature.shape {
        Shape::Point(at) => Some(*at),
        Shape::Polygons(parts) => parts.centroid().map(|p| p.0),
        Shape::Lines(lines) => {
            let longest = lines.iter().max_by(|a, b| length(a).total_cmp(&length(b)))?;
            Euclidean.point_at_ratio_from_start(longest, 0.5).map(|p| p.0)
        }
    }
}

fn length(line: &LineString) -> f64 {
    line.lines().map(|l| Euclidean.distance(l.start, l.end)).sum()
}

/// All ground that features of a kind cover, as polygons that do not overlap.
fn cover(survey: &Survey, of: &Of) -> MultiPolygon {
    let parts = survey.features.iter().filter(|f| is_of(f, of)).filter_map(|f| match &f.shape {
        Shape::Polygons(parts) => Some(parts),
        Shape::Point(_) | Shape::Lines(_) => None,
    });
    unary_union(parts)
}

/// What the survey says of every space.
pub fn spaces(
    plan: &Plan,
    laid: &Laid,
    survey: &Survey,
    elevation: Option<&Elevation>,
    found: &mut Diagnostics,
) -> Vec<Space> {
    let known = Of { kinds: plan.known_within.clone(), ..Of::default() };
    let known = (!plan.known_within.is_empty()).then(|| cover(survey, &known));
    let numbers = vec![0; plan.numbers.len()];
    let mut spaces: Vec<Space> = laid
        .plots
        .iter()
        .map(|plot| {
            let is_known = plot.shape.is_some() && known.as_ref().is_none_or(|k| k.contains(&geo::Point(plot.dot)));
            let from = Origin::all(if is_known { Provenance::Survey } else { Provenance::Reconstructed });
            Space { numbers: numbers.clone(), from, ..Space::default() }
        })
        .collect();
    for row in &plan.terrains {
        for at in holding(laid, survey, &row.of, row.by) {
            spaces[at].is.push(row.of.name.clone());
        }
    }
    for (at, plot) in laid.plots.iter().enumerate() {
        for (number, name) in spaces[at].numbers.iter_mut().zip(&plan.numbers) {
            let written = plot.own.as_ref().and_then(|own| own.property(name));
            *number = written.and_then(|text| text.parse().ok()).unwrap_or(0);
        }
        spaces[at].label = plot.own.as_ref().map(|own| own.name.clone()).filter(|name| !name.is_empty());
    }
    heights(plan, laid, elevation, &mut spaces, found);
    spaces
}

/// The spaces of a terrain.
fn holding(laid: &Laid, survey: &Survey, of: &Of, by: By) -> Vec<usize> {
    let all = 0..laid.plots.len();
    match by {
        By::Stated => Vec::new(),
        By::Cut => all.filter(|at| laid.plots[*at].is_cut).collect(),
        By::Own => all.filter(|at| laid.plots[*at].own.as_ref().is_some_and(|own| has(own, of))).collect(),
        By::Center => {
            let cover = cover(survey, of);
            all.filter(|at| laid.plots[*at].shape.is_some())
                .filter(|at| cover.intersects(&geo::Point(laid.plots[*at].dot)))
                .collect()
        }
        By::Share(least) => {
            let cover = cover(survey, of);
            all.filter(|at| laid.share(*at, &cover) >= least).collect()
        }
        By::Middle => {
            let mut found: Vec<usize> =
                survey.features.iter().filter(|f| is_of(f, of)).filter_map(|f| laid.at(middle(f)?)).collect();
            found.sort_unstable();
            found.dedup();
            found
        }
        By::Length(least) => {
            let mut lengths = vec![0.0; laid.plots.len()];
            for feature in survey.features.iter().filter(|f| is_of(f, of)) {
                let Shape::Lines(lines) = &feature.shape else { continue };
                for run in lines.iter().flat_map(|line| laid.runs(line)) {
                    if let Some(at) = run.plot {
                        lengths[at] += run.length;
                    }
                }
            }
            all.filter(|at| lengths[*at] > 0.0 && lengths[*at] >= least).collect()
        }
    }
}

fn heights(plan: &Plan, laid: &Laid, elevation: Option<&Elevation>, spaces: &mut [Space], found: &mut Diagnostics) {
    let Some(elevation) = elevation else { return };
    let mut unknown = Vec::new();
    for (space, plot) in spaces.iter_mut().zip(&laid.plots).filter(|(_, plot)| plot.shape.is_some()) {
        let Some(height) = elevation.at(plot.dot) else {
            unknown.push(plot.name.as_str());
            continue;
        };
        if !plan.height_unit.is_empty() {
            space.elevation = Some(height.round() as i32);
        }
        if let Some(levels) = &plan.levels {
            let level = levels.of(height.round()) as i32;
            let excepted = levels.except.iter().any(|n| n.text() == Some(&plot.name));
            space.level = Some(level.clamp(levels.within.0, if excepted { i32::MAX } else { levels.within.1 }));
        }
    }
    if let [first, others @ ..] = &unknown[..] {
        let more = if others.is_empty() { String::new() } else { format!(", nor in {} more", others.len()) };
        let help = "it must reach beyond the middles of the outermost spaces";
        let file = plan.elevation.as_deref().unwrap_or("");
        found.error("elevation", &Span::file(file), format!("the grid has no height in {first}{more}"), help);
    }
}

/// The named places of the map, in the order of the rows, then of the survey.
pub fn places(plan: &Plan, laid: &Laid, survey: &Survey, spaces: &mut [Space]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for row in &plan.places {
        for feature in survey.features.iter().filter(|f| is_of(f, &row.of) && !f.name.is_empty()) {
            let at = place(laid, row, feature);
            let Some(first) = at.first().copied() else { continue };
            let name = shorn(&feature.name, &row.shorn);
            match places.iter_mut().find(|p| p.name == name) {
                Some(known) if known.kind == row.of.name => {
                    known.at.extend(at.into_iter().filter(|s| !known.at.contains(s)).collect::<Vec<_>>());
                }
                // A hill and its summit: the first row that names it decides.
                Some(_) => (),
                None => {
                    let is_free = spaces[first].label.is_none();
                    if row.is_label && is_free && spaces.iter().all(|s| s.label.as_ref() != Some(&name)) {
                        spaces[first].label = Some(name.clone());
                    }
                    places.push(Place { name, kind: row.of.name.clone(), at });
                }
            }
        }
    }
    places
}

fn shorn(name: &str, ends: &[String]) -> String {
    ends.iter().find_map(|end| name.strip_suffix(end.as_str())).unwrap_or(name).trim().to_owned()
}

fn place(laid: &Laid, row: &PlaceRow, feature: &Feature) -> Vec<usize> {
    let mut at: Vec<usize> = middle(feature).and_then(|m| laid.at(m)).into_iter().collect();
    if let (Shape::Polygons(parts), false) = (&feature.shape, row.is_point) {
        let Some(rect) = parts.bounding_rect() else { return at };
        let inside = |s: &usize| parts.contains(&geo::Point(laid.plots[*s].dot));
        let all: Vec<usize> = laid.around(rect).into_iter().filter(inside).filter(|s| !at.contains(s)).collect();
        at.extend(all);
    }
    at
}

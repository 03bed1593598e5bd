//! How things are drawn that maps call by their names: a name is drawn as the first kind whose words it holds.

/// What covers ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cover {
    Woods,
    Orchard,
    Marsh,
    Rough,
    Town,
    Sunken,
}

/// What runs over the map, or between its spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    Water,
    Slope,
    Ridge,
    Bridge,
    Ford,
    Other,
}

/// Kinds of road.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Pike,
    Road,
    Railroad,
}

const COVERS: [(Cover, &[&str]); 6] = [
    (Cover::Orchard, &["orchard", "vineyard"]),
    (Cover::Rough, &["rough", "rock"]),
    (Cover::Woods, &["wood", "forest"]),
    (Cover::Marsh, &["marsh", "swamp", "bog"]),
    (Cover::Sunken, &["sunken", "trench", "breastwork"]),
    (Cover::Town, &["town", "village", "city", "built"]),
];
const COURSES: [(Course, &[&str]); 5] = [
    (Course::Bridge, &["bridge"]),
    (Course::Ford, &["ford"]),
    (Course::Water, &["creek", "stream", "river", "run", "brook"]),
    (Course::Slope, &["slope", "cliff", "escarpment"]),
    (Course::Ridge, &["ridge", "crest"]),
];
const WAYS: [(Way, &[&str]); 2] = [(Way::Pike, &["pike", "highway", "main"]), (Way::Railroad, &["rail"])];

fn find<T: Copy>(known: &[(T, &[&str])], name: &str) -> Option<T> {
    known.iter().find(|(_, words)| words.iter().any(|w| name.contains(w))).map(|(kind, _)| *kind)
}

/// What a terrain covers the ground with, if that is drawn.
pub(super) fn cover(terrain: &str) -> Option<Cover> {
    find(&COVERS, terrain)
}

/// How a feature of borders is drawn.
pub(super) fn course(feature: &str) -> Course {
    find(&COURSES, feature).unwrap_or(Course::Other)
}

/// How a kind of road is drawn.
pub(super) fn way(kind: &str) -> Way {
    find(&WAYS, kind).unwrap_or(Way::Road)
}

/// Casing and line of a road: colour, width and dashes of each stroke, for a space 64 pixels across.
pub(super) fn strokes(way: Way) -> [(&'static str, f64, &'static str); 2] {
    match way {
        Way::Pike => [("#5d3a1c", 4.6, ""), ("#f0d9a8", 2.6, "")],
        Way::Road => [("#fbf4e2", 3.2, ""), ("#8a5f38", 1.7, "")],
        Way::Railroad => [("#3a3630", 1.5, ""), ("#3a3630", 5.0, "1.2 6")],
    }
}

pub(super) const WATER: &str = "#4a7fa8";
pub(super) const WOODS: &str = "#a9bd86";
pub(super) const WOODS_DARK: &str = "#6f8a52";
pub(super) const TOWN: &str = "#dca890";
pub(super) const TOWN_DARK: &str = "#7a3b2c";
pub(super) const ROUGH_DARK: &str = "#7b6a52";
pub(super) const SLOPE: &str = "#7a5a38";

//! The real ground: features of a GeoJSON file, in metres of a plane frame.

use countermarch_core::diagnostic::{Diagnostics, Span};
use geo::{Coord, LineString, MapCoords, MultiPolygon, Orient, Polygon, Validation, orient::Direction};
use geojson::{Feature as Json, GeometryValue, Position};
use serde_json::{Value, value::RawValue};

/// How degrees become metres east and north of an origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Degrees east of the origin.
    pub longitude: f64,
    /// Degrees north of the origin.
    pub latitude: f64,
    /// Metres in a degree to the east.
    pub per_longitude: f64,
    /// Metres in a degree to the north.
    pub per_latitude: f64,
}

impl Frame {
    fn metres(&self, degrees: Coord) -> Coord {
        Coord {
            x: (degrees.x - self.longitude) * self.per_longitude,
            y: (degrees.y - self.latitude) * self.per_latitude,
        }
    }
}

/// Something on the ground.
#[derive(Debug, Clone)]
pub struct Feature {
    /// What it is: woods, pike, hill.
    pub kind: String,
    /// What it is called; may be empty.
    pub name: String,
    /// All that the file says of it, as written.
    pub properties: serde_json::Map<String, Value>,
    /// Where it is, in metres.
    pub shape: Shape,
}

/// Where a feature is.
#[derive(Debug, Clone)]
pub enum Shape {
    /// At a place.
    Point(Coord),
    /// Along lines.
    Lines(Vec<LineString>),
    /// All over polygons.
    Polygons(MultiPolygon),
}

impl Feature {
    /// A property as text; numbers and flags as they are written.
    pub fn property(&self, key: &str) -> Option<String> {
        match self.properties.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(n) => Some(n.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// What was read of a survey.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// In the order of the file.
    pub features: Vec<Feature>,
}

#[derive(serde::Deserialize)]
struct Collection<'a> {
    #[serde(borrow)]
    features: Vec<&'a RawValue>,
}

impl Survey {
    /// Reads a GeoJSON feature collection in degrees (WGS 84). What cannot be read is recorded and left out.
    pub fn read(file: &str, text: &str, frame: &Frame, found: &mut Diagnostics) -> Survey {
        let collection: Collection<'_> = match serde_json::from_str(text) {
            Ok(collection) => collection,
            Err(wrong) => {
                let span = span_of(file, text, wrong.line(), wrong.column());
                let message = format!("this is no GeoJSON feature collection: {}", bare(&wrong));
                found.error("survey", &span, message, "export it again, or mend it here");
                return Survey::default();
            }
        };
        let mut features = Vec::new();
        for raw in collection.features {
            let raw = raw.get();
            let start = raw.as_ptr() as usize - text.as_ptr() as usize;
            let span = Span { file: file.into(), start, end: start + raw.len().min(60) };
            match read_feature(raw, frame) {
                Ok(feature) => features.push(feature),
                Err(wrong) => found.error("survey", &span, wrong, "mend it, or leave the feature out"),
            }
        }
        if features.is_empty() && found.is_usable() {
            found.error("survey", &Span::file(file), "the survey has no feature", "export it again");
        }
        Survey { features }
    }
}

fn read_feature(raw: &str, frame: &Frame) -> Result<Feature, String> {
    let json: Json = raw.parse().map_err(|wrong: geojson::Error| format!("this is no GeoJSON feature: {wrong}"))?;
    let properties = json.properties.unwrap_or_default();
    let text = |key: &str| properties.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (kind, name) = (text("kind"), text("name"));
    let called = if name.is_empty() { kind.clone() } else { format!("{kind} `{name}`") };
    let geometry = json.geometry.ok_or_else(|| format!("the {called} has no geometry"))?;
    let place = |at: Coord| {
        let is_earthly = at.x.abs() <= 180.0 && at.y.abs() <= 90.0;
        if is_earthly {
            Ok(frame.metres(at))
        } else {
            Err(format!("the {called} is at {}, {}, which are no degrees", at.x, at.y))
        }
    };
    let polygon = |polygon: Polygon| -> Result<Polygon, String> {
        let polygon = polygon.try_map_coords(place)?;
        polygon.check_validation().map_err(|wrong| format!("the {called} is no clean polygon: {wrong}"))?;
        // Rings that run the other way would be holes where polygons are joined.
        Ok(polygon.orient(Direction::Default))
    };
    let line = |line: LineString| -> Result<LineString, String> {
        let line = line.try_map_coords(place)?;
        if line.0.len() < 2 { Err(format!("the {called} is a line of fewer than two points")) } else { Ok(line) }
    };
    let wrong = |wrong: geojson::Error| format!("the {called} has a geometry that cannot be read: {wrong}");
    let value = geometry.value;
    if !is_in_the_plane(&value) {
        return Err(format!("the {called} has a place of fewer than two numbers"));
    }
    let shape = match &value {
        GeometryValue::Point { .. } => Shape::Point(place(geo::Point::try_from(&value).map_err(wrong)?.0)?),
        GeometryValue::LineString { .. } => Shape::Lines(vec![line(LineString::try_from(&value).map_err(wrong)?)?]),
        GeometryValue::MultiLineString { .. } => {
            let lines = geo::MultiLineString::try_from(&value).map_err(wrong)?;
            Shape::Lines(lines.into_iter().map(line).collect::<Result<_, _>>()?)
        }
        GeometryValue::Polygon { .. } => {
            Shape::Polygons(MultiPolygon(vec![polygon(Polygon::try_from(&value).map_err(wrong)?)?]))
        }
        GeometryValue::MultiPolygon { .. } => {
            let parts = MultiPolygon::try_from(&value).map_err(wrong)?;
            Shape::Polygons(MultiPolygon(parts.into_iter().map(polygon).collect::<Result<_, _>>()?))
        }
        GeometryValue::MultiPoint { .. } | GeometryValue::GeometryCollection { .. } => {
            return Err(format!("the {called} is neither a point, nor lines, nor polygons"));
        }
    };
    Ok(Feature { kind, name, properties, shape })
}

/// Whether every place has its east and its north, which the conversions take for granted.
fn is_in_the_plane(value: &GeometryValue) -> bool {
    let place = |at: &Position| at.len() >= 2;
    let line = |along: &Vec<Position>| along.iter().all(place);
    match value {
        GeometryValue::Point { coordinates } => place(coordinates),
        GeometryValue::LineString { coordinates } | GeometryValue::MultiPoint { coordinates } => line(coordinates),
        GeometryValue::MultiLineString { coordinates } | GeometryValue::Polygon { coordinates } => {
            coordinates.iter().all(line)
        }
        GeometryValue::MultiPolygon { coordinates } => coordinates.iter().flatten().all(line),
        GeometryValue::GeometryCollection { .. } => true,
    }
}

fn bare(wrong: &serde_json::Error) -> String {
    let text = wrong.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

fn span_of(file: &str, text: &str, line: usize, column: usize) -> Span {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let at = (before + column.saturating_sub(1)).min(text.len());
    Span { file: file.into(), start: at, end: at }
}

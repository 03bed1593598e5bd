//! The relief: heights as tints, slopes as light and shade.

use geo::Coord;
use resvg::tiny_skia::{ColorU8, Pixmap};

use super::{Picture, frame::Frame};
use crate::elevation::Elevation;

/// From the lowest to the highest ground of the board.
const TINTS: [(f64, [f64; 3]); 6] = [
    (0.0, [205.0, 217.0, 180.0]),
    (0.25, [226.0, 229.0, 194.0]),
    (0.5, [243.0, 233.0, 201.0]),
    (0.7, [234.0, 210.0, 168.0]),
    (0.86, [215.0, 178.0, 135.0]),
    (1.0, [190.0, 146.0, 108.0]),
];
/// Slopes are drawn so many times as steep as they are.
const STEEPER: f64 = 6.0;
/// Half the distance over which a slope is measured, in metres.
const REACH: f64 = 30.0;

/// The relief under the board, `step` pixels to one of its own. `None` without elevations.
pub(super) fn of(picture: &Picture<'_>, frame: &Frame, step: f64) -> Option<Pixmap> {
    let sources = picture.ground?;
    let ground = sources.ground.as_ref()?;
    let elevation = ground.elevation.as_ref()?;
    let levels = sources.plan.as_ref().and_then(|plan| plan.levels.as_ref());
    // Metres to one unit of height.
    let unit = if picture.map.height_unit.starts_with("metre") { 1.0 } else { 0.3048 };
    let (left, top, width, height) = frame.sheet();
    let (wide, high) = ((width / step).ceil() as u32, (height / step).ceil() as u32);
    let mut relief = Pixmap::new(wide, high)?;
    let place = |x: f64, y: f64| frame.ground(&ground.laid, (left + x * step, top + y * step));
    let (least, most) = bounds(elevation, wide, high, place);
    let range = (most - least).max(1.0);
    let middle = |x: u32, y: u32| place(f64::from(x) + 0.5, f64::from(y) + 0.5);
    let at = |x: u32, y: u32| elevation.at(middle(x, y));
    for y in 0..high {
        for x in 0..wide {
            let Some(height) = at(x, y) else { continue };
            let mut light = lit(elevation, unit, middle(x, y), ground.laid.turned());
            let share = match levels {
                Some(levels) => {
                    let here = levels.of(height);
                    // A contour runs where the next pixel is on another level.
                    let is_edge =
                        [(x + 1, y), (x, y + 1)].iter().any(|(x, y)| at(*x, *y).is_some_and(|h| levels.of(h) != here));
                    light *= if is_edge { 0.86 } else { 1.0 };
                    ((here * levels.step + levels.base - levels.step / 2.0 - least) / range).clamp(0.0, 1.0)
                }
                None => (height - least) / range,
            };
            let [r, g, b] = tint(share).map(|c| shade(c * light));
            let at = (y * wide + x) as usize;
            relief.pixels_mut()[at] = ColorU8::from_rgba(r, g, b, 255).premultiply();
        }
    }
    Some(relief)
}

fn bounds(elevation: &Elevation, wide: u32, high: u32, place: impl Fn(f64, f64) -> Coord) -> (f64, f64) {
    let (mut least, mut most) = (f64::MAX, f64::MIN);
    for y in (0..high).step_by(8) {
        for x in (0..wide).step_by(8) {
            if let Some(height) = elevation.at(place(f64::from(x), f64::from(y))) {
                (least, most) = (least.min(height), most.max(height));
            }
        }
    }
    (least, most)
}

/// How much light falls on a place, around 1: the sun stands in the upper left of the sheet, as maps have it.
fn lit(elevation: &Elevation, unit: f64, at: Coord, turned: f64) -> f64 {
    let height = |x: f64, y: f64| elevation.at(at + Coord { x, y });
    let slope = |a: Option<f64>, b: Option<f64>| a.zip(b).map_or(0.0, |(a, b)| (b - a) * unit / (2.0 * REACH));
    let east = slope(height(-REACH, 0.0), height(REACH, 0.0)) * STEEPER;
    let north = slope(height(0.0, -REACH), height(0.0, REACH)) * STEEPER;
    let (sun, high) = ((315.0 + turned).to_radians(), 45f64.to_radians());
    let length = (1.0 + east * east + north * north).sqrt();
    let toward = (-east * sun.sin() - north * sun.cos()) * high.cos() + high.sin();
    let flat = high.sin();
    (1.0 + 0.55 * (toward / length - flat)).clamp(0.55, 1.14)
}

fn tint(share: f64) -> [f64; 3] {
    let at = TINTS.iter().position(|(s, _)| *s >= share).unwrap_or(TINTS.len() - 1).max(1);
    let ((a, low), (b, high)) = (TINTS[at - 1], TINTS[at]);
    let t = ((share - a) / (b - a)).clamp(0.0, 1.0);
    [0, 1, 2].map(|c| low[c] + (high[c] - low[c]) * t)
}

/// A colour in few steps, so that the picture compresses well.
fn shade(value: f64) -> u8 {
    ((value / 3.0).round() * 3.0).clamp(0.0, 255.0) as u8
}

//! The picture of the tiles: the board's cell, and one for each terrain, in its colour.

use anyhow::{Context, Result, anyhow};
use resvg::tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

use super::Cells;

/// Terrains that have no colour of their own take one of these in turn.
const COLOURS: [(u8, u8, u8); 6] =
    [(196, 148, 92), (92, 134, 178), (168, 104, 150), (208, 176, 72), (110, 160, 140), (186, 96, 84)];

/// A row of tiles, one for each name, the first the bare cell of the board.
pub(super) fn picture(names: &[&str], shape: Cells, width: i32, height: i32) -> Result<Vec<u8>> {
    let wide = width as u32 * names.len() as u32;
    let mut pixels =
        Pixmap::new(wide, height as u32).ok_or_else(|| anyhow!("{} terrains make too many tiles", names.len()))?;
    for (at, name) in names.iter().enumerate() {
        let path = cell(shape, width as f32, height as f32).context("a cell has an outline")?;
        let (red, green, blue) = colour(name, at);
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color(Color::from_rgba8(red, green, blue, if at == 0 { 255 } else { 150 }));
        let place = Transform::from_translate((width * at as i32) as f32, 0.0);
        pixels.fill_path(&path, &paint, FillRule::Winding, place, None);
        if at == 0 {
            paint.set_color(Color::from_rgba8(77, 67, 52, 160));
            pixels.stroke_path(&path, &paint, &Stroke { width: 1.0, ..Stroke::default() }, place, None);
        }
    }
    pixels.encode_png().context("the tiles cannot be encoded")
}

fn colour(name: &str, at: usize) -> (u8, u8, u8) {
    let known = [
        ("board", (244, 237, 220)),
        ("wood", (111, 138, 82)),
        ("orchard", (160, 176, 100)),
        ("rough", (123, 106, 82)),
        ("town", (180, 84, 64)),
        ("road", (138, 95, 56)),
        ("water", (74, 127, 168)),
    ];
    known.iter().find(|(word, _)| name.contains(word)).map_or(COLOURS[at % COLOURS.len()], |(_, colour)| *colour)
}

fn cell(shape: Cells, width: f32, height: f32) -> Option<Path> {
    let (w, h) = (width, height);
    let side = super::SIDE as f32;
    let points = match shape {
        Cells::Pointy { .. } => {
            let cut = (h - side) / 2.0;
            vec![(w / 2.0, 0.0), (w, cut), (w, h - cut), (w / 2.0, h), (0.0, h - cut), (0.0, cut)]
        }
        Cells::Flat { .. } => {
            let cut = (w - side) / 2.0;
            vec![(cut, 0.0), (w - cut, 0.0), (w, h / 2.0), (w - cut, h), (cut, h), (0.0, h / 2.0)]
        }
        Cells::Square | Cells::Area => vec![(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)],
    };
    let mut builder = PathBuilder::new();
    builder.move_to(points[0].0, points[0].1);
    points[1..].iter().for_each(|(x, y)| builder.line_to(*x, *y));
    builder.close();
    builder.finish()
}

//! Pictures of boards: the ground in relief, what is printed on it, the grid, names, counters and overlays.
//!
//! ```text
//! map file --------------+
//! survey, elevations ----+--> Frame (where things are on the sheet) --> layers, from the ground up --> SVG --> PNG
//! game, overlays --------+
//! ```
//!
//! A map that was laid over a survey shows its ground; any other shows what its file says of its spaces.

mod badges;
mod counters;
mod frame;
mod ground;
mod labels;
mod margin;
mod printed;
mod relief;
mod sheet;
mod symbols;

use std::{collections::BTreeSet, fmt::Write as _};

use anyhow::{Context, Result, anyhow};
use base64::{Engine, engine::general_purpose::STANDARD};
use countermarch_core::{
    map::{Grid, Map, SpaceId},
    play::Game,
    show::Sight,
};
use resvg::{tiny_skia, usvg};

use crate::files::Sources;
use frame::Frame;
use labels::Labels;
pub use sheet::contact_sheet;

/// A layer over the board: where a unit can go, what a side controls, what is seen.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    /// What it shows, for the legend.
    pub title: String,
    /// Its colour, as SVG writes it.
    pub colour: String,
    /// Spaces, each with what is written in it.
    pub spaces: Vec<(SpaceId, String)>,
    /// Lines between spaces; a broken one is dashed.
    pub lines: Vec<(SpaceId, SpaceId, bool)>,
}

/// What is to be drawn.
#[derive(Debug)]
pub struct Picture<'a> {
    /// The board.
    pub map: &'a Map,
    /// The ground it was laid over, if that is at hand.
    pub ground: Option<&'a Sources>,
    /// A position, as somebody sees it.
    pub game: Option<(&'a Game, Sight)>,
    /// Layers over the board, the first at the bottom.
    pub overlays: Vec<Overlay>,
    /// The middle of a cut-out and how many spaces around it; the whole board without.
    pub around: Option<(SpaceId, u16)>,
    /// Pixels across one space.
    pub across: f64,
}

const SERIF: &str = "Libertinus Serif, Georgia, Times New Roman, serif";
const PAPER: &str = "#f4eddc";
const INK: &str = "#2d2820";

impl Picture<'_> {
    /// The picture as SVG that stands alone: its relief is a picture inside it.
    ///
    /// # Errors
    /// Never of a map that loaded; the relief could be too large to be encoded.
    pub fn svg(&self) -> Result<String> {
        let frame = Frame::new(self);
        // A sharper relief shows no more: the elevations are farther apart.
        let step = 2.5;
        let image = relief::of(self, &frame, step).map(|relief| -> Result<String> {
            let png = STANDARD.encode(relief.encode_png().context("the relief cannot be encoded")?);
            let (x, y, width, height) = frame.sheet();
            Ok(format!(
                "<image x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                 preserveAspectRatio=\"none\" clip-path=\"url(#board)\" href=\"data:image/png;base64,{png}\"/>\n"
            ))
        });
        Ok(self.drawn(&frame, &image.transpose()?.unwrap_or_default()))
    }

    /// The picture as PNG, one pixel a pixel.
    ///
    /// # Errors
    /// When it is too large for memory.
    pub fn png(&self) -> Result<Vec<u8>> {
        let frame = Frame::new(self);
        let mut fonts = usvg::fontdb::Database::new();
        labels::FONTS.iter().for_each(|font| fonts.load_font_data(font.to_vec()));
        fonts.set_serif_family("Libertinus Serif");
        let options = usvg::Options { fontdb: fonts.into(), ..usvg::Options::default() };
        let tree = |text: &str| usvg::Tree::from_str(text, &options).context("the picture cannot be read back");
        let (width, height) = (frame.width.ceil() as u32, frame.height.ceil() as u32);
        let too_large = || anyhow!("a picture of {width} by {height} pixels is too large: ask for a smaller one");
        let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or_else(too_large)?;
        // The relief is computed for every pixel, and drawn under all else.
        let none = tiny_skia::Transform::identity();
        resvg::render(&tree(&self.paper(&frame))?, none, &mut pixels.as_mut());
        if let Some(relief) = relief::of(self, &frame, 1.0) {
            let (x, y, ..) = frame.sheet();
            let mut mask = tiny_skia::Mask::new(width, height).ok_or_else(too_large)?;
            if let Some(path) = board_path(&frame) {
                mask.fill_path(&path, tiny_skia::FillRule::Winding, true, none);
            }
            let paint = tiny_skia::PixmapPaint::default();
            pixels.draw_pixmap(x.round() as i32, y.round() as i32, relief.as_ref(), &paint, none, Some(&mask));
        }
        resvg::render(&tree(&self.over(&frame, ""))?, none, &mut pixels.as_mut());
        pixels.encode_png().context("the picture cannot be encoded")
    }

    fn head(frame: &Frame) -> String {
        let (width, height) = (frame.width.ceil(), frame.height.ceil());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"{SERIF}\">\n"
        )
    }

    fn paper(&self, frame: &Frame) -> String {
        format!("{}<rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n</svg>\n", Self::head(frame))
    }

    fn drawn(&self, frame: &Frame, image: &str) -> String {
        let paper = format!("<rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n");
        self.over(frame, &format!("{paper}{image}"))
    }

    /// Everything over the relief.
    fn over(&self, frame: &Frame, under: &str) -> String {
        let mut out = Self::head(frame);
        let _ = writeln!(out, "<defs><clipPath id=\"board\"><path d=\"{}\"/></clipPath></defs>", frame.board_path());
        out.push_str(under);
        let mut labels = Labels::new(frame);
        let _ = writeln!(out, "<g clip-path=\"url(#board)\">");
        ground::draw(self, frame, &mut out);
        printed::spaces(self, frame, &mut out);
        badges::control(self, frame, &mut out);
        printed::courses(self, frame, &mut out);
        printed::grid(self, frame, &mut labels, &mut out);
        let _ = writeln!(out, "</g>");
        for overlay in &self.overlays {
            overlay.draw(frame, &mut labels, &mut out);
        }
        badges::of_spaces(self, frame, &mut out);
        if self.map.grid == Grid::Area {
            labels.areas(self, frame, &mut out);
        }
        counters::draw(self, frame, &mut labels, &mut out);
        labels.names(self, frame, &mut out);
        margin::draw(self, frame, &mut out);
        out.push_str("</svg>\n");
        out
    }

    /// The spaces that are drawn.
    fn shown(&self) -> BTreeSet<SpaceId> {
        let is_near = |s: &SpaceId| self.around.is_none_or(|(middle, radius)| self.map.distance(middle, *s) <= radius);
        self.map.spaces().filter(is_near).collect()
    }
}

impl Overlay {
    fn draw(&self, frame: &Frame, labels: &mut Labels, out: &mut String) {
        let colour = &self.colour;
        let size = (frame.across * 0.24).clamp(8.0, 22.0);
        for (space, text) in self.spaces.iter().filter(|(s, _)| frame.shows(*s)) {
            let shape = frame::path(&frame.outline(*space));
            let _ = writeln!(
                out,
                "<path d=\"{shape}\" fill=\"{colour}\" fill-opacity=\"0.28\" stroke=\"{colour}\" stroke-width=\"1.6\"/>"
            );
            if !text.is_empty() {
                let (x, y) = frame.dot(*space);
                let half = size * 0.3 * text.chars().count() as f64;
                labels.take((x - half, y - size * 0.4), (x + half, y + size * 0.4));
                let text = escape(text);
                let (x, y) = (x, y + size * 0.35);
                for look in [
                    format!("stroke=\"{PAPER}\" stroke-width=\"3\" stroke-linejoin=\"round\""),
                    format!("fill=\"{INK}\""),
                ] {
                    let _ = writeln!(
                        out,
                        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" font-weight=\"bold\" text-anchor=\"middle\" {look}>{text}</text>"
                    );
                }
            }
        }
        for (from, to, is_broken) in &self.lines {
            let ((x1, y1), (x2, y2)) = (frame.dot(*from), frame.dot(*to));
            let dash = if *is_broken { " stroke-dasharray=\"7 5\"" } else { "" };
            for (colour, wide) in [(PAPER, 5.0), (colour.as_str(), 2.6)] {
                let _ = writeln!(
                    out,
                    "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"{colour}\" stroke-width=\"{wide}\" \
                     stroke-linecap=\"round\" fill=\"none\"{dash}/>"
                );
            }
        }
    }
}

fn board_path(frame: &Frame) -> Option<tiny_skia::Path> {
    let mut builder = tiny_skia::PathBuilder::new();
    for space in &frame.spaces {
        let mut points = frame.outline(*space).into_iter();
        let Some((x, y)) = points.next() else { continue };
        builder.move_to(x as f32, y as f32);
        points.for_each(|(x, y)| builder.line_to(x as f32, y as f32));
        builder.close();
    }
    builder.finish()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

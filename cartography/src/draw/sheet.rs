//! Many boards on one sheet, each under its title.

use std::fmt::Write as _;

use anyhow::Result;

use super::{INK, PAPER, Picture, SERIF, escape, frame::Frame};

/// A contact sheet as SVG: boards from left to right and from the top down, in so many columns, each so many pixels wide.
///
/// # Errors
/// As [`Picture::svg`].
pub fn contact_sheet(boards: &[(String, Picture<'_>)], columns: usize, wide: f64) -> Result<String> {
    const GAP: f64 = 16.0;
    const TITLE: f64 = 26.0;
    let columns = columns.clamp(1, boards.len().max(1));
    let high = |picture: &Picture<'_>| {
        let frame = Frame::new(picture);
        wide * frame.height.ceil() / frame.width.ceil().max(1.0)
    };
    let row = boards.iter().map(|(_, picture)| high(picture)).fold(0.0, f64::max) + TITLE + GAP;
    let rows = boards.len().div_ceil(columns);
    let (width, height) = (GAP + columns as f64 * (wide + GAP), GAP + rows as f64 * row);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"{SERIF}\">\n<rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n"
    );
    for (at, (title, picture)) in boards.iter().enumerate() {
        let (x, y) = (GAP + (at % columns) as f64 * (wide + GAP), GAP + (at / columns) as f64 * row);
        let frame = Frame::new(picture);
        let board = picture.svg()?;
        // What stands within the element that the board is.
        let inner = board.split_once('>').map_or("", |(_, inner)| inner);
        let _ = writeln!(
            out,
            "<text x=\"{x:.0}\" y=\"{:.0}\" font-size=\"18\" fill=\"{INK}\">{}</text>",
            y + 18.0,
            escape(title)
        );
        let _ = writeln!(
            out,
            "<svg x=\"{x:.0}\" y=\"{:.0}\" width=\"{wide:.0}\" height=\"{:.0}\" viewBox=\"0 0 {} {}\">{inner}",
            y + TITLE,
            high(picture),
            frame.width.ceil(),
            frame.height.ceil()
        );
    }
    out.push_str("</svg>\n");
    Ok(out)
}

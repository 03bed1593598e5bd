//! How counters look: the color of each side, the sign of each type, and how the ratings on them are written.

use super::{Attribute, reading::Reader};
use crate::{
    diagnostic::suggest,
    yaml::{Fields, Node},
};

/// A color, as red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// Colors that have a name. They are light enough for dark print, and are told apart on paper and ground.
    const NAMES: [(&'static str, Color); 8] = [
        ("blue", Color(0x7f, 0x9c, 0xc4)),
        ("gray", Color(0xb4, 0xb3, 0xad)),
        ("butternut", Color(0xc9, 0xa2, 0x6b)),
        ("red", Color(0xc9, 0x8d, 0x84)),
        ("green", Color(0x9b, 0xb5, 0x83)),
        ("yellow", Color(0xdf, 0xcb, 0x79)),
        ("purple", Color(0xa7, 0x92, 0xbf)),
        ("white", Color(0xf0, 0xec, 0xe2)),
    ];

    /// As SVG writes it.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// So many hundredths of white in it.
    #[must_use]
    pub fn lighter(self, white: u8) -> Color {
        let mix = |part: u8| part + (u16::from(255 - part) * u16::from(white.min(100)) / 100) as u8;
        Color(mix(self.0), mix(self.1), mix(self.2))
    }

    /// Whether print on it must be light: as the eye weighs the three parts.
    pub fn is_dark(self) -> bool {
        u32::from(self.0) * 299 + u32::from(self.1) * 587 + u32::from(self.2) * 114 < 110_000
    }

    /// The nearest of a terminal's 256 colors as the ground, with print that can be read on it.
    pub fn ansi(self) -> String {
        let step = |part: u8| (u16::from(part) * 5 + 127) / 255;
        let print = if self.is_dark() { 231 } else { 16 };
        format!("38;5;{print};48;5;{}", 16 + 36 * step(self.0) + 6 * step(self.1) + step(self.2))
    }

    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Color> {
        let text = node.as_text(reader.found);
        let named = Color::NAMES.iter().find(|(name, _)| *name == text).map(|(_, color)| *color);
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()));
        let written = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let color = named.or(written.map(|rgb| Color((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)));
        if color.is_none() {
            let help = suggest(&text, Color::NAMES.iter().map(|(name, _)| *name));
            let message = format!("`{text}` is neither the name of a color nor red, green and blue as `#7f9cc4`");
            reader.found.error("unknown-name", &node.span, message, help);
        }
        color
    }
}

/// Reads the `color:` of each of `sides:`; a side without one takes the first that no other has.
pub(super) fn colors(sides: &[Node], reader: &mut Reader<'_>) -> Vec<Color> {
    let mut colors: Vec<Option<Color>> = Vec::new();
    for side in sides {
        let written = side.get("color");
        let color = written.and_then(|node| Color::read(node, reader));
        if let Some(node) = written.filter(|_| color.is_some() && colors.contains(&color)) {
            let message = "another side has this color already";
            reader.found.error("twice", &node.span, message, "counters are told apart by it: choose another");
        }
        colors.push(color);
    }
    for at in 0..colors.len() {
        let free = || Color::NAMES.iter().map(|(_, color)| *color).find(|c| !colors.contains(&Some(*c)));
        colors[at] = colors[at].or_else(free).or(Some(Color::NAMES[at % Color::NAMES.len()].1));
    }
    colors.into_iter().flatten().collect()
}

/// What the sign of an arm is put together from, as staffs draw it (APP-6): a cavalry's diagonal and a gun's dot in one
/// frame are horse artillery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Crossed straps.
    Infantry,
    /// One strap: a diagonal.
    Cavalry,
    /// A ball.
    Artillery,
    /// A track: an oval.
    Armor,
    /// A staff under the frame.
    Headquarters,
    /// A person, who has no frame: a star.
    Leader,
}

impl Sign {
    const NAMES: [(&'static str, Sign); 6] = [
        ("infantry", Sign::Infantry),
        ("cavalry", Sign::Cavalry),
        ("artillery", Sign::Artillery),
        ("armor", Sign::Armor),
        ("headquarters", Sign::Headquarters),
        ("leader", Sign::Leader),
    ];
}

/// Reads the `sign:` of each of `types:`, one word or several; a type without one has an empty frame.
pub(super) fn signs(types: &[(String, Node)], reader: &mut Reader<'_>) -> Vec<Vec<Sign>> {
    let mut all = Vec::new();
    for (_, body) in types {
        let mut signs = Vec::new();
        for node in body.get("sign").map(|n| n.items(reader.found)).unwrap_or_default() {
            let text = node.as_text(reader.found);
            match Sign::NAMES.iter().find(|(name, _)| *name == text) {
                Some((_, sign)) => signs.push(*sign),
                None => {
                    let help = suggest(&text, Sign::NAMES.iter().map(|(name, _)| *name));
                    reader.found.error("unknown-name", &node.span, format!("`{text}` is no sign of an arm"), help);
                }
            }
        }
        if let Some(node) = body.get("sign").filter(|_| signs.contains(&Sign::Leader) && signs.len() > 1) {
            let message = "a leader's star has no frame that another sign could stand in";
            reader.found.error("sign", &node.span, message, "write `sign: leader`, or leave the leader out");
        }
        all.push(signs);
    }
    all
}

/// Reads `faces:`, how ratings are written on the counters of each type; every blank must be an attribute.
pub(super) fn faces(
    fields: &mut Fields<'_>,
    types: &[(String, Node)],
    attributes: &[Attribute],
    reader: &mut Reader<'_>,
) -> Vec<String> {
    let mut faces = vec![String::new(); types.len()];
    for (name, face) in fields.may("faces").map(|n| n.entries(reader.found)).unwrap_or_default() {
        let (id, text) = (name.as_text(reader.found), face.as_text(reader.found));
        for blank in text.split('{').skip(1).filter_map(|part| part.split('}').next()) {
            if !attributes.iter().any(|a| a.name == blank) {
                let help = suggest(blank, attributes.iter().map(|a| a.name.as_str()));
                reader.found.error("unknown-name", &face.span, format!("`{blank}` is not declared"), help);
            }
        }
        match types.iter().position(|(t, _)| *t == id) {
            Some(at) => faces[at] = text,
            None => {
                let help = suggest(&id, types.iter().map(|(t, _)| t.as_str()));
                reader.found.error("unknown-name", &name.span, format!("there is no type `{id}`"), help);
            }
        }
    }
    faces
}

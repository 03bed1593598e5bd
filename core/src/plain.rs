//! Text from strangers, made safe to show: no sign in it steers a terminal or turns the order of the letters round.

use std::borrow::Cow;

/// Whether a character steers what shows it, and is no letter of a text: control characters but for the ends of lines
/// and tabs, and those that turn the direction of writing or hide.
pub fn steers(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => true,
        c => c.is_control(),
    }
}

/// The text with a visible sign in place of every character that steers.
///
/// The colours that the engine itself writes, `ESC [ ... m`, stay where `keeps_colours`.
pub fn plain(text: &str, keeps_colours: bool) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(steers) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(length) = colour(rest).filter(|_| keeps_colours) {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        let mut chars = rest.chars();
        out.extend(chars.next().map(visible));
        rest = chars.as_str();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// How long the change of colour is that a text begins with.
fn colour(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("\u{1b}[")?;
    let end = inner.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    inner[end..].starts_with('m').then_some(end + 3)
}

/// A sign that shows what was there: Unicode has one for each control character of ASCII.
fn visible(c: char) -> char {
    match u32::from(c) {
        ascii @ 0..0x20 => char::from_u32(0x2400 + ascii).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// The text, its middle left out where it is longer than anybody reads.
pub fn shortened(text: String) -> String {
    const LONGEST: usize = 1000;
    if text.len() <= LONGEST {
        return text;
    }
    // A character takes four bytes at most.
    let boundary = |at: usize| (at..at + 4).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    format!("{} ... {}", &text[..boundary(LONGEST - 200)], &text[boundary(text.len() - 100)..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_a_terminal_but_the_colours_of_the_engine() {
        assert_eq!(plain("Round Hill\n\té — ж", false), "Round Hill\n\té — ж");
        assert_eq!(plain("\u{1b}[2J\u{7}\r\u{9b}0m\u{202e}x", false), "␛[2J␇␍\u{fffd}0m\u{fffd}x");
        assert_eq!(plain("\u{1b}[1;31mred\u{1b}[0m \u{1b}[2J", true), "\u{1b}[1;31mred\u{1b}[0m ␛[2J");
        assert_eq!(plain("\u{1b}[31mred", false), "␛[31mred");
        assert_eq!(plain("\u{1b}[", true), "␛[");
    }

    #[test]
    fn the_middle_of_a_long_text_is_left_out() {
        assert_eq!(shortened("short".into()), "short");
        let long = shortened(format!("begin{}end", "é".repeat(1 << 20)));
        assert!(long.len() < 1000 && long.starts_with("begin") && long.ends_with("end"), "{long}");
    }
}

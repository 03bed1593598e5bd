//! What Luau itself says against a text, and where: it tells the line alone.

use mlua::{Error, chunk::Compiler};

use super::{lower::Unread, tree::At};
use crate::code;

/// A line of more places than that was written by no hand.
const MOST_PLACES: usize = 200;
/// Nor was a text so long of which no more than the line need be told.
const MOST_BYTES: usize = 1 << 17;

/// Luau counts how deeply everything is nested, but for one thing: a type may be optional again and again.
const MOST_OPTIONAL: usize = 10_000;

/// Why Luau does not take a text, or might take one that is nested without end.
pub fn fault(text: &str) -> Option<Unread> {
    if let Some((start, _)) = text.match_indices('?').nth(MOST_OPTIONAL) {
        let message = format!("a rule file has no more than {MOST_OPTIONAL} question marks");
        return Some(Unread { message, at: start..start + 1 });
    }
    let (line, message) = code::unfit(text).or_else(|| said(text))?;
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let whole = text[start..].lines().next().unwrap_or("");
    let begins = start + (whole.len() - whole.trim_start().len());
    let at = place(text, begins..start + whole.len(), (line, &message)).unwrap_or(begins..start + whole.len());
    Some(Unread { message, at })
}

/// The line of the first fault, and what is wrong.
fn said(text: &str) -> Option<(usize, String)> {
    match Compiler::new().compile(text) {
        Ok(_) => None,
        Err(Error::SyntaxError { message, .. }) => {
            let (line, message) = message.trim_start_matches(':').split_once(": ")?;
            Some((line.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok()?, message.to_owned()))
        }
        Err(other) => Some((1, other.to_string())),
    }
}

/// Where in its line a fault is. Put the rest of the line on the next from some place on: if the fault goes with it, it lies
/// behind that place. The last such place is where it begins.
fn place(text: &str, line: At, (number, message): (usize, &str)) -> Option<At> {
    if text.len() > MOST_BYTES {
        return None;
    }
    let letters: Vec<(usize, char)> = text[line.clone()].char_indices().collect();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let begins = letters.windows(2).filter(|two| {
        let ((_, before), (_, letter)) = (two[0], two[1]);
        !(letter.is_whitespace() || is_word(before) && is_word(letter))
    });
    let places: Vec<usize> = begins.map(|two| line.start + two[1].0).collect();
    if places.len() > MOST_PLACES {
        return None;
    }
    let start = places.into_iter().rev().find(|place| {
        let (before, after) = text.split_at(*place);
        said(&format!("{before}\n{after}"))
            .is_some_and(|(line, again)| line == number + 1 && without_brackets(&again) == without_brackets(message))
    })?;
    let rest = &text[start..line.end];
    let first = rest.chars().next()?;
    let length = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
    Some(start..start + length)
}

/// Without `(to close '(' at column 9)`, which tells another place once lines are broken.
fn without_brackets(message: &str) -> String {
    match (message.find(" (to close"), message.rfind(')')) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &message[..from], &message[to + 1..]),
        _ => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_fault_is_found_in_its_line() {
        for (text, said, marked) in [
            ("local a = 1\nlocal b, = 2", "Expected identifier when parsing variable name, got '='", "="),
            ("local a = (1 + 2", "Expected ')' (to close '(' at column 11), got <eof>", "2"),
            ("f(a, (b)))", "Expected identifier when parsing expression, got ')'", ")"),
            ("local a = 1 local b = = 2", "Expected identifier when parsing expression, got '='", "="),
            ("if a then\n  b()\n  els\n  c()\nend", "Incomplete statement", "els"),
            ("-- fünf\nf(\"ß\", a b)", "Expected ')' (to close '(' at column 2), got 'b'", "b"),
        ] {
            let fault = fault(text).expect("it is wrong");
            assert!(fault.message.contains(said), "{text}: {}", fault.message);
            assert_eq!(&text[fault.at.clone()], marked, "{text}: {:?}", fault.at);
        }
        assert!(fault("local a = 1").is_none());
    }

    #[test]
    fn long_texts_are_told_by_their_line() {
        let long = format!("local a = 1\n  {}", "f(".repeat(1 << 17));
        let fault = fault(&long).expect("it is wrong");
        assert_eq!(fault.at.start, 14, "{}", fault.message);
    }
}

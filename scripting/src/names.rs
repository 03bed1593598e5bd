//! Reads rule files as words, without running them: names that are nowhere declared, and values that would outlive
//! the task they are set in.
//!
//! Luau itself finds a misspelt name only when the line is carried out, which may be in the twentieth turn. This is
//! no parser: a name counts as declared wherever its file declares it as local, so it never complains wrongly about
//! scope, and it may miss what a parser would see.

use std::collections::BTreeSet;

use countermarch_core::diagnostic::{Diagnostics, Span, suggest};
use mlua::{Lua, Table, Value};

/// One word or sign of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    at: usize,
    is_name: bool,
}

const KEYWORDS: [&str; 22] = [
    "and", "break", "continue", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// Cuts a file into names and signs; numbers, texts and comments are left out, but for what texts have between braces.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut list = Vec::new();
    let mut at = 0;
    // Where a text in backticks goes on after the expression in it: how deep in braces that began.
    let mut texts: Vec<usize> = Vec::new();
    let mut braces = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let first = bytes[at];
        if rest.starts_with("--") {
            let long = rest.starts_with("--[[");
            at += if long {
                rest.find("]]").map_or(rest.len(), |n| n + 2)
            } else {
                rest.find('\n').unwrap_or(rest.len())
            };
        } else if rest.starts_with("[[") {
            list.push(Token { text: "\"", at, is_name: false });
            at += rest.find("]]").map_or(rest.len(), |n| n + 2);
        } else if first == b'"' || first == b'\'' {
            list.push(Token { text: "\"", at, is_name: false });
            at = after_text(bytes, at + 1, first).0;
        } else if first == b'`' || (first == b'}' && texts.last() == Some(&braces)) {
            if first == b'`' {
                list.push(Token { text: "\"", at, is_name: false });
            } else {
                texts.pop();
                braces -= 1;
            }
            let (end, opens) = after_text(bytes, at + 1, b'`');
            if opens {
                braces += 1;
                texts.push(braces);
            }
            at = end;
        } else if first.is_ascii_alphabetic() || first == b'_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let word = &rest[..end];
            list.push(Token { text: word, at, is_name: !KEYWORDS.contains(&word) });
            at += end;
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
            // Two dots after a number join it to something.
            let end = rest[..end].find("..").unwrap_or(end);
            list.push(Token { text: "0", at, is_name: false });
            at += end;
        } else if first.is_ascii_whitespace() {
            at += 1;
        } else {
            let length = ["...", "..=", "//=", "==", "~=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=", "..", "::"]
                .iter()
                .find(|sign| rest.starts_with(**sign))
                .map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |sign| sign.len());
            match first {
                b'{' => braces += 1,
                b'}' => braces = braces.saturating_sub(1),
                _ => (),
            }
            list.push(Token { text: &rest[..length], at, is_name: false });
            at += length;
        }
    }
    list
}

/// Where a text ends, and whether it was a brace, in backticks, that ended it.
fn after_text(bytes: &[u8], mut at: usize, quote: u8) -> (usize, bool) {
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'{' if quote == b'`' => return (at + 1, true),
            b if b == quote => return (at + 1, false),
            _ => (),
        }
        at += 1;
    }
    (bytes.len(), false)
}

/// A file's names that are declared local: everywhere, and outside all functions.
struct Locals<'a> {
    all: BTreeSet<&'a str>,
    of_file: BTreeSet<&'a str>,
    of_functions: BTreeSet<&'a str>,
    /// By token: how many functions it stands in.
    depth: Vec<usize>,
}

impl<'a> Locals<'a> {
    fn new(list: &[Token<'a>]) -> Locals<'a> {
        let mut found =
            Locals { all: BTreeSet::new(), of_file: BTreeSet::new(), of_functions: BTreeSet::new(), depth: Vec::new() };
        // What every open block is: a function, or another.
        let mut blocks: Vec<bool> = Vec::new();
        for (at, token) in list.iter().enumerate() {
            let before = at.checked_sub(1).map_or("", |b| list[b].text);
            match token.text {
                "function" => blocks.push(true),
                "do" | "repeat" => blocks.push(false),
                "if" if begins_statement(before) => blocks.push(false),
                "end" | "until" => drop(blocks.pop()),
                _ => (),
            }
            let depth = blocks.iter().filter(|is_function| **is_function).count();
            found.depth.push(depth);
            let declares = match token.text {
                "local" if list.get(at + 1).is_some_and(|t| t.text == "function") => {
                    &list[at + 2..(at + 3).min(list.len())]
                }
                "local" | "for" => names_after(list, at + 1),
                "function" => parameters(list, at + 1),
                _ => &[],
            };
            for name in declares.iter().filter(|t| t.is_name) {
                found.all.insert(name.text);
                if depth == 0 { &mut found.of_file } else { &mut found.of_functions }.insert(name.text);
            }
        }
        found
    }
}

/// Whether an `if` after this word is a statement, and has an `end`.
fn begins_statement(before: &str) -> bool {
    let goes_on = [
        "=", "(", ",", "{", "[", "return", "and", "or", "not", "..", "+", "-", "*", "/", "==", "~=", "<", ">", "<=",
        ">=", "+=", "-=", "in",
    ];
    !goes_on.contains(&before)
}

/// The names between here and the `=`, `in` or new statement that ends a declaration.
fn names_after<'t, 'a>(list: &'t [Token<'a>], from: usize) -> &'t [Token<'a>] {
    let mut end = from;
    while list.get(end).is_some_and(|t| t.is_name) {
        end += 1;
        if list.get(end).is_none_or(|t| t.text != ",") {
            break;
        }
        end += 1;
    }
    &list[from.min(list.len())..end]
}

fn parameters<'t, 'a>(list: &'t [Token<'a>], from: usize) -> &'t [Token<'a>] {
    let open = list[from..].iter().position(|t| t.text == "(").map_or(list.len(), |n| from + n);
    let close = list[open..].iter().position(|t| t.text == ")").map_or(list.len(), |n| open + n);
    &list[open..close]
}

const ASSIGN: [&str; 8] = ["=", "+=", "-=", "*=", "/=", "//=", "%=", "..="];

/// Checks the names of one file against what the rules of this state can see; `original` is what the file's functions
/// stand in place of, where it amends a module.
pub fn check(lua: &Lua, path: &str, text: &str, original: Option<&Table>, found: &mut Diagnostics) {
    let list = tokens(text);
    let locals = Locals::new(&list);
    let word = |at: usize| list.get(at).map_or("", |t: &Token<'_>| t.text);
    for (at, token) in list.iter().enumerate().filter(|(_, t)| t.is_name) {
        let before = at.checked_sub(1).map_or("", |b| list[b].text);
        let is_key = word(at + 1) == "=" && matches!(before, "{" | "," | ";");
        if matches!(before, "." | ":" | "::") || is_key {
            continue;
        }
        if locals.all.contains(token.text) {
            let of_file = locals.of_file.contains(token.text) && !locals.of_functions.contains(token.text);
            let after = after_chain(&list, at);
            if of_file && locals.depth[at] > 0 && begins_statement(before) && ASSIGN.contains(&word(after)) {
                let message = format!("`{}` would outlive the task: a rule keeps nothing between tasks", token.text);
                let help = "declare it as state in YAML, or make it inside the function";
                found.error("kept", &span(path, token), message, help);
            }
            continue;
        }
        let is_set = ASSIGN.contains(&word(at + 1)) && begins_statement(before);
        if is_set && lua.globals().get(token.text).is_ok_and(|known: Value| known.is_nil()) {
            let message = format!("`{}` becomes a global here", token.text);
            found.error("global", &span(path, token), message, format!("write `local {}`", token.text));
            continue;
        }
        match original.filter(|_| token.text == "original") {
            Some(table) => check_chain(lua, path, &list[at..], Value::Table(table.clone()), found),
            None => {
                let value = lua.globals().get(token.text).unwrap_or(Value::Nil);
                check_chain(lua, path, &list[at..], value, found);
            }
        }
    }
}

fn span(path: &str, token: &Token<'_>) -> Span {
    Span { file: path.into(), start: token.at, end: token.at + token.text.len() }
}

/// The place after `name.field[index]`.
fn after_chain(list: &[Token<'_>], at: usize) -> usize {
    let mut end = at + 1;
    loop {
        match list.get(end).map(|t| t.text) {
            Some(".") => end += 2,
            Some("[") => {
                let mut open = 0;
                while let Some(token) = list.get(end) {
                    open += i32::from(token.text == "[") - i32::from(token.text == "]");
                    end += 1;
                    if open == 0 {
                        break;
                    }
                }
            }
            _ => return end,
        }
    }
}

/// `table.field.field`, as far as tables go that cannot change, from the value of the first name.
fn check_chain(lua: &Lua, path: &str, list: &[Token<'_>], mut value: Value, found: &mut Diagnostics) {
    let first = &list[0];
    if value.is_nil() {
        let known = lua.globals().metatable().and_then(|m| m.raw_get::<Table>("__index").ok());
        let names = known.map(|t| keys(&t)).unwrap_or_default();
        let help = suggest(first.text, names.iter().map(String::as_str));
        let message = format!("`{}` is neither declared here nor a name of the engine", first.text);
        found.error("unknown-name", &span(path, first), message, help);
        return;
    }
    let mut name = first.text.to_owned();
    let mut at = 0;
    while let (Value::Table(table), Some("."), Some(field)) =
        (&value, list.get(at + 1).map(|t| t.text), list.get(at + 2).filter(|t| t.is_name || KEYWORDS.contains(&t.text)))
    {
        let inner: Value = table.raw_get(field.text).unwrap_or(Value::Nil);
        if inner.is_nil() {
            let names = keys(table);
            let help = suggest(field.text, names.iter().map(String::as_str));
            found.error("unknown-name", &span(path, field), format!("`{name}` has no `{}`", field.text), help);
            return;
        }
        name = format!("{name}.{}", field.text);
        (value, at) = (inner, at + 2);
    }
}

fn keys(table: &Table) -> Vec<String> {
    let mut names: Vec<String> = table.pairs::<String, Value>().flatten().map(|(name, _)| name).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        tokens(text).iter().filter(|t| t.is_name).map(|t| t.text).collect()
    }

    #[test]
    fn comments_and_texts_hold_no_names_but_braces_in_backticks_do() {
        assert_eq!(names("a -- b\nc --[[ d\n e ]] f"), ["a", "c", "f"]);
        assert_eq!(names(r#"a = "b \" c" .. 'd' .. [[e]] .. f"#), ["a", "f"]);
        assert_eq!(names("a(`b {c.d} e {`f {g}`} h`, i)"), ["a", "c", "d", "g", "i"]);
        assert_eq!(names("{ a = 1..b, c = 0x1f }"), ["a", "b", "c"]);
    }

    #[test]
    fn an_if_that_is_a_value_has_no_end() {
        let text = "local kept = if a then 1 else 2\nfunction m.f(x)\n  if x then\n    local y = if x then x else 0\n  end\nend\nlocal last";
        let list = tokens(text);
        let locals = Locals::new(&list);
        assert_eq!(locals.of_file.iter().copied().collect::<Vec<_>>(), ["kept", "last"]);
        assert_eq!(locals.of_functions.iter().copied().collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(locals.depth.last(), Some(&0));
    }
}

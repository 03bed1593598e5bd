//! YAML as a tree that remembers where everything stands, and typed reading of it that collects faults.
//!
//! Scalars stay text until somebody asks for a number, so `19.10` and `no` keep their letters. Anchors and
//! aliases are refused: content repeats itself as the printed sheets do, and a bomb of aliases cannot be made.

use std::{collections::BTreeSet, sync::Arc};

use serde_saphyr::granit_parser::{Event, Parser, Span as Mark};
use smol_str::SmolStr;

use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    plain::steers,
};

/// Deeper nesting than any content needs; what is deeper is refused.
const DEEPEST: usize = 48;

/// A piece of YAML with its place. A copy shares what it holds: whoever changes one pays for the lists on the way to the
/// change alone.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it holds.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
}

/// What a [`Node`] holds.
#[derive(Debug, Clone)]
pub enum Value {
    /// Text as written, unquoted.
    Text(SmolStr),
    /// A list.
    List(Arc<Vec<Node>>),
    /// Keys in the order written; keys are unique.
    Map(Arc<Vec<(Node, Node)>>),
}

/// Reads one file. Whatever could be read is returned, with what was wrong recorded.
pub fn parse(file: &str, text: &str, found: &mut Diagnostics) -> Node {
    let file: Arc<str> = file.into();
    let mut reading = Reading { file: file.clone(), open: Vec::new(), done: None };
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, mark)) => {
                if let Err((code, message, help)) = reading.take(event, &mark, found) {
                    found.error(code, &reading.span(&mark), message, help);
                    return reading.rest();
                }
            }
            Err(wrong) => {
                let at = wrong.marker().byte_offset().unwrap_or(0);
                let span = Span { file: file.clone(), start: at, end: at };
                let help = if text.contains('\0') {
                    "this is no text: delete the file, or save it as text".to_owned()
                } else {
                    mend(text, at, &wrong.info())
                };
                found.error("yaml", &span, wrong.info(), help);
                return reading.rest();
            }
        }
    }
    reading.rest()
}

/// What to do where a text cannot be read as YAML: the cause often stands before the place where it shows.
fn mend(text: &str, at: usize, says: &str) -> String {
    let line = |at: usize| text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    let at = at.min(text.len());
    let open = unclosed(&text.as_bytes()[..at]).filter(|open| line(*open) < line(at));
    if let Some(open) = open {
        let (begin, end) = if text.as_bytes()[open] == b'{' { ('{', '}') } else { ('[', ']') };
        return format!("a `{begin}` of line {} is open here: close it with `{end}` where it ends", line(open));
    }
    let is_of_colons =
        ["mapping values are not allowed", "simple key expected"].iter().any(|key| says.starts_with(key));
    let help = if is_of_colons {
        "put a text in quotes that has a colon in it; behind the colon of a key, here or in the line before, comes a space"
    } else {
        "mend the YAML here; indent with two spaces"
    };
    help.to_owned()
}

/// The last bracket that is open at the end of a text. The reader itself may wait long before it tells of one.
fn unclosed(text: &[u8]) -> Option<usize> {
    let (mut open, mut quote, mut before) = (Vec::new(), None, b'\n');
    for (at, byte) in text.iter().copied().enumerate() {
        match (quote, byte) {
            (Some(b'#'), b'\n') => quote = None,
            (Some(b'"'), b'"') if before == b'\\' => (),
            (Some(kind), byte) if kind == byte => quote = None,
            (Some(_), _) => (),
            (None, b'"' | b'\'' | b'#') if matches!(before, b' ' | b'\n' | b'[' | b'{' | b',' | b'\'') => {
                quote = Some(byte)
            }
            (None, b'{' | b'[') => open.push(at),
            (None, b'}' | b']') => _ = open.pop(),
            (None, _) => (),
        }
        before = byte;
    }
    open.pop()
}

enum Open {
    List(Vec<Node>, usize),
    Map(Map, Option<Node>, usize),
}

/// A map that is being read.
#[derive(Default)]
struct Map {
    entries: Vec<(Node, Node)>,
    /// Its keys, once they are many.
    keys: BTreeSet<SmolStr>,
}

impl Map {
    /// Few keys are gone through faster than they are put in order.
    const FEW: usize = 16;

    /// Whether a key is there, which is taken down.
    fn had(&mut self, key: &SmolStr) -> bool {
        let texts = self.entries.iter().filter_map(|(key, _)| match &key.value {
            Value::Text(text) => Some(text),
            Value::List(_) | Value::Map(_) => None,
        });
        if self.entries.len() < Map::FEW {
            return texts.into_iter().any(|known| known == key);
        }
        if self.keys.is_empty() {
            self.keys = texts.cloned().collect();
        }
        !self.keys.insert(key.clone())
    }
}

struct Reading {
    file: Arc<str>,
    open: Vec<Open>,
    done: Option<Node>,
}

type Refused = (&'static str, String, String);

impl Reading {
    fn span(&self, mark: &Mark) -> Span {
        let start = mark.start.byte_offset().unwrap_or(0);
        Span { file: self.file.clone(), start, end: mark.end.byte_offset().unwrap_or(start).max(start) }
    }

    fn take(&mut self, event: Event<'_>, mark: &Mark, found: &mut Diagnostics) -> Result<(), Refused> {
        match event {
            Event::Scalar(text, ..) => {
                let span = self.span(mark);
                let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
                if let Some(c) = text.chars().find(|c| !is_plain && steers(*c)) {
                    let message = format!("the character U+{:04X} steers whatever shows this text", u32::from(c));
                    found.error("control", &span, message, "leave it out");
                }
                self.put(Node { value: Value::Text(text.into()), span }, found);
            }
            Event::SequenceStart(..) => self.deeper(Open::List(Vec::new(), self.span(mark).start))?,
            Event::MappingStart(..) => self.deeper(Open::Map(Map::default(), None, self.span(mark).start))?,
            Event::SequenceEnd | Event::MappingEnd => self.close(self.span(mark).end, found),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let help = "write the value out; anchors and aliases are not read".to_owned();
                return Err(("alias", "an alias is not allowed in content".to_owned(), help));
            }
            Event::DocumentStart(..) if self.done.is_some() => {
                return Err(("yaml", "a second document in one file".to_owned(), "use one file for each".to_owned()));
            }
            _ => (),
        }
        Ok(())
    }

    fn deeper(&mut self, open: Open) -> Result<(), Refused> {
        if self.open.len() >= DEEPEST {
            return Err(("too-deep", format!("nested more than {DEEPEST} deep"), "flatten it".to_owned()));
        }
        self.open.push(open);
        Ok(())
    }

    fn close(&mut self, end: usize, found: &mut Diagnostics) {
        let (value, start) = match self.open.pop() {
            Some(Open::List(list, start)) => (Value::list(list), start),
            Some(Open::Map(map, _, start)) => (Value::map(map.entries), start),
            None => return,
        };
        let span = Span { file: self.file.clone(), start, end: end.max(start) };
        self.put(Node { value, span }, found);
    }

    fn put(&mut self, node: Node, found: &mut Diagnostics) {
        match self.open.last_mut() {
            None => self.done = Some(node),
            Some(Open::List(list, _)) => list.push(node),
            Some(Open::Map(map, key, _)) => match key.take() {
                None => *key = Some(node),
                Some(name) => {
                    let Value::Text(text) = &name.value else {
                        found.error("yaml", &name.span, "a key must be text", "put the list in the value");
                        return;
                    };
                    if map.had(text) {
                        let message = format!("`{text}` is given twice here");
                        found.error("twice", &name.span, message, "delete one of the two");
                        return;
                    }
                    map.entries.push((name, node));
                }
            },
        }
    }

    fn rest(mut self) -> Node {
        let mut sink = Diagnostics::default();
        while !self.open.is_empty() {
            self.close(0, &mut sink);
        }
        let empty = Span { file: self.file.clone(), start: 0, end: 0 };
        self.done.unwrap_or(Node { value: Value::map(Vec::new()), span: empty })
    }
}

impl Value {
    /// A list of these.
    pub fn list(list: Vec<Node>) -> Value {
        Value::List(list.into())
    }

    /// A map of these keys and what stands under them.
    pub fn map(map: Vec<(Node, Node)>) -> Value {
        Value::Map(map.into())
    }

    /// Whether it is the same, every part of it at the same place. What copies share is not gone through.
    fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::List(a), Value::List(b)) => {
                Arc::ptr_eq(a, b) || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.is_same(b))
            }
            (Value::Map(a), Value::Map(b)) => {
                let both = |((key, a), (other, b)): (&(Node, Node), &(Node, Node))| key.is_same(other) && a.is_same(b);
                Arc::ptr_eq(a, b) || a.len() == b.len() && a.iter().zip(b.iter()).all(both)
            }
            _ => false,
        }
    }
}

impl Node {
    /// Whether it is the same in content and place, down to its smallest part.
    pub(crate) fn is_same(&self, other: &Node) -> bool {
        self.span == other.span && self.value.is_same(&other.value)
    }

    /// The text, if it is a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    /// The value under a key, if it is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(map) => map.iter().find(|(k, _)| k.text() == Some(key)).map(|(_, v)| v),
            Value::Text(_) | Value::List(_) => None,
        }
    }

    /// What kind of thing it is, for messages.
    fn kind(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }

    /// Reads it as text.
    pub fn as_text(&self, found: &mut Diagnostics) -> String {
        self.text().map_or_else(
            || {
                found.error("type", &self.span, format!("expected text, found {}", self.kind()), "");
                String::new()
            },
            str::to_owned,
        )
    }

    /// Reads it as a whole number between `least` and `most`; a wrong one is recorded and read as `least`.
    pub fn as_int(&self, least: i32, most: i32, found: &mut Diagnostics) -> i32 {
        let text = self.text().unwrap_or("").trim_start_matches('+');
        match text.parse::<i128>() {
            Ok(n) if (i128::from(least)..=i128::from(most)).contains(&n) => n as i32,
            Ok(n) => {
                found.error("range", &self.span, format!("{n} is not between {least} and {most}"), "");
                least
            }
            Err(_) => {
                let what = self.text().map_or_else(|| self.kind().to_owned(), |t| format!("`{t}`"));
                found.error("type", &self.span, format!("expected a whole number, found {what}"), "");
                least
            }
        }
    }

    /// Reads it as `true` or `false`.
    pub fn as_flag(&self, found: &mut Diagnostics) -> bool {
        match self.text() {
            Some("true") => true,
            Some("false") => false,
            _ => {
                found.error("type", &self.span, "expected true or false", "");
                false
            }
        }
    }

    /// The items of a list; a single text stands for a list of one.
    pub fn items(&self, found: &mut Diagnostics) -> &[Node] {
        match &self.value {
            Value::List(list) => list,
            Value::Text(_) => std::slice::from_ref(self),
            Value::Map(_) => {
                found.error("type", &self.span, "expected a list, found a map", "begin each line with `- `");
                &[]
            }
        }
    }

    /// The items of a list that are texts; of anything else none.
    pub fn texts(&self) -> Vec<String> {
        let Value::List(items) = &self.value else { return Vec::new() };
        items.iter().filter_map(|item| item.text().map(str::to_owned)).collect()
    }

    /// The keys of a map that are texts; of anything else none.
    pub fn keys(&self) -> Vec<String> {
        let Value::Map(map) = &self.value else { return Vec::new() };
        map.iter().filter_map(|(key, _)| key.text().map(str::to_owned)).collect()
    }

    /// Keys and values of a map.
    pub fn entries(&self, found: &mut Diagnostics) -> &[(Node, Node)] {
        match &self.value {
            Value::Map(map) => map,
            Value::Text(text) if text.is_empty() || text == "~" => &[],
            Value::Text(_) | Value::List(_) => {
                let message = format!("expected a map, found {}", self.kind());
                found.error("type", &self.span, message, "write `key: value`");
                &[]
            }
        }
    }

    /// Opens it for reading key by key.
    pub fn fields<'a>(&'a self, found: &mut Diagnostics) -> Fields<'a> {
        Fields { node: self, entries: self.entries(found), known: Vec::new() }
    }
}

/// A map being read key by key; [`Fields::finish`] reports the keys nobody asked for.
pub struct Fields<'a> {
    /// The map itself, for messages.
    pub node: &'a Node,
    entries: &'a [(Node, Node)],
    known: Vec<&'static str>,
}

/// Keys that were once read: each with the one in its place, which says where it was, and what to write now.
const RENAMED: [(&str, &str, &str); 9] = [
    (
        "rows",
        "may",
        "guards stand under `may:` with their rows under `unless:`, sums under `sum:`, priorities under `first:`",
    ),
    ("rows", "unless", "the rows of a guard stand under `unless:`"),
    ("words", "terms", "they are called `terms:` now"),
    ("guards", "may", "it is called `may:` now"),
    ("forbid", "may-step", "it is called `may-step:` now"),
    ("through", "may-step", "it is called `may-step:` now"),
    ("ends", "may-go-on", "it is called `may-go-on:` now"),
    ("pauses", "may-pass", "it is called `may-pass:` now"),
    ("at-end", "may-stop", "it is called `may-stop:` now"),
];

/// What to write now in place of a key that was once read, where the one that took its place is.
pub(crate) fn renamed(old: &str, is_there: impl Fn(&'static str) -> bool) -> Option<&'static str> {
    RENAMED.iter().find(|(name, now, _)| *name == old && is_there(now)).map(|(_, _, help)| *help)
}

impl<'a> Fields<'a> {
    /// A key that may be missing.
    pub fn may(&mut self, key: &'static str) -> Option<&'a Node> {
        self.known.push(key);
        self.entries.iter().find(|(k, _)| k.text() == Some(key)).map(|(_, v)| v)
    }

    /// A key that must be there.
    pub fn must(&mut self, key: &'static str, found: &mut Diagnostics) -> Option<&'a Node> {
        let value = self.may(key);
        if value.is_none() {
            // Keys that several files have together may begin in another than the map itself.
            let first = self.entries.first().map(|(key, _)| &key.span);
            let span = first.filter(|first| first.file == self.node.span.file).unwrap_or(&self.node.span);
            found.error("missing", span, format!("`{key}` is missing here"), format!("add `{key}: ...`"));
        }
        value
    }

    /// Text under a key that may be missing.
    pub fn text(&mut self, key: &'static str, found: &mut Diagnostics) -> Option<String> {
        self.may(key).map(|n| n.as_text(found))
    }

    /// A list of texts under a key, empty when it is missing.
    pub fn texts(&mut self, key: &'static str, found: &mut Diagnostics) -> Vec<String> {
        self.may(key).map_or(&[][..], |node| node.items(found)).iter().map(|n| n.as_text(found)).collect()
    }

    /// A flag under a key, false when it is missing.
    pub fn flag(&mut self, key: &'static str, found: &mut Diagnostics) -> bool {
        self.may(key).is_some_and(|n| n.as_flag(found))
    }

    /// The whole numbers under `least` and `most`, which must be there, the first not above the second.
    pub fn bounds(&mut self, least: i32, most: i32, found: &mut Diagnostics) -> (i32, i32) {
        let (low, high) = (self.must("least", found), self.must("most", found));
        let [a, b] = [low, high].map(|n| n.map_or(0, |n| n.as_int(least, most, found)));
        if let Some(node) = high.filter(|_| a > b) {
            found.error("range", &node.span, format!("the most is {b}, and the least is {a}"), "swap the two");
        }
        (a.min(b), a.max(b))
    }

    /// Reports every key that nobody asked for.
    pub fn finish(self, found: &mut Diagnostics) {
        self.finish_beside(|_| &[], found);
    }

    /// The same where other keys, which have been read before, may be meant.
    pub fn finish_beside(self, others: impl Fn(&Node) -> &'static [&'static str], found: &mut Diagnostics) {
        for (key, _) in self.entries {
            let name = key.text().unwrap_or("");
            if !self.known.contains(&name) {
                let known = || suggest(name, self.known.iter().chain(others(key)).copied());
                let help = renamed(name, |key| self.known.contains(&key)).map_or_else(known, str::to_owned);
                found.error("unknown-key", &key.span, format!("`{name}` is not read here"), help);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_given_twice_is_told_among_few_and_among_many() {
        for count in [2, Map::FEW - 1, Map::FEW, Map::FEW + 1, 3 * Map::FEW] {
            for twice in [0, count / 2, count - 1] {
                let keys: String = (0..count).map(|at| format!("key-{at}: {at}\n")).collect();
                let mut found = Diagnostics::default();
                let tree = parse("t.yaml", &format!("{keys}key-{twice}: again\nlast: 1\n"), &mut found);
                let told: Vec<&str> = found.list.iter().map(|d| d.message.as_str()).collect();
                assert_eq!(told, [format!("`key-{twice}` is given twice here")]);
                assert_eq!(tree.get(&format!("key-{twice}")).and_then(Node::text), Some(&*twice.to_string()));
                assert_eq!(tree.entries(&mut found).len(), count + 1);
            }
        }
    }

    #[test]
    fn an_open_bracket_is_found_behind_quotes_and_comments() {
        let at = |text: &str| unclosed(text.as_bytes());
        assert_eq!(at("a: { b: [1, 2]\nc: it's\n"), Some(3));
        assert_eq!(at("a: { b: [1,\nc: {}"), Some(8));
        for closed in ["a: { b: \"{\" }", "a: 'it''s ['", "# [\nb: 1", "a: \"\\\"[\"", "]"] {
            assert_eq!(at(closed), None, "{closed}");
        }
    }

    #[test]
    fn what_steers_is_told_beside_plain_text_and_other_letters() {
        let mut found = Diagnostics::default();
        parse("t.yaml", "a: plain ~ text\nb: f\u{fc}nf\nc: \"x\\e[1m\"\nd: \u{202e}\n", &mut found);
        let told: Vec<&str> = found.list.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(told, ["U+001B", "U+202E"].map(|c| format!("the character {c} steers whatever shows this text")));
    }
}

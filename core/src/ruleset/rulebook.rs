//! The list of every paragraph of the sources by id, and what became of it.

use std::collections::BTreeMap;

use super::{
    Cite,
    path::{find, route},
};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    yaml::Node,
};

/// What carries a paragraph out.
#[derive(Debug, Clone)]
pub struct Carrier {
    /// A path in the content: `may/attack/unless/apart`, `rules/combat.resolve`, `units/heth`.
    pub path: String,
    /// Where it is written.
    pub span: Span,
}

/// One paragraph.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// Its heading, as people cite it.
    pub section: String,
    /// What it says, in our own words.
    pub says: String,
    /// What carries it out.
    pub by: Vec<Carrier>,
    /// Why nothing does, if nothing does.
    pub skip: Option<String>,
    /// How we read it where it can be read in several ways.
    pub reading: Option<String>,
    /// Where it is written.
    pub span: Span,
}

/// Every paragraph, in the order of the sources.
#[derive(Debug, Clone, Default)]
pub struct Rulebook {
    /// Its paragraphs.
    pub entries: Vec<Entry>,
    index: BTreeMap<String, u16>,
}

impl Rulebook {
    /// The paragraph of that id.
    pub fn find(&self, id: &str) -> Option<Cite> {
        self.index.get(id).copied().map(Cite)
    }
}

/// Reads `rulebook:`.
pub(super) fn read(node: Option<&Node>, found: &mut Diagnostics) -> Rulebook {
    let mut book = Rulebook::default();
    for item in node.map(|n| n.items(found)).unwrap_or_default() {
        let mut fields = item.fields(found);
        let Some(id) = fields.must("id", found) else { continue };
        let text = id.as_text(found);
        let section = fields.text("section", found).unwrap_or_else(|| text.clone());
        let says = fields.text("says", found).unwrap_or_default();
        let mut by = Vec::new();
        for carrier in fields.may("by").map(|n| n.items(found)).unwrap_or_default() {
            by.push(Carrier { path: carrier.as_text(found), span: carrier.span.clone() });
        }
        let skip = fields.text("skip", found);
        let reading = fields.text("reading", found);
        fields.finish(found);
        if by.is_empty() == skip.is_none() {
            let message = format!("`{text}` needs either `by:` or `skip:`");
            found.error("rulebook", &item.span, message, "say what carries it out, or why nothing does");
        }
        if book.index.contains_key(&text) || book.entries.len() >= usize::from(u16::MAX) {
            found.error("twice", &id.span, format!("`{text}` is listed twice"), "delete one of the two");
            continue;
        }
        book.index.insert(text.clone(), book.entries.len() as u16);
        book.entries.push(Entry { id: text, section, says, by, skip, reading, span: item.span.clone() });
    }
    book
}

/// Checks that everything named as a carrier exists: in the content tree or among the rules.
pub(super) fn check(book: &Rulebook, content: &Node, rules: &[String], found: &mut Diagnostics) {
    for entry in &book.entries {
        for carrier in &entry.by {
            let path = &carrier.path;
            let known = match path.split_once('/') {
                Some(("rules", rule)) => rules.iter().any(|r| r == rule),
                Some(("engine", _)) => true,
                _ => path == "engine" || find(content, path).is_some(),
            };
            if !known {
                let help = match path.split_once('/') {
                    Some(("rules", rule)) => suggest(rule, rules.iter().map(String::as_str)),
                    _ => route(content, path).err().map(|astray| astray.help()).unwrap_or_default(),
                };
                found.error("no-carrier", &carrier.span, format!("`{path}` does not exist"), help);
            }
        }
    }
}

//! Amendments: single changes to a ruleset that can be on or off, and versions, which are sets of them.

use std::fmt;

use super::edit::{Edit, EditKind, edits, take_steps_apart};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    yaml::Node,
};

/// What sort of change it is; screens say the sort, not the word amendment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum AmendmentKind {
    Erratum,
    Clarification,
    Answer,
    Optional,
    Tournament,
    House,
    Reconstruction,
}

impl AmendmentKind {
    const NAMES: [(&'static str, AmendmentKind); 7] = [
        ("erratum", AmendmentKind::Erratum),
        ("clarification", AmendmentKind::Clarification),
        ("answer", AmendmentKind::Answer),
        ("optional", AmendmentKind::Optional),
        ("tournament", AmendmentKind::Tournament),
        ("house", AmendmentKind::House),
        ("reconstruction", AmendmentKind::Reconstruction),
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        AmendmentKind::NAMES.iter().find(|(_, k)| *k == self).map_or("", |(n, _)| n)
    }
}

/// One change.
#[derive(Debug, Clone)]
pub struct Amendment {
    /// Short name.
    pub id: String,
    /// Title.
    pub title: String,
    /// Why, and on what evidence.
    pub about: String,
    /// What sort of change.
    pub kind: AmendmentKind,
    /// Amendments it cannot be without.
    pub needs: Vec<String>,
    /// Amendments it cannot be with.
    pub excludes: Vec<String>,
    /// Its edits.
    pub edits: Vec<Edit>,
    /// Whether it is on in this version.
    pub on: bool,
    /// Where it is written.
    pub span: Span,
}

/// The part after `@`: a named set, and amendments put on it (`+`) or taken from it (`~`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionName {
    /// Named version.
    pub base: String,
    /// Added amendments.
    pub with: Vec<String>,
    /// Amendments left out.
    pub without: Vec<String>,
}

impl Default for VersionName {
    fn default() -> VersionName {
        VersionName { base: "base".into(), with: Vec::new(), without: Vec::new() }
    }
}

impl fmt::Display for VersionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.base)?;
        self.with.iter().try_for_each(|a| write!(f, "+{a}"))?;
        self.without.iter().try_for_each(|a| write!(f, "~{a}"))
    }
}

impl VersionName {
    /// Reads `base+a+b~c`.
    pub fn parse(text: &str) -> VersionName {
        let mut name = VersionName { base: String::new(), ..VersionName::default() };
        let mut rest = text;
        let mut sign = ' ';
        loop {
            let end = rest.find(['+', '~']).unwrap_or(rest.len());
            let word = rest[..end].trim().to_owned();
            match sign {
                '+' => name.with.push(word),
                '~' => name.without.push(word),
                _ => name.base = if word.is_empty() { "base".into() } else { word },
            }
            if end == rest.len() {
                return name;
            }
            sign = char::from(rest.as_bytes()[end]);
            rest = &rest[end + 1..];
        }
    }
}

/// Reads one amendment.
pub(super) fn read(node: &Node, found: &mut Diagnostics) -> Amendment {
    let mut fields = node.fields(found);
    let id = fields.must("amendment", found).map(|n| n.as_text(found)).unwrap_or_default();
    let title = fields.must("title", found).map(|n| n.as_text(found)).unwrap_or_default();
    let about = fields.text("about", found).unwrap_or_default();
    fields.may("cite");
    fields.may("nature");
    let kind = fields.must("kind", found).map_or(AmendmentKind::House, |n| {
        let text = n.as_text(found);
        AmendmentKind::NAMES.iter().find(|(name, _)| *name == text).map_or_else(
            || {
                let help = suggest(&text, AmendmentKind::NAMES.iter().map(|(n, _)| *n));
                found.error("unknown-name", &n.span, format!("`{text}` is no kind of amendment"), help);
                AmendmentKind::House
            },
            |(_, k)| *k,
        )
    });
    let needs = fields.texts("needs", found);
    let excludes = fields.texts("excludes", found);
    let edits = fields.must("change", found).map(|n| edits(n, found)).unwrap_or_default();
    fields.finish(found);
    Amendment { id, title, about, kind, needs, excludes, edits, on: false, span: node.span.clone() }
}

/// Which amendments a version turns on; everything wrong with the choice is recorded.
pub(super) fn choose(
    amendments: &mut [Amendment],
    named: Option<&Node>,
    version: &VersionName,
    manifest: &str,
    found: &mut Diagnostics,
) {
    let here = named.map_or_else(|| Span::file(manifest), |n| n.span.clone());
    let base: Vec<String> = match named.and_then(|n| n.get(&version.base)) {
        Some(list) => list.items(found).iter().map(|n| n.as_text(found)).collect(),
        None if version.base == "base" => Vec::new(),
        None => {
            let known = named.map(|n| n.entries(found)).unwrap_or_default();
            let known = known.iter().filter_map(|(k, _)| k.text()).chain(["base"]);
            let help = suggest(&version.base, known);
            found.error("unknown-version", &here, format!("there is no version `{}`", version.base), help);
            Vec::new()
        }
    };
    for id in base.iter().chain(&version.with).chain(&version.without) {
        if !amendments.iter().any(|a| a.id == *id) {
            let help = suggest(id, amendments.iter().map(|a| a.id.as_str()));
            found.error("unknown-amendment", &here, format!("there is no amendment `{id}`"), help);
        }
    }
    let on = |id: &String| (base.contains(id) || version.with.contains(id)) && !version.without.contains(id);
    for amendment in amendments.iter_mut() {
        amendment.on = on(&amendment.id);
    }
    for amendment in amendments.iter().filter(|a| a.on) {
        for other in amendment.needs.iter().filter(|n| !on(n)) {
            let message = format!("`{}` needs `{other}`, which is off", amendment.id);
            found.error("needs", &amendment.span, message, format!("add +{other}"));
        }
        for other in amendment.excludes.iter().filter(|n| on(n)) {
            let message = format!("`{}` and `{other}` exclude each other", amendment.id);
            found.error("excludes", &amendment.span, message, format!("leave one out: ~{other}"));
        }
    }
}

/// Makes the edits of all amendments that are on, and then others. Two amendments that set or drop the same value are
/// refused.
pub(super) fn apply(content: &mut Node, amendments: &[Amendment], others: &[Edit], found: &mut Diagnostics) {
    let on = || amendments.iter().filter(|a| a.on);
    if on().flat_map(|a| &a.edits).chain(others).any(Edit::is_of_steps) {
        take_steps_apart(content);
    }
    let mut done: Vec<(&str, &Amendment)> = Vec::new();
    for amendment in on() {
        for edit in &amendment.edits {
            if !matches!(edit.how, EditKind::Add(..)) {
                if let Some((_, other)) = done.iter().find(|(p, a)| overlap(p, &edit.path) && a.id != amendment.id) {
                    let message = format!("`{}` and `{}` both change `{}`", amendment.id, other.id, edit.path);
                    let help = format!("leave one out: ~{} or ~{}", other.id, amendment.id);
                    found.error("conflict", &edit.span, message, help);
                    continue;
                }
                done.push((&edit.path, amendment));
            }
            edit.apply(content, found);
        }
    }
    others.iter().for_each(|edit| edit.apply(content, found));
}

/// Whether one path is the other, or leads into what it leads to.
fn overlap(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_as_it_is_written() {
        for text in ["@base", "@clarified~28", "@base+15.d+16", "@printed+a~b"] {
            assert_eq!(VersionName::parse(&text[1..]).to_string(), text);
        }
    }
}

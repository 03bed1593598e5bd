//! Amendments: single changes to a ruleset that can be on or off; a version is a set of them.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Provenance, Ruleset, VersionName, circles,
    content::Content,
    edit::{Edit, EditKind, edits},
};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Severity, Span, suggest},
    id,
    library::Library,
    yaml::{Fields, Node, Value},
};

/// What sort of change it is; screens say the sort, not the word amendment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum AmendmentKind {
    Erratum,
    Clarification,
    Answer,
    Optional,
    Tournament,
    #[default]
    House,
    Reconstruction,
}

impl Amendment {
    /// One that changes nothing.
    fn blank(id: String, content: &Content) -> Amendment {
        Amendment { id, folder: content.folder.clone(), span: content.tree.span.clone(), ..Amendment::default() }
    }

    /// Whether a file is one of its own.
    pub fn has(&self, file: &str) -> bool {
        file.strip_prefix(&self.folder).is_some_and(|rest| rest == ".yaml" || rest.starts_with('/'))
    }

    /// Those that it names under `needs:` or `after:`.
    pub(super) fn named(&self, key: &str) -> &[String] {
        if key == "needs" { &self.needs } else { &self.after }
    }

    /// Where it names them.
    pub(super) fn names_at(&self, key: &str) -> &Span {
        let at = LISTS.iter().position(|list| *list == key);
        at.and_then(|at| self.lists[at].as_ref()).unwrap_or(&self.span)
    }

    /// Whether it changes or brings what a path leads to, or something in it, in a version in which it is on.
    pub fn changes(&self, path: &str, version: &Ruleset) -> bool {
        let is_rule = |name: &str| version.rules.iter().any(|rule| rule.name == name && self.has(&rule.at.0));
        self.edits.iter().any(|edit| overlap(path, &edit.path)) || path.strip_prefix("rules/").is_some_and(is_rule)
    }
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

/// How a change stands to what is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// It contradicts what is printed.
    Changes,
    /// Print leaves it open or can be read in several ways, and this is one.
    Settles,
    /// Print says so already; to leave it off is to misread print.
    Restates,
    /// It adds examples, and no rule.
    ExampleOnly,
}

impl Nature {
    const NAMES: [(&'static str, Nature); 4] = [
        ("changes", Nature::Changes),
        ("settles", Nature::Settles),
        ("restates", Nature::Restates),
        ("example-only", Nature::ExampleOnly),
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        Nature::NAMES.iter().find(|(_, n)| *n == self).map_or("", |(word, _)| word)
    }
}

/// How the game goes without an amendment, for those who compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Without {
    /// The rule that is in force then, in a sentence.
    pub says: String,
    /// How that rule is known: it is printed, follows from what the amendment says, was made up.
    pub from: Provenance,
}

/// One change.
#[derive(Debug, Clone, Default)]
pub struct Amendment {
    /// Short name.
    pub id: String,
    /// Title.
    pub title: String,
    /// Why, and on what evidence.
    pub about: String,
    /// What sort of change.
    pub kind: AmendmentKind,
    /// How it stands to what is printed, where that is said.
    pub nature: Option<Nature>,
    /// How the game goes without it, where that is said.
    pub without: Option<Without>,
    /// Who says so, and where.
    pub source: Option<String>,
    /// When it was said: a year, a month or a day.
    pub date: Option<String>,
    /// Amendments it cannot be without.
    pub needs: Vec<String>,
    /// Amendments it cannot be with.
    pub excludes: Vec<String>,
    /// Amendments it knows of, and changes further where both change one thing.
    pub after: Vec<String>,
    /// Its edits.
    pub edits: Vec<Edit>,
    /// The folder that its rules and examples lie in, whether there are any or not.
    pub folder: String,
    /// The amendments it comes after, those included that they come after.
    behind: BTreeSet<usize>,
    /// Where its [`LISTS`] are written, where they are.
    lists: [Option<Span>; LISTS.len()],
    /// Whether it is on in this version.
    pub on: bool,
    /// Where it is written.
    pub span: Span,
}

/// Keys that say what an amendment is. What stands beside them, in whichever of its files, is joined to the ruleset.
pub(super) const OWN: [&str; 12] = [
    "amendment",
    "title",
    "about",
    "kind",
    "nature",
    "without",
    "source",
    "date",
    "needs",
    "excludes",
    "after",
    "change",
];
/// Where an amendment names others.
const LISTS: [&str; 3] = ["needs", "after", "excludes"];
/// More than any game has errata.
const MOST: usize = 1000;

/// Reads all amendments and puts them in order, each behind those it comes after. What they carry is left in their
/// contents, in the same order.
pub(super) fn read(contents: &mut Vec<Content>, library: &Library, found: &mut Diagnostics) -> Vec<Amendment> {
    if contents.len() > MOST {
        let message = format!("{} amendments are more than {MOST}", contents.len());
        found.error("too-many", &contents[MOST].tree.span, message, "join some of them");
        contents.truncate(MOST);
    }
    let mut left: Vec<(Amendment, Content)> =
        std::mem::take(contents).into_iter().map(|mut content| (read_one(&mut content, found), content)).collect();
    left.sort_by_cached_key(|(amendment, _)| natural(&amendment.id));
    check_names(&left, found);
    circles::check(&left.iter().map(|(amendment, _)| amendment).collect::<Vec<_>>(), library, found);
    let mut sorted: Vec<Amendment> = Vec::new();
    while !left.is_empty() {
        let waits = |a: &Amendment| left.iter().any(|(other, _)| a.after.contains(&other.id) && other.id != a.id);
        // Of a circle, which has been told of, one has to come first.
        let next = left.iter().position(|(amendment, _)| !waits(amendment)).unwrap_or(0);
        let (mut amendment, content) = left.remove(next);
        let before = sorted.iter().enumerate().filter(|(_, other)| amendment.after.contains(&other.id));
        amendment.behind = before.flat_map(|(at, other)| other.behind.iter().copied().chain([at])).collect();
        sorted.push(amendment);
        contents.push(content);
    }
    sorted
}

/// A name in pieces of digits and of what stands between, so that item 2 comes before item 10.
fn natural(name: &str) -> Vec<(u64, String)> {
    let mut pieces: Vec<(u64, String)> = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let words = rest[digits..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |at| digits + at);
        pieces.push((rest[..digits].parse().unwrap_or(u64::MAX), rest[digits..words].to_owned()));
        rest = &rest[words..];
    }
    pieces
}

/// Whether one amendment says that it comes after another, or after one that does.
pub(super) fn comes_after(amendments: &[Amendment], one: usize, other: usize) -> bool {
    one == other || amendments[one].behind.contains(&other)
}

fn read_one(content: &mut Content, found: &mut Diagnostics) -> Amendment {
    let name = content.folder.rsplit('/').next().unwrap_or("").to_owned();
    found.take(&content.faults);
    if !content.faults.is_usable() {
        // What falls into the holes that it leaves is not worth telling.
        *content = Content { faults: std::mem::take(&mut content.faults), ..Content::new(&content.folder, "") };
        return Amendment::blank(name, content);
    }
    let span = content.tree.span.clone();
    let is_own = |key: &Node| key.text().is_some_and(|key| OWN.contains(&key));
    let all = if let Value::Map(all) = &content.tree.value { all.as_slice() } else { &[] };
    let (own, carried): (Vec<_>, Vec<_>) = all.iter().cloned().partition(|(key, _)| is_own(key));
    let plays = carried.iter().any(|(key, _)| key.text() != Some("rulebook"))
        || !(content.rules.is_empty() && content.scenarios.is_empty());
    content.tree.value = Value::map(carried);
    let node = Node { value: Value::map(own), span: span.clone() };
    let mut fields = node.fields(found);
    let id = fields.must("amendment", found).map(|n| {
        id::tell(n, |text| id::fault(text, &[]), found);
        n.as_text(found)
    });
    let id = id.unwrap_or_default();
    let title = fields.must("title", found).map(|n| n.as_text(found)).unwrap_or_default();
    let about = fields.text("about", found).unwrap_or_default();
    fields.must("kind", found);
    let kind = one_of(&mut fields, "kind", "kind of amendment", &AmendmentKind::NAMES, found);
    let nature = one_of(&mut fields, "nature", "nature of an amendment", &Nature::NAMES, found);
    let without = fields.may("without").and_then(|n| without(n, found));
    let source = fields.text("source", found);
    let date = fields.may("date").map(|n| date(n, found));
    let lists = LISTS.map(|key| node.get(key).map(|list| list.span.clone()));
    let needs = fields.texts("needs", found);
    let excludes = fields.texts("excludes", found);
    let after = fields.texts("after", found);
    let carries = plays || content.tree.get("rulebook").is_some() || nature == Some(Nature::ExampleOnly);
    let change = if carries { fields.may("change") } else { fields.must("change", found) };
    let edits = change.map(|n| edits(n, found)).unwrap_or_default();
    fields.finish(found);
    if id != name && !id.is_empty() {
        let message = format!("the amendment calls itself `{id}`, and it lies in `{name}`");
        found.error("name", &span, message, "use one name");
    }
    let is_idle = match nature {
        Some(Nature::ExampleOnly) => true,
        Some(Nature::Restates) => without.is_none(),
        _ => false,
    };
    if let Some(nature) = nature.filter(|_| is_idle && (plays || !edits.is_empty())) {
        let message = format!("an amendment of the nature `{}` changes nothing in play, and this does", nature.word());
        let help = if nature == Nature::Restates {
            "say under `without:` which misreading is played when it is off, or write `nature: changes` or `settles`"
        } else {
            "write `nature: changes` or `settles`, or leave the change out"
        };
        found.error("nature", &span, message, help);
    }
    Amendment {
        id,
        title,
        about,
        kind: kind.unwrap_or_default(),
        nature,
        without,
        source,
        date,
        needs,
        excludes,
        after,
        edits,
        lists,
        span,
        ..Amendment::blank(name, content)
    }
}

/// Reads `without: { says: TEXT, from: PROVENANCE }`.
fn without(node: &Node, found: &mut Diagnostics) -> Option<Without> {
    let mut fields = node.fields(found);
    let says = fields.must("says", found).map(|n| n.as_text(found));
    let from = Provenance::read(fields.must("from", found), found);
    fields.finish(found);
    says.map(|says| Without { says, from })
}

/// Reads a key whose value is one of a few words.
fn one_of<T: Copy>(
    fields: &mut Fields<'_>,
    key: &'static str,
    what: &str,
    known: &[(&'static str, T)],
    found: &mut Diagnostics,
) -> Option<T> {
    let node = fields.may(key)?;
    let text = node.as_text(found);
    let value = known.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    if value.is_none() {
        let help = suggest(&text, known.iter().map(|(name, _)| *name));
        found.error("unknown-name", &node.span, format!("`{text}` is no {what}"), help);
    }
    value
}

/// Reads a year, a month or a day: `1997`, `1997-05`, `1997-05-14`.
fn date(node: &Node, found: &mut Diagnostics) -> String {
    let text = node.as_text(found);
    let parts: Vec<&str> = text.split('-').collect();
    let is_number = |at: usize, length: usize, most: u32| {
        parts.get(at).is_none_or(|part| {
            let is_written = part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
            is_written && part.parse::<u32>().is_ok_and(|n| (1..=most).contains(&n))
        })
    };
    let number = |at: usize| parts.get(at).and_then(|part| part.parse::<u32>().ok());
    let days = match (number(0), number(1)) {
        (Some(year), Some(2)) if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        (_, Some(2)) => 28,
        (_, Some(4 | 6 | 9 | 11)) => 30,
        _ => 31,
    };
    if parts.len() > 3 || !(is_number(0, 4, 9999) && is_number(1, 2, 12) && is_number(2, 2, days)) {
        let help = "write a year, a month or a day: 1997, 1997-05 or 1997-05-14";
        found.error("date", &node.span, format!("`{text}` is no date"), help);
    }
    text
}

/// No two amendments have one name, and those that one names are there.
fn check_names(all: &[(Amendment, Content)], found: &mut Diagnostics) {
    for (at, (amendment, _)) in all.iter().enumerate() {
        if let Some((first, _)) = all[..at].iter().find(|(other, _)| other.id == amendment.id && !other.id.is_empty()) {
            let message = format!("`{}` is an amendment already, in {}", amendment.id, first.span.file);
            found.error("twice", &amendment.span, message, "delete one of the two");
        }
        let lists = [("needs", &amendment.needs), ("excludes", &amendment.excludes), ("after", &amendment.after)];
        for (key, other) in lists.into_iter().flat_map(|(key, list)| list.iter().map(move |other| (key, other))) {
            if *other == amendment.id {
                found.error(
                    key,
                    amendment.names_at(key),
                    format!("`{other}` names itself under `{key}:`"),
                    "leave it out",
                );
            } else if !all.iter().any(|(known, _)| known.id == *other) {
                let folder = amendment.folder.rsplit_once('/').map_or("", |(folder, _)| folder);
                let known = suggest(other, all.iter().map(|(known, _)| known.id.as_str()));
                let message =
                    format!("`{}` names `{other}` under `{key}:`, and there is no such amendment", amendment.id);
                let help = format!("{known}; if it is another's, put it into `{folder}`");
                found.error("unknown-amendment", amendment.names_at(key), message, help);
            }
        }
    }
}

/// The versions that a ruleset names, each with its amendments.
pub(super) fn named(node: &Node, found: &mut Diagnostics) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for (name, list) in node.entries(found) {
        all.extend(name.text().map(|name| (name.to_owned(), list.texts())));
    }
    all
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
    // What is asked for stands in no file.
    let asked = Span::file(&version.to_string());
    let base: Vec<String> = match named.and_then(|n| n.get(&version.base)) {
        Some(list) => list.items(found).iter().map(|n| n.as_text(found)).collect(),
        None if version.base == "base" => Vec::new(),
        None => {
            let known = named.map(|n| n.entries(found)).unwrap_or_default();
            let known = known.iter().filter_map(|(k, _)| k.text()).chain(["base"]);
            let help = match amendments.iter().find(|amendment| amendment.id == version.base) {
                Some(amendment) => format!("that is an amendment: write @base+{}", amendment.id),
                None => suggest(&version.base, known),
            };
            found.error("unknown-version", &asked, format!("there is no version `{}`", version.base), help);
            Vec::new()
        }
    };
    let of_request = version.with.iter().chain(&version.without).map(|id| (id, &asked));
    for (id, span) in base.iter().map(|id| (id, &here)).chain(of_request) {
        if !amendments.iter().any(|a| a.id == *id) {
            let help = suggest(id, amendments.iter().map(|a| a.id.as_str()));
            found.error("unknown-amendment", span, format!("there is no amendment `{id}`"), help);
        }
    }
    version.check(&base, &asked, found);
    let on = |id: &String| (base.contains(id) || version.with.contains(id)) && !version.without.contains(id);
    for amendment in amendments.iter_mut() {
        amendment.on = on(&amendment.id);
    }
    for amendment in amendments.iter().filter(|a| a.on) {
        for other in amendment.needs.iter().filter(|n| !on(n)) {
            let message = format!("`{}` needs `{other}`, which is off", amendment.id);
            found.error(
                "needs",
                amendment.names_at("needs"),
                message,
                format!("add +{other}, or leave +{} out", amendment.id),
            );
        }
        for other in amendment.excludes.iter().filter(|n| on(n)) {
            let message = format!("`{}` and `{other}` exclude each other", amendment.id);
            found.error("excludes", amendment.names_at("excludes"), message, format!("leave one out: ~{other}"));
        }
    }
}

/// Whether one that is on could not be read. `carried` is in their order.
pub(super) fn is_torn(amendments: &[Amendment], carried: &[Content]) -> bool {
    amendments.iter().zip(carried).any(|(amendment, carried)| amendment.on && !carried.faults.is_usable())
}

/// What is wrong with an amendment that is off keeps nobody from playing without it.
pub(super) fn spare(amendments: &[Amendment], faults: &mut [Diagnostic]) {
    let is_off = |file: &str| amendments.iter().any(|amendment| !amendment.on && amendment.has(file));
    faults.iter_mut().filter(|one| is_off(&one.span.file)).for_each(|one| one.severity = Severity::Warning);
}

/// Joins what the amendments that are on carry to what they amend. `carried` is in their order. Of two that bring a rule
/// file of one player, one must come after the other.
pub(super) fn join(content: &mut Content, carried: Vec<Content>, amendments: &[Amendment], found: &mut Diagnostics) {
    let mut brought: BTreeMap<String, usize> = BTreeMap::new();
    for (at, (_, carried)) in amendments.iter().zip(carried).enumerate().filter(|(_, (amendment, _))| amendment.on) {
        for file in &carried.players {
            let other = brought.insert(file.name.clone(), at);
            if let Some(other) = other.filter(|other| !comes_after(amendments, at, *other)) {
                let (own, other) = (&amendments[at].id, &amendments[other].id);
                let message = format!("`{own}` and `{other}` both bring a player `{}`", file.name);
                let help =
                    format!("leave one out: ~{other} or ~{own}; or write in one that it comes `after:` the other");
                found.error("conflict", &Span::file(&file.path), message, help);
            }
        }
        content.join(at, carried, found);
    }
}

/// Makes the edits of the amendments that are on. Of two that set or drop the same value one must come after the other.
pub(super) fn apply(content: &mut Node, amendments: &[Amendment], found: &mut Diagnostics) {
    let mut done: Vec<(&str, usize)> = Vec::new();
    for (at, amendment) in amendments.iter().enumerate().filter(|(_, amendment)| amendment.on) {
        for edit in &amendment.edits {
            if !matches!(edit.how, EditKind::Add(..)) {
                let is_in_conflict =
                    |(path, other): &&(&str, usize)| overlap(path, &edit.path) && !comes_after(amendments, at, *other);
                if let Some((_, other)) = done.iter().find(is_in_conflict) {
                    let (own, other) = (&amendment.id, &amendments[*other].id);
                    let message = format!("`{own}` and `{other}` both change `{}`", edit.path);
                    let help =
                        format!("leave one out: ~{other} or ~{own}; or write in one that it comes `after:` the other");
                    found.error("conflict", &edit.span, message, help);
                    continue;
                }
                done.push((&edit.path, at));
            }
            edit.apply(content, found);
        }
    }
}

/// Whether one path is the other, or leads into what it leads to.
fn overlap(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

//! Terms and sets: each is read once those that it speaks of are, wherever they stand.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use super::{
    NamedSet,
    reading::Reader,
    rows::{Names, Term, Unread},
    sets, tables,
};
use crate::yaml::Node;

/// The terms and sets of a ruleset.
pub(super) struct Defined {
    pub terms: Vec<Term>,
    pub sets: Vec<NamedSet>,
    /// The names of those that could not be read.
    pub wrong: Vec<String>,
}

/// An entry of `terms:` or `sets:`.
struct Entry<'a> {
    is_set: bool,
    name: &'a Node,
    body: &'a Node,
}

impl Entry<'_> {
    /// Where it says what it is made of.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let keys: &[&str] = if self.is_set { &["of", "where"] } else { &["is"] };
        keys.iter().filter_map(|key| self.body.get(key)?.text())
    }
}

/// Reads `terms:` and `sets:`, in an order as near to that of the file as what they are made of lets it be.
pub(super) fn read(terms: Option<&Node>, sets: Option<&Node>, base: &Names<'_>, reader: &mut Reader<'_>) -> Defined {
    let mut entries = Vec::new();
    for (is_set, section) in [(false, terms), (true, sets)] {
        let declared = section.map(|n| n.entries(reader.found)).unwrap_or_default();
        entries.extend(declared.iter().map(|(name, body)| Entry { is_set, name, body }));
    }
    let mut read = Defined { terms: Vec::new(), sets: Vec::new(), wrong: Vec::new() };
    let mut later: Vec<String> = entries.iter().filter_map(|entry| entry.name.text().map(str::to_owned)).collect();
    for at in order(&entries, base) {
        let Entry { is_set, name, body } = entries[at];
        if let Some(own) = later.iter().position(|later| Some(later.as_str()) == name.text()) {
            later.remove(own);
        }
        let unread = Unread { own: name.text(), later: &later, wrong: &read.wrong };
        let names = Names { terms: &read.terms, sets: &read.sets, unread, ..*base };
        if is_set {
            match sets::set(name, body, &names, reader) {
                Some(set) => read.sets.push(set),
                None => read.wrong.extend(name.text().map(str::to_owned)),
            }
        } else {
            read.terms.extend(tables::term(name, body, &names, reader));
        }
    }
    read
}

/// In which order these can be read: the first as they stand of which nothing that it speaks of is still to be read. Where there
/// is none, some are made of each other, or a word stands for something else: then the first.
fn order(entries: &[Entry<'_>], names: &Names<'_>) -> Vec<usize> {
    let mut called: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        called.entry(entry.name.text().unwrap_or_default()).or_default().push(at);
    }
    // Of each, whose turn waits for it, and for how many it waits itself.
    let (mut wait_for, mut waits) = (vec![Vec::new(); entries.len()], vec![0; entries.len()]);
    for (at, entry) in entries.iter().enumerate() {
        let mut spoken: Vec<usize> = Vec::new();
        let mut note = |word: &str| spoken.extend(called.get(word).into_iter().flatten());
        entry.texts().for_each(|text| names.spoken(text, &mut note));
        spoken.sort_unstable();
        spoken.dedup();
        for other in spoken.into_iter().filter(|other| *other != at) {
            wait_for[other].push(at);
            waits[at] += 1;
        }
    }
    let mut ready: BinaryHeap<Reverse<usize>> = (0..entries.len()).filter(|at| waits[*at] == 0).map(Reverse).collect();
    let mut order = Vec::new();
    let mut is_read = vec![false; entries.len()];
    let mut first_unread = 0;
    while order.len() < entries.len() {
        while is_read[first_unread] {
            first_unread += 1;
        }
        let Reverse(next) = ready.pop().unwrap_or(Reverse(first_unread));
        if std::mem::replace(&mut is_read[next], true) {
            continue;
        }
        order.push(next);
        for other in &wait_for[next] {
            waits[*other] -= 1;
            if waits[*other] == 0 {
                ready.push(Reverse(*other));
            }
        }
    }
    order
}

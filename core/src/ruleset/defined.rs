//! Terms and sets: each is read once those that it speaks of are, wherever they stand.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
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
    let terms: BTreeSet<&str> = entries.iter().filter(|of| !of.is_set).filter_map(|of| of.name.text()).collect();
    let name = |at: usize| entries[at].name.text().unwrap_or_default();
    let mut read = Defined { terms: Vec::new(), sets: Vec::new(), wrong: Vec::new() };
    let mut later: Vec<String> = (0..entries.len()).map(|at| name(at).to_owned()).collect();
    for InOrder { at, circle } in order(&entries, base) {
        let Entry { is_set, name: own, body } = entries[at];
        if let Some(own) = later.iter().position(|later| later == name(at)) {
            later.swap_remove(own);
        }
        if let Some(text) = own.text().filter(|text| is_set && terms.contains(text)) {
            let message = format!("a term is called `{text}` too, and conditions would mean that");
            reader.found.error("taken", &own.span, message, "give one of the two another name");
        }
        let circle: Vec<&str> = circle.into_iter().map(name).collect();
        let unread = Unread { own: own.text(), circle: &circle, later: &later, wrong: &read.wrong };
        let names = Names { terms: &read.terms, sets: &read.sets, unread, ..*base };
        let is_read = if is_set {
            sets::set(own, body, &names, reader).map(|set| read.sets.push(set)).is_some()
        } else {
            tables::term(own, body, &names, reader).map(|term| read.terms.push(term)).is_some()
        };
        if !is_read {
            read.wrong.push(name(at).to_owned());
        }
    }
    read
}

/// Which is read next, and, where it is made of itself, by way of whom: its number, then theirs.
struct InOrder {
    at: usize,
    circle: Vec<usize>,
}

/// In which order these can be read: the first as they stand of which nothing that it speaks of is still to be read. Where there
/// is none, some are made of each other, or a word stands for something else: then the first in such a circle.
fn order(entries: &[Entry<'_>], names: &Names<'_>) -> Vec<InOrder> {
    let mut called: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        called.entry(entry.name.text().unwrap_or_default()).or_default().push(at);
    }
    // Of each, what it speaks of, who waits for it, and for how many it waits itself.
    let (mut speaks_of, mut wait_for) = (Vec::new(), vec![Vec::new(); entries.len()]);
    for (at, entry) in entries.iter().enumerate() {
        let mut spoken: Vec<usize> = Vec::new();
        let mut note = |word: &str| spoken.extend(called.get(word).into_iter().flatten());
        entry.texts().for_each(|text| names.spoken(text, &mut note));
        spoken.sort_unstable();
        spoken.dedup();
        spoken.retain(|other| *other != at);
        spoken.iter().for_each(|other| wait_for[*other].push(at));
        speaks_of.push(spoken);
    }
    let mut waits: Vec<usize> = speaks_of.iter().map(Vec::len).collect();
    let mut ready: BinaryHeap<Reverse<usize>> = (0..entries.len()).filter(|at| waits[*at] == 0).map(Reverse).collect();
    let mut is_read = vec![false; entries.len()];
    let (mut order, mut first_unread) = (Vec::new(), 0);
    while order.len() < entries.len() {
        while is_read[first_unread] {
            first_unread += 1;
        }
        let next = match ready.pop() {
            Some(Reverse(at)) => InOrder { at, circle: Vec::new() },
            None => circle_from(first_unread, &speaks_of, &is_read),
        };
        if std::mem::replace(&mut is_read[next.at], true) {
            continue;
        }
        for other in &wait_for[next.at] {
            waits[*other] -= 1;
            if waits[*other] == 0 {
                ready.push(Reverse(*other));
            }
        }
        order.push(next);
    }
    order
}

/// The first in the circle that one comes to who asks, from here on, what each waits for.
fn circle_from(first: usize, speaks_of: &[Vec<usize>], is_read: &[bool]) -> InOrder {
    let mut path = vec![first];
    let mut stands_at = vec![None; is_read.len()];
    stands_at[first] = Some(0);
    while let Some(next) = path.last().and_then(|at| speaks_of[*at].iter().find(|other| !is_read[**other])) {
        if let Some(begins) = stands_at[*next].replace(path.len()) {
            let mut circle = path.split_off(begins);
            let lowest = circle.iter().enumerate().min_by_key(|(_, at)| **at).map_or(0, |(place, _)| place);
            circle.rotate_left(lowest);
            return InOrder { at: circle[0], circle };
        }
        path.push(*next);
    }
    InOrder { at: first, circle: Vec::new() }
}

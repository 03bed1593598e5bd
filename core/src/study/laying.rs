//! Which amendments a difference between two versions is laid to: a set that makes it by itself and that no member can be
//! left out of. It is found by playing what lies between: versions in which some of what differs is as in the first, and
//! the rest as in the second.

use std::{collections::BTreeMap, sync::Arc};

use super::follower::{Follower, Item, Scene};
use crate::{
    play::Rules,
    ruleset::{Ruleset, Selection, VersionName},
};

/// What two versions differ in, each of which can be as in the one or as in the other.
#[derive(Debug, Clone)]
pub struct Mixtures {
    /// Names of the amendments that are on in one of them alone, and the values changed on top, as `--set PATH=VALUE` has
    /// them.
    pub names: Vec<String>,
    amendments: Vec<(String, bool)>,
    /// Values changed on top: path, and what each version says.
    set: Vec<(String, [Option<String>; 2])>,
    /// Which of the amendments differ.
    differs: Vec<usize>,
    base: Selection,
}

impl Mixtures {
    /// What two versions differ in.
    pub fn new(versions: [&Ruleset; 2], selections: [&Selection; 2]) -> Mixtures {
        let [first, second] = versions.map(|ruleset| ruleset.amendments.as_slice());
        let both = first.iter().zip(second).enumerate();
        let differs: Vec<usize> = both.filter(|(_, (a, b))| a.on != b.on).map(|(at, _)| at).collect();
        let mut paths: Vec<&String> = selections.iter().flat_map(|s| s.set.iter().map(|(path, _)| path)).collect();
        paths.sort();
        paths.dedup();
        let says = |selection: &Selection, path: &String| {
            selection.set.iter().rfind(|(known, _)| known == path).map(|(_, value)| value.clone())
        };
        let set = paths.into_iter().map(|path| (path.clone(), selections.map(|selection| says(selection, path))));
        let set: Vec<(String, [Option<String>; 2])> = set.collect();
        let names = differs.iter().map(|at| first[*at].id.clone());
        let changed = set.iter().filter(|(_, [a, b])| a != b).map(|(path, values)| {
            let value = values.iter().flatten().next().cloned().unwrap_or_default();
            format!("--set {path}={value}")
        });
        Mixtures {
            names: names.chain(changed).collect(),
            amendments: first.iter().map(|amendment| (amendment.id.clone(), amendment.on)).collect(),
            set,
            differs,
            base: selections[0].clone(),
        }
    }

    /// The version in which these are as in the second, and the rest as in the first.
    pub fn selection(&self, as_in_second: &[bool]) -> Selection {
        let mut on: Vec<bool> = self.amendments.iter().map(|(_, on)| *on).collect();
        for (at, second) in self.differs.iter().zip(as_in_second) {
            on[*at] ^= second;
        }
        let named = |wanted: bool| {
            let all = self.amendments.iter().zip(&on).filter(|(_, on)| **on == wanted);
            all.map(|((id, _), _)| id.clone()).collect::<Vec<_>>()
        };
        let version = VersionName { with: named(true), without: named(false), ..VersionName::default() };
        let mut changed = as_in_second[self.differs.len()..].iter();
        let value = |(path, values): &(String, [Option<String>; 2])| {
            let second = if values[0] == values[1] { &true } else { changed.next().unwrap_or(&false) };
            values[usize::from(*second)].clone().map(|value| (path.clone(), value))
        };
        let set = self.set.iter().filter_map(value).collect();
        Selection { version, set, ..self.base.clone() }
    }
}

/// Makes versions that lie between two, as they are wanted: nothing where a version cannot be, because an amendment needs or
/// excludes another.
pub type Make<'a, R> = dyn FnMut(&Selection) -> Option<(Arc<Ruleset>, R)> + 'a;

/// Lays differences to what two versions differ in.
pub(super) struct Laying<'a, R: Rules> {
    mixtures: &'a Mixtures,
    make: &'a mut Make<'a, R>,
    versions: [Arc<Ruleset>; 2],
    /// The record's version.
    record: Arc<Ruleset>,
    /// Sets that were found, the last one first: of those that turn the first version, and those that turn the second.
    known: [Vec<Vec<usize>>; 2],
    /// Versions that have been made, each with when it was last asked for.
    made: BTreeMap<Vec<bool>, (u64, Option<Follower<R>>)>,
    asked: u64,
}

/// A difference: what is looked at, and what each version has there.
struct Shown<'a> {
    item: &'a Item,
    seen: [&'a Option<Vec<String>>; 2],
}

impl<'a, R: Rules> Laying<'a, R> {
    /// More versions are not kept: one takes some megabytes.
    const MOST_MADE: usize = 64;
    /// More sets are not tried before a difference is looked into from the beginning.
    const MOST_KNOWN: usize = 12;

    pub fn new(mixtures: &'a Mixtures, make: &'a mut Make<'a, R>, versions: [Arc<Ruleset>; 2]) -> Laying<'a, R> {
        let record = versions[0].clone();
        Laying { mixtures, make, versions, record, known: [const { Vec::new() }; 2], made: BTreeMap::new(), asked: 0 }
    }

    /// A record of another version is walked from here on.
    pub fn begin(&mut self, record: &Arc<Ruleset>) {
        self.record = record.clone();
        self.made.values_mut().filter_map(|(_, made)| made.as_mut()).for_each(|follower| follower.begin(record));
    }

    /// The sets that a difference is laid to: what must be in the first version as in the second for it to show what the
    /// second does; and what must be in the second as in the first for it to show what the first does.
    pub fn lay(&mut self, scene: &Scene, item: &Item, seen: [&Option<Vec<String>>; 2]) -> [Vec<String>; 2] {
        let shown = Shown { item, seen };
        [0, 1].map(|turned| {
            let set = self.least(scene, &shown, turned);
            set.into_iter().map(|at| self.mixtures.names[at].clone()).collect()
        })
    }

    fn least(&mut self, scene: &Scene, shown: &Shown<'_>, turned: usize) -> Vec<usize> {
        for at in 0..self.known[turned].len() {
            let set = self.known[turned][at].clone();
            if self.turns(scene, shown, turned, &set) && self.needs_all(scene, shown, turned, &set) {
                self.known[turned][..=at].rotate_right(1);
                return set;
            }
        }
        let all: Vec<usize> = (0..self.mixtures.names.len()).collect();
        let mut set = self.halved(scene, shown, turned, &[], false, &all);
        // What halves find is least where more never undoes what less does; so each is left out once more.
        let mut at = 0;
        while at < set.len() {
            let mut fewer = set.clone();
            fewer.remove(at);
            if self.turns(scene, shown, turned, &fewer) {
                (set, at) = (fewer, 0);
            } else {
                at += 1;
            }
        }
        set.sort_unstable();
        if !self.turns(scene, shown, turned, &set) {
            // No version between them shows it: it takes all that differs.
            return all;
        }
        self.known[turned].insert(0, set.clone());
        self.known[turned].truncate(Self::MOST_KNOWN);
        set
    }

    /// Of these, with what is settled on, those that are needed: looked for half by half.
    fn halved(
        &mut self,
        scene: &Scene,
        shown: &Shown<'_>,
        turned: usize,
        settled: &[usize],
        is_more: bool,
        among: &[usize],
    ) -> Vec<usize> {
        if is_more && self.turns(scene, shown, turned, settled) {
            return Vec::new();
        }
        if among.len() < 2 {
            return among.to_vec();
        }
        let (left, right) = among.split_at(among.len() / 2);
        let of_right = self.halved(scene, shown, turned, &[settled, left].concat(), true, right);
        let of_left = self.halved(scene, shown, turned, &[settled, &of_right].concat(), !of_right.is_empty(), left);
        [of_left, of_right].concat()
    }

    fn needs_all(&mut self, scene: &Scene, shown: &Shown<'_>, turned: usize, set: &[usize]) -> bool {
        set.len() < 2
            || (0..set.len()).all(|at| {
                let mut fewer = set.to_vec();
                fewer.remove(at);
                !self.turns(scene, shown, turned, &fewer)
            })
    }

    /// Whether one version with these as in the other shows what the other does.
    fn turns(&mut self, scene: &Scene, shown: &Shown<'_>, turned: usize, set: &[usize]) -> bool {
        let mut as_in_second = vec![turned == 1; self.mixtures.names.len()];
        set.iter().for_each(|at| as_in_second[*at] = turned == 0);
        let is_kept = |made: &(u64, Option<Follower<R>>)| made.1.is_some();
        if self.made.values().filter(|made| is_kept(made)).count() > Self::MOST_MADE
            && !self.made.contains_key(&as_in_second)
        {
            let oldest = self.made.iter().filter(|(_, made)| is_kept(made)).min_by_key(|(_, (asked, _))| *asked);
            if let Some(oldest) = oldest.map(|(set, _)| set.clone()) {
                self.made.remove(&oldest);
            }
        }
        self.asked += 1;
        let follower = self.made.entry(as_in_second).or_insert_with_key(|as_in_second| {
            let made = (self.make)(&self.mixtures.selection(as_in_second));
            let made = made.map(|(ruleset, rules)| Follower::new(rules, &ruleset, &self.versions, &self.record));
            (0, made)
        });
        follower.0 = self.asked;
        let Some(follower) = &mut follower.1 else { return false };
        let other = 1 - turned;
        follower.stand(scene, [other, turned]) && follower.seen(shown.item) == *shown.seen[other]
    }
}

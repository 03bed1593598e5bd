//! What two versions differ in, and the versions that lie between them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::ruleset::{Ruleset, Selection, VersionName};

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
    /// The versions that the ruleset names.
    named: Vec<(String, Vec<String>)>,
    differs: Vec<usize>,
    /// By paragraph, which of the names change what carries it out.
    carried: BTreeMap<String, Vec<usize>>,
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
            named: versions[0].versions.clone(),
            amendments: first.iter().map(|amendment| (amendment.id.clone(), amendment.on)).collect(),
            set,
            carried: carried(versions, &differs),
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
        let mut version = VersionName::default();
        self.amendments.iter().zip(&on).for_each(|((id, _), on)| version.turn(id, *on, &self.named));
        let mut changed = as_in_second[self.differs.len()..].iter();
        let value = |(path, values): &(String, [Option<String>; 2])| {
            let second = if values[0] == values[1] { &true } else { changed.next().unwrap_or(&false) };
            values[usize::from(*second)].clone().map(|value| (path.clone(), value))
        };
        let set = self.set.iter().filter_map(value).collect();
        Selection { version, set, ..self.base.clone() }
    }

    /// Which of the names are to be looked at first where a difference is told with these citations; in their own order, so
    /// that versions that change places have the same.
    pub(super) fn suspects<'a>(&self, cites: impl Iterator<Item = &'a str>) -> Vec<usize> {
        let suspects: BTreeSet<usize> = cites.filter_map(|cite| self.carried.get(cite)).flatten().copied().collect();
        suspects.into_iter().collect()
    }
}

/// By paragraph, which of the amendments that differ change what the rulebook says carries it out.
fn carried(versions: [&Ruleset; 2], differs: &[usize]) -> BTreeMap<String, Vec<usize>> {
    let mut all: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, at) in differs.iter().enumerate() {
        let with = versions[usize::from(versions[1].amendments[*at].on)];
        let amendment = &with.amendments[*at];
        for entry in &with.rulebook.entries {
            let is_its = entry.by.iter().any(|carrier| amendment.changes(&carrier.path, with));
            if is_its || amendment.has(&entry.span.file) {
                all.entry(entry.id.clone()).or_default().push(number);
            }
        }
    }
    all
}

/// Makes versions that lie between two, as they are wanted: nothing where a version cannot be, because an amendment needs or
/// excludes another.
pub type Make<R> = dyn Fn(&Selection) -> Option<(Arc<Ruleset>, R)> + Send + Sync;

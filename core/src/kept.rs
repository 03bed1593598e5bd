//! What has been worked out from the texts of a library and nothing else, kept so that further versions of a game are made
//! without working it out again.

use std::{
    any::{Any, TypeId},
    collections::BTreeMap,
    convert::Infallible,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::yaml::Node;

/// Shared by a library and all that is loaded from it. Whether something is kept or made again makes no difference but of
/// time: what is kept follows from what it is kept under.
#[derive(Default)]
pub struct Kept {
    of_texts: Mutex<OfTexts>,
    of_trees: Mutex<Vec<(Node, Arc<dyn Any + Send + Sync>)>>,
    /// How much text the library keeps trees of.
    trees: AtomicUsize,
}

/// By type and text.
#[derive(Default)]
struct OfTexts {
    all: BTreeMap<TypeId, BTreeMap<Box<str>, Arc<dyn Any + Send + Sync>>>,
    bytes: usize,
}

impl Kept {
    /// No more text is kept than this, with what was made of it.
    const MOST_BYTES: usize = 8 << 20;
    /// Nor of more trees: a map has all its distances.
    const MOST_TREES: usize = 4;

    /// What is made of a text, which nothing but the text may go into.
    pub fn of<T: Any + Send + Sync>(&self, text: &str, make: impl FnOnce() -> T) -> Arc<T> {
        match self.try_of(text, || Ok::<T, Infallible>(make())) {
            Ok(made) => made,
            Err(never) => match never {},
        }
    }

    /// The same, where it may fail; failures are not kept. It is made outside any lock, so two threads may make it at once.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn try_of<T: Any + Send + Sync, E>(
        &self,
        text: &str,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let known = locked(&self.of_texts).all.get(&TypeId::of::<T>()).and_then(|of| of.get(text)).cloned();
        if let Some(known) = known.and_then(|known| known.downcast().ok()) {
            return Ok(known);
        }
        let made = Arc::new(make()?);
        let mut of_texts = locked(&self.of_texts);
        if of_texts.bytes + text.len() <= Kept::MOST_BYTES {
            of_texts.bytes += text.len();
            of_texts.all.entry(TypeId::of::<T>()).or_default().insert(text.into(), made.clone());
        }
        Ok(made)
    }

    /// What is made of a tree, of which the last few are kept: of one that has been edited something else is made. Whoever
    /// comes meanwhile waits.
    pub(crate) fn of_tree<T: Any + Send + Sync>(&self, node: &Node, make: impl FnOnce() -> T) -> Arc<T> {
        let mut trees = locked(&self.of_trees);
        let known = trees.iter().enumerate().filter(|(_, (from, _))| from.is_same(node));
        let known = known.filter_map(|(at, (_, of))| Some((at, of.clone().downcast::<T>().ok()?))).next();
        if let Some((at, known)) = known {
            trees[..=at].rotate_right(1);
            return known;
        }
        let made = Arc::new(make());
        trees.insert(0, (node.clone(), made.clone()));
        trees.truncate(Kept::MOST_TREES);
        made
    }

    /// Whether so much more text may be kept as trees, which it then is.
    pub(crate) fn has_room(&self, bytes: usize, most: usize) -> bool {
        let add = |kept: usize| kept.checked_add(bytes).filter(|all| *all <= most);
        self.trees.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok()
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}

/// What is kept is whole whenever the lock is free.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostic::Diagnostics, library::Library, yaml};

    #[test]
    fn what_is_made_of_a_text_is_made_once_for_each_type() {
        let kept = Kept::default();
        let length = |text: &str| kept.of(text, || text.len());
        assert!(Arc::ptr_eq(&length("three"), &length("three")));
        assert_eq!(*length("four"), 4);
        assert_eq!(*kept.of("three", || "another type".to_owned()), "another type");
        assert_eq!(*length("three"), 5);
        let fails = |text: &str| kept.try_of(text, || text.parse::<i32>().map_err(|wrong| wrong.to_string()));
        assert!(fails("x").is_err() && fails("x").is_err());
        assert_eq!(fails("7").as_deref(), Ok(&7));
    }

    #[test]
    fn more_than_there_is_room_for_is_made_again() {
        let kept = Kept::default();
        let long = "x".repeat(Kept::MOST_BYTES + 1);
        let made = [(); 2].map(|()| kept.of(&long, || 1));
        assert!(!Arc::ptr_eq(&made[0], &made[1]));
        assert_eq!(locked(&kept.of_texts).bytes, 0);
        assert!(kept.has_room(10, 15));
        assert!(!kept.has_room(10, 15) && kept.has_room(5, 15));
    }

    #[test]
    fn of_a_tree_something_is_made_once_and_of_an_edited_one_something_else() {
        let mut found = Diagnostics::default();
        let text = "scale: mile\nrows: 2\n";
        let node = yaml::parse("m.yaml", text, &mut found);
        let elsewhere = yaml::parse("m.yaml", &format!("\n{text}"), &mut found);
        let kept = Kept::default();
        let read = |node: &Node| kept.of_tree(node, || node.get("scale").and_then(Node::text).map(str::to_owned));
        let first = read(&node);
        assert!(Arc::ptr_eq(&first, &read(&node.clone())));
        assert!(!Arc::ptr_eq(&first, &read(&elsewhere)), "faults are told where they stand");
        let mut edited = node.clone();
        let yaml::Value::Map(entries) = &mut edited.value else { panic!("a map of keys") };
        Arc::make_mut(entries)[0].1 = yaml::parse("m.yaml", "league", &mut found);
        assert_eq!(read(&edited).as_deref(), Some("league"));
        assert_eq!(read(&node).as_deref(), Some("mile"));
        assert!(Arc::ptr_eq(&first, &read(&node)), "it is still kept");
        assert_eq!(*kept.of_tree(&node, || 1), 1, "another type");
        for at in 0..Kept::MOST_TREES {
            read(&yaml::parse("m.yaml", &format!("scale: {at}"), &mut found));
        }
        assert!(!Arc::ptr_eq(&first, &read(&node)), "it was made long ago");
    }

    #[test]
    fn a_file_is_parsed_once_and_its_faults_are_told_each_time() {
        let text = "a: 1\na: 2\nb: [*x]\n";
        let library = Library::from_fixture(&format!("//- x.yaml\n{text}"));
        let told = |library: &Library| {
            let mut found = Diagnostics::default();
            let tree = library.tree("x.yaml", &mut found).expect("it is there");
            (found.list, tree)
        };
        let mut found = Diagnostics::default();
        let parsed = yaml::parse("x.yaml", text, &mut found);
        let (first, second, copy) = (told(&library), told(&library), told(&library.clone()));
        for (list, tree) in [&first, &second, &copy] {
            assert_eq!(*list, found.list);
            assert!(tree.is_same(&parsed));
        }
        assert!(!found.list.is_empty());
        let mut changed = library.clone();
        changed.insert("x.yaml", "a: 3\n");
        assert!(told(&changed).0.is_empty(), "another text has another tree");
        assert_eq!(told(&library).0, found.list);
    }
}

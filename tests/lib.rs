//! What the tests share: libraries of content from the repository's folders.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use countermarch_core::{
    library::Library,
    play::{Limits, Session, SessionError},
    ruleset::{Ruleset, Selection},
    study::choose_at_random,
};
use countermarch_scripting::{Budget, Runtime};

pub mod child;
pub mod switches;
pub mod twin;

/// Numbers that follow from a seed.
pub struct Numbers(pub u64);

impl Numbers {
    /// The next, one of so many.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lie in the repository").to_owned()
}

/// All content under a folder that holds `maps` and `rulesets`.
pub fn library(folder: &Path) -> Library {
    let mut library = Library::default();
    for part in ["maps", "rulesets"] {
        library.add_folder(part, &folder.join(part)).expect("the folder can be read");
        assert!(library.faults(part).next().is_none(), "{:?}", library.faults(part).collect::<Vec<_>>());
    }
    library
}

/// The toy game.
pub fn toy() -> Library {
    library(&root().join("tests/toy"))
}

/// Puts another text in place of the first that reads so in a file of a library; it must stand there.
pub fn replace(library: &mut Library, path: &str, old: &str, new: &str) {
    let text = library.text(path).unwrap_or_else(|| panic!("there is no {path}")).to_owned();
    assert!(text.contains(old), "`{old}` does not stand in {path}");
    library.insert(path, text.replacen(old, new, 1));
}

/// A ruleset that must be without fault, though scenarios may leave a counter out that a test adds.
pub fn load(library: &Library, id: &str, selection: &Selection) -> Arc<Ruleset> {
    let (ruleset, found) = match countermarch_scripting::load(library, id, selection) {
        Ok(loaded) => (Some(loaded.ruleset), loaded.warnings),
        Err(found) => (None, found),
    };
    let wrong = found.list.iter().filter(|d| d.code != "not-set-up");
    let lines: Vec<String> = wrong.map(|d| d.one_line(library)).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
    ruleset.expect("a ruleset without fault loads")
}

/// Rules of a ruleset without fault.
pub fn rules(ruleset: &Arc<Ruleset>) -> Runtime {
    Runtime::new(ruleset.clone(), Budget::default()).expect("the rules were checked")
}

/// Plays a game at random to its end, or to `most` answers. `watch` sees every question.
pub fn play_at_random(
    ruleset: &Arc<Ruleset>,
    rules: Runtime,
    seed: u64,
    limits: Limits,
    most: usize,
    watch: &mut dyn FnMut(&mut Session<Runtime>),
) -> Result<Session<Runtime>, SessionError> {
    go_on_at_random(Session::new(ruleset.clone(), rules, 0, seed, limits), most, watch)
}

/// Goes on at random, until the game ends or so many answers have been given. `watch` sees every question before it is
/// answered.
pub fn go_on_at_random(
    mut session: Session<Runtime>,
    most: usize,
    watch: &mut dyn FnMut(&mut Session<Runtime>),
) -> Result<Session<Runtime>, SessionError> {
    let seed = session.record().seed;
    session.advance()?;
    let mut answers = 0;
    while let Some(question) = session.question().cloned() {
        watch(&mut session);
        if answers == most {
            break;
        }
        let action = choose_at_random(session.game(), &question, session.offers(), seed);
        session.act(question.by, action)?;
        answers += 1;
    }
    Ok(session)
}

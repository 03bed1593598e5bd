//! What comparisons promise, held over more games than CI has time for. All of it:
//! `cargo test --release -p countermarch-tests --test campaigns -- --ignored --nocapture`.

use std::{
    sync::{Arc, Mutex},
    thread,
};

use countermarch_core::{
    library::Library,
    ruleset::{Differences, Ruleset, Selection, VersionName},
    study::{Comparison, Effect, Pairs, Player, ReplayError},
};
use countermarch_tests::{library, load, root, rules};

/// A change that nobody made by mistake, put into a game to be found.
struct Planted {
    game: &'static str,
    scenario: &'static str,
    change: &'static str,
    /// What it is known to move.
    measure: &'static str,
    games: u64,
}

/// One column more of the combat results table wounds the defender.
const ON_88: Planted = Planted {
    game: "gettysburg-88",
    scenario: "july-1",
    change: "{ set: first/outcome/rows/D1/when, was: difference >= 1, now: difference >= 0 }",
    measure: "losses.confederate",
    games: 2_800,
};

/// One point more for an objective, in the table of victory points.
const ON_77: Planted = Planted {
    game: "gettysburg-77",
    scenario: "first-day",
    change: "{ set: spaces/E39/union-points, was: 5, now: 6 }",
    measure: "points.union",
    games: 150,
};

fn version(library: &Library, id: &str, version: &str) -> Arc<Ruleset> {
    load(library, id, &Selection { version: VersionName::parse(version), ..Selection::default() })
}

impl Planted {
    fn library(&self) -> Library {
        let mut library = library(&root());
        let text =
            format!("amendment: planted\ntitle: planted\nkind: house\nnature: changes\nchange:\n  - {}\n", self.change);
        library.insert(&format!("rulesets/{}/amendments/planted.yaml", self.game), text);
        library
    }

    fn pairs(&self, library: &Library, seed: u64, games: u64) -> Pairs {
        let versions = ["base", "base+planted"].map(|name| version(library, self.game, name));
        let scenarios = versions.each_ref().map(|ruleset| ruleset.scenario(self.scenario).expect("both have it"));
        let players = versions.each_ref().map(|ruleset| vec![Player::Random; ruleset.sides.len()]);
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        Pairs { versions, scenarios, players, seed, games, jobs, is_paired: true }
    }

    /// What the measure comes to, and whether its difference stands among all.
    fn found(&self, pairs: &Pairs) -> (Effect, bool) {
        let comparison = played(pairs);
        let at = comparison.gauges.iter().position(|gauge| gauge.id == self.measure).expect("it is measured");
        (comparison.effects()[at].expect("there are pairs"), comparison.standing()[at])
    }

    /// The amendments that any difference on paper is laid to.
    fn laid_to(&self, library: &Library) -> Vec<String> {
        let selection = |name: &str| Selection { version: VersionName::parse(name), ..Selection::default() };
        let (a, b) = (selection("base"), selection("base+planted"));
        let differences = Differences::between(library, self.game, [&a, &b]).expect("both are fine");
        differences.values.iter().flat_map(|value| value.by.clone()).collect()
    }

    /// Whether it is found, and how often of 20 seeds the interval covers what 20 times the games give.
    fn campaign(&self) {
        let library = self.library();
        assert_eq!(self.laid_to(&library), ["planted"]);
        let (whole, stands) = self.found(&self.pairs(&library, 1_000_000, 20 * self.games));
        println!("{}: {} {:+.3} in {:?}", self.game, self.measure, whole.difference, whole.interval);
        assert!(stands, "20 times the games do not find it");
        let tries: Vec<(Effect, bool)> =
            (0..20).map(|n| self.found(&self.pairs(&library, 1 + n * self.games, self.games))).collect();
        let covers = |effect: &Effect| effect.interval[0] <= whole.difference && whole.difference <= effect.interval[1];
        let covering = tries.iter().filter(|(effect, _)| covers(effect)).count();
        let finding = tries.iter().filter(|(_, stands)| *stands).count();
        println!("{}: {covering} of 20 cover it, {finding} of 20 find it", self.game);
        assert!(covering >= 18 && finding >= 18);
    }
}

fn played(pairs: &Pairs) -> Comparison {
    let comparison = Mutex::new(Comparison::new(pairs));
    let make = |ruleset: &Arc<Ruleset>| -> Result<_, ReplayError> { Ok(rules(ruleset)) };
    let done = pairs.play(
        make,
        |_| false,
        |pair| {
            comparison.lock().expect("one thread adds").add(&pair);
            Ok(())
        },
    );
    done.expect("the rules were checked");
    let comparison = comparison.into_inner().expect("one thread adds");
    assert_eq!(comparison.failed.0, 0, "{:?}", comparison.failed);
    comparison
}

#[test]
#[ignore = "112,000 pairs"]
fn what_is_planted_in_88_is_found_and_measured() {
    ON_88.campaign();
}

#[test]
#[ignore = "6,000 pairs"]
fn what_is_planted_in_77_is_found_and_measured() {
    ON_77.campaign();
}

/// A sample of the same for CI.
#[test]
fn what_is_planted_is_found() {
    for planted in [ON_88, ON_77] {
        let library = planted.library();
        assert_eq!(planted.laid_to(&library), ["planted"]);
        let (effect, stands) = planted.found(&planted.pairs(&library, 1, planted.games));
        assert!(stands, "{}: {effect:?}", planted.game);
    }
}

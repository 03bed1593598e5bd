//! What no source prints never passes as printed: not a position, not a value of a map, not a row, not a chart.

use countermarch_core::{
    map::Map,
    ruleset::{Cite, Provenance, Ruleset, Selection, VersionName, available, rows::Read},
};
use countermarch_tests::{library, load, root};

fn rulesets() -> Vec<std::sync::Arc<Ruleset>> {
    let library = library(&root());
    available(&library).iter().map(|id| load(&library, id, &Selection::default())).collect()
}

/// Where a space's value comes from, by the number of the space.
fn of(map: &Map, space: &str, what: &str) -> Provenance {
    map.space(map.find(space).expect("on the map")).from.of(what)
}

#[test]
fn a_scenario_that_passes_as_printed_cites_every_position_and_sets_nothing_else() {
    for ruleset in rulesets() {
        for scenario in ruleset.scenarios.iter().filter(|s| s.from == Provenance::Printed) {
            let name = format!("{} {}", ruleset.id, scenario.id);
            assert!(
                scenario.setup.iter().all(|line| line.cite != Cite::NONE),
                "{name} places counters by no paragraph"
            );
            let is_usual =
                |(column, _, value): &(u16, i32, i32)| ruleset.schema.columns[*column as usize].default == *value;
            assert!(scenario.state.iter().all(is_usual), "{name} begins with more than the rules say: give it `from:`");
            assert_eq!(scenario.turns, (1, 10_000), "{name} cuts the game: give it `from:`");
        }
    }
}

#[test]
fn what_a_survey_measures_is_nowhere_printed() {
    for ruleset in rulesets() {
        let map = &ruleset.map;
        let has_levels = map.spaces().any(|s| map.space(s).level != 0);
        for space in map.spaces().map(|s| map.space(s)) {
            for (what, is_stated) in [("level", has_levels), ("elevation", space.elevation.is_some())] {
                let passes = is_stated && space.from.of(what) == Provenance::Printed;
                assert!(!passes, "{}: the {what} of {} is read off the ground", map.id, space.name);
            }
        }
    }
}

#[test]
fn a_document_answers_for_what_it_states_of_a_space_and_for_no_more() {
    let all = rulesets();
    let map = &all.iter().find(|r| r.id == "gettysburg-77").expect("the game of 1977").map;
    use Provenance::{Printed, Reconstructed, Survey};
    assert_eq!((of(map, "E39", "name"), of(map, "E39", "woods"), of(map, "E39", "level")), (Printed, Survey, Survey));
    assert_eq!((of(map, "O38", "town"), of(map, "O38", "elevation")), (Printed, Survey));
    assert_eq!((of(map, "KK26", "name"), of(map, "KK26", "level")), (Printed, Reconstructed));
    // The crests of the rules, and not the middles of the hills.
    for (space, name) in [("U40", "Culp's Hill"), ("Q44", "Benner's Hill"), ("CC36", "Power's Hill")] {
        let here = map.space(map.find(space).expect("on the map"));
        assert_eq!((here.label.as_deref(), here.from.of("name")), (Some(name), Printed));
    }
}

#[test]
fn every_attribute_of_a_space_stands_in_the_sources_or_says_that_it_does_not() {
    for ruleset in rulesets() {
        for entry in ruleset.map.entries.iter().filter(|e| e.from != Provenance::Printed) {
            let at = entry.at.0 as usize;
            let points = ruleset.attributes.iter().filter(|a| a.name.ends_with("-points") && a.values.len() > at);
            let passes = points.filter(|a| a.values[at] > 0).any(|a| a.from[at] == Provenance::Printed);
            assert!(!passes, "{}: the objective at {} stands where no source has it", ruleset.id, entry.id);
        }
    }
}

#[test]
fn every_rating_of_a_counter_that_an_amendment_reconstructs_is_marked_in_the_base() {
    let library = library(&root());
    for base in rulesets() {
        for amendment in base.amendments.iter().filter(|a| a.kind.word() == "reconstruction") {
            let version = VersionName { with: vec![amendment.id.clone()], ..VersionName::default() };
            let other = load(&library, &base.id, &Selection { version, ..Selection::default() });
            for (old, new) in base.attributes.iter().zip(&other.attributes) {
                let differ = (0..old.values.len()).filter(|at| old.values[*at] != new.values[*at]);
                for at in differ.filter(|at| new.values.len() == old.values.len() && old.values[*at] > 0) {
                    let (name, id) = (&old.name, &amendment.id);
                    assert_ne!(old.from[at], Provenance::Printed, "{id} reconstructs {name} {at}, printed in the base");
                }
            }
        }
    }
}

#[test]
fn rows_that_a_setting_may_replace_by_another_guess_are_marked() {
    let all = rulesets();
    let ruleset = all.iter().find(|r| r.id == "gettysburg-77").expect("the game of 1977");
    let table = &ruleset.rows[ruleset.rows(Read::First, "headquarters-table").expect("it is there")];
    assert!(table.rows.iter().all(|row| row.from == Provenance::Reconstructed));
    assert_eq!(table.rows[0].id, "eliminated");
}

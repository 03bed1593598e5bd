//! The definitions hold what there is: every name that a runtime has, and none that it has not.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use countermarch_core::{
    library::Library,
    ruleset::{Ruleset, Selection, available},
};
use mlua::{Table, Value};

use super::{
    known::{Known, Names},
    type_definitions,
};
use crate::{Budget, Runtime};

fn of_tables(path: &str, table: &Table, into: &mut BTreeSet<String>) {
    table
        .for_each(|name: String, value: Value| {
            let path = format!("{path}{name}");
            if let Value::Table(inner) = &value {
                of_tables(&format!("{path}."), inner, into);
            }
            into.insert(path);
            Ok(())
        })
        .expect("tables can be walked");
}

fn of_definitions(path: &str, known: &Known, into: &mut BTreeSet<String>) {
    into.insert(path.to_owned());
    if let Known::Table(fields) = known {
        fields.iter().for_each(|(name, known)| of_definitions(&format!("{path}.{name}"), known, into));
    }
}

/// The names of a ruleset by its definitions, and by what its rules really see.
fn names(ruleset: Arc<Ruleset>) -> [BTreeSet<String>; 2] {
    let definitions = Names::read(&type_definitions(&ruleset)).expect("the definitions can be read");
    let (mut defined, mut there) = (BTreeSet::new(), BTreeSet::new());
    definitions.globals.iter().for_each(|(name, known)| of_definitions(name, known, &mut defined));
    let runtime = Runtime::new(ruleset, Budget::default()).expect("the rules load");
    // Luau finds what is not in a state's own table in the one behind it.
    let behind: Table = runtime.lua().globals().metatable().expect("a sandbox").raw_get("__index").expect("a table");
    of_tables("", &behind, &mut there);
    // Only in the files of amendments.
    defined.remove("original");
    [defined, there]
}

#[test]
fn definitions_hold_every_name_that_rules_see_and_no_other() {
    let mut count = 0;
    for folder in ["..", "../tests/toy", "../tests/little"] {
        let mut library = Library::default();
        for part in ["maps", "rulesets"] {
            library.add_folder(part, &Path::new(folder).join(part)).expect("the folder can be read");
        }
        for id in available(&library) {
            let ruleset = Ruleset::load(&library, &id, &Selection::default()).expect("it loads").ruleset;
            let [defined, there] = names(ruleset);
            let missing: Vec<_> = there.difference(&defined).collect();
            let beyond: Vec<_> = defined.difference(&there).collect();
            assert!(missing.is_empty() && beyond.is_empty(), "{id}: missing {missing:?}, and not there {beyond:?}");
            count += there.len();
        }
    }
    assert!(count > 1000, "{count} names");
}

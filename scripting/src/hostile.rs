//! Every function that rules see, called with what no rule should give it: an answer or an error may come of it, never
//! a panic, and never a long wait.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::{Duration, Instant},
};

use countermarch_core::{
    library::Library,
    play::{Game, Rules},
    ruleset::{Ruleset, Selection, available},
};
use mlua::{Function, Lua, MultiValue, Table, Value};

use crate::{Budget, Runtime};

/// Every function of a table and of those in it, with its path.
fn functions(path: &str, table: &Table, into: &mut Vec<(String, Function)>) {
    table
        .for_each(|name: Value, value: Value| {
            let path = format!("{path}{}", name.to_string().unwrap_or_default());
            match value {
                Value::Function(function) => into.push((path, function)),
                Value::Table(inner) if !path.contains("_G") => functions(&format!("{path}."), &inner, into),
                _ => (),
            }
            Ok(())
        })
        .expect("tables can be walked");
}

fn hostile(lua: &Lua) -> Vec<Value> {
    let list = |of: Vec<f64>| Value::Table(lua.create_sequence_from(of).expect("a list"));
    let starts = lua.create_table().expect("a table");
    let start = lua.create_table().expect("a table");
    for (key, value) in [("at", vec![0, 1]), ("cost", vec![65_535, 0])] {
        start.raw_set(key, value).expect("written");
    }
    start.raw_set("way", 77).expect("written");
    starts.raw_push(start).expect("written");
    let numbers = [0.0, 1.0, -1.0, 77.0, 99_999.0, -99_999.0, 65_535.0, 2_147_483_647.0, -2_147_483_648.0];
    let far = [4_294_967_296.0, 9_007_199_254_740_993.0, 1e300, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let mut all: Vec<Value> = numbers.into_iter().chain(far).map(Value::Number).collect();
    all.extend([Value::Nil, Value::Boolean(true), list(vec![]), list(vec![0.0, 99_999.0, -5.0]), list(vec![f64::NAN])]);
    all.extend([Value::Table(starts), Value::String(lua.create_string("nonsense").expect("a text"))]);
    all.push(Value::String(lua.create_string([0xFF, 0, 10]).expect("bytes")));
    all.push(Value::Function(lua.create_function(|_, ()| Ok(())).expect("a function")));
    all
}

fn library(root: &Path) -> Library {
    let mut library = Library::default();
    for part in ["maps", "rulesets"] {
        library.add_folder(part, &root.join(part)).expect("the folder can be read");
    }
    library
}

fn call_all(id: &str, root: &Path) {
    let ruleset = Ruleset::load(&library(root), id, &Selection::default()).expect("it loads").ruleset;
    let mut runtime = Runtime::new(ruleset.clone(), Budget::default()).expect("its rules load");
    let mut all = Vec::new();
    let globals = runtime.lua().globals();
    let engine: Table = globals.metatable().expect("globals of the engine").raw_get("__index").expect("a table");
    functions("", &engine, &mut all);
    assert!(all.len() > 100, "only {} functions", all.len());
    let values = hostile(runtime.lua());
    let mut calls: Vec<Vec<Value>> = vec![Vec::new(), vec![Value::Number(0.0); 9]];
    for value in &values {
        let zero = || Value::Number(0.0);
        calls.push(vec![value.clone()]);
        calls.push(vec![zero(), value.clone()]);
        calls.push(vec![zero(), zero(), value.clone()]);
        calls.push(vec![value.clone(); 3]);
        calls.push(vec![value.clone(), zero(), zero()]);
    }
    let scenario = ruleset.scenarios.first().expect("a scenario");
    let mut game = Box::new(Game::new(ruleset.clone(), 1));
    game.set_up(scenario);
    for (path, function) in all {
        for args in &calls {
            // What the call before has done is not what is tried.
            let mut now = game.clone();
            now.telling = true;
            let args: MultiValue = args.iter().cloned().collect();
            let said = format!("{path}({args:?})");
            let began = Instant::now();
            runtime.renew();
            runtime.forget_sets(&now);
            let call = || runtime.with(&mut now, |_| function.call::<MultiValue>(args));
            assert!(catch_unwind(AssertUnwindSafe(call)).is_ok(), "{said} panics");
            assert!(began.elapsed() < Duration::from_secs(5), "{said} takes {:?}", began.elapsed());
        }
    }
}

#[test]
fn no_function_of_the_engine_panics_whatever_it_is_given() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    call_all("toy", &root.join("tests/toy"));
    call_all("pairs", &root.join("tests/joint"));
    // Every game that stands, whatever it declares.
    for game in available(&library(root)) {
        call_all(&game, root);
    }
}

//! Every map to Tiled and back: what comes back is the map that went.

use std::{collections::BTreeSet, fs};

use countermarch_cartography::tiled;
use countermarch_core::{
    diagnostic::Diagnostics,
    map::{self, Grid, Map},
    yaml,
};
use countermarch_tests::root;
use serde_json::{Value, json};

fn load(name: &str, text: &str) -> Map {
    let mut found = Diagnostics::default();
    let map = map::load(&yaml::parse(name, text, &mut found), &mut found).expect("a map");
    assert!(found.list.is_empty(), "{name}: {:?}", found.list);
    map
}

/// All that Tiled holds of a map, in one order.
fn facts(map: &Map) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let name = |s: &map::SpaceId| map.space(*s).name.clone();
    for space in map.spaces() {
        let here = map.space(space);
        all.insert(format!("{here:?}"));
        for border in map.out(space) {
            all.insert(format!("{} {} {:?}", here.name, name(&map.target(border)), map.border(border)));
        }
    }
    let names = |list: &[map::SpaceId]| list.iter().map(&name).collect::<Vec<_>>().join(" ");
    for road in &map.roads {
        all.insert(format!("road {} {} {} {} {:?}", road.id, road.name, road.kind, names(&road.along), road.from));
    }
    for stream in &map.streams {
        let along: Vec<String> =
            stream.along.iter().map(|(a, b)| format!("{}|{}", name(a.min(b)), name(a.max(b)))).collect();
        all.insert(format!("stream {} {} {} {along:?} {:?}", stream.id, stream.name, stream.feature, stream.from));
    }
    for entry in &map.entries {
        all.insert(format!("entry {} {} {:?} {:?}", entry.id, name(&entry.at), entry.road, entry.from));
    }
    for place in &map.places {
        all.insert(format!("place {} {} {} {:?}", place.name, place.kind, names(&place.at), place.from));
    }
    all.insert(format!("{} {} {} {:?}", map.id, map.title, map.scale, map.laid_by));
    all
}

fn text_of(id: &str) -> String {
    fs::read_to_string(root().join(format!("maps/{id}.yaml"))).expect("the map is committed")
}

fn exported(id: &str) -> (Map, Value) {
    let text = text_of(id);
    let map = load(id, &text);
    let made = tiled::export(&map, &text, "tiles.png").expect("it can be exported");
    assert_eq!(made.tiles.starts_with(b"\x89PNG"), map.grid != Grid::Area);
    (map, serde_json::from_str(&made.json).expect("JSON"))
}

fn imported(file: &Value) -> (Option<String>, Vec<String>) {
    let mut found = Diagnostics::default();
    let text = tiled::import("board.tmj", &file.to_string(), &mut found);
    (text, found.list.iter().map(|d| d.message.clone()).collect())
}

#[test]
fn every_map_comes_back_as_it_went() {
    for id in ["gettysburg-77", "gettysburg-88", "gettysburg-corps", "gettysburg-gallop", "gettysburg-tmag"] {
        let (map, file) = exported(id);
        let (text, wrong) = imported(&file);
        assert!(wrong.is_empty(), "{id}: {wrong:?}");
        let (before, after) = (facts(&map), facts(&load(id, &text.expect("a map file"))));
        let gone: Vec<&String> = before.difference(&after).take(5).collect();
        let new: Vec<&String> = after.difference(&before).take(5).collect();
        assert!(gone.is_empty() && new.is_empty(), "{id}: gone {gone:#?}, new {new:#?}");
    }
}

/// The layer of that name.
fn layer<'a>(file: &'a mut Value, name: &str) -> &'a mut Value {
    let layers = file["layers"].as_array_mut().expect("layers");
    layers.iter_mut().find(|l| l["name"] == name).expect("the layer")
}

#[test]
fn what_is_painted_in_tiled_comes_into_the_map() {
    let (map, mut file) = exported("gettysburg-corps");
    // A wood painted on 20.05, a road drawn from 2.02 over 2.03 to 2.04, a ridge drawn along one side of 2.02.
    let clear = map.find("20.05").expect("a hex");
    let wood = 1 << map.terrains.iter().position(|t| t == "woods").expect("woods");
    assert_eq!(map.space(clear).terrain & wood, 0);
    let point = |file: &mut Value, name: &str| -> (f64, f64) {
        let list = layer(file, "spaces")["objects"].as_array().expect("points").clone();
        let found = list.into_iter().find(|o| o["name"] == name).expect("its point");
        (found["x"].as_f64().expect("x"), found["y"].as_f64().expect("y"))
    };
    let columns = file["width"].as_i64().expect("a width");
    // Row 20 of 27 is the eighth from the top; even rows begin half a hex west.
    layer(&mut file, "woods")["data"][(7 * columns + 4) as usize] = json!(2);
    let (a, b) = (point(&mut file, "2.02"), point(&mut file, "2.04"));
    let line = json!({ "id": 90001, "name": "new-road", "x": a.0 + 3.0, "y": a.1 - 4.0,
        "polyline": [{ "x": 0, "y": 0 }, { "x": (b.0 - a.0) / 2.0, "y": 5 }, { "x": b.0 - a.0, "y": 2 }],
        "properties": [{ "name": "kind", "type": "string", "value": "road" }] });
    layer(&mut file, "roads")["objects"].as_array_mut().expect("roads").push(line);
    let c = point(&mut file, "2.03");
    let side = json!({ "id": 90002, "name": "", "x": (a.0 + c.0) / 2.0 + 2.0, "y": a.1 - 18.0,
        "polyline": [{ "x": 0, "y": 0 }, { "x": -1, "y": 35 }] });
    layer(&mut file, "ridge")["objects"].as_array_mut().expect("ridges").push(side);
    let (text, wrong) = imported(&file);
    assert!(wrong.is_empty(), "{wrong:?}");
    let changed = load("changed", &text.expect("a map file"));
    assert_ne!(changed.space(changed.find("20.05").expect("a hex")).terrain & wood, 0);
    let road = changed.road("new-road").expect("the new road");
    let along: Vec<&str> = road.along.iter().map(|s| changed.space(*s).name.as_str()).collect();
    assert_eq!(along, ["2.02", "2.03", "2.04"]);
    let ridge = 1 << changed.features.iter().position(|f| f == "ridge").expect("ridges");
    let border = changed.between(changed.find("2.02").expect("a hex"), changed.find("2.03").expect("a hex"));
    assert_ne!(changed.border(border.expect("adjacent")).features & ridge, 0);
}

#[test]
fn what_cannot_be_read_is_told() {
    let (_, file) = exported("gettysburg-88");
    let mut found = Diagnostics::default();
    assert!(tiled::import("board.tmj", "{ \"type\": ", &mut found).is_none());
    assert_eq!(found.list[0].message, "this is no JSON: EOF while parsing a value");
    let told = |change: &dyn Fn(&mut Value)| {
        let mut file = file.clone();
        change(&mut file);
        imported(&file).1.join("; ")
    };
    assert_eq!(told(&|f| f["properties"] = json!([])), "the map has no property `kept`");
    assert_eq!(told(&|f| layer(f, "woods")["name"] = json!("wods")), "layer `wods` is no terrain of the map");
    assert_eq!(
        told(&|f| layer(f, "entries")["objects"][0]["x"] = json!(-900)),
        "object 743 `CP` of layer `entries`: it lies off the map"
    );
    assert_eq!(told(&|f| layer(f, "woods")["width"] = json!(3)), "layer `woods` is not 16 by 26 cells, as the grid is");
}

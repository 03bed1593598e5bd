//! The five maps beside reference cells that another hand sampled from the same survey: where they differ is listed,
//! with the reason.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use countermarch_core::{
    diagnostic::Diagnostics,
    map::{self, Map, SpaceId},
    yaml,
};
use countermarch_tests::root;

/// What a map makes of a cell of the reference.
struct Rules {
    map: &'static str,
    /// Woods by the center, or by this share.
    woods: Option<f64>,
    /// Town by this share.
    town: (&'static str, f64),
    /// Shorter stretches of road are corner clips.
    clip: f64,
    /// The height at which level 1 begins, and of one level.
    levels: Option<(i32, i32)>,
}

const MAPS: [Rules; 5] = [
    Rules { map: "gettysburg-77", woods: None, town: ("town", 0.5), clip: 0.0, levels: Some((380, 20)) },
    Rules { map: "gettysburg-88", woods: Some(0.5), town: ("town", 0.3), clip: 52.0, levels: None },
    Rules { map: "gettysburg-corps", woods: Some(0.5), town: ("gettysburg", 0.25), clip: 87.8, levels: None },
    Rules { map: "gettysburg-gallop", woods: Some(0.5), town: ("town", 0.5), clip: 45.0, levels: None },
    Rules { map: "gettysburg-tmag", woods: Some(0.5), town: ("town", 0.3), clip: 60.0, levels: None },
];

/// An elevation may differ so far from the reference, in feet: it rounds, and reads the grid in another way.
const FEET: i32 = 2;

fn load(id: &str) -> Map {
    let path = root().join(format!("maps/{id}.yaml"));
    let text = fs::read_to_string(&path).expect("the map is committed");
    let mut found = Diagnostics::default();
    let map = map::load(&yaml::parse(id, &text, &mut found), &mut found).expect("a map");
    assert!(found.list.is_empty(), "{:?}", found.list);
    map
}

fn is(map: &Map, space: SpaceId, terrain: &str) -> bool {
    map.terrains.iter().position(|t| t == terrain).is_some_and(|at| map.space(space).terrain >> at & 1 == 1)
}

/// For each of woods, town, road, level and elevation, the spaces in which a map differs from the reference.
fn differences(rules: &Rules) -> (usize, BTreeMap<&'static str, BTreeSet<String>>) {
    let map = load(rules.map);
    let text = fs::read_to_string(root().join(format!("tests/survey/{}.csv", rules.map))).expect("the reference");
    let roads: BTreeSet<SpaceId> = map
        .roads
        .iter()
        .filter(|r| map.road_kinds[r.kind] != "railroad")
        .flat_map(|r| r.along.iter().copied())
        .collect();
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut count = 0;
    for row in text.lines().skip(1) {
        let [name, center, share, town, road, feet] = row.split(';').collect::<Vec<_>>()[..] else {
            panic!("{row} has six columns");
        };
        let number = |text: &str| text.parse::<f64>().unwrap_or(0.0);
        let space = map.find(name).unwrap_or_else(|| panic!("{} has no {name}", rules.map));
        let here = map.space(space);
        count += 1;
        let mut differ = |what, differs: bool| {
            if differs {
                found.entry(what).or_default().insert(name.to_owned());
            }
        };
        let wooded = rules.woods.map_or(center == "1", |least| number(share) >= least);
        differ("woods", wooded != is(&map, space, "woods"));
        differ("town", (number(town) >= rules.town.1) != is(&map, space, rules.town.0));
        let has_road = road != "-" && number(road) >= rules.clip;
        // Where the map prints road spaces, those count, and not the strings over them.
        differ("road", has_road != (is(&map, space, "road") || roads.contains(&space)));
        let feet = number(feet).round() as i32;
        differ("elevation", here.elevation.is_none_or(|e| (e - feet).abs() > FEET));
        if let Some((base, step)) = rules.levels {
            differ("level", here.level != ((feet - base).div_euclid(step) + 1).clamp(0, 14));
        }
    }
    (count, found)
}

#[test]
fn every_difference_from_the_reference_is_known_and_explained() {
    let listed = fs::read_to_string(root().join("tests/survey/differences.txt")).expect("the list is there");
    let mut known: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    for line in listed.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let [map, what, spaces, why] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("`{line}` is not: map | what | spaces | why");
        };
        assert!(why.len() > 20, "`{line}` gives no reason");
        known.entry((map, what)).or_default().extend(spaces.split(' ').map(str::to_owned));
    }
    let mut wrong = Vec::new();
    for rules in &MAPS {
        let (count, found) = differences(rules);
        let all = ["woods", "town", "road", "elevation", "level"];
        for what in all.into_iter().filter(|what| *what != "level" || rules.levels.is_some()) {
            let differ = found.get(what).cloned().unwrap_or_default();
            let listed = known.remove(&(rules.map, what)).unwrap_or_default();
            let text = |of: Vec<&String>| of.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
            let (new, gone) = (text(differ.difference(&listed).collect()), text(listed.difference(&differ).collect()));
            if !new.is_empty() || !gone.is_empty() {
                wrong.push(format!("{} {what}: not listed: {new}; listed and the same: {gone}", rules.map));
            }
            let share = 100.0 - 100.0 * differ.len() as f64 / count as f64;
            println!("{} {what}: {share:.2} of 100 of {count}", rules.map);
            // An area has the height of its middle, and the reference that of the place it is named for.
            let is_of_the_area = rules.map == "gettysburg-tmag" && what == "elevation";
            assert!(share >= 97.0 || is_of_the_area, "{} {what}: only {share:.2} of 100 agree", rules.map);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(known.is_empty(), "listed and not looked at: {known:?}");
}

/// What the inventory of the 1977 rules asks of the map beyond the statements in the map file itself.
#[test]
fn the_map_of_1977_passes_its_checks() {
    let map = load("gettysburg-77");
    for space in map.spaces() {
        let here = map.space(space);
        let feet = here.elevation.expect("every hex has its height");
        // A level is 20 feet; ground on the line between two is on the upper one; level 14 ends at 660 feet.
        let level = (feet - 380).div_euclid(20) + 1;
        match here.name.as_str() {
            "KK26" => assert_eq!(here.level, 15, "the crest of Little Round Top is 668 feet high"),
            "MM24" => assert_eq!((here.level, level), (17, 17), "Big Round Top goes on beyond level 14"),
            name => assert_eq!(here.level, level.clamp(0, 14), "{name} at {feet} feet"),
        }
    }
    assert!(
        map.spaces().any(|s| map.space(s).elevation == Some(540) && map.space(s).level == 9),
        "on the line: level 9"
    );
    assert!(map.spaces().any(|s| map.space(s).elevation == Some(550) && map.space(s).level == 9), "550 feet: level 9");
    let halves = map.spaces().filter(|s| is(&map, *s, "half")).count();
    assert_eq!(halves, 50, "every second row has a half hex at either end");
    // What the rules say is to be rejected is rejected, with the name of the hex.
    let text = fs::read_to_string(root().join("maps/gettysburg-77.yaml")).expect("the map is committed");
    let told = |text: &str| {
        let mut found = Diagnostics::default();
        map::load(&yaml::parse("map", text, &mut found), &mut found);
        found.list.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; ")
    };
    let row = text.lines().find(|l| l.contains("at: \"T20\"")).expect("T20 has its row");
    let level = row.split("level: ").nth(1).and_then(|r| r.split(',').next()).expect("its level");
    let high = text.replace(row, &row.replace(&format!("level: {level}"), "level: 15"));
    assert_eq!(told(&high), "space `T20` is on level 15, not between 0 and 14");
    let none = text.replace(row, &row.replace(&format!("level: {level}, "), ""));
    assert_eq!(told(&none), "space `T20` has no level");
}

#[test]
fn areas_are_adjacent_as_the_reference_has_them() {
    let map = load("gettysburg-tmag");
    let text = fs::read_to_string(root().join("tests/survey/gettysburg-tmag-borders.csv")).expect("the reference");
    let reference: BTreeSet<(String, String)> = text
        .lines()
        .skip(1)
        .map(|l| l.split_once(';').expect("two columns"))
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .collect();
    let is_area = |s: &SpaceId| !map.space(*s).shape.is_empty();
    let corner = map.features.iter().position(|f| f == "corner").expect("the feature of corners");
    let (mut ours, mut points) = (BTreeSet::new(), BTreeSet::new());
    for a in map.spaces().filter(is_area) {
        for border in map.out(a).filter(|b| map.target(*b) > a && is_area(&map.target(*b))) {
            let b = map.target(border);
            let is_point = map.border(border).features >> corner & 1 == 1;
            let pair = (map.space(a).name.clone(), map.space(b).name.clone());
            if is_point {
                points.insert(pair)
            } else {
                ours.insert(pair)
            };
        }
    }
    assert_eq!(ours.len(), 172);
    assert_eq!(ours, reference);
    // Those that meet at a point are no neighbours on the ground, and have a border that says so.
    assert_eq!(points.len(), 13);
    for (a, b) in [("19", "38"), ("20", "37")] {
        assert!(points.contains(&(a.to_owned(), b.to_owned())), "{a} and {b}");
    }
    // What shares a corner only in the outlines, as the map holds them.
    for (a, b) in &points {
        let of = |name: &str| &map.space(map.find(name).expect("an area")).shape;
        assert_eq!(of(a).iter().filter(|p| of(b).contains(p)).count(), 1, "{a} and {b}");
    }
}

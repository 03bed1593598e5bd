//! Lines of sight as rulesets write them: what blocks, with its variants, where, and the reason.

use std::sync::Arc;

use countermarch_core::{
    play::{Game, Refusal},
    ruleset::{Kind, Ruleset, Selection},
    show::Words,
};
use countermarch_tests::toy;

/// A row of hexes from west to east, `-4:0` to `4:0`: wood, hill and house stand in it.
const MAP: &str = "map: toy
grid: { kind: axial, radius: 4 }
terrains: [wood, camp, hill]
features: [hedge]
road-kinds: [lane]
elevations: feet
levels: { least: 0, most: 3 }
roads:
  - { id: lane, name: Lane, kind: lane, along: [\"-3:0\", \"-2:0\"] }
spaces:
";

/// What blocks in this game: woods between, unless both ends are in the same woods; ground higher than both ends, unless
/// both are on the hill; by elevations, ground that stands above the line.
const SIGHTS: &str = "sights:
  fire:
    cite: t/3
    blocked:
      - { id: wood, when: \"terrain(at, wood) and not in-one-wood(from, to)\", say: woods, cite: t/3 }
      - { id: higher, when: \"at.level > from.level and at.level > to.level and not on-one-hill(from, to)\", say: higher ground, cite: t/3 }
  strict:
    along: either
    cite: t/3
    blocked:
      - { id: wood, when: \"terrain(at, wood)\", cite: t/3 }
  eye:
    cite: t/3
    blocked:
      - { id: above, when: \"at.elevation >= line(from, to, at)\", say: the ground, cite: t/3 }
terms:
  can-see: { given: { unit: unit, target: unit }, is: \"fire(unit, target)\" }
  in-woods-all-the-way: { given: { from: space, to: space }, is: \"all(between(from, to) as at, terrain(at, wood))\" }
  crossed: { given: { from: space, to: space }, is: \"count(between(from, to) as at, true)\" }
";

struct Ground(Vec<(&'static str, &'static str)>);

/// The toy on a map of these spaces; all others are open, on level 1, at 100 feet.
fn on(ground: &Ground) -> (Arc<Ruleset>, Game) {
    let mut library = toy();
    let mut map = MAP.to_owned();
    for q in -4i32..=4 {
        for r in (-4).max(-q - 4)..=4.min(-q + 4) {
            let name = format!("{q}:{r}");
            let says = ground.0.iter().find(|(at, _)| *at == name).map_or("level: 1, elevation: 100", |(_, says)| says);
            map.push_str(&format!("  - {{ at: \"{name}\", {says} }}\n"));
        }
    }
    library.insert("maps/toy.yaml", map);
    let tables = library.text("rulesets/toy/tables.yaml").expect("the toy's tables").to_owned();
    // Terms that sights use stand for conditions over the line itself.
    let all = "all(between(from, to) as at, terrain(at, wood))";
    let sights = SIGHTS
        .replace("in-one-wood(from, to)", &format!("(terrain(from, wood) and terrain(to, wood) and {all})"))
        .replace("on-one-hill(from, to)", "(terrain(from, hill) and terrain(to, hill) and terrain(at, hill))");
    let (sights, terms) = sights.split_once("terms:\n").expect("both parts");
    let tables = tables.replacen("terms:\n", &format!("{sights}terms:\n{terms}"), 1);
    library.insert("rulesets/toy/tables.yaml", tables);
    let loaded = Ruleset::load(&library, "toy", &Selection::default());
    let ruleset = loaded.unwrap_or_else(|found| panic!("{:?}", found.list)).ruleset;
    let game = Game::new(ruleset.clone(), 0);
    (ruleset, game)
}

/// Why one does not see from one space to another; empty when one does.
fn why(ground: &Ground, sight: &str, from: &str, to: &str) -> String {
    let (ruleset, game) = on(ground);
    let at = |name: &str| ruleset.map.find(name).expect("on the map");
    let sight = ruleset.sights.iter().position(|s| s.name == sight).expect("declared") as u16;
    let told = game.why_not_seen(sight, at(from), at(to));
    let sees = game.sees(sight, at(from).0 as i32, at(to).0 as i32);
    assert_eq!(told.is_empty(), sees, "what is asked and what is told agree");
    let words = Words::all(&ruleset);
    let one = |t: &Refusal| format!("{} [{}] by {}", words.say(&t.said), ruleset.cite(t.cite), t.row);
    told.iter().map(one).collect::<Vec<_>>().join("; ")
}

const WOOD: &str = "is: [wood], level: 1, elevation: 100";
const HILL: &str = "is: [hill], level: 2, elevation: 140";

#[test]
fn woods_between_block_and_woods_at_either_end_do_not() {
    let wood = Ground(vec![("0:0", WOOD)]);
    assert_eq!(why(&wood, "fire", "-2:0", "2:0"), "woods in 0:0 [t/3] by fire.wood");
    assert_eq!(why(&wood, "fire", "-2:0", "0:0"), "");
    assert_eq!(why(&wood, "fire", "0:0", "3:0"), "");
    assert_eq!(why(&wood, "fire", "-1:0", "0:0"), "", "a space sees its neighbours");
}

#[test]
fn connected_woods_do_not_block_those_inside() {
    let woods = Ground(vec![("-1:0", WOOD), ("0:0", WOOD), ("1:0", WOOD)]);
    assert_eq!(why(&woods, "fire", "-1:0", "1:0"), "");
    let parted = Ground(vec![("-2:0", WOOD), ("0:0", WOOD), ("2:0", WOOD)]);
    assert_eq!(why(&parted, "fire", "-2:0", "2:0"), "woods in 0:0 [t/3] by fire.wood");
}

#[test]
fn higher_ground_blocks_unless_both_stand_on_the_hill() {
    let hill = Ground(vec![("0:0", HILL)]);
    assert_eq!(why(&hill, "fire", "-2:0", "2:0"), "higher ground in 0:0 [t/3] by fire.higher");
    let ends = Ground(vec![("-2:0", HILL), ("0:0", HILL)]);
    assert_eq!(why(&ends, "fire", "-2:0", "2:0"), "", "as high as one end does not block");
    let one = Ground(vec![("-2:0", HILL), ("0:0", "is: [hill], level: 3, elevation: 160"), ("2:0", HILL)]);
    assert_eq!(why(&one, "fire", "-2:0", "2:0"), "");
}

#[test]
fn along_a_border_one_side_or_both_must_block() {
    // From 0:0 to 1:1 the line runs between 1:0 and 0:1.
    let one = Ground(vec![("1:0", WOOD)]);
    assert_eq!(why(&one, "fire", "0:0", "1:1"), "");
    assert_eq!(why(&one, "strict", "0:0", "1:1"), "wood in 1:0 [t/3] by strict.wood");
    let both = Ground(vec![("1:0", WOOD), ("0:1", WOOD)]);
    assert_eq!(why(&both, "fire", "0:0", "1:1"), "woods in 1:0 [t/3] by fire.wood");
}

#[test]
fn ground_above_the_line_blocks_by_its_elevation() {
    // From 100 feet up to 180, four hexes on: the line passes 1:0 at 160.
    let low = Ground(vec![("2:0", "level: 3, elevation: 180"), ("1:0", "level: 2, elevation: 150")]);
    assert_eq!(why(&low, "eye", "-2:0", "2:0"), "");
    let crest = Ground(vec![("2:0", "level: 3, elevation: 180"), ("1:0", "level: 2, elevation: 160")]);
    assert_eq!(why(&crest, "eye", "-2:0", "2:0"), "the ground in 1:0 [t/3] by eye.above");
}

#[test]
fn rows_and_words_ask_about_the_spaces_between() {
    let (ruleset, game) = on(&Ground(vec![("0:0", WOOD), ("1:0", WOOD)]));
    let word = |name: &str, from: &str, to: &str| {
        let term = ruleset.terms.iter().find(|w| w.name == name).expect("declared");
        let at = |name: &str| ruleset.map.find(name).expect("on the map").0 as i32;
        assert_eq!(term.given.iter().map(|(_, k)| *k).collect::<Vec<_>>(), [Kind::Space, Kind::Space]);
        game.value(&term.body, &[at(from), at(to)])
    };
    assert_eq!(word("in-woods-all-the-way", "-1:0", "2:0"), 1);
    assert_eq!(word("in-woods-all-the-way", "-2:0", "2:0"), 0);
    assert_eq!(word("crossed", "-2:0", "2:0"), 3);
    assert_eq!(word("crossed", "0:0", "1:1"), 2, "both sides of a border");
    assert_eq!(word("crossed", "0:0", "1:0"), 0);
}

//! Players held against each other, and tuned: on little games, with players made for it.

use std::sync::Arc;

use countermarch_core::{
    diagnostic::Diagnostics,
    library::Library,
    ruleset::{Ranking, Ruleset, Selection, Variant},
    study::{Ladder, Player, Tournament, Tried, Tuning, Unplayable, ladder_json, ladder_text, ranking},
};
use countermarch_scripting::Runtime;
use countermarch_tests::{library, load, replace, root, rules};

const GAME: &str = "breakthrough";

/// Takes what it can, and goes where enemies are.
const TAKES: &str = r#"
answers:
  move.pawn:
    move: "if(any(units-at(second) as u, u.side != by), 10, 0) + count(units as u, u.side != by and distance(second, u) <= 2)"
"#;
/// The same with a weight that is bad: it shuns what it should take.
const SHUNS: &str = r#"
weights:
  greed: { is: -6, least: -10, most: 10, say: what it takes } # too low
  noise: 3
answers:
  move.pawn:
    move: "if(any(units-at(second) as u, u.side != by), greed, 0) + count(units as u, u.side != by and distance(second, u) <= 2)"
"#;

fn little() -> Library {
    let mut library = library(&root().join("tests/little"));
    library.insert(&format!("rulesets/{GAME}/players/plain.yaml"), TAKES.to_owned());
    library.insert(&format!("rulesets/{GAME}/players/shy.yaml"), SHUNS.to_owned());
    library
}

/// Why something could not be played; the rules were checked.
#[derive(Debug)]
struct Never;

impl From<Unplayable> for Never {
    fn from(wrong: Unplayable) -> Never {
        panic!("{wrong}")
    }
}

fn make(ruleset: &Arc<Ruleset>) -> Result<Runtime, Never> {
    Ok(rules(ruleset))
}

fn tournament(players: &[&str], pairs: u64, jobs: usize) -> Tournament {
    let ruleset = load(&little(), GAME, &Selection::default());
    let players = players.iter().map(|name| Player::parse(name)).collect();
    Tournament { pairs, jobs, ..Tournament::new(ruleset, 0, players).expect("they may meet") }
}

fn played(tournament: &Tournament) -> Ladder {
    tournament.play(make, |_| ()).expect("the rules were checked")
}

#[test]
fn the_better_player_is_found_and_it_is_the_same_for_any_jobs_and_order() {
    let first = tournament(&["random", "plain", "shy"], 12, 1);
    let ladder = played(&first);
    let order: Vec<&str> = ladder.rungs.iter().map(|rung| rung.player.as_str()).collect();
    assert_eq!(order, ["plain", "shy", "random"]);
    assert_eq!((ladder.rungs[0].rating.is, ladder.failed.0), (0.0, 0));
    assert!(ladder.rungs[1].rating.most < 0.0, "{ladder:?}");
    assert!(ladder.encounters.iter().all(|met| met.games == 24), "{ladder:?}");
    let (share, by) = ladder.between("plain", "shy").expect("both played");
    assert!(share.least > 0.5 && by.least > 0.0, "{ladder:?}");
    let again = tournament(&["shy", "plain", "random"], 12, 2);
    let told = [(&first, &ladder), (&again, &played(&again))];
    let [one, other] = told.map(|(t, l)| format!("{}{}", ladder_text(t, l, "again"), ladder_json(t, l, "again")));
    assert_eq!(one, other);
    let other_seed = Tournament { seed: 1000, ..tournament(&["random", "plain", "shy"], 12, 1) };
    assert_ne!(played(&other_seed), ladder);
}

#[test]
fn a_player_is_as_good_as_itself_by_another_name() {
    let mut library = little();
    library.insert(&format!("rulesets/{GAME}/players/twin.yaml"), TAKES.to_owned());
    let ruleset = load(&library, GAME, &Selection::default());
    let players = ["plain", "twin"].map(Player::parse).into();
    let twins = Tournament { pairs: 5, ..Tournament::new(ruleset, 0, players).expect("they may meet") };
    let ladder = played(&twins);
    // Each seed is played twice by the same, with sides swapped: nobody can have taken more.
    assert_eq!((ladder.encounters[0].halves, ladder.encounters[0].games), (10, 10));
    assert!(ladder.rungs.iter().all(|rung| rung.rating.is.abs() < 1e-6), "{ladder:?}");
}

#[test]
fn who_cannot_be_ranked_is_refused_with_the_reason() {
    let little = little();
    let ruleset = load(&little, GAME, &Selection::default());
    let refused = |ruleset: &Arc<Ruleset>, names: &[&str]| {
        let players = names.iter().map(|name| Player::parse(name)).collect();
        Tournament::new(ruleset.clone(), 0, players).expect_err("it is refused")
    };
    assert!(refused(&ruleset, &["careful:2s", "plain"]).contains("by the clock"));
    assert!(refused(&ruleset, &["plian", "plain"]).contains("did you mean `plain`?"));
    assert!(refused(&ruleset, &["careful:12000", "careful"]).contains("named twice"));
    assert!(refused(&ruleset, &["plain"]).contains("nobody to play against"));
    let mut alone = little;
    let ruleset = format!("rulesets/{GAME}/ruleset.yaml");
    replace(&mut alone, &ruleset, "name: Black, color: gray", "name: Black, color: gray, neutral: true");
    let alone = load(&alone, GAME, &Selection::default());
    assert!(refused(&alone, &["random", "plain"]).contains("sides that take part in `breakthrough`: 1;"));
}

#[test]
fn a_ladder_is_content_that_is_read_and_known_to_be_of_the_game_as_it_is() {
    let mut content = little();
    let file = format!("rulesets/{GAME}/ladder.yaml");
    let of = tournament(&["random", "plain", "shy"], 6, 1);
    let made = ranking(&of, &played(&of), "countermarch rank breakthrough");
    let names: Vec<&str> = made.players.iter().map(|ranked| ranked.player.as_str()).collect();
    assert_eq!(names.len(), 3);
    content.insert(&file, made.clone().file_with(Vec::new()));
    let ruleset = load(&content, GAME, &Selection::default());
    let read = &ruleset.ladder[0];
    assert_eq!((&read.made_by, read.content, &read.version), (&made.made_by, made.content, &"base".to_owned()));
    let told = |ranking: &Ranking| {
        let last = &ranking.players[2];
        (last.rating, last.lies, ranking.balance.as_ref().map(|balance| balance.share))
    };
    assert_eq!(told(read), told(&made));
    assert!(read.players[2].lies.is_some());
    assert!(read.is_of(&ruleset));
    // Who is rated changes nothing that is played; and ratings of players that have changed are known for it.
    let bare = load(&little(), GAME, &Selection::default());
    assert_eq!((&bare.parts, bare.ladder.len()), (&ruleset.parts, 0));
    let set = vec![("players/shy/weights/greed/is".to_owned(), "4".to_owned())];
    let changed = load(&content, GAME, &Selection { set, ..Selection::default() });
    assert!(!changed.ladder[0].is_of(&changed));
    let other = Ranking::in_file(&file, content.text(&file).expect("it was written")).expect("it is a ladder");
    assert_eq!(other.len(), 1);
}

fn tuning(library: &Library, steps: u64, jobs: usize) -> Tuning {
    let ruleset = load(library, GAME, &Selection::default());
    let tuning = Tuning::new(ruleset, 0, "shy", &["greed".to_owned()], None).expect("it has that weight");
    Tuning { pairs: 4, steps, jobs, seed: 5, ..tuning }
}

fn loading(library: &Library) -> impl Fn(Vec<Variant>) -> Result<Arc<Ruleset>, Never> {
    |variants| Ok(load(library, GAME, &Selection { variants, ..Selection::default() }))
}

/// Takes the steps behind these.
fn go_on(library: &Library, tuning: &Tuning, mut tried: Vec<Tried>) -> Vec<Tried> {
    while (tried.len() as u64) < tuning.steps {
        let took = tuning.step(&tried, loading(library), make, || ()).expect("it can be played");
        tried.push(took);
    }
    tried
}

#[test]
fn a_bad_weight_is_mended_wherever_it_is_stopped_and_by_however_many() {
    let library = little();
    let whole = tuning(&library, 24, 1);
    let tried = go_on(&library, &whole, Vec::new());
    let greed = whole.stands(&tried)[0].1;
    assert!(greed > 0, "{greed} after {tried:?}");
    let held = whole.held_out(&tried, 20, loading(&library), make, || ()).expect("it can be played");
    assert!(held.is_gain(), "{held:?}");
    let (share, by) = held.ladder.between(&held.is, &held.was).expect("both played");
    assert!(share.least > 0.5 && by.least > 0.0, "{held:?}");
    // It is held out on seeds behind all that it was tuned on.
    assert_eq!(held.seed, 5 + 24 * 4);
    // Gone on with from where it was stopped, on two threads.
    let on_two = tuning(&library, 24, 2);
    assert_eq!(go_on(&library, &on_two, tried[..10].to_vec()), tried);
    assert_eq!((on_two.key(), on_two.stands(&tried)), (whole.key(), whole.stands(&tried)));
    assert_ne!(tuning(&library, 23, 1).key(), whole.key());
}

#[test]
fn what_makes_no_difference_is_no_gain() {
    let library = little();
    let ruleset = load(&library, GAME, &Selection::default());
    let tuning = Tuning::new(ruleset, 0, "shy", &["noise".to_owned()], None).expect("it has that weight");
    let tuning = Tuning { pairs: 2, steps: 3, ..tuning };
    let tried = go_on(&library, &tuning, Vec::new());
    // Nothing it does depends on it: both play alike, and take half of it all.
    assert_eq!(tried, [[4, 4]; 3]);
    assert_eq!(tuning.stands(&tried), [("noise".to_owned(), 3)]);
    let held = tuning.held_out(&tried, 3, loading(&library), make, || ()).expect("it can be played");
    assert!(!held.is_gain());
}

#[test]
fn what_cannot_be_tuned_is_refused_with_the_reason() {
    let ruleset = load(&little(), GAME, &Selection::default());
    let refused = |player: &str, weights: &[&str], against: Option<&str>| {
        let weights: Vec<String> = weights.iter().map(|name| (*name).to_owned()).collect();
        Tuning::new(ruleset.clone(), 0, player, &weights, against.map(Player::parse)).expect_err("it is refused")
    };
    assert!(refused("shi", &[], None).contains("did you mean `shy`?"));
    assert!(refused("shy", &["gred"], None).contains("did you mean `greed`?"));
    assert!(refused("shy", &["greed", "greed"], None).contains("named twice"));
    assert!(refused("plain", &[], None).contains("no weights to be moved"));
    assert!(refused("random", &[], None).contains("no weights to be moved"));
    assert!(refused("shy", &[], Some("careful:2s")).contains("by the clock"));
}

#[test]
fn a_variant_plays_by_its_own_weights_beside_the_player_as_it_is() {
    let library = little();
    let variant = |name: &str, weights: &[(&str, i32)]| Variant {
        of: "shy".into(),
        name: name.into(),
        weights: weights.iter().map(|(name, is)| ((*name).to_owned(), *is)).collect(),
    };
    let set = vec![("players/shy/weights/noise".to_owned(), "5".to_owned())];
    let variants = vec![variant("bold", &[("greed", 9)]), variant("same", &[])];
    let ruleset = load(&library, GAME, &Selection { variants, set, ..Selection::default() });
    let weights = |name: &str| -> Vec<i32> {
        let at = ruleset.judgement(name).unwrap_or_else(|| panic!("there is no {name}"));
        ruleset.judgements[at].weights.iter().map(|weight| weight.is).collect()
    };
    // A value that is set is set for all of them.
    assert_eq!([weights("shy"), weights("same"), weights("bold")], [[-6, 5], [-6, 5], [9, 5]]);
    let wrong = Selection { variants: vec![variant("bold", &[("gred", 1)])], ..Selection::default() };
    let found: Diagnostics = Ruleset::load(&library, GAME, &wrong).expect_err("there is no such weight");
    assert_eq!(found.list[0].message, "`shy` has no weight `gred`");
}

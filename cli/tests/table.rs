//! At the table, with the real program and typed lines: the last look, what is asked and told, what is refused.

mod program;
mod sitting;

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use sitting::{play, program, program_at};

const CORPS: [&str; 3] = ["gettysburg-corps", "--seed", "7"];
const BOTH: [&str; 5] = ["gettysburg-corps", "--seed", "7", "--seat", "union=human"];
const SEVENTY_SEVEN: [&str; 5] = ["gettysburg-77", "--seed", "7", "--seat", "union=human"];

/// Heth beside Buford and Reynolds at dawn, in the Combat Phase; Buford does not disengage. Both sides are people's.
const MEETING: &str = "agree place reynolds 15.08\nagree place heth 16.09\nmove heth\nstay\n\ngo\n";

/// What was told after a text.
fn after<'t>(told: &'t str, text: &str) -> &'t str {
    told.split_once(text).unwrap_or_else(|| panic!("`{text}` is not told:\n{told}")).1
}

/// The same on one line.
fn unfolded(told: &str) -> String {
    told.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_last_move_of_a_phase_waits_for_a_look_and_can_be_taken_back() {
    let first = play("last-move", &CORPS, "heth 16.08\nundo\nheth 17.06\n");
    assert!(first.told.contains("nothing is left to do in the Movement Phase"), "{}", first.told);
    assert!(
        first.told.contains("not Heth: it has moved, or was told to stay  [corps/5/one-at-a-time]"),
        "{}",
        first.told
    );
    assert!(first.told.contains("Enter: end the Movement Phase.  undo: take back what you did."), "{}", first.told);
    assert!(first.told.contains("Taken back."), "{}", first.told);
    assert!(first.told.contains("Heth goes from 19.03 (Seven Stars) to 17.06"), "{}", first.told);
    assert!(!first.told.contains("Union: player turn"), "the enemy waits:\n{}", first.told);
    // Enter is no answer: the record is that of a game that went on at once.
    let looked = play("looked", &CORPS, "heth 16.08\n\n");
    let quick = play("quick", &[&CORPS[..], &["--quick"]].concat(), "heth 16.08\n");
    assert!(looked.told.contains("Union: player turn"), "{}", looked.told);
    assert_eq!(looked.record(), quick.record());
}

#[test]
fn a_line_typed_at_a_last_look_is_not_applied_to_what_comes_after_it() {
    let sitting = play("typed-at-look", &CORPS, "heth 16.08\nreynolds 13.08\nwhy heth\nscore\n");
    assert!(sitting.told.contains("`reynolds 13.08` is not done: press Enter"), "{}", sitting.told);
    assert!(sitting.told.contains("army morale 6"), "{}", sitting.told);
    assert!(!sitting.record().contains("undo"), "{}", sitting.record());
}

#[test]
fn the_end_of_a_phase_is_asked_twice_while_something_is_left() {
    let early = play("early", &CORPS, "done\nscore\ndone\n\n");
    let held = "You could still move: Heth";
    assert_eq!(early.told.matches(held).count(), 2, "another line lets go of what was held back:\n{}", early.told);
    assert!(after(&early.told, held).contains("Press Enter, or type `done` again, to end here."), "{}", early.told);
    assert!(early.record().contains("confederate: done  [movement.unit]"), "{}", early.record());
}

#[test]
fn undo_reaches_behind_a_phase_until_chance_has_spoken() {
    let sitting = play("behind", &BOTH, &format!("{MEETING}attack buford\nundo\nundo\nundo\nundo\nundo\nscore\n"));
    assert_eq!(sitting.told.matches("Taken back.").count(), 5, "{}", sitting.told);
    assert_eq!(sitting.told.matches("nothing is left to do in the Movement Phase").count(), 2, "{}", sitting.told);
    assert!(sitting.record().ends_with("undo\n"), "{}", sitting.record());
    let left = sitting.record().lines().filter(|l| !l.starts_with("agreement")).fold(0, |n, line| match line {
        "undo" => n - 1,
        _ => n + 1,
    });
    assert_eq!(left, 0, "{}", sitting.record());
    let rolled = play("rolled", &CORPS, "heth 16.08\n\nundo\n");
    assert!(rolled.told.contains("since. Play with --analysis"), "{}", rolled.told);
}

#[test]
fn a_battle_is_shown_before_it_is_rolled_and_named_as_it_was_declared() {
    let typed = format!("{MEETING}attack buford\ngo\nreserves\n");
    let sitting = play("battle", &BOTH, &format!("{typed}odds\nwhy heth\n"));
    let told = unfolded(&sitting.told);
    assert!(told.contains("Attack on Reynolds 4-5-4† and Buford 1†-5†-6†: commit anything?"), "{told}");
    let battle = after(&told, "Roll for the attack on Reynolds 4-5-4† and Buford 1†-5†-6†.");
    // The board with the hexes, and each face with its result and what that means.
    assert!(told.contains(". (Reyno 4)x>(Bufor 1)x"), "{told}");
    assert!(battle.starts_with(" 1-2: column -3, die 1-2: AB (attackers break; the defender may advance"), "{told}");
    assert!(battle.contains("3-5: column -3, die 3-5: AR (attackers retreat 2 or 3 hexes, routed"), "{told}");
    assert!(battle.contains("Enter: roll. undo: take back what you did."), "{told}");
    assert!(battle.contains("Heth: Broken Units box [corps/7.10/ab]"), "`odds` tells more:\n{told}");
    assert!(!sitting.record().contains("chance:"), "nothing is rolled:\n{}", sitting.record());
    let fought = play("fought", &BOTH, &format!("{typed}\n"));
    assert!(fought.record().contains("chance: "), "{}", fought.told);
    assert!(after(&fought.told, "die for combat").contains("column -3, die "), "{}", fought.told);
    // What comes after is the same as without a look.
    let quick = play("quick-battle", &[&BOTH[..], &["--quick"]].concat(), &typed.replace("\n\n", "\n"));
    assert_eq!(fought.record(), quick.record());
}

#[test]
fn a_refused_answer_leaves_the_rest_of_its_line_undone() {
    let typed = "agree place pender 20.02\nheth 10.01, pender 20.03, done\n";
    let sitting = play("ahead", &CORPS, typed);
    assert!(sitting.told.contains("`pender 20.03, done` is left undone. First: Where does Heth"), "{}", sitting.told);
    assert!(!sitting.record().contains("confederate: move pender"), "{}", sitting.record());
    // What is typed into the next part of the turn waits with it.
    let sitting = play("ahead-of-phase", &CORPS, "heth 16.08, attack buford\n");
    assert!(
        sitting.told.contains("`attack buford` is left undone. First: this part of the turn ends"),
        "{}",
        sitting.told
    );
    let sitting = play("ahead-with-end", &CORPS, "heth 16.08, done\n");
    assert!(sitting.told.contains("Union: player turn"), "the end was typed:\n{}", sitting.told);
}

#[test]
fn the_score_the_ways_to_win_and_what_comes_are_told_at_any_time() {
    let asks = "score\nvictory\nturn\nreinforcements\ncards\n";
    let corps = unfolded(&play("corps-asks", &CORPS, asks).told);
    for says in [
        "Confederate: army morale 6",
        "morale falls to 0 loses at once; the other wins a decisive",
        "[corps/10.1/sudden-death]",
        "as things stand: nobody",
        "July 1 Dawn (turn 1), Confederate: Movement Phase",
        "then Confederate: Recovery Phase, Combat Phase",
        "then Union: player turn, Event Phase",
        "then July 1 Morning",
        "The last game turn is July 4 Afternoon (turn 25).",
        "Union: With unequal morale the higher army loses 1",
    ] {
        assert!(corps.contains(says), "{says}:\n{corps}");
    }
    assert!(after(&corps, "July 1 Noon ").contains("Confederate, Chambersburg"), "{corps}");
    let first = [&SEVENTY_SEVEN[..], &["--scenario", "first-hours"]].concat();
    let told = unfolded(&play("77-asks", &first, asks).told);
    for says in [
        "A handicap of the scenario The first hours",
        "before play, Union score ",
        "20 D24 (",
        "not counted:",
        "10 V35 (Cemetery Hill), Union",
        "points and twice the enemy's win at once",
        "Cashtown Pike at ",
        "this game has no cards",
    ] {
        assert!(told.contains(says), "{says}:\n{told}");
    }
}

#[test]
fn numbers_mean_one_of_a_list_and_long_lists_stand_in_groups() {
    let corps = play("numbers", &CORPS, "1\n").told.clone();
    assert!(corps.contains("   1   Heth 2-3-4"), "{corps}");
    assert!(corps.contains("     done           end this part of the turn"), "{corps}");
    assert!(after(&corps, "> 1").contains("Where does Heth"), "{corps}");
    let told = play("groups", &[&SEVENTY_SEVEN[..], &["--scenario", "july-2"]].concat(), "which\n").told.clone();
    let corps = after(&told, "38 choices, by\n         name").split("> which").next().unwrap_or_default();
    assert!(corps.contains("i-corps: ") && corps.contains("only infantry builds"), "{told}");
    assert!(corps.lines().all(|line| line.chars().count() < 80), "{told}");
}

#[test]
fn destinations_beyond_the_allowance_are_marked() {
    let told = play("forced", &CORPS, "move heth\n").told.clone();
    assert!(told.contains("forced march: "), "{told}");
    // `which` tells every one of them, by what it costs to get there.
    let told = play("all-of-them", &CORPS, "heth\nwhich\n").told.clone();
    let all = after(&told, "> which").split("\n\n").next().unwrap_or_default().replace(", forced march", "!");
    let costs: Vec<&str> = all.split("\n       for ").skip(1).collect();
    let names = costs.iter().map(|of_cost| of_cost.matches(',').count() + 1);
    assert_eq!(names.sum::<usize>(), 98, "{all}");
    assert!(costs.iter().any(|of_cost| of_cost.starts_with("3½: ") && of_cost.contains("15.06 (Herr Ridge")), "{all}");
    assert_eq!(costs.iter().filter(|of_cost| of_cost.contains('!')).count(), 4, "{all}");
}

#[test]
fn what_is_told_is_no_wider_than_the_board() {
    let told = play("narrow", &CORPS, "heth 15.06, done\n").told.clone();
    let story = after(&told, "> heth 15.06, done").split("\n\n").next().unwrap_or_default();
    assert!(story.contains("Event Phase") && story.lines().all(|line| line.chars().count() < 80), "{story}");
    // Nor is a question with long sentences in it; and who may not is named once.
    let gallop = ["gallop", "--scenario", "first-hour", "--seed", "7", "--seat", "confederate=human"];
    let told = play("narrow-question", &gallop, "heth-skirmishers E5\n").told.clone();
    let asked = after(&told, "> heth-skirmishers E5").split("\nGettysburg").next().unwrap_or_default();
    assert!(asked.contains("form           change formation where it stands: deploy or form road\n"), "{told}");
    assert!(asked.lines().all(|line| line.chars().count() < 80), "{told}");
    assert!(asked.contains("     not Heth's skirmishers: it has moved  ["), "{told}");
}

#[test]
fn what_stands_behind_a_refused_answer_is_left_and_said() {
    let told = play("behind", &CORPS, "frob, done\n").told.clone();
    assert!(told.contains("`frob, done` is left undone. First: Which unit moves?"), "{told}");
    // What has come of the answers before it is told first.
    let told = play("before", &SEVENTY_SEVEN, "gamble N34, reynolds N34\n").told.clone();
    let said = after(&told, "> gamble N34, reynolds N34");
    let [went, refused] = ["Gamble goes from M34 to N34", "No: N34 is too far"].map(|text| said.find(text));
    assert!(went.is_some() && refused.is_some() && went < refused, "{told}");
}

#[test]
fn help_speaks_of_the_game_being_played() {
    let told = play("help-77", &SEVENTY_SEVEN, "help\n").told.clone();
    let help = after(&told, "> help");
    let commands = help.split("\n\n").next().unwrap_or_default();
    assert!(commands.lines().all(|line| line.chars().count() < 80), "{commands}");
    assert!(help.contains("move NAME") && help.contains("`gamble`"), "{told}");
    assert!(!help.contains("heth") && !help.contains("chambersburg-pike to 15.08"), "{told}");
    let help = unfolded(help);
    let road = help.split("gamble along ").nth(1).and_then(|rest| rest.split('`').next()).expect("a road");
    let typed = play("help-road", &SEVENTY_SEVEN, &format!("gamble along {road}\n")).told.clone();
    assert!(!typed.contains("is not understood") && !typed.contains("neither something"), "{road}:\n{typed}");
}

#[test]
fn orders_for_a_column_stand_in_a_line_with_others() {
    let told = play("columns", &SEVENTY_SEVEN, "gamble N34, devin along chambersburg-pike to D24, reynolds QQ14\n");
    let told = told.told.clone();
    for gone in ["Gamble goes from M34 to N34", "Devin goes from L40 to", "Reynolds comes on"] {
        assert!(told.contains(gone), "{gone}\n{told}");
    }
    // Whoever is asked about may be named once more; somebody else is told who is asked about.
    let told = play("twice", &SEVENTY_SEVEN, "gamble\ndevin F27\ngamble N34\n").told.clone();
    assert!(told.contains("`devin F27` is left undone. First: Where does Gamble"), "{told}");
    assert!(told.contains("Gamble goes from M34 to N34"), "{told}");
}

#[test]
fn odds_look_past_what_is_asked_before_the_die() {
    let sitting = play("foreseen", &BOTH, &format!("{MEETING}attack buford\nodds go\n"));
    let told = unfolded(after(&sitting.told, "> odds go"));
    assert!(told.contains("supposing Union: Defense of Reynolds") && told.contains("commit anything? go"), "{told}");
    assert!(told.contains("1: column") && told.contains("6: column"), "{told}");
    // A number means the one of a list here too, and what leads to no die is named.
    let sitting = play("no-die", &BOTH, "odds 1\nodds\n");
    assert!(sitting.told.contains("  no die follows `1`: type `odds`"), "{}", sitting.told);
}

#[test]
fn an_exact_name_goes_before_a_part_of_another() {
    // East Cemetery Hill holds the words too, and the map calls another hex so; the game prints its name in V35.
    let told = play("exact", &SEVENTY_SEVEN, "why gamble Oak Ridge\nmove gamble\nwhy to Cemetery Hill\n").told.clone();
    assert!(told.contains("to V35"), "{told}");
    assert!(!told.contains("`Cemetery Hill` may be"), "{told}");
}

#[test]
fn a_card_says_the_half_in_force_and_a_die_what_it_came_to() {
    let told = play("card", &CORPS, "heth 16.08\n\n").told.clone();
    assert!(told.contains("Card 14, Confederate: Commander Shot. On the spot pick an enemy unit in"), "{told}");
    assert!(told.contains("[corps/event/csa-14]"), "{told}");
}

#[test]
fn the_view_holds_the_score() {
    let sitting = play("view", &SEVENTY_SEVEN, "score\n");
    let file = sitting.record.display().to_string();
    let view: serde_json::Value = serde_json::from_str(&program(&["replay", &file, "--json"], "")).expect("JSON");
    let union = &view["measures"][0]["sides"][0];
    assert_eq!((&view["measures"][0]["id"], &union["side"]), (&"points".into(), &"union".into()));
    let sum: i64 = union["lines"].as_array().expect("lines").iter().filter_map(|l| l["value"].as_i64()).sum();
    assert_eq!(union["total"], sum);
    assert_eq!(view["victory"][0]["id"], "sudden-death");
    assert!(view["victory"][0]["now"].is_string() || view["victory"][0]["now"].is_null());
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let from = entry.expect("an entry").path();
        let to = to.join(from.file_name().expect("a name"));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(&from, &to).expect("a copy");
        }
    }
}

/// A copy of the toy game for somebody to change; gone with the value.
struct Toy(PathBuf);

impl Toy {
    fn new(name: &str) -> Toy {
        let home = Toy(std::env::temp_dir().join(format!("countermarch-{name}-{}", std::process::id())));
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/toy"), &home.0);
        home
    }

    fn replace(&self, file: &str, old: &str, new: &str) {
        let path = self.0.join("rulesets/toy").join(file);
        let text = std::fs::read_to_string(&path).expect("it is there");
        assert!(text.contains(old), "`{old}` does not stand in {file}");
        std::fs::write(&path, text.replacen(old, new, 1)).expect("writes");
    }

    /// What is told at a table of two people.
    fn play(&self, typed: &str) -> String {
        let record = self.0.join("sitting.march");
        let _ = std::fs::remove_file(&record);
        let save = record.display().to_string();
        let seats = ["--seat", "red=human", "--seat", "blue=human"];
        program_at(&self.0, &[&["play", "toy", "--seed", "7", "--save", &save], &seats[..]].concat(), typed)
    }
}

impl Drop for Toy {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Ann lies low beside Bob, who may shoot at her without knowing that it is she: her name is as good as nobody's.
#[test]
fn the_name_of_a_counter_that_may_not_be_known_is_nobodys() {
    let toy = Toy::new("nobody");
    toy.replace("scenarios/meeting.yaml", "at: \"2:0\"", "at: \"-1:0\"");
    let beside = "ann\nstay\ndone\n\nbob\nstay\n";
    let asked = after(&toy.play(beside), "Whom does Bob").to_owned();
    assert!(asked.contains(" 1   a Red counter, -2:0"), "{asked}");
    let commands = ["NAME", "shoot NAME", "why NAME", "why shoot NAME", "odds NAME", "odds shoot NAME", "map NAME"];
    let more = ["NAME along lane to 0:0", "agree place NAME 0:0", "agree set NAME moved yes", "NAME, done", "help"];
    for command in commands.iter().chain(&more) {
        let told = |name: &str| {
            let told = toy.play(&format!("{beside}{}\n", command.replace("NAME", name)));
            after(&told, "Whom does Bob").replace(name, "NAME")
        };
        assert_eq!(told("ann"), told("zed"), "{command}");
    }
    let taken = toy.play(&format!("{beside}1\n"));
    assert!(taken.contains("Roll for the shot at a Red counter."), "a number takes it: {taken}");
    let all = toy.play(&format!("{beside}which\n"));
    assert!(after(&all, "> which").contains("1: a Red counter"), "{all}");
}

#[test]
fn a_ruleset_has_its_own_words_for_what_is_told_at_the_table() {
    let toy = Toy::new("words");
    let texts = "texts: { asked: \"{side} ({turn}) answers: {question}\", still-to-do: \"Nobody would {verb} {things}?\", \
        may-not: \"{why}: {units}\", not-on-the-map: \"{place} is where {unit} is\" }\nruleset: toy\n";
    toy.replace("ruleset.yaml", "ruleset: toy\n", texts);
    toy.replace("tables.yaml", "says: \"end the phase\" }", "says: \"end the phase\", ends: true }");
    toy.replace("scenarios/meeting.yaml", "at: \"2:0\"", "in: lost");
    let told = toy.play("done\nmap bob\n");
    for says in ["Red (turn 1) answers: Who moves?", "Nobody would move Ann?", "lost is where Bob is"] {
        assert!(told.contains(says), "{says}:\n{told}");
    }
}

#[test]
fn what_rules_print_is_shown_to_whoever_asks_for_it() {
    let toy = Toy::new("trace");
    toy.replace("rules/march.luau", "local verb, u =", "print(\"whose\", state.phasing())\n  local verb, u =");
    let traced = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_countermarch"))
            .args([&["play", "toy", "--seed", "7"], args].concat())
            .env("COUNTERMARCH_HOME", &toy.0)
            .stdin(Stdio::null())
            .output()
            .expect("the program runs");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let (with, without) = (traced(&["--trace"]), traced(&[]));
    assert_eq!(with, "trace: rulesets/toy/rules/march.luau:7: whose 0\n");
    assert_eq!(without, "");
}

#[test]
fn of_an_answer_of_two_values_the_second_is_asked_once_the_first_is_said() {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/joint/rulesets/pairs").display().to_string();
    let args = [&game, "--seed", "3", "--seat", "red=human", "--seat", "blue=human", "--quick"];
    let typed = "walk bob\nwalk ann\n2:0\nundo\nleap\n3\n2\nfeel shaken ben\nwalk ann\nswap ann bob\nquit\n";
    let sitting = play("halves", &args, typed);
    assert!(sitting.told.contains("No: Bob: it is not yours  [p/1]"), "{}", sitting.told);
    let begun = after(&sitting.told, "> walk ann");
    assert!(begun.contains("walk           walk there: 16 choices, by name"), "{begun}");
    assert!(begun.contains("walk Ann> 2:0\n  No: 2:0 is too far"), "{begun}");
    let back = after(begun, "walk Ann> undo");
    assert!(back.contains("   1   Ann, 0:0"), "the whole question again:\n{back}");
    // Whom a list of the question has described already, the next calls by name.
    assert!(back.contains("     swap           change places:\n       5\u{a0}Ann"), "{back}");
    // A number means the first half, then the second; another answer may be given in place of what was begun.
    assert!(back.contains("> leap\n  `leap` what? Type its name after it"), "{back}");
    assert!(back.contains("leap Ann> 2\n"), "{back}");
    assert_eq!(
        sitting.record(),
        "red: leap ann 1:-3  [turn.what]\nblue: feel shaken ben  [turn.what]\nred: swap ann bob  [turn.what]\n"
    );
}

#[test]
fn whoever_looks_ahead_says_what_speaks_for_its_plan() {
    let seats = [&CORPS[..], &["--quick", "--seat", "union=careful:300"]].concat();
    let told = play("thoughts", &seats, "heth 15.06, done\nthoughts\n").told.clone();
    let thought = after(&told, "> thoughts").split("\n\n").next().unwrap_or_default();
    let folded = thought.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(folded.contains("Union: ") && folded.contains("what plain would do"), "{told}");
    assert!(thought.lines().all(|line| line.chars().count() < 80), "{thought}");
}

#[test]
fn what_is_agreed_on_of_a_space_stands_in_the_record_and_on_the_board() {
    let args = ["gettysburg-77", "--scenario", "first-hours", "--seed", "7", "--seat", "union=human"];
    let agreed = "agree set M34 works build\nagree set L40 works breastworks\nagree set L40 strength 3\nmap L40 7\n";
    let sitting = play("agreed-space", &args, agreed);
    assert!(
        sitting.record().contains("agreement: set M34 works build\nagreement: set L40 works breastworks\n"),
        "{}",
        sitting.record()
    );
    assert!(sitting.told.contains("`L40` has no property `strength` to set"), "{}", sitting.told);
    assert!(sitting.told.contains("M34%") && sitting.told.contains("L40#"), "{}", sitting.told);
}

#[test]
fn a_road_that_is_none_is_told_apart_from_those_that_lead_there() {
    let sitting = play("no-road", &CORPS, "heth along cashtown-pike to 16.08\nheth along cashtown-pike to 1.01\n");
    let refused = "there is no road `cashtown-pike` but: ";
    let (there, all) = after(&sitting.told, refused).split_once(refused).expect("refused twice");
    assert!(there.starts_with("Chambersburg Pike, Unfinished Railroad\n"), "{there}");
    assert!(all.starts_with("Baltimore Pike, ") && all.contains("York Pike\n"), "{all}");
}

#[test]
fn the_score_is_told_line_by_line_and_what_is_measured_beside_it_in_one() {
    let sitting = play("score", &CORPS, "score\nscore all\nvictory\n");
    let (short, long) = after(&sitting.told, "> ").split_once("Heth 2-3-4").expect("asked again");
    assert!(short.contains("beside that: strength broken or eliminated Confederate 0, Union 0;"), "{short}");
    assert!(!short.contains("units on the map") && long.contains("units on the map"), "{}", sitting.told);
    assert_eq!(sitting.told.matches("beside that: ").count(), 2, "once of `score`, once of `victory`");
}

#[test]
fn tables_are_looked_into_at_the_board() {
    let corps = play("tables", &CORPS, "tables\n");
    assert!(corps.told.contains("[corps/") && corps.told.contains("+4"), "{}", corps.told);
    let none = play("no-tables", &["tmag", "--seed", "7"], "tables\n");
    assert!(none.told.contains("what it adds up stands in `countermarch show tmag tables`"), "{}", none.told);
}

#[test]
fn what_is_called_by_a_number_is_typed_by_it() {
    let args = ["tmag", "--scenario", "culps-hill", "--seed", "7", "--seat", "union=human"];
    let sitting = play("numbers", &args, "31\n");
    assert!(sitting.told.contains("\n       29") && sitting.told.contains("\n       31"), "{}", sitting.told);
    assert!(sitting.record().contains("union: post 31  [setup.post "), "{}", sitting.record());
}

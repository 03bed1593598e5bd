//! At the table, with the real program: lines of several orders, answers that the engine gives for the other side, odds behind
//! somebody else's answer, and what the table calls things.

mod program;
mod sitting;

use std::path::Path;

use sitting::{Sitting, play, program};

impl Sitting {
    /// The same record, sat down at once more.
    fn again(&self, typed: &str) -> String {
        program(&["play", &self.record.display().to_string()], typed)
    }
}

/// What was told after a text, on one line.
fn after(told: &str, text: &str) -> String {
    let (_, rest) = told.split_once(text).unwrap_or_else(|| panic!("`{text}` is not told:\n{told}"));
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

const CORPS: [&str; 3] = ["gettysburg-corps", "--seed", "7"];
const UNION_77: [&str; 5] = ["gettysburg-77", "--seed", "7", "--seat", "union=human"];

#[test]
fn of_a_line_that_cannot_be_read_to_its_end_nothing_is_done() {
    let lines = ["gamble N34, devin Cemetary Hill", "gamble N34 frob", "gamble N34, devin along frob to D24"];
    let typed = lines.map(|line| format!("{line}\n")).concat();
    let sitting = play("unread", &UNION_77, &typed);
    let told = after(&sitting.told, "> gamble");
    for says in [
        "`Cemetary Hill` is nothing that this game has a name for Nothing of this line is done.",
        "`frob` is nothing that this game has a name for Nothing of this line is done.",
        "there is no road `frob` but: ",
    ] {
        assert!(told.contains(says), "{says}:\n{}", sitting.told);
    }
    assert_eq!(sitting.record(), "");
    // Of a beginning that cannot be read, what is asked says more.
    let told = play("unread-first", &UNION_77, "mvoe gamble, devin F27\n").told.clone();
    assert!(told.contains("did you mean `move`?"), "{told}");
}

#[test]
fn whatever_can_be_read_is_carried_out_as_ever() {
    for (at, line) in [
        "gamble to N34, devin F27, done",
        "move gamble N34 -> devin F27; reynolds QQ14",
        "gamble and devin along chambersburg-pike to D24",
        "gamble, gamble N34",
    ]
    .into_iter()
    .enumerate()
    {
        let sitting = play(&format!("read-{at}"), &UNION_77, &format!("{line}\n"));
        assert!(sitting.record().contains("union: move gamble"), "{line}:\n{}", sitting.told);
        assert!(!sitting.told.contains("Nothing of this line is done"), "{line}:\n{}", sitting.told);
    }
}

#[test]
fn what_stands_of_a_line_that_is_refused_later_is_said_and_undo_takes_it_back() {
    let sitting = play("stands", &UNION_77, "gamble N34, reynolds N34, devin F27\nundo\n");
    let told = after(&sitting.told, "> gamble");
    assert!(told.contains("`gamble N34, reynolds` stands: `undo` takes it back."), "{}", sitting.told);
    assert!(told.contains("`devin F27` is left undone."), "{}", sitting.told);
    assert!(told.contains("Taken back."), "{}", sitting.told);
    assert!(sitting.record().ends_with("undo\n"), "{}", sitting.record());
    // A line that is refused at once leaves nothing, and one whose end is asked twice is not refused.
    let told = play("nothing-stands", &CORPS, "heth 10.01\nheth\n10.01\ndone\n").told.clone();
    assert_eq!(told.matches(" stands").count(), 1, "{told}");
    assert!(told.contains("`heth` stands: `undo` takes it back."), "{told}");
}

#[test]
fn what_the_other_side_had_to_answer_is_told_and_does_not_bar_undo() {
    let meeting = "agree place pettigrew L34\ndone\ndone\n";
    let args = ["gettysburg-77", "--scenario", "first-hours", "--seed", "7", "--seat", "union=human"];
    let sitting = play("forced", &args, &format!("{meeting}undo\n"));
    let told = after(&sitting.told, "round of combat");
    assert!(
        told.contains("Confederate: Who defends L34? defend Pettigrew, the only answer there is"),
        "{}",
        sitting.told
    );
    assert!(told.contains("Enter: roll. undo: take back what you did."), "{}", sitting.told);
    assert!(after(&told, "> undo").starts_with("Taken back."), "{}", sitting.told);
    // Nor does it where the game is gone on with later; a die bars it as ever.
    let later = play("forced-later", &args, meeting);
    assert!(later.again("undo\n").contains("Taken back."));
    let rolled = play("forced-rolled", &args, &format!("{meeting}\nundo\n"));
    assert!(rolled.told.contains("No: chance has spoken since."), "{}", rolled.told);
}

#[test]
fn odds_suppose_each_of_a_few_answers_of_the_other_side() {
    // A fight for Culp's Hill, before its first assault.
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/games/tmag-culps-hill.march");
    let text = std::fs::read_to_string(game).expect("the game");
    let before = text.split_once("confederate: assault steuart-b").expect("an assault").0;
    let record = std::env::temp_dir().join(format!("countermarch-orders-{}-odds.march", std::process::id()));
    std::fs::write(&record, before).expect("writes");
    let sitting = Sitting { record, told: String::new() };
    let told = sitting.again("odds assault steuart-b\n");
    let odds = after(&told, "> odds assault steuart-b");
    let supposing = |lead: &str| format!("supposing Union: Who leads the defense of 31? against {lead}");
    // What comes to the same behind two answers is told once.
    let alike = format!("{} {} The dice together", supposing("Meredith a"), supposing("Cutler a"));
    for says in [alike, format!("{} The dice together, of 1296 ways:", supposing("Greene b"))] {
        assert!(odds.contains(&says), "{says}:\n{told}");
    }
}

#[test]
fn the_title_names_the_version_that_is_played() {
    let sitting = play("version", &["gettysburg-88@clarified~28", "--seed", "7"], "");
    let title = ", gettysburg-88@clarified~28\n";
    for told in [&sitting.told, &sitting.again("")] {
        let (first, _) = told.split_once("The record is").or(told.split_once("Going on")).expect("a beginning");
        assert!(first.ends_with(title), "{told}");
    }
    let base = play("base", &CORPS, "").told.clone();
    assert!(!base.contains("gettysburg-corps@"), "{base}");
    let changed = play("changed", &[&CORPS[..], &["--set", "units/heth/quality=5"]].concat(), "").told.clone();
    let beginning = after(&changed, "Gettysburg (corps and divisions, 800-yard hexes), ");
    assert!(beginning.starts_with("gettysburg-corps@base with units/heth/quality=5 The record is "), "{changed}");
    assert!(changed.lines().filter(|line| !line.contains(".march")).all(|line| line.chars().count() < 80), "{changed}");
}

#[test]
fn dice_are_told_by_what_the_ruleset_calls_their_rolls() {
    let fought = "agree place pettigrew L34\ndone\ndone\n\nluck\n";
    let args = ["gettysburg-77", "--scenario", "first-hours", "--seed", "7", "--seat", "union=human"];
    let told = play("luck", &args, fought).told.clone();
    let luck = after(&told, "> luck");
    assert!(luck.starts_with("Roll for the attack on ...: 1 roll, "), "{told}");
}

#[test]
fn the_story_names_who_spends_the_initiative_marker() {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/games/88-july-1-base.march");
    let told = program(&["replay", &game.display().to_string()], "");
    assert!(
        told.contains("Confederate spends the initiative marker, which goes to Union  [g88/base/results]"),
        "{told}"
    );
}

#[test]
fn which_tells_what_is_neither_a_counter_nor_a_space_too() {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/joint/rulesets/pairs").display().to_string();
    let args = [&game, "--seed", "3", "--seat", "red=human", "--seat", "blue=human", "--quick"];
    let told = play("which", &args, "which\n").told.clone();
    assert!(after(&told, "> which").contains("feel 1 choice among them: shaken"), "{told}");
}

//! Dice that people roll themselves.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// People who roll their own dice type a handful in one line; the record has them one by one.
#[test]
fn a_handful_of_dice_is_typed_in_one_line() {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/little/rulesets/field-day");
    let file = std::env::temp_dir().join(format!("countermarch-dice-{}.march", std::process::id()));
    let orders = "agree place ash F5\ndone\ndone\nfight ash\nattack flint\nodds\n1 2 3 4 5 6\n1 7\n66\n5,4 3\n11111\n";
    let mut table = Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .args(["play", "--dice", "ask", "--seat", "blue=human", "--seat", "red=human", "--save"])
        .args([&file, &game])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    table.stdin.take().expect("a pipe").write_all(orders.as_bytes()).expect("it reads");
    let output = table.wait_with_output().expect("the program ends");
    let told = String::from_utf8_lossy(&output.stdout);
    for told_of in [
        "Roll 5 dice of the attack by Ash",
        "The dice together, about, by 1000 tries:",
        "these are 6 dice, and 5 fall: type 5, or fewer, and the rest is asked for",
        "`7` cannot come up on a die of 6 faces; none of this line is taken",
        "Roll 3 dice of the attack by Ash",
        "dice for attack, Ash: 6 6 5 4 3",
        "dice for defense, Flint: 1 1 1 1 1",
    ] {
        assert!(told.contains(told_of), "{told_of} in\n{told}");
    }
    let record = std::fs::read_to_string(&file).expect("the record");
    std::fs::remove_file(&file).expect("it is gone");
    let dice: Vec<&str> = record.lines().filter(|line| line.starts_with("chance: ")).collect();
    assert_eq!(dice.len(), 10, "{record}");
    assert_eq!(dice[2], "chance: 5  [attack ash]");
}

/// Two dice decide together here: before they fall it is told what they come to.
#[test]
fn dice_that_decide_together_are_foreseen_together() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let file = std::env::temp_dir().join(format!("countermarch-together-{}.march", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let set_up = "heth T3\npegram\nU1\nagree place gamble S3\nagree place devin S4\nagree place wadsworth A9\ndone\n\n";
    let mut table = Command::new(env!("CARGO_BIN_EXE_countermarch"))
        .args(["play", "gettysburg-88@clarified", "--scenario", "july-1", "--seed", "7", "--seat", "union=human"])
        .args(["--seat", "confederate=human", "--save"])
        .arg(&file)
        .env("COUNTERMARCH_HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let orders = format!("{set_up}attack S3\nodds go\ngo\n");
    table.stdin.take().expect("a pipe").write_all(orders.as_bytes()).expect("it reads");
    let output = table.wait_with_output().expect("the program ends");
    std::fs::remove_file(&file).expect("the record was there");
    let told = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    for at in ["> odds go", "Roll for the attack"] {
        let (_, told) = told.split_once(at).unwrap_or_else(|| panic!("`{at}` is not told: {told}"));
        assert!(told.contains("The dice together, of 100 ways: 45.0 % "), "{told}");
        assert!(told.contains("6.0 % attack * + 5, defense * + 1: no effect"), "{told}");
    }
}

//! `countermarch show GAME questions`: what sides are asked, and what questions offer by themselves.

mod program;

use serde_json::Value;

fn shown(args: &[&str]) -> String {
    let output = program::run(program::repository(), &[&["show"], args].concat(), "");
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn questions_tell_what_they_offer_by_themselves_and_when() {
    let told = shown(&["gettysburg-88", "questions"]);
    assert!(told.contains("asked before movement.move, when not overdue\n"), "{told}");
    assert!(told.contains("offers with: each.may-go-along when about.type != general\n"), "{told}");
    assert!(told.contains("offers done\n"), "{told}");
    let all: Value = serde_json::from_str(&shown(&["tmag", "questions", "--json"])).expect("a list");
    let act = all.as_array().expect("a list").iter().find(|one| one["question"] == "impulse.act").expect("it is asked");
    assert_eq!((&act["before"]["rule"], &act["before"]["about"]), (&Value::from("impulse.act"), &Value::from("area")));
    let part = act["offers"].as_array().expect("a list").iter().find(|one| one["verb"] == "part");
    assert_eq!(part.expect("it is offered")["offer"], "true when grouped");
}

//! `countermarch show GAME questions`: what sides are asked, and what questions offer by themselves.

use countermarch_core::ruleset::{QuestionText, Ruleset};
use serde_json::{Value, json};

/// Shows every question, as it is declared.
pub fn show(ruleset: &Ruleset, json: bool) {
    if json {
        let all: Vec<Value> = ruleset.questions.iter().map(|question| as_json(ruleset, question)).collect();
        println!("{}", Value::from(all));
        return;
    }
    for question in &ruleset.questions {
        println!("{:<20} {}  [{}]", question.key, question.ask, ruleset.cite(question.cite));
        if let Some(before) = &question.before {
            let [about, when] = &before.texts;
            let about = about.as_ref().map(|about| format!(", about {about}")).unwrap_or_default();
            let when = when.as_ref().map(|when| format!(", when {when}")).unwrap_or_default();
            println!("{:20}   asked before {}{about}{when}", "", ruleset.rules[usize::from(before.rule.0)].name);
        }
        for offer in &question.offers {
            let verb = &ruleset.verbs[usize::from(offer.verb)].id;
            // Of a verb that takes nothing there is nothing to say but when.
            match offer.text.strip_prefix("true") {
                Some(when) => println!("{:20}   offers {verb}{when}", ""),
                None => println!("{:20}   offers {verb}: {}", "", offer.text),
            }
        }
    }
}

fn as_json(ruleset: &Ruleset, question: &QuestionText) -> Value {
    let offers = question
        .offers
        .iter()
        .map(|offer| json!({ "verb": ruleset.verbs[usize::from(offer.verb)].id, "offer": offer.text }));
    let before = question.before.as_ref().map(|before| {
        let [about, when] = &before.texts;
        json!({ "rule": ruleset.rules[usize::from(before.rule.0)].name, "about": about, "when": when })
    });
    json!({
        "question": question.key,
        "asks": question.ask,
        "about": question.about.map(|kind| kind.words()),
        "cite": ruleset.cite(question.cite),
        "before": before,
        "offers": offers.collect::<Vec<_>>(),
    })
}

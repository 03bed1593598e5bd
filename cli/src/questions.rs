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
        println!("{:<20} {}  [{}]", question.key, question.ask, cites(ruleset, question).join(", "));
        if let Some(before) = &question.before {
            let said = [", by ", ", about ", ", when "].into_iter().zip(&before.texts);
            let said: String =
                said.flat_map(|(word, text)| text.iter().map(move |text| format!("{word}{text}"))).collect();
            println!("{:20}   asked before {}{said}", "", ruleset.rules[usize::from(before.rule.0)].name);
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

/// Where a question stands in the rulebook: for each side in whose turn it stands elsewhere.
fn cites<'a>(ruleset: &'a Ruleset, question: &QuestionText) -> Vec<&'a str> {
    let all = question.cites.iter().map(|(_, cite)| *cite);
    let all = if question.cites.is_empty() { vec![question.cite] } else { all.collect() };
    all.into_iter().map(|cite| ruleset.cite(cite)).collect()
}

fn as_json(ruleset: &Ruleset, question: &QuestionText) -> Value {
    let offers = question
        .offers
        .iter()
        .map(|offer| json!({ "verb": ruleset.verbs[usize::from(offer.verb)].id, "offer": offer.text }));
    let before = question.before.as_ref().map(|before| {
        let [by, about, when] = &before.texts;
        json!({ "rule": ruleset.rules[usize::from(before.rule.0)].name, "by": by, "about": about, "when": when })
    });
    json!({
        "question": question.key,
        "asks": question.ask,
        "about": question.about.map(|kind| kind.words()),
        "cite": ruleset.cite(question.cite),
        "cites": cites(ruleset, question),
        "before": before,
        "offers": offers.collect::<Vec<_>>(),
    })
}

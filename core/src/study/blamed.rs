//! What decided a game, told: as text, and for machines.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Blame, Blamed, Cause};

fn ended(outcome: &str, scores: &[(String, i32)]) -> String {
    let scores: Vec<String> = scores.iter().map(|(side, score)| format!("{side} {score}")).collect();
    if scores.is_empty() { outcome.to_owned() } else { format!("{outcome} ({})", scores.join(", ")) }
}

/// As people read it; `names` are those of the record's version and of the other.
pub fn blamed_text(names: &[String; 2], blame: &Blame<'_>, blamed: &Blamed) -> String {
    let mut text = String::new();
    let mut line = |head: &str, rest: String| {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{head:<14}{rest}");
    };
    let (count, course) = (blame.mixtures.names.len(), &blamed.course);
    line("RECORD", format!("{}, {} answers", names[0], blamed.recorded));
    line("ENDS", ended(&course.outcome, &course.scores));
    if course.lines.len() > blamed.recorded {
        line("", format!("{} answers are played on from where it stops", course.lines.len() - blamed.recorded));
    }
    line("HELD AGAINST", format!("{}: {count} things differ, each of which can be left out", names[1]));
    let tried = match (blamed.is_exact, blamed.up_to) {
        (true, _) => "every set of them".to_owned(),
        (false, 1) => "each by itself, and the whole made smaller; larger sets may decide too".to_owned(),
        (false, up_to) => format!("every set of up to {up_to}; larger sets may decide too"),
    };
    line("TRIED", format!("{tried}: {} versions", blamed.tried));
    if blamed.impossible > 0 {
        line("", format!("{} of them cannot be, for one amendment needs or excludes another", blamed.impossible));
    }
    for (set, wrong) in blamed.failed.iter().take(10) {
        line("", format!("without {} it could not be played to its end: {wrong}", set.join(" + ")));
    }
    let players: Vec<String> = blame.players.iter().map(ToString::to_string).collect();
    line(
        "FOLLOWED",
        "the same answer to the same question of the same turn, the same dice for the same event;".to_owned(),
    );
    line("", format!("where the record has no answer that is offered: {}", players.join(", ")));
    for (what, causes) in [("ends", &blamed.result), ("goes", &blamed.story)] {
        let head = if causes.is_empty() {
            "the same without every set that was tried."
        } else {
            "otherwise without any one of these:"
        };
        let _ = writeln!(text, "\nIt {what} {head}");
        for Cause { set, outcome, scores, parted, lines } in causes {
            let _ = writeln!(text, "  {}: {}", set.join(" + "), ended(outcome, scores));
            if let Some(parted) = parted {
                let [record, other] = lines.each_ref().map(|line| line.as_deref().unwrap_or("the game is over"));
                let _ = writeln!(text, "      answer {parted}: {record}\n      without: {other}");
            }
        }
    }
    text
}

/// For machines, format 1: `README.md` says what it holds.
pub fn blamed_json(names: &[String; 2], blame: &Blame<'_>, blamed: &Blamed) -> Value {
    let cause = |cause: &Cause| json!({ "set": cause.set, "outcome": cause.outcome, "scores": scores(&cause.scores), "parted": cause.parted, "lines": cause.lines });
    let players: Vec<String> = blame.players.iter().map(ToString::to_string).collect();
    json!({ "format": 1, "versions": names, "differing": blame.mixtures.names, "players": players,
        "outcome": blamed.course.outcome, "scores": scores(&blamed.course.scores), "recorded": blamed.recorded,
        "answers": blamed.course.lines.len(), "result": blamed.result.iter().map(cause).collect::<Vec<_>>(),
        "story": blamed.story.iter().map(cause).collect::<Vec<_>>(), "tried": blamed.tried, "up_to": blamed.up_to,
        "exact": blamed.is_exact, "impossible": blamed.impossible, "failed": blamed.failed })
}

fn scores(scores: &[(String, i32)]) -> Value {
    scores.iter().map(|(side, score)| (side.clone(), json!(score))).collect::<serde_json::Map<_, _>>().into()
}

//! What walks came to, told: as text, and for machines.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    odds::{DIE, numbers, places_told},
    walk::{Aspect, Contrast, Place, Walked},
};
use crate::show::count;

/// A place, and the record it is in, where there are several.
pub type PlaceOf = (String, Place);

/// As text for a terminal: how often the versions differ, what that is laid to, and then place by place how. `places` are
/// all of them, or with `are_examples` one for each thing that differences are laid to.
pub fn walked_text(names: &[String; 2], walked: &Walked, places: &[PlaceOf], are_examples: bool) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "- {}\n+ {}", names[0], names[1]);
    let counted = |[all, differ]: [usize; 2], one: &str, many: &str| format!("{differ} of {}", count(all, one, many));
    let decisions = counted(walked.decisions, "decision", "decisions");
    let rolls = counted(walked.rolls, "roll or draw", "rolls and draws");
    let records = if walked.records == 1 { String::new() } else { format!("{} records: ", walked.records) };
    let _ = writeln!(text, "{records}the versions differ at {decisions}, and at {rolls}.");
    for (at, name) in names.iter().enumerate() {
        let (off, back) = (walked.off[at], walked.put_back[at]);
        if off > 0 || back > 0 {
            let times = if back == 1 { "once".to_owned() } else { format!("{back} times") };
            let lost = if off > 0 {
                format!(", and {off} answers in which it could not follow were passed over")
            } else {
                String::new()
            };
            let _ = writeln!(text, "{name} was put back to where the record stood {times}{lost}.");
        }
    }
    if !walked.laid.is_empty() {
        let _ = writeln!(text, "\nWhat they are laid to:");
        let mut laid: Vec<_> = walked.laid.iter().collect();
        laid.sort_by_key(|(by, (differences, at))| (std::cmp::Reverse((*at, *differences)), *by));
        for (by, (differences, at)) in laid {
            let (differences, at) = (count(*differences, "difference", "differences"), count(*at, "place", "places"));
            let _ = writeln!(text, "  {}: {differences} at {at}", laid_to(by));
        }
    }
    if are_examples && !places.is_empty() {
        let _ = writeln!(text, "\nThe first place of each:");
    }
    if walked.laid.keys().any(|[first, second]| first != second) {
        let _ = writeln!(
            text,
            "\n\"turned in the first\" is what must be in the first version as in the second for it to show what the second \
             shows;\n\"turned in the second\" the other way round. Nothing can be left out of either."
        );
    }
    places.iter().for_each(|place| add_place(&mut text, place));
    text
}

/// What a difference is laid to, in words.
fn laid_to([turns_first, turns_second]: &[Vec<String>; 2]) -> String {
    let all = |names: &[String]| match names {
        [] => "nothing that differs on paper".to_owned(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last} together", others.join(", ")),
    };
    if turns_first == turns_second {
        return all(turns_first);
    }
    format!("{} (turned in the first) or {} (turned in the second)", all(turns_first), all(turns_second))
}

fn add_place(text: &mut String, (of, place): &PlaceOf) {
    let of = if of.is_empty() { String::new() } else { format!("{of}, ") };
    let _ =
        writeln!(text, "\n{of}answer {}, {}: {}\n  the record: {}", place.answer, place.turn, place.asks, place.line);
    let mut told: Vec<(Contrast, Vec<&str>)> = Vec::new();
    for (contrast, shown) in place.contrasts.iter().zip(without_faces(&place.contrasts)) {
        let is_alike = |(other, _): &&mut (Contrast, Vec<&str>)| {
            Contrast { choice: String::new(), ..other.clone() } == Contrast { choice: String::new(), ..shown.clone() }
        };
        match told.iter_mut().find(is_alike) {
            Some((_, choices)) => choices.push(&contrast.choice),
            None => told.push((shown, vec![&contrast.choice])),
        }
    }
    for (contrast, choices) in told {
        let (head, signed) = told_of(&contrast, &listed(&choices));
        let _ = writeln!(text, "  {head}  <{}>", laid_to(&contrast.by));
        signed.iter().for_each(|line| _ = writeln!(text, "    {line}"));
    }
}

/// Lines as what stands around the numbers of each, and as these.
type Read<'a> = (Vec<Vec<&'a str>>, Vec<Vec<String>>);

/// What both versions have of what comes of a face; nothing of other differences.
fn read(contrast: &Contrast) -> Option<Read<'_>> {
    let apart = contrast.stands.iter().flatten().map(|line| {
        let (pieces, rest) = numbers(line);
        let (around, numbers): (Vec<&str>, Vec<String>) =
            pieces.into_iter().map(|(before, number)| (before, number.to_owned())).unzip();
        ([around, vec![rest]].concat(), numbers)
    });
    (contrast.aspect == Aspect::Odds).then(|| apart.unzip())
}

/// Differences with [`DIE`] where those in what comes of a face tell it, so that faces that come to the same stand in one line.
fn without_faces(all: &[Contrast]) -> Vec<Contrast> {
    let texts: Vec<Option<Read<'_>>> = all.iter().map(read).collect();
    let blanked = |(contrast, text): (&Contrast, &Option<Read<'_>>)| {
        let Some((around, own)) = text else { return contrast.clone() };
        let alike = all.iter().zip(&texts).filter_map(|(other, text)| {
            let (its, told) = text.as_ref()?;
            (other.by == contrast.by && its == around).then(|| (told, other.choice.clone()))
        });
        let blank = places_told(alike);
        let mut lines = around.iter().zip(own).enumerate().map(|(line, (around, own))| {
            let number = |at: usize| match own.get(at) {
                Some(_) if blank.contains(&(line, at)) => DIE,
                Some(number) => number,
                None => "",
            };
            around.iter().enumerate().map(|(at, around)| format!("{around}{}", number(at))).collect::<String>()
        });
        let stands = contrast.stands.each_ref().map(|own| lines.by_ref().take(own.len()).collect());
        Contrast { stands, ..contrast.clone() }
    };
    all.iter().zip(&texts).map(blanked).collect()
}

/// Some choices, no more than anybody reads.
fn listed(choices: &[&str]) -> String {
    const READ: usize = 8;
    let more = choices.len().saturating_sub(READ);
    let some = choices[..choices.len() - more].join("; ");
    if more > 0 { format!("{some}; and {more} more") } else { some }
}

/// A difference in words, and the lines that one version has and the other has not.
fn told_of(contrast: &Contrast, choices: &str) -> (String, Vec<String>) {
    let [a, b] = &contrast.stands;
    let signed = |a: &[String], b: &[String]| -> Vec<String> {
        let lone = |of: &[String], among: &[String], sign: &str| -> Vec<String> {
            let mut left: Vec<&String> = among.iter().collect();
            let mut lone = Vec::new();
            for line in of {
                match left.iter().position(|other| *other == line) {
                    Some(at) => _ = left.remove(at),
                    None => lone.push(format!("{sign} {line}")),
                }
            }
            lone
        };
        let both = [lone(a, b, "-"), lone(b, a, "+")].concat();
        // The same lines in another order.
        let all = |of: &[String], sign: &str| of.iter().map(|line| format!("{sign} {line}")).collect::<Vec<_>>();
        if both.is_empty() { [all(a, "-"), all(b, "+")].concat() } else { both }
    };
    match contrast.aspect {
        Aspect::Asked => ("another thing is asked".into(), signed(a, b)),
        Aspect::Before => ("before that something else happens".into(), signed(a, b)),
        Aspect::Choice => {
            let (which, sign, why) = if contrast.offered[0] { ("first", "+", b) } else { ("second", "-", a) };
            let why = why.iter().map(|line| format!("{sign} no: {line}")).collect();
            (format!("the {which} alone offers: {choices}"), why)
        }
        Aspect::Cost => (format!("it costs otherwise: {choices}"), signed(a, b)),
        Aspect::Effect => (format!("something else comes of it: {choices}"), signed(a, b)),
        Aspect::Odds => match contrast.offered {
            [true, true] => (format!("something else comes of: {choices}"), signed(a, b)),
            [first, _] => {
                let which = if first { "first" } else { "second" };
                (format!("only in the {which} may come up: {choices}"), signed(a, b))
            }
        },
    }
}

/// For machines: `format` (1), `versions`, `records`; `decisions`, `rolls` (`all`, `differ`); `off` and `put_back` of each
/// version; `laid`, each `by` (two lists), `differences`, `places`; and `places`, each `record`, `answer`, `turn`, `asks`,
/// `line`, `roll` and `differences`, each `aspect`, `choice`, `offered`, `stands` and `by`.
pub fn walked_json(names: &[String; 2], walked: &Walked, places: &[PlaceOf]) -> Value {
    let count = |[all, differ]: [usize; 2]| json!({ "all": all, "differ": differ });
    let contrast = |c: &Contrast| json!({ "aspect": c.aspect.word(), "choice": c.choice, "offered": c.offered, "stands": c.stands, "by": c.by });
    let place = |(of, p): &PlaceOf| {
        json!({ "record": of, "answer": p.answer, "turn": p.turn, "asks": p.asks, "line": p.line, "roll": p.is_roll,
            "differences": p.contrasts.iter().map(contrast).collect::<Vec<_>>() })
    };
    let laid = |(by, (differences, places)): (&[Vec<String>; 2], &(usize, usize))| json!({ "by": by, "differences": differences, "places": places });
    json!({ "format": 1, "versions": names, "records": walked.records, "decisions": count(walked.decisions),
        "rolls": count(walked.rolls), "off": walked.off, "put_back": walked.put_back,
        "laid": walked.laid.iter().map(laid).collect::<Vec<_>>(),
        "places": places.iter().map(place).collect::<Vec<_>>() })
}

//! What was found in a comparison and how far it reaches, told: as text, for browsers and for machines.

use std::fmt::Write as _;

use maud::{Markup, html};
use serde_json::{Value, json};

use super::{
    Case, Claim, Compared, Verdict, claims,
    report::{interval, signed},
};

/// What was found, graded.
fn all<'a>(compared: &Compared<'a>) -> Vec<Claim<'a>> {
    claims(compared.comparison, compared.pairs, compared.differences, compared.under)
}

/// What the grades mean.
const GRADES: &str = "A holds under all players and readings; B under all players and most readings; C under the strongest \
                      player; D for one player, or which way hangs on who plays; E is about our model only";

/// What a claim came to in the cases in which it came to this.
fn cases(claim: &Claim<'_>, compared: &Compared<'_>, wanted: Verdict) -> Option<String> {
    let with = compared.under.iter().zip(&claim.verdicts).filter(|(_, verdict)| **verdict == wanted);
    let names: Vec<String> = with.map(|((case, _), _)| case.to_string()).collect();
    (!names.is_empty()).then(|| format!("{} under {}", wanted.word(), names.join(", ")))
}

/// The lines of a claim: grade, then what came of it where.
fn lines(claim: &Claim<'_>, compared: &Compared<'_>) -> Vec<String> {
    let in_cases = [Verdict::Holds, Verdict::Contrary, Verdict::Open].into_iter();
    let in_cases = in_cases.filter_map(|verdict| cases(claim, compared, verdict));
    [claim.graded.to_string()].into_iter().chain(in_cases).collect()
}

fn head(claim: &Claim<'_>) -> String {
    let (gauge, effect) = (claim.gauge, &claim.effect);
    format!("{} {} ({})", gauge.marked_title(), signed(gauge, effect.difference), interval(gauge, effect))
}

/// As text for a terminal; nothing where nothing was repeated.
pub(super) fn claims_text(compared: &Compared<'_>) -> String {
    let mut text = String::new();
    if compared.under.is_empty() {
        return text;
    }
    let names: Vec<String> = compared.under.iter().map(|(case, _)| case.to_string()).collect();
    let _ = writeln!(text, "\nWhat was found, played again under {}:", names.join(", "));
    let _ = writeln!(text, "({GRADES})");
    let all = all(compared);
    for claim in &all {
        let _ = writeln!(text, "{}", head(claim));
        lines(claim, compared).iter().for_each(|line| _ = writeln!(text, "    {line}"));
    }
    if all.is_empty() {
        text.push_str("nothing was found to grade\n");
    }
    text
}

/// For browsers.
pub(super) fn claims_page(compared: &Compared<'_>) -> Markup {
    html! {
        @if !compared.under.is_empty() {
            h2 { "How far it reaches" }
            p.about { (GRADES) "." }
            @for claim in all(compared) {
                p { b { (head(&claim)) } }
                ul { @for line in lines(&claim, compared) { li { (line) } } }
            }
        }
    }
}

/// For machines: every case with its figures, every claim with its grade.
pub(super) fn claims_json(compared: &Compared<'_>) -> (Value, Value) {
    let under = compared.under.iter().map(|(case, comparison)| {
        let (kind, name) = match case {
            Case::Played(player) => ("players", player.to_string()),
            Case::Read(..) | Case::Rebuilt(..) => ("reading", case.to_string()),
        };
        let of = comparison.gauges.iter().zip(comparison.effects()).filter_map(|(gauge, effect)| {
            let effect = effect?;
            Some(json!({ "measure": gauge.id, "difference": effect.difference, "interval": effect.ends(), "p": effect.p }))
        });
        json!({ kind: name, "pairs": comparison.pairs, "measures": of.collect::<Vec<_>>() })
    });
    let claims = all(compared).into_iter().filter(|_| !compared.under.is_empty()).map(|claim| {
        let graded = &claim.graded;
        json!({ "measure": claim.gauge.id, "difference": claim.effect.difference, "grade": format!("{:?}", graded.grade),
            "else": graded.otherwise.map(|grade| format!("{grade:?}")), "why": graded.why,
            "verdicts": claim.verdicts.iter().map(|verdict| verdict.word()).collect::<Vec<_>>() })
    });
    (under.collect(), claims.collect())
}

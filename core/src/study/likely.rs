//! Odds, told: as text, several versions side by side, and for machines.

use serde_json::{Value, json};

use super::odds::{Came, DIE, Likely, Share};

/// What may come in one version or in several, side by side, as text. Each has its name, and its odds or why there are
/// none.
pub fn likely_text(all: &[(String, Result<Likely, String>)]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (name, likely) in all {
        match likely {
            Err(why) => lines.push(format!("{name}: {why}")),
            Ok(likely) => {
                let tried = likely.outcomes.iter().any(|(_, share)| matches!(share, Share::Tried(..)));
                let how = match (tried, likely.ways) {
                    (false, 1) => "nothing is left to chance".to_owned(),
                    (false, ways) => format!("exact: all {ways} ways"),
                    (true, ways) => {
                        format!(
                            "{ways} tries, because there are more ways; in brackets where each share lies, as sure as {:.0} %",
                            100.0 * Share::SURE
                        )
                    }
                };
                lines.push(format!("{name}: {how}"));
            }
        }
    }
    let mut came: Vec<&Came> = Vec::new();
    for (came_to, _) in all.iter().flat_map(|(_, likely)| likely.iter().flat_map(|likely| &likely.outcomes)) {
        if !came.contains(&came_to) {
            came.push(came_to);
        }
    }
    let share = |came: &Came, likely: &Result<Likely, String>| {
        let Ok(likely) = likely else { return String::new() };
        match likely.outcomes.iter().find(|(other, _)| other == came).map(|(_, share)| *share) {
            None => "never".to_owned(),
            Some(Share::Exact(_, 1)) => "certain".to_owned(),
            Some(share @ Share::Exact(part, of)) => match of > 999_999 {
                true => format!("{:.3} %", 100.0 * share.value()),
                false => format!("{part}/{of} ({:.1} %)", 100.0 * share.value()),
            },
            Some(share @ Share::Tried(..)) => {
                let [least, most] = share.bounds().map(|bound| 100.0 * bound);
                format!("{:.1} % ({least:.1} to {most:.1})", 100.0 * share.value())
            }
        }
    };
    for one in came {
        let shares: Vec<String> = all.iter().map(|(_, likely)| format!("{:<24}", share(one, likely))).collect();
        let mut told = one.told.clone();
        if told.is_empty() && one.next.is_empty() {
            told.push("nothing else happens".to_owned());
        }
        let then = if told.is_empty() { "" } else { "then " };
        told.extend((!one.next.is_empty()).then(|| format!("{then}{}", one.next)));
        let gap = " ".repeat(24 * all.len());
        for (at, line) in told.iter().enumerate() {
            lines.push(format!("  {}{line}", if at == 0 { shares.concat() } else { gap.clone() }));
        }
    }
    if lines.iter().skip(all.len()).any(|line| line.contains(DIE)) {
        lines.push(format!("({DIE} stands for what a die shows)"));
    }
    lines.join("\n") + "\n"
}

/// The same for machines: `format` (1), and `versions`, each `version`, `exact`, `ways` and `outcomes` (`told`, `next`,
/// `share`, `exact` as a pair of texts or null, `bounds`), or `error`.
pub fn likely_json(all: &[(String, Result<Likely, String>)]) -> Value {
    let outcome = |(came, share): &(Came, Share)| {
        let exact = if let Share::Exact(part, of) = share { Some([part.to_string(), of.to_string()]) } else { None };
        json!({ "told": came.told, "next": came.next, "share": share.value(), "exact": exact, "bounds": share.bounds() })
    };
    let one = |(name, likely): &(String, Result<Likely, String>)| match likely {
        Err(why) => json!({ "version": name, "error": why }),
        Ok(likely) => {
            let is_exact = likely.outcomes.iter().all(|(_, share)| matches!(share, Share::Exact(..)));
            json!({ "version": name, "exact": is_exact, "ways": likely.ways,
                "outcomes": likely.outcomes.iter().map(outcome).collect::<Vec<_>>() })
        }
    };
    json!({ "format": 1, "versions": all.iter().map(one).collect::<Vec<_>>() })
}

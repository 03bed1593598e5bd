//! `countermarch show GAME amendments`: what can be changed, what each change is, and which are on.

use countermarch_core::ruleset::{Amendment, Rule, Ruleset, Without};
use serde_json::{Value, json};

/// Shows them all, those that are on with a star.
pub fn show(ruleset: &Ruleset, as_json: bool) {
    if as_json {
        let all: Vec<Value> = ruleset.amendments.iter().map(|amendment| for_machines(ruleset, amendment)).collect();
        println!("{}", Value::from(all));
        return;
    }
    println!("Amendments of {}: put one on with {}@base+NAME\n", ruleset.full_name(), ruleset.id);
    for amendment in &ruleset.amendments {
        let mark = if amendment.on { "*" } else { " " };
        println!("{mark} {}: {}", amendment.id, amendment.title);
        for line in said(ruleset, amendment) {
            println!("    {line}");
        }
    }
}

fn said(ruleset: &Ruleset, amendment: &Amendment) -> Vec<String> {
    let (nature, date) = (amendment.nature.map(|nature| nature.word()), amendment.date.as_deref());
    let what = [Some(amendment.kind.word()), nature, amendment.source.as_deref(), date];
    let mut lines = vec![what.into_iter().flatten().collect::<Vec<_>>().join(", ")];
    let named = [("needs", &amendment.needs), ("excludes", &amendment.excludes), ("after", &amendment.after)];
    let named = named.into_iter().filter(|(_, list)| !list.is_empty());
    lines.extend(named.map(|(word, list)| format!("{word} {}", list.join(", "))));
    lines.extend(Some(amendment.about.clone()).filter(|about| !about.is_empty()));
    lines.extend(
        amendment.without.iter().map(|without| format!("without it ({}): {}", without.from.word(), without.says)),
    );
    lines.extend(amendment.edits.iter().map(|edit| format!("- {edit}")));
    lines.extend(carried(ruleset, amendment).map(|rule| {
        let place = rule.instead.last().map(|(file, line)| format!(", in place of {file}:{line}"));
        format!("- rules/{}{}", rule.name, place.unwrap_or_default())
    }));
    lines
}

/// The rules that an amendment brings, where it is on.
fn carried<'a>(ruleset: &'a Ruleset, amendment: &'a Amendment) -> impl Iterator<Item = &'a Rule> {
    let is_in = |file: &str| file.strip_prefix(&amendment.folder).is_some_and(|rest| rest.starts_with('/'));
    ruleset.rules.iter().filter(move |rule| is_in(&rule.at.0))
}

/// How the game goes without an amendment: `says`, and `from`, how that is known.
pub fn without_for_machines(without: &Without) -> Value {
    json!({ "says": without.says, "from": without.from.word() })
}

fn for_machines(ruleset: &Ruleset, amendment: &Amendment) -> Value {
    let rules: Vec<&str> = carried(ruleset, amendment).map(|rule| rule.name.as_str()).collect();
    json!({ "amendment": amendment.id, "title": amendment.title, "about": amendment.about, "on": amendment.on,
            "kind": amendment.kind.word(), "nature": amendment.nature.map(|nature| nature.word()),
            "without": amendment.without.as_ref().map(without_for_machines), "source": amendment.source, "date": amendment.date, "needs": amendment.needs,
            "excludes": amendment.excludes, "after": amendment.after, "rules": rules,
            "change": amendment.edits.iter().map(ToString::to_string).collect::<Vec<_>>() })
}

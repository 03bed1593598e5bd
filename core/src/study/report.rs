//! What a comparison came to, told: as text, and for machines.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    Case, Comparison, Each, Effect, Exercise, Gauge, Heard, Known, Parting, Stopping,
    claimed::{claims_json, claims_text},
    comparison::Pairs,
    heard::{heard_json, heard_text},
    parting::Stood,
    tornado::{scores, tornado_text},
};
use crate::{
    ruleset::{Differences, Provenance, Ruleset},
    show::{count, counted},
};

/// Everything that a comparison is told from.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    /// How the versions differ on paper.
    pub differences: &'a Differences,
    /// The games.
    pub pairs: &'a Pairs,
    /// Who plays each side, in a word: of each version.
    pub players: [&'a [String]; 2],
    /// What they came to.
    pub comparison: &'a Comparison,
    /// What they were played for, where that is not a number of pairs.
    pub stopping: Option<&'a Stopping>,
    /// What single amendments came to.
    pub each: &'a [Each],
    /// The same played under other players and readings.
    pub under: &'a [(Case, Comparison)],
    /// How often paragraphs spoke, where that was listened for.
    pub heard: Option<&'a Heard>,
    /// Where the games part that differ most.
    pub parting: Option<&'a Parting>,
    /// The command that does it again.
    pub again: &'a str,
}

/// A figure as people read it: percent of games, or a mean.
pub(super) fn figure(gauge: &Gauge, value: f64) -> String {
    if gauge.is_share { format!("{:.1} %", 100.0 * value) } else { format!("{value:.2}") }
}

/// The same with its sign.
pub(super) fn signed(gauge: &Gauge, value: f64) -> String {
    let scaled = if gauge.is_share { 100.0 * value } else { value };
    // What is rounded to nothing has no sign.
    let digits = if gauge.is_share { 1 } else { 2 };
    let is_nothing = scaled.abs() < 0.5 * 10f64.powi(-digits);
    let text = format!("{:+.*}", digits as usize, if is_nothing { 0.0 } else { scaled });
    if is_nothing { text.trim_start_matches(['+', '-']).to_owned() } else { text }
}

pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "none".into() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// What has to be known of a comparison before its figures: each line with its head; some go on without one.
pub(super) fn facts(compared: &Compared<'_>) -> Vec<(&'static str, String)> {
    let Compared { differences, pairs, players, comparison, .. } = compared;
    let [first, second] = &differences.names;
    let amendments = differences.amendments();
    let alone = count(amendments.len(), "amendment", "amendments");
    let differs = format!("{alone} on in one of them alone, {}", counted(differences).join(", "));
    let mut facts = vec![("A", first.clone()), ("B", second.clone()), ("DIFFERS ON", differs)];
    let known = |from: Provenance| {
        let without = amendments.iter().filter_map(|(amendment, _)| amendment.without.as_ref());
        (without.filter(|without| without.from == from).count(), from.word())
    };
    let of = [
        Provenance::Printed,
        Provenance::Reported,
        Provenance::Inferred,
        Provenance::Reconstructed,
        Provenance::Invented,
    ];
    let sides: Vec<String> =
        of.into_iter().map(known).filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    if !sides.is_empty() {
        facts.push(("OFF READING", format!("how the game goes without them: {}", sides.join(", "))));
    }
    let scenario = &pairs.versions[0].scenarios[pairs.scenarios[0]];
    let from = scenario.from;
    let is_printed = from == Provenance::Printed;
    let provenance = if is_printed { String::new() } else { format!(" ({}{})", from.word(), from.dagger()) };
    facts.push(("SCENARIO", format!("{}{provenance}", scenario.title)));
    let rests = pairs.versions.each_ref().map(|ruleset| rests_on(ruleset));
    let dagger = Provenance::Reconstructed.dagger();
    let told = rests.iter().zip(["A", "B"]).filter(|(rests, _)| !rests.is_empty());
    let told: Vec<String> = if rests[0] == rests[1] {
        told.take(1).map(|(rests, _)| rests.clone()).collect()
    } else {
        told.map(|(rests, version)| format!("{version}: {rests}")).collect()
    };
    if !told.is_empty() {
        let told = told.join("; ");
        facts.push(("RESTS ON", format!("{told}; {dagger} marks what looks at values that no source prints")));
    }
    let [of_first, of_second] = players.map(|players| players.join(", "));
    let both = if of_first == of_second { of_first } else { format!("A: {of_first}; B: {of_second}") };
    facts.push(("PLAYED BY", both));
    let seeds =
        if pairs.is_paired { "one seed and one chance each" } else { "NOT PAIRED: each game has a seed of its own" };
    facts.push(("PAIRS", format!("{} that count, from seed {}, {seeds}", comparison.pairs, pairs.seed)));
    if let Some(stopping) = compared.stopping {
        let lines = stopping.told(comparison).into_iter().enumerate();
        facts.extend(lines.map(|(at, line)| (if at == 0 { "STOPPED" } else { "" }, line)));
        let holds = "intervals and stars hold at any time of stopping (confidence sequences)";
        facts.push(("", holds.to_owned()));
    }
    if comparison.failed.0 > 0 {
        facts.push(("", format!("{} could not be played to their end and do not count:", comparison.failed.0)));
        facts.extend(comparison.failed.1.iter().map(|(seed, wrong)| ("", format!("  seed {seed}: {wrong}"))));
    }
    if !comparison.alone.is_empty() {
        let alone = comparison.alone.join(", ");
        facts.push(("", format!("measured in one version alone, and not compared: {alone}")));
    }
    let [a, b] = comparison.rolls;
    let shared = percent(2 * comparison.shared, a + b);
    let rest = a + b - 2 * comparison.shared;
    let chance = format!(
        "{a} rolls in A, {b} in B; {shared} are of one event in both, with the same dice; {rest} could not be paired"
    );
    facts.push(("CHANCE", chance));
    facts.push(("EXERCISED", exercised(comparison)));
    facts
}

/// What one amendment came to by itself.
pub(super) struct Single {
    /// Its name.
    pub id: String,
    /// What became of it, pair by pair.
    pub exercised: String,
    /// The measures that differ, with the difference and its interval.
    pub found: Vec<String>,
}

/// What each amendment came to by itself; all measures of all of them looked at together.
pub(super) fn singles(each: &Each) -> Vec<Single> {
    let effects: Vec<Vec<Option<Effect>>> = each.all.iter().map(|(_, comparison)| comparison.effects()).collect();
    let mut stands = each.correction().standing(&effects.concat()).into_iter();
    let told = |((id, comparison), effects): (&(String, Comparison), &Vec<Option<Effect>>)| {
        let rows = comparison.gauges.iter().zip(effects).zip(stands.by_ref().take(effects.len()).collect::<Vec<_>>());
        let found = rows.filter(|(_, stands)| *stands).filter_map(|((gauge, effect), _)| {
            let effect = effect.as_ref()?;
            let (title, difference) = (gauge.marked_title(), signed(gauge, effect.difference));
            Some(format!("{title} {difference} ({})", interval(gauge, effect)))
        });
        Single { id: id.clone(), exercised: exercised(comparison), found: found.collect() }
    };
    each.all.iter().zip(&effects).map(told).collect()
}

/// How many values on counters and spaces no source prints, by where they come from instead.
pub(super) fn rests_on(ruleset: &Ruleset) -> String {
    let of = [
        Provenance::Inferred,
        Provenance::Reported,
        Provenance::Survey,
        Provenance::Reconstructed,
        Provenance::Invented,
        Provenance::Entered,
    ];
    let all = || ruleset.attributes.iter().flat_map(|attribute| &attribute.from);
    let count = |from: Provenance| (all().filter(|one| **one == from).count(), from.word());
    let told: Vec<String> =
        of.into_iter().map(count).filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    if told.is_empty() { String::new() } else { format!("values on counters and spaces: {}", told.join(", ")) }
}

/// As text for a terminal.
pub fn comparison_text(compared: &Compared<'_>) -> String {
    let mut text = String::new();
    for (head, rest) in facts(compared) {
        let _ = writeln!(text, "{head:<14}{rest}");
    }
    text.push('\n');
    text.push_str(&table(compared.comparison, compared.pairs.is_paired));
    compared.each.iter().for_each(|each| text.push_str(&tornado_text(each)));
    text.push_str(&claims_text(compared));
    compared.heard.iter().for_each(|heard| text.push_str(&heard_text(heard)));
    if let (Some(parting), Some(widest)) = (compared.parting, compared.comparison.widest) {
        let _ = writeln!(text, "\nThe games that differ most (seed {}, by {}):", widest.seed, widest.gap);
        text.push_str(&story(parting));
    }
    let _ = writeln!(text, "\n{:<14}{}", "AGAIN", compared.again);
    text
}

/// What became of the difference, pair by pair: each pair counts once, and figures are of all of them together. How long
/// games take to play is told among the figures, and is no effect.
pub(super) fn exercised(comparison: &Comparison) -> String {
    let counts = Exercise::ALL.into_iter().zip(comparison.exercised).filter(|(_, count)| *count > 0);
    let aside = |exercise| if exercise == Exercise::WithoutEffect { " but on the decisions taken" } else { "" };
    let one = |(exercise, count): (Exercise, u64)| format!("{}{} in {count}", exercise.word(), aside(exercise));
    let told: Vec<String> = counts.map(one).collect();
    match comparison.pairs {
        0 => "no pairs: no statement".into(),
        1 => told.join("; "),
        pairs => format!("of {pairs} pairs: {}", told.join("; ")),
    }
}

fn table(comparison: &Comparison, is_paired: bool) -> String {
    let mut text = String::new();
    let effects = comparison.effects();
    let rows: Vec<(&Gauge, &Effect, bool)> = comparison
        .gauges
        .iter()
        .zip(&effects)
        .zip(comparison.standing())
        .filter_map(|((gauge, effect), stands)| Some((gauge, effect.as_ref()?, stands)))
        .collect();
    let (told, alike): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(_, effect, _)| is_told(effect));
    let wide = told.iter().map(|(gauge, ..)| gauge.marked_title().chars().count()).max().unwrap_or(0);
    let head = ["", "A", "B", "B - A", "95 % interval", if is_paired { "pairing" } else { "" }];
    let mut row = |cells: [&str; 6], mark: &str| {
        let [title, a, b, between, interval, won] = cells;
        let line = format!("{title:<wide$} {a:>9} {b:>9} {between:>9}  {interval:<24} {won:>8} {mark}");
        let _ = writeln!(text, "{}", line.trim_end());
    };
    row(head, "");
    for (gauge, effect, stands) in told {
        let [a, b] = effect.means;
        let (interval, won) = (interval(gauge, effect), won(effect, is_paired));
        let cells = [
            &*gauge.marked_title(),
            &figure(gauge, a),
            &figure(gauge, b),
            &signed(gauge, effect.difference),
            &interval,
            &won,
        ];
        row(cells, if stands { "*" } else { "" });
    }
    if !alike.is_empty() {
        let _ = writeln!(text, "nothing in both versions, in every game: {} more measures", alike.len());
    }
    let count = effects.iter().flatten().filter(|effect| effect.differing > 0).count();
    let _ = writeln!(
        text,
        "* differs at 95 %, the {count} that differ in any pair {}{}",
        comparison.correction.promise(),
        if is_paired { "; pairing: how many times the games it saved" } else { "" }
    );
    let counts =
        |[a, b]: &[u64; 2]| format!("{:>8} {:>8}", percent(*a, comparison.pairs), percent(*b, comparison.pairs));
    for (outcome, both) in &comparison.outcomes {
        let _ = writeln!(text, "{outcome:<wide$} {}", counts(both));
    }
    text
}

/// Whether there is anything to tell of a measure: it is nothing in all games of most versions that do not have it.
pub(super) fn is_told(effect: &Effect) -> bool {
    effect.differing > 0 || effect.means != [0.0; 2]
}

/// The interval of a difference, in words where it is none.
pub(super) fn interval(gauge: &Gauge, effect: &Effect) -> String {
    match effect.ends() {
        None => effect.why_unknown(),
        Some(_) if effect.differing == 0 => "the same in all".to_owned(),
        Some([low, high]) => format!("{} .. {}", signed(gauge, low), signed(gauge, high)),
    }
}

/// How many times as many games it would have taken without pairs; nothing where there were none.
pub(super) fn won(effect: &Effect, is_paired: bool) -> String {
    effect.pairing_won.filter(|_| is_paired).map(|won| format!("{won:.1} x")).unwrap_or_default()
}

/// Where two games part, as a story.
pub(super) fn story(parting: &Parting) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "they share {} answers, the last of them", parting.shared);
    parting.before.iter().for_each(|line| _ = writeln!(text, "    {line}"));
    for (name, stood) in ["A", "B"].into_iter().zip(&parting.stands) {
        let Stood { turn, asks, answered, alone } = stood;
        let _ = writeln!(text, "{name}, {turn}: {}", if asks.is_empty() { "nobody is asked" } else { asks });
        let _ = writeln!(text, "    {}", answered.as_deref().unwrap_or("the game is over"));
        for (line, why) in alone {
            let other = if name == "A" { "B" } else { "A" };
            let why = if why.is_empty() { "not offered".to_owned() } else { why.join("; ") };
            let _ = writeln!(text, "    only here: {line}\n        in {other}: {why}");
        }
    }
    if !parting.measured.is_empty() {
        let _ = writeln!(text, "at the end, in A and in B");
        parting.measured.iter().for_each(|(title, [a, b])| _ = writeln!(text, "    {title}: {a}, {b}"));
    }
    text
}

/// For machines, format 1: `README.md` says what it holds.
pub fn comparison_json(compared: &Compared<'_>) -> Value {
    let Compared { differences, pairs, players, comparison, stopping, each, parting, again, .. } = compared;
    let (under, claims) = claims_json(compared);
    let exercised = |comparison: &Comparison| {
        let all = Exercise::ALL.into_iter().zip(comparison.exercised);
        all.map(|(exercise, count)| (exercise.key(), json!(count))).collect::<serde_json::Map<_, _>>()
    };
    let all = comparison.gauges.iter().zip(comparison.effects()).zip(comparison.standing());
    let measures: Vec<Value> = all
        .map(|((gauge, effect), stands)| {
            json!({ "measure": gauge.id, "title": gauge.title, "printed": gauge.is_printed, "share": gauge.is_share,
                "unit": gauge.unit, "sense": gauge.sense.word(), "side": gauge.side, "turn": gauge.turn,
                "cite": gauge.cite.map(|cite| pairs.versions[0].cite(cite)), "means": effect.map(|e| e.means),
                "difference": effect.map(|e| e.difference), "interval": effect.and_then(|e| e.ends()),
                "differing": effect.map(|e| e.differing), "p": effect.map(|e| e.p),
                "pairing_won": effect.filter(|_| pairs.is_paired).and_then(|e| e.pairing_won), "stands": stands })
        })
        .collect();
    let stood = |stood: &Stood| {
        let alone: Vec<Value> =
            stood.alone.iter().map(|(line, why)| json!({ "answer": line, "refused": why })).collect();
        json!({ "turn": stood.turn, "asks": stood.asks, "answered": stood.answered, "alone": alone })
    };
    json!({ "format": 1, "versions": differences.names, "scenario": pairs.versions[0].scenarios[pairs.scenarios[0]].id,
        "players": players, "seed": pairs.seed, "paired": pairs.is_paired, "pairs": comparison.pairs,
        "correct": comparison.correction.word(), "until": stopping.map(|stopping| json!({
            "enough": stopping.is_enough(comparison), "told": stopping.told(comparison),
            "goals": stopping.each(comparison).map(|(gauge, known, is_known)| json!({ "measure": gauge.id,
                "width": if let Known::Width(width) = known { Some(width) } else { None }, "known": is_known })).collect::<Vec<_>>() })),
        "failed": { "count": comparison.failed.0, "first": comparison.failed.1 },
        "not_compared": comparison.alone, "rolls": comparison.rolls, "shared_rolls": comparison.shared,
        "exercised": exercised(comparison),
        "each": each.iter().flat_map(|each| each.all.iter().zip(singles(each)).map(|((id, one), single)| json!({
            "amendment": id, "effects": each.how.word(), "pairs": one.pairs, "exercised": exercised(one),
            "found": single.found, "scores": scores(each, id) })).collect::<Vec<_>>()).collect::<Vec<_>>(),
        "under": under, "claims": claims, "spoken": compared.heard.map(heard_json),
        "left_out": each.iter().flat_map(|each| &each.left_out).collect::<Vec<_>>(),
        "apart": comparison.apart.iter().map(|(by, pairs)| json!([by, pairs])).collect::<Vec<_>>(),
        "outcomes": comparison.outcomes, "measures": measures,
        "widest": comparison.widest.map(|widest| json!({ "seed": widest.seed, "gap": widest.gap })),
        "parting": parting.map(|p| json!({ "shared": p.shared, "before": p.before,
            "stands": p.stands.each_ref().map(stood), "measured": p.measured })),
        "again": again })
}

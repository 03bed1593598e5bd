//! Examples: a position, a place in the sequence of play, dice, answers, and what must come of it.
//!
//! An example drives the engine as players do. It may set what stands on the table before play, never what it is
//! meant to prove: everything expected is read from the game after its rules have run.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
    sync::Arc,
};

use super::{
    acting::{Acting, fail},
    coverage::{is_put_to_work, with_their_rows},
    example_names::check_names,
    fixture::little_map,
};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    library::Library,
    play::{Limits, Rules, Session},
    ruleset::{Edit, Loaded, Ruleset, Selection, VersionName, edits},
    yaml::{self, Node, Value},
};

/// One example, read but not run.
#[derive(Debug, Clone)]
pub struct Example {
    /// Its name, a sentence.
    pub name: String,
    /// What it proves.
    pub cite: Vec<String>,
    /// The little map it brings, as the text of a map file; the ruleset's own without one.
    pub map: Option<String>,
    /// The scenario it begins from, and where it is named; none on a little map, which has none.
    pub scenario: Option<(String, Span)>,
    /// The version it is played under.
    pub version: Option<String>,
    /// Values changed for it: path and value.
    pub set: Vec<(String, String)>,
    /// Counters, rows and tables it brings, takes away or changes, as an amendment does.
    pub change: Vec<Edit>,
    /// Whether it is about what players of the ruleset would answer. Such an example proves no paragraph.
    pub asks_players: bool,
    /// The whole of it, for the parts that need the ruleset.
    pub(super) node: Node,
    /// Where it is written.
    pub span: Span,
}

/// What an example came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was as expected.
    Passed,
    /// Something was not.
    Failed(Failure),
}

/// What was not as expected, and where in the example it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The step.
    pub span: Span,
    /// What was expected and what was found.
    pub message: String,
    /// The story of its play, a line each.
    pub told: Vec<String>,
}

/// Reads a file of examples: `maps:` by name, the `scenario:` of those that name none, then `examples:`.
pub fn read_examples(node: &Node, ruleset: &Ruleset, found: &mut Diagnostics) -> Vec<Example> {
    let mut fields = node.fields(found);
    let maps = fields.may("maps");
    let usual = fields.may("scenario");
    let mut list: Vec<Example> = Vec::new();
    for item in fields.must("examples", found).map(|n| n.items(found)).unwrap_or_default() {
        let Some(name) = item.get("name") else {
            found.error("missing", &item.span, "an example needs its name", "add `name: ...`");
            continue;
        };
        let name_text = name.as_text(found);
        if list.iter().any(|e| e.name == name_text) {
            found.error("twice", &name.span, format!("two examples are named `{name_text}`"), "rename one");
        }
        let mut cite = Vec::new();
        for id in item.get("cite").map(|n| n.items(found)).unwrap_or_default() {
            cite.push(paragraph(id, ruleset, found));
        }
        check_keys(item, &KEYS, found);
        let mut asks_players = false;
        for step in item.get("play").map(|n| n.items(found)).unwrap_or_default() {
            check_step(step, ruleset, found);
            asks_players |= step.get("would").or(step.get("would-not")).is_some();
        }
        let map = item.get("map").and_then(|n| {
            let name = n.as_text(found);
            let text = maps.and_then(|m| m.get(&name));
            if text.is_none() {
                found.error("unknown-name", &n.span, format!("there is no map `{name}` in this file"), "");
            }
            text.map(|body| little_map(body, ruleset, found))
        });
        let scenario = scenario(item, usual, found);
        if scenario.is_none() && map.is_none() {
            continue;
        }
        let mut set = Vec::new();
        for (path, value) in item.get("set").map(|n| n.entries(found)).unwrap_or_default() {
            set.push((path.as_text(found), value.as_text(found)));
        }
        let change = item.get("change").map(|n| edits(n, found)).unwrap_or_default();
        let version = item.get("version").map(|n| n.as_text(found));
        let (name, node, span) = (name_text, item.clone(), name.span.clone());
        list.push(Example { name, cite, map, scenario, version, set, change, asks_players, node, span });
    }
    fields.finish(found);
    list
}

/// The scenario an example begins from: its own, or the file's. A little map has none.
fn scenario(item: &Node, usual: Option<&Node>, found: &mut Diagnostics) -> Option<(String, Span)> {
    let own = item.get("scenario");
    let named = match (item.get("map"), own) {
        (None, own) => own.or(usual),
        (Some(_), None) => return None,
        (Some(_), Some(own)) => {
            let message = "a little map has no scenario: what stands on it is said by `place:` and `state:`";
            found.error("scenario", &own.span, message, "leave `scenario:` or `map:` out");
            return None;
        }
    };
    if named.is_none() {
        let span = item.get("name").map_or(&item.span, |name| &name.span);
        let help = "add `scenario: ID` to it, or to the head of the file for all, or bring a little `map:`";
        found.error("missing", span, "nothing says which scenario this example begins from", help);
    }
    named.map(|node| (node.as_text(found), node.span.clone()))
}

/// What may stand in an example.
const KEYS: [&str; 18] = [
    "name", "cite", "map", "scenario", "version", "set", "change", "place", "state", "turn", "phasing", "begin",
    "task", "dice", "play", "expect", "why", "ask-all",
];

/// Keys of which an example needs one to be able to fail.
const SHOWING: [&str; 4] = ["play", "expect", "why", "ask-all"];

fn is_empty(node: &Node) -> bool {
    matches!(&node.value, Value::List(list) if list.is_empty())
}

/// What may stand in a step of play, besides the sides that answer.
const STEPS: [&str; 9] =
    ["refused", "because", "asked", "offered", "not-offered", "offers", "expect", "would", "would-not"];

fn check_keys(node: &Node, known: &[&str], found: &mut Diagnostics) {
    for (key, _) in node.entries(found).to_vec() {
        let name = key.as_text(found);
        if !known.contains(&name.as_str()) {
            let help = suggest(&name, known.iter().copied());
            found.error("unknown-key", &key.span, format!("`{name}` is not read here"), help);
        }
    }
}

/// A step of play: a refusal must name its paragraph, for a refusal for another reason would prove nothing.
fn check_step(step: &Node, ruleset: &Ruleset, found: &mut Diagnostics) {
    let sides = ruleset.sides.iter().map(|side| side.id.as_str());
    check_keys(step, &STEPS.into_iter().chain(sides).collect::<Vec<_>>(), found);
    match (step.get("refused"), step.get("because")) {
        (Some(refused), None) => {
            let message = "a refusal needs the paragraph that refuses";
            found.error("missing", &refused.span, message, "add `because:` and its citation beside it");
        }
        (None, Some(because)) => {
            let message = "nothing is refused here";
            found.error("missing", &because.span, message, "`because:` stands beside `refused:`");
        }
        (_, because) => {
            because.map(|because| paragraph(because, ruleset, found));
        }
    }
}

/// The id of a paragraph, which must stand in the rulebook.
fn paragraph(node: &Node, ruleset: &Ruleset, found: &mut Diagnostics) -> String {
    let text = node.as_text(found);
    if ruleset.rulebook.find(&text).is_none() {
        let help = suggest(&text, ruleset.rulebook.entries.iter().map(|e| e.id.as_str()));
        found.error("unknown-cite", &node.span, format!("`{text}` does not stand in the rulebook"), help);
    }
    text
}

/// Acts an example out on the ruleset it was loaded for.
pub fn run_example<R: Rules>(example: &Example, ruleset: &Arc<Ruleset>, rules: R) -> (Outcome, R) {
    let limits = Limits { undo: true, verify: true, log: true, forced: true };
    let named = example.scenario.as_ref();
    let scenario = named.map_or(Some(0), |(id, _)| ruleset.scenario(id));
    let mut acting = Acting::new(Session::new(ruleset.clone(), rules, scenario.unwrap_or(0), 1863, limits));
    let run = match named.filter(|_| scenario.is_none()) {
        Some((id, span)) => {
            let known = suggest(id, ruleset.scenarios.iter().map(|s| s.id.as_str()));
            fail(span, format!("there is no scenario `{id}`: {known}"))
        }
        None => acting.run(example),
    };
    let run = run.and_then(|()| acting.found.list.first().map_or(Ok(()), |wrong| fail(&wrong.span, &*wrong.message)));
    let outcome = match run {
        Ok(()) => Outcome::Passed,
        Err(failure) => Outcome::Failed(Failure { told: acting.story(), ..failure }),
    };
    (outcome, acting.session.into_rules())
}

/// An example that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// Its name.
    pub name: String,
    /// Where: `file:line`.
    pub at: String,
    /// What was not as expected.
    pub message: String,
    /// The story of its play, a line each.
    pub told: Vec<String>,
}

/// What all examples of a ruleset came to.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// How many were acted out.
    pub examples: usize,
    /// Those that failed.
    pub failed: Vec<Failed>,
    /// Paragraphs that a passing example cites and puts to work, sorted. Empty for rules that do not keep track of
    /// what is at work.
    pub proven: Vec<String>,
    /// Paragraphs that a passing example cites and does not put to work: the example, the paragraph.
    pub idle: Vec<(String, String)>,
}

/// A ruleset as some examples need it, with rules that are used again.
type Kept<R> = BTreeMap<String, (Arc<Ruleset>, Option<R>)>;

/// Which examples are acted out, and how.
#[derive(Debug, Clone, Copy, Default)]
pub struct Choice<'a> {
    /// Only those whose name contains this.
    pub only: &'a str,
    /// Only those that cite this paragraph.
    pub citing: Option<&'a str>,
    /// Values changed for all of them: path and value.
    pub set: &'a [(String, String)],
}

/// Where the examples of a ruleset lie, and in which version they are acted out: those of an amendment with it, and with
/// what it needs, unless they say otherwise.
fn folders(base: &Ruleset) -> Vec<(String, VersionName)> {
    let own = (format!("rulesets/{}/examples/", base.id), VersionName::default());
    let carried = base.amendments.iter().filter(|a| a.on);
    iter::once(own).chain(carried.map(|a| (format!("{}/examples/", a.folder), base.version_with(&a.id)))).collect()
}

/// The files of examples: path, text, version.
fn files<'a>(
    library: &'a Library,
    folders: &'a [(String, VersionName)],
) -> impl Iterator<Item = (&'a str, &'a str, &'a VersionName)> {
    let all = folders.iter().flat_map(|(prefix, version)| library.under(prefix).map(move |file| (file, version)));
    all.filter(|((path, _), _)| path.ends_with(".yaml")).map(|((path, text), version)| (path, text, version))
}

/// Everything wrong with how the examples of a ruleset are written. Nothing is acted out.
pub fn check_examples(library: &Library, base: &Ruleset) -> Diagnostics {
    let mut found = Diagnostics::default();
    for (path, text, _) in files(library, &folders(base)) {
        let node = yaml::parse(path, text, &mut found);
        for example in read_examples(&node, base, &mut found) {
            check_names(&example.node, base, &mut found);
            if SHOWING.iter().all(|key| example.node.get(key).is_none_or(is_empty)) {
                let message = "this example shows nothing: it neither plays nor expects anything";
                found.warning("no-effect", &example.span, message, "add `play:` or `expect:`");
            }
        }
    }
    found
}

/// Acts out the chosen examples of a ruleset. `make` loads the rules of a ruleset.
pub fn run_examples<R: Rules>(
    library: &Library,
    base: &Ruleset,
    choice: Choice<'_>,
    make: &mut dyn FnMut(&Arc<Ruleset>) -> Result<R, String>,
) -> Report {
    let mut report = Report::default();
    let mut kept: Kept<R> = BTreeMap::new();
    let folders = folders(base);
    for (path, text, version) in files(library, &folders) {
        let mut found = Diagnostics::default();
        let node = yaml::parse(path, text, &mut found);
        let list = read_examples(&node, base, &mut found);
        for wrong in &found.list {
            let at = format!("{path}:{}", wrong.position(library).0);
            report.examples += 1;
            let help = if wrong.help.is_empty() { String::new() } else { format!(": {}", wrong.help) };
            let message = format!("{}{help}", wrong.message);
            report.failed.push(Failed { name: "the file itself".into(), at, message, told: Vec::new() });
        }
        let is_chosen = |e: &&Example| {
            e.name.contains(choice.only) && choice.citing.is_none_or(|id| e.cite.iter().any(|c| c == id))
        };
        for example in list.iter().filter(is_chosen) {
            report.examples += 1;
            match act(library, &base.id, example, version, choice.set, &mut kept, make) {
                // Who looks ahead puts many rules to work that the example itself shows nothing of.
                Ok(_) if example.asks_players => (),
                Ok(at_work) => {
                    for id in &example.cite {
                        let entry = base.rulebook.find(id).map(|cite| &base.rulebook.entries[cite.0 as usize]);
                        match entry.filter(|entry| is_put_to_work(entry, &at_work)) {
                            Some(_) => report.proven.push(id.clone()),
                            None => report.idle.push((example.name.clone(), id.clone())),
                        }
                    }
                }
                Err(failure) => {
                    let line = text[..failure.span.start.min(text.len())].matches('\n').count() + 1;
                    let (name, at) = (example.name.clone(), format!("{path}:{line}"));
                    report.failed.push(Failed { name, at, message: failure.message, told: failure.told });
                }
            }
        }
    }
    report.proven.sort();
    report.proven.dedup();
    report
}

/// Acts one example out; what it put to work.
fn act<R: Rules>(
    library: &Library,
    id: &str,
    example: &Example,
    version: &VersionName,
    also_set: &[(String, String)],
    kept: &mut Kept<R>,
    make: &mut dyn FnMut(&Arc<Ruleset>) -> Result<R, String>,
) -> Result<BTreeSet<String>, Failure> {
    let version = example.version.as_deref().map_or_else(|| version.clone(), VersionName::parse);
    let key = format!("{version}{:?}{:?}{:?}", example.set, example.change, example.map);
    let (ruleset, rules) = match kept.remove(&key) {
        Some(known) => known,
        None => {
            let set = [&example.set, also_set].concat();
            let (change, map) = (example.change.clone(), example.map.clone());
            let selection = Selection { version, set, change, map, ..Selection::default() };
            let loaded = Ruleset::load(library, id, &selection);
            match loaded {
                Ok(Loaded { ruleset, warnings }) if warnings.list.is_empty() => (ruleset, None),
                Ok(Loaded { warnings: found, .. }) | Err(found) => {
                    let wrong = found.list.first().map(|wrong| wrong.one_line(library)).unwrap_or_default();
                    return fail(&example.span, format!("its fixture does not load: {wrong}"));
                }
            }
        }
    };
    let rules = rules.map_or_else(|| make(&ruleset), Ok).or_else(|wrong| fail(&example.span, wrong))?;
    let (outcome, mut back) = run_example(example, &ruleset, rules);
    let at_work = with_their_rows(back.at_work(), &ruleset);
    let printed = back.printed();
    kept.insert(key, (ruleset, Some(back)));
    match outcome {
        Outcome::Passed => Ok(at_work),
        Outcome::Failed(mut failure) => {
            failure.told.extend(printed.iter().map(|line| format!("printed: {line}")));
            Err(failure)
        }
    }
}

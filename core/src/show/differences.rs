//! How two versions differ on paper, told: as text, as Markdown, and for machines.

use std::fmt::Write as _;

use serde_json::{Value, json};
use similar::TextDiff;

use crate::ruleset::{Amendment, Difference, Differences, Group, Provenance, RuleDifference, Stands};

/// Which version is meant, for tables.
const VERSIONS: [&str; 2] = ["first", "second"];

/// What a document of differences is put together from, whatever it is written in.
pub(super) trait Writer {
    /// The two versions, and how much differs between them.
    fn begin(&mut self, names: [&str; 2], counts: &[String]);
    /// An amendment that is on in one version alone, with what is known of it.
    fn amendment(&mut self, amendment: &Amendment, on_in: &str, about: &[String]);
    /// A heading over what no single amendment makes differ.
    fn heading(&mut self, text: &str);
    /// A value.
    fn value(&mut self, value: &Difference);
    /// A rule, with its lines: those of the first version that the second lacks, and the other way round.
    fn rule(&mut self, rule: &RuleDifference, lines: &str);
}

/// Writes what differs.
pub(super) fn write(differences: &Differences, writer: &mut impl Writer) {
    let amendments = differences.amendments();
    let names = &differences.names;
    writer.begin(names.each_ref().map(String::as_str), &counts(differences));
    for Group { by, values, rules } in differences.groups() {
        let named = |id: &String| amendments.iter().find(|(amendment, _)| amendment.id == *id);
        for id in &by {
            match named(id) {
                Some((amendment, on)) => {
                    let on_in = format!("on in {}", names[*on]);
                    writer.amendment(amendment, &on_in, &about(amendment));
                }
                None => writer.heading(id),
            }
        }
        if by.is_empty() {
            writer.heading("by no amendment");
        }
        values.into_iter().for_each(|value| writer.value(value));
        rules.into_iter().for_each(|rule| writer.rule(rule, &line_by_line(rule)));
    }
}

/// So many of something, with its word.
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// How many values, paragraphs of the rulebook, if any, and rules differ.
pub fn counted(differences: &Differences) -> Vec<String> {
    let is_said = |path: &str| path == "rulebook" || path.starts_with("rulebook/");
    let paragraphs = differences.values.iter().filter(|value| is_said(&value.path)).count();
    let mut all = vec![count(differences.values.len() - paragraphs, "value", "values")];
    if paragraphs > 0 {
        all.push(count(paragraphs, "line of the rulebook", "lines of the rulebook"));
    }
    all.push(count(differences.rules.len(), "rule", "rules"));
    all
}

/// How much differs, in sentences.
fn counts(differences: &Differences) -> Vec<String> {
    if differences.is_empty() {
        return vec!["Nothing differs.".to_owned()];
    }
    let amendments = differences.amendments();
    let mut differ = counted(differences);
    let last = differ.pop().unwrap_or_default();
    let alone = count(amendments.len(), "amendment is", "amendments are");
    let mut counts = vec![format!("{alone} on in one of them alone; {} and {last} differ.", differ.join(", "))];
    let mut known: Vec<(Provenance, usize)> = Vec::new();
    for without in amendments.iter().filter_map(|(amendment, _)| amendment.without.as_ref()) {
        match known.iter_mut().find(|(from, _)| *from == without.from) {
            Some((_, count)) => *count += 1,
            None => known.push((without.from, 1)),
        }
    }
    known.sort();
    if !known.is_empty() {
        let known: Vec<String> = known.iter().map(|(from, count)| format!("{count} {}", from.word())).collect();
        counts.push(format!("How the game goes without an amendment: {}.", known.join(", ")));
    }
    counts
}

/// What is known of an amendment, a sentence each.
fn about(amendment: &Amendment) -> Vec<String> {
    let what = [
        Some(amendment.kind.word()),
        amendment.nature.map(|nature| nature.word()),
        amendment.source.as_deref(),
        amendment.date.as_deref(),
    ];
    let mut about = vec![what.into_iter().flatten().collect::<Vec<_>>().join(", ")];
    about.extend(
        amendment.without.iter().map(|without| format!("without it ({}): {}", without.from.word(), without.says)),
    );
    about
}

/// The lines of a rule that the versions do not share, among those around them.
fn line_by_line(rule: &RuleDifference) -> String {
    let [first, second] = rule.lines.each_ref().map(|lines| lines.as_ref().map_or("", |lines| &lines.written));
    let end = |text: &str| if text.is_empty() { String::new() } else { format!("{}\n", text.trim_end()) };
    TextDiff::from_lines(end(first), end(second)).unified_diff().context_radius(3).to_string()
}

/// What stands there, with what it means.
pub(super) fn written(stands: &Stands) -> String {
    let means = stands.means.as_ref().map(|means| format!(": {means}")).unwrap_or_default();
    format!("{}{means}", stands.written)
}

/// Where something stands, as editors find it.
pub(super) fn place(stands: &Stands) -> String {
    let (file, line) = &stands.at;
    if file == "--set" { file.clone() } else { format!("{file}:{line}") }
}

/// A citation in brackets, behind a gap; nothing where nothing is cited.
fn cited(cite: &str) -> String {
    if cite.is_empty() { String::new() } else { format!("  [{cite}]") }
}

/// As text for a terminal.
pub fn differences_text(differences: &Differences) -> String {
    let mut text = Plain(String::new());
    write(differences, &mut text);
    text.0
}

struct Plain(String);

impl Plain {
    fn line(&mut self, indent: usize, line: &str) {
        let _ = writeln!(self.0, "{:indent$}{line}", "");
    }
}

impl Writer for Plain {
    fn begin(&mut self, [first, second]: [&str; 2], counts: &[String]) {
        self.line(0, &format!("- {first}\n+ {second}"));
        counts.iter().for_each(|line| self.line(0, line));
    }

    fn amendment(&mut self, amendment: &Amendment, on_in: &str, about: &[String]) {
        self.line(0, &format!("\n{}: {}  ({on_in})", amendment.id, amendment.title));
        about.iter().for_each(|line| self.line(4, line));
    }

    fn heading(&mut self, text: &str) {
        self.line(0, &format!("\n{text}"));
    }

    fn value(&mut self, value: &Difference) {
        self.line(2, &format!("{}{}", value.path, cited(&value.cite)));
        if let Some(says) = &value.says {
            self.line(4, &format!("({says})"));
        }
        for (sign, stands) in ["-", "+"].into_iter().zip(&value.stands) {
            if let Some(stands) = stands {
                self.line(4, &format!("{sign} {}  ({})", written(stands), place(stands)));
            }
        }
    }

    fn rule(&mut self, rule: &RuleDifference, lines: &str) {
        self.line(2, &format!("rules/{}{}", rule.name, cited(&rule.cite)));
        for (sign, stands) in ["-", "+"].into_iter().zip(&rule.lines) {
            self.line(4, &format!("{sign} {}", stands.as_ref().map_or("none".into(), place)));
        }
        lines.lines().for_each(|line| self.line(4, line));
    }
}

/// As Markdown.
pub fn differences_markdown(differences: &Differences) -> String {
    let mut text = Markdown(String::new());
    write(differences, &mut text);
    text.0
}

struct Markdown(String);

impl Markdown {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.0, "{line}");
    }
}

/// A piece of code in a line of Markdown, fenced by more ticks than it holds one after the other.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let gap = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{gap}{text}{gap}{fence}")
}

/// A text without the signs that Markdown would read.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| "\\`*_[]<>#|".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

impl Writer for Markdown {
    fn begin(&mut self, names: [&str; 2], counts: &[String]) {
        let [first, second] = names.map(code);
        self.line(&format!("# {first} and {second}\n"));
        counts.iter().for_each(|line| self.line(&format!("{}\n", escaped(line))));
    }

    fn amendment(&mut self, amendment: &Amendment, on_in: &str, about: &[String]) {
        self.line(&format!("\n## {}: {}\n\n*{}*\n", escaped(&amendment.id), escaped(&amendment.title), escaped(on_in)));
        about.iter().for_each(|line| self.line(&format!("{}\n", escaped(line))));
    }

    fn heading(&mut self, text: &str) {
        self.line(&format!("\n## {}\n", escaped(text)));
    }

    fn value(&mut self, value: &Difference) {
        self.line(&format!("- {}{}", code(&value.path), escaped(&cited(&value.cite))));
        if let Some(says) = &value.says {
            self.line(&format!("  ({})", escaped(says)));
        }
        for (version, stands) in VERSIONS.into_iter().zip(&value.stands) {
            let stands = stands.as_ref().map_or("nothing".into(), |stands| code(&written(stands)));
            self.line(&format!("  - {version}: {stands}"));
        }
    }

    fn rule(&mut self, rule: &RuleDifference, lines: &str) {
        self.line(&format!("- {}{}\n", code(&format!("rules/{}", rule.name)), escaped(&cited(&rule.cite))));
        let longest = lines.split(|c| c != '`').map(str::len).max().unwrap_or(0).max(2);
        let fence = "`".repeat(longest + 1);
        self.line(&format!("  {fence}diff"));
        lines.lines().for_each(|line| self.line(&format!("  {line}")));
        self.line(&format!("  {fence}"));
    }
}

/// For machines: `versions`; `amendments` that are on in one of them alone (`on` says in which, 0 or 1); `values` with
/// `path`, `stands` (two, each `written`, `means` (of a setting's choice), `file` and `line`, or null), `says`, `cite`, `by`; and `rules` alike.
pub fn differences_json(differences: &Differences) -> Value {
    let stands = |stands: &Option<Stands>| {
        stands.as_ref().map(|s| json!({ "written": s.written, "means": s.means, "file": s.at.0, "line": s.at.1 }))
    };
    let amendment = |(amendment, on): (&Amendment, usize)| {
        json!({ "amendment": amendment.id, "title": amendment.title, "on": on, "kind": amendment.kind.word(),
            "nature": amendment.nature.map(|nature| nature.word()), "source": amendment.source, "date": amendment.date,
            "without": amendment.without.as_ref().map(|w| json!({ "says": w.says, "from": w.from.word() })) })
    };
    let value = |value: &Difference| {
        json!({ "path": value.path, "stands": value.stands.each_ref().map(stands), "says": value.says,
            "cite": value.cite, "by": value.by })
    };
    let rule = |rule: &RuleDifference| json!({ "rule": rule.name, "stands": rule.lines.each_ref().map(stands), "cite": rule.cite, "by": rule.by });
    json!({ "format": 1, "versions": differences.names,
        "amendments": differences.amendments().into_iter().map(amendment).collect::<Vec<_>>(),
        "values": differences.values.iter().map(value).collect::<Vec<_>>(),
        "rules": differences.rules.iter().map(rule).collect::<Vec<_>>() })
}

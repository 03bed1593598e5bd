//! The rules that the texts of rule files declare, and which of them stand in place of others; nothing is run.

use super::{Amendment, Cite, Rule, Rulebook, amendment::comes_after};
use crate::diagnostic::{Diagnostics, Span, suggest};

/// A rule file.
#[derive(Debug, Clone)]
pub(super) struct RuleFile {
    /// The module whose functions it holds, which is its name.
    pub module: String,
    /// Where it lies.
    pub path: String,
    /// What it says.
    pub text: String,
    /// The amendment that carries it.
    pub amendment: Option<usize>,
}

/// Things of one kind are counted in 16 bits.
const MOST: usize = 20_000;

/// A rule as its file declares it.
struct Declared {
    rule: Rule,
    replaces: bool,
    span: Span,
}

/// Reads the rules of all files. A rule of an amendment may stand in place of another if it says so; of two amendments
/// that have one rule, one must come after the other.
pub(super) fn read(
    files: &[RuleFile],
    amendments: &[Amendment],
    book: &Rulebook,
    found: &mut Diagnostics,
) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut owners: Vec<Option<usize>> = Vec::new();
    for file in files {
        if let Some((_, name)) = file.module.rsplit_once('/') {
            let message = format!("`{name}.luau` lies in a folder within `rules`");
            found.error(
                "module",
                &Span::file(&file.path),
                message,
                "put it into `rules` itself: its name is its module's",
            );
        }
        let name = file.module.rsplit('/').next().unwrap_or_default();
        if !is_word(name) {
            let near =
                name.split(|c: char| !c.is_ascii_alphanumeric()).collect::<Vec<_>>().join("_").to_ascii_lowercase();
            let near = if is_word(&near) { format!(", such as `{near}.luau`") } else { String::new() };
            let message = format!("`{name}` is no word of Luau, and rules call a module by the name of its file");
            let help = "give the file a name of letters, digits and underscores that begins with a letter";
            found.error("module", &Span::file(&file.path), message, format!("{help}{near}"));
            continue;
        }
        for Declared { rule, replaces, span } in scan(file, book, found) {
            let Some(at) = rules.iter().position(|known| known.name == rule.name) else {
                if replaces {
                    let help = suggest(&rule.name, rules.iter().map(|r| r.name.as_str()));
                    found.error("unknown-rule", &span, format!("there is no rule `{}` to replace", rule.name), help);
                }
                rules.push(rule);
                owners.push(file.amendment);
                continue;
            };
            let (path, line) = &rules[at].at;
            if let (Some(own), Some(other)) = (file.amendment, owners[at].filter(|_| *path != file.path))
                && !comes_after(amendments, own, other)
            {
                let (own, other) = (&amendments[own].id, &amendments[other].id);
                let message = format!("`{own}` and `{other}` both have a rule `{}`", rule.name);
                let help =
                    format!("leave one out: ~{other} or ~{own}; or write in one that it comes `after:` the other");
                found.error("conflict", &span, message, help);
                continue;
            }
            if *path == file.path || !replaces {
                let message = format!("`{}` stands already in {path}:{line}", rule.name);
                let help = match *path == file.path {
                    true => "rename one of the two",
                    false => "rename it, or write `--- @replaces` above it to put it in place of the other",
                };
                found.error("twice", &span, message, help);
                continue;
            }
            let old = std::mem::replace(&mut rules[at], rule);
            let new = &mut rules[at];
            new.instead = old.instead;
            new.instead.push(old.at);
            if new.cite == Cite::NONE {
                new.cite = old.cite;
            }
            owners[at] = file.amendment;
        }
    }
    rules
}

/// Whether Luau can have it as a name.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Finds the rules in Luau text: `function module.name(` with its comment above. The comment's first line says
/// what the rule does, `@cite` names its paragraph, and `@replaces` puts it in place of another, so the loader knows
/// every rule without running any.
fn scan(file: &RuleFile, book: &Rulebook, found: &mut Diagnostics) -> Vec<Declared> {
    let (module, path) = (file.module.as_str(), file.path.as_str());
    let mut rules = Vec::new();
    let (mut says, mut cite, mut replaces) = (String::new(), Cite::NONE, false);
    let mut offset = 0;
    for (number, line) in file.text.split('\n').enumerate() {
        let span = Span { file: path.into(), start: offset, end: offset + line.len() };
        offset += line.len() + 1;
        if let Some(comment) = line.strip_prefix("---") {
            let comment = comment.trim();
            if comment == "@replaces" {
                replaces = true;
            } else if let Some(id) = comment.strip_prefix("@cite ") {
                // One that does not stand in the rulebook is told with whatever else is wrong in the file.
                cite = book.find(id.trim()).unwrap_or(Cite::NONE);
            } else if says.is_empty() {
                says = comment.to_owned();
            }
            continue;
        }
        if let Some(rest) = line.strip_prefix("function ")
            && let Some((name, _)) = rest.split_once('(')
            && let Some((owner, _)) = name.split_once('.')
        {
            if owner == module {
                let at = (path.to_owned(), number + 1);
                let (name, says, instead) = (name.to_owned(), std::mem::take(&mut says), Vec::new());
                rules.push(Declared { rule: Rule { name, cite, at, says, instead, asks: Vec::new() }, replaces, span });
            } else {
                let message = format!("`{name}` stands in the file of module `{module}`");
                found.error("module", &span, message, format!("call it `{module}.{}`", &name[owner.len() + 1..]));
            }
        }
        says.clear();
        (cite, replaces) = (Cite::NONE, false);
    }
    if rules.len() > MOST {
        let message = format!("{} rules are more than {MOST}", rules.len());
        found.error("too-many", &Span::file(path), message, "join some of them");
        rules.truncate(MOST);
    }
    rules
}

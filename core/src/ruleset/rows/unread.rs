//! Names that mean something, and not where they are used: what to say of them.

use super::{
    compile::{Compiler, Typed},
    parse::Tree,
};
use crate::diagnostic::Diagnostics;

/// Terms and sets that are declared and cannot be used where something is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unread<'a> {
    /// The one that is being read.
    pub own: Option<&'a str>,
    /// By way of whom it is made of itself, if it is: its name, then theirs.
    pub circle: &'a [&'a str],
    /// Those that are read later.
    pub later: &'a [String],
    /// Those that are wrong themselves, which has been told.
    pub wrong: &'a [String],
}

impl Compiler<'_> {
    /// Says that a name means nothing where it stands, unless more is known of it: with this message, and the hint that is
    /// found for it.
    pub(super) fn means_nothing(
        &self,
        tree: &Tree,
        name: &str,
        (message, help): (String, impl FnOnce(&Diagnostics) -> String),
        found: &mut Diagnostics,
    ) -> Option<Typed> {
        let names = self.names;
        let is_in = |list: &[String]| list.iter().any(|one| one == name);
        if is_in(names.unread.wrong) {
            return None;
        }
        match names.unread.own {
            Some(own) if own == name => {
                let help = "say it of others, or let a rule go on from one to the next".to_owned();
                return self.wrong(tree, format!("`{name}` cannot be made of itself"), help, found);
            }
            Some(own) if is_in(names.unread.later) => {
                let by_way_of: Vec<String> = match names.unread.circle {
                    [_, others @ ..] if others.contains(&name) => others.iter().map(|one| format!("`{one}`")).collect(),
                    _ => vec![format!("`{name}`")],
                };
                let message = format!("`{own}` is made of {}, and that of `{own}`", by_way_of.join(", that of "));
                return self.wrong(tree, message, "say one of them without the next".to_owned(), found);
            }
            None if is_in(names.unread.later) => {
                let help = "zones and lines of sight use neither terms nor sets".to_owned();
                return self.wrong(tree, format!("`{name}` is read later"), help, found);
            }
            _ => (),
        }
        if names.sets.iter().any(|set| set.name == name) {
            let help = format!("ask of its members, as in any({name} as one, ...)");
            return self.wrong(tree, format!("`{name}` is a set, and one thing is wanted here"), help, found);
        }
        if let Some(term) = names.terms.iter().find(|term| term.name == name) {
            let given: Vec<&str> = term.given.iter().map(|(name, _)| name.as_str()).collect();
            let help = format!("write {name}({})", given.join(", "));
            return self.wrong(tree, format!("the term `{name}` is to be given {}", given.join(" and ")), help, found);
        }
        let (message, help) = otherwise(name).unwrap_or_else(|| (message, help(found)));
        self.wrong(tree, message, help, found)
    }
}

/// What is to be said of words that belong to the language and are written as what they are not.
fn otherwise(name: &str) -> Option<(String, String)> {
    let asked = match name {
        "any" | "all" | "count" => "CONDITION",
        "total" => "NUMBER",
        "bins" | "fill" => "CONDITION, NUMBER, ROOM",
        "may" | "sum" | "first" => {
            let message = format!("`{name}` is asked by rules and by rows of players, and by no other row");
            return Some((message, "make a term of what it says, and ask that in both".to_owned()));
        }
        _ => return None,
    };
    let message = format!("`{name}` goes through a set, and its members need a name");
    Some((message, format!("write {name}(SET as one, {asked})")))
}

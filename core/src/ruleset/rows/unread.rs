//! Names that mean something, and not where they are used: what to say of them.

use super::{
    compile::{Compiler, Typed},
    parse::Tree,
};
use crate::diagnostic::Diagnostics;

/// What is declared and cannot be used where something is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unread<'a> {
    /// The term that is being read, and those that stand below it.
    pub terms: &'a [String],
    /// Sets that stand below, or are read later.
    pub sets: &'a [String],
    /// Sets that are wrong themselves, which has been told.
    pub wrong: &'a [String],
}

impl Compiler<'_> {
    /// Says that a name means nothing where it stands, with this message and hint, unless more is known of it.
    pub(super) fn means_nothing(
        &self,
        tree: &Tree,
        name: &str,
        (message, help): (String, String),
        found: &mut Diagnostics,
    ) -> Option<Typed> {
        let names = self.names;
        let is_in = |list: &[String]| list.iter().any(|one| one == name);
        if is_in(names.unread.wrong) {
            return None;
        }
        if names.unread.terms.first().is_some_and(|own| own == name) {
            let help = "say it of what stands above, or let a rule go on from one to the next".to_owned();
            return self.wrong(tree, format!("the term `{name}` cannot be made of itself"), help, found);
        }
        if is_in(names.unread.terms) {
            let help = "terms and sets use what stands above them: move it up".to_owned();
            return self.wrong(tree, format!("the term `{name}` stands below"), help, found);
        }
        if is_in(names.unread.sets) {
            let help = "sets use the sets above them, and terms use none".to_owned();
            return self.wrong(tree, format!("the set `{name}` is read later"), help, found);
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
        let (message, help) = otherwise(name).unwrap_or((message, help));
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

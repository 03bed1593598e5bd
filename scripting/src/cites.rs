//! What the effects of rules cite: what a rule says with each, and where it says nothing, the paragraph that stands above
//! the rule, as `--- @cite`.

use std::collections::BTreeMap;

use countermarch_core::{
    play::Game,
    ruleset::{Cite, Ruleset},
};
use mlua::{Error, Lua, Result};

/// By file: from which lines on functions stand, and what is cited above each.
#[derive(Debug, Default)]
pub struct RuleCites(BTreeMap<String, FileCites>);

/// Of one file: what its functions cite, as they stand.
#[derive(Debug, Default)]
pub struct FileCites(Vec<FunctionCites>);

/// A function: the line and the byte where it begins, and what it cites.
#[derive(Debug)]
struct FunctionCites {
    line: usize,
    byte: usize,
    cite: Cite,
}

impl FileCites {
    /// Reads a file. Functions begin with a line, and what they cite stands above them, as for the rules themselves; one
    /// that is put in place of another may cite what that did.
    pub fn read(ruleset: &Ruleset, path: &str, text: &str) -> FileCites {
        let mut functions = Vec::new();
        let (mut above, mut after) = (Cite::NONE, 0);
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let byte = after;
            after += line.len();
            if let Some(comment) = line.strip_prefix("---") {
                if let Some(id) = comment.trim().strip_prefix("@cite ") {
                    above = ruleset.rulebook.find(id.trim()).unwrap_or(Cite::NONE);
                }
                continue;
            }
            if line.starts_with("function ") || line.starts_with("local ") {
                let is_here = |place: &(String, usize)| place.0 == path && place.1 == at + 1;
                let rule = ruleset.rules.iter().find(|rule| above == Cite::NONE && is_here(&rule.at));
                let cite = rule.map_or(above, |rule| rule.cite);
                functions.push(FunctionCites { line: at + 1, byte, cite });
            }
            above = Cite::NONE;
        }
        FileCites(functions)
    }

    /// What the function cites that a line stands in.
    pub fn at_line(&self, line: usize) -> Cite {
        self.before(self.0.partition_point(|function| function.line <= line))
    }

    /// What the function cites that a byte of the file stands in.
    pub fn at_byte(&self, byte: usize) -> Cite {
        self.before(self.0.partition_point(|function| function.byte <= byte))
    }

    fn before(&self, function: usize) -> Cite {
        function.checked_sub(1).map_or(Cite::NONE, |at| self.0[at].cite)
    }
}

impl RuleCites {
    /// Reads all rule files.
    pub fn read(ruleset: &Ruleset) -> RuleCites {
        let files = ruleset.sources.iter();
        RuleCites(files.map(|(path, text)| (path.clone(), FileCites::read(ruleset, path, text))).collect())
    }

    /// What the rule cites that is so many calls up.
    pub fn of_caller(lua: &Lua, level: usize) -> Cite {
        let Some(cites) = lua.app_data_ref::<RuleCites>() else { return Cite::NONE };
        let cite = lua.inspect_stack(level, |caller| {
            let (source, line) = (caller.source().source?, caller.current_line()?);
            Some(cites.0.get(source.strip_prefix('=')?)?.at_line(line))
        });
        cite.flatten().unwrap_or(Cite::NONE)
    }
}

/// What an effect cites that a rule calls for: `given`, which must be there, or what the rule does. The linker has put
/// numbers in place of texts. Where nobody is told, nobody looks which rule it is.
pub fn cited(lua: &Lua, game: &Game, given: Option<u16>) -> Result<Cite> {
    match given {
        Some(cite) if usize::from(cite) < game.ruleset.rulebook.entries.len() => Ok(Cite(cite)),
        Some(cite) => Err(Error::runtime(format!("citation {cite} does not stand in the rulebook"))),
        None if game.telling => Ok(RuleCites::of_caller(lua, 1)),
        None => Ok(Cite::NONE),
    }
}

/// Puts the number of a paragraph in place of its quoted id, so that no citation is looked up while a rule runs.
/// Lines stay where they are.
pub fn as_numbers(ruleset: &Ruleset, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('"') {
        let Some(length) = rest[open + 1..].find(['"', '\n']) else { break };
        let (quoted, end) = (&rest[open + 1..open + 1 + length], open + 1 + length);
        match ruleset.rulebook.find(quoted).filter(|_| rest[end..].starts_with('"')) {
            Some(cite) => {
                out.push_str(&rest[..open]);
                out.push_str(&cite.0.to_string());
                rest = &rest[end + 1..];
            }
            None => {
                out.push_str(&rest[..=end]);
                rest = &rest[end + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

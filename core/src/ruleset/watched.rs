//! Conditions looked at after every task: of standing rules, which are carried out where one holds, and of invariants,
//! which must hold.

use super::{
    Cite, Kind, Part, Rule, RuleId,
    reading::Reader,
    rows::{Compiler, Expr, Names, Reads, Scope},
    texts,
};
use crate::{diagnostic::suggest, yaml::Node};

/// An "at once" rule: carried out at the end of every task, again and again while its condition holds.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The rule.
    pub rule: RuleId,
    /// When there is something for it to do.
    pub when: Expr,
    /// What of the state that condition looks at.
    pub reads: Vec<Part>,
}

/// A condition that holds between any two tasks, whatever is played: rules that let it break are wrong.
#[derive(Debug, Clone)]
pub struct Invariant {
    /// Its id.
    pub id: String,
    /// The places of the sequence in which it holds, by index; everywhere if there are none.
    pub places: Vec<usize>,
    /// When it is broken.
    pub broken: Expr,
    /// What of the state that condition looks at.
    pub reads: Vec<Part>,
    /// What holds, as a sentence.
    pub say: String,
    /// Where it stands in the rulebook.
    pub cite: Cite,
}

/// Reads `standing:`.
pub(super) fn standing(
    node: Option<&Node>,
    rules: &[Rule],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Vec<Standing> {
    let mut list = Vec::new();
    for item in node.map(|n| n.items(reader.found)).unwrap_or_default() {
        let mut fields = item.fields(reader.found);
        let (rule, when) = (fields.must("rule", reader.found), fields.must("when", reader.found));
        fields.finish(reader.found);
        let (Some(rule), Some(when)) = (rule, when) else { continue };
        let text = rule.as_text(reader.found);
        match (rules.iter().position(|r| r.name == text), condition(when, names, reader)) {
            (Some(at), Some((when, reads))) => list.push(Standing { rule: RuleId(at as u16), when, reads }),
            (Some(_), None) => (),
            (None, _) => {
                let help = suggest(&text, rules.iter().map(|r| r.name.as_str()));
                reader.found.error("unknown-rule", &rule.span, format!("there is no rule `{text}`"), help);
            }
        }
    }
    list
}

/// Reads `always:`.
pub(super) fn invariants(
    node: Option<&Node>,
    places: &[String],
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> Vec<Invariant> {
    let mut list: Vec<Invariant> = Vec::new();
    for item in node.map(|n| n.items(reader.found)).unwrap_or_default() {
        let mut fields = item.fields(reader.found);
        let id_node = fields.must("id", reader.found);
        let id = id_node.map(|n| n.as_text(reader.found)).unwrap_or_default();
        let mut within = Vec::new();
        for place in fields.may("at").map(|n| n.items(reader.found)).unwrap_or_default() {
            let text = place.as_text(reader.found);
            match places.iter().position(|p| *p == text) {
                Some(at) => within.push(at),
                None => {
                    let help = suggest(&text, places.iter().map(String::as_str));
                    let message = format!("`{text}` is no place of the sequence");
                    reader.found.error("unknown-name", &place.span, message, help);
                }
            }
        }
        let holds = fields.must("holds", reader.found);
        let say = fields.must("say", reader.found).map(|n| texts::plain(n, reader)).unwrap_or_default();
        let cite = reader.must_cite(&mut fields);
        fields.finish(reader.found);
        if let Some(node) = id_node.filter(|_| list.iter().any(|i| i.id == id)) {
            reader.found.error("twice", &node.span, format!("`{id}` is listed twice"), "use another id");
        }
        if let Some((holds, reads)) = holds.and_then(|n| condition(n, names, reader)) {
            list.push(Invariant { id, places: within, broken: Expr::Not(Box::new(holds)), reads, say, cite });
        }
    }
    list
}

/// A condition on the whole game, with what of the state it looks at.
fn condition(node: &Node, names: &Names<'_>, reader: &mut Reader<'_>) -> Option<(Expr, Vec<Part>)> {
    let compiler = Compiler { names, span: node.span.clone() };
    let when = compiler.compile(&node.as_text(reader.found), &Scope::default(), Kind::Flag, reader.found)?;
    let reads = Reads::of(&when, names).parts(names.schema);
    Some((when, reads))
}

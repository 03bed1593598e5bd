//! What every part of loading needs: names to look things up by, and where to put what is wrong.

use super::{Cite, Rulebook};
use crate::{
    diagnostic::Diagnostics,
    map::{Map, SpaceId},
    yaml::{Fields, Node},
};

/// Names known so far while a ruleset is being read.
pub(super) struct Reader<'a> {
    pub found: &'a mut Diagnostics,
    pub map: &'a Map,
    pub rulebook: &'a Rulebook,
    pub sides: Vec<String>,
    pub units: Vec<String>,
    pub boxes: Vec<String>,
}

impl Reader<'_> {
    fn look(&mut self, node: &Node, known: &[String], what: &str) -> Option<i32> {
        let text = node.as_text(self.found);
        if text == "nothing" {
            return None;
        }
        let at = known.iter().position(|k| *k == text);
        if at.is_none() {
            let help = self.found.suggest(&text, known.iter().map(String::as_str));
            self.found.error("unknown-name", &node.span, format!("there is no {what} `{text}`"), help);
        }
        at.map(|at| at as i32)
    }

    pub fn unit(&mut self, node: &Node) -> Option<i32> {
        let known = std::mem::take(&mut self.units);
        let at = self.look(node, &known, "unit");
        self.units = known;
        at
    }

    pub fn side(&mut self, node: &Node) -> Option<i32> {
        let known = std::mem::take(&mut self.sides);
        let at = self.look(node, &known, "side");
        self.sides = known;
        at
    }

    pub fn holding_box(&mut self, node: &Node) -> Option<i32> {
        let known = std::mem::take(&mut self.boxes);
        let at = self.look(node, &known, "box");
        self.boxes = known;
        at
    }

    pub fn space(&mut self, node: &Node) -> Option<SpaceId> {
        let text = node.as_text(self.found);
        let at = self.map.find(&text);
        if at.is_none() && text != "nothing" {
            let names: Vec<&str> = self.map.spaces().map(|s| self.map.space(s).name.as_str()).collect();
            let called = |space: &SpaceId| self.map.space(*space).label.as_ref().is_some_and(|label| *label == text);
            let help = match self.map.spaces().find(called) {
                Some(space) => format!("people call `{}` so: write that", self.map.space(space).name),
                None => self.found.suggest(&text, names),
            };
            self.found.error("unknown-space", &node.span, format!("the map has no space `{text}`"), help);
        }
        at
    }

    pub fn terrain(&mut self, node: &Node) -> Option<usize> {
        let text = node.as_text(self.found);
        let at = self.map.terrains.iter().position(|t| *t == text);
        if at.is_none() {
            let help = self.found.suggest(&text, self.map.terrains.iter().map(String::as_str));
            self.found.error("unknown-name", &node.span, format!("the map has no terrain `{text}`"), help);
        }
        at
    }

    /// Reads `cite:`; every citation must stand in the rulebook.
    pub fn cite(&mut self, fields: &mut Fields<'_>) -> Cite {
        fields.may("cite").map_or(Cite::NONE, |node| self.cite_node(node))
    }

    /// Reads `cite:`, which must be there.
    pub fn must_cite(&mut self, fields: &mut Fields<'_>) -> Cite {
        fields.must("cite", self.found).map_or(Cite::NONE, |node| self.cite_node(node))
    }

    /// Reads a citation, or a list of which the first is kept.
    pub fn cite_node(&mut self, node: &Node) -> Cite {
        let mut first = Cite::NONE;
        for item in node.items(self.found) {
            let text = item.as_text(self.found);
            match self.rulebook.find(&text) {
                Some(cite) if first == Cite::NONE => first = cite,
                Some(_) => (),
                None => {
                    let help = self.found.suggest(&text, self.rulebook.entries.iter().map(|e| e.id.as_str()));
                    let message = format!("`{text}` does not stand in the rulebook");
                    self.found.error("unknown-cite", &item.span, message, help);
                }
            }
        }
        first
    }
}

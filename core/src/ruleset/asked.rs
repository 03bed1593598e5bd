//! Conditions that somebody asks of a loaded game, in the language of its rows.

use super::{
    Kind, Ruleset,
    rows::{Compiler, Expr, Names, Scope, Unread},
};
use crate::diagnostic::{Diagnostics, Span};

impl Ruleset {
    /// Reads a condition over what is given, each with its name, in the order of the slots it is evaluated with.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence and a hint.
    pub fn condition(&self, text: &str, given: &[(&str, Kind)]) -> Result<Expr, String> {
        let ids = |list: &mut dyn Iterator<Item = &String>| list.cloned().collect::<Vec<String>>();
        let sides = ids(&mut self.sides.iter().map(|s| &s.id));
        let units = ids(&mut self.units.iter().map(|u| &u.id));
        let boxes = ids(&mut self.boxes.iter().map(|b| &b.id));
        let movers = ids(&mut self.movers.iter().map(|m| &m.name));
        let kept = self.kept();
        let names = Names {
            kept: &kept,
            map: &self.map,
            sides: &sides,
            schema: &self.schema,
            attributes: &self.attributes,
            units: &units,
            boxes: &boxes,
            cards: self.cards.len(),
            terms: &self.terms,
            zones: &self.zones,
            sights: &self.sights,
            sets: &self.sets,
            movers: &movers,
            settings: &self.settings,
            rows: &[],
            numbers: &[],
            unread: Unread::default(),
        };
        let mut found = Diagnostics::default();
        let compiler = Compiler { names: &names, span: Span { file: "condition".into(), start: 0, end: text.len() } };
        let bound = given.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect();
        let expr = compiler.compile(text, &Scope { bound }, Kind::Flag, &mut found);
        expr.ok_or_else(|| match found.list.first() {
            Some(wrong) if wrong.help.is_empty() => wrong.message.clone(),
            Some(wrong) => format!("{}; {}", wrong.message, wrong.help),
            None => "it cannot be read".to_owned(),
        })
    }
}

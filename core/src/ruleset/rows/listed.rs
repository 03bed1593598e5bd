//! Lists of rows that conditions ask: `sum(strength, unit)`, `may(attack, unit, target)`, `first(odds, a, b)`.
//!
//! Only those may ask who are read behind all lists, such as players: no list is a condition of another.

use super::{
    Compiler, Expr, Read, Scope,
    compile::Typed,
    parse::{Tree, What},
};
use crate::diagnostic::{Diagnostics, suggest};

impl Compiler<'_> {
    /// Which way of reading a call names, where lists may be asked and it names one, or tries to.
    pub(super) fn list_called(&self, name: &str, args: &[Tree]) -> Option<Read> {
        let read = Read::ALL.into_iter().find(|read| read.section() == name)?;
        let is_asked = !self.names.rows.is_empty() && matches!(args.first()?.what, What::Name(_));
        let is_term = self.names.terms.iter().any(|term| term.name == name);
        (is_asked && !is_term).then_some(read)
    }

    /// What a list read so comes to; `args` is the call's whole list, whose first names it.
    pub(super) fn listed(
        &self,
        tree: &Tree,
        read: Read,
        args: &[Tree],
        scope: &mut Scope,
        found: &mut Diagnostics,
    ) -> Option<Typed> {
        let (named, args) = args.split_first()?;
        let What::Name(name) = &named.what else { return None };
        let Some(at) = self.names.rows.iter().position(|rows| rows.read == read && rows.name == *name) else {
            let lists = self.names.rows.iter().filter(|rows| rows.read == read).map(|rows| rows.name.as_str());
            let message = format!("there is no list `{name}` under `{}:`", read.section());
            return self.wrong(named, message, suggest(name, lists), found);
        };
        let rows = &self.names.rows[at];
        if rows.given.len() != args.len() {
            let message = format!("`{name}` wants {} and has {}", rows.given.len(), args.len());
            return self.wrong(tree, message, String::new(), found);
        }
        let list: Vec<_> = args.iter().zip(&rows.given).map(|(a, (_, k))| self.expect(a, scope, *k, found)).collect();
        let list = list.into_iter().collect::<Option<Vec<_>>>()?;
        let hands = list.iter().any(|arg| matches!(arg, Expr::Group(_)));
        let call = Expr::Listed(at as u16, list);
        Some((if hands { Expr::Handing(Box::new(call)) } else { call }, rows.kind))
    }
}

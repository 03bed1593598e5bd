//! Where what a map says of a space comes from: in one word, or value by value.

use std::fmt;

use crate::{
    diagnostic::{Diagnostics, suggest},
    ruleset::Provenance,
    yaml::{Node, Value},
};

/// Where the values of a space come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Of all that is not named apart.
    pub rest: Provenance,
    /// Of single values: a terrain, `name`, `level`, `elevation`, or the name of a printed number.
    apart: Vec<(String, Provenance)>,
}

impl Origin {
    /// The values that every space may have, besides terrains and numbers.
    const VALUES: [&'static str; 3] = ["name", "level", "elevation"];

    /// All from one source.
    pub fn all(rest: Provenance) -> Origin {
        Origin { rest, apart: Vec::new() }
    }

    /// Reads `from: survey`, or `from: { name: printed, else: survey }`; nothing written means printed.
    pub fn read(node: Option<&Node>, terrains: &[String], numbers: &[String], found: &mut Diagnostics) -> Origin {
        let Some(Node { value: Value::Map(map), .. }) = node else {
            return Origin::all(Provenance::read(node, found));
        };
        let mut origin = Origin::all(Provenance::read(node.and_then(|n| n.get("else")), found));
        let known = || terrains.iter().chain(numbers).map(String::as_str).chain(Origin::VALUES);
        for (key, word) in map.iter().filter(|(key, _)| key.text() != Some("else")) {
            let what = key.as_text(found);
            if !known().any(|value| value == what) {
                let help = suggest(&what, known().chain(["else"]));
                found.error("unknown-name", &key.span, format!("`{what}` is no value of a space"), help);
            }
            origin.set(&what, Provenance::read(Some(word), found));
        }
        origin
    }

    /// Where one value comes from.
    pub fn of(&self, what: &str) -> Provenance {
        self.apart.iter().find(|(value, _)| value == what).map_or(self.rest, |(_, from)| *from)
    }

    /// Says where one value comes from.
    pub fn set(&mut self, what: &str, from: Provenance) {
        self.apart.retain(|(value, _)| value != what);
        if from != self.rest {
            self.apart.push((what.to_owned(), from));
        }
    }

    /// What comes from elsewhere than the rest.
    pub fn apart(&self) -> &[(String, Provenance)] {
        &self.apart
    }
}

impl fmt::Display for Origin {
    /// As map files write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.apart.is_empty() {
            return f.write_str(self.rest.word());
        }
        f.write_str("{ ")?;
        for (what, from) in &self.apart {
            write!(f, "{what}: {}, ", from.word())?;
        }
        write!(f, "else: {} }}", self.rest.word())
    }
}

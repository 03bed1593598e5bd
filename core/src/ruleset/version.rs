//! Versions by name: a named set of amendments, with others put on it or taken from it.

use std::fmt;

use crate::diagnostic::{Diagnostics, Span};

/// The part after `@`: a named set, and amendments put on it (`+`) or taken from it (`~`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionName {
    /// Named version.
    pub base: String,
    /// Added amendments.
    pub with: Vec<String>,
    /// Amendments left out.
    pub without: Vec<String>,
}

impl Default for VersionName {
    fn default() -> VersionName {
        VersionName { base: "base".into(), with: Vec::new(), without: Vec::new() }
    }
}

impl fmt::Display for VersionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.base)?;
        self.with.iter().try_for_each(|a| write!(f, "+{a}"))?;
        self.without.iter().try_for_each(|a| write!(f, "~{a}"))
    }
}

impl VersionName {
    /// Reads `base+a+b~c`.
    pub fn parse(text: &str) -> VersionName {
        let mut name = VersionName { base: String::new(), ..VersionName::default() };
        let mut rest = text;
        let mut sign = ' ';
        loop {
            let end = rest.find(['+', '~']).unwrap_or(rest.len());
            let word = rest[..end].trim().to_owned();
            match sign {
                '+' => name.with.push(word),
                '~' => name.without.push(word),
                _ => name.base = if word.is_empty() { "base".into() } else { word },
            }
            if end == rest.len() {
                return name;
            }
            sign = char::from(rest.as_bytes()[end]);
            rest = &rest[end + 1..];
        }
    }

    /// Puts an amendment on, or takes it off, in no more words than that takes, where these are the versions that its
    /// ruleset names.
    pub fn turn(&mut self, amendment: &str, on: bool, named: &[(String, Vec<String>)]) {
        self.with.retain(|other| other != amendment);
        self.without.retain(|other| other != amendment);
        let is_on = named.iter().any(|(name, list)| *name == self.base && list.iter().any(|other| other == amendment));
        match (on, is_on) {
            (true, false) => self.with.push(amendment.to_owned()),
            (false, true) => self.without.push(amendment.to_owned()),
            _ => (),
        }
    }

    /// What is said of amendments that changes nothing, or cannot all be meant; `base` are those of the named version.
    pub(super) fn check(&self, base: &[String], asked: &Span, found: &mut Diagnostics) {
        let signed = |sign: char, ids: &[String]| ids.iter().map(|id| (sign, id.clone())).collect::<Vec<_>>();
        let all = [signed('+', &self.with), signed('~', &self.without)].concat();
        for (at, (sign, id)) in all.iter().enumerate() {
            let (is_plus, is_on) = (*sign == '+', base.contains(id));
            if is_plus && self.without.contains(id) {
                let message = format!("`{id}` is put on and taken off");
                found.error("twice", asked, message, format!("leave +{id} or ~{id} out"));
            } else if all[..at].contains(&all[at]) {
                let message = format!("`{sign}{id}` is said twice");
                found.warning("no-effect", asked, message, "once is enough");
            } else if is_plus == is_on && (is_plus || !self.with.contains(id)) {
                let (version, is) = (&self.base, if is_on { "on" } else { "off" });
                let message = format!("`{id}` is {is} in `{version}` already");
                found.warning("no-effect", asked, message, format!("leave {sign}{id} out"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_as_it_is_written() {
        for text in ["@base", "@clarified~28", "@base+15.d+16", "@printed+a~b"] {
            assert_eq!(VersionName::parse(&text[1..]).to_string(), text);
        }
    }

    #[test]
    fn an_amendment_is_turned_in_as_few_words_as_it_takes() {
        let named = [("clarified".to_owned(), vec!["28".to_owned()])];
        let turned = |text: &str, on: bool| {
            let mut name = VersionName::parse(text);
            name.turn("28", on, &named);
            name.to_string()
        };
        assert_eq!([turned("clarified~28", true), turned("clarified", true)], ["@clarified", "@clarified"]);
        assert_eq!([turned("base+28", false), turned("base", true)], ["@base", "@base+28"]);
        assert_eq!([turned("clarified", false), turned("clarified~28", false)], ["@clarified~28", "@clarified~28"]);
    }

    #[test]
    fn what_a_version_says_for_nothing_is_told() {
        let said = |text: &str| {
            let mut found = Diagnostics::default();
            let base = if text.starts_with("clarified") { vec!["28".to_owned()] } else { Vec::new() };
            VersionName::parse(text).check(&base, &Span::file("@"), &mut found);
            found.list.iter().map(|one| one.message.clone()).collect::<Vec<_>>()
        };
        assert!(said("clarified~28").is_empty() && said("base+28").is_empty());
        assert_eq!(said("clarified+28"), ["`28` is on in `clarified` already"]);
        assert_eq!(said("base~28"), ["`28` is off in `base` already"]);
        assert_eq!(said("base+28+28"), ["`+28` is said twice"]);
        assert_eq!(said("base+28~28"), ["`28` is put on and taken off"]);
    }
}

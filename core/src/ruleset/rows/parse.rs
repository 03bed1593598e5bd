//! Text of a row to a tree of names.

use std::sync::Arc;

use pest::{Parser, error::InputLocation, iterators::Pair};
use pest_derive::Parser;

#[derive(Parser)]
#[grammar = "ruleset/rows/grammar.pest"]
struct RowParser;

use super::{Compiler, How, Names, Relation};
use crate::diagnostic::Diagnostics;

/// Longer conditions than this are two conditions.
const LONGEST: usize = 2000;
/// More brackets inside each other than anybody can read.
const DEEPEST: usize = 24;

/// As the grammar has it.
const MOST_DIGITS: usize = 6;

/// A condition before its names are looked up. Offsets are bytes in the text of the row.
#[derive(Debug, Clone)]
pub struct Tree {
    /// What it is.
    pub what: What,
    /// Where it begins.
    pub start: usize,
    /// One past where it ends.
    pub end: usize,
}

/// What a [`Tree`] is.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "mirrors the grammar")]
pub enum What {
    Number(i32),
    Name(String),
    Call(String, Vec<Tree>),
    Over(How, Box<Tree>, String, Vec<Tree>),
    Step(Box<Tree>, String),
    Not(Box<Tree>),
    Both(Vec<Tree>),
    Either(Vec<Tree>),
    Compare(Relation, Box<Tree>, Box<Tree>),
    Add(Box<Tree>, Box<Tree>),
    Less(Box<Tree>, Box<Tree>),
    Times(Box<Tree>, Box<Tree>),
    Share(Box<Tree>, Box<Tree>),
}

impl Names<'_> {
    /// Calls `visit` with every word in a text that could be the name of a term or a set; none where it cannot be read.
    pub fn spoken(&self, text: &str, visit: &mut dyn FnMut(&str)) {
        if let Ok(tree) = self.kept.of(text, || parse(text)).as_ref() {
            tree.words(visit);
        }
    }
}

impl Tree {
    /// Calls `visit` with every word in it but properties and what it binds itself.
    fn words(&self, visit: &mut dyn FnMut(&str)) {
        match &self.what {
            What::Number(_) => (),
            What::Name(name) => visit(name),
            What::Call(name, args) => {
                visit(name);
                args.iter().for_each(|arg| arg.words(visit));
            }
            What::Over(_, domain, bound, asked) => {
                domain.words(visit);
                let mut others = |word: &str| {
                    if word != bound {
                        visit(word);
                    }
                };
                asked.iter().for_each(|part| part.words(&mut others));
            }
            What::Step(of, _) | What::Not(of) => of.words(visit),
            What::Both(list) | What::Either(list) => list.iter().for_each(|part| part.words(visit)),
            What::Compare(_, a, b) | What::Add(a, b) | What::Less(a, b) | What::Times(a, b) | What::Share(a, b) => {
                a.words(visit);
                b.words(visit);
            }
        }
    }
}

impl Compiler<'_> {
    /// The tree of a text, or what is wrong with it, which is told.
    pub(super) fn parsed(&self, text: &str, found: &mut Diagnostics) -> Arc<Result<Tree, (String, usize)>> {
        let parsed = self.names.kept.of(text, || parse(text));
        if let Err((message, at)) = parsed.as_ref() {
            found.error("row", &self.at(*at, at + 1), message, "");
        }
        parsed
    }
}

/// Parses a condition. The error is a sentence with the byte where it applies.
pub fn parse(text: &str) -> Result<Tree, (String, usize)> {
    if text.len() > LONGEST {
        return Err((format!("a condition longer than {LONGEST} characters"), 0));
    }
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => (),
        }
        if depth > DEEPEST {
            return Err((format!("brackets nested more than {DEEPEST} deep"), at));
        }
    }
    if text.split_whitespace().filter(|w| *w == "not").count() > DEEPEST {
        return Err((format!("`not` more than {DEEPEST} times"), 0));
    }
    let mut pairs = RowParser::parse(Rule::row, text).map_err(|wrong| {
        let at = match wrong.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let rest = text[at..].split_whitespace().next().unwrap_or("the end");
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > MOST_DIGITS {
            let number = &rest[..digits];
            return (format!("`{number}` is larger than any number of a condition: {MOST_DIGITS} digits at most"), at);
        }
        let wanted = wrong.renamed_rules(|rule| words(*rule).to_owned());
        let wanted = wanted.variant.message().replace("expected ", "");
        // A minus inside a name belongs to it: `60-goal` is neither.
        let is_glued = rest.split_once('-').is_some_and(|(number, name)| {
            number.bytes().all(|b| b.is_ascii_digit()) && name.starts_with(|c: char| c.is_ascii_alphabetic())
        });
        let spaced = if is_glued { ", or spaces around the minus" } else { "" };
        let meant = meant(&text[..at], rest);
        (format!("this cannot be read at `{rest}`: expected {wanted}{spaced}{meant}"), at)
    })?;
    let row = pairs.next().expect("a parsed row has one pair");
    Ok(read(row.into_inner().next().expect("a row holds a condition")))
}

/// How it is written what other languages have such a sign for.
fn meant(before: &str, rest: &str) -> &'static str {
    match rest.as_bytes() {
        [b'=', ..] if before.ends_with('=') => "; `=` alone compares",
        [b'>', ..] if before.ends_with('<') => "; what differs is written `!=`",
        [b'\'' | b'"', ..] => "; names and values stand without quotes",
        [b'_', ..] => "; names have hyphens",
        [b'~' | b'!', ..] => "; what differs is written `!=`, and what does not hold `not`",
        [b'&', ..] => "; both is written `and`",
        [b'|', ..] => "; either is written `or`",
        _ => "",
    }
}

fn words(rule: Rule) -> &'static str {
    match rule {
        Rule::relation => "a comparison",
        Rule::sign | Rule::minus => "+ or -",
        Rule::times => "* or /",
        Rule::number => "a number",
        Rule::name | Rule::call => "a name",
        Rule::how | Rule::over => "any, all, count, min, max, total, bins or fill",
        Rule::or_word => "or",
        Rule::and_word => "and",
        Rule::not_word => "not",
        Rule::as_word => "as",
        Rule::EOI => "the end",
        _ => "a condition",
    }
}

fn read(pair: Pair<'_, Rule>) -> Tree {
    let (start, end) = (pair.as_span().start(), pair.as_span().end());
    let text = pair.as_str().to_owned();
    let rule = pair.as_rule();
    let mut inner: Vec<Pair<'_, Rule>> = pair.into_inner().collect();
    let what = match rule {
        Rule::number => What::Number(text.trim().parse().unwrap_or(i32::MAX)),
        Rule::name => What::Name(text),
        Rule::domain => return read(inner.remove(0)),
        Rule::either | Rule::both => {
            let list: Vec<Tree> = inner
                .into_iter()
                .filter(|p| !matches!(p.as_rule(), Rule::or_word | Rule::and_word))
                .map(read)
                .collect();
            match (list.len(), rule) {
                (1, _) => return list.into_iter().next().expect("one"),
                (_, Rule::either) => What::Either(list),
                _ => What::Both(list),
            }
        }
        Rule::negated => {
            let last = read(inner.pop().expect("a condition"));
            if inner.is_empty() {
                return last;
            }
            What::Not(Box::new(last))
        }
        Rule::compare => {
            if inner.len() == 1 {
                return read(inner.remove(0));
            }
            let right = read(inner.remove(2));
            let relation = match inner[1].as_str() {
                "=" => Relation::Equal,
                "!=" => Relation::NotEqual,
                "<" => Relation::Less,
                "<=" => Relation::LessOrEqual,
                ">" => Relation::Greater,
                _ => Relation::GreaterOrEqual,
            };
            What::Compare(relation, Box::new(read(inner.remove(0))), Box::new(right))
        }
        Rule::sum | Rule::product => {
            let mut rest = inner.into_iter();
            let mut left = read(rest.next().expect("a term"));
            while let (Some(sign), Some(right)) = (rest.next(), rest.next()) {
                let right = read(right);
                let (start, end) = (left.start, right.end);
                let (a, b) = (Box::new(left), Box::new(right));
                let what = match sign.as_str() {
                    "+" => What::Add(a, b),
                    "-" => What::Less(a, b),
                    "*" => What::Times(a, b),
                    _ => What::Share(a, b),
                };
                left = Tree { what, start, end };
            }
            return left;
        }
        Rule::signed => {
            let term = read(inner.pop().expect("a term"));
            if inner.is_empty() {
                return term;
            }
            let zero = Tree { what: What::Number(0), start, end: start };
            What::Less(Box::new(zero), Box::new(term))
        }
        Rule::term => {
            let mut rest = inner.into_iter();
            let mut tree = read(rest.next().expect("a term"));
            for step in rest {
                let end = step.as_span().end();
                let name = step.into_inner().next().expect("a name").as_str().to_owned();
                tree = Tree { start: tree.start, end, what: What::Step(Box::new(tree), name) };
            }
            return tree;
        }
        Rule::call => {
            let name = inner.remove(0).as_str().to_owned();
            What::Call(name, inner.into_iter().map(read).collect())
        }
        Rule::over => {
            let how = match inner[0].as_str() {
                "any" => How::Any,
                "all" => How::All,
                "count" => How::Count,
                "min" => How::Min,
                "max" => How::Max,
                "total" => How::Total,
                "bins" => How::Bins,
                _ => How::Fill,
            };
            let is_asked = |p: &Pair<'_, Rule>| p.as_rule() == Rule::either;
            let asked = inner.iter().filter(|p| is_asked(p)).cloned().map(read).collect();
            inner.retain(|p| !is_asked(p));
            let name = inner.pop().expect("a name").as_str().to_owned();
            What::Over(how, Box::new(read(inner.remove(1))), name, asked)
        }
        _ => unreachable!("the grammar has no other tree"),
    };
    Tree { what, start, end }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a sum of numbers comes to, as it has been read.
    fn worth(tree: &Tree) -> i32 {
        match &tree.what {
            What::Number(n) => *n,
            What::Add(a, b) => worth(a) + worth(b),
            What::Less(a, b) => worth(a) - worth(b),
            What::Times(a, b) => worth(a) * worth(b),
            What::Share(a, b) => worth(a).div_euclid(worth(b)),
            other => panic!("{other:?} is no sum of numbers"),
        }
    }

    #[test]
    fn times_and_shares_come_before_sums_and_from_the_left() {
        for (text, value) in [
            ("2 + 3 * 4 - 7 / 2", 11),
            ("4 * ((5 + 1) / 2)", 12),
            ("12 / 5 * 5", 10),
            ("- 7 / 2", -4),
            ("(2 + 3) * 4", 20),
        ] {
            let tree = parse(text).unwrap_or_else(|(wrong, at)| panic!("{text}: {wrong} at {at}"));
            assert_eq!(worth(&tree), value, "{text}");
        }
    }
}

//! A player of a ruleset with other weights: beside it in a version that is played, and in the text of its file.

use std::sync::Arc;

use super::content::PlayerFile;
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    yaml::{self, Node, Value},
};

/// A player once more under another name, with some of its weights changed. It is laid beside the player when amendments
/// are on and single values set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The player.
    pub of: String,
    /// What it is called.
    pub name: String,
    /// Weights, and what they are to be.
    pub weights: Vec<(String, i32)>,
}

impl Variant {
    pub(super) fn lay(&self, tree: &mut Node, files: &mut Vec<PlayerFile>, found: &mut Diagnostics) {
        let players = match &mut tree.value {
            Value::Map(tree) => {
                Arc::make_mut(tree).iter_mut().find(|(key, _)| key.text() == Some("players")).map(|(_, node)| node)
            }
            _ => None,
        };
        let Some(Value::Map(players)) = players.map(|node| &mut node.value) else { return };
        let Some((key, node)) = players.iter().find(|(key, _)| key.text() == Some(&self.of)) else {
            let help = suggest(&self.of, players.iter().filter_map(|(key, _)| key.text()));
            found.error("unknown-name", &Span::default(), format!("there is no player `{}`", self.of), help);
            return;
        };
        let key = Node { value: Value::Text(self.name.as_str().into()), ..key.clone() };
        let mut node = node.clone();
        for (weight, is) in &self.weights {
            match number_mut(&mut node, weight) {
                Some(number) => number.value = Value::Text(is.to_string().into()),
                None => {
                    let message = format!("`{}` has no weight `{weight}`", self.of);
                    found.error("unknown-name", &node.span, message, "");
                }
            }
        }
        Arc::make_mut(players).push((key, node));
        let file = files.iter().find(|file| file.name == self.of).cloned();
        files.extend(file.map(|mut file| {
            file.name.clone_from(&self.name);
            file
        }));
    }
}

/// Where a player's weight has its number.
fn number_mut<'a>(player: &'a mut Node, weight: &str) -> Option<&'a mut Node> {
    fn under<'a>(node: &'a mut Node, key: &str) -> Option<&'a mut Node> {
        let Value::Map(map) = &mut node.value else { return None };
        Arc::make_mut(map).iter_mut().find(|(known, _)| known.text() == Some(key)).map(|(_, node)| node)
    }
    let weight = under(under(player, "weights")?, weight)?;
    if weight.text().is_some() { Some(weight) } else { under(weight, "is") }
}

/// The text of a file that has a player in it, with other numbers for some of its weights and all else as it stands.
///
/// # Errors
/// The first of these weights that has no number there.
pub fn reweighed(file: &str, text: &str, player: &str, weights: &[(String, i32)]) -> Result<String, String> {
    let tree = yaml::parse(file, text, &mut Diagnostics::default());
    let mut player = tree.get("players").and_then(|all| all.get(player)).cloned().unwrap_or(tree);
    let mut changes = Vec::new();
    for (weight, is) in weights {
        let number =
            number_mut(&mut player, weight).filter(|node| node.text().is_some_and(|t| t.parse::<i32>().is_ok()));
        let span = number.map(|node| node.span.start..node.span.end).filter(|span| text.get(span.clone()).is_some());
        changes.push((span.ok_or_else(|| weight.clone())?, is));
    }
    changes.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut out = text.to_owned();
    changes.into_iter().for_each(|(span, is)| out.replace_range(span, &is.to_string()));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::reweighed;

    #[test]
    fn numbers_alone_are_changed() {
        let text = "# Why: see below.\ntitle: \u{fc}ber\nweights:\n  odds: { is: 6, least: 0, most: 40 } # six\n  rest: -3   # less\n\n  \"far\": \"12\"\nanswers: { a: { b: \"odds\" } }\n";
        let to = |weights: &[(&str, i32)]| {
            let weights: Vec<(String, i32)> = weights.iter().map(|(name, is)| ((*name).to_owned(), *is)).collect();
            reweighed("p.yaml", text, "p", &weights)
        };
        let wanted = text.replace("is: 6", "is: 10").replace("-3 ", "4 ").replace("\"12\"", "7");
        assert_eq!(to(&[("rest", 4), ("odds", 10), ("far", 7)]), Ok(wanted));
        assert_eq!(to(&[]), Ok(text.to_owned()));
        assert_eq!(to(&[("hope", 1)]), Err("hope".to_owned()));
    }
}

//! What a study plays, as its author writes it: two versions held against each other, and versions by themselves.

use super::{Correction, Singly, Until, Words};
use crate::{
    diagnostic::{Diagnostics, Span},
    yaml::{Fields, Node},
};

/// A comparison that is to be played.
#[derive(Debug, Clone)]
pub struct Planned {
    /// What conclusions call it.
    pub name: String,
    /// The game.
    pub game: String,
    /// The two versions, as they are written behind `@`.
    pub versions: [String; 2],
    /// Values changed in the first, and in the second.
    pub set: [Vec<String>; 2],
    /// The scenario; the first without.
    pub scenario: Option<String>,
    /// Who plays which side, each as `SIDE=PLAYER`.
    pub players: Vec<String>,
    /// How many pairs of games, at most.
    pub games: u64,
    /// The seed of the first pair.
    pub seed: u64,
    /// What it is played for.
    pub until: Vec<Until>,
    /// How differences are kept from being called by chance.
    pub correction: Correction,
    /// How amendments are looked at by themselves.
    pub effects: Vec<Singly>,
    /// In how many pairs each.
    pub each: Option<u64>,
    /// Under what else it is played: `players`, `readings`, a player, or `SETTING=VALUE`.
    pub under: Vec<String>,
    /// In how many pairs paragraphs are listened for.
    pub spoken: Option<u64>,
    /// Where it stands.
    pub span: Span,
}

/// Games of one version that are to be played by itself.
#[derive(Debug, Clone)]
pub struct PlannedSample {
    /// What conclusions call it.
    pub name: String,
    /// The game.
    pub game: String,
    /// The version, as it is written behind `@`.
    pub version: String,
    /// Values changed in it.
    pub set: Vec<String>,
    /// The scenario; the first without.
    pub scenario: Option<String>,
    /// Who plays which side, each as `SIDE=PLAYER`.
    pub players: Vec<String>,
    /// How many games.
    pub games: u64,
    /// The seed of the first.
    pub seed: u64,
    /// What figures are asked in.
    pub words: Words,
    /// Under what else it is played: `players`, `readings`, a player, or `SETTING=VALUE`.
    pub under: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

impl Planned {
    pub(super) fn read(name: &Node, node: &Node, found: &mut Diagnostics) -> Option<Planned> {
        let name = name_of(name, found)?;
        let mut fields = node.fields(found);
        let game = fields.must("game", found).map(|node| node.as_text(found));
        let versions = fields.must("versions", found).and_then(|node| {
            let both: Vec<String> = node.items(found).iter().map(|one| one.as_text(found)).collect();
            let told = both.len();
            let both: Option<[String; 2]> = both.try_into().ok();
            if both.is_none() {
                let help = "write versions: [A, B], each as it is written behind `@`";
                found.error(
                    "versions",
                    &node.span,
                    format!("a comparison is of two versions, and these are {told}"),
                    help,
                );
            }
            both
        });
        let set = [fields.texts("set", found), fields.texts("other-set", found)];
        if let Some([one, _]) = versions.as_ref().filter(|[one, other]| one == other && set[0] == set[1]) {
            let message = format!("both are `{one}`, and nothing could come of it");
            found.error(
                "versions",
                &node.span,
                message,
                "name two versions, or set something otherwise in one of them",
            );
        }
        let scenario = fields.text("scenario", found);
        let players = players(&mut fields, found);
        let mut count = |key: &'static str, found: &mut Diagnostics| count(&mut fields, key, found);
        let (games, seed) = (count("games", found), count("seed", found));
        let (each, spoken) = (count("each", found), count("spoken", found));
        let until = fields.may("until").map_or_else(Vec::new, |node| read_all(node, found, Until::parse));
        let correction = fields.may("correct").map(|node| {
            read_all(node, found, |text| Correction::parse(text).ok_or_else(|| format!("`{text}` is not holm or bh")))
        });
        let effects = fields.may("effects").map_or_else(Vec::new, |node| {
            let how = |text: &str| Singly::ALL.into_iter().find(|how| how.word() == text);
            read_all(node, found, |text| how(text).ok_or_else(|| format!("`{text}` is not one-out, one-in or pairs")))
        });
        let under = fields.texts("under", found);
        fields.finish(found);
        Some(Planned {
            name,
            game: game?,
            versions: versions?,
            set,
            scenario,
            players,
            games: games.unwrap_or(200),
            seed: seed.unwrap_or(1),
            until,
            correction: correction.and_then(|all| all.first().copied()).unwrap_or_default(),
            effects,
            each,
            under,
            spoken,
            span: node.span.clone(),
        })
    }
}

impl PlannedSample {
    pub(super) fn read(name: &Node, node: &Node, found: &mut Diagnostics) -> Option<PlannedSample> {
        let name = name_of(name, found)?;
        let mut fields = node.fields(found);
        let mut must =
            |key: &'static str, found: &mut Diagnostics| fields.must(key, found).map(|node| node.as_text(found));
        let (game, version) = (must("game", found), must("version", found));
        let (set, scenario) = (fields.texts("set", found), fields.text("scenario", found));
        let players = players(&mut fields, found);
        let [games, seed] = ["games", "seed"].map(|key| count(&mut fields, key, found));
        let mut entries = |key: &'static str, found: &mut Diagnostics| {
            fields.may(key).map_or_else(Vec::new, |node| node.entries(found).to_vec())
        };
        let (moments, numbers) = (entries("moments", found), entries("numbers", found));
        let moments = moments.iter().map(|(moment, read)| (moment.as_text(found), read.as_text(found))).collect();
        let number = |(name, node): &(Node, Node)| (name.as_text(found), f64::from(node.as_int(1, i32::MAX, found)));
        let words = Words { moments, numbers: numbers.iter().map(number).collect() };
        let under = fields.texts("under", found);
        fields.finish(found);
        Some(PlannedSample {
            name,
            game: game?,
            version: version?,
            set,
            scenario,
            players,
            games: games.unwrap_or(200),
            seed: seed.unwrap_or(1),
            words,
            under,
            span: node.span.clone(),
        })
    }
}

/// What conclusions and files call it.
fn name_of(node: &Node, found: &mut Diagnostics) -> Option<String> {
    let name = node.as_text(found);
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
        let help = "write letters, digits and `-`: files are called by it";
        found.error("name", &node.span, format!("`{name}` is no name of what is played"), help);
        return None;
    }
    Some(name)
}

fn players(fields: &mut Fields<'_>, found: &mut Diagnostics) -> Vec<String> {
    fields.may("players").map_or_else(Vec::new, |node| {
        let entries = node.entries(found).to_vec();
        let seat = |(side, player): &(Node, Node)| format!("{}={}", side.as_text(found), player.as_text(found));
        entries.iter().map(seat).collect()
    })
}

fn count(fields: &mut Fields<'_>, key: &'static str, found: &mut Diagnostics) -> Option<u64> {
    fields.may(key).map(|node| u64::from(node.as_int(1, i32::MAX, found).unsigned_abs()))
}

/// Reads each text of a list; those that cannot be are recorded.
fn read_all<T>(node: &Node, found: &mut Diagnostics, read: impl Fn(&str) -> Result<T, String>) -> Vec<T> {
    let items = node.items(found).to_vec();
    let one = |node: &Node| match read(node.text().unwrap_or("")) {
        Ok(value) => Some(value),
        Err(why) => {
            found.error("value", &node.span, why, "");
            None
        }
    };
    items.iter().filter_map(one).collect()
}

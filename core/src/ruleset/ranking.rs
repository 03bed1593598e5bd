//! How strong the players of a ruleset are, as it was found out and written down: `ladder:`, which `countermarch rank` writes
//! and people read.

use std::fmt::Write as _;

use xxhash_rust::xxh3::xxh3_64;

use super::{Judgement, Ruleset, Scenario, VersionName};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    yaml::{self, Node},
};

/// What players came to in one scenario of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// The scenario, by its id.
    pub scenario: String,
    /// The version, as it is written behind `@`.
    pub version: String,
    /// The command that made it.
    pub made_by: String,
    /// What it was played with; see [`Ranking::content_of`].
    pub content: u32,
    /// How balanced the sides are; nothing where the games did not say.
    pub balance: Option<Balance>,
    /// All who played, the strongest first.
    pub players: Vec<Ranked>,
    /// Where it stands.
    pub span: Span,
}

/// A player with its strength.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    /// Its name.
    pub player: String,
    /// Its strength in points of Elo.
    pub rating: i32,
    /// The least and the most that it may be at 95 %; nothing where the games did not say.
    pub lies: Option<[i32; 2]>,
    /// How many games it played.
    pub games: i32,
    /// Where it stands.
    pub span: Span,
}

/// Which share of the points a side takes where the strongest player plays itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// The side, by its short name.
    pub side: String,
    /// The share in percent, with the least and the most that it may be at 95 %.
    pub share: [i32; 3],
    /// Where it stands.
    pub span: Span,
}

/// What a file of them begins with.
const HEAD: &str =
    "# Written by `countermarch rank`, which plays the games it speaks of. Do not edit it: rank again.\n";
/// Beyond what any player is worth.
const FARTHEST: i32 = 100_000;

impl Ranking {
    /// A hash of what ratings hang on: what play of the scenario depends on, and what these players think.
    pub fn content_of<'a>(
        ruleset: &Ruleset,
        scenario: &str,
        players: impl IntoIterator<Item = &'a str> + Clone,
    ) -> u32 {
        let plays = |judgement: &&Judgement| players.clone().into_iter().any(|name| mind_of(name) == judgement.name);
        let minds: Vec<(&str, u32)> =
            ruleset.judgements.iter().filter(plays).map(|player| (&*player.name, player.hash)).collect();
        xxh3_64(format!("{:?} {minds:?}", ruleset.parts_played(scenario)).as_bytes()) as u32
    }

    /// Whether it was played with what the ruleset holds now.
    pub fn is_of(&self, ruleset: &Ruleset) -> bool {
        let names = self.players.iter().map(|ranked| &*ranked.player);
        self.is_of_version(&ruleset.version) && Ranking::content_of(ruleset, &self.scenario, names) == self.content
    }

    fn is_of_version(&self, version: &VersionName) -> bool {
        VersionName::parse(&self.version) == *version
    }

    /// What a file holds that [`Ranking::file_with`] has written, or that is empty.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn in_file(file: &str, text: &str) -> Result<Vec<Ranking>, Diagnostics> {
        let mut found = Diagnostics::default();
        let mut all = Vec::new();
        if !text.trim().is_empty() {
            let tree = yaml::parse(file, text, &mut found);
            let mut fields = tree.fields(&mut found);
            all = read(fields.must("ladder", &mut found), &mut found);
            fields.finish(&mut found);
        }
        if found.is_usable() { Ok(all) } else { Err(found) }
    }

    /// The text of a file with all of these, and with this in place of the one of the same scenario and version.
    pub fn file_with(self, mut all: Vec<Ranking>) -> String {
        let is_same = |other: &&mut Ranking| other.scenario == self.scenario && other.version == self.version;
        match all.iter_mut().find(is_same) {
            Some(there) => *there = self,
            None => all.push(self),
        }
        all.sort_by(|a, b| (&a.scenario, &a.version).cmp(&(&b.scenario, &b.version)));
        let mut out = format!("{HEAD}ladder:\n");
        all.iter().for_each(|ranking| ranking.write(&mut out));
        out
    }

    fn write(&self, out: &mut String) {
        let within = |name: &str, is: i32, lies: Option<[i32; 2]>| {
            let lies = lies.map(|[least, most]| format!(", least: {least}, most: {most}")).unwrap_or_default();
            format!("{name}: {is}{lies}")
        };
        // Writing to a text cannot fail.
        let _ = write!(
            out,
            "  - scenario: {}\n    version: {}\n    made-by: {}\n    content: {}\n",
            quoted(&self.scenario),
            quoted(&self.version),
            quoted(&self.made_by),
            quoted(&format!("{:08x}", self.content)),
        );
        if let Some(Balance { side, share: [is, least, most], .. }) = &self.balance {
            let share = within("share", *is, Some([*least, *most]));
            let _ = writeln!(out, "    balance: {{ side: {}, {share} }}", quoted(side));
        }
        out.push_str("    players:\n");
        for Ranked { player, rating, lies, games, .. } in &self.players {
            let rating = within("rating", *rating, *lies);
            let _ = writeln!(out, "      {}: {{ {rating}, games: {games} }}", quoted(player));
        }
    }
}

/// Whose judgement a player goes by: `careful` plans with the ruleset's `plain`.
fn mind_of(player: &str) -> &str {
    if player.split(':').next() == Some("careful") { "plain" } else { player }
}

/// As YAML reads it, whatever is in it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        if matches!(letter, '"' | '\\') {
            out.push('\\');
        }
        out.push(if letter.is_control() { ' ' } else { letter });
    }
    out.push('"');
    out
}

/// Reads `ladder:`, and warns of what it says of the version at hand that is not there any more.
pub(super) fn ladder(
    node: Option<&Node>,
    version: &VersionName,
    scenarios: Option<&[Scenario]>,
    sides: &[String],
    players: &[Judgement],
    found: &mut Diagnostics,
) -> Vec<Ranking> {
    let all = read(node, found);
    for ranking in all.iter().filter(|ranking| ranking.is_of_version(version)) {
        const HELP: &str = "rank again: `countermarch rank GAME --out` writes it anew";
        if let Some(scenarios) = scenarios.filter(|all| all.iter().all(|scenario| scenario.id != ranking.scenario)) {
            let known = suggest(&ranking.scenario, scenarios.iter().map(|scenario| scenario.id.as_str()));
            let help = if known.is_empty() { HELP.to_owned() } else { known };
            found.warning("unknown-name", &ranking.span, format!("there is no scenario `{}`", ranking.scenario), help);
        }
        if let Some(Balance { side, span, .. }) = ranking.balance.as_ref().filter(|of| !sides.contains(&of.side)) {
            let known = suggest(side, sides.iter().map(String::as_str));
            found.warning("unknown-name", span, format!("there is no side `{side}`"), known);
        }
        for Ranked { player, span, .. } in &ranking.players {
            let mind = mind_of(player);
            if player != "random" && players.iter().all(|known| known.name != mind) {
                found.warning("unknown-name", span, format!("there is no player `{mind}`"), HELP);
            }
        }
    }
    all
}

fn read(node: Option<&Node>, found: &mut Diagnostics) -> Vec<Ranking> {
    let mut all: Vec<Ranking> = Vec::new();
    for item in node.map(|n| n.items(found)).unwrap_or_default() {
        let mut fields = item.fields(found);
        let mut text = |key| fields.must(key, found).map(|n| n.as_text(found)).unwrap_or_default();
        let [scenario, version, made_by, content] = ["scenario", "version", "made-by", "content"].map(&mut text);
        let content = u32::from_str_radix(&content, 16).unwrap_or_else(|_| {
            let message = format!("`{content}` is no hash");
            found.error("type", &item.span, message, "`countermarch rank` writes it: do not edit it");
            0
        });
        let balance = fields.may("balance").map(|n| balance(n, found));
        let listed = fields.must("players", found).map(|n| n.entries(found)).unwrap_or_default();
        let players = listed.iter().map(|(name, body)| ranked(name, body, found)).collect();
        fields.finish(found);
        if all.iter().any(|other| other.scenario == scenario && other.version == version) {
            let message = format!("`{scenario}` of `{version}` stands here twice");
            found.error("twice", &item.span, message, "delete one of the two");
        }
        let span = item.span.clone();
        all.push(Ranking { scenario, version, made_by, content, balance, players, span });
    }
    all
}

fn balance(node: &Node, found: &mut Diagnostics) -> Balance {
    let mut fields = node.fields(found);
    let side = fields.must("side", found).map(|n| n.as_text(found)).unwrap_or_default();
    let share = estimate("share", &mut fields, (0, 100), found);
    fields.finish(found);
    Balance { side, share, span: node.span.clone() }
}

fn ranked(name: &Node, body: &Node, found: &mut Diagnostics) -> Ranked {
    let mut fields = body.fields(found);
    let within = (-FARTHEST, FARTHEST);
    let is_told = fields.may("least").is_some() || fields.may("most").is_some();
    let (rating, lies) = if is_told {
        let [is, least, most] = estimate("rating", &mut fields, within, found);
        (is, Some([least, most]))
    } else {
        (fields.must("rating", found).map_or(0, |n| n.as_int(within.0, within.1, found)), None)
    };
    let games = fields.must("games", found).map_or(0, |n| n.as_int(0, i32::MAX, found));
    fields.finish(found);
    Ranked { player: name.as_text(found), rating, lies, games, span: name.span.clone() }
}

/// A figure between its least and its most.
fn estimate(key: &'static str, fields: &mut yaml::Fields<'_>, within: (i32, i32), found: &mut Diagnostics) -> [i32; 3] {
    let is = fields.must(key, found).map_or(within.0, |n| n.as_int(within.0, within.1, found));
    let (least, most) = fields.bounds(within.0, within.1, found);
    if !(least..=most).contains(&is) {
        let message = format!("{is} is not between {least} and {most}");
        found.error("range", &fields.node.span, message, "`countermarch rank` writes it: do not edit it");
    }
    [is, least, most]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(scenario: &str, version: &str, rating: i32) -> Ranking {
        let ranked = |player: &str, rating: i32| Ranked {
            player: player.into(),
            rating,
            lies: Some([rating - 20, rating + 30]),
            games: 80,
            span: Span::default(),
        };
        Ranking {
            scenario: scenario.into(),
            version: version.into(),
            made_by: "countermarch rank toy --set 'a=\"b\"'".into(),
            content: 0x1a2b,
            balance: Some(Balance { side: "red".into(), share: [53, 48, 60], span: Span::default() }),
            players: vec![ranked("careful:300", rating), ranked("plain", 0), ranked("random", -rating)],
            span: Span::default(),
        }
    }

    #[test]
    fn what_is_written_is_read_again_and_replaces_its_own_alone() {
        let into = |new: Ranking, text: &str| new.file_with(Ranking::in_file("l.yaml", text).expect("it is a ladder"));
        let one = into(ranking("day", "base", 200), "");
        assert!(one.starts_with("# ") && one.contains("Do not edit"), "{one}");
        let two = into(ranking("day", "base+fast", 90), &one);
        let three = into(ranking("day", "base", 210), &two);
        let all = Ranking::in_file("l.yaml", &three).expect("it is a ladder");
        let told = |r: &Ranking| (r.version.clone(), r.content, r.players[0].lies, r.balance.as_ref().map(|b| b.share));
        let wanted = [ranking("day", "base", 210), ranking("day", "base+fast", 90)];
        assert_eq!(all.iter().map(told).collect::<Vec<_>>(), wanted.iter().map(told).collect::<Vec<_>>());
        assert_eq!(all[0].players[2].player, "random");
        // What says the same is written the same.
        assert_eq!(into(ranking("day", "base", 210), &three), three);
    }

    #[test]
    fn what_games_did_not_say_is_left_out() {
        let mut silent = ranking("day", "base", 200);
        silent.balance = None;
        silent.players[0].lies = None;
        let text = silent.file_with(Vec::new());
        assert!(!text.contains("balance") && text.contains("\"careful:300\": { rating: 200, games: 80 }"), "{text}");
        let all = Ranking::in_file("l.yaml", &text).expect("it is a ladder");
        assert_eq!((&all[0].balance, all[0].players[0].rating, all[0].players[0].lies), (&None, 200, None));
        assert_eq!(all[0].players[1].lies, Some([-20, 30]));
        let half = text.replace("rating: 200,", "rating: 200, least: 3,");
        assert!(Ranking::in_file("l.yaml", &half).is_err(), "one end without the other");
    }

    #[test]
    fn what_is_no_ladder_is_not_gone_on_with() {
        for text in ["units: []\n", "ladder:\n  - { scenario: day }\n", "ladder: [\n"] {
            assert!(Ranking::in_file("l.yaml", text).is_err(), "{text}");
        }
    }
}

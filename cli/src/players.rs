//! Who plays a game by itself, and how strong each was found to be: in `countermarch list` and `countermarch show`.

use std::sync::Arc;

use countermarch_core::{
    library::Library,
    ruleset::{Balance, Judgement, Ranked, Ranking, Ruleset, Selection, VersionName},
};
use serde_json::{Value, json};

/// Players of every ruleset: what each is called and how it plays.
const OF_EVERY_GAME: [(&str, &str, &str); 2] = [
    ("random", "anything", "Any answer, each as likely as the others."),
    (
        "careful",
        "looks ahead",
        "Plans its turn and plays each plan on with the game's `plain`; `careful:NODES` or `careful:2s` says how long.",
    ),
];

/// Everybody who plays it: name, title, how it plays.
fn all(ruleset: &Ruleset) -> Vec<(&str, &str, &str)> {
    let has_plain = ruleset.judgement("plain").is_some();
    let of_every = OF_EVERY_GAME.into_iter().filter(|(name, ..)| *name != "careful" || has_plain);
    let own = ruleset.judgements.iter().map(|Judgement { name, title, about, .. }| (&**name, &**title, &**about));
    of_every.chain(own).collect()
}

/// Ladders of the version at hand.
fn ladders(ruleset: &Ruleset) -> Vec<&Ranking> {
    let version = ruleset.version.to_string();
    ruleset.ladder.iter().filter(|ranking| version[1..] == ranking.version).collect()
}

/// A game as it is, and every other version of it that players were ranked in and that can be loaded.
pub fn ranked(library: &Library, ruleset: &Arc<Ruleset>) -> Vec<Arc<Ruleset>> {
    let mut names: Vec<VersionName> = Vec::new();
    for name in ruleset.ladder.iter().map(|ranking| VersionName::parse(&ranking.version)) {
        if name != ruleset.version && !names.contains(&name) {
            names.push(name);
        }
    }
    let load = |version| Ruleset::load(library, &ruleset.id, &Selection { version, ..Selection::default() });
    let others = names.into_iter().filter_map(|name| load(name).ok()).map(|loaded| loaded.ruleset);
    std::iter::once(ruleset.clone()).chain(others).collect()
}

/// What stands on ladders under a player's name: `careful` stands there with all its budgets.
fn ratings<'a>(ladders: &[&'a Ranking], name: &str) -> Vec<(&'a Ranking, usize)> {
    let is_of = |player: &str| player == name || player.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
    let of = |ranking: &&'a Ranking| {
        let ranking = *ranking;
        ranking
            .players
            .iter()
            .enumerate()
            .filter(|(_, p)| is_of(&p.player))
            .map(move |(at, _)| (ranking, at))
            .collect::<Vec<_>>()
    };
    ladders.iter().flat_map(of).collect()
}

/// Those of the first of some versions of a game, for machines, with every ladder they stand on.
pub fn told(versions: &[Arc<Ruleset>]) -> Value {
    let one = |(name, title, about): (&str, &str, &str)| {
        let of_version = |ruleset: &Arc<Ruleset>| {
            let told = ratings(&ladders(ruleset), name).into_iter().map(|(ranking, at)| {
                let ranked = &ranking.players[at];
                let [least, most] = [0, 1].map(|at| ranked.lies.map(|lies| lies[at]));
                json!({ "player": ranked.player, "scenario": ranking.scenario, "version": ranking.version, "rating": ranked.rating,
                        "least": least, "most": most, "games": ranked.games, "current": ranking.is_of(ruleset) })
            });
            told.collect::<Vec<Value>>()
        };
        let ladder: Vec<Value> = versions.iter().flat_map(of_version).collect();
        json!({ "player": name, "title": title, "about": about, "ladder": ladder })
    };
    versions.first().map_or_else(Vec::new, |first| all(first)).into_iter().map(one).collect()
}

/// The lines of `list`: name, title, and the rating in each scenario that was played, of the first version without its name.
pub fn listed(versions: &[Arc<Ruleset>]) -> Vec<String> {
    let Some(first) = versions.first() else { return Vec::new() };
    let one = |(name, title, _): (&str, &str, &str)| {
        let of_version = |ruleset: &Arc<Ruleset>| {
            let version =
                if ruleset.version == first.version { String::new() } else { format!("{} ", ruleset.version) };
            let told = ratings(&ladders(ruleset), name).into_iter().map(|(ranking, at)| {
                let ranked = &ranking.players[at];
                let budget = ranked.player.strip_prefix(name).unwrap_or_default();
                format!("{version}{}{budget} {}", ranking.scenario, rating(ranked))
            });
            told.collect::<Vec<String>>()
        };
        let all: Vec<String> = versions.iter().flat_map(of_version).collect();
        let stands = if all.is_empty() { String::new() } else { format!("  [{}]", all.join(", ")) };
        format!("  player {name:<14} {title}{stands}")
    };
    all(first).into_iter().map(one).collect()
}

fn rating(ranked: &Ranked) -> String {
    let signed = |number: i32| if number == 0 { "0".to_owned() } else { format!("{number:+}") };
    let is = signed(ranked.rating);
    match ranked.lies {
        None => format!("{is} (how near is not known)"),
        Some([least, most]) if least == most => is,
        Some([least, most]) => format!("{is} ({} to {})", signed(least), signed(most)),
    }
}

/// `countermarch show GAME players`.
pub fn show(ruleset: &Arc<Ruleset>, as_json: bool) {
    let ladders = ladders(ruleset);
    if as_json {
        let ranked: Vec<Value> = ladders
            .iter()
            .map(|ranking| {
                let mut told = json!({ "scenario": ranking.scenario, "version": ranking.version, "made_by": ranking.made_by,
                        "current": ranking.is_of(ruleset) });
                if let Some(Balance { side, share: [share, least, most], .. }) = &ranking.balance {
                    told["balance"] = json!({ "side": side, "share": share, "least": least, "most": most });
                }
                told
            })
            .collect();
        println!("{}", json!({ "players": told(std::slice::from_ref(ruleset)), "ladders": ranked }));
        return;
    }
    for (name, title, about) in all(ruleset) {
        println!("{name}: {title}");
        if !about.is_empty() {
            println!("    {about}");
        }
        for weight in ruleset.judgement(name).map(|at| &*ruleset.judgements[at].weights).unwrap_or_default() {
            let (least, most) = weight.bounds;
            println!("    {:<20} {:>5}  ({least} to {most})  {}", weight.name, weight.is, weight.say);
        }
    }
    for ranking in ladders {
        let title = ruleset.scenario(&ranking.scenario).map_or("", |at| &ruleset.scenarios[at].title);
        println!("\n{}: {title}", ranking.scenario);
        for ranked in &ranking.players {
            println!("  {:<20} {:<24} {} games", ranked.player, rating(ranked), ranked.games);
        }
        match &ranking.balance {
            Some(Balance { side, share: [share, least, most], .. }) => {
                let strongest = ranking.players.first().map_or("nobody", |ranked| &ranked.player);
                println!("  where {strongest} plays itself, {side} takes {share} % of the points ({least} to {most})");
            }
            None => println!("  how balanced the sides are these games did not say"),
        }
        if !ranking.is_of(ruleset) {
            println!("  played when the game or its players were not yet as they are now");
        }
        println!("  {}", ranking.made_by);
    }
    if ruleset.ladder.is_empty() {
        println!("\nHow strong they are `countermarch rank {}` finds out.", ruleset.id);
    }
}

//! Who plays a game by itself, and how strong each was found to be: in `countermarch list` and `countermarch show`.

use countermarch_core::ruleset::{Balance, Judgement, Ranked, Ranking, Ruleset};
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

/// For machines, with every ladder they stand on.
pub fn told(ruleset: &Ruleset) -> Value {
    let ladders = ladders(ruleset);
    let one = |(name, title, about): (&str, &str, &str)| {
        let ladder: Vec<Value> = ratings(&ladders, name)
            .into_iter()
            .map(|(ranking, at)| {
                let ranked = &ranking.players[at];
                let [least, most] = [0, 1].map(|at| ranked.lies.map(|lies| lies[at]));
                json!({ "player": ranked.player, "scenario": ranking.scenario, "version": ranking.version, "rating": ranked.rating,
                        "least": least, "most": most, "games": ranked.games, "current": ranking.is_of(ruleset) })
            })
            .collect();
        json!({ "player": name, "title": title, "about": about, "ladder": ladder })
    };
    all(ruleset).into_iter().map(one).collect()
}

/// The lines of `list`: name, title, and the rating in each scenario that was played.
pub fn listed(ruleset: &Ruleset) -> Vec<String> {
    let ladders = ladders(ruleset);
    let one = |(name, title, _): (&str, &str, &str)| {
        let all: Vec<String> = ratings(&ladders, name)
            .into_iter()
            .map(|(ranking, at)| {
                let ranked = &ranking.players[at];
                let budget = ranked.player.strip_prefix(name).unwrap_or_default();
                format!("{}{budget} {}", ranking.scenario, rating(ranked))
            })
            .collect();
        let stands = if all.is_empty() { String::new() } else { format!("  [{}]", all.join(", ")) };
        format!("  player {name:<14} {title}{stands}")
    };
    all(ruleset).into_iter().map(one).collect()
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
pub fn show(ruleset: &Ruleset, as_json: bool) {
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
        println!("{}", json!({ "players": told(ruleset), "ladders": ranked }));
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
                println!("  between equals {side} takes {share} % of the points ({least} to {most})");
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

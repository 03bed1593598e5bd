//! What a player of the ruleset would answer and why: the choices that are worth most to it, each with its reasons, row by
//! row.

use serde_json::{Value, json};

use super::{
    careful::{Following, Reckoning},
    player::{Player, known},
};
use crate::{
    play::{Action, Game, NotTaken, Rules, Session},
    ruleset::Kind,
    show::Sight,
};

/// A choice, and what speaks for it and against it.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The answer.
    pub action: Action,
    /// What it is worth to the player; nothing where it has no opinion.
    pub worth: Option<i64>,
    /// Its rows that speak: what each says and adds, the greatest first.
    pub reasons: Vec<(String, i32)>,
    /// How many others are worth as much.
    pub alike: usize,
    /// Of a player that looks ahead: what speaks for the plan that begins so.
    pub reckoning: Option<Reckoning>,
    /// With what that plan goes on, until chance or another side speaks.
    pub then: Vec<Action>,
}

impl Advice {
    /// An answer, and nothing that speaks for it.
    pub fn of(action: Action) -> Advice {
        Advice { action, worth: None, reasons: Vec::new(), alike: 0, reckoning: None, then: Vec::new() }
    }
}

/// The choices that a player likes best, most first; of those that are worth the same, one. A careful player's is the
/// one choice that it plans, with what speaks for that plan: it has played it out.
///
/// # Errors
/// The player misbehaved, or there is none of that name, or nobody is asked.
pub fn advice<R: Rules>(session: &mut Session<R>, player: &Player, most: usize) -> Result<Vec<Advice>, NotTaken> {
    let seed = session.record().seed;
    let name = match player {
        Player::Named(name) => name.clone(),
        _ => {
            let mut following = Following::default();
            let action = player.follow(&mut following, session, seed)?;
            let (reckoning, then) = (following.reckoning, following.then());
            return Ok(vec![Advice { reckoning, then, ..Advice::of(action) }]);
        }
    };
    let number = known(&session.game().ruleset, &name)?;
    let worths = session.worths(number)?;
    let ruleset = session.ruleset().clone();
    let mut ranks: Vec<i64> = worths.iter().flatten().copied().collect();
    ranks.sort_unstable_by(|a, b| b.cmp(a));
    ranks.dedup();
    let chosen = player.choose(session, seed)?;
    let mut all = Vec::new();
    for worth in ranks.into_iter().take(most) {
        let of_worth = session.offers().iter().zip(&worths).filter(|(_, one)| **one == Some(worth));
        let of_worth: Vec<Action> = of_worth.map(|(action, _)| *action).collect();
        let action = if of_worth.contains(&chosen) { chosen } else { of_worth[0] };
        let reasons = session.reasons(&ruleset.judgements[number], action);
        let mut reasons: Vec<(String, i32)> =
            reasons.into_iter().map(|reason| (reason.row.say.clone(), reason.adds)).collect();
        reasons.sort_by_key(|(_, adds)| std::cmp::Reverse(adds.unsigned_abs()));
        all.push(Advice { worth: Some(worth), reasons, alike: of_worth.len() - 1, ..Advice::of(action) });
    }
    if all.is_empty() {
        let alike = session.offers().len() - 1;
        all.push(Advice { alike, ..Advice::of(chosen) });
    }
    Ok(all)
}

/// An answer in words: its verb, and the names of what it takes, as these eyes know them.
fn words_of(game: &Game, action: Action, sight: Sight) -> String {
    let verb = &game.ruleset.verbs[usize::from(action.verb)];
    let names = verb.takes.iter().zip(action.values).map(|(kind, value)| game.name_seen(*kind, value, sight));
    [verb.id.clone()].into_iter().chain(names).collect::<Vec<_>>().join(" ")
}

/// So many answers of a plan fit on a screen beside others.
const OF_A_PLAN: usize = 12;

/// Advice as people read it, a line for each choice and its reasons below.
pub fn advice_text(game: &Game, advice: &[Advice], sight: Sight) -> String {
    let mut text = String::new();
    for (number, one) in (1..).zip(advice) {
        let words = words_of(game, one.action, sight);
        let worth = one.worth.map_or_else(String::new, |worth| format!("  {worth}"));
        let alike = match one.alike {
            0 => String::new(),
            1 => "  (another is worth as much)".to_owned(),
            others => format!("  ({others} others are worth as much)"),
        };
        text += &format!("  {number}. {words}{worth}{alike}\n");
        let reasons: Vec<String> = one.reasons.iter().map(|(say, adds)| format!("{say} {adds:+}")).collect();
        if one.reasons.len() > 1 || one.reasons.iter().any(|(say, _)| say != "worth") {
            text += &format!("       {}\n", reasons.join(", "));
        }
        if let Some(reckoning) = one.reckoning {
            text += &format!("       {reckoning}\n");
        }
        let then: Vec<String> = one.then.iter().take(OF_A_PLAN).map(|step| words_of(game, *step, sight)).collect();
        if !then.is_empty() {
            let more = one.then.len() - then.len();
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            text += &format!("       then: {}{more}\n", then.join("; "));
        }
    }
    text
}

/// The same for programs: `[{ answer, verb, values, worth, alike, reasons: [{ say, adds }],
/// reckoned: { plans, gain, alike } or null, then: [{ answer, verb, values }] }]`. Verb and values are ids, as the
/// view offers them; null stands for a counter or card that these eyes may not know.
pub fn advice_json(game: &Game, advice: &[Advice], sight: Sight) -> Value {
    let answer = |action: Action| {
        let verb = &game.ruleset.verbs[usize::from(action.verb)];
        let id = |(kind, value): (&Kind, i32)| {
            (!sight.is_concealed(game, *kind, value)).then(|| game.ruleset.id_of(*kind, value))
        };
        let values: Vec<Option<String>> = verb.takes.iter().zip(action.values).map(id).collect();
        json!({ "answer": words_of(game, action, sight), "verb": verb.id, "values": values })
    };
    let one = |one: &Advice| {
        let reasons: Vec<Value> = one.reasons.iter().map(|(say, adds)| json!({ "say": say, "adds": adds })).collect();
        let reckoned = one
            .reckoning
            .map(|Reckoning { plans, gain, alike }| json!({ "plans": plans, "gain": gain, "alike": alike }));
        let mut told = answer(one.action);
        told["worth"] = json!(one.worth);
        told["alike"] = json!(one.alike);
        told["reasons"] = json!(reasons);
        told["reckoned"] = json!(reckoned);
        told["then"] = one.then.iter().map(|step| answer(*step)).collect();
        told
    };
    advice.iter().map(one).collect::<Vec<_>>().into()
}

//! `countermarch compare --under`: the same comparison under other players, and with doubtful paragraphs read otherwise.

use std::{
    io::{self, IsTerminal as _},
    sync::Arc,
};

use anyhow::{Result, anyhow, bail};
use countermarch_core::{
    ruleset::{Ruleset, Selection},
    study::{Case, Comparison, Pairs, Player, ladder_players, other_readings},
};

use super::{Prepared, kept::Keeping};
use crate::content::{self, Asked, Content};

/// What is meant by `players`, `readings`, `all`, a player, `SETTING=VALUE`, `+AMENDMENT` or `~AMENDMENT`, of versions
/// whose games are alike. He who plays all sides anyway, as `asked` says of each version, is left out.
///
/// # Errors
/// There is no such player, setting or amendment.
pub fn cases(
    under: &[String],
    versions: &[Arc<Ruleset>],
    scenario: usize,
    asked: &[&Vec<Player>],
) -> Result<Vec<Case>> {
    let ruleset = &versions[0];
    let mut cases: Vec<Case> = Vec::new();
    for word in under {
        if ["players", "all"].contains(&word.as_str()) {
            cases.extend(ladder_players(ruleset, scenario).into_iter().map(Case::Played));
        }
        if ["readings", "all"].contains(&word.as_str()) {
            cases.extend(other_readings(&versions.iter().map(|version| &**version).collect::<Vec<_>>()));
        }
        match word.split_once('=') {
            _ if ["players", "readings", "all"].contains(&word.as_str()) => (),
            Some((setting, value)) => {
                let found = ruleset.settings.iter().find(|known| known.id == setting);
                let Some(found) = found else {
                    let known: Vec<&str> = ruleset.settings.iter().map(|known| known.id.as_str()).collect();
                    bail!("there is no setting `{setting}`: {}", known.join(", "));
                };
                if !found.values.iter().any(|known| known == value) {
                    bail!("`{setting}` is not `{value}`: {}", found.values.join(", "));
                }
                cases.push(Case::Read(setting.to_owned(), value.to_owned()));
            }
            None if word.starts_with(['+', '~']) => {
                let id = &word[1..];
                if !ruleset.amendments.iter().any(|amendment| amendment.id == id) {
                    let known: Vec<&str> = ruleset.amendments.iter().map(|known| known.id.as_str()).collect();
                    bail!("there is no amendment `{id}`: {}", known.join(", "));
                }
                cases.push(Case::Rebuilt(id.to_owned(), word.starts_with('+')));
            }
            None => {
                let player = Player::parse(word);
                for version in versions {
                    player.fits(version).map_err(|why| {
                        anyhow!("--under wants players, readings, all, SETTING=VALUE, +AMENDMENT, ~AMENDMENT or a player: {why}")
                    })?;
                }
                cases.push(Case::Played(player));
            }
        }
    }
    let plays_all = |player: &Player| asked.iter().all(|seats| **seats == player.for_all_of(ruleset));
    cases.retain(|case| !matches!(case, Case::Played(player) if plays_all(player)));
    let mut once: Vec<Case> = Vec::new();
    for case in cases {
        if !once.contains(&case) {
            once.push(case);
        }
    }
    Ok(once)
}

/// A version as it is in a case, given how it is asked for and what it is otherwise: where a paragraph is read otherwise,
/// with that setting; where something is rebuilt otherwise, with that amendment or without.
///
/// # Errors
/// It cannot be loaded so.
pub fn version_in(case: &Case, content: &Content, (of, plain): (&Asked, &Ruleset)) -> Result<Arc<Ruleset>> {
    let mut selection: Selection = of.selection.clone();
    match case {
        Case::Played(_) => (),
        Case::Read(setting, value) => selection.set.push((format!("settings/{setting}/default"), value.clone())),
        Case::Rebuilt(amendment, is_on) => {
            selection.version.turn(amendment, *is_on, &plain.versions);
        }
    }
    content.playable(&Asked { folder: of.folder.clone(), id: of.id.clone(), selection })
}

/// The file of a case's trials, by the end of its name.
pub fn file_of(case: &Case) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-.+~".contains(c);
    let name: String = case.to_string().chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    format!("under.{name}")
}

impl Prepared {
    /// Under what else it is played.
    ///
    /// # Errors
    /// There is no such player, setting or amendment.
    pub(super) fn cases(&self) -> Result<Vec<Case>> {
        let asked = self.pairs.players.each_ref();
        cases(&self.what.under, &self.pairs.versions, self.pairs.scenarios[0], &asked)
    }

    /// Plays it in each case, as often as it was played itself.
    pub(super) fn under(&self, keeping: &Keeping<'_>, own: &Comparison) -> Result<Vec<(Case, Comparison)>> {
        let games = if self.what.until.is_empty() { self.pairs.games } else { own.pairs + own.failed.0 };
        let one = |case: Case| -> Result<(Case, Comparison)> {
            let mut pairs = Pairs { games, ..self.pairs.clone() };
            match &case {
                Case::Played(player) => {
                    pairs.players = pairs.versions.each_ref().map(|version| player.for_all_of(version));
                }
                Case::Read(..) | Case::Rebuilt(..) => {
                    let of_both = [0, 1].map(|at| (&self.asked[at], &*self.pairs.versions[at]));
                    let [first, second] = of_both.map(|of| version_in(&case, &self.content, of));
                    pairs.versions = [first?, second?];
                    let scenario = self.what.scenario.as_deref();
                    for at in [0, 1] {
                        pairs.scenarios[at] = content::scenario(&pairs.versions[at], scenario)?;
                    }
                }
            }
            let (name, beside) = (case.to_string(), keeping.beside(&file_of(&case)));
            // A bar tells as much on a terminal. Some players think long.
            if !io::stderr().is_terminal() {
                eprintln!("under {name}: {games} pairs");
            }
            Ok((case, beside.all(&pairs, &format!("pairs under {name}"))?.comparison))
        };
        self.cases()?.into_iter().map(one).collect()
    }
}

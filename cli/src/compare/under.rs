//! `countermarch compare --under`: the same comparison under other players, and with doubtful paragraphs read otherwise.

use anyhow::{Result, anyhow, bail};
use countermarch_core::{
    ruleset::Selection,
    study::{Case, Comparison, Pairs, Player, ladder_players, other_readings},
};

use super::{Prepared, kept::Keeping};
use crate::content::{self, Asked};

impl Prepared {
    /// What is meant by `players`, `readings`, `all`, a player, or `SETTING=VALUE`.
    ///
    /// # Errors
    /// There is no such player or setting.
    pub(super) fn cases(&self) -> Result<Vec<Case>> {
        let (ruleset, scenario) = (&self.pairs.versions[0], self.pairs.scenarios[0]);
        let mut cases: Vec<Case> = Vec::new();
        for word in &self.what.under {
            if ["players", "all"].contains(&word.as_str()) {
                cases.extend(ladder_players(ruleset, scenario).into_iter().map(Case::Played));
            }
            if ["readings", "all"].contains(&word.as_str()) {
                cases.extend(other_readings(ruleset).into_iter().map(|(setting, value)| Case::Read(setting, value)));
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
                None => {
                    let player = Player::parse(word);
                    for version in &self.pairs.versions {
                        player.fits(version).map_err(|why| {
                            anyhow!("--under wants players, readings, all, SETTING=VALUE or a player: {why}")
                        })?;
                    }
                    cases.push(Case::Played(player));
                }
            }
        }
        let asked = |case: &Case| matches!(case, Case::Played(player) if self.pairs.players.iter().flatten().all(|other| other == player));
        let mut once: Vec<Case> = Vec::new();
        for case in cases.into_iter().filter(|case| !asked(case)) {
            if !once.contains(&case) {
                once.push(case);
            }
        }
        Ok(once)
    }

    /// Plays it in each case, as often as it was played itself.
    pub(super) fn under(&self, keeping: &Keeping<'_>, own: &Comparison) -> Result<Vec<(Case, Comparison)>> {
        let games = if self.what.until.is_empty() { self.pairs.games } else { own.pairs + own.failed.0 };
        let one = |case: Case| -> Result<(Case, Comparison)> {
            let mut pairs = Pairs { games, ..self.pairs.clone() };
            match &case {
                Case::Played(player) => {
                    let all = |seats: &Vec<Player>| vec![player.clone(); seats.len()];
                    pairs.players = pairs.players.each_ref().map(all);
                }
                Case::Read(setting, value) => {
                    let load = |of: &Asked| {
                        let mut selection: Selection = of.selection.clone();
                        selection.set.push((format!("settings/{setting}/default"), value.clone()));
                        self.content.playable(&Asked { folder: of.folder.clone(), id: of.id.clone(), selection })
                    };
                    pairs.versions = [load(&self.asked[0])?, load(&self.asked[1])?];
                    let scenario = self.what.scenario.as_deref();
                    for at in [0, 1] {
                        pairs.scenarios[at] = content::scenario(&pairs.versions[at], scenario)?;
                    }
                }
            }
            let name = case.to_string();
            let file: String =
                name.chars().map(|c| if c.is_ascii_alphanumeric() || "-.".contains(c) { c } else { '-' }).collect();
            let beside = keeping.beside(&format!("under.{file}"));
            Ok((case, beside.all(&pairs, &format!("pairs under {name}"))?.comparison))
        };
        self.cases()?.into_iter().map(one).collect()
    }
}

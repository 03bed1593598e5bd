//! How often the paragraphs of two versions spoke, pair by pair.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use maud::{Markup, html};
use serde_json::{Value, json};

use super::{
    Correction, Effect, Paired, Pairs, Spoken,
    crew::Crew,
    spoken::{Ears, cites},
};
use crate::{
    play::{Rules, Session},
    ruleset::Ruleset,
};

/// At how many decisions of a game each paragraph spoke, in both versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// How many pairs count.
    pub pairs: u64,
    /// How many could not be played to their end.
    pub failed: u64,
    correction: Correction,
    paragraphs: BTreeMap<String, Paired>,
}

/// A paragraph, what it comes to, and whether it differs, all of them looked at together.
pub type Paragraph<'a> = (&'a str, Effect, bool);

impl Heard {
    /// Plays the pairs and listens. `make` makes rules that look closely; `done` hears that a pair has been played. A
    /// paragraph that one version lacks never spoke in it.
    ///
    /// # Errors
    /// The rules could not be made.
    pub fn over<R: Rules, E: Send>(
        pairs: &Pairs,
        correction: Correction,
        make: impl Fn(&Arc<Ruleset>) -> Result<R, E> + Sync,
        done: impl Fn(),
    ) -> Result<Heard, E> {
        let crew = Crew { pieces: pairs.games, jobs: pairs.jobs };
        let cites = [0, 1].map(|at| cites(&pairs.versions[at]));
        let begin = || {
            let ears = |at: usize| -> Result<Ears<R>, E> {
                let session = |log| Ok(Session::of(make(&pairs.versions[at])?, pairs.listened(at, pairs.seed, log)));
                Ok(Ears { told: session(true)?, asked: session(false)? })
            };
            Ok([ears(0)?, ears(1)?])
        };
        let listen = |ears: &mut [Ears<R>; 2], number: u64| {
            let seed = pairs.seed.wrapping_add(number);
            let mut heard = [Spoken::default(), Spoken::default()];
            for (at, heard) in heard.iter_mut().enumerate() {
                let begun = |log| pairs.listened(at, seed, log);
                heard.listen(&mut ears[at], begun, &pairs.players[at], &cites[at]).ok()?;
            }
            Some(heard.map(|heard| heard.cited))
        };
        let all =
            |at: usize| pairs.versions[at].rulebook.entries.iter().map(|entry| (entry.id.clone(), Paired::default()));
        let mut heard = Heard { pairs: 0, failed: 0, correction, paragraphs: all(0).chain(all(1)).collect() };
        crew.work(begin, listen, |cited: Option<[BTreeMap<String, u64>; 2]>| {
            done();
            match cited {
                Some(cited) => heard.add(&cited),
                None => heard.failed += 1,
            }
            Ok(())
        })?;
        Ok(heard)
    }

    fn add(&mut self, cited: &[BTreeMap<String, u64>; 2]) {
        self.pairs += 1;
        for (id, paired) in &mut self.paragraphs {
            let times = |at: usize| cited[at].get(id).map_or(0, |times| i32::try_from(*times).unwrap_or(i32::MAX));
            paired.add([times(0), times(1)]);
        }
    }

    /// Every paragraph, by its id.
    pub fn paragraphs(&self) -> Vec<Paragraph<'_>> {
        let effects: Vec<Option<Effect>> = self.paragraphs.values().map(Paired::effect).collect();
        let stands = self.correction.standing(&effects);
        let all = self.paragraphs.keys().zip(effects).zip(stands);
        all.filter_map(|((id, effect), stands)| Some((id.as_str(), effect?, stands))).collect()
    }

    /// Those that spoke more often in one version than in the other in any pair; and how many others spoke, and how many
    /// never did.
    fn sorted(&self) -> (Vec<Paragraph<'_>>, usize, usize) {
        let (differ, same): (Vec<_>, Vec<_>) =
            self.paragraphs().into_iter().partition(|(_, effect, _)| effect.differing > 0);
        let (alike, silent): (Vec<_>, Vec<_>) = same.into_iter().partition(|(_, effect, _)| effect.means != [0.0; 2]);
        (differ, alike.len(), silent.len())
    }
}

fn interval(effect: &Effect) -> String {
    effect.ends().map_or_else(|| effect.why_unknown(), |[low, high]| format!("{low:+.2} .. {high:+.2}"))
}

/// What the table is about, in words.
fn about(heard: &Heard) -> String {
    let failed = if heard.failed == 0 { String::new() } else { format!(", {} more could not be played", heard.failed) };
    format!("How often a paragraph spoke, in decisions a game: {} pairs{failed}", heard.pairs)
}

/// What does not stand in the table.
fn rest(heard: &Heard, alike: usize, silent: usize) -> String {
    format!(
        "as often in both: {alike} more paragraphs; never in either: {silent}; * differs at 95 %, {}",
        heard.correction.promise()
    )
}

/// As text for a terminal.
pub(super) fn heard_text(heard: &Heard) -> String {
    let (all, alike, silent) = heard.sorted();
    let wide = all.iter().map(|(id, ..)| id.chars().count()).max().unwrap_or(0);
    let mut text = format!("\n{}\n", about(heard));
    let _ = writeln!(text, "{:<wide$} {:>9} {:>9} {:>9}  95 % interval", "", "A", "B", "B - A");
    for (id, effect, stands) in &all {
        let [a, b] = effect.means;
        let mark = if *stands { "*" } else { "" };
        let line =
            format!("{id:<wide$} {a:>9.2} {b:>9.2} {:>+9.2}  {:<24} {mark}", effect.difference, interval(effect));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = writeln!(text, "{}", rest(heard, alike, silent));
    text
}

/// For browsers.
pub(super) fn heard_page(heard: &Heard) -> Markup {
    let (all, alike, silent) = heard.sorted();
    html! {
        h2 { (about(heard)) }
        div.wide { table {
            thead { tr { th {} th { "A" } th { "B" } th { "B \u{2212} A" } th { "95 % interval" } } }
            tbody { @for (id, effect, stands) in &all {
                tr class=(if *stands { "stands" } else { "" }) {
                    td { (id) @if *stands { " *" } }
                    td { (format!("{:.2}", effect.means[0])) }
                    td { (format!("{:.2}", effect.means[1])) }
                    td { (format!("{:+.2}", effect.difference)) }
                    td { (interval(effect)) }
                }
            } }
        } }
        p.about { (rest(heard, alike, silent)) }
    }
}

/// For machines.
pub(super) fn heard_json(heard: &Heard) -> Value {
    let paragraphs = heard.paragraphs().into_iter().map(|(id, effect, stands)| {
        json!({ "paragraph": id, "means": effect.means, "difference": effect.difference,
            "interval": effect.ends(), "differing": effect.differing, "p": effect.p, "stands": stands })
    });
    json!({ "pairs": heard.pairs, "failed": heard.failed, "paragraphs": paragraphs.collect::<Vec<_>>() })
}

//! How far a claim reaches: whether it holds whoever plays, and however the doubtful paragraphs are read.

use super::{Comparison, Correction, Effect, Gauge, Player, comparison::Pairs};
use crate::ruleset::{Amendment, AmendmentKind, Differences, Provenance, Ruleset};

/// Something that is as in the comparison asked for but for one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Case {
    /// Others play: this player on all sides.
    Played(Player),
    /// A doubtful paragraph is read otherwise in both versions: a setting and its value.
    Read(String, String),
    /// What no source prints is rebuilt otherwise in both versions: this amendment is put on them, or taken off.
    Rebuilt(String, bool),
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Case::Played(player) => write!(f, "{player}"),
            Case::Read(setting, value) => write!(f, "{setting}={value}"),
            Case::Rebuilt(amendment, is_on) => write!(f, "{}{amendment}", if *is_on { '+' } else { '~' }),
        }
    }
}

/// What a claim came to in one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The same was found.
    Holds,
    /// The contrary was found.
    Contrary,
    /// Neither: there may be no such thing, or these games were too few.
    Open,
}

impl Verdict {
    /// What a difference says of one that was found.
    pub fn of(found: &Effect, here: Option<&Effect>, stands: bool) -> Verdict {
        match here.filter(|_| stands) {
            Some(here) if here.difference.signum() == found.difference.signum() => Verdict::Holds,
            Some(_) => Verdict::Contrary,
            None => Verdict::Open,
        }
    }

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Contrary => "the contrary",
            Verdict::Open => "not found",
        }
    }
}

/// How far a claim reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// It holds whoever of the players plays, and under every other reading.
    A,
    /// It holds whoever plays and under more than half of the other readings, and nowhere is the contrary found.
    B,
    /// It holds where the strongest player plays, and nowhere is the contrary found.
    C,
    /// It holds for one player alone, or its direction hangs on who plays or how one reads.
    D,
    /// It is about the model and not about the game: nobody played but at random, or it rests on values that were
    /// invented or inferred.
    E,
}

/// A grade, and what it is given for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graded {
    /// The grade.
    pub grade: Grade,
    /// Of what is about the model: the grade it would have if it were about the game.
    pub otherwise: Option<Grade>,
    /// Why, in a few words.
    pub why: String,
}

impl std::fmt::Display for Graded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.grade)?;
        if let Some(otherwise) = self.otherwise {
            write!(f, " (else {otherwise:?})")?;
        }
        write!(f, ": {}", self.why)
    }
}

/// Grades a claim that holds as it was asked. `players` are all who were tried, the strongest first, he who was asked
/// among them, each with whether he plays at random; `rests` is why it is about the model, where it is.
pub fn grade(players: &[(bool, Verdict)], readings: &[Verdict], rests: Option<&str>) -> Graded {
    let holding = players.iter().filter(|(_, verdict)| *verdict == Verdict::Holds).count();
    let read = readings.iter().filter(|verdict| **verdict == Verdict::Holds).count();
    let is_contrary = players.iter().map(|(_, verdict)| verdict).chain(readings).any(|v| *v == Verdict::Contrary);
    let is_for_all = players.len() > 1 && holding == players.len();
    let own = match players.first() {
        _ if is_contrary => Grade::D,
        _ if is_for_all && read == readings.len() => Grade::A,
        _ if is_for_all && 2 * read > readings.len() => Grade::B,
        Some((_, Verdict::Holds)) if players.len() > 1 => Grade::C,
        _ => Grade::D,
    };
    let counted = |count: usize, all: usize, of: &str| match all {
        0 => format!("no other {of}"),
        1 => format!("{count} of 1 {of}"),
        all => format!("{count} of {all} {of}s"),
    };
    let mut why = format!(
        "holds under {}, {}",
        counted(holding, players.len(), "player"),
        counted(read, readings.len(), "reading")
    );
    if is_contrary {
        why.push_str("; the contrary was found");
    }
    let only_random = players.iter().all(|(is_random, _)| *is_random).then_some("nobody played but at random");
    match rests.or(only_random) {
        Some(rests) => Graded { grade: Grade::E, otherwise: Some(own), why: format!("{rests}; {why}") },
        None => Graded { grade: own, otherwise: None, why },
    }
}

/// Other readings of versions whose games are alike: each setting that no amendment speaks of, with each of its other
/// values; and each reconstruction that is on in all of them taken off, or on in none put on.
pub fn other_readings(versions: &[&Ruleset]) -> Vec<Case> {
    let Some(ruleset) = versions.first() else { return Vec::new() };
    let is_amended = |id: &str| {
        let path = format!("settings/{id}");
        let leads = |edit: &str| edit.strip_prefix(&*path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        ruleset.amendments.iter().flat_map(|amendment| &amendment.edits).any(|edit| leads(&edit.path))
    };
    let doubtful = ruleset.settings.iter().filter(|setting| !is_amended(&setting.id));
    let others = |setting: &crate::ruleset::Setting| {
        let (id, chosen) = (setting.id.clone(), setting.value.clone());
        let values = setting.values.iter().filter(move |value| **value != chosen);
        values.map(move |value| Case::Read(id.clone(), value.clone())).collect::<Vec<_>>()
    };
    let rebuilt = ruleset.amendments.iter().filter(|amendment| amendment.kind == AmendmentKind::Reconstruction);
    let is_on = |version: &&Ruleset, id: &str| version.amendments.iter().any(|other| other.id == id && other.on);
    let alike = rebuilt.filter(|amendment| versions.iter().all(|other| is_on(other, &amendment.id) == amendment.on));
    // What others must be there for, or away, cannot be changed by itself.
    let fits = |version: &&Ruleset, amendment: &Amendment| {
        let on = |id: &String| is_on(version, id);
        let others = || version.amendments.iter().filter(|other| other.on && other.id != amendment.id);
        let is_needed = others().any(|other| other.needs.contains(&amendment.id));
        let is_barred =
            amendment.excludes.iter().any(on) || others().any(|other| other.excludes.contains(&amendment.id));
        if amendment.on { !is_needed } else { amendment.needs.iter().all(on) && !is_barred }
    };
    let alike = alike.filter(|amendment| versions.iter().all(|version| fits(version, amendment)));
    doubtful.flat_map(others).chain(alike.map(|amendment| Case::Rebuilt(amendment.id.clone(), !amendment.on))).collect()
}

/// The players of a version's ladder of a scenario, the strongest first; where it has none, `plain` and `random`, or
/// whoever it has.
pub fn ladder_players(ruleset: &Ruleset, scenario: usize) -> Vec<Player> {
    let scenario = &ruleset.scenarios[scenario].id;
    let ladder = ruleset.ladder.iter().find(|ranking| ranking.scenario == *scenario);
    match ladder {
        Some(ladder) => ladder.players.iter().map(|ranked| Player::parse(&ranked.player)).collect(),
        None => {
            ruleset.judgements.iter().map(|own| Player::Named((&*own.name).into())).chain([Player::Random]).collect()
        }
    }
}

/// Players in the order of their strength: as the ladder has them; who is not on it stands where his kind does.
pub fn by_strength(players: &mut [Player], ruleset: &Ruleset, scenario: usize) {
    let ladder = ladder_players(ruleset, scenario);
    let kind = |player: &Player| match player {
        Player::Careful(_) => 0,
        Player::Named(_) => 1,
        Player::Random => 2,
    };
    let place = |player: &Player| ladder.iter().position(|other| other == player);
    players.sort_by(|a, b| match (place(a), place(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => kind(a).cmp(&kind(b)),
    });
}

/// A measure that was found to differ, with its grade and what it came to in each case.
#[derive(Debug, Clone)]
pub struct Claim<'a> {
    /// The measure.
    pub gauge: &'a Gauge,
    /// By how much it differs.
    pub effect: Effect,
    /// How far that reaches.
    pub graded: Graded,
    /// What came of it in each case.
    pub verdicts: Vec<Verdict>,
}

/// That what is measured counts values of the model, if it does.
pub(super) fn made_up<'a>(gauges: impl IntoIterator<Item = &'a Gauge>) -> Option<String> {
    let counts = gauges.into_iter().any(|gauge| gauge.is_made_up);
    counts.then(|| "it counts values that were invented or inferred".to_owned())
}

/// Why a claim is about the model and not about the game, if it is.
pub fn rests_on_model(gauge: &Gauge, differences: &Differences) -> Option<String> {
    if let Some(made_up) = made_up([gauge]) {
        return Some(made_up);
    }
    let off = differences.amendments().into_iter().find_map(|(amendment, _)| {
        let from = amendment.without.as_ref()?.from;
        matches!(from, Provenance::Invented | Provenance::Inferred).then_some((amendment, from))
    });
    off.map(|(amendment, from)| format!("how the game goes without {} is {}", amendment.id, from.word()))
}

/// Every measure that was found to differ, graded.
pub fn claims<'a>(
    comparison: &'a Comparison,
    pairs: &Pairs,
    differences: &Differences,
    cases: &[(Case, Comparison)],
) -> Vec<Claim<'a>> {
    let effects = comparison.effects();
    let found: Vec<(&Gauge, Effect)> = comparison
        .gauges
        .iter()
        .zip(effects)
        .zip(comparison.standing())
        .filter(|((gauge, _), stands)| *stands && gauge.is_of_the_game())
        .filter_map(|((gauge, effect), _)| Some((gauge, effect?)))
        .collect();
    let in_case = |(_, other): &(Case, Comparison)| -> Vec<Verdict> { looked_for(&found, other) };
    let verdicts: Vec<Vec<Verdict>> = cases.iter().map(in_case).collect();
    let graded = |at: usize| {
        let of = |case: usize| verdicts[case][at];
        let mut players: Vec<(Player, Verdict)> = Vec::new();
        let asked = pairs.players[0].first().cloned().unwrap_or(Player::Random);
        players.push((asked, Verdict::Holds));
        let mut readings = Vec::new();
        for (number, (case, _)) in cases.iter().enumerate() {
            match case {
                Case::Played(player) => players.push((player.clone(), of(number))),
                Case::Read(..) | Case::Rebuilt(..) => readings.push(of(number)),
            }
        }
        let mut order: Vec<Player> = players.iter().map(|(player, _)| player.clone()).collect();
        by_strength(&mut order, &pairs.versions[0], pairs.scenarios[0]);
        players.sort_by_key(|(player, _)| order.iter().position(|other| other == player));
        let players: Vec<(bool, Verdict)> = players.iter().map(|(player, v)| (*player == Player::Random, *v)).collect();
        grade(&players, &readings, rests_on_model(found[at].0, differences).as_deref())
    };
    (0..found.len())
        .map(|at| Claim {
            gauge: found[at].0,
            effect: found[at].1,
            graded: graded(at),
            verdicts: verdicts.iter().map(|of| of[at]).collect(),
        })
        .collect()
}

/// What a comparison says of what another has found; all that was found is looked at together, and nothing else.
fn looked_for(found: &[(&Gauge, Effect)], here: &Comparison) -> Vec<Verdict> {
    let effects = here.effects();
    let place = |gauge: &Gauge| here.gauges.iter().position(|other| other.id == gauge.id);
    let of: Vec<Option<Effect>> = found.iter().map(|(gauge, _)| place(gauge).and_then(|at| effects[at])).collect();
    let stands = Correction::Holm.standing(&of);
    found
        .iter()
        .zip(&of)
        .zip(stands)
        .map(|(((_, found), of), stands)| Verdict::of(found, of.as_ref(), stands))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Grade, Verdict, grade};

    #[test]
    fn grades_are_given_as_they_are_defined() {
        use Verdict::{Contrary, Holds, Open};
        let by = |players: &[Verdict], readings: &[Verdict]| {
            let players: Vec<(bool, Verdict)> = players.iter().enumerate().map(|(at, v)| (at > 1, *v)).collect();
            grade(&players, readings, None).grade
        };
        assert_eq!(by(&[Holds, Holds, Holds], &[Holds, Holds]), Grade::A);
        assert_eq!(by(&[Holds, Holds], &[]), Grade::A);
        assert_eq!(by(&[Holds, Holds, Holds], &[Holds, Holds, Open]), Grade::B);
        assert_eq!(by(&[Holds, Holds, Holds], &[Holds, Open]), Grade::C, "half is not most");
        assert_eq!(by(&[Holds, Open, Open], &[Holds, Holds]), Grade::C, "under the strongest");
        assert_eq!(by(&[Open, Holds, Holds], &[Holds, Holds]), Grade::D, "not under the strongest");
        assert_eq!(by(&[Holds, Holds, Contrary], &[Holds]), Grade::D, "the direction hangs on who plays");
        assert_eq!(by(&[Holds, Holds, Holds], &[Holds, Holds, Contrary]), Grade::D, "it hangs on how one reads");
        assert_eq!(by(&[Holds], &[Holds, Holds]), Grade::D, "one player alone");
        let only_random = grade(&[(true, Holds)], &[], None);
        assert_eq!((only_random.grade, only_random.otherwise), (Grade::E, Some(Grade::D)));
        let invented = grade(&[(false, Holds), (true, Holds)], &[], Some("it is invented"));
        assert_eq!((invented.grade, invented.otherwise), (Grade::E, Some(Grade::A)));
        assert_eq!(invented.to_string(), "E (else A): it is invented; holds under 2 of 2 players, no other reading");
    }
}

//! What single amendments are worth of what makes two versions differ: each taken out of the version that has it, put into
//! the one that lacks it, or taken out by twos. Nothing of it hangs on which version is called the first.

use super::Comparison;
use crate::ruleset::{Amendment, Differences, VersionName};

/// How amendments are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Singly {
    /// Each taken out of the version in which it is on.
    OneOut,
    /// Each put into the version in which it is off.
    OneIn,
    /// Every two that are on in the same version, taken out of it together.
    Pairs,
}

impl Singly {
    /// All of them.
    pub const ALL: [Singly; 3] = [Singly::OneOut, Singly::OneIn, Singly::Pairs];

    /// The word for it, for machines too.
    pub fn word(self) -> &'static str {
        match self {
            Singly::OneOut => "one-out",
            Singly::OneIn => "one-in",
            Singly::Pairs => "pairs",
        }
    }

    /// In words: which games are held against each other.
    pub fn about(self) -> &'static str {
        match self {
            Singly::OneOut => "Each taken out of the version that has it: with it less without",
            Singly::OneIn => "Each put into the version that lacks it: with it less without",
            Singly::Pairs => "Every two taken out of the version that has them: with both less without",
        }
    }
}

/// What single amendments came to.
#[derive(Debug, Clone)]
pub struct Each {
    /// How they were looked at.
    pub how: Singly,
    /// Each by its name, two joined by `+`; what is on stands second.
    pub all: Vec<(String, Comparison)>,
    /// Those that cannot be looked at so, and why.
    pub left_out: Vec<(String, String)>,
}

impl Singly {
    /// Why nothing can be looked at so, whatever needs or excludes what.
    pub fn nothing(self, differences: &Differences) -> Option<String> {
        let amendments = differences.amendments();
        let are_two = amendments.iter().enumerate().any(|(at, one)| amendments[at + 1..].iter().any(|o| o.1 == one.1));
        match self {
            _ if amendments.is_empty() => {
                Some("--effects has nothing to look at: no amendment is on in one of the versions alone".to_owned())
            }
            Singly::Pairs if !are_two => Some(
                "--effects pairs has nothing to look at: in neither version two amendments are on that are off in the \
                 other; one-out and one-in look at each by itself"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

/// One version without amendments and with them, the rest being as in one of two versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turned {
    /// Their names, joined by `+`.
    pub name: String,
    /// Of which of the two versions the rest is.
    pub rest: usize,
    /// Without them, and with them.
    pub versions: [VersionName; 2],
}

/// What is to be played to know what single amendments are worth, and what cannot be.
pub fn turned(
    how: Singly,
    differences: &Differences,
    versions: [&VersionName; 2],
) -> (Vec<Turned>, Vec<(String, String)>) {
    let (amendments, named) = (differences.amendments(), &differences.versions[0].versions);
    let (mut all, mut left_out) = (Vec::new(), Vec::new());
    let mut look_at = |of: &[&(&Amendment, usize)]| {
        let on = of[0].1;
        let rest = if how == Singly::OneIn { 1 - on } else { on };
        let ids: Vec<&str> = of.iter().map(|(amendment, _)| amendment.id.as_str()).collect();
        let name = ids.join("+");
        let is_on = |one: &Amendment| if ids.contains(&one.id.as_str()) { how == Singly::OneIn } else { one.on };
        match clash(&differences.versions[rest].amendments, is_on) {
            Some(why) => left_out.push((name, why)),
            None => {
                let mut changed = versions[rest].clone();
                ids.iter().for_each(|id| changed.turn(id, how == Singly::OneIn, named));
                let same = versions[rest].clone();
                let versions = if how == Singly::OneIn { [same, changed] } else { [changed, same] };
                all.push(Turned { name, rest, versions });
            }
        }
    };
    for (at, one) in amendments.iter().enumerate() {
        if how == Singly::Pairs {
            let later = amendments[at + 1..].iter().filter(|other| other.1 == one.1);
            later.for_each(|other| look_at(&[one, other]));
        } else {
            look_at(&[one]);
        }
    }
    (all, left_out)
}

/// Why these amendments cannot be on together.
fn clash(all: &[Amendment], is_on: impl Fn(&Amendment) -> bool) -> Option<String> {
    let on: Vec<&Amendment> = all.iter().filter(|one| is_on(one)).collect();
    let has = |id: &String| on.iter().any(|one| one.id == *id);
    on.iter().find_map(|one| {
        let needs = one.needs.iter().find(|id| !has(id)).map(|id| format!("{} needs {id}", one.id));
        needs.or_else(|| one.excludes.iter().find(|id| has(id)).map(|id| format!("{} excludes {id}", one.id)))
    })
}

//! A study as its author writes it: what is asked, what is played to answer it, what is concluded if so, and what cannot be
//! said. `studies/README.md` has the format.

use super::{Correction, Singly, Until};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    yaml::{self, Node},
};

/// A study.
#[derive(Debug, Clone)]
pub struct StudyFile {
    /// What it is called.
    pub title: String,
    /// What it asks, and of what.
    pub question: String,
    /// What is played.
    pub comparisons: Vec<Planned>,
    /// What is concluded.
    pub conclusions: Vec<Conclusion>,
    /// What cannot be said.
    pub cannot_say: Vec<String>,
}

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
    /// Where it stands.
    pub span: Span,
}

/// Something that is concluded if figures say so.
#[derive(Debug, Clone)]
pub struct Conclusion {
    /// What all must hold.
    pub conditions: Vec<Condition>,
    /// What is said if all hold.
    pub holds: String,
    /// What is said if one of them does not.
    pub fails: String,
    /// What is said if these games cannot tell.
    pub unknown: String,
    /// Where it stands.
    pub span: Span,
}

/// A condition on a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The figure.
    pub of: FigureName,
    /// What must be sure of it.
    pub is: Is,
    /// As it is written.
    pub text: String,
}

/// The difference of a measure, of a whole comparison or of one of its amendments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureName {
    /// The comparison.
    pub comparison: String,
    /// The amendment, as it was looked at first.
    pub amendment: Option<String>,
    /// The measure, as `--json` calls it.
    pub measure: String,
}

/// What must be sure of a difference, in what its measure is told in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Is {
    /// The second version has more, by more than so much.
    More(f64),
    /// It is less than so much.
    Less(f64),
    /// It is nearer to nothing than so much.
    Within(f64),
}

/// What must stand behind a condition, for help.
const CONDITION: &str =
    "write COMPARISON: MEASURE > NUMBER, < NUMBER or within NUMBER; COMPARISON/AMENDMENT: for one amendment";

impl FigureName {
    /// Reads `COMPARISON: MEASURE` or `COMPARISON/AMENDMENT: MEASURE`.
    pub fn parse(text: &str) -> Option<FigureName> {
        let (of, measure) = text.split_once(':')?;
        let (comparison, amendment) = match of.split_once('/') {
            Some((comparison, amendment)) => (comparison.trim(), Some(amendment.trim().to_owned())),
            None => (of.trim(), None),
        };
        let measure = measure.trim();
        let is_word = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
        let is_whole = is_word(comparison) && is_word(measure) && amendment.as_deref().is_none_or(is_word);
        is_whole.then(|| FigureName { comparison: comparison.to_owned(), amendment, measure: measure.to_owned() })
    }
}

impl Condition {
    /// Reads one.
    pub fn parse(text: &str) -> Option<Condition> {
        let at = text.find(['<', '>']).or_else(|| text.find(" within "))?;
        let (of, rest) = text.split_at(at);
        let (word, number) = match rest.strip_prefix(" within ") {
            Some(number) => ("within", number),
            None => rest.split_at(1),
        };
        let number: f64 = number.trim().parse().ok().filter(|number: &f64| number.is_finite())?;
        let is = match word {
            ">" => Is::More(number),
            "<" => Is::Less(number),
            _ if number > 0.0 => Is::Within(number),
            _ => return None,
        };
        Some(Condition { of: FigureName::parse(of)?, is, text: text.trim().to_owned() })
    }
}

/// The names in braces that a text has figures put in for.
pub fn holes(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

impl StudyFile {
    /// Reads one. What is wrong is recorded, and the rest is read.
    pub fn read(file: &str, text: &str, found: &mut Diagnostics) -> StudyFile {
        let node = yaml::parse(file, text, found);
        let mut fields = node.fields(found);
        let title = fields.must("title", found).map_or_else(String::new, |node| node.as_text(found));
        let question = fields.text("question", found).unwrap_or_default();
        let comparisons = fields.must("compare", found).map_or_else(Vec::new, |node| {
            let entries = node.entries(found).to_vec();
            entries.iter().filter_map(|(name, node)| Planned::read(name, node, found)).collect()
        });
        let conclusions = fields.may("conclude").map_or_else(Vec::new, |node| {
            let items = node.items(found).to_vec();
            items.iter().filter_map(|node| Conclusion::read(node, &comparisons, found)).collect()
        });
        let cannot_say = fields.texts("cannot-say", found);
        fields.finish(found);
        StudyFile { title, question, comparisons, conclusions, cannot_say }
    }
}

impl Planned {
    fn read(name: &Node, node: &Node, found: &mut Diagnostics) -> Option<Planned> {
        let id = name.as_text(found);
        if id.is_empty() || !id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
            let help = "write letters, digits and `-`: files are called by it";
            found.error("name", &name.span, format!("`{id}` is no name of a comparison"), help);
            return None;
        }
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
        let scenario = fields.text("scenario", found);
        let players = fields.may("players").map_or_else(Vec::new, |node| {
            let entries = node.entries(found).to_vec();
            let seat = |(side, player): &(Node, Node)| format!("{}={}", side.as_text(found), player.as_text(found));
            entries.iter().map(seat).collect()
        });
        let mut count = |key: &'static str, found: &mut Diagnostics| {
            fields.may(key).map(|node| u64::from(node.as_int(1, i32::MAX, found).unsigned_abs()))
        };
        let (games, seed, each) = (count("games", found), count("seed", found), count("each", found));
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
            name: id,
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
            span: node.span.clone(),
        })
    }
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

impl Conclusion {
    fn read(node: &Node, comparisons: &[Planned], found: &mut Diagnostics) -> Option<Conclusion> {
        let mut fields = node.fields(found);
        let conditions = fields.must("if", found).map_or_else(Vec::new, |node| {
            let items = node.items(found).to_vec();
            items.iter().filter_map(|node| condition(node, comparisons, found)).collect()
        });
        let mut said = |key: &'static str, found: &mut Diagnostics| {
            let node = fields.must(key, found)?;
            let text = node.as_text(found);
            for name in holes(&text) {
                let figure = conditions.first().and_then(|first: &Condition| figure_in(name, &first.of));
                match figure {
                    Some((of, _)) => known(&of, &node.span, comparisons, found),
                    None => found.error("figure", &node.span, format!("{{{name}}} names no figure"), HOLE),
                }
            }
            Some(text)
        };
        let texts = [said("holds", found), said("fails", found), said("unknown", found)];
        fields.finish(found);
        let [holds, fails, unknown] = texts;
        let is_whole = !conditions.is_empty();
        is_whole.then_some(())?;
        Some(Conclusion { conditions, holds: holds?, fails: fails?, unknown: unknown?, span: node.span.clone() })
    }
}

/// What may stand in braces, for help.
const HOLE: &str = "write {MEASURE} for its difference, {MEASURE in A} or {MEASURE in B} for what it comes to there, \
                    {COMPARISON: MEASURE} of another comparison";

/// What a name in braces means where conditions speak of this figure first: a figure, and of which version its mean is
/// wanted in place of the difference.
pub fn figure_in(name: &str, first: &FigureName) -> Option<(FigureName, Option<usize>)> {
    let (name, version) = match name.strip_suffix(" in A") {
        Some(name) => (name, Some(0)),
        None => name.strip_suffix(" in B").map_or((name, None), |name| (name, Some(1))),
    };
    let of = match name.contains(':') {
        true => FigureName::parse(name)?,
        false if name.is_empty() || name.contains(char::is_whitespace) => return None,
        false => FigureName { measure: name.to_owned(), ..first.clone() },
    };
    Some((of, version))
}

fn condition(node: &Node, comparisons: &[Planned], found: &mut Diagnostics) -> Option<Condition> {
    let text = node.as_text(found);
    let condition = Condition::parse(&text);
    match &condition {
        Some(condition) => known(&condition.of, &node.span, comparisons, found),
        None => found.error("condition", &node.span, format!("`{text}` is no condition on a figure"), CONDITION),
    }
    condition
}

/// Records a comparison that is not there.
fn known(of: &FigureName, span: &Span, comparisons: &[Planned], found: &mut Diagnostics) {
    let name = &of.comparison;
    match comparisons.iter().find(|planned| planned.name == *name) {
        None => {
            let help = suggest(name, comparisons.iter().map(|planned| planned.name.as_str()));
            found.error("unknown", span, format!("there is no comparison `{name}`"), help);
        }
        Some(planned) if of.amendment.is_some() && planned.effects.is_empty() && planned.each.is_none() => {
            let message = format!("`{name}` does not look at amendments by themselves");
            found.error("effects", span, message, "add `effects: [one-out]` to it");
        }
        Some(_) => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "
title: Does it matter?
question: Who knows
compare:
  one: { game: chess, versions: [base, base+fast], games: 40, players: { white: plain }, until: [sign:points], each: 9 }
conclude:
  - if: [\"one: points.white < -1.5\", \"one/fast: wins.black within 5\"]
    holds: \"It does: {points.white} of {points.white in A}.\"
    fails: no
    unknown: \"who knows {one: turns}\"
cannot-say: [much]
";

    #[test]
    fn a_study_is_read_whole() {
        let mut found = Diagnostics::default();
        let study = StudyFile::read("s.yaml", WHOLE, &mut found);
        assert!(found.list.is_empty(), "{:?}", found.list);
        let one = &study.comparisons[0];
        assert_eq!((one.games, one.seed, one.each, one.until.len()), (40, 1, Some(9), 1));
        assert_eq!((one.players.join(" "), &one.versions[1]), ("white=plain".to_owned(), &"base+fast".to_owned()));
        let conditions = &study.conclusions[0].conditions;
        assert_eq!((conditions[0].is, conditions[1].is), (Is::Less(-1.5), Is::Within(5.0)));
        assert_eq!(conditions[1].of.amendment.as_deref(), Some("fast"));
        assert_eq!(holes(&study.conclusions[0].holds).collect::<Vec<_>>(), ["points.white", "points.white in A"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (old, new, told) in [
            ("title: Does it matter?", "titel: x", "`title` is missing here"),
            ("[base, base+fast]", "[base]", "two versions"),
            ("  one: {", "  o/e: {", "is no name of a comparison"),
            ("games: 40", "games: 0", "not between 1"),
            ("until: [sign:points]", "until: [now]", "`now` is not width=N"),
            ("points.white < -1.5", "points.white = 3", "is no condition on a figure"),
            ("points.white < -1.5", "points.white < much", "is no condition on a figure"),
            ("one: points.white <", "two: points.white <", "there is no comparison `two`"),
            ("{points.white in A}", "{points white}", "names no figure"),
            ("{one: turns}", "{two: turns}", "there is no comparison `two`"),
            (", each: 9", "", "does not look at amendments"),
            ("    fails: no\n", "", "`fails` is missing here"),
            ("cannot-say:", "cant-say:", "is not read here"),
        ] {
            assert!(WHOLE.contains(old), "{old}");
            let mut found = Diagnostics::default();
            StudyFile::read("s.yaml", &WHOLE.replace(old, new), &mut found);
            let all: Vec<&str> = found.list.iter().map(|one| one.message.as_str()).collect();
            assert!(all.iter().any(|message| message.contains(told)), "{new}: {all:?}");
        }
    }
}

//! A study as its author writes it: what is asked, what is played to answer it, what is concluded if so, and what cannot be
//! said. `studies/README.md` has the format.

use super::{Planned, PlannedSample, Quantity};
use crate::{
    diagnostic::{Diagnostics, Span, suggest},
    yaml::{self, Node},
};

/// A study.
#[derive(Debug, Clone, Default)]
pub struct StudyFile {
    /// What it is called.
    pub title: String,
    /// What it asks, and of what.
    pub question: String,
    /// What is played of two versions.
    pub comparisons: Vec<Planned>,
    /// What is played of one.
    pub samples: Vec<PlannedSample>,
    /// What is told side by side of samples.
    pub tables: Vec<Table>,
    /// What is concluded.
    pub conclusions: Vec<Conclusion>,
    /// What cannot be said.
    pub cannot_say: Vec<String>,
}

/// Quantities of several samples, told side by side.
#[derive(Debug, Clone)]
pub struct Table {
    /// What it tells.
    pub title: String,
    /// The rows: what each is called, what it asks, and where it stands.
    pub rows: Vec<(String, Quantity, Span)>,
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
    /// Where these three stand.
    pub said_at: [Span; 3],
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

/// A figure: the difference of a measure, of a whole comparison or of one of its amendments, or what a quantity comes to in
/// a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureName {
    /// The comparison, or the sample.
    pub of: String,
    /// The amendment, as it was looked at first.
    pub amendment: Option<String>,
    /// The measure as `--json` calls it; of a sample also at a moment, and as a share.
    pub quantity: Quantity,
}

/// What must be sure of a figure, in what it is told in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Is {
    /// It is more than so much: of a difference, the second version has more, by more than so much.
    More(f64),
    /// It is less than so much.
    Less(f64),
    /// It is nearer to nothing than so much.
    Within(f64),
}

/// What must stand behind a condition, for help.
const CONDITION: &str = "write COMPARISON: MEASURE > NUMBER, < NUMBER or within NUMBER; COMPARISON/AMENDMENT: for one \
                         amendment; of a sample also MEASURE at MOMENT, MEASURE / MEASURE and MEASURE / NUMBER";

impl FigureName {
    /// Reads `NAME: QUANTITY` or `NAME/AMENDMENT: QUANTITY`.
    pub fn parse(text: &str) -> Option<FigureName> {
        let (of, quantity) = text.split_once(':')?;
        let (of, amendment) = match of.split_once('/') {
            Some((of, amendment)) => (of.trim(), Some(amendment.trim().to_owned())),
            None => (of.trim(), None),
        };
        let is_word = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
        let is_whole = is_word(of) && amendment.as_deref().is_none_or(is_word);
        is_whole.then_some(FigureName { of: of.to_owned(), amendment, quantity: Quantity::parse(quantity)? })
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
        let mut entries = |key: &'static str, found: &mut Diagnostics| {
            fields.may(key).map_or_else(Vec::new, |node| node.entries(found).to_vec())
        };
        let (compared, sampled) = (entries("compare", found), entries("play", found));
        if compared.is_empty() && sampled.is_empty() {
            let help = "write `compare:` for two versions held against each other, or `play:` for one by itself";
            found.error("missing", &node.span, "nothing is played in this study", help);
        }
        let comparisons = compared.iter().filter_map(|(name, node)| Planned::read(name, node, found)).collect();
        let samples = sampled.iter().filter_map(|(name, node)| PlannedSample::read(name, node, found)).collect();
        let mut items = |key: &'static str, found: &mut Diagnostics| {
            fields.may(key).map_or_else(Vec::new, |node| node.items(found).to_vec())
        };
        let (tables, conclusions) = (items("tables", found), items("conclude", found));
        let tables = tables.iter().filter_map(|node| Table::read(node, found)).collect();
        let mut study = StudyFile { title, question, comparisons, samples, tables, ..StudyFile::default() };
        study.names_differ(found);
        study.conclusions = conclusions.iter().filter_map(|node| Conclusion::read(node, &study, found)).collect();
        study.cannot_say = fields.texts("cannot-say", found);
        fields.finish(found);
        study
    }

    /// Records two that are called alike.
    fn names_differ(&self, found: &mut Diagnostics) {
        for sample in self.samples.iter().filter(|sample| self.comparison(&sample.name).is_some()) {
            let message = format!("`{}` stands under `compare:` too", sample.name);
            found.error("twice", &sample.span, message, "give one of them another name");
        }
    }

    /// The comparison that is called so.
    pub fn comparison(&self, name: &str) -> Option<&Planned> {
        self.comparisons.iter().find(|planned| planned.name == name)
    }

    /// The sample that is called so.
    pub fn sample(&self, name: &str) -> Option<&PlannedSample> {
        self.samples.iter().find(|planned| planned.name == name)
    }

    /// Records a figure of what is not played, or not so.
    fn known(&self, figure: &FigureName, span: &Span, found: &mut Diagnostics) {
        let FigureName { of, amendment, quantity } = figure;
        match (self.comparison(of), self.sample(of)) {
            (None, None) => {
                let all = self.comparisons.iter().map(|planned| planned.name.as_str());
                let help = suggest(of, all.chain(self.samples.iter().map(|planned| planned.name.as_str())));
                found.error("unknown", span, format!("nothing that is played here is called `{of}`"), help);
            }
            (Some(planned), _) if amendment.is_some() && planned.effects.is_empty() && planned.each.is_none() => {
                let message = format!("`{of}` does not look at amendments by themselves");
                found.error("effects", span, message, "add `effects: [one-out]` to it");
            }
            (Some(_), _) if quantity.plain().is_none() => {
                let message = format!("`{quantity}` is asked of a comparison, which is of measures as they are named");
                found.error("measure", span, message, "moments and shares are of what stands under `play:`");
            }
            (None, Some(_)) if amendment.is_some() => {
                let help = "write it under `compare:`, with the version that lacks the amendment";
                found.error("effects", span, format!("`{of}` is of one version by itself"), help);
            }
            _ => (),
        }
    }
}

impl Table {
    fn read(node: &Node, found: &mut Diagnostics) -> Option<Table> {
        let mut fields = node.fields(found);
        let title = fields.must("title", found).map(|node| node.as_text(found));
        let rows = fields.must("rows", found).map_or_else(Vec::new, |node| {
            let entries = node.entries(found).to_vec();
            let row = |(name, node): &(Node, Node)| {
                let (name, text) = (name.as_text(found), node.as_text(found));
                let quantity = Quantity::parse(&text);
                if quantity.is_none() {
                    found.error("quantity", &node.span, format!("`{text}` asks for nothing"), QUANTITY);
                }
                Some((name, quantity?, node.span.clone()))
            };
            entries.iter().filter_map(row).collect()
        });
        fields.finish(found);
        Some(Table { title: title?, rows })
    }
}

/// What may stand in a row, for help.
const QUANTITY: &str = "write MEASURE, MEASURE at MOMENT, or either with / MEASURE, / MEASURE at MOMENT or / NUMBER";

impl Conclusion {
    fn read(node: &Node, study: &StudyFile, found: &mut Diagnostics) -> Option<Conclusion> {
        let mut fields = node.fields(found);
        let conditions = fields.must("if", found).map_or_else(Vec::new, |node| {
            let items = node.items(found).to_vec();
            items.iter().filter_map(|node| condition(node, study, found)).collect()
        });
        let mut said = |key: &'static str, found: &mut Diagnostics| {
            let node = fields.must(key, found)?;
            let text = node.as_text(found);
            for name in holes(&text) {
                let figure = conditions.first().and_then(|first: &Condition| figure_in(name, &first.of));
                match figure {
                    Some((of, Some(_))) if study.sample(&of.of).is_some() => {
                        let (message, help) =
                            (format!("`{}` has no version A and no B", of.of), "write {MEASURE} alone");
                        found.error("figure", &node.span, message, help);
                    }
                    Some((of, _)) => study.known(&of, &node.span, found),
                    None => found.error("figure", &node.span, format!("{{{name}}} names no figure"), HOLE),
                }
            }
            Some((text, node.span.clone()))
        };
        let texts = [said("holds", found), said("fails", found), said("unknown", found)];
        fields.finish(found);
        let [holds, fails, unknown] = texts;
        let is_whole = !conditions.is_empty();
        is_whole.then_some(())?;
        let ((holds, a), (fails, b), (unknown, c)) = (holds?, fails?, unknown?);
        Some(Conclusion { conditions, holds, fails, unknown, said_at: [a, b, c], span: node.span.clone() })
    }
}

/// What may stand in braces, for help.
const HOLE: &str = "write {MEASURE} for its difference, {MEASURE in A} or {MEASURE in B} for what it comes to there, \
                    {NAME: MEASURE} of what else is played; of a sample also {MEASURE at MOMENT} and {MEASURE / MEASURE}";

/// What a name in braces means where conditions speak of this figure first: a figure, and of which version its mean is
/// wanted in place of the difference.
pub fn figure_in(name: &str, first: &FigureName) -> Option<(FigureName, Option<usize>)> {
    let (name, version) = match name.strip_suffix(" in A") {
        Some(name) => (name, Some(0)),
        None => name.strip_suffix(" in B").map_or((name, None), |name| (name, Some(1))),
    };
    let of = match name.contains(':') {
        true => FigureName::parse(name)?,
        false => FigureName { quantity: Quantity::parse(name)?, ..first.clone() },
    };
    Some((of, version))
}

fn condition(node: &Node, study: &StudyFile, found: &mut Diagnostics) -> Option<Condition> {
    let text = node.as_text(found);
    let condition = Condition::parse(&text);
    match &condition {
        Some(condition) => study.known(&condition.of, &node.span, found),
        None => found.error("condition", &node.span, format!("`{text}` is no condition on a figure"), CONDITION),
    }
    condition
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "
title: Does it matter?
question: Who knows
compare:
  one: { game: chess, versions: [base, base+fast], games: 40, players: { white: plain }, until: [sign:points], each: 9 }
play:
  own: { game: chess, version: base, games: 30, moments: { late: end.9 }, numbers: { army: 16 }, under: [random] }
tables:
  - title: Who is left
    rows: { White: left.white at late / army }
conclude:
  - { if: \"own: lost.white / came.white > 5\", holds: \"{lost.white / army}\", fails: \"{lost.white at late}\", unknown: no }
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
        let own = &study.samples[0];
        assert_eq!((own.games, own.seed, &*own.version, own.under.len()), (30, 1, "base", 1));
        assert_eq!(own.words.moments, [("late".to_owned(), "end.9".to_owned())]);
        assert_eq!(own.words.numbers, [("army".to_owned(), 16.0)]);
        let (name, quantity, _) = &study.tables[0].rows[0];
        assert_eq!((&**name, quantity.to_string()), ("White", "left.white at late / army".to_owned()));
        assert_eq!(study.conclusions[0].conditions[0].of.quantity.to_string(), "lost.white / came.white");
        let conditions = &study.conclusions[1].conditions;
        assert_eq!((conditions[0].is, conditions[1].is), (Is::Less(-1.5), Is::Within(5.0)));
        assert_eq!(conditions[1].of.amendment.as_deref(), Some("fast"));
        assert_eq!(holes(&study.conclusions[1].holds).collect::<Vec<_>>(), ["points.white", "points.white in A"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (old, new, told) in [
            ("title: Does it matter?", "titel: x", "`title` is missing here"),
            ("[base, base+fast]", "[base]", "two versions"),
            ("[base, base+fast]", "[base, base]", "both are `base`"),
            ("  one: {", "  o/e: {", "is no name of what is played"),
            ("games: 40", "games: 0", "not between 1"),
            ("until: [sign:points]", "until: [now]", "`now` is not width=N"),
            ("points.white < -1.5", "points.white = 3", "is no condition on a figure"),
            ("points.white < -1.5", "points.white < much", "is no condition on a figure"),
            ("points.white < -1.5", "points.white at late < 1", "asked of a comparison"),
            ("points.white < -1.5", "points.white / 7 < 1", "asked of a comparison"),
            ("own: lost", "own/fast: lost", "`own` is of one version by itself"),
            ("own: lost.white / came.white", "own: lost / came / army", "is no condition on a figure"),
            ("{lost.white / army}", "{lost.white in A}", "`own` has no version A"),
            ("army: 16", "army: 0", "not between 1"),
            ("version: base, ", "", "`version` is missing here"),
            ("  own: {", "  one: {", "`one` stands under `compare:` too"),
            ("left.white at late /", "left white late /", "asks for nothing"),
            ("one: points.white <", "two: points.white <", "nothing that is played here is called `two`"),
            ("{points.white in A}", "{points white}", "names no figure"),
            ("{one: turns}", "{two: turns}", "nothing that is played here is called `two`"),
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

//! What a study comes to: its conclusions held against the figures, each with its grade, told as Markdown, as a page and for
//! machines.

use std::fmt::Write as _;

use maud::{Markup, html};
use serde_json::{Value, json};

use super::{
    Case, Compared, Conclusion, FigureName, Graded, Player, StudyFile, Verdict, by_strength,
    figures::{Figure, together},
    grade::{grade, made_up, rests_on_model},
    page::{comparison_body, drawn, with_charts},
    report::comparison_text,
    sampled::{Sampled, sample_body, sample_json, sample_text, table_chart, table_json, table_markdown, table_markup},
    study_file::{figure_in, holes},
};
use crate::{
    diagnostic::{Span, suggest},
    ruleset::Ruleset,
};

/// How often all conditions of a study together may be found to hold, or to fail, by chance.
const ALPHA: f64 = 0.05;

/// A study that has been played: what it says, and what each of its comparisons and samples came to, in their order.
#[derive(Debug, Clone, Copy)]
pub struct Concluded<'a> {
    /// What was asked.
    pub study: &'a StudyFile,
    /// What came of two versions held against each other.
    pub compared: &'a [Compared<'a>],
    /// What came of versions by themselves.
    pub sampled: &'a [Sampled<'a>],
    /// The command that does it again.
    pub again: &'a str,
}

/// What became of a conclusion.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Whether it holds, does not, or cannot be told.
    pub verdict: Verdict,
    /// What is said, with its figures.
    pub said: String,
    /// How far that reaches; nothing of what cannot be told.
    pub graded: Option<Graded>,
    /// Each condition, with the figure and what became of it.
    pub conditions: Vec<(String, String, Verdict)>,
}

/// What a condition speaks of.
#[derive(Clone, Copy)]
enum Subject<'a> {
    Compared(&'a Compared<'a>),
    Sampled(&'a Sampled<'a>),
}

impl<'a> Subject<'a> {
    /// The figure as it was asked for; of an amendment by itself only once that was played.
    fn figure(self, name: &'a FigureName) -> Option<Figure<'a>> {
        match (self, &name.amendment) {
            (Subject::Sampled(sampled), _) => Figure::of_sample(sampled.sample, &name.quantity),
            (Subject::Compared(compared), None) => Figure::of_pairs(compared.comparison, &name.quantity),
            (Subject::Compared(compared), Some(amendment)) => {
                let mut all = compared.each.iter().flat_map(|each| &each.all);
                Figure::of_pairs(&all.find(|(id, _)| id == amendment)?.1, &name.quantity)
            }
        }
    }

    /// The same in another case.
    fn figure_in(self, case: &Case, name: &'a FigureName) -> Option<Figure<'a>> {
        match self {
            Subject::Sampled(sampled) => {
                let (_, sample) = sampled.under.iter().find(|(other, _)| other == case)?;
                Figure::of_sample(sample, &name.quantity)
            }
            Subject::Compared(compared) => {
                let (_, comparison) = compared.under.iter().find(|(other, _)| other == case)?;
                Figure::of_pairs(comparison, &name.quantity)
            }
        }
    }

    fn cases(self) -> Vec<&'a Case> {
        match self {
            Subject::Compared(compared) => compared.under.iter().map(|(case, _)| case).collect(),
            Subject::Sampled(sampled) => sampled.under.iter().map(|(case, _)| case).collect(),
        }
    }

    /// Who was asked for on the first side, the version and the scenario.
    fn played(self) -> (Player, &'a Ruleset, usize) {
        let (players, ruleset, scenario) = match self {
            Subject::Compared(compared) => {
                let pairs = compared.pairs;
                (&pairs.players[0], &pairs.versions[0], pairs.scenarios[0])
            }
            Subject::Sampled(sampled) => {
                let sweep = sampled.sweep;
                (&sweep.players, &sweep.versions[0], sweep.scenario)
            }
        };
        (players.first().cloned().unwrap_or(Player::Random), ruleset, scenario)
    }

    /// Why what is said of a figure is about the model, if it is.
    fn rests(self, figure: &Figure<'_>) -> Option<String> {
        let gauges = figure.gauges();
        match self {
            Subject::Compared(compared) => {
                gauges.into_iter().find_map(|gauge| rests_on_model(gauge, compared.differences))
            }
            Subject::Sampled(_) => made_up(gauges),
        }
    }
}

impl<'a> Concluded<'a> {
    /// What cannot be answered because there is no such figure: where that stands, and what is wrong. To be asked before
    /// anything is played; comparisons and samples may be empty then.
    pub fn lacking(&self) -> Vec<(&'a Span, String)> {
        let of = |conclusion: &'a Conclusion| {
            let first = &conclusion.conditions[0].of;
            let texts = [&conclusion.holds, &conclusion.fails, &conclusion.unknown];
            let in_texts = texts
                .into_iter()
                .zip(&conclusion.said_at)
                .flat_map(|(text, span)| holes(text).filter_map(move |name| Some((figure_in(name, first)?.0, span))));
            let all = conclusion.conditions.iter().map(|one| (one.of.clone(), &conclusion.span)).chain(in_texts);
            all.filter_map(|(of, span)| Some((span, self.subject(&of).err()?))).next()
        };
        let concluded = self.study.conclusions.iter().filter_map(of);
        // A row may ask for what some of the games lack, as long as one of them has it.
        let rows = self.study.tables.iter().flat_map(|table| &table.rows);
        let rows = rows.filter_map(|(_, quantity, span)| {
            let lacks: Vec<_> = self.sampled.iter().map(|of| (of.name, of.sample.lacks(quantity))).collect();
            let none_has = lacks.iter().all(|(_, lack)| lack.is_some());
            let why = lacks.into_iter().next().and_then(|(name, lack)| Some(format!("`{name}` {}", lack?)));
            none_has.then(|| (span, why.unwrap_or_else(|| "nothing stands under `play:`".to_owned())))
        });
        concluded.chain(rows).collect()
    }

    /// What the conclusions came to.
    pub fn answers(&self) -> Vec<Answer> {
        let alpha = ALPHA / self.conditions().max(1) as f64;
        self.study.conclusions.iter().map(|conclusion| self.answer(conclusion, alpha)).collect()
    }

    fn conditions(&self) -> usize {
        self.study.conclusions.iter().map(|conclusion| conclusion.conditions.len()).sum()
    }

    /// How sharply each of several conditions is judged: an interval may lie on one side, and what is said of it be open.
    fn sharpness(&self) -> Option<String> {
        let count = self.conditions();
        let each = 100.0 * (1.0 - ALPHA / count as f64);
        (count > 1).then(|| {
            format!(
                "Of {count} conditions asked together each is judged at {each:.1} %, so that by chance alone one study in \
                 twenty says anything that is not so. Intervals are told at 95 %, each by itself."
            )
        })
    }

    /// What a figure is of, if it has such a measure.
    fn subject<'s>(&'s self, name: &FigureName) -> Result<Subject<'s>, String> {
        let FigureName { of, amendment, quantity } = name;
        if let Some(sampled) = self.sampled.iter().find(|sampled| sampled.name == of) {
            return match sampled.sample.lacks(quantity) {
                Some(why) => Err(format!("`{of}` {why}")),
                None => Ok(Subject::Sampled(sampled)),
            };
        }
        let at = self.study.comparisons.iter().position(|planned| planned.name == *of);
        let compared = at.and_then(|at| self.compared.get(at)).ok_or("there is no such comparison")?;
        let gauges = &compared.comparison.gauges;
        let measure = &quantity.amount.measure;
        if !gauges.iter().any(|gauge| gauge.id == *measure) {
            let known = suggest(measure, gauges.iter().map(|gauge| gauge.id.as_str()));
            return Err(format!("`{of}` measures no `{measure}`: {known}"));
        }
        if let Some(amendment) = amendment {
            let all = compared.differences.amendments();
            if !all.iter().any(|(known, _)| known.id == *amendment) {
                let all: Vec<&str> = all.iter().map(|(known, _)| known.id.as_str()).collect();
                return Err(format!("`{of}` does not differ by `{amendment}`, but by {}", all.join(", ")));
            }
        }
        Ok(Subject::Compared(compared))
    }

    fn figure<'s>(&'s self, name: &'s FigureName) -> Option<Figure<'s>> {
        self.subject(name).ok()?.figure(name)
    }

    fn answer(&self, conclusion: &Conclusion, alpha: f64) -> Answer {
        let figures: Vec<_> = conclusion.conditions.iter().map(|condition| self.figure(&condition.of)).collect();
        let all = conclusion.conditions.iter().zip(&figures);
        let verdicts: Vec<Verdict> = all
            .map(|(condition, figure)| {
                figure.as_ref().map_or(Verdict::Open, |figure| figure.holds(condition.is, alpha))
            })
            .collect();
        let verdict = together(&verdicts);
        let text = match verdict {
            Verdict::Holds => &conclusion.holds,
            Verdict::Contrary => &conclusion.fails,
            Verdict::Open => &conclusion.unknown,
        };
        let conditions = conclusion.conditions.iter().zip(figures).zip(verdicts);
        let conditions = conditions.map(|((condition, figure), verdict)| {
            let told = figure.map_or_else(|| "was not played".to_owned(), |figure| figure.told(None));
            (condition.text.clone(), told, verdict)
        });
        Answer {
            verdict,
            said: self.filled(text, &conclusion.conditions[0].of),
            graded: (verdict != Verdict::Open).then(|| self.grade(conclusion, verdict)),
            conditions: conditions.collect(),
        }
    }

    /// How far a conclusion reaches, or that it fails: by the cases in which all that it speaks of was played. A reading
    /// belongs to one game; what the conclusion says of others stands in it as it was asked for.
    fn grade(&self, conclusion: &Conclusion, verdict: Verdict) -> Graded {
        let speaks = conclusion.conditions.iter();
        let speaks: Vec<_> = speaks.filter_map(|one| Some((one, self.subject(&one.of).ok()?))).collect();
        let Some((_, first)) = speaks.first() else { return grade(&[], &[], None) };
        let mut cases: Vec<&Case> = Vec::new();
        // Amendments by themselves are not played under other players and readings.
        if speaks.iter().all(|(condition, _)| condition.of.amendment.is_none()) {
            let all = speaks.iter().flat_map(|(_, subject)| subject.cases());
            all.for_each(|case| {
                if !cases.contains(&case) {
                    cases.push(case)
                }
            });
        }
        let alpha = ALPHA / speaks.len() as f64;
        let in_case = |case: &Case| -> Option<Verdict> {
            let is_of_one = !matches!(case, Case::Played(_));
            let mut verdicts = Vec::new();
            for (condition, subject) in &speaks {
                let figure = match subject.figure_in(case, &condition.of) {
                    None if is_of_one => subject.figure(&condition.of),
                    found => found,
                };
                verdicts.push(figure?.holds(condition.is, alpha));
            }
            Some(match together(&verdicts) {
                Verdict::Open => Verdict::Open,
                here if here == verdict => Verdict::Holds,
                _ => Verdict::Contrary,
            })
        };
        let (asked, ruleset, scenario) = first.played();
        let (mut players, mut readings) = (vec![(asked, Verdict::Holds)], Vec::new());
        for (case, verdict) in cases.into_iter().filter_map(|case| Some((case, in_case(case)?))) {
            match case {
                Case::Played(player) => players.push((player.clone(), verdict)),
                Case::Read(..) | Case::Rebuilt(..) => readings.push(verdict),
            }
        }
        let mut order: Vec<Player> = players.iter().map(|(player, _)| player.clone()).collect();
        by_strength(&mut order, ruleset, scenario);
        players.sort_by_key(|(player, _)| order.iter().position(|other| other == player));
        let players: Vec<(bool, Verdict)> =
            players.into_iter().map(|(player, v)| (player == Player::Random, v)).collect();
        let rests = speaks.iter().find_map(|(condition, subject)| subject.rests(&subject.figure(&condition.of)?));
        grade(&players, &readings, rests.as_deref())
    }

    /// A text with its figures.
    fn filled(&self, text: &str, first: &FigureName) -> String {
        let mut filled = text.to_owned();
        for name in holes(text) {
            let Some((of, version)) = figure_in(name, first) else { continue };
            let told = self.figure(&of).map_or_else(|| "(not played)".to_owned(), |found| found.told(version));
            filled = filled.replace(&format!("{{{name}}}"), &told);
        }
        filled
    }

    /// As Markdown, but for the title.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}\n\n## What follows\n", self.study.question.trim());
        for answer in self.answers() {
            let _ = writeln!(text, "**{}**", answer.said.trim());
            let graded = answer
                .graded
                .as_ref()
                .map_or_else(|| "Cannot be told.".to_owned(), |graded| format!("Grade {graded}."));
            let _ = writeln!(text, "{graded}\n");
            for (condition, told, verdict) in &answer.conditions {
                let _ = writeln!(text, "- `{condition}` {}: {told}", word(*verdict));
            }
            text.push('\n');
        }
        self.sharpness().into_iter().for_each(|how| _ = writeln!(text, "{how}\n"));
        for table in &self.study.tables {
            let _ = writeln!(text, "## {}\n\n{}", table.title, table_markdown(table, self.sampled));
        }
        if !self.study.cannot_say.is_empty() {
            text.push_str("## What cannot be said\n\n");
            self.study.cannot_say.iter().for_each(|line| _ = writeln!(text, "- {}", line.trim()));
            text.push('\n');
        }
        text.push_str("## The figures\n\n");
        let _ = writeln!(text, "`{}` makes them again.", self.again);
        for (planned, compared) in self.study.comparisons.iter().zip(self.compared) {
            let _ = writeln!(text, "\n### {}\n\n```text\n{}```", planned.name, comparison_text(compared));
        }
        for sampled in self.sampled {
            let _ = writeln!(text, "\n### {}\n\n```text\n{}```", sampled.name, sample_text(sampled));
        }
        text
    }

    /// As a page for browsers; of each comparison the boards, each with what it shows.
    pub fn page(&self, boards: &[Vec<(String, String)>]) -> String {
        let body = html! {
            h1 { (self.study.title) }
            p { (prose(&self.study.question)) }
            h2 { "What follows" }
            @for answer in self.answers() {
                p { b { (prose(&answer.said)) } }
                p.about {
                    @match &answer.graded { Some(graded) => { "Grade " (graded) "." } None => { "Cannot be told." } }
                }
                ul { @for (condition, told, verdict) in &answer.conditions { li { code { (condition) } " " (word(*verdict)) ": " (told) } } }
            }
            @if let Some(how) = self.sharpness() { p.about { (how) } }
            @for table in &self.study.tables {
                @match table_chart(table, self.sampled) {
                    Some(chart) => { (drawn(&chart)) }
                    None => { h2 { (table.title) } }
                }
                (table_markup(table, self.sampled))
            }
            @if !self.study.cannot_say.is_empty() {
                h2 { "What cannot be said" }
                ul { @for line in &self.study.cannot_say { li { (prose(line)) } } }
            }
            @for ((planned, compared), boards) in self.study.comparisons.iter().zip(self.compared).zip(boards) {
                (section(&planned.name, comparison_body(compared, boards)))
            }
            @for sampled in self.sampled { (section(sampled.name, sample_body(sampled))) }
            h2 { "Again" }
            pre { (self.again) }
        };
        with_charts(&self.study.title, &body)
    }

    /// For machines, format 1.
    pub fn json(&self) -> Value {
        let answers: Vec<Value> = self
            .answers()
            .into_iter()
            .map(|answer| {
                let conditions = answer.conditions.iter();
                let conditions = conditions.map(|(text, told, verdict)| json!({ "if": text, "figure": told, "verdict": word(*verdict) }));
                json!({ "verdict": word(answer.verdict), "said": answer.said,
                    "grade": answer.graded.as_ref().map(|graded| format!("{:?}", graded.grade)),
                    "else": answer.graded.as_ref().and_then(|graded| graded.otherwise).map(|grade| format!("{grade:?}")),
                    "why": answer.graded.as_ref().map(|graded| graded.why.clone()), "conditions": conditions.collect::<Vec<_>>() })
            })
            .collect();
        let comparisons = self.study.comparisons.iter().zip(self.compared);
        json!({ "format": 1, "title": self.study.title, "conclusions": answers,
            "judged_at": 1.0 - ALPHA / self.conditions().max(1) as f64, "cannot_say": self.study.cannot_say,
            "comparisons": comparisons.map(|(planned, compared)| (planned.name.clone(), super::comparison_json(compared)))
                .collect::<serde_json::Map<_, _>>(),
            "samples": self.sampled.iter().map(|sampled| (sampled.name.to_owned(), sample_json(sampled)))
                .collect::<serde_json::Map<_, _>>(),
            "tables": self.study.tables.iter().map(|table| table_json(table, self.sampled)).collect::<Vec<_>>(),
            "again": self.again })
    }
}

/// Text as its author writes it for the report, in which backquotes set words as code.
fn prose(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn section(name: &str, body: Markup) -> Markup {
    html! { section { h2 { "Figures: " (name) } (body) } }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Contrary => "fails",
        Verdict::Open => "cannot be told",
    }
}

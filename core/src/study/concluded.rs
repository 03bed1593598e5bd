//! What a study comes to: its conclusions held against the figures, each with its grade, told as Markdown, as a page and for
//! machines.

use std::fmt::Write as _;

use maud::{Markup, html};
use serde_json::{Value, json};

use super::{
    Case, Compared, Comparison, Conclusion, Condition, Effect, FigureName, Gauge, Graded, Is, Player, StudyFile,
    Verdict, by_strength,
    grade::{grade, rests_on_model},
    page::{comparison_body, with_charts},
    report::{comparison_text, figure, interval, signed},
    study_file::{figure_in, holes},
};

/// How often all conditions of a study together may be found to hold, or to fail, by chance.
const ALPHA: f64 = 0.05;

/// A study that has been played: what it says, and what each of its comparisons came to, in their order.
#[derive(Debug, Clone, Copy)]
pub struct Concluded<'a> {
    /// What was asked.
    pub study: &'a StudyFile,
    /// What came of it.
    pub compared: &'a [Compared<'a>],
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

/// A figure that conditions speak of.
struct Figure<'a> {
    gauge: &'a Gauge,
    comparison: &'a Comparison,
    at: usize,
}

impl Figure<'_> {
    fn effect(&self, alpha: f64) -> Option<Effect> {
        self.comparison.effect(self.at, alpha)
    }

    fn told(&self) -> String {
        let effect = self.effect(ALPHA);
        effect.map_or_else(String::new, |effect| {
            let (difference, lies) = (signed(self.gauge, effect.difference), interval(self.gauge, &effect));
            format!("{difference} (95 %: {lies})")
        })
    }
}

impl Concluded<'_> {
    /// What cannot be answered because there is no such figure: of each conclusion, its number and what is wrong. To be
    /// asked before anything is played; comparisons may be empty then.
    pub fn lacking(&self) -> Vec<(usize, String)> {
        let of = |conclusion: &Conclusion| {
            let first = &conclusion.conditions[0].of;
            let texts = [&conclusion.holds, &conclusion.fails, &conclusion.unknown];
            let in_texts = texts.into_iter().flat_map(|text| holes(text)).filter_map(|name| figure_in(name, first));
            let all = conclusion.conditions.iter().map(|one| one.of.clone()).chain(in_texts.map(|(of, _)| of));
            all.filter_map(|of| self.whole(&of).err()).next()
        };
        let all = self.study.conclusions.iter().enumerate();
        all.filter_map(|(at, conclusion)| Some((at, of(conclusion)?))).collect()
    }

    /// What the conclusions came to.
    pub fn answers(&self) -> Vec<Answer> {
        let count: usize = self.study.conclusions.iter().map(|conclusion| conclusion.conditions.len()).sum();
        let alpha = ALPHA / count.max(1) as f64;
        self.study.conclusions.iter().map(|conclusion| self.answer(conclusion, alpha)).collect()
    }

    /// The comparison that a figure is of, if it has such a measure.
    fn whole(&self, of: &FigureName) -> Result<&Compared<'_>, String> {
        let at = self.study.comparisons.iter().position(|planned| planned.name == of.comparison);
        let compared = at.and_then(|at| self.compared.get(at)).ok_or("there is no such comparison")?;
        let gauges = &compared.comparison.gauges;
        if !gauges.iter().any(|gauge| gauge.id == of.measure) {
            let all: Vec<&str> = gauges.iter().map(|gauge| gauge.id.as_str()).collect();
            return Err(format!("`{}` measures no `{}`, but {}", of.comparison, of.measure, all.join(", ")));
        }
        if let Some(amendment) = &of.amendment {
            let all = compared.differences.amendments();
            if !all.iter().any(|(known, _)| known.id == *amendment) {
                let all: Vec<&str> = all.iter().map(|(known, _)| known.id.as_str()).collect();
                return Err(format!("`{}` does not differ by `{amendment}`, but by {}", of.comparison, all.join(", ")));
            }
        }
        Ok(compared)
    }

    fn figure(&self, of: &FigureName) -> Option<Figure<'_>> {
        let compared = self.whole(of).ok()?;
        let comparison = match &of.amendment {
            None => compared.comparison,
            Some(amendment) => &compared.each.iter().flat_map(|each| &each.all).find(|(id, _)| id == amendment)?.1,
        };
        figure_of(comparison, &of.measure)
    }

    fn answer(&self, conclusion: &Conclusion, alpha: f64) -> Answer {
        let of = |condition: &Condition| {
            self.figure(&condition.of).map_or(Verdict::Open, |figure| holds(&figure, condition.is, alpha))
        };
        let verdicts: Vec<Verdict> = conclusion.conditions.iter().map(of).collect();
        let verdict = together(&verdicts);
        let text = match verdict {
            Verdict::Holds => &conclusion.holds,
            Verdict::Contrary => &conclusion.fails,
            Verdict::Open => &conclusion.unknown,
        };
        let conditions = conclusion.conditions.iter().zip(verdicts).map(|(condition, verdict)| {
            let told = self.figure(&condition.of).map_or_else(|| "was not played".to_owned(), |figure| figure.told());
            (condition.text.clone(), told, verdict)
        });
        Answer {
            verdict,
            said: self.filled(text, &conclusion.conditions[0].of),
            graded: (verdict != Verdict::Open).then(|| self.grade(conclusion, verdict)),
            conditions: conditions.collect(),
        }
    }

    /// How far a conclusion reaches, or that it fails: by the cases of the first comparison that it speaks of.
    fn grade(&self, conclusion: &Conclusion, verdict: Verdict) -> Graded {
        let first = &conclusion.conditions[0].of;
        let Ok(compared) = self.whole(first) else { return grade(&[], &[], None) };
        let pairs = compared.pairs;
        let count = conclusion.conditions.len().max(1);
        // Amendments by themselves are not played under other players and readings.
        let is_whole =
            |condition: &Condition| condition.of.comparison == first.comparison && condition.of.amendment.is_none();
        let is_repeated = conclusion.conditions.iter().all(is_whole);
        let cases = compared.under.iter().filter(|_| is_repeated).map(|(case, comparison)| {
            let of = |condition: &Condition| {
                figure_of(comparison, &condition.of.measure)
                    .map_or(Verdict::Open, |figure| holds(&figure, condition.is, ALPHA / count as f64))
            };
            let here = together(&conclusion.conditions.iter().map(of).collect::<Vec<_>>());
            let same = match here {
                Verdict::Open => Verdict::Open,
                here if here == verdict => Verdict::Holds,
                _ => Verdict::Contrary,
            };
            (case, same)
        });
        let asked = pairs.players[0].first().cloned().unwrap_or(Player::Random);
        let (mut players, mut readings) = (vec![(asked, Verdict::Holds)], Vec::new());
        for (case, verdict) in cases {
            match case {
                Case::Played(player) => players.push((player.clone(), verdict)),
                Case::Read(..) => readings.push(verdict),
            }
        }
        let mut order: Vec<Player> = players.iter().map(|(player, _)| player.clone()).collect();
        by_strength(&mut order, &pairs.versions[0], pairs.scenarios[0]);
        players.sort_by_key(|(player, _)| order.iter().position(|other| other == player));
        let players: Vec<(bool, Verdict)> =
            players.into_iter().map(|(player, v)| (player == Player::Random, v)).collect();
        let rests = conclusion.conditions.iter().find_map(|condition| {
            let figure = self.figure(&condition.of)?;
            rests_on_model(figure.gauge, compared.differences)
        });
        grade(&players, &readings, rests.as_deref())
    }

    /// A text with its figures.
    fn filled(&self, text: &str, first: &FigureName) -> String {
        let mut filled = text.to_owned();
        for name in holes(text) {
            let Some((of, version)) = figure_in(name, first) else { continue };
            let told = self.figure(&of).map_or_else(
                || "(not played)".to_owned(),
                |found| match version {
                    None => found.told(),
                    Some(at) => {
                        found.effect(ALPHA).map_or_else(String::new, |effect| figure(found.gauge, effect.means[at]))
                    }
                },
            );
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
        text
    }

    /// As a page for browsers; of each comparison the boards, each with what it shows.
    pub fn page(&self, boards: &[Vec<(String, String)>]) -> String {
        let body = html! {
            h1 { (self.study.title) }
            p { (self.study.question) }
            h2 { "What follows" }
            @for answer in self.answers() {
                p { b { (answer.said) } }
                p.about {
                    @match &answer.graded { Some(graded) => { "Grade " (graded) "." } None => { "Cannot be told." } }
                }
                ul { @for (condition, told, verdict) in &answer.conditions { li { code { (condition) } " " (word(*verdict)) ": " (told) } } }
            }
            @if !self.study.cannot_say.is_empty() {
                h2 { "What cannot be said" }
                ul { @for line in &self.study.cannot_say { li { (line) } } }
            }
            @for ((planned, compared), boards) in self.study.comparisons.iter().zip(self.compared).zip(boards) {
                (section(&planned.name, comparison_body(compared, boards)))
            }
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
        json!({ "format": 1, "title": self.study.title, "conclusions": answers, "cannot_say": self.study.cannot_say,
            "comparisons": comparisons.map(|(planned, compared)| (planned.name.clone(), super::comparison_json(compared)))
                .collect::<serde_json::Map<_, _>>(), "again": self.again })
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

fn figure_of<'a>(comparison: &'a Comparison, measure: &str) -> Option<Figure<'a>> {
    let at = comparison.gauges.iter().position(|gauge| gauge.id == measure)?;
    Some(Figure { gauge: &comparison.gauges[at], comparison, at })
}

/// Whether a condition holds of a figure, surely. What differs in no pair may not have come about: that says nothing.
fn holds(figure: &Figure<'_>, is: Is, alpha: f64) -> Verdict {
    let Some(effect) = figure.effect(alpha).filter(|effect| effect.differing > 0) else { return Verdict::Open };
    let scale = if figure.gauge.is_share { 100.0 } else { 1.0 };
    let [low, high] = effect.interval.map(|end| end * scale);
    let (is_sure, is_excluded) = match is {
        Is::More(than) => (low > than, high <= than),
        Is::Less(than) => (high < than, low >= than),
        Is::Within(of) => (low > -of && high < of, low >= of || high <= -of),
    };
    match (is_sure, is_excluded) {
        (true, _) => Verdict::Holds,
        (_, true) => Verdict::Contrary,
        _ => Verdict::Open,
    }
}

/// What several conditions come to together.
fn together(verdicts: &[Verdict]) -> Verdict {
    let has = |wanted: Verdict| verdicts.contains(&wanted);
    match () {
        () if has(Verdict::Contrary) => Verdict::Contrary,
        () if has(Verdict::Open) || verdicts.is_empty() => Verdict::Open,
        () => Verdict::Holds,
    }
}

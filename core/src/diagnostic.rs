//! A message about content: where, what is wrong, and what to do.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use std::collections::BTreeSet;

use crate::{
    library::Library,
    plain::{plain, shortened},
};

/// A stretch of a file, in bytes. An empty `file` means the message is about no file in particular.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Path of the file inside the [`Library`].
    pub file: std::sync::Arc<str>,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The whole of a file, for messages that no single line explains.
    pub fn file(file: &str) -> Span {
        Span { file: file.into(), start: 0, end: 0 }
    }

    /// Line and column, both from 1; columns count characters. `(0, 0)` when the file is not in the library.
    pub fn position(&self, library: &Library) -> (usize, usize) {
        let Some(text) = library.text(&self.file) else { return (0, 0) };
        let before = &text[..floor_char(text, self.start)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(1, |l| l.chars().count() + 1);
        (line, column)
    }

    /// `file:line`, for those who name a place in a sentence.
    pub fn line(&self, library: &Library) -> String {
        format!("{}:{}", self.file, self.position(library).0)
    }
}

/// How bad it is. An error means the content cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The content is wrong.
    Error,
    /// The content works, but probably not as its author thinks.
    Warning,
}

/// One message about content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Stable short name of the kind of fault, e.g. `unknown-name`.
    pub code: &'static str,
    /// Where it stands.
    pub span: Span,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
}

/// Everything found wrong so far. Loading never stops at the first fault.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    /// In the order found; the first thousand of them.
    pub list: Vec<Diagnostic>,
    /// How many errors there are beyond those listed.
    pub beyond: usize,
    seen: BTreeSet<(Span, &'static str, String)>,
}

/// What is wrong a thousand times has one cause, or was written to keep a program busy.
const MOST: usize = 1000;

impl Diagnostics {
    /// Records an error.
    pub fn error(&mut self, code: &'static str, span: &Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Severity::Error, code, span, message.into(), help.into());
    }

    /// Records a warning.
    pub fn warning(&mut self, code: &'static str, span: &Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Severity::Warning, code, span, message.into(), help.into());
    }

    fn push(&mut self, severity: Severity, code: &'static str, span: &Span, message: String, help: String) {
        if self.list.len() >= MOST {
            self.beyond += usize::from(severity == Severity::Error);
            return;
        }
        let (message, help) = (shortened(message), shortened(help));
        // One fault, one message: the same words about the same place are not repeated.
        if self.seen.insert((span.clone(), code, message.clone())) {
            self.list.push(Diagnostic { severity, code, span: span.clone(), message, help });
        }
    }

    /// Takes over what was found elsewhere.
    pub fn extend<'a>(&mut self, others: impl IntoIterator<Item = &'a Diagnostic>) {
        for d in others {
            self.push(d.severity, d.code, &d.span, d.message.clone(), d.help.clone());
        }
    }

    /// Takes over all that was found elsewhere, what is beyond the list too.
    pub fn take(&mut self, others: &Diagnostics) {
        self.extend(&others.list);
        self.beyond += others.beyond;
    }

    /// The help of an unknown name: [`suggest`], where it would be read.
    pub fn suggest<'a>(&self, wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
        if self.list.len() < MOST { suggest(wrong, known) } else { String::new() }
    }

    /// How many errors.
    pub fn errors(&self) -> usize {
        self.list.iter().filter(|d| d.severity == Severity::Error).count() + self.beyond
    }

    /// How many warnings.
    pub fn warnings(&self) -> usize {
        self.list.len() + self.beyond - self.errors()
    }

    /// Whether the content can be used.
    pub fn is_usable(&self) -> bool {
        self.errors() == 0
    }

    /// By file and place, which is how a person mends them.
    pub fn sort(&mut self) {
        self.list.sort_by(|a, b| (&a.span, a.severity).cmp(&(&b.span, b.severity)));
    }
}

impl Diagnostic {
    /// Line and column, as [`Span::position`] has them.
    pub fn position(&self, library: &Library) -> (usize, usize) {
        self.span.position(library)
    }

    /// `file:line:column: error[code]: message`, with the help on a second line.
    pub fn one_line(&self, library: &Library) -> String {
        let (line, column) = self.position(library);
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut out = format!("{}:{line}:{column}: {word}[{}]: {}", self.span.file, self.code, self.message);
        if !self.help.is_empty() {
            out.push_str("\n  help: ");
            out.push_str(&self.help);
        }
        plain(&out, false).into_owned()
    }

    /// The message drawn over its line of source, as rustc draws them.
    ///
    /// In colour, what comes from the content may hold no colours: [`plain()`] could not tell them from our own.
    pub fn drawn(&self, library: &Library, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let (message, help) = (plain(&self.message, false), plain(&self.help, false));
        let path = plain(&self.span.file, false);
        let title = level.primary_title(&*message).id(self.code);
        let shown = self.shown(library);
        let mut group = match &shown {
            Some((source, line, marked)) => title.element(
                Snippet::source(source.as_str())
                    .path(&*path)
                    .line_start(*line)
                    .annotation(AnnotationKind::Primary.span(marked.clone())),
            ),
            None => title.elements(Vec::<Snippet<'_, annotate_snippets::Annotation<'_>>>::new()),
        };
        if !help.is_empty() {
            group = group.element(Level::HELP.message(&*help));
        }
        renderer.render(&[group])
    }

    /// The line of source it is about, or a stretch of one that is as long as a page: the text, its number, and what is
    /// marked in it.
    fn shown(&self, library: &Library) -> Option<(String, usize, std::ops::Range<usize>)> {
        const PAGE: usize = 2000;
        let text = library.text(&self.span.file)?;
        let start = floor_char(text, self.span.start);
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let (from, to) = match end - line {
            ..PAGE => (line, end),
            _ => (
                floor_char(text, line.max(start.saturating_sub(PAGE / 4))),
                floor_char(text, end.min(start + PAGE / 4)),
            ),
        };
        let marked_end = floor_char(text, self.span.end).clamp(start, to);
        let piece = |from: usize, to: usize| plain(&text[from..to], false).into_owned();
        let (before, marked) = (piece(from, start), piece(start, marked_end));
        let range = before.len()..before.len() + marked.len();
        let number = text[..line].matches('\n').count() + 1;
        Some((before + &marked + &piece(marked_end, to), number, range))
    }
}

fn floor_char(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The known name nearest to `wrong`, if one is near enough to be what was meant: capitals are as near as can be.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (wrong.chars().count() / 3).max(1);
    // There may be very many: only what begins or ends alike is looked at closely.
    let ends = |text: &str| (text.chars().next(), text.chars().next_back());
    let (first, last) = ends(wrong);
    let is_alike = |k: &&str| {
        let near = k.len().abs_diff(wrong.len()) <= 4 * limit;
        near && (ends(k).0 == first || ends(k).1 == last) || k.starts_with(wrong) || k.eq_ignore_ascii_case(wrong)
    };
    let far = |k: &str| if k.eq_ignore_ascii_case(wrong) { 0 } else { distance(wrong, k) };
    known
        .into_iter()
        .filter(is_alike)
        .map(|k| (far(k), k))
        .filter(|(d, k)| *d <= limit || (k.len() >= 4 && wrong.len() >= 4 && k.starts_with(wrong)))
        .min()
        .map(|(_, k)| k)
}

/// `did you mean ...?`, or the whole list when it is short, for the help of an unknown name.
pub fn suggest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    if let Some(near) = nearest(wrong, known.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    known.sort_unstable();
    known.dedup();
    match known.len() {
        0 => "none is declared".to_owned(),
        1..=24 => format!("known here: {}", known.join(", ")),
        n => format!("known here: {} and {} more", known[..20].join(", "), n - 20),
    }
}

/// Edits needed to turn one word into the other (Levenshtein, neighbours swapped count as one).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

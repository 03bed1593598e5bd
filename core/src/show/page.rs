//! Pages for a browser that need nothing else: no network, no other file.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::differences::{self, Writer};
use crate::ruleset::{Amendment, Difference, Differences, RuleDifference, Stands};

/// Reads on a phone, follows the reader's light or dark, and prints.
const STYLE: &str = "
:root { color-scheme: light dark; --line: #8886; --first: #b03a2e; --second: #1e8449; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; white-space: pre; padding: .5rem; border: 1px solid var(--line); }
.about, .place, .cite { color: color-mix(in srgb, currentColor 65%, transparent); font-size: .9rem; margin: .1rem 0; }
.value { margin: .8rem 0; }
.first, .second { display: block; padding-left: 1.4rem; text-indent: -1.2rem; }
.first { color: var(--first); } .second { color: var(--second); }
.first::before { content: '\u{2212} '; } .second::before { content: '+ '; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
@media print { h2 { break-after: avoid; } .value { break-inside: avoid; } body { max-width: none; } }
";

/// A whole page.
pub(crate) fn page(title: &str, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
    .into_string()
}

/// How two versions differ on paper, as a page; with boards as SVG, each with what it shows.
pub fn differences_page(differences: &Differences, boards: &[(String, String)]) -> String {
    let mut parts = Parts(Vec::new());
    differences::write(differences, &mut parts);
    let names = &differences.names;
    let body = html! {
        @for part in &parts.0 { (part) }
        @for (title, svg) in boards {
            figure { figcaption { (title) } (PreEscaped(svg)) }
        }
    };
    page(&format!("{} and {}", names[0], names[1]), &body)
}

struct Parts(Vec<Markup>);

fn place(stands: &Stands) -> Markup {
    html! { " " span.place { (differences::place(stands)) } }
}

impl Writer for Parts {
    fn begin(&mut self, [first, second]: [&str; 2], counts: &[String]) {
        self.0.push(html! {
            h1 { span.first { (first) } span.second { (second) } }
            @for line in counts { p { (line) } }
        });
    }

    fn amendment(&mut self, amendment: &Amendment, on_in: &str, about: &[String]) {
        self.0.push(html! {
            h2 { (amendment.id) ": " (amendment.title) }
            p.about { (on_in) }
            @for line in about { p.about { (line) } }
        });
    }

    fn heading(&mut self, text: &str) {
        self.0.push(html! { h2 { (text) } });
    }

    fn value(&mut self, value: &Difference) {
        self.0.push(html! {
            div.value {
                code { (value.path) }
                @if !value.cite.is_empty() { " " span.cite { "[" (value.cite) "]" } }
                @if let Some(says) = &value.says { p.about { "(" (says) ")" } }
                @for (class, stands) in ["first", "second"].into_iter().zip(&value.stands) {
                    @if let Some(stands) = stands { span class=(class) { code { (differences::written(stands)) } (place(stands)) } }
                }
            }
        });
    }

    fn rule(&mut self, rule: &RuleDifference, lines: &str) {
        self.0.push(html! {
            div.value {
                code { "rules/" (rule.name) }
                @if !rule.cite.is_empty() { " " span.cite { "[" (rule.cite) "]" } }
                @for (class, stands) in ["first", "second"].into_iter().zip(&rule.lines) {
                    @if let Some(stands) = stands { span class=(class) { (place(stands)) } }
                }
                pre { (lines) }
            }
        });
    }
}

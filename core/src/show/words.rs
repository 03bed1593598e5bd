//! Words for what is told, for somebody who may not know which counter is which.

use std::collections::BTreeSet;

use super::sight::Sight;
use crate::{
    play::{Game, NotTaken, Particular, Refusal, Said, Saying, SessionError, TallyLine},
    ruleset::{Kind, MEANING, Ruleset, Text, rows::Row},
};

/// Makes sentences. A counter that its reader may not know is told by its side alone wherever it stands in one, a card
/// as a card.
#[derive(Debug, Clone)]
pub struct Words<'a> {
    ruleset: &'a Ruleset,
    concealed: BTreeSet<(Kind, i32)>,
}

impl<'a> Words<'a> {
    /// For somebody who knows every counter and card.
    pub fn all(ruleset: &'a Ruleset) -> Words<'a> {
        Words { ruleset, concealed: BTreeSet::new() }
    }

    /// For these eyes, as the game stands.
    pub fn seen_by(sight: Sight, game: &'a Game) -> Words<'a> {
        let all = [(Kind::Unit, game.ruleset.units.len()), (Kind::Card, game.ruleset.cards.len())];
        let all = all.into_iter().flat_map(|(kind, count)| (0..count as i32).map(move |thing| (kind, thing)));
        let concealed = all.filter(|(kind, thing)| sight.is_concealed(game, *kind, *thing));
        Words { ruleset: &game.ruleset, concealed: concealed.collect() }
    }

    /// For these eyes, of a game whose rules are kept elsewhere.
    pub(super) fn of(ruleset: &'a Ruleset, sight: Sight, game: &Game) -> Words<'a> {
        Words { ruleset, concealed: Words::seen_by(sight, game).concealed }
    }

    /// From here on a counter or card may not be known, or may be again.
    pub(super) fn conceal(&mut self, kind: Kind, thing: i32, conceals: bool) {
        if conceals {
            self.concealed.insert((kind, thing));
        } else {
            self.concealed.remove(&(kind, thing));
        }
    }

    /// Whether a counter or card may not be known.
    pub(super) fn conceals(&self, kind: Kind, thing: i32) -> bool {
        self.concealed.contains(&(kind, thing))
    }

    /// Why an answer is not taken, and in brackets by which paragraph, if by one.
    pub fn refusal(&self, refusal: &Refusal) -> String {
        let (text, cite) = (self.say(&refusal.said), self.ruleset.cite(refusal.cite));
        if cite.is_empty() { text } else { format!("{text}  [{cite}]") }
    }

    /// What went wrong with an answer: of one that is refused, everything that stands in its way.
    pub fn wrong(&self, wrong: &SessionError) -> String {
        match wrong {
            SessionError::NotTaken(NotTaken::Refused(refusals)) => {
                refusals.iter().map(|refusal| self.refusal(refusal)).collect::<Vec<_>>().join("; ")
            }
            other => other.to_string(),
        }
    }

    /// What is said, as a part of something else.
    pub fn say(&self, said: &Said) -> String {
        self.filled(said).0
    }

    /// What is said, as a sentence of its own: it begins with a capital where a counter that may not be known begins it.
    pub fn sentence(&self, said: &Said) -> String {
        capital(self.filled(said))
    }

    /// The same, of a sentence that stands elsewhere.
    pub(super) fn sentence_of(&self, sentence: &str, blanks: &[&str], with: &[Particular]) -> String {
        capital(self.fill(sentence, blanks, with))
    }

    fn filled(&self, said: &Said) -> (String, bool) {
        let ruleset = self.ruleset;
        let named = |given: &'a [(String, Kind)], more: &[&'a str]| -> Vec<&'a str> {
            given.iter().map(|(name, _)| name.as_str()).chain(more.iter().copied()).collect()
        };
        let found = |row: &'a Row| row.finds.iter().map(|finding| finding.name.as_str()).collect::<Vec<_>>();
        let (sentence, blanks) = match said.says {
            Saying::Engine(text) => (&ruleset.texts[text as usize], text.blanks().to_vec()),
            Saying::Row { rows, row } => {
                let rows = &ruleset.rows[usize::from(rows)];
                let row = &rows.rows[usize::from(row)];
                (&row.say, named(&rows.given, &found(row)))
            }
            Saying::Blocks { sight, row } => {
                let row = &ruleset.sights[usize::from(sight)].blocked[usize::from(row)];
                (&row.say, [vec!["from", "to", "at"], found(row)].concat())
            }
            Saying::Set(set) => {
                let set = &ruleset.sets[usize::from(set)];
                (&set.say, named(&set.given, &[&set.member]))
            }
            Saying::Mark { mover, mark } => {
                let mark = &ruleset.movers[usize::from(mover)].marks[usize::from(mark)];
                (&mark.say, vec!["unit", "from", "to"])
            }
            Saying::Note(note) => {
                let note = &ruleset.notes[usize::from(note)];
                (&note.say, note.given.iter().map(|(name, _)| name.as_str()).collect())
            }
        };
        self.fill(sentence, &blanks, &said.with)
    }

    /// A sentence with its blanks filled, in one go: what stands in one is never taken for a blank itself. And whether a
    /// counter that may not be known begins it.
    fn fill(&self, sentence: &str, blanks: &[&str], with: &[Particular]) -> (String, bool) {
        let (mut out, mut begins) = (String::with_capacity(sentence.len()), false);
        let mut rest = sentence;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let filled = after.split_once('}').and_then(|(name, after)| {
                let (name, means) = name.strip_suffix(MEANING).map_or((name, false), |name| (name, true));
                let at = blanks.iter().position(|blank| *blank == name)?;
                Some((with.get(at)?, means, after))
            });
            if let Some((Particular::Thing(Kind::Symbol(list), value), true, after)) = filled {
                let says = usize::try_from(*value)
                    .ok()
                    .and_then(|at| self.ruleset.schema.symbols[*list as usize].says.get(at));
                match says.filter(|says| !says.is_empty()) {
                    Some(says) => out.push_str(says),
                    None => out.push_str(&self.name_of(Kind::Symbol(*list), *value)),
                }
                rest = after;
                continue;
            }
            let Some((particular, _, after)) = filled else {
                out.push('{');
                rest = after;
                continue;
            };
            begins |= out.is_empty() && self.is_veiled(particular);
            self.add(particular, &mut out);
            rest = after;
        }
        out.push_str(rest);
        (out, begins)
    }

    fn is_veiled(&self, particular: &Particular) -> bool {
        matches!(particular, Particular::Thing(kind, thing) if self.concealed.contains(&(*kind, *thing)))
    }

    fn add(&self, particular: &Particular, out: &mut String) {
        let ruleset = self.ruleset;
        match particular {
            Particular::Thing(kind, value) => out.push_str(&self.name_of(*kind, *value)),
            Particular::Place(place) => out.push_str(&ruleset.full_name_of_place(*place)),
            Particular::Points { mover, points } => {
                out.push_str(&ruleset.movers[usize::from(*mover)].in_points(*points));
            }
            Particular::Text(text) => out.push_str(text),
            Particular::Said(said) => out.push_str(&self.say(said)),
            Particular::All(several) => out.push_str(&self.all_of(several)),
            Particular::Sum(lines) => {
                let line = |line: &TallyLine| {
                    format!("{}{} {}", line.value, line.from.dagger(), self.particular(&line.reason))
                };
                out.push_str(&lines.iter().map(line).collect::<Vec<_>>().join(", "));
            }
        }
    }

    /// Several things: `Ann, Bob and Cid`.
    fn all_of(&self, several: &[Particular]) -> String {
        let names: Vec<String> = several.iter().map(|one| self.particular(one)).collect();
        let Some((last, others)) = names.split_last() else { return String::new() };
        if others.is_empty() {
            return last.clone();
        }
        let parts = [others.join(", "), last.clone()].map(|words| Particular::Text(words.into()));
        self.say(&Said::engine(Text::And, parts))
    }

    /// What stands in a blank, in words.
    pub fn particular(&self, particular: &Particular) -> String {
        let mut out = String::new();
        self.add(particular, &mut out);
        out
    }

    /// What people call a value of a kind; a counter that may not be known by its side.
    pub fn name_of(&self, kind: Kind, value: i32) -> String {
        if !self.concealed.contains(&(kind, value)) {
            return self.ruleset.name_of(kind, value);
        }
        self.say(&match kind {
            Kind::Card => Said::engine(Text::ConcealedCard, []),
            _ => {
                let side = self.ruleset.units[value as usize].side;
                Said::engine(Text::Concealed, [Particular::Thing(Kind::Side, side)])
            }
        })
    }
}

fn capital((mut text, begins): (String, bool)) -> String {
    if begins && let Some(first) = text.chars().next() {
        text.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    text
}

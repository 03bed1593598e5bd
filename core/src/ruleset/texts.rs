//! What is told in words: the engine's own sentences, those a ruleset puts in their place, and the notes of a ruleset.
//!
//! A sentence has blanks by name, `{unit} must attack`. Play says which sentence and what stands in its blanks; words are
//! made of that only where somebody reads them.

use super::{Cite, kind::Kind, reading::Reader, rows::Names, tables::kind_given};
use crate::{
    diagnostic::suggest,
    yaml::{Node, Value},
};

macro_rules! texts {
    ($($name:ident $key:literal { $($blank:ident)* } $says:literal)*) => {
        /// A sentence of the engine.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Text {
            $(#[doc = $says] $name,)*
        }

        impl Text {
            /// All there are.
            pub const ALL: &[Text] = &[$(Text::$name,)*];

            /// The key under which a ruleset puts another sentence in its place.
            pub fn key(self) -> &'static str {
                match self { $(Text::$name => $key,)* }
            }

            /// Its blanks, in the order in which play fills them.
            pub fn blanks(self) -> &'static [&'static str] {
                match self { $(Text::$name => &[$(stringify!($blank),)*],)* }
            }

            /// How it reads where a ruleset says nothing else.
            pub fn says(self) -> &'static str {
                match self { $(Text::$name => $says,)* }
            }
        }
    };
}

texts! {
    And "and" { these last } "{these} and {last}"
    Or "or" { one other } "{one} or the {other}"
    Concealed "concealed" { side } "a {side} counter"
    ConcealedCard "concealed-card" {} "a card"
    HiddenAhead "hidden-ahead" {} "something that is hidden from you is seen then"
    // Why an answer is not taken.
    OutOfRange "out-of-range" { least most } "the number must lie between {least} and {most}"
    NotAChoice "not-a-choice" {} "that is not among the choices"
    OfHalf "of-half" { which why } "{which}: {why}"
    NothingFollows "nothing-follows" { which } "nothing may be chosen with {which}"
    NotAsked "not-asked" { verb } "`{verb}` is not among the choices of this question"
    Elsewhere "elsewhere" { verb places place } "`{verb}` belongs to the {places}; this is the {place}"
    NoSuchRoll "no-such-roll" { value } "{value} cannot come up"
    Blocks "blocks" { why space } "{why} in {space}"
    // Why a move does not come so far.
    OnTheWay "on-the-way" { space why } "on the way, at {space}: {why}"
    InMode "in-mode" { mode why } "{mode}: {why}"
    NoChange "no-change" { from into } "it cannot change from {from} into {into} there"
    NotBegun "not-begun" { space why } "it cannot come on at {space}: {why}"
    NotSpared "not-spared" { space needs has spare } "{space} takes {needs} of {has}, and {spare} must be left"
    TooFar "too-far" { space needs has } "{space} is too far: it needs {needs} and there are {has}"
    TooFarBy "too-far-by" { space needs has sum } "{space} is too far: it needs {needs} and there are {has}: {sum}"
    NoPath "no-path" { space } "no path leads to {space}"
    AlreadyThere "already-there" { unit space } "{unit} is at {space} already"
    // Why a retreat does not.
    RetreatOf "retreat-of" { space far steps } "{space} is {far} away, and the retreat is {steps}, each step farther"
    RetreatBetween "retreat-between" { space far least most } "{space} is {far} away, and the retreat is {least} to {most}, each step farther"
    BetterRetreat "better-retreat" { space why } "a better retreat than to {space} is open: {why}"
    NoRetreat "no-retreat" {} "no retreat is open"
    // Who must fight whom.
    BattleIncomplete "battle-incomplete" {} "a battle needs an attacker and a target"
    MustAttackToo "must-attack-too" { unit } "{unit} must attack too, and has nobody else to attack"
    NobodyLeft "nobody-left" { unit } "nobody else is left to attack {unit}"
    MustAttack "must-attack" { unit } "{unit} must attack"
    MustBeAttacked "must-be-attacked" { unit } "{unit} must be attacked"
    FightsAlready "fights-already" { unit } "{unit} is in a battle already"
    NoTarget "no-target" { unit } "{unit} cannot be a target in this battle"
    NoAttacker "no-attacker" { unit } "{unit} cannot be an attacker in this battle"
    AttacksAlone "attacks-alone" { unit } "{unit} cannot join: one unit attacks alone"
    CannotJoin "cannot-join" { unit } "{unit} cannot join this battle"
    LeavesNobody "leaves-nobody" { unit left } "if {unit} joins here, nobody is left for {left}"
    // What happened.
    Goes "goes" { unit from to } "{unit} goes from {from} to {to}"
    ComesOn "comes-on" { unit to } "{unit} comes on, to {to}"
    IsPut "is-put" { unit to } "{unit}: {to}"
    Rolled "rolled" { purpose value } "die for {purpose}: {value}"
    RolledAbout "rolled-about" { purpose about value } "die for {purpose}, {about}: {value}"
    RolledDice "rolled-dice" { purpose values } "dice for {purpose}: {values}"
    RolledDiceAbout "rolled-dice-about" { purpose about values } "dice for {purpose}, {about}: {values}"
    Hits "hits" { hits dice needs } "{hits} of {dice} dice hit at {needs} or more"
    ADie "a-die" {} "a die"
    SeveralDice "several-dice" { count } "{count} dice"
    Drawn "drawn" { section says } "{section}. {says}"
    Enters "enters" { what } "-- {what} --"
    InTurn "in-turn" { turn what } "{turn}, {what}"
    OfSide "of-side" { side what } "{side}: {what}"
    Over "over" { how } "The game is over. {how}"
    // At the table.
    Asked "asked" { turn side question } "{turn}, {side}: {question}"
    OnlyAnswer "only-answer" { side question answer } "{side}: {question} {answer}, the only answer there is"
    AnswersNext "answers-next" { turn side question } "{turn}: {side} answers next: {question}"
    NothingLeft "nothing-left" { turn side place } "{turn}, {side}: nothing is left to do in the {place}."
    StillToDo "still-to-do" { verb things } "You could still {verb}: {things}"
    MayNot "may-not" { units why } "not {units}: {why}"
    NotOnTheMap "not-on-the-map" { unit place } "{unit} is not on the map: {place}"
    NoNearer "no-nearer" { unit road } "{unit} can come no nearer along the {road}"
    StopsShort "stops-short" { unit space } "{unit} stops short: {space} is beyond its allowance"
    StaysThere "stays-there" { unit } "{unit} stays where it is"
    StayThere "stay-there" { units } "{units} stay where they are"
    NothingHappens "nothing-happens" {} "nothing happens"
    NoCards "no-cards" {} "this game has no cards"
}

/// After the name of a named value, for what that means in place of its name: `{result.says}`.
pub const MEANING: &str = ".says";

/// The names of a sentence's blanks, `{unit}`, as they come.
pub fn blanks(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// A sentence that rules tell, or make part of another.
#[derive(Debug, Clone)]
pub struct Note {
    /// The key rules tell it by.
    pub key: String,
    /// What stands in its blanks.
    pub given: Vec<(String, Blank)>,
    /// The sentence.
    pub say: String,
    /// By which paragraph, where the rule names none.
    pub cite: Cite,
}

/// What may stand in a blank of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blank {
    /// A thing of this kind, told by its name; or several.
    Thing(Kind),
    /// Words that a rule puts together, or another note.
    Text,
}

/// Reads `notes:`, each a sentence, or `{ given: { unit: unit }, say: "...", cite: ... }`; in the order of their keys.
pub(super) fn notes(node: Option<&Node>, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for (key, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let span = &key.span;
        let key = key.as_text(reader.found);
        let mut note = Note { key, given: Vec::new(), say: String::new(), cite: Cite::NONE };
        if let Value::Text(say) = &body.value {
            note.say = say.to_string();
        } else {
            let mut fields = body.fields(reader.found);
            note.given = fields.may("given").map(|n| read_given(n, names, reader)).unwrap_or_default();
            note.say = fields.must("say", reader.found).map(|n| n.as_text(reader.found)).unwrap_or_default();
            note.cite = reader.cite(&mut fields);
            fields.finish(reader.found);
        }
        let meanings = note.given.iter().filter(|(_, blank)| matches!(blank, Blank::Thing(Kind::Symbol(_))));
        let meanings: Vec<String> = meanings.map(|(name, _)| format!("{name}{MEANING}")).collect();
        let known = note.given.iter().map(|(name, _)| name).chain(&meanings).map(String::as_str);
        check(&note.say, &known.collect::<Vec<_>>(), body, reader);
        let is_said = |name: &str| blanks(&note.say).any(|blank| blank.strip_suffix(MEANING).unwrap_or(blank) == name);
        if let Some((name, _)) = note.given.iter().find(|(name, _)| !is_said(name)) {
            let message = format!("`{}` is given `{name}` and does not say it", note.key);
            reader.found.error("unread", span, message, format!("write `{{{name}}}` in its sentence, or delete it"));
        }
        notes.push(note);
    }
    notes.sort_by(|a, b| a.key.cmp(&b.key));
    notes
}

fn read_given(node: &Node, names: &Names<'_>, reader: &mut Reader<'_>) -> Vec<(String, Blank)> {
    let mut all = Vec::new();
    for (name, kind) in node.entries(reader.found) {
        let blank = match kind.text() {
            Some("text") => Blank::Text,
            _ => Blank::Thing(kind_given(kind, &["text"], names, reader)),
        };
        all.push((name.as_text(reader.found), blank));
    }
    all
}

/// Reads `texts:`, sentences in place of the engine's: by number of the text, how it reads.
pub(super) fn texts(node: Option<&Node>, reader: &mut Reader<'_>) -> Vec<String> {
    let mut all: Vec<String> = Text::ALL.iter().map(|text| text.says().to_owned()).collect();
    for (key, body) in node.map(|n| n.entries(reader.found)).unwrap_or_default() {
        let name = key.as_text(reader.found);
        let Some(text) = Text::ALL.iter().find(|text| text.key() == name) else {
            let help = suggest(&name, Text::ALL.iter().map(|text| text.key()));
            reader.found.error("unknown-name", &key.span, format!("the engine has no text `{name}`"), help);
            continue;
        };
        all[*text as usize] = sentence(body, text.blanks(), reader);
    }
    all
}

/// Reads a sentence that may have these blanks.
pub(super) fn sentence(node: &Node, known: &[&str], reader: &mut Reader<'_>) -> String {
    let says = node.as_text(reader.found);
    check(&says, known, node, reader);
    says
}

/// Reads a sentence that is told as it stands, so that nothing could fill a blank in it.
pub(super) fn plain(node: &Node, reader: &mut Reader<'_>) -> String {
    let says = node.as_text(reader.found);
    if let Some(blank) = blanks(&says).next() {
        let message = format!("this sentence is told as it stands, and nothing fills `{{{blank}}}`");
        reader.found.error("unknown-name", &node.span, message, "write words in its place");
    }
    says
}

/// Checks that a sentence has no blank but these.
fn check(sentence: &str, known: &[&str], node: &Node, reader: &mut Reader<'_>) {
    if sentence.matches('{').count() != sentence.matches('}').count() {
        reader.found.error("braces", &node.span, "a blank is not closed, or not opened", "write `{name}`");
        return;
    }
    for blank in blanks(sentence).filter(|blank| !known.contains(blank)) {
        let message = format!("nothing is given that stands in `{{{blank}}}`");
        let help = if blank.chars().all(|c| c.is_ascii_digit()) && !blank.is_empty() {
            "blanks have names: write `{ given: { unit: unit }, say: \"{unit} ...\" }`".to_owned()
        } else {
            suggest(blank, known.iter().copied())
        };
        reader.found.error("unknown-name", &node.span, message, help);
    }
}

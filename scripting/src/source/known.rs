//! What names there are and what they are: read from type definitions, the same that editors read.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    rc::Rc,
};

use crate::api::KEPT;

use super::{
    lower,
    tree::{Declared, Note, Statement},
};

/// What a value is, as far as anybody can tell before it is there.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// Nobody knows.
    Any,
    /// `nil`
    Nil,
    /// A yes or no
    Flag,
    /// A number, and what it stands for: every type of definitions that is a number in the end is a kind of its own.
    Number(Rc<str>),
    /// A text of whatever words
    Text,
    /// One of the texts that the type of this name allows
    Named(Rc<str>),
    /// One of these texts
    Words(Rc<[String]>),
    /// A set for a question, and what its members are
    Set(Box<Type>),
    /// Pairs for a question, and what the first and the second of each are
    Pairs(Box<[Type; 2]>),
    /// A list, and what its members are
    List(Box<Type>),
    /// A table of another form
    Table,
    /// A function
    Function,
    /// This, or nothing: as a parameter it may be left out
    Maybe(Box<Type>),
    /// One of these
    Either(Vec<Type>),
}

/// What is behind a name.
#[derive(Debug, Clone)]
pub enum Known {
    /// More names
    Table(BTreeMap<String, Known>),
    /// A function
    Function(Rc<Signature>),
    /// A value
    Value(Type),
}

/// What a function is given and gives back.
#[derive(Debug, Clone, Default)]
pub struct Signature {
    /// What it is given, by name.
    pub given: Vec<(String, Type)>,
    /// Whether it takes any number more.
    pub takes_more: bool,
    /// What it gives back.
    pub gives: Vec<Type>,
}

/// All names of a ruleset.
#[derive(Debug, Default)]
pub struct Names {
    /// By name: what every rule file sees.
    pub globals: BTreeMap<String, Known>,
    /// Globals that are declared a second time: a rule file is called like one.
    pub twice: BTreeSet<String>,
    /// Types by name.
    types: BTreeMap<String, Note>,
}

/// The most that types may be made of each other.
const DEEPEST: usize = 16;

impl Type {
    /// A number that stands for nothing.
    pub fn number() -> Type {
        Type::Number("number".into())
    }

    /// The same, or nothing.
    pub fn or_nothing(self) -> Type {
        if matches!(self, Type::Any | Type::Nil | Type::Maybe(_)) { self } else { Type::Maybe(Box::new(self)) }
    }

    /// Whether a call may leave it out.
    pub fn may_be_left_out(&self) -> bool {
        matches!(self, Type::Any | Type::Maybe(_))
    }
}

impl Names {
    /// The names of definitions as [`definitions`](super::definitions) writes them.
    pub fn read(definitions: &str) -> Result<Names, String> {
        let mut tree = Vec::new();
        for (line, declaration) in declarations(definitions) {
            tree.extend(lower::parse(&declaration).map_err(|wrong| {
                let before = &declaration[..wrong.at.start.min(declaration.len())];
                format!("line {} of the definitions: {}", line + before.matches('\n').count(), wrong.message)
            })?);
        }
        let mut names = Names::of_luau();
        for statement in &tree {
            if let Statement::Type(name, note) = statement {
                names.types.insert(name.text.clone(), note.clone());
            }
        }
        for statement in tree {
            match statement {
                Statement::Local(declared, _) => {
                    for Declared { name, note } in declared {
                        let known = note.map_or(Known::Value(Type::Any), |note| names.known(&note));
                        if let Entry::Vacant(free) = names.globals.entry(name.text.clone()) {
                            free.insert(known);
                        } else {
                            names.twice.insert(name.text);
                        }
                    }
                }
                Statement::LocalFunction(name, function) => {
                    let known = Known::Function(Rc::new(names.signature(&function)));
                    names.globals.insert(name.text, known);
                }
                _ => (),
            }
        }
        Ok(names)
    }

    /// What rules keep of Luau's own libraries, of whose functions definitions say nothing.
    fn of_luau() -> Names {
        let mut globals = BTreeMap::new();
        for (library, kept) in KEPT {
            let kept = kept.iter().map(|name| ((*name).to_owned(), Known::Value(Type::Any)));
            if library.is_empty() {
                globals.extend(kept);
            } else {
                globals.insert(library.to_owned(), Known::Table(kept.collect()));
            }
        }
        Names { globals, ..Names::default() }
    }

    /// What a function says of itself.
    pub fn signature(&self, of: &super::tree::Function) -> Signature {
        let given = of.parameters.iter().map(|one| (one.name.text.clone(), self.noted(one.note.as_ref()))).collect();
        let gives = of.gives.as_ref().map_or_else(Vec::new, |note| self.several(note));
        Signature { given, takes_more: of.takes_more, gives }
    }

    /// What an annotation says, where there is one.
    pub fn noted(&self, note: Option<&Note>) -> Type {
        note.map_or(Type::Any, |note| self.of_note(note))
    }

    /// What an annotation says.
    pub fn of_note(&self, note: &Note) -> Type {
        self.of_deep_note(note, 0)
    }

    fn of_deep_note(&self, note: &Note, deep: usize) -> Type {
        let inner = |note: &Note| self.of_deep_note(note, deep + 1);
        if deep > DEEPEST {
            return Type::Any;
        }
        match note {
            Note::Nil => Type::Nil,
            Note::Text(text) => Type::Words([text.clone()].into()),
            Note::Maybe(of) => inner(of).or_nothing(),
            Note::List(of) => Type::List(Box::new(inner(of))),
            Note::Table(_) => Type::Table,
            Note::Function(_) => Type::Function,
            Note::Of(name, of) if name == "Set" => Type::Set(Box::new(of.first().map_or(Type::Any, inner))),
            Note::Of(name, of) if name == "Pairs" => {
                Type::Pairs(Box::new([0, 1].map(|at| of.get(at).map_or(Type::Any, inner))))
            }
            Note::OneOf(list) => {
                let texts = list.iter().map(|one| match one {
                    Note::Text(text) => Some(text.clone()),
                    _ => None,
                });
                match texts.collect::<Option<Vec<String>>>() {
                    Some(texts) => Type::Words(texts.into()),
                    None => Type::Either(list.iter().map(inner).collect()),
                }
            }
            Note::Name(name) => match (name.as_str(), self.types.get(name)) {
                ("number", _) => Type::number(),
                ("string", _) => Type::Text,
                ("boolean", _) => Type::Flag,
                ("never", _) => Type::Words([].into()),
                (_, Some(of)) => match inner(of) {
                    Type::Number(_) => Type::Number(name.as_str().into()),
                    Type::Text | Type::Words(_) => Type::Named(name.as_str().into()),
                    other => other,
                },
                _ => Type::Any,
            },
            Note::Of(..) | Note::Several(_) | Note::Other => Type::Any,
        }
    }

    fn several(&self, note: &Note) -> Vec<Type> {
        match note {
            Note::Several(list) => list.iter().map(|one| self.of_note(one)).collect(),
            one => vec![self.of_note(one)],
        }
    }

    fn known(&self, note: &Note) -> Known {
        match note {
            Note::Table(fields) => {
                Known::Table(fields.iter().map(|(name, note)| (name.clone(), self.known(note))).collect())
            }
            Note::Function(shape) => {
                let named = |(name, note): &(Option<String>, Note)| {
                    (name.clone().unwrap_or_else(|| "value".into()), self.of_note(note))
                };
                let given = shape.given.iter().map(named).collect();
                let gives = self.several(&shape.gives);
                Known::Function(Rc::new(Signature { given, takes_more: shape.more.is_some(), gives }))
            }
            other => Known::Value(self.of_note(other)),
        }
    }

    /// The texts that a type allows; nothing where it allows any.
    pub fn words(&self, of: &Type) -> Option<Rc<[String]>> {
        match of {
            Type::Words(words) => Some(words.clone()),
            Type::Named(name) => match self.types.get(&**name).map(|note| self.of_note(note)) {
                Some(Type::Words(words)) => Some(words),
                _ => None,
            },
            Type::Maybe(of) => self.words(of),
            _ => None,
        }
    }

    /// Whether a type of this name is declared.
    pub fn has_type(&self, name: &str) -> bool {
        ["number", "string", "boolean"].contains(&name) || self.types.contains_key(name)
    }

    /// Whether a value of one type is certainly none of the other.
    pub fn clash(&self, given: &Type, wanted: &Type) -> bool {
        use Type::{Any, Either, Flag, Function, List, Maybe, Named, Nil, Number, Pairs, Set, Table, Text, Words};
        match (given, wanted) {
            (Any, _) | (_, Any) => false,
            (Nil, Maybe(_)) | (Nil, Nil) => false,
            (Maybe(given), _) => self.clash(given, wanted),
            (_, Maybe(wanted)) => self.clash(given, wanted),
            (Either(list), _) => list.iter().all(|given| self.clash(given, wanted)),
            (_, Either(list)) => list.iter().all(|wanted| self.clash(given, wanted)),
            (Number(given), Number(wanted)) => !self.is_of(given, wanted) && !self.is_of(wanted, given),
            // A flag is written as 0 and 1 too.
            (Number(given), Flag) => &**given != "number",
            (Set(given), Set(wanted)) | (List(given), List(wanted)) => self.clash(given, wanted),
            (Pairs(given), Pairs(wanted)) => {
                given.iter().zip(&**wanted).any(|(given, wanted)| self.clash(given, wanted))
            }
            (List(_), Table) | (Table, List(_)) | (Text, Text | Named(_) | Words(_)) | (Named(_) | Words(_), Text) => {
                false
            }
            (Named(given), Named(wanted)) if given == wanted => false,
            (Named(_) | Words(_), Named(_) | Words(_)) => match (self.words(given), self.words(wanted)) {
                (Some(given), Some(wanted)) => given.iter().all(|word| !wanted.contains(word)),
                _ => false,
            },
            (Flag, Flag) | (Table, Table) | (Function, Function) => false,
            _ => true,
        }
    }

    /// Whether one kind of number is another in the end.
    fn is_of(&self, kind: &str, other: &str) -> bool {
        let mut kind = kind;
        for _ in 0..DEEPEST {
            if kind == other {
                return true;
            }
            match self.types.get(kind) {
                Some(Note::Name(of)) => kind = of,
                _ => return false,
            }
        }
        false
    }

    /// A type in words.
    pub fn say(&self, of: &Type) -> String {
        let with_article = |name: &str| {
            let name = spaced(name);
            let article = if name.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
            format!("{article} {name}")
        };
        match of {
            Type::Any => "anything".into(),
            Type::Nil => "nothing".into(),
            Type::Flag => "a yes or no".into(),
            Type::Number(kind) if self.is_of(kind, "Symbol") && &**kind != "Symbol" => {
                format!("a value of {}", spaced(kind))
            }
            Type::Number(kind) => with_article(kind),
            Type::Text | Type::Words(_) => "a text".into(),
            Type::Named(name) => with_article(name),
            Type::Set(of) if matches!(**of, Type::Any | Type::Nil) => "a set".into(),
            Type::Set(of) => format!("a set of which each is {}", self.say(of)),
            Type::Pairs(of) => format!("pairs of {} and {}", self.say(&of[0]), self.say(&of[1])),
            Type::List(of) if **of == Type::Any => "a list".into(),
            Type::List(of) => format!("a list of which each is {}", self.say(of)),
            Type::Table => "a table".into(),
            Type::Function => "a function".into(),
            Type::Maybe(of) => self.say(of),
            Type::Either(list) => {
                let said: Vec<String> = list.iter().map(|one| self.say(one)).collect();
                said.join(" or ")
            }
        }
    }
}

/// `SymbolList` is `symbol list`.
fn spaced(name: &str) -> String {
    let mut said = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !said.is_empty() {
            said.push(' ');
        }
        said.extend(letter.to_lowercase());
    }
    said
}

/// The declarations of definitions as Luau that declares locals, for full_moon knows no `declare`; each with its line. A text
/// takes full_moon five hundred times its own room, so that many short ones are parsed in half the time of a long one.
/// Comments are left out, and lines stay where they are.
fn declarations(definitions: &str) -> Vec<(usize, String)> {
    let mut all = vec![(1, String::new())];
    for (line, text) in (1..).zip(definitions.lines()) {
        let begins = ["declare ", "export "].iter().any(|word| text.starts_with(word));
        if begins {
            all.push((line, String::new()));
        }
        let Some((_, code)) = all.last_mut() else { continue };
        if let Some(function) = text.strip_prefix("declare function ") {
            code.extend(["local function ", function, " end"]);
        } else if let Some(value) = text.strip_prefix("declare ") {
            code.extend(["local ", value]);
        } else if !text.trim_start().starts_with("--") {
            code.push_str(text);
        }
        code.push('\n');
    }
    all
}

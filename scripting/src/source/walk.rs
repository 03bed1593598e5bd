//! Goes through a rule file, statement by statement: which names are in scope and what they are, and what cannot be right.
//!
//! Every value is visited once and comes to its type; where that is not certain it is [`Type::Any`], of which nothing is
//! ever said. So there are no false alarms: a file may be wrong in ways that are found in play alone.

use std::collections::BTreeSet;

use countermarch_core::{
    diagnostic::{Diagnostics, Span},
    ruleset::{Ruleset, rows::Read},
};

use crate::{cites::FileCites, convert::name_of_passing};

use super::{
    known::{Known, Names, Type},
    tree::{At, Block, Call, Declared, Expression, Function, Key, Name, Note, Statement, Value},
};

/// A local that is in scope.
struct Local {
    name: String,
    is: Type,
    /// Whether it stands outside all functions.
    is_of_file: bool,
}

/// What is found out of a file before anything is said of it.
#[derive(Debug, Default)]
pub struct Learnt {
    /// Names that are assigned to after they are declared: what they hold is not certain.
    assigned: BTreeSet<String>,
    /// Names of types that the file makes itself.
    types: BTreeSet<String>,
    /// Globals that are handed on as they are: what becomes of their fields is not certain.
    pub handed_on: BTreeSet<String>,
}

/// One file, on the way through it.
pub struct Walk<'a> {
    pub(super) names: &'a Names,
    pub(super) ruleset: &'a Ruleset,
    /// Where the file lies.
    pub(super) path: &'a str,
    /// What it knows as `original`.
    original: Option<&'a Known>,
    /// What its rules cite.
    pub(super) cites: &'a FileCites,
    known: &'a Learnt,
    learnt: Learnt,
    locals: Vec<Local>,
    /// In how many functions.
    depth: usize,
    pub(super) found: &'a mut Diagnostics,
}

/// What is to be written in place of a name that the engine once had.
fn renamed(name: &str) -> Option<String> {
    let now = match name {
        "rows" => "lists of rows are `may`, `sum` and `first` now, as their sections in YAML",
        "word" => "it is called `term` now",
        "select" => "write `each.may_NAME(...)`, after the guard `NAME` of the section `may:`",
        "offer.units" | "offer.spaces" | "offer.cards" => "write `offer.each.may_NAME(...)`",
        "offer.allowed" => "write `offer.may.NAME(...)`",
        "offer.any" => "write `offer.each.NAME(...)`",
        _ => return None,
    };
    Some(now.to_owned())
}

/// Why a guard lists nobody: what it is given first has no members that could be gone through.
fn listed_by_no_guard(ruleset: &Ruleset, table: &str, name: &str) -> Option<String> {
    let is_of_each = matches!(table, "each" | "offer.each");
    let guard = ruleset.rows.iter().find(|rows| rows.read == Read::May && name_of_passing(&rows.name) == name);
    let guard = &guard.filter(|_| is_of_each)?.name;
    let help = "a guard lists units, spaces, cards, sides or named values, whichever it is given first";
    Some(format!("{help}, and `{guard}` is given none of them first"))
}

impl<'a> Walk<'a> {
    /// Looks at a file; what is `known` of it was learnt on a way through it before.
    pub fn through(
        (names, ruleset): (&'a Names, &'a Ruleset),
        (path, tree, cites): (&'a str, &Block, &'a FileCites),
        original: Option<&'a Known>,
        known: &'a Learnt,
        found: &'a mut Diagnostics,
    ) -> Learnt {
        let (learnt, locals) = (Learnt::default(), Vec::new());
        let mut walk = Walk { names, ruleset, path, original, cites, known, learnt, locals, depth: 0, found };
        walk.block(tree);
        walk.learnt
    }

    pub(super) fn warning(&mut self, code: &'static str, at: &At, message: String, help: impl Into<String>) {
        let span = Span { file: self.path.into(), start: at.start, end: at.end };
        self.found.warning(code, &span, message, help);
    }

    pub(super) fn error(&mut self, code: &'static str, at: &At, message: String, help: impl Into<String>) {
        let span = Span { file: self.path.into(), start: at.start, end: at.end };
        self.found.error(code, &span, message, help);
    }

    // Scopes.

    fn declare(&mut self, name: &Name, is: Type) {
        if self.locals.iter().all(|local| local.name != name.text) {
            self.hides(name);
        }
        let is = if self.known.assigned.contains(&name.text) { Type::Any } else { is };
        self.locals.push(Local { name: name.text.clone(), is, is_of_file: self.depth == 0 });
    }

    /// Outside functions no local may be called like anything that all files see: whoever reads a rule would take it for
    /// that. In a function it is likely to be missed only where names of the ruleset are looked up in it: after `local
    /// sum`, `sum.strength(u)` is nothing.
    fn hides(&mut self, name: &Name) {
        let message = format!("`{}` hides a name that every rule file knows", name.text);
        match self.names.globals.get(&name.text) {
            Some(_) if self.depth == 0 => self.error("hidden", &name.at, message, "rename it"),
            Some(Known::Table(_)) => self.warning("hidden", &name.at, message, "rename it"),
            _ => (),
        }
    }

    /// What is declared, by its annotation or by what it is given.
    fn declare_as(&mut self, declared: &Declared, given: Type) {
        let is = match &declared.note {
            Some(note) => self.noted(note),
            None => given,
        };
        match &declared.note {
            // What an annotation says holds whatever is assigned.
            Some(_) => {
                self.declare(&declared.name, Type::Any);
                if let Some(local) = self.locals.last_mut() {
                    local.is = is;
                }
            }
            None => self.declare(&declared.name, is),
        }
    }

    /// What an annotation says; nothing is certain where the file makes types of its own by names that there are.
    fn noted(&self, note: &Note) -> Type {
        let is_certain = !self.known.types.iter().any(|own| self.names.has_type(own));
        if is_certain { self.names.of_note(note) } else { Type::Any }
    }

    fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    fn scoped(&mut self, work: impl FnOnce(&mut Self)) {
        let locals = self.locals.len();
        work(self);
        self.locals.truncate(locals);
    }

    // Statements.

    fn block(&mut self, block: &Block) {
        self.scoped(|walk| block.iter().for_each(|statement| walk.statement(statement)));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Local(names, values) => {
                let mut given = self.values(values).into_iter();
                for one in names {
                    self.declare_as(one, given.next().unwrap_or(Type::Any));
                }
            }
            Statement::Assign(targets, values) => {
                self.values(values);
                targets.iter().for_each(|target| self.assign(target));
            }
            Statement::Call(value) => drop(self.value(value)),
            Statement::Function(path, function) => {
                match path.as_slice() {
                    [name] => self.assign_name(name),
                    [name, ..] if self.local(&name.text).is_none() => drop(self.global(name)),
                    _ => (),
                }
                let given = self.given_before(path, function);
                self.function(function, given);
            }
            Statement::LocalFunction(name, function) => {
                self.declare(name, Type::Function);
                self.function(function, Vec::new());
            }
            Statement::Do(block) => self.block(block),
            Statement::While(goes_on, block) => {
                self.value(goes_on);
                self.block(block);
            }
            // What is declared in the block is seen by the condition.
            Statement::Repeat(block, ends) => self.scoped(|walk| {
                block.iter().for_each(|statement| walk.statement(statement));
                walk.value(ends);
            }),
            Statement::If(branches) => {
                for (condition, block) in branches {
                    condition.iter().for_each(|condition| drop(self.value(condition)));
                    self.block(block);
                }
            }
            Statement::Each(names, values, block) => {
                let through = self.gone_through(values);
                self.scoped(|walk| {
                    let mut through = through.into_iter();
                    names.iter().for_each(|name| walk.declare_as(name, through.next().unwrap_or(Type::Any)));
                    walk.block(block);
                });
            }
            Statement::Count(name, values, block) => {
                self.values(values);
                self.scoped(|walk| {
                    walk.declare_as(name, Type::number());
                    walk.block(block);
                });
            }
            Statement::Return(values) => drop(self.values(values)),
            Statement::Type(name, _) => drop(self.learnt.types.insert(name.text.clone())),
        }
    }

    /// What a loop goes through: of a list, its places and its members.
    fn gone_through(&mut self, values: &[Value]) -> Vec<Type> {
        if let [Value { is: Expression::Call(call), .. }] = values
            && matches!(&call.of.is, Expression::Name(name) if name.text == "ipairs" && self.local("ipairs").is_none())
            && let [list] = call.given.as_slice()
        {
            return match self.value(list) {
                Type::List(of) => vec![Type::number(), *of],
                _ => vec![Type::number()],
            };
        }
        self.values(values);
        Vec::new()
    }

    fn assign(&mut self, target: &Value) {
        match &target.is {
            Expression::Name(name) => self.assign_name(name),
            _ => {
                self.value(target);
                if let Some(name) = target.root() {
                    self.keeps(name);
                }
            }
        }
    }

    fn assign_name(&mut self, name: &Name) {
        self.learnt.assigned.insert(name.text.clone());
        if self.local(&name.text).is_some() {
            self.keeps(name);
        } else if self.names.globals.contains_key(&name.text) {
            let message = format!("`{}` is not a rule file's to change", name.text);
            self.error("global", &name.at, message, "declare a local by another name");
        } else {
            let help = format!("write `local {}`", name.text);
            self.error("global", &name.at, format!("`{}` becomes a global here", name.text), help);
        }
    }

    /// A local of the file that a function writes, or writes into.
    fn keeps(&mut self, name: &Name) {
        if self.depth > 0 && self.local(&name.text).is_some_and(|local| local.is_of_file) {
            let message = format!("`{}` would outlive the task: a rule keeps nothing between tasks", name.text);
            self.error("kept", &name.at, message, "declare it as state in YAML, or make it inside the function");
        }
    }

    /// Goes through a function, the first of whose parameters are known to be `given` these.
    fn function(&mut self, function: &Function, given: Vec<Type>) {
        self.depth += 1;
        self.scoped(|walk| {
            let given = given.into_iter().chain(std::iter::repeat(Type::Any));
            function.parameters.iter().zip(given).for_each(|(one, given)| walk.declare_as(one, given));
            walk.block(&function.body);
        });
        self.depth -= 1;
    }

    // Values.

    /// Visits values, the last of which may come to several.
    pub(super) fn values(&mut self, values: &[Value]) -> Vec<Type> {
        let mut types = Vec::new();
        for (at, value) in values.iter().enumerate() {
            match &value.is {
                Expression::Call(call) if at + 1 == values.len() => types.extend(self.call(call)),
                _ => types.push(self.value(value)),
            }
        }
        types
    }

    /// Visits a value.
    pub(super) fn value(&mut self, value: &Value) -> Type {
        match &value.is {
            Expression::Nil => Type::Nil,
            Expression::Flag(_) => Type::Flag,
            Expression::Number(_) => Type::number(),
            Expression::Text(text) => Type::Words([text.clone()].into()),
            Expression::Rest => Type::Any,
            Expression::Name(name) => self.name(name),
            Expression::Field(of, name) => self.field(of, name),
            Expression::Index(of, by) => {
                self.value(by);
                match self.value(of) {
                    Type::List(of) => of.or_nothing(),
                    _ => Type::Any,
                }
            }
            Expression::Call(call) => self.call(call).into_iter().next().unwrap_or(Type::Any),
            Expression::Function(function) => {
                self.function(function, Vec::new());
                Type::Function
            }
            Expression::Table(fields) => self.table(fields),
            Expression::One(sign, of) => {
                let is = self.value(of);
                match *sign {
                    "not" => Type::Flag,
                    "()" => is,
                    _ => Type::number(),
                }
            }
            Expression::Two(sign, two) => self.two(sign, two, &value.at),
            Expression::If(branches) => {
                let mut types: Vec<Type> = Vec::new();
                for (condition, value) in branches {
                    condition.iter().for_each(|condition| drop(self.value(condition)));
                    types.push(self.value(value));
                }
                either(types)
            }
            Expression::Filled(values) => {
                values.iter().for_each(|value| drop(self.value(value)));
                Type::Text
            }
            Expression::Cast(of, note) => {
                self.value(of);
                self.noted(note)
            }
        }
    }

    fn name(&mut self, name: &Name) -> Type {
        if let Some(local) = self.local(&name.text) {
            return local.is.clone();
        }
        self.learnt.handed_on.insert(name.text.clone());
        type_of(self.global(name))
    }

    /// A name that is no local; one that is nowhere is told.
    fn global(&mut self, name: &Name) -> Option<&'a Known> {
        let known = self.known_global(&name.text);
        if known.is_none() {
            let there = self.names.globals.keys().map(String::as_str).filter(|n| *n != "original");
            let help = renamed(&name.text).unwrap_or_else(|| self.found.suggest(&name.text, there));
            let message = format!("`{}` is neither declared here nor a name of the engine", name.text);
            self.error("unknown-name", &name.at, message, help);
        }
        known
    }

    fn known_global(&self, name: &str) -> Option<&'a Known> {
        if name == "original" { self.original } else { self.names.globals.get(name) }
    }

    fn field(&mut self, of: &Value, name: &Name) -> Type {
        match &of.is {
            Expression::Name(first) if self.local(&first.text).is_none() => drop(self.global(first)),
            Expression::Name(_) => (),
            _ => drop(self.value(of)),
        }
        let Some(Known::Table(fields)) = self.known(of) else { return Type::Any };
        if !fields.contains_key(&name.text) {
            let table: Vec<&str> = of.path().into_iter().flatten().map(|name| name.text.as_str()).collect();
            let table = table.join(".");
            let help = renamed(&format!("{table}.{}", name.text))
                .or_else(|| listed_by_no_guard(self.ruleset, &table, &name.text))
                .unwrap_or_else(|| self.found.suggest(&name.text, fields.keys().map(String::as_str)));
            self.error("unknown-name", &name.at, format!("`{table}` has no `{}`", name.text), help);
        }
        type_of(fields.get(&name.text))
    }

    /// What is behind `a.b.c`, where it is no local's.
    pub(super) fn known(&self, value: &Value) -> Option<&'a Known> {
        match &value.is {
            Expression::Name(name) if self.local(&name.text).is_none() => self.known_global(&name.text),
            Expression::Field(of, name) => match self.known(of)? {
                Known::Table(fields) => fields.get(&name.text),
                _ => None,
            },
            _ => None,
        }
    }

    fn table(&mut self, fields: &[(Key, Value)]) -> Type {
        let is_list = fields.iter().all(|(key, _)| matches!(key, Key::Place));
        let mut members = self.members(fields);
        if let Some((_, last)) = fields.last()
            && last.is_several()
        {
            members.push(Type::Any);
        }
        match members.pop() {
            _ if !is_list => Type::Table,
            // Types are no larger than what is said of them: lists of lists of lists are lists.
            Some(Type::List(of)) if matches!(*of, Type::List(_)) => Type::List(Box::new(Type::Any)),
            Some(one) if !matches!(one, Type::Either(_)) && members.iter().all(|other| *other == one) => {
                Type::List(Box::new(one))
            }
            // A list that is empty here may be filled with anything.
            _ => Type::List(Box::new(Type::Any)),
        }
    }

    /// The values of a table.
    pub(super) fn members(&mut self, fields: &[(Key, Value)]) -> Vec<Type> {
        let mut types = Vec::new();
        for (key, value) in fields {
            if let Key::Value(key) = key {
                self.value(key);
            }
            types.push(self.value(value));
        }
        types
    }

    fn two(&mut self, sign: &str, two: &[Value; 2], at: &At) -> Type {
        let types = [self.value(&two[0]), self.value(&two[1])];
        match sign {
            "and" | "or" => Type::Any,
            ".." => Type::Text,
            "==" | "~=" => {
                self.compared(two, &types, at);
                Type::Flag
            }
            "<" | "<=" | ">" | ">=" => Type::Flag,
            _ => Type::number(),
        }
    }

    fn call(&mut self, call: &Call) -> Vec<Type> {
        self.value_of_called(&call.of);
        if call.method.is_some() {
            self.values(&call.given);
            return Vec::new();
        }
        let path = call.of.path().filter(|path| self.local(&path[0].text).is_none());
        let path: Vec<&str> = path.iter().flatten().map(|name| name.text.as_str()).collect();
        match self.known(&call.of) {
            Some(Known::Function(signature)) => self.called(&path, signature, call),
            _ => {
                self.values(&call.given);
                Vec::new()
            }
        }
    }

    /// What is called is not handed on.
    fn value_of_called(&mut self, of: &Value) {
        match &of.is {
            Expression::Name(name) if self.local(&name.text).is_none() => drop(self.global(name)),
            _ => drop(self.value(of)),
        }
    }
}

/// One of a few types; of many, nothing is certain.
fn either(mut types: Vec<Type>) -> Type {
    types.dedup();
    match types.len() {
        1 => types.remove(0),
        2..=8 if !types.iter().any(|one| matches!(one, Type::Either(_))) => Type::Either(types),
        _ => Type::Any,
    }
}

fn type_of(known: Option<&Known>) -> Type {
    match known {
        Some(Known::Value(is)) => is.clone(),
        Some(Known::Function(_)) => Type::Function,
        Some(Known::Table(_)) => Type::Table,
        None => Type::Any,
    }
}

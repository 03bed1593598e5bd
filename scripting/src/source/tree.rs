//! The syntax tree of a rule file, as far as anything is checked of it: every name and every value with its place.

use std::{ops::Range, rc::Rc};

/// A stretch of a file, in bytes.
pub type At = Range<usize>;

/// A name where it stands.
#[derive(Debug, Clone)]
pub struct Name {
    /// As it is written.
    pub text: String,
    /// Where.
    pub at: At,
}

/// Statements that share a scope.
pub type Block = Vec<Statement>;

/// A local as it is declared: a variable, a parameter, what a loop goes through.
#[derive(Debug)]
pub struct Declared {
    /// What it is called.
    pub name: Name,
    /// What its annotation says it is.
    pub note: Option<Note>,
}

/// A statement.
#[derive(Debug)]
pub enum Statement {
    /// `local a, b = 1, 2`
    Local(Vec<Declared>, Vec<Value>),
    /// `a, b.c = 1, 2`, and `a += 1`, where what is assigned to is read too
    Assign(Vec<Value>, Vec<Value>),
    /// A call
    Call(Value),
    /// `function a.b()`
    Function(Vec<Name>, Rc<Function>),
    /// `local function a()`
    LocalFunction(Name, Rc<Function>),
    /// `do ... end`
    Do(Block),
    /// `while a do ... end`
    While(Value, Block),
    /// `repeat ... until a`
    Repeat(Block, Value),
    /// `if a then ... elseif b then ... else ... end`: the last has no condition
    If(Vec<(Option<Value>, Block)>),
    /// `for a, b in c do ... end`
    Each(Vec<Declared>, Vec<Value>, Block),
    /// `for a = 1, 2, 3 do ... end`
    Count(Declared, Vec<Value>, Block),
    /// `return a, b`
    Return(Vec<Value>),
    /// `type a = b`
    Type(Name, Note),
}

/// A function: what it is given, what it does.
#[derive(Debug)]
pub struct Function {
    /// What it is given.
    pub parameters: Vec<Declared>,
    /// Whether it takes any number more.
    pub takes_more: bool,
    /// What its annotation says it gives back.
    pub gives: Option<Note>,
    /// What it does.
    pub body: Block,
}

/// A value, and where it stands.
#[derive(Debug)]
pub struct Value {
    /// From its first letter to its last.
    pub at: At,
    /// What kind of expression.
    pub is: Expression,
}

/// How a value is put together.
#[derive(Debug)]
pub enum Expression {
    /// `nil`
    Nil,
    /// `true`
    Flag(bool),
    /// `1.5`
    Number(f64),
    /// `"a"`; without its quotes, as it is written
    Text(String),
    /// `...`
    Rest,
    /// `a`
    Name(Name),
    /// `a.b`
    Field(Box<Value>, Name),
    /// `a[b]`
    Index(Box<Value>, Box<Value>),
    /// `a(b, c)`, `a:b(c)`
    Call(Box<Call>),
    /// `function() ... end`
    Function(Rc<Function>),
    /// `{ a, b = c, [d] = e }`
    Table(Vec<(Key, Value)>),
    /// `not a`, `-a`, `#a`
    One(&'static str, Box<Value>),
    /// `a + b`
    Two(&'static str, Box<[Value; 2]>),
    /// `if a then b else c`: the last has no condition
    If(Vec<(Option<Value>, Value)>),
    /// A text in backticks, with values in it
    Filled(Vec<Value>),
    /// `a :: b`
    Cast(Box<Value>, Note),
}

/// A call.
#[derive(Debug)]
pub struct Call {
    /// What is called.
    pub of: Value,
    /// The method, where it is called as one.
    pub method: Option<Name>,
    /// What it is given.
    pub given: Vec<Value>,
}

/// What a value of a table is found by.
#[derive(Debug)]
pub enum Key {
    /// Its place in the list
    Place,
    /// `a =`
    Name(Name),
    /// `[a] =`
    Value(Value),
}

/// An annotation of a type.
#[derive(Debug, Clone)]
pub enum Note {
    /// A type by name
    Name(String),
    /// `"a"`
    Text(String),
    /// `nil`
    Nil,
    /// `A?`
    Maybe(Box<Note>),
    /// `{ A }`
    List(Box<Note>),
    /// `{ a: A }`; by its keys that are names
    Table(Vec<(String, Note)>),
    /// `A | B`
    OneOf(Vec<Note>),
    /// `(a: A, B?, ...C) -> D`
    Function(Box<Shape>),
    /// `(A, B)`
    Several(Vec<Note>),
    /// `A<B>`
    Of(String, Vec<Note>),
    /// Anything else
    Other,
}

/// The annotation of a function.
#[derive(Debug, Clone)]
pub struct Shape {
    /// What it is given, by name where it has one.
    pub given: Vec<(Option<String>, Note)>,
    /// What any number more of them are.
    pub more: Option<Note>,
    /// What it gives back.
    pub gives: Note,
}

impl Value {
    /// `a.b.c` as its names, where it is made of names alone.
    pub fn path(&self) -> Option<Vec<&Name>> {
        match &self.is {
            Expression::Name(name) => Some(vec![name]),
            Expression::Field(of, name) => {
                let mut path = of.path()?;
                path.push(name);
                Some(path)
            }
            _ => None,
        }
    }

    /// The first name of `a.b[c].d`.
    pub fn root(&self) -> Option<&Name> {
        match &self.is {
            Expression::Name(name) => Some(name),
            Expression::Field(of, _) | Expression::Index(of, _) => of.root(),
            _ => None,
        }
    }

    /// Whether it may come to several values, or to none.
    pub fn is_several(&self) -> bool {
        matches!(self.is, Expression::Call(_) | Expression::Rest)
    }
}

//! Parses a rule file with full_moon, and keeps of its tree, which has every blank and bracket, what is checked.

use std::rc::Rc;

use full_moon::{
    LuaVersion,
    ast::{self, Expression as Ast, luau, punctuated::Punctuated, span::ContainedSpan},
    tokenizer::{TokenReference, TokenType},
};

use super::tree::{At, Block, Call, Declared, Expression, Function, Key, Name, Note, Shape, Statement, Value};

/// What cannot be read, and where.
pub struct Unread {
    /// What is wrong with it.
    pub message: String,
    /// From its first letter to its last.
    pub at: At,
}

type Result<T> = std::result::Result<T, Unread>;

/// The tree of a text. Parsing recurs as deeply as the text is nested: it is for texts that Luau has taken, which
/// bounds that, and on a thread with room for it.
pub fn parse(text: &str) -> Result<Block> {
    let read = full_moon::parse_fallible(text, LuaVersion::luau());
    if let Some(wrong) = read.errors().first() {
        let (start, end) = wrong.range();
        return Err(Unread { message: wrong.error_message().into_owned(), at: start.bytes()..end.bytes() });
    }
    block(read.ast().nodes())
}

/// Where a token stands. Of what is put together nobody asks full_moon: it takes twice as long for each time something is
/// nested.
fn at(token: &TokenReference) -> At {
    token.token().start_position().bytes()..token.token().end_position().bytes()
}

/// From the first of two brackets to the second.
fn within(brackets: &ContainedSpan) -> At {
    let (first, last) = brackets.tokens();
    at(first).start..at(last).end
}

fn unknown<T>(at: At) -> Result<T> {
    let message = "this form of Luau is not known here, so that nothing could be checked in this file".to_owned();
    Err(Unread { message, at })
}

fn name(token: &TokenReference) -> Name {
    let text = match token.token().token_type() {
        TokenType::Identifier { identifier } => identifier.to_string(),
        _ => token.token().to_string(),
    };
    Name { text, at: at(token) }
}

/// A quoted text without its quotes.
fn literal(token: &TokenReference) -> String {
    match token.token().token_type() {
        TokenType::StringLiteral { literal, .. } | TokenType::InterpolatedString { literal, .. } => literal.to_string(),
        _ => String::new(),
    }
}

fn block(of: &ast::Block) -> Result<Block> {
    let mut list: Block = Vec::new();
    for one in of.stmts() {
        list.push(statement(one)?);
    }
    match of.last_stmt() {
        Some(ast::LastStmt::Return(given)) => list.push(Statement::Return(values(given.returns())?)),
        Some(ast::LastStmt::Break(_) | ast::LastStmt::Continue(_)) | None => (),
        Some(_) => return unknown(0..0),
    }
    Ok(list)
}

fn statement(of: &ast::Stmt) -> Result<Statement> {
    Ok(match of {
        ast::Stmt::Assignment(set) => {
            Statement::Assign(set.variables().iter().map(variable).collect::<Result<_>>()?, values(set.expressions())?)
        }
        ast::Stmt::CompoundAssignment(set) => Statement::Assign(vec![variable(set.lhs())?], vec![value(set.rhs())?]),
        ast::Stmt::LocalAssignment(local) => {
            let names = declared(local.names(), local.type_specifiers());
            Statement::Local(names, values(local.expressions())?)
        }
        ast::Stmt::ConstAssignment(local) => {
            let names = declared(local.names(), local.type_specifiers());
            Statement::Local(names, values(local.expressions())?)
        }
        ast::Stmt::FunctionCall(call) => Statement::Call(suffixed(call.prefix(), call.suffixes().collect())?),
        ast::Stmt::FunctionDeclaration(named) => {
            let path = named.name().names().iter().chain(named.name().method_name()).map(name).collect();
            let mut function = function(named.body())?;
            if named.name().method_name().is_some() {
                let this = Name { text: "self".into(), at: at(named.function_token()) };
                function.parameters.insert(0, Declared { name: this, note: None });
            }
            Statement::Function(path, Rc::new(function))
        }
        ast::Stmt::LocalFunction(local) => {
            Statement::LocalFunction(name(local.name()), Rc::new(function(local.body())?))
        }
        ast::Stmt::ConstFunction(local) => {
            Statement::LocalFunction(name(local.name()), Rc::new(function(local.body())?))
        }
        ast::Stmt::Do(inner) => Statement::Do(block(inner.block())?),
        ast::Stmt::While(goes_on) => Statement::While(value(goes_on.condition())?, block(goes_on.block())?),
        ast::Stmt::Repeat(repeat) => Statement::Repeat(block(repeat.block())?, value(repeat.until())?),
        ast::Stmt::If(branches) => {
            let mut list = vec![(Some(value(branches.condition())?), block(branches.block())?)];
            let others = branches.else_if().into_iter().flatten();
            if branches.binding().is_some() || others.clone().any(|other| other.binding().is_some()) {
                return unknown(at(branches.if_token()));
            }
            for other in others {
                list.push((Some(value(other.condition())?), block(other.block())?));
            }
            if let Some(last) = branches.else_block() {
                list.push((None, block(last)?));
            }
            Statement::If(list)
        }
        ast::Stmt::GenericFor(each) => {
            let names = declared(each.names(), each.type_specifiers());
            Statement::Each(names, values(each.expressions())?, block(each.block())?)
        }
        ast::Stmt::NumericFor(count) => {
            let note = count.type_specifier().map(|note| self::note(note.type_info()));
            let mut bounds = vec![value(count.start())?, value(count.end())?];
            bounds.extend(count.step().map(value).transpose()?);
            let variable = Declared { name: name(count.index_variable()), note };
            Statement::Count(variable, bounds, block(count.block())?)
        }
        ast::Stmt::TypeFunction(of) => Statement::Type(name(of.function_name()), Note::Other),
        ast::Stmt::ExportedTypeFunction(of) => Statement::Type(name(of.type_function().function_name()), Note::Other),
        ast::Stmt::TypeDeclaration(of) => type_declared(of),
        ast::Stmt::ExportedTypeDeclaration(of) => type_declared(of.type_declaration()),
        _ => return unknown(0..0),
    })
}

fn type_declared(of: &luau::TypeDeclaration) -> Statement {
    Statement::Type(name(of.type_name()), note(of.type_definition()))
}

/// Names as they are declared, each with its annotation.
fn declared<'a>(
    names: &Punctuated<TokenReference>,
    notes: impl Iterator<Item = Option<&'a luau::TypeSpecifier>>,
) -> Vec<Declared> {
    let mut notes = notes.map(|note| note.map(|note| self::note(note.type_info())));
    names.iter().map(|one| Declared { name: name(one), note: notes.next().flatten() }).collect()
}

fn function(body: &ast::FunctionBody) -> Result<Function> {
    let mut notes = body.type_specifiers();
    let (mut parameters, mut takes_more) = (Vec::new(), false);
    for parameter in body.parameters() {
        let note = notes.next().flatten().map(|note| self::note(note.type_info()));
        match parameter {
            ast::Parameter::Name(one) => parameters.push(Declared { name: name(one), note }),
            _ => takes_more = true,
        }
    }
    let gives = body.return_type().map(|note| self::note(note.type_info()));
    Ok(Function { parameters, takes_more, gives, body: block(body.block())? })
}

fn values(list: &Punctuated<Ast>) -> Result<Vec<Value>> {
    list.iter().map(value).collect()
}

fn boxed(of: &Ast) -> Result<Box<Value>> {
    value(of).map(Box::new)
}

fn value(of: &Ast) -> Result<Value> {
    let (at, is) = match of {
        Ast::BinaryOperator { lhs, binop, rhs } => {
            let two = Box::new([value(lhs)?, value(rhs)?]);
            (two[0].at.start..two[1].at.end, Expression::Two(sign(binop), two))
        }
        Ast::Parentheses { contained, expression } => (within(contained), Expression::One("()", boxed(expression)?)),
        Ast::UnaryOperator { unop, expression } => {
            let sign = match unop {
                ast::UnOp::Not(_) => "not",
                ast::UnOp::Hash(_) => "#",
                _ => "-",
            };
            let of = boxed(expression)?;
            (at(unop.token()).start..of.at.end, Expression::One(sign, of))
        }
        Ast::Function(anonymous) => {
            let ends = at(anonymous.body().end_token()).end;
            let function = Rc::new(function(anonymous.body())?);
            (at(anonymous.function_token()).start..ends, Expression::Function(function))
        }
        Ast::FunctionCall(call) => return suffixed(call.prefix(), call.suffixes().collect()),
        Ast::IfExpression(branches) => {
            let begins = at(branches.if_token());
            let others = branches.else_if_expressions().into_iter().flatten();
            if branches.binding().is_some() || others.clone().any(|other| other.binding().is_some()) {
                return unknown(begins);
            }
            let mut list = vec![(Some(value(branches.condition())?), value(branches.if_expression())?)];
            for other in others {
                list.push((Some(value(other.condition())?), value(other.expression())?));
            }
            let last = value(branches.else_expression())?;
            let at = begins.start..last.at.end;
            list.push((None, last));
            (at, Expression::If(list))
        }
        Ast::InterpolatedString(text) => {
            let last = at(text.last_string());
            let begins = text.segments().next().map_or(last.start, |first| at(&first.literal).start);
            (begins..last.end, Expression::Filled(text.expressions().map(value).collect::<Result<_>>()?))
        }
        Ast::TableConstructor(table) => (within(table.braces()), self::table(table)?),
        Ast::Number(token) => (at(token), Expression::Number(number(&token.token().to_string()))),
        Ast::String(token) => (at(token), Expression::Text(literal(token))),
        Ast::Symbol(token) => {
            let is = match token.token().to_string().as_str() {
                "nil" => Expression::Nil,
                "true" => Expression::Flag(true),
                "false" => Expression::Flag(false),
                _ => Expression::Rest,
            };
            (at(token), is)
        }
        Ast::TypeAssertion { expression, type_assertion } => {
            let of = boxed(expression)?;
            (of.at.clone(), Expression::Cast(of, note(type_assertion.cast_to())))
        }
        Ast::Var(of) => return variable(of),
        _ => return unknown(0..0),
    };
    Ok(Value { at, is })
}

/// A number as Luau reads it; none that is read otherwise is compared with anything.
fn number(text: &str) -> f64 {
    let digits = text.replace('_', "").to_lowercase();
    let whole = |digits: &str, base| u64::from_str_radix(digits, base).map_or(f64::NAN, |number| number as f64);
    match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
        (Some(digits), _) => whole(digits, 16),
        (_, Some(digits)) => whole(digits, 2),
        _ => digits.parse().unwrap_or(f64::NAN),
    }
}

fn sign(of: &ast::BinOp) -> &'static str {
    const SIGNS: [&str; 15] = ["^", "%", "/", "*", "//", "-", "+", "..", ">", ">=", "<", "<=", "~=", "==", "and"];
    let text = of.token().token().to_string();
    SIGNS.into_iter().find(|sign| *sign == text).unwrap_or("or")
}

fn table(of: &ast::TableConstructor) -> Result<Expression> {
    let mut list = Vec::new();
    for field in of.fields() {
        list.push(match field {
            ast::Field::ExpressionKey { key, value: of, .. } => (Key::Value(value(key)?), value(of)?),
            ast::Field::NameKey { key, value: of, .. } => (Key::Name(name(key)), value(of)?),
            ast::Field::NoKey(of) => (Key::Place, value(of)?),
            _ => return unknown(within(of.braces())),
        });
    }
    Ok(Expression::Table(list))
}

fn variable(of: &ast::Var) -> Result<Value> {
    match of {
        ast::Var::Name(token) => Ok(Value { at: at(token), is: Expression::Name(name(token)) }),
        ast::Var::Expression(of) => suffixed(of.prefix(), of.suffixes().collect()),
        _ => unknown(0..0),
    }
}

/// `a.b[c](d)`: what begins it, and what follows, one by one.
fn suffixed(prefix: &ast::Prefix, suffixes: Vec<&ast::Suffix>) -> Result<Value> {
    let mut of = match prefix {
        ast::Prefix::Name(token) => Value { at: at(token), is: Expression::Name(name(token)) },
        ast::Prefix::Expression(inner) => value(inner)?,
        _ => return unknown(0..0),
    };
    for suffix in suffixes {
        let start = of.at.start;
        let (end, is) = match suffix {
            ast::Suffix::Index(ast::Index::Dot { name: field, .. }) => {
                (at(field).end, Expression::Field(Box::new(of), name(field)))
            }
            ast::Suffix::Index(ast::Index::Brackets { brackets, expression }) => {
                let by = boxed(expression)?;
                // A text in brackets names a field as a dot does, and may be no word: `["1_3"]`.
                let is = match by.is {
                    Expression::Text(text) => Expression::Field(Box::new(of), Name { text, at: by.at }),
                    _ => Expression::Index(Box::new(of), by),
                };
                (within(brackets).end, is)
            }
            ast::Suffix::Call(ast::Call::AnonymousCall(given)) => {
                let (end, given) = arguments(given)?;
                (end, Expression::Call(Box::new(Call { of, method: None, given })))
            }
            ast::Suffix::Call(ast::Call::MethodCall(call)) => {
                let (end, given) = arguments(call.args())?;
                (end, Expression::Call(Box::new(Call { of, method: Some(name(call.name())), given })))
            }
            ast::Suffix::TypeInstantiation(_) => continue,
            _ => return unknown(of.at),
        };
        of = Value { at: start..end, is };
    }
    Ok(of)
}

/// What a call is given, and where it ends.
fn arguments(of: &ast::FunctionArgs) -> Result<(usize, Vec<Value>)> {
    Ok(match of {
        ast::FunctionArgs::Parentheses { parentheses, arguments } => (within(parentheses).end, values(arguments)?),
        ast::FunctionArgs::String(token) => {
            (at(token).end, vec![Value { at: at(token), is: Expression::Text(literal(token)) }])
        }
        ast::FunctionArgs::TableConstructor(table) => {
            let at = within(table.braces());
            (at.end, vec![Value { at, is: self::table(table)? }])
        }
        _ => return unknown(0..0),
    })
}

/// An annotation; what is not understood of it is anything.
fn note(of: &luau::TypeInfo) -> Note {
    use luau::TypeInfo as Info;
    match of {
        Info::Basic(token) => match token.token().to_string().as_str() {
            "nil" => Note::Nil,
            name => Note::Name(name.to_owned()),
        },
        Info::String(token) => Note::Text(literal(token)),
        Info::Optional { base, .. } => Note::Maybe(Box::new(note(base))),
        Info::Array { type_info, .. } => Note::List(Box::new(note(type_info))),
        Info::Generic { base, generics, .. } => Note::Of(base.token().to_string(), generics.iter().map(note).collect()),
        Info::Union(of) => Note::OneOf(of.types().iter().map(note).collect()),
        Info::Tuple { types, .. } => {
            let mut list: Vec<Note> = types.iter().map(note).collect();
            if list.len() == 1 { list.remove(0) } else { Note::Several(list) }
        }
        Info::Table { fields, .. } => {
            let named = fields.iter().map(|field| match field.key() {
                luau::TypeFieldKey::Name(key) => Some((name(key).text, note(field.value()))),
                luau::TypeFieldKey::IndexSignature { inner, .. } => match &**inner {
                    Info::String(key) => Some((literal(key), note(field.value()))),
                    _ => None,
                },
                _ => None,
            });
            named.collect::<Option<Vec<_>>>().map_or(Note::Other, Note::Table)
        }
        Info::Callback { arguments, return_type, .. } => {
            let mut shape = Shape { given: Vec::new(), more: None, gives: note(return_type) };
            for argument in arguments {
                match argument.type_info() {
                    Info::Variadic { type_info, .. } => shape.more = Some(note(type_info)),
                    one => shape.given.push((argument.name().map(|(token, _)| name(token).text), note(one))),
                }
            }
            Note::Function(Box::new(shape))
        }
        _ => Note::Other,
    }
}

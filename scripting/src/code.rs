//! Compiles rule files, from text alone, and looks through the instructions that come of them for what no table of
//! names can keep a rule from: a loop through a table in the order it lies in memory, a power that every machine works
//! out in its own way, and a local of a file that would outlive the task it is changed in.
//!
//! Instructions are what is really carried out, so no spelling of a rule can hide anything from this. They are numbered
//! as in Luau's `Bytecode.h`; the tests fail should a later Luau number them otherwise.

use std::collections::BTreeSet;

use mlua::{Error, Result, chunk::Compiler};

const SETUPVAL: u8 = 10;
const NEWCLOSURE: u8 = 19;
const POW: u8 = 38;
const POWK: u8 = 44;
const FORGPREP_NEXT: u8 = 61;
const DUPCLOSURE: u8 = 64;
const CAPTURE: u8 = 70;
const FORGPREP: u8 = 76;

/// Instructions that a second word follows.
const OF_TWO_WORDS: [u8; 30] = [
    7, 8, 12, 15, 16, 20, 27, 28, 29, 30, 31, 32, 53, 55, 58, 60, 66, 74, 75, 77, 78, 79, 80, 83, 84, 85, 86, 87, 88,
    90,
];
/// A `CAPTURE` of what is itself captured.
const CAPTURED: u8 = 2;
/// More than any rule file needs, and little enough to be compiled at once.
const MOST_BYTES: usize = 1 << 20;

/// A function of a file, by its line and its name.
pub type Place = (usize, Option<String>);

/// A rule file that has been compiled.
pub struct Code {
    /// What Luau loads.
    pub bytecode: Vec<u8>,
    /// Functions that write a local from outside themselves.
    pub writers: BTreeSet<Place>,
}

/// What a rule file may not be, whatever it says: the line, and what is wrong.
pub fn unfit(text: &str) -> Option<(usize, String)> {
    let first = text.bytes().next().unwrap_or(b' ');
    if first.is_ascii_control() && !first.is_ascii_whitespace() {
        return Some((1, format!("this is no text: it begins with byte {first}, as compiled code does")));
    }
    if text.len() > MOST_BYTES {
        return Some((1, format!("the file is longer than {MOST_BYTES} bytes")));
    }
    let at = text.lines().position(|line| line.contains("--!optimize") || line.contains("--!native"))?;
    Some((at + 1, "how rules are compiled is not theirs to say: delete the comment".to_owned()))
}

/// Compiles a rule file, with the engine's own `before` its first line. The error has the line in front, as Luau's own
/// have.
pub fn compile(compiler: &Compiler, path: &str, text: &str, before: &str) -> Result<Code> {
    let wrong = |line: usize, message: &str| Error::runtime(format!("{path}:{line}: {message}"));
    if let Some((line, message)) = unfit(text) {
        return Err(wrong(line, &message));
    }
    let text = format!("{before}{text}");
    let compile = |level| match compiler.clone().set_optimization_level(level).set_debug_level(2).compile(&text) {
        Err(Error::SyntaxError { message, .. }) => Err(Error::runtime(format!("{path}:{message}"))),
        other => other,
    };
    // Small functions are written out where their file calls them.
    let bytecode = compile(2)?;
    let read = |bytecode: &[u8]| functions(bytecode).ok_or_else(|| wrong(1, "Luau compiles into a form unknown here"));
    let list = read(&bytecode)?;
    // Powers of what stands in the file are worked out as it is compiled, unless nothing is. Without the sign there is none.
    let plainly = if text.contains('^') { read(&compile(0)?)? } else { Vec::new() };
    for function in list.iter().chain(&plainly) {
        if let Some(line) = function.uses(&[POW, POWK]) {
            return Err(wrong(line, "`^` is worked out otherwise from machine to machine: multiply"));
        }
    }
    if let Some(line) = list.iter().find_map(|function| function.uses(&[FORGPREP, FORGPREP_NEXT])) {
        return Err(wrong(line, "a table has no order to go through it in: write `in ipairs(list)`"));
    }
    Ok(Code { bytecode, writers: writers(&list) })
}

/// What is compiled of one function.
struct Function {
    place: Place,
    /// Every instruction, without the word that may follow it, and its line.
    steps: Vec<(u32, usize)>,
    /// Functions made by `NEWCLOSURE`, by number of the file.
    children: Vec<usize>,
    /// Functions made by `DUPCLOSURE`, by number of the constant.
    closures: Vec<Option<usize>>,
}

impl Function {
    fn uses(&self, instructions: &[u8]) -> Option<usize> {
        self.steps.iter().find(|(step, _)| instructions.contains(&(*step as u8))).map(|(_, line)| *line)
    }

    /// The functions made in this one: which, and which of their captured locals is which captured local of this one.
    fn made(&self) -> Vec<(usize, Vec<Option<u8>>)> {
        let mut made: Vec<(usize, Vec<Option<u8>>)> = Vec::new();
        for (step, _) in &self.steps {
            let [instruction, kind, index, _] = step.to_le_bytes();
            let which = usize::from((step >> 16) as u16);
            match instruction {
                NEWCLOSURE => made.extend(self.children.get(which).map(|of| (*of, Vec::new()))),
                DUPCLOSURE => made.extend(self.closures.get(which).copied().flatten().map(|of| (of, Vec::new()))),
                CAPTURE => {
                    made.last_mut().into_iter().for_each(|(_, all)| all.push((kind == CAPTURED).then_some(index)))
                }
                _ => (),
            }
        }
        made
    }
}

/// The functions that write a local from outside themselves, or have functions within that do.
fn writers(list: &[Function]) -> BTreeSet<Place> {
    let mut written: Vec<BTreeSet<u8>> = Vec::new();
    // What is made in a function stands in the file before it.
    for function in list {
        let own = function.steps.iter().filter(|(step, _)| *step as u8 == SETUPVAL);
        let mut all: BTreeSet<u8> = own.map(|(step, _)| step.to_le_bytes()[2]).collect();
        for (of, captured) in function.made() {
            let Some(inner) = written.get(of) else { continue };
            all.extend(inner.iter().filter_map(|at| captured.get(usize::from(*at)).copied().flatten()));
        }
        written.push(all);
    }
    let writers = list.iter().zip(&written).filter(|(_, written)| !written.is_empty());
    writers.map(|(function, _)| function.place.clone()).collect()
}

/// Every function of a compiled file; nothing where it is of an unknown form.
fn functions(bytecode: &[u8]) -> Option<Vec<Function>> {
    let mut of = Bytes(bytecode);
    // The two versions that are read here: of instructions, and of what is said of types.
    if !(4..=9).contains(&of.byte()?) || of.byte()? != 3 {
        return None;
    }
    let names: Vec<String> = of.list(|of| {
        let length = of.number()?;
        Some(String::from_utf8_lossy(of.take(length)?).into_owned())
    })?;
    while of.byte()? != 0 {
        of.number()?;
    }
    of.list(|of| function(of, &names))
}

fn function(of: &mut Bytes<'_>, names: &[String]) -> Option<Function> {
    of.take(5)?; // registers, parameters, captured, variable parameters, flags
    let types = of.number()?;
    of.take(types)?;
    let words = of.list(Bytes::word)?;
    let closures = of.list(constant)?;
    let children = of.list(Bytes::number)?;
    let line = of.number()?;
    let name = of.number()?.checked_sub(1).and_then(|at| names.get(at)).cloned();
    let mut lines = Vec::new();
    if of.byte()? != 0 {
        let gap = of.byte()?;
        let mut offset = 0u8;
        for _ in &words {
            offset = offset.wrapping_add(of.byte()?);
            lines.push(usize::from(offset));
        }
        let mut base = 0i32;
        for run in lines.chunks_mut(1usize.checked_shl(gap.into())?) {
            base = base.wrapping_add(of.word()? as i32);
            run.iter_mut().for_each(|line| *line += base as usize);
        }
    }
    if of.byte()? != 0 {
        // Names of locals, which errors tell.
        of.list(|of| Some((of.number()?, of.number()?, of.number()?, of.byte()?)))?;
        of.list(Bytes::number)?;
    }
    let (mut steps, mut at) = (Vec::new(), 0);
    while let Some(word) = words.get(at) {
        steps.push((*word, lines.get(at).copied().unwrap_or(line)));
        at += 1 + usize::from(OF_TWO_WORDS.contains(&(*word as u8)));
    }
    Some(Function { place: (line, name), steps, children, closures })
}

/// Passes over a constant; where it is a function, its number.
fn constant(of: &mut Bytes<'_>) -> Option<Option<usize>> {
    match of.byte()? {
        0 => (),
        1 => drop(of.take(1)?),
        2 => drop(of.take(8)?),
        3 => drop(of.number()?),
        4 => drop(of.take(4)?),
        5 => drop(of.list(Bytes::number)?),
        6 => return of.number().map(Some),
        7 => drop(of.take(16)?),
        8 => drop(of.list(|of| Some((of.number()?, of.word()?)))?),
        9 => {
            of.byte()?;
            of.number()?;
        }
        _ => return None,
    }
    Some(None)
}

/// Bytes yet to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|b| b[0])
    }

    fn word(&mut self) -> Option<u32> {
        self.take(4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes)
    }

    /// A number of as many bytes as it needs, seven bits in each.
    fn number(&mut self) -> Option<usize> {
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F).checked_shl(shift)?;
            if byte < 0x80 {
                return usize::try_from(number).ok();
            }
            shift += 7;
        }
    }

    /// A number, and so many of something.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| one(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        compile(&Compiler::new(), "m.luau", text, "").err().map_or(String::new(), |wrong| wrong.to_string())
    }

    #[test]
    fn no_loop_goes_through_a_table_in_its_own_order() {
        for text in [
            "local t = {}\nfor k, v in t do print(k, v) end",
            "local t = {}\nfor k in pairs(t) do print(k) end",
            "local t = {}\nfor k in next, t do print(k) end",
            "local ipairs = f\nfor k in ipairs(t) do print(k) end",
            "local t = {}\nfor k in ipairs(t) and t do print(k) end",
            "local f = [==[ ]] for ]==]\nfor k in (f :: any) do print(`{k}`) end",
            "--[==[ x ]==] local y = 'a\\z\n   b'; for k in t do print(k) end",
            "function m.a()\n return function() for k in t do print(k) end end\nend",
        ] {
            assert!(fault(text).contains(":2: a table has no order"), "{text}: {}", fault(text));
        }
        assert_eq!(fault("for i, v in ipairs({1, 2}) do for n = 1, 3 do print(`{i} in t do`) end end"), "");
        assert!(fault("--!optimize 2\nlocal x = 1").contains(":1: how rules are compiled"));
    }

    #[test]
    fn no_power_is_taken_even_of_what_stands_in_the_file() {
        for text in ["return\n x ^ 2.5", "return\n 2.5 ^ 0.3", "return\n 2 ^ x"] {
            assert!(fault(text).contains(":2: `^` is worked out"), "{text}: {}", fault(text));
        }
        assert_eq!(fault("return '2^2' -- 2^2"), "");
    }

    #[test]
    fn text_alone_is_compiled() {
        assert!(fault("\u{6}\u{3}").contains("this is no text: it begins with byte 6"), "{}", fault("\u{6}\u{3}"));
        assert!(fault("local = 1").contains("m.luau:1: Expected identifier"), "{}", fault("local = 1"));
        assert!(fault(&"-".repeat(MOST_BYTES + 1)).contains("longer than"));
    }

    #[test]
    fn who_writes_a_local_from_outside_is_known() {
        let text = "local n = 0\nlocal function none() local m = 0; return function()\n m += 1 end end\n\
            function m.direct()\n n += 1 end\nfunction m.within()\n return function()\n n = 2 end end";
        let code = compile(&Compiler::new(), "m", text, "").expect("compiles");
        let lines: Vec<usize> = code.writers.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 4, 6, 7], "{:?}", code.writers);
        let names: Vec<Option<&str>> = code.writers.iter().map(|(_, name)| name.as_deref()).collect();
        assert_eq!(names, [None, Some("direct"), Some("within"), None]);
    }
}

//! Lines of input: from a person with Tab completion, or from a file or pipe.

use std::io::{self, BufRead, IsTerminal};

use anyhow::Result;
use rustyline::{
    Context, Editor, Helper, completion::Completer, error::ReadlineError, highlight::Highlighter, hint::Hinter,
    history::FileHistory, validate::Validator,
};

/// Lines from a person at a terminal, or from a file or pipe.
pub struct Input {
    editor: Option<Editor<Names, FileHistory>>,
    /// Whether a person sits at a terminal.
    pub is_person: bool,
}

/// Tab completion over what is offered.
#[derive(Default)]
struct Names {
    list: Vec<String>,
}

impl Completer for Names {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let start = line[..pos].rfind(',').map_or(0, |at| at + 1);
        let start = start + line[start..pos].len() - line[start..pos].trim_start().len();
        let typed = line[start..pos].to_lowercase();
        let found = self.list.iter().filter(|n| n.to_lowercase().starts_with(&typed)).cloned().collect();
        Ok((start, found))
    }
}

impl Hinter for Names {
    type Hint = String;
}
impl Highlighter for Names {}
impl Validator for Names {}
impl Helper for Names {}

impl Input {
    /// Standard input, whatever it is.
    pub fn new() -> Result<Input> {
        let is_person = io::stdin().is_terminal();
        let editor = if is_person {
            let mut editor = Editor::new()?;
            editor.set_helper(Some(Names::default()));
            Some(editor)
        } else {
            None
        };
        Ok(Input { editor, is_person })
    }

    /// The next line; `None` at the end of input.
    pub fn line(&mut self, prompt: &str, names: Vec<String>) -> Result<Option<String>> {
        let Some(editor) = &mut self.editor else { return piped(prompt) };
        if let Some(helper) = editor.helper_mut() {
            helper.list = names;
        }
        loop {
            match editor.readline(prompt) {
                Ok(line) => {
                    editor.add_history_entry(&line)?;
                    return Ok(Some(line));
                }
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => return Ok(None),
                // A window that changes its size says nothing.
                Err(ReadlineError::Signal(_)) => (),
                Err(ReadlineError::Io(wrong)) if wrong.kind() == io::ErrorKind::InvalidData => not_text(),
                Err(wrong) => return Err(wrong.into()),
            }
        }
    }
}

/// The next line of a file or pipe that is text; `None` at its end.
fn piped(prompt: &str) -> Result<Option<String>> {
    loop {
        let mut line = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        match String::from_utf8(line) {
            Ok(line) => {
                println!("{prompt}{}", line.trim_end());
                return Ok(Some(line));
            }
            Err(_) => not_text(),
        }
    }
}

fn not_text() {
    println!("  That line is not UTF-8 text, and is passed over: type it again.");
}

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
        let Some(editor) = &mut self.editor else {
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line)?;
            if read > 0 {
                println!("{prompt}{}", line.trim_end());
            }
            return Ok((read > 0).then_some(line));
        };
        if let Some(helper) = editor.helper_mut() {
            helper.list = names;
        }
        match editor.readline(prompt) {
            Ok(line) => {
                editor.add_history_entry(&line)?;
                Ok(Some(line))
            }
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => Ok(None),
            Err(wrong) => Err(wrong.into()),
        }
    }
}

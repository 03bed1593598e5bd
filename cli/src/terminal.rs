//! The one way to the terminal: what is printed is made plain first, and a reader who has gone is no fault.
//!
//! `print!`, `println!` and `eprintln!` of this program are these, in all files that are declared after it; a lint finds a
//! `print!` of the standard library.

use std::{
    fmt::Arguments,
    io::{self, IsTerminal, Write},
    process,
};

use countermarch_core::plain::plain;

macro_rules! print {
    ($($text:tt)*) => { $crate::terminal::out(format_args!($($text)*), "") };
}

macro_rules! println {
    () => { $crate::terminal::out(format_args!(""), "\n") };
    ($($text:tt)*) => { $crate::terminal::out(format_args!($($text)*), "\n") };
}

macro_rules! eprintln {
    ($($text:tt)*) => { $crate::terminal::err(format_args!($($text)*)) };
}

/// Prints for whoever asked. Ends quietly when the reader has gone, as `countermarch show ... | head` does.
pub fn out(text: Arguments<'_>, end: &str) {
    let mut stdout = io::stdout().lock();
    // Only at a terminal does the engine write colours.
    let keeps_colours = stdout.is_terminal();
    if write!(stdout, "{}{end}", plain(&text.to_string(), keeps_colours)).is_err() {
        process::exit(0);
    }
}

/// Prints a line of diagnosis. Where nobody reads it, the exit code still says what there is to say.
pub fn err(line: Arguments<'_>) {
    let mut stderr = io::stderr().lock();
    let keeps_colours = stderr.is_terminal();
    let _ = writeln!(stderr, "{}", plain(&line.to_string(), keeps_colours));
}

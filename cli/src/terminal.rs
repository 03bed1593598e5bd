//! The one way to the terminal: what is printed is made plain first, and a reader who has gone is no fault.
//!
//! `println!` and `eprintln!` of this program are these, in all files that are declared after it.

use std::{
    fmt::Arguments,
    io::{self, IsTerminal, Write},
    process,
};

use countermarch_core::plain::plain;

macro_rules! println {
    () => { $crate::terminal::out(format_args!("")) };
    ($($text:tt)*) => { $crate::terminal::out(format_args!($($text)*)) };
}

macro_rules! eprintln {
    ($($text:tt)*) => { $crate::terminal::err(format_args!($($text)*)) };
}

/// Prints a line for whoever asked. Ends quietly when the reader has gone, as `countermarch show ... | head` does.
pub fn out(line: Arguments<'_>) {
    let mut stdout = io::stdout().lock();
    // Only at a terminal does the engine write colours.
    let keeps_colours = stdout.is_terminal();
    if writeln!(stdout, "{}", plain(&line.to_string(), keeps_colours)).is_err() {
        process::exit(0);
    }
}

/// Prints a line of diagnosis. Where nobody reads it, the exit code still says what there is to say.
pub fn err(line: Arguments<'_>) {
    let mut stderr = io::stderr().lock();
    let keeps_colours = stderr.is_terminal();
    let _ = writeln!(stderr, "{}", plain(&line.to_string(), keeps_colours));
}

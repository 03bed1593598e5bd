//! What people see: names, sentences, the notation of moves, the record's text, the board.

mod board;
mod column;
mod course;
mod log;
mod name;
mod notation;
mod record;
mod score;
mod sight;
mod view;

pub use board::{Board, Palette, legend};
pub use column::Column;
pub use course::{course, reinforcements};
pub use log::{Story, tally_line};
pub use notation::{Misread, already_answered, read_action};
pub use record::{RecordText, read_adjustment, read_record, record_header, record_line};
pub use score::{folded, score, victory};
pub use sight::{Sight, veiled};
pub use view::view;

//! What people see: names, sentences, the notation of moves, the record's text, the board.

mod asked;
mod badges;
mod board;
mod column;
mod course;
mod differences;
mod header;
mod listed;
mod log;
mod name;
mod notation;
mod overview;
mod page;
mod record;
mod score;
mod sight;
mod view;
mod why;
mod words;

pub use badges::{Track, Wears, Worn};
pub use board::{Board, Palette, legend};
pub use column::Column;
pub use course::{course, reinforcements};
pub use differences::{count, counted, differences_json, differences_markdown, differences_text};
pub use header::RecordHeader;
pub use log::Story;
pub use notation::{Misread, already_answered, before, read_action, read_rest, unreadable};
pub use overview::overview_legend;
pub use page::differences_page;
pub(crate) use page::page;
pub use record::{Hash, RecordText, read_adjustment, read_record, record_line, record_line_after};
pub use score::{folded, results, score, victory};
pub use sight::Sight;
pub use view::{View, story_since, view};
pub use why::paragraphs;
pub use words::Words;

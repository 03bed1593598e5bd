//! What the terminal itself says at the table: how to answer it, what it did with a line. Sentences about the game being
//! played are the ruleset's, among the engine's texts (`core/src/ruleset/texts.rs`).

use countermarch_core::ruleset::{Ruleset, VersionName};

/// What one may type besides answers.
pub const COMMANDS: &str = "  why [MOVE]    what is asked; or why a move may be made or not, and its cost
  map [PLACE [RADIUS]]  the board, or a part      which      who may, who not
  odds [MOVE]   what each roll of the die does   units       every counter
  log [N]       what happened
  advise [PLAYER]  what it would do, and why     thoughts [N] why others did so
  score [all]   how the sides stand              victory     how one wins
  tables        what is looked up                rule PARAGRAPH  what it says
  turn          where play is, what follows      luck        how the dice fell
  reinforcements [all]  who comes when and where cards       what the cards say
  undo          take the last answer back        save [FILE]
  agree place UNIT SPACE, agree set UNIT PROPERTY VALUE   change by agreement
  quit          leave; the record is already on disk";
/// The game at the table: its title, with its version and the values that somebody changed, where it is played otherwise than
/// it is without.
pub fn title(ruleset: &Ruleset, set: &[(String, String)]) -> String {
    let changed: Vec<String> = set.iter().map(|(path, value)| format!("{path}={value}")).collect();
    let with = if changed.is_empty() { String::new() } else { format!(" with {}", changed.join(", ")) };
    match (ruleset.version == VersionName::default(), set.is_empty()) {
        (true, true) => ruleset.title.clone(),
        _ => format!("{}, {}{with}", ruleset.title, ruleset.full_name()),
    }
}

/// Of `tables`, where a game has none.
pub fn no_tables(game: &str) -> String {
    format!("  This game looks nothing up: what it adds up stands in `countermarch show {game} tables`.")
}

/// Of `rule`, of a paragraph that is none.
pub fn no_such_paragraph(text: &str) -> String {
    match text.trim() {
        "" => "  `rule` which? Type a paragraph as it is cited in brackets".to_owned(),
        text => format!("  the rulebook has no paragraph `{text}`: type one as it is cited in brackets"),
    }
}

/// Of answers, where no counter can be named for an example.
pub const ANSWERS: &str = "  Type what to do, as it is listed, or only a name. A number means the one of a list.";
/// Behind a list that was not told whole.
pub const WHICH_TELLS_ALL: &str = "     (`which` tells all)";
/// Behind a long list that was told before.
pub const WHICH_TELLS_THEM: &str = " (`which` tells them)";
/// The signs on a board with a reach.
pub const MARKS: &str = "  * within the allowance, + beyond it";
/// How to look at what lies beyond the board drawn.
pub const MAP_SHOWS: &str = "  `map` shows them all, `map PLACE` those near it";
/// Before what went wrong in a rule that goes on with an answer.
pub const RULE_FAILED: &str = "  A rule of this game failed, and the game stands as before.";
/// Before what went wrong in a rule carried out later.
pub const CANNOT_GO_ON: &str = "\nThe last answer was taken, and the game cannot go on from here:";
/// What to do then.
pub const TAKE_BACK_OR_LEAVE: &str = "Take back what led here with `undo`, or leave with `quit`.";
/// Of `which`, while nothing is asked.
pub const NOBODY_IS_ASKED: &str = "  nobody is asked anything now";
/// Of `undo`, at the beginning.
pub const NOTHING_TO_TAKE_BACK: &str = "  There is nothing to take back.";
/// Of `undo`, where it was.
pub const TAKEN_BACK: &str = "  Taken back.";
/// What keeps an answer from being taken back.
pub const CHANCE_HAS_SPOKEN: &str = "chance has spoken since";
/// The same.
pub const OTHER_SIDE_HAS_ANSWERED: &str = "the other side has answered since";
/// The same.
pub const HIDDEN_WAS_SEEN: &str = "something hidden has been seen since";
/// Of `odds` without an answer that leads to a die.
pub const ODDS_OF_WHAT: &str = "  odds of what? Type `odds` and an answer that leads to a die, as `odds go`";
/// Of `odds`, an answer that somebody must give before the die falls.
pub fn supposing(answer: &str) -> String {
    format!("  supposing {answer}")
}

/// The same, where that answer leads to none.
pub const NO_DIE_THEN: &str = "  no die falls then";

/// Of `odds` after an answer that leads to no die, or where what waits is drawn from a pack.
pub fn no_die_follows(answer: Option<&str>) -> String {
    match answer {
        Some(answer) => format!("  no die follows `{answer}`: type `odds` and an answer that leads to one"),
        None => "  what is drawn nobody can foresee".to_owned(),
    }
}

/// Of several dice that decide together, in so many ways or as often as they were tried.
pub fn the_dice(ways: usize, is_tried: bool) -> String {
    match (is_tried, ways) {
        (true, tries) => format!("  The dice together, about, by {tries} tries:"),
        (false, ways) => format!("  The dice together, of {ways} ways:"),
    }
}

/// Of dice of which nothing comes that is told.
pub const NOTHING_ELSE: &str = "nothing else happens";

/// What stands for a number that hangs on the die alone.
pub fn stands_for_a_die(sign: &str) -> String {
    format!("  ({sign} stands for what a die shows)")
}

/// Of outcomes that are not listed, so many, with what they come to together.
pub fn rarer(outcomes: usize, share: f64) -> String {
    let are = if outcomes == 1 { "outcome is" } else { "outcomes are" };
    format!("  {outcomes} more {are} rarer: {:.1} % in all", 100.0 * share)
}

/// Of `advise`, while no person is asked anything.
pub const NOTHING_TO_ADVISE: &str = "  You are asked nothing now that a player could advise you on.";

/// Of `thoughts`, where nobody else has answered, or at random.
pub const NO_THOUGHTS: &str = "  since you answered nobody has who could say why";

/// Behind some thoughts.
pub fn more_thoughts(next: usize) -> String {
    format!("  `thoughts {next}` tells more")
}

/// Of answers, with a unit and a place of the game for examples.
pub fn answers_like(unit: &str, place: &str) -> [String; 2] {
    [
        format!(
            "  Type what to do, as it is listed, or only a name: `{unit}`, `{place}`. A number means the one of a list."
        ),
        format!(
            "  Several orders go in one line: `{unit} {place}, ...`. They stop at the first refusal; what stands before it is \
             said, and `undo` takes it back."
        ),
    ]
}

/// Of columns, with a road for an example.
pub fn along(unit: &str, road: &str) -> String {
    format!(
        "  Units march along a road one behind the other: `{unit} along {road}`. None of them spends more than its \
         allowance."
    )
}

/// At a last look: what Enter does, and what else may be done where it may.
pub fn enter(does: &str, may_undo: bool) -> String {
    format!("  Enter: {does}.{}", if may_undo { "  undo: take back what you did." } else { "" })
}

/// At a last look, of a line that is neither Enter nor a command.
pub fn enter_first(line: &str) -> String {
    format!("  `{line}` is not done: press Enter to go on first, or take back what led here with `undo`")
}

/// Of an answer that ends a part of the turn early.
pub fn again_to_end(verb: &str) -> String {
    format!("  Press Enter, or type `{verb}` again, to end here.")
}

/// Of the rest of a line, and what stands before it.
pub fn left_undone(text: &str, first: &str) -> String {
    format!("  `{text}` is left undone. First: {first}")
}

/// Of a line that nobody can read to its end.
pub const NOTHING_DONE: &str = "  Nothing of this line is done.";

/// Of what has been carried out of a line that stopped before its end, and whether something keeps it from being taken back.
pub fn stands(text: &str, barrier: Option<&str>) -> String {
    match barrier {
        None => format!("  `{text}` stands: `undo` takes it back."),
        Some(barrier) => format!("  `{text}` stands, and cannot be taken back: {barrier}."),
    }
}

/// Of `undo`, where something stands in the way.
pub fn not_taken_back(barrier: &str) -> String {
    format!("  No: {barrier}. Play with --analysis to take that back.")
}

/// Of a name that fits several things.
pub fn may_be(name: &str, several: &[String]) -> String {
    format!("  `{name}` may be {}", several.join(" or "))
}

/// Of a place that is none.
pub fn no_such_place(name: &str) -> String {
    format!("  the map has no `{name}`")
}

/// Of a roll by hand that the die has not, or of a card that cannot be drawn.
pub fn cannot_come_up(text: &str, possible: &[String]) -> String {
    format!("  `{text}` cannot come up: it is one of {}, or `quit`", possible.join(", "))
}

/// Of dice typed together, of one that is none.
pub fn no_such_die(text: &str, faces: i32) -> String {
    format!("  `{text}` cannot come up on a die of {faces} faces; none of this line is taken")
}

/// Of dice typed together, that they are too many.
pub fn so_many_dice(typed: usize, left: usize) -> String {
    format!("  these are {typed} dice, and {left} fall: type {left}, or fewer, and the rest is asked for")
}

/// How many of the places one may go to lie beyond the board drawn.
pub fn farther_away(count: usize) -> String {
    let lie = if count == 1 { "lies" } else { "lie" };
    format!("  {count} of the places marked {lie} farther away:")
}

/// Of a record, that it was written.
pub fn saved(to: impl std::fmt::Display) -> String {
    format!("  Saved in {to}")
}

//! Rule files nested as deeply as somebody could wish who wants the parser to run out of room.

use std::{path::Path, sync::Arc, time::Instant};

use countermarch_core::{
    diagnostic::Diagnostics,
    library::Library,
    ruleset::{Ruleset, Selection},
};

use super::{check, syntax};

/// Something nested: its beginning, what opens, what stands within, what closes, and its end.
const NESTED: [[&str; 5]; 35] = [
    ["return ", "(", "1", ")", ""],
    ["return ", "not ", "1", "", ""],
    ["return ", "- ", "1", "", ""],
    ["return ", "#", "1", "", ""],
    ["return ", "1 .. ", "1", "", ""],
    ["return ", "1 + ", "1", "", ""],
    ["return ", "1 == ", "1", "", ""],
    ["return ", "a and ", "1", "", ""],
    ["return ", "1 + 1 * 1 .. ", "1", "", ""],
    ["return ", "{", "", "}", ""],
    ["return ", "{[1]={a=", "1", "}}", ""],
    ["return ", "f(", "", ")", ""],
    ["return f", "()", "", "", ""],
    ["return f", ":a()", "", "", ""],
    ["return f", ".a", "", "", ""],
    ["return f", "[1]", "", "", ""],
    ["return ", "a[", "1", "]", ""],
    ["return ", "f{", "", "}", ""],
    ["return ", "function() return ", "1", " end", ""],
    ["", "local function f() ", "", " end ", ""],
    ["", "do ", "", " end ", ""],
    ["", "if a then ", "", " end ", ""],
    ["if a then ", "elseif a then ", "", "", " end"],
    ["", "while a do ", "", " end ", ""],
    ["", "repeat ", "", " until a ", ""],
    ["", "for i = 1, 2 do ", "", " end ", ""],
    ["return ", "if a then ", "1", " else 1", ""],
    ["return ", "if a then 1 else ", "1", "", ""],
    ["return ", "`{", "1", "}`", ""],
    ["return 1", " :: any", "", "", ""],
    ["local a: ", "(", "number", ")", ""],
    ["local a: ", "{", "number", "}", ""],
    ["local a: number", "?", "", "", ""],
    ["local a: ", "number | ", "number", "", ""],
    ["local a: ", "() -> ", "()", "", ""],
];

fn text([begins, opens, within, closes, ends]: [&str; 5], deep: usize) -> String {
    format!("{begins}{}{within}{}{ends}", opens.repeat(deep), closes.repeat(deep))
}

fn toy() -> Ruleset {
    let mut library = Library::default();
    for part in ["maps", "rulesets"] {
        let folder = Path::new("../tests/toy").join(part);
        library.add_folder(part, &folder).expect("the toy can be read");
    }
    let loaded = Ruleset::load(&library, "toy", &Selection::default()).expect("the toy loads");
    Arc::into_inner(loaded.ruleset).expect("nobody else has it")
}

#[test]
fn files_nested_without_end_are_told_and_those_that_luau_takes_are_read() {
    let mut toy = toy();
    let mut look = |text: String| {
        let begun = Instant::now();
        toy.sources = vec![("rulesets/toy/rules/fire.luau".to_owned(), text)];
        let mut found = Diagnostics::default();
        check(&toy, &mut found, || ());
        assert!(begun.elapsed().as_secs() < 20, "{:.80}: {:?}", toy.sources[0].1, begun.elapsed());
        found
    };
    for shape in NESTED {
        let endless = look(text(shape, 100_000));
        let (mut taken, mut not) = (1, 100_001);
        while taken + 1 < not {
            let deep = (taken + not) / 2;
            *(if syntax::fault(&text(shape, deep)).is_none() { &mut taken } else { &mut not }) = deep;
        }
        assert!(endless.errors() > 0, "{shape:?}: nothing is found in the endless one");
        let found = look(text(shape, taken));
        let unread: Vec<_> = found.list.iter().filter(|told| told.code == "luau").collect();
        assert!(unread.is_empty(), "{shape:?}, {taken} deep: {unread:?}");
    }
}

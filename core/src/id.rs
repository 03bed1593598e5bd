//! What a name looks like that content gives to a thing: records, paths, versions and rows have signs of their own
//! between names, and could not be read back if a name had such a sign in it.

use crate::{diagnostic::Diagnostics, yaml::Node};

/// A diagnostic that lacks nothing but its place: the code, what is wrong, and what to do.
pub type Fault = (&'static str, String, String);

/// Longer names fill a line, and nobody types them.
const LONGEST: usize = 64;

/// What is wrong with a name, if anything: it has letters and digits, with single hyphens and dots between them. Names
/// of some kinds may have further signs anywhere.
pub fn fault(name: &str, further: &[char]) -> Option<Fault> {
    if name.contains('_') {
        let message = format!("`{name}` has an underscore, and names have hyphens");
        return Some(("underscore", message, format!("write `{}`", name.replace('_', "-"))));
    }
    let (message, help) = match name.chars().count() {
        0 => ("a name is empty".to_owned(), "write a name".to_owned()),
        length if length > LONGEST => {
            let message = format!("a name of {length} letters is longer than {LONGEST}");
            (message, "make it shorter; a title or `name:` may be as long as it likes".to_owned())
        }
        _ if is_name(name, further) => return None,
        _ => {
            let mut signs = "letters without accents, digits, and single hyphens and dots between them".to_owned();
            further.iter().for_each(|sign| signs += &format!(", and `{sign}`"));
            let near = near(name);
            let help = if near.is_empty() { signs } else { format!("{signs}: write `{near}`") };
            (format!("`{name}` has signs that no name has"), help)
        }
    };
    Some(("name", message, help))
}

/// The same of what a thing or a named value is called, which rows and records read beside words of their own.
pub fn fault_of_thing(name: &str, further: &[char]) -> Option<Fault> {
    let is_taken = ["nothing", "true", "false"].contains(&name);
    let taken =
        || ("name", format!("`{name}` is read as something else, in rows and records"), "use another name".to_owned());
    is_taken.then(taken).or_else(|| fault(name, further))
}

/// What is wrong with a name that people read, if anything: it has a line at most.
pub fn fault_of_title(title: &str) -> Option<Fault> {
    const LONGEST: usize = 200;
    let length = title.chars().count();
    let message = match title.trim() {
        "" | "~" => "a name that people read is empty".to_owned(),
        _ if title.contains('\n') => "a name that people read has several lines".to_owned(),
        _ if length > LONGEST => format!("a name of {length} letters is longer than {LONGEST}"),
        _ => return None,
    };
    Some(("name", message, "write it in one line; where it is left out, the short name stands for it".to_owned()))
}

/// Tells what is wrong with a name. What is no text is told by whoever reads it.
pub(crate) fn tell(name: &Node, fault: impl Fn(&str) -> Option<Fault>, found: &mut Diagnostics) {
    if let Some((code, message, help)) = name.text().and_then(fault) {
        found.error(code, &name.span, message, help);
    }
}

fn is_name(name: &str, further: &[char]) -> bool {
    name.split(further).all(|part| {
        let is_whole = !further.is_empty() && part.is_empty();
        is_whole
            || part.split(['-', '.']).all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric()))
    })
}

/// The name with hyphens in place of what it may not have.
fn near(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").trim_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{fault, fault_of_thing};

    #[test]
    fn names_have_letters_digits_hyphens_and_dots() {
        for name in ["ann", "1-cav", "15.no-return", "Z", "BB27", "g77"] {
            assert_eq!(fault(name, &[]), None, "{name}");
        }
        for name in ["", "a b", "a/b", "a+b", "a~b", "-a", "a.", "a--b", "a-.b", "\u{e9}", "a_b", "~", "a\n"] {
            assert!(fault(name, &[]).is_some(), "{name}");
        }
        assert!(fault("nothing", &[]).is_none() && fault_of_thing("nothing", &[]).is_some());
        assert!(fault(&"a".repeat(64), &[]).is_none() && fault(&"a".repeat(65), &[]).is_some());
    }

    #[test]
    fn further_signs_stand_anywhere() {
        assert_eq!(fault("AR+A1", &['+']), None);
        assert_eq!(fault("A+", &['+']), None);
        assert!(fault("A B+", &['+']).is_some());
    }

    #[test]
    fn a_name_that_may_be_meant_is_told() {
        let help = |name| fault(name, &[]).map(|(_, _, help)| help).unwrap_or_default();
        assert!(help("3rd Corps/A").ends_with("write `3rd-Corps-A`"));
        assert!(help("~").ends_with("between them"));
    }
}

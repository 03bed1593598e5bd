//! Which amendment, and which of its changes, makes a fault that shows in the files of the game it amends.

use super::{Amendment, Edit, EditKind, Selection, VersionName, amendment, content};
use crate::{
    diagnostic::{Diagnostic, Diagnostics},
    library::Library,
    yaml::Node,
};

/// So many loadings find out whose fault it is; a version of more amendments is named as a whole.
const MOST: usize = 40;

/// Has every fault say whose it is that a version alone has, and that shows in a file which is none of its amendments'.
/// `load` tells what is wrong with any version, in the same way as `found` was found.
pub fn lay(
    library: &Library,
    id: &str,
    selection: &Selection,
    found: &mut Diagnostics,
    load: impl Fn(&Selection) -> Diagnostics,
) {
    let is_of_files = |one: &Diagnostic| ["rulesets/", "maps/"].iter().any(|part| one.span.file.starts_with(part));
    if !found.list.iter().any(is_of_files) {
        return;
    }
    let (on, named) = amendments(library, id, &selection.version);
    let is_laid = |one: &Diagnostic| !is_of_files(one) || on.iter().any(|amendment| amendment.has(&one.span.file));
    if on.is_empty() || found.list.iter().all(is_laid) {
        return;
    }
    let without = |off: &[&Amendment], edit: Option<&Edit>| {
        let mut version = selection.version.clone();
        off.iter().for_each(|amendment| version.turn(&amendment.id, false, &named));
        let change = selection.change.iter().chain(edit).cloned().collect();
        load(&Selection { version, change, ..selection.clone() })
    };
    let all: Vec<&Amendment> = on.iter().collect();
    let base = without(&all, None);
    let makers: &[&Amendment] = if all.len() > MOST { &[] } else { &all };
    let each: Vec<Diagnostics> = makers.iter().map(|one| without(&[one], None)).collect();
    for one in found.list.iter_mut().filter(|one| !is_laid(one) && !has(&base, one)) {
        let makers = makers.iter().zip(&each).filter(|(_, left)| !has(left, one)).map(|(maker, _)| *maker);
        let makers: Vec<&Amendment> = makers.collect();
        let with: Vec<String> = makers.iter().map(|maker| format!("`{}`", maker.id)).collect();
        let help = match makers[..] {
            [] => String::new(),
            [maker] => {
                let edits = if maker.edits.len() > MOST { &[] } else { &*maker.edits };
                match edits.iter().find(|edit| has(&without(&[maker], Some(edit)), one)) {
                    Some(edit) => format!("`{}` {}, in {}", maker.id, does(edit), edit.span.line(library)),
                    None => format!("look into {}", maker.span.file),
                }
            }
            _ => "they do not go together so".to_owned(),
        };
        one.message = match &*with {
            [] => format!("in `{}`, {}", selection.version, one.message),
            _ => format!("with {}, {}", with.join(" and "), one.message),
        };
        let both = [help, std::mem::take(&mut one.help)].into_iter().filter(|text| !text.is_empty());
        one.help = both.collect::<Vec<_>>().join("; ");
    }
}

/// The amendments that a version turns on, and the versions that the ruleset names.
fn amendments(library: &Library, id: &str, version: &VersionName) -> (Vec<Amendment>, Vec<(String, Vec<String>)>) {
    let mut ignored = Diagnostics::default();
    let mut content = content::read(library, id, &mut ignored);
    let mut all = amendment::read(&mut content.amendments, library, &mut ignored);
    let versions: Option<&Node> = content.tree.get("versions");
    amendment::choose(&mut all, versions, version, "", &mut ignored);
    all.retain(|amendment| amendment.on);
    (all, versions.map_or_else(Vec::new, |named| amendment::named(named, &mut ignored)))
}

fn has(found: &Diagnostics, one: &Diagnostic) -> bool {
    found.list.iter().any(|other| (&other.span, &other.message) == (&one.span, &one.message))
}

fn does(edit: &Edit) -> String {
    let verb = match edit.how {
        EditKind::Set(..) => "sets",
        EditKind::Add(..) => "adds to",
        EditKind::Drop => "drops",
    };
    format!("{verb} `{}`", edit.path)
}

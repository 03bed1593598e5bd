//! `countermarch map build`.

use std::{fs, path::Path};

use anyhow::{Context, Result, anyhow};
use countermarch_core::{
    diagnostic::{Diagnostics, Span},
    library::Library,
    map, yaml,
};

/// Builds a map, or checks that it is as it would be built.
pub fn build(grid: &Path, check: bool) -> Result<bool> {
    let text = fs::read_to_string(grid).with_context(|| format!("cannot read {}", grid.display()))?;
    let name = grid.display().to_string();
    let mut found = Diagnostics::default();
    let node = yaml::parse(&name, &text, &mut found);
    let root = grid.parent().and_then(Path::parent).and_then(Path::parent).unwrap_or(Path::new("."));
    let survey = node.get("survey").and_then(yaml::Node::text).ok_or_else(|| anyhow!("{name}: `survey` is missing"))?;
    let ground = fs::read_to_string(root.join(survey)).with_context(|| format!("cannot read the survey {survey}"))?;
    let built = map::build(&node, &ground, &mut found);
    if let Some(text) = &built {
        let node = yaml::parse("built", text, &mut found);
        map::load(&node, &mut found);
    }
    let mut library = Library::default();
    library.insert(&name, text);
    library.insert("built", built.clone().unwrap_or_default());
    for diagnostic in &found.list {
        eprintln!("{}\n", diagnostic.drawn(&library, false));
    }
    let Some(built) = built.filter(|_| found.is_usable()) else { return Ok(false) };
    let id = node.get("map").and_then(yaml::Node::text).unwrap_or("map");
    let path = root.join("maps").join(format!("{id}.yaml"));
    if check {
        let same = fs::read_to_string(&path).is_ok_and(|text| text == built);
        println!("{}: {}", Span::file(&path.display().to_string()).file, if same { "as built" } else { "differs" });
        return Ok(same);
    }
    fs::write(&path, built).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(true)
}

//! The one binary.
use std::fs;
fn main() -> anyhow::Result<()> {
    let grid = std::env::args().nth(1).unwrap_or_default();
    let mut found = countermarch_core::diagnostic::Diagnostics::default();
    let text = fs::read_to_string(&grid)?;
    let node = countermarch_core::yaml::parse(&grid, &text, &mut found);
    let survey = fs::read_to_string(node.get("survey").and_then(|n| n.text()).unwrap_or(""))?;
    let map = countermarch_core::map::build(&node, &survey, &mut found);
    for d in &found.list { eprintln!("{d:?}"); }
    print!("{}", map.unwrap_or_default());
    Ok(())
}
